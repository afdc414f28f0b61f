/* cost.h - what calls of a problem cost, in operations. */
#ifndef RSD_PROBLEM_COST_H
#define RSD_PROBLEM_COST_H

#include <resida/problem.h>

#include "src/base/call_cost.h"

/** What a call of each callback costs: what the model says, else assumed by its size. */
rsd_call_costs rsd_problem_call_costs(const resida_problem *problem);

typedef struct rsd_problem_costs {
    double F;          /* the whole of F, or its dear part */
    double curved;     /* the cheap part, as it is differenced */
    double known;      /* known entries */
    double derivative; /* the model's own derivatives */
    double times;      /* a product with one direction; 0: there is none */
} rsd_problem_costs;

/** Of functions of the problem, whose callbacks cost so much. */
rsd_problem_costs rsd_problem_get_costs(const resida_problem *problem, const rsd_call_costs *costs);

#endif
