/* rows.c - kinematic, dynamic, velocity and position rows, equations (7a)-(7d) in the forms (9) and (10) of Arnold,
 * Fuchs, Fuehrer: Efficient corrector iteration for DAE time integration in multibody dynamics. With T for n_p != n_v
 * and with nonholonomic rows, which the paper leaves out. */
#include "rows.h"

#include <string.h>

int rsd_rows_begin(rsd_mechanism *k, double t, const double *p)
{
    int verdict = rsd_eval_excitation(k, t);
    if (verdict || (k->part == RSD_ROWS_DEAR && !k->is_explicit)) return verdict;
    return rsd_eval_matrices(k, t, p);
}

static void nothing(double *r, int n)
{
    memset(r, 0, (size_t)n * sizeof *r);
}

void rsd_rows_kinematic(rsd_mechanism *k, const double *pd, const double *v, const double *eta, double *r)
{
    if (k->part == RSD_ROWS_DEAR) {
        nothing(r, k->m.n_p);
        return;
    }
    rsd_apply_T(k, v, k->vp);
    for (int i = 0; i < k->m.n_p; i++) r[i] = pd[i] - k->vp[i];
    if (eta) rsd_csr_add_transposed(&k->gp, k->gp_values, 1, eta, r);
}

/* a - M^-1 (Psi - G' lam): all of it is dear. */
static int explicit_rows(rsd_mechanism *k, double t, const double *p, const double *v, const double *a,
                         const double *lam, double *r)
{
    int n_v = k->m.n_v;
    nothing(k->part == RSD_ROWS_CHEAP ? r : k->f, n_v);
    if (k->part == RSD_ROWS_CHEAP) return 0;
    if (lam) rsd_add_constraint_force(k, -1, lam, k->f);
    int verdict = rsd_eval_formalism(k, t, p, v, a, k->f, lam);
    for (int i = 0; i < n_v && !verdict; i++) r[i] = a[i] - k->out[i];
    return verdict;
}

/* M a - Psi, dear, + G' lam, cheap. */
static int residual_rows(rsd_mechanism *k, double t, const double *p, const double *v, const double *a,
                         const double *lam, double *r)
{
    int n_v = k->m.n_v;
    nothing(k->f, n_v);
    if (lam && k->part != RSD_ROWS_DEAR) rsd_add_constraint_force(k, -1, lam, k->f);
    int verdict = k->part == RSD_ROWS_CHEAP ? 0 : rsd_eval_formalism(k, t, p, v, a, k->f, lam);
    for (int i = 0; i < n_v && !verdict; i++) r[i] = (k->part == RSD_ROWS_CHEAP ? 0 : k->out[i]) - k->f[i];
    return verdict;
}

int rsd_rows_dynamic(rsd_mechanism *k, double t, const double *p, const double *v, const double *a, const double *lam,
                     double *r)
{
    return k->is_explicit ? explicit_rows(k, t, p, v, a, lam, r) : residual_rows(k, t, p, v, a, lam, r);
}

int rsd_rows_velocity(rsd_mechanism *k, double t, const double *p, const double *v, const double *lam, double *r)
{
    if (k->part == RSD_ROWS_DEAR) {
        nothing(r, k->n_l);
        return 0;
    }
    int verdict = rsd_eval_velocity_level(k, t, p, v, r);
    for (int i = 0; i < k->n_l; i++)
        if (k->dropped[i]) r[i] = lam[i];
    return verdict;
}

int rsd_rows_position(rsd_mechanism *k, double t, const double *p, const double *eta, double *r)
{
    if (k->part == RSD_ROWS_DEAR) {
        nothing(r, k->m.n_g);
        return 0;
    }
    int verdict = rsd_eval_constraint(k, t, p, r);
    for (int i = 0; i < k->m.n_g; i++)
        if (k->dropped[i]) r[i] = eta[i];
    return verdict;
}
