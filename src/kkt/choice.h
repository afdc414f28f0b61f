/* choice.h - which of the constraints that depend on each other are taken while the integration runs.
 *
 * A start drops redundant rows. Which of them is right where it is made may be wrong later: a row that is kept becomes
 * a combination of the others, and one that was dropped is needed. How good a choice is shows in how the dropped rows
 * follow from those that are kept, all of norm one:
 *
 *     row_i = sum c_k row_k,  room = 1/max |c|
 *
 * An exchange of rows i and k makes the volume of those that are kept |c_k| times as large; where they become dependent
 * the room is 0. When it has become small, after an accepted step, the rows are chosen anew as at the start.
 *
 * The motion does not depend on the choice, multipliers do; but where forces depend on lam beyond G' lam, so does the
 * motion, which is found by a change of lam that leaves G' lam. Multipliers of a row that is dropped on the way go to
 * zero within some steps, smoothly, so that lam is continuous and nothing has to begin anew. */
#ifndef RSD_CHOICE_H
#define RSD_CHOICE_H

#include "kkt.h"
#include "src/linear/rank.h"

typedef struct rsd_choice {
    rsd_kkt *kkt; /* of the start; NULL: nothing was dropped */
    rsd_rank *rank;
    int n_dropped;
    double t_step;             /* end of the last step */
    double t_seen, room, next; /* when it was looked at last, what was found, when to look again */
    long looks;
    long changes, changes_before; /* of all starts, of those before the last one */
    resida_message story;         /* which rows were dropped, in words */
    resida_message shared;        /* whose multipliers forces depend on one by one; empty: none was seen */
} rsd_choice;

/** A state after a step. lam [n_l]; NULL: it is not known, and does not go on smoothly */
typedef struct rsd_choice_state {
    double t;
    const double *p, *v, *lam;
} rsd_choice_state;

/** A start at t has dropped the rows marked in kkt->k->dropped. */
void rsd_choice_begin(rsd_choice *c, rsd_kkt *kkt, rsd_rank *rank, double t);

/** A step has ended. *changed: 1 when the rows were chosen anew.
 *  @return verdict of the callbacks, > 0 also when dg/dp is not finite; RESIDA_ERR_MEMORY; RESIDA_ERR_REDUNDANT, with a
 *  message in `why`: a dropped row does not follow from the others any more
 *  Cost: dg/dp, T, Gh, g and the velocity level at some of the steps, at most at each, and a factorisation of the
 *  rows; where forces depend on lam, until they are seen to depend on the choice, a call of the formalism and one
 *  for each dropped row. */
int rsd_choice_follow(rsd_choice *c, const rsd_choice_state *at, int *changed, resida_message *why);

/** The same of positions p [n_p] on the way to an equilibrium, where multipliers of dropped rows are zero at once.
 *  @return verdict of the callbacks; RESIDA_ERR_MEMORY. Cost: dg/dp, T, Gh, and a factorisation of the rows */
int rsd_choice_renew(rsd_choice *c, double t, const double *p, int *changed);

#endif
