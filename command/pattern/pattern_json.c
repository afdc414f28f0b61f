/* pattern_json.c - a pattern by columns, with the group of each column; -1: the column costs no residual call. */
#include "pattern.h"

#include "command/output/json_line.h"
#include "command/output/row_json.h"

static json_t *numbers(const int *x, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++) array = bench_json_append(array, json_integer(x[i]));
    return array;
}

json_t *bench_pattern_json(const bench_pattern *p)
{
    const bench_model *m = p->job->model;
    const int grouped = p->group != NULL;
    return BENCH_OBJECT({"problem", bench_json_text(m->cls->name)}, {"params", bench_parameters_json(m)},
                        {"formalism", bench_json_text(p->formalism)}, {"form", bench_json_text(p->form)},
                        {"jacobian", bench_json_text(p->strategy)}, {"t", bench_json_real(p->t)},
                        {"steps", bench_json_count(p->steps)}, {"n", bench_json_count(p->J.n)},
                        {"nnz", bench_json_count(p->J.nnz)}, {"groups", bench_json_count(grouped ? p->n_groups : -1)},
                        {"groups_bound", bench_json_count(grouped ? p->counts.groups_bound : -1)},
                        {"method", bench_json_text(grouped ? p->method : NULL)},
                        {"group", grouped ? numbers(p->group, p->J.n) : json_null()},
                        {"column_start", numbers(p->J.start, p->J.n + 1)}, {"row", numbers(p->J.row, p->J.nnz)});
}
