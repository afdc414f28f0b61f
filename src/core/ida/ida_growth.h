/* ida_growth.h - IDA doubles a step as soon as its error estimate allows it, and forgets that it did not work the last
 * time: where a longer step fails its error test again and again, every other attempt is wasted. So the third failure
 * in a row that comes soon after the one before keeps the step from growing for a while, and each one after it twice as
 * long.
 *
 * A step that could grow by less than two stays as it is: high orders stand changes of the step badly. Orders 1 to 3
 * mind less; where only they are allowed, steps that stay small while vibrations die away are steps lost. */
#ifndef RSD_IDA_GROWTH_H
#define RSD_IDA_GROWTH_H

#define RSD_SAME_PLACE 1e-3 /* of h: attempts that begin so near to each other begin at the same point */

typedef struct rsd_growth {
    double t_from; /* where the last attempt began */
    int converged; /* it did; so if it is made again, its error test failed */
    int in_a_row;  /* failures, each soon after the one before */
    int wait;      /* steps without growth after the last failure, ... */
    int left;      /* of which so many are left */
    int since;     /* steps since */
    int limit;     /* of the order, under which steps grow little by little; 0: none */
} rsd_growth;

/** The integration restarts. ida NULL: there is none yet. */
void rsd_growth_reset(rsd_growth *g, void *ida);

/** From now on steps grow little by little, under a limit of the order, or, with 0, only by two. */
void rsd_growth_set_steady(rsd_growth *g, void *ida, int limit);

/** An attempt begins at t_from, of a step h. */
void rsd_growth_begin(rsd_growth *g, void *ida, double t_from, double h);

/** It has ended. */
void rsd_growth_end(rsd_growth *g, int converged);

#endif
