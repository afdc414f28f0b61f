/* beam_cantilever.c - a strip of spring steel, 1 m x 20 mm x 2 mm, clamped at one end, along x; d1 is the width, along
 * y. At the other end a moment bends the strip upwards, and a force acts sideways and down:
 *
 *     u1 = turns 2 pi EI/L S(t/rise),   u2 = force S(t/rise)      S: smooth from 0 to 1
 *
 * turns = 1 bends the strip to a full circle, which requires 8 elements. `side` is the fraction of the force that acts
 * sideways; for small fractions the strip buckles laterally. `push` acts along x towards the root from the start, and
 * buckles the strip upwards if it exceeds P, P (1 + P/GA - P/EA) = pi^2 EI/(4 L^2). */
#include "beam_model.h"
#include "benchmarks/models/models.h"
#include "benchmarks/multibody/system/smooth.h"

enum { P_TURNS = BEAM_PARAMETERS, P_FORCE, P_SIDE, P_RISE, P_T, P_PUSH, P_LENGTH, N_PARAMETERS };
enum { U_MOMENT, U_FORCE, N_U };

static const resida_parameter parameters[N_PARAMETERS] = {
    BEAM_PARAMETER_LIST(4, 2, 1e-2),
#include "benchmarks/models/data/beam-cantilever.parameters.csv.inc"
};

static const double pi = 3.14159265358979323846;

typedef struct cantilever {
    beam_model beam;
    double moment, force, rise;
} cantilever;

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const cantilever *c = user; /* the system is the first member */
    const double x = t / c->rise, size[N_U] = {c->moment, c->force};
    for (int k = 0; k < N_U; k++) {
        u[k] = size[k] * mb_ramp(x);
        ud[k] = size[k] * mb_ramp1(x) / c->rise;
        udd[k] = size[k] * mb_ramp2(x) / (c->rise * c->rise);
    }
    return 0;
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    beam_model *b = model->user;
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
    model->mechanism.n_u = N_U, model->mechanism.excitation = excitation;
    model->t_end = values[P_T], model->rtol = 1e-5, model->atol = 1e-6;
    return beam_model_open(b, values, model, why);
}

const bench_kind bench_beam_cantilever = {
    BENCH_KIND("beam-cantilever",
               "steel strip, geometrically exact beam with directors, bent by a moment or a force at its end",
               N_PARAMETERS, parameters, cantilever, set),
    .end = beam_model_end,
};
