/* plan_csv.c - reads a plan from a table (RFC 4180). The first line contains names, each further line a case. An empty
 * cell keeps the default of its parameter or option. Empty lines are ignored. A quoted cell may contain commas, line
 * breaks and doubled quotes. */
#include "plan.h"

#include "program/base/complain.h"
#include "program/base/grow.h"

#include <stdlib.h>
#include <string.h>

/** The position of the reader. */
typedef struct reader {
    cmd_plan *plan;
    const char *at;
    long line;           /**< from 1 */
    char *cell;          /**< last cell, with memory for the whole text */
    int is_last;         /**< 1 if the cell ends its row */
    const char *problem; /**< error in the cell; NULL if there is none */
} reader;

/** Read a quoted cell from its first quote on. @return the position after the cell */
static const char *read_quoted(reader *r, const char *c, char **to)
{
    for (c++; *c && !(c[0] == '"' && c[1] != '"'); c++) {
        if (*c == '"') c++;
        if (*c == '\n') r->line++;
        *(*to)++ = *c;
    }
    if (!*c) r->problem = "a closing quote is missing";
    if (!*c) return c;
    c += 1 + strspn(c + 1, " \t");
    if (*c && !strchr(",\r\n", *c)) r->problem = "there is text after the closing quote";
    return c;
}

/** Return the position after the end of a line: LF, CR LF, or CR. */
static const char *skip_line_end(const char *c)
{
    return c + (c[0] == '\r' && c[1] == '\n' ? 2 : c[0] != 0);
}

/** Read the next cell without surrounding blanks. */
static void read_cell(reader *r)
{
    const char *c = r->at + strspn(r->at, " \t");
    char *to = r->cell;
    if (*c == '"') {
        c = read_quoted(r, c, &to);
    } else {
        const size_t n = strcspn(c, ",\r\n");
        memcpy(to, c, n);
        to += n;
        c += n;
        while (to > r->cell && strchr(" \t", to[-1])) to--;
    }
    *to = 0;
    r->is_last = *c != ',';
    r->at = r->is_last ? skip_line_end(c) : c + 1;
}

static int complain_at_line(const reader *r, long line)
{
    return cmd_complain(CMD_EXIT_USAGE, "%s, line %ld: %s", r->plan->path, line, r->problem);
}

static int read_header(reader *r)
{
    cmd_plan *plan = r->plan;
    do {
        read_cell(r);
        if (!r->problem && r->cell[0] == 0) r->problem = "a column has no name";
        if (r->problem) return complain_at_line(r, r->line);
        if (!cmd_plan_add(&plan->axes, &plan->n_axes, r->cell)) return cmd_no_memory();
    } while (!r->is_last);
    r->line++;
    return 0;
}

/** Append a case with its line number. @return 0; -1 without memory */
static int append_line_number(cmd_plan *plan, long line)
{
    long *more = cmd_grow_array(plan->lines, plan->n_cases, sizeof *more);
    if (!more) return -1;
    plan->lines = more;
    more[plan->n_cases++] = line;
    return 0;
}

static int read_row(reader *r)
{
    cmd_plan *plan = r->plan;
    const long line = r->line;
    for (int i = 0; i < plan->n_axes; i++) {
        read_cell(r);
        if (r->problem) return complain_at_line(r, line);
        if (r->is_last != (i + 1 == plan->n_axes))
            return cmd_complain(CMD_EXIT_USAGE, "%s, line %ld: has %s cells than the header, %d", plan->path, line,
                                r->is_last ? "fewer" : "more", plan->n_axes);
        if (strlen(r->cell) >= CMD_WORD_SIZE / 2)
            return cmd_complain(CMD_EXIT_USAGE, "%s, line %ld: the value of '%s' is too long", plan->path, line,
                                plan->axes[i].name);
        if (cmd_axis_add(&plan->axes[i], r->cell) != 0) return cmd_no_memory();
    }
    r->line++;
    return append_line_number(plan, line) == 0 ? 0 : cmd_no_memory();
}

/** Skip empty lines. */
static void skip_empty(reader *r)
{
    for (;;) {
        const char *c = r->at + strspn(r->at, " \t");
        if (*c != 0 && !strchr("\r\n", *c)) return;
        r->at = skip_line_end(c);
        if (!*c) return;
        r->line++;
    }
}

int cmd_plan_csv(cmd_plan *plan)
{
    reader r = {.plan = plan, .at = cmd_plan_text(plan), .line = 1, .cell = malloc(plan->size + 1)};
    plan->design = CMD_LISTED;
    if (!r.cell) return cmd_no_memory();
    skip_empty(&r);
    int code = *r.at ? read_header(&r) : 0;
    for (skip_empty(&r); code == 0 && *r.at; skip_empty(&r)) code = read_row(&r);
    if (code == 0 && strlen(plan->text) < plan->size) {
        r.problem = "there is a byte 0";
        code = complain_at_line(&r, r.line);
    }
    free(r.cell);
    return code;
}
