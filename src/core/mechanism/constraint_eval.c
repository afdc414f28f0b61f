/* constraint_eval.c - the constraints at velocity and acceleration level.
 *
 *     w     = G v + gI           (6), and Gh v + gh
 *     gamma = dw/dt at constant v: the constraints require 0 = G a + gamma
 *
 * Biases that the model does not give are computed by differences along the motion p' = T v, u' = ud, ud' = udd, t' =
 * 1. motion.c computes gI. gamma is a fourth-order difference quotient of w. If dg/dp or gI is itself computed by
 * differences, w is computed as one difference quotient of g along the motion. gamma is then more accurate than with G
 * v + gI, the sum of two quotients. */
#include "mechanism_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Exponents of nu^(1/3) in the increment L nu^(exponent/3) (scales.h), for quotients of fourth order and nested
 * ones. */
#define FOURTH_ORDER   0.58
#define NESTED_ORDER   0.48
#define BIAS_ERROR     2e-5 /* maximum relative difference of gamma by quotients of both orders; usually 2e-6 */
#define BIAS_ROUNDINGS 32   /* rounding error of g_i, relative to eps times the sum of its |terms| */

/* A quotient of fourth or second order is a sum of weight/increment times the value at a multiple of the increment. */
enum { N_POINTS = 4, MAX_MULTIPLE = 2 }; /* number of points of a quotient; largest multiple of the increment */
static const double weight[N_POINTS] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, at[N_POINTS] = {-2, -1, 1, 2};
static const double second_order[N_POINTS] = {0, -0.5, 0.5, 0};

void rsd_move_excitation(rsd_mechanism *k, double s, double bend)
{
    const int n = k->m.n_u;
    const double *now = k->calls.u;
    if (s == 0) {
        k->calls.e = (resida_excitation){now, now + n, now + 2 * n};
        return;
    }
    double *u = k->u_moved, *ud = u + n, *udd = ud + n;
    for (int i = 0; i < n; i++) {
        udd[i] = now[2 * n + i];
        ud[i] = now[n + i] + s * udd[i];
        u[i] = now[i] + s * now[n + i] + bend * udd[i];
    }
    k->calls.e = (resida_excitation){u, ud, udd};
}

/* Compute gI [n_g]. *along [n_p] is set to the mean rate d of the motion for which gI is valid (motion.h), or NULL. */
static int eval_velocity_bias(rsd_mechanism *k, double t, const double *p, double *gI, const double **along)
{
    *along = NULL;
    if (k->calls.at_rest) {
        memset(gI, 0, (size_t)k->m.n_g * sizeof *gI);
        return 0;
    }
    if (!k->m.velocity_bias) return rsd_motion_compute_quotient(k, t, p, gI, along);
    return rsd_call_position(&k->calls, RSD_CALL_VELOCITY_BIAS, k->m.velocity_bias, t, p, gI, k->m.n_g);
}

/* Return 1 if the model does not give dg/dp, or if it does not give gI and g changes in time at fixed p. */
static int has_nested_difference(const rsd_mechanism *k)
{
    const int has_G = k->m.constraint_matrix || k->m.constraint_velocity;
    return k->m.n_g > 0 && (!has_G || (!k->m.velocity_bias && k->of_t.scale.is_seen));
}

/* Return the distance from p of the outermost point of the difference quotients for gamma, in increments. */
static int get_max_distance(const rsd_mechanism *k)
{
    return has_nested_difference(k) ? 2 * MAX_MULTIPLE : MAX_MULTIPLE;
}

/* Choose the increment, in time, of the differences of w along the motion. All points must be within the interval in
 * which g was evaluated, because L may be more than 100 times as long if g has no third derivative there. */
static double choose_bias_step(const rsd_mechanism *k)
{
    const rsd_scale *s = &k->of_motion.scale;
    const double step = rsd_scale_get_increment(s, 0, has_nested_difference(k) ? NESTED_ORDER : FOURTH_ORDER);
    return s->reach > 0 ? fmin(step, s->reach / get_max_distance(k)) : step;
}

/* Compute w = dg/dt along p' = vp at (t, p), by fourth-order differences of g. The excitation is moved by s0 before and
 * after the call. Rounding moves the displaced points off the motion, which the current dg/dp corrects. */
static int difference_g_along(rsd_mechanism *k, double t, double s0, const double *p, const double *vp, double *w)
{
    const double step = choose_bias_step(k);
    memset(w, 0, (size_t)k->m.n_g * sizeof *w);
    for (int q = 0; q < N_POINTS; q++) {
        double s = at[q] * step;
        for (int i = 0; i < k->m.n_p; i++) k->work.x_np[i] = p[i] + s * vp[i];
        rsd_move_excitation(k, s0 + s, (s0 + s) * (s0 + s) / 2);
        int verdict = rsd_eval_constraint(k, t + s, k->work.x_np, k->work.x_g);
        if (verdict) return verdict;
        for (int i = 0; i < k->m.n_p; i++) k->work.x_np[i] = (k->work.x_np[i] - p[i]) - s * vp[i];
        rsd_csr_multiply(&k->gp, k->gp_values, k->work.x_np, NULL, k->work.x_g2);
        for (int i = 0; i < k->m.n_g; i++) w[i] += weight[q] * (k->work.x_g[i] - k->work.x_g2[i]) / step;
    }
    rsd_move_excitation(k, s0, s0 * s0 / 2);
    return 0;
}

/* Compute w [n_h] = Gh v + gh with the current Gh. */
static int eval_nonholonomic_rows(rsd_mechanism *k, double t, const double *p, const double *v, double *w)
{
    resida_position_fn *bias = k->m.nonholonomic_bias;
    const int verdict = bias ? rsd_call_position(&k->calls, RSD_CALL_NONHOLONOMIC_BIAS, bias, t, p, w, k->m.n_h) : 0;
    if (!verdict) rsd_csr_multiply(&k->Gh, k->Gh_values, v, bias ? w : NULL, w);
    return verdict;
}

int rsd_eval_velocity_level(rsd_mechanism *k, double t, const double *p, const double *v, double *w)
{
    const double *vp = rsd_get_rate_of_p(k, v), *along;
    int verdict = k->m.n_g > 0 ? eval_velocity_bias(k, t, p, k->work.bias, &along) : 0;
    if (!verdict && k->m.n_g > 0) {
        if (along) vp = rsd_motion_get_relative_rate(k, vp);
        if (!k->G_is_left_out) rsd_csr_multiply(&k->gp, k->gp_values, vp, k->work.bias, w);
        if (k->G_is_left_out) verdict = rsd_eval_velocity_product(k, t, p, vp, w);
        for (int i = 0; k->G_is_left_out && i < k->m.n_g; i++) w[i] += k->work.bias[i];
    }
    return verdict || k->m.n_h == 0 ? verdict : eval_nonholonomic_rows(k, t, p, v, w + k->m.n_g);
}

int rsd_eval_nonholonomic_level(rsd_mechanism *k, double t, const double *p, const double *v, double *w)
{
    int verdict = rsd_eval_nonholonomic_matrix(k, t, p);
    return verdict ? verdict : eval_nonholonomic_rows(k, t, p, v, w);
}

/* Evaluate w [n_l] = (G v + gI, Gh v + gh) at t + s and work.p_moved, the point of the motion at the parameter s. */
static int eval_displaced_velocity(rsd_mechanism *k, double t, double s, const double *v, double *w)
{
    const double *p = k->work.p_moved;
    int verdict;
    rsd_move_excitation(k, s, s * s / 2);
    if ((verdict = rsd_eval_matrices(k, t + s, p))) return verdict;
    if (!has_nested_difference(k)) return rsd_eval_velocity_level(k, t + s, p, v, w);
    verdict = difference_g_along(k, t + s, s, p, rsd_get_rate_of_p(k, v), w);
    return verdict || k->m.n_h == 0 ? verdict : eval_nonholonomic_rows(k, t + s, p, v, w + k->m.n_g);
}

/* Compare gamma by differences of fourth and of second order. Set step_check.gamma_differs to 1 if both differ by more
 * than BIAS_ERROR and the rounding errors of g. */
static void compare_bias_orders(rsd_mechanism *k, double step, const double *p, const double *gamma)
{
    const double *second = k->step_check.second;
    double terms = 0; /* maximum over the rows of the sum of |terms| of g and of its displacement, as in scales.c */
    for (int i = 0; i < k->m.n_g; i++)
        terms = fmax(terms, rsd_csr_sum_row_terms(&k->gp, k->gp_values, i, p) +
                                step * rsd_csr_sum_row_terms(&k->gp, k->gp_values, i, k->work.pd_start));
    const double rounding = BIAS_ROUNDINGS * DBL_EPSILON * terms / step / step;
    k->step_check.has_gamma = 1;
    k->step_check.gamma_differs = 0;
    for (int i = 0; i < k->m.n_g; i++)
        k->step_check.gamma_differs |=
            fabs(gamma[i] - second[i]) > BIAS_ERROR * (fabs(gamma[i]) + fabs(second[i])) + rounding;
}

/* Compute gamma [n_l] = dw/ds at s = 0 along p(s) = p + s T(p) v, by a fourth-order difference quotient. */
static int difference_acceleration_bias(rsd_mechanism *k, double t, const double *p, const double *v, double *gamma)
{
    double *second = k->step_check.second;
    int verdict = 0;
    rsd_apply_T(k, v, k->work.pd_start);
    if (!k->m.velocity_bias) verdict = rsd_line_update_scale(k, &k->of_t, t, p, NULL);
    if (!verdict) verdict = rsd_line_update_scale(k, &k->of_motion, t, p, k->work.pd_start);
    if (verdict) return verdict;
    const double step = choose_bias_step(k);
    const int follows = k->has_fixed_scales;
    k->has_fixed_scales = 1; /* all displaced points use the scales that were found at p */
    memset(gamma, 0, (size_t)k->n_l * sizeof *gamma);
    memset(second, 0, (size_t)k->n_l * sizeof *second);
    for (int q = 0; q < N_POINTS && !verdict; q++) {
        double s = at[q] * step;
        for (int i = 0; i < k->m.n_p; i++) k->work.p_moved[i] = p[i] + s * k->work.pd_start[i];
        verdict = eval_displaced_velocity(k, t, s, v, k->work.w_moved);
        for (int i = 0; i < k->n_l; i++) {
            gamma[i] += weight[q] * k->work.w_moved[i] / step;
            second[i] += second_order[q] * k->work.w_moved[i] / step;
        }
    }
    rsd_move_excitation(k, 0, 0);
    k->has_fixed_scales = follows;
    if (verdict < 0) return verdict;
    const int again = rsd_eval_matrices(k, t, p);
    if (!verdict && !again && !follows && !k->m.acceleration_bias) compare_bias_orders(k, step, p, gamma);
    return verdict ? verdict : again;
}

int rsd_eval_acceleration_bias(rsd_mechanism *k, double t, const double *p, const double *v, double *gamma)
{
    const resida_mechanism *m = &k->m;
    if (k->calls.at_rest) {
        memset(gamma, 0, (size_t)k->n_l * sizeof *gamma);
        return 0;
    }
    int given_g = m->n_g == 0 || m->acceleration_bias;
    int given_h = m->n_h == 0 || m->nonholonomic_acceleration_bias, verdict = 0;
    if (!given_g || !given_h) verdict = difference_acceleration_bias(k, t, p, v, gamma);
    if (!verdict && m->n_g > 0 && m->acceleration_bias)
        verdict =
            rsd_call_velocity(&k->calls, RSD_CALL_ACCELERATION_BIAS, m->acceleration_bias, t, p, v, gamma, m->n_g);
    if (!verdict && m->n_h > 0 && m->nonholonomic_acceleration_bias)
        verdict = rsd_call_velocity(&k->calls, RSD_CALL_NONHOLONOMIC_ACCELERATION_BIAS,
                                    m->nonholonomic_acceleration_bias, t, p, v, gamma + m->n_g, m->n_h);
    return verdict;
}
