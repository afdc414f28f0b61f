/* check_derivatives.c - compares dPhi/dp, dPhi/dv and dPhi/dlam of the model with differences of Phi along one
 * direction, at the start and at states near it. The other states detect entries that are zero at the start, such as
 * those of p_i p_j at p_j = 0. Each row is scaled by the sum of the magnitudes of its terms. */
#include "check.h"

#include "command/cli/formalism.h"

#include <math.h>
#include <stdlib.h>

static const double agreement = 1e-6; /* central differences of smooth functions reach about eps^(2/3) = 4e-11 */
static const double small = 1e-3;     /* fraction of the largest row; smaller rows use this scale */

/** A straight path through a state at constant a and t: p + s dp, v + s dv, lam + s dlam. */
typedef struct path {
    const resida_mechanism *d;
    cmd_point at;
    double *p, *v, *lam, *dp, *dv, *dlam; /**< the displaced state, and the direction */
    double *expected, *scale;             /**< [n_v] directional derivative by the matrices of the model, and its
                                           *   scale */
} path;

static void close_path(path *w)
{
    cmd_point_free(&w->at);
    free(w->p);
}

/** Set the direction. If the model has T, dp = T w with dv = w. */
static int set_direction(path *w, double *values)
{
    const resida_mechanism *d = w->d;
    for (int j = 0; j < d->n_v; j++) w->dv[j] = cmd_test_direction(j);
    for (int j = 0; j < d->n_g + d->n_h; j++) w->dlam[j] = cmd_test_direction(j);
    for (int j = 0; j < d->n_p && !d->kinematic_matrix; j++) w->dp[j] = cmd_test_direction(j + 1);
    return d->kinematic_matrix ? cmd_apply_T(d, w->at.t, w->at.p, &w->at.e, w->dv, values, w->dp) : 0;
}

/** Initialize the path at point k. *values: memory for the matrices */
static int open_path(path *w, const resida_model *m, int k, double **values)
{
    const resida_mechanism *d = &m->mechanism;
    const size_t n_p = (size_t)d->n_p, n_v = (size_t)d->n_v, n_l = (size_t)d->n_g + (size_t)d->n_h;
    *w = (path){.d = d};
    w->p = calloc(2 * n_p + 4 * n_v + 2 * n_l + n_v * (n_p + n_v + n_l), sizeof *w->p);
    if (!w->p) return -1;
    w->dp = w->p + n_p, w->v = w->dp + n_p, w->dv = w->v + n_v, w->expected = w->dv + n_v;
    w->scale = w->expected + n_v, w->lam = w->scale + n_v, w->dlam = w->lam + n_l, *values = w->dlam + n_l;
    const int verdict = cmd_point_open(&w->at, m, k);
    return verdict ? verdict : set_direction(w, *values);
}

static int compute_expected(path *w, double *values)
{
    const resida_mechanism *d = w->d;
    const int n_v = d->n_v, n_l = d->residual_lam ? d->n_g + d->n_h : 0;
    double *Phi_v = values + (d->Phi_p_pattern.row ? d->Phi_p_pattern.row[n_v] : n_v * d->n_p);
    double *Phi_lam = Phi_v + (d->Phi_v_pattern.row ? d->Phi_v_pattern.row[n_v] : n_v * n_v), largest = 0;
    const int verdict = d->derivatives(w->at.t, w->at.p, w->at.v, w->at.a, w->at.lam, &w->at.e, values, Phi_v,
                                       d->residual_lam ? Phi_lam : NULL, d->user);
    if (verdict) return verdict;
    cmd_add_product(&d->Phi_p_pattern, n_v, d->n_p, values, w->dp, w->expected, w->scale);
    cmd_add_product(&d->Phi_v_pattern, n_v, n_v, Phi_v, w->dv, w->expected, w->scale);
    if (n_l > 0) cmd_add_product(&d->Phi_lam_pattern, n_v, n_l, Phi_lam, w->dlam, w->expected, w->scale);
    for (int i = 0; i < n_v; i++) largest = fmax(largest, w->scale[i]);
    for (int i = 0; i < n_v; i++) {
        w->scale[i] = largest > 0 ? fmax(w->scale[i], small * largest) : 1;
        w->expected[i] /= w->scale[i];
    }
    return 0;
}

/** Evaluate Phi at s, each row divided by its scale. */
static int evaluate_scaled_Phi(double s, double *x, void *context)
{
    path *w = context;
    const resida_mechanism *d = w->d;
    for (int i = 0; i < d->n_p; i++) w->p[i] = w->at.p[i] + s * w->dp[i];
    for (int i = 0; i < d->n_v; i++) w->v[i] = w->at.v[i] + s * w->dv[i];
    for (int i = 0; i < d->n_g + d->n_h; i++) w->lam[i] = w->at.lam[i] + s * w->dlam[i];
    const int verdict = cmd_call_residual(d, w->at.t, w->p, w->v, w->at.a, w->lam, &w->at.e, x);
    for (int i = 0; i < d->n_v; i++) x[i] /= w->scale[i];
    return verdict;
}

void cmd_check_derivatives(cmd_report_work *r)
{
    const resida_model *m = &r->model->model;
    cmd_worst worst = {.scale = 1};
    char name[32];
    if (m->is_dae || !m->mechanism.derivatives) return;
    for (int k = 0; k < CMD_CHECK_POINTS; k++) {
        path w;
        double *values = NULL;
        int verdict = open_path(&w, m, k, &values);
        if (verdict == 0) verdict = compute_expected(&w, values);
        if (verdict == 0)
            cmd_compare_derivative(m->mechanism.n_v, w.expected, evaluate_scaled_Phi, &w, 1, &worst, 0);
        else
            cmd_report_result(r, "derivatives", 0, "a callback refused at t = %.6g", w.at.t);
        close_path(&w);
        if (verdict != 0) return;
    }
    cmd_report_number(r, "derivatives", worst.difference, agreement, "largest difference %.2g of a row, in %s",
                      worst.difference, cmd_item_name(NULL, "Phi", worst.row, name));
}
