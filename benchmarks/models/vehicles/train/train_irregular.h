/* train_irregular.h - irregular rails: the lateral displacement of the track and the height error of each rail under
 * each wheelset. They are excitations after those of the frames, in case 3 only.
 *
 *     sum_k A (L_k/L_1) sin(2 pi s/L_k + phi_k)             phases differ between sums; smooth onset at t = 0 */
#ifndef BENCH_TRAIN_IRREGULAR_H
#define BENCH_TRAIN_IRREGULAR_H

/** Irregularities of a wheelset, in this order [m]. */
enum { TRAIN_ASIDE, TRAIN_HIGH, TRAIN_IRREGULAR = TRAIN_HIGH + 2 }; /**< to the left; left, right rail */

/** Compute u, ud, udd [TRAIN_IRREGULAR] at arc length s = s0 + v t. */
void train_irregularity(double s0, double v, double t, double *u, double *ud, double *udd);

#endif
