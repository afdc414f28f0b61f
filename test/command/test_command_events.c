/* test_command_events.c - models whose events change their state, and parameters that are texts, as the command has
 * them. */
#include "command_fixture.h"

#define G 9.81
#define E 0.8

/* "VERB .../plugin_ball.so REST" */
static const char *about_ball(const char *verb, const char *rest)
{
    static char line[700];
    snprintf(line, sizeof line, "%s %.400s/plugin_ball.so %s", verb, test_environment("RESIDA_TEST_MODULES"), rest);
    return line;
}

/* The height after one rebound. */
static double height(double t)
{
    const double t_1 = sqrt(2 / G), v = E * G * t_1;
    return v * (t - t_1) - G * (t - t_1) * (t - t_1) / 2;
}

COMMAND_CLAIM(a_rebound_is_in_the_trajectory_of_every_repetition)
{
    command_result r = command_run(about_ball("solve", "--t-end 1 --every 0.5 --repeat 3 --out a.csv"));
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.err.bytes, "event at t = 0.4515236"));
    test_file csv = test_file_read("a.csv");
    const char *last = strrchr(csv.bytes, '\n') - 1;
    while (*last != '\n') last--;
    const double t = strtod(last + 1, (char **)&last), y = strtod(last + 1, NULL);
    assert_true(t == 1 && fabs(y - height(1)) <= 1e-7);
}

COMMAND_CLAIM(strategies_agree_and_peers_refuse)
{
    command_result r = command_run(about_ball("compare", "--format json --quiet"));
    assert_int_equal(r.code, 0);
    int runs = 0;
    for (const char *at = r.out.bytes; (at = strstr(at, "\"status\":")); at++) runs++;
    assert_true(runs >= 5);
    assert_null(strstr(r.out.bytes, "\"status\":\"failed\""));
    r = command_run(about_ball("solve", "--solver ida"));
    assert_true(r.code != 0);
    assert_non_null(strstr(r.err.bytes, "peers do not support the events of this model"));
}

COMMAND_CLAIM(a_run_that_its_model_ends_is_no_failure)
{
    command_result r = command_run(about_ball("solve", "-p end=2 --every 0.1 --out a.csv"));
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.err.bytes, "the model ended the run at t = 1.17396"));
    test_file csv = test_file_read("a.csv");
    const char *last = strrchr(csv.bytes, '\n') - 1;
    while (*last != '\n') last--;
    assert_true(fabs(strtod(last + 1, NULL) - sqrt(2 / G) * (1 + 2 * E)) <= 1e-7);
}

COMMAND_CLAIM(a_text_reaches_its_model)
{
    command_result r = command_run(about_ball("solve", "-p floor=soft"));
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err.bytes, "floor = soft: only hard floors are known"));
    r = command_run(about_ball("solve", "-p e=soft"));
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err.bytes, "--param e=soft: 'soft' is not a number"));
    r = command_run(about_ball("solve", "-p floor=hard --format json --quiet"));
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out.bytes, "\"floor\":\"hard\""));
    r = command_run_well(about_ball("models", ""));
    assert_non_null(strstr(r.out.bytes, "hard or soft"));
}

/* The example of a general DAE: it passes its check, three groups of columns are enough, and voltages fall along the
 * ladder. */
COMMAND_CLAIM(the_ladder_is_charged_and_passes_its_check)
{
    const char *bead = test_environment("RESIDA_PLUGIN"), *slash = strrchr(bead, '/');
    const char *plugin = claims_text("%.*s/plugin_ladder.so", (int)(slash - bead), bead);
    const char *line = claims_text("check %s", plugin);
    command_result r = command_run(line);
    if (r.code != 0) fail_msg("%s", r.out.bytes);
    line = claims_text("solve %s -p n=30 --format json", plugin);
    r = command_run_well(line);
    json_t *row = command_row(&r), *y = json_object_get(json_object_get(row, "end"), "y");
    assert_true(command_number(row, "groups") == 3);
    assert_true(command_number(row, "end.t") == 0.1 && json_array_size(y) == 31);
    for (size_t k = 0; k + 2 < 31; k++)
        assert_true(json_number_value(json_array_get(y, k)) > json_number_value(json_array_get(y, k + 1)));
    assert_true(json_number_value(json_array_get(y, 0)) < 5 && json_number_value(json_array_get(y, 29)) > 0.01);
}

/* "solve .../plugin_knocker.so REST" */
static const char *about_knocker(const char *verb, const char *rest)
{
    static char line[700];
    const char *bead = test_environment("RESIDA_PLUGIN"), *slash = strrchr(bead, '/');
    snprintf(line, sizeof line, "%s %.*s/plugin_knocker.so %s", verb, (int)(slash - bead), bead, rest);
    return line;
}

/* Number `i` of the line that follows the first one. */
static double of_second_line(const char *path, int i)
{
    const char *at = strchr(test_file_read(path).bytes, '\n') + 1;
    for (; i > 0; i--) at = strchr(at, ',') + 1;
    const double x = strtod(at, NULL);
    return x;
}

/* The example of contacts: t, kind, root, direction, restarted, ended, push, energy_change, then x_A, y_A, x_B, y_B
 * and their derivatives and the energy before, and the same after. */
COMMAND_CLAIM(the_knocker_rebounds_and_keeps_its_rods)
{
    command_result r = command_run(about_knocker("check", ""));
    assert_int_equal(r.code, 0);
    r = command_run_well(
        about_knocker("solve", "-p restitution=0.6 --events k.csv --event-states --format json --quiet"));
    json_t *row = command_row(&r), *first = json_array_get(command_member(row, "event_list"), 0);
    assert_true(command_number(row, "drift.gv") < 1e-5);
    const double push = json_number_value(json_array_get(json_object_get(first, "push"), 0));
    const double change = json_number_value(json_object_get(first, "energy_change"));
    const double speed = of_second_line("k.csv", 14);
    assert_true(fabs(of_second_line("k.csv", 6) - push) < 1e-12 * push);
    assert_true(fabs(change + push * (1 - 0.6) * speed / 2) < 1e-8); /* push times the mean of both speeds */
    assert_true(of_second_line("k.csv", 4) == 1);
    assert_true(fabs(of_second_line("k.csv", 10) - 1.2) < 1e-9);
    assert_true(of_second_line("k.csv", 14) > 0.5);
    assert_true(fabs(of_second_line("k.csv", 23) + 0.6 * of_second_line("k.csv", 14)) < 1e-9);

    r = command_run_well(about_knocker("solve", "-p restitution=1 --t-end 3 --format json --quiet"));
    row = command_row(&r);
    assert_true(fabs(command_number(row, "outputs.energy") + 3 * 9.81 * 0.8) < 1e-4);

    r = command_run(about_knocker("solve", "-p wall=0.9 -p restitution=0.3 -p holds=1 --t-end 20 --events k.csv "
                                           "--format json"));
    row = command_row(&r);
    json_t *last =
        json_array_get(command_member(row, "event_list"), json_array_size(command_member(row, "event_list")) - 1);
    assert_string_equal(json_string_value(json_array_get(json_object_get(last, "contacts"), 0)), "closes");
    assert_true(command_number(row, "drift.g") < 1e-6); /* of the open gap there is none */
    assert_non_null(strstr(r.err.bytes, ": wall rebounds"));
    test_file csv = test_file_read("k.csv");
    assert_non_null(strstr(csv.bytes, "push,energy_change,contact"));
    assert_non_null(strstr(csv.bytes, ",rebounds"));
    assert_non_null(strstr(csv.bytes, ",closes"));

    r = command_run(about_knocker("solve", "-p wall=0.9 -p restitution=0.3 --t-end 20"));
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.err.bytes, "the model ended the run at t = "));
    assert_non_null(strstr(r.err.bytes, ": contact wall stays closed"));
    r = command_run(about_knocker("solve", "--solver ida"));
    assert_true(r.code != 0);
}

COMMAND_CLAIM(a_component_can_have_a_tolerance_of_its_own)
{
    static const struct {
        const char *options, *words;
    } wrong[] = {{"--atol z=1e-9", "there is no component 'z'"},
                 {"--atol beta=1 --atol beta=2", "'beta' is given twice"},
                 {"--atol beta=-1", "must be >= 0"},
                 {"--atol 1 --atol 2", "--atol: is given twice"},
                 {"--atol =1", "must be X or NAME=X"}};
    double steps[2];
    for (int k = 0; k < 2; k++) {
        command_result r = command_run_well(k ? "solve andrews --format json --rtol 1e-12 --atol 1e-4 --atol beta=1e-10"
                                              : "solve andrews --format json --rtol 1e-12 --atol 1e-4");
        steps[k] = command_number(command_row(&r), "steps");
    }
    assert_true(steps[1] > 1.5 * steps[0]);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        command_result r = command_run(claims_text("solve andrews %s", wrong[k].options));
        command_expect_complaint(&r, wrong[k].words, 2);
        if (!strstr(r.err.bytes, wrong[k].words)) fail_msg("%s: %s", wrong[k].options, r.err.bytes);
    }
}

/* The line of a picture: whose path has the most points. */
static const char *longest_path(const char *svg)
{
    const char *best = NULL, *at = svg;
    size_t most = 0;
    while ((at = strstr(at, "d='M"))) {
        const char *end = strchr(at + 4, '\'');
        if (end && (size_t)(end - at) > most) best = at + 4, most = (size_t)(end - at);
        at += 4;
    }
    assert_non_null(best);
    return best;
}

/* Four outputs make a smooth curve of more points than pixels, and each impact is upright: both states are there. Rows
 * that are written beside it are the four, and the start. */
COMMAND_CLAIM(curves_are_smooth_and_jump_at_events)
{
    command_needs_gnuplot();
    command_run_well(about_knocker(
        "solve", "-p restitution=0.6 --t-end 6 --points 4 --out k.csv --plot v.x_A --events e.csv --quiet"));
    test_file svg = test_file_read("k.svg"), rows = test_file_read("k.csv"), events = test_file_read("e.csv");
    double x, y, before_x = 0, before_y = 0;
    int points = 0, jumps = 0, used = 0;
    for (const char *c = longest_path(svg.bytes); sscanf(c, " %lf,%lf %n", &x, &y, &used) == 2; c += used) {
        jumps += points > 0 && fabs(x - before_x) < 0.02 && fabs(y - before_y) > 20;
        before_x = x, before_y = y, points++;
        if (c[used] == 'M') points = 0; /* behind the line beside the name */
        used += c[used] == 'L' || c[used] == 'M';
    }
    assert_true(points > 1000);
    assert_int_equal(jumps, command_lines(events.bytes) - 1);
    assert_true(jumps >= 3);
    assert_int_equal(command_lines(rows.bytes), 6);
}
