/* links.c - the connections and their order: an output that depends directly on an input follows the connection to
 * this input. Outputs that depend on each other are an algebraic loop. */
#include "ssp.h"

#include "adapters/fmu/base/fail.h"

#include <stdio.h>
#include <string.h>

static int find_component(const ssp_system *s, const char *name, resida_message *why)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->components[i].name, name) == 0) return i;
    return fmu_fail(why, "a connection with component %.100s, which there is not", name);
}

static const fmu_variable *find_variable(const ssp_component *c, const char *name, int is_input, resida_message *why)
{
    const fmu_description *d = &c->file->about;
    for (int i = 0; i < d->n_variables; i++) {
        const fmu_variable *v = &d->variables[i];
        if (strcmp(v->name, name) != 0) continue;
        if (is_input ? v->causality == FMU_INPUT : v->is_output) return v;
        fmu_fail(why, "%.100s.%.100s is no %s", c->name, name, is_input ? "input" : "output");
        return NULL;
    }
    fmu_fail(why, "component %.100s has no variable %.100s", c->name, name);
    return NULL;
}

static int is_real(const fmu_variable *v)
{
    return v->type == FMU_FLOAT64 || v->type == FMU_FLOAT32;
}

static const char *get_kind_name(const fmu_variable *v)
{
    return is_real(v)               ? "a real number"
           : v->type == FMU_BOOLEAN ? "a Boolean"
           : v->type < FMU_BOOLEAN  ? "an integer"
           : v->type == FMU_STRING  ? "a text"
                                    : "of a type that is not read";
}

/* Check that both ends of a connection have the same type and size. */
static int check_connection(const ssp_system *s, const ssp_link *l, const ssd_connection *c, resida_message *why)
{
    const fmu_variable *a = l->source, *b = l->target;
    resida_message ends;
    fmu_fail(&ends, "%.60s.%.60s -> %.60s.%.60s", c->from, c->output, c->to, c->input);
    if (strcmp(get_kind_name(a), get_kind_name(b)) != 0 || a->type >= FMU_STRING)
        return fmu_fail(why, "%s: %s is connected with %s", ends.text, get_kind_name(a), get_kind_name(b));
    if (a->size != b->size) return fmu_fail(why, "%s: %d values are connected with %d", ends.text, a->size, b->size);
    if (c->is_scaled && !is_real(a)) return fmu_fail(why, "%s: %s is transformed", ends.text, get_kind_name(a));
    if (ssp_is_connected(s, l->to, b)) return fmu_fail(why, "%.60s.%.60s is connected twice", c->to, c->input);
    return 0;
}

/* Return the unit of a connector, by default that of its variable. */
static const char *find_unit_name(const ssp_system *s, const char *component, const fmu_variable *v)
{
    for (int i = 0; i < s->about.n_connectors; i++) {
        const ssd_connector *c = &s->about.connectors[i];
        if (strcmp(c->component, component) == 0 && strcmp(c->name, v->name) == 0) return c->unit;
    }
    return v->unit;
}

/* Compute factor and offset of a connection: from the unit of the output to that of its connector; by the
 * transformation, or else to the unit of the other connector; from there to the unit of the input. */
static int compute_conversion(const ssp_system *s, ssp_link *l, const ssd_connection *c, resida_message *why)
{
    const fmu_units *const all[] = {&s->about.units, &s->components[l->from].file->about.units,
                                    &s->components[l->to].file->about.units};
    const char *from = find_unit_name(s, c->from, l->source), *to = find_unit_name(s, c->to, l->target);
    const char *steps[3][2] = {{l->source->unit, from}, {from, to}, {to, l->target->unit}};
    l->factor = 1, l->offset = 0;
    for (int k = 0; k < 3; k++) {
        if (k == 1 && (c->is_scaled || c->keeps_value)) {
            l->offset = c->factor * l->offset + c->offset;
            l->factor *= c->factor;
            continue;
        }
        if (fmu_units_convert(all, 3, steps[k][0], steps[k][1], &l->factor, &l->offset) == 0) continue;
        return fmu_fail(why,
                        "%.60s.%.60s -> %.60s.%.60s: unit %.40s is connected with %.40s, without a conversion or a "
                        "LinearTransformation",
                        c->from, c->output, c->to, c->input, steps[k][0], steps[k][1]);
    }
    return 0;
}

static int add_connection(ssp_system *s, const ssd_connection *c, resida_message *why)
{
    if (!c->from || !c->to) return 0; /* a connector of the system itself */
    ssp_link l = {.factor = 1};
    l.from = find_component(s, c->from, why);
    l.to = l.from < 0 ? -1 : find_component(s, c->to, why);
    if (l.to < 0) return -1;
    l.source = find_variable(&s->components[l.from], c->output, 0, why);
    l.target = l.source ? find_variable(&s->components[l.to], c->input, 1, why) : NULL;
    if (!l.target || check_connection(s, &l, c, why) < 0 || compute_conversion(s, &l, c, why) < 0) return -1;
    l.is_continuous = is_real(l.source) && !l.source->is_discrete && !l.target->is_discrete;
    l.first = s->n_values;
    s->n_values += l.source->size;
    s->links[s->n_links++] = l;
    return 0;
}

int ssp_is_connected(const ssp_system *s, int component, const fmu_variable *v)
{
    for (int k = 0; k < s->n_links; k++)
        if (s->links[k].to == component && s->links[k].target == v) return 1;
    return 0;
}

/* Return the declared dependencies of an output, or NULL if none are declared. */
static const fmu_unknown *find_dependencies(const fmu_description *d, const fmu_variable *output)
{
    for (int i = 0; i < d->outputs.n; i++)
        if (d->outputs.of[i].reference == output->reference)
            return d->outputs.of[i].depends_on_all ? NULL : &d->outputs.of[i];
    return NULL;
}

/* Return 1 if an output depends directly on an input. This is assumed unless the FMU declares otherwise. */
static int depends_directly(const fmu_description *d, const fmu_variable *output, const fmu_variable *input)
{
    if (output->is_state) return 0;
    if (d->version == 2 && (output->type != FMU_FLOAT64 || input->type != FMU_FLOAT64)) return 1;
    const fmu_unknown *u = find_dependencies(d, output);
    for (int k = 0; u && k < u->n; k++)
        if (u->known[k] == input->reference) return 1;
    return u == NULL;
}

/* Return 1 if connection k must precede connection l. */
static int must_precede(const ssp_system *s, int k, int l)
{
    const ssp_link *before = &s->links[k], *link = &s->links[l];
    return before->to == link->from &&
           depends_directly(&s->components[link->from].file->about, link->source, before->target);
}

/* Describe the algebraic loop that is reached from connection `at`. */
static void describe_loop(ssp_system *s, const int *is_sorted, int at)
{
    static const char hint[] = "; an output without declared dependencies depends on all inputs";
    size_t n = 0;
    int is_declared = 1;
    for (int steps = 0, first = -1; at != first; steps++) {
        const ssp_link *l = &s->links[at];
        if (steps == s->n_links) first = at; /* after n_links steps it is on the loop */
        if (steps >= s->n_links && !find_dependencies(&s->components[l->from].file->about, l->source)) is_declared = 0;
        if (steps >= s->n_links && n + 1 < sizeof s->loop.text)
            n += (size_t)snprintf(s->loop.text + n, sizeof s->loop.text - n, "%s%.40s.%.40s <- %.40s.%.40s",
                                  n ? ", " : "algebraic loop: ", s->components[l->to].name, l->target->name,
                                  s->components[l->from].name, l->source->name);
        int k = 0;
        while (is_sorted[k] || !must_precede(s, k, at)) k++;
        at = k;
    }
    if (!is_declared && n + sizeof hint < sizeof s->loop.text) memcpy(s->loop.text + n, hint, sizeof hint);
}

/* Sort the connections in the order of evaluation. Those of an algebraic loop come last, unsorted. */
static int sort_connections(ssp_system *s, resida_message *why)
{
    ssp_link *sorted = fmu_pool_get(&s->pool, (size_t)s->n_links + 1, sizeof *sorted);
    int *is_sorted = fmu_pool_get(&s->pool, (size_t)s->n_links + 1, sizeof *is_sorted), n = 0;
    if (!sorted || !is_sorted) return fmu_fail(why, "no memory for connections");
    for (int l = 0; l < s->n_links;) {
        int waits = is_sorted[l];
        for (int k = 0; k < s->n_links && !waits; k++) waits = !is_sorted[k] && must_precede(s, k, l);
        if (!waits) sorted[n++] = s->links[l];
        is_sorted[l] |= !waits;
        l = waits ? l + 1 : 0;
    }
    for (int l = 0; l < s->n_links; l++) {
        if (is_sorted[l]) continue;
        if (!s->loop.text[0]) describe_loop(s, is_sorted, l);
        sorted[n++] = s->links[l];
    }
    s->links = sorted;
    return 0;
}

int ssp_links_make(ssp_system *s, resida_message *why)
{
    s->links = fmu_pool_get(&s->pool, (size_t)s->about.n_connections + 1, sizeof *s->links);
    if (!s->links) return fmu_fail(why, "no memory for connections");
    for (int i = 0; i < s->about.n_connections; i++)
        if (add_connection(s, &s->about.connections[i], why) < 0) return -1;
    return sort_connections(s, why);
}

const char *ssp_links_list_sampled(ssp_system *s)
{
    const ssp_link *first = NULL;
    int n = 0;
    for (int k = 0; k < s->n_links && !s->by_steps; k++) {
        const ssp_link *l = &s->links[k];
        if (!is_real(l->source) || l->source->is_discrete || !l->target->is_discrete) continue;
        if (n++ == 0) first = l;
    }
    if (n == 0) return "";
    return fmu_pool_format(&s->pool,
                           "%s.%s is discrete: it has %s.%s, which is continuous, as it was at the last event%s",
                           s->components[first->to].name, first->target->name, s->components[first->from].name,
                           first->source->name, n > 1 ? " (and others)" : "");
}
