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
 * Each start decides which contacts are closed. Those touch whose gaps are within a tolerance of zero; those may be
 * held that do not open, w_i = phi_i' within a tolerance of zero. Of these, accelerations and forces solve
 *
 *     M a + G' lam = Psi + sum_i n_i' N_i,   G a = -bias,   0 <= N_i,  phi_i'' >= 0,  N_i phi_i'' = 0
 *
 * as an impact is solved for impulses, and those are closed that push. The accelerations are unique. Where contacts
 * depend on each other (four feet of a stiff table) the forces are not: of a set of dependent contacts those are
 * closed that can carry the load alone, and the others touch without a force until they are needed.
 *
 * Contacts that hold may have dry friction (Coulomb), mu_i, in one direction each. The speed of sliding s_i = Gh_k v +
 * gh_k is that of the nonholonomic constraint k = first_h + i, and T_i = -lam of that row the force along it. A closed
 * contact sticks, row k acts as any other, s_i = 0, or slips, and lam is that of friction instead:
 *
 *     sticks:  s_i = 0,  |T_i| <= mu_i N_i          slips:  T_i = -mu_i N_i sign(s_i)
 *
 * Where s_i is within a tolerance of zero the start decides, with the forces, by Coulomb's law for accelerations:
 * |T_i| <= mu_i N_i, and s_i' < 0, > 0 where T_i is at a bound. A contact that sticks slips when |T_i| reaches mu_i
 * N_i, one that slips is decided anew when s_i falls to zero; both are found as roots. Where the friction is so large
 * that no accelerations fulfil all of it, or that N would grow with the acceleration of its gap (P. Painleve, 1895),
 * the run ends by the contact's name.
 *
 * A run (resida/run.h) goes on from state to state. A closed contact opens when N_i falls to zero, which is a root
 * function in place of phi_i then (with friction the least of it and what ends the state); an open one closes when
 * phi_i does: the impact, and a start. A rebound is none, and the contact closes, where the bounce would be lower than
 * the tolerance of the gap,
 *
 *     w_i^2 <= 2 tol_i |phi_i''|,   tol_i = sum_k |dphi_i/dp_k| (rtol_k |p_k| + atol_k)
 *
 * with the acceleration of the gap without forces of contacts, so that a ball that bounces ever less comes to rest.
 * Forces of closed contacts are in the error test of the BDF by what they move in a step, h M^-1 n' of v, so that a
 * force that jumps opens a contact, or has it slip, in time. Without a velocity constraint (index3, augmented) lam is
 * rougher: the test has what they move of p, and a contact opens up to 1e-3 s late at tolerances of 1e-7. Where g
 * itself has a kink give constraint_matrix: differences see it smeared, and the step fails by name; second differences
 * (forms with accelerations) are some 1e-4 m off. A closed contact that pulls, or slides with its friction, and was not
 * seen to come to it, ends the run by its name.
 * But for tolerances energy is never gained where restitution is the same for all contacts: what closes is an impact
 * without restitution.
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
    RESIDA_CONTACT_OPENS = 3,    /**< it was closed, and its force has come to zero */
    RESIDA_CONTACT_STICKS = 4,   /**< it was closed and slipped */
    RESIDA_CONTACT_SLIPS = 5     /**< it was closed and stuck, or slipped the other way */
} resida_contact_change;

/** What restitution is of, in an impact with friction. Without friction a single contact rebounds alike by both. */
typedef enum resida_impact_law {
    RESIDA_IMPACT_NEWTON = 0, /**< of speeds: w+ >= -e w-. It may gain energy, which ends a run by name */
    RESIDA_IMPACT_POISSON = 1 /**< of impulses: those of a compression without restitution, and e times as much again */
} resida_impact_law;

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
    int holds;              /**< 1: contacts that stay closed are held by constraints, and `matrix` and `rate` are those
                                   of the constraints; 0: such a contact ends the run */
    int first_g;            /**< with `holds`: constraint first_g + i is gap i, of p, t and u as the root function */
    const double *friction; /**< [n] with `holds`: mu >= 0; NULL: none */
    int first_h;            /**< with `friction`: nonholonomic constraint first_h + i is the speed of sliding */
    resida_impact_law law;  /**< of impacts with friction */
} resida_model_contacts;

#ifdef __cplusplus
}
#endif
#endif
