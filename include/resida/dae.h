/* resida/dae.h - a general DAE, F(t, y, yp, u(t)) = 0. Callbacks follow the rules of resida/mechanism.h. */
#ifndef RESIDA_DAE_H
#define RESIDA_DAE_H

#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kind of a component of y, for the error test and the Newton weights (doc/mathematics.md, section 5). */
typedef enum resida_kind {
    RESIDA_DIFFERENTIAL = 0,  /**< differential: its derivative occurs in F */
    RESIDA_ALGEBRAIC = 1,     /**< algebraic, of index 1 */
    RESIDA_ALGEBRAIC_2 = 2,   /**< algebraic, of index 2 (multipliers in GGL): not in the error test */
    RESIDA_ALGEBRAIC_3 = 3,   /**< algebraic, of index 3: not in the error test */
    RESIDA_DIFFERENTIAL_2 = 4 /**< differential, of index 2 (v in an index-3 formulation): not in the error test */
} resida_kind;

/** Evaluate the residual r [n] = F(t, y, yp, u). */
typedef int resida_dae_residual_fn(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                                   void *user);
/** Evaluate J = dF/dy + alpha dF/dyp, in the order of J_pattern or as a full matrix [n x n]. */
typedef int resida_dae_jacobian_fn(double t, double alpha, const double *y, const double *yp,
                                   const resida_excitation *e, double *J, void *user);
/** Evaluate the root functions out [n_root]. */
typedef int resida_dae_root_fn(double t, const double *y, const double *yp, const resida_excitation *e, double *out,
                               void *user);

/** A general DAE, copied by resida_problem_create_dae(). */
typedef struct resida_dae {
    size_t size;                      /**< struct size */
    const char *name;                 /**< name in messages; NULL: "dae" */
    int n;                            /**< number of unknowns and equations, > 0 */
    int n_u;                          /**< number of excitations */
    int n_root;                       /**< number of root functions */
    void *user;                       /**< argument of every callback */
    int thread_safe;                  /**< 1: several threads may call callbacks at once */
    const resida_kind *kinds;         /**< [n] kind of each component of y; NULL: all differential */
    resida_dae_residual_fn *residual; /**< residual F, required */
    resida_excitation_fn *excitation; /**< excitations of time; required if n_u > 0 */
    resida_dae_root_fn *root;         /**< root functions; required if n_root > 0 */
    resida_pattern J_pattern;         /**< common sparsity pattern of dF/dy and dF/dyp; row NULL: unknown */
    resida_dae_jacobian_fn *jacobian; /**< J, for strategy "user", then the default; NULL: differences */
    resida_callback_costs cost;       /**< costs of calls of residual, excitation, root, jacobian; 0: estimated */
    const char *const *names;         /**< [n] names of components of y; NULL: y[0], y[1] ... */
} resida_dae;

/** Set `size`, and other members to 0. */
RESIDA_API void resida_dae_init(resida_dae *d);

#ifdef __cplusplus
}
#endif
#endif
