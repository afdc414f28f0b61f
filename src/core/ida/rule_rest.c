/* rule_rest.c - a model at rest has no errors, and IDA doubles its steps: one of them passes what acts for a while
 * alone, or ends whenever a periodic excitation is zero. So, while nothing moves, F is evaluated once more within each
 * step, at a place that is no simple part of it, where the excitations differ most from those at its end. What acts for
 * much less than a step may still be missed. Cost: O(n); at rest a residual call, and some of the excitation. */
#include "ida_rules.h"

#include "base/numbers.h"

#include <math.h>

#define REST_CORRECTION 1e-2 /* tolerances: what rounding makes of a zero of an excitation is less */
#define REST_MOTION     1e-2 /* tolerances: what y' makes of y in the step */
#define REST_ACTS       0.1  /* tolerances: by which what F is within the step would move y */

enum { REST_LOOKS = 1500 }; /* at the excitations, over the run: what acts for 1/1000 of it is seen */

/* By how much excitations u [n] differ from those at the end: parts of their sizes. */
static double difference(int n, const double *u, const double *end)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        if (u[i] != end[i]) sum += fabs(u[i] - end[i]) / (fabs(u[i]) + fabs(end[i]));
    return sum;
}

/* Where to look, a part of the step. An excitation that fails fails in F there, too. */
static double place(rsd_ida *it)
{
    resida_problem *q = it->base.guard->problem;
    const resida_jacobian_point *a = &it->attempt.at;
    const int n = 3 * q->layout.n_u;
    const double *u;
    double at = fmod(RSD_GOLDEN, 1), most = 0;
    if (n == 0 || rsd_problem_inputs(q, a->t, it->inputs)) return at;
    const double looks = REST_LOOKS * a->h / fmax(it->from + a->h, it->way_to_end);
    for (int k = 1; k <= looks; k++) {
        const double part = fmod(RSD_GOLDEN * k, 1);
        if (rsd_problem_excitation(q, rsd_integration_t(&it->base, it->from + part * a->h), &u)) return part;
        const double differs = difference(n, u, it->inputs);
        if (differs > most) most = differs, at = part;
    }
    return at;
}

/* No component that the error test counts moves in the step. */
static int is_at_rest(const rsd_ida *it, const resida_jacobian_point *a)
{
    for (int i = 0; i < it->base.n; i++)
        if (rsd_is_tested(it->base.problem->kinds[i]) && (fabs(a->h * it->yp0[i] * a->weights[i]) > REST_MOTION ||
                                                          fabs(it->attempt.x[i] * a->weights[i]) > REST_CORRECTION))
            return 0;
    return 1;
}

int rsd_rest_check(rsd_ida *it)
{
    const resida_jacobian_point *a = &it->attempt.at;
    double *F = it->newton.delta; /* which is of no use any more */
    if (!is_at_rest(it, a)) return 0;
    const double t = rsd_integration_t(&it->base, it->from + place(it) * a->h);
    int verdict = rsd_guard_residual(it->base.guard, RSD_FOR_NEWTON, t, it->y, it->yp, F);
    if (!verdict) {
        rsd_linear_solve(it->linear, 1, F);
        verdict = rsd_ida_size(it, NULL, F) > REST_ACTS;
    }
    if (verdict) rsd_growth_end(&it->growth, 0);
    return verdict;
}
