/* impact_impl.h - a linear complementarity problem for contacts, with the factors of a start: impulses of an impact, or
 * forces of contacts that hold. */
#ifndef RSD_IMPACT_IMPL_H
#define RSD_IMPACT_IMPL_H

#include <resida/impact.h>

#include "src/core/start/start_impl.h"

/** One call. Arrays by contact are [.. x n], one after the other. Where forces are looked for, P are forces. */
typedef struct rsd_impact {
    rsd_start *s;
    const resida_contacts *c;
    int n, n_v, n_l;
    double *rows;       /* [n_v x n] n_i T, 0 for states */
    double *x, *mu;     /* [n_v x n], [n_l x n] */
    double *mu_0;       /* [n_l] */
    double *base;       /* [n_v] Psi */
    double *D, *D_1;    /* [n x n]; D scaled to a diagonal of 1 */
    double *size;       /* [n] 1/sqrt(D_ii); 0: the joints fix the contact */
    double *w_before;   /* [n] */
    double *q, *P;      /* [n] of the scaled problem */
    double least;       /* of q: rounding */
    double *w, *z;      /* [n] work */
    double *v;          /* [n_v] */
    int *slides, *ends; /* [n] states of sliding before and after, with friction */
} rsd_impact;

/** Memory for x->n contacts. RESIDA_ERR_MEMORY */
resida_status rsd_impact_reserve(rsd_impact *x, const resida_allocator *a, resida_message *why);

/** row [n_v] = given T, given [n_p]; 0 for states. */
void rsd_impact_row(const rsd_mechanism *k, const double *given, double *row);

/** x->x, x->mu, x->D, x->size; psi of the kkt is overwritten. v [n_v]: the velocities that the metric was made with. */
resida_status rsd_impact_units(rsd_impact *x, const double *v);

/** x->D_1, D scaled to a diagonal of 1. */
void rsd_impact_scale(rsd_impact *x);

#endif
