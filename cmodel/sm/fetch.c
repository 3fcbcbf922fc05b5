// Instruction fetch: where a program counter may be, and the word that stands there.
#include <string.h>

#include "sm_internal.h"

static uint64_t byte_address(const struct task_slot *slot, uint32_t pc) {
    return (uint64_t)slot->region + 8u * (uint64_t)pc;
}

bool fetch(const struct sm *sm, const struct warp *warp, uint64_t *word, uint32_t *code, uint32_t *info) {
    const struct task_slot *slot = warp_slot(sm, warp);
    const uint64_t byte = byte_address(slot, warp->pc);
    if (byte < slot->code_base || byte >= (uint64_t)slot->code_base + slot->code_size) {
        *code = FAULT_PROGRAM_BOUNDS;
        *info = warp->pc;
        return false;
    }
    uint64_t physical;
    if (!address_space_translate(sm->mem, slot->channel, (uint32_t)byte, sizeof *word, &physical)) {
        *code = FAULT_MEMORY_BOUNDS;
        *info = (uint32_t)byte & ~(LINE_BYTES - 1u);
        return false;
    }
    if (mem_fails(sm->mem, MEM_READ, physical, sizeof *word)) {
        *code = FAULT_BUS_ERROR;
        *info = (uint32_t)byte & ~(LINE_BYTES - 1u);
        return false;
    }
    memcpy(word, &mem_bytes(sm->mem)[physical], sizeof *word);
    return true;
}

bool fetch_line_legal(const struct sm *sm, uint32_t addr, uint32_t *channel) {
    const uint32_t wanted = *channel;
    bool found = false;
    if (addr % LINE_BYTES != 0) return false;
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        if (!sm->warps[w].running) continue;
        const struct task_slot *slot = warp_slot(sm, &sm->warps[w]);
        const uint64_t end = (uint64_t)slot->code_base + slot->code_size;
        if (addr + (uint64_t)LINE_BYTES <= slot->code_base || addr >= end) continue;
        // Programs of different channels may stand at the same address: the RTL's channel if it is one of them.
        if (!found || slot->channel == wanted) *channel = slot->channel;
        found = true;
    }
    return found;
}
