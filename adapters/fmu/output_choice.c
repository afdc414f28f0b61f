/* output_choice.c - the variables of an FMU that are outputs of the model: the declared outputs, and those that a list
 * names, such as "engine.torque,out.gear,wheel*". A word of the list is the name of a variable, of an alias, or of an
 * element of an array, with or without "out.". A pattern (* and ? stand for any letters) that matches a state or a
 * declared output chooses nothing else. A word without a match is refused, unless the list begins with a comma: it may
 * then be the name of another column, and the caller complains.
 *
 * If an FMU integrates itself or has no states, and declares no output, all variables that change are outputs. */
#include "adapters/fmu/base/fail.h"
#include "model.h"
#include "program/base/suggest.h"

#include <string.h>

enum { WORD = 256 };
static const char group[] = "out.";

/* Return 1 if a word names a variable, or an element of an array. */
static int is_named(const fmu_model *m, const char *word, const fmu_variable *v, const char *name)
{
    const char *prefix = m->file->prefix;
    const size_t n_prefix = strlen(prefix), n = strlen(name);
    if (strpbrk(word, "*?")) {
        char full[2 * WORD];
        const size_t n_full = n_prefix + n;
        if (n_full >= sizeof full) return 0;
        memcpy(full, prefix, n_prefix);
        memcpy(full + n_prefix, name, n + 1);
        return cmd_word_matches(word, full);
    }
    if (strncmp(word, prefix, n_prefix) != 0 || strncmp(word + n_prefix, name, n) != 0) return 0;
    const char *rest = word + n_prefix + n;
    return !*rest || (*rest == '[' && v->n_dimensions > 0);
}

static int is_readable(const fmu_variable *v)
{
    return v->type != FMU_OTHER && v->causality != FMU_INDEPENDENT && (v->type != FMU_STRING || v->n_dimensions == 0);
}

/* Add a variable, unless it is chosen by this name. The names of declared outputs differ. */
static int add_chosen(fmu_model *m, const fmu_variable *v, const char *name, resida_message *why)
{
    for (int i = v->is_output && name == v->name ? m->n_chosen : m->n_declared; i < m->n_chosen; i++)
        if (strcmp(m->chosen[i].name, name) == 0) return 0;
    fmu_chosen *added = FMU_POOL_ADD(&m->pool, m->chosen, m->n_chosen);
    if (added) *added = (fmu_chosen){v, name};
    return added ? 0 : fmu_no_memory(why);
}

/* Return the variable and the name of entry i of the list of variables and aliases. */
static const fmu_variable *get_entry(const fmu_description *d, int i, const char **name)
{
    const int is_alias = i >= d->n_variables;
    const fmu_variable *v = &d->variables[is_alias ? d->aliases[i - d->n_variables].variable : i];
    *name = is_alias ? d->aliases[i - d->n_variables].name : v->name;
    return v;
}

/* Return 1 if a pattern matches a column that exists without the list. */
static int selects_other_columns(const fmu_model *m, const char *word, int has_group)
{
    const fmu_description *d = &m->file->about;
    for (int i = 0; i < d->n_variables; i++) {
        const fmu_variable *v = &d->variables[i];
        const int is_column = v->is_output || (v->is_state && !has_group && !m->system.is_clock);
        if (is_column && is_named(m, word, v, v->name)) return 1;
    }
    return 0;
}

static int choose_word(fmu_model *m, const char *word, int has_group, resida_message *why)
{
    const fmu_description *d = &m->file->about;
    const int is_pattern = strpbrk(word, "*?") != NULL;
    if (is_pattern && selects_other_columns(m, word, has_group)) return 0;
    for (int i = 0; i < d->n_variables + d->n_aliases; i++) {
        const char *name = NULL;
        const fmu_variable *v = get_entry(d, i, &name);
        if (!is_named(m, word, v, name)) continue;
        const int is_column = v->is_output || (!has_group && v->is_state && !m->system.is_clock);
        if (!is_readable(v) && !is_pattern && v->causality != FMU_INDEPENDENT)
            return fmu_fail(why, "%.100s is a Clock, a Binary or an array of strings, which cannot be an output", name);
        if (!is_readable(v) || (is_column && i < d->n_variables)) continue;
        if (add_chosen(m, v, name, why) < 0) return -1;
    }
    return 0;
}

/* Copy the next word of a list. A comma in brackets is part of a word. */
static const char *copy_word(const char *list, char *word)
{
    size_t n = 0;
    for (int depth = 0; *list && (*list != ',' || depth > 0); list++) {
        depth += (*list == '[') - (*list == ']');
        if (n + 1 < WORD) word[n++] = *list;
    }
    word[n] = 0;
    return *list ? list + 1 : list;
}

/* Choose the variables that change, of an FMU that declares no outputs. */
static int choose_changing(fmu_model *m, resida_message *why)
{
    const fmu_description *d = &m->file->about;
    for (int i = 0; i < d->n_variables; i++) {
        const fmu_variable *v = &d->variables[i];
        const int changes = v->causality == FMU_LOCAL && !v->is_fixed && is_readable(v);
        if (changes && add_chosen(m, v, v->name, why) < 0) return -1;
    }
    return 0;
}

/* Return 1 if a word names a variable of a model. */
static int has_word(const fmu_model *m, const char *word)
{
    const fmu_description *d = &m->file->about;
    for (int i = 0; i < d->n_variables + d->n_aliases; i++) {
        const char *name = NULL;
        const fmu_variable *v = get_entry(d, i, &name);
        if (is_named(m, word, v, name)) return 1;
    }
    return 0;
}

/* Write that a word names no variable, with the most similar name. */
static int report_unknown(fmu_model *const *models, int n, const char *word, fmu_pool *pool, resida_message *why)
{
    int n_names = 0;
    const char **names = NULL, *own = NULL;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < models[k]->file->about.n_variables + models[k]->file->about.n_aliases; i++) {
            const char **name = FMU_POOL_ADD(pool, names, n_names);
            if (!name) return fmu_no_memory(why);
            (void)get_entry(&models[k]->file->about, i, &own);
            *name = fmu_pool_format(pool, "%s%s", models[k]->file->prefix, own);
        }
    return fmu_fail(why, "outputs: no variable '%.200s'%s", word, fmu_pool_suggest(pool, word, names, n_names));
}

int fmu_outputs_check(fmu_model *const *models, int n, const char *list, const char *const *others, int n_others,
                      fmu_pool *pool, resida_message *why)
{
    char words[WORD];
    while (list && *list && *list != ',') {
        list = copy_word(list, words);
        const char *word = strncmp(words, group, strlen(group)) == 0 ? words + strlen(group) : words;
        int found = 0;
        for (int i = 0; i < n && !found; i++) found = has_word(models[i], words) || has_word(models[i], word);
        for (int i = 0; i < n_others && !found; i++) found = cmd_word_matches(word, others[i]);
        if (!found) return report_unknown(models, n, word, pool, why);
    }
    return 0;
}

const fmu_variable *fmu_number_find(const fmu_description *d, const char *name, int *element)
{
    for (int i = 0; i < d->n_variables + d->n_aliases; i++) {
        const char *own = NULL;
        const fmu_variable *v = get_entry(d, i, &own);
        const size_t n = strlen(own);
        char index[FMU_ELEMENT];
        if (v->type >= FMU_STRING || strncmp(name, own, n) != 0) continue;
        for (*element = 0; *element < v->size; ++*element) {
            fmu_element_name(v, *element, index);
            if (strcmp(name + n, index) == 0) return v;
        }
    }
    return NULL;
}

int fmu_outputs_choose(fmu_model *m, const char *columns, resida_message *why)
{
    const fmu_description *d = &m->file->about;
    char word[WORD];
    for (int i = 0; i < d->n_variables; i++)
        if (d->variables[i].is_output && is_readable(&d->variables[i]) &&
            add_chosen(m, &d->variables[i], d->variables[i].name, why) < 0)
            return -1;
    m->n_declared = m->n_chosen;
    if (m->n_chosen == 0 && m->system.is_clock && choose_changing(m, why) < 0) return -1;
    while (*columns) {
        columns = copy_word(columns, word);
        const int has_group = strncmp(word, group, strlen(group)) == 0;
        if (has_group && choose_word(m, word + strlen(group), 1, why) < 0) return -1;
        if (choose_word(m, word, 0, why) < 0) return -1;
    }
    return 0;
}
