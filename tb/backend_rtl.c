// The backend "rtl": the verilated ppu alone. Time stands still between calls; run() and the CPU's accesses clock it.
#include <stdio.h>
#include <stdlib.h>

#include "rtl_session.h"

static void *open_rtl(struct backend_options *options, char *message, size_t message_size) {
    struct rtl_session *self = malloc(sizeof *self);
    if (self == NULL) {
        snprintf(message, message_size, "out of memory");
        return NULL;
    }
    if (options->inject_model != 0) {
        snprintf(message, message_size, "inject_model=%u: the backend rtl has no model", options->inject_model);
    } else if (rtl_session_open(self, options, message, message_size)) {
        return self;
    }
    free(self);
    return NULL;
}

static bool close_rtl(void *context) {
    struct rtl_session *self = context;
    rtl_session_close(self);
    bool good = self->failed[0] == '\0';
    if (!good) fprintf(stderr, "rtl: %s\n", self->failed);
    free(self);
    return good;
}

static uint32_t reg_read(void *self, uint32_t offset) {
    return rtl_session_reg_read(self, offset);
}

static void reg_write(void *self, uint32_t offset, uint32_t value) {
    rtl_session_reg_write(self, offset, value);
}

static bool mem_read(void *self, uint64_t addr, void *to, size_t size) {
    return rtl_session_mem_read(self, addr, to, size);
}

static bool mem_write(void *self, uint64_t addr, const void *from, size_t size) {
    return rtl_session_mem_write(self, addr, from, size);
}

static void bus_errors(void *self, uint64_t base, uint64_t size, bool writes_only) {
    rtl_session_bus_errors(self, base, size, writes_only);
}

static uint64_t run(void *self, uint64_t cycles) {
    return rtl_session_run(self, cycles);
}

static void statistics(void *self, struct tandem_statistics *to) {
    rtl_session_statistics(self, to);
}

static bool irq(void *context) {
    const struct rtl_session *self = context;
    return self->ops->irq(self->device);
}

static const char *failed(void *context) {
    struct rtl_session *self = context;
    return self->failed[0] != '\0' ? self->failed : NULL;
}

static void image(void *self, struct image *image) {
    rtl_session_image(self, image);
}

const struct backend_ops backend_rtl = {
    .name = "rtl",
    .cycles_per_second = 300000,
    .open = open_rtl,
    .close = close_rtl,
    .reg_read = reg_read,
    .reg_write = reg_write,
    .mem_read = mem_read,
    .mem_write = mem_write,
    .bus_errors = bus_errors,
    .run = run,
    .statistics = statistics,
    .irq = irq,
    .failed = failed,
    .image = image,
};
