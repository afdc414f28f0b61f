/* csv.c - writes numbers with 17 significant digits, so that a reader recovers the same bits, always with a decimal
 * point (number.h). A name with a comma, a quote or a line break is quoted, and its quotes are doubled (RFC 4180).
 * Lines end with a line feed. The auxiliary multipliers of GGL are zero within the tolerance and are not written. */
#include "csv.h"

#include "program/base/complain.h"

#include <stdlib.h>
#include <string.h>

void cmd_csv_text(FILE *f, const char *text, const char *end)
{
    const int quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted) fputc('"', f);
    for (; *text; text++) {
        if (*text == '"') fputc('"', f);
        fputc(*text, f);
    }
    fputs(end, f);
    if (quoted) fputc('"', f);
}

void cmd_csv_name(FILE *f, const char *name)
{
    fputc(',', f);
    cmd_csv_text(f, name, "");
}

void cmd_csv_number(FILE *f, double x)
{
    fprintf(f, ",%.17g", x);
}

void cmd_csv_value(FILE *f, const cmd_columns *columns, int i, double x)
{
    const char *word = cmd_columns_word(columns, i);
    if (word)
        cmd_csv_name(f, word);
    else
        cmd_csv_number(f, x);
}

/** Return 0, or the exit code of a complaint about a failed write. */
static int check_stream(const cmd_csv *csv)
{
    return ferror(csv->out->stream) ? cmd_out_fail(csv->out) : 0;
}

static int write_header(void *self, const resida_problem *problem)
{
    (void)problem;
    cmd_csv *csv = self;
    FILE *f = csv->out->stream;
    fputs("t", f);
    for (int i = 0; i < csv->columns->n; i++) cmd_csv_name(f, csv->columns->names[i]);
    fputc('\n', f);
    return check_stream(csv);
}

static int write_row(void *self, const resida_state *state, const double *outputs)
{
    cmd_csv *csv = self;
    FILE *f = csv->out->stream;
    cmd_columns_values(csv->columns, state, outputs, csv->x);
    fprintf(f, "%.17g", state->t);
    for (int i = 0; i < csv->columns->n; i++) cmd_csv_value(f, csv->columns, i, csv->x[i]);
    fputc('\n', f);
    csv->rows++;
    return check_stream(csv);
}

int cmd_csv_make(cmd_csv *csv, cmd_out *out, const cmd_columns *columns)
{
    *csv = (cmd_csv){.out = out, .columns = columns};
    csv->x = calloc((size_t)columns->n + 1, sizeof *csv->x);
    return csv->x ? 0 : cmd_no_memory();
}

void cmd_csv_free(cmd_csv *csv)
{
    free(csv->x);
    *csv = (cmd_csv){.rows = 0};
}

void cmd_csv_sink(cmd_csv *csv, cmd_sink *sink)
{
    *sink = (cmd_sink){.begin = write_header, .output = write_row, .self = csv};
}
