/* examine_constraints.c - excitations and constraints along p' = T d, t' = 1, d a random velocity:
 *
 *     u' = ud, ud' = udd,   g' = (dg/dp) T d + gI,   g'' = acceleration_bias(d),   (Gh d + gh)' = its bias
 *
 * and products with dg/dp, x and mu random: (dg/dp) x = dg/ds along p + s x, (dg/dp)' mu by the dg/dp at hand.
 *
 * A row along a random direction hides an entry that is zero at the start, or small beside the others. So each entry of
 * dg/dp is compared, too, at a state near the start: by groups of columns that share no row. */
#include "examine.h"

#include "base/linear/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PRODUCT_AGREES                                                                                                 \
    1e-6                /* of the terms of a component, and of the largest one: dg/dp by differences reaches 1e-10 */
#define NEARBY     1e-2 /* of a random direction: there entries are compared */
#define RATE_FLOOR 1e-6 /* part of the terms of g: below it their rounding decides what gI is */
#define SHORT_TIME                                                                                                     \
    1e-4 /* a rate at rest is measured by what it becomes in this time: u is rounded by terms of its own */
#define CONTRADICTS 1e-2 /* of the terms of a row of dg/dp: no error of differences */
#define ENTRY_FLOOR 1e-3 /* part of the largest entry of a row: below it noise of g decides */

static int u_along(double s, double *x, rsd_examiner *w)
{
    int verdict = rsd_eval_excitation(w->k, w->t + s);
    memcpy(x, w->k->calls.u, 2 * (size_t)w->k->m.n_u * sizeof *x);
    return verdict;
}

static int examine_excitation(rsd_examiner *w)
{
    rsd_mechanism *k = w->k;
    int n = k->m.n_u, row, verdict = n > 0 ? rsd_calls_renew_excitation(&k->calls, w->t) : 0;
    if (verdict || n <= 0) return verdict;
    memcpy(w->first, k->calls.u + n, 2 * (size_t)n * sizeof *w->first); /* of u and ud: ud and udd */
    for (int i = 0; i < n; i++) w->scale[i] = SHORT_TIME * fabs(w->first[n + i]), w->scale[n + i] = 0;
    verdict = rsd_examine_curve(w, 2 * n, u_along, &row, NULL);
    int row_of_ud = -1; /* an error of ud is one of ud', too */
    if (!verdict && row >= n) verdict = rsd_examine_curve(w, n, u_along, &row_of_ud, NULL);
    if (row_of_ud >= 0) row = row_of_ud;
    if (!verdict && row >= 0)
        rsd_warn(w->warnings, RSD_CLAIM_EXCITATION,
                 "excitation: %s[%d] = %.6g at t = %.6g, but %s[%d] changes by %.6g in a unit of time",
                 row < n ? "ud" : "udd", row % n, w->first[row], w->t, row < n ? "u" : "ud", row % n,
                 w->found_first[row]);
    int again = verdict < 0 ? verdict : rsd_eval_excitation(k, w->t);
    return verdict ? verdict : again;
}

static int g_along(double s, double *x, rsd_examiner *w)
{
    rsd_mechanism *k = w->k;
    int verdict = rsd_examine_move(w, s);
    if (!verdict && w->dt != 0) verdict = rsd_eval_excitation(k, w->t + s);
    return verdict ? verdict : rsd_eval_constraint(k, w->t + w->dt * s, w->p_moved, x);
}

/** (dg/dp) d_p into w->first, the size of its terms into w->scale. */
static void apply_matrix(rsd_examiner *w)
{
    const rsd_csr *G = &w->k->gp;
    memset(w->first, 0, (size_t)G->rows * sizeof *w->first);
    memset(w->scale, 0, (size_t)G->rows * sizeof *w->scale);
    rsd_examine_add(w, G, w->k->gp_values, w->d_p);
}

/* 1: the model gives dg/dp, or the places of its entries. */
static int has_matrix(const rsd_mechanism *k)
{
    return k->m.constraint_matrix || rsd_csr_is_sparse(&k->gp);
}

static const char *matrix_name(const rsd_mechanism *k)
{
    return k->m.constraint_matrix ? "constraint_matrix" : "G_pattern";
}

static const char along_a_random_direction[] = " along a random direction";

static void warn_row(rsd_examiner *w, rsd_claim claim, const char *callback, const char *what, int row,
                     const char *along)
{
    char name[RSD_ROW_NAME];
    int second = claim == RSD_CLAIM_ACCELERATION_BIAS;
    rsd_warn(w->warnings, claim, "%s: %s of %s is %.6g%s at t = %.6g, differences of g say %.6g", callback, what,
             rsd_row_name(w->k, row, name, sizeof name), second ? w->second[row] : w->first[row], along, w->t,
             second ? w->found_second[row] : w->found_first[row]);
}

/* Row `row`, as it is said and as differences have it, at the state of the start. */
static void note_contradiction(rsd_examiner *w, int row)
{
    const double said = w->first[row], found = w->found_first[row];
    if (w->best_first[row] > CONTRADICTS * (w->scale[row] + fabs(said) + fabs(found)))
        w->wrong = w->warnings->line[w->warnings->n - 1];
}

/** dg/dp alone: time stands still. @param[out] row  that is wrong, -1 none */
static int examine_matrix(rsd_examiner *w, int *row)
{
    rsd_mechanism *k = w->k;
    w->dt = 0;
    apply_matrix(w);
    int verdict = rsd_examine_curve(w, k->m.n_g, g_along, row, NULL);
    if (verdict || *row < 0) return verdict;
    warn_row(w, RSD_CLAIM_CONSTRAINT_MATRIX, matrix_name(k), "the derivative", *row, along_a_random_direction);
    if (w->p != w->p_nearby) note_contradiction(w, *row);
    return 0;
}

/** A bias at the random velocity. */
static int eval_bias(rsd_examiner *w, rsd_claim claim, rsd_callback which, resida_velocity_fn *bias, double *out, int n)
{
    int verdict = rsd_call_velocity(&w->k->calls, which, bias, w->t, w->p, w->d_v, out, n);
    if (verdict > 0 || (verdict == 0 && !rsd_all_finite(out, n)))
        rsd_warn(w->warnings, claim, "%s: refuses, or is NaN or Inf, at t = %.6g for velocities of order one",
                 rsd_callback_names[which], w->t);
    return verdict;
}

/** Everything at once; what it is that does not agree is found out only if something does not. */
static int examine_motion(rsd_examiner *w)
{
    rsd_mechanism *k = w->k;
    const resida_mechanism *m = &k->m;
    int row, row_second, guilty = -1, wants_second = m->acceleration_bias != NULL;
    apply_matrix(w);
    int verdict = rsd_eval_velocity_level(k, w->t, w->p, w->d_v, w->first);
    if (!verdict && wants_second)
        verdict = eval_bias(w, RSD_CLAIM_ACCELERATION_BIAS, RSD_CALL_ACCELERATION_BIAS, m->acceleration_bias, w->second,
                            m->n_g);
    w->dt = 1;
    if (!verdict) verdict = rsd_examine_curve(w, m->n_g, g_along, &row, wants_second ? &row_second : NULL);
    if (verdict) return verdict;
    if (wants_second && row_second >= 0)
        warn_row(w, RSD_CLAIM_ACCELERATION_BIAS, "acceleration_bias", "the second derivative", row_second,
                 along_a_random_direction);
    if (row < 0) return 0;
    double said = w->first[row], found = w->found_first[row];
    if (has_matrix(k)) verdict = examine_matrix(w, &guilty);
    if (verdict || guilty >= 0) return verdict;
    w->first[row] = said, w->found_first[row] = found;
    warn_row(w, RSD_CLAIM_VELOCITY_BIAS, m->velocity_bias ? "velocity_bias" : "excitation", "the derivative by t", row,
             along_a_random_direction);
    return 0;
}

static int g_in_time(double s, double *x, rsd_examiner *w)
{
    int verdict = rsd_eval_excitation(w->k, w->t + s);
    return verdict ? verdict : rsd_eval_constraint(w->k, w->t + s, w->p, x);
}

/* Of g = 0 its terms say what rounding is. */
static double largest_term(const rsd_examiner *w)
{
    const rsd_mechanism *k = w->k;
    return fmax(fabs(w->t), fmax(rsd_max_norm(w->p, k->m.n_p), rsd_max_norm(k->calls.u, k->m.n_u)));
}

static int compare_rate(rsd_examiner *w)
{
    const int n_g = w->k->m.n_g, before = w->warnings->n;
    const int n_u = w->k->m.n_u;
    const double term = RATE_FLOOR * largest_term(w) + SHORT_TIME * rsd_max_norm(w->k->calls.u + 2 * n_u, n_u);
    int row, verdict = rsd_call_position(&w->k->calls, RSD_CALL_VELOCITY_BIAS, w->k->m.velocity_bias, w->t, w->p,
                                         w->first, n_g);
    for (int i = 0; i < n_g; i++) w->scale[i] = term;
    if (!verdict) verdict = rsd_examine_curve(w, n_g, g_in_time, &row, NULL);
    if (verdict || row < 0) return verdict;
    const double said = w->first[row], found = w->found_first[row];
    verdict = examine_excitation(w);
    if (verdict || w->warnings->n > before) return verdict;
    w->first[row] = said, w->found_first[row] = found;
    warn_row(w, RSD_CLAIM_VELOCITY_BIAS, "velocity_bias", "the derivative by t", row, "");
    return 0;
}

int rsd_examine_rate(rsd_examiner *w, double t, const double *p, const double *v)
{
    rsd_mechanism *k = w->k;
    if (!k->m.velocity_bias || w->warnings->is_given[RSD_CLAIM_VELOCITY_BIAS]) return 0;
    w->t = t, w->p = p, w->v = v;
    int verdict = rsd_eval_excitation(k, t);
    if (verdict || !rsd_examine_is_fine(w)) return verdict;
    verdict = compare_rate(w);
    int again = verdict < 0 ? verdict : rsd_eval_excitation(k, t);
    return verdict ? verdict : again;
}

static int Gh_along(double s, double *x, rsd_examiner *w)
{
    rsd_mechanism *k = w->k;
    int verdict = rsd_examine_move(w, s);
    if (!verdict) verdict = rsd_eval_excitation(k, w->t + s);
    if (!verdict) verdict = rsd_eval_nonholonomic_level(k, w->t + s, w->p_moved, w->d_v, x);
    return verdict;
}

static int examine_nonholonomic(rsd_examiner *w)
{
    rsd_mechanism *k = w->k;
    const resida_mechanism *m = &k->m;
    int row;
    if (m->n_h == 0 || !m->nonholonomic_acceleration_bias) return 0;
    int verdict = eval_bias(w, RSD_CLAIM_NONHOLONOMIC_BIAS, RSD_CALL_NONHOLONOMIC_ACCELERATION_BIAS,
                            m->nonholonomic_acceleration_bias, w->first, m->n_h);
    for (int i = 0; i < m->n_h; i++) w->scale[i] = 1;
    if (!verdict) verdict = rsd_examine_curve(w, m->n_h, Gh_along, &row, NULL);
    if (!verdict && row >= 0)
        rsd_warn(w->warnings, RSD_CLAIM_NONHOLONOMIC_BIAS,
                 "nonholonomic_acceleration_bias: row %d is %.6g at t = %.6g, differences of Gh v + gh say %.6g", row,
                 w->first[row], w->t, w->found_first[row]);
    return verdict;
}

static int examine_derivatives(rsd_examiner *w)
{
    const resida_mechanism *m = &w->k->m;
    int row;
    if (m->velocity_bias || m->acceleration_bias) return examine_motion(w);
    return has_matrix(w->k) ? examine_matrix(w, &row) : 0;
}

/* --- products with dg/dp --- */

static int g_along_x(double s, double *x, rsd_examiner *w)
{
    for (int i = 0; i < w->k->m.n_p; i++) w->p_moved[i] = w->p[i] + s * w->d_p[i];
    return rsd_eval_constraint(w->k, w->t, w->p_moved, x);
}

static int examine_velocity(rsd_examiner *w)
{
    rsd_mechanism *k = w->k;
    char name[RSD_ROW_NAME];
    int row, verdict = rsd_eval_velocity_product(k, w->t, w->p, w->d_p, w->first);
    if (!verdict) verdict = rsd_examine_curve(w, k->m.n_g, g_along_x, &row, NULL);
    if (!verdict && row >= 0)
        rsd_warn(
            w->warnings, RSD_CLAIM_CONSTRAINT_VELOCITY,
            "constraint_velocity: component %s is %.6g for a random velocity at t = %.6g, differences of g say %.6g",
            rsd_row_name(k, row, name, sizeof name), w->first[row], w->t, w->found_first[row]);
    return verdict;
}

/* w->second: mu, w->p_half: what dg/dp makes of it, w->scale: the size of its terms. */
static void force_by_matrix(rsd_examiner *w)
{
    const rsd_csr *G = &w->k->gp;
    memset(w->p_half, 0, (size_t)G->cols * sizeof *w->p_half);
    memset(w->scale, 0, (size_t)G->cols * sizeof *w->scale);
    for (int i = 0; i < G->rows; i++) w->second[i] = rsd_random_move(i);
    rsd_csr_add_transposed(G, w->k->gp_values, 1, w->second, w->p_half);
    for (int i = 0; i < G->rows; i++)
        for (int e = G->row[i]; e < G->row[i + 1]; e++) w->scale[G->col[e]] += fabs(w->k->gp_values[e] * w->second[i]);
}

static int examine_force(rsd_examiner *w)
{
    const int n_p = w->k->m.n_p;
    double largest = 0, worst = 1;
    int at = -1;
    force_by_matrix(w);
    int verdict = rsd_eval_force_product(w->k, w->t, w->p, w->second, w->p_moved);
    for (int j = 0; j < n_p; j++) largest = fmax(largest, w->scale[j]);
    for (int j = 0; j < n_p && !verdict; j++) {
        double part = fabs(w->p_moved[j] - w->p_half[j]) / (PRODUCT_AGREES * (w->scale[j] + largest));
        if (part > worst) worst = part, at = j;
    }
    if (at >= 0)
        rsd_warn(w->warnings, RSD_CLAIM_CONSTRAINT_FORCE,
                 "constraint_force: component %d is %.6g for random multipliers at t = %.6g, dg/dp says %.6g", at,
                 w->p_moved[at], w->t, w->p_half[at]);
    return verdict;
}

static int examine_products(rsd_examiner *w)
{
    apply_matrix(w);
    int verdict = examine_velocity(w);
    return verdict ? verdict : examine_force(w);
}

/* dg/dp that is made of products is not wrong where they are right: they come first then. What comes second says
 * nothing of its own where the first is wrong. */
static int examine_constraints(rsd_examiner *w, const double *v)
{
    const resida_mechanism *m = &w->k->m;
    const int before = w->warnings->n, is_made = m->constraint_force && !m->constraint_matrix;
    int verdict = is_made ? examine_products(w) : examine_derivatives(w);
    if (verdict || !m->constraint_force || w->warnings->n > before) return verdict;
    if ((verdict = rsd_examine_at(w, w->t, w->p, v))) return verdict;
    return is_made ? examine_derivatives(w) : examine_products(w);
}

/* --- entries of dg/dp --- */

/* Row i, and the column of the group that it has an entry of; a group without one moves what the pattern lacks. */
static void warn_entry(rsd_examiner *w, int i)
{
    const rsd_mechanism *k = w->k;
    const rsd_csr *G = &k->gp;
    char name[RSD_ROW_NAME], number[RSD_ROW_NAME];
    int e = G->row[i];
    while (e < G->row[i + 1] && w->d_p[G->col[e]] == 0) e++;
    const char *column = "p, where G_pattern has no entry,";
    if (e < G->row[i + 1]) {
        snprintf(number, sizeof number, "p[%d]", G->col[e]);
        column = k->m.p_names ? k->m.p_names[G->col[e]] : number;
    }
    rsd_warn(w->warnings, RSD_CLAIM_CONSTRAINT_MATRIX,
             "constraint_matrix: d %s / d %s is %.6g near the start, at t = %.6g, differences of g say %.6g",
             rsd_row_name(k, i, name, sizeof name), column, w->first[i], w->t, w->found_first[i]);
}

static void add_floor(rsd_examiner *w)
{
    const rsd_csr *G = &w->k->gp;
    for (int i = 0; i < G->rows; i++) {
        double most = 0;
        for (int e = G->row[i]; e < G->row[i + 1]; e++) most = fmax(most, fabs(w->k->gp_values[e]));
        w->scale[i] += ENTRY_FLOOR * most;
    }
}

static int examine_entries(rsd_examiner *w)
{
    const rsd_colouring *c = &w->columns; /* without groups each column is one */
    const int n_p = w->k->m.n_p, n_groups = c->n_groups > 0 ? c->n_groups : n_p;
    int row = -1, verdict = 0;
    for (int g = 0; g < n_groups && row < 0 && !verdict; g++) {
        memset(w->d_p, 0, (size_t)n_p * sizeof *w->d_p);
        if (c->n_groups == 0) w->d_p[g] = 1;
        for (int e = 0; e < c->cols && c->n_groups > 0; e++) w->d_p[e] = c->group[e] == g;
        apply_matrix(w);
        add_floor(w);
        verdict = rsd_examine_curve(w, w->k->m.n_g, g_along_x, &row, NULL);
    }
    if (!verdict && row >= 0) warn_entry(w, row);
    return verdict;
}

/* A state that g refuses is no fault of the model. */
static int examine_entries_nearby(rsd_examiner *w)
{
    rsd_mechanism *k = w->k;
    const rsd_fault before = k->calls.fault;
    int row, verdict = rsd_examine_move(w, NEARBY);
    memcpy(w->p_nearby, w->p_moved, (size_t)k->m.n_p * sizeof *w->p_nearby);
    w->p = w->p_nearby;
    if (!verdict) verdict = rsd_eval_matrices(k, w->t, w->p);
    if (!verdict) rsd_apply_T(k, w->d_v, w->d_p);
    if (!verdict) verdict = k->m.constraint_matrix ? examine_entries(w) : examine_matrix(w, &row);
    if (verdict > 0) k->calls.fault = before;
    return verdict < 0 ? verdict : 0;
}

int rsd_examine_start(rsd_examiner *w, double t, const double *p, const double *v)
{
    const resida_mechanism *m = &w->k->m;
    w->wrong = NULL;
    int verdict = rsd_examine_at(w, t, p, v);
    if (verdict || !rsd_examine_is_fine(w)) return verdict;
    verdict = examine_excitation(w);
    if (!verdict && m->n_g > 0) verdict = examine_constraints(w, v);
    if (verdict >= 0) verdict = rsd_examine_at(w, t, p, v);
    if (verdict >= 0) verdict = examine_nonholonomic(w);
    if (verdict >= 0 && m->n_g > 0 && has_matrix(w->k)) verdict = examine_entries_nearby(w);
    int again = verdict < 0 ? verdict : rsd_examine_at(w, t, p, v); /* matrices at hand are those of the state */
    return verdict ? verdict : again;
}
