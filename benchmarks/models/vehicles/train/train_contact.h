/* train_contact.h - wheel-rail contact: the constraint g of quasi-elastic contact, its derivatives, and the contact
 * point.
 *
 * The trace line consists of the lowest points of the wheel across the rail; Delta_j is the height of point j above the
 * rail:
 *
 *     g = -(m - eps ln[(hs/W) sum_j exp(-(Delta_j - m)/eps)]),   m = min Delta_j
 *
 * g is a smooth penetration. A weighted mean replaces the single contact point of rigid bodies, which can jump
 * (quasi-elastic contact of Arnold and Netter: Approximation of contact geometry in the dynamical simulation of
 * wheel-rail systems, 1998). With the weights w_j = exp(-(Delta_j - m)/eps)/sum each derivative is -sum_j w_j dDelta_j.
 * dg/dz = -1: G'lam with lam > 0 is an upward force on the wheel. */
#ifndef BENCH_TRAIN_CONTACT_H
#define BENCH_TRAIN_CONTACT_H

#include "train_profile.h"
#include "benchmarks/multibody/tree/tree.h"

/** The track under a wheelset. */
typedef struct train_rail_shape {
    double kappa; /**< curvature [1/m] */
    double twist; /**< dphi_c/ds of the cant angle [rad/m] */
} train_rail_shape;

typedef struct train_touch {
    double g;              /**< penetration [m] */
    double x, y, phi, psi; /**< derivatives of g by wheelset coordinates; z: -1, theta: 0 */
    double kappa, twist;   /**< derivatives of g by the track's curvature and twist */
    mb_vec P;              /**< contact point in the axes of the track */
    double slope;          /**< slope of the rail at this point, dz/dy */
    double s;              /**< position on the wheel, from the tape circle outwards [m] */
} train_touch;

/** Compute the contact at height z = 0; train_shift() converts it to other heights.
 *  @param[in] side      +1 left, -1 right
 *  @param[in] wheelset  a body with all six coordinates free, a rotor; its z is ignored
 *  @return 0; 1 if the contact is at the end of the wheel profile or the wheelset is across the rail: the contact is
 *  undefined */
int train_contact(const train_profiles *profiles, int side, const mb_state *wheelset, train_rail_shape shape,
                  train_touch *touch);

/** Shift the contact to the height z, and by x along a straight track. @return 0, or 1 if the distance or the
 *  penetration exceeds some mm */
int train_shift(train_touch *touch, double x, double z);

#endif
