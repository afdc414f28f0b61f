/* test_fmu_events.c - FMUs with events, FMI 2.0 and 3.0: a ball falls from h = 1 m and bounces with e = 0.8. It meets
 * the floor first at t_1 = sqrt(2 / g), with v_1 = g t_1, and again after 2 e^k v_1 / g each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_fixture.h"
#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

#define GRAV 9.81
enum { IMPACTS = 5 }; /* that the command names; others it counts */

/** Times of events that the command names, up to n; @return how many it named */
static int events_of(const char *text, double *t, int n)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, "event at t = ")) != NULL; found++) {
        at += strlen("event at t = ");
        if (found < n) t[found] = strtod(at, NULL);
    }
    return found;
}

COMMAND_CLAIM(impacts_are_found_to_a_nanosecond)
{
    static const char *const names[] = {"ball2", "ball3"};
    for (int k = 0; k < 2; k++) {
        double t[IMPACTS] = {0};
        fmu_make(names[k]);
        command_result r = command_run(claims_text("solve %s.fmu --t-end 3", names[k]));
        assert_int_equal(r.code, 0);
        assert_true(events_of(r.err.bytes, t, IMPACTS) >= IMPACTS);
        double when = sqrt(2 / GRAV), v = GRAV * when;
        for (int i = 0; i < IMPACTS; i++) {
            bench_near(t[i], when, 1e-9);
            v *= 0.8;
            when += 2 * v / GRAV;
        }
    }
}

/* The height between impacts: the state after them is that of the model. */
COMMAND_CLAIM(the_state_goes_on_from_the_event)
{
    double x[3];
    fmu_make("ball3");
    assert_int_equal(command_run("solve ball3.fmu --t-end 1 --out a.csv --points 1").code, 0);
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 1, x, 3), 3);
    const double first = sqrt(2 / GRAV), v = 0.8 * GRAV * first, since = 1 - first;
    bench_near(x[1], v * since - GRAV * since * since / 2, 1e-8);
    bench_near(x[2], v - GRAV * since, 1e-8);
}

/* v grows by 1 at t = 0.25, before the first impact: by an event whose time is known, or as soon as t > 0.25, which is
 * not the case at t = 0.25. */
COMMAND_CLAIM(a_change_at_a_time_is_met)
{
    static const char *const causes[] = {"kick_time", "alarm"};
    static const double within[] = {1e-15, 1e-12};
    fmu_make("ball3");
    for (int k = 0; k < 2; k++) {
        double x[3], t[1] = {0};
        const char *line = claims_text("solve ball3.fmu -p %s=0.25 --t-end 0.4 --out a.csv --points 1", causes[k]);
        command_result r = command_run(line);
        assert_int_equal(r.code, 0);
        assert_int_equal(events_of(r.err.bytes, t, 1), 1);
        bench_near(t[0], 0.25, within[k]);
        test_file csv = test_file_read("a.csv");
        assert_int_equal(command_csv_row(csv.bytes, 1, x, 3), 3);
        bench_near(x[1], 1 - GRAV * 0.08 + 0.15, 1e-8);
        bench_near(x[2], 1 - GRAV * 0.4, 1e-8);
    }
}

/* Announced at the start, and again after the impact at 0.45. */
COMMAND_CLAIM(an_event_by_time_outlives_others)
{
    double t[2] = {0};
    fmu_make("ball3");
    command_result r = command_run("solve ball3.fmu -p kick_time=0.5 --t-end 0.6");
    assert_int_equal(r.code, 0);
    assert_int_equal(events_of(r.err.bytes, t, 2), 2);
    bench_near(t[1], 0.5, 1e-15);
}

/* Slower than v_end at an impact: v_1 e^3 = 2.27 is the first below 2.5. */
COMMAND_CLAIM(a_model_may_end_the_run)
{
    double t[IMPACTS] = {0}, x[3];
    fmu_make("ball3");
    command_result r = command_run("solve ball3.fmu -p v_end=2.5");
    assert_int_equal(r.code, 0);
    const double first = sqrt(2 / GRAV), end = first * (1 + 2 * (0.8 + 0.64 + 0.512));
    command_expect_words(r.out.bytes, claims_text("t = %.6g", end));
    assert_int_equal(events_of(r.err.bytes, t, IMPACTS), 3);
    fmu_run_row("solve ball3.fmu -p v_end=2.5 --points 1 --columns h,out.e --out a.csv", 1, x, 3);
    assert_float_equal(x[0], end, 1e-6);
    assert_float_equal(x[2], 0.8, 0);
}

/* Both indicators as one variable: an array counts by its values. */
COMMAND_CLAIM(event_indicators_may_be_an_array)
{
    static const char two[] = "<EventIndicator valueReference='1'/><EventIndicator valueReference='9'/>";
    double t[1] = {0};
    const char *at = strstr(fmu_ball_3, two), *end = strstr(fmu_ball_3, "</ModelVariables>");
    assert_true(at && end);
    const char *text = claims_text("%.*s<Float64 name='z' valueReference='50'><Dimension start='2'/></Float64>%.*s"
                                   "<EventIndicator valueReference='50'/>%s",
                                   (int)(end - fmu_ball_3), fmu_ball_3, (int)(at - end), end, at + strlen(two));
    const fmu_recipe recipe = {.description = text, .identifier = "ball", .binary = "fmu_ball3"};
    fmu_write("array.fmu", &recipe);
    command_result r = command_run("solve array.fmu --t-end 0.5");
    if (r.code != 0) fail_msg("%s", r.err.bytes);
    assert_int_equal(events_of(r.err.bytes, t, 1), 1);
    bench_near(t[0], sqrt(2 / GRAV), 1e-9);
}

COMMAND_CLAIM(an_event_that_is_over_does_not_come_for_ever)
{
    fmu_make("ball3");
    command_result r = command_run("solve ball3.fmu -p v_end=-1 --t-end 0.5 --quiet");
    assert_int_equal(r.code, 1);
    command_expect_words(r.err.bytes, "its next event time, t = 0.25, is in the past");
}

/* A second run of one model begins where the first did, with the same discrete states. */
COMMAND_CLAIM(repeated_runs_start_from_the_same_state)
{
    fmu_make("ball3");
    command_result r = command_run("solve ball3.fmu -p kick_time=0.25 --t-end 1 --estimate-error");
    assert_int_equal(r.code, 0);
    const char *by = strstr(r.out.bytes, "  estimate ");
    assert_non_null(by);
    assert_true(strtod(by + strlen("  estimate "), NULL) < 1e-8); /* by which the ends differ */
}
