/* stale.h - which columns of dF/dy have changed since they were found, so that an evaluation may leave out the others.
 * */
#ifndef RSD_STALE_H
#define RSD_STALE_H

#include "drift.h"
#include "jacobian/parts/plan.h"

typedef struct rsd_stale {
    rsd_drift drift;
    int has_history;       /* columns were found before */
    double caution;        /* of the next evaluations, 1 or more: by how much less is left out */
    unsigned char *marked; /* [n] columns to be found by the evaluation under way */
    double *of_group;      /* [n] the change that is expected of each group */
} rsd_stale;

/** 0: no memory. */
int rsd_stale_create(rsd_stale *x, const rsd_frame *f);

/** Nothing was found before. And: no more caution than at first. */
void rsd_stale_forget(rsd_stale *x, const rsd_frame *f);
void rsd_stale_calm(rsd_stale *x);

/** Mark the columns of A to be found. @param by_columns  A is found column by column
 *  @param may_leave_out  an evaluation is dear enough for that
 *  @return 1: some are left out */
int rsd_stale_mark(rsd_stale *x, const rsd_frame *f, const rsd_parts *p, const resida_jacobian_point *at,
                   rsd_extent extent, int by_columns, int may_leave_out);

/** An evaluation is asked for; 1: because the last one, which left columns out, did not do. */
void rsd_stale_learn(rsd_stale *x, int was_too_little);

/** Before and after the marked columns of A are found; p->before keeps A in between. */
void rsd_stale_begin(rsd_stale *x, const rsd_parts *p, const resida_jacobian_point *at);
void rsd_stale_end(rsd_stale *x, const rsd_parts *p, const resida_jacobian_point *at);

#endif
