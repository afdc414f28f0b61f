/* test_peer_command.c - what the command promises about other integrators: `compare --peers` adds a row for each,
 * `solve --solver` runs one of them, with the trajectory, the errors and the exit codes of resida's own runs. */
#include <unistd.h>

#include "test/command/command_fixture.h"
#include "program/builtin/peer.h"

/* Rows of a comparison that are from this solver with all orders, in this formalism (NULL: in any). */
static int count_rows(const char *text, const char *solver, const char *formalism)
{
    int n = 0;
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        json_t *row = command_json_at(text);
        n += strcmp(command_word(row, "solver"), solver) == 0 && command_number(row, "max_order") == 5 &&
             (!formalism || strcmp(command_word(row, "formalism"), formalism) == 0);
    }
    return n;
}

/* Each row of a lower order stands behind that of all orders, takes fewer calls, and errs no more. @return how many */
static int check_lower_orders(const char *text)
{
    int n = 0;
    json_t *before = NULL;
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        json_t *row = command_json_at(text);
        if (command_number(row, "max_order") < 5) {
            assert_non_null(before);
            assert_string_equal(command_word(row, "solver"), command_word(before, "solver"));
            assert_string_equal(command_word(row, "formalism"), command_word(before, "formalism"));
            assert_true(command_number(row, "residual_calls.total") < command_number(before, "residual_calls.total"));
            assert_true(command_number(row, "error.p") <= command_number(before, "error.p"));
            n++;
        }
        before = row;
    }
    return n;
}

/* Where stability holds their steps down, codes of BDF are better off with order 2 or 1: all of them but RADAU5. */
COMMAND_CLAIM(compare_shows_peers_at_their_best_order)
{
    command_result r =
        command_run("compare chain -p omega=0.05 --peers --formalism residual --jacobian fresh --repeat 1 "
                    "--format json -q");
    assert_int_equal(r.code, 0);
    int lower = check_lower_orders(r.out.bytes);
    assert_int_equal(lower, rsd_peer_count() - (rsd_peer_find("radau5") != NULL));
    assert_int_equal(command_lines(r.out.bytes), 1 + rsd_peer_count() + lower);
    r = command_run("compare slider-crank --peers --formalism residual --jacobian fresh --repeat 1 --max-order 4 "
                    "--format json -q");
    assert_int_equal(command_lines(r.out.bytes), 1 + rsd_peer_count());
}

COMMAND_CLAIM(compare_has_rows_for_all_peers)
{
    command_result r = command_run_well("compare slider-crank --peers --repeat 1 --format json -q");
    int all = count_rows(r.out.bytes, "resida", NULL);
    assert_true(all > 0);
    for (int k = 0; k < rsd_peer_count(); k++) {
        const rsd_peer *peer = rsd_peer_at(k);
        const char *name = rsd_peer_name(peer);
        int by_residual = count_rows(r.out.bytes, name, "residual"),
            by_explicit = count_rows(r.out.bytes, name, "explicit");
        assert_int_equal(by_explicit, 1);
        assert_int_equal(by_residual, !rsd_peer_prefers_explicit(peer));
        all += by_residual + by_explicit;
    }
    assert_int_equal(command_lines(r.out.bytes), all + check_lower_orders(r.out.bytes));
    r = command_run("compare slider-crank --repeat 1 --format json -q");
    assert_int_equal(count_rows(r.out.bytes, "resida", NULL), command_lines(r.out.bytes));
}

COMMAND_CLAIM(a_peers_row_has_what_it_reports)
{
    for (int k = 0; k < rsd_peer_count(); k++) {
        const char *name = rsd_peer_name(rsd_peer_at(k));
        json_t *row = command_json(claims_text("solve slider-crank --solver %s --format json -q", name), 0);
        assert_string_equal(command_word(row, "solver"), name);
        assert_string_equal(command_word(row, "status"), "ok");
        assert_string_equal(command_word(row, "versions.peer"), rsd_peer_version(rsd_peer_at(k)));
        double start = command_number(row, "residual_calls.start"),
               newton = command_number(row, "residual_calls.newton");
        assert_true(start > 0);
        assert_true(command_number(row, "residual_calls.total") ==
                    start + newton + command_number(row, "residual_calls.jacobian"));
        assert_true(command_number(row, "steps") > 50);
        assert_true(command_number(row, "error.p") < 1e-2);
        assert_true(command_number(row, "drift.g") < 1e-4);
        assert_true(command_number(row, "cpu_s.median") > 0);
        assert_true(json_is_null(command_member(row, "pattern_updates")));
        assert_true(json_is_null(command_member(row, "setups.alpha")));
        assert_true(json_is_null(command_member(row, "jacobian_asked")));
    }
}

/* Columns: t, three positions, three velocities, three accelerations, two multipliers. */
COMMAND_CLAIM(a_peer_writes_the_same_trajectory)
{
    enum { COLUMNS = 12, MIDDLE = 101 };
    double ours[COLUMNS], theirs[COLUMNS];
    command_run_well("solve slider-crank --rtol 1e-8 --atol 1e-8 --out ours.csv -q");
    test_file file = test_file_read(test_path(command_folder(), "ours.csv"));
    assert_int_equal(command_csv_row(file.bytes, MIDDLE, ours, COLUMNS), COLUMNS);
    for (int k = 0; k < rsd_peer_count(); k++) {
        const char *line = claims_text("solve slider-crank --solver %s --rtol 1e-8 --atol 1e-8 --out theirs.csv -q",
                                       rsd_peer_name(rsd_peer_at(k)));
        command_run_well(line);
        file = test_file_read(test_path(command_folder(), "theirs.csv"));
        assert_int_equal(command_lines(file.bytes), 202);
        assert_int_equal(command_csv_row(file.bytes, MIDDLE, theirs, COLUMNS), COLUMNS);
        for (int i = 0; i < COLUMNS; i++)
            if (!(theirs[i] - ours[i] < 1e-4 && ours[i] - theirs[i] < 1e-4))
                fail_msg("%s: column %d is %g, not %g", rsd_peer_name(rsd_peer_at(k)), i, theirs[i], ours[i]);
    }
}

COMMAND_CLAIM(a_failed_peer_keeps_its_row)
{
    command_result r = command_run("solve andrews --solver ida --rtol 1e-13 --atol 1e-14 --format json");
    assert_int_equal(r.code, 1);
    json_t *row = command_row(&r);
    assert_string_equal(command_word(row, "status"), "failed");
    assert_string_equal(command_word(row, "code"), "RESIDA_ERR_NEWTON");
    assert_non_null(strstr(command_word(row, "message"), "IDA_CONV_FAIL"));
    assert_true(command_number(row, "residual_calls.newton") > 0);
    assert_true(json_is_null(command_member(row, "error.p")));
    assert_int_equal(command_lines(r.err.bytes), 1);
}

/* The start is that of resida, and so are its words. */
COMMAND_CLAIM(a_failed_start_has_its_reason_beside_a_peer)
{
    json_t *row = command_json("solve bricard --solver ida --format json", 1);
    assert_string_equal(command_word(row, "code"), "RESIDA_ERR_REDUNDANT");
    assert_non_null(strstr(command_word(row, "message"), "redundant"));
}

COMMAND_CLAIM(a_peer_runs_models_of_plugins)
{
    json_t *row = command_json(command_about_variant("solve", 0, "--solver ida --format json -q"), 0);
    assert_string_equal(command_word(row, "status"), "ok");
}

COMMAND_CLAIM(words_that_make_no_sense_are_refused)
{
    static const char *const refused[][2] = {
        {"solve akzo --solver idaa", "did you mean 'ida'"},
        {"solve akzo --solver no-such-thing", "solvers are resida, ida, ida+analytic"},
        {"solve akzo --solver ida --jacobian dense", "--jacobian: has no effect with ida"},
        {"solve akzo --solver ida --newton-tolerance 0.1", "--newton-tolerance: has no effect with ida"},
        {"solve akzo --solver ida --differences central", "--differences: has no effect with ida"},
        {"solve akzo --solver ida --threads 1", "--threads: has no effect with ida"},
        {"solve pendulum --solver ida --no-h-weights", "--no-h-weights: has no effect with ida"},
        {"solve pendulum --solver ida --no-stability-detection", "--no-stability-detection: has no effect with ida"},
        {"solve pendulum --solver ida --rho 0.8", "--rho: has no effect with ida"},
        {"solve pendulum --solver ida --start-up radau", "--start-up: has no effect with ida"},
        {"solve pendulum --solver ida --form index3 --scaling lam", "--scaling: has no effect with ida"},
        {"solve pendulum --solver ida --linear-solver klu", "--linear-solver: has no effect with ida"},
        {"solve pendulum --solver ida --step-projection", "--step-projection: has no effect with ida"},
        {"solve pendulum --solver ida --step 0.1", "--step: has no effect with ida"},
        {"compare akzo --solver ida", "compare has no option --solver"},
        {"solve akzo --peers", "solve has no option --peers"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        command_expect_refusal(refused[i][0], 2, refused[i][1]);
    command_run_well("solve akzo --solver resida --jacobian dense -q");
}

/* A tight tolerance of one component takes more steps. */
COMMAND_CLAIM(peers_take_tolerances_by_component)
{
    for (int i = 0; i < rsd_peer_count(); i++) {
        double steps[2];
        for (int k = 0; k < 2; k++) {
            const char *line =
                claims_text("solve robertson --solver %s --t-end 40 --rtol 1e-5 --atol 1e-8 --format json -q %s",
                            rsd_peer_name(rsd_peer_at(i)), k ? "--atol y2=1e-13" : "");
            steps[k] = command_number(command_json(line, 0), "steps");
        }
        print_message("  %s: %g steps, %g\n", rsd_peer_name(rsd_peer_at(i)), steps[0], steps[1]);
        assert_true(steps[1] > 1.1 * steps[0]); /* by a third and more */
    }
}

/* Copied away from the tree where it was built, the command knows nothing of that tree: its modules are those that are
 * installed, or there are none. */
COMMAND_CLAIM(a_copy_of_the_command_takes_no_module_of_the_build)
{
    if (!rsd_peer_find("radau5")) { /* a build without it names it all the same */
        command_result none = command_run("solve pendulum --t-end 0.1 --solver radau5");
        assert_int_equal(none.code, 2);
        command_expect_words(none.err.bytes, "radau5");
        return;
    }
    const char *line = claims_text("cp '%s' copy", test_environment("RESIDA_BIN"));
    assert_int_equal(system(line), 0);
    line = claims_text("%s", test_environment("RESIDA_LIBRARY"));
    *strrchr(line, '/') = 0;
    char *bin = strdup(test_environment("RESIDA_BIN")), *peers = strdup(test_environment("RESIDA_PEERS"));
    assert_true(bin && peers);
    setenv("LD_LIBRARY_PATH", line, 1);
    setenv("RESIDA_BIN", "./copy", 1);
    command_result r = command_run("solve pendulum --t-end 0.1 --solver radau5");
    assert_int_equal(r.code, 0); /* by the folder that the environment names */
    unsetenv("RESIDA_PEERS");
    r = command_run("solve pendulum --t-end 0.1 --solver radau5");
    if (access(test_environment("RESIDA_PEERS_INSTALLED"), F_OK) != 0) {
        assert_int_equal(r.code, 1);
        command_expect_words(r.err.bytes, "file is missing in the build folder and in the installation folder");
    }
    unsetenv("LD_LIBRARY_PATH");
    setenv("RESIDA_BIN", bin, 1);
    setenv("RESIDA_PEERS", peers, 1);
    free(bin), free(peers);
}

/* What a shell finds along PATH knows its name alone, and takes the modules beside it all the same. */
COMMAND_CLAIM(a_command_that_a_shell_finds_takes_the_modules_beside_it)
{
    const char *bin = test_environment("RESIDA_BIN"), *name = strrchr(bin, '/') + 1;
    if (!rsd_peer_find("radau5")) return;
    const char *line = claims_text(
        "unset RESIDA_PEERS; PATH='%.*s':$PATH; exec %s solve pendulum --t-end 0.1 --solver radau5 --quiet >text",
        (int)(name - bin), bin, name);
    assert_int_equal(system(line), 0);
}
