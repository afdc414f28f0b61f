/* studies.h - measurements that belong to no paper; each returns an exit code, after at most one complaint. */
#ifndef BENCH_STUDIES_H
#define BENCH_STUDIES_H

#include "program/cli/settings.h"
#include "program/output/text_table.h"

/** A study. Those with `fill` are quoted by doc/results.md. */
typedef struct bench_study {
    const char *name;
    /** Measure and fill the table, which it begins and the caller frees. NULL: it prints, by `run` */
    int (*fill)(const cmd_settings *s, cmd_table *table);
    int (*run)(const cmd_settings *s); /**< the words of the settings are what follows the name */
    int minutes;                       /**< how long it takes; 0: less than one, and nothing in it is a time */
    const char *text;
} bench_study;

extern const bench_study bench_studies[];
extern const int bench_n_studies;

/** By its name; NULL: there is none. */
const bench_study *bench_study_find(const char *name);

int bench_study_targets(const cmd_settings *s);
int bench_study_train_scaling(const cmd_settings *s);

/** @name What fills tables: study_NAME.c @{ */
int bench_fill_errors(const cmd_settings *s, cmd_table *table);
int bench_fill_low_order(const cmd_settings *s, cmd_table *table);
int bench_fill_falling_chain(const cmd_settings *s, cmd_table *table);
int bench_fill_slow_chain(const cmd_settings *s, cmd_table *table);
int bench_fill_condition(const cmd_settings *s, cmd_table *table);
int bench_fill_formalisms(const cmd_settings *s, cmd_table *table);
int bench_fill_groups(const cmd_settings *s, cmd_table *table);
int bench_fill_index3(const cmd_settings *s, cmd_table *table);
int bench_fill_rough_car(const cmd_settings *s, cmd_table *table);
int bench_fill_residual_calls(const cmd_settings *s, cmd_table *table);
int bench_fill_slopes(const cmd_settings *s, cmd_table *table);
int bench_fill_estimate(const cmd_settings *s, cmd_table *table);
int bench_fill_equal_error(const cmd_settings *s, cmd_table *table);
int bench_fill_overhead(const cmd_settings *s, cmd_table *table);
/** @} */

#endif
