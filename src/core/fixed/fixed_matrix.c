/* fixed_matrix.c - assembles and factors the iteration matrix. All blocks have the pattern of J. In blocks that couple
 * two stages only the entries of dF/dyp are nonzero, unless e couples them too. */
#include "fixed.h"

#include <limits.h>
#include <string.h>

int rsd_stages_are_plain(const rsd_stages *st)
{
    for (int f = 0; f < RSD_N_FIELDS; f++)
        if (st->e[f][0][0] != 1 || st->d[f][0][0] != st->d[0][0][0]) return 0;
    return st->s == 1;
}

double rsd_stages_alpha(const rsd_stages *st, double h)
{
    return st->d[RSD_FIELD_V][st->s - 1][st->s - 1] / h;
}

static resida_status reserve_matrix(rsd_fixed *fixed, int s, int nnz)
{
    rsd_fixed_matrix *m = &fixed->matrix;
    const resida_allocator *a = &fixed->alloc;
    const int most = nnz + fixed->base.n; /* max entries of a block */
    if (nnz > INT_MAX / s / s - fixed->base.n) return RESIDA_ERR_MEMORY;
    if (!m->block_start && (!RSD_INTS(a, (long)fixed->base.n * RSD_MAX_STAGES + 1, &m->start) ||
                            !RSD_INTS(a, (long)fixed->base.n + 1, &m->block_start)))
        return RESIDA_ERR_MEMORY;
    if (s * s * most <= m->room) return RESIDA_OK;
    RSD_FREE(a, m->row, m->values, m->block_row, m->block_from);
    m->row = m->block_row = m->block_from = NULL, m->values = NULL;
    m->s = m->room = 0;
    if (!RSD_INTS(a, (long)s * s * most, &m->row) || !RSD_DOUBLES(a, (long)s * s * most, &m->values) ||
        !RSD_INTS(a, most, &m->block_row, &m->block_from))
        return RESIDA_ERR_MEMORY;
    m->room = s * s * most;
    return RESIDA_OK;
}

resida_status rsd_fixed_matrix_store_J(rsd_fixed *fixed, const resida_jacobian_matrix *J)
{
    rsd_fixed_matrix *m = &fixed->matrix;
    if (J->nnz > m->room_J) {
        rsd_free(&fixed->alloc, m->with_alpha);
        m->with_alpha = rsd_doubles(&fixed->alloc, J->nnz);
        m->room_J = m->with_alpha ? J->nnz : 0;
        if (!m->with_alpha) return RESIDA_ERR_MEMORY;
    }
    memcpy(m->with_alpha, J->values, (size_t)J->nnz * sizeof *J->values);
    return RESIDA_OK;
}

/* Make the pattern of a block: the entries of J, and the diagonal in columns of multipliers that equal those of X_s. */
static void make_block_pattern(rsd_fixed *fixed, const resida_jacobian_matrix *J)
{
    rsd_fixed_matrix *m = &fixed->matrix;
    int at = 0;
    for (int c = 0; c < fixed->base.n; c++) {
        int is_missing = fixed->stages.holding == RSD_AT_END && fixed->held[c];
        m->block_start[c] = at;
        for (int e = J->start[c]; e <= J->start[c + 1]; e++) {
            int ends = e == J->start[c + 1];
            is_missing &= ends || J->row[e] != c;
            if (is_missing && (ends || J->row[e] > c)) {
                m->block_row[at] = c;
                m->block_from[at++] = -1;
                is_missing = 0;
            }
            if (ends) break;
            m->block_row[at] = J->row[e];
            m->block_from[at++] = e;
        }
    }
    m->block_start[fixed->base.n] = at;
}

/* Set the pattern of the matrix. Column (j, c) contains column c of all blocks (i, j), ordered by i. */
static void set_pattern(rsd_fixed_matrix *m, int n, int s)
{
    int at = 0;
    for (int j = 0; j < s; j++)
        for (int c = 0; c < n; c++) {
            m->start[j * n + c] = at;
            for (int i = 0; i < s; i++)
                for (int e = m->block_start[c]; e < m->block_start[c + 1]; e++) m->row[at++] = i * n + m->block_row[e];
        }
    m->start[s * n] = at;
}

/* Return entry (r, c) of block (i, j) in a constraint row that is evaluated at X_i. */
static double held_value(const rsd_stages *st, int i, int j, int is_own, double of_y)
{
    const int last = st->s - 1, is_tied = st->holding == RSD_AT_END && i < last;
    if (is_tied) return !is_own ? 0 : i == j ? 1 : j == last ? -1 : 0;
    return i == j ? of_y : 0;
}

static void set_values(rsd_fixed *fixed, const resida_jacobian_matrix *J)
{
    const rsd_stages *st = &fixed->stages;
    const double h = fixed->h_solved, alpha = rsd_stages_alpha(st, h);
    rsd_fixed_matrix *m = &fixed->matrix;
    double *to = m->values;
    for (int j = 0; j < st->s; j++)
        for (int c = 0; c < fixed->base.n; c++)
            for (int i = 0; i < st->s; i++) {
                const double e_ij = st->e[fixed->past.field[c]][i][j], d_ij = st->d[fixed->past.field[c]][i][j] / h;
                for (int e = m->block_start[c]; e < m->block_start[c + 1]; e++) {
                    const int from = m->block_from[e], r = m->block_row[e];
                    const double of_y = from < 0 ? 0 : J->values[from];
                    const double of_yp = from < 0 ? 0 : (m->with_alpha[from] - of_y) / alpha;
                    *to++ =
                        st->holding && fixed->held[r] ? held_value(st, i, j, r == c, of_y) : e_ij * of_y + d_ij * of_yp;
                }
            }
}

static resida_status analyse_pattern(rsd_fixed *fixed, const resida_jacobian_matrix *J)
{
    rsd_fixed_matrix *m = &fixed->matrix;
    resida_message *why = fixed->base.guard->message;
    const int s = fixed->stages.s, is_new = !m->linear[s - 1], is_old = !is_new && J->pattern == m->pattern[s - 1];
    if (reserve_matrix(fixed, s, J->nnz) < 0)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the iteration matrix");
    if (is_new)
        RSD_TRY(
            rsd_linear_create(&m->linear[s - 1], s * fixed->base.n, fixed->base.o->linear_solver, &fixed->alloc, why));
    if (is_new && rsd_scaling_attach(m->scaling, m->linear[s - 1], s) < 0)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to scale the iteration matrix");
    if (is_old && m->s == s) return RESIDA_OK;
    make_block_pattern(fixed, J);
    set_pattern(m, fixed->base.n, s);
    m->s = s;
    if (!is_old) RSD_TRY(rsd_linear_set_pattern(m->linear[s - 1], m->start, m->row, why));
    m->pattern[s - 1] = J->pattern;
    return RESIDA_OK;
}

int rsd_fixed_matrix_factor(rsd_fixed *fixed, const resida_jacobian_matrix *J)
{
    rsd_fixed_matrix *m = &fixed->matrix;
    const rsd_stages *st = &fixed->stages;
    resida_message *why = fixed->base.guard->message;
    RSD_TRY(analyse_pattern(fixed, J));
    if (rsd_stages_are_plain(st))
        memcpy(m->values, J->values, (size_t)J->nnz * sizeof *m->values);
    else
        set_values(fixed, J);
    m->factorisations++;
    const resida_jacobian_matrix A = rsd_fixed_matrix_get(fixed);
    if (rsd_scaling_update_scales(m->scaling, m->linear[st->s - 1], st->s, &A, fixed->h_solved) < 0)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to scale the iteration matrix");
    m->singular_column = rsd_linear_factor(m->linear[st->s - 1], m->values);
    if (m->singular_column < 0)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the factors of the iteration matrix");
    return m->singular_column;
}

resida_jacobian_matrix rsd_fixed_matrix_get(const rsd_fixed *fixed)
{
    const rsd_fixed_matrix *m = &fixed->matrix;
    int n = m->s * fixed->base.n;
    return (resida_jacobian_matrix){n, m->start ? m->start[n] : 0, m->start, m->row, m->values, m->pattern[m->s - 1]};
}
