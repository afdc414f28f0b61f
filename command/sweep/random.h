/* random.h - numbers that a case's own number decides, so that case k is the same in whatever order cases run. */
#ifndef CMD_RANDOM_H
#define CMD_RANDOM_H

#include <stdint.h>

/** Ten rounds of Philox 4x32: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as
 *  1, 2, 3 (2011). Four words of the key's two and the counter's four. */
void cmd_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/** A number within (0, 1), never an end, for case k of an axis. */
double cmd_random_uniform(uint64_t seed, int axis, uint64_t k);

/** Where case k, 0 <= k < n, goes in a permutation of 0 .. n-1 that is the axis's own. */
uint64_t cmd_random_place(uint64_t seed, int axis, uint64_t k, uint64_t n);

/** A Latin hypercube: of n cases each has one of n equal parts of (0, 1) for itself, and lies anywhere in it. */
double cmd_random_stratum(uint64_t seed, int axis, uint64_t k, uint64_t n);

#endif
