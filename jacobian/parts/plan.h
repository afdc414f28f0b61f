/* plan.h - the plan of a setup: what is done about J. renewal.h decides it, setup.c follows it. */
#ifndef RSD_PLAN_H
#define RSD_PLAN_H

#include <resida/jacobian.h>

/** The actions, each with all before it. */
typedef enum rsd_action {
    RSD_KEEP,          /* no setup: J as it is */
    RSD_UPDATE_ALPHA,  /* J of another alpha, and of other excitations */
    RSD_UPDATE_KNOWN,  /* known entries of dF/dyp */
    RSD_UPDATE_BLOCKS, /* all parts that cost no residual call */
    RSD_REPAIR,        /* dF/dy in the directions of an iteration, or else as RSD_EVALUATE */
    RSD_EVALUATE       /* dF/dy */
} rsd_action;

/** The columns of dF/dy that an evaluation evaluates: all; outdated ones; those that the last evaluation, at this
 *  point, left out. */
typedef enum rsd_column_set { RSD_ALL, RSD_OUTDATED, RSD_REST } rsd_column_set;

/** Reasons for an evaluation to do more than differences on the present pattern. */
typedef struct rsd_check_request {
    int is_doubtful;   /* the iteration is in trouble soon after an evaluation */
    int is_slow_again; /* likewise, because it is slow */
    int is_failing;    /* the iteration fails again and again with a J that cannot be improved on this pattern */
    int after_partial; /* the last evaluation left columns out */
    int is_requested;  /* the caller requested a search for new entries */
} rsd_check_request;

typedef struct rsd_plan {
    rsd_action action;
    resida_setup_reason reason; /* for statistics; FIRST: increments, dF/dyp and rates of change are unknown */
    rsd_column_set columns;     /* of an evaluation */
    rsd_check_request check;    /* of an evaluation */
} rsd_plan;

#endif
