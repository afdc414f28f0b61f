/* callback.h - the layer that calls all functions of the caller: callbacks of models, of the Jacobian engine and of the
 * solver, and allocators. No other part of the library calls them. A callback of a model receives the excitation at t.
 * The layer counts the call, measures its time, and records a failure: the callback, and the returned value, the
 * exception, or the component that is NaN or Inf. The caller first checks budgets (rsd_calls_check_budget()).
 *
 * Neither this library nor those that it calls can be unwound. Therefore a C++ exception ends here. It becomes a fatal
 * result, RESIDA_ERR_USER, and its text is stored in `thrown` (NULL: not stored). A library that is built without C++
 * has the same functions but catches no exception: an exception ends the program, as in a noexcept function. */
#ifndef RSD_CALLBACK_H
#define RSD_CALLBACK_H

#include <resida/adapter.h>
#include <resida/dae.h>
#include <resida/jacobian.h>
#include <resida/mechanism.h>
#include <resida/model.h>
#include <resida/products.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "profile.h"
#include "vector_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The text of a C++ exception that a callback threw. */
typedef struct rsd_thrown {
    int is_new;     /* 1: an exception was caught after is_new was last set to 0 */
    char text[100]; /* text of the exception, truncated */
} rsd_thrown;

/** A failure of a callback. */
typedef struct rsd_fault {
    const char *callback; /* name of the failed callback in resida_mechanism or resida_dae; NULL: no failure */
    int verdict;          /* result of the callback, RESIDA_ERR_USER after an exception; 0: NaN or Inf in the output */
    int component;        /* index of the first output component that is not finite; -1: unknown */
    int is_unset;         /* 1: the callback has never written a number to this component */
    double t;             /* time of the failed call [s] */
    int has_thrown;       /* 1: the callback threw an exception */
    rsd_thrown thrown;    /* text of the last exception */
} rsd_fault;

/** Budget of a run and counters of the calls of callbacks. */
typedef struct rsd_meter {
    int (*admit)(void *context, double t); /* called before each call of the formalism; < 0 stops the run */
    int (*admit_constraint)(void *context,
                            double t); /* called before each call of g and of products; < 0 stops the run */
    void *context;                     /* first argument of the functions that check the budget */
    rsd_tally *tally;                  /* counters of the calls of each callback; not NULL */
} rsd_meter;

/** The callback that evaluates Phi (residual formalism) or phi (explicit formalism), with or without argument lam. */
typedef struct rsd_formalism {
    rsd_callback which;                   /* number of the callback, for counters and messages */
    int n;                                /* number of components of the output */
    resida_residual_fn *residual;         /* callback without the argument lam, if `which` has none */
    resida_residual_lam_fn *residual_lam; /* callback with the argument lam, if `which` has it */
} rsd_formalism;

/** Arguments that all callbacks of a model get, and the record of their calls. */
typedef struct rsd_calls {
    void *user;                       /* argument `user` of all callbacks */
    resida_excitation_fn *excitation; /* callback for u, ud, udd; NULL: no excitations */
    rsd_formalism formalism;          /* callback for Phi or phi of a mechanism; empty for a general DAE */
    int n_u;                          /* number of excitations */
    double *u;                        /* [3 n_u] excitations u, ud, udd at time t_u */
    double t_u;                       /* time of u [s]; NaN: u is not valid */
    resida_excitation e;              /* excitations passed to callbacks: u at t, or at a nearby time in differences */
    int input_moved;                  /* index in u, ud, udd of the perturbed component */
    double input_delta;               /* perturbation of the component input_moved; 0: none */
    int at_rest;                      /* 1: ud = udd = 0, and the biases dg/dt and gamma of constraints are 0 */
    rsd_fault fault;                  /* last failed callback, or the first one with a nonfinite output */
    unsigned char complete[RSD_N_CALLBACKS]; /* 1: the callback has once set its whole output */
    rsd_meter meter;                         /* budget checks and counters in use */
    rsd_tally unmetered;                     /* counters of calls while `meter` has no tally of its own */
} rsd_calls;

/** Whether exceptions of callbacks are caught (1) or end the program (0). */
extern const int rsd_callbacks_are_caught;

struct resida_newton_end;
struct resida_step;
struct resida_state;

/* Declare a function that calls a callback and returns its result, for each entry of callback_calls.h, such as int
 * rsd_call_position(rsd_calls *c, rsd_callback which, resida_position_fn *callback, double t, ..). */
#define RSD_CALL(name, parameters, which, n, call) int name parameters;
#define RSD_RESULT(name, parameters, call)         int name parameters;
#define RSD_DONE(name, parameters, call)           int name parameters;
#include "callback_calls.h"

/** Call the functions of an allocator. rsd_call_allocate() returns NULL if there is no memory, or on an exception. */
void *rsd_call_allocate(size_t bytes, const resida_allocator *a);
void rsd_call_free(void *block, const resida_allocator *a);

/** Initialise *c. u is allocated by alloc. @return RESIDA_OK; RESIDA_ERR_MEMORY: *c has no excitation */
resida_status rsd_calls_init(rsd_calls *c, int n_u, resida_excitation_fn *excitation, void *user,
                             const resida_allocator *alloc);

/** Set the meter of the calls. admit NULL: all calls are admitted; tally NULL: calls are counted in c->unmetered. */
void rsd_calls_set_meter(rsd_calls *c, rsd_meter meter);

/** Add delta to component i of the excitation (u, ud, udd) in later evaluations. delta = 0 ends the perturbation. */
void rsd_calls_perturb_input(rsd_calls *c, int i, double delta);

/** Copy the excitation, its time and its perturbation to another copy of the model. */
void rsd_calls_copy_state(rsd_calls *to, const rsd_calls *from);

/** Evaluate u, ud, udd at t into c->u by a call of the excitation callback. @return the result of the callback */
int rsd_calls_renew_excitation(rsd_calls *c, double t);

/** Evaluate u, ud, udd at t, unless c->u contains them already. @return the result of the callback */
static inline int rsd_calls_eval_excitation(rsd_calls *c, double t)
{
    return c->n_u == 0 || t == c->t_u ? 0 : rsd_calls_renew_excitation(c, t);
}

/** Check the budget before a call at t. @return 0 if the call is permitted, otherwise the result < 0 of the meter */
static inline int rsd_calls_check_budget(const rsd_calls *c, double t)
{
    return c->meter.admit ? c->meter.admit(c->meter.context, t) : 0;
}

/** Check the budget before a call of g at t, in loops without the formalism. @return as rsd_calls_check_budget() */
static inline int rsd_calls_check_g_budget(const rsd_calls *c, double t)
{
    return c->meter.admit_constraint ? c->meter.admit_constraint(c->meter.context, t) : 0;
}

/** @name Failures The first output with NaN or Inf is recorded; later ones are its effects, and are ignored.
 *  rsd_fault_clear() deletes the record, for example if the output is not used. @{ */
/** Record a failed call: its nonzero verdict, or the first component of out [n] that is not finite. @return verdict */
int rsd_fault_record(rsd_fault *fault, const char *callback, double t, int verdict, const double *out, int n);

/** The description of a failure of a callback, such as "returned -3" or "threw ..." */
typedef struct rsd_fault_end {
    char text[sizeof "threw " + sizeof((rsd_thrown *)0)->text];
} rsd_fault_end;
rsd_fault_end rsd_fault_describe(const rsd_fault *fault, int verdict);

/** Return 1 if the recorded failure is an output that is not finite. */
int rsd_fault_is_nonfinite(const rsd_fault *fault);

void rsd_fault_clear(rsd_fault *fault);
/** @} */

/** @name A NaN with special bits, which marks an output component that a callback has not written @{ */
#define RSD_UNSET_BITS UINT64_C(0x7ff8756e73657400)

static inline double rsd_make_unset(void)
{
    const uint64_t bits = RSD_UNSET_BITS;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline int rsd_is_unset(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits == RSD_UNSET_BITS;
}
/** @} */

/** Count a call and start the clock of the callback. out [n] is filled with rsd_make_unset() before each call until the
 *  callback has set all of it once. Therefore a component that it never sets is reported.
 *  @return argument of rsd_calls_end() */
static inline int rsd_calls_begin(rsd_calls *c, rsd_callback which, double *out, int n)
{
    if (!c->complete[which])
        for (int i = 0; i < n; i++) out[i] = rsd_make_unset();
    return rsd_tally_begin_call(c->meter.tally, which);
}

/** End a call that rsd_calls_begin() began, with output out [n], and record a failure. @return verdict */
static inline int rsd_calls_end(rsd_calls *c, rsd_callback which, int back, double t, int verdict, const double *out,
                                int n)
{
    rsd_profile_leave(c->meter.tally->profile, back);
    if (verdict == 0 && rsd_all_finite(out, n)) {
        c->complete[which] = 1;
        return 0;
    }
    return rsd_fault_record(&c->fault, rsd_callback_names[which], t, verdict, out, n);
}

#ifdef __cplusplus
}
#endif
#endif
