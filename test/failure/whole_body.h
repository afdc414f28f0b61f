/* whole_body.h - a mechanism that says everything a mechanism can say, and a small DAE that does; each can say one
 * thing wrongly.
 *
 * A heavy body with Euler parameters, a spring at its centre, hinged to a point that moves up and down, turned about an
 * axis of its own at a given speed:
 *
 *     p = (r, q), v = (r', w), q' = E(q) w / 2
 *     m r'' + c r' + k (r - r0) + m g e_z = -lam,   J w' + w x J w + d w = -G' lam - e_3 nu
 *     0 = r + A(q) s - u e_z,   0 = w_3 - W,   u = 0.1 sin 3 t */
#ifndef RESIDA_TEST_WHOLE_BODY_H
#define RESIDA_TEST_WHOLE_BODY_H

#include <resida/model.h>

/** What is said wrongly. */
typedef enum whole_error {
    WHOLE_RIGHT,
    WHOLE_G_ENTRY,       /**< an entry of dg/dp, by 10 % */
    WHOLE_G_SIGN,        /**< a row of dg/dp has the other sign */
    WHOLE_G_PATTERN,     /**< the pattern of dg/dp lacks an entry */
    WHOLE_T_FACTOR,      /**< rotations in T twice as large */
    WHOLE_T_SIGN,        /**< an entry of T has the other sign */
    WHOLE_T_COLUMN,      /**< a column of T has the other sign */
    WHOLE_UD,            /**< u' */
    WHOLE_UDD,           /**< u'' */
    WHOLE_VELOCITY_BIAS, /**< gI */
    WHOLE_ACCELERATION_BIAS,
    WHOLE_NONHOLONOMIC_BIAS,
    WHOLE_MASS,      /**< an entry of M, by 10 % */
    WHOLE_PHI_P,     /**< dPhi/dp has the other sign */
    WHOLE_PHI_V,     /**< an entry of dPhi/dv, by 10 % */
    WHOLE_POTENTIAL, /**< without gravity */
    WHOLE_JUMP,      /**< g jumps by 0.5 at half the time */
    WHOLE_ERRORS
} whole_error;

/** Callbacks of the body, as bits of a mask of those that are left out. */
enum {
    WHOLE_RESIDUAL = 1,
    WHOLE_ACCELERATION = 2,
    WHOLE_CONSTRAINT = 4,
    WHOLE_CONSTRAINT_MATRIX = 8,
    WHOLE_GI = 16,
    WHOLE_GAMMA = 32,
    WHOLE_MASS_MATRIX = 64,
    WHOLE_V = 128,
    WHOLE_DERIVATIVES = 256,
    WHOLE_KINEMATICS = 512,
    WHOLE_GH = 1024,
    WHOLE_GH_BIAS = 2048,
    WHOLE_GH_GAMMA = 4096,
    WHOLE_EXCITATION = 8192,
    WHOLE_ROOT = 16384,
    WHOLE_MASKS = 32768
};
enum { WHOLE_N_CALLBACKS = 15 };

/** How a callback fails. */
typedef enum whole_failure {
    WHOLE_REFUSES,
    WHOLE_STOPS,
    WHOLE_NAN,
    WHOLE_WRITES_BEHIND,
    WHOLE_LEAVES_OUT,
    WHOLE_CRASHES,
    WHOLE_EXITS,
    WHOLE_FAILURES, /**< so many of them, which take no time */
    WHOLE_LOOPS
} whole_failure;

typedef struct whole_body {
    whole_error error;
    int failing;           /**< bit of the callback that fails; 0: none */
    whole_failure failure; /**< how */
    double light[2];       /**< of m, c, k; of J, d: that part of them; 0: all */
    double p0[7], v0[6];   /**< a start, filled by whole_mechanism() */
} whole_body;

/** @param[in] left_out  mask of callbacks; body: user of the callbacks, borrowed */
resida_mechanism whole_mechanism(whole_body *body, int left_out);

/** The same as a model that runs to t = 0.5. */
resida_model whole_model(whole_body *body, int left_out);

#endif
