/* work_precision_text.c - a row for each run, then a row for each error and method. */
#include "program/output/row_text.h"
#include "work_precision.h"

#include <math.h>

static void add_run(cmd_table *table, const cmd_row *row)
{
    char jacobian[CMD_STRATEGY_SIZE];
    cmd_table_cells(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", row->solver,
                    row->formalism[0] ? row->formalism : "-", cmd_row_strategy(row, jacobian),
                    cmd_format_shortest(row->rtol), cmd_row_state(row), cmd_count(row->stats.steps),
                    cmd_count(row->stats.residual_calls.total),
                    cmd_format_milliseconds(cmd_row_is_valid(row) ? row->cpu_s.median : NAN),
                    cmd_format_milliseconds(cmd_row_is_valid(row) ? row->cpu_s.iqr : NAN),
                    cmd_format_error(row->error.p), cmd_format_error(row->error.v), cmd_format_error(row->error.lam));
}

/** Format a ratio. */
static const char *times(double x)
{
    return isfinite(x) ? cmd_number("%.2f", x) : "-";
}

static void add_equal(cmd_table *table, const cmd_method *method, double error, const cmd_equal *e)
{
    char a[CMD_METHOD_SIZE];
    cmd_table_cells(table, "%.0e\t%s\t%s\t%s\t%s\t%s\t%s\t%s", error, cmd_method_name(method, a),
                    cmd_format_milliseconds(e->work[CMD_CPU]), times(e->to_min[CMD_CPU]), times(e->to_resida[CMD_CPU]),
                    cmd_format_or_dash("%.0f", e->work[CMD_CALLS]), times(e->to_min[CMD_CALLS]),
                    times(e->to_resida[CMD_CALLS]));
}

/** Return the largest number of repetitions. A failed run is not repeated. */
static long repeats_of(const cmd_study *study)
{
    long most = 0;
    for (int k = 0; k < study->n_methods; k++)
        for (int i = 0; i < study->methods[k].n_rows; i++)
            if (study->methods[k].rows[i].cpu_s.repeats > most) most = study->methods[k].rows[i].cpu_s.repeats;
    return most;
}

static void print_title(const cmd_study *study, FILE *stream)
{
    const long repeats = repeats_of(study);
    const cmd_model *m = &study->reference.model;
    const cmd_row *row = &study->methods[0].rows[0];
    fprintf(stream, "%s: %s\n  ", m->cls->name, m->cls->text);
    cmd_write_parameters(m, stream);
    fprintf(stream, "atol = %s rtol, t = %s .. %s, ", cmd_number("%g", m->model.atol / m->model.rtol),
            cmd_format_shortest(m->model.t0), cmd_format_shortest(row->t_end));
    if (!m->model.is_dae) fprintf(stream, "form %s, ", row->form);
    fprintf(stream, "%ld %s\n  reference: %s\n\n", repeats, repeats == 1 ? "run each" : "runs each",
            study->reference.source);
}

void cmd_study_fill_runs(const cmd_study *study, cmd_table *table)
{
    cmd_table_begin(table, "<solver\t<formalism\t<jacobian=Jacobian\trtol\t<status\tsteps\t#fc=residual calls\t"
                           "cpu ms=cpu [ms]\tiqr=cpu iqr [ms]\terr p=error of p\terr v=of v\terr l=of lam");
    for (int k = 0; k < study->n_methods; k++)
        for (int i = 0; i < study->methods[k].n_rows; i++) add_run(table, &study->methods[k].rows[i]);
}

static void print_runs(const cmd_study *study, FILE *stream)
{
    cmd_table table;
    cmd_study_fill_runs(study, &table);
    cmd_table_print(&table, 2, stream);
}

/** Return 1 if a method reaches this error. */
static int is_reached(const cmd_study *study, double error)
{
    for (int k = 0; k < study->n_methods; k++)
        for (int w = 0; w < CMD_N_DRAWN; w++)
            if (isfinite(cmd_study_equal(study, k, error).work[w])) return 1;
    return 0;
}

void cmd_study_fill_equal(const cmd_study *study, cmd_table *table)
{
    cmd_table_begin(table,
                    "err p=error of p\t<solver\tcpu ms=cpu [ms]\t/ fastest=relative to the fastest\t/ resida=relative "
                    "to resida\t#fc=residual calls\t/ fewest=relative to the fewest\t/ resida=relative to resida");
    for (int i = 0; i < CMD_N_LEVELS; i++)
        for (int k = 0; k < study->n_methods && is_reached(study, cmd_levels[i]); k++) {
            cmd_equal e = cmd_study_equal(study, k, cmd_levels[i]);
            add_equal(table, &study->methods[k], cmd_levels[i], &e);
        }
}

static void print_equal(const cmd_study *study, FILE *stream)
{
    cmd_table table;
    cmd_study_fill_equal(study, &table);
    fputs("\n  At equal error:\n\n", stream);
    cmd_table_print(&table, 2, stream);
}

static void print_legend(FILE *stream)
{
    fputs("\ncpu ms: median processor time of a run; iqr: its interquartile range. #fc: all residual calls.\nerr: "
          "maximum difference of p, v, lam from the reference at the end; -: unknown, or too close to the uncertainty "
          "of\na computed reference. At equal error: logarithmic interpolation between runs, without extrapolation. A "
          "run is omitted\nif a run with a tighter tolerance has a larger error. A run that costs more than a run with "
          "a tighter tolerance\ncounts with the cost of the latter. / fastest, / fewest: ratio to the best method; / "
          "resida: ratio to the first method.\n",
          stream);
}

void cmd_study_text(const cmd_study *study, int whole, FILE *stream)
{
    print_title(study, stream);
    print_runs(study, stream);
    if (!whole) return;
    print_equal(study, stream);
    print_legend(stream);
}
