/* own_options.h - options that commands of `resida` alone have. */
#ifndef CMD_OWN_OPTIONS_H
#define CMD_OWN_OPTIONS_H

#include "program/cli/options.h"

extern const cmd_option cmd_own_options[];
extern const int cmd_n_own_options;

#endif
