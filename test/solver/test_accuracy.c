/* test_accuracy.c - the built-in models against reference solutions that others computed (their sources stand in the
 * models): correct digits, errors that fall with the tolerance, and drift. */
#include "test/fixtures/claims.h"
#include "test/fixtures/run_model.h"
#include "test/fixtures/bench_fixture.h"

static const char *const constrained[] = {"andrews", "car-axis", "slider-crank", "slider-crank-flexible"};
enum { N_CONSTRAINED = 4 };

/* Correct digits as the IVP test set counts mixed ones: error over 1 + |reference| (atol/rtol = 1). */
CLAIM(five_digits_at_1e_8_in_both_formalisms)
{
    for (int k = 0; k < 2 * N_CONSTRAINED; k++) {
        run_order order = {.model = constrained[k / 2], .rtol = 1e-8, .atol = 1e-8};
        order.formalism = k % 2 ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL;
        run_result r = run_model(order);
        print_message("%-22s 1e-8: %.1f correct digits (%.1f relative to the smallest component), %ld steps, %ld "
                      "residual calls\n",
                      order.model, r.mescd_p, r.scd_p, r.stats.steps, r.stats.residual_calls.total);
        assert_true(r.status >= 0);
        assert_true(r.mescd_p >= 5);
    }
}

/* The elastic coordinates of the flexible slider crank are 1e-5 to 1e-4 m: five digits of each of them need an
 * absolute tolerance that sees them. */
CLAIM(five_digits_of_elastic_coordinates_with_an_atol_that_sees_them)
{
    run_result r = run_model((run_order){.model = "slider-crank-flexible", .rtol = 1e-8, .atol = 1e-12});
    print_message("slider-crank-flexible, rtol 1e-8, atol 1e-12: %.1f digits of the smallest component, %ld steps\n",
                  r.scd_p, r.stats.steps);
    assert_true(r.status >= 0);
    assert_true(r.scd_p >= 5);
}

/* The error at 10^-k; all_orders = 1: of the methods of all orders, also where stability limits the order. */
static double error_near(const char *model, double k, int all_orders)
{
    run_result r =
        run_model((run_order){.model = model, .rtol = pow(10, -k), .atol = pow(10, -k), .all_orders = all_orders});
    assert_true(r.status >= 0);
    const double error = r.error_p;
    return error;
}

/* The median of neighbours: the error of one end may cross zero, and single errors scatter. */
static double median_near(const char *model, int k, int all_orders)
{
    static const double beside[] = {-0.1, -0.05, 0, 0.05, 0.1};
    enum { N = sizeof beside / sizeof *beside };
    double near[N];
    for (int i = 0; i < N; i++) near[i] = error_near(model, k + beside[i], all_orders);
    qsort(near, N, sizeof *near, bench_by_size);
    return near[N / 2];
}

/* Where stability limits the order the error is not larger, or below a tenth of the tolerance: the flexible crank errs
 * by 3e-6 instead of 9e-7 at 1e-4. */
static double error_at(const char *model, int k)
{
    const double error = median_near(model, k, 1), limited = median_near(model, k, 0);
    if (!(limited <= fmax(1.1 * error, 0.1 * pow(10, -k))))
        fail_msg("%s at 1e-%d: %g with limited order, %g without", model, k, limited, error);
    return error;
}

/* Slope of log10(error) over log10(tolerance), least squares. */
static double fitted_slope(const char *model, int from, int to)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, n = to - from + 1;
    for (int k = from; k <= to; k++) {
        double x = -k, y = log10(error_at(model, k));
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

CLAIM(error_falls_with_the_tolerance)
{
    static const char *const models[] = {"pendulum", "andrews", "car-axis", "slider-crank", "akzo", "chain-cartesian"};
    for (int i = 0; i < 6; i++) {
        double slope = fitted_slope(models[i], 3, 8);
        print_message("%-22s slope of the error, 1e-3 .. 1e-8: %.2f\n", models[i], slope);
        assert_true(slope >= 0.7);
    }
    /* Below 1e-6 the error of this one is the longitudinal vibration of the rod, 1e-8 m, which BDF damps out until the
     * tolerance sees it; it falls again from 1e-8 to 1e-10. */
    double slope = fitted_slope("slider-crank-flexible", 3, 6), all = fitted_slope("slider-crank-flexible", 3, 8);
    print_message("slider-crank-flexible  slope of the error, 1e-3 .. 1e-6: %.2f (1e-3 .. 1e-8: %.2f)\n", slope, all);
    assert_true(slope >= 0.7);
    run_result r = run_model((run_order){.model = "slider-crank-flexible", .rtol = 1e-10, .atol = 1e-10});
    assert_true(r.status >= 0);
    assert_true(r.error_p < 1e-9);
}

CLAIM(drift_of_g_stays_below_10_atol)
{
    static const char *const models[] = {
        "pendulum", "andrews", "car-axis", "slider-crank", "slider-crank-flexible", "chain-cartesian"};
    double worst = 0;
    for (int i = 0; i < 6; i++)
        for (int k = 3; k <= 8; k++) {
            double tolerance = pow(10, -k);
            run_result r =
                run_model((run_order){.model = models[i], .rtol = tolerance, .atol = tolerance, .outputs = 1000});
            assert_true(r.status >= 0);
            worst = fmax(worst, r.drift_g / tolerance);
            if (r.drift_g > 10 * tolerance) fail_msg("%s at %g: |g| = %g", models[i], tolerance, r.drift_g);
        }
    print_message("drift of g, 6 models x 6 tolerances x 1000 outputs: at most %.2g atol\n", worst);
}

/* How far apart the two formalisms are, in rtol: early on, and at the end. */
typedef struct distance {
    double early, end;
} distance;

CLAIM(multipliers_are_right_at_the_end)
{
    run_result r = run_model((run_order){.model = "slider-crank", .rtol = 1e-8, .atol = 1e-8});
    assert_true(r.status >= 0);
    assert_true(fabs(r.lam[0] - 1.11375615826304665) < 1e-5); /* extrapolation of the underlying ODE, t = 10 */
    assert_true(fabs(r.lam[1] + 0.762507275106448002) < 1e-5);
}
