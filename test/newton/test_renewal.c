/* test_renewal.c - what is decided about J, decision by decision: when it is set up and why, and how an iteration goes
 * on. Facts in, decision out. Numbers stand here as the rules are told, so that each constant of tuning.h is seen by a
 * claim, here or in test_rates.c. */
#include <math.h>

#include "renewal_fixture.h"

/* --- Why J is set up --- */

CLAIM(a_setup_has_the_first_reason_that_holds)
{
    rsd_renewal r = record(0);
    rsd_newton_facts f = facts(any);
    assert_int_equal(rsd_renewal_reason(&r, &f), RSD_NO_SETUP);
    f.alpha = 2;
    assert_int_equal(rsd_renewal_reason(&r, &f), RESIDA_SETUP_ALPHA);
    f.is_requested = 1;
    assert_int_equal(rsd_renewal_reason(&r, &f), RESIDA_SETUP_OTHER);
    r.has_J = 0;
    assert_int_equal(rsd_renewal_reason(&r, &f), RESIDA_SETUP_FIRST);
    rsd_renewal_end(&r, 1);
    assert_int_equal(rsd_renewal_reason(&r, &f), RESIDA_SETUP_FAILURE);
    rsd_renewal_end(&r, 0);
    assert_int_equal(rsd_renewal_reason(&r, &f), RESIDA_SETUP_FIRST);
}

CLAIM(what_pays_is_renewed_and_what_has_changed_outside)
{
    static const int reasons[RSD_RUNGS] = {RESIDA_SETUP_ALPHA, RESIDA_SETUP_ATTEMPT, RESIDA_SETUP_OTHER};
    for (int rung = 0; rung < RSD_RUNGS; rung++) {
        rsd_renewal r = record(1), kept = record(0);
        rsd_newton_facts f = facts(any), steps = facts(fixed);
        f.since = 1;
        f.alpha = 1.01;
        r.account.slope[RSD_BLOCKS] = r.account.slope[RSD_DFDY] = 1e-9;
        r.account.debt[rung] = kept.account.debt[rung] = 1e9;
        assert_int_equal(rsd_renewal_reason(&r, &f), reasons[rung]);
        assert_int_equal(rsd_renewal_reason(&kept, &f), RSD_NO_SETUP);
        assert_int_equal(rsd_renewal_reason(&r, &steps), RESIDA_SETUP_ATTEMPT);
        rsd_renewal_wear(&r);
        assert_int_equal(rsd_renewal_reason(&r, &f), rung == RSD_FACTORS ? RESIDA_SETUP_ATTEMPT : reasons[rung]);
    }
}

CLAIM(alpha_may_be_off_by_3_5_to_5_3)
{
    static const struct {
        double alpha;
        int is_off;
    } cases[] = {{1, 0}, {0.61, 0}, {0.59, 1}, {1.66, 0}, {1.67, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int renews = 0; renews < 2; renews++) {
            rsd_renewal r = record(renews), kept = record(0);
            rsd_newton_facts f = facts(any), g = facts(fixed);
            f.alpha = g.alpha = cases[i].alpha;
            assert_int_equal(rsd_renewal_reason(&r, &f) == RESIDA_SETUP_ALPHA, cases[i].is_off);
            assert_int_equal(rsd_renewal_reason(&kept, &g) == RESIDA_SETUP_ALPHA, f.alpha != 1);
        }
}

CLAIM(J_of_other_stages_is_set_up)
{
    rsd_renewal r = record(0);
    rsd_newton_facts f = facts(fixed);
    f.stages = 3;
    assert_int_equal(rsd_renewal_reason(&r, &f), RESIDA_SETUP_ALPHA);
}

CLAIM(to_rounding_every_attempt_has_a_J_of_its_own)
{
    rsd_renewal r = record(0);
    rsd_newton_facts f = facts(&rsd_rules_to_rounding);
    assert_int_equal(rsd_renewal_reason(&r, &f), RESIDA_SETUP_FIRST);
}

CLAIM(dFdy_serves_no_longer_than_it_may)
{
    rsd_renewal r = record(1);
    rsd_newton_facts f = facts(any);
    r.max_age = 3;
    for (int k = 0; k < 2; k++) rsd_renewal_begin(&r, &f);
    assert_int_equal(rsd_renewal_reason(&r, &f), RSD_NO_SETUP);
    rsd_renewal_begin(&r, &f);
    assert_int_equal(rsd_renewal_reason(&r, &f), RESIDA_SETUP_OTHER);
}

CLAIM(a_start_nearby_keeps_J_and_one_elsewhere_does_not)
{
    rsd_newton_facts f = facts(any);
    rsd_renewal near = record(1), far = record(1), kept = record(0);
    rsd_renewal_restart(&near);
    rsd_renewal_restart(&kept);
    rsd_renewal_forget(&far);
    assert_int_equal(rsd_renewal_reason(&near, &f), RESIDA_SETUP_ATTEMPT);
    assert_int_equal(rsd_renewal_reason(&kept, &f), RSD_NO_SETUP);
    assert_int_equal(rsd_renewal_reason(&far, &f), RESIDA_SETUP_FIRST);
}

CLAIM(a_singular_J_is_evaluated_then_searched_for_entries_once)
{
    rsd_newton_facts f = facts(any), g = facts(fixed);
    assert_int_equal(rsd_renewal_resort(&f), RSD_EVALUATE);      /* refused, where it was cheap */
    assert_int_equal(rsd_renewal_resort(&g), RSD_ACCEPT_DEFEAT); /* there y_n is tried */
    f.J.is_singular = g.J.is_singular = 1;
    assert_int_equal(rsd_renewal_resort(&f), RSD_EVALUATE);
    assert_int_equal(rsd_renewal_resort(&g), RSD_EVALUATE);
    f.J.current = g.J.current = 1;
    assert_int_equal(rsd_renewal_resort(&f), RSD_SEARCH_AND_EVALUATE);
    assert_int_equal(rsd_renewal_resort(&g), RSD_ACCEPT_DEFEAT);
    f.J.searched = 1;
    assert_int_equal(rsd_renewal_resort(&f), RSD_ACCEPT_DEFEAT);
}

/* --- How an iteration goes on --- */

CLAIM(an_iteration_has_converged_when_what_it_leaves_is_below_the_tolerance)
{
    const rsd_renewal r = record(0);
    const rsd_newton_facts f = facts(any), g = facts(fixed);
    const double rates[] = {0.1, 0.3, 0.8};
    for (int i = 0; i < 3; i++) {
        const double norm = TOLERANCE * (1 - rates[i]) / rates[i];
        assert_int_equal(judge(&r, f, 1, 0.99 * norm, rates[i]), RSD_CONVERGED);
        assert_int_equal(judge(&r, f, 1, 1.01 * norm, rates[i]), RSD_GO_ON);
        assert_int_equal(judge(&r, g, 1, 0.99 * norm, rates[i]), RSD_CONVERGED);
        assert_int_equal(judge(&r, g, 1, 1.01 * norm, rates[i]), rates[i] > 0.5 ? RSD_MEND : RSD_GO_ON);
    }
}

CLAIM(a_tiny_correction_needs_no_other_one)
{
    rsd_renewal r = record(0);
    r.factor = INFINITY;
    assert_int_equal(judge(&r, facts(any), 0, 0.9e-8 * TOLERANCE, 0), RSD_CONVERGED);
    assert_int_equal(judge(&r, facts(any), 0, 1.1e-8 * TOLERANCE, 0), RSD_GO_ON);
    assert_int_equal(judge(&r, facts(fixed), 0, 0.9e-2 * TOLERANCE, 0), RSD_CONVERGED);
    assert_int_equal(judge(&r, facts(fixed), 0, 1.1e-2 * TOLERANCE, 0), RSD_GO_ON);
}

CLAIM(after_4_iterations_it_is_over)
{
    const rsd_renewal kept = record(0), renewed = record(1);
    const rsd_newton_facts f = facts(any);
    assert_int_equal(judge(&kept, f, 2, 1, 0.5), RSD_GO_ON);
    assert_int_equal(judge(&kept, f, 3, 1, 0.5), RSD_SPENT);
    assert_int_equal(judge(&renewed, f, 2, 1, 0.5), RSD_GO_ON);
    assert_int_equal(judge(&renewed, f, 3, 1, 0.5), RSD_SPENT);
    assert_int_equal(fixed->most, 12);
    assert_int_equal(fixed->again->most, 40);
    assert_int_equal(rsd_rules_to_rounding.most, 60);
}

CLAIM(corrections_that_do_not_shrink_are_rounding_if_small_and_J_is_of_here)
{
    const rsd_renewal r = record(0);
    rsd_newton_facts f = facts(any);
    assert_int_equal(judge(&r, f, 1, 0.32, 0.91), RSD_FAILED);
    f.J.current = 1;
    assert_int_equal(judge(&r, f, 1, 0.32, 0.91), RSD_CONVERGED);
    assert_int_equal(judge(&r, f, 1, 0.34, 0.91), RSD_FAILED);
    assert_int_equal(judge(&r, f, 1, 0.34, 0.89), RSD_GO_ON);
    assert_int_equal(judge(&r, f, 0, NAN, 0), RSD_FAILED);
    assert_int_equal(judge(&r, f, 1, INFINITY, 0), RSD_FAILED);
}

CLAIM(corrections_of_multipliers_alone_may_be_rounding_of_any_size)
{
    const rsd_renewal r = {.factor = 20};
    rsd_newton_facts f = facts(any);
    f.it = (rsd_iteration_facts){.m = 1, .norm = 1e3, .tested = TOLERANCE, .rate = 1};
    assert_int_equal(rsd_renewal_judge(&r, &f), RSD_FAILED);
    f.J.current = 1;
    assert_int_equal(rsd_renewal_judge(&r, &f), RSD_CONVERGED);
    f.it.tested = 1.01 * TOLERANCE;
    assert_int_equal(rsd_renewal_judge(&r, &f), RSD_FAILED);
}

CLAIM(fixed_steps_mend_a_J_that_makes_small_corrections_no_smaller)
{
    const rsd_renewal r = record(0);
    rsd_newton_facts f = facts(fixed), full = facts(fixed->again);
    assert_int_equal(judge(&r, f, 1, 0.34, 1), RSD_FAILED);
    assert_int_equal(judge(&r, f, 1, 0.32, 1), RSD_MEND);
    assert_int_equal(judge(&r, f, 1, 1, 0.99), RSD_MEND);
    assert_int_equal(judge(&r, f, 1, 1, 0.51), RSD_MEND);
    assert_int_equal(judge(&r, f, 1, 1, 0.49), RSD_GO_ON);
    assert_int_equal(judge(&r, f, 11, 1, 0.49), RSD_GO_ON); /* and then it is over */
    assert_int_equal(judge(&r, full, 0, 1, 0), RSD_MEND);
    assert_int_equal(judge(&r, full, 1, 5, 3), RSD_MEND);
    f.J.is_new = full.J.is_new = 1;
    assert_int_equal(judge(&r, f, 1, 0.32, 1), RSD_CONVERGED);
    assert_int_equal(judge(&r, full, 1, 0.32, 1), RSD_CONVERGED);
}

/* Rounding of 0.2 to 0.6 tolerances: the first correction that grows may be above the bound at each time. */
CLAIM(with_a_J_of_each_correction_the_smaller_of_two_tells_rounding)
{
    const rsd_renewal r = record(0);
    rsd_newton_facts full = facts(fixed->again), one_J = facts(any);
    assert_int_equal(judge(&r, full, 1, 0.6, 2), RSD_MEND);
    full.J.is_new = one_J.J.current = 1;
    assert_int_equal(judge(&r, full, 1, 0.6, 2), RSD_CONVERGED);
    assert_int_equal(judge(&r, full, 1, 0.6, 1.7), RSD_MEND);
    assert_int_equal(judge(&r, full, 1, 1.1, 4), RSD_MEND);
    assert_int_equal(judge(&r, one_J, 1, 0.6, 2), RSD_FAILED);
}

CLAIM(to_rounding_it_goes_on_while_corrections_decrease)
{
    const rsd_renewal r = record(0);
    const rsd_newton_facts f = facts(&rsd_rules_to_rounding);
    assert_int_equal(judge(&r, f, 0, 1e-20, 0), RSD_MEND);
    assert_int_equal(judge(&r, f, 1, 1e-20, 0.89), RSD_MEND);
    assert_int_equal(judge(&r, f, 1, 1e-20, 0.91), RSD_CONVERGED_BEFORE);
    assert_int_equal(judge(&r, f, 1, 0, 0), RSD_CONVERGED);
}
