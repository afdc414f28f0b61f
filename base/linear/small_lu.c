/* small_lu.c - see small_lu.h. A matrix of up to a hundred unknowns fits into the first caches, and its cost is
 * dominated by calls, branches and single moves. Therefore it is stored column by column in whole lanes of four,
 * followed by columns of zeros. The factorisation subtracts multiples of column k of L from later columns in whole
 * lanes. If the first row of such a column is within a lane, the elements of this lane before the first row are set to
 * zero. Substitutions process four columns at once, without sums over a lane. */
#include "small_lu.h"

#include "dense.h"

#include <math.h>
#include <string.h>

#include "base/lanes.h"

#define HEAD_PIVOT 0.01 /* minimum pivot of the head, relative to the largest entry of its row */

enum { ZEROS_AT_ONCE = 128 }; /* doubles set to zero in one call; larger calls start slowly */

/* Return 1 if LAPACK factors the matrix, without a head. */
static int is_factored_by_lapack(int n)
{
    return n > RSD_OWN_UP_TO;
}

int rsd_small_lu_create(rsd_small_lu *f, int n, int n_head, int listed, const resida_allocator *alloc)
{
    *f = (rsd_small_lu){.n = n, .ld = is_factored_by_lapack(n) ? n : rsd_round_up_to_lane(n), .n_head = n_head};
    return !RSD_DOUBLES(alloc, (long)f->ld * f->ld, &f->a) || !RSD_DOUBLES(alloc, f->ld, &f->work) ||
           !RSD_INTS(alloc, n, &f->from) || !RSD_INTS(alloc, n_head + 1L, &f->start) ||
           !RSD_INTS(alloc, listed, &f->column);
}

void rsd_small_lu_free(rsd_small_lu *f, const resida_allocator *alloc)
{
    RSD_FREE(alloc, f->a, f->from, f->work, f->start, f->column);
}

void rsd_small_lu_clear(rsd_small_lu *f)
{
    const int columns = f->ld < ZEROS_AT_ONCE ? ZEROS_AT_ONCE / f->ld : 1;
    for (int i = 0; i < f->n; i += columns) {
        size_t entries = (size_t)(f->n - i < columns ? f->n - i : columns) * (size_t)f->ld;
        memset(f->a + (size_t)i * (size_t)f->ld, 0, entries * sizeof *f->a);
    }
}

/* Return column j of the matrix f->a, which is A before and L U after the factorisation. */
RSD_PART static double *get_column(const rsd_small_lu *f, int j)
{
    return f->a + (size_t)j * (size_t)f->ld;
}

/* Return 1 if the pivot of row k of the head is at least HEAD_PIVOT times the largest entry of the row. */
RSD_PART static int is_pivot_large(const rsd_small_lu *f, int k)
{
    const double pivot = get_column(f, k)[k];
    double max = 0;
    for (int e = f->start[k]; e < f->start[k + 1]; e++) {
        const double size = fabs(get_column(f, f->column[e])[k]);
        if (size > max) max = size;
    }
    return fabs(pivot) >= HEAD_PIVOT * max && isfinite(1 / pivot);
}

/* Compute column k of L from row `first` on. The pivot is inverted. The column is also copied to l [length] in whole
 * lanes, with zeros before row `first`. */
RSD_PART static void divide_column(const rsd_small_lu *f, int k, int first, int length, double *l)
{
    static const rsd_lane_mask from[RSD_LANE] = {{-1, -1, -1, -1}, {0, -1, -1, -1}, {0, 0, -1, -1}, {0, 0, 0, -1}};
    double *c = get_column(f, k), *below = c + rsd_round_down_to_lane(first);
    const double inverse = 1 / c[k];
    const rsd_lane_mask rows = from[first - rsd_round_down_to_lane(first)];
    for (int i = 0; i < length; i += RSD_LANE) {
        const rsd_lane_mask part = (rsd_lane_mask)(inverse * RSD_LANE_AT(below + i)), in = i == 0 ? rows : from[0];
        *(rsd_lane *)(l + i) = (rsd_lane)(part & in);
        *(rsd_lane *)(below + i) = (rsd_lane)((part & in) | ((rsd_lane_mask)RSD_LANE_AT(below + i) & ~in));
    }
    c[k] = inverse;
}

/* Eliminate unknown k. Multiples of column k of L are subtracted, in rows `first` and below, from all later columns, or
 * if in_head is 1 from the listed columns of row k. */
RSD_PART static void eliminate_column(const rsd_small_lu *f, int k, int first, int in_head)
{
    double *l = f->work, *a = f->a;
    const size_t ld = (size_t)f->ld;
    const int *column = f->column, begin = in_head ? f->start[k] : k + 1, end = in_head ? f->start[k + 1] : f->n;
    const int lane = rsd_round_down_to_lane(first), length = f->ld - lane;
    divide_column(f, k, first, length, l);
    for (int e = begin; e < end; e++) {
        double *c = a + (size_t)(in_head ? column[e] : e) * ld;
        if (c[k] != 0) rsd_lanes_subtract(length, c[k], l, c + lane);
    }
}

/* Return 1 if row k has no entry after column k, as in the equation lam_i = 0 of a redundant constraint. With such a
 * pivot row the elimination changes no other row. */
RSD_PART static int has_single_entry(const rsd_small_lu *f, int k)
{
    int j = k + 1;
    while (j < f->n && get_column(f, j)[k] == 0) j++;
    return j == f->n && get_column(f, k)[k] != 0;
}

RSD_PART static void swap_rows(const rsd_small_lu *f, int i, int k)
{
    const int from = f->from[i];
    f->from[i] = f->from[k];
    f->from[k] = from;
    for (int j = 0; j < f->n; j++) {
        double *c = get_column(f, j), entry = c[i];
        c[i] = c[k];
        c[k] = entry;
    }
}

/* Exchange rows so that row k has the largest entry of column k. @return 0 if all entries of the column are zero */
RSD_PART static int choose_pivot(const rsd_small_lu *f, int k)
{
    const double *c = get_column(f, k);
    int best = k;
    double max = fabs(c[k]);
    for (int i = k + 1; i < f->n; i++)
        if (fabs(c[i]) > max) max = fabs(c[i]), best = i;
    if (best != k && !has_single_entry(f, k)) swap_rows(f, best, k);
    return max > 0;
}

/* Factor the matrix in lanes, first the head, then the rest with row pivoting. Return as rsd_small_lu_factor(). */
RSD_WIDE static int factor_in_lanes(rsd_small_lu *f)
{
    int k = 0;
    for (int i = 0; i < f->n; i++) f->from[i] = i;
    for (; k < f->n_head && is_pivot_large(f, k); k++) eliminate_column(f, k, f->n_head, 1);
    f->headed = k;
    for (; k < f->n; k++) {
        if (!choose_pivot(f, k) || !isfinite(1 / get_column(f, k)[k])) return k + 1;
        eliminate_column(f, k, k + 1, 0);
    }
    return 0;
}

int rsd_small_lu_factor(rsd_small_lu *f)
{
    return is_factored_by_lapack(f->n) ? rsd_lu_factor(f->n, f->a, f->from) : factor_in_lanes(f);
}

/* Compute z -= x0 c0 + x1 c1 + x2 c2 + x3 c3 with four consecutive columns of L or U, in whole lanes of rows from
 * `first` to `end`, excluding `end`. */
RSD_PART static void subtract_four_columns(const double *c0, int ld, const double *x, int first, int end, double *z)
{
    const double x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    const double *c1 = c0 + ld, *c2 = c1 + ld, *c3 = c2 + ld;
    for (int i = first; i < end; i += RSD_LANE)
        *(rsd_lane *)(z + i) = RSD_LANE_AT(z + i) - x0 * RSD_LANE_AT(c0 + i) - x1 * RSD_LANE_AT(c1 + i) -
                               x2 * RSD_LANE_AT(c2 + i) - x3 * RSD_LANE_AT(c3 + i);
}

/* Compute z = L^-1 z. The columns of the head have entries of L only in rows after the head. */
RSD_PART static void solve_lower(const rsd_small_lu *f, int ld, double *z)
{
    const int head = rsd_round_down_to_lane(f->headed);
    for (int k = 0; k < ld; k += RSD_LANE) {
        const double *c = f->a + k * ld, *c0 = c + k, *c1 = c0 + ld, *c2 = c1 + ld;
        double *y = z + k;
        if (k >= head) {
            y[1] -= y[0] * c0[1];
            y[2] -= y[0] * c0[2] + y[1] * c1[2];
            y[3] -= y[0] * c0[3] + y[1] * c1[3] + y[2] * c2[3];
        }
        subtract_four_columns(c, ld, y, k < head ? head : k + RSD_LANE, ld, z);
    }
}

/* Compute z = U^-1 z. */
RSD_PART static void solve_upper(const rsd_small_lu *f, int ld, double *z)
{
    const int head = rsd_round_down_to_lane(f->headed);
    for (int k = ld - RSD_LANE; k >= 0; k -= RSD_LANE) {
        const double *c = f->a + k * ld, *c0 = c + k, *c1 = c0 + ld, *c2 = c1 + ld, *c3 = c2 + ld;
        double *x = z + k;
        x[3] *= c3[3];
        if (k < head) {
            x[2] *= c2[2];
            x[1] *= c1[1];
            x[0] *= c0[0];
            continue;
        }
        x[2] = (x[2] - x[3] * c3[2]) * c2[2];
        x[1] = (x[1] - (x[2] * c2[1] + x[3] * c3[1])) * c1[1];
        x[0] = (x[0] - (x[1] * c1[0] + x[2] * c2[0] + x[3] * c3[0])) * c0[0];
        subtract_four_columns(c, ld, x, 0, k, z);
    }
}

RSD_PART static void solve_lower_and_upper(const rsd_small_lu *f, int ld, const int *unknown, double *x)
{
    const int n = f->n, whole = rsd_round_down_to_lane(n), *from = f->from;
    double *z = f->work;
    for (int q = ld - RSD_LANE; q < ld; q++) z[q] = 0;
    for (int i = 0; i < whole; i += RSD_LANE)
        for (int q = i; q < i + RSD_LANE; q++) z[q] = x[unknown[from[q]]];
    for (int i = whole; i < n; i++) z[i] = x[unknown[from[i]]];
    solve_lower(f, ld, z);
    solve_upper(f, ld, z);
    for (int i = 0; i < whole; i += RSD_LANE)
        for (int q = i; q < i + RSD_LANE; q++) x[unknown[q]] = z[q];
    for (int i = whole; i < n; i++) x[unknown[i]] = z[i];
}

/* Solve A x = b with the factors of A. The leading dimension is a compile-time constant for up to 16 unknowns. */
RSD_WIDE static void solve_factored(const rsd_small_lu *f, const int *unknown, double *x)
{
    switch (f->ld) {
    case RSD_LANE:
        solve_lower_and_upper(f, RSD_LANE, unknown, x);
        break;
    case 2 * RSD_LANE:
        solve_lower_and_upper(f, 2 * RSD_LANE, unknown, x);
        break;
    case 3 * RSD_LANE:
        solve_lower_and_upper(f, 3 * RSD_LANE, unknown, x);
        break;
    case 4 * RSD_LANE:
        solve_lower_and_upper(f, 4 * RSD_LANE, unknown, x);
        break;
    default:
        solve_lower_and_upper(f, f->ld, unknown, x);
    }
}

void rsd_small_lu_solve(rsd_small_lu *f, const int *unknown, double *x)
{
    if (is_factored_by_lapack(f->n))
        rsd_lu_solve(f->n, f->a, f->from, x);
    else
        solve_factored(f, unknown, x);
}
