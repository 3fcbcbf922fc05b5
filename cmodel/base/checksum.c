#include "base/checksum.h"

#define POLYNOMIAL UINT32_C(0xEDB88320)

// What four bits add.
static uint32_t nibble(uint32_t crc) {
    for (unsigned i = 0; i < 4; i++)
        crc = crc >> 1 ^ ((crc & 1) != 0 ? POLYNOMIAL : 0);
    return crc;
}

uint32_t checksum(uint32_t before, const void *bytes, size_t size) {
    uint32_t table[16];
    for (uint32_t i = 0; i < 16; i++)
        table[i] = nibble(i);
    const uint8_t *at = bytes;
    uint32_t crc = ~before;
    for (size_t i = 0; i < size; i++) {
        crc ^= at[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}
