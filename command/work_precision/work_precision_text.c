/* work_precision_text.c - a row for each run, then one for each error and method. */
#include "command/output/row_text.h"
#include "work_precision.h"

#include <math.h>

static const bench_column run_columns[] = {
    {"solver", 1, NULL, NULL},          {"formalism", 1, NULL, NULL},
    {"jacobian", 1, "Jacobian", NULL},  {"rtol", 0, NULL, NULL},
    {"status", 1, NULL, NULL},          {"steps", 0, NULL, NULL},
    {"#fc", 0, "residual calls", NULL}, {"cpu ms", 0, "cpu [ms]", NULL},
    {"iqr", 0, "cpu iqr [ms]", NULL},   {"err p", 0, "error of p", NULL},
    {"err v", 0, "of v", NULL},         {"err l", 0, "of lam", NULL},
};

static const bench_column equal_columns[] = {
    {"err p", 0, "error of p", NULL},         {"solver", 1, NULL, NULL},          {"cpu ms", 0, "cpu [ms]", NULL},
    {"/ fastest", 0, "to the fastest", NULL}, {"/ resida", 0, "to resida", NULL}, {"#fc", 0, "residual calls", NULL},
    {"/ fewest", 0, "to the fewest", NULL},   {"/ resida", 0, "to resida", NULL},
};

static void add_run(bench_table *table, const bench_row *row)
{
    char jacobian[BENCH_STRATEGY_SIZE];
    bench_table_cells(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", row->solver,
                      row->formalism[0] ? row->formalism : "-", bench_row_strategy(row, jacobian),
                      bench_shortest(row->rtol), bench_row_state(row), bench_count(row->stats.steps),
                      bench_count(row->stats.residual_calls.total),
                      bench_millis(bench_row_counts(row) ? row->cpu_s.median : NAN),
                      bench_millis(bench_row_counts(row) ? row->cpu_s.iqr : NAN), bench_tiny(row->error.p),
                      bench_tiny(row->error.v), bench_tiny(row->error.lam));
}

/** A quotient. */
static const char *times(double x)
{
    return isfinite(x) ? bench_number("%.2f", x) : "-";
}

static void add_equal(bench_table *table, const bench_method *method, double error, const bench_equal *e)
{
    char a[BENCH_METHOD_SIZE];
    bench_table_cells(table, "%.0e\t%s\t%s\t%s\t%s\t%s\t%s\t%s", error, bench_method_name(method, a),
                      bench_millis(e->work[BENCH_CPU]), times(e->to_least[BENCH_CPU]), times(e->to_resida[BENCH_CPU]),
                      bench_figure("%.0f", e->work[BENCH_CALLS]), times(e->to_least[BENCH_CALLS]),
                      times(e->to_resida[BENCH_CALLS]));
}

/** Of a run that fails there is one only. */
static long repeats_of(const bench_study *study)
{
    long most = 0;
    for (int k = 0; k < study->n_methods; k++)
        for (int i = 0; i < study->methods[k].n_rows; i++)
            if (study->methods[k].rows[i].cpu_s.repeats > most) most = study->methods[k].rows[i].cpu_s.repeats;
    return most;
}

static void print_title(const bench_study *study, FILE *stream)
{
    const long repeats = repeats_of(study);
    const bench_model *m = &study->reference.model;
    const bench_row *row = &study->methods[0].rows[0];
    fprintf(stream, "%s: %s\n  ", m->cls->name, m->cls->text);
    bench_text_parameters(m, stream);
    fprintf(stream, "atol = %s rtol, t = %s .. %s, ", bench_shortest(bench_scaled_atol(m, 1)),
            bench_shortest(m->model.t0), bench_shortest(row->t_end));
    if (!m->model.is_dae) fprintf(stream, "form %s, ", row->form);
    fprintf(stream, "%ld %s\n  reference: %s\n\n", repeats, repeats == 1 ? "run each" : "runs each",
            study->reference.source);
}

void bench_study_fill_runs(const bench_study *study, bench_table *table)
{
    bench_table_init(table, run_columns, sizeof run_columns / sizeof run_columns[0]);
    for (int k = 0; k < study->n_methods; k++)
        for (int i = 0; i < study->methods[k].n_rows; i++) add_run(table, &study->methods[k].rows[i]);
}

static void print_runs(const bench_study *study, FILE *stream)
{
    bench_table table;
    bench_study_fill_runs(study, &table);
    bench_table_print(&table, 2, stream);
}

/** Does any method reach this error? */
static int is_reached(const bench_study *study, double error)
{
    for (int k = 0; k < study->n_methods; k++)
        for (int w = 0; w < BENCH_N_DRAWN; w++)
            if (isfinite(bench_study_equal(study, k, error).work[w])) return 1;
    return 0;
}

void bench_study_fill_equal(const bench_study *study, bench_table *table)
{
    bench_table_init(table, equal_columns, sizeof equal_columns / sizeof equal_columns[0]);
    for (int i = 0; i < BENCH_N_LEVELS; i++)
        for (int k = 0; k < study->n_methods && is_reached(study, bench_levels[i]); k++) {
            bench_equal e = bench_study_equal(study, k, bench_levels[i]);
            add_equal(table, &study->methods[k], bench_levels[i], &e);
        }
}

static void print_equal(const bench_study *study, FILE *stream)
{
    bench_table table;
    bench_study_fill_equal(study, &table);
    fputs("\n  At equal error:\n\n", stream);
    bench_table_print(&table, 2, stream);
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
