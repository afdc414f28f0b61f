/* resida/contact.h - contacts of a mechanism: gaps that close and open, with or without dry friction.
 *
 * Contact i has a gap phi_i(t, p) >= 0, a root function of the mechanism. If the gap falls to zero, there is an impact
 * (resida/impact.h). If the contact can stay closed (`holds`), its gap is also constraint k = first_g + i. This
 * constraint acts while the contact is closed, with the force N_i = -lam_k >= 0 [N]. With friction mu_i the contact
 * sticks or slips along the nonholonomic constraint k = first_h + i, with the speed s_i = Gh_k v + gh_k and the force
 * T_i = -lam_k:
 *
 *     sticks:  s_i = 0,  |T_i| <= mu_i N_i          slips:  T_i = -mu_i N_i sign(s_i)
 *
 * A start decides which contacts are closed, stick and slip, and a run (resida/run.h) changes this at events.
 * doc/contacts.md has rules, accuracy and limits. */
#ifndef RESIDA_CONTACT_H
#define RESIDA_CONTACT_H

#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Change of a contact that holds, at an event. */
typedef enum resida_contact_change {
    RESIDA_CONTACT_STAYS = 0,    /**< none */
    RESIDA_CONTACT_REBOUNDS = 1, /**< struck, and open */
    RESIDA_CONTACT_CLOSES = 2,   /**< its constraint acts from now on */
    RESIDA_CONTACT_OPENS = 3,    /**< its force has fallen to zero */
    RESIDA_CONTACT_STICKS = 4,   /**< was slipping */
    RESIDA_CONTACT_SLIPS = 5     /**< was sticking, or slipping the other way */
} resida_contact_change;

/** Meaning of the coefficient of restitution in an impact with friction. */
typedef enum resida_impact_law {
    RESIDA_IMPACT_NEWTON = 0, /**< ratio of speeds, w+ >= -e w-; may gain energy, which ends a run */
    RESIDA_IMPACT_POISSON = 1 /**< ratio of the impulses of expansion and compression */
} resida_impact_law;

/** Contacts of a mechanism. resida_run computes the impacts. Gap i is root function first + i; the contact is open if
 *  the gap is > 0. */
typedef struct resida_model_contacts {
    size_t size;                /**< sizeof(resida_model_contacts) */
    int n;                      /**< > 0 */
    int first;                  /**< root function of gap 0 */
    const double *restitution;  /**< [n] e, 0 <= e <= 1 */
    resida_position_fn *matrix; /**< dphi/dp [n x n_p] by rows; NULL: differences, 2 n_p calls of the root functions */
    resida_position_fn *rate;   /**< dphi/dt [n] at constant p; NULL: differences, 2 calls */
    const char *const *names;   /**< [n] for messages; NULL: numbers */
    int holds;              /**< 1: constraints (their `matrix` and `rate`) keep closed contacts closed; 0: a contact
                                 that stays closed ends the run */
    int first_g;            /**< with `holds`: constraint of gap 0, the same function of t, p and u */
    const double *friction; /**< [n] with `holds`: mu >= 0; NULL: none */
    int first_h;            /**< with `friction`: nonholonomic constraint of sliding speed 0 */
    resida_impact_law law;  /**< of impacts with friction */
} resida_model_contacts;

#ifdef __cplusplus
}
#endif
#endif
