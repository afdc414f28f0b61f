/* complementarity.c - forces of contacts as a linear complementarity problem, with Coulomb friction in one direction
 * for each contact, or without. D and q have rows for the gaps, then for sliding. a_n and a_t are accelerations (or
 * speeds after an impact):
 *
 *     (a_n, a_t) = D (N, T) + q,   0 <= N, a_n >= 0, N' a_n = 0
 *     slips:       T = -mu N s, s = 1, -1 the sign of the speed
 *     undecided:   T = T+ - T-,  0 <= T+, b + a_t,  0 <= T-, b - a_t,  0 <= b, mu N - T+ - T-,  products are 0
 *
 * in z = (N, T+, T-, b), with T+, T-, b = abs(a_t) of undecided contacts only. Lemke's method adds z_0 e, with a
 * vector e > 0, to the problem for z and exchanges basic variables until z_0 is 0. It begins with T = 0 and ends at a
 * vertex of the set of solutions. If sliding directions depend on each other, at most as many T as there are
 * independent directions then differ from 0 and mu N. Without friction D has no negative eigenvalue, and the method
 * ends on a ray only if there is no solution. M. Anitescu, F. A. Potra, Formulating dynamic multi-rigid-body contact
 * problems with friction as solvable linear complementarity problems, 1997; R. W. Cottle, J.-S. Pang, R. E. Stone, The
 * Linear Complementarity Problem, 1992, ch. 4. */
#include "complementarity.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

#define MIN_PIVOT 1e-11 /* minimum pivot of a tableau with entries of about 1; smaller entries are rounding errors */

enum { PIVOTS = 20 }; /* maximum number of exchanges of basic variables, relative to m + 1 */

/** Tableau of Lemke's method for w = M z + q. */
typedef struct lemke {
    int m, width;    /* size of the problem; length of a row, the coefficients of w, z, z_0 and the right-hand side */
    double rounding; /* rounding error of q */
    double *row;     /* [m x width] rows */
    int *variable;   /* [m] basic variable of each row: 0 .. m - 1 for w, m .. 2 m - 1 for z, 2 m for z_0 */
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

/* Return the row of the variable that leaves the basis if column c enters, or -1 if no variable leaves. Other basic
 * variables may fall below 0 by rounding. Among the rows with such variables, the row of z_0 or the row with the
 * largest pivot is selected. */
static int find_leaving_row(const lemke *l, int c)
{
    int best = -1;
    double limit = INFINITY, largest = 0;
    for (int i = 0; i < l->m; i++) {
        const double pivot = l->row[(long)i * l->width + c];
        if (pivot > MIN_PIVOT) limit = fmin(limit, (fmax(get_right_side(l, i), 0) + l->rounding) / pivot);
    }
    for (int i = 0; i < l->m; i++) {
        const double pivot = l->row[(long)i * l->width + c];
        if (!(pivot > MIN_PIVOT) || fmax(get_right_side(l, i), 0) / pivot > limit) continue;
        if (l->variable[i] == 2 * l->m) return i;
        if (pivot > largest) best = i, largest = pivot;
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

/* Compute the solution z [m] by Lemke's method. @return as run_lemke() */
static int solve_lemke(const lemke *l, double *z, int *ray)
{
    const int z_0 = 2 * l->m;
    int r = 0, found = 1;
    for (int i = 1; i < l->m; i++)
        if (get_right_side(l, i) * l->row[(long)r * l->width + z_0] >
            get_right_side(l, r) * l->row[(long)i * l->width + z_0])
            r = i;
    if (get_right_side(l, r) < 0) {
        exchange_pivot(l, r, z_0);
        found = run_lemke(l, r + l->m, ray);
    }
    for (int i = 0; i < l->m; i++)
        if (l->variable[i] >= l->m && l->variable[i] < 2 * l->m)
            z[l->variable[i] - l->m] = fmax(get_right_side(l, i), 0);
    return found;
}

/** Normal and friction forces as linear functions of the unknowns z of the problem: C z + f, C [N x m]. */
typedef struct linear_forces {
    double *C, *f; /* [N x m] matrix; [N] constant forces */
    int *first;    /* [n] index of T+ in z for an undecided contact, followed by T- and b; -1: decided */
} linear_forces;

static int get_slide(const rsd_complementarity *x, int i)
{
    return x->slides ? x->slides[i] : 0;
}

static int is_sliding_undecided(const rsd_complementarity *x, int i)
{
    return x->mu && get_slide(x, i) == 0 && x->mu[i] > 0;
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
        double *along = of->C + (long)(n + i) * m;
        along[i] = -get_slide(x, i) * x->mu[i];
        of->f[n + i] = along[i] * base;
        if (of->first[i] < 0) continue;
        along[next] = 1;
        along[next + 1] = -1;
        next += 3;
    }
}

/* Add sign (D (C z + f) + q)_k to a row of the tableau w - M z - z_0 = q. */
static void add_motion_row(const rsd_complementarity *x, int k, int sign, const linear_forces *of, int m, double *row)
{
    const int rows = count_rows(x);
    const double *D = x->D + (long)k * rows;
    for (int j = 0; j < rows; j++) {
        for (int c = 0; c < m; c++) row[m + c] -= sign * D[j] * of->C[(long)j * m + c];
        row[2 * m + 1] += sign * D[j] * of->f[j];
    }
    row[2 * m + 1] += sign * x->q[k];
}

static void set_tableau(const rsd_complementarity *x, const linear_forces *of, lemke *l)
{
    const int n = x->n, m = l->m;
    for (int i = 0; i < n; i++) {
        add_motion_row(x, i, 1, of, m, l->row + (long)i * l->width);
        const int T = of->first[i], b = T + 2;
        if (T < 0) continue;
        for (int k = T; k < b; k++) { /* b + a_t, b - a_t */
            add_motion_row(x, n + i, k == T ? 1 : -1, of, m, l->row + (long)k * l->width);
            l->row[(long)k * l->width + m + b] = -1;
        }
        double *bound = l->row + (long)b * l->width;
        bound[m + i] = -x->mu[i];
        bound[m + T] = bound[m + T + 1] = 1;
        bound[2 * m + 1] = x->mu[i] * of->f[i];
    }
    for (int i = 0; i < m; i++) {
        double *row = l->row + (long)i * l->width;
        row[i] = 1;
        row[2 * m] = -(1 + fmod(RSD_GOLDEN * i, 1)); /* not all ratios are equal */
        if (fabs(row[2 * m + 1]) <= x->rounding) row[2 * m + 1] = 0;
        l->variable[i] = i;
    }
}

static void extract_forces(const rsd_complementarity *x, const linear_forces *of, int m, const double *z)
{
    for (int i = 0; i < count_rows(x); i++) {
        x->force[i] = of->f[i];
        for (int c = 0; c < m; c++) x->force[i] += of->C[(long)i * m + c] * z[c];
    }
}

/* Return the row of a basic variable of the tableau, or -1 if the variable is not basic. */
static int find_row(const lemke *l, int variable)
{
    int r = l->m - 1;
    while (r >= 0 && l->variable[r] != variable) r--;
    return r;
}

/* Exchange a basic variable of value 0. Return 0 if the exchange would make the sticking directions depend on each
 * other. */
static int exchange_zero(const lemke *l, int leaving, int entering)
{
    const int r = find_row(l, leaving);
    if (fabs(l->row[(long)r * l->width + entering]) <= MIN_PIVOT) return 0;
    exchange_pivot(l, r, entering);
    return 1;
}

/* Set the states of the contacts from the solution z. The basis is extended until no other contact can stick. */
static void extract_states(const rsd_complementarity *x, const linear_forces *of, const lemke *l, const double *z)
{
    for (int i = 0; i < x->n && x->mu && x->slides; i++) {
        const int T = of->first[i], b = T + 2, m = l->m;
        const double force = x->force[x->n + i];
        x->result[i] = x->slides[i];
        x->follows[i] = T < 0 && x->slides[i] == 0;
        if (T < 0) continue;
        x->result[i] = fabs(force) < x->mu[i] * x->force[i] - x->rounding ? 0 : force > 0 ? -1 : 1;
        const int n_basic = (find_row(l, m + T) >= 0) + (find_row(l, m + T + 1) >= 0);
        if (n_basic == 0 && find_row(l, m + b) < 0)
            x->follows[i] = !exchange_zero(l, T, m + T);
        else if (n_basic == 1 && find_row(l, m + b) >= 0)
            x->follows[i] = z[b] <= x->rounding && !exchange_zero(l, m + b, b);
    }
}

/* Return the contact to which variable c of z belongs. */
static int find_contact(const rsd_complementarity *x, const linear_forces *of, int c)
{
    int i = 0;
    while (c >= x->n && i < x->n - 1 && (of->first[i] < 0 || of->first[i] + 2 < c)) i++;
    return c < x->n ? c : i;
}

resida_status rsd_complementarity_solve(rsd_complementarity *x, const resida_allocator *a, int *found)
{
    const int n = x->n, rows = count_rows(x);
    int m = n, ray = 0;
    for (int i = 0; i < n; i++) m += 3 * is_sliding_undecided(x, i);
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
    x->blocking_contact = *found > 0 ? -1 : find_contact(x, &of, ray);
    if (*found <= 0) return RESIDA_OK;
    extract_forces(x, &of, m, z);
    extract_states(x, &of, &l, z);
    return RESIDA_OK;
}
