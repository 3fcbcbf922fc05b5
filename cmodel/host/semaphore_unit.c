#include "semaphore_unit.h"

#include <string.h>

#include "gen/isa.h"
#include "gen/registers.h"

// Defects on purpose, of the model (README.md).
#define DEFECT_ACQ_AND 111u

uint32_t semaphore_unit_kind(const struct semaphore_operation *op) {
    return op->word & 31;
}

bool semaphore_unit_is_acquire(const struct semaphore_operation *op) {
    const uint32_t kind = semaphore_unit_kind(op);
    return kind == SEMAPHORE_ACQUIRE || kind == SEMAPHORE_ACQ_GEQ || kind == SEMAPHORE_ACQ_AND;
}

static bool size_4(const struct semaphore_operation *op) {
    return (op->word >> 24 & 1) != 0;
}

bool semaphore_unit_release_16(const struct semaphore_operation *op) {
    return semaphore_unit_kind(op) == SEMAPHORE_RELEASE && !size_4(op);
}

bool semaphore_unit_waits_for_idle(const struct semaphore_operation *op) {
    return semaphore_unit_kind(op) == SEMAPHORE_RELEASE && (op->word >> 20 & 1) == 0;
}

static uint32_t reduction(const struct semaphore_operation *op) {
    return op->word >> 27 & 15;
}

uint32_t semaphore_unit_check(const struct semaphore_operation *op) {
    const uint32_t kind = semaphore_unit_kind(op);
    const bool known = semaphore_unit_is_acquire(op) || kind == SEMAPHORE_RELEASE ||
                       (kind == SEMAPHORE_REDUCTION && reduction(op) < 8);
    const uint32_t alignment = semaphore_unit_release_16(op) ? 16 : 4;
    if (!known || op->addr % alignment != 0) return FAULT_SEMAPHORE;
    return op->addr >> 32 != 0 ? FAULT_SEMAPHORE_ADDRESS : FAULT_NONE;
}

// REDUCTION and FORMAT to an atomic of the memory unit. FORMAT matters to MIN and MAX; INC and DEC count without a
// sign.
static uint32_t atom(const struct semaphore_operation *op) {
    const bool is_unsigned = op->word >> 31 != 0;
    switch (reduction(op)) {
        case 0: return is_unsigned ? ATOM_UMIN : ATOM_MIN;
        case 1: return is_unsigned ? ATOM_UMAX : ATOM_MAX;
        case 2: return ATOM_XOR;
        case 3: return ATOM_AND;
        case 4: return ATOM_OR;
        case 5: return ATOM_ADD;
        case 6: return ATOM_INC;
        default: return ATOM_DEC;
    }
}

static uint32_t line_of(const struct semaphore_operation *op) {
    return (uint32_t)op->addr & ~(LINE_BYTES - 1);
}

static uint32_t offset_of(const struct semaphore_operation *op) {
    return (uint32_t)op->addr & (LINE_BYTES - 1);
}

struct mem_request semaphore_unit_request(const struct semaphore_operation *op, uint32_t channel, uint64_t time,
                                          unsigned inject) {
    (void)inject;
    struct mem_request request;
    memset(&request, 0, sizeof request);
    request.channel = channel;
    request.addr = line_of(op);
    if (semaphore_unit_is_acquire(op)) {
        request.op = MEM_READ;
    } else if (semaphore_unit_kind(op) == SEMAPHORE_REDUCTION) {
        request.op = MEM_ATOMIC;
        request.atom = atom(op);
        request.addr = (uint32_t)op->addr;
        memcpy(request.wdata, &op->payload, 4);
    } else {
        request.op = MEM_WRITE;
        request.wstrb = (size_4(op) ? 0xFu : 0xFFFFu) << offset_of(op);
        memcpy(request.wdata + offset_of(op), &op->payload, 4);
        if (!size_4(op)) memcpy(request.wdata + offset_of(op) + 8, &time, 8);
    }
    return request;
}

uint32_t semaphore_unit_value(const struct semaphore_operation *op, const struct mem_response *answer) {
    uint32_t value = 0;
    if (semaphore_unit_is_acquire(op)) memcpy(&value, answer->data + offset_of(op), 4);
    if (semaphore_unit_kind(op) == SEMAPHORE_REDUCTION) memcpy(&value, answer->data, 4);
    return value;
}

bool semaphore_unit_done(const struct semaphore_operation *op, uint32_t value, unsigned inject) {
    switch (semaphore_unit_kind(op)) {
        case SEMAPHORE_ACQUIRE: return value == op->payload;
        case SEMAPHORE_ACQ_GEQ: return (int32_t)(value - op->payload) >= 0;
        case SEMAPHORE_ACQ_AND:
            if (inject == DEFECT_ACQ_AND) return (value & op->payload) == op->payload;
            return (value & op->payload) != 0;
        default: return true;
    }
}
