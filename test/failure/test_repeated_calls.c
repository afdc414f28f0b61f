/* test_repeated_calls.c - a callback fails once, at each of its calls in turn, and the call of the library is repeated.
 *
 * What is derived from an accepted step is done once for it: integrals, the calls of `accepted`, sensitivities, events
 * and what the model makes of them. Where the callback belongs to that (root functions, integrands, accepted, event(),
 * output(), the residual of a problem that is moved), all of them, and the states, have the bits of a run without the
 * failure. Where it belongs to an attempt at a step (residual, constraints, excitation), the attempt is made again from
 * what the failed one has left of J and of the step size: states agree within tolerances, and each step is followed
 * once all the same. */
#include <math.h>
#include <string.h>

#include <resida/resida.h>

#include "test/fixtures/claims.h"
#include "test/fixtures/solver_fixture.h"

#define TOL   1e-6
#define END   2.0
#define KNOWN 1e-11 /* of t: where outputs of one solution by other bits agree */
enum { MOST = 40000, OUTPUTS = 20, MOST_CALLS = 100000, TRIES = 4 };

typedef enum callback {
    ON_RESIDUAL,
    ON_CONSTRAINT,
    ON_EXCITATION,
    ON_ROOT,
    ON_RATES,
    ON_ACCEPTED,
    ON_EVENT,
    ON_MOVED, /* residual of the moved problem */
    CALLBACKS
} callback;
static const char *const names[] = {"residual",    "constraint", "excitation", "root",
                                    "quadratures", "accepted",   "event",      "moved residual"};

/* Numbers as they come: what a run is compared by. */
typedef struct record {
    int n;
    double x[MOST];
} record;

static void note(record *r, const double *x, int n)
{
    assert_true(r->n + n <= MOST);
    memcpy(r->x + r->n, x, (size_t)n * sizeof *x);
    r->n += n;
}

static struct {
    long calls[CALLBACKS], fails_at;
    callback which;
    int has_failed;
    record steps, states; /* of accepted; of outputs and events, with integrals and sensitivities */
    int events, asked;    /* without those at steps; times that event() has answered */
    double end;           /* of the last step that was accepted */
} world;

/* -1 at the call that fails. */
static int fails(callback which)
{
    if (++world.calls[which] != world.fails_at || which != world.which) return 0;
    return world.has_failed = 1, -1;
}

/* --- A pendulum in the plane, driven, and a switch where it passes below its support --- */

static double gravity = 9.81, moved_gravity = 9.81 * (1 + 1e-7);

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)t, (void)p, (void)v;
    r[0] = a[0] - e->u[0];
    r[1] = a[1] + *(const double *)user;
    return fails(user == &gravity ? ON_RESIDUAL : ON_MOVED);
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t, (void)e;
    g[0] = (p[0] * p[0] + p[1] * p[1] - 1) / 2;
    return user == &gravity ? fails(ON_CONSTRAINT) : 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = sin(3 * t), ud[0] = 3 * cos(3 * t), udd[0] = -9 * sin(3 * t);
    return user == &gravity ? fails(ON_EXCITATION) : 0;
}

static int root(double t, const double *p, const double *v, const resida_excitation *e, double *r, void *user)
{
    (void)t, (void)v, (void)e;
    r[0] = p[0];
    return user == &gravity ? fails(ON_ROOT) : 0;
}

/* 1, whose integral is t, and the work of gravity. */
static int rates(const resida_state *at, double *rate, void *user)
{
    (void)user;
    rate[0] = 1;
    rate[1] = -9.81 * at->v[1];
    return fails(ON_RATES);
}

static int accepted(const resida_step *s, void *user)
{
    (void)user;
    const double x[] = {s->t, s->h, (double)s->order, s->at.p[0], s->at.v[0]};
    if (fails(ON_ACCEPTED)) return -1;
    if (!(fabs(s->t - s->h - world.end) <= KNOWN)) fail_msg("a step from %g follows %g", s->t - s->h, world.end);
    world.end = s->t;
    note(&world.steps, x, 5);
    return 0;
}

/* Each 0.3 s a part of the speed is lost. */
static int event(const resida_model *m, resida_model_event *e)
{
    (void)m;
    if (e->kind == RESIDA_AT_START) return e->t_next = 0.3, 0;
    e->yp[0] *= 0.9, e->yp[1] *= 0.9;
    e->changed = e->kind == RESIDA_AT_TIME;
    if (fails(ON_EVENT)) return -1; /* with all of that done */
    if (e->kind == RESIDA_AT_TIME) e->t_next = e->t + 0.3;
    world.events += e->kind != RESIDA_AT_STEP;
    world.asked++;
    return 0;
}

static resida_model model_of(double *user)
{
    static const double p0[] = {1, 0}, v0[] = {0, 0};
    resida_model m = {.size = sizeof m, .mechanism = test_mechanism(), .p0 = p0, .v0 = v0, .t_end = END};
    m.mechanism.n_p = m.mechanism.n_v = 2, m.mechanism.n_g = 1, m.mechanism.n_u = 1, m.mechanism.n_root = 1;
    m.mechanism.residual = residual, m.mechanism.constraint = constraint;
    m.mechanism.excitation = excitation, m.mechanism.root = root;
    m.mechanism.user = user;
    return m;
}

/* --- A run, with each call repeated that fails --- */

typedef struct setting {
    const char *method;
    double step;
    int by_run, with_sensitivity; /* 1: events of the model; 1: by gravity */
    int by_steps;                 /* 1: event() is called at each step */
    int has_contact;              /* 1: a wall at p[0] = 0, in the place of event() */
} setting;

typedef struct trial {
    resida_model model, moved;
    resida_problem *problem, *moved_problem;
    resida_solver *solver;
    resida_run *run;
} trial;

static resida_status again(const trial *x, resida_status (*call)(const trial *, double), double t)
{
    resida_status status = RESIDA_OK;
    for (int i = 0; i < TRIES; i++) {
        status = call(x, t);
        if (status >= 0) return status;
        if (status != RESIDA_ERR_USER || !resida_solver_message(x->solver)[0])
            fail_msg("%s: '%s'", resida_status_name(status), resida_solver_message(x->solver));
    }
    fail_msg("%s at call %ld: %s", names[world.which], world.fails_at, resida_solver_message(x->solver));
    return status;
}

static resida_status start(const trial *x, double t)
{
    if (x->run) return resida_run_start(x->run, NULL, NULL);
    return resida_solver_start(x->solver, t, x->model.p0, x->model.v0, NULL, NULL);
}

static resida_status advance(const trial *x, double t)
{
    return x->run ? resida_run_advance(x->run, t) : resida_solver_advance(x->solver, t);
}

static resida_status integrals(const trial *x, double t)
{
    double q[2];
    const resida_status status = resida_solver_quadratures(x->solver, q);
    if (status >= 0 && fabs(q[0] - t) > KNOWN) fail_msg("the integral of 1 is %.15g at t = %.15g", q[0], t);
    if (status >= 0) note(&world.states, q, 2);
    return status;
}

static void look(const trial *x, int with_sensitivity)
{
    const resida_state at = test_state(x->solver);
    resida_state s;
    note(&world.states, &at.t, 1);
    note(&world.states, at.p, 2);
    note(&world.states, at.v, 2);
    (void)again(x, integrals, at.t);
    if (!with_sensitivity) return;
    assert_int_equal(resida_solver_sensitivity(x->solver, 0, &s), RESIDA_OK);
    note(&world.states, s.p, 2);
    note(&world.states, s.v, 2);
}

static const double restitution[] = {0.8};
static const resida_model_contacts wall = {.size = sizeof wall, .n = 1, .restitution = restitution};

static void make(trial *x, const setting *how)
{
    resida_solver_options o = test_solver_options();
    x->model = model_of(&gravity), x->moved = model_of(&moved_gravity);
    if (how->by_run && !how->has_contact) x->model.event = event, x->model.asks_steps = how->by_steps;
    if (how->has_contact) x->model.contacts = &wall;
    o.method = how->method, o.step = how->step, o.rtol = o.atol = TOL, o.accepted = accepted;
    test_solver_make(&x->problem, &x->solver, &x->model.mechanism, NULL, &o);
    assert_int_equal(resida_solver_set_quadratures(x->solver, 2, rates, NULL), RESIDA_OK);
    if (how->with_sensitivity) {
        resida_sensitivity by;
        resida_sensitivity_init(&by);
        assert_int_equal(resida_problem_create(&x->moved_problem, &x->moved.mechanism, NULL, NULL), RESIDA_OK);
        by.moved = x->moved_problem, by.delta = moved_gravity - gravity, by.scale = gravity;
        assert_int_equal(resida_solver_set_sensitivities(x->solver, 1, &by), RESIDA_OK);
    }
    if (how->by_run) assert_int_equal(resida_run_create(&x->run, &x->model, x->solver, NULL), RESIDA_OK);
}

static void go(const setting *how, callback which, long fails_at)
{
    trial x = {.run = NULL};
    memset(&world, 0, sizeof world);
    make(&x, how);
    (void)again(&x, start, 0);
    world.which = which, world.fails_at = fails_at + world.calls[which];
    for (int k = 1; k <= OUTPUTS; k++) {
        while (again(&x, advance, END * k / OUTPUTS) == RESIDA_EVENT) {
            world.events += !how->by_run || how->has_contact;
            if (how->has_contact) world.end = test_state(x.solver).t; /* started again there */
            look(&x, how->with_sensitivity);
        }
        look(&x, how->with_sensitivity);
    }
    resida_run_free(x.run);
    test_solver_free(x.solver, x.problem);
    resida_problem_free(x.moved_problem);
}

static int same(const record *a, const record *b)
{
    return a->n == b->n && memcmp(a->x, b->x, (size_t)a->n * sizeof *a->x) == 0;
}

static double distance(const record *a, const record *b)
{
    double most = a->n == b->n ? 0 : INFINITY;
    for (int i = 0; i < a->n && i < b->n; i++) most = fmax(most, fabs(a->x[i] - b->x[i]));
    return most;
}

/* Fail each call of a callback after the start, all of the first ones and then each `stride`-th; *trials counts. */
static void fail_each(const setting *how, callback which, int same_bits, double tolerance, int stride, long *trials)
{
    static record steps, states;
    go(how, which, -1);
    steps = world.steps, states = world.states;
    const int events = world.events, asked = world.asked;
    assert_true(events >= 2);
    for (long k = 1;; k += k < 60 ? 1 : stride) {
        go(how, which, k);
        if (!world.has_failed) return;
        ++*trials;
        int is_right = distance(&states, &world.states) < tolerance;
        if (same_bits) is_right = same(&steps, &world.steps) && same(&states, &world.states) && asked == world.asked;
        if (!is_right || events != world.events)
            fail_msg("%s%s, %s fails at call %ld: %d events, not %d; steps %d, not %d; states off by %g", how->method,
                     how->by_run ? " by run" : "", names[which], k, world.events, events, world.steps.n / 5,
                     steps.n / 5, distance(&states, &world.states));
    }
}

static const setting settings[] = {{"bdf", 0, 0, 0, 0, 0},           {"bdf", 0, 1, 0, 0, 0},
                                   {"bdf", 0, 1, 0, 1, 0},           {"bdf", 0, 1, 0, 0, 1},
                                   {"bdf2", 0.01, 1, 0, 0, 0},       {"generalized-alpha", 0.01, 0, 0, 0, 0},
                                   {"radau-iia-2", 0.02, 1, 0, 0, 0}};
static const setting with_sensitivity = {"bdf", 0, 0, 1, 0, 0};

CLAIM(what_follows_a_step_is_repeated_with_the_same_bits)
{
    const callback which[] = {ON_ROOT, ON_RATES, ON_ACCEPTED, ON_EVENT};
    long trials = 0;
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
        for (size_t c = 0; c < sizeof which / sizeof *which; c++)
            if (which[c] != ON_EVENT || (settings[s].by_run && !settings[s].has_contact))
                fail_each(&settings[s], which[c], 1, 0, 7, &trials);
    print_message("  %ld failures\n", trials);
    assert_true(trials > 500);
}

CLAIM(sensitivities_are_carried_over_each_step_once)
{
    long trials = 0;
    fail_each(&with_sensitivity, ON_RATES, 1, 0, 7, &trials);
    fail_each(&with_sensitivity, ON_ROOT, 1, 0, 7, &trials);
    fail_each(&with_sensitivity, ON_MOVED, 0, 1e3 * TOL, 7, &trials);
    fail_each(&with_sensitivity, ON_RESIDUAL, 0, 1e3 * TOL, 17, &trials);
    print_message("  %ld failures\n", trials);
}

CLAIM(attempts_at_steps_are_repeated_within_tolerances)
{
    const callback which[] = {ON_RESIDUAL, ON_CONSTRAINT, ON_EXCITATION};
    long trials = 0;
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
        for (size_t c = 0; c < sizeof which / sizeof *which; c++)
            fail_each(&settings[s], which[c], 0, 100 * TOL, 29, &trials);
    print_message("  %ld failures\n", trials);
}
