/* description.c - writes modelDescription.xml (fmi-standard.org: FMI 2.0.4, section 2.2; FMI 3.0.1, section 2.4).
 *
 *     parameters    causality parameter, variability fixed, initial exact
 *     excitations   inputs, continuous, start 0, added to those of the model
 *     columns       outputs, continuous, initial calculated
 *
 * Positions and velocities of a mechanism without constraints are states: they depend on no input at the same time.
 * Other outputs may depend on all. */
#include "export.h"

#include "program/base/number.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 160 };

static void put_escaped(FILE *to, const char *text)
{
    static const char special[] = "&<>\"";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (const char *found; *text; text++)
        if ((found = strchr(special, *text)))
            fputs(names[found - special], to);
        else
            putc(*text, to);
}

/** Write a format with %s (a text, escaped), %u (unsigned), %g (double, shortest digits). */
static void put(FILE *to, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    for (const char *c = format; *c; c++) {
        if (*c != '%')
            putc(*c, to);
        else if (*++c == 's')
            put_escaped(to, va_arg(rest, const char *));
        else if (*c == 'u')
            fprintf(to, "%u", va_arg(rest, unsigned));
        else
            fputs(cmd_format_shortest(va_arg(rest, double)), to);
    }
    va_end(rest);
}

static int has_unit(const char *unit)
{
    return unit && *unit && strcmp(unit, "-") != 0;
}

typedef enum kind { REAL, INTEGER, TEXT } kind;

/** A variable. */
typedef struct variable {
    kind kind;
    unsigned reference;
    const char *name, *text, *attributes, *unit;
    double start, min, max; /**< NAN or infinite: none */
    const char *word;       /**< start of a text */
} variable;

/** Write a variable. FMI 2.0 has the type in an element inside, FMI 3.0 as the name of the element. */
static void put_variable(const cmd_export *e, FILE *to, const variable *v)
{
    static const char *const types[2][3] = {{"Real", "Integer", "String"}, {"Float64", "Int32", "String"}};
    const int is_2 = e->version == 2;
    const char *type = types[e->version - 2][v->kind];
    fprintf(to, "    <%s", is_2 ? "ScalarVariable" : type);
    put(to, " name=\"%s\" valueReference=\"%u\"", v->name, v->reference);
    if (v->text && *v->text) put(to, " description=\"%s\"", v->text);
    fprintf(to, " %s%s%s", v->attributes, is_2 ? "><" : "", is_2 ? type : "");
    if (isfinite(v->min)) put(to, " min=\"%g\"", v->min);
    if (isfinite(v->max)) put(to, " max=\"%g\"", v->max);
    if (v->kind == REAL && has_unit(v->unit)) put(to, " unit=\"%s\"", v->unit);
    if (isfinite(v->start)) put(to, " start=\"%g\"", v->start);
    if (v->word) put(to, is_2 ? " start=\"%s\"" : "><Start value=\"%s\"/></String", v->word);
    fputs(is_2 ? "/></ScalarVariable>\n" : v->word ? ">\n" : "/>\n", to);
}

/** A number is an integer of 32 bits, if the parameter and its range are. */
static kind kind_of(const resida_parameter *p, double value)
{
    if (p->word) return TEXT;
    const int is_integer = p->whole && fabs(value) <= INT_MAX && (!isfinite(p->min) || fabs(p->min) <= INT_MAX) &&
                           (!isfinite(p->max) || fabs(p->max) <= INT_MAX);
    return is_integer ? INTEGER : REAL;
}

static const char parameter[] = "causality=\"parameter\" variability=\"fixed\" initial=\"exact\"";
static const char input[] = "causality=\"input\" variability=\"continuous\"";
static const char output[] = "causality=\"output\" variability=\"continuous\" initial=\"calculated\"";
static const char independent[] = "causality=\"independent\" variability=\"continuous\"";

static void put_parameters(const cmd_export *e, FILE *to)
{
    const resida_model_class *cls = e->job->model->cls;
    for (int i = 0; i < cls->n_parameters; i++) {
        const resida_parameter *p = &cls->parameters[i];
        const double x = e->packed.values[i];
        const unsigned reference = FMU_GROUP_PARAMETER * FMU_GROUP + (unsigned)i;
        variable v = {kind_of(p, x), reference, p->name, p->text, parameter, p->unit, x, p->min, p->max, NULL};
        if (p->word) v.start = v.min = v.max = NAN, v.word = e->packed.texts[i];
        put_variable(e, to, &v);
    }
}

static const char *get_unit_of_input(const cmd_export *e, int i)
{
    const char *const *units = e->job->model->model.excitation_units;
    return units ? units[i] : NULL;
}

static void put_inputs(const cmd_export *e, FILE *to)
{
    const resida_model *m = &e->job->model->model;
    for (int i = 0; i < e->packed.head.sizes.n_u; i++) {
        char name[NAME];
        const unsigned reference = FMU_GROUP_INPUT * FMU_GROUP + (unsigned)i;
        const char *unit = get_unit_of_input(e, i);
        const variable v = {REAL, reference, name, "added to that of the model", input, unit, 0, NAN, NAN, NULL};
        if (m->excitation_names && m->excitation_names[i])
            snprintf(name, sizeof name, "u.%s", m->excitation_names[i]);
        else
            snprintf(name, sizeof name, "u[%d]", i);
        put_variable(e, to, &v);
    }
}

static unsigned reference_of(const cmd_place_of *of)
{
    static const fmu_group groups[] = {FMU_GROUP_P, FMU_GROUP_V,  FMU_GROUP_A,  FMU_GROUP_LAM,
                                       FMU_GROUP_Y, FMU_GROUP_YP, FMU_GROUP_OUT};
    return groups[of->quantity] * FMU_GROUP + (unsigned)of->i;
}

static void put_variables(const cmd_export *e, FILE *to)
{
    const cmd_columns *c = &e->columns;
    const variable time = {REAL, FMU_GROUP_TIME * FMU_GROUP, "time", NULL, independent, "s", NAN, NAN, NAN, NULL};
    fputs("  <ModelVariables>\n", to);
    put_variable(e, to, &time);
    put_parameters(e, to);
    put_inputs(e, to);
    for (int i = 0; i < c->n; i++) {
        const unsigned reference = reference_of(&c->of[i]);
        const variable v = {REAL, reference, c->names[i], NULL, output, c->units[i], NAN, NAN, NAN, NULL};
        put_variable(e, to, &v);
    }
    fputs("  </ModelVariables>\n", to);
}

/** Write each unit once: that of time, of parameters, of outputs, and of inputs. */
static void put_units(const cmd_export *e, FILE *to)
{
    const resida_model_class *cls = e->job->model->cls;
    const int before_inputs = 1 + cls->n_parameters + e->columns.n, n = before_inputs + e->packed.head.sizes.n_u;
    const char **units = calloc((size_t)n, sizeof *units);
    fputs("  <UnitDefinitions>\n", to);
    for (int i = 0; units && i < n; i++) {
        int k = 0;
        units[i] = i == 0                   ? "s"
                   : i <= cls->n_parameters ? cls->parameters[i - 1].unit
                   : i < before_inputs      ? e->columns.units[i - 1 - cls->n_parameters]
                                            : get_unit_of_input(e, i - before_inputs);
        if (!has_unit(units[i])) units[i] = "";
        while (strcmp(units[k], units[i]) != 0) k++;
        if (k == i && *units[i]) put(to, "    <Unit name=\"%s\"/>\n", units[i]);
    }
    fputs("  </UnitDefinitions>\n", to);
    free(units);
}

/** Write the outputs as unknowns. FMI 2.0 has the number of the variable, FMI 3.0 its reference. */
static void put_unknowns(const cmd_export *e, FILE *to, const char *element, int is_initial)
{
    const cmd_columns *c = &e->columns;
    const fmu_packed_sizes *s = &e->packed.head.sizes;
    const unsigned before = 2 + (unsigned)(e->packed.head.n_parameters + s->n_u);
    for (int i = 0; i < c->n; i++) {
        const cmd_quantity q = c->of[i].quantity;
        const int is_state = (q == CMD_OF_P || q == CMD_OF_V) && s->n_lam == 0;
        fprintf(to, "    <%s", element);
        put(to, e->version == 2 ? " index=\"%u\"" : " valueReference=\"%u\"",
            e->version == 2 ? before + (unsigned)i : reference_of(&c->of[i]));
        fputs(is_state && !is_initial ? " dependencies=\"\"/>\n" : "/>\n", to);
    }
}

static void put_structure(const cmd_export *e, FILE *to)
{
    fputs("  <ModelStructure>\n", to);
    if (e->version == 3) {
        put_unknowns(e, to, "Output", 0);
        put_unknowns(e, to, "InitialUnknown", 1);
    } else if (e->columns.n > 0) {
        fputs("  <Outputs>\n", to);
        put_unknowns(e, to, "Unknown", 0);
        fputs("  </Outputs>\n  <InitialUnknowns>\n", to);
        put_unknowns(e, to, "Unknown", 1);
        fputs("  </InitialUnknowns>\n", to);
    }
    fputs("  </ModelStructure>\n", to);
}

static void put_capabilities(const cmd_export *e, FILE *to)
{
    const resida_model *m = &e->job->model->model;
    const int has_derivatives = !m->is_dae && e->packed.head.sizes.n_u > 0;
    const char *saves = !m->event || m->state_is_all ? "true" : "false", *state = e->version == 2 ? "state" : "State";
    put(to, "  <CoSimulation modelIdentifier=\"%s\" needsExecutionTool=\"false\"", e->identifier);
    put(to, " canHandleVariableCommunicationStepSize=\"true\" canBeInstantiatedOnlyOncePerProcess=\"false\"");
    put(to, " canGetAndSetFMU%s=\"%s\" canSerializeFMU%s=\"%s\"", state, saves, state, saves);
    if (has_derivatives) put(to, " providesDirectionalDerivative%s=\"true\"", e->version == 2 ? "" : "s");
    if (e->version == 2) put(to, " canInterpolateInputs=\"true\" canNotUseMemoryManagementFunctions=\"true\"");
    fputs("/>\n", to);
}

void cmd_export_describe(const cmd_export *e, FILE *to)
{
    static const char categories[] = "  <LogCategories><Category name=\"logStatusWarning\"/><Category "
                                     "name=\"logStatusDiscard\"/><Category name=\"logStatusError\"/></LogCategories>\n";
    const cmd_job *job = e->job;
    const resida_model_class *cls = job->model->cls;
    put(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%s\" modelName=\"%s\"",
        e->version == 2 ? "2.0" : "3.0", cls->name);
    put(to, " %s=\"%s\" description=\"%s\"", e->version == 2 ? "guid" : "instantiationToken", e->packed.head.token,
        cls->text ? cls->text : "");
    put(to, " generationTool=\"resida %s\" variableNamingConvention=\"flat\">\n", resida_version());
    put_capabilities(e, to);
    put_units(e, to);
    fputs(categories, to);
    put(to, "  <DefaultExperiment startTime=\"%g\" stopTime=\"%g\" tolerance=\"%g\" stepSize=\"%g\"/>\n",
        job->model->model.t0, job->t_end, e->packed.head.solver.rtol, job->grid.step);
    put_variables(e, to);
    put_structure(e, to);
    fputs("</fmiModelDescription>\n", to);
}
