/* mass.c - a mass that a force moves, with a spring to a point: x' = v, m v' = force - pull, pull = k (x - other).
 * With k < 0 it takes no step of Co-Simulation. */
#include "test_fmu.h"

enum { TIME, X, V, DX, DV, M, K, FORCE, OTHER, PULL };

static const int states[] = {X, V}, derivatives[] = {DX, DV};

static void start(double *v)
{
    v[M] = 1;
}

static void evaluate(double *v)
{
    v[PULL] = v[K] * (v[X] - v[OTHER]);
    v[DX] = v[V];
    v[DV] = (v[FORCE] - v[PULL]) / v[M];
}

static int fails(const double *v)
{
    return v[K] < 0;
}

const test_fmu the_fmu = {.token = "{mass}",
                          .n_states = 2,
                          .states = states,
                          .derivatives = derivatives,
                          .start = start,
                          .evaluate = evaluate,
                          .fails = fails};
