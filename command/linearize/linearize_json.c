/* linearize_json.c - the linearization as JSON. Shapes are objects with names of components; each value is a pair of
 * real and imaginary part. */
#include "linearize.h"

#include "program/output/json_line.h"
#include "program/output/row_json.h"

static json_t *shape_json(const cmd_linear *l, const double *re, const double *im)
{
    json_t *object = json_object();
    for (int i = 0; i < l->model.n_outputs; i++) {
        json_t *pair = cmd_json_append(json_array(), cmd_json_real(re[i]));
        object = cmd_json_put(object, l->model.outputs[i], cmd_json_append(pair, cmd_json_real(im ? im[i] : 0)));
    }
    return object;
}

static json_t *mode_json(const cmd_linear *l, int k)
{
    const resida_modes *m = &l->modes;
    const long first = (long)k * l->model.n_outputs;
    json_t *mode = CMD_OBJECT({"re", cmd_json_real(m->re[k])}, {"im", cmd_json_real(m->im[k])},
                              {"frequency_hz", cmd_json_real(cmd_mode_frequency(l, k))},
                              {"damping", cmd_json_real(cmd_mode_damping(l, k))}, {"error", cmd_json_real(m->error[k])},
                              {"breaks_constraints", json_boolean(m->breaks[k])},
                              {"shape", shape_json(l, m->shape_re + first, m->shape_im + first)});
    return l->job->settings->energy ? cmd_json_put(mode, "energy", cmd_energy_json(l, k)) : mode;
}

static json_t *still_json(const cmd_linear *l, int k)
{
    return CMD_OBJECT({"breaks_constraints", json_boolean(l->modes.still_breaks[k])},
                      {"shape", shape_json(l, l->modes.still + (long)k * l->model.n_outputs, NULL)});
}

static json_t *list_json(const cmd_linear *l, int n, json_t *(*each)(const cmd_linear *l, int k))
{
    json_t *array = json_array();
    for (int k = 0; k < n; k++) array = cmd_json_append(array, each(l, k));
    return array;
}

json_t *cmd_linear_json(const cmd_linear *l)
{
    const cmd_model *m = l->job->model;
    const resida_linear_model *x = &l->model;
    return CMD_OBJECT({"problem", cmd_json_text(m->cls->name)}, {"params", cmd_parameters_json(m)},
                      {"form", cmd_json_text(l->form)}, {"t", cmd_json_real(x->t)}, {"n", cmd_json_count(x->n)},
                      {"n_q", cmd_json_count(x->is_independent ? x->n_q : -1)},
                      {"n_w", cmd_json_count(x->is_independent ? x->n_w : -1)},
                      {"n_unreached", cmd_json_count(x->is_independent ? x->n_unreached : -1)},
                      {"n_redundant", cmd_json_count(x->is_independent ? x->n_redundant : -1)},
                      {"differenced", json_boolean(x->is_differenced)}, {"speed", cmd_json_real(x->speed)},
                      {"acceleration", m->model.is_dae ? json_null() : cmd_json_real(x->acceleration)},
                      {"input_rate", cmd_json_real(x->input_rate)}, {"modes", list_json(l, l->modes.n, mode_json)},
                      {"zero", cmd_json_count(l->modes.n_zero)}, {"lost", cmd_json_count(l->modes.n_lost)},
                      {"infinite", cmd_json_count(l->modes.n_infinite)},
                      {"still", list_json(l, l->modes.n_still, still_json)});
}
