/* complementarity.c - forces of contacts as a linear complementarity problem, with Coulomb friction in one direction
 * for each contact, or without. D and q have rows for the gaps, then for sliding. a_n and a_t are accelerations (or
 * speeds after an impact):
 *
 *     (a_n, a_t) = D (N, T) + q,   0 <= N, a_n >= 0, N' a_n = 0
 *     slips:       T = -mu N s, s = 1, -1 the sign of the speed
 *     undecided:   R = mu N + T,  S = mu N - T,  a_t = a+ - a-,  0 <= R, a+, S, a-,  R a+ = S a- = 0
 *
 * in z = (N, R, a-), with R and a- of undecided contacts only. Lemke's method adds z_0 e, e = (1, .., 1), to the
 * problem for z and exchanges basic variables until z_0 is 0. Without friction D has no negative eigenvalue, and the
 * method ends on a ray only if there is no solution. F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral
 * Contacts, 1996, ch. 5; R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, 1992, ch. 4. */
#include "complementarity.h"

#include <math.h>
#include <string.h>

#define MIN_PIVOT  1e-11 /* minimum pivot, with entries of about 1; smaller entries are rounding errors */
#define SAME_RATIO 1e-12 /* relative difference up to which two ratios are equal */

enum { PIVOTS = 20 }; /* maximum number of pivots, divided by the number of variables */

/** Tableau of the problem w = M z + q of size m. */
typedef struct lemke {
    int m, width;    /* size of the problem; length of a row of the tableau: w, z, z_0, right-hand side */
    double rounding; /* rounding error of q */
    double *row;     /* [m x width] rows of the tableau */
    int *variable;   /* [m] basic variables: 0 .. m - 1 are w, m .. 2 m - 1 are z, 2 m is z_0 */
} lemke;

static double get_right_side(const lemke *l, int r)
{
    return l->row[(long)r * l->width + l->width - 1];
}

static void exchange_pivot(const lemke *l, int r, int c)
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

/* Return the row of the variable that leaves the basis if column c enters, or -1 if no variable leaves. */
static int find_leaving_row(const lemke *l, int c)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < l->m; i++) {
        const double *row = l->row + (long)i * l->width;
        if (row[c] <= MIN_PIVOT) continue;
        const double ratio = fmax(get_right_side(l, i), 0) / row[c];
        const int is_same = best >= 0 && fabs(ratio - least) <= SAME_RATIO * (1 + least);
        const int is_better = l->variable[i] == 2 * l->m || (best >= 0 && l->variable[best] != 2 * l->m &&
                                                             row[c] > l->row[(long)best * l->width + c]);
        if (is_same ? !is_better : ratio >= least) continue;
        least = ratio;
        best = i;
    }
    return best;
}

/* Exchange basic variables until z_0 is 0 within rounding. Return 1 on success, 0 if the method ends on a ray along
 * which variable *ray grows, < 0 after too many pivots. */
static int run_lemke(const lemke *l, int entering, int *ray)
{
    const int z_0 = 2 * l->m;
    for (int k = 0; k < PIVOTS * (l->m + 1); k++) {
        const int r = find_leaving_row(l, entering);
        *ray = entering % l->m;
        for (int i = 0; i < l->m && r < 0; i++)
            if (l->variable[i] == z_0) return get_right_side(l, i) <= l->rounding;
        const int left = l->variable[r];
        exchange_pivot(l, r, entering);
        if (left == z_0) return 1;
        entering = left < l->m ? left + l->m : left - l->m;
    }
    return -1;
}

/* Compute z [m]. @return as run_lemke() */
static int solve_lemke(const lemke *l, double *z, int *ray)
{
    int r = 0, found = 1;
    for (int i = 1; i < l->m; i++)
        if (get_right_side(l, i) < get_right_side(l, r)) r = i;
    if (get_right_side(l, r) < 0) {
        exchange_pivot(l, r, 2 * l->m);
        found = run_lemke(l, r + l->m, ray);
    }
    for (int i = 0; i < l->m; i++)
        if (l->variable[i] >= l->m && l->variable[i] < 2 * l->m)
            z[l->variable[i] - l->m] = fmax(get_right_side(l, i), 0);
    return found;
}

/** The forces (N, T) [N] as linear functions of z: C z + f, C [N x m]. */
typedef struct linear_forces {
    double *C, *f;
    int *first; /* [n] index in z of R, and of a- after it, of an undecided contact; -1: decided */
} linear_forces;

static int is_sliding_undecided(const rsd_complementarity *x, int i)
{
    return x->mu && x->slides[i] == 0 && x->mu[i] > 0;
}

static int count_rows(const rsd_complementarity *x)
{
    return x->mu ? 2 * x->n : x->n;
}

static void set_force_functions(const rsd_complementarity *x, int m, linear_forces *of)
{
    const int n = x->n;
    for (int i = 0, next = n; i < n; i++) {
        const double base = x->base ? x->base[i] : 0;
        of->first[i] = is_sliding_undecided(x, i) ? next : -1;
        of->C[(long)i * m + i] = 1;
        of->f[i] = base;
        if (!x->mu) continue;
        const double part = is_sliding_undecided(x, i) ? -x->mu[i] : -x->slides[i] * x->mu[i];
        of->C[(long)(n + i) * m + i] = part;
        of->f[n + i] = part * base;
        if (of->first[i] < 0) continue;
        of->C[(long)(n + i) * m + next] = 1;
        next += 2;
    }
}

/* Set row k of the tableau w - M z - z_0 = q to (D (C z + f) + q)_k. */
static void add_motion_row(const rsd_complementarity *x, int k, const linear_forces *of, int m, double *row)
{
    const int rows = count_rows(x);
    const double *D = x->D + (long)k * rows;
    for (int j = 0; j < rows; j++) {
        for (int c = 0; c < m; c++) row[m + c] -= D[j] * of->C[(long)j * m + c];
        row[2 * m + 1] += D[j] * of->f[j];
    }
    row[2 * m + 1] += x->q[k];
}

static void set_tableau(const rsd_complementarity *x, const linear_forces *of, lemke *l)
{
    const int n = x->n, m = l->m;
    for (int i = 0; i < n; i++) {
        add_motion_row(x, i, of, m, l->row + (long)i * l->width);
        const int R = of->first[i];
        if (R < 0) continue;
        double *along = l->row + (long)R * l->width, *bound = l->row + (long)(R + 1) * l->width;
        add_motion_row(x, n + i, of, m, along);
        along[m + R + 1] -= 1; /* a+ = a_t + a- */
        bound[m + i] = -2 * x->mu[i];
        bound[m + R] = 1; /* S = 2 mu N - R */
        bound[2 * m + 1] = 2 * x->mu[i] * of->f[i];
    }
    for (int i = 0; i < m; i++) {
        double *row = l->row + (long)i * l->width;
        row[i] = 1;
        row[2 * m] = -1;
        if (fabs(row[2 * m + 1]) <= x->rounding) row[2 * m + 1] = 0;
        l->variable[i] = i;
    }
}

/* Compute the forces and the sliding state of each contact from z. */
static void extract_forces(const rsd_complementarity *x, const linear_forces *of, int m, const double *z)
{
    for (int i = 0; i < count_rows(x); i++) {
        x->force[i] = of->f[i];
        for (int c = 0; c < m; c++) x->force[i] += of->C[(long)i * m + c] * z[c];
    }
    for (int i = 0; i < x->n && x->mu; i++) {
        const int R = of->first[i];
        x->result[i] = R < 0 ? x->slides[i] : z[R] == 0 ? 1 : 2 * x->mu[i] * x->force[i] - z[R] <= MIN_PIVOT ? -1 : 0;
        if (R >= 0 && x->force[i] == 0) x->result[i] = 1;
    }
}

/* Return the contact to which variable c of z belongs. */
static int find_contact(const rsd_complementarity *x, const linear_forces *of, int c)
{
    int i = 0;
    while (c >= x->n && i < x->n - 1 && of->first[i] != c && of->first[i] != c - 1) i++;
    return c < x->n ? c : i;
}

resida_status rsd_complementarity_solve(rsd_complementarity *x, const resida_allocator *a, int *found)
{
    const int n = x->n, rows = count_rows(x);
    int m = n, ray = 0;
    for (int i = 0; i < n; i++) m += 2 * is_sliding_undecided(x, i);
    lemke l = {.m = m, .width = 2 * m + 2, .rounding = x->rounding};
    linear_forces of;
    double *z;
    if (!RSD_DOUBLES(a, (long)m * l.width, &l.row) || !RSD_DOUBLES(a, (long)rows * m, &of.C) ||
        !RSD_DOUBLES(a, rows, &of.f) || !RSD_DOUBLES(a, m, &z) || !RSD_INTS(a, m, &l.variable) ||
        !RSD_INTS(a, n, &of.first))
        return RESIDA_ERR_MEMORY;
    set_force_functions(x, m, &of);
    set_tableau(x, &of, &l);
    *found = solve_lemke(&l, z, &ray);
    if (*found > 0)
        extract_forces(x, &of, m, z);
    else
        x->culprit = find_contact(x, &of, ray);
    return RESIDA_OK;
}
