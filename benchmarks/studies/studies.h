/* studies.h - measurements that do not belong to a paper. Each returns an exit code and prints at most one error
 * message. */
#ifndef BENCH_STUDIES_H
#define BENCH_STUDIES_H

#include "program/cli/settings.h"
#include "program/output/text_table.h"

/** Measure and fill the table. The function begins the table; the caller frees it. */
typedef int bench_fill_fn(const cmd_settings *s, cmd_table *table);

/** A study. doc/results.md quotes those with `fill`. */
typedef struct bench_study {
    const char *name;
    bench_fill_fn *fill; /**< NULL: `run` prints the results */
    cmd_command_fn *run; /**< the words of the settings follow the name of the study */
    int minutes;         /**< duration; 0: less than one minute, and no result is a time */
    const char *text;
} bench_study;

extern const bench_study bench_studies[];
extern const int bench_n_studies;

/** Return the study with this name, or NULL. */
const bench_study *bench_study_find(const char *name);

cmd_command_fn bench_study_many_runs, bench_study_targets, bench_study_train_scaling;

/** Studies that fill tables: study_NAME.c. */
bench_fill_fn bench_fill_errors, bench_fill_low_order, bench_fill_falling_chain, bench_fill_slow_chain,
    bench_fill_condition, bench_fill_formalisms, bench_fill_groups, bench_fill_index3, bench_fill_rough_car,
    bench_fill_residual_calls, bench_fill_slopes, bench_fill_estimate, bench_fill_equal_error, bench_fill_overhead,
    bench_fill_ablation;

#endif
