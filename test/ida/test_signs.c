/* test_signs.c - the option sign_each: a step that ends with a wrong sign is cut, and where none can have the right one
 * the run ends by the name of the component. */
#include "test/fixtures/claims.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/solver_fixture.h"

/* Michaelis and Menten: y' = -y/(K + y), nearly -1 until y comes to K, whose solution stays positive:
 *
 *     K ln y + y = 1 - t */
#define K 1e-3

static int eats(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + y[0] / (K + fabs(y[0]));
    return 0;
}

/* y' = -1 */
static int falls(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + 1;
    return 0;
}

typedef struct run {
    resida_problem *problem;
    resida_solver *solver;
    double least, largest; /* y where steps end */
} run;

static int see(const resida_step *step, void *user)
{
    run *r = user;
    r->least = fmin(r->least, step->at.y[0]);
    r->largest = fmax(r->largest, step->at.y[0]);
    return 0;
}

static void open_run(run *r, resida_dae_residual_fn *F, const int *sign, double tol)
{
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    d.n = 1;
    d.residual = F;
    d.user = NULL;
    o.rtol = o.atol = tol;
    o.sign_each = sign;
    o.accepted = see, o.accepted_user = r;
    r->least = INFINITY, r->largest = -INFINITY;
    test_solver_make_dae(&r->problem, &r->solver, &d, NULL, &o);
}

CLAIM(steps_end_with_the_sign_that_they_must_have)
{
    for (int sign = 0; sign <= 2; sign++) {
        run r;
        open_run(&r, eats, &sign, 1e-2);
        assert_int_equal(resida_solver_start_dae(r.solver, 0, &(double){1}, &(double){-1 / (K + 1)}), RESIDA_OK);
        assert_int_equal(resida_solver_advance(r.solver, 3), RESIDA_OK);
        if (sign == 0) assert_true(r.least < 0);
        if (sign == 1) assert_true(r.least >= 0);
        if (sign == 2) assert_true(r.least > 0);
        assert_true(fabs(test_state(r.solver).y[0]) < 2e-2);
    }
}

/* Where outputs, and what is interpolated in the last step, are looked at every 1e-3 s. */
CLAIM(outputs_between_steps_have_the_sign_too)
{
    for (int sign = 0; sign <= 2; sign++) {
        run r;
        double least = INFINITY, y, yp;
        open_run(&r, eats, &sign, 1e-2);
        assert_int_equal(resida_solver_start_dae(r.solver, 0, &(double){1}, &(double){-1 / (K + 1)}), RESIDA_OK);
        for (int i = 1; i <= 3000; i++) {
            assert_int_equal(resida_solver_advance(r.solver, i * 1e-3), RESIDA_OK);
            assert_int_equal(resida_solver_interpolate(r.solver, i * 1e-3, &y, &yp), RESIDA_OK);
            least = fmin(least, fmin(y, test_state(r.solver).y[0]));
        }
        if (sign == 0) assert_true(least < 0);
        if (sign == 1) assert_true(least >= 0);
        if (sign == 2) assert_true(least > 0);
    }
}

/* y = 1 - t may be zero at t = 1, and not beyond it; y = t - 1 the other way round. */
static int rises(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - 1;
    return 0;
}

CLAIM(a_run_in_which_no_step_keeps_the_sign_ends_by_name)
{
    static const char *const says[] = {"must be < 0", "must be <= 0", "", "must be >= 0", "must be > 0"};
    for (int sign = -2; sign <= 2; sign++) {
        if (sign == 0) continue;
        run r;
        open_run(&r, sign > 0 ? falls : rises, &sign, 1e-6);
        const double y0 = sign > 0 ? 1 : -1, yp0 = -y0;
        assert_int_equal(resida_solver_start_dae(r.solver, 0, &y0, &yp0), RESIDA_OK);
        assert_int_equal(resida_solver_advance(r.solver, 2), RESIDA_ERR_SIGN);
        const char *message = resida_solver_message(r.solver);
        if (!strstr(message, "component y[0]") || !strstr(message, says[sign + 2])) fail_msg("%s", message);
        assert_true(fabs(test_state(r.solver).t - 1) < 1e-3);
        assert_true(sign > 0 ? r.least >= 0 : r.largest <= 0);
    }
}

CLAIM(a_start_with_a_wrong_sign_is_refused_by_name)
{
    static const int sign = 1;
    run r;
    open_run(&r, small_decay, &sign, 1e-6);
    assert_int_equal(resida_solver_start_dae(r.solver, 0, &(double){-1}, &(double){1}), RESIDA_ERR_SIGN);
    assert_string_equal(resida_solver_message(r.solver),
                        "component y[0] = -1 at t = 0, must be >= 0 (sign_each) at a start");
    assert_int_equal(resida_solver_start_dae(r.solver, 0, &(double){1}, &(double){-1}), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, 1), RESIDA_OK);
    assert_true(fabs(test_state(r.solver).y[0] - exp(-1)) < 1e-4);
}
