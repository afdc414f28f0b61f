/* estimate.c - a second run at a tenth of the tolerances.
 *
 *     |x - x_fine| = |x - x_exact| +- |x_fine - x_exact|
 *
 * and the second error is about a tenth of the first one (with steps of a fixed size 10^-order of it). Single errors
 * scatter by a factor of two and more about what their tolerances let expect, so the order of magnitude is all that is
 * estimated. Where something else than the tolerance holds the steps down (--h-max), or is wrong (the model), both runs
 * err alike, and it does not show. */
#include "estimate.h"

#include "program/base/complain.h"
#include "program/base/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/** x/10 in the digits that a person would write: a tenth of 1e-5 is the double that 1e-6 is. NaN stays. */
static double tenth(double x)
{
    double y = x / 10;
    return isnan(x) || cmd_parse_number(cmd_number("%.*g", DBL_DIG, y), &y) != 0 ? x / 10 : y;
}

/** The settings of the second run. */
static cmd_settings finer_settings(const cmd_settings *s, const cmd_row *row)
{
    cmd_settings own = *s;
    own.rtol = tenth(row->rtol);
    own.atol = tenth(row->atol);
    own.solver.step = tenth(s->solver.step);
    return own;
}

/** Error and digits. Digits are those of a component beside its largest size at the outputs, most [n], where it may
 *  pass through zero at the end; one that never was above atol has none. */
static void compare_part(const cmd_row *row, int n, const double *x, const double *fine, const double *most,
                         double *error, double *digits, double *weighted)
{
    const double atol = isfinite(row->atol) ? row->atol : 0;
    double relative = NAN;
    cmd_row_compare_part(row, n, x, fine, error, digits, weighted);
    for (int i = 0; x && i < n; i++)
        if (most[i] > atol) relative = fmax(relative, fabs(x[i] - fine[i]) / most[i]); /* ignores a NaN */
    *digits = isnan(relative) ? NAN : fmax(0, -log10(fmax(relative, DBL_EPSILON / 2)));
}

/** Which of dependent constraints have forces is a choice: where the two runs chose differently lam cannot be
 *  compared. */
static void compare(cmd_row *row, const cmd_row *fine, const cmd_run_end *a, const cmd_run_end *b)
{
    cmd_groups *e = &row->estimate.error, *d = &row->estimate.digits, *w = &row->estimate.weighted;
    compare_part(row, a->n_p, a->p, b->p, b->p_max, &e->p, &d->p, &w->p);
    compare_part(row, a->n_v, a->v, b->v, b->v_max, &e->v, &d->v, &w->v);
    if (strcmp(row->dropped, fine->dropped) == 0)
        compare_part(row, a->n_lam, a->lam, b->lam, b->lam_max, &e->lam, &d->lam, &w->lam);
}

/** The second run. The states and derivatives that are printed stay those of the first one. @return as cmd_run() */
static int run_finer(const cmd_job *job, const cmd_row *row, cmd_row *fine, cmd_run_end *end)
{
    const cmd_settings own = finer_settings(job->settings, row);
    cmd_job again = *job;
    again.settings = &own;
    again.repeats = 1;
    again.sink = NULL;
    again.outputs = NULL;
    again.follower = NULL;
    again.last = NULL;
    again.end = end;
    again.aside = "no estimate of the error";
    int code = cmd_run(&again, fine);
    return code == 0 ? 0 : cmd_complain_run(code, &again, fine);
}

int cmd_estimate(const cmd_job *job, const cmd_run_end *end, cmd_row *row, cmd_row *fine)
{
    cmd_run_end fine_end = {0};
    if (cmd_run_end_make(&fine_end, &job->model->model, job->t_end) != 0) return cmd_no_memory();
    int code = run_finer(job, row, fine, &fine_end);
    if (code == 0) compare(row, fine, end, &fine_end);
    row->fine = fine;
    cmd_run_end_free(&fine_end);
    return code;
}
