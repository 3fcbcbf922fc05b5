// Checks a file of events against a device of its own.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_internal.h"
#include "trace/trace_file.h"

// What is silent for longer has told all, with a memory of so many cycles of latency.
#define LATENCIES 64u

struct check {
    const tandem_model_check_options *options;
    tandem_model_check_result result;
    struct trace_reader *reader;
    struct trace_head head;
    struct ppu *ppu;
    struct tandem_checker *checker;
    bool ended;
    char *message;
    size_t message_size;
};

__attribute__((format(printf, 3, 4))) static tandem_model_status tell(const struct check *self,
                                                                      tandem_model_status status, const char *format,
                                                                      ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(self->message, self->message_size, format, arguments);
    va_end(arguments);
    return status;
}

static tandem_model_status differs(const struct check *self) {
    if (self->options->report != 0) tandem_checker_report(self->checker);
    return tell(self, TANDEM_MODEL_DIFFERS, "%s", tandem_checker_failed(self->checker));
}

static tandem_model_status prepare(struct check *self, const char *path) {
    const tandem_model_check_options *options = self->options;
    const char *name = options->config != NULL ? options->config : self->head.config;
    if (name[0] == '\0') return tell(self, TANDEM_MODEL_INVALID, "it does not say which configuration it is of");
    const struct ppu_config *config = ppu_config_find(name);
    if (config == NULL) return tell(self, TANDEM_MODEL_INVALID, "there is no configuration \"%.40s\"", name);
    if (self->head.config[0] != '\0' && strcmp(self->head.config, name) != 0)
        return tell(self, TANDEM_MODEL_FILE, "it is of configuration %s, not of %s", self->head.config, name);
    uint64_t bytes = options->memory_bytes != 0 ? options->memory_bytes : self->head.memory;
    if (bytes == 0) bytes = MODEL_MEMORY_DEFAULT;
    if (bytes % 4096 != 0 || bytes > MODEL_MEMORY_MOST)
        return tell(self, TANDEM_MODEL_FILE, "%" PRIu64 " bytes of memory: not a multiple of 4096 below 4 GiB", bytes);
    self->ppu = ppu_create(config, (size_t)bytes, self->head.seed);
    if (self->ppu != NULL) {
        const struct tandem_checker_options to = {
            .model = self->ppu,
            .device = path,
            .seed = self->head.seed,
            .replay = options->replay,
            .quiet_cycles = TANDEM_QUIET_CYCLES + (uint64_t)LATENCIES * self->head.latency};
        self->checker = tandem_checker_create(&to);
    }
    if (self->checker == NULL) return tell(self, TANDEM_MODEL_NO_MEMORY, "out of memory");
    if (self->head.no_fetches) ppu_follow_without_fetches(self->ppu);
    return TANDEM_MODEL_OK;
}

static tandem_model_status to_cycle(struct check *self, uint64_t cycle) {
    if (cycle < self->result.cycle)
        return tell(self, TANDEM_MODEL_FILE, "event %" PRIu64 " is of cycle %" PRIu64 ", the one before of %" PRIu64,
                    self->result.events, cycle, self->result.cycle);
    const bool good = cycle == self->result.cycle || tandem_checker_cycle(self->checker, cycle - 1);
    self->result.cycle = cycle;
    return good ? TANDEM_MODEL_OK : differs(self);
}

static tandem_model_status take_memory(struct check *self, const struct trace_item *item) {
    const uint64_t all = ppu_mem_size(self->ppu);
    if (item->address > all || item->size > all - item->address)
        return tell(self, TANDEM_MODEL_FILE,
                    "after event %" PRIu64 ": %zu bytes at 0x%" PRIx64 " are outside the memory", self->result.events,
                    item->size, item->address);
    const bool good = item->kind == TRACE_ITEM_WRITE
                          ? tandem_checker_cpu_write(self->checker, item->address, item->bytes, item->size)
                          : tandem_checker_cpu_read(self->checker, item->address, item->bytes, item->size);
    if (item->kind == TRACE_ITEM_READ && good) self->result.bytes += item->size;
    return good ? TANDEM_MODEL_OK : differs(self);
}

static tandem_model_status take(struct check *self, const struct trace_item *item) {
    tandem_model_status status;
    switch (item->kind) {
        case TRACE_ITEM_EVENT:
            status = to_cycle(self, item->event.cycle);
            if (status != TANDEM_MODEL_OK) return status;
            if (!tandem_checker_event(self->checker, &item->event)) return differs(self);
            self->result.events++;
            return TANDEM_MODEL_OK;
        case TRACE_ITEM_WRITE:
        case TRACE_ITEM_READ: return take_memory(self, item);
        case TRACE_ITEM_END: return to_cycle(self, item->cycle);
    }
    return TANDEM_MODEL_OK;
}

static tandem_model_status take_all(struct check *self) {
    char why[512];
    for (;;) {
        struct trace_item item;
        const enum trace_read read = trace_reader_next(self->reader, &item, why, sizeof why);
        if (read == TRACE_READ_BROKEN) return tell(self, TANDEM_MODEL_FILE, "%s", why);
        if (read == TRACE_READ_DONE) break;
        const tandem_model_status status = take(self, &item);
        if (status != TANDEM_MODEL_OK) return status;
    }
    if (self->result.events == 0) return tell(self, TANDEM_MODEL_FILE, "it has no events");
    if (self->options->running == 0 && !tandem_checker_idle(self->checker)) return differs(self);
    return TANDEM_MODEL_OK;
}

tandem_model_status tandem_model_check_file(const char *path, const tandem_model_check_options *options,
                                            tandem_model_check_result *result, char *message, size_t message_size) {
    static const tandem_model_check_options none = {.size = sizeof none};
    char unread[1];
    struct check self = {.options = options != NULL ? options : &none,
                         .message = message != NULL && message_size != 0 ? message : unread,
                         .message_size = message != NULL && message_size != 0 ? message_size : sizeof unread};
    char why[512];
    self.message[0] = '\0';
    if (path == NULL || !MODEL_HAS(self.options, report) || (result != NULL && !MODEL_HAS(result, cycle)))
        return tell(&self, TANDEM_MODEL_INVALID, "size is not that of the struct");
    self.reader = trace_reader_open(path, &self.head, why, sizeof why);
    tandem_model_status status;
    if (self.reader == NULL) {
        status = tell(&self, TANDEM_MODEL_FILE, "%s", why);
    } else {
        status = prepare(&self, path);
        if (status == TANDEM_MODEL_OK) status = take_all(&self);
    }
    if (result != NULL) {
        const uint32_t size = result->size;
        *result = self.result;
        result->size = size;
    }
    tandem_checker_destroy(self.checker);
    ppu_destroy(self.ppu);
    trace_reader_close(self.reader);
    return status;
}
