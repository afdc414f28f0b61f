/* start_dae.c - computes consistent values of a general DAE of index 1 at t. A damped Newton iteration
 * (damped_newton.h) solves F(t, y, yp) = 0 with the matrix B of start_dae.h. A DAE of index 2 or 3 is rejected if its
 * kinds declare the index, or if B is singular at the last iterate. start_kernel.c assembles B. */
#include "start_dae.h"

#include "base/numbers.h"
#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MAX_LAST_CHANGE     1e-9  /* maximum last correction, relative to the size of the component */
#define F_ROUNDINGS         1e3   /* maximum |F_i| that counts as zero, relative to the rounding error of F_i */
#define MAX_SINGULAR_CHANGE 1e4   /* maximum |y_i - y0_i| if B was nearly singular, relative to 1 + |y0_i| */
#define NEARLY_SINGULAR     1e-4  /* reciprocal condition number below which B is nearly singular */
#define MAX_PATTERN_PART    0.25  /* maximum number of entries of a learnt pattern, relative to n^2; else it is full */
#define RANK_TOL            1e-6  /* rank tolerance, relative to the norm of a column, for differences */
#define RANK_TOL_GIVEN      1e-12 /* rank tolerance for derivatives of the model */
#define MAX_ENTRY_ERROR     0.01  /* maximum rounding error of a scaled entry of M, relative to the rank tolerance */
#define MIN_RCOND           1e-7  /* minimum reciprocal condition number of a regular B from differences */
#define MIN_RCOND_GIVEN     1e-14 /* minimum reciprocal condition number of a regular B from the model */

enum { DAE_ITERATIONS = 30 }; /* maximum number of Newton iterations */

static resida_status report_lack_of_memory(resida_message *why, int n)
{
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the consistent start of a DAE of %d unknowns", n);
}

/* --- the matrix B = (M_r, K N) --- */

/* Set x->pattern to the model's pattern by columns, or to a full pattern if the model gives none. */
static resida_status make_pattern(rsd_start_matrix *x)
{
    const resida_allocator *a = &x->alloc;
    const resida_pattern all = {NULL, NULL};
    rsd_csr full = {.row = NULL};
    rsd_sparsity pattern;
    if (!x->has_pattern) RSD_TRY(rsd_csr_create(&full, "J", x->n, x->n, &all, a, NULL));
    const resida_status status = rsd_sparsity_from_csr(&pattern, x->has_pattern ? &x->problem->J : &full, a, NULL);
    rsd_csr_free(&full, a);
    return status < 0 ? status : rsd_start_move_pattern(x, &pattern);
}

resida_status rsd_start_matrix_create(rsd_start_matrix *x, resida_problem *problem, resida_message *why)
{
    const int n = problem->layout.n;
    *x = (rsd_start_matrix){.problem = problem, .n = n, .is_given = problem->dae.jacobian != NULL};
    const resida_allocator *a = &x->alloc;
    x->alloc = rsd_get_owned_allocator(&x->owner, &problem->alloc);
    x->has_pattern = problem->J.row != NULL;
    x->learns = !x->has_pattern && n >= RSD_START_LEARN_FROM;
    x->has_K = rsd_calloc(a, n, 1);
    int all = x->has_K &&
              RSD_DOUBLES(a, n, &x->delta, &x->y, &x->yp, &x->r, &x->row, &x->column, &x->noise, &x->min_increment,
                          &x->F_noise, &x->B_row, &x->B_column, &x->s, &x->sum) &&
              RSD_INTS(a, n + 1L, &x->source, &x->list, &x->first_column, &x->mark, &x->place);
    if (all && !x->learns) all = make_pattern(x) >= 0;
    if (all && x->is_given) all = (x->J = rsd_doubles(a, problem->J.nnz)) != NULL;
    if (all) return RESIDA_OK;
    rsd_start_matrix_free(x);
    return report_lack_of_memory(why, n);
}

void rsd_start_matrix_free(rsd_start_matrix *x)
{
    rsd_start_free_factors(x);
    rsd_owner_free(&x->owner);
    *x = (rsd_start_matrix){.problem = NULL};
}

double rsd_start_get_rank_tolerance(const rsd_start_matrix *x)
{
    return x->is_given ? RANK_TOL_GIVEN : RANK_TOL;
}

/* Set the row scales x->row such that the largest |entry| in a row of M becomes 1. The largest entry becomes smaller if
 * rounding errors would exceed MAX_ENTRY_ERROR times the rank tolerance. */
static void scale_M(rsd_start_matrix *x)
{
    memset(x->row, 0, (size_t)x->n * sizeof *x->row);
    for (int e = 0; e < x->pattern.nnz; e++) x->row[x->pattern.row[e]] = fmax(x->row[x->pattern.row[e]], fabs(x->M[e]));
    for (int i = 0; i < x->n; i++) {
        double max = fmax(x->row[i], x->noise[i] / (MAX_ENTRY_ERROR * rsd_start_get_rank_tolerance(x)));
        x->row[i] = max > 0 ? 1 / max : 0;
    }
}

/* Learn the pattern of a large system. If the pattern has many entries, use a full one. Return as
 * rsd_start_learn_pattern(). */
static int learn_pattern(rsd_start_matrix *x, const rsd_start_point *at)
{
    const int verdict = rsd_start_learn_pattern(x, at);
    if (verdict || x->pattern.nnz <= MAX_PATTERN_PART * x->n * x->n) return verdict;
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
    int is_regular = 0, verdict = x->learns ? learn_pattern(x, at) : 0;
    if (!verdict) verdict = rsd_start_find_M_and_K(x, at);
    if (verdict) return verdict;
    scale_M(x);
    verdict = rsd_start_kernel_find(x);
    if (verdict || !rsd_start_matrix_is_singular(x) || !(x->rcond > MIN_RCOND_GIVEN)) return verdict;
    verdict = rsd_start_kernel_confirm(x, &is_regular);
    if (is_regular) x->rcond = 2 * MIN_RCOND;
    return verdict;
}

int rsd_start_matrix_is_singular(const rsd_start_matrix *x)
{
    return !(x->rcond > (x->is_given ? MIN_RCOND_GIVEN : MIN_RCOND));
}

/* --- Newton's method --- */

static resida_status report_inconsistent_start(rsd_guard *g, double t, const char *reason, double norm)
{
    if (g->stop < 0) return g->stop;
    return rsd_fail(g->message, RESIDA_ERR_INCONSISTENT, "no consistent start of the DAE at t = %g: %s, |F| = %g", t,
                    reason, norm);
}

/* Return the status of a failed evaluation of F, and set the message of the failure. */
static resida_status report_F_failure(rsd_guard *g, double t)
{
    char what[RSD_FAULT_TEXT];
    if (g->stop < 0) return g->stop;
    const rsd_fault *fault = &g->fault;
    rsd_problem_format_fault(g->problem, fault, what, sizeof what);
    if (g->last == RSD_NOT_FINITE)
        return rsd_fail(g->message, RESIDA_ERR_NONFINITE, "%s is NaN or Inf in the consistent start at t = %g", what,
                        t);
    return rsd_fail(g->message, RESIDA_ERR_USER, "%s %s in the consistent start at t = %g", what,
                    rsd_fault_describe(fault, fault->verdict).text, t);
}

/* A Newton iteration at t. It starts from y, yp [n] and overwrites both. */
typedef struct iteration {
    rsd_guard *guard;               /* guard that evaluates F */
    rsd_dae_start *w;               /* work space of the start */
    const resida_solver_options *o; /* tolerances */
    double t, *y, *yp;              /* time [s]; [n] current iterate of y and yp */
    int is_small;                   /* 1: the last correction is below MAX_LAST_CHANGE */
} iteration;

static rsd_start_point get_start_point(const iteration *it)
{
    return (rsd_start_point){it->guard, it->o, it->t, it->y, it->yp, it->w->F};
}

/* Return the norm of a * (next correction) + b * (current correction). The norm is the maximum over the components of y
 * and yp, each divided by its size. */
static double compute_step_norm(void *self, double a, double b)
{
    const iteration *it = self;
    const rsd_dae_start *w = it->w;
    double max = 0;
    for (int i = 0; i < w->B.n; i++)
        max = fmax(max, fmax(fabs(a * w->dy_next[i] + b * w->dy[i]) / rsd_start_get_size(it->o, i, it->y[i]),
                             fabs(a * w->dyp_next[i] + b * w->dyp[i]) / rsd_start_get_size(it->o, i, it->yp[i])));
    return max;
}

static int try_correction(void *self, double lambda)
{
    iteration *it = self;
    rsd_dae_start *w = it->w;
    for (int i = 0; i < w->B.n; i++) {
        w->B.y[i] = it->y[i] - lambda * w->dy[i];
        w->B.yp[i] = it->yp[i] - lambda * w->dyp[i];
    }
    const int verdict = rsd_guard_eval_part(it->guard, RSD_FOR_START, RSD_ROWS_ALL, it->t, w->B.y, w->B.yp, w->F_trial);
    if (verdict < 0) return it->guard->stop;
    if (!verdict) rsd_start_kernel_solve(&w->B, w->F_trial, w->dy_next, w->dyp_next);
    return verdict;
}

static int accept_trial(void *self)
{
    const iteration *it = self;
    const size_t bytes = (size_t)it->w->B.n * sizeof *it->y;
    memcpy(it->y, it->w->B.y, bytes);
    memcpy(it->yp, it->w->B.yp, bytes);
    memcpy(it->w->F, it->w->F_trial, bytes);
    return 0;
}

/* Return 1 if the correction of each component of y is at most its tolerance. */
static int is_within_tolerances(const rsd_dae_start *w, int n, const resida_solver_options *o, const double *y)
{
    for (int i = 0; i < n; i++)
        if (fabs(w->dy[i]) > rsd_tolerance(o, i, y[i])) return 0;
    return 1;
}

/* Return 1 if each component of F is at most F_ROUNDINGS times its rounding error. */
static int is_residual_rounding(rsd_dae_start *w, const rsd_start_point *at)
{
    if (rsd_start_matrix_find_noise(&w->B, at)) return 0;
    for (int i = 0; i < w->B.n; i++)
        if (fabs(at->F[i]) > F_ROUNDINGS * w->B.F_noise[i]) return 0;
    return 1;
}

/* Return 1 if a component of y differs from its initial value by more than MAX_SINGULAR_CHANGE allows. */
static int is_change_too_large(const rsd_dae_start *w, int n, const double *y)
{
    for (int i = 0; i < n; i++)
        if (fabs(y[i] - w->y0[i]) > MAX_SINGULAR_CHANGE * (1 + fabs(w->y0[i]))) return 1;
    return 0;
}

static resida_status check_kinds(rsd_guard *g, double t)
{
    char name[RSD_COMPONENT_NAME];
    for (int i = 0; i < g->problem->layout.n; i++)
        if (g->problem->kinds[i] >= RESIDA_ALGEBRAIC_2) {
            resida_problem_component_name(g->problem, i, name, sizeof name);
            return rsd_fail(g->message, RESIDA_ERR_INCONSISTENT,
                            "no consistent start of the DAE at t = %g: %s has index %d: give yp0", t, name,
                            g->problem->kinds[i] == RESIDA_DIFFERENTIAL_2 ? 2 : (int)g->problem->kinds[i]);
        }
    return RESIDA_OK;
}

/* Return the row i with the largest |F_i| if F_i is so large that its rounding hides the change of F for a change of yp
 * by 1. A B by differences then gives no information about the index. Return -1 otherwise, or if the model gives J. */
static int find_hiding_row(const rsd_dae_start *w)
{
    const rsd_start_matrix *x = &w->B;
    int worst = 0;
    for (int i = 1; i < x->n; i++)
        if (fabs(w->F[i]) > fabs(w->F[worst])) worst = i;
    const double hidden = DBL_EPSILON * fabs(w->F[worst]);
    return !x->is_given && hidden > fmax(rsd_max_norm(x->M, x->pattern.nnz), 1) ? worst : -1;
}

static resida_status report_singular_start(rsd_guard *g, const rsd_dae_start *w, double t)
{
    char name[RSD_COMPONENT_NAME], text[RSD_COMPONENT_NAME + 300];
    const int row = find_hiding_row(w);
    resida_problem_component_name(g->problem, w->B.worst, name, sizeof name);
    if (row >= 0)
        rsd_write(text, sizeof text,
                  "the guess is too inaccurate: F[%d] = %.3g is so large that differences do not resolve how F depends "
                  "on %s; give a better y0, or a jacobian",
                  row, w->F[row], name);
    else
        rsd_write(
            text, sizeof text,
            "F = 0 does not determine %s%s: the index is above 1, at least at this state, or F = 0 has no solution "
            "near it; give yp0, or another y0",
            name, w->B.is_given ? "" : ", according to differences (a jacobian of the model is more accurate)");
    return report_inconsistent_start(g, t, text, rsd_max_norm(w->F, w->B.n));
}

static resida_status report_newton_failure(rsd_guard *g, const rsd_dae_start *w, double t, const char *how)
{
    char name[RSD_COMPONENT_NAME], text[RSD_COMPONENT_NAME + 200];
    int worst = 0;
    if (rsd_start_matrix_is_singular(&w->B)) return report_singular_start(g, w, t);
    for (int i = 1; i < w->B.n; i++)
        if (fabs(w->dy[i]) + fabs(w->dyp[i]) > fabs(w->dy[worst]) + fabs(w->dyp[worst])) worst = i;
    resida_problem_component_name(g->problem, worst, name, sizeof name);
    rsd_write(text, sizeof text, "Newton's method %s%s; largest correction: %s; give yp0, or a better y0", how,
              w->is_doubtful ? ", with a nearly singular matrix: perhaps the index is above 1" : "", name);
    return report_inconsistent_start(g, t, text, rsd_max_norm(w->F, w->B.n));
}

/* Return 1 if B is singular to rounding. At the solution, also return 1 if B is singular within the accuracy of its
 * entries. Away from the solution the condition of B may be different. */
static int is_B_rejected(const rsd_dae_start *w, int is_solution)
{
    return rsd_start_matrix_is_singular(&w->B) && (is_solution || !(w->B.rcond > MIN_RCOND_GIVEN));
}

static int find_correction(void *self, double *max_lambda)
{
    iteration *it = self;
    rsd_dae_start *w = it->w;
    const rsd_start_point at = get_start_point(it);
    const int is_solution = rsd_max_norm(w->F, w->B.n) == 0;
    (void)max_lambda;
    if (is_solution && w->has_B && !rsd_start_matrix_is_singular(&w->B)) return RSD_IS_SOLVED;
    const int verdict = rsd_start_matrix_find(&w->B, &at);
    if (verdict) {
        const int has_no_memory = verdict == RESIDA_ERR_MEMORY && it->guard->stop >= 0;
        return has_no_memory ? report_lack_of_memory(it->guard->message, w->B.n) : report_F_failure(it->guard, it->t);
    }
    w->has_B = 1;
    if (is_B_rejected(w, is_solution)) return RSD_IS_SINGULAR;
    w->is_doubtful |= !(w->B.rcond > NEARLY_SINGULAR);
    if (is_solution) return RSD_IS_SOLVED; /* F = 0 is sufficient only if B is regular */
    rsd_start_kernel_solve(&w->B, w->F, w->dy, w->dyp);
    it->is_small = compute_step_norm(it, 0, 1) <= MAX_LAST_CHANGE;
    return RSD_HAS_CORRECTION;
}

static int is_start_found(void *self, int has_moved)
{
    iteration *it = self;
    rsd_dae_start *w = it->w;
    const rsd_start_point at = get_start_point(it);
    if (w->is_doubtful && is_change_too_large(w, w->B.n, it->y))
        return report_newton_failure(it->guard, w, it->t, "runs away");
    if (!(it->is_small && is_within_tolerances(w, w->B.n, it->o, it->y)) &&
        (has_moved || !is_residual_rounding(w, &at)))
        return 0;
    return is_B_rejected(w, 1) ? (int)report_singular_start(it->guard, w, it->t) : 1;
}

static resida_status iterate_newton(iteration *it)
{
    static const rsd_damped_equations equations = {find_correction, try_correction, compute_step_norm, accept_trial,
                                                   is_start_found};
    rsd_damped_iteration newton = {.equations = &equations, .self = it, .max_iterations = DAE_ITERATIONS};
    rsd_guard *g = it->guard;
    const rsd_start_point at = get_start_point(it);
    if (rsd_guard_eval_part(g, RSD_FOR_START, RSD_ROWS_ALL, it->t, it->y, it->yp, it->w->F))
        return report_F_failure(g, it->t);
    const rsd_damped_end end = rsd_damped_iterate(&newton);
    const int is_found = end == RSD_DAMPED_SOLVED ||
                         (end == RSD_DAMPED_LIMIT && is_residual_rounding(it->w, &at) && !is_B_rejected(it->w, 1));
    if (is_found) return RESIDA_OK;
    if (g->stop < 0) return g->stop;
    switch (end) {
    case RSD_DAMPED_STOPPED:
        return (resida_status)newton.verdict;
    case RSD_DAMPED_SINGULAR:
        return report_singular_start(g, it->w, it->t);
    case RSD_DAMPED_NOT_EVALUABLE:
        return report_F_failure(g, it->t);
    default:
        return report_newton_failure(g, it->w, it->t, end == RSD_DAMPED_LIMIT ? "does not converge" : "gets stuck");
    }
}

static resida_status allocate_start_work(rsd_dae_start *w, resida_problem *problem, resida_message *why)
{
    const int n = problem->layout.n;
    if (w->y0) return RESIDA_OK;
    RSD_TRY(rsd_start_matrix_create(&w->B, problem, why));
    if (RSD_DOUBLES(&w->B.alloc, n, &w->F, &w->F_trial, &w->dy, &w->dyp, &w->dy_next, &w->dyp_next, &w->y0))
        return RESIDA_OK;
    rsd_dae_start_free(w);
    return report_lack_of_memory(why, n);
}

resida_status rsd_start_dae(rsd_dae_start *w, rsd_guard *g, const resida_solver_options *o, double t, double *y,
                            double *yp)
{
    g->run = 0;
    RSD_TRY(check_kinds(g, t));
    RSD_TRY(allocate_start_work(w, g->problem, g->message));
    memcpy(w->y0, y, (size_t)g->problem->layout.n * sizeof *y);
    w->is_doubtful = w->has_B = 0;
    rsd_start_matrix_reset_increments(&w->B);
    return iterate_newton(&(iteration){.guard = g, .w = w, .o = o, .t = t, .y = y, .yp = yp});
}

void rsd_dae_start_free(rsd_dae_start *w)
{
    if (w->B.problem) rsd_start_matrix_free(&w->B);
    *w = (rsd_dae_start){.y0 = NULL};
}
