/* renewal_fixture.h - facts and records, for what is decided of them. */
#ifndef TEST_RENEWAL_FIXTURE_H
#define TEST_RENEWAL_FIXTURE_H

#include "src/newton/renewal.h"
#include "test/fixtures/bench_fixture.h"

#define TOLERANCE 0.05
#define NEVER     1000000 /* attempts */

/* A record of a J that was set up at alpha = 1, and a rate that was measured with it. */
static inline rsd_renewal record(int renews, int ages)
{
    rsd_renewal r = {.renews = renews, .ages = ages, .max_age = NEVER};
    rsd_renewal_forget(&r);
    r.has_J = r.stages = 1;
    r.alpha = r.alpha_before = 1;
    r.h_measured = 1;
    return r;
}

/* The same of a J whose renewals are weighed; that a new one needs no second iteration is known. */
static inline rsd_renewal weighed(void)
{
    rsd_renewal r = record(1, 1);
    r.weighs = 1;
    r.account.floor = 0;
    for (int rung = 0; rung < RSD_RUNGS; rung++) r.account.t[rung] = 0;
    return r;
}

static inline rsd_newton_facts facts(const rsd_newton_rules *rules)
{
    rsd_newton_facts f = {.rules = rules, .alpha = 1, .h = 1, .tolerance = TOLERANCE, .stages = 1};
    f.engine.cost = 1000;
    f.costs = (rsd_costs){.iteration = 1, .renewal = {1e3, 1e4, 1e5}, .has = {1, 1, 1}};
    return f;
}

static inline rsd_judgement judge(const rsd_renewal *r, rsd_newton_facts f, int m, double norm, double rate)
{
    f.it = (rsd_iteration_facts){.m = m, .most = rsd_renewal_most(r, &f), .norm = norm, .rate = rate};
    return rsd_renewal_judge(r, &f);
}

static const rsd_newton_rules *const any = &rsd_rules_of_any_size, *const fixed = &rsd_rules_of_fixed_size;

#endif
