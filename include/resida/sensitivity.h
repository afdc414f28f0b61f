/* resida/sensitivity.h - how the solution depends on parameters and on where it begins: s = dy/dtheta along a run.
 *
 *     resida_sensitivity by[1];
 *     resida_sensitivity_init(&by[0]);
 *     by[0].name = "mass";
 *     by[0].moved = heavier;            the problem made once more, of a model with mass + delta
 *     by[0].delta = 1e-7 * mass;
 *     by[0].scale = mass;
 *     resida_solver_set_sensitivities(s, 1, by);            before a start
 *     resida_solver_start(s, t0, p0, v0, NULL, NULL);
 *     resida_solver_advance(s, t);
 *     resida_solver_sensitivity(s, 0, &dstate);             dp/dmass, dv/dmass, da/dmass, dlam/dmass at t
 *
 * The equations
 *
 *     F_y s + F_yp s' + F_theta = 0
 *
 * are solved after each accepted step with its order, its size and its factors of J, for one parameter after the other
 * (the staggered corrector: W. F. Feehery, J. E. Tolsma, P. I. Barton: Efficient sensitivity analysis of large-scale
 * differential-algebraic systems. Applied Numerical Mathematics 25 (1997) 41-54). All derivatives in them are one
 * directed difference of F for each iteration: F(t, y + delta s, y' + delta s'; theta + delta), a call of the moved
 * problem (T. Maly, L. R. Petzold: Numerical methods and software for sensitivity analysis of differential-algebraic
 * systems. Applied Numerical Mathematics 20 (1996) 57-79). Differences to one side leave errors of some 1e-7.
 * The equation is linear, and so its iteration goes on until it has left a small part of what the step leaves in s:
 * mostly after the first correction, which is trusted for the rate that J showed lately, and looked at every 16 steps.
 *
 * The steps are those that y needs: s is not in the error test, and where y rests while s moves they are too long for s
 * (`error` of the counts, below; h_max helps). J is renewed as it pays for all of the iterations, those for s among
 * them, and when one of these fails: counters and the last digits of y are others than in a run without. Tolerances of
 * the iteration are those of y, the absolute ones by `scale`; after steps that were cut short s is of lower order than
 * y until they have grown again.
 *
 * A start is made consistent for the moved problem, too; s begins as the difference of both starts by delta. Events
 * that a model answers (resida/run.h) move s as they move the state, and by what the event is earlier or later:
 * resida_run_set_moved(). At a root function without an answer the run goes on, and s with it: a force that jumps
 * there would have s jump, which is not seen.
 *
 * Only for method "bdf"; not in checkpoints. Refused with the option step_projection and with the form "state-space".
 * The moved problem has to drop the same redundant rows. Multipliers jump if other rows are dropped during the run: it
 * ends with RESIDA_ERR_OPTION. */
#ifndef RESIDA_SENSITIVITY_H
#define RESIDA_SENSITIVITY_H

#include <resida/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A parameter, or a way to begin elsewhere. Plain data after resida_sensitivity_init(). */
typedef struct resida_sensitivity {
    size_t size;           /**< set by resida_sensitivity_init() */
    const char *name;      /**< for messages, copied; NULL (default): its number */
    resida_problem *moved; /**< the problem with theta + delta: of the same form and size, another one than the solver's
                                and for each parameter another one; borrowed as long as it is in use. Where theta is in
                                the start alone: the same problem, made once more */
    double delta;       /**< not 0, finite: about 1e-7 of the size of theta; rounding over delta is left in s, so 1e-5
                                where a mechanism gives no dg/dp, no bias of excitations, or angles have turned often */
    double scale;       /**< > 0, size of theta: s is about y by that, default 1 */
    const double *dy0;  /**< how the start depends on theta: of a mechanism d(p0)/dtheta [n_p], of a general DAE
                                d(y0)/dtheta [n], copied; NULL (default): not at all */
    const double *dyp0; /**< of a mechanism d(v0)/dtheta [n_v], NULL (default): not at all; of a general DAE
                                d(yp0)/dtheta [n], NULL: found as resida_solver_start_dae() finds yp0 */
} resida_sensitivity;

/** Set every field to its default, and `size` to its value. */
RESIDA_API void resida_sensitivity_init(resida_sensitivity *x);

/** Have these derivatives carried along from the next start on, in place of those before.
 *  @param[in] n  how many, >= 0; 0: none any more
 *  @param[in] x  [n]
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT (a wrong size or delta; dy0 not finite; a moved problem of another shape, or
 *          given twice);
 *          RESIDA_ERR_OPTION (a method or form that cannot: the solver's message says which); RESIDA_ERR_STATE from
 *          within a callback; RESIDA_ERR_MEMORY, with none set
 *  Cost: no residual call, memory for 9 n_y numbers each. A step takes for each a residual call for each iteration,
 *  mostly one; a start takes that of the moved problem. */
RESIDA_API resida_status resida_solver_set_sensitivities(resida_solver *s, int n, const resida_sensitivity *x);

/** Derivative i of the state at the time reached: members are d/dtheta of those of resida_solver_state(), in memory of
 *  the solver, valid until its next call that changes the state.
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT (no such i); RESIDA_ERR_STATE before a start with them */
RESIDA_API resida_status resida_solver_sensitivity(const resida_solver *s, int i, resida_state *state);

/** What sensitivities took since they were set. */
typedef struct resida_sensitivity_counts {
    size_t size;         /**< sizeof(resida_sensitivity_counts), set by the caller */
    long residual_calls; /**< between starts; they are in the total of resida_stats */
    long iterations;     /**< of the corrector, for all parameters */
    long setups;         /**< times that J was renewed for them */
    long in_doubt;       /**< steps of one parameter whose iteration ended by rounding, above the tolerance of s */
    double error;        /**< the largest estimate of what a step has left in s, or rounding of F in a correction, in
                              its tolerances (a start that moves fast has some): of a hundred and more the run is too
                              coarse for s, or its tolerances are below that rounding */
} resida_sensitivity_counts;

/** Counters. @return RESIDA_OK; RESIDA_ERR_ARGUMENT (counts->size); RESIDA_ERR_STATE without sensitivities */
RESIDA_API resida_status resida_solver_sensitivity_counts(const resida_solver *s, resida_sensitivity_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
