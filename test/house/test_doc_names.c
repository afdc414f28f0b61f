/* test_doc_names.c - the names of formulations, methods and strategies that the library knows stand wherever a user
 * looks for them: in the header, in doc/choosing.md, in the help of the command, and those of forms in the table of
 * options. And they stand in the lists of the tests that try each of them. */
#include <stdio.h>
#include <string.h>

#include <resida/resida.h>

#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

enum { NAMES = 512, NAME = 64 };

static test_file choosing, help;

static int set_up(void **state)
{
    assert_int_equal(command_set_up(state), 0);
    command_result r = command_run("help solve");
    help = r.out;
    test_file_free(&r.err);
    choosing = test_file_read(test_path(test_environment("RESIDA_SOURCE"), "doc/choosing.md"));
    return 0;
}

static int tear_down(void **state)
{
    test_file_free(&choosing);
    test_file_free(&help);
    return command_tear_down(state);
}

/* What the library says of a strategy. */
static void ask(const char *strategy, resida_message *why)
{
    resida_problem_options po;
    resida_solver_options so;
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_problem_options_init(&po);
    resida_solver_options_init(&so);
    so.jacobian = strategy;
    if (resida_problem_create(&problem, bench_make("pendulum", NULL)->m, &po, why) == RESIDA_OK)
        resida_solver_create(&solver, problem, &so, why);
    resida_solver_free(solver);
    resida_problem_free(problem);
}

/* "unknown Jacobian strategy 'x': use auto, fresh, ..": the names, with blanks between. */
static const char *names_in(const resida_message *why, char names[NAMES])
{
    static const char before[] = "use auto, ";
    const char *at = strstr(why->text, before);
    assert_non_null(at);
    snprintf(names, NAMES, "%s", at + strlen(before));
    for (char *comma = strchr(names, ','); comma; comma = strchr(comma, ',')) memmove(comma, comma + 1, strlen(comma));
    return names;
}

/* The name between two quotes. */
static int has(const char *text, char quote, const char *name)
{
    char quoted[NAME + 2];
    snprintf(quoted, sizeof quoted, "%c%.*s%c", quote, NAME - 1, name, quote);
    return strstr(text, quoted) != NULL;
}

/* Each of the names stands in the header and on the page, and in the help where that lists them. */
static void expect_told(const char *names, const char *header_name, int in_help)
{
    char copy[NAMES];
    test_file header = test_file_read(test_path(test_environment("RESIDA_SOURCE"), header_name));
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok(copy, " "); name; name = strtok(NULL, " ")) {
        if (!has(header.bytes, '"', name)) fail_msg("%s lacks \"%s\"", header_name, name);
        if (!has(choosing.bytes, '`', name)) fail_msg("doc/choosing.md lacks `%s`", name);
        if (in_help && !strstr(help.bytes, name)) fail_msg("resida help solve lacks %s", name);
    }
    test_file_free(&header);
}

/* All names of a list of the library, with blanks between; of bdf1 .. bdf6 the first and the last one. */
static const char *names_of(const char *(*name_at)(int i), char names[NAMES])
{
    names[0] = 0;
    for (int i = 0; name_at(i); i++) {
        const char *name = name_at(i);
        const int is_between = strlen(name) == 4 && strncmp(name, "bdf", 3) == 0 && strchr("2345", name[3]);
        size_t used = strlen(names);
        if (!is_between) snprintf(names + used, NAMES - used, "%s%s", used ? " " : "", name);
    }
    assert_true(strlen(names) < NAMES - NAME);
    return names;
}

CLAIM(every_form_is_documented)
{
    char names[NAMES];
    expect_told(names_of(resida_form_at, names), "include/resida/problem.h", 1);
}

/* What is true of each form with constraints, of each method with steps of a fixed size; other tests run through the
 * lists of the library. */
static const char *const tests_of_forms[] = {"test/problem/test_forms.c", NULL};
static const char *const tests_of_methods[] = {"test/methods/test_method_orders.c", NULL};

static void expect_tried(const char *names, const char *but, const char *const *files)
{
    for (; *files; files++) {
        char copy[NAMES];
        test_file test = test_file_read(test_path(test_environment("RESIDA_SOURCE"), *files));
        snprintf(copy, sizeof copy, "%s", names);
        for (char *name = strtok(copy, " "); name; name = strtok(NULL, " "))
            if (strcmp(name, but) != 0 && !has(test.bytes, '"', name)) fail_msg("%s lacks \"%s\"", *files, name);
        test_file_free(&test);
    }
}

CLAIM(every_form_is_tried)
{
    char names[NAMES];
    expect_tried(names_of(resida_form_at, names), "ode", tests_of_forms);
}

CLAIM(every_method_is_tried)
{
    char names[NAMES];
    expect_tried(names_of(resida_method_at, names), "bdf", tests_of_methods);
}

CLAIM(every_strategy_is_documented)
{
    char names[NAMES];
    resida_message why;
    ask("no such", &why);
    expect_told(names_in(&why, names), "include/resida/jacobian.h", 0);
}

CLAIM(every_method_is_documented)
{
    char names[NAMES];
    expect_told(names_of(resida_method_at, names), "include/resida/solver.h", 1);
}

int main(void)
{
    return claims_run(set_up, tear_down);
}
