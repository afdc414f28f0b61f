/* test_policy.c - what is decided about J, decision by decision: when it is set up and why, and how an iteration goes
 * on. Facts in, decision out. Numbers are written out here, so that each constant of tuning.h is seen by a
 * claim, here or in test_rates.c. */
#include <math.h>

#include "policy_fixture.h"
#include "jacobian/renewal.h"

/* --- Why J is set up --- */

CLAIM(a_setup_has_the_first_reason_that_holds)
{
    rsd_policy r = record(0);
    rsd_newton_facts f = facts(any);
    assert_int_equal(reason_of(&r, &f), NO_SETUP);
    f.attempt.at.alpha = 2;
    assert_int_equal(reason_of(&r, &f), RESIDA_SETUP_ALPHA);
    f.is_requested = 1;
    assert_int_equal(reason_of(&r, &f), RESIDA_SETUP_OTHER);
    r.has_J = 0;
    assert_int_equal(reason_of(&r, &f), RESIDA_SETUP_FIRST);
    rsd_policy_end(&r, 1);
    assert_int_equal(reason_of(&r, &f), RESIDA_SETUP_FAILURE);
    rsd_policy_end(&r, 0);
    assert_int_equal(reason_of(&r, &f), RESIDA_SETUP_FIRST);
}

CLAIM(what_pays_is_renewed_and_what_has_changed_outside)
{
    static const int reasons[RSD_LEVELS] = {RESIDA_SETUP_ALPHA, RESIDA_SETUP_ATTEMPT, RESIDA_SETUP_OTHER};
    for (int level = 0; level < RSD_LEVELS; level++) {
        rsd_policy r = record(1), kept = record(0);
        rsd_newton_facts f = facts(any), steps = facts(fixed);
        f.attempt.at.since = 1;
        f.attempt.at.alpha = 1.01;
        r.account.slope[RSD_BLOCKS] = r.account.slope[RSD_DFDY] = 1e-9;
        r.account.cost[level] = kept.account.cost[level] = 1e9;
        assert_int_equal(reason_of(&r, &f), reasons[level]);
        assert_int_equal(reason_of(&kept, &f), NO_SETUP);
        assert_int_equal(reason_of(&r, &steps), RESIDA_SETUP_ATTEMPT);
        rsd_policy_outdate_blocks(&r);
        assert_int_equal(reason_of(&r, &f), level == RSD_FACTORS ? RESIDA_SETUP_ATTEMPT : reasons[level]);
    }
}

CLAIM(alpha_may_be_off_by_3_5_to_5_3)
{
    static const struct {
        double alpha;
        int is_off;
    } cases[] = {{1, 0}, {0.61, 0}, {0.59, 1}, {1.66, 0}, {1.67, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int by_costs = 0; by_costs < 2; by_costs++) {
            rsd_policy r = record(by_costs), kept = record(0);
            rsd_newton_facts f = facts(any), g = facts(fixed);
            f.attempt.at.alpha = g.attempt.at.alpha = cases[i].alpha;
            assert_int_equal(reason_of(&r, &f) == RESIDA_SETUP_ALPHA, cases[i].is_off);
            assert_int_equal(reason_of(&kept, &g) == RESIDA_SETUP_ALPHA, f.attempt.at.alpha != 1);
        }
}

CLAIM(J_of_other_stages_is_set_up)
{
    rsd_policy r = record(0);
    rsd_newton_facts f = facts(fixed);
    f.attempt.stages = 3;
    assert_int_equal(reason_of(&r, &f), RESIDA_SETUP_ALPHA);
}

CLAIM(to_rounding_every_attempt_has_a_J_of_its_own)
{
    rsd_policy r = record(0);
    rsd_newton_facts f = facts(&rsd_rules_to_rounding);
    assert_int_equal(reason_of(&r, &f), RESIDA_SETUP_FIRST);
}

CLAIM(dFdy_serves_no_longer_than_it_may)
{
    rsd_policy r = record(1);
    rsd_newton_facts f = facts(any);
    r.max_age = 3;
    for (int k = 0; k < 2; k++) rsd_policy_begin(&r, &f);
    assert_int_equal(reason_of(&r, &f), NO_SETUP);
    rsd_policy_begin(&r, &f);
    assert_int_equal(reason_of(&r, &f), RESIDA_SETUP_AGE);
    r.dFdy_outdated = 1;
    assert_int_equal(reason_of(&r, &f), RESIDA_SETUP_OTHER);
}

CLAIM(a_start_nearby_keeps_J_and_one_elsewhere_does_not)
{
    rsd_newton_facts f = facts(any);
    rsd_policy near = record(1), far = record(1), kept = record(0);
    rsd_policy_restart(&near);
    rsd_policy_restart(&kept);
    rsd_policy_forget(&far);
    assert_int_equal(reason_of(&near, &f), RESIDA_SETUP_ATTEMPT);
    assert_int_equal(reason_of(&kept, &f), NO_SETUP);
    assert_int_equal(reason_of(&far, &f), RESIDA_SETUP_FIRST);
}

CLAIM(a_singular_J_is_evaluated_then_searched_for_entries_once)
{
    rsd_newton_facts f = facts(any), g = facts(fixed);
    assert_int_equal(rsd_policy_recovery(&f), RSD_EVALUATE_AGAIN); /* refused, where it was cheap */
    assert_int_equal(rsd_policy_recovery(&g), RSD_NO_RECOVERY);    /* there y_n is tried */
    f.J.is_singular = g.J.is_singular = 1;
    assert_int_equal(rsd_policy_recovery(&f), RSD_EVALUATE_AGAIN);
    assert_int_equal(rsd_policy_recovery(&g), RSD_EVALUATE_AGAIN);
    f.J.current = g.J.current = 1;
    assert_int_equal(rsd_policy_recovery(&f), RSD_SEARCH_PATTERN);
    assert_int_equal(rsd_policy_recovery(&g), RSD_NO_RECOVERY);
    f.J.pattern_searched = 1;
    assert_int_equal(rsd_policy_recovery(&f), RSD_NO_RECOVERY);
}

/* --- What a setup does --- */

/* Of a J that was evaluated in an earlier attempt, and is fine. */
static const rsd_engine_facts fine = {.has_J = 1,
                                      .is_partitioned = 1,
                                      .by_costs = 1,
                                      .learns = 1,
                                      .was_evaluated = 1,
                                      .was_current = 1,
                                      .has_history = 1,
                                      .updates = 9};

static rsd_plan plan_for(rsd_setup_history *history, resida_setup_reason reason, const rsd_engine_facts *e)
{
    rsd_history_begin_setup(history, reason, e);
    return rsd_renewal_plan(history, rsd_renewal_for(reason), e);
}

static rsd_plan plan(resida_setup_reason reason, rsd_engine_facts e)
{
    rsd_setup_history history = {.failures = 0};
    return plan_for(&history, reason, &e);
}

CLAIM(a_reason_leads_to_the_cheapest_setup_that_may_do)
{
    static const rsd_action actions[] = {RSD_EVALUATE, RSD_UPDATE_ALPHA,  RSD_UPDATE_BLOCKS,
                                         RSD_EVALUATE, RSD_UPDATE_BLOCKS, RSD_EVALUATE};
    for (int reason = RESIDA_SETUP_FIRST; reason <= RESIDA_SETUP_AGE; reason++) {
        rsd_engine_facts kept = fine, whole = fine, none = fine, requested = fine;
        assert_int_equal(plan((resida_setup_reason)reason, fine).action, actions[reason]);
        kept.by_costs = 0;
        const rsd_action known = actions[reason] == RSD_EVALUATE ? RSD_EVALUATE : RSD_UPDATE_KNOWN;
        assert_int_equal(plan((resida_setup_reason)reason, kept).action, known);
        whole.is_partitioned = none.has_J = 0, requested.request = RESIDA_REQUEST_EVALUATION;
        assert_int_equal(plan((resida_setup_reason)reason, whole).action, RSD_EVALUATE);
        assert_int_equal(plan((resida_setup_reason)reason, none).action, RSD_EVALUATE);
        assert_int_equal(plan((resida_setup_reason)reason, requested).action, RSD_EVALUATE);
    }
}

/* The step was cut: its alpha is new, dF/dy was evaluated just before. In the attempt that evaluated it, or behind an
 * update, dF/dy is what is wrong. */
CLAIM(behind_a_failure_dFdy_is_evaluated_unless_it_is_of_just_before)
{
    rsd_engine_facts here = fine, updated = fine;
    assert_int_equal(plan(RESIDA_SETUP_FAILURE, fine).action, RSD_UPDATE_BLOCKS);
    here.is_same_time = 1, updated.was_evaluated = 0;
    assert_int_equal(plan(RESIDA_SETUP_FAILURE, here).action, RSD_EVALUATE);
    assert_int_equal(plan(RESIDA_SETUP_FAILURE, updated).action, RSD_EVALUATE);
}

CLAIM(an_evaluation_finds_the_columns_that_can_have_changed)
{
    rsd_engine_facts e = fine;
    assert_int_equal(plan(RESIDA_SETUP_OTHER, e).extent, RSD_OUTDATED);
    assert_int_equal(plan(RESIDA_SETUP_FIRST, e).extent, RSD_ALL);
    e.is_incomplete = 1;
    assert_int_equal(plan(RESIDA_SETUP_FAILURE, e).extent, RSD_OUTDATED);
    e.is_same_time = 1;
    assert_int_equal(plan(RESIDA_SETUP_FAILURE, e).extent, RSD_REST);
    assert_int_equal(plan(RESIDA_SETUP_FIRST, e).extent, RSD_ALL);
    e.is_moved = 1;
    assert_int_equal(plan(RESIDA_SETUP_FAILURE, e).extent, RSD_ALL);
    e.is_moved = 0;
    e.request = RESIDA_REQUEST_EVALUATION, e.is_incomplete = 0;
    assert_int_equal(plan(RESIDA_SETUP_OTHER, e).extent, RSD_ALL);
}

/* Two failures with a current J, with at most 8 setups in between: entries are missing that no check has seen. */
CLAIM(failures_with_a_current_J_have_the_pattern_searched)
{
    for (int between = 8; between <= 9; between++) {
        rsd_setup_history history = {.failures = 0};
        assert_false(plan_for(&history, RESIDA_SETUP_FAILURE, &fine).trouble.is_failing);
        for (int k = 0; k < between; k++) plan_for(&history, RESIDA_SETUP_ALPHA, &fine);
        const rsd_plan again = plan_for(&history, RESIDA_SETUP_FAILURE, &fine);
        assert_int_equal(again.trouble.is_failing, between == 8);
        assert_int_equal(again.action, between == 8 ? RSD_EVALUATE : RSD_UPDATE_BLOCKS);
    }
    rsd_engine_facts e = fine;
    e.updates = 3;
    assert_true(plan(RESIDA_SETUP_OTHER, e).trouble.is_slow_again);
    assert_true(plan(RESIDA_SETUP_FAILURE, e).trouble.is_doubtful);
    assert_false(plan(RESIDA_SETUP_AGE, e).trouble.is_doubtful); /* it serves no longer, whatever it does */
    e.updates = 4;
    assert_false(plan(RESIDA_SETUP_OTHER, e).trouble.is_slow_again);
    assert_false(plan(RESIDA_SETUP_FAILURE, e).trouble.is_doubtful);
    e.request = RESIDA_REQUEST_PATTERN;
    assert_true(plan(RESIDA_SETUP_OTHER, e).trouble.is_requested);
}

/* Evaluations of 30 calls that take half of all, and repairs of which a step takes fewer. */
static rsd_setup_history with_repairs(double calls_of_a_step)
{
    return (rsd_setup_history){.evaluations = 16,
                               .evaluation = 30,
                               .of_dFdy = 50,
                               .evaluated = {.calls = 100, .time = 10},
                               .repaired = {.calls = 10 * calls_of_a_step, .time = 10}};
}

CLAIM(a_repair_takes_the_place_of_an_evaluation_where_it_pays)
{
    const rsd_engine_facts off = fine;
    rsd_engine_facts e = fine;
    e.can_repair = 1;
    static const struct {
        double of_step, evaluation, of_dFdy;
        long evaluations;
        rsd_action action;
    } cases[] = {{9.8, 30, 50, 4, RSD_REPAIR}, {10, 30, 50, 4, RSD_EVALUATE}, {0, 30, 50, 4, RSD_REPAIR},
                 {8, 24, 50, 4, RSD_REPAIR},   {8, 23, 50, 4, RSD_EVALUATE},  {8, 30, 46, 4, RSD_REPAIR},
                 {8, 30, 44, 4, RSD_EVALUATE}, {8, 30, 50, 3, RSD_EVALUATE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rsd_setup_history h = with_repairs(cases[i].of_step);
        h.evaluation = cases[i].evaluation, h.of_dFdy = cases[i].of_dFdy, h.evaluations = cases[i].evaluations;
        assert_int_equal(plan_for(&h, RESIDA_SETUP_OTHER, &e).action, cases[i].action);
        assert_int_equal(plan_for(&h, RESIDA_SETUP_OTHER, &off).action, RSD_EVALUATE);
        assert_int_equal(plan_for(&h, RESIDA_SETUP_FIRST, &e).action, RSD_EVALUATE);
        assert_int_equal(plan_for(&h, RESIDA_SETUP_ALPHA, &e).action, RSD_UPDATE_ALPHA);
    }
    rsd_setup_history h = with_repairs(5);
    rsd_engine_facts here = e, requested = e, evaluated = e;
    here.is_repaired = evaluated.is_same_time = 1, requested.request = RESIDA_REQUEST_EVALUATION;
    assert_int_equal(plan_for(&h, RESIDA_SETUP_FAILURE, &evaluated).action, RSD_EVALUATE);
    assert_int_equal(plan_for(&h, RESIDA_SETUP_OTHER, &here).action, RSD_EVALUATE);
    assert_int_equal(plan_for(&h, RESIDA_SETUP_OTHER, &requested).action, RSD_EVALUATE);
}

CLAIM(behind_2_repairs_that_fail_dFdy_is_evaluated)
{
    rsd_setup_history h = with_repairs(5);
    rsd_engine_facts e = fine;
    e.can_repair = 1;
    for (int k = 0; k < 2; k++) {
        e.was_repaired = 0;
        assert_int_equal(plan_for(&h, RESIDA_SETUP_OTHER, &e).action, RSD_REPAIR);
        e.was_evaluated = e.was_repaired = e.is_same_time = 1;
        plan_for(&h, RESIDA_SETUP_FAILURE, &e);
        e.is_same_time = 0;
    }
    assert_int_equal(plan_for(&h, RESIDA_SETUP_OTHER, &e).action, RSD_EVALUATE);
    rsd_history_record_step(&h, 1);
    assert_int_equal(plan_for(&h, RESIDA_SETUP_OTHER, &e).action, RSD_REPAIR);
}

/* One step in each: 34 calls with an evaluation, 5 with a repair; then repairs after which no attempt converges. */
CLAIM(repairs_that_do_not_lead_on_are_given_up_and_tried_again)
{
    rsd_setup_history h = {.failures = 0};
    rsd_engine_facts e = fine;
    e.can_repair = 1;
    for (int k = 0; k < 17; k++) {
        rsd_history_record_setup(&h, RSD_EVALUATE, 30);
        for (int i = 0; i < 4; i++) rsd_history_record_iteration(&h);
        rsd_history_record_step(&h, 1);
    }
    assert_int_equal(plan_for(&h, RESIDA_SETUP_OTHER, &e).action, RSD_REPAIR);
    for (int k = 0; k < 9; k++) {
        rsd_history_record_setup(&h, RSD_REPAIR, 3);
        for (int i = 0; i < 2; i++) rsd_history_record_iteration(&h);
        rsd_history_record_step(&h, 1);
    }
    assert_int_equal(plan_for(&h, RESIDA_SETUP_OTHER, &e).action, RSD_REPAIR);
    int repairs = 0, evaluations = 0;
    for (; repairs < 200 && plan_for(&h, RESIDA_SETUP_OTHER, &e).action == RSD_REPAIR; repairs++)
        rsd_history_record_setup(&h, RSD_REPAIR, 40);
    for (; evaluations < 2000 && plan_for(&h, RESIDA_SETUP_OTHER, &e).action == RSD_EVALUATE; evaluations++) {
        rsd_history_record_setup(&h, RSD_EVALUATE, 30);
        for (int i = 0; i < 4; i++) rsd_history_record_iteration(&h);
        rsd_history_record_step(&h, 1);
    }
    print_message("given up after %d, tried again after %d\n", repairs, evaluations);
    assert_true(repairs > 1 && repairs < 12);
    assert_true(evaluations > 20 && evaluations < 1000);
}

/* --- How an iteration goes on --- */

CLAIM(an_iteration_has_converged_when_what_it_leaves_is_below_the_tolerance)
{
    const rsd_policy r = record(0);
    const rsd_newton_facts f = facts(any), g = facts(fixed);
    const double rates[] = {0.1, 0.3, 0.8};
    for (int i = 0; i < 3; i++) {
        const double norm = TOLERANCE * (1 - rates[i]) / rates[i];
        assert_int_equal(judge(&r, f, 1, 0.99 * norm, rates[i]), RSD_CONVERGED);
        assert_int_equal(judge(&r, f, 1, 1.01 * norm, rates[i]), RSD_CONTINUE);
        assert_int_equal(judge(&r, g, 1, 0.99 * norm, rates[i]), RSD_CONVERGED);
        assert_int_equal(judge(&r, g, 1, 1.01 * norm, rates[i]), rates[i] > 0.5 ? RSD_RENEW_J : RSD_CONTINUE);
    }
}

CLAIM(a_tiny_correction_needs_no_other_one)
{
    rsd_policy r = record(0);
    r.rate_factor = INFINITY;
    assert_int_equal(judge(&r, facts(any), 0, 0.9e-8 * TOLERANCE, 0), RSD_CONVERGED);
    assert_int_equal(judge(&r, facts(any), 0, 1.1e-8 * TOLERANCE, 0), RSD_CONTINUE);
    assert_int_equal(judge(&r, facts(fixed), 0, 0.9e-2 * TOLERANCE, 0), RSD_CONVERGED);
    assert_int_equal(judge(&r, facts(fixed), 0, 1.1e-2 * TOLERANCE, 0), RSD_CONTINUE);
}

/* With a rate of 0.5 an error of 1 takes 5 more iterations to 0.05, one of 4 takes 7. */
CLAIM(after_4_iterations_it_is_over_unless_more_cost_less_than_another_J)
{
    const rsd_policy kept = record(0), renewed = record(1);
    rsd_newton_facts f = facts(any);
    assert_int_equal(judge(&kept, f, 2, 1, 0.5), RSD_CONTINUE);
    assert_int_equal(judge(&kept, f, 3, 1, 0.5), RSD_NOT_CONVERGED);
    assert_int_equal(judge(&renewed, f, 2, 4, 0.5), RSD_CONTINUE);
    assert_int_equal(judge(&renewed, f, 3, 1, 0.5), RSD_CONTINUE);
    assert_int_equal(judge(&renewed, f, 4, 1, 0.5), RSD_CONTINUE);
    assert_int_equal(judge(&renewed, f, 5, 1, 0.5), RSD_NOT_CONVERGED);
    assert_int_equal(judge(&renewed, f, 3, 4, 0.5), RSD_NOT_CONVERGED);
    f.costs.renewal[RSD_DFDY] = 4;
    assert_int_equal(judge(&renewed, f, 3, 1, 0.5), RSD_CONTINUE);
    f.costs.renewal[RSD_DFDY] = 2;
    assert_int_equal(judge(&renewed, f, 3, 1, 0.5), RSD_NOT_CONVERGED);
    assert_int_equal(fixed->max_iterations, 12);
    assert_int_equal(fixed->retry->max_iterations, 40);
    assert_int_equal(rsd_rules_to_rounding.max_iterations, 60);
}

CLAIM(corrections_that_do_not_shrink_are_rounding_if_small_and_J_is_of_here)
{
    const rsd_policy r = record(0);
    rsd_newton_facts f = facts(any);
    assert_int_equal(judge(&r, f, 1, 0.32, 0.91), RSD_DIVERGED);
    f.J.current = 1;
    assert_int_equal(judge(&r, f, 1, 0.32, 0.91), RSD_CONVERGED);
    assert_int_equal(judge(&r, f, 1, 0.34, 0.91), RSD_DIVERGED);
    assert_int_equal(judge(&r, f, 1, 0.34, 0.89), RSD_CONTINUE);
    assert_int_equal(judge(&r, f, 0, NAN, 0), RSD_DIVERGED);
    assert_int_equal(judge(&r, f, 1, INFINITY, 0), RSD_DIVERGED);
}

CLAIM(corrections_of_multipliers_alone_may_be_rounding_of_any_size)
{
    const rsd_policy r = {.rate_factor = 20};
    rsd_newton_facts f = facts(any);
    f.it = (rsd_iteration_facts){.m = 1, .norm = 1e3, .norm_tested = TOLERANCE, .rate = 1};
    assert_int_equal(rsd_convergence_test(&r, &f), RSD_DIVERGED);
    f.J.current = 1;
    assert_int_equal(rsd_convergence_test(&r, &f), RSD_CONVERGED);
    f.it.norm_tested = 1.01 * TOLERANCE;
    assert_int_equal(rsd_convergence_test(&r, &f), RSD_DIVERGED);
}

CLAIM(fixed_steps_mend_a_J_that_makes_small_corrections_no_smaller)
{
    const rsd_policy r = record(0);
    rsd_newton_facts f = facts(fixed), full = facts(fixed->retry);
    assert_int_equal(judge(&r, f, 1, 0.34, 1), RSD_DIVERGED);
    assert_int_equal(judge(&r, f, 1, 0.32, 1), RSD_RENEW_J);
    assert_int_equal(judge(&r, f, 1, 1, 0.99), RSD_RENEW_J);
    assert_int_equal(judge(&r, f, 1, 1, 0.51), RSD_RENEW_J);
    assert_int_equal(judge(&r, f, 1, 1, 0.49), RSD_CONTINUE);
    assert_int_equal(judge(&r, f, 11, 1, 0.49), RSD_CONTINUE); /* and then it is over */
    assert_int_equal(judge(&r, full, 0, 1, 0), RSD_RENEW_J);
    assert_int_equal(judge(&r, full, 1, 5, 3), RSD_RENEW_J);
    f.J.is_evaluated = full.J.is_evaluated = 1;
    assert_int_equal(judge(&r, f, 1, 0.32, 1), RSD_CONVERGED);
    assert_int_equal(judge(&r, full, 1, 0.32, 1), RSD_CONVERGED);
}

/* Rounding of 0.2 to 0.6 tolerances: the first correction that grows may be above the bound at each time. */
CLAIM(with_a_J_of_each_correction_the_smaller_of_two_tells_rounding)
{
    const rsd_policy r = record(0);
    rsd_newton_facts full = facts(fixed->retry), one_J = facts(any);
    assert_int_equal(judge(&r, full, 1, 0.6, 2), RSD_RENEW_J);
    full.J.is_evaluated = one_J.J.current = 1;
    assert_int_equal(judge(&r, full, 1, 0.6, 2), RSD_CONVERGED);
    assert_int_equal(judge(&r, full, 1, 0.6, 1.7), RSD_RENEW_J);
    assert_int_equal(judge(&r, full, 1, 1.1, 4), RSD_RENEW_J);
    assert_int_equal(judge(&r, one_J, 1, 0.6, 2), RSD_DIVERGED);
}

CLAIM(to_rounding_it_goes_on_while_corrections_decrease)
{
    const rsd_policy r = record(0);
    const rsd_newton_facts f = facts(&rsd_rules_to_rounding);
    assert_int_equal(judge(&r, f, 0, 1e-20, 0), RSD_RENEW_J);
    assert_int_equal(judge(&r, f, 1, 1e-20, 0.89), RSD_RENEW_J);
    assert_int_equal(judge(&r, f, 1, 1e-20, 0.91), RSD_CONVERGED_BEFORE);
    assert_int_equal(judge(&r, f, 1, 0, 0), RSD_CONVERGED);
}
