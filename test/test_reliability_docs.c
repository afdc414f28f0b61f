/* test_reliability_docs.c - doc/reliability.md beside the tests that it names: every promise has a row, every row a figure and test
 * programs that are there and are run; and the tests do not become fewer unnoticed. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file_util.h"

enum { PROMISES = 30, CELLS = 5, LONGEST_LINE = 250, PATH = 512, NAME = 64 };
enum { NUMBER, WRONG, DOES, SHOWN_BY, FIGURE };

/* What there was when this was last looked at. They may rise; who takes one away says here why fewer are enough. */
enum { LEAST_PROGRAMS = 152, LEAST_CLAIMS = 972 };

static test_file read_source(const char *name)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", test_environment("RESIDA_SOURCE"), name);
    return test_file_read(path);
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

static int is_program(const char *name, const char *build)
{
    char path[PATH], quoted[NAME + 3];
    const char *const ends[] = {"c", "cpp"};
    int found = 0;
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/test/test_%s.%s", test_environment("RESIDA_SOURCE"), name, ends[k]);
        found |= access(path, R_OK) == 0;
    }
    snprintf(quoted, sizeof quoted, "'%s'", name);
    return found && strstr(build, quoted);
}

/* Names stand in `backquotes`. @return how many there are */
static int check_programs(char *cell, int promise, const char *build)
{
    int n = 0;
    for (char *at = strchr(cell, '`'); at; at = strchr(at + 1, '`'), n++) {
        char name[NAME];
        const size_t length = strcspn(at + 1, "`");
        snprintf(name, sizeof name, "%.*s", (int)length, at + 1);
        if (!is_program(name, build)) fail_msg("promise %d: no test program %s is run", promise, name);
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

static void every_promise_has_tests_that_are_there_and_a_figure(void **state)
{
    (void)state;
    char *cells[CELLS];
    int rows = 0;
    test_file page = read_source("doc/reliability.md"), build = read_source("test/meson.build");
    for (char *line = strtok(page.bytes, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "| ", 2) != 0 || !isdigit((unsigned char)line[2])) continue;
        if (cut_row(line, cells) != CELLS) fail_msg("row %d has not %d cells", rows + 1, CELLS);
        assert_int_equal(atoi(cells[NUMBER]), ++rows);
        if (check_programs(cells[SHOWN_BY], rows, build.bytes) == 0) fail_msg("promise %d: no test", rows);
        if (!has_digit(cells[FIGURE])) fail_msg("promise %d: no figure", rows);
    }
    assert_int_equal(rows, PROMISES);
    test_file_free(&build);
    test_file_free(&page);
}

static void lines_are_not_too_long(void **state)
{
    (void)state;
    test_file page = read_source("doc/reliability.md");
    for (char *line = strtok(page.bytes, "\n"); line; line = strtok(NULL, "\n"))
        if (strlen(line) > LONGEST_LINE) fail_msg("%zu characters: %.60s ...", strlen(line), line);
    test_file_free(&page);
}

/* Claims of a source: each is registered once, by one of cmocka's macros. */
static int count_claims(const char *text)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, "  cmocka_unit_test")); at++) n++;
    return n;
}

typedef struct sum {
    int programs, claims;
} sum;

static void add(const char *path, const char *text, void *context)
{
    sum *all = context;
    if (strncmp(path, "test/test_", strlen("test/test_")) != 0) return;
    all->programs++;
    all->claims += count_claims(text);
}

static void tests_do_not_become_fewer(void **state)
{
    (void)state;
    sum all = {0, 0};
    test_each_source("test", add, &all);
    print_message("%d test programs, %d claims\n", all.programs, all.claims);
    assert_true(all.programs >= LEAST_PROGRAMS);
    assert_true(all.claims >= LEAST_CLAIMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_promise_has_tests_that_are_there_and_a_figure),
        cmocka_unit_test(lines_are_not_too_long),
        cmocka_unit_test(tests_do_not_become_fewer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
