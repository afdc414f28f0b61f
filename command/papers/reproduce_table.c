/* reproduce_table.c - the rows of a table of M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector iteration for DAE
 * time integration in multibody dynamics. The vehicles of the paper are models of an industrial package; ours are open
 * ones of the same kind, so that rows can be compared with rows, not numbers with numbers.
 *
 * "percentage of cpu-time compared to standard DASSL": the first row of a case is DASSL itself, as far as it is built;
 * without it, or when it fails, 100 % is "dense" of resida. A run that fails, or is not right, has no percentage. */
#include "reproduce.h"

#include "command/base/complain.h"
#include "command/output/json_line.h"
#include "command/output/row_text.h"
#include "command/run/run_peer.h"
#include "command/base/signals.h"

#include <math.h>
#include <string.h>

static const bench_column columns[] = {
    {"case", 1, "case", NULL},
    {"formalism", 1, NULL, NULL},
    {"solver", 1, NULL, NULL},
    {"jacobian", 1, "Jacobian", NULL},
    {"status", 1, NULL, NULL},
    {"cpu ms", 0, "cpu [ms]", NULL},
    {"%", 0, "cpu, % of DASSL", NULL},
    {"#fc", 0, "residual calls", NULL},
    {"% #fc", 0, "calls, % of DASSL", NULL},
    {"#fcw", 0, "calls but for J", NULL},
    {"#Je", 0, "evaluations of J", NULL},
    {"#up", 0, "updates of J", NULL},
    {"err p", 0, "error of p", NULL},
    {"cpu s", 0, "cpu [s]", "paper"},
    {"%", 0, "cpu, %", "paper"},
    {"#fc", 0, "calls", "paper"},
    {"#fcw", 0, "but for J", "paper"},
    {"#Je", 0, "evaluations", "paper"},
    {"#up", 0, "updates", "paper"},
};

void bench_lines_begin(bench_table *table)
{
    bench_table_init(table, columns, sizeof columns / sizeof columns[0]);
}

/** Residual calls but those for J and its pattern: what the paper calls #fcw. -1: not known */
static long calls_without_jacobian(const bench_row *row)
{
    const resida_stats *s = &row->stats;
    if (s->residual_calls.total < 0 || s->residual_calls.jacobian < 0) return -1;
    return s->residual_calls.total - s->residual_calls.jacobian - (long)fmax(0, (double)s->residual_calls.pattern);
}

/** A time or a percentage as the paper has it. */
static const char *printed(double value, int decimals)
{
    return value < 0 ? "-" : bench_number("%.*f", decimals, value);
}

static void add_published(bench_table *table, const bench_published *p)
{
    static const bench_published none = {-1, -1, -1, -1, -1, -1};
    if (!p) p = &none;
    bench_table_cells(table, "%s\t%s\t%s\t%s\t%s\t%s", printed(p->cpu_s, 2), printed(p->percent, 1),
                      bench_count(p->calls), bench_count(p->other_calls), bench_count(p->evaluations),
                      bench_count(p->updates));
}

void bench_lines_add(bench_table *table, const bench_line *line)
{
    char strategy[BENCH_STRATEGY_SIZE];
    const bench_row *row = &line->row;
    bench_table_cells(
        table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", line->table->cases[line->in_case].label,
        row->formalism, row->solver, bench_row_strategy(row, strategy), bench_row_state(row),
        bench_millis(bench_row_counts(row) ? row->cpu_s.median : NAN), bench_percent(line->percent_cpu, 100),
        bench_count(row->stats.residual_calls.total), bench_percent(line->percent_calls, 100),
        bench_count(calls_without_jacobian(row)), bench_count(bench_row_evaluations(row)),
        bench_count(row->stats.jacobian_updates.alpha), bench_tiny(row->error.p));
    add_published(table, line->published);
}

json_t *bench_line_json(const bench_line *line)
{
    return bench_reproduced_json(&line->row, line->percent_cpu, line->table->source, line->published);
}

/** The case under way; the whole is what its other rows are measured by. */
typedef struct measuring {
    const bench_lines_to *to;
    const bench_model *model;
    const bench_settings *settings;
    double cpu_s, calls; /**< of the whole; NaN: not known */
} measuring;

/** What the paper printed for it; NULL: nothing, as for a peer. */
static const bench_published *published(const bench_line *line, const bench_job *job)
{
    for (const bench_printed *p = line->table->printed; p->strategy; p++)
        if (!job->peer && p->in_case == line->in_case && strcmp(p->strategy, job->jacobian) == 0) return &p->published;
    return NULL;
}

/** Is it the row that others are measured by? */
static int is_whole(const measuring *m, const bench_job *job, const bench_row *row)
{
    return isnan(m->cpu_s) && bench_row_counts(row) && (job->peer || strcmp(job->jacobian, "dense") == 0);
}

static int measure_row(measuring *m, bench_line *line, const bench_job *job)
{
    bench_row *row = &line->row;
    (void)bench_run(job, row); /* its outcome is in the row */
    if (is_whole(m, job, row)) {
        m->cpu_s = row->cpu_s.median;
        m->calls = (double)row->stats.residual_calls.total;
    }
    line->percent_cpu = bench_row_counts(row) ? 100 * (row->cpu_s.median / m->cpu_s) : NAN;
    line->percent_calls = bench_row_counts(row) ? 100 * ((double)row->stats.residual_calls.total / m->calls) : NAN;
    line->published = published(line, job);
    int code = m->to->take(line, m->to->self);
    return bench_signal_caught() ? 128 + bench_signal_caught() : code;
}

static int measure_case(const bench_paper_table *t, int in_case, measuring *m)
{
    const resida_formalism formalism = t->cases[in_case].formalism;
    int code = 0;
    m->cpu_s = m->calls = NAN;
    for (const char *const *method = t->methods; *method && code == 0; method++) {
        const rsd_peer *peer = rsd_peer_find(*method);
        bench_line line = {.table = t, .in_case = in_case};
        bench_job job;
        code = bench_job_make(&job, m->model, m->settings, t->repeats);
        if (code != 0 || (!peer && method == t->methods)) continue; /* not built */
        if (!peer) job.jacobian = *method;
        job.formalism = formalism;
        job.peer = peer;
        code = bench_job_probe(&job);
        if (code == 0) code = measure_row(m, &line, &job);
    }
    return code;
}

int bench_paper_table_measure(const bench_paper_table *t, const bench_settings *s, const bench_lines_to *to)
{
    int code = 0;
    for (int k = 0; t->cases[k].model && code == 0; k++) {
        bench_open_case open;
        if (s->formalism != RESIDA_FORMALISM_AUTO && s->formalism != (int)t->cases[k].formalism) continue;
        code = bench_case_open(&open, s, &t->cases[k]);
        open.settings.solver.stability_detection = 0; /* the paper's codes had none */
        open.settings.solver.min_order = 1;
        measuring m = {.to = to, .model = &open.model, .settings = &open.settings};
        if (code == 0 && to->prepare) m.model = to->prepare(&open.model, &open.settings, to->self);
        if (code == 0) code = measure_case(t, k, &m);
        bench_case_close(&open);
    }
    return code;
}

/** The command `reproduce`. */
typedef struct output {
    const bench_settings *settings;
    bench_table text;
    int failed; /**< runs of resida itself */
} output;

static int put_line(const bench_line *line, void *self)
{
    output *o = self;
    const bench_row *row = &line->row;
    if (o->settings->format == BENCH_TEXT) bench_lines_add(&o->text, line);
    const int code = o->settings->format == BENCH_JSON ? bench_json_line(bench_line_json(line), stdout) : 0;
    if (code != 0) return code;
    if (row->outcome != BENCH_FAILED) return 0;
    o->failed += !row->version; /* that a peer fails is a result */
    return bench_complain(0, "%s, %s, %s, %s: %s", line->table->name, line->table->cases[line->in_case].label,
                          row->formalism, row->version ? row->solver : row->jacobian, row->message);
}

static void print(const bench_paper_table *t, bench_table *text)
{
    printf("%s:\n%s.\n\n", t->source, t->about);
    bench_table_print(text, 2, stdout);
    puts("\ncpu ms: median processor time of a run, %: of the first row of the same case and formalism. #fc: residual "
         "calls,\nall; #fcw: without those for J and its pattern. #Je: Jacobians evaluated; #up: updated without "
         "evaluation. err p:\nlargest difference of p from the reference, where there is one. paper: as printed, on "
         "their machine, its \"dense\"\nbeing DASSL; -: not in the paper, not reported, or not known.");
}

int bench_reproduce_table(const bench_settings *s)
{
    const bench_paper_table *t = bench_paper_table_find(s->words[0]);
    output o = {.settings = s};
    const bench_lines_to to = {.take = put_line, .self = &o};
    bench_lines_begin(&o.text);
    int code = bench_paper_table_measure(t, s, &to);
    if (s->format == BENCH_TEXT && o.text.n_cells > 0) print(t, &o.text);
    bench_table_free(&o.text);
    return code == 0 && o.failed > 0 ? BENCH_EXIT_FAILED : code;
}
