/* own_options.h - the options that only commands of `resida` have. */
#ifndef CMD_OWN_OPTIONS_H
#define CMD_OWN_OPTIONS_H

#include "program/cli/options.h"

extern const cmd_option cmd_own_options[];
extern const int cmd_n_own_options;

#endif
