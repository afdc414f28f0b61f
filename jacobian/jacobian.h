/* jacobian.h - prepares J = dF/dy + alpha dF/dyp for the iteration of an attempt. The engine owns the factors of J and
 * decides which parts are renewed (renewal.h). It has three main functions:
 *
 *     rsd_jacobian_prepare()  decide which parts to renew, renew them, and factor J
 *     rsd_jacobian_solve()    delta = -c J^-1 F, c = 2/(1 + alpha/alpha_J)
 *     renewal.h               report the result of an iteration
 *
 * rsd_jacobian_prepare() and the functions of an integrator below return a verdict. It is 0 on success and > 0 if a
 * smaller step may succeed. It is < 0, a resida_status, if the integration must end. (A resida_status > 0 is a success
 * with a condition to report. No function returns both kinds.) */
#ifndef RSD_JACOBIAN_H
#define RSD_JACOBIAN_H

#include "base/linear/linear_solver.h"
#include "engine.h"
#include "renewal.h"

/** Factors of J. */
typedef struct rsd_factors {
    rsd_linear_solver *linear; /* linear solver with the factors of J; NULL: the integrator solves by rsd_matrix_ops */
    long pattern;              /* number (rsd_parts.number) of the pattern of J that the linear solver has analysed */
    long count;                /* number of factorisations of J */
    int singular_column;       /* column, from 1, at which the last factorisation failed; 0: it succeeded */
} rsd_factors;

/** Functions of an integrator whose iteration matrix A is a scaled J, or another matrix, such as that of several
 *  stages. Functions with a result return a verdict. factor() returns > 0 if A is singular. */
typedef struct rsd_matrix_ops {
    /** Pass the scales of J to the linear solver before J is factored for steps of size h. NULL: J is not scaled. */
    int (*scale)(void *self, rsd_linear_solver *linear, const resida_jacobian_matrix *J, double h);
    /* The next four functions replace the engine's linear solver. NULL: the engine factors J. */
    int (*set_up)(void *self, const rsd_plan *plan);          /* update J by rsd_jacobian_set_up() */
    int (*factor)(void *self);                                /* factor A */
    void (*solve)(void *self, double *b);                     /* compute b = A^-1 b */
    void (*get_costs)(const void *self, rsd_linear_costs *c); /* add the costs of a factorisation and a solution */
} rsd_matrix_ops;

/** Use of J by an integrator. */
typedef struct rsd_jacobian_use {
    const char *linear_solver; /* name of the linear solver of J; NULL: the integrator solves by ops */
    const rsd_matrix_ops *ops; /* functions for the matrix of the integrator; NULL: the engine factors J */
    void *self;                /* first argument of the functions in ops */
    resida_message *why;       /* message of a fatal error; may be NULL */
    rsd_profile *profile;      /* profile of times; NULL: none */
    int repairs;               /* 1: dF/dy may be repaired (repair.h) instead of evaluated */
    double max_rate;           /* convergence rate of Newton above which dF/dy is renewed; 0: RSD_WORST_RATE */
    long max_age;              /* maximum age of dF/dy in attempts; 0: no limit */
} rsd_jacobian_use;

/** Attach an integrator to the engine, and create the linear solver. @return RESIDA_OK; an error of
 *  rsd_linear_create() */
resida_status rsd_jacobian_attach(resida_jacobian *jac, const rsd_jacobian_use *use);

/** Set the attempt to solve the equations of a step; *attempt is copied. rsd_jacobian_prepare() reads y, yp and F of
 *  its point. */
void rsd_jacobian_set_attempt(resida_jacobian *jac, const rsd_attempt *attempt);

/** Update and factor J as needed for an iteration at the point of the attempt, where F is known. @return 0 on success;
 *  > 0: J cannot be set up at the point; < 0: a resida_status */
int rsd_jacobian_prepare(resida_jacobian *jac, rsd_occasion occasion);

/** Plan the setup of J at a point for a reason. The system is updated first (rsd_refresh_fn).
 *  @return 0 on success; the nonzero result of rsd_refresh_fn; RESIDA_ERR_ARGUMENT if the point is not finite */
int rsd_jacobian_plan_setup(resida_jacobian *jac, rsd_occasion occasion, resida_setup_reason reason,
                            const resida_jacobian_point *at, rsd_plan *plan);

/** Carry out a plan: update J at the point `at`, and record the setup in rsd_renewal. Integrators also call it.
 *  @return as resida_jacobian_setup() */
int rsd_jacobian_set_up(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at);

/** Write the message for a negative result of rsd_jacobian_prepare(). @return the status of the failure */
resida_status rsd_jacobian_report_failure(const resida_jacobian *jac, int verdict);

/** Compute delta = -c J^-1 F, c = 2/(1 + alpha/alpha_J). F, delta [stages n]; delta may be F. */
void rsd_jacobian_solve(resida_jacobian *jac, double alpha, const double *F, double *delta);

/** Return the state of J, and its factors, both owned by the engine. */
rsd_renewal *rsd_jacobian_get_renewal(resida_jacobian *jac);
rsd_factors *rsd_jacobian_get_factors(resida_jacobian *jac);

#endif
