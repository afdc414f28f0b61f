/* pencil.c - see pencil.h.
 *
 *     dF/dy     J(alpha = 0)
 *     dF/dyp    from the engine; or (J(alpha) - J(0))/alpha of the model's own J, with an alpha so large that the
 *               difference loses no digits
 *     dF/du     central differences, input by input; one-sided if F cannot be evaluated on one side
 *
 * If dg/dp is computed by differences, it is linear near the state while F is differenced (rsd_curvature). */
#include "pencil.h"

#include "jacobian/engine.h"
#include "base/linear/dense.h"
#include "base/numbers.h"
#include "src/core/solver/solver_impl.h"

#include <math.h>
#include <string.h>

#define RATE_ALPHA    1.0                /* alpha of a general DAE [1/s], with yp of the size of y in SI units */
#define LARGE_ALPHA   1.1258999068426e15 /* alpha for dF/dyp [1/s], 2^50: dF/dy and rounding of F are negligible */
#define REDUCTION     0.125              /* ratio of successive increments */
#define ENTRY_AGREES  1e-6               /* maximum relative error of an entry; otherwise the increment is reduced */
#define TRUNCATION    0.1                /* maximum ratio of successive truncation errors, which decrease to 1/64 */
#define SAME_QUOTIENT 1e-3    /* maximum difference of two accurate quotients, relative to the largest of the column */
#define MIN_PART      1e-9    /* minimum increment, relative to |y| eps^(1/3): 30 rounding errors of y */
#define MAX_INCREMENT 8.0     /* maximum increment of a velocity or force, relative to the largest position or 1 */
enum { MAX_REDUCTIONS = 22 }; /* maximum number of reductions of an increment */

resida_status rsd_sparse_create(rsd_sparse *A, int rows, int columns, long nnz, const resida_allocator *alloc)
{
    *A = (rsd_sparse){rows, columns, rsd_calloc(alloc, (long)columns + 1, sizeof(int)),
                      rsd_calloc(alloc, nnz, sizeof(int)), rsd_doubles(alloc, nnz)};
    return A->start && A->row && A->values ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

resida_status rsd_sparse_append(rsd_sparse *to, const rsd_sparse *A, int more, const double *D, int ld,
                                const resida_allocator *alloc)
{
    long nnz = A->start ? A->start[A->columns] : 0;
    for (int j = 0; j < A->columns; j++)
        for (int i = 0; i < more; i++) nnz += D[(long)j * ld + i] != 0;
    RSD_TRY(rsd_sparse_create(to, A->rows + more, A->columns, nnz, alloc));
    int k = 0;
    for (int j = 0; j < A->columns; j++) {
        for (int e = A->start ? A->start[j] : 0; A->start && e < A->start[j + 1]; e++)
            to->row[k] = A->row[e], to->values[k++] = A->values[e];
        for (int i = 0; i < more; i++) {
            const double value = D[(long)j * ld + i];
            if (value != 0) to->row[k] = A->rows + i, to->values[k++] = value;
        }
        to->start[j + 1] = k;
    }
    return RESIDA_OK;
}

resida_status rsd_sparse_from_full(rsd_sparse *A, int rows, int columns, const double *D, int ld,
                                   const resida_allocator *alloc)
{
    return rsd_sparse_append(A, &(rsd_sparse){.columns = columns}, rows, D, ld, alloc);
}

void rsd_sparse_to_full(const rsd_sparse *A, double *D)
{
    memset(D, 0, (size_t)A->rows * (size_t)A->columns * sizeof *D);
    for (int j = 0; j < A->columns; j++)
        for (int e = A->start[j]; e < A->start[j + 1]; e++) D[(long)j * A->rows + A->row[e]] = A->values[e];
}

/* Copy the nonzero entries of values [nnz], on the pattern of J, into A. */
static resida_status copy_nonzeros(rsd_sparse *A, const resida_jacobian_matrix *J, const double *values,
                                   const resida_allocator *alloc)
{
    int nnz = 0;
    for (int e = 0; e < J->nnz; e++) nnz += values[e] != 0;
    RSD_TRY(rsd_sparse_create(A, J->n, J->n, nnz, alloc));
    int k = 0;
    for (int j = 0; j < J->n; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            if (values[e] == 0) continue;
            A->row[k] = J->row[e];
            A->values[k++] = values[e];
        }
        A->start[j + 1] = k;
    }
    return RESIDA_OK;
}

/* Return the status of a failed setup, and write its message. */
static resida_status report_setup_failure(const rsd_guard *guard, int verdict, double t, resida_message *why)
{
    if (guard->stop < 0) return rsd_fail(why, guard->stop, "%s", guard->message->text);
    if (verdict < 0) return RESIDA_ERR_MEMORY;
    if (guard->last == RSD_NOT_FINITE)
        return rsd_fail(why, RESIDA_ERR_NONFINITE, "a callback returned NaN or Inf near the state, t = %.9g", t);
    return rsd_fail(why, RESIDA_ERR_USER_REPEATED, "a callback cannot be evaluated near the state, t = %.9g", t);
}

static int evaluate_J(resida_solver *s, const resida_jacobian_point *at, double alpha)
{
    resida_jacobian_point here = *at;
    int current = 0;
    here.alpha = alpha;
    return resida_jacobian_setup(s->engine, RESIDA_SETUP_FIRST, &here, &current);
}

/* Compute dF/dy and dF/dyp from the model's own J at alpha = 0 and alpha = LARGE_ALPHA. */
static resida_status evaluate_model_jacobian(rsd_pencil *w, resida_solver *s, const resida_jacobian_point *at,
                                             resida_message *why)
{
    resida_jacobian_matrix J;
    int verdict = evaluate_J(s, at, 0);
    if (verdict) return report_setup_failure(&s->guard, verdict, at->t, why);
    RSD_TRY(resida_jacobian_get_matrix(s->engine, &J));
    double *at_0 = rsd_doubles(w->work, J.nnz);
    if (!at_0) return RESIDA_ERR_MEMORY;
    RSD_TRY(copy_nonzeros(&w->dFdy, &J, J.values, w->alloc));
    const long pattern = J.pattern;
    memcpy(at_0, J.values, (size_t)J.nnz * sizeof *at_0);
    verdict = evaluate_J(s, at, LARGE_ALPHA);
    if (verdict) return report_setup_failure(&s->guard, verdict, at->t, why);
    RSD_TRY(resida_jacobian_get_matrix(s->engine, &J));
    if (J.pattern != pattern) return RESIDA_ERR_INTERNAL;
    for (int e = 0; e < J.nnz; e++) at_0[e] = (J.values[e] - at_0[e]) / LARGE_ALPHA;
    return copy_nonzeros(&w->dFdyp, &J, at_0, w->alloc);
}

/* Refinement of the columns of dF/dy, or of dF/du. */
typedef struct refinement {
    rsd_pencil *w;
    resida_solver *s;
    const resida_jacobian_point *at;
    const double *u;           /* [n_inputs] excitations if the columns are those of dF/du; NULL: of dF/dy */
    double *values;            /* [n x n_inputs] dF/du with the last increments */
    resida_jacobian_matrix on; /* copy of the pattern of J, because the engine may add entries to its own */
    double *best, *last;       /* [nnz] quotients with the smallest errors; [nnz] quotients with the last increment */
    double *error;             /* [nnz] error of `best`: change with the next increment, plus rounding */
    unsigned char *ends;       /* [nnz] 1: smaller increments increase the error */
    double *factor;            /* [columns] factors of the default increments */
    unsigned char *moves;      /* [columns] 1: the increment of the column is reduced further */
} refinement;

/* Return the variable of column j. */
static double get_variable(const refinement *x, int j)
{
    return x->u ? x->u[j] : x->at->y[j];
}

static double get_increment(const refinement *x, int j)
{
    return x->u ? x->factor[j] * RSD_CUBE_ROOT_EPS * fmax(1, fabs(x->u[j]))
                : rsd_engine_get_increment(x->s->engine, x->at, j);
}

/* Evaluate F [n] at the state with input i changed by d. Return the verdict of the guard. */
static int evaluate_with_input(resida_solver *s, const resida_jacobian_point *at, int i, double d, double *F)
{
    rsd_calls_perturb_input(s->problem->calls, i, d);
    const int verdict = rsd_guard_eval_part(&s->guard, RSD_FOR_JACOBIAN, RSD_ROWS_ALL, at->t, at->y, at->yp, F);
    rsd_calls_perturb_input(s->problem->calls, 0, 0);
    return verdict;
}

/* Compute column i of dF/du. If F cannot be evaluated on one side, the other side is used. back [n] is work space. */
static int compute_column_by_input(const refinement *x, int i, double *column, double *back)
{
    const rsd_pencil *w = x->w;
    const volatile double moved = x->u[i] + get_increment(x, i);
    const double d = moved - x->u[i];
    const int up = evaluate_with_input(x->s, x->at, i, d, column),
              down = up < 0 ? up : evaluate_with_input(x->s, x->at, i, -d, back);
    if (down < 0 || (up > 0 && down > 0)) return down;
    const double *hi = up > 0 ? w->F : column, *lo = down > 0 ? w->F : back;
    const double inverse = 1 / ((up > 0 ? 0 : d) + (down > 0 ? 0 : d));
    for (int k = 0; k < w->n; k++) column[k] = (hi[k] - lo[k]) * inverse;
    return 0;
}

/* Evaluate the matrix with the current increments. @return the value of the engine */
static int evaluate_matrix(const refinement *x, resida_jacobian_matrix *J)
{
    int verdict = x->u ? 0 : evaluate_J(x->s, x->at, 0);
    if (!x->u) return verdict ? verdict : resida_jacobian_get_matrix(x->s->engine, J);
    for (int i = 0; i < x->on.n && !verdict; i++)
        verdict = compute_column_by_input(x, i, x->values + (long)i * x->w->n, x->w->back);
    *J = x->on, J->values = x->values;
    return verdict;
}

static void add_terms(const int *start, const int *row, const double *values, const double *x, int n, double *sum)
{
    for (int j = 0; j < n; j++)
        for (int e = start[j]; e < start[j + 1]; e++) sum[row[e]] += RSD_NEGLIGIBLE * fabs(values[e] * x[j]);
}

/* Estimate w->rounding [n], the rounding errors of F, from its terms dF/dy y and dF/dyp y'. */
static void estimate_rounding(const rsd_pencil *w, const resida_jacobian_point *at, const int *start, const int *row,
                              const double *values)
{
    const rsd_sparse *B = &w->dFdyp;
    for (int i = 0; i < w->n; i++) w->rounding[i] = RSD_NEGLIGIBLE * fabs(at->F[i]);
    add_terms(start, row, values, at->y, w->n, w->rounding);
    add_terms(B->start, B->row, B->values, at->yp, w->n, w->rounding);
}

/* Restart the refinement of increments with the pattern and the values of J. */
static resida_status restart_with_pattern(refinement *x, const resida_jacobian_matrix *J, const resida_allocator *a)
{
    const size_t bytes = (size_t)J->nnz * sizeof(double);
    int *start, *row;
    x->ends = rsd_calloc(a, J->nnz, 1);
    if (!x->ends || !RSD_INTS(a, J->n + 1L, &start) || !RSD_INTS(a, J->nnz, &row) ||
        !RSD_DOUBLES(a, J->nnz, &x->best, &x->last, &x->error))
        return RESIDA_ERR_MEMORY;
    x->on = (resida_jacobian_matrix){J->n, J->nnz, start, row, NULL, J->pattern};
    memcpy(start, J->start, ((size_t)J->n + 1) * sizeof *start);
    memcpy(row, J->row, (size_t)J->nnz * sizeof *row);
    memcpy(x->best, J->values, bytes);
    memcpy(x->last, J->values, bytes);
    for (int e = 0; e < J->nnz; e++) x->error[e] = INFINITY;
    memset(x->moves, 1, (size_t)J->n);
    if (!x->u) estimate_rounding(x->w, x->at, start, row, x->best);
    return RESIDA_OK;
}

/* Return max |p_i|, at least 1. Velocities have the scale max |p_i| per unit of time. */
static double compute_position_size(const resida_problem *q, const resida_jacobian_point *at)
{
    return fmax(1, rsd_max_norm(at->y + q->layout.p, q->layout.n_p));
}

/* Return the factor >= 1 by which the increment of column j is enlarged, so that rounding of F changes the entries of
 * the column by at most ENTRY_AGREES. */
static double compute_enlargement(const refinement *x, int j, double size, double increment)
{
    const double largest = MAX_INCREMENT * size / increment;
    double max = 1;
    int is_hidden = 0, is_seen = 0; /* 1: some entry is below its rounding error; above a nonzero one */
    for (int e = x->on.start[j]; e < x->on.start[j + 1]; e++) {
        const double rounding = x->w->rounding[x->on.row[e]] / increment, value = fabs(x->best[e]);
        const int is_above = value > RSD_SAME_ENTRY * rounding;
        is_seen |= is_above && rounding > 0;
        is_hidden |= !is_above && rounding > 0;
        if (is_above) max = fmax(max, rounding / (ENTRY_AGREES * value));
    }
    return fmax(1, is_hidden && !is_seen && !x->u ? largest : fmin(max, largest)); /* F may be nonlinear in u */
}

/* Enlarge the increments of velocities, forces and excitations if rounding errors of F dominate, as for a damper next
 * to a large weight. F is quadratic in velocities and linear in forces, so that central differences have no truncation
 * error. If F cannot be evaluated, the default increments are used. @return the value of the engine */
static int enlarge_increments(refinement *x, const resida_allocator *a)
{
    const double size = compute_position_size(x->s->problem, x->at);
    const int first = x->u ? 0 : x->s->problem->layout.n_p;
    resida_jacobian_matrix J;
    int any = 0;
    for (int j = first; j < x->on.n; j++) {
        const double by = compute_enlargement(x, j, size, get_increment(x, j));
        x->factor[j] *= by;
        any |= by > 1;
    }
    if (!any) return 0;
    int verdict = evaluate_matrix(x, &J);
    for (int j = first; j < x->on.n && verdict > 0; j++) x->factor[j] = 1;
    if (verdict > 0) verdict = evaluate_matrix(x, &J);
    return verdict ? verdict : restart_with_pattern(x, &J, a);
}

/* Compare column j of J with the column at the previous increment. Return 1 if a smaller increment may be better. */
static int compare_column(refinement *x, const resida_jacobian_matrix *J, int j, double increment)
{
    double largest = 0;
    int any = 0;
    for (int e = J->start[j]; e < J->start[j + 1]; e++)
        largest = fmax(largest, fmax(fabs(x->last[e]), fabs(J->values[e])));
    for (int e = J->start[j]; e < J->start[j + 1]; e++) {
        const double rounding = x->w->rounding[J->row[e]] / increment;
        const double error = fabs(J->values[e] - x->last[e]) + REDUCTION * rounding;
        if (x->error[e] < SAME_QUOTIENT * fabs(x->best[e]) && error > x->error[e]) x->ends[e] = 1;
        if (!x->ends[e] && error < TRUNCATION * x->error[e] &&
            (isinf(x->error[e]) || (error <= SAME_QUOTIENT * largest && x->last[e] != 0))) { /* 0: below rounding */
            x->best[e] = x->last[e];
            x->error[e] = error;
        }
        any |= !x->ends[e] && x->error[e] > ENTRY_AGREES * fabs(x->best[e]) && rounding < TRUNCATION * x->error[e];
        x->last[e] = J->values[e];
    }
    return any;
}

/* Evaluate the matrix with increments reduced by REDUCTION into x->last, and copy previous entries with smaller errors
 * to x->best. If the engine finds a new entry, all columns restart. *any = 1: a further reduction is needed. @return
 * the value of the engine */
static int reduce_increments(refinement *x, const resida_allocator *a, int *any)
{
    resida_jacobian_matrix J;
    for (int j = 0; j < x->on.n; j++)
        if (x->moves[j]) x->factor[j] *= REDUCTION;
    const int verdict = evaluate_matrix(x, &J);
    if (verdict) return verdict;
    *any = J.pattern != x->on.pattern;
    if (*any) return restart_with_pattern(x, &J, a);
    for (int j = 0; j < x->on.n; j++) {
        const int more = x->moves[j] && compare_column(x, &J, j, get_increment(x, j));
        const double size = fabs(get_variable(x, j));
        x->moves[j] = more && x->factor[j] * fmax(1, size) > MIN_PART * size;
        *any |= x->moves[j];
    }
    return 0;
}

/* Refine the columns of J by smaller increments. The default increments are relative to max(|y|, 1). They are too large
 * if F is nonlinear over shorter distances, as for angles after many revolutions and for small lengths. Each entry is
 * computed with the increment of the smallest error. The error is the sum of the truncation error, estimated from the
 * next smaller increment, and the rounding error. */
static int refine_columns(refinement *x, const resida_jacobian_matrix *J, const resida_allocator *a)
{
    x->moves = rsd_calloc(a, J->n, 1);
    int any = 1, verdict = x->moves ? restart_with_pattern(x, J, a) : RESIDA_ERR_MEMORY;
    if (!verdict && x->s->problem->mechanism) verdict = enlarge_increments(x, a);
    for (int k = 0; k < MAX_REDUCTIONS && verdict == 0 && any; k++) verdict = reduce_increments(x, a, &any);
    return verdict;
}

/* Set dF/dy from the matrix J of the first increments. */
static resida_status refine_dFdy(rsd_pencil *w, resida_solver *s, const resida_jacobian_point *at,
                                 const resida_jacobian_matrix *J, resida_message *why)
{
    rsd_owner owner;
    const resida_allocator own = rsd_get_owned_allocator(&owner, w->work);
    refinement x = {.w = w, .s = s, .at = at, .factor = w->factor};
    const int verdict = refine_columns(&x, J, &own);
    const resida_status status = verdict >= 0 ? copy_nonzeros(&w->dFdy, &x.on, x.best, w->alloc)
                                              : report_setup_failure(&s->guard, verdict, at->t, why);
    rsd_owner_free(&owner);
    return status;
}

/* Set the factors of the increments of velocities of a mechanism to `by` times the size of the positions. */
static void set_velocity_factors(rsd_pencil *w, const resida_problem *q, const resida_jacobian_point *at, double by)
{
    const resida_layout *l = &q->layout;
    for (int c = 0; c < l->n_v - l->n_z && q->mechanism; c++) w->factor[l->v + c] = by * compute_position_size(q, at);
}

/* Compute dF/dyp, and dF/dy with increments of p relative to the length scale of g. The first evaluation also finds the
 * pattern. Its increments of velocities are the largest ones, because rounding of F would hide a damper next to a stiff
 * spring. If callbacks fail at the scaled increments, the default increments are used. The engine keeps a pointer to
 * w->factor. */
static resida_status difference_by_engine(rsd_pencil *w, resida_solver *s, const resida_jacobian_point *at,
                                          resida_message *why)
{
    const resida_layout *l = &s->problem->layout;
    const double alpha = s->problem->mechanism ? LARGE_ALPHA : RATE_ALPHA;
    resida_jacobian_matrix J;
    for (int c = 0; c < w->n; c++) w->factor[c] = 1;
    for (int c = 0; c < l->n_p && s->problem->mechanism; c++)
        w->factor[l->p + c] = rsd_scales_get_factor(s->problem->mechanism, at->y + l->p, c);
    rsd_engine_scale_increments(s->engine, w->factor);
    for (int at_0 = !w->is_differenced; at_0 < 2; at_0++) { /* increments of zero components of yp depend on alpha */
        set_velocity_factors(w, s->problem, at, at_0 ? 1 : MAX_INCREMENT / RSD_CUBE_ROOT_EPS);
        int verdict = evaluate_J(s, at, at_0 ? 0 : alpha);
        for (int c = 0; c < w->n && verdict > 0; c++) w->factor[c] = 1;
        if (verdict > 0) verdict = evaluate_J(s, at, at_0 ? 0 : alpha);
        if (verdict) return report_setup_failure(&s->guard, verdict, at->t, why);
        const double *B = rsd_engine_get_dFdyp(s->engine);
        if (!B) return rsd_fail(why, RESIDA_ERR_INTERNAL, "dF/dyp is not kept apart");
        RSD_TRY(resida_jacobian_get_matrix(s->engine, &J));
        if (!w->dFdyp.start) RSD_TRY(copy_nonzeros(&w->dFdyp, &J, B, w->alloc));
    }
    return refine_dFdy(w, s, at, &J, why);
}

/* Set w->dFdu. */
static resida_status difference_inputs(rsd_pencil *w, resida_solver *s, const resida_jacobian_point *at,
                                       resida_message *why)
{
    const resida_allocator *a = w->work;
    const int n = w->n, n_u = w->n_inputs;
    double *u, *values, *factor;
    int *start, *row;
    if (n_u == 0) return RESIDA_OK;
    if (!RSD_DOUBLES(a, n_u, &u, &factor) || !RSD_DOUBLES(a, (long)n * n_u, &values) ||
        !RSD_INTS(a, n_u + 1L, &start) || !RSD_INTS(a, (long)n * n_u, &row))
        return RESIDA_ERR_MEMORY;
    for (int i = 0; i < n_u; i++) factor[i] = 1, start[i + 1] = (i + 1) * n;
    for (int e = 0; e < n * n_u; e++) row[e] = e % n;
    refinement x = {.w = w, .s = s, .at = at, .u = u, .factor = factor, .values = values};
    resida_jacobian_matrix J;
    x.on = (resida_jacobian_matrix){n_u, n * n_u, start, row, NULL, 0};
    if (rsd_problem_copy_excitation(s->problem, at->t, u) != 0)
        return rsd_fail(why, RESIDA_ERR_USER, "the excitation cannot be evaluated at t = %.9g", at->t);
    estimate_rounding(w, at, w->dFdy.start, w->dFdy.row, w->dFdy.values);
    int verdict = evaluate_matrix(&x, &J);
    if (!verdict && refine_columns(&x, &J, a) < 0) verdict = RESIDA_ERR_MEMORY;
    if (verdict) return report_setup_failure(&s->guard, verdict, at->t, why);
    memcpy(w->dFdu, x.best, (size_t)n * (size_t)n_u * sizeof *w->dFdu);
    return RESIDA_OK;
}

static resida_status evaluate_derivatives(rsd_pencil *w, resida_solver *s, const resida_jacobian_point *at,
                                          resida_message *why)
{
    rsd_mechanism *k = s->problem->mechanism;
    int verdict = rsd_guard_eval_part(&s->guard, RSD_FOR_JACOBIAN, RSD_ROWS_ALL, at->t, at->y, at->yp, w->F);
    if (!verdict && k) {
        verdict = rsd_curvature_begin_accurate(k, at->t, at->y + s->problem->layout.p);
        if (verdict < 0 && !k->calls.fault.callback) return RESIDA_ERR_MEMORY;
        verdict = rsd_guard_judge(&s->guard, at->t, verdict, NULL, 0);
    }
    if (verdict) return report_setup_failure(&s->guard, verdict, at->t, why);
    RSD_TRY(w->has_J ? evaluate_model_jacobian(w, s, at, why) : difference_by_engine(w, s, at, why));
    if (!rsd_all_finite(w->dFdy.values, w->dFdy.start[w->n]) || !rsd_all_finite(w->dFdyp.values, w->dFdyp.start[w->n]))
        return rsd_fail(why, RESIDA_ERR_NONFINITE, "derivatives are not finite at the state, t = %.9g", at->t);
    return difference_inputs(w, s, at, why);
}

resida_status rsd_create_derivative_solver(resida_solver **s, resida_problem *q, resida_solver_options *o,
                                           resida_message *why)
{
    o->differences = RESIDA_DIFFERENCES_CENTRAL;
    const resida_status status = resida_solver_create(s, q, o, why);
    if (status != RESIDA_ERR_OPTION) return status;
    if (why) why->text[0] = 0;
    o->differences = RESIDA_DIFFERENCES_FORWARD; /* the model gives all derivatives */
    return resida_solver_create(s, q, o, why);
}

resida_status rsd_pencil_compute(rsd_pencil *w, resida_problem *q, double t, const double *y, const double *yp,
                                 const resida_allocator *alloc, const resida_allocator *work, resida_message *why)
{
    resida_solver *s;
    resida_solver_options o;
    resida_solver_options_init(&o);
    *w = (rsd_pencil){.alloc = alloc, .work = work, .n = q->layout.n, .n_inputs = 3 * q->layout.n_u};
    if (!RSD_DOUBLES(work, w->n, &w->F, &w->factor, &w->rounding, &w->back) ||
        !RSD_DOUBLES(work, (long)w->n * w->n_inputs, &w->dFdu))
        return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_create_derivative_solver(&s, q, &o, why));
    w->has_J = rsd_engine_has_user_jacobian(s->engine);
    w->is_differenced = !w->has_J && !rsd_problem_has_products(q);
    if (q->mechanism) rsd_scales_allow_search(q->mechanism);
    const resida_jacobian_point at = {.t = t, .y = y, .yp = yp, .F = w->F};
    resida_status status = rsd_solver_enter(s);
    if (status >= 0) status = rsd_solver_leave(s, evaluate_derivatives(w, s, &at, why));
    resida_solver_free(s);
    if (status >= 0) status = rsd_pencil_estimate_errors(w, q, t, y, yp, why);
    if (q->mechanism) rsd_curvature_end(q->mechanism);
    return status;
}
