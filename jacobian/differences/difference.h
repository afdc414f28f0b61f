/* difference.h - how difference quotients are taken: which columns move together, on which side, by whom.
 *
 * A walk over the groups of a task evaluates F at moved points and hands the change of every group to whoever wants it,
 * in the order of the groups and on the caller's thread, whether the calls were made one by one or several at once. */
#ifndef RSD_DIFFERENCE_H
#define RSD_DIFFERENCE_H

#include <resida/jacobian.h>

#include "jacobian/pattern/colouring.h"

#include <stdatomic.h>

/** Which function is differenced. */
typedef enum rsd_part { RSD_WHOLE, RSD_DEAR, RSD_CHEAP } rsd_part;

/** Difference a part along y (sy = 1) and yp (syp). */
typedef struct rsd_task {
    resida_jacobian *j;
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
    atomic_int
        *ended; /* not 0: another thread saw a verdict, no call begins any more; NULL: there is no other thread */
} rsd_lane;

/** Work space of differences. */
typedef struct rsd_walkers {
    int central;
    rsd_lane own;        /* the caller's */
    int n_lanes;         /* threads; 1: the caller's alone */
    rsd_lane *lanes;     /* [n_lanes] of several threads */
    int n_changes;       /* groups between two hand-overs */
    rsd_change *changes; /* [n_changes] */
    double *side;        /* [n] where each column of A was moved to: 1, -1; 0: both */
} rsd_walkers;

/** Takes the change of one group. */
typedef void rsd_take(void *to, const rsd_task *t, const rsd_change *change);

/** Walk over all groups with a column to be moved. F at the point itself is left in j->r0, increments in j->delta.
 *  A group at which F is not possible is tried on the other side. The verdict of F.
 *  Cost: a call for each such group; two with central differences. */
int rsd_walk(const rsd_task *t, rsd_take *take, void *to);

/** How far the columns that move are to be moved, into j->delta. */
void rsd_increments(const rsd_task *t);

/** Begin a walk without making it: r0, increments, the own lane at the point itself. */
int rsd_walk_begin(const rsd_task *t);

/** The group's columns [*first, *last) in the order of rsd_column(). */
void rsd_group(const rsd_task *t, int group, int *first, int *last);
int rsd_column(const rsd_task *t, int k);

/** 1: the column is to be moved. */
int rsd_moves(const rsd_task *t, int c);

/** By how much component c really moves when it is moved by side increments. */
double rsd_moved(const rsd_task *t, int c, double side);

/** The columns of the group moved by side increments, F there into r [n]. */
int rsd_call_moved(const rsd_task *t, rsd_lane *lane, int group, double side, double *r);

/** One group by one lane. retry 0: the first verdict that is not 0 comes back as it is. */
int rsd_difference_group(const rsd_task *t, rsd_lane *lane, rsd_change *change, int retry);

/** The first n changes by several threads. *done 0: not possible, or F was not possible somewhere: nothing has
 *  happened, as far as counters say, and they are to be made one by one. */
int rsd_difference_together(const rsd_task *t, int n, int *done);

/** Make the work space for these options. 0: no memory. */
int rsd_walkers_reserve(resida_jacobian *j, const resida_jacobian_options *o);
void rsd_walkers_free(resida_jacobian *j);

/** work(lane, context) by up to n threads at once, lanes 0 .. n - 1; returns when all have. */
void rsd_parallel(int n, void (*work)(int lane, void *context), void *context);

#endif
