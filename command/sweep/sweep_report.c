/* sweep_report.c - writes a self-contained page: the status of the cases, outputs and costs over the varied parameters,
 * and the cases that are not ok. If a parameter has words as values, such as Jacobian strategies, each word has a
 * colour. If there are many cases, every m-th case is drawn, and the caption states this. */
#include "store.h"

#include "program/base/complain.h"
#include "program/files/out_file.h"
#include "program/output/html.h"
#include "program/picture/picture.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_OUTPUTS = 8,   /* with pictures */
    MAX_AXES = 4,      /* on the horizontal axis */
    MAX_POINTS = 2000, /* per picture */
    MAX_FAILURES = 500,
    MAX_COLUMNS = 12, /* of the table of failures */
    MAX_TICS = 5,     /* per axis */
    MAX_SERIES = 8,   /* words with a colour each */
    FEW_POINTS = 200, /* up to this number points are drawn larger */
    PICTURE_WIDTH = 480,
    PICTURE_HEIGHT = 300,
    HEADING = 200
};

/** Ratio of the largest to the smallest positive value above which an axis is logarithmic. */
static const double wide = 30;

/** Growth of the points of each series below another, so that points at the same place are seen. */
static const double wider = 0.35;

/** A page being written. */
typedef struct page {
    FILE *f;
    cmd_store *store;
    const cmd_sweep_work *sweep;
    sqlite3_stmt *all;  /**< SELECT *, for the names of columns */
    const char *series; /**< first axis with a few words as values, or NULL */
    int code;           /**< exit code of the first error */
} page;

static const char *axis_column(const page *p, int i)
{
    return sqlite3_column_name(p->all, 1 + i);
}

static const char *output_column(const page *p, int i)
{
    return sqlite3_column_name(p->all, sqlite3_column_count(p->all) - 1 - p->sweep->n_outputs + i);
}

static const char *axis_unit(const page *p, int i)
{
    return cmd_unit_of_parameter(p->sweep->cls, axis_column(p, i));
}

/** Prepare a statement from a text of sqlite3_mprintf(), which is freed. @return NULL after one complaint */
static sqlite3_stmt *prepare_statement(page *p, char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (!sql || sqlite3_prepare_v2(p->store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        p->code = cmd_store_complain(p->store, "read");
    sqlite3_free(sql);
    return statement;
}

static void put_head(const page *p)
{
    char heading[HEADING];
    snprintf(heading, sizeof heading, "Sweep of %.150s", p->sweep->cls->name);
    cmd_html_head(p->f, cmd_page_style, heading, p->sweep->plan.path);
    cmd_html_paragraph(p->f, "%ld cases of %s, from %s.", p->sweep->plan.n_cases, p->sweep->identity,
                       p->sweep->plan.path);
    fputs("</header>\n<main>\n", p->f);
}

/** Add the cells of a row as text. */
static void put_row(cmd_table *table, sqlite3_stmt *row)
{
    for (int i = 0; i < table->n_columns; i++) {
        const int type = sqlite3_column_type(row, i);
        if (type == SQLITE_FLOAT)
            cmd_table_cell(table, "%.6g", sqlite3_column_double(row, i));
        else
            cmd_table_cell(table, "%s", type == SQLITE_NULL ? "-" : (const char *)sqlite3_column_text(row, i));
    }
}

/** Add all rows of a statement to a table. @return the number of rows */
static int add_rows(page *p, cmd_table *table, sqlite3_stmt *rows)
{
    int step = SQLITE_ERROR, count = 0;
    while (rows && (step = sqlite3_step(rows)) == SQLITE_ROW) put_row(table, rows), count++;
    if (rows && step != SQLITE_DONE) p->code = cmd_store_complain(p->store, "read");
    sqlite3_finalize(rows);
    return count;
}

/** Write all rows of a statement as a table. @return the number of rows */
static int put_table(page *p, sqlite3_stmt *rows, const cmd_column *columns, int n, const char *caption)
{
    cmd_table table;
    cmd_table_init(&table, columns, n);
    const int count = add_rows(p, &table, rows);
    if (count > 0) cmd_html_table(p->f, &table, 0, caption);
    cmd_table_free(&table);
    return count;
}

static void put_outcome(page *p)
{
    static const cmd_column columns[] = {{"status", 1, NULL, NULL},
                                         {"cases", 0, NULL, NULL},
                                         {"with warnings", 0, NULL, NULL},
                                         {"seconds", 0, "mean time [s]", NULL}};
    cmd_html_heading(p->f, 2, "outcome", "Status of the cases");
    put_table(
        p,
        prepare_statement(
            p, sqlite3_mprintf(
                   "SELECT status, count(*), sum(warnings > 0), avg(seconds) FROM cases LEFT JOIN clock USING (number) "
                   "GROUP BY status ORDER BY count(*) DESC")),
        columns, 4, "Cases by status");
}

static void put_ranges(page *p)
{
    const int n = p->sweep->n_outputs;
    cmd_table table;
    cmd_html_heading(p->f, 2, "outputs", "Outputs of successful cases");
    cmd_table_begin(&table, "<output\t<unit\tcases\tleast\tmean\tlargest");
    for (int i = 0; i < n && p->code == 0; i++) { /* one query per output, because SQLite limits the number of
                                                   * expressions */
        const char *name = output_column(p, i), *unit = p->sweep->outputs[i].unit;
        add_rows(p, &table,
                 prepare_statement(
                     p, sqlite3_mprintf("SELECT %Q, %Q, count(\"%w\"), min(\"%w\"), avg(\"%w\"), max(\"%w\") FROM "
                                        "cases WHERE status = 'ok'",
                                        name, *unit ? unit : "-", name, name, name, name)));
    }
    if (n > 0) cmd_html_table(p->f, &table, 0, "Range of each output");
    cmd_table_free(&table);
}

typedef struct range {
    double least, most;
} range;

/** The content of a picture. */
typedef struct drawing {
    const char *axis, *output, *axis_unit, *output_unit;
    range x, y;
    int points, n_series;
    char titles[MAX_SERIES][CMD_WORD_SIZE]; /**< [n_series] */
} drawing;

static void widen_range(range *r, double x)
{
    r->least = fmin(r->least, x), r->most = fmax(r->most, x);
}

/** Start a data set for the next word, if it differs from the last one. */
static void begin_series(drawing *d, const char *title, FILE *f)
{
    if (d->n_series > 0 && strcmp(d->titles[d->n_series - 1], title) == 0) return;
    if (d->n_series > 0) fputs("\n\n", f);
    snprintf(d->titles[d->n_series++], CMD_WORD_SIZE, "%.*s", CMD_WORD_SIZE - 1, title);
}

/** Write the data of every m-th case. */
static void put_points(page *p, const cmd_picture *picture, drawing *d, long every)
{
    const char *quote = p->series ? "\"" : "'";
    sqlite3_stmt *rows = prepare_statement(
        p, sqlite3_mprintf("SELECT \"%w\", \"%w\", %s%w%s AS series FROM cases LEFT JOIN clock USING (number) "
                           "WHERE status = 'ok' AND number %% %ld = 0 AND typeof(\"%w\") = 'real' AND \"%w\" IS "
                           "NOT NULL ORDER BY series, number",
                           d->axis, d->output, quote, p->series ? p->series : "", quote, every, d->axis, d->output));
    fputs("$data << END\n", picture->script);
    for (; rows && sqlite3_step(rows) == SQLITE_ROW; d->points++) {
        const double x = sqlite3_column_double(rows, 0), y = sqlite3_column_double(rows, 1);
        begin_series(d, (const char *)sqlite3_column_text(rows, 2), picture->script);
        fprintf(picture->script, "%.9g %.9g\n", x, y);
        widen_range(&d->x, x), widen_range(&d->y, y);
    }
    fputs("END\n", picture->script);
    sqlite3_finalize(rows);
}

/** Return a step of 1, 2 or 5 times a power of ten that divides a span > 0 into at most `most` steps. */
static double round_step(double span, int most)
{
    static const double rounds[] = {1, 2, 5, 10};
    const double least = span / most, power = pow(10, floor(log10(least)));
    int i = 0;
    while (i < 3 && rounds[i] * power < least) i++;
    return rounds[i] * power;
}

/** Write the scale of an axis. It is logarithmic for values of different magnitudes such as tolerances, with powers of
 *  ten as tics; else linear with round numbers as tics, with the digits that they need. */
static void put_scale(char axis, range r, FILE *f)
{
    if (r.least > 0 && r.most > wide * r.least) {
        const double edge = pow(r.most / r.least, 0.05); /* margin, so that no point is on the frame */
        const double decades = ceil(log10(r.most / r.least) / MAX_TICS), first = floor(log10(r.least / edge));
        fprintf(f, "set logscale %c\nset format %c '1e%%L'\nset %crange [%.6g:%.6g]\nset %ctics 1e%.0f,1e%.0f\n", axis,
                axis, axis, r.least / edge, r.most * edge, axis, first, decades);
    } else {
        const double span = r.most - r.least, size = fmax(fabs(r.least), fabs(r.most));
        const double step = round_step(span > 0 ? span : size > 0 ? size : 1, MAX_TICS);
        const double digits = size > 0 ? ceil(log10(size / step)) + 1 : 1;
        fprintf(f, "set format %c '%%.%.0fg'\nset %ctics %.17g\n", axis, fmin(fmax(digits, 4), 15), axis, step);
    }
}

static void put_plot(const drawing *d, const cmd_picture *picture)
{
    static const int symbols[MAX_SERIES] = {7, 5, 9, 11, 13, 6, 4, 8};
    FILE *f = picture->script;
    char label[HEADING];
    fputs("set grid\nset rmargin 5\nset tics out nomirror\nset key below height 1\nset offsets graph 0.03, graph 0.03, "
          "graph 0.05, graph 0.05\nset ylabel ",
          f);
    cmd_picture_words(picture, cmd_unit_label(d->output, d->output_unit, label, sizeof label));
    fputs("\nset xlabel ", f);
    cmd_picture_words(picture, cmd_unit_label(d->axis, d->axis_unit, label, sizeof label));
    fputc('\n', f);
    put_scale('x', d->x, f);
    put_scale('y', d->y, f);
    for (int i = 0; i < d->n_series; i++) {
        const double size = (d->points > FEW_POINTS ? 0.35 : 0.6) * (1 + wider * (d->n_series - 1 - i));
        fprintf(f, "%s $data index %d using 1:2 with points lt %d pt %d ps %.3g ", i == 0 ? "plot" : ",", i, i + 1,
                symbols[i], size);
        if (d->titles[i][0]) fputs("title ", f);
        if (d->titles[i][0])
            cmd_picture_words(picture, d->titles[i]);
        else
            fputs("notitle", f);
    }
    fputc('\n', f);
}

static void put_figure(const page *p, FILE *svg, const drawing *d, const char *id, long every)
{
    char caption[300], which[40] = "";
    if (every > 1) snprintf(which, sizeof which, ", every %ldth case", every);
    snprintf(caption, sizeof caption, "%.90s over %.90s%s", d->output, d->axis, which);
    cmd_html_picture(p->f, svg, id, caption, caption);
}

/** Draw a quantity over a varied parameter, unless its values are words. */
static void put_picture(page *p, const char *quantity, const char *unit, int k, int axis)
{
    const long every = (p->sweep->plan.n_cases + MAX_POINTS - 1) / MAX_POINTS;
    const range none = {INFINITY, -INFINITY};
    drawing d = {.axis = axis_column(p, axis),
                 .axis_unit = axis_unit(p, axis),
                 .output = quantity,
                 .output_unit = unit,
                 .x = none,
                 .y = none};
    cmd_picture picture;
    char id[60];
    FILE *svg = NULL;
    if ((p->code = cmd_picture_begin(&picture, PICTURE_WIDTH, PICTURE_HEIGHT)) != 0) return;
    put_points(p, &picture, &d, every);
    if (d.points > 0 && p->code == 0) {
        put_plot(&d, &picture);
        p->code = cmd_picture_inline(&picture, &svg);
    }
    snprintf(id, sizeof id, "picture-%d-%d", k, axis);
    if (svg) put_figure(p, svg, &d, id, every);
    if (svg) fclose(svg);
    cmd_picture_abort(&picture);
}

/** Find the first axis whose values are a few words. Its words determine colours. */
static void find_series(page *p)
{
    for (int i = 0; i < p->sweep->plan.n_axes && !p->series && p->code == 0; i++) {
        const char *name = axis_column(p, i);
        sqlite3_stmt *asked =
            prepare_statement(p, sqlite3_mprintf("SELECT count(DISTINCT \"%w\"), min(typeof(\"%w\") = 'text') FROM "
                                                 "cases",
                                                 name, name));
        if (asked && sqlite3_step(asked) == SQLITE_ROW && sqlite3_column_int(asked, 1) == 1 &&
            sqlite3_column_int(asked, 0) <= MAX_SERIES)
            p->series = name;
        sqlite3_finalize(asked);
    }
}

static void put_pictures(page *p)
{
    static const char *const costs[] = {"residual_calls", "seconds"}, *const cost_units[] = {"", "s"};
    const int n = p->sweep->n_outputs < MAX_OUTPUTS ? p->sweep->n_outputs : MAX_OUTPUTS, n_costs = 2;
    const int n_axes = p->sweep->plan.n_axes < MAX_AXES ? p->sweep->plan.n_axes : MAX_AXES;
    find_series(p);
    cmd_html_heading(p->f, 2, "pictures", "Outputs and costs over varied parameters");
    fputs("<div class=\"pair\">\n", p->f); /* as many side by side as the page has room for */
    for (int i = 0; i < n + n_costs && p->code == 0; i++)
        for (int axis = 0; axis < n_axes && p->code == 0; axis++)
            put_picture(p, i < n ? output_column(p, i) : costs[i - n],
                        i < n ? p->sweep->outputs[i].unit : cost_units[i - n], i, axis);
    fputs("</div>\n", p->f);
    if (p->code == CMD_EXIT_FAILED) { /* gnuplot is not available */
        cmd_html_paragraph(p->f, "There are no pictures, because gnuplot failed.");
        p->code = 0;
    }
    if (n < p->sweep->n_outputs)
        cmd_html_paragraph(p->f,
                           "The table has %d more outputs. \"outputs\" of the plan selects those in the pictures.",
                           p->sweep->n_outputs - n);
}

static void put_failures(page *p)
{
    cmd_column columns[MAX_COLUMNS] = {{"case", 0, NULL, NULL}};
    char headings[MAX_COLUMNS][HEADING];
    sqlite3_str *sql = sqlite3_str_new(p->store->db);
    int n = 1;
    cmd_html_heading(p->f, 2, "failures", "Failed cases");
    sqlite3_str_appendall(sql, "SELECT number");
    for (int i = 0; i < p->sweep->plan.n_axes && n < MAX_COLUMNS - 2; i++) {
        sqlite3_str_appendf(sql, ", \"%w\"", axis_column(p, i));
        cmd_unit_label(axis_column(p, i), axis_unit(p, i), headings[n], HEADING);
        columns[n] = (cmd_column){headings[n], 0, NULL, NULL};
        n++;
    }
    sqlite3_str_appendf(sql, ", status, message FROM cases WHERE status <> 'ok' ORDER BY number LIMIT %d",
                        MAX_FAILURES);
    columns[n++] = (cmd_column){"status", 1, NULL, NULL};
    columns[n++] = (cmd_column){"message", 1, NULL, NULL};
    const int count = put_table(p, prepare_statement(p, sqlite3_str_finish(sql)), columns, n, "What they say");
    if (count == 0) cmd_html_paragraph(p->f, "There are none.");
    if (count == MAX_FAILURES) cmd_html_paragraph(p->f, "These are the first %d.", MAX_FAILURES);
}

int cmd_store_report(cmd_store *store, const cmd_sweep_work *sweep, const char *path)
{
    cmd_out out;
    int code = cmd_out_open(&out, path);
    if (code != 0) return code;
    page p = {.f = out.stream, .store = store, .sweep = sweep};
    p.all = prepare_statement(&p, sqlite3_mprintf("SELECT * FROM cases LIMIT 0"));
    put_head(&p);
    if (p.code == 0) put_outcome(&p);
    if (p.code == 0) put_ranges(&p);
    if (p.code == 0) put_pictures(&p);
    if (p.code == 0) put_failures(&p);
    fputs("</main>\n</body>\n</html>\n", p.f);
    sqlite3_finalize(p.all);
    if (p.code == 0) return cmd_out_commit(&out);
    cmd_out_abort(&out);
    return p.code;
}
