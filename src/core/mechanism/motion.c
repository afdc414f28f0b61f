/* motion.c - differences of g along the motion, see motion.h. */
#include "mechanism_impl.h"

#include "base/numbers.h"
#include "base/linear/dense.h"

#include <math.h>
#include <string.h>

#define MAX_PART_OF_STEP 0.05 /* maximum time displacement s, relative to the step, if g is unknown at t +- s */
#define MAX_R_CHANGE     0.5  /* maximum relative change of the rate r without a new search of the scale */
#define SECANT_PART      1e-3 /* displacement d along the secant, relative to the step; curvature: errors of 1e-6 */
#define SECANT_ERROR     1e-5 /* maximum error of the predicted change along the secant, relative to the terms */
enum {
    SEARCH_AFTER = 4, /* consecutive failed attempts of a step that cause a search; they divide h by 256 */
    MAX_UNCHECKED = 6 /* base-2 logarithm of the maximum number of steps without a check */
};

void rsd_motion_set_rate(rsd_mechanism *k, const double *rate)
{
    rsd_motion *m = &k->motion;
    double speed = 0, change = 0;
    for (int i = 0; i < k->m.n_p; i++) {
        speed = fmax(speed, fabs(m->rate[i]));
        change = fmax(change, fabs(rate[i] - m->rate[i]));
        m->rate[i] = rate[i];
    }
    if (change > MAX_R_CHANGE * speed) k->of_motion.search.is_done = 0;
    m->has_rate = 1;
}

/* Evaluate g [n_g] at t + s and p + s rate. If rate is NULL, p is not displaced. moved [n_p] is set to p + s rate. */
static int eval_g_at(rsd_mechanism *k, double t, double s, const double *p, const double *rate, double *moved,
                     double *g)
{
    for (int i = 0; i < k->m.n_p; i++) {
        volatile double place = p[i] + (rate ? s * rate[i] : 0);
        moved[i] = place;
    }
    rsd_move_excitation(k, s, 0);
    return rsd_eval_constraint(k, t + s, moved, g);
}

/* Compute (g(t + s) - g(t - s))/(2 s) along the motion into out [n_g], and the difference d of p into motion.along
 * [n_p]. */
static int compute_quotient(rsd_mechanism *k, double t, double s, const double *p, const double *rate, double *out)
{
    const rsd_mechanism_work *w = &k->work;
    double *up = k->motion.up, *down = w->x_np;
    int verdict = eval_g_at(k, t, s, p, rate, up, w->x_g);
    if (!verdict) verdict = eval_g_at(k, t, -s, p, rate, down, w->x_g2);
    rsd_move_excitation(k, 0, 0);
    for (int i = 0; i < k->m.n_p; i++) k->motion.along[i] = (up[i] - down[i]) / (2 * s);
    for (int i = 0; i < k->m.n_g; i++) out[i] = (w->x_g[i] - w->x_g2[i]) / (2 * s);
    return verdict;
}

/* Compute the bias gI [n_g] by a difference in time at fixed p. Report a change of g that the last search missed. */
static int compute_bias_at_rest(rsd_mechanism *k, double t, const double *p, double *gI)
{
    const int verdict =
        compute_quotient(k, t, rsd_round_to_exact_step(t, rsd_scale_get_increment(&k->of_t.scale, 0, 1)), p, NULL, gI);
    for (int i = 0; i < k->m.n_g; i++)
        if (gI[i] != 0 && !k->of_t.scale.is_seen) rsd_line_report_change(&k->of_t);
    return verdict;
}

/* Return MAX_PART_OF_STEP times the last step size, an upper bound of the time displacement s, or else infinity. */
static double bound_s_by_step(const rsd_motion *m, double t)
{
    const double h = t != m->t_last ? fabs(t - m->t_last) : m->h;
    return m->has_last && h > 0 ? MAX_PART_OF_STEP * h : INFINITY;
}

/* Return the time displacement s with the smallest error. If g does not change, return the largest evaluated s. */
static double choose_best_s(const rsd_scale *s)
{
    if (!s->is_seen) return s->reach > 0 ? s->reach : rsd_scale_get_increment(s, 0, 1);
    return fmin(s->length * fmax(s->part, cbrt(s->noise)), s->reach);
}

/* Return 1 if g has been evaluated on the whole interval t - s .. t + s. */
static int is_interval_evaluated(const rsd_scale *scale, double t, double s)
{
    return fabs(t - scale->at) + s <= scale->reach;
}

/* Return 1 if r has changed since the last search by so much that displacements s r of both motions differ by more than
 * an increment of dg/dp. This occurs when a motion begins to turn. */
static int has_motion_turned(const rsd_mechanism *k, const double *p)
{
    const rsd_motion *m = &k->motion;
    double change = 0;
    for (int i = 0; i < k->m.n_p; i++) change = fmax(change, fabs(m->rate[i] - m->searched[i]));
    return choose_best_s(&k->of_motion.scale) * change > RSD_CUBE_ROOT_EPS * fmax(1, rsd_max_norm(p, k->m.n_p));
}

/* Choose the time displacement *s of the quotient at t. If *s exceeds its bound, and t - s .. t + s is not within the
 * interval in which g was evaluated, search the scale again. If the search does not help, reduce *s to the bound. */
static int choose_increment(rsd_mechanism *k, double t, const double *p, double *s)
{
    const rsd_scale *scale = &k->of_motion.scale;
    const double max = bound_s_by_step(&k->motion, t);
    if (!k->has_fixed_scales && has_motion_turned(k, p)) {
        memcpy(k->motion.searched, k->motion.rate, (size_t)k->m.n_p * sizeof *p);
        k->of_motion.search.is_done = 0;
    }
    int verdict = rsd_line_update_scale(k, &k->of_motion, t, p, k->motion.rate);
    *s = choose_best_s(scale);
    if (verdict || *s <= max || is_interval_evaluated(scale, t, *s)) return verdict;
    if (!k->has_fixed_scales && scale->at != t) {
        k->of_motion.search.is_done = 0;
        verdict = rsd_line_update_scale(k, &k->of_motion, t, p, k->motion.rate);
        *s = choose_best_s(scale);
    }
    if (!is_interval_evaluated(scale, t, *s)) *s = fmin(*s, max);
    return verdict;
}

int rsd_motion_compute_quotient(rsd_mechanism *k, double t, const double *p, double *out, const double **along)
{
    rsd_motion *m = &k->motion;
    double s = 0;
    *along = NULL;
    int verdict = rsd_line_update_scale(k, &k->of_t, t, p, NULL);
    const int moves = m->has_rate && k->of_t.scale.is_seen;
    if (!verdict && moves) verdict = choose_increment(k, t, p, &s);
    if (verdict || !moves) return verdict ? verdict : compute_bias_at_rest(k, t, p, out);
    *along = m->along;
    return compute_quotient(k, t, rsd_round_to_exact_step(t, s), p, m->rate, out);
}

const double *rsd_motion_get_relative_rate(rsd_mechanism *k, const double *vp)
{
    rsd_motion *m = &k->motion;
    for (int i = 0; i < k->m.n_p; i++) m->beside[i] = vp[i] - m->along[i];
    return m->beside;
}

void rsd_motion_update(rsd_mechanism *k, double t, const double *v)
{
    rsd_motion *m = &k->motion;
    if (k->m.n_g == 0 || k->m.velocity_bias || !m->has_rate) return;
    m->h = m->has_last ? fabs(t - m->t_last) : 0;
    m->t_last = t;
    m->has_last = 1;
    memcpy(m->rate, rsd_get_rate_of_p(k, v), (size_t)k->m.n_p * sizeof *v);
}

/* --- the secant of a step --- */

void rsd_step_check_set_point(rsd_mechanism *k, const double *p)
{
    k->step_check.has_G = p != NULL;
    if (p) memcpy(k->step_check.p_G, p, (size_t)k->m.n_p * sizeof *p);
}

/* Return 1 if the point of the current dg/dp is farther from p than the length of the step, or if the length is 0. */
static int is_G_from_elsewhere(const rsd_mechanism *k, const double *p)
{
    const rsd_step_check *s = &k->step_check;
    double off = 0, step = 0;
    for (int c = 0; c < k->m.n_p; c++) {
        off = fmax(off, fabs(s->p_G[c] - p[c]));
        step = fmax(step, fabs(s->p_last[c] - p[c]));
    }
    return off > step || step == 0;
}

/* Set *differs to 1 if dg/dp does not predict the change of g along the secant of the step that ended at p. Set
 * *checked to 1 if g could be evaluated. */
static int check_secant(rsd_mechanism *k, double t, const double *p, int *checked, int *differs)
{
    static const rsd_function g = {rsd_eval_constraint, NULL};
    const rsd_step_check *s = &k->step_check;
    rsd_grouped *q = &k->gp_groups;
    const rsd_fault before = k->calls.fault;
    for (int c = 0; c < k->m.n_p; c++) q->moved[c] = SECANT_PART * (p[c] - s->p_last[c]);
    memcpy(k->work.x_np, s->p_G, (size_t)k->m.n_p * sizeof *p);
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_grouped_eval_change(k, q, &g, t, s->p_G);
    if (verdict > 0) k->calls.fault = before; /* the check is omitted if g cannot be evaluated */
    if (verdict) return verdict < 0 ? verdict : 0;
    *checked = 1;
    for (int i = 0; i < k->m.n_g; i++) {
        double terms, rounding;
        const double left = rsd_grouped_compute_unpredicted_change(q, i, s->p_G, k->gp_values, &terms, &rounding);
        *differs |= left > SECANT_ERROR * terms + rounding;
    }
    return 0;
}

/* Return 1 if there is no g, or if the model gives dg/dp or products with dg/dp. Then g need not be differenced. */
static int has_exact_G(const rsd_mechanism *k)
{
    return k->m.n_g == 0 || k->m.constraint_matrix || k->m.constraint_velocity;
}

int rsd_step_check_count_failure(rsd_mechanism *k)
{
    if (has_exact_G(k) || ++k->step_check.fails < SEARCH_AFTER) return 0;
    k->step_check.fails = 0;
    rsd_scales_restart_search(k, &k->gp_groups);
    return 1;
}

int rsd_step_check_run(rsd_mechanism *k, double t, const double *p, int *changed)
{
    rsd_step_check *s = &k->step_check;
    const int gamma_differs = s->has_gamma && s->gamma_differs;
    int checked = s->has_gamma, G_differs = 0, verdict = 0;
    s->has_gamma = s->fails = 0;
    if (s->waits > 0)
        s->waits--;
    else {
        if (!has_exact_G(k) && s->has_G && s->has_last && !is_G_from_elsewhere(k, p))
            verdict = check_secant(k, t, p, &checked, &G_differs);
        if (G_differs) rsd_scales_restart_search(k, &k->gp_groups);
        if (gamma_differs) k->of_motion = (rsd_line){.speed = 0};
        if (G_differs || gamma_differs) {
            if (s->failed_checks < MAX_UNCHECKED) s->failed_checks++;
            s->waits = (1 << s->failed_checks) - 2;
        } else if (checked)
            s->failed_checks = 0;
    }
    *changed |= G_differs;
    memcpy(s->p_last, p, (size_t)k->m.n_p * sizeof *p);
    s->has_last = 1;
    return verdict;
}
