/* plan.h - what a sweep runs: one model, what all cases share, what varies, and how the cases are made of that. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include <stdint.h>

#include "distribution.h"
#include "command/base/number.h"
#include "command/cli/model_arg.h"

/** How cases are made of axes. */
typedef enum bench_design {
    BENCH_GRID = 0,            /**< all combinations, the last axis changes fastest */
    BENCH_LISTED = 1,          /**< the k-th value of each axis; rows of a CSV */
    BENCH_LATIN_HYPERCUBE = 2, /**< drawn, each axis in equal parts of its probability, one for each case */
    BENCH_MONTE_CARLO = 3      /**< drawn */
} bench_design;

/** A parameter of the model, or an option of the command when its name begins with "--". */
typedef struct bench_axis {
    char *name;
    long n;       /**< values; 0: it is drawn from the distribution */
    char **words; /**< [n] as on the command line; "true", "false" for a flag; "" leaves it as it is */
    const bench_distribution *distribution;
    double numbers[BENCH_DISTRIBUTION_MEMBERS]; /**< of the distribution */
} bench_axis;

/** A plan. Zeroed: none. */
typedef struct bench_plan {
    const char *path; /**< the caller's */
    char *text;       /**< the file as it is */
    size_t size;      /**< its bytes */
    int is_csv;
    char *model; /**< its word */
    long *lines; /**< [n_cases] where each stands, of a CSV; else NULL */
    bench_design design;
    long n_cases;
    uint64_t seed;
    int n_fixed, n_axes, n_outputs;
    bench_axis *fixed; /**< [n_fixed] with one value each */
    bench_axis *axes;  /**< [n_axes] */
    char **outputs;    /**< [n_outputs] as they are asked for; none: all components at the end */
} bench_plan;

/** Cases at most; of these values of a range, which are kept as words. */
enum { BENCH_PLAN_CASES = 1000000000, BENCH_RANGE_POINTS = 1000000, BENCH_WORD_SIZE = 256 };

/** The plan in a text, which belongs to it from then on: JSON, or CSV by the path's end.
 *  @param[in] model  of the command line, or NULL
 *  @return 0; BENCH_EXIT_USAGE, BENCH_EXIT_FAILED after one complaint; to be freed in any case */
int bench_plan_read(bench_plan *plan, const char *path, char *text, size_t size, const char *model);

/** The same of a file; '-' is standard input. */
int bench_plan_load(bench_plan *plan, const char *path, const char *model);

void bench_plan_free(bench_plan *plan);

/** The text behind a byte order mark, which some programs put in front of UTF-8. */
const char *bench_plan_text(const bench_plan *plan);

/** Both forms; called by bench_plan_read(). */
int bench_plan_json(bench_plan *plan);
int bench_plan_csv(bench_plan *plan);

/** Room for one more axis, with that name. @return NULL without memory */
bench_axis *bench_plan_add(bench_axis **axes, int *n, const char *name);

/** Take a copy of a word into an axis. @return 0; -1 without memory */
int bench_axis_add(bench_axis *axis, const char *word);

/** The value of an axis in case k, in the plan's memory or as bench_number(). */
const char *bench_plan_word(const bench_plan *plan, int axis, long k);

/** Do the names mean something to the model and the command, and all values that are written down?
 *  @return 0; BENCH_EXIT_USAGE after one complaint that names line or name */
int bench_plan_check(const bench_plan *plan, const resida_model_class *cls);

/** Settings of case k: the command line, then what is fixed, then what varies.
 *  @param[in] argc, argv  the command line
 *  @return as bench_settings_parse(), to be freed in any case */
int bench_plan_settings(const bench_plan *plan, long k, int argc, char **argv, bench_settings *s);

/** Is the parameter's value a text? */
int bench_is_text(const resida_model_class *cls, const char *name);

#endif
