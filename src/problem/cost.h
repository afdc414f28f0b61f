/* cost.h - what calls of a problem cost, in operations. */
#ifndef RSD_PROBLEM_COST_H
#define RSD_PROBLEM_COST_H

#include <resida/problem.h>

typedef struct rsd_problem_costs {
    double F;      /* the whole of F, or its dear part */
    double curved; /* the cheap part, as it is differenced */
    double known;  /* known entries */
} rsd_problem_costs;

rsd_problem_costs rsd_problem_get_costs(const resida_problem *problem);

#endif
