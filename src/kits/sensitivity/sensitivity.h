/* sensitivity.h - sensitivities s = dy/dtheta of the BDF by the staggered corrector method (Feehery, Tolsma,
 * Barton 1997): after each accepted step from t_{n-1} to t_n = t_{n-1} + h with order k, solve
 *
 *     F_y s_n + F_yp (s'0 + alpha (s_n - s0)) + F_theta = 0,
 *
 * s0, s'0 the predictor: the polynomial through the last k + 1 values of s, on the grid of y. The linear equation is
 * iterated with the current factors of J, s += -c J^-1 R, R by one directional difference of F (Maly, Petzold 1996):
 *
 *     R = (F(t, y + delta s, y' + delta s'; theta + delta) - F(t, y, y'; theta)) / delta
 *
 * F at theta + delta is that of a perturbed problem. Where delta s is too large for a difference, the parts along s and
 * along theta are differenced separately. */
#ifndef RSD_SENSITIVITY_H
#define RSD_SENSITIVITY_H

#include <resida/sensitivity.h>

#include "src/core/solver/solver_impl.h"

enum { RSD_SENSITIVITY_POINTS = 7 }; /* the new one, and six for a predictor of order 5 */

/** The convergence rate of the iteration for one parameter. All 0: none was measured.
 *
 *  The equation for s is linear: its rate depends on J alone, on its alpha and on the age of its parts. Where a rate
 *  for y is predicted (jacobian/renewal_cost.c), the ratio of the rate for s, along other directions, to it is assumed
 *  to be that measured last. Where J is always evaluated as a whole, it is measured at each step. */
typedef struct rsd_tangent_rate {
    double factor;   /* rate/(1 - rate) of the last measured rate; 0: none */
    double expected; /* rate for y that was predicted then */
    long unseen;     /* steps since then */
} rsd_tangent_rate;

/** What the iterations of earlier steps have shown. */
typedef struct rsd_tangent_learnt {
    rsd_tangent_rate rate;
    double seen;     /* norm of the first correction when the rate was measured last; 0: never */
    double rounding; /* norm of corrections that are rounding errors of F */
} rsd_tangent_learnt;

/** The sensitivity by one parameter. */
typedef struct rsd_tangent {
    resida_sensitivity by; /* dy0, dyp0 in own memory */
    rsd_guard guard;       /* of the perturbed problem */
    resida_message message;
    double *s[RSD_SENSITIVITY_POINTS]; /* [n_y] history, the latest first */
    double *sp;                        /* [n_y] s' if the history has one point */
    double *out, *outp;                /* [n_y] s, s' at the output time */
    double *dy0, *dyp0;                /* of the next start: [n_p], [n_v]; of a general DAE [n], [n] */
    int finds_yp;                      /* 1: of a general DAE, dyp0 is to be found */
    double *size;                      /* [n_y] largest |s| so far */
    rsd_tangent_learnt learnt, before; /* now; before the last step, which may be repeated */
} rsd_tangent;

/** Weights of the values of a polynomial, for its value and its derivative at t. */
typedef struct rsd_tangent_weights {
    int count; /* of points */
    double value[RSD_SENSITIVITY_POINTS], slope[RSD_SENSITIVITY_POINTS];
} rsd_tangent_weights;

/** The sensitivities by all parameters. */
typedef struct rsd_sensitivities {
    rsd_carried carried; /* as the integrator knows them */
    rsd_owner owner;     /* of all memory but the struct itself */
    resida_allocator alloc;
    int n_y, n_start, n_rate; /* unknowns; sizes of dy0, of dyp0 */
    rsd_tangent *each;        /* [n] */
    resida_sensitivity_counts counts;
    int order;                        /* of the last step */
    double t[RSD_SENSITIVITY_POINTS]; /* of the history, in the integrator's time */
    rsd_tangent_weights predictor;    /* of the last step */
    double *y, *yp, *F, *F_theta;     /* [n_y] perturbed point, F there; dF/dtheta if separate */
    double *size;                     /* [n_y] largest |y| so far */
    double *rtol, *tested;            /* [n_y] of the options; 1: in the error test, 0: not */
    double *R, *w, *ewt;              /* [n_y] residual or correction; weights of the iteration, of the error */
    int waits;                        /* 1: skip the next start: the effect of an event on s is not known */
} rsd_sensitivities;

/** Begin all histories with s[0] at t and its derivative sp. */
void rsd_sensitivities_begin(rsd_sensitivities *x, double t);

/** The verbs of carried.h. */
void rsd_sensitivities_restart(rsd_carried *x);
int rsd_sensitivities_step(rsd_carried *x, rsd_carried_step *step);
void rsd_sensitivities_reach(rsd_carried *x, double t);

/** Those of a solver; NULL: none. */
rsd_sensitivities *rsd_sensitivities_of(const resida_solver *s);

/** Begin with the start of the solver; nothing is done without sensitivities. solver_sensitivity.c */
resida_status rsd_sensitivities_start(resida_solver *s, const rsd_carried_start *at);

/** Begin, and end, evaluations of the perturbed problem, which count in the budgets of guard. */
void rsd_tangent_enter(rsd_tangent *one, const rsd_guard *guard);
void rsd_tangent_leave(rsd_tangent *one, rsd_guard *guard);

#endif
