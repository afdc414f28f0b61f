/* run_end.h - where a run has come to: what an error is measured by, and what is told of the end. */
#ifndef BENCH_RUN_END_H
#define BENCH_RUN_END_H

#include <resida/model.h>
#include <resida/solver.h>

/** Positions or y, velocities, multipliers at one time. Zeroed: none. */
typedef struct bench_run_end {
    int n_p, n_v, n_lam;
    double t, *p, *v, *lam; /**< one block, owned by p; what is not known is NaN */
    double reached;         /**< time of the state that is kept, NaN: none */
} bench_run_end;

/** Room for the end at t, nothing known; t = -INFINITY: for each state, the last one stays.
 *  @return 0; -1 without memory */
int bench_run_end_make(bench_run_end *e, const resida_model *m, double t);

/** Keep a state that is not before t. */
void bench_run_end_keep(bench_run_end *e, const resida_state *state);

/** The same by arrays, NULL: not wanted. */
void bench_run_end_give(const bench_run_end *e, double *p, double *v, double *lam);

void bench_run_end_free(bench_run_end *e);

#endif
