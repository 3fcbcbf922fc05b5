// An address space of a device: a piece of its memory, with what lives in it.
#ifndef TANDEM_DRIVER_SPACE_H
#define TANDEM_DRIVER_SPACE_H

#include "driver/device.h"

struct tandem_space {
    struct tandem_device *device;
    uint64_t base, bytes;  // in device memory; addresses in the space count from base
    struct heap code, data;
    uint32_t code_generation;        // goes up with each module loaded: channels then forget cached instructions
    struct tandem_module *printing;  // modules that print
    unsigned channels;               // that it has on the device
    unsigned references;             // its own handle or the device, its channels and modules
    unsigned calls;                  // on its handle, under way
    bool closed;
};

// The device's own space and others: memory from the device's, all zero. NULL: *status says why.
struct tandem_space *space_new(struct tandem_device *device, uint64_t bytes, enum tandem_status *status);
enum tandem_status space_open(struct tandem_device *device, size_t bytes, struct tandem_space **space);
void space_info(const struct tandem_space *space, struct tandem_space_info *info);
void space_destroy(struct tandem_space *space);
// A handle of the space: itself, a channel, a module. It keeps the device too.
void space_hold(struct tandem_space *space);
// The handle is gone.
void space_release(struct tandem_space *space);

// TANDEM_CLOSED when the space has been closed, else as driver_check().
enum tandem_status space_check(struct tandem_space *space);

enum tandem_status space_alloc(struct tandem_space *space, size_t size, size_t alignment, tandem_addr *address);
enum tandem_status space_free(struct tandem_space *space, tandem_addr address);
// Addresses of the space; what lies outside is TANDEM_BAD_ARGUMENT.
enum tandem_status space_write(struct tandem_space *space, tandem_addr to, const void *from, size_t size);
enum tandem_status space_read(struct tandem_space *space, tandem_addr from, void *to, size_t size);

// After its channels have been ended: what it holds of the device goes back, and its memory is cleared for the next
// one. idle: no task can reach it any more; else its memory stays taken.
void space_end(struct tandem_space *space, bool idle);

#endif
