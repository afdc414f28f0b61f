/* model_arg.h - the MODEL argument of the command line: a built-in name, or a file (a plugin, or a file of another
 * tool), with its parameters. */
#ifndef CMD_MODEL_ARG_H
#define CMD_MODEL_ARG_H

#include <resida/model.h>

#include "program/base/number.h"
#include "settings.h"

/** The value of a parameter. */
typedef struct cmd_value {
    double number;
    const char *word; /**< value of a text parameter; NULL: number is the value */
} cmd_value;

/** Return the word, or the number as in cmd_number(). */
const char *cmd_value_text(const cmd_value *value);

/** Return 1 if the value is the default of the parameter. */
int cmd_value_is_default(const cmd_value *value, const resida_parameter *parameter);

/** An open model. A zeroed struct has none. */
typedef struct cmd_model {
    resida_plugin_handle *plugin; /**< NULL for a built-in model */
    const resida_model_class *cls;
    const char *word;  /**< as on the command line; borrowed */
    cmd_value *values; /**< [cls->n_parameters] values in use; words are borrowed */
    char *columns;     /**< value of a parameter that lists columns; NULL: none */
    resida_model model;
} cmd_model;

/** Find a class. @param[out] plugin  NULL, or to be closed by the caller
 *  @return 0; CMD_EXIT_USAGE after one complaint; 128 + signal */
int cmd_class_find(const char *word, const resida_model_class **cls, resida_plugin_handle **plugin);

/** Open a class to inspect it. cmd_class_find() takes over the last one. @return as cmd_class_find() */
int cmd_class_inspect(const char *word, const resida_model_class **cls);

/** Return the word of that class, or NULL if there is none. */
const char *cmd_class_inspected(void);

/** Close a class that was inspected, unless it was taken over. */
void cmd_class_close_inspected(void);

/** Open models [n] with the parameters of `s`. A model uses the parameters that it has; each parameter must belong to a
 *  model.
 *  @return 0; CMD_EXIT_* after one complaint, and nothing is open */
int cmd_models_open(cmd_model *models, int n, const char *const *words, const cmd_settings *s);

/** Open the model in `s`, call `work`, and close the model. @return exit code of `work`, or of the failure to open */
int cmd_run_on_model(const cmd_settings *s, int (*work)(cmd_model *model, const cmd_settings *s));

/** Create a model of an open class with the parameters of `s`, all of which it must have. The class stays open when the
 *  model is closed.
 *  @return 0; CMD_EXIT_* after one complaint, and nothing is open */
int cmd_model_make(cmd_model *model, const resida_model_class *cls, const char *word, const cmd_settings *s);

void cmd_models_close(cmd_model *models, int n);

/** List the built-in models that are not general DAEs, in the order of `resida models`.
 *  @return their number; -1 after one complaint if a model could not be opened, which is necessary to know its kind */
enum { CMD_MECHANISMS_MAX = 64 };
int cmd_mechanisms(const char *names[CMD_MECHANISMS_MAX]);

#endif
