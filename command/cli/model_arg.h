/* model_arg.h - MODEL on the command line: a built-in name, or the file of a plugin; with its parameters set. */
#ifndef BENCH_MODEL_ARG_H
#define BENCH_MODEL_ARG_H

#include <resida/model.h>

#include "settings.h"

/** An open model. Zeroed: none. */
typedef struct bench_model {
    resida_plugin_handle *plugin; /**< NULL for a built-in model */
    const resida_model_class *cls;
    const char *word; /**< as it was asked for; the caller's */
    double *values;   /**< [cls->n_parameters] parameters in use */
    resida_model model;
} bench_model;

/** 1: the word is the file of a plugin; 0: the name of a built-in model. */
int bench_is_path(const char *word);

/** Find a class. @param[out] plugin  NULL, or to be closed by the caller
 *  @return 0; BENCH_EXIT_USAGE after one complaint; 128 + signal */
int bench_class_find(const char *word, const resida_model_class **cls, resida_plugin_handle **plugin);

/** Open models [n] with the parameters of `s`; each model takes those it has, and each must be of some model.
 *  @return 0; BENCH_EXIT_* after one complaint, and nothing is open */
int bench_models_open(bench_model *models, int n, const char *const *words, const bench_settings *s);

void bench_models_close(bench_model *models, int n);

#endif
