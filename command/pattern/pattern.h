/* pattern.h - the entries of a Jacobian with the groups of its columns, and how they are shown. */
#ifndef BENCH_PATTERN_H
#define BENCH_PATTERN_H

#include <jansson.h>
#include <stdio.h>

#include "command/picture/picture.h"
#include "command/run/run.h"
#include "command/output/text_table.h"

/** A Jacobian after some steps; pointers into its solver. */
typedef struct bench_pattern {
    const bench_job *job;
    const char *formalism, *form, *strategy, *method; /**< method: "" when columns are not grouped */
    double t;
    long steps;
    resida_layout layout;
    resida_jacobian_matrix J;
    resida_jacobian_counts counts;
    const int *group; /**< [n] -1: costs no residual call; NULL: columns are not grouped */
    int n_groups;
} bench_pattern;

/** What is done with a pattern as long as its solver lives. @return an exit code */
typedef int bench_pattern_show_fn(const bench_pattern *pattern, void *context);

/** Integrate up to t_end, or so many steps, and show the pattern of then.
 *  @return what `show` returned; BENCH_EXIT_FAILED after one complaint; 128 + signal */
int bench_pattern_run(const bench_job *job, double t_end, long steps_max, bench_pattern_show_fn *show, void *context);

/** The same after a short integration (1 % of the interval, at most 20 steps), which the pattern needs to be found; and
 *  a job for it, which the library takes: by groups unless the settings say otherwise.
 *  @return 0; BENCH_EXIT_* after one complaint */
int bench_pattern_job(bench_job *job, const bench_model *model, const bench_settings *s);
int bench_pattern_run_shortly(const bench_job *job, bench_pattern_show_fn *show, void *context);

/** A block of unknowns, and of the equations at the same places. */
typedef struct bench_block {
    const char *name, *symbol, *equations; /**< "lam", "λ", "velocity" */
    int first;
} bench_block;

enum { BENCH_BLOCKS_MAX = 4, BENCH_PATTERN_TEXT_MAX = 60 };

/** Blocks of a mechanism in their order; block [returned] begins after the last unknown. @return 0 for a general DAE */
int bench_pattern_blocks(const bench_pattern *pattern, bench_block blocks[BENCH_BLOCKS_MAX + 1]);

/** A body whose coordinates are side by side: their names, such as "car.y", begin alike. */
typedef struct bench_module {
    char name[16]; /**< "car" */
    int first;     /**< of its coordinates, among p */
} bench_module;

enum { BENCH_MODULES_MAX = 24 };

/** Modules of a mechanism in their order; module [returned] begins after the last coordinate. @return 0 when the names
 *  tell of none, or of too many */
int bench_pattern_modules(const bench_pattern *pattern, bench_module modules[BENCH_MODULES_MAX + 1]);

/** As a table: where the columns of each module are, and in which groups. */
void bench_pattern_modules_fill(bench_table *table, const bench_pattern *pattern);

/** Sizes, and for n <= BENCH_PATTERN_TEXT_MAX the entries as letters. */
void bench_pattern_text(const bench_pattern *pattern, FILE *stream);

/** Sizes, groups and entries by columns; a new reference, NULL without memory. */
json_t *bench_pattern_json(const bench_pattern *pattern);

/** Words about it: sizes, groups. @return text */
enum { BENCH_PATTERN_WORDS = 512 };
const char *bench_pattern_words(const bench_pattern *pattern, char text[BENCH_PATTERN_WORDS]);

/** Open a picture of its size. @return as bench_picture_open() */
int bench_pattern_open_picture(bench_picture *picture, const char *path);

/** The script of its picture, with modules where there are any; the second form with numbers, under two lines of
 *  title. */
void bench_pattern_draw(const bench_pattern *pattern, const bench_picture *picture);
void bench_pattern_draw_as(const bench_pattern *pattern, const bench_picture *picture, const char *title,
                           const char *subtitle);

/** The same with a column for each group in the place of those that it joins: what a residual call each finds out. */
void bench_pattern_draw_groups(const bench_pattern *pattern, const bench_picture *picture, const char *title,
                               const char *subtitle);

#endif
