/* excitation.c - the second derivatives of the extended update, equation (26) of Arnold, Fuchs, Fuehrer:
 *
 *     D_i = d2F / du_i dy   by differences of dF/dy over u_i, once
 *
 * The paper leaves the residual formalism out; here it costs no more, because M (and with it dM/du) is renewed at every
 * update anyway. Inputs are u, ud and udd; one call each tells those that F does not look at. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

enum { MOST_REFUSALS = 2 };

int rsd_inputs(resida_jacobian *j, double t, double *u)
{
    return j->s.n_inputs > 0 ? rsd_call_inputs(t, u, NULL, &j->s) : 0;
}

static double step_of(const resida_jacobian *j, int i)
{
    return 0.1 * fmax(fabs(j->u[i]), 0.01);
}

/* The first verdict that is not 0, after input i was moved. */
static int moved_back(resida_jacobian *j, int i, int verdict)
{
    int back = rsd_call_move_input(i, 0, NULL, &j->s);
    return verdict ? verdict : back;
}

/* Does F change with input i at all? */
static int matters(resida_jacobian *j, const resida_jacobian_point *at, int i, int *yes)
{
    int verdict = rsd_call_move_input(i, step_of(j, i), NULL, &j->s);
    if (!verdict) verdict = rsd_call(j, RSD_WHOLE, at->t, at->y, at->yp, j->r);
    verdict = moved_back(j, i, verdict);
    *yes = 0;
    for (int k = 0; k < j->n && !verdict; k++) *yes |= j->r[k] != at->F[k];
    return verdict;
}

/* D_i = (A(u_i + step) - A) / step. */
static int derivative(resida_jacobian *j, const resida_jacobian_point *at, int i, double *D)
{
    resida_jacobian_point moved = *at;
    double step = step_of(j, i);
    int verdict = rsd_call_move_input(i, step, NULL, &j->s);
    if (!verdict) verdict = rsd_call(j, RSD_WHOLE, at->t, at->y, at->yp, j->J); /* J [nnz >= n] is free now */
    moved.F = j->J;
    if (!verdict) verdict = rsd_difference(j, RSD_DEAR, &moved, 1, 0, RESIDA_COLUMN_DEAR, NULL, D);
    if (!verdict) verdict = rsd_replace_jumps(j, &moved, D, j->A);
    verdict = moved_back(j, i, verdict);
    for (int k = 0; k < j->pattern.nnz; k++) D[k] = (D[k] - j->A[k]) / step;
    return verdict;
}

/* D of the live inputs [n_live x nnz]; all of it or none. */
static int derivatives(resida_jacobian *j, const resida_jacobian_point *at)
{
    int verdict = 0;
    j->D = rsd_matrix(&j->alloc, j->n_live, j->pattern.nnz);
    if (!j->D) return RESIDA_ERR_MEMORY;
    for (int q = 0; q < j->n_live && !verdict; q++) {
        double *D = j->D + (size_t)q * (size_t)j->pattern.nnz;
        memcpy(D, j->A, (size_t)j->pattern.nnz * sizeof *D);
        verdict = derivative(j, at, j->live[q], D);
    }
    if (verdict) { /* half of it is none: to be found by the next evaluation */
        rsd_free(&j->alloc, j->D);
        j->D = NULL;
    }
    return verdict;
}

static int find_excitation_part(resida_jacobian *j, const resida_jacobian_point *at)
{
    int verdict = rsd_inputs(j, at->t, j->u);
    j->n_live = 0;
    for (int i = 0; i < j->s.n_inputs && !verdict; i++) {
        int yes;
        verdict = matters(j, at, i, &yes);
        if (yes) j->live[j->n_live++] = i;
    }
    return verdict ? verdict : derivatives(j, at);
}

int rsd_excitation_part(resida_jacobian *j, const resida_jacobian_point *at)
{
    if (j->D || j->s.n_inputs == 0 || j->refused_excitations >= MOST_REFUSALS) return 0;
    int verdict = find_excitation_part(j, at);
    j->refused_excitations = verdict > 0 ? j->refused_excitations + 1 : 0;
    if (j->refused_excitations < MOST_REFUSALS) return verdict;
    j->n_live = 0; /* F is not possible at other excitations: the update goes without them */
    return 0;
}
