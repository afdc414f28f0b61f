/* calls.c - evaluates excitations and records failures of a model's callbacks. The first NaN or Inf is kept, because
 * it causes later ones. A callback that returns a failure replaces this record. resida_catch() calls a user's
 * function. */
#include "callback.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "memory.h"
#include "message.h"

resida_status rsd_calls_init(rsd_calls *c, int n_u, resida_excitation_fn *excitation, void *user,
                             const resida_allocator *alloc)
{
    *c = (rsd_calls){.user = user, .excitation = excitation, .n_u = n_u, .t_u = NAN};
    c->meter.tally = &c->unmetered;
    c->u = rsd_doubles(alloc, 3L * n_u);
    if (!c->u) return RESIDA_ERR_MEMORY;
    c->e = (resida_excitation){c->u, c->u + n_u, c->u + 2 * n_u};
    return RESIDA_OK;
}

void rsd_calls_set_meter(rsd_calls *c, rsd_meter meter)
{
    c->meter = meter;
    if (!meter.tally) c->meter.tally = &c->unmetered;
}

void rsd_calls_perturb_input(rsd_calls *c, int i, double delta)
{
    c->input_moved = i;
    c->input_delta = delta;
    c->t_u = NAN;
}

void rsd_calls_copy_state(rsd_calls *to, const rsd_calls *from)
{
    memcpy(to->u, from->u, 3 * (size_t)from->n_u * sizeof *from->u);
    to->t_u = from->t_u;
    to->input_moved = from->input_moved;
    to->input_delta = from->input_delta;
}

int rsd_calls_renew_excitation(rsd_calls *c, double t)
{
    const int n_u = c->n_u;
    double *u = c->u;
    c->t_u = NAN; /* u is not valid while it is overwritten */
    const int verdict = rsd_call_excitation(c, RSD_CALL_EXCITATION, c->excitation, t, u, 3 * n_u);
    if (c->at_rest) memset(u + n_u, 0, 2 * (size_t)n_u * sizeof *u);
    if (verdict == 0 && rsd_all_finite(u, 3 * n_u)) c->t_u = t; /* the next call may succeed at the same t */
    if (c->input_delta != 0) u[c->input_moved] += c->input_delta;
    return verdict;
}

int rsd_fault_record(rsd_fault *fault, const char *callback, double t, int verdict, const double *out, int n)
{
    if (verdict != 0) {
        fault->callback = callback;
        fault->verdict = verdict;
        fault->component = -1;
        fault->t = t;
        fault->has_thrown = fault->thrown.is_new;
        fault->thrown.is_new = 0;
    } else if (!rsd_fault_is_nonfinite(fault)) {
        int i = 0;
        while (i < n - 1 && isfinite(out[i])) i++;
        *fault = (rsd_fault){.callback = callback, .component = i, .is_unset = rsd_is_unset(out[i]), .t = t};
    }
    return verdict;
}

rsd_fault_end rsd_fault_describe(const rsd_fault *fault, int verdict)
{
    rsd_fault_end end;
    if (fault->has_thrown && fault->verdict == verdict)
        rsd_write(end.text, sizeof end.text, "threw %s", fault->thrown.text);
    else
        rsd_write(end.text, sizeof end.text, "returned %d", verdict);
    return end;
}

int rsd_fault_is_nonfinite(const rsd_fault *fault)
{
    return fault->callback != NULL && fault->verdict == 0;
}

void rsd_fault_clear(rsd_fault *fault)
{
    fault->callback = NULL;
}

int resida_catches_exceptions(void)
{
    return rsd_callbacks_are_caught;
}

resida_status resida_catch(void (*work)(void *context), void *context, resida_message *why)
{
    rsd_thrown thrown = {0, ""};
    if (!work) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_catch: work is NULL");
    if (!rsd_call_work(context, &thrown, work)) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_USER, "threw %s", thrown.text);
}
