/* curvature.h - dg/dp around a point p0, where the model gives neither it nor products:
 *
 *     dg/dp (p) = dg/dp (p0) + H (p - p0),    H: second differences of g by pairs of groups of columns
 *
 * For the differences of the curvature of constraint forces: they ask for dg/dp at a point for each of their own
 * groups, and each would cost the groups of dg/dp, twice. H costs half the square of these, once. */
#ifndef RSD_CURVATURE_H
#define RSD_CURVATURE_H

#include "grouped.h"

typedef struct rsd_curvature {
    int is_on;          /* dg/dp is found this way */
    long number;        /* of the groups that memory is laid out for; 0: none */
    double *p0, *moved; /* [n_p]; p - p0 */
    double *values0;    /* [nnz of dg/dp] at p0 */
    double *g0;         /* [n_g] */
    double *up, *down;  /* [groups x n_g] g on both sides of p0 */
    double *H;          /* by rows: the second derivatives by its entries, a square each */
    long *start;        /* [n_g + 1] of each square */
    int *entry;         /* [n_g x groups] which entry of a row is in a group; -1: none */
    int n_groups;
} rsd_curvature;

/** Begin at (t, p): dg/dp and H there. Where that is not possible, or would not pay, it stays off. The verdict of the
 *  callbacks, or RESIDA_ERR_MEMORY.  Cost: dg/dp, a call of g, and one for each pair of groups. */
int rsd_curvature_begin(struct rsd_mechanism *k, double t, const double *p);
void rsd_curvature_end(struct rsd_mechanism *k);

/** dg/dp at p into k->gp_values. */
void rsd_curvature_matrix(struct rsd_mechanism *k, const double *p);

#endif
