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
    struct _generic_N_Vector_Ops ops; /* functions of the vectors; first member: get_pool() finds the pool by it */
    struct _generic_N_Vector vectors[RSD_POOL_SIZE]; /* vectors of the pool */
    int taken[RSD_POOL_SIZE];                        /* 1: the vector is in use */
    int n, padded;                                   /* number of components; the same, rounded up to whole lanes */
    double *data;                                    /* [RSD_POOL_SIZE x padded] components of the vectors */
    int n_tested;                                    /* number of components in the error test */
    rsd_min_order *min_order;                        /* minimum order of the BDF; NULL: IDA's own choice */
};

static rsd_vector_pool *get_pool(N_Vector v)
{
    return (rsd_vector_pool *)v->ops;
}

double *rsd_get_components(N_Vector v)
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
    return rsd_pool_get_vector(get_pool(v));
}

static void destroy(N_Vector v)
{
    if (v) get_pool(v)->taken[v - get_pool(v)->vectors] = 0;
}

/* Compute z = a x + b y, over whole lanes: padding after the last component is not used. */
RSD_PART static void add_scaled(double a, N_Vector vx, double b, N_Vector vy, N_Vector vz)
{
    const double *x = vx->content, *y = vy->content;
    double *z = vz->content;
    for (int i = 0, n = get_pool(vz)->padded; i < n; i += RSD_LANE)
        *(rsd_lane *)(z + i) = a * RSD_LANE_AT(x + i) + b * RSD_LANE_AT(y + i);
}

RSD_WIDE static void linear_sum(sunrealtype a, N_Vector vx, sunrealtype b, N_Vector vy, N_Vector vz)
{
    add_scaled(a, vx, b, vy, vz);
}

/* The vectors are processed in sequence, because IDA shifts its history in place. */
RSD_WIDE static int linear_sums(int count, sunrealtype a, N_Vector *vx, sunrealtype b, N_Vector *vy, N_Vector *vz)
{
    for (int j = 0; j < count; j++) add_scaled(a, vx[j], b, vy[j], vz[j]);
    return 0;
}

static void constant(sunrealtype c, N_Vector vz)
{
    double *z = vz->content;
    for (int i = 0, n = get_pool(vz)->padded; i < n; i += RSD_LANE) *(rsd_lane *)(z + i) = (rsd_lane){c, c, c, c};
}

static void product(N_Vector vx, N_Vector vy, N_Vector vz)
{
    const double *x = rsd_get_components(vx), *y = rsd_get_components(vy);
    for (int i = 0; i < get_pool(vz)->n; i++) rsd_get_components(vz)[i] = x[i] * y[i];
}

static void scale(sunrealtype c, N_Vector vx, N_Vector vz)
{
    rsd_vector_scale(c, rsd_get_components(vx), rsd_get_components(vz), get_pool(vz)->padded);
}

static void absolute(N_Vector vx, N_Vector vz)
{
    for (int i = 0; i < get_pool(vz)->n; i++) rsd_get_components(vz)[i] = fabs(rsd_get_components(vx)[i]);
}

static void inverse(N_Vector vx, N_Vector vz)
{
    for (int i = 0; i < get_pool(vz)->n; i++) rsd_get_components(vz)[i] = 1 / rsd_get_components(vx)[i];
}

static void add_constant(N_Vector vx, sunrealtype b, N_Vector vz)
{
    for (int i = 0; i < get_pool(vz)->n; i++) rsd_get_components(vz)[i] = rsd_get_components(vx)[i] + b;
}

/* Compute z = sum c_j x_j. One of the x_j may be z. Two lanes are processed at once. If the number of lanes is odd, the
 * last lane is computed twice. */
RSD_WIDE static int linear_combination(int count, sunrealtype *c, N_Vector *vx, N_Vector vz)
{
    double *z = vz->content;
    for (int i = 0, n = get_pool(vz)->padded; i < n; i += 2 * RSD_LANE) {
        const int next = i + RSD_LANE < n ? i + RSD_LANE : i;
        const double *x = vx[0]->content;
        rsd_lane one = c[0] * RSD_LANE_AT(x + i), other = c[0] * RSD_LANE_AT(x + next);
        for (int j = 1; j < count; j++) {
            x = vx[j]->content;
            one += c[j] * RSD_LANE_AT(x + i);
            other += c[j] * RSD_LANE_AT(x + next);
        }
        *(rsd_lane *)(z + i) = one;
        *(rsd_lane *)(z + next) = other;
    }
    return 0;
}

/* Return the norm of v that is passed to IDA. It can differ from `norm`, the true norm of v (min_order.h). */
static double get_norm_for_ida(N_Vector v, double norm)
{
    const rsd_vector_pool *pool = get_pool(v);
    return pool->min_order ? rsd_min_order_get_norm(pool->min_order, rsd_get_components(v), norm) : norm;
}

static sunrealtype wrms_norm(N_Vector vx, N_Vector vw)
{
    const int n = get_pool(vx)->n;
    return get_norm_for_ida(
        vx, sqrt(rsd_vector_sum_weighted_squares(rsd_get_components(vx), rsd_get_components(vw), n) / n));
}

/* Return the weighted root mean square of the components with id = 1. */
static sunrealtype wrms_norm_mask(N_Vector vx, N_Vector vw, N_Vector vid)
{
    const int n = get_pool(vx)->n, count = get_pool(vx)->n_tested;
    const double *x = rsd_get_components(vx), *w = rsd_get_components(vw), *id = rsd_get_components(vid);
    return get_norm_for_ida(vx, count > 0 ? sqrt(rsd_vector_sum_masked_squares(x, w, id, n) / count) : 0);
}

static sunrealtype minimum(N_Vector vx)
{
    double smallest = INFINITY;
    for (int i = 0; i < get_pool(vx)->n; i++) smallest = fmin(smallest, rsd_get_components(vx)[i]);
    return smallest;
}

rsd_vector_pool *rsd_pool_create(int n, SUNContext ctx, const resida_allocator *alloc)
{
    rsd_vector_pool *pool = rsd_calloc(alloc, 1, sizeof *pool);
    if (!pool) return NULL;
    pool->n = n;
    pool->padded = rsd_round_up_to_lane(n);
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

void rsd_pool_set_norms(rsd_vector_pool *pool, int n_tested, rsd_min_order *min_order)
{
    pool->n_tested = n_tested;
    pool->min_order = min_order;
}

void rsd_pool_free(rsd_vector_pool *pool, const resida_allocator *alloc)
{
    if (!pool) return;
    rsd_free(alloc, pool->data);
    rsd_free(alloc, pool);
}
