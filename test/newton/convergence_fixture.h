/* convergence_fixture.h - iterations, for what is decided of them with what is known of J. */
#ifndef TEST_CONVERGENCE_FIXTURE_H
#define TEST_CONVERGENCE_FIXTURE_H

#include "src/core/newton/convergence.h"
#include "test/jacobian/renewal/renewal_fixture.h"

static const rsd_newton_rules *const any = &rsd_rules_of_any_size, *const fixed = &rsd_rules_of_fixed_size;

static inline rsd_convergence judge(const rsd_renewal *r, const rsd_newton_rules *rules, int m, double norm,
                                    double rate)
{
    const rsd_iteration it = {.m = m, .norm = norm, .norm_tested = norm, .rate = rate};
    rsd_renewal now = *r;
    now.attempt.steps = rules->steps;
    return rsd_convergence_test(&now, rules, &it);
}

#endif
