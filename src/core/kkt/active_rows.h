/* active_rows.h - the choice of active rows among dependent constraints during an integration.
 *
 * A start drops redundant rows. Later an active row may become a combination of the other active ones, so that a
 * dropped row is needed. With all rows of norm one, the quality of the choice is
 *
 *     row_i = sum c_k row_k,  margin = 1/max |c|     i: dropped, k: active
 *
 * The exchange of rows i and k makes the volume of the active rows |c_k| times as large; the margin is 0 where they are
 * dependent. If it is small after an accepted step, the active rows are chosen again as at the start.
 *
 * The motion does not depend on the choice, multipliers do. Where applied forces depend on lam beyond G' lam, so does
 * the motion; this is detected by a change of lam that keeps G' lam. The multiplier of a row that becomes inactive
 * decays to zero within some steps, so that lam is continuous and the integrator keeps its history. */
#ifndef RSD_ACTIVE_ROWS_H
#define RSD_ACTIVE_ROWS_H

#include "kkt.h"
#include "base/linear/rank.h"

typedef struct rsd_active_rows {
    rsd_kkt *kkt; /* of the start; NULL: no row was dropped */
    rsd_rank *rank;
    int n_dropped;
    double accuracy;                  /* of the description, as a part of the largest entry of G; 0: rounding */
    double t_step;                    /* end of the last step */
    double t_checked, margin, t_next; /* time and result of the last check, time of the next one */
    long checks;
    long changes, changes_before; /* of all starts, of those before the last one */
    resida_message dropped_text;  /* names of the dropped rows */
    resida_message shared_text;   /* rows on whose single multipliers forces depend; empty: none found */
} rsd_active_rows;

/** A state after a step. lam [n_l]; NULL: not known, or not continuous */
typedef struct rsd_active_rows_state {
    double t;
    const double *p, *v, *lam;
} rsd_active_rows_state;

/** Begin at t, after a start that dropped the rows marked in kkt->k->dropped. */
void rsd_active_rows_begin(rsd_active_rows *c, rsd_kkt *kkt, rsd_rank *rank, double accuracy, double t);

/** Check the rows after a step. *changed: 1 when others are active now.
 *  @return verdict of the callbacks, > 0 also when dg/dp is not finite; RESIDA_ERR_MEMORY; RESIDA_ERR_REDUNDANT, with a
 *  message in `why`: a dropped row does not follow from the active ones any more
 *  Cost: dg/dp, T, Gh, g and the velocity level at some of the steps, at most at each, and a factorisation of the
 *  rows; where forces depend on lam, until they are seen to depend on the choice, a call of the formalism and one
 *  for each dropped row. */
int rsd_active_rows_step(rsd_active_rows *c, const rsd_active_rows_state *at, int *changed, resida_message *why);

/** The same at positions p [n_p] of an iteration for an equilibrium, where multipliers of dropped rows are zero at
 *  once.
 *  @return verdict of the callbacks; RESIDA_ERR_MEMORY. Cost: dg/dp, T, Gh, and a factorisation of the rows */
int rsd_active_rows_update(rsd_active_rows *c, double t, const double *p, int *changed);

#endif
