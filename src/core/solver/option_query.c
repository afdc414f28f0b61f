/* option_query.c - queries of the three tables of options. */
#include "solver_impl.h"

#include "src/core/start/start_impl.h"

#include <string.h>

static const rsd_options *const tables[] = {&rsd_problem_table, &rsd_solver_table, &rsd_start_table};
enum { N_TABLES = sizeof tables / sizeof *tables };

const resida_option *resida_option_at(int i)
{
    for (int k = 0; k < N_TABLES && i >= 0; i -= tables[k++]->n)
        if (i < tables[k]->n) return &tables[k]->lines[i].about;
    return NULL;
}

const resida_option *resida_option_find(const char *name)
{
    const resida_option *o;
    for (int i = 0; name && (o = resida_option_at(i)); i++)
        if (strcmp(o->name, name) == 0) return o;
    return NULL;
}

/* Return the line of the option table whose first member is *option, or NULL if the option is in no table. */
static const rsd_option *find_option_line(const resida_option *option)
{
    int i = 0;
    while (resida_option_at(i) && resida_option_at(i) != option) i++;
    return (const rsd_option *)resida_option_at(i);
}

int resida_option_fits(const resida_option *option, const char *form, const char *method)
{
    const rsd_option *o = find_option_line(option);
    return o ? rsd_option_has_effect(o, rsd_solver_table.methods, form, method) : 0;
}

resida_status resida_option_text(const resida_option *option, char *text, size_t size)
{
    const rsd_option *o = find_option_line(option);
    if (!o || !text || size == 0) return RESIDA_ERR_ARGUMENT;
    rsd_option_format_conditions(o, rsd_solver_table.methods, text, size);
    return RESIDA_OK;
}
