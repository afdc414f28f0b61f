/* test_collapse.c - scalar models that cannot be integrated beyond t = 1: a singularity, a blow-up, a sign that
 * chatters, an equation without solution, a callback that refuses or gives NaN. The step collapses; the run must end by
 * itself or within its budget, at the right time, with the cause named. How many calls the square root takes is chance:
 * 1,000 to 39,000 at Newton tolerances of 0.001 to 0.33. */
#include "test/fixtures/check_contract.h"
#include "test/fixtures/solver_fixture.h"

typedef int scalar_fn(double t, double y, double yp, double *r);

typedef struct scalar_model {
    const char *name;
    scalar_fn *F;
    double y0, yp0;
    double t_bad; /* where it cannot go on */
    resida_status right;
    long calls;
} scalar_model;

static int scalar_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                           void *user)
{
    scalar_model *m = user;
    m->calls++;
    return m->F(t, y[0], yp[0], r);
}

static int square_root(double t, double y, double yp, double *r) /* y = sqrt(1 - t) */
{
    r[0] = 2 * y * yp + 1;
    return 0;
}

static int blow_up(double t, double y, double yp, double *r) /* y = 1/(1 - t) */
{
    r[0] = yp - y * y;
    return 0;
}

static int chatter(double t, double y, double yp, double *r) /* y = 1 - t, then neither sign will do */
{
    r[0] = yp + (y > 0 ? 1 : -1);
    return 0;
}

static int no_solution(double t, double y, double yp, double *r) /* y = t, then the residual has no zero */
{
    r[0] = t < 1 ? yp - 1 : 1 + (yp - 1) * (yp - 1);
    return 0;
}

static int leaves_the_domain(double t, double y, double yp, double *r) /* y = 1 - t; refused below 0 */
{
    r[0] = yp + 1;
    return y < 0;
}

static int log_of_zero(double t, double y, double yp, double *r) /* y = 1 - t; NaN below 0 */
{
    r[0] = yp + 1 + 0 * sqrt(y);
    return 0;
}

static int flat_root(double t, double y, double yp, double *r) /* y reaches 1 with the slope 0.1; NaN beyond */
{
    r[0] = yp - sqrt(1 - y) - 0.1;
    return 0;
}

CLAIM(collapsing_steps_end_by_themselves_and_name_the_time)
{
    scalar_model models[] = {{"square root", square_root, 1, -0.5, 1, RESIDA_ERR_STEP_TOO_SMALL, 0},
                             {"blow-up", blow_up, 1, 1, 1, RESIDA_ERR_STEP_TOO_SMALL, 0},
                             {"chattering", chatter, 1, -1, 1, RESIDA_ERR_CHATTERING, 0},
                             {"no solution", no_solution, 0, 1, 1, RESIDA_ERR_LIMIT_RESIDUALS, 0},
                             {"refusal", leaves_the_domain, 1, -1, 1, RESIDA_ERR_USER_REPEATED, 0},
                             {"NaN", log_of_zero, 1, -1, 1, RESIDA_ERR_NONFINITE, 0},
                             {"flat root", flat_root, 0, 1.1, 1.52, RESIDA_ERR_NONFINITE, 0}};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        resida_dae d = test_dae();
        contract c;
        resida_solver_options o = test_solver_options();
        o.jacobian = "dense";
        o.max_residuals = 50000;
        d.n = 1;
        d.user = &models[i];
        d.residual = scalar_residual;
        resida_solver *s = test_solver_dae(&d, NULL, &o);
        assert_int_equal(resida_solver_start_dae(s, 0, &models[i].y0, &models[i].yp0), RESIDA_OK);
        contract_begin(&c, s);
        resida_status status = resida_solver_advance(s, 3);
        check_contract(&c, status, CONTRACT_STEPPED, NULL);
        resida_state at = test_state(s);
        print_message("collapse by %s: %s after %ld residual calls at t = %.9g: %s\n", models[i].name,
                      resida_status_name(status), models[i].calls, at.t, resida_solver_message(s));
        assert_int_equal(status, models[i].right);
        assert_true(models[i].calls <= o.max_residuals);
        assert_true(fabs(at.t - models[i].t_bad) < 1e-2);
        assert_non_null(strstr(resida_solver_message(s), "t = "));
    }
}
