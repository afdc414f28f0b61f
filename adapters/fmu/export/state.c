/* state.c - the state of an instance as bytes: progress, inputs, parameters, and the checkpoint of its run. A loaded
 * run is a new one that starts at the state with order 1, as after an event. */
#include "component.h"

#include <resida/checkpoint.h>

#include "adapters/fmu/base/fail.h"

#include <stdlib.h>
#include <string.h>

component_bytes *component_bytes_make(size_t size)
{
    component_bytes *state = calloc(1, sizeof *state + size);
    if (state) state->size = size;
    return state;
}

/* Copy the parts before the checkpoint to or from bytes, or count them (NULL). @return their size */
static size_t copy_parts(component *c, unsigned char *bytes, int is_load)
{
    const fmu_packed_head *h = &c->packed.head;
    const size_t n = (size_t)h->n_parameters, n_u = (size_t)h->sizes.n_u;
    const struct {
        void *own;
        size_t size;
    } parts[] = {{&c->at, sizeof c->at},
                 {c->values, n * sizeof *c->values},
                 {c->texts, n * sizeof *c->texts},
                 {c->inputs, n_u * sizeof *c->inputs},
                 {c->set, n_u * sizeof *c->set}};
    size_t at = sizeof h->token;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (bytes) memcpy(is_load ? parts[i].own : bytes + at, is_load ? bytes + at : parts[i].own, parts[i].size);
        at += parts[i].size;
    }
    return at;
}

int component_save(component *c, component_bytes **state)
{
    size_t n = 0;
    component_enter(c);
    if (c->has_ended) return fmu_fail(&c->said, "the model ended the run: its state cannot be saved");
    if (c->is_started && resida_run_save(c->run, NULL, 0, NULL, 0, &n) < 0) return component_fail(c, RESIDA_ERR_STATE);
    const size_t size = copy_parts(c, NULL, 0);
    component_bytes *made = component_bytes_make(size + n);
    if (!made) return fmu_no_memory(&c->said);
    memcpy(made->bytes, c->packed.head.token, sizeof c->packed.head.token);
    (void)copy_parts(c, made->bytes, 0);
    if (n > 0 && resida_run_save(c->run, NULL, 0, made->bytes + size, n, &n) < 0) {
        free(made);
        return component_fail(c, RESIDA_ERR_STATE);
    }
    free(*state);
    *state = made;
    return 0;
}

int component_load(component *c, const component_bytes *state)
{
    const size_t size = copy_parts(c, NULL, 0);
    const char *token = c->packed.head.token;
    component_enter(c);
    if (state->size < size || memcmp(state->bytes, token, sizeof c->packed.head.token) != 0)
        return fmu_fail(&c->said, "not a state of this FMU");
    component_drop(c);
    c->has_ended = 0;
    (void)copy_parts(c, (unsigned char *)state->bytes, 1);
    if (state->size == size) return 0;
    const int has_set = c->at.has_set;
    c->at.has_set = 0; /* inputs that were set after the communication point apply from the next step on */
    if (component_make(c) < 0) return -1;
    c->at.has_set = has_set;
    if (resida_run_load(c->run, &c->packed.head.start, state->bytes + size, state->size - size) < 0)
        return component_fail(c, RESIDA_ERR_STATE);
    c->is_started = 1;
    return 0;
}
