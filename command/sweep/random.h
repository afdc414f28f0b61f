/* random.h - random numbers that depend on the number of the case, so that the order of cases has no effect. */
#ifndef CMD_RANDOM_H
#define CMD_RANDOM_H

#include <stdint.h>

/** Compute ten rounds of Philox 4x32: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as
 *  easy as 1, 2, 3 (2011). The counter has four words, the key two, the result four. */
void cmd_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/** Return a uniform random number in the open interval (0, 1) for case k of an axis. */
double cmd_random_uniform(uint64_t seed, int axis, uint64_t k);

/** Return the image of case k, 0 <= k < n, under a random permutation of 0 .. n-1 for the axis. */
uint64_t cmd_random_permute(uint64_t seed, int axis, uint64_t k, uint64_t n);

/** Return a number in (0, 1) for case k of a Latin hypercube. Each of n cases has one of n equal intervals and is
 *  uniform in it. */
double cmd_random_stratum(uint64_t seed, int axis, uint64_t k, uint64_t n);

#endif
