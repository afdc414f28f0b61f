/* animation.c - records the frames of an animation and writes the page. */
#include "animation.h"

#include "program/base/complain.h"
#include "program/base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int cmd_animation_check(const cmd_model *model)
{
    if (model->model.n_parts > 0) return 0;
    return cmd_complain(CMD_EXIT_USAGE, "--animate: model %s has no shape to draw", model->cls->name);
}

/** Return the number of coordinates of a frame, three for each point of each part. */
static int count_coordinates(const resida_model *model)
{
    int n = 0;
    for (int i = 0; i < model->n_parts; i++) n += 3 * model->parts[i].n_points;
    return n;
}

static int begin(void *self, const resida_problem *problem)
{
    (void)problem;
    cmd_animation *a = self;
    a->frames = 0;
    return 0;
}

/** Reserve memory for another frame. @return 1; 0 without memory */
static int reserve_frame(cmd_animation *a)
{
    double *t = cmd_grow_array(a->t, a->frames, sizeof *t);
    if (t) a->t = t;
    double *xyz = cmd_grow_array(a->xyz, a->frames, (size_t)a->n * sizeof *xyz);
    if (xyz) a->xyz = xyz;
    double *more = cmd_grow_array(a->outputs, a->frames, (size_t)(a->model->n_outputs + 1) * sizeof *more);
    if (more) a->outputs = more;
    return t && xyz && more;
}

static int are_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

static int output(void *self, const resida_state *state, const double *outputs)
{
    cmd_animation *a = self;
    const int n_outputs = a->model->n_outputs;
    if (!reserve_frame(a)) return cmd_complain(CMD_EXIT_FAILED, "no memory for %ld frames", a->frames + 1);
    double *xyz = a->xyz + a->frames * a->n;
    const double *p = a->model->is_dae ? state->y : state->p;
    if (resida_model_shape(a->model, state->t, p, xyz) != 0 || !are_finite(xyz, a->n))
        return cmd_complain(CMD_EXIT_FAILED, "the model has no shape to draw at t = %.10g", state->t);
    for (int i = 0; i < n_outputs; i++) a->outputs[a->frames * n_outputs + i] = outputs ? outputs[i] : NAN;
    a->t[a->frames++] = state->t;
    return 0;
}

void cmd_animation_sink(cmd_animation *a, cmd_out *out, const cmd_model *model, cmd_sink *sink)
{
    *a = (cmd_animation){
        .out = out, .model = &model->model, .title = model->cls->name, .n = count_coordinates(&model->model)};
    *sink = (cmd_sink){.begin = begin, .output = output, .self = a};
}

int cmd_animation_write(const cmd_animation *a)
{
    if (cmd_animation_page(a->out->stream, a) != 0) return cmd_no_memory();
    return ferror(a->out->stream) ? cmd_out_fail(a->out) : 0;
}

void cmd_animation_free(cmd_animation *a)
{
    free(a->t);
    free(a->xyz);
    free(a->outputs);
}
