// Which branches can make threads of a warp part: a branch whose condition is the same in all active threads needs no
// tokens.
//
// A value is divergent when it comes from something that differs between threads (its own number, memory), when it is
// computed from a divergent value, when it is a phi where paths of a divergent branch join, or when it is used outside
// a loop that threads leave in different iterations. The last two follow the labels of Karrenberg and Hack: from each
// divergent branch a label runs along the paths from either side; where two labels meet is a join.
//
// A wrong answer would cost time, not correctness: the hardware decides at each branch what really differs.
#include "compiler/machine/divergence.h"

#include <stdlib.h>

#include "compiler/machine/flow_graph.h"
#include "gen/isa.h"

struct analysis {
    struct machine_function *function;
    struct loops loops;
    bool *loop_parts;      // threads leave this loop in different iterations
    bool *divergent;       // of each register
    bool *join;            // of each block
    uint32_t *defined_in;  // block of each register
    uint32_t *order;
    size_t order_count;
    uint32_t *post;  // immediate post-dominators, block_count: the end
    uint32_t *label;
};

static bool special_differs(uint32_t number) {
    switch (number) {
        case SR_TID_X:
        case SR_TID_Y:
        case SR_TID_Z:
        case SR_LANEID: return true;
        default: return false;
    }
}

// Whether register r, used in block b, may differ between the threads there.
static bool differs(const struct analysis *a, uint32_t r, uint32_t b) {
    if (r == NONE || r == UNDEFINED) return false;
    if (a->divergent[r]) return true;
    if (a->loops.irreducible || a->defined_in[r] == NONE) return a->loops.irreducible;
    for (uint32_t l = a->loops.innermost[a->defined_in[r]]; l != NONE; l = a->loops.loops[l].parent)
        if (!a->loops.loops[l].blocks[b] && a->loop_parts[l]) return true;
    return false;
}

static bool result_differs(const struct analysis *a, const struct machine_instruction *at, uint32_t b) {
    switch (at->op) {
        case OP_S2R: return special_differs(at->imm);
        case OP_LDG:
        case OP_LDS:
        case OP_LD:
        case OP_LDL:
        case OP_ATOMG:
        case OP_ATOMS:
        case OP_ATOM:
        case OP_NOP: return true;  // of a NOP: an argument or what a call returns
        default: break;
    }
    if (differs(a, at->guard, b)) return true;
    for (unsigned k = 0; k < 3; k++)
        if (differs(a, at->src[k], b)) return true;
    return false;
}

static bool merge_label(struct analysis *a, uint32_t to, uint32_t label) {
    if (a->label[to] == NONE) {
        a->label[to] = label;
        return true;
    }
    if (a->label[to] == label || (a->label[to] == to && a->join[to])) return false;
    a->join[to] = true;
    a->label[to] = to;
    return true;
}

// Marks the joins of the divergent branch at the end of block b, and the loops that it makes threads leave apart.
static void spread(struct analysis *a, uint32_t b) {
    struct machine_function *function = a->function;
    const struct machine_block *branch = &function->blocks[b];
    uint32_t end = a->post[b];
    for (size_t k = 0; k < function->block_count; k++)
        a->label[k] = NONE;
    merge_label(a, branch->target[0], branch->target[0]);
    merge_label(a, branch->target[1], branch->target[1]);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < a->order_count; k++) {
            uint32_t at = a->order[k];
            if (a->label[at] == NONE || at == end || at == b) continue;
            for (unsigned i = 0; i < successor_count(&function->blocks[at]); i++)
                changed |= merge_label(a, function->blocks[at].target[i], a->label[at]);
        }
    }
    if (a->loops.irreducible) return;
    for (size_t k = 0; k < a->order_count; k++) {
        uint32_t at = a->order[k];
        if (at != b && (a->label[at] == NONE || at == end)) continue;
        for (unsigned i = 0; i < successor_count(&function->blocks[at]); i++) {
            uint32_t to = function->blocks[at].target[i];
            for (uint32_t l = a->loops.innermost[at]; l != NONE && !a->loops.loops[l].blocks[to];
                 l = a->loops.loops[l].parent)
                if (a->loops.loops[l].blocks[b]) a->loop_parts[l] = true;
        }
    }
}

// Immediate post-dominators of all blocks; blocks that never come to the end have none (NONE).
static void post_dominators(struct analysis *a) {
    struct machine_function *function = a->function;
    size_t count = function->block_count;
    struct graph graph = graph_make(count + 1);
    for (uint32_t b = 0; b < count; b++) {
        const struct machine_block *block = &function->blocks[b];
        for (unsigned k = 0; k < successor_count(block); k++)
            graph_add_edge(&graph, b, block->target[k]);
        if (block->terminator == TERM_EXIT) graph_add_edge(&graph, b, (uint32_t)count);
    }
    struct graph back = graph_reverse(&graph);
    dominators(&back, &graph, (uint32_t)count, a->post);
    graph_free(&back);
    graph_free(&graph);
}

static bool visit_block(struct analysis *a, uint32_t b) {
    struct machine_block *block = &a->function->blocks[b];
    bool changed = false;
    for (size_t k = 0; k < block->phi_count; k++) {
        const struct machine_phi *phi = &block->phis[k];
        if (a->divergent[phi->dst]) continue;
        bool now = a->join[b] || a->loops.irreducible;
        for (size_t i = 0; i < phi->count && !now; i++)
            now = differs(a, phi->src[i], b);
        a->divergent[phi->dst] = now;
        changed |= now;
    }
    for (size_t k = 0; k < block->count; k++) {
        const struct machine_instruction *at = &block->code[k];
        // The registers of a tuple are all alike.
        uint32_t results[2] = {at->dst, at->carry};
        bool known = true;
        for (unsigned r = 0; r < 2; r++)
            known &= results[r] == NONE || a->divergent[results[r]];
        if (known || !result_differs(a, at, b)) continue;
        for (unsigned w = 0; at->dst != NONE && w < result_words(at); w++)
            a->divergent[at->dst + w] = true;
        if (at->carry != NONE) a->divergent[at->carry] = true;
        changed = true;
    }
    if (block->terminator == TERM_CONDITION && !block->divergent && differs(a, block->condition, b)) {
        block->divergent = true;
        spread(a, b);
        changed = true;
    }
    return changed;
}

void divergence_analyse(struct machine_function *function) {
    size_t blocks = function->block_count, registers = function->register_count;
    flow_update(function);
    struct analysis a = {.function = function};
    flow_loops(function, &a.loops);
    a.loop_parts = take(a.loops.count, sizeof *a.loop_parts);
    a.divergent = take(registers, sizeof *a.divergent);
    a.join = take(blocks, sizeof *a.join);
    a.defined_in = take(registers, sizeof *a.defined_in);
    a.order = take(blocks, sizeof *a.order);
    a.post = take(blocks + 1, sizeof *a.post);
    a.label = take(blocks, sizeof *a.label);
    a.order_count = flow_order(function, a.order);
    post_dominators(&a);
    for (size_t r = 0; r < registers; r++)
        a.defined_in[r] = NONE;
    for (uint32_t b = 0; b < blocks; b++) {
        const struct machine_block *block = &function->blocks[b];
        for (size_t k = 0; k < block->phi_count; k++)
            a.defined_in[block->phis[k].dst] = b;
        for (size_t k = 0; k < block->count; k++) {
            for (unsigned w = 0; block->code[k].dst != NONE && w < result_words(&block->code[k]); w++)
                a.defined_in[block->code[k].dst + w] = b;
            if (block->code[k].carry != NONE) a.defined_in[block->code[k].carry] = b;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < a.order_count; k++)
            changed |= visit_block(&a, a.order[k]);
    }
    free(a.loop_parts);
    free(a.divergent);
    free(a.join);
    free(a.defined_in);
    free(a.order);
    free(a.post);
    free(a.label);
}
