/* chain_common.h - functions shared by the chains of pendulums in angles and in Cartesian coordinates: parameters,
 * moving support, rod tensions, reference states. */
#ifndef BENCH_CHAIN_COMMON_H
#define BENCH_CHAIN_COMMON_H

#include "benchmarks/util/model_kind.h"

enum {
    BENCH_CHAIN_N,
    BENCH_CHAIN_OMEGA,
    BENCH_CHAIN_M,
    BENCH_CHAIN_L,
    BENCH_CHAIN_G,
    BENCH_CHAIN_AX,
    BENCH_CHAIN_AY,
    BENCH_CHAIN_D,
    BENCH_CHAIN_ALPHA0,
    BENCH_CHAIN_N_PARAMETERS
};

extern const resida_parameter bench_chain_parameters[BENCH_CHAIN_N_PARAMETERS];

/** Parameters and work arrays; `user` of the callbacks of both models. */
typedef struct bench_chain {
    int n; /**< number of rods, and of masses below the support */
    double omega, m, l, g, ax, ay, d, alpha0;
    int has_states;          /**< all parameters except n and omega have their defaults */
    double *sine, *cosine;   /**< [n] of the angles */
    double *work_x, *work_y; /**< [n] */
    double *p0, *v0;         /**< [n] in angles, [2 n] Cartesian */
    resida_part parts[2];    /**< parts of the drawing */
} bench_chain;

/** Set up the memory of a model with `coordinates` per rod in p0 and v0, and everything that both models share. @return
 *  the memory, or NULL if memory is exhausted */
bench_chain *bench_chain_begin(const double *values, int coordinates, resida_model *model);

/** Compute u = (x, y) of the support and its derivatives; user is a bench_chain. */
resida_excitation_fn bench_chain_excitation;

/** Compute sine and cosine of the angles [n]. */
void bench_chain_directions(bench_chain *c, const double *angles);

/** Return the torque of joint damping on rod i from the rates of rods i - 1, i, i + 1: d times the rate of each joint.
 *  The support does not rotate, and the last rod has no joint below. */
double bench_chain_damping(const bench_chain *c, int i, double before, double rate, double after);

/** Compute the tensions of the rods for given rates and torques on the rods; requires bench_chain_directions(). tension
 *  [n] must not be work_x or work_y. */
void bench_chain_tensions(bench_chain *c, const double *rates, const double *torques, const double *udd,
                          double *tension);

/** Compute positions and velocities [2 n] of the masses from angles and rates; p or v may be NULL. */
void bench_chain_masses(const bench_chain *c, double t, const double *angles, const double *rates, double *p,
                        double *v);

/** Compute the points of the parts from the positions [2 n] of the masses. */
void bench_chain_points(const bench_chain *c, double t, const double *p, double *xyz);

/** Set parts, outputs, and their callbacks. */
void bench_chain_show(bench_chain *c, resida_model *model,
                      int (*shape)(const resida_model *model, double t, const double *p, double *xyz),
                      int (*output)(const resida_model *model, const resida_model_point *at, double *out));

/** Outputs: the tension of the first rod, the energy. */
enum { BENCH_CHAIN_TENSION, BENCH_CHAIN_ENERGY, BENCH_CHAIN_OUTPUTS };

/** Return the energy from positions and velocities [2 n] of the masses. */
double bench_chain_energy(const bench_chain *c, const double *p, const double *v);

/** Return the reference angles and rates [2 n] at t, or NULL if there are none. */
const double *bench_chain_reference(const bench_chain *c, double t);

#endif
