/* test_row_choice.c - which of dependent constraints are dropped is chosen anew while the integration runs: one option
 * at the start, and whole runs come out right, in every formulation, with every method; what was dropped and when it
 * changed is said; multipliers stay continuous; and a row that does not follow from the others any more is an error.
 *
 * Bricard's mechanism (built in) has one redundant row of 30; whichever of most of them is dropped at the start, what
 * is kept loses rank later. The chain of turning_rows.h is a class of such mechanisms, whose motion is known without
 * them. */
#include "test/fixtures/bench_fixture.h"
#include "turning_rows.h"
#include "test/fixtures/solver_fixture.h"

enum { MAX_V = 2 * TURNING_MAX, MAX_L = 2 * TURNING_MAX };

/* What to run, on what. Zero: defaults. */
typedef struct order {
    const resida_mechanism *m;
    const double *p0, *v0;
    const char *form, *method, *jacobian;
    resida_formalism formalism;
    double tolerance, t_end, step;
    int outputs;
} order;

/* What came out. */
typedef struct result {
    resida_status status;
    char message[RESIDA_MESSAGE_SIZE], dropped[RESIDA_MESSAGE_SIZE];
    double t, p[MAX_V], v[MAX_V];
    double jump;      /* largest change of lam from one output to the next, over the largest lam */
    double imbalance; /* largest |M a + G' lam - Psi| over the largest force, at the outputs */
    resida_stats stats;
} result;

typedef struct handles {
    resida_problem *problem;
    resida_solver *solver;
} handles;

static handles open_handles(const order *o)
{
    handles h;
    resida_problem_options po = test_problem_options();
    resida_solver_options so = test_solver_options();
    resida_start_options start = test_start_options();
    po.formalism = o->formalism;
    if (o->form) po.form = o->form;
    so.rtol = so.atol = o->tolerance > 0 ? o->tolerance : 1e-6;
    so.t_stop = o->t_end;
    if (o->jacobian) so.jacobian = o->jacobian;
    if (o->method) so.method = o->method, so.step = o->step;
    start.redundant = RESIDA_REDUNDANT_DROP;
    h.problem = test_problem(o->m, &po);
    h.solver = test_solver_of(h.problem, &so);
    if (resida_solver_start(h.solver, 0, o->p0, o->v0, &start, NULL) < 0)
        fail_msg("%s", resida_solver_message(h.solver));
    return h;
}

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = isfinite(x[i]) ? fmax(most, fabs(x[i])) : INFINITY;
    return most;
}

static double apart(int n, const double *x, const double *y)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = isfinite(x[i]) ? fmax(most, fabs(x[i] - y[i])) : INFINITY;
    return most;
}

static result integrate(const order *o)
{
    handles h = open_handles(o);
    const int n_l = o->m->n_g + o->m->n_h;
    double before[MAX_L] = {0}, size = 0, r[8 * MAX_V];
    resida_layout l;
    result out = {.stats.size = sizeof out.stats};
    assert_int_equal(resida_problem_layout(h.problem, &l), RESIDA_OK);
    for (int i = 0; i < o->outputs && out.status >= 0; i++) {
        out.status = resida_solver_advance(h.solver, o->t_end * (i + 1) / o->outputs);
        resida_state at = test_state(h.solver);
        out.t = at.t;
        memcpy(out.p, at.p, (size_t)o->m->n_p * sizeof *at.p);
        memcpy(out.v, at.v, (size_t)o->m->n_v * sizeof *at.v);
        size = fmax(size, largest(n_l, at.lam));
        if (i > 0) out.jump = fmax(out.jump, apart(n_l, at.lam, before));
        memcpy(before, at.lam, (size_t)n_l * sizeof *before);
        assert_int_equal(resida_problem_residual(at.t, at.y, at.yp, r, h.problem), 0);
        out.imbalance = fmax(out.imbalance, largest(o->m->n_v, r + l.v));
    }
    out.jump /= size, out.imbalance /= size;
    strcpy(out.message, resida_solver_message(h.solver));
    assert_int_equal(resida_solver_stats(h.solver, &out.stats), RESIDA_OK);
    strcpy(out.dropped, out.stats.dropped_rows);
    return out;
}

static result run_bricard(bench *b, const char *form, int formalism, double tolerance, int outputs)
{
    const order o = {.m = b->m,
                     .p0 = b->model.p0,
                     .v0 = b->model.v0,
                     .form = form,
                     .formalism = (resida_formalism)formalism,
                     .tolerance = tolerance,
                     .t_end = b->model.t_end,
                     .outputs = outputs};
    return integrate(&o);
}

static double error_of(const bench *b, const result *r)
{
    double p[30], v[30];
    assert_int_equal(b->model.reference(&b->model, r->t, p, v, NULL), 0);
    return apart(30, r->p, p);
}

/* Digits at a tolerance, in the middle of three runs nearby: those of one scatter. */
static double digits_of(bench *b, int formalism, int e)
{
    static const double nearby[] = {0.8, 1, 1.25};
    double digits[3];
    for (int k = 0; k < 3; k++) {
        result r = run_bricard(b, NULL, formalism, nearby[k] * pow(10, -e), 1);
        if (r.status != RESIDA_OK) fail_msg("%g of 1e-%d: %s", nearby[k], e, r.message);
        assert_true(r.stats.row_changes >= 1);
        assert_true(2 * r.stats.row_looks <= r.stats.steps + 10);
        digits[k] = -log10(error_of(b, &r));
        print_message("  %.2f 1e-%d: %.1f digits, %ld steps, %ld calls, %ld looks, %ld changes\n", nearby[k], e,
                      digits[k], r.stats.steps, r.stats.residual_calls.total, r.stats.row_looks, r.stats.row_changes);
    }
    return fmax(fmin(digits[0], digits[1]), fmin(fmax(digits[0], digits[1]), digits[2]));
}

/* At least -log10(rtol) - 1.7 digits. */
CLAIM(bricard_loses_no_digits_to_the_row_that_was_dropped)
{
    bench *b = bench_make("bricard", NULL);
    for (int formalism = 1; formalism <= 2; formalism++)
        for (int e = 3; e <= 10; e++) assert_true(digits_of(b, formalism, e) >= e - 1.7);
}

/* Formulations, and what error they have at 1e-6 where nothing is redundant: those without the velocities in the error
 * test, or with a drift, have more. */
static const struct {
    const char *name;
    double error;
} forms[] = {{"ggl", 1e-4},         {"index2", 1e-4},
             {"index1", 5e-3},      {"baumgarte", 3e-4},
             {"index3", 3e-3},      {"augmented", 3e-3},
             {"projected1", 3e-4},  {"projected2", 1e-4},
             {"state-space", 1e-4}, {"hiller-anantharaman", 1e-4}};
enum { FORMS = sizeof forms / sizeof *forms };

CLAIM(bricard_runs_in_every_formulation)
{
    bench *b = bench_make("bricard", NULL);
    for (int f = 0; f < FORMS; f++)
        for (int formalism = 1; formalism <= 2; formalism++) {
            result r = run_bricard(b, forms[f].name, formalism, 1e-6, 1);
            if (r.status != RESIDA_OK) fail_msg("%s: %s", forms[f].name, r.message);
            print_message("  %-20s %.1e, %ld changes\n", forms[f].name, error_of(b, &r), r.stats.row_changes);
            assert_true(error_of(b, &r) <= forms[f].error);
            assert_true(r.stats.row_changes >= 1);
        }
}

CLAIM(it_runs_with_steps_of_a_fixed_size_too)
{
    static const struct {
        const char *name;
        double error;
    } methods[] = {{"bdf2", 1e-3},        {"bdf4", 1e-3},       {"midpoint", 1e-3},
                   {"newmark", 1e-3},     {"hht", 1e-3},        {"generalized-alpha", 1e-3},
                   {"radau-iia-2", 1e-4}, {"radau-iia-3", 1e-6}};
    static const char *const of[] = {"ggl", "index3"};
    bench *b = bench_make("bricard", NULL);
    for (int i = 0; i < 16; i++) {
        const order o = {.m = b->m,
                         .p0 = b->model.p0,
                         .v0 = b->model.v0,
                         .form = of[i % 2],
                         .method = methods[i / 2].name,
                         .step = 0.01,
                         .t_end = 5,
                         .outputs = 1};
        result r = integrate(&o);
        if (r.status != RESIDA_OK) fail_msg("%s: %s", methods[i / 2].name, r.message);
        print_message("  %-20s %.1e, %ld changes\n", methods[i / 2].name, error_of(b, &r), r.stats.row_changes);
        assert_true(error_of(b, &r) <= methods[i / 2].error);
        assert_true(r.stats.row_changes >= 1);
    }
}

CLAIM(which_rows_were_dropped_and_when_it_changed_is_said)
{
    bench *b = bench_make("bricard", NULL);
    result r = run_bricard(b, NULL, 1, 1e-6, 1);
    print_message("  %s\n", r.dropped);
    const char *change = strstr(r.dropped, "; from t = ");
    assert_non_null(change);
    double t = atof(change + strlen("; from t = "));
    assert_true(t > 0.5 && t < 1.2479);
    int named = 0;
    for (int i = 0; i < 30; i++) named += strncmp(r.dropped, b->m->g_names[i], strlen(b->m->g_names[i])) == 0;
    assert_int_equal(named, 1);
}

/* Outputs 0.005 s apart: lam changes by a part of its size only from one to the next, and forces are in balance
 * wherever it is looked at, also between steps. */
CLAIM(multipliers_stay_continuous_and_in_balance_over_a_change)
{
    bench *b = bench_make("bricard", NULL);
    for (int formalism = 1; formalism <= 2; formalism++) {
        result r = run_bricard(b, NULL, formalism, 1e-8, 2000);
        assert_int_equal(r.status, RESIDA_OK);
        print_message("  jump %.1e, imbalance %.1e\n", r.jump, r.imbalance);
        assert_true(r.stats.row_changes >= 1);
        assert_true(r.jump <= 0.15); /* without the fading, 1 and more */
        assert_true(r.imbalance <=
                    (formalism == 2 ? 600 : 1) * 1e-3); /* the explicit one divides by inertias of 1/600 */
    }
}

/* Chains of 2 points, and of 40, whose systems are sparse ones: the motion is that of the rods alone. In formulations
 * that drift, drift grows as the room shrinks, and more so with each change: they are left out. */
static void chain_matches(int n, unsigned seed, const char *form, int formalism, long *changes)
{
    turning k, plain;
    turning_make(&k, n, seed);
    turning_make(&plain, n, seed);
    plain.plain = 1;
    const resida_mechanism with = turning_mechanism(&k), without = turning_mechanism(&plain);
    order o = {.m = &with,
               .p0 = k.p0,
               .v0 = k.v0,
               .form = form,
               .formalism = (resida_formalism)formalism,
               .tolerance = 1e-7,
               .t_end = 1.5,
               .outputs = 1};
    result r = integrate(&o);
    o.m = &without, o.form = "ggl", o.tolerance = 1e-9;
    result exact = integrate(&o);
    if (r.status != RESIDA_OK) fail_msg("%s, seed %u: %s", form, seed, r.message);
    assert_int_equal(exact.status, RESIDA_OK);
    const double error = apart(2 * n, r.p, exact.p);
    const int index3 = strcmp(form, "index3") == 0;
    if (error > (index3 ? 1e-3 : 1e-5)) fail_msg("%s, %d points, seed %u: error %g", form, n, seed, error);
    *changes += r.stats.row_changes;
}

CLAIM(chains_whose_rows_turn_move_as_without_them)
{
    static const char *const of[] = {"ggl", "projected2", "hiller-anantharaman", "index3"};
    long changes = 0;
    for (unsigned seed = 1; seed <= 40; seed++) chain_matches(2, seed, of[seed % 4], 1 + (int)seed / 4 % 2, &changes);
    print_message("  %ld changes in 40 small chains\n", changes);
    assert_true(changes >= 20);
    changes = 0;
    for (unsigned seed = 1; seed <= 4; seed++) chain_matches(TURNING_MAX, seed, of[2 * (seed % 2)], 1, &changes);
    print_message("  %ld changes in 4 long chains\n", changes);
    assert_true(changes >= 10);
}

/* A point on the line y = 0 and on the curve y = c x^2/2, which touch where it starts: the second row is redundant
 * there, and not later. */
static int touching(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[1];
    g[1] = p[1] - *(const double *)user * p[0] * p[0] / 2;
    return 0;
}

static int free_flight(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                       double *r, void *user)
{
    for (int i = 0; i < 3; i++) r[i] = a[i];
    return 0;
}

CLAIM(a_row_that_follows_no_more_is_an_error_with_its_name)
{
    static const char *const names[] = {"the line", "the curve"};
    static const double p0[3] = {0}, v0[3] = {1, 0, 0.5};
    static const double curvatures[] = {1, 0.01, -30};
    for (int c = 0; c < 3; c++)
        for (int f = 0; f < FORMS; f++) {
            double curvature = curvatures[c];
            resida_mechanism m = test_mechanism();
            m.n_p = m.n_v = 3, m.n_g = 2, m.g_names = names;
            m.residual = free_flight, m.constraint = touching, m.user = &curvature;
            const order o = {.m = &m, .p0 = p0, .v0 = v0, .form = forms[f].name, .t_end = 1, .outputs = 1};
            result r = integrate(&o);
            if (r.status != RESIDA_ERR_REDUNDANT)
                fail_msg("%s, curvature %g: %d '%s'", forms[f].name, curvature, r.status, r.message);
            assert_non_null(strstr(r.message, "the curve"));
            assert_true(r.t < 0.5);
        }
}
