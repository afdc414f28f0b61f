/* singular.h - the message for an iteration matrix that cannot be factored. */
#ifndef RSD_SINGULAR_H
#define RSD_SINGULAR_H

#include "base/linear/linear_solver.h"
#include "src/core/problem/problem_impl.h"

/** Column without a pivot in a singular matrix, and the step of the matrix. */
typedef struct rsd_singular_at {
    const char *method; /* name of the method in the message; NULL: none */
    int column;         /* singular column within its stage, from 1 */
    double t, h;        /* end [s] and size [s] of the step */
} rsd_singular_at;

/** Write the message about a singular iteration matrix. @return RESIDA_ERR_SINGULAR */
resida_status rsd_report_singular_matrix(const rsd_linear_solver *linear, const resida_problem *problem,
                                         const rsd_singular_at *at, resida_message *why);

#endif
