/* tip_crank.c - a cantilevered strip that a crank and a link bend upwards at its tip until it buckles sideways: O. A.
 * Bauchau, A. Epple, C. L. Bottasso, Scaling of constraints and augmented Lagrangian formulations in multibody dynamics
 * simulations, J. Comput. Nonlinear Dyn. 4 (2009), section 9.
 *
 *     strip      0 to (L, 0, 0), 0.1 m x 2.5 mm, the width along z, aluminium, clamped at 0
 *     connector  (L, 0, 0) to C = (L, d, 0), of the same section, welded to the strip
 *     link       C to L = C - (0, 0, 0.5), steel tube, by a spherical joint
 *     crank      L to G = L - (0.03, 0, 0), of the same tube, by a revolute joint about y; turned in G about y
 *     angle of the crank from x towards z:  phi = 1.6 (1 - cos(2 pi t/1.6)) rad
 *
 * Data are those of the paper. The paper does not state densities, Young's modulus of steel, the axes of the
 * connector's section and the side of link and crank; these are chosen here. Crank and link are stiff in their plane
 * and support C: EI2 = 9.5 N m^2 (sideways), GJ = 14.4 N m^2 would buckle at 4.013 sqrt(EI2 GJ)/L^2 = 47 N with a free
 * tip, here the force levels off at 75 N. Because the force has the offset d from the strip, the equilibrium leaves the
 * plane gradually: the midspan is displaced by 1 mm at the angle of 0.054 s ("at about 0.05 s" in the paper), and in
 * motion at 0.071 s. */
#include <math.h>

#include "beam_model.h"
#include "benchmarks/models/models.h"

enum { P_LINKS = BEAM_PARAMETERS, P_OFFSET, P_ANGLE, P_T, N_PARAMETERS };

static const resida_parameter parameters[N_PARAMETERS] = {
    BEAM_PARAMETER_LIST(8, 3, 1e-4),
#include "benchmarks/models/data/tip-crank.parameters.csv.inc"
};

static const double pi = 3.14159265358979323846;
static const double period = 1.6;                                       /* s */
static const double length = 1, link_length = 0.5, crank_length = 0.03; /* m */

typedef struct tip_crank {
    beam_model beam;
    double angle;
    int middle; /* middle node of the strip; 0: none */
} tip_crank;

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const tip_crank *c = user; /* the system is the first member */
    const double om = 2 * pi / period;
    u[0] = c->angle * (1 - cos(om * t));
    ud[0] = c->angle * om * sin(om * t);
    udd[0] = c->angle * om * om * cos(om * t);
    return 0;
}

static const char *const output_names[] = {"energy", "sideways"}, *const output_units[] = {"J", "m"};

/* Outputs: energy; lateral displacement of the midspan, in the direction of buckling. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const tip_crank *c = model->user;
    if (c->middle > 0) out[1] = at->p[BM_P * c->middle + 1];
    return beam_model_output(model, at, out);
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    beam_model *b = model->user;
    bm_system *s = &b->s;
    ((tip_crank *)b)->angle = values[P_ANGLE];
    const bm_section strip = beam_rectangle(2.5e-3, 0.1, 7.3e10, 0.3, 2700);
    const bm_section tube = beam_tube(15e-3, 7e-3, 2.1e11, 0.3, 7850);
    const int order = (int)values[BEAM_ORDER], elements = (int)values[BEAM_ELEMENTS], links = (int)values[P_LINKS];
    const mb_vec root = {0, 0, 0}, tip = {length, 0, 0}, x = {1, 0, 0}, y = {0, 1, 0};
    const mb_vec C = mb_along(tip, values[P_OFFSET], y), L = {C.x, C.y, -link_length};
    const mb_vec G = mb_along(L, -crank_length, x);
    const int beam = bm_add_line(s, &strip, order, elements, root, tip, y);
    const int connector = bm_add_line(s, &strip, order, links, tip, C, x);
    const int link = bm_add_line(s, &tube, order, links, L, C, x);
    const int crank = bm_add_line(s, &tube, order, links, G, L, y);
    ((tip_crank *)b)->middle = order * elements % 2 == 0 ? beam + order * elements / 2 : 0;
    const int far = order * links; /* offset from the first node of a part to its last */
    bm_add_weld(s, BM_SPACE, beam, root);
    bm_add_weld(s, beam + order * elements, connector, tip);
    bm_add_ball(s, connector + far, link + far, C);
    bm_add_hinge(s, crank + far, link, L, y);
    bm_add_hinge(s, BM_SPACE, crank, G, y);
    bm_add_turn(s, BM_SPACE, crank, mb_scale(-1, y), 1);
    model->mechanism.n_u = 1, model->mechanism.excitation = excitation;
    model->t_end = values[P_T], model->rtol = 1e-5, model->atol = 1e-6;
    if (beam_model_open(b, values, model, why)) return 1;
    model->n_outputs = ((tip_crank *)b)->middle > 0 ? 2 : 1;
    model->output_names = output_names, model->output_units = output_units;
    model->output = output;
    return 0;
}

const bench_kind bench_tip_crank = {
    BENCH_KIND("tip-crank",
               "lateral buckling of a strip bent by a crank at its tip, flexible link and crank (Bauchau and others)",
               N_PARAMETERS, parameters, tip_crank, set),
    .end = beam_model_end,
};
