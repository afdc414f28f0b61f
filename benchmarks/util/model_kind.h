/* model_kind.h - a built-in model as data: class, memory, known states, and a function that sets everything that
 * depends on parameters. Memory from bench_own() is freed with the model. bench_create() checks once, at the end,
 * whether an allocation failed, therefore models need not check. */
#ifndef BENCH_MODEL_KIND_H
#define BENCH_MODEL_KIND_H

#include "model_util.h"

typedef struct bench_kind {
    resida_model_class cls; /**< first: resida_model.cls points to it */
    size_t size;            /**< of the memory, model->user, by default also the user of the mechanism or DAE */
    /** Set up the model from its parameters. The memory, model->user, is zeroed. Defaults: the name is that of the
     *  class, and the model is thread-safe. @return 0; 1 if the parameters are rejected, with the reason in `why` */
    int (*set)(const double *values, resida_model *model, resida_message *why);
    void (*end)(void *memory); /**< frees memory not from bench_own(); NULL: nothing to free */
    const double *states;      /**< rows t, p [n_p], v [n_v], lam [n_g] (t, y of a general DAE) for the default
                                    parameters: the reference, unless the model has its own; NULL: none */
    int n_states;              /**< number of values in all rows */
} bench_kind;

/** The first members of a kind with n parameters, whose memory is a `type`. */
#define BENCH_KIND(name_, text_, n, parameters_, type, set_)                                                           \
    .cls = {RESIDA_MODEL_HEAD, name_, text_, n, parameters_, bench_create, bench_destroy, NULL}, .size = sizeof(type), \
    .set = set_

/** The known states of a kind, an array. */
#define BENCH_STATES(states_) .states = states_, .n_states = BENCH_COUNT(states_)

/** create() and destroy() of all kinds. */
int bench_create(const double *values, resida_model *model, resida_message *why);
void bench_destroy(resida_model *model);

/** Allocate count objects of `each` bytes, zeroed, which are freed with the model. @return NULL if memory is exhausted,
 *  which bench_create() reports after `set`
 *  @param[in] memory  as passed to `set` */
void *bench_own(void *memory, int count, size_t each);

/** Create count names "x1'", "y1'", "x2'" ... that are freed with the model: prefixes in turn, a number that increases
 *  after the last prefix, the suffix. @return NULL if memory is exhausted */
const char **bench_own_names(void *memory, int count, int n_prefixes, const char *const *prefixes, const char *suffix);

/** Create a list of count texts that is freed with the model: n texts in turn, such as units. @return as above */
const char **bench_own_repeated(void *memory, int count, int n, const char *const *texts);

/** Return 1 if all parameters of the model have their default values. */
int bench_is_standard(const void *memory);

/** reference() from the known states of the kind. */
int bench_known_state(const resida_model *model, double t, double *p, double *v, double *lam);

/** velocity_bias() of constraints that do not depend on t; user is the model's memory. */
resida_position_fn bench_no_bias;

#endif
