/* description.c - writes modelDescription.xml (fmi-standard.org: FMI 2.0.4, section 2.2; FMI 3.0.1, section 2.4).
 *
 *     parameters    causality parameter, variability fixed, initial exact
 *     excitations   inputs, continuous, start 0, added to those of the model
 *     columns       outputs, continuous, initial calculated
 *
 * Positions and velocities of a mechanism without constraints are states: they depend on no input at the same time. Other
 * outputs may depend on all. */
#include "export.h"

#include "program/base/number.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A writer: the stream, and the number of the next variable, which FMI 2.0 uses in the structure. */
typedef struct writer {
    const cmd_export *e;
    FILE *to;
    int n;
} writer;

static void put_escaped(FILE *to, const char *text)
{
    for (; *text; text++) switch (*text) {
        case '&':
            fputs("&amp;", to);
            break;
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        default:
            putc(*text, to);
        }
}

/** Write an attribute. */
static void put(const writer *w, const char *name, const char *value)
{
    fprintf(w->to, " %s=\"", name);
    put_escaped(w->to, value);
    putc('"', w->to);
}

static void put_number(const writer *w, const char *name, double value)
{
    if (isfinite(value)) put(w, name, cmd_shortest(value));
}

static void put_reference(const writer *w, unsigned reference)
{
    fprintf(w->to, " valueReference=\"%u\"", reference);
}

static int has_unit(const char *unit)
{
    return unit && *unit && strcmp(unit, "-") != 0;
}

/** Return 1 if a parameter is a 32-bit integer. */
static int is_integer(const resida_parameter *p, double value)
{
    return p->whole && fabs(value) <= INT_MAX && fabs(p->value) <= INT_MAX &&
           (!isfinite(p->min) || p->min >= INT_MIN) && (!isfinite(p->max) || p->max <= INT_MAX);
}

/** Return the name of a type in this version of FMI. */
static const char *type_name(const writer *w, const char *in_2, const char *in_3)
{
    return w->e->version == 2 ? in_2 : in_3;
}

/** A variable. */
typedef struct variable {
    const char *name, *text, *unit, *causality, *variability, *initial;
    const char *type, *word; /**< word: start of a text */
    double start, min, max;  /**< NAN: none */
    unsigned reference;
} variable;

static void put_values(const writer *w, const variable *v)
{
    put_number(w, "min", v->min);
    put_number(w, "max", v->max);
    if (has_unit(v->unit)) put(w, "unit", v->unit);
}

/** FMI 2.0 has the type in an element inside, FMI 3.0 as the name of the element. */
static void put_variable(writer *w, const variable *v)
{
    const int is_2 = w->e->version == 2;
    fprintf(w->to, "    <%s", is_2 ? "ScalarVariable" : v->type);
    put(w, "name", v->name);
    put_reference(w, v->reference);
    if (v->text && *v->text) put(w, "description", v->text);
    put(w, "causality", v->causality);
    put(w, "variability", v->variability);
    if (v->initial) put(w, "initial", v->initial);
    if (is_2) fprintf(w->to, "><%s", v->type);
    put_values(w, v);
    if (v->word && is_2) put(w, "start", v->word);
    put_number(w, "start", v->start);
    if (v->word && !is_2) {
        fputs("><Start", w->to);
        put(w, "value", v->word);
        fprintf(w->to, "/></%s>\n", v->type);
    } else {
        fputs(is_2 ? "/></ScalarVariable>\n" : "/>\n", w->to);
    }
    w->n++;
}

static void put_parameters(writer *w)
{
    const cmd_model *m = w->e->model;
    for (int i = 0; i < m->cls->n_parameters; i++) {
        const resida_parameter *p = &m->cls->parameters[i];
        const int is_whole = !p->word && is_integer(p, m->values[i].number);
        put_variable(w, &(variable){.name = p->name,
                                    .text = p->text,
                                    .unit = p->word || is_whole ? NULL : p->unit,
                                    .causality = "parameter",
                                    .variability = "fixed",
                                    .initial = "exact",
                                    .type = p->word    ? "String"
                                            : is_whole ? type_name(w, "Integer", "Int32")
                                                       : type_name(w, "Real", "Float64"),
                                    .word = p->word ? w->e->words[i] : NULL,
                                    .start = p->word ? NAN : m->values[i].number,
                                    .min = p->word ? NAN : p->min,
                                    .max = p->word ? NAN : p->max,
                                    .reference = FMU_GROUP_PARAMETER * FMU_GROUP + (unsigned)i});
    }
}

static void put_inputs(writer *w)
{
    enum { NAME = 160 };
    const resida_model *m = &w->e->model->model;
    const int n = m->is_dae ? m->dae.n_u : m->mechanism.n_u;
    for (int i = 0; i < n; i++) {
        char name[NAME];
        if (m->excitation_names && m->excitation_names[i])
            snprintf(name, sizeof name, "u.%s", m->excitation_names[i]);
        else
            snprintf(name, sizeof name, "u[%d]", i);
        put_variable(w, &(variable){.name = name,
                                    .text = "added to this excitation of the model",
                                    .causality = "input",
                                    .variability = "continuous",
                                    .type = type_name(w, "Real", "Float64"),
                                    .start = 0,
                                    .min = NAN,
                                    .max = NAN,
                                    .reference = FMU_GROUP_INPUT * FMU_GROUP + (unsigned)i});
    }
}

unsigned cmd_export_reference(const cmd_place_of *of)
{
    static const fmu_group groups[] = {FMU_GROUP_P, FMU_GROUP_V,  FMU_GROUP_A,  FMU_GROUP_LAM,
                                       FMU_GROUP_Y, FMU_GROUP_YP, FMU_GROUP_OUT};
    return groups[of->quantity] * FMU_GROUP + (unsigned)of->i;
}

static void put_outputs(writer *w)
{
    const cmd_columns *c = &w->e->columns;
    for (int i = 0; i < c->n; i++)
        put_variable(w, &(variable){.name = c->names[i],
                                    .unit = c->units[i],
                                    .causality = "output",
                                    .variability = "continuous",
                                    .initial = "calculated",
                                    .type = type_name(w, "Real", "Float64"),
                                    .start = NAN,
                                    .min = NAN,
                                    .max = NAN,
                                    .reference = cmd_export_reference(&c->of[i])});
}

static void put_time(writer *w)
{
    put_variable(w, &(variable){.name = "time",
                                .unit = "s",
                                .causality = "independent",
                                .variability = "continuous",
                                .type = type_name(w, "Real", "Float64"),
                                .start = NAN,
                                .min = NAN,
                                .max = NAN,
                                .reference = FMU_GROUP_TIME * FMU_GROUP});
}

/** Write each unit once. */
static void put_units(const writer *w)
{
    const cmd_export *e = w->e;
    const int n_parameters = e->model->cls->n_parameters, n = n_parameters + e->columns.n + 1;
    const char **units = calloc((size_t)n, sizeof *units);
    int used = 0;
    for (int i = 0; units && i < n; i++) {
        const char *unit = i < n_parameters ? e->model->cls->parameters[i].unit
                           : i < n - 1      ? e->columns.units[i - n_parameters]
                                            : "s";
        int k = 0;
        while (k < used && has_unit(unit) && strcmp(units[k], unit) != 0) k++;
        if (has_unit(unit) && k == used) units[used++] = unit;
    }
    fputs("  <UnitDefinitions>\n", w->to);
    for (int k = 0; k < used; k++) {
        fputs("    <Unit", w->to);
        put(w, "name", units[k]);
        fputs("/>\n", w->to);
    }
    fputs("  </UnitDefinitions>\n", w->to);
    free(units);
}

/** Return 1 if an output is a state, which no input changes at the same time. */
static int is_state(const cmd_export *e, const cmd_place_of *of)
{
    const resida_mechanism *d = &e->model->model.mechanism;
    return (of->quantity == CMD_OF_P || of->quantity == CMD_OF_V) && d->n_g + d->n_h == 0;
}

/** Write the unknowns: outputs, and the same as unknowns of the initialization. */
static void put_unknowns(const writer *w, const char *element, int first, int is_initial)
{
    const cmd_columns *c = &w->e->columns;
    for (int i = 0; i < c->n; i++) {
        fprintf(w->to, "    <%s", element);
        if (w->e->version == 2)
            fprintf(w->to, " index=\"%d\"", first + i);
        else
            put_reference(w, cmd_export_reference(&c->of[i]));
        if (!is_initial && is_state(w->e, &c->of[i])) put(w, "dependencies", "");
        fputs("/>\n", w->to);
    }
}

static void put_structure(const writer *w, int first)
{
    const int is_2 = w->e->version == 2, has_any = w->e->columns.n > 0;
    fputs("  <ModelStructure>\n", w->to);
    if (is_2 && has_any) fputs("  <Outputs>\n", w->to);
    put_unknowns(w, is_2 ? "Unknown" : "Output", first, 0);
    if (is_2 && has_any) fputs("  </Outputs>\n  <InitialUnknowns>\n", w->to);
    put_unknowns(w, is_2 ? "Unknown" : "InitialUnknown", first, 1);
    if (is_2 && has_any) fputs("  </InitialUnknowns>\n", w->to);
    fputs("  </ModelStructure>\n", w->to);
}

static void put_capabilities(const writer *w)
{
    const cmd_export *e = w->e;
    const resida_model *m = &e->model->model;
    const char *saves = !m->event || m->state_is_all ? "true" : "false";
    fputs("  <CoSimulation", w->to);
    put(w, "modelIdentifier", e->identifier);
    put(w, "needsExecutionTool", "false");
    put(w, "canHandleVariableCommunicationStepSize", "true");
    put(w, "canBeInstantiatedOnlyOncePerProcess", "false");
    put(w, e->version == 2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState", saves);
    put(w, e->version == 2 ? "canSerializeFMUstate" : "canSerializeFMUState", saves);
    if (e->version == 2) {
        put(w, "canInterpolateInputs", "true");
        put(w, "canNotUseMemoryManagementFunctions", "true");
    }
    fputs("/>\n", w->to);
}

static void put_experiment(const writer *w)
{
    const cmd_job *job = w->e->job;
    resida_solver_options o;
    cmd_job_options(job, &o);
    fputs("  <DefaultExperiment", w->to);
    put_number(w, "startTime", job->model->model.t0);
    put_number(w, "stopTime", job->t_end);
    put_number(w, "tolerance", o.rtol);
    put_number(w, "stepSize", job->grid.step);
    fputs("/>\n", w->to);
}

void cmd_export_describe(const cmd_export *e, FILE *to)
{
    static const char categories[] = "  <LogCategories><Category name=\"logStatusWarning\"/><Category "
                                     "name=\"logStatusDiscard\"/><Category name=\"logStatusError\"/></LogCategories>\n";
    writer w = {.e = e, .to = to, .n = 1};
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription", to);
    put(&w, "fmiVersion", e->version == 2 ? "2.0" : "3.0");
    put(&w, "modelName", e->model->cls->name);
    put(&w, e->version == 2 ? "guid" : "instantiationToken", e->token);
    if (e->model->cls->text) put(&w, "description", e->model->cls->text);
    fprintf(to, " generationTool=\"resida %s\"", resida_version());
    put(&w, "variableNamingConvention", "flat");
    fputs(">\n", to);
    put_capabilities(&w);
    put_units(&w);
    fputs(categories, to);
    put_experiment(&w);
    fputs("  <ModelVariables>\n", to);
    put_time(&w);
    put_parameters(&w);
    put_inputs(&w);
    const int first = w.n;
    put_outputs(&w);
    fputs("  </ModelVariables>\n", to);
    put_structure(&w, first);
    fputs("</fmiModelDescription>\n", to);
}
