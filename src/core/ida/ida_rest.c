/* ida_rest.c - see ida_rest.h. */
#include "ida_rest.h"

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
static double place(rsd_ida_newton *nw)
{
    resida_problem *q = nw->guard->problem;
    const resida_jacobian_point *a = &nw->attempt.at;
    const int n = 3 * q->layout.n_u;
    const double *u;
    double at = fmod(RSD_GOLDEN, 1), most = 0;
    if (n == 0 || rsd_problem_inputs(q, a->t, nw->inputs)) return at;
    const double looks = REST_LOOKS * a->h / fmax(nw->from + a->h, nw->way);
    for (int k = 1; k <= looks; k++) {
        const double part = fmod(RSD_GOLDEN * k, 1);
        if (rsd_problem_excitation(q, rsd_ida_t(nw, nw->from + part * a->h), &u)) return part;
        const double differs = difference(n, u, nw->inputs);
        if (differs > most) most = differs, at = part;
    }
    return at;
}

/* No component that the error test counts moves in the step. */
static int is_at_rest(const rsd_ida_newton *nw, const resida_jacobian_point *a)
{
    for (int i = 0; i < nw->n; i++)
        if (rsd_jump_counts(nw->kinds[i]) && (fabs(a->h * nw->yp0[i] * a->weights[i]) > REST_MOTION ||
                                              fabs(nw->attempt.x[i] * a->weights[i]) > REST_CORRECTION))
            return 0;
    return 1;
}

int rsd_ida_rest_look(rsd_ida_newton *nw)
{
    const resida_jacobian_point *a = &nw->attempt.at;
    double *F = nw->newton.delta; /* which is of no use any more */
    if (!is_at_rest(nw, a)) return 0;
    const double t = rsd_ida_t(nw, nw->from + place(nw) * a->h);
    int verdict = rsd_guard_residual(nw->guard, RSD_FOR_NEWTON, t, nw->y, nw->yp, F);
    if (!verdict) {
        rsd_linear_solve(rsd_jacobian_factors(nw->J)->linear, 1, F);
        verdict = rsd_jump_size(nw->n, nw->kinds, NULL, F, a->weights) > REST_ACTS;
    }
    if (verdict) rsd_growth_end(&nw->growth, 0);
    return verdict;
}
