/* check_point.c - points at which callbacks are compared, and difference quotients at these points.
 *
 *     x'(0) = (x(h) - x(-h)) / 2h + O(h^2 x''') + O(eps x / h)
 *
 * No single h suits every model. Therefore h runs over 1e-3 .. 1e-6 of 1 + |x|, down to 1e-6 if x is large, and the
 * best agreement counts. A right derivative agrees to about eps^(2/3) for some h, a wrong derivative for no h. */
#include "check.h"

#include "command/cli/formalism.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** Return a reproducible number in -1..1 from a linear congruential generator with the multiplier of Knuth's MMIX. */
static double next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0; /* 53 bits over 2^52 */
}

/* Displacement of point k relative to 1 + |p_i|: small enough for the model to accept the point, large enough for all
 * terms to contribute. */
static const double p_shift[CMD_CHECK_POINTS] = {0, 1e-3, 1e-2, 1e-1};
static const double v_shift = 1e-1;
static const double later = 1e-2; /* fraction of the interval; excitations may have a kink at its start */
enum { HALVINGS = 20, SHORT_STEPS = 100 };

double cmd_test_direction(int j)
{
    double whole;
    return (j % 2 ? -1 : 1) * (1 + modf(0.6180339887498949 * j, &whole));
}

void cmd_add_product(const resida_pattern *q, int rows, int cols, const double *A, const double *x, double *out,
                     double *size)
{
    int k = 0;
    for (int i = 0; i < rows; i++)
        for (const int to = q->row ? q->row[i + 1] : (i + 1) * cols; k < to; k++) {
            const double term = A[k] * x[q->row ? q->col[k] : k % cols];
            out[i] += term;
            if (size) size[i] += fabs(term);
        }
}

int cmd_apply_T(const resida_mechanism *d, double t, const double *p, const resida_excitation *e, const double *x,
                double *values, double *speed)
{
    const int verdict = d->kinematic_matrix(t, p, e, values, d->user);
    memset(speed, 0, (size_t)d->n_p * sizeof *speed);
    cmd_add_product(&d->T_pattern, d->n_p, d->n_v - d->n_z, values, x, speed, NULL);
    return verdict;
}

/** Move p along p' = T v by many short steps of the midpoint rule. T may restrict p, for example to the unit sphere of
 *  Euler parameters. x [n_v] is the sum of the steps in velocity coordinates. @return value of the callback; -1 if
 *  memory is exhausted */
static int move_along_T(cmd_point *point, const resida_model *m, double part, uint64_t *seed)
{
    const resida_mechanism *d = &m->mechanism;
    size_t n_p = (size_t)d->n_p, n_v = (size_t)d->n_v;
    double *room = calloc(2 * n_p + n_v + n_p * n_v + 2 * CMD_MARGIN, sizeof *room);
    if (!room) return -1;
    double *work = room + CMD_MARGIN, *speed = work, *half = work + n_p, *x = half + n_p, *values = x + n_v;
    const resida_excitation *e = &point->e;
    int verdict = cmd_evaluate_excitation(point, m, point->t);
    for (int j = 0; j < d->n_v; j++) x[j] = part * next_random(seed) / SHORT_STEPS;
    for (int k = 0; k < SHORT_STEPS && part > 0 && verdict == 0; k++) {
        verdict = cmd_apply_T(d, point->t, point->p, e, x, values, speed);
        for (int i = 0; i < d->n_p; i++) half[i] = point->p[i] + speed[i] / 2;
        if (verdict == 0) verdict = cmd_apply_T(d, point->t, half, e, x, values, speed);
        for (int i = 0; i < d->n_p && verdict == 0; i++) point->p[i] += speed[i];
    }
    free(room);
    return verdict;
}

/** Set point k. Its distance from the start is multiplied by `nearer`. @return value of the callbacks */
static int place_mechanism(cmd_point *point, const resida_model *m, int k, double nearer)
{
    const resida_mechanism *d = &m->mechanism;
    uint64_t seed = (uint64_t)k;
    int verdict = 0;
    double p_part = nearer * p_shift[k], v_part = k > 0 ? nearer * v_shift : 0;
    memcpy(point->p, m->p0, (size_t)d->n_p * sizeof *point->p);
    if (d->kinematic_matrix && p_part > 0) verdict = move_along_T(point, m, p_part, &seed);
    for (int i = 0; i < d->n_p && !d->kinematic_matrix; i++)
        point->p[i] += p_part * (1 + fabs(m->p0[i])) * next_random(&seed);
    for (int i = 0; i < d->n_v; i++) point->v[i] = m->v0[i] + v_part * (1 + fabs(m->v0[i])) * next_random(&seed);
    for (int i = 0; i < d->n_v; i++) point->a[i] = next_random(&seed);
    for (int i = 0; i < d->n_v - d->n_z; i++) point->f[i] = next_random(&seed);
    for (int i = 0; i < d->n_g + d->n_h; i++) point->lam[i] = next_random(&seed);
    return verdict;
}

/** Return 1 if all callbacks return 0 at the point. work [n_v + n_g] */
static int is_point_accepted(const resida_model *m, cmd_point *at, double *work)
{
    const resida_mechanism *d = &m->mechanism;
    const resida_excitation *e = &at->e;
    if (cmd_evaluate_excitation(at, m, at->t) != 0) return 0;
    if (cmd_has_residual(d) && cmd_call_residual(d, at->t, at->p, at->v, at->a, at->lam, e, work) != 0) return 0;
    if (cmd_has_explicit(d) && cmd_call_explicit(d, at->t, at->p, at->v, at->f, at->lam, e, work) != 0) return 0;
    return !d->constraint || d->constraint(at->t, at->p, e, work + d->n_v, d->user) == 0;
}

/** Set y, yp of a general DAE at point k. */
static void place_dae(cmd_point *point, const resida_model *m, int k)
{
    for (int i = 0; i < m->dae.n; i++) {
        const double wave = 1e-3 * k * sin(1.0 + i + 7.0 * k); /* a reproducible direction */
        point->p[i] = m->y0[i] + wave * (1 + fabs(m->y0[i]));
        point->v[i] = (m->yp0 ? m->yp0[i] : 0) + wave;
    }
}

int cmd_point_compute(cmd_point *point, const resida_model *m, int k)
{
    const resida_mechanism *d = &m->mechanism;
    const size_t n_v = (size_t)(m->is_dae ? m->dae.n : d->n_v), n_l = (size_t)d->n_g + (size_t)d->n_h;
    const size_t n_u = (size_t)(m->is_dae ? m->dae.n_u : d->n_u);
    const size_t sizes[] = {m->is_dae ? n_v : (size_t)d->n_p, n_v, n_v, n_v, n_l, 3 * n_u};
    enum { ARRAYS = sizeof sizes / sizeof *sizes };
    double **const arrays[ARRAYS] = {&point->p, &point->v, &point->a, &point->f, &point->lam, &point->u};
    size_t room = CMD_MARGIN;
    for (int i = 0; i < ARRAYS; i++) room += sizes[i] + CMD_MARGIN;
    double *all = malloc(room * sizeof *all), *next = all ? all + CMD_MARGIN : NULL;
    double *work = calloc(n_v + n_l + 2 * CMD_MARGIN, sizeof *work);
    *point = (cmd_point){.t = cmd_point_time(m, k)};
    for (size_t i = 0; i < room && all; i++)
        all[i] = i < CMD_MARGIN ? 0 : NAN; /* a callback that reads past the end of an array gets NaN */
    for (int i = 0; i < ARRAYS && all; next += sizes[i++] + CMD_MARGIN) *arrays[i] = next;
    for (size_t i = 0; i < n_v && all; i++) point->a[i] = point->f[i] = 0;
    if (all) point->e = (resida_excitation){point->u, point->u + n_u, point->u + 2 * n_u};
    double nearer = 1;
    for (int i = 0; i < HALVINGS && all && work && !m->is_dae; i++, nearer /= 2)
        if (place_mechanism(point, m, k, nearer) == 0 && (k == 0 || is_point_accepted(m, point, work + CMD_MARGIN)))
            break;
    if (all && m->is_dae) place_dae(point, m, k);
    free(work);
    return all && work ? 0 : -1;
}

int cmd_point_open(cmd_point *point, const resida_model *m, int k)
{
    const int verdict = cmd_point_compute(point, m, k);
    return verdict ? verdict : cmd_evaluate_excitation(point, m, point->t);
}

double cmd_point_time(const resida_model *m, int k)
{
    return m->t0 + later * k * (m->t_end - m->t0);
}

void cmd_point_free(cmd_point *point)
{
    if (point->p) free(point->p - CMD_MARGIN);
    *point = (cmd_point){0};
}

int cmd_evaluate_excitation(cmd_point *point, const resida_model *m, double t)
{
    const int n_u = m->is_dae ? m->dae.n_u : m->mechanism.n_u;
    resida_excitation_fn *excitation = m->is_dae ? m->dae.excitation : m->mechanism.excitation;
    void *user = m->is_dae ? m->dae.user : m->mechanism.user;
    return n_u > 0 ? excitation(t, point->u, point->u + n_u, point->u + 2 * n_u, user) : 0;
}

void cmd_worst_update(cmd_worst *worst, double difference, int row, int column)
{
    if (isnan(difference)) difference = INFINITY;
    if (!(difference > worst->difference)) return;
    worst->difference = difference;
    worst->row = row;
    worst->column = column;
}

/** Return the largest difference for one increment h. */
static cmd_worst compare_with_increment(int n, const double *derivative, const double *plus, const double *minus,
                                        double h)
{
    cmd_worst worst = {0};
    for (int i = 0; i < n; i++) {
        double quotient = (plus[i] - minus[i]) / (2 * h);
        cmd_worst_update(&worst, fabs(quotient - derivative[i]), i, 0);
    }
    return worst;
}

void cmd_compare_derivative(int n, const double *derivative, cmd_curve_fn *x, void *context, double scale,
                            cmd_worst *worst, int column)
{
    double *plus = calloc(2 * (size_t)n + 1, sizeof *plus);
    cmd_worst best = {.difference = INFINITY};
    for (double part = 1e-3; plus && part * fmax(scale, 1) > 0.9e-6; part *= 0.1) {
        double *minus = plus + n, h = part * scale;
        if (x(h, plus, context) != 0 || x(-h, minus, context) != 0) continue; /* a smaller increment may succeed */
        cmd_worst now = compare_with_increment(n, derivative, plus, minus, h);
        if (now.difference < best.difference) best = now;
    }
    free(plus);
    for (int i = 0; i < n; i++) worst->scale = fmax(worst->scale, fabs(derivative[i]));
    if (n > 0) cmd_worst_update(worst, best.difference, best.row, column);
}
