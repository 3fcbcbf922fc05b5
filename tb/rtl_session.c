#define _POSIX_C_SOURCE 200809L

#include "rtl_session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/image.h"
#include "gen/isa.h"

// How long a line may be held open, apart from what the memory takes.
#define LINE_CYCLES 100000u
#define LATENCIES 64u
#define WHY_SIZE 4400u

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((format(printf, 2, 3))) static void fail(struct rtl_session *self, const char *format, ...) {
    if (self->failed[0] != '\0') return;  // the first one is the cause
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->failed, sizeof self->failed, format, arguments);
    va_end(arguments);
}

bool rtl_session_counts_as_event(enum trace_kind kind) {
    switch (kind) {
        case TRACE_GP_ENTRY:
        case TRACE_METHOD:
        case TRACE_SEMAPHORE:
        case TRACE_GP_GET:
        case TRACE_FAULT:
        case TRACE_INTERRUPT:
        case TRACE_TASK_TAKE:
        case TRACE_TASK_EVICT:
        case TRACE_TASK_START:
        case TRACE_CTA_LAUNCH:
        case TRACE_CTA_END:
        case TRACE_TASK_FREED:
        case TRACE_TASK_END:
        case TRACE_TASK_PENDING:
        case TRACE_TASK_PARKED:
        case TRACE_TASK_STUCK:
        case TRACE_TASK_DROP:
        case TRACE_TASK_REFUSED:
        case TRACE_TOKEN: return true;
        default: return false;
    }
}

static bool on_event(void *context, const struct trace_event *event) {
    struct rtl_session *self = context;
    if (event->kind == TRACE_INSTR) {
        self->warp_instructions++;
        const uint64_t threads = (uint64_t)__builtin_popcountll(event->instr.exec), opcode = event->instr.word & 0xFFu;
        self->thread_instructions += threads;
        if (opcode == OP_LDL || opcode == OP_STL) self->local_accesses += threads;
    }
    if (rtl_session_counts_as_event(event->kind)) self->events++;
    if (self->trace != NULL) {
        trace_writer_event(self->trace, event);
        if (trace_writer_failed(self->trace)) fail(self, "cannot write the trace file");
    }
    if (self->timeline != NULL) timeline_event(self->timeline, event);
    return self->listener == NULL || self->listener(self->listener_context, event);
}

bool rtl_session_open(struct rtl_session *self, const struct backend_options *options, char *message,
                      size_t message_size) {
    *self = (struct rtl_session){.bus_cycles = rtl_bus_cycles(options->latency),
                                 .line_cycles = LINE_CYCLES + LATENCIES * options->latency};
    // A defect needs the library that has them; "nano_inject" may also be asked for by name.
    bool plain = strcmp(options->config_name, options->config->name) == 0;
    char name[32];
    snprintf(name, sizeof name, "%s%s", options->config_name, options->inject != 0 && plain ? "_inject" : "");
    self->ops = rtl_ops_find(name);
    if (self->ops == NULL) {
        snprintf(message, message_size, "this program has no RTL of configuration %s (it has: %s)", name,
                 rtl_ops_names());
        return false;
    }
    struct rtl_options rtl = {.mem_bytes = options->mem_bytes,
                              .seed = options->seed,
                              .latency = options->latency,
                              .outside = options->outside};
    self->device = self->ops->create(&rtl, message, message_size);
    if (self->device == NULL) return false;
    self->ops->set_sink(self->device, on_event, self);
    if (options->inject != 0 && !self->ops->inject(self->device, options->inject)) {
        snprintf(message, message_size, "inject=%u: the RTL has no such defect", options->inject);
        goto refused;
    }
    if (options->trace[0] != '\0') {
        struct trace_head head = {.memory = options->mem_bytes, .seed = options->seed, .latency = options->latency};
        char why[256];
        snprintf(head.config, sizeof head.config, "%s", options->config->name);
        self->trace = trace_writer_open(options->trace, &head, why, sizeof why);
        if (self->trace == NULL) {
            snprintf(message, message_size, "trace=%s: %s", options->trace, why);
            goto refused;
        }
    }
    if (options->timeline[0] != '\0') {
        self->timeline = timeline_open(options->timeline, options->config, message, message_size);
        if (self->timeline == NULL) goto refused;
    }
    if (options->wave[0] != '\0') {
        char why[WHY_SIZE];
        if (!self->ops->wave(self->device, options->wave, why, sizeof why)) {
            snprintf(message, message_size, "wave=%s: %s", options->wave, why);
            goto refused;
        }
        self->wave = true;
    }
    return true;
refused:
    rtl_session_close(self);
    return false;
}

void rtl_session_close(struct rtl_session *self) {
    char why[WHY_SIZE];
    if (self->wave && !self->ops->wave(self->device, NULL, why, sizeof why)) fail(self, "wave file: %s", why);
    if (!trace_writer_close(self->trace, self->device != NULL ? self->ops->cycle(self->device) : 0))
        fail(self, "cannot write the trace file");
    if (self->device != NULL) self->ops->destroy(self->device);
    if (!timeline_close(self->timeline)) fail(self, "cannot write the timeline file");
    self->device = NULL;
    self->wave = false;
    self->trace = NULL;
    self->timeline = NULL;
}

static void check_rules(struct rtl_session *self) {
    const char *error = self->ops->error(self->device);
    if (error != NULL) fail(self, "cycle %llu: %s", (unsigned long long)self->ops->cycle(self->device), error);
}

uint32_t rtl_session_reg_read(struct rtl_session *self, uint32_t offset) {
    double start = now();
    uint32_t value = UINT32_MAX;
    bool answered = self->ops->reg_read(self->device, offset, &value);
    check_rules(self);
    if (!answered) {
        fail(self, "the RTL did not answer a read of register 0x%05x within %u cycles", offset, self->bus_cycles);
        value = UINT32_MAX;
    }
    self->seconds += now() - start;
    return value;
}

void rtl_session_reg_write(struct rtl_session *self, uint32_t offset, uint32_t value) {
    double start = now();
    bool answered = self->ops->reg_write(self->device, offset, value);
    check_rules(self);
    if (!answered) {
        fail(self, "the RTL did not answer a write of register 0x%05x within %u cycles", offset, self->bus_cycles);
    }
    self->seconds += now() - start;
}

bool rtl_session_wait_rmw(struct rtl_session *self) {
    for (unsigned i = 0; self->ops->rmw_busy(self->device); i++) {
        if (i == self->line_cycles) {
            fail(self, "an atomic of the RTL has held a memory line open for %u cycles", self->line_cycles);
            return false;
        }
        (void)rtl_session_run(self, 1);
    }
    return true;
}

bool rtl_session_mem_read(struct rtl_session *self, uint64_t addr, void *to, size_t size) {
    if (!rtl_session_wait_rmw(self) || !self->ops->mem_read(self->device, addr, to, size)) return false;
    if (self->trace != NULL) trace_writer_memory(self->trace, false, addr, to, size);
    return true;
}

bool rtl_session_mem_write(struct rtl_session *self, uint64_t addr, const void *from, size_t size) {
    if (!rtl_session_wait_rmw(self) || !self->ops->mem_write(self->device, addr, from, size)) return false;
    if (self->trace != NULL) trace_writer_memory(self->trace, true, addr, from, size);
    return true;
}

void rtl_session_bus_errors(struct rtl_session *self, uint64_t base, uint64_t size, bool writes_only) {
    self->ops->bus_errors(self->device, base, size, writes_only);
}

uint64_t rtl_session_run(struct rtl_session *self, uint64_t cycles) {
    double start = now();
    uint64_t done = self->ops->run(self->device, cycles);
    self->seconds += now() - start;
    check_rules(self);
    return done;
}

void rtl_session_image(struct rtl_session *self, struct image *image) {
    self->ops->image(self->device, image);
    image_part(image, &self->warp_instructions, sizeof self->warp_instructions);
    image_part(image, &self->thread_instructions, sizeof self->thread_instructions);
    image_part(image, &self->local_accesses, sizeof self->local_accesses);
    image_part(image, &self->events, sizeof self->events);
}

void rtl_session_statistics(const struct rtl_session *self, struct tandem_statistics *to) {
    *to = (struct tandem_statistics){
        .cycles = self->ops->cycle(self->device),
        .warp_instructions = self->warp_instructions,
        .thread_instructions = self->thread_instructions,
        .local_accesses = self->local_accesses,
        .events = self->events,
        .seconds = self->seconds,
    };
}
