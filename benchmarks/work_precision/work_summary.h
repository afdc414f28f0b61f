/* work_summary.h - resida against the fastest of its peers at equal error: every model, every error, and their mean. */
#ifndef CMD_WORK_SUMMARY_H
#define CMD_WORK_SUMMARY_H

#include "work_precision.h"

enum { CMD_REASON_SIZE = 600 };

/** One model at one error. */
typedef struct cmd_versus {
    const char *peer;                   /**< the fastest that reaches the error; NULL: not compared */
    double own[CMD_N_WORKS];            /**< of resida, that is of the first method; NaN where it is not known */
    double theirs[CMD_N_WORKS];         /**< of the peer */
    double own_call_s, their_call_s;    /**< a residual call alone, in the formalism of each */
    char not_compared[CMD_REASON_SIZE]; /**< why, where there is no peer */
} cmd_versus;

typedef struct cmd_summary_line {
    char model[64];
    char reference[160]; /**< what the errors are measured against */
    cmd_versus at[CMD_N_LEVELS];
} cmd_summary_line;

/** Zeroed: nothing yet. */
typedef struct cmd_summary {
    cmd_summary_line *lines; /**< [n] */
    int n;
} cmd_summary;

/** Is it one of those that resida is measured by? Not so one that is given derivatives by formulas, which resida is
 *  not. */
int cmd_is_rival(const rsd_peer *peer);

/** A model that was studied, and the code with which that ended: its ratios, or why there are none.
 *  @return the code; CMD_EXIT_FAILED (no memory) after one complaint */
int cmd_summary_take(cmd_summary *s, const cmd_study *study, const cmd_model *model, int code);

/** A model that was not studied, and why. @return 0; CMD_EXIT_FAILED (no memory) after one complaint */
int cmd_summary_leave_out(cmd_summary *s, const char *model, const char *why);
void cmd_summary_free(cmd_summary *s);

/** own / theirs; NaN when one of them is not known. */
double cmd_versus_ratio(const cmd_versus *v, int which);

/** Geometric mean of the ratios of a model over its errors; of these over the models. NaN: there is none. */
double cmd_summary_mean(const cmd_summary_line *line, int which);
double cmd_summary_mean_all(const cmd_summary *s, int which);

/** Ratios of the processor times with the peer's name, and of the calls; then every error at which the peer needs less
 *  time, with what was measured there; then the errors that are not compared. */
typedef void cmd_summary_fill_fn(const cmd_summary *s, cmd_table *table);
cmd_summary_fill_fn cmd_summary_fill_cpu, cmd_summary_fill_calls, cmd_summary_fill_dearer, cmd_summary_fill_left_out,
    cmd_summary_fill_references;

/** Where the time goes, by numbers: steps and calls of both, what a step costs, how much of it the calls are, what
 *  makes the difference, and how dear a call would have to be for it to vanish. @return text */
const char *cmd_versus_why(const cmd_versus *v, char text[CMD_REASON_SIZE]);

/** "39 of 45 errors of 9 models compared: ..." @return text */
const char *cmd_summary_words(const cmd_summary *s, char text[CMD_REASON_SIZE]);

/** What the tables mean. */
extern const char cmd_summary_legend[];

/** All of it for people; one object for each model and error, each model, and all. @return 0; CMD_EXIT_IO after one
 *  complaint */
void cmd_summary_text(const cmd_summary *s, FILE *stream);
int cmd_summary_json(const cmd_summary *s, FILE *stream);

#endif
