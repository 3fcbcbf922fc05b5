// From an address in a channel's space to a physical one: the twin of rtl/mem/address_space.sv.
#include "mem.h"

// Defects on purpose, of the model (README.md).
#define DEFECT_SPACE_END 121u

bool address_space_translate(const struct ppu *ppu, uint32_t channel, uint32_t addr, uint32_t size,
                             uint64_t *physical) {
    uint32_t base, space_size;
    host_space(ppu->host, channel, &base, &space_size);
    uint64_t end = (uint64_t)addr + size, limit = space_size;
    if (ppu->inject == DEFECT_SPACE_END) limit += 4096;
    // The bus has 32 address bits: what lies past them is outside too.
    if (end > limit || (uint64_t)base + end > UINT64_C(0x100000000)) return false;
    *physical = (uint64_t)base + addr;
    return true;
}
