/* ida_failure.c - words for IDA's return codes. */
#include "ida_failure.h"

#include "src/core/newton/singular.h"
#include "src/core/watch/signs.h"
#include "src/core/watch/tolerance.h"

#include <stdio.h>
#include <string.h>

#define SMALLER 0.1 /* of a tolerance: the atol that is suggested */
enum { ATOL_TEXT = RSD_BLAME_TEXT + 120 };

/* Codes that no model brings about, as far as is known; all others are internal errors with IDA's text. */
static const struct {
    int flag;
    resida_status status;
    const char *words;
} rare[] = {
    {IDA_REP_RES_ERR, RESIDA_ERR_USER_REPEATED, "the residual was refused at every step size"},
    {IDA_FIRST_RES_FAIL, RESIDA_ERR_USER_REPEATED, "the residual was refused at the start"},
    {IDA_MEM_FAIL, RESIDA_ERR_MEMORY, "no memory for the step"},
    {IDA_BAD_EWT, RESIDA_ERR_TOLERANCE, "an error weight is not positive: give each component an atol > 0"},
};

/* With a warning that is known. */
static resida_status step_failed(const rsd_ida_newton *nw, resida_status status)
{
    rsd_warn_again(nw->guard->warnings, nw->guard->message);
    return status;
}

/* In a system with algebraic equations: an atol for the last component that a failed attempt was lost by. Corrections
 * within a tolerance say nothing of F where F is far from linear within it. Else "". */
static void suggest_atol(const rsd_ida_newton *nw, char *text, size_t size)
{
    const rsd_blame *blame = &nw->newton.blame;
    const int i = blame->count > 0 ? blame->component[(blame->count - 1) % RSD_BLAMED] : -1;
    char name[RSD_BLAME_TEXT];
    text[0] = 0;
    if (i < 0 || !nw->newton.residual.has_algebraic) return;
    rsd_blame_name(nw->guard->problem, i, name, sizeof name);
    const double tolerance = 1 / nw->newton.w[i];
    snprintf(text, size, "is F far from linear within the tolerance of %s, %.2g? then try an atol of %.1g; ", name,
             tolerance, tolerance * SMALLER);
}

/* The step could not be solved: which of its causes was it? */
static resida_status newton_failed(const rsd_ida_failure *f, const rsd_ida_newton *nw, const resida_solver_options *o,
                                   double h)
{
    resida_message *why = nw->guard->message;
    char names[RSD_BLAME_TEXT], cause[RSD_CAUSE_TEXT], atol[ATOL_TEXT];
    RSD_TRY(rsd_guard_blame(nw->guard, f->t, h));
    if (rsd_jacobian_factors(nw->J)->singular_column) {
        const rsd_singular_at at = {.column = rsd_jacobian_factors(nw->J)->singular_column, .t = f->t, .h = h};
        return rsd_singular(rsd_jacobian_factors(nw->J)->linear, nw->guard->problem, &at, why);
    }
    rsd_blame_text(&nw->newton.blame, nw->guard->problem, names);
    rsd_likely_cause(nw->guard->problem, o, &(rsd_blamed_step){f->t, h, f->y}, cause);
    suggest_atol(nw, atol, sizeof atol);
    return rsd_fail(why, RESIDA_ERR_NEWTON,
                    "the Newton iteration did not converge for any step size down to %.3g at t = %.9g; "
                    "largest corrections: %s; %s%s",
                    h, f->t, names, atol, cause);
}

/* Which components the last error test was lost by. */
static resida_status error_test_failed(const rsd_ida_failure *f, const rsd_ida_newton *nw,
                                       const resida_solver_options *o, double h)
{
    char name[RSD_BLAME_TEXT] = "unknown", cause[RSD_CAUSE_TEXT];
    N_Vector error = rsd_pool_take(f->pool), weight = rsd_pool_take(f->pool);
    if (error && weight && IDAGetEstLocalErrors(nw->ida, error) == IDA_SUCCESS &&
        IDAGetErrWeights(nw->ida, weight) == IDA_SUCCESS) {
        double *w = rsd_vector_data(weight);
        for (int i = 0; i < nw->n; i++) w[i] *= f->tested[i];
        const int i = rsd_largest(nw->n, rsd_vector_data(error), w);
        rsd_blame_name(nw->guard->problem, i, name, sizeof name);
    }
    if (error) N_VDestroy(error);
    if (weight) N_VDestroy(weight);
    rsd_likely_cause(nw->guard->problem, o, &(rsd_blamed_step){f->t, h, f->y}, cause);
    return rsd_fail(nw->guard->message, RESIDA_ERR_ERROR_TEST,
                    "the error test failed at every step size down to %.3g at t = %.9g, by %s most; %s", h, f->t, name,
                    cause);
}

static resida_status rarely_failed(const rsd_ida_failure *f, resida_message *why)
{
    for (size_t i = 0; i < sizeof rare / sizeof *rare; i++)
        if (rare[i].flag == f->flag)
            return rsd_fail(why, rare[i].status, "%s, at t = %.9g%s%s", rare[i].words, f->t, f->text[0] ? ": " : "",
                            f->text);
    return rsd_fail(why, RESIDA_ERR_INTERNAL, "the step failed for a reason that is not known, at t = %.9g: %s", f->t,
                    f->text);
}

/* All steps that were tried end with a wrong sign. */
static resida_status has_wrong_sign(const rsd_ida_newton *nw, double t)
{
    const int i = nw->wrong_sign;
    return rsd_wrong_sign(nw->guard->problem, i, nw->o->sign_each[i], nw->wrong_y, t, " where any step ends",
                          nw->guard->message);
}

resida_status rsd_ida_explain(const rsd_ida_failure *f, const rsd_ida_newton *nw, const resida_solver_options *o)
{
    double h = 0;
    int i;
    resida_message *why = nw->guard->message;
    if (nw->guard->stop != RESIDA_OK) return nw->guard->stop;
    if (nw->ida) IDAGetCurrentStep(nw->ida, &h);
    if (f->flag == IDA_CONV_FAIL && nw->wrong_sign >= 0) return has_wrong_sign(nw, f->t);
    switch (f->flag) {
    case IDA_TOO_MUCH_WORK:
        return rsd_fail(why, RESIDA_ERR_LIMIT_STEPS, "budget of %ld steps spent at t = %.9g", o->max_steps, f->t);
    case IDA_TOO_MUCH_ACC:
        return rsd_fail(why, RESIDA_ERR_TOLERANCE, "tolerances are below the rounding of the solution at t = %.9g",
                        f->t);
    case IDA_ERR_FAIL:
        return step_failed(nw, error_test_failed(f, nw, o, h));
    case IDA_CONV_FAIL:
        return step_failed(nw, newton_failed(f, nw, o, h));
    case IDA_ILL_INPUT:
        i = rsd_without_tolerance(o, nw->n, f->y);
        if (i >= 0) return rsd_no_tolerance(nw->guard->problem, i, f->t, why);
    }
    return rarely_failed(f, why);
}

resida_status rsd_ida_step_is_too_small(const rsd_ida_newton *nw, double t, double h, long steps)
{
    char names[RSD_BLAME_TEXT], cause[RSD_CAUSE_TEXT], atol[ATOL_TEXT];
    if (nw->wrong_sign >= 0) return has_wrong_sign(nw, t);
    RSD_TRY(rsd_guard_blame(nw->guard, t, h));
    rsd_blame_text(&nw->newton.blame, nw->guard->problem, names);
    if (!names[0])
        rsd_blame_name(nw->guard->problem, rsd_largest(nw->n, nw->newton.delta, nw->newton.w), names, sizeof names);
    rsd_likely_cause(nw->guard->problem, nw->o, &(rsd_blamed_step){t, h, nw->y}, cause);
    suggest_atol(nw, atol, sizeof atol);
    rsd_fail(nw->guard->message, RESIDA_ERR_STEP_TOO_SMALL,
             "step size %g is below the rounding of t = %.17g, %ld step%s not move t; largest corrections: %s; "
             "%sdoes the solution end there? %s",
             h, t, steps, steps == 1 ? " does" : "s do", names, atol, cause);
    return step_failed(nw, RESIDA_ERR_STEP_TOO_SMALL);
}

resida_status rsd_ida_chatters(const rsd_ida_newton *nw, double t, double h, int component)
{
    char name[RSD_BLAME_TEXT];
    rsd_blame_name(nw->guard->problem, component, name, sizeof name);
    return rsd_fail(
        nw->guard->message, RESIDA_ERR_CHATTERING,
        "%s chatters at t = %.9g, in steps of %.3g: its derivative jumps to and fro; where a force jumps, as dry "
        "friction does, give a root function and let it stick, or smooth the jump",
        name, t, h);
}
