/* test_option_docs.c - the table of options beside what it speaks of and what speaks of it: the members of the structs,
 * the names of formulations and methods, and doc/options.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <resida/resida.h>

#include "api_scan.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/check_contract.h"
#include "test/fixtures/file_util.h"

enum { USE = 200, PLACES = 3 };

/* By resida_option_place. */
static const struct {
    const char *header, *name;
} structs[PLACES] = {{"include/resida/problem.h", "resida_problem_options"},
                     {"include/resida/solver.h", "resida_solver_options"},
                     {"include/resida/start.h", "resida_start_options"}};

static test_file read_source(const char *name)
{
    return test_file_read(claims_text("%s/%s", test_environment("RESIDA_SOURCE"), name));
}

static const char *use_of(const resida_option *option, char text[USE])
{
    assert_int_equal(resida_option_text(option, text, USE), RESIDA_OK);
    return text;
}

static int n_limited(void)
{
    char use[USE];
    int n = 0;
    for (int i = 0; resida_option_at(i); i++) n += use_of(resida_option_at(i), use)[0] != 0;
    return n;
}

CLAIM(the_table_has_every_member_once_and_nothing_else)
{
    static api_entry found;
    int members = 0, lines = 0;
    for (int k = 0; k < PLACES; k++) {
        test_file header = read_source(structs[k].header);
        assert_int_equal(api_struct(header.bytes, structs[k].name, &found), 1);
        for (int i = 0; i < found.n_parts; i++) {
            if (strcmp(found.parts[i], "size") == 0) continue;
            const resida_option *option = resida_option_find(found.parts[i]);
            if (!option || (int)option->place != k)
                fail_msg("%s.%s is not in the table", structs[k].name, found.parts[i]);
            members++;
        }
    }
    while (resida_option_at(lines)) lines++;
    assert_int_equal(lines, members);
}

CLAIM(the_page_of_options_is_the_table)
{
    test_file page = read_source("doc/options.md");
    for (int i = 0; resida_option_at(i); i++) {
        char use[USE];
        if (!use_of(resida_option_at(i), use)[0]) continue;
        const char *name = claims_text("\n| `%s` | ", resida_option_at(i)->name);
        const char *end = claims_text(" | %s |", use);
        const char *at = strstr(page.bytes, name);
        if (!at) fail_msg("doc/options.md lacks %s", resida_option_at(i)->name);
        const char *behind = strstr(at + strlen(name), " | ");
        if (!behind || strncmp(behind, end, strlen(end)) != 0)
            fail_msg("doc/options.md says of %s something else than '%s'", resida_option_at(i)->name, use);
    }
    assert_int_equal(test_count(page.bytes, "\n| `"), n_limited());
}

/* Of each option there is a form and a method with which it has an effect. */
CLAIM(an_option_is_for_some_form_and_some_method)
{
    for (int i = 0; resida_option_at(i); i++) {
        const resida_option *option = resida_option_at(i);
        int forms = 0, methods = 0;
        for (int f = 0; resida_form_at(f); f++) forms += resida_option_fits(option, resida_form_at(f), NULL);
        for (int m = 0; resida_method_at(m); m++) methods += resida_option_fits(option, NULL, resida_method_at(m));
        if (forms == 0 || methods == 0) fail_msg("%s is for no form, or for no method", option->name);
    }
}

CLAIM(names_are_found_whole)
{
    char text[8];
    assert_null(resida_option_find("gam"));
    assert_null(resida_option_find(""));
    const resida_option *adaptive = resida_option_find("adaptive"), *max_order = resida_option_find("max_order");
    assert_int_equal(resida_option_fits(adaptive, NULL, "newmark"), 1);
    assert_int_equal(resida_option_fits(adaptive, NULL, "newmar"), 0);
    assert_int_equal(resida_option_fits(max_order, "ggl", "bdf"), 1);
    assert_int_equal(resida_option_fits(max_order, "ggl", "bdf1"), 0);
    assert_int_equal(resida_option_text(adaptive, text, sizeof text), RESIDA_OK);
    assert_string_equal(text, "met ..."); /* the text is cut with a mark */
}
