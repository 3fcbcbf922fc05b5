// Moves a value that only goes round a loop down to the end of its block. The old value is then dead before the new one
// is made, both can share a register, and the move on the back edge goes away.
#include "compiler/improve/sink.h"

#include <stdlib.h>

#include "compiler/machine/machine.h"
#include "gen/isa.h"

static bool moves_freely(const struct machine_instruction *at) {
    if (at->guard != NONE || at->dst == NONE || writes_predicate(at)) return false;
    if (at->op == OP_SHFL || at->op == OP_SHFL_I) return false;  // reads other threads
    switch (isa_table[at->op].format) {
        case FORMAT_B:
        case FORMAT_B2:
        case FORMAT_R3:
        case FORMAT_R3S:
        case FORMAT_CVT:
        case FORMAT_RND: break;
        default: return false;
    }
    for (unsigned k = 0; k < 3; k++)
        if (at->src[k] != NONE && source_class(at, k) == CLASS_PREDICATE) return false;
    return true;
}

// The only instruction of the block that writes the register, when nothing behind it reads the register but something
// reads one of its sources (else there is nothing to gain). NONE: none.
static size_t find(const struct machine_block *block, uint32_t number) {
    for (size_t k = block->count; k-- > 0;) {
        const struct machine_instruction *at = &block->code[k];
        if (reads_register(at, number)) return NONE;
        if (at->dst != number || writes_predicate(at)) continue;
        if (!moves_freely(at)) return NONE;
        for (size_t later = k + 1; later < block->count; later++)
            for (unsigned s = 0; s < 3; s++)
                if (at->src[s] != NONE && reads_register(&block->code[later], at->src[s])) return k;
        return NONE;
    }
    return NONE;
}

static void move_down(struct machine_block *block, size_t from) {
    struct machine_instruction held = block->code[from];
    for (size_t k = from; k + 1 < block->count; k++)
        block->code[k] = block->code[k + 1];
    block->code[block->count - 1] = held;
}

void values_sink(struct machine_function *function) {
    for (size_t b = 0; b < function->block_count; b++) {
        for (size_t k = 0; k < function->blocks[b].phi_count; k++) {
            const struct machine_phi *phi = &function->blocks[b].phis[k];
            for (size_t i = 0; i < phi->count; i++) {
                if (phi->src[i] >= UNDEFINED) continue;
                struct machine_block *from = &function->blocks[phi->from[i]];
                size_t at = find(from, phi->src[i]);
                if (at != NONE) move_down(from, at);
            }
        }
    }
}
