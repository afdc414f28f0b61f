/* request.h - specifies an evaluation of dF/dy: the columns to be evaluated, and whether the pattern is checked. */
#ifndef RSD_REQUEST_H
#define RSD_REQUEST_H

#include <resida/jacobian.h>

/** The columns of dF/dy to be evaluated: all columns; the outdated columns; or the columns that the last evaluation, at
 *  the same point, left out. */
typedef enum rsd_column_set { RSD_ALL, RSD_OUTDATED, RSD_REST } rsd_column_set;

/** Reasons for an evaluation to check or extend the pattern. */
typedef struct rsd_check_request {
    int is_doubtful;   /* another evaluation is due, or an iteration failed, soon after an evaluation */
    int is_slow_again; /* another evaluation is due soon after an evaluation */
    int is_failing;    /* repeated failures with a J that cannot be improved on this pattern */
    int after_partial; /* the last evaluation left columns out */
    int is_requested;  /* a search for new entries: on request, or because a current J is singular */
} rsd_check_request;

#endif
