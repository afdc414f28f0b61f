/* test_user_jacobian.c - derivatives of Phi that the model gives: they are used at each attempt and nothing is
 * differenced; they are never replaced, also when they are wrong; what their callback says is passed on by name. And
 * what differences cost compared with them. */
#include "given_derivatives.h"
#include "user_run.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/bench_fixture.h"

enum { SAMPLES = 41 };

static double end_error(const bench *b, const resida_state *state)
{
    double p[GIVEN_MAX], v[GIVEN_MAX], error = 0;
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
    resida_solver_options o = test_solver_options();
    bench *b = bench_make(model, NULL);
    resida_mechanism m = *b->m;
    if (k) m = given_derivatives(k, b);
    o.rtol = tol > 0 ? tol : b->model.rtol;
    o.atol = tol > 0 ? tol : b->model.atol;
    o.t_stop = b->model.t_end;
    o.max_residuals = USER_BUDGET;
    if (strategy) o.jacobian = strategy;
    resida_solver *solver = test_solver(&m, NULL, &o);
    assert_int_equal(resida_solver_start(solver, b->model.t0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    outcome r = user_run(solver, b->model.t_end);
    resida_state state = test_state(solver);
    r.error = r.status >= 0 ? end_error(b, &state) : NAN;
    if (k) r.is_the_users = is_the_users(solver, k);
    return r;
}

static const char *const models[] = {"pendulum", "andrews", "car-axis", "slider-crank"};
enum { N_MODELS = 4 };

static double median(double *x)
{
    qsort(x, SAMPLES, sizeof *x, bench_by_size);
    return x[SAMPLES / 2];
}

/* Medians over nearby tolerances: all residual calls, and how far off the end is. */
static void medians(const char *model, int by_user, double *calls, double *error)
{
    double all_calls[SAMPLES], all_errors[SAMPLES];
    for (int s = 0; s < SAMPLES; s++) {
        given k = {.off = 0};
        outcome r = run(model, NULL, by_user ? &k : NULL, 1e-6 * pow(10, 0.01 * (s - SAMPLES / 2)));
        if (r.status < 0) fail_msg("%s", r.message);
        if (by_user) {
            user_differenced_nothing(&r);
            assert_int_equal(k.calls, r.counts.evaluations_user);
            assert_true(r.counts.evaluations_user > 0 && r.counts.evaluations_user < r.stats.steps);
        }
        all_calls[s] = (double)r.stats.residual_calls.total;
        all_errors[s] = r.error;
    }
    *calls = median(all_calls);
    *error = median(all_errors);
}

/* Iterations that long steps ask for, where a kept dF/dy is not believed; 2 of 230 on the slider crank. */
enum { SECOND_LOOKS = 2 };

CLAIM(differences_cost_at_most_a_quarter_more_than_given_derivatives_for_the_same_error)
{
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

/* The iteration suffers, J does not become another one. */
CLAIM(wrong_derivatives_are_never_replaced)
{
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
        user_wrong_is_kept(&r);
    }
}

CLAIM(verdicts_of_the_callback_are_returned_with_its_name)
{
    for (int i = 0; i < USER_VERDICTS; i++) {
        given k = {.verdict = user_verdicts[i].verdict, .fail_at = 20, .spoil = user_verdicts[i].verdict ? 0 : NAN};
        outcome r = run("pendulum", NULL, &k, 0);
        user_passed_on(&r, &user_verdicts[i], "derivatives", "component 3", k.calls - k.fail_at);
    }
}

/* "auto" is "user" here. What bends constraints is differenced all the same. */
CLAIM(options_without_effect_on_given_derivatives_are_refused)
{
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
                 {"chain", "auto", 1, 3, RESIDA_DIFFERENCES_FORWARD, NULL},
                 {"chain", "fresh", 1, 3, RESIDA_DIFFERENCES_FORWARD, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        given k = {.off = 0};
        resida_solver *solver;
        resida_solver_options o = test_solver_options();
        resida_message why = {""};
        bench *b = bench_make(cases[i].model, NULL);
        resida_mechanism m = given_derivatives(&k, b);
        m.thread_safe = 1;
        if (m.n_g == 0) m.constraint = m.constraint_matrix = m.velocity_bias = NULL, m.acceleration_bias = NULL;
        resida_problem *problem = test_problem(&m, NULL);
        o.jacobian = cases[i].jacobian, o.threads = cases[i].threads, o.differences = cases[i].differences;
        o.max_age = cases[i].max_age;
        const resida_status status = resida_solver_create(&solver, problem, &o, &why);
        test_own_solver(solver);
        if (status != (cases[i].says ? RESIDA_ERR_OPTION : RESIDA_OK) ||
            (cases[i].says && !strstr(why.text, cases[i].says)))
            fail_msg("%zu: %s", i, why.text);
    }
}

/* a + LEAN v = 0; how often the residual was called at one time since J was set up there. */
typedef struct slow {
    double t;
    int in_a_row, most;
} slow;
#define LEAN 1e4

static int slow_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                         double *r, void *user)
{
    slow *s = user;
    s->in_a_row = t == s->t ? s->in_a_row + 1 : 1;
    s->t = t;
    if (t > 0 && s->in_a_row > s->most) s->most = s->in_a_row;
    r[0] = a[0] + LEAN * v[0];
    return 0;
}

static int slow_derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                            const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    ((slow *)user)->in_a_row = 0;
    Phi_p[0] = 0;
    Phi_v[0] = 3 * LEAN; /* so that each correction leaves up to two thirds */
    return 0;
}

CLAIM(one_J_serves_ten_corrections_at_most)
{
    slow counted = {.t = -1};
    const double p0 = 0, v0 = 1;
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    m.n_p = m.n_v = 1;
    m.residual = slow_residual;
    m.mass_matrix = small_unit_mass;
    m.derivatives = slow_derivatives;
    m.user = &counted;
    o.jacobian = "user", o.max_age = 1; /* else an attempt has one J after the other */
    resida_solver *solver = test_solver(&m, NULL, &o);
    assert_int_equal(resida_solver_start(solver, 0, &p0, &v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(solver, 0.1), RESIDA_OK);
    assert_in_range(counted.most, 4, 10);
}
