/* test_wrong_rates.c - a velocity_bias that is right at the start, where the drive is at rest, and wrong on the way, is
 * a warning of the run itself; an acceleration_bias is one of the start. */
#include "test/fixtures/claims.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/solver_fixture.h"

#define PI 3.14159265358979323846

/** A mass on a lift, y = u: factors of gI and of ud, 1 is right. */
typedef struct lift {
    double bias, ud, height;
    double pace, ramp; /* with a pace it runs up to it from rest, u = pace (t - ramp (1 - exp(-t/ramp))) */
} lift;

/* From rest to rest: u = sin^2 (pi t). */
static int drive(double t, double *u, double *ud, double *udd, void *user)
{
    const lift *x = user;
    if (x->pace > 0) { /* rounded by terms that are larger than it is */
        const double lags = 1 - exp(-t / x->ramp);
        u[0] = x->height + x->pace * (t - x->ramp * lags), ud[0] = x->pace * lags;
        udd[0] = x->pace / x->ramp * exp(-t / x->ramp);
        return 0;
    }
    u[0] = x->height + pow(sin(PI * t), 2), ud[0] = x->ud * PI * sin(2 * PI * t),
    udd[0] = 2 * PI * PI * cos(2 * PI * t);
    return 0;
}

static int on_the_lift(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[1] - e->u[0];
    return 0;
}

static int rate(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    gI[0] = -((const lift *)user)->bias * e->ud[0];
    return 0;
}

/* A run from rest to rest, in one call; first [size] gets the first warning, "" without. */
static void run(lift *x, const char *form, const char *method, char *first, size_t size)
{
    const double p0[2] = {0, x->height}, v0[2] = {0, 0};
    resida_problem_options po = test_problem_options();
    resida_solver_options so = test_solver_options();
    resida_mechanism k = test_mechanism();
    k.n_p = k.n_v = 2, k.n_g = k.n_u = 1;
    k.residual = small_particle, k.constraint = on_the_lift, k.velocity_bias = rate, k.excitation = drive;
    k.user = x;
    po.form = form;
    if (method) so.method = method, so.step = 0.01;
    resida_solver *s = test_solver(&k, &po, &so);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(test_stats(s).n_warnings, 0); /* the start sees nothing */
    (void)resida_solver_advance(s, 1);
    const resida_stats stats = test_stats(s);
    snprintf(first, size, "%s", stats.n_warnings > 0 ? stats.warnings[0] : "");
}

static const char *const forms[] = {"ggl", "index2", "index3", "index1", "projected2", "state-space", "baumgarte"};
enum { FORMS = sizeof forms / sizeof *forms };

CLAIM(a_rate_of_the_wrong_sign_is_a_warning_although_the_start_is_at_rest)
{
    lift x = {.bias = -1, .ud = 1};
    char first[RESIDA_MESSAGE_SIZE];
    for (int i = 0; i < FORMS; i++) {
        run(&x, forms[i], NULL, first, sizeof first);
        if (strncmp(first, "velocity_bias: the derivative by t of g[0] is ", 46) != 0)
            fail_msg("%s: %s", forms[i], first);
    }
    run(&x, "ggl", "radau-iia-2", first, sizeof first);
    if (strncmp(first, "velocity_bias: ", 15) != 0) fail_msg("steps of a fixed size: %s", first);
}

CLAIM(a_rate_that_is_left_at_zero_is_a_warning)
{
    lift x = {.bias = 0, .ud = 1};
    char first[RESIDA_MESSAGE_SIZE];
    run(&x, "ggl", NULL, first, sizeof first);
    if (strncmp(first, "velocity_bias: ", 15) != 0) fail_msg("%s", first);
}

CLAIM(a_right_rate_gives_no_warning_far_from_the_origin_either)
{
    static const double heights[] = {0, 1, 1e3, 1e5};
    char first[RESIDA_MESSAGE_SIZE];
    for (int i = 0; i < FORMS * 4; i++) {
        lift x = {.bias = 1, .ud = 1, .height = heights[i % 4]};
        run(&x, forms[i / 4], NULL, first, sizeof first);
        if (*first) fail_msg("%s, height %g: %s", forms[i / 4], x.height, first);
    }
}

CLAIM(a_right_run_up_from_rest_gives_no_warning)
{
    static const double paces[] = {6, 30, 60, 100, 314}, ramps[] = {1e-4, 0.01, 0.1, 1, 10};
    char first[RESIDA_MESSAGE_SIZE];
    for (int i = 0; i < 5 * 5; i++) {
        lift x = {.bias = 1, .ud = 1, .pace = paces[i % 5], .ramp = ramps[i / 5]};
        run(&x, "ggl", NULL, first, sizeof first);
        if (*first) fail_msg("pace %g, ramp %g: %s", x.pace, x.ramp, first);
    }
}

/* g'' = 2 v'v at a = 0. user: a factor of it. */
static int circle_bias(double t, const double *p, const double *v, const resida_excitation *e, double *gamma,
                       void *user)
{
    gamma[0] = *(const double *)user * 2 * (v[0] * v[0] + v[1] * v[1]);
    return 0;
}

CLAIM(an_acceleration_bias_that_is_off_by_a_thousandth_is_a_warning)
{
    const double p0[2] = {0, -1}, v0[2] = {1, 0};
    for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
        double factor = is_wrong ? 1.001 : 1;
        resida_mechanism k = test_mechanism();
        k.n_p = k.n_v = 2, k.n_g = 1;
        k.residual = small_particle, k.constraint = small_circle, k.acceleration_bias = circle_bias;
        k.user = &factor;
        resida_solver *s = test_solver(&k, NULL, NULL);
        assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
        const resida_stats stats = test_stats(s);
        assert_int_equal(stats.n_warnings, is_wrong);
        if (is_wrong && strncmp(stats.warnings[0], "acceleration_bias: the second derivative of g[0] is ", 52) != 0)
            fail_msg("%s", stats.warnings[0]);
    }
}
