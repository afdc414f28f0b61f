/* lives.h - whole lives of solvers, with every call that may take memory: problem, solver, start, steps, event,
 * second start, interpolation, counters, free. For tests that make memory run out on the way. */
#ifndef RESIDA_TEST_LIVES_H
#define RESIDA_TEST_LIVES_H

#include <resida/all.h>

enum { LIFE_MAX_N = 16 };

/** One life, and how it went. */
typedef struct life {
    const resida_allocator *allocator; /**< in: NULL: malloc and free */
    int again;                         /**< in: 1: a call that failed for want of memory is made once more */

    resida_status status;              /**< of the first call that failed; RESIDA_OK: none */
    char call[48];                     /**< its name */
    char message[RESIDA_MESSAGE_SIZE]; /**< its reason */
    int starved;                       /**< that call failed for want of memory */
    int finished;                      /**< it came to its end */
    int n;
    double y[LIFE_MAX_N]; /**< [n] the end */
} life;

typedef void life_fn(life *l);

/** A mechanism in GGL with kinematic matrix, nonholonomic constraint, patterns, names, excitation, mass matrix and an
 *  event, after which it is started again. */
void life_of_a_mechanism(life *l);

/** A run of a model whose contacts hold, with friction: impacts, and starts behind them. */
void life_of_contacts(life *l);

/** A general DAE with names, excitation and event; yp0 is found by the start. */
void life_of_a_dae(life *l);

/** A model with a parameter out of a plugin (RESIDA_PLUGIN in the environment), integrated and closed. */
void life_of_a_plugin(life *l);

/** A Jacobian engine without a solver. */
void life_of_a_jacobian(life *l);

#endif
