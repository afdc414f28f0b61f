/* free_mechanism.h - small systems of free bodies for tests. */
#ifndef RESIDA_TEST_FREE_MECHANISM_H
#define RESIDA_TEST_FREE_MECHANISM_H

#include "benchmarks/multibody/system/free_body.h"

/** A heavy top: m = 15 kg, centre of mass at (0, 1, 0) m of its tip, moments about the centre of mass (0.234375,
 *  0.46875, 0.234375) kg m^2, upright axis y turned into the horizontal; it spins about y at 150 rad/s and precesses
 *  about z at -4.61538 rad/s (M. Arnold, O. Bruels: Convergence of the generalized-alpha scheme for constrained
 *  mechanical systems, Multibody System Dynamics 18, 2007). */
typedef struct heavy_top {
    fb_system system;
    resida_mechanism mechanism;
    double p0[FB_P], v0[FB_V];
} heavy_top;

void heavy_top_open(heavy_top *top);
void heavy_top_close(heavy_top *top);

/** Of a state: the energy, and the angular momentum about the vertical, which stay. */
double heavy_top_energy(const heavy_top *top, const double *p, const double *v);
double heavy_top_momentum(const heavy_top *top, const double *p, const double *v);

#endif
