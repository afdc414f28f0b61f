/* fixed_inputs.c - corrects the state when constant inputs change between two calls, as in a control loop. Then y_n is
 * continuous, but y'_n and the multipliers jump. A method that uses them, or back values, would apply the old force
 * during part of the next step, which is an error of first order.
 *
 * To detect a change, the last F of the iteration is evaluated again at the beginning of the next call, at the same
 * point. If F contains differences of the constraints, whose increments follow the motion, F is another function after
 * the step. In this case F(t_n, y_n, y'_n) is evaluated at the end of the call and compared. If the two F differ in a
 * bit, or if inputs changed at the call before, F(t_n, y_n, y'_n) gives the size of the jump: y'_n of velocities and
 * states and the other components z_n are corrected at constant y_n with the matrix J of the last step:
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
#define INPUT_SLOW 0.1  /* convergence rate of corrections above which J is evaluated in the next step */
#define INPUT_LOST 0.7  /* rate above which h does not resolve the motion */
#define INPUT_DONE 1e-6 /* of the first correction: corrections below it end */

/* Return 1 if the method uses derivatives or values of earlier steps. */
static int carries(const rsd_fixed *it)
{
    return it->is_begun && it->past.count > 1 && (it->method->start || it->method->steps > 1);
}

static int evaluate_F_at_state(rsd_fixed *it, double t, const double *y, const double *yp, double *F)
{
    return rsd_guard_residual(it->base.guard, RSD_FOR_NEWTON, t, y, yp, F);
}

static int evaluate(rsd_fixed *it, double *F)
{
    return evaluate_F_at_state(it, rsd_integration_t(&it->base, it->t), it->past.y[0], it->past.yp, F);
}

int rsd_fixed_store_input_residual(rsd_fixed *it)
{
    if (it->is_F_known || it->inputs_move || !carries(it)) return 0;
    rsd_fixed_copy(it, it->y_F, it->past.y[0]);
    rsd_fixed_copy(it, it->yp_F, it->past.yp);
    it->t_F = rsd_integration_t(&it->base, it->t);
    const int verdict = evaluate(it, it->F);
    it->is_F_known = verdict == 0;
    return verdict < 0 ? verdict : 0;
}

/* Return 1 if F is bitwise equal to the saved F, 0 if not, < 0 on a fatal error. */
static int is_same_F(rsd_fixed *it, double *F)
{
    const int verdict = evaluate_F_at_state(it, it->t_F, it->y_F, it->yp_F, F);
    return verdict ? verdict < 0 ? verdict : 0 : memcmp(F, it->F, (size_t)it->base.n * sizeof *F) == 0;
}

/* Compute one correction from F. The jump is set in it->k. Return the norm of the correction. */
static double correct(rsd_fixed *it, const double *F)
{
    const rsd_stages *st = &it->stages;
    const double h = it->h_solved, d_p = st->d[RSD_FIELD_P][0][0] / h, d_v = st->d[RSD_FIELD_V][0][0] / h;
    double *jump = it->k, sum = 0;
    for (int i = 0; i < it->base.n; i++) jump[i] = -F[i];
    rsd_linear_solve(it->matrix.linear[it->matrix.s - 1], 1, jump);
    for (int i = 0; i < it->base.n; i++) {
        const unsigned char field = it->past.field[i];
        if (rsd_is_rate(field)) sum += jump[i] * jump[i] * it->ewt[i] * it->ewt[i];
        jump[i] *= field == RSD_FIELD_P ? d_v * d_p : rsd_is_rate(field) ? d_v : 1;
    }
    return sqrt(sum);
}

/* Request an evaluation of J, unless J was evaluated in the last step: then h is too long, not dF/dyp outdated. */
static void renew_J_for_inputs(rsd_fixed *it)
{
    if (it->renewed_at + 1 < it->steps) resida_jacobian_request(it->engine, RESIDA_REQUEST_EVALUATION);
    it->renewed_at = it->steps;
}

/* Return 1 if another correction would be negligible. rate is that of the last two corrections; 0: unknown. */
static int has_converged(const rsd_fixed *it, double norm, double rate, double first)
{
    const int is_small = !it->base.o->newton_to_rounding && rate / (1 - rate) * norm <= it->base.o->newton_tolerance;
    return norm <= INPUT_DONE * first || (rate > 0 && is_small);
}

/* Correct y'_n and z_n from F at t_n. is_certain: the inputs have changed. */
static int correct_derivatives(rsd_fixed *it, int is_certain, double *F)
{
    double first = 0, last = INFINITY;
    int verdict = 0;
    rsd_error_weights(it->base.o, it->base.n, it->past.y[0], it->ewt);
    for (int m = 0; m < INPUT_CORRECTIONS && !verdict; m++) {
        const double norm = correct(it, F), rate = norm / last;
        if (m == 0) first = norm;
        if (m == 0 && !is_certain && !it->base.o->newton_to_rounding && norm <= it->base.o->newton_tolerance) {
            it->inputs_move = 0;
            return 0;
        }
        it->inputs_move = 1;
        it->step_from = it->t; /* the last step can no longer be interpolated */
        if (m == 1 && rate > INPUT_SLOW) renew_J_for_inputs(it);
        if (m > 0 && !(rate < INPUT_LOST)) break;
        rsd_past_apply_jump(&it->past, it->k);
        if (has_converged(it, norm, rate, first)) break;
        last = norm;
        verdict = evaluate(it, F);
    }
    rsd_fixed_copy(it, it->base.yp, it->past.yp);
    rsd_fixed_copy(it, it->base.y, it->past.y[0]);
    return verdict < 0 ? verdict : 0;
}

int rsd_fixed_correct_for_inputs(rsd_fixed *it)
{
    const int is_compared = it->is_F_known && !it->inputs_move;
    double *F = it->held_F;
    if (!carries(it) || it->base.reached != it->t) return 0;
    if (it->stages.s > 1) return 0; /* start-up by Radau IIA: it uses no derivatives, its back values are kept */
    int verdict = is_compared ? is_same_F(it, F) : 0;
    if (verdict) return verdict < 0 ? verdict : 0;
    verdict = evaluate(it, F);
    return verdict ? verdict < 0 ? verdict : 0 : correct_derivatives(it, is_compared, F);
}
