/* hints.h - does the cost that a model states, or that is assumed for it, mislead the choice of updates? */
#ifndef CMD_HINTS_H
#define CMD_HINTS_H

#include "program/run/run.h"

/** Add a hint to those that the library has of a run of resida that ended well. Costs of calls are measured again; a
 *  hint needs a factor of 16, so that equal runs have equal hints. */
void cmd_hint_cost(const cmd_job *job, cmd_row *row);

#endif
