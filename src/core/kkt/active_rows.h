/* active_rows.h - chooses the active rows among dependent constraints during an integration.
 *
 * A start drops redundant rows. Later an active row may become a combination of the other active rows. A dropped row
 * must then replace it. After all rows are divided by their norms, the quality of the choice is measured by
 *
 *     row_i = sum c_k row_k,  margin = 1/max |c_k|     for dropped rows i and active rows k
 *
 * If rows i and k are exchanged, the volume of the active rows is multiplied by |c_k|. The margin is 0 if the active
 * rows are dependent. If it is small after an accepted step, the active rows are chosen again as at the start.
 *
 * The multipliers lam depend on the choice, but the motion does not. There is one exception. If applied forces depend
 * on lam itself and not only on G' lam, the motion also depends on the choice. To detect this, lam is changed such that
 * G' lam stays the same. The multiplier of a row that becomes inactive decays to zero within some steps. Therefore lam
 * is continuous, and the integrator keeps its history. */
#ifndef RSD_ACTIVE_ROWS_H
#define RSD_ACTIVE_ROWS_H

#include "kkt.h"
#include "base/linear/rank.h"

typedef struct rsd_active_rows {
    rsd_kkt *kkt;                     /* linear system of the start; NULL: no constraint was dropped */
    rsd_rank *rank;                   /* work space for the choice of independent rows */
    int n_dropped;                    /* number of dropped constraints */
    double accuracy;                  /* error of G, relative to its largest entry; 0: G has only rounding errors */
    double t_step;                    /* time at the end of the last step [s] */
    double t_checked, margin, t_next; /* time [s] and margin of the last check; time of the next check [s] */
    long checks;                      /* number of checks */
    long changes, changes_before;     /* number of changes of the active rows; this number at the last start */
    resida_message dropped_text;      /* names of the dropped constraints, for messages */
    resida_message shared_text;       /* warning that forces depend on lam_i of redundant constraints; or empty */
} rsd_active_rows;

/** A state after a step, at which the choice of active rows is checked. lam is NULL if unknown or discontinuous. */
typedef struct rsd_active_rows_state {
    double t;
    const double *p, *v, *lam; /* [n_p] positions, [n_v] velocities, [n_l] multipliers */
} rsd_active_rows_state;

/** Initialise c at t, after a start that dropped the rows marked in kkt->k->dropped. `accuracy` is stored in c. */
void rsd_active_rows_begin(rsd_active_rows *c, rsd_kkt *kkt, rsd_rank *rank, double accuracy, double t);

/** Check the choice of active rows after a step, and change it if necessary. *changed is then set to 1.
 *  @return 0 on success; > 0 if a callback could not be evaluated or dg/dp is not finite; < 0 on a fatal error of a
 *  callback; RESIDA_ERR_MEMORY; RESIDA_ERR_REDUNDANT, with a message in `why`, if a dropped row no longer follows
 *  from the active rows
 *  Cost: dg/dp, T, Gh, g, the velocity level, and a factorisation of the rows, at the steps that are checked. If forces
 *  depend on lam: 1 + n_dropped calls of the formalism, until a dependence on the choice is detected. */
int rsd_active_rows_check_step(rsd_active_rows *c, const rsd_active_rows_state *at, int *changed, resida_message *why);

/** Choose the active rows at positions p [n_p] of an equilibrium iteration. Multipliers of dropped rows become zero.
 *  @return 0 on success; > 0 if a callback could not be evaluated; < 0 on a fatal error; RESIDA_ERR_MEMORY.
 *  Cost: dg/dp, T, Gh, and a factorisation of the rows */
int rsd_active_rows_update(rsd_active_rows *c, double t, const double *p, int *changed);

#endif
