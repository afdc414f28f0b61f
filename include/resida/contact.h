/* resida/contact.h - contacts of a mechanism: gaps that close and open.
 *
 * A contact i has a gap phi_i(t, p) >= 0, a root function of the mechanism. Where it falls to zero there is an impact
 * (resida/impact.h). Contacts that hold (`holds`) are unilateral constraints besides:
 *
 *     0 <= phi_i,  0 <= N_i,  phi_i N_i = 0,   N_i = -lam_k the force that pushes the bodies apart [N], k = first_g + i
 *
 * Their gaps are constraints g_k of the mechanism, too. While contact i is closed row k acts as any other constraint:
 * its force -G_k' lam_k, in all formulations. While it is open the row is left out, lam_k = 0.
 *
 * Each start decides which contacts are closed. Those touch whose gaps are within a tolerance of zero; those may be held
 * that do not open, w_i = phi_i' within a tolerance of zero. Of these, accelerations and forces solve
 *
 *     M a + G' lam = Psi + sum_i n_i' N_i,   G a = -bias,   0 <= N_i,  phi_i'' >= 0,  N_i phi_i'' = 0
 *
 * as an impact is solved for impulses, and those are closed that push. The accelerations are unique. Where contacts
 * depend on each other (four feet of a stiff table) the forces are not: of a set of dependent contacts those are closed
 * that can carry the load alone, and the others touch without a force until they are needed.
 *
 * A run (resida/run.h) goes on from state to state. A closed contact opens when N_i falls to zero, which is a root
 * function in place of phi_i then; an open one closes when phi_i does: the impact, and a start. A rebound is none, and
 * the contact closes, where the bounce would be lower than the tolerance of the gap,
 *
 *     w_i^2 <= 2 tol_i |phi_i''|,   tol_i = sum_k |dphi_i/dp_k| (rtol_k |p_k| + atol_k)
 *
 * with the acceleration of the gap without forces of contacts, so that a ball that bounces ever less comes to rest.
 * Energy is never gained where restitution is the same for all contacts: what closes is an impact without restitution.
 * A start without a run has no tolerances: it takes those of redundant constraints (1e-7 of 1 and the size). */
#ifndef RESIDA_CONTACT_H
#define RESIDA_CONTACT_H

#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What an event made of a contact that holds. */
typedef enum resida_contact_change {
    RESIDA_CONTACT_STAYS = 0,    /**< open or closed, as before */
    RESIDA_CONTACT_REBOUNDS = 1, /**< it was struck, and is open */
    RESIDA_CONTACT_CLOSES = 2,   /**< from now on its constraint acts */
    RESIDA_CONTACT_OPENS = 3     /**< it was closed, and its force has come to zero */
} resida_contact_change;

/** Contacts of a mechanism that rebound by Newton's law: with these nothing is left for event() to do. A gap
 *  phi_i(t, p) is a root function of the mechanism, open for phi_i > 0. resida_run does the impacts. */
typedef struct resida_model_contacts {
    size_t size;               /**< sizeof(resida_model_contacts) */
    int n;                     /**< > 0 */
    int first;                 /**< root function first + i is gap i */
    const double *restitution; /**< [n] e, 0 <= e <= 1 */
    resida_position_fn
        *matrix; /**< dphi/dp [n x n_p], row by row; NULL: differences, 2 n_p calls of the root functions */
    resida_position_fn *rate; /**< dphi/dt [n] at a fixed p, of walls that move; NULL: differences, 2 calls */
    const char *const *names; /**< [n] for messages; NULL: their numbers */
    int holds;   /**< 1: contacts that stay closed are held by constraints, and `matrix` and `rate` are those
                                   of the constraints; 0: such a contact ends the run */
    int first_g; /**< with `holds`: constraint first_g + i is gap i, of p, t and u as the root function */
} resida_model_contacts;

#ifdef __cplusplus
}
#endif
#endif
