/* compare_table.c - writes the numbers of JSON rows as a table, "-" if unknown; times are in milliseconds. */
#include "compare_table.h"

#include <math.h>

enum { HIGHEST_ORDER = 5, N_COLUMNS = 22, OF_A_PEER = 21 };

static const char *get_known_text(const char *text)
{
    return text && text[0] ? text : "-";
}

void cmd_rows_start_table(cmd_table *table)
{
    cmd_table_begin(table, "<solver\t<formalism\t<jacobian\t<status\tcpu ms\tsteps\tetf\tnit\tnf\t#fc\t%\t#Je\t#rp\t"
                           "#up\tgr/bd\t<lin\tsetups\terr p\terr v\terr l\t|g|\t|gv|");
}

/** Return the order of magnitude of a number. */
static const char *format_magnitude(double value)
{
    return value == 0 ? "0" : isfinite(value) ? cmd_number("%.0e", value) : "-";
}

/** Add the work counters of a row. */
static void add_counters(cmd_table *table, const cmd_row *row, long whole)
{
    const resida_stats *s = &row->stats;
    long calls = row->outcome == CMD_OK ? s->residual_calls.total : -1;
    cmd_table_cells(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s/%s/%s/%s/%s", cmd_count(s->steps),
                    cmd_count(s->error_test_fails), cmd_count(s->newton_iterations), cmd_count(s->newton_fails),
                    cmd_count(s->residual_calls.total), cmd_format_percent((double)calls, (double)whole),
                    cmd_count(cmd_row_evaluations(row)), cmd_count(s->repairs), cmd_count(s->jacobian_updates.alpha),
                    s->groups > 0 ? cmd_number("%d/%s", s->groups, cmd_count(s->groups_bound)) : "-",
                    get_known_text(s->linear_solver), cmd_count(s->setups.first), cmd_count(s->setups.alpha),
                    cmd_count(s->setups.failure), cmd_count(s->setups.other), cmd_count(s->setups.attempt));
}

void cmd_rows_add(cmd_table *table, const cmd_row *row, long whole)
{
    char jacobian[CMD_STRATEGY_SIZE];
    if (isfinite(row->step))
        cmd_table_cell(table, "%s", row->method);
    else if (row->version && row->max_order < HIGHEST_ORDER)
        cmd_table_cell(table, "%s, order %d", get_known_text(row->solver), row->max_order);
    else
        cmd_table_cell(table, "%s", get_known_text(row->solver));
    cmd_table_cells(table, "%s\t%s\t%s\t%s", get_known_text(row->formalism), cmd_row_strategy(row, jacobian),
                    cmd_outcome_name(row->outcome), cmd_format_milliseconds(row->cpu_s.median));
    add_counters(table, row, whole);
    cmd_table_cells(table, "%s\t%s\t%s\t%s\t%s", format_magnitude(row->error.p), format_magnitude(row->error.v),
                    format_magnitude(row->error.lam), format_magnitude(row->drift.g), format_magnitude(row->drift.gv));
}

void cmd_rows_show(cmd_table *table, int has_peers, FILE *stream)
{
    int widths[N_COLUMNS] = {6, 9, 18, 6, 9, 6, 4, 6, 4, 7, 6, 5, 4, 5, 6, 6, 15, 5, 5, 5, 5, 5};
    if (has_peers) widths[0] = OF_A_PEER; /* width of "ida+analytic, order 4" */
    cmd_table_show(table, widths, 2, stream);
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
