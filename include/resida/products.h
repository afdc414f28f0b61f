/* resida/products.h - directional derivatives, for models that compute them without a matrix.
 *
 * Products replace difference quotients of J, of the search for its pattern and of its checks. The strategy "user"
 * (resida/jacobian.h) uses the model's J or derivatives of Phi instead, if they are given. */
#ifndef RESIDA_PRODUCTS_H
#define RESIDA_PRODUCTS_H

#include <resida/dae.h>
#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Evaluate k > 0 directional derivatives out [k x n] = dF/dy dy + dF/dyp dyp at (t, y, yp, u), with directions dy, dyp
 *  [k x n]. dyp of algebraic components is undefined. */
typedef int resida_jacobian_times_fn(double t, const double *y, const double *yp, const resida_excitation *e, int k,
                                     const double *dy, const double *dyp, double *out, void *user);

/** Arguments of Phi, or k directions of them. */
typedef struct resida_motion {
    const double *p;   /**< [n_p] or [k x n_p] positions */
    const double *v;   /**< [n_v] or [k x n_v] velocities and states */
    const double *a;   /**< [n_v] or [k x n_v] accelerations */
    const double *lam; /**< [n_g + n_h] or [k x (n_g + n_h)] multipliers; NULL without residual_lam */
} resida_motion;

/** Evaluate k > 0 directional derivatives out [k x n_v] = dPhi/dp d.p + dPhi/dv d.v + dPhi/da d.a + dPhi/dlam d.lam. */
typedef int resida_residual_times_fn(double t, const resida_motion *at, const resida_excitation *e, int k,
                                     const resida_motion *d, double *out, void *user);

/** Directional derivatives of a model, in problem options and resida_model. Callbacks get the `user` of the mechanism
 *  or DAE, and follow its rules and thread_safe. A call has 1 to 8 directions. */
typedef struct resida_products {
    size_t size;                              /**< struct size */
    resida_jacobian_times_fn *jacobian_times; /**< directional derivatives of a general DAE; else NULL */
    resida_residual_times_fn *residual_times; /**< directional derivatives of a mechanism in the residual formalism;
                                                   else NULL */
    double cost; /**< cost of one direction [floating-point operations]; 0: that of a residual call */
} resida_products;

/** Set `size`, and other members to 0. */
RESIDA_API void resida_products_init(resida_products *products);

#ifdef __cplusplus
}
#endif
#endif
