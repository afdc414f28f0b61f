/* test_account.c - rent or buy: the parts of a rate, predicted rates, accumulated costs, and when a renewal
 * pays. Costs are in iterations here. */
#include <math.h>

#include "src/core/newton/account.h"
#include "test/fixtures/bench_fixture.h"

#define TOLERANCE 0.05

static const rsd_costs dear = {.iteration = 1, .renewal = {10, 30, 100}, .has = {1, 1, 1}};

static rsd_renewal_inputs at(double t, double alpha_ratio, rsd_update_level renewed)
{
    return (rsd_renewal_inputs){.t = t,
                                .alpha_ratio = alpha_ratio,
                                .tolerance = TOLERANCE,
                                .predicted_limit = TOLERANCE,
                                .costs = dear,
                                .renewed = renewed};
}

/* An account whose J was new at t = 0, with a rate of nothing. */
static rsd_account new_account(void)
{
    rsd_account a;
    const rsd_renewal_inputs x = at(0, 1, RSD_DFDY);
    rsd_account_init(&a);
    rsd_account_settle(&a, &x);
    rsd_account_record_rate(&a, &x, 0);
    return a;
}

static double expect(const rsd_account *a, double t, double alpha_ratio, rsd_update_level renewed)
{
    const rsd_renewal_inputs x = at(t, alpha_ratio, renewed);
    return rsd_account_expected_rate(a, &x, renewed);
}

static void see(rsd_account *a, double t, double alpha_ratio, rsd_update_level renewed, double rate)
{
    const rsd_renewal_inputs x = at(t, alpha_ratio, renewed);
    rsd_account_record_rate(a, &x, rate);
}

CLAIM(a_rate_is_foreseen_by_what_is_old)
{
    rsd_account a = new_account();
    a.rho_0 = 0.01;
    a.slope[RSD_BLOCKS] = 0.1;
    a.slope[RSD_DFDY] = 0.02;
    bench_near(expect(&a, 2, 1.5, RSD_NOTHING_NEW), 0.01 + 0.2 + 0.2 + 0.04, 1e-14);
    bench_near(expect(&a, 2, 1 / 1.5, RSD_NOTHING_NEW), 0.01 + 0.2 + 0.2 + 0.04, 1e-14);
    bench_near(expect(&a, 2, 1.5, RSD_FACTORS), 0.01 + 0.2 + 0.04, 1e-14);
    bench_near(expect(&a, -2, 1.5, RSD_BLOCKS), 0.01 + 0.04, 1e-14);
    bench_near(expect(&a, 2, 1.5, RSD_DFDY), 0.01, 1e-14);
}

CLAIM(a_new_account_foresees_IDAs_guess)
{
    rsd_account a;
    rsd_account_init(&a);
    const double rate = expect(&a, 0, 1, RSD_DFDY);
    bench_near(rate / (1 - rate), 20, 1e-10);
    a = new_account();
    a.slope[RSD_DFDY] = 1;
    rsd_account_init(&a);
    rsd_account_begin(&a, 7, 0); /* J is taken to be new there */
    assert_true(expect(&a, 100, 1, RSD_NOTHING_NEW) == rate && a.t[RSD_DFDY] == 7);
}

CLAIM(a_rate_is_blamed_on_what_was_old_when_it_was_seen)
{
    rsd_account a = new_account();
    see(&a, 2, 1, RSD_BLOCKS, 0.04); /* dF/dy alone is old */
    bench_near(a.slope[RSD_DFDY], 0.02, 1e-14);
    assert_true(a.slope[RSD_BLOCKS] == 0);
    see(&a, 2, 1.5, RSD_NOTHING_NEW, 0.3); /* 0.2 by alpha, 0.04 by dF/dy */
    bench_near(a.slope[RSD_DFDY], 0.02, 1e-14);
    bench_near(a.slope[RSD_BLOCKS], 0.03, 1e-14);
    see(&a, 2, 1, RSD_DFDY, 0.007);
    bench_near(a.rho_0, 0.007, 1e-14);
    see(&a, 2, 1, RSD_BLOCKS, 0.003); /* no rate is below rho_0 */
    bench_near(a.rho_0, 0.003, 1e-14);
}

CLAIM(a_rate_better_than_foreseen_makes_slopes_smaller)
{
    rsd_account a = new_account();
    see(&a, 2, 1, RSD_BLOCKS, 0.4);
    see(&a, 2, 1, RSD_NOTHING_NEW, 0.1);
    assert_true(a.slope[RSD_DFDY] < 0.15 && a.slope[RSD_DFDY] > 0.05 && a.slope[RSD_BLOCKS] == 0);
}

CLAIM(a_young_rate_counts_little_for_a_slope)
{
    rsd_account a = new_account();
    see(&a, 2, 1, RSD_BLOCKS, 0.04);
    see(&a, 0.01, 1, RSD_BLOCKS, 0.04); /* 200 times as steep */
    bench_near(a.slope[RSD_DFDY], 0.02, 0.02);
}

CLAIM(what_has_nothing_that_grows_old_is_not_to_blame)
{
    rsd_account a = new_account();
    rsd_renewal_inputs x = at(2, 1, RSD_NOTHING_NEW);
    x.costs.has[RSD_BLOCKS] = 0;
    rsd_account_record_rate(&a, &x, 0.5);
    assert_true(a.slope[RSD_BLOCKS] == 0);
    bench_near(a.slope[RSD_DFDY], 0.25, 1e-14);
    a.slope[RSD_BLOCKS] = 1;
    bench_near(rsd_account_expected_rate(&a, &x, RSD_NOTHING_NEW), 0.5, 1e-14);
}

CLAIM(costs_follow_the_parts_of_the_rate)
{
    rsd_account a = new_account();
    const rsd_renewal_inputs x = at(2, 1.5, RSD_NOTHING_NEW), blocks = at(2, 1, RSD_BLOCKS);
    a.rho_0 = 0.1;
    a.slope[RSD_BLOCKS] = 0.05;
    a.slope[RSD_DFDY] = 0.2;
    rsd_account_charge(&a, &x, 4, 0, 1);
    bench_near(a.cost[RSD_FACTORS], 4 * 0.2 / 0.8, 1e-12);
    bench_near(a.cost[RSD_BLOCKS], 4 * 0.1 / 0.8, 1e-12);
    bench_near(a.cost[RSD_DFDY], 4 * 0.4 / 0.8, 1e-12);
    rsd_account_charge(&a, &blocks, 1, 0, 1);
    bench_near(a.cost[RSD_FACTORS], 1, 1e-12);
    bench_near(a.cost[RSD_DFDY], 2 + 0.4 / 0.5, 1e-12);
    rsd_account_settle(&a, &blocks);
    assert_true(a.cost[RSD_FACTORS] == 0 && a.cost[RSD_BLOCKS] == 0 && a.cost[RSD_DFDY] > 2);
}

/* Least accumulated cost that renews a level, costs and ages as they are. */
static double limit(rsd_account a, const rsd_renewal_inputs *x, int level)
{
    double low = 0, high = 1e6;
    for (int k = 0; k < 100; k++) {
        a.cost[level] = (low + high) / 2;
        if (rsd_account_due(&a, x) == level)
            high = a.cost[level];
        else
            low = a.cost[level];
    }
    return high;
}

CLAIM(a_level_is_renewed_when_its_accumulated_cost_is_7_tenths_of_its_cost)
{
    rsd_account a = new_account();
    const rsd_renewal_inputs x = at(1e-9, 1 + 1e-9, RSD_NOTHING_NEW);
    a.slope[RSD_BLOCKS] = a.slope[RSD_DFDY] = 1e-3;
    bench_near(limit(a, &x, RSD_FACTORS), 7, 1e-6);
    bench_near(limit(a, &x, RSD_BLOCKS), 21, 1e-6);
    bench_near(limit(a, &x, RSD_DFDY), 70, 1e-6);
    a.cost[RSD_FACTORS] = 6; /* costs of the levels before help, but not more than they cost */
    bench_near(limit(a, &x, RSD_BLOCKS), 15, 1e-6);
    bench_near(limit(a, &x, RSD_DFDY), 64, 1e-6);
}

CLAIM(what_is_as_good_as_new_is_not_renewed)
{
    rsd_account a = new_account();
    const rsd_renewal_inputs x = at(0, 1, RSD_NOTHING_NEW);
    a.slope[RSD_BLOCKS] = a.slope[RSD_DFDY] = 1;
    for (int level = 0; level < RSD_LEVELS; level++) a.cost[level] = 1e6;
    assert_int_equal(rsd_account_due(&a, &x), RSD_NOTHING_NEW);
}

CLAIM(what_costs_nothing_is_renewed_at_once)
{
    rsd_account a = new_account();
    rsd_renewal_inputs x = at(1, 1, RSD_NOTHING_NEW);
    x.costs = (rsd_costs){.iteration = 1, .renewal = {0, 0, 100}, .has = {1, 1, 1}};
    assert_int_equal(rsd_account_due(&a, &x), RSD_BLOCKS);
    x.costs.has[RSD_BLOCKS] = 0;
    assert_int_equal(rsd_account_due(&a, &x), RSD_NOTHING_NEW);
    x.alpha_ratio = 1.01;
    assert_int_equal(rsd_account_due(&a, &x), RSD_FACTORS);
}

CLAIM(an_iteration_that_would_fail_is_not_begun)
{
    rsd_account a = new_account();
    const rsd_renewal_inputs x = at(1, 1.1, RSD_NOTHING_NEW);
    a.slope[RSD_DFDY] = 0.84;
    assert_int_equal(rsd_account_due(&a, &x), RSD_NOTHING_NEW);
    a.slope[RSD_DFDY] = 0.86; /* and 0.048 of alpha */
    assert_int_equal(rsd_account_due(&a, &x), RSD_FACTORS);
    a.slope[RSD_DFDY] = 0.91;
    assert_int_equal(rsd_account_due(&a, &x), RSD_DFDY);
    a.slope[RSD_DFDY] = 0;
    a.slope[RSD_BLOCKS] = 0.91;
    assert_int_equal(rsd_account_due(&a, &x), RSD_BLOCKS);
    a.rho_0 = 0.91; /* nothing mends it */
    assert_int_equal(rsd_account_due(&a, &x), RSD_NOTHING_NEW);
}

/* With first = 1 a rate of 1/21 just needs no second iteration; 0.2 needs one. */
CLAIM(what_another_alpha_will_cost_while_it_stays_is_foreseen)
{
    for (int run = 9; run <= 11; run++) {
        rsd_account a = new_account();
        rsd_renewal_inputs x = at(0, 1.5, RSD_NOTHING_NEW);
        a.first = 1;
        a.mean_run = run;
        assert_int_equal(rsd_account_due(&a, &x), run > 10 ? (int)RSD_FACTORS : (int)RSD_NOTHING_NEW);
        x.alpha_ratio = 1.09;
        assert_int_equal(rsd_account_due(&a, &x), RSD_NOTHING_NEW);
    }
}

CLAIM(the_time_between_two_alphas_is_a_mean_of_the_last_ones)
{
    rsd_account a = new_account();
    bench_near(a.mean_run, 4, 1e-14);
    for (int k = 0; k < 12; k++) rsd_account_begin(&a, 0, 0);
    bench_near(a.mean_run, 4, 1e-14);
    rsd_account_begin(&a, 0, 1);
    bench_near(a.mean_run, 6, 1e-14);
    rsd_account_begin(&a, 0, 1);
    bench_near(a.mean_run, 4.75, 1e-14);
}

/* What was blamed once, and renewed at each attempt since, is not seen any more. */
CLAIM(a_slope_that_only_renews_is_forgotten)
{
    rsd_account a = new_account();
    see(&a, 1, 1, RSD_FACTORS, 0.5);
    const double before = a.slope[RSD_BLOCKS];
    for (int k = 2; k < 12; k++) {
        const rsd_renewal_inputs x = at(k, 1, RSD_BLOCKS);
        rsd_account_settle(&a, &x);
    }
    bench_near(a.slope[RSD_BLOCKS], before * pow(0.8, 10), 1e-12);
    see(&a, 12, 1, RSD_FACTORS, 0); /* and what is seen then counts */
    assert_true(a.slope[RSD_BLOCKS] < 0.5 * before * pow(0.8, 10));
}

/* Attempts without the renewal, as often as the account asks for none: each would diverge. */
static int trials_in_vain(double rate, int attempts)
{
    rsd_account a = new_account();
    int trials = 0;
    a.first = 1;
    for (int k = 1; k <= attempts; k++) {
        const rsd_renewal_inputs old = at(k, 1, RSD_NOTHING_NEW), renewed = at(k, 1, RSD_DFDY);
        if (rsd_account_due(&a, &old) < RSD_DFDY) {
            const rsd_renewal_inputs blocks = at(k, 1, RSD_BLOCKS);
            rsd_account_record_rate(&a, &blocks, rate);
            trials++;
        }
        rsd_account_settle(&a, &renewed);
    }
    return trials;
}

CLAIM(a_trial_in_vain_comes_after_ever_more_renewals)
{
    const int vain = trials_in_vain(3, 400), fine = trials_in_vain(0.5, 400);
    print_message("400 attempts: %d trials in vain; %d that are fine\n", vain, fine);
    assert_true(vain >= 4 && vain < 15);
    assert_true(fine > 100);
}

/* A rate rises by `slope` at each attempt since dF/dy was new. What 2,000 attempts cost with a renewal every `interval`
 * attempts; 0: when the account says so. */
static double run_of(double slope, int interval)
{
    rsd_account a = new_account();
    double paid = 0, t_new = 0;
    a.slope[RSD_DFDY] = interval ? 0 : slope;
    a.first = 1;
    for (int k = 1; k <= 2000; k++) {
        rsd_renewal_inputs x = at(k, 1, RSD_NOTHING_NEW);
        const int due = interval ? (k % interval == 0 ? RSD_DFDY : RSD_NOTHING_NEW) : rsd_account_due(&a, &x);
        if (due == RSD_DFDY) {
            x.renewed = RSD_DFDY;
            rsd_account_settle(&a, &x);
            paid += dear.renewal[RSD_DFDY];
            t_new = k;
        }
        const double rate = slope * (k - t_new), left = rate / (1 - rate) / TOLERANCE;
        const int spared = rate >= 0.9 ? 4 : left <= 1 ? 0 : (int)ceil(log(left) / -log(rate));
        paid += 1 + spared;
        if (spared > 0) rsd_account_record_rate(&a, &x, rate);
        rsd_account_charge(&a, &x, spared, spared > 0 ? rate : 0, 1);
    }
    return paid;
}

CLAIM(it_is_never_half_as_dear_again_as_the_best_interval)
{
    static const double slopes[] = {1e-4, 1e-3, 1e-2, 0.1};
    for (int i = 0; i < 4; i++) {
        double best = INFINITY;
        for (int interval = 1; interval <= 2001; interval++) best = fmin(best, run_of(slopes[i], interval));
        const double ours = run_of(slopes[i], 0);
        if (ours > 1.5 * best) fail_msg("slope %g: %.0f, at best %.0f", slopes[i], ours, best);
    }
}

/* A correction caused only by a pessimistic prediction, which its rate does not confirm. */
CLAIM(a_correction_by_a_pessimistic_prediction_is_not_charged)
{
    rsd_account a;
    rsd_account_init(&a);
    rsd_account_begin(&a, 0, 1);
    a.rho_0 = 0, a.slope[RSD_DFDY] = 1;
    rsd_renewal_inputs x = {
        .t = 0.1, .alpha_ratio = 1, .tolerance = 0.01, .predicted_limit = 0.01, .renewed = RSD_NOTHING_NEW};
    x.costs = (rsd_costs){.iteration = 1, .renewal = {1, 1, 100}, .has = {1, 0, 1}};
    rsd_account_charge(&a, &x, 1, 1e-9, 1);
    assert_true(a.cost[RSD_DFDY] == 0);
    rsd_account_charge(&a, &x, 1, 0.1, 1);
    bench_near(a.cost[RSD_DFDY], 1, 1e-12);
    rsd_account_charge(&a, &x, 3, 0.1, 1); /* 0.1/0.9 of 1 is within 0.01 two corrections later */
    bench_near(a.cost[RSD_DFDY], 3, 1e-12);
}

/* What a first correction may not leave takes a second one, be it within the tolerance or not. */
CLAIM(a_first_correction_is_judged_by_what_is_foreseen)
{
    rsd_account a;
    rsd_account_init(&a);
    rsd_account_begin(&a, 0, 1);
    a.rho_0 = 0, a.slope[RSD_DFDY] = 1;
    rsd_renewal_inputs x = {
        .t = 0.1, .alpha_ratio = 1, .tolerance = 1, .predicted_limit = 0.01, .renewed = RSD_NOTHING_NEW};
    x.costs = (rsd_costs){.iteration = 1, .renewal = {1, 1, 100}, .has = {1, 0, 1}};
    rsd_account_charge(&a, &x, 1, 0.1, 1); /* 0.1/0.9 of 1 is left, more than 0.01 */
    bench_near(a.cost[RSD_DFDY], 1, 1e-12);
    rsd_account_charge(&a, &x, 1, 0.1, 0.08);
    bench_near(a.cost[RSD_DFDY], 1, 1e-12);
    rsd_account_charge(&a, &x, 3, 0.1, 50); /* the third one has left 5.6/100, the second 5.6/10 */
    bench_near(a.cost[RSD_DFDY], 2, 1e-12);
}
