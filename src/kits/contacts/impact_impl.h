/* impact_impl.h - sets up the linear complementarity problem of contacts from the factors of a start. Its solutions are
 * impulses of an impact, or forces of closed contacts. */
#ifndef RSD_IMPACT_IMPL_H
#define RSD_IMPACT_IMPL_H

#include <resida/impact.h>

#include "src/core/start/start_impl.h"

/** Data of an impact, or of contact forces P. In arrays [.. x n] the data of a row are contiguous. */
typedef struct rsd_impact {
    rsd_start *s;             /* start whose factors are used */
    const resida_contacts *c; /* contacts of the impact */
    int n, n_v, n_l;          /* number of rows (gaps, then sliding directions), velocities, multipliers */
    double *rows;             /* [n_v x n] rows of gap speeds, (dphi/dp) T, with 0 for states */
    double *x, *mu;   /* [n_v x n] changes of velocities, [n_l x n] multipliers, by a unit impulse along each row */
    double *mu_0;     /* [n_l] impulses of the joints without contacts; add_impulses() adds the effect of P */
    double *base;     /* [n_v] kkt.psi, the applied forces, before unit impulses replace it */
    double *D, *D_1;  /* [n x n] matrix D of the problem; D scaled to a diagonal of 1 */
    double *size;     /* [n] 1/sqrt(D_ii); 0: joints prescribe the motion of the contact */
    double *w_before; /* [n] speeds of the gaps before the impact */
    double *q, *P;    /* [n] vector q and [n] impulses P of the scaled problem */
    double rounding;  /* rounding error of q */
    double *w, *z;    /* [n] work space */
    double *v;        /* [n_v] velocities after the impact */
} rsd_impact;

/** Allocate memory of *x for x->n contacts. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_impact_allocate(rsd_impact *x, const resida_allocator *a, resida_message *why);

/** Compute the row [n_v] = given T of a gap from `given` [n_p]. Entries of states are 0. */
void rsd_impact_compute_row(const rsd_mechanism *k, const double *given, double *row);

/** Compute the responses x->x, x->mu to unit impulses, x->D and x->size. v [n_v] are the velocities at which M was
 *  evaluated. Overwrites kkt.psi. */
resida_status rsd_impact_solve_unit_impulses(rsd_impact *x, const double *v);

/** Compute x->D_1 by scaling the matrix D to a unit diagonal. */
void rsd_impact_scale_matrix(rsd_impact *x);

#endif
