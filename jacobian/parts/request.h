/* request.h - specifies an evaluation of dF/dy: the columns to be evaluated, and whether the pattern is checked. */
#ifndef RSD_REQUEST_H
#define RSD_REQUEST_H

#include <resida/jacobian.h>

/** Columns of dF/dy to be evaluated: all; the outdated ones; those that the last evaluation, at the same point,
 *  omitted. */
typedef enum rsd_column_set { RSD_ALL, RSD_OUTDATED, RSD_REST } rsd_column_set;

/** Reasons of an evaluation to check or extend the pattern. */
typedef struct rsd_check_request {
    int is_doubtful;   /* 1: dF/dy is evaluated soon after an evaluation of all columns: Newton failed or is slow */
    int is_slow_again; /* 1: dF/dy is evaluated soon after an evaluation of all columns: Newton is slow */
    int is_failing;    /* 1: Newton failed repeatedly with a J that is current in its pattern */
    int is_requested;  /* 1: new entries were requested */
} rsd_check_request;

#endif
