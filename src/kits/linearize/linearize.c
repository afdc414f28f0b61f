/* linearize.c - creates the handle, and the linear model in the unknowns of the problem: E = dF/dyp, A = -dF/dy, B =
 * -dF/du. */
#include "linearize_impl.h"

#include "base/linear/dense.h"
#include "src/core/problem/arguments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void resida_linearization_free(resida_linearization *l)
{
    if (!l) return;
    const resida_allocator alloc = l->owner.from;
    rsd_owner_free(&l->mode_memory);
    rsd_owner_free(&l->owner);
    rsd_free(&alloc, l);
}

char **rsd_linear_allocate_names(int n, const resida_allocator *alloc)
{
    const size_t each = sizeof(char *) + RSD_LINEAR_NAME;
    char **list = rsd_calloc(alloc, n, each);
    for (int i = 0; list && i < n; i++) list[i] = (char *)(list + n) + (size_t)i * RSD_LINEAR_NAME;
    return list;
}

static void create_numbered_names(char **list, const char *letter, int n)
{
    for (int i = 0; i < n; i++) snprintf(list[i], RSD_LINEAR_NAME, "%s[%d]", letter, i);
}

static resida_status complete_model(resida_linearization *l, const resida_problem *q, double t)
{
    static const char *const inputs[] = {"u", "ud", "udd"};
    resida_linear_model *m = &l->model;
    const int n[] = {m->n, m->n_inputs, m->n_outputs}, n_u = m->n_inputs / 3;
    m->t = t;
    for (int k = RSD_NAMES_X; k <= RSD_NAMES_Y; k++)
        if (!(l->names[k] = rsd_linear_allocate_names(n[k], &l->alloc))) return RESIDA_ERR_MEMORY;
    for (int k = 0; k < 3; k++) create_numbered_names(l->names[RSD_NAMES_U] + (long)k * n_u, inputs[k], n_u);
    for (int i = 0; i < m->n_outputs; i++)
        resida_problem_component_name(q, i, l->names[RSD_NAMES_Y][i], RSD_LINEAR_NAME);
    if (m->is_independent) {
        create_numbered_names(l->names[RSD_NAMES_X], "q", m->n_q);
        create_numbered_names(l->names[RSD_NAMES_X] + m->n_q, "w", m->n_w);
        create_numbered_names(l->names[RSD_NAMES_X] + m->n_q + m->n_w, "z", m->n - m->n_q - m->n_w);
    } else {
        for (int i = 0; i < m->n; i++) resida_problem_component_name(q, i, l->names[RSD_NAMES_X][i], RSD_LINEAR_NAME);
    }
    return RESIDA_OK;
}

static resida_matrix view_matrix(const rsd_sparse *A)
{
    return (resida_matrix){A->rows, A->columns, A->start, A->row, A->values};
}

/* Set the output matrix C: the outputs are the first m->n_outputs components of y. */
static resida_status select_outputs(resida_linearization *l)
{
    const int n = l->model.n, n_y = l->model.n_outputs;
    RSD_TRY(rsd_sparse_create(&l->C, n_y, n, n_y, &l->alloc));
    for (int i = 0; i < n_y; i++) l->C.row[i] = i, l->C.values[i] = 1;
    for (int j = 0; j <= n; j++) l->C.start[j] = j < n_y ? j : n_y;
    return RESIDA_OK;
}

/* Append the active rows of A to the entries of H, as a block at (row, column). *n is the number of entries. A may be
 * NULL. */
static void append_active_rows(rsd_entry *H, int *n, const rsd_csr *A, const double *values,
                               const unsigned char *dropped, int row, int column)
{
    for (int i = 0; A && i < A->rows; i++)
        for (int e = A->row[i]; e < A->row[i + 1] && !dropped[i]; e++)
            H[(*n)++] = (rsd_entry){row + i, column + A->col[e], values[e]};
}

/* Set H, the constraint derivatives. Its rows are dg/dp in the columns of p and, at rest, G and Gh in the columns of v.
 * Modes of the mechanism satisfy H y = 0. */
static resida_status list_constraints(resida_linearization *l, resida_problem *q, double t, const double *y,
                                      const resida_allocator *work)
{
    rsd_mechanism *k = q->mechanism;
    const resida_layout *layout = &q->layout;
    if (!k || k->n_l == 0) return RESIDA_OK;
    const int n_g = layout->n_g, at_rest = l->model.speed == 0;
    if (rsd_eval_excitation(k, t) != 0 || rsd_eval_matrices(k, t, y + layout->p) != 0) return RESIDA_ERR_USER;
    rsd_csr product = {.rows = 0};
    const rsd_csr *G = &k->gp;
    double *G_values = k->gp_values, *row = NULL;
    if (k->m.kinematic_matrix) {
        RSD_TRY(rsd_csr_create_product(&product, &k->gp, &k->T, work));
        if (!RSD_DOUBLES(work, product.nnz, &G_values) || !RSD_DOUBLES(work, k->m.n_v, &row)) return RESIDA_ERR_MEMORY;
        rsd_csr_compute_product(&product, G_values, &k->gp, k->gp_values, &k->T, k->T_values, row);
        G = &product;
    }
    l->n_H_rows = n_g + k->n_l;
    l->H = rsd_calloc(&l->alloc, (long)k->gp.nnz + G->nnz + k->Gh.nnz, sizeof *l->H);
    if (!l->H) return RESIDA_ERR_MEMORY;
    append_active_rows(l->H, &l->n_H, &k->gp, k->gp_values, k->dropped, 0, 0);
    append_active_rows(l->H, &l->n_H, at_rest ? G : NULL, G_values, k->dropped, n_g, layout->n_p);
    append_active_rows(l->H, &l->n_H, at_rest ? &k->Gh : NULL, k->Gh_values, k->dropped + n_g, 2 * n_g, layout->n_p);
    return RESIDA_OK;
}

void rsd_sparse_add_product(const rsd_sparse *A, const rsd_number *x, rsd_number *y)
{
    for (int j = 0; j < A->columns; j++)
        for (int e = A->start[j]; e < A->start[j + 1]; e++) y[A->row[e]] += A->values[e] * x[j];
}

static resida_status build_model(resida_linearization *l, resida_problem *q, double t, const double *y,
                                 const double *yp, const resida_allocator *work, resida_message *why)
{
    rsd_pencil w;
    const resida_layout *layout = &q->layout;
    resida_linear_model *m = &l->model;
    RSD_TRY(rsd_pencil_compute(&w, q, t, y, yp, &l->alloc, work, why));
    m->n = layout->n, m->n_inputs = w.n_inputs;
    m->n_components = m->n_outputs = q->mechanism ? layout->n_p + layout->n_v : layout->n;
    m->is_differenced = w.is_differenced;
    m->speed = rsd_max_norm(yp, m->n_outputs);
    if (q->mechanism)
        m->speed = fmax(rsd_max_norm(yp, layout->n_p), rsd_max_norm(y + layout->v, layout->n_v - layout->n_z));
    if (q->mechanism) m->acceleration = rsd_max_norm(rsd_problem_get_a(q, y, yp), layout->n_v);
    l->n_positions = q->mechanism ? layout->n_p : 0;
    for (long i = 0; i < (long)w.n * w.n_inputs; i++) w.dFdu[i] = -w.dFdu[i];
    l->E = w.dFdyp, l->A = w.dFdy;
    l->A_error = w.dFdy_error, l->noise = w.noise;
    for (int e = 0; e < l->A.start[w.n]; e++) l->A.values[e] = -l->A.values[e];
    RSD_TRY(rsd_sparse_from_full(&l->B, w.n, w.n_inputs, w.dFdu, w.n, &l->alloc));
    RSD_TRY(select_outputs(l));
    RSD_TRY(rsd_sparse_create(&l->D, m->n_outputs, m->n_inputs, 0, &l->alloc));
    RSD_TRY(list_constraints(l, q, t, y, work));
    return complete_model(l, q, t);
}

/* Store the state and the excitations at its time. A part that does not exist is NULL. @return RESIDA_OK;
 * RESIDA_ERR_MEMORY; RESIDA_ERR_USER */
static resida_status store_point(resida_linearization *l, resida_problem *q, double t,
                                 const double *const parts[RSD_POINT_PARTS])
{
    const resida_layout *layout = &q->layout;
    const int of_dae[] = {layout->n, layout->n, 0, 0, layout->n_u};
    const int of_mechanism[] = {layout->n_p, layout->n_v, layout->n_v, layout->n_g + layout->n_h, layout->n_u};
    const double *u = NULL;
    const int *n = q->mechanism ? of_mechanism : of_dae;
    rsd_linear_point *at = &l->at;
    for (int k = 0; k < RSD_POINT_PARTS; k++) at->first[k + 1] = at->first[k] + n[k];
    at->is_dae = !q->mechanism;
    at->a = layout->a, at->lam = layout->rates ? -1 : layout->lam;
    at->x = rsd_doubles(&l->alloc, at->first[RSD_POINT_PARTS]);
    if (!at->x) return RESIDA_ERR_MEMORY;
    for (int k = 0; k < RSD_OF_U; k++)
        for (int i = 0; i < n[k]; i++) at->x[at->first[k] + i] = parts[k] ? parts[k][i] : NAN;
    if (layout->n_u > 0 && rsd_problem_eval_excitation(q, t, &u) != 0) return RESIDA_ERR_USER;
    for (int i = 0; i < layout->n_u; i++) at->x[at->first[RSD_OF_U] + i] = u[i];
    if (u) l->model.input_rate = rsd_max_norm(u + layout->n_u, layout->n_u);
    return RESIDA_OK;
}

static resida_status create_handle(resida_linearization **out, resida_problem *problem, double t, resida_message *why)
{
    if (!out) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "linearize: l is NULL");
    *out = NULL;
    if (!problem) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "linearize: problem is NULL");
    if (!isfinite(t)) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "linearize: t = %g, must be finite", t);
    resida_linearization *l = rsd_calloc(&problem->alloc, 1, sizeof *l);
    if (!l) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to linearise");
    l->alloc = rsd_get_owned_allocator(&l->owner, &problem->alloc);
    l->mode_memory = (rsd_owner){.from = problem->alloc};
    *out = l;
    return RESIDA_OK;
}

/* Free the handle after a failure. Return `status`. */
static resida_status finish_handle(resida_linearization **out, resida_status status, resida_message *why)
{
    if (status >= 0) return RESIDA_OK;
    if (status == RESIDA_ERR_MEMORY) rsd_fail(why, status, "no memory to linearise");
    resida_linearization_free(*out);
    *out = NULL;
    return status;
}

resida_status resida_linearize(resida_linearization **out, resida_problem *problem, double t, const double *y,
                               const double *yp, resida_message *why)
{
    RSD_TRY(create_handle(out, problem, t, why));
    const int n = problem->layout.n;
    const rsd_argument in[] = {{"y", y, n, RSD_READ, NULL}, {"yp", yp, n, RSD_READ, NULL}};
    resida_status status = rsd_check_arrays("linearize", in, sizeof in / sizeof *in, why);
    if (status < 0) return finish_handle(out, status, why);
    rsd_owner owner;
    const resida_allocator work = rsd_get_owned_allocator(&owner, &problem->alloc);
    status = build_model(*out, problem, t, y, yp, &work, why);
    const resida_layout *l = &problem->layout;
    const int is_dae = !problem->mechanism;
    const double *const parts[RSD_POINT_PARTS] = {y, is_dae ? yp : y + l->v,
                                                  is_dae ? NULL : rsd_problem_get_a(problem, y, yp),
                                                  is_dae ? NULL : rsd_problem_get_lam(problem, y, yp)};
    if (status >= 0) status = store_point(*out, problem, t, parts);
    rsd_owner_free(&owner);
    return finish_handle(out, status, why);
}

resida_status resida_linearize_mechanism(resida_linearization **out, resida_problem *problem, double t, const double *p,
                                         const double *v, const double *a, const double *lam, resida_message *why)
{
    RSD_TRY(create_handle(out, problem, t, why));
    const resida_layout *layout = &problem->layout;
    if (!problem->mechanism)
        return finish_handle(
            out, rsd_fail(why, RESIDA_ERR_STATE, "linearize: a general DAE has no independent coordinates"), why);
    const resida_status refused = rsd_unilateral_refuse_friction(&problem->contacts, "linearize", why);
    if (refused < 0) return finish_handle(out, refused, why);
    const rsd_argument in[] = {{"p", p, layout->n_p, RSD_READ, NULL},
                               {"v", v, layout->n_v, RSD_READ, NULL},
                               {"a", a, layout->n_v, RSD_READ, NULL},
                               {"lam", lam, layout->n_g + layout->n_h, RSD_READ, NULL}};
    resida_status status = rsd_check_arrays("linearize", in, sizeof in / sizeof *in, why);
    if (status < 0) return finish_handle(out, status, why);
    const resida_state at = {.t = t, .p = p, .v = v, .a = a, .lam = lam};
    status = rsd_linearize_independent(*out, problem, &at, why);
    (*out)->n_positions = layout->n_p;
    if (status >= 0) status = store_point(*out, problem, t, (const double *[RSD_POINT_PARTS]){p, v, a, lam});
    return finish_handle(out, status < 0 ? status : complete_model(*out, problem, t), why);
}

resida_status resida_linearization_get(const resida_linearization *l, resida_linear_model *model)
{
    if (!l || !model) return RESIDA_ERR_ARGUMENT;
    *model = l->model;
    model->E = view_matrix(&l->E), model->A = view_matrix(&l->A), model->B = view_matrix(&l->B);
    model->C = view_matrix(&l->C), model->D = view_matrix(&l->D);
    model->states = (const char *const *)l->names[RSD_NAMES_X];
    model->inputs = (const char *const *)l->names[RSD_NAMES_U];
    model->outputs = (const char *const *)l->names[RSD_NAMES_Y];
    return RESIDA_OK;
}
