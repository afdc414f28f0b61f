/* engine_impl.h - the engine and the contract of a strategy. A strategy is a table of functions in strategy_*.c. */
#ifndef RSD_ENGINE_IMPL_H
#define RSD_ENGINE_IMPL_H

#include <resida/jacobian.h>

#include "memory.h"
#include "message.h"

typedef struct rsd_strategy {
    const char *name;
    /** Bring j->J to `at`. *current: 1 when no better J is to be had, 0 after a cheap update.
     *  @return 0, > 0 recoverable, < 0 fatal, as F said */
    int (*setup)(resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at, int *current);
} rsd_strategy;

extern const rsd_strategy rsd_strategy_dense;

struct resida_jacobian {
    resida_allocator alloc;
    int n;
    resida_function *F;
    void *user;
    const rsd_strategy *strategy;
    double *J;          /* [n x n] column by column */
    double *y, *yp, *r; /* [n] a perturbed point and F there */
    int ready;          /* J holds a Jacobian */
    resida_jacobian_counts counts;
};

/** F at the perturbed point, counted. */
int rsd_jacobian_call(resida_jacobian *j, double t);

/** Increment of component i, eq. (17), floored by the error weight, towards the step, exactly representable:
 *  fl(y_i + delta) - y_i = delta. */
double rsd_increment(const resida_jacobian_point *at, int i);

#endif
