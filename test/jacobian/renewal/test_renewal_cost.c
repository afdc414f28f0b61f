/* test_renewal_cost.c - rent or buy: the rate that is predicted, and what renewals cost in the long run. Costs are in
 * iterations here. */
#include "jacobian/renewal.h"
#include "test/fixtures/bench_fixture.h"

#define TOLERANCE 0.05

static const rsd_costs expensive = {.iteration = 1, .renewal = {10, 30, 100}, .can_age = {1, 1, 1}};

/* An attempt at t with this alpha/alpha_J, whose setups have renewed this level. */
static void move_to(rsd_renewal *r, double t, double alpha_ratio, rsd_renewal_level renewed)
{
    r->attempt.at.since = t;
    r->attempt.at.alpha = alpha_ratio;
    r->setup.level = renewed;
    r->events.setups = renewed > RSD_NOTHING_NEW;
}

/* A J of which nothing is known. */
static rsd_renewal unknown_J(void)
{
    rsd_renewal r = {.by_costs = 1, .alpha_J = 1, .costs = expensive};
    r.attempt.tolerance = TOLERANCE;
    rsd_rate_model_init(&r.model);
    return r;
}

/* A J that was new at t = 0, with a rate of nothing. */
static rsd_renewal new_J(void)
{
    rsd_renewal r = unknown_J();
    move_to(&r, 0, 1, RSD_DFDY);
    rsd_rate_model_mark_renewed(&r);
    rsd_rate_model_record_rate(&r, 0);
    return r;
}

static double expect(rsd_renewal *r, double t, double alpha_ratio, rsd_renewal_level renewed)
{
    move_to(r, t, alpha_ratio, renewed);
    return rsd_renewal_predict_rate(r, renewed);
}

static void see(rsd_renewal *r, double t, double alpha_ratio, rsd_renewal_level renewed, double rate)
{
    move_to(r, t, alpha_ratio, renewed);
    rsd_rate_model_record_rate(r, rate);
}

static void charge(rsd_renewal *r, int wasted, double rate, double first)
{
    r->events.wasted_iterations = wasted;
    rsd_rate_model_charge(r, rate, first);
}

CLAIM(a_rate_is_predicted_from_the_outdated_parts)
{
    rsd_renewal r = new_J();
    r.model.rho_0 = 0.01;
    r.model.slope[RSD_BLOCKS] = 0.1;
    r.model.slope[RSD_DFDY] = 0.02;
    bench_near(expect(&r, 2, 1.5, RSD_NOTHING_NEW), 0.01 + 0.2 + 0.2 + 0.04, 1e-14);
    bench_near(expect(&r, 2, 1 / 1.5, RSD_NOTHING_NEW), 0.01 + 0.2 + 0.2 + 0.04, 1e-14);
    bench_near(expect(&r, 2, 1.5, RSD_FACTORS), 0.01 + 0.2 + 0.04, 1e-14);
    bench_near(expect(&r, -2, 1.5, RSD_BLOCKS), 0.01 + 0.04, 1e-14);
    bench_near(expect(&r, 2, 1.5, RSD_DFDY), 0.01, 1e-14);
}

CLAIM(an_iteration_that_is_predicted_to_fail_is_not_begun)
{
    rsd_renewal r = new_J();
    move_to(&r, 1, 1.1, RSD_NOTHING_NEW);
    r.model.slope[RSD_DFDY] = 0.84;
    assert_int_equal(rsd_renewal_choose_level(&r), RSD_NOTHING_NEW);
    r.model.slope[RSD_DFDY] = 0.86; /* and 0.048 of alpha */
    assert_int_equal(rsd_renewal_choose_level(&r), RSD_FACTORS);
    r.model.slope[RSD_DFDY] = 0.91;
    assert_int_equal(rsd_renewal_choose_level(&r), RSD_DFDY);
    r.model.slope[RSD_DFDY] = 0;
    r.model.slope[RSD_BLOCKS] = 0.91;
    assert_int_equal(rsd_renewal_choose_level(&r), RSD_BLOCKS);
    r.model.rho_0 = 0.91; /* nothing mends it */
    assert_int_equal(rsd_renewal_choose_level(&r), RSD_NOTHING_NEW);
}

/* Attempts without the renewal, as often as no renewal pays: each would diverge. */
static int trials_without_gain(double rate, int attempts)
{
    rsd_renewal r = new_J();
    int trials = 0;
    r.model.first_norm = 1;
    for (int k = 1; k <= attempts; k++) {
        move_to(&r, k, 1, RSD_NOTHING_NEW);
        if (rsd_renewal_choose_level(&r) < RSD_DFDY) {
            see(&r, k, 1, RSD_BLOCKS, rate);
            trials++;
        }
        move_to(&r, k, 1, RSD_DFDY);
        rsd_rate_model_mark_renewed(&r);
    }
    return trials;
}

CLAIM(each_failed_trial_doubles_the_renewals_before_the_next_one)
{
    const int without = trials_without_gain(3, 400), fine = trials_without_gain(0.5, 400);
    print_message("400 attempts: %d trials that diverge; %d that converge\n", without, fine);
    assert_true(without >= 4 && without < 15);
    assert_true(fine > 100);
}

/* A rate rises by `slope` at each attempt since dF/dy was new. What 2,000 attempts cost with a renewal every `interval`
 * attempts; 0: when that pays. */
static double run_of(double slope, int interval)
{
    rsd_renewal r = new_J();
    double paid = 0, t_new = 0;
    r.model.slope[RSD_DFDY] = interval ? 0 : slope;
    r.model.first_norm = 1;
    for (int k = 1; k <= 2000; k++) {
        move_to(&r, k, 1, RSD_NOTHING_NEW);
        const int due = interval ? (k % interval == 0 ? RSD_DFDY : RSD_NOTHING_NEW) : rsd_renewal_choose_level(&r);
        if (due == RSD_DFDY) {
            move_to(&r, k, 1, RSD_DFDY);
            rsd_rate_model_mark_renewed(&r);
            paid += expensive.renewal[RSD_DFDY];
            t_new = k;
        }
        const double rate = slope * (k - t_new), left = rate / (1 - rate) / TOLERANCE;
        const int spared = rate >= 0.9 ? 4 : left <= 0.1 ? 0 : (int)fmax(1, ceil(log(left) / -log(rate)));
        paid += 1 + spared;
        if (spared > 0) rsd_rate_model_record_rate(&r, rate);
        charge(&r, spared, spared > 0 ? rate : 0, 1);
    }
    return paid;
}

CLAIM(the_cost_is_at_most_1_5_times_that_of_the_best_interval)
{
    static const double slopes[] = {1e-4, 1e-3, 1e-2, 0.1};
    for (int i = 0; i < 4; i++) {
        double best = INFINITY;
        for (int interval = 1; interval <= 2001; interval++) best = fmin(best, run_of(slopes[i], interval));
        const double ours = run_of(slopes[i], 0);
        if (ours > 1.5 * best) fail_msg("slope %g: %.0f, at best %.0f", slopes[i], ours, best);
    }
}
