/* check_dae.c - checks a general DAE: whether its start is consistent, and whether each component is of its declared
 * kind:
 *
 *     differential:  dF/dyp_j is not zero;  algebraic:  F does not contain yp_j
 *
 * yp_j is perturbed at the start and at states near it. One change of F is sufficient. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double consistent = 1e-6;

static int evaluate_residual(const resida_model *m, const cmd_point *at, double *r)
{
    return m->dae.residual(at->t, at->p, at->v, &at->e, r, m->dae.user);
}

/** Return 1 if F changes with yp_j at one of the points. before, after [n]: work */
static int does_F_contain_yp(const resida_model *m, int j, double *before, double *after)
{
    int has = 0;
    for (int k = 0; k < CMD_CHECK_POINTS && !has; k++) {
        cmd_point at;
        if (cmd_point_open(&at, m, k) == 0 && evaluate_residual(m, &at, before) == 0) {
            at.v[j] += 1 + fabs(at.v[j]);
            has = evaluate_residual(m, &at, after) == 0 && memcmp(before, after, (size_t)m->dae.n * sizeof *after) != 0;
        }
        cmd_point_free(&at);
    }
    return has;
}

static void check_kinds(cmd_report_work *report, const resida_model *m, double *work)
{
    char name[32];
    int algebraic = 0;
    for (int j = 0; j < m->dae.n; j++) {
        int is_algebraic = m->dae.kinds && m->dae.kinds[j] != RESIDA_DIFFERENTIAL;
        int has = does_F_contain_yp(m, j, work, work + m->dae.n);
        algebraic += is_algebraic;
        if (has != is_algebraic) continue;
        cmd_report_result(report, "kinds", 0, "%s is declared %s, but its derivative %s in F",
                          cmd_item_name(m->dae.names, "y", j, name), is_algebraic ? "algebraic" : "differential",
                          has ? "occurs" : "does not occur");
        return;
    }
    cmd_report_result(report, "kinds", 1, "the kinds of %d differential and %d algebraic components agree with F",
                      m->dae.n - algebraic, algebraic);
}

static void check_start(cmd_report_work *report, const resida_model *m, const cmd_point *at, double *F)
{
    double largest = 0, scale = 1;
    int row = 0;
    int verdict = evaluate_residual(m, at, F);
    for (int i = 0; i < m->dae.n; i++) {
        scale = fmax(scale, fabs(at->v[i]));
        if (!(fabs(F[i]) <= largest)) largest = fabs(F[i]), row = i;
    }
    if (verdict != 0)
        cmd_report_result(report, "start", 0, "the residual at the start fails");
    else if (m->yp0)
        cmd_report_number(report, "start", largest / scale, consistent, "|F(t0, y0, yp0)| = %.2g, largest in row %d",
                          largest, row);
    else
        cmd_report_result(report, "start", isfinite(largest), "yp0 is not given; |F(t0, y0, 0)| = %.2g", largest);
}

void cmd_check_dae(cmd_report_work *report)
{
    const resida_model *m = &report->model->model;
    cmd_point at;
    if (!m->is_dae) return;
    double *work = calloc(2 * (size_t)m->dae.n, sizeof *work);
    if (cmd_point_open(&at, m, 0) != 0 || !work) {
        cmd_report_result(report, "start", 0, "the excitation at the start fails");
    } else {
        check_start(report, m, &at, work);
        check_kinds(report, m, work);
    }
    cmd_point_free(&at);
    free(work);
}
