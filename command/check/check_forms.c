/* check_forms.c - evaluates the model in each form and formalism, and checks whether both describe the same mechanism:
 *
 *     Phi(p, v, phi(p, v, f, u), u) = f    for any f, since Phi = M a - Psi and phi = M^-1 (Psi + f)
 *
 * at the start and near it. The difference is relative to the largest of f, Phi(p, v, 0, u) and 1e-3. */
#include "check.h"

#include "command/cli/formalism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double agreement = 1e-8; /* M may be ill-conditioned; a wrong term causes a larger difference */

static int all_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

/** Evaluate F at the start with zero multipliers. @return 1 if F is finite */
static int evaluate_start_residual(const cmd_model *model, resida_problem *problem, const resida_layout *l)
{
    const resida_model *m = &model->model;
    double *y = calloc(3 * (size_t)l->n, sizeof *y);
    if (!y) return 0;
    double *yp = y + l->n, *r = yp + l->n;
    for (int i = 0; m->is_dae && i < l->n; i++) {
        y[i] = m->y0[i];
        yp[i] = m->yp0 ? m->yp0[i] : 0;
    }
    for (int i = 0; !m->is_dae && i < l->n_p; i++) y[l->p + i] = m->p0[i];
    for (int i = 0; !m->is_dae && i < l->n_v; i++) y[l->v + i] = m->v0[i];
    int good = resida_problem_residual(m->t0, y, yp, r, problem) == 0 && all_finite(r, l->n);
    free(y);
    return good;
}

/** Create the problem in one form. The caller frees it. */
static resida_status open_form(const cmd_report_work *r, const char *form, resida_formalism formalism,
                               resida_problem **problem, resida_message *why)
{
    cmd_settings settings = *r->settings;
    settings.problem.form = form;
    return cmd_problem_open(&(cmd_job){.model = r->model, .settings = &settings, .formalism = formalism}, problem, why);
}

static void check_form(cmd_report_work *r, const char *form, resida_formalism formalism)
{
    resida_problem *problem = NULL;
    resida_message why = {""};
    resida_layout l;
    if (open_form(r, form, formalism, &problem, &why) < 0 || resida_problem_layout(problem, &l) < 0) {
        cmd_report_result(r, "form", 0, "%s: %s", form, why.text);
    } else {
        int good = evaluate_start_residual(r->model, problem, &l);
        int dae = r->model->model.is_dae;
        cmd_report_result(r, "form", good, "%s%s%s: %d unknowns%s", dae ? "general DAE" : resida_problem_form(problem),
                          dae ? "" : ", ", dae ? "" : resida_problem_formalism(problem), l.n,
                          good ? ", residual finite at the start" : ", the residual at the start fails");
    }
    resida_problem_free(problem);
}

int cmd_check_model(cmd_report_work *report)
{
    resida_problem *problem = NULL;
    resida_message why = {""};
    int good = open_form(report, "auto", RESIDA_FORMALISM_AUTO, &problem, &why) >= 0;
    resida_problem_free(problem);
    cmd_report_result(report, "model", good, "%s", good ? "sizes, patterns and callbacks are consistent" : why.text);
    return good;
}

static void check_formalisms(cmd_report_work *report, const char *form)
{
    const resida_model *m = &report->model->model;
    const resida_mechanism *d = &m->mechanism;
    if (m->is_dae) check_form(report, form, RESIDA_FORMALISM_AUTO);
    if (!m->is_dae && cmd_has_residual(d)) check_form(report, form, RESIDA_FORMALISM_RESIDUAL);
    if (!m->is_dae && cmd_has_explicit(d)) check_form(report, form, RESIDA_FORMALISM_EXPLICIT);
}

/* Without position constraints "auto" is the only form. With constraints all forms except "ode" apply. */
void cmd_check_forms(cmd_report_work *report)
{
    const resida_model *m = &report->model->model;
    int constrained = !m->is_dae && m->mechanism.n_g > 0;
    if (!constrained) check_formalisms(report, "auto");
    for (int i = 0; constrained && resida_form_at(i); i++)
        if (strcmp(resida_form_at(i), "ode") != 0) check_formalisms(report, resida_form_at(i));
}

/** Compare both formalisms at one point. zero, back [n_v]: work */
static void compare_formalisms(const resida_mechanism *d, cmd_point *at, double *zero, double *back, cmd_worst *worst)
{
    const resida_excitation *e = &at->e;
    for (int i = 0; i < d->n_v; i++) zero[i] = 0;
    int verdict = cmd_call_residual(d, at->t, at->p, at->v, zero, at->lam, e, back);
    for (int i = 0; i < d->n_v; i++) worst->scale = fmax(worst->scale, fmax(fabs(back[i]), fabs(at->f[i])));
    if (verdict == 0) verdict = cmd_call_explicit(d, at->t, at->p, at->v, at->f, at->lam, e, at->a);
    if (verdict == 0) verdict = cmd_call_residual(d, at->t, at->p, at->v, at->a, at->lam, e, back);
    for (int i = 0; i < d->n_v; i++) cmd_worst_update(worst, verdict ? INFINITY : fabs(back[i] - at->f[i]), i, 0);
}

typedef int formalism_fn(const resida_mechanism *d, double t, const double *p, const double *v, const double *x,
                         const double *lam, const resida_excitation *e, double *out);

/** Check that the inertia N, M of Phi or M^-1 of phi, is symmetric: x' N y = y' N x. No row of M^-1 may be 0. N x is a
 *  difference of two calls. */
static void check_inertia(cmd_report_work *report, const char *name, formalism_fn *call)
{
    const resida_model *m = &report->model->model;
    const resida_mechanism *d = &m->mechanism;
    const size_t n = (size_t)d->n_v;
    double *work = calloc(4 * n, sizeof *work), *y = work, sum = 0, size = 0;
    int still = -1;
    cmd_point at;
    int verdict = cmd_point_open(&at, m, 1);
    if (!work) verdict = -1;
    double *rest = work + n, *Nx = work + 2 * n, *Ny = work + 3 * n;
    if (!verdict) verdict = call(d, at.t, at.p, at.v, y, at.lam, &at.e, rest);
    for (size_t i = 0; i < n - (size_t)d->n_z && !verdict; i++) y[i] = cos(1.0 + (double)i);
    if (!verdict) verdict = call(d, at.t, at.p, at.v, at.f, at.lam, &at.e, Nx);
    if (!verdict) verdict = call(d, at.t, at.p, at.v, y, at.lam, &at.e, Ny);
    for (int i = 0; i < d->n_v - d->n_z && !verdict; i++) {
        sum += at.f[i] * (Ny[i] - rest[i]) - y[i] * (Nx[i] - rest[i]);
        size += fabs(at.f[i] * Ny[i]) + fabs(y[i] * Nx[i]) + fabs(y[i] * rest[i]);
        if (call == cmd_call_explicit && !(fabs(Nx[i] - rest[i]) > 0) && still < 0) still = i;
    }
    cmd_point_free(&at);
    free(work);
    if (verdict) return; /* another check reports this failure */
    cmd_report_number(report, "inertia", size > 0 ? fabs(sum) / size : 0, agreement,
                      "%s: x' N y and y' N x differ by %.2g of their terms, N = %s", name,
                      size > 0 ? fabs(sum) / size : 0, call == cmd_call_explicit ? "M^-1" : "M");
    if (still >= 0) cmd_report_result(report, "inertia", 0, "%s[%d] does not depend on f", name, still);
}

void cmd_check_formalisms(cmd_report_work *report)
{
    const resida_model *m = &report->model->model;
    const resida_mechanism *d = &m->mechanism;
    const int is_pushed = d->n_g + d->n_h > 0 || m->contacts; /* otherwise f is 0 and rows may be scaled */
    if (is_pushed && cmd_has_residual(d)) check_inertia(report, "residual", cmd_call_residual);
    if (is_pushed && cmd_has_explicit(d)) check_inertia(report, "acceleration", cmd_call_explicit);
    if (m->is_dae || !cmd_has_residual(d) || !cmd_has_explicit(d)) return;
    cmd_worst worst = {.scale = 1e-3};
    double *work = calloc(2 * (size_t)d->n_v, sizeof *work);
    for (int k = 0; work && k < CMD_CHECK_POINTS; k++) {
        cmd_point at;
        if (cmd_point_open(&at, m, k) != 0)
            cmd_worst_update(&worst, INFINITY, 0, 0);
        else
            compare_formalisms(d, &at, work, work + d->n_v, &worst);
        cmd_point_free(&at);
    }
    free(work);
    cmd_report_number(report, "formalisms agree", worst.difference / worst.scale, agreement,
                      "Phi(p, v, phi(p, v, f)) = f up to %.2g, worst in component %d", worst.difference / worst.scale,
                      worst.row);
}
