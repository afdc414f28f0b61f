/* check_function.c - checks that a callback is a function of its arguments, that it is smooth except for rounding, and
 * that it depends only on the arguments in its pattern.
 *
 * Noise is estimated from sixth differences along a line with spacing h. For a smooth function they are O(h^6). For
 * noise with standard deviation sigma the mean of their squares is sigma^2 (12)!/(6!)^2 (J. J. More, S. M. Wild:
 * Estimating computational noise, 2011). A stiff function is not smooth over a large h, and a small h misses steps, as
 * in tables and in single precision. Therefore the minimum over several h counts. It is relative to the row and to its
 * change with the arguments. */
#include "check.h"

#include "command/cli/formalism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 6, SAMPLES = ORDER + 3, ARRAYS = 4, POINTS_WITH_NOISE = 2 };
static const double gain = 924;                     /* (12)! / (6!)^2 */
static const double rounding = 1e-11;               /* fraction of a row and its changes; larger values are noise */
static const double spacing[] = {1e-4, 1e-5, 1e-6}; /* h, relative to 1 + |argument| */
/* m, rad: h is relative to larger positions, such as angles after many turns */
static const double far_away = 100;
enum { SPACINGS = sizeof spacing / sizeof *spacing };
/* fraction of the largest row, whose terms may cancel in smaller rows */
static const double row_floor = 1e-4;
/* relative perturbation of 1 + |argument| to test whether a row depends on it */
static const double entry_move = 1e-3;
static const double min_entry = 1e-9;   /* change relative to a row that is rounding */
static const double entry_agrees = 0.5; /* max. relative difference of the two one-sided quotients of one entry */

/** A callback with its arguments. */
typedef struct subject subject;
typedef int subject_fn(const subject *w, double *r);
struct subject {
    const resida_model *m;
    subject_fn *call;
    cmd_point at;
    double *x[ARRAYS]; /**< arguments, [n_x] */
    int n_x[ARRAYS], n;
    double *from[ARRAYS]; /**< [n_x] unperturbed arguments */
    double *block;
};

static int call_residual(const subject *w, double *r)
{
    const cmd_point *at = &w->at;
    return cmd_call_residual(&w->m->mechanism, at->t, at->p, at->v, at->a, at->lam, &w->at.e, r);
}

static int call_acceleration(const subject *w, double *r)
{
    const cmd_point *at = &w->at;
    return cmd_call_explicit(&w->m->mechanism, at->t, at->p, at->v, at->f, at->lam, &w->at.e, r);
}

static int call_constraint(const subject *w, double *g)
{
    const resida_mechanism *d = &w->m->mechanism;
    return d->constraint(w->at.t, w->at.p, &w->at.e, g, d->user);
}

static int call_dae(const subject *w, double *r)
{
    const resida_dae *d = &w->m->dae;
    return d->residual(w->at.t, w->x[0], w->x[1], &w->at.e, r, d->user);
}

static void close_subject(subject *w)
{
    cmd_point_free(&w->at);
    free(w->block);
}

/** Prepare the callback at point k. @return 0, or -1 */
static int open_subject(subject *w, const resida_model *m, subject_fn *call, int k)
{
    const resida_mechanism *d = &m->mechanism;
    const int n_l = d->n_g + d->n_h, n = m->is_dae ? m->dae.n : d->n_v;
    const size_t all = m->is_dae ? 2 * (size_t)n : (size_t)d->n_p + 2 * (size_t)n + (size_t)n_l;
    *w = (subject){.m = m, .call = call, .n = call == call_constraint ? d->n_g : n};
    w->block = calloc(all + 1, sizeof *w->block);
    if (!w->block || cmd_point_open(&w->at, m, k) != 0) return -1;
    double *next = w->block;
    double *const arrays[ARRAYS] = {w->at.p, w->at.v, call == call_acceleration ? w->at.f : w->at.a, w->at.lam};
    const int sizes[ARRAYS] = {m->is_dae ? n : d->n_p, n, m->is_dae ? 0 : n, m->is_dae ? 0 : n_l};
    for (int i = 0; i < ARRAYS; i++) w->x[i] = arrays[i], w->n_x[i] = sizes[i];
    for (int i = 0; i < ARRAYS; i++) {
        w->from[i] = next;
        if (w->n_x[i] > 0) memcpy(next, w->x[i], (size_t)w->n_x[i] * sizeof *next);
        next += w->n_x[i];
    }
    return 0;
}

/** Move all arguments by s along a line, each by its own fraction of s. */
static void move_arguments(const subject *w, double s)
{
    double whole;
    for (int k = 0, number = 1; k < ARRAYS; k++)
        for (int i = 0; i < w->n_x[k]; i++, number++) {
            const double part = 0.5 + modf(0.6180339887498949 * number, &whole);
            w->x[k][i] = w->from[k][i] + s * part * (1 + fabs(w->from[k][i]));
        }
}

/* --- noise --- */

/** Estimate the standard deviation of the noise of row i from samples r [SAMPLES x n]. */
static double estimate_noise(const double *r, int n, int i)
{
    double d[SAMPLES], size = 0, sum = 0;
    for (int j = 0; j < SAMPLES; j++) d[j] = r[(size_t)j * (size_t)n + (size_t)i], size = fmax(size, fabs(d[j]));
    for (int order = 0; order < ORDER; order++)
        for (int j = 0; j + 1 < SAMPLES - order; j++) d[j] = d[j + 1] - d[j];
    for (int j = 0; j < SAMPLES - ORDER; j++) sum += d[j] * d[j];
    return sqrt(sum / (SAMPLES - ORDER) / gain);
}

/** Sample the callback for all h. noise [n]: min. noise of each row; size [n]: magnitude of the row and its changes */
static int sample_callback(const subject *w, double *r, double *noise, double *size)
{
    const size_t n = (size_t)w->n;
    double nearer = 1;
    for (int i = 0; i < w->n; i++) noise[i] = INFINITY, size[i] = 0;
    for (int i = 0; i < w->n_x[0] && !w->m->is_dae; i++)
        nearer = fmin(nearer, far_away / fmax(fabs(w->from[0][i]), far_away));
    for (int k = 0; k < SPACINGS; k++) {
        const double h = nearer * spacing[k];
        for (int j = 0; j < SAMPLES; j++) {
            move_arguments(w, j * h);
            if (w->call(w, r + (size_t)j * n) != 0) return -1;
        }
        for (int i = 0; i < w->n; i++) {
            const double first = r[i], last = r[(SAMPLES - 1) * n + (size_t)i];
            size[i] = fmax(size[i], fmax(fabs(first), fabs(last - first) / (SAMPLES * h)));
            noise[i] = fmin(noise[i], estimate_noise(r, w->n, i));
        }
    }
    move_arguments(w, 0);
    return 0;
}

/** Find the row with the largest relative noise at point k. @return the row; -1 if the callback fails */
static int find_noisiest_row(const resida_model *m, subject_fn *call, int k, double *most)
{
    subject w;
    int row = -1, verdict = open_subject(&w, m, call, k);
    const size_t n = (size_t)w.n;
    double *r = verdict ? NULL : calloc((SAMPLES + 2) * n + 1, sizeof *r);
    double *noise = r ? r + SAMPLES * n : NULL, *size = r ? noise + n : NULL;
    double largest = 0;
    *most = 0;
    if (r && sample_callback(&w, r, noise, size) == 0) {
        for (int i = 0; i < w.n; i++) largest = fmax(largest, size[i]);
        for (int i = 0; i < w.n; i++) {
            const double part = noise[i] > 0 ? noise[i] / fmax(size[i], row_floor * largest) : 0;
            if (row < 0 || part > *most) row = i, *most = part;
        }
    }
    free(r);
    close_subject(&w);
    return row;
}

static void check_noise(cmd_report_work *report, const char *callback, subject_fn *call)
{
    double worst = 0;
    int noisy = 0, row = 0;
    for (int k = 1; k < CMD_CHECK_POINTS; k++) {
        double now;
        const int at = find_noisiest_row(&report->model->model, call, k, &now);
        noisy += at >= 0 && now > rounding;
        if (at >= 0 && now >= worst) worst = now, row = at;
    }
    const int is_noisy = noisy >= POINTS_WITH_NOISE; /* a single point may be at a kink */
    cmd_report_number(report, "noise", is_noisy ? worst : fmin(worst, rounding), rounding,
                      "%s[%d] has noise of %.2g of its size and changes", callback, row, worst);
}

/* --- patterns --- */

/** Return 1 if row i depends on the perturbed argument. r0, up, down: values at and on both sides of the point. The
 *  changes on both sides must exceed rounding and agree. */
static int depends_on_argument(const double *r0, const double *up, const double *down, int i)
{
    const double a = up[i] - r0[i], b = r0[i] - down[i], size = fmax(fabs(a), fabs(b));
    return size > min_entry * (fabs(up[i]) + fabs(r0[i])) && fabs(a - b) <= entry_agrees * size;
}

static int has_entry(const resida_pattern *q, int row, int column)
{
    for (int e = q->row[row]; e < q->row[row + 1]; e++)
        if (q->col[e] == column) return 1;
    return 0;
}

/** Return a row that depends on component j of x without an entry in the pattern, or -1. r [3 n]: work */
static int find_missing_entry(const subject *w, double *x, int j, const resida_pattern *q, double *r)
{
    const double was = x[j], move = entry_move * (1 + fabs(was));
    double *up = r + w->n, *down = up + w->n;
    x[j] = was + move;
    int verdict = w->call(w, up);
    x[j] = was - move;
    if (!verdict) verdict = w->call(w, down);
    x[j] = was;
    for (int i = 0; i < w->n && !verdict; i++)
        if (depends_on_argument(r, up, down, i) && !has_entry(q, i, j)) return i;
    return -1;
}

/** Check that the pattern is complete with respect to these arguments. An entry must be missing at two points to
 *  fail. */
static void check_pattern(cmd_report_work *report, const char *name, const resida_pattern *q, subject_fn *call,
                          unsigned arguments)
{
    int missing = 0, row = -1, column = -1;
    if (!q->row) return;
    for (int k = 1; k < CMD_CHECK_POINTS; k++) {
        subject w;
        int verdict = open_subject(&w, &report->model->model, call, k), found = -1;
        double *r = verdict ? NULL : calloc(3 * (size_t)w.n + 1, sizeof *r);
        if (r && w.call(&w, r) == 0)
            for (int a = 0; a < ARRAYS; a++)
                for (int j = 0; j < w.n_x[a] && found < 0 && arguments & 1u << a; j++)
                    if ((found = find_missing_entry(&w, w.x[a], j, q, r)) >= 0) row = found, column = j;
        missing += found >= 0;
        free(r);
        close_subject(&w);
    }
    if (missing >= POINTS_WITH_NOISE)
        cmd_report_result(report, "pattern", 0, "%s has no entry at row %d, column %d, but the derivative is not zero",
                          name, row, column);
    else
        cmd_report_result(report, "pattern", 1, "%s contains all nonzero entries found", name);
}

void cmd_check_functions(cmd_report_work *report)
{
    enum { BY_P = 1, BY_V = 2, BY_LAM = 8, BY_Y_AND_YP = 3 };
    const resida_model *m = &report->model->model;
    const resida_mechanism *d = &m->mechanism;
    if (m->is_dae) {
        check_noise(report, "residual", call_dae);
        check_pattern(report, "J_pattern", &m->dae.J_pattern, call_dae, BY_Y_AND_YP);
        return;
    }
    if (cmd_has_residual(d)) {
        check_noise(report, "residual", call_residual);
        check_pattern(report, "Phi_p_pattern", &d->Phi_p_pattern, call_residual, BY_P);
        check_pattern(report, "Phi_v_pattern", &d->Phi_v_pattern, call_residual, BY_V);
        if (d->residual_lam) check_pattern(report, "Phi_lam_pattern", &d->Phi_lam_pattern, call_residual, BY_LAM);
    }
    if (cmd_has_explicit(d)) check_noise(report, "acceleration", call_acceleration);
    if (d->n_g == 0) return;
    check_noise(report, "constraint", call_constraint);
    check_pattern(report, "G_pattern", &d->G_pattern, call_constraint, BY_P);
}
