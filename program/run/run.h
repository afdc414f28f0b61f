/* run.h - runs a model with one method and returns the result as a row. */
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

/** A receiver of the outputs and events of a run. All functions return 0, or an exit code after one complaint, which
 *  ends the run. */
typedef struct cmd_sink {
    int (*begin)(void *self, const resida_problem *problem);
    /** outputs: [n_outputs] of the model, NaN if unknown; NULL if not requested in the job. The function may be
     *  NULL. */
    int (*output)(void *self, const resida_state *state, const double *outputs);
    int (*happened)(void *self, const resida_happening *what, const resida_state *after); /**< may be NULL */
    void *self;
    const struct cmd_sink *next; /**< another sink that receives the same; or NULL */
    int is_curve;                /**< 1 if it also receives cmd_job.between states between outputs */
} cmd_sink;

/** A function that receives the row of a run that is ended from outside (watchdog.h). cmd_run() does not return then.
 *  @return exit code of the process */
typedef int cmd_cut_fn(void *self, const cmd_job *job, const cmd_row *row, int code);

/** An object that follows the handles of a job: derivatives of `solve --sensitivity`. */
typedef struct cmd_follower cmd_follower;

struct rsd_peer;

/** The description of a run. */
struct cmd_job {
    const cmd_model *model;
    const cmd_settings *settings;
    resida_formalism formalism;
    const char *jacobian;        /**< name of a strategy */
    int max_order;               /**< overrides that of the settings unless 0 */
    const struct rsd_peer *peer; /**< peer that integrates; NULL for resida */
    double t_end;
    cmd_grid grid;        /**< outputs from model.t0 to t_end */
    int between;          /**< number of states between two outputs, for sinks of curves; 0 for none */
    long repeats;         /**< number of timed runs; the first one also gives outputs, drift and counters */
    const cmd_sink *sink; /**< or NULL */
    double *outputs;      /**< [n_outputs] of the model, receives each output of the first repetition; NULL if the
                           *   model's outputs are not requested */
    const cmd_follower *follower; /**< called at outputs; or NULL */
    void *followed;               /**< data of the follower: receives the last output of the first repetition */
    cmd_run_end *last;            /**< receives the last state of the first repetition; or NULL */
    cmd_run_end *end;             /**< receives the end state of the first repetition; or NULL */
    const cmd_moments *moments;   /**< for the first repetition (moments.h); or NULL */
    cmd_cut_fn *cut;              /**< NULL: the process ends with one line */
    void *cut_self;
    const char *aside; /**< prefix of error messages if the run checks another one, whose events are not reported */
};

/** Make a job with formalism, Jacobian, interval and outputs from the settings.
 *  @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_job_make(cmd_job *job, const cmd_model *model, const cmd_settings *s, long repeats);

/** Check that the library accepts the job. Creates and frees problem and solver, without a residual call.
 *  @return 0; CMD_EXIT_USAGE or CMD_EXIT_FAILED after one complaint */
int cmd_job_check(const cmd_job *job);

/** Run the job.
 *  @param[out] row  complete, also for a failed or interrupted run
 *  @return 0; CMD_EXIT_FAILED (the reason is in the row, nothing is printed); 128 + signal; or the code of a sink,
 *  which has complained */
int cmd_run(const cmd_job *job, cmd_row *row);

/** Report a failed or interrupted run in one line. @return code */
int cmd_complain_run(int code, const cmd_job *job, const cmd_row *row);

/** Create the problem of the job's model in its form and formalism. */
resida_status cmd_problem_open(const cmd_job *job, resida_problem **problem, resida_message *why);

/** The handles of an integration. A zeroed struct has none. */
typedef struct cmd_handles {
    resida_problem *problem;
    resida_solver *solver;
    resida_run *run;
    const struct cmd_follower *follower; /**< of the job; NULL if there is none or it is not open */
    void *following;                     /**< data of the follower */
} cmd_handles;

struct cmd_follower {
    /** Called when solver and run of h exist. @param[out] following  its data, to be closed in any case, or NULL */
    resida_status (*open)(void **following, const cmd_handles *h, const cmd_job *job, resida_message *why);
    /** Called at an output of the first repetition; writes to job->followed. */
    void (*keep)(void *following, const cmd_job *job, const resida_solver *solver, const resida_state *state);
    /** Called after solver and run were freed. */
    void (*close)(void *following);
};

/** Convert the settings of the job to options of a solver, without monitor. */
void cmd_job_options(const cmd_job *job, resida_solver_options *o);

/** Return the absolute tolerances by component, if the model or the command line has any, for this atol: *each [n], to
 *  be freed; NULL: atol for all. */
resida_status cmd_tolerances(const cmd_job *job, const resida_problem *problem, double atol, double **each,
                             resida_message *why);

/** Open all handles, with a monitor or NULL. To be closed in any case. */
resida_status cmd_handles_open(cmd_handles *h, const cmd_job *job, resida_monitor_fn *monitor, void *user,
                               resida_message *why);
void cmd_handles_close(cmd_handles *h);

/** Start the solver at the start of the model. */
resida_status cmd_handles_start(const cmd_handles *h, const cmd_job *job);

/** Pass an output of the first repetition to the follower. */
void cmd_handles_follow_output(const cmd_handles *h, const cmd_job *job, const resida_state *state);

/** Return the reason why the model ended the run, ": contact floor stays closed", or "". */
const char *cmd_handles_why_ended(const cmd_handles *h);

/** Texts for resida_contact_change; "" for an unchanged contact. */
extern const char *const cmd_contact_words[];

/** Convert a state to an argument of the model's outputs. */
resida_model_point cmd_model_point(const resida_model *model, const resida_state *state);

/** Get the model's warning at a state, "" if none. @return 0; CMD_EXIT_FAILED without memory, after a complaint */
int cmd_model_warning(const resida_model *model, const resida_model_point *at, resida_message *warning);

/** Return value, or `otherwise` if value is NaN. */
double cmd_value_or(double value, double otherwise);

#endif
