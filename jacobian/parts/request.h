/* request.h - specifies an evaluation of dF/dy: the columns to be evaluated, and whether the pattern is checked. */
#ifndef RSD_REQUEST_H
#define RSD_REQUEST_H

#include <resida/jacobian.h>

/** The columns of dF/dy to be evaluated: all columns; the outdated columns; or the columns that the last evaluation, at
 *  the same point, left out. */
typedef enum rsd_column_set { RSD_ALL, RSD_OUTDATED, RSD_REST } rsd_column_set;

/** Reasons for an evaluation to check or extend the pattern. */
typedef struct rsd_check_request {
    int is_doubtful;   /* 1: dF/dy must be evaluated shortly after an evaluation, or the iteration failed */
    int is_slow_again; /* 1: dF/dy must be evaluated shortly after an evaluation, because convergence is slow */
    int is_failing;    /* 1: the iteration failed repeatedly with a J that the present pattern cannot improve */
    int after_partial; /* 1: the last evaluation of dF/dy left columns out */
    int is_requested;  /* 1: a search for new entries was requested, or a current J is singular */
} rsd_check_request;

#endif
