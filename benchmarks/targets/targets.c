/* targets.c - what is asked of resida, against what was measured. Every number of the second kind is computed from the
 * rows of the tables, and none but rows that count: with time limits, errors and all.
 *
 *     asked at most:   min over the strategies of  cpu, calls or evaluations, in percent of the original DASSL
 *     asked at least:  evaluations without the extended update / evaluations with it
 *     asked at most:   cpu at equal error in percent of the fastest peer's: the worst, the geometric mean of all models
 */
#include "targets.h"

#include "command/cli/model_arg.h"
#include "command/output/row_text.h"

#include <math.h>
#include <string.h>

/** Of processor time at equal error: at most this multiple of the fastest peer's at each error, and in the geometric
 *  mean. */
static const double asked_each = 1.1, asked_mean = 0.6;

typedef enum quantity { CPU, CALLS, EVALUATIONS, FEWER } quantity;

/** Something that is asked of each case of a table whose label has these words. */
typedef struct target {
    const char *table, *of;
    quantity what;
    double asked;
    const char *against; /**< FEWER: the strategy without the update */
} target;

static const target targets[] = {
    {"table1", "train", CPU, 30, NULL},
    {"table1", "train", CALLS, 16, NULL},
    {"table2", "N = 14", CPU, 68, NULL},
    {"table3", "car", CPU, 10, NULL},
    {"table3", "car", EVALUATIONS, 10, NULL},
    {"table2", "N = 14", FEWER, 3, "dense"},
    {"table2", "N = 14", FEWER, 3, "dense+partitioned"},
    {"extended", "rear-axle", FEWER, 3, "dense"},
    {"extended", "rear-axle", FEWER, 3, "dense+partitioned"},
};

enum { VERDICT = 3 };
static const bench_column columns[] = {
    {"case", 1, NULL, NULL},      {"formalism", 1, NULL, NULL},     {"what", 1, NULL, NULL},
    {"verdict", 1, NULL, NULL},   {"best", 0, "measured", NULL},    {"asked", 1, NULL, NULL},
    {"missed by", 1, NULL, NULL}, {"by", 1, "measured with", NULL}, {"auto", 0, "with auto", NULL},
};

/** Rows of one case. */
typedef struct rows {
    const bench_line *lines;
    int n;
} rows;

/** The row of resida that was asked for by this name; NULL when it is not there or does not count. */
static const bench_line *by_name(rows of, const char *strategy)
{
    for (int i = 0; i < of.n; i++)
        if (!of.lines[i].row.version && strcmp(of.lines[i].row.asked, strategy) == 0 &&
            bench_row_counts(&of.lines[i].row))
            return &of.lines[i];
    return NULL;
}

/** The row of the original; NULL when it is not built, or does not count. */
static const bench_line *original(rows of)
{
    for (int i = 0; i < of.n; i++)
        if (of.lines[i].row.version && bench_row_counts(&of.lines[i].row)) return &of.lines[i];
    return NULL;
}

static double evaluations_of(const bench_line *line)
{
    long n = bench_row_evaluations(&line->row);
    return n < 0 ? NAN : (double)n;
}

/** In percent of the original, or how many times fewer; NaN: not known. */
static double value_of(const target *t, rows of, const bench_line *line)
{
    const bench_line *whole = original(of), *against = t->against ? by_name(of, t->against) : NULL;
    if (!line) return NAN;
    if (t->what == FEWER) return against ? evaluations_of(against) / evaluations_of(line) : NAN;
    if (!whole) return NAN;
    if (t->what == CPU) return line->percent_cpu;
    if (t->what == CALLS) return line->percent_calls;
    return 100 * evaluations_of(line) / evaluations_of(whole);
}

static const bench_line *best_of(const target *t, rows of)
{
    const bench_line *best = NULL;
    if (t->what == FEWER) return by_name(of, "dense+extended");
    for (int i = 0; i < of.n; i++) {
        const bench_line *line = &of.lines[i];
        if (line->row.version || !bench_row_counts(&line->row) || isnan(value_of(t, of, line))) continue;
        if (!best || value_of(t, of, line) < value_of(t, of, best)) best = line;
    }
    return best;
}

static const char *words_of(const target *t, char text[BENCH_STRATEGY_SIZE])
{
    static const char *const words[] = {"processor time, of the original DASSL",
                                        "residual calls, of the original DASSL",
                                        "evaluations of J, of the original DASSL"};
    if (t->what != FEWER) return words[t->what];
    snprintf(text, BENCH_STRATEGY_SIZE, "evaluations of J, fewer than with %s", t->against);
    return text;
}

static void add_value(bench_table *table, const target *t, double value)
{
    if (isnan(value))
        bench_table_cell(table, "-");
    else if (t->what == FEWER && isinf(value))
        bench_table_cell(table, "none left");
    else
        bench_table_cell(table, t->what == FEWER ? "%.1f times" : "%.1f %%", value);
}

static int is_met(const target *t, double value)
{
    return t->what == FEWER ? value >= t->asked : value <= t->asked;
}

static const char *verdict_of(const target *t, rows of, double value)
{
    if (!isnan(value)) return is_met(t, value) ? "met" : "missed";
    return t->what != FEWER && of.n > 0 && !original(of) ? "no DASSL to compare with" : "not measured";
}

static void add_gap(bench_table *table, const target *t, double value)
{
    if (isnan(value) || is_met(t, value))
        bench_table_cell(table, "-");
    else if (t->what == FEWER)
        bench_table_cell(table, "a factor of %.2f", t->asked / value);
    else
        bench_table_cell(table, "%.1f points, a factor of %.2f", value - t->asked, value / t->asked);
}

static void add_target(bench_table *table, const target *t, const bench_case *c, const char *formalism, rows of)
{
    char text[BENCH_STRATEGY_SIZE];
    const bench_line *best = best_of(t, of);
    double value = value_of(t, of, best);
    int is_named = strcmp(c->label, c->model) != 0;
    bench_table_cell(table, "%s%s%s", c->model, is_named ? ", " : "", is_named ? c->label : "");
    bench_table_cell(table, "%s", formalism);
    bench_table_cell(table, "%s", words_of(t, text));
    bench_table_cell(table, "%s", verdict_of(t, of, value));
    add_value(table, t, value);
    bench_table_cell(table, t->what == FEWER ? "at least %g times" : "at most %g %%", t->asked);
    add_gap(table, t, value);
    bench_table_cell(table, "%s", best ? bench_row_strategy(&best->row, text) : "-");
    add_value(table, t, t->what == FEWER ? NAN : value_of(t, of, by_name(of, "auto")));
}

/** The rows of a case, which lie side by side. */
static rows rows_of(const bench_line *lines, int n_lines, const bench_paper_table *table, int in_case)
{
    rows of = {lines, 0};
    for (int i = 0; i < n_lines; i++) {
        if (lines[i].table != table || lines[i].in_case != in_case) continue;
        if (of.n++ == 0) of.lines = &lines[i];
    }
    return of;
}

/** All that is asked of a case. */
static void add_case(bench_table *table, const bench_paper_table *paper, int in_case, rows of)
{
    static const char *const formalisms[] = {"auto", "residual", "explicit"}; /* as resida_formalism */
    const bench_case *c = &paper->cases[in_case];
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (strcmp(targets[i].table, paper->name) == 0 && strstr(c->label, targets[i].of))
            add_target(table, &targets[i], c, formalisms[c->formalism], of);
}

/** Does the summary have a ratio of this model? */
static int is_compared(const bench_summary *s, const char *model)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->lines[i].model, model) == 0 && !isnan(bench_summary_mean(&s->lines[i], BENCH_CPU))) return 1;
    return 0;
}

/** What is asked at equal error, and what some or all of the models show. */
typedef struct equal_error {
    const char *what, *where;
    double percent, asked;
    int is_final; /**< no other model can change the verdict */
} equal_error;

static void add_equal_error(bench_table *table, const char *models, const equal_error *e)
{
    const target t = {.what = CPU, .asked = e->asked};
    bench_table_cell(table, "%s", models);
    bench_table_cell(table, "-");
    bench_table_cell(table, "processor time at equal error, of the fastest peer: %s", e->what);
    if (isnan(e->percent))
        bench_table_cell(table, "not measured");
    else
        bench_table_cell(table, e->is_final ? "%s" : "%s so far", is_met(&t, e->percent) ? "met" : "missed");
    add_value(table, &t, e->percent);
    bench_table_cell(table, "at most %g %%", t.asked);
    add_gap(table, &t, e->percent);
    bench_table_cell(table, "%s", e->where);
    bench_table_cell(table, "-");
}

void targets_add_equal_errors(bench_table *table, const bench_summary *s)
{
    char where[BENCH_REASON_SIZE] = "-", models[64];
    const char *names[BENCH_MECHANISMS_MAX];
    int n_all = bench_mechanisms(names), n = 0;
    double worst = NAN;
    for (int i = 0; i < n_all; i++) n += is_compared(s, names[i]);
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < BENCH_N_LEVELS; i++) {
            double ratio = bench_versus_ratio(&s->lines[k].at[i], BENCH_CPU);
            if (isnan(ratio) || ratio <= worst) continue;
            worst = ratio;
            snprintf(where, sizeof where, "%s at %.0e, %s", s->lines[k].model, bench_levels[i], s->lines[k].at[i].peer);
        }
    const equal_error each = {"the worst", where, 100 * worst, 100 * asked_each, n == n_all || worst > asked_each};
    const equal_error mean = {"geometric mean", "-", 100 * bench_summary_mean_all(s, BENCH_CPU), 100 * asked_mean,
                              n == n_all};
    snprintf(models, sizeof models, "%d of %d mechanical models", n, n_all);
    add_equal_error(table, models, &each);
    add_equal_error(table, models, &mean);
}

void targets_begin(bench_table *table)
{
    bench_table_init(table, columns, sizeof columns / sizeof columns[0]);
}

void targets_add_paper(bench_table *table, const bench_paper_table *paper, const bench_line *lines, int n)
{
    for (int k = 0; paper->cases[k].model; k++) add_case(table, paper, k, rows_of(lines, n, paper, k));
}

void targets_count(const bench_table *table, int *met, int *missed)
{
    *met = *missed = 0;
    for (int row = 0; row < bench_table_rows(table); row++) {
        *met += strcmp(bench_table_at(table, row, VERDICT), "met") == 0;
        *missed += strcmp(bench_table_at(table, row, VERDICT), "missed") == 0;
    }
}
