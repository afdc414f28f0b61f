/* report_models.c - runs every model with the default of resida, with each other Jacobian strategy and with all other
 * integrators, at the tolerances of the model. Errors are shown next to times, because errors differ at equal
 * tolerances. */
#include "report.h"

#include "benchmarks/util/kept_run.h"
#include "program/base/complain.h"
#include "program/output/html.h"
#include "program/output/row_text.h"
#include "program/run/run_peer.h"
#include "program/process/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** The first strategy is the default of resida. */
static const char *const strategies[] = {
    "auto", "dense", "sparse", "dense+partitioned", "sparse+partitioned", "dense+extended", "sparse+extended",
};
enum { REPEATS = 5, CAPTION = 512, WORDS = 128, N_STRATEGIES = sizeof strategies / sizeof strategies[0] };
static const double run_limit_s = 20;

/** Format value as a multiple of whole. */
static const char *times(double value, double whole)
{
    return value >= 0 && whole > 0 ? cmd_format_ratio(value / whole) : "-";
}

static double cpu_of(const cmd_row *row)
{
    return cmd_row_is_valid(row) ? row->cpu_s.median : NAN;
}

static double calls_of(const cmd_row *row)
{
    return cmd_row_is_valid(row) && row->stats.residual_calls.total >= 0 ? (double)row->stats.residual_calls.total
                                                                         : NAN;
}

static void add(cmd_table *table, const cmd_row *row, const cmd_row *resida)
{
    char strategy[CMD_STRATEGY_SIZE];
    cmd_table_cells(
        table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", row->solver, cmd_row_strategy(row, strategy),
        cmd_row_state(row), row->formalism[0] ? row->formalism : "-", cmd_count(row->stats.steps),
        cmd_count(cmd_row_evaluations(row)), cmd_count(row->stats.repairs), cmd_count(row->stats.residual_calls.total),
        cmd_format_milliseconds(cpu_of(row)), cmd_format_milliseconds(cmd_row_is_valid(row) ? row->cpu_s.iqr : NAN),
        cmd_format_error(row->error.p), isfinite(row->weighted.p) ? cmd_number("%.2g", row->weighted.p) : "-",
        times(cpu_of(row), cpu_of(resida)), times(calls_of(row), calls_of(resida)));
}

/** Return 1 if the row is a strategy of resida other than "auto". */
static int is_other_strategy(const cmd_row *rows, const cmd_row *row)
{
    return row > rows && !row->version;
}

/** Return the row [n] with the minimum of a quantity among "auto" and the peers, or NULL if no row is valid.
 *  "ida+analytic" is excluded, because the cost of its Jacobian is not counted. */
static const cmd_row *least(const cmd_row *rows, int n, double (*of)(const cmd_row *))
{
    const cmd_row *best = NULL;
    for (int i = 0; i < n; i++)
        if (!is_other_strategy(rows, &rows[i]) && isfinite(of(&rows[i])) &&
            strcmp(rows[i].solver, "ida+analytic") != 0 && (!best || of(&rows[i]) < of(best)))
            best = &rows[i];
    return best;
}

static void add_best(cmd_table *table, const cmd_row *best, int is_cpu)
{
    cmd_table_cells(table, "%s\t%s\t%s", best ? best->solver : "-",
                    is_cpu ? cmd_format_milliseconds(best ? cpu_of(best) : NAN)
                           : cmd_count(best ? best->stats.residual_calls.total : -1),
                    cmd_format_error(best ? best->error.p : NAN));
}

static void add_overview(cmd_table *table, const char *name, const cmd_row *rows, int n)
{
    const cmd_row *fastest = least(rows, n, cpu_of), *fewest = least(rows, n, calls_of);
    cmd_table_cells(table, "%s\t%s\t%s\t%s", name, cmd_format_milliseconds(cpu_of(rows)),
                    cmd_count(rows->stats.residual_calls.total), cmd_format_error(rows->error.p));
    add_best(table, fastest, 1);
    cmd_table_cell(table, "%s", times(cpu_of(rows), fastest ? cpu_of(fastest) : NAN));
    add_best(table, fewest, 0);
    cmd_table_cell(table, "%s", times(calls_of(rows), fewest ? calls_of(fewest) : NAN));
}

static int run(cmd_report_work *r, const cmd_model *model, const cmd_settings *s, int k, cmd_row *row)
{
    cmd_job job;
    int code = cmd_job_make(&job, model, s, REPEATS);
    if (code == 0 && k < N_STRATEGIES)
        job.jacobian = strategies[k];
    else if (code == 0)
        cmd_job_set_peer(&job, cmd_peers_get(s, k - N_STRATEGIES));
    if (code == 0) code = cmd_job_check(&job);
    if (code != 0) return code;
    (void)bench_run(&job, row);
    if (row->outcome == CMD_FAILED && k < N_STRATEGIES) {
        r->failed++;
        if (k == 0 || strcmp(row->message, row[-k].message) != 0)
            cmd_complain(0, "%s, %s: %s", model->cls->name, strategies[k], row->message);
    }
    return cmd_signal_caught() ? 128 + cmd_signal_caught() : 0;
}

static void put_model(cmd_report_work *r, FILE *f, const cmd_model *model, const cmd_row *rows, int n)
{
    char caption[CAPTION], id[CMD_ANCHOR];
    const char *source = model->model.reference_source;
    cmd_table table;
    cmd_html_heading(f, 3, cmd_report_anchor(r, model->cls->name, id), model->cls->name);
    cmd_html_paragraph(f, "%s. Reference: %s.", model->cls->text, source ? source : "none");
    snprintf(caption, sizeof caption, "%s: rtol = %s, atol = %s, t_end = %s", model->cls->name,
             cmd_format_shortest(rows->rtol), cmd_format_shortest(rows->atol), cmd_format_shortest(rows->t_end));
    cmd_table_begin(&table, "<solver\t<jacobian=Jacobian\t<status\t<formalism\tsteps\t#Je=evaluations of "
                            "J\t#rp=repairs of J\t#fc=residual calls\tcpu ms=cpu [ms]\tiqr=cpu iqr [ms]\terr p=error "
                            "of p\t/ tol=error / tolerance\tcpu@relative to resida\t#fc=calls@relative to resida");
    for (int i = 0; i < n; i++) add(&table, &rows[i], rows);
    cmd_html_table(f, &table, 0, caption);
    cmd_table_free(&table);
    for (int i = 0; i < n; i++)
        if (rows[i].outcome != CMD_OK && (i == 0 || strcmp(rows[i].message, rows[i - 1].message) != 0))
            cmd_html_paragraph(f, "%s %s: %s", rows[i].solver, rows[i].version ? "" : rows[i].asked, rows[i].message);
}

static void say_outcome(cmd_report_work *r, const char *name, const cmd_row *rows, int n)
{
    char other[WORDS] = "";
    const cmd_row *fastest = least(rows, n, cpu_of);
    if (rows->outcome != CMD_OK) {
        cmd_report_outcome(r, name, "%s, %s: %s", cmd_outcome_name(rows->outcome), cmd_row_state(rows), rows->message);
        return;
    }
    if (fastest && fastest != rows)
        snprintf(other, sizeof other, "; the fastest integrator is %s, %s ms", fastest->solver,
                 cmd_format_milliseconds(cpu_of(fastest)));
    else if (n > N_STRATEGIES)
        snprintf(other, sizeof other, "; no other integrator is faster");
    const char *known = isfinite(rows->error.p) ? cmd_format_error(rows->error.p)
                        : rows->has_reference   ? "unknown, because the reference is not accurate enough"
                                                : "unknown, because there is no reference";
    cmd_report_outcome(r, name, "%s: %ld steps, %ld residual calls, %s ms; error of p %s%s", cmd_row_state(rows),
                       rows->stats.steps, rows->stats.residual_calls.total, cmd_format_milliseconds(rows->cpu_s.median),
                       known, other);
}

/** Measure one model: write its table to f and add its row to the overview. */
static int measure_model(cmd_report_work *r, const cmd_model *model, FILE *f, void *overview)
{
    cmd_settings s = cmd_report_settings(r, run_limit_s);
    int n = N_STRATEGIES + cmd_peers_count(&s), done = 0, code = 0;
    cmd_row *rows = calloc((size_t)n, sizeof *rows);
    if (!rows) return cmd_no_memory();
    const cmd_model *referenced = cmd_report_reference(r, model, &s);
    while (done < n && code == 0) {
        code = run(r, referenced, &s, done, &rows[done]);
        if (code == 0 || code >= 128) done++;
    }
    if (done > 0) put_model(r, f, referenced, rows, done);
    if (done > 0 && code == 0) add_overview(overview, model->cls->name, rows, done);
    if (done > 0) say_outcome(r, model->cls->name, rows, done);
    free(rows);
    return code;
}

static void put_overview(FILE *f, const cmd_table *overview)
{
    cmd_html_paragraph(
        f,
        "Each model is integrated by resida with the default Jacobian strategy \"auto\", by resida with its other "
        "strategies, and by all other integrators of this build. All runs have the same residual, the same consistent "
        "start and the tolerances of the model. Compare costs only together with the errors, because equal tolerances "
        "do not give equal errors. A run is valid if it reaches the end and if the error of p (of y for a general DAE) "
        "is at most %d tolerances, or unknown. Invalid runs have no time. \"ida+analytic\" receives an exact Jacobian "
        "without cost; it is in the tables, but excluded from the comparison. An error below ten times the uncertainty "
        "of the reference is not shown.",
        CMD_INACCURATE);
    if (overview->n_cells > 0) cmd_html_table(f, overview, 0, "resida compared with the best of all integrators");
}

int cmd_report_models(cmd_report_work *r, FILE *f)
{
    cmd_table overview;
    FILE *models = tmpfile();
    if (!models) return cmd_complain_io("write", "a temporary file");
    cmd_table_begin(&overview, "<model\tcpu ms=cpu [ms]@resida auto\t#fc=calls@resida auto\t"
                               "err p=error of p@resida auto\t<solver@fastest\tcpu ms=cpu [ms]@fastest\t"
                               "err p=error of p@fastest\tcpu=resida / fastest\t<solver@fewest calls\t"
                               "#fc=calls@fewest calls\terr p=error of p@fewest calls\t#fc=resida / fewest");
    int code = cmd_report_each_model(r, NULL, measure_model, &overview, models);
    put_overview(f, &overview);
    cmd_table_free(&overview);
    (void)cmd_copy(models, f);
    fclose(models);
    return code;
}
