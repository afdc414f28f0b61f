/* test_renewal_cost.c - rent or buy: the parts of a rate, predicted rates, accumulated costs, and when a renewal
 * pays. Costs are in iterations here. */
#include <math.h>

#include "jacobian/renewal.h"
#include "test/fixtures/bench_fixture.h"

#define TOLERANCE 0.05

static const rsd_costs dear = {.iteration = 1, .renewal = {10, 30, 100}, .can_age = {1, 1, 1}};

/* An attempt at t with this alpha/alpha_J, whose setups have renewed this level. */
static void move_to(rsd_renewal *r, double t, double alpha_ratio, rsd_update_level renewed)
{
    r->attempt.at.since = t;
    r->attempt.at.alpha = alpha_ratio;
    r->J = (rsd_setup_facts){.is_factored = renewed >= RSD_FACTORS,
                             .has_new_blocks = renewed >= RSD_BLOCKS,
                             .is_evaluated = renewed >= RSD_DFDY};
}

/* A J of which nothing is known. */
static rsd_renewal unknown_J(void)
{
    rsd_renewal r = {.by_costs = 1, .predicted_share = 1, .alpha = 1, .costs = dear};
    r.attempt.tolerance = TOLERANCE;
    rsd_renewal_cost_init(&r.cost);
    return r;
}

/* A J that was new at t = 0, with a rate of nothing. */
static rsd_renewal new_J(void)
{
    rsd_renewal r = unknown_J();
    move_to(&r, 0, 1, RSD_DFDY);
    rsd_renewal_cost_mark_renewed(&r);
    rsd_renewal_cost_record_rate(&r, 0);
    return r;
}

static double expect(rsd_renewal *r, double t, double alpha_ratio, rsd_update_level renewed)
{
    move_to(r, t, alpha_ratio, renewed);
    return rsd_renewal_expected_rate(r, renewed);
}

static void see(rsd_renewal *r, double t, double alpha_ratio, rsd_update_level renewed, double rate)
{
    move_to(r, t, alpha_ratio, renewed);
    rsd_renewal_cost_record_rate(r, rate);
}

static void charge(rsd_renewal *r, int wasted, double rate, double first)
{
    r->wasted_iterations = wasted;
    rsd_renewal_cost_charge(r, rate, first);
}

CLAIM(a_rate_is_foreseen_by_what_is_old)
{
    rsd_renewal r = new_J();
    r.cost.rho_0 = 0.01;
    r.cost.slope[RSD_BLOCKS] = 0.1;
    r.cost.slope[RSD_DFDY] = 0.02;
    bench_near(expect(&r, 2, 1.5, RSD_NOTHING_NEW), 0.01 + 0.2 + 0.2 + 0.04, 1e-14);
    bench_near(expect(&r, 2, 1 / 1.5, RSD_NOTHING_NEW), 0.01 + 0.2 + 0.2 + 0.04, 1e-14);
    bench_near(expect(&r, 2, 1.5, RSD_FACTORS), 0.01 + 0.2 + 0.04, 1e-14);
    bench_near(expect(&r, -2, 1.5, RSD_BLOCKS), 0.01 + 0.04, 1e-14);
    bench_near(expect(&r, 2, 1.5, RSD_DFDY), 0.01, 1e-14);
}

CLAIM(of_an_unknown_J_IDAs_guess_is_foreseen)
{
    rsd_renewal r = unknown_J();
    const double rate = expect(&r, 0, 1, RSD_DFDY);
    bench_near(rate / (1 - rate), 20, 1e-10);
    r = new_J();
    r.cost.slope[RSD_DFDY] = 1;
    rsd_renewal_cost_init(&r.cost);
    move_to(&r, 7, 1, RSD_NOTHING_NEW);
    rsd_renewal_cost_begin(&r, 0); /* J is taken to be new there */
    assert_true(expect(&r, 100, 1, RSD_NOTHING_NEW) == rate && r.cost.t[RSD_DFDY] == 7);
}

CLAIM(a_rate_is_blamed_on_what_was_old_when_it_was_seen)
{
    rsd_renewal r = new_J();
    see(&r, 2, 1, RSD_BLOCKS, 0.04); /* dF/dy alone is old */
    bench_near(r.cost.slope[RSD_DFDY], 0.02, 1e-14);
    assert_true(r.cost.slope[RSD_BLOCKS] == 0);
    see(&r, 2, 1.5, RSD_NOTHING_NEW, 0.3); /* 0.2 by alpha, 0.04 by dF/dy */
    bench_near(r.cost.slope[RSD_DFDY], 0.02, 1e-14);
    bench_near(r.cost.slope[RSD_BLOCKS], 0.03, 1e-14);
    see(&r, 2, 1, RSD_DFDY, 0.007);
    bench_near(r.cost.rho_0, 0.007, 1e-14);
    see(&r, 2, 1, RSD_BLOCKS, 0.003); /* no rate is below rho_0 */
    bench_near(r.cost.rho_0, 0.003, 1e-14);
}

CLAIM(a_rate_better_than_foreseen_makes_slopes_smaller)
{
    rsd_renewal r = new_J();
    see(&r, 2, 1, RSD_BLOCKS, 0.4);
    see(&r, 2, 1, RSD_NOTHING_NEW, 0.1);
    assert_true(r.cost.slope[RSD_DFDY] < 0.15 && r.cost.slope[RSD_DFDY] > 0.05 && r.cost.slope[RSD_BLOCKS] == 0);
}

CLAIM(a_young_rate_counts_little_for_a_slope)
{
    rsd_renewal r = new_J();
    see(&r, 2, 1, RSD_BLOCKS, 0.04);
    see(&r, 0.01, 1, RSD_BLOCKS, 0.04); /* 200 times as steep */
    bench_near(r.cost.slope[RSD_DFDY], 0.02, 0.02);
}

CLAIM(what_has_nothing_that_grows_old_is_not_to_blame)
{
    rsd_renewal r = new_J();
    move_to(&r, 2, 1, RSD_NOTHING_NEW);
    r.costs.can_age[RSD_BLOCKS] = 0;
    rsd_renewal_cost_record_rate(&r, 0.5);
    assert_true(r.cost.slope[RSD_BLOCKS] == 0);
    bench_near(r.cost.slope[RSD_DFDY], 0.25, 1e-14);
    r.cost.slope[RSD_BLOCKS] = 1;
    bench_near(rsd_renewal_expected_rate(&r, RSD_NOTHING_NEW), 0.5, 1e-14);
}

CLAIM(costs_follow_the_parts_of_the_rate)
{
    rsd_renewal r = new_J();
    r.cost.rho_0 = 0.1;
    r.cost.slope[RSD_BLOCKS] = 0.05;
    r.cost.slope[RSD_DFDY] = 0.2;
    move_to(&r, 2, 1.5, RSD_NOTHING_NEW);
    charge(&r, 4, 0, 1);
    bench_near(r.cost.cost[RSD_FACTORS], 4 * 0.2 / 0.8, 1e-12);
    bench_near(r.cost.cost[RSD_BLOCKS], 4 * 0.1 / 0.8, 1e-12);
    bench_near(r.cost.cost[RSD_DFDY], 4 * 0.4 / 0.8, 1e-12);
    move_to(&r, 2, 1, RSD_BLOCKS);
    charge(&r, 1, 0, 1);
    bench_near(r.cost.cost[RSD_FACTORS], 1, 1e-12);
    bench_near(r.cost.cost[RSD_DFDY], 2 + 0.4 / 0.5, 1e-12);
    rsd_renewal_cost_mark_renewed(&r);
    assert_true(r.cost.cost[RSD_FACTORS] == 0 && r.cost.cost[RSD_BLOCKS] == 0 && r.cost.cost[RSD_DFDY] > 2);
}

/* Least accumulated cost that renews a level, costs and ages as they are. */
static double limit(rsd_renewal r, int level)
{
    double low = 0, high = 1e6;
    for (int k = 0; k < 100; k++) {
        r.cost.cost[level] = (low + high) / 2;
        if ((int)rsd_renewal_level(&r) == level)
            high = r.cost.cost[level];
        else
            low = r.cost.cost[level];
    }
    return high;
}

CLAIM(a_level_is_renewed_when_its_accumulated_cost_is_7_tenths_of_its_cost)
{
    rsd_renewal r = new_J();
    move_to(&r, 1e-9, 1 + 1e-9, RSD_NOTHING_NEW);
    r.cost.slope[RSD_BLOCKS] = r.cost.slope[RSD_DFDY] = 1e-3;
    bench_near(limit(r, RSD_FACTORS), 7, 1e-6);
    bench_near(limit(r, RSD_BLOCKS), 21, 1e-6);
    bench_near(limit(r, RSD_DFDY), 70, 1e-6);
    r.cost.cost[RSD_FACTORS] = 6; /* costs of the levels before help, but not more than they cost */
    bench_near(limit(r, RSD_BLOCKS), 15, 1e-6);
    bench_near(limit(r, RSD_DFDY), 64, 1e-6);
}

CLAIM(what_is_as_good_as_new_is_not_renewed)
{
    rsd_renewal r = new_J();
    move_to(&r, 0, 1, RSD_NOTHING_NEW);
    r.cost.slope[RSD_BLOCKS] = r.cost.slope[RSD_DFDY] = 1;
    for (int level = 0; level < RSD_LEVELS; level++) r.cost.cost[level] = 1e6;
    assert_int_equal(rsd_renewal_level(&r), RSD_NOTHING_NEW);
}

CLAIM(what_costs_nothing_is_renewed_at_once)
{
    rsd_renewal r = new_J();
    move_to(&r, 1, 1, RSD_NOTHING_NEW);
    r.costs = (rsd_costs){.iteration = 1, .renewal = {0, 0, 100}, .can_age = {1, 1, 1}};
    assert_int_equal(rsd_renewal_level(&r), RSD_BLOCKS);
    r.costs.can_age[RSD_BLOCKS] = 0;
    assert_int_equal(rsd_renewal_level(&r), RSD_NOTHING_NEW);
    r.attempt.at.alpha = 1.01;
    assert_int_equal(rsd_renewal_level(&r), RSD_FACTORS);
}

CLAIM(an_iteration_that_would_fail_is_not_begun)
{
    rsd_renewal r = new_J();
    move_to(&r, 1, 1.1, RSD_NOTHING_NEW);
    r.cost.slope[RSD_DFDY] = 0.84;
    assert_int_equal(rsd_renewal_level(&r), RSD_NOTHING_NEW);
    r.cost.slope[RSD_DFDY] = 0.86; /* and 0.048 of alpha */
    assert_int_equal(rsd_renewal_level(&r), RSD_FACTORS);
    r.cost.slope[RSD_DFDY] = 0.91;
    assert_int_equal(rsd_renewal_level(&r), RSD_DFDY);
    r.cost.slope[RSD_DFDY] = 0;
    r.cost.slope[RSD_BLOCKS] = 0.91;
    assert_int_equal(rsd_renewal_level(&r), RSD_BLOCKS);
    r.cost.rho_0 = 0.91; /* nothing mends it */
    assert_int_equal(rsd_renewal_level(&r), RSD_NOTHING_NEW);
}

/* With first = 1 a rate of 1/21 just needs no second iteration; 0.2 needs one. */
CLAIM(what_another_alpha_will_cost_while_it_stays_is_foreseen)
{
    for (int run = 9; run <= 11; run++) {
        rsd_renewal r = new_J();
        move_to(&r, 0, 1.5, RSD_NOTHING_NEW);
        r.cost.first = 1;
        r.cost.mean_run = run;
        assert_int_equal(rsd_renewal_level(&r), run > 10 ? (int)RSD_FACTORS : (int)RSD_NOTHING_NEW);
        r.attempt.at.alpha = 1.09;
        assert_int_equal(rsd_renewal_level(&r), RSD_NOTHING_NEW);
    }
}

CLAIM(the_time_between_two_alphas_is_a_mean_of_the_last_ones)
{
    rsd_renewal r = new_J();
    bench_near(r.cost.mean_run, 4, 1e-14);
    for (int k = 0; k < 12; k++) rsd_renewal_cost_begin(&r, 0);
    bench_near(r.cost.mean_run, 4, 1e-14);
    rsd_renewal_cost_begin(&r, 1);
    bench_near(r.cost.mean_run, 6, 1e-14);
    rsd_renewal_cost_begin(&r, 1);
    bench_near(r.cost.mean_run, 4.75, 1e-14);
}

/* What was blamed once, and renewed at each attempt since, is not seen any more. */
CLAIM(a_slope_that_only_renews_is_forgotten)
{
    rsd_renewal r = new_J();
    see(&r, 1, 1, RSD_FACTORS, 0.5);
    const double before = r.cost.slope[RSD_BLOCKS];
    for (int k = 2; k < 12; k++) {
        move_to(&r, k, 1, RSD_BLOCKS);
        rsd_renewal_cost_mark_renewed(&r);
    }
    bench_near(r.cost.slope[RSD_BLOCKS], before * pow(0.8, 10), 1e-12);
    see(&r, 12, 1, RSD_FACTORS, 0); /* and what is seen then counts */
    assert_true(r.cost.slope[RSD_BLOCKS] < 0.5 * before * pow(0.8, 10));
}

/* Attempts without the renewal, as often as no renewal pays: each would diverge. */
static int trials_in_vain(double rate, int attempts)
{
    rsd_renewal r = new_J();
    int trials = 0;
    r.cost.first = 1;
    for (int k = 1; k <= attempts; k++) {
        move_to(&r, k, 1, RSD_NOTHING_NEW);
        if (rsd_renewal_level(&r) < RSD_DFDY) {
            see(&r, k, 1, RSD_BLOCKS, rate);
            trials++;
        }
        move_to(&r, k, 1, RSD_DFDY);
        rsd_renewal_cost_mark_renewed(&r);
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
 * attempts; 0: when that pays. */
static double run_of(double slope, int interval)
{
    rsd_renewal r = new_J();
    double paid = 0, t_new = 0;
    r.cost.slope[RSD_DFDY] = interval ? 0 : slope;
    r.cost.first = 1;
    for (int k = 1; k <= 2000; k++) {
        move_to(&r, k, 1, RSD_NOTHING_NEW);
        const int due = interval ? (k % interval == 0 ? RSD_DFDY : RSD_NOTHING_NEW) : rsd_renewal_level(&r);
        if (due == RSD_DFDY) {
            move_to(&r, k, 1, RSD_DFDY);
            rsd_renewal_cost_mark_renewed(&r);
            paid += dear.renewal[RSD_DFDY];
            t_new = k;
        }
        const double rate = slope * (k - t_new), left = rate / (1 - rate) / TOLERANCE;
        const int spared = rate >= 0.9 ? 4 : left <= 1 ? 0 : (int)ceil(log(left) / -log(rate));
        paid += 1 + spared;
        if (spared > 0) rsd_renewal_cost_record_rate(&r, rate);
        charge(&r, spared, spared > 0 ? rate : 0, 1);
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

/* A J whose blocks are known, with a rate of 0.1 as dF/dy is now. */
static rsd_renewal with_rate(double tolerance, double predicted_share)
{
    rsd_renewal r = unknown_J();
    rsd_renewal_cost_begin(&r, 1);
    r.cost.rho_0 = 0, r.cost.slope[RSD_DFDY] = 1;
    r.attempt.tolerance = tolerance, r.predicted_share = predicted_share;
    r.costs = (rsd_costs){.iteration = 1, .renewal = {1, 1, 100}, .can_age = {1, 0, 1}};
    move_to(&r, 0.1, 1, RSD_NOTHING_NEW);
    return r;
}

/* A correction caused only by a pessimistic prediction, which its rate does not confirm. */
CLAIM(a_correction_by_a_pessimistic_prediction_is_not_charged)
{
    rsd_renewal r = with_rate(0.01, 1);
    charge(&r, 1, 1e-9, 1);
    assert_true(r.cost.cost[RSD_DFDY] == 0);
    charge(&r, 1, 0.1, 1);
    bench_near(r.cost.cost[RSD_DFDY], 1, 1e-12);
    charge(&r, 3, 0.1, 1); /* 0.1/0.9 of 1 is within 0.01 two corrections later */
    bench_near(r.cost.cost[RSD_DFDY], 3, 1e-12);
}

/* What a first correction may not leave takes a second one, be it within the tolerance or not. */
CLAIM(a_first_correction_is_judged_by_what_is_foreseen)
{
    rsd_renewal r = with_rate(1, 0.01);
    charge(&r, 1, 0.1, 1); /* 0.1/0.9 of 1 is left, more than 0.01 */
    bench_near(r.cost.cost[RSD_DFDY], 1, 1e-12);
    charge(&r, 1, 0.1, 0.08);
    bench_near(r.cost.cost[RSD_DFDY], 1, 1e-12);
    charge(&r, 3, 0.1, 50); /* the third one has left 5.6/100, the second 5.6/10 */
    bench_near(r.cost.cost[RSD_DFDY], 2, 1e-12);
}
