/* model_cost.h - what calls of a model's callbacks are taken to cost, and what they do cost. */
#ifndef BENCH_MODEL_COST_H
#define BENCH_MODEL_COST_H

#include "command/run/run.h"

enum { BENCH_COST_NAME = 64 };

/** Costs: those of callbacks in the order of resida_callback_at(), then that of products. */
enum { BENCH_OF_PRODUCTS = sizeof(resida_callback_costs) / sizeof(double), BENCH_COSTS };

/** What a model calls the cost, "cost.residual". */
const char *bench_cost_name(int i, char text[BENCH_COST_NAME]);

/** What it is of, "residual". */
const char *bench_cost_of(int i);

/** 1: the strategy weighs costs. */
int bench_weighs(const char *strategy);

/** In operations; 0: it is not there, or nothing is decided by it. */
typedef struct bench_model_cost {
    double taken[BENCH_COSTS];    /**< said or assumed */
    double measured[BENCH_COSTS]; /**< at the start */
    int is_said[BENCH_COSTS];
} bench_model_cost;

/** Of the job's model in its form and formalism, measured by the clock: some dozen calls of each callback, or more.
 *  @return RESIDA_OK, or why not, with the reason in why */
resida_status bench_model_cost_find(const bench_job *job, bench_model_cost *cost, resida_message *why);

#endif
