/* calls.h - calls of the callbacks of a mechanism or of a general DAE: with the excitation at t, counted, timed where a
 * profile is kept; their failures are kept for messages. */
#ifndef RSD_CALLS_H
#define RSD_CALLS_H

#include "src/base/fault.h"
#include "src/base/memory.h"
#include "src/base/profile.h"

/** Permission and counts of calls. */
typedef struct rsd_meter {
    int (*admit)(void *context, double t);            /* before each call of the formalism; < 0: the budget is spent */
    int (*admit_constraint)(void *context, double t); /* before each call of g, for loops without the formalism */
    void *context;
    rsd_tally *tally; /* not NULL */
} rsd_meter;

typedef struct rsd_calls {
    void *user; /* last argument of each callback */
    resida_excitation_fn *excitation;
    int n_u;
    double *u;           /* [3 n_u]: u, ud, udd at t_u */
    double t_u;          /* NaN: u is not valid */
    resida_excitation e; /* argument of the callbacks: u, or during differences in time a copy nearby */
    int input_moved;     /* component of u that is perturbed .. */
    double input_delta;  /* .. by so much; 0: none */
    int at_rest;         /* 1: ud = udd = 0, and position constraints have no bias */
    rsd_fault fault;     /* the last failure of a callback */
    rsd_meter meter;
    rsd_tally unmetered; /* the counts before a meter is set */
} rsd_calls;

/** RESIDA_ERR_MEMORY; *c is usable without an excitation then. The memory is of alloc, whose owner frees it. */
resida_status rsd_calls_init(rsd_calls *c, int n_u, resida_excitation_fn *excitation, void *user,
                             const resida_allocator *alloc);

/** admit NULL: all calls are admitted; tally NULL: calls are counted in c->unmetered. */
void rsd_calls_set_meter(rsd_calls *c, rsd_meter meter);

/** Add delta to component i of u, ud, udd, at each evaluation from now on; delta = 0: to none. */
void rsd_calls_move_input(rsd_calls *c, int i, double delta);

/** Copy the excitation and its perturbation to another copy of the model. */
void rsd_calls_follow(rsd_calls *to, const rsd_calls *from);

/** u, ud, udd at t into c->u. The verdict of the callback. */
int rsd_calls_renew_excitation(rsd_calls *c, double t);

/** The same, unless they are those at t already. */
static inline int rsd_calls_excitation(rsd_calls *c, double t)
{
    return c->n_u == 0 || t == c->t_u ? 0 : rsd_calls_renew_excitation(c, t);
}

/** 0, or the refusal of the meter. */
static inline int rsd_calls_admit(const rsd_calls *c, double t)
{
    return c->meter.admit ? c->meter.admit(c->meter.context, t) : 0;
}

static inline int rsd_calls_admit_constraint(const rsd_calls *c, double t)
{
    return c->meter.admit_constraint ? c->meter.admit_constraint(c->meter.context, t) : 0;
}

/** Begin and end a call of a callback: its verdict, with out [n], is returned and a failure kept. */
static inline int rsd_calls_enter(rsd_calls *c, rsd_callback which)
{
    return rsd_tally_enter(c->meter.tally, which);
}

static inline int rsd_calls_leave(rsd_calls *c, rsd_callback which, int back, double t, int verdict, const double *out,
                                  int n)
{
    rsd_tally_leave(c->meter.tally, back);
    return rsd_fault_note(&c->fault, rsd_callback_names[which], t, verdict, out, n);
}

/** out [n] of a callback of positions. Its verdict. */
static inline int rsd_ask_position(rsd_calls *c, rsd_callback which, resida_position_fn *callback, double t,
                                   const double *p, double *out, int n)
{
    const int back = rsd_calls_enter(c, which);
    const int verdict = rsd_call_position(t, p, &c->e, out, c->user, &c->fault.thrown, callback);
    return rsd_calls_leave(c, which, back, t, verdict, out, n);
}

/** out [n] of a callback of positions and velocities, or of y and y'. Its verdict. */
static inline int rsd_ask_velocity(rsd_calls *c, rsd_callback which, resida_velocity_fn *callback, double t,
                                   const double *p, const double *v, double *out, int n)
{
    const int back = rsd_calls_enter(c, which);
    const int verdict = rsd_call_velocity(t, p, v, &c->e, out, c->user, &c->fault.thrown, callback);
    return rsd_calls_leave(c, which, back, t, verdict, out, n);
}

#endif
