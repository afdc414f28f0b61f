/* resida/dae.h - a general DAE, F(t, y, yp, u(t)) = 0, that need not be mechanical. */
#ifndef RESIDA_DAE_H
#define RESIDA_DAE_H

#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a component of y is; it decides about the error test and the Newton weights.
 *
 *  Of index 3, as multipliers where positions alone are held, are second derivatives by differences. Behind each start
 *  of variable-order BDF they are wrong by up to 10^4 times themselves, at any tolerance, until steps have doubled some
 *  twelve times and order 1 is forgotten; y and velocities are not. The first step is chosen so short that this is over
 *  at the first t_out; what ends before it (resida_solver_step(), accepted, events), or begins with an h_first longer
 *  than 1e-4 of the way to t_out, has such multipliers. Those of index 2 (form "ggl") have not. */
typedef enum resida_kind {
    RESIDA_DIFFERENTIAL = 0, /**< its derivative occurs in F */
    RESIDA_ALGEBRAIC = 1,    /**< algebraic of index 1: in the error test like a differential one */
    RESIDA_ALGEBRAIC_2 = 2,  /**< of index 2 (multipliers in GGL): out of the error test, Newton weight times h */
    RESIDA_ALGEBRAIC_3 = 3,  /**< of index 3: out of the error test, Newton weight times h^2 */
    RESIDA_DIFFERENTIAL_2 =
        4 /**< its derivative occurs in F, but it is of index 2 (velocities in an index-3 formulation): out
               of the error test, Newton weight times h */
} resida_kind;

/** r [n] = F(t, y, yp, u). */
typedef int resida_dae_residual_fn(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                                   void *user);
/** J = dF/dy + alpha dF/dyp. */
typedef int resida_dae_jacobian_fn(double t, double alpha, const double *y, const double *yp,
                                   const resida_excitation *e, double *J, void *user);
/** out [n_root]. */
typedef int resida_dae_root_fn(double t, const double *y, const double *yp, const resida_excitation *e, double *out,
                               void *user);

/** A general DAE. Plain data: fill it after resida_dae_init(); copied by resida_problem_create_dae(). */
typedef struct resida_dae {
    size_t size;                      /**< sizeof(resida_dae), set by resida_dae_init() */
    const char *name;                 /**< for messages; NULL: "dae" */
    int n;                            /**< unknowns and equations, > 0 */
    int n_u;                          /**< excitations, >= 0 */
    int n_root;                       /**< root functions, >= 0 */
    void *user;                       /**< handed to every callback */
    int thread_safe;                  /**< as in resida_mechanism */
    const resida_kind *kinds;         /**< [n]; NULL: all differential */
    resida_dae_residual_fn *residual; /**< r [n] = F(t, y, yp, u); needed */
    resida_excitation_fn *excitation; /**< u, ud, udd [n_u]; needed when n_u > 0 */
    resida_dae_root_fn *root;         /**< [n_root]; needed when n_root > 0 */
    resida_pattern J_pattern;         /**< where dF/dy and dF/dyp may have entries; row == NULL: not known */
    resida_dae_jacobian_fn *jacobian; /**< dF/dy + alpha dF/dyp in the order of J_pattern, without one [n x n] row by
                                           row; makes "user" the default strategy. NULL: by differences */
    resida_callback_costs cost;       /**< of a call of residual, excitation, root, jacobian; 0: assumed */
    const char *const *names;         /**< [n]; NULL: y[0], y[1] ... */
} resida_dae;

/** Set every field to "not there" and `size` to its value. */
RESIDA_API void resida_dae_init(resida_dae *d);

#ifdef __cplusplus
}
#endif
#endif
