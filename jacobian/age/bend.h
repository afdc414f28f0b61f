/* bend.h - when the parts of J that cost no residual call are renewed, and in which columns. */
#ifndef RSD_BEND_H
#define RSD_BEND_H

#include "drift.h"

typedef struct rsd_bend {
    rsd_drift drift;       /* of C + alpha B */
    unsigned char *marked; /* [n] columns in which the renewal under way takes differences of C */
} rsd_bend;

/** 0: no memory. */
int rsd_bend_create(rsd_bend *x, const rsd_frame *f);
void rsd_bend_free(rsd_bend *x, const rsd_frame *f);

/** How fast they move is not known. */
void rsd_bend_forget(rsd_bend *x, const rsd_frame *f);

/** 1: they may have changed much by t. is_dear: an evaluation of dF/dy is. */
int rsd_bend_is_due(const rsd_bend *x, const rsd_frame *f, double t, int is_dear);

/** The renewal that follows takes all differences. */
void rsd_bend_mark_all(rsd_bend *x, const rsd_frame *f);

/** All of it was found at t, and not compared. */
void rsd_bend_found(rsd_bend *x, const rsd_frame *f, double t);

/** Before and after C and B are found by an update: in which columns, and how fast do they change? p->before keeps them
 *  in between. */
void rsd_bend_begin(rsd_bend *x, const rsd_frame *f, const rsd_parts *p, const resida_jacobian_point *at, int is_dear);
void rsd_bend_end(rsd_bend *x, const rsd_frame *f, const rsd_parts *p, const resida_jacobian_point *at);

#endif
