/* fixed_inputs.c - corrects the state when constant inputs change between two calls, as in a control loop. Then y_n is
 * continuous, but y'_n and the multipliers jump. A method that uses y'_n, multipliers or back values would apply the
 * old force during part of the next step. This is an error of first order.
 *
 * To detect a change, the last F of the iteration is evaluated again at the beginning of the next call, at the same
 * point. If F contains differences of the constraints, their increments change after the step, and F changes with them.
 * In this case F(t_n, y_n, y'_n) is evaluated at the end of the call and compared. If the two F differ in a bit, or if
 * inputs changed at the call before, the jump is computed from F = F(t_n, y_n, y'_n). The positions, velocities and
 * states of y_n stay constant. y'_n of velocities and states and the other components z_n are corrected with the matrix
 * J of the last step:
 *
 *     J delta = -F,    y'_n += d/h delta,    z_n += delta,    and p''_n by d_v d_p/h^2 delta of positions.
 *
 * In constraint rows F is 0, therefore G delta_p = 0, and G times the jump of accelerations is 0. J differs from the
 * matrix of accelerations by h C + h^2 K. The corrections converge if h resolves the motion, and are abandoned
 * otherwise. If the first correction is within the tolerance of the iteration and no bit differed, the inputs are
 * unchanged. */
#include "fixed.h"

#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

enum { INPUT_CORRECTIONS = 8 };
#define INPUT_SLOW 0.1  /* convergence rate above which the next step evaluates J */
#define INPUT_LOST 0.7  /* convergence rate at which corrections are abandoned, because h is too large */
#define INPUT_DONE 1e-6 /* maximum last correction, relative to the first one */

/* Return 1 if the next step uses derivatives or back values of earlier steps. */
static int uses_history(const rsd_fixed *fixed)
{
    return fixed->is_begun && fixed->past.count > 1 && (fixed->method->start || fixed->method->steps > 1);
}

/* Evaluate F(t_n, y_n, y'_n) into F [n]. Return the value of rsd_guard_eval_part(). */
static int evaluate(rsd_fixed *fixed, double *F)
{
    const double t = rsd_integration_t(&fixed->base, fixed->t);
    return rsd_guard_eval_part(fixed->base.guard, RSD_FOR_NEWTON, RSD_ROWS_ALL, t, fixed->past.y[0], fixed->past.yp, F);
}

int rsd_fixed_store_input_residual(rsd_fixed *fixed)
{
    if (fixed->is_F_known || fixed->inputs_changed || !uses_history(fixed)) return 0;
    rsd_fixed_copy(fixed, fixed->y_F, fixed->past.y[0]);
    rsd_fixed_copy(fixed, fixed->yp_F, fixed->past.yp);
    fixed->t_F = rsd_integration_t(&fixed->base, fixed->t);
    const int verdict = evaluate(fixed, fixed->F);
    fixed->is_F_known = verdict == 0;
    return verdict < 0 ? verdict : 0;
}

/* Evaluate F [n] at the saved point. Return 1 if no bit of F has changed, 0 otherwise, < 0 on a fatal error. */
static int is_same_F(rsd_fixed *fixed, double *F)
{
    const int verdict =
        rsd_guard_eval_part(fixed->base.guard, RSD_FOR_NEWTON, RSD_ROWS_ALL, fixed->t_F, fixed->y_F, fixed->yp_F, F);
    return verdict ? verdict < 0 ? verdict : 0 : memcmp(F, fixed->F, (size_t)fixed->base.n * sizeof *F) == 0;
}

/* Compute the Newton correction delta for the residual F, and from delta the jump of derivatives and multipliers,
 * fixed->k. Return the weighted norm of delta over velocities and states. */
static double correct(rsd_fixed *fixed, const double *F)
{
    const rsd_stages *st = &fixed->stages;
    const double h = fixed->h_solved, d_p = st->d[RSD_FIELD_P][0][0] / h, d_v = st->d[RSD_FIELD_V][0][0] / h;
    double *jump = fixed->k, sum = 0;
    for (int i = 0; i < fixed->base.n; i++) jump[i] = -F[i];
    rsd_linear_solve(fixed->matrix.system[fixed->matrix.s - 1].linear, jump);
    for (int i = 0; i < fixed->base.n; i++) {
        const unsigned char field = fixed->past.field[i];
        if (rsd_is_rate(field)) sum += jump[i] * jump[i] * fixed->ewt[i] * fixed->ewt[i];
        jump[i] *= field == RSD_FIELD_P ? d_v * d_p : rsd_is_rate(field) ? d_v : 1;
    }
    return sqrt(sum);
}

/* Request an evaluation of J in the next step, because corrections converge slowly. If the last step has already
 * evaluated J because of slow corrections, the step size is the cause, and no evaluation is requested. */
static void renew_J_for_inputs(rsd_fixed *fixed)
{
    if (fixed->renewed_at + 1 < fixed->steps) resida_jacobian_request(fixed->engine, RESIDA_REQUEST_EVALUATION);
    fixed->renewed_at = fixed->steps;
}

/* Return 1 if another correction would be negligible. norm and first are the norms of the last and the first
 * correction. rate is the ratio of the norms of the last two corrections, or 0 after the first correction. */
static int has_converged(const rsd_fixed *fixed, double norm, double rate, double first)
{
    const int is_small =
        !fixed->base.o->newton_to_rounding && rate / (1 - rate) * norm <= fixed->base.o->newton_tolerance;
    return norm <= INPUT_DONE * first || (rate > 0 && is_small);
}

/* Correct y'_n and z_n by Newton corrections, with F = F(t_n, y_n, y'_n). is_certain: 1 if the inputs are known to have
 * changed. Return 0, or < 0 on a fatal error. */
static int correct_derivatives(rsd_fixed *fixed, int is_certain, double *F)
{
    double first = 0, last = INFINITY;
    int verdict = 0;
    rsd_error_weights(fixed->base.o, fixed->base.n, fixed->past.y[0], fixed->ewt);
    for (int m = 0; m < INPUT_CORRECTIONS && !verdict; m++) {
        const double norm = correct(fixed, F), rate = norm / last;
        if (m == 0) first = norm;
        if (m == 0 && !is_certain && !fixed->base.o->newton_to_rounding && norm <= fixed->base.o->newton_tolerance) {
            fixed->inputs_changed = 0;
            return 0;
        }
        fixed->inputs_changed = 1;
        fixed->step_from = fixed->t; /* the last step cannot be interpolated after the correction */
        if (m == 1 && rate > INPUT_SLOW) renew_J_for_inputs(fixed);
        if (m > 0 && !(rate < INPUT_LOST)) break;
        rsd_past_apply_jump(&fixed->past, fixed->k);
        if (has_converged(fixed, norm, rate, first)) break;
        last = norm;
        verdict = evaluate(fixed, F);
    }
    rsd_fixed_copy(fixed, fixed->base.yp, fixed->past.yp);
    rsd_fixed_copy(fixed, fixed->base.y, fixed->past.y[0]);
    return verdict < 0 ? verdict : 0;
}

int rsd_fixed_correct_for_inputs(rsd_fixed *fixed)
{
    const int is_compared = fixed->is_F_known && !fixed->inputs_changed;
    double *F = fixed->held_F;
    if (!uses_history(fixed) || fixed->base.reached != fixed->t) return 0;
    if (fixed->stages.s > 1) return 0; /* start-up by Radau IIA uses no derivatives and keeps its back values */
    int verdict = is_compared ? is_same_F(fixed, F) : 0;
    if (verdict) return verdict < 0 ? verdict : 0;
    verdict = evaluate(fixed, F);
    return verdict ? verdict < 0 ? verdict : 0 : correct_derivatives(fixed, is_compared, F);
}
