/* csv.c - see csv.h. Each row is split into fields in place. */
#define _POSIX_C_SOURCE 200809L /* getline() */
#include "csv.h"

#include "fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char utf8_mark[] = "\xef\xbb\xbf"; /* written by spreadsheets at the start of a file */

int adapter_csv_open(adapter_csv *csv, const char *path, resida_message *why)
{
    *csv = (adapter_csv){.path = path, .file = fopen(path, "rb")};
    return csv->file ? 0 : adapter_fail(why, "%.200s cannot be opened: %s", path, strerror(errno));
}

void adapter_csv_close(adapter_csv *csv)
{
    if (csv->file) fclose(csv->file);
    free(csv->row);
    free(csv->fields);
    *csv = (adapter_csv){0};
}

/* Read a quoted field, in which quotes are doubled. @return the position after it, or NULL without a closing quote */
static char *read_quoted_field(char *from, char **field)
{
    char *to = *field = from + 1;
    for (char *c = to; *c && *c != '\n'; c++) {
        if (*c == '"' && c[1] != '"') {
            *to = 0;
            return c + 1 + strspn(c + 1, " \t\r");
        }
        c += *c == '"';
        *to++ = *c;
    }
    return NULL;
}

static char *read_field(char *at, char **field)
{
    at += strspn(at, " \t");
    if (*at == '"') return read_quoted_field(at, field);
    *field = at;
    return at + strcspn(at, ",\n");
}

/* Remove blanks at the end of a field. The next byte may belong to the following separator and is not changed. */
static void trim_field(char *field)
{
    size_t n = strlen(field);
    while (n > 0 && strchr(" \t\r", field[n - 1])) field[--n] = 0;
}

static int split_row(adapter_csv *csv, char *at, resida_message *why)
{
    for (csv->n = 0;;) {
        char **fields = realloc(csv->fields, ((size_t)csv->n + 1) * sizeof *fields);
        if (!fields) return adapter_fail(why, "no memory for %.200s", csv->path);
        csv->fields = fields;
        char *end = read_field(at, &fields[csv->n]);
        if (!end || (*end && *end != ',' && *end != '\n'))
            return adapter_fail(why, "%.200s, line %d: a closing quote is missing", csv->path, csv->line);
        const char separator = *end;
        *end = 0;
        at = end + 1;
        trim_field(fields[csv->n++]);
        if (separator != ',') return 1;
    }
}

int adapter_csv_next(adapter_csv *csv, resida_message *why)
{
    while (getline(&csv->row, &csv->room, csv->file) >= 0) {
        const int has_mark = csv->line++ == 0 && strncmp(csv->row, utf8_mark, strlen(utf8_mark)) == 0;
        char *at = csv->row + (has_mark ? strlen(utf8_mark) : 0);
        const char first = at[strspn(at, " \t\r")];
        if (first && first != '\n' && first != '#') return split_row(csv, at, why);
    }
    return feof(csv->file) ? 0 : adapter_fail(why, "%.200s cannot be read", csv->path);
}
