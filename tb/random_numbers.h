// The random numbers of tests, benches and of the simulated memory's timing (splitmix64). The state is the seed at
// first; any number is good, and seeds that follow each other give numbers that have nothing to do with each other.
#ifndef TANDEM_TB_RANDOM_NUMBERS_H
#define TANDEM_TB_RANDOM_NUMBERS_H

#include <stdint.h>

// 64 bits.
static inline uint64_t random_bits(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

// 0 to n - 1; n: at least 1.
static inline uint32_t random_below(uint64_t *state, uint32_t n) {
    return (uint32_t)(((random_bits(state) >> 32) * n) >> 32);
}

#endif
