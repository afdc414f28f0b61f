/* plan.h - the plan of a sweep: one model, the values that all cases share, the values that vary, and the design. */
#ifndef CMD_PLAN_H
#define CMD_PLAN_H

#include <stdint.h>

#include "distribution.h"
#include "program/base/number.h"
#include "program/cli/model_arg.h"

/** The design: how cases are made from axes. */
typedef enum cmd_design {
    CMD_GRID = 0,            /**< all combinations; the last axis changes fastest */
    CMD_LISTED = 1,          /**< case k has the k-th value of each axis; rows of a CSV */
    CMD_LATIN_HYPERCUBE = 2, /**< random; each axis has n_cases parts of equal probability, with one case in each */
    CMD_MONTE_CARLO = 3      /**< random */
} cmd_design;

/** An axis: a parameter of the model, or an option of the command if its name begins with "--". */
typedef struct cmd_axis {
    char *name;
    long n;       /**< number of values; 0 if drawn from the distribution */
    char **words; /**< [n] as on the command line; "true", "false" for a flag; "" keeps the default */
    const cmd_distribution *distribution;
    double numbers[CMD_DISTRIBUTION_MEMBERS]; /**< parameters of the distribution */
} cmd_axis;

/** A plan. A zeroed struct has none. */
typedef struct cmd_plan {
    const char *path; /**< borrowed */
    char *text;       /**< text of the file */
    size_t size;      /**< of text, in bytes */
    int is_csv;
    char *model; /**< model as on the command line */
    long *lines; /**< [n_cases] line number of each case in a CSV; else NULL */
    cmd_design design;
    long n_cases;
    uint64_t seed;
    int n_fixed, n_axes, n_outputs;
    cmd_axis *fixed; /**< [n_fixed] with one value each */
    cmd_axis *axes;  /**< [n_axes] */
    char **outputs;  /**< [n_outputs] as requested; if none: all components at the end */
} cmd_plan;

/** Max. number of cases, and of values of a range, which are stored as words. */
enum { CMD_PLAN_CASES = 1000000000, CMD_RANGE_POINTS = 1000000, CMD_WORD_SIZE = 256 };

/** Read a plan from a text, and take ownership of the text. The format is CSV if the path ends in .csv, else JSON.
 *  @param[in] model  of the command line, or NULL
 *  @return 0; CMD_EXIT_USAGE or CMD_EXIT_FAILED after one complaint; to be freed in any case */
int cmd_plan_read(cmd_plan *plan, const char *path, char *text, size_t size, const char *model);

/** Read a plan from a file; '-' is standard input. */
int cmd_plan_load(cmd_plan *plan, const char *path, const char *model);

void cmd_plan_free(cmd_plan *plan);

/** Return the text after a byte order mark, which some programs write before UTF-8. */
const char *cmd_plan_text(const cmd_plan *plan);

/** Parse one of the two formats. Called by cmd_plan_read(). */
int cmd_plan_json(cmd_plan *plan);
int cmd_plan_csv(cmd_plan *plan);

/** Append an axis with this name. @return NULL without memory */
cmd_axis *cmd_plan_add(cmd_axis **axes, int *n, const char *name);

/** Append a copy of a word to an axis. @return 0; -1 without memory */
int cmd_axis_add(cmd_axis *axis, const char *word);

/** Return the value of an axis in case k. It is stored in the plan, or as in cmd_number(). */
const char *cmd_plan_word(const cmd_plan *plan, int axis, long k);

/** Check that the model and the command know all names, and that all listed values are valid. @return 0; CMD_EXIT_USAGE
 *  after one complaint with the line or name */
int cmd_plan_check(const cmd_plan *plan, const resida_model_class *cls);

/** Parse the settings of case k: the command line, followed by fixed and varied values.
 *  @param[in] argc, argv  the command line
 *  @return as cmd_settings_parse(), to be freed in any case */
int cmd_plan_settings(const cmd_plan *plan, long k, int argc, char **argv, cmd_settings *s);

/** Return 1 if the value of the parameter is a text. */
int cmd_is_text(const resida_model_class *cls, const char *name);

#endif
