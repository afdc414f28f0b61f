/* newton.h - the corrector iteration for the equations of a step, F(x) = 0, with a J that is kept:
 *
 *     x(m+1) = x(m) - c J^-1 F(x(m)),    c = 2/(1 + alpha/alpha_J)
 *
 * How F, J and its factors are made is a table of functions of who takes the steps (rsd_newton_ops); policy.h decides
 * about J, convergence.h about the iteration. The norm has weights of its own: error weights, of components of index 2
 * (lam, eta) times h, of index 3 times h^2, because their rounding grows like 1/h, 1/h^2. */
#ifndef RSD_NEWTON_H
#define RSD_NEWTON_H

#include <resida/solver.h>

#include "src/watch/blame.h"
#include "src/watch/guard.h"
#include "convergence.h"
#include "residual_norm.h"
#include "src/linear/linear_solver.h"

/** The equations, as the iteration sees them. Verdicts: 0; > 0 not possible here; < 0 stop, the guard says why. */
typedef struct rsd_newton_ops {
    /** x is where the iteration begins; tries: so many have failed from there in this attempt. */
    void (*begin)(void *self, int tries);
    /** F [size] at x. */
    int (*evaluate)(void *self, double *F);
    /** J at x, by rsd_newton_set_up_J(); and its factors, > 0: singular. */
    int (*set_up)(void *self, resida_setup_reason reason, rsd_setup_facts *J);
    int (*factor)(void *self);
    /** b [size] = J^-1 b. */
    void (*solve)(void *self, double *b);
    /** The norm that has to decrease where one iterates to rounding; else that of the weights. */
    double (*norm)(void *self, const double *delta);
    /** Where corrections delta [size] decrease no more: 1 if they are too large to be rounding. */
    int (*is_far)(void *self, const double *delta);
} rsd_newton_ops;

/** Whose steps, by what. Borrowed. */
typedef struct rsd_newton_system {
    const rsd_newton_ops *ops;
    void *self;
    const rsd_newton_rules *rules;
    rsd_guard *guard;
    resida_jacobian *engine;
    const resida_solver_options *o;
    int n, stages;             /* unknowns of F; of a step, at the most */
    rsd_linear_solver *linear; /* says what factors cost; NULL: nothing does */
} rsd_newton_system;

/** A table whose functions are timed: the one of system is made of these. */
typedef struct rsd_newton_timed {
    rsd_newton_ops ops;
    const rsd_newton_ops *own;
    void *self;
    rsd_profile *profile;
} rsd_newton_timed;

/** Have the functions of the system's table timed, if its guard has a profile. newton_timed.c */
void rsd_newton_time(rsd_newton_system *system, rsd_newton_timed *timed);

/** Since it was created. */
typedef struct rsd_newton_counts {
    long attempts, iterations, fails, solves;
    long setups[5]; /* by resida_setup_reason */
} rsd_newton_counts;

typedef struct rsd_newton {
    rsd_newton_system system;
    rsd_newton_timed timed; /* the table itself, where its functions are timed */
    rsd_policy policy;
    rsd_newton_facts facts;     /* of the attempt */
    rsd_costs costs;            /* as known since the last setup */
    int size;                   /* of x */
    rsd_residual_norm residual; /* what corrections may hide of F */
    rsd_blame blame;            /* what failed tries were lost by */
    rsd_newton_counts counts;
    int n_sensitivities;    /* linear systems that are iterated with J after each accepted attempt */
    double *F, *w;          /* [size] the last one; weights of the norm */
    double *delta, *before; /* [size] the last two corrections */
    const double *taken;    /* [size] the last one that was added to x: one of these */
} rsd_newton;

/** RESIDA_OK; RESIDA_ERR_MEMORY: what there is belongs to the owner of alloc. */
resida_status rsd_newton_create(rsd_newton *nw, const rsd_newton_system *system, const resida_allocator *alloc);

/** The integration starts anew where it was: J stays, but for what of it costs no residual call; elsewhere: J goes. */
void rsd_newton_restart(rsd_newton *nw);
void rsd_newton_forget(rsd_newton *nw);

/** What is known of F has changed, from outside: J is set up at the next attempt. */
void rsd_newton_renew(rsd_newton *nw);

/** Solve for x, from where the table begins. */
int rsd_newton_solve(rsd_newton *nw, const rsd_newton_attempt *a);

/** One correction, added to x, and no more: J is set up if it has to be, and stays. No attempt is counted. */
int rsd_newton_correct_once(rsd_newton *nw, const rsd_newton_attempt *a);

/** J and its factors at the end of the last attempt, which has converged; F is known there, too. For what else is
 *  solved with them. As set_up(). */
int rsd_newton_set_up_here(rsd_newton *nw);

/** Something was lost by this component; -1: not known, and not noted. */
void rsd_newton_blame(rsd_newton *nw, int component);

/** The attempt has ended, with what follows on the iteration: the next one will know. */
void rsd_newton_end(rsd_newton *nw, int verdict);

/** One call of the engine, counted, for set_up() of the table. *current as resida_jacobian_setup() has it. */
int rsd_newton_set_up_J(rsd_newton *nw, resida_setup_reason reason, const resida_jacobian_point *at, int *current);

/** The integration must end: the guard has this status, < 0, which is returned. */
int rsd_newton_stop(rsd_newton *nw, resida_status status);

/** What it has counted. */
void rsd_newton_stats(const rsd_newton *nw, resida_stats *s);

#endif
