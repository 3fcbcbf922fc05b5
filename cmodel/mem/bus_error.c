// Errors of the memory. Alone the model is told where memory fails (mem_set_errors). In tandem whether a request
// fails is the memory's choice and comes with its answer (events BUS_ERROR, WRITE_BACK_ERROR), when the request has
// long been performed here: so what was performed last is remembered, and taken back.
#include <stdlib.h>
#include <string.h>

#include "gen/registers.h"
#include "mem/mem_internal.h"

// Transactions that the RTL may have under way at once, and atomics whose write-back may not have been answered: 127 for
// each of 64 lines that are kept and 16 that are being written.
#define RECORDS 32u
#define ATOMICS 16384u

struct port_records {
    uint64_t count;
    struct mem_record record[RECORDS];
};

struct atomic_record {
    uint64_t physical;
    uint32_t old, channel, addr;
};

struct mem_records {
    struct port_records port[MEM_PORTS];
    uint64_t atomics;
    struct atomic_record atomic[ATOMICS];
};

bool mem_fails(const struct mem *mem, enum mem_op op, uint64_t physical, uint32_t size) {
    if (physical + size > mem->size) return true;  // nobody there
    if (mem->error_size == 0 || mem->run->following || (op != MEM_WRITE && mem->error_writes_only)) return false;
    return physical < mem->error_base + mem->error_size && mem->error_base < physical + size;
}

bool mem_may_fail(const struct mem *mem) {
    return mem->error_size != 0;
}

void mem_set_errors(struct mem *mem, uint64_t base, uint64_t size, bool writes_only) {
    mem->error_base = base;
    mem->error_size = size;
    mem->error_writes_only = writes_only;
}

struct mem_record *mem_record(struct mem *mem, uint32_t port) {
    if (!mem->run->following || port >= MEM_PORTS) return NULL;
    if (mem->records == NULL) mem->records = calloc(1, sizeof *mem->records);
    if (mem->records == NULL) return NULL;
    struct port_records *records = &mem->records->port[port];
    return &records->record[records->count++ % RECORDS];
}

void mem_record_read(struct mem *mem, uint32_t port, const struct mem_request *request, bool inside,
                     uint64_t physical) {
    struct mem_record *record = mem_record(mem, port);
    if (record == NULL) return;
    *record = (struct mem_record){.request = *request, .fault = inside ? 0 : 1};
    if (inside) record->physical = physical;
}

void mem_record_atomic(struct mem *mem, const struct mem_request *request, uint64_t physical, uint32_t old) {
    struct mem_records *records = mem->records;
    if (records == NULL) return;
    records->atomic[records->atomics++ % ATOMICS] =
        (struct atomic_record){.physical = physical, .old = old, .channel = request->channel, .addr = request->addr};
}

void mem_note(struct mem *mem, uint32_t port, const struct mem_note *note) {
    struct mem_records *records = mem->records;
    if (!mem->run->following || records == NULL || port >= MEM_PORTS || records->port[port].count == 0) return;
    struct port_records *at = &records->port[port];
    at->record[(at->count - 1) % RECORDS].note = *note;
}

const struct mem_note *mem_last_read(const struct mem *mem, uint32_t port, uint64_t line) {
    if (mem->records == NULL || port >= MEM_PORTS) return NULL;
    const struct port_records *at = &mem->records->port[port];
    for (uint64_t i = at->count; i-- > 0 && at->count - i <= RECORDS;) {
        const struct mem_record *record = &at->record[i % RECORDS];
        if (record->fault == ANSWER_OUTSIDE || record->physical / LINE_BYTES != line / LINE_BYTES) continue;
        return record->request.op == MEM_READ ? &record->note : NULL;
    }
    return NULL;
}

void mem_tell_error(struct mem *mem, uint32_t port, const struct mem_request *request, bool lost) {
    uint64_t physical;
    (void)address_space_translate(mem, request->channel, request->addr, 4, &physical);
    const uint32_t line = (uint32_t)physical & ~(LINE_BYTES - 1);
    mem->tells = true;
    mem->told =
        (struct trace_event){.kind = lost ? TRACE_WRITE_BACK_ERROR : TRACE_BUS_ERROR, .cycle = mem->run->cycles};
    if (lost) {
        mem->told.write_back_error = (struct trace_write_back_error){
            .lost = 1, .channel = request->channel, .addr = line, .info = request->addr & ~(LINE_BYTES - 1)};
    } else {
        mem->told.bus_error = (struct trace_bus_error){.port = port, .addr = line};
    }
}

void mem_emit(struct mem *mem, const struct trace_event *event) {
    run_emit(mem->run, event);
    if (event->kind != TRACE_PERFORM || !mem->tells) return;
    mem->tells = false;
    run_emit(mem->run, &mem->told);
}

void mem_tell_lost(const struct mem *mem, uint32_t channel, uint32_t addr) {
    const struct fault_report fault = {.channel = channel, .code = FAULT_BUS_ERROR, .info = addr};
    mem->wires.fault(mem->wires.context, &fault);
}

// What the request did to memory is as if it had not been.
static void take_back(struct mem *mem, struct mem_record *record) {
    const struct mem_request *request = &record->request;
    if (request->op == MEM_ATOMIC) {
        mem_put(mem, record->physical, record->before, 4);
        // It is none of those that wait for a write-back.
        mem->records->atomics--;
    }
    for (unsigned b = 0; request->op == MEM_WRITE && b < LINE_BYTES; b++) {
        if ((request->wstrb >> b & 1) != 0) mem_put(mem, record->physical + b, &record->before[b], 1);
    }
}

struct mem_record *mem_follow_bus_error(struct mem *mem, const struct trace_event *rtl, struct trace_event *model,
                                        struct why why) {
    const struct trace_bus_error *e = &rtl->bus_error;
    const struct mem_records *records = mem->records;
    if (e->port >= MEM_PORTS || records == NULL || e->after >= RECORDS || e->after >= records->port[e->port].count) {
        why_refuse(why, "BUS_ERROR on port %u: it has not performed more than %u requests", e->port, e->after);
        return NULL;
    }
    struct port_records *port = &mem->records->port[e->port];
    struct mem_record *record = &port->record[(port->count - 1 - e->after) % RECORDS];
    if (record->fault == ANSWER_OUTSIDE || record->told) {
        why_refuse(why, "BUS_ERROR on port %u: the request to 0x%x %s", e->port, record->request.addr,
                   record->told ? "has failed before" : "is outside its space and never came to the memory");
        return NULL;
    }
    if (record->request.op == MEM_ATOMIC && e->after != 0) {
        why_refuse(why, "BUS_ERROR on port %u: the atomic of 0x%x is answered already", e->port, record->request.addr);
        return NULL;
    }
    if (record->fault == 0) take_back(mem, record);
    record->told = true;
    record->fault = ANSWER_BUS_ERROR;
    model->bus_error = (struct trace_bus_error){
        .port = e->port, .after = e->after, .addr = (uint32_t)record->physical & ~(LINE_BYTES - 1)};
    return record;
}

bool mem_follow_write_back_error(struct mem *mem, const struct trace_event *rtl, struct trace_event *model,
                                 struct why why) {
    const struct trace_write_back_error *e = &rtl->write_back_error;
    struct mem_records *records = mem->records;
    const uint64_t kept = records == NULL ? 0 : records->atomics < ATOMICS ? records->atomics : ATOMICS;
    uint32_t lost = 0, channel = 0, addr = 0;
    for (uint64_t i = 1; i <= kept && lost < e->lost; i++) {
        struct atomic_record *atomic = &records->atomic[(records->atomics - i) % ATOMICS];
        if ((atomic->physical & ~(uint64_t)(LINE_BYTES - 1)) != e->addr) continue;
        if (lost != 0 && atomic->channel != channel) break;
        channel = atomic->channel;
        addr = atomic->addr & ~(LINE_BYTES - 1);
        mem_put(mem, atomic->physical, &atomic->old, sizeof atomic->old);
        atomic->physical = UINT64_MAX;  // not twice
        lost++;
    }
    if (lost != e->lost || lost == 0)
        return why_refuse(why, "WRITE_BACK_ERROR of line 0x%x: %u atomics are lost, a channel has performed %u",
                          e->addr, e->lost, lost);
    model->write_back_error =
        (struct trace_write_back_error){.lost = lost, .channel = channel, .addr = e->addr, .info = addr};
    mem_tell_lost(mem, channel, addr);
    return true;
}

void mem_records_image(struct mem *mem, struct image *image) {
    if (mem->records == NULL) mem->records = calloc(1, sizeof *mem->records);
    if (mem->records == NULL) {
        image->failed = true;
    } else {
        image_part(image, mem->records, sizeof *mem->records);
    }
}

void mem_records_free(struct mem *mem) {
    free(mem->records);
}
