// divergence_unit: random streams of control instructions of all warps, with warps starting in between, RTL against the
// C twin: every result, every event TOKEN, every thread of every warp; token queues of which a part is in memory; warps
// that are held, whose tokens are moved while others go on; a warp that is in a trap, whose tokens and reasons are taken
// away and put back. TD-5 to TD-13, TD-15, TD-21, SV-2, SV-6, SV-7, TU-12. Compiled with -DTHREADS= -DLANES= -DWARPS=
// -DDEQUE_ENTRIES= as the unit was verilated.
#include <verilated.h>

#include "Vdivergence_unit.h"
#define BENCH_SHOWS "TD-5 TD-6 TD-8 TD-9 TD-7 TD-10 TD-11 TD-13 TD-15 TD-21 SV-2 SV-6 SV-7 TU-12"
#include "bench.h"
#include "line_port.h"
#include "tick.h"

extern "C" {
#include "gen/registers.h"
#include "sm/divergence_unit.h"
}

// Short queues, so that both bounds are reached, and long enough that much of them is in memory.
#define HALF (DEQUE_ENTRIES / 2)
#define SIZE 3
#define PLACES (HALF << SIZE)
#define BYTES (THREADS / 4)
#define BASE 0x3000u

#define ALL (THREADS == 64 ? ~UINT64_C(0) : UINT64_C(0xFFFFFFFF))

// What a warp's program is like at the moment.
enum mood { MOOD_NEST, MOOD_YIELD, MOOD_LEAVE, MOOD_MIXED, MOODS };

struct warp {
    struct divergence model;
    bool alive;   // it may be given instructions
    bool held;    // its tokens must be moved first
    bool starts;  // it was held in an SVSTART that has pushed its first token
    uint32_t pc;
    enum mood mood;
    bool watched, second;  // its sequences are, and stand in the second order
    uint32_t counting;     // YIELDs left until the counter stands at its end
};

struct run {
    struct bench bench;
    Vdivergence_unit rtl;
    struct warp warps[WARPS];
    // The request on its way in, and the warp about to start; those that have been taken are in the model already.
    bool request_waits, start_waits;
    uint32_t request_warp, start_warp;
    uint64_t start_mask;
    uint32_t start_seed;
    struct divergence_request request;
    // The request under way in the RTL, done by the model.
    bool busy, serve;
    uint32_t busy_warp, moves_seen, cycles;
    struct divergence_result result;
    // The held warp whose tokens are being moved, by so many places.
    bool soft_busy, soft_valid;
    uint32_t soft_warp;
    int32_t soft_places;
    struct line_memory memory;
    uint64_t moved;  // tokens, to memory or from there
    uint64_t counted, held, split, sequences, portions, divided, joined;
    // The warp that is in a trap, as the RTL is told.
    bool trap_on;
    uint32_t trap_warp;
    struct token popped;  // by the last TPOP
    uint64_t traps, taken, put, set, stops, leaves;
    uint64_t full_front, full_back, ended, done;
};

static const uint32_t NESTING[] = {OP_SSY, OP_PBRK, OP_PCONT, OP_PEXIT, OP_PLONGJMP, OP_CAL, OP_JCAL, OP_JCALX};
static const uint32_t LEAVING[] = {OP_SYNC, OP_BRK, OP_CONT, OP_RET, OP_LONGJMP, OP_EXIT};
static const uint32_t BRANCHING[] = {OP_BRA, OP_JMP, OP_BRX, OP_JMX};

static const uint32_t EXEC_WRITERS[] = {OP_SMOV, OP_SMOV_I, OP_VOTE, OP_SVLOOP_BEGIN, OP_SVLOOP_END};

static uint32_t choose_opcode(struct bench *bench, enum mood mood) {
    const uint32_t nest = mood == MOOD_NEST ? 90 : mood == MOOD_MIXED ? 30 : mood == MOOD_YIELD ? 4 : 10;
    const uint32_t leave = mood == MOOD_LEAVE ? 60 : mood == MOOD_NEST ? 2 : mood == MOOD_YIELD ? 1 : 25;
    const uint32_t yield = mood == MOOD_YIELD ? 75 : mood == MOOD_NEST ? 0 : 5;
    const uint32_t dice = bench_below(bench, 100);
    if (dice < nest) return NESTING[bench_below(bench, sizeof NESTING / sizeof NESTING[0])];
    if (dice < nest + leave) {
        const uint32_t leaving = LEAVING[bench_below(bench, sizeof LEAVING / sizeof LEAVING[0])];
        // Most EXITs become SYNCs, or no warp would live long.
        return leaving == OP_EXIT && !bench_chance(bench, 1, 4) ? (uint32_t)OP_SYNC : leaving;
    }
    if (dice < nest + leave + yield) return OP_YIELD;
    return BRANCHING[bench_below(bench, sizeof BRANCHING / sizeof BRANCHING[0])];
}

// A warp in a trap: tokens are taken and put back, reasons set, branches of the whole warp.
static void choose_in_trap(struct bench *bench, struct divergence_request *r) {
    static const uint32_t opcodes[] = {OP_TPOP, OP_TPUSH, OP_TPUSH, OP_TREASON, OP_TREASON, OP_BRA, OP_JMP, OP_TRET};
    r->opcode = opcodes[bench_below(bench, sizeof opcodes / sizeof opcodes[0])];
    if (r->opcode == OP_TRET && bench_chance(bench, 1, 3)) r->opcode = bench_chance(bench, 1, 2) ? OP_TLEAVE : OP_TEXIT;
    const bool some = r->opcode == OP_TPUSH || r->opcode == OP_TREASON;
    r->exec = some ? bench_mask(bench, THREADS) : ALL;
    if (r->exec == 0 || (some && bench_chance(bench, 1, 8))) r->exec = bench_chance(bench, 1, 50) ? 0 : ALL;
    if ((r->opcode == OP_TLEAVE || r->opcode == OP_TEXIT) && bench_chance(bench, 1, 8))
        r->exec = bench_mask(bench, THREADS);
    r->mod = some ? bench_below(bench, KIND_PORTION + 1) : 0;
}

static void choose_request(struct run *run) {
    struct bench *bench = &run->bench;
    const uint32_t w = bench_below(bench, WARPS);
    struct warp *warp = &run->warps[w];
    if (!warp->alive) return;
    // By request it goes into a trap wherever it stands, whoever is active.
    if (!run->busy && !warp->model.resumed && !run->warps[run->trap_warp].model.trapped &&
        bench_chance(bench, 1, 200)) {
        run->trap_warp = w;
        run->trap_on = warp->model.trapped = true;
        run->stops++;
    }
    // Long enough to come to a bound now and then.
    if (bench_chance(bench, 1, 2 * PLACES)) warp->mood = (enum mood)bench_below(bench, MOODS);
    const uint64_t active = divergence_active(&warp->model);
    struct divergence_request *r = &run->request;
    r->opcode = choose_opcode(bench, warp->mood);
    r->pc = warp->pc;
    // Few places, so that threads meet again; the ends of the range now and then.
    if (bench_chance(bench, 1, 3)) r->pc = bench_below(bench, 8);
    if (bench_chance(bench, 1, 50)) r->pc = 0x3FFFFF;
    r->target = bench_chance(bench, 4, 5) ? bench_below(bench, 16) : bench_below(bench, 1u << 22);
    r->mod = bench_chance(bench, 1, 2) ? (uint32_t)YIELD_ALWAYS : bench_below(bench, 3);
    if (r->opcode == OP_YIELD) {
        if (r->mod == YIELD_NTH) r->target = bench_chance(bench, 1, 100) ? 70000 : bench_below(bench, 5);
        if (r->mod == YIELD_RANDOM) r->target = bench_below(bench, 65537);
    }
    r->serve = bench_chance(bench, 1, 2);
    const bool turns = warp->watched && warp->model.inside != 0 && bench_chance(bench, 1, 2);  // of a loop
    if (turns) {
        r->opcode = OP_BRA;
        r->mod = BRA_TURN;
        r->target = 3;
    }
    const bool whole = r->opcode == OP_BRA || r->opcode == OP_JMP || r->opcode == OP_BRX || r->opcode == OP_JMX
                           ? turns || bench_chance(bench, 1, 4)
                           : r->opcode == OP_YIELD || bench_chance(bench, 3, 5);
    r->exec = whole && !bench_chance(bench, 1, 200) ? active : active & bench_mask(bench, THREADS);
    for (uint32_t i = 0; i < sizeof NESTING / sizeof NESTING[0]; i++) {
        if (r->opcode == NESTING[i] && !bench_chance(bench, 1, 200)) r->exec = active;
    }
    r->group = r->exec;
    // A sequence begins now and then, soon when none is open; threads in one end it rather than begin another.
    const bool inside = (active & warp->model.inside) != 0;
    r->second = bench_chance(bench, 7, 8);
    // A watched sequence changes its order now and then; the branches of its loops come to few places.
    if (bench_chance(bench, 1, 10)) warp->second = !warp->second;
    r->watch = warp->watched;
    if (r->watch) r->second = warp->second;
    if (bench_chance(bench, 1, inside ? 5 : 12)) {
        r->opcode = inside && !bench_chance(bench, 1, 300) ? OP_SVEND : OP_SVSTART;
        const bool part = r->opcode == OP_SVEND ? bench_chance(bench, 1, 3) : bench_chance(bench, 1, 200);
        r->exec = part ? active & bench_mask(bench, THREADS) : active;
    }
    // A YIELD that asks for more turns than its counter has: all threads together, until it stands at its end.
    if (warp->counting == 0 && warp->mood == MOOD_YIELD && bench_chance(bench, 1, 400)) warp->counting = 300;
    if (active == 0) warp->counting = 0;
    if (warp->counting > 0) {
        warp->counting--;
        r->opcode = OP_YIELD;
        r->mod = YIELD_NTH;
        r->target = 70000;
        r->exec = active;
        run->counted += warp->model.yields.count[__builtin_ctzll(active)] == UINT8_MAX;
    }
    if (warp->model.resumed) {  // after the moving of tokens an SVSTART, else a JCALX goes on with its next group
        r->opcode = warp->starts ? OP_SVSTART : OP_JCALX;
        r->exec = active;
        r->pc = warp->pc;
        if (warp->starts) r->target = bench_below(bench, 16);
    }
    r->group = r->exec;
    const bool indirect = r->opcode == OP_RET || r->opcode == OP_BRX || r->opcode == OP_JMX || r->opcode == OP_JCALX;
    if (indirect && bench_chance(bench, 1, 2)) {
        r->group &= bench_mask(bench, THREADS);
        r->group |= r->exec & (0 - r->exec);  // the lowest thread is always in it
    }
    // EXEC is written now and then, and soon when nobody is active, or the warp would only go straight on.
    // Not between the groups of a JCALX: nothing else comes there.
    const bool held = warp->model.reason[KIND_HELD] != 0;
    if (!warp->model.resumed && warp->counting == 0 && bench_chance(bench, 1, active == 0 ? 2 : held ? 8 : 60)) {
        r->opcode = EXEC_WRITERS[bench_below(bench, sizeof EXEC_WRITERS / sizeof EXEC_WRITERS[0])];
        r->exec = active & bench_mask(bench, THREADS);
        r->group = bench_chance(bench, 1, 2) ? ALL : bench_mask(bench, THREADS);
    }
    // Now and then a warp goes into a trap, if none is in one, and stays for some instructions; seldom where yield tokens
    // pile up, for TPOP takes them away and the back bound would never be reached.
    if (warp->model.trapped) {
        choose_in_trap(bench, r);
        r->group = r->exec;
        warp->counting = 0;
    } else if (!warp->model.resumed && warp->counting == 0 && active != 0 &&
               !run->warps[run->trap_warp].model.trapped &&
               bench_chance(bench, 1, warp->mood == MOOD_YIELD ? 4 * PLACES : 40)) {
        r->opcode = OP_TRAP;
        r->exec = r->group = bench_chance(bench, 1, 50) ? active & bench_mask(bench, THREADS) : active;
    }
    run->request_warp = w;
    run->request_waits = true;
}

static void choose_start(struct run *run) {
    struct bench *bench = &run->bench;
    const uint32_t w = bench_below(bench, WARPS);
    if (run->warps[w].alive && (run->warps[w].counting != 0 || !bench_chance(bench, 1, 500)))
        return;  // now and then a living one: its task was stopped
    if (run->request_waits && run->request_warp == w) return;
    if (run->soft_busy && run->soft_warp == w) return;
    run->start_warp = w;
    run->start_mask = bench_mask(bench, THREADS);
    if (run->start_mask == 0) run->start_mask = ALL;
    run->start_seed = bench_chance(bench, 1, 4) ? 0 : (uint32_t)bench_random(bench);  // 0 would stay 0 for ever
    run->start_waits = true;
    run->warps[w].alive = run->warps[w].held = false;  // nothing is asked of it before it has started
}

// Outputs of this cycle against what the model did when the request was taken.
static void check_tokens(struct run *run) {
    Vdivergence_unit &rtl = run->rtl;
    if (!rtl.trace_token_valid_o) return;
    struct bench *bench = &run->bench;
    if (!run->busy) bench_fail(bench, "an event TOKEN without an instruction");
    const struct divergence *model = &run->warps[run->busy_warp].model;
    if (run->moves_seen < model->move_count) {
        const struct token_move *move = &model->moves[run->moves_seen];
        const bool leaves =
            move->token.kind == KIND_SVEND && (move->op == TOKEN_POP_USED || move->op == TOKEN_POP_THROWN);
        if (rtl.left_o != leaves || (leaves && rtl.left_warp_o != run->busy_warp))
            bench_fail(bench, "warp %u: it leaves a sequence: %u, model %u", run->busy_warp, rtl.left_o, leaves);
    }
    if (run->moves_seen >= model->move_count)
        bench_fail(bench, "warp %u: more events TOKEN than %u", run->busy_warp, model->move_count);
    const struct token_move *move = &model->moves[run->moves_seen++];
    uint64_t lo = 0, hi = 0;
    token_pack(THREADS, &move->token, &lo, &hi);
    if (rtl.trace_token_warp_o != run->busy_warp || rtl.trace_token_op_o != move->op ||
        rtl.trace_token_token_lo_o != lo || rtl.trace_token_token_hi_o != hi) {
        bench_fail(bench, "warp %u: TOKEN op %u %016llx_%016llx, model warp %u op %u %016llx_%016llx",
                   rtl.trace_token_warp_o, rtl.trace_token_op_o, (unsigned long long)rtl.trace_token_token_hi_o,
                   (unsigned long long)rtl.trace_token_token_lo_o, run->busy_warp, move->op, (unsigned long long)hi,
                   (unsigned long long)lo);
    }
    if (!token_deque_show(&run->warps[run->busy_warp].model.token_deque, move))
        bench_fail(bench, "warp %u: TOKEN op %u, but the token is in memory, or there is no room for it",
                   run->busy_warp, move->op);
}

// A token moves between the unit and memory: the twin says which one may.
static void check_token_move(struct run *run) {
    const Vdivergence_unit &rtl = run->rtl;
    if (!rtl.trace_token_move_valid_o) return;
    const uint32_t warp = rtl.trace_token_move_warp_o;
    uint32_t place;
    if (!token_deque_show_move(&run->warps[warp].model.token_deque, (enum token_move_value)rtl.trace_token_move_way_o,
                               &place) ||
        place != rtl.trace_token_move_place_o)
        bench_fail(&run->bench, "warp %u: TOKEN_MOVE way %u place %u", warp, rtl.trace_token_move_way_o,
                   rtl.trace_token_move_place_o);
    run->moved++;
}

static void check_done(struct run *run) {
    Vdivergence_unit &rtl = run->rtl;
    struct bench *bench = &run->bench;
    if (!rtl.done_valid_o) {
        if (run->busy && ++run->cycles > 100 * PLACES) bench_fail(bench, "warp %u: never done", run->busy_warp);
        return;
    }
    if (!run->busy) bench_fail(bench, "done without an instruction");
    const struct divergence_result *expect = &run->result;
    const struct divergence *model = &run->warps[run->busy_warp].model;
    const bool ended = rtl.done_ended_o;
    if (rtl.done_warp_o != run->busy_warp || rtl.done_fault_o != expect->fault || rtl.done_held_o != expect->held ||
        (expect->fault == FAULT_NONE && !expect->held &&
         (ended != expect->ended || (!ended && rtl.done_pc_o != expect->pc)))) {
        bench_fail(bench, "done: warp %u fault %u ended %u pc %06x, model warp %u fault %u ended %u pc %06x",
                   rtl.done_warp_o, rtl.done_fault_o, rtl.done_ended_o, rtl.done_pc_o, run->busy_warp, expect->fault,
                   expect->ended, expect->pc);
    }
    if (run->moves_seen != model->move_count) {
        bench_fail(bench, "warp %u: %u events TOKEN, model %u", run->busy_warp, run->moves_seen, model->move_count);
    }
    if (expect->fault == FAULT_DEQUE_FULL) *(model->token_deque.head == 0 ? &run->full_front : &run->full_back) += 1;
    run->held += expect->held;
    run->ended += expect->fault == FAULT_NONE && expect->ended;
    run->trap_on = run->warps[run->trap_warp].model.trapped;
    run->done++;
    run->busy = false;
}

// Threads of two warps that the unit is not working on.
static void check_threads(struct run *run) {
    Vdivergence_unit &rtl = run->rtl;
    const struct divergence *selected = &run->warps[rtl.sel_warp_i].model;
    const struct divergence *live = &run->warps[rtl.live_warp_i].model;
    const bool selected_known = !run->busy || rtl.sel_warp_i != run->busy_warp;
    const bool live_known = !run->busy || rtl.live_warp_i != run->busy_warp;
    if (selected_known && rtl.sel_inside_o != selected->inside) {
        bench_fail(&run->bench, "warp %u: inside %016llx, model %016llx", rtl.sel_warp_i,
                   (unsigned long long)rtl.sel_inside_o, (unsigned long long)selected->inside);
    }
    if (selected_known && rtl.sel_count_bound_o != selected->yields.count_bound) {
        bench_fail(&run->bench, "warp %u: bound of counts %u, model %u", rtl.sel_warp_i, rtl.sel_count_bound_o,
                   selected->yields.count_bound);
    }
    if (selected_known && rtl.sel_active_o != divergence_active(selected)) {
        bench_fail(&run->bench, "warp %u: active %016llx, model %016llx", rtl.sel_warp_i,
                   (unsigned long long)rtl.sel_active_o, (unsigned long long)divergence_active(selected));
    }
    rtl.stop_warp_i = rtl.sel_warp_i;
    rtl.eval();
    if (selected_known && rtl.stop_active_o != selected->reason[KIND_NONE])
        bench_fail(&run->bench, "warp %u: active without a trap %016llx, model %016llx", rtl.sel_warp_i,
                   (unsigned long long)rtl.stop_active_o, (unsigned long long)selected->reason[KIND_NONE]);
    if (selected_known && (rtl.partly_o >> rtl.sel_warp_i & 1u) != selected->resumed)
        bench_fail(&run->bench, "warp %u: an instruction done in part %u, model %u", rtl.sel_warp_i,
                   rtl.partly_o >> rtl.sel_warp_i & 1u, selected->resumed);
    for (uint32_t t = 0; live_known && t < THREADS; t++) {
        uint32_t reason = 0;
        for (uint32_t bit = 0; bit < 4; bit++) {
            const uint32_t at = bit * THREADS + t;
            reason |= (rtl.live_reasons_o[at / 32] >> at % 32 & 1u) << bit;
        }
        if ((live->reason[reason] >> t & 1) == 0)
            bench_fail(&run->bench, "warp %u: thread %u is off for %u, not in the model", rtl.live_warp_i, t, reason);
    }
    if (!run->busy && (rtl.popped_kind_o != run->popped.kind || rtl.popped_mask_o != run->popped.mask ||
                       rtl.popped_addr_o != run->popped.addr)) {
        bench_fail(&run->bench, "TPOP took kind %u mask %016llx addr %06x, model %u %016llx %06x", rtl.popped_kind_o,
                   (unsigned long long)rtl.popped_mask_o, rtl.popped_addr_o, run->popped.kind,
                   (unsigned long long)run->popped.mask, run->popped.addr);
    }
    if (live_known && rtl.live_o != divergence_live(live)) {
        bench_fail(&run->bench, "warp %u: live %016llx, model %016llx", rtl.live_warp_i, (unsigned long long)rtl.live_o,
                   (unsigned long long)divergence_live(live));
    }
}

static void take_request(struct run *run) {
    struct warp *warp = &run->warps[run->request_warp];
    const uint64_t waited = warp->model.reason[KIND_PORTION];
    divergence_execute(&warp->model, &run->request, &run->result);
    const uint32_t opcode = run->request.opcode;
    if (run->result.fault == FAULT_NONE && run->request.exec != 0) {
        run->traps += opcode == OP_TRET;
        run->leaves += opcode == OP_TLEAVE || opcode == OP_TEXIT;
        run->taken += opcode == OP_TPOP && run->result.took;
        run->put += opcode == OP_TPUSH && !run->result.held;
        run->set += opcode == OP_TREASON;
        if (opcode == OP_TRAP) run->trap_warp = run->request_warp;
        if (opcode == OP_TRAP || opcode == OP_TRET || opcode == OP_TLEAVE || opcode == OP_TEXIT)
            warp->model.trapped = opcode == OP_TRAP;
        if (opcode == OP_TPOP) {
            run->popped.kind = KIND_NONE;
            if (run->result.took) run->popped = run->result.popped;
        }
    }
    const bool branch = run->request.opcode == OP_BRA || run->request.opcode == OP_JMP;
    run->divided += branch && (warp->model.reason[KIND_PORTION] & ~waited) != 0;
    run->joined += branch && (waited & ~warp->model.reason[KIND_PORTION]) != 0;
    warp->pc = run->result.pc;
    if (run->result.fault != FAULT_NONE || run->result.ended || run->result.held) warp->alive = false;
    warp->held = run->result.held;
    warp->starts = run->request.opcode == OP_SVSTART && warp->held;
    run->sequences += run->request.opcode == OP_SVSTART && warp->model.inside != 0;
    run->portions += run->request.opcode == OP_SVEND && warp->model.reason[KIND_PORTION] != 0;
    run->split +=
        (run->request.opcode == OP_BRX || run->request.opcode == OP_JCALX) && run->request.group != run->request.exec;
    run->busy = true;
    run->serve = run->request.serve;
    run->busy_warp = run->request_warp;
    run->moves_seen = 0;
    run->cycles = 0;
    run->request_waits = false;
}

// The driver's part: the tokens in memory of a held warp go towards the middle, then the unit is told.
static void choose_soft(struct run *run) {
    if (run->soft_busy || !bench_chance(&run->bench, 1, 2)) return;
    const uint32_t w = bench_below(&run->bench, WARPS);
    const struct token_deque *deque = &run->warps[w].model.token_deque;
    if (!run->warps[w].held || (run->busy && run->busy_warp == w) || (run->start_waits && run->start_warp == w)) return;
    Vdivergence_unit &rtl = run->rtl;
    rtl.soft_warp_i = w;
    rtl.eval();
    const uint32_t front = rtl.soft_ends_o & 0xFFFF, back = rtl.soft_ends_o >> 16;
    const uint32_t first = front + (rtl.soft_kept_o & 0xFFFF), behind = back + (rtl.soft_kept_o >> 16);
    if (front != deque->head || back != PLACES - deque->tail || first + behind + token_deque_away(deque) != PLACES)
        bench_fail(&run->bench, "warp %u: ends %08x kept %08x, model %u to %u, %u in memory", w, rtl.soft_ends_o,
                   rtl.soft_kept_o, deque->head, deque->tail, token_deque_away(deque));
    const uint32_t step = 1 + bench_below(&run->bench, front + back);
    run->soft_places = front == 0 ? (int32_t)step : -(int32_t)step;
    std::map<uint32_t, std::array<uint8_t, 32>> &lines = run->memory.lines;
    const uint32_t from = BASE + (w * PLACES + first) * BYTES, count = (PLACES - behind - first) * BYTES;
    std::deque<uint8_t> bytes;
    for (uint32_t at = from; at < from + count; at++)
        bytes.push_back(lines[at & ~31u][at % 32]);
    for (uint32_t at = 0; at < count; at++) {
        const uint32_t to = from + at + (uint32_t)run->soft_places * BYTES;
        lines[to & ~31u][to % 32] = bytes[at];
    }
    run->soft_busy = run->soft_valid = true;
    run->soft_warp = w;
}

static void take_soft(struct run *run) {
    struct warp *warp = &run->warps[run->soft_warp];
    token_deque_move(&warp->model.token_deque, run->soft_places);
    run->soft_valid = run->soft_busy = false;
    warp->held = false;
    warp->alive = true;
}

static void cycle(struct run *run) {
    Vdivergence_unit &rtl = run->rtl;
    rtl.req_valid_i = run->request_waits;
    rtl.req_warp_i = run->request_warp;
    rtl.req_opcode_i = run->request.opcode;
    rtl.req_pc_i = run->request.pc;
    rtl.req_exec_i = run->request.exec;
    rtl.req_target_i = run->request.target;
    rtl.req_group_i = run->request.group;
    rtl.req_mod_i = run->request.mod;
    rtl.req_second_i = run->request.second;
    rtl.req_watch_i = run->request.watch;
    rtl.serve_i = run->busy ? run->serve : run->request.serve;
    rtl.trap_on_i = run->trap_on;
    rtl.trap_warp_i = run->trap_warp;
    rtl.soft_valid_i = run->soft_valid;
    rtl.soft_warp_i = run->soft_warp;
    rtl.soft_places_i = (uint16_t)run->soft_places;
    rtl.start_seed_i = run->start_seed;
    rtl.start_valid_i = run->start_waits;
    rtl.start_warp_i = run->start_warp;
    rtl.start_mask_i = run->start_mask;
    rtl.sel_warp_i = bench_below(&run->bench, WARPS);
    rtl.live_warp_i = bench_below(&run->bench, WARPS);
    line_drive(&run->bench, rtl, &run->memory, rtl.req_memory_ready_i, rtl.rsp_memory_valid_i, rtl.rsp_memory_data_i,
               rtl.rsp_memory_fault_i);
    rtl.eval();
    check_threads(run);
    check_token_move(run);
    check_tokens(run);
    check_done(run);
    if (run->soft_valid && rtl.soft_ready_o) take_soft(run);
    if (run->start_waits && rtl.start_ready_o) {
        struct warp *warp = &run->warps[run->start_warp];
        if (run->trap_warp == run->start_warp) run->trap_on = false;
        token_deque_resize(&warp->model.token_deque, PLACES, HALF);
        divergence_start(&warp->model, run->start_mask);
        divergence_seed(&warp->model, run->start_seed);
        warp->alive = true;
        warp->pc = bench_below(&run->bench, 1u << 22);
        warp->mood = (enum mood)bench_below(&run->bench, MOODS);
        warp->watched = bench_chance(&run->bench, 1, 2);
        run->start_waits = false;
    }
    if (run->request_waits && rtl.req_ready_o) take_request(run);
    struct line_request request;
    if (line_take(rtl.req_memory_valid_o, rtl.req_memory_ready_i, rtl.req_memory_op_o, rtl.req_memory_addr_o,
                  rtl.req_memory_wstrb_o, rtl.req_memory_wdata_o, &request))
        line_accept(&run->bench, &run->memory, &request, 0);
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 1000000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    for (uint32_t w = 0; w < WARPS; w++) {
        if (!divergence_init(&run.warps[w].model, THREADS, LANES, PLACES)) bench_fail(&run.bench, "no memory");
    }
    run.rtl.req_valid_i = 0;
    run.rtl.start_valid_i = 0;
    run.rtl.soft_valid_i = 0;
    run.rtl.start_seed_i = 0;
    run.rtl.trap_on_i = 0;
    run.rtl.memory_i = BASE >> 12;
    run.rtl.memory_size_i = SIZE;
    run.rtl.req_memory_ready_i = run.rtl.rsp_memory_valid_i = 0;
    reset(run.rtl);
    for (uint32_t w = 0; w < WARPS; w++) {  // all warps once, so that no thread is in an unknown state
        run.start_warp = w;
        run.start_mask = ALL;
        run.rtl.start_warp_i = w;
        run.rtl.start_mask_i = ALL;
        run.rtl.start_valid_i = 1;
        run.rtl.eval();
        for (uint32_t waited = 0; !run.rtl.start_ready_o;
             waited++) {  // the counts of the warp before are cleared, a portion a cycle
            if (waited == THREADS / LANES) bench_fail(&run.bench, "idle, and takes no start");
            tick(run.rtl);
            run.rtl.eval();
        }
        tick(run.rtl);
        token_deque_resize(&run.warps[w].model.token_deque, PLACES, HALF);
        divergence_start(&run.warps[w].model, ALL);
        run.warps[w].alive = true;
    }
    while (bench_more(&run.bench)) {
        const uint64_t before = run.done;
        uint32_t patience = 0;
        while (run.done == before) {
            if (!run.request_waits && !bench_chance(&run.bench, 1, 6)) choose_request(&run);
            if (!run.start_waits) choose_start(&run);
            choose_soft(&run);
            if (!run.busy && ++patience > 10000) bench_fail(&run.bench, "takes no request");
            cycle(&run);
        }
    }
    // A run of this length that never came to a bound has not tried what it is for.
    if (run.bench.ops >= 500000 &&
        (run.full_front == 0 || run.full_back == 0 || run.counted == 0 || run.ended == 0 || run.held == 0 ||
         run.split == 0 || run.sequences == 0 || run.traps == 0 || run.taken == 0 || run.put == 0 || run.set == 0 ||
         run.moved == 0 || run.stops == 0 || run.leaves == 0 ||
         (THREADS > LANES && (run.portions == 0 || run.divided == 0 || run.joined == 0)))) {
        bench_fail(&run.bench,
                   "the run reached the front bound %" PRIu64 " times, the back bound %" PRIu64 " times, %" PRIu64
                   " ends of warps, %" PRIu64 " held, %" PRIu64 " split, %" PRIu64 " sequences, %" PRIu64
                   " portions, %" PRIu64 " divided, %" PRIu64 " joined, %" PRIu64 " counters at their end",
                   run.full_front, run.full_back, run.ended, run.held, run.split, run.sequences, run.portions,
                   run.divided, run.joined, run.counted);
    }
    run.rtl.final();
    for (uint32_t w = 0; w < WARPS; w++)
        divergence_free(&run.warps[w].model);
    printf("front bound reached %" PRIu64 " times, back bound %" PRIu64 " times, %" PRIu64 " warps ended, %" PRIu64
           " held, %" PRIu64 " indirect branches and calls split, %" PRIu64 " sequences, %" PRIu64
           " further portions, %" PRIu64 " branches divide portions, %" PRIu64 " join them, %" PRIu64
           " counters of YIELD at their end, %" PRIu64 " traps, %" PRIu64 " tokens taken, %" PRIu64 " put, %" PRIu64
           " reasons set, %" PRIu64 " stopped, %" PRIu64 " left\n",
           run.full_front, run.full_back, run.ended, run.held, run.split, run.sequences, run.portions, run.divided,
           run.joined, run.counted, run.traps, run.taken, run.put, run.set, run.stops, run.leaves);
    return bench_end(&run.bench);
}
