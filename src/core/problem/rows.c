/* rows.c - kinematic, dynamic, velocity and position rows, equations (7a)-(7d) in the forms (9) and (10) of Arnold,
 * Fuchs, Fuehrer: Efficient corrector iteration for DAE time integration in multibody dynamics. In addition to the
 * paper, T is supported for n_p != n_v, and there are nonholonomic rows. */
#include "rows.h"

#include <string.h>

#include "base/lanes.h"
#include "base/memory.h"

int rsd_rows_eval_common_with_G(rsd_rows *x, double t, const double *p)
{
    rsd_mechanism *k = x->k;
    int verdict = rsd_eval_excitation(k, t);
    if (verdict || (verdict = rsd_eval_matrices(k, t, p))) return verdict;
    return x->D.in_rows && x->D.D ? rsd_projection_eval(&x->D, k, t, p) : 0;
}

void rsd_rows_eval_kinematic(const rsd_F_arguments *at, double *r)
{
    const rsd_mechanism *k = at->x->k;
    if (at->part == RSD_ROWS_FORMALISM) return;
    const double *vp = rsd_get_rate_of_p(k, at->v);
    RSD_ELEMENTWISE for (int i = 0; i < k->m.n_p; i++) r[i] = at->yp[i] - vp[i];
}

int rsd_rows_add_D1(const rsd_F_arguments *at, const double *eta, double *r)
{
    rsd_mechanism *k = at->x->k;
    if (at->part == RSD_ROWS_FORMALISM) return 0;
    if (!at->x->by_products) {
        rsd_project_position(&at->x->D, k, eta, r);
        return 0;
    }
    int verdict = rsd_eval_force_product(k, at->t, at->p, eta, k->work.x_p);
    for (int i = 0; i < k->m.n_p; i++) r[i] += k->work.x_p[i];
    return verdict;
}

/* The constraint force belongs to the constraint part of F in the residual formalism. In the explicit formalism it is
 * an argument of phi, in the formalism part. The force is summed before Phi is added: F - F_c is then Phi within the
 * rounding error of F, which is small at a solution. */
int rsd_rows_eval_dynamic(const rsd_F_arguments *at, const double *a, const double *lam, double *r)
{
    rsd_mechanism *k = at->x->k;
    const int has_phi = at->part == RSD_ROWS_ALL || at->part == RSD_ROWS_FORMALISM;
    const int has_force = lam && (k->is_explicit ? has_phi : at->part != RSD_ROWS_FORMALISM);
    double *f = k->is_explicit ? memset(k->work.f, 0, (size_t)k->m.n_v * sizeof *f) : r, *out = k->work.out;
    int verdict = 0;
    if (has_force && at->x->by_products)
        verdict = rsd_add_force_product(k, at->t, at->p, k->is_explicit ? -1 : 1, lam, f);
    else if (has_force)
        rsd_add_constraint_force(k, k->is_explicit ? -1 : 1, lam, f);
    if (verdict || !has_phi) return verdict;
    verdict = rsd_eval_formalism(k, at->t, at->p, at->v, k->is_explicit ? f : a, lam, out);
    RSD_ELEMENTWISE for (int i = 0; i < k->m.n_v; i++) r[i] = k->is_explicit ? a[i] - out[i] : r[i] + out[i];
    return verdict;
}

/* Return the factor of the decaying multipliers, a cubic function of t from 1 to 0 with zero slope at both ends. */
static double compute_decay_factor(const rsd_mechanism *k, double t)
{
    const double s = k->fading.time > 0 ? (t - k->fading.t) / k->fading.time : 1;
    return s <= 0 ? 1 : s < 1 ? (1 - s) * (1 - s) * (1 + 2 * s) : 0;
}

/* Replace each dropped row i >= first by an equation for its multiplier lam_i. In the friction row of a slipping
 * contact the equation is lam_i = slip_i lam_k. In other rows lam_i equals a decaying value. */
static void replace_dropped_rows(const rsd_mechanism *k, int first, double t, const double *lam, double *r)
{
    for (int i = first; i < k->n_l; i++)
        if (k->dropped[i])
            r[i] = lam[i] - compute_decay_factor(k, t) * k->fading.lam[i] - k->slip[i] * lam[k->normal_row[i]];
}

/* Add factor * g(t, p) to the first n_g components of r. Return as rsd_rows_eval_lam(). */
static int add_position_constraints(const rsd_F_arguments *at, double factor, double *r)
{
    rsd_mechanism *k = at->x->k;
    int verdict = rsd_eval_constraint(k, at->t, at->p, at->x->level);
    for (int i = 0; i < k->m.n_g; i++) r[i] += factor * at->x->level[i];
    return verdict;
}

static int eval_acceleration_level(const rsd_F_arguments *at, const double *a, double *r)
{
    rsd_mechanism *k = at->x->k;
    const double gamma = at->x->gamma;
    int verdict = rsd_eval_acceleration_bias(k, at->t, at->p, at->v, r);
    if (verdict) return verdict;
    rsd_apply_G(k, a, at->x->level);
    for (int i = 0; i < k->n_l; i++) r[i] += at->x->level[i];
    if (gamma == 0) return 0;
    verdict = rsd_eval_velocity_level(k, at->t, at->p, at->v, at->x->level);
    for (int i = 0; i < k->n_l; i++) r[i] += (i < k->m.n_g ? 2 : 1) * gamma * at->x->level[i];
    return verdict ? verdict : add_position_constraints(at, gamma * gamma, r);
}

static int eval_velocity_level(const rsd_F_arguments *at, double *r)
{
    int verdict = rsd_eval_velocity_level(at->x->k, at->t, at->p, at->v, r);
    return verdict || at->x->gamma == 0 ? verdict : add_position_constraints(at, at->x->gamma, r);
}

/* Evaluate r [n_l] = (g, w), with w = Gh v + gh. For RSD_ROWS_CURVATURE the rows of g are set to 0. */
static int eval_position_level(const rsd_F_arguments *at, double *r)
{
    rsd_mechanism *k = at->x->k;
    int verdict = k->m.n_h > 0 ? rsd_eval_velocity_level(k, at->t, at->p, at->v, r) : 0;
    if (verdict || at->part != RSD_ROWS_CURVATURE) return verdict ? verdict : rsd_eval_constraint(k, at->t, at->p, r);
    memset(r, 0, (size_t)k->m.n_g * sizeof *r);
    return 0;
}

int rsd_rows_eval_lam(const rsd_F_arguments *at, rsd_level level, const double *a, const double *lam, double *r)
{
    const rsd_mechanism *k = at->x->k;
    if (at->part == RSD_ROWS_FORMALISM) return 0;
    int verdict = level == RSD_POSITION   ? eval_position_level(at, r)
                  : level == RSD_VELOCITY ? eval_velocity_level(at, r)
                                          : eval_acceleration_level(at, a, r);
    const int is_without_g = level == RSD_POSITION && at->part == RSD_ROWS_CURVATURE;
    replace_dropped_rows(k, is_without_g ? k->m.n_g : 0, at->t, lam, r);
    return verdict;
}

int rsd_rows_eval_eta(const rsd_F_arguments *at, rsd_level level, const double *eta, double *r)
{
    rsd_mechanism *k = at->x->k;
    const int is_g = level == RSD_POSITION, n = is_g ? k->m.n_g : k->n_l;
    if (at->part == RSD_ROWS_FORMALISM || (is_g && at->part == RSD_ROWS_CURVATURE)) return 0;
    const int verdict =
        is_g ? rsd_eval_constraint(k, at->t, at->p, r) : rsd_eval_velocity_level(k, at->t, at->p, at->v, r);
    for (int i = 0; i < n; i++)
        if (k->dropped[i]) r[i] = eta[i];
    return verdict;
}

int rsd_eval_penalised_lam(rsd_rows *x, double t, const double *p, const double *lam)
{
    int verdict = rsd_eval_constraint(x->k, t, p, x->level);
    memcpy(x->lam_star, lam, (size_t)x->k->n_l * sizeof *lam);
    for (int i = 0; i < x->k->m.n_g; i++)
        if (!x->k->dropped[i]) x->lam_star[i] += x->penalty * x->level[i];
    return verdict;
}

void rsd_rows_eval_projected(const rsd_F_arguments *at, const double *a, const double *tau, double *r)
{
    const double *vd = at->yp + at->l->v;
    if (at->part == RSD_ROWS_FORMALISM) return;
    for (int i = 0; i < at->l->n_v; i++) r[i] = vd[i] - a[i];
    rsd_project_velocity(&at->x->D, at->x->k, tau, r);
}

int rsd_rows_add_invariant(const rsd_F_arguments *at, const double *eta_k, double *r_p, double *r_k)
{
    rsd_mechanism *k = at->x->k;
    if (at->part == RSD_ROWS_FORMALISM) return 0;
    int verdict = rsd_eval_invariant_matrix(k, at->t, at->p);
    if (verdict) return verdict;
    rsd_csr_add_transposed(&k->invariants.K, k->invariants.values, 1, eta_k, r_p);
    return at->part == RSD_ROWS_CURVATURE ? 0 : rsd_eval_invariant(k, at->t, at->p, r_k);
}

resida_status rsd_rows_create(rsd_rows **out, rsd_mechanism *k, const rsd_rows *what, int after_steps,
                              resida_message *why)
{
    rsd_rows *x = *out = rsd_calloc(&k->alloc, 1, sizeof *x);
    if (!x) return rsd_fail(why, RESIDA_ERR_MEMORY, "%s: no memory for its rows", k->m.name);
    *x = *what;
    x->k = k;
    if (!RSD_DOUBLES(&k->alloc, k->n_l, &x->level, &x->lam_star))
        return rsd_fail(why, RESIDA_ERR_MEMORY, "%s: no memory for its rows", k->m.name);
    return x->D.in_rows || after_steps ? rsd_projection_create(&x->D, k, after_steps, why) : RESIDA_OK;
}
