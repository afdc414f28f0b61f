/* resida/quaternion.h - Euler parameters of a rigid body, as inline functions.
 *
 * q = (q0, q1, q2, q3) of the positions rotates body axes to space axes, x = A(q/|q|) X. w is the angular velocity in
 * body axes.
 *
 *     q' = T(q) w                          kinematic_matrix: resida_quaternion_rates()
 *     0 = k(q) = (q'q - 1)/2,  K = q'      invariant, invariant_matrix: resida_quaternion_norm(), q; n_k counts bodies
 *     A(q/|q|)                             forces and constraints: resida_quaternion_rotate()
 *     g = .. A ..,  G w = dg/dt            constraint_matrix: resida_quaternion_gradient() of a row of G
 *
 * q is not zero and may have any length. Example: examples/spinning_top.c. */
#ifndef RESIDA_QUATERNION_H
#define RESIDA_QUATERNION_H

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Quaternion of a rotation. @param[in] axis [3], not 0; angle [rad]  @param[out] q [4] of length 1 */
static inline void resida_quaternion_turn(const double *axis, double angle, double *q)
{
    const double s = sin(angle / 2) / sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    q[0] = cos(angle / 2);
    for (int i = 0; i < 3; i++) q[i + 1] = s * axis[i];
}

/** Product, A(q) = A(a) A(b). @param[in] a, b [4]  @param[out] q [4] */
static inline void resida_quaternion_product(const double *a, const double *b, double *q)
{
    q[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    q[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    q[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    q[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

/** k = (q'q - 1)/2. @param[in] q [4] */
static inline double resida_quaternion_norm(const double *q)
{
    return (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) / 2;
}

/** T of q' = T w; q'T = 0 for any q. @param[in] q [4]  @param[out] T [4 x 3] */
static inline void resida_quaternion_rates(const double *q, double *T)
{
    T[0] = -q[1] / 2, T[1] = -q[2] / 2, T[2] = -q[3] / 2;
    T[3] = q[0] / 2, T[4] = -q[3] / 2, T[5] = q[2] / 2;
    T[6] = q[3] / 2, T[7] = q[0] / 2, T[8] = -q[1] / 2;
    T[9] = -q[2] / 2, T[10] = q[1] / 2, T[11] = q[0] / 2;
}

/** Rotation matrix A(q/|q|). @param[in] q [4]  @param[out] A [3 x 3] */
static inline void resida_quaternion_matrix(const double *q, double *A)
{
    const double s = 2 / (1 + 2 * resida_quaternion_norm(q));
    A[0] = 1 - s * (q[2] * q[2] + q[3] * q[3]);
    A[1] = s * (q[1] * q[2] - q[0] * q[3]);
    A[2] = s * (q[1] * q[3] + q[0] * q[2]);
    A[3] = s * (q[1] * q[2] + q[0] * q[3]);
    A[4] = 1 - s * (q[1] * q[1] + q[3] * q[3]);
    A[5] = s * (q[2] * q[3] - q[0] * q[1]);
    A[6] = s * (q[1] * q[3] - q[0] * q[2]);
    A[7] = s * (q[2] * q[3] + q[0] * q[1]);
    A[8] = 1 - s * (q[1] * q[1] + q[2] * q[2]);
}

/** x = A(q/|q|) X. @param[in] q [4], X [3] in body axes  @param[out] x [3] in space axes */
static inline void resida_quaternion_rotate(const double *q, const double *X, double *x)
{
    double A[9];
    resida_quaternion_matrix(q, A);
    for (int i = 0; i < 3; i++) x[i] = A[3 * i] * X[0] + A[3 * i + 1] * X[1] + A[3 * i + 2] * X[2];
}

/** X = A(q/|q|)' x. @param[in] q [4], x [3] in space axes  @param[out] X [3] in body axes */
static inline void resida_quaternion_rotate_back(const double *q, const double *x, double *X)
{
    double A[9];
    resida_quaternion_matrix(q, A);
    for (int i = 0; i < 3; i++) X[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

/** dg/dq = 4/|q|^2 G T' of a function g of q/|q| with g' = G w; then (dg/dq) T = G and (dg/dq) q = 0.
 *  @param[in] q [4], G [3] in body axes  @param[out] dq [4] dg/dq */
static inline void resida_quaternion_gradient(const double *q, const double *G, double *dq)
{
    const double s = 2 / (1 + 2 * resida_quaternion_norm(q));
    dq[0] = s * (-q[1] * G[0] - q[2] * G[1] - q[3] * G[2]);
    dq[1] = s * (q[0] * G[0] - q[3] * G[1] + q[2] * G[2]);
    dq[2] = s * (q[3] * G[0] + q[0] * G[1] - q[1] * G[2]);
    dq[3] = s * (-q[2] * G[0] + q[1] * G[1] + q[0] * G[2]);
}

#ifdef __cplusplus
}
#endif
#endif
