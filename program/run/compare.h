/* compare.h - a row for each model, formalism and Jacobian strategy, and for each peer that is wanted. */
#ifndef CMD_COMPARE_H
#define CMD_COMPARE_H

#include "program/cli/settings.h"

/** Compare on the models that are the words of the settings. @return exit code, after at most one complaint */
int cmd_compare(const cmd_settings *s);

#endif
