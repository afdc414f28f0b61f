/* pattern.h - the pattern of a Jacobian with the groups of its columns, and its output. */
#ifndef CMD_PATTERN_H
#define CMD_PATTERN_H

#include <jansson.h>
#include <stdio.h>

#include "program/picture/picture.h"
#include "program/run/run.h"
#include "program/output/text_table.h"

/** A Jacobian after some steps. Pointers refer to its solver. */
typedef struct cmd_pattern_work {
    const cmd_job *job;
    const char *formalism, *form, *strategy, *method; /**< method: "" if columns are not grouped */
    double t;
    long steps;
    resida_layout layout;
    resida_jacobian_matrix J;
    resida_jacobian_counts counts;
    const int *group; /**< [n] group of each column, -1 if it needs no residual call; NULL if columns are not grouped */
    int n_groups;
} cmd_pattern_work;

/** A function that uses a pattern while its solver exists. @return an exit code */
typedef int cmd_pattern_show_fn(const cmd_pattern_work *pattern, void *context);

/** Integrate to t_end, or at most steps_max steps, and call `show` with the pattern.
 *  @return as `show`; CMD_EXIT_FAILED after one complaint; 128 + signal */
int cmd_pattern_run(const cmd_job *job, double t_end, long steps_max, cmd_pattern_show_fn *show, void *context);

/** Create a job, with the grouped strategy unless the settings name another one; or integrate briefly (1 % of the
 *  interval, at most 20 steps), during which the pattern is found, and show it.
 *  @return 0; CMD_EXIT_* after one complaint */
int cmd_pattern_job(cmd_job *job, const cmd_model *model, const cmd_settings *s);
int cmd_pattern_run_shortly(const cmd_job *job, cmd_pattern_show_fn *show, void *context);

/** A block of unknowns, and of the equations with the same indices. */
typedef struct cmd_block {
    const char *name, *symbol, *equations; /**< "lam", "λ", "velocity" */
    int first;
} cmd_block;

enum { CMD_BLOCKS_MAX = 4, CMD_PATTERN_TEXT_MAX = 60 };

/** Return the number of blocks of a mechanism; 0 for a general DAE. Block [returned] begins after the last unknown. */
int cmd_pattern_blocks(const cmd_pattern_work *pattern, cmd_block blocks[CMD_BLOCKS_MAX + 1]);

/** A body with adjacent coordinates, whose names have a common prefix, as in "car.y". */
typedef struct cmd_module {
    char name[16]; /**< "car" */
    int first;     /**< first coordinate, as an index of p */
} cmd_module;

enum { CMD_MODULES_MAX = 24 };

/** Return the number of modules of a mechanism, in their order; 0 if names define none or too many. Module [returned]
 *  begins after the last coordinate. */
int cmd_pattern_modules(const cmd_pattern_work *pattern, cmd_module modules[CMD_MODULES_MAX + 1]);

/** Fill a table with the columns of each module and their groups. */
void cmd_pattern_modules_fill(cmd_table *table, const cmd_pattern_work *pattern);

/** Return sizes, groups and entries by columns; a new reference, NULL without memory. */
json_t *cmd_pattern_json(const cmd_pattern_work *pattern);

/** Describe the pattern: sizes, groups. @return text */
enum { CMD_PATTERN_WORDS = 512 };
const char *cmd_pattern_describe(const cmd_pattern_work *pattern, char text[CMD_PATTERN_WORDS]);

/** Open a picture with the size for patterns. @return as cmd_picture_open() */
int cmd_pattern_open_picture(cmd_picture *picture, const char *path);

/** Write the script of the picture. The first function adds modules if there are any; the second takes two lines of
 *  title. */
void cmd_pattern_draw(const cmd_pattern_work *pattern, const cmd_picture *picture);
void cmd_pattern_draw_as(const cmd_pattern_work *pattern, const cmd_picture *picture, const char *title,
                         const char *subtitle);

/** Write the script of a picture with one column per group. It shows the entries that each residual call determines. */
void cmd_pattern_draw_groups(const cmd_pattern_work *pattern, const cmd_picture *picture, const char *title,
                             const char *subtitle);

#endif
