/* beam_cantilever.c - a strip of spring steel, 1 m x 20 mm x 2 mm, clamped at one end, along x; d1 is the width, along
 * y. At the other a moment that bends it upwards, and a force to the side and down:
 *
 *     u1 = turns 2 pi EI/L S(t/rise),   u2 = force S(t/rise)      S: smooth from 0 to 1
 *
 * turns = 1 rolls the strip up to a full circle, which takes 8 elements. The force is the more a matter of lateral
 * buckling the less it goes sideways: `side` of it does. `push` acts along x towards the root, from the beginning on,
 * and buckles the strip upwards from P on, P (1 + P/GA - P/EA) = pi^2 EI/(4 L^2). */
#include "beam_model.h"
#include "benchmarks/models/models.h"
#include "benchmarks/multibody/system/smooth.h"

enum { P_TURNS = BEAM_PARAMETERS, P_FORCE, P_SIDE, P_RISE, P_T, P_PUSH, P_LENGTH, N_PARAMETERS };
enum { U_MOMENT, U_FORCE, N_U };

static const resida_parameter parameters[N_PARAMETERS] = {
    BEAM_PARAMETER_LIST(4, 2, 1e-2),
    [P_TURNS] = {"turns", 0.25, -2, 2, 0, "-", "moment at the end, in parts of 2 pi EI/L: turns of the end", NULL},
    [P_FORCE] = {"force", 0, -1e4, 1e4, 0, "N", "force at the end, downwards", NULL},
    [P_SIDE] = {"side", 0.01, -1, 1, 0, "-", "force to the side, in parts of it", NULL},
    [P_RISE] = {"rise", 0.5, 1e-3, 1e3, 0, "s", "both rise from 0 within this time", NULL},
    [P_T] = {"T", 1, 1e-3, 1e3, 0, "s", "end", NULL},
    [P_PUSH] = {"push", 0, -1e6, 1e6, 0, "N", "constant force at the end, towards the root", NULL},
    [P_LENGTH] = {"length", 1, 1e-3, 1e3, 0, "m", "of the strip", NULL},
};

static const double pi = 3.14159265358979323846;

typedef struct cantilever {
    beam_model beam;
    double moment, force, rise;
} cantilever;

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const cantilever *c = user; /* the system is its first member */
    const double x = t / c->rise, size[N_U] = {c->moment, c->force};
    for (int k = 0; k < N_U; k++) {
        u[k] = size[k] * mb_ramp(x);
        ud[k] = size[k] * mb_ramp1(x) / c->rise;
        udd[k] = size[k] * mb_ramp2(x) / (c->rise * c->rise);
    }
    return 0;
}

static void assemble(beam_model *b, const double *values)
{
    cantilever *c = (cantilever *)b;
    const double length = values[P_LENGTH], push = values[P_PUSH];
    const bm_section strip = beam_rectangle(0.02, 0.002, 2.1e11, 0.3, 7850);
    const int elements = (int)values[BEAM_ELEMENTS], order = (int)values[BEAM_ORDER];
    const mb_vec root = {0, 0, 0}, end = {length, 0, 0}, none = {0, 0, 0};
    bm_system *s = &c->beam.s;
    const int first = bm_add_line(s, &strip, order, elements, root, end, (mb_vec){0, 1, 0});
    const int last = first + order * elements;
    bm_add_weld(s, BM_SPACE, first, root);
    c->moment = values[P_TURNS] * 2 * pi * strip.EI1 / length;
    c->force = values[P_FORCE], c->rise = values[P_RISE];
    if (values[P_TURNS] < 0 || values[P_TURNS] > 0) bm_add_load(s, last, none, (mb_vec){0, -1, 0}, 1 + U_MOMENT);
    bm_add_load(s, last, (mb_vec){0, values[P_SIDE], -1}, none, 1 + U_FORCE);
    if (push < 0 || push > 0) bm_add_load(s, last, (mb_vec){-push, 0, 0}, none, 0);
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const beam_kind kind = {"beam-cantilever", sizeof(cantilever), assemble, excitation, N_U, 1e-5, 1e-6, P_T};
    return beam_model_create(&kind, values, model, why);
}

const resida_model_class bench_beam_cantilever = {
    RESIDA_MODEL_HEAD,
    .name = "beam-cantilever",
    .text = "steel strip, geometrically exact beam with directors, bent by a moment or a force at its end",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .create = create,
    .destroy = beam_model_destroy,
};
