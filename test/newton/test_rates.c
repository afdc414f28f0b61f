/* test_rates.c - what a measured rate of convergence counts, how long, and what follows from a slow one or a failure:
 * facts in, decision out. */
#include <math.h>

#include "renewal_fixture.h"

/* The largest first correction that is converged. */
static double enough(const rsd_renewal *r, const rsd_newton_facts *f)
{
    double low = 0, high = 1e6;
    for (int k = 0; k < 200; k++) {
        const double middle = (low + high) / 2;
        if (judge(r, *f, 0, middle, 0) == RSD_CONVERGED)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void a_rate_is_a_guess_after_a_setup_and_at_another_alpha(void **state)
{
    (void)state;
    rsd_renewal r = record(0, 0);
    rsd_newton_facts f = facts(any);
    rsd_renewal_begin(&r, &f);
    bench_near(enough(&r, &f), TOLERANCE / 20, 1e-12);
    f.alpha = 1.1;
    rsd_renewal_begin(&r, &f);
    bench_near(enough(&r, &f), TOLERANCE / 100, 1e-12);
    rsd_renewal_set_up(&r, &f);
    bench_near(enough(&r, &f), TOLERANCE / 20, 1e-12);
}

static rsd_newton_facts measured(rsd_renewal *r, double rate)
{
    rsd_newton_facts f = facts(any);
    f.it.rate = rate;
    rsd_renewal_measured(r, &f);
    return f;
}

static void a_measured_rate_outlives_alpha_where_J_is_renewed(void **state)
{
    (void)state;
    rsd_renewal r = record(1, 0);
    rsd_newton_facts f = measured(&r, 0.04);
    f.alpha = 1.1;
    rsd_renewal_begin(&r, &f);
    bench_near(enough(&r, &f), TOLERANCE * 0.96 / 0.04, 1e-9);
    f = measured(&r, 1e-9);
    bench_near(enough(&r, &f), TOLERANCE / 1e-3, 1e-9);
}

static void it_grows_with_the_square_of_the_age_of_dFdy(void **state)
{
    (void)state;
    rsd_renewal r = record(1, 1);
    r.age = 5;
    rsd_newton_facts f = measured(&r, 0.5);
    bench_near(enough(&r, &f), TOLERANCE, 1e-12);
    for (int k = 0; k < 10; k++) rsd_renewal_begin(&r, &f);
    bench_near(enough(&r, &f), TOLERANCE / 9, 1e-12);
}

static void it_counts_up_to_6_times_as_much_where_an_evaluation_is_cheap(void **state)
{
    (void)state;
    static const struct {
        int cost;
        double doubt;
    } cases[] = {{0, 6}, {15, 6}, {19, 4}, {39, 1}, {100, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rsd_renewal r = record(1, 1);
        rsd_newton_facts f = measured(&r, 0.5);
        f.engine.cost = cases[i].cost;
        bench_near(enough(&r, &f), TOLERANCE / cases[i].doubt, 1e-12);
    }
}

static void a_rate_of_this_attempt_may_leave_twice_as_much_where_dFdy_ages(void **state)
{
    (void)state;
    const rsd_renewal ages = record(1, 1), own = record(1, 0);
    const rsd_newton_facts f = facts(any);
    assert_int_equal(judge(&ages, f, 1, 1.99 * TOLERANCE, 0.5), RSD_CONVERGED);
    assert_int_equal(judge(&ages, f, 1, 2.01 * TOLERANCE, 0.5), RSD_GO_ON);
    assert_int_equal(judge(&own, f, 1, 1.01 * TOLERANCE, 0.5), RSD_GO_ON);
}

static void a_rate_of_a_step_9_times_shorter_is_doubted(void **state)
{
    (void)state;
    rsd_renewal r = record(1, 1);
    rsd_newton_facts f = measured(&r, 0.5);
    f.h = 8.9;
    assert_int_equal(judge(&r, f, 0, TOLERANCE / 2, 0), RSD_CONVERGED);
    f.h = 9.1;
    assert_int_equal(judge(&r, f, 0, TOLERANCE / 2, 0), RSD_DOUBTFUL);
    assert_int_equal(judge(&r, f, 0, TOLERANCE / 83, 0), RSD_CONVERGED); /* even grown like h^2 it is enough */
    assert_int_equal(judge(&r, f, 0, TOLERANCE / 82, 0), RSD_DOUBTFUL);
}

/* --- When a rate is measured --- */

/* Attempts until one is to measure, which does. */
static int wait_for(rsd_renewal *r, double rate)
{
    rsd_newton_facts f = facts(any);
    for (int k = 0;; k++) {
        rsd_renewal_begin(r, &f);
        const int measures = rsd_renewal_measures(r, &f);
        rsd_renewal_iterate(r);
        if (!measures && k < NEVER) continue;
        f.it.rate = rate;
        rsd_renewal_measured(r, &f);
        return k;
    }
}

static void a_rate_is_measured_the_more_rarely_the_better_it_is(void **state)
{
    (void)state;
    static const struct {
        double rate;
        int wait[8];
    } cases[] = {{0.06, {0, 2, 2, 2, 2, 2, 2, 2}},
                 {0.04, {0, 4, 8, 8, 8, 8, 8, 8}},
                 {0.0011, {0, 4, 8, 8, 8, 8, 8, 8}},
                 {0.0009, {0, 4, 8, 16, 32, 32, 32, 32}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rsd_renewal r = record(1, 1);
        rsd_newton_facts f = facts(any);
        f.J.is_new = f.J.renewed = 1;
        rsd_renewal_set_up(&r, &f);
        for (int k = 0; k < 8; k++) assert_int_equal(wait_for(&r, cases[i].rate), cases[i].wait[k]);
    }
}

static void it_is_measured_after_a_new_dFdy_and_on_a_retry(void **state)
{
    (void)state;
    rsd_renewal r = record(1, 1);
    rsd_newton_facts f = facts(any);
    for (int k = 0; k < 6; k++) wait_for(&r, 1e-6);
    assert_false(rsd_renewal_measures(&r, &f));
    f.again = 1;
    rsd_renewal_begin(&r, &f);
    assert_true(rsd_renewal_measures(&r, &f));
    wait_for(&r, 1e-6);
    assert_false(rsd_renewal_measures(&r, &f));
    f.J.is_new = 1;
    rsd_renewal_set_up(&r, &f);
    assert_true(rsd_renewal_measures(&r, &f));
    assert_int_equal(judge(&r, f, 0, 1e-6, 0), RSD_CONVERGED);
    f.it = (rsd_iteration_facts){.most = 6, .norm = 1e-6, .measures = 1};
    assert_int_equal(rsd_renewal_judge(&r, &f), RSD_TO_MEASURE);
}

static void a_slow_rate_that_nothing_makes_better_is_measured_always(void **state)
{
    (void)state;
    rsd_renewal own = record(1, 0);
    for (int k = 0; k < 5; k++) wait_for(&own, 0.2);
    assert_int_equal(wait_for(&own, 0.2), 1);
    rsd_renewal kept = record(0, 0);
    rsd_newton_facts f = facts(any);
    for (int k = 0; k < 100; k++) {
        rsd_renewal_iterate(&kept);
        assert_false(rsd_renewal_measures(&kept, &f));
    }
}

/* --- When dF/dy is evaluated anew, and when the step is cut instead --- */

static void a_slow_rate_asks_first_for_what_is_free(void **state)
{
    (void)state;
    static const double rates[] = {0.09, 0.11};
    for (int renewed = 0; renewed < 2; renewed++)
        for (int i = 0; i < 2; i++) {
            rsd_renewal r = record(1, 1);
            rsd_newton_facts f = facts(any);
            r.extra = NEVER;
            f.J.renewed = renewed;
            f.it.rate = rates[i];
            rsd_renewal_measured(&r, &f);
            const int reason = rsd_renewal_reason(&r, &f);
            assert_int_equal(reason, i == 0    ? RSD_NO_SETUP
                                     : renewed ? (int)RESIDA_SETUP_OTHER
                                               : (int)RESIDA_SETUP_ATTEMPT);
        }
}

static void dFdy_is_bought_when_as_much_was_paid_in_iterations(void **state)
{
    (void)state;
    for (int extra = 34; extra <= 36; extra++) {
        rsd_renewal r = record(1, 1);
        rsd_newton_facts f = facts(any);
        f.engine.cost = 100;
        f.J.renewed = 1;
        f.it.rate = 0.5;
        for (int k = 0; k < extra; k++) rsd_renewal_cost(&r);
        rsd_renewal_measured(&r, &f);
        assert_int_equal(rsd_renewal_reason(&r, &f), extra > 35 ? (int)RESIDA_SETUP_OTHER : RSD_NO_SETUP);
        f.lost = 1; /* a slow rate further on says nothing of a shorter step */
        rsd_renewal_begin(&r, &f);
        assert_int_equal(rsd_renewal_reason(&r, &f), RSD_NO_SETUP);
    }
}

static void the_users_slow_rate_takes_the_place_of_a_tenth(void **state)
{
    (void)state;
    rsd_renewal r = record(1, 1);
    r.slow_rate = 0.02;
    r.extra = NEVER;
    rsd_newton_facts f = facts(any);
    f.J.renewed = 1;
    f.it.rate = 0.03;
    rsd_renewal_measured(&r, &f);
    assert_int_equal(rsd_renewal_reason(&r, &f), RESIDA_SETUP_OTHER);
}

/* An attempt has failed, with what was corrected so far. */
static int retry(rsd_renewal *r, rsd_newton_facts f, double size, double rate)
{
    f.it.size = size;
    f.it.rate = rate;
    rsd_renewal_failed(r, &f);
    return rsd_renewal_retry(r, &f);
}

static void a_step_that_no_J_can_solve_is_cut_at_once_but_not_twice(void **state)
{
    (void)state;
    rsd_newton_facts f = facts(any);
    rsd_renewal r = record(1, 1);
    assert_int_equal(retry(&r, f, 100, 2), RESIDA_SETUP_ATTEMPT); /* not renewed: it may be J */
    f.J.renewed = 1;
    assert_int_equal(retry(&r, f, 1.9, 2), RESIDA_SETUP_FAILURE);
    assert_int_equal(retry(&r, f, 2.1, 2), RSD_GIVE_UP);
    rsd_renewal_end(&r, 1);
    assert_int_equal(rsd_renewal_reason(&r, &f), RSD_NO_SETUP); /* J is not to blame */
    assert_int_equal(retry(&r, f, 2.1, 2), RESIDA_SETUP_FAILURE);
    assert_int_equal(retry(&r, f, 2.1, 15), RSD_GIVE_UP);
    rsd_renewal_end(&r, 0);
    assert_int_equal(retry(&r, f, 2.1, 17), RESIDA_SETUP_FAILURE); /* J is wrong there */
    f.it.is_unmoved = 1;
    assert_int_equal(retry(&r, f, 2.1, 2), RESIDA_SETUP_FAILURE);
}

static void a_J_that_cannot_be_made_better_is_given_up(void **state)
{
    (void)state;
    rsd_renewal r = record(0, 0);
    rsd_newton_facts f = facts(any), g = facts(fixed);
    assert_int_equal(retry(&r, f, 100, 2), RESIDA_SETUP_FAILURE);
    f.J.current = 1;
    assert_int_equal(retry(&r, f, 0, 2), RSD_GIVE_UP);
    g.J.current = 1;
    assert_int_equal(retry(&r, g, 0, 2), RESIDA_SETUP_FIRST); /* from y_n, with a J of each iteration */
    g.rules = fixed->again;
    assert_int_equal(retry(&r, g, 0, 2), RSD_GIVE_UP);
}

static void steps_of_a_fixed_size_remember_no_rate(void **state)
{
    (void)state;
    rsd_renewal r = record(1, 1);
    rsd_newton_facts f = facts(fixed);
    rsd_renewal_begin(&r, &f);
    f.it.rate = 0.5;
    rsd_renewal_measured(&r, &f);
    f.it = (rsd_iteration_facts){.norm = 1};
    assert_int_equal(judge(&r, f, 0, 0.5 * TOLERANCE, 0), RSD_GO_ON);
    assert_false(rsd_renewal_measures(&r, &f) || rsd_renewal_looks(&f) || rsd_renewal_corrects(&r, fixed));
    f = facts(any);
    assert_true(rsd_renewal_looks(&f) && rsd_renewal_corrects(&r, any));
}

/* --- Where renewals are weighed --- */

static void a_foreseen_rate_counts_4_times(void **state)
{
    (void)state;
    rsd_renewal r = weighed();
    rsd_newton_facts f = facts(any);
    bench_near(enough(&r, &f), TOLERANCE / 4e-3, 1e-9); /* nothing is trusted more */
    r.account.floor = 0.04;
    bench_near(enough(&r, &f), TOLERANCE * 0.96 / 0.04 / 4, 1e-9);
    f.alpha = 1.5; /* |1 - 1.5|/(1 + 1.5) = 0.2 */
    bench_near(enough(&r, &f), TOLERANCE * 0.76 / 0.24 / 4, 1e-9);
    f.since = 3;
    r.account.slope[RSD_DFDY] = 0.1;
    bench_near(enough(&r, &f), TOLERANCE * 0.46 / 0.54 / 4, 1e-9);
    f.since = 100;
    bench_near(enough(&r, &f), TOLERANCE / 9 / 4, 1e-9); /* no worse than a rate that fails */
    f.again = 1;
    bench_near(enough(&r, &f), TOLERANCE / 100, 1e-12); /* something has happened */
}

/* An attempt that converges with so many iterations. */
static void attempt(rsd_renewal *r, int iterations)
{
    rsd_newton_facts f = facts(any);
    rsd_renewal_begin(r, &f);
    f.it = (rsd_iteration_facts){.m = iterations - 1, .rate = iterations > 1 ? 1e-9 : 0};
    if (iterations > 1) rsd_renewal_measured(r, &f);
    rsd_renewal_book(r, &f);
}

static void it_is_the_less_trusted_the_longer_none_was_seen(void **state)
{
    (void)state;
    rsd_renewal r = weighed();
    const rsd_newton_facts f = facts(any);
    for (int k = 1; k < 5; k++) {
        attempt(&r, 1);
        bench_near(enough(&r, &f), TOLERANCE / 4e-3 / (1 + k) / (1 + k), 1e-9);
    }
    attempt(&r, 2);
    bench_near(enough(&r, &f), TOLERANCE / 4e-3, 1e-9);
    assert_false(rsd_renewal_measures(&r, &f) || rsd_renewal_corrects(&r, any));
    assert_int_equal(rsd_renewal_most(&r, &f), 4);
}

static void what_is_free_is_tried_first_where_it_may_do(void **state)
{
    (void)state;
    rsd_renewal r = weighed();
    rsd_newton_facts f = facts(any);
    f.since = 1;
    assert_int_equal(retry(&r, f, 100, 2), RESIDA_SETUP_ATTEMPT);
    r.account.slope[RSD_DFDY] = 0.49;
    assert_int_equal(retry(&r, f, 100, 2), RESIDA_SETUP_ATTEMPT);
    r.account.slope[RSD_DFDY] = 0.51;
    assert_int_equal(retry(&r, f, 100, 2), RESIDA_SETUP_FAILURE);
    r.account.slope[RSD_DFDY] = 0;
    f.J.renewed = 1;
    assert_int_equal(retry(&r, f, 100, 2), RESIDA_SETUP_FAILURE); /* and no step is too long for any J */
    f.J.renewed = 0;
    f.it.is_unmoved = 1; /* J is wrong there */
    assert_int_equal(retry(&r, f, 100, 2), RESIDA_SETUP_FAILURE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_is_a_guess_after_a_setup_and_at_another_alpha),
        cmocka_unit_test(a_measured_rate_outlives_alpha_where_J_is_renewed),
        cmocka_unit_test(it_grows_with_the_square_of_the_age_of_dFdy),
        cmocka_unit_test(it_counts_up_to_6_times_as_much_where_an_evaluation_is_cheap),
        cmocka_unit_test(a_rate_of_this_attempt_may_leave_twice_as_much_where_dFdy_ages),
        cmocka_unit_test(a_rate_of_a_step_9_times_shorter_is_doubted),
        cmocka_unit_test(a_rate_is_measured_the_more_rarely_the_better_it_is),
        cmocka_unit_test(it_is_measured_after_a_new_dFdy_and_on_a_retry),
        cmocka_unit_test(a_slow_rate_that_nothing_makes_better_is_measured_always),
        cmocka_unit_test(a_slow_rate_asks_first_for_what_is_free),
        cmocka_unit_test(dFdy_is_bought_when_as_much_was_paid_in_iterations),
        cmocka_unit_test(the_users_slow_rate_takes_the_place_of_a_tenth),
        cmocka_unit_test(a_step_that_no_J_can_solve_is_cut_at_once_but_not_twice),
        cmocka_unit_test(a_J_that_cannot_be_made_better_is_given_up),
        cmocka_unit_test(steps_of_a_fixed_size_remember_no_rate),
        cmocka_unit_test(a_foreseen_rate_counts_4_times),
        cmocka_unit_test(it_is_the_less_trusted_the_longer_none_was_seen),
        cmocka_unit_test(what_is_free_is_tried_first_where_it_may_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
