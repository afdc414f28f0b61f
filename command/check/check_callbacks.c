/* check_callbacks.c - each callback once, at the start of the model, with room behind its array: does it fill what it
 * should, and nothing behind it? Sizes that do not fit the callbacks would damage memory in all that follows. */
#include "check.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 256 };                                       /* numbers behind an array */
static const uint64_t mark = UINT64_C(0x7ff4deadbeef0001); /* a NaN that no computation gives */

/** A call under way: one array, marked all over. */
typedef struct trial {
    bench_report *report;
    const char *callback;
    double *out; /**< [n + ROOM] */
    long n;
    int broken; /**< a callback wrote where it must not, or the model cannot be called */
} trial;

static int is_marked(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits == mark;
}

/** An array for the next callback; NULL without memory. */
static double *begin(trial *c, const char *callback, long n)
{
    c->callback = callback;
    c->n = n;
    c->out = malloc(((size_t)n + ROOM) * sizeof *c->out);
    for (long i = 0; c->out && i < n + ROOM; i++) memcpy(&c->out[i], &mark, sizeof mark);
    if (!c->out) c->broken = 1;
    return c->out;
}

static void complain(trial *c, const char *what, long i)
{
    bench_report_verdict(c->report, "callbacks", 0, "%s %s %ld (its size is %ld)", c->callback, what, i, c->n);
}

/** Look at what the callback left. */
static void end(trial *c, int verdict)
{
    long behind = c->n, unset = 0, odd = 0;
    if (!c->out) return;
    while (behind < c->n + ROOM && is_marked(c->out[behind])) behind++;
    while (unset < c->n && !is_marked(c->out[unset])) unset++;
    while (odd < c->n && isfinite(c->out[odd])) odd++;
    if (behind < c->n + ROOM) {
        c->broken = 1;
        complain(c, "writes behind its array, component", behind);
    } else if (verdict != 0) {
        bench_report_verdict(c->report, "callbacks", 0, "%s returns %d at the start", c->callback, verdict);
    } else if (unset < c->n) {
        complain(c, "does not fill component", unset);
    } else if (odd < c->n) {
        complain(c, "gives NaN or Inf in component", odd);
    }
    free(c->out);
    c->out = NULL;
}

static long entries(const resida_pattern *pattern, int rows, int cols)
{
    return pattern->row ? pattern->row[rows] : (long)rows * cols;
}

/** u, ud and udd, one call, looked at one by one. @param[out] u  [3 n_u] */
static void try_excitation(trial *c, const resida_model *m, double *u, resida_excitation *e)
{
    static const char *const names[] = {"excitation, u", "excitation, ud", "excitation, udd"};
    const int n = m->is_dae ? m->dae.n_u : m->mechanism.n_u;
    trial part[3] = {*c, *c, *c};
    *e = (resida_excitation){u, u + n, u + 2 * n};
    if (n == 0) return;
    for (int i = 0; i < 3; i++)
        if (!begin(&part[i], names[i], n)) c->broken = 1;
    if (!c->broken) {
        resida_excitation_fn *f = m->is_dae ? m->dae.excitation : m->mechanism.excitation;
        int verdict = f(m->t0, part[0].out, part[1].out, part[2].out, m->is_dae ? m->dae.user : m->mechanism.user);
        for (int i = 0; i < 3; i++) {
            memcpy(u + i * n, part[i].out, (size_t)n * sizeof *u);
            end(&part[i], i == 0 ? verdict : 0);
            c->broken |= part[i].broken;
        }
        if (verdict != 0) c->broken = 1; /* nothing can be called without it */
    }
    for (int i = 0; i < 3; i++) free(part[i].out);
}

static void try_formalism(trial *c, const resida_mechanism *d, const bench_point *at, const resida_excitation *e)
{
    if (d->residual && begin(c, "residual", d->n_v))
        end(c, d->residual(at->t, at->p, at->v, at->a, e, c->out, d->user));
    if (d->residual_lam && begin(c, "residual_lam", d->n_v))
        end(c, d->residual_lam(at->t, at->p, at->v, at->a, at->lam, e, c->out, d->user));
    if (d->acceleration && begin(c, "acceleration", d->n_v))
        end(c, d->acceleration(at->t, at->p, at->v, at->f, e, c->out, d->user));
    if (d->acceleration_lam && begin(c, "acceleration_lam", d->n_v))
        end(c, d->acceleration_lam(at->t, at->p, at->v, at->f, at->lam, e, c->out, d->user));
}

static void try_positions(trial *c, const resida_mechanism *d, const bench_point *at, const resida_excitation *e)
{
    const struct {
        const char *name;
        resida_position_fn *f;
        long n;
    } list[] = {
        {"constraint", d->constraint, d->n_g},
        {"constraint_matrix", d->constraint_matrix, entries(&d->G_pattern, d->n_g, d->n_p)},
        {"velocity_bias", d->velocity_bias, d->n_g},
        {"mass_matrix", d->mass_matrix, entries(&d->M_pattern, d->n_v, d->n_v)},
        {"potential", d->potential, 1},
        {"kinematic_matrix", d->kinematic_matrix, entries(&d->T_pattern, d->n_p, d->n_v - d->n_z)},
        {"nonholonomic_matrix", d->nonholonomic_matrix, entries(&d->Gh_pattern, d->n_h, d->n_v - d->n_z)},
        {"nonholonomic_bias", d->nonholonomic_bias, d->n_h},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].f && begin(c, list[i].name, list[i].n)) end(c, list[i].f(at->t, at->p, e, c->out, d->user));
}

static void try_velocities(trial *c, const resida_mechanism *d, const bench_point *at, const resida_excitation *e)
{
    const struct {
        const char *name;
        resida_velocity_fn *f;
        long n;
    } list[] = {
        {"acceleration_bias", d->acceleration_bias, d->n_g},
        {"nonholonomic_acceleration_bias", d->nonholonomic_acceleration_bias, d->n_h},
        {"root", d->root, d->n_root},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].f && begin(c, list[i].name, list[i].n)) end(c, list[i].f(at->t, at->p, at->v, e, c->out, d->user));
}

/** Products with dg/dp, for vectors of ones. */
static void try_products(trial *c, const resida_mechanism *d, const bench_point *at, const resida_excitation *e)
{
    const int n = d->n_p > d->n_g ? d->n_p : d->n_g;
    double *ones = d->constraint_force ? calloc((size_t)n, sizeof *ones) : NULL;
    if (!d->constraint_force || !d->constraint_velocity) return;
    if (!ones) c->broken = 1;
    for (int i = 0; i < n && ones; i++) ones[i] = 1;
    if (ones && begin(c, "constraint_force", d->n_p))
        end(c, d->constraint_force(at->t, at->p, ones, e, c->out, d->user));
    if (ones && begin(c, "constraint_velocity", d->n_g))
        end(c, d->constraint_velocity(at->t, at->p, ones, e, c->out, d->user));
    free(ones);
}

static void try_derivatives(trial *c, const resida_mechanism *d, const bench_point *at, const resida_excitation *e)
{
    trial lam = *c, v = *c;
    if (!d->derivatives) return;
    double *Phi_lam = d->residual_lam
                          ? begin(&lam, "derivatives, Phi_lam", entries(&d->Phi_lam_pattern, d->n_v, d->n_g + d->n_h))
                          : NULL;
    double *Phi_v = begin(&v, "derivatives, Phi_v", entries(&d->Phi_v_pattern, d->n_v, d->n_v));
    double *Phi_p = begin(c, "derivatives, Phi_p", entries(&d->Phi_p_pattern, d->n_v, d->n_p));
    if (Phi_p && Phi_v && (Phi_lam || !d->residual_lam)) {
        end(c, d->derivatives(at->t, at->p, at->v, at->a, at->lam, e, Phi_p, Phi_v, Phi_lam, d->user));
        end(&v, 0);
        end(&lam, 0);
    }
    c->broken |= v.broken | lam.broken;
    free(v.out), free(lam.out);
}

enum { DIRECTIONS = 2 };

/** Ones, n of them; NULL without memory. */
static double *ones_of(trial *c, size_t n)
{
    double *ones = calloc(n + 1, sizeof *ones);
    if (!ones) c->broken = 1;
    for (size_t i = 0; i < n && ones; i++) ones[i] = 1;
    return ones;
}

static void try_residual_times(trial *c, const resida_model *m, const bench_point *at, const resida_excitation *e)
{
    const resida_mechanism *d = &m->mechanism;
    const size_t each = (size_t)d->n_p + 2 * (size_t)d->n_v + (size_t)d->n_g + (size_t)d->n_h;
    if (!m->products || !m->products->residual_times) return;
    double *ones = ones_of(c, DIRECTIONS * each);
    const double *lam = d->residual_lam ? ones : NULL;
    const resida_motion from = {at->p, at->v, at->a, d->residual_lam ? at->lam : NULL}, to = {ones, ones, ones, lam};
    if (ones && begin(c, "residual_times", (long)DIRECTIONS * d->n_v))
        end(c, m->products->residual_times(at->t, &from, e, DIRECTIONS, &to, c->out, d->user));
    free(ones);
}

static void try_jacobian_times(trial *c, const resida_model *m, const double *yp, const resida_excitation *e)
{
    const resida_dae *d = &m->dae;
    if (!m->products || !m->products->jacobian_times) return;
    double *ones = ones_of(c, DIRECTIONS * (size_t)d->n);
    if (ones && begin(c, "jacobian_times", (long)DIRECTIONS * d->n))
        end(c, m->products->jacobian_times(m->t0, m->y0, yp, e, DIRECTIONS, ones, ones, c->out, d->user));
    free(ones);
}

static void try_mechanism(trial *c, const resida_model *m, const resida_excitation *e)
{
    bench_point at;
    if (bench_point_make(&at, m, 0) != 0) c->broken = 1;
    if (!c->broken) {
        try_formalism(c, &m->mechanism, &at, e);
        try_positions(c, &m->mechanism, &at, e);
        try_velocities(c, &m->mechanism, &at, e);
        try_products(c, &m->mechanism, &at, e);
        try_derivatives(c, &m->mechanism, &at, e);
        try_residual_times(c, m, &at, e);
    }
    bench_point_free(&at);
}

static void try_dae(trial *c, const resida_model *m, const resida_excitation *e)
{
    const resida_dae *d = &m->dae;
    double *zero = m->yp0 ? NULL : calloc((size_t)d->n, sizeof *zero);
    const double *yp = m->yp0 ? m->yp0 : zero;
    if (!yp) c->broken = 1;
    if (!c->broken && begin(c, "residual", d->n)) end(c, d->residual(m->t0, m->y0, yp, e, c->out, d->user));
    if (!c->broken && d->jacobian && begin(c, "jacobian", entries(&d->J_pattern, d->n, d->n)))
        end(c, d->jacobian(m->t0, 1, m->y0, yp, e, c->out, d->user));
    if (!c->broken) try_jacobian_times(c, m, yp, e);
    if (!c->broken && d->root && begin(c, "root", d->n_root)) end(c, d->root(m->t0, m->y0, yp, e, c->out, d->user));
    free(zero);
}

int bench_check_callbacks(bench_report *report)
{
    const resida_model *m = &report->model->model;
    int n_u = m->is_dae ? m->dae.n_u : m->mechanism.n_u, before = report->failed;
    double *u = calloc(3 * (size_t)n_u + 1, sizeof *u);
    trial c = {.report = report, .broken = !u};
    resida_excitation e;
    if (u) try_excitation(&c, m, u, &e);
    if (!c.broken && m->is_dae) try_dae(&c, m, &e);
    if (!c.broken && !m->is_dae) try_mechanism(&c, m, &e);
    free(u);
    if (report->failed == before && !c.broken)
        bench_report_verdict(report, "callbacks", 1, "all of them fill their arrays, and nothing else");
    else if (report->failed == before)
        bench_report_verdict(report, "callbacks", 0, "out of memory");
    return !c.broken;
}
