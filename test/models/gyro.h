/* gyro.h - a heavy rigid body in Euler parameters, with a fixed point; J about its centre, c from the centre to that
 * point.
 *
 *     top     p = q, v = w: about the fixed point; ODE
 *     joint   p = (r, q), v = (r', w): about the centre, and a ball joint r + A c = 0
 *
 * Both in both formalisms; with the norm of q as an invariant, as a fourth constraint, or not held. */
#ifndef RESIDA_TEST_GYRO_H
#define RESIDA_TEST_GYRO_H

#include <resida/all.h>

enum { GYRO_MAX = 7 };

typedef struct gyro {
    int is_joint;
    int n_k;            /**< 1: the norm of q is an invariant */
    int norm_is_row;    /**< 1, of a joint: it is the last constraint */
    int is_upright;     /**< 1: it starts with q = (1, 0, 0, 0) */
    int by_differences; /**< 1: dg/dp and K are not given */
    int is_weightless;
    double twist;   /**< added to an entry of T, which makes it wrong */
    double stretch; /**< of the q that gyro_start() gives */
} gyro;

/** Its mass, the gravity, c; its inertia about the fixed point [3 x 3]. */
extern const double gyro_mass, gyro_gravity, gyro_c[3];
void gyro_inertia(double *about);

/** g is borrowed. */
resida_mechanism gyro_mechanism(gyro *g);

/** A consistent state with velocities that are zero, except w. @param[out] p, v [GYRO_MAX] */
void gyro_start(const gyro *g, double *p, double *v);

/** |q|^2 - 1 */
double gyro_off(const gyro *g, const double *p);

#endif
