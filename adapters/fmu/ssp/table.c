/* table.c - the parameters of a system: the communication step, and the parameters of its components as
 * COMPONENT.PARAMETER, with the values from the parameter bindings of the system. Connected inputs are not
 * parameters. */
#include "ssp.h"

#include "adapters/fmu/base/fail.h"
#include "adapters/fmu/base/xml.h"

#include <float.h>
#include <math.h>
#include <string.h>

static int report_no_memory(resida_message *why)
{
    return fmu_fail(why, "no memory for its parameters");
}

/* Set the defaults to the values of the FMUs. */
static int fill_values(ssp_system *s, resida_message *why)
{
    for (int i = 0; i < s->n; i++) {
        ssp_component *c = &s->components[i];
        const size_t n = (size_t)c->file->cls.n_parameters;
        c->values = fmu_pool_get(&s->pool, n + 1, sizeof *c->values);
        c->words = fmu_pool_get(&s->pool, n + 1, sizeof *c->words);
        if (!c->values || !c->words) return report_no_memory(why);
        for (size_t k = 0; k < n; k++)
            c->values[k] = c->file->parameters[k].value, c->words[k] = c->file->parameters[k].word;
    }
    return 0;
}

/* Set parameter k of a component from a text. */
static int set_value(const ssp_system *s, ssp_component *c, int k, const ssd_binding *b, resida_message *why)
{
    const resida_parameter *p = &c->file->parameters[k];
    const fmu_variable *v = c->file->targets[k].variable;
    const fmu_units *const all[] = {&s->about.units, &c->file->about.units};
    const char *list = b->value;
    double value = 0, more, factor = 1, offset = 0;
    if (p->word) {
        c->words[k] = b->value;
        return 0;
    }
    if (v && fmu_units_convert(all, 2, b->unit, v->unit, &factor, &offset) != 0)
        return fmu_fail(why, "parameter %.100s = %.40s %.40s is not converted into its unit, %.40s", b->name, b->value,
                        b->unit, v->unit);
    const int has_number = fmu_next_double(&list, &value) == 1 && fmu_next_double(&list, &more) == 0;
    value = factor * value + offset;
    if (!has_number || !isfinite(value) || value < p->min || value > p->max || (p->whole && floor(value) != value))
        return fmu_fail(why, "parameter %.100s = \"%.60s\" is no value of it", b->name, b->value);
    c->values[k] = value;
    return 0;
}

static int apply_binding(ssp_system *s, const ssd_binding *b, resida_message *why)
{
    for (int i = 0; i < s->n; i++) {
        ssp_component *c = &s->components[i];
        const size_t n = strlen(c->name);
        if (strncmp(b->name, c->name, n) != 0 || b->name[n] != '.') continue;
        for (int k = 0; k < c->file->cls.n_parameters; k++)
            if (strcmp(c->file->parameters[k].name, b->name + n + 1) == 0) return set_value(s, c, k, b, why);
    }
    return fmu_fail(why, "there is no parameter %.200s", b->name);
}

static int add_parameter(ssp_system *s, ssp_target target, resida_parameter p, const char *name)
{
    const size_t n = (size_t)s->cls.n_parameters;
    s->parameters = fmu_pool_grow(&s->pool, s->parameters, n, sizeof *s->parameters);
    s->targets = fmu_pool_grow(&s->pool, s->targets, n, sizeof *s->targets);
    p.name = name;
    if (!s->parameters || !s->targets || !name) return -1;
    s->parameters[n] = p;
    s->targets[n] = target;
    s->cls.n_parameters++;
    return 0;
}

/* Add the communication step. The default is the smallest step of the FMUs if one requires Co-Simulation, else 0. */
static int add_step(ssp_system *s)
{
    double usual = INFINITY;
    for (int i = 0; i < s->n; i++) {
        const fmu_description *d = &s->components[i].file->about;
        if (!d->stepper || s->about.components[i].kind == SSD_EXCHANGE) return 0;
        usual = fmin(usual, fmu_table_step(d));
    }
    const resida_parameter p = {.value = s->by_steps ? usual : 0,
                                .min = s->by_steps ? DBL_MIN : 0,
                                .max = INFINITY,
                                .unit = "s",
                                .text = s->by_steps ? "communication step of Co-Simulation"
                                                    : "communication step of Co-Simulation; 0: Model Exchange"};
    return add_parameter(s, (ssp_target){.component = -1}, p, "communication_step");
}

static int add_component(ssp_system *s, int i)
{
    const ssp_component *c = &s->components[i];
    for (int k = 0; k < c->file->cls.n_parameters; k++) {
        const fmu_target *of = &c->file->targets[k];
        if (of->own == FMU_SWITCH || of->own == FMU_STEP || ssp_is_connected(s, i, of->variable)) continue;
        resida_parameter p = c->file->parameters[k];
        p.value = c->values[k];
        p.word = c->words[k];
        const char *name = fmu_pool_format(&s->pool, "%s.%s", c->name, c->file->parameters[k].name);
        if (add_parameter(s, (ssp_target){.component = i, .parameter = k}, p, name) < 0) return -1;
    }
    return 0;
}

int ssp_table_make(ssp_system *s, resida_message *why)
{
    if (fill_values(s, why) < 0) return -1;
    for (int i = 0; i < s->about.n_values; i++)
        if (apply_binding(s, &s->about.values[i], why) < 0) return -1;
    int added = add_step(s);
    for (int i = 0; i < s->n && added == 0; i++) added = add_component(s, i);
    const char **options = fmu_pool_get(&s->pool, (size_t)s->cls.n_parameters + 1, sizeof *options);
    if (added < 0 || !options) return report_no_memory(why);
    for (int k = 0; k < s->cls.n_parameters; k++)
        if (s->targets[k].component < 0) options[k] = "communication-step";
    s->cls.parameters = s->parameters;
    s->cls.options = options;
    return 0;
}
