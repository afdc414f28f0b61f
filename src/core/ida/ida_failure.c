/* ida_failure.c - messages for IDA's return codes. */
#include "ida_impl.h"

#include "src/core/newton/singular.h"
#include "src/core/watch/signs.h"
#include "src/core/watch/tolerance.h"

#include <string.h>

#define ATOL_RATIO 0.1 /* suggested atol, relative to the current tolerance */

/* If a warning about the model was stored earlier, insert the warning into the message. Return `status`. */
static resida_status insert_model_warning(const rsd_ida *ida, resida_status status)
{
    rsd_insert_warning(ida->base.guard->warnings, ida->base.guard->message);
    return status;
}

/* Append a smaller tolerance for the component that dominated the last failed attempt, in systems with algebraic
 * unknowns of index 1 only. If an algebraic equation is nonlinear within a tolerance, a correction below the tolerance
 * does not imply a small F. */
static void suggest_tolerance(const rsd_ida *ida, resida_message *why)
{
    const rsd_blame *blame = &ida->newton.blame;
    const int i = blame->count > 0 ? blame->component[(blame->count - 1) % RSD_BLAMED] : -1;
    char name[RSD_BLAME_TEXT];
    if (i < 0 || !ida->newton.residual.has_algebraic) return;
    rsd_format_component(ida->base.problem, i, name, sizeof name);
    const double tolerance = 1 / ida->newton.w[i], atol = tolerance * ATOL_RATIO;
    rsd_message_append(why, "; F may be nonlinear within the tolerance of %s, %.2g: try ", name, tolerance);
    if (atol < ida->base.o->atol_each[i] / 2)
        rsd_message_append(why, "an atol of %.1g", atol);
    else
        rsd_message_append(why, "a smaller rtol"); /* the tolerance is rtol |y| */
}

/* Report the cause of a convergence failure in a step of size h to t. Return the status of the failure. */
static resida_status report_newton_error(const rsd_ida *ida, double t, double h)
{
    resida_message *why = ida->base.guard->message;
    char names[RSD_BLAME_TEXT], cause[RSD_CAUSE_TEXT];
    RSD_TRY(rsd_guard_report_cause(ida->base.guard, t, h));
    if (ida->newton.factors->singular_column) {
        const rsd_singular_at at = {.column = ida->newton.factors->singular_column, .t = t, .h = h};
        return rsd_report_singular_matrix(ida->newton.factors->linear, ida->base.problem, &at, why);
    }
    rsd_blame_text(&ida->newton.blame, ida->base.problem, names);
    rsd_likely_cause(ida->base.problem, ida->base.o, &(rsd_blamed_step){t, h, ida->base.y}, cause);
    rsd_fail(why, RESIDA_ERR_NEWTON, "the Newton iteration did not converge for any step size down to %.3g at t = %.9g",
             h, t);
    if (names[0]) rsd_message_append(why, "; largest corrections: %s", names);
    suggest_tolerance(ida, why);
    rsd_message_append(why, "; %s", cause);
    return RESIDA_ERR_NEWTON;
}

/* Report the component that dominated the last error test failure. */
static resida_status report_error_test_failure(const rsd_ida *ida, double t, double h)
{
    char name[RSD_BLAME_TEXT] = "unknown", cause[RSD_CAUSE_TEXT];
    if (IDAGetEstLocalErrors(ida->mem, ida->work) == IDA_SUCCESS &&
        IDAGetErrWeights(ida->mem, ida->weights) == IDA_SUCCESS) {
        double *w = rsd_get_components(ida->weights);
        for (int i = 0; i < ida->base.n; i++) w[i] *= rsd_get_components(ida->id)[i];
        const int i = rsd_find_max_component(ida->base.n, rsd_get_components(ida->work), w);
        rsd_format_component(ida->base.problem, i, name, sizeof name);
    }
    rsd_likely_cause(ida->base.problem, ida->base.o, &(rsd_blamed_step){t, h, ida->base.y}, cause);
    return rsd_fail(ida->base.guard->message, RESIDA_ERR_ERROR_TEST,
                    "the error test failed at every step size down to %.3g at t = %.9g, mainly because of %s; %s", h, t,
                    name, cause);
}

/* Report that every attempt at the step ended with a wrong sign of a component (option sign_each). */
static resida_status report_sign_failure(const rsd_ida *ida, double t)
{
    const int i = ida->signs.wrong;
    return rsd_report_wrong_sign(ida->base.problem, i, ida->base.o->sign_each[i], ida->signs.wrong_value, t,
                                 " at the end of every step", ida->base.guard->message);
}

resida_status rsd_ida_report_failure(const rsd_ida *ida, int flag, double t)
{
    resida_message *why = ida->base.guard->message;
    if (ida->base.guard->stop != RESIDA_OK) return ida->base.guard->stop;
    const double h = ida->mem ? rsd_ida_get_steps(ida).h : 0;
    if (flag == IDA_CONV_FAIL && ida->signs.wrong >= 0) return report_sign_failure(ida, t);
    switch (flag) {
    case IDA_TOO_MUCH_WORK:
        return rsd_fail(why, RESIDA_ERR_LIMIT_STEPS, "budget of %ld steps spent at t = %.9g", ida->base.o->max_steps,
                        t);
    case IDA_TOO_MUCH_ACC:
        return rsd_fail(why, RESIDA_ERR_TOLERANCE, "tolerances are below the rounding of the solution at t = %.9g", t);
    case IDA_ERR_FAIL:
        return insert_model_warning(ida, report_error_test_failure(ida, t, h));
    case IDA_CONV_FAIL:
        return insert_model_warning(ida, report_newton_error(ida, t, h));
    case IDA_ILL_INPUT:
        RSD_TRY(rsd_check_tolerances(ida->base.o, ida->base.problem, t, ida->base.y, why));
    }
    return rsd_fail(why, RESIDA_ERR_INTERNAL, "the step failed for an unknown reason at t = %.9g: %s", t,
                    ida->ida_text);
}

resida_status rsd_ida_report_small_step(const rsd_ida *ida, double t, double h, long steps)
{
    resida_message *why = ida->base.guard->message;
    char names[RSD_BLAME_TEXT], cause[RSD_CAUSE_TEXT];
    if (ida->signs.wrong >= 0) return report_sign_failure(ida, t);
    RSD_TRY(rsd_guard_report_cause(ida->base.guard, t, h));
    rsd_blame_text(&ida->newton.blame, ida->base.problem, names);
    if (!names[0])
        rsd_format_component(ida->base.problem, rsd_find_max_component(ida->base.n, ida->newton.delta, ida->newton.w),
                             names, sizeof names);
    rsd_likely_cause(ida->base.problem, ida->base.o, &(rsd_blamed_step){t, h, ida->y}, cause);
    rsd_fail(why, RESIDA_ERR_STEP_TOO_SMALL,
             "step size %g is below the rounding of t = %.17g, %ld step%s not change t; largest corrections: %s", h, t,
             steps, steps == 1 ? " does" : "s do", names);
    suggest_tolerance(ida, why);
    rsd_message_append(why, "; the solution may end there; %s", cause);
    return insert_model_warning(ida, RESIDA_ERR_STEP_TOO_SMALL);
}

resida_status rsd_ida_report_chatter(const rsd_ida *ida, double t, double h, int component)
{
    char name[RSD_BLAME_TEXT];
    rsd_format_component(ida->base.problem, component, name, sizeof name);
    return rsd_fail(ida->base.guard->message, RESIDA_ERR_CHATTERING,
                    "%s chatters at t = %.9g, in steps of %.3g: its derivative changes sign in each step; if a force "
                    "jumps there, as in dry friction, give a root function and a mode that sticks, or smooth the jump",
                    name, t, h);
}
