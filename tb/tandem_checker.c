#define _POSIX_C_SOURCE 200809L

#include "tandem_checker.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/image.h"
#include "gen/bundles.h"
#include "gen/registers.h"
#include "tandem_checker_internal.h"

#define DOUBTS 16u

struct tandem_checker *tandem_checker_create(const struct tandem_checker_options *options) {
    struct tandem_checker *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    self->options = *options;
    if (self->options.quiet_cycles == 0) self->options.quiet_cycles = TANDEM_QUIET_CYCLES;
    self->cycle = self->headway = self->stirred = options->first_cycle;
    self->device = strdup(options->device != NULL ? options->device : "");
    self->pages = (ppu_mem_size(options->model) + PAGE_BYTES - 1) / PAGE_BYTES;
    self->dirty = calloc(self->pages != 0 ? self->pages : 1, 1);
    if (options->replay != NULL) self->replay = strdup(options->replay);
    if (self->device == NULL || self->dirty == NULL || (options->replay != NULL && self->replay == NULL)) {
        tandem_checker_destroy(self);
        return NULL;
    }
    return self;
}

void tandem_checker_destroy(struct tandem_checker *self) {
    if (self == NULL) return;
    free(self->device);
    free(self->replay);
    free(self->dirty);
    free(self);
}

__attribute__((format(printf, 3, 4))) static bool judge(struct tandem_checker *self, enum tandem_verdict verdict,
                                                        const char *format, ...) {
    self->verdict = verdict;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->line, sizeof self->line, format, arguments);
    va_end(arguments);
    return false;
}

static void mark_dirty(struct tandem_checker *self, uint64_t addr, size_t size) {
    for (uint64_t page = addr / PAGE_BYTES; size != 0 && page <= (addr + size - 1) / PAGE_BYTES; page++) {
        if (page < self->pages) self->dirty[page] = 1;
    }
}

static uint32_t channel_register(const struct tandem_checker *self, uint32_t channel, uint32_t offset) {
    return ppu_reg_read(self->options.model, REG_CHANNEL_BASE + channel * REG_CHANNEL_STRIDE + offset);
}

// Ports 3, 5, .. of the memory unit: instruction fetch.
static bool is_fetch(uint32_t port) {
    return port >= 3 && port % 2 == 1;
}

// Work goes on, in events other than the ones that a waiting PPU, or one that has locked itself up, can make for ever:
// tries of a blocked acquire, register accesses, fetches without an instruction.
static bool is_headway(const struct trace_event *event) {
    switch (event->kind) {
        case TRACE_REG_READ:
        case TRACE_REG_WRITE: return false;
        case TRACE_SEMAPHORE: return event->semaphore.done != 0;
        case TRACE_PERFORM: return event->perform.port != 1 && !is_fetch(event->perform.port);  // 1: semaphore unit
        default: return true;
    }
}

// Not headway, but what it begins takes its time until it is told.
static bool stirs(const struct trace_event *event) {
    return event->kind == TRACE_REG_WRITE || (event->kind == TRACE_PERFORM && event->perform.port == 1);
}

bool tandem_checker_event(struct tandem_checker *self, const struct trace_event *event) {
    if (self->verdict != VERDICT_AGREED) return false;
    self->history[self->seen++ % TANDEM_HISTORY] = *event;
    self->cycle = event->cycle;
    if (is_headway(event)) {
        self->headway = event->cycle;
        self->doubts = 0;
    } else if (stirs(event)) {
        self->stirred = event->cycle;
    }
    if (event->kind == TRACE_PERFORM && event->perform.op != REQUEST_READ && event->perform.fault == 0) {
        // The page is known only with the channel's space, which is the model's; if that is wrong the event differs
        // anyway.
        mark_dirty(self,
                   (uint64_t)channel_register(self, event->perform.channel, CHANNEL_SPACE_BASE) + event->perform.addr,
                   32);
    }

    struct trace_event model;
    memset(&model, 0, sizeof model);
    self->why[0] = '\0';
    if (!ppu_follow(self->options.model, event, &model, self->why, sizeof self->why)) {
        self->rtl = *event;
        return judge(self, VERDICT_ILLEGAL, "cycle %llu: %s is not legal here: %s", (unsigned long long)event->cycle,
                     trace_kind_name(event->kind), self->why);
    }
    int field = trace_event_compare(event, &model);
    if (field >= 0) {
        self->rtl = *event;
        self->model = model;
        self->field = field;
        char rtl_value[400], model_value[400];
        trace_field_print(event, field, rtl_value, sizeof rtl_value);
        trace_field_print(&model, field, model_value, sizeof model_value);
        return judge(self, VERDICT_DIFFERS, "cycle %llu: %s.%s differs: RTL %.150s, model %.150s",
                     (unsigned long long)event->cycle, trace_kind_name(event->kind),
                     trace_field_name(event->kind, field), rtl_value, model_value);
    }
    self->compared[event->kind]++;
    return true;
}

bool tandem_checker_told_all(const struct tandem_checker *self) {
    char why[8];
    return ppu_quiescent(self->options.model, why, sizeof why);
}

bool tandem_checker_idle(struct tandem_checker *self) {
    if (self->verdict != VERDICT_AGREED) return false;
    if (!ppu_quiescent(self->options.model, self->why, sizeof self->why)) {
        return judge(self, VERDICT_MISSING, "cycle %llu: the RTL has not shown what the model computed: %s",
                     (unsigned long long)self->cycle, self->why);
    }
    return true;
}

// Does the model know of work that must go on without the CPU? Says which.
static bool work_outstanding(struct tandem_checker *self, char *what, size_t size) {
    const struct ppu_config *config = ppu_get_config(self->options.model);
    for (uint32_t channel = 0; channel < config->channels; channel++) {
        uint32_t status = channel_register(self, channel, CHANNEL_STATUS);
        if (CHANNEL_STATUS_TASKS_OF(status) != 0) {
            snprintf(what, size, "channel %u has %u tasks outstanding", channel, CHANNEL_STATUS_TASKS_OF(status));
            return true;
        }
        uint32_t userd = REG_USERD_BASE + channel * REG_USERD_STRIDE;
        uint32_t get = ppu_reg_read(self->options.model, userd + USERD_GP_GET);
        uint32_t put = ppu_reg_read(self->options.model, userd + USERD_GP_PUT);
        bool enabled = CHANNEL_CONTROL_ENABLE_OF(channel_register(self, channel, CHANNEL_CONTROL)) != 0;
        bool faulted = channel_register(self, channel, CHANNEL_FAULT_CODE) != 0;
        bool blocked = CHANNEL_STATUS_STATE_OF(status) == CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE;  // which may last
        if (enabled && !faulted && get != put && !blocked) {
            snprintf(what, size, "channel %u has GP entries %u to %u to do", channel, get, put);
            return true;
        }
    }
    return false;
}

// Something is missing at the end of a silence: may it have begun only now, by a register write or a try of an acquire?
// Then it has as long as the silence had. Tries may go on for ever, so what counts is that it is missing each time.
static bool just_begun(struct tandem_checker *self) {
    if (self->cycle - self->stirred >= self->options.quiet_cycles) return false;
    if (self->doubts++ == 0) self->doubted = self->cycle;
    return self->doubts < DOUBTS || self->cycle - self->doubted < self->options.quiet_cycles;
}

bool tandem_checker_cycle(struct tandem_checker *self, uint64_t cycle) {
    if (self->verdict != VERDICT_AGREED) return false;
    if (cycle > self->cycle) self->cycle = cycle;
    if (self->cycle - self->headway < self->options.quiet_cycles) return true;
    char what[128];
    const bool works = work_outstanding(self, what, sizeof what);
    if ((works || !tandem_checker_told_all(self)) && just_begun(self)) return true;
    self->doubts = 0;
    self->headway = self->cycle;
    if (works) {
        (void)ppu_quiescent(self->options.model, self->why, sizeof self->why);
        return judge(self, VERDICT_STUCK,
                     "cycle %llu: the RTL has done nothing for %llu cycles, but %s; the model waits for: %.200s",
                     (unsigned long long)self->cycle, (unsigned long long)self->options.quiet_cycles, what,
                     self->why[0] != '\0' ? self->why : "the next choice");
    }
    if (!tandem_checker_idle(self)) return false;
    return tandem_checker_compare_memory(self, false);
}

void tandem_checker_broken(struct tandem_checker *self, const char *what) {
    if (self->verdict != VERDICT_AGREED) return;
    (void)judge(self, VERDICT_BROKEN, "the RTL broke a rule: %s", what);
}

// Compares [addr, addr + size), which is inside and, without the model's bytes at hand, within a page.
static bool compare_piece(struct tandem_checker *self, uint64_t addr, const uint8_t *rtl, size_t size) {
    uint8_t copy[PAGE_BYTES];
    const uint8_t *model = ppu_mem(self->options.model);
    if (model != NULL) {
        model += addr;
    } else {
        (void)ppu_mem_read(self->options.model, addr, copy, size);
        model = copy;
    }
    if (memcmp(rtl, model, size) == 0) return true;
    size_t at = 0;
    while (rtl[at] == model[at])
        at++;
    self->memory_address = addr + at;
    // The line's two versions, as far as the range has it, are kept for the report: the CPU may have read only a part
    // of it.
    size_t line = at - at % REPORT_BYTES;
    self->line_address = addr + line;
    self->line_bytes = size - line < REPORT_BYTES ? size - line : REPORT_BYTES;
    memcpy(self->rtl_line, rtl + line, self->line_bytes);
    return judge(self, VERDICT_MEMORY,
                 "cycle %llu: memory differs at physical address 0x%llx: RTL 0x%02x, model 0x%02x",
                 (unsigned long long)self->cycle, (unsigned long long)self->memory_address, rtl[at], model[at]);
}

static bool compare_range(struct tandem_checker *self, uint64_t addr, const uint8_t *rtl, size_t size) {
    const size_t most = ppu_mem(self->options.model) != NULL ? size : PAGE_BYTES;
    for (size_t at = 0; at < size; at += most) {
        if (!compare_piece(self, addr + at, rtl + at, size - at < most ? size - at : most)) return false;
    }
    return true;
}

bool tandem_checker_cpu_read(struct tandem_checker *self, uint64_t addr, const void *rtl, size_t size) {
    if (self->verdict != VERDICT_AGREED) return false;
    size_t bytes = ppu_mem_size(self->options.model);
    if (addr > bytes || size > bytes - addr) return false;
    return compare_range(self, addr, rtl, size);
}

bool tandem_checker_cpu_write(struct tandem_checker *self, uint64_t addr, const void *from, size_t size) {
    if (self->verdict != VERDICT_AGREED) return false;
    if (!ppu_mem_write(self->options.model, addr, from, size)) return false;
    mark_dirty(self, addr, size);
    return true;
}

bool tandem_checker_compare_memory(struct tandem_checker *self, bool all) {
    if (self->verdict != VERDICT_AGREED) return false;
    if (self->options.rtl_memory == NULL) return true;
    const uint8_t *rtl = self->options.rtl_memory(self->options.context);
    if (all) return compare_range(self, 0, rtl, ppu_mem_size(self->options.model));
    for (size_t page = 0; page < self->pages; page++) {
        if (!self->dirty[page]) continue;
        self->dirty[page] = 0;
        uint64_t addr = (uint64_t)page * PAGE_BYTES;
        if (!compare_range(self, addr, rtl + addr, PAGE_BYTES)) return false;
    }
    return true;
}

enum tandem_verdict tandem_checker_verdict(const struct tandem_checker *self) {
    return self->verdict;
}

const char *tandem_verdict_name(enum tandem_verdict verdict) {
    switch (verdict) {
        case VERDICT_AGREED: return "agreed";
        case VERDICT_DIFFERS: return "differs";
        case VERDICT_ILLEGAL: return "illegal";
        case VERDICT_MISSING: return "missing";
        case VERDICT_STUCK: return "stuck";
        case VERDICT_MEMORY: return "memory";
        case VERDICT_BROKEN: return "broken";
    }
    return "?";
}

void tandem_checker_report(struct tandem_checker *self) {
    if (self->verdict == VERDICT_AGREED || self->reported) return;
    self->reported = true;
    const char *folder = getenv("TANDEM_REPORTS");
    if (folder == NULL || folder[0] == '\0') folder = ".";
    // "x": a number that another device of this process has taken is left alone.
    FILE *to = NULL;
    for (unsigned n = 1; to == NULL && n < 1000; n++) {
        snprintf(self->path, sizeof self->path, "%s/tandem-mismatch-%ld-%u.txt", folder, (long)getpid(), n);
        to = fopen(self->path, "wx");
    }
    size_t used = strlen(self->line);
    if (to == NULL) {
        snprintf(self->line + used, sizeof self->line - used, " (no report: cannot make a file in %.200s)", folder);
        self->path[0] = '\0';
        return;
    }
    tandem_report_write(self, to);
    bool good = fclose(to) == 0;
    snprintf(self->line + used, sizeof self->line - used, "; report%s: %.300s", good ? "" : " (cut off)", self->path);
}

void tandem_checker_write_report(struct tandem_checker *self, FILE *to) {
    if (self->verdict != VERDICT_AGREED) tandem_report_write(self, to);
}

bool tandem_checker_difference(const struct tandem_checker *self, struct tandem_difference *to) {
    if (self->verdict != VERDICT_DIFFERS && self->verdict != VERDICT_ILLEGAL) return false;
    *to = (struct tandem_difference){.rtl = self->rtl, .field = -1, .number = self->seen - 1};
    if (self->verdict == VERDICT_DIFFERS) {
        to->model = self->model;
        to->field = self->field;
    }
    return true;
}

const char *tandem_checker_failed(const struct tandem_checker *self) {
    return self->verdict != VERDICT_AGREED ? self->line : NULL;
}

uint64_t tandem_checker_compared(const struct tandem_checker *self) {
    uint64_t sum = 0;
    for (int kind = 0; kind < TRACE_KIND_COUNT; kind++)
        sum += self->compared[kind];
    return sum;
}

uint64_t tandem_checker_compared_of(const struct tandem_checker *self, enum trace_kind kind) {
    return (unsigned)kind < TRACE_KIND_COUNT ? self->compared[kind] : 0;
}

void tandem_checker_image(struct tandem_checker *self, struct image *image) {
    image_part(image, self->history, sizeof self->history);
    image_part(image, &self->seen, sizeof self->seen);
    image_part(image, self->compared, sizeof self->compared);
    image_part(image, &self->cycle, sizeof self->cycle);
    image_part(image, &self->headway, sizeof self->headway);
    image_part(image, &self->stirred, sizeof self->stirred);
    image_part(image, &self->doubted, sizeof self->doubted);
    image_part(image, &self->doubts, sizeof self->doubts);
    image_part(image, self->dirty, self->pages);
}
