/* renewal_cost.c - see renewal.h: decides which renewal is cheaper than an outdated J. */
#include "renewal.h"

#include "tuning.h"

#include <math.h>

#define TOO_MANY (RSD_USUAL_ITERATIONS + 1) /* predicted number of iterations if it exceeds RSD_USUAL_ITERATIONS */

double rsd_renewal_get_rate_of_level(const rsd_renewal *r, int level)
{
    const double alpha_ratio = r->attempt.at.alpha / r->alpha_J;
    if (level == RSD_FACTORS) return fabs(1 - alpha_ratio) / (1 + alpha_ratio);
    return r->costs.can_age[level] ? r->model.slope[level] * fabs(r->attempt.at.since - r->model.t_renewed[level]) : 0;
}

double rsd_renewal_predict_rate(const rsd_renewal *r, rsd_renewal_level renewed)
{
    double rate = r->model.rho_0;
    if (renewed < RSD_FACTORS) rate += rsd_renewal_get_rate_of_level(r, RSD_FACTORS);
    if (renewed < RSD_BLOCKS) rate += rsd_renewal_get_rate_of_level(r, RSD_BLOCKS);
    return renewed < RSD_DFDY ? rate + rsd_renewal_get_rate_of_level(r, RSD_DFDY) : rate;
}

/* --- Which renewal costs less than it avoids --- */

/* One iteration is enough if rate/(1 - rate) times the norm is at most predicted_share of the tolerance. Otherwise
 * iterations are added until the estimated error is within the tolerance. */
double rsd_renewal_predict_iterations(const rsd_renewal *r, double rate, double first)
{
    if (rate >= RSD_WORST_RATE) return TOO_MANY;
    double left = rate / (1 - rate) * first;
    if (left <= RSD_PREDICTED_SHARE * r->attempt.tolerance) return 1;
    int m = 1;
    do left *= rate, m++;
    while (!(left <= r->attempt.tolerance) && m < TOO_MANY); /* NaN: the predicted iteration diverges */
    return m;
}

/* Return the predicted number of iterations if the levels up to `renewed` are new. */
static double predict_iterations_with(const rsd_renewal *r, rsd_renewal_level renewed)
{
    return rsd_renewal_predict_iterations(r, rsd_renewal_predict_rate(r, renewed), r->model.first_norm);
}

/* Return 1 if the level of J is outdated and its renewal costs nothing. Such a level is always renewed. */
static int is_renewal_free(const rsd_renewal *r, int level)
{
    const int is_outdated = level == RSD_FACTORS ? r->attempt.at.alpha != r->alpha_J : r->costs.can_age[level];
    return r->costs.renewal[level] <= 0 && is_outdated;
}

/* A level is renewed if two conditions are satisfied. The iterations that the level avoids cost more than its renewal
 * in addition to that of the previous level. The iterations that all levels up to the level avoid cost more than their
 * renewal. New factors are used while alpha stays the same; the iterations that they avoid are therefore multiplied by
 * the mean number of attempts between two changes of alpha. A level is also renewed if the iteration is predicted to
 * converge only after its renewal. */
rsd_renewal_level rsd_renewal_choose_level(const rsd_renewal *r)
{
    const rsd_rate_model *m = &r->model;
    rsd_renewal_level chosen = RSD_NOTHING_NEW;
    double all = 0, before = 0, without = predict_iterations_with(r, RSD_NOTHING_NEW);
    if (without == 1 && m->charge[RSD_FACTORS] + m->charge[RSD_BLOCKS] + m->charge[RSD_DFDY] <
                            RSD_SHARE * r->costs.renewal[RSD_FACTORS])
        return RSD_NOTHING_NEW;
    for (int level = 0; level < RSD_LEVELS; level++) {
        const double cost = r->costs.renewal[level];
        const double with = without == 1 ? 1 : predict_iterations_with(r, (rsd_renewal_level)level);
        const double avoided = (without - with) * r->costs.iteration * (level == RSD_FACTORS ? m->mean_attempts : 1);
        const double own = m->charge[level] / RSD_SHARE + avoided;
        all += own;
        const int pays = (own > cost - before && all > cost) || (without >= TOO_MANY && with < TOO_MANY);
        if (is_renewal_free(r, level) || (pays && rsd_renewal_get_rate_of_level(r, level) > 0))
            chosen = (rsd_renewal_level)level;
        before = cost;
        without = with;
    }
    return chosen;
}
