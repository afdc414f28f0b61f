/* events_file.h - the events of a run, one row each, and the first events in memory for JSON. */
#ifndef CMD_EVENTS_FILE_H
#define CMD_EVENTS_FILE_H

#include "columns.h"
#include "program/files/out_file.h"
#include <jansson.h>

typedef struct cmd_events {
    cmd_out *out;                          /**< no file if without a stream; borrowed */
    const cmd_columns *columns;            /**< columns of the states before and after; NULL if not written; borrowed */
    const resida_model_contacts *contacts; /**< contacts of the model, or NULL */
    int hold;                              /**< 1 if contacts can hold */
    const char *const *names;              /**< [n_root] names of root functions, or NULL; borrowed */
    int n_root;
    double *x;       /**< [columns->n] */
    double *outputs; /**< [n_outputs] of the model, after an event */
    long rows;       /**< number of events */
    json_t *list;    /**< the first events */
} cmd_events;

/** Initialize the writer. Columns must be p and v, or y and y', and outputs. @return 0; CMD_EXIT_FAILED after one
 *  complaint; to be freed in any case */
int cmd_events_make(cmd_events *events, cmd_out *out, const cmd_columns *columns, const resida_model *model);
void cmd_events_free(cmd_events *events);

/** Initialize a sink that receives only events. Both structs must outlive the run. */
void cmd_events_sink(cmd_events *events, cmd_sink *sink);

#endif
