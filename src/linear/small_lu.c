/* small_lu.c - see small_lu.h. A matrix of up to a hundred unknowns stays in the first caches, and what it costs is
 * calls, branches and single moves: so pivots are swapped by pointers, rows are worked on in whole lanes of four, and a
 * lane that is cut by the diagonal is made harmless by zeros. Lanes also fix the order of every sum, whatever the
 * machine has. */
#include "small_lu.h"

#include <math.h>
#include <string.h>

#include "src/base/lanes.h"

#define HEAD_PIVOT 0.01 /* of the largest entry of its row, at least */

enum { ZEROS_AT_ONCE = 128 }; /* zeros, at most; for more C libraries take an instruction that is slow to begin */

int rsd_small_lu_create(rsd_small_lu *f, int n, int n_head, int listed, const resida_allocator *alloc)
{
    *f = (rsd_small_lu){.n = n, .ld = rsd_whole_lanes(n), .n_head = n_head};
    f->a = rsd_matrix(alloc, n, f->ld);
    f->row = rsd_calloc(alloc, n, sizeof *f->row);
    f->from = rsd_calloc(alloc, n, sizeof(int));
    f->work = rsd_doubles(alloc, 2L * f->ld);
    f->start = rsd_calloc(alloc, n_head + 1L, sizeof(int));
    f->column = rsd_calloc(alloc, listed, sizeof(int));
    return !f->a || !f->row || !f->from || !f->work || !f->start || !f->column;
}

void rsd_small_lu_free(rsd_small_lu *f, const resida_allocator *alloc)
{
    rsd_free(alloc, f->a);
    rsd_free(alloc, f->row);
    rsd_free(alloc, f->from);
    rsd_free(alloc, f->work);
    rsd_free(alloc, f->start);
    rsd_free(alloc, f->column);
}

void rsd_small_lu_clear(rsd_small_lu *f)
{
    const int rows = f->ld < ZEROS_AT_ONCE ? ZEROS_AT_ONCE / f->ld : 1;
    for (int i = 0; i < f->n; i += rows) {
        size_t entries = (size_t)(f->n - i < rows ? f->n - i : rows) * (size_t)f->ld;
        memset(f->a + (size_t)i * (size_t)f->ld, 0, entries * sizeof *f->a);
    }
}

/* Is the pivot of head row k large enough beside its row? */
static int is_pivot_of_row(const rsd_small_lu *f, int k)
{
    const double *r = f->row[k];
    double most = 0;
    for (int e = f->start[k]; e < f->start[k + 1]; e++) {
        double size = fabs(r[f->column[e]]);
        if (size > most) most = size;
    }
    return fabs(r[k]) >= HEAD_PIVOT * most && isfinite(1 / r[k]);
}

/* The rows from `first` on, less their part of row k in the columns from `first` on: `length` columns in whole lanes,
 * of which the first is made harmless by zeros where it is cut. */
static inline void subtract_row(const rsd_small_lu *f, int k, int first, int length)
{
    const int lane = rsd_lane_of(first);
    const double inverse = f->row[k][k];
    double *w = f->work;
    memcpy(w, f->row[k] + lane, (size_t)length * sizeof *w);
    for (int q = 0; q < RSD_LANE - 1; q++)
        if (lane + q < first) w[q] = 0;
    for (int i = first; i < f->n; i++) {
        double *r = f->row[i], l = r[k] *= inverse;
        if (l != 0) rsd_lanes_subtract(length, l, w, r + lane);
    }
}

/* Row k is eliminated from the rows from `first` on. Of up to 16 columns compilers know how many lanes they are. */
RSD_WIDE static void eliminate(rsd_small_lu *f, int k, int first)
{
    const int lanes = (f->ld - rsd_lane_of(first)) / RSD_LANE;
    f->row[k][k] = 1 / f->row[k][k];
    if (first == f->n) return;
    switch (lanes) {
    case 1:
        subtract_row(f, k, first, RSD_LANE);
        break;
    case 2:
        subtract_row(f, k, first, 2 * RSD_LANE);
        break;
    case 3:
        subtract_row(f, k, first, 3 * RSD_LANE);
        break;
    case 4:
        subtract_row(f, k, first, 4 * RSD_LANE);
        break;
    default:
        subtract_row(f, k, first, lanes * RSD_LANE);
    }
}

/* The same for head row k, entry by entry. */
static void eliminate_by_list(rsd_small_lu *f, int k)
{
    const double *pivot = f->row[k];
    const int *column = f->column + f->start[k], listed = f->start[k + 1] - f->start[k];
    double inverse = f->row[k][k] = 1 / f->row[k][k];
    for (int i = f->n_head; i < f->n; i++) {
        double *r = f->row[i];
        if (r[k] == 0) continue;
        double l = r[k] *= inverse;
        for (int e = 0; e < listed; e++) r[column[e]] -= l * pivot[column[e]];
    }
}

/* An entry of a list costs as much as two lanes. */
static void eliminate_head(rsd_small_lu *f, int k)
{
    int lanes = (f->ld - rsd_lane_of(f->n_head)) / RSD_LANE;
    if (2 * (f->start[k + 1] - f->start[k]) < lanes)
        eliminate_by_list(f, k);
    else
        eliminate(f, k, f->n_head);
}

/* 1: of what is left, row k has an entry in column k alone. It determines its unknown whatever others say (a constraint
 * that was dropped: lam_i = 0), and as a pivot row changes no other. */
static int is_alone(const rsd_small_lu *f, int k)
{
    int j = k + 1;
    while (j < f->n && f->row[k][j] == 0) j++;
    return j == f->n && f->row[k][k] != 0;
}

/* Row k becomes the one with the largest entry of column k. @return 0: all are zero */
static int choose_pivot(rsd_small_lu *f, int k)
{
    int best = k;
    double most = fabs(f->row[k][k]);
    for (int i = k + 1; i < f->n; i++) {
        double size = fabs(f->row[i][k]);
        if (size > most) most = size, best = i;
    }
    if (best == k || is_alone(f, k)) return most > 0;
    double *row = f->row[best];
    int from = f->from[best];
    f->row[best] = f->row[k];
    f->from[best] = f->from[k];
    f->row[k] = row;
    f->from[k] = from;
    return 1;
}

int rsd_small_lu_factor(rsd_small_lu *f)
{
    int k = 0;
    double *a = f->a;
    for (int i = 0; i < f->n; i++, a += f->ld) {
        f->row[i] = a;
        f->from[i] = i;
    }
    for (; k < f->n_head && is_pivot_of_row(f, k); k++) eliminate_head(f, k);
    f->headed = k;
    for (; k < f->n; k++) {
        if (!choose_pivot(f, k) || !isfinite(1 / f->row[k][k])) return k + 1;
        eliminate(f, k, k + 1);
    }
    return 0;
}

RSD_WIDE static void solve(const rsd_small_lu *f, const int *unknown, double *x)
{
    double *y = f->work, *z = f->work + f->ld; /* y = L^-1 b, z = U^-1 y; zero where they are not known yet */
    memset(f->work, 0, 2 * (size_t)f->ld * sizeof *f->work);
    for (int k = 0; k < f->headed; k++) y[k] = x[unknown[f->from[k]]];
    for (int i = f->headed; i < f->n; i++)
        y[i] = x[unknown[f->from[i]]] - rsd_lanes_dot(rsd_whole_lanes(i), f->row[i], y);
    for (int i = f->n - 1; i >= f->headed; i--) {
        int first = rsd_lane_of(i + 1);
        z[i] = (y[i] - rsd_lanes_dot(f->ld - first, f->row[i] + first, z + first)) * f->row[i][i];
    }
    for (int k = f->headed - 1; k >= 0; k--) {
        double rest = y[k];
        for (int e = f->start[k]; e < f->start[k + 1]; e++) rest -= f->row[k][f->column[e]] * z[f->column[e]];
        z[k] = rest * f->row[k][k];
    }
    for (int i = 0; i < f->n; i++) x[unknown[i]] = z[i];
}

void rsd_small_lu_solve(rsd_small_lu *f, const int *unknown, double *x)
{
    solve(f, unknown, x);
}
