/* test_sensitivity.c - derivatives by parameters: against closed forms, against differences of runs at small
 * tolerances, over events; what they cost, and what is refused. */
#include "benchmarks/models/models.h"
#include "sensitivity_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

/* The closed form of the pendulum, differenced. Its values are right to 1e-14. */
static void reference_moves(const char *parameter, double value, double t, double *d)
{
    const double step = 1e-5;
    double ends[2][5];
    for (int i = 0; i < 2; i++) {
        const double moved = value + (i ? -step : step);
        const resida_model m = test_model(bench_model_find("pendulum"), 1, &parameter, &moved);
        assert_int_equal(resida_model_reference(&m, t, ends[i], ends[i] + 2, ends[i] + 4), 0);
    }
    for (int i = 0; i < 5; i++) d[i] = (ends[0][i] - ends[1][i]) / (2 * step);
}

CLAIM(pendulum_moves_as_its_closed_form)
{
    static const struct {
        const char *form, *jacobian;
        resida_formalism formalism;
    } ways[] = {
        {"ggl", "auto", RESIDA_FORMALISM_RESIDUAL},       {"ggl", "dense", RESIDA_FORMALISM_EXPLICIT},
        {"ggl", "sparse", RESIDA_FORMALISM_RESIDUAL},     {"index1", "auto", RESIDA_FORMALISM_RESIDUAL},
        {"index2", "auto", RESIDA_FORMALISM_RESIDUAL},    {"hiller-anantharaman", "auto", RESIDA_FORMALISM_RESIDUAL},
        {"projected2", "auto", RESIDA_FORMALISM_RESIDUAL}};
    const double L = 1, g = 13.750371636040745654980191559621114395801712, t = 2.71;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const carried c = carry((carried_order){.model = "pendulum",
                                                .form = ways[i].form,
                                                .jacobian = ways[i].jacobian,
                                                .formalism = ways[i].formalism,
                                                .by = {"L", "g", "phi0", "m"},
                                                .rtol = 1e-8,
                                                .atol = 1e-9,
                                                .t_end = t});
        double d[5];
        reference_moves("L", L, t, d); /* the constraint depends on it */
        assert_true(apart(5, c.s[0], d, 0) < 1e-4);
        reference_moves("g", g, t, d);
        assert_true(apart(5, c.s[1], d, 0) < 1e-4);
        reference_moves("phi0", 0, t, d); /* only the start does */
        assert_true(apart(5, c.s[2], d, 0) < 1e-4);
        reference_moves("m", 1, t, d); /* only lam does */
        assert_true(apart(5, c.s[3], d, 1) < 1e-4);
        assert_true(fabs(c.s[3][4] - d[4]) < 1e-3 * fabs(d[4]));
    }
}

/* Tolerances as usual: the error is some times theirs, and falls with them. */
CLAIM(errors_fall_with_tolerances)
{
    double d[5], error[2];
    reference_moves("L", 1, 2.71, d);
    for (int i = 0; i < 2; i++) {
        const double rtol = i ? 1e-8 : 1e-5;
        const carried c =
            carry((carried_order){.model = "pendulum", .by = {"L"}, .rtol = rtol, .atol = rtol, .t_end = 2.71});
        error[i] = apart(5, c.s[0], d, 0);
    }
    assert_true(error[0] < 1e-3 && error[1] < error[0] / 3);
}

/* Near the upper equilibrium, derivatives by phi0 grow like exp(3.7 t) to 2e4 at t = 3. One difference of F along them
 * with the increment of phi0 would have an error of 5e-3. */
CLAIM(derivatives_that_grow_large_agree_with_differences_of_runs)
{
    for (double t = 1; t <= 4; t++) {
        const carried_order order = {.model = "pendulum",
                                     .by = {"phi0"},
                                     .set = "phi0",
                                     .value = 1.5707,
                                     .rtol = 1e-8,
                                     .atol = 1e-9,
                                     .t_end = t};
        const carried c = carry(order);
        double d[5];
        differ(order, "phi0", 1.5707, 1e-8, d);
        if (!(apart(4, c.s[0], d, 0) < 3e-4)) fail_msg("t = %g: %g of %g", t, apart(4, c.s[0], d, 0), d[0]);
    }
}

/* Stiff kinetics, a mechanism with two constraints, a chain: by differences of runs at 1e-11. */
CLAIM(sensitivities_agree_with_differences_of_runs)
{
    static const struct {
        carried_order order;
        double value, step, error;
    } cases[] = {
        {{.model = "robertson", .by = {"k1"}, .rtol = 1e-7, .atol = 1e-11, .t_end = 40}, 0.04, 1e-5, 1e-4},
        {{.model = "robertson", .by = {"k3"}, .rtol = 1e-7, .atol = 1e-11, .t_end = 40, .jacobian = "dense"},
         3e7,
         3e3,
         1e-3},
        {{.model = "slider-crank", .by = {"a"}, .rtol = 1e-8, .atol = 1e-8, .t_end = 2}, 0.5, 1e-4, 1e-4},
        {{.model = "slider-crank", .by = {"m2"}, .rtol = 1e-8, .atol = 1e-8, .t_end = 2, .jacobian = "sparse"},
         1,
         1e-4,
         1e-4},
        {{.model = "chain", .by = {"l"}, .rtol = 1e-8, .atol = 1e-9, .t_end = 4}, 1, 1e-4, 1e-3},
        {{.model = "car-axis", .by = {"L0"}, .rtol = 1e-8, .atol = 1e-9, .t_end = 0.5}, 0.5, 1e-5, 1e-3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double d[MAX_Y];
        const carried c = carry(cases[i].order);
        differ(cases[i].order, cases[i].order.by[0], cases[i].value, cases[i].step, d);
        const double error = apart(c.n, c.s[0], d, 0);
        if (!(error < cases[i].error)) fail_msg("%s: %g", cases[i].order.model, error);
    }
}

/* The mass of all rods does not act. */
CLAIM(a_parameter_without_effect_has_zero_sensitivities)
{
    const carried c = carry((carried_order){.model = "chain", .by = {"m"}, .rtol = 1e-8, .atol = 1e-9, .t_end = 2});
    for (int i = 0; i < c.n; i++) assert_true(fabs(c.s[0][i]) < 1e-4);
}

CLAIM(steps_stay_and_calls_are_few)
{
    static const struct {
        const char *model;
        double t_end;
        const char *by[MAX_BY];
        int n;
        double most; /* calls for each, of those of a run without */
    } cases[] = {
        {"car", 2, {"v0", "u", "f"}, 3, 0.7},          {"slider-crank", 10, {"k", "c", "F", "l0"}, 4, 0.85},
        {"andrews", 0.03, {"mom", "c0"}, 2, 1},        {"robertson", 1e5, {"k1", "k2", "k3"}, 3, 0.9},
        {"pendulum", 10, {"L", "g", "phi0"}, 3, 0.85}, {"car-axis", 3, {"L0", "r", "M"}, 3, 0.85},
        {"chain", 10, {"omega", "l"}, 2, 1}, /* whose steps take one call each */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        carried_order o = {.model = cases[i].model, .t_end = cases[i].t_end};
        const carried without = carry(o);
        memcpy(o.by, cases[i].by, sizeof o.by);
        const carried with = carry(o);
        const double calls = (double)with.calls / (double)without.calls - 1;
        if (!(calls < cases[i].most * cases[i].n)) fail_msg("%s: %g", cases[i].model, calls / cases[i].n);
        assert_true(with.steps < without.steps + without.steps / 2 + 10);
        assert_true(with.counts.residual_calls > without.steps / 2 && with.counts.residual_calls < with.calls);
        assert_true(apart(with.n, with.y, without.y, 1e-3) < 1e-2);
    }
}

/* --- Events --- */

/* A ball that falls from a height with g, and leaves the ground with the part e of its speed; at t = theta it is struck
 * upwards. Its own DAE: h' = v, v' = -g. */
typedef struct ball {
    double g, e, h0, strike, y0[2], yp0[2];
    int otherwise; /* does acts differently */
} ball;

static int fall(double t, const double *y, const double *yp, const resida_excitation *x, double *r, void *user)
{
    const ball *b = user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + b->g;
    return 0;
}

static int happen(const resida_model *m, resida_model_event *event)
{
    const ball *b = m->user;
    if (event->kind == RESIDA_AT_START) event->t_next = b->strike;
    if (event->kind == RESIDA_AT_TIME) event->y[1] += 1;
    const int hits = event->kind == RESIDA_AT_ROOT && event->direction[0] < 0;
    if (hits) event->y[1] *= -b->e;
    event->changed = event->find_yp = hits || event->kind == RESIDA_AT_TIME;
    event->ends = hits && b->otherwise;
    return 0;
}

static void make_ball(ball *b, resida_model *m)
{
    *m = (resida_model){.size = sizeof *m, .is_dae = 1, .t_end = 3, .user = b, .event = happen};
    resida_dae_init(&m->dae);
    b->y0[0] = b->h0, b->y0[1] = 0;
    b->yp0[0] = 0, b->yp0[1] = -b->g;
    m->y0 = b->y0, m->yp0 = b->yp0;
    m->dae.n = 2, m->dae.n_root = 1, m->dae.user = b, m->dae.residual = fall, m->dae.root = small_y0;
}

/* h, v at t, after any number of bounces. */
static void ball_at(const ball *b, double t, double *y)
{
    double now = 0, strike = b->strike, h = b->h0, v = 0;
    for (;;) {
        const double hit = (v + sqrt(v * v + 2 * b->g * h)) / b->g, next = fmin(t, strike);
        const double dt = fmin(hit, next - now);
        h += v * dt - b->g * dt * dt / 2;
        v -= b->g * dt;
        now += dt;
        if (now >= t) break;
        if (now >= strike) {
            v += 1;
            strike = INFINITY;
        } else {
            h = 0;
            v *= -b->e;
        }
    }
    y[0] = h, y[1] = v;
}

enum { BY_BALL = 4 };

typedef struct balls {
    ball own, moved[BY_BALL];
    resida_model model, models[BY_BALL];
    resida_problem *problem, *problems[BY_BALL];
    resida_sensitivity by[BY_BALL];
    resida_solver *solver;
    resida_run *run;
} balls;

static double *parameter(ball *b, int i)
{
    double *const all[BY_BALL] = {&b->g, &b->e, &b->h0, &b->strike};
    return all[i];
}

static void open_balls(balls *x, int otherwise)
{
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = 1e-9;
    x->own = (ball){.g = 9.81, .e = 0.8, .h0 = 1, .strike = 0.9};
    make_ball(&x->own, &x->model);
    test_solver_make_dae(&x->problem, &x->solver, &x->model.dae, NULL, &o);
    x->run = test_model_run(&x->model, x->solver);
    for (int i = 0; i < BY_BALL; i++) {
        x->moved[i] = x->own;
        x->moved[i].otherwise = otherwise;
        resida_sensitivity_init(&x->by[i]);
        x->by[i].delta = 1e-7;
        *parameter(&x->moved[i], i) += x->by[i].delta;
        make_ball(&x->moved[i], &x->models[i]);
        x->problems[i] = test_problem_dae(&x->models[i].dae, NULL);
        x->by[i].moved = x->problems[i];
    }
    assert_int_equal(resida_solver_set_sensitivities(x->solver, BY_BALL, x->by), RESIDA_OK);
}

static void set_models(balls *x)
{
    const resida_model *const models[BY_BALL] = {&x->models[0], &x->models[1], &x->models[2], &x->models[3]};
    assert_int_equal(resida_run_set_moved(x->run, BY_BALL, models), RESIDA_OK);
}

CLAIM(events_move_with_what_they_depend_on)
{
    balls x;
    open_balls(&x, 0);
    set_models(&x);
    assert_int_equal(resida_run_start(x.run, NULL, NULL), RESIDA_OK);
    for (double t = 0.3; t < 2; t += 0.4) { /* before, between and after three bounces and the strike */
        resida_status status;
        while ((status = resida_run_advance(x.run, t)) == RESIDA_EVENT) continue;
        if (status != RESIDA_OK) fail_msg("%s", resida_solver_message(x.solver));
        for (int i = 0; i < BY_BALL; i++) {
            resida_state s;
            double ends[2][2];
            assert_int_equal(resida_solver_sensitivity(x.solver, i, &s), RESIDA_OK);
            for (int k = 0; k < 2; k++) {
                ball b = x.own;
                *parameter(&b, i) += k ? -1e-6 : 1e-6;
                ball_at(&b, t, ends[k]);
            }
            for (int k = 0; k < 2; k++) {
                const double d = (ends[0][k] - ends[1][k]) / 2e-6;
                if (!(fabs(s.y[k] - d) < 1e-4)) fail_msg("t = %g, %d, %d: %g, not %g", t, i, k, s.y[k], d);
            }
        }
    }
}

/* A ball hits the ground at the very end of a long step, which the strike just behind ends: how fast it hits is found
 * by that step alone. */
CLAIM(an_event_at_the_end_of_a_step_moves_as_well)
{
    balls x;
    open_balls(&x, 0);
    x.own.strike = sqrt(2 * x.own.h0 / x.own.g) + 1e-6;
    for (int i = 0; i < BY_BALL; i++) x.moved[i].strike = x.own.strike;
    set_models(&x);
    const double t = 0.7;
    assert_int_equal(resida_run_start(x.run, NULL, NULL), RESIDA_OK);
    resida_status status;
    while ((status = resida_run_advance(x.run, t)) == RESIDA_EVENT) continue;
    if (status != RESIDA_OK) fail_msg("%s", resida_solver_message(x.solver));
    for (int i = 0; i < BY_BALL - 1; i++) {
        resida_state s;
        double ends[2][2];
        assert_int_equal(resida_solver_sensitivity(x.solver, i, &s), RESIDA_OK);
        for (int k = 0; k < 2; k++) {
            ball b = x.own; /* the strike adds the same to all */
            b.strike = INFINITY;
            *parameter(&b, i) += k ? -1e-6 : 1e-6;
            ball_at(&b, t, ends[k]);
        }
        for (int k = 0; k < 2; k++) {
            const double d = (ends[0][k] - ends[1][k]) / 2e-6;
            if (!(fabs(s.y[k] - d) < 1e-6)) fail_msg("%d, %d: %.9g, not %.9g", i, k, s.y[k], d);
        }
    }
}

CLAIM(sensitivities_across_unreported_events_are_refused)
{
    balls x;
    for (int told = 0; told < 2; told++) {
        open_balls(&x, told);
        if (told) set_models(&x);
        assert_int_equal(resida_run_start(x.run, NULL, NULL), RESIDA_OK);
        assert_int_equal(resida_run_advance(x.run, 1), told ? RESIDA_ERR_USER : RESIDA_ERR_STATE);
        assert_non_null(strstr(resida_solver_message(x.solver), told ? "acts differently" : "resida_run_set_moved()"));
    }
}

/* --- What is refused --- */

static void expect_refusal(const char *model, const char *form, int projects, const char *method, resida_status status,
                           const char *words)
{
    resida_problem *q, *moved;
    resida_problem_options p = test_problem_options();
    resida_solver_options o = test_solver_options();
    resida_start_options start = test_start_options();
    resida_sensitivity by;
    resida_sensitivity_init(&by);
    p.form = form;
    p.step_projection = projects;
    o.method = method;
    if (strcmp(method, "bdf") != 0) o.step = 0.01;
    start.redundant = RESIDA_REDUNDANT_DROP;
    const resida_model m = test_model(bench_model_find(model), 0, NULL, NULL);
    q = test_problem(&m.mechanism, &p);
    moved = test_problem(&m.mechanism, &p);
    resida_solver *s = test_solver_of(q, &o);
    by.moved = moved;
    by.delta = 1e-7;
    resida_status got = resida_solver_set_sensitivities(s, 1, &by);
    if (got >= 0) got = resida_solver_start(s, 0, m.p0, m.v0, &start, NULL);
    if (got >= 0) got = resida_solver_advance(s, 1);
    assert_int_equal(got, status);
    if (!strstr(resida_solver_message(s), words)) fail_msg("%s", resida_solver_message(s));
}

/* Bricard's mechanism drops another row from t = 0.73 on. */
CLAIM(unsupported_features_are_refused_with_a_message)
{
    expect_refusal("pendulum", "ggl", 0, "bdf2", RESIDA_ERR_OPTION, "steps of a fixed size");
    expect_refusal("pendulum", "state-space", 0, "bdf", RESIDA_ERR_OPTION, "state-space");
    expect_refusal("pendulum", "index1", 1, "bdf", RESIDA_ERR_OPTION, "step_projection");
    expect_refusal("bricard", "ggl", 0, "bdf", RESIDA_ERR_OPTION,
                   "because the choice of the dropped redundant rows has changed");
}

CLAIM(moved_problems_have_the_same_shape)
{
    balls x;
    open_balls(&x, 0);
    const resida_model m = test_model(bench_model_find("robertson"), 0, NULL, NULL);
    resida_problem *other = test_problem_dae(&m.dae, NULL);
    x.by[1].moved = other;
    assert_int_equal(resida_solver_set_sensitivities(x.solver, BY_BALL, x.by), RESIDA_ERR_ARGUMENT);
    assert_non_null(
        strstr(resida_solver_message(x.solver), "sensitivity 1: the moved problem is of another form or size"));
    x.by[1].moved = x.by[0].moved;
    assert_int_equal(resida_solver_set_sensitivities(x.solver, BY_BALL, x.by), RESIDA_ERR_ARGUMENT);
    assert_non_null(strstr(resida_solver_message(x.solver), "must not share a moved problem"));
    resida_state s;
    assert_int_equal(resida_solver_sensitivity(x.solver, 0, &s), RESIDA_ERR_STATE); /* those before are there */
}
