/* text_table.c - stores cells as text until all widths are known. Widths count characters of UTF-8, not bytes, so that
 * text with accents stays aligned. */
#include "text_table.h"

#include "program/base/grow.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void cmd_table_init(cmd_table *table, const cmd_column *columns, int n_columns)
{
    *table = (cmd_table){.columns = columns, .n_columns = n_columns};
}

/** Terminate the text at the mark. @return the text after the mark, or NULL if there is no mark */
static char *split_at_mark(char *text, char mark)
{
    char *at = strchr(text, mark);
    if (at) *at++ = 0;
    return at;
}

void cmd_table_begin(cmd_table *table, const char *columns)
{
    static const cmd_column nothing = {"", 1, NULL, NULL};
    int n = 1;
    for (const char *c = columns; *c; c++) n += *c == '\t';
    cmd_column *own = malloc((size_t)n * sizeof *own + strlen(columns) + 1);
    cmd_table_init(table, own ? own : &nothing, own ? n : 1);
    table->own = own;
    char *word = own ? strcpy((char *)(own + n), columns) : NULL;
    for (char *next; word; word = next, own++) {
        next = split_at_mark(word, '\t');
        own->group = split_at_mark(word, '@');
        own->title = split_at_mark(word, '=');
        own->left = word[0] == '<';
        own->heading = word + own->left;
    }
}

void cmd_table_free(cmd_table *table)
{
    free(table->own);
    for (int i = 0; i < table->n_cells; i++) free(table->cells[i]);
    free(table->cells);
    *table = (cmd_table){0};
}

void cmd_table_cell(cmd_table *table, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char **cells = cmd_grow_array(table->cells, table->n_cells, sizeof *cells);
    if (!cells) return;
    table->cells = cells;
    cells[table->n_cells++] = strdup(text);
}

/** Another character separates the cells, because texts in cells may contain tabs. */
void cmd_table_cells(cmd_table *table, const char *format, ...)
{
    enum { SEPARATOR = 0x1f, ROOM = 4096 };
    char own[ROOM], text[ROOM], *cell = text;
    va_list args;
    int n = 1;
    snprintf(own, sizeof own, "%s", format);
    for (char *c = own; *c; c++)
        if (*c == '\t') *c = SEPARATOR, n++;
    va_start(args, format);
    vsnprintf(text, sizeof text, own, args);
    va_end(args);
    for (; n > 0; n--) {
        char *end = n > 1 ? strchr(cell, SEPARATOR) : NULL;
        if (end) *end = 0;
        cmd_table_cell(table, "%s", cell);
        cell = end ? end + 1 : cell + strlen(cell);
    }
}

int cmd_table_rows(const cmd_table *table)
{
    return table->n_cells / table->n_columns;
}

const char *cmd_table_at(const cmd_table *table, int row, int column)
{
    int i = row * table->n_columns + column;
    return i < table->n_cells && table->cells[i] ? table->cells[i] : "";
}

/** Return the number of characters: bytes other than continuation bytes 10xxxxxx. */
static int count_characters(const char *text)
{
    int width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

/** Return 1 if a group begins with this column. */
static int is_start_of_group(const cmd_table *table, int column)
{
    const char *group = table->columns[column].group, *before = column > 0 ? table->columns[column - 1].group : NULL;
    return group && (!before || strcmp(group, before) != 0);
}

/** Return the width of the widest cell. In the first column of a group a bar precedes the cells. */
static int compute_cells_width(const cmd_table *table, int column)
{
    int width = 0;
    for (int row = 0; row < cmd_table_rows(table); row++) {
        int w = count_characters(cmd_table_at(table, row, column));
        if (w > width) width = w;
    }
    return width;
}

static void write_padded(const char *text, int width, int left, int last, FILE *stream)
{
    int blanks = width > count_characters(text) ? width - count_characters(text) : 0;
    if (left)
        fprintf(stream, "%s%*s", text, last ? 0 : blanks, "");
    else
        fprintf(stream, "%*s%s", blanks, "", text);
    fputs(last ? "\n" : "  ", stream);
}

/** Write a row; row -1 is the headings. */
static void put_row(const cmd_table *table, int row, const int *width, const int *heading, int indent, FILE *stream)
{
    fprintf(stream, "%*s", indent, "");
    for (int c = 0; c < table->n_columns; c++) {
        const cmd_column *column = &table->columns[c];
        int wide = heading[c] > width[c] ? heading[c] : width[c], bar = is_start_of_group(table, c);
        if (bar && row < 0) fprintf(stream, "| %s: ", column->group);
        if (bar && row >= 0) fprintf(stream, "%*s| ", (int)strlen(column->group) + 2 + wide - width[c], "");
        write_padded(row < 0 ? column->heading : cmd_table_at(table, row, c), bar && row >= 0 ? width[c] : wide,
                     column->left, c == table->n_columns - 1, stream);
    }
}

/** Write the rows from `first` on. @param[in] widths  [n_columns] widths of cells; NULL: the widest cell */
static void put_rows(const cmd_table *table, int first, const int *widths, int indent, FILE *stream)
{
    int n = table->n_columns;
    int *width = malloc(2 * (size_t)n * sizeof *width);
    if (!width) return;
    for (int c = 0; c < n; c++) {
        width[c] = widths ? widths[c] : compute_cells_width(table, c);
        width[n + c] = count_characters(table->columns[c].heading);
    }
    for (int row = first; row < cmd_table_rows(table); row++) put_row(table, row, width, width + n, indent, stream);
    free(width);
}

void cmd_table_print(cmd_table *table, int indent, FILE *stream)
{
    put_rows(table, -1, NULL, indent, stream);
    cmd_table_free(table);
}

void cmd_table_show(cmd_table *table, const int *widths, int indent, FILE *stream)
{
    put_rows(table, table->shown > 0 ? table->shown : -1, widths, indent, stream);
    table->shown = cmd_table_rows(table);
}
