/* reproduce_table.c - the rows of a table of M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector iteration for DAE
 * time integration in multibody dynamics. The vehicles of the paper are models of an industrial package; ours are open
 * models of the same kind. Ratios between rows are comparable, absolute numbers are not.
 *
 * "percentage of cpu-time compared to standard DASSL": the first row of a case is DASSL itself, if it is built. If
 * DASSL is not built or its run fails, "dense" of resida is 100 %. A run that fails or is inaccurate has no
 * percentage. */
#include "reproduce.h"

#include "benchmarks/util/kept_run.h"
#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/output/row_text.h"
#include "program/run/run_peer.h"
#include "program/process/signals.h"

#include <math.h>
#include <string.h>

void cmd_lines_begin(cmd_table *table)
{
    cmd_table_begin(table, "<case\t<formalism\t<solver\t<jacobian=Jacobian\t<status\tcpu ms=cpu [ms]\t"
                           "%=cpu, % of DASSL\t#fc=residual calls\t% #fc=calls, % of DASSL\t#fcw=calls without J\t"
                           "#Je=evaluations of J\t#up=updates of J\terr p=error of p\tcpu s=cpu [s]@paper\t"
                           "%=cpu, %@paper\t#fc=calls@paper\t#fcw=without J@paper\t#Je=evaluations@paper\t"
                           "#up=updates@paper");
}

/** Return the residual calls except those for J and its pattern, #fcw in the paper; -1: unknown */
static long calls_without_jacobian(const cmd_row *row)
{
    const resida_stats *s = &row->stats;
    if (s->residual_calls.total < 0 || s->residual_calls.jacobian < 0) return -1;
    return s->residual_calls.total - s->residual_calls.jacobian - (long)fmax(0, (double)s->residual_calls.pattern);
}

/** Format a time or a percentage as in the paper. */
static const char *printed(double value, int decimals)
{
    return value < 0 ? "-" : cmd_number("%.*f", decimals, value);
}

static void add_published(cmd_table *table, const cmd_published *p)
{
    static const cmd_published none = {-1, -1, -1, -1, -1, -1};
    if (!p) p = &none;
    cmd_table_cells(table, "%s\t%s\t%s\t%s\t%s\t%s", printed(p->cpu_s, 2), printed(p->percent, 1), cmd_count(p->calls),
                    cmd_count(p->other_calls), cmd_count(p->evaluations), cmd_count(p->updates));
}

void cmd_lines_add(cmd_table *table, const cmd_line *line)
{
    char strategy[CMD_STRATEGY_SIZE];
    const cmd_row *row = &line->row;
    cmd_table_cells(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s",
                    line->table->cases[line->in_case].label, row->formalism, row->solver,
                    cmd_row_strategy(row, strategy), cmd_row_state(row),
                    cmd_format_milliseconds(cmd_row_is_valid(row) ? row->cpu_s.median : NAN),
                    cmd_format_percent(line->percent_cpu, 100), cmd_count(row->stats.residual_calls.total),
                    cmd_format_percent(line->percent_calls, 100), cmd_count(calls_without_jacobian(row)),
                    cmd_count(cmd_row_evaluations(row)), cmd_count(row->stats.jacobian_updates.alpha),
                    cmd_format_error(row->error.p));
    add_published(table, line->published);
}

static json_t *line_json(const cmd_line *line)
{
    return cmd_reproduced_json(&line->row, line->percent_cpu, line->table, line->published);
}

/** The current case and the reference of its percentages. */
typedef struct measuring {
    const cmd_lines_to *to;
    const cmd_model *model;
    const cmd_settings *settings;
    double cpu_s, calls; /**< of the reference row; NaN: unknown */
} measuring;

/** Return the numbers that the paper printed for this row, or NULL if there are none, as for a peer. */
static const cmd_published *published(const cmd_line *line, const cmd_job *job)
{
    for (const cmd_printed *p = line->table->printed; p->strategy; p++)
        if (!job->peer && p->in_case == line->in_case && strcmp(p->strategy, job->jacobian) == 0) return &p->published;
    return NULL;
}

/** Return 1 if this row is the reference of the percentages. */
static int is_whole(const measuring *m, const cmd_job *job, const cmd_row *row)
{
    return isnan(m->cpu_s) && cmd_row_is_valid(row) && (job->peer || strcmp(job->jacobian, "dense") == 0);
}

static int measure_row(measuring *m, cmd_line *line, const cmd_job *job)
{
    cmd_row *row = &line->row;
    (void)bench_run(job, row); /* the outcome is stored in the row */
    if (is_whole(m, job, row)) {
        m->cpu_s = row->cpu_s.median;
        m->calls = (double)row->stats.residual_calls.total;
    }
    line->percent_cpu = cmd_row_is_valid(row) ? 100 * (row->cpu_s.median / m->cpu_s) : NAN;
    line->percent_calls = cmd_row_is_valid(row) ? 100 * ((double)row->stats.residual_calls.total / m->calls) : NAN;
    line->published = published(line, job);
    int code = m->to->take(line, m->to->self);
    return cmd_signal_caught() ? 128 + cmd_signal_caught() : code;
}

static int measure_case(const cmd_paper_table *t, int in_case, measuring *m)
{
    const resida_formalism formalism = t->cases[in_case].formalism;
    int code = 0;
    m->cpu_s = m->calls = NAN;
    for (const char *const *method = t->methods; *method && code == 0; method++) {
        const rsd_peer *peer = rsd_peer_find(*method);
        cmd_line line = {.table = t, .in_case = in_case};
        cmd_job job;
        code = cmd_job_make(&job, m->model, m->settings, t->repeats);
        if (code != 0 || (!peer && method == t->methods)) continue; /* not built */
        if (!peer) job.jacobian = *method;
        job.formalism = formalism;
        job.peer = peer;
        code = cmd_job_check(&job);
        if (code == 0) code = measure_row(m, &line, &job);
    }
    return code;
}

int cmd_paper_table_measure(const cmd_paper_table *t, const cmd_settings *s, const cmd_lines_to *to)
{
    int code = 0;
    for (int k = 0; t->cases[k].model && code == 0; k++) {
        cmd_open_case open;
        if (s->formalism != RESIDA_FORMALISM_AUTO && s->formalism != (int)t->cases[k].formalism) continue;
        code = cmd_case_open(&open, s, &t->cases[k]);
        open.settings.solver.stability_detection = 0; /* the codes of the paper have none */
        open.settings.solver.min_order = 1;
        measuring m = {.to = to, .model = &open.model, .settings = &open.settings};
        if (code == 0 && to->prepare) m.model = to->prepare(&open.model, &open.settings, to->self);
        if (code == 0) code = measure_case(t, k, &m);
        cmd_case_close(&open);
    }
    return code;
}

/** Data of the command `reproduce`. */
typedef struct output {
    const cmd_settings *settings;
    cmd_table text;
    int failed; /**< failed runs of resida itself */
} output;

static int put_line(const cmd_line *line, void *self)
{
    output *o = self;
    const cmd_row *row = &line->row;
    if (o->settings->format == CMD_TEXT) cmd_lines_add(&o->text, line);
    const int code = o->settings->format == CMD_JSON ? cmd_json_line(line_json(line), stdout) : 0;
    if (code != 0) return code;
    if (row->outcome != CMD_FAILED) return 0;
    o->failed += !row->version; /* a failed run of a peer is a result */
    return cmd_complain(0, "%s, %s, %s, %s: %s", line->table->name, line->table->cases[line->in_case].label,
                        row->formalism, row->version ? row->solver : row->jacobian, row->message);
}

static void print(const cmd_paper_table *t, cmd_table *text)
{
    printf("%s:\n%s.\n\n", t->source, t->about);
    cmd_table_print(text, 2, stdout);
    puts("\ncpu ms: median processor time of a run. %: relative to the first row of the same case and formalism. #fc: "
         "all residual\ncalls; #fcw: residual calls except those for J and its pattern. #Je: Jacobian evaluations; "
         "#up: Jacobian updates\nwithout evaluation. err p: maximum difference of p from the reference, if there is "
         "one. paper: as published, on the\nmachine of the authors; \"dense\" is DASSL there. -: not in the paper, not "
         "reported, or unknown.");
    if (t->printed[0].strategy) printf("The column %% of the paper refers to %s in this table.\n", cmd_percent_of(t));
}

int cmd_reproduce_table(const cmd_settings *s)
{
    const cmd_paper_table *t = cmd_paper_table_find(s->words[0]);
    output o = {.settings = s};
    const cmd_lines_to to = {.take = put_line, .self = &o};
    cmd_lines_begin(&o.text);
    int code = cmd_paper_table_measure(t, s, &to);
    if (s->format == CMD_TEXT && o.text.n_cells > 0) print(t, &o.text);
    cmd_table_free(&o.text);
    return code == 0 && o.failed > 0 ? CMD_EXIT_FAILED : code;
}
