/* falling_mass.c - see falling_mass.h. */
#include "falling_mass.h"
#include "test/fixtures/solver_fixture.h"

int falling_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                     void *user)
{
    r[0] = a[0] + GRAVITY;
    return 0;
}

static int height(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    out[0] = p[0];
    return 0;
}

resida_mechanism falling_mass(void)
{
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = m.n_root = 1;
    m.residual = falling_residual;
    m.root = height;
    return m;
}
