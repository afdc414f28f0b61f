/* page.c - replaces the placeholders of the template line by line. */
#include "page.h"

#include "program/base/complain.h"

#include <stdlib.h>
#include <string.h>

enum { PLACE = 300 };

/** A placeholder in a line. */
typedef struct place {
    const bench_study *study;
    char words[PLACE];
    const char *what;  /**< points into words */
    const char *begin; /**< position of "{{" in the line */
    const char *end;   /**< position after "}}" */
} place;

/** Find the next placeholder of a line that ends at `end`. @return 1; 0 if there is none; -1 after one error message */
static int next_place(const char *line, const char *end, int number, place *p)
{
    const char *begin = strstr(line, "{{"), *close = begin ? strstr(begin, "}}") : NULL;
    if (!begin || begin >= end) return 0;
    if (!close || close >= end) return cmd_complain(-1, "line %d of the template: '{{' without '}}'", number);
    snprintf(p->words, sizeof p->words, "%.*s", (int)(close - begin - 2), begin + 2);
    char *colon = strchr(p->words, ':');
    if (colon) *colon++ = 0;
    p->what = colon ? colon + strspn(colon, " ") : "";
    p->begin = begin;
    p->end = close + 2;
    p->study = bench_study_find(p->words);
    if (p->study && p->study->fill) return 1;
    return cmd_complain(-1, "line %d of the template: no study '%s' with a table", number, p->words);
}

static const char *end_of(const char *line)
{
    return line + strcspn(line, "\n");
}

int bench_page_studies(const char *template, int *is_quoted)
{
    int number = 1;
    place p;
    memset(is_quoted, 0, (size_t)bench_n_studies * sizeof *is_quoted);
    for (const char *line = template; *line; number++) {
        const char *end = end_of(line), *at = line;
        int found;
        while ((found = next_place(at, end, number, &p)) > 0) {
            is_quoted[p.study - bench_studies] = 1;
            at = p.end;
        }
        if (found < 0) return CMD_EXIT_USAGE;
        line = end + (*end == '\n');
    }
    return 0;
}

/** Write a table. If its study takes minutes, write the origin of the result, too. */
static int write_table(const place *p, const json_t *result, FILE *stream)
{
    const int code = bench_result_table(result, p->what, stream);
    if (code != 0 || p->study->minutes == 0 || !result) return code;
    fputs("\nMeasured with ", stream);
    bench_result_made_by(result, stream);
    fputs(".\n", stream);
    return 0;
}

static int write_line(const char *line, int number, bench_result_fn *result, void *self, FILE *stream)
{
    const char *end = end_of(line), *at = line;
    place p;
    int found, code = 0;
    while (code == 0 && (found = next_place(at, end, number, &p)) != 0) {
        if (found < 0) return CMD_EXIT_USAGE;
        if (p.begin == line && p.end == end) return write_table(&p, result(self, p.study), stream);
        fprintf(stream, "%.*s", (int)(p.begin - at), at);
        code = bench_result_cell(result(self, p.study), p.what, stream);
        at = p.end;
    }
    fprintf(stream, "%.*s\n", (int)(end - at), at);
    return code;
}

int bench_page_write(const char *template, bench_result_fn *result, void *self, FILE *stream)
{
    int number = 1, code = 0;
    for (const char *line = template; *line && code == 0; number++) {
        const char *end = end_of(line);
        code = write_line(line, number, result, self, stream);
        line = end + (*end == '\n');
    }
    return code;
}
