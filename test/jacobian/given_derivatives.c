/* given_derivatives.c - see given_derivatives.h. */
#include "given_derivatives.h"

static given *in_use;

/* D [n x n], row by row: dPhi/dx, x being p or v. */
static void differences(const given *k, double t, const double *p, const double *v, const double *a,
                        const resida_excitation *e, int of_v, double *D)
{
    static const double shifts[] = {1, -1, 2, -2}, factors[] = {8, -8, -1, 1};
    const int n = k->m->n_v;
    double x[2][GIVEN_MAX], r[GIVEN_MAX];
    memcpy(x[0], p, (size_t)n * sizeof *p);
    memcpy(x[1], v, (size_t)n * sizeof *v);
    for (int i = 0; i < n * n; i++) D[i] = k->off;
    for (int c = 0; c < n; c++) {
        const double kept = x[of_v][c], h = 1e-3 * fmax(1, fabs(kept));
        for (int s = 0; s < 4; s++) {
            x[of_v][c] = kept + shifts[s] * h;
            assert_int_equal(k->m->residual(t, x[0], x[1], a, e, r, k->m->user), 0);
            for (int i = 0; i < n; i++) D[i * n + c] += factors[s] * r[i] / (12 * h);
        }
        x[of_v][c] = kept;
    }
}

static int derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                       const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    given *k = in_use;
    (void)lam, (void)user; /* it is the model's */
    assert_null(Phi_lam);  /* Psi does not depend on lam */
    k->calls++;
    differences(k, t, p, v, a, e, 0, Phi_p);
    differences(k, t, p, v, a, e, 1, Phi_v);
    memcpy(k->Phi_v, Phi_v, (size_t)(k->m->n_v * k->m->n_v) * sizeof *Phi_v);
    if (k->fail_at == 0 || k->calls < k->fail_at) return 0;
    Phi_v[k->m->n_v * k->m->n_v - 1] += k->spoil;
    return k->verdict;
}

resida_mechanism given_derivatives(given *k, const bench *b)
{
    resida_mechanism m = *b->m;
    assert_true(m.n_v <= GIVEN_MAX && m.n_p == m.n_v);
    assert_non_null(m.residual);
    in_use = k;
    k->m = b->m;
    m.acceleration = NULL;
    m.derivatives = derivatives;
    return m;
}
