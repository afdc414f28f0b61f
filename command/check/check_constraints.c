/* check_constraints.c - compares the derivatives of constraints, invariants, contacts and excitations that the model
 * gives with difference quotients of the functions themselves:
 *
 *     dg/dp, dk/dp         of g, k with respect to p
 *     dk/dt                of k with respect to t at constant p
 *     ud, udd              of u, ud with respect to t
 *     contacts             of gaps with respect to p, and to t at constant p
 *     velocity bias        of g with respect to t at constant p, with time-dependent excitations
 *     acceleration bias    of G v + gI, Gh v + gh with respect to t along p' = T v at constant v
 *
 * A matrix is first compared along one direction, whose components differ from column to column. A wrong entry, or an
 * entry that the pattern lacks, changes a row. If a row disagrees, the columns are compared one by one to identify the
 * entry. The library compares products with dg/dp (src/kits/check). Biases are compared once more at the ends of a
 * run. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double agreement = 1e-6; /* central differences of smooth functions reach about eps^(2/3) = 4e-11 */
static const double agreement_of_differences = 1e-3; /* if G v + gI is itself computed by differences */
static const double small = 1e-3;                    /* smaller numbers are compared absolutely */

/** A straight path through a point, t + s dt, p + s dp. */
typedef struct path {
    const resida_model *m;
    int k;                   /**< number of the point; excitations may begin at point 0 */
    resida_problem *problem; /**< for G v + gI and invariants */
    cmd_point at;
    double *p, *dp; /**< work [n_p], direction [n_p] */
    double dt;
    double *root; /**< work [n_root] */
    double *gv;   /**< work [n_g + n_h] */
    int first, n; /**< rows of gv, or of u and ud, to compare */
    int n_u;
} path;

static void close_path(path *w)
{
    resida_problem_free(w->problem);
    cmd_point_free(&w->at);
    free(w->p);
    *w = (path){0};
}

/** Initialize the path at point k. */
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
    return cmd_point_compute(&w->at, m, k) == 0 && cmd_problem_open(&job, &w->problem, NULL) >= 0 ? 0 : -1;
}

static double set_place(path *w, double s)
{
    for (int i = 0; i < w->m->mechanism.n_p; i++) w->p[i] = w->at.p[i] + s * w->dp[i];
    return w->at.t + s * w->dt;
}

static int evaluate_g(double s, double *g, void *context)
{
    path *w = context;
    double t = set_place(w, s);
    int verdict = cmd_evaluate_excitation(&w->at, w->m, t);
    return verdict ? verdict : w->m->mechanism.constraint(t, w->p, &w->at.e, g, w->m->mechanism.user);
}

static int evaluate_k(double s, double *k, void *context)
{
    path *w = context;
    double t = set_place(w, s);
    return resida_problem_invariants(w->problem, t, w->p, k) < 0 ? -1 : 0;
}

static int evaluate_gaps(double s, double *gaps, void *context)
{
    path *w = context;
    const resida_mechanism *d = &w->m->mechanism;
    const resida_model_contacts *c = w->m->contacts;
    double t = set_place(w, s);
    int verdict = cmd_evaluate_excitation(&w->at, w->m, t);
    if (!verdict)
        verdict = w->m->root_lam ? w->m->root_lam(t, w->p, w->at.v, w->at.lam, &w->at.e, w->root, d->user)
                                 : d->root(t, w->p, w->at.v, &w->at.e, w->root, d->user);
    memcpy(gaps, w->root + c->first, (size_t)c->n * sizeof *gaps);
    return verdict;
}

static int evaluate_gv(double s, double *gv, void *context)
{
    path *w = context;
    const double t = set_place(w, s);
    if (resida_problem_constraints(w->problem, t, w->p, w->at.v, NULL, w->gv) < 0) return -1;
    memcpy(gv, w->gv + w->first, (size_t)w->n * sizeof *gv);
    return 0;
}

static int evaluate_u(double s, double *u, void *context)
{
    path *w = context;
    int verdict = cmd_evaluate_excitation(&w->at, w->m, w->at.t + s);
    memcpy(u, w->at.u, (size_t)w->n * sizeof *u);
    return verdict;
}

/** A derivative to compare: a matrix with respect to p, or a rate. It has n rows with names ROWS[first], ... */
typedef struct claim {
    const char *check, *rows, *by;
    int first, n;
    cmd_curve_fn *x;
    resida_position_fn *matrix; /**< derivative with respect to p; NULL: with respect to t */
    const resida_pattern *pattern;
    resida_position_fn *rate; /**< rate at constant p; NULL: 0, or for u and ud the arrays ud and udd */
    resida_velocity_fn *bias; /**< rate along the motion */
    double limit;
} claim;

/** Compare the derivative of x along dp, which has only component `column`, or all components if column is -1. */
static void compare_along(path *w, const claim *c, const double *values, int column, double *expected, cmd_worst *worst)
{
    const int n_p = w->m->mechanism.n_p;
    double scale = 0;
    for (int j = 0; j < n_p; j++) {
        w->dp[j] = column < 0 ? cmd_test_direction(j) : j == column;
        if (w->dp[j] != 0) scale = fmax(scale, 1 + fabs(w->at.p[j]));
    }
    memset(expected, 0, (size_t)c->n * sizeof *expected);
    cmd_add_product(c->pattern, c->n, n_p, values, w->dp, expected, NULL);
    cmd_compare_derivative(c->n, expected, c->x, w, scale, worst, column);
}

/** Compare a matrix of derivatives with respect to p. */
static int compare_matrix(path *w, const claim *c, cmd_worst *worst)
{
    const resida_mechanism *d = &w->m->mechanism;
    const size_t entries = c->pattern->row ? (size_t)c->pattern->row[c->n] : (size_t)c->n * (size_t)d->n_p;
    double *values = calloc(entries + (size_t)c->n + 1, sizeof *values), *expected = values ? values + entries : NULL;
    int verdict = values ? cmd_evaluate_excitation(&w->at, w->m, w->at.t) : -1;
    if (verdict == 0) verdict = c->matrix(w->at.t, w->at.p, &w->at.e, values, d->user);
    for (size_t k = 0; k < entries && verdict == 0; k++) worst->scale = fmax(worst->scale, fabs(values[k]));
    cmd_worst all = {.scale = worst->scale};
    if (verdict == 0) compare_along(w, c, values, -1, expected, &all);
    if (all.difference <= agreement * worst->scale)
        cmd_worst_update(worst, all.difference, all.row, -1);
    else
        for (int j = 0; j < d->n_p; j++) compare_along(w, c, values, j, expected, worst);
    free(values);
    return verdict;
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

/** Evaluate the rate [n] of the model, and set the direction of the path. @return value of the callbacks */
static int evaluate_rate(path *w, const claim *c, double *given)
{
    const resida_mechanism *d = &w->m->mechanism;
    int verdict = cmd_evaluate_excitation(&w->at, w->m, w->at.t);
    w->first = c->first, w->n = c->n, w->dt = 1;
    if (verdict == 0 && c->bias) verdict = set_direction(w);
    if (verdict != 0) return verdict;
    if (c->bias) return c->bias(w->at.t, w->at.p, w->at.v, &w->at.e, given, d->user);
    if (!w->m->is_dae) memset(w->dp, 0, (size_t)d->n_p * sizeof *w->dp);
    if (c->x == evaluate_u) memcpy(given, w->at.u + w->n_u, (size_t)c->n * sizeof *given);
    return c->rate ? c->rate(w->at.t, w->at.p, &w->at.e, given, d->user) : 0;
}

/** Compare a rate. Point 0 is skipped, because excitations may begin there and the start may be inconsistent for
 *  biases. */
static int compare_rate(path *w, const claim *c, cmd_worst *worst)
{
    if (w->k == 0) return 0;
    double *given = calloc((size_t)c->n, sizeof *given), speed = 1;
    const int verdict = given ? evaluate_rate(w, c, given) : -1;
    for (int i = 0; i < w->m->mechanism.n_p && !w->m->is_dae; i++) speed = fmax(speed, fabs(w->dp[i]));
    if (verdict == 0) cmd_compare_derivative(c->n, given, c->x, w, fmin(1, w->m->t_end - w->m->t0) / speed, worst, -1);
    free(given);
    return verdict;
}

/** Compare a derivative at all points. Gaps skip point 0, where two corners may be equally close. @return 0; -1 if a
 *  callback failed, which is reported */
static int compare_all(cmd_report_work *r, const claim *c, cmd_worst *worst)
{
    *worst = (cmd_worst){.scale = small};
    for (int k = c->x == evaluate_gaps; k < CMD_CHECK_POINTS; k++) {
        path w;
        int verdict = open_path(&w, r, k);
        if (verdict == 0) verdict = c->matrix ? compare_matrix(&w, c, worst) : compare_rate(&w, c, worst);
        double t = w.at.t;
        close_path(&w);
        if (verdict == 0) continue;
        cmd_report_result(r, c->check, 0, "a callback refused at t = %.6g", t);
        return -1;
    }
    return 0;
}

void cmd_check_excitation(cmd_report_work *report)
{
    const resida_model *m = &report->model->model;
    const int n_u = m->is_dae ? m->dae.n_u : m->mechanism.n_u;
    claim c = {.check = "excitation", .n = n_u, .x = evaluate_u};
    cmd_worst worst;
    if (n_u == 0 || compare_all(report, &c, &worst) != 0) return;
    double relative = worst.difference / worst.scale;
    c.n = 2 * n_u;
    if (relative <=
        agreement) { /* udd is compared only if ud is right, because an error of ud makes its derivative wrong */
        if (compare_all(report, &c, &worst) != 0) return;
        relative = worst.difference / worst.scale;
    }
    cmd_report_number(report, c.check, relative, agreement, "largest difference %.2g, in %s[%d]", relative,
                      worst.row < n_u ? "ud" : "udd", worst.row % n_u);
}

static void check_rows(cmd_report_work *r, const claim *c)
{
    const resida_mechanism *d = &r->model->model.mechanism;
    char name[32], column[32];
    cmd_worst worst;
    if (compare_all(r, c, &worst) != 0) return;
    const double relative = worst.difference / worst.scale;
    const char *row = cmd_item_name(*c->rows == 'g' ? d->g_names : NULL, c->rows, c->first + worst.row, name);
    cmd_report_number(r, c->check, relative, c->limit, "largest difference %.2g, in d %s / d %s", relative, row,
                      worst.column < 0 ? c->by : cmd_item_name(d->p_names, "p", worst.column, column));
}

void cmd_check_constraints(cmd_report_work *r)
{
    static const resida_pattern full = {NULL, NULL};
    static const resida_model_contacts none = {.n = 0};
    const resida_model *m = &r->model->model;
    const resida_mechanism *d = &m->mechanism;
    const resida_model_contacts *of = m->contacts ? m->contacts : &none;
    const int knows_gv = d->constraint_matrix && (d->velocity_bias || d->n_u == 0);
    const double of_gv = knows_gv ? agreement : agreement_of_differences;
    const claim list[] = {
        {"constraint matrix", "g", "p", 0, d->n_g, evaluate_g, d->constraint_matrix, &d->G_pattern, .limit = agreement},
        {"invariant matrix", "k", "p", 0, d->n_k, evaluate_k, d->invariant_matrix, &d->K_pattern, .limit = agreement},
        {"invariant", "k", "t", 0, d->n_k, evaluate_k, .limit = agreement},
        {"velocity bias", "g", "t", 0, d->n_g, evaluate_g, .rate = d->velocity_bias, .limit = agreement},
        {"acceleration bias", "g", "t", 0, d->n_g, evaluate_gv, .bias = d->acceleration_bias, .limit = of_gv},
        {"nonholonomic bias", "g", "t", d->n_g, d->n_h, evaluate_gv, .bias = d->nonholonomic_acceleration_bias,
         .limit = of_gv},
        {"contacts matrix", "phi", "p", 0, of->n, evaluate_gaps, of->matrix, &full, .limit = agreement},
        {"contacts rate", "phi", "t", 0, of->n, evaluate_gaps, .rate = of->rate, .limit = agreement},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list && !m->is_dae; i++) {
        const claim *c = &list[i];
        const int is_constant = c->x == evaluate_k; /* the rate of an invariant is 0 */
        if (c->n > 0 && (c->matrix || c->rate || c->bias || (is_constant && *c->by == 't'))) check_rows(r, c);
    }
}
