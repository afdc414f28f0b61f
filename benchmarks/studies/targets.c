/* targets.c - compares targets of the project with measured values. Measured values are computed from valid rows of the
 * tables only: rows that satisfy time limits and error bounds.
 *
 *     asked at most:   min over the strategies of  cpu, calls or evaluations, in percent of the original DASSL
 *     asked at least:  evaluations without the extended update / evaluations with it
 *     asked at most:   cpu at equal error in percent of the fastest peer's: the worst, the geometric mean of all
 * models */
#include "targets.h"

#include "program/cli/model_arg.h"
#include "program/output/row_text.h"

#include <math.h>
#include <string.h>

/** Target for processor time at equal error: ratio to the fastest peer at each error, and in the geometric mean. */
static const double asked_each = 1.1, asked_mean = 0.6;

typedef enum quantity { CPU, CALLS, EVALUATIONS, FEWER } quantity;

/** A target for each case of a table whose label contains the words `of`. */
typedef struct target {
    const char *table, *of;
    quantity what;
    double asked;
    const char *against; /**< FEWER: the strategy without the extended update */
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

/** The rows of one case. */
typedef struct rows {
    const cmd_line *lines;
    int n;
} rows;

/** Return the row of resida with this requested strategy, or NULL if there is no valid row. */
static const cmd_line *by_name(rows of, const char *strategy)
{
    for (int i = 0; i < of.n; i++)
        if (!of.lines[i].row.version && strcmp(of.lines[i].row.asked, strategy) == 0 &&
            cmd_row_is_valid(&of.lines[i].row))
            return &of.lines[i];
    return NULL;
}

/** Return the row of the original code, or NULL if it is not built or its row is invalid. */
static const cmd_line *original(rows of)
{
    for (int i = 0; i < of.n; i++)
        if (of.lines[i].row.version && cmd_row_is_valid(&of.lines[i].row)) return &of.lines[i];
    return NULL;
}

static double evaluations_of(const cmd_line *line)
{
    long n = cmd_row_evaluations(&line->row);
    return n < 0 ? NAN : (double)n;
}

/** Return the percentage of the original, or the reduction factor; NaN: unknown. */
static double value_of(const target *t, rows of, const cmd_line *line)
{
    const cmd_line *whole = original(of), *against = t->against ? by_name(of, t->against) : NULL;
    if (!line) return NAN;
    if (t->what == FEWER) return against ? evaluations_of(against) / evaluations_of(line) : NAN;
    if (!whole) return NAN;
    if (t->what == CPU) return line->percent_cpu;
    if (t->what == CALLS) return line->percent_calls;
    return 100 * evaluations_of(line) / evaluations_of(whole);
}

static const cmd_line *best_of(const target *t, rows of)
{
    const cmd_line *best = NULL;
    if (t->what == FEWER) return by_name(of, "dense+extended");
    for (int i = 0; i < of.n; i++) {
        const cmd_line *line = &of.lines[i];
        if (line->row.version || !cmd_row_is_valid(&line->row) || isnan(value_of(t, of, line))) continue;
        if (!best || value_of(t, of, line) < value_of(t, of, best)) best = line;
    }
    return best;
}

static const char *words_of(const target *t, char text[CMD_STRATEGY_SIZE])
{
    static const char *const words[] = {"processor time, relative to the original DASSL",
                                        "residual calls, relative to the original DASSL",
                                        "evaluations of J, relative to the original DASSL"};
    if (t->what != FEWER) return words[t->what];
    snprintf(text, CMD_STRATEGY_SIZE, "reduction of the evaluations of J, relative to %s", t->against);
    return text;
}

static void add_value(cmd_table *table, const target *t, double value)
{
    if (isnan(value))
        cmd_table_cell(table, "-");
    else if (t->what == FEWER && isinf(value))
        cmd_table_cell(table, "0 evaluations");
    else
        cmd_table_cell(table, t->what == FEWER ? "%.1f times" : "%.1f %%", value);
}

static int is_met(const target *t, double value)
{
    return t->what == FEWER ? value >= t->asked : value <= t->asked;
}

static const char *verdict_of(const target *t, rows of, double value)
{
    if (!isnan(value)) return is_met(t, value) ? "met" : "missed";
    return t->what != FEWER && of.n > 0 && !original(of) ? "DASSL is not built" : "not measured";
}

static void add_gap(cmd_table *table, const target *t, double value)
{
    if (isnan(value) || is_met(t, value))
        cmd_table_cell(table, "-");
    else if (t->what == FEWER)
        cmd_table_cell(table, "a factor of %.2f", t->asked / value);
    else
        cmd_table_cell(table, "%.1f percentage points, a factor of %.2f", value - t->asked, value / t->asked);
}

static void add_target(cmd_table *table, const target *t, const cmd_case *c, const char *formalism, rows of)
{
    char text[CMD_STRATEGY_SIZE];
    const cmd_line *best = best_of(t, of);
    double value = value_of(t, of, best);
    int is_named = strcmp(c->label, c->model) != 0;
    cmd_table_cell(table, "%s%s%s", c->model, is_named ? ", " : "", is_named ? c->label : "");
    cmd_table_cell(table, "%s", formalism);
    cmd_table_cell(table, "%s", words_of(t, text));
    cmd_table_cell(table, "%s", verdict_of(t, of, value));
    add_value(table, t, value);
    cmd_table_cell(table, t->what == FEWER ? "at least %g times" : "at most %g %%", t->asked);
    add_gap(table, t, value);
    cmd_table_cell(table, "%s", best ? cmd_row_strategy(&best->row, text) : "-");
    add_value(table, t, t->what == FEWER ? NAN : value_of(t, of, by_name(of, "auto")));
}

/** Return the rows of a case, which are contiguous. */
static rows rows_of(const cmd_line *lines, int n_lines, const cmd_paper_table *table, int in_case)
{
    rows of = {lines, 0};
    for (int i = 0; i < n_lines; i++) {
        if (lines[i].table != table || lines[i].in_case != in_case) continue;
        if (of.n++ == 0) of.lines = &lines[i];
    }
    return of;
}

/** Add all targets of a case. */
static void add_case(cmd_table *table, const cmd_paper_table *paper, int in_case, rows of)
{
    static const char *const formalisms[] = {"auto", "residual", "explicit"}; /* indexed by resida_formalism */
    const cmd_case *c = &paper->cases[in_case];
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (strcmp(targets[i].table, paper->name) == 0 && strstr(c->label, targets[i].of))
            add_target(table, &targets[i], c, formalisms[c->formalism], of);
}

/** Return 1 if the summary has a ratio of this model. */
static int is_compared(const cmd_summary *s, const char *model)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->lines[i].model, model) == 0 && !isnan(cmd_summary_mean(&s->lines[i], CMD_CPU))) return 1;
    return 0;
}

/** A target at equal error, and the measured value for some or all models. */
typedef struct equal_error {
    const char *what, *where;
    double percent, asked;
    int is_final; /**< further models cannot change the verdict */
} equal_error;

static void add_equal_error(cmd_table *table, const char *models, const equal_error *e)
{
    const target t = {.what = CPU, .asked = e->asked};
    cmd_table_cell(table, "%s", models);
    cmd_table_cell(table, "-");
    cmd_table_cell(table, "processor time at equal error, relative to the fastest peer: %s", e->what);
    if (isnan(e->percent))
        cmd_table_cell(table, "not measured");
    else
        cmd_table_cell(table, e->is_final ? "%s" : "%s so far", is_met(&t, e->percent) ? "met" : "missed");
    add_value(table, &t, e->percent);
    cmd_table_cell(table, "at most %g %%", t.asked);
    add_gap(table, &t, e->percent);
    cmd_table_cell(table, "%s", e->where);
    cmd_table_cell(table, "-");
}

void targets_add_equal_errors(cmd_table *table, const cmd_summary *s)
{
    char where[CMD_REASON_SIZE] = "-", models[64];
    const char *names[CMD_MECHANISMS_MAX];
    int n_all = cmd_mechanisms(names), n = 0;
    double worst = NAN;
    for (int i = 0; i < n_all; i++) n += is_compared(s, names[i]);
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < CMD_N_LEVELS; i++) {
            double ratio = cmd_versus_ratio(&s->lines[k].at[i], CMD_CPU);
            if (isnan(ratio) || ratio <= worst) continue;
            worst = ratio;
            snprintf(where, sizeof where, "%s at %.0e, %s", s->lines[k].model, cmd_levels[i], s->lines[k].at[i].peer);
        }
    const equal_error each = {"maximum", where, 100 * worst, 100 * asked_each, n == n_all || worst > asked_each};
    const equal_error mean = {"geometric mean", "-", 100 * cmd_summary_mean_all(s, CMD_CPU), 100 * asked_mean,
                              n == n_all};
    snprintf(models, sizeof models, "%d of %d mechanical models", n, n_all);
    add_equal_error(table, models, &each);
    add_equal_error(table, models, &mean);
}

void targets_begin(cmd_table *table)
{
    cmd_table_begin(table, "<case\t<formalism\t<quantity\t<verdict\tbest=measured\t<target\t<missed by\t<by=measured "
                           "with\tauto=with auto");
}

void targets_add_paper(cmd_table *table, const cmd_paper_table *paper, const cmd_line *lines, int n)
{
    for (int k = 0; paper->cases[k].model; k++) add_case(table, paper, k, rows_of(lines, n, paper, k));
}

void targets_count(const cmd_table *table, int *met, int *missed)
{
    *met = *missed = 0;
    for (int row = 0; row < cmd_table_rows(table); row++) {
        *met += strcmp(cmd_table_at(table, row, VERDICT), "met") == 0;
        *missed += strcmp(cmd_table_at(table, row, VERDICT), "missed") == 0;
    }
}
