/* test_condition.c - the norm of an inverse is estimated from below and not by far, on matrices Q D Q with known
 * eigenvalues (Q a reflection), and is out of range for what is singular. */
#include "base/linear/condition.h"
#include "test/fixtures/bench_fixture.h"

/* A^-1 = Q D Q, Q = I - 2 u u'; u == NULL: Q = I. */
typedef struct inverse {
    int n, calls;
    const double *d, *u;
} inverse;

static void reflect(const inverse *a, double *x)
{
    double sum = 0;
    for (int i = 0; a->u && i < a->n; i++) sum += a->u[i] * x[i];
    for (int i = 0; a->u && i < a->n; i++) x[i] -= 2 * sum * a->u[i];
}

static void apply(void *context, double *x)
{
    inverse *a = context;
    a->calls++;
    reflect(a, x);
    for (int i = 0; i < a->n; i++) x[i] *= a->d[i];
    reflect(a, x);
}

static double *random_direction(int n, uint64_t *seed)
{
    double *u = bench_doubles(n), sum = 0;
    for (int i = 0; i < n; i++) u[i] = bench_random(seed), sum += u[i] * u[i];
    for (int i = 0; i < n; i++) u[i] /= sqrt(sum);
    return u;
}

/* The worst direction alone is large, or all are of one size, or they rise slowly. */
static double fill_eigenvalues(int n, int kind, double *d, uint64_t *seed)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        d[i] = kind == 0 ? 1 : kind == 1 ? pow(10, 3 * bench_random(seed)) : 1.0 / ((i + 1.0) * (i + 1.0));
        if (kind == 0 && i == n / 3) d[i] = 100;
        if (i % 2) d[i] = -d[i];
        most = fmax(most, fabs(d[i]));
    }
    return most;
}

CLAIM(the_estimate_is_a_lower_bound_within_a_factor_of_ten)
{
    uint64_t seed = 1;
    double worst = 1;
    for (int trial = 0; trial < 600; trial++) {
        const int sizes[] = {1, 2, 10, 100, 1000};
        int n = sizes[trial % 5], reflected = trial % 2;
        double *d = bench_doubles(n), *u = random_direction(n, &seed), *x = bench_doubles(n);
        inverse a = {n, 0, d, reflected ? u : NULL};
        double norm = fill_eigenvalues(n, trial % 3, d, &seed), estimate = rsd_estimate_inverse_norm(n, apply, &a, x);
        assert_true(estimate <= norm * (1 + 1e-12));
        worst = fmin(worst, estimate / norm);
        assert_true(a.calls <= 4);
    }
    print_message("estimates are at least %.2f of the norm\n", worst);
    assert_true(worst > 0.1);
}

/* One direction of 10,000 is all but singular: no start without pattern is blind to it. */
CLAIM(a_single_singular_direction_is_detected)
{
    enum { N = 10000 };
    double *d = bench_doubles(N), *x = bench_doubles(N);
    for (int where = 0; where < N; where += 37) {
        for (int i = 0; i < N; i++) d[i] = i == where ? 1e16 : 1;
        inverse a = {N, 0, d, NULL};
        assert_true(rsd_estimate_inverse_norm(N, apply, &a, x) > 1e15);
    }
}

CLAIM(an_overflow_gives_an_infinite_estimate)
{
    const double d[] = {1, 1e308, 1}, nan_[] = {1, NAN, 1}, zero[] = {0, 0, 0};
    double x[3];
    assert_true(isfinite(rsd_estimate_inverse_norm(3, apply, &(inverse){3, 0, d, NULL}, x)));
    assert_true(rsd_estimate_inverse_norm(3, apply, &(inverse){3, 0, nan_, NULL}, x) == INFINITY);
    assert_true(rsd_estimate_inverse_norm(3, apply, &(inverse){3, 0, zero, NULL}, x) == INFINITY);
}
