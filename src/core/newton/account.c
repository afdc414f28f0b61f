/* account.c - see account.h. */
#include "account.h"

#include "tuning.h"

#include <math.h>

/* The rate of a new J is IDA's value, until one is measured. */
void rsd_account_init(rsd_account *a)
{
    *a = (rsd_account){.mean_run = RSD_FIRST_RUN,
                       .rho_0 = RSD_FACTOR_AFTER_SETUP / (1 + RSD_FACTOR_AFTER_SETUP),
                       .stays = {RSD_STAYS, RSD_STAYS, RSD_STAYS},
                       .t = {NAN, NAN, NAN}};
}

void rsd_account_begin(rsd_account *a, double t, int is_other_alpha)
{
    for (int level = 0; level < RSD_LEVELS; level++)
        if (isnan(a->t[level])) a->t[level] = t;
    if (is_other_alpha) {
        a->mean_run += RSD_LATEST_RUN * (a->run - a->mean_run);
        a->run = 0;
    }
    a->run++;
}

enum { DIVERGES = RSD_USUAL_ITERATIONS + 1 }; /* iterations */

static double rate_of_level(const rsd_account *a, const rsd_renewal_inputs *in, int level)
{
    if (level == RSD_FACTORS) return fabs(1 - in->alpha_ratio) / (1 + in->alpha_ratio);
    return in->costs.has[level] ? a->slope[level] * fabs(in->t - a->t[level]) : 0;
}

double rsd_account_expected_rate(const rsd_account *a, const rsd_renewal_inputs *in, rsd_update_level renewed)
{
    double rate = a->rho_0;
    for (int level = (int)renewed + 1; level < RSD_LEVELS; level++) rate += rate_of_level(a, in, level);
    return rate;
}

/* --- Which renewal pays --- */

/* Iterations of an attempt whose first correction has this norm: one, if rate/(1 - rate) of it is little enough, and
 * more until that of the last one is within the tolerance; DIVERGES, if so many are not allowed. */
static double predicted_iterations(double rate, double first, const rsd_renewal_inputs *in)
{
    if (rate >= RSD_WORST_RATE) return DIVERGES;
    double left = rate / (1 - rate) * first;
    if (left <= in->predicted_limit) return 1;
    int m = 1;
    do left *= rate, m++;
    while (!(left <= in->tolerance) && m < DIVERGES); /* NaN: diverges */
    return m;
}

/* The attempt as predicted when the levels up to one are new; none: [0]. */
typedef struct prediction {
    double rate, iterations;
} prediction;

static void predict_levels(const rsd_account *a, const rsd_renewal_inputs *in, const double *parts, prediction *of)
{
    for (int k = 0; k <= RSD_LEVELS; k++) {
        double rate = a->rho_0;
        for (int level = k; level < RSD_LEVELS; level++) rate += parts[level];
        of[k] = (prediction){rate, predicted_iterations(rate, a->first, in)};
    }
}

/* Cost that a level avoids in this attempt beyond the level before it; another alpha is likely to stay for some. */
static double avoided_cost(const rsd_account *a, const rsd_renewal_inputs *in, const prediction *of, int level)
{
    const double iterations_less = of[level].iterations - of[level + 1].iterations;
    return iterations_less * in->costs.iteration * (level == RSD_FACTORS ? a->mean_run : 1);
}

/* A part whose renewal costs nothing is renewed whenever it is outdated. */
static int is_free(const rsd_renewal_inputs *in, int level)
{
    const int is_outdated = level == RSD_FACTORS ? in->alpha_ratio != 1 : in->costs.has[level];
    return in->costs.renewal[level] <= 0 && is_outdated;
}

/* An iteration that is predicted to diverge is not begun, if the level prevents that. */
static int prevents_divergence(const prediction *of, int level)
{
    return of[level].iterations >= DIVERGES && of[level + 1].iterations < DIVERGES;
}

/* A level has to be worth its cost beyond the level before, and all up to it their cost together. */
int rsd_account_due(const rsd_account *a, const rsd_renewal_inputs *in)
{
    int due = RSD_NOTHING_NEW;
    double all = 0, before = 0, parts[RSD_LEVELS];
    prediction of[RSD_LEVELS + 1];
    for (int level = 0; level < RSD_LEVELS; level++) parts[level] = rate_of_level(a, in, level);
    predict_levels(a, in, parts, of);
    for (int level = 0; level < RSD_LEVELS; level++) {
        const double cost = in->costs.renewal[level], own = a->cost[level] / RSD_SHARE + avoided_cost(a, in, of, level);
        all += own;
        const int pays = own > cost - before && all > cost;
        if (is_free(in, level) || (parts[level] > 0 && (pays || prevents_divergence(of, level)))) due = level;
        before = cost;
    }
    return due;
}

int rsd_account_is_complete(const rsd_renewal_inputs *in)
{
    int whole = RSD_DFDY;
    while (whole > RSD_FACTORS && !in->costs.has[whole]) whole--;
    return (int)in->renewed >= whole;
}

/* --- Learning --- */

/* A slope that has led to a renewal is not measured as long as it does: it may have ended. When that was tried in vain,
 * the next trial comes after twice as many renewals. */
void rsd_account_settle(rsd_account *a, const rsd_renewal_inputs *in)
{
    for (int level = 0; level <= (int)in->renewed; level++) {
        a->cost[level] = 0;
        a->t[level] = in->t;
        a->rt[level] *= a->stays[level];
        a->slope[level] *= a->stays[level];
    }
}

static void fit_slope(rsd_account *a, const rsd_renewal_inputs *in, int level, double rate)
{
    const double age = fabs(in->t - a->t[level]);
    a->stays[level] = rate >= RSD_WORST_RATE ? fmin(sqrt(a->stays[level]), RSD_STAYS_MOST) : RSD_STAYS;
    a->rt[level] = RSD_PAST * a->rt[level] + rate * age;
    a->tt[level] = RSD_PAST * a->tt[level] + age * age;
    if (a->tt[level] > 0) a->slope[level] = fmax(a->rt[level] / a->tt[level], 0);
}

void rsd_account_record_rate(rsd_account *a, const rsd_renewal_inputs *in, double rate)
{
    if (in->renewed < RSD_FACTORS) rate = fmax(rate - rate_of_level(a, in, RSD_FACTORS), 0);
    const int is_whole = rsd_account_is_complete(in);
    if (is_whole || rate < a->rho_0) a->rho_0 = rate;
    if (is_whole) return;
    const int are_old = in->renewed < RSD_BLOCKS && in->costs.has[RSD_BLOCKS];
    const double old = rate - a->rho_0, of_dFdy = rate_of_level(a, in, RSD_DFDY);
    if (!are_old || old < of_dFdy) fit_slope(a, in, RSD_DFDY, old);
    if (are_old) fit_slope(a, in, RSD_BLOCKS, old - of_dFdy);
}

/* An iteration caused only by a pessimistic prediction is not charged: with its measured rate it was not needed. No
 * renewal would have avoided the part rho_0. */
void rsd_account_charge(rsd_account *a, const rsd_renewal_inputs *in, int avoidable, double rate, double first)
{
    if (first > 0) a->first = first;
    if (rate > 0) avoidable = (int)fmin(avoidable, predicted_iterations(rate, first, in) - 1);
    const double expected = rsd_account_expected_rate(a, in, in->renewed);
    for (int level = (int)in->renewed + 1; level < RSD_LEVELS && expected > 0; level++)
        a->cost[level] += avoidable * in->costs.iteration * rate_of_level(a, in, level) / expected;
}
