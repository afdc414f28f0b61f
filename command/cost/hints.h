/* hints.h - what would make a run cheaper by more than a fifth, as far as its counters show it. */
#ifndef CMD_HINTS_H
#define CMD_HINTS_H

#include "program/run/run.h"

/** Fill row->hints of a run of resida that got through. Decided by counts alone, never by the clock, but for that
 *  at the cost of calls, which is far from where the clock could turn it: the same run has the same
 *  hints. */
void cmd_hints(const cmd_job *job, cmd_row *row);

#endif
