/* start_dae.c - consistent values of a general DAE of index 1 at t: Newton's method with dense differences for
 *
 *     F(t, y, yp) = 0,   unknown: yp_i of differential, y_i of algebraic components
 *
 * Damped by halving until |F| (maximum norm, rows as they are) falls. Indices 2 and 3 are refused: as declared, or by
 * the singular matrix. */
#include "start_dae.h"

#include "dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 30, MAX_HALVINGS = 10 };

static double *unknown(const rsd_guard *g, double *y, double *yp, int i)
{
    return g->problem->kinds[i] == RESIDA_DIFFERENTIAL ? &yp[i] : &y[i]; /* index 1: there are no others */
}

static double max_norm(const double *x, int n)
{
    double norm = 0;
    for (int i = 0; i < n; i++) norm = fmax(norm, fabs(x[i]));
    return norm;
}

static resida_status not_found(rsd_guard *g, double t, const char *reason, double norm)
{
    if (g->stop < 0) return g->stop;
    return rsd_fail(g->message, RESIDA_ERR_INCONSISTENT, "no consistent start of the DAE at t = %g: %s, |F| = %g", t,
                    reason, norm);
}

/* F could not be evaluated where it has to be. */
static resida_status not_possible(rsd_guard *g, double t)
{
    char what[160];
    if (g->stop < 0) return g->stop;
    const rsd_fault *fault = rsd_problem_fault(g->problem);
    rsd_problem_fault_text(g->problem, fault, what, sizeof what);
    if (g->last == RSD_NOT_FINITE)
        return rsd_fail(g->message, RESIDA_ERR_NONFINITE, "%s is NaN or Inf in the consistent start at t = %g", what,
                        t);
    return rsd_fail(g->message, RESIDA_ERR_USER, "%s %s in the consistent start at t = %g", what,
                    rsd_fault_said(fault, fault->verdict).text, t);
}

static int fill_matrix(rsd_guard *g, const rsd_scratch *s, double t, double *y, double *yp)
{
    int n = g->problem->layout.n;
    for (int j = 0; j < n; j++) {
        double *x = unknown(g, y, yp, j), before = *x;
        volatile double moved = before + sqrt(DBL_EPSILON) * fmax(fabs(before), 1e-3);
        *x = moved;
        int verdict = rsd_guard_residual(t, y, yp, s->r, g);
        *x = before;
        if (verdict) return verdict;
        for (int i = 0; i < n; i++) s->A[(long)j * n + i] = (s->r[i] - s->r0[i]) / (moved - before);
    }
    return 0;
}

/* Go the Newton step s->x, halved until |F| falls. 1: gone, s->r0 is F there; 0: no part of it helps. */
static int go(rsd_guard *g, const rsd_scratch *s, double t, double *y, double *yp)
{
    int n = g->problem->layout.n;
    double before = max_norm(s->r0, n), gone = 0, part = 1;
    for (int k = 0; k <= MAX_HALVINGS; k++, part /= 2) {
        for (int i = 0; i < n; i++) *unknown(g, y, yp, i) -= (part - gone) * s->x[i];
        gone = part;
        int verdict = rsd_guard_residual(t, y, yp, s->r, g);
        if (verdict < 0) return 0;
        if (verdict == 0 && max_norm(s->r, n) < before) {
            memcpy(s->r0, s->r, (size_t)n * sizeof *s->r);
            return 1;
        }
    }
    for (int i = 0; i < n; i++) *unknown(g, y, yp, i) += gone * s->x[i];
    return 0;
}

static int is_small(rsd_guard *g, const double *x, double *y, double *yp)
{
    for (int i = 0; i < g->problem->layout.n; i++)
        if (fabs(x[i]) > 1e-9 * (1 + fabs(*unknown(g, y, yp, i)))) return 0;
    return 1;
}

static resida_status check_kinds(rsd_guard *g, double t)
{
    char name[80];
    for (int i = 0; i < g->problem->layout.n; i++)
        if (g->problem->kinds[i] >= RESIDA_ALGEBRAIC_2) {
            resida_problem_component_name(g->problem, i, name, sizeof name);
            return rsd_fail(g->message, RESIDA_ERR_INCONSISTENT,
                            "no consistent start of the DAE at t = %g: %s is of index %d, so yp0 has to be given", t,
                            name, g->problem->kinds[i] == RESIDA_DIFFERENTIAL_2 ? 2 : (int)g->problem->kinds[i]);
        }
    return RESIDA_OK;
}

resida_status rsd_start_dae(rsd_guard *g, const rsd_scratch *s, double t, double *y, double *yp)
{
    int n = g->problem->layout.n;
    g->cause = RSD_START;
    g->run = 0;
    RSD_TRY(check_kinds(g, t));
    if (rsd_guard_residual(t, y, yp, s->r0, g)) return not_possible(g, t);
    for (int it = 0; it < MAX_ITERATIONS; it++) {
        int solved = max_norm(s->r0, n) == 0;
        if (solved && it > 0) return RESIDA_OK;
        if (fill_matrix(g, s, t, y, yp)) return not_possible(g, t);
        if (rsd_lu_factor(n, s->A, s->pivots)) return not_found(g, t, "index above 1", max_norm(s->r0, n));
        if (solved) return RESIDA_OK; /* F = 0 is enough only if the index is 1 */
        memcpy(s->x, s->r0, (size_t)n * sizeof *s->x);
        rsd_lu_solve(n, s->A, s->pivots, s->x);
        int small = is_small(g, s->x, y, yp), gone = go(g, s, t, y, yp);
        if (g->stop < 0) return g->stop;
        if (small) return RESIDA_OK;
        if (!gone && g->last != RSD_FINE) return not_possible(g, t);
        if (!gone) return not_found(g, t, "Newton's method gets stuck", max_norm(s->r0, n));
    }
    return not_found(g, t, "Newton's method does not settle", max_norm(s->r0, n));
}
