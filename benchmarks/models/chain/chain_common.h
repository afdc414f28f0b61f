/* chain_common.h - what the chain of pendulums has in common in angles and in Cartesian coordinates: parameters, the
 * moving support, the tensions in the rods, reference states. */
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

/** Parameters and work space; both models hand it to their callbacks as `user`. */
typedef struct bench_chain {
    int n; /**< rods, and masses below the support */
    double omega, m, l, g, ax, ay, d, alpha0;
    int has_states;          /**< n and omega apart, all parameters have their defaults */
    double *sine, *cosine;   /**< [n] of the angles */
    double *work_x, *work_y; /**< [n] */
    double *p0, *v0;         /**< [n] in angles, [2 n] Cartesian */
    resida_part parts[2];    /**< what it looks like */
} bench_chain;

/** Set the memory of a model with `coordinates` per rod for p0 and v0, and what both models have in common. @return it;
 *  NULL without memory */
bench_chain *bench_chain_begin(const double *values, int coordinates, resida_model *model);

/** u = (x, y) of the support and its derivatives; user is a bench_chain. */
resida_excitation_fn bench_chain_excitation;

/** sine, cosine of the angles [n]. */
void bench_chain_directions(bench_chain *c, const double *angles);

/** Torque of joint damping on rod i, from the rates of rods i - 1, i, i + 1; d times the rate of each joint. The
 *  support does not turn, and the last rod has no joint below. */
double bench_chain_damping(const bench_chain *c, int i, double before, double rate, double after);

/** Tensions in the rods for given rates and torques on the rods; needs bench_chain_directions().
 *  tension [n] may not be work_x or work_y. */
void bench_chain_tensions(bench_chain *c, const double *rates, const double *torques, const double *udd,
                          double *tension);

/** Positions and velocities [2 n] of the masses from angles and rates; p or v may be NULL. */
void bench_chain_masses(const bench_chain *c, double t, const double *angles, const double *rates, double *p,
                        double *v);

/** Points of the parts at positions [2 n] of the masses. */
void bench_chain_points(const bench_chain *c, double t, const double *p, double *xyz);

/** Set parts, outputs, and the callbacks that know them. */
void bench_chain_show(bench_chain *c, resida_model *model,
                      int (*shape)(const resida_model *model, double t, const double *p, double *xyz),
                      int (*output)(const resida_model *model, const resida_model_point *at, double *out));

/** Outputs: the tension of the first rod, the energy. */
enum { BENCH_CHAIN_TENSION, BENCH_CHAIN_ENERGY, BENCH_CHAIN_OUTPUTS };

/** The energy by positions and velocities [2 n] of the masses. */
double bench_chain_energy(const bench_chain *c, const double *p, const double *v);

/** The trusted angles and rates [2 n] at t, NULL when there are none. */
const double *bench_chain_reference(const bench_chain *c, double t);

#endif
