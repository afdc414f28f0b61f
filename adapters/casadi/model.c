/* model.c - callbacks of a mechanism or a general DAE that call the functions of the file. J = dF/dy + alpha dF/dyp. */
#include "model.h"

#include "adapters/base/fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_RTOL 1e-6
#define USUAL_ATOL 1e-8
#define USUAL_END  1.0 /* [s] */

static const char *const names[CSD_N_FUNCTIONS] = {"residual",       "jac_residual", "constraint",
                                                   "jac_constraint", "root",         "start"};

/** A model. */
typedef struct instance {
    const csd_file *file;
    csd_function f[CSD_N_FUNCTIONS];                /**< out NULL: not in the file */
    double *parameters;                             /**< [n_parameters] */
    double *start[2];                               /**< p0, v0 or y0, yp0; yp0 may be NULL */
    int n;                                          /**< size of p, v or y */
    int parameter[CSD_N_FUNCTIONS][CSD_MAX_INPUTS]; /**< [i] index of the parameter that is input i; NONE */
    int *both_row, *both_column;                    /**< union of the patterns of dF/dy and dF/dyp */
    resida_kind *kinds;                             /**< [n] only of a general DAE with a Jacobian */
    int *place[2];                                  /**< positions of the entries of dF/dy and dF/dyp in the union */
} instance;

enum { NONE = -1 }; /* not a parameter: zeros are passed */

static int has_function(const instance *m, int which)
{
    return m->f[which].out != NULL;
}

/* Return the number of inputs before the parameters. */
static int count_own_inputs(const csd_file *file, int which)
{
    static const int own[CSD_N_FUNCTIONS] = {[CSD_CONSTRAINT] = 2, [CSD_JAC_CONSTRAINT] = 2, [CSD_ROOT] = 3};
    return which == CSD_RESIDUAL || which == CSD_JAC_RESIDUAL ? file->n_own : own[which];
}

static int report_error(resida_message *why, const char *name, const char *text)
{
    return adapter_fail(why, "function %s: %s", name, text);
}

/* Call a function with t, up to three vectors and its parameters. wanted: bits of the outputs. */
static int call_function(instance *m, int which, const double *const *inputs, unsigned long long wanted)
{
    const double *all[CSD_MAX_INPUTS] = {NULL};
    csd_function *f = &m->f[which];
    const int own = count_own_inputs(m->file, which), *parameter = m->parameter[which];
    for (int i = 0; i < f->n_in; i++)
        all[i] = i < own ? inputs[i] : parameter[i] == NONE ? NULL : &m->parameters[parameter[i]];
    return csd_function_call(f, all, wanted) != 0;
}

/* Output i of jac_f is the derivative of output 0 of f by input i. */
enum { VALUE = 0, BY_T = 0, BY_P, BY_V, BY_A };
#define WANTED(i) (1ULL << (i))

/* Evaluate one output of a function. take() copies it as a full matrix or in the order of its pattern. */
static int evaluate_output(instance *m, int which, const double *const *inputs, int output,
                           void (*take)(const csd_output *o, double *values), double *values)
{
    const int failed = call_function(m, which, inputs, WANTED(output));
    take(&m->f[which].out[output], values);
    return failed;
}

/* --- a mechanism --- */

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)e;
    return evaluate_output(user, CSD_RESIDUAL, (const double *[]){&t, p, v, a}, VALUE, csd_output_copy_dense, r);
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)e;
    return evaluate_output(user, CSD_CONSTRAINT, (const double *[]){&t, p}, VALUE, csd_output_copy_dense, g);
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    (void)e;
    return evaluate_output(user, CSD_JAC_CONSTRAINT, (const double *[]){&t, p}, BY_P, csd_output_copy_values, G);
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    (void)e;
    return evaluate_output(user, CSD_JAC_CONSTRAINT, (const double *[]){&t, p}, BY_T, csd_output_copy_dense, gI);
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    (void)e;
    return evaluate_output(user, CSD_JAC_RESIDUAL, (const double *[]){&t, p, NULL, NULL}, BY_A, csd_output_copy_values,
                           M);
}

static int derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                       const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    instance *m = user;
    (void)lam, (void)e, (void)Phi_lam;
    const int failed = call_function(m, CSD_JAC_RESIDUAL, (const double *[]){&t, p, v, a}, WANTED(BY_P) | WANTED(BY_V));
    csd_output_copy_values(&m->f[CSD_JAC_RESIDUAL].out[BY_P], Phi_p);
    csd_output_copy_values(&m->f[CSD_JAC_RESIDUAL].out[BY_V], Phi_v);
    return failed;
}

/* Evaluate the root functions, of (t, p, v) or (t, y, yp). */
static int root(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    (void)e;
    return evaluate_output(user, CSD_ROOT, (const double *[]){&t, p, v}, VALUE, csd_output_copy_dense, out);
}

/* --- a general DAE --- */

static int dae_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    (void)e;
    return evaluate_output(user, CSD_RESIDUAL, (const double *[]){&t, y, yp}, VALUE, csd_output_copy_dense, r);
}

static int dae_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                        double *J, void *user)
{
    instance *m = user;
    (void)e;
    const csd_output *by = m->f[CSD_JAC_RESIDUAL].out + BY_P;
    const int failed = call_function(m, CSD_JAC_RESIDUAL, (const double *[]){&t, y, yp}, WANTED(1) | WANTED(2));
    memset(J, 0, (size_t)m->both_row[m->n] * sizeof *J);
    for (int part = 0; part < 2; part++)
        for (int k = 0; k < by[part].entries; k++)
            J[m->place[part][k]] += (part == 0 ? 1 : alpha) * by[part].res[by[part].from[k]];
    return failed;
}

/* Compute the union of both patterns. Columns increase within each row. */
static int join_patterns(instance *m)
{
    const csd_output *a = m->f[CSD_JAC_RESIDUAL].out + 1, *b = a + 1;
    m->both_row = calloc((size_t)m->n + 1, sizeof(int));
    m->both_column = calloc((size_t)a->entries + (size_t)b->entries + 1, sizeof(int));
    m->place[0] = calloc((size_t)a->entries + 1, sizeof(int));
    m->place[1] = calloc((size_t)b->entries + 1, sizeof(int));
    m->kinds = calloc((size_t)m->n, sizeof *m->kinds);
    if (!m->kinds || !m->both_row || !m->both_column || !m->place[0] || !m->place[1]) return -1;
    int at = 0;
    for (int i = 0; i < m->n; i++) {
        int k = a->row[i], l = b->row[i];
        while (k < a->row[i + 1] || l < b->row[i + 1]) {
            const int left = k < a->row[i + 1] ? a->column[k] : m->n, right = l < b->row[i + 1] ? b->column[l] : m->n;
            if (left <= right) m->place[0][k++] = at;
            if (right <= left) m->place[1][l++] = at;
            m->both_column[at++] = left < right ? left : right;
        }
        m->both_row[i + 1] = at;
    }
    return 0;
}

/* --- making --- */

/* Return 1 if output i of a function is a matrix of this size. */
static int has_size(const csd_function *f, int i, int rows, int columns)
{
    return i < f->n_out && f->out[i].rows == rows && f->out[i].columns == columns;
}

static int get_vector_length(const csd_output *o)
{
    return o->rows * o->columns;
}

/* Return the parameter for input i: by name, or by position if the input has no name. */
static int find_parameter(const instance *m, int which, int i)
{
    const char *name = csd_function_input_name(&m->f[which], i);
    int k = m->file->n_parameters - 1;
    if (!name) return i - count_own_inputs(m->file, which) <= k ? i - count_own_inputs(m->file, which) : NONE;
    while (k >= 0 && strncmp(m->file->names[k], name, sizeof m->file->names[k] - 1) != 0) k--;
    return k;
}

/* Find the parameter of each input. A Jacobian function has additional inputs for the results of its function, to which
 * zeros are passed. */
static int find_inputs(instance *m, int which, resida_message *why)
{
    const int base = which == CSD_JAC_RESIDUAL ? CSD_RESIDUAL : which == CSD_JAC_CONSTRAINT ? CSD_CONSTRAINT : which;
    const csd_function *f = &m->f[which];
    const int own = count_own_inputs(m->file, which), n_in = has_function(m, base) ? m->f[base].n_in : 0;
    char text[160];
    if (f->n_in < own) return report_error(why, names[which], "has too few arguments");
    for (int i = 0; i < f->n_in; i++) {
        int *parameter = &m->parameter[which][i];
        *parameter = NONE;
        if (i >= own && i >= n_in) continue;
        const int n = i > 0 && i < own ? m->n : 1;
        if (f->rows_in[i] * f->columns_in[i] != n || f->entries_in[i] != n) { /* CasADi passes only these entries */
            snprintf(text, sizeof text, "argument %d is not a full vector of size %d", i, n);
            return report_error(why, names[which], text);
        }
        if (i < own || (*parameter = find_parameter(m, which, i)) != NONE) continue;
        const char *name = csd_function_input_name(f, i);
        snprintf(text, sizeof text, "argument %d%s%.60s is not a parameter of residual", i, name ? " " : "",
                 name ? name : "");
        return report_error(why, names[which], text);
    }
    return 0;
}

static int find_functions(instance *m, resida_message *why)
{
    for (int k = 0; k < CSD_N_FUNCTIONS; k++)
        if (csd_function_find(&m->f[k], m->file->library, names[k], why) < 0) return 1;
    m->n = get_vector_length(&m->f[CSD_RESIDUAL].out[0]);
    for (int k = 0; k < CSD_N_FUNCTIONS; k++)
        if (has_function(m, k) && find_inputs(m, k, why) != 0) return 1;
    return 0;
}

/* Evaluate the start function of the file. Without such a function the start is zero. */
static int evaluate_start(instance *m, resida_message *why)
{
    csd_function *f = &m->f[CSD_START];
    for (int k = 0; k < 2; k++) {
        if (k == 1 && m->file->is_dae && (!has_function(m, CSD_START) || f->n_out < 2)) continue;
        m->start[k] = calloc((size_t)m->n + 1, sizeof(double));
        if (!m->start[k]) return report_error(why, names[CSD_START], "no memory");
    }
    if (!has_function(m, CSD_START)) return 0;
    for (int k = 0; k < 2 && k < f->n_out; k++)
        if (get_vector_length(&f->out[k]) != m->n)
            return report_error(why, names[CSD_START], "its results must have the size of the result of residual");
    if (call_function(m, CSD_START, NULL, f->n_out > 1 ? 3 : 1) != 0)
        return report_error(why, names[CSD_START], "failed");
    for (int k = 0; k < 2 && k < f->n_out; k++) csd_output_copy_dense(&f->out[k], m->start[k]);
    return 0;
}

/* Set the kinds of the unknowns. An unknown without entries in its column of dF/dyp is algebraic. Index 1 is
 * assumed. */
static void set_kinds(instance *m)
{
    const csd_output *by_yp = m->f[CSD_JAC_RESIDUAL].out + 2;
    for (int j = 0; j < m->n; j++) m->kinds[j] = RESIDA_ALGEBRAIC;
    for (int k = 0; k < by_yp->entries; k++) m->kinds[by_yp->column[k]] = RESIDA_DIFFERENTIAL;
}

static int fill_dae(instance *m, resida_model *model, resida_message *why)
{
    resida_dae *d = &model->dae;
    model->is_dae = 1;
    model->y0 = m->start[0];
    model->yp0 = m->start[1];
    d->n = m->n;
    d->user = m;
    d->residual = dae_residual;
    if (has_function(m, CSD_ROOT)) d->root = root, d->n_root = get_vector_length(&m->f[CSD_ROOT].out[0]);
    if (!has_function(m, CSD_JAC_RESIDUAL)) return 0;
    const csd_function *f = &m->f[CSD_JAC_RESIDUAL];
    if (!has_size(f, 1, m->n, m->n) || !has_size(f, 2, m->n, m->n))
        return report_error(why, names[CSD_JAC_RESIDUAL], "its results 1 and 2 must be [n x n]");
    if (join_patterns(m) != 0) return report_error(why, names[CSD_JAC_RESIDUAL], "no memory");
    set_kinds(m);
    d->kinds = m->kinds;
    d->J_pattern = (resida_pattern){.row = m->both_row, .col = m->both_column};
    d->jacobian = dae_jacobian;
    return 0;
}

static int fill_constraint(instance *m, resida_mechanism *k, resida_message *why)
{
    if (!has_function(m, CSD_CONSTRAINT)) return 0;
    const csd_function *f = &m->f[CSD_JAC_CONSTRAINT];
    k->n_g = get_vector_length(&m->f[CSD_CONSTRAINT].out[0]);
    k->constraint = constraint;
    if (!has_function(m, CSD_JAC_CONSTRAINT)) return 0;
    if (!has_size(f, BY_T, k->n_g, 1) || !has_size(f, BY_P, k->n_g, m->n))
        return report_error(why, names[CSD_JAC_CONSTRAINT], "its results must be dg/dt [n_g] and dg/dp [n_g x n]");
    k->velocity_bias = velocity_bias;
    k->constraint_matrix = constraint_matrix;
    k->G_pattern = csd_output_pattern(&f->out[BY_P]);
    return 0;
}

static int fill_mechanism(instance *m, resida_model *model, resida_message *why)
{
    resida_mechanism *k = &model->mechanism;
    model->p0 = m->start[0];
    model->v0 = m->start[1];
    k->n_p = k->n_v = m->n;
    k->user = m;
    k->residual = residual;
    if (has_function(m, CSD_ROOT)) k->root = root, k->n_root = get_vector_length(&m->f[CSD_ROOT].out[0]);
    if (fill_constraint(m, k, why) != 0) return 1;
    if (!has_function(m, CSD_JAC_RESIDUAL)) return 0;
    const csd_function *f = &m->f[CSD_JAC_RESIDUAL];
    for (int i = BY_P; i <= BY_A; i++)
        if (!has_size(f, i, m->n, m->n))
            return report_error(why, names[CSD_JAC_RESIDUAL], "its results 1, 2 and 3 must be [n x n]");
    k->mass_matrix = mass_matrix;
    k->M_pattern = csd_output_pattern(&f->out[BY_A]);
    k->derivatives = derivatives;
    k->Phi_p_pattern = csd_output_pattern(&f->out[BY_P]);
    k->Phi_v_pattern = csd_output_pattern(&f->out[BY_V]);
    return 0;
}

static void free_instance(instance *m)
{
    for (int k = 0; k < CSD_N_FUNCTIONS; k++) csd_function_free(&m->f[k]);
    void *blocks[] = {
        m->parameters, m->start[0], m->start[1], m->both_row, m->both_column, m->place[0], m->place[1], m->kinds, m};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

int csd_model_create(const double *values, resida_model *model, resida_message *why)
{
    instance *m = calloc(1, sizeof *m);
    if (!m) return report_error(why, names[CSD_RESIDUAL], "no memory");
    m->file = (const csd_file *)(const void *)model->cls;
    const size_t n = (size_t)m->file->n_parameters;
    m->parameters = calloc(n + 1, sizeof *m->parameters);
    int failed = !m->parameters;
    if (failed) report_error(why, names[CSD_RESIDUAL], "no memory");
    if (!failed) memcpy(m->parameters, values, n * sizeof *values);
    failed = failed || find_functions(m, why) || evaluate_start(m, why) ||
             (m->file->is_dae ? fill_dae(m, model, why) : fill_mechanism(m, model, why));
    if (failed) {
        free_instance(m);
        return 1;
    }
    model->user = m;
    model->t_end = USUAL_END;
    model->rtol = USUAL_RTOL;
    model->atol = USUAL_ATOL;
    return 0;
}

void csd_model_destroy(resida_model *model)
{
    free_instance(model->user);
}
