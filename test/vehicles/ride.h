/* ride.h - integrates an opened mechanism and shows its states on the way. Every failure ends the test. */
#ifndef RESIDA_TEST_RIDE_H
#define RESIDA_TEST_RIDE_H

#include <resida/all.h>

#include "test/fixtures/bench_fixture.h"

/** How to integrate; zero fields mean defaults: the tolerances of the model, its end, 100 outputs, strategy "auto". */
typedef struct ride_order {
    double rtol, atol, t_end;
    int outputs;
    resida_formalism formalism;
    const char *jacobian;
} ride_order;

/** Called at each output, also at the start. */
typedef void ride_visit(const resida_state *state, void *context);

/** Counters of the run. */
resida_stats ride(bench *b, ride_order order, ride_visit *visit, void *context);

#endif
