/* policy.c - the strategies, and what each does when it is asked for J, and why.
 *
 * Rungs of a ladder: an update without residual calls (a new alpha, new excitations, the cheap part) -> dF/dy by
 * differences, checked by one product on an estimated pattern -> a grown pattern. An update leaves "current" 0: if the
 * iteration fails with it, the next rung is asked for within the same step attempt. */
#include "jacobian/engine_impl.h"

#include <math.h>
#include <string.h>

#include "src/base/lanes.h"

static const rsd_strategy strategies[] = {
    {.name = "dense"},
    {.name = "sparse", .coloured = 1},
    {.name = "dense+partitioned", .partitioned = 1},
    {.name = "sparse+partitioned", .coloured = 1, .partitioned = 1},
    {.name = "dense+extended", .partitioned = 1, .extended = 1},
    {.name = "sparse+extended", .coloured = 1, .partitioned = 1, .extended = 1},
    {.name = "fresh", .coloured = 1, .partitioned = 1, .fresh = 1, .learns = 1},
    {.name = "user", .fresh = 1, .user = 1},
};
enum {
    N_STRATEGIES = sizeof strategies / sizeof strategies[0],
    RECENT = 3 /* updates since an evaluation: an iteration in trouble so early lacks more than a new dF/dy */
};

const rsd_strategy *rsd_find_strategy(const char *name, const resida_system *s, resida_message *why)
{
    if (strcmp(name, "auto") == 0) name = s->derivative ? "user" : "fresh";
    for (int i = 0; i < N_STRATEGIES; i++) {
        if (strcmp(name, strategies[i].name) != 0) continue;
        if (!strategies[i].user || s->derivative) return &strategies[i];
        rsd_fail(why, RESIDA_ERR_OPTION, "Jacobian strategy 'user': the model gives no derivatives");
        return NULL;
    }
    rsd_fail(why, RESIDA_ERR_OPTION, "no Jacobian strategy '%s': there are auto", name);
    for (int i = 0; i < N_STRATEGIES; i++) rsd_message_append(why, ", %s", strategies[i].name);
    return NULL;
}

static int update(resida_jacobian *j, const resida_jacobian_point *at, int with_C, int *current)
{
    j->updates++;
    j->counts.updates_alpha++;
    if (with_C) j->counts.updates_blocks++;
    if (j->strategy->extended && j->n_live > 0) j->counts.updates_excitation++;
    *current = 0;
    if (with_C) rsd_begin_bend(j, at);
    int verdict = !j->strategy->fresh || with_C ? rsd_blocks(j, at, with_C, 0) : 0;
    if (with_C && !verdict) rsd_end_bend(j, at);
    return verdict || j->strategy->user ? verdict : rsd_accept_again(j, at);
}

/* J = A + C + alpha B */
RSD_WIDE static void sum_of_parts(const double *A, const double *C, double alpha, const double *B, double *J, int nnz)
{
    RSD_ELEMENTWISE for (int e = 0; e < nnz; e++) J[e] = A[e] + C[e] + alpha * B[e];
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
    sum_of_parts(j->A, j->C, at->alpha, j->B, j->J, nnz);
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
    if (j->requested) return 0;
    if (reason != RESIDA_SETUP_FAILURE) return 1;
    /* The step was cut after a failure with an A of just before: A is as good as it was, alpha is not. */
    return j->just_evaluated && at->t != j->t_evaluated;
}

/* Restarts begin with the increments of a first start. */
static void forget_sizes(resida_jacobian *j)
{
    j->B_same = 0;
    rsd_forget_bend(j);
    rsd_first_nominals(j);
    j->caution = 1;
    j->t_evaluated = NAN;
}

int resida_jacobian_setup(resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at, int *current)
{
    if (!j || !at || !at->y || !at->yp || !at->F || !current || !isfinite(at->t) || !isfinite(at->alpha) ||
        !isfinite(at->h) || (int)reason < 0 || reason > RESIDA_SETUP_ATTEMPT)
        return RESIDA_ERR_ARGUMENT;
    *current = 1; /* what fails before it is known to be cheap cannot be made better */
    int verdict = !j->has_pattern ? rsd_find_patterns(j, at) : 0;
    int cheap = may_update(j, reason, at);
    j->is_first = reason == RESIDA_SETUP_FIRST;
    if (j->is_first) forget_sizes(j);
    j->was_slow = reason == RESIDA_SETUP_OTHER;
    j->is_doubtful = (j->was_slow || reason == RESIDA_SETUP_FAILURE) && j->updates <= RECENT && j->has_history;
    j->request = cheap ? 0 : j->requested; /* one that is made from now on is for the next setup */
    j->requested &= ~j->request;
    int with_C = j->strategy->fresh && reason != RESIDA_SETUP_ALPHA;
    if (!verdict) verdict = cheap ? update(j, at, with_C, current) : rsd_evaluate(j, at, current);
    if (!verdict) verdict = assemble(j, at);
    j->just_evaluated = !cheap;
    j->ready = verdict == 0;
    j->alpha = at->alpha;
    if (verdict) j->requested |= j->request;
    return verdict;
}

int rsd_engine_renews(const resida_jacobian *j)
{
    return j->strategy->fresh;
}

int rsd_engine_is_due(const resida_jacobian *j, double t)
{
    return rsd_engine_renews(j) && (j->strategy->user || rsd_is_bent(j, t));
}

int rsd_engine_ages(const resida_jacobian *j)
{
    return j->strategy->fresh && !j->strategy->user;
}

int rsd_engine_is_new(const resida_jacobian *j)
{
    return j->ready && j->just_evaluated;
}

resida_status rsd_engine_inertia(const resida_jacobian *j, const double *w, double *sums)
{
    if (!j->ready || j->combined || !j->strategy->partitioned) return RESIDA_ERR_STATE;
    memset(sums, 0, (size_t)j->n * sizeof *sums);
    for (int c = 0; c < j->n; c++)
        for (int e = j->pattern.col_start[c]; e < j->pattern.col_start[c + 1]; e++)
            sums[j->pattern.row[e]] += fabs(j->B[e]) / w[c];
    return RESIDA_OK;
}

const char *resida_jacobian_reason(const resida_jacobian *j)
{
    if (!j) return "";
    if (j->strategy->user) return "the model gives derivatives";
    if (!j->strategy->learns) return "asked for by name";
    if (!j->has_pattern) return "no derivatives: differences, the pattern is not known yet";
    if (j->is_given) return "no derivatives: differences by groups on the model's pattern";
    if (!j->learning) return "no derivatives: differences by groups on a learnt pattern, fewer calls than columns";
    return j->learnt > 1 ? "no derivatives: differences by columns, groups would not take fewer calls"
                         : "no derivatives: differences by columns, the pattern is being learnt";
}

resida_status resida_jacobian_request(resida_jacobian *j, resida_request what)
{
    if (!j || (what != RESIDA_REQUEST_EVALUATION && what != RESIDA_REQUEST_PATTERN)) return RESIDA_ERR_ARGUMENT;
    j->requested |= (int)what;
    return RESIDA_OK;
}

int resida_jacobian_is_requested(const resida_jacobian *j)
{
    return j && j->requested != 0;
}
