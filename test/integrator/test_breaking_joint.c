/* test_breaking_joint.c - root functions of multipliers: the rod of a pendulum breaks at a tension. A mass m on a rod
 * of length L is released at rest at the angle phi0 from the vertical. Its tension is m g (3 cos phi - 2 cos phi0).
 * With k = sin(phi0/2), sin(phi/2) = k sin(s), it is at phi after sqrt(L/g) times the integral of
 * 1/sqrt(1 - k^2 sin^2 s) from s to pi/2 (Landau, Lifshitz, Mechanics, section 11), here by Simpson's rule. Then the
 * mass flies on a parabola. */
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/claims.h"

static const double m = 2, g = 9.81, L = 0.5, phi0 = 1.2, strength = 30, t_end = 1; /* SI */

typedef struct rod {
    int is_broken;
    double t_break; /* set by event() */
} rod;

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    r[0] = m * a[0];
    r[1] = m * (a[1] + g);
    return 0;
}

/* (|p|^2 - L^2)/2, whose multiplier is the tension divided by L; 0 = 0 if it is broken. */
static int constraint(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = ((const rod *)user)->is_broken ? 0 : (p[0] * p[0] + p[1] * p[1] - L * L) / 2;
    return 0;
}

/* The second function has a zero at the vertical and does not read lam. */
static int reserve(double t, const double *p, const double *v, const double *lam, const resida_excitation *e,
                   double *out, void *user)
{
    out[0] = strength - lam[0] * L;
    out[1] = p[0];
    return 0;
}

typedef struct motion {
    double t, p[2], v[2];
} motion;

/* The closed form of the break. */
static motion exact_break(void)
{
    enum { N = 4000 };
    const double cosine = (strength / (m * g) + 2 * cos(phi0)) / 3, phi = acos(cosine), k = sin(phi0 / 2);
    const double from = asin(sin(phi / 2) / k), h = (acos(0) - from) / N,
                 speed = -sqrt(2 * g * L * (cosine - cos(phi0)));
    double sum = 0;
    for (int i = 0; i <= N; i++) {
        const double y = k * sin(from + i * h);
        sum += (i == 0 || i == N ? 1 : i % 2 ? 4 : 2) / sqrt(1 - y * y);
    }
    return (motion){sqrt(L / g) * sum * h / 3, {L * sin(phi), -L * cosine}, {speed * cosine, speed * sin(phi)}};
}

static resida_mechanism pendulum(rod *r)
{
    resida_mechanism k = test_mechanism();
    k.n_p = k.n_v = k.n_root = 2, k.n_g = 1, k.user = r;
    k.residual = residual, k.constraint = constraint;
    return k;
}

/* Advance to the break. @return the state there */
static motion advance_to_break(resida_solver *s, const char *what)
{
    int direction[2];
    const double p0[] = {L * sin(phi0), -L * cos(phi0)};
    if (resida_solver_start(s, 0, p0, (double[2]){0, 0}, NULL, NULL) < 0 ||
        resida_solver_advance(s, t_end) != RESIDA_EVENT)
        fail_msg("%s: no break: %s", what, resida_solver_message(s));
    const resida_state at = test_state(s);
    resida_solver_event(s, direction);
    if (direction[0] != -1 || direction[1] != 0) fail_msg("%s: direction %d, %d", what, direction[0], direction[1]);
    assert_true(fabs(strength - at.lam[0] * L) < 1e-9 * strength); /* the state is that of the event */
    return (motion){at.t, {at.p[0], at.p[1]}, {at.v[0], at.v[1]}};
}

static void check_break(const motion *at, double tolerance, const char *what)
{
    const motion x = exact_break();
    if (getenv("SHOW"))
        printf("%-50s %9.2e %9.2e %9.2e\n", what, at->t - x.t, hypot(at->p[0] - x.p[0], at->p[1] - x.p[1]),
               hypot(at->v[0] - x.v[0], at->v[1] - x.v[1]));
    if (!(fabs(at->t - x.t) <= tolerance)) fail_msg("%s: breaks at %.12f, not at %.12f", what, at->t, x.t);
    for (int i = 0; i < 2; i++)
        if (!(fabs(at->p[i] - x.p[i]) <= 2 * tolerance && fabs(at->v[i] - x.v[i]) <= 20 * tolerance))
            fail_msg("%s: %.12f, %.12f at the break", what, at->p[i], at->v[i]);
}

/* The flight from `from` until t_end, without another break. The mass passes the vertical on it. */
static void check_flight(resida_solver *s, const motion *from, double tolerance, const char *what)
{
    const double dt = t_end - from->t;
    int direction[2], n = 0;
    for (resida_status status; (status = resida_solver_advance(s, t_end)) != RESIDA_OK; n++) {
        if (status != RESIDA_EVENT) fail_msg("%s: %s", what, resida_solver_message(s));
        resida_solver_event(s, direction);
        assert_int_equal(direction[0], 0);
        assert_true(fabs(test_state(s).t - (from->t - from->p[0] / from->v[0])) <= 10 * tolerance);
    }
    const resida_state at = test_state(s);
    assert_int_equal(n, 1);
    assert_true(fabs(at.p[0] - (from->p[0] + dt * from->v[0])) <= 10 * tolerance);
    assert_true(fabs(at.p[1] - (from->p[1] + dt * from->v[1] - dt * dt * g / 2)) <= 10 * tolerance);
}

/* A pendulum whose rod is released by a flag at the event. */
static void swing_and_fly(const char *form, const resida_solver_options *o, double tolerance, const char *what)
{
    rod r = {0, 0};
    resida_problem_options po = test_problem_options();
    po.form = form, po.root_lam = reserve;
    const resida_mechanism k = pendulum(&r);
    resida_problem *problem;
    resida_solver *s;
    test_solver_make(&problem, &s, &k, &po, o);
    const motion at = advance_to_break(s, what);
    check_break(&at, tolerance, what);
    r.is_broken = 1;
    if (resida_solver_start(s, at.t, at.p, at.v, NULL, NULL) < 0) fail_msg("%s: %s", what, resida_solver_message(s));
    assert_true(test_state(s).lam[0] == 0);
    check_flight(s, &at, tolerance, what);
    test_solver_free(s, problem);
}

/* Solvers that select the step size refuse these: lam has errors of order 1 in the first steps. */
static int is_of_index_3(const char *form)
{
    return strcmp(form, "index3") == 0 || strcmp(form, "augmented") == 0;
}

CLAIM(a_rod_breaks_at_its_tension_in_each_form)
{
    for (int i = 0; resida_form_at(i); i++) {
        const char *form = resida_form_at(i);
        if (strcmp(form, "ode") == 0) continue; /* it has no multipliers */
        resida_solver_options o = test_solver_options();
        o.rtol = o.atol = 1e-8;
        if (is_of_index_3(form)) o.method = "radau-iia-3", o.step = 1e-4;
        swing_and_fly(form, &o, 1e-6, form);
    }
}

CLAIM(variable_steps_refuse_root_functions_of_multipliers_of_index_3)
{
    rod r = {0, 0};
    const resida_mechanism k = pendulum(&r);
    for (int i = 0; resida_form_at(i); i++) {
        if (!is_of_index_3(resida_form_at(i))) continue;
        resida_solver_options o = test_solver_options();
        resida_problem_options po = test_problem_options();
        resida_problem *problem;
        resida_solver *s;
        resida_message why;
        po.form = resida_form_at(i), po.root_lam = reserve;
        assert_int_equal(resida_problem_create(&problem, &k, &po, &why), RESIDA_OK);
        for (int radau = 0; radau < 2; radau++) {
            if (radau) o.method = "radau-iia-3";
            assert_int_equal(resida_solver_create(&s, problem, &o, &why), RESIDA_ERR_OPTION);
            assert_non_null(strstr(why.text, resida_form_at(i)));
            assert_non_null(strstr(why.text, "root_lam"));
        }
        resida_problem_free(problem);
    }
}

CLAIM(a_rod_breaks_at_its_tension_with_each_strategy_and_in_steps_of_radau)
{
    static const char *const strategies[] = {
        "auto",           "fresh",          "dense", "sparse", "dense+partitioned", "sparse+partitioned",
        "dense+extended", "sparse+extended"};
    for (int i = 0; i < 8; i++) {
        resida_solver_options o = test_solver_options();
        o.jacobian = strategies[i];
        o.rtol = o.atol = 1e-8;
        swing_and_fly("auto", &o, 1e-6, strategies[i]);
        o.jacobian = "auto", o.method = "radau-iia-3";
        if (i == 0) swing_and_fly("ggl", &o, 1e-6, o.method);
    }
}

/* In index 3 the multipliers of some methods are of order 1 (test_method_orders.c), or those in the middle of steps. */
CLAIM(a_rod_breaks_at_its_tension_in_steps_of_a_fixed_size)
{
    static const char *const of_order_1[] = {"bdf1", "midpoint", "energy-decaying", "radau-iia-2"};
    for (int i = 1; resida_method_at(i); i++) {
        resida_solver_options o = test_solver_options();
        double tolerance = 1e-4;
        o.method = resida_method_at(i);
        o.step = 1e-3;
        for (int k = 0; k < 4; k++)
            if (strcmp(o.method, of_order_1[k]) == 0) tolerance = 1.1 * o.step;
        swing_and_fly("index3", &o, tolerance, o.method);
    }
}

/* event() of a model, as in a plugin. */
static int release(const resida_model *model, resida_model_event *e)
{
    rod *r = model->user;
    if (e->kind == RESIDA_AT_START) r->is_broken = 0;
    if (e->kind != RESIDA_AT_ROOT || e->direction[0] == 0) return 0;
    assert_int_equal(r->is_broken, 0);
    r->is_broken = e->changed = 1;
    r->t_break = e->t;
    return 0;
}

CLAIM(the_event_of_a_model_releases_the_rod)
{
    static const double v0[] = {0, 0};
    const double p0[] = {L * sin(phi0), -L * cos(phi0)};
    const motion x = exact_break();
    rod r = {0, 0};
    resida_model model;
    resida_problem_options po = test_problem_options();
    resida_solver_options o = test_solver_options();
    resida_model_init(&model);
    model.mechanism = pendulum(&r);
    model.root_lam = reserve;
    model.event = release;
    model.user = &r;
    model.p0 = p0, model.v0 = v0, model.t_end = t_end;
    po.root_lam = model.root_lam;
    o.rtol = o.atol = 1e-8;
    resida_solver *s = test_solver(&model.mechanism, &po, &o);
    resida_run *run = test_model_run(&model, s);
    assert_int_equal(resida_run_start(run, NULL, NULL), RESIDA_OK);
    while (resida_run_advance(run, t_end) == RESIDA_EVENT) continue;
    const resida_state at = test_state(s);
    const double dt = t_end - x.t;
    assert_true(at.t == t_end && fabs(r.t_break - x.t) < 1e-6);
    assert_true(fabs(at.p[0] - (x.p[0] + dt * x.v[0])) < 1e-5);
    assert_true(fabs(at.p[1] - (x.p[1] + dt * x.v[1] - dt * dt * g / 2)) < 1e-5);
}

/* Linearization works on a copy of the problem in another form. */
CLAIM(a_problem_with_root_functions_of_lam_is_linearized)
{
    static const double still[2] = {0, 0};
    const double p[] = {0, -L}, lam[] = {m * g / L};
    rod r = {0, 0};
    const resida_mechanism k = pendulum(&r);
    resida_problem_options po = test_problem_options();
    resida_linearization *l = NULL;
    resida_message why = {""};
    po.root_lam = reserve;
    if (resida_linearize_mechanism(&l, test_problem(&k, &po), 0, p, still, still, lam, &why) != RESIDA_OK)
        fail_msg("%s", why.text);
    test_own_linearization(l);
}
