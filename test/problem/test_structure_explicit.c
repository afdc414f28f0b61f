/* Where the accelerations of the explicit formalism depend on p, v, lam, by the patterns of the residual one: against
 * the product of patterns, against differences, and where nothing is to be had by it. */
#include "src/core/solver/solver_impl.h"
#include "test/fixtures/bench_fixture.h"
#include "test/jacobian/jacobian_fixture.h"
#include "three_bodies.h"
#include "test/fixtures/solver_fixture.h"

enum { N = THREE_BODIES_N, N_G = THREE_BODIES_N_G, STATES = 20, BIG = 12, MOST = 2 * N + 2 * N_G };

/* A solver on a mechanism, explicit formalism, never started. */
typedef struct stage {
    resida_problem *problem;
    resida_solver *solver;
    const resida_layout *l;
    int n;
    unsigned char *places; /* [n x n] column by column, of the formalism part; NULL: not known */
} stage;

static stage open_stage(const resida_mechanism *m, const char *form)
{
    stage s = {0};
    resida_problem_options o = test_problem_options();
    resida_solver_options so = test_solver_options();
    o.form = form;
    o.formalism = RESIDA_FORMALISM_EXPLICIT;
    so.jacobian = "fresh";
    test_solver_make(&s.problem, &s.solver, m, &o, &so);
    s.l = &s.problem->layout;
    s.n = s.l->n;
    const rsd_places *formalism = &s.solver->structure.formalism;
    if (formalism->n < 0) return s;
    s.places = claims_zeros((size_t)s.n * (size_t)s.n, 1);
    for (int k = 0; k < formalism->n; k++) {
        assert_true(formalism->row[k] >= s.l->v && formalism->row[k] < s.l->v + s.l->n_v);
        unsigned char *place = s.places + formalism->column[k] * s.n + formalism->row[k];
        assert_int_equal(*place, 0); /* no repetitions */
        *place = 1;
    }
    return s;
}

static unsigned char *full(const resida_pattern *A, int rows, int cols)
{
    unsigned char *is = claims_zeros((size_t)rows * (size_t)cols + 1, 1);
    for (int i = 0; i < rows && A->row; i++)
        for (int e = A->row[i]; e < A->row[i + 1]; e++) is[i * cols + A->col[e]] = 1;
    return is;
}

/* to += A B, patterns [n x n][n x cols]; A' when transposed is 1: A [rows of B x n]. */
static void multiply(int n, int inner, int cols, const unsigned char *A, int transposed, const unsigned char *B,
                     unsigned char *to)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < inner; k++) {
            if (!(transposed ? A[k * n + i] : A[i * inner + k])) continue;
            for (int c = 0; c < cols; c++) to[i * cols + c] |= B[k * cols + c];
        }
}

/* The closure of M: everything that is coupled at all. */
static void close_under_products(int n, unsigned char *M)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int c = 0; c < n; c++) M[i * n + c] |= M[i * n + k] & M[k * n + c];
}

/* rows of v, from a column on: M^-1 B */
static void put_product(const stage *s, const unsigned char *M, const unsigned char *B, int cols, int column,
                        unsigned char *to)
{
    int n = s->l->n_v;
    unsigned char *product = claims_zeros((size_t)n * (size_t)cols, 1);
    assert_non_null(product);
    multiply(n, n, cols, M, 0, B, product);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < cols; c++) to[(column + c) * s->n + s->l->v + i] |= product[i * cols + c];
}

/* M^-1 (Phi_p + G'G), M^-1 Phi_v, M^-1 (G' + Phi_lam), where M^-1 is full in what is coupled. */
static unsigned char *products(const stage *s, const resida_mechanism *m)
{
    const int n = s->l->n_v, n_g = s->l->n_g;
    unsigned char *to = claims_zeros((size_t)s->n * (size_t)s->n, 1), *M = full(&m->M_pattern, n, n),
                  *p = full(&m->Phi_p_pattern, n, n), *v = full(&m->Phi_v_pattern, n, n),
                  *lam = full(&m->Phi_lam_pattern, n, n_g), *G = full(&m->G_pattern, n_g, n);
    assert_non_null(to);
    close_under_products(n, M);
    if (s->l->lam >= 0) {
        multiply(n, n_g, n, G, 1, G, p);
        for (int j = 0; j < n_g; j++)
            for (int i = 0; i < n; i++) lam[i * n_g + j] |= G[j * n + i];
        put_product(s, M, lam, n_g, s->l->lam, to);
    }
    put_product(s, M, p, n, s->l->p, to);
    put_product(s, M, v, n, s->l->v, to);
    return to;
}

/* The pattern is the product of patterns. @return entries */
static long check_products(const stage *s, const resida_mechanism *m)
{
    unsigned char *expected = products(s, m);
    long entries = 0;
    assert_non_null(s->places);
    assert_memory_equal(s->places, expected, (size_t)s->n * (size_t)s->n);
    for (long k = 0; k < (long)s->n * s->n; k++) entries += expected[k];
    return entries;
}

/* Central differences of the formalism part; what is more than their rounding is marked. */
static void mark_nonzero(const stage *s, uint64_t *seed, unsigned char *is)
{
    const double h = 1e-3;
    double y[MOST], yp[MOST], hi[MOST], lo[MOST];
    for (int i = 0; i < s->n; i++) y[i] = bench_random(seed), yp[i] = bench_random(seed);
    for (int c = 0; c < s->n; c++) {
        double kept = y[c];
        y[c] = kept + h;
        assert_int_equal(rsd_problem_eval_part(s->problem, RSD_ROWS_FORMALISM, 0, y, yp, hi), 0);
        y[c] = kept - h;
        assert_int_equal(rsd_problem_eval_part(s->problem, RSD_ROWS_FORMALISM, 0, y, yp, lo), 0);
        y[c] = kept;
        for (int i = 0; i < s->n; i++) is[c * s->n + i] |= fabs(hi[i] - lo[i]) > 1e-12 * (1 + fabs(hi[i]));
    }
}

static int body_of_column(const stage *s, int c)
{
    return c < s->l->v ? c % THREE_BODIES : c < s->l->v + N ? (c - s->l->v) % THREE_BODIES : -1;
}

/* Constraints are between the first two bodies; the second and the third one are tied by forces. */
static int may_depend(const stage *s, int row, int c)
{
    int body = body_of_column(s, row), on = body_of_column(s, c);
    if (on < 0) return c < s->l->lam + s->l->n_g && body < 2;
    return body + on != 2 || body == on;
}

static const char *const forms[] = {"ggl", "index2"};

CLAIM(every_derivative_that_is_not_zero_is_in_the_pattern)
{
    for (int k = 0; k < 4; k++) {
        const resida_mechanism m = three_bodies(k / 2);
        stage s = open_stage(&m, forms[k % 2]);
        unsigned char is[MOST * MOST] = {0};
        uint64_t seed = 17;
        int found = 0, empty = 0;
        long entries = check_products(&s, &m);
        for (int i = 0; i < STATES; i++) mark_nonzero(&s, &seed, is);
        for (int c = 0; c < s.n; c++)
            for (int i = s.l->v; i < s.l->v + N; i++) {
                found += is[c * s.n + i];
                assert_true(s.places[c * s.n + i] || !is[c * s.n + i]);
                if (may_depend(&s, i, c)) continue;
                assert_false(s.places[c * s.n + i]);
                empty++;
            }
        print_message(
            "  %-6s %s: %ld entries, %d of them found; %d places between bodies that know nothing of each other\n",
            forms[k % 2], k / 2 ? "friction" : "        ", entries, found, empty);
        assert_true(empty >= 16 && found > entries * 3 / 4);
    }
}

/* dF/dy + alpha dF/dyp by central differences, column by column. */
static void differences(const stage *s, double alpha, double *y, double *yp, double *J)
{
    const double h = 1e-5;
    double hi[MOST], lo[MOST];
    for (int c = 0; c < s->n; c++) {
        double kept = y[c], kept_p = yp[c];
        y[c] = kept + h, yp[c] = kept_p + alpha * h;
        assert_int_equal(resida_problem_residual(0, y, yp, hi, s->problem), 0);
        y[c] = kept - h, yp[c] = kept_p - alpha * h;
        assert_int_equal(resida_problem_residual(0, y, yp, lo, s->problem), 0);
        y[c] = kept, yp[c] = kept_p;
        for (int i = 0; i < s->n; i++) J[c * s->n + i] = (hi[i] - lo[i]) / (2 * h);
    }
}

/* Nothing is found column by column; the pattern is checked, as a given one is, and grows by nothing. */
CLAIM(an_evaluation_on_it_takes_groups_and_is_right)
{
    for (int friction = 0; friction < 2; friction++) {
        const resida_mechanism m = three_bodies(friction);
        stage s = open_stage(&m, "ggl");
        double y[MOST], yp[MOST], F[MOST], J[MOST * MOST], exact[MOST * MOST];
        uint64_t seed = 23;
        int current;
        resida_jacobian_counts counts;
        resida_jacobian_point at = {.alpha = 30, .h = 0.03, .y = y, .yp = yp, .F = F};
        for (int i = 0; i < s.n; i++) y[i] = bench_away(&seed), yp[i] = bench_away(&seed);
        assert_int_equal(rsd_guard_residual(&s.solver->guard, RSD_FOR_START, 0, y, yp, F), 0);
        assert_int_equal(resida_jacobian_setup(s.solver->engine, RESIDA_SETUP_FIRST, &at, &current), 0);
        assert_int_equal(resida_jacobian_get_counts(s.solver->engine, &counts), RESIDA_OK);
        assert_int_equal(counts.evaluations_dense, 0);
        assert_int_equal(counts.evaluations_coloured, 1);
        assert_int_equal(counts.pattern_updates, 0);
        assert_int_equal(counts.residual_calls, counts.groups + 1);
        assert_true(counts.groups < 2 * N + N_G);
        get_full(s.solver->engine, s.n, J);
        differences(&s, at.alpha, y, yp, exact);
        double error = off_by_row(s.n, J, exact);
        print_message("  %d groups of %d columns, J off by %.1e of its row\n", counts.groups, 2 * N + N_G, error);
        assert_true(error < 1e-6);
    }
}

/* A random pattern; symmetric and with a full diagonal, or not. */
typedef struct random_pattern {
    int row[BIG + 1], col[BIG * BIG];
} random_pattern;

static resida_pattern fill_pattern(random_pattern *q, int rows, int cols, double density, int symmetric, uint64_t *seed)
{
    unsigned char is[BIG][BIG] = {{0}};
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < cols; c++) {
            int there = (bench_random(seed) + 1) / 2 < density;
            is[i][c] |= (unsigned char)(there || (symmetric && i == c));
            if (symmetric) is[c][i] |= is[i][c];
        }
    for (int i = q->row[0] = 0; i < rows; i++) {
        q->row[i + 1] = q->row[i];
        for (int c = 0; c < cols; c++)
            if (is[i][c]) q->col[q->row[i + 1]++] = c;
    }
    return (resida_pattern){q->row, q->col};
}

/* Nothing of these mechanisms is ever called. */
CLAIM(random_patterns_give_the_product_of_patterns)
{
    uint64_t seed = 5;
    int known = 0, unknown = 0;
    for (int trial = 0; trial < 400; trial++) {
        random_pattern M, p, v, lam, G;
        resida_mechanism m = three_bodies(trial % 2);
        m.n_p = m.n_v = BIG;
        m.n_g = 3;
        m.M_pattern = fill_pattern(&M, BIG, BIG, 0.01 + 0.03 * (trial % 4), 1, &seed);
        m.Phi_p_pattern = fill_pattern(&p, BIG, BIG, 0.05, 0, &seed);
        m.Phi_v_pattern = fill_pattern(&v, BIG, BIG, 0.05, 0, &seed);
        m.G_pattern = fill_pattern(&G, 3, BIG, 0.2, 0, &seed);
        if (trial % 2) m.Phi_lam_pattern = fill_pattern(&lam, BIG, 3, 0.1, 0, &seed);
        stage s = open_stage(&m, forms[trial / 2 % 2]);
        *(s.places ? &known : &unknown) += 1;
        if (s.places)
            check_products(&s, &m);
        else
            assert_int_equal(s.solver->structure.n_sets, 1);
    }
    print_message("  %d known, %d where M couples everything\n", known, unknown);
    assert_true(known > 100 && unknown > 10);
}

static int any_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    return 1;
}

static void check_not_known(const resida_mechanism *m, const char *what)
{
    stage s = open_stage(m, "auto");
    if (s.places) fail_msg("%s: %d places are known", what, s.solver->structure.formalism.n);
}

CLAIM(no_pattern_is_derived_if_it_does_not_follow)
{
    static const int chain_row[] = {0, 2, 4, 6, 8, 10, 12}, chain_col[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 0, 5},
                     one_row[] = {0, 1, 2, 3, 4, 5, 6}, one_col[] = {0, 1, 2, 3, 4, 5};
    const resida_mechanism all = three_bodies(0);
    resida_mechanism m = all;
    m.M_pattern = (resida_pattern){chain_row, chain_col};
    check_not_known(&m, "M couples each coordinate with the next one");
    m = all;
    m.M_pattern = (resida_pattern){NULL, NULL};
    check_not_known(&m, "M is full");
    m = all;
    m.mass_matrix = NULL;
    m.M_pattern = (resida_pattern){NULL, NULL};
    check_not_known(&m, "no M");
    m = all;
    m.kinematic_matrix = any_matrix;
    m.T_pattern = (resida_pattern){one_row, one_col};
    check_not_known(&m, "a kinematic matrix");
    m = all;
    m.n_h = 1;
    m.nonholonomic_matrix = any_matrix;
    check_not_known(&m, "a nonholonomic row");
    m = all;
    m.Phi_p_pattern = m.Phi_v_pattern = (resida_pattern){NULL, NULL};
    check_not_known(&m, "no patterns of Phi");
    m = all;
    m.M_pattern = (resida_pattern){one_row, one_col}; /* what is diagonal is the best of all */
    stage s = open_stage(&m, "auto");
    assert_int_equal(s.solver->structure.n_sets, N);
    check_products(&s, &m);
}

CLAIM(without_constraints_only_forces_are_in_the_pattern)
{
    resida_mechanism m = three_bodies(0);
    m.n_g = 0;
    m.constraint = m.constraint_matrix = NULL;
    m.G_pattern = (resida_pattern){NULL, NULL};
    stage s = open_stage(&m, "ode");
    check_products(&s, &m);
}

/* Places of all lists, each counted once. */
static long count_places(const stage *s)
{
    const rsd_structure *k = &s->solver->structure;
    const rsd_places *lists[] = {&k->y, &k->yp, &k->formalism, &k->constraint};
    unsigned char *is = claims_zeros((size_t)s->n * (size_t)s->n, 1);
    long places = 0;
    for (int i = 0; i < 4; i++)
        for (int e = 0; e < lists[i]->n; e++) is[lists[i]->column[e] * s->n + lists[i]->row[e]] = 1;
    for (long e = 0; e < (long)s->n * s->n; e++) places += is[e];
    return places;
}

/* M of the train couples the coordinates of a carriage. */
CLAIM(the_train_is_never_evaluated_column_by_column)
{
    bench *b = bench_make("train", NULL);
    stage s = open_stage(b->m, "ggl");
    long entries = check_products(&s, b->m);
    assert_int_equal(resida_solver_start(s.solver, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s.solver, b->model.t_end), RESIDA_OK);
    resida_stats stats = test_stats(s.solver);
    print_message("  train: %ld entries in %d groups, %ld evaluations by groups, J has %ld entries of %d x %d\n",
                  entries, stats.groups, stats.jacobian_evaluations.coloured, stats.nnz, s.n, s.n);
    assert_int_equal(stats.jacobian_evaluations.dense, 0);
    assert_true(stats.jacobian_evaluations.coloured > 1);
    assert_int_equal(stats.pattern_updates, 0);
    assert_int_equal(stats.nnz, count_places(&s));
}
