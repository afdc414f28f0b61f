/* renewal_fixture.h - facts of J, for what is decided of them. */
#ifndef TEST_RENEWAL_FIXTURE_H
#define TEST_RENEWAL_FIXTURE_H

#include "jacobian/renewal.h"
#include "test/fixtures/bench_fixture.h"

#define TOLERANCE 0.05
#define NEVER     1000000 /* attempts */

/* A J that was set up at t = 0 with alpha = 1, in an attempt of now with the same; that it needs no second iteration is
 * known. It was evaluated in an earlier attempt, and is fine. */
static inline rsd_renewal record(int by_costs, rsd_steps steps)
{
    rsd_renewal r = {.by_costs = by_costs, .max_age = NEVER, .max_rate = 0.9};
    rsd_renewal_discard_J(&r);
    r.model.rho_0 = 0;
    for (int level = 0; level < RSD_LEVELS; level++) r.model.t_renewed[level] = 0;
    r.is_factored = r.stages_J = 1;
    r.alpha_J = r.last_attempt_alpha = 1;
    r.prediction_trust = 1;
    r.setup = (rsd_setup){.level = RSD_DFDY, .is_ready = 1, .is_current = 1};
    r.evaluation.updates = 9;
    r.engine = (rsd_engine_facts){
        .is_partitioned = 1, .finds_pattern = 1, .is_pattern_known = 1, .has_history = 1, .calls = 30};
    r.costs = (rsd_costs){.iteration = 1, .renewal = {1e3, 1e4, 1e5}, .can_age = {1, 1, 1}};
    r.attempt = (rsd_attempt){.at = {.alpha = 1, .h = 1}, .tolerance = TOLERANCE, .stages = 1, .steps = steps};
    return r;
}

static inline int evaluates(rsd_plan plan)
{
    return plan.level == RSD_DFDY && !plan.repairs;
}

/* Reasons of a setup; KEPT: no setup. */
static const resida_setup_reason KEPT = RSD_NO_SETUP, START = RESIDA_SETUP_FIRST, NEW_ALPHA = RESIDA_SETUP_ALPHA,
                                 NEW_BLOCKS = RESIDA_SETUP_ATTEMPT, SLOW = RESIDA_SETUP_OTHER, AGED = RESIDA_SETUP_AGE,
                                 FAILURE = RESIDA_SETUP_FAILURE;

static inline int requires(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason expected)
{
    return rsd_renewal_get_reason(r, occasion) == expected;
}

static inline int begins_with(const rsd_renewal *r, resida_setup_reason expected)
{
    return requires(r, RSD_AT_ATTEMPT, expected);
}

#endif
