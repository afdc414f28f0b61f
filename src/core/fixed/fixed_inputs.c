/* fixed_inputs.c - inputs that are held and change between two calls, as in a control loop. y_n is continuous, y'_n and
 * the multipliers jump; a method that carries them, or values of before, would take the old force for a part of the
 * next step, an error of first order.
 *
 * While inputs stay, the last F of the iteration is evaluated again, at its point, at the beginning of the next call.
 * Where F has differences of the constraints, whose increments follow the motion, it is another function after the
 * step: F(t_n, y_n, y'_n) is then evaluated at the end of the call, too. If the two differ in a bit, or inputs have
 * moved at the call before, F(t_n, y_n, y'_n) shows by how much: y'_n of velocities and states and the rest z_n are
 * corrected at a fixed y_n by the matrix J of the step, which is at hand:
 *
 *     J delta = -F,    y'_n += d/h delta,    z_n += delta,    and p''_n by d_v d_p/h^2 delta of positions.
 *
 * In rows of constraints F is 0: G delta_p = 0, and so is G times the jump of accelerations. J differs from the matrix
 * of accelerations by h C + h^2 K: corrections converge where h resolves the motion, and are given up elsewhere. If the
 * first one is within the tolerance of the iteration inputs stay, unless a bit said otherwise. */
#include "fixed.h"

#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

enum { INPUT_CORRECTIONS = 8 };
#define INPUT_SLOW 0.1  /* of corrections: from here on J is renewed in the next step */
#define INPUT_LOST 0.7  /* h does not resolve what they are about */
#define INPUT_DONE 1e-6 /* of the first correction: no more of them */

/* Does the method carry derivatives, or values, from step to step? */
static int carries(const rsd_fixed *it)
{
    return it->is_begun && it->past.count > 1 && (it->method->start || it->method->steps > 1);
}

static int evaluate_at(rsd_fixed *it, double t, const double *y, const double *yp, double *F)
{
    return rsd_guard_residual(it->base.guard, RSD_FOR_NEWTON, t, y, yp, F);
}

static int evaluate(rsd_fixed *it, double *F)
{
    return evaluate_at(it, rsd_integration_t(&it->base, it->t), it->past.y[0], it->past.yp, F);
}

int rsd_fixed_note_inputs(rsd_fixed *it)
{
    if (it->is_F_known || it->inputs_move || !carries(it)) return 0;
    rsd_fixed_copy(it, it->y_F, it->past.y[0]);
    rsd_fixed_copy(it, it->yp_F, it->past.yp);
    it->t_F = rsd_integration_t(&it->base, it->t);
    const int verdict = evaluate(it, it->F);
    it->is_F_known = verdict == 0;
    return verdict < 0 ? verdict : 0;
}

/* 1: F is the same as before, to the last bit. < 0: stop. */
static int is_same_F(rsd_fixed *it, double *F)
{
    const int verdict = evaluate_at(it, it->t_F, it->y_F, it->yp_F, F);
    return verdict ? verdict < 0 ? verdict : 0 : memcmp(F, it->F, (size_t)it->base.n * sizeof *F) == 0;
}

/* One correction, from F; into it->k the jump. @return its norm */
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

/* dF/dyp of J is outdated, unless it was evaluated in the last step: then it is h that is too long. */
static void renew_J(rsd_fixed *it)
{
    if (it->renewed_at + 1 < it->steps) resida_jacobian_request(it->engine, RESIDA_REQUEST_EVALUATION);
    it->renewed_at = it->steps;
}

/* 1: another correction would change nothing that counts. rate: of the last two corrections; 0: not known. */
static int has_converged(const rsd_fixed *it, double norm, double rate, double first)
{
    const int is_small = !it->base.o->newton_to_rounding && rate / (1 - rate) * norm <= it->base.o->newton_tolerance;
    return norm <= INPUT_DONE * first || (rate > 0 && is_small);
}

/* Correct y'_n and z_n from F there. is_certain: inputs have moved. */
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
        it->step_from = it->t; /* the last step is over: what was within it is not known any more */
        if (m == 1 && rate > INPUT_SLOW) renew_J(it);
        if (m > 0 && !(rate < INPUT_LOST)) break;
        rsd_past_jump(&it->past, it->k);
        if (has_converged(it, norm, rate, first)) break;
        last = norm;
        verdict = evaluate(it, F);
    }
    rsd_fixed_copy(it, it->base.yp, it->past.yp);
    rsd_fixed_copy(it, it->base.y, it->past.y[0]);
    return verdict < 0 ? verdict : 0;
}

int rsd_fixed_take_inputs(rsd_fixed *it)
{
    const int is_compared = it->is_F_known && !it->inputs_move;
    double *F = it->held_F;
    if (!carries(it) || it->base.reached != it->t) return 0;
    if (it->stages.s > 1) return 0; /* of a start-up by Radau IIA, which carries nothing: a few back values stay */
    int verdict = is_compared ? is_same_F(it, F) : 0;
    if (verdict) return verdict < 0 ? verdict : 0;
    verdict = evaluate(it, F);
    return verdict ? verdict < 0 ? verdict : 0 : correct_derivatives(it, is_compared, F);
}
