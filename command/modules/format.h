/* format.h - the interface of a module that writes files of another tool: its input, and its object `resida_format`. */
#ifndef CMD_FORMAT_H
#define CMD_FORMAT_H

#include <stddef.h>
#include <stdio.h>

/** A trajectory: numbers and the names of their columns. */
typedef struct cmd_format_data {
    long rows;
    int n;           /**< columns besides t */
    const double *x; /**< [rows][1 + n], t first */
    const char *const *names;
    const char *const *units; /**< [n]; an entry is NULL if the column has no unit */
} cmd_format_data;

typedef struct cmd_format {
    size_t size; /**< sizeof(cmd_format) */
    /** Write all data to an empty unnamed file. @return 0; -1 on failure, with errno if the system set it */
    int (*write)(const cmd_format_data *data, FILE *file);
} cmd_format;

#define CMD_FORMAT_SYMBOL "resida_format"

#endif
