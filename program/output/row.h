/* row.h - one run in numbers: what `solve` and `compare` say, for resida and for its peers alike. */
#ifndef CMD_ROW_H
#define CMD_ROW_H

#include <resida/status.h>

#include <resida/stats.h>

#include "program/cli/model_arg.h"

typedef enum cmd_outcome {
    CMD_OK = 0,
    CMD_FAILED = 1,
    CMD_INTERRUPTED = 2 /**< by a signal */
} cmd_outcome;

enum { CMD_WARNINGS = 16, CMD_COMPONENT = 64, CMD_HINTS = 7 };

/** A figure for each group of unknowns; of a general DAE y is p. */
typedef struct cmd_groups {
    double p, v, lam;
} cmd_groups;

/** A row. What a solver does not report stays as cmd_row_init() leaves it: counts -1, numbers NaN, words empty or
 *  NULL. */
typedef struct cmd_row {
    const char *solver;                         /**< "resida", or a peer: "dassl", "radau5" ... */
    const char *version;                        /**< of a peer; NULL: resida itself */
    const cmd_model *model;                     /**< with the parameters in use */
    char formalism[16], form[16], jacobian[48]; /**< as it ran; "" is unknown */
    char asked[48];                             /**< the strategy by the name it was asked for, such as "auto" */
    char method[24];                            /**< of integration; "" is unknown */
    double step;                                /**< its fixed step; NaN: it chooses */
    double rtol, atol;
    int max_order; /**< of the BDF, as it was allowed */
    cmd_outcome outcome;
    const char *code; /**< of a failure: name of the status, such as RESIDA_ERR_NEWTON */
    char message[RESIDA_MESSAGE_SIZE];
    double t_end, t_reached;
    resida_stats stats;
    char dropped[RESIDA_MESSAGE_SIZE];          /**< stats.dropped_rows, which does not outlive the solver */
    char limited[RESIDA_LIMITS][CMD_COMPONENT]; /**< names of the components of stats.limits */
    int n_warnings;                             /**< nor do its warnings */
    char warnings[CMD_WARNINGS][RESIDA_MESSAGE_SIZE];
    int n_hints;
    char hints[CMD_HINTS][RESIDA_MESSAGE_SIZE]; /**< what would make it cheaper */
    struct {
        double min, median, iqr, wall;
        long repeats;
    } cpu_s;
    cmd_groups error, digits, weighted; /**< see cmd_row_compare() */
    int has_reference;                  /**< 1: the model has a reference at the end */
    const double *outputs;              /**< [n_outputs] of the model at the last state; NULL: not asked */
    const struct json_t *events;        /**< the first ones of the run; NULL: not kept */
    const struct cmd_run_end *last;     /**< the last state, of solve alone; NULL: not kept */
    const struct cmd_row *fine;         /**< a second run that it was compared with (estimate.h); NULL: none */
    struct {
        cmd_groups error, digits, weighted; /**< as above, with the end of that run as the reference */
    } estimate;
    struct {
        double g, gv, k; /**< k: invariants */
    } drift;
} cmd_row;

/** Everything unknown, for this solver on this model. */
void cmd_row_init(cmd_row *row, const char *solver, const cmd_model *model);

/** Largest difference, digits, and the difference as a multiple of atol + rtol max |reference|, at the end of the run
 *  against the model's reference, if there is one. NaN below CMD_CREDIBLE times its doubt.
 *  @param[in] p, v, lam  as resida_model.reference() gives them; lam may be NULL (not known) */
enum { CMD_CREDIBLE = 10 };
void cmd_row_compare(cmd_row *row, const double *p, const double *v, const double *lam);

/** The same for n components x of a run in this row, with another reference; a NaN there is not compared. */
void cmd_row_compare_part(const cmd_row *row, int n, const double *x, const double *reference, double *error,
                          double *digits, double *weighted);

/** Minimum, median and interquartile range of cpu [repeats] in seconds, which is sorted; wall-clock time of one run. */
void cmd_row_times(cmd_row *row, double *cpu, long repeats, double wall);

/** Calls of callback i, in the order of resida_callback_at(); -1: not reported. */
long cmd_calls_of(const resida_stats *s, int i);

/** Does a warning say what a start moved onto the constraints? */
int cmd_is_of_move(const char *warning);

/** "ok", "failed", "interrupted" */
const char *cmd_outcome_name(cmd_outcome outcome);

/** 1: the run got through, and its p (y of a general DAE), where a reference tells, is right but for
 *  CMD_INACCURATE tolerances. What another run has cost is no result. */
enum { CMD_INACCURATE = 1000 };
int cmd_row_counts(const cmd_row *row);

/** "gcc 12.2": the compiler of this program. */
const char *cmd_compiler(void);

/** Versions that are known at build time alone, "" when they are not. */
const char *cmd_klu_version(void);
const char *cmd_colpack_version(void);

#endif
