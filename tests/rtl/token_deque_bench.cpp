// token_deque with token_mover: random operations on the deques of all warps, RTL (source or synthesized netlist) against the C twin, over a
// memory that takes its time. TD-1 to TD-4, TD-11, TD-15, TD-19, TD-21: token formats, flags, both bounds, the merge, tokens that go to memory
// and come back while others are pushed and popped, memory that fails, what software moves, and the cycles of each operation while the ends hold;
// in every cycle which operation waits, what is read and written and which token moves, by the rules that the heads of the two units state.
// Compiled with -DTHREADS= -DWARPS= -DDEQUE_ENTRIES= -DDEQUE_MOST= as the unit was verilated.
#include <verilated.h>

#include "Vtoken_deque.h"
#if THREADS == 32
#define BENCH_SHOWS "TD-1 TD-2 TD-4 TD-6 TD-11 TD-15 TD-19 TD-21"
#else
#define BENCH_SHOWS "TD-1 TD-3 TD-4 TD-6 TD-11 TD-15 TD-19 TD-21"
#endif
#include "bench.h"
#include "line_port.h"
#include "tick.h"
#include "token_deque_rules.h"

#define PATIENCE 20000u  // cycles an operation may wait for memory

struct operation {
    uint32_t op, warp, kind, addr;
    uint64_t mask;
};

// The C twin's answer.
struct answer {
    bool full;
    struct token_move move;
};

// What a warp does most of the time at the moment: fill the front, fill the back, empty, stay below a handful of tokens, or anything. So both
// bounds, long chains of yield tokens and empty deques all come up.
enum mood { MOOD_FRONT, MOOD_BACK, MOOD_DRAIN, MOOD_SHALLOW, MOOD_MIXED, MOODS };

struct world : deques {
    struct bench *bench;
    Vtoken_deque rtl;
    uint32_t moods[WARPS];
    bool born[WARPS];     // it has had its first RESET
    bool failing[WARPS];  // an answer that failed is given in this cycle
    struct line_memory memory;
    std::deque<struct line_request> writes;  // that are due
    std::deque<uint32_t> writers;
    uint32_t moved;
    struct rules rules;  // of this cycle
};

static const uint32_t KINDS[] = {KIND_SYNC,    KIND_BRK, KIND_CONT,  KIND_EXIT,  KIND_RET,
                                 KIND_LONGJMP, KIND_DIV, KIND_CALLX, KIND_SVEND, KIND_PORTION};

static struct operation choose(struct world *world) {
    struct bench *bench = world->bench;
    struct operation o;
    o.warp = bench_below(bench, WARPS);
    if (bench_chance(bench, 1, 2)) o.warp = 0;  // often the same warp again and again
    if (bench_chance(bench, 1, 40)) world->moods[o.warp] = bench_below(bench, MOODS);
    const struct token_deque *deque = &world->deques[o.warp];
    const uint32_t dice = bench_below(bench, 100);
    switch (world->moods[o.warp]) {
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
    if (world->failed[o.warp] && bench_chance(bench, 1, 4)) o.op = TOKEN_RESET;
    if (bench_chance(bench, 1, 3000)) o.op = TOKEN_RESET;
    o.kind = KINDS[bench_below(bench, sizeof KINDS / sizeof KINDS[0])];
    o.mask = bench_mask(bench, THREADS);
    // Few addresses, so that merges find something; sometimes a neighbour that differs in one bit only.
    o.addr = bench_chance(bench, 3, 4) ? bench_below(bench, 12) * 0x2AAABu & 0x3FFFFFu : bench_below(bench, 1u << 22);
    // Often the address of a token that stands.
    if (!token_deque_empty(deque) && bench_chance(bench, 1, 3))
        o.addr = token_deque_at(deque, deque->head + bench_below(bench, token_deque_count(deque))).addr;
    if (bench_chance(bench, 1, 16)) o.addr ^= 1u << bench_below(bench, 22);
    // A push at the back comes from a merge that found nothing.
    if (o.op == TOKEN_PUSH_BACK) {
        for (uint32_t place = deque->head; place != deque->tail; place++) {
            const struct token token = token_deque_at(deque, place);
            if (token.kind == KIND_YIELD && token.addr == o.addr) o.op = TOKEN_MERGE;
        }
    }
    return o;
}

// How many cycles the operation takes: a merge takes one more for each yield token between front and back that is read. 0: it may have to wait
// for memory, or for a token that is on its way.
static uint32_t cycles_of(const struct world *world, const struct operation *o) {
    const struct token_deque *deque = &world->deques[o->warp];
    const struct token_kept *kept = &deque->kept;
    const bool some = kept->head != kept->tail;
    if (world->failed[o->warp]) return o->op == TOKEN_RESET ? 0 : 1;
    if (o->op == TOKEN_RESET || world->failing[o->warp]) return 0;
    if (o->op == TOKEN_PUSH_FRONT) return deque->head == 0 || (some && kept->fronts == HALF) ? 0 : 1;
    if (is_pop(o->op)) return kept->fronts == 0 && token_deque_away(deque) != 0 ? 0 : 1;
    const bool lacks = deque->tail == deque->places || (some && kept->backs == HALF);
    if (o->op == TOKEN_PUSH_BACK) return lacks ? 0 : 1;
    if (some) {
        const struct token front = token_deque_at(deque, deque->head);
        if (front.kind == KIND_YIELD && front.addr == o->addr) return 1;
    }
    if (kept->backs != 0 && token_deque_at(deque, deque->tail - 1).addr == o->addr) return 1;
    uint32_t cycles = 1;
    for (uint32_t place = deque->tail - kept->backs; place + 1 < deque->tail; place++) {
        cycles += 2;
        if (token_deque_at(deque, place).addr == o->addr) return cycles;
    }
    const bool front_yield = some && token_deque_at(deque, deque->head).kind == KIND_YIELD;
    return lacks || deque->held[KIND_YIELD] != kept->backs + (front_yield ? 1 : 0) ? 0 : cycles;
}

static struct answer model_do(struct token_deque *deque, const struct operation *o) {
    struct answer a;
    memset(&a, 0, sizeof a);
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

static void compare_queries(struct world *world, uint32_t warp) {
    const struct bench *bench = world->bench;
    const Vtoken_deque &rtl = world->rtl;
    const struct token_deque *deque = &world->deques[warp];
    struct token front;
    const bool empty = !token_deque_front(deque, &front);
    if (rtl.empty_o != empty) bench_fail(bench, "warp %u: empty_o %d, model %d", warp, rtl.empty_o, empty);
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

static void compare_move(struct world *world, const struct operation *o, const struct answer *a) {
    const Vtoken_deque &rtl = world->rtl;
    const bool moves = !a->full && o->op != TOKEN_RESET;
    if (rtl.trace_token_valid_o != moves) {
        bench_fail(world->bench, "warp %u, operation %u: %s event TOKEN, model %s", o->warp, o->op,
                   rtl.trace_token_valid_o ? "an" : "no", moves ? "has one" : "has none");
    }
    if (!moves) return;
    uint64_t lo = 0, hi = 0;
    token_pack(THREADS, &a->move.token, &lo, &hi);
    if (rtl.trace_token_warp_o != o->warp || rtl.trace_token_op_o != a->move.op || rtl.trace_token_token_lo_o != lo ||
        rtl.trace_token_token_hi_o != hi) {
        bench_fail(world->bench, "warp %u, operation %u: TOKEN op %u %016llx_%016llx, model op %u %016llx_%016llx",
                   o->warp, o->op, rtl.trace_token_op_o, (unsigned long long)rtl.trace_token_token_hi_o,
                   (unsigned long long)rtl.trace_token_token_lo_o, a->move.op, (unsigned long long)hi,
                   (unsigned long long)lo);
    }
}

// ---- memory
static void expect_write(struct world *world, uint32_t warp, uint32_t place) {
    const uint64_t address = address_of(world, warp, place);
    const struct token token = token_deque_at(&world->deques[warp], place);
    const uint32_t offset = (uint32_t)address % 32;
    uint64_t words[2];
    struct line_request request = {1, (uint32_t)address - offset, ((1u << BYTES) - 1) << offset, {}};
    if (address > UINT32_MAX) {  // no such memory
        world->failing[warp] = true;
        return;
    }
    token_pack_memory(THREADS, &token, &words[0], &words[1]);
    memcpy(&request.data[offset], words, BYTES);
    world->writes.push_back(request);
    world->writers.push_back(warp);
}

// A token moves: the twin says which one.
static void check_token_move(struct world *world) {
    const struct bench *bench = world->bench;
    const Vtoken_deque &rtl = world->rtl;
    if (!rtl.trace_token_move_valid_o) return;
    const uint32_t warp = rtl.trace_token_move_warp_o, way = rtl.trace_token_move_way_o;
    uint32_t place;
    uint64_t lo, hi;
    if (warp >= WARPS || world->stopped[warp]) bench_fail(bench, "a token of warp %u moves", warp);
    struct token_deque *deque = &world->deques[warp];
    if (!token_deque_show_move(deque, (enum token_move_value)way, &place))
        bench_fail(bench, "warp %u: TOKEN_MOVE way %u, fronts %u backs %u away %u", warp, way, deque->kept.fronts,
                   deque->kept.backs, token_deque_away(deque));
    const struct token token = token_deque_at(deque, place);
    token_pack_memory(THREADS, &token, &lo, &hi);
    if (rtl.trace_token_move_place_o != place || rtl.trace_token_move_token_lo_o != lo ||
        rtl.trace_token_move_token_hi_o != hi)
        bench_fail(bench, "warp %u: TOKEN_MOVE way %u place %u %016llx_%016llx, model place %u %016llx_%016llx", warp,
                   way, rtl.trace_token_move_place_o, (unsigned long long)rtl.trace_token_move_token_hi_o,
                   (unsigned long long)rtl.trace_token_move_token_lo_o, place, (unsigned long long)hi,
                   (unsigned long long)lo);
    if (way != TOKEN_MOVE_IN) expect_write(world, warp, place);
    world->moved++;
}

// The port's outputs in this cycle.
static void check_port(struct world *world) {
    const Vtoken_deque &rtl = world->rtl;
    struct line_request request;
    if (!line_take(rtl.req_valid_o, rtl.req_ready_i, rtl.req_op_o, rtl.req_addr_o, rtl.req_wstrb_o, rtl.req_wdata_o,
                   &request))
        return;
    if (request.op == 0) {
        line_accept(world->bench, &world->memory, &request, world->mover.at);
        return;
    }
    if (world->writes.empty()) bench_fail(world->bench, "line 0x%08x is written, no token is due", request.addr);
    const struct line_request due = world->writes.front();
    bool same = request.op == 1 && request.addr == due.addr && request.wstrb == due.wstrb;
    for (uint32_t b = 0; b < 32; b++)
        same = same && ((due.wstrb >> b & 1u) == 0 || request.data[b] == due.data[b]);
    if (!same)
        bench_fail(world->bench, "write of line 0x%08x strobes %08x, model line 0x%08x strobes %08x", request.addr,
                   request.wstrb, due.addr, due.wstrb);
    line_accept(world->bench, &world->memory, &request, world->writers.front());
    world->writes.pop_front();
    world->writers.pop_front();
}

static void check(const struct world *world, const char *what, uint64_t has, uint64_t wants) {
    const Vtoken_deque &rtl = world->rtl;
    const struct mover *mover = &world->mover;
    if (has != wants)
        bench_fail(world->bench, "%s is %llx, not %llx; warp %u operation %u, mover: warp %u phase %d place %u", what,
                   (unsigned long long)has, (unsigned long long)wants, rtl.warp_i, rtl.op_i, mover->at, mover->phase,
                   mover->place);
}

// What can be seen of it. One that goes out left in the cycle before, one that comes in is there in the next one.
static void check_cycle(struct world *world) {
    const Vtoken_deque &rtl = world->rtl;
    const struct mover *mover = &world->mover;
    const struct asked asked = {rtl.look_i != 0,
                                rtl.op_valid_i != 0,
                                rtl.req_ready_i != 0,
                                rtl.rsp_valid_i != 0,
                                rtl.rsp_valid_i && rtl.rsp_fault_i != ANSWER_GOOD,
                                rtl.op_i,
                                rtl.warp_i,
                                rtl.addr_i};
    const bool comes = rtl.trace_token_move_way_o == TOKEN_MOVE_IN, asks = mover->phase == ASKS;
    if (!comes) check_token_move(world);
    const struct rules rules = world->rules = rules_of(world, &asked);
    if (rtl.look_i && (world->born[rtl.warp_i] || rtl.op_i == TOKEN_RESET)) {
        check(world, "op_ready_o", rtl.op_ready_o, rules.ready);
        check(world, "still_o", rtl.still_o, rules.still);
    }
    check(world, "full_o", rtl.full_o, rules.full);
    check(world, "failed_o", rtl.failed_o, rules.failed);
    check(world, "trace_token_move_valid_o", rtl.trace_token_move_valid_o,
          rules.does.puts || (mover->phase == MADE && mover->writes));
    if (rtl.trace_token_move_valid_o) check(world, "trace_token_move_warp_o", rtl.trace_token_move_warp_o, mover->at);
    check(world, "req_valid_o", rtl.req_valid_o, asks);
    check(world, "req_op_o", rtl.req_op_o, asks && mover->writes ? 1 : 0);
    check(world, "req_addr_o", rtl.req_addr_o, asks ? address_of(world, mover->at, mover->place) & ~31u : 0);
    if (rules.in.outside) world->failing[mover->at] = true;
    if (comes) check_token_move(world);
}

// The cycle ends, after the operation's outputs have been looked at; the next one begins.
static void next_cycle(struct world *world) {
    Vtoken_deque &rtl = world->rtl;
    const struct rules &rules = world->rules;
    check_port(world);
    mover_edge(&world->mover, &rules.in, &rules.does, WARPS, OF_LINE);
    world->read = rules.read;
    world->comes = rules.comes;
    world->scanned = rules.scanned;
    world->none = rules.none;
    tick(rtl);
    for (uint32_t w = 0; w < WARPS; w++) {
        world->failed[w] |= world->failing[w];
        world->failing[w] = false;
    }
    const struct line_answer *answer = line_drive(world->bench, rtl, &world->memory, rtl.req_ready_i, rtl.rsp_valid_i,
                                                  rtl.rsp_data_i, rtl.rsp_fault_i);
    if (answer != nullptr && answer->fault != 0) world->failing[answer->tag] = true;
}

// What the unit shows, and what is compared of it for a merge.
static void settle(Vtoken_deque &rtl) {
    rtl.eval();
    rtl.meets_i = !rtl.empty_o && rtl.front_kind_o == KIND_YIELD && rtl.front_addr_o == rtl.addr_i;
    rtl.eval();
}

static void idle(struct world *world) {
    Vtoken_deque &rtl = world->rtl;
    rtl.op_valid_i = 0;
    rtl.look_i = bench_chance(world->bench, 1, 3);
    rtl.warp_i = bench_below(world->bench, WARPS);
    rtl.op_i = bench_below(world->bench, TOKEN_MOVE + 1);  // of nobody: op_valid_i is low
    rtl.addr_i = rtl.places_i = bench_below(world->bench, 64);
    rtl.mask_i = bench_mask(world->bench, THREADS);
    settle(rtl);
    check_cycle(world);
    if (rtl.look_i && world->born[rtl.warp_i] && !world->failed[rtl.warp_i]) compare_queries(world, rtl.warp_i);
    if (rtl.trace_token_valid_o || rtl.full_o || rtl.failed_o)
        bench_fail(world->bench, "a result without an operation");
    next_cycle(world);
}

static void one(struct world *world, const struct operation *o) {
    struct bench *bench = world->bench;
    Vtoken_deque &rtl = world->rtl;
    struct token_deque *deque = &world->deques[o->warp];
    world->stopped[o->warp] = false;
    rtl.op_valid_i = rtl.look_i = 1;
    rtl.op_i = o->op;
    rtl.warp_i = o->warp;
    rtl.kind_i = o->kind;
    rtl.mask_i = o->mask;
    rtl.addr_i = o->addr;
    settle(rtl);
    if (o->op != TOKEN_RESET && !world->failed[o->warp]) compare_queries(world, o->warp);
    check_cycle(world);  // one that is told now has left before
    // One that comes in now is there in the next cycle.
    const bool comes = rtl.trace_token_move_valid_o && rtl.trace_token_move_way_o == TOKEN_MOVE_IN &&
                       rtl.trace_token_move_warp_o == o->warp;
    const uint32_t cycles = comes && !world->failed[o->warp] ? 0 : cycles_of(world, o);
    for (uint32_t cycle = 1; !rtl.op_ready_o; cycle++) {
        if (cycles != 0 && cycle >= cycles && !world->failing[o->warp])
            bench_fail(bench, "warp %u, operation %u: not done after %u cycles", o->warp, o->op, cycle);
        if (cycle > PATIENCE)
            bench_fail(bench, "warp %u, operation %u: not done after %u cycles", o->warp, o->op, cycle);
        if (rtl.trace_token_valid_o || rtl.full_o || rtl.failed_o)
            bench_fail(bench, "warp %u: a result before op_ready_o", o->warp);
        next_cycle(world);
        settle(rtl);
        check_cycle(world);
        if (cycles != 0 && cycle + 1 < cycles && rtl.op_ready_o && !rtl.failed_o)
            bench_fail(bench, "warp %u, operation %u: done in cycle %u, not in %u", o->warp, o->op, cycle + 1, cycles);
    }
    if (rtl.failed_o != (world->failed[o->warp] && o->op != TOKEN_RESET))
        bench_fail(bench, "warp %u, operation %u: failed_o %d, memory %s", o->warp, o->op, rtl.failed_o,
                   world->failed[o->warp] ? "has failed" : "has not failed");
    if (!rtl.failed_o) {
        if (o->op == TOKEN_RESET) {
            token_deque_resize(deque, world->places, HALF);
            world->failed[o->warp] = false;
            world->born[o->warp] = true;
        }
        const bool really_full = token_deque_really_full(deque);
        const struct answer a = model_do(deque, o);
        if (rtl.full_o != a.full)
            bench_fail(bench, "warp %u, operation %u: full_o %d, model %d", o->warp, o->op, rtl.full_o, a.full);
        if (a.full && rtl.really_full_o != really_full)
            bench_fail(bench, "warp %u: really_full_o %d, model %d", o->warp, rtl.really_full_o, really_full);
        compare_move(world, o, &a);
        if (!a.full && o->op != TOKEN_RESET) {
            if (!token_deque_show(deque, &a.move))
                bench_fail(bench, "warp %u, operation %u: its token is not in the unit", o->warp, o->op);
            if (a.move.op == TOKEN_MERGE && a.move.place - token_deque_first_away(deque) < token_deque_away(deque))
                expect_write(world, o->warp, a.move.place);
        }
        world->stopped[o->warp] = a.full;
    } else if (rtl.trace_token_valid_o || rtl.full_o) {
        bench_fail(bench, "warp %u, operation %u: failed, but done", o->warp, o->op);
    }
    next_cycle(world);
    rtl.op_valid_i = 0;
}

static void compare_ends(struct world *world, uint32_t warp) {
    const struct token_deque *deque = &world->deques[warp];
    const struct token_kept *kept = &deque->kept;
    Vtoken_deque &rtl = world->rtl;
    rtl.look_warp_i = warp;
    rtl.eval();
    const uint32_t ends = deque->head | (deque->places - deque->tail) << 16;
    const uint32_t tokens = (kept->head != kept->tail ? kept->fronts + 1 : 0) | kept->backs << 16;
    if (rtl.look_ends_o != ends || rtl.look_kept_o != tokens)
        bench_fail(world->bench, "warp %u: ends %08x kept %08x, model %08x %08x", warp, rtl.look_ends_o,
                   rtl.look_kept_o, ends, tokens);
}

// Software moves the tokens in memory of a warp that stands at a bound, as the driver does, then says so; sometimes first what cannot be. It may be
// that some of them are lost.
static void serve(struct world *world, uint32_t warp) {
    struct bench *bench = world->bench;
    Vtoken_deque &rtl = world->rtl;
    struct token_deque *deque = &world->deques[warp];
    const uint32_t front = deque->head, back = deque->places - deque->tail;
    const uint32_t first = token_deque_first_away(deque), away = token_deque_away(deque);
    const int32_t places = (int32_t)bench_below(bench, front + back + 1) - (int32_t)front;
    const int32_t beyond = bench_chance(bench, 1, 2) ? (int32_t)back + 1 : -(int32_t)front - 1;
    const int32_t impossible = bench_chance(bench, 1, 2) ? beyond : (int32_t)bench_below(bench, 2) * 65535 - 32767;
    compare_ends(world, warp);
    std::map<uint32_t, std::array<uint8_t, 32>> &lines = world->memory.lines;
    std::deque<uint8_t> bytes;
    for (uint64_t at = 0; at < (uint64_t)away * BYTES; at++) {
        const uint64_t from = address_of(world, warp, first) + at;
        bytes.push_back(lines[(uint32_t)from & ~31u][from % 32]);
    }
    for (uint64_t at = 0; at < (uint64_t)away * BYTES; at++) {
        const uint64_t to = address_of(world, warp, first + (uint32_t)places) + at;
        lines[(uint32_t)to & ~31u][to % 32] = bytes[at];
    }
    for (uint32_t attempt = bench_below(bench, 2); attempt < 2; attempt++) {
        const int32_t by = attempt == 0 ? impossible : places;
        rtl.op_valid_i = rtl.look_i = 1;
        rtl.op_i = TOKEN_MOVE;
        rtl.warp_i = warp;
        rtl.places_i = (uint16_t)by;
        settle(rtl);
        for (uint32_t cycle = 0; !rtl.op_ready_o; cycle++) {
            if (cycle > PATIENCE) bench_fail(bench, "warp %u: MOVE is not done", warp);
            check_cycle(world);
            next_cycle(world);
            settle(rtl);
        }
        check_cycle(world);
        if (rtl.full_o || rtl.trace_token_valid_o || rtl.failed_o)
            bench_fail(bench, "warp %u: MOVE has a result", warp);
        token_deque_move(deque, by);
        next_cycle(world);
        rtl.op_valid_i = 0;
        compare_ends(world, warp);
        while (bench_chance(bench, 1, 2))
            idle(world);
    }
}

// Each warp's RESET; behind a reset nothing moves until then.
static void begin_all(struct world *world, bool behind_reset) {
    for (uint32_t w = 0; w < WARPS; w++) {
        const struct operation begin = {TOKEN_RESET, w, 0, 0, 0};
        world->moods[w] = bench_below(world->bench, MOODS);
        one(world, &begin);
        while (behind_reset && bench_chance(world->bench, 1, 2))
            idle(world);
    }
}

// The queues get another place and size, when nothing moves any more.
static void resize(struct world *world) {
    struct bench *bench = world->bench;
    static const uint32_t most = DEQUE_MOST / HALF;
    for (uint32_t quiet = 0; quiet < 200; quiet++) {
        const uint32_t moved = world->moved;
        idle(world);
        if (moved != world->moved || !world->memory.answers.empty() || !world->writes.empty()) quiet = 0;
    }
    world->size = bench_below(bench, 3) == 0 ? bench_below(bench, index_bits(most) + 1) : 1 + bench_below(bench, 5);
    if (world->size > index_bits(most) || bench_chance(bench, 1, 8)) world->size = index_bits(most);
    world->places = HALF << world->size;
    world->base = (uint64_t)bench_below(bench, 1u << 19) << 12;
    // Sometimes a part of the queues lies past the end of all addresses.
    if (bench_chance(bench, 1, 6))
        world->base = 0x100000000u - (uint64_t)(bench_below(bench, 1 + world->places * WARPS * BYTES / 4096) << 12);
    world->memory.lines.clear();
    world->memory.slow = bench_chance(bench, 1, 3) ? 60 : bench_below(bench, 16);
    world->memory.fail_part = bench_chance(bench, 1, 3) ? 1 : 0;
    world->memory.fail_whole = bench_chance(bench, 1, 2) ? 4 + bench_below(bench, 30) : 30 + bench_below(bench, 300);
    world->rtl.memory_i = (uint32_t)(world->base >> 12);
    world->rtl.size_i = world->size;
    begin_all(world, false);
}

// A reset, at any time, of all that there is; often in an operation that would fail or find no room.
static void restart(struct world *world) {
    Vtoken_deque &rtl = world->rtl;
    rtl.rst_i = 1;
    for (uint32_t cycles = 1 + bench_below(world->bench, 3); cycles != 0; cycles--) {
        rtl.op_valid_i = rtl.look_i = bench_below(world->bench, 2);
        rtl.op_i = bench_below(world->bench, TOKEN_MOVE + 1);
        rtl.warp_i = bench_below(world->bench, WARPS);
        for (uint32_t w = 0; w < WARPS; w++)
            if ((world->failed[w] || world->stopped[w]) && bench_chance(world->bench, 1, 2)) rtl.warp_i = w;
        settle(rtl);
        if (rtl.op_ready_o || rtl.full_o || rtl.failed_o || rtl.trace_token_valid_o)
            bench_fail(world->bench, "something is done in a reset");
        if (rtl.trace_token_move_valid_o && rtl.trace_token_move_way_o == TOKEN_MOVE_IN)
            bench_fail(world->bench, "a token comes in in a reset");
        tick(rtl);
        rtl.rsp_valid_i = 0;
    }
    rtl.rst_i = rtl.op_valid_i = 0;
    world->memory.answers.clear();
    world->writes.clear();
    world->writers.clear();
    world->mover = {};
    world->read = 0;
    world->scanned = world->none = false;
    for (uint32_t w = 0; w < WARPS; w++) {
        world->born[w] = world->failed[w] = world->failing[w] = false;
        world->stopped[w] = true;
    }
    while (!bench_chance(world->bench, 1, 20))
        idle(world);
    begin_all(world, true);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 1000000);
    registers_at_random(bench.seed);
    static struct world world;
    world.bench = &bench;
    world.places = HALF;
    world.rtl.op_valid_i = world.rtl.look_i = world.rtl.rsp_valid_i = world.rtl.req_ready_i = 0;
    world.rtl.memory_i = world.rtl.size_i = 0;
    reset(world.rtl);
    for (uint32_t w = 0; w < WARPS; w++)
        if (!token_deque_init(&world.deques[w], HALF)) bench_fail(&bench, "no memory");
    restart(&world);
    while (bench_more(&bench)) {
        if (bench_chance(&bench, 1, 8000)) resize(&world);
        if (bench_chance(&bench, 1, world.mover.phase == PUTS ? 1000 : 5000)) restart(&world);
        const struct operation o = choose(&world);
        one(&world, &o);
        if (world.stopped[o.warp] && bench_chance(&bench, 3, 4))
            serve(&world, o.warp);
        else if (world.failed[o.warp] && !token_deque_empty(&world.deques[o.warp]) && bench_chance(&bench, 1, 8))
            serve(&world, o.warp);
        while (bench_chance(&bench, 1, 4))
            idle(&world);
    }
    world.rtl.final();
    for (uint32_t w = 0; w < WARPS; w++)
        token_deque_free(&world.deques[w]);
    return bench_end(&bench);
}
