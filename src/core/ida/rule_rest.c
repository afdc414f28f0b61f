/* rule_rest.c - detects forces that act only within a step. A model at rest has no errors, and IDA doubles its steps. A
 * step may then pass a temporary force, or all steps may end at zeros of a periodic excitation. While no component
 * moves, F is therefore evaluated once more within each step. F is evaluated at the time within the step at which the
 * excitations differ most from their values at the end. Forces that act much shorter than a step may be missed. Cost:
 * O(n); at rest a residual call and calls of the excitation. */
#include "ida_impl.h"

#include "base/numbers.h"

#include <math.h>

#define REST_MOTION      1e-2 /* maximum change of y in a step at rest, in tolerances */
#define MIN_FORCE_EFFECT 0.1 /* minimum change of y, in tolerances, by a force within the step that shortens the step */

enum {
    MAX_INPUT_CALLS = 1500
}; /* maximum calls of the excitation in a run, to detect forces that act for 1/1000 of it */

/* Return the sum of the relative differences of excitations u [n] from `end` [n], their values at the step end. */
static double compute_input_difference(int n, const double *u, const double *end)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        if (u[i] != end[i]) sum += fabs(u[i] - end[i]) / (fabs(u[i]) + fabs(end[i]));
    return sum;
}

/* Return the point at which F is evaluated, as a part of the step. If an excitation cannot be evaluated at a point of
 * the step, return that point, where F cannot be evaluated either. */
static double choose_evaluation_point(rsd_ida *ida)
{
    resida_problem *q = ida->base.guard->problem;
    const resida_jacobian_point *a = &ida->attempt.at;
    const int n = 3 * q->layout.n_u;
    const double *u;
    double at = fmod(RSD_GOLDEN, 1), max = 0;
    if (n == 0 || rsd_problem_copy_excitation(q, a->t, ida->inputs)) return at;
    const double evaluations = MAX_INPUT_CALLS * a->h / fmax(ida->from + a->h, ida->time_to_end);
    for (int k = 1; k <= evaluations; k++) {
        const double part = fmod(RSD_GOLDEN * k, 1);
        if (rsd_problem_eval_excitation(q, rsd_integration_t(&ida->base, ida->from + part * a->h), &u)) return part;
        const double differs = compute_input_difference(n, u, ida->inputs);
        if (differs > max) max = differs, at = part;
    }
    return at;
}

/* Return 1 if no component in the error test changes by more than REST_MOTION tolerances in the step. */
static int is_at_rest(const rsd_ida *ida, const resida_jacobian_point *a)
{
    for (int i = 0; i < ida->base.n; i++)
        if (rsd_is_tested(ida->base.problem->kinds[i]) && (fabs(a->h * ida->yp0[i] * a->weights[i]) > REST_MOTION ||
                                                           fabs(ida->attempt.x[i] * a->weights[i]) > REST_MOTION))
            return 0;
    return 1;
}

int rsd_rest_check_attempt(rsd_ida *ida)
{
    const resida_jacobian_point *a = &ida->attempt.at;
    double *F = ida->newton.delta; /* the array newton.delta is free at the end of a step */
    if (!is_at_rest(ida, a)) return 0;
    const double t = rsd_integration_t(&ida->base, ida->from + choose_evaluation_point(ida) * a->h);
    int verdict = rsd_guard_eval_part(ida->base.guard, RSD_FOR_NEWTON, RSD_ROWS_ALL, t, ida->y, ida->yp, F);
    if (!verdict) {
        rsd_jacobian_solve(ida->newton.system.engine, ida->newton.renewal->alpha_J, F, F);
        verdict = rsd_ida_compute_norm(ida, NULL, F) > MIN_FORCE_EFFECT;
    }
    if (verdict) ida->has_converged = 0;
    return verdict;
}
