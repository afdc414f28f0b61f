/* model_cost.h - the costs of callbacks that the solver assumes, and the measured costs. */
#ifndef CMD_MODEL_COST_H
#define CMD_MODEL_COST_H

#include "program/run/run.h"

enum { CMD_COST_NAME = 64 };

/** Indices of costs: callbacks in the order of resida_callback_at(), followed by products. */
enum { CMD_OF_PRODUCTS = sizeof(resida_callback_costs) / sizeof(double), CMD_COSTS };

/** Return the name of cost i in the model, such as "cost.residual". */
const char *cmd_cost_name(int i, char text[CMD_COST_NAME]);

/** Return the name of the callback of cost i, such as "residual". */
const char *cmd_cost_callback(int i);

/** Return 1 if decisions of the strategy depend on costs. */
int cmd_strategy_uses_costs(const char *strategy);

/** Costs in operations; 0: the callback does not exist, or no decision depends on its cost. */
typedef struct cmd_model_cost {
    double taken[CMD_COSTS];    /**< declared by the model, or assumed */
    double measured[CMD_COSTS]; /**< measured at the start */
    int is_said[CMD_COSTS];
} cmd_model_cost;

/** Find the costs of the job's model in its form and formalism. They are measured by the clock, with a dozen or more
 *  calls of each callback. @return RESIDA_OK, or an error code with the reason in why */
resida_status cmd_model_cost_find(const cmd_job *job, cmd_model_cost *cost, resida_message *why);

#endif
