/* ssd.c - see ssd.h. Elements of the file are identified by their names. The systems and components around an element
 * are a stack. Annotations are not read. */
#include "ssd.h"

#include "adapters/fmu/base/fail.h"
#include "adapters/fmu/base/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ROOT = 1, AT_SYSTEM, MAX_ENTRIES = 100000, MAX_NESTED = 40 };
static const char structure_name[] = "SystemStructure.ssd";

/* The kind of a file. */
typedef enum file_kind { OF_STRUCTURE, OF_VALUES, OF_MAPPING } file_kind;

/* A system or a component around the current element. */
typedef struct place {
    const char *name;
    int depth, is_system;
} place;

/* State of the reader. */
typedef struct reader {
    ssd_structure *s;
    fmu_pool *pool;
    resida_message *why;
    file_kind kind;
    int n_places;
    place places[MAX_NESTED];
    int skipped;           /* depth of an element whose content is not read; 0: none */
    int binding;           /* current binding; -1: none */
    int binding_depth;     /* its depth */
    ssd_scale *scale;      /* of the last connection or entry of a mapping; NULL: none */
    const char *parameter; /* parameter whose value follows; NULL: none */
    const char *connector; /* connector of a component, whose type follows; NULL: none */
} reader;

static const char *copy_attribute(const reader *r, const char **a, const char *name)
{
    return fmu_pool_text(r->pool, fmu_attribute(a, name));
}

/* Return the unit of a value. Some tools write it in brackets. */
static const char *copy_unit(const reader *r, const char **a)
{
    const char *unit = fmu_attribute(a, "unit");
    const size_t n = unit ? strlen(unit) : 0;
    if (n < 3 || unit[0] != '[' || unit[n - 1] != ']') return fmu_pool_text(r->pool, unit);
    return fmu_pool_format(r->pool, "%.*s", (int)n - 2, unit + 1);
}

/* Grow a list by one element. Return NULL with a message if memory is exhausted. */
static void *grow_list(const reader *r, void *list, int n, size_t size)
{
    void *grown = n < MAX_ENTRIES ? fmu_pool_grow(r->pool, list, (size_t)n, size) : NULL;
    if (!grown) fmu_no_memory(r->why);
    return grown;
}

/* Return the innermost system or component around the current element. */
static const place *get_place(const reader *r)
{
    static const place none = {.name = "", .is_system = 1};
    return r->n_places > 0 ? &r->places[r->n_places - 1] : &none;
}

/* Enter a system or a component. @return its hierarchical name, or NULL with a message */
static const char *enter_place(reader *r, int depth, const char *name, int is_system)
{
    const char *full = name ? ssd_join_names(r->pool, get_place(r)->name, name) : "";
    if (r->n_places == MAX_NESTED) return fmu_fail(r->why, "more than %d nested systems", MAX_NESTED), NULL;
    if (!full) return fmu_no_memory(r->why), NULL;
    r->places[r->n_places++] = (place){full, depth, is_system};
    return full;
}

static int add_system(reader *r, int depth, const char **a)
{
    ssd_structure *s = r->s;
    const char *name = copy_attribute(r, a, "name");
    if (depth == AT_SYSTEM) s->name = name;
    if (depth > AT_SYSTEM && (!name || !*name)) return fmu_fail(r->why, "a nested system has no name");
    if (!(s->systems = grow_list(r, s->systems, s->n_systems, sizeof *s->systems))) return -1;
    const char *full = enter_place(r, depth, depth == AT_SYSTEM ? NULL : name, 1);
    s->systems[s->n_systems++] = full;
    return full ? 0 : -1;
}

static int add_component(reader *r, int depth, const char **a)
{
    ssd_structure *s = r->s;
    const char *kind = fmu_attribute(a, "implementation"), *type = fmu_attribute(a, "type");
    const char *name = copy_attribute(r, a, "name");
    if (!name || !*name) return fmu_fail(r->why, "component %d has no name", s->n_components + 1);
    if (!(s->components = grow_list(r, s->components, s->n_components, sizeof *s->components))) return -1;
    ssd_component *c = &s->components[s->n_components++];
    *c = (ssd_component){.name = enter_place(r, depth, name, 0), .source = copy_attribute(r, a, "source")};
    c->kind = fmu_are_equal(kind, "ModelExchange")  ? SSD_EXCHANGE
              : fmu_are_equal(kind, "CoSimulation") ? SSD_STEPS
                                                    : SSD_ANY;
    if (!c->name) return -1;
    if (!c->source || !*c->source) return fmu_fail(r->why, "component %.100s has no source", c->name);
    if (type && !fmu_are_equal(type, "application/x-fmu-sharedlibrary"))
        return fmu_fail(r->why, "component %.100s is a %.100s; only FMUs are supported", c->name, type);
    for (int i = 0; i + 1 < s->n_components; i++)
        if (fmu_are_equal(s->components[i].name, c->name))
            return fmu_fail(r->why, "two components have the name %.100s", c->name);
    if (strncmp(c->source, "./", 2) == 0) c->source += 2;
    return 0;
}

/* Return the hierarchical name of an end of a connection. Without an element it is the system of the connection. */
static const char *name_end(const reader *r, const char **a, const char *attribute)
{
    const char *element = fmu_attribute(a, attribute), *system = get_place(r)->name;
    return element && *element ? ssd_join_names(r->pool, system, element) : system;
}

static ssd_scale read_scale(const char **a)
{
    return (ssd_scale){.factor = 1, .keeps_value = fmu_attribute_flag(a, "suppressUnitConversion")};
}

static int add_connection(reader *r, const char **a)
{
    ssd_structure *s = r->s;
    const ssd_connection c = {.system = get_place(r)->name,
                              .from = name_end(r, a, "startElement"),
                              .output = copy_attribute(r, a, "startConnector"),
                              .to = name_end(r, a, "endElement"),
                              .input = copy_attribute(r, a, "endConnector"),
                              .scale = read_scale(a)};
    if (!c.output || !c.input) return fmu_fail(r->why, "a connection has no startConnector or no endConnector");
    if (!c.from || !c.to) return fmu_no_memory(r->why);
    if (!(s->connections = grow_list(r, s->connections, s->n_connections, sizeof *s->connections))) return -1;
    s->connections[s->n_connections] = c;
    r->scale = &s->connections[s->n_connections++].scale;
    return 0;
}

static int read_transformation(const reader *r, const char **a)
{
    ssd_scale *c = r->scale;
    if (!c || fmu_attribute_double(a, "factor", &c->factor) < 0 || fmu_attribute_double(a, "offset", &c->offset) < 0 ||
        !isfinite(c->factor) || !isfinite(c->offset))
        return fmu_fail(r->why, "an invalid LinearTransformation");
    c->is_scaled = 1;
    return 0;
}

/* Return 0 if a source is in the archive. A source within an FMU is not supported. */
static int check_base(const reader *r, const char **a)
{
    if (!fmu_are_equal(fmu_attribute(a, "sourceBase"), "component")) return 0;
    return fmu_fail(r->why, "sourceBase within a component is not supported");
}

static int begin_binding(reader *r, int depth, const char **a)
{
    ssd_structure *s = r->s;
    const char *prefix = fmu_attribute(a, "prefix"), *source = copy_attribute(r, a, "source");
    if (!(s->bindings = grow_list(r, s->bindings, s->n_bindings, sizeof *s->bindings))) return -1;
    ssd_binding *b = &s->bindings[r->binding = s->n_bindings++];
    *b = (ssd_binding){.element = get_place(r)->name,
                       .prefix = fmu_pool_text(r->pool, prefix ? prefix : ""),
                       .values = source && *source ? source : NULL,
                       .level = r->n_places};
    r->binding_depth = depth;
    return b->prefix ? check_base(r, a) : fmu_no_memory(r->why);
}

static int begin_mapping(const reader *r, const char **a)
{
    if (r->binding < 0) return 0;
    const char *source = copy_attribute(r, a, "source");
    ssd_binding *b = &r->s->bindings[r->binding];
    b->is_mapped = 1;
    if (source && *source) b->mapping = source;
    return check_base(r, a);
}

static int add_entry(reader *r, const char **a)
{
    ssd_structure *s = r->s;
    const ssd_entry e = {.source = copy_attribute(r, a, "source"),
                         .target = copy_attribute(r, a, "target"),
                         .scale = read_scale(a),
                         .binding = r->binding};
    if (!e.source || !e.target) return fmu_fail(r->why, "a MappingEntry has no source or no target");
    if (!(s->entries = grow_list(r, s->entries, s->n_entries, sizeof *s->entries))) return -1;
    s->entries[s->n_entries] = e;
    r->scale = &s->entries[s->n_entries++].scale;
    return 0;
}

/* Return the type that the name of an element states. */
static const char *find_type(const char *name)
{
    static const char *const types[][2] = {
        {"Real", "a real number"}, {"Float", "a real number"}, {"Int", "an integer"}, {"UInt", "an integer"},
        {"Enum", "an integer"},    {"Boolean", "a Boolean"},   {"String", "a text"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strncmp(name, types[i][0], strlen(types[i][0])) == 0) return types[i][1];
    return NULL;
}

/* Add the value of a parameter, from the element within Parameter. */
static int add_value(reader *r, const char *name, const char **a)
{
    ssd_structure *s = r->s;
    const ssd_value v = {.name = r->parameter,
                         .value = copy_attribute(r, a, "value"),
                         .type = find_type(name),
                         .unit = copy_unit(r, a),
                         .scale = {.factor = 1},
                         .binding = r->binding};
    r->parameter = NULL;
    if (!v.type) return fmu_fail(r->why, "parameter %.100s is of the type %.40s, which is not supported", v.name, name);
    if (!v.value) return fmu_fail(r->why, "parameter %.100s has no value", v.name);
    if (!(s->values = grow_list(r, s->values, s->n_values, sizeof *s->values))) return -1;
    s->values[s->n_values++] = v;
    return 0;
}

/* Read a connector, whose type may follow. */
static int begin_connector(reader *r, const char **a)
{
    ssd_structure *s = r->s;
    const char *kind = fmu_attribute(a, "kind");
    const ssd_connector c = {.element = get_place(r)->name,
                             .name = r->connector = copy_attribute(r, a, "name"),
                             .is_of_system = get_place(r)->is_system,
                             .is_input = fmu_are_equal(kind, "input") || fmu_are_equal(kind, "parameter") ? 1
                                         : fmu_are_equal(kind, "output") || fmu_are_equal(kind, "calculatedParameter")
                                             ? 0
                                             : -1};
    if (!c.name) return 0;
    if (!(s->connectors = grow_list(r, s->connectors, s->n_connectors, sizeof *s->connectors))) return -1;
    s->connectors[s->n_connectors++] = c;
    return 0;
}

/* Read the type of a connector, which may have a unit. */
static void read_type(reader *r, const char *name, const char **a)
{
    ssd_connector *c = &r->s->connectors[r->s->n_connectors - 1];
    c->type = find_type(name);
    c->unit = copy_unit(r, a);
    r->connector = NULL;
}

static int read_root(reader *r, const char *name, const char **a)
{
    static const char *const roots[] = {
        [OF_STRUCTURE] = "SystemStructureDescription", [OF_VALUES] = "ParameterSet", [OF_MAPPING] = "ParameterMapping"};
    const char *version = fmu_attribute(a, "version");
    if (!fmu_are_equal(name, roots[r->kind]))
        return fmu_fail(r->why, "the root is %.60s, not %s", name, roots[r->kind]);
    if (!version || (strncmp(version, "1.", 2) != 0 && strncmp(version, "2.", 2) != 0))
        return fmu_fail(r->why, "version \"%.40s\" is not supported; 1.0 and 2.0 are", version ? version : "");
    if (r->kind == OF_STRUCTURE) r->s->version = fmu_pool_text(r->pool, version);
    return 0;
}

/* Reject unsupported elements that would change the system. */
static int reject_unsupported(const reader *r, const char *name)
{
    static const char *const all[] = {"SignalDictionaryReference", "BooleanMappingTransformation",
                                      "IntegerMappingTransformation", "EnumerationMappingTransformation"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (fmu_are_equal(name, all[i])) return fmu_fail(r->why, "%s within a system is not supported", name);
    return 0;
}

/* Leave the systems, components and bindings that have ended before an element. Return 1 if it is not read. */
static int leave_ended(reader *r, int depth, const char *name)
{
    while (r->n_places > 0 && depth <= r->places[r->n_places - 1].depth) r->n_places--;
    if (r->kind == OF_STRUCTURE && depth <= r->binding_depth) r->binding = -1;
    if (r->skipped > 0 && depth > r->skipped) return 1;
    r->skipped = fmu_are_equal(name, "Annotations") || fmu_are_equal(name, "MetaData") ? depth : 0;
    return r->skipped > 0;
}

/* Read an element of parameter values or of a mapping. Return 0 if it is another one, 1 if it was read, -1 on an
 * error. */
static int read_binding(reader *r, const char *name, const char **a)
{
    if (r->parameter) return add_value(r, name, a) < 0 ? -1 : 1;
    if (fmu_are_equal(name, "Parameter") && r->binding >= 0)
        return (r->parameter = copy_attribute(r, a, "name")) ? 1 : 0;
    if (fmu_are_equal(name, "ParameterMapping")) return begin_mapping(r, a) < 0 ? -1 : 1;
    if (fmu_are_equal(name, "MappingEntry")) return add_entry(r, a) < 0 ? -1 : 1;
    if (fmu_are_equal(name, "LinearTransformation")) return read_transformation(r, a) < 0 ? -1 : 1;
    return 0;
}

static int on_element(void *self, long line, int depth, const char *name, const char **a)
{
    reader *r = self;
    (void)line;
    if (depth == AT_ROOT) return read_root(r, name, a);
    if (leave_ended(r, depth, name)) return 0;
    const int read = read_binding(r, name, a);
    if (read != 0) return read < 0 ? -1 : 0;
    const int is_unit = fmu_units_read(&r->s->units, r->pool, name, a);
    if (is_unit != 0) return is_unit > 0 ? 0 : fmu_no_memory(r->why);
    if (r->kind != OF_STRUCTURE) return reject_unsupported(r, name);
    if (fmu_are_equal(name, "System")) return add_system(r, depth, a);
    if (fmu_are_equal(name, "Component")) return add_component(r, depth, a);
    if (fmu_are_equal(name, "Connection")) return add_connection(r, a);
    if (fmu_are_equal(name, "Connector")) return begin_connector(r, a);
    if (fmu_are_equal(name, "ParameterBinding")) return begin_binding(r, depth, a);
    if (fmu_are_equal(name, "DefaultExperiment") && depth == AT_SYSTEM &&
        (fmu_attribute_double(a, "startTime", &r->s->t0) < 0 || fmu_attribute_double(a, "stopTime", &r->s->t_end) < 0))
        return fmu_fail(r->why, "DefaultExperiment contains an attribute that is not a number");
    if (r->connector && depth > AT_SYSTEM) read_type(r, name, a);
    return reject_unsupported(r, name);
}

/* Read a file of the structure, or of a binding. */
static int read_file(reader *r, fmu_archive *a, const char *name, resida_message *why)
{
    resida_message reason = {""};
    r->why = &reason;
    const int read = fmu_xml_read(a, name, on_element, r, &reason);
    return read < 0 ? fmu_fail(why, "%.100s: %.300s", name, reason.text) : 0;
}

int ssd_read(ssd_structure *s, fmu_archive *a, fmu_pool *pool, resida_message *why)
{
    reader r = {.s = s, .pool = pool, .binding = -1};
    *s = (ssd_structure){.t0 = NAN, .t_end = NAN};
    if (read_file(&r, a, structure_name, why) < 0) return -1;
    for (int i = 0; i < s->n_bindings; i++) {
        const ssd_binding *b = &s->bindings[i];
        r = (reader){.s = s, .pool = pool, .binding = i, .kind = OF_VALUES};
        if (b->values && read_file(&r, a, b->values, why) < 0) return -1;
        r = (reader){.s = s, .pool = pool, .binding = i, .kind = OF_MAPPING};
        if (b->mapping && read_file(&r, a, b->mapping, why) < 0) return -1;
    }
    if (ssd_resolve_values(s, pool, why) < 0) return -1;
    return s->n_systems > 0 ? 0 : fmu_fail(why, "%s: no System", structure_name);
}
