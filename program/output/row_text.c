/* row_text.c - the same numbers as in JSON, with "-" for what is unknown. Times in the table are milliseconds. */
#include "row_text.h"

#include <math.h>
#include <resida/solver.h>
#include <string.h>

enum { HIGHEST_ORDER = 5 };

const char *cmd_count(long value)
{
    return value < 0 ? "-" : cmd_number("%ld", value);
}

/** Infinite is not known, too. */
static const char *finite(const char *format, double value)
{
    return isfinite(value) ? cmd_number(format, value) : "-";
}

const char *cmd_tiny(double value)
{
    return value == 0 ? "0" : finite("%.1e", value);
}

const char *cmd_millis(double seconds)
{
    return finite("%.3f", 1e3 * seconds);
}

static const char *word(const char *text)
{
    return text && text[0] ? text : "-";
}

const char *cmd_row_strategy(const cmd_row *row, char text[CMD_STRATEGY_SIZE])
{
    if (!row->asked[0] || strcmp(row->asked, row->jacobian) == 0) return word(row->jacobian);
    snprintf(text, CMD_STRATEGY_SIZE, "%s: %s", row->asked, row->jacobian);
    return text;
}

const char *cmd_row_state(const cmd_row *row)
{
    if (row->outcome == CMD_FAILED) return word(row->code);
    return row->outcome == CMD_OK && !cmd_row_counts(row) ? "inaccurate" : cmd_outcome_name(row->outcome);
}

const char *cmd_row_reference(const cmd_row *row, char text[CMD_REFERENCE_SIZE])
{
    const resida_model *m = &row->model->model;
    const double *doubt = m->reference_doubt;
    const char *source = m->reference_source ? m->reference_source : "the model's";
    snprintf(text, CMD_REFERENCE_SIZE, "%s", row->has_reference ? source : "");
    if (!row->has_reference || !doubt) return text;
    const size_t used = strlen(text), room = CMD_REFERENCE_SIZE - used;
    if (m->is_dae)
        snprintf(text + used, room, "; doubt y %s", cmd_tiny(doubt[0]));
    else
        snprintf(text + used, room, "; doubt p %s, v %s, lam %s", cmd_tiny(doubt[0]), cmd_tiny(doubt[1]),
                 cmd_tiny(doubt[2]));
    return text;
}

void cmd_text_parameters(const cmd_model *model, FILE *stream)
{
    for (int k = 0; k < model->cls->n_parameters; k++)
        fprintf(stream, "%s = %s, ", model->cls->parameters[k].name, cmd_value_text(&model->values[k]));
}

enum { N_COLUMNS = 22, OF_A_PEER = 21 };

void cmd_rows_show(cmd_table *table, int has_peers, FILE *stream)
{
    int widths[N_COLUMNS] = {6, 9, 18, 6, 9, 6, 4, 6, 4, 7, 6, 5, 4, 5, 6, 6, 15, 5, 5, 5, 5, 5};
    if (has_peers) widths[0] = OF_A_PEER; /* "ida+analytic, order 4" */
    cmd_table_show(table, widths, 2, stream);
}

void cmd_rows_begin(cmd_table *table)
{
    cmd_table_begin(table, "<solver\t<formalism\t<jacobian\t<status\tcpu ms\tsteps\tetf\tnit\tnf\t#fc\t%\t#Je\t#rp\t"
                           "#up\tgr/bd\t<lin\tsetups\terr p\terr v\terr l\t|g|\t|gv|");
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

const char *cmd_percent(double value, double whole)
{
    return value >= 0 && whole > 0 ? cmd_number("%.1f", 100 * value / whole) : "-";
}

long cmd_row_evaluations(const cmd_row *row)
{
    return sum(row->stats.jacobian_evaluations.dense, row->stats.jacobian_evaluations.coloured);
}

/** What it cost. */
static void add_counters(cmd_table *table, const cmd_row *row, long whole)
{
    const resida_stats *s = &row->stats;
    long calls = row->outcome == CMD_OK ? s->residual_calls.total : -1;
    cmd_table_cells(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s/%s/%s/%s/%s", cmd_count(s->steps),
                    cmd_count(s->error_test_fails), cmd_count(s->newton_iterations), cmd_count(s->newton_fails),
                    cmd_count(s->residual_calls.total), cmd_percent((double)calls, (double)whole),
                    cmd_count(cmd_row_evaluations(row)), cmd_count(s->repairs), cmd_count(s->jacobian_updates.alpha),
                    s->groups > 0 ? cmd_number("%d/%s", s->groups, cmd_count(s->groups_bound)) : "-",
                    word(s->linear_solver), cmd_count(s->setups.first), cmd_count(s->setups.alpha),
                    cmd_count(s->setups.failure), cmd_count(s->setups.other), cmd_count(s->setups.attempt));
}

void cmd_rows_add(cmd_table *table, const cmd_row *row, long whole)
{
    char jacobian[CMD_STRATEGY_SIZE];
    if (isfinite(row->step))
        cmd_table_cell(table, "%s", row->method);
    else if (row->version && row->max_order < HIGHEST_ORDER)
        cmd_table_cell(table, "%s, order %d", word(row->solver), row->max_order);
    else
        cmd_table_cell(table, "%s", word(row->solver));
    cmd_table_cells(table, "%s\t%s\t%s\t%s", word(row->formalism), cmd_row_strategy(row, jacobian),
                    cmd_outcome_name(row->outcome), cmd_millis(row->cpu_s.median));
    add_counters(table, row, whole);
    cmd_table_cells(table, "%s\t%s\t%s\t%s\t%s", order(row->error.p), order(row->error.v), order(row->error.lam),
                    order(row->drift.g), order(row->drift.gv));
}

void cmd_rows_legend(FILE *stream)
{
    fputs(
        "cpu ms: median processor time of a run. etf: error test failures. nit, nf: Newton iterations, failed ones.\n"
        "#fc: residual calls, all; %: of those in the first row. #Je: Jacobians evaluated; #rp: repaired by GMRES;\n"
        "#up: updated without either. gr/bd: groups of columns / the fewest there can be. lin: linear solver.\n"
        "setups: of J, for first step / changed alpha / failed Newton iteration / other reason / new attempt of a "
        "step.\n"
        "err: largest difference of p, v, lam from the reference at t_end; |g|, |gv|: largest g and G v + gI at the\n"
        "outputs. -: not known (no reference, or an error of less than ten times its doubt; no constraint, columns "
        "not\n"
        "grouped, or not reported).\n"
        "peer, order N: with the maximum order that takes it the fewest residual calls for an error of p no larger.\n",
        stream);
}
