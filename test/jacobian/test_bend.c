/* Renewals of what costs no residual call wait as long as it hardly moves: the engine by itself, on a system whose
 * parts move at known speeds, and mechanisms whose constraints are straight, bent, bent a little, and bent all of a
 * sudden.
 *
 * For comparison each attempt is made to begin with a renewal: the monitor, which is asked before every attempt, spoils
 * the engine's memory of how fast constraints bend. */
#include "jacobian/engine_impl.h"
#include "src/solver/solver_impl.h"

#include "test/fixtures/bench_fixture.h"
#include "jacobian_fixture.h"

#include <string.h>

#define FIFTIETH 0.02 /* of a row, resida/jacobian.h */

/* F_0 = yp_0 + y_0, F_1 = c(t) y_0 + m(t) yp_1 + 3 y_1: the first and the last term of each are dear. */
typedef struct moving {
    double c_rate, m_rate;
} moving;

static double c_at(const moving *q, double t)
{
    return 2 + q->c_rate * t;
}

static double m_at(const moving *q, double t)
{
    return 1 + q->m_rate * t;
}

static int dear(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)yp, (void)user;
    r[0] = y[0];
    r[1] = 3 * y[1];
    return 0;
}

static int cheap(double t, const double *y, const double *yp, double *r, void *user)
{
    const moving *q = user;
    r[0] = yp[0];
    r[1] = c_at(q, t) * y[0] + m_at(q, t) * yp[1];
    return 0;
}

static int whole(double t, const double *y, const double *yp, double *r, void *user)
{
    double more[2];
    dear(t, y, yp, r, user);
    cheap(t, y, yp, more, user);
    for (int i = 0; i < 2; i++) r[i] += more[i];
    return 0;
}

static int known(double t, const double *y, const double *yp, double *dy, double *dyp, void *user)
{
    (void)y, (void)yp, (void)dy;
    dyp[0] = 1;
    dyp[1] = m_at(user, t);
    return 0;
}

static int derivative(double t, double alpha, const double *y, const double *yp, double *values, void *user)
{
    (void)t, (void)alpha, (void)y, (void)yp, (void)user;
    values[0] = 1;
    values[1] = 3;
    return 0;
}

static const int both[] = {0, 1};
static const unsigned char columns[] = {RESIDA_COLUMN_DEAR | RESIDA_COLUMN_CHEAP, RESIDA_COLUMN_DEAR},
                           straight[] = {RESIDA_COLUMN_DEAR, RESIDA_COLUMN_DEAR};

static resida_system system_of(moving *q)
{
    resida_system s;
    resida_system_init(&s);
    s.n = s.n_yp = s.n_dear = 2;
    s.user = q;
    s.F = whole;
    s.dear = dear;
    s.cheap = cheap;
    s.yp_row = s.yp_column = s.dear_row = s.dear_column = both;
    s.known = known;
    s.columns = columns;
    return s;
}

static const double weights[] = {20, 5};
enum { ALPHA = 10 };

/* A setup at t, that must be an update unless it is the first one, or an evaluation is asked for. */
static void set_up(resida_jacobian *j, moving *q, double t, resida_setup_reason reason)
{
    const double y[] = {1, 2}, yp[] = {0.5, -1};
    double F[2];
    whole(t, y, yp, F, q);
    resida_jacobian_point at = {.t = t, .alpha = ALPHA, .h = 0.1, .y = y, .yp = yp, .F = F, .weights = weights};
    int current;
    assert_int_equal(resida_jacobian_setup(j, reason, &at, &current), 0);
    assert_int_equal(rsd_engine_is_new(j), reason == RESIDA_SETUP_FIRST || reason == RESIDA_SETUP_OTHER);
}

/* How fast row 1 moves, of what it was at t: entries over weights, over the largest of them. */
static double speed(const moving *q, double t)
{
    double size = fmax(c_at(q, t) / weights[0], (3 + ALPHA * m_at(q, t)) / weights[1]);
    return fmax(fabs(q->c_rate) / weights[0], ALPHA * fabs(q->m_rate) / weights[1]) / size;
}

/* Not due a little before t + wait, due a little after; in either direction. */
static void check_wait(const resida_jacobian *j, double t, double wait)
{
    for (int direction = -1; direction <= 1; direction += 2) {
        assert_false(rsd_engine_is_due(j, t));
        assert_false(rsd_engine_is_due(j, t + direction * 0.999 * wait));
        assert_true(rsd_engine_is_due(j, t + direction * 1.001 * wait));
    }
}

static void J_is_due_when_a_fiftieth_of_a_row_has_changed_at_the_speed_of_before(void **state)
{
    (void)state;
    static const moving kinds[] = {{3, 0}, {-0.1, 0}, {0, 0.02}, {0, -0.3}, {2, 0.01}};
    static const double times[] = {0.1, 0.15, 1, 0.9}; /* the last one is a step back */
    for (int k = 0; k < 5; k++) {
        moving q = kinds[k];
        resida_system s = system_of(&q);
        resida_jacobian *j = open_system(&s, "fresh", NULL);
        set_up(j, &q, 0, RESIDA_SETUP_FIRST);
        assert_true(rsd_engine_is_due(j, 0) && rsd_engine_is_due(j, 1e-9)); /* nothing is known of its speed */
        for (int i = 0; i < 4; i++) {
            set_up(j, &q, times[i], RESIDA_SETUP_ATTEMPT);
            check_wait(j, times[i], FIFTIETH / speed(&q, i == 0 ? 0 : times[i - 1]));
        }
        resida_jacobian_free(j);
    }
}

static void what_does_not_move_is_never_due(void **state)
{
    (void)state;
    moving q = {0, 0};
    resida_system s = system_of(&q);
    resida_jacobian *j = open_system(&s, "fresh", NULL);
    set_up(j, &q, 0, RESIDA_SETUP_FIRST);
    set_up(j, &q, 0.1, RESIDA_SETUP_ATTEMPT);
    assert_false(rsd_engine_is_due(j, 1e4));
    resida_jacobian_free(j);
    q.m_rate = 1; /* the mass moves, but nothing is found by differences of constraints */
    s.columns = straight;
    j = open_system(&s, "fresh", NULL);
    set_up(j, &q, 0, RESIDA_SETUP_FIRST);
    assert_false(rsd_engine_is_due(j, 1e4));
    resida_jacobian_free(j);
}

/* An evaluation renews everything, so that the wait begins anew; an update of alpha alone does not. */
static void evaluations_begin_the_wait_anew_and_updates_of_alpha_do_not(void **state)
{
    (void)state;
    moving q = {1, 0};
    resida_system s = system_of(&q);
    resida_jacobian *j = open_system(&s, "fresh", NULL);
    set_up(j, &q, 0, RESIDA_SETUP_FIRST);
    set_up(j, &q, 0.1, RESIDA_SETUP_ATTEMPT);
    const double wait = FIFTIETH / speed(&q, 0);
    check_wait(j, 0.1, wait);
    set_up(j, &q, 0.1 + 0.9 * wait, RESIDA_SETUP_ALPHA);
    check_wait(j, 0.1, wait);
    set_up(j, &q, 0.1 + 0.9 * wait, RESIDA_SETUP_OTHER);
    check_wait(j, 0.1 + 0.9 * wait, wait);
    resida_jacobian_free(j);
}

static void a_reset_forgets(void **state)
{
    (void)state;
    moving q = {0, 0};
    resida_system s = system_of(&q);
    resida_jacobian *j = open_system(&s, "fresh", NULL);
    for (int k = 0; k < 2; k++) {
        set_up(j, &q, 0, RESIDA_SETUP_FIRST);
        assert_true(rsd_engine_is_due(j, 1e-9));
        set_up(j, &q, 0.1, RESIDA_SETUP_ATTEMPT);
        assert_false(rsd_engine_is_due(j, 1e4));
        resida_jacobian_reset(j);
        assert_true(rsd_engine_is_due(j, 0.1 + 1e-9));
    }
    resida_jacobian_free(j);
}

static void derivatives_are_always_due_and_strategies_that_do_not_renew_never(void **state)
{
    (void)state;
    for (int i = 0; i < N_EVERY_STRATEGY; i++) {
        moving q = {0, 0};
        resida_system s = system_of(&q);
        const char *name = every_strategy[i];
        int is_auto = strcmp(name, "auto") == 0, is_fresh = strcmp(name, "fresh") == 0;
        if (is_auto) s.derivative = derivative;
        resida_jacobian *j = open_system(&s, name, NULL);
        set_up(j, &q, 0, RESIDA_SETUP_FIRST);
        assert_int_equal(rsd_engine_is_due(j, 1), is_auto || is_fresh);
        set_up(j, &q, 0.1, RESIDA_SETUP_OTHER);
        assert_int_equal(rsd_engine_is_due(j, 1), is_auto || is_fresh);
        resida_jacobian_free(j);
    }
}

/* --- mechanisms --- */

/* What an integration took. always: renew at every attempt. */
typedef struct ride {
    resida_stats stats;
    double p[4];
} ride;

static int spoil(double t, void *user)
{
    resida_solver *const *solver = user;
    (void)t;
    resida_jacobian *engine = (*solver)->engine;
    rsd_bend_forget(&engine->bend, &engine->f);
    return 0;
}

/* The solver counts from one call to the next: at `between` (NULL: not asked), and at the end. */
static ride run(const resida_mechanism *m, const double *p0, const double *v0, double t_end, double tol, int always,
                double t_between, resida_stats *between)
{
    ride r = {.stats = {.size = sizeof r.stats}};
    resida_problem *problem;
    resida_solver *solver = NULL;
    resida_message why = {""};
    resida_solver_options o;
    resida_state state;
    if (resida_problem_create(&problem, m, NULL, &why) < 0) fail_msg("%s", why.text);
    resida_solver_options_init(&o);
    o.rtol = o.atol = tol;
    o.jacobian = "fresh";
    o.t_stop = t_end;
    if (always) o.monitor = spoil;
    o.monitor_user = &solver;
    if (resida_solver_create(&solver, problem, &o, &why) < 0) fail_msg("%s", why.text);
    if (resida_solver_start(solver, 0, p0, v0, NULL, NULL) < 0) fail_msg("%s", resida_solver_message(solver));
    if (between) {
        if (resida_solver_advance(solver, t_between) < 0) fail_msg("%s", resida_solver_message(solver));
        *between = (resida_stats){.size = sizeof *between};
        assert_int_equal(resida_solver_stats(solver, between), RESIDA_OK);
    }
    if (resida_solver_advance(solver, t_end) < 0) fail_msg("%s", resida_solver_message(solver));
    assert_int_equal(resida_solver_stats(solver, &r.stats), RESIDA_OK);
    assert_int_equal(resida_solver_state(solver, &state), RESIDA_OK);
    for (int i = 0; i < 4 && i < m->n_p; i++) r.p[i] = state.p[i];
    resida_solver_free(solver);
    resida_problem_free(problem);
    return r;
}

static ride run_model_at(const char *name, const bench_setting *settings, double t_end, double tol, int always)
{
    bench b;
    bench_open(&b, name, settings);
    ride r = run(b.m, b.model.p0, b.model.v0, t_end, tol, always, 0, NULL);
    bench_close(&b);
    return r;
}

/* Three masses on springs of their own, the third one driven; they move with p_0 + 2 p_1 - p_2 = 0. */
static int straight_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                             double *r, void *user)
{
    static const double stiffness[] = {40, 25, 60};
    (void)e, (void)user;
    for (int i = 0; i < 3; i++) r[i] = (i + 1) * a[i] + stiffness[i] * p[i] + 0.3 * v[i];
    r[2] -= 5 * sin(3 * t);
    return 0;
}

static int straight_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t, (void)e, (void)user;
    g[0] = p[0] + 2 * p[1] - p[2];
    return 0;
}

static int straight_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    (void)t, (void)p, (void)e, (void)user;
    G[0] = 1;
    G[1] = 2;
    G[2] = -1;
    return 0;
}

static int straight_mass(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    (void)t, (void)p, (void)e, (void)user;
    for (int i = 0; i < 3; i++) M[4 * i] = i + 1;
    for (int i = 0; i < 3; i++) M[3 * i + (i + 1) % 3] = M[3 * i + (i + 2) % 3] = 0;
    return 0;
}

static void straight_constraints_are_renewed_once(void **state)
{
    (void)state;
    static const double p0[] = {0.1, 0, 0.1}, v0[3] = {0};
    resida_mechanism m;
    resida_mechanism_init(&m);
    m.n_p = m.n_v = 3;
    m.n_g = 1;
    m.residual = straight_residual;
    m.mass_matrix = straight_mass;
    m.constraint = straight_constraint;
    m.constraint_matrix = straight_matrix;
    ride r = run(&m, p0, v0, 10, 1e-6, 0, 0, NULL), always = run(&m, p0, v0, 10, 1e-6, 1, 0, NULL);
    print_message("  straight: %ld renewals in %ld attempts, %ld with a new alpha; always %ld of %ld\n",
                  r.stats.jacobian_updates.blocks, r.stats.step_attempts, r.stats.jacobian_updates.alpha,
                  always.stats.jacobian_updates.blocks, always.stats.step_attempts);
    assert_true(r.stats.step_attempts > 200);
    assert_true(r.stats.jacobian_updates.blocks <= 1);
    assert_true(r.stats.jacobian_updates.alpha > 1);
    assert_true(always.stats.jacobian_updates.blocks > always.stats.step_attempts * 9 / 10);
}

static void a_pendulum_is_renewed_at_nearly_each_attempt(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        ride r = run_model_at("pendulum", NULL, 10, i ? 1e-3 : 1e-4, 0);
        print_message("  pendulum: %ld renewals in %ld attempts\n", r.stats.jacobian_updates.blocks,
                      r.stats.step_attempts);
        assert_true(r.stats.jacobian_updates.blocks >= r.stats.step_attempts * 3 / 4);
    }
}

static void a_crank_that_bends_a_little_waits_and_costs_the_same_calls(void **state)
{
    (void)state;
    long attempts = 0, blocks = 0, factorisations[2] = {0}, calls[2] = {0};
    for (int k = 0; k < 5; k++)
        for (int always = 0; always < 2; always++) {
            ride r = run_model_at("slider-crank-flexible", NULL, 0.02, 1e-6 * pow(10, 0.2 * k), always);
            calls[always] += r.stats.residual_calls.total;
            factorisations[always] += r.stats.factorisations;
            if (always) continue;
            attempts += r.stats.step_attempts;
            blocks += r.stats.jacobian_updates.blocks;
        }
    print_message("  crank: %ld renewals in %ld attempts; %ld residual calls, %ld factorisations; always %ld, %ld\n",
                  blocks, attempts, calls[0], factorisations[0], calls[1], factorisations[1]);
    assert_true(3 * blocks <= attempts);
    assert_true((double)calls[0] <= 1.05 * (double)calls[1] && (double)calls[0] >= 0.9 * (double)calls[1]);
    assert_true(factorisations[0] < factorisations[1]);
}

/* --- a bead on a wire that is straight up to x = 1 and a parabola beyond, rounded over ROUNDED --- */

#define ROUNDED   0.02
#define CURVATURE 1.5
#define X_BEND    1.0

/* y(x) = c/2 r^2, r = d log(1 + exp((x - 1)/d)), and dy/dx = c r r' */
static double wire(double x, double *slope)
{
    double s = (x - X_BEND) / ROUNDED, r = ROUNDED * (s > 30 ? s : log1p(exp(s)));
    *slope = CURVATURE * r / (1 + exp(-s));
    return CURVATURE / 2 * r * r;
}

static int bead(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                void *user)
{
    (void)t, (void)p, (void)v, (void)e, (void)user;
    r[0] = 2 * a[0];
    r[1] = 2 * (a[1] + 9.81);
    return 0;
}

static int bead_mass(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    (void)t, (void)p, (void)e, (void)user;
    M[0] = M[3] = 2;
    M[1] = M[2] = 0;
    return 0;
}

static int bead_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t, (void)e, (void)user;
    double slope;
    g[0] = p[1] - wire(p[0], &slope);
    return 0;
}

static int bead_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    (void)t, (void)e, (void)user;
    wire(p[0], &G[0]);
    G[0] = -G[0];
    G[1] = 1;
    return 0;
}

static ride ride_the_bead(double t_end, double tol, int always, resida_stats *before)
{
    static const double p0[] = {0, 0}, v0[] = {3, 0};
    resida_mechanism m;
    resida_mechanism_init(&m);
    m.n_p = m.n_v = 2;
    m.n_g = 1;
    m.residual = bead;
    m.mass_matrix = bead_mass;
    m.constraint = bead_constraint;
    m.constraint_matrix = bead_matrix;
    return run(&m, p0, v0, t_end, tol, always, 0.2, before);
}

static void what_bends_all_of_a_sudden_is_noticed(void **state)
{
    (void)state;
    enum { T_END = 2, LOOSEST = 4, TIGHTEST = 8 };
    ride exact = ride_the_bead(T_END, 1e-11, 1, NULL);
    double worse = 0, calls[2] = {0};
    for (int k = LOOSEST; k <= TIGHTEST; k++) {
        resida_stats before;
        ride r = ride_the_bead(T_END, pow(10, -k), 0, &before), always = ride_the_bead(T_END, pow(10, -k), 1, NULL);
        double error = fabs(r.p[0] - exact.p[0]), best = fabs(always.p[0] - exact.p[0]);
        long renewals = r.stats.jacobian_updates.blocks - before.jacobian_updates.blocks;
        print_message(
            "  bead, 1e-%d: %ld renewals on the straight part, %ld beyond; calls %ld, always %ld; error %.1e, "
            "always %.1e\n",
            k, before.jacobian_updates.blocks, renewals, r.stats.residual_calls.total,
            always.stats.residual_calls.total, error, best);
        assert_true(before.jacobian_updates.blocks <= 5 && renewals > 20);
        assert_true(error < 200 * pow(10, -k));
        worse += log(error / best);
        calls[0] += (double)r.stats.residual_calls.total;
        calls[1] += (double)always.stats.residual_calls.total;
    }
    worse = exp(worse / (TIGHTEST - LOOSEST + 1));
    print_message("  %.3f times the calls, %.1f times the error\n", calls[0] / calls[1], worse);
    assert_true(calls[0] < 1.3 * calls[1] && worse < 10);
}

/* Somewhere else it may bend. */
static void a_new_start_knows_nothing_of_the_speed(void **state)
{
    (void)state;
    moving q = {0, 0};
    resida_system s = system_of(&q);
    resida_jacobian *j = open_system(&s, "fresh", NULL);
    set_up(j, &q, 0, RESIDA_SETUP_FIRST);
    set_up(j, &q, 0.1, RESIDA_SETUP_ATTEMPT);
    assert_false(rsd_engine_is_due(j, 1e4));
    set_up(j, &q, 0, RESIDA_SETUP_FIRST);
    assert_true(rsd_engine_is_due(j, 1e-9));
    resida_jacobian_free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(J_is_due_when_a_fiftieth_of_a_row_has_changed_at_the_speed_of_before),
        cmocka_unit_test(what_does_not_move_is_never_due),
        cmocka_unit_test(evaluations_begin_the_wait_anew_and_updates_of_alpha_do_not),
        cmocka_unit_test(a_reset_forgets),
        cmocka_unit_test(a_new_start_knows_nothing_of_the_speed),
        cmocka_unit_test(derivatives_are_always_due_and_strategies_that_do_not_renew_never),
        cmocka_unit_test(straight_constraints_are_renewed_once),
        cmocka_unit_test(a_pendulum_is_renewed_at_nearly_each_attempt),
        cmocka_unit_test(a_crank_that_bends_a_little_waits_and_costs_the_same_calls),
        cmocka_unit_test(what_bends_all_of_a_sudden_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
