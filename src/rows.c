/* rows.c - kinematic, dynamic, velocity and position rows, equations (7a)-(7d) in the forms (9) and (10) of Arnold,
 * Fuchs, Fuehrer: Efficient corrector iteration for DAE time integration in multibody dynamics. With T for n_p != n_v
 * and with nonholonomic rows, which the paper leaves out. */
#include "rows.h"

#include <string.h>

int rsd_rows_begin(rsd_mechanism *k, double t, const double *p)
{
    int verdict = rsd_eval_excitation(k, t);
    return verdict ? verdict : rsd_eval_matrices(k, t, p);
}

void rsd_rows_kinematic(rsd_mechanism *k, const double *pd, const double *v, const double *eta, double *r)
{
    rsd_apply_T(k, v, k->vp);
    for (int i = 0; i < k->m.n_p; i++) r[i] = pd[i] - k->vp[i];
    if (eta) rsd_csr_add_transposed(&k->gp, k->gp_values, 1, eta, r);
}

int rsd_rows_dynamic(rsd_mechanism *k, double t, const double *p, const double *v, const double *a, const double *lam,
                     double *r)
{
    int n_v = k->m.n_v;
    memset(k->f, 0, (size_t)n_v * sizeof *k->f);
    if (lam) rsd_add_constraint_force(k, -1, lam, k->f);
    int verdict = rsd_eval_formalism(k, t, p, v, a, k->f);
    if (verdict) return verdict;
    if (k->is_explicit)
        for (int i = 0; i < n_v; i++) r[i] = a[i] - k->out[i];
    else
        for (int i = 0; i < n_v; i++) r[i] = k->out[i] - k->f[i];
    return 0;
}

int rsd_rows_velocity(rsd_mechanism *k, double t, const double *p, const double *v, const double *lam, double *r)
{
    int verdict = rsd_eval_velocity_level(k, t, p, v, r);
    for (int i = 0; i < k->n_l; i++)
        if (k->dropped[i]) r[i] = lam[i];
    return verdict;
}

int rsd_rows_position(rsd_mechanism *k, double t, const double *p, const double *eta, double *r)
{
    int verdict = rsd_eval_constraint(k, t, p, r);
    for (int i = 0; i < k->m.n_g; i++)
        if (k->dropped[i]) r[i] = eta[i];
    return verdict;
}
