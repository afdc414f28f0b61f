/* plugin_units.c - a mechanism of the fixtures in units of its own: every.h has them by number, in_units.h the units.
 * Forces (mu - 1) v along its velocities, in SI units, drive it: without damping of its own it grows beyond mu = 1. */
#include <math.h>

#include "test/fixtures/units/every.h"
#include "plugin_frame.h"

enum { MECHANISM, HIDE, LENGTH, MASS, TIME, MU, N_PARAMETERS };

static const resida_parameter parameters[N_PARAMETERS] = {
    {"mechanism", 0, 0, 1000, 1, "-", "its number", NULL},
    {"hide", 0, 0, 7, 1, "-", "what is not given: 1 G, 2 M, 4 biases; a sum", NULL},
    {"length", 1, 0, INFINITY, 0, "m", "the unit of length", NULL},
    {"mass", 1, 0, INFINITY, 0, "kg", "the unit of mass", NULL},
    {"time", 1, 0, INFINITY, 0, "s", "the unit of time", NULL},
    {"mu", 1, -100, 100, 0, "kg/s", "forces along velocities, beyond a damping of 1", NULL},
};

typedef struct unit_model {
    every x;
    in_units s;
    double p[IN_UNITS_MAX], v[IN_UNITS_MAX];
} unit_model;

static int create(const double *values, resida_model *model, resida_message *why)
{
    const units of = {values[LENGTH], values[MASS], values[TIME]};
    unit_model *u = calloc(1, sizeof *u);
    (void)why;
    if (!u || values[MECHANISM] >= every_count()) return free(u), 1;
    u->x = every_make((int)values[MECHANISM]);
    model->mechanism = in_units_mechanism(&u->s, &u->x.m, &u->x.powers, of, (int)values[HIDE]);
    u->s.drive = values[MU] - 1;
    units_from_si(u->x.m.n_p, u->s.p, u->x.p, u->p), units_from_si(u->x.m.n_v, u->s.v, u->x.v, u->v);
    model->user = u;
    model->p0 = u->p, model->v0 = u->v;
    model->t_end = 1, model->rtol = 1e-6, model->atol = 1e-9;
    return 0;
}

PLUGIN("units", "a mechanism in units");
