/* report.h - the page of `resida report`: what is measured for it, and its sections. Every section is a function that
 * writes whole elements only, so that the page is valid wherever a signal ends it. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "command/output/machine.h"
#include "command/run/reference.h"
#include "command/papers/reproduce.h"
#include "command/work_precision/work_summary.h"

/** A reference that was found. */
typedef struct bench_found {
    bench_reference reference;
    const resida_model_class *cls;
    bench_value *values; /**< [cls->n_parameters] */
    double t_end, rtol;
    struct bench_found *next;
} bench_found;

/** A report under way. */
typedef struct bench_report {
    const bench_settings *settings;
    bench_machine before;
    bench_line *lines; /**< [n_lines] rows of all tables, in their order */
    int n_lines;
    bench_found *found;
    bench_summary work;                  /**< models at equal error, beside the fastest peer */
    const bench_reference *judge;        /**< the reference of the rows that come; NULL: the model's own, or none */
    bench_table outcomes;                /**< what came out: section, what was run, result */
    const struct bench_section *section; /**< under way; NULL: none is */
    int failed;                          /**< runs of resida itself, and parts that could not be made */
    int undrawn;                         /**< pictures do not work */
    int anchors;                         /**< names of places on the page, so far */
} bench_report;

/** A section. @return 0; 128 + signal; BENCH_EXIT_* after one complaint */
typedef int bench_section_fn(bench_report *r, FILE *f);
typedef struct bench_section {
    const char *name, *title;
    bench_section_fn *write;
    int is_of_models; /**< it shows the models of --models */
} bench_section;

bench_section_fn bench_report_table, bench_report_extended, bench_report_figures, bench_report_models,
    bench_report_work_precision, bench_report_patterns;

/** The settings of the report with a time limit where none was said. */
bench_settings bench_report_settings(const bench_report *r, double time_limit_s);

/** The model with a reference at t_end that is good enough for rtol; itself when it has one of its own, or when there
 *  is none. Sets r->judge. */
const bench_model *bench_report_reference(bench_report *r, const bench_model *model, const bench_settings *s);
void bench_report_free(bench_report *r);

/** A line of what came out, for the beginning of the page and for the terminal. */
void bench_report_outcome(bench_report *r, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Measure a table of a paper: its rows are kept in r->lines. @return 0; BENCH_EXIT_* after one complaint; 128 + signal
 *  */
int bench_report_measure(bench_report *r, const bench_paper_table *t);

/** Models of --models; else the built-in ones that `is_wanted` takes. For each that opens, `visit`.
 *  @return 0; the first code other than 0 that is a signal; a part that fails is counted in r->failed */
typedef int bench_visit_fn(bench_report *r, const bench_model *model, FILE *f, void *context);
int bench_report_each_model(bench_report *r, int (*is_wanted)(const bench_model *model), bench_visit_fn *visit,
                            void *context, FILE *f);

/** A name for a place on the page, unlike all others and safe in a tag, from words. @return text */
enum { BENCH_ANCHOR = 64 };
const char *bench_report_anchor(bench_report *r, const char *words, char text[BENCH_ANCHOR]);

/** Draw and embed; without gnuplot say so. The script is in the picture. @return 0; 128 + signal */
int bench_report_picture(bench_report *r, bench_picture *picture, const char *words, const char *caption, FILE *f);

/** The whole page.
 *  @param[in] bodies [n] what the sections wrote; NULL: not begun
 *  @param[in] code   0; 128 + signal, which ended the last section that was begun */
void bench_page_write(FILE *f, const bench_report *r, const bench_section *const *sections, FILE *const *bodies, int n,
                      int code);

/** The look of the page. */
extern const char bench_page_style[];

#endif
