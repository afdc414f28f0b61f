/* pattern.h - the entries of a Jacobian with the groups of its columns, and how they are shown. */
#ifndef CMD_PATTERN_H
#define CMD_PATTERN_H

#include <jansson.h>
#include <stdio.h>

#include "program/picture/picture.h"
#include "program/run/run.h"
#include "program/output/text_table.h"

/** A Jacobian after some steps; pointers into its solver. */
typedef struct cmd_pattern_work {
    const cmd_job *job;
    const char *formalism, *form, *strategy, *method; /**< method: "" when columns are not grouped */
    double t;
    long steps;
    resida_layout layout;
    resida_jacobian_matrix J;
    resida_jacobian_counts counts;
    const int *group; /**< [n] -1: costs no residual call; NULL: columns are not grouped */
    int n_groups;
} cmd_pattern_work;

/** What is done with a pattern as long as its solver lives. @return an exit code */
typedef int cmd_pattern_show_fn(const cmd_pattern_work *pattern, void *context);

/** Integrate up to t_end, or so many steps, and show the pattern of then.
 *  @return what `show` returned; CMD_EXIT_FAILED after one complaint; 128 + signal */
int cmd_pattern_run(const cmd_job *job, double t_end, long steps_max, cmd_pattern_show_fn *show, void *context);

/** The same after a short integration (1 % of the interval, at most 20 steps), which the pattern needs to be found; and
 *  a job for it, which the library takes: by groups unless the settings say otherwise.
 *  @return 0; CMD_EXIT_* after one complaint */
int cmd_pattern_job(cmd_job *job, const cmd_model *model, const cmd_settings *s);
int cmd_pattern_run_shortly(const cmd_job *job, cmd_pattern_show_fn *show, void *context);

/** A block of unknowns, and of the equations at the same places. */
typedef struct cmd_block {
    const char *name, *symbol, *equations; /**< "lam", "λ", "velocity" */
    int first;
} cmd_block;

enum { CMD_BLOCKS_MAX = 4, CMD_PATTERN_TEXT_MAX = 60 };

/** Blocks of a mechanism in their order; block [returned] begins after the last unknown. @return 0 for a general DAE */
int cmd_pattern_blocks(const cmd_pattern_work *pattern, cmd_block blocks[CMD_BLOCKS_MAX + 1]);

/** A body whose coordinates are side by side: their names, such as "car.y", begin alike. */
typedef struct cmd_module {
    char name[16]; /**< "car" */
    int first;     /**< of its coordinates, among p */
} cmd_module;

enum { CMD_MODULES_MAX = 24 };

/** Modules of a mechanism in their order; module [returned] begins after the last coordinate. @return 0 when the names
 *  tell of none, or of too many */
int cmd_pattern_modules(const cmd_pattern_work *pattern, cmd_module modules[CMD_MODULES_MAX + 1]);

/** As a table: where the columns of each module are, and in which groups. */
void cmd_pattern_modules_fill(cmd_table *table, const cmd_pattern_work *pattern);

/** Sizes, groups and entries by columns; a new reference, NULL without memory. */
json_t *cmd_pattern_json(const cmd_pattern_work *pattern);

/** Words about it: sizes, groups. @return text */
enum { CMD_PATTERN_WORDS = 512 };
const char *cmd_pattern_words(const cmd_pattern_work *pattern, char text[CMD_PATTERN_WORDS]);

/** Open a picture of its size. @return as cmd_picture_open() */
int cmd_pattern_open_picture(cmd_picture *picture, const char *path);

/** The script of its picture, with modules where there are any; the second form with numbers, under two lines of
 *  title. */
void cmd_pattern_draw(const cmd_pattern_work *pattern, const cmd_picture *picture);
void cmd_pattern_draw_as(const cmd_pattern_work *pattern, const cmd_picture *picture, const char *title,
                         const char *subtitle);

/** The same with a column for each group in the place of those that it joins: what a residual call each finds out. */
void cmd_pattern_draw_groups(const cmd_pattern_work *pattern, const cmd_picture *picture, const char *title,
                             const char *subtitle);

#endif
