/* machine.h - the machine on which measurements are made. */
#ifndef CMD_MACHINE_H
#define CMD_MACHINE_H

#include "program/output/text_table.h"

typedef struct cmd_machine {
    char cpu[128], system[128], kernel[128]; /**< "" is unknown */
    char date[32];                           /**< UTC, time of cmd_machine_ask() */
    long cores;                              /**< online; -1: unknown */
    double load;                             /**< load average of the last minute; < 0: unknown */
} cmd_machine;

void cmd_machine_ask(cmd_machine *m);

/** Fill the table: a row of two cells for each fact, and for the version of each library and peer. */
void cmd_machine_fill(cmd_table *table, const cmd_machine *before, const cmd_machine *after);

#endif
