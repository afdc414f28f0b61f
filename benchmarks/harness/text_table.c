/* text_table.c - cells are kept as text until all widths are known. Width counts characters of UTF-8, not bytes, so
 * that a model described with accents stays aligned. */
#include "text_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void bench_table_init(bench_table *table, const bench_column *columns, int n_columns)
{
    *table = (bench_table){.columns = columns, .n_columns = n_columns};
}

void bench_table_free(bench_table *table)
{
    for (int i = 0; i < table->n_cells; i++) free(table->cells[i]);
    free(table->cells);
    *table = (bench_table){0};
}

static int make_room(bench_table *table)
{
    if (table->n_cells < table->capacity) return 1;
    int capacity = table->capacity ? 2 * table->capacity : 64;
    char **cells = realloc(table->cells, (size_t)capacity * sizeof *cells);
    if (!cells) return 0;
    table->cells = cells;
    table->capacity = capacity;
    return 1;
}

void bench_table_cell(bench_table *table, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (make_room(table)) table->cells[table->n_cells++] = strdup(text);
}

static const char *cell(const bench_table *table, int i)
{
    return i < table->n_cells && table->cells[i] ? table->cells[i] : "";
}

/** Characters, that is bytes but for the continuation bytes 10xxxxxx. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static int column_width(const bench_table *table, int column)
{
    int width = width_of(table->columns[column].heading);
    for (int i = column; i < table->n_cells; i += table->n_columns) {
        int w = width_of(cell(table, i));
        if (w > width) width = w;
    }
    return width;
}

static void put(const char *text, int width, int left, int last, FILE *stream)
{
    int blanks = width - width_of(text);
    if (left)
        fprintf(stream, "%s%*s", text, last ? 0 : blanks, "");
    else
        fprintf(stream, "%*s%s", blanks, "", text);
    fputs(last ? "\n" : "  ", stream);
}

void bench_table_print(const bench_table *table, int indent, FILE *stream)
{
    int n = table->n_columns;
    int *width = malloc((size_t)n * sizeof *width);
    if (!width) return;
    for (int c = 0; c < n; c++) width[c] = column_width(table, c);
    for (int first = -n; first < table->n_cells; first += n) { /* -n: the headings */
        fprintf(stream, "%*s", indent, "");
        for (int c = 0; c < n; c++) {
            const char *text = first < 0 ? table->columns[c].heading : cell(table, first + c);
            put(text, width[c], table->columns[c].left, c == n - 1, stream);
        }
    }
    free(width);
}
