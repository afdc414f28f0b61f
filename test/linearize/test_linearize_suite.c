/* test_linearize_suite.c - free, clamped and jointed flexible models of up to 1,000 states, stiff chains, rotors,
 * loops. Each eigenvalue that is not among the fastest tenth is compared with the one that inverse iteration finds,
 * its residual and its Rayleigh quotient in quadruple precision; each has the multiplicity it is listed with; zeros
 * are as many as the model has, and all together are as many as its unknowns, so that none is missing. The argument
 * "all": every model; else the small ones. */
#include "linear_models.h"
#include "reference_modes.h"
#include "test/fixtures/bench_fixture.h"

static const double right = 1e-6;    /* relative error of an eigenvalue */
static const double together = 1e-5; /* parts of their size by which eigenvalues of one group differ */
static const double settled = 1e-8;  /* part by which a reference still changes */

enum { SMALL_STRIP = 12, SMALL = 70, MAX_TOGETHER = 40 };
enum { FEW = 3, MANY = 30, NEIGHBOURS = 10 }; /* iterations; eigenvalues beside a group that slow them */

/* --- the comparison --- */

static double size_of(const linear *x, int k)
{
    return hypot(x->modes.re[k], x->modes.im[k]);
}

/* Eigenvalues, of a pair both; of those that are above a size. */
static int count_above(const linear *x, double size)
{
    int n = 0;
    for (int k = 0; k < x->modes.n; k++)
        if (size_of(x, k) > size) n += 1 + (x->modes.im[k] > 0);
    return n;
}

/* The size above which a tenth is, and no more. */
static double find_top(const linear *x)
{
    double top = INFINITY;
    const int tenth = (count_above(x, 0) + x->modes.n_lost) / 10;
    for (int k = 0; k < x->modes.n; k++)
        if (count_above(x, size_of(x, k)) + x->modes.n_lost <= tenth) top = fmin(top, size_of(x, k));
    return top;
}

static double complex value(const linear *x, int k)
{
    return x->modes.re[k] + I * x->modes.im[k];
}

/* How many are listed so near to the k-th. */
static int count_listed(const linear *x, int k, double part)
{
    int n = 0;
    for (int j = 0; j < x->modes.n; j++) n += cabs(value(x, j) - value(x, k)) < part * size_of(x, k);
    return n;
}

typedef struct verdict {
    int wrong, unknown, multiple;
    double worst;
    double complex first;
} verdict;

/* 1: as many are there as are listed, or the group has no end. */
static int has_multiplicity(const linear *x, int k)
{
    const int listed = count_listed(x, k, together);
    if (listed != count_listed(x, k, 2 * together) || listed > MAX_TOGETHER) return 1;
    return reference_multiplicity(&x->model, value(x, k), 1.5 * together, listed, FEW) == listed ||
           reference_multiplicity(&x->model, value(x, k), 1.5 * together, listed + NEIGHBOURS, MANY) == listed;
}

static void judge_one(const linear *x, int k, verdict *v)
{
    double change;
    const double complex lambda = value(x, k), is = reference_eigenvalue(&x->model, lambda, &change);
    const double error = cabs(is - lambda) / cabs(lambda);
    const int bad = v->wrong + v->unknown + v->multiple;
    v->worst = fmax(v->worst, error);
    v->wrong += !(error < right);
    v->unknown += !(change < settled);
    v->multiple += !has_multiplicity(x, k);
    if (bad == 0 && v->wrong + v->unknown + v->multiple > 0) v->first = lambda;
}

/* zeros: how many there are; step: each so manyth is looked at. */
static int judge(const char *name, const linear *x, int zeros)
{
    verdict v = {0};
    int n = x->modes.n_zero + x->modes.n_infinite + x->modes.n_lost + count_above(x, 0), seen = 0;
    const double top = find_top(x);
    for (int k = 0; k < x->modes.n; k++)
        if (size_of(x, k) <= top) judge_one(x, k, &v), seen++;
    const int good = n == x->model.n && x->modes.n_zero == zeros && !v.wrong && !v.unknown && !v.multiple;
    print_message("  %-44s n %4d, %3d of %3d modes seen, zeros %d (%d), lost %d, worst %.1e%s\n", name, x->model.n,
                  seen, x->modes.n, x->modes.n_zero, zeros, x->modes.n_lost, v.worst, good ? "" : "  <-- WRONG");
    if (!good)
        print_message("    all %d, wrong %d, not known %d, multiplicities %d, first %.9g + %.9g i\n", n, v.wrong,
                      v.unknown, v.multiple, creal(v.first), cimag(v.first));
    return !good;
}

/* --- the models --- */

static int is_all;

/* Index 2 lets 6 constraints of each node and 6 of the clamp drift, index 1 twice as many zeros. The square turns
 * about the line from its hinge to its ball. */
typedef struct strip_case {
    const char *form; /* NULL: independent coordinates */
    strip o;
    int zeros;
} strip_case;

CLAIM(strips_have_their_modes)
{
    static const strip_case cases[] = {
        {NULL, {1, 4, STRIP_FREE, 0, 0, 0}, 12},
        {NULL, {1, 20, STRIP_FREE, 0, 0, 0}, 12},
        {NULL, {1, 80, STRIP_FREE, 0, 0, 0}, 12},
        {NULL, {2, 8, STRIP_FREE, 0, 0, 0}, 12},
        {NULL, {2, 20, STRIP_FREE, 0, 0, 0}, 12},
        {NULL, {2, 40, STRIP_FREE, 0, 0, 0}, 12},
        {NULL, {3, 8, STRIP_FREE, 0, 0, 0}, 12},
        {NULL, {3, 24, STRIP_FREE, 0, 0, 0}, 12},
        {NULL, {1, 40, STRIP_CLAMPED, 0, 0, 0}, 0},
        {NULL, {2, 24, STRIP_CLAMPED, 0, 0, 0}, 0},
        {NULL, {3, 24, STRIP_CLAMPED, 0, 0, 0}, 0},
        {NULL, {3, 16, STRIP_CLAMPED, 0.0005, 0, 0}, 0},
        {NULL, {2, 12, STRIP_HINGED, 0, 0, 0}, 2},
        {NULL, {3, 20, STRIP_HINGED, 0, 0, 0}, 2},
        {NULL, {2, 12, STRIP_BETWEEN, 0, 0, 0}, 0},
        {NULL, {3, 20, STRIP_BETWEEN, 0, 0, 0}, 0},
        {NULL, {2, 8, STRIP_SQUARE, 0, 0, 0}, 2},
        {NULL, {3, 8, STRIP_SQUARE, 0, 0, 0}, 2},
        {NULL, {2, 12, STRIP_CLAMPED, 0, 1e-5, 0}, 0},
        {NULL, {3, 12, STRIP_FREE, 0, 1e-6, 0}, 12},
        {NULL, {2, 12, STRIP_CLAMPED, 0, 0, 2}, 0},
        {NULL, {2, 12, STRIP_HINGED, 0, 1e-5, 2}, 2},
        {"index3", {1, 12, STRIP_FREE, 0, 0, 0}, 12},
        {"index3", {2, 6, STRIP_CLAMPED, 0, 0, 0}, 0},
        {"index3", {2, 6, STRIP_CLAMPED, 0, 1e-5, 0}, 0},
        {"index2", {2, 8, STRIP_CLAMPED, 0, 0, 0}, 17 * 6 + 6},
        {"index1", {1, 8, STRIP_CLAMPED, 0, 0, 0}, 2 * (9 * 6 + 6)},
        {"ggl", {2, 6, STRIP_FREE, 0, 0, 0}, 12},
    };
    int wrong = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static const char *const ends[] = {"free", "clamped", "hinged", "between", "square"};
        bm_system s;
        linear x;
        const strip *o = &cases[c].o;
        if (!is_all && o->order * o->elements > SMALL_STRIP) continue;
        const char *name = claims_text("%s, order %d, %d elements, %s%s%s%s", ends[o->ends], o->order, o->elements,
                                       cases[c].form ? cases[c].form : "independent", o->height > 0 ? ", thin" : "",
                                       o->damping > 0 ? ", damped" : "", o->lump > 0 ? ", lump" : "");
        strip_open(&s, &x, cases[c].form, o);
        wrong += judge(name, &x, cases[c].zeros);
        bm_end(&s);
    }
    assert_int_equal(wrong, 0);
}

/* Springs k, s in turn; the first mass held by s or not; damping in proportion. */
static matrices chain(int n, double k, double s, int is_held, double damping)
{
    matrices x = matrices_make(n, 0);
    for (int i = 0; i + 1 < n; i++) matrices_add_spring(&x, i, i + 1, i % 2 ? s : k);
    if (is_held) x.K[0] += s;
    for (int i = 0; i < n * n; i++) x.D[i] = damping * x.K[i];
    return x;
}

/* Two chains, in y and z, that turn about x. */
static matrices rotor(int n, double k, double turn, double damping, int is_held)
{
    matrices x = matrices_make(n, 0);
    const int h = n / 2;
    for (int first = 0; first < n; first += h) {
        for (int i = 0; i + 1 < h; i++) matrices_add_spring(&x, first + i, first + i + 1, k);
        if (is_held) x.K[first * n + first] += k;
    }
    for (int i = 0; i < h; i++) x.D[i * n + h + i] = turn, x.D[(h + i) * n + i] = -turn;
    for (int i = 0; i < n; i++) x.D[i * n + i] += damping * (1 + i % 3);
    return x;
}

/* A ring of springs k, k, s in turn; two of its masses are one. */
static matrices ring(int n, double k, double s)
{
    matrices x = matrices_make(n, 1);
    for (int i = 0; i < n; i++) matrices_add_spring(&x, i, (i + 1) % n, i % 3 ? k : s);
    x.G[0] = 1, x.G[n / 2] = -1;
    return x;
}

static int judge_matrices(const char *name, matrices x, const char *form, int zeros)
{
    int wrong = 0;
    if (is_all || x.n < SMALL) {
        linear l;
        matrices_open(&l, &x, form, 1);
        wrong = judge(name, &l, zeros);
    }
    return wrong;
}

CLAIM(chains_rotors_and_rings_have_their_modes)
{
    int wrong = judge_matrices("chain of 2", chain(2, 1e12, 1e12, 0, 0), NULL, 2);
    wrong += judge_matrices("held chain of 40, 1e12 and 1", chain(40, 1e12, 1, 1, 0), NULL, 0);
    wrong += judge_matrices("chain of 400, 1e8 and 1", chain(400, 1e8, 1, 0, 0), NULL, 2);
    wrong += judge_matrices("held chain of 200, 1e6 and 1, damped", chain(200, 1e6, 1, 1, 1e-3), NULL, 0);
    wrong += judge_matrices("rotor of 200", rotor(200, 1e8, 300, 0, 0), NULL, 2);
    wrong += judge_matrices("held rotor of 400, damped", rotor(400, 1e8, 300, 0.5, 1), NULL, 0);
    wrong += judge_matrices("held rotor of 100", rotor(100, 1e6, 100, 0, 1), NULL, 0);
    wrong += judge_matrices("ring of 300", ring(300, 1e6, 1e3), NULL, 2);
    wrong += judge_matrices("ring of 60, index3", ring(60, 1e6, 1e3), "index3", 2);
    assert_int_equal(wrong, 0);
}

CLAIM(built_in_models_have_their_modes)
{
    static const char *const names[] = {"beam-cantilever", "slider-crank-flexible", "tip-crank", "beam-bend"};
    int wrong = 0;
    for (size_t k = 0; is_all && k < sizeof names / sizeof *names; k++) {
        linear x;
        bench *b = bench_make(names[k], NULL);
        linear_open(&x, b->m, RESIDA_FORMALISM_AUTO, 0, b->model.p0, b->model.v0);
        wrong += judge(names[k], &x, 0);
    }
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    is_all = argc > 1 && strcmp(argv[1], "all") == 0;
    return claims_run(NULL, NULL);
}
