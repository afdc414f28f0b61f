/* singular.h - the message for an iteration matrix that cannot be factored. */
#ifndef RSD_SINGULAR_H
#define RSD_SINGULAR_H

#include "base/linear/linear_solver.h"
#include "src/core/problem/problem_impl.h"

/** The singular matrix and the point at which it was evaluated. */
typedef struct rsd_singular_at {
    const char *method; /* name of the method in the message; NULL: no name */
    int column;         /* column of a stage, counted from 1, as returned by rsd_linear_factor() */
    double t, h;        /* [s] end and size of the step */
} rsd_singular_at;

/** Write the message about a singular iteration matrix. @return RESIDA_ERR_SINGULAR */
resida_status rsd_report_singular_matrix(const rsd_linear_solver *linear, const resida_problem *problem,
                                         const rsd_singular_at *at, resida_message *why);

#endif
