/* start_dae.c - consistent values of a general DAE of index 1 at t: Newton's method for F(t, y, yp) = 0 with the matrix
 * B of start_dae.h. Steps are halved until |B^-1 F|, the simplified correction by the same matrix, decreases
 * (Deuflhard, Newton Methods for Nonlinear Problems, 2004: the natural monotonicity test, invariant to the scaling of
 * rows). Indices 2 and 3 are refused: as declared, or because B is singular where the method ends. The parts of B are
 * found in start_differences.c, and put together in start_kernel.c. */
#include "start_dae.h"

#include "src/base/numbers.h"
#include "src/linear/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LAST_CHANGE    1e-9  /* of 1 + |component|: converged, if y is within tolerances */
#define F_ROUNDINGS    1e3   /* times the rounding error of F: smaller values are zero */
#define LARGEST_CHANGE 1e4   /* of 1 + |component|: the largest change with a nearly singular matrix */
#define DOUBTFUL       1e-4  /* 1/cond below which B is nearly singular */
#define FULL_PART      0.25  /* of n^2: with more entries, the pattern is treated as full */
#define DEPENDENT      1e-6  /* rank tolerance of M by differences, of a column */
#define DEPENDENT_ALSO 1e-12 /* the same of a given M */
#define CLEARLY        0.01  /* of that: allowed rounding error of an entry */
#define SINGULAR       1e-7  /* least 1/cond of B by differences */
#define SINGULAR_ALSO  1e-14 /* the same of a given B */

enum {
    DAE_ITERATIONS = 30, /* of Newton's method: convergence takes far fewer */
    DAE_HALVINGS = 10,   /* of a step of Newton's method */
    DAE_RETREATS = 50    /* halvings where F cannot be evaluated */
};

static resida_status no_memory(resida_message *why, int n)
{
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the consistent start of a DAE of %d unknowns", n);
}

/* --- B --- */

/* The model's pattern by columns, or the full one. */
static resida_status make_pattern(rsd_start_matrix *x)
{
    const rsd_csr *J = &x->problem->J;
    const resida_allocator *a = &x->alloc;
    const long nnz = x->has_pattern ? J->nnz : (long)x->n * x->n;
    rsd_sparsity pattern = {.rows = 0};
    int *row = rsd_calloc(a, nnz, sizeof(int)), *col = rsd_calloc(a, nnz, sizeof(int));
    for (long e = 0; e < nnz && row && col && !x->has_pattern; e++) row[e] = (int)(e % x->n), col[e] = (int)(e / x->n);
    for (int i = 0; i < J->rows && row && col && x->has_pattern; i++)
        for (int e = J->row[i]; e < J->row[i + 1]; e++) row[e] = i, col[e] = J->col[e];
    resida_status status =
        row && col ? rsd_sparsity_from_pairs(&pattern, x->n, x->n, nnz, row, col, a, NULL) : RESIDA_ERR_MEMORY;
    RSD_FREE(a, row, col);
    return status < 0 ? status : rsd_start_take_pattern(x, &pattern);
}

resida_status rsd_start_matrix_create(rsd_start_matrix *x, resida_problem *problem, int learn_from, resida_message *why)
{
    const int n = problem->layout.n;
    *x = (rsd_start_matrix){.problem = problem, .n = n, .is_given = problem->dae.jacobian != NULL};
    const resida_allocator *a = &x->alloc;
    x->alloc = rsd_owned_by(&x->owner, &problem->alloc);
    x->has_pattern = problem->J.row != NULL;
    x->learns = !x->has_pattern && n >= learn_from;
    int all = RSD_DOUBLES(a, n, &x->delta, &x->y, &x->yp, &x->r, &x->row, &x->column, &x->noise, &x->least, &x->F_noise,
                          &x->B_row, &x->B_column, &x->s, &x->sum) &&
              RSD_INTS(a, n + 1L, &x->source, &x->list, &x->leader, &x->mark, &x->place);
    if (all && !x->learns) all = make_pattern(x) >= 0;
    if (all && x->is_given) all = (x->J = rsd_doubles(a, problem->J.nnz)) != NULL;
    if (all) return RESIDA_OK;
    rsd_start_matrix_free(x);
    return no_memory(why, n);
}

void rsd_start_matrix_free(rsd_start_matrix *x)
{
    rsd_start_free_factors(x);
    rsd_owner_free(&x->owner);
    *x = (rsd_start_matrix){.problem = NULL};
}

double rsd_start_rank_tolerance(const rsd_start_matrix *x)
{
    return x->is_given ? DEPENDENT_ALSO : DEPENDENT;
}

/* Scale rows of M to a largest entry of 1, but not beyond the level of their rounding errors. */
static void scale_M(rsd_start_matrix *x)
{
    memset(x->row, 0, (size_t)x->n * sizeof *x->row);
    for (int e = 0; e < x->pattern.nnz; e++) x->row[x->pattern.row[e]] = fmax(x->row[x->pattern.row[e]], fabs(x->M[e]));
    for (int i = 0; i < x->n; i++) {
        double most = fmax(x->row[i], x->noise[i] / (CLEARLY * rsd_start_rank_tolerance(x)));
        x->row[i] = most > 0 ? 1 / most : 0;
    }
}

/* Learn the pattern of a large system; use a full one if it is nearly full. */
static int learn(rsd_start_matrix *x, const rsd_start_point *at)
{
    const int verdict = rsd_start_learn(x, at);
    if (verdict || x->pattern.nnz <= FULL_PART * x->n * x->n) return verdict;
    x->learns = x->has_pattern = 0;
    return make_pattern(x);
}

int rsd_start_matrix_find(rsd_start_matrix *x, const rsd_start_point *at)
{
    const size_t bytes = (size_t)x->n * sizeof *x->y;
    x->at = at;
    memcpy(x->y, at->y, bytes);
    memcpy(x->yp, at->yp, bytes);
    memset(x->noise, 0, bytes);
    int is_regular = 0, verdict = x->learns ? learn(x, at) : 0;
    if (!verdict) verdict = rsd_start_find_parts(x, at);
    if (verdict) return verdict;
    scale_M(x);
    verdict = rsd_start_kernel_find(x);
    if (verdict || !rsd_start_matrix_is_singular(x) || !(x->rcond > SINGULAR_ALSO)) return verdict;
    memset(x->y, 0, bytes);
    memset(x->yp, 0, bytes);
    memset(x->column, 0, bytes);
    rsd_start_kernel_worst(x, x->y, x->yp, x->column);
    verdict = rsd_start_confirm(x, at, x->B_row, &is_regular);
    if (is_regular) x->rcond = 2 * SINGULAR;
    return verdict;
}

int rsd_start_matrix_is_singular(const rsd_start_matrix *x)
{
    return !(x->rcond > (x->is_given ? SINGULAR_ALSO : SINGULAR));
}

void rsd_start_matrix_solve(rsd_start_matrix *x, const double *F, double *dy, double *dyp)
{
    memset(dy, 0, (size_t)x->n * sizeof *dy);
    memset(dyp, 0, (size_t)x->n * sizeof *dyp);
    rsd_start_kernel_solve(x, F, dy, dyp);
}

/* --- Newton's method --- */

static resida_status not_found(rsd_guard *g, double t, const char *reason, double norm)
{
    if (g->stop < 0) return g->stop;
    return rsd_fail(g->message, RESIDA_ERR_INCONSISTENT, "no consistent start of the DAE at t = %g: %s, |F| = %g", t,
                    reason, norm);
}

/* F could not be evaluated at a point where it is needed. */
static resida_status evaluation_failed(rsd_guard *g, double t)
{
    char what[RSD_FAULT_TEXT];
    if (g->stop < 0) return g->stop;
    const rsd_fault *fault = &g->fault;
    rsd_problem_fault_text(g->problem, fault, what, sizeof what);
    if (g->last == RSD_NOT_FINITE)
        return rsd_fail(g->message, RESIDA_ERR_NONFINITE, "%s is NaN or Inf in the consistent start at t = %g", what,
                        t);
    return rsd_fail(g->message, RESIDA_ERR_USER, "%s %s in the consistent start at t = %g", what,
                    rsd_fault_said(fault, fault->verdict).text, t);
}

/* max |correction|/(1 + |component|) of y and yp. */
static double correction_size(const double *dy, const double *dyp, const double *y, const double *yp, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fmax(fabs(dy[i]) / (1 + fabs(y[i])), fabs(dyp[i]) / (1 + fabs(yp[i]))));
    return most;
}

/* Subtract the correction from y and yp, halved until the next one with the same matrix is smaller.
 * @return 1: done, w->F is F there; 0: no part of it passes the test, y and yp are unchanged */
static int damped_step(rsd_guard *g, rsd_dae_start *w, double t, double *y, double *yp)
{
    int n = g->problem->layout.n;
    double before = correction_size(w->dy, w->dyp, y, yp, n), taken = 0, part = 1;
    for (int k = 0, retreats = 0; k <= DAE_HALVINGS && retreats <= DAE_RETREATS; part /= 2) {
        for (int i = 0; i < n; i++) {
            y[i] -= (part - taken) * w->dy[i];
            yp[i] -= (part - taken) * w->dyp[i];
        }
        taken = part;
        int verdict = rsd_guard_residual(g, RSD_FOR_START, t, y, yp, w->F_trial);
        if (verdict < 0) return 0;
        retreats += verdict > 0;
        if (verdict > 0) continue;
        k++;
        rsd_start_matrix_solve(&w->B, w->F_trial, w->dy_left, w->dyp_left);
        if (correction_size(w->dy_left, w->dyp_left, y, yp, n) < before) {
            memcpy(w->F, w->F_trial, (size_t)n * sizeof *w->F);
            return 1;
        }
    }
    for (int i = 0; i < n; i++) {
        y[i] += taken * w->dy[i];
        yp[i] += taken * w->dyp[i];
    }
    return 0;
}

/* 1: the correction of y is below the tolerances. */
static int is_within(const rsd_dae_start *w, int n, const resida_solver_options *o, const double *y)
{
    for (int i = 0; i < n; i++)
        if (fabs(w->dy[i]) > rsd_tolerance(o, i, y[i])) return 0;
    return 1;
}

/* 1: F is zero up to its rounding error. */
static int is_rounding(rsd_dae_start *w, const rsd_start_point *at)
{
    if (rsd_start_matrix_find_noise(&w->B, at)) return 0;
    for (int i = 0; i < w->B.n; i++)
        if (fabs(at->F[i]) > F_ROUNDINGS * w->B.F_noise[i]) return 0;
    return 1;
}

/* 1: y is far from its initial value. */
static int is_far(const rsd_dae_start *w, int n, const double *y)
{
    for (int i = 0; i < n; i++)
        if (fabs(y[i] - w->y0[i]) > LARGEST_CHANGE * (1 + fabs(w->y0[i]))) return 1;
    return 0;
}

static resida_status check_kinds(rsd_guard *g, double t)
{
    char name[RSD_COMPONENT_NAME];
    for (int i = 0; i < g->problem->layout.n; i++)
        if (g->problem->kinds[i] >= RESIDA_ALGEBRAIC_2) {
            resida_problem_component_name(g->problem, i, name, sizeof name);
            return rsd_fail(g->message, RESIDA_ERR_INCONSISTENT,
                            "no consistent start of the DAE at t = %g: %s is of index %d, so yp0 has to be given", t,
                            name, g->problem->kinds[i] == RESIDA_DIFFERENTIAL_2 ? 2 : (int)g->problem->kinds[i]);
        }
    return RESIDA_OK;
}

static resida_status singular(rsd_guard *g, const rsd_dae_start *w, double t)
{
    char name[RSD_COMPONENT_NAME], text[RSD_COMPONENT_NAME + 200];
    resida_problem_component_name(g->problem, w->B.worst, name, sizeof name);
    snprintf(text, sizeof text,
             "index above 1, or a state where it is not 1: F = 0 does not tell %s%s; yp0 has to be given", name,
             w->B.is_given ? "" : ", as far as differences tell (a jacobian of the model would tell more)");
    return not_found(g, t, text, rsd_max_norm(w->F, w->B.n));
}

static resida_status newton_failed(rsd_guard *g, const rsd_dae_start *w, double t, const char *how)
{
    char name[RSD_COMPONENT_NAME], text[RSD_COMPONENT_NAME + 200];
    int worst = 0;
    if (rsd_start_matrix_is_singular(&w->B)) return singular(g, w, t);
    for (int i = 1; i < w->B.n; i++)
        if (fabs(w->dy[i]) + fabs(w->dyp[i]) > fabs(w->dy[worst]) + fabs(w->dyp[worst])) worst = i;
    resida_problem_component_name(g->problem, worst, name, sizeof name);
    snprintf(text, sizeof text, "Newton's method %s%s; largest correction: %s; give yp0, or a y0 that is nearer", how,
             w->is_doubtful ? ", with a matrix near to a singular one (index above 1?)" : "", name);
    return not_found(g, t, text, rsd_max_norm(w->F, w->B.n));
}

/* The conditioning of B at a guess that is far off is not that of the solution. 1: B cannot be used at all, or is
 * singular at the solution. */
static int tells_index(const rsd_dae_start *w, int is_solution)
{
    return rsd_start_matrix_is_singular(&w->B) && (is_solution || !(w->B.rcond > SINGULAR_ALSO));
}

static resida_status iterate(rsd_guard *g, rsd_dae_start *w, const resida_solver_options *o, double t, double *y,
                             double *yp)
{
    int n = g->problem->layout.n;
    const rsd_start_point at = {g, t, y, yp, w->F};
    if (rsd_guard_residual(g, RSD_FOR_START, t, y, yp, w->F)) return evaluation_failed(g, t);
    for (int it = 0; it < DAE_ITERATIONS; it++) {
        int is_solved = rsd_max_norm(w->F, n) == 0;
        if (is_solved && it > 0 && !rsd_start_matrix_is_singular(&w->B)) return RESIDA_OK;
        const int verdict = rsd_start_matrix_find(&w->B, &at);
        if (verdict == RESIDA_ERR_MEMORY && g->stop >= 0) return no_memory(g->message, n);
        if (verdict) return evaluation_failed(g, t);
        if (tells_index(w, is_solved)) return singular(g, w, t);
        w->is_doubtful |= !(w->B.rcond > DOUBTFUL);
        if (is_solved) return RESIDA_OK; /* F = 0 is sufficient only if the index is 1 */
        rsd_start_matrix_solve(&w->B, w->F, w->dy, w->dyp);
        int is_small = correction_size(w->dy, w->dyp, y, yp, n) <= LAST_CHANGE, taken = damped_step(g, w, t, y, yp);
        if (g->stop < 0) return g->stop;
        if (w->is_doubtful && is_far(w, n, y)) return newton_failed(g, w, t, "runs away");
        const int is_done = (is_small && (!taken || is_within(w, n, o, y))) || (!taken && is_rounding(w, &at));
        if (is_done) return tells_index(w, 1) ? singular(g, w, t) : RESIDA_OK;
        if (!taken && g->last != RSD_FINE) return evaluation_failed(g, t);
        if (!taken) return g->stop < 0 ? g->stop : newton_failed(g, w, t, "gets stuck");
    }
    if (is_rounding(w, &at) && !tells_index(w, 1)) return RESIDA_OK;
    return g->stop < 0 ? g->stop : newton_failed(g, w, t, "does not settle");
}

static resida_status reserve(rsd_dae_start *w, resida_problem *problem, resida_message *why)
{
    const int n = problem->layout.n;
    if (w->y0) return RESIDA_OK;
    RSD_TRY(rsd_start_matrix_create(&w->B, problem, RSD_START_LEARN_FROM, why));
    if (RSD_DOUBLES(&w->B.alloc, n, &w->F, &w->F_trial, &w->dy, &w->dyp, &w->dy_left, &w->dyp_left, &w->y0))
        return RESIDA_OK;
    rsd_dae_start_free(w);
    return no_memory(why, n);
}

resida_status rsd_start_dae(rsd_dae_start *w, rsd_guard *g, const resida_solver_options *o, double t, double *y,
                            double *yp)
{
    g->run = 0;
    RSD_TRY(check_kinds(g, t));
    RSD_TRY(reserve(w, g->problem, g->message));
    memcpy(w->y0, y, (size_t)g->problem->layout.n * sizeof *y);
    w->is_doubtful = 0;
    rsd_start_matrix_begin(&w->B);
    return iterate(g, w, o, t, y, yp);
}

void rsd_dae_start_free(rsd_dae_start *w)
{
    if (w->B.problem) rsd_start_matrix_free(&w->B);
    *w = (rsd_dae_start){.y0 = NULL};
}
