/* model_util.c - memory, known states and drawings of the built-in models, independent of any specific model.
 *
 * A row is valid at t if the two times differ by rounding only. Rows are not interpolated, because an interpolated
 * value is not a reference. */
#include "model_util.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *bench_alloc(int count, size_t each, resida_message *why)
{
    void *block = calloc((size_t)(count > 0 ? count : 1), each);
    if (!block && why) snprintf(why->text, sizeof why->text, "no memory for %d x %zu bytes", count, each);
    return block;
}

int bench_same(double x, double y)
{
    return fabs(x - y) <= 4 * DBL_EPSILON * fabs(y);
}

static void copy(int n, const double *from, double *to)
{
    if (to && n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

int bench_states_read(const bench_states *states, double t, double *p, double *v, double *lam)
{
    const int width = 1 + states->n_p + states->n_v + states->n_lam;
    for (const double *row = states->values; row < states->values + states->count; row += width) {
        if (!bench_same(t, row[0])) continue;
        copy(states->n_p, row + 1, p);
        copy(states->n_v, row + 1 + states->n_p, v);
        copy(states->n_lam, row + 1 + states->n_p + states->n_v, lam);
        return 0;
    }
    return 1;
}

void bench_fill(int n, double value, double *out)
{
    for (int i = 0; i < n; i++) out[i] = value;
}

void bench_planar_points(const double *xy, int n, double *xyz)
{
    for (int i = 0; i < n; i++) xyz[3 * i] = xy[2 * i], xyz[3 * i + 1] = 0, xyz[3 * i + 2] = xy[2 * i + 1];
}

double *bench_planar_box(double x, double y, double length, double *xyz)
{
    for (int k = 0; k < 8; k++, xyz += 3) {
        xyz[0] = x + (k & 1 ? length : -length) / 2;
        xyz[1] = (k & 2 ? length : -length) / 4;
        xyz[2] = y + (k & 4 ? length : -length) / 4;
    }
    return xyz;
}

double bench_kinetic_energy(const resida_mechanism *m, const resida_model_point *at)
{
    const int n = m->n_v, *row = m->M_pattern.row, *col = m->M_pattern.col;
    const resida_excitation none = {NULL, NULL, NULL};
    double *M = calloc(row ? (size_t)row[n] + 1 : (size_t)n * (size_t)n, sizeof *M), twice = 0;
    if (!M || m->mass_matrix(at->t, at->p, &none, M, m->user) != 0) twice = NAN;
    for (int i = 0, k = 0; i < n && !isnan(twice); i++)
        for (const int end = row ? row[i + 1] : k + n; k < end; k++)
            twice += at->v[i] * M[k] * at->v[row ? col[k] : k - i * n];
    free(M);
    return twice / 2;
}
