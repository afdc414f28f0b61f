/* ida_vector.c - the vector operations that IDA needs, on vectors of one pool.
 *
 * The masked norm divides by the number of unmasked components, where SUNDIALS' own divides by all: with n_alg
 * multipliers left out of the error test the stock norm loosens the test of the others by sqrt((n - n_alg)/n). */
#include "ida_vector.h"

#include <math.h>
#include <string.h>

typedef struct content {
    double *x;
    int n;
    int taken;
    rsd_vector_pool *pool;
} content;

struct rsd_vector_pool {
    struct _generic_N_Vector vectors[RSD_POOL_SIZE];
    struct _generic_N_Vector_Ops ops;
    content contents[RSD_POOL_SIZE];
    double *data; /* [RSD_POOL_SIZE x n] */
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

static sunindextype length(N_Vector v)
{
    return of(v)->n;
}

static sunrealtype *array_pointer(N_Vector v)
{
    return of(v)->x;
}

static N_Vector_ID vector_id(N_Vector v)
{
    (void)v;
    return SUNDIALS_NVEC_CUSTOM;
}

static void space(N_Vector v, sunindextype *reals, sunindextype *integers)
{
    *reals = of(v)->n;
    *integers = 1;
}

/* z = a x + b y */
static void linear_sum(sunrealtype a, N_Vector vx, sunrealtype b, N_Vector vy, N_Vector vz)
{
    const double *x = of(vx)->x, *y = of(vy)->x;
    double *z = of(vz)->x;
    int n = of(vz)->n;
    if (a == 1 && b == 1)
        for (int i = 0; i < n; i++) z[i] = x[i] + y[i];
    else if (a == 1)
        for (int i = 0; i < n; i++) z[i] = x[i] + b * y[i];
    else
        for (int i = 0; i < n; i++) z[i] = a * x[i] + b * y[i];
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
    const double *x = of(vx)->x;
    double *z = of(vz)->x;
    int n = of(vz)->n;
    if (c == 1)
        memmove(z, x, (size_t)n * sizeof *z);
    else
        for (int i = 0; i < n; i++) z[i] = c * x[i];
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

static sunrealtype wrms_norm(N_Vector vx, N_Vector vw)
{
    const double *x = of(vx)->x, *w = of(vw)->x;
    int n = of(vx)->n;
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * w[i] * x[i] * w[i];
    return sqrt(sum / n);
}

/* id is 1 for what counts and 0 for what does not. */
static sunrealtype wrms_norm_mask(N_Vector vx, N_Vector vw, N_Vector vid)
{
    const double *x = of(vx)->x, *w = of(vw)->x, *id = of(vid)->x;
    double sum = 0, count = 0;
    for (int i = 0; i < of(vx)->n; i++) {
        double part = id[i] * x[i] * w[i];
        sum += part * part;
        count += id[i];
    }
    return count > 0 ? sqrt(sum / count) : 0;
}

static sunrealtype minimum(N_Vector vx)
{
    double least = INFINITY;
    for (int i = 0; i < of(vx)->n; i++) least = fmin(least, of(vx)->x[i]);
    return least;
}

static sunrealtype max_norm(N_Vector vx)
{
    double most = 0;
    for (int i = 0; i < of(vx)->n; i++) most = fmax(most, fabs(of(vx)->x[i]));
    return most;
}

rsd_vector_pool *rsd_pool_create(int n, SUNContext ctx, const resida_allocator *alloc)
{
    rsd_vector_pool *pool = rsd_calloc(alloc, 1, sizeof *pool);
    if (!pool) return NULL;
    pool->data = rsd_matrix(alloc, RSD_POOL_SIZE, n);
    if (!pool->data) {
        rsd_free(alloc, pool);
        return NULL;
    }
    pool->ops = (struct _generic_N_Vector_Ops){.nvgetvectorid = vector_id,
                                               .nvclone = clone,
                                               .nvcloneempty = clone,
                                               .nvdestroy = destroy,
                                               .nvspace = space,
                                               .nvgetarraypointer = array_pointer,
                                               .nvgetlength = length,
                                               .nvlinearsum = linear_sum,
                                               .nvconst = constant,
                                               .nvprod = product,
                                               .nvscale = scale,
                                               .nvabs = absolute,
                                               .nvinv = inverse,
                                               .nvaddconst = add_constant,
                                               .nvwrmsnorm = wrms_norm,
                                               .nvwrmsnormmask = wrms_norm_mask,
                                               .nvmin = minimum,
                                               .nvmaxnorm = max_norm};
    for (int i = 0; i < RSD_POOL_SIZE; i++) {
        pool->contents[i] = (content){pool->data + (long)i * n, n, 0, pool};
        pool->vectors[i].content = &pool->contents[i];
        pool->vectors[i].ops = &pool->ops;
        pool->vectors[i].sunctx = ctx;
    }
    return pool;
}

void rsd_pool_free(rsd_vector_pool *pool, const resida_allocator *alloc)
{
    if (!pool) return;
    rsd_free(alloc, pool->data);
    rsd_free(alloc, pool);
}
