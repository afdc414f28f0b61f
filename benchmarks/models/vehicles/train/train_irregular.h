/* train_irregular.h - rails that are not where they should be: how far the track lies aside, and how far each rail is
 * too high, under each wheelset. They are excitations behind those of the frames, in case 3 alone.
 *
 *     sum_k A (L_k/L_1) sin(2 pi s/L_k + phi_k)             each sum with phases of its own, faded in from t = 0 on
 */
#ifndef BENCH_TRAIN_IRREGULAR_H
#define BENCH_TRAIN_IRREGULAR_H

/** Of a wheelset, in this order [m]. */
enum { TRAIN_ASIDE, TRAIN_HIGH, TRAIN_IRREGULAR = TRAIN_HIGH + 2 }; /**< to the left; left rail, right rail */

/** u, ud, udd [TRAIN_IRREGULAR] at arc length s = s0 + v t. */
void train_irregularity(double s0, double v, double t, double *u, double *ud, double *udd);

#endif
