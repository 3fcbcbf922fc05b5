// The binary form, shared by writer and reader: all numbers little-endian.
#ifndef TANDEM_TRACE_BINARY_H
#define TANDEM_TRACE_BINARY_H

#include <stdint.h>

// magic, version, fingerprint of the table, flags, latency, memory, seed, name of the configuration, CRC-32 of all that
#define BINARY_MAGIC "TANDEMTR"
#define BINARY_HEAD 60u
enum {
    BINARY_VERSION_AT = 8,
    BINARY_TABLE_AT = 12,
    BINARY_FLAGS_AT = 16,
    BINARY_LATENCY_AT = 20,
    BINARY_MEMORY_AT = 24,
    BINARY_SEED_AT = 32,
    BINARY_CONFIG_AT = 40,
    BINARY_CRC_AT = 56
};
#define BINARY_NO_FETCHES 1u

// A record: its type, then
//   EVENT         kind, SM, 0 (a byte each), cycle (8), the words of its fields
//   WRITE, READ   3 bytes of 0, bytes (4), address (8), the bytes
//   END           3 bytes of 0, cycle (8), number of events (8), CRC-32 of the file up to here
enum { BINARY_EVENT = 1, BINARY_WRITE = 2, BINARY_READ = 3, BINARY_END = 4 };
#define BINARY_BYTES_MAX 65536u  // of a WRITE or READ

static inline void put_u32(uint8_t *to, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}
static inline void put_u64(uint8_t *to, uint64_t value) {
    put_u32(to, (uint32_t)value);
    put_u32(to + 4, (uint32_t)(value >> 32));
}
static inline uint32_t get_u32(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}
static inline uint64_t get_u64(const uint8_t *from) {
    return get_u32(from) | (uint64_t)get_u32(from + 4) << 32;
}

#endif
