/* check_names.c - checks that the names of components are unique. If two components share a name, JSON output and mode
 * shapes keep only the last one; --start and --columns select the first one, or both. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

const char *cmd_item_name(const char *const *names, const char *what, int i, char text[32])
{
    if (names && names[i]) return names[i];
    snprintf(text, 32, "%s[%d]", what, i);
    return text;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/** Find a name that occurs twice. Sorts names [n]. @return the name; NULL if there is none */
static const char *find_duplicate(const char **names, int n)
{
    qsort(names, (size_t)n, sizeof *names, compare_texts);
    for (int i = 1; i < n; i++)
        if (strcmp(names[i - 1], names[i]) == 0) return names[i];
    return NULL;
}

/** Append names to the list. @return its new length @param own  [n] names[i] is skipped if it equals own[i]; or NULL */
static int append_names(const char **list, int n, const char *const *names, int count, const char *const *own)
{
    for (int i = 0; names && i < count; i++)
        if (names[i] && !(own && own[i] && strcmp(names[i], own[i]) == 0)) list[n++] = names[i];
    return n;
}

void cmd_check_names(cmd_report_work *r)
{
    const resida_model *m = &r->model->model;
    const int n = m->is_dae ? m->dae.n : m->mechanism.n_p + m->mechanism.n_v;
    const char **list = calloc((size_t)n + 1, sizeof *list);
    int count = 0;
    if (!list) {
        cmd_report_result(r, "names", 0, "out of memory");
        return;
    }
    if (m->is_dae) {
        count = append_names(list, count, m->dae.names, m->dae.n, NULL);
    } else {
        const resida_mechanism *k = &m->mechanism;
        const int n_w = k->n_v - k->n_z; /* the states after n_w have no positions */
        count = append_names(list, count, k->p_names, k->n_p, NULL);
        count = append_names(list, count, k->v_names, n_w, k->kinematic_matrix ? NULL : k->p_names);
        count = append_names(list, count, k->v_names ? k->v_names + n_w : NULL, k->n_z, NULL);
    }
    const char *twice = find_duplicate(list, count);
    if (twice) cmd_report_result(r, "names", 0, "two components have the name '%s'", twice);
    free(list);
}
