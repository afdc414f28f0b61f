/* kkt_units.c - units of the coordinates in which masses are about 1: x = U x', M' = U M U, A' = A U, Psi' = U Psi.
 * Singularity and redundancy are decided in the model's own units first. Only if these find one, and the units of
 * masses of 1 differ much from them, the decision is repeated there: a mass of 1e-16 beside one of 1 may be a matter of
 * units, so that nothing is singular; it may also be a light body between heavy ones, which is regular in its own units
 * alone. Units are powers of two, so that scaling is exact. */
#include "kkt_backend.h"

#include <math.h>

#define SAME_UNITS 1e4 /* ratio of units up to which the decision is not repeated */

int rsd_kkt_find_units(rsd_kkt *q)
{
    double least = INFINITY, most = 0;
    if (q->is_scaled) return 0;
    q->backend->masses(q, q->unit);
    for (int i = 0; i < q->n_v; i++) {
        double m = fabs(q->unit[i]);
        int exponent = 0;
        if (!(m > 0) || !isfinite(m)) m = 1;
        frexp(1 / sqrt(m), &exponent);
        q->unit[i] = ldexp(1, exponent);
        least = fmin(least, q->unit[i]);
        most = fmax(most, q->unit[i]);
    }
    return most > SAME_UNITS * least;
}

/* Forces, or accelerations in the explicit formalism. */
void rsd_kkt_scale_forces(rsd_kkt *q)
{
    for (int i = 0; i < q->n_v; i++) q->psi[i] *= q->k->is_explicit ? 1 / q->unit[i] : q->unit[i];
    for (int e = 0; e < q->D.nnz; e++) {
        const double unit = q->unit[q->D.col[e]];
        q->D_values[e] *= q->k->is_explicit ? 1 / unit : unit;
    }
}

void rsd_kkt_scale_metric(rsd_kkt *q)
{
    if (!q->is_scaled) return;
    q->backend->scale_metric(q, q->unit);
    rsd_kkt_scale_forces(q);
}

void rsd_kkt_use_units(rsd_kkt *q, int on)
{
    if (on == q->is_scaled) return;
    if (!on)
        for (int i = 0; i < q->n_v; i++) q->unit[i] = 1 / q->unit[i];
    q->is_scaled = 1;
    q->backend->scale_A(q, q->unit);
    rsd_kkt_scale_metric(q);
    q->is_scaled = on;
}

void rsd_kkt_full_rows(const rsd_kkt *q, double *A)
{
    rsd_full_G(q->k, A);
    for (long i = 0; i < q->n_l && q->is_scaled; i++)
        for (int j = 0; j < q->n_v; j++) A[i * q->n_v + j] *= q->unit[j];
}
