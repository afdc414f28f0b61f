/* counted_run.h - one run of a built-in model whose instructions valgrind counts, callbacks of the model left out: what
 * a step costs beside the model. The same whatever else the machine does. */
#ifndef RESIDA_BENCH_COUNTED_RUN_H
#define RESIDA_BENCH_COUNTED_RUN_H

#include <resida/model.h>
#include <resida/resida.h>

/** Before functions at whose names valgrind begins and stops to count: model_*, integrate_*. Not static. */
#define COUNTED_APART __attribute__((noinline))

/** A model, open all the time. */
typedef struct counted_run {
    resida_model model;
    resida_mechanism m;       /**< its own callbacks */
    resida_mechanism wrapped; /**< the same through functions model_*; user is this struct */
} counted_run;

/** Open a built-in model. n > 0: the value of its parameter n. Ends the program when there is no such model. */
void counted_open(counted_run *c, const char *name, double n);

/** A solver by one strategy, started. Free both. Ends the program when it cannot. */
resida_solver *counted_start(counted_run *c, const char *jacobian, resida_problem **problem);

/** Integrate up to t; prints steps, iterations, factorisations, linear solver. */
void counted_integrate(counted_run *c, double t, const char *jacobian);

/** @name The callbacks of a model as valgrind knows them; user is a counted_run. For integrators other than resida
 *  @{ */
resida_residual_fn model_residual;
resida_position_fn model_constraint, model_matrix, model_bias, model_mass;
resida_velocity_fn model_acceleration_bias;
resida_excitation_fn model_excitation;
/** @} */

#endif
