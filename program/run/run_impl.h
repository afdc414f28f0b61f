/* run_impl.h - one repetition of a run, inside: run.c integrates, run_outputs.c hands on what comes of it, run_words.c
 * says how it ended. */
#ifndef CMD_RUN_IMPL_H
#define CMD_RUN_IMPL_H

#include "run.h"

#include "program/process/stopwatch.h"
#include "program/process/watchdog.h"
#include "progress.h"
#include "run_peer.h"

/** One repetition. */
typedef struct cmd_repetition {
    const cmd_job *job;
    cmd_row *row;
    int first; /**< the repetition with outputs, drift and counters */
    cmd_handles handles;
    rsd_peer_result peer; /**< when a peer runs */
    double *g, *gv, *k;   /**< [n_g], [n_g + n_h], [n_k] */
    double *out;          /**< [n_outputs] */
    int no_outputs;       /**< the model failed to say them */
    resida_message doubt; /**< the first warning of the model; "": none */
    int n_g, n_gv, n_k;
    bench_stopwatch watch;
    cmd_progress progress;
    double deadline;  /**< wall clock [s] */
    int late;         /**< the deadline is over */
    long passed;      /**< outputs besides that of the start */
    long since;       /**< steps tried since the handles were made */
    int is_moment;    /**< of job->moments */
    double signalled; /**< wall-clock time of a signal, when it was seen; 0: none */
    int sink_code;    /**< exit code of the sink, 0 while it works */
} cmd_repetition;

/** @name run_words.c @{ */
void cmd_run_fail(cmd_row *row, resida_status status, const char *message);
/** What an advance or a start that did not get through means for the row. */
void cmd_run_say_end(cmd_repetition *r, resida_status status);
/** Counters of the solver, and the words that do not outlive it. */
resida_status cmd_run_take_stats(cmd_repetition *r, cmd_row *row);
/** Names of what runs, as the library resolved "auto". */
void cmd_run_fill_names(cmd_repetition *r);
/** What is wrong with the model, as far as the end shows it; after the counters, which the look does not belong to. */
void cmd_run_keep_warnings(cmd_repetition *r);
/** Ended from outside, in the middle of a call of the model: the row with what is known of it. A cmd_ending_fn. */
int cmd_run_cut(void *self, const cmd_end *end);
/** @} */

/** @name run_outputs.c @{ */
/** @return 0; -1 without memory */
int cmd_run_reserve(cmd_repetition *r);
/** The first thing that the sinks get. */
void cmd_run_begin_sinks(cmd_repetition *r);
/** The model's outputs, where they are wanted. */
void cmd_run_ask_outputs(cmd_repetition *r, const resida_state *state);
/** The state where the solver stands, to the row and the sinks. */
void cmd_run_keep_outputs(cmd_repetition *r);

/** The state between two outputs, to the sinks that draw curves. */
void cmd_run_keep_between(cmd_repetition *r);
/** A state of a peer. @return 0; else it has to end */
int cmd_run_take_output(const resida_state *state, void *repetition);
/** What happened at the time reached. */
void cmd_run_note(cmd_repetition *r, const char *what, const char *rest);
void cmd_run_note_event(cmd_repetition *r);
/** The event that there was, if there was one, to the sinks. */
void cmd_run_sink_event(cmd_repetition *r);
/** @} */

#endif
