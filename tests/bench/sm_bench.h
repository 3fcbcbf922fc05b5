// What the parts of build/sm-bench share: a device with one program on it, launches that are measured, results that are
// compared. Every call that can fail says so on stderr and returns false.
#ifndef TANDEM_TESTS_BENCH_SM_BENCH_H
#define TANDEM_TESTS_BENCH_SM_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/compiler.h"
#include "driver/tandem.h"
#include "gen/config.h"

struct bench_device {
    const struct ppu_config *config;
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    tandem_addr stamps;  // two times, 16 bytes each
};

// Of one launch.
struct bench_figures {
    uint64_t cycles;             // from before its TMD is read until it has ended (model: steps)
    uint64_t instructions;       // of warps
    uint64_t threads;            // thread-instructions
    uint64_t hits, misses;       // of the level 1 caches
    uint64_t passes, conflicts;  // of the banks of the shared memories
    uint32_t resident;           // the most warps at a time, of all SMs
};

// backend: "rtl", "model". keys: of the device name (",trace=FILE"), or "".
bool bench_open(struct bench_device *b, const char *backend, const struct ppu_config *config, const char *keys);
bool bench_close(struct bench_device *b);

// Each takes the place of the program loaded before. bench_load(): a code object; name: for messages.
bool bench_load(struct bench_device *b, const char *name, const void *elf, size_t size);
bool bench_compile(struct bench_device *b, const char *path, const struct compiler_options *options);
bool bench_assemble(struct bench_device *b, const char *name, const char *text);
bool bench_assemble_file(struct bench_device *b, const char *path);

// A buffer of so many words; from NULL: zeros.
bool bench_buffer(struct bench_device *b, size_t words, const uint32_t *from, tandem_addr *address);
bool bench_launch(struct bench_device *b, const char *kernel, const struct tandem_range *range,
                  const struct tandem_argument *arguments, size_t count, struct bench_figures *figures);
// Compares so many words with what plain C came to.
bool bench_compare(struct bench_device *b, const char *what, tandem_addr address, const uint32_t *expected,
                   size_t words);

uint32_t bench_random(uint32_t *state);

// The subcommands, each for one configuration.
typedef bool bench_command(const struct ppu_config *config);
bench_command bench_issue, bench_tokens, bench_locks, bench_wide_locks, bench_rows, bench_orders, bench_yields,
    bench_generic, bench_model, bench_speed;

#endif
