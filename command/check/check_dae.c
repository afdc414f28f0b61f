/* check_dae.c - a general DAE: is its start consistent, and is each component what its kind says?
 *
 *     differential:  dF/dyp_j is not zero;    algebraic:  F does not contain yp_j
 *
 * yp_j is moved at the start and at states near it; one change of F is enough. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double consistent = 1e-6;

/** Work of one DAE: state, derivative, residuals before and after. */
typedef struct sample {
    double *y, *yp, *before, *after, *u;
    resida_excitation e;
} sample;

static int open_sample(sample *w, const resida_model *m)
{
    size_t n = (size_t)m->dae.n;
    *w = (sample){.y = calloc(4 * n + 3 * (size_t)m->dae.n_u, sizeof *w->y)};
    if (!w->y) return -1;
    w->yp = w->y + n;
    w->before = w->yp + n;
    w->after = w->before + n;
    w->u = w->after + n;
    return bench_excitation_at(m, m->t0, w->u, &w->e);
}

static void go_to(sample *w, const resida_model *m, int k)
{
    for (int i = 0; i < m->dae.n; i++) {
        double wave = k == 0 ? 0 : 1e-3 * sin(1.0 + i + 7.0 * k); /* any reproducible direction */
        w->y[i] = m->y0[i] + wave * (1 + fabs(m->y0[i]));
        w->yp[i] = (m->yp0 ? m->yp0[i] : 0) + wave;
    }
}

static int residual(const sample *w, const resida_model *m, double *r)
{
    return m->dae.residual(m->t0, w->y, w->yp, &w->e, r, m->dae.user);
}

/** Does F change with yp_j at one of the points? */
static int contains(sample *w, const resida_model *m, int j)
{
    size_t bytes = (size_t)m->dae.n * sizeof *w->before;
    for (int k = 0; k < BENCH_CHECK_POINTS; k++) {
        go_to(w, m, k);
        if (residual(w, m, w->before) != 0) continue;
        w->yp[j] += 1 + fabs(w->yp[j]);
        if (residual(w, m, w->after) == 0 && memcmp(w->before, w->after, bytes) != 0) return 1;
    }
    return 0;
}

static void check_kinds(bench_report *report, sample *w, const resida_model *m)
{
    char name[32];
    int algebraic = 0;
    for (int j = 0; j < m->dae.n; j++) {
        int is_algebraic = m->dae.kinds && m->dae.kinds[j] != RESIDA_DIFFERENTIAL;
        int has = contains(w, m, j);
        algebraic += is_algebraic;
        if (has != is_algebraic) continue;
        bench_report_verdict(report, "kinds", 0, "%s is called %s, but its derivative %s in F",
                             bench_item_name(m->dae.names, "y", j, name), is_algebraic ? "algebraic" : "differential",
                             has ? "occurs" : "does not occur");
        return;
    }
    bench_report_verdict(report, "kinds", 1, "%d differential and %d algebraic components are so", m->dae.n - algebraic,
                         algebraic);
}

static void check_start(bench_report *report, sample *w, const resida_model *m)
{
    double largest = 0, scale = 1;
    int row = 0;
    go_to(w, m, 0);
    int verdict = residual(w, m, w->before);
    for (int i = 0; i < m->dae.n; i++) {
        scale = fmax(scale, fabs(w->yp[i]));
        if (fabs(w->before[i]) <= largest) continue;
        largest = fabs(w->before[i]);
        row = i;
    }
    if (verdict != 0)
        bench_report_verdict(report, "start", 0, "the residual at the start fails");
    else if (m->yp0)
        bench_report_figure(report, "start", largest / scale, consistent, "|F(t0, y0, yp0)| = %.2g, largest in row %d",
                            largest, row);
    else
        bench_report_verdict(report, "start", isfinite(largest), "yp0 is to be found, |F| = %.2g with zero", largest);
}

void bench_check_dae(bench_report *report)
{
    const resida_model *m = &report->model->model;
    sample w;
    if (!m->is_dae) return;
    if (open_sample(&w, m) != 0) {
        bench_report_verdict(report, "start", 0, "the excitation at the start fails");
    } else {
        check_start(report, &w, m);
        check_kinds(report, &w, m);
    }
    free(w.y);
}
