/* test_rates.c - what a measured rate of convergence counts, how long, and what follows from a slow one or a failure:
 * facts in, decision out. */
#include <math.h>

#include "policy_fixture.h"

/* The largest first correction that is converged. */
static double enough(const rsd_policy *r, const rsd_newton_facts *f)
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

CLAIM(a_rate_is_a_guess_after_a_setup_and_at_another_alpha)
{
    rsd_policy r = record(0);
    rsd_newton_facts f = facts(any);
    rsd_policy_begin(&r, &f);
    bench_near(enough(&r, &f), TOLERANCE / 20, 1e-12);
    f.attempt.at.alpha = 1.1;
    rsd_policy_begin(&r, &f);
    bench_near(enough(&r, &f), TOLERANCE / 100, 1e-12);
    rsd_policy_record_J(&r, &f);
    bench_near(enough(&r, &f), TOLERANCE / 20, 1e-12);
}

CLAIM(where_J_is_renewed_it_is_predicted)
{
    rsd_policy r = record(1);
    rsd_newton_facts f = facts(any);
    bench_near(enough(&r, &f), TOLERANCE / 1e-3, 1e-9); /* nothing is trusted more */
    r.account.rho_0 = 0.04;
    bench_near(enough(&r, &f), TOLERANCE * 0.96 / 0.04, 1e-9);
    f.attempt.at.alpha = 1.5; /* |1 - 1.5|/(1 + 1.5) = 0.2 */
    bench_near(enough(&r, &f), TOLERANCE * 0.76 / 0.24, 1e-9);
    f.attempt.at.since = 3;
    r.account.slope[RSD_DFDY] = 0.1;
    bench_near(enough(&r, &f), TOLERANCE * 0.46 / 0.54, 1e-9);
    f.attempt.at.since = 100;
    bench_near(enough(&r, &f), TOLERANCE / 9, 1e-9); /* no worse than a rate that fails */
}

/* What a rate of this attempt judges may leave the tolerance, what is foreseen a part of it. */
CLAIM(what_is_only_foreseen_leaves_less)
{
    rsd_policy r = record(1);
    const rsd_newton_facts f = facts(any);
    r.account.rho_0 = 0.5;
    r.predicted_share = 0.1;
    bench_near(enough(&r, &f), TOLERANCE / 10, 1e-9);
    assert_int_equal(judge(&r, f, 1, 0.9 * TOLERANCE, 0.5), RSD_CONVERGED);
    assert_int_equal(judge(&r, f, 1, 1.1 * TOLERANCE, 0.5), RSD_CONTINUE);
    r.predicted_share = 1;
    bench_near(enough(&r, &f), TOLERANCE, 1e-9);
    r.by_costs = 0; /* a rate that is remembered was seen */
    r.predicted_share = 0.1;
    r.rate_factor = 1;
    bench_near(enough(&r, &f), TOLERANCE, 1e-9);
}

/* An attempt that converges with so many iterations. */
static void attempt(rsd_policy *r, int iterations)
{
    rsd_newton_facts f = facts(any);
    rsd_policy_begin(r, &f);
    f.it = (rsd_iteration_facts){.m = iterations - 1, .rate = iterations > 1 ? 1e-9 : 0};
    if (iterations > 1) rsd_policy_record_rate(r, &f);
    rsd_policy_charge(r, &f);
}

CLAIM(the_less_it_is_trusted_the_longer_none_was_seen)
{
    rsd_policy r = record(1);
    const rsd_newton_facts f = facts(any);
    for (int k = 1; k < 5; k++) {
        attempt(&r, 1);
        bench_near(enough(&r, &f), TOLERANCE / 1e-3 / (1 + k), 1e-9);
    }
    attempt(&r, 2);
    bench_near(enough(&r, &f), TOLERANCE / 1e-3, 1e-9);
}

CLAIM(a_rate_that_is_no_mere_guess_counts_by_the_square)
{
    rsd_policy r = record(1);
    const rsd_newton_facts f = facts(any);
    r.account.rho_0 = 0.1;
    for (int k = 1; k < 5; k++) attempt(&r, 1);
    bench_near(enough(&r, &f), TOLERANCE * 9 / 25, 1e-9);
}

/* A rate that is seen and holds is trusted twice as long, 16 times at the most; one that does not ends that. */
CLAIM(what_holds_is_looked_at_less_often)
{
    rsd_policy r = record(1);
    rsd_newton_facts f = facts(any);
    for (int trust = 2; trust <= 64; trust *= 2) {
        attempt(&r, 2);
        for (int k = 0; k < 32; k++) attempt(&r, 1);
        bench_near(enough(&r, &f), TOLERANCE / 1e-3 / (1 + 32.0 / (trust < 16 ? trust : 16)), 1e-9);
    }
    f.it = (rsd_iteration_facts){.m = 1, .rate = 0.5};
    rsd_policy_record_rate(&r, &f);
    assert_int_equal(r.trust, 1);
    attempt(&r, 2);
    assert_int_equal(r.trust, 2);
    f.attempt.is_retry = 1;
    rsd_policy_begin(&r, &f);
    assert_int_equal(r.trust, 1);
}

/* An attempt with J set up so. */
static rsd_newton_facts set_up(rsd_policy *r, rsd_setup_facts J)
{
    rsd_newton_facts f = facts(any);
    rsd_policy_begin(r, &f);
    f.J = J;
    rsd_policy_record_J(r, &f);
    return f;
}

CLAIM(where_nothing_is_old_nothing_is_to_be_seen)
{
    static const rsd_setup_facts blocks = {.is_factored = 1, .has_new_blocks = 1},
                                 whole = {.is_factored = 1, .has_new_blocks = 1, .is_evaluated = 1};
    rsd_policy r = record(1);
    for (int k = 0; k < 3; k++) attempt(&r, 1);
    rsd_newton_facts f = set_up(&r, blocks);
    bench_near(enough(&r, &f), TOLERANCE / 1e-3 / 5, 1e-9);
    f = set_up(&r, whole);
    bench_near(enough(&r, &f), TOLERANCE / 1e-3, 1e-9);
}

/* Differences may have gone across a jump: what is foreseen holds once their rate has been seen. */
CLAIM(differences_are_tried_first)
{
    static const rsd_setup_facts whole = {.is_factored = 1, .has_new_blocks = 1, .is_evaluated = 1};
    rsd_policy r = record(1);
    r.by_differences = 1;
    const rsd_newton_facts f = set_up(&r, whole);
    bench_near(enough(&r, &f), TOLERANCE / 20, 1e-12);
    attempt(&r, 1);
    bench_near(enough(&r, &f), TOLERANCE / 20, 1e-12);
    attempt(&r, 2);
    bench_near(enough(&r, &f), TOLERANCE / 1e-3, 1e-9);
}

CLAIM(once_more_from_there_it_is_a_guess_again)
{
    rsd_policy r = record(1);
    rsd_newton_facts f = facts(any);
    f.attempt.is_retry = 1;
    bench_near(enough(&r, &f), TOLERANCE / 100, 1e-12);
}

static rsd_convergence judge_hidden(int by_costs, int m, double norm)
{
    const rsd_policy r = record(by_costs);
    rsd_newton_facts f = facts(any);
    f.it = (rsd_iteration_facts){
        .m = m, .norm = norm, .norm_tested = norm, .rate = m ? 0.01 : 0, .residual_is_large = m == 0};
    return rsd_convergence_test(&r, &f);
}

/* However small it is: what makes it small is a J that may be wrong. */
CLAIM(a_first_correction_that_hides_F_is_not_trusted)
{
    for (int by_costs = 0; by_costs < 2; by_costs++) {
        assert_int_equal(judge_hidden(by_costs, 0, TOLERANCE / 1e6), RSD_CHECK_RESIDUAL);
        assert_int_equal(judge_hidden(by_costs, 0, 0), RSD_CHECK_RESIDUAL);
        assert_int_equal(judge_hidden(by_costs, 1, TOLERANCE / 1e6), RSD_CONVERGED); /* a rate has been seen */
        assert_int_equal(judge_hidden(by_costs, 0, INFINITY), RSD_DIVERGED);
    }
}

/* --- What follows from a slow rate, and from a failure --- */

CLAIM(a_rate_slower_than_the_limit_evaluates_dFdy)
{
    for (int by_costs = 0; by_costs < 2; by_costs++)
        for (int k = 0; k < 2; k++) {
            rsd_policy r = record(by_costs);
            r.slow_rate = 0.02;
            rsd_newton_facts f = facts(any);
            f.it.rate = k ? 0.021 : 0.019;
            rsd_policy_record_rate(&r, &f);
            assert_int_equal(reason_of(&r, &f), k ? (int)RESIDA_SETUP_OTHER : NO_SETUP);
        }
}

static int retry(const rsd_policy *r, rsd_newton_facts f)
{
    f.it.rate = 2;
    return counted(rsd_policy_retry(r, &f));
}

CLAIM(what_is_free_is_tried_first_where_it_may_do)
{
    rsd_policy r = record(1);
    rsd_newton_facts f = facts(any);
    f.attempt.at.since = 1;
    assert_int_equal(retry(&r, f), RESIDA_SETUP_ATTEMPT);
    r.account.slope[RSD_DFDY] = 0.49;
    assert_int_equal(retry(&r, f), RESIDA_SETUP_ATTEMPT);
    f.it.residual_is_the_same = 1; /* J is wrong there */
    assert_int_equal(retry(&r, f), RESIDA_SETUP_FAILURE);
    f.it.residual_is_the_same = 0;
    r.account.slope[RSD_DFDY] = 0.51;
    assert_int_equal(retry(&r, f), RESIDA_SETUP_FAILURE);
    r.account.slope[RSD_DFDY] = 0;
    f.J.has_new_blocks = 1;
    assert_int_equal(retry(&r, f), RESIDA_SETUP_FAILURE);
}

CLAIM(a_J_that_cannot_be_made_better_is_given_up)
{
    const rsd_policy r = record(0);
    rsd_newton_facts f = facts(any), g = facts(fixed);
    assert_int_equal(retry(&r, f), RESIDA_SETUP_FAILURE);
    f.J.current = 1;
    assert_int_equal(retry(&r, f), NO_SETUP);
    g.J.current = 1;
    assert_int_equal(retry(&r, g), RESIDA_SETUP_FIRST); /* from y_n, with a J of each iteration */
    g.rules = fixed->retry;
    assert_int_equal(retry(&r, g), NO_SETUP);
}

/* Its first correction tells how far from a solution dF/dy was evaluated. */
CLAIM(a_dFdy_of_nowhere_is_no_use_to_a_shorter_step)
{
    rsd_newton_facts f = facts(any);
    f.J.is_evaluated = 1;
    f.it.first = 99;
    assert_false(rsd_policy_is_far_from_solution(&f));
    f.it.first = 101;
    assert_true(rsd_policy_is_far_from_solution(&f));
    f.it.first = NAN;
    assert_true(rsd_policy_is_far_from_solution(&f));
    f.J.is_evaluated = 0;
    assert_false(rsd_policy_is_far_from_solution(&f));
    f = facts(fixed);
    f.J.is_evaluated = 1, f.it.first = 101;
    assert_false(rsd_policy_is_far_from_solution(&f)); /* there is no shorter step */
}

CLAIM(steps_of_a_fixed_size_remember_no_rate)
{
    rsd_policy r = record(1);
    rsd_newton_facts f = facts(fixed);
    rsd_policy_begin(&r, &f);
    f.it.rate = 0.5;
    rsd_policy_record_rate(&r, &f);
    f.it = (rsd_iteration_facts){.norm = 1};
    assert_int_equal(judge(&r, f, 0, 0.5 * TOLERANCE, 0), RSD_CONTINUE);
}

/* To rounding there is nothing that F could say; with a J of this point not before the first correction. */
CLAIM(F_is_looked_at_behind_the_first_correction_of_an_old_J)
{
    const rsd_newton_rules *const rules[] = {any, fixed, &rsd_rules_to_rounding};
    for (int by_costs = 0; by_costs < 2; by_costs++)
        for (int k = 0; k < 3; k++) {
            const rsd_policy r = {.by_costs = by_costs};
            rsd_newton_facts f = facts(rules[k]);
            assert_int_equal(rsd_convergence_checks_residual(&r, &f), k < 2);
            f.it.m = 1;
            assert_false(rsd_convergence_checks_residual(&r, &f));
            f.it.m = 0, f.J.current = 1;
            assert_false(rsd_convergence_checks_residual(&r, &f));
        }
}

/* Such a J was evaluated at the predictor, whose stiff forces may be part of it. Where J is kept whole, as in DASSL,
 * corrections alone are judged. */
CLAIM(F_is_looked_at_behind_later_corrections_of_a_new_J_that_is_renewed)
{
    for (int by_costs = 0; by_costs < 2; by_costs++) {
        const rsd_policy r = {.by_costs = by_costs};
        rsd_newton_facts f = facts(any);
        f.it.m = 1, f.J.current = f.J.is_evaluated = 1;
        assert_int_equal(rsd_convergence_checks_residual(&r, &f), by_costs);
        f.rules = fixed;
        assert_false(rsd_convergence_checks_residual(&r, &f));
    }
}

/* Its correction is that of dF/dy: far from linear a shorter step is next, else dF/dy is evaluated. */
CLAIM(behind_a_repaired_J_that_fails_far_away_the_step_is_cut)
{
    rsd_policy r = record(1);
    rsd_newton_facts f = facts(any);
    f.J = (rsd_setup_facts){.is_factored = 1, .has_new_blocks = 1, .is_evaluated = 1, .is_repaired = 1};
    f.it = (rsd_iteration_facts){.m = 1, .first = 11, .norm = 11, .rate = 1};
    assert_int_equal(counted(rsd_policy_retry(&r, &f)), NO_SETUP);
    f.it.first = 9;
    assert_int_equal(counted(rsd_policy_retry(&r, &f)), RESIDA_SETUP_FAILURE);
    f.it.first = 11, f.J.is_repaired = 0;
    assert_int_equal(counted(rsd_policy_retry(&r, &f)), RESIDA_SETUP_FAILURE);
}

/* What an iteration that has failed costs: a shorter step, or an evaluation where it has come to. */
CLAIM(an_iteration_that_fails_with_a_current_J_goes_on_with_J_of_where_it_is)
{
    const rsd_policy by_costs = {.by_costs = 1, .predicted_share = 1}, keeps = {.predicted_share = 1};
    rsd_newton_facts f = facts(any);
    f.it = (rsd_iteration_facts){.m = any->max_iterations - 1, .first = 3, .norm = 1, .norm_tested = 1, .rate = 0.7};
    f.J = (rsd_setup_facts){.is_factored = 1, .has_new_blocks = 1, .current = 1, .is_evaluated = 1};
    f.costs.iteration = 1, f.costs.renewal[RSD_DFDY] = 12;
    assert_int_equal(rsd_convergence_test(&by_costs, &f), RSD_NOT_CONVERGED);
    assert_true(rsd_policy_renews_within(&by_costs, &f));
    assert_false(rsd_policy_renews_within(&keeps, &f));
    f.it.rate = 1;
    assert_int_equal(rsd_convergence_test(&by_costs, &f), RSD_DIVERGED);
    assert_true(rsd_policy_renews_within(&by_costs, &f));
    f.it.norm = 1e3; /* it has led away */
    assert_false(rsd_policy_renews_within(&by_costs, &f));
    f.it.norm = 1, f.costs.renewal[RSD_DFDY] = 1e3; /* a shorter step costs less */
    assert_false(rsd_policy_renews_within(&by_costs, &f));
    f.costs.renewal[RSD_DFDY] = 12, f.renewals = 2;
    assert_false(rsd_policy_renews_within(&by_costs, &f));
    assert_int_equal(counted(rsd_policy_retry(&by_costs, &f)), NO_SETUP);
    f.renewals = 0, f.J.current = 0; /* an old J is made current first */
    assert_false(rsd_policy_renews_within(&by_costs, &f));
}

/* Its first correction has to be smaller than the first one before: else no solution is nearby. */
CLAIM(with_J_of_where_it_is_an_iteration_has_to_shrink)
{
    const rsd_policy p = {.by_costs = 1, .predicted_share = 1};
    rsd_newton_facts f = facts(any);
    f.renewals = 1;
    f.it = (rsd_iteration_facts){.first = 2, .norm = 2, .norm_tested = 2, .before = 3};
    f.J = (rsd_setup_facts){.is_factored = 1, .has_new_blocks = 1, .current = 1, .is_evaluated = 1};
    f.costs.iteration = 1, f.costs.renewal[RSD_DFDY] = 12;
    assert_int_not_equal(rsd_convergence_test(&p, &f), RSD_DIVERGED);
    f.it.before = 2;
    assert_int_equal(rsd_convergence_test(&p, &f), RSD_DIVERGED);
    assert_false(rsd_policy_renews_within(&p, &f));
    f.it.before = 0; /* the first iteration of an attempt has nothing before */
    assert_int_not_equal(rsd_convergence_test(&p, &f), RSD_DIVERGED);
}
