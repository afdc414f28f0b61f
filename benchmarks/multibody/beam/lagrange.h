/* lagrange.h - shape functions of lines and the rules of integration that go with them. */
#ifndef BM_LAGRANGE_H
#define BM_LAGRANGE_H

/** Highest order, most nodes of an element, most points of a rule. */
enum { BM_MAX_ORDER = 3, BM_MAX_NODES = BM_MAX_ORDER + 1, BM_MAX_POINTS = BM_MAX_NODES };

/** Lagrange polynomials of the given order on nodes that are evenly spaced over -1 .. 1, at x.
 *  @param[out] N   [order + 1] values
 *  @param[out] dN  [order + 1] derivatives with respect to x */
void bm_shape(int order, double x, double *N, double *dN);

/** Gauss's rule on -1 .. 1, exact for polynomials of degree 2 n - 1; 1 <= n <= BM_MAX_POINTS.
 *  @param[out] x, weight  [n] */
void bm_gauss(int n, double *x, double *weight);

#endif
