// token_deque: random operations on the deques of all warps, RTL (source or synthesized netlist) against the C twin.
// TD-1 to TD-4, TD-11, TD-19: token formats, flags, both bounds, the merge, and the cycles of each operation.
// Compiled with -DTHREADS= -DWARPS= -DDEQUE_ENTRIES= as the unit was verilated.
#include <verilated.h>

#include "Vtoken_deque.h"
#if THREADS == 32
#define BENCH_SHOWS "TD-1 TD-2 TD-4 TD-6 TD-11 TD-19"
#else
#define BENCH_SHOWS "TD-1 TD-3 TD-4 TD-6 TD-11 TD-19"
#endif
#include "bench.h"
#include "tick.h"

extern "C" {
#include "sm/token_deque.h"
}

struct operation {
    uint32_t op, warp, kind, addr;
    uint64_t mask;
};

// The C twin's answer.
struct answer {
    bool full;
    struct token_move move;
    uint32_t cycles;
};

static const uint32_t KINDS[] = {KIND_SYNC,    KIND_BRK, KIND_CONT,  KIND_EXIT,  KIND_RET,
                                 KIND_LONGJMP, KIND_DIV, KIND_CALLX, KIND_SVEND, KIND_PORTION};

// What a warp does most of the time at the moment: fill the front, fill the back, empty, stay below a
// handful of tokens, or anything. So both bounds,
// long chains of yield tokens and empty deques all come up.
enum mood { MOOD_FRONT, MOOD_BACK, MOOD_DRAIN, MOOD_SHALLOW, MOOD_MIXED, MOODS };

static struct operation choose(struct bench *bench, const struct token_deque *deques, uint32_t *moods) {
    struct operation o;
    o.warp = bench_below(bench, WARPS);
    if (bench_chance(bench, 1, 2)) o.warp = 0;  // often the same warp again and again
    if (bench_chance(bench, 1, 40)) moods[o.warp] = bench_below(bench, MOODS);
    const struct token_deque *deque = &deques[o.warp];
    const uint32_t dice = bench_below(bench, 100);
    switch (moods[o.warp]) {
        case MOOD_FRONT: o.op = dice < 80 ? TOKEN_PUSH_FRONT : dice < 95 ? TOKEN_POP_USED : TOKEN_MERGE; break;
        case MOOD_BACK: o.op = dice < 20 ? TOKEN_PUSH_BACK : dice < 85 ? TOKEN_MERGE : TOKEN_POP_THROWN; break;
        case MOOD_DRAIN: o.op = dice < 85 ? TOKEN_POP_USED : dice < 92 ? TOKEN_MERGE : TOKEN_PUSH_FRONT; break;
        case MOOD_SHALLOW:
            o.op = token_deque_count(deque) > 2 ? TOKEN_POP_USED
                   : dice < 40                  ? TOKEN_MERGE
                   : dice < 70                  ? TOKEN_PUSH_FRONT
                                                : TOKEN_POP_THROWN;
            break;
        default:
            o.op = dice < 30   ? TOKEN_PUSH_FRONT
                   : dice < 40 ? TOKEN_PUSH_BACK
                   : dice < 65 ? TOKEN_MERGE
                   : dice < 83 ? TOKEN_POP_USED
                               : TOKEN_POP_THROWN;
            break;
    }
    if (token_deque_empty(deque) && (o.op == TOKEN_POP_USED || o.op == TOKEN_POP_THROWN)) o.op = TOKEN_MERGE;
    if (bench_chance(bench, 1, 3000)) o.op = TOKEN_RESET;
    o.kind = KINDS[bench_below(bench, sizeof KINDS / sizeof KINDS[0])];
    o.mask = bench_mask(bench, THREADS);
    // Few addresses, so that merges find something; sometimes a neighbour that differs in one bit only.
    o.addr = bench_chance(bench, 3, 4) ? bench_below(bench, 12) * 0x2AAABu & 0x3FFFFFu : bench_below(bench, 1u << 22);
    // Often the address of a token that stands.
    if (!token_deque_empty(deque) && bench_chance(bench, 1, 3)) {
        o.addr = deque->ram[deque->head + bench_below(bench, token_deque_count(deque))].addr;
    }
    if (bench_chance(bench, 1, 16)) o.addr ^= 1u << bench_below(bench, 22);
    return o;
}

// How many cycles the operation takes: a merge takes one more for each yield token between front and back that is read.
static uint32_t cycles_of(const struct token_deque *deque, const struct operation *o) {
    const uint32_t yields = deque->held[KIND_YIELD];
    if (o->op != TOKEN_MERGE || yields == 0) return 1;
    const uint32_t count = token_deque_count(deque);
    const struct token *front = &deque->ram[deque->head];
    const struct token *back = &deque->ram[deque->tail - 1];
    if ((front->kind == KIND_YIELD && front->addr == o->addr) || back->addr == o->addr) return 1;
    uint32_t cycles = 1;
    for (uint32_t at = yields == count ? deque->head + 1 : deque->tail - yields; at + 1 < deque->tail; at++) {
        cycles++;
        if (deque->ram[at].addr == o->addr) break;
    }
    return cycles;
}

static struct answer model_do(struct token_deque *deque, const struct operation *o) {
    struct answer a;
    memset(&a, 0, sizeof a);
    a.cycles = cycles_of(deque, o);
    switch (o->op) {
        case TOKEN_PUSH_FRONT: a.full = !token_deque_push_front(deque, o->kind, o->mask, o->addr, &a.move); break;
        case TOKEN_PUSH_BACK: a.full = !token_deque_push_back(deque, o->mask, o->addr, &a.move); break;
        case TOKEN_MERGE: a.full = !token_deque_merge(deque, o->mask, o->addr, &a.move); break;
        case TOKEN_POP_USED: token_deque_pop(deque, true, &a.move); break;
        case TOKEN_POP_THROWN: token_deque_pop(deque, false, &a.move); break;
        default: token_deque_reset(deque); break;
    }
    return a;
}

static void compare_queries(const struct bench *bench, const Vtoken_deque &rtl, const struct token_deque *deque,
                            uint32_t warp) {
    struct token front;
    const bool empty = !token_deque_front(deque, &front);
    if (rtl.empty_o != empty) bench_fail(bench, "warp %u: empty_o %d, model %d", warp, rtl.empty_o, empty);
    const bool full = token_deque_count(deque) == DEQUE_ENTRIES;
    if (rtl.really_full_o != full)
        bench_fail(bench, "warp %u: really_full_o %d, model %d", warp, rtl.really_full_o, full);
    const uint32_t counted[] = {KIND_SYNC, KIND_BRK, KIND_CONT, KIND_RET, KIND_YIELD};
    uint32_t holds = 0;
    for (uint32_t kind : counted)
        holds |= (uint32_t)token_deque_holds(deque, kind) << kind;
    if (rtl.holds_o != holds) bench_fail(bench, "warp %u: holds_o %04x, model %04x", warp, rtl.holds_o, holds);
    if (empty) return;
    if (rtl.front_kind_o != front.kind || rtl.front_mask_o != front.mask || rtl.front_addr_o != front.addr ||
        rtl.front_flags_o != front.flags) {
        bench_fail(bench,
                   "warp %u: front token: kind %u mask %016llx addr %06x flags %x, model kind %u mask %016llx addr "
                   "%06x flags %x",
                   warp, rtl.front_kind_o, (unsigned long long)rtl.front_mask_o, rtl.front_addr_o, rtl.front_flags_o,
                   front.kind, (unsigned long long)front.mask, front.addr, front.flags);
    }
}

static void compare_move(const struct bench *bench, const Vtoken_deque &rtl, const struct operation *o,
                         const struct answer *a) {
    const bool moves = !a->full && o->op != TOKEN_RESET;
    if (rtl.trace_token_valid_o != moves) {
        bench_fail(bench, "warp %u, operation %u: %s event TOKEN, model %s", o->warp, o->op,
                   rtl.trace_token_valid_o ? "an" : "no", moves ? "has one" : "has none");
    }
    if (!moves) return;
    uint64_t lo = 0, hi = 0;
    token_pack(THREADS, &a->move.token, &lo, &hi);
    if (rtl.trace_token_warp_o != o->warp || rtl.trace_token_op_o != a->move.op || rtl.trace_token_token_lo_o != lo ||
        rtl.trace_token_token_hi_o != hi) {
        bench_fail(bench, "warp %u, operation %u: TOKEN op %u %016llx_%016llx, model op %u %016llx_%016llx", o->warp,
                   o->op, rtl.trace_token_op_o, (unsigned long long)rtl.trace_token_token_hi_o,
                   (unsigned long long)rtl.trace_token_token_lo_o, a->move.op, (unsigned long long)hi,
                   (unsigned long long)lo);
    }
}

static void apply(Vtoken_deque &rtl, const struct operation *o) {
    rtl.op_valid_i = 1;
    rtl.op_i = o->op;
    rtl.warp_i = o->warp;
    rtl.kind_i = o->kind;
    rtl.mask_i = o->mask;
    rtl.addr_i = o->addr;
    rtl.eval();
}

static void one(struct bench *bench, Vtoken_deque &rtl, struct token_deque *deques, const struct operation *o) {
    apply(rtl, o);
    if (o->op != TOKEN_RESET) compare_queries(bench, rtl, &deques[o->warp], o->warp);
    const struct answer a = model_do(&deques[o->warp], o);
    for (uint32_t cycle = 1; !rtl.op_ready_o; cycle++) {
        if (cycle >= a.cycles)
            bench_fail(bench, "warp %u, operation %u: not done after %u cycles", o->warp, o->op, cycle);
        if (rtl.trace_token_valid_o || rtl.full_o) bench_fail(bench, "warp %u: a result before op_ready_o", o->warp);
        tick(rtl);
        if (cycle + 1 == a.cycles && !rtl.op_ready_o) {
            bench_fail(bench, "warp %u, operation %u: not done in cycle %u as it says", o->warp, o->op, a.cycles);
        }
        if (cycle + 1 < a.cycles && rtl.op_ready_o) {
            bench_fail(bench, "warp %u, operation %u: done in cycle %u, not in %u", o->warp, o->op, cycle + 1,
                       a.cycles);
        }
    }
    if (rtl.full_o != a.full)
        bench_fail(bench, "warp %u, operation %u: full_o %d, model %d", o->warp, o->op, rtl.full_o, a.full);
    compare_move(bench, rtl, o, &a);
    tick(rtl);
}

// Software's operations; the numbers are those of rtl/sm/token.svh.
enum { SOFT_LOAD = 6, SOFT_STORE = 7, SOFT_MOVE = 8 };

static void soft(const struct bench *bench, Vtoken_deque &rtl, uint32_t op, uint32_t warp, uint32_t entry) {
    rtl.op_valid_i = 1;
    rtl.op_i = op;
    rtl.warp_i = warp;
    rtl.addr_i = entry;
    rtl.eval();
    if (!rtl.op_ready_o || rtl.full_o || rtl.trace_token_valid_o)
        bench_fail(bench, "warp %u, operation %u of software: full %u, event %u, ready %u", warp, op, rtl.full_o,
                   rtl.trace_token_valid_o, rtl.op_ready_o);
    tick(rtl);
    rtl.op_valid_i = 0;
}

static void check_loaded(const struct bench *bench, const Vtoken_deque &rtl, const struct token *token, uint32_t warp,
                         uint32_t entry) {
    uint64_t lo, hi;
    token_pack(THREADS, token, &lo, &hi);
    const uint64_t rtl_lo = rtl.loaded_o[0] | (uint64_t)rtl.loaded_o[1] << 32;
    const uint64_t rtl_hi = rtl.loaded_o[2] | (uint64_t)rtl.loaded_o[3] << 32;
    if (rtl_lo != lo || rtl_hi != hi)
        bench_fail(bench, "warp %u entry %u: loaded %016llx_%016llx, model %016llx_%016llx", warp, entry,
                   (unsigned long long)rtl_hi, (unsigned long long)rtl_lo, (unsigned long long)hi,
                   (unsigned long long)lo);
}

// Software moves all tokens of a warp to another place, as the driver does; other warps work in between.
static void shift(struct bench *bench, Vtoken_deque &rtl, struct token_deque *deques, uint32_t *moods) {
    const uint32_t w = bench_below(bench, WARPS);
    struct token_deque *deque = &deques[w];
    const uint32_t count = token_deque_count(deque), head = deque->head;
    if (count == 0) return;
    const uint32_t target = bench_below(bench, DEQUE_ENTRIES - count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = target > head ? count - 1 - i : i;
        struct token token;
        soft(bench, rtl, SOFT_LOAD, w, head + at);
        token_deque_load(deque, head + at, &token);
        if (WARPS > 1 && bench_chance(bench, 1, 2)) {
            const struct operation o = choose(bench, deques, moods);
            if (o.warp != w) one(bench, rtl, deques, &o);
        }
        rtl.op_valid_i = 0;
        rtl.eval();
        tick(rtl);
        check_loaded(bench, rtl, &token, w, head + at);
        soft(bench, rtl, SOFT_STORE, w, target + at);
        token_deque_store(deque, target + at, &token);
    }
    const uint32_t past = bench_below(bench, DEQUE_ENTRIES + 1);
    if (past > DEQUE_ENTRIES - count) {  // not possible: nothing happens
        soft(bench, rtl, SOFT_MOVE, w, past);
        token_deque_move(deque, past);
    }
    soft(bench, rtl, SOFT_MOVE, w, target);
    token_deque_move(deque, target);
    if (deque->head != target) bench_fail(bench, "model: warp %u does not move to %u", w, target);
    struct token none;
    const uint32_t outside = bench_below(bench, DEQUE_ENTRIES);
    soft(bench, rtl, SOFT_LOAD, w, outside);
    token_deque_load(deque, outside, &none);
    rtl.eval();
    tick(rtl);
    check_loaded(bench, rtl, &none, w, outside);
    rtl.look_warp_i = w;
    rtl.eval();
    if (rtl.look_ends_o != (deque->head | deque->tail << 16))
        bench_fail(bench, "warp %u: ends %08x, model %u %u", w, rtl.look_ends_o, deque->head, deque->tail);
}

// A deque with as many tokens of one kind as it has entries, and none of another: every count stands at its end. Pushed
// from one bound to the other, looked at entry by entry, merged with each yield token, and emptied.
static void fill(struct bench *bench, Vtoken_deque &rtl, struct token_deque *deques, uint32_t kind) {
    const uint32_t w = bench_below(bench, WARPS), bound = kind == KIND_YIELD ? 0 : DEQUE_ENTRIES - 1;
    struct token_deque *deque = &deques[w];
    struct operation o = {TOKEN_RESET, w, kind, 1, 0};
    one(bench, rtl, deques, &o);
    struct token token;
    for (uint32_t i = 0; i <= DEQUE_ENTRIES; i++) {  // the last one finds no room
        o.op = kind == KIND_YIELD ? TOKEN_PUSH_BACK : TOKEN_PUSH_FRONT;
        o.mask = bench_mask(bench, THREADS);
        o.addr = i;
        one(bench, rtl, deques, &o);
        if (i != 0) continue;
        const uint32_t head = deque->head;
        soft(bench, rtl, SOFT_LOAD, w, head);
        token_deque_load(deque, head, &token);
        rtl.eval();
        tick(rtl);
        soft(bench, rtl, SOFT_STORE, w, bound);
        token_deque_store(deque, bound, &token);
        soft(bench, rtl, SOFT_MOVE, w, bound);
        token_deque_move(deque, bound);
    }
    if (token_deque_count(deque) != DEQUE_ENTRIES) bench_fail(bench, "model: the deque is not full");
    for (uint32_t entry = 0; entry < DEQUE_ENTRIES; entry++) {
        soft(bench, rtl, SOFT_LOAD, w, entry);
        token_deque_load(deque, entry, &token);
        rtl.eval();
        tick(rtl);
        check_loaded(bench, rtl, &token, w, entry);
        if (kind != KIND_YIELD) continue;
        o.op = TOKEN_MERGE;
        o.addr = entry;
        one(bench, rtl, deques, &o);
    }
    while (!token_deque_empty(deque)) {
        o.op = bench_chance(bench, 1, 2) ? TOKEN_POP_USED : TOKEN_POP_THROWN;
        one(bench, rtl, deques, &o);
    }
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 1000000);
    Vtoken_deque rtl;
    struct token_deque deques[WARPS];
    uint32_t moods[WARPS];
    rtl.op_valid_i = 0;
    reset(rtl);
    for (uint32_t w = 0; w < WARPS; w++) {
        moods[w] = MOOD_MIXED;
        if (!token_deque_init(&deques[w], DEQUE_ENTRIES)) bench_fail(&bench, "no memory");
        const struct operation begin = {TOKEN_RESET, w, 0, 0, 0};
        one(&bench, rtl, deques, &begin);
    }
    static const uint32_t counted[] = {KIND_SYNC, KIND_BRK, KIND_CONT, KIND_RET, KIND_DIV, KIND_YIELD};
    for (uint32_t kind : counted)
        fill(&bench, rtl, deques, kind);
    while (bench_more(&bench)) {
        const struct operation o = choose(&bench, deques, moods);
        one(&bench, rtl, deques, &o);
        if (bench_chance(&bench, 1, 100)) shift(&bench, rtl, deques, moods);
        if (bench_chance(&bench, 1, 8)) {  // a gap, in which some other warp is looked at
            rtl.op_valid_i = 0;
            rtl.warp_i = bench_below(&bench, WARPS);
            rtl.op_i = bench_below(&bench, SOFT_MOVE + 1);  // of nobody: op_valid_i is low
            rtl.addr_i = bench_below(&bench, DEQUE_ENTRIES);
            rtl.mask_i = bench_mask(&bench, THREADS);
            rtl.eval();
            compare_queries(&bench, rtl, &deques[rtl.warp_i], rtl.warp_i);
            if (rtl.trace_token_valid_o || rtl.full_o) bench_fail(&bench, "a result without an operation");
            tick(rtl);
        }
    }
    rtl.final();
    for (uint32_t w = 0; w < WARPS; w++)
        token_deque_free(&deques[w]);
    return bench_end(&bench);
}
