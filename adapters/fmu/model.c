/* model.c - a resida_model of an FMU. */
#include "model.h"

#include "adapters/fmu/base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_TOLERANCE 1e-6
#define TIGHTEST        1e-12 /* smallest tolerance of a description that is used */

static int allocate_arrays(fmu_model *m, const double *values, const char *const *words)
{
    enum { VECTORS = 4 };
    const size_t n = (size_t)m->file->cls.n_parameters, some = (size_t)m->system.n + 1;
    m->values = fmu_pool_get(&m->pool, n + 1, sizeof *m->values);
    m->words = fmu_pool_get(&m->pool, n + 1, sizeof *m->words);
    m->got = fmu_pool_get(&m->pool, n + 1, sizeof *m->got);
    m->y0 = fmu_pool_get(&m->pool, VECTORS * some, sizeof *m->y0);
    m->indicators = fmu_pool_get(&m->pool, (size_t)m->n_indicators + 1, sizeof *m->indicators);
    if (!m->values || !m->words || !m->got || !m->y0 || !m->indicators) return -1;
    m->yp0 = m->y0 + some, m->atol = m->yp0 + some, m->moved = m->atol + some;
    for (size_t k = 0; k < n; k++) {
        const resida_parameter *p = &m->file->parameters[k];
        m->values[k] = values[k];
        if (!p->word) continue;
        const char *word = words && words[k] ? words[k] : p->word;
        m->words[k] = strcmp(word, p->word) == 0 ? p->word : fmu_pool_text(&m->pool, word);
        if (!m->words[k]) return -1;
    }
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    fmu_model *m = user;
    fmu_inputs_at(&m->inputs, m->values, t, u, ud);
    for (int k = 0; k < m->inputs.n_u; k++) udd[k] = 0;
    return 0;
}

static int residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    fmu_model *m = user;
    const int verdict = m->system.is_clock ? 0 : fmu_inputs_set(&m->inputs, &m->instance, e->u);
    return verdict != 0 ? verdict : fmu_system_residual(&m->system, &m->instance, t, y, yp, r);
}

static int jacobian_times(double t, const double *y, const double *yp, const resida_excitation *e, int k,
                          const double *dy, const double *dyp, double *out, void *user)
{
    fmu_model *m = user;
    const int verdict = fmu_inputs_set(&m->inputs, &m->instance, e->u);
    return verdict != 0 ? verdict : fmu_system_times(&m->system, &m->instance, t, y, yp, k, dy, dyp, out);
}

static int root(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    fmu_model *m = user;
    (void)yp;
    int verdict = fmu_inputs_set(&m->inputs, &m->instance, e->u);
    if (verdict == 0) verdict = fmu_system_set(&m->system, &m->instance, t, y);
    if (verdict != 0) return verdict;
    return fmu_get(&m->instance, m->instance.binary->plain.get_indicators, out, (size_t)m->n_indicators);
}

int fmu_model_set(fmu_model *m, double t, const double *y)
{
    fmu_inputs_at(&m->inputs, m->values, t, m->inputs.u, NULL);
    const int verdict = fmu_inputs_set(&m->inputs, &m->instance, m->inputs.u);
    return verdict != 0 ? verdict : fmu_system_set(&m->system, &m->instance, t, y);
}

/* Scale the tolerances by nominal values of the FMU for states, and of the description for other unknowns. */
void fmu_tolerances_scale(fmu_model *m)
{
    const fmu_system *s = &m->system;
    double *at = m->atol;
    for (int k = 0; k < s->n; k++) at[k] = 1;
    if (s->n_x > 0 && fmu_get(&m->instance, m->instance.binary->plain.get_nominals, at, (size_t)s->n_x) != 0)
        for (int k = 0; k < s->n_x; k++) at[k] = 1;
    for (int i = 0, k = s->n_x; i < s->z.n; i++)
        for (int e = 0; e < s->algebraic[i]->size; e++) at[k++] = s->algebraic[i]->nominal;
    for (int k = 0; k < s->n; k++) at[k] = m->tolerance * (isfinite(at[k]) && at[k] != 0 ? fabs(at[k]) : 1);
}

/* Load the binary, and select unknowns, inputs and outputs. */
static int prepare_model(fmu_model *m, const double *values, const char *const *words, resida_message *why)
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
    if (allocate_arrays(m, values, words) < 0) return fmu_no_memory(why);
    const int file = fmu_table_find_own(f, FMU_INPUTS), hold = fmu_table_find_own(f, FMU_HOLD);
    if (fmu_inputs_make(&m->inputs, f, file < 0 ? "" : m->words[file], hold >= 0 && m->values[hold] != 0, &m->pool,
                        why) < 0)
        return -1;
    const int own = fmu_table_find_own(f, FMU_OUTPUTS), found = fmu_outputs_find(m, why);
    return found == 0 && !*f->prefix ? fmu_outputs_check(&m, 1, m->words[own], NULL, 0, &m->pool, why) : found;
}

fmu_model *fmu_model_open(fmu_file *f, double h, int takes_dae, const double *values, const char *const *words,
                          resida_message *why)
{
    if (f->about.only_once && f->n_instances > 0) {
        fmu_fail(why, "can be instantiated only once in a process");
        return NULL;
    }
    fmu_model *m = calloc(1, sizeof *m);
    if (!m) return fmu_no_memory(why), NULL;
    *m = (fmu_model){.file = f, .h = h, .takes_dae = takes_dae, .t_stop = INFINITY};
    f->n_instances++;
    if (prepare_model(m, values, words, why) == 0) return m;
    fmu_model_close(m);
    return NULL;
}

void fmu_model_close(fmu_model *m)
{
    if (!m) return;
    fmu_release(&m->instance);
    m->file->n_instances--;
    fmu_pool_free(&m->pool);
    free(m);
}

/* Set the callback of products if the FMU provides directional derivatives. */
static void fill_derivatives(fmu_model *m, resida_model *model)
{
    if (m->system.is_clock || !m->file->about.has_derivatives || !m->file->binary.port.derivative) return;
    resida_products_init(&m->products);
    m->products.jacobian_times = jacobian_times;
    model->products = &m->products;
}

void fmu_equations_set(fmu_model *m, resida_dae *dae)
{
    const fmu_system *s = &m->system;
    dae->user = m;
    dae->n = s->n;
    dae->kinds = s->kinds;
    dae->names = s->names;
    dae->residual = residual;
    dae->J_pattern = (resida_pattern){s->row, s->col};
    dae->n_u = m->h > 0 ? 0 : m->inputs.n_u;
    if (dae->n_u > 0) dae->excitation = excitation;
}

static void fill_model(fmu_model *m, int is_open, resida_model *model)
{
    const fmu_description *d = &m->file->about;
    const fmu_system *s = &m->system;
    resida_dae *dae = &model->dae;
    model->is_dae = 1;
    model->user = m;
    dae->name = m->file->cls.name;
    fmu_equations_set(m, dae);
    model->y_units = s->units;
    dae->n_root = m->n_indicators;
    if (m->n_indicators > 0) dae->root = root;
    model->excitation_names = m->inputs.names, model->excitation_units = m->inputs.units;
    if (m->h == 0) model->n_breakpoints = m->inputs.n_breaks, model->breakpoints = m->inputs.breaks;
    fill_derivatives(m, model);
    model->t0 = m->t0;
    model->t_end = isfinite(d->t_end) && d->t_end > m->t0 ? d->t_end : m->t0 + 1;
    model->y0 = m->y0;
    model->yp0 = is_open ? NULL : m->yp0;
    model->rtol = m->tolerance;
    model->atol = model->rtol;
    model->atol_each = m->atol;
    model->n_outputs = m->n_outputs;
    model->output_names = m->output_names, model->output_units = m->output_units;
    model->output_words = m->output_words;
    model->output = fmu_output;
    model->value = fmu_value;
    if (m->n_indicators > 0 || isfinite(m->t_next) || isfinite(fmu_inputs_next(&m->inputs)) || d->needs_steps)
        model->event = fmu_event;
    model->asks_steps = d->needs_steps && m->h == 0;
    model->y_is_time = s->is_clock;
    if (m->h > 0) model->event = fmu_steps_event;
    if (model->event) model->n_tunable = m->inputs.n_tuned, model->tunable_names = m->inputs.names + m->inputs.n_u;
    model->state = m->inputs.set;
    model->state_size = (size_t)(m->inputs.n_u + model->n_tunable) * sizeof *m->inputs.set;
    if (m->h > 0) model->output = fmu_steps_output;
    if (m->h > 0) model->counted = m->counts.text.text;
    model->said = m->instance.said.text;
    if (m->n_outputs > 0 || m->doubt.text[0]) model->warning = m->warning.text;
}

/* Return 1 if the DAE of the FMU is used. */
static int uses_dae(const fmu_file *f, const double *values)
{
    int takes = f->manifest.is_there;
    for (int k = 0; k < f->cls.n_parameters; k++)
        if (f->targets[k].own == FMU_SWITCH) takes &= values[k] != 0;
    return takes;
}

int fmu_model_create(const double *values, resida_model *model, resida_message *why)
{
    int is_open = 0;
    fmu_file *f = (fmu_file *)(uintptr_t)model->cls; /* the class is its first member */
    const int step = fmu_table_find_own(f, FMU_STEP);
    const double h = step >= 0 ? values[step] : 0;
    fmu_model *m = fmu_model_open(f, h, h == 0 && uses_dae(f, values), values, model->words, why);
    if (!m) return -1;
    int made = fmu_instance_start(m, why);
    if (made == 0) {
        fmu_tolerances_scale(m);
        made = fmu_start_find(m, m->t0, m->y0, m->yp0, &is_open, why);
    }
    if (made == 0)
        fill_model(m, is_open, model);
    else
        fmu_model_close(m);
    return made;
}

void fmu_model_destroy(resida_model *model)
{
    fmu_model_close(model->user);
}
