/* save.c - the memory of a run: what events change in the adapter, and the states of the FMUs. The state of an FMU that
 * cannot write it as bytes is kept with its instance until the model is destroyed, and only this model can load it. */
#include "ssp.h"

#include "adapters/fmu/base/fail.h"

#include <string.h>

/* Bytes that are written or read. */
typedef struct image {
    char *to;         /* NULL: bytes are read or counted */
    const char *from; /* NULL: bytes are written or counted */
    size_t size, at;
} image;

static int fits(const image *m, size_t n)
{
    return m->at <= m->size && n <= m->size - m->at;
}

/* Write n bytes, or read them if the image has them. */
static void transfer(image *m, void *x, size_t n)
{
    if (m->from && fits(m, n) && n > 0) memcpy(x, m->from + m->at, n);
    if (m->to && fits(m, n) && n > 0) memcpy(m->to + m->at, x, n);
    m->at += n;
}

#define TRANSFER(m, x) transfer((m), &(x), sizeof(x))

/* Transfer stored outputs. Texts are known from the next communication point on. */
static void transfer_outputs(image *m, const fmu_model *part, fmu_kept *kept)
{
    TRANSFER(m, kept->t);
    transfer(m, kept->values, (size_t)part->n_outputs * sizeof *kept->values);
    for (int k = 0; m->from && k < part->n_outputs; k++) kept->words[k] = NULL;
}

static void transfer_part(image *m, fmu_model *part)
{
    fmu_inputs *in = &part->inputs;
    const size_t n_u = (size_t)in->n_u * sizeof *in->u, n_tuned = (size_t)in->n_tuned * sizeof *in->set;
    TRANSFER(m, part->needs_event);
    TRANSFER(m, part->ends);
    TRANSFER(m, part->t_next);
    TRANSFER(m, part->n_overdue);
    transfer(m, part->values, (size_t)part->file->n_parameters * sizeof *part->values);
    transfer(m, part->was_finite, (size_t)part->n_outputs);
    transfer(m, in->given, n_u);
    transfer(m, in->before, n_u);
    transfer(m, in->set, n_u + n_tuned);
    transfer(m, in->tuned_before, n_tuned);
    TRANSFER(m, in->piece);
    TRANSFER(m, in->piece_before);
    transfer_outputs(m, part, &part->held);
    transfer_outputs(m, part, &part->left);
}

/* Transfer a state that the FMU writes as bytes. */
static int transfer_bytes(image *m, fmu_instance *i)
{
    const fmu_plain *f = &i->binary->plain;
    void *state = NULL;
    size_t n = 0;
    int verdict = m->from ? 0 : FMU_CALL(i, f, keep, &state);
    if (verdict == 0 && !m->from) verdict = FMU_CALL(i, f, count_bytes, state, &n);
    TRANSFER(m, n);
    const int has_room = verdict == 0 && fits(m, n);
    if (m->to && has_room) verdict = FMU_CALL(i, f, write, state, m->to + m->at, n);
    if (m->from && has_room) verdict = FMU_CALL(i, f, read, m->from + m->at, n, &state);
    if (m->from && has_room && verdict == 0) verdict = FMU_CALL(i, f, go_back, state);
    m->at += n;
    if (state && !i->is_dead) f->forget(i->component, &state);
    return verdict;
}

/* Keep a state and write its index, or return to the state of an index and to its instance. */
static int transfer_kept(image *m, fmu_model *part)
{
    fmu_instance *i = &part->instance;
    uint64_t made = part->made, index = (uint64_t)part->n_saved;
    TRANSFER(m, made);
    TRANSFER(m, index);
    if (m->from && (made != part->made || index >= (uint64_t)part->n_saved))
        return fmu_fail(&i->said, "its state can be loaded only by the model that saved it (canSerializeFMUstate)");
    if (m->from) {
        const fmu_saved saved = part->saved[index];
        if (saved.instance.component != i->component) fmu_instance_leave(part), *i = saved.instance;
        return FMU_CALL(i, &i->binary->plain, go_back, saved.state);
    }
    if (!m->to) return 0;
    void *state = NULL;
    if (FMU_CALL(i, &i->binary->plain, keep, &state) != 0) return -1;
    fmu_saved *saved = FMU_POOL_ADD(&part->pool, part->saved, part->n_saved);
    if (!saved) return fmu_no_memory(&i->said);
    *saved = (fmu_saved){*i, state};
    return 0;
}

int ssp_saves_bytes(const ssp_model *m)
{
    int saves = 1;
    for (int i = 0; i < m->system->n; i++) saves &= fmu_instance_saves(m->parts[i]) == 2;
    return saves;
}

static int transfer_system(image *m, ssp_model *s)
{
    const size_t n_values = (size_t)s->system->n_values;
    int verdict = 0;
    transfer(m, s->given, n_values * sizeof *s->given);
    transfer(m, s->before, n_values * sizeof *s->before);
    transfer(m, s->is_pending, (size_t)s->system->n * sizeof *s->is_pending);
    TRANSFER(m, s->counts);
    TRANSFER(m, s->is_at_point);
    for (int i = 0; i < s->system->n && verdict == 0; i++) {
        fmu_model *part = s->parts[i];
        const int saves = fmu_instance_saves(part);
        transfer_part(m, part);
        verdict = saves == 0   ? fmu_fail(&part->instance.said, "the FMU cannot save its state (canGetAndSetFMUstate)")
                  : saves == 2 ? transfer_bytes(m, &part->instance)
                               : transfer_kept(m, part);
        if (verdict == 0 && m->from && part->h > 0 && s->is_at_point)
            verdict = fmu_outputs_store(part, &part->held, part->held.t);
        verdict = ssp_store_failure(s, i, verdict != 0 ? -1 : 0);
    }
    return verdict;
}

int ssp_save(const resida_model *model, void *bytes, size_t *size)
{
    ssp_model *s = model->user;
    image m = {.to = bytes, .size = bytes ? *size : 0};
    if (transfer_system(&m, s) != 0) return -1;
    if (bytes && m.at != *size) return fmu_fail(&s->said, "the size of its state has changed");
    *size = m.at;
    return 0;
}

int ssp_load(const resida_model *model, const void *bytes, size_t size)
{
    ssp_model *s = model->user;
    image m = {.from = bytes, .size = size};
    ssp_steps_free_states(s);
    if (transfer_system(&m, s) != 0) return -1;
    return m.at == size ? 0 : fmu_fail(&s->said, "the checkpoint is of another FMU or system");
}
