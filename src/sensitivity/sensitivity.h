/* sensitivity.h - derivatives s = dy/dtheta along the steps of the BDF, by the staggered corrector (Feehery, Tolsma,
 * Barton 1997): each accepted step, from t_{n-1} to t_n = t_{n-1} + h with order k, is solved for s as it was for y,
 *
 *     F_y s_n + F_yp (s'0 + alpha (s_n - s0)) + F_theta = 0,
 *
 * s0, s'0 the predictor: the polynomial through the last k + 1 values of s, on the grid of y. The equation is linear;
 * it is iterated with the factors at hand, s += -c J^-1 R, R by one directed difference of F (Maly, Petzold 1996):
 *
 *     R = (F(t, y + delta s, y' + delta s'; theta + delta) - F(t, y, y'; theta)) / delta
 *
 * What has theta + delta is another problem of the same shape. Where delta s is too large for a difference, the two
 * parts are differenced one by one. */
#ifndef RSD_SENSITIVITY_H
#define RSD_SENSITIVITY_H

#include <resida/sensitivity.h>

#include "src/watch/guard.h"
#include "rate.h"

enum { RSD_SENSITIVITY_POINTS = 7 }; /* the new one, and six that a predictor of order 5 takes */

/** By one parameter. */
typedef struct rsd_tangent {
    resida_sensitivity by; /* dy0, dyp0 in own memory */
    rsd_guard guard;       /* of the moved problem */
    resida_message message;
    double *s[RSD_SENSITIVITY_POINTS]; /* [n] the latest first */
    double *sp;                        /* [n] at the only point there is */
    double *out, *outp;                /* [n] at the time reached */
    double *dy0, *dyp0;                /* of the next start: [n_p], [n_v]; of a general DAE [n], [n] */
    int finds_yp;                      /* of a general DAE: dyp0 is not known */
    double *size;                      /* [n] how large s has been */
    rsd_tangent_rate rate;
    double seen;     /* norm of a first correction when a rate was seen last; 0: none was */
    double rounding; /* in tolerances: corrections that are that of F */
} rsd_tangent;

/** Of the values of a polynomial at points, for its value and its derivative. */
typedef struct rsd_tangent_weights {
    int count; /* of points */
    double value[RSD_SENSITIVITY_POINTS], slope[RSD_SENSITIVITY_POINTS];
} rsd_tangent_weights;

/** By all of them. */
typedef struct rsd_sensitivities {
    rsd_owner owner; /* of all memory but the struct itself */
    resida_allocator alloc;
    int n, n_y, n_start, n_rate; /* parameters; unknowns; of dy0; of dyp0 */
    rsd_tangent *each;           /* [n] */
    resida_sensitivity_counts counts;
    int points, order;                /* of the history; of the last step */
    double t[RSD_SENSITIVITY_POINTS]; /* times of the integrator */
    rsd_tangent_weights predictor;    /* of the last step */
    long steps;                       /* that were told since the history began */
    double *y, *yp, *F, *F_theta;     /* [n_y] where a moved problem is evaluated, F there; dF/dtheta, where apart */
    double *size;                     /* [n_y] how large y has been */
    double *rtol, *tested;            /* [n_y] of the options; 1 of what s is judged by, 0 of multipliers */
    double *R, *w, *ewt;              /* [n_y] a correction; weights */
    int waits;                        /* the next start of the solver is not theirs: what an event does is not known */
} rsd_sensitivities;

/** A step that was accepted, and the kernel that solved it. Functions get `self`. */
typedef struct rsd_tangent_step {
    double t, end;    /* its end, for F; in the integrator's time */
    double h, alpha;  /* its size, and that of J wanted */
    int order;        /* k */
    double tolerance; /* of the iteration */
    rsd_tangent_J J;
    const double *y, *yp, *F; /* [n] near its end, and F there */
    const double *ewt;        /* [n] error weights of y there */
    const resida_solver_options *o;
    rsd_guard *guard; /* of F at theta */
    void *self;
    void (*solve)(void *self, double alpha, double *b); /* b = -c J^-1 b, c for this alpha */
    int (*renew)(void *self);                           /* J, F at the very end of the step; the verdict */
} rsd_tangent_step;

/** The history of all is s[0] at t, with derivative sp. */
void rsd_sensitivities_begin(rsd_sensitivities *x, double t);

/** The integrator begins anew where the last step ended. */
void rsd_sensitivities_begin_anew(rsd_sensitivities *x);

/** s at the end of a step. 0; < 0: the guard of the step says why. */
int rsd_sensitivities_step(rsd_sensitivities *x, rsd_tangent_step *step);

/** out, outp at t, a time of the integrator within the last step. */
void rsd_sensitivities_reach(rsd_sensitivities *x, double t);

/** A moved problem is evaluated on behalf of a guard, and is no more. */
void rsd_tangent_enter(rsd_tangent *one, const rsd_guard *guard);
void rsd_tangent_leave(rsd_tangent *one, rsd_guard *guard);

#endif
