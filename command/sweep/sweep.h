/* sweep.h - a plan under way: its model, what is kept of each case, and what a case came to. */
#ifndef CMD_SWEEP_H
#define CMD_SWEEP_H

#include <resida/status.h>
#include <stdint.h>

#include "plan.h"

/** What a case came to. */
typedef enum cmd_case_status {
    CMD_CASE_OK = 0,
    CMD_CASE_FAILED = 1,  /**< the library returned a failure */
    CMD_CASE_TIME = 2,    /**< its time limit is spent */
    CMD_CASE_CRASHED = 3, /**< it ended its process */
    CMD_CASE_REFUSED = 4, /**< it makes no sense: it was not run */
    CMD_CASE_STATUSES = 5
} cmd_case_status;

/** "ok", "failed", "time limit", "crashed", "refused" */
const char *cmd_case_status_name(int status);

/** Counters of a case: name of number i, NULL: no more. */
enum { CMD_CASE_COUNTERS = 11 };
const char *cmd_case_counter_name(int i);

/** What is known of a case without its arrays: sent between processes as it is. */
typedef struct cmd_case_head {
    int64_t number;
    int32_t status; /**< cmd_case_status */
    int32_t rank;   /**< of MPI; 0 without */
    int64_t pid;
    double seconds;                      /**< wall clock */
    double t;                            /**< [s] reached; NaN: not known */
    int64_t counters[CMD_CASE_COUNTERS]; /**< -1: not known */
    int32_t n_outputs, n_state;          /**< 0: not known */
    char code[48];                       /**< name of the library's status, "" */
    char message[RESIDA_MESSAGE_SIZE];
} cmd_case_head;

/** The whole. Zeroed: nothing is known. */
typedef struct cmd_sweep_case {
    cmd_case_head head;
    double *values; /**< [n_outputs + n_state] outputs, NaN where there is no such component, then y at the end */
    size_t room;    /**< of values */
} cmd_sweep_case;

/** Forget it all, but for the room. */
void cmd_case_clear(cmd_sweep_case *c, long number);

/** Room for so many values. @return 0; -1 without memory */
int cmd_case_reserve(cmd_sweep_case *c, int n_outputs, int n_state);

void cmd_case_free(cmd_sweep_case *c);

/** What is kept of a component. */
typedef enum cmd_kept { CMD_END = 0, CMD_MIN = 1, CMD_MAX = 2 } cmd_kept;

enum { CMD_COMPONENT_SIZE = 96 };

/** A column of outputs. */
typedef struct cmd_output {
    cmd_kept kept;
    char component[CMD_COMPONENT_SIZE];
    int hint; /**< where it was found last */
} cmd_output;

/** A plan under way. */
typedef struct cmd_sweep_work {
    cmd_plan plan;
    const cmd_settings *settings;
    resida_plugin_handle *plugin; /**< NULL: a built-in model */
    const resida_model_class *cls;
    cmd_output *outputs; /**< [n_outputs] */
    int n_outputs;
    char *identity; /**< of the model: name, version, and the bytes of its file */
    int rank;       /**< of MPI; 0 without */
} cmd_sweep_work;

/** Find the model, check the plan against it, and say who the model is. */
int cmd_sweep_open(cmd_sweep_work *w);
void cmd_sweep_close(cmd_sweep_work *w);

/** A component at the end, whatever its name. */
cmd_output cmd_output_of(const char *component);

/** "max.p[0]", or "p[0]", which is at the end. */
cmd_output cmd_output_read(const char *word);

/** "end.p[0]" of output i. @return text */
const char *cmd_output_name(const cmd_output *o, char *text, size_t size);

/** Which columns there are, found in a process of its own, when the plan does not say: all components of the first case
 *  that can be opened; else whether they are components of it.
 *  @return 0; CMD_EXIT_* after one complaint; 128 + signal */
int cmd_sweep_describe(cmd_sweep_work *w);

/** Run a case in this process. */
void cmd_case_run(cmd_sweep_work *w, long number, cmd_sweep_case *c);

/** Names of all components of a case, a line each, to be freed.
 *  @param[out] c  why there are none, else untouched
 *  @return NULL: there are none */
char *cmd_case_names(cmd_sweep_work *w, long number, cmd_sweep_case *c);

#endif
