/* notes.c - a text about variables of an FMU that are not supported, and about undefined units. */
#include "adapters/fmu/base/fail.h"
#include "file.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 3 };

/* A text with the first of n names. */
typedef struct list {
    resida_message text;
    int n;
} list;

static void add_name(list *l, const char *name)
{
    const size_t at = strlen(l->text.text);
    if (++l->n <= SHOWN) snprintf(l->text.text + at, sizeof l->text.text - at, "%s%.60s", l->n > 1 ? ", " : "", name);
}

static void close_list(list *l)
{
    const size_t at = strlen(l->text.text);
    if (l->n > SHOWN) snprintf(l->text.text + at, sizeof l->text.text - at, " and %d more", l->n - SHOWN);
}

/* Return 1 if a variable is an input, output or parameter of an unsupported type. */
static int is_unsupported(const fmu_variable *v)
{
    const int is_open = v->is_output || v->causality == FMU_INPUT || v->causality == FMU_PARAMETER;
    return is_open && (v->type == FMU_OTHER || (v->type == FMU_STRING && v->n_dimensions > 0));
}

static int is_unit_undefined(const fmu_description *d, const char *unit)
{
    for (int i = 0; unit && *unit && i < d->units.n; i++)
        if (strcmp(d->units.of[i].name, unit) == 0) return 0;
    return unit && *unit && d->units.n > 0;
}

const char *fmu_notes(fmu_file *f)
{
    const fmu_description *d = &f->about;
    list left = {.n = 0}, open = {.n = 0};
    for (int i = 0; i < d->n_variables; i++) {
        const fmu_variable *v = &d->variables[i];
        if (is_unsupported(v)) add_name(&left, v->name);
        if (is_unit_undefined(d, v->unit)) add_name(&open, v->name);
    }
    close_list(&left);
    close_list(&open);
    return fmu_pool_format(&f->about.pool, "%s%s%s%s",
                           left.n ? "; not supported (Binary, Clock, arrays of strings): " : "", left.text.text,
                           open.n ? "; undefined units of " : "", open.text.text);
}
