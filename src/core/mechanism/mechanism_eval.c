/* mechanism_eval.c - calls the callbacks of a mechanism for the formalism, the constraints and the matrices. If the
 * model does not give dg/dp, it is computed by products, or by differences of g (grouped.h). */
#include "mechanism_impl.h"

#include "base/numbers.h"
#include "base/profile.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *rsd_formalism_name(const rsd_mechanism *k)
{
    return rsd_callback_names[k->calls.formalism.which];
}

int rsd_eval_formalism(rsd_mechanism *k, double t, const double *p, const double *v, const double *x, const double *lam,
                       double *out)
{
    const int refused = rsd_calls_check_budget(&k->calls, t);
    if (refused) return refused;
    k->formalism_calls++;
    return k->uses_lam ? rsd_call_lam(&k->calls, t, p, v, x, lam, out) : rsd_call_residual(&k->calls, t, p, v, x, out);
}

int rsd_eval_constraint(rsd_mechanism *k, double t, const double *p, double *g)
{
    const int refused = k->m.n_g > 0 ? rsd_calls_check_g_budget(&k->calls, t) : 0;
    if (k->m.n_g == 0 || refused) return refused;
    return rsd_call_position(&k->calls, RSD_CALL_CONSTRAINT, k->m.constraint, t, p, g, k->m.n_g);
}

int rsd_eval_kinematic_matrix(rsd_mechanism *k, double t, const double *p)
{
    return rsd_call_position(&k->calls, RSD_CALL_KINEMATIC_MATRIX, k->m.kinematic_matrix, t, p, k->T_values, k->T.nnz);
}

int rsd_eval_nonholonomic_matrix(rsd_mechanism *k, double t, const double *p)
{
    return rsd_call_position(&k->calls, RSD_CALL_NONHOLONOMIC_MATRIX, k->m.nonholonomic_matrix, t, p, k->Gh_values,
                             k->Gh.nnz);
}

int rsd_eval_force_product(rsd_mechanism *k, double t, const double *p, const double *lam, double *out)
{
    return rsd_call_velocity(&k->calls, RSD_CALL_CONSTRAINT_FORCE, k->m.constraint_force, t, p, lam, out, k->m.n_p);
}

int rsd_eval_velocity_product(rsd_mechanism *k, double t, const double *p, const double *x, double *out)
{
    return rsd_call_velocity(&k->calls, RSD_CALL_CONSTRAINT_VELOCITY, k->m.constraint_velocity, t, p, x, out, k->m.n_g);
}

static int eval_gp(rsd_mechanism *k, double t, const double *p)
{
    const resida_mechanism *m = &k->m;
    if (m->constraint_matrix)
        return rsd_call_position(&k->calls, RSD_CALL_CONSTRAINT_MATRIX, m->constraint_matrix, t, p, k->gp_values,
                                 k->gp.nnz);
    if (k->curvature.is_on) {
        rsd_curvature_eval(k, p);
        rsd_step_check_set_point(k, NULL);
        return 0;
    }
    const rsd_function g = {rsd_eval_constraint, m->constraint_velocity ? rsd_eval_velocity_product : NULL};
    const int verdict = k->G_is_learnt ? rsd_eval_learnt_G(k, &g, t, p)
                                       : rsd_difference_matrix(k, &k->gp_groups, &g, t, p, k->gp_values);
    rsd_step_check_set_point(k, verdict ? NULL : p);
    return verdict;
}

int rsd_eval_matrices_except_G(rsd_mechanism *k, double t, const double *p)
{
    int verdict = k->m.kinematic_matrix ? rsd_eval_kinematic_matrix(k, t, p) : 0;
    k->G_is_left_out = 1;
    return !verdict && k->m.n_h > 0 ? rsd_eval_nonholonomic_matrix(k, t, p) : verdict;
}

int rsd_eval_matrices(rsd_mechanism *k, double t, const double *p)
{
    int verdict = rsd_eval_matrices_except_G(k, t, p);
    k->G_is_left_out = 0;
    return !verdict && k->m.n_g > 0 ? eval_gp(k, t, p) : verdict;
}

int rsd_add_force_product(rsd_mechanism *k, double t, const double *p, double s, const double *lam, double *out)
{
    int verdict = rsd_eval_force_product(k, t, p, lam, k->work.x_p);
    for (int i = 0; i < k->m.n_p; i++) k->work.x_p[i] *= s;
    if (k->m.kinematic_matrix)
        rsd_csr_add_transposed(&k->T, k->T_values, 1, k->work.x_p, out);
    else
        for (int i = 0; i < k->m.n_p; i++) out[i] += k->work.x_p[i];
    if (k->m.n_h > 0) rsd_csr_add_transposed(&k->Gh, k->Gh_values, s, lam + k->m.n_g, out);
    return verdict;
}

int rsd_eval_potential(rsd_mechanism *k, double t, const double *p, double *V)
{
    int verdict = rsd_eval_excitation(k, t);
    return verdict ? verdict : rsd_call_position(&k->calls, RSD_CALL_POTENTIAL, k->m.potential, t, p, V, 1);
}

int rsd_eval_mass_matrix(rsd_mechanism *k, double t, const double *p, double *values)
{
    return rsd_call_position(&k->calls, RSD_CALL_MASS_MATRIX, k->m.mass_matrix, t, p, values, k->M.nnz);
}

int rsd_eval_derivatives(rsd_mechanism *k, double t, const double *p, const double *v, const double *a,
                         const double *lam, double *Phi)
{
    double *Phi_v = Phi + k->Phi_p.nnz, *Phi_lam = k->uses_lam ? Phi_v + k->Phi_v.nnz : NULL;
    const int verdict = rsd_call_derivatives(&k->calls, RSD_CALL_DERIVATIVES, k->m.derivatives, t, p, v, a, lam, Phi,
                                             Phi_v, Phi_lam, k->Phi_p.nnz + k->Phi_v.nnz + k->Phi_lam.nnz);
    rsd_fault *fault = &k->calls.fault;
    const int n_p = k->Phi_p.nnz, n_pv = n_p + k->Phi_v.nnz;
    if (fault->callback == rsd_callback_names[RSD_CALL_DERIVATIVES] && fault->component >= n_p)
        fault->component -= fault->component >= n_pv ? n_pv : n_p; /* index within p, v or the states */
    return verdict;
}

void rsd_apply_T(const rsd_mechanism *k, const double *v, double *vp)
{
    if (k->m.kinematic_matrix)
        rsd_csr_multiply(&k->T, k->T_values, v, NULL, vp);
    else
        memcpy(vp, v, (size_t)k->m.n_p * sizeof *v);
}

void rsd_add_force(rsd_mechanism *k, const double *gp, const double *T, const double *Gh, double s, const double *lam,
                   double *out)
{
    if (k->m.kinematic_matrix && k->m.n_g > 0) {
        memset(k->work.x_p, 0, (size_t)k->m.n_p * sizeof *k->work.x_p);
        rsd_csr_add_transposed(&k->gp, gp, s, lam, k->work.x_p);
        rsd_csr_add_transposed(&k->T, T, 1, k->work.x_p, out);
    } else {
        rsd_csr_add_transposed(&k->gp, gp, s, lam, out);
    }
    if (k->m.n_h > 0) rsd_csr_add_transposed(&k->Gh, Gh, s, lam + k->m.n_g, out);
}

void rsd_apply_G(rsd_mechanism *k, const double *x, double *w)
{
    if (k->m.n_g > 0) rsd_csr_multiply(&k->gp, k->gp_values, rsd_get_rate_of_p(k, x), NULL, w);
    if (k->m.n_h > 0) rsd_csr_multiply(&k->Gh, k->Gh_values, x, NULL, w + k->m.n_g);
}

void rsd_write_full_G(const rsd_mechanism *k, double *A)
{
    int n_g = k->m.n_g, n_v = k->m.n_v;
    if (!k->m.kinematic_matrix) {
        rsd_csr_copy_to_rows(&k->gp, k->gp_values, n_v, A);
    } else {
        memset(A, 0, (size_t)n_g * (size_t)n_v * sizeof *A);
        for (int i = 0; i < n_g; i++)
            for (int e = k->gp.row[i]; e < k->gp.row[i + 1]; e++)
                for (int q = k->T.row[k->gp.col[e]]; q < k->T.row[k->gp.col[e] + 1]; q++)
                    A[(long)i * n_v + k->T.col[q]] += k->gp_values[e] * k->T_values[q];
    }
    if (k->m.n_h > 0) rsd_csr_copy_to_rows(&k->Gh, k->Gh_values, n_v, A + (long)n_g * n_v);
}

const char *rsd_row_name(const rsd_mechanism *k, int i, char *text, size_t size)
{
    if (k->m.g_names) return k->m.g_names[i];
    if (i < k->m.n_g)
        snprintf(text, size, "g[%d]", i);
    else
        snprintf(text, size, "gh[%d]", i - k->m.n_g);
    return text;
}
