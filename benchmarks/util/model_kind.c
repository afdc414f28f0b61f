/* model_kind.c - see model_kind.h. A header with data common to all models precedes the memory of a model. */
#include "model_kind.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A block of memory that belongs to a model. */
typedef union block {
    union block *next;
    max_align_t aligned;
} block;

typedef struct head {
    block *first;    /**< list of blocks of the model */
    size_t wanted;   /**< bytes of a failed allocation; 0: none */
    int is_standard; /**< all parameters have their defaults */
    int n_g;         /**< number of constraints */
    block memory[];  /**< memory of the model */
} head;

static head *head_of(const void *memory)
{
    return (head *)((char *)memory - offsetof(head, memory));
}

void *bench_own(void *memory, int count, size_t each)
{
    head *h = head_of(memory);
    const size_t size = (size_t)count * each;
    block *b = calloc(1, sizeof *b + size);
    if (!b) {
        h->wanted = size;
        return NULL;
    }
    b->next = h->first;
    h->first = b;
    return b + 1;
}

const char **bench_own_names(void *memory, int count, int n_prefixes, const char *const *prefixes, const char *suffix)
{
    size_t width = 0;
    for (int i = 0; i < n_prefixes; i++) width = strlen(prefixes[i]) > width ? strlen(prefixes[i]) : width;
    width += strlen(suffix) + 12; /* digits of an int, and the terminating 0 */
    const char **names = bench_own(memory, count, sizeof *names + width);
    char *name = (char *)(names + count);
    for (int i = 0; i < count && names; i++, name += width) {
        snprintf(name, width, "%s%d%s", prefixes[i % n_prefixes], i / n_prefixes + 1, suffix);
        names[i] = name;
    }
    return names;
}

const char **bench_own_repeated(void *memory, int count, int n, const char *const *texts)
{
    const char **all = bench_own(memory, count, sizeof *all);
    for (int i = 0; i < count && all; i++) all[i] = texts[i % n];
    return all;
}

static int is_standard(const resida_model_class *cls, const double *values)
{
    for (int i = 0; i < cls->n_parameters; i++)
        if (values[i] < cls->parameters[i].value || values[i] > cls->parameters[i].value) return 0;
    return 1;
}

int bench_is_standard(const void *memory)
{
    return head_of(memory)->is_standard;
}

int bench_create(const double *values, resida_model *model, resida_message *why)
{
    const bench_kind *kind = (const bench_kind *)model->cls;
    head *h = bench_alloc(1, sizeof *h + kind->size, why);
    if (!h) return 1;
    h->is_standard = is_standard(model->cls, values);
    model->user = model->mechanism.user = model->dae.user = h->memory;
    model->mechanism.name = model->dae.name = model->cls->name;
    model->mechanism.thread_safe = model->dae.thread_safe = 1;
    if (kind->states) model->reference = bench_known_state;
    int failed = kind->set(values, model, why);
    h->n_g = model->mechanism.n_g;
    if (!failed && h->wanted > 0 && why) snprintf(why->text, sizeof why->text, "no memory for %zu bytes", h->wanted);
    failed |= h->wanted > 0;
    if (failed) bench_destroy(model);
    return failed;
}

void bench_destroy(resida_model *model)
{
    const bench_kind *kind = (const bench_kind *)model->cls;
    if (!model->user) return;
    head *h = head_of(model->user);
    if (kind->end) kind->end(h->memory);
    for (block *b = h->first, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(h);
    model->user = NULL;
}

int bench_known_state(const resida_model *model, double t, double *p, double *v, double *lam)
{
    const bench_kind *kind = (const bench_kind *)model->cls;
    const resida_mechanism *m = &model->mechanism;
    const bench_states states = {kind->n_states, model->is_dae ? model->dae.n : m->n_p, m->n_v, m->n_g, kind->states};
    return bench_is_standard(model->user) ? bench_states_read(&states, t, p, v, lam) : 1;
}

int bench_no_bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    bench_fill(head_of(user)->n_g, 0, out);
    return 0;
}
