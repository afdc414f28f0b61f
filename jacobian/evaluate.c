/* evaluate.c - dF/dy found anew: from the model, column by column, or by groups on a pattern that is checked and grows;
 * and with it all other parts of J. When that is done, and when less will do, is decided in policy.c. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

#define SMALL 1e-6 /* of a row: a new entry that is smaller does not make the iteration slow */

enum {
    CURIOUS = 3,   /* evaluations that take every new entry, however small */
    SETTLED = 1,   /* evaluations that found the same dF/dyp as the one before: the next ones take it as it is */
    UNCHECKED = 8, /* evaluations that are not checked after a search for entries that found none; doubled each time */
    DEAR_CALLS = 40, /* of an evaluation: with 36 of the rear axle corrections cost more iterations than they save */
    MOST_FRUITLESS = 8
};

static int differences_of_A(resida_jacobian *j, const resida_jacobian_point *at)
{
    const unsigned any = RESIDA_COLUMN_DEAR | RESIDA_COLUMN_CHEAP | RESIDA_COLUMN_YP;
    int verdict = j->combined ? rsd_difference(j, RSD_WHOLE, at, 1, at->alpha, any, j->stale, j->A)
                              : rsd_difference(j, RSD_DEAR, at, 1, 0, RESIDA_COLUMN_DEAR, j->stale, j->A);
    if (!verdict) rsd_end_change(j, at);
    *(j->strategy->coloured ? &j->counts.evaluations_coloured : &j->counts.evaluations_dense) += verdict == 0;
    return verdict;
}

/* d(dear)/dy as the model gives it. */
static int user_A(resida_jacobian *j, const resida_jacobian_point *at)
{
    int verdict = rsd_call_derivative(at->t, at->alpha, at->y, at->yp, j->derived, NULL, &j->s);
    memset(j->A, 0, (size_t)j->pattern.nnz * sizeof *j->A);
    for (int k = 0; k < j->s.n_dear; k++) j->A[j->derived_at[k]] += j->derived[k];
    j->counts.evaluations_user += verdict == 0;
    return verdict;
}

/* Are groups, with the call that checks them, cheaper than a call for each column? */
static int groups_pay(const resida_jacobian *j)
{
    return j->dear.colours.n_groups + 1 < j->n_dear_columns;
}

int rsd_engine_cost(const resida_jacobian *j)
{
    if (j->strategy->user) return 0;
    return j->strategy->coloured && j->has_pattern && !j->learning ? j->dear.colours.n_groups + !j->is_given
                                                                   : j->n_dear_columns;
}

int rsd_engine_is_dear(const resida_jacobian *j)
{
    return rsd_engine_cost(j) >= DEAR_CALLS;
}

static int knows_B(const resida_jacobian *j)
{
    return !j->has_open_B || j->combined || j->B_same > 0;
}

/* One product with a random direction, which looks at B for the size of terms. */
static int check_A(resida_jacobian *j, const resida_jacobian_point *at, int *complete)
{
    int verdict = rsd_blocks(j, at, 0, 0);
    if (!verdict && knows_B(j)) verdict = rsd_accept(j, at);
    return verdict ? verdict : rsd_audit(j, at, complete);
}

/* Column by column, and again with those that were left out when they are missed; two evaluations in a row that see the
 * same entries end the learning, when groups pay. */
static int learn_A(resida_jacobian *j, const resida_jacobian_point *at, int with_B)
{
    int news, complete = 1;
    double least = j->learnt < CURIOUS ? 0 : SMALL;
    int verdict = rsd_blocks(j, at, 0, 0); /* B tells the size of the terms of a row */
    if (!verdict) verdict = rsd_learn(j, at, with_B, least, &news);
    if (!verdict && j->is_partial) verdict = check_A(j, at, &complete);
    if (!verdict && !complete) {
        int first = news;
        rsd_mark_stale(j, at, RSD_REST);
        j->is_partial = 0;
        verdict = rsd_learn(j, at, 0, least, &news);
        news |= first;
    }
    if (verdict) return verdict;
    j->counts.evaluations_dense++;
    if (news && j->learnt > 0) j->counts.pattern_updates++;
    if (j->learnt++ > 0 && !news && groups_pay(j)) j->learning = 0;
    return 0;
}

/* The pattern lacks entries, or its model says so: what is seen column by column is added to it. */
static int grow(resida_jacobian *j, const resida_jacobian_point *at, int by_check)
{
    int news;
    long calls = j->counts.residual_calls;
    rsd_mark_stale(j, at, RSD_ALL);
    int verdict = rsd_learn(j, at, j->has_open_B && !j->combined, SMALL, &news);
    j->counts.pattern_calls += j->counts.residual_calls - calls - (verdict < 0); /* a refused call is not one */
    if (verdict) return verdict;
    j->counts.pattern_updates += news;
    j->is_given &= !news;
    j->false_alarm = by_check && !news;
    j->fruitless = news ? 0 : j->fruitless < MOST_FRUITLESS ? j->fruitless + 1 : MOST_FRUITLESS;
    j->unchecked =
        news ? 0 : UNCHECKED << (j->fruitless - 1); /* no news: a kink or a strong curvature, not a missing entry */
    return 0;
}

/* Slow so soon after an evaluation. */
static int slow_again(const resida_jacobian *j)
{
    return j->was_slow && j->is_doubtful;
}

/* "Whenever the convergence of the corrector iteration is too slow and the difference approximation itself has been
 * updated recently", section 3.1; or on request. Not again soon after a search that found nothing. */
static int to_be_searched(resida_jacobian *j)
{
    if (!j->strategy->coloured) return 0;
    if (j->request == RESIDA_REQUEST_PATTERN) return 1;
    return j->strategy->learns && !j->is_given && slow_again(j) && !j->after_partial && j->unchecked <= 0;
}

/* Does this evaluation end with a check of the pattern? One that is given is checked once, and when the iteration is in
 * trouble soon after an evaluation. */
static int to_be_checked(resida_jacobian *j)
{
    int is_known = j->is_given && j->counts.evaluations_coloured > j->checked_from;
    if (is_known && (!j->is_doubtful || j->after_partial)) return 0;
    int waits = j->false_alarm && j->unchecked > 0;
    j->unchecked -= j->unchecked > 0;
    return !waits;
}

/* The columns that a partial evaluation left out. */
static int rest_of_A(resida_jacobian *j, const resida_jacobian_point *at)
{
    rsd_mark_stale(j, at, RSD_REST);
    int verdict = differences_of_A(j, at);
    rsd_mark_stale(j, at, RSD_ALL);
    j->is_partial = 0;
    return verdict;
}

/* A by groups; on an estimated pattern checked, and column by column when the pattern has to grow. What columns do not
 * explain that were left out is not taken for a missing entry before they are found. *grown 1: it did, dF/dyp is found
 * as well. */
static int coloured_A(resida_jacobian *j, const resida_jacobian_point *at, int *grown)
{
    int complete, verdict = 0;
    *grown = to_be_searched(j);
    if (*grown) return grow(j, at, 0);
    verdict = differences_of_A(j, at);
    if (verdict || !j->strategy->coloured || !to_be_checked(j)) return verdict;
    verdict = check_A(j, at, &complete);
    if (!verdict && !complete && j->is_partial) {
        verdict = rest_of_A(j, at);
        if (!verdict) verdict = check_A(j, at, &complete);
    }
    if (verdict || complete) return verdict;
    *grown = 1;
    return grow(j, at, 1);
}

/* A, and B with it when a walk column by column asks for it (with_B). */
static int find_A(resida_jacobian *j, const resida_jacobian_point *at, int *with_B)
{
    int grown = 0, verdict = 0;
    if (j->strategy->user) return user_A(j, at);
    if (j->learning) {
        verdict = learn_A(j, at, *with_B);
        grown = *with_B;
        if (j->has_open_B && !j->combined && j->B_same == 0) *with_B = 1; /* it was lost, or never found */
    } else
        verdict = coloured_A(j, at, &grown);
    if (grown) *with_B = 0; /* done */
    return verdict;
}

/* What of dF/dy is looked for: at an attempt that failed with an incomplete evaluation the rest, at a start, when
 * asked, and when leaving out did not do, everything; else what can have changed. */
static rsd_extent choose_extent(const resida_jacobian *j, const resida_jacobian_point *at)
{
    if ((j->is_partial || j->B_skipped) && at->t == j->t_evaluated) return RSD_REST;
    return j->is_first || j->request || (j->is_partial && slow_again(j)) ? RSD_ALL : RSD_STALE;
}

/* All parts. dF/dyp that has settled, and columns of dF/dy that can have changed but little, are taken as they are at
 * first; *current 0 then, so that they are found when that fails. */
int rsd_evaluate(resida_jacobian *j, const resida_jacobian_point *at, int *current)
{
    rsd_extent extent = choose_extent(j, at);
    int open = j->has_open_B && !j->combined;
    int with_B = open && ((extent == RSD_REST && j->B_skipped) || j->B_same < SETTLED), skipped = open && !with_B;
    j->after_partial = j->is_partial;
    rsd_learn_caution(j, extent == RSD_REST && j->is_partial);
    j->is_partial = rsd_mark_stale(j, at, extent);
    if (!isnan(j->t_evaluated)) rsd_choose_nominals(j, at);
    rsd_begin_change(j, at);
    int verdict = find_A(j, at, &with_B);
    rsd_renew_all(j);
    if (!verdict) verdict = rsd_blocks(j, at, 1, with_B);
    for (int c = 0; c < j->n && !verdict; c++) j->t_renewed[c] = at->t;
    if (!verdict && !j->strategy->user) verdict = rsd_accept(j, at);
    if (!verdict && j->strategy->extended) verdict = rsd_inputs(j, at->t, j->u_old);
    if (!verdict && j->strategy->extended) verdict = rsd_excitation_part(j, at);
    j->counts.evaluations_partial += verdict == 0 && j->is_partial;
    j->updates = 0;
    j->B_skipped = skipped;
    j->t_evaluated = at->t;
    *current = !j->B_skipped && !j->is_partial;
    return verdict;
}
