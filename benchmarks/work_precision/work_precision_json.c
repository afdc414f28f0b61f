/* work_precision_json.c - the objects at equal error; rows of runs are written as for all commands. All keys are always
 * present; values outside a curve are null. */
#include "work_precision.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/output/row_json.h"

/** Create an object with cpu time and residual calls. @return a new reference, or NULL if memory is exhausted */
static json_t *works(const double work[CMD_N_WORKS])
{
    return CMD_OBJECT({"cpu_s", cmd_json_real(work[CMD_CPU])}, {"residual_calls", cmd_json_real(work[CMD_CALLS])});
}

static json_t *equal_json(const cmd_study *study, int k, double error)
{
    const cmd_method *m = &study->methods[k];
    const cmd_row *row = &m->rows[0];
    cmd_equal e = cmd_study_equal(study, k, error);
    return CMD_OBJECT({"equal_error", cmd_json_real(error)}, {"problem", cmd_json_text(row->model->cls->name)},
                      {"params", cmd_parameters_json(row->model)}, {"solver", cmd_json_text(row->solver)},
                      {"formalism", cmd_json_text(row->formalism[0] ? row->formalism : NULL)},
                      {"jacobian_asked", cmd_json_text(m->peer ? NULL : m->jacobian)},
                      {"cpu_s", cmd_json_real(e.work[CMD_CPU])}, {"residual_calls", cmd_json_real(e.work[CMD_CALLS])},
                      {"to_min", works(e.to_min)}, {"to_resida", works(e.to_resida)},
                      {"reference", cmd_json_text(study->reference.source)});
}

int cmd_study_json(const cmd_study *study, FILE *stream)
{
    int code = 0;
    for (int i = 0; i < CMD_N_LEVELS; i++)
        for (int k = 0; k < study->n_methods && code == 0; k++)
            code = cmd_json_line(equal_json(study, k, cmd_levels[i]), stream);
    return code;
}
