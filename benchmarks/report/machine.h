/* machine.h - on what something was measured. */
#ifndef CMD_MACHINE_H
#define CMD_MACHINE_H

#include "program/output/text_table.h"

typedef struct cmd_machine {
    char cpu[128], system[128], kernel[128]; /**< "" is unknown */
    char date[32];                           /**< UTC, when it was asked */
    long cores;                              /**< online; -1: unknown */
    double load;                             /**< processes that wanted a core in the last minute; < 0: unknown */
} cmd_machine;

void cmd_machine_ask(cmd_machine *m);

/** A row of two cells for each fact, and for each version of what takes part. */
void cmd_machine_fill(cmd_table *table, const cmd_machine *before, const cmd_machine *after);

#endif
