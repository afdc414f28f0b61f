/* tangents.h - what `solve --sensitivity` asks for, as the library wants it: the model once more for each parameter,
 * with that one moved. */
#ifndef BENCH_TANGENTS_H
#define BENCH_TANGENTS_H

#include "run.h"

/** One of them. */
typedef struct bench_tangent {
    const resida_model_class *cls;
    resida_model model;
    resida_problem *problem;
    double *direction; /**< of the start: of y, of a mechanism p and then v */
} bench_tangent;

/** All of a run. Zeroed: none. */
typedef struct bench_tangents {
    int n;
    bench_tangent *each; /**< [n] */
} bench_tangents;

/** For the solver and the run of h, which are open. Nothing without derivatives in the job.
 *  @return RESIDA_OK; RESIDA_ERR_OPTION: what is asked for there is not; what the library says. To be closed in any
 *          case */
resida_status bench_tangents_open(bench_tangents *t, const bench_handles *h, const bench_job *job, resida_message *why);

/** After solver and run were freed. */
void bench_tangents_close(bench_tangents *t);

#endif
