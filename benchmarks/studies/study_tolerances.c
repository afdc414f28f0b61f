/* study_tolerances.c - errors as a function of the tolerance, rtol = atol = 10^-k, k = 3 .. 8, for models with
 * references:
 *
 *     slopes      least-squares slope of log |p - ref| over log rtol, the error at k the median of five neighbours,
 *                 without stability limit detection, which makes some errors smaller
 *     estimate    accuracy of --estimate-error: max(x/y, y/x) of the estimate x, by a run at a tenth of the
 *                 tolerances, and the error y, at k = 3, 3.5 .. 8 */
#include "studies.h"

#include "benchmarks/conditioning/conditioning.h"
#include "program/base/complain.h"
#include "program/base/number.h"
#include "program/cli/model_arg.h"
#include "program/process/signals.h"
#include "program/run/run.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST = 3, LAST = 8, NEIGHBOURS = 5, N_SLOPE = LAST - FIRST + 1, HALVES = 2 * N_SLOPE - 1 };
static const double near = 10; /* intended accuracy (factor) of an estimate */

/** Run with these tolerances. @param[out] end  final state; NULL: not requested */
static int run(const cmd_model *model, const cmd_settings *s, double rtol, double atol, cmd_run_end *end, cmd_row *row)
{
    cmd_settings own = *s;
    cmd_job job;
    own.rtol = rtol, own.atol = atol;
    own.quiet = own.is_silent_on_events = 1;
    int code = cmd_job_make(&job, model, &own, 1);
    if (code != 0) return code;
    job.end = end;
    code = cmd_run(&job, row);
    return code == CMD_EXIT_FAILED ? cmd_complain_run(code, &job, row) : code;
}

/** Measure one model and add its cells. */
typedef int measure_fn(const cmd_model *model, const cmd_settings *s, cmd_table *table);

static int each_model(const cmd_settings *s, const char *const *names, measure_fn *measure, cmd_table *table)
{
    int code = 0;
    for (; *names && code == 0; names++) {
        cmd_model model;
        code = cmd_models_open(&model, 1, names, s);
        if (code != 0) return code;
        cmd_table_cell(table, "%s", *names);
        code = measure(&model, s, table);
        cmd_models_close(&model, 1);
    }
    return code;
}

/* --- slopes --- */

/** Compute the median error near 10^-k. */
static int error_at(const cmd_model *model, const cmd_settings *s, int k, double *error)
{
    double errors[NEIGHBOURS];
    for (int i = 0; i < NEIGHBOURS; i++) {
        cmd_row row;
        const double tolerance = pow(10, -k + 0.05 * (i - NEIGHBOURS / 2));
        const int code = run(model, s, tolerance, tolerance, NULL, &row);
        if (code != 0) return code;
        errors[i] = row.error.p;
    }
    qsort(errors, NEIGHBOURS, sizeof *errors, cmd_by_value);
    *error = errors[NEIGHBOURS / 2];
    return 0;
}

static int measure_slope(const cmd_model *model, const cmd_settings *s, cmd_table *table)
{
    double tolerances[N_SLOPE], errors[N_SLOPE];
    cmd_settings all_orders = *s;
    all_orders.solver.stability_detection = 0;
    for (int i = 0; i < N_SLOPE; i++) {
        tolerances[i] = pow(10, -FIRST - i);
        const int code = error_at(model, &all_orders, FIRST + i, &errors[i]);
        if (code != 0) return code;
    }
    cmd_table_cell(table, "%.2f", cmd_slope(tolerances, errors, 0, N_SLOPE));
    return 0;
}

int bench_fill_slopes(const cmd_settings *s, cmd_table *table)
{
    static const char *const models[] = {"pendulum", "andrews",         "car-axis", "slider-crank",
                                         "akzo",     "chain-cartesian", NULL};
    cmd_table_begin(table, "<model\tslope");
    return each_model(s, models, measure_slope, table);
}

/* --- estimates --- */

/** Return the maximum norm of the difference of two final positions. */
static double distance(const cmd_run_end *a, const cmd_run_end *b)
{
    double most = 0;
    for (int i = 0; i < a->n_p; i++) most = fmax(most, fabs(a->p[i] - b->p[i]));
    return most;
}

/** Compute max(x/y, y/x) at 10^-k. */
static int factor_at(const cmd_model *model, const cmd_settings *s, double k, double *factor)
{
    cmd_row row, fine;
    cmd_run_end ends[2] = {{0}, {0}};
    const double rtol = pow(10, -k), atol = rtol * model->model.atol / model->model.rtol;
    int failed = 0, code = 0;
    for (int i = 0; i < 2; i++) failed |= cmd_run_end_allocate(&ends[i], &model->model, model->model.t_end);
    if (failed) code = cmd_no_memory();
    if (code == 0) code = run(model, s, rtol, atol, &ends[0], &row);
    if (code == 0) code = run(model, s, rtol / 10, atol / 10, &ends[1], &fine);
    if (code == 0) {
        const double estimate = distance(&ends[0], &ends[1]);
        *factor = fmax(estimate / row.error.p, row.error.p / estimate);
    }
    for (int i = 0; i < 2; i++) cmd_run_end_free(&ends[i]);
    return code;
}

static int measure_estimate(const cmd_model *model, const cmd_settings *s, cmd_table *table)
{
    double factors[HALVES];
    int n = 0;
    for (int i = 0; i < HALVES; i++) {
        const int code = factor_at(model, s, FIRST + 0.5 * i, &factors[i]);
        if (code != 0) return code;
        n += factors[i] <= near;
    }
    qsort(factors, HALVES, sizeof *factors, cmd_by_value);
    cmd_table_cells(table, "%.1f\t%.1f\t%d of %d", factors[HALVES / 2], factors[HALVES - 1], n, HALVES);
    return 0;
}

int bench_fill_estimate(const cmd_settings *s, cmd_table *table)
{
    static const char *const models[] = {"pendulum", "andrews", "car-axis", "slider-crank", "akzo", "robertson", NULL};
    cmd_table_begin(table, "<model\tmedian\tlargest\twithin 10");
    return each_model(s, models, measure_estimate, table);
}
