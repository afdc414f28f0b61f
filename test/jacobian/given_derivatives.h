/* given_derivatives.h - a mechanism of a built-in model with derivatives added: those of Phi by differences of fourth
 * order, which are not counted,
 *
 *     f' = (8 (f(h) - f(-h)) - (f(2 h) - f(-2 h)))/(12 h),    h = 1e-3 of the larger of 1 and the component. */
#ifndef RESIDA_TEST_GIVEN_DERIVATIVES_H
#define RESIDA_TEST_GIVEN_DERIVATIVES_H

#include "test/fixtures/bench_fixture.h"

enum { GIVEN_MAX = 16 };

/** What its derivatives are and do. */
typedef struct given {
    const resida_mechanism *m; /**< the original */
    double off;                /**< added to all entries, 0: they are right */
    int verdict, fail_at;      /**< what the callback returns from that call on; 0: nothing */
    double spoil;              /**< then added to the last entry, 0: nothing */
    long calls;
    double Phi_v[GIVEN_MAX * GIVEN_MAX]; /**< the last ones handed over */
} given;

/** The mechanism of b; one at a time, k and b must outlive it. */
resida_mechanism given_derivatives(given *k, const bench *b);

#endif
