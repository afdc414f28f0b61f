/* model_cost.h - what calls of a model's callbacks are taken to cost, and what they do cost. */
#ifndef CMD_MODEL_COST_H
#define CMD_MODEL_COST_H

#include "program/run/run.h"

enum { CMD_COST_NAME = 64 };

/** Costs: those of callbacks in the order of resida_callback_at(), then that of products. */
enum { CMD_OF_PRODUCTS = sizeof(resida_callback_costs) / sizeof(double), CMD_COSTS };

/** What a model calls the cost, "cost.residual". */
const char *cmd_cost_name(int i, char text[CMD_COST_NAME]);

/** What it is of, "residual". */
const char *cmd_cost_of(int i);

/** 1: the strategy weighs costs. */
int cmd_weighs(const char *strategy);

/** In operations; 0: it is not there, or nothing is decided by it. */
typedef struct cmd_model_cost {
    double taken[CMD_COSTS];    /**< said or assumed */
    double measured[CMD_COSTS]; /**< at the start */
    int is_said[CMD_COSTS];
} cmd_model_cost;

/** Of the job's model in its form and formalism, measured by the clock: some dozen calls of each callback, or more.
 *  @return RESIDA_OK, or why not, with the reason in why */
resida_status cmd_model_cost_find(const cmd_job *job, cmd_model_cost *cost, resida_message *why);

#endif
