/* row_calls.h - how often a run has called each callback of the model, and what a call is taken to cost. */
#ifndef CMD_ROW_CALLS_H
#define CMD_ROW_CALLS_H

#include "json_line.h"
#include "row.h"

/** Calls of callback i, in the order of resida_callback_at(); -1: not reported. */
long cmd_calls_of(const resida_stats *s, int i);

/** All of them; NULL without memory. */
json_t *cmd_calls_json(const resida_stats *s);

/** What a call of each is taken to cost, in operations; 0: it is not there, or nothing is decided by it; null, if a
 *  solver does not report them. Likewise. */
json_t *cmd_costs_json(const resida_stats *s);

#endif
