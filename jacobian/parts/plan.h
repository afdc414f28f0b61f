/* plan.h - the plan of a setup: which parts of J are updated. renewal.c makes a plan, setup.c executes it. */
#ifndef RSD_PLAN_H
#define RSD_PLAN_H

#include <resida/jacobian.h>

/** The actions; each includes the updates of those before it. After all except RSD_KEEP, J is factored. */
typedef enum rsd_action {
    RSD_KEEP,          /* no setup: J is kept */
    RSD_UPDATE_ALPHA,  /* use the present alpha; evaluate no derivative */
    RSD_UPDATE_KNOWN,  /* evaluate the known entries of dF/dyp */
    RSD_UPDATE_BLOCKS, /* evaluate all parts that cost no residual call */
    RSD_REPAIR,        /* repair dF/dy in a few directions; if that fails, evaluate it */
    RSD_EVALUATE       /* evaluate dF/dy */
} rsd_action;

/** The columns of dF/dy that an evaluation evaluates: all columns; the outdated columns; the columns that the last
 *  evaluation, at the same point, left out. */
typedef enum rsd_column_set { RSD_ALL, RSD_OUTDATED, RSD_REST } rsd_column_set;

/** Reasons for an evaluation to check or extend the pattern. */
typedef struct rsd_check_request {
    int is_doubtful;   /* slow or failed convergence soon after an evaluation */
    int is_slow_again; /* slow convergence soon after an evaluation */
    int is_failing;    /* repeated failures with a J that cannot be improved on this pattern */
    int after_partial; /* the last evaluation left columns out */
    int is_requested;  /* a search for new entries: on request, or because a current J is singular */
} rsd_check_request;

typedef struct rsd_plan {
    rsd_action action;
    resida_setup_reason reason; /* counted; FIRST also resets increments, dF/dyp and rates of change */
    rsd_column_set columns;     /* the columns that an evaluation evaluates */
    rsd_check_request check;    /* the reasons for an evaluation to check the pattern */
} rsd_plan;

#endif
