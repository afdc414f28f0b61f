/* run_impl.h - what a run keeps between calls. */
#ifndef RSD_RUN_IMPL_H
#define RSD_RUN_IMPL_H

#include <resida/run.h>

#include "src/solver/solver_impl.h"

struct resida_run {
    const resida_model *model;
    resida_solver *solver;
    resida_start_options start;
    int n, n_yp;                  /* of y, yp as events have them */
    double *y, *yp;               /* [n], [n_yp] */
    double *y_before, *yp_before; /* [n], [n_yp] what the model was asked with last */
    resida_happening last;        /* the event of this advance */
    int is_last;                  /* there was one */
    int *direction;               /* [n_root] */
    double t_next;                /* of the next event by time */
    double t_stop;                /* the solver's own */
    int ended;                    /* the model ended it */
};

/** The model is asked what there is at its start, y and yp of which are in the run then. As ask(). */
resida_status rsd_run_begin(resida_run *run, resida_model_event *event);

#endif
