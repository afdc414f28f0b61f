/* inputs.h - a result never takes the place of what is read. */
#ifndef BENCH_INPUTS_H
#define BENCH_INPUTS_H

#include "settings.h"

/** Is --out, --animate or --events, or where a partial result would go, another name of a plugin that the settings
 *  name?
 *  @return 0; BENCH_EXIT_USAGE after one complaint */
int bench_inputs_are_spared(const bench_settings *s);

/** Are both names of one file, which is there? Links are followed. */
int bench_is_same_file(const char *a, const char *b);

#endif
