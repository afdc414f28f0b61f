/* report.h - the page of `resida-bench report`: what is measured for it, and its sections. Every section is a
 * function that writes whole elements only, so that the page is valid wherever a signal ends it. */
#ifndef CMD_REPORT_H
#define CMD_REPORT_H

#include <stdio.h>

#include "machine.h"
#include "benchmarks/util/kept_run.h"
#include "program/run/reference.h"
#include "benchmarks/papers/reproduce.h"
#include "benchmarks/work_precision/work_summary.h"

/** A reference that was found. */
typedef struct cmd_found {
    cmd_reference reference;
    const resida_model_class *cls;
    cmd_value *values; /**< [cls->n_parameters] */
    double t_end, rtol;
    struct cmd_found *next;
} cmd_found;

/** A report under way. */
typedef struct cmd_report_work {
    const cmd_settings *settings;
    cmd_machine before;
    bench_kept_runs kept; /**< finished runs */
    cmd_line *lines;      /**< [n_lines] rows of all tables, in their order */
    int n_lines;
    cmd_found *found;
    cmd_summary work;                  /**< models at equal error, beside the fastest peer */
    cmd_table outcomes;                /**< what came out: section, what was run, result */
    const struct cmd_section *section; /**< under way; NULL: none is */
    int failed;                        /**< runs of resida itself, and parts that could not be made */
    int undrawn;                       /**< pictures do not work */
    int anchors;                       /**< names of places on the page, so far */
} cmd_report_work;

/** A section. @return 0; 128 + signal; CMD_EXIT_* after one complaint */
typedef int cmd_section_fn(cmd_report_work *r, FILE *f);
typedef struct cmd_section {
    const char *name, *title;
    cmd_section_fn *write;
    int is_of_models; /**< 1: it shows the models that are named, or all; 2: it is for models that are named alone */
    double seconds;   /**< an estimate for an idle machine of two cores, without models that are named */
    int runs, runs_of_peer; /**< runs of a model, and of it by each peer, of which an estimate is made */
} cmd_section;

cmd_section_fn cmd_report_motion, cmd_report_equilibrium, cmd_report_table, cmd_report_extended, cmd_report_figures,
    cmd_report_models, cmd_report_work_precision, cmd_report_patterns;

/** The settings of the report with a time limit where none was said. */
cmd_settings cmd_report_settings(const cmd_report_work *r, double time_limit_s);

/** The model with a reference at t_end that is good enough for rtol; itself when its own one is, or when there
 *  is none. */
const cmd_model *cmd_report_reference(cmd_report_work *r, const cmd_model *model, const cmd_settings *s);
void cmd_report_free(cmd_report_work *r);

/** A line of what came out, for the beginning of the page and for the terminal. */
void cmd_report_outcome(cmd_report_work *r, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** A row of a series: a failure of resida itself is counted and said. A cmd_study_take_fn; context: the report. */
cmd_study_take_fn cmd_report_count_failure;

/** Measure a table of a paper: its rows are kept in r->lines. @return 0; CMD_EXIT_* after one complaint; 128 + signal
 *  */
int cmd_report_measure(cmd_report_work *r, const cmd_paper_table *t);

/** Models of --models; else the built-in ones that `is_wanted` takes. For each that opens, `visit`.
 *  @return 0; the first code other than 0 that is a signal; a part that fails is counted in r->failed */
typedef int cmd_visit_fn(cmd_report_work *r, const cmd_model *model, FILE *f, void *context);
int cmd_report_each_model(cmd_report_work *r, int (*is_wanted)(const cmd_model *model), cmd_visit_fn *visit,
                          void *context, FILE *f);

/** A name for a place on the page, unlike all others and safe in a tag, from words. @return text */
enum { CMD_ANCHOR = 64 };
const char *cmd_report_anchor(cmd_report_work *r, const char *words, char text[CMD_ANCHOR]);

/** Draw and embed; without gnuplot say so. The script is in the picture. @return 0; 128 + signal */
int cmd_report_picture(cmd_report_work *r, cmd_picture *picture, const char *words, const char *caption, FILE *f);

/** The whole page.
 *  @param[in] bodies [n] what the sections wrote; NULL: not begun
 *  @param[in] code   0; 128 + signal, which ended the last section that was begun */
void cmd_page_write(FILE *f, const cmd_report_work *r, const cmd_section *const *sections, FILE *const *bodies, int n,
                    int code);

#endif
