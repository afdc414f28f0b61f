/* pattern_json.c - a pattern by columns, with the group of each column; -1: the column costs no residual call. */
#include "pattern.h"

#include "command/output/json_line.h"
#include "command/output/row_json.h"

static json_t *numbers(const int *x, int n)
{
    json_t *array = x ? json_array() : json_null();
    for (int i = 0; array && x && i < n; i++)
        if (json_array_append_new(array, json_integer(x[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

json_t *bench_pattern_json(const bench_pattern *p)
{
    const bench_model *m = p->job->model;
    int grouped = p->group != NULL;
    const struct {
        const char *key;
        json_t *value;
    } members[] = {
        {"problem", bench_json_text(m->cls->name)},
        {"params", bench_parameters_json(m)},
        {"formalism", bench_json_text(p->formalism)},
        {"form", bench_json_text(p->form)},
        {"jacobian", bench_json_text(p->strategy)},
        {"t", bench_json_real(p->t)},
        {"steps", bench_json_count(p->steps)},
        {"n", bench_json_count(p->J.n)},
        {"nnz", bench_json_count(p->J.nnz)},
        {"groups", bench_json_count(grouped ? p->n_groups : -1)},
        {"groups_bound", bench_json_count(grouped ? p->counts.groups_bound : -1)},
        {"method", bench_json_text(grouped ? p->method : NULL)},
        {"group", numbers(p->group, p->J.n)},
        {"column_start", numbers(p->J.start, p->J.n + 1)},
        {"row", numbers(p->J.row, p->J.nnz)},
    };
    json_t *object = json_object();
    int failed = 0;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        failed |= bench_json_put(object, members[i].key, members[i].value) != 0;
    if (!failed) return object;
    json_decref(object);
    return NULL;
}
