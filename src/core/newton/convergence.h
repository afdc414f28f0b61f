/* convergence.h - whether an iteration has converged, goes on or diverges. Decisions about J are in policy.h. */
#ifndef RSD_CONVERGENCE_H
#define RSD_CONVERGENCE_H

#include "policy.h"

extern const rsd_newton_rules rsd_rules_of_any_size, rsd_rules_of_fixed_size, rsd_rules_to_rounding;

typedef enum rsd_convergence {
    RSD_CONVERGED,
    RSD_CONVERGED_BEFORE, /* without this correction, which is rounding */
    RSD_CHECK_RESIDUAL,   /* converged, if the next residual confirms it */
    RSD_CONTINUE,
    RSD_RENEW_J,       /* continue, with J of this iterate */
    RSD_NOT_CONVERGED, /* after the last iteration */
    RSD_DIVERGED
} rsd_convergence;

/** Test the convergence after a correction with a known norm. */
rsd_convergence rsd_convergence_test(const rsd_policy *p, const rsd_newton_facts *f);

/** 1: the correction shows a rate of convergence. */
int rsd_convergence_is_rate(const rsd_newton_facts *f);

/** 1: measure the residual before the next correction in units of inertia (residual_norm.h): with an old J before the
 *  first correction; with a dF/dy of this attempt, where J is renewed, before later ones. */
int rsd_convergence_checks_residual(const rsd_policy *p, const rsd_newton_facts *f);

#endif
