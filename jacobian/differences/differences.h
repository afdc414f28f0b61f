/* differences.h - computes difference quotients of F and of its parts, by groups of columns and by threads.
 *
 * A walk evaluates F at a perturbed point for each group of a task. The point is on side 1, y + delta, or on side -1,
 * y - delta, with the increments delta. The change of F by each group is passed to a function (rsd_receive_change_fn).
 * It is called in the order of the groups and on the caller's thread, even if several threads evaluate F. */
#ifndef RSD_DIFFERENCES_H
#define RSD_DIFFERENCES_H

#include "jacobian/parts/parts.h"
#include "base/profile.h"

#include <stdatomic.h>

typedef struct rsd_differences rsd_differences;

/** Function to be differenced: F as a whole, its formalism part F_a, or its constraint part F_c. */
typedef enum rsd_part { RSD_WHOLE, RSD_FORMALISM, RSD_CONSTRAINT } rsd_part;

/** A task differences one part of F along y (with the factor sy) and yp (with the factor syp). If the system
 *  gives products, a task of any part except the constraint part is exact: it uses products instead of differences. Its
 *  increments are the components of a direction, its F at the point itself is 0, and its change of F is a product. */
typedef struct rsd_task {
    rsd_differences *d;              /* increments and work space */
    rsd_part part;                   /* function to be differenced */
    const resida_jacobian_point *at; /* unperturbed point */
    double sy, syp;                  /* y is perturbed by sy increments, yp by syp increments */
    unsigned bits;                   /* resida_column bits of the columns to be perturbed */
    const unsigned char *marked;     /* [n] 1: the column may be perturbed; NULL: all columns may be perturbed */
    const rsd_colouring *colours;    /* groups of columns; NULL: column by column */
} rsd_task;

/** Change hi - lo of F between two points. */
typedef struct rsd_change {
    int group;               /* group of the perturbed columns */
    const int *columns;      /* [n_columns] perturbed columns */
    int n_columns;           /* number of perturbed columns */
    double *up, *down;       /* [n] owned. up: F on side 1, or on side -1 if F fails there; down: F on side -1 */
    const double *hi, *lo;   /* [n] F at the two points; each is `up`, `down`, or F at the unperturbed point */
    double hi_side, lo_side; /* signed distances of these points from the unperturbed point, in increments */
} rsd_change;

/** Thread that evaluates F at its own perturbed point. */
typedef struct rsd_difference_worker {
    void *user;        /* argument `user` of F in the thread */
    double *y, *yp;    /* [n] perturbed point */
    long calls;        /* calls of F in the current block of groups */
    int verdict;       /* first nonzero result of F; 0: all calls succeeded */
    atomic_int *ended; /* 1 after a failed call in any thread; then no thread begins a call. NULL: one thread */
} rsd_difference_worker;

/** Directions of a block of groups, and products with them. The arrays are NULL if the system has no products. */
typedef struct rsd_product_directions {
    double *dy, *dyp, *out; /* [RSD_AT_ONCE x n] directions (dy, dyp); products of the derivatives of F with them */
} rsd_product_directions;
enum { RSD_AT_ONCE = 8 }; /* maximum number of directions in a call of products */

/** Work space of difference quotients. */
typedef struct rsd_difference_workspace {
    int central;                       /* 1: differences are central, else one-sided */
    rsd_difference_worker caller;      /* data of the calling thread */
    int n_workers;                     /* number of threads */
    rsd_difference_worker *workers;    /* [n_workers] data of each thread; NULL: only the calling thread */
    int n_changes;                     /* maximum number of groups that are evaluated as one block */
    rsd_change *changes;               /* [n_changes] changes of F by each group of a block */
    int *columns;                      /* [n] perturbed columns of a block */
    rsd_product_directions directions; /* directions and products, if the system gives products */
    double *side;                      /* [n] side (1, -1) of each column's last difference; 0: two sides, or none */
} rsd_difference_workspace;

/** Increments and work space of difference quotients. */
struct rsd_differences {
    const rsd_frame *f;             /* data of the engine */
    resida_jacobian_counts *counts; /* counters of the engine */
    rsd_difference_workspace work;  /* workers and changes */
    rsd_profile *profile;           /* profile of times; may be NULL */
    double *y, *yp, *r, *r0;        /* [n] perturbed point (y, yp); r: F there; r0: F at the unperturbed point */
    double *delta;                  /* [n] increments of the last task */
    const double *farther;          /* [n] factors of the caller for the increments; NULL: all are 1 */
    double *nominal;                /* [n] nominal sizes of components, which determine increments */
    double *max_increment;          /* [n] maximum increment of each component (nominal.c) */
    double *sum, *scale;            /* [n] work space between walks, for sums over rows */
};

/** Allocate the data of differences for the options o; f and counts are borrowed. @return 0 if there is no memory */
int rsd_differences_create(rsd_differences *d, const rsd_frame *f, const resida_jacobian_options *o,
                           resida_jacobian_counts *counts);

/** Evaluate a part of F at (t, y, yp) into r [n], and count the call. @return the result of the part's function */
int rsd_evaluate_part(rsd_differences *d, rsd_part part, double t, const double *y, const double *yp, double *r);

/** Return 1 if products of the system (products.c) replace differences of the part. */
static inline int rsd_uses_products(const rsd_differences *d, rsd_part part)
{
    return d->f->s.times != NULL && part != RSD_CONSTRAINT;
}

/** Evaluate k products of the system with directions dy, dyp [k x n] into out [k x n], and count them. products.c
 *  @return 0 on success; else the result of the callback `times` */
int rsd_evaluate_products(rsd_differences *d, double t, const double *y, const double *yp, int k, const double *dy,
                          const double *dyp, double *out);

/** Evaluate the first n changes of an exact task, with several directions per call. products.c */
int rsd_evaluate_group_products(const rsd_task *t, int n);

/** Set r0 [n] to a part of F at the unperturbed point, without a residual call. F_a is F - F_c (parts.h). */
int rsd_set_base_residual(rsd_differences *d, rsd_part part, const resida_jacobian_point *at, double *r0);

/** Evaluate difference quotients of a part along y (sy = 1) and yp (syp), eqs. (16), (20), by the groups q. The columns
 *  are those with one of `bits` that are marked [n] (NULL: all columns). The values [nnz] in these columns are
 *  overwritten.
 *  Cost: one call for each group with such a column, two with central differences. */
int rsd_evaluate_quotients(rsd_differences *d, rsd_part part, const rsd_grouping *q, const resida_jacobian_point *at,
                           double sy, double syp, unsigned bits, const unsigned char *marked, double *values);

/** Set the sides of the last differences to 0. They are not known for columns that were evaluated at another point. */
void rsd_reset_sides(rsd_differences *d);

/** A function that receives the change of F by one group of columns. */
typedef void rsd_receive_change_fn(void *to, const rsd_task *t, const rsd_change *change);

/** Evaluate the change of F by each group with a perturbed column, and call receive(to, t, change). d->r0 is then F at
 *  the unperturbed point, and d->delta the increments. If F cannot be evaluated on one side, the other side is used.
 *  @return the result of F. Cost: a call for each group with a perturbed column, two with central differences. */
int rsd_evaluate_changes(const rsd_task *t, rsd_receive_change_fn *receive, void *to);

/** Set d->delta to the increments of the columns that the task perturbs. */
void rsd_set_increments(const rsd_task *t);

/** Prepare single evaluations of a task: set d->r0, the increments d->delta, and the point (d->y, d->yp). */
int rsd_prepare_changes(const rsd_task *t);

/** Return 1 if the task perturbs column c. */
static inline int rsd_is_column_perturbed(const rsd_task *t, int c)
{
    return t->d->f->columns[c] & t->bits && (!t->marked || t->marked[c]);
}

/** List the columns of a group that the task perturbs. `columns` must have room for all columns of the group.
 *  @return the number of listed columns */
int rsd_list_columns(const rsd_task *t, int group, int *columns);

/** Perturb n columns by `side` increments. In an exact task, set the components of the direction at the columns. */
void rsd_perturb_columns(const rsd_task *t, rsd_difference_worker *worker, const int *columns, int n, double side);

/** Add the residual calls since the counter had the value `before` to the calls that search for the pattern. If
 *  verdict < 0, the last call was refused and is not counted. */
void rsd_count_pattern_calls(rsd_differences *d, long before, int verdict);

/** Return the perturbation of component c by `side` increments, as rounded in y_c + side delta_c. */
double rsd_perturbation(const rsd_task *t, int c, double side);

/** Evaluate F into r [n] with n_columns columns perturbed by side increments. */
int rsd_evaluate_perturbed_F(const rsd_task *t, rsd_difference_worker *worker, const int *columns, int n_columns,
                             double side, double *r);

/** Compute the change of one group. If retry is 0, a nonzero result of F is returned without using the other side. */
int rsd_get_group_change(const rsd_task *t, rsd_difference_worker *worker, rsd_change *change, int retry);

/** Evaluate the first n changes by several threads. *done is set to 0 if begin_workers of the system refused the calls,
 *  or if F could not be evaluated in one of them. In this case no call is counted, and the caller must evaluate the
 *  changes one by one. */
int rsd_evaluate_changes_in_threads(const rsd_task *t, int n, int *done);

/** Call work(worker, context) from up to n threads at once, worker = 0 .. n - 1. Wait for all calls. */
void rsd_execute_in_threads(int n, void (*work)(int worker, void *context), void *context);

#define RSD_MIN_NOMINAL 1.2207031250000000e-04 /* eps^(1/4), minimum nominal size in (17) */

/** Return component i of the direction of a product. It is a power of two near the size of the component, so that
 *  nothing is rounded. of_yp is 1 if yp is perturbed without y. */
double rsd_get_exact_increment(const resida_jacobian_point *at, int i, double nominal, int of_yp);

/** Return the increment of y_i by eq. (17) with a nominal size. Its size is at least the tolerance, its sign is that of
 *  h y'_i, and y_i plus the increment is not rounded. */
double rsd_get_increment(const resida_jacobian_point *at, int i, double nominal, int is_central);

/** Return the increment of y_i for central differences if `rounding` is the relative rounding error of F. */
double rsd_get_rough_increment(const resida_jacobian_point *at, int i, double rounding);

/** Return the increment of yp_i, if yp_i is perturbed without y_i. */
double rsd_get_rate_increment(const resida_jacobian_point *at, int i, double nominal, int is_central);

/** Return the increment of a component relative to its size, for one-sided or for central differences. */
double rsd_get_relative_increment(int is_central);

/** Return the largest of |y_i|, the nominal size and the tolerance of component i. */
double rsd_get_component_size(const resida_jacobian_point *at, int i, double nominal);

/** Choose the nominal sizes of the components before the first evaluation of dF/dy. nominal.c */
void rsd_set_first_nominals(rsd_differences *d);

/** Choose the nominal sizes for the next dF/dy from the last dF/dy, which is part of a J with this alpha. nominal.c */
void rsd_choose_nominals(rsd_differences *d, const rsd_parts *p, double alpha, const resida_jacobian_point *at);

#endif
