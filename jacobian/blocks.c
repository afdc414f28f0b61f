/* blocks.c - updates the parts of J that cost no residual call: C from known entries and from differences of the
 * constraint part, and B from known entries. Also evaluates the unknown entries of B. In the GGL formulation C and B
 * contain G in the constraint rows, G' in the columns of lam and eta, -T, the derivatives of the constraint forces, and
 * alpha M. */
#include "engine_impl.h"

#include <string.h>

#include "base/callback.h"

static int evaluate_known_entries(resida_jacobian *jac, const resida_jacobian_point *at)
{
    const resida_system *s = &jac->f.s;
    int verdict = s->known ? rsd_call_known(at->t, at->y, at->yp, jac->given.y, jac->given.yp, NULL, s) : 0;
    if (verdict || jac->p.y.n + jac->p.yp.n == 0) return verdict;
    return rsd_parts_activate_zeros(&jac->p, &jac->f, jac->given.y, jac->given.yp);
}

static void copy_known_B(resida_jacobian *jac)
{
    for (int k = 0; k < jac->f.s.n_yp; k++) jac->p.B[jac->p.yp_at[k]] = jac->given.yp[k];
}

int rsd_update_B(resida_jacobian *jac, const resida_jacobian_point *at)
{
    const int verdict = evaluate_known_entries(jac, at);
    if (!verdict) copy_known_B(jac);
    return verdict;
}

int rsd_evaluate_B(resida_jacobian *jac, const resida_jacobian_point *at)
{
    int verdict = evaluate_known_entries(jac, at);
    if (!verdict && !jac->f.combined) {
        double *B = jac->p.before;
        memcpy(B, jac->p.B, (size_t)jac->p.pattern.nnz * sizeof *B);
        verdict = rsd_evaluate_quotients(&jac->d, RSD_WHOLE, &jac->p.formalism, at, 0, 1, RESIDA_COLUMN_YP, NULL, B);
        if (!verdict) rsd_parts_store_B(&jac->p, B);
    }
    if (!verdict) copy_known_B(jac);
    return verdict;
}

static int compute_C_by_differences(resida_jacobian *jac, const resida_jacobian_point *at)
{
    const resida_system *s = &jac->f.s;
    int verdict = s->around ? rsd_call_prepare_differences(at->t, at->y, at->yp, NULL, s) : 0;
    if (!verdict)
        verdict = rsd_evaluate_quotients(&jac->d, RSD_CONSTRAINT, &jac->p.constraint, at, 1, 0,
                                         RESIDA_COLUMN_CONSTRAINT, NULL, jac->p.C);
    if (s->around) (void)rsd_call_prepare_differences(at->t, NULL, NULL, NULL, s);
    return verdict;
}

/* Elements of C that are not set here are zero until the pattern of J changes. */
int rsd_update_C(resida_jacobian *jac, const resida_jacobian_point *at)
{
    if (!jac->f.s.constraint) return 0;
    int verdict = jac->f.combined ? 0 : compute_C_by_differences(jac, at);
    for (int k = 0; k < jac->f.s.n_y && !verdict; k++) jac->p.C[jac->p.y_at[k]] = jac->given.y[k];
    return verdict;
}
