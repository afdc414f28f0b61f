/* row_text.c - the same numbers as in JSON, with "-" for what is unknown. Times in the table are milliseconds. */
#include "row_text.h"

#include "derivatives.h"
#include "row_calls.h"
#include "row_profile.h"

#include <math.h>
#include <resida/solver.h>
#include <string.h>

enum { HIGHEST_ORDER = 5 };

const char *bench_count(long value)
{
    return value < 0 ? "-" : bench_number("%ld", value);
}

/** Infinite is not known, too. */
static const char *finite(const char *format, double value)
{
    return isfinite(value) ? bench_number(format, value) : "-";
}

const char *bench_tiny(double value)
{
    return value == 0 ? "0" : finite("%.1e", value);
}

/** Digits that are right. */
static const char *tenths(double value)
{
    return finite("%.1f", value);
}

const char *bench_millis(double seconds)
{
    return finite("%.3f", 1e3 * seconds);
}

static const char *word(const char *text)
{
    return text && text[0] ? text : "-";
}

const char *bench_row_strategy(const bench_row *row, char text[BENCH_STRATEGY_SIZE])
{
    if (!row->asked[0] || strcmp(row->asked, row->jacobian) == 0) return word(row->jacobian);
    snprintf(text, BENCH_STRATEGY_SIZE, "%s: %s", row->asked, row->jacobian);
    return text;
}

const char *bench_row_state(const bench_row *row)
{
    if (row->outcome == BENCH_FAILED) return word(row->code);
    return row->outcome == BENCH_OK && !bench_row_counts(row) ? "inaccurate" : bench_outcome_name(row->outcome);
}

void bench_text_parameters(const bench_model *model, FILE *stream)
{
    for (int k = 0; k < model->cls->n_parameters; k++)
        fprintf(stream, "%s = %s, ", model->cls->parameters[k].name, bench_value_text(&model->values[k]));
}

static void text_problem(const bench_row *row, FILE *f)
{
    char jacobian[BENCH_STRATEGY_SIZE];
    const bench_model *m = row->model;
    fprintf(f, "%s: %s\n", m->cls->name, m->cls->text);
    if (m->cls->n_parameters > 0) fprintf(f, "  parameters   ");
    for (int k = 0; k < m->cls->n_parameters; k++)
        fprintf(f, "%s = %s%s", m->cls->parameters[k].name, bench_value_text(&m->values[k]),
                k + 1 < m->cls->n_parameters ? ", " : "\n");
    fprintf(f, "  solved by    %s, ", row->solver);
    if (m->model.is_dae)
        fputs("general DAE, ", f);
    else
        fprintf(f, "%s formalism, form %s, ", word(row->formalism), word(row->form));
    fprintf(f, "Jacobian %s, linear solver %s\n", bench_row_strategy(row, jacobian), word(row->stats.linear_solver));
    if (isfinite(row->step)) fprintf(f, "  method       %s, step %s\n", row->method, bench_shortest(row->step));
    fprintf(f, "  tolerances   rtol %s, atol %s\n", bench_shortest(row->rtol), bench_shortest(row->atol));
}

static void text_result(const bench_row *row, FILE *f)
{
    fprintf(f, "  result       %s", bench_outcome_name(row->outcome));
    if (isfinite(row->t_reached)) fprintf(f, ", t = %.8g", row->t_reached);
    if (row->outcome != BENCH_OK && isfinite(row->t_reached)) fprintf(f, " of %.8g", row->t_end);
    if (!isfinite(row->t_reached)) fputs(" at the start", f);
    if (row->code) fprintf(f, " (%s)", row->code);
    fputc('\n', f);
    if (row->outcome == BENCH_FAILED) fprintf(f, "  reason       %s\n", row->message);
    if (row->code && strcmp(row->code, resida_status_name(RESIDA_ERR_REDUNDANT)) == 0)
        fputs("  way out      --drop-redundant solves without the constraints that follow from others\n", f);
    for (int i = 0; i < row->n_warnings; i++) fprintf(f, "  warning      %s\n", row->warnings[i]);
}

static void text_time(const bench_row *row, FILE *f)
{
    fprintf(f, "  cpu time     %s ms", bench_millis(row->cpu_s.median));
    if (row->cpu_s.repeats > 1)
        fprintf(f, " median of %ld runs, min %s, interquartile range %s", row->cpu_s.repeats,
                bench_millis(row->cpu_s.min), bench_millis(row->cpu_s.iqr));
    fputc('\n', f);
}

/** A run that has not begun has counters of its start alone. */
static void text_start(const resida_stats *s, FILE *f)
{
    fprintf(f, "  size         %s unknowns\n", bench_count(s->n));
    fprintf(f, "  residuals    %s, no step was tried\n", bench_count(s->residual_calls.total));
    bench_calls_text(s, f);
}

static void text_counters(const resida_stats *s, FILE *f)
{
    fprintf(f, "  size         %s unknowns, %s entries in J", bench_count(s->n), bench_count(s->nnz));
    if (s->groups > 0) fprintf(f, ", columns in %d groups (at least %s)", s->groups, bench_count(s->groups_bound));
    fputc('\n', f);
    fprintf(f, "  steps        %s, %s error test failures; order %s and h = %s s at last\n", bench_count(s->steps),
            bench_count(s->error_test_fails), bench_count(s->order), bench_tiny(s->h));
    if (s->order_limits.set > 0)
        fprintf(f, "  order        limited to 2 for stability %s times, set free %s times, %s steps under the limit\n",
                bench_count(s->order_limits.set), bench_count(s->order_limits.freed),
                bench_count(s->order_limits.steps));
    fprintf(f, "  Newton       %s iterations, %s failures\n", bench_count(s->newton_iterations),
            bench_count(s->newton_fails));
    fprintf(f, "  residuals    %s = Newton %s + Jacobian %s + pattern %s + start %s\n",
            bench_count(s->residual_calls.total), bench_count(s->residual_calls.newton),
            bench_count(s->residual_calls.jacobian), bench_count(s->residual_calls.pattern),
            bench_count(s->residual_calls.start));
    fprintf(f, "  Jacobian     evaluated %s dense, %s coloured; updated %s, %s with excitation, %s with blocks\n",
            bench_count(s->jacobian_evaluations.dense), bench_count(s->jacobian_evaluations.coloured),
            bench_count(s->jacobian_updates.alpha), bench_count(s->jacobian_updates.excitation),
            bench_count(s->jacobian_updates.blocks));
    fprintf(f, "  set up       %s first, %s alpha, %s failure, %s other, %s attempt\n", bench_count(s->setups.first),
            bench_count(s->setups.alpha), bench_count(s->setups.failure), bench_count(s->setups.other),
            bench_count(s->setups.attempt));
    bench_calls_text(s, f);
    if (s->root_calls > 0)
        fprintf(f, "  events       %s, %s in doubt, %s root calls\n", bench_count(s->events),
                bench_count(s->events_in_doubt), bench_count(s->root_calls));
}

/* Redundant constraints. */
static void text_rows(const bench_row *row, FILE *f)
{
    if (row->dropped[0])
        fprintf(f, "  dropped      %s; chosen anew %s times\n", row->dropped, bench_count(row->stats.row_changes));
}

/** "p 1.0e-05, v 2.0e-05, lam 1.0e-03, absolute; relative: 5.1, 4.4, 3.0 digits" */
static void text_groups(int is_dae, const bench_groups *error, const bench_groups *digits, FILE *f)
{
    if (is_dae) {
        fprintf(f, "%s, absolute; relative: %s digits", bench_tiny(error->p), tenths(digits->p));
        return;
    }
    fprintf(f, "p %s, v %s, lam %s, absolute; ", bench_tiny(error->p), bench_tiny(error->v), bench_tiny(error->lam));
    fprintf(f, "relative: %s, %s, %s digits", tenths(digits->p), tenths(digits->v), tenths(digits->lam));
}

static void text_estimate(const bench_row *row, FILE *f)
{
    const bench_row *fine = row->fine;
    if (!fine) return;
    fputs("  estimate     ", f);
    if (fine->outcome == BENCH_OK)
        text_groups(row->model->model.is_dae, &row->estimate.error, &row->estimate.digits, f);
    else
        fprintf(f, "none: %s", fine->message);
    fprintf(f, "\n  second run   rtol %s, atol %s", bench_shortest(fine->rtol), bench_shortest(fine->atol));
    if (isfinite(fine->step)) fprintf(f, ", step %s", bench_shortest(fine->step));
    fprintf(f, ": %s steps, %s residual calls", bench_count(fine->stats.steps),
            bench_count(fine->stats.residual_calls.total));
    fprintf(f, ", %s ms\n", bench_millis(fine->cpu_s.median));
}

static void text_errors(const bench_row *row, FILE *f)
{
    const char *source = row->model->model.reference_source;
    int known = isfinite(row->error.p) || isfinite(row->error.v) || isfinite(row->error.lam);
    if (known) fputs("  error        ", f);
    if (known) text_groups(row->model->model.is_dae, &row->error, &row->digits, f);
    if (known) fprintf(f, "%s%s\n", source ? "\n  reference    " : "", source ? source : "");
    text_estimate(row, f);
    const int has_g = isfinite(row->drift.gv), has_k = isfinite(row->drift.k);
    if (has_g || has_k) fputs("  drift        ", f);
    if (has_g) fprintf(f, "|g| %s, |G v + gI| %s", bench_tiny(row->drift.g), bench_tiny(row->drift.gv));
    if (has_k) fprintf(f, "%s|k| %s", has_g ? ", " : "", bench_tiny(row->drift.k));
    if (has_g || has_k) fputs("\n", f);
}

void bench_row_text(const bench_row *row, FILE *stream)
{
    char sundials[32];
    text_problem(row, stream);
    text_result(row, stream);
    text_time(row, stream);
    if (row->outcome == BENCH_FAILED && row->stats.steps <= 0 && row->stats.newton_iterations <= 0)
        text_start(&row->stats, stream);
    else
        text_counters(&row->stats, stream);
    bench_derivatives_text(row->derivatives, stream);
    text_rows(row, stream);
    text_errors(row, stream);
    bench_limits_text(row, stream);
    bench_profile_text(&row->stats, stream);
    if (resida_sundials_version(sundials, sizeof sundials) < 0) sundials[0] = 0;
    fprintf(stream, "  versions     resida %s, SUNDIALS %s, %s", resida_version(), word(sundials), bench_compiler());
    fprintf(stream, "%s%s\n", row->version ? ", by " : "", row->version ? row->version : "");
    for (int i = 0; i < row->n_hints; i++) fprintf(stream, "  hint         %s\n", row->hints[i]);
}

static const bench_column columns[] = {
    {"solver", 1, NULL, NULL}, {"formalism", 1, NULL, NULL}, {"jacobian", 1, NULL, NULL}, {"status", 1, NULL, NULL},
    {"cpu ms", 0, NULL, NULL}, {"steps", 0, NULL, NULL},     {"etf", 0, NULL, NULL},      {"nit", 0, NULL, NULL},
    {"nf", 0, NULL, NULL},     {"#fc", 0, NULL, NULL},       {"%", 0, NULL, NULL},        {"#Je", 0, NULL, NULL},
    {"#up", 0, NULL, NULL},    {"gr/bd", 0, NULL, NULL},     {"lin", 1, NULL, NULL},      {"setups", 0, NULL, NULL},
    {"err p", 0, NULL, NULL},  {"err v", 0, NULL, NULL},     {"err l", 0, NULL, NULL},    {"|g|", 0, NULL, NULL},
    {"|gv|", 0, NULL, NULL},
};

enum { N_COLUMNS = sizeof columns / sizeof columns[0], OF_A_PEER = 21 };

void bench_rows_show(bench_table *table, int has_peers, FILE *stream)
{
    int widths[N_COLUMNS] = {6, 9, 18, 6, 9, 6, 4, 6, 4, 7, 6, 5, 5, 6, 6, 15, 5, 5, 5, 5, 5};
    if (has_peers) widths[0] = OF_A_PEER; /* "ida+analytic, order 4" */
    bench_table_show(table, widths, 2, stream);
}

void bench_rows_begin(bench_table *table)
{
    bench_table_init(table, columns, N_COLUMNS);
}

/** a + b, unknown if one is. */
static long sum(long a, long b)
{
    return a < 0 || b < 0 ? -1 : a + b;
}

/** The order of magnitude. */
static const char *order(double value)
{
    return value == 0 ? "0" : finite("%.0e", value);
}

const char *bench_percent(double value, double whole)
{
    return value >= 0 && whole > 0 ? bench_number("%.1f", 100 * value / whole) : "-";
}

long bench_row_evaluations(const bench_row *row)
{
    return sum(row->stats.jacobian_evaluations.dense, row->stats.jacobian_evaluations.coloured);
}

/** What it cost. */
static void add_counters(bench_table *table, const bench_row *row, long whole)
{
    const resida_stats *s = &row->stats;
    long calls = row->outcome == BENCH_OK ? s->residual_calls.total : -1;
    bench_table_cells(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s/%s/%s/%s/%s", bench_count(s->steps),
                      bench_count(s->error_test_fails), bench_count(s->newton_iterations), bench_count(s->newton_fails),
                      bench_count(s->residual_calls.total), bench_percent((double)calls, (double)whole),
                      bench_count(bench_row_evaluations(row)), bench_count(s->jacobian_updates.alpha),
                      s->groups > 0 ? bench_number("%d/%s", s->groups, bench_count(s->groups_bound)) : "-",
                      word(s->linear_solver), bench_count(s->setups.first), bench_count(s->setups.alpha),
                      bench_count(s->setups.failure), bench_count(s->setups.other), bench_count(s->setups.attempt));
}

void bench_rows_add(bench_table *table, const bench_row *row, long whole)
{
    char jacobian[BENCH_STRATEGY_SIZE];
    if (isfinite(row->step))
        bench_table_cell(table, "%s", row->method);
    else if (row->version && row->max_order < HIGHEST_ORDER)
        bench_table_cell(table, "%s, order %d", word(row->solver), row->max_order);
    else
        bench_table_cell(table, "%s", word(row->solver));
    bench_table_cells(table, "%s\t%s\t%s\t%s", word(row->formalism), bench_row_strategy(row, jacobian),
                      bench_outcome_name(row->outcome), bench_millis(row->cpu_s.median));
    add_counters(table, row, whole);
    bench_table_cells(table, "%s\t%s\t%s\t%s\t%s", order(row->error.p), order(row->error.v), order(row->error.lam),
                      order(row->drift.g), order(row->drift.gv));
}

void bench_rows_legend(FILE *stream)
{
    fputs(
        "cpu ms: median processor time of a run. etf: error test failures. nit, nf: Newton iterations, failed ones.\n"
        "#fc: residual calls, all; %: of those in the first row. #Je: Jacobians evaluated; #up: updated without\n"
        "evaluation. gr/bd: groups of columns / the fewest there can be. lin: linear solver.\n"
        "setups: of J, for first step / changed alpha / failed Newton iteration / other reason / new attempt of a "
        "step.\n"
        "err: largest difference of p, v, lam from the reference at t_end; |g|, |gv|: largest g and G v + gI at the\n"
        "outputs. -: not known (no reference, no constraint, columns not grouped, or not reported).\n"
        "peer, order N: with the maximum order that takes it the fewest residual calls for an error of p no larger.\n",
        stream);
}
