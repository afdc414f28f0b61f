/* train_track.h - the track of the train: an S-shaped line change, and the frames that move along the track at constant
 * speed.
 *
 *     kappa(s) = k0 [S((s - s1)/Lt) - 2 S((s - s1 - L)/Lt) + S((s - s1 - 2L)/Lt)]       left, right, straight again
 *     cant: phi_c = -(h0/1.5 m) kappa/k0, negative if the right rail is raised;      chi = int kappa ds
 *
 * The origin of a frame is on the centre line at the level of the rails; its axes are Rz(chi) Rx(phi_c). Its
 * excitations are all data of the track that bodies and force elements require: curvature, cant, twist, and its pose
 * relative to the frame of another body. Thus positions of several hundred metres are never subtracted. */
#ifndef BENCH_TRAIN_TRACK_H
#define BENCH_TRAIN_TRACK_H

#include <resida/mechanism.h>

#include "benchmarks/multibody/system/force.h"

typedef struct train_track {
    double v;  /**< speed of the frames [m/s] */
    double k0; /**< largest curvature [1/m] */
    double s1; /**< begin of the first transition [m] */
    double L;  /**< distance of successive transitions [m] */
    double Lt; /**< length of a transition [m] */
    double h0; /**< height of the outer rail at k0 [m] */
} train_track;

/** The excitations of a frame, in this order; the last three are zero for a frame without parent. */
enum {
    TRAIN_KAPPA, /**< curvature [1/m] */
    TRAIN_CANT,  /**< phi_c [rad] */
    TRAIN_TWIST, /**< dphi_c/ds [rad/m] */
    TRAIN_DX,    /**< origin relative to the parent, without its cant [m] */
    TRAIN_DY,
    TRAIN_DCHI, /**< heading relative to the parent [rad] */
    TRAIN_U
};

/** Compute the excitations u, ud, udd [TRAIN_U] of the frame at arc length s, `ahead` of its parent (0: no parent). */
void train_track_frame(const train_track *track, double s, double ahead, double *u, double *ud, double *udd);

/** Return the motion of a frame from its excitations (u, ud, udd at its TRAIN_KAPPA), with gravity g. */
mb_root train_track_root(const train_track *track, const double *u, const double *ud, const double *udd, double g);

/** Return pose and motion of a frame relative to its parent, whose excitations are uP, udP. */
mb_relation train_track_relation(const double *u, const double *ud, const double *uP, const double *udP);

#endif
