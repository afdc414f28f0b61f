/* calls.c - see calls.h. */
#include "calls.h"

#include <math.h>
#include <string.h>

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

void rsd_calls_move_input(rsd_calls *c, int i, double delta)
{
    c->input_moved = i;
    c->input_delta = delta;
    c->t_u = NAN;
}

void rsd_calls_follow(rsd_calls *to, const rsd_calls *from)
{
    memcpy(to->u, from->u, 3 * (size_t)from->n_u * sizeof *from->u);
    to->t_u = from->t_u;
    to->input_moved = from->input_moved;
    to->input_delta = from->input_delta;
}

int rsd_calls_renew_excitation(rsd_calls *c, double t)
{
    const int n_u = c->n_u;
    double *u = c->u, *ud = u + n_u, *udd = ud + n_u;
    c->t_u = NAN; /* while u is overwritten */
    const int back = rsd_calls_enter(c, RSD_CALL_EXCITATION);
    const int verdict = rsd_call_excitation(t, u, ud, udd, c->user, &c->fault.thrown, c->excitation);
    if (c->at_rest) memset(ud, 0, 2 * (size_t)n_u * sizeof *ud);
    if (verdict == 0 && rsd_all_finite(u, 3 * n_u)) c->t_u = t; /* the next call may succeed at the same t */
    if (c->input_delta != 0) u[c->input_moved] += c->input_delta;
    return rsd_calls_leave(c, RSD_CALL_EXCITATION, back, t, verdict, u, 3 * n_u);
}
