/* ida_vector.h - N_Vectors from a pool that is allocated in advance. SUNDIALS does not check most of its clones. Clones
 * from the pool cannot fail, even if memory is exhausted. */
#ifndef RSD_IDA_VECTOR_H
#define RSD_IDA_VECTOR_H

#include "base/memory.h"
#include "min_order.h"
#include "sundials_compat.h"

enum { RSD_POOL_SIZE = 26 }; /* number of vectors; IDA uses 15 at order 5, its unused Newton solver 1, resida 8 */

typedef struct rsd_vector_pool rsd_vector_pool;

rsd_vector_pool *rsd_pool_create(int n, SUNContext ctx, const resida_allocator *alloc);
void rsd_pool_free(rsd_vector_pool *pool, const resida_allocator *alloc);

/** Take a vector of the pool. Return NULL if all vectors are in use. N_VDestroy returns the vector to the pool. */
N_Vector rsd_pool_get_vector(rsd_vector_pool *pool);

/** Set n_tested, the number of components in the error test, by which the masked norm divides. `min_order` (borrowed)
 *  may replace norms that are passed to IDA, to hold the minimum order. If `min_order` is NULL, as initially, IDA gets
 *  the true norms. */
void rsd_pool_set_norms(rsd_vector_pool *pool, int n_tested, rsd_min_order *min_order);

/** Return the components [n] of the vector v. */
double *rsd_get_components(N_Vector v);

#endif
