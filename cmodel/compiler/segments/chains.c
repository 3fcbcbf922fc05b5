// The stretches of a kernel that segments are chosen from: blocks are cut, each level of the loop nest is a chain of
// items, and each item knows what is wanted for it and what it may not do.
#include "compiler/segments/chains.h"

#include <stdlib.h>

#include "compiler/machine/callee.h"
#include "compiler/machine/flow_graph.h"
#include "gen/isa.h"

static bool over(const struct chooser *c, uint32_t needed) {
    return needed > c->segments->threshold;
}

// ---- cutting blocks ----

static const char *unfit(const struct machine_function *function, const struct machine_instruction *at);

// A called function is executed as a part of the segment, portion by portion, unless something in it needs the whole warp.
static bool fit_to_call(const struct machine_function *function, uint32_t number) {
    struct machine_callee *callee = &function->callees[number];
    const struct machine_function *code = callee->code;
    if (callee->fit != FIT_UNKNOWN) return callee->fit == FIT;
    bool fit = true;
    for (size_t b = 0; b < code->block_count && fit; b++) {
        const struct machine_block *block = &code->blocks[b];
        fit = !block->spins;
        for (size_t k = 0; k < block->count && fit; k++)
            fit = unfit(code, &block->code[k]) == NULL;
    }
    callee->fit = fit ? FIT : UNFIT;
    return fit;
}

static const char *unfit(const struct machine_function *function, const struct machine_instruction *at) {
    switch (at->op) {
        case OP_BAR: return "a barrier in it";
        case OP_CAL: return fit_to_call(function, at->imm) ? NULL : "a call in it that needs the whole warp";
        case OP_JCAL:
        case OP_JCALX:
        case OP_RET:
        case OP_BRX:
        case OP_JMX: return "a call in it";
        case OP_SHFL:
        case OP_SHFL_I:
        case OP_VOTE:
        case OP_SMOV:
        case OP_SMOV_I:
        case OP_SRD:
        case OP_R2S: return "it reads what belongs to the whole warp";
        default: return NULL;
    }
}

// NOPs before a call read the registers that it takes, those behind it write what it gives (select/function_calls.c).
// What a segment's start puts between them and the call would find these registers free.
static bool joined(const struct machine_instruction *left, const struct machine_instruction *right) {
    if (right->op == OP_CAL) return left->op == OP_NOP && left->dst == NONE;
    if (left->op == OP_CAL) return right->op == OP_NOP && right->dst != NONE;
    return left->op == OP_NOP && right->op == OP_NOP && (left->dst == NONE) == (right->dst == NONE);
}

// The same of all instructions of a call.
static bool is_fit(const struct chooser *c, const struct machine_block *block, size_t at) {
    const struct machine_instruction *code = block->code;
    if (code[at].op == OP_NOP && code[at].dst != NONE) {
        while (at > 0 && joined(&code[at - 1], &code[at]))
            at--;
    } else if (code[at].op == OP_NOP) {
        while (at + 1 < block->count && code[at].op == OP_NOP && joined(&code[at], &code[at + 1]))
            at++;
    }
    return unfit(c->function, &code[at]) == NULL;
}

static bool cut_before(const struct chooser *c, uint32_t b, const struct machine_block *block, size_t at) {
    const struct pressure *p = &c->pressure;
    if (at == block->count) return block->terminator == TERM_CONDITION || block->terminator == TERM_EXIT;
    if (joined(&block->code[at - 1], &block->code[at])) return false;
    if (is_fit(c, block, at) != is_fit(c, block, at - 1)) return true;
    uint32_t position = p->start[b] + 2 * (uint32_t)at;
    switch (c->segments->options->cut) {
        case CUT_PRESSURE: {
            uint32_t before = p->at[position - 2] > p->at[position - 1] ? p->at[position - 2] : p->at[position - 1];
            uint32_t after = p->at[position] > p->at[position + 1] ? p->at[position] : p->at[position + 1];
            return over(c, before) != over(c, after);
        }
        case CUT_FUNCTIONS: return block->code[at].inlined != block->code[at - 1].inlined;
        case CUT_LOOPS:
        case CUT_RUNS: break;
    }
    return false;
}

void chooser_cut_blocks(struct chooser *c) {
    struct machine_function *function = c->function;
    size_t blocks = function->block_count;
    pressure_split(function, &c->pressure, 0, 0);  // so that something can be put in front of all others
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t from = b == 0 ? (uint32_t)blocks : b;
        for (size_t at = function->blocks[from].count; at > 0; at--)
            if (cut_before(c, from, &function->blocks[from], at)) pressure_split(function, &c->pressure, from, at);
    }
    flow_update(function);
}

// ---- what a block wants ----

static uint32_t outermost_inside(const struct chooser *c, const struct level *level, uint32_t b) {
    uint32_t loop = c->loops.innermost[b], found = NONE;
    for (; loop != NONE && loop != level->loop; loop = c->loops.loops[loop].parent)
        found = loop;
    return loop == level->loop ? found : NONE;
}

static enum want block_want(const struct chooser *c, const struct level *level, uint32_t b) {
    const struct machine_block *block = &c->function->blocks[b];
    enum want other = c->segments->options->everywhere ? WANT_SECOND : WANT_FIRST;
    uint32_t needed = c->pressure.needed[b];
    if (block->count == 0) return WANT_ANY;
    switch (c->segments->options->cut) {
        case CUT_LOOPS: {
            uint32_t loop = outermost_inside(c, level, b);
            if (loop == NONE) return other;
            needed = c->loop_needs[loop];
            break;
        }
        case CUT_FUNCTIONS:
            if (block->code[0].inlined == 0) return other;
            needed = c->call_needs[block->code[0].inlined];
            break;
        case CUT_PRESSURE:
        case CUT_RUNS: break;
    }
    return over(c, needed) ? WANT_SECOND : WANT_FIRST;
}

bool in_item(const struct level *level, const struct item *item, uint32_t b) {
    uint32_t node = level->node_of[b];
    return node != NONE && item->nodes[node];
}

static void judge(const struct chooser *c, const struct level *level, struct item *item) {
    for (uint32_t b = 0; b < c->known; b++) {
        if (!in_item(level, item, b)) continue;
        const struct machine_block *block = &c->function->blocks[b];
        enum want want = block_want(c, level, b);
        item->want = want == WANT_ANY || item->want == want ? item->want : item->want == WANT_ANY ? want : WANT_BOTH;
        for (size_t k = 0; k < block->count && item->reason == NULL; k++)
            item->reason = unfit(c->function, &block->code[k]);
        for (uint32_t l = c->loops.innermost[b]; l != NONE && l != level->loop; l = c->loops.loops[l].parent)
            if (c->loops.loops[l].spins && item->reason == NULL) item->reason = REASON_UNBOUNDED;
    }
}

// ---- the chain of a level ----

static void add_between(const struct level *level, struct item *item, uint32_t stop) {
    const struct graph *graph = &level->graph;
    uint32_t *stack = take(graph->count, sizeof *stack);
    size_t depth = 0;
    stack[depth++] = item->node;
    item->nodes[item->node] = true;
    while (depth > 0) {
        uint32_t node = stack[--depth];
        for (size_t k = 0; k < graph->next_count[node]; k++) {
            uint32_t to = graph->next[node][k];
            if (to == item->meeting || to == stop || to == graph->count - 1 || item->nodes[to]) continue;
            item->nodes[to] = true;
            stack[depth++] = to;
        }
    }
    free(stack);
}

struct chain chain_make(struct chooser *c, size_t l, uint32_t from, uint32_t stop) {
    const struct level *level = &c->levels[l];
    uint32_t sink = (uint32_t)level->graph.count - 1;
    struct chain chain = {0};
    for (uint32_t node = from; node != stop && node != sink && node != NONE && !c->seen[l][node];) {
        struct item item = {.node = node, .meeting = level->meeting[node]};
        c->seen[l][node] = true;
        item.nodes = take(level->graph.count, sizeof *item.nodes);
        add_between(level, &item, stop);
        size_t size = 0;
        for (size_t k = 0; k < level->graph.count; k++)
            size += item.nodes[k];
        item.kind = level->loop_of[node] != NONE ? SEGMENT_LOOP : size > 1 ? SEGMENT_BRANCH : SEGMENT_RUN;
        judge(c, level, &item);
        chain.items = grow(chain.items, chain.count, &chain.capacity, sizeof *chain.items);
        chain.items[chain.count++] = item;
        node = item.meeting;
    }
    return chain;
}

void chain_free(struct chain *chain) {
    for (size_t k = 0; k < chain->count; k++)
        free(chain->items[k].nodes);
    free(chain->items);
}

void chooser_find_needs(struct chooser *c) {
    struct machine_function *function = c->function;
    c->loop_needs = take(c->loops.count, sizeof *c->loop_needs);
    c->call_needs = take(function->inlined_count + 1, sizeof *c->call_needs);
    for (uint32_t b = 0; b < c->known; b++) {
        uint32_t needed = c->pressure.needed[b];
        for (uint32_t l = c->loops.innermost[b]; l != NONE; l = c->loops.loops[l].parent)
            if (needed > c->loop_needs[l]) c->loop_needs[l] = needed;
        const struct machine_block *block = &function->blocks[b];
        for (size_t k = 0; k < block->count; k++)
            if (needed > c->call_needs[block->code[k].inlined]) c->call_needs[block->code[k].inlined] = needed;
    }
}

// ---- questions of items ----

bool wants_second(const struct item *item) {
    return item->want == WANT_SECOND && item->reason == NULL;
}

uint32_t call_of(const struct chooser *c, const struct level *level, const struct item *item) {
    uint32_t call = 0;
    for (uint32_t b = 0; b < c->known; b++) {
        const struct machine_block *block = &c->function->blocks[b];
        if (!in_item(level, item, b) || block->count == 0) continue;
        if (block->code[0].inlined == 0 || (call != 0 && call != block->code[0].inlined)) return 0;
        call = block->code[0].inlined;
    }
    return call;
}

bool same_segment(const struct chooser *c, const struct level *level, const struct item *a, const struct item *b) {
    if (a->want != b->want && b->want != WANT_ANY) return false;
    if ((a->reason != NULL) != (b->reason != NULL)) return false;
    switch (c->segments->options->cut) {
        case CUT_PRESSURE: return true;
        case CUT_LOOPS: return a->kind != SEGMENT_LOOP && b->kind != SEGMENT_LOOP;
        case CUT_FUNCTIONS: return call_of(c, level, a) == call_of(c, level, b);
        case CUT_RUNS: break;
    }
    return b->want == WANT_ANY;
}
