/* result.c - measures results, stores them in files, and writes them as Markdown. */
#define _DEFAULT_SOURCE /* getloadavg() */
#include "result.h"

#include "benchmarks/util/kept_file.h"
#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/output/row.h"
#include "program/process/stopwatch.h"

#include <math.h>
#include <resida/solver.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DAY = 16, WORDS = 200 };

/** Return the names of the columns: "GROUP TITLE". */
static json_t *names_of(const cmd_table *table)
{
    json_t *names = json_array();
    for (int i = 0; i < table->n_columns; i++) {
        char name[WORDS];
        const cmd_column *c = &table->columns[i];
        snprintf(name, sizeof name, "%s%s%s", c->group ? c->group : "", c->group ? " " : "",
                 c->title ? c->title : c->heading);
        names = cmd_json_append(names, cmd_json_text(name));
    }
    return names;
}

static json_t *rows_of(const cmd_table *table)
{
    json_t *rows = json_array();
    for (int row = 0; row < cmd_table_rows(table); row++) {
        json_t *cells = json_array();
        for (int i = 0; i < table->n_columns; i++)
            cells = cmd_json_append(cells, cmd_json_text(cmd_table_at(table, row, i)));
        rows = cmd_json_append(rows, cells);
    }
    return rows;
}

static json_t *make(const bench_study *study, const cmd_table *table, double seconds)
{
    char day[DAY];
    struct tm utc;
    const time_t now = time(NULL);
    double load = NAN;
    (void)getloadavg(&load, 1);
    strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&now, &utc));
    return CMD_OBJECT({"study", cmd_json_text(study->name)}, {"resida", cmd_json_text(resida_version())},
                      {"compiler", cmd_json_text(cmd_compiler())}, {"date", cmd_json_text(day)},
                      {"load", cmd_json_real(load)}, {"seconds", cmd_json_real(seconds)}, {"columns", names_of(table)},
                      {"rows", rows_of(table)});
}

int bench_result_measure(const bench_study *study, const cmd_settings *s, json_t **result)
{
    cmd_table table = {0};
    const double began = bench_wall_s();
    *result = NULL;
    const int code = study->fill(s, &table);
    if (code == 0) *result = make(study, &table, bench_wall_s() - began);
    cmd_table_free(&table);
    return code == 0 && !*result ? cmd_no_memory() : code;
}

int bench_result_keep(const char *folder, const json_t *result)
{
    char *path = bench_kept_path(folder, json_string_value(json_object_get(result, "study")), ".json");
    char *text = json_dumps(result, JSON_INDENT(1));
    const int code = path && text ? bench_kept_write(path, text, strlen(text)) : cmd_no_memory();
    free(text);
    free(path);
    return code;
}

json_t *bench_result_kept(const char *folder, const bench_study *study)
{
    char *path = bench_kept_path(folder, study->name, ".json"), *text = NULL;
    size_t n = 0;
    if (path) bench_kept_read(path, &text, &n);
    json_t *result = text ? json_loadb(text, n, 0, NULL) : NULL;
    free(text);
    free(path);
    return result;
}

/* --- Markdown --- */

static const char *cell_at(const json_t *row, int column)
{
    const char *text = json_string_value(json_array_get(row, (size_t)column));
    return text ? text : "";
}

static void write_count(const char *digits, size_t n, FILE *stream)
{
    for (size_t i = 0; i < n; i++) fprintf(stream, "%s%c", i > 0 && (n - i) % 3 == 0 ? "," : "", digits[i]);
}

/** Write a cell. Counts with at least four digits get commas: "7,194 (3,887)". Exponents lose their leading zero:
 *  "1e-6". A backslash is inserted before a bar. */
static void write_text(const char *text, FILE *stream)
{
    for (char before = ' '; *text;) {
        const size_t digits = strspn(text, "0123456789");
        size_t n = 1;
        if (digits > 3 && strchr(" (", before) && strchr(" )", text[digits]))
            write_count(text, n = digits, stream);
        else
            fprintf(stream, "%s%c", *text == '|' ? "\\" : "", *text);
        if (before == 'e' && strncmp(text, "-0", 2) == 0) n = 2;
        before = text[n - 1];
        text += n;
    }
}

/** Return the index of the column with this name [n], or -1. */
static int column_of(const json_t *result, const char *name, size_t n)
{
    const json_t *columns = json_object_get(result, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *text = json_string_value(json_array_get(columns, i));
        if (strlen(text) == n && strncmp(text, name, n) == 0) return (int)i;
    }
    return -1;
}

static int no_such(const json_t *result, const char *kind, const char *name, size_t n)
{
    return cmd_complain(CMD_EXIT_USAGE, "%s: no %s '%.*s'", json_string_value(json_object_get(result, "study")), kind,
                        (int)n, name);
}

/** The columns to be shown, and cells that a row must have. */
typedef struct selection {
    int n, shown[WORDS], n_needed, needed[WORDS];
    const char *cell[WORDS];
    size_t length[WORDS];
} selection;

static const char *skip(const char *text)
{
    return text + strspn(text, " ");
}

/** Parse one item [n], "COLUMN" or "COLUMN = CELL". */
static int select_one(const json_t *result, const char *item, size_t n, selection *s)
{
    const char *equals = memchr(item, '=', n);
    size_t name = equals ? (size_t)(equals - item) : n;
    while (name > 0 && item[name - 1] == ' ') name--;
    const int column = column_of(result, item, name);
    if (column < 0) return no_such(result, "column", item, name);
    if (!equals) {
        s->shown[s->n++] = column;
        return 0;
    }
    const char *cell = skip(equals + 1);
    s->needed[s->n_needed] = column;
    s->cell[s->n_needed] = cell;
    s->length[s->n_needed++] = n - (size_t)(cell - item);
    return 0;
}

static int select_columns(const json_t *result, const char *what, selection *s)
{
    const int all = (int)json_array_size(json_object_get(result, "columns"));
    int code = 0;
    *s = (selection){.n = 0};
    for (const char *item = skip(what); *item && code == 0 && s->n + s->n_needed < WORDS;) {
        const size_t n = strcspn(item, ",");
        code = select_one(result, item, n, s);
        item = skip(item + n + (item[n] == ','));
    }
    for (int i = 0; s->n == 0 && i < all && i < WORDS; i++) s->shown[i] = i;
    if (s->n == 0) s->n = all < WORDS ? all : WORDS;
    return code;
}

static int is_selected(const json_t *row, const selection *s)
{
    for (int i = 0; i < s->n_needed; i++) {
        const char *text = cell_at(row, s->needed[i]);
        if (strlen(text) != s->length[i] || strncmp(text, s->cell[i], s->length[i]) != 0) return 0;
    }
    return 1;
}

static void write_row(const json_t *cells, const selection *s, FILE *stream)
{
    fputc('|', stream);
    for (int i = 0; i < s->n; i++) {
        fputc(' ', stream);
        write_text(cell_at(cells, s->shown[i]), stream);
        fputs(" |", stream);
    }
    fputc('\n', stream);
}

int bench_result_table(const json_t *result, const char *what, FILE *stream)
{
    selection s;
    const json_t *rows = json_object_get(result, "rows");
    if (!result) return fputs("?\n", stream) < 0 ? CMD_EXIT_IO : 0;
    const int code = select_columns(result, what, &s);
    if (code != 0) return code;
    write_row(json_object_get(result, "columns"), &s, stream);
    fputc('|', stream);
    for (int i = 0; i < s.n; i++) fputs("---|", stream);
    fputc('\n', stream);
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (is_selected(json_array_get(rows, i), &s)) write_row(json_array_get(rows, i), &s, stream);
    return 0;
}

int bench_result_cell(const json_t *result, const char *what, FILE *stream)
{
    const json_t *rows = json_object_get(result, "rows");
    const size_t n = strcspn(what, ":");
    if (!result) return fputs("?", stream) < 0 ? CMD_EXIT_IO : 0;
    const char *name = skip(what + n + (what[n] == ':'));
    const int column = column_of(result, name, strlen(name));
    if (column < 0) return no_such(result, "column", name, strlen(name));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (strlen(cell_at(row, 0)) != n || strncmp(cell_at(row, 0), what, n) != 0) continue;
        write_text(cell_at(row, column), stream);
        return 0;
    }
    return no_such(result, "row", what, n);
}

void bench_result_made_by(const json_t *result, FILE *stream)
{
    fprintf(stream, "resida %s, %s, %s, load %.1f", json_string_value(json_object_get(result, "resida")),
            json_string_value(json_object_get(result, "compiler")), json_string_value(json_object_get(result, "date")),
            json_number_value(json_object_get(result, "load")));
}
