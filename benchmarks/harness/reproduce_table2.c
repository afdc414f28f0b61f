/* reproduce_table2.c - Table 2 of M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector iteration for DAE time
 * integration in multibody dynamics: the chain of N = 12 and 14 pendulums with dense and sparse differences, with and
 * without the extended partitioned update (26). Percent is processor time, with "dense" of the same N as 100 %. */
#include "reproduce.h"

#include "complain.h"
#include "json_line.h"
#include "number.h"
#include "row_text.h"
#include "signals.h"

#include <math.h>

enum { REPEATS = 9 };

/** A row of the table. */
typedef struct line {
    int n;
    const char *strategy;
    bench_published published;
} line;

static const line table[] = {
    {12, "dense", {5.69, 100, -1, -1, 59, 0}},
    {12, "sparse", {5.24, 92.1, -1, -1, 72, 0}},
    {12, "dense+extended", {4.68, 82.2, -1, -1, 9, 27}},
    {12, "sparse+extended", {5.09, 89.5, -1, -1, 10, 59}},
    {14, "dense", {9.03, 100, -1, -1, 96, 0}},
    {14, "sparse", {6.76, 74.9, -1, -1, 70, 0}},
    {14, "dense+extended", {6.78, 75.1, -1, -1, 12, 62}},
    {14, "sparse+extended", {6.16, 68.2, -1, -1, 8, 16}},
};
enum { N_ROWS = sizeof table / sizeof table[0] };

static const bench_column columns[] = {
    {"omega", 1}, {"N", 0},   {"jacobian", 1}, {"status", 1},         {"cpu ms", 0}, {"%", 0},   {"#Je", 0},
    {"#up", 0},   {"#fc", 0}, {"% #fc", 0},    {"| paper: cpu s", 0}, {"%", 0},      {"#Je", 0}, {"#up", 0},
};

/** What the rows of one N and one omega are measured by: their first one. */
typedef struct report {
    bench_table text;
    double cpu_s; /**< NaN: not known */
    double calls;
    int failed;
} report;

static void add_text(report *r, const line *p, const bench_row *row, int reading)
{
    char a[BENCH_NUMBER_SIZE];
    int ok = row->outcome == BENCH_OK;
    double calls = (double)row->stats.residual_calls.total;
    bench_table_cell(&r->text, "%s", bench_omega_name[reading]);
    bench_table_cell(&r->text, "%d", p->n);
    bench_table_cell(&r->text, "%s", row->jacobian);
    bench_table_cell(&r->text, "%s", bench_outcome_name(row->outcome));
    bench_table_cell(&r->text, "%.3f", 1e3 * row->cpu_s.median);
    bench_table_cell(&r->text, "%s", bench_percent(ok ? row->cpu_s.median : NAN, r->cpu_s, a));
    bench_table_cell(&r->text, "%ld", bench_row_evaluations(row));
    bench_table_cell(&r->text, "%ld", row->stats.jacobian_updates.alpha);
    bench_table_cell(&r->text, "%ld", row->stats.residual_calls.total);
    bench_table_cell(&r->text, "%s", bench_percent(ok ? calls : NAN, r->calls, a));
    bench_table_cell(&r->text, "| %.2f", p->published.cpu_s);
    bench_table_cell(&r->text, "%.1f", p->published.percent);
    bench_table_cell(&r->text, "%d", p->published.evaluations);
    bench_table_cell(&r->text, "%d", p->published.updates);
}

static json_t *row_json(const report *r, const line *p, const bench_row *row)
{
    double percent = row->outcome == BENCH_OK ? 100 * (row->cpu_s.median / r->cpu_s) : NAN;
    return bench_reproduced_json(row, percent, BENCH_PAPER ", Table 2", &p->published);
}

/** One row of the table with one reading of omega. */
static int measure(const line *p, int reading, const bench_settings *s, report *r)
{
    bench_chain_case c;
    bench_job job;
    bench_row row;
    int code = bench_chain_case_open(&c, s, p->n, bench_omega[reading]);
    if (code != 0) return code;
    code = bench_job_make(&job, &c.model, &c.settings, REPEATS);
    job.jacobian = p->strategy;
    if (code == 0) code = bench_job_probe(&job);
    if (code == 0) {
        (void)bench_run(&job, &row); /* its outcome is in the row */
        if (p->published.percent == 100) {
            r->cpu_s = row.outcome == BENCH_OK ? row.cpu_s.median : NAN;
            r->calls = row.outcome == BENCH_OK ? (double)row.stats.residual_calls.total : NAN;
        }
        if (s->format == BENCH_TEXT) add_text(r, p, &row, reading);
        if (s->format == BENCH_JSON && bench_json_line(row_json(r, p, &row), stdout) != 0)
            code = bench_complain_io("write", "standard output");
        if (row.outcome == BENCH_FAILED) {
            r->failed++;
            bench_complain(0, "table2, N = %d, %s: %s", p->n, p->strategy, row.message);
        }
    }
    bench_chain_case_close(&c);
    return bench_signal_caught() ? 128 + bench_signal_caught() : code;
}

static void print(const report *r)
{
    puts("Table 2 of " BENCH_PAPER ":\n"
         "chain of N pendulums, ATOL = 1e-6, RTOL = 1e-4, 200 s; the support's \"0.05 Hz\" as 2 pi 0.05 and as 0.05 "
         "rad/s\n");
    bench_table_print(&r->text, 2, stdout);
    puts("\ncpu ms: median processor time of a run, %: of \"dense\" with the same omega and N. #Je: Jacobians "
         "evaluated; #up:\n"
         "updated without evaluation. #fc: residual calls, all. paper: as printed, with DASSL, on their machine.");
}

int bench_reproduce_table2(const bench_settings *s)
{
    report r = {.cpu_s = NAN};
    int code = 0;
    if (s->out) return bench_complain(BENCH_EXIT_USAGE, "reproduce table2: draws no picture, --out belongs to figures");
    bench_table_init(&r.text, columns, sizeof columns / sizeof columns[0]);
    for (int k = 0; k < BENCH_READINGS && code == 0; k++)
        for (int i = 0; i < N_ROWS && code == 0; i++) code = measure(&table[i], k, s, &r);
    if (s->format == BENCH_TEXT && r.text.n_cells > 0) print(&r);
    bench_table_free(&r.text);
    return code == 0 && r.failed > 0 ? BENCH_EXIT_FAILED : code;
}
