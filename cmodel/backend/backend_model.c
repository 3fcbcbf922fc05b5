// Backend "model": the C golden model, running alone on its own seeded schedule.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "backend/memory_outside.h"
#include "backend/timeline.h"
#include "base/image.h"
#include "ppu.h"
#include "trace/trace_file.h"

struct model_backend {
    struct ppu *ppu;
    uint64_t cycles;
    struct trace_writer *trace;
    struct timeline *timeline;
    backend_watch *watch;
    void *watch_context;
};

static void on_event(void *context, const struct trace_event *event) {
    struct model_backend *backend = context;
    if (backend->timeline != NULL) timeline_event(backend->timeline, event);
    if (backend->trace != NULL) trace_writer_event(backend->trace, event);
}

static bool model_close(void *self) {
    struct model_backend *backend = self;
    ppu_destroy(backend->ppu);
    bool good = timeline_close(backend->timeline);
    if (!trace_writer_close(backend->trace, backend->cycles)) good = false;
    if (!good) fprintf(stderr, "device model: cannot write the trace or timeline file whole\n");
    free(backend);
    return good;
}

static struct ppu *create(const struct backend_options *options) {
    const struct memory_outside *outside = options->outside;
    if (outside == NULL) return ppu_create(options->config, options->mem_bytes, options->seed);
    const struct memory_given given = {.context = outside->context, .read = outside->read, .write = outside->write};
    return ppu_create_on(options->config, options->mem_bytes, options->seed, &given);
}

static void *model_open(struct backend_options *options, char *message, size_t message_size) {
    if (options->wave[0] != '\0' || options->inject != 0 || strcmp(options->config->name, options->config_name) != 0) {
        snprintf(message, message_size,
                 "device model: has no %s; use rtl: or tandem:", options->wave[0] != '\0' ? "waves" : "RTL defects");
        return NULL;
    }
    struct model_backend *backend = calloc(1, sizeof *backend);
    if (backend != NULL) backend->ppu = create(options);
    if (backend == NULL || backend->ppu == NULL) {
        free(backend);
        snprintf(message, message_size, "device model: the host has no memory for %zu bytes of device memory",
                 options->mem_bytes);
        return NULL;
    }
    ppu_inject(backend->ppu, options->inject_model);
    ppu_set_native(backend->ppu, !options->slow);
    if (options->trace[0] != '\0') {
        // The model reads each instruction from memory when it is executed, and no event tells of that.
        struct trace_head head = {
            .memory = options->mem_bytes, .seed = options->seed, .latency = options->latency, .no_fetches = true};
        char why[256];
        snprintf(head.config, sizeof head.config, "%s", options->config->name);
        backend->trace = trace_writer_open(options->trace, &head, why, sizeof why);
        if (backend->trace == NULL) {
            snprintf(message, message_size, "trace file %s: %s", options->trace, why);
            model_close(backend);
            return NULL;
        }
    }
    if (options->timeline[0] != '\0') {
        backend->timeline = timeline_open(options->timeline, options->config, message, message_size);
        if (backend->timeline == NULL) {
            model_close(backend);
            return NULL;
        }
    }
    if (backend->trace != NULL || backend->timeline != NULL) ppu_set_trace(backend->ppu, on_event, backend);
    return backend;
}

static uint32_t model_reg_read(void *self, uint32_t offset) {
    struct model_backend *backend = self;
    const uint32_t value = ppu_reg_read(backend->ppu, offset);
    if (backend->trace != NULL) {
        trace_writer_event(backend->trace, &(struct trace_event){.kind = TRACE_REG_READ,
                                                                 .cycle = backend->cycles,
                                                                 .reg_read = {.addr = offset, .data = value}});
    }
    return value;
}

static void model_reg_write(void *self, uint32_t offset, uint32_t value) {
    struct model_backend *backend = self;
    if (backend->trace != NULL) {
        trace_writer_event(backend->trace, &(struct trace_event){.kind = TRACE_REG_WRITE,
                                                                 .cycle = backend->cycles,
                                                                 .reg_write = {.addr = offset, .data = value}});
    }
    ppu_reg_write(backend->ppu, offset, value);
}

static bool model_mem_read(void *self, uint64_t addr, void *to, size_t size) {
    struct model_backend *backend = self;
    if (!ppu_mem_read(backend->ppu, addr, to, size)) return false;
    if (backend->trace != NULL) trace_writer_memory(backend->trace, false, addr, to, size);
    return true;
}

static bool model_mem_write(void *self, uint64_t addr, const void *from, size_t size) {
    struct model_backend *backend = self;
    if (!ppu_mem_write(backend->ppu, addr, from, size)) return false;
    if (backend->trace != NULL) trace_writer_memory(backend->trace, true, addr, from, size);
    return true;
}

static bool model_mem_clear(void *self, uint64_t addr, size_t size) {
    struct model_backend *backend = self;
    return backend->trace == NULL && ppu_mem_clear(backend->ppu, addr, size);
}

static uint64_t model_run(void *self, uint64_t cycles) {
    struct model_backend *backend = self;
    if (backend->watch == NULL) {
        const uint64_t done = ppu_step(backend->ppu, cycles);
        backend->cycles += done;
        return done;
    }
    uint64_t done = 0;
    while (done < cycles && ppu_step(backend->ppu, 1) != 0) {
        done++;
        backend->cycles++;
        if (backend->watch != NULL) backend->watch(backend->watch_context, backend->cycles);
    }
    return done;
}

static void model_bus_errors(void *self, uint64_t base, uint64_t size, bool writes_only) {
    ppu_set_bus_errors(((struct model_backend *)self)->ppu, base, size, writes_only);
}

static void model_statistics(void *self, struct tandem_statistics *to) {
    struct model_backend *backend = self;
    struct ppu_counters counters;
    ppu_get_counters(backend->ppu, &counters);
    to->cycles = backend->cycles;
    to->warp_instructions = counters.warp_instructions;
    to->thread_instructions = counters.thread_instructions;
    to->local_accesses = counters.local_accesses;
    to->events = counters.gp_entries + counters.methods + counters.semaphores + 2 * counters.tasks + 2 * counters.ctas;
}

static bool model_irq(void *self) {
    return ppu_irq(((struct model_backend *)self)->ppu);
}

static const char *model_failed(void *self) {
    (void)self;
    return NULL;
}

static const struct ppu *model_watch(void *self, backend_watch *watch, void *context) {
    struct model_backend *backend = self;
    backend->watch = watch;
    backend->watch_context = context;
    if (watch != NULL) ppu_set_native(backend->ppu, false);  // a step is an instruction
    return backend->ppu;
}

static void model_image(void *self, struct image *image) {
    struct model_backend *backend = self;
    ppu_image(backend->ppu, image);
    image_part(image, &backend->cycles, sizeof backend->cycles);
}

const struct backend_ops backend_model = {
    .name = "model",
    .cycles_per_second = 15000000,
    .open = model_open,
    .close = model_close,
    .reg_read = model_reg_read,
    .reg_write = model_reg_write,
    .mem_read = model_mem_read,
    .mem_write = model_mem_write,
    .mem_clear = model_mem_clear,
    .bus_errors = model_bus_errors,
    .run = model_run,
    .statistics = model_statistics,
    .irq = model_irq,
    .failed = model_failed,
    .watch = model_watch,
    .image = model_image,
};
