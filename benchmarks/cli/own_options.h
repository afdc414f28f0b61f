/* own_options.h - options that only commands of `resida-bench` have. */
#ifndef BENCH_OWN_OPTIONS_H
#define BENCH_OWN_OPTIONS_H

#include "program/cli/options.h"

extern const cmd_option bench_own_options[];
extern const int bench_n_own_options;

#endif
