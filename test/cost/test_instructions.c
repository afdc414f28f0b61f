/* test_instructions.c - what a step costs beside the model, in instructions counted by valgrind, beside
 * test/cost/instructions.txt. Instructions depend on the compiler, on the machine's vectors, on the version of SUNDIALS
 * and on ColPack, so the table has rows for each such build, and the test is there only in a release build for which it
 * has some (test/meson.build). More than 3 % more is a failure, more than 3 % less too, until the table says so.
 * doc/results.md compares with stock IDA and says how to see where they go.
 *
 *     test_instructions --renew              count, and write the rows of this build anew
 *     test_instructions MODEL N T STRATEGY   what runs under valgrind */
#include <errno.h>

#include "baseline.h"
#include "benchmarks/peers/counted_process.h"
#include "benchmarks/peers/counted_run.h"
#include "test/fixtures/file_util.h"

#define TABLE RESIDA_TEST_FOLDER "/instructions.txt"
#define RENEW "to renew the table, if this is meant: build/test/cost/test_instructions --renew"

/* Model, its n, end [s]. */
static const char *const cases[] = {
    "chain 14 50",           "pendulum 0 10",
    "slider-crank 0 10",     "car-axis 0 3",
    "andrews 0 0.03",        "slider-crank-flexible 0 0.01",
    "chain-cartesian 14 20", "chain-cartesian 1000 0.2",
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static const char *const columns[] = {"build", "model", "n", "end_s", "instructions"};
enum { N_WORDS = 4, N_FIGURES = 1 };

static const char heading[] =
    "# Instructions of a step beside the callbacks of the model, strategy \"auto\", by compiler of a\n"
    "# release build, vectors of the machine, SUNDIALS, and ColPack where it is there.\n"
    "# Written by: build/test/cost/test_instructions --renew\n";

static baseline empty_table(void)
{
    return (baseline){.heading = heading, .columns = columns, .n_words = N_WORDS, .n_figures = N_FIGURES};
}

/* All cases at a time. @return 0; -1: one failed, and text names it */
static int measure(const char *self, baseline *b, char *text)
{
    counted_process process[N_CASES];
    *b = empty_table();
    text[0] = 0;
    for (int i = 0; i < N_CASES; i++) process[i] = counted_begin(self, cases[i], "auto");
    for (int i = 0; i < N_CASES; i++) {
        long steps;
        baseline_row *row = &b->row[b->n_rows++];
        snprintf(row->key, sizeof row->key, RESIDA_TEST_BUILD " %s", cases[i]);
        row->figure[0] = counted_end(&process[i], &steps);
        if (!(row->figure[0] > 0)) snprintf(text, BASELINE_TEXT, "%s: valgrind failed", row->key);
    }
    return text[0] ? -1 : 0;
}

static int is_of_this_build(const baseline_row *row)
{
    return strncmp(row->key, RESIDA_TEST_BUILD " ", strlen(RESIDA_TEST_BUILD " ")) == 0;
}

/* The rows of other builds stay. */
static int renew(const char *self)
{
    static baseline before, b;
    static char text[BASELINE_TEXT];
    before = empty_table();
    if (baseline_read(&before, TABLE, text) < 0) fprintf(stderr, "a new table: %s\n", text);
    if (measure(self, &b, text) < 0) {
        fprintf(stderr, "%s\n", text);
        return 1;
    }
    for (int i = 0; i < before.n_rows && b.n_rows < BASELINE_MAX_ROWS; i++)
        if (!is_of_this_build(&before.row[i])) b.row[b.n_rows++] = before.row[i];
    if (baseline_write(&b, TABLE) < 0) {
        fprintf(stderr, "%s: %s\n", TABLE, strerror(errno));
        return 1;
    }
    printf("written: %s\n", TABLE);
    return 0;
}

/* --- the claims --- */

static const char *program;
static baseline then, now;
static char text[BASELINE_TEXT];

static int read_and_measure(void **state)
{
    then = empty_table();
    if (baseline_read(&then, TABLE, text) == 0 && measure(program, &now, text) == 0) return 0;
    print_error("%s\n%s\n", text, RENEW);
    return -1;
}

static void no_step_costs_3_percent_more(void **state)
{
    baseline_expect_none(&then, &now, 1, TABLE, RENEW);
}

static void no_gain_of_3_percent_is_left_out_of_the_table(void **state)
{
    baseline_expect_none(&then, &now, -1, TABLE, RENEW);
}

static void table_has_no_other_cases(void **state)
{
    for (int i = 0; i < then.n_rows; i++) {
        const baseline_row *row = &then.row[i];
        if (is_of_this_build(row) && !baseline_find(&now, row->key))
            fail_msg("%s: no such case: %s\n%s", TABLE, row->key, RENEW);
    }
}

int main(int argc, char **argv)
{
    unsetenv("MALLOC_PERTURB_"); /* which meson sets: what fills blocks of memory is not the library's */
    if (argc == 5) {
        static counted_run c;
        counted_open(&c, argv[1], atof(argv[2]));
        const counted_counts counts = counted_integrate(&c, atof(argv[3]), argv[4]);
        counted_print(&counts, 0);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--renew") == 0) return renew(argv[0]);
    program = argv[0];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_step_costs_3_percent_more),
        cmocka_unit_test(no_gain_of_3_percent_is_left_out_of_the_table),
        cmocka_unit_test(table_has_no_other_cases),
    };
    return cmocka_run_group_tests(tests, read_and_measure, NULL);
}
