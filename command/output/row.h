/* row.h - one run in numbers: what `solve` and `compare` say, for resida and for its peers alike. */
#ifndef BENCH_ROW_H
#define BENCH_ROW_H

#include <resida/status.h>

#include <resida/stats.h>

#include "command/cli/model_arg.h"

typedef enum bench_outcome {
    BENCH_OK = 0,
    BENCH_FAILED = 1,
    BENCH_INTERRUPTED = 2 /**< by a signal */
} bench_outcome;

enum { BENCH_WARNINGS = 16, BENCH_COMPONENT = 64, BENCH_HINTS = 6, BENCH_HINT = 160 };

/** A figure for each group of unknowns; of a general DAE y is p. */
typedef struct bench_groups {
    double p, v, lam;
} bench_groups;

/** A row. What a solver does not report stays as bench_row_init() leaves it: counts -1, numbers NaN, words empty or
 *  NULL. */
typedef struct bench_row {
    const char *solver;                         /**< "resida", or a peer: "dassl", "radau5" ... */
    const char *version;                        /**< of a peer; NULL: resida itself */
    const bench_model *model;                   /**< with the parameters in use */
    char formalism[16], form[16], jacobian[48]; /**< as it ran; "" is unknown */
    char asked[48];                             /**< the strategy by the name it was asked for, such as "auto" */
    char method[24];                            /**< of integration; "" is unknown */
    double step;                                /**< its fixed step; NaN: it chooses */
    double rtol, atol;
    int max_order; /**< of the BDF, as it was allowed */
    bench_outcome outcome;
    const char *code; /**< of a failure: name of the status, such as RESIDA_ERR_NEWTON */
    char message[RESIDA_MESSAGE_SIZE];
    double t_end, t_reached;
    resida_stats stats;
    char dropped[RESIDA_MESSAGE_SIZE];            /**< stats.dropped_rows, which does not outlive the solver */
    char limited[RESIDA_LIMITS][BENCH_COMPONENT]; /**< names of the components of stats.limits */
    int n_warnings;                               /**< nor do its warnings */
    char warnings[BENCH_WARNINGS][RESIDA_MESSAGE_SIZE];
    int n_hints;
    char hints[BENCH_HINTS][BENCH_HINT]; /**< what would make it cheaper (hints.h) */
    struct {
        double min, median, iqr, wall;
        long repeats;
    } cpu_s;
    bench_groups error, digits, weighted;        /**< see bench_row_compare() */
    const double *outputs;                       /**< [n_outputs] of the model at the last state; NULL: not asked */
    const struct json_t *events;                 /**< the first ones of the run; NULL: not kept */
    const struct bench_derivatives *derivatives; /**< of solve --sensitivity, at the last state; NULL: none */
    const struct bench_run_end *last;            /**< the last state, of solve alone; NULL: not kept */
    const struct bench_row *fine;                /**< a second run that it was compared with (estimate.h); NULL: none */
    struct {
        bench_groups error, digits, weighted; /**< as above, with the end of that run as the reference */
    } estimate;
    struct {
        double g, gv, k; /**< k: invariants */
    } drift;
} bench_row;

/** Everything unknown, for this solver on this model. */
void bench_row_init(bench_row *row, const char *solver, const bench_model *model);

/** Largest difference, digits, and the difference as a multiple of atol + rtol max |reference|, at the end of the run
 *  against the model's reference, if there is one.
 *  @param[in] p, v, lam  as resida_model.reference() gives them; lam may be NULL (not known) */
void bench_row_compare(bench_row *row, const double *p, const double *v, const double *lam);

/** The same for n components x of a run in this row, with another reference; a NaN there is not compared. */
void bench_row_compare_part(const bench_row *row, int n, const double *x, const double *reference, double *error,
                            double *digits, double *weighted);

/** Minimum, median and interquartile range of cpu [repeats] in seconds, which is sorted; wall-clock time of one run. */
void bench_row_times(bench_row *row, double *cpu, long repeats, double wall);

/** "ok", "failed", "interrupted" */
const char *bench_outcome_name(bench_outcome outcome);

/** 1: the run got through, and its p (y of a general DAE), where a reference tells, is right but for
 *  BENCH_INACCURATE tolerances. What another run has cost is no result. */
enum { BENCH_INACCURATE = 1000 };
int bench_row_counts(const bench_row *row);

/** "gcc 12.2": the compiler of this program. */
const char *bench_compiler(void);

/** Versions that are known at build time alone, "" when they are not. */
const char *bench_klu_version(void);
const char *bench_colpack_version(void);

#endif
