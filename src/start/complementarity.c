/* complementarity.c - Lemke's method for 0 <= z, w = M z + q >= 0, w'z = 0: w - z_0 e is pushed to where z_0 is 0.
 * If M is symmetric and positive semidefinite, as without friction, it ends at a solution or shows that there is none,
 * and the columns of M of the positive z are independent. R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear
 * Complementarity Problem, 1992, ch. 4. */
#include "complementarity.h"

#include <math.h>
#include <string.h>

#define LEAST_PIVOT 1e-11 /* of entries of about 1: a smaller one is rounding */
#define SAME_RATIO  1e-12 /* ratios that differ by less are equal */

enum { PIVOTS = 20 }; /* each variable enters a few times at the most */

resida_status rsd_lcp_create(rsd_lcp *l, int m, const resida_allocator *a)
{
    *l = (rsd_lcp){.m = m, .width = 2 * m + 2};
    return RSD_DOUBLES(a, (long)m * l->width, &l->row) && RSD_INTS(a, m, &l->variable) ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

static void pivot(const rsd_lcp *l, int r, int c)
{
    double *by = l->row + (long)r * l->width;
    const double scale = 1 / by[c];
    for (int j = 0; j < l->width; j++) by[j] *= scale;
    for (int i = 0; i < l->m; i++) {
        double *row = l->row + (long)i * l->width;
        const double part = row[c];
        for (int j = 0; j < l->width && i != r && part != 0; j++) row[j] -= part * by[j];
    }
    l->variable[r] = c;
}

/* The row that leaves when column c enters; -1: none does. */
static int leaving_row(const rsd_lcp *l, int c)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < l->m; i++) {
        const double *row = l->row + (long)i * l->width;
        if (row[c] <= LEAST_PIVOT) continue;
        const double ratio = fmax(row[l->width - 1], 0) / row[c];
        const int is_same = best >= 0 && fabs(ratio - least) <= SAME_RATIO * (1 + least);
        const int is_better = l->variable[i] == 2 * l->m || (best >= 0 && l->variable[best] != 2 * l->m &&
                                                             row[c] > l->row[(long)best * l->width + c]);
        if (is_same ? !is_better : ratio >= least) continue;
        least = ratio;
        best = i;
    }
    return best;
}

static void begin(rsd_lcp *l, double rounding)
{
    for (int i = 0; i < l->m; i++) {
        double *row = rsd_lcp_row(l, i);
        row[i] = 1;
        row[2 * l->m] = -1;
        if (fabs(row[2 * l->m + 1]) <= rounding) row[2 * l->m + 1] = 0;
        l->variable[i] = i;
    }
}

int rsd_lcp_solve(rsd_lcp *l, double rounding, double *z, int *last)
{
    const int m = l->m, right = 2 * m + 1;
    int r = 0;
    begin(l, rounding);
    for (int i = 1; i < m; i++)
        if (rsd_lcp_row(l, i)[right] < rsd_lcp_row(l, r)[right]) r = i;
    int entering = m > 0 && rsd_lcp_row(l, r)[right] < 0 ? r + m : -1;
    if (entering >= 0) pivot(l, r, 2 * m);
    for (int k = 0; k < PIVOTS * (m + 1) && entering >= 0; k++) {
        *last = entering % m;
        if ((r = leaving_row(l, entering)) < 0) return 0;
        const int left = l->variable[r];
        pivot(l, r, entering);
        entering = left == 2 * m ? -1 : left < m ? left + m : left - m;
    }
    memset(z, 0, (size_t)m * sizeof *z);
    for (int i = 0; i < m; i++)
        if (l->variable[i] >= m && l->variable[i] < 2 * m) z[l->variable[i] - m] = fmax(rsd_lcp_row(l, i)[right], 0);
    return entering < 0 ? 1 : -1;
}
