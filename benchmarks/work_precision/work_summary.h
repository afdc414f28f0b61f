/* work_summary.h - resida compared with the fastest peer at equal error: all models, all errors, and means. */
#ifndef CMD_WORK_SUMMARY_H
#define CMD_WORK_SUMMARY_H

#include "work_precision.h"

enum { CMD_REASON_SIZE = 600 };

/** The comparison for one model at one error. */
typedef struct cmd_versus {
    const char *peer;                   /**< the fastest peer that reaches the error; NULL: not compared */
    double own[CMD_N_WORKS];            /**< work of resida, the first method; NaN: unknown */
    double theirs[CMD_N_WORKS];         /**< work of the peer */
    double own_call_s, their_call_s;    /**< time of a residual call, in the formalism of each */
    char not_compared[CMD_REASON_SIZE]; /**< reason if there is no peer */
} cmd_versus;

typedef struct cmd_summary_line {
    char model[64];
    char reference[160]; /**< reference of the errors */
    cmd_versus at[CMD_N_LEVELS];
} cmd_summary_line;

/** All comparisons. Initialize with zeros. */
typedef struct cmd_summary {
    cmd_summary_line *lines; /**< [n] */
    int n;
} cmd_summary;

/** Return 1 if the peer is a rival. A peer with analytic derivatives is not a rival, because resida does not get
 *  them. */
int cmd_is_rival(const rsd_peer *peer);

/** Add a model: its ratios, or the reason why there are none. code: exit code of the study.
 *  @return the code; CMD_EXIT_FAILED (memory is exhausted) after one error message */
int cmd_summary_take(cmd_summary *s, const cmd_study *study, const cmd_model *model, int code);

/** Add a model that was not studied, with the reason. @return 0; CMD_EXIT_FAILED (memory is exhausted) after one error
 *  message */
int cmd_summary_leave_out(cmd_summary *s, const char *model, const char *why);
void cmd_summary_free(cmd_summary *s);

/** Return own / theirs; NaN if one of them is unknown. */
double cmd_versus_ratio(const cmd_versus *v, int which);

/** Return the geometric mean of the ratios of a model over its errors, and of these over the models; NaN: none. */
double cmd_summary_mean(const cmd_summary_line *line, int which);
double cmd_summary_mean_all(const cmd_summary *s, int which);

/** Fill tables: ratios of the processor times with the peer's name; ratios of the calls; errors at which the peer needs
 *  less time, with the measured values; errors that are not compared; references. */
typedef void cmd_summary_fill_fn(const cmd_summary *s, cmd_table *table);
cmd_summary_fill_fn cmd_summary_fill_cpu, cmd_summary_fill_calls, cmd_summary_fill_slower, cmd_summary_fill_left_out,
    cmd_summary_fill_references;

/** Explain a difference by measured numbers: steps and calls of both, cost of a step, fraction of the calls in it, and
 *  the time of a call for which both would need equal time. @return text */
const char *cmd_versus_why(const cmd_versus *v, char text[CMD_REASON_SIZE]);

/** Summarise the comparison: "39 of 45 errors of 9 models compared: ..." @return text */
const char *cmd_summary_words(const cmd_summary *s, char text[CMD_REASON_SIZE]);

/** Legend of the tables. */
extern const char cmd_summary_legend[];

/** Write the summary as text, or as JSON: one object for each model and error, each model, and all models. @return 0;
 *  CMD_EXIT_IO after one error message */
void cmd_summary_text(const cmd_summary *s, FILE *stream);
int cmd_summary_json(const cmd_summary *s, FILE *stream);

#endif
