/* tally.h - how often each callback of a model was called. */
#ifndef RSD_TALLY_H
#define RSD_TALLY_H

#include <resida/stats.h>

/** Callbacks, in the order of resida_callback_calls: X(name in the enum, name in resida_mechanism, resida_dae,
 *  resida_products or resida_problem_options). */
#define RSD_CALLBACKS(X)                                                                                               \
    X(RESIDUAL, residual)                                                                                              \
    X(ACCELERATION, acceleration)                                                                                      \
    X(RESIDUAL_LAM, residual_lam)                                                                                      \
    X(ACCELERATION_LAM, acceleration_lam)                                                                              \
    X(CONSTRAINT, constraint)                                                                                          \
    X(CONSTRAINT_MATRIX, constraint_matrix)                                                                            \
    X(CONSTRAINT_FORCE, constraint_force)                                                                              \
    X(CONSTRAINT_VELOCITY, constraint_velocity)                                                                        \
    X(VELOCITY_BIAS, velocity_bias)                                                                                    \
    X(ACCELERATION_BIAS, acceleration_bias)                                                                            \
    X(MASS_MATRIX, mass_matrix)                                                                                        \
    X(POTENTIAL, potential)                                                                                            \
    X(DERIVATIVES, derivatives)                                                                                        \
    X(KINEMATIC_MATRIX, kinematic_matrix)                                                                              \
    X(INVARIANT, invariant)                                                                                            \
    X(INVARIANT_MATRIX, invariant_matrix)                                                                              \
    X(NONHOLONOMIC_MATRIX, nonholonomic_matrix)                                                                        \
    X(NONHOLONOMIC_BIAS, nonholonomic_bias)                                                                            \
    X(NONHOLONOMIC_ACCELERATION_BIAS, nonholonomic_acceleration_bias)                                                  \
    X(PROJECTION_MATRIX, projection_matrix)                                                                            \
    X(EXCITATION, excitation)                                                                                          \
    X(ROOT, root)                                                                                                      \
    X(DAE_JACOBIAN, jacobian)                                                                                          \
    X(JACOBIAN_TIMES, jacobian_times)                                                                                  \
    X(RESIDUAL_TIMES, residual_times)

#define RSD_CALL_ENUM(name, member) RSD_CALL_##name,
typedef enum rsd_callback {
    RSD_CALLBACKS(RSD_CALL_ENUM) RSD_N_CALLBACKS,
    RSD_N_COSTS = RSD_CALL_JACOBIAN_TIMES /* members of resida_callback_costs, the first ones */
} rsd_callback;
#undef RSD_CALL_ENUM

typedef struct rsd_profile rsd_profile; /* profile.h */

typedef struct rsd_tally {
    long calls[RSD_N_CALLBACKS];
    rsd_profile *profile; /* what takes the time; NULL: not measured */
} rsd_tally;

/** Just before a callback is called: one that does not come back counts, too. */
static inline void rsd_tally_call(rsd_tally *tally, rsd_callback which)
{
    tally->calls[which]++;
}

/** Names of the members. */
extern const char *const rsd_callback_names[RSD_N_CALLBACKS];

/** tally += more. */
void rsd_tally_add(rsd_tally *tally, const rsd_tally *more);

/** As a user sees it. */
resida_callback_calls rsd_tally_calls(const rsd_tally *tally);

#endif
