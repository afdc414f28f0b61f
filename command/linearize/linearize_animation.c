/* linearize_animation.c - animates a mode: p0 + eps Re(phi exp(i w t)) over one period. For a mode that does not
 * oscillate the period is 2 pi/|re|. eps is chosen so that the largest displacement is a given fraction of the size of
 * the model, and that no two points change their relative position by more than a fraction of their distance. Otherwise
 * parts would turn by more than a linear motion shows, and would leave the bodies that carry them. */
#include "linearize.h"

#include "command/animate/animation.h"
#include "program/base/complain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 120 };
#define PART  0.1  /* largest displacement of points as a fraction of the drawn size */
#define CLOSE 0.25 /* largest change of the relative position of two points, as a fraction of their distance */
#define APART 0.02 /* least distance for this, as a fraction of the drawn size */
#define TRIAL 1e-4 /* trial amplitude for positions of order 1; small enough for linearity */
static const double two_pi = 6.283185307179586476925;

typedef struct mover {
    const cmd_linear *l;
    const double *re, *im;
    double *p, *xyz; /* [n_parts], [points] */
    int n;           /* number of coordinates in xyz */
} mover;

static int evaluate_shape(mover *m, double eps, double phase, double *xyz)
{
    const double c = cos(phase), s = sin(phase);
    for (int i = 0; i < m->l->n_parts; i++) m->p[i] = m->l->base[i] + eps * (m->re[i] * c - m->im[i] * s);
    if (resida_model_shape(&m->l->job->model->model, m->l->model.t, m->p, xyz) != 0) return 1;
    for (int i = 0; i < m->n; i++)
        if (!isfinite(xyz[i])) return 1;
    return 0;
}

/* Return the longest side of the bounding box of all parts except the ground. */
static double compute_model_size(const resida_model *model, const double *xyz)
{
    double size = 0, low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int part = 0; part < model->n_parts; part++)
        for (int i = 0; i < 3 * model->parts[part].n_points; i++, xyz++) {
            if (!model->parts[part].name) continue;
            low[i % 3] = fmin(low[i % 3], *xyz);
            high[i % 3] = fmax(high[i % 3], *xyz);
        }
    for (int k = 0; k < 3; k++) size = fmax(size, high[k] - low[k]);
    return size;
}

static double get_length(const double *x)
{
    return hypot(hypot(x[0], x[1]), x[2]);
}

/* Return the largest change of the relative position of two points in a row of the frame, divided by their distance, or
 * by `apart` if they are closer. */
static double compute_largest_strain(const mover *m, const double *rest, const char *is_ground, double apart)
{
    double most = 0;
    for (int i = 0; i < m->n; i += 3)
        for (int k = 0; k < i && !is_ground[i / 3]; k += 3) {
            double d[3], change[3];
            for (int c = 0; c < 3; c++) d[c] = rest[i + c] - rest[k + c];
            for (int c = 0; c < 3; c++) change[c] = m->xyz[i + c] - m->xyz[k + c] - d[c];
            if (!is_ground[k / 3]) most = fmax(most, get_length(change) / fmax(get_length(d), apart));
        }
    return most;
}

/* Set a flag for each point of the ground and of arrows, which do not count. */
static void mark_points(const resida_model *model, char *is_ground)
{
    for (int part = 0; part < model->n_parts; part++)
        for (int i = 0; i < model->parts[part].n_points; i++)
            *is_ground++ = !model->parts[part].name || model->parts[part].kind == RESIDA_PART_ARROW;
}

/* Compute eps from the displacements at TRIAL. rest [n] receives the shape at the state. */
static double compute_eps(mover *m, double *rest)
{
    double moved = 0, strain = 0;
    const resida_model *model = &m->l->job->model->model;
    if (evaluate_shape(m, 0, 0, rest) != 0) return NAN;
    char *is_ground = calloc((size_t)m->n / 3 + 1, 1);
    if (!is_ground) return NAN;
    mark_points(model, is_ground);
    const double size = compute_model_size(model, rest), unit = size > 0 ? size : 1;
    int quarter = 0;
    while (quarter < 4 && evaluate_shape(m, TRIAL, quarter * two_pi / 4, m->xyz) == 0) {
        for (int i = 0; i < m->n; i++) moved = fmax(moved, fabs(m->xyz[i] - rest[i]));
        strain = fmax(strain, compute_largest_strain(m, rest, is_ground, APART * unit));
        quarter++;
    }
    free(is_ground);
    if (quarter < 4) return NAN;
    return moved > 0 ? TRIAL * fmin(PART * unit / moved, CLOSE / strain) : TRIAL;
}

/* Store the frames of one period in the animation. */
static int store_frames(mover *m, cmd_animation *a, double *rest, int k)
{
    const double re = m->l->modes.re[k], im = m->l->modes.im[k];
    const double period = im > 0 ? two_pi / im : re != 0 ? two_pi / fabs(re) : 1;
    const double eps = compute_eps(m, rest);
    int failed = isnan(eps);
    for (int i = 0; i <= FRAMES && !failed; i++) {
        const double part = (double)i / FRAMES;
        failed = evaluate_shape(m, eps, two_pi * part, a->xyz + (long)i * m->n);
        a->t[i] = period * part;
        a->frames = i + 1;
    }
    return failed ? cmd_complain(CMD_EXIT_FAILED, "the model has no shape to draw near the state") : 0;
}

static int write_page(const cmd_linear *l, cmd_out *out, int k)
{
    cmd_animation a;
    cmd_sink unused;
    char title[RESIDA_MESSAGE_SIZE];
    const long first = (long)k * l->model.n_outputs;
    cmd_animation_sink(&a, out, l->job->model, &unused);
    snprintf(title, sizeof title, "%s, mode %d: %.6g Hz, damping %.4g", l->job->model->cls->name, k + 1,
             cmd_mode_frequency(l, k), cmd_mode_damping(l, k));
    a.title = title;
    mover m = {.l = l, .re = l->modes.shape_re + first, .im = l->modes.shape_im + first, .n = a.n};
    m.p = calloc((size_t)l->n_parts + 1, sizeof *m.p), m.xyz = calloc((size_t)a.n + 1, sizeof *m.xyz);
    double *rest = calloc((size_t)a.n + 1, sizeof *rest);
    a.t = calloc(FRAMES + 1, sizeof *a.t), a.xyz = calloc((size_t)a.n * (FRAMES + 1) + 1, sizeof *a.xyz);
    int code = m.p && m.xyz && rest && a.t && a.xyz ? 0 : cmd_no_memory();
    if (code == 0) code = store_frames(&m, &a, rest, k);
    if (code == 0) code = cmd_animation_write(&a);
    free(m.p);
    free(m.xyz);
    free(rest);
    cmd_animation_free(&a);
    return code;
}

int cmd_linear_animate(const cmd_linear *l, int number, const char *path)
{
    cmd_out out;
    if (number > l->modes.n)
        return cmd_complain(CMD_EXIT_USAGE, "linearize: --mode %d: the largest number of a mode is %d", number,
                            l->modes.n);
    int code = cmd_out_open(&out, path);
    if (code == 0) code = write_page(l, &out, number - 1);
    if (code == 0) code = cmd_out_commit(&out);
    cmd_out_abort(&out);
    return code;
}
