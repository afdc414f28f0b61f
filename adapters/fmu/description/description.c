/* description.c - reads modelDescription.xml, element by element.
 *
 * In FMI 3.0 the name of the element of a variable is its type. In FMI 2.0 the element is ScalarVariable and contains
 * an element for its type; the model structure contains numbers of variables, from 1, instead of references. */
#include "description.h"

#include "adapters/fmu/base/fail.h"
#include "adapters/fmu/base/xml.h"

#include <math.h>
#include <string.h>

enum { AT_ROOT = 1, AT_SECTION, AT_ENTRY, AT_DETAIL };
#define MAX_VARIABLES  1000000
#define MAX_INDICATORS 100000.0

/* State of the reader. */
typedef struct reader {
    fmu_description *d;
    resida_message *why;
    long line;             /* line of the element */
    char section[32];      /* element of depth 2 */
    char group[32];        /* element of depth 3 */
    fmu_variable *current; /* variable of depth 3; NULL: none */
    fmu_declared *type;    /* declared type of depth 3; NULL: none */
} reader;

static const struct {
    const char *name;
    fmu_type type;
} types[] = {{"Float64", FMU_FLOAT64}, {"String", FMU_STRING},     {"Binary", FMU_OTHER},
             {"Clock", FMU_OTHER},     {"Enumeration", FMU_INT64},
#define NAMED(constant, name, ...) {#name, constant},
             FMU_CONVERTED(NAMED)};

/* Return the type with this name, or -1. */
static int find_type(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0) return (int)types[i].type;
    return -1;
}

/* Read min, max and nominal of a variable or a type. */
static int read_limits(const reader *r, const char **attributes, double *min, double *max, double *nominal)
{
    *min = *max = *nominal = NAN;
    if (fmu_attribute_double(attributes, "min", min) < 0 || fmu_attribute_double(attributes, "max", max) < 0 ||
        fmu_attribute_double(attributes, "nominal", nominal) < 0)
        return fmu_fail(r->why, "min, max or nominal is not a number");
    return 0;
}

static int read_root(reader *r, const char *name, const char **a)
{
    fmu_description *d = r->d;
    const char *version = fmu_attribute(a, "fmiVersion");
    if (!fmu_are_equal(name, "fmiModelDescription"))
        return fmu_fail(r->why, "the root is %.60s, not fmiModelDescription", name);
    if (!version) return fmu_fail(r->why, "no fmiVersion");
    if (fmu_are_equal(version, "2.0"))
        d->version = 2;
    else if (strncmp(version, "3.", 2) == 0)
        d->version = 3;
    else
        return fmu_fail(r->why, "fmiVersion \"%.40s\" is not supported; 2.0 and 3.0 are", version);
    d->name = fmu_pool_text(&d->pool, fmu_attribute(a, "modelName"));
    d->text = fmu_pool_text(&d->pool, fmu_attribute(a, "description"));
    d->tool = fmu_pool_text(&d->pool, fmu_attribute(a, "generationTool"));
    d->token = fmu_pool_text(&d->pool, fmu_attribute(a, d->version == 2 ? "guid" : "instantiationToken"));
    if (!d->token) return fmu_fail(r->why, "no %s", d->version == 2 ? "guid" : "instantiationToken");
    double n = 0;
    if (fmu_attribute_double(a, "numberOfEventIndicators", &n) < 0 || !(n >= 0 && n <= MAX_INDICATORS) || floor(n) != n)
        return fmu_fail(r->why, "numberOfEventIndicators is not a valid number");
    d->n_indicators = d->version == 2 ? (int)n : 0;
    return 0;
}

/* Read the attributes that both interfaces have. */
static void read_common(fmu_description *d, const char **a, int by_steps)
{
    d->only_once |= fmu_attribute_flag(a, "canBeInstantiatedOnlyOncePerProcess");
    d->goes_back[by_steps] = fmu_attribute_flag(a, d->version == 2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
    d->serializes[by_steps] = fmu_attribute_flag(a, d->version == 2 ? "canSerializeFMUstate" : "canSerializeFMUState");
}

static int read_exchange(reader *r, const char **a)
{
    fmu_description *d = r->d;
    const int is_2 = d->version == 2;
    d->identifier = fmu_pool_text(&d->pool, fmu_attribute(a, "modelIdentifier"));
    if (!d->identifier) return fmu_fail(r->why, "ModelExchange has no modelIdentifier");
    d->has_derivatives =
        fmu_attribute_flag(a, is_2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives");
    read_common(d, a, 0);
    d->needs_steps = is_2 ? !fmu_attribute_flag(a, "completedIntegratorStepNotNeeded")
                          : fmu_attribute_flag(a, "needsCompletedIntegratorStep");
    if (fmu_attribute_flag(a, "needsExecutionTool"))
        return fmu_fail(r->why, "it needs the tool that created it (needsExecutionTool), which is not supported");
    return 0;
}

static int read_steps(reader *r, const char **a)
{
    fmu_description *d = r->d;
    d->steps_in_tool = fmu_attribute_flag(a, "needsExecutionTool");
    if (d->steps_in_tool) return 0;
    d->stepper = fmu_pool_text(&d->pool, fmu_attribute(a, "modelIdentifier"));
    if (!d->stepper) return fmu_fail(r->why, "CoSimulation has no modelIdentifier");
    d->has_event_mode = fmu_attribute_flag(a, "hasEventMode");
    d->has_any_step = fmu_attribute_flag(a, "canHandleVariableCommunicationStepSize");
    d->takes_rates = d->version == 2 && fmu_attribute_flag(a, "canInterpolateInputs");
    read_common(d, a, 1);
    return 0;
}

static int read_section(reader *r, const char *name, const char **a)
{
    fmu_description *d = r->d;
    strncpy(r->section, name, sizeof r->section - 1);
    r->group[0] = 0;
    if (fmu_are_equal(name, "ModelExchange")) return read_exchange(r, a);
    if (fmu_are_equal(name, "CoSimulation")) return read_steps(r, a);
    if (fmu_are_equal(name, "DefaultExperiment") &&
        (fmu_attribute_double(a, "startTime", &d->t0) < 0 || fmu_attribute_double(a, "stopTime", &d->t_end) < 0 ||
         fmu_attribute_double(a, "stepSize", &d->step_size) < 0 ||
         fmu_attribute_double(a, "tolerance", &d->tolerance) < 0))
        return fmu_fail(r->why, "DefaultExperiment contains an attribute that is not a number");
    return 0;
}

/* Check that a start value is a list of numbers or Booleans. */
static int check_start(const reader *r, const fmu_variable *v)
{
    const char *list = v->start;
    double value;
    int got = 1;
    while (list && v->type < FMU_STRING && (got = fmu_next_double(&list, &value)) > 0) {
    }
    return got < 0 ? fmu_fail(r->why, "variable %.100s: start = \"%.60s\" is not a number", v->name, v->start) : 0;
}

/* Read the attributes of a variable that depend on its type. */
static int read_value(reader *r, const char **a, fmu_variable *v)
{
    fmu_pool *pool = &r->d->pool;
    v->start = fmu_pool_text(pool, fmu_attribute(a, "start"));
    v->unit = fmu_pool_text(pool, fmu_attribute(a, "unit"));
    v->declared = fmu_pool_text(pool, fmu_attribute(a, "declaredType"));
    if (read_limits(r, a, &v->min, &v->max, &v->nominal) < 0) return -1;
    const int found = fmu_attribute_reference(a, "derivative", &v->state);
    if (found < 0)
        return fmu_fail(r->why, "variable %.100s: the variable of its attribute derivative does not exist", v->name);
    v->is_derivative = found;
    return check_start(r, v);
}

static fmu_causality find_causality(const char *word)
{
    return fmu_are_equal(word, "parameter")             ? FMU_PARAMETER
           : fmu_are_equal(word, "structuralParameter") ? FMU_STRUCTURAL
           : fmu_are_equal(word, "input")               ? FMU_INPUT
           : fmu_are_equal(word, "independent")         ? FMU_INDEPENDENT
                                                        : FMU_LOCAL;
}

/* Check that an attribute is missing or one of the listed words. */
static int check_word(const reader *r, const fmu_variable *v, const char **a, const char *attribute,
                      const char *const *words)
{
    const char *word = fmu_attribute(a, attribute);
    while (word && *words && strcmp(*words, word) != 0) words++;
    return !word || *words ? 0 : fmu_fail(r->why, "variable %.100s: %s = \"%.60s\"", v->name, attribute, word);
}

static int check_words(const reader *r, const fmu_variable *v, const char **a)
{
    static const char *const causalities[] = {"parameter",   "calculatedParameter", "input", "output", "local",
                                              "independent", "structuralParameter", NULL},
                             *const variabilities[] = {"constant", "fixed", "tunable", "discrete", "continuous", NULL},
                             *const initials[] = {"exact", "approx", "calculated", NULL};
    if (check_word(r, v, a, "causality", causalities) < 0 || check_word(r, v, a, "variability", variabilities) < 0)
        return -1;
    return check_word(r, v, a, "initial", initials);
}

static int read_variable(reader *r, const char *name, const char **a)
{
    fmu_description *d = r->d;
    const int type = d->version == 2 ? (fmu_are_equal(name, "ScalarVariable") ? FMU_OTHER : -1) : find_type(name);
    if (type < 0) return 0; /* unknown elements are ignored */
    if (d->n_variables == MAX_VARIABLES) return fmu_fail(r->why, "more than %d variables", MAX_VARIABLES);
    fmu_variable *v = r->current = FMU_POOL_ADD(&d->pool, d->variables, d->n_variables);
    if (!v) return fmu_no_memory(r->why);
    *v = (fmu_variable){.type = (fmu_type)type, .min = NAN, .max = NAN, .nominal = NAN, .size = 1};
    v->name = fmu_pool_text(&d->pool, fmu_attribute(a, "name"));
    v->text = fmu_pool_text(&d->pool, fmu_attribute(a, "description"));
    if (!v->name || !*v->name) return fmu_fail(r->why, "variable %d has no name", d->n_variables);
    v->line = r->line;
    const int found = fmu_attribute_reference(a, "valueReference", &v->reference);
    if (found != 1)
        return fmu_fail(r->why, "variable %.100s has %s", v->name,
                        found < 0 ? "an invalid valueReference" : "no valueReference");
    if (check_words(r, v, a) < 0) return -1;
    v->causality = find_causality(fmu_attribute(a, "causality"));
    v->is_output = fmu_are_equal(fmu_attribute(a, "causality"), "output");
    v->is_constant = fmu_are_equal(fmu_attribute(a, "variability"), "constant");
    v->is_discrete = fmu_are_equal(fmu_attribute(a, "variability"), "discrete");
    v->is_calculated = fmu_are_equal(fmu_attribute(a, "initial"), "calculated");
    v->is_tunable = fmu_are_equal(fmu_attribute(a, "variability"), "tunable");
    v->is_fixed = v->is_constant || v->is_tunable || fmu_are_equal(fmu_attribute(a, "variability"), "fixed");
    return d->version == 2 ? 0 : read_value(r, a, v);
}

/* Add a second name of the last variable. */
static int read_alias(reader *r, const char **a)
{
    fmu_description *d = r->d;
    const fmu_alias alias = {fmu_pool_text(&d->pool, fmu_attribute(a, "name")), d->n_variables - 1};
    if (!alias.name || !*alias.name)
        return fmu_fail(r->why, "variable %.100s has an alias without a name", r->current->name);
    fmu_alias *added = FMU_POOL_ADD(&d->pool, d->aliases, d->n_aliases);
    if (added) *added = alias;
    return added ? 0 : fmu_no_memory(r->why);
}

/* Read an element within a variable: an alias, a dimension, the start of a text; in FMI 2.0 its type. */
static int read_detail(reader *r, const char *name, const char **a)
{
    fmu_variable *v = r->current;
    if (r->d->version == 2) {
        const int is_number = fmu_are_equal(name, "Integer") || fmu_are_equal(name, "Enumeration");
        const int type = fmu_are_equal(name, "Real") ? FMU_FLOAT64 : is_number ? FMU_INT32 : find_type(name);
        if (type < 0 || v->type != FMU_OTHER) return 0;
        v->type = (fmu_type)type;
        return read_value(r, a, v);
    }
    if (fmu_are_equal(name, "Alias")) return read_alias(r, a);
    if (fmu_are_equal(name, "Start") && v->type == FMU_STRING)
        v->start = fmu_pool_text(&r->d->pool, fmu_attribute(a, "value"));
    if (!fmu_are_equal(name, "Dimension")) return 0;
    if (v->n_dimensions == FMU_DIMENSIONS)
        return fmu_fail(r->why, "variable %.100s has more than %d dimensions", v->name, FMU_DIMENSIONS);
    fmu_dimension *dimension = &v->dimensions[v->n_dimensions++];
    dimension->is_variable = fmu_attribute_reference(a, "valueReference", &dimension->value) == 1;
    if (dimension->is_variable || fmu_attribute_reference(a, "start", &dimension->value) == 1) return 0;
    return fmu_fail(r->why, "variable %.100s has a dimension without a size", v->name);
}

/* Read the unit and the limits of a type, in FMI 2.0 from an element within it. */
static int read_type_value(reader *r, const char **a)
{
    r->type->unit = fmu_pool_text(&r->d->pool, fmu_attribute(a, "unit"));
    return read_limits(r, a, &r->type->min, &r->type->max, &r->type->nominal);
}

static int read_type(reader *r, const char **a)
{
    fmu_description *d = r->d;
    r->type = FMU_POOL_ADD(&d->pool, d->types, d->n_types);
    if (!r->type) return fmu_no_memory(r->why);
    r->type->name = fmu_pool_text(&d->pool, fmu_attribute(a, "name"));
    return read_type_value(r, a);
}

static int read_item(reader *r, const char **a)
{
    fmu_pool *pool = &r->d->pool;
    fmu_declared *type = r->type;
    const fmu_item item = {fmu_pool_text(pool, fmu_attribute(a, "name")),
                           fmu_pool_text(pool, fmu_attribute(a, "value"))};
    if (!item.name || !item.value) return fmu_fail(r->why, "an item of a type has no name or no value");
    fmu_item *added = FMU_POOL_ADD(pool, type->items, type->n_items);
    if (added) *added = item;
    return added ? 0 : fmu_no_memory(r->why);
}

static int read_structure(reader *r, const char *name, const char **a, int is_listed)
{
    fmu_description *d = r->d;
    uint32_t reference = 0;
    const int is_2 = d->version == 2;
    const char *what = is_2 ? (is_listed ? r->group : "") : name;
    fmu_unknowns *list = fmu_are_equal(what, is_2 ? "Derivatives" : "ContinuousStateDerivative") ? &d->derivatives
                         : fmu_are_equal(what, is_2 ? "Outputs" : "Output")                      ? &d->outputs
                         : !is_2 && fmu_are_equal(what, "EventIndicator")                        ? &d->crossing
                                                                                                 : NULL;
    if (!list) return 0;
    if (fmu_attribute_reference(a, is_2 ? "index" : "valueReference", &reference) != 1)
        return fmu_fail(r->why, "%.60s in ModelStructure does not refer to a variable", name);
    return fmu_unknown_read(&d->pool, list, reference, a, r->why);
}

static int on_element(void *self, long line, int depth, const char *name, const char **a)
{
    reader *r = self;
    r->line = line;
    if (depth == AT_ROOT) return read_root(r, name, a);
    if (depth == AT_SECTION) return read_section(r, name, a);
    if (fmu_are_equal(r->section, "UnitDefinitions") && fmu_units_read(&r->d->units, &r->d->pool, name, a) < 0)
        return fmu_no_memory(r->why);
    if (depth == AT_ENTRY) {
        r->current = NULL;
        r->type = NULL;
        strncpy(r->group, name, sizeof r->group - 1);
        if (fmu_are_equal(r->section, "ModelVariables")) return read_variable(r, name, a);
        if (fmu_are_equal(r->section, "TypeDefinitions")) return read_type(r, a);
        if (fmu_are_equal(r->section, "ModelStructure")) return read_structure(r, name, a, 0);
    }
    if (depth >= AT_DETAIL && r->type && fmu_are_equal(name, "Item")) return read_item(r, a);
    if (depth == AT_DETAIL) {
        if (r->current) return read_detail(r, name, a);
        if (r->type && r->d->version == 2) return read_type_value(r, a);
        if (fmu_are_equal(r->section, "ModelStructure")) return read_structure(r, name, a, 1);
    }
    return 0;
}

int fmu_description_read(fmu_description *d, fmu_archive *a, resida_message *why)
{
    static const char file[] = "modelDescription.xml";
    if (!fmu_archive_find(a, file, "", "")) return fmu_fail(why, "not an FMU: %s is missing in the archive", file);
    resida_message reason = {""};
    reader r = {.d = d, .why = &reason};
    *d = (fmu_description){.t0 = NAN, .t_end = NAN, .tolerance = NAN, .step_size = NAN};
    if (fmu_xml_read(a, file, on_element, &r, &reason) == 0 && fmu_description_link(d, &reason) == 0) return 0;
    return fmu_fail(why, "%s: %.*s", file, (int)(sizeof why->text - sizeof file - 2), reason.text);
}

void fmu_description_free(fmu_description *d)
{
    fmu_pool_free(&d->pool);
    *d = (fmu_description){0};
}
