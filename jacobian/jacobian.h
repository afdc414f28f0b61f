/* jacobian.h - J = dF/dy + alpha dF/dyp for the iteration of an attempt. J owns its factors, decides what of it is
 * renewed (renewal.h), and has three verbs:
 *
 *     rsd_jacobian_prepare()  decide what to renew, renew it, and factor J
 *     rsd_jacobian_solve()    delta = -c J^-1 F, c = 2/(1 + alpha/alpha_J)
 *     rsd_renewal_report()    what the iteration has shown */
#ifndef RSD_JACOBIAN_H
#define RSD_JACOBIAN_H

#include "base/linear/linear_solver.h"
#include "engine.h"
#include "renewal.h"

/** The factors of J. */
typedef struct rsd_factors {
    rsd_linear_solver *linear; /* NULL: none of its own */
    long pattern;              /* of the matrix that it knows */
    long count;                /* factorisations */
    int singular_column;       /* of the last failed factorisation, from 1; 0: none */
} rsd_factors;

/** What an integrator makes of J: a scaled one, or another matrix, as that of several stages. Functions return 0, or a
 *  resida_status that ends the integration; factor > 0: singular. */
typedef struct rsd_matrix_ops {
    /** Pass the scales to the linear solver, before J is factored for steps of size h. NULL: not scaled. */
    int (*scale)(void *self, rsd_linear_solver *linear, const resida_jacobian_matrix *J, double h);
    /* In the place of the linear solver of J; else NULL. */
    int (*set_up)(void *self, const rsd_plan *plan, rsd_setup_facts *J); /* by rsd_jacobian_set_up() */
    int (*factor)(void *self);
    void (*solve)(void *self, double *b); /* b = A^-1 b */
} rsd_matrix_ops;

/** How an integrator uses J. */
typedef struct rsd_jacobian_use {
    const char *linear_solver; /* kind of the linear solver of J; NULL: ops have their own */
    const rsd_matrix_ops *ops; /* NULL: J as it is */
    void *self;                /* for ops */
    resida_message *why;       /* of what ends the integration, borrowed; may be NULL */
    rsd_profile *profile;      /* NULL: none */
    int repairs;               /* 1: repair dF/dy by the factors, where that takes fewer calls than an evaluation */
    double max_rate;           /* of convergence, above which dF/dy is evaluated; 0: one that fails */
    long max_age;              /* attempts that dF/dy may serve; 0: any number */
} rsd_jacobian_use;

/** Attach an integrator. RESIDA_OK; as rsd_linear_create() */
resida_status rsd_jacobian_attach(resida_jacobian *jac, const rsd_jacobian_use *use);

/** Take an attempt over. y, yp and F of its point are read by prepare(). */
void rsd_jacobian_begin(resida_jacobian *jac, const rsd_attempt *attempt);

/** Prepare J at the point of the attempt, where F is known. it: the iteration so far.
 *  @return 0; > 0 not possible here; < 0 stop, a resida_status */
int rsd_jacobian_prepare(resida_jacobian *jac, rsd_occasion occasion, const rsd_iteration *it);

/** The plan of a setup at a point. */
rsd_plan rsd_jacobian_plan(resida_jacobian *jac, rsd_occasion occasion, resida_setup_reason reason,
                           const resida_jacobian_point *at);

/** Set J up by a plan at a point, for rsd_matrix_ops. @return as resida_jacobian_setup() */
int rsd_jacobian_set_up(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at,
                        rsd_setup_facts *J);

/** Write the message of a negative verdict of prepare(). @return the status */
resida_status rsd_jacobian_failure(const resida_jacobian *jac, int verdict);

/** delta = -c J^-1 F for alpha, [stages n]; delta may be F. */
void rsd_jacobian_solve(resida_jacobian *jac, double alpha, const double *F, double *delta);

/** What is known of J, and its factors, in its memory. */
rsd_renewal *rsd_jacobian_renewal(resida_jacobian *jac);
rsd_factors *rsd_jacobian_factors(resida_jacobian *jac);

#endif
