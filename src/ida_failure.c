/* ida_failure.c - words for IDA's return codes. */
#include "ida_failure.h"

#include "singular.h"
#include "tolerance.h"

/* The step could not be solved: which of its causes was it? */
static resida_status newton_failed(const rsd_newton *nw, double t, double h)
{
    resida_message *why = nw->guard->message;
    RSD_TRY(rsd_guard_blame(nw->guard, t, h));
    if (nw->singular_column) {
        const rsd_singular_at at = {.column = nw->singular_column, .t = t, .h = h};
        return rsd_singular(nw->linear, nw->guard->problem, &at, why);
    }
    return rsd_fail(why, RESIDA_ERR_NEWTON,
                    "the Newton iteration did not converge for any step size down to %.3g at t = %.9g", h, t);
}

resida_status rsd_ida_explain(const rsd_ida_failure *f, const rsd_newton *nw, const resida_solver_options *o)
{
    double h = 0;
    int i;
    resida_message *why = nw->guard->message;
    if (nw->guard->stop != RESIDA_OK) return nw->guard->stop;
    IDAGetCurrentStep(nw->ida, &h);
    switch (f->flag) {
    case IDA_TOO_MUCH_WORK:
        return rsd_fail(why, RESIDA_ERR_LIMIT_STEPS, "budget of %ld steps spent at t = %.9g", o->max_steps, f->t);
    case IDA_TOO_MUCH_ACC:
        return rsd_fail(why, RESIDA_ERR_TOLERANCE, "tolerances are below the rounding of the solution at t = %.9g",
                        f->t);
    case IDA_ERR_FAIL:
        return rsd_fail(why, RESIDA_ERR_ERROR_TEST,
                        "the error test failed at every step size down to %.3g at t = %.9g (a discontinuity?)", h,
                        f->t);
    case IDA_CONV_FAIL:
        return newton_failed(nw, f->t, h);
    case IDA_ILL_INPUT:
        i = rsd_without_tolerance(o, nw->n, f->y);
        if (i >= 0) return rsd_no_tolerance(nw->guard->problem, i, f->t, why);
    }
    return rsd_fail(why, RESIDA_ERR_INTERNAL, "IDA failed with %d at t = %.9g: %s", f->flag, f->t, f->text);
}
