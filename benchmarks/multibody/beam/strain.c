/* strain.c - see strain.h. */
#include "strain.h"

#include <string.h>

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void add(double s, const double *a, double *out)
{
    for (int k = 0; k < 3; k++) out[k] += s * a[k];
}

void bm_fields_at(const bm_point *point, int n, const double *const *node, bm_fields X)
{
    memset(X, 0, sizeof(bm_fields));
    for (int i = 0; i < n; i++) {
        add(point->slope[i], node[i], X[BM_SLOPE]);
        for (int a = 0; a < 3; a++) {
            add(point->N[i], node[i] + 3 + 3 * a, X[BM_DIRECTOR + a]);
            add(point->slope[i], node[i] + 3 + 3 * a, X[BM_TURN + a]);
        }
    }
}

/* Set b and c such that (a, b, c) is cyclic. */
static void others(int a, int *b, int *c)
{
    *b = (a + 1) % 3, *c = (a + 2) % 3;
}

void bm_strain(bm_fields X, double *strain)
{
    for (int a = 0, b, c; a < 3; a++) {
        others(a, &b, &c);
        strain[a] = dot(X[BM_DIRECTOR + a], X[BM_SLOPE]);
        strain[3 + a] = (dot(X[BM_DIRECTOR + c], X[BM_TURN + b]) - dot(X[BM_DIRECTOR + b], X[BM_TURN + c])) / 2;
    }
}

void bm_strain_rate(bm_fields X, bm_fields V, double *rate)
{
    for (int a = 0, b, c; a < 3; a++) {
        others(a, &b, &c);
        rate[a] = dot(X[BM_DIRECTOR + a], V[BM_SLOPE]) + dot(V[BM_DIRECTOR + a], X[BM_SLOPE]);
        rate[3 + a] = (dot(X[BM_DIRECTOR + c], V[BM_TURN + b]) + dot(V[BM_DIRECTOR + c], X[BM_TURN + b]) -
                       dot(X[BM_DIRECTOR + b], V[BM_TURN + c]) - dot(V[BM_DIRECTOR + b], X[BM_TURN + c])) /
                      2;
    }
}

void bm_work(const double *stress, bm_fields X, bm_fields F)
{
    memset(F, 0, sizeof(bm_fields));
    for (int a = 0, b, c; a < 3; a++) {
        const double half = stress[3 + a] / 2;
        others(a, &b, &c);
        add(stress[a], X[BM_DIRECTOR + a], F[BM_SLOPE]);
        add(stress[a], X[BM_SLOPE], F[BM_DIRECTOR + a]);
        add(half, X[BM_TURN + b], F[BM_DIRECTOR + c]);
        add(half, X[BM_DIRECTOR + c], F[BM_TURN + b]);
        add(-half, X[BM_TURN + c], F[BM_DIRECTOR + b]);
        add(-half, X[BM_DIRECTOR + b], F[BM_TURN + c]);
    }
}
