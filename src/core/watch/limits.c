/* limits.c - see limits.h. */
#include "limits.h"

#include <math.h>

#include "tolerance.h"

/* The tolerance of a component is tight if its error weight exceeds its smallest weight so far by this factor. */
#define TIGHT_RATIO 1e3

resida_status rsd_limits_create(rsd_limits *l, const resida_problem *problem, const resida_solver_options *o,
                                const resida_allocator *alloc)
{
    const int n = problem->layout.n;
    *l = (rsd_limits){.n = n, .solved = -1};
    l->of = rsd_calloc(alloc, n, sizeof *l->of);
    if (!l->of || !RSD_DOUBLES(alloc, n, &l->tested, &l->min_weight, &l->open)) return RESIDA_ERR_MEMORY;
    for (int i = 0; i < n; i++) l->of[i].component = i;
    rsd_select_tested(o, problem, l->tested);
    return RESIDA_OK;
}

void rsd_limits_set_error(rsd_limits *l, const double *e, const double *weights)
{
    double max = -1;
    l->solved = -1;
    for (int i = 0; i < l->n; i++) {
        const double part = fabs(e[i] * weights[i]);
        if (l->tested[i] > 0 && part > max) max = part, l->solved = i;
        if (l->min_weight[i] == 0 || weights[i] < l->min_weight[i]) l->min_weight[i] = weights[i];
        if (weights[i] > TIGHT_RATIO * l->min_weight[i]) continue;
        l->of[i].tight_steps += (long)l->open[i];
        l->open[i] = 0;
    }
    l->is_tight = l->solved >= 0 && weights[l->solved] > TIGHT_RATIO * l->min_weight[l->solved];
}

void rsd_limits_count_test(rsd_limits *l, long fails)
{
    const int has_failed = fails > l->fails;
    if (l->solved >= 0 && !has_failed) l->open[l->solved] += l->is_tight;
    if (l->solved >= 0) ++*(has_failed ? &l->of[l->solved].error_test_fails : &l->of[l->solved].steps);
    l->solved = -1;
    l->fails = fails;
}

void rsd_limits_count_newton(rsd_limits *l, int component)
{
    l->of[component].newton_fails++;
}

static long count_limited_steps(const resida_limit *x)
{
    return x->steps + x->error_test_fails + x->newton_fails;
}

/* Sort the components by insertion. Components with equal counts keep the order of the unknowns. */
void rsd_limits_report(const rsd_limits *l, resida_stats *stats)
{
    int n = 0;
    for (const resida_limit *x = l->of; x < l->of + l->n; x++) {
        int at = n;
        while (at > 0 && count_limited_steps(&stats->limits[at - 1]) < count_limited_steps(x)) at--;
        if (count_limited_steps(x) == 0 || at == RESIDA_LIMITS) continue;
        if (n < RESIDA_LIMITS) n++;
        for (int k = n - 1; k > at; k--) stats->limits[k] = stats->limits[k - 1];
        stats->limits[at] = *x;
    }
    stats->n_limits = n;
}
