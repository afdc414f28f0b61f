/* norm_rows.h - norms of Euler parameters: invariants k(p) = 0 must have K T = 0, K = dk/dp; a constraint with
 * (dg/dp) T = 0 should be an invariant. Used by the consistent start. */
#ifndef RSD_NORM_ROWS_H
#define RSD_NORM_ROWS_H

#include "src/mechanism/mechanism_impl.h"
#include "src/linear/rank.h"

/** Project p [n_p] onto the invariants; *before: max |k| before.
 *  @param[out] verdict  of the callbacks; if it is not 0, or their output is not finite, the status is meaningless
 *  @return RESIDA_OK; RESIDA_ERR_INCONSISTENT, with a message */
resida_status rsd_find_invariants(rsd_mechanism *k, double t, double *p, double *before, int *verdict,
                                  resida_message *why);

/** Check K T = 0 for the current K and T: RESIDA_OK; RESIDA_ERR_MODEL, with a message. */
resida_status rsd_check_invariants(rsd_mechanism *k, double t, resida_message *why);

/** 1: the current matrices have a null row: one of G = (dg/dp) T is zero up to rounding, and not that of dg/dp. */
int rsd_has_null_row(rsd_mechanism *k);

/** Set null rows of A [n_l x n_v] = (G, Gh) to zero. */
void rsd_clear_null_rows(rsd_mechanism *k, double *A);

/** Describe in `why` the redundant rows, as combinations of others, and those that should be invariants. p_work [n_p].
 *  @return the verdict of the callbacks */
int rsd_describe_redundant(rsd_mechanism *k, double t, const double *p, rsd_rank *rank, double *p_work,
                           resida_message *why);

#endif
