/* turning_rows.c - see turning_rows.h. */
#include "turning_rows.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

#define GRAVITY 9.81
#define DAMPING 0.5

/* b_i at p, and its derivative by the coordinates (x, y of point i - 1, x, y of point i). */
static double rod(const double *p, int i, double d[4])
{
    const double x = p[2 * i] - (i > 0 ? p[2 * i - 2] : 0), y = p[2 * i + 1] - (i > 0 ? p[2 * i - 1] : 0);
    const double by[4] = {-x, -y, x, y};
    if (d) memcpy(d, by, sizeof by);
    return (x * x + y * y - 1) / 2;
}

static double angle(const turning *k, const double *p, int pair, int row)
{
    return k->phase[pair][row] + k->w[pair][row] * (p[4 * pair] - (pair > 0 ? p[4 * pair - 2] : 0));
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const turning *k = user;
    if (k->plain)
        for (int i = 0; i < k->n; i++) g[i] = rod(p, i, NULL) / k->unit;
    for (int j = 0; j < k->n / 2 && !k->plain; j++)
        for (int r = 0; r < TURNING_IN_PAIR; r++) {
            const double psi = angle(k, p, j, r);
            *g++ = (cos(psi) * rod(p, 2 * j, NULL) + sin(psi) * rod(p, 2 * j + 1, NULL)) / k->unit;
        }
    return 0;
}

/* Coordinates that a row depends on begin at the point before the pair. */
static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const turning *k = user;
    double d[4];
    for (int i = 0; i < k->n && k->plain; i++) {
        rod(p, i, d);
        for (int c = i > 0 ? 0 : 2; c < 4; c++) *out++ = d[c] / k->unit;
    }
    for (int j = 0; j < k->n / 2 && !k->plain; j++)
        for (int r = 0; r < TURNING_IN_PAIR; r++) {
            const double psi = angle(k, p, j, r);
            double row[6] = {0}, b[2];
            for (int q = 0; q < 2; q++) {
                b[q] = rod(p, 2 * j + q, d);
                for (int c = 0; c < 4; c++) row[2 * q + c] += (q ? sin(psi) : cos(psi)) * d[c];
            }
            const double turn = k->w[j][r] * (cos(psi) * b[1] - sin(psi) * b[0]);
            row[2] += turn;
            row[0] -= turn;
            for (int c = j > 0 ? 0 : 2; c < 6; c++) *out++ = row[c] / k->unit;
        }
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const turning *k = user;
    for (int i = 0; i < (k->plain ? k->n : k->n / 2 * TURNING_IN_PAIR); i++) out[i] = 0;
    return 0;
}

static double force(const double *v, int i)
{
    return -DAMPING * v[i] - (i % 2 ? GRAVITY : 0);
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const turning *k = user;
    for (int i = 0; i < 2 * k->n; i++) r[i] = a[i] - force(v, i);
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const turning *k = user;
    for (int i = 0; i < 2 * k->n; i++) a[i] = f[i] + force(v, i);
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const turning *k = user;
    for (int i = 0; i < 2 * k->n; i++) out[i] = 1;
    return 0;
}

/* The sine of the largest angle between two rows of a pair, where all three are nearest to each other. */
static double min_spread(const double *phase, const double *w)
{
    double least = 1;
    for (int q = -100; q <= 100; q++) {
        double most = 0;
        for (int r = 0; r < TURNING_IN_PAIR; r++) {
            const int s = (r + 1) % TURNING_IN_PAIR;
            most = fmax(most, fabs(sin(phase[r] - phase[s] + (w[r] - w[s]) * q / 100)));
        }
        least = fmin(least, most);
    }
    return least;
}

void turning_make(turning *k, int n, unsigned seed)
{
    const double pi = acos(-1);
    uint64_t random = seed;
    assert_true(n % 2 == 0 && n <= TURNING_MAX);
    *k = (turning){.n = n, .unit = 1};
    for (int j = 0; j < n / 2; j++) do
            for (int r = 0; r < TURNING_IN_PAIR; r++) {
                k->phase[j][r] = (r + 0.2 * bench_random(&random)) * pi / TURNING_IN_PAIR;
                k->w[j][r] = 3 * bench_random(&random);
            }
        while (min_spread(k->phase[j], k->w[j]) < 0.5);
    for (int i = 0; i < n; i++) { /* a little below the horizontal, all in one direction */
        k->p0[2 * i] = (i > 0 ? k->p0[2 * i - 2] : 0) + 0.8;
        k->p0[2 * i + 1] = (i > 0 ? k->p0[2 * i - 1] : 0) + (i % 2 ? 0.6 : -0.6);
    }
}

static void make_pattern(turning *k)
{
    const int rows = k->plain ? k->n : k->n / 2 * TURNING_IN_PAIR;
    int *col = k->G_col;
    for (int i = 0; i < rows; i++) {
        const int first = k->plain ? 2 * i - 2 : 4 * (i / TURNING_IN_PAIR) - 2, width = k->plain ? 4 : 6;
        k->G_row[i] = (int)(col - k->G_col);
        for (int c = first; c < first + width; c++)
            if (c >= 0) *col++ = c;
    }
    k->G_row[rows] = (int)(col - k->G_col);
    for (int i = 0; i <= 2 * k->n; i++) k->M_row[i] = i;
    for (int i = 0; i < 2 * k->n; i++) k->M_col[i] = i;
}

resida_mechanism turning_mechanism(turning *k)
{
    resida_mechanism m = test_mechanism();
    make_pattern(k);
    m.name = "turning";
    m.n_p = m.n_v = 2 * k->n, m.n_g = k->plain ? k->n : k->n / 2 * TURNING_IN_PAIR;
    m.user = k, m.thread_safe = 1;
    m.residual = residual, m.acceleration = acceleration, m.mass_matrix = mass_matrix;
    m.constraint = constraint, m.constraint_matrix = constraint_matrix, m.velocity_bias = velocity_bias;
    m.G_pattern = (resida_pattern){k->G_row, k->G_col};
    m.M_pattern = (resida_pattern){k->M_row, k->M_col};
    return m;
}
