/* engine.c - the Jacobian engine: finds a strategy by name, owns J and its counters. What a strategy does is in its
 * own file; to add one, add a line to the table here. */
#include "engine_impl.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const rsd_strategy *const strategies[] = {&rsd_strategy_dense};
enum { N_STRATEGIES = sizeof strategies / sizeof strategies[0] };

static resida_status find_strategy(const rsd_strategy **found, const char *name, resida_message *why)
{
    if (strcmp(name, "auto") == 0) name = "dense";
    for (int i = 0; i < N_STRATEGIES; i++)
        if (strcmp(name, strategies[i]->name) == 0) {
            *found = strategies[i];
            return RESIDA_OK;
        }
    rsd_fail(why, RESIDA_ERR_OPTION, "no Jacobian strategy '%s': there are auto", name);
    for (int i = 0; i < N_STRATEGIES; i++) rsd_message_append(why, ", %s", strategies[i]->name);
    return RESIDA_ERR_OPTION;
}

resida_status resida_jacobian_create(resida_jacobian **out, int n, resida_function *F, void *user, const char *strategy,
                                     const resida_allocator *allocator, resida_message *why)
{
    if (!out) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_jacobian_create: j is NULL");
    *out = NULL;
    if (!F || !strategy)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_jacobian_create: %s is NULL", F ? "strategy" : "F");
    if (allocator && (!allocator->allocate || !allocator->free))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT,
                        "resida_jacobian_create: allocator: allocate and free must both be given");
    if (n < 1 || n > INT_MAX / 8)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_jacobian_create: n = %d, must be in 1..%d", n, INT_MAX / 8);
    const rsd_strategy *found = NULL;
    RSD_TRY(find_strategy(&found, strategy, why));
    resida_allocator alloc = rsd_allocator(allocator);
    resida_jacobian *j = rsd_calloc(&alloc, 1, sizeof *j);
    if (!j) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a Jacobian");
    *j = (resida_jacobian){.alloc = alloc, .n = n, .F = F, .user = user, .strategy = found};
    j->J = rsd_matrix(&alloc, n, n);
    j->y = rsd_doubles(&alloc, n);
    j->yp = rsd_doubles(&alloc, n);
    j->r = rsd_doubles(&alloc, n);
    if (!j->J || !j->y || !j->yp || !j->r) {
        resida_jacobian_free(j);
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a dense Jacobian of %d x %d", n, n);
    }
    *out = j;
    return RESIDA_OK;
}

void resida_jacobian_free(resida_jacobian *j)
{
    if (!j) return;
    resida_allocator alloc = j->alloc;
    double *blocks[] = {j->J, j->y, j->yp, j->r};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) rsd_free(&alloc, blocks[i]);
    rsd_free(&alloc, j);
}

int rsd_jacobian_call(resida_jacobian *j, double t)
{
    j->counts.residual_calls++;
    return j->F(t, j->y, j->yp, j->r, j->user);
}

int resida_jacobian_setup(resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at, int *current)
{
    if (!j || !at || !at->y || !at->yp || !at->F || !current || !isfinite(at->t) || !isfinite(at->alpha) ||
        !isfinite(at->h) || (int)reason < 0 || reason > RESIDA_SETUP_OTHER)
        return RESIDA_ERR_ARGUMENT;
    int verdict = j->strategy->setup(j, reason, at, current);
    j->ready = verdict == 0;
    return verdict;
}

const double *resida_jacobian_dense(const resida_jacobian *j)
{
    return j && j->ready ? j->J : NULL;
}

const char *resida_jacobian_strategy(const resida_jacobian *j)
{
    return j ? j->strategy->name : "";
}

resida_status resida_jacobian_get_counts(const resida_jacobian *j, resida_jacobian_counts *counts)
{
    if (!j || !counts) return RESIDA_ERR_ARGUMENT;
    *counts = j->counts;
    return RESIDA_OK;
}
