/* test_rates.c - what a measured rate of convergence counts, how long, and what follows from a slow one or a failure:
 * facts in, decision out. */
#include "convergence_fixture.h"

/* The largest first correction that is converged. */
static double enough(const rsd_renewal *r)
{
    double low = 0, high = 1e6;
    for (int k = 0; k < 200; k++) {
        const double middle = (low + high) / 2;
        if (judge(r, any, 0, middle, 0) == RSD_CONVERGED)
            low = middle;
        else
            high = middle;
    }
    return low;
}

CLAIM(a_rate_is_a_guess_after_a_setup_and_at_another_alpha)
{
    rsd_renewal r = record(0, RSD_ANY_SIZE);
    rsd_renewal_begin_attempt(&r);
    bench_near(enough(&r), TOLERANCE / 20, 1e-12);
    r.attempt.at.alpha = 1.1;
    rsd_renewal_begin_attempt(&r);
    bench_near(enough(&r), TOLERANCE / 100, 1e-12);
    rsd_renewal_record_J(&r);
    bench_near(enough(&r), TOLERANCE / 20, 1e-12);
}

CLAIM(where_J_is_renewed_it_is_predicted)
{
    rsd_renewal r = record(1, RSD_ANY_SIZE);
    bench_near(enough(&r), TOLERANCE / 1e-3, 1e-9); /* nothing is trusted more */
    r.cost.rho_0 = 0.04;
    bench_near(enough(&r), TOLERANCE * 0.96 / 0.04, 1e-9);
    r.attempt.at.alpha = 1.5; /* |1 - 1.5|/(1 + 1.5) = 0.2 */
    bench_near(enough(&r), TOLERANCE * 0.76 / 0.24, 1e-9);
    r.attempt.at.since = 3;
    r.cost.slope[RSD_DFDY] = 0.1;
    bench_near(enough(&r), TOLERANCE * 0.46 / 0.54, 1e-9);
    r.attempt.at.since = 100;
    bench_near(enough(&r), TOLERANCE / 9, 1e-9); /* no worse than a rate that fails */
}

/* What a rate of this attempt judges may leave the tolerance, what is foreseen a part of it. */
CLAIM(what_is_only_foreseen_leaves_less)
{
    rsd_renewal r = record(1, RSD_ANY_SIZE);
    r.cost.rho_0 = 0.5;
    r.predicted_share = 0.1;
    bench_near(enough(&r), TOLERANCE / 10, 1e-9);
    assert_int_equal(judge(&r, any, 1, 0.9 * TOLERANCE, 0.5), RSD_CONVERGED);
    assert_int_equal(judge(&r, any, 1, 1.1 * TOLERANCE, 0.5), RSD_CONTINUE);
    r.predicted_share = 1;
    bench_near(enough(&r), TOLERANCE, 1e-9);
    r.by_costs = 0; /* a rate that is remembered was seen */
    r.predicted_share = 0.1;
    r.rate_factor = 1;
    bench_near(enough(&r), TOLERANCE, 1e-9);
}

/* An attempt that converges with so many iterations. */
static void attempt(rsd_renewal *r, int iterations)
{
    const rsd_iteration it = {.m = iterations - 1, .rate = iterations > 1 ? 1e-9 : 0};
    rsd_renewal_begin_attempt(r);
    if (iterations > 1) rsd_renewal_record_rate(r, it.rate);
    rsd_renewal_end_iteration(r, &it);
}

CLAIM(the_less_it_is_trusted_the_longer_none_was_seen)
{
    rsd_renewal r = record(1, RSD_ANY_SIZE);
    for (int k = 1; k < 5; k++) {
        attempt(&r, 1);
        bench_near(enough(&r), TOLERANCE / 1e-3 / (1 + k), 1e-9);
    }
    attempt(&r, 2);
    bench_near(enough(&r), TOLERANCE / 1e-3, 1e-9);
}

CLAIM(a_rate_that_is_no_mere_guess_counts_by_the_square)
{
    rsd_renewal r = record(1, RSD_ANY_SIZE);
    r.cost.rho_0 = 0.1;
    for (int k = 1; k < 5; k++) attempt(&r, 1);
    bench_near(enough(&r), TOLERANCE * 9 / 25, 1e-9);
}

/* A rate that is seen and holds is trusted twice as long, 16 times at the most; one that does not ends that. */
CLAIM(what_holds_is_looked_at_less_often)
{
    rsd_renewal r = record(1, RSD_ANY_SIZE);
    for (int trust = 2; trust <= 64; trust *= 2) {
        attempt(&r, 2);
        for (int k = 0; k < 32; k++) attempt(&r, 1);
        bench_near(enough(&r), TOLERANCE / 1e-3 / (1 + 32.0 / (trust < 16 ? trust : 16)), 1e-9);
    }
    const rsd_iteration slow = {.m = 1, .rate = 0.5};
    rsd_renewal_record_rate(&r, slow.rate);
    assert_true(r.prediction_trust == 1);
    attempt(&r, 2);
    assert_true(r.prediction_trust == 2);
    r.attempt.is_retry = 1;
    rsd_renewal_begin_attempt(&r);
    assert_true(r.prediction_trust == 1);
}

/* An attempt with J set up so. */
static void set_up(rsd_renewal *r, rsd_setup_facts J)
{
    rsd_renewal_begin_attempt(r);
    r->setup = J;
    rsd_renewal_record_J(r);
}

CLAIM(where_nothing_is_old_nothing_is_to_be_seen)
{
    static const rsd_setup_facts blocks = {.is_factored = 1, .has_new_blocks = 1},
                                 whole = {.is_factored = 1, .has_new_blocks = 1, .is_evaluated = 1};
    rsd_renewal r = record(1, RSD_ANY_SIZE);
    for (int k = 0; k < 3; k++) attempt(&r, 1);
    set_up(&r, blocks);
    bench_near(enough(&r), TOLERANCE / 1e-3 / 5, 1e-9);
    set_up(&r, whole);
    bench_near(enough(&r), TOLERANCE / 1e-3, 1e-9);
}

/* Differences may have gone across a jump: what is foreseen holds once their rate has been seen. */
CLAIM(differences_are_tried_first)
{
    static const rsd_setup_facts whole = {.is_factored = 1, .has_new_blocks = 1, .is_evaluated = 1};
    rsd_renewal r = record(1, RSD_ANY_SIZE);
    r.by_differences = 1;
    set_up(&r, whole);
    bench_near(enough(&r), TOLERANCE / 20, 1e-12);
    r.setup = (rsd_setup_facts){.current = 0};
    attempt(&r, 1);
    bench_near(enough(&r), TOLERANCE / 20, 1e-12);
    attempt(&r, 2);
    bench_near(enough(&r), TOLERANCE / 1e-3, 1e-9);
}

CLAIM(once_more_from_there_it_is_a_guess_again)
{
    rsd_renewal r = record(1, RSD_ANY_SIZE);
    r.attempt.is_retry = 1;
    bench_near(enough(&r), TOLERANCE / 100, 1e-12);
}

static rsd_convergence judge_hidden(int by_costs, int m, double norm)
{
    const rsd_renewal r = record(by_costs, RSD_ANY_SIZE);
    const rsd_iteration it = {
        .m = m, .norm = norm, .norm_tested = norm, .rate = m ? 0.01 : 0, .residual_is_large = m == 0};
    return rsd_convergence_test(&r, any, &it);
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
            rsd_renewal r = record(by_costs, RSD_ANY_SIZE);
            const rsd_iteration it = {.m = 1, .rate = k ? 0.021 : 0.019};
            r.max_rate = 0.02;
            rsd_renewal_record_rate(&r, it.rate);
            assert_int_equal(reason_of(&r), k ? (int)RESIDA_SETUP_OTHER : RSD_NO_SETUP);
        }
}

static int retry(const rsd_renewal *r, const rsd_iteration *it)
{
    return rsd_renewal_can_improve(r, it) ? rsd_renewal_reason(r, RSD_AT_RETRY, it) : RSD_NO_SETUP;
}

CLAIM(what_is_free_is_tried_first_where_it_may_do)
{
    rsd_renewal r = record(1, RSD_ANY_SIZE);
    rsd_iteration it = {.rate = 2};
    r.attempt.at.since = 1;
    assert_int_equal(retry(&r, &it), RESIDA_SETUP_ATTEMPT);
    r.cost.slope[RSD_DFDY] = 0.49;
    assert_int_equal(retry(&r, &it), RESIDA_SETUP_ATTEMPT);
    it.residual_is_the_same = 1; /* J is wrong there */
    assert_int_equal(retry(&r, &it), RESIDA_SETUP_FAILURE);
    it.residual_is_the_same = 0;
    r.cost.slope[RSD_DFDY] = 0.51;
    assert_int_equal(retry(&r, &it), RESIDA_SETUP_FAILURE);
    r.cost.slope[RSD_DFDY] = 0;
    r.setup.has_new_blocks = 1;
    assert_int_equal(retry(&r, &it), RESIDA_SETUP_FAILURE);
}

CLAIM(a_J_that_cannot_be_made_better_is_given_up)
{
    rsd_renewal r = record(0, RSD_ANY_SIZE), steps = record(0, RSD_FIXED_SIZE);
    const rsd_iteration it = {.rate = 2};
    assert_int_equal(retry(&r, &it), RESIDA_SETUP_FAILURE);
    r.setup.current = steps.setup.current = 1;
    assert_int_equal(retry(&r, &it), RSD_NO_SETUP);
    assert_int_equal(retry(&steps, &it), RESIDA_SETUP_FIRST); /* from y_n, with a J of each iteration */
    assert_int_equal(rsd_renewal_end_try(&steps, &it), 1);
    assert_int_equal(retry(&steps, &it), RSD_NO_SETUP);
}

/* Its first correction tells how far from a solution dF/dy was evaluated. */
static int request_after(rsd_steps steps, int is_evaluated, double first)
{
    rsd_renewal r = record(1, steps);
    const rsd_iteration it = {.first = first, .rate = 2};
    r.setup = (rsd_setup_facts){.current = 1, .is_evaluated = is_evaluated, .tries = 1};
    assert_int_equal(rsd_renewal_end_try(&r, &it), 0);
    return r.requested;
}

CLAIM(a_dFdy_of_nowhere_is_no_use_to_a_shorter_step)
{
    assert_int_equal(request_after(RSD_ANY_SIZE, 1, 99), 0);
    assert_int_equal(request_after(RSD_ANY_SIZE, 1, 101), RESIDA_REQUEST_EVALUATION);
    assert_int_equal(request_after(RSD_ANY_SIZE, 1, NAN), RESIDA_REQUEST_EVALUATION);
    assert_int_equal(request_after(RSD_ANY_SIZE, 0, 101), 0);
    assert_int_equal(request_after(RSD_FIXED_SIZE, 1, 101), 0); /* there is no shorter step */
}

CLAIM(steps_of_a_fixed_size_remember_no_rate)
{
    rsd_renewal r = record(1, RSD_FIXED_SIZE);
    const rsd_iteration it = {.m = 1, .rate = 0.5};
    rsd_renewal_begin_attempt(&r);
    rsd_renewal_record_rate(&r, it.rate);
    assert_int_equal(judge(&r, fixed, 0, 0.5 * TOLERANCE, 0), RSD_CONTINUE);
}

/* To rounding there is nothing that F could say; with a J of this point not before the first correction. */
CLAIM(F_is_looked_at_behind_the_first_correction_of_an_old_J)
{
    const rsd_newton_rules *const rules[] = {any, fixed, &rsd_rules_to_rounding};
    for (int by_costs = 0; by_costs < 2; by_costs++)
        for (int k = 0; k < 3; k++) {
            rsd_renewal r = record(by_costs, rules[k]->steps);
            rsd_iteration it = {.m = 0};
            assert_int_equal(rsd_convergence_checks_residual(&r, rules[k], &it), k < 2);
            it.m = 1;
            assert_false(rsd_convergence_checks_residual(&r, rules[k], &it));
            it.m = 0, r.setup.current = 1;
            assert_false(rsd_convergence_checks_residual(&r, rules[k], &it));
        }
}

/* Such a J was evaluated at the predictor, whose stiff forces may be part of it. Where J is kept whole, as in DASSL,
 * corrections alone are judged. */
CLAIM(F_is_looked_at_behind_later_corrections_of_a_new_J_that_is_renewed)
{
    for (int by_costs = 0; by_costs < 2; by_costs++) {
        rsd_renewal r = record(by_costs, RSD_ANY_SIZE);
        const rsd_iteration it = {.m = 1};
        r.setup.current = r.setup.is_evaluated = 1;
        assert_int_equal(rsd_convergence_checks_residual(&r, any, &it), by_costs);
        assert_false(rsd_convergence_checks_residual(&r, fixed, &it));
    }
}

/* Its correction is that of dF/dy: far from linear a shorter step is next, else dF/dy is evaluated. */
CLAIM(the_step_is_cut_after_a_repaired_J_fails_far_from_the_solution)
{
    rsd_renewal r = record(1, RSD_ANY_SIZE);
    rsd_iteration it = {.m = 1, .first = 11, .norm = 11, .rate = 1};
    r.setup = (rsd_setup_facts){.is_factored = 1, .has_new_blocks = 1, .is_evaluated = 1, .is_repaired = 1};
    assert_int_equal(retry(&r, &it), RSD_NO_SETUP);
    it.first = 9;
    assert_int_equal(retry(&r, &it), RESIDA_SETUP_FAILURE);
    it.first = 11, r.setup.is_repaired = 0;
    assert_int_equal(retry(&r, &it), RESIDA_SETUP_FAILURE);
}

/* What an iteration that has failed costs: a shorter step, or an evaluation where it has come to. */
CLAIM(an_iteration_that_fails_with_a_current_J_continues_with_J_at_its_iterate)
{
    rsd_renewal r = record(1, RSD_ANY_SIZE), keeps = record(0, RSD_ANY_SIZE);
    rsd_iteration it = {.m = any->max_iterations - 1, .first = 3, .norm = 1, .norm_tested = 1, .rate = 0.7};
    r.setup = keeps.setup = (rsd_setup_facts){.is_factored = 1, .has_new_blocks = 1, .current = 1, .is_evaluated = 1};
    r.costs.renewal[RSD_DFDY] = keeps.costs.renewal[RSD_DFDY] = 12;
    assert_int_equal(rsd_convergence_test(&r, any, &it), RSD_NOT_CONVERGED);
    assert_true(rsd_renewal_is_due_in_iteration(&r, &it));
    assert_false(rsd_renewal_is_due_in_iteration(&keeps, &it));
    it.rate = 1;
    assert_int_equal(rsd_convergence_test(&r, any, &it), RSD_DIVERGED);
    assert_true(rsd_renewal_is_due_in_iteration(&r, &it));
    it.norm = 1e3; /* it has led away */
    assert_false(rsd_renewal_is_due_in_iteration(&r, &it));
    it.norm = 1, r.setup.within = 1; /* once in an attempt */
    assert_false(rsd_renewal_is_due_in_iteration(&r, &it));
    assert_int_equal(retry(&r, &it), RSD_NO_SETUP);
    r.setup.within = 0, r.setup.current = 0; /* an old J is made current first */
    assert_false(rsd_renewal_is_due_in_iteration(&r, &it));
}

/* Its first correction has to be smaller than the first one before: else no solution is nearby. */
CLAIM(with_J_at_its_iterate_an_iteration_must_converge)
{
    rsd_renewal r = record(1, RSD_ANY_SIZE);
    rsd_iteration it = {.first = 2, .norm = 2, .norm_tested = 2, .before = 3};
    r.setup = (rsd_setup_facts){.is_factored = 1, .has_new_blocks = 1, .current = 1, .is_evaluated = 1, .within = 1};
    r.costs.renewal[RSD_DFDY] = 12;
    assert_int_not_equal(rsd_convergence_test(&r, any, &it), RSD_DIVERGED);
    it.before = 2;
    assert_int_equal(rsd_convergence_test(&r, any, &it), RSD_DIVERGED);
    assert_false(rsd_renewal_is_due_in_iteration(&r, &it));
    it.before = 0; /* the first iteration of an attempt has nothing before */
    assert_int_not_equal(rsd_convergence_test(&r, any, &it), RSD_DIVERGED);
}
