// The device: creation, the CPU's access, the schedule of the model alone, and the way of each event in tandem.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem/mem.h"
#include "ppu_internal.h"

struct ppu *ppu_create(const struct ppu_config *config, size_t mem_bytes_, uint64_t seed) {
    struct ppu *ppu = calloc(1, sizeof *ppu);
    if (ppu == NULL) return NULL;
    ppu->config = *config;
    // Any seed must give a generator that moves: its state may not be zero.
    ppu->random = seed * UINT64_C(0x9E3779B97F4A7C15) + UINT64_C(0xD1B54A32D192ED03);
    if (ppu->random == 0) ppu->random = 1;
    ppu->mem = mem_create(mem_bytes_);
    ppu->host = host_create(&ppu->config);
    ppu->task = task_create(&ppu->config);
    ppu->sm = calloc(config->sms, sizeof(struct sm *));
    bool good = ppu->mem != NULL && ppu->host != NULL && ppu->task != NULL && ppu->sm != NULL;
    for (uint32_t s = 0; good && s < config->sms; s++) {
        ppu->sm[s] = sm_create(&ppu->config, s);
        good = ppu->sm[s] != NULL;
    }
    if (!good) {
        ppu_destroy(ppu);
        return NULL;
    }
    return ppu;
}

void ppu_destroy(struct ppu *ppu) {
    if (ppu == NULL) return;
    for (uint32_t s = 0; ppu->sm != NULL && s < ppu->config.sms; s++)
        sm_destroy(ppu->sm[s]);
    free(ppu->sm);
    if (ppu->task != NULL) task_destroy(ppu->task);
    if (ppu->host != NULL) host_destroy(ppu->host);
    if (ppu->mem != NULL) mem_destroy(ppu->mem);
    free(ppu);
}

const struct ppu_config *ppu_get_config(const struct ppu *ppu) {
    return &ppu->config;
}

static bool inside(const struct ppu *ppu, uint64_t addr, size_t size) {
    const size_t all = mem_size(ppu->mem);
    return addr <= all && size <= all - addr;
}

bool ppu_mem_read(const struct ppu *ppu, uint64_t addr, void *to, size_t size) {
    if (!inside(ppu, addr, size)) return false;
    if (size != 0) memcpy(to, mem_bytes(ppu->mem) + addr, size);
    return true;
}

bool ppu_mem_write(struct ppu *ppu, uint64_t addr, const void *from, size_t size) {
    if (!inside(ppu, addr, size)) return false;
    if (size != 0) memcpy(mem_bytes(ppu->mem) + addr, from, size);
    return true;
}

const uint8_t *ppu_mem(const struct ppu *ppu) {
    return mem_bytes(ppu->mem);
}

size_t ppu_mem_size(const struct ppu *ppu) {
    return mem_size(ppu->mem);
}

uint32_t ppu_reg_read(struct ppu *ppu, uint32_t offset) {
    return host_reg_read(ppu, offset);
}

void ppu_reg_write(struct ppu *ppu, uint32_t offset, uint32_t value) {
    host_reg_write(ppu, offset, value);
}

void ppu_set_bus_errors(struct ppu *ppu, uint64_t base, uint64_t size, bool writes_only) {
    mem_set_errors(ppu->mem, base, size, writes_only);
}

bool ppu_irq(const struct ppu *ppu) {
    return host_irq(ppu->host);
}

uint64_t ppu_random(struct ppu *ppu) {
    uint64_t x = ppu->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    ppu->random = x;
    return x * UINT64_C(0x2545F4914F6CDD1D) >> 8;
}

enum { UNIT_HOST = 0, UNIT_TASK = 1, UNIT_SM = 2 };

static bool step_unit(struct ppu *ppu, uint32_t unit) {
    if (unit == UNIT_HOST) return host_step(ppu);
    if (unit == UNIT_TASK) return task_step(ppu);
    return sm_step(ppu, unit - UNIT_SM);
}

// Who goes next: mostly an SM, since that is where the work is; the others often enough to keep SMs busy.
static bool step_once(struct ppu *ppu) {
    const uint64_t random = ppu_random(ppu);
    const uint32_t units = UNIT_SM + ppu->config.sms;
    uint32_t first = UNIT_SM + (ppu->config.sms > 1 ? (uint32_t)(random / 64 % ppu->config.sms) : 0);
    if (random % 16 == 0) first = UNIT_HOST;
    if (random % 16 == 1) first = UNIT_TASK;
    for (uint32_t i = 0; i < units; i++) {
        if (step_unit(ppu, (first + i) % units)) return true;
    }
    return false;
}

uint64_t ppu_step(struct ppu *ppu, uint64_t quanta) {
    uint64_t done = 0;
    while (done < quanta && step_once(ppu)) {
        done++;
        ppu->cycles++;
    }
    return done;
}

void ppu_set_trace(struct ppu *ppu, ppu_trace_sink *sink, void *context) {
    ppu->sink = sink;
    ppu->sink_context = context;
}

void ppu_emit(struct ppu *ppu, const struct trace_event *event) {
    if (ppu->sink != NULL) ppu->sink(ppu->sink_context, event);
    if (event->kind == TRACE_PERFORM) mem_emit_error(ppu);
}

bool ppu_refuse(struct why why, const char *format, ...) {
    va_list arguments;
    if (why.text == NULL || why.size == 0) return false;
    va_start(arguments, format);
    (void)vsnprintf(why.text, why.size, format, arguments);
    va_end(arguments);
    return false;
}

static bool follow_perform(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const uint32_t port = rtl->perform.port;
    if (port <= MEM_PORT_SEMAPHORE) return host_follow(ppu, rtl, model, why);
    if (port == MEM_PORT_TASK) return task_follow(ppu, rtl, model, why);
    const uint32_t sm = (port - MEM_PORT_SM) / 2;
    if (sm >= ppu->config.sms)
        return ppu_refuse(why, "PERFORM names port %u, the last is %u", port, MEM_PORT_SM + 2 * ppu->config.sms - 1);
    return sm_follow(ppu, sm, rtl, model, why);
}

static bool follow_bus_error(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model,
                             struct why why) {
    const struct mem_record *record = mem_follow_bus_error(ppu, rtl, model, why);
    const uint32_t port = rtl->bus_error.port;
    if (record == NULL) return false;
    if (port <= MEM_PORT_SEMAPHORE) {
        host_bus_error(ppu, port, &record->request);
    } else if (port == MEM_PORT_TASK) {
        task_bus_error(ppu, &record->note);
    } else {
        return sm_bus_error(ppu, (port - MEM_PORT_SM) / 2, (port - MEM_PORT_SM) % 2 == 0, record, why);
    }
    return true;
}

bool ppu_follow(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model, char *text,
                size_t why_size) {
    const struct why why = {text, why_size};
    if (why_size != 0) text[0] = 0;
    memset(model, 0, sizeof *model);
    model->kind = rtl->kind;
    model->sm = rtl->sm;
    model->cycle = rtl->cycle;
    ppu->following = true;
    ppu->cycles = rtl->cycle;
    switch (rtl->kind) {
        case TRACE_REG_WRITE:
        case TRACE_REG_READ:
        case TRACE_GP_ENTRY:
        case TRACE_METHOD:
        case TRACE_SEMAPHORE:
        case TRACE_GP_GET:
        case TRACE_FAULT:
        case TRACE_INTERRUPT: return host_follow(ppu, rtl, model, why);
        case TRACE_TASK_TAKE:
        case TRACE_TASK_EVICT:
        case TRACE_TASK_START:
        case TRACE_CTA_LAUNCH:
        case TRACE_CTA_END:
        case TRACE_TASK_END:
        case TRACE_TASK_PENDING:
        case TRACE_TASK_STUCK:
        case TRACE_TASK_DROP:
        case TRACE_TASK_REFUSED: return task_follow(ppu, rtl, model, why);
        case TRACE_PERFORM: return follow_perform(ppu, rtl, model, why);
        case TRACE_BUS_ERROR: return follow_bus_error(ppu, rtl, model, why);
        case TRACE_WRITE_BACK_ERROR: return mem_follow_write_back_error(ppu, rtl, model, why);
        default: break;
    }
    if (!trace_kind_per_sm(rtl->kind)) return ppu_refuse(why, "%s is no event of the PPU", trace_kind_name(rtl->kind));
    if (rtl->sm >= ppu->config.sms)
        return ppu_refuse(why, "%s names SM %u, there are %u", trace_kind_name(rtl->kind), rtl->sm, ppu->config.sms);
    return sm_follow(ppu, rtl->sm, rtl, model, why);
}

bool ppu_quiescent(const struct ppu *ppu, char *text, size_t why_size) {
    const struct why why = {text, why_size};
    if (why_size != 0) text[0] = 0;
    for (uint32_t s = 0; s < ppu->config.sms; s++) {
        if (!sm_quiescent(ppu, s, why)) return false;
    }
    return task_quiescent(ppu, why) && host_quiescent(ppu, why);
}

void ppu_get_counters(const struct ppu *ppu, struct ppu_counters *to) {
    *to = ppu->counters;
}

void ppu_describe_warp(const struct ppu *ppu, unsigned sm, unsigned warp, char *to, size_t size) {
    sm_describe_warp(ppu, sm, warp, to, size);
}

void ppu_describe_channel(const struct ppu *ppu, unsigned channel, char *to, size_t size) {
    host_describe_channel(ppu, channel, to, size);
}

void ppu_inject(struct ppu *ppu, unsigned defect) {
    ppu->inject = defect;
}
