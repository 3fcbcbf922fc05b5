// Phis become moves at the ends of the predecessors. All moves of one edge happen at once: they are put in an order in
// which no source is overwritten before it is read, with a fresh register where they form a ring (swap).
#include "compiler/registers/phis.h"

#include <stdlib.h>

#include "compiler/machine/flow_graph.h"
#include "compiler/machine/machine.h"
#include "gen/isa.h"

struct move {
    uint32_t to, from;  // from NONE: zero, or UNDEFINED
    bool done;
};

static void put_move(struct machine_function *function, uint32_t block, uint32_t to, uint32_t from) {
    // A NOP with a result says that from here on the register may hold anything; it is dropped after allocation.
    struct machine_instruction move = make(from == NONE ? OP_MOV_I : from == UNDEFINED ? OP_NOP : OP_MOV);
    move.dst = to;
    if (from < UNDEFINED) move.src[1] = from;
    move.line = function->blocks[block].line;
    append(function, block, move);
}

static void put_moves(struct machine_function *function, uint32_t block, struct move *moves, size_t count) {
    // uses[i]: how many moves still to be done read the target of move i.
    size_t *uses = take(count, sizeof *uses);
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        moves[i].done = moves[i].to == moves[i].from;
        if (!moves[i].done) left++;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (!moves[k].done && k != i && moves[k].from == moves[i].to) uses[i]++;
    while (left > 0) {
        bool progress = false;
        for (size_t i = 0; i < count; i++) {
            if (moves[i].done || uses[i] > 0) continue;
            put_move(function, block, moves[i].to, moves[i].from);
            moves[i].done = true;
            left--;
            progress = true;
            for (size_t k = 0; k < count; k++)
                if (k != i && moves[k].to == moves[i].from) uses[k]--;
        }
        if (progress) continue;
        // Only rings are left: keep one target's old value elsewhere, then its readers read that.
        for (size_t i = 0; i < count; i++) {
            if (moves[i].done) continue;
            uint32_t kept = new_register(function, CLASS_VECTOR);
            put_move(function, block, kept, moves[i].to);
            for (size_t k = 0; k < count; k++)
                if (!moves[k].done && moves[k].from == moves[i].to) moves[k].from = kept;
            uses[i] = 0;
            break;
        }
    }
    free(uses);
}

static uint32_t source_from(const struct machine_phi *phi, uint32_t block) {
    for (size_t k = 0; k < phi->count; k++)
        if (phi->from[k] == block) return phi->src[k];
    return NONE;
}

void phis_eliminate(struct machine_function *function) {
    size_t blocks = function->block_count;
    for (uint32_t b = 0; b < blocks; b++) {
        for (unsigned s = 0; s < successor_count(&function->blocks[b]); s++) {
            uint32_t to = function->blocks[b].target[s];
            size_t count = function->blocks[to].phi_count;
            if (count == 0) continue;
            struct move *moves = take(count, sizeof *moves);
            for (size_t k = 0; k < count; k++)
                moves[k] = (struct move){.to = function->blocks[to].phis[k].dst,
                                         .from = source_from(&function->blocks[to].phis[k], b)};
            bool alone = function->blocks[b].terminator == TERM_BRANCH;
            uint32_t place = alone ? b : flow_split_edge(function, b, s);
            put_moves(function, place, moves, count);
            free(moves);
        }
    }
    for (uint32_t b = 0; b < function->block_count; b++)
        function->blocks[b].phi_count = 0;
    flow_update(function);
}
