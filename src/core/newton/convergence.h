/* convergence.h - whether an iteration has converged, continues or diverges. J decides about itself
 * (jacobian/renewal.h). */
#ifndef RSD_CONVERGENCE_H
#define RSD_CONVERGENCE_H

#include "jacobian/renewal.h"

/** Rules of the iteration. */
typedef struct rsd_newton_rules {
    rsd_steps steps;
    int usual_iterations; /* after them the iteration continues if that costs less than another J */
    int max_iterations;
    double worst_rate;                    /* rate of convergence from which on the iteration diverges */
    double enough;                        /* Newton tolerances: a correction that needs no other one */
    double renewal_rate;                  /* above it J is set up within the iteration; INFINITY: if it diverges */
    const struct rsd_newton_rules *retry; /* of one more try from the start of the step; NULL: these, as long as J can
                                             be made better */
} rsd_newton_rules;

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
rsd_convergence rsd_convergence_test(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it);

/** 1: the correction shows a rate of convergence. */
int rsd_convergence_is_rate(const rsd_newton_rules *rules, const rsd_iteration *it);

/** 1: measure the residual before the next correction in units of inertia (residual_norm.h): with an old J before the
 *  first correction; with a dF/dy of this attempt, where J is renewed, before later ones. */
int rsd_convergence_checks_residual(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it);

#endif
