// Compiles a file of tests/kernels and runs kernels of it on a device, for tests of the compiler.
#ifndef TANDEM_TESTS_KERNEL_RUNNER_H
#define TANDEM_TESTS_KERNEL_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/compiler.h"
#include "driver/tandem.h"

struct runner {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
};

// False for RTL in a configuration that this program is not linked with: that of `make quick` has nano alone, that of
// `make test` all.
bool runner_has(const char *device);

// Each of these ends the test with a message when something fails. options may be NULL.
void runner_open(struct runner *runner, const char *device, const char *file, const struct compiler_options *options);
// The same from the text of a program.
void runner_open_text(struct runner *runner, const char *device, const char *source,
                      const struct compiler_options *options);
void runner_close(struct runner *runner);
// Device memory with these contents (NULL: zeros).
tandem_addr runner_buffer(struct runner *runner, const void *contents, size_t size);
void runner_read(struct runner *runner, tandem_addr from, void *to, size_t size);
// Launches and waits. arguments: count pairs of data and size.
void runner_launch(struct runner *runner, const char *kernel, const struct tandem_range *range,
                   const struct tandem_argument *arguments, size_t count);
// The same; false when the channel faulted or the deadline (in cycles) came first.
bool runner_try(struct runner *runner, const char *kernel, const struct tandem_range *range,
                const struct tandem_argument *arguments, size_t count, uint64_t deadline);

// What a program prints, its beginning: for tandem_set_printf().
struct kept_text {
    char bytes[512];
    size_t size;
};
void runner_keep_text(void *text, const char *bytes, size_t size);

// Reproducible numbers of mixed sizes: small ones, large ones, ends of the range.
uint32_t mixed_number(uint64_t *state);

#endif
