/* test_command_equilibrium.c - `resida equilibrium`: what it says, as text and as JSON, from which start, at which
 * time; what it refuses, and how it ends where there is none. */
#include <signal.h>
#include <unistd.h>

#include "command_fixture.h"

static json_t *row_of(const char *line)
{
    return command_json(line, 0);
}

static void expect_near(double x, double y, double tolerance)
{
    if (!(fabs(x - y) <= tolerance)) fail_msg("%.17g, not %.17g", x, y);
}

/* The default start is horizontal, where the rod carries nothing: it falls into the lower one. */
COMMAND_CLAIM(the_start_decides_which_equilibrium_is_found)
{
    static const char *const lines[] = {
        "equilibrium pendulum --format json -p g=9.81 -p m=2",
        "equilibrium pendulum --start x=0.1 --start y=0.9 --format json -p g=9.81 -p m=2"};
    for (int up = 0; up < 2; up++) {
        json_t *row = row_of(lines[up]);
        expect_near(command_number(row, "p.x"), 0, 1e-12);
        expect_near(command_number(row, "p.y"), up ? 1 : -1, 1e-12);
        expect_near(command_number(row, "lam.rod"), up ? -9.81 : 9.81, 1e-9); /* m g/(2 L) */
        assert_string_equal(command_word(row, "status"), "ok");
        assert_string_equal(command_word(row, "stability.verdict"), up ? "growing" : "neutral");
        expect_near(command_number(row, up ? "stability.growth" : "stability.frequency"), sqrt(9.81), 1e-6);
        assert_true(command_number(row, "residual") <= 1e-10);
    }
}

/* Of the horizontal rod no part of the load keeps an equilibrium: load steps begin where it has fallen a little. */
COMMAND_CLAIM(load_steps_begin_where_the_forces_lead)
{
    json_t *row = row_of("equilibrium pendulum --load-steps 4 --format json -p g=9.81 -p m=2");
    expect_near(command_number(row, "p.x"), 0, 1e-10);
    expect_near(command_number(row, "p.y"), -1, 1e-10);
    expect_near(command_number(row, "lam.rod"), 9.81, 1e-8);
    assert_true(command_number(row, "load_steps") >= 4);
}

/* Variant 1 has a constraint_matrix that is wrong. */
COMMAND_CLAIM(what_a_start_warns_of_is_said_here_and_by_linearize)
{
    static const char *const commands[] = {"equilibrium", "linearize"};
    for (int k = 0; k < 4; k++) {
        command_result r = command_run(command_about_variant(commands[k / 2], k % 2, ""));
        if ((strstr(r.err.bytes, "constraint_matrix: ") != NULL) != k % 2)
            fail_msg("%s, %d: %s", commands[k / 2], k % 2, r.err.bytes);
    }
}

COMMAND_CLAIM(text_has_the_same_in_words)
{
    command_result r = command_run_well("equilibrium train --steady");
    command_expect_words(r.out.bytes, "train, t = 0: in equilibrium or steady motion");
    command_expect_words(r.out.bytes, "stable: all 62 modes decay");
    command_expect_words(r.out.bytes, "wsF1.theta1'");
    command_expect_words(r.out.bytes, "wheel1");
    r = command_run_well("equilibrium car --steady");
    command_expect_words(r.out.bytes, "not determined (the values are near the start): chassis.y'");
}

COMMAND_CLAIM(numbers_of_an_equilibrium_have_their_units)
{
    command_result r = command_run_well("equilibrium slider-crank");
    static const char *const words[] = {" 3.141592653589793 rad\n", " 0.5 m\n", " 1.75 N\n"};
    for (int i = 0; i < 3; i++) command_expect_words(r.out.bytes, words[i]);
}

/* The support of a chain moves; its rods hang straight below it at any time. */
COMMAND_CLAIM(another_time_is_reached_by_equilibria_on_the_way)
{
    json_t *row = row_of("equilibrium chain-cartesian -p n=2 --at 3 --via 3 --format json");
    expect_near(command_number(row, "t"), 3, 0);
    expect_near(command_number(row, "p.x1"), command_number(row, "p.x2"), 1e-10);
    expect_near(command_number(row, "p.y1") - command_number(row, "p.y2"), 1, 1e-10);
    assert_true(command_number(row, "iterations") >= 3);
}

COMMAND_CLAIM(a_general_dae_rests_too)
{
    json_t *row = row_of("equilibrium robertson --format json");
    const double sum = command_number(row, "y.y1") + command_number(row, "y.y2") + command_number(row, "y.y3");
    expect_near(sum, 1, 1e-12);
}

/* A train stands on wheels that have to turn; nothing is left of the first result on stdout. */
COMMAND_CLAIM(none_found_is_said_with_what_is_left_and_what_is_free)
{
    command_result r = command_run("equilibrium train");
    command_expect_complaint(&r, "equilibrium train", 1);
    command_expect_words(r.err.bytes, "no equilibrium found near the start");
    command_expect_words(r.err.bytes, "worst: ");
    command_expect_words(r.err.bytes, "nothing holds wsF1.theta1");
    command_expect_words(r.err.bytes, "--steady");
    r = command_run("equilibrium train --format json");
    assert_int_equal(r.code, 1);
    json_t *row = command_row(&r);
    assert_string_equal(command_word(row, "status"), "failed");
    command_expect_words(command_word(row, "message"), "no equilibrium");
    assert_true(json_is_null(command_member(row, "p")));
}

COMMAND_CLAIM(what_makes_no_sense_is_refused_by_name)
{
    static const struct {
        const char *line, *words;
        int code;
    } lines[] = {
        {"equilibrium", "give exactly one model", 2},
        {"equilibrium pendulum chain", "give exactly one model", 2},
        {"equilibrium pendulm", "did you mean 'pendulum'", 2},
        {"equilibrium pendulum --start z=1", "no position or state 'z'", 2},
        {"equilibrium rear-axle --start L.zz=1", "did you mean 'L.z'", 2},
        {"equilibrium akzo --start y9=1", "no component 'y9'", 2},
        {"equilibrium pendulum --start 1", "must be NAME=X", 2},
        {"equilibrium pendulum --start x=up", "'up' is not a number", 2},
        {"equilibrium pendulum --start x=1 --start x=2", "given twice", 2},
        {"equilibrium pendulum --via 5", "--via: needs --at", 2},
        {"equilibrium akzo --steady", "mechanisms", 2},
        {"equilibrium double-wishbone --steady", "kinematic matrix", 2},
        {"equilibrium akzo --formalism residual", "no formalism to choose", 2},
        {"equilibrium chain --drop-redundant", "no effect", 2},
        {"equilibrium bricard", "redundant", 1},
        {"solve pendulum --steady", "--steady: needs --from-equilibrium", 2},
        {"solve pendulum --start x=1", "--start: needs --from-equilibrium", 2},
        {"solve pendulum --load-steps 3", "--load-steps: needs --from-equilibrium", 2},
        {"solve pendulum --from-equilibrium --start z=1", "no position or state 'z'", 2},
        {"solve akzo --from-equilibrium --steady", "mechanisms", 2},
        {"solve pendulum --from-equilibrium --sensitivity m --out a.csv", "--sensitivity: cannot be used with --from",
         2},
        {"solve bricard --from-equilibrium", "redundant", 1},
        {"solve pendulum --from-equilibrium --max-residuals 3", "budget of 3 residual calls", 1},
        {"equilibrium pendulum --max-residuals 3", "budget of 3 residual calls", 1},
        {"equilibrium train --time-limit 1e-9", "time limit", 1},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        command_expect_refusal(lines[i].line, lines[i].code, lines[i].words);
}

static double at_end(const json_t *row, const char *part, size_t i)
{
    return json_number_value(json_array_get(json_object_get(json_object_get(row, "end"), part), i));
}

/* A pendulum that rests where its start leads to stays there; in motion it would be half a metre away. Its reference is
 * of that motion, and no error is told. */
COMMAND_CLAIM(a_run_begins_where_the_model_stays)
{
    static const char *const lines[] = {
        "solve pendulum --from-equilibrium --t-end 1.3 --quiet --format json",
        "solve pendulum --from-equilibrium --start x=0.1 --start y=0.9 --t-end 0.5 --quiet --format json --form index3",
        "solve pendulum --from-equilibrium --start x=.6 --start y=-.8 --load-steps 4 --t-end 1 --quiet --format json"};
    for (int i = 0; i < 3; i++) {
        json_t *row = row_of(lines[i]);
        expect_near(at_end(row, "p", 0), 0, 1e-6);
        expect_near(at_end(row, "p", 1), i == 1 ? 1 : -1, 1e-6);
        expect_near(at_end(row, "v", 0), 0, 1e-6);
        assert_true(json_is_null(json_object_get(json_object_get(row, "error"), "p")));
    }
    json_t *row = row_of("solve robertson --from-equilibrium --t-end 1 --quiet --format json");
    json_t *rest = row_of("equilibrium robertson --format json");
    expect_near(at_end(row, "y", 2), command_number(rest, "y.y3"), 1e-6);
}

/* A train cannot stand, and nothing is written; a car goes on by itself, and what is not determined is told. */
COMMAND_CLAIM(a_run_without_an_equilibrium_is_none)
{
    command_result r = command_run("solve train --from-equilibrium --out a.csv");
    command_expect_complaint(&r, "solve train", 1);
    command_expect_words(r.err.bytes, "no equilibrium found near the start");
    command_expect_words(r.err.bytes, "--steady");
    assert_true(access("a.csv", F_OK) != 0 && access("a.partial.csv", F_OK) != 0);
    r = command_run("solve car --from-equilibrium --steady --t-end 0.1");
    assert_int_equal(r.code, 0);
    command_expect_words(
        r.err.bytes,
        "the equilibrium does not determine these coordinates, which keep values near the start: chassis.y'");
}

/* A train of many carriages that cannot stand: minutes. */
COMMAND_CLAIM(ctrl_c_ends_it_with_130)
{
    command c;
    command_start(&c, "equilibrium train -p carriages=8");
    command_let_work(&c, 0.2);
    assert_int_equal(kill(c.pid, SIGINT), 0);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, 130);
    assert_int_equal(r.out.size, 0);
    command_expect_words(r.err.bytes, "interrupted");
}

COMMAND_CLAIM(a_full_disk_is_an_error_of_its_own)
{
    FILE *full = fopen("/dev/full", "w");
    if (!full) test_lacks("/dev/full");
    assert_int_equal(command_run_to("equilibrium pendulum", fileno(full)).code, 74);
    fclose(full);
}

/* Which output() says of the state: at the equilibrium y = 0, and at the state of a linearisation. */
COMMAND_CLAIM(a_doubtful_state_is_named)
{
    static const char *const verbs[] = {"equilibrium", "linearize"};
    for (int k = 0; k < 4; k++) {
        const char *line = claims_text("%s %.400s/plugin_teller.so -p least=%s", verbs[k % 2],
                                       test_environment("RESIDA_TEST_MODULES"), k < 2 ? "2" : "0");
        command_result r = command_run(line);
        assert_int_equal(r.code, 0);
        assert_int_equal(strstr(r.err.bytes, "teller: y is small at t = 0") != NULL, k < 2);
    }
}

/* 8 linear elements for a turn, as in a run. */
COMMAND_CLAIM(elements_that_are_too_coarse_are_named_where_they_are_linearised)
{
    command_result r = command_run("linearize beam-cantilever -p turns=1 -p elements=8 -p order=1 --at 1");
    assert_int_equal(r.code, 0);
    command_expect_words(r.err.bytes, "is too coarse at t = 1");
}
