// Device memory and the performing of requests: the twin of rtl/mem/memory_unit.sv.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "mem/mem_internal.h"

#define HOST_PAGE 4096u  // where pages are larger, the host refuses some pieces and they are written

// So much is mapped: it costs nothing before it is touched, and nobody who looks through the heap looks through it.
#define MAPPED_LEAST ((size_t)16 << 20)

static uint8_t *take_bytes(size_t bytes) {
    if (bytes < MAPPED_LEAST) return calloc(1, bytes != 0 ? bytes : 1);
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return mapped != MAP_FAILED ? mapped : NULL;
}

static void give_bytes(uint8_t *bytes, size_t size) {
    if (bytes != NULL && size >= MAPPED_LEAST) {
        (void)munmap(bytes, size);
    } else {
        free(bytes);
    }
}

struct mem *mem_create(struct run *run, size_t bytes, const struct memory_given *given) {
    struct mem *mem = calloc(1, sizeof *mem);
    if (mem == NULL) return NULL;
    mem->run = run;
    if (given != NULL) {
        mem->given = *given;
        mem->bytes = given->bytes;
    } else {
        mem->bytes = mem->own = take_bytes(bytes);
        if (mem->own == NULL) {
            free(mem);
            return NULL;
        }
    }
    mem->size = bytes;
    mem_set_pages(mem, 0);
    return mem;
}

void mem_set_pages(struct mem *mem, uint32_t pages) {
    mem->end = pages == 0 ? UINT64_C(0x100000000) : (uint64_t)pages * 4096;
}

void mem_connect(struct mem *mem, const struct mem_wires *wires) {
    mem->wires = *wires;
}

void mem_destroy(struct mem *mem) {
    if (mem == NULL) return;
    mem_records_free(mem);
    give_bytes(mem->own, mem->size);
    free(mem);
}

uint8_t *mem_bytes(struct mem *mem) {
    return mem->bytes;
}

size_t mem_size(const struct mem *mem) {
    return mem->size;
}

void mem_get(const struct mem *mem, uint64_t physical, void *to, size_t size) {
    if (mem->bytes != NULL) {
        memcpy(to, mem->bytes + physical, size);
    } else {
        mem->given.read(mem->given.context, physical, to, size);
    }
}

void mem_put(struct mem *mem, uint64_t physical, const void *from, size_t size) {
    if (mem->bytes != NULL) {
        memcpy(mem->bytes + physical, from, size);
    } else {
        mem->given.write(mem->given.context, physical, from, size);
    }
}

bool mem_clear(struct mem *mem, uint64_t physical, size_t size) {
    if (mem->own == NULL) return false;
    uint8_t *const end = mem->own + physical + size;
    uint8_t *from = mem->own + physical + (HOST_PAGE - (uintptr_t)(mem->own + physical) % HOST_PAGE) % HOST_PAGE;
    uint8_t *to = end - (uintptr_t)end % HOST_PAGE;
    // Whole pages go back to the host, which gives zeros for them when they are next touched.
    if (from >= to || madvise(from, (size_t)(to - from), MADV_DONTNEED) != 0) from = to = end;
    memset(mem->own + physical, 0, (size_t)(from - (mem->own + physical)));
    memset(to, 0, (size_t)(end - to));
    return true;
}

// Only the bytes that wstrb names: others may be somebody else's.
static void write_bytes(struct mem *mem, uint64_t physical, const struct mem_request *request) {
    for (unsigned b = 0, end; b < LINE_BYTES; b = end + 1) {
        end = b;
        while (end < LINE_BYTES && (request->wstrb >> end & 1) != 0)
            end++;
        if (end != b) mem_put(mem, physical + b, &request->wdata[b], end - b);
    }
}

// Alone, an atomic in memory that can only be read: the RTL would notice when it writes the line back.
static bool lost_atomic(struct mem *mem, const struct mem_request *request, uint64_t physical,
                        struct mem_response *response) {
    if (request->op != MEM_ATOMIC || !mem_fails(mem, MEM_WRITE, physical, 4)) return false;
    mem_get(mem, physical, response->data, 4);
    mem_tell_lost(mem, request->channel, request->addr & ~(LINE_BYTES - 1));
    return true;
}

// True: an atomic that was answered and is lost.
static bool perform(struct mem *mem, const struct mem_request *request, struct mem_response *response,
                    struct mem_record *record) {
    const uint32_t size = request->op == MEM_ATOMIC ? 4 : LINE_BYTES;
    uint64_t physical;
    memset(response, 0, sizeof *response);
    response->order = ++mem->run->counters.memory_requests;
    if (!address_space_translate(mem, request->channel, request->addr, size, &physical)) {
        response->fault = ANSWER_OUTSIDE;
        return false;
    }
    if (record != NULL) record->physical = physical;
    if (mem_fails(mem, request->op, physical, size)) {
        response->fault = ANSWER_BUS_ERROR;
        return false;
    }
    if (lost_atomic(mem, request, physical, response)) return true;
    if (record != NULL) mem_get(mem, physical, record->before, size);
    switch (request->op) {
        case MEM_READ: mem_get(mem, physical, response->data, LINE_BYTES); break;
        case MEM_WRITE: write_bytes(mem, physical, request); break;
        case MEM_ATOMIC: {
            uint32_t operand, swap;
            memcpy(&operand, request->wdata, 4);
            memcpy(&swap, request->wdata + 4, 4);
            const uint32_t old = atomic_unit_perform(mem, physical, request->atom, operand, swap);
            memcpy(response->data, &old, sizeof old);
            if (record != NULL) mem_record_atomic(mem, request, physical, old);
            break;
        }
    }
    return false;
}

void mem_perform(struct mem *mem, const struct mem_request *request, struct mem_response *response) {
    (void)perform(mem, request, response, NULL);
}

bool mem_look(const struct mem *mem, uint32_t channel, uint32_t addr, uint8_t line[LINE_BYTES]) {
    uint64_t physical;
    if (!address_space_translate(mem, channel, addr, LINE_BYTES, &physical) ||
        mem_fails(mem, MEM_READ, physical, LINE_BYTES))
        return false;
    mem_get(mem, physical, line, LINE_BYTES);
    return true;
}

void mem_perform_event(struct mem *mem, uint32_t port, const struct mem_request *request, struct mem_response *response,
                       struct trace_event *model) {
    struct mem_record *record = mem_record(mem, port);
    if (record != NULL) *record = (struct mem_record){.request = *request};
    const bool lost = perform(mem, request, response, record);
    mem->tells = false;
    if (!mem->run->following && (lost || response->fault == ANSWER_BUS_ERROR)) mem_tell_error(mem, port, request, lost);
    if (record != NULL) record->fault = response->fault;
    memset(model, 0, sizeof *model);
    model->kind = TRACE_PERFORM;
    model->cycle = mem->run->cycles;
    struct trace_perform *event = &model->perform;
    event->port = port;
    event->op = (uint32_t)request->op;
    event->channel = request->channel;
    event->addr = request->addr;
    event->fault = response->fault == ANSWER_OUTSIDE ? ANSWER_OUTSIDE : ANSWER_GOOD;
    if (request->op == MEM_ATOMIC) {
        memcpy(event->wdata, request->wdata, 8);
    } else if (request->op == MEM_WRITE) {
        event->wstrb = request->wstrb;
        for (unsigned b = 0; b < LINE_BYTES; b++) {
            if ((request->wstrb >> b & 1) != 0) event->wdata[b] = request->wdata[b];
        }
    }
}
