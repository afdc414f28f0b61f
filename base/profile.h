/* profile.h - how often each callback of a model is called, and where the time of a run goes: one clock, which counts
 * for one activity at a time. The time of an activity within another one belongs to the inner one alone, so all of them
 * add up to the whole. */
#ifndef RSD_PROFILE_H
#define RSD_PROFILE_H

#include <resida/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/** Names of the members. */
extern const char *const rsd_callback_names[RSD_N_CALLBACKS];

/** What a solver does, after the callbacks of rsd_callback; in the order of resida_profile. */
typedef enum rsd_activity {
    RSD_IN_START = (int)RSD_N_CALLBACKS, /* the consistent start */
    RSD_IN_STEPS,                        /* the integrator: prediction, error test, order, output, events */
    RSD_IN_ITERATION,                    /* vectors of the corrector iteration */
    RSD_IN_ROWS,                         /* F of the iteration: constraint forces, rows */
    RSD_IN_DIFFERENCES,                  /* of F, for J */
    RSD_IN_ASSEMBLY,                     /* of J */
    RSD_IN_FACTORS,
    RSD_IN_SOLUTIONS,
    RSD_IN_REST, /* anything else within calls of the solver */
    RSD_N_PLACES
} rsd_activity;

typedef struct rsd_profile {
    long long ns[RSD_N_PLACES]; /* so far */
    int at;                     /* what takes the time now */
    long long since;            /* when it was last looked at the clock [ns] */
} rsd_profile;

/** How often each callback of a model was called. */
typedef struct rsd_tally {
    long calls[RSD_N_CALLBACKS];
    rsd_profile *profile; /* what takes the time; NULL: not measured */
} rsd_tally;

/** The clock goes on for another place. @return where it was */
int rsd_profile_switch(rsd_profile *p, int place);

/** Begin to read the clock, at rest; and the end of it. NULL: there is no profile. */
void rsd_profile_begin(rsd_profile *p);
void rsd_profile_end(rsd_profile *p);

/** Enter an activity, and go back to where it was entered. NULL: there is no profile, and no clock is read. */
static inline int rsd_profile_enter(rsd_profile *p, rsd_activity what)
{
    return p ? rsd_profile_switch(p, (int)what) : 0;
}

static inline void rsd_profile_leave(rsd_profile *p, int back)
{
    if (p) (void)rsd_profile_switch(p, back);
}

/** The same of a callback, which counts: also one that does not return. */
static inline int rsd_tally_enter(rsd_tally *tally, rsd_callback which)
{
    tally->calls[which]++;
    return tally->profile ? rsd_profile_switch(tally->profile, (int)which) : 0;
}

/** Callbacks that n threads have called meanwhile: the time of all of them together, over n, was theirs and not that of
 *  the differences. */
void rsd_profile_share(rsd_profile *p, const rsd_profile *of_thread, int n);

/** tally += more. */
void rsd_tally_add(rsd_tally *tally, const rsd_tally *more);

/** As a user sees them. */
resida_profile rsd_profile_copy(const rsd_profile *p); /* NULL: zeros */

#ifdef __cplusplus
}
#endif
#endif
