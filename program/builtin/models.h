/* models.h - the models that are linked into a program (listed in benchmarks/models/models.c). */
#ifndef BENCH_BUILTIN_MODELS_H
#define BENCH_BUILTIN_MODELS_H

#include <resida/model.h>

/** All models, terminated by NULL. A model must be used by one thread at a time unless it sets thread_safe, because it
 *  may keep work space. */
extern const resida_model_class *const bench_models[];

/** Return the class with this name, or NULL. */
const resida_model_class *bench_model_find(const char *name);

#endif
