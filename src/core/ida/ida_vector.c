/* ida_vector.c - the vector operations that IDA requires, on vectors of one pool.
 *
 * The masked norm divides by the number of unmasked components. The norm of SUNDIALS divides by n. If n_alg multipliers
 * are excluded from the error test, that norm relaxes the test of the other components by a factor of sqrt((n -
 * n_alg)/n). */
#include "ida_vector.h"

#include <math.h>

#include "base/lanes.h"
#include "base/vector_ops.h"

struct rsd_vector_pool {
    struct _generic_N_Vector_Ops ops; /* the first member: pool_of() finds the pool of a vector by its ops */
    struct _generic_N_Vector vectors[RSD_POOL_SIZE];
    int taken[RSD_POOL_SIZE];
    int n, padded;
    double *data; /* [RSD_POOL_SIZE x padded] components */
    int n_tested;
    rsd_min_order *least; /* minimum order of the BDF; NULL: IDA's own choice */
};

static rsd_vector_pool *pool_of(N_Vector v)
{
    return (rsd_vector_pool *)v->ops;
}

double *rsd_vector_data(N_Vector v)
{
    return v->content;
}

N_Vector rsd_pool_get_vector(rsd_vector_pool *pool)
{
    for (int i = 0; i < RSD_POOL_SIZE; i++)
        if (!pool->taken[i]) {
            pool->taken[i] = 1;
            return &pool->vectors[i];
        }
    return NULL;
}

static N_Vector clone(N_Vector v)
{
    return rsd_pool_get_vector(pool_of(v));
}

static void destroy(N_Vector v)
{
    if (v) pool_of(v)->taken[v - pool_of(v)->vectors] = 0;
}

/* z = a x + b y for `count` vectors, over whole lanes: padding after the last component is not used. The vectors are
 * processed in sequence, because IDA shifts its history in place. */
RSD_WIDE static void sums(int count, double a, const N_Vector *vx, double b, const N_Vector *vy, const N_Vector *vz,
                          int n)
{
    for (int j = 0; j < count; j++) {
        const double *x = vx[j]->content, *y = vy[j]->content;
        double *z = vz[j]->content;
        for (int i = 0; i < n; i += RSD_LANE) *(rsd_lane *)(z + i) = a * RSD_LANE_AT(x + i) + b * RSD_LANE_AT(y + i);
    }
}

static void linear_sum(sunrealtype a, N_Vector vx, sunrealtype b, N_Vector vy, N_Vector vz)
{
    sums(1, a, &vx, b, &vy, &vz, pool_of(vz)->padded);
}

static int linear_sums(int count, sunrealtype a, N_Vector *vx, sunrealtype b, N_Vector *vy, N_Vector *vz)
{
    sums(count, a, vx, b, vy, vz, pool_of(vz[0])->padded);
    return 0;
}

static void constant(sunrealtype c, N_Vector vz)
{
    double *z = rsd_vector_data(vz);
    for (int i = 0; i < pool_of(vz)->n; i++) z[i] = c;
}

static void product(N_Vector vx, N_Vector vy, N_Vector vz)
{
    const double *x = rsd_vector_data(vx), *y = rsd_vector_data(vy);
    for (int i = 0; i < pool_of(vz)->n; i++) rsd_vector_data(vz)[i] = x[i] * y[i];
}

static void scale(sunrealtype c, N_Vector vx, N_Vector vz)
{
    rsd_vector_scale(c, rsd_vector_data(vx), rsd_vector_data(vz), pool_of(vz)->padded);
}

static void absolute(N_Vector vx, N_Vector vz)
{
    for (int i = 0; i < pool_of(vz)->n; i++) rsd_vector_data(vz)[i] = fabs(rsd_vector_data(vx)[i]);
}

static void inverse(N_Vector vx, N_Vector vz)
{
    for (int i = 0; i < pool_of(vz)->n; i++) rsd_vector_data(vz)[i] = 1 / rsd_vector_data(vx)[i];
}

static void add_constant(N_Vector vx, sunrealtype b, N_Vector vz)
{
    for (int i = 0; i < pool_of(vz)->n; i++) rsd_vector_data(vz)[i] = rsd_vector_data(vx)[i] + b;
}

static int linear_combination(int count, sunrealtype *c, N_Vector *vx, N_Vector vz)
{
    const double *x[RSD_POOL_SIZE];
    if (count < 1 || count > RSD_POOL_SIZE) return -1;
    for (int j = 0; j < count; j++) x[j] = rsd_vector_data(vx[j]);
    rsd_vector_combination(count, c, x, rsd_vector_data(vz), pool_of(vz)->padded);
    return 0;
}

/* Return the norm of v that is passed to IDA. It can differ from `norm`, the true norm of v (min_order.h). */
static double judged(N_Vector v, double norm)
{
    const rsd_vector_pool *pool = pool_of(v);
    return pool->least ? rsd_min_order_norm(pool->least, rsd_vector_data(v), norm) : norm;
}

static sunrealtype wrms_norm(N_Vector vx, N_Vector vw)
{
    const int n = pool_of(vx)->n;
    return judged(vx, sqrt(rsd_vector_weighted(rsd_vector_data(vx), rsd_vector_data(vw), n) / n));
}

/* Return the weighted root mean square of the components with id = 1. */
static sunrealtype wrms_norm_mask(N_Vector vx, N_Vector vw, N_Vector vid)
{
    const int n = pool_of(vx)->n, count = pool_of(vx)->n_tested;
    const double *x = rsd_vector_data(vx), *w = rsd_vector_data(vw), *id = rsd_vector_data(vid);
    return judged(vx, count > 0 ? sqrt(rsd_vector_masked(x, w, id, n) / count) : 0);
}

static sunrealtype minimum(N_Vector vx)
{
    double least = INFINITY;
    for (int i = 0; i < pool_of(vx)->n; i++) least = fmin(least, rsd_vector_data(vx)[i]);
    return least;
}

rsd_vector_pool *rsd_pool_create(int n, SUNContext ctx, const resida_allocator *alloc)
{
    rsd_vector_pool *pool = rsd_calloc(alloc, 1, sizeof *pool);
    if (!pool) return NULL;
    pool->n = n;
    pool->padded = rsd_whole_lanes(n);
    pool->data = rsd_matrix(alloc, RSD_POOL_SIZE, pool->padded);
    if (!pool->data) {
        rsd_free(alloc, pool);
        return NULL;
    }
    pool->ops = (struct _generic_N_Vector_Ops){.nvclone = clone,
                                               .nvdestroy = destroy,
                                               .nvlinearsum = linear_sum,
                                               .nvconst = constant,
                                               .nvprod = product,
                                               .nvscale = scale,
                                               .nvabs = absolute,
                                               .nvinv = inverse,
                                               .nvaddconst = add_constant,
                                               .nvlinearcombination = linear_combination,
                                               .nvlinearsumvectorarray = linear_sums,
                                               .nvwrmsnorm = wrms_norm,
                                               .nvwrmsnormmask = wrms_norm_mask,
                                               .nvmin = minimum};
    for (int i = 0; i < RSD_POOL_SIZE; i++) {
        pool->vectors[i].content = pool->data + (long)i * pool->padded;
        pool->vectors[i].ops = &pool->ops;
        pool->vectors[i].sunctx = ctx;
    }
    return pool;
}

void rsd_pool_set_norms(rsd_vector_pool *pool, int n_tested, rsd_min_order *least)
{
    pool->n_tested = n_tested;
    pool->least = least;
}

void rsd_pool_free(rsd_vector_pool *pool, const resida_allocator *alloc)
{
    if (!pool) return;
    rsd_free(alloc, pool->data);
    rsd_free(alloc, pool);
}
