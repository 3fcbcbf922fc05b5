// The backend "systemc": a device in the SystemC platform, reached over its link. Programs that are built without
// SystemC have no platform_ops, and say so.
#include <stdio.h>

#include "systemc/platform.h"

static void *open_systemc(struct backend_options *options, char *message, size_t message_size) {
    // A pointer of its own: the address of what is defined is never NULL to a compiler, weak or not.
    const struct platform_ops *volatile platform = &platform_ops;
    if (platform == NULL) {
        snprintf(message, message_size, "device systemc: this program was built without SystemC (libsystemc-dev)");
        return NULL;
    }
    void *self = platform->open(options, message, message_size);
    // The link's time is the platform's, not the driver's.
    if (self != NULL) options->link_ns = 0;
    return self;
}

static bool close_systemc(void *self) {
    return platform_ops.close(self);
}

static uint32_t reg_read(void *self, uint32_t offset) {
    uint32_t value = UINT32_MAX;
    return platform_ops.read(self, PLATFORM_REGISTERS + offset, &value, sizeof value) ? value : UINT32_MAX;
}

static void reg_write(void *self, uint32_t offset, uint32_t value) {
    (void)platform_ops.write(self, PLATFORM_REGISTERS + offset, &value, sizeof value);
}

static bool mem_read(void *self, uint64_t addr, void *to, size_t size) {
    return platform_ops.read(self, PLATFORM_MEMORY + addr, to, size);
}

static bool mem_write(void *self, uint64_t addr, const void *from, size_t size) {
    return platform_ops.write(self, PLATFORM_MEMORY + addr, from, size);
}

static void bus_errors(void *self, uint64_t base, uint64_t size, bool writes_only) {
    platform_ops.bus_errors(self, base, size, writes_only);
}

static uint64_t run(void *self, uint64_t cycles) {
    return platform_ops.run(self, cycles);
}

static void statistics(void *self, struct tandem_statistics *to) {
    platform_ops.statistics(self, to);
}

static bool irq(void *self) {
    return platform_ops.irq(self);
}

static const char *failed(void *self) {
    return platform_ops.failed(self);
}

const struct backend_ops backend_systemc = {
    .name = "systemc",
    .cycles_per_second = 300000,
    .open = open_systemc,
    .close = close_systemc,
    .reg_read = reg_read,
    .reg_write = reg_write,
    .mem_read = mem_read,
    .mem_write = mem_write,
    .bus_errors = bus_errors,
    .run = run,
    .statistics = statistics,
    .irq = irq,
    .failed = failed,
};
