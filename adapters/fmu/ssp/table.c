/* table.c - the parameters of a system: the communication step, the list of further outputs, connectors of systems that
 * have no source, and the parameters of components as COMPONENT.PARAMETER, with the values from the parameter bindings.
 * Connected inputs, and what has the value of a connector of a system, are not parameters. */
#include "ssp.h"

#include "adapters/fmu/base/fail.h"
#include "adapters/fmu/base/xml.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Set the defaults to the values of the FMUs. */
static int fill_values(ssp_system *s, resida_message *why)
{
    for (int i = 0; i < s->n; i++) {
        ssp_component *c = &s->components[i];
        const size_t n = (size_t)c->file->n_parameters;
        c->values = fmu_pool_get(&s->pool, n + 1, sizeof *c->values);
        c->words = fmu_pool_get(&s->pool, n + 1, sizeof *c->words);
        if (!c->values || !c->words) return fmu_no_memory(why);
        for (size_t k = 0; k < n; k++)
            c->values[k] = c->file->parameters[k].value, c->words[k] = c->file->parameters[k].word;
    }
    return 0;
}

/* Convert a value to a unit, or by the transformation of its mapping. It is NAN if it is no number.
 * @return 0, or -1 if there is no conversion */
static int convert_value(const ssd_value *b, const fmu_units *const *all, int n, const char *unit, double *value)
{
    double factor = b->scale.factor, offset = b->scale.offset, x = NAN;
    const int is_converted = !b->scale.is_scaled && !b->scale.keeps_value;
    if (is_converted && fmu_units_convert(all, n, b->unit, unit, &factor, &offset) != 0) return -1;
    *value = fmu_read_double(b->value, &x) > 0 ? factor * x + offset : NAN;
    return 0;
}

static int is_number(const char *type)
{
    return strcmp(type, "a real number") == 0 || strcmp(type, "an integer") == 0;
}

/* Check that a value has the type of what it is given for; numbers may be of any type. */
static int check_type(const ssd_value *b, const char *what, const char *type, resida_message *why)
{
    if (!type || !b->type || strcmp(type, b->type) == 0 || (is_number(type) && is_number(b->type))) return 0;
    return fmu_fail(why, "%s %.100s = \"%.60s\" is %s, not %s", what, b->name, b->value, b->type, type);
}

static int report_connected(const ssd_value *b, resida_message *why)
{
    return fmu_fail(why, "%.100s has the value of a connection: the parameter set must not give it another one",
                    b->name);
}

const ssp_feed *ssp_feed_find(const ssp_system *s, int component, const fmu_variable *v)
{
    for (int i = 0; i < s->n_feeds; i++)
        if (s->feeds[i].component == component && s->feeds[i].target == v) return &s->feeds[i];
    return NULL;
}

/* Set parameter k of a component from a text. */
static int set_value(const ssp_system *s, ssp_component *c, int k, const ssd_value *b, resida_message *why)
{
    const resida_parameter *p = &c->file->parameters[k];
    const fmu_variable *v = c->file->targets[k].variable;
    const fmu_units *const all[] = {&s->about.units, &c->file->about.units};
    double value = NAN;
    const int component = (int)(c - s->components);
    if (v && (ssp_is_connected(s, component, v) || ssp_feed_find(s, component, v))) return report_connected(b, why);
    if (v && check_type(b, "parameter", ssp_kind_name(v), why) < 0) return -1;
    if (p->word) {
        c->words[k] = b->value;
        return 0;
    }
    if (v && convert_value(b, all, 2, v->unit, &value) < 0)
        return fmu_fail(why, "parameter %.100s = %.40s %.40s cannot be converted into its unit, %.40s", b->name,
                        b->value, b->unit, v->unit);
    if (!v && fmu_read_double(b->value, &value) < 0) value = NAN;
    if (!isfinite(value) || value < p->min || value > p->max || (p->whole && floor(value) != value))
        return fmu_fail(why, "parameter %.100s = \"%.60s\" is not a value of its type", b->name, b->value);
    c->values[k] = value;
    return 0;
}

void ssp_feed_value(const ssp_system *s, int open, int component, double value, double *values)
{
    const fmu_file *file = s->components[component].file;
    for (int i = 0; i < s->n_feeds; i++) {
        const ssp_feed *f = &s->feeds[i];
        if (f->open != open || f->component != component) continue;
        for (int k = 0; k < file->n_parameters; k++)
            if (file->targets[k].variable == f->target) values[k] = f->factor * value + f->offset;
    }
}

/* Set the value of a connector of a system without a source. */
static int set_connector(ssp_system *s, const ssd_connector *c, const ssd_value *b, resida_message *why)
{
    const fmu_units *const all[] = {&s->about.units};
    double value;
    if (ssp_connection_find(s, c->element, c->name)) return report_connected(b, why);
    const int i = ssp_open_connector_find(s, c->element, c->name, why);
    if (i < 0) return -1;
    const char *type = c->type;
    for (int k = 0; k < s->n_feeds && !type; k++)
        if (s->feeds[k].open == i) type = ssp_kind_name(s->feeds[k].target);
    if (check_type(b, "connector", type, why) < 0) return -1;
    if (convert_value(b, all, 1, c->unit, &value) < 0 || !isfinite(value))
        return fmu_fail(why, "connector %.100s = \"%.60s\" %.40s is not a value of its type", b->name, b->value,
                        b->unit ? b->unit : "");
    s->open[i].value = value;
    s->open[i].is_bound = 1;
    return 0;
}

const char *ssp_name_within(const char *name, const char *element)
{
    const size_t n = strlen(element);
    if (strncmp(name, element, n) != 0 || (n > 0 && name[n] != '.')) return NULL;
    return name + n + (n > 0);
}

/* Apply a value of a binding. @return 0; 1 if there is no such parameter; -1 on an error */
static int apply_value(ssp_system *s, const ssd_value *b, resida_message *why)
{
    for (int i = 0; i < s->n; i++) {
        ssp_component *c = &s->components[i];
        const char *name = ssp_name_within(b->name, c->name);
        for (int k = 0; name && k < c->file->n_parameters; k++)
            if (strcmp(c->file->parameters[k].name, name) == 0) return set_value(s, c, k, b, why);
    }
    for (int i = 0; i < s->about.n_connectors; i++) {
        const ssd_connector *c = &s->about.connectors[i];
        const char *name = c->is_of_system ? ssp_name_within(b->name, c->element) : NULL;
        if (name && strcmp(name, c->name) == 0) return set_connector(s, c, b, why);
    }
    return 1;
}

/* Pass the values of open connectors to all their targets. A connector without a value has that of one of its
 * targets. */
static void apply_open_connectors(ssp_system *s)
{
    for (int i = 0; i < s->n_feeds; i++) {
        const ssp_feed *f = &s->feeds[i];
        const ssp_component *c = &s->components[f->component];
        ssp_open_connector *o = &s->open[f->open];
        for (int k = 0; k < c->file->n_parameters && !o->is_bound; k++)
            if (c->file->targets[k].variable == f->target && f->factor != 0)
                o->value = (c->values[k] - f->offset) / f->factor;
    }
    for (int i = 0; i < s->n_open; i++)
        for (int k = 0; k < s->n; k++) ssp_feed_value(s, i, k, s->open[i].value, s->components[k].values);
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

/* Return the name of a parameter of the system itself. The parameters of a single FMU have other names. */
static const char *name_own(const ssp_system *s, const char *name)
{
    return s->n == 1 && !*s->components[0].name ? fmu_table_name(s->components[0].file, name) : name;
}

/* Add the communication step. The default is the smallest step of the FMUs if one requires Co-Simulation, else 0. */
static int add_step(ssp_system *s)
{
    double usual = INFINITY;
    for (int i = 0; i < s->n; i++) {
        const fmu_description *d = &s->components[i].file->about;
        if (!d->stepper || s->components[i].kind == SSD_EXCHANGE) return 0;
        usual = fmin(usual, fmu_table_step(d));
    }
    if (s->n == 0) return 0;
    const ssp_target step = {.component = -1, .parameter = SSP_STEP};
    const resida_parameter p = {.value = s->by_steps ? usual : 0,
                                .min = s->by_steps ? DBL_MIN : 0,
                                .max = INFINITY,
                                .unit = "s",
                                .text = s->by_steps ? "communication step of Co-Simulation"
                                                    : "communication step of Co-Simulation; 0: Model Exchange"};
    return add_parameter(s, step, p, name_own(s, "communication_step"));
}

/* Add the list of further outputs. */
static int add_outputs(ssp_system *s)
{
    const ssp_target outputs = {.component = -1, .parameter = SSP_OUTPUTS};
    const resida_parameter p = {.word = "", .unit = "-", .text = "further variables that are outputs: NAME,..."};
    return add_parameter(s, outputs, p, name_own(s, "outputs"));
}

/* Add the parameters for inputs over time. */
static int add_inputs(ssp_system *s)
{
    const resida_parameter file = {.word = "", .unit = "-", .text = "CSV file with inputs over time: time,INPUT,..."},
                           hold = {.max = 1,
                                   .whole = 1,
                                   .unit = "-",
                                   .text = "1: inputs of the file are constant between rows; 0: linear interpolation"};
    int n = 0;
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->components[i].file->n_parameters; k++)
            n += fmu_is_input(&s->components[i].file->targets[k]);
    if (n == 0) return 0;
    const int added = add_parameter(s, (ssp_target){-1, SSP_INPUTS}, file, name_own(s, "inputs"));
    return added < 0 ? added : add_parameter(s, (ssp_target){-1, SSP_HOLD}, hold, name_own(s, "hold"));
}

/* Describe an open connector, with the inputs and parameters that have its value. */
static const char *describe_connector(ssp_system *s, int open)
{
    const char *text = "connector of the system", *before = ", sets ";
    for (int i = 0; i < s->n_feeds && text; i++) {
        const ssp_feed *f = &s->feeds[i];
        if (f->open != open) continue;
        text = fmu_pool_format(&s->pool, "%s%s%s.%s", text, before, s->components[f->component].name, f->target->name);
        before = ", ";
    }
    return text;
}

/* Add the open connectors, except those with the name of another parameter. */
static int add_open_connectors(ssp_system *s)
{
    int added = 0;
    for (int i = 0; i < s->n_open && added == 0; i++) {
        const ssp_open_connector *o = &s->open[i];
        const ssp_target target = {.component = -1, .parameter = SSP_OPEN + i};
        const resida_parameter p = {.value = o->value,
                                    .min = -INFINITY,
                                    .max = INFINITY,
                                    .unit = o->unit && *o->unit ? o->unit : "-",
                                    .text = describe_connector(s, i)};
        if (!p.text) return -1;
        int k = 0;
        while (k < s->cls.n_parameters && strcmp(s->parameters[k].name, o->name) != 0) k++;
        if (isfinite(o->value) && k == s->cls.n_parameters) added = add_parameter(s, target, p, o->name);
    }
    return added;
}

static int add_component(ssp_system *s, int i)
{
    const ssp_component *c = &s->components[i];
    for (int k = 0; k < c->file->n_parameters; k++) {
        const fmu_variable *v = c->file->targets[k].variable;
        if ((!v && *c->name) || ssp_is_connected(s, i, v) || ssp_feed_find(s, i, v)) continue;
        resida_parameter p = c->file->parameters[k];
        p.value = c->values[k];
        p.word = c->words[k];
        const char *name = fmu_pool_format(&s->pool, "%s%s", c->file->prefix, p.name);
        if (add_parameter(s, (ssp_target){.component = i, .parameter = k}, p, name) < 0) return -1;
    }
    return 0;
}

/* Return the option of the command for a parameter, or NULL. */
static const char *find_option(const ssp_target *target)
{
    static const char *const own[] = {
        [SSP_STEP] = "communication-step", [SSP_OUTPUTS] = "columns", [SSP_INPUTS] = "inputs", [SSP_HOLD] = "hold"};
    return target->component < 0 && target->parameter < SSP_OPEN ? own[target->parameter] : NULL;
}

int ssp_table_make(ssp_system *s, resida_message *why)
{
    const char *unknown = NULL;
    if (fill_values(s, why) < 0) return -1;
    for (int i = 0; i < s->about.n_values && !unknown; i++) {
        const int applied = apply_value(s, &s->about.values[i], why);
        if (applied < 0) return -1;
        if (applied > 0) unknown = s->about.values[i].name;
    }
    if (s->n == 0 && s->n_open == 0) return fmu_fail(why, "no components, and no connectors with values");
    apply_open_connectors(s);
    int added = add_step(s);
    if (added == 0) added = add_outputs(s);
    if (added == 0) added = add_inputs(s);
    for (int i = 0; i < s->n && added == 0; i++) added = add_component(s, i);
    if (added == 0) added = add_open_connectors(s);
    const char **options = fmu_pool_get(&s->pool, (size_t)s->cls.n_parameters + 1, sizeof *options);
    if (added < 0 || !options) return fmu_no_memory(why);
    for (int k = 0; unknown && k < s->cls.n_parameters; k++) options[k] = s->parameters[k].name;
    if (unknown)
        return fmu_fail(why, "there is no parameter %.200s%s", unknown,
                        fmu_pool_suggest(&s->pool, unknown, options, s->cls.n_parameters));
    for (int k = 0; k < s->cls.n_parameters; k++) options[k] = find_option(&s->targets[k]);
    s->cls.parameters = s->parameters;
    s->cls.options = options;
    return 0;
}
