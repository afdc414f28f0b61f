/* linearize_json.c - the same as JSON: shapes by names of components, each a pair of real and imaginary part. */
#include "linearize.h"

#include "command/output/json_line.h"
#include "command/output/row_json.h"

static json_t *shape_json(const bench_linear *l, const double *re, const double *im)
{
    json_t *object = json_object();
    for (int i = 0; i < l->model.n_outputs; i++) {
        json_t *pair = bench_json_append(json_array(), bench_json_real(re[i]));
        object = bench_json_put(object, l->model.outputs[i], bench_json_append(pair, bench_json_real(im ? im[i] : 0)));
    }
    return object;
}

static json_t *mode_json(const bench_linear *l, int k)
{
    const resida_modes *m = &l->modes;
    const long first = (long)k * l->model.n_outputs;
    return BENCH_OBJECT({"re", bench_json_real(m->re[k])}, {"im", bench_json_real(m->im[k])},
                        {"frequency_hz", bench_json_real(bench_mode_frequency(l, k))},
                        {"damping", bench_json_real(bench_mode_damping(l, k))}, {"error", bench_json_real(m->error[k])},
                        {"breaks_constraints", json_boolean(m->breaks[k])},
                        {"shape", shape_json(l, m->shape_re + first, m->shape_im + first)});
}

static json_t *still_json(const bench_linear *l, int k)
{
    return BENCH_OBJECT({"breaks_constraints", json_boolean(l->modes.still_breaks[k])},
                        {"shape", shape_json(l, l->modes.still + (long)k * l->model.n_outputs, NULL)});
}

static json_t *list(const bench_linear *l, int n, json_t *(*each)(const bench_linear *l, int k))
{
    json_t *array = json_array();
    for (int k = 0; k < n; k++) array = bench_json_append(array, each(l, k));
    return array;
}

json_t *bench_linear_json(const bench_linear *l)
{
    const bench_model *m = l->job->model;
    const resida_linear_model *x = &l->model;
    return BENCH_OBJECT({"problem", bench_json_text(m->cls->name)}, {"params", bench_parameters_json(m)},
                        {"form", bench_json_text(l->form)}, {"t", bench_json_real(x->t)}, {"n", bench_json_count(x->n)},
                        {"n_q", bench_json_count(x->is_independent ? x->n_q : -1)},
                        {"n_w", bench_json_count(x->is_independent ? x->n_w : -1)},
                        {"n_unreached", bench_json_count(x->is_independent ? x->n_unreached : -1)},
                        {"n_redundant", bench_json_count(x->is_independent ? x->n_redundant : -1)},
                        {"differenced", json_boolean(x->is_differenced)}, {"speed", bench_json_real(x->speed)},
                        {"acceleration", m->model.is_dae ? json_null() : bench_json_real(x->acceleration)},
                        {"modes", list(l, l->modes.n, mode_json)}, {"zero", bench_json_count(l->modes.n_zero)},
                        {"lost", bench_json_count(l->modes.n_lost)},
                        {"infinite", bench_json_count(l->modes.n_infinite)},
                        {"still", list(l, l->modes.n_still, still_json)});
}
