/* plan.h - what a sweep runs: one model, what all cases share, what varies, and how the cases are made of that. */
#ifndef CMD_PLAN_H
#define CMD_PLAN_H

#include <stdint.h>

#include "distribution.h"
#include "program/base/number.h"
#include "program/cli/model_arg.h"

/** How cases are made of axes. */
typedef enum cmd_design {
    CMD_GRID = 0,            /**< all combinations, the last axis changes fastest */
    CMD_LISTED = 1,          /**< the k-th value of each axis; rows of a CSV */
    CMD_LATIN_HYPERCUBE = 2, /**< drawn, each axis in equal parts of its probability, one for each case */
    CMD_MONTE_CARLO = 3      /**< drawn */
} cmd_design;

/** A parameter of the model, or an option of the command when its name begins with "--". */
typedef struct cmd_axis {
    char *name;
    long n;       /**< values; 0: it is drawn from the distribution */
    char **words; /**< [n] as on the command line; "true", "false" for a flag; "" leaves it as it is */
    const cmd_distribution *distribution;
    double numbers[CMD_DISTRIBUTION_MEMBERS]; /**< of the distribution */
} cmd_axis;

/** A plan. Zeroed: none. */
typedef struct cmd_plan {
    const char *path; /**< the caller's */
    char *text;       /**< the file as it is */
    size_t size;      /**< its bytes */
    int is_csv;
    char *model; /**< its word */
    long *lines; /**< [n_cases] where each stands, of a CSV; else NULL */
    cmd_design design;
    long n_cases;
    uint64_t seed;
    int n_fixed, n_axes, n_outputs;
    cmd_axis *fixed; /**< [n_fixed] with one value each */
    cmd_axis *axes;  /**< [n_axes] */
    char **outputs;  /**< [n_outputs] as requested; none: all components at the end */
} cmd_plan;

/** Cases at most; of these values of a range, which are kept as words. */
enum { CMD_PLAN_CASES = 1000000000, CMD_RANGE_POINTS = 1000000, CMD_WORD_SIZE = 256 };

/** The plan in a text, which belongs to it from then on: JSON, or CSV by the path's end.
 *  @param[in] model  of the command line, or NULL
 *  @return 0; CMD_EXIT_USAGE, CMD_EXIT_FAILED after one complaint; to be freed in any case */
int cmd_plan_read(cmd_plan *plan, const char *path, char *text, size_t size, const char *model);

/** The same of a file; '-' is standard input. */
int cmd_plan_load(cmd_plan *plan, const char *path, const char *model);

void cmd_plan_free(cmd_plan *plan);

/** The text behind a byte order mark, which some programs put in front of UTF-8. */
const char *cmd_plan_text(const cmd_plan *plan);

/** Both forms; called by cmd_plan_read(). */
int cmd_plan_json(cmd_plan *plan);
int cmd_plan_csv(cmd_plan *plan);

/** Room for one more axis, with that name. @return NULL without memory */
cmd_axis *cmd_plan_add(cmd_axis **axes, int *n, const char *name);

/** Take a copy of a word into an axis. @return 0; -1 without memory */
int cmd_axis_add(cmd_axis *axis, const char *word);

/** The value of an axis in case k, in the plan's memory or as cmd_number(). */
const char *cmd_plan_word(const cmd_plan *plan, int axis, long k);

/** Do the names mean something to the model and the command, and all values that are written down?
 *  @return 0; CMD_EXIT_USAGE after one complaint that names line or name */
int cmd_plan_check(const cmd_plan *plan, const resida_model_class *cls);

/** Settings of case k: the command line, then what is fixed, then what varies.
 *  @param[in] argc, argv  the command line
 *  @return as cmd_settings_parse(), to be freed in any case */
int cmd_plan_settings(const cmd_plan *plan, long k, int argc, char **argv, cmd_settings *s);

/** Is the parameter's value a text? */
int cmd_is_text(const resida_model_class *cls, const char *name);

#endif
