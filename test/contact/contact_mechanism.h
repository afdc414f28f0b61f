/* contact_mechanism.h - masses on a line, joined by springs and dampers, and one that a constant force drives against
 * another: a contact that is not there for the first seconds, then closes, bounces a few times and stays, stiff.
 *
 *     m_i x_i'' = sum over springs of -(k s + c s^3 + d s'),    s = x_i - x_j, or x_i for a spring to the ground
 *     contact of mass 0 with mass `target`:  k_c x + d_c x' min(1, x/1e-5), not below 0, while x = x_0 - x_target > 0
 *     constraint, if there is one:           0 = x_2 - x_1 - 0.1 x_1^2
 *
 * The pattern of dPhi/dp and dPhi/dv, with the contact or without it, can be handed over. */
#ifndef RESIDA_TEST_CONTACT_MECHANISM_H
#define RESIDA_TEST_CONTACT_MECHANISM_H

#include <stdint.h>

#include <resida/all.h>

enum { CONTACT_MAX = 24, CONTACT_MAX_SPRINGS = 64 };

typedef struct contact_spring {
    int i, j; /**< j = -1: the ground */
    double k, c, d;
} contact_spring;

typedef struct contact {
    int n, n_springs, target, with_constraint;
    double stiffness, damping, t_contact; /**< mass 0 flies for about this long */
    double drive;                         /**< the force on it */
    double mass_factor;                   /**< on what mass_matrix gives: 1, else it does not fit the residual */
    double m[CONTACT_MAX], p0[CONTACT_MAX], v0[CONTACT_MAX];
    contact_spring springs[CONTACT_MAX_SPRINGS];
    int row[3][CONTACT_MAX + 1], col[3][CONTACT_MAX * CONTACT_MAX]; /**< of dPhi/dp and dPhi/dv; M; G */
    resida_solver *solver; /**< told once when the contact closes; NULL: it is not told */
    int told;
    double first_contact; /**< when a residual first saw the contact closed; NAN: never */
} contact;

/** A chain with a random topology of springs besides, n masses. */
void contact_make(contact *c, int n, uint64_t seed, int with_constraint);

/** How much of the pattern is handed over. */
typedef enum contact_pattern { CONTACT_NO_PATTERN, CONTACT_PATTERN_WITHOUT, CONTACT_PATTERN_WITH } contact_pattern;

/** c is borrowed. */
resida_mechanism contact_mechanism(contact *c, contact_pattern given);

/** 1: J keeps every entry that the contact brings to dPhi/dp. */
int contact_is_kept(const contact *c, const resida_jacobian *engine);

#endif
