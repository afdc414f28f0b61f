/* policy_fixture.h - facts and records, for what is decided of them. */
#ifndef TEST_POLICY_FIXTURE_H
#define TEST_POLICY_FIXTURE_H

#include "src/core/newton/convergence.h"
#include "test/fixtures/bench_fixture.h"

#include <math.h>

#define TOLERANCE 0.05
#define NEVER     1000000 /* attempts */

/* A record of a J that was set up at t = 0 with alpha = 1; that it needs no second iteration is known. */
static inline rsd_policy record(int by_costs)
{
    rsd_policy r = {.by_costs = by_costs, .max_age = NEVER};
    rsd_policy_forget(&r);
    r.account.rho_0 = 0;
    for (int level = 0; level < RSD_LEVELS; level++) r.account.t[level] = 0;
    r.has_J = r.stages = 1;
    r.alpha = r.last_alpha = 1;
    r.trust = 1;
    r.predicted_share = 1;
    return r;
}

static inline rsd_newton_facts facts(const rsd_newton_rules *rules)
{
    rsd_newton_facts f = {.rules = rules, .attempt = {.at = {.alpha = 1, .h = 1}, .tolerance = TOLERANCE, .stages = 1}};
    f.costs = (rsd_costs){.iteration = 1, .renewal = {1e3, 1e4, 1e5}, .has = {1, 1, 1}};
    return f;
}

static inline rsd_convergence judge(const rsd_policy *r, rsd_newton_facts f, int m, double norm, double rate)
{
    f.it = (rsd_iteration_facts){.m = m, .norm = norm, .norm_tested = norm, .rate = rate};
    return rsd_convergence_test(r, &f);
}

enum { NO_SETUP = -1 };

/* The reason of a renewal, with its own action; NO_SETUP: J is kept. */
static inline int counted(rsd_renewal renewal)
{
    static const rsd_action own[] = {RSD_EVALUATE, RSD_UPDATE_ALPHA,  RSD_EVALUATE,
                                     RSD_EVALUATE, RSD_UPDATE_BLOCKS, RSD_EVALUATE};
    if (renewal.action == RSD_KEEP) return NO_SETUP;
    assert_int_equal(renewal.action, own[renewal.reason]);
    return (int)renewal.reason;
}

static inline int reason_of(const rsd_policy *r, const rsd_newton_facts *f)
{
    return counted(rsd_policy_renewal(r, f));
}

static const rsd_newton_rules *const any = &rsd_rules_of_any_size, *const fixed = &rsd_rules_of_fixed_size;

#endif
