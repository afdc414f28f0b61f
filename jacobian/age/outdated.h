/* outdated.h - finds columns of dF/dy that may have changed. An evaluation may leave out all other columns. The rate of
 * change of a column follows from its last two evaluations:
 *
 *     speed_c = max_i (|change_ic| / w_c / max_k (|J_ik| / w_k)) / |time between the evaluations|
 *
 * w_c is the error weight of component c. */
#ifndef RSD_OUTDATED_H
#define RSD_OUTDATED_H

#include "jacobian/parts/parts.h"
#include "jacobian/parts/request.h"

typedef struct rsd_outdated_columns {
    double *speed;         /* [n] relative rate of change of each column [1/s]; infinite: unknown */
    double *t_evaluated;   /* [n] time of the last evaluation of each column [s]; NaN: never */
    double *per_row;       /* [n] 1/max_k (|J_ik| / w_k) of each row i; 0: empty row */
    int has_history;       /* 1: columns of dF/dy were evaluated before */
    double caution;        /* divisor >= 1 of the expected change up to which a column is omitted */
    unsigned char *marked; /* [n] 1: the current evaluation includes the column */
    double *group_change;  /* [n] expected relative change of each group since its evaluation */
} rsd_outdated_columns;

/** Allocate the arrays of *cols. @return 0 if there is no memory */
int rsd_outdated_columns_create(rsd_outdated_columns *cols, const rsd_frame *f);

/** Discard the record of earlier evaluations of columns, and reset the caution. */
void rsd_outdated_columns_reset(rsd_outdated_columns *cols, const rsd_frame *f);

/** Mark the columns of A that the evaluation must evaluate.
 *  @param by_columns  1: A is evaluated column by column
 *  @return 1 if some columns are left out, else 0 */
int rsd_outdated_columns_mark(rsd_outdated_columns *cols, const rsd_frame *f, const rsd_parts *p,
                              const resida_jacobian_point *at, rsd_column_set columns, int by_columns);

/** Raise the safety factor `caution` before an evaluation if was_too_little is 1, otherwise lower it. was_too_little
 *  is 1 if the last evaluation left columns out and the iteration then failed. */
void rsd_outdated_columns_adjust_caution(rsd_outdated_columns *cols, int was_too_little);

/** Copy A to p->before, before the marked columns of A are evaluated. */
void rsd_outdated_columns_save_A(rsd_outdated_columns *cols, const rsd_parts *p, const resida_jacobian_point *at);

/** Record the rates of change of the marked columns, after they were evaluated. */
void rsd_outdated_columns_record(rsd_outdated_columns *cols, const rsd_parts *p, const resida_jacobian_point *at);

#endif
