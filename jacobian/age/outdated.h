/* outdated.h - finds columns of dF/dy that may have changed. An evaluation may leave out the other columns. */
#ifndef RSD_OUTDATED_H
#define RSD_OUTDATED_H

#include "drift.h"
#include "jacobian/parts/plan.h"

typedef struct rsd_outdated_columns {
    rsd_drift drift;
    int has_history;       /* 1: columns were evaluated before */
    double caution;        /* >= 1: divisor of the change below which a column is left out */
    unsigned char *marked; /* [n] 1: the current evaluation evaluates the column */
    double *of_group;      /* [n] expected change of each group */
} rsd_outdated_columns;

/** Allocate the arrays. @return 0 if there is no memory */
int rsd_outdated_create(rsd_outdated_columns *cols, const rsd_frame *f);

/** Discard the record of earlier evaluations. */
void rsd_outdated_reset(rsd_outdated_columns *cols, const rsd_frame *f);

/** Reset the caution to its initial value. */
void rsd_outdated_reset_caution(rsd_outdated_columns *cols);

/** Mark the columns of A that the evaluation must evaluate.
 *  @param by_columns     1: A is evaluated column by column
 *  @param may_leave_out  1: an evaluation is expensive enough to leave columns out
 *  @return 1 if some columns are left out, else 0 */
int rsd_outdated_mark_columns(rsd_outdated_columns *cols, const rsd_frame *f, const rsd_parts *p,
                              const resida_jacobian_point *at, rsd_column_set columns, int by_columns,
                              int may_leave_out);

/** Call this before an evaluation. was_too_little 1: raise the caution, because the iteration failed after the last
 *  evaluation left columns out; 0: lower it. */
void rsd_outdated_adjust_caution(rsd_outdated_columns *cols, int was_too_little);

/** Call this before the marked columns of A are evaluated: copy A to p->before. */
void rsd_outdated_save_A(rsd_outdated_columns *cols, const rsd_parts *p, const resida_jacobian_point *at);

/** Call this after the evaluation: record how much the marked columns have changed. */
void rsd_outdated_record_changes(rsd_outdated_columns *cols, const rsd_parts *p, const resida_jacobian_point *at);

#endif
