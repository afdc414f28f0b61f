/* tally.h - how often each callback of a model was called, by whoever keeps the tally. */
#ifndef RSD_TALLY_H
#define RSD_TALLY_H

#include <resida/stats.h>

/** Callbacks, in the order of resida_callback_calls. */
typedef enum rsd_callback {
    RSD_CALL_RESIDUAL,
    RSD_CALL_ACCELERATION,
    RSD_CALL_RESIDUAL_LAM,
    RSD_CALL_ACCELERATION_LAM,
    RSD_CALL_CONSTRAINT,
    RSD_CALL_CONSTRAINT_MATRIX,
    RSD_CALL_CONSTRAINT_FORCE,
    RSD_CALL_CONSTRAINT_VELOCITY,
    RSD_CALL_VELOCITY_BIAS,
    RSD_CALL_ACCELERATION_BIAS,
    RSD_CALL_MASS_MATRIX,
    RSD_CALL_POTENTIAL,
    RSD_CALL_DERIVATIVES,
    RSD_CALL_KINEMATIC_MATRIX,
    RSD_CALL_INVARIANT,
    RSD_CALL_INVARIANT_MATRIX,
    RSD_CALL_NONHOLONOMIC_MATRIX,
    RSD_CALL_NONHOLONOMIC_BIAS,
    RSD_CALL_NONHOLONOMIC_ACCELERATION_BIAS,
    RSD_CALL_PROJECTION_MATRIX,
    RSD_CALL_EXCITATION,
    RSD_CALL_ROOT,
    RSD_CALL_DAE_JACOBIAN,
    RSD_CALL_JACOBIAN_TIMES,
    RSD_CALL_RESIDUAL_TIMES,
    RSD_N_CALLBACKS,
    RSD_N_COSTS = RSD_CALL_JACOBIAN_TIMES /* members of resida_callback_costs, the first ones */
} rsd_callback;

typedef struct rsd_profile rsd_profile; /* profile.h */

typedef struct rsd_tally {
    long calls[RSD_N_CALLBACKS];
    rsd_profile *profile; /* what takes the time; NULL: nobody asks */
} rsd_tally;

/** Just before a callback is called: one that does not come back counts, too. */
static inline void rsd_tally_call(rsd_tally *tally, rsd_callback which)
{
    tally->calls[which]++;
}

/** Names, as in resida_mechanism, resida_dae, resida_products or resida_problem_options. */
extern const char *const rsd_callback_names[RSD_N_CALLBACKS];

/** tally += more. */
void rsd_tally_add(rsd_tally *tally, const rsd_tally *more);

/** As a user sees it. */
resida_callback_calls rsd_tally_calls(const rsd_tally *tally);

#endif
