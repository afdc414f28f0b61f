/* test_stock_ida.c - the figure that the Jacobian engine stands or falls with: on every built-in model, with its own tolerances,
 * "auto" needs no more residual calls, all causes counted, than stock IDA needs for its Newton iterations alone when an exact
 * Jacobian is given to it for nothing at each of its setups ("ida+analytic").
 *
 * From its own first step stock IDA fails on two of them at t = 0; there it gets the first step with which it runs. */
#include "peer_fixture.h"

#include "run_model.h"

#include <math.h>

typedef struct subject {
    const char *model;
    double h_first; /* of stock IDA; 0: its own choice */
} subject;

static void auto_needs_no_more_calls_than_ida_with_a_free_jacobian(void **state)
{
    const subject *s = *state;
    run_result ours = run_model((run_order){.model = s->model});
    peer_outcome stock = peer_run((peer_order){.model = s->model, .peer = "ida+analytic", .h_first = s->h_first});
    long calls = ours.stats.residual_calls.total, limit = stock.result.stats.residual_calls.total + stock.start_calls;
    print_message("%-22s auto %ld calls, %ld steps, error %.1e; ida+analytic %ld calls, %ld steps, error %.1e\n",
                  s->model, calls, ours.stats.steps, ours.error_p, limit, stock.result.stats.steps, stock.error_p);
    run_free(&ours);
    assert_int_equal(ours.status, RESIDA_OK);
    if (stock.result.status != RESIDA_OK) fail_msg("stock IDA: %s", stock.result.message);
    assert_int_equal(stock.result.stats.residual_calls.jacobian, 0);
    assert_true(calls <= limit);
}

static void stock_ida_fails_at_the_start(void **state)
{
    const subject *s = *state;
    peer_outcome stock = peer_run((peer_order){.model = s->model, .peer = "ida+analytic"});
    print_message("%s: %s\n", s->model, stock.result.message);
    assert_int_equal(stock.result.status, RESIDA_ERR_NEWTON);
    assert_true(stock.result.t == 0);
}

#define CLAIM(model, function, h_first)                                                                                \
    {                                                                                                                  \
#function "_on_" model, function, NULL, NULL, &(subject)                                                       \
        {                                                                                                              \
            model, h_first                                                                                             \
        }                                                                                                              \
    }
#define NO_MORE(model, h_first) CLAIM(model, auto_needs_no_more_calls_than_ida_with_a_free_jacobian, h_first)

int main(void)
{
    const struct CMUnitTest tests[] = {
        NO_MORE("pendulum", 0),
        NO_MORE("chain", 0),
        NO_MORE("chain-cartesian", 0),
        NO_MORE("andrews", 1e-5),
        NO_MORE("car-axis", 0),
        NO_MORE("slider-crank", 0),
        NO_MORE("slider-crank-flexible", 1e-5),
        NO_MORE("akzo", 0),
        NO_MORE("robertson", 0),
        CLAIM("andrews", stock_ida_fails_at_the_start, 0),
        CLAIM("slider-crank-flexible", stock_ida_fails_at_the_start, 0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
