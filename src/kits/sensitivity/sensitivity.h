/* sensitivity.h - sensitivities s = dy/dtheta of the BDF by the staggered corrector method (Feehery, Tolsma, Barton
 * 1997). After each accepted step from t_{n-1} to t_n = t_{n-1} + h with order k, the linear equation
 *
 *     F_y s_n + F_yp (s'0 + alpha (s_n - s0)) + F_theta = 0
 *
 * is solved for s_n. s0, s'0 is the predictor, the polynomial through the last k + 1 values of s on the grid of y. The
 * iteration s += -c J^-1 R uses the current factors of J and c of the corrector iteration for y. R is one directional
 * difference of F (Maly, Petzold 1996):
 *
 *     R = (F(t, y + delta s, y' + delta s'; theta + delta) - F(t, y, y'; theta)) / delta
 *
 * F at theta + delta is evaluated by a perturbed problem. If delta s is too large for a difference, the parts along s
 * and along theta are differenced separately. */
#ifndef RSD_SENSITIVITY_H
#define RSD_SENSITIVITY_H

#include <resida/sensitivity.h>

#include "src/core/solver/solver_impl.h"

enum { RSD_SENSITIVITY_POINTS = 7 }; /* maximum number of points of a polynomial: a new one and six of order 5 */

/** The convergence rate of the iteration for one parameter. All members are 0 before a rate was measured.
 *
 *  The equation for s is linear. Therefore the rate depends only on J, on its alpha and the age of its parts. If a rate
 *  for y is predicted (jacobian/renewal.c), the rate for s is predicted with the last measured ratio of both
 *  rates. The ratio is not 1, because s changes along other directions. If J is always evaluated as a whole, the rate
 *  is measured at each step. */
typedef struct rsd_tangent_rate {
    double factor;    /* rate/(1 - rate) of the last measured rate; 0: no rate was measured */
    double expected;  /* rate of the iteration for y that was predicted when the rate was measured */
    long steps_since; /* steps since a rate was measured */
} rsd_tangent_rate;

/** Data of the iterations of previous steps. */
typedef struct rsd_tangent_measured {
    rsd_tangent_rate rate; /* last measured convergence rate */
    double first_norm;     /* norm of the first correction when the rate was last measured; 0: none */
    double rounding;       /* estimated norm of corrections that rounding errors of F cause */
} rsd_tangent_measured;

/** Sensitivity to one parameter. */
typedef struct rsd_tangent {
    resida_sensitivity by;             /* the parameter, with own arrays dy0, dyp0 */
    rsd_guard guard;                   /* guard of the perturbed problem */
    resida_message message;            /* message of the guard */
    double *s[RSD_SENSITIVITY_POINTS]; /* [n_y] sensitivities at previous times, latest first */
    double *sp;                        /* [n_y] derivative s' at a start, where the history has only one point */
    double *out, *out_rate;            /* [n_y] sensitivity and its derivative at the output time */
    double *dy0, *dyp0;                /* [n_p], [n_v] derivatives at the next start of p, v; or [n], [n] of y, y' */
    int computes_yp;                   /* 1: the start of the perturbed general DAE computes y', without dyp0 */
    double *size;                      /* [n_y] largest |s| so far */
    rsd_tangent_measured measured, previous; /* data of the last iterations; a copy from before the last step */
} rsd_tangent;

/** Lagrange weights: value and derivative of a polynomial at one time are weighted sums of its values at the points. */
typedef struct rsd_tangent_weights {
    int count;                                                           /* number of points */
    double value[RSD_SENSITIVITY_POINTS], slope[RSD_SENSITIVITY_POINTS]; /* weights of value; of derivative */
} rsd_tangent_weights;

/** Sensitivities to all parameters. */
typedef struct rsd_sensitivities {
    rsd_carried carried;              /* interface to the integrator */
    rsd_owner owner;                  /* owner of all memory except the struct itself */
    resida_allocator alloc;           /* allocator whose blocks `owner` frees */
    int n_y, n_start, n_rate;         /* number of unknowns; size of dy0; size of dyp0 */
    rsd_tangent *each;                /* [n] sensitivity to each parameter */
    resida_sensitivity_counts counts; /* counters for the user */
    int order;                        /* order of the last step */
    double t[RSD_SENSITIVITY_POINTS]; /* times of the points, in the integrator's time */
    rsd_tangent_weights predictor;    /* weights of the predictor in the last step */
    double *y, *yp, *F, *F_theta;     /* [n_y] perturbed y and yp; F at this point; separate difference dF/dtheta */
    double *size;                     /* [n_y] largest |y| so far */
    double *rtol, *tested;            /* [n_y] relative tolerances; 1: the component is in the error test */
    double *R, *w, *ewt;              /* [n_y] residual or correction; weights of the iteration; error weights */
    int skips_start; /* 1: the next start is skipped, because the effect of an event on s is unknown yet */
} rsd_sensitivities;

/** The functions restart, step and reach of the interface carried.h. */
void rsd_sensitivities_restart(rsd_carried *x);
int rsd_sensitivities_step(rsd_carried *x, rsd_carried_step *step);
void rsd_sensitivities_interpolate(rsd_carried *x, double t);

/** Return the sensitivities of a solver, or NULL if the solver has none. */
rsd_sensitivities *rsd_get_sensitivities(const resida_solver *s);

/** Start the histories at a start of the solver. No effect without sensitivities. See solver_sensitivity.c. */
resida_status rsd_sensitivities_start(resida_solver *s, const rsd_carried_start *at);

/** Begin or end calls of the perturbed problem of a sensitivity. The calls count in the budgets of guard. */
void rsd_tangent_begin_calls(rsd_tangent *one, const rsd_guard *guard);
void rsd_tangent_end_calls(rsd_tangent *one, rsd_guard *guard);

#endif
