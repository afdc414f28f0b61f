/* convergence.h - decides whether an iteration has converged, continues or diverges; with fixed steps also whether it
 * needs J at its iterate. renewal.h decides which parts of J are renewed, and all other setups. */
#ifndef RSD_CONVERGENCE_H
#define RSD_CONVERGENCE_H

#include "renewal.h"

#include <math.h>

/** Rules for the end of a Newton iteration. */
typedef struct rsd_newton_rules {
    rsd_steps steps;            /* kind of steps of the integrator */
    int max_good_iterations;    /* number of corrections after which each further one must cost less than a new J */
    int max_iterations;         /* maximum number of corrections */
    double worst_rate;          /* convergence rate from which the iteration counts as diverged */
    double max_last_correction; /* a smaller correction ends the iteration at any rate [Newton tolerances] */
    double renewal_rate; /* convergence rate above which J is set up at an iterate; INFINITY: only after divergence */
    const struct rsd_newton_rules *retry; /* rules of the next try; NULL: these rules again, if J can be improved */
} rsd_newton_rules;

extern const rsd_newton_rules rsd_rules_of_variable_size, rsd_rules_of_fixed_size, rsd_rules_to_rounding;

/** Result of a convergence test. */
typedef enum rsd_convergence {
    RSD_CONVERGED,
    RSD_CONVERGED_BEFORE, /* converged before the last correction, which is a rounding error and is not applied */
    RSD_CHECK_RESIDUAL,   /* converged if F at the next iterate is small */
    RSD_CONTINUE,         /* another correction follows */
    RSD_RENEW_J,          /* not converged; the iteration continues with a J that is set up at the iterate */
    RSD_NOT_CONVERGED,    /* not converged; another correction is not allowed, or costs more than a new J */
    RSD_DIVERGED          /* diverged: corrections grow or decrease too slowly */
} rsd_convergence;

/** Set the norm of a correction, and the convergence rate from the second correction on. */
void rsd_convergence_set_norm(const rsd_newton_rules *rules, rsd_iteration *it, double norm);

/** Test the convergence after a correction whose norm is known. */
rsd_convergence rsd_convergence_test(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it);

/** Record a correction and the result of its test. A correction after which the iteration has not converged counts as
 *  wasted. The convergence rate is recorded if the correction is finite, not the first, and smaller than the last. */
static inline void rsd_convergence_record(rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it,
                                          rsd_convergence result)
{
    if (it->m > 0 && isfinite(it->norm) && it->rate < rules->worst_rate) rsd_renewal_record_rate(r, it->rate);
    if (result == RSD_CONTINUE || result == RSD_NOT_CONVERGED) r->events.wasted_iterations++;
}

/** Return 1 if the residual before the next correction must be measured with the units of inertia (residual_norm.h).
 *  The residual before the first correction is measured if J is not current. In steps of variable size with a J renewed
 *  by its costs, residuals before later corrections are measured if dF/dy was evaluated in this attempt, or after
 *  max_good_iterations - 1 corrections. */
int rsd_convergence_needs_residual(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it);

#endif
