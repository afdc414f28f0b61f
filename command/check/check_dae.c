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

/** Work of one DAE at a point: residuals before and after. */
typedef struct sample {
    cmd_point at;
    double *before, *after, *u;
    resida_excitation e;
} sample;

static void close_sample(sample *w)
{
    cmd_point_free(&w->at);
    free(w->before);
}

/** @return 0; -1 without memory; verdict of the excitation */
static int open_sample(sample *w, const resida_model *m, int k)
{
    const size_t n = (size_t)m->dae.n;
    *w = (sample){.before = calloc(2 * n + 3 * (size_t)m->dae.n_u, sizeof *w->before)};
    if (cmd_point_make(&w->at, m, k) != 0 || !w->before) return -1;
    w->after = w->before + n;
    w->u = w->after + n;
    return cmd_excitation_at(m, w->at.t, w->u, &w->e);
}

static int residual(const sample *w, const resida_model *m, double *r)
{
    return m->dae.residual(w->at.t, w->at.p, w->at.v, &w->e, r, m->dae.user);
}

/** Does F change with yp_j at one of the points? */
static int contains(const resida_model *m, int j)
{
    const size_t bytes = (size_t)m->dae.n * sizeof(double);
    int has = 0;
    for (int k = 0; k < CMD_CHECK_POINTS && !has; k++) {
        sample w;
        if (open_sample(&w, m, k) == 0 && residual(&w, m, w.before) == 0) {
            w.at.v[j] += 1 + fabs(w.at.v[j]);
            has = residual(&w, m, w.after) == 0 && memcmp(w.before, w.after, bytes) != 0;
        }
        close_sample(&w);
    }
    return has;
}

static void check_kinds(cmd_report_work *report, const resida_model *m)
{
    char name[32];
    int algebraic = 0;
    for (int j = 0; j < m->dae.n; j++) {
        int is_algebraic = m->dae.kinds && m->dae.kinds[j] != RESIDA_DIFFERENTIAL;
        int has = contains(m, j);
        algebraic += is_algebraic;
        if (has != is_algebraic) continue;
        cmd_report_verdict(report, "kinds", 0, "%s is called %s, but its derivative %s in F",
                           cmd_item_name(m->dae.names, "y", j, name), is_algebraic ? "algebraic" : "differential",
                           has ? "occurs" : "does not occur");
        return;
    }
    cmd_report_verdict(report, "kinds", 1, "%d differential and %d algebraic components are so", m->dae.n - algebraic,
                       algebraic);
}

static void check_start(cmd_report_work *report, sample *w, const resida_model *m)
{
    double largest = 0, scale = 1;
    int row = 0;
    int verdict = residual(w, m, w->before);
    for (int i = 0; i < m->dae.n; i++) {
        scale = fmax(scale, fabs(w->at.v[i]));
        if (fabs(w->before[i]) <= largest) continue;
        largest = fabs(w->before[i]);
        row = i;
    }
    if (verdict != 0)
        cmd_report_verdict(report, "start", 0, "the residual at the start fails");
    else if (m->yp0)
        cmd_report_figure(report, "start", largest / scale, consistent, "|F(t0, y0, yp0)| = %.2g, largest in row %d",
                          largest, row);
    else
        cmd_report_verdict(report, "start", isfinite(largest), "yp0 is to be found, |F| = %.2g with zero", largest);
}

void cmd_check_dae(cmd_report_work *report)
{
    const resida_model *m = &report->model->model;
    sample w;
    if (!m->is_dae) return;
    if (open_sample(&w, m, 0) != 0) {
        cmd_report_verdict(report, "start", 0, "the excitation at the start fails");
    } else {
        check_start(report, &w, m);
        check_kinds(report, m);
    }
    close_sample(&w);
}
