// Runs steps.cl, compiled before by `tandem cc`: the shortest host program. README.md shows the middle of it.
// usage: steps FILE.elf [DEVICE]      DEVICE: tandem:small (default), model:full, rtl:nano and so on
#include <stdio.h>
#include <stdlib.h>

#include "driver/tandem.h"

enum { COUNT = 64 };

static struct tandem_device *device;

static void must(enum tandem_status status) {
    if (status == TANDEM_OK) return;
    fprintf(stderr, "steps: %s: %s\n", tandem_status_name(status),
            device != NULL ? tandem_message(device) : "no device");
    exit(1);
}

static uint32_t steps(uint32_t n) {
    uint32_t count = 0;
    for (; n != 1; count++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return count;
}

int main(int argc, char **argv) {
    const char *file = argc > 1 ? argv[1] : "steps.elf", *name = argc > 2 ? argv[2] : "tandem:small";
    struct tandem_module *module;
    struct tandem_channel *channel;
    tandem_addr in, out;
    uint32_t numbers[COUNT], counts[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        numbers[i] = i + 1;

    const struct tandem_range range = {.dimensions = 1, .global = {COUNT}};
    const struct tandem_argument arguments[] = {{&in, sizeof in}, {&out, sizeof out}};
    must(tandem_open(name, &device, NULL, 0));
    must(tandem_module_load_file(device, file, &module));
    must(tandem_channel_open(device, 16, 0, &channel));
    must(tandem_alloc(device, sizeof numbers, 64, &in));
    must(tandem_alloc(device, sizeof counts, 64, &out));
    must(tandem_write(device, in, numbers, sizeof numbers));
    must(tandem_launch(channel, module, "steps", &range, arguments, 2));
    must(tandem_finish(channel, 0));
    must(tandem_read(device, out, counts, sizeof counts));

    uint32_t wrong = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        wrong += counts[i] != steps(numbers[i]);
    tandem_module_unload(module);
    must(tandem_channel_close(channel));
    must(tandem_close(device));
    printf("steps: %d numbers on %s, 27 takes %u steps: %s\n", COUNT, name, counts[26], wrong == 0 ? "right" : "WRONG");
    return wrong != 0;
}
