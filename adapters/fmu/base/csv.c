/* csv.c - see csv.h. The whole file is read, and split into fields in place. */
#include "csv.h"

#include "fail.h"
#include "xml.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (1L << 30)
enum { BLOCK = 1 << 16 };
static const char utf8_mark[] = "\xef\xbb\xbf"; /* written by spreadsheets at the start of a file */

/* Read all bytes of a stream, which may be a pipe, and append a 0. Return NULL on an error. */
static char *read_all(FILE *f)
{
    char *bytes = NULL;
    size_t size = 0, got = 1;
    while (got > 0 && size < MAX_BYTES) {
        char *more = realloc(bytes, size + BLOCK + 1);
        if (!more) {
            free(bytes);
            return NULL;
        }
        bytes = more;
        got = fread(bytes + size, 1, BLOCK, f);
        size += got;
        bytes[size] = 0;
    }
    if (got == 0 && !ferror(f)) return bytes;
    free(bytes);
    return NULL;
}

int fmu_csv_open(fmu_csv *csv, const char *path, resida_message *why)
{
    *csv = (fmu_csv){.path = path};
    FILE *f = fopen(path, "rb");
    if (!f) return fmu_fail(why, "%.200s cannot be opened: %s", path, strerror(errno));
    csv->bytes = read_all(f);
    fclose(f);
    if (!csv->bytes) return fmu_fail(why, "%.200s cannot be read", path);
    csv->at = csv->bytes;
    if (strncmp(csv->at, utf8_mark, strlen(utf8_mark)) == 0) csv->at += strlen(utf8_mark);
    return 0;
}

void fmu_csv_close(fmu_csv *csv)
{
    free(csv->bytes);
    free(csv->fields);
    *csv = (fmu_csv){0};
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
    char *end = at + strcspn(at, ",\n");
    return end;
}

/* Remove blanks at the end of a field. The next byte may belong to the following separator and is not changed. */
static void trim_field(char *field)
{
    size_t n = strlen(field);
    while (n > 0 && strchr(" \t\r", field[n - 1])) field[--n] = 0;
}

static int split_row(fmu_csv *csv, resida_message *why)
{
    for (csv->n = 0;;) {
        char **fields = realloc(csv->fields, ((size_t)csv->n + 1) * sizeof *fields);
        if (!fields) return fmu_fail(why, "no memory for %.200s", csv->path);
        csv->fields = fields;
        char *end = read_field(csv->at, &fields[csv->n]);
        if (!end || (*end && *end != ',' && *end != '\n'))
            return fmu_fail(why, "%.200s, line %d: a closing quote is missing", csv->path, csv->line);
        const char separator = *end;
        *end = 0;
        csv->at = separator ? end + 1 : end;
        trim_field(fields[csv->n++]);
        if (separator != ',') return 1;
    }
}

int fmu_csv_next(fmu_csv *csv, resida_message *why)
{
    while (*csv->at) {
        csv->line++;
        const char *first = csv->at + strspn(csv->at, " \t\r");
        if (*first != '\n' && *first != '#' && *first) return split_row(csv, why);
        csv->at += strcspn(csv->at, "\n");
        csv->at += *csv->at == '\n';
    }
    return 0;
}

int fmu_csv_number(const fmu_csv *csv, int k, const char *column, double *value, resida_message *why)
{
    const char *list = csv->fields[k];
    if (!strpbrk(list, " \t") && fmu_next_double(&list, value) == 1 && isfinite(*value)) return 0;
    return fmu_fail(why, "%.200s, line %d: %.60s = \"%.60s\" is not a finite number", csv->path, csv->line, column,
                    csv->fields[k]);
}
