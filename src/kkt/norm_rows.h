/* norm_rows.h - norms of Euler parameters, in their place and out of it: rows k of invariants that must have K T = 0,
 * and rows of dg/dp that have it too, though they stand among the constraints. Asked by the consistent start. */
#ifndef RSD_NORM_ROWS_H
#define RSD_NORM_ROWS_H

#include "src/mechanism/mechanism_impl.h"
#include "src/linear/rank.h"

/** p [n_p] onto the invariants; *before: how far it was off.
 *  @param[out] verdict  of the callbacks; when it is not 0, or what they gave is not finite, the status says nothing
 *  @return RESIDA_OK; RESIDA_ERR_INCONSISTENT, with a message */
resida_status rsd_find_invariants(rsd_mechanism *k, double t, double *p, double *before, int *verdict,
                                  resida_message *why);

/** What is called an invariant is one, by the K and T at hand: RESIDA_OK; RESIDA_ERR_MODEL, with a message. */
resida_status rsd_check_invariants(rsd_mechanism *k, double t, resida_message *why);

/** Is there a row of G = (dg/dp) T, with the matrices at hand, that is zero but for rounding where that of dg/dp is
 *  not? */
int rsd_has_null_row(rsd_mechanism *k);

/** Such rows become zero in A [n_l x n_v], which is G and Gh. */
void rsd_clear_null_rows(rsd_mechanism *k, double *A);

/** Which rows are redundant, of which others they are made, and which are norms that belong elsewhere, into `why`.
 *  p_work [n_p]. The verdict of the callbacks. */
int rsd_describe_redundant(rsd_mechanism *k, double t, const double *p, rsd_rank *rank, double *p_work,
                           resida_message *why);

#endif
