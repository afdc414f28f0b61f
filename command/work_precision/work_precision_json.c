/* work_precision_json.c - the rows at equal error; those of the runs are rows as of every command. Every key is always
 * there, null where a curve does not reach. */
#include "work_precision.h"

#include "command/base/complain.h"
#include "command/output/json_line.h"
#include "command/output/row_json.h"

/** Both works; a new reference, NULL without memory. */
static json_t *works(const double work[BENCH_N_WORKS])
{
    return BENCH_OBJECT({"cpu_s", bench_json_real(work[BENCH_CPU])},
                        {"residual_calls", bench_json_real(work[BENCH_CALLS])});
}

static json_t *equal_json(const bench_study *study, int k, double error)
{
    const bench_method *m = &study->methods[k];
    const bench_row *row = &m->rows[0];
    bench_equal e = bench_study_equal(study, k, error);
    return BENCH_OBJECT({"equal_error", bench_json_real(error)}, {"problem", bench_json_text(row->model->cls->name)},
                        {"params", bench_parameters_json(row->model)}, {"solver", bench_json_text(row->solver)},
                        {"formalism", bench_json_text(row->formalism[0] ? row->formalism : NULL)},
                        {"jacobian_asked", bench_json_text(m->peer ? NULL : m->jacobian)},
                        {"cpu_s", bench_json_real(e.work[BENCH_CPU])},
                        {"residual_calls", bench_json_real(e.work[BENCH_CALLS])}, {"to_least", works(e.to_least)},
                        {"to_resida", works(e.to_resida)}, {"reference", bench_json_text(study->reference.source)});
}

int bench_study_json(const bench_study *study, FILE *stream)
{
    int code = 0;
    for (int i = 0; i < BENCH_N_LEVELS; i++)
        for (int k = 0; k < study->n_methods && code == 0; k++)
            code = bench_json_line(equal_json(study, k, bench_levels[i]), stream);
    return code;
}
