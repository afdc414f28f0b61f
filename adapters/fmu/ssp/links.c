/* links.c - the connections, their order, and their values. Connections through connectors of systems are one
 * connection of two FMUs. An output that depends directly on an input follows the connection to this input. Outputs
 * that depend on each other are an algebraic loop. */
#include "ssp.h"

#include "adapters/fmu/base/fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Return the index of a component, or -1 if there is none. */
static int find_component(const ssp_system *s, const char *name)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->components[i].name, name) == 0) return i;
    return -1;
}

/* Return a connector of a system, or one of a component that has a unit; NULL if there is none. */
static const ssd_connector *find_connector(const ssp_system *s, const char *element, const char *name)
{
    for (int i = 0; i < s->about.n_connectors; i++) {
        const ssd_connector *c = &s->about.connectors[i];
        if (strcmp(c->element, element) == 0 && strcmp(c->name, name) == 0) return c;
    }
    return NULL;
}

/* Write the names of the ends of connections, from the first to the last. */
static void name_ends(const ssd_connection *first, const ssd_connection *last, resida_message *ends)
{
    fmu_fail(ends, "%.60s%s%.60s -> %.60s%s%.60s", first->from, *first->from ? "." : "", first->output, last->to,
             *last->to ? "." : "", last->input);
}

/* Check that the connector at an end of a connection exists. */
static int check_end(ssp_system *s, const ssd_connection *c, const char *element, const char *name, resida_message *why)
{
    const int i = find_component(s, element);
    const fmu_description *d = i < 0 ? NULL : &s->components[i].file->about;
    const int n = d ? d->n_variables : s->about.n_connectors;
    resida_message ends;
    name_ends(c, c, &ends);
    int at = 0;
    while (at < s->about.n_systems && strcmp(s->about.systems[at], element) != 0) at++;
    if (!d && at == s->about.n_systems)
        return fmu_fail(why, "%s names component %.60s, which does not exist", ends.text, element);
    if (d ? fmu_variable_named(d, name) != NULL : find_connector(s, element, name) != NULL) return 0;
    const char **names = fmu_pool_get(&s->pool, (size_t)n + 1, sizeof *names);
    if (!names) return fmu_no_memory(why);
    for (int k = 0; k < n; k++)
        if (d || strcmp(s->about.connectors[k].element, element) == 0)
            names[k] = d ? d->variables[k].name : s->about.connectors[k].name;
    return fmu_fail(why, "%s: %.60s has no %s %.60s%s", ends.text, *element ? element : "the system",
                    d ? "variable" : "connector", name, fmu_pool_suggest(&s->pool, name, names, n));
}

/* Return 1 if a value comes from an end of a connection, 0 if it goes there, -1 if this is not known. */
static int is_source(const ssp_system *s, const ssd_connection *c, const char *element, const char *name)
{
    const int component = find_component(s, element);
    const fmu_variable *v = component < 0 ? NULL : fmu_variable_named(&s->components[component].file->about, name);
    const ssd_connector *connector = component < 0 ? find_connector(s, element, name) : NULL;
    if (v) return v->is_output;
    if (!connector || connector->is_input < 0) return -1;
    return connector->is_input == (strcmp(c->system, element) == 0);
}

/* Exchange the ends of a connection that is given from its target to its source. Refuse a connector of a system at the
 * wrong end. */
static int orient_connection(const ssp_system *s, ssd_connection *c, resida_message *why)
{
    const ssd_connection old = *c;
    const int from = is_source(s, c, c->from, c->output), to = is_source(s, c, c->to, c->input);
    const ssd_connector *wrong = NULL;
    resida_message ends;
    if (from == 0 && to == 1) {
        c->from = old.to, c->output = old.input, c->to = old.from, c->input = old.output;
        return 0;
    }
    if (from == 0 && find_component(s, c->from) < 0) wrong = find_connector(s, c->from, c->output);
    if (to == 1 && find_component(s, c->to) < 0) wrong = find_connector(s, c->to, c->input);
    name_ends(c, c, &ends);
    if (!wrong) return 0;
    return fmu_fail(why, "%s: connector %.60s is an %s: make its kind %s", ends.text, wrong->name,
                    wrong->is_input ? "input" : "output", wrong->is_input ? "output" : "input");
}

/* The use of a variable in a connection. */
typedef enum use { AS_OUTPUT, AS_INPUT, AS_VALUE } use;

/* Return a variable that exists, or NULL with a message if its use is another one. */
static const fmu_variable *find_variable(const ssp_component *c, const char *name, use how, resida_message *why)
{
    const fmu_variable *v = fmu_variable_named(&c->file->about, name);
    const int is_input = v->causality == FMU_INPUT, is_parameter = v->causality == FMU_PARAMETER;
    if (how == AS_OUTPUT ? v->is_output : is_input || (how == AS_VALUE && is_parameter)) return v;
    fmu_fail(why, "%.100s.%.100s is not an %s", c->name, name, how == AS_OUTPUT ? "output" : "input");
    return NULL;
}

static int is_real(const fmu_variable *v)
{
    return v->type == FMU_FLOAT64 || v->type == FMU_FLOAT32;
}

const char *ssp_kind_name(const fmu_variable *v)
{
    return is_real(v)               ? "a real number"
           : v->type == FMU_BOOLEAN ? "a Boolean"
           : v->type < FMU_BOOLEAN  ? "an integer"
           : v->type == FMU_STRING  ? "a text"
                                    : "of an unsupported type";
}

/* A route: the connections from a component, or from an unconnected connector of a system, to an end. The connectors
 * of systems between them have no values of their own. */
typedef struct route {
    int n;
    const ssd_connection **of; /* [n] the last one first */
    const char *type;          /* type of the value */
    const char *unit;          /* unit of the value that is passed on; NULL: unknown */
    double factor, offset;     /* value at the end = factor value at the start + offset */
} route;

const ssd_connection *ssp_connection_find(const ssp_system *s, const char *element, const char *connector)
{
    for (int i = 0; i < s->about.n_connections; i++) {
        const ssd_connection *c = &s->about.connections[i];
        if (strcmp(c->to, element) == 0 && strcmp(c->input, connector) == 0) return c;
    }
    return NULL;
}

static int find_route(ssp_system *s, const ssd_connection *last, route *r, resida_message *why)
{
    *r = (route){.of = fmu_pool_get(&s->pool, (size_t)s->about.n_connections + 1, sizeof *r->of), .factor = 1};
    if (!r->of) return fmu_no_memory(why);
    for (const ssd_connection *c = last; c; c = ssp_connection_find(s, c->from, c->output)) {
        if (r->n == s->about.n_connections)
            return fmu_fail(why, "connections from %.60s.%.60s form a loop", last->from, last->output);
        r->of[r->n++] = c;
        if (find_component(s, c->from) >= 0) break;
    }
    return 0;
}

/* Convert the value of a route to a unit, unless it is unknown. */
static int convert_route(const ssp_system *s, route *r, const ssd_connection *c, const char *to, resida_message *why)
{
    const fmu_units *all[3] = {&s->about.units};
    const int from = find_component(s, r->of[r->n - 1]->from), end = find_component(s, r->of[0]->to);
    int n = 1;
    if (from >= 0) all[n++] = &s->components[from].file->about.units;
    if (end >= 0) all[n++] = &s->components[end].file->about.units;
    if (!to || !*to) return 0;
    resida_message ends;
    name_ends(c, c, &ends);
    if (fmu_units_convert(all, n, r->unit, to, &r->factor, &r->offset) != 0)
        return fmu_fail(why, "%s: unit %.40s cannot be converted to %.40s; add a LinearTransformation", ends.text,
                        r->unit, to);
    r->unit = to;
    return 0;
}

/* Pass on a value through a connection: in the unit of its first connector, by the transformation, or else in the unit
 * of its second connector. */
static int pass_connection(const ssp_system *s, route *r, const ssd_connection *c, resida_message *why)
{
    const ssd_connector *from = find_connector(s, c->from, c->output), *to = find_connector(s, c->to, c->input);
    const ssd_connector *wrong = from && from->type && strcmp(from->type, r->type) != 0 ? from
                                 : to && to->type && strcmp(to->type, r->type) != 0     ? to
                                                                                        : NULL;
    resida_message ends;
    name_ends(c, c, &ends);
    if (wrong) return fmu_fail(why, "%s: connector %.60s is %s, not %s", ends.text, wrong->name, wrong->type, r->type);
    if (convert_route(s, r, c, from ? from->unit : NULL, why) < 0) return -1;
    if (!c->scale.is_scaled && !c->scale.keeps_value) return convert_route(s, r, c, to ? to->unit : NULL, why);
    r->offset = c->scale.factor * r->offset + c->scale.offset;
    r->factor *= c->scale.factor;
    r->unit = to ? to->unit : NULL;
    return 0;
}

/* Compute factor and offset of a route. @param source, target  variables at its ends; NULL: a connector of a system */
static int compute_conversion(const ssp_system *s, route *r, const fmu_variable *source, const fmu_variable *target,
                              resida_message *why)
{
    r->unit = source ? source->unit : NULL;
    r->type = ssp_kind_name(source ? source : target);
    for (int k = r->n - 1; k >= 0; k--)
        if (pass_connection(s, r, r->of[k], why) < 0) return -1;
    return convert_route(s, r, r->of[0], target ? target->unit : NULL, why);
}

int ssp_open_connector_find(ssp_system *s, const char *element, const char *connector, resida_message *why)
{
    const char *name = ssd_join_names(&s->pool, element, connector);
    if (!name) return fmu_no_memory(why);
    for (int i = 0; i < s->n_open; i++)
        if (strcmp(s->open[i].name, name) == 0) return i;
    const ssd_connector *c = find_connector(s, element, connector);
    ssp_open_connector *added = FMU_POOL_ADD(&s->pool, s->open, s->n_open);
    if (added) *added = (ssp_open_connector){.name = name, .unit = c ? c->unit : NULL};
    return added ? s->n_open - 1 : fmu_no_memory(why);
}

/* Add an input or a parameter that has the value of an unconnected connector of a system. */
static int add_feed(ssp_system *s, route *r, int to, resida_message *why)
{
    const ssd_connection *last = r->of[0];
    ssp_feed f = {.component = to};
    f.target = find_variable(&s->components[to], last->input, AS_VALUE, why);
    const ssd_connection *first = r->of[r->n - 1];
    if (!f.target || compute_conversion(s, r, NULL, f.target, why) < 0) return -1;
    if (f.target->type >= FMU_STRING) return 0; /* it remains a parameter of its component */
    for (int k = 0; k < r->n; k++)
        if (r->of[k]->scale.is_scaled && !is_real(f.target))
            return fmu_fail(why, "%.60s.%.60s: %s is transformed", last->to, last->input, ssp_kind_name(f.target));
    f.open = ssp_open_connector_find(s, first->from, first->output, why);
    if (f.open < 0) return -1;
    f.factor = r->factor, f.offset = r->offset;
    ssp_feed *added = FMU_POOL_ADD(&s->pool, s->feeds, s->n_feeds);
    if (added) *added = f;
    return added ? 0 : fmu_no_memory(why);
}

/* Add an output of the system. */
static int add_export(ssp_system *s, route *r, int from, resida_message *why)
{
    const fmu_variable *v = find_variable(&s->components[from], r->of[r->n - 1]->output, AS_OUTPUT, why);
    if (v && (v->type == FMU_OTHER || (v->type == FMU_STRING && v->n_dimensions > 0))) return 0; /* no output */
    if (!v || compute_conversion(s, r, v, NULL, why) < 0) return -1;
    ssp_export *added = FMU_POOL_ADD(&s->pool, s->exports, s->n_exports);
    if (!added) return fmu_no_memory(why);
    *added = (ssp_export){.name = r->of[0]->input,
                          .unit = r->unit,
                          .component = from,
                          .source = v,
                          .factor = r->factor,
                          .offset = r->offset};
    return 0;
}

/* Check that both ends of a route have the same type and size. */
static int check_connection(const ssp_system *s, const ssp_link *l, const route *r, resida_message *why)
{
    const fmu_variable *a = l->source, *b = l->target;
    const ssd_connection *last = r->of[0];
    resida_message ends;
    name_ends(r->of[r->n - 1], last, &ends);
    if (strcmp(ssp_kind_name(a), ssp_kind_name(b)) != 0 || a->type >= FMU_STRING)
        return fmu_fail(why, "%s: %s is connected with %s", ends.text, ssp_kind_name(a), ssp_kind_name(b));
    if (a->size != b->size) return fmu_fail(why, "%s: %d values are connected to %d", ends.text, a->size, b->size);
    for (int k = 0; k < r->n; k++)
        if (r->of[k]->scale.is_scaled && !is_real(a))
            return fmu_fail(why, "%s: %s is transformed", ends.text, ssp_kind_name(a));
    if (ssp_is_connected(s, l->to, b)) return fmu_fail(why, "%.60s.%.60s is connected twice", last->to, last->input);
    return 0;
}

/* Add a connection that ends at a component, or at the system at the top. */
static int add_connection(ssp_system *s, const ssd_connection *c, resida_message *why)
{
    route r;
    const int to = find_component(s, c->to);
    if (ssp_connection_find(s, c->to, c->input) != c)
        return fmu_fail(why, "%.60s.%.60s is connected twice", c->to, c->input);
    if (to < 0 && *c->to) return 0; /* a nested system, whose connections follow */
    if (find_route(s, c, &r, why) < 0) return -1;
    const int from = find_component(s, r.of[r.n - 1]->from);
    if (from < 0) return to < 0 ? 0 : add_feed(s, &r, to, why);
    if (to < 0) return add_export(s, &r, from, why);
    ssp_link l = {.from = from, .to = to};
    l.source = find_variable(&s->components[from], r.of[r.n - 1]->output, AS_OUTPUT, why);
    l.target = l.source ? find_variable(&s->components[to], c->input, AS_INPUT, why) : NULL;
    if (!l.target || check_connection(s, &l, &r, why) < 0) return -1;
    if (compute_conversion(s, &r, l.source, l.target, why) < 0) return -1;
    l.factor = r.factor, l.offset = r.offset;
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
    if (!sorted || !is_sorted) return fmu_no_memory(why);
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
    if (!s->links) return fmu_no_memory(why);
    for (int i = 0; i < s->about.n_connections; i++) {
        ssd_connection *c = &s->about.connections[i];
        if (orient_connection(s, c, why) < 0 || check_end(s, c, c->from, c->output, why) < 0 ||
            check_end(s, c, c->to, c->input, why) < 0)
            return -1;
    }
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
                           "%s.%s is discrete: it has the value of %s.%s, which is continuous, at the last event%s",
                           s->components[first->to].name, first->target->name, s->components[first->from].name,
                           first->source->name, n > 1 ? " (and others)" : "");
}

int ssp_link_set(ssp_model *m, int link, const double *values)
{
    const ssp_link *l = &m->system->links[link];
    fmu_instance *to = &m->parts[l->to]->instance;
    return ssp_store_failure(m, l->to,
                             fmu_prefix_variable(to, l->target->name, fmu_variable_set(to, l->target, values)));
}

int ssp_link_copy(ssp_model *m, int link, int *changed)
{
    const ssp_link *l = &m->system->links[link];
    fmu_instance *from = &m->parts[l->from]->instance;
    const size_t n = (size_t)l->source->size;
    double *x = m->got;
    const int got = fmu_prefix_variable(from, l->source->name, fmu_variable_get(from, l->source, x));
    if (got != 0) return ssp_store_failure(m, l->from, got);
    for (size_t k = 0; k < n; k++) {
        if (fmu_type_is_long(l->source->type) && fabs(x[k]) > FMU_WHOLE_LIMIT)
            return ssp_store_failure(m, l->from,
                                     fmu_fail(&from->said,
                                              "%.100s = %.17g exceeds 2^53, which a connection cannot transfer",
                                              l->source->name, x[k]));
        x[k] = l->factor * x[k] + l->offset;
    }
    if (changed) *changed = memcmp(x, m->given + l->first, n * sizeof *x) != 0;
    if (changed) return 0;
    memcpy(m->given + l->first, x, n * sizeof *x);
    return ssp_link_set(m, link, x);
}

int ssp_link_needs_no_event(const ssp_model *m, int link)
{
    const ssp_link *l = &m->system->links[link];
    return l->is_continuous || m->parts[l->to]->instance.mode == FMU_STEPS;
}

int ssp_links_copy(ssp_model *m, int are_all)
{
    int verdict = 0;
    for (int k = 0; k < m->system->n_links && verdict == 0; k++)
        if (are_all || ssp_link_needs_no_event(m, k)) verdict = ssp_link_copy(m, k, NULL);
    return verdict;
}
