/* rows.c - kinematic, dynamic, velocity and position rows, equations (7a)-(7d) in the forms (9) and (10) of Arnold,
 * Fuchs, Fuehrer: Efficient corrector iteration for DAE time integration in multibody dynamics. Here with T for
 * n_p != n_v and with nonholonomic rows, which the paper does not have. */
#include "rows.h"

#include <string.h>

#include "src/base/memory.h"

int rsd_rows_begin_with_G(rsd_rows *x, double t, const double *p)
{
    rsd_mechanism *k = x->k;
    int verdict = rsd_eval_excitation(k, t);
    if (verdict || (verdict = rsd_eval_matrices(k, t, p))) return verdict;
    return x->D.in_rows && x->D.D ? rsd_projection_eval(&x->D, k, t, p) : 0;
}

int rsd_rows_begin(rsd_rows *x, double t, const double *p)
{
    rsd_mechanism *k = x->k;
    int is_formalism_alone = x->part == RSD_ROWS_FORMALISM && !k->is_explicit;
    if (!is_formalism_alone && !x->by_products) return rsd_rows_begin_with_G(x, t, p);
    int verdict = rsd_eval_excitation(k, t);
    return verdict || is_formalism_alone ? verdict : rsd_eval_matrices_but_G(k, t, p);
}

/* 1: the part is without the formalism. */
static int is_without_formalism(const rsd_rows *x)
{
    return x->part == RSD_ROWS_CONSTRAINT || x->part == RSD_ROWS_CURVED;
}

static void set_zero(double *r, int n)
{
    memset(r, 0, (size_t)n * sizeof *r);
}

void rsd_rows_kinematic(rsd_rows *x, const double *pd, const double *v, double *r)
{
    rsd_mechanism *k = x->k;
    if (x->part == RSD_ROWS_FORMALISM) {
        set_zero(r, k->m.n_p);
        return;
    }
    const double *vp = rsd_velocity_of_p(k, v);
    for (int i = 0; i < k->m.n_p; i++) r[i] = pd[i] - vp[i];
}

int rsd_rows_held_along(rsd_rows *x, double t, const double *p, const double *eta, double *r)
{
    rsd_mechanism *k = x->k;
    if (x->part == RSD_ROWS_FORMALISM) return 0;
    if (!x->by_products) {
        rsd_project_position(&x->D, k, eta, r);
        return 0;
    }
    int verdict = rsd_eval_force_product(k, t, p, eta, k->work.x_p);
    for (int i = 0; i < k->m.n_p; i++) r[i] += k->work.x_p[i];
    return verdict;
}

/* f -= G' lam */
static int subtract_constraint_force(rsd_rows *x, double t, const double *p, const double *lam)
{
    if (x->by_products) return rsd_add_force_product(x->k, t, p, -1, lam, x->k->work.f);
    rsd_add_constraint_force(x->k, -1, lam, x->k->work.f);
    return 0;
}

/* a - M^-1 (Psi - G' lam): formalism part. */
static int explicit_rows(rsd_rows *x, double t, const double *p, const double *v, const double *a, const double *lam,
                         double *r)
{
    rsd_mechanism *k = x->k;
    int n_v = k->m.n_v;
    set_zero(is_without_formalism(x) ? r : k->work.f, n_v);
    if (is_without_formalism(x)) return 0;
    int verdict = lam ? subtract_constraint_force(x, t, p, lam) : 0;
    if (!verdict) verdict = rsd_eval_formalism(k, t, p, v, a, k->work.f, lam);
    for (int i = 0; i < n_v && !verdict; i++) r[i] = a[i] - k->work.out[i];
    return verdict;
}

/* M a - Psi: formalism part; G' lam: constraint part. */
static int residual_rows(rsd_rows *x, double t, const double *p, const double *v, const double *a, const double *lam,
                         double *r)
{
    rsd_mechanism *k = x->k;
    int n_v = k->m.n_v;
    set_zero(k->work.f, n_v);
    int verdict = lam && x->part != RSD_ROWS_FORMALISM ? subtract_constraint_force(x, t, p, lam) : 0;
    if (!verdict && !is_without_formalism(x)) verdict = rsd_eval_formalism(k, t, p, v, a, k->work.f, lam);
    for (int i = 0; i < n_v && !verdict; i++) r[i] = (is_without_formalism(x) ? 0 : k->work.out[i]) - k->work.f[i];
    return verdict;
}

int rsd_rows_dynamic(rsd_rows *x, double t, const double *p, const double *v, const double *a, const double *lam,
                     double *r)
{
    rsd_mechanism *k = x->k;
    return k->is_explicit ? explicit_rows(x, t, p, v, a, lam, r) : residual_rows(x, t, p, v, a, lam, r);
}

/* Factor at t of the multipliers of rows that became inactive: from 1 to 0 by a cubic with zero slope at both ends. */
static double decay_factor(const rsd_mechanism *k, double t)
{
    const double s = k->fading.time > 0 ? (t - k->fading.t) / k->fading.time : 1;
    return s <= 0 ? 1 : s < 1 ? (1 - s) * (1 - s) * (1 + 2 * s) : 0;
}

/* Dropped rows become lam_i = factor lam_i(t_0), see decay_factor(). */
static void replace_by_lam(const rsd_mechanism *k, int n, double t, const double *lam, double *r)
{
    const double part = decay_factor(k, t);
    for (int i = 0; i < n; i++)
        if (k->dropped[i]) r[i] = lam[i] - part * k->fading.lam[i];
}

/* Dropped rows become eta_i, or tau_i, = 0. */
static void replace_by_multiplier(const rsd_mechanism *k, int n, const double *multiplier, double *r)
{
    for (int i = 0; i < n; i++)
        if (k->dropped[i]) r[i] = multiplier[i];
}

/* G v + gI, Gh v + gh. */
static int velocity_rows(rsd_rows *x, double t, const double *p, const double *v, double *r)
{
    rsd_mechanism *k = x->k;
    if (x->part != RSD_ROWS_FORMALISM) return rsd_eval_velocity_level(k, t, p, v, r);
    set_zero(r, k->n_l);
    return 0;
}

int rsd_rows_velocity(rsd_rows *x, double t, const double *p, const double *v, const double *lam, double *r)
{
    rsd_mechanism *k = x->k;
    int verdict = velocity_rows(x, t, p, v, r);
    if (x->part != RSD_ROWS_FORMALISM) replace_by_lam(k, k->n_l, t, lam, r);
    return verdict;
}

int rsd_rows_velocity_held(rsd_rows *x, double t, const double *p, const double *v, const double *tau, double *r)
{
    rsd_mechanism *k = x->k;
    int verdict = velocity_rows(x, t, p, v, r);
    if (x->part != RSD_ROWS_FORMALISM) replace_by_multiplier(k, k->n_l, tau, r);
    return verdict;
}

/* 1: the part is without g. */
static int is_without_position(const rsd_rows *x)
{
    return x->part == RSD_ROWS_FORMALISM || x->part == RSD_ROWS_CURVED;
}

/* g. */
static int position_rows(rsd_rows *x, double t, const double *p, double *r)
{
    rsd_mechanism *k = x->k;
    if (!is_without_position(x)) return rsd_eval_constraint(k, t, p, r);
    set_zero(r, k->m.n_g);
    return 0;
}

int rsd_rows_position(rsd_rows *x, double t, const double *p, const double *lam, double *r)
{
    rsd_mechanism *k = x->k;
    int verdict = position_rows(x, t, p, r);
    if (!is_without_position(x)) replace_by_lam(k, k->m.n_g, t, lam, r);
    return verdict;
}

int rsd_rows_position_held(rsd_rows *x, double t, const double *p, const double *eta, double *r)
{
    rsd_mechanism *k = x->k;
    int verdict = position_rows(x, t, p, r);
    if (!is_without_position(x)) replace_by_multiplier(k, k->m.n_g, eta, r);
    return verdict;
}

/* r += factor (g, 0), of the position rows. */
static int add_position(rsd_rows *x, double factor, double t, const double *p, double *r)
{
    rsd_mechanism *k = x->k;
    int verdict = rsd_eval_constraint(k, t, p, x->level);
    for (int i = 0; i < k->m.n_g; i++) r[i] += factor * x->level[i];
    return verdict;
}

int rsd_rows_damped_velocity(rsd_rows *x, double t, const double *p, const double *v, const double *lam, double *r)
{
    rsd_mechanism *k = x->k;
    int verdict = rsd_rows_velocity(x, t, p, v, lam, r);
    if (verdict || x->gamma == 0 || x->part == RSD_ROWS_FORMALISM) return verdict;
    verdict = add_position(x, x->gamma, t, p, r);
    replace_by_lam(k, k->n_l, t, lam, r);
    return verdict;
}

/* Add 2 gamma g' + gamma^2 g, and gamma w, to r. */
static int add_lower_levels(rsd_rows *x, double gamma, double t, const double *p, const double *v, double *r)
{
    rsd_mechanism *k = x->k;
    int verdict = rsd_eval_velocity_level(k, t, p, v, x->level);
    for (int i = 0; i < k->n_l; i++) r[i] += (i < k->m.n_g ? 2 : 1) * gamma * x->level[i];
    return verdict ? verdict : add_position(x, gamma * gamma, t, p, r);
}

int rsd_rows_acceleration(rsd_rows *x, double gamma, double t, const double *p, const double *v, const double *a,
                          const double *lam, double *r)
{
    rsd_mechanism *k = x->k;
    if (x->part == RSD_ROWS_FORMALISM) {
        set_zero(r, k->n_l);
        return 0;
    }
    int verdict = rsd_eval_acceleration_bias(k, t, p, v, r);
    if (verdict) return verdict;
    rsd_apply_G(k, a, x->level);
    for (int i = 0; i < k->n_l; i++) r[i] += x->level[i];
    if (gamma > 0) verdict = add_lower_levels(x, gamma, t, p, v, r);
    replace_by_lam(k, k->n_l, t, lam, r);
    return verdict;
}

int rsd_penalised_multipliers(rsd_rows *x, double t, const double *p, const double *lam, const double **out)
{
    rsd_mechanism *k = x->k;
    int verdict = rsd_eval_constraint(k, t, p, x->level);
    memcpy(x->lam_star, lam, (size_t)k->n_l * sizeof *lam);
    for (int i = 0; i < k->m.n_g; i++)
        if (!k->dropped[i]) x->lam_star[i] += x->penalty * x->level[i];
    *out = x->lam_star;
    return verdict;
}

void rsd_rows_projected(rsd_rows *x, const double *vd, const double *a, const double *tau, double *r)
{
    rsd_mechanism *k = x->k;
    if (x->part == RSD_ROWS_FORMALISM) {
        set_zero(r, k->m.n_v);
        return;
    }
    for (int i = 0; i < k->m.n_v; i++) r[i] = vd[i] - a[i];
    rsd_project_velocity(&x->D, k, tau, r);
}

int rsd_rows_invariant(rsd_rows *x, double t, const double *p, const double *eta_k, double *r_p, double *r_k)
{
    rsd_mechanism *k = x->k;
    if (x->part == RSD_ROWS_FORMALISM || x->part == RSD_ROWS_CURVED) set_zero(r_k, k->m.n_k);
    if (x->part == RSD_ROWS_FORMALISM) return 0;
    int verdict = rsd_eval_invariant_matrix(k, t, p);
    if (verdict) return verdict;
    rsd_csr_add_transposed(&k->invariants.K, k->invariants.values, 1, eta_k, r_p);
    return x->part == RSD_ROWS_CURVED ? 0 : rsd_eval_invariant(k, t, p, r_k);
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
