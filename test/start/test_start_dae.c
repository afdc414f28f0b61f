/* test_start_dae.c - the consistent start of general DAEs: yp0 = NULL for problems of index 1 whose derivatives are
 * known exactly; higher indices refused by name; a failing start leaves the solver as it was.
 *
 * F is linear in yp, so Newton's method ends at rounding: EXACT is 100 eps relative to the largest component. */
#include "test/fixtures/check_contract.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

#define EXACT (100 * DBL_EPSILON)

typedef struct runner {
    resida_problem *problem;
    resida_solver *s;
    int n;
} runner;

static runner open_dae(const resida_dae *d)
{
    runner r = {.n = d->n};
    resida_solver_options o = test_solver_options();
    o.rtol = 1e-6, o.atol = 1e-10;
    r.problem = test_problem_dae(d, NULL);
    r.s = test_solver_of(r.problem, &o);
    return r;
}

static long start_calls(const runner *r)
{
    resida_stats stats = test_stats(r->s);
    assert_int_equal(stats.residual_calls.start, stats.residual_calls.total);
    return stats.residual_calls.start;
}

/* How many warnings there are, or 1: the first begins so. */
static int warnings(const runner *r, const char *begins)
{
    resida_stats stats = test_stats(r->s);
    if (!begins || stats.n_warnings == 0) return stats.n_warnings;
    return strncmp(stats.warnings[0], begins, strlen(begins)) == 0;
}

/* Start from y0 with its algebraic components off by `off`; y and the derivatives of the others must be the model's. */
static void check_found(const char *model, double off)
{
    double y0[8], worst = 0, size = 0;
    bench *b = bench_make(model, NULL);
    const resida_dae *d = &b->model.dae;
    runner r = open_dae(d);
    for (int i = 0; i < d->n; i++) y0[i] = b->model.y0[i] + (d->kinds[i] == RESIDA_ALGEBRAIC ? off : 0);
    if (resida_solver_start_dae(r.s, 0, y0, NULL) != RESIDA_OK) fail_msg("%s", resida_solver_message(r.s));
    resida_state at = test_state(r.s);
    for (int i = 0; i < d->n; i++) {
        int algebraic = d->kinds[i] == RESIDA_ALGEBRAIC;
        const double *got = algebraic ? at.y : at.yp, *exact = algebraic ? b->model.y0 : b->model.yp0;
        worst = fmax(worst, fabs(got[i] - exact[i]));
        size = fmax(size, fabs(exact[i]));
        if (!algebraic) assert_true(at.y[i] == y0[i]);
    }
    print_message("%s, algebraic components off by %g: found to %.1e after %ld calls\n", model, off, worst / size,
                  start_calls(&r));
    assert_true(worst <= EXACT * size);
}

CLAIM(derivatives_of_akzo_and_robertson_are_found_exactly)
{
    check_found("akzo", 0);
    check_found("robertson", 0);
}

CLAIM(algebraic_components_are_found_with_them)
{
    check_found("akzo", 0.3);
    check_found("robertson", -0.7);
}

CLAIM(given_derivatives_cost_two_calls_once_and_are_taken_as_they_are)
{
    bench *b = bench_make("akzo", NULL);
    runner r = open_dae(&b->model.dae);
    assert_int_equal(resida_solver_start_dae(r.s, 0, b->model.y0, b->model.yp0), RESIDA_OK);
    assert_memory_equal(test_state(r.s).y, b->model.y0, 6 * sizeof(double));
    assert_memory_equal(test_state(r.s).yp, b->model.yp0, 6 * sizeof(double));
    assert_int_equal(start_calls(&r), 2);
    assert_int_equal(resida_solver_start_dae(r.s, 0, b->model.y0, b->model.yp0), RESIDA_OK);
    assert_int_equal(start_calls(&r), 2);
    assert_int_equal(warnings(&r, NULL), 0);
}

/* Where one component of y0 or yp0 is off by so much, a line says so, and the integration goes on from there as well as
 * it can. */
static void check_warned(const char *model, int i, double off_y, double off_yp, int expected)
{
    double y0[8], yp0[8];
    bench *b = bench_make(model, NULL);
    runner r = open_dae(&b->model.dae);
    memcpy(y0, b->model.y0, (size_t)r.n * sizeof *y0);
    memcpy(yp0, b->model.yp0, (size_t)r.n * sizeof *yp0);
    y0[i] += off_y;
    yp0[i] *= 1 + off_yp;
    assert_int_equal(resida_solver_start_dae(r.s, 0, y0, yp0), RESIDA_OK);
    if (warnings(&r, "start: y0 and yp0 are not consistent: F[") != expected)
        fail_msg("%s, %d, %g, %g: not so", model, i, off_y, off_yp);
}

CLAIM(an_inconsistent_given_start_is_reported)
{
    check_warned("robertson", 2, 0, 0, 0);
    check_warned("robertson", 2, 1e-9, 0, 0); /* ten tolerances, atol 1e-10 */
    check_warned("robertson", 2, 1e-2, 0, 1);
    check_warned("robertson", 0, 0, 1e-3, 0);
    check_warned("robertson", 0, 0, 1, 1);
    check_warned("akzo", 5, 1e-1, 0, 1);
    for (int i = 0; i < 5; i++) check_warned("akzo", i, 0, 2e-2, 0);
    check_warned("akzo", 0, 0, 0.5, 1);
}

/* The ids of IDA as kinds, and one wrong kind. */
CLAIM(a_component_whose_derivative_occurs_in_F_is_not_algebraic)
{
    static const char *const models[] = {"akzo", "robertson"};
    for (int k = 0; k < 2; k++)
        for (int all = 0; all < 2; all++) {
            resida_kind kinds[8];
            bench *b = bench_make(models[k], NULL);
            resida_dae d = b->model.dae;
            for (int i = 0; i < d.n; i++) kinds[i] = all ? (resida_kind)(1 - d.kinds[i]) : d.kinds[i];
            const int wrong = all ? 0 : 1;
            kinds[wrong] = RESIDA_ALGEBRAIC;
            d.kinds = kinds;
            runner r = open_dae(&d);
            char name[80];
            resida_problem_component_name(r.problem, wrong, name, sizeof name);
            const char *says = claims_text("%s is declared algebraic, and F depends on its derivative", name);
            assert_int_equal(resida_solver_start_dae(r.s, 0, b->model.y0, b->model.yp0), RESIDA_ERR_MODEL);
            if (!strstr(resida_solver_message(r.s), says)) fail_msg("%s", resida_solver_message(r.s));
        }
}

/* Without yp0 the start would set y to 0. */
CLAIM(a_start_that_moves_an_algebraic_component_checks_its_kind)
{
    static const resida_kind kinds[] = {RESIDA_ALGEBRAIC};
    resida_dae d = test_dae();
    d.n = 1, d.kinds = kinds, d.residual = small_decay;
    const runner r = open_dae(&d);
    assert_int_equal(resida_solver_start_dae(r.s, 0, (double[]){1}, NULL), RESIDA_ERR_MODEL);
    assert_non_null(strstr(resida_solver_message(r.s), "y[0] is declared algebraic, and F depends on its derivative"));
}

/* c y0 + c y1 = 2, c y0 = 1: moved to both sides by as much, the sum stays. */
static int balanced(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double c = *(const double *)user;
    r[0] = c * y[0] + c * y[1] - 2;
    r[1] = yp[1] - yp[0] + c * y[0] - 1;
    return 0;
}

static resida_dae two(resida_dae_residual_fn *F, const resida_kind *kinds)
{
    resida_dae d = test_dae();
    d.n = 2, d.residual = F, d.kinds = kinds;
    return d;
}

CLAIM(rounding_in_a_given_start_is_not_reported)
{
    for (double c = 3; c < 1000; c++) {
        const double y0[] = {1 / c, 1 / c}, yp0[] = {0, 0};
        resida_dae d = two(balanced, NULL);
        d.user = &c;
        runner r = open_dae(&d);
        assert_int_equal(resida_solver_start_dae(r.s, 0, y0, yp0), RESIDA_OK);
        if (warnings(&r, NULL) > 0) fail_msg("c = %g: a warning", c);
    }
}

/* y0' = y1, 0 = exp(y1) + y1 - y0: for y0 = 1 + e, y1 is 1. */
static int transcendental(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                          void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = exp(y[1]) + y[1] - y[0];
    return 0;
}

CLAIM(nonlinear_equations_are_solved_to_rounding)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const resida_dae d = two(transcendental, kinds);
    for (int i = -4; i <= 4; i++) {
        const double y0[] = {1 + exp(1), i};
        runner r = open_dae(&d);
        if (resida_solver_start_dae(r.s, 0, y0, NULL) != RESIDA_OK) fail_msg("%s", resida_solver_message(r.s));
        bench_near(test_state(r.s).y[1], 1, 4 * DBL_EPSILON);
        bench_near(test_state(r.s).yp[0], 1, 4 * DBL_EPSILON);
    }
}

/* y0' = -y0, 0 = y1^2/S - 2 y0 in a unit S: for y0 = S, y1 is sqrt(2) S. */
static int in_unit(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double S = *(const double *)user;
    r[0] = yp[0] + y[0];
    r[1] = y[1] * y[1] / S - 2 * y[0];
    return 0;
}

CLAIM(nonlinear_equations_are_solved_in_any_unit)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    for (int i = -18; i <= 9; i += 3) {
        double S = pow(10, i);
        const double y0[] = {S, 9 * S};
        resida_dae d = two(in_unit, kinds);
        d.user = &S;
        resida_solver_options o = test_solver_options();
        o.rtol = 1e-8, o.atol = 1e-8 * S;
        resida_solver *s = test_solver_of(test_problem_dae(&d, NULL), &o);
        if (resida_solver_start_dae(s, 0, y0, NULL) != RESIDA_OK) fail_msg("%g: %s", S, resida_solver_message(s));
        bench_near(test_state(s).y[1] / S, sqrt(2), 1e-8);
        bench_near(test_state(s).yp[0] / S, -1, 1e-8);
    }
}

/* y0' = -y0, 0 = y1/E - y0: a strain, and its stress with Young's modulus E. */
static int stress(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double *E = user;
    r[0] = yp[0] + y[0];
    r[1] = y[1] / *E - y[0];
    return 0;
}

CLAIM(an_algebraic_component_of_a_large_unit_is_found_from_0)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    for (int i = 0; i <= 15; i += 3)
        for (int strain = 0; strain <= 1; strain++) {
            double E = 2 * pow(10, i);
            const double y0[] = {strain, 0};
            resida_dae d = two(stress, kinds);
            d.user = &E;
            runner r = open_dae(&d);
            if (resida_solver_start_dae(r.s, 0, y0, NULL) != RESIDA_OK)
                fail_msg("%g: %s", E, resida_solver_message(r.s));
            bench_near(test_state(r.s).y[1] / E, strain, 1e-12);
            assert_int_equal(resida_solver_advance(r.s, 1), RESIDA_OK);
            bench_near(test_state(r.s).y[1] / E, strain * exp(-1), 1e-4);
        }
}

/* exp(y0') = y0, and a diode without a resistor: Newton's first step leads to where exp() is infinite. */
static int exponential(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = exp(yp[0]) - y[0];
    r[1] = exp(y[1]) - 1e6;
    return 0;
}

CLAIM(steps_to_where_F_is_infinite_are_shortened)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const double y0[] = {1e6, 0};
    const resida_dae d = two(exponential, kinds);
    runner r = open_dae(&d);
    if (resida_solver_start_dae(r.s, 0, y0, NULL) != RESIDA_OK) fail_msg("%s", resida_solver_message(r.s));
    bench_near(test_state(r.s).y[1], log(1e6), 1e-12);
    bench_near(test_state(r.s).yp[0], log(1e6), 1e-9 * (1 + log(1e6))); /* the last correction is less */
}

/* y0' = -y1, 0 = y1 - y0, but only for y0 <= 1: an integration that goes on after a start that was refused. */
static int decay(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + y[1];
    r[1] = y[0] <= 1 ? y[1] - y[0] : y[1] * y[1] + 1;
    return 0;
}

CLAIM(a_component_at_zero_is_corrected_with_any_absolute_tolerance)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const double y0[] = {1, 0};
    const resida_dae d = two(decay, kinds);
    for (int i = 0; i <= 300; i += 5) {
        resida_solver_options o = test_solver_options();
        o.rtol = 1e-6, o.atol = pow(10, -i);
        resida_solver *s = test_solver_of(test_problem_dae(&d, NULL), &o);
        if (resida_solver_start_dae(s, 0, y0, NULL) != RESIDA_OK) fail_msg("%g: %s", o.atol, resida_solver_message(s));
        bench_near(test_state(s).y[1], 1, 4 * DBL_EPSILON);
        bench_near(test_state(s).yp[0], -1, 4 * DBL_EPSILON);
    }
}

/* At y = 0 all of F is 0 with yp = 0: one call for F, two for its rounding, two for the matrix that tells the index. */
CLAIM(a_start_that_is_solved_already_costs_n_plus_3_calls)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const double y0[] = {0, 0};
    const resida_dae d = two(decay, kinds);
    runner r = open_dae(&d);
    assert_int_equal(resida_solver_start_dae(r.s, 0, y0, NULL), RESIDA_OK);
    assert_true(test_state(r.s).yp[0] == 0 && test_state(r.s).y[1] == 0);
    assert_int_equal(start_calls(&r), 5);
}

/* y0' = y1, 0 = y0 - sin t: index 2, y1 is found only by differentiation. */
static int index_2(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = y[0] - sin(t);
    return 0;
}

/* 0 = y^2 + 1 */
static int impossible(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = y[1] * y[1] + 1;
    return 0;
}

/* y0 [2] is refused without yp0, with these words. */
static void check_refused(const resida_dae *d, const double *y0, const char *says)
{
    runner r = open_dae(d);
    contract c;
    contract_begin(&c, r.s);
    contract_keep(&c, y0, 2 * sizeof *y0);
    resida_status status = resida_solver_start_dae(r.s, 0, y0, NULL);
    check_contract(&c, status, CONTRACT_SAME_STATE, NULL);
    assert_int_equal(status, RESIDA_ERR_INCONSISTENT);
    if (!strstr(resida_solver_message(r.s), says)) fail_msg("%s", resida_solver_message(r.s));
}

/* Also where F = 0 holds for yp = 0 by chance. */
CLAIM(index_2_is_refused_whether_declared_or_not)
{
    static const resida_kind declared[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC_2};
    static const resida_kind hidden[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const resida_dae said = two(index_2, declared), silent = two(index_2, hidden);
    const double off[] = {0.5, 0.5}, on[] = {0, 0};
    check_refused(&said, off, "y[1] has index 2");
    check_refused(&said, on, "y[1] has index 2");
    check_refused(&silent, off, "index is above 1");
    check_refused(&silent, on, "index is above 1");
}

CLAIM(equations_without_solution_are_refused)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const resida_dae d = two(impossible, kinds);
    for (int i = -3; i <= 3; i++) check_refused(&d, (const double[]){1, 0.7 * i}, "no consistent start of the DAE");
}

CLAIM(a_refused_start_leaves_the_integration_as_it_was)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const resida_dae d = two(decay, kinds);
    runner disturbed = open_dae(&d), quiet = open_dae(&d);
    const double y0[] = {1, 1}, bad[] = {2, 2};
    resida_stats a = {.size = sizeof a}, b = {.size = sizeof b};
    assert_int_equal(resida_solver_start_dae(disturbed.s, 0, y0, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_start_dae(quiet.s, 0, y0, NULL), RESIDA_OK);
    for (int i = 1; i <= 20; i++) {
        contract c;
        assert_int_equal(resida_solver_advance(disturbed.s, 0.1 * i), RESIDA_OK);
        assert_int_equal(resida_solver_advance(quiet.s, 0.1 * i), RESIDA_OK);
        contract_begin(&c, disturbed.s);
        resida_status status = resida_solver_start_dae(disturbed.s, 5, bad, NULL);
        check_contract(&c, status, CONTRACT_SAME_STATE, NULL);
    }
    bench_all_near(2, test_state(disturbed.s).y, test_state(quiet.s).y, 1e-6);
    bench_near(test_state(disturbed.s).y[0], exp(-2), 1e-5);
    a = test_stats(disturbed.s);
    b = test_stats(quiet.s);
    print_message("steps %ld, quiet %ld; failed iterations %ld, quiet %ld\n", a.steps, b.steps, a.newton_fails,
                  b.newton_fails);
    assert_int_equal(a.newton_fails, b.newton_fails);
    assert_true(labs(a.steps - b.steps) <= b.steps / 5); /* J is set up anew */
}

/* y0' = y0 (1 - y1/S), y1' = -y1 (1 - y0/S): F is of size S, by a large increment alone it shows that y' is in it. */
static int prey(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double S = *(const double *)user;
    r[0] = yp[0] - y[0] * (1 - y[1] / S);
    r[1] = yp[1] + y[1] * (1 - y[0] / S);
    return 0;
}

CLAIM(large_components_keep_their_values)
{
    for (double S = 1; S < 1e301; S *= 1e10) {
        resida_dae d = test_dae();
        d.n = 2, d.residual = prey, d.user = &S;
        runner r = open_dae(&d);
        if (resida_solver_start_dae(r.s, 0, (double[]){S, 2 * S}, NULL) != RESIDA_OK)
            fail_msg("S = %g: %s", S, resida_solver_message(r.s));
        const resida_state at = test_state(r.s);
        if (at.y[0] != S || at.y[1] != 2 * S) fail_msg("S = %g: y is %g, %g now", S, at.y[0], at.y[1]);
        assert_true(fabs(at.yp[0] + S) <= EXACT * S && fabs(at.yp[1]) <= EXACT * S);
    }
}

/* F lacks yp[1], so that F = 0 tells y[1] = -4 y[0] and nothing of its derivative. */
static int without_a_derivative(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                                void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = y[1] + 4 * y[0];
    return 0;
}

static int oscillator(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 4 * y[0];
    return 0;
}

/* dF/dy of the oscillator alone, alpha dF/dyp forgotten. */
static int without_alpha(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                         double *J, void *user)
{
    memcpy(J, (const double[]){0, -1, 4, 0}, 4 * sizeof *J);
    return 0;
}

static const double y_given[] = {1, 0.5};
static const resida_kind both_differential[] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL};

CLAIM(a_component_that_is_declared_differential_is_not_moved)
{
    const resida_dae d = two(without_a_derivative, both_differential);
    const double near[] = {25, -100.0003}; /* 3 tolerances off: the two are not told by the same digits */
    check_refused(&d, y_given, "y[1], which is declared differential, from 0.5 to -4");
    check_refused(&d, near, "y[1], which is declared differential, from -100.0003 to -100:");
}

CLAIM(a_move_without_kinds_is_a_warning)
{
    const resida_dae d = two(without_a_derivative, NULL);
    runner r = open_dae(&d);
    assert_int_equal(resida_solver_start_dae(r.s, 0, y_given, NULL), RESIDA_OK);
    bench_near(test_state(r.s).y[1], -4, EXACT);
    assert_int_equal(warnings(&r, "start: F = 0 changes y[1] from 0.5 to -4 at t = 0"), 1);
    assert_int_equal(warnings(&r, NULL), 1);
}

CLAIM(a_move_by_a_wrong_jacobian_is_refused_by_its_name)
{
    resida_dae d = two(oscillator, NULL);
    d.jacobian = without_alpha;
    check_refused(&d, y_given, "because of a wrong jacobian: row");
    d.kinds = both_differential;
    check_refused(&d, y_given, "because of a wrong jacobian: row");
}

/* The right-hand side's: of y' = f(y), not of F. */
static int of_f(double t, double alpha, const double *y, const double *yp, const resida_excitation *e, double *J,
                void *user)
{
    memcpy(J, (const double[]){0, 1, -4, 0}, 4 * sizeof *J);
    return 0;
}

CLAIM(a_start_that_a_wrong_jacobian_does_not_find_names_it)
{
    resida_dae d = two(oscillator, NULL);
    d.jacobian = of_f;
    check_refused(&d, y_given, "jacobian: row");
}

CLAIM(mechanisms_and_daes_have_a_start_of_their_own)
{
    bench *b = bench_make("pendulum", NULL);
    resida_solver *s = test_solver(b->m, NULL, NULL);
    assert_int_equal(resida_solver_start_dae(s, 0, b->model.p0, NULL), RESIDA_ERR_STATE);
    assert_non_null(strstr(resida_solver_message(s), "resida_solver_start"));
    const resida_dae d = two(decay, NULL);
    runner r = open_dae(&d);
    assert_int_equal(resida_solver_start(r.s, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_ERR_STATE);
    assert_non_null(strstr(resida_solver_message(r.s), "resida_solver_start_dae"));
}
