/* test_beam_modes.c - frequencies of beams, free and clamped, against Timoshenko's beam, whose equations
 *
 *     w' = phi + Q/GA,  phi' = M/EI,  M' = -Q - rho I om^2 phi,  Q' = -rho A om^2 w
 *
 * are integrated from end to end; torsion and stretch have closed forms. */
#include "beam_fixture.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/oracle.h"

enum { ELEMENTS = 8, ORDER = 3, KINDS = 4, LOWEST = 8, FROM_EACH = 6 };

static const double pi = 3.14159265358979323846;
static const double length = 1.3;
/* Of 1 m of it: 20 x 30 mm, steel. */
static const bm_section bar = {1.26e8, 4.04e7, 4.04e7, 3.8e3, 9.45e3, 4.2e3, 4.71, 3.53e-4, 1.57e-4, 0};

/** A plane of bending. */
typedef struct plane {
    double GA, EI, rho_I;
    int is_clamped; /* at 0; else free there, as at the end */
} plane;

/** A plane, and the square of a frequency. */
typedef struct vibration {
    const plane *plane;
    double om2;
} vibration;

/* Rates of x = (w, phi, M, Q) along the beam. */
static void rates_along(double z, const double *x, double *rates, const void *user)
{
    const vibration *at = user;
    const plane *b = at->plane;
    rates[0] = x[1] + x[3] / b->GA, rates[1] = x[2] / b->EI;
    rates[2] = -x[3] - b->rho_I * at->om2 * x[1], rates[3] = -bar.rho_A * at->om2 * x[0];
}

/* Zero at the frequencies. */
static double condition(const plane *b, double om)
{
    double x[2][4] = {{0}};
    const vibration at = {b, om * om};
    for (int k = 0; k < 2; k++) {
        x[k][b->is_clamped ? 2 + k : k] = 1;
        oracle_integrate(rates_along, &at, 4, 0, length, 400, x[k]);
    }
    return x[0][2] * x[1][3] - x[0][3] * x[1][2];
}

/* The first frequencies of bending, bench_by_size. */
static void find_bending(const plane *b, double *om)
{
    const double step = 20; /* rad/s, far less than between two */
    int n = 0;
    for (double at = step; n < FROM_EACH; at += step) {
        double low = at, high = at + step;
        const double sign = condition(b, low);
        if (sign * condition(b, high) > 0) continue;
        for (int i = 0; i < 40; i++) {
            const double middle = (low + high) / 2;
            if (sign * condition(b, middle) > 0)
                low = middle;
            else
                high = middle;
        }
        om[n++] = low;
    }
}

/* All kinds together, bench_by_size [KINDS * FROM_EACH]. */
static void find_published(int is_clamped, double *om)
{
    const plane planes[] = {{bar.GA2, bar.EI1, bar.rho_I1, is_clamped}, {bar.GA1, bar.EI2, bar.rho_I2, is_clamped}};
    for (int k = 0; k < 2; k++) find_bending(&planes[k], om + k * FROM_EACH);
    for (int n = 0; n < FROM_EACH; n++) {
        const double wave = pi * (is_clamped ? n + 0.5 : n + 1) / length;
        om[2 * FROM_EACH + n] = wave * sqrt(bar.EA / bar.rho_A);
        om[3 * FROM_EACH + n] = wave * sqrt(bar.GJ / (bar.rho_I1 + bar.rho_I2));
    }
    qsort(om, KINDS * FROM_EACH, sizeof *om, bench_by_size);
}

/* The lowest are within 0.1 % of Timoshenko's; a free beam has six rigid motions below them. */
static void check_frequencies(int is_clamped)
{
    double published[KINDS * FROM_EACH];
    beam b;
    find_published(is_clamped, published);
    beam_begin_line(&b, &bar, ORDER, ELEMENTS, length, 0);
    beam_open(&b);
    const int n = 6 * (b.s.n_node - is_clamped), rigid = is_clamped ? 0 : 6;
    double *K = bench_doubles((long)n * n), *M = bench_doubles((long)n * n), *value = bench_doubles(n);
    beam_reduce(&b, 0, is_clamped, K, M);
    beam_eigenvalues(n, K, M, value);
    for (int i = 0; i < rigid; i++) assert_true(fabs(value[i]) < 1e-6 * published[0] * published[0]);
    for (int i = 0; i < LOWEST; i++) bench_near(sqrt(value[rigid + i]), published[i], 1e-3 * published[i]);
    beam_close(&b);
}

CLAIM(a_cantilever_has_timoshenkos_frequencies)
{
    check_frequencies(1);
}

CLAIM(a_free_beam_has_timoshenkos_frequencies)
{
    check_frequencies(0);
}

/* The integration that they are compared with, where shear and rotary inertia are nothing: (1.875104/L)^2 sqrt(EI/rho
 * A).
 */
CLAIM(slender_beams_have_eulers_frequency)
{
    const plane slender = {1e9 * bar.EI1, bar.EI1, 0, 1};
    const double number = 1.87510407 / length;
    double om[FROM_EACH];
    find_bending(&slender, om);
    bench_near(om[0], number * number * sqrt(bar.EI1 / bar.rho_A), 1e-6 * om[0]);
}
