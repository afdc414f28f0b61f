/* ida_vector.c - the vector operations that IDA needs, on vectors of one pool.
 *
 * The masked norm divides by the number of unmasked components, where SUNDIALS' own divides by all: with n_alg
 * multipliers left out of the error test the stock norm loosens the test of the others by sqrt((n - n_alg)/n). */
#include "ida_vector.h"

#include <math.h>

#include "base/lanes.h"
#include "base/vector_ops.h"

typedef struct content {
    double *x; /* [padded] */
    int n, padded;
    int taken;
    rsd_vector_pool *pool;
} content;

struct rsd_vector_pool {
    struct _generic_N_Vector vectors[RSD_POOL_SIZE];
    struct _generic_N_Vector_Ops ops;
    content contents[RSD_POOL_SIZE];
    double *data; /* [RSD_POOL_SIZE x padded] */
    int n_tested;
    rsd_min_order *least; /* of the BDF; NULL: IDA chooses */
};

static content *of(N_Vector v)
{
    return v->content;
}

double *rsd_vector_data(N_Vector v)
{
    return of(v)->x;
}

N_Vector rsd_pool_take(rsd_vector_pool *pool)
{
    for (int i = 0; i < RSD_POOL_SIZE; i++)
        if (!pool->contents[i].taken) {
            pool->contents[i].taken = 1;
            return &pool->vectors[i];
        }
    return NULL;
}

static N_Vector clone(N_Vector v)
{
    return rsd_pool_take(of(v)->pool);
}

static void destroy(N_Vector v)
{
    if (v) of(v)->taken = 0;
}

/* Sums go over whole lanes: padding beyond the last component does not count. */
static void linear_sum(sunrealtype a, N_Vector vx, sunrealtype b, N_Vector vy, N_Vector vz)
{
    rsd_vector_sum(a, of(vx)->x, b, of(vy)->x, of(vz)->x, of(vz)->padded);
}

static void constant(sunrealtype c, N_Vector vz)
{
    double *z = of(vz)->x;
    for (int i = 0; i < of(vz)->n; i++) z[i] = c;
}

static void product(N_Vector vx, N_Vector vy, N_Vector vz)
{
    const double *x = of(vx)->x, *y = of(vy)->x;
    for (int i = 0; i < of(vz)->n; i++) of(vz)->x[i] = x[i] * y[i];
}

static void scale(sunrealtype c, N_Vector vx, N_Vector vz)
{
    rsd_vector_scale(c, of(vx)->x, of(vz)->x, of(vz)->padded);
}

static void absolute(N_Vector vx, N_Vector vz)
{
    for (int i = 0; i < of(vz)->n; i++) of(vz)->x[i] = fabs(of(vx)->x[i]);
}

static void inverse(N_Vector vx, N_Vector vz)
{
    for (int i = 0; i < of(vz)->n; i++) of(vz)->x[i] = 1 / of(vx)->x[i];
}

static void add_constant(N_Vector vx, sunrealtype b, N_Vector vz)
{
    for (int i = 0; i < of(vz)->n; i++) of(vz)->x[i] = of(vx)->x[i] + b;
}

static int linear_combination(int count, sunrealtype *c, N_Vector *vx, N_Vector vz)
{
    const double *x[RSD_POOL_SIZE];
    if (count < 1 || count > RSD_POOL_SIZE) return -1;
    for (int j = 0; j < count; j++) x[j] = of(vx[j])->x;
    rsd_vector_combination(count, c, x, of(vz)->x, of(vz)->padded);
    return 0;
}

/* One vector after the other: IDA's history moves up through itself. */
static int linear_sums(int count, sunrealtype a, N_Vector *vx, sunrealtype b, N_Vector *vy, N_Vector *vz)
{
    const double *x[RSD_POOL_SIZE], *y[RSD_POOL_SIZE];
    double *z[RSD_POOL_SIZE];
    if (count < 1 || count > RSD_POOL_SIZE) return -1;
    for (int j = 0; j < count; j++) {
        x[j] = of(vx[j])->x;
        y[j] = of(vy[j])->x;
        z[j] = of(vz[j])->x;
    }
    rsd_vector_sums(count, a, x, b, y, z, of(vz[0])->padded);
    return 0;
}

/* In the form that IDA takes. */
static double judged(const content *x, double norm)
{
    return x->pool->least ? rsd_min_order_norm(x->pool->least, x->x, norm) : norm;
}

static sunrealtype wrms_norm(N_Vector vx, N_Vector vw)
{
    int n = of(vx)->n;
    return judged(of(vx), sqrt(rsd_vector_weighted(of(vx)->x, of(vw)->x, n) / n));
}

/* id is 1 for what counts and 0 for what does not. */
static sunrealtype wrms_norm_mask(N_Vector vx, N_Vector vw, N_Vector vid)
{
    const content *x = of(vx);
    const int count = x->pool->n_tested;
    return judged(x, count > 0 ? sqrt(rsd_vector_masked(x->x, of(vw)->x, of(vid)->x, x->n) / count) : 0);
}

static sunrealtype minimum(N_Vector vx)
{
    double least = INFINITY;
    for (int i = 0; i < of(vx)->n; i++) least = fmin(least, of(vx)->x[i]);
    return least;
}

rsd_vector_pool *rsd_pool_create(int n, SUNContext ctx, const resida_allocator *alloc)
{
    rsd_vector_pool *pool = rsd_calloc(alloc, 1, sizeof *pool);
    if (!pool) return NULL;
    int padded = rsd_whole_lanes(n);
    pool->data = rsd_matrix(alloc, RSD_POOL_SIZE, padded);
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
        pool->contents[i] = (content){pool->data + (long)i * padded, n, padded, 0, pool};
        pool->vectors[i].content = &pool->contents[i];
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
