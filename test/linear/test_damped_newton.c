/* test_damped_newton.c - the damped Newton iteration on one equation: why it ends, and that a linear equation takes one
 * iteration. Solutions are those of starts and equilibria. */
#include "base/linear/damped_newton.h"
#include "test/fixtures/bench_fixture.h"

/** One equation f(x) = 0. */
typedef struct scalar {
    double (*f)(double x), (*slope)(double x);
    double x, trial, F, F_trial, J, dx, dx_next;
    double longest;
    int attempts, stop_at; /* stop_at: the attempt that stops; 0: none */
} scalar;

static int scalar_correct(void *self, double *longest)
{
    scalar *s = self;
    if (s->F == 0) return RSD_IS_SOLVED;
    s->J = s->slope(s->x);
    s->dx = -s->F / s->J;
    *longest = s->longest;
    return s->J == 0 ? RSD_IS_SINGULAR : RSD_HAS_CORRECTION;
}

static int scalar_attempt(void *self, double part)
{
    scalar *s = self;
    if (++s->attempts == s->stop_at) return -7;
    s->trial = s->x + part * s->dx;
    s->F_trial = s->f(s->trial);
    s->dx_next = -s->F_trial / s->J;
    return !isfinite(s->F_trial);
}

static double scalar_norm(void *self, double a, double b)
{
    const scalar *s = self;
    return fabs(a * s->dx_next + b * s->dx);
}

static int scalar_accept(void *self)
{
    scalar *s = self;
    s->x = s->trial;
    s->F = s->F_trial;
    return 0;
}

static int scalar_is_solved(void *self, int has_moved)
{
    const scalar *s = self;
    return fabs(has_moved ? s->dx_next : s->dx) <= 4 * DBL_EPSILON * (1 + fabs(s->x));
}

static const rsd_damped_equations of_scalar = {scalar_correct, scalar_attempt, scalar_norm, scalar_accept,
                                               scalar_is_solved};

static rsd_damped_iteration iterate(scalar *s, double x, rsd_damped_end expected)
{
    rsd_damped_iteration it = {.equations = &of_scalar, .self = s, .max_iterations = 50};
    s->x = x;
    s->F = s->f(x);
    if (s->longest == 0) s->longest = 1;
    assert_int_equal(rsd_damped_iterate(&it), expected);
    return it;
}

static double slope_of_atan(double x)
{
    return 1 / (1 + x * x);
}

static double line(double x)
{
    return x;
}

static double slope_of_line(double x)
{
    return 1;
}

CLAIM(linear_equations_are_solved_at_once_whatever_the_limit)
{
    scalar s = {.f = line, .slope = slope_of_line, .longest = 1e-9};
    const rsd_damped_iteration it = iterate(&s, 1e9, RSD_DAMPED_SOLVED);
    bench_near(s.x, 0, 1e-15);
    assert_true(it.iterations <= 2 && s.attempts == 2);
}

/* --- Reasons of a failure --- */

static double above(double x)
{
    return x * x + 1;
}

static double slope_of_above(double x)
{
    return 2 * x;
}

static double undefined(double x)
{
    return x < 1 ? NAN : 1;
}

static double wrong_slope(double x)
{
    return -1;
}

CLAIM(a_failure_has_its_reason)
{
    scalar s = {.f = above, .slope = slope_of_above};
    (void)iterate(&s, 0, RSD_DAMPED_SINGULAR);
    s = (scalar){.f = line, .slope = wrong_slope};
    (void)iterate(&s, 1, RSD_DAMPED_NO_DESCENT);
    assert_true(s.x == 1 && s.F == 1); /* unchanged */
    s = (scalar){.f = undefined, .slope = slope_of_line};
    (void)iterate(&s, 1, RSD_DAMPED_NOT_EVALUABLE);
    s = (scalar){.f = atan, .slope = slope_of_atan, .stop_at = 2};
    assert_int_equal(iterate(&s, 10, RSD_DAMPED_STOPPED).verdict, -7);
    s = (scalar){.f = atan, .slope = slope_of_atan, .longest = 1e-3};
    (void)iterate(&s, 10, RSD_DAMPED_LIMIT);
}
