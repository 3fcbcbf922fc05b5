// Programs whose work makes its own work on the PPU (tests/kernels/nested.cl), and the same algorithms in plain C.
#ifndef TANDEM_TESTS_NESTED_H
#define TANDEM_TESTS_NESTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/tandem.h"

struct nested {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    uint32_t group;  // work-items of a work-group: a warp
    uint64_t deadline;
    char error[1024];  // one line after a call that returned false
};

// kernels: the folder of nested.cl, or nested.elf with its folder, compiled from it before. queue: sizes of the
// PPU-owned queue, NULL: the defaults. On true the caller owns it: nested_close(), whose false is a mismatch or another
// failure on closing.
bool nested_open(struct nested *n, const char *device, const char *kernels, const struct tandem_work_queue *queue);
bool nested_close(struct nested *n);

// Each runs on the device and compares with plain C; false: error says what differs or failed.
// size: width and height of the picture, a power of two, 8 to 1024; limit: iterations, up to 255. picture: size * size
// bytes that get it.
bool nested_mandelbrot(struct nested *n, uint32_t size, uint32_t limit, uint8_t *picture);
// count: keys, made from the seed, up to 2^22.
bool nested_quicksort(struct nested *n, uint32_t count, uint64_t seed);
// A random graph of so many vertices, up to 2^20, and about three times as many edges. levels: how deep it is.
bool nested_search(struct nested *n, uint32_t vertices, uint64_t seed, uint32_t *levels);

// The picture in plain C, by the same subdivision; launches: how many squares were looked at.
void mandelbrot_plainly(uint32_t size, uint32_t limit, uint8_t *picture, uint32_t *launches);

// The same picture with launches made by the PPU's threads, or handed back to the CPU one level at a time.
struct nested_cost {
    uint32_t launches;        // nested ones
    double cycles_to_start;   // from a launch's creation to its start, mean
    uint64_t cycles;          // in all
    uint64_t cpu_wakeups;     // times the CPU had waited and went on
    uint64_t link_words;      // of 32 bits that went over the link between CPU and PPU
    uint64_t link_transfers;  // separate accesses
};
bool nested_mandelbrot_cost(struct nested *n, uint32_t size, uint32_t limit, bool by_cpu, struct nested_cost *cost);

#endif
