/* resida/products.h - products of derivatives with directions, for models that have them without a matrix: by forward
 * differentiation, by a linearised recursion, as directional derivatives of another tool.
 *
 *     general DAE     J d = (dF/dy + alpha dF/dyp) d     as  dF/dy dy + dF/dyp dyp  along dy = d, dyp = alpha d
 *     mechanism       dPhi/dp dp + dPhi/dv dv + dPhi/da da + dPhi/dlam dlam
 *
 * J is then found by products in the place of difference quotients: a group of columns that share no row takes one, and
 * so do the search for the pattern and its checks. Entries are exact, no increment is chosen, and nothing is asked at
 * points where F may not be possible. A model that gives its whole J, or all derivatives of Phi ("user" of
 * resida/jacobian.h), is asked for these, and for products only by strategies that do not take them.
 *
 * These callbacks are in a struct of their own, and not among those of resida_mechanism and resida_dae, because these
 * two are members of resida_model in the middle of it: another member of theirs would move what follows, and plugins
 * that were compiled before would be read wrongly. Here a pointer hands them over, from resida_problem_options, or from
 * the end of a resida_model, and size says how much of the struct is there: it grows at its end. */
#ifndef RESIDA_PRODUCTS_H
#define RESIDA_PRODUCTS_H

#include <resida/dae.h>
#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/** out [k x n] = dF/dy dy + dF/dyp dyp at (t, y, yp, u), for k > 0 directions dy, dyp [k x n], one after the other. An
 *  algebraic component has no dyp: its is of no meaning. */
typedef int resida_jacobian_times_fn(double t, const double *y, const double *yp, const resida_excitation *e, int k,
                                     const double *dy, const double *dyp, double *out, void *user);

/** A point of Phi, and directions from it; those of the excitations are 0. */
typedef struct resida_motion {
    const double *p;   /**< [n_p] positions; of directions [k x n_p] */
    const double *v;   /**< [n_v] velocities; [k x n_v] */
    const double *a;   /**< [n_v] accelerations; [k x n_v] */
    const double *lam; /**< [n_g + n_h] constraint forces; [k x (n_g + n_h)]; NULL without residual_lam */
} resida_motion;

/** out [k x n_v] = dPhi/dp d.p + dPhi/dv d.v + dPhi/da d.a + dPhi/dlam d.lam at the point, for k > 0 directions, one
 *  after the other. As of residual, without constraint forces. */
typedef int resida_residual_times_fn(double t, const resida_motion *at, const resida_excitation *e, int k,
                                     const resida_motion *d, double *out, void *user);

/** Products. Plain data: fill it after resida_products_init(); copied by resida_problem_create() and
 *  resida_problem_create_dae(). Callbacks get the `user` of the mechanism or DAE, keep its rules, may be called by
 *  several threads where it says thread_safe, and have at least one of these directions at a time, mostly up to 8. */
typedef struct resida_products {
    size_t size;                              /**< sizeof(resida_products), set by resida_products_init() */
    resida_jacobian_times_fn *jacobian_times; /**< of a general DAE; else NULL */
    resida_residual_times_fn *residual_times; /**< of a mechanism with residual or residual_lam, where the residual
                                                   formalism is in use; else NULL */
    double cost; /**< of a product with one direction, in operations as resida_callback_costs has them; 0 (default): as
                      a residual call */
} resida_products;

/** Set every field to "not there" and `size` to its value. */
RESIDA_API void resida_products_init(resida_products *products);

#ifdef __cplusplus
}
#endif
#endif
