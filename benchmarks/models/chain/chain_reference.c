/* chain_reference - computes the reference states of the chain of pendulums and prints them as a data file:
 *
 *     chain_reference > ../data/chain.csv     (self-convergence goes to stderr, about half a minute)
 *
 * The chain (Arnold, Fuchs, Fuehrer: Efficient corrector iteration for DAE time integration in multibody dynamics,
 * section 4.2.1) as an ordinary differential equation in its n angles, implemented independently of chain.c:
 *
 *     sum_k c_jk cos(a_j - a_k) a_k'' = -sum_k c_jk sin(a_j - a_k) a_k'^2 - c_jj (cos a_j X'' + sin a_j (Y'' + g)),
 *     c_jk = n - max(j, k) + 1,                                                       l = 1, m cancels,
 *
 * The dense mass matrix is factorised by Cholesky. Integration in long double is by extrapolation of the modified
 * midpoint rule (Gragg, Bulirsch, Stoer; Hairer, Norsett, Wanner: Solving ODEs I, section II.9) with a constant basic
 * step and a fixed number of columns; the order is 2 COLUMNS. Every state is computed twice, with basic steps H and
 * H/2; the program fails when the two differ by more than 1e-12 of the largest component. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 16, MAX_STATE = 2 * MAX_N, COLUMNS = 10 };

static const double times[] = {20, 100, 200};
static const double omegas[] = {0.3141592653589793, 0.05}; /* 2 pi 0.05 rad/s and 0.05 rad/s */
static const int rods[] = {12, 14, 16};

#define COUNT(array)    ((int)(sizeof(array) / sizeof((array)[0])))
#define STEP            0.0625 /* every time is a multiple of it */
#define MAX_DISAGREEING 1e-12

typedef struct chain {
    int n;
    long double omega;
} chain;

/* Factorise M = L L' in place, then solve b = M \ b. */
static void cholesky_solve(int n, long double M[MAX_N][MAX_N], long double *b)
{
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            for (int k = 0; k < j; k++) M[i][j] -= M[i][k] * M[j][k];
            M[i][j] = i == j ? sqrtl(M[j][j]) : M[i][j] / M[j][j];
        }
        for (int k = 0; k < j; k++) b[j] -= M[j][k] * b[k];
        b[j] /= M[j][j];
    }
    for (int j = n - 1; j >= 0; j--) {
        for (int i = j + 1; i < n; i++) b[j] -= M[i][j] * b[i];
        b[j] /= M[j][j];
    }
}

/* Compute yp for y = (angles, rates). */
static void derivative(const chain *c, long double t, const long double *y, long double *yp)
{
    long double M[MAX_N][MAX_N], wave = -c->omega * c->omega * sinl(c->omega * t);
    const long double X = (long double)0.3 * wave, Y = (long double)0.2 * wave, g = (long double)9.81;
    const long double *a = y, *rate = y + c->n;
    long double sine[MAX_N], cosine[MAX_N];
    for (int j = 0; j < c->n; j++) {
        sine[j] = sinl(a[j]);
        cosine[j] = cosl(a[j]);
    }
    for (int j = 0; j < c->n; j++) {
        long double sum = -(c->n - j) * (cosine[j] * X + sine[j] * (Y + g));
        for (int k = 0; k < c->n; k++) {
            long double cjk = c->n - (j > k ? j : k);
            M[j][k] = cjk * (cosine[j] * cosine[k] + sine[j] * sine[k]);
            sum -= cjk * (sine[j] * cosine[k] - cosine[j] * sine[k]) * rate[k] * rate[k];
        }
        yp[j] = rate[j];
        yp[c->n + j] = sum;
    }
    cholesky_solve(c->n, M, yp + c->n);
}

/* Modified midpoint rule: `parts` (even) substeps of one basic step H, with Gragg's smoothing. */
static void midpoint(const chain *c, long double t, long double H, int parts, const long double *y0, long double *out)
{
    long double before[MAX_STATE], now[MAX_STATE], slope[MAX_STATE], h = H / parts;
    int size = 2 * c->n;
    derivative(c, t, y0, slope);
    memcpy(before, y0, sizeof before);
    for (int i = 0; i < size; i++) now[i] = y0[i] + h * slope[i];
    for (int k = 1; k <= parts; k++) {
        derivative(c, t + k * h, now, slope);
        for (int i = 0; i < size; i++) {
            long double next = before[i] + 2 * h * slope[i];
            if (k == parts) out[i] = (before[i] + 2 * now[i] + next) / 4;
            before[i] = now[i];
            now[i] = next;
        }
    }
}

/* Make one basic step. Column k has 2(k+1) substeps; extrapolation in h^2 by Aitken and Neville to column 0. */
static void step(const chain *c, long double t, long double H, long double *y)
{
    long double T[COLUMNS][MAX_STATE];
    for (int k = 0; k < COLUMNS; k++) {
        midpoint(c, t, H, 2 * (k + 1), y, T[k]);
        for (int j = k - 1; j >= 0; j--) {
            long double ratio = (long double)(k + 1) / (j + 1);
            for (int i = 0; i < 2 * c->n; i++) T[j][i] = T[j + 1][i] + (T[j + 1][i] - T[j][i]) / (ratio * ratio - 1);
        }
    }
    memcpy(y, T[0], sizeof T[0]);
}

static void integrate(const chain *c, double step_size, long double states[][MAX_STATE])
{
    long double y[MAX_STATE] = {0};
    long k = 0;
    for (int i = 0; i < COUNT(times); i++) {
        for (long last = lround(times[i] / step_size); k < last; k++) step(c, (long double)k * step_size, step_size, y);
        memcpy(states[i], y, sizeof y);
    }
}

/* Return the largest difference, relative to the largest component. */
static long double disagreement(int size, const long double *x, const long double *y)
{
    long double worst = 0, largest = 0;
    for (int i = 0; i < size; i++) {
        worst = fmaxl(worst, fabsl(x[i] - y[i]));
        largest = fmaxl(largest, fabsl(y[i]));
    }
    return worst / largest;
}

/* Print a row for each time. */
static int print_chain(int n, double omega)
{
    const chain c = {n, omega};
    long double coarse[COUNT(times)][MAX_STATE], fine[COUNT(times)][MAX_STATE];
    integrate(&c, STEP, coarse);
    integrate(&c, STEP / 2, fine);
    int bad = 0;
    for (int i = 0; i < COUNT(times); i++) {
        long double apart = disagreement(2 * n, coarse[i], fine[i]);
        fprintf(stderr, "n = %d, omega = %.6f, t = %3g: steps H and H/2 differ by %.1Le\n", n, omega, times[i], apart);
        bad |= !(apart <= MAX_DISAGREEING);
        printf("%d, %.16g, %g", n, omega, times[i]);
        for (int k = 0; k < 2 * n; k++) printf(", %.17g", (double)fine[i][k]);
        putchar('\n');
    }
    return bad;
}

int main(void)
{
    puts("# Chain of pendulums, all parameters except n and omega at their defaults. Printed by chain_reference "
         "(extrapolation in\n# long double). Columns: n, omega, t, n angles [rad], n rates [rad/s]");
    int bad = 0;
    for (int i = 0; i < COUNT(rods); i++)
        for (int w = 0; w < COUNT(omegas); w++) bad |= print_chain(rods[i], omegas[w]);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
