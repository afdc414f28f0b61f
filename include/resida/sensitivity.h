/* resida/sensitivity.h - sensitivities s = dy/dtheta of the solution with respect to parameters and initial values.
 *
 *     resida_sensitivity_init(&by);
 *     by.moved = heavier;                            a problem of a model with mass + delta
 *     by.delta = 1e-7 * mass;
 *     by.scale = mass;
 *     resida_solver_set_sensitivities(s, 1, &by);    before a start
 *     resida_solver_start(s, t0, p0, v0, NULL, NULL);
 *     resida_solver_advance(s, t);
 *     resida_solver_sensitivity(s, 0, &dstate);      dp/dmass, dv/dmass, da/dmass, dlam/dmass at t
 *
 * s is computed after each accepted step (doc/mathematics.md, section 12). Its error is about (rounding of F)/delta;
 * larger without constraint_matrix.
 *
 *  - Error test: s is not in the error test. If s moves while y rests, set h_max (see `error` of the counts). The
 *    tolerances of s are those of y, and absolute ones are divided by `scale`.
 *  - Start: s is the difference of the consistent starts, divided by delta.
 *  - Events: only resida_run_set_moved() carries s over events. Functions that cross zero at once must depend on theta
 *    alike. A jump of F that is not an event is not included in s.
 *  - Limits: only method "bdf"; not in checkpoints; not with step_projection and "state-space". A change of dropped
 *    rows ends the run with RESIDA_ERR_OPTION. */
#ifndef RESIDA_SENSITIVITY_H
#define RESIDA_SENSITIVITY_H

#include <resida/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A parameter theta, or a direction of initial values. */
typedef struct resida_sensitivity {
    size_t size;           /**< set by resida_sensitivity_init() */
    const char *name;      /**< name in messages, copied; NULL: its number */
    resida_problem *moved; /**< problem with theta + delta, of the same form and size, not used by another sensitivity;
                             borrowed */
    double delta;       /**< increment of theta, not 0: 1e-7 of the size of theta; 1e-5 if a mechanism gives no dg/dp or
                             biases */
    double scale;       /**< size of theta, > 0, default 1 */
    const double *dy0;  /**< [n_p] d(p0)/dtheta, of a general DAE d(y0)/dtheta [n]; copied; NULL: 0 */
    const double *dyp0; /**< [n_v] d(v0)/dtheta, NULL: 0; of a general DAE d(yp0)/dtheta [n], NULL: computed as by
                             resida_solver_start_dae(); copied */
} resida_sensitivity;

/** Set defaults. */
RESIDA_API void resida_sensitivity_init(resida_sensitivity *x);

/** Set the n sensitivities x that are computed from the next start on; n = 0: none.
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT also: a moved problem of another shape or used twice; RESIDA_ERR_OPTION: a
 *          method or form without sensitivities; RESIDA_ERR_MEMORY: none are set
 *  Cost of each: memory for 9 n_y numbers; a residual call for each iteration in a step; a start in each start. */
RESIDA_API resida_status resida_solver_set_sensitivities(resida_solver *s, int n, const resida_sensitivity *x);

/** Get sensitivity i at the time reached: members are d/dtheta of those of resida_solver_state(), valid until the next
 *  call that changes the state. */
RESIDA_API resida_status resida_solver_sensitivity(const resida_solver *s, int i, resida_state *state);

/** Counters of sensitivities since they were set. */
typedef struct resida_sensitivity_counts {
    size_t size;         /**< struct size, set by the caller */
    long residual_calls; /**< residual calls without starts; included in the total of resida_stats */
    long iterations;     /**< Newton iterations for all parameters */
    long setups;         /**< setups of J for sensitivities */
    long in_doubt;       /**< steps of a parameter whose iteration ended above the tolerance of s because of rounding
                              errors */
    double error;        /**< largest error of s in a step, or by rounding of F, relative to the tolerance; above 100 a
                              warning */
} resida_sensitivity_counts;

/** Get the counters; counts->size must be set. @return RESIDA_OK; RESIDA_ERR_STATE without sensitivities */
RESIDA_API resida_status resida_solver_sensitivity_counts(const resida_solver *s, resida_sensitivity_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
