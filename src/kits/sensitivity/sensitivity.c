/* sensitivity.c - see sensitivity.h. */
#include "sensitivity.h"

#include "base/numbers.h"
#include "base/vector_ops.h"
#include "src/core/watch/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MAX_CORRECTIONS = 4,            /* maximum number of Newton corrections */
    MAX_SETUPS = 3,                 /* maximum number of setups of J in a step */
    MAX_UNMEASURED = 16,            /* maximum steps without a measured convergence rate, to detect an outdated J */
    MAX_CORRECTIONS_NEW_ALPHA = 20, /* maximum number of corrections if alpha differs from that of J */
    STABLE = 2                      /* highest stable order if steps double (Grigorieff 1983) */
};
#define UNKNOWN_FACTOR        20.0 /* rate/(1 - rate) without a known rate, as in DASSL */
#define MIN_RATE              1e-4 /* minimum of an expected rate, and of rate/(1 - rate) */
#define SLOW_RATE             0.9  /* minimum rate of a too slow iteration, after which J is renewed */
#define FORWARD_ERROR         1e-8 /* relative error of a forward difference */
#define MAX_DELTA_S           1e-5 /* maximum change of y along s in a difference, relative to y */
#define CHOSEN_CHANGE         1e-6 /* increment along s, relative to y, if delta s exceeds MAX_DELTA_S */
#define MIN_SIZE_RATIO        1e-3 /* minimum size of a component, relative to the largest position, or velocity */
#define MAX_REMAINDER         1e3  /* maximum norm of growing corrections with a current J that are accepted */
#define MIN_CORRECTION_GROWTH 2.0  /* minimum ratio of successive corrections that are not rounding errors of F */
#define MAX_STEP_GROWTH       1.5  /* maximum ratio of step sizes for which a BDF of high order is stable */
#define MAX_DIFF_GROWTH       2.0  /* maximum ratio of predictor differences of successive orders for a smooth s */
#define MIN_DIFFERENCE        0.1  /* minimum predictor difference for a higher order, in tolerances */
#define ROUNDING_DECAY        0.95 /* factor of `rounding` in each step */
#define MIN_ROUNDINGS         2.0  /* minimum tolerance of the iteration, relative to `rounding` */
#define ITERATION_ERROR       0.05 /* maximum iteration error/step error; the predictor multiplies it by 2^(k + 1) */
#define ITERATION_ERROR_FULL  0.03 /* maximum iteration error/step error with a fully evaluated J */
#define JUMP_UP               8.0  /* first correction/last measured one above which J may be outdated */
#define JUMP_DOWN             64.0 /* last measured first correction/new one above which J may be outdated */
#define WARNING_ERROR         1e2  /* maximum error of s in a step without a warning, in tolerances */
#define MIN_TOLERANCE         0.1  /* minimum tolerance of the iteration, since s is not in the error test */

/* --- Polynomials through the history --- */

/* Compute the Lagrange weights of the value and the derivative at t of the polynomial through x_0 .. x_k. */
static rsd_tangent_weights compute_lagrange_weights(int k, const double *x, double t)
{
    rsd_tangent_weights w = {.count = k + 1};
    for (int j = 0; j <= k; j++) {
        double value = 1, slope = 0;
        for (int m = 0; m <= k; m++) {
            if (m == j) continue;
            const double by = 1 / (x[j] - x[m]);
            slope = (slope * (t - x[m]) + value) * by;
            value *= (t - x[m]) * by;
        }
        w.value[j] = value;
        w.slope[j] = slope;
    }
    return w;
}

/* Evaluate s and s' from w->count points of the history, beginning with point `first`. s and sp are other arrays. */
static void evaluate_polynomial(const rsd_sensitivities *x, const rsd_tangent *one, const rsd_tangent_weights *w,
                                int first, double *restrict s, double *restrict sp)
{
    for (int j = 0; j < w->count; j++) {
        const double *restrict from = one->s[first + j];
        for (int i = 0; i < x->n_y; i++) {
            s[i] = (j > 0 ? s[i] : 0) + w->value[j] * from[i];
            sp[i] = (j > 0 ? sp[i] : 0) + w->slope[j] * from[i];
        }
    }
}

void rsd_sensitivities_restart(rsd_carried *carried)
{
    rsd_sensitivities *x = (rsd_sensitivities *)carried;
    if (x->carried.points == 0) return;
    const rsd_tangent_weights w = compute_lagrange_weights(x->order, x->t, x->t[0]);
    for (int i = 0; i < x->carried.n && x->carried.points > 1; i++)
        evaluate_polynomial(x, &x->each[i], &w, 0, x->R, x->each[i].sp); /* R is work space: the value is s[0] */
    x->carried.points = 1;
    x->order = 0;
    x->carried.steps = 0;
}

void rsd_sensitivities_interpolate(rsd_carried *carried, double t)
{
    rsd_sensitivities *x = (rsd_sensitivities *)carried;
    const size_t bytes = (size_t)x->n_y * sizeof(double);
    const rsd_tangent_weights w = compute_lagrange_weights(x->order, x->t, t);
    for (int i = 0; i < x->carried.n && x->carried.points > 0; i++) {
        rsd_tangent *one = &x->each[i];
        if (x->carried.points > 1) {
            evaluate_polynomial(x, one, &w, 0, one->out, one->out_rate);
        } else {
            memcpy(one->out, one->s[0], bytes);
            memcpy(one->out_rate, one->sp, bytes);
        }
    }
}

/* Insert a point at the front of the histories. Before the first step a second point is extrapolated backwards, as in
 * IDA, so that the polynomial of order 1 has the slope s' of the start. */
static void insert_point(rsd_sensitivities *x, const rsd_carried_step *step)
{
    const int alone = x->carried.points == 1;
    if (alone) x->t[1] = x->t[0] - step->h;
    for (int i = 0; i < x->carried.n; i++) {
        rsd_tangent *one = &x->each[i];
        one->previous = one->measured;
        for (int k = 0; alone && k < x->n_y; k++) one->s[1][k] = one->s[0][k] - step->h * one->sp[k];
        double *correction_norm = one->s[RSD_SENSITIVITY_POINTS - 1];
        memmove(one->s + 1, one->s, (RSD_SENSITIVITY_POINTS - 1) * sizeof *one->s);
        one->s[0] = correction_norm;
    }
    memmove(x->t + 1, x->t, (RSD_SENSITIVITY_POINTS - 1) * sizeof *x->t);
    x->t[0] = step->end;
    x->carried.points += alone;
    x->carried.points += x->carried.points < RSD_SENSITIVITY_POINTS;
    x->order = step->order;
}

/* Remove the point of a failed step, which will be repeated, from the histories. The oldest point, which insert_point()
 * discarded, is not needed. */
static void remove_failed_point(rsd_sensitivities *x, int points, int order)
{
    for (int i = 0; i < x->carried.n; i++) {
        rsd_tangent *one = &x->each[i];
        one->measured = one->previous;
        double *first = one->s[0];
        memmove(one->s, one->s + 1, (RSD_SENSITIVITY_POINTS - 1) * sizeof *one->s);
        one->s[RSD_SENSITIVITY_POINTS - 1] = first;
    }
    memmove(x->t, x->t + 1, (RSD_SENSITIVITY_POINTS - 1) * sizeof *x->t);
    x->carried.points = points;
    x->order = order;
}

/* --- The expected rate --- */

static double predict_rate_for_y(const rsd_renewal *J)
{
    return fmax(rsd_renewal_predict_rate(J, rsd_renewal_get_renewed_level(J)), MIN_RATE);
}

/* Return the expected rate/(1 - rate) of the iteration for s. */
static double predict_rate_factor(const rsd_tangent_rate *r, const rsd_renewal *J)
{
    if (!J->by_costs || J->rate_unknown || !(r->factor > 0) || r->steps_since >= MAX_UNMEASURED) return UNKNOWN_FACTOR;
    const double of_y = J->rate_factor < UNKNOWN_FACTOR ? J->rate_factor : 0;
    const double scaled = fmax(r->factor * predict_rate_for_y(J) / r->expected, MIN_RATE);
    return fmin(fmax(scaled, of_y), UNKNOWN_FACTOR);
}

/* --- The iteration --- */

/* Increase the sizes of n components from `first` on to at least MIN_SIZE_RATIO of the largest size. */
static void raise_component_sizes(rsd_sensitivities *x, const double *y, int first, int n)
{
    double min = 0;
    for (int i = first; i < first + n; i++) min = fmax(min, MIN_SIZE_RATIO * fabs(y[i]));
    for (int i = first; i < first + n; i++) x->size[i] = fmax(x->size[i], min);
}

static void raise_to_absolute_values(int n, const double *y, double *size)
{
    for (int i = 0; i < n; i++)
        if (fabs(y[i]) > size[i]) size[i] = fabs(y[i]);
}

static void update_sizes(rsd_sensitivities *x, const rsd_carried_step *step)
{
    const resida_layout *l = &step->guard->problem->layout;
    raise_to_absolute_values(x->n_y, step->y, x->size);
    if (l->p < 0) raise_component_sizes(x, step->y, 0, l->n);
    raise_component_sizes(x, step->y, l->p, l->n_p);
    raise_component_sizes(x, step->y, l->v, l->n_v);
}

/* Set the weights of the iteration from the tolerances of y over the size of theta and the errors of differences. eta
 * has the weight 0: it is 0 up to errors of the steps, and the tolerances of lengths are not its tolerances. */
static void set_sensitivity_weights(rsd_sensitivities *x, rsd_tangent *one, const rsd_carried_step *step)
{
    const resida_layout *l = &step->guard->problem->layout;
    const double *s = one->s[0], by = 1 / one->by.scale;
    raise_to_absolute_values(x->n_y, s, one->size);
    for (int i = 0; i < x->n_y; i++) {
        const double size = fmax(one->size[i], x->size[i] * by);
        x->ewt[i] = 1 / fmax(x->rtol[i] * fabs(s[i]) + step->o->atol_each[i] * by + FORWARD_ERROR * size, DBL_MIN);
    }
    rsd_compute_newton_weights(step->o->newton_h_weights, step->h, x->n_y, step->guard->problem->kinds, x->ewt, x->w);
    for (int i = l->eta; l->eta >= 0 && !l->rates && i < l->eta + l->n_g; i++) x->w[i] = 0;
}

/* Return max |s_i|/size_i, the relative change of y along s. */
static double compute_largest_change(const rsd_sensitivities *x, const rsd_tangent *one, const rsd_carried_step *step)
{
    double max = 0;
    for (int i = 0; i < x->n_y; i++) {
        const double s = fabs(one->s[0][i]);
        if (s <= max * x->size[i] || step->guard->problem->kinds[i] >= RESIDA_ALGEBRAIC_2)
            continue; /* F is linear in the multipliers of constraints */
        const double size = fmax(x->size[i], step->o->atol_each[i] / fmax(x->rtol[i], DBL_MIN));
        max = fmax(max, s / fmax(size, DBL_MIN));
    }
    return max;
}

static int evaluate_F(rsd_sensitivities *x, const rsd_carried_step *step, rsd_guard *guard, double d, const double *s,
                      const double *sp, double *F)
{
    x->carried.residual_calls++;
    for (int i = 0; i < x->n_y && s; i++) {
        x->y[i] = step->y[i] + d * s[i];
        x->yp[i] = step->yp[i] + d * sp[i];
    }
    return rsd_guard_eval_part(guard, RSD_FOR_SENSITIVITY, RSD_ROWS_ALL, step->t, s ? x->y : step->y,
                               s ? x->yp : step->yp, F);
}

/* Compute the residual R at s = one->s[0] and s' = sp with the increment d. */
static int compute_residual(rsd_sensitivities *x, rsd_tangent *one, const rsd_carried_step *step, double d,
                            const double *sp)
{
    const int apart = d != one->by.delta;
    const int verdict = evaluate_F(x, step, apart ? step->guard : &one->guard, d, one->s[0], sp, x->F);
    for (int i = 0; i < x->n_y && !verdict; i++) x->R[i] = (x->F[i] - step->F[i]) / d + (apart ? x->F_theta[i] : 0);
    return verdict;
}

/* Choose the increment *d of differences along s. If *d is not the increment delta of the parameter, the difference
 * along s does not contain F_theta. In this case compute F_theta separately. */
static int choose_increment(rsd_sensitivities *x, rsd_tangent *one, const rsd_carried_step *step, double *d)
{
    const double max = compute_largest_change(x, one, step);
    *d = one->by.delta;
    if (max * fabs(*d) <= MAX_DELTA_S) return 0;
    *d = CHOSEN_CHANGE / max;
    const int verdict = evaluate_F(x, step, &one->guard, 0, NULL, NULL, x->F_theta);
    for (int i = 0; i < x->n_y && !verdict; i++) x->F_theta[i] = (x->F_theta[i] - step->F[i]) / one->by.delta;
    return verdict;
}

static double apply_correction(rsd_sensitivities *x, rsd_tangent *one, const rsd_carried_step *step, double alpha,
                               double *sp)
{
    rsd_jacobian_solve(step->J, alpha, x->R, x->R);
    x->counts.iterations++;
    for (int i = 0; i < x->n_y; i++) sp[i] += alpha * x->R[i];
    return sqrt(rsd_vector_add_weighted(one->s[0], x->R, x->w, x->n_y) / x->n_y);
}

/* Evaluate the predictor of order q of the sensitivity at the new point into s [n_y]. Overwrites R. */
static void evaluate_predictor(const rsd_sensitivities *x, const rsd_tangent *one, int q, double *s)
{
    const rsd_tangent_weights w = compute_lagrange_weights(q, x->t + 1, x->t[0]);
    evaluate_polynomial(x, one, &w, 1, s, x->R);
}

/* Return the weighted norm of s [n_y] over the components in the error test. */
static double compute_tested_norm(const rsd_sensitivities *x, const double *s)
{
    return sqrt(rsd_vector_sum_masked_squares(s, x->w, x->tested, x->n_y) / x->n_y);
}

/* Return 1 if the step is more than MAX_STEP_GROWTH times as long as a step of the predictor. */
static int has_step_grown(const rsd_sensitivities *x, const rsd_carried_step *step)
{
    for (int j = 1; j <= step->order; j++)
        if (fabs(step->h) > MAX_STEP_GROWTH * fabs(x->t[j] - x->t[j + 1])) return 1;
    return 0;
}

/* Return the order of the BDF for s, at most the order for y. Growing steps after very small steps amplify iteration
 * errors by a factor of four per step, and s is not in the error test. Therefore, if the step has grown, a higher order
 * is used only if it is needed and s is smooth. If s is not smooth, predictors of higher order differ more than
 * predictors of lower order. */
static int choose_predictor_order(const rsd_sensitivities *x, const rsd_tangent *one, const rsd_carried_step *step)
{
    double *high = x->y, *low = x->yp, above = INFINITY;
    int q = step->order;
    if (!has_step_grown(x, step)) return q;
    evaluate_predictor(x, one, q, high);
    for (int k = q; k >= 1; k--) {
        evaluate_predictor(x, one, k - 1, low);
        for (int i = 0; i < x->n_y; i++) high[i] -= low[i];
        const double apart = compute_tested_norm(x, high);
        const int is_needed = above > MIN_DIFFERENCE, is_smooth = above <= fmax(MAX_DIFF_GROWTH * apart, 1);
        if (k < step->order && (is_needed ? is_smooth : k < STABLE)) break;
        q = k;
        above = apart;
        double *swap = high;
        high = low, low = swap;
    }
    return q;
}

/* Return alpha h of the BDF of order k. */
static double compute_alpha_h(int k)
{
    double sum = 0;
    for (int j = 1; j <= k; j++) sum += 1.0 / j;
    return sum;
}

/* Maximum error of the iteration, rate/(1 - rate) times a norm of the last correction, in two norms. Components in the
 * error test exclude the large multipliers. */
typedef struct stop_test {
    double all, tested; /* bound of the norm over all components; over components in the error test */
} stop_test;

/* Compute the bounds of the stop test from the norms of the first correction. The first correction is about (q + 1)
 * times the error of the step in s at order q. The bounds are a fraction of that error. */
static stop_test make_stop_test(const rsd_tangent *one, const rsd_carried_step *step, int q, double norm, double tested)
{
    const double min = fmax(fmax(step->tolerance, MIN_TOLERANCE), MIN_ROUNDINGS * one->measured.rounding);
    const double part = (step->known->by_costs ? ITERATION_ERROR : ITERATION_ERROR_FULL) / (q + 1);
    return (stop_test){fmax(min, part * norm), fmax(min, part * tested)};
}

typedef struct correction_norm {
    double norm, rate; /* norm of the last correction of s; its ratio to the norm of the previous one */
} correction_norm;

/* Iterate the corrector from the predictor. Return 0 on convergence, > 0 if the iteration does not converge or F could
 * not be evaluated, < 0 on a fatal error. */
static int iterate_corrector(rsd_sensitivities *x, rsd_tangent *one, const rsd_carried_step *step, correction_norm *l)
{
    double d, *sp = one->out_rate;
    stop_test e = {0, 0};
    *l = (correction_norm){INFINITY, INFINITY};
    memcpy(one->s[0], one->s[1], (size_t)x->n_y * sizeof *sp); /* the weights need s[0] */
    set_sensitivity_weights(x, one, step);
    const int q = choose_predictor_order(x, one, step), is_lower = q < step->order;
    const double alpha = step->alpha * compute_alpha_h(q) / compute_alpha_h(step->order);
    double factor = is_lower ? UNKNOWN_FACTOR : predict_rate_factor(&one->measured.rate, step->known);
    const rsd_tangent_weights w = is_lower ? compute_lagrange_weights(q, x->t + 1, step->end) : x->predictor;
    evaluate_polynomial(x, one, &w, 1, one->s[0], sp);
    int verdict = choose_increment(x, one, step, &d);
    for (int m = 0; m < (is_lower ? MAX_CORRECTIONS_NEW_ALPHA : MAX_CORRECTIONS) && !verdict; m++) {
        const double before = l->norm;
        if ((verdict = compute_residual(x, one, step, d, sp)) != 0) break;
        l->norm = apply_correction(x, one, step, alpha, sp);
        if (!isfinite(l->norm)) return 1;
        const double tested = compute_tested_norm(x, x->R);
        if (m == 0) {
            x->counts.error = fmax(x->counts.error, tested / (q + 1));
            e = make_stop_test(one, step, q, l->norm, tested);
            const double usual = one->measured.first_norm; /* if l->norm is far from `usual`, J may be outdated */
            if (l->norm > JUMP_UP * fmax(usual, 1) || JUMP_DOWN * l->norm < usual) continue;
        } else {
            const double rate = l->rate = l->norm / before;
            if (rate >= SLOW_RATE && l->norm > e.all) return 1;
            factor = rate < SLOW_RATE ? rate / (1 - rate) : UNKNOWN_FACTOR;
            if (m == 1 && !is_lower) {
                const double measured = rate < 1 ? fmin(rate / (1 - rate), UNKNOWN_FACTOR) : UNKNOWN_FACTOR;
                one->measured.rate = (rsd_tangent_rate){fmax(measured, MIN_RATE), predict_rate_for_y(step->known), 0};
            }
            if (m == 1) one->measured.first_norm = before;
        }
        if (factor * l->norm <= e.all && factor * tested <= e.tested) return 0;
    }
    return verdict ? verdict : 1;
}

/* Report that F of the perturbed problem, or of the solver, cannot be evaluated. */
static int report_evaluation_failure(const rsd_guard *failed, const rsd_tangent *one, const rsd_carried_step *step)
{
    char what[RSD_FAULT_TEXT];
    const int is_refused = failed->last == RSD_REFUSED;
    rsd_problem_format_fault(failed->problem, &failed->fault, what, sizeof what);
    return step->guard->stop =
               rsd_fail(step->guard->message, is_refused ? RESIDA_ERR_USER_REPEATED : RESIDA_ERR_NONFINITE,
                        "the sensitivity by %s: %s %s near the end of a step, t = %.9g", one->by.name, what,
                        is_refused ? "cannot be evaluated" : "is NaN or Inf", step->t);
}

static int report_step_failure(const rsd_tangent *one, const rsd_carried_step *step)
{
    rsd_guard *g = step->guard;
    if (g->stop < 0) return g->stop;
    if (one->guard.last != RSD_FINE) return report_evaluation_failure(&one->guard, one, step);
    if (g->last != RSD_FINE) return report_evaluation_failure(g, one, step);
    const rsd_mechanism *k = g->problem->mechanism;
    const int is_differenced = k && k->m.n_g > 0 && !k->m.constraint_matrix;
    return g->stop =
               rsd_fail(g->message, RESIDA_ERR_NEWTON,
                        "the sensitivity by %s: its corrector iteration does not converge at t = %.9g%s", one->by.name,
                        step->t, is_differenced ? "; dg/dp is computed by differences: give constraint_matrix" : "");
}

static int solve_with_J(rsd_sensitivities *x, rsd_tangent *one, const rsd_carried_step *step, correction_norm *l)
{
    rsd_tangent_begin_calls(one, step->guard);
    const int verdict = iterate_corrector(x, one, step, l);
    rsd_tangent_end_calls(one, step->guard);
    return verdict;
}

/* Compute the sensitivity to one parameter. If the iteration fails, renew J and repeat the iteration. */
static int compute_one_sensitivity(rsd_sensitivities *x, rsd_tangent *one, const rsd_carried_step *step)
{
    correction_norm l;
    one->measured.rounding *= ROUNDING_DECAY;
    one->measured.rate.steps_since++;
    int verdict = solve_with_J(x, one, step, &l);
    for (int setups = 0; verdict > 0 && (setups == 0 || !rsd_renewal_is_current(step->known)) && setups < MAX_SETUPS;
         setups++) {
        x->counts.setups++;
        if (step->renew(step->self) != 0) return report_step_failure(one, step); /* renew() also evaluates step->F */
        verdict = solve_with_J(x, one, step, &l);
    }
    if (verdict <= 0) return verdict;
    if (!(l.norm < MAX_REMAINDER || l.rate < MIN_CORRECTION_GROWTH)) return report_step_failure(one, step);
    one->measured.rounding = fmax(one->measured.rounding, l.norm); /* J is current: l.norm is a rounding error */
    one->measured.rate = (rsd_tangent_rate){.factor = 0};
    x->counts.error = fmax(x->counts.error, l.norm);
    x->counts.in_doubt += l.norm > 1;
    return 0;
}

static void warn_of_error(const rsd_sensitivities *x, const rsd_carried_step *step)
{
    if (!(x->counts.error > WARNING_ERROR)) return;
    rsd_add_warning(&step->guard->solver->warnings, RSD_CLAIM_SENSITIVITY,
                    "sensitivities: the error of the step to t = %.6g is %.2g tolerances, and the error test does not "
                    "include it: set a smaller h_max; if the cause is rounding of F, as of differences of g, set a "
                    "larger delta or larger tolerances, or give constraint_matrix and velocity_bias",
                    step->t, x->counts.error);
}

int rsd_sensitivities_step(rsd_carried *carried, rsd_carried_step *step)
{
    rsd_sensitivities *x = (rsd_sensitivities *)carried;
    const int points = x->carried.points, order = x->order;
    int verdict = 0;
    insert_point(x, step);
    update_sizes(x, step);
    x->predictor = compute_lagrange_weights(step->order, x->t + 1, step->end);
    for (int i = 0; i < x->carried.n && !verdict; i++) verdict = compute_one_sensitivity(x, &x->each[i], step);
    if (verdict) {
        remove_failed_point(x, points, order);
        return verdict;
    }
    x->carried.steps++;
    warn_of_error(x, step);
    return 0;
}
