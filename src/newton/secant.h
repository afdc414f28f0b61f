/* secant.h - what the corrector iteration itself tells about the Jacobian, at no residual call.
 *
 * An iteration that takes more than one step sees F at both ends of the first one: (F_after - F_before) - J s is what J
 * lacks along s. So J is corrected by Broyden's update, kept as pairs of vectors,
 *
 *     J + U V',   u_k = (F_after - F_before - (J + U V')s_k)/|W s_k|,   v_k = W^2 s_k/|W s_k|,
 *
 * the smallest correction, in the norm of the iteration, that explains the last steps. Systems with it are solved by
 * the factors of J and Sherman, Morrison and Woodbury,
 *
 *     (J + U V')^-1 = (I - Z (I + V'Z)^-1 V') J^-1,   Z = J^-1 U.
 *
 * What J lacks is dF/dy of a state before; a new alpha changes known parts of J only, so pairs outlive it: Z alone is
 * solved for anew. They end with a new dF/dy, and when there are too many, the oldest first.
 * C. G. Broyden, A class of methods for solving nonlinear simultaneous equations, Math. Comp. 19 (1965) 577-593. */
#ifndef RSD_SECANT_H
#define RSD_SECANT_H

#include "src/linear/linear_solver.h"

typedef struct rsd_secant rsd_secant;

/** For n unknowns; solves by `linear`, borrowed. RESIDA_ERR_MEMORY. Memory: up to 16 pairs, less for more than 8,000
 *  unknowns. */
resida_status rsd_secant_create(rsd_secant **secant, int n, rsd_linear_solver *linear, const resida_allocator *alloc);
void rsd_secant_free(rsd_secant *secant);

/** J has a new dF/dy: nothing is known of what it lacks. */
void rsd_secant_forget(rsd_secant *secant);

/** J was factored anew, dF/dy in it is the old one. Cost: a solve for each pair. */
void rsd_secant_refactored(rsd_secant *secant);

/** x [n] = J^-1 b  ->  (J + U V')^-1 b. Cost: 2 n operations for each pair. */
void rsd_secant_correct(rsd_secant *secant, double *x);

/** A step s of the iteration, that solved (J + U V')s = -c F_before, led to F_after. Cost: a solve.
 *  @param[in] w  [n] weights of the norm of the iteration */
void rsd_secant_learn(rsd_secant *secant, const double *w, const double *s, double c, const double *F_before,
                      const double *F_after);

/** Corrections in use. */
int rsd_secant_pairs(const rsd_secant *secant);

#endif
