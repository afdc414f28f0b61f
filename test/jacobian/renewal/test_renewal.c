/* test_renewal.c - what is decided about J, decision by decision: when it is set up, why, and what a setup does. Facts
 * in, decision out. Numbers are written out, so that a claim here or in test_renewal_cost.c fails if a constant of
 * tuning.h changes. */
#include "renewal_fixture.h"

/* --- Why J is set up --- */

CLAIM(a_setup_is_required_by_the_first_condition_that_holds)
{
    rsd_renewal r = record(0, RSD_VARIABLE_SIZE);
    assert_true(begins_with(&r, KEPT));
    r.attempt.at.alpha = 2;
    assert_true(begins_with(&r, NEW_ALPHA));
    r.events.was_requested = 1;
    assert_true(begins_with(&r, SLOW));
    r.is_factored = 0;
    assert_true(begins_with(&r, START));
    rsd_renewal_end_attempt(&r, 1);
    assert_true(begins_with(&r, FAILURE));
    rsd_renewal_end_attempt(&r, 0);
    assert_true(begins_with(&r, START));
}

CLAIM(parts_whose_renewal_is_cheaper_and_changed_parts_are_renewed)
{
    const resida_setup_reason reasons[RSD_LEVELS] = {NEW_ALPHA, NEW_BLOCKS, SLOW};
    for (int level = 0; level < RSD_LEVELS; level++) {
        rsd_renewal r = record(1, RSD_VARIABLE_SIZE), kept = record(0, RSD_VARIABLE_SIZE);
        r.attempt.at.since = kept.attempt.at.since = 1;
        r.attempt.at.alpha = kept.attempt.at.alpha = 1.01;
        r.model.slope[RSD_BLOCKS] = r.model.slope[RSD_DFDY] = 1e-9;
        r.model.charge[level] = kept.model.charge[level] = 1e9;
        assert_true(begins_with(&r, reasons[level]));
        assert_true(begins_with(&kept, KEPT));
        r.attempt.steps = RSD_FIXED_SIZE;
        assert_true(begins_with(&r, NEW_BLOCKS));
        r.attempt.steps = RSD_VARIABLE_SIZE;
        rsd_renewal_mark_outdated(&r);
        assert_true(begins_with(&r, level == RSD_FACTORS ? NEW_BLOCKS : reasons[level]));
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
            rsd_renewal r = record(by_costs, RSD_VARIABLE_SIZE), kept = record(0, RSD_FIXED_SIZE);
            r.attempt.at.alpha = kept.attempt.at.alpha = cases[i].alpha;
            assert_int_equal(begins_with(&r, NEW_ALPHA), cases[i].is_off);
            assert_int_equal(begins_with(&kept, NEW_ALPHA), cases[i].alpha != 1);
        }
}

CLAIM(J_of_other_stages_is_set_up)
{
    rsd_renewal r = record(0, RSD_FIXED_SIZE);
    r.attempt.stages = 3;
    assert_true(begins_with(&r, NEW_ALPHA));
}

CLAIM(to_rounding_every_attempt_has_a_J_of_its_own)
{
    const rsd_renewal r = record(0, RSD_TO_ROUNDING);
    assert_true(begins_with(&r, START));
}

CLAIM(dFdy_is_renewed_at_its_maximum_age)
{
    rsd_renewal r = record(1, RSD_VARIABLE_SIZE);
    r.max_age = 3;
    for (int k = 0; k < 2; k++) rsd_renewal_begin_attempt(&r);
    assert_true(begins_with(&r, KEPT));
    rsd_renewal_begin_attempt(&r);
    assert_true(begins_with(&r, AGED));
    r.last_rate = 0.91;
    assert_true(begins_with(&r, SLOW));
}

CLAIM(a_start_nearby_keeps_J_and_one_elsewhere_does_not)
{
    rsd_renewal near = record(1, RSD_VARIABLE_SIZE), far = record(1, RSD_VARIABLE_SIZE),
                kept = record(0, RSD_VARIABLE_SIZE);
    rsd_renewal_restart(&near);
    rsd_renewal_restart(&kept);
    rsd_renewal_discard_J(&far);
    assert_true(begins_with(&near, NEW_BLOCKS));
    assert_true(begins_with(&kept, KEPT));
    assert_true(begins_with(&far, START));
}

CLAIM(a_singular_J_is_evaluated_unless_it_is_current)
{
    rsd_renewal r = record(0, RSD_VARIABLE_SIZE), fixed = record(0, RSD_FIXED_SIZE);
    r.events.setups = fixed.events.setups = 1;
    r.setup.is_current = fixed.setup.is_current = 0;
    assert_true(requires(&r, RSD_AT_FAILED_SETUP, FAILURE));  /* refused, where it was cheap */
    assert_true(requires(&fixed, RSD_AT_FAILED_SETUP, KEPT)); /* there y_n is tried */
    r.setup.is_singular = fixed.setup.is_singular = 1;
    assert_true(requires(&r, RSD_AT_FAILED_SETUP, FAILURE));
    assert_true(requires(&fixed, RSD_AT_FAILED_SETUP, FAILURE));
    r.setup.is_current = fixed.setup.is_current = 1;
    assert_true(requires(&r, RSD_AT_FAILED_SETUP, KEPT));
    assert_true(requires(&fixed, RSD_AT_FAILED_SETUP, KEPT));
}

/* --- What a setup does --- */

/* The plan of a setup that begins. */
static rsd_plan plan_for(rsd_renewal *r, resida_setup_reason reason)
{
    const rsd_plan plan = rsd_renewal_get_plan(r, RSD_AT_ATTEMPT, reason);
    rsd_renewal_begin_setup(r, &plan);
    return plan;
}

CLAIM(a_setup_renews_the_level_of_its_reason_or_more)
{
    static const struct {
        resida_setup_reason reason;
        rsd_renewal_level level;
    } cases[] = {{RESIDA_SETUP_FIRST, RSD_DFDY},
                 {RESIDA_SETUP_ALPHA, RSD_FACTORS},
                 {RESIDA_SETUP_ATTEMPT, RSD_BLOCKS},
                 {RESIDA_SETUP_OTHER, RSD_DFDY},
                 {RESIDA_SETUP_AGE, RSD_DFDY}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const resida_setup_reason reason = cases[k].reason;
        const rsd_renewal fine = record(1, RSD_VARIABLE_SIZE), kept = record(0, RSD_VARIABLE_SIZE);
        rsd_renewal whole = fine, none = fine, requested = fine;
        assert_int_equal(rsd_renewal_get_plan(&fine, RSD_AT_ATTEMPT, reason).level, cases[k].level);
        const rsd_renewal_level known = cases[k].level == RSD_DFDY ? RSD_DFDY : RSD_BLOCKS;
        assert_int_equal(rsd_renewal_get_plan(&kept, RSD_AT_ATTEMPT, reason).level, known);
        whole.engine.is_partitioned = none.setup.is_ready = 0, requested.requested = RESIDA_REQUEST_EVALUATION;
        assert_int_equal(rsd_renewal_get_plan(&whole, RSD_AT_ATTEMPT, reason).level, RSD_DFDY);
        assert_int_equal(rsd_renewal_get_plan(&none, RSD_AT_ATTEMPT, reason).level, RSD_DFDY);
        assert_int_equal(rsd_renewal_get_plan(&requested, RSD_AT_ATTEMPT, reason).level, RSD_DFDY);
    }
}

/* The step was cut: its alpha is new, dF/dy was evaluated just before. In the attempt that evaluated it, or behind an
 * update, dF/dy is what is wrong. */
CLAIM(after_a_failure_dFdy_is_evaluated_unless_it_is_recent)
{
    rsd_renewal r = record(1, RSD_VARIABLE_SIZE), here = r, updated = r;
    assert_int_equal(plan_for(&r, FAILURE).level, RSD_BLOCKS);
    here.engine.is_same_time = 1, updated.setup.level = RSD_BLOCKS;
    assert_true(evaluates(plan_for(&here, FAILURE)));
    assert_true(evaluates(plan_for(&updated, FAILURE)));
}

CLAIM(an_evaluation_finds_the_columns_that_can_have_changed)
{
    rsd_renewal r = record(1, RSD_VARIABLE_SIZE);
    assert_int_equal(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, SLOW).columns, RSD_OUTDATED);
    assert_int_equal(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, START).columns, RSD_ALL);
    r.evaluation.is_partial = 1;
    r.setup.level = RSD_BLOCKS; /* dF/dy is not recent, and a failure evaluates it */
    assert_int_equal(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, FAILURE).columns, RSD_OUTDATED);
    r.engine.is_same_time = 1;
    assert_int_equal(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, FAILURE).columns, RSD_OMITTED);
    assert_int_equal(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, START).columns, RSD_ALL);
    r.engine.is_moved = 1;
    assert_int_equal(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, FAILURE).columns, RSD_ALL);
    r.engine.is_moved = 0;
    r.requested = RESIDA_REQUEST_EVALUATION; /* also if columns were omitted at the same point */
    assert_int_equal(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, SLOW).columns, RSD_ALL);
}

/* Two failures with a current J, with at most 3 setups in between: entries are missing that no check has seen. */
CLAIM(failures_with_a_current_J_have_the_pattern_searched)
{
    for (int between = 3; between <= 4; between++) {
        rsd_renewal r = record(1, RSD_VARIABLE_SIZE);
        assert_false(plan_for(&r, FAILURE).check.is_failing);
        for (int k = 0; k < between; k++) plan_for(&r, NEW_ALPHA);
        const rsd_plan again = plan_for(&r, FAILURE);
        assert_int_equal(again.check.is_failing, between == 3);
        assert_int_equal(again.level, between == 3 ? RSD_DFDY : RSD_BLOCKS);
    }
    rsd_renewal r = record(1, RSD_VARIABLE_SIZE);
    r.setup.level = RSD_BLOCKS;
    r.evaluation.updates = 3;
    assert_true(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, SLOW).check.is_slow_again);
    assert_true(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, FAILURE).check.is_doubtful);
    assert_false(
        rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, AGED).check.is_doubtful); /* it serves no longer, whatever it does */
    r.evaluation.updates = 4;
    assert_false(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, SLOW).check.is_slow_again);
    assert_false(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, FAILURE).check.is_doubtful);
    r.requested = RESIDA_REQUEST_PATTERN;
    assert_true(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, SLOW).check.is_requested);
}

/* Evaluations of 30 calls that take half of all, and repairs of which a step takes fewer. */
static rsd_renewal with_repairs(double calls_of_a_step)
{
    rsd_renewal r = record(1, RSD_VARIABLE_SIZE);
    r.engine.can_repair = 1;
    r.repair = (rsd_repair_statistics){.evaluations = 16,
                                       .evaluation = 30,
                                       .of_dFdy = 50,
                                       .evaluated = {.calls = 100, .time = 10},
                                       .repaired = {.calls = 10 * calls_of_a_step, .time = 10}};
    return r;
}

CLAIM(a_repair_takes_the_place_of_an_evaluation_where_it_pays)
{
    static const struct {
        double of_step, evaluation, of_dFdy;
        long evaluations;
        int repairs;
    } cases[] = {{9.9, 30, 50, 4, 1}, {10, 30, 50, 4, 0}, {0, 30, 50, 4, 1}, {8, 24, 50, 4, 1},
                 {8, 23, 50, 4, 0},   {8, 30, 46, 4, 1},  {8, 30, 44, 4, 0}, {8, 30, 50, 3, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rsd_renewal r = with_repairs(cases[i].of_step);
        r.repair.evaluation = cases[i].evaluation, r.repair.of_dFdy = cases[i].of_dFdy;
        r.repair.evaluations = cases[i].evaluations;
        rsd_renewal off = r;
        off.engine.can_repair = 0;
        assert_int_equal(plan_for(&r, SLOW).repairs, cases[i].repairs);
        assert_true(evaluates(plan_for(&off, SLOW)));
        assert_true(evaluates(plan_for(&r, START)));
        assert_int_equal(plan_for(&r, NEW_ALPHA).level, RSD_FACTORS);
    }
    rsd_renewal r = with_repairs(5), here = r, requested = r, evaluated = r;
    here.engine.is_repair_same_time = evaluated.engine.is_same_time = 1;
    requested.requested = RESIDA_REQUEST_EVALUATION;
    assert_true(plan_for(&r, SLOW).repairs);
    assert_true(evaluates(plan_for(&evaluated, FAILURE)));
    assert_true(evaluates(plan_for(&here, SLOW)));
    assert_true(evaluates(plan_for(&requested, SLOW)));
}

/* A repair takes its directions from F, which is nearly 0 at a solution. */
CLAIM(at_a_solution_dFdy_is_not_repaired)
{
    const rsd_renewal r = with_repairs(5);
    assert_true(requires(&r, RSD_AT_SOLUTION, AGED));
    assert_true(rsd_renewal_get_plan(&r, RSD_AT_ATTEMPT, AGED).repairs);
    assert_true(evaluates(rsd_renewal_get_plan(&r, RSD_AT_SOLUTION, AGED)));
}

CLAIM(after_2_repairs_that_fail_dFdy_is_evaluated)
{
    rsd_renewal r = with_repairs(5);
    for (int k = 0; k < 2; k++) {
        r.setup.is_repaired = 0;
        assert_true(plan_for(&r, SLOW).repairs);
        r.setup.is_repaired = r.engine.is_same_time = 1;
        plan_for(&r, FAILURE);
        r.engine.is_same_time = 0;
    }
    assert_true(evaluates(plan_for(&r, SLOW)));
    rsd_renewal_end_attempt(&r, 0);
    assert_true(plan_for(&r, SLOW).repairs);
}

/* A renewal of dF/dy that takes so many calls, and a step of 1 s with so many iterations. */
static void take_step(rsd_renewal *r, int repairs, long calls, int iterations)
{
    rsd_renewal_record_calls(r, &(rsd_plan){.level = RSD_DFDY, .repairs = repairs}, calls);
    for (int i = 0; i < iterations; i++) rsd_renewal_record_call(r);
    rsd_renewal_end_attempt(r, 0);
}

/* One step in each: 34 calls with an evaluation, 5 with a repair; then repairs after which no attempt converges. */
CLAIM(repairs_that_do_not_lead_on_are_given_up_and_tried_again)
{
    rsd_renewal r = record(1, RSD_VARIABLE_SIZE);
    r.engine.can_repair = 1;
    for (int k = 0; k < 17; k++) take_step(&r, 0, 30, 4);
    assert_true(plan_for(&r, SLOW).repairs);
    for (int k = 0; k < 9; k++) take_step(&r, 1, 3, 2);
    assert_true(plan_for(&r, SLOW).repairs);
    int repairs = 0, evaluations = 0;
    for (; repairs < 200 && plan_for(&r, SLOW).repairs; repairs++)
        rsd_renewal_record_calls(&r, &(rsd_plan){.level = RSD_DFDY, .repairs = 1}, 40);
    for (; evaluations < 2000 && evaluates(plan_for(&r, SLOW)); evaluations++) take_step(&r, 0, 30, 4);
    print_message("given up after %d, tried again after %d\n", repairs, evaluations);
    assert_true(repairs > 1 && repairs < 12);
    assert_true(evaluations > 20 && evaluations < 1000);
}

/* Evaluations take 34 calls a second, repairs 40, as steps of 0.2 s after a repair are short. Repairs whose own work is
 * that of 40 calls cost more than evaluations also in steps of 1 s. */
CLAIM(repairs_that_cost_more_than_evaluations_are_given_up)
{
    for (int is_work = 0; is_work < 2; is_work++) {
        rsd_renewal r = record(1, RSD_VARIABLE_SIZE);
        int repairs = 0;
        r.engine.can_repair = 1;
        for (int k = 0; k < 17; k++) take_step(&r, 0, 30, 4);
        r.attempt.at.h = is_work ? 1 : 0.2;
        r.repair.work = is_work ? 40 : 0;
        for (; repairs < 100 && plan_for(&r, SLOW).repairs; repairs++) take_step(&r, 1, 6, 2);
        print_message("given up after %d repairs\n", repairs);
        assert_in_range(repairs, 1, 15);
    }
}

/* --- Within an attempt --- */

/* J at the iterate: at most twice in an attempt, if J was current, the correction is at most 100 error tests, and an
 * evaluation costs at most 25 iterations. */
CLAIM(J_at_the_iterate_is_due_while_it_is_near_the_solution_and_inexpensive)
{
    static const struct {
        int by_costs, current, within, m;
        double before, norm, cost;
        int is_due;
    } cases[] = {{1, 1, 0, 3, 0, 100, 25, 1}, {1, 1, 0, 3, 0, 101, 25, 0}, {1, 1, 0, 3, 0, 100, 26, 0},
                 {1, 0, 0, 3, 0, 1, 1, 0},    {1, 0, 1, 3, 1, 1, 1, 1},    {1, 1, 2, 3, 1, 1, 1, 0},
                 {1, 1, 1, 0, 1, 1, 1, 0},    {1, 1, 0, 0, 0, 1, 1, 1},    {0, 1, 0, 3, 0, 1, 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rsd_renewal r = record(cases[i].by_costs, RSD_VARIABLE_SIZE), fixed = record(1, RSD_FIXED_SIZE);
        const rsd_iteration it = {.m = cases[i].m, .norm = cases[i].norm, .before = cases[i].before};
        r.setup.is_current = cases[i].current, r.events.setups = 1;
        r.events.setups_at_iterates = cases[i].within;
        r.costs.renewal[RSD_DFDY] = cases[i].cost;
        assert_int_equal(rsd_renewal_is_due_in_iteration(&r, &it), cases[i].is_due);
        assert_false(rsd_renewal_is_due_in_iteration(&fixed, &it));
        assert_true(requires(&r, RSD_AT_ITERATE, FAILURE));
    }
}

/* What a setup renews after a failure on this occasion. */
static rsd_renewal_level level_at(const rsd_renewal *r, rsd_occasion occasion)
{
    assert_true(requires(r, occasion, FAILURE));
    return rsd_renewal_get_plan(r, occasion, FAILURE).level;
}

static int can_improve(rsd_renewal r, const rsd_iteration *it)
{
    return rsd_renewal_end_try(&r, it);
}

/* Another try: once with a step of fixed size; otherwise unless J is current, was set up at an iterate, or was repaired
 * before a first correction of more than 10 error tests. The blocks are renewed first if this may suffice. */
CLAIM(another_try_has_a_J_that_can_be_better)
{
    rsd_renewal r = record(1, RSD_VARIABLE_SIZE), fixed = record(1, RSD_FIXED_SIZE);
    rsd_iteration it = {.m = 3, .first = 10};
    assert_true(can_improve(r, &it) && can_improve(fixed, &it));
    fixed.events.failed_tries = 1;
    assert_false(can_improve(fixed, &it));
    r.setup.is_repaired = r.events.setups = 1, r.setup.is_current = 0;
    assert_true(can_improve(r, &it));
    it.first = 10.1;
    assert_false(can_improve(r, &it));
    r.setup.is_current = 1, r.setup.is_repaired = 0;
    assert_false(can_improve(r, &it));
    r.setup.is_current = 0, r.events.setups_at_iterates = 1;
    assert_false(can_improve(r, &it));

    r.events.setups = r.events.setups_at_iterates = 0;
    r.engine.is_same_time = 1; /* dF/dy was evaluated here */
    r.failed_iteration = it;
    assert_int_equal(level_at(&r, RSD_AT_NEXT_TRY), RSD_BLOCKS);
    assert_int_equal(level_at(&r, RSD_AT_FAILED_SETUP), RSD_DFDY);
    rsd_renewal renewed = r, near = r, slow = r, kept = r;
    renewed.setup.level = RSD_BLOCKS, renewed.events.setups = 1;
    slow.model.slope[RSD_DFDY] = 0.6, slow.attempt.at.since = 1;
    near.costs.renewal[RSD_DFDY] = near.costs.renewal[RSD_BLOCKS] + 3;
    kept.by_costs = 0;
    r.failed_iteration.residual_is_the_same = 1;
    rsd_renewal *const all[] = {&renewed, &slow, &near, &kept, &r};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_int_equal(level_at(all[i], RSD_AT_NEXT_TRY), RSD_DFDY);
}
