/* description_link.c - resolves references between the parts of a description. */
#include "description.h"

#include "adapters/fmu/base/fail.h"
#include "adapters/fmu/base/xml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VALUES 10000000 /* max. number of values of an array */

int fmu_unknown_read(fmu_pool *pool, fmu_unknowns *list, uint32_t reference, const char **attributes,
                     resida_message *why)
{
    const char *text = fmu_attribute(attributes, "dependencies");
    fmu_unknown *u = FMU_POOL_ADD(pool, list->of, list->n);
    uint32_t *known = fmu_pool_get(pool, text ? strlen(text) / 2 + 1 : 1, sizeof *known);
    if (!u || !known) return fmu_no_memory(why);
    *u = (fmu_unknown){.reference = reference, .depends_on_all = !text, .known = known};
    int got = 0;
    while (text && (got = fmu_next_reference(&text, &known[u->n])) == 1) u->n++;
    return got < 0 ? fmu_fail(why, "dependencies are not numbers") : 0;
}

/* Return the rank of a variable among those with the same reference. In FMI 2.0 each type has its own references, and a
 * variable may have several names. States precede derivatives, which precede other real variables. */
static int rank_variable(const fmu_variable *v)
{
    enum { STATE, DERIVATIVE, REAL, OTHER };
    return v->type != FMU_FLOAT64 ? OTHER : v->is_state ? STATE : v->is_derivative ? DERIVATIVE : REAL;
}

static int compare_references(const void *a, const void *b)
{
    const fmu_variable *x = *(fmu_variable *const *)a, *y = *(fmu_variable *const *)b;
    if (x->reference != y->reference) return x->reference < y->reference ? -1 : 1;
    const int order = rank_variable(x) - rank_variable(y);
    return order != 0 ? order : (x > y) - (x < y);
}

static int compare_names(const void *a, const void *b)
{
    const fmu_variable *x = *(fmu_variable *const *)a, *y = *(fmu_variable *const *)b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x > y) - (x < y);
}

/* Check that no name is given twice, and sort the variables by reference. */
static int sort_variables(fmu_description *d, resida_message *why)
{
    const size_t n = (size_t)d->n_variables;
    fmu_variable **all = d->by_reference = fmu_pool_get(&d->pool, n, sizeof *all);
    if (!all) return fmu_no_memory(why);
    for (size_t i = 0; i < n; i++) all[i] = &d->variables[i];
    qsort(all, n, sizeof *all, compare_names);
    for (size_t i = 1; i < n; i++)
        if (strcmp(all[i - 1]->name, all[i]->name) == 0)
            return fmu_fail(why, "line %ld: variable %.100s is defined twice, first in line %ld", all[i]->line,
                            all[i]->name, all[i - 1]->line);
    qsort(all, n, sizeof *all, compare_references);
    return 0;
}

/* Check that the listed variables of FMI 3.0 exist. Numbers of FMI 2.0 are checked by convert_number(). */
static int check_listed(const fmu_description *d, const fmu_unknowns *list, resida_message *why)
{
    for (int i = 0; i < list->n; i++)
        if (!fmu_variable_find(d, list->of[i].reference))
            return fmu_fail(why, "ModelStructure refers to variable %lu, which does not exist",
                            (unsigned long)list->of[i].reference);
    return 0;
}

const fmu_variable *fmu_variable_find(const fmu_description *d, uint32_t reference)
{
    int low = 0, high = d->n_variables;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (d->by_reference[middle]->reference < reference)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == d->n_variables) return NULL;
    const fmu_variable *v = d->by_reference[low];
    return v->reference == reference && (d->version == 3 || v->type == FMU_FLOAT64) ? v : NULL;
}

const fmu_variable *fmu_variable_named(const fmu_description *d, const char *name)
{
    for (int i = 0; i < d->n_variables; i++)
        if (strcmp(d->variables[i].name, name) == 0) return &d->variables[i];
    for (int i = 0; i < d->n_aliases; i++)
        if (strcmp(d->aliases[i].name, name) == 0) return &d->variables[d->aliases[i].variable];
    return NULL;
}

const fmu_variable *fmu_unknown_find(const fmu_description *d, const fmu_unknown *u)
{
    return u->number > 0 ? &d->variables[u->number - 1] : fmu_variable_find(d, u->reference);
}

/* Convert a variable number of FMI 2.0, counted from 1, to a reference. */
static int convert_number(const fmu_description *d, uint32_t *number, resida_message *why)
{
    if (*number < 1 || *number > (uint32_t)d->n_variables)
        return fmu_fail(why, "variable %lu does not exist; there are %d", (unsigned long)*number, d->n_variables);
    *number = d->variables[*number - 1].reference;
    return 0;
}

/* Convert the numbers in a list of unknowns to references. Unknowns that are not real are removed. */
static int convert_list(fmu_description *d, fmu_unknowns *list, resida_message *why)
{
    int n = 0;
    for (int i = 0; i < list->n; i++) {
        fmu_unknown u = list->of[i];
        uint32_t *known = fmu_pool_get(&d->pool, (size_t)u.n, sizeof *known);
        if (!known) return fmu_no_memory(why);
        int kept = 0;
        for (int k = 0; k < u.n; k++) {
            const uint32_t number = u.known[k];
            known[kept] = number;
            if (convert_number(d, &known[kept], why) < 0) return -1;
            kept += d->variables[number - 1].type == FMU_FLOAT64; /* others change only at events */
        }
        u.known = known;
        u.n = kept;
        const uint32_t number = u.reference;
        u.number = (int)number;
        if (convert_number(d, &u.reference, why) < 0) return -1;
        if (d->variables[number - 1].type == FMU_FLOAT64) list->of[n++] = u;
    }
    list->n = n;
    return 0;
}

static int convert_all_lists(fmu_description *d, resida_message *why)
{
    for (int i = 0; i < d->n_variables; i++) {
        fmu_variable *v = &d->variables[i];
        const uint32_t number = v->state;
        if (!v->is_derivative) continue;
        if (convert_number(d, &v->state, why) < 0) return -1;
        d->variables[number - 1].is_state = 1;
    }
    return convert_list(d, &d->derivatives, why) < 0 ? -1 : convert_list(d, &d->outputs, why);
}

/* Mark a state as a derivative if a second name of its variable is the derivative of another state. */
static void mark_second_names(fmu_description *d)
{
    for (int i = 1; i < d->n_variables; i++) {
        fmu_variable *first = d->by_reference[i - 1], *v = d->by_reference[i];
        if (!first->is_state || !v->is_derivative || first->reference != v->reference) continue;
        first->is_derivative = 1;
        first->state = v->state;
    }
}

const fmu_declared *fmu_declared_find(const fmu_description *d, const char *name)
{
    for (int i = 0; name && i < d->n_types; i++)
        if (d->types[i].name && strcmp(d->types[i].name, name) == 0) return &d->types[i];
    return NULL;
}

static void apply_type(const fmu_description *d, fmu_variable *v)
{
    const fmu_declared *type = fmu_declared_find(d, v->declared);
    if (!type) return;
    if (!v->unit) v->unit = type->unit;
    if (isnan(v->min)) v->min = type->min;
    if (isnan(v->max)) v->max = type->max;
    if (isnan(v->nominal)) v->nominal = type->nominal;
}

/* Compute the size of an array from constants and start values of structural parameters, which never change. */
static int compute_sizes(const fmu_description *d, fmu_variable *v, resida_message *why)
{
    for (int k = 0; k < v->n_dimensions; k++) {
        double size = v->dimensions[k].value;
        if (v->dimensions[k].is_variable) {
            const fmu_variable *of = fmu_variable_find(d, v->dimensions[k].value);
            const char *start = of ? of->start : NULL;
            if (!start || fmu_next_double(&start, &size) != 1)
                return fmu_fail(why, "variable %.100s: the size of a dimension is unknown", v->name);
        }
        if (!(size >= 0) || size * v->size > MAX_VALUES)
            return fmu_fail(why, "variable %.100s has more than %d values", v->name, MAX_VALUES);
        v->extent[k] = (int)size;
        v->size *= v->extent[k];
    }
    return 0;
}

int fmu_description_link(fmu_description *d, resida_message *why)
{
    if (d->version == 0) return fmu_fail(why, "no fmiModelDescription");
    if (d->version == 2 && convert_all_lists(d, why) < 0) return -1;
    if (sort_variables(d, why) < 0) return -1;
    if (d->version == 3 && (check_listed(d, &d->outputs, why) < 0 || check_listed(d, &d->crossing, why) < 0)) return -1;
    if (d->version == 2) mark_second_names(d);
    for (int i = 0; i < d->n_variables; i++) {
        const fmu_variable *v = &d->variables[i];
        const fmu_variable *x = d->version == 3 && v->is_derivative ? fmu_variable_find(d, v->state) : NULL;
        if (x) d->variables[x - d->variables].is_state = 1;
        apply_type(d, &d->variables[i]);
        if (compute_sizes(d, &d->variables[i], why) < 0) return -1;
    }
    for (int i = 0; i < d->crossing.n; i++) { /* the number of values of the event indicators */
        const fmu_variable *z = fmu_variable_find(d, d->crossing.of[i].reference);
        d->n_indicators += z ? z->size : 1;
    }
    return 0;
}

void fmu_element_name(const fmu_variable *v, int k, char *text)
{
    size_t at = 0;
    text[0] = 0;
    for (int d = 0, below = v->size; d < v->n_dimensions && below > 0; d++) {
        below /= v->extent[d] > 0 ? v->extent[d] : 1;
        const int index = below > 0 ? k / below % v->extent[d] : 0;
        const int n = snprintf(text + at, FMU_ELEMENT - at, "%s%d", d ? "," : "[", index + 1);
        if (n < 0 || at + (size_t)n + 1 >= FMU_ELEMENT) return;
        at += (size_t)n;
    }
    if (v->n_dimensions > 0) snprintf(text + at, FMU_ELEMENT - at, "]");
}
