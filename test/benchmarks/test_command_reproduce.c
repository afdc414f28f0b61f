/* test_command_reproduce.c - what `resida reproduce` promises whatever it reproduces: the help names each item, an
 * option that an item does not know is refused, Ctrl-C keeps finished rows, pictures say what they show. */
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "test/command/command_fixture.h"

/* The complaint without an item has all names: each stands at the beginning of a line of the help. */
COMMAND_CLAIM(the_help_names_each_item)
{
    command_result help = command_run("resida-bench help reproduce"), all = command_run("resida-bench reproduce");
    int n = 0;
    assert_int_equal(help.code, 0);
    command_expect_complaint(&all, "resida-bench reproduce", 2);
    char *names = strstr(all.err.bytes, "give exactly one ITEM: ");
    assert_non_null(names);
    for (char *name = strtok(names + 23, ", ?\n"); name; name = strtok(NULL, ", ?\n")) {
        if (strcmp(name, "or") == 0) continue;
        const char *line = claims_text("\n  %s ", name);
        if (!strstr(help.out.bytes, line)) fail_msg("no line for %s", name);
        n++;
    }
    assert_true(n >= 30);
}

COMMAND_CLAIM(an_option_that_an_item_does_not_know_is_refused)
{
    static const struct {
        const char *line, *words;
    } bad[] = {{"resida-bench reproduce table4.1 --formalism explicit", "table4.1: has no option --formalism"},
               {"resida-bench reproduce table4.8 --max-steps 3", "table4.8: has no option --max-steps"},
               {"resida-bench reproduce drift --repeat 3", "drift: has no option --repeat"},
               {"resida-bench reproduce bauchau1 --out a.svg", "bauchau1: has no option --out"},
               {"resida-bench reproduce bauchau35 --time-limit 1", "bauchau35: has no option --time-limit"},
               {"resida-bench reproduce scaling4 --formalism residual", "scaling4: has no option --formalism"},
               {"resida-bench reproduce scaling4 --t-end 1", "scaling4: has no option --t-end"},
               {"resida-bench reproduce scaling10 --max-steps 9", "scaling10: has no option --max-steps"},
               {"resida-bench reproduce fig7 --repeat 3", "fig7: has no option --repeat"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) command_expect_refusal(bad[i].line, 2, bad[i].words);
    assert_int_equal(command_files(), 0);
}

/* All rows: 13 and 60. */
COMMAND_CLAIM(ctrl_c_keeps_finished_rows)
{
    static const struct {
        const char *line;
        int all;
    } runs[] = {{"resida-bench reproduce drift --format json", 13},
                {"resida-bench reproduce stiff-constraint --format json", 60}};
    const struct timespec pause = {0, 5000000};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        command c;
        struct stat now;
        command_start(&c, runs[i].line);
        while (stat(c.out, &now) != 0 || now.st_size == 0) nanosleep(&pause, NULL); /* the alarm ends it */
        assert_int_equal(kill(c.pid, SIGINT), 0);
        command_result r = command_finish(&c);
        assert_int_equal(r.code, 130);
        assert_int_equal(r.err.size, 0);
        int rows = command_lines(r.out.bytes);
        assert_true(rows >= 1 && rows < runs[i].all);
    }
}

COMMAND_CLAIM(a_budget_that_is_spent_has_a_row_and_code_1)
{
    command_result r = command_run("resida-bench reproduce drift --max-steps 50 --format json");
    assert_int_equal(r.code, 1);
    assert_int_equal(command_lines(r.out.bytes), 13);
    assert_non_null(strstr(r.out.bytes, "budget of 50 steps spent"));
}

COMMAND_CLAIM(pictures_say_what_they_show)
{
    static const struct {
        const char *line;
        const char *words[3];
    } pictures[] = {
        {"resida-bench reproduce scaling4 --out a.svg", {"Figure 4: pendulum by bdf2", "condition number", "h [s]"}},
        {"resida-bench reproduce scaling1 --out a.svg", {"Figure 1: pendulum by bdf2", "last corrections", "h [s]"}},
        {"resida-bench reproduce scaling9 --t-end 0.02 --out a.svg",
         {"Figure 9: cam, and beam", "x [m]", "t = 0.02 s"}},
        {"resida-bench reproduce scaling10 --t-end 0.02 --out a.svg", {"Figure 10: cam-contact", "m_ave = 1", "h [s]"}},
        {"resida-bench reproduce scaling11 --t-end 0.02 --out a.svg", {"Figure 11: cam-contact", "m_ave = 0", "t [s]"}},
    };
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        command_run_well(pictures[i].line);
        test_file svg = test_file_read("a.svg");
        for (int k = 0; k < 3; k++)
            if (!strstr(svg.bytes, pictures[i].words[k]))
                fail_msg("%s: no '%s'", pictures[i].line, pictures[i].words[k]);
    }
}

COMMAND_CLAIM(a_study_is_found_by_its_name)
{
    int carriages = 0, unknowns = 0;
    const char *row = strstr(command_run_well("resida-bench study train-scaling 1").out.bytes, "\n  1 ");
    assert_non_null(row);
    assert_int_equal(sscanf(row, "%d %d", &carriages, &unknowns), 2);
    assert_int_equal(unknowns, 98);
    command_expect_refusal("resida-bench study", 2, "NAME is missing");
    command_expect_refusal("resida-bench study tragets", 2, "did you mean 'targets'");
    command_expect_refusal("resida-bench study train-scaling many", 2, "is not a number of carriages");
    command_expect_refusal("resida-bench study targets table9", 2, "unknown part 'table9'");
}

COMMAND_CLAIM(the_table_of_models_with_excitations_has_no_paper_beside_it)
{
    static const char *const models[] = {"rear-axle", "chain-cartesian", "car-axis"};
    char *rest = command_run_well("resida-bench reproduce extended --repeat 1 --format json").out.bytes;
    int seen[3] = {0, 0, 0};
    while (rest && *rest) {
        json_t *row = command_next_row(&rest);
        assert_string_equal(command_word(row, "status"), "ok");
        assert_true(json_is_null(command_member(row, "published")));
        for (int i = 0; i < 3; i++) seen[i] += strcmp(command_word(row, "problem"), models[i]) == 0;
    }
    for (int i = 0; i < 3; i++) assert_true(seen[i] >= 7); /* the strategies, and DASSL where it is built */
}
