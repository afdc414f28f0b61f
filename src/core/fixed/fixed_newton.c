/* fixed_newton.c - the Newton iteration for the stages of a step. The equations of a step with the unknowns X_i are
 *
 *     F(t + c_i h, Y_i, Y'_i) = 0,    Y_i = sum e_ij X_j + ..., Y'_i = sum d_ij (X_j - y_n)/h + k_i,
 *
 * or averages of F along a path (method.h). J is evaluated by the Jacobian engine at the last stage. Marked constraint
 * rows are evaluated at X_i.
 *
 * The iteration starts from the extrapolated values with the present J. If it fails, it is repeated from y_n with a new
 * J at each iteration, because the step size is fixed. The engine regards an evaluation at a time t as valid for that
 * t. Therefore an evaluation at another point of the same time is requested explicitly.
 *
 * "To rounding" means that J is evaluated at each iteration and that iterations continue while the 2-norm of the
 * corrections decreases, (33) of Bottasso, Bauchau, Cardona, SIAM J. Sci. Comput. 29 (2007) 397-414, in the unknowns of
 * the scaled system. The first correction that does not decrease is not applied. */
#include "fixed.h"

#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

#define DIVERGED 1e-4 /* of the unknowns with a derivative: a larger last correction to rounding is a failure */

/* --- The equations --- */

static int n_unknowns(const rsd_fixed *it)
{
    return it->stages.s * it->base.n;
}

static void set_stage_values(rsd_fixed *it, int i)
{
    const rsd_stages *st = &it->stages;
    const double *y = it->past.y[0];
    for (int c = 0; c < it->base.n; c++) {
        const double *e = st->e[it->past.field[c]][i], *d = st->d[it->past.field[c]][i];
        double sum = 0, here = 0, slope = 0;
        for (int j = 0; j < st->s; j++) {
            const double X = it->X[j * it->base.n + c];
            sum += e[j];
            here += e[j] * X;
            slope += d[j] * (X - y[c]);
        }
        it->Y[i * it->base.n + c] = sum == 1 ? here : here + (1 - sum) * y[c];
        it->Yp[i * it->base.n + c] = slope / it->h_solved + it->k[i * it->base.n + c];
    }
}

/* Set the arguments of F at all stages of a collocation method: Y = X, Y' = A^-1 (X - y_n)/h. */
static void set_collocation_values(rsd_fixed *it)
{
    const int n = it->base.n;
    const double *y = it->past.y[0], *X = it->X, h = it->h_solved;
    memcpy(it->Y, X, 3 * (size_t)n * sizeof *X);
    for (int i = 0; i < 3; i++) {
        const double *d = it->stages.d[0][i];
        double *Yp = it->Yp + i * n;
        for (int c = 0; c < n; c++)
            Yp[c] = (d[0] * (X[c] - y[c]) + d[1] * (X[n + c] - y[c]) + d[2] * (X[2 * n + c] - y[c])) / h;
    }
}

static void set_all_values(rsd_fixed *it)
{
    if (it->is_variable) set_collocation_values(it);
    for (int i = 0; i < it->stages.s && !it->is_variable; i++) set_stage_values(it, i);
}

/* All tries of a step of variable size begin at the extrapolated values. F may be known there. */
static void begin_at_predictor(rsd_fixed *it, int tries)
{
    const size_t bytes = (size_t)n_unknowns(it) * sizeof *it->X;
    memcpy(tries > 0 ? it->X : it->X_start, tries > 0 ? it->X_start : it->X, bytes);
    if (tries > 0) set_collocation_values(it);
}

static void begin_stages(void *self, int tries)
{
    rsd_fixed *it = self;
    if (it->is_variable) begin_at_predictor(it, tries);
    for (int i = 0; i < n_unknowns(it) && tries > 0 && !it->is_variable; i++) it->X[i] = it->past.y[0][i % it->base.n];
}

/* Evaluate the constraint rows at X_i, or equate the multipliers of X_i with those of the last X. */
static int hold_constraints(rsd_fixed *it, int i, double *R)
{
    const rsd_stages *st = &it->stages;
    const int last = st->s - 1, is_tied = st->holding == RSD_AT_END && i < last;
    const size_t at = (size_t)i * (size_t)it->base.n;
    const double *X = it->X + at, *X_last = it->X + (size_t)last * (size_t)it->base.n,
                 t = it->t_solved + st->b[i] * it->h_solved;
    int verdict = is_tied ? 0
                          : rsd_guard_eval_part(it->base.guard, RSD_FOR_NEWTON, RSD_ROWS_CONSTRAINT, t, X, it->Yp + at,
                                                it->held_F);
    for (int c = 0; c < it->base.n && !verdict; c++)
        if (it->held[c]) R[c] = is_tied ? X[c] - X_last[c] : it->held_F[c];
    return verdict;
}

/* Set it->point to Y_i with its positions moved by the fraction x of the path. */
static void set_point_on_path(rsd_fixed *it, int i, double x)
{
    const rsd_stages *st = &it->stages;
    memcpy(it->point, it->Y + (size_t)i * (size_t)it->base.n, (size_t)it->base.n * sizeof *it->point);
    for (int c = 0; c < it->base.n; c++)
        for (int j = 0; j < st->s && it->past.field[c] == RSD_FIELD_P; j++)
            it->point[c] += x * st->way[i][j] * (it->X[j * it->base.n + c] - it->past.y[0][c]);
}

static int average_residual(rsd_fixed *it, int i, double *R)
{
    const rsd_stages *st = &it->stages;
    const double *Yp = it->Yp + (size_t)i * (size_t)it->base.n;
    int verdict = 0;
    memset(R, 0, (size_t)it->base.n * sizeof *R);
    for (int k = 0; k < st->points && !verdict; k++) {
        set_point_on_path(it, i, st->x[k]);
        verdict = rsd_guard_residual(it->base.guard, RSD_FOR_NEWTON, it->t_solved + st->c[i] * it->h_solved, it->point,
                                     Yp, it->held_F);
        for (int c = 0; c < it->base.n && !verdict; c++) R[c] += st->w[k] * it->held_F[c];
    }
    return verdict;
}

static int evaluate_stage(rsd_fixed *it, int i, double *R)
{
    const size_t at = (size_t)i * (size_t)it->base.n;
    if (it->stages.points > 0) return average_residual(it, i, R);
    return rsd_guard_residual(it->base.guard, RSD_FOR_NEWTON, it->t_solved + it->stages.c[i] * it->h_solved, it->Y + at,
                              it->Yp + at, R);
}

static int evaluate_stages(void *self, double *R)
{
    rsd_fixed *it = self;
    const rsd_stages *st = &it->stages;
    int verdict = 0;
    set_all_values(it);
    for (int i = 0; i < st->s && !verdict; i++) {
        const size_t at = (size_t)i * (size_t)it->base.n;
        verdict = evaluate_stage(it, i, R + at);
        if (i + 1 == st->s) memcpy(it->F, R + at, (size_t)it->base.n * sizeof *it->F);
        if (!verdict && st->holding != RSD_IN_STAGES) verdict = hold_constraints(it, i, R + at);
    }
    return verdict;
}

/* --- J --- */

/* Return the point at which the engine evaluates J: the last stage, in steps of variable size the middle one, from
 * which J differs least at all stages. */
static resida_jacobian_point point_of(const rsd_fixed *it, double alpha)
{
    const rsd_stages *st = &it->stages;
    const int i = it->is_variable ? st->s / 2 : st->s - 1;
    const size_t at = (size_t)i * (size_t)it->base.n;
    return (resida_jacobian_point){
        .t = it->t_solved + st->c[i] * it->h_solved,
        .since = it->is_variable ? it->base.origin - it->first_origin + (it->t + st->c[i] * it->h_solved) : 0,
        .alpha = alpha,
        .h = it->h_solved,
        .y = it->Y + at,
        .yp = it->Yp + at,
        .F = it->is_variable ? it->newton.F + at : it->F,
        .weights = it->ewt};
}

/* Return alpha of J for the step being solved. */
static double alpha_of(const rsd_fixed *it)
{
    return it->is_variable ? it->method->collocation->gamma / it->h_solved
                           : rsd_stages_alpha(&it->stages, it->h_solved);
}

/* Evaluate F at the point of J if the residual is an average. */
static int evaluate_F_in_middle(rsd_fixed *it)
{
    const resida_jacobian_point at = point_of(it, 0);
    return it->stages.points > 0 ? rsd_guard_residual(it->base.guard, RSD_FOR_NEWTON, at.t, at.y, at.yp, it->F) : 0;
}

/* Set up J, and then dF/dy separately if the matrix needs both parts. */
static int set_up_matrix(void *self, const rsd_plan *plan, rsd_setup_facts *J)
{
    rsd_fixed *it = self;
    const rsd_stages *st = &it->stages;
    const resida_jacobian_point at = point_of(it, rsd_stages_alpha(st, it->h_solved)), part = point_of(it, 0);
    resida_jacobian_matrix whole;
    rsd_setup_facts ignored;
    int verdict = evaluate_F_in_middle(it);
    if (!verdict) verdict = rsd_jacobian_set_up(it->engine, plan, &at, J);
    if (verdict || rsd_stages_are_plain(st)) return verdict;
    resida_jacobian_get_matrix(it->engine, &whole);
    if (rsd_fixed_matrix_store_J(it, &whole) < 0) return RESIDA_ERR_MEMORY;
    const rsd_plan of_part = rsd_jacobian_plan(it->engine, RSD_AT_ATTEMPT, RESIDA_SETUP_ALPHA, &part);
    return rsd_jacobian_set_up(it->engine, &of_part, &part, &ignored);
}

static int factor_matrix(void *self)
{
    rsd_fixed *it = self;
    resida_jacobian_matrix J;
    resida_jacobian_get_matrix(it->engine, &J);
    return rsd_fixed_matrix_factor(it, &J);
}

static void solve_matrix(void *self, double *b)
{
    const rsd_fixed_matrix *m = &((rsd_fixed *)self)->matrix;
    rsd_linear_solve(m->linear[m->s - 1], 1, b);
}

/* --- To rounding --- */

static double norm_of_correction(void *self, const double *delta)
{
    const rsd_fixed *it = self;
    double norm = 0;
    for (int i = 0; i < n_unknowns(it); i++)
        norm = hypot(norm, delta[i] / rsd_scaling_unit(it->matrix.scaling, i % it->base.n));
    return norm;
}

static int is_far_from_rounding(void *self, const double *delta)
{
    const rsd_fixed *it = self;
    for (int i = 0; i < n_unknowns(it); i++)
        if (it->past.field[i % it->base.n] != RSD_FIELD_REST && fabs(delta[i]) > DIVERGED * (1 + fabs(it->X[i])))
            return 1;
    return 0;
}

static const rsd_newton_ops equations = {
    .begin = begin_stages, .evaluate = evaluate_stages, .norm = norm_of_correction, .is_far = is_far_from_rounding};

static const rsd_matrix_ops matrix_of_stages = {
    .set_up = set_up_matrix, .factor = factor_matrix, .solve = solve_matrix};

/* Compute the 2-norm of the last applied correction, then its maximum norm by field. */
static void measure_correction(const rsd_fixed *it, double *size)
{
    const double *delta = it->newton.taken;
    memset(size, 0, (1 + RSD_N_FIELDS) * sizeof *size);
    for (int i = 0; i < n_unknowns(it); i++) {
        double *of_field = &size[1 + it->past.field[i % it->base.n]];
        size[0] += delta[i] * delta[i];
        *of_field = fmax(*of_field, fabs(delta[i]));
    }
    size[0] = sqrt(size[0]);
}

static int report_step(rsd_fixed *it)
{
    double size[1 + RSD_N_FIELDS];
    measure_correction(it, size);
    for (int f = 0; f < 1 + RSD_N_FIELDS; f++) it->largest[f] = fmax(it->largest[f], size[f]);
    if (!it->base.o->observer) return 0;
    resida_newton_end end = {.t = it->t_solved + it->h_solved,
                             .h = it->h_solved,
                             .stages = it->stages.s,
                             .matrix = rsd_fixed_matrix_get(it),
                             .correction = it->newton.taken,
                             .row_scale = rsd_scaling_rows(it->matrix.scaling),
                             .column_scale = rsd_scaling_columns(it->matrix.scaling)};
    rsd_thrown thrown = {0, ""};
    if (!rsd_call_observer(&end, it->base.o->observer_user, &thrown, it->base.o->observer)) return 0;
    return rsd_guard_report_exception(it->base.guard, end.t, "observer", &thrown);
}

/* Save the point of the last F. F can be compared there if it is the whole residual, and unchanged in the next step. */
static void store_point_of_F(rsd_fixed *it)
{
    const rsd_stages *st = &it->stages;
    double *Y = it->y_F, *Yp = it->yp_F;
    it->y_F = it->Y, it->yp_F = it->Yp;
    it->Y = Y, it->Yp = Yp;
    it->t_F = it->t_solved + st->c[0] * it->h_solved;
    it->is_F_known =
        st->s == 1 && st->points == 0 && st->holding == RSD_IN_STAGES && rsd_problem_is_repeatable(it->base.problem);
}

int rsd_fixed_newton_solve(rsd_fixed *it, const rsd_stages *stages, double h, int is_step)
{
    it->stages = *stages;
    it->t_solved = rsd_integration_t(&it->base, it->t);
    it->h_solved = h;
    rsd_error_weights(it->base.o, it->base.n, it->past.y[0], it->ewt);
    const rsd_attempt a = {.at = point_of(it, alpha_of(it)),
                           .tolerance = it->base.o->newton_tolerance,
                           .x = it->X,
                           .stages = stages->s,
                           .is_retry = it->is_variable && it->tries > 0};
    const int back = rsd_profile_enter(it->base.guard->tally.profile, RSD_IN_ITERATION);
    int verdict = rsd_newton_solve(&it->newton, &a);
    rsd_profile_leave(it->base.guard->tally.profile, back);
    it->is_F_known = 0;
    if (!verdict) store_point_of_F(it);
    if (!verdict) set_all_values(it);
    return !verdict && is_step ? report_step(it) : verdict;
}

/* Mark the constraint rows evaluated at X_i: those of positions, velocities and invariants, not of accelerations. */
static void mark_held_rows(rsd_fixed *it)
{
    const resida_problem *q = it->base.problem;
    int holds = q->form && (q->form->level == RSD_POSITION || q->form->level == RSD_VELOCITY) && !q->form->rates;
    for (int i = 0; i < it->base.n; i++)
        it->held[i] = (holds && i >= q->layout.lam) || (q->layout.eta_k >= 0 && i >= q->layout.eta_k);
}

resida_status rsd_fixed_newton_create(rsd_fixed *it)
{
    const int n = it->base.n, most = RSD_MAX_STAGES, to_rounding = it->base.o->newton_to_rounding;
    const resida_allocator *alloc = &it->alloc;
    const rsd_newton_system system = {.ops = &equations,
                                      .self = it,
                                      .rules = it->is_variable ? &rsd_rules_of_any_size
                                               : to_rounding   ? &rsd_rules_to_rounding
                                                               : &rsd_rules_of_fixed_size,
                                      .guard = it->base.guard,
                                      .engine = it->engine,
                                      .o = it->base.o,
                                      .n = n,
                                      .stages = most};
    it->held = rsd_calloc(alloc, n, sizeof *it->held);
    if (!it->held || !RSD_DOUBLES(alloc, (long)most * n, &it->X, &it->k, &it->Y, &it->Yp, &it->y_F, &it->yp_F) ||
        !RSD_DOUBLES(alloc, n, &it->F, &it->ewt, &it->held_F, &it->point, &it->tested) ||
        !RSD_DOUBLES(alloc, (long)most * n, &it->X_start))
        return RESIDA_ERR_MEMORY;
    mark_held_rows(it);
    rsd_jacobian_attach(it->engine,
                        &(rsd_jacobian_use){.ops = it->is_variable ? &rsd_fixed_transform_ops : &matrix_of_stages,
                                            .self = it,
                                            .why = it->base.guard->message,
                                            .profile = it->base.guard->tally.profile,
                                            .max_rate = it->base.o->slow_rate,
                                            .max_age = it->base.o->max_age});
    RSD_TRY(rsd_newton_create(&it->newton, &system, alloc));
    return rsd_scaling_create(&it->matrix.scaling, it->base.o, it->base.problem, most, alloc);
}
