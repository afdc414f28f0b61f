/* policy.c - the strategies, and what each does when it is asked for J, and why.
 *
 * Rungs of a ladder: an update without residual calls (a new alpha, new excitations, the cheap part) -> dF/dy by
 * differences, checked by one product on an estimated pattern -> a grown pattern. An update leaves "current" 0: if the
 * iteration fails with it, the next rung is asked for within the same step attempt. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

static const rsd_strategy strategies[] = {
    {"dense", 0, 0, 0, 0},
    {"sparse", 1, 0, 0, 0},
    {"dense+partitioned", 0, 1, 0, 0},
    {"sparse+partitioned", 1, 1, 0, 0},
    {"dense+extended", 0, 1, 1, 0},
    {"sparse+extended", 1, 1, 1, 0},
    {"fresh", 1, 1, 0, 1},
};
enum { N_STRATEGIES = sizeof strategies / sizeof strategies[0], FEW_COLUMNS = 40 };

/* "auto". Where the constraints bend, renewing what costs no residual call at every attempt saves most: on the built-in
 * models half to three quarters of all residual calls. Else a new alpha (and new excitations) are all there is to renew.
 * An estimated pattern costs about three dense evaluations; it pays when there are many columns. */
static const char *choose(const resida_system *s)
{
    unsigned any = 0;
    int dear = 0;
    for (int c = 0; c < s->n; c++) {
        unsigned bits = s->columns ? s->columns[c] : (unsigned)RESIDA_COLUMN_DEAR;
        any |= bits;
        dear += bits & RESIDA_COLUMN_DEAR ? 1 : 0;
    }
    if (any & RESIDA_COLUMN_CHEAP && s->cheap) return "fresh";
    if (dear <= FEW_COLUMNS) return s->n_inputs > 0 ? "dense+extended" : "dense+partitioned";
    return s->n_inputs > 0 ? "sparse+extended" : "sparse+partitioned";
}

const rsd_strategy *rsd_find_strategy(const char *name, const resida_system *s, resida_message *why)
{
    if (strcmp(name, "auto") == 0) name = choose(s);
    for (int i = 0; i < N_STRATEGIES; i++)
        if (strcmp(name, strategies[i].name) == 0) return &strategies[i];
    rsd_fail(why, RESIDA_ERR_OPTION, "no Jacobian strategy '%s': there are auto", name);
    for (int i = 0; i < N_STRATEGIES; i++) rsd_message_append(why, ", %s", strategies[i].name);
    return NULL;
}

enum {
    SETTLED = 2,  /* evaluations that found the same dF/dyp: the next ones take it as it is */
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

/* A, on an estimated pattern checked, and once more when the pattern had to grow. */
static int find_A(resida_jacobian *j, const resida_jacobian_point *at)
{
    int complete, grown = 0, verdict = differences_of_A(j, at);
    if (verdict || !j->strategy->coloured || j->unchecked-- > 0) return verdict;
    j->unchecked = 0;
    verdict = rsd_blocks(j, at, 0, 0); /* the check looks at B for the size of terms */
    if (!verdict) verdict = rsd_audit(j, at, &complete);
    if (verdict || complete) return verdict;
    verdict = rsd_grow_patterns(j, at, &grown);
    if (grown == 0) j->unchecked = UNCHECKED; /* a kink or a strong curvature, not a missing entry */
    return verdict || grown == 0 ? verdict : differences_of_A(j, at);
}

/* All parts. dF/dyp that has settled is taken as it is at first; *current 0 then, so that it is found when that fails. */
static int evaluate(resida_jacobian *j, const resida_jacobian_point *at, int *current)
{
    int again = j->B_skipped && at->t == j->t_evaluated; /* same attempt, and it failed */
    int verdict = find_A(j, at), with_B = again || j->B_same < SETTLED;
    if (!verdict) verdict = rsd_blocks(j, at, 1, with_B);
    if (!verdict && j->strategy->extended) verdict = rsd_inputs(j, at->t, j->u_old);
    if (!verdict && j->strategy->extended) verdict = rsd_excitation_part(j, at);
    j->B_skipped = !with_B && j->has_open_B;
    j->t_evaluated = at->t;
    *current = !j->B_skipped;
    return verdict;
}

static int update(resida_jacobian *j, const resida_jacobian_point *at, int *current)
{
    j->counts.updates_alpha++;
    if (j->strategy->fresh) j->counts.updates_blocks++;
    if (j->strategy->extended && j->n_live > 0) j->counts.updates_excitation++;
    *current = 0;
    return rsd_blocks(j, at, j->strategy->fresh, 0);
}

/* J = A + C + alpha B + sum D_i (u_i - u_old_i). */
static int assemble(resida_jacobian *j, const resida_jacobian_point *at)
{
    int nnz = j->pattern.nnz, verdict = 0;
    if (j->combined) {
        memcpy(j->J, j->A, (size_t)nnz * sizeof *j->J);
        for (int c = 0; c < j->n; c++)
            for (int e = j->pattern.col_start[c]; e < j->pattern.col_start[c + 1] && !j->columns[c]; e++)
                j->J[e] = j->C[e] + at->alpha * j->B[e];
        return 0;
    }
    for (int e = 0; e < nnz; e++) j->J[e] = j->A[e] + j->C[e] + at->alpha * j->B[e];
    if (!j->strategy->extended || !j->D) return 0;
    verdict = rsd_inputs(j, at->t, j->u);
    for (int q = 0; q < j->n_live && !verdict; q++) {
        const double *D = j->D + (size_t)q * (size_t)nnz, change = j->u[j->live[q]] - j->u_old[j->live[q]];
        for (int e = 0; e < nnz; e++) j->J[e] += D[e] * change;
    }
    return verdict;
}

/* Is an update worth a try? */
static int may_update(const resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at)
{
    if (!j->ready || !j->strategy->partitioned || reason == RESIDA_SETUP_FIRST || reason == RESIDA_SETUP_OTHER)
        return 0;
    if (reason != RESIDA_SETUP_FAILURE) return 1;
    /* The step was cut after a failure with an A of just before: A is as good as it was, alpha is not. */
    return j->just_evaluated && at->t != j->t_evaluated;
}

int resida_jacobian_setup(resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at, int *current)
{
    if (!j || !at || !at->y || !at->yp || !at->F || !current || !isfinite(at->t) || !isfinite(at->alpha) ||
        !isfinite(at->h) || (int)reason < 0 || reason > RESIDA_SETUP_ATTEMPT)
        return RESIDA_ERR_ARGUMENT;
    *current = 1; /* what fails before it is known to be cheap cannot be made better */
    int verdict = !j->has_pattern ? rsd_estimate_patterns(j, at) : 0;
    int cheap = may_update(j, reason, at);
    if (reason == RESIDA_SETUP_FIRST) j->B_same = 0;
    if (!verdict) verdict = cheap ? update(j, at, current) : evaluate(j, at, current);
    if (!verdict) verdict = assemble(j, at);
    j->just_evaluated = !cheap;
    j->ready = verdict == 0;
    return verdict;
}

int resida_jacobian_renews(const resida_jacobian *j)
{
    return j && j->strategy->fresh;
}
