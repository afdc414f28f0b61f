/* examine_constraints.c - excitations and constraints. Each derivative that the model gives is compared separately.
 * With a random velocity d:
 *
 *     u' = ud, ud' = udd,   g' = (dg/dp) T d along p' = T d,   g' = gI along t' = 1,
 *     (G d + gI)', (Gh d + gh)' = the biases of accelerations along p' = T d and t' = 1
 *
 * Products with dg/dp that the model gives are compared with products computed from dg/dp.
 *
 * A product with a random direction does not reveal a wrong entry that is zero at the start, or small compared with
 * other entries. Therefore each entry of dg/dp is also compared at a nearby state, by groups of columns that share no
 * row. */
#include "examine.h"

#include "base/linear/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PRODUCT_AGREES    1e-6 /* maximum error of a product, relative to the terms of its largest component */
#define NEARBY            1e-2 /* distance of the nearby state along a random direction */
#define RATE_FLOOR        1e-6 /* minimum scale of dg/dt, relative to the terms of g */
#define SHORT_TIME        1e-4 /* the scale of a rate is at least its change during this time [s] */
#define MIN_CONTRADICTION 1e-2 /* minimum reported error of dg/dp, relative to the terms of its row */
#define ENTRY_FLOOR       1e-3 /* minimum scale of an entry, relative to the largest entry of its row */

static const char random_direction[] = " along a random direction", of_g[] = "differences of g give";

static void warn_of_row(rsd_examiner *w, const rsd_statement *s, int row)
{
    char name[RSD_ROW_NAME];
    rsd_examine_warn(w, s, rsd_row_name(w->k, row, name, sizeof name), w->c.given[row], w->c.found[row]);
}

/* --- derivatives along t --- */

/* Evaluate the excitation at w->t again, after other times. Return `verdict` if it is not 0, else the new value. */
static int restore_excitation(rsd_examiner *w, int verdict)
{
    const int back = verdict < 0 ? verdict : rsd_eval_excitation(w->k, w->t);
    return verdict ? verdict : back;
}

static int evaluate_u_at(double s, double *x, void *examiner)
{
    rsd_examiner *w = examiner;
    int verdict = rsd_eval_excitation(w->k, w->t + s);
    memcpy(x, w->k->calls.u, 2 * (size_t)w->k->m.n_u * sizeof *x);
    return verdict;
}

static int compare_excitation(rsd_examiner *w)
{
    rsd_mechanism *k = w->k;
    rsd_curve *c = &w->c;
    const int n = k->m.n_u;
    int row, verdict = n > 0 ? rsd_calls_renew_excitation(&k->calls, w->t) : 0;
    if (verdict || n <= 0) return verdict;
    memcpy(c->given, k->calls.u + n, 2 * (size_t)n * sizeof *c->given); /* ud, udd are the derivatives of u, ud */
    for (int i = 0; i < n; i++) c->scale[i] = SHORT_TIME * fabs(c->given[n + i]), c->scale[n + i] = 0;
    verdict = rsd_curve_compare(c, 2 * n, evaluate_u_at, w, &row);
    if (row >= n && rsd_curve_find_worst(c, 0, n) >= 0)
        row = rsd_curve_find_worst(c, 0, n); /* a wrong ud also causes a wrong derivative of ud */
    if (!verdict && row >= 0)
        rsd_add_warning(w->warnings, RSD_CLAIM_EXCITATION,
                        "excitation: %s[%d] = %.6g at t = %.6g, but %s[%d] changes by %.6g per unit of time",
                        row < n ? "ud" : "udd", row % n, c->given[row], w->t, row < n ? "u" : "ud", row % n,
                        c->found[row]);
    return restore_excitation(w, verdict);
}

static int evaluate_g_at_time(double s, double *x, void *examiner)
{
    rsd_examiner *w = examiner;
    int verdict = rsd_eval_excitation(w->k, w->t + s);
    return verdict ? verdict : rsd_eval_constraint(w->k, w->t + s, w->p, x);
}

/* Compare gI with difference quotients of g. If the excitation is wrong, warn only of the excitation. */
static int compare_gI(rsd_examiner *w, const char *along)
{
    const rsd_statement rate = {RSD_CLAIM_VELOCITY_BIAS, "velocity_bias", "the derivative by t of ", along, of_g};
    rsd_mechanism *k = w->k;
    const int n_g = k->m.n_g, n_u = k->m.n_u;
    const double *u = k->calls.u; /* the largest term of g determines its rounding error */
    const double largest = fmax(fabs(w->t), fmax(rsd_max_norm(w->p, k->m.n_p), rsd_max_norm(u, n_u)));
    const double term = RATE_FLOOR * largest + SHORT_TIME * rsd_max_norm(u + 2 * n_u, n_u);
    int row = -1,
        verdict = rsd_call_position(&k->calls, RSD_CALL_VELOCITY_BIAS, k->m.velocity_bias, w->t, w->p, w->c.given, n_g);
    for (int i = 0; i < n_g; i++) w->c.scale[i] = term;
    if (!verdict) verdict = restore_excitation(w, rsd_curve_compare(&w->c, n_g, evaluate_g_at_time, w, &row));
    if (verdict || row < 0) return verdict;
    const double given = w->c.given[row], found = w->c.found[row];
    verdict = compare_excitation(w);
    w->c.given[row] = given, w->c.found[row] = found;
    if (!verdict && !w->warnings->is_given[RSD_CLAIM_EXCITATION]) warn_of_row(w, &rate, row);
    return verdict;
}

int rsd_examine_gI(rsd_examiner *w, double t, const double *p, const double *v)
{
    rsd_mechanism *k = w->k;
    if (!k->m.velocity_bias || w->warnings->is_given[RSD_CLAIM_VELOCITY_BIAS]) return 0;
    w->t = t, w->p = p, w->v = v;
    const int verdict = rsd_eval_excitation(k, t);
    return verdict || !rsd_examine_is_resolved(w) ? verdict : compare_gI(w, "");
}

/* --- dg/dp --- */

/* Set the given derivative of w->c to the product (dg/dp) d_p [n_g], and the scales to the sums of its terms. */
static void set_product_with_direction(rsd_examiner *w)
{
    rsd_curve_clear(&w->c, w->k->gp.rows);
    rsd_curve_add_product(&w->c, &w->k->gp, w->k->gp_values, w->d_p);
}

/* Return 1 if the model gives dg/dp, or its pattern. */
static int has_constraint_matrix(const rsd_mechanism *k)
{
    return k->m.constraint_matrix || (rsd_csr_is_sparse(&k->gp) && !k->G_is_learnt);
}

static int evaluate_g_along_motion(double s, double *x, void *examiner)
{
    rsd_examiner *w = examiner;
    int verdict = rsd_examine_move_position(w, s);
    return verdict ? verdict : rsd_eval_constraint(w->k, w->t, w->p_moved, x);
}

/* Compare dg/dp with difference quotients of g. Store the warning in w->wrong if dg/dp contradicts g at the start. */
static int compare_constraint_matrix(rsd_examiner *w)
{
    const rsd_mechanism *k = w->k;
    const rsd_curve *c = &w->c;
    const int is_made = k->m.constraint_velocity && !k->m.constraint_matrix;
    const rsd_statement matrix = {is_made ? RSD_CLAIM_CONSTRAINT_VELOCITY : RSD_CLAIM_CONSTRAINT_MATRIX,
                                  k->m.constraint_matrix ? "constraint_matrix"
                                  : is_made              ? "constraint_velocity"
                                                         : "G_pattern",
                                  "the derivative of ", random_direction, of_g};
    int i;
    set_product_with_direction(w);
    const int verdict = rsd_curve_compare(&w->c, k->m.n_g, evaluate_g_along_motion, w, &i);
    if (verdict || i < 0) return verdict;
    warn_of_row(w, &matrix, i);
    if (w->p != w->p_nearby && !is_made &&
        c->off[i] > MIN_CONTRADICTION * (c->scale[i] + fabs(c->given[i]) + fabs(c->found[i])))
        w->wrong = w->warnings->line[w->warnings->n - 1];
    return 0;
}

/* Compare a product x [n] of the model with the product in w->c. Warn of the component with the largest error. */
static void compare_with_product_of_model(rsd_examiner *w, const rsd_statement *s, int n, const double *x)
{
    const rsd_curve *c = &w->c;
    const double largest = rsd_max_norm(c->scale, n);
    char name[RSD_ROW_NAME];
    double worst = 1;
    int at = -1;
    for (int i = 0; i < n; i++) {
        const double part = fabs(x[i] - c->given[i]) / (PRODUCT_AGREES * (c->scale[i] + largest));
        if (part > worst) worst = part, at = i;
    }
    snprintf(name, sizeof name, "%d", at);
    if (at >= 0) rsd_examine_warn(w, s, name, x[at], c->given[at]);
}

static int compare_all_products(rsd_examiner *w)
{
    static const rsd_statement velocity = {RSD_CLAIM_CONSTRAINT_VELOCITY, "constraint_velocity", "component ",
                                           " for a random velocity", "dg/dp gives"};
    static const rsd_statement force = {RSD_CLAIM_CONSTRAINT_FORCE, "constraint_force", "component ",
                                        " for random multipliers", "dg/dp gives"};
    rsd_mechanism *k = w->k;
    const rsd_csr *G = &k->gp;
    double *x = w->c.x[0];
    set_product_with_direction(w);
    int verdict = rsd_eval_velocity_product(k, w->t, w->p, w->d_p, x);
    if (!verdict) compare_with_product_of_model(w, &velocity, G->rows, x);
    rsd_curve_clear(&w->c, G->cols);
    for (int i = 0; i < G->rows; i++)
        for (int e = G->row[i]; e < G->row[i + 1]; e++)
            rsd_curve_add_term(&w->c, G->col[e], k->gp_values[e] * w->d_lam[i]);
    if (!verdict) verdict = rsd_eval_force_product(k, w->t, w->p, w->d_lam, x);
    if (!verdict) compare_with_product_of_model(w, &force, G->cols, x);
    return verdict;
}

/* --- entries of dg/dp --- */

static int evaluate_g_along_p(double s, double *x, void *examiner)
{
    rsd_examiner *w = examiner;
    for (int i = 0; i < w->k->m.n_p; i++) w->p_moved[i] = w->p[i] + s * w->d_p[i];
    return rsd_eval_constraint(w->k, w->t, w->p_moved, x);
}

/* Warn of row i and of the column of the present group in which row i has an entry. If row i has no entry in the group,
 * warn that the pattern lacks an entry. */
static void warn_of_entry(rsd_examiner *w, int i)
{
    static const rsd_statement entry = {RSD_CLAIM_CONSTRAINT_MATRIX, "constraint_matrix", "d ", " near the start,",
                                        of_g};
    const rsd_mechanism *k = w->k;
    const rsd_csr *G = &k->gp;
    char row[RSD_ROW_NAME], number[RSD_ROW_NAME], text[2 * RSD_ROW_NAME + 40];
    int e = G->row[i];
    while (e < G->row[i + 1] && w->d_p[G->col[e]] == 0) e++;
    const char *column = "p, where G_pattern has no entry,";
    if (e < G->row[i + 1]) {
        snprintf(number, sizeof number, "p[%d]", G->col[e]);
        column = k->m.p_names ? k->m.p_names[G->col[e]] : number;
    }
    rsd_write(text, sizeof text, "%s / d %s", rsd_row_name(k, i, row, sizeof row), column);
    rsd_examine_warn(w, &entry, text, w->c.given[i], w->c.found[i]);
}

static int compare_entries(rsd_examiner *w)
{
    const rsd_colouring *c = &w->columns; /* without groups each column is separate */
    const rsd_csr *G = &w->k->gp;
    const int n_p = G->cols, n_groups = c->n_groups > 0 ? c->n_groups : n_p;
    int row = -1, verdict = 0;
    for (int g = 0; g < n_groups && row < 0 && !verdict; g++) {
        for (int i = 0; i < n_p; i++) w->d_p[i] = (c->n_groups > 0 ? c->group[i] : i) == g;
        set_product_with_direction(w);
        for (int i = 0; i < G->rows; i++)
            w->c.scale[i] += ENTRY_FLOOR * rsd_max_norm(w->k->gp_values + G->row[i], G->row[i + 1] - G->row[i]);
        verdict = rsd_curve_compare(&w->c, G->rows, evaluate_g_along_p, w, &row);
    }
    if (!verdict && row >= 0) warn_of_entry(w, row);
    return verdict;
}

/* Compare all entries of dg/dp at a nearby state. If g cannot be evaluated there, nothing is reported. */
static int compare_entries_nearby(rsd_examiner *w)
{
    rsd_mechanism *k = w->k;
    const rsd_fault before = k->calls.fault;
    int verdict = rsd_examine_move_position(w, NEARBY);
    memcpy(w->p_nearby, w->p_moved, (size_t)k->m.n_p * sizeof *w->p_nearby);
    w->p = w->p_nearby;
    if (!verdict) verdict = rsd_eval_matrices(k, w->t, w->p);
    if (!verdict) rsd_apply_T(k, w->d_v, w->d_p);
    if (!verdict) verdict = k->m.constraint_matrix ? compare_entries(w) : compare_constraint_matrix(w);
    if (verdict > 0) k->calls.fault = before;
    return verdict < 0 ? verdict : 0;
}

/* --- biases of accelerations --- */

/* Evaluate an acceleration bias of the model into n given rows from `first` on. Without a bias these rows are NaN. */
static int eval_given_bias(rsd_examiner *w, rsd_claim claim, rsd_callback which, resida_velocity_fn *bias, int first,
                           int n)
{
    double *out = w->c.given + first;
    for (int i = 0; i < n; i++) out[i] = NAN;
    if (n == 0 || !bias) return 0;
    const int verdict = rsd_call_velocity(&w->k->calls, which, bias, w->t, w->p, w->d_v, out, n);
    if (verdict > 0 || (verdict == 0 && !rsd_all_finite(out, n)))
        rsd_add_warning(w->warnings, claim,
                        "%s: cannot be evaluated, or is NaN or Inf, at t = %.6g for velocities of order one",
                        rsd_callback_names[which], w->t);
    return verdict;
}

static int evaluate_velocity_rows(double s, double *x, void *examiner)
{
    rsd_examiner *w = examiner;
    int verdict = rsd_examine_move_position(w, s);
    if (!verdict) verdict = rsd_eval_excitation(w->k, w->t + s);
    if (!verdict) verdict = rsd_eval_matrices(w->k, w->t + s, w->p_moved);
    return verdict ? verdict : rsd_eval_velocity_level(w->k, w->t + s, w->p_moved, w->d_v, x);
}

static int compare_biases(rsd_examiner *w)
{
    static const rsd_statement of_rows[] = {
        {RSD_CLAIM_ACCELERATION_BIAS, "acceleration_bias", "the second derivative of ", random_direction,
         "differences of G v + gI give"},
        {RSD_CLAIM_NONHOLONOMIC_BIAS, "nonholonomic_acceleration_bias", "row ", "", "differences of Gh v + gh give"}};
    const resida_mechanism *m = &w->k->m;
    int row;
    if (!m->acceleration_bias && !m->nonholonomic_acceleration_bias) return 0;
    set_product_with_direction(w);
    for (int i = 0; i < m->n_h; i++) w->c.scale[m->n_g + i] = 1;
    int verdict =
        eval_given_bias(w, RSD_CLAIM_ACCELERATION_BIAS, RSD_CALL_ACCELERATION_BIAS, m->acceleration_bias, 0, m->n_g);
    if (!verdict)
        verdict = eval_given_bias(w, RSD_CLAIM_NONHOLONOMIC_BIAS, RSD_CALL_NONHOLONOMIC_ACCELERATION_BIAS,
                                  m->nonholonomic_acceleration_bias, m->n_g, m->n_h);
    if (!verdict) verdict = rsd_curve_compare(&w->c, w->k->n_l, evaluate_velocity_rows, w, &row);
    if (verdict) return verdict;
    const int bent = row < 0 ? -1 : rsd_curve_find_worst(&w->c, 0, m->n_g);
    const int slides = row < 0 ? -1 : rsd_curve_find_worst(&w->c, m->n_g, m->n_h);
    char name[RSD_ROW_NAME];
    snprintf(name, sizeof name, "%d", slides - m->n_g);
    if (bent >= 0) warn_of_row(w, &of_rows[0], bent);
    if (slides >= 0) rsd_examine_warn(w, &of_rows[1], name, w->c.given[slides], w->c.found[slides]);
    return 0;
}

/* --- all derivatives of constraints --- */

/* Compare all derivatives of constraints. Products and biases are compared only if dg/dp and gI agree. */
static int compare_constraints(rsd_examiner *w)
{
    const resida_mechanism *m = &w->k->m;
    const int before = w->warnings->n, has_g = m->n_g > 0;
    int verdict = 0;
    if (has_g && (has_constraint_matrix(w->k) || m->constraint_velocity)) verdict = compare_constraint_matrix(w);
    if (!verdict && has_g && m->velocity_bias) verdict = compare_gI(w, random_direction);
    if (verdict || w->warnings->n > before) return verdict;
    if (has_g && m->constraint_velocity) verdict = compare_all_products(w);
    return verdict ? verdict : compare_biases(w);
}

int rsd_examine_start(rsd_examiner *w, double t, const double *p, const double *v)
{
    w->wrong = NULL;
    int verdict = rsd_examine_set_state(w, t, p, v);
    if (verdict || !rsd_examine_is_resolved(w)) return verdict;
    verdict = compare_excitation(w);
    if (!verdict) verdict = compare_constraints(w);
    if (verdict >= 0) verdict = rsd_examine_set_state(w, t, p, v);
    if (verdict >= 0 && w->k->m.n_g > 0 && has_constraint_matrix(w->k)) verdict = compare_entries_nearby(w);
    const int again = verdict < 0 ? verdict : rsd_examine_set_state(w, t, p, v); /* restore the matrices of the state */
    return verdict ? verdict : again;
}
