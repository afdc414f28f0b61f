/* grouped.h - computes a matrix A = dx/dp that the model does not give (dg/dp or K), by central differences of x(t, p).
 * If the model gives products, A is computed from products with groups of unit vectors, accurate to rounding.
 *
 *     a_ij = (x_i(p + d) - x_i(p - d)) / 2 d_j,    d: the increments of a group of columns that share no row
 *
 * The relative error of these quotients is nu^(2/3), where nu is the relative rounding error of x (scales.h). If the
 * tolerances are so tight that this error would limit the step size, quotients of fourth order with increments d and 2
 * d are used. Their relative error is nu^(4/5).
 *
 * The positions of the entries are learnt and checked. The first evaluations displace one column at a time, and record
 * the entries that are not zero. Later evaluations displace groups of columns, and end with a check. The check
 * evaluates the change of x along a new direction. If the entries do not predict this change, an entry is missing, and
 * the evaluation is repeated column by column. If x_i does not depend on p_j, a change of p_j leaves x_i the same to
 * the last bit. Therefore differences by groups and by columns have the same bits. */
#ifndef RSD_GROUPED_H
#define RSD_GROUPED_H

#include "jacobian/pattern/colouring.h"
#include "scales.h"
#include "base/linear/csr.h"

/** A function that computes out [rows of A] = A x at (t, p), with x [cols of A]. Return values as for rsd_eval_fn. */
typedef int rsd_product_fn(struct rsd_mechanism *k, double t, const double *p, const double *x, double *out);

/** Function x(t, p), with products of dx/dp if the model gives them. */
typedef struct rsd_function {
    rsd_eval_fn *value;      /* function that evaluates x(t, p) */
    rsd_product_fn *product; /* function for (dx/dp) times a vector; NULL: differences */
} rsd_function;

/** Matrix A = dx/dp computed by differences. */
typedef struct rsd_grouped {
    const rsd_csr *A;        /* pattern of the possible entries; owned by the caller */
    unsigned char *seen;     /* [nnz of A] 1: the entry has been nonzero */
    rsd_sparsity pattern;    /* pattern of the nonzero entries, if is_grouped */
    rsd_colouring colours;   /* groups of columns without a common row in `pattern` */
    int *at;                 /* [nnz of pattern] index in A of each entry */
    long number;             /* number of times that the groups were built */
    int is_grouped;          /* 1: pattern, colours and at are set */
    int is_cheaper;          /* 1: an evaluation by groups takes fewer calls of x than one by columns */
    int quiet;               /* consecutive evaluations by columns without a new entry */
    int is_learnt;           /* 1: the pattern is found by rsd_eval_learnt_G(), and groups are always used */
    int may_lack_entries;    /* 1: the last check failed, and entries may be missing */
    double *last_p;          /* [cols] positions of the last evaluation by columns */
    double *up, *down;       /* [groups x rows] arrays for x(p + d) and x(p - d) of each group; NULL: not needed */
    double *step, *moved;    /* [cols] increments d_j; displacements, then distances between p + d and p - d */
    rsd_scale *scale;        /* [cols] scales of the coordinates, which determine increments */
    rsd_scale_search search; /* state of the searches for scales */

    /* The check for missing entries evaluates the change of x along a direction. It uses the following members. */
    long n_checks;       /* number of checks, which selects the direction of the next one */
    int *all;            /* [cols] all columns: 0, 1, ... */
    double *move;        /* [cols] distance between both points of the check */
    double *change;      /* [rows] x(p + d) - x(p - d) */
    double *size;        /* [rows] |x(p + d)| + |x(p - d)|, for the rounding error of `change` */
    double *allowed;     /* [rows] allowed difference between `change` and its prediction, relative to the terms */
    double *unexplained; /* [rows] last relative unpredicted change for which no missing entry was found */
} rsd_grouped;

/** Allocate and initialise the data q of a matrix with the pattern A.
 *  @param is_given  1: the model gives the pattern, so that all its positions are entries from the beginning
 *  @return 1 on success, 0 if there is no memory. The owner of alloc frees q in both cases. */
int rsd_grouped_create(rsd_grouped *q, const rsd_csr *A, int is_given, const resida_allocator *alloc);

/** Build the groups of columns from the entries that have been nonzero. Return 0 if there is no memory. */
int rsd_grouped_group_seen(rsd_grouped *q, const resida_allocator *alloc);

/** Rebuild the groups of columns after entries were added to a learnt pattern q->A. Return 0 if there is no memory. */
int rsd_grouped_rebuild_groups(rsd_grouped *q, const resida_allocator *alloc);

/** Compute q->change [rows] = x(p + d) - x(p - d) and q->size [rows] = |x(p + d)| + |x(p - d)| for the displacement d =
 *  q->moved [cols]. q->move [cols] is set to the distance between both points. work.x_np must be p.
 *  Cost: two calls of x (four for quotients of fourth order), or one product. */
int rsd_grouped_eval_change(struct rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, double t, const double *p);

/** Return |q->change[i] - sum_j a_ij q->move[j]|, the change of x_i that the entries a_ij in `values` do not predict.
 *  Set *terms to sum_j |a_ij q->move[j]|, and *rounding to the rounding error of x_i. */
double rsd_grouped_compute_unpredicted_change(const rsd_grouped *q, int i, const double *p, const double *values,
                                              double *terms, double *rounding);

/** Allow the unpredicted change of the last check at p in later checks. It is due to curvature or noise of x. */
void rsd_grouped_tolerate_error(rsd_grouped *q, const double *p, const double *values);

/** Evaluate A at (t, p), with values in the order of q->A. If x cannot be evaluated with a group displaced, columns are
 *  displaced one by one. Return 0 on success, > 0 if x could not be evaluated, < 0 on a fatal error.
 *  Cost: two calls of x for each group and two for the check, or two for each column. Quotients of fourth order take
 *  twice as many calls. If products are given, one product replaces two calls. */
int rsd_difference_matrix(struct rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, double t, const double *p,
                          double *values);

/** Return 1 if the next evaluation of A will displace groups of columns. */
static inline int rsd_grouped_will_use_groups(const rsd_grouped *q)
{
    return q->is_grouped && q->is_cheaper;
}

/** An approximation of dg/dp near a point p0, if the model gives neither dg/dp nor products:
 *
 *      dg/dp (p) = dg/dp (p0) + H (p - p0),    H: second differences of g by pairs of groups of columns
 *
 *  Differences of constraint forces with respect to p need dg/dp at many points, one for each group of columns of J.
 *  Each dg/dp takes two calls of g for each group of its columns. H takes one call for each pair of groups, once. */
typedef struct rsd_curvature {
    int is_on;              /* 1: dg/dp is computed from second differences */
    int is_accurate;        /* 1: differences of fourth order with an error bound, also by excitations */
    long number;            /* number of the groups (rsd_grouped.number) for which memory is allocated; 0: none */
    int n_groups, n_inputs; /* number of column groups of dg/dp; number of excitations among the coordinates */
    double *at, *moved;     /* [n_p + n_inputs] expansion point p0, u0; displacement from it, in increments */
    double *step;           /* [n_p + n_inputs] increments */
    double *values0;        /* [nnz of dg/dp] dg/dp at the point */
    double *g0;             /* [n_g] g at the point */
    double *up, *down;      /* [(groups + n_inputs) x n_g] g displaced forwards and backwards in each direction */
    double *H;              /* second differences of g in increments; for each row of dg/dp with m entries, a matrix
                                 [(m + n_inputs) x m] */
    double *D, *D2;         /* if is_accurate: second differences with one and with two increments */
    double *error;          /* if is_accurate: error bounds of H */
    long *start;            /* [n_g + 1] index in H of the matrix of each row */
    int *entry;             /* [n_g x (groups + n_inputs)] index, within row i of dg/dp, of its entry in group j, or
                                 m plus the index of an excitation; -1: none */
} rsd_curvature;

/** Evaluate dg/dp and H at (t, p). Until rsd_curvature_end(), dg/dp is then computed from H. If H cannot be computed,
 *  is_on is 0. Return 0 on success, > 0 if dg/dp could not be evaluated, < 0 on a fatal error. Cost: an evaluation of
 *  dg/dp, a call of g, and a call of g for each pair of groups. */
int rsd_curvature_begin(struct rsd_mechanism *k, double t, const double *p);
/** The same with differences of fourth order, also by excitations. Return > 0 also if H could not be computed. Cost: an
 *  evaluation of dg/dp, two calls of g for each column, and four for each group and each pair of groups; several times
 *  as many if the lengths of the scales are inaccurate. */
int rsd_curvature_begin_accurate(struct rsd_mechanism *k, double t, const double *p);
void rsd_curvature_end(struct rsd_mechanism *k);

/** Compute dg/dp(p0) + H (p - p0) into k->gp_values. */
void rsd_curvature_eval(struct rsd_mechanism *k, const double *p);

/** Compute error bounds out [n_p] of the derivatives of (dg/dp)' lam by p_c after rsd_curvature_begin_accurate().
 *  noise: relative error that is added. */
void rsd_curvature_bound_errors(const struct rsd_mechanism *k, const double *lam, int c, double noise, double *out);

#endif
