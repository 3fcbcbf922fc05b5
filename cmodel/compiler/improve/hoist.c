// Moves what a loop does not change before it. LLVM has done so with its IR; what selection makes anew are constants in
// registers, signs turned, extensions of values. Each takes a register for all of the loop, so only some are moved.
#include "compiler/improve/hoist.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/machine/flow_graph.h"
#include "compiler/machine/machine.h"
#include "compiler/machine/places.h"
#include "gen/isa.h"

enum { HOISTED_MAX = 8 };  // of a loop

struct hoisting {
    struct machine_function *function;
    struct loops loops;
    uint32_t *defined_in;  // block of each register, NONE: of none, or of several
    bool *in_phi;          // a phi reads the register: it would be moved into another one all the same
    uint32_t *same;        // a register that holds the same, or itself
};

static void define(struct hoisting *h, uint32_t number, uint32_t block, bool *seen) {
    h->defined_in[number] = seen[number] ? NONE : block;
    seen[number] = true;
}

static void find_definitions(struct hoisting *h) {
    const struct machine_function *function = h->function;
    bool *seen = take(function->register_count, sizeof *seen);
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct machine_block *block = &function->blocks[b];
        for (size_t k = 0; k < block->phi_count; k++) {
            define(h, block->phis[k].dst, b, seen);
            for (size_t i = 0; i < block->phis[k].count; i++)
                if (block->phis[k].src[i] < UNDEFINED) h->in_phi[block->phis[k].src[i]] = true;
        }
        for (size_t k = 0; k < block->count; k++) {
            const struct machine_instruction *at = &block->code[k];
            for (unsigned w = 0; at->dst != NONE && w < result_words(at); w++)
                define(h, at->dst + w, b, seen);
            if (at->carry != NONE) define(h, at->carry, b, seen);
        }
    }
    // What lies in a certain real register stays beside its call; parts of a tuple stay in their order.
    for (size_t k = 0; k < function->fixed_count; k++)
        h->defined_in[function->fixed[k].number] = NONE;
    free(seen);
}

// Whether the instruction gives the same wherever its sources are the same, in one register of its own.
static bool is_value(const struct hoisting *h, const struct machine_instruction *at) {
    if (at->guard != NONE || at->dst == NONE || at->carry != NONE || result_words(at) > 1 || writes_predicate(at))
        return false;
    if (h->defined_in[at->dst] == NONE || h->in_phi[at->dst]) return false;
    switch (isa_table[at->op].format) {
        case FORMAT_B2:
            if (at->op == OP_SHFL || at->op == OP_SHFL_I) return false;  // reads other threads
            break;
        case FORMAT_B:
        case FORMAT_R3:
        case FORMAT_R3S:
        case FORMAT_CVT:
        case FORMAT_RND: break;
        default: return false;
    }
    // One that only renames a register is merged away later.
    return at->op != OP_MOV || at->src[1] == NONE;
}

static bool is_fixed(const struct hoisting *h, const struct loop *loop, const struct machine_instruction *at) {
    for (unsigned k = 0; k < 3; k++) {
        const uint32_t source = at->src[k];
        if (source == NONE) continue;
        if (source == UNDEFINED || source_class(at, k) == CLASS_PREDICATE || source_words(at, k) > 1) return false;
        if (h->defined_in[source] == NONE || loop->blocks[h->defined_in[source]]) return false;
    }
    return true;
}

// The block from which the loop is entered and that goes nowhere else, or NONE.
static uint32_t block_before(const struct hoisting *h, const struct loop *loop) {
    const struct machine_block *header = &h->function->blocks[loop->header];
    uint32_t before = NONE;
    for (size_t k = 0; k < header->pred_count; k++) {
        if (loop->blocks[header->preds[k]]) continue;
        if (before != NONE) return NONE;
        before = header->preds[k];
    }
    return before != NONE && successor_count(&h->function->blocks[before]) == 1 ? before : NONE;
}

static bool equal(const struct machine_instruction *a, const struct machine_instruction *b) {
    return a->op == b->op && a->mod == b->mod && a->imm == b->imm && memcmp(a->src, b->src, sizeof a->src) == 0;
}

// The register of that block that holds the same already, or NONE.
static uint32_t find_equal(const struct hoisting *h, const struct machine_block *block,
                           const struct machine_instruction *at) {
    for (size_t k = 0; k < block->count; k++)
        if (equal(&block->code[k], at) && is_value(h, &block->code[k])) return block->code[k].dst;
    return NONE;
}

static uint32_t with(const struct hoisting *h, uint32_t number) {
    // What it is the same as may have been found again before a loop further out.
    while (number < UNDEFINED && h->same[number] != number)
        number = h->same[number];
    return number;
}

static void hoist_loop(struct hoisting *h, const struct loop *loop, const uint32_t *order, size_t count) {
    const uint32_t before = block_before(h, loop);
    unsigned hoisted = 0;
    if (before == NONE) return;
    for (size_t n = 0; n < count; n++) {
        struct machine_block *block = &h->function->blocks[order[n]];
        // A loop that waits for others does so no sooner for being shorter, and disturbs them more.
        const uint32_t innermost = h->loops.innermost[order[n]];
        if (!loop->blocks[order[n]] || h->loops.loops[innermost].spins) continue;
        size_t kept = 0;
        for (size_t k = 0; k < block->count; k++) {
            struct machine_instruction at = block->code[k];
            for (unsigned i = 0; i < 3; i++)
                if (source_words(&at, i) == 1) at.src[i] = with(h, at.src[i]);
            if (hoisted == HOISTED_MAX || !is_value(h, &at) || !is_fixed(h, loop, &at)) {
                block->code[kept++] = at;
                continue;
            }
            const uint32_t known = find_equal(h, &h->function->blocks[before], &at);
            if (known != NONE) {
                h->same[at.dst] = known;
                places_rename(h->function, at.dst, known);
                continue;
            }
            h->defined_in[at.dst] = before;
            append(h->function, before, at);
            hoisted++;
        }
        block->count = kept;
    }
}

// Sources that were taken from elsewhere, also where the reader stands in a block that was passed before.
static void rename_all(struct hoisting *h) {
    for (size_t b = 0; b < h->function->block_count; b++) {
        struct machine_block *block = &h->function->blocks[b];
        for (size_t k = 0; k < block->count; k++)
            for (unsigned i = 0; i < 3; i++)
                if (source_words(&block->code[k], i) == 1) block->code[k].src[i] = with(h, block->code[k].src[i]);
    }
}

void values_hoist(struct machine_function *function) {
    flow_update(function);
    struct hoisting h = {.function = function};
    flow_loops(function, &h.loops);
    if (h.loops.irreducible) return;
    h.defined_in = take(function->register_count, sizeof *h.defined_in);
    h.in_phi = take(function->register_count, sizeof *h.in_phi);
    h.same = take(function->register_count, sizeof *h.same);
    for (uint32_t r = 0; r < function->register_count; r++) {
        h.defined_in[r] = NONE;
        h.same[r] = r;
    }
    find_definitions(&h);
    uint32_t *order = take(function->block_count, sizeof *order);
    const size_t count = flow_order(function, order);
    for (size_t l = 0; l < h.loops.count; l++)
        hoist_loop(&h, &h.loops.loops[l], order, count);
    rename_all(&h);
    free(order);
    free(h.defined_in);
    free(h.in_phi);
    free(h.same);
}
