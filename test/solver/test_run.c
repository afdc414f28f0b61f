/* test_run.c - models integrated over their events: impacts, times, steps, ends, and what models answer wrongly. */
#include "test/fixtures/file_util.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

#define G 9.81
#define E 0.8 /* coefficient of restitution */

/* What the models below do, and what they were asked. */
static struct {
    int n_asked[4]; /* by kind */
    int verdict, ends_at, silent;
    double t_next, t[8], height;
    int n_t;
} talk;

static int event_of(const resida_model *m, resida_model_event *e);
static double y0[] = {1, 0}, yp0[] = {0, -G};

static int fall(double t, const double *y, const double *yp, const resida_excitation *u, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + G;
    return 0;
}

static resida_model ball(int is_dae)
{
    resida_model m = {.size = sizeof m, .is_dae = is_dae, .t_end = 3, .rtol = 1e-9, .atol = 1e-9, .event = event_of};
    resida_mechanism_init(&m.mechanism);
    resida_dae_init(&m.dae);
    m.dae.n = 2, m.dae.n_root = 1;
    m.dae.residual = fall, m.dae.root = small_y0;
    m.mechanism.n_p = m.mechanism.n_v = m.mechanism.n_root = 1;
    m.mechanism.residual = small_mass, m.mechanism.root = small_p0;
    m.y0 = y0, m.yp0 = yp0, m.p0 = y0, m.v0 = y0 + 1;
    memset(&talk, 0, sizeof talk);
    talk.t_next = INFINITY;
    return m;
}

/* The ball rebounds; what happens else is as the test has it. */
static int event_of(const resida_model *m, resida_model_event *e)
{
    talk.n_asked[e->kind]++;
    if (talk.verdict != 0 && e->kind != RESIDA_AT_START) return talk.verdict;
    if (e->kind == RESIDA_AT_START || e->kind == RESIDA_AT_TIME) {
        e->t_next = talk.t_next;
        e->silent = talk.silent;
        talk.t_next += 0.25;
    }
    if (e->kind == RESIDA_AT_ROOT) {
        if (e->direction[0] >= 0) return 0;
        if (talk.n_t < 8) talk.t[talk.n_t++] = e->t;
        e->changed = 1;
        e->y[0] = talk.height;
        e->t += 1; /* what it is asked with is not its to say */
        double *v = m->is_dae ? &e->y[1] : &e->yp[0];
        *v = E * fabs(*v); /* below the tolerances its sign is noise */
        if (m->is_dae) {
            e->find_yp = talk.n_asked[RESIDA_AT_ROOT] % 2; /* both ways */
            e->yp[0] = *v;
        }
    }
    e->ends = talk.ends_at > 0 && talk.n_asked[e->kind] >= talk.ends_at;
    return 0;
}

typedef struct flight {
    resida_problem *problem;
    resida_solver *solver;
    resida_run *run;
} flight;

static flight fly_by(const resida_model *m, const char *jacobian)
{
    flight f;
    resida_solver_options o = test_solver_options();
    o.rtol = m->rtol, o.atol = m->atol, o.jacobian = jacobian;
    f.solver = m->is_dae ? test_solver_dae(&m->dae, NULL, &o) : test_solver(&m->mechanism, NULL, &o);
    f.run = test_model_run(m, f.solver);
    if (resida_run_start(f.run, NULL, NULL) < 0) fail_msg("%s", resida_solver_message(f.solver));
    return f;
}

static flight fly(const resida_model *m)
{
    return fly_by(m, "auto");
}

/* To t, over all events. */
static resida_status go(flight *f, double t)
{
    resida_status status;
    while ((status = resida_run_advance(f->run, t)) == RESIDA_EVENT) continue;
    return status;
}

static double time_of(const flight *f)
{
    return test_state(f->solver).t;
}

CLAIM(a_ball_rebounds_when_it_should)
{
    for (int is_dae = 0; is_dae < 2; is_dae++) {
        const resida_model m = ball(is_dae);
        flight f = fly(&m);
        assert_int_equal(go(&f, 3.5), RESIDA_OK);
        double t = sqrt(2 / G), flight_time = 2 * t;
        assert_true(talk.n_t >= 6 && talk.n_asked[RESIDA_AT_START] == 1);
        for (int k = 0; k < 6; k++) {
            if (!(fabs(talk.t[k] - t) <= 1e-9)) fail_msg("rebound %d at %.12g, not %.12g", k, talk.t[k], t);
            flight_time *= E;
            t += flight_time;
        }
        assert_int_equal(resida_run_start(f.run, NULL, NULL), RESIDA_OK); /* once more, from the start */
        assert_true(talk.n_asked[RESIDA_AT_START] == 2 && time_of(&f) == 0);
    }
}

/* What a ball does that comes to rest: infinitely many rebounds within a time. */
CLAIM(rebounds_without_end_are_reported)
{
    for (int k = 0; k < 40; k++) {
        resida_model m = ball(1);
        m.rtol = m.atol = 1e-11 * pow(10, 0.1 * k);
        flight f = fly(&m);
        assert_int_equal(go(&f, 5), RESIDA_ERR_CHATTERING);
        assert_true(fabs(time_of(&f) - sqrt(2 / G) * (1 + E) / (1 - E)) <= 1e-3);
    }
}

CLAIM(events_by_time_are_met_and_asked_for_the_next)
{
    const resida_model m = ball(1);
    talk.t_next = 0.1;
    flight f = fly(&m);
    assert_int_equal(resida_run_advance(f.run, 1), RESIDA_EVENT);
    assert_true(time_of(&f) == 0.1 && talk.n_asked[RESIDA_AT_TIME] == 1);
    assert_int_equal(resida_run_advance(f.run, 0.2), RESIDA_OK);
    assert_int_equal(resida_run_advance(f.run, 0.4), RESIDA_EVENT);
    assert_true(time_of(&f) == 0.35 && talk.n_asked[RESIDA_AT_TIME] == 2);
}

/* The acceleration changes from -G to -2 G at t = 0.2, within a step: h = 1 - G 0.2^2 / 2 - G 0.2 s - G s^2. */
static double pull;

static int pulled(double t, const double *y, const double *yp, const resida_excitation *u, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + pull;
    return 0;
}

static int pulled_mass(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                       double *r, void *user)
{
    r[0] = a[0] + pull;
    return 0;
}

CLAIM(a_restart_takes_a_change_of_the_model)
{
    for (int is_dae = 0; is_dae < 2; is_dae++) {
        resida_model m = ball(is_dae);
        m.dae.residual = pulled, m.mechanism.residual = pulled_mass;
        pull = G;
        flight f = fly(&m);
        assert_int_equal(go(&f, 0.2), RESIDA_OK);
        pull = 2 * G;
        assert_int_equal(resida_run_restart(f.run), RESIDA_OK);
        assert_true(time_of(&f) == 0.2);
        assert_int_equal(go(&f, 0.3), RESIDA_OK);
        const resida_state s = test_state(f.solver);
        const double h = 1 - G * (0.2 * 0.2 / 2 + 0.2 * 0.1 + 0.1 * 0.1), *at = is_dae ? s.y : s.p;
        if (!(fabs(at[0] - h) <= 1e-8)) fail_msg("%.12g, not %.12g", at[0], h);
        assert_int_equal(resida_run_advance(f.run, 3), RESIDA_EVENT); /* further events are found */
        assert_int_equal(talk.n_asked[RESIDA_AT_ROOT], 1);
        talk.ends_at = 1;
        assert_int_equal(go(&f, 3), RESIDA_STOP_TIME);
        assert_int_equal(resida_run_restart(f.run), RESIDA_ERR_STATE);
    }
}

/* A root function that crosses at the time of an event by time is told, too, before it. */
static int one_second(double t, const double *y, const double *yp, const resida_excitation *u, double *out, void *user)
{
    out[0] = 1 - t;
    return 0;
}

CLAIM(a_root_at_the_time_of_an_event_is_told_before_it)
{
    for (int ends_there = 0; ends_there < 2; ends_there++) {
        resida_model m = ball(1);
        resida_happening h;
        m.dae.root = one_second;
        talk.t_next = 1;
        flight f = fly(&m);
        const double t_out = ends_there ? 1 : 1.1;
        assert_int_equal(resida_run_advance(f.run, t_out), RESIDA_EVENT);
        assert_int_equal(resida_run_event(f.run, &h), RESIDA_OK);
        assert_true(h.kind == RESIDA_AT_ROOT && h.restarted && time_of(&f) == 1);
        assert_int_equal(resida_run_advance(f.run, t_out), RESIDA_EVENT);
        assert_int_equal(resida_run_event(f.run, &h), RESIDA_OK);
        assert_true(h.kind == RESIDA_AT_TIME && h.y[0] == 0 && time_of(&f) == 1);
        assert_int_equal(resida_run_advance(f.run, t_out), RESIDA_OK);
        assert_true(talk.n_asked[RESIDA_AT_ROOT] == 1 && talk.n_asked[RESIDA_AT_TIME] == 1);
        assert_true(time_of(&f) == t_out);
    }
}

/* Such as points of a co-simulation; the run goes on to t_out, also where that is such a time. */
CLAIM(a_silent_event_is_handled_but_not_reported)
{
    const resida_model m = ball(1);
    resida_happening h;
    talk.t_next = 0.1, talk.silent = 1;
    flight f = fly(&m);
    assert_int_equal(resida_run_advance(f.run, 0.35), RESIDA_OK);
    assert_true(talk.n_asked[RESIDA_AT_TIME] == 2 && time_of(&f) == 0.35);
    assert_int_equal(resida_run_event(f.run, &h), RESIDA_ERR_STATE);
}

static const char *const height_name[] = {"height"};

/* Of the state, and how often the model has been asked at a root. */
static int height_of(const resida_model *m, const resida_model_point *at, double *out)
{
    out[0] = at->y[0] + talk.n_asked[RESIDA_AT_ROOT];
    return talk.verdict == 2 ? 1 : 0;
}

CLAIM(an_event_has_the_outputs_before_it)
{
    for (int is_known = 0; is_known < 2; is_known++) {
        resida_model m = ball(1);
        resida_happening h;
        m.n_outputs = 1, m.output_names = height_name, m.output = height_of;
        flight f = fly(&m);
        if (!is_known) talk.verdict = 2; /* then event() fails, and what it was asked with is kept */
        const resida_status status = resida_run_advance(f.run, 3);
        assert_int_equal(status, is_known ? RESIDA_EVENT : RESIDA_ERR_USER);
        assert_int_equal(resida_run_event(f.run, &h), RESIDA_OK);
        assert_non_null(h.outputs);
        assert_true(is_known ? fabs(h.outputs[0]) < 1e-8 : isnan(h.outputs[0]));
    }
    const resida_model m = ball(1);
    resida_happening h;
    flight f = fly(&m);
    assert_int_equal(resida_run_advance(f.run, 3), RESIDA_EVENT);
    assert_int_equal(resida_run_event(f.run, &h), RESIDA_OK);
    assert_null(h.outputs);
}

CLAIM(steps_are_told_to_models_that_ask)
{
    resida_model m = ball(1);
    m.asks_steps = 1;
    for (int outputs = 1; outputs <= 100; outputs += 99) { /* within steps, too */
        flight f = fly(&m);
        memset(talk.n_asked, 0, sizeof talk.n_asked);
        for (int k = 1; k <= outputs; k++) assert_int_equal(go(&f, 0.3 * k / outputs), RESIDA_OK);
        resida_stats stats = test_stats(f.solver);
        const long n = talk.n_asked[RESIDA_AT_STEP]; /* the last one may go on beyond the last output */
        assert_true((n == stats.steps || n == stats.steps - 1) && stats.steps > 3);
    }
}

/* v' = 10 max(0, 1 - |10 t - 51|): v = 1 and y = 10 - 5.1 at t = 10, with steps that could pass over it. */
static int pulse(double t, const double *y, const double *yp, const resida_excitation *u, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - 10 * fmax(0, 1 - fabs(10 * t - 51));
    return 0;
}

static double still[] = {0, 0};
static const double breaks[] = {-1, 5, 5.1, 5.2, 20};

/* 0.3 lies below 3 * 0.1: an event there has been at an output at 0.3, and the run is at 0.3. */
CLAIM(an_event_within_rounding_of_an_output_is_before_it)
{
    for (int silent = 0; silent < 2; silent++) {
        resida_model m = ball(1);
        m.dae.n_root = 0, m.dae.root = NULL;
        talk.t_next = 3 * 0.1, talk.silent = silent;
        assert_true(talk.t_next > 0.3);
        flight f = fly(&m);
        assert_int_equal(go(&f, 0.3), RESIDA_OK);
        assert_int_equal(talk.n_asked[RESIDA_AT_TIME], 1);
        assert_true(time_of(&f) == 0.3);
        assert_int_equal(go(&f, 0.5), RESIDA_OK);
        assert_int_equal(talk.n_asked[RESIDA_AT_TIME], 1);
    }
}

CLAIM(a_step_ends_at_each_breakpoint)
{
    for (int asks_steps = 0; asks_steps < 2; asks_steps++) {
        resida_model m = ball(1);
        m.dae.residual = pulse, m.dae.n_root = 0, m.dae.root = NULL;
        m.y0 = m.yp0 = still;
        m.n_breakpoints = 5, m.breakpoints = breaks;
        m.asks_steps = asks_steps;
        flight f = fly(&m);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(resida_run_start(f.run, NULL, NULL), RESIDA_OK);
            assert_int_equal(resida_run_advance(f.run, 5), RESIDA_OK);
            assert_int_equal(resida_run_advance(f.run, 10), RESIDA_OK);
            resida_state state = test_state(f.solver);
            assert_true(state.t == 10 && fabs(state.y[0] - 4.9) < 1e-6);
            assert_int_equal(talk.n_asked[RESIDA_AT_TIME], 0);
        }
    }
}

CLAIM(a_stop_time_set_during_a_run_ends_it_there)
{
    const resida_model m = ball(1);
    talk.t_next = 0.05;
    flight f = fly(&m);
    assert_int_equal(go(&f, 0.1), RESIDA_OK);
    assert_int_equal(resida_solver_set_stop_time(f.solver, 0.2), RESIDA_OK);
    assert_int_equal(go(&f, 0.4), RESIDA_STOP_TIME);
    assert_true(time_of(&f) == 0.2 && talk.n_asked[RESIDA_AT_TIME] == 1);
    assert_int_equal(resida_solver_set_stop_time(f.solver, 0.3), RESIDA_OK); /* the time of the next event */
    assert_int_equal(go(&f, 0.4), RESIDA_STOP_TIME);
    assert_true(time_of(&f) == 0.3 && talk.n_asked[RESIDA_AT_TIME] == 2);
    assert_int_equal(resida_solver_set_stop_time(f.solver, INFINITY), RESIDA_OK);
    assert_int_equal(go(&f, 0.4), RESIDA_OK);
    assert_true(time_of(&f) == 0.4);
}

CLAIM(a_model_can_end_its_run)
{
    const resida_model m = ball(1);
    talk.ends_at = 2;
    flight f = fly(&m);
    talk.n_asked[RESIDA_AT_START] = -1;
    assert_int_equal(go(&f, 3), RESIDA_STOP_TIME);
    assert_true(fabs(time_of(&f) - sqrt(2 / G) * (1 + 2 * E)) <= 1e-8);
    assert_non_null(strstr(resida_solver_message(f.solver), "the model ended the run at t = "));
    assert_int_equal(resida_run_advance(f.run, 3), RESIDA_STOP_TIME);
    assert_int_equal(resida_run_start(f.run, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_run_advance(f.run, 0.1), RESIDA_OK);
}

/* The speed of the ball before its first rebound is sqrt(2 G), behind it E sqrt(2 G). */
CLAIM(an_event_is_told_with_the_state_before_and_what_became_of_it)
{
    for (int is_dae = 0; is_dae < 2; is_dae++) {
        const resida_model m = ball(is_dae);
        flight f = fly(&m);
        resida_happening h;
        assert_int_equal(resida_run_event(f.run, &h), RESIDA_ERR_STATE);
        assert_int_equal(resida_run_advance(f.run, 1), RESIDA_EVENT);
        assert_int_equal(resida_run_event(f.run, &h), RESIDA_OK);
        resida_state now = test_state(f.solver);
        assert_true(h.kind == RESIDA_AT_ROOT && h.direction[0] == -1 && h.restarted == 1 && h.ended == 0);
        assert_true(fabs(h.t - sqrt(2 / G)) <= 1e-7 && fabs(h.y[0]) <= 1e-6);
        assert_true(fabs((is_dae ? h.y[1] : h.yp[0]) + sqrt(2 * G)) <= 1e-6);
        assert_true(fabs((is_dae ? now.y[1] : now.v[0]) - E * sqrt(2 * G)) <= 1e-6);
        assert_int_equal(resida_run_advance(f.run, 1), RESIDA_OK);
        assert_int_equal(resida_run_event(f.run, &h), RESIDA_ERR_STATE);
        talk.ends_at = 2;
        assert_int_equal(resida_run_advance(f.run, 3), RESIDA_STOP_TIME);
        assert_int_equal(resida_run_event(f.run, &h), RESIDA_OK);
        assert_true(h.ended == 1 && h.kind == RESIDA_AT_ROOT);
    }
}

CLAIM(invalid_results_of_event_end_a_run_with_a_message)
{
    const resida_model m = ball(1);
    flight f = fly(&m);
    talk.verdict = 1;
    assert_int_equal(go(&f, 3), RESIDA_ERR_USER);
    assert_non_null(strstr(resida_solver_message(f.solver), "event() failed at t = 0.45"));
    talk.verdict = 0, talk.height = NAN;
    f = fly(&m);
    assert_int_equal(go(&f, 3), RESIDA_ERR_USER);
    assert_non_null(strstr(resida_solver_message(f.solver), "event() at t = 0.45"));
    assert_non_null(strstr(resida_solver_message(f.solver), "returned y[0] = nan"));
    assert_true(fabs(time_of(&f) - sqrt(2 / G)) <= 1e-7);
    talk.height = 0, talk.t_next = -1;
    f = (flight){NULL, NULL, NULL};
    resida_message why = {""};
    test_solver_make_dae(&f.problem, &f.solver, &m.dae, NULL, NULL);
    resida_model other = m;
    other.is_dae = 0;
    assert_int_equal(resida_run_create(&f.run, &other, f.solver, &why), RESIDA_ERR_ARGUMENT);
    assert_non_null(strstr(why.text, "not one of this model"));
    f.run = test_model_run(&m, f.solver);
    assert_int_equal(resida_run_start(f.run, NULL, NULL), RESIDA_ERR_USER);
    assert_non_null(strstr(resida_solver_message(f.solver), "t_next = -1, which is not later"));
}

/* Those of one start, good or bad, are not those of the next. */
CLAIM(runs_go_forward_in_time_only)
{
    const resida_model m = ball(1);
    flight f = fly(&m);
    assert_int_equal(go(&f, -1), RESIDA_ERR_ARGUMENT);
    assert_non_null(strstr(resida_solver_message(f.solver), "runs of models go forward"));
    assert_int_equal(go(&f, 0.1), RESIDA_OK);
}

CLAIM(options_of_a_start_are_those_that_are_given)
{
    const resida_model m = ball(0);
    resida_start_options o = test_start_options();
    o.max_change = -1;
    flight f = fly(&m);
    assert_int_equal(resida_run_start(f.run, &o, NULL), RESIDA_ERR_OPTION);
    assert_non_null(strstr(resida_solver_message(f.solver), "max_change"));
    assert_int_equal(resida_run_start(f.run, NULL, NULL), RESIDA_OK);
    assert_int_equal(go(&f, 0.5), RESIDA_OK);
}

/* --- a jump of stiffness: J, rates and history of before are wrong behind it --- */

static double stiffness;
static double rest_0[] = {0}, rest_p[] = {1};

static int relax(double t, const double *y, const double *yp, const resida_excitation *u, double *r, void *user)
{
    r[0] = yp[0] + stiffness * (y[0] - 1);
    return 0;
}

/* At 1/2 a million times as stiff; at 1 as before, with y moved to 0. */
static int stiffen(const resida_model *m, resida_model_event *e)
{
    if (e->kind == RESIDA_AT_START) stiffness = 1, e->t_next = 0.5;
    if (e->kind != RESIDA_AT_TIME) return 0;
    e->changed = 1;
    e->t_next = stiffness == 1 ? 1 : INFINITY;
    if (stiffness > 1) e->y[0] = 0;
    stiffness = stiffness == 1 ? 1e6 : 1;
    e->yp[0] = -stiffness * (e->y[0] - 1);
    return 0;
}

CLAIM(no_data_from_before_an_event_are_used_after_it)
{
    static const char *const strategies[] = {"auto", "fresh", "dense", "sparse"};
    const double at[] = {0.5, 0.5 + 1e-6, 0.9, 2}, start = 1 - exp(-0.5);
    const double expected[] = {start, 1 - (1 - start) * exp(-1), 1, 1 - exp(-1)};
    for (int k = 0; k < 4; k++) {
        resida_model m = {.size = sizeof m, .is_dae = 1, .t_end = 2, .rtol = 1e-7, .atol = 1e-9, .event = stiffen};
        resida_dae_init(&m.dae);
        m.dae.n = 1, m.dae.residual = relax;
        m.y0 = rest_0, m.yp0 = rest_p;
        flight f = fly_by(&m, strategies[k]);
        for (int i = 0; i < 4; i++) {
            resida_state s;
            const resida_status status = go(&f, at[i]);
            if (status != RESIDA_OK) fail_msg("%s: %s", strategies[k], resida_solver_message(f.solver));
            s = test_state(f.solver);
            if (!(fabs(s.y[0] - expected[i]) <= 1e-5))
                fail_msg("%s: y(%g) = %.9g, not %.9g", strategies[k], at[i], s.y[0], expected[i]);
        }
    }
}
