/* reproduce_pattern.c - Figures 3 to 5 of M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector iteration for DAE time
 * integration in multibody dynamics: entries of the Jacobian of a train carriage over its whole run (3), the groups of
 * its columns as colours (4), and the columns of each group merged (5). The assignment of columns to groups depends on
 * the algorithm, ColPack here, TOMS 618 in the paper. The required number of groups does not.
 *
 * The figures show the entries that the paper counts. The matrix has further entries: derivatives of G'eta by p, which
 * vanish with eta, and reserved entries on the diagonal of the constraints, where J is zero. */
#include "reproduce.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/pattern/pattern.h"
#include "program/output/text_table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 116, DECIMALS = 12 };

/** J in the paper: unknowns, entries, columns computed by differences (n_g columns are known), groups. */
static const struct {
    int n, nnz, columns, groups;
} paper =
#define ROW(...) {__VA_ARGS__};
#include "fig3.csv.inc"

    /** A figure of the command `reproduce`. */
    typedef struct figure {
    const char *number, *path; /**< number: "3", "4", "5" */
    cmd_picture picture;
} figure;

/** Count an entry by kind. Return 1 if the paper counts it. */
static int is_counted(cmd_counted *c, const resida_layout *l, int row, int column)
{
    int curvature = row < l->v && column < l->v && row != column;
    int diagonal = row >= l->lam && row == column;
    c->curvature += curvature;
    c->diagonal += diagonal;
    return !curvature && !diagonal;
}

int cmd_counted_make(cmd_counted *c, const cmd_pattern_work *p)
{
    int n = p->J.n, nnz = 0;
    *c = (cmd_counted){.pattern = *p};
    c->start = calloc((size_t)n + 1, sizeof *c->start);
    c->row = calloc((size_t)p->J.nnz, sizeof *c->row);
    if (!c->start || !c->row) return -1;
    for (int k = 0; k < n; k++) {
        for (int e = p->J.start[k]; e < p->J.start[k + 1]; e++)
            if (is_counted(c, &p->layout, p->J.row[e], k)) c->row[nnz++] = p->J.row[e];
        c->start[k + 1] = nnz;
        c->columns += p->group[k] >= 0;
    }
    c->pattern.J.start = c->start;
    c->pattern.J.row = c->row;
    c->pattern.J.nnz = nnz;
    return 0;
}

void cmd_counted_free(cmd_counted *c)
{
    free(c->start);
    free(c->row);
}

void cmd_counted_draw(const cmd_counted *c, const cmd_picture *picture, const char *number)
{
    char title[128], subtitle[128];
    cmd_pattern_work plain = c->pattern;
    snprintf(title, sizeof title, "Figure %s: Jacobian of the train, %s formalism, form %s", number, plain.formalism,
             plain.form);
    snprintf(subtitle, sizeof subtitle, "%d groups for %d columns (paper: %d for %d)", plain.n_groups, c->columns,
             paper.groups, paper.columns);
    if (strcmp(number, "4") == 0) cmd_pattern_draw_as(&c->pattern, picture, title, subtitle);
    if (strcmp(number, "5") == 0) cmd_pattern_draw_groups(&c->pattern, picture, title, subtitle);
    if (strcmp(number, "3") != 0) return;
    plain.group = NULL;
    snprintf(subtitle, sizeof subtitle, "n = %d, %d non-zeros (paper: %d)", plain.J.n, plain.J.nnz, paper.nnz);
    cmd_pattern_draw_as(&plain, picture, title, subtitle);
}

static void add(cmd_table *table, const char *what, int measured, int printed)
{
    cmd_table_cells(table, "%s\t%d\t%d", what, measured, printed);
}

void cmd_counted_fill(cmd_table *table, const cmd_counted *c)
{
    cmd_table_begin(table, "<=quantity\tmeasured\tpaper");
    add(table, "unknowns", c->pattern.J.n, paper.n);
    add(table, "entries of J", c->pattern.J.nnz, paper.nnz);
    add(table, "differenced columns", c->columns, paper.columns);
    add(table, "groups of columns", c->pattern.n_groups, paper.groups);
}

/** Print the columns of each group, numbered from 1: "(1 83 85) (2 84) ...". */
static void print_groups(const cmd_pattern_work *p)
{
    int at = printf("\n  groups") - 1;
    for (int g = 0; g < p->n_groups; g++) {
        char text[16 + DECIMALS * CMD_PATTERN_TEXT_MAX] = "";
        int n = 0;
        for (int c = 0; c < p->J.n && n + DECIMALS < (int)sizeof text; c++)
            if (p->group[c] == g) n += snprintf(text + n, DECIMALS, " %d", c + 1);
        if (at + n + 2 > LINE_WIDTH) at = printf("\n        ") - 1;
        at += printf(" (%s)", text + 1);
    }
    putchar('\n');
}

static void print(const cmd_counted *c, const figure *f)
{
    cmd_table table;
    const cmd_pattern_work *p = &c->pattern;
    cmd_counted_fill(&table, c);
    printf("Figure %s of " CMD_PAPER ":\nJacobian of a train carriage on an S-shaped line change, %s formalism, after "
           "%ld steps at t = %g. The train of the\npaper is a model of an industrial "
           "package. This train is an open model of the same size and structure.\n\n",
           f->number, p->formalism, p->steps, p->t);
    cmd_table_print(&table, 2, stdout);
    if (strcmp(f->number, "3") != 0) print_groups(p);
    printf("\nThe number of groups is at least %d (grouping method: %s). The matrix stores %d further entries:\n%d "
           "derivatives of G'eta by p, which vanish for eta = 0, and %d entries on the diagonal of the "
           "constraints.\nPicture: %s\n",
           p->counts.groups_bound, p->method, c->curvature + c->diagonal, c->curvature, c->diagonal, f->path);
}

static json_t *figure_json(const cmd_counted *c, const figure *f)
{
    char source[256];
    snprintf(source, sizeof source, CMD_PAPER ", Figure %s", f->number);
    json_t *printed = CMD_OBJECT({"source", cmd_json_text(source)}, {"n", cmd_json_count(paper.n)},
                                 {"nnz", cmd_json_count(paper.nnz)}, {"columns", cmd_json_count(paper.columns)},
                                 {"groups", cmd_json_count(paper.groups)});
    return CMD_EXTENDED(cmd_pattern_json(&c->pattern), {"columns", cmd_json_count(c->columns)},
                        {"vanishing", cmd_json_count(c->curvature)}, {"reserved", cmd_json_count(c->diagonal)},
                        {"published", printed});
}

static int show(const cmd_pattern_work *pattern, void *context)
{
    figure *f = context;
    cmd_counted c;
    int code = cmd_counted_make(&c, pattern) == 0 ? 0 : cmd_no_memory();
    if (code == 0) {
        cmd_counted_draw(&c, &f->picture, f->number);
        code = cmd_picture_commit(&f->picture);
    }
    if (code == 0 && pattern->job->settings->format == CMD_TEXT) print(&c, f);
    if (code == 0 && pattern->job->settings->format == CMD_JSON) code = cmd_json_line(figure_json(&c, f), stdout);
    cmd_counted_free(&c);
    return code;
}

int cmd_train_pattern(const cmd_settings *s, cmd_pattern_show_fn *show_it, void *context)
{
    static const char *const words[] = {"train"};
    cmd_settings settings = *s;
    cmd_model model;
    cmd_job job;
    settings.rtol = settings.atol = 1e-4;
    settings.solver.stability_detection = 0; /* the codes of the paper have none */
    settings.solver.min_order = 1;
    int code = cmd_models_open(&model, 1, words, &settings);
    if (code != 0) return code;
    code = cmd_job_make(&job, &model, &settings, 1);
    job.jacobian = "sparse";
    if (code == 0) code = cmd_job_check(&job);
    if (code == 0) code = cmd_pattern_run(&job, job.t_end, LONG_MAX, show_it, context);
    cmd_models_close(&model, 1);
    return code;
}

int cmd_reproduce_pattern(const cmd_settings *s)
{
    char name[16];
    figure f = {.number = s->words[0] + strlen("fig"), .path = s->out ? s->out : name};
    snprintf(name, sizeof name, "%s.svg", s->words[0]);
    int code = cmd_pattern_open_picture(&f.picture, f.path);
    if (code == 0) code = cmd_train_pattern(s, show, &f);
    cmd_picture_abort(&f.picture);
    return code;
}
