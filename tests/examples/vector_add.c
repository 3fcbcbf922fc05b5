// Adds two vectors on a device: what a program on the device API looks like, from the source of a kernel to its result.
// usage: vector_add [DEVICE]      DEVICE: model:small (default), rtl:nano, tandem:nano and so on
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compiler/compiler.h"
#include "driver/tandem.h"

enum { COUNT = 1000 };

static const char source[] =
    "__kernel void vector_add(__global const uint *a, __global const uint *b, __global uint *sum, uint count) {\n"
    "    size_t i = get_global_id(0);\n"
    "    if (i < count) sum[i] = a[i] + b[i];\n"
    "}\n";

// Says what went wrong; true when nothing did.
static bool good(struct tandem_device *device, enum tandem_status status, const char *what) {
    if (status == TANDEM_OK) return true;
    fprintf(stderr, "vector_add: %s: %s: %s\n", what, tandem_status_name(status), tandem_message(device));
    return false;
}

// Compiles the kernel and loads it. A code object is an ELF file in memory; the device keeps its own copy.
static bool load(struct tandem_device *device, struct tandem_module **module) {
    struct compiler_result result;
    bool done = compiler_compile(source, strlen(source), "vector_add.cl", NULL, &result);
    if (done) {
        done = good(device, tandem_module_load(device, result.elf, result.elf_size, module), "load");
    } else {
        fputs(result.messages, stderr);
    }
    compiler_result_free(&result);
    return done;
}

// Device memory with these contents.
static bool buffer(struct tandem_device *device, const uint32_t *contents, tandem_addr *address) {
    size_t size = COUNT * sizeof *contents;
    return good(device, tandem_alloc(device, size, 64, address), "allocate") &&
           good(device, tandem_write(device, *address, contents, size), "write");
}

static bool add(struct tandem_device *device, struct tandem_channel *channel, struct tandem_module *module,
                const uint32_t *a, const uint32_t *b, uint32_t *sum) {
    tandem_addr on_device[3];
    if (!buffer(device, a, &on_device[0]) || !buffer(device, b, &on_device[1]) || !buffer(device, sum, &on_device[2]))
        return false;
    const uint32_t count = COUNT;
    const struct tandem_argument arguments[] = {{&on_device[0], sizeof(tandem_addr)},
                                                {&on_device[1], sizeof(tandem_addr)},
                                                {&on_device[2], sizeof(tandem_addr)},
                                                {&count, sizeof count}};
    // 32 work-items a work-group; the last group has some without work, which the kernel leaves out.
    const struct tandem_range range = {.dimensions = 1, .global = {(COUNT + 31) / 32 * 32}, .local = {32}};
    // The launch goes into the channel's command block; finish submits it and waits until it has run (0: the usual
    // deadline).
    return good(device, tandem_launch(channel, module, "vector_add", &range, arguments, 4), "launch") &&
           good(device, tandem_finish(channel, 0), "finish") &&
           good(device, tandem_read(device, on_device[2], sum, COUNT * sizeof *sum), "read");
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "model:small";
    static uint32_t a[COUNT], b[COUNT], sum[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        a[i] = i;
        b[i] = 1000000u - 3u * i;
    }
    struct tandem_device *device;
    struct tandem_channel *channel = NULL;
    struct tandem_module *module = NULL;
    char message[512];
    if (tandem_open(name, &device, message, sizeof message) != TANDEM_OK) {
        fprintf(stderr, "vector_add: %s\n", message);
        return 1;
    }
    bool done = good(device, tandem_channel_open(device, 16, 0, &channel), "open a channel") && load(device, &module) &&
                add(device, channel, module, a, b, sum);
    tandem_module_unload(module);
    if (channel != NULL) tandem_channel_close(channel);
    // A tandem device tells here as well when model and RTL have differed.
    if (tandem_close(device) != TANDEM_OK) done = false;
    if (!done) return 1;

    uint32_t wrong = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        wrong += sum[i] != a[i] + b[i];
    printf("vector_add: %d sums on %s, %u of them wrong\n", COUNT, name, wrong);
    return wrong != 0;
}
