/* model.c - a resida_model of a system: its FMUs are parts, which are started together; x_i' = f_i(t, x_i, u_i). */
#include "ssp.h"

#include "adapters/fmu/base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_TOLERANCE 1e-6 /* of a system without components */

static int report_failure(const ssp_model *m, int i, const char *what, resida_message *why)
{
    const char *name = m->system->components[i].name;
    return fmu_fail(why, "%.60s%s%.400s", name, *name ? ": " : "", what);
}

int ssp_store_failure(ssp_model *m, int i, int verdict)
{
    return verdict >= 0 ? verdict : report_failure(m, i, m->parts[i]->instance.said.text, &m->said);
}

/* --- connections --- */

/* Set the connected inputs of a part at one of its events. */
static int set_connected_inputs(void *self, fmu_model *part)
{
    ssp_model *m = self;
    int verdict = 0;
    for (int k = 0; k < m->system->n_links && verdict == 0; k++)
        if (m->parts[m->system->links[k].to] == part) verdict = ssp_link_copy(m, k, NULL);
    return verdict;
}

/* --- the state --- */

int ssp_set_state(ssp_model *m, double t, const double *y, const double *yp, const double *u)
{
    int verdict = 0;
    ssp_inputs_at(m, t, u);
    for (int i = 0, at = 0; i < m->system->n && verdict == 0; i++) {
        fmu_model *part = m->parts[i];
        verdict = fmu_inputs_set(&part->inputs, &part->instance, part->inputs.u);
        if (verdict == 0 && yp)
            verdict = fmu_system_set_rates(&part->system, &part->instance, t, y + at, yp + at);
        else if (verdict == 0)
            verdict = fmu_system_set(&part->system, &part->instance, t, y + at);
        verdict = ssp_store_failure(m, i, verdict);
        at += part->system.n_x;
    }
    return verdict == 0 ? ssp_links_copy(m, 0) : verdict;
}

int ssp_get_states(ssp_model *m, double *y)
{
    int verdict = 0;
    for (int i = 0; i < m->system->n && verdict == 0; i++) {
        verdict = ssp_store_failure(m, i, fmu_states_get(m->parts[i], y));
        y += m->parts[i]->system.n_x;
    }
    return verdict;
}

/* Return the number of unknowns of a part; without states there are none. */
static int count_unknowns(const fmu_model *part)
{
    return part->system.is_clock ? 0 : part->system.n;
}

static int residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    ssp_model *m = user;
    int verdict = m->n_x > 0 ? ssp_set_state(m, t, y, NULL, e->u) : 0;
    if (m->n_x == 0) r[0] = yp[0] - 1;
    for (int i = 0, at = 0; i < m->system->n && verdict == 0; i++) {
        fmu_model *part = m->parts[i];
        const int n = count_unknowns(part);
        if (n > 0) verdict = fmu_system_get(&part->system, &part->instance, t, y + at, yp + at, r + at);
        verdict = ssp_store_failure(m, i, verdict);
        at += n;
    }
    return verdict;
}

/* Compute products of a system of one FMU without connections. */
static int jacobian_times(double t, const double *y, const double *yp, const resida_excitation *e, int k,
                          const double *dy, const double *dyp, double *out, void *user)
{
    ssp_model *m = user;
    fmu_model *part = m->parts[0];
    int verdict = fmu_inputs_set(&part->inputs, &part->instance, e->u);
    if (verdict == 0) verdict = fmu_system_times(&part->system, &part->instance, t, y, yp, k, dy, dyp, out);
    return ssp_store_failure(m, 0, verdict);
}

static int root(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    ssp_model *m = user;
    (void)yp;
    int verdict = ssp_set_state(m, t, y, NULL, e->u);
    for (int i = 0; i < m->system->n && verdict == 0; i++) {
        fmu_instance *of = &m->parts[i]->instance;
        const size_t n = (size_t)m->parts[i]->n_indicators;
        if (n > 0) verdict = ssp_store_failure(m, i, fmu_get(of, of->binary->plain.get_indicators, out, n));
        out += n;
    }
    return verdict;
}

/* Set the state of a point. FMUs that have ended there accept no state. */
static int set_point(ssp_model *m, const resida_model_point *at)
{
    return m->h > 0 || at->t == m->t_ended ? 0 : ssp_set_state(m, at->t, at->y, at->yp, at->u);
}

/* Compute the outputs. In Co-Simulation they were stored at the last communication point. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    ssp_model *m = model->user;
    int verdict = set_point(m, at);
    for (int i = 0, k = 0; i < m->system->n && verdict == 0; i++) {
        fmu_model *part = m->parts[i];
        const size_t n = (size_t)part->n_outputs;
        if (m->h == 0 || !m->is_used) verdict = ssp_store_failure(m, i, fmu_outputs_store(part, &part->held, at->t));
        const double from = fmu_outputs_copy_stored(part, at->t, out + k);
        if (fmu_is_earlier(from, at->t) && fmu_is_earlier(at->t, m->counts.t_next))
            m->counts.has_held = 1, ssp_steps_count(&m->counts, 0, 0, 0);
        memcpy(m->output_words + k, part->output_words, n * sizeof *m->output_words);
        k += part->n_outputs;
    }
    if (m->system->n == 0) memcpy(out, m->values, (size_t)m->n_outputs * sizeof *out);
    for (int k = 0; k < m->n_outputs - m->n_own && verdict == 0; k++) {
        out[m->n_own + k] = m->exports[k]->factor * out[m->exported[k]] + m->exports[k]->offset;
        m->output_words[m->n_own + k] = m->output_words[m->exported[k]];
    }
    if (verdict == 0) fmu_outputs_check_finite(m->n_outputs, m->output_names, at->t, out, &m->warning);
    for (int i = 0; i < m->system->n && !m->warning.text[0]; i++)
        if (m->parts[i]->doubt.text[0])
            fmu_fail(&m->warning, "%.60s%.300s", m->parts[i]->file->prefix, m->parts[i]->doubt.text);
    if (m->h == 0 && !m->warning.text[0]) fmu_fail(&m->warning, "%s", m->system->sampled);
    return verdict;
}

/* Get the value of an open connector: that of the first variable that it feeds. */
static int get_connector(const ssp_model *m, int open, double *x)
{
    const ssp_system *s = m->system;
    *x = m->values[open];
    for (int i = 0; i < s->n_feeds; i++) {
        const ssp_feed *f = &s->feeds[i];
        if (f->open != open || f->factor == 0) continue;
        const int got = fmu_value_get(m->parts[f->component], 1, f->target->name, x);
        *x = (*x - f->offset) / f->factor;
        return got;
    }
    return 0;
}

/* Get a variable "COMPONENT.NAME", or a connector of the system. */
static int value(const resida_model *model, const resida_model_point *at, const char *name, double *x)
{
    ssp_model *m = model->user;
    const ssp_system *s = m->system;
    if (set_point(m, at) != 0) return -1;
    for (int i = 0; i < s->n; i++) {
        const char *own = ssp_name_within(name, s->components[i].name);
        const int is_at_point = m->h == 0 || m->is_at_point || !m->is_used;
        const int got = own ? fmu_value_get(m->parts[i], is_at_point, own, x) : 1;
        if (got <= 0) return ssp_store_failure(m, i, got);
    }
    for (int i = 0; i < s->n_open; i++)
        if (strcmp(s->open[i].name, name) == 0) return get_connector(m, i, x);
    return 1;
}

/* --- the start --- */

int ssp_find_rates(ssp_model *m, double t, double *y, double *yp, int *is_open, resida_message *why)
{
    resida_message reason;
    if (m->n_x == 0) yp[0] = 1;
    for (int i = 0, at = 0; i < m->system->n; i++) {
        const int n = count_unknowns(m->parts[i]);
        if (n > 0 && fmu_start_find(m->parts[i], t, y + at, yp + at, is_open, &reason) < 0)
            return report_failure(m, i, reason.text, why);
        at += n;
    }
    return 0;
}

/* Get states, their derivatives and tolerances at the start. */
static int get_start(ssp_model *m, resida_message *why)
{
    if (ssp_get_states(m, m->y0) != 0) return fmu_fail(why, "%.400s", m->said.text);
    for (int i = 0, at = 0; i < m->system->n; i++) {
        const int n = count_unknowns(m->parts[i]);
        if (n > 0) fmu_tolerances_scale(m->parts[i], m->atol + at);
        at += n;
    }
    if (m->n_x == 0) m->y0[0] = m->t0, m->atol[0] = m->system->n > 0 ? m->parts[0]->tolerance : USUAL_TOLERANCE;
    if (m->n_x > 0 && ssp_set_state(m, m->t0, m->y0, NULL, NULL) != 0)
        return fmu_fail(why, "no derivatives at the start: %.300s", m->said.text);
    return ssp_find_rates(m, m->t0, m->y0, m->yp0, &m->is_open, why);
}

int ssp_start(ssp_model *m, resida_message *why)
{
    resida_message reason;
    const ssp_system *s = m->system;
    for (int i = 0; i < s->n; i++)
        if (fmu_instance_begin(m->parts[i], &reason) < 0) return report_failure(m, i, reason.text, why);
    if (ssp_links_copy(m, 1) != 0) return fmu_fail(why, "no initial values of inputs: %.300s", m->said.text);
    for (int i = 0; i < s->n; i++)
        if (fmu_instance_finish(m->parts[i], &reason) < 0) return report_failure(m, i, reason.text, why);
    for (int k = 0; k < s->n_links && m->h == 0; k++) {
        int changed = 0;
        if (ssp_link_copy(m, k, &changed) != 0) return fmu_fail(why, "at the start %.300s", m->said.text);
        m->is_pending[s->links[k].to] |= changed;
    }
    if (m->h == 0 && ssp_iterate_events(m, m->t0) != 0) return fmu_fail(why, "at the start %.300s", m->said.text);
    return get_start(m, why);
}

/* --- the model --- */

/* Set the values of a component from those of the system. @return 0, or -1 if there is no memory */
static int copy_values(ssp_model *m, int i, const double *values, const char *const *words, double *own,
                       const char **own_words)
{
    const ssp_system *s = m->system;
    for (int k = 0; k < s->cls.n_parameters; k++) {
        const ssp_target *target = &s->targets[k];
        const char *word = words ? words[k] : NULL;
        if (target->component == i) {
            const char *usual = s->components[i].file->parameters[target->parameter].word,
                       **to = &own_words[target->parameter];
            own[target->parameter] = values[k];
            if (usual && word) *to = strcmp(word, usual) == 0 ? usual : fmu_pool_text(&m->pool, word);
            if (usual && !*to) return -1;
        } else if (target->component < 0 && target->parameter >= SSP_OPEN) {
            ssp_feed_value(s, target->parameter - SSP_OPEN, i, values[k], own);
        }
    }
    return 0;
}

static int open_part(ssp_model *m, int i, const double *values, const char *const *words, const char *columns,
                     const fmu_series *inputs, resida_message *why)
{
    const ssp_system *s = m->system;
    const ssp_component *c = &s->components[i];
    const size_t n = (size_t)c->file->n_parameters;
    resida_message reason;
    double *own = fmu_pool_get(&m->pool, n + 1, sizeof *own);
    const char **own_words = fmu_pool_get(&m->pool, n + 1, sizeof *own_words);
    if (!own || !own_words) return report_failure(m, i, "no memory for a model", why);
    memcpy(own, c->values, n * sizeof *own);
    memcpy(own_words, c->words, n * sizeof *own_words);
    if (copy_values(m, i, values, words, own, own_words) < 0) return report_failure(m, i, "no memory for a model", why);
    fmu_series series = *inputs;
    series.component = i;
    fmu_model *part = m->parts[i] = fmu_model_open(c->file, m->h, own, own_words, columns, &series, &reason);
    if (!part) return report_failure(m, i, reason.text, why);
    part->t0 = m->t0;
    part->connect = set_connected_inputs;
    part->connect_self = m;
    for (int k = 0; k < part->inputs.n_columns; k++)
        if (ssp_is_connected(s, i, part->inputs.columns[k].variable))
            return fmu_fail(why, "inputs: input %.100s.%.100s is connected", c->name,
                            part->inputs.columns[k].variable->name);
    int *is_connected = fmu_pool_get(&m->pool, (size_t)part->inputs.n_continuous + 1, sizeof *is_connected);
    if (!is_connected) return report_failure(m, i, "no memory for a model", why);
    for (int k = 0; k < part->inputs.n_continuous; k++)
        is_connected[k] = ssp_is_connected(s, i, part->inputs.continuous[k]);
    part->inputs.is_connected = is_connected;
    m->n_x += part->system.n_x;
    m->n += count_unknowns(part);
    m->n_root += part->n_indicators;
    m->n_outputs += part->n_outputs;
    return 0;
}

static int allocate_arrays(ssp_model *m)
{
    enum { VECTORS = 4, LISTS = 3 };
    const size_t n = (size_t)m->n, n_outputs = (size_t)m->n_outputs;
    m->y0 = fmu_pool_get(&m->pool, VECTORS * n, sizeof *m->y0);
    m->output_names = fmu_pool_get(&m->pool, LISTS * n_outputs + 1, sizeof *m->output_names);
    m->names = fmu_pool_get(&m->pool, n, sizeof *m->names);
    m->units = fmu_pool_get(&m->pool, n, sizeof *m->units);
    m->given = fmu_pool_get(&m->pool, (size_t)m->system->n_values + 1, sizeof *m->given);
    m->before = fmu_pool_get(&m->pool, (size_t)m->system->n_values + 1, sizeof *m->before);
    m->got = fmu_pool_get(&m->pool, (size_t)m->system->n_values + 1, sizeof *m->got);
    if (!m->y0 || !m->output_names || !m->names || !m->units || !m->given || !m->before || !m->got) return -1;
    m->yp0 = m->y0 + n, m->atol = m->yp0 + n, m->moved = m->atol + n;
    m->output_units = m->output_names + n_outputs, m->output_words = m->output_units + n_outputs;
    return 0;
}

/* Name states and outputs "COMPONENT.NAME". */
static int name_states_and_outputs(ssp_model *m)
{
    int at = 0, out = 0, has_names = 1;
    for (int i = 0; i < m->system->n; i++) {
        const fmu_model *part = m->parts[i];
        const char *prefix = part->file->prefix;
        for (int k = 0; k < count_unknowns(part) && has_names; k++) {
            m->units[at] = part->system.units[k];
            has_names = (m->names[at++] = fmu_pool_format(&m->pool, "%s%s", prefix, part->system.names[k])) != NULL;
        }
        for (int k = 0; k < part->n_outputs && has_names; k++, out++) {
            m->output_names[out] = fmu_pool_format(&m->pool, "%s%s", prefix, part->output_names[k]);
            m->output_units[out] = part->output_units[k];
            has_names = m->output_names[out] != NULL;
        }
    }
    if (m->n_x == 0) m->names[0] = "time", m->units[0] = "s";
    for (; m->system->n == 0 && out < m->n_outputs; out++) {
        m->output_names[out] = m->system->open[out].name;
        m->output_units[out] = m->system->open[out].unit;
    }
    for (int k = 0; k < m->n_outputs - m->n_own && has_names; k++, out++) {
        const char *name = m->output_names[m->exported[k]];
        const char *element = strchr(name + strlen(name) - 1, ']') ? strrchr(name, '[') : NULL;
        const int is_array = m->exports[k]->source->n_dimensions > 0;
        m->output_names[out] =
            fmu_pool_format(&m->pool, "%s%s", m->exports[k]->name, is_array && element ? element : "");
        m->output_units[out] = m->exports[k]->unit;
        has_names = m->output_names[out] != NULL;
    }
    return has_names ? 0 : -1;
}

/* List the outputs of the system, each with the output of a component that it is. */
static int list_exports(ssp_model *m)
{
    const ssp_system *s = m->system;
    size_t n = 1;
    for (int e = 0; e < s->n_exports; e++) n += (size_t)s->exports[e].source->size;
    m->n_own = m->n_outputs;
    m->exported = fmu_pool_get(&m->pool, n, sizeof *m->exported);
    m->exports = fmu_pool_get(&m->pool, n, sizeof *m->exports);
    if (!m->exported || !m->exports) return -1;
    for (int e = 0; e < s->n_exports; e++) {
        const ssp_export *export = &s->exports[e];
        int at = 0;
        for (int i = 0; i < export->component; i++) at += m->parts[i]->n_outputs;
        at += fmu_outputs_place(m->parts[export->component], export->source);
        for (int k = 0; k < export->source->size; k++) {
            m->exports[m->n_outputs - m->n_own] = export;
            m->exported[m->n_outputs - m->n_own] = at + k;
            m->n_outputs++;
        }
    }
    return 0;
}

static int prepare_model(ssp_model *m, const double *values, const char *const *words, resida_message *why)
{
    const ssp_system *s = m->system;
    const size_t n = (size_t)s->n;
    double *open = fmu_pool_get(&m->pool, (size_t)s->n_open, sizeof *open);
    if (!(m->values = open)) return fmu_no_memory(why);
    for (int i = 0; i < s->n_open; i++) open[i] = s->open[i].value;
    const char *columns = "";
    fmu_series inputs = {.path = "", .is_column = ssp_is_column, .system = s};
    for (int k = 0; k < s->cls.n_parameters; k++) {
        const int own = s->targets[k].component < 0 ? s->targets[k].parameter : -1;
        if (own == SSP_STEP) m->h = values[k];
        if (own == SSP_OUTPUTS && words && words[k]) columns = words[k];
        if (own == SSP_INPUTS && words && words[k]) inputs.path = words[k];
        if (own == SSP_HOLD) inputs.holds = values[k] != 0;
        if (own >= SSP_OPEN) open[own - SSP_OPEN] = values[k];
    }
    if (m->h == 0 && s->loop.text[0]) return fmu_fail(why, "%s", s->loop.text);
    m->t0 = isfinite(s->about.t0) ? s->about.t0 : 0;
    m->parts = fmu_pool_get(&m->pool, n, sizeof *m->parts);
    m->is_pending = fmu_pool_get(&m->pool, n, sizeof *m->is_pending);
    m->kept = fmu_pool_get(&m->pool, n, sizeof *m->kept);
    m->steps = fmu_pool_get(&m->pool, n, sizeof *m->steps);
    if (!m->parts || !m->is_pending || !m->kept || !m->steps) return fmu_no_memory(why);
    for (int i = 0; i < s->n; i++)
        if (open_part(m, i, values, words, columns, &inputs, why) < 0) return -1;
    if (*inputs.path && ssp_inputs_check(m, inputs.path, why) < 0) return -1;
    if (m->n_x == 0) m->n = 1;
    if (s->n == 0) m->n_outputs = s->n_open;
    if (list_exports(m) < 0) return fmu_no_memory(why);
    if (allocate_arrays(m) < 0 || name_states_and_outputs(m) < 0 || ssp_inputs_make(m) < 0) return fmu_no_memory(why);
    if (fmu_outputs_check(m->parts, s->n, columns, m->output_names, m->n_outputs, &m->pool, why) < 0) return -1;
    return ssp_start(m, why);
}

/* Set what is known of the equations of a system of one FMU without connections. */
static void fill_equations(ssp_model *m, resida_model *model)
{
    const fmu_model *part = m->parts[0];
    const fmu_file *f = part->file;
    model->dae.kinds = part->system.kinds;
    model->dae.J_pattern = (resida_pattern){part->system.row, part->system.col};
    if (m->n_x == 0 || !f->about.has_derivatives || !f->binary.port.derivative) return;
    resida_products_init(&m->products);
    m->products.jacobian_times = jacobian_times;
    model->products = &m->products;
}

static void fill_model(ssp_model *m, resida_model *model)
{
    const ssp_system *s = m->system;
    resida_dae *dae = &model->dae;
    double t_end = m->t0, tolerance = s->n > 0 ? 1 : USUAL_TOLERANCE;
    int has_steps = 0;
    for (int i = 0; i < s->n; i++) {
        const fmu_description *d = &s->components[i].file->about;
        if (isfinite(d->t_end)) t_end = fmax(t_end, d->t_end);
        tolerance = fmin(tolerance, m->parts[i]->tolerance);
        has_steps |= d->needs_steps;
    }
    if (isfinite(s->about.t_end)) t_end = s->about.t_end;
    model->is_dae = 1;
    model->user = dae->user = m;
    dae->name = s->cls.name;
    dae->n = m->n;
    dae->names = m->names;
    model->y_units = m->units;
    dae->residual = residual;
    if (s->n == 1 && s->n_links == 0) fill_equations(m, model);
    dae->n_root = m->n_root;
    if (m->n_root > 0) dae->root = root;
    dae->n_u = m->h > 0 ? 0 : m->n_inputs;
    if (dae->n_u > 0) dae->excitation = ssp_excitation;
    model->excitation_names = m->input_names, model->excitation_units = m->input_units;
    if (s->n_links > 0 || m->n_root > 0 || isfinite(ssp_next_time(m)) || has_steps) model->event = ssp_event;
    if (m->h > 0) model->event = ssp_steps_event;
    if (model->event) model->save = ssp_save, model->load = ssp_load;
    model->state_is_all = !model->event || ssp_saves_bytes(m);
    if (!model->event && m->n_tuned > 0) model->event = ssp_event; /* values that are set are in `state` */
    model->asks_steps = has_steps && m->h == 0;
    if (model->event) model->n_tunable = m->n_tuned, model->tunable_names = m->input_names + m->n_inputs;
    model->state = m->set, model->state_size = (size_t)(m->n_inputs + model->n_tunable) * sizeof *m->set;
    model->t0 = m->t0;
    model->t_end = t_end > m->t0 ? t_end : m->t0 + 1;
    model->y0 = m->y0, model->yp0 = m->is_open ? NULL : m->yp0;
    model->rtol = model->atol = tolerance;
    model->atol_each = m->atol;
    model->n_outputs = m->n_outputs;
    model->output_names = m->output_names, model->output_units = m->output_units;
    model->output_words = m->output_words;
    model->output = output;
    model->value = value;
    model->y_is_time = m->n_x == 0;
    if (m->h == 0) model->n_breakpoints = m->n_breaks, model->breakpoints = m->breaks;
    model->said = m->said.text;
    if (m->h > 0) model->counted = m->counts.text.text;
    model->warning = m->warning.text;
}

static void close_model(ssp_model *m)
{
    if (m->kept) ssp_steps_free_states(m);
    for (int i = 0; m->parts && i < m->system->n; i++) fmu_model_close(m->parts[i]);
    fmu_pool_free(&m->pool);
    free(m);
}

int ssp_create(const double *values, resida_model *model, resida_message *why)
{
    ssp_model *m = calloc(1, sizeof *m);
    if (!m) return fmu_no_memory(why);
    m->system = (ssp_system *)(uintptr_t)model->cls; /* the class is its first member */
    m->t_ended = NAN;
    if (prepare_model(m, values, model->words, why) < 0) {
        close_model(m);
        return -1;
    }
    fill_model(m, model);
    return 0;
}

void ssp_destroy(resida_model *model)
{
    if (model->user) close_model(model->user);
}
