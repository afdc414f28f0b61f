/* cost.h - what calls of a problem cost, in operations. */
#ifndef RSD_PROBLEM_COST_H
#define RSD_PROBLEM_COST_H

#include <resida/problem.h>

#include "src/base/call_cost.h"

/** The cost of a call of each callback: as given by the model, else assumed by its size. */
rsd_call_costs rsd_problem_call_costs(const resida_problem *problem);

typedef struct rsd_problem_costs {
    double F;          /* F of a general DAE, or the formalism part of F */
    double curvature;  /* the constraint part, as it is differenced */
    double known;      /* the known entries of J */
    double derivative; /* the model's own derivatives */
    double times;      /* a product with one direction; 0: there is none */
} rsd_problem_costs;

/** The costs of functions of the problem, from those of its callbacks. */
rsd_problem_costs rsd_problem_get_costs(const resida_problem *problem, const rsd_call_costs *costs);

#endif
