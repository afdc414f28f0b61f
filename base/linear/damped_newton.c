/* damped_newton.c - see damped_newton.h. */
#include "damped_newton.h"

#include <math.h>

#define RESTRICTION      0.25  /* the test requires |dx'| <= (1 - RESTRICTION lambda) |dx| [Deuflhard] */
#define MIN_LAMBDA_RATIO 1e-4  /* minimum damping factor, relative to the largest one at which F can be evaluated */
#define MIN_LAMBDA       1e-15 /* minimum damping factor; smaller changes of x are rounding errors */
#define MIN_GROWTH       4.0   /* minimum growth of the predicted lambda; saves 16 of 40 iterations in a stiff model */
#define MAX_NONLINEARITY 1e-4  /* maximum of |dx' - (1 - lambda) dx|/(lambda |dx|) at which F is taken as linear */
#define MIN_REDUCTION    0.5   /* maximum of (reduced lambda)/lambda */
#define MAX_REDUCTION    0.1   /* minimum of (reduced lambda)/lambda; the formula assumes a quadratic F */

/** Norms of the corrections, and the damping factor, of the last iteration. */
typedef struct history {
    double dx, dx_next, lambda; /* |dx|, |dx'| and lambda of damped_newton.h; lambda is 0 before the first iteration */
} history;

/* Predict lambda from the last iteration, at most `max_lambda`. The prediction is too small if the direction of the
 * correction changes. Therefore lambda grows at least by the factor MIN_GROWTH. If this lambda is rejected, the attempt
 * costs less than the iteration that a smaller lambda would add. */
static double predict_lambda(const rsd_damped_iteration *it, const history *last, double norm, double max_lambda)
{
    if (it->is_untested || !(last->lambda > 0)) return max_lambda;
    const double change = it->equations->norm(it->self, 1, -1) * norm;
    const double lambda = last->dx * last->dx_next * last->lambda / change;
    return fmin(max_lambda, fmax(lambda, MIN_GROWTH * last->lambda));
}

/* Return the reduced lambda after `lambda` has failed the monotonicity test (see the formula in damped_newton.h). */
static double reduce_lambda(const rsd_damped_iteration *it, double norm, double lambda)
{
    const double by = lambda * norm / (2 * it->equations->norm(it->self, 1, lambda - 1));
    return lambda * fmax(MAX_REDUCTION, fmin(by, MIN_REDUCTION));
}

/* Return 1 if F is nearly linear from x to x + lambda dx. lambda then needs no maximum below 1. */
static int is_F_linear_along_step(const rsd_damped_iteration *it, double norm, double lambda)
{
    return !it->is_untested && it->equations->norm(it->self, 1, lambda - 1) <= MAX_NONLINEARITY * lambda * norm;
}

/* Find a lambda that passes the test, and accept x + lambda dx. Return RSD_DAMPED_SOLVED on success; otherwise the
 * reason of the failure, and x is unchanged. */
static rsd_damped_end search_lambda(rsd_damped_iteration *it, history *last, double norm, double max_lambda)
{
    const rsd_damped_equations *e = it->equations;
    double lambda = predict_lambda(it, last, norm, max_lambda), min = 0;
    rsd_damped_end end = RSD_DAMPED_NO_DESCENT;
    while (lambda >= fmax(min, MIN_LAMBDA)) {
        it->verdict = e->attempt(it->self, lambda);
        if (it->verdict < 0) return RSD_DAMPED_STOPPED;
        end = it->verdict ? RSD_DAMPED_NOT_EVALUABLE : RSD_DAMPED_NO_DESCENT;
        const double next = it->verdict ? INFINITY : e->norm(it->self, 1, 0);
        if (next <= (1 - RESTRICTION * lambda) * norm || (it->is_untested && !it->verdict)) {
            if (lambda < 1 && lambda >= max_lambda && is_F_linear_along_step(it, norm, lambda)) {
                lambda = max_lambda = 1;
                continue;
            }
            it->verdict = e->accept(it->self);
            *last = (history){norm, next, lambda};
            return it->verdict < 0 ? RSD_DAMPED_STOPPED : it->verdict ? RSD_DAMPED_NOT_EVALUABLE : RSD_DAMPED_SOLVED;
        }
        if (!it->verdict) min = fmax(min, MIN_LAMBDA_RATIO * lambda);
        lambda = it->verdict ? lambda * MIN_REDUCTION : reduce_lambda(it, norm, lambda);
    }
    return end;
}

rsd_damped_end rsd_damped_iterate(rsd_damped_iteration *it)
{
    const rsd_damped_equations *e = it->equations;
    history last = {.lambda = 0};
    it->verdict = 0;
    for (it->iterations = 0; it->iterations < it->max_iterations; it->iterations++) {
        double max_lambda = 1;
        it->verdict = e->correct(it->self, &max_lambda);
        if (it->verdict < 0) return RSD_DAMPED_STOPPED;
        if (it->verdict) return it->verdict == RSD_IS_SOLVED ? RSD_DAMPED_SOLVED : RSD_DAMPED_SINGULAR;
        const double norm = e->norm(it->self, 0, 1);
        const int can_move = norm > 0 && isfinite(norm);
        const rsd_damped_end end = can_move ? search_lambda(it, &last, norm, max_lambda) : RSD_DAMPED_NO_DESCENT;
        if (end == RSD_DAMPED_STOPPED) return end;
        it->verdict = e->is_solved(it->self, end == RSD_DAMPED_SOLVED);
        if (it->verdict < 0) return RSD_DAMPED_STOPPED;
        if (it->verdict > 0) return RSD_DAMPED_SOLVED;
        if (end != RSD_DAMPED_SOLVED) return end;
    }
    return RSD_DAMPED_LIMIT;
}
