// Bits of a verilated port, whatever type Verilator gave it (an integer or an array of 32-bit words).
#ifndef TANDEM_TESTS_RTL_PORT_BITS_H
#define TANDEM_TESTS_RTL_PORT_BITS_H

#include <cstdint>
#include <cstring>

// Bits [low, low + width), width 1 to 64.
template <class Port>
uint64_t get_bits(const Port &port, uint32_t low, uint32_t width) {
    uint32_t words[sizeof port / 4 + 2] = {0};
    std::memcpy(words, &port, sizeof port);
    uint64_t value = 0;
    for (uint32_t i = 0; i < width; i++)
        value |= static_cast<uint64_t>(words[(low + i) / 32] >> (low + i) % 32 & 1) << i;
    return value;
}

template <class Port>
void set_bits(Port &port, uint32_t low, uint32_t width, uint64_t value) {
    uint32_t words[sizeof port / 4 + 2] = {0};
    std::memcpy(words, &port, sizeof port);
    for (uint32_t i = 0; i < width; i++) {
        const uint32_t at = low + i;
        words[at / 32] = (words[at / 32] & ~(1u << at % 32)) | (static_cast<uint32_t>(value >> i & 1) << at % 32);
    }
    std::memcpy(&port, words, sizeof port);
}

// Width of an index that counts to n: $clog2(n).
static inline uint32_t index_bits(uint32_t n) {
    uint32_t bits = 0;
    while ((1u << bits) < n)
        bits++;
    return bits;
}

#endif
