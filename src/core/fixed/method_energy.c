/* method_energy.c - the energy-decaying scheme: a time-discontinuous Galerkin method with linear functions in each
 * step, made so that energy never grows in nonlinear systems either. Bauchau, Computational schemes for flexible,
 * nonlinear multi-body systems, Multibody Syst. Dyn. 2 (1998) 169-225. With the values before (i) and after (j) a jump
 * at t_n, and at the end (f), of p, v and first-order states z alike:
 *
 *     M (v_f - v_i)/h + F_g = 0,                            (p_f - p_i)/h = v_g,   0 = g(p_f)
 *     M (3 (v_j - v_i) + (v_f - v_i))/h + F_h = 0,          (3 (p_j - p_i) + (p_f - p_i))/h = v_h
 *
 *     v_g = (v_j + v_f)/2,   v_h = v_i + (1 + a)/2 (v_j - v_i),   a = (1 - rho)/(1 + rho)
 *
 * F_g is the force between p_j and p_f, at v_g; F_h that between p_i and p_j, at v_h, both with the same multipliers
 * lam. Each is the average of forces along the straight way between its two positions (average vector field: G. R. W.
 * Quispel, D. I. McLaren, J. Phys. A 41 (2008) 045206; E. Hairer, Energy-preserving variant of collocation methods,
 * JNAIAM 5 (2010) 73-84). So forces of a potential do exactly the work V_f - V_j and V_j - V_i, those of constraints
 * lam' (g_f - g_j) and lam' (g_j - g_i), together none. With p_f - p_i = h v_g, p_j - p_i = h/3 (v_h - v_g)
 *
 *     E_f - E_i = -a/2 (v_j - v_i)' M (v_j - v_i) - h D_g' v_g - h/3 (D_h - D_g)' (v_h - v_g)
 *
 * where D are forces of damping: neither term grows where D is linear in v, or monotone. The spectral radius at
 * infinite frequency is rho, that of infinite damping, too; for rho = 0 and M v' = f(v) it is Radau IIA of order 3.
 *
 * Averages are taken by Gauss' formula with four points: exact for V and g of degree 8 at the most, else the error of a
 * work is 6e-10 d^9 V^(9) for steps of length d. Potentials that have a kink do their work to the same formula's error
 * alone.
 *
 * The order is 3 without constraints where forces are linear in p or there is one coordinate, else 2. With multipliers
 * of their own and g(p_j) = 0 the normal part of the jump would have to make up for the curvature of the constraints:
 * order 1. As it is p is of order 3, v of order 2; lam, which stands for the middle of the step, goes to and fro by
 * O(h) from step to step, and means of two steps are of order 2. The price is that M alone holds p_j to the
 * constraints: forces that constraints balance, and that change by f' in a second, leave normal velocities of
 * h^2 f'/(12 m), which requires small steps where the mass m of such a direction is small, as of directors of beams. */
#include "method.h"

#include <string.h>

/* Gauss' formula on -1/2 .. 1/2. */
enum { GAUSS_POINTS = 4 };
static const double node[GAUSS_POINTS] = {-0.430568155797026287612, -0.169990521792428132401, 0.169990521792428132401,
                                          0.430568155797026287612};
static const double weight[GAUSS_POINTS] = {0.173927422568726928687, 0.326072577431273071313, 0.326072577431273071313,
                                            0.173927422568726928687};

/* X_1 is at j, X_2 at f; stage 1 goes from i to j, stage 2 from j to f. */
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
                                               .end = rsd_end_at_middle};
