/* setup.c - what is done when J is asked for, and why.
 *
 * Rungs of a ladder: an update without residual calls (a new alpha, new excitations, the cheap part) -> dF/dy by
 * differences, checked by one product on an estimated pattern -> a grown pattern. An update leaves "current" 0: if the
 * iteration fails with it, the next rung is asked for within the same step attempt. If it fails again and again with a
 * current J, the pattern is searched whatever its check has said: a check moves all columns at once, and sees nothing
 * of an entry of 1e-12 F beside one of 1 for a charge that moves as far. */
#include "engine_impl.h"

#include <math.h>

enum {
    RECENT = 3,      /* updates since an evaluation: an iteration in trouble so early lacks more than a new dF/dy */
    FAILING = 2,     /* failures with a current J, each soon after the other: it lacks entries that no check has seen */
    NEXT_FAILURE = 8 /* setups in between */
};

/* What costs no residual call. */
static int update(resida_jacobian *j, const resida_jacobian_point *at, int with_C, int *current)
{
    const rsd_frame *f = &j->f;
    const rsd_strategy *strategy = f->strategy;
    j->evaluation.updates++;
    j->counts.updates_alpha++;
    j->counts.updates_blocks += with_C;
    if (strategy->extended && j->p.D && j->excitations.n_live > 0) j->counts.updates_excitation++;
    *current = 0;
    int verdict = !strategy->fresh || with_C ? rsd_blocks(j, at, with_C, 0) : 0;
    return verdict || strategy->user ? verdict : rsd_jumps_accept_again(&j->jumps, &j->d, &j->p, at);
}

/* Failures with a current J that come soon after each other. */
static void count_failures(resida_jacobian *j, resida_setup_reason reason)
{
    const int has_failed = reason == RESIDA_SETUP_FAILURE;
    j->setups = has_failed ? 0 : j->setups + 1;
    if (j->setups > NEXT_FAILURE || reason == RESIDA_SETUP_FIRST || !j->f.strategy->learns || j->search.is_given)
        j->failures = 0;
    else
        j->failures += has_failed && j->last.is_current;
}

/* Is an update worth a try? */
static int may_update(const resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at)
{
    if (!j->last.is_ready || !j->f.strategy->partitioned || j->requested) return 0;
    if (reason == RESIDA_SETUP_FIRST || reason == RESIDA_SETUP_OTHER) return 0;
    if (reason != RESIDA_SETUP_FAILURE) return 1;
    /* The step was cut after a failure with an A of just before: A is as good as it was, alpha is not. */
    return j->last.is_evaluated && rsd_clock(at) != j->evaluation.t && j->failures < FAILING;
}

static int is_possible(const resida_jacobian_point *at)
{
    return at && at->y && at->yp && at->F && isfinite(at->t) && isfinite(at->since) && isfinite(at->alpha) &&
           isfinite(at->h);
}

/* The requests so far become those of this occasion: one that is made from now on is for the next setup. */
static rsd_occasion occasion_of(resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at)
{
    const int was_slow = reason == RESIDA_SETUP_OTHER;
    const int is_recent = j->evaluation.updates <= RECENT && j->stale.has_history;
    const rsd_occasion o = {.at = at,
                            .is_first = reason == RESIDA_SETUP_FIRST,
                            .was_slow = was_slow,
                            .is_failing = j->failures >= FAILING,
                            .is_doubtful = (was_slow || reason == RESIDA_SETUP_FAILURE) && is_recent,
                            .request = j->requested};
    j->requested = 0;
    return o;
}

static int evaluate(resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at, int *current)
{
    const rsd_occasion o = occasion_of(j, reason, at);
    return rsd_evaluate(j, &o, current);
}

int resida_jacobian_setup(resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at, int *current)
{
    if (!j || !current || !is_possible(at) || (int)reason < 0 || reason > RESIDA_SETUP_ATTEMPT)
        return RESIDA_ERR_ARGUMENT;
    *current = 1; /* what fails before it is known to be cheap cannot be made better */
    int verdict = !j->p.is_there ? rsd_search_begin(&j->search, &j->d, &j->p, at) : 0;
    count_failures(j, reason);
    const int is_update = may_update(j, reason, at), requested = j->requested;
    const int with_C = j->f.strategy->fresh && reason != RESIDA_SETUP_ALPHA;
    if (reason == RESIDA_SETUP_FIRST) rsd_evaluate_forget(j); /* restarts begin with the increments of a first start */
    if (!verdict) verdict = is_update ? update(j, at, with_C, current) : evaluate(j, reason, at, current);
    if (!verdict) rsd_parts_assemble(&j->p, &j->f, at->alpha);
    if (!verdict && j->f.strategy->extended) verdict = rsd_excitations_add(&j->excitations, &j->f, &j->p, at->t);
    if (verdict) j->requested |= requested; /* it has not been fulfilled */
    j->last =
        (rsd_setup){.is_ready = verdict == 0, .is_evaluated = !is_update, .is_current = *current, .alpha = at->alpha};
    return verdict;
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
