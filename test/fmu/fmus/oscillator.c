/* oscillator.c - x' = v, v' = -omega^2 x + force, damped by nothing: x = cos(omega t). Whole numbers, truth values and
 * texts add to the force, so that setting them shows. */
#define _POSIX_C_SOURCE 200809L /* pause() */
#include "test_fmu.h"

#include <unistd.h>

enum { TIME, X, V, DX, DV, OMEGA, FORCE, ENERGY = 8, WHOLE = 100, TRUTH = 200, WORD = TEST_FMU_VALUES - 1 };

static const int states[] = {X, V}, derivatives[] = {DX, DV};

static void start(double *v)
{
    v[X] = 1;
    v[OMEGA] = 1;
}

static void evaluate(double *v)
{
    while (v[WHOLE] == -7 && v[TIME] > 1) pause(); /* on request */
    v[DX] = v[V];
    v[ENERGY] = (v[V] * v[V] + v[OMEGA] * v[OMEGA] * v[X] * v[X]) / 2;
    v[DV] = -v[OMEGA] * v[OMEGA] * v[X] + v[FORCE] + v[WHOLE] + v[TRUTH] + v[WORD];
}

static double partial(const double *v, uint32_t unknown, uint32_t known)
{
    if (unknown == DX && known == V) return 1;
    return unknown == DV && known == X ? -v[OMEGA] * v[OMEGA] : 0;
}

/* On request. */
static int breaks(const double *v)
{
    return v[WHOLE] == -5 && v[TIME] > 1;
}

const test_fmu the_fmu = {.token = "{oscillator}",
                          .n_states = 2,
                          .states = states,
                          .derivatives = derivatives,
                          .start = start,
                          .evaluate = evaluate,
                          .partial = partial,
                          .breaks = breaks};
