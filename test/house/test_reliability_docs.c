/* test_reliability_docs.c - doc/reliability.md beside the tests that it names: every promise has a row, every row a
 * figure and test programs that are there and are run; and the tests do not become fewer unnoticed. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/fixtures/file_util.h"

enum { PROMISES = 35, CELLS = 5, LONGEST_LINE = 250, PATH = 4096, NAME = 64 };
enum { NUMBER, WRONG, DOES, SHOWN_BY, FIGURE };

/* What there was when this was last looked at. They may rise; who takes one away says here why fewer are enough. */
enum { MIN_PROGRAMS = 164, MIN_CLAIMS = 1061 };

static test_file read_source(const char *name)
{
    return test_file_read(test_path(test_environment("RESIDA_SOURCE"), name));
}

/* Cut a row "| a | b |" into its cells, in place. @return how many there are */
static int cut_row(char *row, char *cells[CELLS])
{
    int n = 0;
    for (char *bar = row; bar[1] != 0; n++) {
        char *end = strchr(bar + 1, '|');
        if (!end || n == CELLS) return -1;
        cells[n] = bar + 1;
        bar = end;
        *bar = 0;
    }
    return n;
}

typedef struct program {
    const char *name;
    int is_run; /* there is a source, and its folder's meson.build names it */
} program;

static void look_for(const char *path, const char *text, void *context)
{
    program *wanted = context;
    const char *found = strstr(path, claims_text("/test_%s.c", wanted->name));
    if (!found || strchr(found + 1, '/')) return;
    const char *build = claims_text("%.*s/meson.build", (int)(found - path), path);
    const char *quoted = claims_text("'%s'", wanted->name);
    wanted->is_run |= strstr(read_source(build).bytes, quoted) != NULL;
}

static int is_program(const char *name)
{
    program wanted = {name, 0};
    test_each_source("test", look_for, &wanted);
    return wanted.is_run;
}

/* Names stand in `backquotes`. @return how many there are */
static int check_programs(char *cell, int promise)
{
    int n = 0;
    for (char *at = strchr(cell, '`'); at; at = strchr(at + 1, '`'), n++) {
        const size_t length = strcspn(at + 1, "`");
        const char *name = claims_text("%.*s", (int)length, at + 1);
        if (!is_program(name)) fail_msg("promise %d: no test program %s is run", promise, name);
        at += 1 + length;
        assert_true(*at == '`');
    }
    return n;
}

static int has_digit(const char *text)
{
    while (*text && !isdigit((unsigned char)*text)) text++;
    return *text != 0;
}

CLAIM(every_promise_has_existing_tests_and_a_figure)
{
    char *cells[CELLS];
    int rows = 0;
    test_file page = read_source("doc/reliability.md");
    for (char *line = strtok(page.bytes, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "| ", 2) != 0 || !isdigit((unsigned char)line[2])) continue;
        if (cut_row(line, cells) != CELLS) fail_msg("row %d has not %d cells", rows + 1, CELLS);
        assert_int_equal(atoi(cells[NUMBER]), ++rows);
        if (check_programs(cells[SHOWN_BY], rows) == 0) fail_msg("promise %d: no test", rows);
        if (!has_digit(cells[FIGURE])) fail_msg("promise %d: no figure", rows);
    }
    assert_int_equal(rows, PROMISES);
}

CLAIM(lines_are_not_too_long)
{
    test_file page = read_source("doc/reliability.md");
    for (char *line = strtok(page.bytes, "\n"); line; line = strtok(NULL, "\n"))
        if (strlen(line) > LONGEST_LINE) fail_msg("%zu characters: %.60s ...", strlen(line), line);
}

/* Claims of a source: CLAIM of any kind; where main() lists them, cmocka's macros, or that for tests of the command. */
static int count_claims(const char *text)
{
    return test_count(text, "\nCLAIM") + test_count(text, "\nCOMMAND_CLAIM") + test_count(text, "  cmocka_unit_test") +
           test_count(text, "  command_unit_test");
}

typedef struct sum {
    int programs, claims;
} sum;

static void add(const char *path, const char *text, void *context)
{
    sum *all = context;
    const char *name = strrchr(path, '/');
    if (!name || strncmp(name, "/test_", strlen("/test_")) != 0) return;
    all->programs++;
    all->claims += count_claims(text);
}

CLAIM(tests_do_not_become_fewer)
{
    sum all = {0, 0};
    test_each_source("test", add, &all);
    print_message("%d test programs, %d claims\n", all.programs, all.claims);
    assert_true(all.programs >= MIN_PROGRAMS);
    assert_true(all.claims >= MIN_CLAIMS);
}
