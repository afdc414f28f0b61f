/* test_convergence.c - how an iteration goes on: facts in, decision out. Numbers are written out here, so that each
 * constant of tuning.h is seen by a claim, here or in test_rates.c. */
#include "convergence_fixture.h"

CLAIM(an_iteration_has_converged_when_what_it_leaves_is_below_the_tolerance)
{
    const rsd_renewal r = record(0, RSD_ANY_SIZE);
    const double rates[] = {0.1, 0.3, 0.8};
    for (int i = 0; i < 3; i++) {
        const double norm = TOLERANCE * (1 - rates[i]) / rates[i];
        assert_int_equal(judge(&r, any, 1, 0.99 * norm, rates[i]), RSD_CONVERGED);
        assert_int_equal(judge(&r, any, 1, 1.01 * norm, rates[i]), RSD_CONTINUE);
        assert_int_equal(judge(&r, fixed, 1, 0.99 * norm, rates[i]), RSD_CONVERGED);
        assert_int_equal(judge(&r, fixed, 1, 1.01 * norm, rates[i]), rates[i] > 0.5 ? RSD_RENEW_J : RSD_CONTINUE);
    }
}

CLAIM(a_tiny_correction_needs_no_other_one)
{
    rsd_renewal r = record(0, RSD_ANY_SIZE);
    r.rate_factor = INFINITY;
    assert_int_equal(judge(&r, any, 0, 0.9e-8 * TOLERANCE, 0), RSD_CONVERGED);
    assert_int_equal(judge(&r, any, 0, 1.1e-8 * TOLERANCE, 0), RSD_CONTINUE);
    assert_int_equal(judge(&r, fixed, 0, 0.9e-2 * TOLERANCE, 0), RSD_CONVERGED);
    assert_int_equal(judge(&r, fixed, 0, 1.1e-2 * TOLERANCE, 0), RSD_CONTINUE);
}

/* With a rate of 0.5 an error of 1 takes 5 more iterations to 0.05, one of 4 takes 7. */
CLAIM(after_4_iterations_it_is_over_unless_more_cost_less_than_another_J)
{
    const rsd_renewal kept = record(0, RSD_ANY_SIZE);
    rsd_renewal renewed = record(1, RSD_ANY_SIZE);
    assert_int_equal(judge(&kept, any, 2, 1, 0.5), RSD_CONTINUE);
    assert_int_equal(judge(&kept, any, 3, 1, 0.5), RSD_NOT_CONVERGED);
    assert_int_equal(judge(&renewed, any, 2, 4, 0.5), RSD_CONTINUE);
    assert_int_equal(judge(&renewed, any, 3, 1, 0.5), RSD_CONTINUE);
    assert_int_equal(judge(&renewed, any, 4, 1, 0.5), RSD_CONTINUE);
    assert_int_equal(judge(&renewed, any, 5, 1, 0.5), RSD_NOT_CONVERGED);
    assert_int_equal(judge(&renewed, any, 3, 4, 0.5), RSD_NOT_CONVERGED);
    renewed.costs.renewal[RSD_DFDY] = 5;
    assert_int_equal(judge(&renewed, any, 3, 1, 0.5), RSD_CONTINUE);
    renewed.costs.renewal[RSD_DFDY] = 4;
    assert_int_equal(judge(&renewed, any, 3, 1, 0.5), RSD_NOT_CONVERGED);
    assert_int_equal(fixed->max_iterations, 10);
    assert_int_equal(fixed->retry->max_iterations, 60);
    assert_int_equal(rsd_rules_to_rounding.max_iterations, 60);
}

CLAIM(corrections_that_do_not_shrink_are_rounding_if_small_and_J_is_of_here)
{
    rsd_renewal r = record(0, RSD_ANY_SIZE);
    assert_int_equal(judge(&r, any, 1, 0.32, 0.91), RSD_DIVERGED);
    r.setup.current = 1;
    assert_int_equal(judge(&r, any, 1, 0.32, 0.91), RSD_CONVERGED);
    assert_int_equal(judge(&r, any, 1, 0.34, 0.91), RSD_DIVERGED);
    assert_int_equal(judge(&r, any, 1, 0.34, 0.89), RSD_CONTINUE);
    assert_int_equal(judge(&r, any, 0, NAN, 0), RSD_DIVERGED);
    assert_int_equal(judge(&r, any, 1, INFINITY, 0), RSD_DIVERGED);
}

CLAIM(corrections_of_multipliers_alone_may_be_rounding_of_any_size)
{
    rsd_renewal r = record(0, RSD_ANY_SIZE);
    rsd_iteration it = {.m = 1, .norm = 1e3, .norm_tested = TOLERANCE, .rate = 1};
    assert_int_equal(rsd_convergence_test(&r, any, &it), RSD_DIVERGED);
    r.setup.current = 1;
    assert_int_equal(rsd_convergence_test(&r, any, &it), RSD_CONVERGED);
    it.norm_tested = 1.01 * TOLERANCE;
    assert_int_equal(rsd_convergence_test(&r, any, &it), RSD_DIVERGED);
}

CLAIM(fixed_steps_mend_a_J_that_makes_small_corrections_no_smaller)
{
    rsd_renewal r = record(0, RSD_ANY_SIZE);
    assert_int_equal(judge(&r, fixed, 1, 0.34, 1), RSD_DIVERGED);
    assert_int_equal(judge(&r, fixed, 1, 0.32, 1), RSD_RENEW_J);
    assert_int_equal(judge(&r, fixed, 1, 1, 0.99), RSD_RENEW_J);
    assert_int_equal(judge(&r, fixed, 1, 1, 0.51), RSD_RENEW_J);
    assert_int_equal(judge(&r, fixed, 1, 1, 0.49), RSD_CONTINUE);
    assert_int_equal(judge(&r, fixed, 11, 1, 0.49), RSD_CONTINUE); /* and then it is over */
    assert_int_equal(judge(&r, fixed->retry, 0, 1, 0), RSD_RENEW_J);
    assert_int_equal(judge(&r, fixed->retry, 1, 5, 3), RSD_RENEW_J);
    r.setup.is_evaluated = 1;
    assert_int_equal(judge(&r, fixed, 1, 0.32, 1), RSD_CONVERGED);
    assert_int_equal(judge(&r, fixed->retry, 1, 0.32, 1), RSD_CONVERGED);
}

/* Rounding of 0.2 to 0.6 tolerances: the first correction that grows may be above the bound at each time. */
CLAIM(with_a_J_of_each_correction_the_smaller_of_two_tells_rounding)
{
    rsd_renewal r = record(0, RSD_ANY_SIZE), one_J = r;
    assert_int_equal(judge(&r, fixed->retry, 1, 0.6, 2), RSD_RENEW_J);
    r.setup.is_evaluated = one_J.setup.current = 1;
    assert_int_equal(judge(&r, fixed->retry, 1, 0.6, 2), RSD_CONVERGED);
    assert_int_equal(judge(&r, fixed->retry, 1, 0.6, 1.7), RSD_RENEW_J);
    assert_int_equal(judge(&r, fixed->retry, 1, 1.1, 4), RSD_RENEW_J);
    assert_int_equal(judge(&one_J, any, 1, 0.6, 2), RSD_DIVERGED);
}

CLAIM(to_rounding_it_goes_on_while_corrections_decrease)
{
    const rsd_renewal r = record(0, RSD_ANY_SIZE);
    assert_int_equal(judge(&r, &rsd_rules_to_rounding, 0, 1e-20, 0), RSD_RENEW_J);
    assert_int_equal(judge(&r, &rsd_rules_to_rounding, 1, 1e-20, 0.89), RSD_RENEW_J);
    assert_int_equal(judge(&r, &rsd_rules_to_rounding, 1, 1e-20, 0.91), RSD_CONVERGED_BEFORE);
    assert_int_equal(judge(&r, &rsd_rules_to_rounding, 1, 0, 0), RSD_CONVERGED);
}
