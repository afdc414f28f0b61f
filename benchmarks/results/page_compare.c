/* page_compare.c - compares a page with the expected page by lines and numbers. */
#include "page.h"

#include "program/base/complain.h"
#include "program/output/row.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 40, MAX_COMPLAINTS = 10 };
static const double same_compiler = 0.03, other_compiler = 0.2, error_factor = 2;

/** Read a number, with or without commas, at *at and advance *at. @return 1 if found; 0 otherwise */
static int read_number(const char **at, double *value, int *has_exponent)
{
    char digits[NUMBER], *end;
    size_t n = 0, used = 0;
    if (!isdigit((unsigned char)**at)) return 0;
    for (const char *c = *at; n + 1 < NUMBER && (isdigit((unsigned char)*c) || strchr(".,e+-", *c)) && *c; c++)
        if (*c != ',') digits[n++] = *c;
    digits[n] = 0;
    *value = strtod(digits, &end);
    n = (size_t)(end - digits);
    *has_exponent = memchr(digits, 'e', n) != NULL;
    for (const char *c = *at; used < n; c++, (*at)++)
        if (*c != ',') used++;
    return 1;
}

static int is_near(double a, double b, int is_error, double nearness)
{
    if (is_error) return fmax(a, b) <= error_factor * fmin(a, b);
    return fabs(a - b) <= nearness * fmax(fabs(a), fabs(b));
}

/** Return the position in the page at which the words after a '?' continue, or NULL if they do not occur. */
static const char *behind_any(const char *expected, const char *page, const char *end)
{
    const size_t n = strcspn(expected, "?0123456789\n");
    for (; page <= end; page++)
        if (strncmp(page, expected, n) == 0 && (expected[n] != '\n' || page + n == end)) return page;
    return NULL;
}

static int is_same_line(const char *expected, const char *page, double nearness)
{
    const char *const end = page + strcspn(page, "\n");
    while (*expected && *expected != '\n') {
        double a, b;
        int exponent_a, exponent_b;
        if (*expected == '?') {
            page = behind_any(++expected, page, end);
            if (!page) return 0;
        } else if (read_number(&expected, &a, &exponent_a)) {
            if (!read_number(&page, &b, &exponent_b) || !is_near(a, b, exponent_a || exponent_b, nearness)) return 0;
        } else if (*expected++ != *page++) {
            return 0;
        }
    }
    return page == end;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

static int is_any(const char *line)
{
    return strncmp(line, "?\n", 2) == 0;
}

/** Return the first line of the page that matches the next expected line, or the end of the page. */
static const char *behind_any_lines(const char *expected, const char *page, double nearness)
{
    while (*expected == '\n') expected++;
    while (*page && !is_same_line(expected, page, nearness)) page = next_line(page);
    return page;
}

int bench_page_compare(const char *expected, const char *page, const char *name)
{
    const double nearness = strstr(page, cmd_compiler()) ? same_compiler : other_compiler;
    int n = 0, number = 1;
    for (; *expected; expected = next_line(expected)) {
        if (is_any(expected)) {
            expected = next_line(expected);
            while (*expected == '\n') expected++;
            const char *there = behind_any_lines(expected, page, nearness);
            for (; page < there; page = next_line(page)) number++;
        }
        if (!is_same_line(expected, page, nearness)) {
            if (++n <= MAX_COMPLAINTS)
                cmd_complain(0, "%s:%d: the page has '%.*s', measured '%.*s'", name, number, (int)strcspn(page, "\n"),
                             page, (int)strcspn(expected, "\n"), expected);
        }
        page = next_line(page);
        number++;
    }
    if (*page) cmd_complain(0, "%s:%d: superfluous line", name, number);
    return n + (*page != 0);
}
