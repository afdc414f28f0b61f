/* studies.h - measurements that belong to no paper; each returns an exit code, after at most one complaint. */
#ifndef BENCH_STUDIES_H
#define BENCH_STUDIES_H

#include "program/cli/settings.h"
#include "program/output/text_table.h"

/** Measure and fill the table, which it begins and the caller frees. */
typedef int bench_fill_fn(const cmd_settings *s, cmd_table *table);

/** A study. Those with `fill` are quoted by doc/results.md. */
typedef struct bench_study {
    const char *name;
    bench_fill_fn *fill; /**< NULL: it prints, by `run` */
    cmd_command_fn *run; /**< the words of the settings are what follows the name */
    int minutes;         /**< how long it takes; 0: less than one, and nothing in it is a time */
    const char *text;
} bench_study;

extern const bench_study bench_studies[];
extern const int bench_n_studies;

/** By its name; NULL: there is none. */
const bench_study *bench_study_find(const char *name);

cmd_command_fn bench_study_targets, bench_study_train_scaling;

/** What fills tables: study_NAME.c. */
bench_fill_fn bench_fill_errors, bench_fill_low_order, bench_fill_falling_chain, bench_fill_slow_chain,
    bench_fill_condition, bench_fill_formalisms, bench_fill_groups, bench_fill_index3, bench_fill_rough_car,
    bench_fill_residual_calls, bench_fill_slopes, bench_fill_estimate, bench_fill_equal_error, bench_fill_overhead,
    bench_fill_ablation;

#endif
