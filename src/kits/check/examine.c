/* examine.c - sets the state and the direction for comparisons, and writes warnings. */
#include "examine.h"

#include "base/numbers.h"
#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MAX_STATE_ROUNDING 1e-9 /* maximum rounding error of a compared state; increments begin at 1e-4 */

/* Difference quotients of smooth functions have relative errors below 1e-8. */
static const rsd_closeness close_rows = {1e-4, 1e-6, 16};

double rsd_get_random_component(int j)
{
    double whole, part = modf(RSD_GOLDEN * (j + 1), &whole);
    return (j % 2 ? -1 : 1) * (0.5 + part);
}

resida_status rsd_examine_find_groups(rsd_colouring *c, const rsd_csr *A, const resida_allocator *alloc)
{
    rsd_sparsity pattern;
    RSD_TRY(rsd_sparsity_from_csr(&pattern, A, alloc, NULL));
    const resida_status status = rsd_colour_columns(c, &pattern, NULL, alloc, NULL);
    rsd_sparsity_free(&pattern, alloc);
    return status;
}

resida_status rsd_examiner_create(rsd_examiner *w, rsd_mechanism *k, rsd_warnings *warnings,
                                  const resida_allocator *alloc)
{
    const resida_mechanism *m = &k->m;
    int n = k->n_l > 2 * m->n_u ? k->n_l : 2 * m->n_u;
    if (m->n_p > n) n = m->n_p;
    if (m->n_v > n) n = m->n_v;
    *w = (rsd_examiner){.k = k, .warnings = warnings, .c.close = close_rows};
    const int all = RSD_DOUBLES(alloc, m->n_p, &w->d_p, &w->p_moved, &w->p_half, &w->p_nearby) &&
                    RSD_DOUBLES(alloc, m->n_v, &w->d_v, &w->v_moved) &&
                    RSD_DOUBLES(alloc, k->n_l, &w->d_lam, &w->lam_moved) && rsd_curve_allocate(&w->c, n, alloc);
    if (!all) return RESIDA_ERR_MEMORY;
    const int has_groups = m->constraint_matrix && rsd_csr_is_sparse(&k->gp); /* a full matrix has no groups */
    return has_groups ? rsd_examine_find_groups(&w->columns, &k->gp, alloc) : RESIDA_OK;
}

int rsd_examine_set_state(rsd_examiner *w, double t, const double *p, const double *v)
{
    rsd_mechanism *k = w->k;
    w->t = t, w->p = p, w->v = v;
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_eval_matrices(k, t, p);
    for (int j = 0; j < k->m.n_v; j++) w->d_v[j] = rsd_get_random_component(j);
    for (int i = 0; i < k->n_l; i++) w->d_lam[i] = rsd_get_random_component(i);
    if (!verdict) rsd_apply_T(k, w->d_v, w->d_p);
    return verdict;
}

int rsd_examine_is_resolved(const rsd_examiner *w)
{
    const double state = fmax(rsd_max_norm(w->p, w->k->m.n_p), rsd_max_norm(w->v, w->k->m.n_v));
    return DBL_EPSILON * fmax(fabs(w->t), state) <= MAX_STATE_ROUNDING;
}

void rsd_curve_add_product(rsd_curve *c, const rsd_csr *A, const double *values, const double *d)
{
    for (int i = 0; i < A->rows; i++)
        for (int e = A->row[i]; e < A->row[i + 1]; e++) rsd_curve_add_term(c, i, values[e] * d[A->col[e]]);
}

int rsd_examine_eval_formalism(rsd_examiner *w, const double *p, const double *v, const double *x, const double *lam,
                               double *out)
{
    return rsd_eval_formalism(w->k, w->t, p, v, x, lam, out);
}

int rsd_examine_move_position(rsd_examiner *w, double s)
{
    rsd_mechanism *k = w->k;
    const double *speed = w->d_p;
    if (k->m.kinematic_matrix && s != 0) {
        for (int i = 0; i < k->m.n_p; i++) w->p_half[i] = w->p[i] + s / 2 * w->d_p[i];
        int verdict = rsd_eval_kinematic_matrix(k, w->t, w->p_half);
        if (verdict) return verdict;
        rsd_apply_T(k, w->d_v, w->p_half);
        speed = w->p_half;
    }
    for (int i = 0; i < k->m.n_p; i++) w->p_moved[i] = w->p[i] + s * speed[i];
    return 0;
}

void rsd_examine_warn(rsd_examiner *w, const rsd_statement *s, const char *row, double given, double found)
{
    rsd_add_warning(w->warnings, s->claim, "%s: %s%s is %.6g%s at t = %.6g, %s %.6g", s->callback, s->what, row, given,
                    s->along, w->t, s->source, found);
}
