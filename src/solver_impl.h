/* solver_impl.h - the solver that the user holds: guard, Jacobian engine, integrator, and the state at the time
 * reached. */
#ifndef RSD_SOLVER_IMPL_H
#define RSD_SOLVER_IMPL_H

#include "integrator.h"
#include "structure.h"

struct resida_solver {
    resida_allocator alloc;
    resida_problem *problem;
    resida_solver_options o; /* atol_each points into own memory */
    double *atol_each;       /* [n] */
    rsd_guard guard;
    rsd_structure structure;    /* known entries of J, of a mechanism */
    unsigned char *dae_columns; /* [n] resida_column bits of a general DAE */
    resida_jacobian *engine;
    rsd_integrator *integrator;
    resida_message message;
    double *y_new, *yp_new;  /* [n] a start in the making */
    double *p, *v, *a, *lam; /* likewise, by parts; NULL for a general DAE */
    double t;                /* time reached */
    int started;             /* there is a state */
    int busy;                /* within a call: callbacks may not call the solver */
    int failed;              /* the last integration failed: the next start forgets all that was learnt */
    int at_event;            /* the last call ended with an event */
    long starts, events;
};

/** What the Jacobian engine works on; fills s->structure or s->dae_columns. */
resida_status rsd_solver_system(resida_solver *s, resida_system *system, resida_message *why);

resida_status rsd_check_solver_options(const resida_solver_options *o, int n, resida_message *why);

#endif
