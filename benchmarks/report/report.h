/* report.h - the page of `resida-bench report`: measurements and sections. Each section function writes complete
 * elements only, therefore the page is valid after an interruption by a signal. */
#ifndef CMD_REPORT_H
#define CMD_REPORT_H

#include <stdio.h>

#include "machine.h"
#include "benchmarks/util/kept_run.h"
#include "program/run/reference.h"
#include "benchmarks/papers/reproduce.h"
#include "benchmarks/work_precision/work_summary.h"

/** A computed reference. */
typedef struct cmd_found {
    cmd_reference reference;
    const resida_model_class *cls;
    cmd_value *values; /**< [cls->n_parameters] */
    double t_end, rtol;
    struct cmd_found *next;
} cmd_found;

/** A report in progress. */
typedef struct cmd_report_work {
    const cmd_settings *settings;
    cmd_machine before;
    bench_kept_runs kept; /**< finished runs */
    cmd_line *lines;      /**< [n_lines] rows of all tables, in their order */
    int n_lines;
    cmd_found *found;
    cmd_summary work;                  /**< work at equal error, compared with the fastest peer */
    cmd_table outcomes;                /**< outcomes: section, run, result */
    const struct cmd_section *section; /**< current section; NULL: none */
    int failed;                        /**< failed runs of resida itself, and failed parts */
    int undrawn;                       /**< 1: pictures cannot be drawn */
    int anchors;                       /**< number of anchors on the page */
} cmd_report_work;

/** Write a section. @return 0; 128 + signal number; CMD_EXIT_* after one error message */
typedef int cmd_section_fn(cmd_report_work *r, FILE *f);
typedef struct cmd_section {
    const char *name, *title;
    cmd_section_fn *write;
    int is_of_models;       /**< 1: shows the named models, or all; 2: shows named models only */
    double seconds;         /**< estimate for an idle machine with two cores, without named models */
    int runs, runs_of_peer; /**< for the estimate: runs per model, and runs per model by each peer */
} cmd_section;

cmd_section_fn cmd_report_motion, cmd_report_equilibrium, cmd_report_table, cmd_report_extended, cmd_report_figures,
    cmd_report_models, cmd_report_work_precision, cmd_report_patterns;

/** Return the settings of the report, with this time limit if no limit is set. */
cmd_settings cmd_report_settings(const cmd_report_work *r, double time_limit_s);

/** Return the model with a reference at t_end of sufficient accuracy for rtol. Return the model itself if its own
 *  reference is sufficient or if no reference exists. */
const cmd_model *cmd_report_reference(cmd_report_work *r, const cmd_model *model, const cmd_settings *s);
void cmd_report_free(cmd_report_work *r);

/** Add a line to the outcomes, which are shown at the beginning of the page and on the terminal. */
void cmd_report_outcome(cmd_report_work *r, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Count and report a row of a series in which resida itself failed. A cmd_study_take_fn; context: the report. */
cmd_study_take_fn cmd_report_count_failure;

/** Measure a table of a paper and store its rows in r->lines. @return 0; CMD_EXIT_* after one error message; 128 +
 *  signal number */
int cmd_report_measure(cmd_report_work *r, const cmd_paper_table *t);

/** Call `visit` for each model of --models, or for each built-in model that `is_wanted` accepts. A part that fails is
 *  counted in r->failed.
 *  @return 0; the first nonzero code that is a signal */
typedef int cmd_visit_fn(cmd_report_work *r, const cmd_model *model, FILE *f, void *context);
int cmd_report_each_model(cmd_report_work *r, int (*is_wanted)(const cmd_model *model), cmd_visit_fn *visit,
                          void *context, FILE *f);

/** Create from words an anchor that is unique on the page and valid in a tag. @return text */
enum { CMD_ANCHOR = 64 };
const char *cmd_report_anchor(cmd_report_work *r, const char *words, char text[CMD_ANCHOR]);

/** Draw a picture and embed it together with its script. Without gnuplot, write a note. @return 0; 128 + signal
 *  number */
int cmd_report_picture(cmd_report_work *r, cmd_picture *picture, const char *words, const char *caption, FILE *f);

/** Write the whole page.
 *  @param[in] bodies [n] output of the sections; NULL: not started
 *  @param[in] code   0; 128 + signal number if a signal ended the last section */
void cmd_page_write(FILE *f, const cmd_report_work *r, const cmd_section *const *sections, FILE *const *bodies, int n,
                    int code);

#endif
