/* account.c - see account.h. */
#include "account.h"

#include "tuning.h"

#include <math.h>

/* The rate of a new J is IDA's guess, until there is one. */
void rsd_account_open(rsd_account *a)
{
    *a = (rsd_account){.mean_run = RSD_FIRST_RUN,
                       .floor = RSD_FACTOR_AFTER_SETUP / (1 + RSD_FACTOR_AFTER_SETUP),
                       .t = {NAN, NAN, NAN}};
}

void rsd_account_begin(rsd_account *a, double t, int is_other_alpha)
{
    for (int rung = 0; rung < RSD_RUNGS; rung++)
        if (isnan(a->t[rung])) a->t[rung] = t;
    if (is_other_alpha) {
        a->mean_run += RSD_LATEST_RUN * (a->run - a->mean_run);
        a->run = 0;
    }
    a->run++;
}

enum { FAILS = RSD_MOST_ITERATIONS + 1 }; /* iterations: it does not converge */

/* The part of the rate that a rung is to blame for. */
static double part(const rsd_account *a, const rsd_case *x, int rung)
{
    if (rung == RSD_FACTORS) return fabs(1 - x->alpha_ratio) / (1 + x->alpha_ratio);
    return x->costs.has[rung] ? a->slope[rung] * fabs(x->t - a->t[rung]) : 0;
}

double rsd_account_expect(const rsd_account *a, const rsd_case *x, rsd_rung renewed)
{
    double rate = a->floor;
    for (int rung = (int)renewed + 1; rung < RSD_RUNGS; rung++) rate += part(a, x, rung);
    return rate;
}

/* --- What pays --- */

/* Iterations of an attempt whose first correction has this norm: one, if rate/(1 - rate) of it is little enough, and
 * more until that of the last one is within the tolerance; FAILS, if it is not within those that there are. */
static double iterations(double rate, double first, const rsd_case *x)
{
    if (rate >= RSD_WORST_RATE) return FAILS;
    double left = rate / (1 - rate) * first;
    if (left <= x->foreseen) return 1;
    int m = 1;
    do left *= rate, m++;
    while (!(left <= x->tolerance) && m < FAILS); /* NaN: more than there are */
    return m;
}

/* What is expected of an attempt when the rungs up to one are new; of none: [0]. */
typedef struct prospect {
    double rate, iterations;
} prospect;

static void look_ahead(const rsd_account *a, const rsd_case *x, const double *parts, prospect *of)
{
    for (int k = 0; k <= RSD_RUNGS; k++) {
        double rate = a->floor;
        for (int rung = k; rung < RSD_RUNGS; rung++) rate += parts[rung];
        of[k] = (prospect){rate, iterations(rate, a->first, x)};
    }
}

/* What a rung spares of this attempt beyond the one before it; another alpha is likely to stay for some. */
static double foreseen(const rsd_account *a, const rsd_case *x, const prospect *of, int rung)
{
    const double spared = of[rung].iterations - of[rung + 1].iterations;
    return spared * x->costs.iteration * (rung == RSD_FACTORS ? a->mean_run : 1);
}

/* What costs nothing is renewed whenever it is old. */
static int is_free(const rsd_case *x, int rung)
{
    const int is_old = rung == RSD_FACTORS ? x->alpha_ratio != 1 : x->costs.has[rung];
    return x->costs.renewal[rung] <= 0 && is_old;
}

/* An iteration that is expected to fail is not begun, if the rung mends that. */
static int mends(const prospect *of, int rung)
{
    return of[rung].iterations >= FAILS && of[rung + 1].iterations < FAILS;
}

/* A rung has to be worth what it costs more than the one before, and all up to it what they cost together. */
int rsd_account_due(const rsd_account *a, const rsd_case *x)
{
    int due = RSD_NOTHING_NEW;
    double all = 0, before = 0, parts[RSD_RUNGS];
    prospect of[RSD_RUNGS + 1];
    for (int rung = 0; rung < RSD_RUNGS; rung++) parts[rung] = part(a, x, rung);
    look_ahead(a, x, parts, of);
    for (int rung = 0; rung < RSD_RUNGS; rung++) {
        const double cost = x->costs.renewal[rung], own = a->debt[rung] / RSD_SHARE + foreseen(a, x, of, rung);
        all += own;
        const int pays = own > cost - before && all > cost;
        if (is_free(x, rung) || (parts[rung] > 0 && (pays || mends(of, rung)))) due = rung;
        before = cost;
    }
    return due;
}

int rsd_account_is_whole(const rsd_case *x)
{
    int whole = RSD_DFDY;
    while (whole > RSD_FACTORS && !x->costs.has[whole]) whole--;
    return (int)x->renewed >= whole;
}

/* --- What is learnt --- */

/* A slope that has led to a renewal is not seen as long as it does: it may have ended. */
void rsd_account_pay(rsd_account *a, const rsd_case *x)
{
    for (int rung = 0; rung <= (int)x->renewed; rung++) {
        a->debt[rung] = 0;
        a->t[rung] = x->t;
        a->rt[rung] *= RSD_STAYS;
        a->slope[rung] *= RSD_STAYS;
    }
}

static void learn(rsd_account *a, const rsd_case *x, int rung, double rate)
{
    const double age = fabs(x->t - a->t[rung]);
    a->rt[rung] = RSD_PAST * a->rt[rung] + rate * age;
    a->tt[rung] = RSD_PAST * a->tt[rung] + age * age;
    if (a->tt[rung] > 0) a->slope[rung] = fmax(a->rt[rung] / a->tt[rung], 0);
}

void rsd_account_see(rsd_account *a, const rsd_case *x, double rate)
{
    if (x->renewed < RSD_FACTORS) rate = fmax(rate - part(a, x, RSD_FACTORS), 0);
    const int is_whole = rsd_account_is_whole(x);
    if (is_whole || rate < a->floor) a->floor = rate;
    if (is_whole) return;
    const int are_old = x->renewed < RSD_BLOCKS && x->costs.has[RSD_BLOCKS];
    const double old = rate - a->floor, of_dFdy = part(a, x, RSD_DFDY);
    if (!are_old || old < of_dFdy) learn(a, x, RSD_DFDY, old);
    if (are_old) learn(a, x, RSD_BLOCKS, old - of_dFdy);
}

/* Corrections that were only asked for in doubt of what was foreseen are nobody's debt: with the rate that they showed
 * there was no need of them. What the floor is to blame for, no renewal would have spared. */
void rsd_account_book(rsd_account *a, const rsd_case *x, int spared, double rate, double first)
{
    if (first > 0) a->first = first;
    if (rate > 0) spared = (int)fmin(spared, iterations(rate, first, x) - 1);
    const double foreseen = rsd_account_expect(a, x, x->renewed);
    for (int rung = (int)x->renewed + 1; rung < RSD_RUNGS && foreseen > 0; rung++)
        a->debt[rung] += spared * x->costs.iteration * part(a, x, rung) / foreseen;
}
