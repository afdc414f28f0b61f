/* ida_jump.h - steps that converge, but cannot pass IDA's error test, or should not, whatever their size: the
 * integration restarts at the last accepted state, at order 1 with the present J.
 *
 * - The step was cut to less than a tenth of the one before, and what it finds is predicted neither by the history nor
 *   by the last state with its derivatives, y_n + h y'_n. IDA's estimate of the error, |e| h/(h + h_last), is right for
 *   smooth motion alone, and accepts anything in a step so short: a body left a wall with 0.016 of its 0.1 m/s. Where
 *   the last derivatives do foretell it, the motion has turned sharply, and the history is of use.
 * - The correction does not depend on the step: it is that of the state, which was accepted off the constraints. It is
 * put right. */
#ifndef RSD_IDA_JUMP_H
#define RSD_IDA_JUMP_H

#include <resida/problem.h>

#include "base/memory.h"

/** A converged attempt, that is a retry or was cut. */
typedef struct rsd_jump_attempt {
    int n;
    double from, h; /* where it began, and how far it went */
    double size;    /* of e, in the norm of the error test without forces of contacts */
    const resida_kind *kinds;
    const double *tested; /* [n] weights in the error test besides; NULL: of forces of contacts there are none */
    double alpha;
    const double *y, *yp, *e, *weight; /* [n] predictor; its derivatives; correction; of the error test */
} rsd_jump_attempt;

typedef struct rsd_jump {
    double h;               /* > 0: restart, with a step of about that size */
    int is_off;             /* e is what the state is off by */
    double *e, *d;          /* [n] correction of the last one watched; for a difference */
    double *y, *yp;         /* [n] at the end of the last accepted step */
    double *y_end, *yp_end; /* [n] of the last converged attempt */
    double t, t_end;        /* ends of both */
    double from, h_e;       /* of the last one watched: where it began, how far it went */
    double put_at;          /* where a state was put right last: not twice */
    double most_off;        /* tolerances that a state may be put right by */
} rsd_jump;

resida_status rsd_jump_create(rsd_jump *x, int n, const resida_allocator *alloc);
void rsd_jump_reset(rsd_jump *x);

/** Tolerances are so many times smaller from now on: a state was accepted with those of before. */
void rsd_jump_tighten(rsd_jump *x, double times);

/** The error test counts a component of this kind. */
static inline int rsd_jump_counts(resida_kind kind)
{
    return kind < RESIDA_ALGEBRAIC_2;
}

/** Of x [n], weighted by w [n], the components of the error test, in its norm; tested as in rsd_jump_attempt. */
double rsd_jump_size(int n, const resida_kind *kinds, const double *tested, const double *x, const double *w);

/** A step begins: the last converged attempt has been accepted. */
void rsd_jump_begin(rsd_jump *x);

/** An attempt has converged. */
void rsd_jump_end(rsd_jump *x, const rsd_jump_attempt *a);

/** y' [n] of the corrector at t, the end of the last accepted step, of size h: F = 0 there. The derivative of the
 *  polynomial through the last states is far from that where steps have changed. NULL: t is another time. */
const double *rsd_jump_derivatives(const rsd_jump *x, double t, double h);

/** 1: the history of steps of size h_last says nothing of a step h. */
int rsd_jump_is_cut(double h, double h_last);

/** A converged attempt, after an accepted step of size h_last (0: there is none). 1: restart; x says how. */
int rsd_jump_watch(rsd_jump *x, double h_last, const rsd_jump_attempt *a);

/** It is done: y [n], the state to begin from, is put right if it is off. */
void rsd_jump_take(rsd_jump *x, int n, const resida_kind *kinds, double *y);

#endif
