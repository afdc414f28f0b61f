/* work_precision_text.c - a row for each run, then one for each error and method. */
#include "row_text.h"
#include "work_precision.h"

#include <math.h>

static const bench_column run_columns[] = {
    {"solver", 1}, {"formalism", 1}, {"jacobian", 1}, {"rtol", 0},  {"status", 1}, {"steps", 0},
    {"#fc", 0},    {"cpu ms", 0},    {"iqr", 0},      {"err p", 0}, {"err v", 0},  {"err l", 0},
};

static const bench_column equal_columns[] = {
    {"err p", 0},    {"solver", 1}, {"cpu ms", 0},   {"/ fastest", 0},
    {"/ resida", 0}, {"#fc", 0},    {"/ fewest", 0}, {"/ resida", 0},
};

static void add_run(bench_table *table, const bench_row *row)
{
    char a[BENCH_NUMBER_SIZE], jacobian[BENCH_STRATEGY_SIZE];
    bench_table_cell(table, "%s", row->solver);
    bench_table_cell(table, "%s", row->formalism[0] ? row->formalism : "-");
    bench_table_cell(table, "%s", bench_row_strategy(row, jacobian));
    bench_table_cell(table, "%s", bench_shortest(row->rtol, a));
    bench_table_cell(table, "%s", row->outcome == BENCH_FAILED ? row->code : bench_outcome_name(row->outcome));
    bench_table_cell(table, "%s", bench_count(row->stats.steps, a));
    bench_table_cell(table, "%s", bench_count(row->stats.residual_calls.total, a));
    bench_table_cell(table, "%s", bench_millis(row->cpu_s.median, a));
    bench_table_cell(table, "%s", bench_millis(row->cpu_s.iqr, a));
    bench_table_cell(table, "%s", bench_tiny(row->error.p, a));
    bench_table_cell(table, "%s", bench_tiny(row->error.v, a));
    bench_table_cell(table, "%s", bench_tiny(row->error.lam, a));
}

/** A quotient. */
static void add_times(bench_table *table, double x)
{
    if (isfinite(x))
        bench_table_cell(table, "%.2f", x);
    else
        bench_table_cell(table, "-");
}

static void add_equal(bench_table *table, const bench_method *method, double error, const bench_equal *e)
{
    char a[BENCH_METHOD_SIZE], b[BENCH_NUMBER_SIZE];
    bench_table_cell(table, "%.0e", error);
    bench_table_cell(table, "%s", bench_method_name(method, a));
    bench_table_cell(table, "%s", bench_millis(e->work[BENCH_CPU], b));
    add_times(table, e->to_least[BENCH_CPU]);
    add_times(table, e->to_resida[BENCH_CPU]);
    if (isfinite(e->work[BENCH_CALLS]))
        bench_table_cell(table, "%.0f", e->work[BENCH_CALLS]);
    else
        bench_table_cell(table, "-");
    add_times(table, e->to_least[BENCH_CALLS]);
    add_times(table, e->to_resida[BENCH_CALLS]);
}

static void print_title(const bench_study *study, FILE *stream)
{
    char text[BENCH_NUMBER_SIZE];
    const bench_model *m = &study->reference.model;
    const bench_row *row = &study->methods[0].rows[0];
    fprintf(stream, "%s: %s\n  ", m->cls->name, m->cls->text);
    bench_text_parameters(m, stream);
    fprintf(stream, "atol = %s rtol, ", bench_shortest(bench_scaled_atol(m, 1), text));
    fprintf(stream, "t = %s", bench_shortest(m->model.t0, text));
    fprintf(stream, " .. %s, ", bench_shortest(row->t_end, text));
    if (!m->model.is_dae) fprintf(stream, "form %s, ", row->form);
    fprintf(stream, "%ld %s\n  reference: %s\n\n", row->cpu_s.repeats,
            row->cpu_s.repeats == 1 ? "run each" : "runs each", study->reference.source);
}

static void print_runs(const bench_study *study, FILE *stream)
{
    bench_table table;
    bench_table_init(&table, run_columns, sizeof run_columns / sizeof run_columns[0]);
    for (int k = 0; k < study->n_methods; k++)
        for (int i = 0; i < study->methods[k].n_rows; i++) add_run(&table, &study->methods[k].rows[i]);
    bench_table_print(&table, 2, stream);
    bench_table_free(&table);
}

/** Does any method reach this error? */
static int is_reached(const bench_study *study, double error)
{
    for (int k = 0; k < study->n_methods; k++)
        for (int w = 0; w < BENCH_N_WORKS; w++)
            if (isfinite(bench_study_equal(study, k, error).work[w])) return 1;
    return 0;
}

static void print_equal(const bench_study *study, FILE *stream)
{
    bench_table table;
    bench_table_init(&table, equal_columns, sizeof equal_columns / sizeof equal_columns[0]);
    for (int i = 0; i < BENCH_N_LEVELS; i++)
        for (int k = 0; k < study->n_methods && is_reached(study, bench_levels[i]); k++) {
            bench_equal e = bench_study_equal(study, k, bench_levels[i]);
            add_equal(&table, &study->methods[k], bench_levels[i], &e);
        }
    fputs("\n  At equal error:\n\n", stream);
    bench_table_print(&table, 2, stream);
    bench_table_free(&table);
}

static void print_legend(FILE *stream)
{
    fputs("\ncpu ms: median processor time of a run; iqr: its interquartile range. #fc: residual calls, all.\n"
          "err: largest difference of p, v, lam from the reference at the end; -: not known, or too close to the doubt "
          "in\n"
          "a computed reference. At equal error: on straight lines in logarithms between runs; a run whose error a "
          "tighter\n"
          "tolerance exceeds is left out, one that costs more than a tighter one counts with the cost of that; nothing "
          "is\n"
          "extrapolated. / fastest, / fewest: as a multiple of the best; / resida: of the first method.\n",
          stream);
}

void bench_study_text(const bench_study *study, int whole, FILE *stream)
{
    print_title(study, stream);
    print_runs(study, stream);
    if (!whole) return;
    print_equal(study, stream);
    print_legend(stream);
}
