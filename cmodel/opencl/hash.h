// A short name for bytes: FNV-1a. Against damage and for names of files, not against malice.
#ifndef TANDEM_OPENCL_HASH_H
#define TANDEM_OPENCL_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xCBF29CE484222325u

static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t size) {
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ ((const uint8_t *)data)[k]) * 0x100000001B3u;
    return hash;
}

#endif
