/* fixed_newton.c - the Newton iteration for the stages of a step. The equations of a step with the unknowns X_i are
 *
 *     F(t + c_i h, Y_i, Y'_i) = 0,    Y_i = sum e_ij X_j + ..., Y'_i = sum d_ij (X_j - y_n)/h + k_i,
 *
 * or averages of F along a path (method.h). J is evaluated by the Jacobian engine at the last stage. Marked constraint
 * rows are evaluated at X_i.
 *
 * The iteration starts from the extrapolated values with the present J. If the iteration fails, it is repeated from y_n
 * with a new J at each iterate, because the step size is fixed. The engine regards a J that was evaluated at a time t
 * as valid for this t. Therefore an evaluation at another point with the same t is requested explicitly.
 *
 * "To rounding" means that J is evaluated at each iteration and that iterations continue while the 2-norm of the
 * corrections decreases, (33) of Bottasso, Bauchau, Cardona, SIAM J. Sci. Comput. 29 (2007) 397-414, in the unknowns of
 * the scaled system. The first correction that does not decrease is not applied. Far from the solution corrections may
 * decrease slowly, and the second correction may exceed the first. */
#include "fixed.h"

#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

#define DIVERGED 1e-4 /* maximum correction of an unknown x by rounding, relative to 1 + |x| */

static int n_unknowns(const rsd_fixed *fixed)
{
    return fixed->stages.s * fixed->base.n;
}

static void set_stage_values(rsd_fixed *fixed, int i)
{
    const rsd_stages *st = &fixed->stages;
    const double *y = fixed->past.y[0];
    for (int c = 0; c < fixed->base.n; c++) {
        const double *e = st->e[fixed->past.field[c]][i], *d = st->d[fixed->past.field[c]][i];
        double sum = 0, here = 0, slope = 0;
        for (int j = 0; j < st->s; j++) {
            const double X = fixed->X[j * fixed->base.n + c];
            sum += e[j];
            here += e[j] * X;
            slope += d[j] * (X - y[c]);
        }
        fixed->Y[i * fixed->base.n + c] = sum == 1 ? here : here + (1 - sum) * y[c];
        fixed->Yp[i * fixed->base.n + c] = slope / fixed->h_solved + fixed->k[i * fixed->base.n + c];
    }
}

static void set_all_values(rsd_fixed *fixed)
{
    for (int i = 0; i < fixed->stages.s; i++) set_stage_values(fixed, i);
}

/* Set X to the start of a try. In steps of variable size all tries begin at the extrapolated values. In steps of a
 * fixed size every retry begins at y_n. */
static void begin_stages(void *self, int tries)
{
    rsd_fixed *fixed = self;
    const int n = n_unknowns(fixed);
    if (tries == 0 && fixed->is_variable) memcpy(fixed->X_start, fixed->X, (size_t)n * sizeof *fixed->X);
    for (int i = 0; i < n && tries > 0; i++)
        fixed->X[i] = fixed->is_variable ? fixed->X_start[i] : fixed->past.y[0][i % fixed->base.n];
    if (tries > 0 && fixed->is_variable) set_all_values(fixed);
}

/* Replace the constraint rows of R [n], the residual of stage i, by their values at X_i. With RSD_AT_END and i < s,
 * replace the rows by the difference between the multipliers of X_i and X_s. Return 0, or the verdict. */
static int replace_constraint_rows(rsd_fixed *fixed, int i, double *R)
{
    const rsd_stages *st = &fixed->stages;
    const int last = st->s - 1, is_tied = st->holding == RSD_AT_END && i < last;
    const size_t at = (size_t)i * (size_t)fixed->base.n;
    const double *X = fixed->X + at, *X_last = fixed->X + (size_t)last * (size_t)fixed->base.n,
                 t = fixed->t_solved + st->b[i] * fixed->h_solved;
    int verdict = is_tied ? 0
                          : rsd_guard_eval_part(fixed->base.guard, RSD_FOR_NEWTON, RSD_ROWS_CONSTRAINT, t, X,
                                                fixed->Yp + at, fixed->held_F);
    for (int c = 0; c < fixed->base.n && !verdict; c++)
        if (fixed->held[c]) R[c] = is_tied ? X[c] - X_last[c] : fixed->held_F[c];
    return verdict;
}

/* Set fixed->point to Y_i + x way_i in positions, the point of the straight path (method.h) at node x. */
static void set_point_on_path(rsd_fixed *fixed, int i, double x)
{
    const rsd_stages *st = &fixed->stages;
    memcpy(fixed->point, fixed->Y + (size_t)i * (size_t)fixed->base.n, (size_t)fixed->base.n * sizeof *fixed->point);
    for (int c = 0; c < fixed->base.n; c++)
        for (int j = 0; j < st->s && fixed->past.field[c] == RSD_FIELD_P; j++)
            fixed->point[c] += x * st->way[i][j] * (fixed->X[j * fixed->base.n + c] - fixed->past.y[0][c]);
}

static int average_residual(rsd_fixed *fixed, int i, double *R)
{
    const rsd_stages *st = &fixed->stages;
    const double *Yp = fixed->Yp + (size_t)i * (size_t)fixed->base.n;
    int verdict = 0;
    memset(R, 0, (size_t)fixed->base.n * sizeof *R);
    for (int k = 0; k < st->points && !verdict; k++) {
        set_point_on_path(fixed, i, st->x[k]);
        verdict = rsd_guard_eval_part(fixed->base.guard, RSD_FOR_NEWTON, RSD_ROWS_ALL,
                                      fixed->t_solved + st->c[i] * fixed->h_solved, fixed->point, Yp, fixed->held_F);
        for (int c = 0; c < fixed->base.n && !verdict; c++) R[c] += st->w[k] * fixed->held_F[c];
    }
    return verdict;
}

static int evaluate_stage(rsd_fixed *fixed, int i, double *R)
{
    const size_t at = (size_t)i * (size_t)fixed->base.n;
    if (fixed->stages.points > 0) return average_residual(fixed, i, R);
    return rsd_guard_eval_part(fixed->base.guard, RSD_FOR_NEWTON, RSD_ROWS_ALL,
                               fixed->t_solved + fixed->stages.c[i] * fixed->h_solved, fixed->Y + at, fixed->Yp + at,
                               R);
}

static int evaluate_stages(void *self, double *R)
{
    rsd_fixed *fixed = self;
    const rsd_stages *st = &fixed->stages;
    int verdict = 0;
    set_all_values(fixed);
    for (int i = 0; i < st->s && !verdict; i++) {
        const size_t at = (size_t)i * (size_t)fixed->base.n;
        verdict = evaluate_stage(fixed, i, R + at);
        if (i + 1 == st->s) memcpy(fixed->F, R + at, (size_t)fixed->base.n * sizeof *fixed->F);
        if (!verdict && st->holding != RSD_IN_STAGES) verdict = replace_constraint_rows(fixed, i, R + at);
    }
    return verdict;
}

/* Return the point at which the engine evaluates J: the last stage, or in steps of variable size the middle stage,
 * because J there differs less from J at the other stages. */
static resida_jacobian_point get_point_of_J(const rsd_fixed *fixed)
{
    const rsd_stages *st = &fixed->stages;
    const int i = fixed->is_variable ? st->s / 2 : st->s - 1;
    const size_t at = (size_t)i * (size_t)fixed->base.n;
    const double t = fixed->t_solved + st->c[i] * fixed->h_solved, elapsed = fixed->t + st->c[i] * fixed->h_solved;
    return (resida_jacobian_point){.t = t,
                                   .since = fixed->is_variable ? fixed->base.origin - fixed->first_origin + elapsed : t,
                                   .alpha = rsd_fixed_alpha(fixed),
                                   .h = fixed->h_solved,
                                   .y = fixed->Y + at,
                                   .yp = fixed->Yp + at,
                                   .F = fixed->is_variable ? fixed->newton.F + at : fixed->F,
                                   .weights = fixed->ewt};
}

int rsd_fixed_eval_F_at_J(rsd_fixed *fixed)
{
    const resida_jacobian_point *at = &fixed->newton.renewal->attempt.at;
    return fixed->stages.points > 0
               ? rsd_guard_eval_part(fixed->base.guard, RSD_FOR_NEWTON, RSD_ROWS_ALL, at->t, at->y, at->yp, fixed->F)
               : 0;
}

static double norm_of_correction(void *self, const double *delta)
{
    const rsd_fixed *fixed = self;
    double norm = 0;
    for (int i = 0; i < n_unknowns(fixed); i++)
        norm = hypot(norm, delta[i] / rsd_scaling_unit(fixed->matrix.scaling, i % fixed->base.n));
    return norm;
}

static int is_far_from_rounding(void *self, const double *delta)
{
    const rsd_fixed *fixed = self;
    for (int i = 0; i < n_unknowns(fixed); i++)
        if (fixed->past.field[i % fixed->base.n] != RSD_FIELD_REST &&
            fabs(delta[i]) > DIVERGED * (1 + fabs(fixed->X[i])))
            return 1;
    return 0;
}

static const rsd_newton_ops equations = {.begin = begin_stages,
                                         .evaluate = evaluate_stages,
                                         .norm = norm_of_correction,
                                         .has_diverged = is_far_from_rounding};

/* Compute norms of the last applied correction. size[0] is the 2-norm, size[1 + f] the maximum norm of field f. */
static void measure_correction(const rsd_fixed *fixed, double *size)
{
    const double *delta = fixed->newton.last_applied;
    memset(size, 0, (1 + RSD_N_FIELDS) * sizeof *size);
    for (int i = 0; i < n_unknowns(fixed); i++) {
        double *of_field = &size[1 + fixed->past.field[i % fixed->base.n]];
        size[0] += delta[i] * delta[i];
        *of_field = fmax(*of_field, fabs(delta[i]));
    }
    size[0] = sqrt(size[0]);
}

/* Record the norms of the last correction in fixed->largest, and call the observer of the options. */
static int report_step(rsd_fixed *fixed)
{
    double size[1 + RSD_N_FIELDS];
    measure_correction(fixed, size);
    for (int f = 0; f < 1 + RSD_N_FIELDS; f++) fixed->largest[f] = fmax(fixed->largest[f], size[f]);
    if (!fixed->base.o->observer) return 0;
    resida_newton_end end = {.t = fixed->t_solved + fixed->h_solved,
                             .h = fixed->h_solved,
                             .stages = fixed->stages.s,
                             .matrix = rsd_fixed_matrix_get(fixed),
                             .correction = fixed->newton.last_applied,
                             .row_scale = rsd_scaling_rows(fixed->matrix.scaling),
                             .column_scale = rsd_scaling_columns(fixed->matrix.scaling)};
    rsd_thrown thrown = {0, ""};
    if (!rsd_call_observer(&end, fixed->base.o->observer_user, &thrown, fixed->base.o->observer)) return 0;
    return rsd_guard_report_exception(fixed->base.guard, end.t, "observer", &thrown);
}

/* Save the arguments of the last F (see fixed_inputs.c). The saved F can be compared later if two conditions are
 * satisfied: F is the whole residual of the step, and F at the same arguments does not change after the step. */
static void store_point_of_F(rsd_fixed *fixed)
{
    const rsd_stages *st = &fixed->stages;
    double *Y = fixed->y_F, *Yp = fixed->yp_F;
    fixed->y_F = fixed->Y, fixed->yp_F = fixed->Yp;
    fixed->Y = Y, fixed->Yp = Yp;
    fixed->t_F = fixed->t_solved + st->c[0] * fixed->h_solved;
    fixed->is_F_known =
        st->s == 1 && st->points == 0 && st->holding == RSD_IN_STAGES && rsd_problem_is_repeatable(fixed->base.problem);
}

int rsd_fixed_newton_solve(rsd_fixed *fixed, const rsd_stages *stages, double h, int is_step)
{
    fixed->stages = *stages;
    fixed->t_solved = rsd_integration_t(&fixed->base, fixed->t);
    fixed->h_solved = h;
    rsd_error_weights(fixed->base.o, fixed->base.n, fixed->past.y[0], fixed->ewt);
    const rsd_attempt a = {.at = get_point_of_J(fixed),
                           .tolerance = fixed->base.o->newton_tolerance,
                           .x = fixed->X,
                           .stages = stages->s,
                           .is_retry = fixed->is_variable && fixed->tries > 0};
    const int back = rsd_profile_enter(fixed->base.guard->tally.profile, RSD_IN_ITERATION);
    int verdict = rsd_newton_solve(&fixed->newton, &a);
    rsd_profile_leave(fixed->base.guard->tally.profile, back);
    fixed->is_F_known = 0;
    if (!verdict) store_point_of_F(fixed);
    if (!verdict) set_all_values(fixed);
    return !verdict && is_step ? report_step(fixed) : verdict;
}

/* Mark the rows that are evaluated at X_i, constraints at position and velocity level, and invariants.
 * Constraints at acceleration level are evaluated in the stages. */
static void mark_constraint_rows(rsd_fixed *fixed)
{
    const resida_problem *q = fixed->base.problem;
    int holds = q->form && (q->form->level == RSD_POSITION || q->form->level == RSD_VELOCITY) && !q->form->rates;
    for (int i = 0; i < fixed->base.n; i++)
        fixed->held[i] = (holds && i >= q->layout.lam) || (q->layout.eta_k >= 0 && i >= q->layout.eta_k);
}

resida_status rsd_fixed_newton_create(rsd_fixed *fixed)
{
    const int n = fixed->base.n, max = RSD_MAX_STAGES, to_rounding = fixed->base.o->newton_to_rounding;
    const resida_allocator *alloc = &fixed->alloc;
    const rsd_newton_system system = {.ops = &equations,
                                      .self = fixed,
                                      .rules = fixed->is_variable ? &rsd_rules_of_variable_size
                                               : to_rounding      ? &rsd_rules_to_rounding
                                                                  : &rsd_rules_of_fixed_size,
                                      .guard = fixed->base.guard,
                                      .engine = fixed->engine,
                                      .o = fixed->base.o,
                                      .n = n,
                                      .stages = max};
    fixed->held = rsd_calloc(alloc, n, sizeof *fixed->held);
    if (!fixed->held ||
        !RSD_DOUBLES(alloc, (long)max * n, &fixed->X, &fixed->k, &fixed->Y, &fixed->Yp, &fixed->y_F, &fixed->yp_F) ||
        !RSD_DOUBLES(alloc, n, &fixed->F, &fixed->ewt, &fixed->held_F, &fixed->point, &fixed->tested) ||
        !RSD_DOUBLES(alloc, (long)max * n, &fixed->X_start))
        return RESIDA_ERR_MEMORY;
    mark_constraint_rows(fixed);
    rsd_jacobian_attach(fixed->engine, &(rsd_jacobian_use){.ops = &rsd_fixed_matrix_ops,
                                                           .self = fixed,
                                                           .why = fixed->base.guard->message,
                                                           .profile = fixed->base.guard->tally.profile,
                                                           .max_rate = fixed->base.o->slow_rate,
                                                           .max_age = fixed->base.o->max_age});
    RSD_TRY(rsd_newton_create(&fixed->newton, &system, alloc));
    return rsd_scaling_create(&fixed->matrix.scaling, fixed->base.o, fixed->base.problem, max, alloc);
}
