// Small improvements before registers are allocated: a product that only feeds a sum becomes IMAD, and what nobody
// reads goes.
#include "compiler/improve/peephole.h"

#include <stdlib.h>

#include "compiler/machine/machine.h"
#include "gen/isa.h"

static bool has_effect(const struct machine_instruction *at) {
    return !is_pure(at) && isa_table[at->op].format != FORMAT_LDC;
}

static void count_sources(const struct machine_instruction *at, uint32_t *uses, uint32_t by) {
    for (unsigned s = 0; s < 3; s++)
        for (unsigned w = 0; at->src[s] != NONE && w < source_words(at, s); w++)
            uses[at->src[s] + w] += by;
}

static void count_uses(const struct machine_function *function, uint32_t *uses) {
    for (size_t b = 0; b < function->block_count; b++) {
        const struct machine_block *block = &function->blocks[b];
        for (size_t k = 0; k < block->phi_count; k++)
            for (size_t i = 0; i < block->phis[k].count; i++)
                if (block->phis[k].src[i] < UNDEFINED) uses[block->phis[k].src[i]]++;
        for (size_t k = 0; k < block->count; k++) {
            if (block->code[k].guard != NONE) uses[block->code[k].guard]++;
            count_sources(&block->code[k], uses, 1);
        }
        if (block->terminator == TERM_CONDITION) uses[block->condition]++;
    }
}

// The sum at `at` with the product that one of its sources is, when the product is in the same block and has no other
// reader.
static bool fuse(struct machine_block *block, size_t at, uint32_t *uses, const size_t *written_at) {
    struct machine_instruction *sum = &block->code[at];
    for (unsigned k = 0; k < 2; k++) {
        uint32_t source = sum->src[k];
        if (source == NONE || uses[source] != 1) continue;
        size_t place = written_at[source];
        if (place >= at || block->code[place].dst != source || block->code[place].op != OP_IMUL) continue;
        struct machine_instruction *product = &block->code[place];
        uint32_t other = sum->src[1 - k];
        sum->op = OP_IMAD;
        sum->src[0] = product->src[0];
        sum->src[1] = product->src[1];
        sum->src[2] = other;
        uses[source] = 0;
        for (unsigned s = 0; s < 2; s++)
            if (product->src[s] != NONE) uses[product->src[s]]++;
        return true;
    }
    return false;
}

static void fuse_all(struct machine_function *function, uint32_t *uses) {
    size_t *written_at = take(function->register_count, sizeof *written_at);
    for (size_t b = 0; b < function->block_count; b++) {
        struct machine_block *block = &function->blocks[b];
        // Numbers left by other blocks are not taken for this one's: the instruction there must write the register.
        for (size_t k = 0; k < block->count; k++) {
            if (block->code[k].op == OP_IADD && block->code[k].guard == NONE) fuse(block, k, uses, written_at);
            if (block->code[k].dst != NONE) written_at[block->code[k].dst] = k;
        }
    }
    free(written_at);
}

static bool is_read(const struct machine_instruction *at, const uint32_t *uses) {
    if (at->dst == NONE && at->carry == NONE) return true;
    for (unsigned w = 0; at->dst != NONE && w < result_words(at); w++)
        if (uses[at->dst + w] > 0) return true;
    return at->carry != NONE && uses[at->carry] > 0;
}

// Until nothing changes: what an unread instruction read may be unread now.
static void drop_unread(struct machine_function *function, uint32_t *uses) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = function->block_count; b-- > 0;) {
            struct machine_block *block = &function->blocks[b];
            size_t kept = block->count;
            for (size_t k = block->count; k-- > 0;) {
                const struct machine_instruction *at = &block->code[k];
                if (is_read(at, uses) || has_effect(at)) {
                    block->code[--kept] = *at;
                    continue;
                }
                count_sources(at, uses, 0u - 1u);
                changed = true;
            }
            for (size_t k = 0; k + kept < block->count; k++)
                block->code[k] = block->code[k + kept];
            block->count -= kept;
        }
    }
}

void peephole(struct machine_function *function) {
    uint32_t *uses = take(function->register_count, sizeof *uses);
    count_uses(function, uses);
    fuse_all(function, uses);
    drop_unread(function, uses);
    free(uses);
}
