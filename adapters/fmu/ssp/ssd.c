/* ssd.c - see ssd.h. An element is identified by its name and depth: System has depth 2, its components and
 * connections have depth 4. */
#include "ssd.h"

#include "adapters/fmu/base/fail.h"
#include "adapters/fmu/base/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ROOT = 1, AT_SYSTEM, AT_ENTRY = 4, MAX_ENTRIES = 100000 };
static const char structure_name[] = "SystemStructure.ssd";

/* State of the reader. */
typedef struct reader {
    ssd_structure *s;
    fmu_pool *pool;
    resida_message *why;
    const char *component; /* the current component; NULL: none */
    const char *prefix;    /* prefix of the names of parameters */
    const char *parameter; /* parameter whose value follows; NULL: none */
    const char *connector; /* connector of the component, whose type follows; NULL: none */
    int is_values;         /* 1: the file is a parameter set */
} reader;

static int are_equal(const char *a, const char *b)
{
    return a && strcmp(a, b) == 0;
}

static const char *copy_attribute(const reader *r, const char **a, const char *name)
{
    return fmu_pool_text(r->pool, fmu_attribute(a, name));
}

/* Grow a list by one element. Return NULL with a message if memory is exhausted. */
static void *grow_list(const reader *r, void *list, int n, size_t size)
{
    void *grown = n < MAX_ENTRIES ? fmu_pool_grow(r->pool, list, (size_t)n, size) : NULL;
    if (!grown) fmu_fail(r->why, "no memory for a system");
    return grown;
}

static int add_component(reader *r, const char **a)
{
    ssd_structure *s = r->s;
    const char *kind = fmu_attribute(a, "implementation"), *type = fmu_attribute(a, "type");
    if (!(s->components = grow_list(r, s->components, s->n_components, sizeof *s->components))) return -1;
    ssd_component *c = &s->components[s->n_components++];
    *c = (ssd_component){.name = r->component = copy_attribute(r, a, "name"), .source = copy_attribute(r, a, "source")};
    c->kind = are_equal(kind, "ModelExchange") ? SSD_EXCHANGE : are_equal(kind, "CoSimulation") ? SSD_STEPS : SSD_ANY;
    if (!c->name || !*c->name) return fmu_fail(r->why, "component %d has no name", s->n_components);
    if (!c->source || !*c->source) return fmu_fail(r->why, "component %.100s has no source", c->name);
    if (type && !are_equal(type, "application/x-fmu-sharedlibrary"))
        return fmu_fail(r->why, "component %.100s is a %.100s; FMUs are read", c->name, type);
    for (int i = 0; i + 1 < s->n_components; i++)
        if (are_equal(s->components[i].name, c->name))
            return fmu_fail(r->why, "two components are called %.100s", c->name);
    if (strncmp(c->source, "./", 2) == 0) c->source += 2;
    return 0;
}

/* Add a connection. A connector of the system itself is an output of the system, or an input that stays a parameter. */
static int add_connection(reader *r, const char **a)
{
    ssd_structure *s = r->s;
    const ssd_connection c = {.from = copy_attribute(r, a, "startElement"),
                              .output = copy_attribute(r, a, "startConnector"),
                              .to = copy_attribute(r, a, "endElement"),
                              .input = copy_attribute(r, a, "endConnector"),
                              .factor = 1,
                              .keeps_value = fmu_attribute_flag(a, "suppressUnitConversion")};
    if (!c.output || !c.input) return fmu_fail(r->why, "a connection without startConnector or endConnector");
    if (!(s->connections = grow_list(r, s->connections, s->n_connections, sizeof *s->connections))) return -1;
    s->connections[s->n_connections++] = c;
    return 0;
}

static int scale_connection(reader *r, const char **a)
{
    ssd_connection *c = r->s->n_connections > 0 ? &r->s->connections[r->s->n_connections - 1] : NULL;
    if (!c || fmu_attribute_double(a, "factor", &c->factor) < 0 || fmu_attribute_double(a, "offset", &c->offset) < 0 ||
        !isfinite(c->factor) || !isfinite(c->offset))
        return fmu_fail(r->why, "a LinearTransformation that is none");
    c->is_scaled = 1;
    return 0;
}

static int begin_binding(reader *r, const char **a)
{
    ssd_structure *s = r->s;
    const char *prefix = fmu_attribute(a, "prefix"), *source = copy_attribute(r, a, "source");
    r->prefix = fmu_pool_format(r->pool, "%s%s%s", r->component ? r->component : "", r->component ? "." : "",
                                prefix ? prefix : "");
    if (!r->prefix) return fmu_fail(r->why, "no memory for a system");
    if (!source || !*source) return 0;
    if (!(s->files = grow_list(r, s->files, s->n_files, sizeof *s->files))) return -1;
    s->files[s->n_files++] = (ssd_binding){.name = r->prefix, .value = source};
    return 0;
}

/* Add the value of a parameter, from the element within Parameter. */
static int add_value(reader *r, const char **a)
{
    ssd_structure *s = r->s;
    const ssd_binding v = {.name = fmu_pool_format(r->pool, "%s%s", r->prefix ? r->prefix : "", r->parameter),
                           .value = copy_attribute(r, a, "value"),
                           .unit = copy_attribute(r, a, "unit")};
    r->parameter = NULL;
    if (!v.name || !v.value) return fmu_fail(r->why, "parameter %.100s has no value", v.name ? v.name : "?");
    if (!(s->values = grow_list(r, s->values, s->n_values, sizeof *s->values))) return -1;
    s->values[s->n_values++] = v;
    return 0;
}

/* Add the unit of a connector of a component, from the element within Connector. */
static int add_connector(reader *r, const char **a)
{
    ssd_structure *s = r->s;
    const ssd_connector c = {.component = r->component, .name = r->connector, .unit = copy_attribute(r, a, "unit")};
    r->connector = NULL;
    if (!c.unit) return 0;
    if (!(s->connectors = grow_list(r, s->connectors, s->n_connectors, sizeof *s->connectors))) return -1;
    s->connectors[s->n_connectors++] = c;
    return 0;
}

static int read_root(const reader *r, const char *name, const char **a)
{
    const char *version = fmu_attribute(a, "version"),
               *root = r->is_values ? "ParameterSet" : "SystemStructureDescription";
    if (!are_equal(name, root)) return fmu_fail(r->why, "the root is %.60s, not %s", name, root);
    if (version && strncmp(version, "1.", 2) == 0) return 0;
    return fmu_fail(r->why, "version \"%.40s\"; 1.0 is read", version ? version : "");
}

static int read_system(reader *r, const char *name, const char **a)
{
    if (are_equal(name, "System")) r->s->name = copy_attribute(r, a, "name");
    if (!are_equal(name, "DefaultExperiment")) return 0;
    if (fmu_attribute_double(a, "startTime", &r->s->t0) >= 0 && fmu_attribute_double(a, "stopTime", &r->s->t_end) >= 0)
        return 0;
    return fmu_fail(r->why, "DefaultExperiment has what is not a number");
}

/* Reject unsupported elements that would change the system. */
static int reject_unsupported(const reader *r, const char *name)
{
    static const char *const all[] = {"System",
                                      "SignalDictionaryReference",
                                      "ParameterMapping",
                                      "BooleanMappingTransformation",
                                      "IntegerMappingTransformation",
                                      "EnumerationMappingTransformation"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (are_equal(name, all[i])) return fmu_fail(r->why, "%s within a system, which is not read", name);
    return 0;
}

static int on_element(void *self, long line, int depth, const char *name, const char **a)
{
    reader *r = self;
    (void)line;
    if (depth == AT_ROOT) return read_root(r, name, a);
    if (r->parameter) return add_value(r, a);
    const int is_unit = fmu_units_read(&r->s->units, r->pool, name, a);
    if (is_unit != 0) return is_unit > 0 ? 0 : fmu_fail(r->why, "no memory for a system");
    if (are_equal(name, "Parameter") && (r->parameter = copy_attribute(r, a, "name"))) return 0;
    if (r->is_values) return 0;
    if (depth == AT_SYSTEM) return read_system(r, name, a);
    if (depth <= AT_ENTRY) r->component = NULL;
    if (r->component && r->connector && are_equal(name, "Real")) return add_connector(r, a);
    r->connector = are_equal(name, "Connector") ? copy_attribute(r, a, "name") : NULL;
    if (depth == AT_ENTRY && are_equal(name, "Component")) return add_component(r, a);
    if (depth == AT_ENTRY && are_equal(name, "Connection")) return add_connection(r, a);
    if (are_equal(name, "LinearTransformation")) return scale_connection(r, a);
    return are_equal(name, "ParameterBinding") ? begin_binding(r, a) : reject_unsupported(r, name);
}

static int read_file(reader *r, fmu_archive *a, const char *name, resida_message *why)
{
    size_t size = 0;
    resida_message reason = {""};
    char *bytes = fmu_archive_read(a, name, &size, why);
    if (!bytes) return why->text[0] ? -1 : fmu_fail(why, "no %.200s in the archive", name);
    r->why = &reason;
    const int read = fmu_xml_read(bytes, size, on_element, r, &reason);
    free(bytes);
    return read < 0 ? fmu_fail(why, "%.100s: %.300s", name, reason.text) : 0;
}

int ssd_read(ssd_structure *s, fmu_archive *a, fmu_pool *pool, resida_message *why)
{
    reader r = {.s = s, .pool = pool};
    *s = (ssd_structure){.t0 = NAN, .t_end = NAN};
    if (read_file(&r, a, structure_name, why) < 0) return -1;
    for (int i = 0; i < s->n_files; i++) {
        r = (reader){.s = s, .pool = pool, .prefix = s->files[i].name, .is_values = 1};
        if (read_file(&r, a, s->files[i].value, why) < 0) return -1;
    }
    return s->n_components > 0 ? 0 : fmu_fail(why, "%s: no components", structure_name);
}
