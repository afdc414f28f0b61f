/* strain.h - strains of a geometrically exact beam at a point, their rates and the conjugate forces.
 *
 * The beam is a line r(s) with three directors d1, d2, d3; d1 and d2 span the cross section, d3 is its normal.
 *
 *     Gamma_a = d_a . r' - Gamma0_a                              shear along d1, d2; stretch along d3
 *     K_a     = (d_c . d_b' - d_b . d_c')/2 - K0_a               bending about d1, d2; torsion; (a, b, c) cyclic
 *
 * The strains are invariant under rigid motions of the nodes for any interpolation. They are bilinear in the fields
 *
 *     X = (r', d1, d2, d3, d1', d2', d3')                        [7] vectors
 *
 * Therefore their gradient is linear in X and their second derivative is constant. P. Betsch, P. Steinmann:
 * Frame-indifferent beam finite elements based upon the geometrically exact beam theory, Int. J. Numer. Meth. Engng. 54
 * (2002). */
#ifndef BM_STRAIN_H
#define BM_STRAIN_H

#include "lagrange.h"

/** Numbers of: coordinates of a node (r, d1, d2, d3); vectors of X; components of X; strains Gamma1 .. 3, K1 .. 3. */
enum { BM_P = 12, BM_FIELDS = 7, BM_X = 3 * BM_FIELDS, BM_STRAINS = 6 };

/** Indices of vectors of X: r', the first of d1 .. d3, the first of d1' .. d3'. */
enum { BM_SLOPE = 0, BM_DIRECTOR = 1, BM_TURN = 4 };

typedef double bm_fields[BM_FIELDS][3];

/** An integration point. */
typedef struct bm_point {
    double length;                               /**< weight: length of the line at the point [m] */
    double N[BM_MAX_NODES], slope[BM_MAX_NODES]; /**< shape functions and their derivatives along the line [1/m] */
    double at_rest[BM_STRAINS];                  /**< Gamma0, K0 */
} bm_point;

/** Interpolate X from the nodes. node [n] points to the BM_P coordinates of each node, or to velocities for X'. */
void bm_fields_at(const bm_point *point, int n, const double *const *node, bm_fields X);

/** Compute Gamma + Gamma0, K + K0 [BM_STRAINS]. */
void bm_strain(bm_fields X, double *strain);

/** Compute the rates of the strains for X' = V. */
void bm_strain_rate(bm_fields X, bm_fields V, double *rate);

/** Compute F = sum_k stress_k d(strain_k)/dX, linear in `stress` and in X. */
void bm_work(const double *stress, bm_fields X, bm_fields F);

#endif
