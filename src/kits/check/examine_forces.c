/* examine_forces.c - mass matrix, derivatives and potential of a mechanism, compared with its formalism:
 *
 *     Phi(a + d) - Phi(a) = M d   or   phi(f + M d) - phi(f) = d
 *     d Phi(p + s T d, v + s d, lam + s d)/ds = Phi_p T d + Phi_v d + Phi_lam d
 *     d V(p + s T d)/ds = d'Phi at rest */
#include "examine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINEAR_AGREES    1e-6 /* maximum relative error of M d */
#define MASS_CONTRADICTS 1e-2 /* maximum relative error of M d at a start, whose accelerations were solved with M */
#define LINEAR_ROUNDING  1e-4 /* allowance for rounding in the size of M d, relative to the subtracted values of Phi */

/* Compare M x with Phi(a + x) - Phi(a) in the residual formalism, x = a + d, or d with phi(M d) - phi(0) in the
 * explicit formalism. At a start, which was solved with M, Phi(a) = -G' lam if M is right. */
static int compare_mass_matrix(rsd_examiner *w, const double *M, int is_start)
{
    rsd_mechanism *k = w->k;
    const int is_explicit = k->is_explicit, n = is_explicit ? k->n_w : k->m.n_v; /* no forces act on states */
    const double agrees = is_start ? MASS_CONTRADICTS : LINEAR_AGREES, *Mx = w->c.given;
    double *before = w->c.x[0], *after = w->c.x[1], *x = w->v_moved, worst = 1;
    int verdict = 0, row = -1;
    for (int i = 0; i < k->m.n_v; i++) x[i] = w->d_v[i] + (is_explicit ? 0 : w->a[i]);
    rsd_curve_clear(&w->c, k->m.n_v);
    rsd_curve_add_product(&w->c, &k->M, M, x);
    memset(before, 0, (size_t)n * sizeof *before);
    if (is_start)
        rsd_add_constraint_force(k, -1, w->lam, before);
    else
        verdict = rsd_examine_eval_formalism(w, w->p, w->v, is_explicit ? k->inertia.zero : w->a, w->lam, before);
    for (int i = 0; i < k->m.n_v; i++) x[i] = !is_explicit ? w->a[i] + x[i] : i < n ? Mx[i] : 0;
    if (!verdict) verdict = rsd_examine_eval_formalism(w, w->p, w->v, x, w->lam, after);
    for (int i = 0; i < n && !verdict; i++) {
        const double given = is_explicit ? w->d_v[i] : Mx[i], off = fabs(after[i] - before[i] - given);
        const double limit = agrees * (fabs(given) + (is_explicit ? 0 : w->c.scale[i]) +
                                       LINEAR_ROUNDING * (fabs(after[i]) + fabs(before[i])));
        if (off > worst * limit) worst = off / limit, row = i;
    }
    if (row < 0) return verdict;
    const double found = after[row] - before[row];
    rsd_add_warning(w->warnings, RSD_CLAIM_MASS, "mass_matrix: row %d disagrees with %s at t = %.6g: %.6g, not %.6g",
                    row, rsd_formalism_name(k), w->t, is_explicit ? found : Mx[row], is_explicit ? w->d_v[row] : found);
    return 0;
}

int rsd_examine_start_mass(rsd_examiner *w, const double *a, const double *lam)
{
    const int known = w->warnings->n;
    w->a = a, w->lam = lam;
    if (!w->k->m.mass_matrix || w->k->is_explicit) return 0;
    const int verdict = compare_mass_matrix(w, w->k->inertia.values, 1);
    if (w->warnings->n > known && !w->wrong) w->wrong = w->warnings->line[known];
    return verdict;
}

static int evaluate_Phi_at(double s, double *x, void *examiner)
{
    rsd_examiner *w = examiner;
    rsd_mechanism *k = w->k;
    int verdict = rsd_examine_move_position(w, s);
    for (int i = 0; i < k->m.n_v; i++) w->v_moved[i] = w->v[i] + s * w->d_v[i];
    for (int i = 0; i < k->n_l; i++) w->lam_moved[i] = w->lam[i] + s * w->d_lam[i];
    return verdict ? verdict : rsd_examine_eval_formalism(w, w->p_moved, w->v_moved, w->a, w->lam_moved, x);
}

static int compare_derivatives(rsd_examiner *w, double *values)
{
    rsd_mechanism *k = w->k;
    char source[RSD_ROW_NAME], name[RSD_ROW_NAME];
    int row;
    const rsd_statement s = {RSD_CLAIM_DERIVATIVES, "derivatives", "row ", " along a random direction", source};
    snprintf(source, sizeof source, "differences of %s give", rsd_formalism_name(k));
    int verdict = rsd_eval_derivatives(k, w->t, w->p, w->v, w->a, w->lam, values);
    if (verdict) return verdict;
    rsd_curve_clear(&w->c, k->m.n_v);
    rsd_curve_add_product(&w->c, &k->Phi_p, values, w->d_p);
    rsd_curve_add_product(&w->c, &k->Phi_v, values + k->Phi_p.nnz, w->d_v);
    if (k->uses_lam) rsd_curve_add_product(&w->c, &k->Phi_lam, values + k->Phi_p.nnz + k->Phi_v.nnz, w->d_lam);
    verdict = rsd_curve_compare(&w->c, k->m.n_v, evaluate_Phi_at, w, &row);
    snprintf(name, sizeof name, "%d", row);
    if (!verdict && row >= 0) rsd_examine_warn(w, &s, name, w->c.given[row], w->c.found[row]);
    return verdict;
}

static int evaluate_V_at(double s, double *x, void *examiner)
{
    rsd_examiner *w = examiner;
    int verdict = rsd_examine_move_position(w, s);
    return verdict ? verdict : rsd_eval_potential(w->k, w->t, w->p_moved, x);
}

static int compare_potential(rsd_examiner *w)
{
    static const rsd_statement potential = {RSD_CLAIM_POTENTIAL, "potential", "its derivative",
                                            " along a random direction", "forces at rest give"};
    rsd_mechanism *k = w->k;
    int row;
    memset(w->v_moved, 0, (size_t)k->m.n_v * sizeof *w->v_moved);
    memset(w->lam_moved, 0, (size_t)k->n_l * sizeof *w->lam_moved);
    int verdict = rsd_eval_formalism(k, w->t, w->p, w->v_moved, w->v_moved, w->lam_moved, k->work.out);
    rsd_curve_clear(&w->c, 1);
    for (int i = 0; i < k->n_w; i++) rsd_curve_add_term(&w->c, 0, k->work.out[i] * w->d_v[i]);
    if (!verdict) verdict = rsd_curve_compare(&w->c, 1, evaluate_V_at, w, &row);
    if (!verdict && row >= 0) rsd_examine_warn(w, &potential, "", w->c.found[0], w->c.given[0]);
    return verdict;
}

int rsd_examine_forces(rsd_examiner *w, double t, const double *p, const double *v, const double *a, const double *lam)
{
    rsd_mechanism *k = w->k;
    long entries = (long)k->Phi_p.nnz + k->Phi_v.nnz + k->Phi_lam.nnz;
    double *values = rsd_doubles(&k->alloc, entries > k->M.nnz ? entries : k->M.nnz);
    int verdict = values ? rsd_examine_set_state(w, t, p, v) : 0;
    w->a = a, w->lam = lam;
    if (values && !verdict && k->m.mass_matrix) verdict = rsd_eval_mass_matrix(k, t, p, values);
    if (values && !verdict && k->m.mass_matrix) verdict = compare_mass_matrix(w, values, 0);
    if (values && !verdict && k->m.derivatives && !k->is_explicit && rsd_examine_is_resolved(w))
        verdict = compare_derivatives(w, values);
    if (values && !verdict && k->m.potential && !k->is_explicit && rsd_examine_is_resolved(w))
        verdict = compare_potential(w);
    rsd_free(&k->alloc, values);
    return verdict;
}
