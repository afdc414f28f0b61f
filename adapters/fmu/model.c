/* model.c - an FMU of a system: its equations, inputs and outputs. */
#include "model.h"

#include "adapters/fmu/base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NANOSECONDS     UINT64_C(1000000000) /* of a second */
#define USUAL_TOLERANCE 1e-6
#define TIGHTEST        1e-12 /* smallest tolerance of a description that is used */

static int allocate_arrays(fmu_model *m)
{
    m->got = fmu_pool_get(&m->pool, (size_t)m->file->n_parameters + 1, sizeof *m->got);
    m->y0 = fmu_pool_get(&m->pool, (size_t)m->system.n + 1, sizeof *m->y0);
    m->indicators = fmu_pool_get(&m->pool, (size_t)m->n_indicators + 1, sizeof *m->indicators);
    return m->got && m->y0 && m->indicators ? 0 : -1;
}

/* Scale the tolerances by nominal values of the FMU for states, and of the description for other unknowns. */
void fmu_tolerances_scale(fmu_model *m, double *at)
{
    const fmu_system *s = &m->system;
    for (int k = 0; k < s->n; k++) at[k] = 1;
    if (s->n_x > 0 && fmu_get(&m->instance, m->instance.binary->plain.get_nominals, at, (size_t)s->n_x) != 0)
        for (int k = 0; k < s->n_x; k++) at[k] = 1;
    for (int i = 0, k = s->n_x; i < s->z.n; i++)
        for (int e = 0; e < s->algebraic[i]->size; e++) at[k++] = s->algebraic[i]->nominal;
    for (int k = 0; k < s->n; k++) at[k] = m->tolerance * (isfinite(at[k]) && at[k] != 0 ? fabs(at[k]) : 1);
}

/* Load the binary, and select unknowns, inputs and outputs. */
static int prepare_model(fmu_model *m, const char *columns, const fmu_series *inputs, resida_message *why)
{
    fmu_file *f = m->file;
    const fmu_manifest *manifest = &f->manifest;
    if (fmu_file_load(m->file, m->h > 0, why) < 0) return -1;
    m->instance.binary = m->h > 0 ? &f->stepper : &f->binary;
    const int has_own = m->takes_dae && manifest->n_indicators > 0;
    m->n_indicators = m->h > 0 ? 0 : has_own ? manifest->n_indicators : f->about.n_indicators;
    m->t0 = isfinite(f->about.t0) ? f->about.t0 : 0;
    m->tolerance = f->about.tolerance >= TIGHTEST && f->about.tolerance < 1 ? f->about.tolerance : USUAL_TOLERANCE;
    if (fmu_system_make(&m->system, &f->about, m->takes_dae ? manifest : NULL, m->h > 0 ? FMU_NONE : FMU_HELD, &m->pool,
                        why) < 0)
        return -1;
    if (allocate_arrays(m) < 0) return fmu_no_memory(why);
    if (fmu_inputs_make(&m->inputs, f, inputs, &m->pool, why) < 0) return -1;
    return fmu_outputs_find(m, columns, why);
}

/* Return 1 if the DAE of the FMU is used, which is not supported for connected FMUs. */
static int uses_dae(const fmu_file *f, const double *values)
{
    int takes = f->manifest.is_there && !*f->prefix;
    for (int k = 0; k < f->n_parameters; k++)
        if (!f->targets[k].variable) takes &= values[k] != 0;
    return takes;
}

fmu_model *fmu_model_open(fmu_file *f, double h, double *values, const char **words, const char *columns,
                          const fmu_series *inputs, resida_message *why)
{
    if (f->about.only_once && f->n_instances > 0) {
        fmu_fail(why, "can be instantiated only once in a process");
        return NULL;
    }
    fmu_model *m = calloc(1, sizeof *m);
    if (!m) return fmu_no_memory(why), NULL;
    *m = (fmu_model){.file = f, .h = h, .values = values, .words = words, .t_stop = INFINITY};
    m->takes_dae = h == 0 && uses_dae(f, values);
    struct timespec now;
    if (timespec_get(&now, TIME_UTC)) m->made = (uint64_t)now.tv_sec * NANOSECONDS + (uint64_t)now.tv_nsec;
    f->n_instances++;
    if (prepare_model(m, columns, inputs, why) == 0) return m;
    fmu_model_close(m);
    return NULL;
}

int fmu_instance_saves(const fmu_model *m)
{
    const fmu_description *d = &m->file->about;
    const int by_steps = m->h > 0, can_write = d->serializes[by_steps] && m->instance.binary->plain.read;
    return !d->goes_back[by_steps] || !m->instance.binary->plain.keep ? 0 : can_write ? 2 : !d->only_once;
}

/* Return the index of the last saved state of an instance, or -1. */
static int find_last_saved(const fmu_model *m, const void *component)
{
    int k = m->n_saved - 1;
    while (k >= 0 && m->saved[k].instance.component != component) k--;
    return k;
}

void fmu_instance_leave(fmu_model *m)
{
    fmu_instance *i = &m->instance;
    for (int k = 0; k < m->n_saved; k++)
        if (m->saved[k].instance.component == i->component) m->saved[k].instance.is_dead = i->is_dead;
    if (i->component && find_last_saved(m, i->component) >= 0) i->component = i->callbacks = NULL;
    fmu_release(i);
}

void fmu_model_close(fmu_model *m)
{
    if (!m) return;
    fmu_instance_leave(m);
    for (int k = 0; k < m->n_saved; k++) {
        fmu_instance *i = &m->saved[k].instance;
        if (!i->is_dead) i->binary->plain.forget(i->component, &m->saved[k].state);
        if (find_last_saved(m, i->component) == k) fmu_release(i);
    }
    m->file->n_instances--;
    fmu_pool_free(&m->pool);
    free(m);
}
