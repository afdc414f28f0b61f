/* test_damped_newton.c - the damped Newton iteration on equations whose solutions are known: the arc tangent, of which
 * the plain iteration diverges from |x| > 1.39, and a system in rows of any size. */
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

CLAIM(the_arc_tangent_is_solved_from_far)
{
    for (double x = 1; x < 2000; x *= 2) {
        scalar s = {.f = atan, .slope = slope_of_atan};
        const rsd_damped_iteration it = iterate(&s, x, RSD_DAMPED_SOLVED);
        bench_near(s.x, 0, 1e-15);
        if (s.attempts > 60) fail_msg("from %g: %d attempts in %d iterations", x, s.attempts, it.iterations);
    }
}

/* The plain iteration has quadratic convergence, and one attempt each. */
static double square(double x)
{
    return x * x - 2;
}

static double slope_of_square(double x)
{
    return 2 * x;
}

CLAIM(an_iteration_that_converges_has_one_attempt_each)
{
    scalar s = {.f = square, .slope = slope_of_square};
    const rsd_damped_iteration it = iterate(&s, 2, RSD_DAMPED_SOLVED);
    bench_near(s.x, sqrt(2), 4 * DBL_EPSILON);
    assert_int_equal(s.attempts, it.iterations + 1);
    assert_true(it.iterations <= 5);
}

CLAIM(no_part_is_longer_than_the_longest)
{
    scalar s = {.f = square, .slope = slope_of_square, .longest = 0.01};
    rsd_damped_iteration it = {.equations = &of_scalar, .self = &s, .max_iterations = 1};
    s.x = 10, s.F = square(10);
    assert_int_equal(rsd_damped_iterate(&it), RSD_DAMPED_LIMIT);
    bench_near(s.x, 10 - 0.01 * 98 / 20.0, 1e-12);
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
    scalar s = {.f = above, .slope = slope_of_square};
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

/* --- The system x_0^2 = x_1, x_1^2 + x_1 = 6, with rows of any size --- */

typedef struct system_of_2 {
    double row[2], x[2], trial[2], F[2], F_trial[2], J[2][2], dx[2], dx_next[2];
    int attempts;
} system_of_2;

static void evaluate(const system_of_2 *s, const double *x, double *F)
{
    F[0] = s->row[0] * (x[0] * x[0] - x[1]);
    F[1] = s->row[1] * (x[1] * x[1] + x[1] - 6);
}

static void solve(const system_of_2 *s, const double *F, double *dx)
{
    dx[1] = -F[1] / s->J[1][1];
    dx[0] = (-F[0] - s->J[0][1] * dx[1]) / s->J[0][0];
}

static int system_correct(void *self, double *longest)
{
    system_of_2 *s = self;
    s->J[0][0] = s->row[0] * 2 * s->x[0];
    s->J[0][1] = -s->row[0];
    s->J[1][1] = s->row[1] * (2 * s->x[1] + 1);
    solve(s, s->F, s->dx);
    return RSD_HAS_CORRECTION;
}

static int system_attempt(void *self, double part)
{
    system_of_2 *s = self;
    s->attempts++;
    for (int i = 0; i < 2; i++) s->trial[i] = s->x[i] + part * s->dx[i];
    evaluate(s, s->trial, s->F_trial);
    solve(s, s->F_trial, s->dx_next);
    return 0;
}

static double system_norm(void *self, double a, double b)
{
    const system_of_2 *s = self;
    return hypot(a * s->dx_next[0] + b * s->dx[0], a * s->dx_next[1] + b * s->dx[1]);
}

static int system_accept(void *self)
{
    system_of_2 *s = self;
    for (int i = 0; i < 2; i++) s->x[i] = s->trial[i], s->F[i] = s->F_trial[i];
    return 0;
}

static int system_is_solved(void *self, int has_moved)
{
    return has_moved && system_norm(self, 1, 0) < 1e-14;
}

CLAIM(the_size_of_an_equation_changes_no_bit)
{
    static const rsd_damped_equations of_system = {system_correct, system_attempt, system_norm, system_accept,
                                                   system_is_solved};
    system_of_2 plain = {.x = {0}};
    for (int k = -2; k <= 2; k++) {
        system_of_2 s = {.row = {ldexp(1, 100 * k), ldexp(1, -90 * k)}, .x = {1e-3, 40}};
        rsd_damped_iteration it = {.equations = &of_system, .self = &s, .max_iterations = 60};
        evaluate(&s, s.x, s.F);
        assert_int_equal(rsd_damped_iterate(&it), RSD_DAMPED_SOLVED);
        bench_near(s.x[0], sqrt(2), 1e-15);
        bench_near(s.x[1], 2, 1e-15);
        if (k == -2) plain = s;
        assert_memory_equal(s.x, plain.x, sizeof s.x);
        assert_int_equal(s.attempts, plain.attempts);
    }
}
