/* lagrange.c - see lagrange.h. */
#include "lagrange.h"

#include <math.h>

void bm_shape(int order, double x, double *N, double *dN)
{
    double at[BM_MAX_NODES];
    for (int i = 0; i <= order; i++) at[i] = -1 + 2.0 * i / order;
    for (int i = 0; i <= order; i++) {
        N[i] = 1, dN[i] = 0;
        for (int k = 0; k <= order; k++) {
            if (k == i) continue;
            const double gap = at[i] - at[k];
            dN[i] = dN[i] * (x - at[k]) / gap + N[i] / gap;
            N[i] *= (x - at[k]) / gap;
        }
    }
}

/* Roots of the Legendre polynomials of degree 1 to 4. */
void bm_gauss(int n, double *x, double *weight)
{
    const double root = 2 * sqrt(6.0 / 5);
    const double inner = sqrt((3 - root) / 7), outer = sqrt((3 + root) / 7);
    const double more = (18 + sqrt(30.0)) / 36, less = (18 - sqrt(30.0)) / 36;
    const double third = 1 / sqrt(3.0), fifth = sqrt(3.0 / 5);
    const double points[BM_MAX_POINTS][BM_MAX_POINTS] = {
        {0}, {-third, third}, {-fifth, 0, fifth}, {-outer, -inner, inner, outer}};
    const double weights[BM_MAX_POINTS][BM_MAX_POINTS] = {
        {2}, {1, 1}, {5.0 / 9, 8.0 / 9, 5.0 / 9}, {less, more, more, less}};
    for (int i = 0; i < n; i++) x[i] = points[n - 1][i], weight[i] = weights[n - 1][i];
}
