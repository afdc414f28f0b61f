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

/** out [k x n] = dF/dy dy + dF/dyp dyp at (t, y, yp, u), for k > 0 directions dy, dyp [k x n]. dyp of
 *  algebraic components is undefined. */
typedef int resida_jacobian_times_fn(double t, const double *y, const double *yp, const resida_excitation *e, int k,
                                     const double *dy, const double *dyp, double *out, void *user);

/** A point of Phi, or k directions. */
typedef struct resida_motion {
    const double *p;   /**< [n_p]; directions [k x n_p] */
    const double *v;   /**< [n_v]; [k x n_v] */
    const double *a;   /**< [n_v]; [k x n_v] */
    const double *lam; /**< [n_g + n_h]; [k x (n_g + n_h)]; NULL without residual_lam */
} resida_motion;

/** out [k x n_v] = dPhi/dp d.p + dPhi/dv d.v + dPhi/da d.a + dPhi/dlam d.lam at `at`, for k > 0 directions. */
typedef int resida_residual_times_fn(double t, const resida_motion *at, const resida_excitation *e, int k,
                                     const resida_motion *d, double *out, void *user);

/** Products, a member of resida_problem_options and resida_model. Callbacks get the `user` of the mechanism or DAE, and
 *  follow its rules and its thread_safe. A call has 1 to 8 directions. */
typedef struct resida_products {
    size_t size;                              /**< sizeof(resida_products), set by resida_products_init() */
    resida_jacobian_times_fn *jacobian_times; /**< of a general DAE; else NULL */
    resida_residual_times_fn *residual_times; /**< of a mechanism in the residual formalism; else NULL */
    double cost; /**< of one direction, in the unit of resida_callback_costs; 0: as a residual call */
} resida_products;

/** Set `size`, and other members to 0. */
RESIDA_API void resida_products_init(resida_products *products);

#ifdef __cplusplus
}
#endif
#endif
