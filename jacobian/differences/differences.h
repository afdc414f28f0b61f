/* differences.h - difference quotients of F and of its parts: which columns move together, how far, to which side, by
 * whom.
 *
 * A walk over the groups of a task evaluates F at moved points and hands the change of every group to whoever wants it,
 * in the order of the groups and on the caller's thread, whether the calls were made one by one or several at once. */
#ifndef RSD_DIFFERENCES_H
#define RSD_DIFFERENCES_H

#include "jacobian/parts/parts.h"
#include "src/base/profile.h"

#include <stdatomic.h>

typedef struct rsd_differences rsd_differences;

/** Which function is differenced. */
typedef enum rsd_part { RSD_WHOLE, RSD_DEAR, RSD_CHEAP } rsd_part;

/** Difference a part along y (sy = 1) and yp (syp). Where the system gives products, all but those of the cheap part
 *  are exact: to be moved by an increment is then a component of a direction, F at the point itself counts as 0, and a
 *  change is the product. */
typedef struct rsd_task {
    rsd_differences *d;
    rsd_part part;
    const resida_jacobian_point *at;
    double sy, syp;
    unsigned bits;                /* columns with one of these resida_column bits */
    const unsigned char *marked;  /* [n] of these the ones marked; NULL: all */
    const rsd_colouring *colours; /* which columns move together; NULL: column by column */
} rsd_task;

/** The change of F between two points: hi - lo, at `hi_side` and `lo_side` increments from the point itself. */
typedef struct rsd_change {
    int group;
    double *up, *down;     /* [n] memory */
    const double *hi, *lo; /* [n] in that memory, or F at the point itself */
    double hi_side, lo_side;
} rsd_change;

/** Who calls F, and where: one for each thread. */
typedef struct rsd_lane {
    void *user;
    double *y, *yp; /* [n] */
    long calls;
    int verdict;
    atomic_int *ended; /* not 0: a thread saw a verdict, no call begins any more; NULL: there is no other thread */
} rsd_lane;

/** Directions of a block of groups, and their products; NULL without such. */
typedef struct rsd_directions {
    double *dy, *dyp, *out; /* [RSD_AT_ONCE x n] */
} rsd_directions;
enum { RSD_AT_ONCE = 8 }; /* directions of a call */

/** Work space of differences. */
typedef struct rsd_walkers {
    int central;
    rsd_lane own;        /* the caller's */
    int n_lanes;         /* threads; 1: the caller's alone */
    rsd_lane *lanes;     /* [n_lanes] of several threads */
    int n_changes;       /* groups between two hand-overs */
    rsd_change *changes; /* [n_changes] */
    rsd_directions directions;
    double *side; /* [n] where each column of A was moved to: 1, -1; 0: both */
} rsd_walkers;

/** Who takes differences, of what, and how large increments are. */
struct rsd_differences {
    const rsd_frame *f;
    resida_jacobian_counts *counts; /* of the engine */
    rsd_walkers walkers;
    rsd_profile *profile;    /* NULL: nobody asks for the time */
    double *y, *yp, *r, *r0; /* [n] a perturbed point, a function there, and at the point itself */
    double *delta;           /* [n] increments of the last walk */
    const double *farther;   /* [n] times the usual increments, for a second look; NULL: 1 */
    double *nominal;         /* [n] sizes of components near zero, for increments */
    double *most_increment;  /* [n] what these may come to */
    double *sum, *scale;     /* [n] work space between walks: sums over rows */
};

/** Make it for these options, f and counts borrowed. 0: no memory. */
int rsd_differences_create(rsd_differences *d, const rsd_frame *f, const resida_jacobian_options *o,
                           resida_jacobian_counts *counts);

/** The part at (t, y, yp) into r; counted. The verdict of the function. */
int rsd_call(rsd_differences *d, rsd_part part, double t, const double *y, const double *yp, double *r);

/** 1: products take the place of differences of the part. */
static inline int rsd_is_exact(const rsd_differences *d, rsd_part part)
{
    return d->f->s.times != NULL && part != RSD_CHEAP;
}

/** @name products.c @{ */
/** k products with directions dy, dyp [k x n] at a point, into out [k x n]; counted. The verdict of the system. */
int rsd_products(rsd_differences *d, double t, const double *y, const double *yp, int k, const double *dy,
                 const double *dyp, double *out);

/** The first n changes of an exact task, by calls with several directions. */
int rsd_products_of_groups(const rsd_task *t, int n);
/** @} */

/** The part at the point itself, into r0, without a residual call: dear = F - cheap. */
int rsd_base(rsd_differences *d, rsd_part part, const resida_jacobian_point *at, double *r0);

/** Difference quotients of a part along y (sy = 1) and yp (syp), eqs. (16), (20), by the groups q: the columns with one
 *  of `bits` set, of these the marked ones [n] (NULL: all). The values [nnz] at the entries of these columns are
 *  overwritten.
 *  Cost: one call for each group that holds such a column, two with central differences. */
int rsd_difference(rsd_differences *d, rsd_part part, const rsd_grouping *q, const resida_jacobian_point *at, double sy,
                   double syp, unsigned bits, const unsigned char *marked, double *values);

/** The columns are of no point nearby: sides that walks have noted are forgotten. */
void rsd_forget_sides(rsd_differences *d);

/** Takes the change of one group. */
typedef void rsd_take(void *to, const rsd_task *t, const rsd_change *change);

/** Walk over all groups with a column to be moved. F at the point itself is left in d->r0, increments in d->delta.
 *  A group at which F is not possible is tried on the other side. The verdict of F.
 *  Cost: a call for each such group; two with central differences. */
int rsd_walk(const rsd_task *t, rsd_take *take, void *to);

/** How far the columns that move are to be moved, into d->delta. */
void rsd_increments(const rsd_task *t);

/** Begin a walk without making it: r0, increments, the own lane at the point itself. */
int rsd_walk_begin(const rsd_task *t);

/** The group's columns [*first, *last) in the order of rsd_column(). */
void rsd_group(const rsd_task *t, int group, int *first, int *last);
int rsd_column(const rsd_task *t, int k);

/** 1: the column is to be moved. */
int rsd_moves(const rsd_task *t, int c);

/** Calls since `before`, residual calls of the engine then, become those of the pattern; one that was refused is
 *  none. */
void rsd_note_pattern_calls(rsd_differences *d, long before, int verdict);

/** By how much component c really moves when it is moved by side increments. */
double rsd_moved(const rsd_task *t, int c, double side);

/** The columns of the group moved by side increments, F there into r [n]. */
int rsd_call_moved(const rsd_task *t, rsd_lane *lane, int group, double side, double *r);

/** One group by one lane. retry 0: the first verdict that is not 0 comes back as it is. */
int rsd_difference_group(const rsd_task *t, rsd_lane *lane, rsd_change *change, int retry);

/** The first n changes by several threads. *done 0: not possible, or F was not possible somewhere: nothing has
 *  happened, as far as counters say, and they are to be made one by one. */
int rsd_difference_together(const rsd_task *t, int n, int *done);

/** work(lane, context) by up to n threads at once, lanes 0 .. n - 1; returns when all have. */
void rsd_parallel(int n, void (*work)(int lane, void *context), void *context);

/** @name increment.c: how far a component is moved @{ */
#define RSD_LEAST_NOMINAL 1.2207031250000000e-04 /* eps^(1/4), that of (17) */

/** Component i of an exact direction: about its size, and a power of two, by which nothing is rounded; of yp where it
 *  is moved alone. */
double rsd_exact_increment(const resida_jacobian_point *at, int i, double nominal, int of_yp);

/** Increment of component i, eq. (17) with a nominal size, floored by the error weight, towards the step, exactly
 *  representable. */
double rsd_increment(const resida_jacobian_point *at, int i, double nominal, int is_central);

/** The same where F is rounded to a part `rounding` of a size of 1, by differences that go to both sides. */
double rsd_rough_increment(const resida_jacobian_point *at, int i, double rounding);

/** Of yp_i, where it is moved alone. */
double rsd_rate_increment(const resida_jacobian_point *at, int i, double nominal, int is_central);

/** What part of the size of a component an increment is. */
double rsd_increment_part(int is_central);

/** What increments are a part of: the size of component i, not less than its nominal one and the error weight's. */
double rsd_size(const resida_jacobian_point *at, int i, double nominal);
/** @} */

/** @name nominal.c: how large a component is taken to be where it is near zero @{ */
/** Before there is a dF/dy. */
void rsd_first_nominals(rsd_differences *d);

/** For the next dF/dy, from the one before, which was part of a J at alpha. */
void rsd_choose_nominals(rsd_differences *d, const rsd_parts *p, double alpha, const resida_jacobian_point *at);
/** @} */

#endif
