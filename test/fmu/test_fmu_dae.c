/* test_fmu_dae.c - FMUs with a DAE by the layered standard FMI-LS-DAE: a pendulum of length 1 that falls from x = 1 at
 * rest, in Cartesian coordinates. Its energy is 0, its period, by the complete elliptic integral,
 * T = 4 K(1/2) / sqrt(g), K = 1.8540746773013719. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_fixture.h"
#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

#define GRAV   9.81
#define PERIOD (4 * 1.8540746773013719 / sqrt(GRAV))

/** Make an FMU, and run NAME.fmu for some periods; the last row of its CSV to x [n + 1], and the worst |g| of all rows
 *  is returned. */
static double run(const char *made, const char *name, double periods, const char *rest, double *x, int n)
{
    fmu_make(made);
    const char *line =
        claims_text("solve %s.fmu --t-end %.17g --points 200 --out a.csv %s", name, periods * PERIOD, rest);
    command_result r = command_run(line);
    if (r.code != 0) fail_msg("%s: %s", line, r.err.bytes);
    test_file csv = test_file_read("a.csv");
    double worst = 0;
    const int rows = command_lines(csv.bytes) - 1;
    for (int k = 0; k < rows; k++) {
        assert_int_equal(command_csv_row(csv.bytes, k, x, n + 1), n + 1);
        worst = fmax(worst, fabs(x[1] * x[1] + x[2] * x[2] - 1));
    }
    return worst;
}

static void expect_start_of_period(const double *x, double tolerance)
{
    bench_near(x[1], 1, tolerance);
    bench_near(x[2], 0, tolerance);
    bench_near(x[3], 0, tolerance);
    bench_near(x[4], 0, tolerance);
}

COMMAND_CLAIM(constraints_that_come_with_derivatives_are_held)
{
    static const char *const names[] = {"pendulum", "pendulum-implicit"};
    for (int k = 0; k < 2; k++) {
        double x[7];
        const double worst = run(names[k], names[k], 10, "--rtol 1e-8 --atol 1e-8", x, 6);
        assert_true(worst < 1e-7);
        expect_start_of_period(x, 1e-4);
        bench_near(x[6], 0, 1e-6); /* the multiplier that holds g */
    }
}

/* One run and one check: what it calls, and where it ends. */
static void expect_directed(const char *name, const char *file, const char *rest)
{
    fmu_make(name);
    const char *line =
        claims_text("solve %s.fmu --t-end %.17g --rtol 1e-8 --atol 1e-8 --format json %s", file, PERIOD, rest);
    command_result r = command_run_well(line);
    json_t *row = command_row(&r);
    assert_true(command_number(row, "callback_calls.jacobian_times") > 0);
    bench_near(command_number(row, "residual_calls.jacobian"), 0, 0);
    bench_near(command_number(row, "residual_calls.pattern"), 0, 0);
    json_decref(row);
    line = claims_text("check %s.fmu %s", file, rest);
    r = command_run_well(line);
}

/* With multipliers mu, without a pattern, and with one. */
COMMAND_CLAIM(directional_derivatives_are_used_in_each_mode)
{
    double x[7];
    expect_directed("pendulum, directed", "pendulum", "");
    expect_directed("pendulum, directed", "pendulum", "-p dae=0");
    expect_directed("pendulum-implicit, directed", "pendulum-implicit", "");
    expect_directed("pendulum-draft, directed", "pendulum-draft", "");
    assert_true(run("pendulum, directed", "pendulum", 10, "--rtol 1e-8 --atol 1e-8", x, 6) < 1e-7);
    expect_start_of_period(x, 1e-4);
}

/* As a DAE of index 1 the constraint drifts away: the test can tell. */
COMMAND_CLAIM(a_draft_with_one_formulation_is_of_index_1)
{
    double x[6];
    const double worst = run("pendulum-draft", "pendulum-draft", 10, "--rtol 1e-5 --atol 1e-5", x, 5);
    assert_true(worst > 1e-5);
    run("pendulum-draft", "pendulum-draft", 1, "--rtol 1e-9 --atol 1e-9", x, 5);
    expect_start_of_period(x, 1e-4);
}

COMMAND_CLAIM(the_switch_takes_the_dae_or_the_derivatives)
{
    double x[5];
    run("pendulum", "pendulum", 1, "--rtol 1e-9 --atol 1e-9 -p dae=0", x, 4);
    expect_start_of_period(x, 1e-4);
}

COMMAND_CLAIM(multipliers_are_consistent_at_the_start)
{
    double x[7];
    fmu_make("pendulum");
    command_run_well("solve pendulum.fmu -p x=0 -p y=-1 -p u=2 --t-end 0.001 --out a.csv --points 1");
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 0, x, 7), 7);
    bench_near(x[5], 4 + GRAV, 1e-6); /* lam = v^2 - g y */
}

/* lam = v^2 - g y on the circle, by each formulation of the constraint, just after the velocity has doubled:
 * v^2 = -2 g y becomes four times as large. */
COMMAND_CLAIM(multipliers_follow_a_velocity_that_an_event_changes)
{
    static const char *const names[] = {"pendulum", "pendulum-draft", "pendulum-implicit"};
    for (int k = 0; k < 3; k++) {
        double x[7];
        fmu_make(names[k]);
        const char *line = claims_text(
            "solve %s.fmu -p kick_time=0.3 --t-end 0.3000001 --points 1 --rtol 1e-9 --atol 1e-9 --out a.csv", names[k]);
        fmu_run_row(line, 1, x, k == 1 ? 6 : 7);
        bench_near(x[5], -9 * GRAV * x[2], 1e-4);
    }
}

COMMAND_CLAIM(constraints_are_held_over_a_thousand_periods)
{
    double x[7];
    assert_true(run("pendulum", "pendulum", 1000, "--rtol 1e-7 --atol 1e-7", x, 6) < 1e-6);
}
