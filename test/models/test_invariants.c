/* test_invariants.c - norms of Euler parameters as invariants: held in every form, formalism and method, at no cost of
 * accuracy; and told from constraints. A heavy body with a fixed point, gyro.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test/fixtures/file_util.h"
#include "gyro.h"

static const char *const forms[] = {"ggl",       "index2",     "index1",     "baumgarte",   "index3",
                                    "augmented", "projected1", "projected2", "state-space", "hiller-anantharaman"};
enum { FORMS = sizeof forms / sizeof *forms };

/* What differs between runs; zero: the default. */
typedef struct variant {
    gyro g;
    const char *form, *jacobian, *method;
    resida_formalism formalism;
    double tol, step;
    int step_projection, threads;
} variant;

typedef struct run {
    gyro g;
    resida_problem *problem;
    resida_solver *solver;
    double p0[GYRO_MOST], v0[GYRO_MOST];
} run;

/* Up to the start; @return its status, or that of the creation that failed, in why. */
static resida_status open_run(run *r, const variant *x, const resida_start_options *so, resida_start_report *report,
                              resida_message *why)
{
    *r = (run){.g = x->g};
    resida_mechanism m = gyro_mechanism(&r->g);
    resida_problem_options po;
    resida_solver_options o;
    resida_problem_options_init(&po);
    resida_solver_options_init(&o);
    po.form = x->form ? x->form : po.form;
    po.formalism = x->formalism;
    po.step_projection = x->step_projection;
    m.thread_safe = 1;
    o.rtol = o.atol = x->tol > 0 ? x->tol : 1e-6;
    o.jacobian = x->jacobian ? x->jacobian : o.jacobian;
    o.method = x->method ? x->method : o.method;
    o.step = x->step;
    o.threads = x->threads > 0 ? x->threads : 1;
    if (x->step > 0 && resida_option_fits(resida_option_find("start_up"), x->form ? x->form : "ggl", o.method))
        o.start_up = RESIDA_START_UP_RADAU;
    gyro_start(&r->g, r->p0, r->v0);
    resida_status status = resida_problem_create(&r->problem, &m, &po, why);
    if (status >= 0) status = resida_solver_create(&r->solver, r->problem, &o, why);
    if (status < 0) return status;
    status = resida_solver_start(r->solver, 0, r->p0, r->v0, so, report);
    if (status < 0) snprintf(why->text, sizeof why->text, "%s", resida_solver_message(r->solver));
    return status;
}

static void close_run(run *r)
{
    resida_solver_free(r->solver);
    resida_problem_free(r->problem);
}

static void open_fine(run *r, const variant *x)
{
    resida_message why = {""};
    if (open_run(r, x, NULL, NULL, &why) < 0) fail_msg("%s: %s", x->form ? x->form : "", why.text);
}

static double off(run *r)
{
    resida_state at;
    double k = NAN;
    assert_int_equal(resida_solver_state(r->solver, &at), RESIDA_OK);
    if (r->g.n_k == 0) return gyro_off(&r->g, at.p) / 2;
    assert_int_equal(resida_problem_invariants(r->problem, at.t, at.p, &k), RESIDA_OK);
    return k;
}

/* |k| at the ends of steps and at outputs between them, to t_end. */
static double worst_of(const variant *x, double t_end, int outputs)
{
    run r;
    resida_state at;
    double worst = 0;
    open_fine(&r, x);
    for (int i = 1; i <= outputs; i++) {
        const double t = t_end * i / outputs;
        do {
            if (resida_solver_step(r.solver, t) < 0) fail_msg("%s: %s", x->form, resida_solver_message(r.solver));
            worst = fmax(worst, fabs(off(&r)));
            assert_int_equal(resida_solver_state(r.solver, &at), RESIDA_OK);
        } while (at.t < t);
    }
    close_run(&r);
    return worst;
}

/* The end at t = 1: q, then lam. */
static void end_of(const variant *x, double *end)
{
    run r;
    resida_state at;
    open_fine(&r, x);
    if (resida_solver_advance(r.solver, 1) != RESIDA_OK) fail_msg("%s: %s", x->form, resida_solver_message(r.solver));
    assert_int_equal(resida_solver_state(r.solver, &at), RESIDA_OK);
    memset(end, 0, 7 * sizeof *end);
    memcpy(end, x->g.is_joint ? at.p + 3 : at.p, 4 * sizeof *end);
    if (x->g.is_joint) memcpy(end + 4, at.lam, 3 * sizeof *end);
    close_run(&r);
}

static double apart(const double *x, const double *y, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = isfinite(x[i]) ? fmax(most, fabs(x[i] - y[i])) : INFINITY;
    return most;
}

/* To 20 s at 1e-4, 1e-5, 1e-8: a tenth of the tolerance is asked for. */
static void every_form_holds(const char *jacobian)
{
    static const double tols[] = {1e-4, 1e-5, 1e-8};
    double worst = 0;
    for (int t = 0; t < 3; t++)
        for (int formalism = 1; formalism <= 2; formalism++)
            for (int f = -1; f < FORMS; f++) {
                const variant x = {.g = {.is_joint = f >= 0, .n_k = 1},
                                   .form = f < 0 ? "ode" : forms[f],
                                   .jacobian = jacobian,
                                   .formalism = (resida_formalism)formalism,
                                   .tol = tols[t]};
                /* Later a step fails by differences of every setup, where Newton's method finds no end of it. */
                const int is_cut = strcmp(jacobian, "dense") == 0 && f >= 0 && strcmp(forms[f], "state-space") == 0;
                const double k = worst_of(&x, is_cut ? 8 : 20, 200);
                if (!(k <= tols[t] / 10)) fail_msg("%s, formalism %d, %g: |k| = %g", x.form, formalism, tols[t], k);
                worst = fmax(worst, k / tols[t]);
            }
    print_message("%s: |k| at most %.1e of the tolerance\n", jacobian, worst);
}

static void norms_hold_in_every_form_and_formalism(void **state)
{
    (void)state;
    every_form_holds("auto");
}

static void with_full_differences_too(void **state)
{
    (void)state;
    every_form_holds("dense");
}

/* What they are for. */
static void without_invariants_norms_drift_off(void **state)
{
    (void)state;
    const variant x = {.g = {.is_joint = 1}, .tol = 1e-5};
    const double k = worst_of(&x, 20, 200);
    print_message("not held: |k| %.1e at %g\n", k, x.tol);
    assert_true(k > x.tol / 10);
}

static void derivatives_may_be_missing(void **state)
{
    (void)state;
    for (int f = -1; f < FORMS; f++) {
        const variant x = {
            .g = {.is_joint = f >= 0, .n_k = 1, .by_differences = 1}, .form = f < 0 ? "ode" : forms[f], .tol = 1e-5};
        assert_true(worst_of(&x, 2, 100) <= x.tol / 10);
    }
}

static void a_projection_after_steps_holds_invariants_and_constraints(void **state)
{
    (void)state;
    for (int f = 0; f < FORMS; f++) {
        if (strcmp(forms[f], "index3") == 0 || strcmp(forms[f], "augmented") == 0) continue;
        variant x = {.g = {.is_joint = 1, .n_k = 1}, .form = forms[f], .tol = 1e-5, .step_projection = 1};
        run r;
        double g[3];
        resida_state at;
        assert_true(worst_of(&x, 2, 100) <= 1e-14);
        open_fine(&r, &x);
        for (int i = 0; i < 100; i++) {
            assert_int_equal(resida_solver_step(r.solver, 100), RESIDA_OK);
            assert_int_equal(resida_solver_state(r.solver, &at), RESIDA_OK);
            assert_int_equal(resida_problem_constraints(r.problem, at.t, at.p, at.v, g, NULL), RESIDA_OK);
            assert_true(apart(g, (const double[3]){0}, 3) < 1e-10 && fabs(off(&r)) < 1e-14);
        }
        close_run(&r);
    }
}

/* --- the order of methods --- */

typedef struct ordered {
    const char *method;
    double order, h;
} ordered;
static const ordered methods[] = {
    {"bdf1", 1, 1.0 / 128},        {"bdf2", 2, 1.0 / 128},      {"bdf3", 3, 1.0 / 128},
    {"bdf4", 4, 1.0 / 128},        {"bdf5", 5, 1.0 / 64},       {"midpoint", 2, 1.0 / 128},
    {"newmark", 2, 1.0 / 128},     {"hht", 2, 1.0 / 128},       {"generalized-alpha", 2, 1.0 / 128},
    {"radau-iia-2", 3, 1.0 / 128}, {"radau-iia-3", 5, 1.0 / 24}};
enum { METHODS = sizeof methods / sizeof *methods };

/* Errors of q with steps of h and h/2, with or without the invariant. */
static void errors_of(const char *method, const char *form, int n_k, double h, const double *right, double *error)
{
    for (int i = 0; i < 2; i++) {
        double end[7];
        const variant x = {.g = {.is_joint = strcmp(form, "ode") != 0, .n_k = n_k},
                           .form = form,
                           .method = method,
                           .step = h / (1 + i),
                           .tol = 1e-12};
        end_of(&x, end);
        error[i] = apart(end, right, 4);
    }
}

static void the_order_of_every_method_is_what_it_was(void **state)
{
    (void)state;
    static const char *const some[] = {"ode", "index3", "ggl", "projected1", "hiller-anantharaman"};
    double right[7];
    const variant exact = {.g = {.is_joint = 1}, .method = "radau-iia-3", .step = 1.0 / 1024, .tol = 1e-13};
    end_of(&exact, right);
    for (int f = 0; f < 5; f++)
        for (int i = 0; i < METHODS; i++) {
            double without[2], with[2];
            errors_of(methods[i].method, some[f], 0, methods[i].h, right, without);
            errors_of(methods[i].method, some[f], 1, methods[i].h, right, with);
            const double order = log2(with[0] / with[1]);
            if (order < methods[i].order - 0.2 || with[1] > 1.1 * without[1])
                fail_msg("%s, %s: order %.2f, error %.2g instead of %.2g", some[f], methods[i].method, order, with[1],
                         without[1]);
        }
}

/* Steps, and outputs between them. */
static void steps_of_a_fixed_size_hold_norms(void **state)
{
    (void)state;
    for (int i = 0; i < METHODS; i++)
        for (int f = -1; f < FORMS; f++) {
            const variant x = {.g = {.is_joint = f >= 0, .n_k = 1},
                               .form = f < 0 ? "ode" : forms[f],
                               .method = methods[i].method,
                               .step = 0.004,
                               .tol = 1e-7};
            const double k = worst_of(&x, 0.5, 70);
            if (!(k <= 1e-14)) fail_msg("%s, %s: |k| = %g", x.form, x.method, k);
        }
}

/* With rows that hold in the middle of the step its ends would be off by h^2, the multiplier by h. */
static void the_midpoint_rule_holds_norms_at_the_end_of_steps(void **state)
{
    (void)state;
    for (int f = -1; f < FORMS; f++) {
        const variant x = {.g = {.is_joint = f >= 0, .n_k = 1},
                           .form = f < 0 ? "ode" : forms[f],
                           .method = "midpoint",
                           .step = 0.01,
                           .tol = 1e-9};
        run r;
        resida_state at;
        resida_layout l;
        double worst = 0;
        open_fine(&r, &x);
        assert_int_equal(resida_problem_layout(r.problem, &l), RESIDA_OK);
        for (int i = 1; i <= 50; i++) {
            assert_int_equal(resida_solver_step(r.solver, 1), RESIDA_OK);
            assert_int_equal(resida_solver_state(r.solver, &at), RESIDA_OK);
            if (!l.rates) worst = fmax(worst, fabs(at.y[l.eta_k]));
        }
        const int is_frozen = f >= 0 && strcmp(forms[f], "state-space") == 0; /* its D has a part along K' */
        if (!(worst <= (is_frozen ? 5e-3 : 1e-6))) fail_msg("%s: eta_k %g", x.form, worst);
        close_run(&r);
    }
}

static void a_method_for_velocities_that_are_rates_of_positions_says_so(void **state)
{
    (void)state;
    run r;
    resida_message why = {""};
    const variant x = {.g = {.n_k = 1}, .form = "ode", .method = "energy-decaying", .step = 0.01};
    assert_int_equal(open_run(&r, &x, NULL, NULL, &why), RESIDA_ERR_OPTION);
    assert_non_null(strstr(why.text, "p' = v"));
    close_run(&r);
}

static void errors_of_the_default_are_no_larger(void **state)
{
    (void)state;
    double right[7], end[2][7];
    const variant exact = {.g = {.is_joint = 1}, .method = "radau-iia-3", .step = 1.0 / 1024, .tol = 1e-13};
    end_of(&exact, right);
    for (int formalism = 1; formalism <= 2; formalism++)
        for (int f = -1; f < FORMS; f++) {
            for (int n_k = 0; n_k < 2; n_k++) {
                const variant x = {.g = {.is_joint = f >= 0, .n_k = n_k},
                                   .form = f < 0 ? "ode" : forms[f],
                                   .formalism = (resida_formalism)formalism,
                                   .tol = 1e-8};
                end_of(&x, end[n_k]);
            }
            const double without = apart(end[0], right, 4), with = apart(end[1], right, 4);
            if (with > 3 * without + 1e-8) fail_msg("form %d, %d: %.2g instead of %.2g", f, formalism, with, without);
        }
}

static void several_threads_give_the_same_bits(void **state)
{
    (void)state;
    double one[7], two[7];
    variant x = {.g = {.is_joint = 1, .n_k = 1}, .jacobian = "dense", .threads = 1};
    end_of(&x, one);
    x.threads = 3;
    end_of(&x, two);
    assert_memory_equal(one, two, sizeof one);
}

/* --- the start --- */

static void the_start_normalises(void **state)
{
    (void)state;
    static const double stretches[] = {1.7, 0.4, 1e-3, 1 + 1e-9};
    for (int joint = 0; joint < 2; joint++)
        for (int i = 0; i < 4; i++) {
            run r;
            resida_message why = {""};
            resida_start_report report;
            resida_state at;
            double g[3], s = stretches[i], q[4];
            const variant x = {.g = {.is_joint = joint, .n_k = 1, .stretch = s}};
            if (open_run(&r, &x, NULL, &report, &why) < 0) fail_msg("%s", why.text);
            assert_true(fabs(report.k_before - fabs(s * s - 1) / 2) <= 1e-12 && report.k_after <= 1e-15);
            assert_int_equal(resida_solver_state(r.solver, &at), RESIDA_OK);
            for (int k = 0; k < 4; k++) q[k] = r.p0[3 * joint + k] / s;
            assert_true(apart(at.p + 3 * joint, q, 4) <= 1e-14); /* the shortest way */
            assert_int_equal(resida_problem_constraints(r.problem, 0, at.p, at.v, joint ? g : NULL, NULL), RESIDA_OK);
            if (joint) assert_true(apart(g, (const double[3]){0}, 3) <= 1e-14);
            assert_int_equal(resida_solver_advance(r.solver, 0.1), RESIDA_OK);
            close_run(&r);
        }
}

/* Both kinds of rows off: neither projection undoes the other. */
static void the_start_finds_norms_and_constraints_together(void **state)
{
    (void)state;
    run r;
    resida_message why = {""};
    resida_start_report report;
    const variant x = {.g = {.is_joint = 1, .n_k = 1}};
    if (open_run(&r, &x, NULL, NULL, &why) < 0) fail_msg("%s", why.text);
    for (int i = 0; i < 7; i++) r.p0[i] += 0.05 * (1 + i % 3);
    assert_int_equal(resida_solver_start(r.solver, 0, r.p0, r.v0, NULL, &report), RESIDA_OK);
    assert_true(report.g_before > 0.01 && report.k_before > 0.01);
    assert_true(report.g_after <= 1e-14 && report.k_after <= 1e-14);
    close_run(&r);
}

static void no_way_to_an_invariant_is_said(void **state)
{
    (void)state;
    run r;
    resida_message why = {""};
    const variant x = {.g = {.n_k = 1}};
    if (open_run(&r, &x, NULL, NULL, &why) < 0) fail_msg("%s", why.text);
    const double nowhere[4] = {0};
    assert_int_equal(resida_solver_start(r.solver, 0, nowhere, r.v0, NULL, NULL), RESIDA_ERR_INCONSISTENT);
    assert_non_null(strstr(resida_solver_message(r.solver), "invariants at t = 0: |k| = 0.5"));
    close_run(&r);
}

static void what_velocities_change_is_no_invariant(void **state)
{
    (void)state;
    for (int joint = 0; joint < 2; joint++) {
        run r;
        resida_message why = {""};
        const variant x = {.g = {.is_joint = joint, .n_k = 1, .twist = 1e-3}};
        assert_int_equal(open_run(&r, &x, NULL, NULL, &why), RESIDA_ERR_MODEL);
        assert_non_null(strstr(why.text, "invariant k[0] is changed by velocities"));
        assert_non_null(strstr(why.text, "kinematic_matrix"));
        close_run(&r);
    }
}

/* --- norms in the wrong place --- */

static void a_norm_among_the_constraints_is_named(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) /* dg/dp given or not; a q without zeros, or one of them alone is none */
        for (int formalism = 1; formalism <= 2; formalism++)
            for (int f = 0; f < FORMS; f++) {
                run r;
                resida_message why = {""};
                const variant x = {
                    .g = {.is_joint = 1, .norm_is_row = 1, .by_differences = way & 1, .is_upright = way / 2},
                    .form = forms[f],
                    .formalism = (resida_formalism)formalism};
                assert_int_equal(open_run(&r, &x, NULL, NULL, &why), RESIDA_ERR_REDUNDANT);
                assert_non_null(strstr(why.text, "1 of 4 constraints redundant"));
                assert_non_null(strstr(why.text, "no velocity changes g[3]"));
                assert_non_null(strstr(why.text, "invariants (n_k, invariant)"));
                close_run(&r);
            }
}

static void also_where_it_is_dropped(void **state)
{
    (void)state;
    run r;
    resida_message why = {""};
    resida_start_options so;
    resida_start_report report;
    double p[7], v[6], a[6], lam[4];
    resida_start_options_init(&so);
    so.redundant = RESIDA_REDUNDANT_DROP;
    const variant x = {.g = {.is_joint = 1, .norm_is_row = 1}};
    if (open_run(&r, &x, &so, &report, &why) < 0) fail_msg("%s", why.text);
    assert_int_equal(report.n_redundant, 1);
    assert_int_equal(report.redundant[0], 3);
    assert_int_equal(resida_problem_start(r.problem, 0, r.p0, r.v0, &so, p, v, a, lam, NULL, &why), RESIDA_OK);
    assert_non_null(strstr(why.text, "no velocity changes g[3]"));
    close_run(&r);
}

/* --- several invariants, and callbacks that fail --- */

/* Two circles in four coordinates, the second invariant is of both: p' = (-p1 v0, p0 v0, -p3 v1, p2 v1). */
typedef struct circles {
    int twice;   /**< the second invariant is the first once more */
    long calls;  /**< of the invariants */
    long at;     /**< the call from which on they fail; 0: never */
    int verdict; /**< what they return then; 0: NaN */
} circles;

static int circles_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                            double *r, void *user)
{
    (void)t, (void)v, (void)e, (void)user;
    for (int i = 0; i < 2; i++) r[i] = a[i] + p[2 * i] * p[2];
    return 0;
}

static int circles_kinematics(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    (void)t, (void)e, (void)user;
    const double all[8] = {-p[1], 0, p[0], 0, 0, -p[3], 0, p[2]};
    memcpy(T, all, sizeof all);
    return 0;
}

static int circles_invariant(double t, const double *p, const resida_excitation *e, double *k, void *user)
{
    (void)t, (void)e;
    circles *c = user;
    k[0] = (p[0] * p[0] + p[1] * p[1] - 1) / 2;
    k[1] = c->twice ? k[0] : k[0] + (p[2] * p[2] + p[3] * p[3] - 1) / 2;
    if (++c->calls < c->at || c->at == 0) return 0;
    if (c->verdict == 0) k[1] = NAN;
    return c->verdict;
}

static void open_circles(circles *c, resida_problem **problem, resida_solver **s)
{
    resida_mechanism m;
    resida_message why = {""};
    resida_mechanism_init(&m);
    m.name = "circles";
    m.n_p = 4, m.n_v = 2, m.n_k = 2;
    m.user = c;
    m.residual = circles_residual;
    m.kinematic_matrix = circles_kinematics;
    m.invariant = circles_invariant;
    if (resida_problem_create(problem, &m, NULL, &why) < 0 || resida_solver_create(s, *problem, NULL, &why) < 0)
        fail_msg("%s", why.text);
}

static void invariants_may_share_coordinates(void **state)
{
    (void)state;
    circles c = {0};
    resida_problem *problem;
    resida_solver *s;
    resida_state at;
    resida_layout l;
    char name[20];
    const double p0[4] = {0.6, 0.9, 1.1, -0.3}, v0[2] = {1, -2};
    open_circles(&c, &problem, &s);
    assert_int_equal(resida_problem_layout(problem, &l), RESIDA_OK);
    assert_int_equal(l.n_k, 2);
    assert_int_equal(l.eta_k, 6);
    assert_int_equal(l.n, 8);
    assert_int_equal(resida_problem_kinds(problem)[7], RESIDA_ALGEBRAIC_2);
    assert_int_equal(resida_problem_component_name(problem, 7, name, sizeof name), RESIDA_OK);
    assert_string_equal(name, "eta_k[1]");
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    for (int i = 0; i <= 50; i++) {
        double k[2];
        assert_int_equal(resida_solver_advance(s, 0.1 * i), RESIDA_OK);
        assert_int_equal(resida_solver_state(s, &at), RESIDA_OK);
        assert_int_equal(resida_problem_invariants(problem, at.t, at.p, k), RESIDA_OK);
        assert_true(fabs(k[0]) <= 1e-14 && fabs(k[1]) <= 1e-14);
    }
    resida_solver_free(s);
    resida_problem_free(problem);
}

static void an_invariant_given_twice_is_named(void **state)
{
    (void)state;
    circles c = {.twice = 1};
    resida_problem *problem;
    resida_solver *s;
    const double p0[4] = {1, 0, 1, 0}, v0[2] = {1, -2};
    open_circles(&c, &problem, &s);
    resida_status status = resida_solver_start(s, 0, p0, v0, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(s, 1);
    print_message("%s\n", resida_solver_message(s));
    assert_int_equal(status, RESIDA_ERR_SINGULAR);
    assert_non_null(strstr(resida_solver_message(s), "eta_k["));
    resida_solver_free(s);
    resida_problem_free(problem);
}

/* From each of its calls on. */
static void a_callback_that_fails_is_named(void **state)
{
    (void)state;
    static const int verdicts[] = {-1, 1, 0};
    const double p0[4] = {1, 0, 1, 0}, v0[2] = {1, -2};
    for (int q = 0; q < 3; q++)
        for (long at = 1; at < 150; at += at < 40 ? 1 : 7) {
            circles c = {.at = at, .verdict = verdicts[q]};
            resida_problem *problem;
            resida_solver *s;
            open_circles(&c, &problem, &s);
            resida_status status = resida_solver_start(s, 0, p0, v0, NULL, NULL);
            for (int i = 1; i <= 10 && status >= 0; i++) status = resida_solver_advance(s, i);
            assert_true(status == RESIDA_ERR_USER || (q == 1 && status == RESIDA_ERR_USER_REPEATED) ||
                        (q == 2 && status == RESIDA_ERR_NONFINITE));
            if (!strstr(resida_solver_message(s), "invariant")) fail_msg("%ld: %s", at, resida_solver_message(s));
            if (q == 0) assert_int_equal(c.calls, at); /* no further one */
            resida_solver_free(s);
            resida_problem_free(problem);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(norms_hold_in_every_form_and_formalism),
        cmocka_unit_test(with_full_differences_too),
        cmocka_unit_test(without_invariants_norms_drift_off),
        cmocka_unit_test(derivatives_may_be_missing),
        cmocka_unit_test(a_projection_after_steps_holds_invariants_and_constraints),
        cmocka_unit_test(the_order_of_every_method_is_what_it_was),
        cmocka_unit_test(steps_of_a_fixed_size_hold_norms),
        cmocka_unit_test(the_midpoint_rule_holds_norms_at_the_end_of_steps),
        cmocka_unit_test(a_method_for_velocities_that_are_rates_of_positions_says_so),
        cmocka_unit_test(errors_of_the_default_are_no_larger),
        cmocka_unit_test(several_threads_give_the_same_bits),
        cmocka_unit_test(the_start_normalises),
        cmocka_unit_test(the_start_finds_norms_and_constraints_together),
        cmocka_unit_test(no_way_to_an_invariant_is_said),
        cmocka_unit_test(what_velocities_change_is_no_invariant),
        cmocka_unit_test(a_norm_among_the_constraints_is_named),
        cmocka_unit_test(also_where_it_is_dropped),
        cmocka_unit_test(invariants_may_share_coordinates),
        cmocka_unit_test(an_invariant_given_twice_is_named),
        cmocka_unit_test(a_callback_that_fails_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
