/* fixed_newton.c - see fixed_newton.h. The equations of a step are those of its stages X_i,
 *
 *     F(t + c_i h, Y_i, Y'_i) = 0,    Y_i = sum e_ij X_j + ..., Y'_i = sum d_ij (X_j - y_n)/h + k_i,
 *
 * or their averages along a way (method.h), with the J of the Jacobian engine at the last stage. Rows of held
 * constraints are evaluated at X_i.
 *
 * The iteration begins at the extrapolated values with the present J; if it fails, it begins at y_n with a J of each
 * iteration, as no step can be cut. The engine takes an evaluation at a time t as good for that t; so an evaluation at
 * another point of that time is requested as the first one.
 *
 * "To rounding": J is evaluated at each iteration, and corrections go on as long as their 2-norm decreases, (33) of
 * Bottasso, Bauchau, Cardona, SIAM J. Sci. Comput. 29 (2007) 397-414, in the unknowns of the scaled system; the one
 * that does not is not applied. */
#include "fixed_newton.h"

#include "jacobian/engine.h"
#include "src/watch/tolerance.h"

#include <math.h>
#include <string.h>

#define DIVERGED 1e-4 /* of the unknowns: the last correction to rounding, of what has a derivative */

/* --- The equations --- */

static int n_unknowns(const rsd_fixed_newton *nw)
{
    return nw->step.stages->s * nw->n;
}

static void begin_stages(void *self, int tries)
{
    const rsd_fixed_newton *nw = self;
    for (int i = 0; i < n_unknowns(nw) && tries > 0; i++) nw->step.X[i] = nw->past->y[0][i % nw->n];
}

static void set_stage_values(rsd_fixed_newton *nw, int i)
{
    const rsd_fixed_step *a = &nw->step;
    const double *y = nw->past->y[0];
    for (int c = 0; c < nw->n; c++) {
        const double *e = a->stages->e[nw->past->field[c]][i], *d = a->stages->d[nw->past->field[c]][i];
        double sum = 0, here = 0, slope = 0;
        for (int j = 0; j < a->stages->s; j++) {
            const double X = a->X[j * nw->n + c];
            sum += e[j];
            here += e[j] * X;
            slope += d[j] * (X - y[c]);
        }
        nw->Y[i * nw->n + c] = sum == 1 ? here : here + (1 - sum) * y[c];
        nw->Yp[i * nw->n + c] = slope / a->h + a->k[i * nw->n + c];
    }
}

/* Evaluate the rows of constraints at X_i instead; or tie the multipliers of X_i to those of the last X. */
static int hold_constraints(rsd_fixed_newton *nw, int i, double *R)
{
    const rsd_stages *st = nw->step.stages;
    const int last = st->s - 1, is_tied = st->holding == RSD_AT_END && i < last;
    const size_t at = (size_t)i * (size_t)nw->n;
    const double *X = nw->step.X + at, *X_last = nw->step.X + (size_t)last * (size_t)nw->n,
                 t = nw->step.t + st->b[i] * nw->step.h;
    int verdict = is_tied ? 0 : rsd_guard_part(nw->guard, RSD_ROWS_CONSTRAINT, t, X, nw->Yp + at, nw->row);
    for (int c = 0; c < nw->n && !verdict; c++)
        if (nw->held[c]) R[c] = is_tied ? X[c] - X_last[c] : nw->row[c];
    return verdict;
}

/* Set nw->point to Y_i, with the positions moved by the part x of the way. */
static void move_along_way(rsd_fixed_newton *nw, int i, double x)
{
    const rsd_stages *st = nw->step.stages;
    memcpy(nw->point, nw->Y + (size_t)i * (size_t)nw->n, (size_t)nw->n * sizeof *nw->point);
    for (int c = 0; c < nw->n; c++)
        for (int j = 0; j < st->s && nw->past->field[c] == RSD_FIELD_P; j++)
            nw->point[c] += x * st->way[i][j] * (nw->step.X[j * nw->n + c] - nw->past->y[0][c]);
}

static int average_residual(rsd_fixed_newton *nw, int i, double *R)
{
    const rsd_stages *st = nw->step.stages;
    const double *Yp = nw->Yp + (size_t)i * (size_t)nw->n;
    int verdict = 0;
    memset(R, 0, (size_t)nw->n * sizeof *R);
    for (int k = 0; k < st->points && !verdict; k++) {
        move_along_way(nw, i, st->x[k]);
        verdict = rsd_guard_residual(nw->step.t + st->c[i] * nw->step.h, nw->point, Yp, nw->row, nw->guard);
        for (int c = 0; c < nw->n && !verdict; c++) R[c] += st->w[k] * nw->row[c];
    }
    return verdict;
}

static int evaluate_stage(rsd_fixed_newton *nw, int i, double *R)
{
    const size_t at = (size_t)i * (size_t)nw->n;
    if (nw->step.stages->points > 0) return average_residual(nw, i, R);
    return rsd_guard_residual(nw->step.t + nw->step.stages->c[i] * nw->step.h, nw->Y + at, nw->Yp + at, R, nw->guard);
}

static int evaluate_stages(void *self, double *R)
{
    rsd_fixed_newton *nw = self;
    const rsd_fixed_step *a = &nw->step;
    const rsd_stages *st = a->stages;
    int verdict = 0;
    for (int i = 0; i < st->s && !verdict; i++) {
        const size_t at = (size_t)i * (size_t)nw->n;
        set_stage_values(nw, i);
        verdict = evaluate_stage(nw, i, R + at);
        if (i + 1 == st->s) memcpy(nw->F, R + at, (size_t)nw->n * sizeof *nw->F);
        if (!verdict && st->holding != RSD_IN_STAGES) verdict = hold_constraints(nw, i, R + at);
    }
    return verdict;
}

/* --- J --- */

/* The engine's point: the last stage. */
static resida_jacobian_point point_of(const rsd_fixed_newton *nw, double alpha)
{
    const rsd_stages *st = nw->step.stages;
    const size_t last = (size_t)(st->s - 1) * (size_t)nw->n;
    return (resida_jacobian_point){.t = nw->step.t + st->c[st->s - 1] * nw->step.h,
                                   .alpha = alpha,
                                   .h = nw->step.h,
                                   .y = nw->Y + last,
                                   .yp = nw->Yp + last,
                                   .F = nw->F,
                                   .weights = nw->ewt};
}

/* Evaluate F at the point of J, where F was averaged. */
static int evaluate_middle(rsd_fixed_newton *nw)
{
    const resida_jacobian_point at = point_of(nw, 0);
    return nw->step.stages->points > 0 ? rsd_guard_residual(at.t, at.y, at.yp, nw->F, nw->guard) : 0;
}

/* Set J up; then dF/dy alone, where the matrix needs both parts. */
static int set_up_matrix(void *self, resida_setup_reason reason, rsd_setup_facts *J)
{
    rsd_fixed_newton *nw = self;
    const rsd_stages *st = nw->step.stages;
    const resida_jacobian_point at = point_of(nw, rsd_stages_alpha(st, nw->step.h)), part = point_of(nw, 0);
    resida_jacobian_matrix whole;
    int ignored, verdict = evaluate_middle(nw);
    if (!verdict) verdict = rsd_newton_set_up_J(&nw->newton, reason, &at, &J->current);
    J->is_evaluated = rsd_engine_was_evaluated(nw->engine);
    if (verdict || rsd_stages_are_plain(st)) return verdict;
    resida_jacobian_get_matrix(nw->engine, &whole);
    if (rsd_fixed_matrix_keep(&nw->matrix, &whole) < 0) return rsd_newton_stop(&nw->newton, RESIDA_ERR_MEMORY);
    return rsd_newton_set_up_J(&nw->newton, RESIDA_SETUP_ALPHA, &part, &ignored);
}

static int factor_matrix(void *self)
{
    rsd_fixed_newton *nw = self;
    resida_jacobian_matrix J;
    resida_jacobian_get_matrix(nw->engine, &J);
    const int verdict = rsd_fixed_matrix_factor(&nw->matrix, nw->step.stages, nw->step.h, &J, nw->guard->message);
    return verdict < 0 ? rsd_newton_stop(&nw->newton, (resida_status)verdict) : verdict;
}

static void solve_matrix(void *self, double *b)
{
    rsd_fixed_matrix_solve(&((rsd_fixed_newton *)self)->matrix, b);
}

/* --- To rounding --- */

static double norm_of_correction(void *self, const double *delta)
{
    const rsd_fixed_newton *nw = self;
    double norm = 0;
    for (int i = 0; i < n_unknowns(nw); i++)
        norm = hypot(norm, delta[i] / rsd_scaling_unit(nw->matrix.scaling, i % nw->n));
    return norm;
}

static int is_far_from_rounding(void *self, const double *delta)
{
    const rsd_fixed_newton *nw = self;
    for (int i = 0; i < n_unknowns(nw); i++)
        if (nw->past->field[i % nw->n] != RSD_FIELD_REST && fabs(delta[i]) > DIVERGED * (1 + fabs(nw->step.X[i])))
            return 1;
    return 0;
}

static const rsd_newton_ops equations = {.begin = begin_stages,
                                         .evaluate = evaluate_stages,
                                         .set_up = set_up_matrix,
                                         .factor = factor_matrix,
                                         .solve = solve_matrix,
                                         .norm = norm_of_correction,
                                         .is_far = is_far_from_rounding};

/* Measure the last correction that was applied: 2-norm, then maximum norm by field. */
static void measure_correction(const rsd_fixed_newton *nw, double *size)
{
    const double *delta = nw->newton.taken;
    memset(size, 0, (1 + RSD_N_FIELDS) * sizeof *size);
    for (int i = 0; i < n_unknowns(nw); i++) {
        double *of_field = &size[1 + nw->past->field[i % nw->n]];
        size[0] = hypot(size[0], delta[i]);
        *of_field = fmax(*of_field, fabs(delta[i]));
    }
}

static int report_step(rsd_fixed_newton *nw)
{
    double size[1 + RSD_N_FIELDS];
    measure_correction(nw, size);
    for (int f = 0; f < 1 + RSD_N_FIELDS; f++) nw->largest[f] = fmax(nw->largest[f], size[f]);
    if (!nw->o->observer) return 0;
    resida_newton_end end = {.t = nw->step.t + nw->step.h,
                             .h = nw->step.h,
                             .stages = nw->step.stages->s,
                             .matrix = rsd_fixed_matrix_get(&nw->matrix),
                             .correction = nw->newton.taken,
                             .row_scale = rsd_scaling_rows(nw->matrix.scaling),
                             .column_scale = rsd_scaling_columns(nw->matrix.scaling)};
    rsd_thrown thrown = {0, ""};
    if (!rsd_call_observer(&end, nw->o->observer_user, &thrown, nw->o->observer)) return 0;
    return rsd_guard_threw(nw->guard, end.t, "observer", &thrown);
}

int rsd_fixed_newton_solve(rsd_fixed_newton *nw, const rsd_fixed_step *step, int is_step)
{
    nw->step = *step;
    rsd_error_weights(nw->o, nw->n, nw->past->y[0], nw->ewt);
    const rsd_newton_attempt a = {.t = step->t,
                                  .alpha = rsd_stages_alpha(step->stages, step->h),
                                  .h = step->h,
                                  .tolerance = nw->o->newton_tolerance,
                                  .x = step->X,
                                  .weights = nw->ewt,
                                  .stages = step->stages->s};
    const int back = rsd_profile_enter(nw->guard->tally.profile, RSD_IN_ITERATION);
    int verdict = rsd_newton_solve(&nw->newton, &a);
    rsd_profile_leave(nw->guard->tally.profile, back);
    for (int i = 0; i < step->stages->s && !verdict; i++) set_stage_values(nw, i);
    return !verdict && is_step ? report_step(nw) : verdict;
}

/* Mark rows of constraints of positions and velocities, not of accelerations, and of invariants. */
static void set_held(rsd_fixed_newton *nw)
{
    const resida_problem *q = nw->past->problem;
    int holds = q->form && (q->form->level == RSD_POSITION || q->form->level == RSD_VELOCITY) && !q->form->rates;
    for (int i = 0; i < nw->n; i++)
        nw->held[i] = (holds && i >= q->layout.lam) || (q->layout.eta_k >= 0 && i >= q->layout.eta_k);
}

static resida_status create_newton(rsd_fixed_newton *nw, int stages, const resida_allocator *alloc)
{
    const rsd_newton_system system = {.ops = &equations,
                                      .self = nw,
                                      .rules =
                                          nw->o->newton_to_rounding ? &rsd_rules_to_rounding : &rsd_rules_of_fixed_size,
                                      .guard = nw->guard,
                                      .engine = nw->engine,
                                      .o = nw->o,
                                      .n = nw->n,
                                      .stages = stages};
    return rsd_newton_create(&nw->newton, &system, alloc);
}

resida_status rsd_fixed_newton_create(rsd_fixed_newton *nw, rsd_past *past, rsd_guard *guard, resida_jacobian *engine,
                                      int stages, const resida_allocator *alloc)
{
    const int n = past->n;
    *nw = (rsd_fixed_newton){.guard = guard, .engine = engine, .o = past->o, .past = past, .n = n};
    nw->held = rsd_calloc(alloc, n, sizeof *nw->held);
    if (!nw->held || !RSD_DOUBLES(alloc, (long)stages * n, &nw->Y, &nw->Yp) ||
        !RSD_DOUBLES(alloc, n, &nw->F, &nw->ewt, &nw->row, &nw->point))
        return RESIDA_ERR_MEMORY;
    set_held(nw);
    nw->matrix = (rsd_fixed_matrix){
        .alloc = *alloc, .n = n, .most = stages, .field = past->field, .held = nw->held, .kind = nw->o->linear_solver};
    RSD_TRY(create_newton(nw, stages, alloc));
    return rsd_scaling_create(&nw->matrix.scaling, nw->o, past->problem, stages, alloc);
}

void rsd_fixed_newton_reset(rsd_fixed_newton *nw)
{
    rsd_newton_forget(&nw->newton);
}
