/* evaluate.c - dF/dy found anew: from the model, column by column, or by groups on a pattern that is checked and grows; and
 * with it all other parts of J. When that is done, and when less will do, is decided in policy.c. */
#include "engine_impl.h"

#include <string.h>

enum {
    RECENT = 3,   /* updates since an evaluation: an iteration that is slow so early lacks more than a new dF/dy */
    SETTLED = 1,  /* evaluations that found the same dF/dyp as the one before: the next ones take it as it is */
    UNCHECKED = 8 /* evaluations that are not checked after a search for entries that found none */
};

static int differences_of_A(resida_jacobian *j, const resida_jacobian_point *at)
{
    const unsigned any = RESIDA_COLUMN_DEAR | RESIDA_COLUMN_CHEAP | RESIDA_COLUMN_YP;
    int verdict = j->combined ? rsd_difference(j, RSD_WHOLE, at, 1, at->alpha, any, j->A)
                              : rsd_difference(j, RSD_DEAR, at, 1, 0, RESIDA_COLUMN_DEAR, j->A);
    *(j->strategy->coloured ? &j->counts.evaluations_coloured : &j->counts.evaluations_dense) += verdict == 0;
    return verdict;
}

/* d(dear)/dy as the model gives it. */
static int user_A(resida_jacobian *j, const resida_jacobian_point *at)
{
    int verdict = j->s.derivative(at->t, at->alpha, at->y, at->yp, j->derived, j->s.user);
    memset(j->A, 0, (size_t)j->pattern.nnz * sizeof *j->A);
    for (int k = 0; k < j->s.n_dear; k++) j->A[j->derived_at[k]] += j->derived[k];
    j->counts.evaluations_user += verdict == 0;
    return verdict;
}

static int n_dear_columns(const resida_jacobian *j)
{
    int columns = 0;
    for (int c = 0; c < j->n; c++) columns += j->columns[c] & RESIDA_COLUMN_DEAR ? 1 : 0;
    return columns;
}

/* Are groups, with the call that checks them, cheaper than a call for each column? */
static int groups_pay(const resida_jacobian *j)
{
    return j->dear.colours.n_groups + 1 < n_dear_columns(j);
}

/* Column by column; two evaluations in a row that see the same entries end the learning, when groups pay. */
static int learn_A(resida_jacobian *j, const resida_jacobian_point *at, int with_B)
{
    int news, verdict = rsd_blocks(j, at, 0, 0); /* B tells the size of the terms of a row */
    if (!verdict) verdict = rsd_learn(j, at, with_B, &news);
    if (verdict) return verdict;
    j->counts.evaluations_dense++;
    if (news && j->learnt > 0) j->counts.pattern_updates++;
    if (j->learnt++ > 0 && !news && groups_pay(j)) j->learning = 0;
    return 0;
}

/* The pattern lacks entries, or its model says so: what is seen column by column is added to it. */
static int grow(resida_jacobian *j, const resida_jacobian_point *at)
{
    int news;
    long calls = j->counts.residual_calls;
    int verdict = rsd_learn(j, at, j->has_open_B && !j->combined, &news);
    j->counts.pattern_calls += j->counts.residual_calls - calls - (verdict < 0); /* a refused call is not one */
    if (verdict) return verdict;
    j->counts.pattern_updates += news;
    j->is_given &= !news;
    j->unchecked = news ? 0 : UNCHECKED; /* no news: a kink or a strong curvature, not a missing entry */
    return 0;
}

/* "Whenever the convergence of the corrector iteration is too slow and the difference approximation itself has been updated
 * recently", section 3.1; or on request. Not again soon after a search that found nothing. */
static int to_be_searched(resida_jacobian *j)
{
    if (!j->strategy->coloured) return 0;
    if (j->requested == RESIDA_REQUEST_PATTERN) return 1;
    return j->strategy->learns && !j->is_given && j->was_slow && j->updates <= RECENT && j->unchecked <= 0;
}

/* Does this evaluation end with a check of the pattern? One that is given is checked once. */
static int to_be_checked(resida_jacobian *j)
{
    if (j->is_given && j->counts.evaluations_coloured > j->checked_from) return 0;
    if (j->unchecked-- > 0) return 0;
    j->unchecked = 0;
    return 1;
}

static int knows_B(const resida_jacobian *j)
{
    return !j->has_open_B || j->combined || j->B_same > 0;
}

/* A by groups; on an estimated pattern checked, and column by column when the pattern has to grow. *grown 1: it did,
 * dF/dyp is found as well. */
static int coloured_A(resida_jacobian *j, const resida_jacobian_point *at, int *grown)
{
    int complete, verdict = 0;
    *grown = to_be_searched(j);
    if (*grown) return grow(j, at);
    verdict = differences_of_A(j, at);
    if (verdict || !j->strategy->coloured || !to_be_checked(j)) return verdict;
    verdict = rsd_blocks(j, at, 0, 0); /* the check looks at B for the size of terms */
    if (!verdict && knows_B(j)) verdict = rsd_accept(j, at);
    if (!verdict) verdict = rsd_audit(j, at, &complete);
    if (verdict || complete) return verdict;
    *grown = 1;
    return grow(j, at);
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

/* All parts. dF/dyp that has settled is taken as it is at first; *current 0 then, so that it is found when that fails. */
int rsd_evaluate(resida_jacobian *j, const resida_jacobian_point *at, int *current)
{
    int again = j->B_skipped && at->t == j->t_evaluated; /* same attempt, and it failed */
    int open = j->has_open_B && !j->combined, with_B = open && (again || j->B_same < SETTLED),
        skipped = open && !with_B;
    int verdict = find_A(j, at, &with_B);
    if (!verdict) verdict = rsd_blocks(j, at, 1, with_B);
    if (!verdict && !j->strategy->user) verdict = rsd_accept(j, at);
    if (!verdict && j->strategy->extended) verdict = rsd_inputs(j, at->t, j->u_old);
    if (!verdict && j->strategy->extended) verdict = rsd_excitation_part(j, at);
    j->updates = 0;
    j->B_skipped = skipped;
    j->t_evaluated = at->t;
    *current = !j->B_skipped;
    return verdict;
}
