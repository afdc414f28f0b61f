/* plan.h - what a setup of J does. Decided in src/newton/policy.c. */
#ifndef RSD_PLAN_H
#define RSD_PLAN_H

/** What a setup does, each with all before it. */
typedef enum rsd_action {
    RSD_UPDATE_ALPHA,  /* J of another alpha, and of other excitations */
    RSD_UPDATE_KNOWN,  /* known entries of dF/dyp */
    RSD_UPDATE_BLOCKS, /* all that costs no residual call */
    RSD_EVALUATE       /* dF/dy */
} rsd_action;

/** Which columns of dF/dy an evaluation finds: all; those that can have changed; those that the last evaluation, at
 *  this point, left out. */
typedef enum rsd_extent { RSD_ALL, RSD_STALE, RSD_REST } rsd_extent;

/** Why an evaluation may need more than differences on the present pattern. */
typedef struct rsd_trouble {
    int is_doubtful;   /* the iteration is in trouble soon after an evaluation */
    int is_slow_again; /* because it is slow */
    int is_failing;    /* it fails again and again with a J that cannot be made better on this pattern */
    int after_partial; /* the last evaluation left columns out */
    int is_requested;  /* the caller knows that there are new entries */
} rsd_trouble;

/** A setup, as it was decided. */
typedef struct rsd_plan {
    rsd_action action;
    int is_first;        /* increments, dF/dyp and rates of change are unknown: a start */
    rsd_extent extent;   /* of an evaluation */
    rsd_trouble trouble; /* of an evaluation */
} rsd_plan;

#endif
