/* output.c - variables that an FMU calls outputs, as outputs of the model: real numbers of double precision. */
#include "model.h"

#include <string.h>

static int is_output(const fmu_variable *v)
{
    return v->is_output && v->type == FMU_FLOAT64;
}

/* Names of the values of a variable, from number `at` on. @return behind the last one; -1 without memory */
static int name_values(fmu_model *m, const fmu_variable *v, int at)
{
    for (int k = 0; k < v->size; k++, at++) {
        char element[FMU_ELEMENT];
        fmu_element_name(v, k, element);
        m->output_names[at] = fmu_pool_format(&m->pool, "%s%s", v->name, element);
        m->output_units[at] = v->unit && *v->unit ? v->unit : NULL;
        if (!m->output_names[at]) return -1;
    }
    return at;
}

int fmu_outputs_find(fmu_model *m)
{
    const fmu_description *d = &m->file->about;
    size_t n = 0, n_values = 0;
    for (int i = 0; i < d->n_variables; i++)
        if (is_output(&d->variables[i])) n++, n_values += (size_t)d->variables[i].size;
    m->outputs = (fmu_references){.of = fmu_pool_get(&m->pool, n + 1, sizeof *m->outputs.of)};
    m->output_names = fmu_pool_get(&m->pool, n_values + 1, sizeof *m->output_names);
    m->output_units = fmu_pool_get(&m->pool, n_values + 1, sizeof *m->output_units);
    if (!m->outputs.of || !m->output_names || !m->output_units) return -1;
    for (int i = 0, at = 0; i < d->n_variables; i++) {
        if (!is_output(&d->variables[i])) continue;
        m->outputs.of[m->outputs.n++] = d->variables[i].reference;
        at = name_values(m, &d->variables[i], at);
        if (at < 0) return -1;
        m->outputs.n_values = at;
    }
    return 0;
}

int fmu_output(const resida_model *model, const resida_model_point *at, double *out)
{
    fmu_model *m = model->user;
    const int verdict = fmu_system_move(&m->system, &m->instance, at->t, at->y, at->yp);
    if (verdict != 0) return verdict;
    return m->instance.binary->port.get_reals(&m->instance, m->outputs.of, (size_t)m->outputs.n, out,
                                              (size_t)m->outputs.n_values);
}
