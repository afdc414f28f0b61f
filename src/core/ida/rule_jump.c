/* rule_jump.c - handles steps whose iteration converges, but that fail IDA's error test at every size or should not be
 * accepted. The integration restarts at the last accepted state, at order 1 with the current J. There are two cases:
 *
 * - The step is shorter than a tenth of the previous one, and its end is predicted neither by the history nor by y_n +
 *   h y'_n, with the last state and its derivatives. IDA's error estimate, |e| h/(h + h_last), is valid for smooth
 *   motion only, and accepts any correction in such a short step: a body left a wall with 0.016 of its 0.1 m/s. If y_n
 *   + h y'_n predicts the end, the motion turns sharply, and the history remains useful.
 * - The correction does not depend on the step size. Then the last state was accepted with a constraint violation, and
 *   the state is corrected. */
#include "ida_impl.h"

#include "base/vector_ops.h"

#include <math.h>
#include <string.h>

#define MIN_CORRECTION     2.0   /* minimum correction that is examined, in tolerances; in first steps it can be 1 */
#define MAX_FORECAST_ERROR 0.3   /* maximum error of y_n + h y'_n, relative to e; 0.14 at turns, 1 at contacts */
#define SHORT_STEP_RATIO   0.1   /* steps that are shorter, relative to the last step, are examined */
#define MAX_OFF            100.0 /* maximum correction of a state, in tolerances; forces cause larger ones */
#define MAX_MOTION         0.3   /* maximum |h y'|, relative to a correction that is caused by an error of the state */
#define MAX_DIFFERENCE     0.1   /* maximum relative difference of two corrections that count as equal */

resida_status rsd_jump_create(rsd_jump *x, int n, const resida_allocator *alloc)
{
    *x = (rsd_jump){.is_state_wrong = 0};
    rsd_jump_reset(x);
    return RSD_DOUBLES(alloc, n, &x->e, &x->y, &x->yp, &x->y_end, &x->yp_end) ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

void rsd_jump_reset(rsd_jump *x)
{
    x->h = x->h_e = 0;
    x->is_state_wrong = 0;
    x->from = x->t_corrected = INFINITY;
    x->max_correction = MAX_OFF;
}

void rsd_jump_reduce_tolerances(rsd_jump *x, double factor)
{
    x->max_correction = fmax(x->max_correction * factor, MAX_OFF);
}

double rsd_ida_compute_norm(const rsd_ida *ida, const double *tested, const double *x)
{
    const resida_kind *kinds = ida->base.problem->kinds;
    const double *w = ida->attempt.at.weights;
    double sum = 0;
    int n_tested = 0;
    for (int i = 0; i < ida->base.n; i++) {
        const double part = rsd_is_tested(kinds[i]) ? 1 : tested ? tested[i] : 0, size = part * x[i] * w[i];
        sum += size * size;
        n_tested += part > 0;
    }
    return n_tested ? sqrt(sum / n_tested) : 0;
}

/* Return the norm of the difference between the correction of the attempt and the last examined correction. */
static double compute_correction_change(const rsd_ida *ida)
{
    const rsd_jump *x = &ida->jump;
    double *d = ida->newton.before;
    for (int i = 0; i < ida->base.n; i++) d[i] = ida->attempt.x[i] - x->e[i];
    return rsd_ida_compute_norm(ida, NULL, d);
}

/* Return the norm of y_{n+1} - y_n - h y'_n, the error of the prediction from y_n and y'_n of the last accepted state.
 * tested: see rsd_ida_compute_norm(). */
static double compute_prediction_error(const rsd_ida *ida, const double *tested)
{
    const rsd_jump *x = &ida->jump;
    const double h = copysign(ida->attempt.at.h, ida->attempt.at.alpha), *e = ida->attempt.x;
    double *d = ida->newton.before;
    for (int i = 0; i < ida->base.n; i++) d[i] = ida->y0[i] + e[i] - x->y[i] - h * x->yp[i];
    return rsd_ida_compute_norm(ida, tested, d);
}

/* Return 1 if the correction of norm `size` is caused by an error of the last accepted state. An earlier, longer
 * attempt from the same point then had the same correction, and h y' is much smaller. */
static int is_due_to_initial_state(const rsd_ida *ida, double size)
{
    const rsd_jump *x = &ida->jump;
    const double h = ida->attempt.at.h;
    if (fabs(ida->from - x->from) > RSD_SAME_PLACE * h || !(h < x->h_e) || size > x->max_correction) return 0;
    if (ida->from == x->t_corrected) return 0;
    return h * rsd_ida_compute_norm(ida, NULL, ida->yp0) < MAX_MOTION * size &&
           compute_correction_change(ida) < MAX_DIFFERENCE * size;
}

/* Unless the attempt is a retry, the end of the last converged attempt becomes the last accepted state. */
void rsd_jump_begin_attempt(rsd_ida *ida)
{
    rsd_jump *x = &ida->jump;
    double *y = x->y, *yp = x->yp;
    const double t = x->t;
    if (ida->attempt.is_retry) return;
    x->t = x->t_end, x->t_end = t;
    x->y = x->y_end, x->y_end = y;
    x->yp = x->yp_end, x->yp_end = yp;
}

const double *rsd_jump_get_derivatives(const rsd_jump *x, double t, double h)
{
    if (fabs(x->t_end - t) < RSD_SAME_PLACE * h) return x->yp_end;
    return fabs(x->t - t) < RSD_SAME_PLACE * h ? x->yp : NULL;
}

/* Detect a false prediction or a wrong last state in a converged attempt. Return RSD_NLS_STOP for a restart, else 0. */
int rsd_jump_check_attempt(rsd_ida *ida)
{
    rsd_jump *x = &ida->jump;
    const rsd_attempt *a = &ida->attempt;
    rsd_vector_correct(ida->base.n, ida->y0, ida->yp0, a->x, a->at.alpha, x->y_end, x->yp_end);
    x->t_end = ida->from + a->at.h;
    /* without a step, h_last is a step before the restart */
    const int is_cut = ida->steps.number > 0 && a->at.h < SHORT_STEP_RATIO * ida->steps.h_last;
    if (!a->is_retry && !is_cut) return 0;
    const double *tested = ida->base.problem->contacts.given.n > 0 ? rsd_get_components(ida->id) : NULL;
    const double size = rsd_ida_compute_norm(ida, tested, a->x), own = rsd_ida_compute_norm(ida, NULL, a->x);
    if (size <= MIN_CORRECTION) return 0;
    x->is_state_wrong = own > MIN_CORRECTION && is_due_to_initial_state(ida, own);
    if (x->is_state_wrong || (is_cut && compute_prediction_error(ida, tested) > MAX_FORECAST_ERROR * size))
        x->h = a->at.h;
    memcpy(x->e, a->x, (size_t)ida->base.n * sizeof *x->e);
    x->from = ida->from;
    x->h_e = a->at.h;
    return x->h > 0 ? RSD_NLS_STOP : 0;
}

void rsd_jump_correct_state(rsd_ida *ida)
{
    rsd_jump *x = &ida->jump;
    for (int i = 0; i < ida->base.n && x->is_state_wrong; i++)
        if (rsd_is_tested(ida->base.problem->kinds[i])) ida->base.y[i] += x->e[i];
    if (x->is_state_wrong) x->t_corrected = x->from, x->max_correction = MAX_OFF;
    x->h = x->h_e = 0;
    x->is_state_wrong = 0;
}
