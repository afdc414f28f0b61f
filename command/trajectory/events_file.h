/* events_file.h - the events of a run, a row each; and the first of them in memory for JSON. */
#ifndef CMD_EVENTS_FILE_H
#define CMD_EVENTS_FILE_H

#include "columns.h"
#include "program/files/out_file.h"
#include <jansson.h>

typedef struct cmd_events {
    cmd_out *out;                          /**< without a stream: no file; borrowed */
    const cmd_columns *columns;            /**< of the states before and after; NULL: not written; borrowed */
    const resida_model_contacts *contacts; /**< of the model; NULL: none */
    int hold;                              /**< 1: they hold */
    const char *const *names;              /**< [n_root] of the root functions; NULL: none; borrowed */
    int n_root;
    double *x;       /**< [columns->n] */
    double *outputs; /**< [n_outputs] of the model, after an event */
    long rows;       /**< events */
    json_t *list;    /**< the first ones */
} cmd_events;

/** Begin; columns must be of p and v, or of y and y', and outputs.
 *  @return 0; CMD_EXIT_FAILED after one complaint; to be freed in any case */
int cmd_events_make(cmd_events *events, cmd_out *out, const cmd_columns *columns, const resida_model *model);
void cmd_events_free(cmd_events *events);

/** A sink of events alone. Both structs must outlive the run. */
void cmd_events_sink(cmd_events *events, cmd_sink *sink);

#endif
