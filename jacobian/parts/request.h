/* request.h - specifies an evaluation of dF/dy: the columns to be evaluated, and whether the pattern is checked. */
#ifndef RSD_REQUEST_H
#define RSD_REQUEST_H

#include <resida/jacobian.h>

/** Columns of dF/dy to be evaluated. RSD_OUTDATED: columns that may have changed (outdated.h). RSD_OMITTED: columns
 *  that the last evaluation, which was at the same point, has omitted. */
typedef enum rsd_column_set { RSD_ALL, RSD_OUTDATED, RSD_OMITTED } rsd_column_set;

/** Reasons of an evaluation to check or extend the pattern. */
typedef struct rsd_check_reasons {
    int is_doubtful;   /* 1: Newton failed or was slow soon after an evaluation of all columns */
    int is_slow_again; /* 1: Newton is slow soon after an evaluation of all columns */
    int is_failing;    /* 1: Newton failed repeatedly although J was current */
    int is_requested;  /* 1: the caller requested a search for new entries */
} rsd_check_reasons;

#endif
