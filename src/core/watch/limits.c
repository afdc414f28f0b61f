/* limits.c - see limits.h. */
#include "limits.h"

#include <math.h>

#include "tolerance.h"

#define TIGHT 1e3 /* of the least weight so far: near zero, of a component that is large elsewhere */

resida_status rsd_limits_create(rsd_limits *l, const resida_problem *problem, const resida_solver_options *o,
                                const resida_allocator *alloc)
{
    const int n = problem->layout.n;
    *l = (rsd_limits){.n = n, .solved = -1};
    l->steps = rsd_calloc(alloc, n, sizeof *l->steps);
    l->error_test_fails = rsd_calloc(alloc, n, sizeof *l->error_test_fails);
    l->newton_fails = rsd_calloc(alloc, n, sizeof *l->newton_fails);
    l->tight_steps = rsd_calloc(alloc, n, sizeof *l->tight_steps);
    l->open = rsd_calloc(alloc, n, sizeof *l->open);
    if (!l->steps || !l->error_test_fails || !l->newton_fails || !l->tight_steps || !l->open ||
        !RSD_DOUBLES(alloc, n, &l->tested, &l->least_weight))
        return RESIDA_ERR_MEMORY;
    rsd_error_test(o, problem, l->tested);
    return RESIDA_OK;
}

void rsd_limits_solved(rsd_limits *l, const double *e, const double *weights)
{
    double most = -1;
    l->solved = -1;
    for (int i = 0; i < l->n; i++) {
        const double part = fabs(e[i] * weights[i]);
        if (l->tested[i] > 0 && part > most) most = part, l->solved = i;
        if (l->least_weight[i] == 0 || weights[i] < l->least_weight[i]) l->least_weight[i] = weights[i];
        if (l->open[i] > 0 && weights[i] <= TIGHT * l->least_weight[i]) {
            l->tight_steps[i] += l->open[i];
            l->open[i] = 0;
        }
    }
    l->is_tight = l->solved >= 0 && weights[l->solved] > TIGHT * l->least_weight[l->solved];
}

void rsd_limits_judged(rsd_limits *l, long fails)
{
    const int has_failed = fails > l->fails;
    if (l->solved >= 0 && !has_failed) l->open[l->solved] += l->is_tight;
    if (l->solved >= 0) (has_failed ? l->error_test_fails : l->steps)[l->solved]++;
    l->solved = -1;
    l->fails = fails;
}

void rsd_limits_newton(rsd_limits *l, int component)
{
    l->newton_fails[component]++;
}

static long limited_by(const rsd_limits *l, int i)
{
    return l->steps[i] + l->error_test_fails[i] + l->newton_fails[i];
}

/* Does a come before b? Equal ones in the order of the unknowns. */
static int is_before(const rsd_limits *l, int a, int b)
{
    const long of_a = limited_by(l, a), of_b = limited_by(l, b);
    return of_a > of_b || (of_a == of_b && a < b);
}

void rsd_limits_tell(const rsd_limits *l, resida_stats *stats)
{
    stats->n_limits = 0;
    for (int rank = 0, last = -1; rank < RESIDA_LIMITS; rank++) {
        int next = -1;
        for (int i = 0; i < l->n; i++)
            if (limited_by(l, i) > 0 && (last < 0 || is_before(l, last, i)) && (next < 0 || is_before(l, i, next)))
                next = i;
        if (next < 0) return;
        stats->limits[stats->n_limits++] = (resida_limit){next, l->steps[next], l->tight_steps[next],
                                                          l->error_test_fails[next], l->newton_fails[next]};
        last = next;
    }
}
