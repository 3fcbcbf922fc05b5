// A device, a channel with a PPU-owned queue and a program: for tests of work that the PPU's own threads make.
#ifndef TANDEM_TESTS_WORK_BENCH_H
#define TANDEM_TESTS_WORK_BENCH_H

#include "on_devices.h"

#define WORK_DEADLINE 200000000u

struct work_bench {
    const char *name;  // of the device
    void *elf;         // the program
    size_t elf_size;
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
};

// entries of the ring and pieces of work; file: of tests/kernels, compiled with the options, or NAME.elf, which make
// has compiled from NAME.cl without any (what a compilation costs is then not paid in each test).
struct work_bench work_begin(const char *device, uint32_t entries, uint32_t pieces, const char *file,
                             const char *options);
// Closes the device and opens it anew with the same program and another queue: what a compilation costs is paid once.
void work_again(struct work_bench *b, uint32_t entries, uint32_t pieces);
// Compiles and loads another program in the place of the first, which is to be unloaded by then.
void work_load(struct work_bench *b, const char *file, const char *options);
void work_end(struct work_bench *b);
// The queue is ready for the next launch and nothing of it has been lost.
void work_check_queue(struct work_bench *b);
// Launches and waits; then checks the queue.
void work_run(struct work_bench *b, const char *kernel, uint32_t global, uint32_t local,
              const struct tandem_argument *arguments, size_t count);

#endif
