/* sweep_report.c - one page: how the cases ended, outputs over what varies, and the cases that are not ok. It refers to
 * nothing outside itself. Of many cases every m-th is drawn, and the caption says so. */
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
    MOST_OUTPUTS = 8,   /* pictures */
    MOST_AXES = 4,      /* that they are drawn over */
    MOST_POINTS = 2000, /* of a picture */
    MOST_FAILURES = 500,
    MOST_COLUMNS = 12, /* of the table of failures */
    MOST_TICS = 5,     /* of an axis */
    PICTURE_WIDTH = 480,
    PICTURE_HEIGHT = 300
};

/** From the largest to the least of values that are positive: more than that is drawn by logarithms. */
static const double wide = 30;

/** A page being written. */
typedef struct page {
    FILE *f;
    cmd_store *store;
    const cmd_sweep_work *sweep;
    sqlite3_stmt *all; /**< SELECT *, for the names of columns */
    int code;          /**< of what went wrong */
} page;

static const char *axis_column(const page *p, int i)
{
    return sqlite3_column_name(p->all, 1 + i);
}

static const char *output_column(const page *p, int i)
{
    return sqlite3_column_name(p->all, sqlite3_column_count(p->all) - 1 - p->sweep->n_outputs + i);
}

/** A statement from a text of sqlite3_mprintf(), which is freed; NULL after one complaint. */
static sqlite3_stmt *ask(page *p, char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (!sql || sqlite3_prepare_v2(p->store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        p->code = cmd_store_fail(p->store, "read");
    sqlite3_free(sql);
    return statement;
}

static void put_head(const page *p)
{
    cmd_html_head(p->f, cmd_page_style, "resida sweep", p->sweep->plan.path);
    cmd_html_paragraph(p->f, "%ld cases of %s, from %s.", p->sweep->plan.n_cases, p->sweep->identity,
                       p->sweep->plan.path);
    fputs("</header>\n<main>\n", p->f);
}

/** Cells of a row as words. */
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

/** All rows of a statement into a table. @return how many */
static int add_rows(page *p, cmd_table *table, sqlite3_stmt *rows)
{
    int step = SQLITE_ERROR, count = 0;
    while (rows && (step = sqlite3_step(rows)) == SQLITE_ROW) put_row(table, rows), count++;
    if (rows && step != SQLITE_DONE) p->code = cmd_store_fail(p->store, "read");
    sqlite3_finalize(rows);
    return count;
}

/** The same as a table of its own. */
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
    static const cmd_column columns[] = {
        {"status", 1, NULL, NULL}, {"cases", 0, NULL, NULL}, {"seconds", 0, "mean of seconds", NULL}};
    cmd_html_heading(p->f, 2, "outcome", "How the cases ended");
    put_table(p,
              ask(p, sqlite3_mprintf("SELECT status, count(*), avg(seconds) FROM cases LEFT JOIN clock USING (number) "
                                     "GROUP BY status ORDER BY count(*) DESC")),
              columns, 3, "Cases by status");
}

static void put_ranges(page *p)
{
    const int n = p->sweep->n_outputs;
    cmd_table table;
    cmd_html_heading(p->f, 2, "outputs", "Outputs of the cases that are ok");
    cmd_table_begin(&table, "<output\tcases\tleast\tmean\tlargest");
    for (int i = 0; i < n && p->code == 0; i++) { /* one by one: SQLite takes 500 at once */
        const char *name = output_column(p, i);
        add_rows(p, &table,
                 ask(p, sqlite3_mprintf("SELECT %Q, count(\"%w\"), min(\"%w\"), avg(\"%w\"), max(\"%w\") FROM cases "
                                        "WHERE status = 'ok'",
                                        name, name, name, name, name)));
    }
    if (n > 0) cmd_html_table(p->f, &table, 0, "Range of each output");
    cmd_table_free(&table);
}

/** What a picture shows. */
typedef struct drawing {
    const char *axis, *output;
    double least, most; /**< of what varies */
    int points;
} drawing;

/** Data: every m-th case. */
static void put_points(page *p, const cmd_picture *picture, drawing *d, long every)
{
    sqlite3_stmt *rows =
        ask(p, sqlite3_mprintf("SELECT \"%w\", \"%w\" FROM cases WHERE status = 'ok' AND number %% %ld = 0 AND "
                               "typeof(\"%w\") = 'real' AND \"%w\" IS NOT NULL ORDER BY number",
                               d->axis, d->output, every, d->axis, d->output));
    fputs("$data << END\n", picture->script);
    for (; rows && sqlite3_step(rows) == SQLITE_ROW; d->points++) {
        const double x = sqlite3_column_double(rows, 0);
        fprintf(picture->script, "%.9g %.9g\n", x, sqlite3_column_double(rows, 1));
        d->least = fmin(d->least, x), d->most = fmax(d->most, x);
    }
    fputs("END\n", picture->script);
    sqlite3_finalize(rows);
}

/** A distance of 1, 2 or 5 times a power of ten, of which at most so many are in a span > 0. */
static double round_step(double span, int most)
{
    static const double rounds[] = {1, 2, 5, 10};
    const double least = span / most, power = pow(10, floor(log10(least)));
    int i = 0;
    while (i < 3 && rounds[i] * power < least) i++;
    return rounds[i] * power;
}

/** Tolerances and the like by logarithms; else some round numbers, which do not touch. */
static void put_scale(const drawing *d, FILE *f)
{
    if (d->least > 0 && d->most > wide * d->least) {
        const double edge = pow(d->most / d->least, 0.05); /* no point is on the frame */
        fprintf(f, "set logscale x\nset format x '1e%%L'\nset xrange [%.6g:%.6g]\n", d->least / edge, d->most * edge);
    } else {
        const double span = d->most - d->least, size = fmax(fabs(d->least), fabs(d->most));
        fprintf(f, "set xtics %.17g\n", round_step(span > 0 ? span : size > 0 ? size : 1, MOST_TICS));
    }
}

static void put_plot(const drawing *d, const cmd_picture *picture)
{
    FILE *f = picture->script;
    fputs("set grid\nset rmargin 5\nset format '%.4g'\nset tics out nomirror\nset offsets graph 0.03, graph 0.03, "
          "graph 0.05, "
          "graph 0.05\nset ylabel ",
          f);
    cmd_picture_words(picture, d->output);
    fputs("\nset xlabel ", f);
    cmd_picture_words(picture, d->axis);
    fputc('\n', f);
    put_scale(d, f);
    fputs("plot $data using 1:2 with points pt 7 ps 0.35 lc rgb '#0072B2' notitle\n", f);
}

static void put_figure(const page *p, FILE *svg, const drawing *d, const char *id, long every)
{
    char caption[300], which[40] = "";
    if (every > 1) snprintf(which, sizeof which, ", every %ldth case", every);
    snprintf(caption, sizeof caption, "%.90s over %.90s%s", d->output, d->axis, which);
    cmd_html_picture(p->f, svg, id, caption, caption);
}

/** One output over one of what varies; nothing where that is words. */
static void put_picture(page *p, int output, int axis)
{
    const long every = (p->sweep->plan.n_cases + MOST_POINTS - 1) / MOST_POINTS;
    drawing d = {axis_column(p, axis), output_column(p, output), INFINITY, -INFINITY, 0};
    cmd_picture picture;
    char id[60];
    FILE *svg = NULL;
    if ((p->code = cmd_picture_begin(&picture, PICTURE_WIDTH, PICTURE_HEIGHT)) != 0) return;
    put_points(p, &picture, &d, every);
    if (d.points > 0 && p->code == 0) {
        put_plot(&d, &picture);
        p->code = cmd_picture_inline(&picture, &svg);
    }
    snprintf(id, sizeof id, "picture-%d-%d", output, axis);
    if (svg) put_figure(p, svg, &d, id, every);
    if (svg) fclose(svg);
    cmd_picture_abort(&picture);
}

static void put_pictures(page *p)
{
    const int n = p->sweep->n_outputs < MOST_OUTPUTS ? p->sweep->n_outputs : MOST_OUTPUTS;
    const int n_axes = p->sweep->plan.n_axes < MOST_AXES ? p->sweep->plan.n_axes : MOST_AXES;
    cmd_html_heading(p->f, 2, "pictures", "Outputs over what varies");
    for (int i = 0; i < n && p->code == 0; i++) {
        fputs("<div class=\"pair\">\n", p->f); /* side by side where there is room */
        for (int axis = 0; axis < n_axes && p->code == 0; axis++) put_picture(p, i, axis);
        fputs("</div>\n", p->f);
    }
    if (p->code == CMD_EXIT_FAILED) { /* no gnuplot */
        cmd_html_paragraph(p->f, "No pictures here: gnuplot did not draw them.");
        p->code = 0;
    }
    if (n < p->sweep->n_outputs)
        cmd_html_paragraph(p->f, "%d further outputs are in the table alone: \"outputs\" of the plan chooses.",
                           p->sweep->n_outputs - n);
}

static void put_failures(page *p)
{
    cmd_column columns[MOST_COLUMNS] = {{"case", 0, NULL, NULL}};
    sqlite3_str *sql = sqlite3_str_new(p->store->db);
    int n = 1;
    cmd_html_heading(p->f, 2, "failures", "Cases that are not ok");
    sqlite3_str_appendall(sql, "SELECT number");
    for (int i = 0; i < p->sweep->plan.n_axes && n < MOST_COLUMNS - 2; i++) {
        sqlite3_str_appendf(sql, ", \"%w\"", axis_column(p, i));
        columns[n++] = (cmd_column){axis_column(p, i), 0, NULL, NULL};
    }
    sqlite3_str_appendf(sql, ", status, message FROM cases WHERE status <> 'ok' ORDER BY number LIMIT %d",
                        MOST_FAILURES);
    columns[n++] = (cmd_column){"status", 1, NULL, NULL};
    columns[n++] = (cmd_column){"message", 1, NULL, NULL};
    const int count = put_table(p, ask(p, sqlite3_str_finish(sql)), columns, n, "What they say");
    if (count == 0) cmd_html_paragraph(p->f, "There are none.");
    if (count == MOST_FAILURES) cmd_html_paragraph(p->f, "These are the first %d.", MOST_FAILURES);
}

int cmd_store_report(cmd_store *store, const cmd_sweep_work *sweep, const char *path)
{
    cmd_out out;
    int code = cmd_out_open(&out, path);
    if (code != 0) return code;
    page p = {.f = out.stream, .store = store, .sweep = sweep};
    p.all = ask(&p, sqlite3_mprintf("SELECT * FROM cases LIMIT 0"));
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
