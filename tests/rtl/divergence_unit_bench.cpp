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

#include "divergence_program.h"

// Outputs of this cycle against what the model did when the request was taken.
static void check_tokens(struct run *run) {
    Vdivergence_unit &rtl = run->rtl;
    if (!rtl.trace_token_valid_o) return;
    struct bench *bench = &run->bench;
    if (!run->busy) bench_fail(bench, "an event TOKEN without an instruction");
    if (run->warps[run->busy_warp].lost)
        bench_fail(bench, "warp %u: an event TOKEN, and its tokens are lost", run->busy_warp);
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

// Memory has failed while the instruction was under way, after the twin had done it: the warp's tokens are gone, and
// nobody asks for its threads any more.
static bool lost_meanwhile(struct run *run) {
    struct warp *warp = &run->warps[run->busy_warp];
    if (run->rtl.done_fault_o != FAULT_DEQUE_MEMORY || !warp->lost || warp->model.token_deque.failed) return false;
    const bool needs =
        run->moves_seen < warp->model.move_count || run->result.held || run->result.fault == FAULT_DEQUE_FULL;
    if (!needs || run->rtl.done_held_o) return false;
    warp->unknown = true;
    warp->alive = warp->held = false;
    if (run->request_warp == run->busy_warp) run->request_waits = false;
    return true;
}

// A step, of two cycles, for each token that moves; one where none does, and one more where a pop wakes nobody.
static void check_cycles(struct run *run) {
    struct bench *bench = &run->bench;
    const uint32_t moves = run->warps[run->busy_warp].model.move_count, cycles = run->cycles + 1;
    if (cycles < 2 * moves) bench_fail(bench, "warp %u: %u tokens move in %u cycles", run->busy_warp, moves, cycles);
    const bool needs_room = run->result.held || run->result.fault == FAULT_DEQUE_FULL;
    const uint32_t opcode = run->busy_opcode;
    if (needs_room || (moves != 0 && !run->few)) return;  // it may wait for memory
    // A YIELD does not look at counts while those of a warp that has just started are written.
    const bool yields = opcode == OP_YIELD, pops = yields || opcode == OP_SVEND || leaves(opcode);
    const uint32_t most = yields
                              ? 2 * (moves + 1) + (run->started <= run->cycles + THREADS / LANES ? THREADS / LANES : 0)
                          : pops ? 2 * (moves + 2)
                                 : 2 * (moves == 0 ? 1 : moves);
    if (cycles > most)
        bench_fail(bench, "warp %u: opcode %u, of which %u tokens move, is done in %u cycles", run->busy_warp, opcode,
                   moves, cycles);
}

// Who is heard, and when: a start while no instruction is under way, what software has moved before both; an instruction
// then too, and already in the last cycle of one that moves no token in it, if no start waits.
static void check_ready(struct run *run) {
    const Vdivergence_unit &rtl = run->rtl;
    const struct bench *bench = &run->bench;
    const uint32_t opcode = run->busy_opcode;
    const bool last =
        run->busy && rtl.done_valid_o && !rtl.trace_token_valid_o && rtl.done_fault_o == FAULT_NONE && !rtl.done_held_o;
    const bool counts = run->yielded <= THREADS / LANES;  // or may do so
    if (rtl.soft_ready_o && run->busy) bench_fail(bench, "soft_ready_o beside an instruction");
    if (run->soft_valid && !run->busy && !rtl.soft_ready_o)
        bench_fail(bench, "warp %u: its tokens have been moved, and nobody hears of it", run->soft_warp);
    if (rtl.start_ready_o && (run->busy || run->soft_valid)) bench_fail(bench, "start_ready_o beside something else");
    if (rtl.req_ready_o &&
        (run->soft_valid || (run->busy && (!rtl.done_valid_o || rtl.trace_token_valid_o || run->start_waits))))
        bench_fail(bench, "req_ready_o beside something else");
    const bool free = !run->soft_valid && (run->busy ? last && !run->start_waits && opcode != OP_YIELD : !counts);
    if (free && !rtl.req_ready_o) bench_fail(bench, "no instruction is taken, and nothing is under way");
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
    if (run->busy_opcode == OP_YIELD) run->yielded = 0;
    if (lost_meanwhile(run)) {
        run->lost++;
        run->trap_on = run->warps[run->trap_warp].model.trapped;
        run->done++;
        run->busy = false;
        return;
    }
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
    check_cycles(run);
    if (expect->fault == FAULT_DEQUE_FULL) *(model->token_deque.head == 0 ? &run->full_front : &run->full_back) += 1;
    run->held += expect->held;
    run->really_full += expect->fault == FAULT_DEQUE_FULL && run->serve;
    run->ended += expect->fault == FAULT_NONE && expect->ended;
    run->trap_on = run->warps[run->trap_warp].model.trapped;
    run->lost += expect->fault == FAULT_DEQUE_MEMORY;
    run->done++;
    run->busy = false;
}

// Threads of two warps that the unit is not working on.
static void check_threads(struct run *run) {
    Vdivergence_unit &rtl = run->rtl;
    const struct divergence *selected = &run->warps[rtl.sel_warp_i].model;
    const struct divergence *live = &run->warps[rtl.live_warp_i].model;
    const auto known = [run](uint32_t w) { return !run->warps[w].unknown && !(run->busy && w == run->busy_warp); };
    const bool selected_known = known(rtl.sel_warp_i), live_known = known(rtl.live_warp_i);
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
    rtl.look_warp_i = rtl.live_warp_i;
    rtl.eval();
    if (selected_known && rtl.trace_stop_active_o != selected->reason[KIND_NONE])
        bench_fail(&run->bench, "warp %u: active without a trap %016llx, model %016llx", rtl.sel_warp_i,
                   (unsigned long long)rtl.trace_stop_active_o, (unsigned long long)selected->reason[KIND_NONE]);
    if (live_known && rtl.look_active_o != live->reason[KIND_NONE])
        bench_fail(&run->bench, "warp %u: active %016llx, model %016llx", rtl.look_warp_i,
                   (unsigned long long)rtl.look_active_o, (unsigned long long)live->reason[KIND_NONE]);
    if (live_known && rtl.live_split_o != (live->reason[KIND_PORTION] != 0))
        bench_fail(&run->bench, "warp %u: portions wait: %u, model %u", rtl.live_warp_i, rtl.live_split_o,
                   live->reason[KIND_PORTION] != 0);
    if (selected_known && (rtl.partly_o >> rtl.sel_warp_i & 1u) != selected->resumed)
        bench_fail(&run->bench, "warp %u: an instruction done in part %u, model %u", rtl.sel_warp_i,
                   rtl.partly_o >> rtl.sel_warp_i & 1u, selected->resumed);
    uint64_t planes[4];
    for (uint32_t bit = 0; bit < 4; bit++) {
        rtl.live_plane_i = bit;
        rtl.eval();
        planes[bit] = rtl.live_plane_o;
    }
    for (uint32_t t = 0; live_known && t < THREADS; t++) {
        uint32_t reason = 0;
        for (uint32_t bit = 0; bit < 4; bit++)
            reason |= (uint32_t)(planes[bit] >> t & 1) << bit;
        if ((live->reason[reason] >> t & 1) == 0)
            bench_fail(&run->bench, "warp %u: thread %u is off for %u, not in the model", rtl.live_warp_i, t, reason);
    }
    if (!run->busy && (rtl.popped_kind_o != run->popped.kind || rtl.popped_mask_o != run->popped.mask ||
                       rtl.popped_addr_o != run->popped.addr)) {
        bench_fail(&run->bench, "TPOP took kind %u mask %016llx addr %06x, model %u %016llx %06x", rtl.popped_kind_o,
                   (unsigned long long)rtl.popped_mask_o, rtl.popped_addr_o, run->popped.kind,
                   (unsigned long long)run->popped.mask, run->popped.addr);
    }
    if (live_known && rtl.live_rest_o != (divergence_live(live) != live->reason[KIND_NONE]))
        bench_fail(&run->bench, "warp %u: threads are off and have not ended: %u, model %016llx of %016llx",
                   rtl.live_warp_i, rtl.live_rest_o, (unsigned long long)live->reason[KIND_NONE],
                   (unsigned long long)divergence_live(live));
}

static void take_request(struct run *run) {
    struct warp *warp = &run->warps[run->request_warp];
    const uint64_t waited = warp->model.reason[KIND_PORTION];
    warp->model.token_deque.failed = warp->lost || warp->losing;
    run->few = token_deque_count(&warp->model.token_deque) <= 1;
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
    }
    if (opcode == OP_TPOP && run->request.exec != 0) {
        run->popped.kind = KIND_NONE;
        if (run->result.took) run->popped = run->result.popped;
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
    run->busy_opcode = opcode;
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
    if (bench_chance(&run->bench, 1, 4)) warp->deep = 2 * PLACES;
}

static void cycle(struct run *run) {
    Vdivergence_unit &rtl = run->rtl;
    rtl.req_valid_i = run->request_waits;
    rtl.req_warp_i = run->request_warp;
    rtl.req_opcode_i = run->request.opcode;
    rtl.req_next_i = (run->request.pc + 1) & 0x3FFFFF;
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
    rtl.start_comes_i = run->start_waits || bench_chance(&run->bench, 1, 4);
    rtl.start_warp_i = run->start_warp;
    rtl.start_mask_i = run->start_mask;
    rtl.sel_warp_i = bench_below(&run->bench, WARPS);
    rtl.live_warp_i = bench_below(&run->bench, WARPS);
    const struct line_answer *answer =
        line_drive(&run->bench, rtl, &run->memory, rtl.req_memory_ready_i, rtl.rsp_memory_valid_i,
                   rtl.rsp_memory_data_i, rtl.rsp_memory_fault_i);
    if (answer != nullptr && answer->fault != 0) run->warps[answer->tag].losing = true;
    rtl.eval();
    check_ready(run);
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
        warp->deep = 0;
        warp->watched = bench_chance(&run->bench, 1, 2);
        warp->lost = warp->losing = warp->unknown = false;
        warp->serves = bench_chance(&run->bench, 1, 2);
        run->start_waits = false;
        run->started = 0;
    }
    if (run->request_waits && rtl.req_ready_o) take_request(run);
    struct line_request request;
    if (line_take(rtl.req_memory_valid_o, rtl.req_memory_ready_i, rtl.req_memory_op_o, rtl.req_memory_addr_o,
                  rtl.req_memory_wstrb_o, rtl.req_memory_wdata_o, &request))
        line_accept(&run->bench, &run->memory, &request, (request.addr - BASE) / (PLACES * BYTES));
    for (struct warp &warp : run->warps) {
        warp.lost = warp.lost || warp.losing;
        warp.losing = false;
    }
    run->yielded++;
    run->started++;
    tick(rtl);
}

// In reset nobody is heard, and nothing is done, whatever the registers came up with.
static void reset_while_asked(struct run *run) {
    Vdivergence_unit &rtl = run->rtl;
    rtl.clk_i = 0;
    rtl.rst_i = 1;
    for (int i = 0; i < 4; i++) {
        rtl.req_valid_i = rtl.start_valid_i = rtl.start_comes_i = rtl.soft_valid_i = i < 3;
        rtl.eval();
        if (rtl.req_ready_o || rtl.start_ready_o || rtl.soft_ready_o || rtl.done_valid_o || rtl.left_o ||
            rtl.trace_token_valid_o)
            bench_fail(&run->bench, "it does something in reset");
        tick(rtl);
    }
    rtl.rst_i = 0;
    rtl.eval();
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
    run.rtl.start_valid_i = run.rtl.start_comes_i = 0;
    run.rtl.soft_valid_i = 0;
    run.rtl.start_seed_i = 0;
    run.rtl.trap_on_i = 0;
    run.rtl.memory_i = BASE >> 12;
    run.rtl.memory_size_i = SIZE;
    run.rtl.req_memory_ready_i = run.rtl.rsp_memory_valid_i = 0;
    reset_while_asked(&run);
    for (uint32_t w = 0; w < WARPS; w++) {  // all warps once, so that no thread is in an unknown state
        run.start_warp = w;
        run.start_mask = ALL;
        run.rtl.start_warp_i = w;
        run.rtl.start_mask_i = ALL;
        run.rtl.start_valid_i = run.rtl.start_comes_i = 1;
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
        if (bench_chance(&run.bench, 1, 5000)) {  // for a while memory fails now and then
            run.memory.fail_part = bench_chance(&run.bench, 1, 3) ? 1 : 0;
            run.memory.fail_whole = 30 + bench_below(&run.bench, 300);
        }
        uint32_t patience = 0;
        while (run.done == before) {
            if (!run.request_waits && !bench_chance(&run.bench, 1, 6)) choose_request(&run);
            if (!run.start_waits) choose_start(&run);
            choose_soft(&run);
            if (!run.busy && ++patience > 10000) bench_fail(&run.bench, "takes no request");
            cycle(&run);
        }
    }
    // A reset in the cycle in which an instruction would be done.
    run.rtl.start_valid_i = run.rtl.start_comes_i = run.rtl.soft_valid_i = run.start_waits = run.soft_valid = false;
    for (uint32_t patience = 0; !run.rtl.done_valid_o; patience++) {
        if (patience > 10000) bench_fail(&run.bench, "no instruction comes to its end");
        if (!run.request_waits) choose_request(&run);
        cycle(&run);
        run.rtl.eval();
    }
    reset_while_asked(&run);
    // A run of this length that never came to a bound has not tried what it is for.
    if (run.bench.ops >= 500000 &&
        (run.full_front == 0 || run.full_back == 0 || run.counted == 0 || run.ended == 0 || run.held == 0 ||
         run.split == 0 || run.sequences == 0 || run.traps == 0 || run.taken == 0 || run.put == 0 || run.set == 0 ||
         run.moved == 0 || run.stops == 0 || run.leaves == 0 || run.lost == 0 || run.really_full == 0 ||
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
           " reasons set, %" PRIu64 " stopped, %" PRIu64 " left, %" PRIu64 " have lost tokens, %" PRIu64
           " found no room at either end\n",
           run.full_front, run.full_back, run.ended, run.held, run.split, run.sequences, run.portions, run.divided,
           run.joined, run.counted, run.traps, run.taken, run.put, run.set, run.stops, run.leaves, run.lost,
           run.really_full);
    return bench_end(&run.bench);
}
