/* work_summary.h - resida against the fastest of its peers at equal error: every model, every error, and their mean. */
#ifndef BENCH_WORK_SUMMARY_H
#define BENCH_WORK_SUMMARY_H

#include "work_precision.h"

enum { BENCH_REASON_SIZE = 600 };

/** One model at one error. */
typedef struct bench_versus {
    const char *peer;                     /**< the fastest that reaches the error; NULL: not compared */
    double own[BENCH_N_WORKS];            /**< of resida, that is of the first method; NaN where it is not known */
    double theirs[BENCH_N_WORKS];         /**< of the peer */
    double own_call_s, their_call_s;      /**< a residual call alone, in the formalism of each */
    char not_compared[BENCH_REASON_SIZE]; /**< why, where there is no peer */
} bench_versus;

typedef struct bench_summary_line {
    char model[64];
    char reference[160]; /**< what the errors are measured against */
    bench_versus at[BENCH_N_LEVELS];
} bench_summary_line;

/** Zeroed: nothing yet. */
typedef struct bench_summary {
    bench_summary_line *lines; /**< [n] */
    int n;
} bench_summary;

/** Is it one of those that resida is measured by? Not so one that is given derivatives by formulas, which resida is
 *  not. */
int bench_is_rival(const rsd_peer *peer);

/** A model that was studied, and the code with which that ended: its ratios, or why there are none.
 *  @return the code; BENCH_EXIT_FAILED (no memory) after one complaint */
int bench_summary_take(bench_summary *s, const bench_study *study, const bench_model *model, int code);

/** A model that was not studied, and why. @return 0; BENCH_EXIT_FAILED (no memory) after one complaint */
int bench_summary_leave_out(bench_summary *s, const char *model, const char *why);
void bench_summary_free(bench_summary *s);

/** own / theirs; NaN when one of them is not known. */
double bench_versus_ratio(const bench_versus *v, int which);

/** Geometric mean of the ratios of a model over its errors; of these over the models. NaN: there is none. */
double bench_summary_mean(const bench_summary_line *line, int which);
double bench_summary_mean_all(const bench_summary *s, int which);

/** Ratios of the processor times with the peer's name, and of the calls; then every error at which the peer needs less
 *  time, with what was measured there; then the errors that are not compared. */
void bench_summary_fill_cpu(const bench_summary *s, bench_table *table);
void bench_summary_fill_calls(const bench_summary *s, bench_table *table);
void bench_summary_fill_dearer(const bench_summary *s, bench_table *table);
void bench_summary_fill_left_out(const bench_summary *s, bench_table *table);
void bench_summary_fill_references(const bench_summary *s, bench_table *table);

/** Where the time goes, by numbers: steps and calls of both, what a step costs, how much of it the calls are, what
 *  makes the difference, and how dear a call would have to be for it to vanish. @return text */
const char *bench_versus_why(const bench_versus *v, char text[BENCH_REASON_SIZE]);

/** "39 of 45 errors of 9 models compared: ..." @return text */
const char *bench_summary_words(const bench_summary *s, char text[BENCH_REASON_SIZE]);

/** What the tables mean. */
extern const char bench_summary_legend[];

/** All of it for people; one object for each model and error, each model, and all. @return 0; BENCH_EXIT_IO after one
 *  complaint */
void bench_summary_text(const bench_summary *s, FILE *stream);
int bench_summary_json(const bench_summary *s, FILE *stream);

#endif
