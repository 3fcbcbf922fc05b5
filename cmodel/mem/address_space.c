// From an address in a channel's space to a physical one: the twin of rtl/mem/address_space.sv.
#include "mem/mem_internal.h"

// Defects on purpose, of the model (README.md).
#define DEFECT_SPACE_END 121u

bool address_space_translate(const struct mem *mem, uint32_t channel, uint32_t addr, uint32_t size,
                             uint64_t *physical) {
    const struct mem_space space = address_space_of(mem, channel);
    uint64_t end = (uint64_t)addr + size, limit = space.size;
    if (mem->run->inject == DEFECT_SPACE_END) limit += 4096;
    if (channel != MEM_PHYSICAL && end > limit) return false;
    if ((uint64_t)space.base + end > mem->end) return false;
    *physical = (uint64_t)space.base + addr;
    return true;
}

struct mem_space address_space_of(const struct mem *mem, uint32_t channel) {
    if (channel == MEM_PHYSICAL) return (struct mem_space){0, UINT32_MAX};
    return mem->wires.space[channel];
}
