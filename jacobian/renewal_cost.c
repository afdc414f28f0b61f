/* renewal_cost.c - see renewal.h: accumulates the costs of an outdated J, and decides which renewal is cheaper than
 * keeping J. */
#include "renewal.h"

#include "tuning.h"

#include <math.h>

/* Until a rate is measured, rho_0 is the rate that IDA assumes after a setup. */
void rsd_renewal_cost_init(rsd_renewal_cost *c)
{
    *c = (rsd_renewal_cost){.mean_run = 1 / RSD_LATEST_RUN,
                            .rho_0 = RSD_FACTOR_AFTER_SETUP / (1 + RSD_FACTOR_AFTER_SETUP),
                            .slope_decay = {RSD_STAYS, RSD_STAYS, RSD_STAYS},
                            .t = {NAN, NAN, NAN}};
}

void rsd_renewal_cost_begin(rsd_renewal *r, int is_other_alpha)
{
    rsd_renewal_cost *c = &r->cost;
    for (int level = 0; level < RSD_LEVELS; level++)
        if (isnan(c->t[level])) c->t[level] = r->attempt.at.since;
    if (is_other_alpha) {
        c->mean_run += RSD_LATEST_RUN * (c->run - c->mean_run);
        c->run = 0;
    }
    c->run++;
}

#define DIVERGES (RSD_USUAL_ITERATIONS + 1) /* iterations of an attempt that is predicted to diverge */

static double rate_of_level(const rsd_renewal *r, int level)
{
    const double alpha_ratio = r->attempt.at.alpha / r->alpha;
    if (level == RSD_FACTORS) return fabs(1 - alpha_ratio) / (1 + alpha_ratio);
    return r->costs.can_age[level] ? r->cost.slope[level] * fabs(r->attempt.at.since - r->cost.t[level]) : 0;
}

rsd_update_level rsd_renewal_get_renewed_level(const rsd_renewal *r)
{
    const rsd_setup_facts *setup = &r->setup;
    if (setup->is_evaluated) return RSD_DFDY;
    return setup->has_new_blocks ? RSD_BLOCKS : setup->is_factored ? RSD_FACTORS : RSD_NOTHING_NEW;
}

double rsd_renewal_predict_rate(const rsd_renewal *r, rsd_update_level renewed)
{
    double rate = r->cost.rho_0;
    for (int level = (int)renewed + 1; level < RSD_LEVELS; level++) rate += rate_of_level(r, level);
    return rate;
}

/* --- Which renewal pays --- */

/* Return the predicted number of iterations of an attempt whose first correction has the norm `first`. One iteration is
 * enough if rate/(1 - rate) times that norm is at most predicted_share of the tolerance. Otherwise iterations are added
 * until the estimated error is within the tolerance. Return DIVERGES if more than RSD_USUAL_ITERATIONS are needed. */
static double predicted_iterations(const rsd_renewal *r, double rate, double first)
{
    if (rate >= RSD_WORST_RATE) return DIVERGES;
    double left = rate / (1 - rate) * first;
    if (left <= r->predicted_share * r->attempt.tolerance) return 1;
    int m = 1;
    do left *= rate, m++;
    while (!(left <= r->attempt.tolerance) && m < DIVERGES); /* NaN: diverges */
    return m;
}

/* Set iterations [RSD_LEVELS + 1]; element k is the prediction if the first k levels are new. parts [RSD_LEVELS] is the
 * part of each level in the rate. */
static void predict_levels(const rsd_renewal *r, const double *parts, double *iterations)
{
    for (int k = 0; k <= RSD_LEVELS; k++) {
        double rate = r->cost.rho_0;
        for (int level = k; level < RSD_LEVELS; level++) rate += parts[level];
        iterations[k] = k > 0 && iterations[k - 1] == 1 ? 1 : predicted_iterations(r, rate, r->cost.first);
    }
}

/* Return the cost of the iterations that a renewal of this level avoids and a renewal of the level before it does not.
 * New factors are used while alpha stays the same. Their cost is therefore multiplied by the mean number of attempts
 * between two changes of alpha. */
static double avoided_cost(const rsd_renewal *r, const double *iterations, int level)
{
    return (iterations[level] - iterations[level + 1]) * r->costs.iteration *
           (level == RSD_FACTORS ? r->cost.mean_run : 1);
}

/* Return 1 if the level is outdated and its renewal costs nothing. Such a level is always renewed. */
static int is_free(const rsd_renewal *r, int level)
{
    const int is_outdated = level == RSD_FACTORS ? r->attempt.at.alpha != r->alpha : r->costs.can_age[level];
    return r->costs.renewal[level] <= 0 && is_outdated;
}

/* A level is renewed if two conditions are satisfied: it avoids more than its extra cost over the level before, and all
 * levels up to it avoid more than their total cost. A level is also renewed if the iteration is predicted to diverge
 * without it and to converge with it. */
rsd_update_level rsd_renewal_choose_level(const rsd_renewal *r)
{
    rsd_update_level pays_now = RSD_NOTHING_NEW;
    double all = 0, before = 0, parts[RSD_LEVELS], iterations[RSD_LEVELS + 1];
    for (int level = 0; level < RSD_LEVELS; level++) parts[level] = rate_of_level(r, level);
    predict_levels(r, parts, iterations);
    for (int level = 0; level < RSD_LEVELS; level++) {
        const double cost = r->costs.renewal[level];
        const double own = r->cost.cost[level] / RSD_SHARE + avoided_cost(r, iterations, level);
        all += own;
        const int pays = own > cost - before && all > cost;
        const int is_needed = iterations[level] >= DIVERGES && iterations[level + 1] < DIVERGES;
        if (is_free(r, level) || (parts[level] > 0 && (pays || is_needed))) pays_now = (rsd_update_level)level;
        before = cost;
    }
    return pays_now;
}

int rsd_renewal_is_complete(const rsd_renewal *r)
{
    int whole = RSD_DFDY;
    while (whole > RSD_FACTORS && !r->costs.can_age[whole]) whole--;
    return (int)rsd_renewal_get_renewed_level(r) >= whole;
}

/* --- Learning --- */

/* A slope that causes renewals cannot be measured, and it may have become smaller. Therefore each renewal reduces the
 * slope, until an attempt without renewal is made. If such an attempt fails, the decay factor is replaced by its square
 * root, so that the next such attempt follows after twice as many renewals. */
void rsd_renewal_cost_mark_renewed(rsd_renewal *r)
{
    rsd_renewal_cost *c = &r->cost;
    for (int level = 0; level <= (int)rsd_renewal_get_renewed_level(r); level++) {
        c->cost[level] = 0;
        c->t[level] = r->attempt.at.since;
        c->rt[level] *= c->slope_decay[level];
        c->slope[level] *= c->slope_decay[level];
    }
}

static void fit_slope(rsd_renewal *r, int level, double rate)
{
    rsd_renewal_cost *c = &r->cost;
    const double age = fabs(r->attempt.at.since - c->t[level]);
    c->slope_decay[level] = rate >= RSD_WORST_RATE ? sqrt(c->slope_decay[level]) : RSD_STAYS;
    c->rt[level] = RSD_PAST * c->rt[level] + rate * age;
    c->tt[level] = RSD_PAST * c->tt[level] + age * age;
    if (c->tt[level] > 0) c->slope[level] = fmax(c->rt[level] / c->tt[level], 0);
}

void rsd_renewal_cost_record_rate(rsd_renewal *r, double rate)
{
    rsd_renewal_cost *c = &r->cost;
    const rsd_update_level renewed = rsd_renewal_get_renewed_level(r);
    const int is_complete = rsd_renewal_is_complete(r);
    if (renewed < RSD_FACTORS) rate = fmax(rate - rate_of_level(r, RSD_FACTORS), 0);
    if (is_complete || rate < c->rho_0) c->rho_0 = rate;
    if (is_complete) return;
    const int are_old = renewed < RSD_BLOCKS && r->costs.can_age[RSD_BLOCKS];
    const double old = rate - c->rho_0, of_dFdy = rate_of_level(r, RSD_DFDY);
    if (!are_old || old < of_dFdy) fit_slope(r, RSD_DFDY, old);
    if (are_old) fit_slope(r, RSD_BLOCKS, old - of_dFdy);
}

/* Two kinds of iterations are not charged. The first are iterations that only a pessimistic prediction caused, that is,
 * iterations that the measured rate did not require. The second are those due to rho_0, which no renewal would
 * avoid. */
void rsd_renewal_cost_charge(rsd_renewal *r, double rate, double first)
{
    int wasted = r->wasted_iterations;
    if (first > 0) r->cost.first = first;
    if (wasted == 0) return;
    if (rate > 0) wasted = (int)fmin(wasted, predicted_iterations(r, rate, first) - 1);
    const rsd_update_level renewed = rsd_renewal_get_renewed_level(r);
    const double expected = rsd_renewal_predict_rate(r, renewed);
    for (int level = (int)renewed + 1; level < RSD_LEVELS && expected > 0; level++)
        r->cost.cost[level] += wasted * r->costs.iteration * rate_of_level(r, level) / expected;
}
