/* models.h - the models that a program is linked with (benchmarks/models/models.c has the list). */
#ifndef BENCH_BUILTIN_MODELS_H
#define BENCH_BUILTIN_MODELS_H

#include <resida/model.h>

/** All of them, ended by NULL. A model serves one thread at a time, unless it says thread_safe: some keep work
 *  space. */
extern const resida_model_class *const bench_models[];

/** The class of that name, NULL when there is none. */
const resida_model_class *bench_model_find(const char *name);

#endif
