/* report_equilibrium.c - searches the equilibrium of a named model from its start, and shows stability and modes at the
 * equilibrium. If no equilibrium is found, it shows the modes at the start. */
#include "report.h"

#include "program/base/complain.h"
#include "program/base/number.h"
#include "program/output/html.h"
#include "program/process/signals.h"
#include "program/process/stopwatch.h"
#include "program/process/watchdog.h"
#include "program/run/quantity.h"

#include <math.h>
#include <resida/equilibrium.h>
#include <resida/linearize.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 96, TOLD = 60, MODES = 30, ALL_MODES = 400 };
static const double search_limit_s = 20;

/** A state of a model, and the results of the search. */
typedef struct place {
    const cmd_model *model;
    cmd_handles h;
    resida_layout l;
    double *block;           /**< memory of the following arrays */
    double *x, *v, *lam, *a; /**< [n_p] (y [n] of a general DAE), [n_v], [n_g + n_h]; a = 0, y' = 0 */
    int n_x, is_found;
    resida_equilibrium_report report;
    resida_message why;
} place;

static int stopped(int iterations, double residual, double load, void *user)
{
    (void)iterations, (void)residual, (void)load, (void)user;
    return cmd_signal_caught();
}

static int reserve(place *p)
{
    const resida_model *m = &p->model->model;
    const size_t n_x = (size_t)(m->is_dae ? p->l.n : p->l.n_p), n_v = m->is_dae ? n_x : (size_t)p->l.n_v;
    const size_t n_l = m->is_dae ? 0 : (size_t)(p->l.n_g + p->l.n_h);
    p->block = calloc(n_x + 2 * n_v + n_l + 1, sizeof *p->block);
    if (!p->block) return -1;
    p->n_x = (int)n_x;
    p->x = p->block, p->v = p->x + n_x, p->lam = p->v + n_v, p->a = p->lam + n_l;
    return 0;
}

static void search(place *p, const cmd_settings *s)
{
    const resida_model *m = &p->model->model;
    resida_equilibrium_options o;
    resida_status status;
    resida_equilibrium_options_init(&o);
    o.redundant = s->start.redundant;
    o.time_limit_s = s->time_limit;
    o.monitor = stopped;
    cmd_watchdog_deadline(bench_wall_s() + o.time_limit_s);
    if (m->is_dae)
        status = resida_problem_equilibrium_dae(p->h.problem, m->t0, m->y0, &o, p->x, &p->report, &p->why);
    else
        status =
            resida_problem_equilibrium(p->h.problem, m->t0, m->p0, m->v0, &o, p->x, p->v, p->lam, &p->report, &p->why);
    cmd_watchdog_deadline(INFINITY);
    cmd_watchdog_suspend();
    p->is_found = status == RESIDA_OK;
}

static void put_equilibrium(const place *p, FILE *f)
{
    const resida_model *m = &p->model->model;
    const double *start = m->is_dae ? m->y0 : m->p0;
    cmd_table table;
    if (!p->is_found) {
        cmd_html_paragraph(f, "No equilibrium was found from the start of the model: %s", p->why.text);
        return;
    }
    cmd_html_paragraph(f, "%s", p->report.judged.text[0] ? p->report.judged.text : "The stability is unknown.");
    if (p->report.n_free > 0) cmd_html_paragraph(f, "Undetermined positions: %s.", p->report.free.text);
    cmd_table_begin(&table, "<position\t<unit\tstart\tequilibrium");
    for (int i = 0; i < p->n_x && i < TOLD; i++) {
        char name[NAME], unit[CMD_UNIT_SIZE];
        (void)resida_problem_component_name(p->h.problem, m->is_dae ? i : p->l.p + i, name, sizeof name);
        cmd_unit_of(m, m->is_dae ? CMD_OF_Y : CMD_OF_P, i, unit);
        cmd_table_cells(&table, "%s\t%s\t%.8g\t%.8g", name, *unit ? unit : "-", start[i], p->x[i]);
    }
    cmd_html_table(f, &table, 0, "Equilibrium");
    if (p->n_x > TOLD) cmd_html_paragraph(f, "%d further positions are omitted.", p->n_x - TOLD);
    cmd_table_free(&table);
}

/** Linearise at the equilibrium, or at the start if no equilibrium was found. */
static resida_status linearize(place *p, const cmd_job *job, resida_linearization **l)
{
    const resida_model *m = &p->model->model;
    resida_state at;
    if (p->is_found && m->is_dae) return resida_linearize(l, p->h.problem, m->t0, p->x, p->a, &p->why);
    if (p->is_found) return resida_linearize_mechanism(l, p->h.problem, m->t0, p->x, p->v, p->a, p->lam, &p->why);
    resida_status status = cmd_handles_start(&p->h, job);
    if (status >= 0) status = resida_solver_state(p->h.solver, &at);
    if (status < 0) {
        snprintf(p->why.text, sizeof p->why.text, "%s", resida_solver_message(p->h.solver));
        return status;
    }
    return m->is_dae ? resida_linearize(l, p->h.problem, at.t, at.y, at.yp, &p->why)
                     : resida_linearize_mechanism(l, p->h.problem, at.t, at.p, at.v, at.a, at.lam, &p->why);
}

/** Return the component with the largest amplitude in mode k. */
static const char *max_moved(const resida_linear_model *m, const resida_modes *modes, int k)
{
    const double *re = modes->shape_re + (long)k * m->n_outputs, *im = modes->shape_im + (long)k * m->n_outputs;
    int most = 0;
    for (int i = 1; i < m->n_outputs; i++)
        if (hypot(re[i], im[i]) > hypot(re[most], im[most])) most = i;
    return m->n_outputs > 0 ? m->outputs[most] : "-";
}

static void put_modes(const resida_linear_model *m, const resida_modes *modes, const char *caption, FILE *f)
{
    cmd_table table;
    cmd_table_begin(&table, "mode\tHz=frequency [Hz]\tdamping=damping ratio\tre=real part [1/s]\t<largest component");
    for (int k = 0; k < modes->n && k < MODES; k++)
        cmd_table_cells(&table, "%d\t%.6g\t%.4g\t%.6g\t%s", k + 1, modes->im[k] / (2 * acos(-1)),
                        -modes->re[k] / hypot(modes->re[k], modes->im[k]), modes->re[k], max_moved(m, modes, k));
    if (table.n_cells > 0)
        cmd_html_table(f, &table, 0, caption);
    else
        cmd_html_paragraph(f, "No modes: there is no finite nonzero eigenvalue.");
    if (modes->n > MODES) cmd_html_paragraph(f, "%d further modes are omitted.", modes->n - MODES);
    cmd_table_free(&table);
}

/** Write the modes. If linearisation fails, write a line with the reason. */
static void find_modes(cmd_report_work *r, place *p, const cmd_job *job, FILE *f)
{
    resida_linearization *l = NULL;
    resida_linear_model linear;
    resida_modes modes;
    const char *name = p->model->cls->name, *of = p->is_found ? "Modes about the equilibrium" : "Modes about the start";
    resida_status status = linearize(p, job, &l);
    if (status >= 0) status = resida_linearization_get(l, &linear);
    if (status >= 0) status = resida_linearization_modes(l, linear.n > ALL_MODES ? MODES : 0, 0, &modes, &p->why);
    if (status < 0) {
        cmd_html_paragraph(f, "%s are unknown: %s", of, p->why.text);
        cmd_report_outcome(r, name, "%s; modes unknown: %s", p->is_found ? "equilibrium found" : "no equilibrium found",
                           p->why.text);
    } else {
        put_modes(&linear, &modes, of, f);
        cmd_report_outcome(r, name, "%s%s; %d mode%s", p->is_found ? "equilibrium found: " : "no equilibrium found",
                           p->is_found ? p->report.judged.text : "", modes.n, modes.n == 1 ? "" : "s");
    }
    resida_linearization_free(l);
}

static int rest_model(cmd_report_work *r, const cmd_model *model, FILE *f, void *context)
{
    char id[CMD_ANCHOR];
    const cmd_settings s = cmd_report_settings(r, search_limit_s);
    cmd_job job;
    place p = {.model = model};
    (void)context;
    cmd_html_heading(f, 3, cmd_report_anchor(r, model->cls->name, id), model->cls->name);
    int code = cmd_job_make(&job, model, &s, 1);
    if (code != 0) return code;
    if (cmd_handles_open(&p.h, &job, cmd_signal_monitor, NULL, &p.why) < 0)
        code = cmd_complain_model(CMD_EXIT_FAILED, model->cls->name, p.why.text);
    if (code == 0) (void)resida_problem_layout(p.h.problem, &p.l);
    if (code == 0 && reserve(&p) != 0) code = cmd_no_memory();
    if (code == 0) {
        search(&p, &s);
        put_equilibrium(&p, f);
        if (!cmd_signal_caught()) find_modes(r, &p, &job, f);
    }
    free(p.block);
    cmd_handles_close(&p.h);
    return code == 0 && cmd_signal_caught() ? 128 + cmd_signal_caught() : code;
}

int cmd_report_equilibrium(cmd_report_work *r, FILE *f)
{
    cmd_html_paragraph(
        f, "The report searches an equilibrium from the start of the model and computes the modes about it.");
    return cmd_report_each_model(r, NULL, rest_model, NULL, f);
}
