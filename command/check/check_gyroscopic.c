/* check_gyroscopic.c - checks the terms of Phi that are quadratic in v against the mass matrix. With p' = v,
 *
 *     Phi = M(p) a + h2(p, v) + ..,   h2 = M' v - grad(v' M v)/2,   so that   v . h2 = v' M' v / 2
 *
 * M' is the derivative of M along v. This follows from Lagrange's equations (R. M. Murray, Z. Li, S. S. Sastry: A
 * Mathematical Introduction to Robotic Manipulation, 1994, lemma 4.2). h2 is the part of Phi that is even in v, less
 * Phi at v = 0. It is compared if it is quadratic in v and M is symmetric. Forces such as lift are quadratic too.
 * Therefore a row fails only if its h2 has the opposite sign or is 0; other differences are only reported. */
#include "check.h"

#include "command/cli/formalism.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { FIRST_POINT = 1, LAST_POINT = 2 };
/* relative to the terms; differences of smooth functions reach 1e-8 */
static const double agreement = 1e-4;
static const double quadratic = 1e-6; /* max. deviation from a quadratic function relative to h2 at 2 v */
/* relative to the terms of Phi; allows for differences with increments of 1e-3 and more */
static const double rounding = 1e4 * DBL_EPSILON;

/** A state with vectors [n_v], and a position on the curve. */
typedef struct motion {
    const resida_mechanism *d;
    cmd_point at;
    int n;                        /**< number of velocities without states */
    double *p, *speed, *v, *none; /**< positions; velocities of a call; direction of the motion, 0 in states; zeros */
    double *h2, *noise, *r, *Mv;  /**< h2, its rounding error, work */
    int row;                      /**< row that evaluate_h2_integrand() evaluates */
} motion;

static void close_motion(motion *w)
{
    cmd_point_free(&w->at);
    free(w->p);
}

static int open_motion(motion *w, const resida_model *m, int k)
{
    const resida_mechanism *d = &m->mechanism;
    const size_t n = (size_t)d->n_v;
    double *all = calloc(8 * n, sizeof *all);
    *w = (motion){.d = d, .n = d->n_v - d->n_z, .p = all};
    if (!all) return -1;
    w->speed = all + n, w->v = all + 2 * n, w->none = all + 3 * n;
    w->h2 = all + 4 * n, w->noise = all + 5 * n, w->r = all + 6 * n, w->Mv = all + 7 * n;
    const int verdict = cmd_point_open(&w->at, m, k);
    for (int i = 0; i < w->n && !verdict; i++) w->p[i] = w->at.p[i], w->v[i] = w->at.v[i];
    return verdict;
}

/** Evaluate Phi at w->p with the velocities multiplied by `factor`. */
static int evaluate_Phi(motion *w, double factor, const double *a, double *r)
{
    for (int i = 0; i < w->d->n_v; i++) w->speed[i] = i < w->n ? factor * w->v[i] : w->at.v[i];
    return cmd_call_residual(w->d, w->at.t, w->p, w->speed, a, w->at.lam, &w->at.e, r);
}

/** Compute h2 for the velocities times `factor`. @return value of the callback */
static int compute_h2(motion *w, double factor, double *h2)
{
    static const double weights[] = {0.5, 0.5, -1}, signs[] = {1, -1, 0};
    for (int i = 0; i < w->n; i++) h2[i] = w->noise[i] = 0;
    for (int k = 0; k < 3; k++) {
        const int verdict = evaluate_Phi(w, signs[k] * factor, w->none, w->r);
        if (verdict) return verdict;
        for (int i = 0; i < w->n; i++) {
            h2[i] += weights[k] * w->r[i];
            w->noise[i] += rounding * fabs(w->r[i]);
        }
    }
    return 0;
}

/** Compute M x at w->p. */
static int multiply_by_M(motion *w, const double *x, double *Mx)
{
    int verdict = evaluate_Phi(w, 0, w->none, w->r);
    if (verdict == 0) verdict = evaluate_Phi(w, 0, x, Mx);
    for (int i = 0; i < w->n; i++) Mx[i] -= w->r[i];
    return verdict;
}

static double dot(const motion *w, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < w->n; i++) sum += x[i] * y[i];
    return sum;
}

/** Evaluate v' M v / 2 at p + s v. */
static int evaluate_energy(double s, double *x, void *context)
{
    motion *w = context;
    for (int i = 0; i < w->n; i++) w->p[i] = w->at.p[i] + s * w->v[i];
    const int verdict = multiply_by_M(w, w->v, w->Mv);
    x[0] = dot(w, w->v, w->Mv) / 2;
    return verdict;
}

/** Evaluate row i of M v at p + s v, minus v' M v / 2 at p + s e_i. Its derivative by s is row i of h2. */
static int evaluate_h2_integrand(double s, double *x, void *context)
{
    motion *w = context;
    int verdict = evaluate_energy(s, x, w);
    const double momentum = w->Mv[w->row];
    for (int i = 0; i < w->n; i++) w->p[i] = w->at.p[i] + (i == w->row ? s : 0);
    if (verdict == 0) verdict = multiply_by_M(w, w->v, w->Mv);
    x[0] = momentum - dot(w, w->v, w->Mv) / 2;
    return verdict;
}

/** Return the difference between `value` and the derivative of x. */
static double compare_derivative(motion *w, cmd_curve_fn *x, double value)
{
    cmd_worst worst = {0};
    cmd_compare_derivative(1, &value, x, w, 1, &worst, 0);
    for (int i = 0; i < w->n; i++) w->p[i] = w->at.p[i];
    return worst.difference;
}

/** Compute h2 and its noise. @return 1 if M is symmetric and h2 is quadratic in v */
static int is_comparable(motion *w)
{
    double *x = w->at.a, size = 0, excess = 0;
    for (int i = 0; i < w->d->n_v; i++) x[i] = i < w->n ? cos(1.0 + i) : 0;
    if (multiply_by_M(w, w->v, w->Mv)) return 0;
    const double xMv = dot(w, x, w->Mv);
    if (multiply_by_M(w, x, w->Mv)) return 0;
    for (int i = 0; i < w->n; i++) size += fabs(w->v[i] * w->Mv[i]) + fabs(w->v[i]) * rounding * fabs(w->r[i]);
    if (!(fabs(xMv - dot(w, w->v, w->Mv)) <= quadratic * size)) return 0;
    if (compute_h2(w, 2, x) || compute_h2(w, 1, w->h2)) return 0;
    for (int i = 0; i < w->n; i++) {
        excess = fmax(excess, fabs(x[i] - 4 * w->h2[i]) - 10 * w->noise[i] - quadratic * fabs(x[i]));
        if (isnan(x[i] - w->h2[i])) return 0;
    }
    return excess <= 0;
}

/** Return the first row whose h2 has the wrong sign, or is 0 although M depends on p; -1 if there is none. */
static int find_wrong_row(motion *w)
{
    for (w->row = 0; w->row < w->n; w->row++) {
        const double h2 = w->h2[w->row], noise = 10 * w->noise[w->row];
        const double off = compare_derivative(w, evaluate_h2_integrand, h2), limit = noise + agreement * fabs(h2);
        if (!isfinite(off) || off <= fmax(limit, 1e3 * noise)) continue;
        if (fabs(h2) <= noise || compare_derivative(w, evaluate_h2_integrand, -h2) <= limit) return w->row;
    }
    return -1;
}

/** Compare h2 with M at one point, and update *worst, the largest relative difference. @return 1 if they agree; -1 if a
 *  difference was reported; 0 if no comparison is possible */
static int compare_at_point(cmd_report_work *report, motion *w, double *worst)
{
    char name[32];
    double size = 0, noise = 0;
    if (!is_comparable(w)) return 0;
    for (int i = 0; i < w->n; i++) size += fabs(w->v[i] * w->h2[i]), noise += fabs(w->v[i]) * w->noise[i];
    const double power = dot(w, w->v, w->h2), off = compare_derivative(w, evaluate_energy, power);
    size = fmax(size, off);
    if (!isfinite(off) || size <= 1e3 * noise) return 0;
    *worst = fmax(*worst, off / size);
    if (off <= agreement * size) return 1;
    const int row = find_wrong_row(w);
    if (row >= 0)
        cmd_report_result(report, "gyroscopic terms", 0,
                          "%s: the terms h2 of Phi that are quadratic in v %s: %.6g; v . h2 and v' M' v / 2 have a "
                          "relative difference of %.2g",
                          cmd_item_name(w->d->v_names ? w->d->v_names : w->d->p_names, "v", row, name),
                          fabs(w->h2[row]) > 10 * w->noise[row] ? "have the opposite of the sign that follows from M(p)"
                                                                : "are missing, although M depends on p",
                          w->h2[row], off / size);
    else
        cmd_report_result(report, "gyroscopic terms", 1,
                          "v . h2 = %.6g and v' M' v / 2 have a relative difference of %.2g: there is a force that is "
                          "quadratic in v, such as lift, or a wrong term",
                          power, off / size);
    return -1;
}

void cmd_check_gyroscopic(cmd_report_work *report)
{
    const resida_model *m = &report->model->model;
    const resida_mechanism *d = &m->mechanism;
    double worst = 0;
    int said = 0;
    if (m->is_dae || !cmd_has_residual(d) || d->kinematic_matrix) return;
    for (int k = FIRST_POINT; k <= LAST_POINT && said >= 0; k++) {
        motion w;
        const int now = open_motion(&w, m, k) ? 0 : compare_at_point(report, &w, &worst);
        if (now) said = now;
        close_motion(&w);
    }
    if (said > 0)
        cmd_report_result(report, "gyroscopic terms", 1,
                          "v . h2 = v' M' v / 2 up to %.2g, h2 the terms of Phi that are quadratic in v", worst);
}
