/* ssd_values.c - values of parameters by their hierarchical names (SSP 1.0, section 4.5.2: precedence and mapping). */
#include "ssd.h"

#include "adapters/fmu/base/fail.h"

#include <stdlib.h>
#include <string.h>

const char *ssd_join_names(fmu_pool *pool, const char *element, const char *name)
{
    return fmu_pool_format(pool, "%s%s%s", element, *element ? "." : "", name);
}

/* Append a value for a parameter of the element of its binding. */
static int append_value(ssd_value **all, int *n, ssd_value v, const ssd_binding *b, const char *name, fmu_pool *pool)
{
    v.name = ssd_join_names(pool, b->element, name);
    *all = fmu_pool_grow(pool, *all, (size_t)*n, sizeof **all);
    if (!*all || !v.name) return -1;
    (*all)[(*n)++] = v;
    return 0;
}

/* Check that a value of the same binding has the source of an entry as its name. @param names  [n_values] work */
static int check_entry(const ssd_structure *s, const ssd_entry *e, const char **names, fmu_pool *pool,
                       resida_message *why)
{
    for (int i = 0; i < s->n_values; i++) {
        names[i] = s->values[i].binding == e->binding ? s->values[i].name : NULL;
        if (names[i] && strcmp(names[i], e->source) == 0) return 0;
    }
    return fmu_fail(why, "MappingEntry %.60s -> %.60s: the parameter set has no %.60s%s", e->source, e->target,
                    e->source, fmu_pool_suggest(pool, e->source, names, s->n_values));
}

/* Append a value as it is, or once for each entry of the mapping that names it. */
static int append_mapped(const ssd_structure *s, ssd_value **all, int *n, const ssd_value *v, fmu_pool *pool)
{
    const ssd_binding *b = &s->bindings[v->binding];
    if (!b->is_mapped) return append_value(all, n, *v, b, v->name, pool);
    for (int i = 0; i < s->n_entries; i++) {
        const ssd_entry *e = &s->entries[i];
        if (e->binding != v->binding || strcmp(e->source, v->name) != 0) continue;
        ssd_value mapped = *v;
        mapped.scale = e->scale;
        if (append_value(all, n, mapped, b, e->target, pool) < 0) return -1;
    }
    return 0;
}

int ssd_resolve_values(ssd_structure *s, fmu_pool *pool, resida_message *why)
{
    ssd_value *all = NULL;
    int n = 0, deepest = 0;
    const char **names = fmu_pool_get(pool, (size_t)s->n_values + 1, sizeof *names);
    for (int i = 0; i < s->n_values && names; i++) {
        ssd_value *v = &s->values[i];
        v->name = fmu_pool_format(pool, "%s%s", v->binding < 0 ? "" : s->bindings[v->binding].prefix, v->name);
        if (!v->name) names = NULL;
    }
    if (!names) return fmu_no_memory(why);
    for (int i = 0; i < s->n_entries; i++)
        if (s->entries[i].binding >= 0 && check_entry(s, &s->entries[i], names, pool, why) < 0) return -1;
    for (int i = 0; i < s->n_bindings; i++)
        if (s->bindings[i].level > deepest) deepest = s->bindings[i].level;
    for (int level = deepest; level >= 0; level--)
        for (int b = 0; b < s->n_bindings; b++)
            for (int i = 0; i < s->n_values && s->bindings[b].level == level; i++)
                if (s->values[i].binding == b && append_mapped(s, &all, &n, &s->values[i], pool) < 0)
                    return fmu_no_memory(why);
    s->values = all;
    s->n_values = n;
    return 0;
}
