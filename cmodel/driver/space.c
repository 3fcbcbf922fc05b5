// Address spaces: each has a piece of device memory, where its channels' SPACE_BASE and SPACE_SIZE keep all that they,
// their command blocks, tasks and threads read and write (SP-1). A space that ends leaves its memory cleared (SP-3), so
// that memory outside of spaces is always zero.
#include "driver/space.h"

#include <stdlib.h>
#include <string.h>

#include "gen/isa.h"

// An eighth of a space, at most this, is for code: so data never comes between programs.
#define CODE_LIMIT (8u << 20)
// From here on generic addresses stand for shared and local memory: nothing is allocated there.
#define DATA_END ((uint32_t)WINDOW_SHARED << 24)
#define PAGE 4096u
#define CLEAR_BYTES (64u << 10)

static bool make_heaps(struct tandem_space *space) {
    uint64_t code_end = space->bytes / 8 < CODE_LIMIT ? space->bytes / 8 : CODE_LIMIT;
    const uint64_t data_end = space->bytes < DATA_END ? space->bytes : DATA_END;
    // The first page holds nothing but the locks (locks.h), so that address 0 is never a valid pointer.
    const uint64_t code_start = code_end < PAGE ? code_end : PAGE;
    return heap_init(&space->code, code_start, code_end - code_start) &&
           heap_init(&space->data, code_end, data_end - code_end);
}

struct tandem_space *space_new(struct tandem_device *device, uint64_t bytes, enum tandem_status *status) {
    struct tandem_space *space = calloc(1, sizeof *space);
    if (space == NULL) {
        *status = driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for a space");
        return NULL;
    }
    *space = (struct tandem_space){.device = device, .bytes = bytes, .references = 1};
    if (!make_heaps(space)) {
        *status = driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for a space");
    } else if (bytes > 0 && !heap_alloc(&device->memory, bytes, PAGE, &space->base)) {
        *status = driver_fail(device, TANDEM_NO_MEMORY,
                              "no room for a space of %llu bytes in device memory (%llu bytes outside of spaces); open "
                              "the device with a larger mem=, or a smaller space= for its own",
                              (unsigned long long)bytes, (unsigned long long)heap_available(&device->memory));
    } else {
        *status = TANDEM_OK;
        return space;
    }
    space_destroy(space);
    return NULL;
}

enum tandem_status space_open(struct tandem_device *device, size_t bytes, struct tandem_space **space) {
    *space = NULL;
    enum tandem_status status = driver_check(device);
    if (status != TANDEM_OK) return status;
    if (bytes < TANDEM_SPACE_LEAST || bytes > device->options.mem_bytes) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "space of %zu bytes: must be %u to the device's %zu", bytes,
                           TANDEM_SPACE_LEAST, device->options.mem_bytes);
    }
    *space = space_new(device, (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1), &status);
    if (*space != NULL) driver_hold(device);
    return status;
}

void space_info(const struct tandem_space *space, struct tandem_space_info *info) {
    *info = (struct tandem_space_info){.base = space->base,
                                       .bytes = space->bytes,
                                       .memory_free = heap_available(&space->data),
                                       .channels = space->channels};
}

void space_destroy(struct tandem_space *space) {
    heap_destroy(&space->code);
    heap_destroy(&space->data);
    free(space);
}

void space_hold(struct tandem_space *space) {
    space->references++;
    driver_hold(space->device);
}

void space_release(struct tandem_space *space) {
    struct tandem_device *device = space->device;
    if (--space->references == 0) space_destroy(space);
    driver_release(device);
}

enum tandem_status space_check(struct tandem_space *space) {
    enum tandem_status status = driver_check(space->device);
    if (status == TANDEM_OK && space->closed)
        return driver_fail(space->device, TANDEM_CLOSED, "the space has been closed");
    return status;
}

enum tandem_status space_alloc(struct tandem_space *space, size_t size, size_t alignment, tandem_addr *address) {
    struct tandem_device *device = space->device;
    enum tandem_status status = space_check(space);
    if (status != TANDEM_OK) return status;
    if (alignment == 0) alignment = 32;
    if ((alignment & (alignment - 1)) != 0 || alignment > 4096) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "alignment %zu: not a power of two up to 4096", alignment);
    }
    uint64_t start = 0;
    // A byte more, so that an address just behind the allocation is no address of another one (regions.c).
    if (!heap_alloc(&space->data, size + 1, alignment, &start)) {
        return driver_fail(device, TANDEM_NO_MEMORY, "no room for %zu bytes in %s (%llu bytes free); open %s", size,
                           space == device->own ? "device memory" : "the space",
                           (unsigned long long)heap_available(&space->data),
                           space == device->own ? "the device with a larger mem=" : "a larger one");
    }
    *address = (tandem_addr)start;
    return TANDEM_OK;
}

enum tandem_status space_free(struct tandem_space *space, tandem_addr address) {
    enum tandem_status status = space_check(space);
    if (status != TANDEM_OK) return status;
    if (!heap_free(&space->data, address)) {
        return driver_fail(space->device, TANDEM_BAD_ARGUMENT, "free of 0x%08x: not an address that tandem_alloc gave",
                           address);
    }
    return TANDEM_OK;
}

static enum tandem_status check_range(struct tandem_space *space, const char *what, tandem_addr address, size_t size) {
    enum tandem_status status = space_check(space);
    if (status != TANDEM_OK) return status;
    if (size > space->bytes || address > space->bytes - size) {
        return driver_fail(space->device, TANDEM_BAD_ARGUMENT, "%s of %zu bytes at 0x%08x: outside the %s %llu bytes",
                           what, size, address, space == space->device->own ? "device's" : "space's",
                           (unsigned long long)space->bytes);
    }
    return TANDEM_OK;
}

enum tandem_status space_write(struct tandem_space *space, tandem_addr to, const void *from, size_t size) {
    enum tandem_status status = check_range(space, "write", to, size);
    return status == TANDEM_OK ? memory_write(space->device, space->base + to, from, size) : status;
}

enum tandem_status space_read(struct tandem_space *space, tandem_addr from, void *to, size_t size) {
    enum tandem_status status = check_range(space, "read", from, size);
    return status == TANDEM_OK ? memory_read(space->device, space->base + from, to, size) : status;
}

// The model gives its memory back to the host. Of other simulated devices the host gives memory only where something was
// written: what is zero stays as it is. A board's
// link makes looking dearer than writing.
static bool clear(struct tandem_space *space) {
    const struct backend_ops *ops = space->device->ops;
    const bool look = !ops->place;
    if (ops->mem_clear != NULL && ops->mem_clear(space->device->backend, space->base, space->bytes)) return true;
    uint8_t *zeros = calloc(2, CLEAR_BYTES), *found = zeros != NULL ? zeros + CLEAR_BYTES : NULL;
    bool good = zeros != NULL;
    for (uint64_t at = 0; good && at < space->bytes; at += CLEAR_BYTES) {
        const size_t size = space->bytes - at < CLEAR_BYTES ? (size_t)(space->bytes - at) : CLEAR_BYTES;
        if (look) good = memory_read(space->device, space->base + at, found, size) == TANDEM_OK;
        if (good && (!look || memcmp(found, zeros, size) != 0))
            good = memory_write(space->device, space->base + at, zeros, size) == TANDEM_OK;
    }
    free(zeros);
    return good;
}

void space_end(struct tandem_space *space, bool idle) {
    space->closed = true;
    if (idle && space->bytes > 0 && clear(space)) heap_free(&space->device->memory, space->base);
}
