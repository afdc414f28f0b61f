/* hints.h - hints about declared or assumed costs of calls that are wrong. */
#ifndef CMD_HINTS_H
#define CMD_HINTS_H

#include "program/run/run.h"

/** Add a hint to those of the library after a successful run of resida. The costs of calls are measured again. A hint
 *  requires a factor of 16, so that equal runs give equal hints. */
void cmd_hint_cost(const cmd_job *job, cmd_row *row);

#endif
