// Operands of 64 bits for tests of double precision: numbers where roundings, cancellation and the ends of the range are
// likely, as bits.
#ifndef TANDEM_TESTS_DOUBLE_NUMBERS_H
#define TANDEM_TESTS_DOUBLE_NUMBERS_H

#include <stdint.h>
#include <string.h>

#define DOUBLE_FRACTION_BITS UINT64_C(0x000FFFFFFFFFFFFF)

static inline double double_of_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t bits_of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// xorshift64*, state not 0.
static inline uint64_t next_bits(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545F4914F6CDD1D);
}

// Fractions with long runs of ones and zeros, exponents at the ends of the range, near 1 and anywhere.
static inline uint64_t hard_double(uint64_t *state) {
    const uint64_t how = next_bits(state), random = next_bits(state), shift = how >> 8 & 63;
    uint64_t fraction, exponent;
    switch (how & 7) {
        case 0: fraction = random & next_bits(state) & next_bits(state); break;
        case 1: fraction = ~(random & next_bits(state) & next_bits(state)); break;
        case 2: fraction = (UINT64_C(1) << shift) - 1; break;
        case 3: fraction = UINT64_C(1) << shift; break;
        case 4: fraction = (random & 7) - 4; break;
        case 5: fraction = random << shift; break;
        default: fraction = random; break;
    }
    switch (how >> 3 & 7) {
        case 0: exponent = how >> 20 & 2047; break;
        case 1: exponent = how >> 20 & 3; break;
        case 2: exponent = 2047 - (how >> 20 & 3); break;
        case 3: exponent = 1023 + (how >> 20 & 1); break;
        case 4: exponent = 1023 + (how >> 20 & 63); break;
        default: exponent = 1023 - 64 + (how >> 20 & 127); break;
    }
    // NaNs are quiet ones.
    if (exponent == 2047 && (fraction & DOUBLE_FRACTION_BITS) != 0) fraction |= UINT64_C(1) << 51;
    return (fraction & DOUBLE_FRACTION_BITS) | exponent << 52 | how >> 63 << 63;
}

#endif
