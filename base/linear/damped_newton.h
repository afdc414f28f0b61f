/* damped_newton.h - damped Newton iteration for F(x) = 0, error oriented (P. Deuflhard, Newton Methods for Nonlinear
 * Problems, 2004, section 3.3). The correction dx = -J^-1 F(x) is multiplied by a damping factor lambda <= 1. The
 * iterate x + lambda dx is accepted if the next correction dx' with the same J is shorter:
 *
 *     |dx'| <= (1 - lambda/4) |dx|,    dx' = -J^-1 F(x + lambda dx)
 *
 * The test does not depend on the scaling of the equations. The first lambda of an iteration is predicted from the last
 * iteration, whose quantities have the subscript 0, and is at least 4 lambda_0. After a failed test lambda is reduced
 * by the measured nonlinearity:
 *
 *     lambda = |dx_0| |dx'_0| lambda_0 / (|dx'_0 - dx| |dx|),    lambda <- lambda^2 |dx| / (2 |dx' - (1 - lambda) dx|)
 *
 * The caller owns x, the matrix and the corrections, and scales the unknowns in its norm. */
#ifndef RSD_DAMPED_NEWTON_H
#define RSD_DAMPED_NEWTON_H

/** Reason for the end of a damped Newton iteration. */
typedef enum rsd_damped_end {
    RSD_DAMPED_SOLVED,
    RSD_DAMPED_SINGULAR,      /* the Jacobian at x is singular */
    RSD_DAMPED_NO_DESCENT,    /* no damping factor lambda passes the monotonicity test */
    RSD_DAMPED_NOT_EVALUABLE, /* F could not be evaluated with the last lambda, and no other lambda passes */
    RSD_DAMPED_LIMIT,         /* max_iterations is reached */
    RSD_DAMPED_STOPPED        /* a callback returned < 0 */
} rsd_damped_end;

/** Results of the callback `correct`. */
enum { RSD_HAS_CORRECTION = 0, RSD_IS_SINGULAR = 1, RSD_IS_SOLVED = 2 };

/** The callbacks of a damped Newton iteration; a result < 0 stops the iteration. */
typedef struct rsd_damped_equations {
    /** Factor J at x, where F is known, and compute dx. *max_lambda is 1 on entry, and may be reduced to limit lambda
     *  along a dx on which F is nonlinear.
     *  @return RSD_HAS_CORRECTION; RSD_IS_SINGULAR; RSD_IS_SOLVED: x is a solution */
    int (*correct)(void *self, double *max_lambda);
    /** Evaluate F at x + lambda dx, and compute dx'. @return 0 on success; > 0 if F cannot be evaluated there */
    int (*attempt)(void *self, double lambda);
    /** Compute the norm of the caller. @return |a dx' + b dx| */
    double (*norm)(void *self, double a, double b);
    /** Replace x and F by those of the last attempt. @return 0 on success; > 0 if F cannot be evaluated there */
    int (*accept)(void *self);
    /** Check x after a search for lambda. has_moved = 0: x is unchanged. @return 1 if x is a solution, else 0 */
    int (*is_solved)(void *self, int has_moved);
} rsd_damped_equations;

typedef struct rsd_damped_iteration {
    const rsd_damped_equations *equations;
    void *self;         /* first argument of the callbacks */
    int max_iterations; /* maximum number of iterations */
    int is_untested;    /* 1: accept the first lambda at which F can be evaluated, without the monotonicity test */
    int iterations;     /* output: number of iterations */
    int verdict;        /* output: result < 0 of the callback that stopped the iteration; else 0 */
} rsd_damped_iteration;

/** Iterate from the current x.
 *  Cost: an evaluation of F for each attempt, usually one in an iteration; correct() once in each iteration */
rsd_damped_end rsd_damped_iterate(rsd_damped_iteration *it);

#endif
