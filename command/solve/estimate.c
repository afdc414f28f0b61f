/* estimate.c - estimates the error by a second run at a tenth of the tolerances.
 *
 *     |x - x_fine| = |x - x_exact| +- |x_fine - x_exact|
 *
 * The second error is about a tenth of the first one, or 10^-order of it for fixed steps. Errors differ by a factor of
 * two and more from the expected ratio to the tolerances. Therefore only the order of magnitude is estimated. If not
 * the tolerance but --h-max limits the steps, or if the model is wrong, both runs have the same error, and the estimate
 * does not detect it. */
#include "estimate.h"

#include "program/base/complain.h"
#include "program/base/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/** Return x/10 rounded to decimal digits, so that a tenth of 1e-5 is the double 1e-6. NaN is returned unchanged. */
static double divide_by_ten(double x)
{
    double y = x / 10;
    return isnan(x) || cmd_parse_number(cmd_number("%.*g", DBL_DIG, y), &y) != 0 ? x / 10 : y;
}

/** The settings of the second run. */
static cmd_settings finer_settings(const cmd_settings *s, const cmd_row *row)
{
    cmd_settings own = *s;
    own.rtol = divide_by_ten(row->rtol);
    own.atol = divide_by_ten(row->atol);
    own.solver.step = divide_by_ten(s->solver.step);
    return own;
}

/** Compute error and digits of one part. Digits are relative to most [n], the largest sizes of components at the
 *  outputs, because a component may pass through zero at the end. Components that never exceed atol are ignored. */
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

/** Compare the ends of both runs. lam is not compared if the runs dropped different redundant rows, because forces of
 *  dependent constraints are not unique. */
static void compare_ends(cmd_row *row, const cmd_row *fine, const cmd_run_end *a, const cmd_run_end *b)
{
    cmd_groups *e = &row->estimate.error, *d = &row->estimate.digits, *w = &row->estimate.weighted;
    compare_part(row, a->n_p, a->p, b->p, b->p_max, &e->p, &d->p, &w->p);
    compare_part(row, a->n_v, a->v, b->v, b->v_max, &e->v, &d->v, &w->v);
    if (strcmp(row->dropped, fine->dropped) == 0)
        compare_part(row, a->n_lam, a->lam, b->lam, b->lam_max, &e->lam, &d->lam, &w->lam);
}

/** Run with smaller tolerances. Printed states and derivatives stay those of the first run. @return as cmd_run() */
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
    if (cmd_run_end_allocate(&fine_end, &job->model->model, job->t_end) != 0) return cmd_no_memory();
    int code = run_finer(job, row, fine, &fine_end);
    if (code == 0) compare_ends(row, fine, end, &fine_end);
    row->fine = fine;
    cmd_run_end_free(&fine_end);
    return code;
}
