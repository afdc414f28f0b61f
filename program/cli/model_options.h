/* model_options.h - options that a model brings along (options of resida_model_class): they set its parameters, and are
 * known on a command line that names the model. */
#ifndef CMD_MODEL_OPTIONS_H
#define CMD_MODEL_OPTIONS_H

#include <resida/model.h>

#include "options.h"

/** Where the command line has an option that a command of this mask does not know, the models that its words name are
 *  opened, and their options added to cmd_options
 *  @return 0; CMD_EXIT_USAGE after one complaint about a model; 128 + signal */
int cmd_model_options_find(unsigned mask, int argc, char **argv);

/** Name of the setting that such an option makes: its own with "--" before it. */
char *cmd_model_option_setting(const cmd_option *o);

/** Parameter of a class that a setting names: by its name, or by its option with "--" before it; -1: none. */
int cmd_parameter_index(const resida_model_class *cls, const char *name);

#endif
