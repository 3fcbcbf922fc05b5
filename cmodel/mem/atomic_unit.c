// Read-modify-write of a word: the twin of rtl/mem/atomic_unit.sv. That one keeps lines between atomics; what
// observers see is the same.
#include "gen/isa.h"
#include "mem/mem_internal.h"

#define DEFECT_ATOMIC_MAX 122u

uint32_t atomic_unit_result(uint32_t atom, uint32_t old, uint32_t operand, uint32_t swap) {
    switch (atom) {
        case ATOM_ADD: return old + operand;
        case ATOM_SUB: return old - operand;
        case ATOM_MIN: return (int32_t)operand < (int32_t)old ? operand : old;
        case ATOM_MAX: return (int32_t)operand > (int32_t)old ? operand : old;
        case ATOM_UMIN: return operand < old ? operand : old;
        case ATOM_UMAX: return operand > old ? operand : old;
        case ATOM_AND: return old & operand;
        case ATOM_OR: return old | operand;
        case ATOM_XOR: return old ^ operand;
        case ATOM_XCHG: return operand;
        case ATOM_CAS: return old == operand ? swap : old;
        case ATOM_INC: return old >= operand ? 0 : old + 1;
        case ATOM_DEC: return old == 0 || old > operand ? operand : old - 1;
        default: return old;  // no such operation: the word stays
    }
}

uint32_t atomic_unit_perform(struct mem *mem, uint64_t physical, uint32_t atom, uint32_t operand, uint32_t swap) {
    uint32_t old;
    mem_get(mem, physical, &old, sizeof old);
    uint32_t value = atomic_unit_result(atom, old, operand, swap);
    if (mem->run->inject == DEFECT_ATOMIC_MAX && atom == ATOM_MAX) value = operand > old ? operand : old;
    mem_put(mem, physical, &value, sizeof value);
    return old;
}
