/* callback_names.h - callbacks by where they begin, for messages. */
#ifndef BENCH_CALLBACK_NAMES_H
#define BENCH_CALLBACK_NAMES_H

#include <stdint.h>

#include <resida/model.h>

/** The callback of the model, or the function of its class, that begins at this address, such as "residual"; NULL:
 *  none. Reads nothing but the model, so that a signal handler may ask. */
const char *bench_callback_name(const resida_model_class *cls, const resida_model *model, uintptr_t address);

#endif
