/* resida/contact.h - contacts of a mechanism: gaps that close and open, with or without dry friction.
 *
 * Contact i has a gap phi_i(t, p) >= 0, a root function of the mechanism. If the gap falls to zero, there is an impact
 * (resida/impact.h). If the contact can stay closed (`holds`), its gap is also constraint k = first_g + i. This
 * constraint acts while the contact is closed, with the force N_i = -lam_k >= 0 [N]. With friction mu_i the contact
 * sticks or slips along the nonholonomic constraint k = first_h + i, with the speed s_i = Gh_k v + gh_k and the force
 * T_i = -lam_k. It sticks with s_i = 0 and |T_i| <= mu_i N_i, or slips with T_i = -mu_i N_i sign(s_i).
 *
 * A start decides which contacts are closed, stick and slip, and a run (resida/run.h) changes this at events.
 * doc/contacts.md has rules, accuracy and limits. */
#ifndef RESIDA_CONTACT_H
#define RESIDA_CONTACT_H

#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Change of state of a contact at an event, for contacts that hold. */
typedef enum resida_contact_change {
    RESIDA_CONTACT_STAYS = 0,    /**< no change */
    RESIDA_CONTACT_REBOUNDS = 1, /**< an impact, after which the contact is open */
    RESIDA_CONTACT_CLOSES = 2,   /**< closes, and its constraint acts from now on */
    RESIDA_CONTACT_OPENS = 3,    /**< opens, because its force has fallen to zero */
    RESIDA_CONTACT_STICKS = 4,   /**< sticks after slipping */
    RESIDA_CONTACT_SLIPS = 5     /**< slips after sticking, or in the other direction */
} resida_contact_change;

/** Definition of the coefficient of restitution e in an impact with friction. */
typedef enum resida_impact_law {
    RESIDA_IMPACT_NEWTON = 0, /**< ratio of the normal speeds after and before; an impact that gains energy ends a
                                   run */
    RESIDA_IMPACT_POISSON = 1 /**< ratio of the impulses of expansion and compression */
} resida_impact_law;

/** Contacts of a mechanism, whose impacts resida_run computes. Contact i is open while its gap, root function first +
 *  i, is > 0. */
typedef struct resida_model_contacts {
    size_t size;                /**< struct size, set by the caller */
    int n;                      /**< number of contacts, > 0 */
    int first;                  /**< index of the root function of the first gap */
    const double *restitution;  /**< [n] coefficients of restitution e, 0 <= e <= 1 */
    resida_position_fn *matrix; /**< dphi/dp [n x n_p] of the gaps phi, by rows; NULL: differences, 2 n_p calls of the
                                     root functions */
    resida_position_fn *rate;   /**< dphi/dt [n] at constant p; NULL: differences, by 2 calls */
    const char *const *names;   /**< [n] names in messages; NULL: numbers */
    int holds;              /**< 1: constraints (with `matrix` and `rate`) keep contacts closed; 0: a contact that stays
                                 closed ends the run */
    int first_g;            /**< constraint index of the first gap, with `holds`: the same function of t, p and u */
    const double *friction; /**< [n] coefficients of friction mu >= 0, with `holds`; NULL: no friction */
    int first_h;            /**< index of the first nonholonomic constraint (sliding speed 0), with `friction` */
    resida_impact_law law;  /**< law of restitution in impacts with friction */
} resida_model_contacts;

#ifdef __cplusplus
}
#endif
#endif
