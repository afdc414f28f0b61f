/* singular.h - words for an iteration matrix that cannot be factored. */
#ifndef RSD_SINGULAR_H
#define RSD_SINGULAR_H

#include "src/linear/linear_solver.h"
#include "src/problem/problem_impl.h"

/** What cannot be factored, and where. */
typedef struct rsd_singular_at {
    const char *method; /* NULL: not said */
    int column;         /* as rsd_linear_factor() gave it, of one stage: from 1 */
    double t, h;
} rsd_singular_at;

/** @return RESIDA_ERR_SINGULAR */
resida_status rsd_singular(const rsd_linear_solver *linear, const resida_problem *problem, const rsd_singular_at *at,
                           resida_message *why);

#endif
