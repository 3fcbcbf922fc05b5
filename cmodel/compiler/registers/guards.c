// Short ways round become guarded instructions. A block that a condition leads to, that nobody else comes to and that goes
// on to where the other way leads, moves in front of the condition, and each of its instructions has the condition as its
// guard; so do the blocks of both ways, where they meet. No branch is left then, and no threads that go apart and meet
// again: SSY, the branch and SYNC take longer than a few instructions that some threads, or all, do not execute.
//
//    ISETP P0 = ..               ISETP P0 = ..
//    SSY  L                      @!P0 ATOMG.ADD [R1], R2
//    @P0 SYNC L            ->  L:
//    ATOMG.ADD [R1], R2
//    SYNC
//  L:
//
// Registers are assigned already, and a thread writes only what it would have written.
#include "compiler/registers/guards.h"

#include <stdlib.h>

#include "compiler/machine/flow_graph.h"
#include "compiler/machine/machine.h"
#include "compiler/machine/places.h"
#include "gen/isa.h"

// Instructions that may move.
enum { MOST = 4 };

static bool is_access(const struct machine_instruction *at) {
    switch (isa_table[at->op].format) {
        case FORMAT_LD:
        case FORMAT_LDC:
        case FORMAT_ST:
        case FORMAT_ATOM: return true;
        default: return false;
    }
}

static bool may_be_guarded(const struct machine_function *function, const struct machine_instruction *at,
                           uint32_t condition) {
    if (at->guard != NONE || at->op == OP_SHFL || at->op == OP_SHFL_I) return false;
    const uint32_t written = predicate_written(at);
    if (written < UNDEFINED && function->assigned[written] == function->assigned[condition]) return false;
    return is_access(at) || is_pure(at);
}

struct way {
    bool found;       // it can move
    uint32_t count;   // of instructions that do something: 0 where moves find their values where they bring them
    uint32_t target;  // where it goes on
};

// The way from block `from` over its target `which`.
static struct way short_way(const struct machine_function *function, const struct loops *loops, uint32_t from,
                            unsigned which) {
    const struct machine_block *block = &function->blocks[from];
    const uint32_t number = block->target[which];
    const struct machine_block *way = &function->blocks[number];
    struct way is = {.target = way->target[0]};
    if (number == 0 || number == from || way->pred_count != 1 || way->terminator != TERM_BRANCH ||
        way->target[0] == number || way->spins || way->waits || way->kept || way->turns || way->token_count != 0 ||
        way->segment != block->segment || loops->innermost[number] != loops->innermost[from])
        return is;
    for (size_t k = 0; k < way->count; k++) {
        const struct machine_instruction *at = &way->code[k];
        if (at->op != OP_NOP && is_nothing(function, at)) continue;
        if (!may_be_guarded(function, at, block->condition)) return is;
        is.count++;
    }
    is.found = true;
    return is;
}

static uint32_t place(const struct machine_function *function, uint32_t number) {
    return number < UNDEFINED ? function->assigned[number] : number;
}

// Whether two instructions of the same guard do the same.
static bool same(const struct machine_function *function, const struct machine_instruction *a,
                 const struct machine_instruction *b) {
    bool same = a->op == b->op && a->mod == b->mod && a->imm == b->imm && a->kept == b->kept &&
                place(function, a->dst) == place(function, b->dst) &&
                place(function, a->carry) == place(function, b->carry);
    for (unsigned k = 0; k < 3; k++)
        same &= place(function, a->src[k]) == place(function, b->src[k]) && a->negated[k] == b->negated[k];
    return same;
}

// other: where in block `from` the instructions of the other way begin, or its end. Those that both begin with need no guard.
static void move_in(struct machine_function *function, uint32_t from, unsigned which, size_t other) {
    const uint32_t number = function->blocks[from].target[which];
    const uint32_t condition = function->blocks[from].condition;
    const bool negated = function->blocks[from].condition_negated != (which == 1);
    const size_t before = function->blocks[from].count;
    size_t k = 0;
    for (; k < function->blocks[number].count && other + k < before; k++) {
        struct machine_instruction *at = &function->blocks[from].code[other + k];
        if (!same(function, at, &function->blocks[number].code[k])) break;
        at->guard = NONE;
        at->guard_negated = false;
    }
    for (; k < function->blocks[number].count; k++) {
        struct machine_instruction at = function->blocks[number].code[k];
        if (!is_nothing(function, &at)) {
            at.guard = condition;
            at.guard_negated = negated;
        }
        append(function, from, at);
    }
    struct machine_block *block = &function->blocks[from], *way = &function->blocks[number];
    way->count = 0;
    block->target[which] = way->target[0];
    if (block->target[0] != block->target[1]) return;
    block->terminator = TERM_BRANCH;
    block->condition = NONE;
    block->condition_negated = block->divergent = false;
}

static void guard_ways_of(struct machine_function *function, const struct loops *loops, uint32_t from) {
    const struct machine_block *block = &function->blocks[from];
    const struct way ways[2] = {short_way(function, loops, from, 0), short_way(function, loops, from, 1)};
    const bool both =
        ways[0].found && ways[1].found && ways[0].target == ways[1].target && ways[0].count + ways[1].count <= MOST;
    const size_t other = block->count;
    for (unsigned which = 0; which < 2 && block->terminator == TERM_CONDITION; which++)
        if (ways[which].found &&
            (both || (ways[which].count <= MOST && ways[which].target == block->target[1 - which])))
            move_in(function, from, which, other);
}

void ways_guard(struct machine_function *function) {
    struct loops loops;
    flow_update(function);
    flow_loops(function, &loops);
    for (uint32_t b = 0; b < function->block_count && !loops.irreducible; b++)
        if (function->blocks[b].terminator == TERM_CONDITION) guard_ways_of(function, &loops, b);
    loops_free(&loops);
    flow_update(function);
}
