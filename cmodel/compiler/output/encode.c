// Puts the blocks into an order with few branches and makes instruction words of them.
#include "compiler/output/encode.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/shortage.h"
#include "compiler/machine/flow_graph.h"
#include "compiler/output/debug_spans.h"
#include "gen/isa.h"
#include "isa/save_handler.h"

struct fixup {
    size_t at;        // word
    uint32_t target;  // block
};

struct call_fixup {
    size_t at, callee;  // word; number of the function in the tree
};

struct encoding {
    const struct machine_callee *callees;
    const struct machine_function *function;
    struct code_object *object;
    size_t text_capacity, line_capacity;
    uint32_t *layout;
    size_t layout_count;
    size_t *start;  // word of each block
    struct fixup *fixups;
    size_t fixup_count, fixup_capacity;
    struct call_fixup *calls;  // of all functions
    size_t call_count, call_capacity;
};

static void put(struct encoding *e, uint64_t word, uint32_t line) {
    struct code_object *object = e->object;
    // Capacities are kept here only; both arrays have the same length.
    object->text = grow(object->text, object->text_words, &e->text_capacity, sizeof *object->text);
    object->lines = grow(object->lines, object->text_words, &e->line_capacity, sizeof *object->lines);
    object->text[object->text_words] = word;
    object->lines[object->text_words++] = line;
}

static unsigned real(const struct machine_function *function, uint32_t number, unsigned none) {
    return number == NONE ? none : function->assigned[number];
}

// The callee's place is known when all functions have theirs.
static void put_call(struct encoding *e, const struct machine_instruction *at) {
    e->calls = grow(e->calls, e->call_count, &e->call_capacity, sizeof *e->calls);
    e->calls[e->call_count++] = (struct call_fixup){.at = e->object->text_words, .callee = at->imm};
    unsigned rd = e->callees[at->imm].keeps_return ? 0 : ISA_RZ;
    put(e, isa_encode_imm(OP_CAL, ISA_PT, false, rd, 0, 0, 0), at->line);
}

static void put_instruction(struct encoding *e, const struct machine_instruction *at) {
    if (at->op == OP_CAL) {
        put_call(e, at);
        return;
    }
    const struct machine_function *f = e->function;
    enum isa_format format = isa_table[at->op].format;
    bool immediate = isa_table[at->op].immediate;
    unsigned guard = real(f, at->guard, ISA_PT);
    unsigned rd = ISA_RZ, ra = real(f, at->src[0], ISA_RZ), rb = 0, rc = 0, mod = at->mod;
    int32_t ext = 0;
    switch (format) {
        case FORMAT_NONE: rd = ra = 0; break;
        case FORMAT_PLOP:
            rd = real(f, at->dst, ISA_PT);
            ra = real(f, at->src[0], ISA_PT) | (at->negated[0] ? 8u : 0u);
            rb = real(f, at->src[1], ISA_PT) | (at->negated[1] ? 8u : 0u);
            break;
        case FORMAT_CMP:
        case FORMAT_FCMP: rd = real(f, at->dst, ISA_PT); break;
        case FORMAT_CARRY: mod = real(f, at->carry != NONE ? at->carry : at->src[2], ISA_PT); break;
        case FORMAT_SELP: mod = real(f, at->src[2], ISA_PT) | (at->negated[2] ? 8u : 0u); break;
        default: break;
    }
    if (format == FORMAT_ST) {
        rd = real(f, at->src[1], ISA_RZ);
    } else if (format != FORMAT_PLOP && format != FORMAT_CMP && format != FORMAT_FCMP && format != FORMAT_NONE) {
        rd = real(f, at->dst, ISA_RZ);
    }
    if (format == FORMAT_B || format == FORMAT_CVT || format == FORMAT_RND || format == FORMAT_SR ||
        format == FORMAT_PR)
        ra = 0;
    if (!immediate && format != FORMAT_PLOP && format != FORMAT_NONE) {
        rb = real(f, at->src[1], ISA_RZ);
        if (format == FORMAT_R3 || format == FORMAT_R3S || (format == FORMAT_ATOM && at->mod == ATOM_CAS))
            rc = real(f, at->src[2], ISA_RZ);
        if (format == FORMAT_ATOM || (format == FORMAT_R3S && at->src[1] == NONE)) ext = (int32_t)at->imm;
        if (at->op == OP_SRD) rb = at->imm;  // a scalar register by its number
        if (at->op == OP_VOTE) rd = at->imm;
    }
    put(e,
        immediate ? isa_encode_imm(at->op, guard, at->guard_negated, rd, ra, mod, at->imm)
                  : isa_encode_reg(at->op, guard, at->guard_negated, rd, ra, mod, rb, rc, ext),
        at->line);
}

static void put_jump_mod(struct encoding *e, uint8_t op, uint32_t condition, bool negated, uint8_t mod, uint32_t target,
                         uint32_t line) {
    if (target != NONE) {
        e->fixups = grow(e->fixups, e->fixup_count, &e->fixup_capacity, sizeof *e->fixups);
        e->fixups[e->fixup_count++] = (struct fixup){.at = e->object->text_words, .target = target};
    }
    put(e, isa_encode_imm(op, real(e->function, condition, ISA_PT), negated, 0, 0, mod, 0), line);
}

static void put_jump(struct encoding *e, uint8_t op, uint32_t condition, bool negated, uint32_t target, uint32_t line) {
    put_jump_mod(e, op, condition, negated, 0, target, line);
}

// The end of a kernel, or of a function: back to where the call token, or R0, says.
static void put_end(struct encoding *e, uint32_t condition, bool negated, uint32_t line) {
    const struct machine_function *f = e->function;
    unsigned guard = real(f, condition, ISA_PT);
    put(e,
        f->is_called ? isa_encode_imm(OP_RET, guard, negated, 0, f->keeps_return ? 0 : ISA_RZ, 0, 0)
                     : isa_encode_imm(OP_EXIT, guard, negated, 0, 0, 0, 0),
        line);
}

static void put_edge(struct encoding *e, const struct machine_block *block, unsigned which, uint32_t condition,
                     bool negated, uint32_t next) {
    enum edge_action action = block->action[which];
    uint32_t target = block->target[which];
    switch (action) {
        case EDGE_EXIT: put_end(e, condition, negated, block->line); break;
        case EDGE_SYNC: put_jump(e, OP_SYNC, condition, negated, target, block->line); break;
        case EDGE_BREAK: put_jump(e, OP_BRK, condition, negated, target, block->line); break;
        case EDGE_BRANCH:
            if (condition != NONE || target != next || block->counts[which])
                put_jump_mod(e, OP_BRA, condition, negated,
                             block->counts[which]                ? BRA_NTH
                             : e->function->blocks[target].turns ? BRA_TURN
                                                                 : BRA_PLAIN,
                             target, block->line);
            break;
    }
}

static void put_terminator(struct encoding *e, const struct machine_block *block, uint32_t next) {
    for (size_t k = 0; k < block->token_count; k++) {
        const struct machine_token *token = &block->tokens[k];
        if (token->op == OP_YIELD)
            put(e, isa_encode_imm(OP_YIELD, ISA_PT, false, 0, 0, token->mod, token->number), block->line);
        else
            put_jump_mod(e, token->op, NONE, false, token->mod, token->label, block->line);
    }
    switch (block->terminator) {
        case TERM_EXIT: put_end(e, NONE, false, block->line); break;
        case TERM_BRANCH: put_edge(e, block, 0, NONE, false, next); break;
        case TERM_CONDITION: {
            bool same = block->target[0] == block->target[1] || block->action[0] == EDGE_EXIT;
            if (same && block->action[0] == block->action[1]) {
                put_edge(e, block, 0, NONE, false, next);
                break;
            }
            // The edge that does not fall through goes first, under the condition.
            unsigned first = block->action[0] != EDGE_BRANCH   ? 0
                             : block->action[1] != EDGE_BRANCH ? 1
                             : block->target[0] == next        ? 1
                                                               : 0;
            put_edge(e, block, first, block->condition, block->condition_negated != (first == 1), NONE);
            put_edge(e, block, 1 - first, NONE, false, next);
            break;
        }
        case TERM_NONE: break;
    }
}

// The block that can best follow without a branch, or NONE.
static uint32_t fall_through(const struct machine_block *block, const bool *placed, const uint32_t *position) {
    uint32_t best = NONE;
    for (unsigned s = 0; s < successor_count(block); s++) {
        uint32_t to = block->target[s];
        if (block->action[s] != EDGE_BRANCH || placed[to]) continue;
        if (best == NONE || position[to] < position[best]) best = to;
    }
    return best;
}

static void make_layout(struct encoding *e) {
    const struct machine_function *function = e->function;
    size_t blocks = function->block_count;
    uint32_t *order = take(blocks, sizeof *order), *position = take(blocks, sizeof *position);
    bool *placed = take(blocks, sizeof *placed);
    size_t count = flow_order(function, order);
    for (size_t k = 0; k < count; k++)
        position[order[k]] = (uint32_t)k;
    e->layout = take(blocks, sizeof *e->layout);
    // A block that only ends the kernel is never gone to: the edges to it are EXITs themselves.
    for (size_t k = 0; k < count; k++)
        placed[order[k]] = order[k] != 0 && ends_only(&function->blocks[order[k]]);
    for (size_t k = 0; k < count; k++) {
        for (uint32_t b = order[k]; b != NONE && !placed[b]; b = fall_through(&function->blocks[b], placed, position)) {
            placed[b] = true;
            e->layout[e->layout_count++] = b;
        }
    }
    free(order);
    free(position);
    free(placed);
}

static void encode_function(struct encoding *e, struct machine_callee *callee) {
    struct code_object *object = e->object;
    const struct machine_function *function = e->function = callee->code;
    e->start = take(function->block_count, sizeof *e->start);
    e->layout_count = e->fixup_count = 0;
    make_layout(e);
    callee->entry = object->text_words;
    for (size_t k = 0; k < e->layout_count; k++) {
        const struct machine_block *block = &function->blocks[e->layout[k]];
        e->start[e->layout[k]] = object->text_words;
        for (size_t i = 0; i < block->count; i++)
            put_instruction(e, &block->code[i]);
        put_terminator(e, block, k + 1 < e->layout_count ? e->layout[k + 1] : NONE);
    }
    callee->end = object->text_words;
    debug_spans(function, e->layout, e->layout_count, e->start, callee->end);
    for (size_t k = 0; k < e->fixup_count; k++) {
        const struct fixup *fixup = &e->fixups[k];
        uint32_t distance = (uint32_t)(e->start[fixup->target] - (fixup->at + 1));
        object->text[fixup->at] |= (uint64_t)distance << 32;
    }
    free(e->layout);
    free(e->start);
}

void encode_handler(struct code_object *object, struct code_kernel *kernel) {
    kernel->saves = 1;
    if (object->text_words != 0) return;
    object->text = save_handler_make(&object->text_words);
    if (object->text == NULL) shortage_end();
    object->lines = take(object->text_words, sizeof *object->lines);
}

static void name_function(struct code_object *object, const struct machine_callee *callee) {
    object->functions =
        grow(object->functions, object->function_count, &object->function_capacity, sizeof *object->functions);
    struct code_function *to = &object->functions[object->function_count++];
    *to = (struct code_function){.entry = (uint32_t)callee->entry * 8,
                                 .code_size = (uint32_t)(callee->end - callee->entry) * 8};
    to->name = take(strlen(callee->name) + 1, 1);
    strcpy(to->name, callee->name);
}

void encode_kernel(struct machine_callee *callees, size_t count, struct code_object *object,
                   struct code_kernel *kernel) {
    struct encoding e = {.callees = callees, .object = object};
    e.text_capacity = e.line_capacity = object->text_words;  // grow() moves them at the first word
    for (size_t k = count; k-- > 0;) {
        encode_function(&e, &callees[k]);
        if (k + 1 < count) name_function(object, &callees[k]);
    }
    for (size_t k = 0; k < e.call_count; k++) {
        uint32_t distance = (uint32_t)(callees[e.calls[k].callee].entry - (e.calls[k].at + 1));
        object->text[e.calls[k].at] |= (uint64_t)distance << 32;
    }
    const struct machine_callee *self = &callees[count - 1];
    const struct machine_function *function = self->code;
    kernel->entry = (uint32_t)self->entry * 8;
    kernel->code_size = (uint32_t)(object->text_words - self->entry) * 8;
    kernel->registers = kernel->saves != 0 ? save_registers(self->registers) : self->registers;
    kernel->shared_rows = function->shared_rows;
    kernel->barriers = function->uses_barrier ? 1 : 0;
    kernel->work_queue = self->uses_work_queue ? 1 : 0;
    kernel->shared_bytes = function->local_bytes;
    kernel->local_bytes = (function->private_bytes + 15u) / 16u * 16u;
    for (size_t k = 0; k < count; k++)
        kernel->spill_bytes += callees[k].code->spill_bytes;
    free(e.fixups);
    free(e.calls);
}
