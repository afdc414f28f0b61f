/* random.c - a counter-based generator: a number is a function of seed, axis and case. The permutation of a Latin
 * hypercube is also such a function. It is a Feistel network over the smallest 2^(2 b) >= n with the generator as round
 * function. A result >= n is permuted again until it is below n (cycle walking: J. Black, P. Rogaway, Ciphers with
 * arbitrary finite domains, 2002). This takes fewer than four passes on average. */
#include "random.h"

enum { PHILOX_ROUNDS = 10, FEISTEL_ROUNDS = 8 };
enum { FOR_VALUE = 0, FOR_PLACE = 1 }; /* streams of an axis */

static void philox_round(uint32_t c[4], const uint32_t key[2])
{
    const uint64_t a = UINT64_C(0xD2511F53) * c[0], b = UINT64_C(0xCD9E8D57) * c[2];
    const uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ key[0], (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ key[1],
                              (uint32_t)a};
    for (int i = 0; i < 4; i++) c[i] = next[i];
}

void cmd_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t k[2] = {key[0], key[1]};
    for (int i = 0; i < 4; i++) out[i] = counter[i];
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        philox_round(out, k);
        k[0] += UINT32_C(0x9E3779B9);
        k[1] += UINT32_C(0xBB67AE85);
    }
}

/** Return 64 random bits for a number in a stream of an axis. */
static uint64_t compute_random_bits(uint64_t seed, int axis, uint32_t stream, uint64_t number)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[4] = {(uint32_t)number, (uint32_t)(number >> 32), (uint32_t)axis, stream};
    uint32_t out[4];
    cmd_philox(counter, key, out);
    return (uint64_t)out[0] << 32 | out[1];
}

double cmd_random_uniform(uint64_t seed, int axis, uint64_t k)
{
    return ((double)(compute_random_bits(seed, axis, FOR_VALUE, k) >> 12) + 0.5) * 0x1p-52;
}

uint64_t cmd_random_permute(uint64_t seed, int axis, uint64_t k, uint64_t n)
{
    int b = 1;
    while (b < 32 && UINT64_C(1) << (2 * b) < n) b++;
    const uint64_t mask = (UINT64_C(1) << b) - 1;
    do {
        uint64_t left = k >> b, right = k & mask;
        for (uint32_t round = 0; round < FEISTEL_ROUNDS; round++) {
            const uint64_t mixed = left ^ (compute_random_bits(seed, axis, FOR_PLACE + round, right) & mask);
            left = right;
            right = mixed;
        }
        k = left << b | right;
    } while (k >= n);
    return k;
}

double cmd_random_stratum(uint64_t seed, int axis, uint64_t k, uint64_t n)
{
    const double place = (double)cmd_random_permute(seed, axis, k, n);
    const double u = (place + cmd_random_uniform(seed, axis, k)) / (double)n;
    return u < 1 ? u : 1 - 0x1p-53;
}
