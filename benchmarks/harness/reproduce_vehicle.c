/* reproduce_vehicle.c - Tables 1 and 3 of M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector iteration for DAE time
 * integration in multibody dynamics: a train carriage on an S-shaped line change, a passenger car on periodic lane
 * changes. Their models are those of an industrial package; ours are open ones of the same kind, so that rows can be
 * compared with rows, not numbers with numbers.
 *
 * "percentage of cpu-time compared to standard DASSL": the first row of a formalism is DASSL itself, as far as it is
 * built; without it, or when it fails, 100 % is "dense" of resida. */
#include "reproduce.h"

#include "complain.h"
#include "json_line.h"
#include "row_text.h"
#include "run_peer.h"
#include "signals.h"

#include <math.h>
#include <string.h>

enum { N_METHODS_MAX = 8, N_PUBLISHED_MAX = 8 };

/** A row as it was printed. */
typedef struct line {
    resida_formalism formalism;
    const char *strategy;
    bench_published published;
} line;

/** A table of the paper. */
typedef struct table {
    const char *name, *source, *model, *about;
    double rtol, atol, t_end;
    long repeats;
    const char *methods[N_METHODS_MAX + 1]; /**< the first one is a peer */
    line lines[N_PUBLISHED_MAX + 1];
} table;

static const char peer_name[] = "dassl";

#define EXPLICIT RESIDA_FORMALISM_EXPLICIT
#define RESIDUAL RESIDA_FORMALISM_RESIDUAL

static const table tables[] = {
    {.name = "table1",
     .source = BENCH_PAPER ", Table 1",
     .model = "train",
     .about = "train carriage on an S-shaped line change, RTOL = ATOL = 1e-4, 15 s. The paper's train is a model of an "
              "industrial\npackage, ours an open one of the same size and structure: 41 coordinates, 8 constraints, 98 "
              "unknowns",
     .rtol = 1e-4,
     .atol = 1e-4,
     .t_end = 15,
     .repeats = 3,
     .methods = {peer_name, "dense", "sparse", "dense+partitioned", "sparse+partitioned", "auto"},
     .lines = {{EXPLICIT, "dense", {18.86, 100.0, 9739, 2179, 84, -1}},
               {EXPLICIT, "sparse", {14.78, 78.4, 7178, 2166, 103, -1}},
               {EXPLICIT, "dense+partitioned", {11.03, 58.5, 4759, 2509, 25, -1}},
               {EXPLICIT, "sparse+partitioned", {10.59, 56.2, 4605, 2288, 43, -1}},
               {RESIDUAL, "dense", {18.59, 100.0, 10473, 2193, 92, -1}},
               {RESIDUAL, "sparse", {13.55, 72.9, 6992, 2152, 100, -1}},
               {RESIDUAL, "dense+partitioned", {10.33, 55.6, 4739, 2386, 24, -1}},
               {RESIDUAL, "sparse+partitioned", {9.63, 51.8, 4415, 2226, 40, -1}}}},
    {.name = "table3",
     .source = BENCH_PAPER ", Table 3",
     .model = "car",
     .about = "passenger car on periodic lane changes, RTOL = 1e-4, ATOL = 1e-5, 5 s. The paper's car is a model of an "
              "industrial\npackage, its size is not told; ours is an open one with 40 coordinates. The paper's updates "
              "(24), (26) are those\nof the explicit formalism",
     .rtol = 1e-4,
     .atol = 1e-5,
     .t_end = 5,
     .repeats = 9,
     .methods = {peer_name, "dense", "sparse", "dense+partitioned", "dense+extended", "sparse+partitioned",
                 "sparse+extended", "auto"},
     .lines = {{EXPLICIT, "dense", {296.86, 100, -1, -1, 2229, -1}},
               {EXPLICIT, "sparse", {309.44, 103.3, -1, -1, 2303, -1}},
               {EXPLICIT, "dense+partitioned", {141.28, 29.6, -1, -1, 660, -1}},
               {EXPLICIT, "dense+extended", {145.75, 30.0, -1, -1, 668, -1}},
               {EXPLICIT, "sparse+partitioned", {79.66, 18.4, -1, -1, 410, -1}},
               {EXPLICIT, "sparse+extended", {59.45, 14.2, -1, -1, 317, -1}}}},
};
enum { N_TABLES = sizeof tables / sizeof tables[0] };

static const bench_column columns[] = {
    {"formalism", 1}, {"solver", 1}, {"jacobian", 1}, {"status", 1}, {"cpu ms", 0}, {"%", 0},
    {"#fc", 0},       {"% #fc", 0},  {"#fcw", 0},     {"#Je", 0},    {"#up", 0},    {"| paper: cpu s", 0},
    {"%", 0},         {"#fc", 0},    {"#fcw", 0},     {"#Je", 0},
};

/** The rows so far; the whole is what the others of the same formalism are measured by. */
typedef struct report {
    const table *table;
    bench_table text;
    double cpu_s, calls; /**< of the whole; NaN: not known */
    int failed;          /**< runs of resida itself */
} report;

/** What the paper printed for it; NULL: nothing, as for a peer, whose job has no strategy of the paper's. */
static const bench_published *published(const table *t, const bench_job *job)
{
    for (const line *l = t->lines; l->strategy; l++)
        if (l->formalism == job->formalism && strcmp(l->strategy, job->jacobian) == 0) return &l->published;
    return NULL;
}

/** Residual calls but those for J and its pattern: what the paper calls #fcw. -1: not known */
static long calls_without_jacobian(const bench_row *row)
{
    const resida_stats *s = &row->stats;
    if (s->residual_calls.total < 0 || s->residual_calls.jacobian < 0) return -1;
    return s->residual_calls.total - s->residual_calls.jacobian - (long)fmax(0, (double)s->residual_calls.pattern);
}

/** A time or a percentage as the paper has it. @return text, or a constant */
static const char *printed(double value, int decimals, char text[BENCH_NUMBER_SIZE])
{
    if (value < 0) return "-";
    snprintf(text, BENCH_NUMBER_SIZE, "%.*f", decimals, value);
    return text;
}

static void add_published(bench_table *text, const bench_published *p)
{
    static const bench_published none = {-1, -1, -1, -1, -1, -1};
    char a[BENCH_NUMBER_SIZE];
    if (!p) p = &none;
    bench_table_cell(text, "| %6s", printed(p->cpu_s, 2, a)); /* the bar in its place */
    bench_table_cell(text, "%s", printed(p->percent, 1, a));
    bench_table_cell(text, "%s", bench_count(p->calls, a));
    bench_table_cell(text, "%s", bench_count(p->other_calls, a));
    bench_table_cell(text, "%s", bench_count(p->evaluations, a));
}

static void add_text(report *r, const bench_job *job, const bench_row *row)
{
    char a[BENCH_NUMBER_SIZE], strategy[BENCH_STRATEGY_SIZE];
    bench_table *text = &r->text;
    int ok = row->outcome == BENCH_OK;
    bench_table_cell(text, "%s", row->formalism);
    bench_table_cell(text, "%s", row->solver);
    bench_table_cell(text, "%s", bench_row_strategy(row, strategy));
    bench_table_cell(text, "%s", bench_outcome_name(row->outcome));
    bench_table_cell(text, "%s", bench_millis(row->cpu_s.median, a));
    bench_table_cell(text, "%s", bench_percent(ok ? row->cpu_s.median : NAN, r->cpu_s, a));
    bench_table_cell(text, "%s", bench_count(row->stats.residual_calls.total, a));
    bench_table_cell(text, "%s", bench_percent(ok ? (double)row->stats.residual_calls.total : NAN, r->calls, a));
    bench_table_cell(text, "%s", bench_count(calls_without_jacobian(row), a));
    bench_table_cell(text, "%s", bench_count(bench_row_evaluations(row), a));
    bench_table_cell(text, "%s", bench_count(row->stats.jacobian_updates.alpha, a));
    add_published(text, published(r->table, job));
}

/** Is it the row that others are measured by? */
static int is_whole(const report *r, const bench_job *job, const bench_row *row)
{
    return isnan(r->cpu_s) && row->outcome == BENCH_OK && (job->peer || strcmp(job->jacobian, "dense") == 0);
}

static int measure(report *r, const bench_job *job)
{
    bench_row row;
    (void)bench_run(job, &row); /* its outcome is in the row */
    if (is_whole(r, job, &row)) {
        r->cpu_s = row.cpu_s.median;
        r->calls = (double)row.stats.residual_calls.total;
    }
    double percent = row.outcome == BENCH_OK ? 100 * (row.cpu_s.median / r->cpu_s) : NAN;
    if (job->settings->format == BENCH_TEXT) add_text(r, job, &row);
    if (job->settings->format == BENCH_JSON &&
        bench_json_line(bench_reproduced_json(&row, percent, r->table->source, published(r->table, job)), stdout) != 0)
        return bench_complain_io("write", "standard output");
    if (row.outcome == BENCH_FAILED) {
        r->failed += !job->peer;
        bench_complain(0, "%s, %s, %s: %s", r->table->name, row.formalism, job->peer ? row.solver : row.jacobian,
                       row.message);
    }
    return bench_signal_caught() ? 128 + bench_signal_caught() : 0;
}

/** All rows of one formalism. */
static int measure_all(report *r, const bench_model *model, const bench_settings *s, resida_formalism formalism)
{
    int code = 0;
    r->cpu_s = r->calls = NAN;
    for (const char *const *method = r->table->methods; *method && code == 0; method++) {
        const rsd_peer *peer = rsd_peer_find(*method);
        bench_job job;
        code = bench_job_make(&job, model, s, r->table->repeats);
        if (code != 0 || (!peer && strcmp(*method, peer_name) == 0)) continue; /* not built */
        if (!peer) job.jacobian = *method;
        job.formalism = formalism;
        job.peer = peer;
        code = bench_job_probe(&job);
        if (code == 0) code = measure(r, &job);
    }
    return code;
}

static void print(const report *r)
{
    printf("%s:\n%s.\n\n", r->table->source, r->table->about);
    bench_table_print(&r->text, 2, stdout);
    puts("\ncpu ms: median processor time of a run, %: of the first row of the same formalism. #fc: residual calls, "
         "all; "
         "#fcw:\n"
         "without those for J and its pattern. #Je: Jacobians evaluated; #up: updated without evaluation. paper: as "
         "printed, on\n"
         "their machine, its \"dense\" being DASSL; -: not in the paper, or not reported.");
}

static int reproduce(const table *t, const bench_settings *s)
{
    static const resida_formalism formalisms[] = {EXPLICIT, RESIDUAL};
    bench_settings settings = *s;
    bench_model model;
    report r = {.table = t};
    if (s->out)
        return bench_complain(BENCH_EXIT_USAGE, "reproduce %s: draws no picture, --out belongs to figures", t->name);
    settings.rtol = t->rtol;
    settings.atol = t->atol;
    settings.t_end = t->t_end;
    int code = bench_models_open(&model, 1, &t->model, &settings);
    if (code != 0) return code;
    bench_table_init(&r.text, columns, sizeof columns / sizeof columns[0]);
    for (int f = 0; f < 2 && code == 0; f++)
        if (s->formalism == RESIDA_FORMALISM_AUTO || s->formalism == (int)formalisms[f])
            code = measure_all(&r, &model, &settings, formalisms[f]);
    if (s->format == BENCH_TEXT && r.text.n_cells > 0) print(&r);
    bench_table_free(&r.text);
    bench_models_close(&model, 1);
    return code == 0 && r.failed > 0 ? BENCH_EXIT_FAILED : code;
}

int bench_reproduce_vehicle(const bench_settings *s)
{
    int i = 0;
    while (i + 1 < N_TABLES && strcmp(tables[i].name, s->words[0]) != 0) i++;
    return reproduce(&tables[i], s);
}
