/* check_constraints.c - what the model gives of the derivatives of constraints, invariants, contacts and excitations,
 * against differences of what it gives anyway:
 *
 *     dg/dp, dk/dp         of g, k by p
 *     dk/dt                of k by t at constant p
 *     ud, udd              of u, ud by t
 *     contacts             of gaps by p, by t at constant p
 *     velocity bias        of g by t at constant p, excitations moving
 *     acceleration bias    of G v + gI, Gh v + gh by t along p' = T v at constant v
 *
 * A matrix is compared along one direction, by amounts that differ from column to column: an entry that is wrong, and
 * one that its pattern lacks, changes a row. Where a row does not agree each column is moved alone, to name it.
 * Products with dg/dp are compared by the library (src/kits/check), and biases once more at the ends of a run. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double agreement = 1e-6; /* central differences of smooth functions reach about eps^(2/3) = 4e-11 */
static const double agreement_of_differences = 1e-3; /* when G v + gI itself comes from differences */
static const double small = 1e-3;                    /* numbers below are compared absolutely */

/** A straight path through a point: t + s dt, p + s dp. */
typedef struct path {
    const resida_model *m;
    int k;                   /**< number of the point; at the first one excitations may begin */
    resida_problem *problem; /**< for G v + gI and invariants */
    cmd_point at;
    double *p, *dp; /**< work [n_p], direction [n_p] */
    double dt;
    double *root; /**< work [n_root] */
    double *gv;   /**< work [n_g + n_h] */
    int first;    /**< row of gv that is compared, with those behind it */
    int n_u;
} path;

static void close_path(path *w)
{
    resida_problem_free(w->problem);
    cmd_point_free(&w->at);
    free(w->p);
    *w = (path){0};
}

/** Go to point k. */
static int open_path(path *w, const cmd_report_work *r, int k)
{
    const resida_model *m = &r->model->model;
    const resida_mechanism *d = &m->mechanism;
    cmd_settings settings = *r->settings;
    settings.problem.form = "auto";
    cmd_job job = {.model = r->model, .settings = &settings};
    *w = (path){.m = m, .k = k, .n_u = m->is_dae ? m->dae.n_u : d->n_u};
    w->p = calloc(2 * (size_t)d->n_p + (size_t)d->n_root + (size_t)d->n_g + (size_t)d->n_h + 1, sizeof *w->p);
    if (!w->p) return -1;
    w->dp = w->p + d->n_p;
    w->root = w->dp + d->n_p;
    w->gv = w->root + d->n_root;
    return cmd_point_make(&w->at, m, k) == 0 && cmd_problem_open(&job, &w->problem, NULL) >= 0 ? 0 : -1;
}

static double place(path *w, double s)
{
    for (int i = 0; i < w->m->mechanism.n_p; i++) w->p[i] = w->at.p[i] + s * w->dp[i];
    return w->at.t + s * w->dt;
}

static int g_along(double s, double *g, void *context)
{
    path *w = context;
    double t = place(w, s);
    int verdict = cmd_excite(&w->at, w->m, t);
    return verdict ? verdict : w->m->mechanism.constraint(t, w->p, &w->at.e, g, w->m->mechanism.user);
}

static int k_along(double s, double *k, void *context)
{
    path *w = context;
    double t = place(w, s);
    return resida_problem_invariants(w->problem, t, w->p, k) < 0 ? -1 : 0;
}

static int gaps_along(double s, double *gaps, void *context)
{
    path *w = context;
    const resida_mechanism *d = &w->m->mechanism;
    const resida_model_contacts *c = w->m->contacts;
    double t = place(w, s);
    int verdict = cmd_excite(&w->at, w->m, t);
    if (!verdict) verdict = d->root(t, w->p, w->at.v, &w->at.e, w->root, d->user);
    memcpy(gaps, w->root + c->first, (size_t)c->n * sizeof *gaps);
    return verdict;
}

static int gv_along(double s, double *gv, void *context)
{
    path *w = context;
    const resida_mechanism *d = &w->m->mechanism;
    const double t = place(w, s);
    if (resida_problem_constraints(w->problem, t, w->p, w->at.v, NULL, w->gv) < 0) return -1;
    memcpy(gv, w->gv + w->first, (size_t)(w->first ? d->n_h : d->n_g) * sizeof *gv);
    return 0;
}

static int u_along(double s, double *u, void *context)
{
    path *w = context;
    int verdict = cmd_excite(&w->at, w->m, w->at.t + s);
    memcpy(u, w->at.u, 2 * (size_t)w->n_u * sizeof *u);
    return verdict;
}

static int only_u_along(double s, double *u, void *context)
{
    path *w = context;
    int verdict = cmd_excite(&w->at, w->m, w->at.t + s);
    memcpy(u, w->at.u, (size_t)w->n_u * sizeof *u);
    return verdict;
}

/** A matrix of derivatives, by rows; a pattern without rows is full. */
typedef struct matrix {
    const resida_pattern *pattern;
    int rows, cols;
    double *values;   /**< by the pattern */
    double *expected; /**< [rows] what it makes of the direction of the path */
} matrix;

/** x along dp, which `column` alone has a part of; -1: all of them. */
static void compare_along(path *w, const matrix *A, int column, cmd_curve_fn *x, cmd_worst *worst)
{
    const int *row = A->pattern->row, *col = A->pattern->col;
    double scale = 0, whole;
    for (int j = 0; j < A->cols; j++) {
        const double part = (j % 2 ? -1 : 1) * (1 + modf(0.6180339887498949 * j, &whole));
        w->dp[j] = column < 0 ? part : j == column;
        if (w->dp[j] != 0) scale = fmax(scale, 1 + fabs(w->at.p[j]));
    }
    for (int i = 0; i < A->rows; i++) {
        A->expected[i] = 0;
        for (int k = row ? row[i] : i * A->cols; k < (row ? row[i + 1] : (i + 1) * A->cols); k++)
            A->expected[i] += A->values[k] * w->dp[row ? col[k] : k % A->cols];
    }
    cmd_compare_derivative(A->rows, A->expected, x, w, scale, worst, column);
}

/** A matrix of derivatives of x [rows] by p. */
static int derivative_at(path *w, resida_position_fn *fill, const resida_pattern *pattern, int rows, cmd_curve_fn *x,
                         cmd_worst *worst)
{
    const resida_mechanism *d = &w->m->mechanism;
    const size_t entries = pattern->row ? (size_t)pattern->row[rows] : (size_t)rows * (size_t)d->n_p;
    double *values = calloc(entries + (size_t)rows + 1, sizeof *values);
    const matrix A = {pattern, rows, d->n_p, values, values ? values + entries : NULL};
    int verdict = values ? cmd_excite(&w->at, w->m, w->at.t) : -1;
    if (verdict == 0) verdict = fill(w->at.t, w->at.p, &w->at.e, values, d->user);
    for (size_t k = 0; k < entries && verdict == 0; k++) worst->scale = fmax(worst->scale, fabs(values[k]));
    cmd_worst all = {.scale = worst->scale};
    if (verdict == 0) compare_along(w, &A, -1, x, &all);
    if (all.difference <= agreement * worst->scale)
        cmd_worst_add(worst, all.difference, all.row, -1);
    else
        for (int j = 0; j < d->n_p; j++) compare_along(w, &A, j, x, worst);
    free(values);
    return verdict;
}

static int matrix_at(path *w, cmd_worst *worst)
{
    const resida_mechanism *d = &w->m->mechanism;
    return derivative_at(w, d->constraint_matrix, &d->G_pattern, d->n_g, g_along, worst);
}

static int invariant_matrix_at(path *w, cmd_worst *worst)
{
    const resida_mechanism *d = &w->m->mechanism;
    return derivative_at(w, d->invariant_matrix, &d->K_pattern, d->n_k, k_along, worst);
}

static int gap_matrix_at(path *w, cmd_worst *worst)
{
    const resida_model_contacts *c = w->m->contacts;
    if (w->k == 0) return 0; /* where two corners may be as near */
    return derivative_at(w, c->matrix, &(resida_pattern){NULL, NULL}, c->n, gaps_along, worst);
}

/** The derivative of x [n] by t at constant p; rate NULL: it is 0, or those of u and ud, which are ud and udd. */
static int rate_at(path *w, resida_position_fn *rate, int n, cmd_curve_fn *x, cmd_worst *worst)
{
    if (w->k == 0) return 0;
    double *given = calloc((size_t)n, sizeof *given);
    int verdict = given ? cmd_excite(&w->at, w->m, w->at.t) : -1;
    if (verdict == 0 && rate) verdict = rate(w->at.t, w->at.p, &w->at.e, given, w->m->mechanism.user);
    if (verdict == 0 && (x == u_along || x == only_u_along)) memcpy(given, w->at.u + w->n_u, (size_t)n * sizeof *given);
    if (!w->m->is_dae) memset(w->dp, 0, (size_t)w->m->mechanism.n_p * sizeof *w->dp);
    w->dt = 1;
    if (verdict == 0) cmd_compare_derivative(n, given, x, w, fmin(1, w->m->t_end - w->m->t0), worst, -1);
    free(given);
    return verdict;
}

static int ud_at(path *w, cmd_worst *worst)
{
    return rate_at(w, NULL, w->n_u, only_u_along, worst);
}

static int excitation_at(path *w, cmd_worst *worst)
{
    return rate_at(w, NULL, 2 * w->n_u, u_along, worst);
}

static int gap_rate_at(path *w, cmd_worst *worst)
{
    return rate_at(w, w->m->contacts->rate, w->m->contacts->n, gaps_along, worst);
}

static int velocity_bias_at(path *w, cmd_worst *worst)
{
    return rate_at(w, w->m->mechanism.velocity_bias, w->m->mechanism.n_g, g_along, worst);
}

/** Set the direction of the path to T v. */
static int set_direction(path *w)
{
    const resida_mechanism *d = &w->m->mechanism;
    if (!d->kinematic_matrix) {
        memcpy(w->dp, w->at.v, (size_t)d->n_p * sizeof *w->dp);
        return 0;
    }
    double *values = calloc((size_t)d->n_p * (size_t)d->n_v, sizeof *values);
    const int verdict = values ? cmd_apply_T(d, w->at.t, w->at.p, &w->at.e, w->at.v, values, w->dp) : -1;
    free(values);
    return verdict;
}

/** The bias of n rows from `first` on. */
static int bias_at(path *w, resida_velocity_fn *bias_fn, int first, int n, cmd_worst *worst)
{
    const resida_mechanism *d = &w->m->mechanism;
    if (w->k == 0) return 0;
    double *bias = calloc((size_t)n, sizeof *bias), speed = 1;
    int verdict = bias ? cmd_excite(&w->at, w->m, w->at.t) : -1;
    if (verdict == 0) verdict = set_direction(w);
    if (verdict == 0) verdict = bias_fn(w->at.t, w->at.p, w->at.v, &w->at.e, bias, d->user);
    w->dt = 1;
    w->first = first;
    for (int i = 0; i < d->n_p; i++) speed = fmax(speed, fabs(w->dp[i]));
    if (verdict == 0) cmd_compare_derivative(n, bias, gv_along, w, fmin(1, w->m->t_end - w->m->t0) / speed, worst, -1);
    free(bias);
    return verdict;
}

static int acceleration_bias_at(path *w, cmd_worst *worst)
{
    return bias_at(w, w->m->mechanism.acceleration_bias, 0, w->m->mechanism.n_g, worst);
}

static int nonholonomic_bias_at(path *w, cmd_worst *worst)
{
    const resida_mechanism *d = &w->m->mechanism;
    return bias_at(w, d->nonholonomic_acceleration_bias, d->n_g, d->n_h, worst);
}

static int invariant_rate_at(path *w, cmd_worst *worst)
{
    return rate_at(w, NULL, w->m->mechanism.n_k, k_along, worst);
}

typedef int compare_fn(path *w, cmd_worst *worst);

/** One derivative at all points. @return 0; -1 when a callback refused, which is reported */
static int compare_all(cmd_report_work *r, const char *check, compare_fn *compare, cmd_worst *worst)
{
    *worst = (cmd_worst){.scale = small};
    for (int k = 0; k < CMD_CHECK_POINTS; k++) {
        path w;
        int verdict = open_path(&w, r, k);
        if (verdict == 0) verdict = compare(&w, worst);
        double t = w.at.t;
        close_path(&w);
        if (verdict == 0) continue;
        cmd_report_verdict(r, check, 0, "a callback refused at t = %.6g", t);
        return -1;
    }
    return 0;
}

void cmd_check_excitation(cmd_report_work *report)
{
    const resida_model *m = &report->model->model;
    const int n_u = m->is_dae ? m->dae.n_u : m->mechanism.n_u;
    cmd_worst worst;
    if (n_u == 0 || compare_all(report, "excitation", ud_at, &worst) != 0) return;
    double relative = worst.difference / worst.scale;
    if (relative <= agreement) { /* what is wrong in ud is so in ud', too */
        if (compare_all(report, "excitation", excitation_at, &worst) != 0) return;
        relative = worst.difference / worst.scale;
    }
    cmd_report_figure(report, "excitation", relative, agreement, "largest difference %.2g, in %s[%d]", relative,
                      worst.row < n_u ? "ud" : "udd", worst.row % n_u);
}

/** One derivative of rows first, first + 1 ... that are called so, by p or t. */
static void check_rows(cmd_report_work *r, const char *check, compare_fn *compare, const char *rows, int first,
                       const char *by, double limit)
{
    const resida_mechanism *d = &r->model->model.mechanism;
    char name[32], column[32];
    cmd_worst worst;
    if (compare_all(r, check, compare, &worst) != 0) return;
    const double relative = worst.difference / worst.scale;
    const char *row = cmd_item_name(*rows == 'g' ? d->g_names : NULL, rows, first + worst.row, name);
    cmd_report_figure(r, check, relative, limit, "largest difference %.2g, in d %s / d %s", relative, row,
                      worst.column < 0 ? by : cmd_item_name(d->p_names, "p", worst.column, column));
}

/** The biases. A start that is not consistent yet is left out of those of accelerations. */
static void check_biases(cmd_report_work *r)
{
    const resida_mechanism *d = &r->model->model.mechanism;
    const double of_gv =
        d->constraint_matrix && (d->velocity_bias || d->n_u == 0) ? agreement : agreement_of_differences;
    if (d->n_g > 0 && d->velocity_bias) check_rows(r, "velocity bias", velocity_bias_at, "g", 0, "t", agreement);
    if (d->n_g > 0 && d->acceleration_bias)
        check_rows(r, "acceleration bias", acceleration_bias_at, "g", 0, "t", of_gv);
    if (d->n_h > 0 && d->nonholonomic_acceleration_bias)
        check_rows(r, "nonholonomic bias", nonholonomic_bias_at, "g", d->n_g, "t", of_gv);
}

void cmd_check_constraints(cmd_report_work *r)
{
    const resida_model *m = &r->model->model;
    const resida_mechanism *d = &m->mechanism;
    if (m->is_dae) return;
    if (d->n_g > 0 && d->constraint_matrix) check_rows(r, "constraint matrix", matrix_at, "g", 0, "p", agreement);
    if (d->n_k > 0 && d->invariant_matrix)
        check_rows(r, "invariant matrix", invariant_matrix_at, "k", 0, "p", agreement);
    if (d->n_k > 0) check_rows(r, "invariant", invariant_rate_at, "k", 0, "t", agreement);
    check_biases(r);
    if (m->contacts && m->contacts->matrix) check_rows(r, "contacts matrix", gap_matrix_at, "phi", 0, "p", agreement);
    if (m->contacts && m->contacts->rate) check_rows(r, "contacts rate", gap_rate_at, "phi", 0, "t", agreement);
}
