// Device memory that somebody outside gives, in place of the model's own.
#ifndef TANDEM_BASE_MEMORY_GIVEN_H
#define TANDEM_BASE_MEMORY_GIVEN_H

#include <stddef.h>
#include <stdint.h>

// Either bytes, all of the memory, or the two functions; they are called for ranges inside of it only and cannot fail.
struct memory_given {
    uint8_t *bytes;
    void *context;
    void (*read)(void *context, uint64_t addr, void *to, size_t size);
    void (*write)(void *context, uint64_t addr, const void *from, size_t size);
};

#endif
