/* counted_run.h - one run of a built-in model for which valgrind counts the instructions, without those of the
 * callbacks: the cost of a step excluding the model. The count does not depend on the load of the machine. */
#ifndef RESIDA_BENCH_COUNTED_RUN_H
#define RESIDA_BENCH_COUNTED_RUN_H

#include <resida/model.h>
#include <resida/resida.h>

/** Attribute of functions at which valgrind starts and stops counting, model_*, integrate_*; they must not be
 *  static. */
#define COUNTED_APART __attribute__((noinline))

/** A model that is never closed. */
typedef struct counted_run {
    resida_model model;
    resida_mechanism m;       /**< the model's callbacks */
    resida_mechanism wrapped; /**< the same mechanism with the wrappers model_*; user points to this struct */
} counted_run;

/** Open a built-in model. n > 0: value of its parameter n. Exit if the model does not exist. */
void counted_open(counted_run *c, const char *name, double n);

/** Create and start a solver with one strategy. The caller frees solver and problem. Exit on failure. */
resida_solver *counted_start(counted_run *c, const char *jacobian, resida_problem **problem);

/** Counters of a run, and the largest error of p at its end, NaN without a reference. */
typedef struct counted_counts {
    long steps, iterations, factorisations, calls;
    double error;
} counted_counts;

/** Create, start, integrate up to t, and free. */
counted_counts counted_integrate(counted_run *c, double t, const char *jacobian);

/** Return the largest error of p [n_p] at t, NaN without a reference. */
double counted_error(const counted_run *c, double t, const double *p);

/** Print all members and the processor time of a run [s], in this order, separated by blanks. */
void counted_print(const counted_counts *c, double seconds);

/** @name Wrappers of the model's callbacks, visible to valgrind; user is a counted_run. For integrators other than
 *  resida
 *  @{ */
resida_residual_fn model_residual;
resida_position_fn model_constraint, model_matrix, model_bias, model_mass;
resida_velocity_fn model_acceleration_bias;
resida_excitation_fn model_excitation;
/** @} */

#endif
