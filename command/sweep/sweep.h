/* sweep.h - a running sweep: its model, its columns, and the result of a case. */
#ifndef CMD_SWEEP_H
#define CMD_SWEEP_H

#include <resida/status.h>
#include <stdint.h>

#include "plan.h"
#include "program/run/quantity.h"

/** The status of a case. */
typedef enum cmd_case_status {
    CMD_CASE_OK = 0,
    CMD_CASE_FAILED = 1,  /**< the library returned a failure */
    CMD_CASE_TIME = 2,    /**< the time limit was exceeded */
    CMD_CASE_CRASHED = 3, /**< the case ended its process */
    CMD_CASE_REFUSED = 4, /**< invalid settings; the case was not run */
    CMD_CASE_STATUSES = 5
} cmd_case_status;

/** "ok", "failed", "time limit", "crashed", "refused" */
const char *cmd_case_status_name(int status);

/** Counters of a case: the name of counter i, or NULL after the last. */
enum { CMD_CASE_COUNTERS = 11 };
const char *cmd_case_counter_name(int i);

/** The result of a case without its arrays. The struct is sent between processes. */
typedef struct cmd_case_head {
    int64_t number;
    int32_t status; /**< cmd_case_status */
    int32_t rank;   /**< rank of MPI; 0 without MPI */
    int64_t pid;
    double seconds;                      /**< wall clock */
    double t;                            /**< [s] time reached; NaN if unknown */
    int64_t counters[CMD_CASE_COUNTERS]; /**< -1 if unknown */
    int32_t n_outputs, n_state;          /**< 0 if unknown */
    char code[48];                       /**< name of the library's status, or "" */
    char message[RESIDA_MESSAGE_SIZE];
} cmd_case_head;

/** The result of a case. A zeroed struct has none. */
typedef struct cmd_sweep_case {
    cmd_case_head head;
    double *values; /**< [n_outputs + n_state] outputs, NaN if the component does not exist, followed by y at the end */
    size_t room;    /**< allocated number of values */
} cmd_sweep_case;

/** Clear the result, but keep its memory. */
void cmd_case_clear(cmd_sweep_case *c, long number);

/** Allocate memory for the values. @return 0; -1 without memory */
int cmd_case_reserve(cmd_sweep_case *c, int n_outputs, int n_state);

/** Return the result as one message of n bytes: head, then values. The caller frees it. @return NULL without memory */
char *cmd_case_pack(const cmd_sweep_case *c, size_t *n);

void cmd_case_free(cmd_sweep_case *c);

/** The value of a component that is stored. */
typedef enum cmd_kept { CMD_END = 0, CMD_MIN = 1, CMD_MAX = 2 } cmd_kept;

enum { CMD_COMPONENT_SIZE = 96 };

/** A column of outputs. */
typedef struct cmd_output {
    cmd_kept kept;
    char component[CMD_COMPONENT_SIZE];
    int hint;                 /**< index at which the component was found last */
    char unit[CMD_UNIT_SIZE]; /**< set by cmd_sweep_find_units() */
} cmd_output;

/** A running sweep. */
typedef struct cmd_sweep_work {
    cmd_plan plan;
    const cmd_settings *settings;
    resida_plugin_handle *plugin; /**< NULL for a built-in model */
    const resida_model_class *cls;
    cmd_output *outputs; /**< [n_outputs] */
    int n_outputs;
    char *identity; /**< identity of the model: name, version, and a digest of its file */
    int rank;       /**< rank of MPI; 0 without MPI */
} cmd_sweep_work;

/** Find the model, check the plan against it, and determine the identity of the model. */
int cmd_sweep_open(cmd_sweep_work *w);
void cmd_sweep_close(cmd_sweep_work *w);

/** Return the column of a component at the end. The name is not parsed. */
cmd_output cmd_output_at_end(const char *component);

/** Parse "max.p[0]", or "p[0]", which is the value at the end. */
cmd_output cmd_output_parse(const char *word);

/** Return the name of an output, such as "end.p[0]", in text. */
const char *cmd_output_name(const cmd_output *o, char *text, size_t size);

/** Determine the columns in a process of its own. If the plan names outputs, check that they are components; else take
 *  all components of the first case that can be opened.
 *  @return 0; CMD_EXIT_* after one complaint; 128 + signal */
int cmd_sweep_describe(cmd_sweep_work *w);

/** Set the units of the outputs, in a process of its own; "" where the first case that can be opened has none. */
void cmd_sweep_find_units(cmd_sweep_work *w);

/** Run a case in this process. */
void cmd_case_run(cmd_sweep_work *w, long number, cmd_sweep_case *c);

/** Return the names of all components of a case, one per line, each with a tab and its unit, to be freed.
 *  @param[out] c  reason of a failure; otherwise cleared
 *  @return NULL on failure */
char *cmd_case_names(cmd_sweep_work *w, long number, cmd_sweep_case *c);

#endif
