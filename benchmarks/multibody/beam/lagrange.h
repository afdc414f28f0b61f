/* lagrange.h - shape functions of line elements and their integration rules. */
#ifndef BM_LAGRANGE_H
#define BM_LAGRANGE_H

/** Maximum order, nodes of an element, points of a rule. */
enum { BM_MAX_ORDER = 3, BM_MAX_NODES = BM_MAX_ORDER + 1, BM_MAX_POINTS = BM_MAX_NODES };

/** Evaluate at x the Lagrange polynomials of the given order for evenly spaced nodes in -1 .. 1.
 *  @param[out] N   [order + 1] values
 *  @param[out] dN  [order + 1] derivatives with respect to x */
void bm_shape(int order, double x, double *N, double *dN);

/** Set the points and weights of Gauss's rule on -1 .. 1, exact for polynomials of degree 2 n - 1; 1 <= n <=
 *  BM_MAX_POINTS.
 *  @param[out] x, weight  [n] */
void bm_gauss(int n, double *x, double *weight);

#endif
