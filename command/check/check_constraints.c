/* check_constraints.c - what the model gives of the derivatives of its constraints and excitations, against
 * differences of what it gives anyway:
 *
 *     dg/dp, dk/dp         of g, k by p, column by column
 *     velocity bias        of g by t at constant p, excitations moving
 *     acceleration bias    of G v + gI by t along p' = T v at constant v
 *     ud, udd              of u, ud by t
 *     contacts             of gaps by p, by t at constant p
 *
 * Products with dg/dp are left to the library, which compares them as well (src/examine). */
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
    resida_problem *problem; /**< for G v + gI */
    cmd_point at;
    double *p, *dp, *u; /**< work [n_p], direction [n_p], excitations [3 n_u] */
    double dt;
    double *gv;   /**< work [n_g + n_h] */
    double *root; /**< work [n_root] */
    int from;     /**< first row of gv that is wanted */
    int n;        /**< rows that are wanted */
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
    *w = (path){.m = m, .k = k};
    const size_t n_u = (size_t)(m->is_dae ? m->dae.n_u : d->n_u), n_l = (size_t)d->n_g + (size_t)d->n_h;
    w->p = calloc(2 * (size_t)d->n_p + 3 * n_u + n_l + (size_t)d->n_root + 1, sizeof *w->p);
    if (!w->p) return -1;
    w->dp = w->p + d->n_p;
    w->u = w->dp + d->n_p;
    w->gv = w->u + 3 * n_u;
    w->root = w->gv + n_l;
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
    resida_excitation e;
    double t = place(w, s);
    int verdict = cmd_excitation_at(w->m, t, w->u, &e);
    return verdict ? verdict : w->m->mechanism.constraint(t, w->p, &e, g, w->m->mechanism.user);
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
    resida_excitation e;
    double t = place(w, s);
    int verdict = cmd_excitation_at(w->m, t, w->u, &e);
    if (!verdict) verdict = d->root(t, w->p, w->at.v, &e, w->root, d->user);
    memcpy(gaps, w->root + c->first, (size_t)c->n * sizeof *gaps);
    return verdict;
}

static int gv_along(double s, double *gv, void *context)
{
    path *w = context;
    double t = place(w, s);
    if (resida_problem_constraints(w->problem, t, w->p, w->at.v, NULL, w->gv) < 0) return -1;
    memcpy(gv, w->gv + w->from, (size_t)w->n * sizeof *gv);
    return 0;
}

static int u_along(double s, double *u, void *context)
{
    path *w = context;
    resida_excitation e;
    int verdict = cmd_excitation_at(w->m, w->at.t + s, w->u, &e);
    memcpy(u, w->u, (size_t)w->n * sizeof *u);
    return verdict;
}

static double time_scale(const resida_model *m)
{
    return fmin(1, m->t_end - m->t0);
}

/** A matrix of derivatives of x by p, against those of x along each p_j. */
static int derivative_at(path *w, resida_position_fn *matrix, const resida_pattern *pattern, int rows, cmd_curve_fn *x,
                         cmd_worst *worst)
{
    const resida_mechanism *d = &w->m->mechanism;
    cmd_matrix A;
    int verdict = cmd_matrix_open(&A, pattern, rows, d->n_p);
    double *values = verdict ? NULL : calloc((size_t)A.start[d->n_p] + (size_t)d->n_p + 1, sizeof *values);
    resida_excitation e;
    if (!values) verdict = -1;
    if (verdict == 0) verdict = cmd_excitation_at(w->m, w->at.t, w->u, &e);
    if (verdict == 0) verdict = matrix(w->at.t, w->at.p, &e, values, d->user);
    if (verdict == 0) {
        double *scale = values + A.start[d->n_p];
        for (int j = 0; j < d->n_p; j++) scale[j] = 1 + fabs(w->at.p[j]);
        verdict = cmd_compare_columns(&A, values, &(cmd_curves){x, w, w->dp, scale}, agreement, worst);
    }
    free(values);
    cmd_matrix_close(&A);
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

/** The derivative of x [n] by t at constant p; rate NULL: it is 0. */
static int rate_at(path *w, resida_position_fn *rate, int n, cmd_curve_fn *x, cmd_worst *worst)
{
    resida_excitation e;
    if (w->k == 0) return 0;
    double *given = calloc((size_t)n, sizeof *given);
    int verdict = given ? cmd_excitation_at(w->m, w->at.t, w->u, &e) : -1;
    if (verdict == 0 && rate) verdict = rate(w->at.t, w->at.p, &e, given, w->m->mechanism.user);
    memset(w->dp, 0, (size_t)w->m->mechanism.n_p * sizeof *w->dp);
    w->dt = 1;
    if (verdict == 0) cmd_compare_derivative(n, given, x, w, time_scale(w->m), worst, -1);
    free(given);
    return verdict;
}

static int velocity_bias_at(path *w, cmd_worst *worst)
{
    return rate_at(w, w->m->mechanism.velocity_bias, w->m->mechanism.n_g, g_along, worst);
}

static int gap_rate_at(path *w, cmd_worst *worst)
{
    return rate_at(w, w->m->contacts->rate, w->m->contacts->n, gaps_along, worst);
}

static int invariant_rate_at(path *w, cmd_worst *worst)
{
    return rate_at(w, NULL, w->m->mechanism.n_k, k_along, worst);
}

/** dp = T v. */
static int set_direction(path *w, const resida_excitation *e)
{
    const resida_mechanism *d = &w->m->mechanism;
    if (!d->kinematic_matrix) {
        memcpy(w->dp, w->at.v, (size_t)d->n_p * sizeof *w->dp);
        return 0;
    }
    double *values = calloc((size_t)d->n_p * (size_t)d->n_v, sizeof *values);
    int verdict = values ? cmd_apply_T(d, w->at.t, w->at.p, e, w->at.v, values, w->dp) : -1;
    free(values);
    return verdict;
}

/** Rows from, from + 1 ... from + n - 1 of the bias by one callback. */
static int bias_at(path *w, resida_velocity_fn *bias_fn, int from, int n, cmd_worst *worst)
{
    const resida_mechanism *d = &w->m->mechanism;
    resida_excitation e;
    double *bias = calloc((size_t)n, sizeof *bias);
    int verdict = bias ? cmd_excitation_at(w->m, w->at.t, w->u, &e) : -1;
    if (verdict == 0) verdict = set_direction(w, &e);
    if (verdict == 0) verdict = bias_fn(w->at.t, w->at.p, w->at.v, &e, bias, d->user);
    w->dt = 1;
    w->from = from;
    w->n = n;
    double speed = 1;
    for (int i = 0; i < d->n_p; i++) speed = fmax(speed, fabs(w->dp[i]));
    if (verdict == 0) cmd_compare_derivative(n, bias, gv_along, w, time_scale(w->m) / speed, worst, -1);
    free(bias);
    return verdict;
}

static int acceleration_bias_at(path *w, cmd_worst *worst)
{
    const resida_mechanism *d = &w->m->mechanism;
    return w->k == 0 ? 0 : bias_at(w, d->acceleration_bias, 0, d->n_g, worst);
}

static int nonholonomic_bias_at(path *w, cmd_worst *worst)
{
    const resida_mechanism *d = &w->m->mechanism;
    return w->k == 0 ? 0 : bias_at(w, d->nonholonomic_acceleration_bias, d->n_g, d->n_h, worst);
}

static int excitation_at(path *w, cmd_worst *worst)
{
    const int n = w->m->is_dae ? w->m->dae.n_u : w->m->mechanism.n_u;
    resida_excitation e;
    if (w->k == 0) return 0;
    double *given = calloc(2 * (size_t)n, sizeof *given);
    int verdict = given ? cmd_excitation_at(w->m, w->at.t, w->u, &e) : -1;
    if (verdict == 0) memcpy(given, w->u + n, 2 * (size_t)n * sizeof *given);
    w->n = 2 * n; /* u, ud side by side: their derivatives are ud, udd */
    if (verdict == 0) cmd_compare_derivative(2 * n, given, u_along, w, time_scale(w->m), worst, -1);
    free(given);
    return verdict;
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
    if (n_u == 0 || compare_all(report, "excitation", excitation_at, &worst) != 0) return;
    double relative = worst.difference / worst.scale;
    cmd_report_figure(report, "excitation", relative, agreement, "largest difference %.2g, in %s[%d]", relative,
                      worst.row < n_u ? "ud" : "udd", worst.row % n_u);
}

/** One derivative of rows from + i that are called so. */
static void check_rows(cmd_report_work *r, const char *check, compare_fn *compare, const char *rows, int from,
                       double limit)
{
    const resida_mechanism *d = &r->model->model.mechanism;
    char name[32], column[32];
    cmd_worst worst;
    if (compare_all(r, check, compare, &worst) != 0) return;
    const double relative = worst.difference / worst.scale;
    const char *row = cmd_item_name(*rows == 'g' ? d->g_names : NULL, rows, from + worst.row, name);
    cmd_report_figure(r, check, relative, limit, "largest difference %.2g, in d %s / d %s", relative, row,
                      worst.column < 0 ? "t" : cmd_item_name(d->p_names, "p", worst.column, column));
}

void cmd_check_constraints(cmd_report_work *report)
{
    const resida_model *m = &report->model->model;
    const resida_mechanism *d = &m->mechanism;
    const double of_gv =
        d->constraint_matrix && (d->velocity_bias || d->n_u == 0) ? agreement : agreement_of_differences;
    if (m->is_dae) return;
    if (d->n_g > 0 && d->constraint_matrix) check_rows(report, "constraint matrix", matrix_at, "g", 0, agreement);
    if (d->n_k > 0 && d->invariant_matrix)
        check_rows(report, "invariant matrix", invariant_matrix_at, "k", 0, agreement);
    if (d->n_k > 0) check_rows(report, "invariant", invariant_rate_at, "k", 0, agreement);
    if (d->n_g > 0 && d->velocity_bias) check_rows(report, "velocity bias", velocity_bias_at, "g", 0, agreement);
    if (d->n_g > 0 && d->acceleration_bias)
        check_rows(report, "acceleration bias", acceleration_bias_at, "g", 0, of_gv);
    if (d->n_h > 0 && d->nonholonomic_acceleration_bias)
        check_rows(report, "nonholonomic bias", nonholonomic_bias_at, "g", d->n_g, of_gv);
    if (m->contacts && m->contacts->matrix) check_rows(report, "contacts matrix", gap_matrix_at, "phi", 0, agreement);
    if (m->contacts && m->contacts->rate) check_rows(report, "contacts rate", gap_rate_at, "phi", 0, agreement);
}
