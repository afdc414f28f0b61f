/* test_repeated_calls.c - a callback fails once, at each of its calls in turn, and the call of the library is repeated.
 * It returns -1, or 1: then the library tries something else, or fails and the call is repeated, too.
 *
 * What is derived from an accepted step is done once for it: integrals, the calls of `accepted`, sensitivities, events
 * and what the model makes of them. Where the callback belongs to that (root functions, integrands, accepted, event(),
 * output(), the residual of a problem that is moved), all of them, and the states, have the bits of a run without the
 * failure. A callback of an attempt (residual, constraints, excitation) changes J and the step size: states agree
 * within tolerances, and each step is followed once. */
#include "test/fixtures/claims.h"
#include "test/fixtures/solver_fixture.h"

#define TOL   1e-6
#define END   2.0
#define KNOWN 1e-11 /* of t: where outputs of one solution by other bits agree */
enum { MOST = 40000, OUTPUTS = 20, MAX_CALLS = 100000, TRIES = 4 };

typedef enum callback {
    ON_RESIDUAL,
    ON_CONSTRAINT,
    ON_EXCITATION,
    ON_ROOT,
    ON_RATES,
    ON_ACCEPTED,
    ON_EVENT,
    ON_MOVED, /* residual of the moved problem */
    ON_MATRIX,
    ON_MASS,
    ON_JACOBIAN,
    ON_OUTPUT,
    ON_GAP_MATRIX,
    ON_GAP_RATE,
    CALLBACKS
} callback;
static const char *const names[] = {"residual",           "constraint",      "excitation", "root",
                                    "quadratures",        "accepted",        "event",      "moved residual",
                                    "constraint_matrix",  "mass_matrix",     "jacobian",   "output",
                                    "matrix of contacts", "rate of contacts"};

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
    int verdict; /* of the call that fails */
    int has_failed;
    record steps, states; /* of accepted; of outputs and events, with integrals and sensitivities */
    int events, asked;    /* without those at steps; times that event() has answered */
    double end;           /* of the last step that was accepted */
} world;

/* Not 0 at the call that fails. */
static int fails(callback which)
{
    if (++world.calls[which] != world.fails_at || which != world.which) return 0;
    return world.has_failed = 1, world.verdict;
}

/* --- A pendulum in the plane, driven, and a switch where it passes below its support --- */

static double gravity = 9.81, moved_gravity = 9.81 * (1 + 1e-7);

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    r[0] = a[0] - e->u[0];
    r[1] = a[1] + *(const double *)user;
    return fails(user == &gravity ? ON_RESIDUAL : ON_MOVED);
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = (p[0] * p[0] + p[1] * p[1] - 1) / 2;
    return user == &gravity ? fails(ON_CONSTRAINT) : 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    G[0] = p[0], G[1] = p[1];
    return fails(ON_MATRIX);
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    M[0] = M[3] = 1, M[1] = M[2] = 0;
    return fails(ON_MASS);
}

/* Of the gap p[0], which the wall does not move. */
static int gap_matrix(double t, const double *p, const resida_excitation *e, double *rows, void *user)
{
    rows[0] = 1, rows[1] = 0;
    return fails(ON_GAP_MATRIX);
}

static int gap_rate(double t, const double *p, const resida_excitation *e, double *rate, void *user)
{
    rate[0] = 0;
    return fails(ON_GAP_RATE);
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = sin(3 * t), ud[0] = 3 * cos(3 * t), udd[0] = -9 * sin(3 * t);
    return user == &gravity ? fails(ON_EXCITATION) : 0;
}

static int root(double t, const double *p, const double *v, const resida_excitation *e, double *r, void *user)
{
    r[0] = p[0];
    return user == &gravity ? fails(ON_ROOT) : 0;
}

/* 1, whose integral is t, and the work of gravity. */
static int rates(const resida_state *at, double *rate, void *user)
{
    rate[0] = 1;
    rate[1] = -9.81 * (at->v ? at->v[1] : at->y[1]);
    return fails(ON_RATES);
}

static int accepted(const resida_step *s, void *user)
{
    const double x[] = {s->t, s->h, (double)s->order, s->at.y[0], s->at.y[1]};
    if (fails(ON_ACCEPTED)) return -1;
    if (!(fabs(s->t - s->h - world.end) <= KNOWN)) fail_msg("a step from %g follows %g", s->t - s->h, world.end);
    world.end = s->t;
    note(&world.steps, x, 5);
    return 0;
}

/* Each 0.3 s a part of the speed is lost. */
static int event(const resida_model *m, resida_model_event *e)
{
    if (e->kind == RESIDA_AT_START) return e->t_next = 0.3, 0;
    e->yp[0] *= 0.9, e->yp[1] *= 0.9;
    e->changed = e->kind == RESIDA_AT_TIME;
    if (fails(ON_EVENT)) return -1; /* with all of that done */
    if (e->kind == RESIDA_AT_TIME) e->t_next = e->t + 0.3;
    world.events += e->kind != RESIDA_AT_STEP;
    world.asked++;
    return 0;
}

static int output(const resida_model *m, const resida_model_point *at, double *out)
{
    out[0] = at->p[0] * at->v[1];
    return fails(ON_OUTPUT);
}

/* --- The same pendulum as a general DAE of its angle, with what pulls at it as an algebraic component --- */

static int swing(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[2];
    r[2] = y[2] - 9.81 * sin(y[0]) - e->u[0] * cos(y[0]);
    return fails(ON_RESIDUAL);
}

static int swing_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                          double *J, void *user)
{
    const double all[] = {alpha, -1, 0, 0, alpha, 1, -9.81 * cos(y[0]) + e->u[0] * sin(y[0]), 0, 1};
    memcpy(J, all, sizeof all);
    return fails(ON_JACOBIAN);
}

static resida_dae dae_of_swing(void)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    resida_dae d = test_dae();
    d.n = 3, d.n_u = d.n_root = 1, d.kinds = kinds, d.user = &gravity;
    d.residual = swing, d.jacobian = swing_jacobian, d.root = root, d.excitation = excitation;
    return d;
}

/* --- A mechanism of the pendulum --- */

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
    int has_matrices;             /* 1: dg/dp, M, and rows of the contact are given, and outputs asked for */
    int is_dae;
} setting;

typedef struct trial {
    resida_model model, moved;
    resida_problem *problem, *moved_problem;
    resida_solver *solver;
    resida_run *run;
    int is_dae;
} trial;

static resida_status again(const trial *x, resida_status (*call)(const trial *, double), double t)
{
    resida_status status = RESIDA_OK;
    for (int i = 0; i < TRIES; i++) {
        status = call(x, t);
        if (status >= 0) return status;
        if ((status != RESIDA_ERR_USER && status != RESIDA_ERR_USER_REPEATED) || !resida_solver_message(x->solver)[0])
            fail_msg("%s: '%s'", resida_status_name(status), resida_solver_message(x->solver));
    }
    fail_msg("%s at call %ld: %s", names[world.which], world.fails_at, resida_solver_message(x->solver));
    return status;
}

static resida_status start(const trial *x, double t)
{
    static const double y0[] = {1.5, 0, 9.81};
    if (x->run) return resida_run_start(x->run, NULL, NULL);
    if (x->is_dae) return resida_solver_start_dae(x->solver, t, y0, NULL);
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
    note(&world.states, at.y, 2);
    if (at.v) note(&world.states, at.v, 2);
    (void)again(x, integrals, at.t);
    if (!with_sensitivity) return;
    assert_int_equal(resida_solver_sensitivity(x->solver, 0, &s), RESIDA_OK);
    note(&world.states, s.p, 2);
    note(&world.states, s.v, 2);
}

static const double restitution[] = {0.8};
static const resida_model_contacts wall = {.size = sizeof wall, .n = 1, .restitution = restitution};
static const resida_model_contacts given_wall = {
    .size = sizeof wall, .n = 1, .restitution = restitution, .matrix = gap_matrix, .rate = gap_rate};
static const char *const output_names[] = {"xy"};

static void give_matrices(resida_model *m)
{
    m->mechanism.constraint_matrix = constraint_matrix, m->mechanism.mass_matrix = mass_matrix;
    m->n_outputs = 1, m->output_names = output_names, m->output = output;
    if (m->contacts) m->contacts = &given_wall;
}

static void make(trial *x, const setting *how)
{
    resida_solver_options o = test_solver_options();
    x->model = model_of(&gravity), x->moved = model_of(&moved_gravity);
    if (how->by_run && !how->has_contact) x->model.event = event, x->model.asks_steps = how->by_steps;
    if (how->has_contact) x->model.contacts = &wall;
    if (how->has_matrices) give_matrices(&x->model);
    x->is_dae = how->is_dae;
    o.method = how->method, o.step = how->step, o.rtol = o.atol = TOL, o.accepted = accepted;
    const resida_dae d = dae_of_swing();
    if (how->is_dae)
        test_solver_make_dae(&x->problem, &x->solver, &d, NULL, &o);
    else
        test_solver_make(&x->problem, &x->solver, &x->model.mechanism, NULL, &o);
    assert_int_equal(resida_solver_set_quadratures(x->solver, 2, rates, NULL), RESIDA_OK);
    if (how->with_sensitivity) {
        resida_sensitivity by;
        resida_sensitivity_init(&by);
        x->moved_problem = test_problem(&x->moved.mechanism, NULL);
        by.moved = x->moved_problem, by.delta = moved_gravity - gravity, by.scale = gravity;
        assert_int_equal(resida_solver_set_sensitivities(x->solver, 1, &by), RESIDA_OK);
    }
    if (how->by_run) assert_int_equal(resida_run_create(&x->run, &x->model, x->solver, NULL), RESIDA_OK);
}

/* A call of `which` that fails: number k of those of the start, or of those after it; 0: none. */
typedef struct failure {
    callback which;
    int verdict, in_start;
    long k;
} failure;

static void arm(const failure *f)
{
    world.which = f->which, world.verdict = f->verdict;
    world.fails_at = f->k > 0 ? f->k + world.calls[f->which] : 0;
}

static void note_outputs(const trial *x)
{
    resida_happening last;
    if (x->run && resida_run_event(x->run, &last) >= 0 && last.outputs) note(&world.states, last.outputs, 1);
}

static void go(const setting *how, const failure *f)
{
    trial x = {.run = NULL};
    memset(&world, 0, sizeof world);
    make(&x, how);
    if (f->in_start) arm(f);
    (void)again(&x, start, 0);
    if (f->in_start && !world.has_failed) world.fails_at = 0; /* the start calls it less often */
    if (!f->in_start) arm(f);
    for (int k = 1; k <= OUTPUTS; k++) {
        while (again(&x, advance, END * k / OUTPUTS) == RESIDA_EVENT) {
            world.events += !how->by_run || how->has_contact;
            if (how->has_contact) world.end = test_state(x.solver).t; /* started again there */
            note_outputs(&x);
            look(&x, how->with_sensitivity);
        }
        look(&x, how->with_sensitivity);
    }
    resida_run_free(x.run);
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

static int is_right(const record *steps, const record *states, double tolerance)
{
    if (tolerance == 0) return same(steps, &world.steps) && same(states, &world.states);
    return distance(states, &world.states) < tolerance;
}

/* Fail each call of a callback after the start, or of the start: all of the first ones and then each `stride`-th.
 * Where the loop is thinned both are so many times fewer. tolerance 0: the same bits are wanted. @return the failures
 */
static long fail_each(const setting *how, failure f, double tolerance, int stride)
{
    static record steps, states;
    f.k = 0;
    go(how, &f);
    steps = world.steps, states = world.states;
    const int events = world.events, asked = world.asked;
    assert_true(events >= 2);
    long trials = 0;
    const long one_of = claims_one_of();
    for (f.k = 1;; f.k += f.k < 60 / one_of ? 1 : stride * one_of, trials++) {
        go(how, &f);
        if (!world.has_failed) return trials;
        if (!is_right(&steps, &states, tolerance) || (tolerance == 0 && asked != world.asked) || events != world.events)
            fail_msg("%s%s%s, %s returns %d at call %ld%s: %d events, not %d; steps %d, not %d; states off by %g",
                     how->method, how->by_run ? " by run" : "", how->has_contact ? " with a wall" : "", names[f.which],
                     f.verdict, f.k, f.in_start ? " of the start" : "", world.events, events, world.steps.n / 5,
                     steps.n / 5, distance(&states, &world.states));
    }
}

static const setting settings[] = {{.method = "bdf"},
                                   {.method = "bdf", .by_run = 1},
                                   {.method = "bdf", .by_run = 1, .by_steps = 1},
                                   {.method = "bdf", .by_run = 1, .has_contact = 1},
                                   {.method = "bdf2", .step = 0.01, .by_run = 1},
                                   {.method = "generalized-alpha", .step = 0.01},
                                   {.method = "radau-iia-2", .step = 0.02, .by_run = 1},
                                   {.method = "radau-iia-3"},
                                   {.method = "radau-iia-3", .by_run = 1, .by_steps = 1},
                                   {.method = "radau-iia-3", .by_run = 1, .has_contact = 1}};
static const setting with_matrices[] = {{.method = "bdf", .by_run = 1, .has_matrices = 1},
                                        {.method = "bdf", .by_run = 1, .has_contact = 1, .has_matrices = 1},
                                        {.method = "radau-iia-2", .step = 0.02, .by_run = 1, .has_matrices = 1}};
static const setting daes[] = {{.method = "bdf", .is_dae = 1},
                               {.method = "bdf2", .step = 0.01, .is_dae = 1},
                               {.method = "radau-iia-3", .is_dae = 1}};
static const setting with_sensitivity = {.method = "bdf", .with_sensitivity = 1};
static const int verdicts[] = {-1, 1};

#define N_OF(array) (sizeof(array) / sizeof *(array))

/* Each of these callbacks with each of the settings. @return the failures */
static long fail_all(const setting *how, size_t n, const callback *which, size_t n_which, const failure *f,
                     double tolerance, int stride)
{
    long trials = 0;
    for (size_t s = 0; s < n; s++)
        for (size_t c = 0; c < n_which; c++) {
            failure one = *f;
            one.which = which[c];
            if (one.which != ON_EVENT || (how[s].by_run && !how[s].has_contact))
                trials += fail_each(&how[s], one, tolerance, stride);
        }
    return trials;
}

CLAIM(a_repeated_action_after_a_step_gives_the_same_bits)
{
    const callback which[] = {ON_ROOT, ON_RATES, ON_ACCEPTED, ON_EVENT}, of_contacts[] = {ON_GAP_MATRIX, ON_GAP_RATE},
                   of_events[] = {ON_OUTPUT};
    const failure f = {.verdict = -1};
    const long trials =
        fail_all(settings, N_OF(settings), which, 4, &f, 0, 7) + fail_all(daes, N_OF(daes), which, 3, &f, 0, 7);
    assert_true(trials > 500 / claims_one_of());
    const long of_outputs = fail_all(with_matrices, N_OF(with_matrices), of_events, 1, &f, 0, 1);
    const long of_gaps = fail_all(&with_matrices[1], 1, of_contacts, 2, &f, 0, 1);
    print_message("  %ld failures, %ld of outputs, %ld of contacts\n", trials, of_outputs, of_gaps);
    assert_true(of_outputs >= 6 / claims_one_of() && of_gaps >= 4);
}

CLAIM(sensitivities_are_carried_over_each_step_once)
{
    const long trials = fail_each(&with_sensitivity, (failure){.which = ON_RATES, .verdict = -1}, 0, 7) +
                        fail_each(&with_sensitivity, (failure){.which = ON_ROOT, .verdict = -1}, 0, 7) +
                        fail_each(&with_sensitivity, (failure){.which = ON_MOVED, .verdict = -1}, 1e3 * TOL, 7) +
                        fail_each(&with_sensitivity, (failure){.which = ON_RESIDUAL, .verdict = -1}, 1e3 * TOL, 17);
    print_message("  %ld failures\n", trials);
}

static const callback of_attempts[] = {ON_RESIDUAL, ON_CONSTRAINT, ON_EXCITATION};
static const callback of_matrices[] = {ON_MATRIX, ON_MASS};
static const callback of_daes[] = {ON_RESIDUAL, ON_EXCITATION, ON_JACOBIAN};

/* @return the failures */
static long fail_attempts(const failure *f, int stride)
{
    return fail_all(settings, N_OF(settings), of_attempts, 3, f, 100 * TOL, stride) +
           fail_all(with_matrices, N_OF(with_matrices), of_matrices, 2, f, 100 * TOL, stride) +
           fail_all(daes, N_OF(daes), of_daes, 3, f, 100 * TOL, stride);
}

CLAIM(attempts_at_steps_are_repeated_within_tolerances)
{
    for (size_t i = 0; i < N_OF(verdicts); i++)
        print_message("  %ld failures\n", fail_attempts(&(failure){.verdict = verdicts[i]}, 29));
}

CLAIM(starts_are_repeated_within_tolerances)
{
    for (size_t i = 0; i < N_OF(verdicts); i++)
        print_message("  %ld failures\n", fail_attempts(&(failure){.verdict = verdicts[i], .in_start = 1}, 29));
}

/* Root functions are called again at the same place. */
CLAIM(an_action_after_a_step_that_failed_once_is_repeated)
{
    const callback which[] = {ON_ROOT};
    const failure f = {.verdict = 1};
    const long trials =
        fail_all(settings, N_OF(settings), which, 1, &f, 0, 7) + fail_all(daes, N_OF(daes), which, 1, &f, 0, 7);
    print_message("  %ld failures\n", trials);
    assert_true(trials > 100 / claims_one_of());
}
