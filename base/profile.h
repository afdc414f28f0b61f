/* profile.h - counts the calls of each callback of a model, and measures the time of the activities of a run. One clock
 * counts for one activity at a time. The time of an activity within another one is counted for the inner one only, so
 * the sum of all activities is the total time. */
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
    RSD_N_COSTS = RSD_CALL_JACOBIAN_TIMES /* number of members of resida_callback_costs, the first callbacks */
} rsd_callback;
#undef RSD_CALL_ENUM

/** Names of the members of resida_mechanism and of the other structs with callbacks, in the order of rsd_callback. */
extern const char *const rsd_callback_names[RSD_N_CALLBACKS];

/** The activities of a solver, numbered after the callbacks of rsd_callback, in the order of resida_profile. */
typedef enum rsd_activity {
    RSD_IN_START = (int)RSD_N_CALLBACKS, /* consistent start */
    RSD_IN_STEPS,                        /* integrator: prediction, error test, order, output, events */
    RSD_IN_ITERATION,                    /* vector operations of the Newton iteration */
    RSD_IN_ROWS,                         /* constraint forces and equations of F in the Newton iteration */
    RSD_IN_DIFFERENCES,                  /* difference quotients of F for J */
    RSD_IN_ASSEMBLY,                     /* assembly of J */
    RSD_IN_FACTORS,                      /* factorisations of J */
    RSD_IN_SOLUTIONS,                    /* solutions of linear systems with the factors of J */
    RSD_IN_REST,                         /* other work within calls of the solver */
    RSD_N_PLACES
} rsd_activity;

typedef struct rsd_profile {
    long long ns[RSD_N_PLACES]; /* time of each activity [ns] */
    int at;                     /* current activity, an index of ns */
    long long since;            /* time at which the current activity began, or was resumed [ns] */
} rsd_profile;

/** Counters of the calls of a model. */
typedef struct rsd_tally {
    long calls[RSD_N_CALLBACKS]; /* number of calls of each callback */
    rsd_profile *profile;        /* profile of times; NULL: times are not measured */
} rsd_tally;

/** Begin to measure the time of another activity. @return the previous activity */
int rsd_profile_switch(rsd_profile *p, int place);

/** Begin to measure time, with the activity RSD_IN_REST, and end the measurement. p NULL: nothing is measured. */
void rsd_profile_begin(rsd_profile *p);
void rsd_profile_end(rsd_profile *p);

/** Begin an activity, or end it and resume the previous activity `back`. If p is NULL, the clock is not read. */
static inline int rsd_profile_enter(rsd_profile *p, rsd_activity what)
{
    return p ? rsd_profile_switch(p, (int)what) : 0;
}

static inline void rsd_profile_leave(rsd_profile *p, int back)
{
    if (p) (void)rsd_profile_switch(p, back);
}

/** Count a call of a callback, and begin to measure its time. @return the previous activity */
static inline int rsd_tally_begin_call(rsd_tally *tally, rsd_callback which)
{
    tally->calls[which]++;
    return tally->profile ? rsd_profile_switch(tally->profile, (int)which) : 0;
}

/** Move the time of callbacks, summed over n threads in of_thread, from RSD_IN_DIFFERENCES to p->ns, divided by n. */
void rsd_profile_add_threads(rsd_profile *p, const rsd_profile *of_thread, int n);

void rsd_tally_add(rsd_tally *tally, const rsd_tally *more);

/** Return the times of all activities in seconds; zeros if p is NULL. */
resida_profile rsd_profile_get_times(const rsd_profile *p);

#ifdef __cplusplus
}
#endif
#endif
