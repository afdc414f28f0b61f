/* fixed_matrix.c - assembles and factors the iteration matrix of a step. With A = dF/dy and B = dF/dyp its blocks are
 *
 *     block (i, j) = e_ij A + d_ij/h B = e_ij J + (d_ij - e_ij d)/h B,    e and d_ij by the field of the column.
 *
 * The Jacobian engine evaluates J = A + d/h B and B at one point. All blocks have the pattern of J. For a single stage
 * with the same d for all fields the matrix is J.
 *
 * In steps of variable size, a collocation method of three stages is transformed to a real and a complex system of the
 * size of y (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.8). With D = A_method^-1 and the matrix T
 * of method.h, T^-1 D T = (gamma; re -im; im re),
 *
 *     T^-1 (I A + D/h B) T = ( A + gamma/h B                               )
 *                            (                A + re/h B     -im/h B       )
 *                            (                    im/h B      A + re/h B   )
 *
 * The first system is J, with d = gamma. The second one is complex, (A + (re + i im)/h B) (x + i y). It is solved as a
 * real system of two stages, because the linear solvers are real. A dense factorisation takes 9 times the operations of
 * an n x n matrix (complex factors: 5; three stages together: 27). For the 52 real unknowns of Andrews' mechanism
 * KLU takes 1.3 times the instructions of dense factors, and 3.4 times in a solution. */
#include "fixed.h"

#include <limits.h>
#include <string.h>

/* Cost per entry of the assembly, and of work missing in rsd_linear_get_costs() [operations] (20 to 120). */
#define SYSTEM_ENTRY 60.0

/* Return 1 if the iteration matrix of the stages st is J itself: one stage, with e = 1 and equal d for all fields. */
static int is_J_sufficient(const rsd_stages *st)
{
    for (int f = 0; f < RSD_N_FIELDS; f++)
        if (st->e[f][0][0] != 1 || st->d[f][0][0] != st->d[0][0][0]) return 0;
    return st->s == 1;
}

/* Return d, the coefficient of dF/dyp in J = dF/dy + d/h dF/dyp. */
static double get_coefficient_of_J(const rsd_fixed *fixed)
{
    const rsd_stages *st = &fixed->stages;
    return fixed->is_variable ? fixed->method->collocation->gamma : st->d[RSD_FIELD_V][st->s - 1][st->s - 1];
}

double rsd_fixed_alpha(const rsd_fixed *fixed)
{
    return get_coefficient_of_J(fixed) / fixed->h_solved;
}

/* Set in st the coefficients of the real system (s = 1) or of the complex system (s = 2) of a collocation method. */
static void set_transformed_stages(const rsd_collocation *of, int s, rsd_stages *st)
{
    rsd_stages_set_plain(st, of->gamma);
    st->s = s;
    for (int f = 0; f < RSD_N_FIELDS && s == 2; f++) {
        st->e[f][1][1] = 1;
        st->d[f][0][0] = st->d[f][1][1] = of->re;
        st->d[f][0][1] = -of->im;
        st->d[f][1][0] = of->im;
    }
}

static resida_status report_no_memory(const rsd_fixed *fixed)
{
    return rsd_fail(fixed->base.guard->message, RESIDA_ERR_MEMORY, "no memory for the iteration matrix");
}

static resida_status reserve_entries(rsd_fixed *fixed, int nnz)
{
    rsd_fixed_matrix *m = &fixed->matrix;
    m->nnz = nnz;
    if (nnz <= m->room) return RESIDA_OK;
    RSD_FREE(&fixed->alloc, m->J, m->dFdyp);
    m->J = m->dFdyp = NULL;
    m->room = 0;
    if (!RSD_DOUBLES(&fixed->alloc, nnz, &m->J, &m->dFdyp)) return report_no_memory(fixed);
    m->room = nnz;
    return RESIDA_OK;
}

/* Compute dF/dyp = (J - dF/dy)/alpha if the engine does not store dF/dyp. The strategies "dense", "sparse" and "user"
 * evaluate dF/dy for the difference. Return 0 on success, > 0 if dF/dy could not be evaluated, < 0 on a fatal error. */
static int separate_dFdyp(rsd_fixed *fixed, const resida_jacobian_point *at)
{
    rsd_fixed_matrix *m = &fixed->matrix;
    resida_jacobian_point part = *at;
    resida_jacobian_matrix dFdy;
    rsd_plan plan;
    part.alpha = 0;
    int verdict = rsd_jacobian_plan_setup(fixed->engine, RSD_AT_ATTEMPT, RESIDA_SETUP_ALPHA, &part, &plan);
    if (!verdict) verdict = rsd_jacobian_set_up(fixed->engine, &plan, &part);
    if (verdict) return verdict;
    RSD_TRY(resida_jacobian_get_matrix(fixed->engine, &dFdy));
    if (dFdy.nnz != m->nnz) return 1;
    for (int e = 0; e < m->nnz; e++) m->dFdyp[e] = (m->J[e] - dFdy.values[e]) / at->alpha;
    return 0;
}

/* Set up J, and copy J and dF/dyp. Return 0 on success, > 0 if J could not be evaluated, < 0 on a fatal error. */
static int set_up(void *self, const rsd_plan *plan)
{
    rsd_fixed *fixed = self;
    rsd_fixed_matrix *m = &fixed->matrix;
    const resida_jacobian_point *at = &fixed->newton.renewal->attempt.at;
    resida_jacobian_matrix J;
    int verdict = rsd_fixed_eval_F_at_J(fixed);
    if (!verdict) verdict = rsd_jacobian_set_up(fixed->engine, plan, at);
    if (verdict) return verdict;
    RSD_TRY(resida_jacobian_get_matrix(fixed->engine, &J));
    RSD_TRY(reserve_entries(fixed, J.nnz));
    const size_t bytes = (size_t)m->nnz * sizeof *m->J;
    const double *dFdyp = rsd_engine_get_dFdyp(fixed->engine);
    memcpy(m->J, J.values, bytes);
    if (is_J_sufficient(&fixed->stages)) return 0;
    if (!dFdyp) return separate_dFdyp(fixed, at);
    memcpy(m->dFdyp, dFdyp, bytes);
    return 0;
}

/* Return the index of the entry before which a diagonal entry must be inserted in column c of J, or -1 if none is
 * missing. With RSD_AT_END the multipliers of the first stages equal the multipliers of the last stage. This equation
 * has an entry on the diagonal. */
static int find_missing_diagonal(const rsd_fixed *fixed, const rsd_stages *st, const resida_jacobian_matrix *J, int c)
{
    if (st->holding != RSD_AT_END || !fixed->held[c]) return -1;
    int e = J->start[c];
    while (e < J->start[c + 1] && J->row[e] < c) e++;
    return e < J->start[c + 1] && J->row[e] == c ? -1 : e;
}

/* Set the pattern of the linear system of the stages st. Column c of stage j contains column c of the blocks (i, j) of
 * all stages i. */
static void set_pattern(rsd_fixed *fixed, const rsd_stages *st, const resida_jacobian_matrix *J)
{
    rsd_stage_system *x = &fixed->matrix.system[st->s - 1];
    int at = 0;
    for (int j = 0; j < st->s; j++)
        for (int c = 0; c < J->n; c++) {
            const int missing = find_missing_diagonal(fixed, st, J, c);
            x->start[j * J->n + c] = at;
            for (int i = 0; i < st->s; i++)
                for (int e = J->start[c]; e <= J->start[c + 1]; e++) {
                    if (e == missing) x->row[at++] = i * J->n + c;
                    if (e < J->start[c + 1]) x->row[at++] = i * J->n + J->row[e];
                }
        }
    x->start[st->s * J->n] = at;
}

/* Return an entry of block (i, j) in a constraint row that is evaluated at X_i. is_own: 1 if the entry is on the
 * diagonal of the block. of_y is the entry of dF/dy at the same position. */
static double get_constraint_entry(const rsd_stages *st, int i, int j, int is_own, double of_y)
{
    const int last = st->s - 1, is_tied = st->holding == RSD_AT_END && i < last;
    if (is_tied) return !is_own ? 0 : i == j ? 1 : j == last ? -1 : 0;
    return i == j ? of_y : 0;
}

/* Write the entries of column c of block (i, j) to `to`: of_J J + of_B B with B = dF/dyp, except in constraint rows
 * that are evaluated at X_i. Return the end of the written entries. */
static double *set_constraint_block(const rsd_fixed *fixed, const rsd_stages *st, const resida_jacobian_matrix *J,
                                    int c, int i, int j, double of_J, double of_B, double *to)
{
    const int missing = find_missing_diagonal(fixed, st, J, c);
    const double alpha = rsd_fixed_alpha(fixed), *B = fixed->matrix.dFdyp;
    for (int e = J->start[c]; e <= J->start[c + 1]; e++) {
        if (e == missing) *to++ = get_constraint_entry(st, i, j, 1, 0);
        if (e == J->start[c + 1]) break;
        const int r = J->row[e];
        *to++ = fixed->held[r] ? get_constraint_entry(st, i, j, r == c, J->values[e] - alpha * B[e])
                               : of_J * J->values[e] + of_B * B[e];
    }
    return to;
}

static void set_values(const rsd_fixed *fixed, const rsd_stages *st, const resida_jacobian_matrix *J, double *to)
{
    const double h = fixed->h_solved, d = get_coefficient_of_J(fixed), *B = fixed->matrix.dFdyp;
    for (int j = 0; j < st->s; j++)
        for (int c = 0; c < J->n; c++)
            for (int i = 0; i < st->s; i++) {
                const int field = fixed->past.field[c];
                const double of_J = st->e[field][i][j], of_B = (st->d[field][i][j] - of_J * d) / h;
                if (st->holding) to = set_constraint_block(fixed, st, J, c, i, j, of_J, of_B, to);
                for (int e = J->start[c]; e < J->start[c + 1] && !st->holding; e++)
                    *to++ = of_J * J->values[e] + of_B * B[e];
            }
}

static resida_status create_solver(rsd_fixed *fixed, int s)
{
    rsd_linear_solver **linear = &fixed->matrix.system[s - 1].linear;
    if (*linear) return RESIDA_OK;
    RSD_TRY(rsd_linear_create(linear, s * fixed->base.n, fixed->base.o->linear_solver, &fixed->alloc,
                              fixed->base.guard->message));
    if (fixed->is_variable && s == 2) rsd_linear_set_complex(*linear);
    return rsd_scaling_attach(fixed->matrix.scaling, *linear, s) < 0 ? report_no_memory(fixed) : RESIDA_OK;
}

static resida_status analyse(rsd_fixed *fixed, const rsd_stages *st, const resida_jacobian_matrix *J)
{
    rsd_stage_system *x = &fixed->matrix.system[st->s - 1];
    const resida_allocator *a = &fixed->alloc;
    const long max = ((long)J->nnz + J->n) * st->s * st->s;
    if (x->pattern == J->pattern) return RESIDA_OK;
    RSD_TRY(create_solver(fixed, st->s));
    RSD_FREE(a, x->start, x->row, x->values);
    *x = (rsd_stage_system){.linear = x->linear};
    if (max > INT_MAX || !RSD_INTS(a, (long)J->n * st->s + 1, &x->start) || !RSD_INTS(a, max, &x->row) ||
        !RSD_DOUBLES(a, max, &x->values))
        return report_no_memory(fixed);
    set_pattern(fixed, st, J);
    RSD_TRY(rsd_linear_set_pattern(x->linear, x->start, x->row, fixed->base.guard->message));
    x->pattern = J->pattern;
    return RESIDA_OK;
}

static resida_jacobian_matrix get_system(const rsd_fixed *fixed, int s)
{
    const rsd_stage_system *x = &fixed->matrix.system[s - 1];
    const int n = s * fixed->base.n;
    return (resida_jacobian_matrix){n, x->start[n], x->start, x->row, x->values, x->pattern};
}

resida_jacobian_matrix rsd_fixed_matrix_get(const rsd_fixed *fixed)
{
    return get_system(fixed, fixed->matrix.s);
}

static int factor_system(rsd_fixed *fixed, const rsd_stages *st, const resida_jacobian_matrix *J)
{
    rsd_fixed_matrix *m = &fixed->matrix;
    rsd_stage_system *x = &m->system[st->s - 1];
    RSD_TRY(analyse(fixed, st, J));
    if (is_J_sufficient(st))
        memcpy(x->values, J->values, (size_t)J->nnz * sizeof *x->values);
    else
        set_values(fixed, st, J, x->values);
    const resida_jacobian_matrix A = get_system(fixed, st->s);
    if (rsd_scaling_update_scales(m->scaling, x->linear, st->s, &A, fixed->h_solved) < 0)
        return report_no_memory(fixed);
    m->singular_column = rsd_linear_factor(x->linear, x->values);
    return m->singular_column < 0 ? report_no_memory(fixed) : m->singular_column;
}

/* Factor the matrix of the stages or, in steps of variable size, the real and the complex system. */
static int factor(void *self)
{
    rsd_fixed *fixed = self;
    rsd_stages st;
    resida_jacobian_matrix J;
    int verdict = 0;
    RSD_TRY(resida_jacobian_get_matrix(fixed->engine, &J));
    J.values = fixed->matrix.J;
    fixed->matrix.factorisations++;
    fixed->matrix.s = fixed->is_variable ? 1 : fixed->stages.s;
    if (!fixed->is_variable) return factor_system(fixed, &fixed->stages, &J);
    for (int s = 1; s <= 2 && !verdict; s++) {
        set_transformed_stages(fixed->method->collocation, s, &st);
        verdict = factor_system(fixed, &st, &J);
    }
    return verdict;
}

/* Replace (b_1, b_2, b_3) of each component of b = (b_1, b_2, b_3) [3 n] by T times these three numbers. */
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
    const rsd_fixed_matrix *m = &fixed->matrix;
    const rsd_collocation *of = fixed->method->collocation;
    if (fixed->is_variable) multiply(fixed->base.n, of->inverse, b);
    rsd_linear_solve(m->system[m->s - 1].linear, b);
    if (!fixed->is_variable) return;
    rsd_linear_solve(m->system[1].linear, b + fixed->base.n);
    multiply(fixed->base.n, of->T, b);
}

static void get_costs(const void *self, rsd_linear_costs *c)
{
    const rsd_fixed *fixed = self;
    for (int s = 1; s <= RSD_MAX_STAGES; s++) {
        const rsd_stage_system *x = &fixed->matrix.system[s - 1];
        rsd_linear_costs own;
        if (x->pattern == 0) continue;
        rsd_linear_get_costs(x->linear, &own);
        c->factor += own.factor + SYSTEM_ENTRY * x->start[s * fixed->base.n];
        c->solve += own.solve;
    }
}

const rsd_matrix_ops rsd_fixed_matrix_ops = {
    .set_up = set_up, .factor = factor, .solve = solve, .get_costs = get_costs};

void rsd_fixed_solve_real(const rsd_fixed *fixed, double *b)
{
    rsd_linear_solve(fixed->matrix.system[0].linear, b);
}

void rsd_fixed_multiply_by_dFdyp(const rsd_fixed *fixed, const double *x, double *b)
{
    const rsd_stage_system *real = &fixed->matrix.system[0];
    memset(b, 0, (size_t)fixed->base.n * sizeof *b);
    for (int c = 0; c < fixed->base.n; c++)
        for (int e = real->start[c]; e < real->start[c + 1]; e++) b[real->row[e]] += fixed->matrix.dFdyp[e] * x[c];
}
