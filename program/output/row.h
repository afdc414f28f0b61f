/* row.h - the result of a run of resida or of a peer as numbers, for `solve` and `compare`. */
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

/** A number for each group of unknowns; p is y for a general DAE. */
typedef struct cmd_groups {
    double p, v, lam;
} cmd_groups;

/** The result of a run. Values that a solver does not report stay as in cmd_row_init(): counts -1, numbers NaN, texts
 *  empty or NULL. */
typedef struct cmd_row {
    const char *solver;                         /**< "resida", or a peer: "dassl", "radau5" ... */
    const char *version;                        /**< of a peer; NULL for resida */
    const cmd_model *model;                     /**< with the parameters in use */
    char formalism[16], form[16], jacobian[48]; /**< as used in the run; "" if unknown */
    char asked[48];                             /**< requested name of the strategy, such as "auto" */
    char method[24];                            /**< integration method; "" if unknown */
    double step;                                /**< fixed step; NaN for variable steps */
    double rtol, atol;
    int max_order; /**< max. order of the BDF that was set */
    cmd_outcome outcome;
    const char *code; /**< status name of a failure, such as RESIDA_ERR_NEWTON */
    char message[RESIDA_MESSAGE_SIZE];
    double t_end, t_reached;
    resida_stats stats;
    char dropped[RESIDA_MESSAGE_SIZE];          /**< copy of stats.dropped_rows, which is freed with the solver */
    char limited[RESIDA_LIMITS][CMD_COMPONENT]; /**< names of the components of stats.limits */
    int n_warnings;                             /**< copies of warnings, which are freed with the solver */
    int is_doubted;                             /**< 1: the first warning is that of the model itself */
    char warnings[CMD_WARNINGS][RESIDA_MESSAGE_SIZE];
    int n_hints;
    char hints[CMD_HINTS][RESIDA_MESSAGE_SIZE]; /**< suggestions that would make the run faster */
    struct {
        double min, median, iqr, wall;
        long repeats;
    } cpu_s;
    cmd_groups error, digits, weighted; /**< see cmd_row_compare() */
    int has_reference;                  /**< 1 if the model has a reference at the end */
    const double *outputs;              /**< [n_outputs] of the model at the last state; NULL if not requested */
    const struct json_t *events;        /**< first events of the run; NULL if not recorded */
    const struct cmd_run_end *last;     /**< last state, only for solve; else NULL */
    const struct cmd_row *fine;         /**< second run for the error estimate (estimate.h), or NULL */
    struct {
        cmd_groups error, digits, weighted; /**< as above, relative to the end of the second run */
    } estimate;
    struct {
        double g, gv, k; /**< k: invariants */
    } drift;
} cmd_row;

/** Initialize a row for this solver and model, with all values unknown. */
void cmd_row_init(cmd_row *row, const char *solver, const cmd_model *model);

/** Compute the largest difference from the model's reference at the end, the digits, and the difference relative to
 *  atol + rtol max |reference|. NaN below CMD_CREDIBLE times the uncertainty, or without a reference.
 *  @param[in] p, v, lam  as from resida_model.reference(); lam may be NULL (unknown) */
enum { CMD_CREDIBLE = 10 };
void cmd_row_compare(cmd_row *row, const double *p, const double *v, const double *lam);

/** Compare n components x of the run in this row with another reference; components with a NaN there are skipped. */
void cmd_row_compare_part(const cmd_row *row, int n, const double *x, const double *reference, double *error,
                          double *digits, double *weighted);

/** Compute minimum, median and interquartile range of cpu [repeats] in seconds, which are sorted. wall: of one run */
void cmd_row_times(cmd_row *row, double *cpu, long repeats, double wall);

/** Return the number of calls of callback i, in the order of resida_callback_at(); -1 if not reported. */
long cmd_calls_of(const resida_stats *s, int i);

/** Return 1 if the warning is that a start was moved onto the constraints. */
int cmd_is_start_move_warning(const char *warning);

/** Return 1 if the warning is that nothing moved, or only by few tolerances. */
int cmd_is_rest_warning(const char *warning);

/** "ok", "failed", "interrupted" */
const char *cmd_outcome_name(cmd_outcome outcome);

/** Return 1 if the run succeeded and the error of p (y of a general DAE) is at most CMD_INACCURATE tolerances or
 *  unknown. The cost of other runs is not a valid result. */
enum { CMD_INACCURATE = 1000 };
int cmd_row_is_valid(const cmd_row *row);

/** Return the compiler of this program, such as "gcc 12.2". */
const char *cmd_compiler(void);

/** Return a version that is known only at build time; "" if unknown. */
const char *cmd_klu_version(void);
const char *cmd_colpack_version(void);

#endif
