/* table.c - the parameters of an FMU's class: parameters of the FMU, inputs, which are constant unless a file has
 * them, and start values of states. Each element of an array is a parameter. Structural parameters keep their start
 * values. */
#include "file.h"

#include "adapters/fmu/base/fail.h"
#include "adapters/fmu/base/pool.h"
#include "adapters/fmu/base/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_STEPS = 100 };

/* Range of each type. */
static const struct {
    double least, largest;
} ranges[] = {[FMU_FLOAT64] = {-INFINITY, INFINITY},
              [FMU_STRING] = {0, 0},
#define RANGE(constant, name, type, least, largest) [constant] = {least, largest},
              FMU_CONVERTED(RANGE)};

static int is_settable(const fmu_variable *v)
{
    if (v->type == FMU_OTHER || v->is_constant || v->is_calculated || !v->start) return 0;
    if (v->type == FMU_STRING && v->n_dimensions > 0) return 0;
    return v->causality == FMU_PARAMETER || v->causality == FMU_INPUT || (v->is_state && v->causality == FMU_LOCAL);
}

/* Return a text, or `otherwise` if the text is empty or blank. */
static const char *get_text_or_default(const char *text, const char *otherwise)
{
    return text && text[strspn(text, " ")] ? text : otherwise;
}

/* Create a numeric parameter. A start value outside of min and max widens the range. */
static resida_parameter make_number_parameter(const fmu_variable *v, double value)
{
    const double least = ranges[v->type].least, largest = ranges[v->type].largest;
    resida_parameter p = {.value = value, .whole = v->type > FMU_FLOAT32, .min = least, .max = largest};
    if (v->min > least) p.min = fmin(p.whole ? ceil(v->min) : v->min, value);
    if (v->max < largest) p.max = fmax(p.whole ? floor(v->max) : v->max, value);
    return p;
}

/* Add a parameter to the class. @return 0, or -1 if there is no memory */
static int append_parameter(fmu_file *f, resida_parameter p, fmu_target target)
{
    const size_t n = (size_t)f->n_parameters;
    f->parameters = fmu_pool_grow(&f->about.pool, f->parameters, n, sizeof *f->parameters);
    f->targets = fmu_pool_grow(&f->about.pool, f->targets, n, sizeof *f->targets);
    if (!f->parameters || !f->targets || !p.name) return -1;
    f->parameters[n] = p;
    f->targets[n] = target;
    f->n_parameters++;
    return 0;
}

/* Add the elements of a variable as parameters. Return 0, also if the variable is omitted; -1 if memory is
 * exhausted. */
static int add_variable(fmu_file *f, const fmu_variable *v)
{
    fmu_pool *pool = &f->about.pool;
    const char *list = v->start, *kind = v->causality == FMU_PARAMETER ? "parameter"
                                         : v->causality == FMU_INPUT   ? "input, held"
                                                                       : "start value";
    double value = NAN;
    for (int k = 0; k < v->size; k++) {
        if (v->type != FMU_STRING && fmu_next_double(&list, &value) < 0) return 0;
        const int is_whole = v->type > FMU_FLOAT32;
        if (v->type != FMU_STRING && (!isfinite(value) || value < ranges[v->type].least ||
                                      value > ranges[v->type].largest || (is_whole && floor(value) != value)))
            return 0; /* no valid start value, so that the FMU keeps its own */
        char element[FMU_ELEMENT];
        fmu_element_name(v, k, element);
        resida_parameter p = make_number_parameter(v, value);
        p.name = fmu_pool_format(pool, "%s%s", v->name, element);
        p.unit = get_text_or_default(v->unit, "-");
        p.text = get_text_or_default(v->text, kind);
        if (v->type == FMU_STRING) p.word = v->start;
        if (append_parameter(f, p, (fmu_target){.variable = v, .element = k}) < 0) return -1;
    }
    return 0;
}

const char *fmu_table_name(fmu_file *f, const char *name)
{
    const char *own = fmu_pool_text(&f->about.pool, name);
    for (int i = 0; own && i < f->about.n_variables; i++)
        if (strcmp(f->about.variables[i].name, own) == 0) {
            own = fmu_pool_format(&f->about.pool, "%s_", own);
            i = -1;
        }
    return own;
}

/* Add the parameter that enables the DAE. */
static int add_dae_parameter(fmu_file *f)
{
    const fmu_variable *v =
        f->manifest.is_there && f->manifest.has_enable ? fmu_variable_find(&f->about, f->manifest.enable) : NULL;
    if (!v || v->type != FMU_BOOLEAN) return 0;
    const char *text = get_text_or_default(v->text, "1: as a DAE, by its residuals; 0: as x' = f(t, x)");
    const resida_parameter p = {.name = v->name, .value = 1, .max = 1, .whole = 1, .unit = "-", .text = text};
    return append_parameter(f, p, (fmu_target){NULL, 0});
}

/* Return the step of the default experiment, or a hundredth of its length. */
double fmu_table_step(const fmu_description *d)
{
    const double t0 = isfinite(d->t0) ? d->t0 : 0, length = isfinite(d->t_end) && d->t_end > t0 ? d->t_end - t0 : 1;
    return isfinite(d->step_size) && d->step_size > 0 ? d->step_size : length / USUAL_STEPS;
}

int fmu_type_is_long(fmu_type type)
{
    return type == FMU_INT64 || type == FMU_UINT64;
}

int fmu_type_holds(fmu_type type, double value)
{
    return value >= ranges[type].least && value <= ranges[type].largest &&
           (type <= FMU_FLOAT32 || floor(value) == value);
}

int fmu_table_make(fmu_file *f, resida_message *why)
{
    int made = add_dae_parameter(f);
    for (int i = 0; made == 0 && i < f->about.n_variables; i++)
        if (is_settable(&f->about.variables[i])) made = add_variable(f, &f->about.variables[i]);
    return made < 0 ? fmu_no_memory(why) : 0;
}
