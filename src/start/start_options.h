/* start_options.h - the table of resida_start_options. */
#ifndef RSD_START_OPTIONS_H
#define RSD_START_OPTIONS_H

#include "src/problem/option_impl.h"

extern const rsd_options rsd_start_table;

#endif
