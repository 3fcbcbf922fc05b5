// Semaphore operations, the twin of rtl/host/semaphore_unit.sv: pure functions, so that a bench can compare the two
// directly.
#ifndef TANDEM_CMODEL_SEMAPHORE_UNIT_H
#define TANDEM_CMODEL_SEMAPHORE_UNIT_H

#include "mem/mem.h"

struct semaphore_operation {
    uint32_t word;  // data of SEMAPHORED
    uint64_t addr;  // 40 bits
    uint32_t payload;
};

uint32_t semaphore_unit_kind(
    const struct semaphore_operation *op);  // HOST_SEMAPHORED_OPERATION_*, or any other value of 5 bits
bool semaphore_unit_is_acquire(const struct semaphore_operation *op);
bool semaphore_unit_release_16(const struct semaphore_operation *op);  // a release of 16 bytes, with a timestamp
bool semaphore_unit_waits_for_idle(const struct semaphore_operation *op);

// FAULT_NONE, or the code of the fault (info: low word of the address) that the operation is, before any access to
// memory.
uint32_t semaphore_unit_check(const struct semaphore_operation *op);

// The access to memory, of an operation that passed semaphore_unit_check. time: nanoseconds, for the timestamp. inject:
// 0, or the number of a deliberate defect.
struct mem_request semaphore_unit_request(const struct semaphore_operation *op, uint32_t channel, uint64_t time,
                                          unsigned inject);

// The semaphore's word in an answer without fault: the word before; 0 for a release, which does not read.
uint32_t semaphore_unit_value(const struct semaphore_operation *op, const struct mem_response *answer);
// Is the operation done? value: of semaphore_unit_value.
bool semaphore_unit_done(const struct semaphore_operation *op, uint32_t value, unsigned inject);

#endif
