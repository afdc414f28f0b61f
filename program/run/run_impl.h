/* run_impl.h - internals of one repetition of a run: run.c integrates, run_outputs.c passes on outputs and events,
 * run_words.c reports the end. */
#ifndef CMD_RUN_IMPL_H
#define CMD_RUN_IMPL_H

#include "run.h"

#include "program/process/stopwatch.h"
#include "program/process/watchdog.h"
#include "progress.h"
#include "run_peer.h"

/** One repetition of a run. */
typedef struct cmd_repetition {
    const cmd_job *job;
    cmd_row *row;
    int first; /**< 1 for the repetition with outputs, drift and counters */
    cmd_handles handles;
    rsd_peer_result peer; /**< result if a peer runs */
    double *g, *gv, *k;   /**< [n_g], [n_g + n_h], [n_k] */
    double *out;          /**< [n_outputs] */
    int no_outputs;       /**< 1 if the model's output function failed */
    resida_message doubt; /**< first warning of the model, or "" */
    int n_g, n_gv, n_k;
    bench_stopwatch watch;
    cmd_progress progress;
    double deadline;  /**< wall clock [s] */
    int late;         /**< 1 after the deadline */
    long passed;      /**< number of outputs, without the output at the start */
    long since;       /**< step attempts since the handles were created */
    int is_moment;    /**< 1 at a moment of job->moments */
    double signalled; /**< wall-clock time at which a signal was detected; 0 without */
    int sink_code;    /**< exit code of a sink that failed, or 0 */
} cmd_repetition;

/** @name run_words.c @{ */
void cmd_run_fail(cmd_row *row, resida_status status, const char *message);
/** Set the outcome of the row after a start or advance that failed or was interrupted. */
void cmd_run_set_outcome(cmd_repetition *r, resida_status status);
/** Copy the counters of the solver, and the texts that are freed with it. */
resida_status cmd_run_copy_stats(cmd_repetition *r, cmd_row *row);
/** Copy the names of formalism, form and strategy, with "auto" resolved by the library. */
void cmd_run_fill_names(cmd_repetition *r);
/** Store the warnings about the model at the end. Call this after copying the counters, which exclude calls of the
 *  check. */
void cmd_run_collect_warnings(cmd_repetition *r);
/** Complete the row of a run that is ended from outside during a call of the model. A cmd_ending_fn. */
int cmd_run_complete_cut_row(void *self, const cmd_end *end);
/** @} */

/** @name run_outputs.c @{ */
/** Allocate the arrays of a repetition. @return 0; -1 without memory */
int cmd_run_reserve(cmd_repetition *r);
/** Call the begin function of all sinks. */
void cmd_run_begin_sinks(cmd_repetition *r);
/** Evaluate the outputs of the model, if requested. */
void cmd_run_evaluate_outputs(cmd_repetition *r, const resida_state *state);
/** Pass the current state of the solver to the row and the sinks. */
void cmd_run_pass_outputs(cmd_repetition *r);

/** Pass a state between two outputs to sinks of curves. */
void cmd_run_pass_intermediate(cmd_repetition *r);
/** Process an output of a peer. @return 0; else the peer must end */
int cmd_run_process_peer_output(const resida_state *state, void *repetition);
/** Report an event or the end at the time reached. */
void cmd_run_print_note(cmd_repetition *r, const char *what, const char *rest);
void cmd_run_print_event(cmd_repetition *r);
/** Pass the last event, if any, to the sinks. */
void cmd_run_pass_event(cmd_repetition *r);
/** @} */

#endif
