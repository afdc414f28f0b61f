/* grouped.h - a matrix A = dx/dp that the model does not give, by central differences of x(t, p): dg/dp, and K; or, to
 * rounding, by products with groups of unit vectors, where the model gives these.
 *
 *     a_ij = (x_i(p + d) - x_i(p - d)) / 2 d_j,    d: the increments of a group of columns that share no row
 *
 * Where tolerances are so tight that their errors, nu^(2/3), would limit the steps, quotients are of fourth order, with
 * d and 2 d: they leave nu^(4/5).
 *
 * Which entries there are is learnt and checked, not believed. The first evaluations go column by column, and list what
 * is not zero. Later ones go by groups, and end with a product with a direction of its own: what the entries do not
 * explain is a missing one, and that evaluation goes column by column. x_i that does not depend on p_j is the same to
 * the last bit when it moves, so groups find the same bits as columns. */
#ifndef RSD_GROUPED_H
#define RSD_GROUPED_H

#include "jacobian/pattern/colouring.h"
#include "scales.h"
#include "base/linear/csr.h"

/** out [rows of A] = A x, x [cols of A], at (t, p). */
typedef int rsd_product_fn(struct rsd_mechanism *k, double t, const double *p, const double *x, double *out);

/** What a matrix is found by: differences of x, or products, where there is one. */
typedef struct rsd_function {
    rsd_eval_fn *value;
    rsd_product_fn *product; /* NULL: differences */
} rsd_function;

typedef struct rsd_grouped {
    const rsd_csr *A;      /* places that entries may have, borrowed */
    unsigned char *seen;   /* [nnz of A] 1: it is an entry */
    rsd_sparsity pattern;  /* of the entries, as long as there are groups */
    rsd_colouring colours; /* on it */
    int *at;               /* [nnz of the pattern] where its entries are in A */
    long number;           /* counts the groups that were made */
    int is_grouped;        /* pattern, colours and at are there */
    int pays;              /* groups are fewer calls than columns */
    int quiet;             /* evaluations column by column since the last new entry */
    int is_learnt;         /* 1: the places are found by rsd_learnt_G(): always groups; .. */
    int lacks_places;      /* .. and the last evaluation by them has left a change unexplained */
    double *last_p;        /* [cols] where the last of them was */
    double *up, *down;     /* [groups x rows] x on both sides of p is left there by groups, memory of the caller */
    double *step, *moved;  /* [cols] increments; what a column is moved by, then from one side to the other */
    rsd_scale *scale;      /* [cols] what increments are parts of */
    double far;            /* lengths: a column that has moved farther is looked at again */
    int is_measured;       /* scales are those of the groups at hand */
    long look;             /* where they were looked at */

    /* Are entries missing? The change of x along a direction. */
    long n_checks;       /* each has a direction of its own */
    int *all;            /* [cols] all columns */
    double *move;        /* [cols] the direction */
    double *change;      /* [rows] of x along the direction; and its size, for rounding */
    double *size;        /* [rows] */
    double *allowed;     /* [rows] of the sum of terms: what may be unexplained */
    double *unexplained; /* [rows] what was, when all entries were there */
} rsd_grouped;

/** @param is_given  the places are the model's own: they are entries from the beginning. 0: no memory; to be freed in
 *                   any case */
int rsd_grouped_create(rsd_grouped *q, const rsd_csr *A, int is_given, const resida_allocator *alloc);

/** q->A, which is learnt, has other places. 0: no memory */
int rsd_grouped_has_grown(rsd_grouped *q, const resida_allocator *alloc);

/** What the last evaluation at p left unexplained is not a missing place. */
void rsd_grouped_is_complete(rsd_grouped *q, const double *p, const double *values);

/** A at (t, p), values in the order of q->A. Where a group is not possible, it goes column by column.
 *  Cost: two calls of x for each group and two for the check, or two for each column, of fourth order twice that; one
 *  product instead. The verdict of the callbacks. */
int rsd_difference_matrix(struct rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, double t, const double *p,
                          double *values);

/** 1: the next matrix is tried by groups. */
static inline int rsd_grouped_is_ready(const rsd_grouped *q)
{
    return q->is_grouped && q->pays;
}

/** dg/dp around a point p0, where the model gives neither it nor products:
 *
 *     dg/dp (p) = dg/dp (p0) + H (p - p0),    H: second differences of g by pairs of groups of columns
 *
 * For the differences of the curvature of constraint forces: they ask for dg/dp at a point for each of their own
 * groups, and each would cost the groups of dg/dp, twice. H costs half the square of these, once. */
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
