/* run.h - one model, one way to integrate it, a row of numbers. */
#ifndef CMD_RUN_H
#define CMD_RUN_H

#include <resida/run.h>

#include "program/cli/grid.h"
#include "program/cli/model_arg.h"
#include "program/output/row.h"
#include "program/output/run_end.h"
#include "program/cli/settings.h"

typedef struct cmd_job cmd_job;
typedef struct cmd_moments cmd_moments;

/** Where the outputs of a run go, and its events. All return 0, or an exit code after one complaint, which ends the
 *  run. */
typedef struct cmd_sink {
    int (*begin)(void *self, const resida_problem *problem);
    /** outputs: [n_outputs] of the model, NaN where they are not known; NULL: they were not asked for (cmd_job).
     *  NULL: not wanted */
    int (*output)(void *self, const resida_state *state, const double *outputs);
    int (*happened)(void *self, const resida_happening *what, const resida_state *after); /**< NULL: not wanted */
    void *self;
    const struct cmd_sink *next; /**< which gets the same; or NULL */
    int is_curve;                /**< 1: it gets the states between outputs, too, of which cmd_job has the number */
} cmd_sink;

/** What to do with the row of a run that has to be ended from outside (watchdog.h), in the place of returning it.
 *  @return exit code of the process */
typedef int cmd_cut_fn(void *self, const cmd_job *job, const cmd_row *row, int code);

/** Goes along with the handles of a job: derivatives of `solve --sensitivity`. */
typedef struct cmd_follower cmd_follower;

struct rsd_peer;

/** What to run. */
struct cmd_job {
    const cmd_model *model;
    const cmd_settings *settings;
    resida_formalism formalism;
    const char *jacobian;        /**< name of a strategy */
    int max_order;               /**< in the place of the settings'; 0: theirs */
    const struct rsd_peer *peer; /**< integrates in the place of resida; NULL: resida itself */
    double t_end;
    cmd_grid grid;        /**< outputs from model.t0 to t_end */
    int between;          /**< states between two outputs, for sinks that draw curves; 0: none */
    long repeats;         /**< runs that are timed; the first one also gives outputs, drift and counters */
    const cmd_sink *sink; /**< or NULL */
    double *outputs;      /**< [n_outputs] of the model, takes them at each output of the first repetition; NULL: the
                                 model is not asked */
    const cmd_follower *follower; /**< looks at the solver where outputs are; or NULL */
    void *followed;               /**< what it keeps, of the last output of the first repetition */
    cmd_run_end *last;            /**< takes the last state of the first repetition; or NULL */
    cmd_run_end *end;             /**< takes where the first repetition ends; or NULL */
    const cmd_moments *moments;   /**< of the first repetition (moments.h); or NULL */
    cmd_cut_fn *cut;              /**< or NULL: the process ends with one line */
    void *cut_self;
    const char
        *aside; /**< of a run that judges another: said before what is wrong with it, and its events are not noted;
                            or NULL */
};

/** A job with the settings' formalism, Jacobian, interval and outputs.
 *  @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_job_make(cmd_job *job, const cmd_model *model, const cmd_settings *s, long repeats);

/** Would the library take this job? Creates problem and solver and frees them; no residual call.
 *  @return 0; CMD_EXIT_USAGE, CMD_EXIT_FAILED after one complaint */
int cmd_job_probe(const cmd_job *job);

/** Run it.
 *  @param[out] row  complete, also for a failed or interrupted run
 *  @return 0; CMD_EXIT_FAILED (the reason is in the row, nothing is printed); 128 + signal; or what the sink
 *          returned, which has complained already */
int cmd_run(const cmd_job *job, cmd_row *row);

/** One line about a run that has failed or was interrupted. @return code */
int cmd_complain_run(int code, const cmd_job *job, const cmd_row *row);

/** A problem of the job's model in its form and formalism. */
resida_status cmd_problem_open(const cmd_job *job, resida_problem **problem, resida_message *why);

/** What integrates. Zeroed: nothing. */
typedef struct cmd_handles {
    resida_problem *problem;
    resida_solver *solver;
    resida_run *run;
    const struct cmd_follower *follower; /**< of the job; NULL: none, or not open */
    void *following;                     /**< its own */
} cmd_handles;

struct cmd_follower {
    /** When solver and run of h are there. @param[out] following  its own, to be closed in any case; NULL: nothing */
    resida_status (*open)(void **following, const cmd_handles *h, const cmd_job *job, resida_message *why);
    /** At an output of the first repetition, into job->followed. */
    void (*keep)(void *following, const cmd_job *job, const resida_solver *solver, const resida_state *state);
    /** After solver and run were freed. */
    void (*close)(void *following);
};

/** The settings of the job as options of a solver; no monitor. */
void cmd_job_options(const cmd_job *job, resida_solver_options *o);

/** Absolute tolerances by component, where the model or the command line has such, at this atol: *each [n], to be
 *  freed; NULL: atol for all. */
resida_status cmd_tolerances(const cmd_job *job, const resida_problem *problem, double atol, double **each,
                             resida_message *why);

/** Open both, with a monitor or NULL. To be closed in any case. */
resida_status cmd_handles_open(cmd_handles *h, const cmd_job *job, resida_monitor_fn *monitor, void *user,
                               resida_message *why);
void cmd_handles_close(cmd_handles *h);

/** Start the solver where the model says. */
resida_status cmd_handles_start(const cmd_handles *h, const cmd_job *job);

/** An output of the first repetition, for the follower. */
void cmd_handles_keep(const cmd_handles *h, const cmd_job *job, const resida_state *state);

/** Why the model ended the run, ": contact floor stays closed", or "". */
const char *cmd_handles_why_ended(const cmd_handles *h);

/** What became of a contact, in words, by resida_contact_change; "" of one that stays as it is. */
extern const char *const cmd_contact_words[];

/** A state as an argument of the model's outputs. */
resida_model_point cmd_model_point(const resida_model *model, const resida_state *state);

/** What the model warns of at a state; "": nothing. @return 0; CMD_EXIT_FAILED after one complaint, without memory */
int cmd_model_warning(const resida_model *model, const resida_model_point *at, resida_message *warning);

/** value, unless it is NaN. */
double cmd_given_or(double value, double otherwise);

#endif
