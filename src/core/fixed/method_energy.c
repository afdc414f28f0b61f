/* method_energy.c - the energy-decaying scheme: a time-discontinuous Galerkin method with linear functions in each
 * step, whose energy does not increase in nonlinear systems either. Bauchau, Computational schemes for flexible,
 * nonlinear multi-body systems, Multibody Syst. Dyn. 2 (1998) 169-225. Let i and j denote the values before and after a
 * jump at t_n, and f those at the end of the step. For p and v, and with first-order states z treated like v,
 *
 *     M (v_f - v_i)/h + F_g = 0,                            (p_f - p_i)/h = v_g,   0 = g(p_f)
 *     M (3 (v_j - v_i) + (v_f - v_i))/h + F_h = 0,          (3 (p_j - p_i) + (p_f - p_i))/h = v_h
 *
 *     v_g = (v_j + v_f)/2,   v_h = v_i + (1 + a)/2 (v_j - v_i),   a = (1 - rho)/(1 + rho)
 *
 * F_g is the force between p_j and p_f at v_g, and F_h the force between p_i and p_j at v_h, with the same multipliers
 * lam. Each is the average of forces along the straight path between its two positions (average vector field: G. R. W.
 * Quispel, D. I. McLaren, J. Phys. A 41 (2008) 045206; E. Hairer, Energy-preserving variant of collocation methods,
 * JNAIAM 5 (2010) 73-84). Therefore forces of a potential do exactly the work V_f - V_j and V_j - V_i. Constraint
 * forces do the work lam' (g_f - g_j) and lam' (g_j - g_i), whose sum is zero. With p_f - p_i = h v_g, p_j - p_i = h/3
 * (v_h - v_g)
 *
 *     E_f - E_i = -a/2 (v_j - v_i)' M (v_j - v_i) - h D_g' v_g - h/3 (D_h - D_g)' (v_h - v_g)
 *
 * where D are damping forces. No term increases the energy if D is linear in v or monotone. The spectral radius is rho
 * at infinite frequency and at infinite damping. For rho = 0 and M v' = f(v) the scheme is Radau IIA of order 3.
 *
 * Averages are computed by Gauss' formula with four points. The formula is exact for V and g of degree 8 at most.
 * Otherwise the error of the work is 6e-10 d^9 V^(9) for steps of length d. This estimate does not apply to potentials
 * with a kink.
 *
 * The order is 3 without constraints if forces are linear in p or there is one coordinate, else 2. Separate multipliers
 * for g(p_j) = 0 would reduce the order to 1, because the normal part of the jump would have to compensate the
 * curvature of the constraints. In the present form p has order 3 and v order 2. lam approximates the multipliers in
 * the middle of the step. It alternates by O(h) from step to step. Means of two steps have order 2. The disadvantage is
 * that only M keeps p_j on the constraints. If forces that are balanced by constraints change at the rate f', normal
 * velocities of h^2 f'/(12 m) remain. Small steps are necessary if the mass m of such a direction is small, as for
 * directors of beams. */
#include "method.h"

#include <string.h>

/* Nodes and weights of Gauss' formula on -1/2 .. 1/2. */
enum { GAUSS_POINTS = 4 };
static const double node[GAUSS_POINTS] = {-0.430568155797026287612, -0.169990521792428132401, 0.169990521792428132401,
                                          0.430568155797026287612};
static const double weight[GAUSS_POINTS] = {0.173927422568726928687, 0.326072577431273071313, 0.326072577431273071313,
                                            0.173927422568726928687};

/* X_1 are the values of y after the jump at t_n, and X_2 the values at the end of the step. Stage 1 is the path of the
 * jump, and stage 2 the path of the step. */
static void begin_energy(const rsd_method *m, const rsd_past *past, double h, rsd_stages *st, double *k)
{
    const double a = (1 - past->o->rho_infinity) / (1 + past->o->rho_infinity);
    (void)m, (void)h, (void)k;
    *st = (rsd_stages){.s = 2, .c = {0, 0.5}, .holding = RSD_AT_END, .b = {0, 1}, .points = GAUSS_POINTS};
    for (int field = RSD_FIELD_P; field < RSD_FIELD_REST; field++) {
        st->e[field][0][0] = field == RSD_FIELD_P ? 0.5 : (1 + a) / 2;
        st->e[field][1][0] = st->e[field][1][1] = 0.5;
        st->d[field][0][0] = 3;
        st->d[field][0][1] = st->d[field][1][1] = 1;
    }
    st->e[RSD_FIELD_REST][0][0] = st->e[RSD_FIELD_REST][1][1] = 1;
    memcpy(st->x, node, sizeof node);
    memcpy(st->w, weight, sizeof weight);
    st->way[0][0] = 1;
    st->way[1][0] = -1;
    st->way[1][1] = 1;
}

static resida_status check_energy(const resida_problem *problem, const resida_solver_options *o, resida_message *why)
{
    if (!rsd_is_plain_motion(problem))
        return rsd_fail(why, RESIDA_ERR_OPTION, "method = %s is for mechanisms with p' = v", o->method);
    if (problem->mechanism->is_explicit)
        return rsd_fail(why, RESIDA_ERR_OPTION, "method = %s needs the residual formalism", o->method);
    if (problem->layout.n_h > 0)
        return rsd_fail(why, RESIDA_ERR_OPTION, "method = %s does not support nonholonomic constraints", o->method);
    if (problem->layout.lam >= 0 && (problem->form->level != RSD_POSITION || problem->layout.eta >= 0))
        return rsd_fail(why, RESIDA_ERR_OPTION, "method = %s supports the forms ode, index3 and augmented, not %s",
                        o->method, resida_problem_form(problem));
    return RESIDA_OK;
}

const rsd_method rsd_method_energy_decaying = {.name = "energy-decaying",
                                               .steps = 1,
                                               .order = 3,
                                               .traits = RSD_METHOD_WITH_RHO,
                                               .check = check_energy,
                                               .begin = begin_energy,
                                               .end = rsd_set_end_from_middle};
