/* inputs.c - continuous inputs without a connection: excitations of the system, COMPONENT.NAME, with values over
 * time; and tunable parameters and discrete inputs, which may be set at events. */
#include "ssp.h"

#include "adapters/base/csv.h"
#include "adapters/fmu/base/fail.h"
#include "program/base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* List the breakpoints of the inputs of all parts without duplicates. */
static int list_breakpoints(ssp_model *m)
{
    size_t n = 0;
    for (int i = 0; i < m->system->n; i++) n += (size_t)m->parts[i]->inputs.n_breaks;
    double *t = m->breaks = fmu_pool_get(&m->pool, n + 1, sizeof *m->breaks);
    if (!t) return -1;
    for (int i = 0; i < m->system->n; i++) {
        const fmu_inputs *in = &m->parts[i]->inputs;
        memcpy(t, in->breaks, (size_t)in->n_breaks * sizeof *t);
        t += in->n_breaks;
    }
    qsort(m->breaks, n, sizeof *m->breaks, cmd_by_value);
    for (size_t k = 0; k < n; k++)
        if (k == 0 || m->breaks[k] > m->breaks[m->n_breaks - 1]) m->breaks[m->n_breaks++] = m->breaks[k];
    return 0;
}

/* Add value `place` of inputs.set of a part, COMPONENT.NAME, unless it is connected. */
static int add_input(ssp_model *m, int i, int place, int *n)
{
    const fmu_model *part = m->parts[i];
    const fmu_variable *v = part->file->targets[part->inputs.parameter[place]].variable;
    if (ssp_is_connected(m->system, i, v)) return 0;
    m->input_units[*n] = place < part->inputs.n_u ? part->inputs.units[place] : NULL;
    m->input_names[*n] = fmu_pool_format(&m->pool, "%s%s", part->file->prefix, part->inputs.names[place]);
    m->set[*n] = NAN;
    m->inputs[*n] = (ssp_input){.part = i, .place = place, .feed = ssp_feed_find(m->system, i, v)};
    return m->input_names[(*n)++] ? 0 : -1;
}

/* Add the open connectors that feed only values that can be set. */
static void add_connectors(ssp_model *m, int *n)
{
    const ssp_system *s = m->system;
    const int n_inputs = *n;
    for (int i = 0; i < s->n_open; i++) {
        int left = 0;
        for (int k = 0; k < s->n_feeds; k++) left += s->feeds[k].open == i ? s->feeds[k].target->size : 0;
        const int n_values = left;
        for (int k = 0; k < n_inputs; k++) left -= m->inputs[k].feed && m->inputs[k].feed->open == i;
        m->settable[i] = n_values > 0 && left == 0 ? *n : -1;
        if (m->settable[i] < 0) continue;
        m->input_names[*n] = s->open[i].name;
        m->inputs[*n].part = -1;
        m->set[(*n)++] = NAN;
    }
}

/* List the continuous inputs, and the numbers that may be set at events, each by part and index in the part. */
int ssp_inputs_make(ssp_model *m)
{
    size_t room = 1 + (size_t)m->system->n_open;
    int n = 0, added = 0;
    for (int i = 0; i < m->system->n; i++) room += (size_t)(m->parts[i]->inputs.n_u + m->parts[i]->inputs.n_tuned);
    m->inputs = fmu_pool_get(&m->pool, room, sizeof *m->inputs);
    m->input_names = fmu_pool_get(&m->pool, room, sizeof *m->input_names);
    m->input_units = fmu_pool_get(&m->pool, room, sizeof *m->input_units);
    m->set = fmu_pool_get(&m->pool, room, sizeof *m->set);
    m->settable = fmu_pool_get(&m->pool, room, sizeof *m->settable);
    if (!m->settable || !m->inputs || !m->input_names || !m->input_units || !m->set) return -1;
    for (int i = 0; i < m->system->n && added == 0; i++)
        for (int k = 0; k < m->parts[i]->inputs.n_u && added == 0; k++) added = add_input(m, i, k, &n);
    m->n_inputs = n;
    for (int i = 0; i < m->system->n && added == 0; i++)
        for (int k = 0; k < m->parts[i]->inputs.n_tuned && added == 0; k++)
            added = add_input(m, i, m->parts[i]->inputs.n_u + k, &n);
    add_connectors(m, &n);
    m->n_tuned = n - m->n_inputs;
    return added < 0 ? added : list_breakpoints(m);
}

int ssp_is_column(const fmu_series *series, const char *column, int parameter, double *factor, double *offset)
{
    const ssp_system *s = series->system;
    const fmu_file *file = s->components[series->component].file;
    const char *own = ssp_name_within(column, s->components[series->component].name);
    const ssp_feed *f = ssp_feed_find(s, series->component, file->targets[parameter].variable);
    if (own && strcmp(own, file->parameters[parameter].name) == 0) return 1;
    if (!f || strcmp(s->open[f->open].name, column) != 0) return 0;
    *factor = f->factor, *offset = f->offset;
    return 1;
}

int ssp_inputs_check(const ssp_model *m, const char *path, resida_message *why)
{
    adapter_csv csv;
    int checked = adapter_csv_open(&csv, path, why);
    if (checked == 0) checked = adapter_csv_next(&csv, why) < 0 ? -1 : 0;
    for (int field = 1; field < csv.n && checked == 0; field++) {
        int n = 0;
        for (int i = 0; i < m->system->n; i++)
            for (int k = 0; k < m->parts[i]->inputs.n_columns; k++) n += m->parts[i]->inputs.columns[k].field == field;
        const char *what = m->system->n == 1 && !*m->system->components[0].name ? "FMU" : "system";
        if (n == 0) checked = ADAPTER_CSV_FAIL(&csv, why, "the %s has no input %.100s", what, csv.fields[field]);
    }
    adapter_csv_close(&csv);
    return checked;
}

/* Copy the values of m->set to the parts. A part whose value has changed has an event. */
static void distribute_set_values(ssp_model *m)
{
    for (int k = 0; k < m->n_inputs + m->n_tuned; k++) {
        const ssp_feed *f = m->inputs[k].feed;
        if (m->inputs[k].part < 0) continue;
        const int connector = f ? m->settable[f->open] : -1;
        double x = m->set[k], *own = &m->parts[m->inputs[k].part]->inputs.set[m->inputs[k].place];
        if (isnan(x) && connector >= 0) x = f->factor * m->set[connector] + f->offset;
        if (*own == x || (isnan(*own) && isnan(x))) continue;
        *own = x;
        m->is_pending[m->inputs[k].part] = 1;
    }
}

void ssp_inputs_at(ssp_model *m, double t, const double *u)
{
    if (!u) distribute_set_values(m);
    for (int i = 0; i < m->system->n && !u; i++) {
        fmu_inputs *in = &m->parts[i]->inputs;
        fmu_inputs_at(in, m->parts[i]->values, t, in->u, in->ud);
    }
    for (int k = 0; u && k < m->n_inputs; k++) m->parts[m->inputs[k].part]->inputs.u[m->inputs[k].place] = u[k];
}

int ssp_excitation(double t, double *u, double *ud, double *udd, void *user)
{
    ssp_model *m = user;
    ssp_inputs_at(m, t, NULL);
    for (int k = 0; k < m->n_inputs; k++) {
        const fmu_inputs *in = &m->parts[m->inputs[k].part]->inputs;
        u[k] = in->u[m->inputs[k].place];
        ud[k] = in->ud[m->inputs[k].place];
        udd[k] = 0;
    }
    return 0;
}
