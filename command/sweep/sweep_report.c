/* sweep_report.c - one page: how the cases ended, outputs over what varies, and the cases that are not ok. It refers to
 * nothing outside itself. Of many cases every m-th is drawn, and the caption says so. */
#include "store.h"

#include "program/base/complain.h"
#include "program/base/out_file.h"
#include "program/output/html.h"
#include "program/picture/picture.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_OUTPUTS = 8,   /* pictures */
    MOST_PANELS = 4,    /* of a picture, side by side */
    MOST_POINTS = 2000, /* of a panel */
    MOST_FAILURES = 500,
    MOST_COLUMNS = 12, /* of the table of failures */
    PANEL_WIDTH = 300,
    MARGIN_WIDTH = 60,
    PICTURE_HEIGHT = 300
};

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
    static const cmd_column columns[] = {{"output", 1, NULL, NULL},
                                         {"cases", 0, NULL, NULL},
                                         {"least", 0, NULL, NULL},
                                         {"mean", 0, NULL, NULL},
                                         {"largest", 0, NULL, NULL}};
    const int n = p->sweep->n_outputs;
    cmd_table table;
    cmd_html_heading(p->f, 2, "outputs", "Outputs of the cases that are ok");
    cmd_table_init(&table, columns, sizeof columns / sizeof *columns);
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

/** Data of a panel: every m-th case. @return points */
static int put_points(page *p, const cmd_picture *picture, int axis, int output, long every)
{
    int n = 0;
    sqlite3_stmt *rows =
        ask(p, sqlite3_mprintf("SELECT \"%w\", \"%w\" FROM cases WHERE status = 'ok' AND number %% %ld = 0 AND "
                               "typeof(\"%w\") = 'real' AND \"%w\" IS NOT NULL ORDER BY number",
                               axis_column(p, axis), output_column(p, output), every, axis_column(p, axis),
                               output_column(p, output)));
    fprintf(picture->script, "$data%d << END\n", axis);
    for (; rows && sqlite3_step(rows) == SQLITE_ROW; n++)
        fprintf(picture->script, "%.9g %.9g\n", sqlite3_column_double(rows, 0), sqlite3_column_double(rows, 1));
    fputs("END\n", picture->script);
    sqlite3_finalize(rows);
    return n;
}

static void put_panel(const page *p, const cmd_picture *picture, int axis)
{
    fputs("set xlabel ", picture->script);
    cmd_picture_words(picture, axis_column(p, axis));
    fprintf(picture->script, "\nplot $data%d using 1:2 with points pt 7 ps 0.35 lc rgb '#0072B2' notitle\n", axis);
    fputs("unset ylabel\n", picture->script);
}

/** One output over all that varies. */
static void put_picture(page *p, int output)
{
    cmd_picture picture;
    const int n_axes = p->sweep->plan.n_axes < MOST_PANELS ? p->sweep->plan.n_axes : MOST_PANELS;
    const long every = (p->sweep->plan.n_cases + MOST_POINTS - 1) / MOST_POINTS;
    int points[MOST_PANELS] = {0}, n = 0;
    char id[32], caption[200];
    FILE *svg = NULL;
    if ((p->code = cmd_picture_begin(&picture, MARGIN_WIDTH + n_axes * PANEL_WIDTH, PICTURE_HEIGHT)) != 0) return;
    for (int i = 0; i < n_axes; i++) n += (points[i] = put_points(p, &picture, i, output, every)) > 0;
    if (n > 0 && p->code == 0) {
        fputs("set grid\nset format '%.4g'\nset tics out nomirror\nset xtics autofreq rotate by -40\nset offsets graph "
              "0.03, graph 0.03, "
              "graph 0.05, graph 0.05\nset ylabel ",
              picture.script);
        cmd_picture_words(&picture, output_column(p, output));
        fprintf(picture.script, "\nset multiplot layout 1,%d\n", n);
        for (int i = 0; i < n_axes; i++)
            if (points[i] > 0) put_panel(p, &picture, i);
        fputs("unset multiplot\n", picture.script);
        p->code = cmd_picture_inline(&picture, &svg);
    }
    if (svg) {
        snprintf(id, sizeof id, "picture-%d", output);
        snprintf(caption, sizeof caption, every > 1 ? "%.90s, every %ldth case" : "%.90s", output_column(p, output),
                 every);
        cmd_html_picture(p->f, svg, id, output_column(p, output), caption);
        fclose(svg);
    }
    cmd_picture_abort(&picture);
}

static void put_pictures(page *p)
{
    const int n = p->sweep->n_outputs < MOST_OUTPUTS ? p->sweep->n_outputs : MOST_OUTPUTS;
    cmd_html_heading(p->f, 2, "pictures", "Outputs over what varies");
    for (int i = 0; i < n && p->code == 0; i++) put_picture(p, i);
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
