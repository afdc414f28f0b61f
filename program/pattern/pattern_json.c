/* pattern_json.c - writes a pattern by columns, with the group of each column; -1 if it needs no residual call. */
#include "pattern.h"

#include "program/output/json_line.h"
#include "program/output/row_json.h"

static json_t *numbers_json(const int *x, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++) array = cmd_json_append(array, json_integer(x[i]));
    return array;
}

json_t *cmd_pattern_json(const cmd_pattern_work *p)
{
    const cmd_model *m = p->job->model;
    const int grouped = p->group != NULL;
    return CMD_OBJECT({"problem", cmd_json_text(m->cls->name)}, {"params", cmd_parameters_json(m)},
                      {"formalism", cmd_json_text(p->formalism)}, {"form", cmd_json_text(p->form)},
                      {"jacobian", cmd_json_text(p->strategy)}, {"t", cmd_json_real(p->t)},
                      {"steps", cmd_json_count(p->steps)}, {"n", cmd_json_count(p->J.n)},
                      {"nnz", cmd_json_count(p->J.nnz)}, {"groups", cmd_json_count(grouped ? p->n_groups : -1)},
                      {"groups_bound", cmd_json_count(grouped ? p->counts.groups_bound : -1)},
                      {"method", cmd_json_text(grouped ? p->method : NULL)},
                      {"group", grouped ? numbers_json(p->group, p->J.n) : json_null()},
                      {"column_start", numbers_json(p->J.start, p->J.n + 1)},
                      {"row", numbers_json(p->J.row, p->J.nnz)});
}
