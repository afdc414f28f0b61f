/* flexible_run.h - a run of a model of benchmarks/models/flexible. Every failure ends the test. */
#ifndef RESIDA_TEST_FLEXIBLE_RUN_H
#define RESIDA_TEST_FLEXIBLE_RUN_H

#include <resida/all.h>

#include "benchmarks/multibody/beam/beam.h"
#include "test/fixtures/bench_fixture.h"

typedef struct flexible_run {
    const resida_model_class *cls;
    resida_model model;
    resida_problem *problem;
    resida_solver *solver;
    const bm_system *s; /**< of the model */
    resida_state now;
    resida_stats stats;
} flexible_run;

/** Make a model with settings (ended by name NULL), which is freed with the claim; then start it at v0 [n_v], NULL: its
 *  own; in a form, NULL: that of a problem without options. */
void flexible_make(flexible_run *r, const char *model, const bench_setting *settings);
void flexible_start(flexible_run *r, const char *form, const resida_solver_options *o, const double *v0);

/** Both. Tolerances are its own, times `tolerance`; jacobian NULL:
 *  "auto". */
void flexible_open(flexible_run *r, const char *model, const bench_setting *settings, double tolerance,
                   const char *jacobian);

/** Go to t: r->now, r->stats. */
void flexible_go(flexible_run *r, double t);

/** A node's position at r->now. */
mb_vec flexible_node(const flexible_run *r, int node);

#endif
