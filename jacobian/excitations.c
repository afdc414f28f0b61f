/* excitations.c - computes second derivatives for the extended update, equation (26) of Arnold, Fuchs, Fuehrer:
 *
 *     D_i = d2F / du_i dy   by differences of dF/dy over u_i, once
 *
 * The inputs u_i are u, ud and udd. One residual call for each input shows whether F depends on this input. The paper
 * does not use the residual formalism. With that formalism the update needs no additional call, because every setup
 * updates M at the present u. */
#include "excitations.h"

#include <math.h>
#include <string.h>

#include "base/callback.h"
#include "base/memory.h"

enum { MAX_REFUSALS = 2 };   /* number of failures to compute D after which D is omitted */
#define INPUT_INCREMENT 0.1  /* increment of an input, relative to its size */
#define MIN_INPUT_SIZE  0.01 /* minimum size of an input, in its unit */

int rsd_excitations_create(rsd_excitations *exc, const rsd_frame *f)
{
    return RSD_DOUBLES(&f->alloc, f->s.n_inputs, &exc->u, &exc->u_old) &&
           RSD_INTS(&f->alloc, f->s.n_inputs, &exc->live);
}

/* Free the derivatives D of A by the inputs. The next evaluation of A computes D again. */
static void free_D(const rsd_frame *f, rsd_parts *p)
{
    rsd_free(&f->alloc, p->D);
    p->D = NULL;
}

void rsd_excitations_reset(rsd_excitations *exc, const rsd_frame *f, rsd_parts *p)
{
    exc->n_live = exc->refused = 0;
    free_D(f, p);
}

static int evaluate_inputs(const rsd_frame *f, double t, double *u)
{
    return f->s.n_inputs > 0 ? rsd_call_inputs(t, u, NULL, &f->s) : 0;
}

int rsd_excitations_store_inputs(rsd_excitations *exc, const rsd_frame *f, double t)
{
    return evaluate_inputs(f, t, exc->u_old);
}

static double get_input_increment(const rsd_excitations *exc, int i)
{
    return INPUT_INCREMENT * fmax(fabs(exc->u[i]), MIN_INPUT_SIZE);
}

/* Restore input i. Return `verdict` if it is nonzero, otherwise the result of the callback that restores the input. */
static int restore_input(const rsd_frame *f, int i, int verdict)
{
    int back = rsd_call_move_input(i, 0, NULL, &f->s);
    return verdict ? verdict : back;
}

/* Set *yes to 1 if F changes when input i of the excitations changes. */
static int find_dependence_on_input(const rsd_excitations *exc, rsd_differences *d, const resida_jacobian_point *at,
                                    int i, int *yes)
{
    int verdict = rsd_call_move_input(i, get_input_increment(exc, i), NULL, &d->f->s);
    if (!verdict) verdict = rsd_evaluate_part(d, RSD_WHOLE, at->t, at->y, at->yp, d->r);
    verdict = restore_input(d->f, i, verdict);
    *yes = 0;
    for (int k = 0; k < d->f->n && !verdict; k++) *yes |= d->r[k] != at->F[k];
    return verdict;
}

/* Compute the derivative D_i = (A(u_i + step) - A) / step of A by input i. On entry D contains A. */
static int compute_D_of_input(const rsd_excitations *exc, rsd_differences *d, const rsd_parts *p, rsd_jumps *jumps,
                              const resida_jacobian_point *at, int i, double *D)
{
    resida_jacobian_point moved = *at;
    const double step = get_input_increment(exc, i);
    int verdict = rsd_call_move_input(i, step, NULL, &d->f->s);
    if (!verdict) verdict = rsd_evaluate_part(d, RSD_WHOLE, at->t, at->y, at->yp, d->r);
    moved.F = d->r;
    if (!verdict)
        verdict =
            rsd_evaluate_quotients(d, RSD_FORMALISM, &p->formalism, &moved, 1, 0, RESIDA_COLUMN_FORMALISM, NULL, D);
    if (!verdict) verdict = rsd_jumps_replace(jumps, d, p, &moved, D, p->A);
    verdict = restore_input(d->f, i, verdict);
    for (int k = 0; k < p->pattern.nnz; k++) D[k] = (D[k] - p->A[k]) / step;
    return verdict;
}

/* Compute the derivatives D [n_live x nnz] of A by all live inputs. On failure free D. */
static int compute_D_of_live_inputs(rsd_excitations *exc, rsd_differences *d, rsd_parts *p, rsd_jumps *jumps,
                                    const resida_jacobian_point *at)
{
    int verdict = 0;
    if (!(p->D = rsd_matrix(&d->f->alloc, exc->n_live, p->pattern.nnz))) return RESIDA_ERR_MEMORY;
    for (int q = 0; q < exc->n_live && !verdict; q++) {
        double *D = p->D + (size_t)q * (size_t)p->pattern.nnz;
        memcpy(D, p->A, (size_t)p->pattern.nnz * sizeof *D);
        verdict = compute_D_of_input(exc, d, p, jumps, at, exc->live[q], D);
    }
    if (verdict) free_D(d->f, p);
    return verdict;
}

static int find_live_inputs_and_D(rsd_excitations *exc, rsd_differences *d, rsd_parts *p, rsd_jumps *jumps,
                                  const resida_jacobian_point *at)
{
    int verdict = evaluate_inputs(d->f, at->t, exc->u);
    exc->n_live = 0;
    for (int i = 0; i < d->f->s.n_inputs && !verdict; i++) {
        int yes;
        verdict = find_dependence_on_input(exc, d, at, i, &yes);
        if (yes) exc->live[exc->n_live++] = i;
    }
    return verdict ? verdict : compute_D_of_live_inputs(exc, d, p, jumps, at);
}

int rsd_excitations_compute_D(rsd_excitations *exc, rsd_differences *d, rsd_parts *p, rsd_jumps *jumps,
                              const resida_jacobian_point *at)
{
    if (p->D || d->f->s.n_inputs == 0 || exc->refused >= MAX_REFUSALS) return 0;
    int verdict = find_live_inputs_and_D(exc, d, p, jumps, at);
    exc->refused = verdict > 0 ? exc->refused + 1 : 0;
    if (exc->refused < MAX_REFUSALS) return verdict;
    exc->n_live = 0; /* F cannot be evaluated at other excitations; J is updated without D */
    return 0;
}

int rsd_excitations_add_to_J(rsd_excitations *exc, const rsd_frame *f, rsd_parts *p, double t)
{
    if (!p->D) return 0;
    const int nnz = p->pattern.nnz, verdict = evaluate_inputs(f, t, exc->u);
    for (int q = 0; q < exc->n_live && !verdict; q++) {
        const double *D = p->D + (size_t)q * (size_t)nnz, change = exc->u[exc->live[q]] - exc->u_old[exc->live[q]];
        for (int e = 0; e < nnz; e++) p->J[e] += D[e] * change;
    }
    return verdict;
}
