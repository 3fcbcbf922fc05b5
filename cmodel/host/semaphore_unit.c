#include "host/semaphore_unit.h"

#include <string.h>

#include "gen/isa.h"
#include "gen/methods.h"
#include "gen/registers.h"

// Defects on purpose, of the model (README.md).
#define DEFECT_ACQ_AND 111u

uint32_t semaphore_unit_kind(const struct semaphore_operation *op) {
    return HOST_SEMAPHORED_OPERATION_OF(op->word);
}

bool semaphore_unit_is_acquire(const struct semaphore_operation *op) {
    const uint32_t kind = semaphore_unit_kind(op);
    return kind == HOST_SEMAPHORED_OPERATION_ACQUIRE || kind == HOST_SEMAPHORED_OPERATION_ACQ_GEQ ||
           kind == HOST_SEMAPHORED_OPERATION_ACQ_AND;
}

static bool size_4(const struct semaphore_operation *op) {
    return HOST_SEMAPHORED_RELEASE_SIZE_OF(op->word) == HOST_SEMAPHORED_RELEASE_SIZE_4BYTE;
}

bool semaphore_unit_release_16(const struct semaphore_operation *op) {
    return semaphore_unit_kind(op) == HOST_SEMAPHORED_OPERATION_RELEASE && !size_4(op);
}

bool semaphore_unit_waits_for_idle(const struct semaphore_operation *op) {
    return semaphore_unit_kind(op) == HOST_SEMAPHORED_OPERATION_RELEASE &&
           HOST_SEMAPHORED_RELEASE_WFI_OF(op->word) == HOST_SEMAPHORED_RELEASE_WFI_EN;
}

static uint32_t reduction(const struct semaphore_operation *op) {
    return HOST_SEMAPHORED_REDUCTION_OF(op->word);
}

uint32_t semaphore_unit_check(const struct semaphore_operation *op) {
    const uint32_t kind = semaphore_unit_kind(op);
    const bool known = semaphore_unit_is_acquire(op) || kind == HOST_SEMAPHORED_OPERATION_RELEASE ||
                       (kind == HOST_SEMAPHORED_OPERATION_REDUCTION && reduction(op) <= HOST_SEMAPHORED_REDUCTION_DEC);
    const uint32_t alignment = semaphore_unit_release_16(op) ? 16 : 4;
    if (!known || op->addr % alignment != 0) return FAULT_SEMAPHORE;
    return op->addr >> 32 != 0 ? FAULT_SEMAPHORE_ADDRESS : FAULT_NONE;
}

// REDUCTION and FORMAT to an atomic of the memory unit. FORMAT matters to MIN and MAX; INC and DEC count without a
// sign.
static uint32_t atom(const struct semaphore_operation *op) {
    const bool is_unsigned = HOST_SEMAPHORED_FORMAT_OF(op->word) == HOST_SEMAPHORED_FORMAT_UNSIGNED;
    switch (reduction(op)) {
        case HOST_SEMAPHORED_REDUCTION_MIN: return is_unsigned ? ATOM_UMIN : ATOM_MIN;
        case HOST_SEMAPHORED_REDUCTION_MAX: return is_unsigned ? ATOM_UMAX : ATOM_MAX;
        case HOST_SEMAPHORED_REDUCTION_XOR: return ATOM_XOR;
        case HOST_SEMAPHORED_REDUCTION_AND: return ATOM_AND;
        case HOST_SEMAPHORED_REDUCTION_OR: return ATOM_OR;
        case HOST_SEMAPHORED_REDUCTION_ADD: return ATOM_ADD;
        case HOST_SEMAPHORED_REDUCTION_INC: return ATOM_INC;
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
    } else if (semaphore_unit_kind(op) == HOST_SEMAPHORED_OPERATION_REDUCTION) {
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
    if (semaphore_unit_kind(op) == HOST_SEMAPHORED_OPERATION_REDUCTION) memcpy(&value, answer->data, 4);
    return value;
}

bool semaphore_unit_done(const struct semaphore_operation *op, uint32_t value, unsigned inject) {
    switch (semaphore_unit_kind(op)) {
        case HOST_SEMAPHORED_OPERATION_ACQUIRE: return value == op->payload;
        case HOST_SEMAPHORED_OPERATION_ACQ_GEQ: return (int32_t)(value - op->payload) >= 0;
        case HOST_SEMAPHORED_OPERATION_ACQ_AND:
            if (inject == DEFECT_ACQ_AND) return (value & op->payload) == op->payload;
            return (value & op->payload) != 0;
        default: return true;
    }
}
