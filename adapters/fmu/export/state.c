/* state.c - the state of an instance as bytes: phase, times, parameters, inputs, and the checkpoint of its run. A loaded
 * run is a new one that starts at the state with order 1, as after an event. */
#include "component.h"

#include <resida/checkpoint.h>

#include "adapters/fmu/base/fail.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that are counted, written or read by the same functions. */
typedef struct image {
    unsigned char *to;         /* NULL: not written */
    const unsigned char *from; /* NULL: not read */
    size_t at, size;
    int is_short; /* 1: more bytes were to be read than there are */
} image;

static void put(image *m, void *x, size_t size)
{
    if (m->to) memcpy(m->to + m->at, x, size);
    m->is_short |= m->from && size > m->size - m->at;
    if (m->from && !m->is_short) memcpy(x, m->from + m->at, size);
    if (!m->is_short) m->at += size;
}

/* Read or write a text. @return 0, or -1 without memory */
static int put_text(image *m, char **text)
{
    uint64_t n = *text ? strlen(*text) + 1 : 0;
    put(m, &n, sizeof n);
    if (n == 0 || m->is_short || (m->from && n > m->size - m->at)) return m->is_short ? -1 : 0;
    if (m->from) {
        free(*text);
        *text = calloc((size_t)n, 1);
        if (!*text) return -1;
    }
    put(m, *text, (size_t)n);
    return 0;
}

static int put_instance(image *m, component *c)
{
    const fmu_packed_head *h = &c->packed.head;
    char token[FMU_PACKED_WORD];
    memcpy(token, h->token, sizeof token);
    put(m, token, sizeof token);
    if (strncmp(token, h->token, sizeof token) != 0) return -1;
    put(m, &c->phase, sizeof c->phase);
    put(m, &c->t0, sizeof c->t0);
    put(m, &c->t, sizeof c->t);
    put(m, &c->t_stop, sizeof c->t_stop);
    put(m, &c->tolerance, sizeof c->tolerance);
    put(m, &c->has_set, sizeof c->has_set);
    put(m, c->inputs, (size_t)h->sizes.n_u * sizeof *c->inputs);
    put(m, c->set, (size_t)h->sizes.n_u * sizeof *c->set);
    put(m, c->values, (size_t)h->n_parameters * sizeof *c->values);
    for (int i = 0; i < h->n_parameters; i++)
        if (put_text(m, &c->words[i]) < 0) return -1;
    return m->is_short ? -1 : 0;
}

static component_bytes *allocate(size_t size)
{
    component_bytes *state = calloc(1, sizeof *state + size);
    if (state) state->size = size;
    return state;
}

component_bytes *component_bytes_of(const void *bytes, size_t size)
{
    component_bytes *state = allocate(size);
    if (state) memcpy(state->bytes, bytes, size);
    return state;
}

int component_save(component *c, component_bytes **state)
{
    image m = {.to = NULL};
    size_t n = 0;
    component_enter(c);
    if (c->has_ended) return fmu_fail(&c->said, "the model ended the run: its state cannot be saved");
    if (c->is_started && resida_run_save(c->run, NULL, 0, NULL, 0, &n) < 0)
        return fmu_fail(&c->said, "%s", resida_solver_message(c->solver));
    uint64_t of_run = n;
    (void)put_instance(&m, c);
    *state = allocate(m.at + sizeof of_run + n);
    if (!*state) return fmu_fail(&c->said, "no memory for a state");
    m = (image){.to = (*state)->bytes};
    (void)put_instance(&m, c);
    put(&m, &of_run, sizeof of_run);
    if (n == 0 || resida_run_save(c->run, NULL, 0, m.to + m.at, n, &n) >= 0) return 0;
    free(*state);
    *state = NULL;
    return fmu_fail(&c->said, "%s", resida_solver_message(c->solver));
}

/* Load the run. Inputs that were set after the communication point apply from the next step on. */
static int load_run(component *c, const void *bytes, size_t size)
{
    const int has_set = c->has_set;
    c->has_set = 0;
    if (component_make(c) < 0) return -1;
    c->has_set = has_set;
    if (resida_run_load(c->run, &c->packed.head.start, bytes, size) < 0)
        return fmu_fail(&c->said, "%s", resida_solver_message(c->solver));
    c->is_started = 1;
    return 0;
}

int component_load(component *c, const component_bytes *state)
{
    image m = {.from = state->bytes, .size = state->size};
    uint64_t of_run = 0;
    component_enter(c);
    component_drop(c);
    c->has_ended = 0;
    const int is_read = put_instance(&m, c) == 0;
    put(&m, &of_run, sizeof of_run);
    if (!is_read || m.is_short || of_run != m.size - m.at) return fmu_fail(&c->said, "not a state of this FMU");
    return of_run == 0 ? 0 : load_run(c, m.from + m.at, (size_t)of_run);
}
