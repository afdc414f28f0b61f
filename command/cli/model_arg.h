/* model_arg.h - MODEL on the command line: a built-in name, or a file (a plugin, or that of another tool); with its
 * parameters set. */
#ifndef BENCH_MODEL_ARG_H
#define BENCH_MODEL_ARG_H

#include <resida/model.h>

#include "command/base/number.h"
#include "settings.h"

/** Of a parameter. */
typedef struct bench_value {
    double number;
    const char *word; /**< of a text; NULL: the number counts */
} bench_value;

/** The word, or the number as bench_number(). */
const char *bench_value_text(const bench_value *value);

/** An open model. Zeroed: none. */
typedef struct bench_model {
    resida_plugin_handle *plugin; /**< NULL for a built-in model */
    const resida_model_class *cls;
    const char *word;    /**< as it was asked for; the caller's */
    bench_value *values; /**< [cls->n_parameters] parameters in use; words are the settings' or the class's */
    resida_model model;
} bench_model;

/** Find a class. @param[out] plugin  NULL, or to be closed by the caller
 *  @return 0; BENCH_EXIT_USAGE after one complaint; 128 + signal */
int bench_class_find(const char *word, const resida_model_class **cls, resida_plugin_handle **plugin);

/** Open models [n] with the parameters of `s`; each model takes those it has, and each must be of some model.
 *  @return 0; BENCH_EXIT_* after one complaint, and nothing is open */
int bench_models_open(bench_model *models, int n, const char *const *words, const bench_settings *s);

/** Open the one model that `s` names, do the work, and close it. @return the code of what did not work, or 0 */
int bench_on_model(const bench_settings *s, int (*work)(bench_model *model, const bench_settings *s));

/** A model of a class that is open, with the parameters of `s`, which it must have. The class stays open when the model
 *  is closed.
 *  @return 0; BENCH_EXIT_* after one complaint, and nothing is open */
int bench_model_make(bench_model *model, const resida_model_class *cls, const char *word, const bench_settings *s);

void bench_models_close(bench_model *models, int n);

/** Names of the built-in models that are no general DAEs, in the order of `resida models`.
 *  @return how many; -1 after one complaint, when a model could not be opened, which alone says what it is */
enum { BENCH_MECHANISMS_MAX = 64 };
int bench_mechanisms(const char *names[BENCH_MECHANISMS_MAX]);

#endif
