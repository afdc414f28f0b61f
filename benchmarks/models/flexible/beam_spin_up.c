/* beam_spin_up.c - a beam of 10 m that is accelerated to 6 rad/s about its root, in a plane: J. C. Simo, L. Vu-Quoc, On
 * the dynamics of flexible beams under large overall motions, part II, J. Appl. Mech. 53 (1986) 855-863.
 *
 *     EA = 2.8e7 N, GA = 1e7 N, EI = 1.4e4 N m^2, rho A = 1.2 kg/m, rho I = 6e-4 kg m
 *     angle of the root: 0.4 (t^2/2 + (T/2 pi)^2 (cos(2 pi t/T) - 1)) up to T = 15 s, then 6 t - 45
 *
 * During the acceleration the tip lags by half a metre due to bending. In the final motion the beam is straight and
 * longer by om^2 rho A L^3/(3 EA) = 5.14e-4 m. The plane is x, y; out-of-plane bending has the same stiffness and stays
 * zero. */
#include <math.h>

#include "beam_model.h"
#include "benchmarks/models/models.h"

enum { P_T = BEAM_PARAMETERS, N_PARAMETERS };

static const resida_parameter parameters[N_PARAMETERS] = {
    BEAM_PARAMETER_LIST(2, 3, 1e-3),
#include "benchmarks/models/data/beam-spin-up.parameters.csv.inc"
};

static const double pi = 3.14159265358979323846;
static const double length = 10, rise = 15, gain = 0.4; /* m, s, rad/s^2 */

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const double om = 2 * pi / rise;
    const int is_rising = t < rise;
    u[0] = is_rising ? gain * (t * t / 2 + (cos(om * t) - 1) / (om * om)) : gain * rise * (t - rise / 2);
    ud[0] = is_rising ? gain * (t - sin(om * t) / om) : gain * rise;
    udd[0] = is_rising ? gain * (1 - cos(om * t)) : 0;
    return 0;
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    beam_model *b = model->user;
    bm_system *s = &b->s;
    const double EI = 1.4e4, GA = 1e7, rho_I = 6e-4;
    const bm_section section = {2.8e7, GA, GA, EI, EI, EI, 1.2, rho_I, rho_I, 0};
    const mb_vec root = {0, 0, 0}, end = {length, 0, 0}, up = {0, 0, 1};
    const int first = bm_add_line(s, &section, (int)values[BEAM_ORDER], (int)values[BEAM_ELEMENTS], root, end, up);
    bm_add_hinge(s, BM_SPACE, first, root, up);
    bm_add_turn(s, BM_SPACE, first, up, 1);
    model->mechanism.n_u = 1, model->mechanism.excitation = excitation;
    model->t_end = values[P_T], model->rtol = 1e-5, model->atol = 1e-6;
    return beam_model_open(b, values, model, why);
}

const bench_kind bench_beam_spin_up = {
    BENCH_KIND("beam-spin-up",
               "spin-up of a beam of 10 m to 6 rad/s about its root, geometrically exact (Simo, Vu-Quoc)", N_PARAMETERS,
               parameters, beam_model, set),
    .end = beam_model_end,
};
