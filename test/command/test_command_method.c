/* test_command_method.c - steps of a fixed size by the command: what is asked for is what the row names. */
#include "command_fixture.h"

COMMAND_CLAIM(a_row_names_its_method_and_step)
{
    static const struct {
        const char *line, *method;
        double step;
        long steps;
    } runs[] = {
        {"solve pendulum --form index3 --method hht --rho 0.9 --step 0.01 --t-end 1 --format json", "hht", 0.01, 100},
        {"solve pendulum --method bdf3 --start-up radau --step 0.02 --t-end 1 --format json", "bdf3", 0.02, 50},
        {"solve pendulum --form index3 --method newmark --newmark-beta 0.3 --newmark-gamma 0.6 --step 0.01 --t-end 1 "
         "--to-rounding --format json",
         "newmark", 0.01, 100},
        {"solve pendulum --t-end 0.1 --format json", "bdf", NAN, -1},
    };
    for (int i = 0; i < 4; i++) {
        json_t *row = command_json(runs[i].line, 0);
        assert_string_equal(json_string_value(command_member(row, "method")), runs[i].method);
        if (isnan(runs[i].step))
            assert_true(json_is_null(command_member(row, "step")));
        else
            assert_true(json_number_value(command_member(row, "step")) == runs[i].step);
        if (runs[i].steps > 0) assert_true(json_number_value(command_member(row, "steps")) == (double)runs[i].steps);
    }
}

static double error_of(const char *line)
{
    json_t *row = command_json(line, 0);
    double error = json_number_value(command_member(row, "error.p"));
    return error;
}

/* A first step of order 1 in steps of 0.01 costs 1e-3; one of order 5 nothing. */
COMMAND_CLAIM(the_default_start_up_makes_a_smaller_error_than_lower_orders)
{
#define LINE "solve pendulum --method bdf4 --step 0.01 --t-end 1 --format json"
    assert_true(error_of(LINE) < 0.1 * error_of(LINE " --start-up lower-orders"));
#undef LINE
}

COMMAND_CLAIM(a_peer_has_its_own_method)
{
    command_expect_refusal("solve pendulum --solver ida --method bdf2 --step 0.01", 2,
                           "--method: has no effect with ida");
}

COMMAND_CLAIM(steps_that_adapt_begin_with_the_one_given)
{
    json_t *row = command_json("solve pendulum --form index3 --method generalized-alpha --step 1e-4 --adaptive "
                               "--t-end 1 --rtol 1e-6 --atol 1e-6 --format json",
                               0);
    assert_true(json_number_value(command_member(row, "steps")) < 2000); /* of 10,000 at that size */
}

COMMAND_CLAIM(a_method_without_a_step_is_refused)
{
    command_result r = command_run("solve pendulum --method midpoint");
    assert_int_equal(r.code == 0, 0);
    assert_non_null(strstr(r.err.bytes, "step = 0, must be > 0 for method midpoint"));
}

/* Refused before a first step. Who gives a budget sees how far it leads. */
COMMAND_CLAIM(steps_that_would_never_end_are_refused)
{
    command_expect_refusal("solve pendulum --method bdf2 --step 1e-30", 2,
                           "--step 1e-30: needs 3e+31 steps to t = 30, more than 1e+09 (--max-steps)");
    command_expect_refusal("solve pendulum --method bdf2 --step 1e-30 --max-steps 1000000000000000", 2,
                           "more than 4.5e+15 that are distinct near t");
    command_expect_refusal("solve pendulum --h-max 1e-12", 2, "--h-max 1e-12: needs 3e+13 steps");
    command_result r = command_run("solve pendulum --method bdf2 --step 1e-9 --max-steps 5");
    assert_int_equal(r.code, 1);
    command_expect_words(r.err.bytes, "budget of 5 steps spent");
}
