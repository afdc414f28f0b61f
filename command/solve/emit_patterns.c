/* emit_patterns.c - see cmd_emit_patterns(). Patterns of matrices with a callback are taken from their nonzero values.
 * dg/dp without a callback, dPhi/dp, dPhi/dv and J of a general DAE are found by incrementing one unknown at a time;
 * each row that changes has an entry. This is done at the start and at points near it, because an entry may be zero at
 * the start. */
#include "files.h"

#include "program/base/complain.h"
#include "program/files/out_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 5, PER_LINE = 20 };
#define AROUND 0.01 /* distance of points from the start relative to 1 + |x| */
#define MOVED  1e-3 /* increment of an unknown relative to 1 + |x| */

/** A matrix whose entries are searched. */
typedef struct matrix {
    const char *name;
    int rows, cols;
    unsigned char *there; /**< [rows x cols] 1 for each entry found */
} matrix;

/** A point: p, v, a, lam of a mechanism, or y, yp of a DAE stored as p, v; and the excitation. */
typedef struct point {
    const resida_model *model;
    double *p, *v, *a, *lam, *u;
    double *out, *moved; /**< work */
    resida_excitation e;
} point;

/** Return a reproducible number in [-1, 1]. */
static double next_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1 << 23) - 1;
}

static void perturb_start(double *x, const double *from, int n, int k, unsigned *seed)
{
    for (int i = 0; i < n; i++) {
        const double at = from ? from[i] : 0;
        x[i] = at + (k > 0 ? AROUND * (1 + fabs(at)) * next_random(seed) : 0);
    }
}

/* --- functions to difference --- */

typedef int function(const point *q, double *out);

static int evaluate_phi(const point *q, double *out)
{
    const resida_mechanism *m = &q->model->mechanism;
    const double t = q->model->t0;
    return m->residual_lam ? m->residual_lam(t, q->p, q->v, q->a, q->lam, &q->e, out, m->user)
                           : m->residual(t, q->p, q->v, q->a, &q->e, out, m->user);
}

static int evaluate_g(const point *q, double *out)
{
    const resida_mechanism *m = &q->model->mechanism;
    return m->constraint(q->model->t0, q->p, &q->e, out, m->user);
}

static int evaluate_F(const point *q, double *out)
{
    const resida_dae *d = &q->model->dae;
    return d->residual(q->model->t0, q->p, q->v, &q->e, out, d->user);
}

/** Find the rows of f that change with x [cols], an array of q. */
static void find_entries_by_increments(const point *q, function *f, double *x, matrix *A)
{
    if (f(q, q->out)) return;
    for (int j = 0; j < A->cols; j++) {
        const double at = x[j];
        x[j] = at + MOVED * (1 + fabs(at));
        const int refused = f(q, q->moved);
        x[j] = at;
        for (int i = 0; i < A->rows && !refused; i++)
            A->there[(size_t)i * (size_t)A->cols + (size_t)j] |= q->moved[i] != q->out[i];
    }
}

static void find_nonzero_entries(const point *q, resida_position_fn *callback, matrix *A)
{
    const size_t size = (size_t)A->rows * (size_t)A->cols;
    if (callback(q->model->t0, q->p, &q->e, q->out, q->model->mechanism.user)) return;
    for (size_t i = 0; i < size; i++) A->there[i] |= q->out[i] != 0;
}

/* --- selection of patterns --- */

enum { G, T, GH, K, M, PHI_P, PHI_V, J, N_MATRICES };

static void search_matrix(const point *q, matrix *A)
{
    const resida_mechanism *m = &q->model->mechanism;
    resida_position_fn *const callbacks[] = {m->constraint_matrix, m->kinematic_matrix, m->nonholonomic_matrix,
                                             m->invariant_matrix, m->mass_matrix};
    for (int i = G; i <= M; i++)
        if (A[i].there && callbacks[i]) find_nonzero_entries(q, callbacks[i], &A[i]);
    if (A[G].there && !m->constraint_matrix) find_entries_by_increments(q, evaluate_g, q->p, &A[G]);
    if (A[PHI_P].there) find_entries_by_increments(q, evaluate_phi, q->p, &A[PHI_P]);
    if (A[PHI_V].there) find_entries_by_increments(q, evaluate_phi, q->v, &A[PHI_V]);
    if (A[J].there) find_entries_by_increments(q, evaluate_F, q->p, &A[J]);
    if (A[J].there) find_entries_by_increments(q, evaluate_F, q->v, &A[J]);
}

/** Allocate memory for the patterns that the model does not give. @return 0; -1 without memory */
static int allocate_patterns(const resida_model *model, matrix *A)
{
    const resida_mechanism *m = &model->mechanism;
    const int is_body = !model->is_dae, has_phi = is_body && (m->residual || m->residual_lam) && !m->Phi_p_pattern.row;
    const int wanted[N_MATRICES] = {is_body && m->n_g > 0 && !m->G_pattern.row,
                                    is_body && m->kinematic_matrix && !m->T_pattern.row,
                                    is_body && m->n_h > 0 && !m->Gh_pattern.row,
                                    is_body && m->invariant_matrix && !m->K_pattern.row,
                                    is_body && m->mass_matrix && !m->M_pattern.row,
                                    has_phi,
                                    has_phi,
                                    model->is_dae && !model->dae.J_pattern.row};
    const matrix all[N_MATRICES] = {{"G", m->n_g, m->n_p, NULL},           {"T", m->n_p, m->n_v - m->n_z, NULL},
                                    {"Gh", m->n_h, m->n_v - m->n_z, NULL}, {"K", m->n_k, m->n_p, NULL},
                                    {"M", m->n_v, m->n_v, NULL},           {"Phi_p", m->n_v, m->n_p, NULL},
                                    {"Phi_v", m->n_v, m->n_v, NULL},       {"J", model->dae.n, model->dae.n, NULL}};
    for (int i = 0; i < N_MATRICES; i++) {
        A[i] = all[i];
        if (wanted[i] && !(A[i].there = calloc((size_t)A[i].rows * (size_t)A[i].cols + 1, 1))) return -1;
    }
    return 0;
}

/** Search entries at all points. @return 0; -1 without memory, or if the excitation fails */
static int search_all_points(const resida_model *model, matrix *A)
{
    const resida_mechanism *m = &model->mechanism;
    const size_t n = 1 + (size_t)(model->is_dae ? model->dae.n : m->n_p + m->n_g + m->n_h);
    const int n_u = model->is_dae ? model->dae.n_u : m->n_u, n_p = model->is_dae ? model->dae.n : m->n_p,
              n_v = model->is_dae ? model->dae.n : m->n_v;
    resida_excitation_fn *excitation = model->is_dae ? model->dae.excitation : m->excitation;
    double *memory = calloc(4 * n + 3 * (size_t)n_u + 2 * n * n, sizeof *memory);
    unsigned seed = 1;
    if (!memory) return -1;
    point q = {model, memory, memory + n, memory + 2 * n, memory + 3 * n, memory + 4 * n, NULL, NULL, {0}};
    q.out = q.u + 3 * n_u;
    q.moved = q.out + n * n;
    q.e = (resida_excitation){q.u, q.u + n_u, q.u + 2 * n_u};
    int failed =
        excitation && excitation(model->t0, q.u, q.u + n_u, q.u + 2 * n_u, model->is_dae ? model->dae.user : m->user);
    for (int k = 0; k < POINTS && !failed; k++) {
        perturb_start(q.p, model->is_dae ? model->y0 : model->p0, n_p, k, &seed);
        perturb_start(q.v, model->is_dae ? model->yp0 : model->v0, n_v, k, &seed);
        perturb_start(q.a, NULL, model->is_dae ? 0 : n_v, k, &seed);
        perturb_start(q.lam, NULL, model->is_dae ? 0 : m->n_g + m->n_h, k, &seed);
        search_matrix(&q, A);
    }
    free(memory);
    return failed ? -1 : 0;
}

/* --- output as C --- */

static void put_int(FILE *f, int value, int *count)
{
    fprintf(f, "%s%d", *count == 0 ? "" : *count % PER_LINE == 0 ? ",\n    " : ", ", value);
    ++*count;
}

static void put_matrix(const matrix *A, FILE *f)
{
    int count = 0, entries = 0;
    fprintf(f, "static const int %s_row[] = {", A->name);
    for (int i = 0; i < A->rows; i++) {
        put_int(f, entries, &count);
        for (int j = 0; j < A->cols; j++) entries += A->there[(size_t)i * (size_t)A->cols + (size_t)j];
    }
    put_int(f, entries, &count);
    fprintf(f, "};\nstatic const int %s_col[] = {", A->name);
    count = 0;
    for (int i = 0; i < A->rows; i++)
        for (int j = 0; j < A->cols; j++)
            if (A->there[(size_t)i * (size_t)A->cols + (size_t)j]) put_int(f, j, &count);
    fprintf(f, "%s};\n/* m->%s_pattern = (resida_pattern){%s_row, %s_col}; */\n\n", count == 0 ? "0" : "", A->name,
            A->name, A->name);
}

static int write_all(const cmd_model *model, const matrix *A, const char *path)
{
    cmd_out out = {0};
    int code = cmd_out_open(&out, path), n = 0;
    if (code != 0) return code;
    fprintf(out.stream,
            "/* Patterns of %s, found around its start. Look through them: an entry that was zero there lacks.\n"
            " * A callback whose matrix gets a pattern fills in the entries alone, in this order. */\n",
            model->cls->name);
    for (int i = 0; i < N_MATRICES; i++)
        if (A[i].there) put_matrix(&A[i], out.stream), n++;
    if (n == 0) fputs("/* All patterns are given. */\n", out.stream);
    code = ferror(out.stream) ? cmd_out_fail(&out) : cmd_out_commit(&out);
    cmd_out_abort(&out);
    return code;
}

int cmd_emit_patterns(const cmd_job *job, const char *path)
{
    matrix A[N_MATRICES] = {{NULL, 0, 0, NULL}};
    int code = allocate_patterns(&job->model->model, A) != 0 || search_all_points(&job->model->model, A) != 0
                   ? cmd_complain(CMD_EXIT_FAILED, "--emit-patterns: out of memory, or the excitation failed")
                   : write_all(job->model, A, path);
    for (int i = 0; i < N_MATRICES; i++) free(A[i].there);
    return code;
}
