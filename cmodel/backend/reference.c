// The model as the device that another one is compared with.
#include "backend/reference.h"

#include <stdio.h>
#include <stdlib.h>

#include "gen/bundles.h"
#include "gen/registers.h"
#include "mem/mem.h"
#include "ppu.h"
#include "sm/signature.h"

#define LINE LINE_BYTES

void reference_log_free(struct reference_log *log) {
    free(log->warps);
    free(log->events);
    *log = (struct reference_log){0};
}

// Room for one more; false: no memory.
static bool more(void **items, size_t count, size_t *room, size_t size) {
    if (count < *room) return true;
    const size_t wanted = *room == 0 ? 64 : 2 * *room;
    void *grown = realloc(*items, wanted * size);
    if (grown == NULL) return false;
    *items = grown;
    *room = wanted;
    return true;
}

static void warp_starts(struct reference_log *log, const struct trace_event *event) {
    const struct trace_warp_start *e = &event->warp_start;
    const struct trace_cta_launch *l = &log->launch[event->sm];
    const uint32_t cta[3] = {l->x, l->y, l->z}, tmd = log->slot_tmd[e->slot % 64];
    const uint32_t name = signature_name(tmd, cta, e->index);
    log->name[event->sm][e->warp] = name;
    if (!log->listening) return;
    if (!more((void **)&log->warps, log->warp_count, &log->warp_room, sizeof *log->warps)) {
        log->failed = true;
        return;
    }
    log->warps[log->warp_count++] = (struct reference_warp){
        .name = name, .sm = event->sm, .warp = e->warp, .tmd = tmd, .cta = {cta[0], cta[1], cta[2]}, .index = e->index};
}

static void keep(struct reference_log *log, const struct trace_event *event, uint32_t warp) {
    if (!log->listening || !log->wants || log->name[event->sm][warp] != log->wanted) return;
    if (!more((void **)&log->events, log->event_count, &log->event_room, sizeof *log->events)) {
        log->failed = true;
        return;
    }
    log->events[log->event_count++] = *event;
}

// ---- the model behind struct backend_ops
struct reference {
    struct ppu *ppu;
    struct reference_log *log;           // or NULL
    uint32_t base[SIGNED_CHANNELS_MAX];  // of the channels' spaces
    uint8_t *lines;                      // bit k: line k was last written by a multiprocessor
    size_t line_count;
};

// Semaphores and task management write times and links, which are legally others: only what threads have written is compared.
static void performs(struct reference *self, const struct trace_perform *e) {
    if (e->op == REQUEST_READ || e->fault != 0) return;
    const bool physical = e->channel >= SIGNED_CHANNELS_MAX;
    const size_t line = ((physical ? 0 : self->base[e->channel]) + (size_t)e->addr) / LINE;
    if (line >= self->line_count) return;
    struct reference_log *log = self->log;
    if (log != NULL && log->watches && log->watched / LINE == line &&
        (e->op == REQUEST_ATOMIC || (e->wstrb >> log->watched % LINE & 1u) != 0)) {
        // The model alone performs a request as soon as it is made.
        log->written = e->port >= MEM_PORT_SM && !physical;
        log->writer_sm = (e->port - MEM_PORT_SM) / 2;
        if (log->written) log->writer = log->last[log->writer_sm][log->request.warp % 64];
    }
    // Which tokens are in memory is a choice too.
    if (e->port >= MEM_PORT_SM && !physical)
        self->lines[line / 8] |= (uint8_t)(1u << line % 8);
    else
        self->lines[line / 8] &= (uint8_t) ~(1u << line % 8);
}

static void listen(void *context, const struct trace_event *event) {
    struct reference *self = context;
    struct reference_log *log = self->log;
    if (event->kind == TRACE_PERFORM) performs(self, &event->perform);
    if (log == NULL) return;
    switch (event->kind) {
        case TRACE_TASK_START: log->slot_tmd[event->task_start.slot % 64] = event->task_start.tmd; break;
        // The model alone starts the warps of a CTA at once.
        case TRACE_CTA_LAUNCH: log->launch[event->cta_launch.sm] = event->cta_launch; break;
        case TRACE_WARP_START: warp_starts(log, event); break;
        case TRACE_INSTR:
            log->last[event->sm][event->instr.warp % 64] = event->instr;
            keep(log, event, event->instr.warp);
            break;
        case TRACE_WB: keep(log, event, event->wb.warp); break;
        case TRACE_MEM_REQ:
            log->request = event->mem_req;
            keep(log, event, event->mem_req.warp);
            break;
        default: break;
    }
}

bool reference_judges(const struct signed_device *device, uint64_t address) {
    const struct reference *self = device->backend;
    const uint64_t line = address / LINE;
    return line < self->line_count && (self->lines[line / 8] >> line % 8 & 1) != 0;
}

static bool close_reference(void *context) {
    struct reference *self = context;
    if (self->ppu != NULL) ppu_destroy(self->ppu);
    free(self->lines);
    free(self);
    return true;
}

static void *open_reference(struct backend_options *options, char *message, size_t message_size) {
    struct reference *self = calloc(1, sizeof *self);
    if (self != NULL) {
        self->ppu = ppu_create(options->config, options->mem_bytes, options->seed);
        self->line_count = options->mem_bytes / LINE;
        self->lines = calloc(self->line_count / 8 + 1, 1);
        self->log = options->listener;
        if (self->ppu != NULL && self->lines != NULL) {
            ppu_set_trace(self->ppu, listen, self);
            return self;
        }
        (void)close_reference(self);
    }
    snprintf(message, message_size, "the host has no memory for a model of %zu MiB", options->mem_bytes >> 20);
    return NULL;
}

static uint32_t reg_read(void *context, uint32_t offset) {
    return ppu_reg_read(((struct reference *)context)->ppu, offset);
}

static void reg_write(void *context, uint32_t offset, uint32_t value) {
    struct reference *self = context;
    uint32_t channel;
    const struct register_info *info = register_find(offset, SIGNED_CHANNELS_MAX, &channel);
    if (info != NULL && info->block == REGISTER_CHANNEL && info->offset == CHANNEL_SPACE_BASE)
        self->base[channel] = value;
    ppu_reg_write(self->ppu, offset, value);
}

static bool mem_read(void *context, uint64_t addr, void *to, size_t size) {
    return ppu_mem_read(((struct reference *)context)->ppu, addr, to, size);
}

static bool mem_write(void *context, uint64_t addr, const void *from, size_t size) {
    return ppu_mem_write(((struct reference *)context)->ppu, addr, from, size);
}

static void bus_errors(void *context, uint64_t base, uint64_t size, bool writes_only) {
    ppu_set_bus_errors(((struct reference *)context)->ppu, base, size, writes_only);
}

static uint64_t run(void *context, uint64_t cycles) {
    return ppu_step(((struct reference *)context)->ppu, cycles);
}

static void statistics(void *context, struct tandem_statistics *to) {
    struct ppu_counters counters;
    ppu_get_counters(((struct reference *)context)->ppu, &counters);
    to->warp_instructions = counters.warp_instructions;
    to->thread_instructions = counters.thread_instructions;
    to->local_accesses = counters.local_accesses;
}

static const char *failed(void *context) {
    (void)context;
    return NULL;
}

static const struct backend_ops reference_ops = {.name = "reference",
                                                 .open = open_reference,
                                                 .close = close_reference,
                                                 .reg_read = reg_read,
                                                 .reg_write = reg_write,
                                                 .mem_read = mem_read,
                                                 .mem_write = mem_write,
                                                 .bus_errors = bus_errors,
                                                 .run = run,
                                                 .statistics = statistics,
                                                 .failed = failed};

void reference_make(struct signed_device *device, const struct backend_options *options, struct reference_log *log) {
    *device = (struct signed_device){.ops = &reference_ops, .options = *options, .is_model = true};
    device->options.listener = log;
    device->options.inject = device->options.inject_model = 0;
}
