/* active_rows.h - chooses the active rows among dependent constraints during an integration.
 *
 * A start drops redundant rows. Later an active row may become a combination of the other active ones, and a dropped
 * row is needed instead. With all rows of norm one, the quality of the choice is
 *
 *     row_i = sum c_k row_k,  margin = 1/max |c|     i: dropped, k: active
 *
 * The exchange of rows i and k multiplies the volume of the active rows by |c_k|. The margin is 0 if the active rows
 * are dependent. If it is small after an accepted step, the active rows are chosen again as at the start.
 *
 * The motion does not depend on the choice; multipliers do. If applied forces depend on lam other than through G' lam,
 * the motion depends on the choice, too. This is detected by a change of lam that does not change G' lam. The
 * multiplier of a row that becomes inactive decays to zero within some steps. Therefore lam is continuous, and the
 * integrator keeps its history. */
#ifndef RSD_ACTIVE_ROWS_H
#define RSD_ACTIVE_ROWS_H

#include "kkt.h"
#include "base/linear/rank.h"

typedef struct rsd_active_rows {
    rsd_kkt *kkt; /* system of the start; NULL: no row was dropped */
    rsd_rank *rank;
    int n_dropped;
    double accuracy;                  /* of the model, as a part of the largest entry of G; 0: rounding */
    double t_step;                    /* end of the last step */
    double t_checked, margin, t_next; /* time and result of the last check, time of the next check */
    long checks;
    long changes, changes_before; /* since the first start; before the last start */
    resida_message dropped_text;  /* names of the dropped rows */
    resida_message shared_text;   /* rows on whose individual multipliers forces depend; empty: none found */
} rsd_active_rows;

/** A state after a step. lam [n_l] is NULL if it is not known, or not continuous. */
typedef struct rsd_active_rows_state {
    double t;
    const double *p, *v, *lam;
} rsd_active_rows_state;

/** Begin at t, after a start that dropped the rows marked in kkt->k->dropped. */
void rsd_active_rows_begin(rsd_active_rows *c, rsd_kkt *kkt, rsd_rank *rank, double accuracy, double t);

/** Check the choice of active rows after a step, and change it if necessary. *changed is then set to 1.
 *  @return the verdict of the callbacks, > 0 also if dg/dp is not finite; RESIDA_ERR_MEMORY; RESIDA_ERR_REDUNDANT, with
 *       a message in `why`, if a dropped row no longer follows from the active ones
 *  Cost: dg/dp, T, Gh, g, the velocity level, and a factorisation of the rows, at some of the steps. If forces depend
 *  on lam, also a call of the formalism and one for each dropped row, until a dependence on the choice is detected. */
int rsd_active_rows_step(rsd_active_rows *c, const rsd_active_rows_state *at, int *changed, resida_message *why);

/** Choose the active rows at positions p [n_p] of an equilibrium iteration. Multipliers of dropped rows become zero.
 *  @return the verdict of the callbacks; RESIDA_ERR_MEMORY.
 *  Cost: dg/dp, T, Gh, and a factorisation of the rows */
int rsd_active_rows_update(rsd_active_rows *c, double t, const double *p, int *changed);

#endif
