/* ida_vector.h - N_Vectors from a pool that is reserved up front. SUNDIALS does not check most of its clones, so a
 * clone that cannot fail is what makes running out of memory harmless. */
#ifndef RSD_IDA_VECTOR_H
#define RSD_IDA_VECTOR_H

#include "base/memory.h"
#include "min_order.h"
#include "sundials_compat.h"

enum { RSD_POOL_SIZE = 26 }; /* IDA takes 15 at order 5, its idle Newton solver 1, resida 8 */

typedef struct rsd_vector_pool rsd_vector_pool;

rsd_vector_pool *rsd_pool_create(int n, SUNContext ctx, const resida_allocator *alloc);
void rsd_pool_free(rsd_vector_pool *pool, const resida_allocator *alloc);

/** A vector of the pool; NULL when all are taken. Given back by N_VDestroy or with the pool. */
N_Vector rsd_pool_take(rsd_vector_pool *pool);

/** How many components every mask has, for IDA knows one alone; what norms are given as, borrowed. NULL (before): as
 *  they are. */
void rsd_pool_set_norms(rsd_vector_pool *pool, int n_tested, rsd_min_order *least);

/** Its numbers [n]. */
double *rsd_vector_data(N_Vector v);

#endif
