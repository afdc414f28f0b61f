/* format.h - what a module that writes files of another tool is given, and what it exports as `resida_format`. */
#ifndef CMD_FORMAT_H
#define CMD_FORMAT_H

#include <stddef.h>
#include <stdio.h>

/** A trajectory: numbers with their names. */
typedef struct cmd_format_data {
    long rows;
    int n;           /**< columns besides t */
    const double *x; /**< [rows][1 + n], t first */
    const char *const *names;
    const char *const *units; /**< [n] NULL: none */
} cmd_format_data;

typedef struct cmd_format {
    size_t size; /**< sizeof(cmd_format) */
    /** All of it into an empty file without a name. @return 0; -1: it failed, with errno where the system said why */
    int (*write)(const cmd_format_data *data, FILE *file);
} cmd_format;

#define CMD_FORMAT_SYMBOL "resida_format"

#endif
