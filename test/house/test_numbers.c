/* test_numbers.c - reads the library's sources (RESIDA_SOURCE) and fails where a number decides without a name, or one
 * name stands for two numbers.
 *
 * A number decides where it is compared, chosen by ?: or a bound in fmin() or fmax(). 0, 1, 2 and a half need no name,
 * nor do bytes (hexadecimal) and how often a for loop runs through an array. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules.h"
#include "test/fixtures/file_util.h"
#include "test/fixtures/source_scan.h"

enum { NAME = 64, PATH = 128, MAX_NAMES = 2000, LINE = 200 };

static const char *const library[] = {"base", "jacobian", "src", NULL};

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

static const char *skip_blanks(const char *c)
{
    return c + strspn(c, " \n\t");
}

/* The end of a number that begins at c. */
static const char *end_of_number(const char *c)
{
    for (; scan_is_of_word(*c) || *c == '.' || ((*c == '+' || *c == '-') && (c[-1] == 'e' || c[-1] == 'E')); c++)
        continue;
    return c;
}

static int needs_no_name(const char *number)
{
    const double x = strtod(number, NULL);
    if (number[0] == '0' && number[1] == 'x') return 1;
    return x == 0 || x == 1 || x == 2 || x == 0.5;
}

/* What stands before a number: the last character that is no blank, bracket or sign. */
static const char *before(const char *text, const char *c)
{
    while (c > text && strchr(" \n\t(-", c[-1])) c--;
    return c > text ? c - 1 : c;
}

/* An operator that compares or chooses ends at c. */
static int decides_before(const char *text, const char *c)
{
    const char *b = before(text, c);
    if (*b == '=') return b > text && strchr("=!<>", b[-1]) != NULL;
    if (*b == ':') return 1;
    return *b == '?' || ((*b == '<' || *b == '>') && b > text && b[-1] != *b && !(*b == '>' && b[-1] == '-'));
}

/* One begins at c, behind a number. */
static int decides_behind(const char *c)
{
    c = skip_blanks(c);
    if (c[0] == '<' || c[0] == '>') return c[1] != c[0];
    return *c == '?' || (*c == '=' && c[1] == '=') || (*c == '!' && c[1] == '=');
}

/* An argument of fmin or fmax, at c. */
static int is_bound(const char *text, const char *c)
{
    int depth = 0;
    for (c--; c > text && *c != ';' && *c != '{' && depth >= 0; c--) depth += (*c == ')') - (*c == '(');
    return depth < 0 && c - text >= 3 && (strncmp(c - 3, "fmin(", 5) == 0 || strncmp(c - 3, "fmax(", 5) == 0);
}

/* The last word before the number in its line is that of a loop, or of a case. */
static int is_loop_or_case(const char *text, const char *c)
{
    while (c > text && c[-1] != '\n' && c[-1] != '{') c--;
    c = skip_blanks(c);
    return strncmp(c, "for (", 5) == 0 || strncmp(c, "case ", 5) == 0;
}

static int decides_without_a_name(const char *path, const char *text, char *why)
{
    char *code = scan_blank(text, SCAN_COMMENTS | SCAN_STRINGS | SCAN_DIRECTIVES);
    int line = 0;
    for (const char *c = code; *c && !line;) {
        const int begins = isdigit((unsigned char)*c) && (c == code || !scan_is_of_word(c[-1]));
        const char *end = begins || scan_is_of_word(*c) ? end_of_number(c) : c + 1;
        if (begins && !needs_no_name(c) && !is_loop_or_case(code, c) &&
            (decides_before(code, c) || decides_behind(end) || is_bound(code, c))) {
            line = line_of(code, c);
            snprintf(why, RULE_WHY, "line %d: %.*s decides without a name", line, (int)(end - c), c);
        }
        c = end;
    }
    return line != 0;
}

/* All constants seen so far. */
static struct {
    char name[NAME], path[PATH];
} seen[MAX_NAMES];
static int n_seen;

/* The other file that has that constant, "": none. */
static const char *register_name(const char *path, const char *name, int length)
{
    for (int i = 0; i < n_seen; i++)
        if ((int)strlen(seen[i].name) == length && strncmp(seen[i].name, name, (size_t)length) == 0)
            return strcmp(seen[i].path, path) == 0 ? "" : seen[i].path;
    if (n_seen == MAX_NAMES || length >= NAME) fail_msg("no room for %.*s", length, name);
    snprintf(seen[n_seen].name, NAME, "%.*s", length, name);
    snprintf(seen[n_seen++].path, PATH, "%s", path);
    return "";
}

/* A constant of a macro that begins at c, 0: none. @return its length */
static int macro_at(const char *c, const char **name)
{
    if (strncmp(c, "#define ", 8) != 0) return 0;
    *name = c + 8;
    int length = 0;
    while (scan_is_of_word((*name)[length])) length++;
    return (*name)[length] == ' ' ? length : 0;
}

/* Constants of an enum that begins at c. 1: one is another file's, too. */
static int enum_again(const char *path, const char *c, char *why)
{
    const char *open = strchr(c, '{'), *end = strchr(c, '}'), *stop = strpbrk(c, ";()");
    if (!open || !end || (stop && stop < open)) return 0;
    for (c = open; c < end; c += strcspn(c, ",}")) {
        c = skip_blanks(c + 1);
        int length = 0;
        while (scan_is_of_word(c[length])) length++;
        const char *other = length > 0 ? register_name(path, c, length) : "";
        if (*other) return snprintf(why, RULE_WHY, "%.*s is a constant of %s, too", length, c, other) > 0;
    }
    return 0;
}

static int a_name_again(const char *path, const char *text, char *why)
{
    char *code = scan_blank(text, SCAN_COMMENTS);
    int again = 0;
    for (const char *c = code; *c && !again; c++) {
        const char *name, *other = "";
        const int length = c == code || c[-1] == '\n' ? macro_at(c, &name) : 0;
        if (length > 0) other = register_name(path, name, length);
        again = *other != 0;
        if (again) snprintf(why, RULE_WHY, "%.*s is a constant of %s, too", length, name, other);
        if (strncmp(c, "enum ", 5) == 0 && (c == code || !scan_is_of_word(c[-1]))) again = enum_again(path, c, why);
    }
    return again;
}

CLAIM(a_number_that_decides_has_a_name)
{
    rule *r = decides_without_a_name;
    rule_breaks(r, "base/a.c", "int f(double x) { return x > 0.33; }\n");
    rule_breaks(r, "base/a.c", "int f(double x) { return x <= 4 * eps; }\n");
    rule_breaks(r, "base/a.c", "int f(double x) { return x >= -1e-10 * y; }\n");
    rule_breaks(r, "base/a.c", "int f(double x) { return 3 < x; }\n");
    rule_breaks(r, "base/a.c", "int f(double x) { return x ? 3 : y; }\n");
    rule_breaks(r, "base/a.c", "int f(double x) { return x ? y\n : 0.1; }\n");
    rule_breaks(r, "base/a.c", "double f(double x) { return fmax(size(x, 1), 1e-6); }\n");
    rule_breaks(r, "base/a.c", "double f(double x) { if (x == 7) y = 1; }\n");
    rule_obeys(r, "base/a.c", "#define A 3 < 4\nenum { B = 5 };\n/* x < 3 */ static const double c[] = {5.0, 1e-3};\n");
    rule_obeys(r, "base/a.c", "int f(int x) { return x > 0 && x <= 2 ? 1 : -1; }\n");
    rule_obeys(r, "base/a.c", "int f(int x) { for (int i = 0; i < 6; i++) y += p->a[3] << 4; }\n");
    rule_obeys(r, "base/a.c", "double f(double x) { return 3 * fmax(x, 1) + x / 12; }\n");
    rule_all_obey(r, library);
}

CLAIM(a_constant_has_a_name_of_its_own)
{
    rule *r = a_name_again;
    n_seen = 0;
    rule_obeys(r, "src/a.c", "#define SMALL 128\nenum { MOST = 3, LEAST };\n#if A\n#define SMALL 12\n#endif\n");
    rule_breaks(r, "src/b.c", "#define SMALL 1e-6\n");
    rule_breaks(r, "src/b.c", "#define SMALL 128\n");
    rule_breaks(r, "src/b.c", "enum { FIRST, LEAST = 5 };\n");
    rule_breaks(r, "src/b.c", "typedef enum kind {\n    ONE,\n    MOST\n} kind;\n");
    rule_obeys(r, "src/b.c", "#define SMALLEST 1\n#define GUARD_H\n/* #define SMALL 1 */ enum kind f(int MOST);\n");
    n_seen = 0;
    rule_all_obey(r, library);
    assert_true(n_seen > 100); /* they were found */
}
