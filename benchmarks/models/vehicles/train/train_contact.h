/* train_contact.h - a wheel on its rail: the constraint g of quasi-elastic contact, its derivatives, and where they
 * touch.
 *
 * The trace line of the wheel, those of its points that lie lowest across the rail, with Delta_j its height above the
 * rail:
 *
 *     g = -(m - eps ln[(hs/W) sum_j exp(-(Delta_j - m)/eps)]),   m = min Delta_j
 *
 * a smooth penetration: a weighted mean takes the place of the one point of rigid contact, which jumps (quasi-elastic,
 * as Arnold and Netter: Approximation of contact geometry in the dynamical simulation of wheel-rail systems, 1998).
 * With the weights w_j = exp(-(Delta_j - m)/eps)/sum every derivative is -sum_j w_j dDelta_j. dg/dz = -1: G'lam with
 * lam > 0 pushes the wheel up. */
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
    double x, y, phi, psi; /**< derivatives of g by the coordinates of the wheelset; z: -1, theta: 0 */
    double kappa, twist;   /**< derivatives of g by the shape of the track */
    mb_vec P;              /**< place of contact in the axes of the track */
    double slope;          /**< of the rail there, dz/dy */
    double s;              /**< place on the wheel, from the tape circle outwards [m] */
} train_touch;

/** The contact at height z = 0, which the others follow from.
 *  @param[in] side      +1 left, -1 right
 *  @param[in] wheelset  a body with all six coordinates free, a rotor; its z is not looked at
 *  @return 0; 1 when the wheel touches at the end of its profile or stands across the rail: no contact is known */
int train_contact(const train_profiles *profiles, int side, const mb_state *wheelset, train_rail_shape shape,
                  train_touch *touch);

/** To the height z, and by x along a straight track. @return 0; 1 when the wheel is some mm off the rail, or in it */
int train_shift(train_touch *touch, double x, double z);

#endif
