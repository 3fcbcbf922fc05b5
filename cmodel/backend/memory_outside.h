// Device memory that stands outside of the device, in a platform that the device is a part of: how model and RTL reach
// it there.
#ifndef TANDEM_BACKEND_MEMORY_OUTSIDE_H
#define TANDEM_BACKEND_MEMORY_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All of it is the caller's and outlives the device. Addresses are physical, [addr, addr + size) lies inside.
struct memory_outside {
    void *context;
    // What the model does, and what the CPU does through the device.
    void (*read)(void *context, uint64_t addr, void *to, size_t size);
    void (*write)(void *context, uint64_t addr, const void *from, size_t size);
    // A burst of the RTL: of a write the bytes whose strobe is set. False: the memory answered with an error, and
    // nothing was done.
    bool (*read_burst)(void *context, uint64_t addr, uint8_t *to, size_t size);
    bool (*write_burst)(void *context, uint64_t addr, const uint8_t *from, const bool *strobe, size_t size);
    // All bytes as they stand, for comparing alone.
    uint8_t *bytes;
};

#endif
