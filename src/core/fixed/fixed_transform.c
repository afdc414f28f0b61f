/* fixed_transform.c - the iteration matrix of a collocation method of three stages, as a real and a complex system of
 * the size of y (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.8). With A = dF/dy, B = dF/dyp,
 * D = A_method^-1 and the matrix T of method.h, T^-1 D T = (gamma; re -im; im re),
 *
 *     T^-1 (I A + D/h B) T = ( A + gamma/h B                               )
 *                            (                A + re/h B     -im/h B       )
 *                            (                    im/h B      A + re/h B   )
 *
 * The alpha of the engine is gamma/h; its J is the first matrix. The second system is complex, (A + (re + i im)/h B)
 * (x + i y). It is solved as a real system of 2 n unknowns, because the linear solvers are real. A dense factorisation
 * takes 9 times the operations of an n x n matrix (complex factors: 5; three stages together: 27). */
#include "fixed.h"

#include <limits.h>
#include <string.h>

static resida_status reserve_entries(rsd_fixed *fixed, int nnz)
{
    rsd_fixed_transform *m = &fixed->transform;
    const resida_allocator *a = &fixed->alloc;
    if (nnz <= m->room) return RESIDA_OK;
    if (nnz > INT_MAX / 4) return RESIDA_ERR_MEMORY;
    RSD_FREE(a, m->J, m->dFdyp, m->row, m->values);
    m->J = m->dFdyp = m->values = NULL, m->row = NULL;
    m->room = 0;
    if (!m->start && !RSD_INTS(a, 2L * fixed->base.n + 1, &m->start)) return RESIDA_ERR_MEMORY;
    if (!RSD_DOUBLES(a, nnz, &m->J, &m->dFdyp) || !RSD_INTS(a, 4L * nnz, &m->row) ||
        !RSD_DOUBLES(a, 4L * nnz, &m->values))
        return RESIDA_ERR_MEMORY;
    m->room = nnz;
    return RESIDA_OK;
}

/* Set the pattern of the complex system: each entry of J occurs in all four blocks. */
static void set_pattern(rsd_fixed_transform *m, const resida_jacobian_matrix *J)
{
    int at = 0;
    for (int half = 0; half < 2; half++)
        for (int c = 0; c < J->n; c++) {
            m->start[half * J->n + c] = at;
            for (int block = 0; block < 2; block++)
                for (int e = J->start[c]; e < J->start[c + 1]; e++) m->row[at++] = block * J->n + J->row[e];
        }
    m->start[2 * J->n] = at;
}

static resida_status create_solver(rsd_fixed *fixed, rsd_linear_solver **linear, int stages)
{
    resida_message *why = fixed->base.guard->message;
    if (*linear) return RESIDA_OK;
    RSD_TRY(rsd_linear_create(linear, stages * fixed->base.n, fixed->base.o->linear_solver, &fixed->alloc, why));
    if (rsd_scaling_attach(fixed->matrix.scaling, *linear, stages) >= 0) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to scale the iteration matrix");
}

static resida_status analyse(rsd_fixed *fixed, const resida_jacobian_matrix *J)
{
    rsd_fixed_transform *m = &fixed->transform;
    resida_message *why = fixed->base.guard->message;
    RSD_TRY(create_solver(fixed, &m->real, 1));
    RSD_TRY(create_solver(fixed, &m->pair, 2));
    if (m->is_analysed && J->pattern == m->pattern) return RESIDA_OK;
    set_pattern(m, J);
    RSD_TRY(rsd_linear_set_pattern(m->real, J->start, J->row, why));
    RSD_TRY(rsd_linear_set_pattern(m->pair, m->start, m->row, why));
    m->pattern = J->pattern;
    m->is_analysed = 1;
    return RESIDA_OK;
}

/* Compute dF/dyp from J and dF/dy, if the engine does not store it. "dense", "sparse" and "user" evaluate dF/dy. */
static int separate(rsd_fixed *fixed, const resida_jacobian_point *at)
{
    rsd_fixed_transform *m = &fixed->transform;
    resida_jacobian_point part = *at;
    resida_jacobian_matrix dFdy;
    rsd_setup_facts ignored;
    part.alpha = 0;
    const rsd_plan plan = rsd_jacobian_plan(fixed->engine, RSD_AT_ATTEMPT, RESIDA_SETUP_ALPHA, &part);
    const int verdict = rsd_jacobian_set_up(fixed->engine, &plan, &part, &ignored);
    if (verdict) return verdict;
    RSD_TRY(resida_jacobian_get_matrix(fixed->engine, &dFdy));
    if (dFdy.nnz != m->nnz) return 1;
    for (int e = 0; e < m->nnz; e++) m->dFdyp[e] = (m->J[e] - dFdy.values[e]) / at->alpha;
    return 0;
}

static int set_up(void *self, const rsd_plan *plan, rsd_setup_facts *facts)
{
    rsd_fixed *fixed = self;
    rsd_fixed_transform *m = &fixed->transform;
    const resida_jacobian_point *at = &fixed->newton.renewal->attempt.at;
    resida_jacobian_matrix J;
    const int verdict = rsd_jacobian_set_up(fixed->engine, plan, at, facts);
    if (verdict) return verdict;
    RSD_TRY(resida_jacobian_get_matrix(fixed->engine, &J));
    if (reserve_entries(fixed, J.nnz) < 0)
        return rsd_fail(fixed->base.guard->message, RESIDA_ERR_MEMORY, "no memory for the iteration matrix");
    const size_t bytes = (size_t)(m->nnz = J.nnz) * sizeof *m->J;
    const double *dFdyp = rsd_engine_dFdyp(fixed->engine);
    memcpy(m->J, J.values, bytes);
    if (!dFdyp) return separate(fixed, at);
    memcpy(m->dFdyp, dFdyp, bytes);
    return 0;
}

static void set_values(rsd_fixed *fixed, const resida_jacobian_matrix *J)
{
    rsd_fixed_transform *m = &fixed->transform;
    const double more = (m->of->re - m->of->gamma) / fixed->h_solved, im = m->of->im / fixed->h_solved;
    double *to = m->values;
    for (int half = 0; half < 2; half++)
        for (int c = 0; c < J->n; c++)
            for (int block = 0; block < 2; block++)
                for (int e = J->start[c]; e < J->start[c + 1]; e++)
                    *to++ = half == block ? m->J[e] + more * m->dFdyp[e] : (half ? -im : im) * m->dFdyp[e];
}

static int factor_stage_matrix(rsd_fixed *fixed, rsd_linear_solver *linear, int stages, const resida_jacobian_matrix *A)
{
    resida_message *why = fixed->base.guard->message;
    if (rsd_scaling_update_scales(fixed->matrix.scaling, linear, stages, A, fixed->h_solved) < 0)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to scale the iteration matrix");
    const int column = fixed->matrix.singular_column = rsd_linear_factor(linear, A->values);
    return column < 0 ? rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the factors of the iteration matrix") : column;
}

static int factor(void *self)
{
    rsd_fixed *fixed = self;
    rsd_fixed_transform *m = &fixed->transform;
    resida_jacobian_matrix J;
    RSD_TRY(resida_jacobian_get_matrix(fixed->engine, &J));
    RSD_TRY(analyse(fixed, &J));
    J.values = m->J;
    set_values(fixed, &J);
    fixed->matrix.factorisations++;
    const resida_jacobian_matrix pair = {2 * J.n, 4 * J.nnz, m->start, m->row, m->values, J.pattern};
    const int verdict = factor_stage_matrix(fixed, m->real, 1, &J);
    return verdict ? verdict : factor_stage_matrix(fixed, m->pair, 2, &pair);
}

/* b [3 n] = T b */
static void multiply(int n, const double T[3][3], double *b)
{
    for (int i = 0; i < n; i++) {
        const double x = b[i], y = b[n + i], z = b[2 * n + i];
        for (int k = 0; k < 3; k++) b[k * n + i] = T[k][0] * x + T[k][1] * y + T[k][2] * z;
    }
}

static void solve(void *self, double *b)
{
    const rsd_fixed *fixed = self;
    const rsd_fixed_transform *m = &fixed->transform;
    multiply(fixed->base.n, m->of->inverse, b);
    rsd_linear_solve(m->real, 1, b);
    rsd_linear_solve(m->pair, 1, b + fixed->base.n);
    multiply(fixed->base.n, m->of->T, b);
}

const rsd_matrix_ops rsd_fixed_transform_ops = {.set_up = set_up, .factor = factor, .solve = solve};

void rsd_fixed_transform_solve(const rsd_fixed *fixed, double *b)
{
    rsd_linear_solve(fixed->transform.real, 1, b);
}

void rsd_fixed_transform_times(const rsd_fixed *fixed, const double *x, double *b)
{
    const rsd_fixed_transform *m = &fixed->transform;
    memset(b, 0, (size_t)fixed->base.n * sizeof *b);
    for (int c = 0; c < fixed->base.n; c++)
        for (int half = m->start[c], e = 0; half + e < (m->start[c] + m->start[c + 1]) / 2; e++)
            b[m->row[half + e]] += m->dFdyp[m->start[c] / 2 + e] * x[c];
}
