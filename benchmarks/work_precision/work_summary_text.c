/* work_summary_text.c - the summary as text: two tables of ratios, the causes of each ratio that misses the target, and
 * errors that could not be compared. Causes are measured numbers only:
 *
 *     cpu = steps (cpu / steps),    cpu = calls (time of a call) + all else,
 *     each of resida and of the peer */
#include "program/base/wrap.h"
#include "program/output/row_text.h"
#include "work_summary.h"

#include <math.h>
#include <string.h>

const char cmd_summary_legend[] =
    "The ratios are the processor time of resida divided by that of the fastest peer at equal error; the table names "
    "this peer. The peers are dassl, daspk, ida, petsc-bdf and radau5. Times are medians of all repeats. They are "
    "interpolated logarithmically between runs and not extrapolated. ida+analytic is excluded, because it receives "
    "exact derivatives and resida does not. Calls: all residual calls, divided by those of the same peer. mean: "
    "geometric mean over the errors that have a ratio; in the last row over the models. The time of a call is measured "
    "separately, at the start, with all data in the cache.";

static void add_ratio(cmd_table *table, double ratio, const char *peer)
{
    const int is_known = !isnan(ratio);
    cmd_table_cell(table, "%s%s%s", cmd_format_ratio(ratio), is_known && peer ? " " : "", is_known && peer ? peer : "");
}

static void fill_ratios(const cmd_summary *s, cmd_table *table, int which)
{
    cmd_table_begin(table, "<model\t<1e-3\t<1e-4\t<1e-5\t<1e-6\t<1e-7\tmean");
    for (int k = 0; k < s->n; k++) {
        const cmd_summary_line *line = &s->lines[k];
        cmd_table_cell(table, "%s", line->model);
        for (int i = 0; i < CMD_N_LEVELS; i++)
            add_ratio(table, cmd_versus_ratio(&line->at[i], which), which == CMD_CPU ? line->at[i].peer : NULL);
        add_ratio(table, cmd_summary_mean(line, which), NULL);
    }
    cmd_table_cell(table, "geometric mean");
    for (int i = 0; i < CMD_N_LEVELS; i++) cmd_table_cell(table, "-");
    add_ratio(table, cmd_summary_mean_all(s, which), NULL);
}

void cmd_summary_fill_cpu(const cmd_summary *s, cmd_table *table)
{
    fill_ratios(s, table, CMD_CPU);
}

void cmd_summary_fill_calls(const cmd_summary *s, cmd_table *table)
{
    fill_ratios(s, table, CMD_CALLS);
}

/** Write the microseconds of a step, and the percentage spent in residual calls. */
static int say_step(char *text, size_t size, const double work[CMD_N_WORKS], double call_s)
{
    double calls_s = work[CMD_CALLS] * call_s;
    return snprintf(text, size, "%.3g us, of which %.0f %% are %.3g calls of %.3g us",
                    1e6 * work[CMD_CPU] / work[CMD_STEPS], 100 * calls_s / work[CMD_CPU],
                    work[CMD_CALLS] / work[CMD_STEPS], 1e6 * call_s);
}

/** Return the time of a call for which both would need equal time, all else unchanged; NaN: no such time. */
static double even_call_s(const cmd_versus *v)
{
    double fewer = v->theirs[CMD_CALLS] - v->own[CMD_CALLS];
    double own_rest = v->own[CMD_CPU] - v->own[CMD_CALLS] * v->own_call_s;
    double their_rest = v->theirs[CMD_CPU] - v->theirs[CMD_CALLS] * v->their_call_s;
    return fewer > 0 && own_rest > their_rest ? (own_rest - their_rest) / fewer : NAN;
}

const char *cmd_versus_why(const cmd_versus *v, char text[CMD_REASON_SIZE])
{
    char own[CMD_REASON_SIZE / 4], theirs[CMD_REASON_SIZE / 4], even[64] = "";
    double calls_ms = 1e3 * (v->own[CMD_CALLS] * v->own_call_s - v->theirs[CMD_CALLS] * v->their_call_s);
    double more_ms = 1e3 * (v->own[CMD_CPU] - v->theirs[CMD_CPU]), even_s = even_call_s(v);
    say_step(own, sizeof own, v->own, v->own_call_s);
    say_step(theirs, sizeof theirs, v->theirs, v->their_call_s);
    if (!isnan(even_s)) snprintf(even, sizeof even, "; equal times at %.3g us per call", 1e6 * even_s);
    snprintf(text, CMD_REASON_SIZE,
             "calls: ratio %.2f; steps: ratio %.2f; step of resida: %s; step of the peer: %s; difference %+.3g ms: "
             "calls %+.3g, other work %+.3g%s",
             cmd_versus_ratio(v, CMD_CALLS), cmd_versus_ratio(v, CMD_STEPS), own, theirs, more_ms, calls_ms,
             more_ms - calls_ms, even);
    return text;
}

static void add_slower(cmd_table *table, const char *model, double error, const cmd_versus *v)
{
    char text[CMD_REASON_SIZE];
    double ratio = cmd_versus_ratio(v, CMD_CPU);
    cmd_table_cells(table, "%s\t%.0e\t%.2f\t%s\t%s\t%s\t%s", model, error, ratio, v->peer,
                    cmd_format_milliseconds(v->own[CMD_CPU]), cmd_format_milliseconds(v->theirs[CMD_CPU]),
                    cmd_versus_why(v, text));
}

void cmd_summary_fill_slower(const cmd_summary *s, cmd_table *table)
{
    cmd_table_begin(table, "<model\terr p=error of p\tratio=ratio of cpu\t<peer\tcpu ms=cpu of resida [ms]\tpeer "
                           "ms=cpu of the peer [ms]\t<reason");
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < CMD_N_LEVELS; i++)
            if (cmd_versus_ratio(&s->lines[k].at[i], CMD_CPU) > 1)
                add_slower(table, s->lines[k].model, cmd_levels[i], &s->lines[k].at[i]);
}

void cmd_summary_fill_left_out(const cmd_summary *s, cmd_table *table)
{
    cmd_table_begin(table, "<model\terr p=error of p\t<reason");
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < CMD_N_LEVELS; i++) {
            if (s->lines[k].at[i].peer) continue;
            cmd_table_cells(table, "%s\t%.0e\t%s", s->lines[k].model, cmd_levels[i], s->lines[k].at[i].not_compared);
        }
}

void cmd_summary_fill_references(const cmd_summary *s, cmd_table *table)
{
    cmd_table_begin(table, "<model\t<reference");
    for (int k = 0; k < s->n; k++) {
        cmd_table_cells(table, "%s\t%s", s->lines[k].model, s->lines[k].reference);
    }
}

const char *cmd_summary_words(const cmd_summary *s, char text[CMD_REASON_SIZE])
{
    int compared = 0, slower = 0;
    double worst = NAN;
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < CMD_N_LEVELS; i++) {
            double ratio = cmd_versus_ratio(&s->lines[k].at[i], CMD_CPU);
            compared += !isnan(ratio);
            slower += ratio > 1;
            worst = fmax(worst, ratio);
        }
    int n = snprintf(text, CMD_REASON_SIZE, "%d of %d errors of %d model%s compared", compared, s->n * CMD_N_LEVELS,
                     s->n, s->n == 1 ? "" : "s");
    if (compared > 0 && n > 0)
        snprintf(text + n, CMD_REASON_SIZE - (size_t)n,
                 ": resida is at least as fast as the fastest peer at %d of them, and slower at %d; maximum ratio of "
                 "the processor times %s, geometric mean over the models %s",
                 compared - slower, slower, cmd_format_ratio(worst),
                 cmd_format_ratio(cmd_summary_mean_all(s, CMD_CPU)));
    strcat(text, ".");
    return text;
}

enum { WIDTH = 120 };

/** Print a table with a heading, unless the table is empty. */
static void print(const cmd_summary *s, cmd_summary_fill_fn *fill, const char *heading, FILE *stream)
{
    cmd_table table;
    fill(s, &table);
    if (table.n_cells > 0) {
        fprintf(stream, "\n  %s:\n\n", heading);
        cmd_table_print(&table, 2, stream);
    }
    cmd_table_free(&table);
}

void cmd_summary_text(const cmd_summary *s, FILE *stream)
{
    char words[CMD_REASON_SIZE];
    print(s, cmd_summary_fill_references, "References of the errors", stream);
    print(s, cmd_summary_fill_cpu, "Processor time at equal error, relative to the fastest peer", stream);
    print(s, cmd_summary_fill_calls, "Residual calls at equal error, relative to the same peer", stream);
    print(s, cmd_summary_fill_slower, "Errors at which the fastest peer is faster, and the reasons", stream);
    print(s, cmd_summary_fill_left_out, "Not compared", stream);
    fputc('\n', stream);
    cmd_wrap(cmd_summary_words(s, words), WIDTH, stream);
    fputc('\n', stream);
    cmd_wrap(cmd_summary_legend, WIDTH, stream);
}
