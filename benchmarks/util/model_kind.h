/* model_kind.h - a built-in model as data: its class, its memory, the states that are known, and one function that sets
 * what depends on parameters. Whatever a model allocates is freed with it, and bench_create() returns a lack of memory
 * once, at the end, so that no model handles it. */
#ifndef BENCH_MODEL_KIND_H
#define BENCH_MODEL_KIND_H

#include "model_util.h"

typedef struct bench_kind {
    resida_model_class cls; /**< first: resida_model.cls points to it */
    size_t size;            /**< of the model's memory, which is model->user and, unless `set` changes it, the user of
                                 its mechanism or DAE */
    /** Set what the parameters decide. The memory, model->user, is zeroed; the name is that of the class, and the model
     *  is thread-safe unless it says otherwise. @return 0; 1: it refuses, and `why` says why */
    int (*set)(const double *values, resida_model *model, resida_message *why);
    void (*end)(void *memory); /**< frees what is not from bench_own(); NULL: there is nothing */
    const double *states;      /**< rows t, p [n_p], v [n_v], lam [n_g] (t, y of a general DAE) for the default
                                    parameters: the reference, unless the model has its own; NULL: none */
    int n_states;              /**< numbers in all rows */
} bench_kind;

/** The beginning of a kind with n parameters, whose memory is a `type`. */
#define BENCH_KIND(name_, text_, n, parameters_, type, set_)                                                           \
    .cls = {RESIDA_MODEL_HEAD, name_, text_, n, parameters_, bench_create, bench_destroy, NULL}, .size = sizeof(type), \
    .set = set_

/** Its states, an array. */
#define BENCH_STATES(states_) .states = states_, .n_states = BENCH_COUNT(states_)

/** create() and destroy() of every kind. */
int bench_create(const double *values, resida_model *model, resida_message *why);
void bench_destroy(resida_model *model);

/** count objects of `each` bytes, zeroed, that live as long as the model; NULL without memory, which bench_create()
 *  returns after `set`.
 *  @param[in] memory  as `set` has it */
void *bench_own(void *memory, int count, size_t each);

/** Names "x1'", "y1'", "x2'" ... [count] that live as long as the model: prefixes in turn, a number that rises after
 *  each turn, the suffix; NULL without memory. */
const char **bench_own_names(void *memory, int count, int n_prefixes, const char *const *prefixes, const char *suffix);

/** 1 when all parameters of the model have their default values. */
int bench_is_standard(const void *memory);

/** reference() by the states of the kind. */
int bench_known_state(const resida_model *model, double t, double *p, double *v, double *lam);

/** velocity_bias() of constraints that do not move; user is the model's memory. */
resida_position_fn bench_no_bias;

#endif
