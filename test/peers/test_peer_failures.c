/* test_peer_failures.c - a model that fails, a peer that dies, budgets that are spent: the caller gets a status, a
 * reason and the counters so far, and nothing is printed in its place. */
#include "peer_fixture.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

long syscall(long number, ...);

/* The clock of this process, which watches the time limit: it goes by what the peer has done, not by how long a busy
 * machine takes for it. Beyond the limit when the peer has made `at_call` calls, and then further by `by` each time it
 * is asked. */
static struct {
    long at_call; /* 0: the clock of the machine */
    double by, s;
} steered;

int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (clock != CLOCK_MONOTONIC || steered.at_call == 0) return (int)syscall(SYS_clock_gettime, clock, t);
    if (peer_calls_so_far() < steered.at_call)
        steered.s = 0; /* of every peer anew */
    else
        steered.s += steered.s < 1 ? 1 : steered.by;
    *t = (struct timespec){(time_t)steered.s, (long)(1e9 * (steered.s - floor(steered.s)))};
    return 0;
}

static void steer(long at_call, double by)
{
    steered.at_call = at_call;
    steered.by = by;
    steered.s = 0;
}

/* Run the order with each peer and look at the outcome. */
static void with_each(peer_order order, void (*look)(const char *peer, const peer_outcome *r))
{
    for (int k = 0; k < rsd_peer_count(); k++) {
        order.peer = rsd_peer_name(rsd_peer_at(k));
        peer_outcome r = peer_run(order);
        print_message("%-12s %s: %s\n", order.peer, resida_status_name(r.result.status), r.result.message);
        look(order.peer, &r);
    }
}

static void expect_callback_named(const char *peer, const peer_outcome *r)
{
    assert_int_equal(r->result.status, RESIDA_ERR_USER);
    assert_non_null(strstr(r->result.message, "a callback returned -1"));
    assert_true(r->result.stats.residual_calls.total > 0);
    assert_true(r->result.t < 2);
}

CLAIM(a_model_that_fails_ends_the_run_with_its_verdict)
{
    with_each((peer_order){.model = "pendulum", .t_end = 2, .mischief = PEER_FAIL, .from = 900}, expect_callback_named);
}

static void expect_some_failure(const char *peer, const peer_outcome *r)
{
    assert_true(r->result.status < 0);
    assert_true(strlen(r->result.message) > 10);
    assert_true(r->result.t < 2);
    assert_true(r->result.stats.residual_calls.total > 0);
}

CLAIM(a_model_that_refuses_every_step_ends_the_run)
{
    with_each((peer_order){.model = "pendulum", .t_end = 2, .mischief = PEER_REFUSE, .from = 900}, expect_some_failure);
}

CLAIM(a_model_that_refuses_its_start_ends_the_run)
{
    with_each((peer_order){.model = "pendulum", .t_end = 2, .mischief = PEER_REFUSE, .from = 1}, expect_some_failure);
}

static void expect_finite_outputs(const char *peer, const peer_outcome *r)
{
    assert_int_equal(r->nonfinite, 0);
    assert_true(r->result.status == RESIDA_OK ? r->outputs == 10 : strlen(r->result.message) > 10);
}

/* Akzo's y[3] begins at 0: with next to no absolute tolerance RADAU5's weights are infinite there, its error NaN, which
 * no comparison of it finds. */
CLAIM(a_state_that_is_not_finite_is_a_failure)
{
    with_each((peer_order){.model = "akzo", .rtol = 1e-4, .atol = 1e-300, .max_steps = 10000}, expect_finite_outputs);
    with_each((peer_order){.model = "pendulum", .t_end = 2, .mischief = PEER_NAN, .from = 300}, expect_some_failure);
}

static void expect_death(const char *peer, const peer_outcome *r)
{
    assert_int_equal(r->result.status, RESIDA_ERR_INTERNAL);
    assert_non_null(strstr(r->result.message, "terminated by signal 9"));
}

CLAIM(a_peer_that_dies_does_not_end_the_others)
{
    with_each((peer_order){.model = "pendulum", .t_end = 2, .mischief = PEER_DIE, .from = 900}, expect_death);
}

/* Libraries of a peer may have printed before: of MPI, that it does not find /sys. */
static void expect_exit_and_text(const char *peer, const peer_outcome *r)
{
    static const char first[] = "its process exited with code 3: ", last[] = "leaving";
    const char *said = strstr(r->result.message, first);
    assert_int_equal(r->result.status, RESIDA_ERR_INTERNAL);
    assert_non_null(said);
    assert_true(strlen(said) >= strlen(first) + strlen(last));
    assert_string_equal(said + strlen(said) - strlen(last), last);
}

CLAIM(what_a_peer_prints_before_it_stops_is_its_message)
{
    with_each((peer_order){.model = "pendulum", .t_end = 2, .mischief = PEER_LEAVE, .from = 900}, expect_exit_and_text);
}

static void expect_steps_spent(const char *peer, const peer_outcome *r)
{
    assert_int_equal(r->result.status, RESIDA_ERR_LIMIT_STEPS);
    assert_true(r->result.stats.steps <= 20);
    assert_true(r->result.stats.steps >= 10);
}

static void expect_residuals_spent(const char *peer, const peer_outcome *r)
{
    assert_int_equal(r->result.status, RESIDA_ERR_LIMIT_RESIDUALS);
    assert_int_equal(r->result.stats.residual_calls.total, 300);
}

CLAIM(budgets_hold)
{
    with_each((peer_order){.model = "pendulum", .t_end = 2, .max_steps = 20}, expect_steps_spent);
    with_each((peer_order){.model = "pendulum", .t_end = 2, .max_residuals = 300}, expect_residuals_spent);
}

static void expect_time_spent(const char *peer, const peer_outcome *r)
{
    assert_int_equal(r->result.status, RESIDA_ERR_LIMIT_TIME);
    assert_non_null(strstr(r->result.message, "time limit of 0.2 s"));
    assert_true(r->result.stats.residual_calls.total >= 0); /* what it sent is here */
}

CLAIM(the_time_limit_holds)
{
    steer(2, 0); /* it listens: it is not ended by force however long that takes */
    with_each((peer_order){.model = "pendulum", .t_end = 2, .time_limit = 0.2, .mischief = PEER_SLEEP},
              expect_time_spent);
    steer(0, 0);
}

CLAIM(a_peer_that_ignores_the_time_limit_is_ended)
{
    peer_order order = {.model = "pendulum", .peer = "ida", .time_limit = 0.2, .mischief = PEER_HANG, .from = 100};
    steer(100, 0.5);
    peer_outcome r = peer_run(order);
    steer(0, 0);
    assert_int_equal(r.result.status, RESIDA_ERR_LIMIT_TIME);
    assert_int_equal(r.model_calls, 100);
}

static int stop_after_a_second(double t, void *user)
{
    return t >= 1;
}

static void expect_interrupted(const char *peer, const peer_outcome *r)
{
    assert_int_equal(r->result.status, RESIDA_INTERRUPTED);
    assert_non_null(strstr(r->result.message, "stopped on request"));
    assert_true(r->result.stats.residual_calls.total > 0);
    assert_true(r->outputs >= 5);
}

CLAIM(monitor_and_taker_interrupt)
{
    peer_order order = {.model = "pendulum", .t_end = 2000, .outputs = 10000, .monitor = stop_after_a_second};
    with_each(order, expect_interrupted);
    order.monitor = NULL;
    order.refuse_output = 5;
    with_each(order, expect_interrupted);
}

/* DASSL and its kin print when they fail. Andrews at 1e-14: more than double precision holds. */
CLAIM(nothing_is_printed)
{
    struct stat said;
    FILE *file = tmpfile();
    assert_non_null(file);
    int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO), failed = 0;
    fflush(stdout);
    assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    for (int k = 0; k < rsd_peer_count(); k++)
        failed += peer_run((peer_order){.model = "andrews", .peer = rsd_peer_name(rsd_peer_at(k)), .rtol = 1e-14})
                      .result.status < 0;
    fflush(stdout);
    assert_true(dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0);
    close(out);
    close(err);
    assert_int_equal(fstat(fileno(file), &said), 0);
    fclose(file);
    assert_true(failed > 0);
    assert_int_equal(said.st_size, 0);
}
