/* outdated.h - the columns of dF/dy that may have changed since they were evaluated; an evaluation may leave out the
 * others. */
#ifndef RSD_OUTDATED_H
#define RSD_OUTDATED_H

#include "drift.h"
#include "jacobian/parts/plan.h"

typedef struct rsd_outdated_columns {
    rsd_drift drift;
    int has_history;       /* 1: columns were evaluated before */
    double caution;        /* >= 1: divides the change up to which a column is left out */
    unsigned char *marked; /* [n] 1: the current evaluation evaluates the column */
    double *of_group;      /* [n] expected change of each group */
} rsd_outdated_columns;

/** Allocate the arrays. 0: no memory. */
int rsd_outdated_create(rsd_outdated_columns *cols, const rsd_frame *f);

/** Forget earlier evaluations. */
void rsd_outdated_forget(rsd_outdated_columns *cols, const rsd_frame *f);

/** Reset the caution to that of a first start. */
void rsd_outdated_reset_caution(rsd_outdated_columns *cols);

/** Mark the columns of A to be evaluated.
 *  @param by_columns     A is evaluated column by column
 *  @param may_leave_out  an evaluation is expensive enough to leave columns out
 *  @return 1: some columns are left out */
int rsd_outdated_mark(rsd_outdated_columns *cols, const rsd_frame *f, const rsd_parts *p,
                      const resida_jacobian_point *at, rsd_column_set columns, int by_columns, int may_leave_out);

/** Before an evaluation: raise the caution if the last one failed as it left columns out, else lower it. */
void rsd_outdated_adjust_caution(rsd_outdated_columns *cols, int was_too_little);

/** Before the marked columns of A are evaluated: keep A in p->before. */
void rsd_outdated_record_old(rsd_outdated_columns *cols, const rsd_parts *p, const resida_jacobian_point *at);

/** After it: record how much the marked columns have changed. */
void rsd_outdated_record_new(rsd_outdated_columns *cols, const rsd_parts *p, const resida_jacobian_point *at);

#endif
