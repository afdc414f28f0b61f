/* train_track.h - the track of the train: an S-shaped line change, and the frames that run along it with constant
 * speed.
 *
 *     kappa(s) = k0 [S((s - s1)/Lt) - 2 S((s - s1 - L)/Lt) + S((s - s1 - 2L)/Lt)]       left, right, straight again
 *     cant: phi_c = -(h0/1.5 m) kappa/k0, negative where the right rail is raised;      chi = int kappa ds
 *
 * A frame has its origin on the middle line, level with the rails, and the axes Rz(chi) Rx(phi_c). Its excitation says
 * all that its bodies and force elements have to know of the track: curvature, cant, twist, and its pose in the frame
 * of another body, so that nobody has to subtract positions of some hundred metres. */
#ifndef BENCH_TRAIN_TRACK_H
#define BENCH_TRAIN_TRACK_H

#include <resida/mechanism.h>

#include "benchmarks/multibody/system/force.h"

typedef struct train_track {
    double v;  /**< speed of the frames [m/s] */
    double k0; /**< largest curvature [1/m] */
    double s1; /**< begin of the first transition [m] */
    double L;  /**< from one transition to the next [m] */
    double Lt; /**< length of a transition [m] */
    double h0; /**< height of the outer rail at k0 [m] */
} train_track;

/** The excitations of one frame, in this order; the last three are zero for a frame without parent. */
enum {
    TRAIN_KAPPA, /**< curvature [1/m] */
    TRAIN_CANT,  /**< phi_c [rad] */
    TRAIN_TWIST, /**< dphi_c/ds [rad/m] */
    TRAIN_DX,    /**< origin in the frame of the parent, without its cant [m] */
    TRAIN_DY,
    TRAIN_DCHI, /**< heading relative to the parent [rad] */
    TRAIN_U
};

/** Excitations u, ud, udd [TRAIN_U] of the frame at arc length s, `ahead` of its parent; 0: without one. */
void train_track_frame(const train_track *track, double s, double ahead, double *u, double *ud, double *udd);

/** Motion of a frame from its excitations (u, ud, udd at its TRAIN_KAPPA), with gravity g. */
mb_root train_track_root(const train_track *track, const double *u, const double *ud, const double *udd, double g);

/** Pose and motion of a frame in that of its parent, whose excitations are uP, udP. */
mb_relation train_track_relation(const double *u, const double *ud, const double *uP, const double *udP);

#endif
