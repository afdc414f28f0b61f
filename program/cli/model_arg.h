/* model_arg.h - MODEL on the command line: a built-in name, or a file (a plugin, or that of another tool); with its
 * parameters set. */
#ifndef CMD_MODEL_ARG_H
#define CMD_MODEL_ARG_H

#include <resida/model.h>

#include "program/base/number.h"
#include "settings.h"

/** Of a parameter. */
typedef struct cmd_value {
    double number;
    const char *word; /**< of a text; NULL: the number counts */
} cmd_value;

/** The word, or the number as cmd_number(). */
const char *cmd_value_text(const cmd_value *value);

/** Is it the default of the parameter? */
int cmd_value_is_usual(const cmd_value *value, const resida_parameter *parameter);

/** An open model. Zeroed: none. */
typedef struct cmd_model {
    resida_plugin_handle *plugin; /**< NULL for a built-in model */
    const resida_model_class *cls;
    const char *word;  /**< as it was asked for; the caller's */
    cmd_value *values; /**< [cls->n_parameters] parameters in use; words are the settings' or the class's */
    resida_model model;
} cmd_model;

/** Find a class. @param[out] plugin  NULL, or to be closed by the caller
 *  @return 0; CMD_EXIT_USAGE after one complaint; 128 + signal */
int cmd_class_find(const char *word, const resida_model_class **cls, resida_plugin_handle **plugin);

/** Open a class for a look; cmd_class_find() takes the last one over. @return as cmd_class_find() */
int cmd_class_look(const char *word, const resida_model_class **cls);

/** The word of that class; NULL: there is none. */
const char *cmd_class_looked_at(void);

/** Close a class that was looked at and that nothing took over. */
void cmd_class_forget(void);

/** Open models [n] with the parameters of `s`; each model takes those it has, and each must be of some model.
 *  @return 0; CMD_EXIT_* after one complaint, and nothing is open */
int cmd_models_open(cmd_model *models, int n, const char *const *words, const cmd_settings *s);

/** Open the one model that `s` names, do the work, and close it. @return the code of what did not work, or 0 */
int cmd_on_model(const cmd_settings *s, int (*work)(cmd_model *model, const cmd_settings *s));

/** A model of a class that is open, with the parameters of `s`, which it must have. The class stays open when the model
 *  is closed.
 *  @return 0; CMD_EXIT_* after one complaint, and nothing is open */
int cmd_model_make(cmd_model *model, const resida_model_class *cls, const char *word, const cmd_settings *s);

void cmd_models_close(cmd_model *models, int n);

/** Names of the built-in models that are no general DAEs, in the order of `resida models`.
 *  @return how many; -1 after one complaint, when a model could not be opened, which alone says what it is */
enum { CMD_MECHANISMS_MAX = 64 };
int cmd_mechanisms(const char *names[CMD_MECHANISMS_MAX]);

#endif
