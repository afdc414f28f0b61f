/* model_options.h - options of a model (resida_model_class.options). They set its parameters, and are accepted on a
 * command line that names the model. */
#ifndef CMD_MODEL_OPTIONS_H
#define CMD_MODEL_OPTIONS_H

#include <resida/model.h>

#include "options.h"

/** If the command line has an option unknown to the command with this mask, open the models on the command line, and
 *  add their options to cmd_options.
 *  @return 0; CMD_EXIT_USAGE after one complaint about a model; 128 + signal */
int cmd_model_options_find(unsigned mask, int argc, char **argv);

/** Return the name of the setting of such an option: its name with "--". */
char *cmd_model_option_setting(const cmd_option *o);

/** Return the parameter for a setting with its name, or with "--" and the name of its option; -1 if there is none. */
int cmd_parameter_index(const resida_model_class *cls, const char *name);

#endif
