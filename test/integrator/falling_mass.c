/* falling_mass.c - see falling_mass.h. */
#include "falling_mass.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

int falling_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                     void *user)
{
    r[0] = a[0] + GRAVITY;
    return 0;
}

resida_mechanism falling_mass(void)
{
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = m.n_root = 1;
    m.residual = falling_residual;
    m.root = small_p0;
    return m;
}
