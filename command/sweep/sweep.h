/* sweep.h - a plan under way: its model, what is kept of each case, and what a case came to. */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include <resida/status.h>
#include <stdint.h>

#include "plan.h"

/** What a case came to. */
typedef enum bench_case_status {
    BENCH_CASE_OK = 0,
    BENCH_CASE_FAILED = 1,  /**< the library returned a failure */
    BENCH_CASE_TIME = 2,    /**< its time limit is spent */
    BENCH_CASE_CRASHED = 3, /**< it ended its process */
    BENCH_CASE_REFUSED = 4, /**< it makes no sense: it was not run */
    BENCH_CASE_STATUSES = 5
} bench_case_status;

/** "ok", "failed", "time limit", "crashed", "refused" */
const char *bench_case_status_name(int status);

/** Counters of a case: name of number i, NULL: no more. */
enum { BENCH_CASE_COUNTERS = 10 };
const char *bench_case_counter_name(int i);

/** What is known of a case without its arrays: sent between processes as it is. */
typedef struct bench_case_head {
    int64_t number;
    int32_t status; /**< bench_case_status */
    int32_t rank;   /**< of MPI; 0 without */
    int64_t pid;
    double seconds;                        /**< wall clock */
    double t;                              /**< [s] reached; NaN: not known */
    int64_t counters[BENCH_CASE_COUNTERS]; /**< -1: not known */
    int32_t n_outputs, n_state;            /**< 0: not known */
    char code[48];                         /**< name of the library's status, "" */
    char message[RESIDA_MESSAGE_SIZE];
} bench_case_head;

/** The whole. Zeroed: nothing is known. */
typedef struct bench_sweep_case {
    bench_case_head head;
    double *values; /**< [n_outputs + n_state] outputs, NaN where there is no such component, then y at the end */
    size_t room;    /**< of values */
} bench_sweep_case;

/** Forget it all, but for the room. */
void bench_case_clear(bench_sweep_case *c, long number);

/** Room for so many values. @return 0; -1 without memory */
int bench_case_reserve(bench_sweep_case *c, int n_outputs, int n_state);

void bench_case_free(bench_sweep_case *c);

/** What is kept of a component. */
typedef enum bench_kept { BENCH_END = 0, BENCH_MIN = 1, BENCH_MAX = 2 } bench_kept;

enum { BENCH_COMPONENT_SIZE = 96 };

/** A column of outputs. */
typedef struct bench_output {
    bench_kept kept;
    char component[BENCH_COMPONENT_SIZE];
    int hint; /**< where it was found last */
} bench_output;

/** A plan under way. */
typedef struct bench_sweep {
    bench_plan plan;
    const bench_settings *settings;
    resida_plugin_handle *plugin; /**< NULL: a built-in model */
    const resida_model_class *cls;
    bench_output *outputs; /**< [n_outputs] */
    int n_outputs;
    char *identity; /**< of the model: name, version, and the bytes of its file */
    int rank;       /**< of MPI; 0 without */
} bench_sweep;

/** Find the model, check the plan against it, and say who the model is. */
int bench_sweep_open(bench_sweep *w);
void bench_sweep_close(bench_sweep *w);

/** A component at the end, whatever its name. */
bench_output bench_output_of(const char *component);

/** "max.p[0]", or "p[0]", which is at the end. */
bench_output bench_output_read(const char *word);

/** "end.p[0]" of output i. @return text */
const char *bench_output_name(const bench_output *o, char *text, size_t size);

/** Which columns there are, found in a process of its own, when the plan does not say: all components of the first case
 *  that can be opened; else whether they are components of it.
 *  @return 0; BENCH_EXIT_* after one complaint; 128 + signal */
int bench_sweep_describe(bench_sweep *w);

/** Run a case in this process. */
void bench_case_run(bench_sweep *w, long number, bench_sweep_case *c);

/** Names of all components of a case, a line each, to be freed.
 *  @param[out] c  why there are none, else untouched
 *  @return NULL: there are none */
char *bench_case_names(bench_sweep *w, long number, bench_sweep_case *c);

#endif
