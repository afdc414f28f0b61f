/* resida/dae.h - a general DAE, F(t, y, yp, u(t)) = 0. Callbacks follow the rules of resida/mechanism.h. */
#ifndef RESIDA_DAE_H
#define RESIDA_DAE_H

#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kind of a component of y, for the error test and the Newton weights.
 *
 *  For about twelve steps after a start of the BDF, components of index 3 (multipliers) can be 10^4 times too large, at
 *  any tolerance. Other components are not affected. With the default first step these steps end before the first
 *  t_out. */
typedef enum resida_kind {
    RESIDA_DIFFERENTIAL = 0,  /**< its derivative occurs in F */
    RESIDA_ALGEBRAIC = 1,     /**< of index 1: in the error test */
    RESIDA_ALGEBRAIC_2 = 2,   /**< of index 2 (multipliers in GGL): not in the error test, Newton weight times h */
    RESIDA_ALGEBRAIC_3 = 3,   /**< of index 3: not in the error test, Newton weight times h^2 */
    RESIDA_DIFFERENTIAL_2 = 4 /**< differential, of index 2 (v in an index-3 formulation): as RESIDA_ALGEBRAIC_2 */
} resida_kind;

/** r [n] = F(t, y, yp, u). */
typedef int resida_dae_residual_fn(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                                   void *user);
/** J = dF/dy + alpha dF/dyp, in the order of J_pattern or [n x n]. */
typedef int resida_dae_jacobian_fn(double t, double alpha, const double *y, const double *yp,
                                   const resida_excitation *e, double *J, void *user);
/** out [n_root]. */
typedef int resida_dae_root_fn(double t, const double *y, const double *yp, const resida_excitation *e, double *out,
                               void *user);

/** A general DAE, copied by resida_problem_create_dae(). */
typedef struct resida_dae {
    size_t size;                      /**< sizeof(resida_dae), set by resida_dae_init() */
    const char *name;                 /**< for messages; NULL: "dae" */
    int n;                            /**< unknowns and equations, > 0 */
    int n_u;                          /**< excitations */
    int n_root;                       /**< root functions */
    void *user;                       /**< passed to every callback */
    int thread_safe;                  /**< as in resida_mechanism */
    const resida_kind *kinds;         /**< [n]; NULL: all differential */
    resida_dae_residual_fn *residual; /**< required */
    resida_excitation_fn *excitation; /**< required if n_u > 0 */
    resida_dae_root_fn *root;         /**< required if n_root > 0 */
    resida_pattern J_pattern;         /**< of dF/dy and dF/dyp together; row == NULL: unknown */
    resida_dae_jacobian_fn *jacobian; /**< makes "user" the default strategy; NULL: differences */
    resida_callback_costs cost;       /**< of residual, excitation, root, jacobian; 0: estimated */
    const char *const *names;         /**< [n]; NULL: y[0], y[1] ... */
} resida_dae;

/** Set `size`, and other members to 0. */
RESIDA_API void resida_dae_init(resida_dae *d);

#ifdef __cplusplus
}
#endif
#endif
