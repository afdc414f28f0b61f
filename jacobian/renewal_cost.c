/* renewal_cost.c - see renewal.h: decides which renewal is cheaper than an outdated J. */
#include "renewal.h"

#include "tuning.h"

#include <math.h>

#define TOO_MANY (RSD_USUAL_ITERATIONS + 1) /* predicted number of iterations if it exceeds RSD_USUAL_ITERATIONS */

double rsd_renewal_get_rate_of_level(const rsd_renewal *r, int level)
{
    const double alpha_ratio = r->attempt.at.alpha / r->alpha_J;
    if (level == RSD_FACTORS) return fabs(1 - alpha_ratio) / (1 + alpha_ratio);
    return r->costs.can_age[level] ? r->cost.slope[level] * fabs(r->attempt.at.since - r->cost.t[level]) : 0;
}

double rsd_renewal_predict_rate(const rsd_renewal *r, rsd_renewal_level renewed)
{
    double rate = r->cost.rho_0;
    for (int level = (int)renewed + 1; level < RSD_LEVELS; level++) rate += rsd_renewal_get_rate_of_level(r, level);
    return rate;
}

/* --- Which renewal costs less than it avoids --- */

/* One iteration is enough if rate/(1 - rate) times the norm is at most predicted_share of the tolerance. Otherwise
 * iterations are added until the estimated error is within the tolerance. */
double rsd_renewal_predict_iterations(const rsd_renewal *r, double rate, double first)
{
    if (rate >= RSD_WORST_RATE) return TOO_MANY;
    double left = rate / (1 - rate) * first;
    if (left <= r->predicted_share * r->attempt.tolerance) return 1;
    int m = 1;
    do left *= rate, m++;
    while (!(left <= r->attempt.tolerance) && m < TOO_MANY); /* NaN: the predicted iteration diverges */
    return m;
}

/* Predict the number of iterations for each choice of renewed levels. iterations[k], k = 0 .. RSD_LEVELS, is the number
 * if the first k levels are renewed. parts[level] is the contribution of a level to the rate. */
static void predict_iterations_of_levels(const rsd_renewal *r, const double *parts, double *iterations)
{
    for (int k = 0; k <= RSD_LEVELS; k++) {
        double rate = r->cost.rho_0;
        for (int level = k; level < RSD_LEVELS; level++) rate += parts[level];
        iterations[k] = k > 0 && iterations[k - 1] == 1 ? 1 : rsd_renewal_predict_iterations(r, rate, r->cost.first);
    }
}

/* Return the cost of the iterations that a renewal up to `level` avoids in addition to those that a renewal up to the
 * previous level avoids. New factors are used while alpha stays the same. The cost for factors is therefore multiplied
 * by the mean number of attempts between two changes of alpha. */
static double get_avoided_cost(const rsd_renewal *r, const double *iterations, int level)
{
    return (iterations[level] - iterations[level + 1]) * r->costs.iteration *
           (level == RSD_FACTORS ? r->cost.mean_run : 1);
}

/* Return 1 if the level of J is outdated and its renewal costs nothing. Such a level is always renewed. */
static int is_renewal_free(const rsd_renewal *r, int level)
{
    const int is_outdated = level == RSD_FACTORS ? r->attempt.at.alpha != r->alpha_J : r->costs.can_age[level];
    return r->costs.renewal[level] <= 0 && is_outdated;
}

/* A level is renewed if two conditions are satisfied. The iterations that the level avoids cost more than its renewal
 * in addition to that of the previous level. The iterations that all levels up to the level avoid cost more than their
 * renewal. A level is also renewed if the iteration is predicted to converge only after its renewal. */
rsd_renewal_level rsd_renewal_choose_level(const rsd_renewal *r)
{
    rsd_renewal_level pays_now = RSD_NOTHING_NEW;
    double all = 0, before = 0, parts[RSD_LEVELS], iterations[RSD_LEVELS + 1];
    for (int level = 0; level < RSD_LEVELS; level++) parts[level] = rsd_renewal_get_rate_of_level(r, level);
    predict_iterations_of_levels(r, parts, iterations);
    for (int level = 0; level < RSD_LEVELS; level++) {
        const double cost = r->costs.renewal[level];
        const double own = r->cost.cost[level] / RSD_SHARE + get_avoided_cost(r, iterations, level);
        all += own;
        const int pays = own > cost - before && all > cost;
        const int is_needed = iterations[level] >= TOO_MANY && iterations[level + 1] < TOO_MANY;
        if (is_renewal_free(r, level) || (parts[level] > 0 && (pays || is_needed))) pays_now = (rsd_renewal_level)level;
        before = cost;
    }
    return pays_now;
}
