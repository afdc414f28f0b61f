/* independent.h - a mechanism linear in independent coordinates. */
#ifndef RSD_INDEPENDENT_H
#define RSD_INDEPENDENT_H

#include "linearize_impl.h"

/** A state of a mechanism. */
typedef struct rsd_state_by_parts {
    double t;
    const double *p, *v, *a, *lam;
} rsd_state_by_parts;

/** E, A, B, C, D and sizes of l. @return as resida_linearize_mechanism() */
resida_status rsd_independent(resida_linearization *l, resida_problem *problem, const rsd_state_by_parts *at,
                              resida_message *why);

#endif
