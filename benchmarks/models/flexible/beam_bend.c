/* beam_bend.c - an arc of 45 degrees, radius 100, with a unit square section, clamped at one end, with a load out of
 * its plane at the other, in consistent units: K. J. Bathe, S. Bolourchi, Large displacement analysis of
 * three-dimensional beam structures, Int. J. Numer. Meth. Engng. 14 (1979) 961-986; torsional stiffness as in J. C.
 * Simo, L. Vu-Quoc, A three-dimensional finite-strain rod model, part II, Comp. Meth. Appl. Mech. Engng. 58 (1986).
 * Their problem is static: a load of 600 moves the tip from (29.3, 70.7, 0) to (15.8, 47.2, 53.4), with y along the
 * root, z along the load. Here the load rises smoothly, the density is chosen, and damping brings the arc to rest. Tip
 * positions differ from those of finer meshes by 0.2 % with 4 quadratic elements, by 2 % with the same number of linear
 * nodes.
 *
 * The root is at 0, along y; the centre of the arc is at x = 100. */
#include <math.h>

#include "beam_model.h"
#include "benchmarks/models/models.h"
#include "benchmarks/multibody/system/smooth.h"

enum { P_LOAD = BEAM_PARAMETERS, P_RISE, P_T, N_PARAMETERS };

static const resida_parameter parameters[N_PARAMETERS] = {
    BEAM_PARAMETER_LIST(4, 2, 0.1),
#include "benchmarks/models/data/beam-bend.parameters.csv.inc"
};

static const double radius = 100;
static const double angle = 3.14159265358979323846 / 4;
static const double density = 0.01; /* first frequency about 5 rad/s */

typedef struct arc {
    beam_model beam;
    double load, rise;
} arc;

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const arc *c = user; /* the system is the first member */
    const double x = t / c->rise;
    u[0] = c->load * mb_ramp(x);
    ud[0] = c->load * mb_ramp1(x) / c->rise;
    udd[0] = c->load * mb_ramp2(x) / (c->rise * c->rise);
    return 0;
}

/* Curve of the arc; d1 points to the centre. */
static void bow(double x, const void *data, mb_vec *r, mb_mat *axes)
{
    const double c = cos(angle * x), s = sin(angle * x);
    *r = (mb_vec){radius * (1 - c), radius * s, 0};
    axes->z = (mb_vec){s, c, 0}, axes->x = (mb_vec){c, -s, 0}, axes->y = (mb_vec){0, 0, -1};
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    beam_model *b = model->user;
    arc *c = (arc *)b;
    const double E = 1e7, G = E / 2, A = 1, I = 1.0 / 12;
    const bm_section square = {E * A, G * A, G * A, 2 * G * I, E * I, E * I, density * A, density * I, density * I, 0};
    const int elements = (int)values[BEAM_ELEMENTS], order = (int)values[BEAM_ORDER];
    bm_system *s = &c->beam.s;
    const int first = bm_add_curve(s, &square, order, elements, bow, NULL), last = first + order * elements;
    bm_add_weld(s, BM_SPACE, first, (mb_vec){0, 0, 0});
    bm_add_load(s, last, (mb_vec){0, 0, 1}, (mb_vec){0, 0, 0}, 1);
    c->load = values[P_LOAD], c->rise = values[P_RISE];
    model->mechanism.n_u = 1, model->mechanism.excitation = excitation;
    model->t_end = values[P_T], model->rtol = 1e-5, model->atol = 1e-5;
    return beam_model_open(b, values, model, why);
}

const bench_kind bench_beam_bend = {
    BENCH_KIND("beam-bend", "arc of 45 degrees under an out-of-plane load, geometrically exact beam (Bathe, Bolourchi)",
               N_PARAMETERS, parameters, arc, set),
    .end = beam_model_end,
};
