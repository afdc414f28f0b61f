/* Derivatives that the model gives: they are used at each attempt and nothing is differenced; they are never replaced,
 * also when they are wrong; what their callback says is passed on by name. And what differences cost compared with
 * them. */
#include <resida/resida.h>

#include "test/fixtures/bench_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, SAMPLES = 9, BUDGET = 20000 };

/* A mechanism of a built-in model with derivatives added: those of Phi by differences of fourth order, which nobody
 * counts,
 *
 *     f' = (8 (f(h) - f(-h)) - (f(2 h) - f(-2 h)))/(12 h),    h = 1e-3 of the larger of 1 and the component. */
typedef struct given {
    const resida_mechanism *m; /* the original */
    double off;                /* added to all entries, 0: they are right */
    int verdict, fail_at;      /* what the callback returns from that call on; 0: nothing */
    double spoil;              /* then added to the last entry, 0: nothing */
    long calls;
    double Phi_v[MOST * MOST]; /* the last ones handed over */
} given;

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const given *k = user;
    return k->m->residual(t, p, v, a, e, r, k->m->user);
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const given *k = user;
    return k->m->excitation(t, u, ud, udd, k->m->user);
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const given *k = user;
    return k->m->mass_matrix(t, p, e, M, k->m->user);
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const given *k = user;
    return k->m->constraint(t, p, e, g, k->m->user);
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const given *k = user;
    return k->m->constraint_matrix(t, p, e, G, k->m->user);
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const given *k = user;
    return k->m->velocity_bias(t, p, e, out, k->m->user);
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                             void *user)
{
    const given *k = user;
    return k->m->acceleration_bias(t, p, v, e, out, k->m->user);
}

/* D [n x n], row by row: dPhi/dx, x being p or v. */
static void differences(const given *k, double t, const double *p, const double *v, const double *a,
                        const resida_excitation *e, int of_v, double *D)
{
    static const double shifts[] = {1, -1, 2, -2}, factors[] = {8, -8, -1, 1};
    const int n = k->m->n_v;
    double x[2][MOST], r[MOST];
    memcpy(x[0], p, (size_t)n * sizeof *p);
    memcpy(x[1], v, (size_t)n * sizeof *v);
    for (int i = 0; i < n * n; i++) D[i] = k->off;
    for (int c = 0; c < n; c++) {
        const double kept = x[of_v][c], h = 1e-3 * fmax(1, fabs(kept));
        for (int s = 0; s < 4; s++) {
            x[of_v][c] = kept + shifts[s] * h;
            assert_int_equal(k->m->residual(t, x[0], x[1], a, e, r, k->m->user), 0);
            for (int i = 0; i < n; i++) D[i * n + c] += factors[s] * r[i] / (12 * h);
        }
        x[of_v][c] = kept;
    }
}

static int derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                       const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    given *k = user;
    (void)lam;
    assert_null(Phi_lam); /* Psi does not depend on lam */
    k->calls++;
    differences(k, t, p, v, a, e, 0, Phi_p);
    differences(k, t, p, v, a, e, 1, Phi_v);
    memcpy(k->Phi_v, Phi_v, (size_t)(k->m->n_v * k->m->n_v) * sizeof *Phi_v);
    if (k->fail_at == 0 || k->calls < k->fail_at) return 0;
    Phi_v[k->m->n_v * k->m->n_v - 1] += k->spoil;
    return k->verdict;
}

static resida_mechanism with_derivatives(given *k, const bench *b)
{
    resida_mechanism m = *b->m;
    assert_true(m.n_v <= MOST && m.n_p == m.n_v);
    k->m = b->m;
    m.user = k;
    m.residual = residual;
    m.acceleration = NULL;
    m.mass_matrix = mass_matrix;
    m.constraint = constraint;
    m.constraint_matrix = constraint_matrix;
    m.velocity_bias = velocity_bias;
    m.acceleration_bias = acceleration_bias;
    if (m.excitation) m.excitation = excitation;
    m.derivatives = derivatives;
    return m;
}

typedef struct outcome {
    resida_status status;
    char message[RESIDA_MESSAGE_SIZE], strategy[40];
    resida_stats stats;
    resida_jacobian_counts counts;
    double error;
    int is_the_users; /* entries of J where nothing but Phi_v is, bit for bit */
} outcome;

static double end_error(const bench *b, const resida_state *state)
{
    double p[MOST], v[MOST], error = 0;
    if (!b->model.reference || b->model.reference(&b->model, state->t, p, v, NULL) != 0) return NAN;
    for (int i = 0; i < b->m->n_p; i++) error = fmax(error, fabs(state->p[i] - p[i]));
    return error;
}

/* Entries of the block dyn x v in which M has none: in Andrews' mechanism those two and more off the diagonal. */
static int is_the_users(const resida_solver *s, const given *k)
{
    const int n = k->m->n_v;
    int same = 1;
    resida_jacobian_matrix J;
    if (resida_jacobian_get_matrix(resida_solver_jacobian(s), &J) < 0) return 0;
    for (int c = 0; c < n; c++)
        for (int e = J.start[n + c]; e < J.start[n + c + 1]; e++) {
            int i = J.row[e] - n;
            if (i >= 0 && i < n && abs(i - c) >= 2) same &= J.values[e] == k->Phi_v[i * n + c];
        }
    return same;
}

/* A built-in model to its end; k NULL: as it is, J by differences. tol 0: its own tolerances. */
static outcome run(const char *model, const char *strategy, given *k, double tol)
{
    bench b;
    outcome r = {.stats.size = sizeof r.stats};
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_message why = {""};
    resida_solver_options o;
    resida_state state;
    bench_open(&b, model, NULL);
    resida_mechanism m = *b.m;
    if (k) m = with_derivatives(k, &b);
    if (resida_problem_create(&problem, &m, NULL, &why) < 0) fail_msg("%s", why.text);
    resida_solver_options_init(&o);
    o.rtol = tol > 0 ? tol : b.model.rtol;
    o.atol = tol > 0 ? tol : b.model.atol;
    o.t_stop = b.model.t_end;
    o.max_residuals = BUDGET;
    if (strategy) o.jacobian = strategy;
    if (resida_solver_create(&solver, problem, &o, &why) < 0) fail_msg("%s", why.text);
    strcpy(r.strategy, resida_jacobian_strategy(resida_solver_jacobian(solver)));
    assert_int_equal(resida_solver_start(solver, b.model.t0, b.model.p0, b.model.v0, NULL, NULL), RESIDA_OK);
    r.status = resida_solver_advance(solver, b.model.t_end);
    strcpy(r.message, resida_solver_message(solver));
    assert_int_equal(resida_solver_state(solver, &state), RESIDA_OK);
    r.error = r.status >= 0 ? end_error(&b, &state) : NAN;
    assert_int_equal(resida_solver_stats(solver, &r.stats), RESIDA_OK);
    assert_int_equal(resida_jacobian_get_counts(resida_solver_jacobian(solver), &r.counts), RESIDA_OK);
    if (k) r.is_the_users = is_the_users(solver, k);
    resida_solver_free(solver);
    resida_problem_free(problem);
    bench_close(&b);
    return r;
}

static const char *const models[] = {"pendulum", "andrews", "car-axis", "slider-crank"};
enum { N_MODELS = 4 };

/* No call of the formalism but those of the iteration and of the start. */
static void check_that_nothing_was_differenced(const outcome *r)
{
    assert_string_equal(r->strategy, "user");
    assert_int_equal(r->counts.residual_calls, 0);
    assert_int_equal(r->stats.residual_calls.jacobian + r->stats.residual_calls.pattern, 0);
    assert_int_equal(r->counts.evaluations_dense + r->counts.evaluations_coloured, 0);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x)
{
    qsort(x, SAMPLES, sizeof *x, compare_doubles);
    return x[SAMPLES / 2];
}

/* Medians over nearby tolerances: all residual calls, and how far off the end is. */
static void medians(const char *model, int by_user, double *calls, double *error)
{
    double all_calls[SAMPLES], all_errors[SAMPLES];
    for (int s = 0; s < SAMPLES; s++) {
        given k = {.off = 0};
        outcome r = run(model, NULL, by_user ? &k : NULL, 1e-6 * pow(10, 0.05 * (s - SAMPLES / 2)));
        if (r.status < 0) fail_msg("%s", r.message);
        if (by_user) {
            check_that_nothing_was_differenced(&r);
            assert_int_equal(k.calls, r.counts.evaluations_user);
            assert_true(r.counts.evaluations_user >= r.stats.steps); /* at every attempt */
        }
        all_calls[s] = (double)r.stats.residual_calls.total;
        all_errors[s] = r.error;
    }
    *calls = median(all_calls);
    *error = median(all_errors);
}

/* Iterations that long steps ask for, where a kept dF/dy is not believed; 2 of 230 on the slider crank. */
enum { SECOND_LOOKS = 2 };

static void differences_cost_at_most_a_quarter_more_than_given_derivatives_for_the_same_error(void **state)
{
    (void)state;
    for (int m = 0; m < N_MODELS; m++) {
        double by_user, calls, error_by_user, error;
        medians(models[m], 1, &by_user, &error_by_user);
        medians(models[m], 0, &calls, &error);
        print_message(
            "  %-12s %5.0f calls by differences, %5.0f with given derivatives, ratio %.2f; errors %.2e, %.2e\n",
            models[m], calls, by_user, calls / by_user, error, error_by_user);
        assert_true(calls <= 1.25 * by_user + SECOND_LOOKS);
        assert_true(error <= 1.25 * error_by_user);
    }
}

/* The iteration suffers, J does not become another one. What ends well has three figures at least. */
static void wrong_derivatives_are_never_replaced(void **state)
{
    (void)state;
    static const double off[] = {0.1, 10, 1e4};
    given right = {.off = 0};
    outcome best = run("andrews", NULL, &right, 0);
    assert_true(best.is_the_users);
    for (int i = 0; i < 3; i++) {
        given k = {.off = off[i]};
        outcome r = run("andrews", NULL, &k, 0);
        print_message("  off by %g: %s, %ld calls (right: %ld), %ld failed iterations, error %.1e (%.1e) %s\n", off[i],
                      resida_status_name(r.status), r.stats.residual_calls.total, best.stats.residual_calls.total,
                      r.stats.newton_fails, r.error, best.error, r.message);
        check_that_nothing_was_differenced(&r);
        assert_true(r.is_the_users);
        assert_true(r.status < 0 ? strlen(r.message) > 0 : r.error < 1e-2);
    }
}

static void what_the_callback_says_is_passed_on_by_name(void **state)
{
    (void)state;
    static const struct {
        int verdict;
        resida_status status;
    } cases[] = {{1, RESIDA_ERR_USER_REPEATED}, {-1, RESIDA_ERR_USER}, {0, RESIDA_ERR_NONFINITE}};
    for (int i = 0; i < 3; i++) {
        given k = {.verdict = cases[i].verdict, .fail_at = 20, .spoil = cases[i].verdict ? 0 : NAN};
        outcome r = run("pendulum", NULL, &k, 0);
        assert_int_equal(r.status, cases[i].status);
        assert_non_null(strstr(r.message, "derivatives"));
        if (cases[i].verdict == 0) assert_non_null(strstr(r.message, "component 3"));
        assert_true(cases[i].verdict >= 0 || k.calls == k.fail_at);
    }
}

/* Robertson's kinetics with its J. */
typedef struct kinetics {
    const resida_dae *d;
    double off; /* added to entry (1, 1) of J, relative to itself */
    int verdict, fail_at;
    double spoil;
    long calls;
    double J[9];
} kinetics;

static int kinetics_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                             void *user)
{
    const kinetics *k = user;
    return k->d->residual(t, y, yp, e, r, k->d->user);
}

static int kinetics_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                             double *J, void *user)
{
    (void)t, (void)yp, (void)e;
    const double k1 = 0.04, k2 = 1e4, k3 = 3e7;
    kinetics *k = user;
    k->calls++;
    J[0] = alpha + k1, J[1] = -k2 * y[2], J[2] = -k2 * y[1];
    J[3] = -k1, J[4] = alpha + k2 * y[2] + 2 * k3 * y[1], J[5] = k2 * y[1];
    J[6] = J[7] = J[8] = 1;
    J[4] *= 1 + k->off;
    memcpy(k->J, J, sizeof k->J);
    if (k->fail_at == 0 || k->calls < k->fail_at) return 0;
    J[5] += k->spoil;
    return k->verdict;
}

/* To t = 40; J column by column at the end in the engine is that of the callback. */
static outcome run_kinetics(kinetics *k, const char *strategy)
{
    bench b;
    outcome r = {.stats.size = sizeof r.stats};
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_message why = {""};
    resida_solver_options o;
    resida_state state;
    resida_jacobian_matrix J;
    double y[3];
    bench_open(&b, "robertson", NULL);
    resida_dae d = b.model.dae;
    k->d = &b.model.dae;
    d.user = k;
    d.residual = kinetics_residual;
    if (!strategy) d.jacobian = kinetics_jacobian;
    if (resida_problem_create_dae(&problem, &d, NULL, &why) < 0) fail_msg("%s", why.text);
    resida_solver_options_init(&o);
    o.rtol = 1e-6, o.atol = 1e-10;
    o.max_residuals = BUDGET;
    if (strategy) o.jacobian = strategy;
    if (resida_solver_create(&solver, problem, &o, &why) < 0) fail_msg("%s", why.text);
    strcpy(r.strategy, resida_jacobian_strategy(resida_solver_jacobian(solver)));
    assert_int_equal(resida_solver_start_dae(solver, 0, b.model.y0, b.model.yp0), RESIDA_OK);
    r.status = resida_solver_advance(solver, 40);
    strcpy(r.message, resida_solver_message(solver));
    assert_int_equal(resida_solver_state(solver, &state), RESIDA_OK);
    assert_int_equal(b.model.reference(&b.model, 40, y, NULL, NULL), 0);
    for (int i = 0; i < 3; i++) r.error = fmax(r.error, fabs(state.y[i] - y[i]) / y[i]);
    assert_int_equal(resida_solver_stats(solver, &r.stats), RESIDA_OK);
    assert_int_equal(resida_jacobian_get_counts(resida_solver_jacobian(solver), &r.counts), RESIDA_OK);
    r.is_the_users = resida_jacobian_get_matrix(resida_solver_jacobian(solver), &J) == RESIDA_OK && J.nnz == 9;
    for (int c = 0; r.is_the_users && c < 3; c++)
        for (int i = 0; i < 3; i++) r.is_the_users &= J.values[3 * c + i] == k->J[3 * i + c];
    resida_solver_free(solver);
    resida_problem_free(problem);
    bench_close(&b);
    return r;
}

static void a_dae_with_its_J_is_differenced_nowhere(void **state)
{
    (void)state;
    kinetics k = {.off = 0}, other = {.off = 0};
    outcome r = run_kinetics(&k, NULL), dense = run_kinetics(&other, "dense");
    print_message("  error %.1e, with differences %.1e; %ld calls, %ld\n", r.error, dense.error,
                  r.stats.residual_calls.total, dense.stats.residual_calls.total);
    if (r.status < 0) fail_msg("%s", r.message);
    check_that_nothing_was_differenced(&r);
    assert_true(r.is_the_users);
    assert_int_equal(other.calls, 0);
    assert_true(r.error <= 2 * dense.error);
}

static void a_wrong_J_of_a_dae_is_kept_and_the_run_says_why_it_ends(void **state)
{
    (void)state;
    static const double off[] = {0.3, -0.9, 20};
    for (int i = 0; i < 3; i++) {
        kinetics k = {.off = off[i]};
        outcome r = run_kinetics(&k, NULL);
        print_message("  off by %g: %s, %ld calls, error %.1e %s\n", off[i], resida_status_name(r.status),
                      r.stats.residual_calls.total, r.error, r.message);
        check_that_nothing_was_differenced(&r);
        assert_true(r.is_the_users);
        assert_true(r.status < 0 ? strlen(r.message) > 0 : r.error < 1e-2);
    }
}

static void what_the_jacobian_of_a_dae_says_is_passed_on_by_name(void **state)
{
    (void)state;
    static const struct {
        int verdict;
        resida_status status;
    } cases[] = {{1, RESIDA_ERR_USER_REPEATED}, {-1, RESIDA_ERR_USER}, {0, RESIDA_ERR_NONFINITE}};
    for (int i = 0; i < 3; i++) {
        kinetics k = {.verdict = cases[i].verdict, .fail_at = 20, .spoil = cases[i].verdict ? 0 : NAN};
        outcome r = run_kinetics(&k, NULL);
        assert_int_equal(r.status, cases[i].status);
        assert_non_null(strstr(r.message, "jacobian"));
        if (cases[i].verdict == 0) assert_non_null(strstr(r.message, "component 5"));
        assert_true(cases[i].verdict >= 0 || k.calls == k.fail_at);
    }
}

/* "auto" is "user" here. What bends constraints is differenced all the same. */
static void options_without_effect_on_given_derivatives_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *model, *jacobian;
        int threads, max_age;
        resida_differences differences;
        const char *says; /* NULL: it is good */
    } cases[] = {{"pendulum", "auto", 2, 0, RESIDA_DIFFERENCES_FORWARD, "threads = 2 has no effect"},
                 {"pendulum", "user", 2, 0, RESIDA_DIFFERENCES_CENTRAL, "threads = 2 has no effect"},
                 {"pendulum", "auto", 1, 0, RESIDA_DIFFERENCES_CENTRAL, NULL},
                 {"pendulum", "fresh", 2, 0, RESIDA_DIFFERENCES_CENTRAL, NULL},
                 {"chain", "auto", 1, 0, RESIDA_DIFFERENCES_CENTRAL, "differences = central has no effect"},
                 {"chain", "user", 1, 0, RESIDA_DIFFERENCES_CENTRAL, "differences = central has no effect"},
                 {"chain", "dense", 1, 0, RESIDA_DIFFERENCES_CENTRAL, NULL},
                 {"chain", "auto", 1, 3, RESIDA_DIFFERENCES_FORWARD, "max_age = 3 has no effect here"},
                 {"chain", "fresh", 1, 3, RESIDA_DIFFERENCES_FORWARD, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        given k = {.off = 0};
        bench b;
        resida_problem *problem;
        resida_solver *solver;
        resida_solver_options o;
        resida_message why = {""};
        bench_open(&b, cases[i].model, NULL);
        resida_mechanism m = with_derivatives(&k, &b);
        m.thread_safe = 1;
        if (m.n_g == 0) m.constraint = m.constraint_matrix = m.velocity_bias = NULL, m.acceleration_bias = NULL;
        assert_int_equal(resida_problem_create(&problem, &m, NULL, NULL), RESIDA_OK);
        resida_solver_options_init(&o);
        o.jacobian = cases[i].jacobian, o.threads = cases[i].threads, o.differences = cases[i].differences;
        o.max_age = cases[i].max_age;
        const resida_status status = resida_solver_create(&solver, problem, &o, &why);
        if (status != (cases[i].says ? RESIDA_ERR_OPTION : RESIDA_OK) ||
            (cases[i].says && !strstr(why.text, cases[i].says)))
            fail_msg("%zu: %s", i, why.text);
        resida_solver_free(solver);
        resida_problem_free(problem);
        bench_close(&b);
    }
}

/* a + LEAN v = 0; how often in a row the residual was called at the same time. */
typedef struct slow {
    double t;
    int in_a_row, most;
} slow;
#define LEAN 1e4

static int slow_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                         double *r, void *user)
{
    slow *s = user;
    (void)p, (void)e;
    s->in_a_row = t == s->t ? s->in_a_row + 1 : 1;
    s->t = t;
    if (t > 0 && s->in_a_row > s->most) s->most = s->in_a_row;
    r[0] = a[0] + LEAN * v[0];
    return 0;
}

static int unit_mass(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    (void)t, (void)p, (void)e, (void)user;
    M[0] = 1;
    return 0;
}

static int slow_derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                            const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    (void)t, (void)p, (void)v, (void)a, (void)lam, (void)e, (void)Phi_lam, (void)user;
    Phi_p[0] = 0;
    Phi_v[0] = 3 * LEAN; /* so that each correction leaves up to two thirds */
    return 0;
}

static void an_attempt_takes_four_corrections_at_most(void **state)
{
    (void)state;
    slow counted = {.t = -1};
    const double p0 = 0, v0 = 1;
    resida_mechanism m;
    resida_problem *problem;
    resida_solver *solver;
    resida_solver_options o;
    resida_message why = {""};
    resida_mechanism_init(&m);
    m.n_p = m.n_v = 1;
    m.residual = slow_residual;
    m.mass_matrix = unit_mass;
    m.derivatives = slow_derivatives;
    m.user = &counted;
    resida_solver_options_init(&o);
    o.jacobian = "user";
    if (resida_problem_create(&problem, &m, NULL, &why) != RESIDA_OK) fail_msg("%s", why.text);
    if (resida_solver_create(&solver, problem, &o, &why) != RESIDA_OK) fail_msg("%s", why.text);
    assert_int_equal(resida_solver_start(solver, 0, &p0, &v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(solver, 0.1), RESIDA_OK);
    assert_int_equal(counted.most, 4);
    resida_solver_free(solver);
    resida_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_cost_at_most_a_quarter_more_than_given_derivatives_for_the_same_error),
        cmocka_unit_test(wrong_derivatives_are_never_replaced),
        cmocka_unit_test(what_the_callback_says_is_passed_on_by_name),
        cmocka_unit_test(a_dae_with_its_J_is_differenced_nowhere),
        cmocka_unit_test(a_wrong_J_of_a_dae_is_kept_and_the_run_says_why_it_ends),
        cmocka_unit_test(options_without_effect_on_given_derivatives_are_refused),
        cmocka_unit_test(what_the_jacobian_of_a_dae_says_is_passed_on_by_name),
        cmocka_unit_test(an_attempt_takes_four_corrections_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
