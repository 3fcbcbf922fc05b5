// warp_table: random warps that start, are picked, go back or on, execute, wait, are held, stopped and killed, fault and end; every output in
// every cycle against a record of each warp, changed as the head of warp_table.sv says. There is no C twin of it: in the model a warp waits
// for nothing. What comes in is what the units around could say: the ways of an instruction are those of the issue stage.
// Compiled with -DWARPS= -DTASK_SLOTS= as the unit was verilated.
#include <verilated.h>

#include <vector>

#include "Vwarp_table.h"
#include "bench.h"
#include "gen/bundles.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "gen/registers.h"
}

static const uint32_t WARP_W = WARPS > 1 ? index_bits(WARPS) : 1, SLOT_W = TASK_SLOTS > 1 ? index_bits(TASK_SLOTS) : 1;
static const uint32_t REG_W = 8, MOST = 15, SETTLES = 5;

struct warp {
    bool live, ready, fetching, executing, barrier, held, faulted;
    bool score, line, memory, shared, launch, control;  // what it waits for when it is ready
    uint32_t ahead;                                     // picked for so many instructions behind one that is on its way
    uint32_t lanes_flight, memory_flight;               // instructions
    bool settles[SETTLES];                              // something ended so many cycles ago
    uint32_t unit;                                      // whose end it waits for, when it executes
    uint32_t pc, instr_pc, slot, cta, index, base, fetch_fault;
    bool instr_known;
};

struct table_run {
    struct bench bench;
    Vwarp_table rtl;
    struct warp warps[WARPS];
    std::vector<uint32_t> front;  // warps in the front end, the first goes next
    uint32_t kill, stops;
    bool slow_front, slow_ends;  // for a while little goes on there, so that warps have much in flight
    uint64_t ends, killed, stopped, faults, helds, awake, follows, drops, losses, waits;
};

static bool is_killed(const struct table_run *run, const struct warp &w) {
    return w.live && (run->kill >> w.slot & 1);
}
static uint32_t flight(const struct warp &w) {
    return w.lanes_flight + w.memory_flight;
}
static bool settles(const struct warp &w) {
    return w.settles[0] || w.settles[1] || w.settles[2] || w.settles[3];
}
static bool drained(const struct warp &w) {
    return flight(w) == 0 && !settles(w);
}
static bool may_ahead(const struct table_run *run, uint32_t i) {
    const struct warp &w = run->warps[i];
    return w.fetching && w.ahead < 2 && !is_killed(run, w) && !w.faulted && (run->stops >> i & 1) == 0;
}
static bool may_stop(const struct table_run *run, uint32_t i) {
    const struct warp &w = run->warps[i];
    const bool asks = run->rtl.fetch_busy_i && run->rtl.fetch_owed_warp_i == i;
    return w.ready && run->stops >> i & 1 && drained(w) && !is_killed(run, w) && !asks;
}
static bool waits(const struct table_run *run, uint32_t i) {
    const Vwarp_table &rtl = run->rtl;
    const struct warp &w = run->warps[i];
    const bool turn = rtl.turn_i >> i & 1, launch_turn = rtl.launch_turn_i >> i & 1;
    const bool owed = rtl.fetch_owed_i && rtl.fetch_owed_warp_i == i;
    return rtl.sleeps_i >> i & 1 || w.score || (w.line && (rtl.fetch_busy_i || rtl.fetch_owed_i) && !owed) ||
           (w.memory && !(rtl.memory_free_i && turn)) || (w.shared && !(rtl.shared_free_i && turn)) ||
           (w.control && !(rtl.control_free_i && turn)) || (w.launch && !(rtl.launch_free_i && launch_turn));
}
static bool eligible(const struct table_run *run, uint32_t i) {
    const struct warp &w = run->warps[i];
    if (may_stop(run, i) && run->rtl.stop_open_i) return true;
    return w.ready && !waits(run, i) && !is_killed(run, w) && (run->stops >> i & 1) == 0;
}
static bool endable(const struct table_run *run, uint32_t i) {
    const struct warp &w = run->warps[i];
    return is_killed(run, w) && (w.ready || w.barrier || w.held || w.faulted) && !w.fetching && !w.executing &&
           drained(w) && !w.settles[4] && !(w.line && run->rtl.fetch_busy_i) &&
           (run->rtl.barrier_release_i >> i & 1) == 0;
}

static uint32_t any_of(struct table_run *run, uint32_t mask) {
    uint32_t w = bench_below(&run->bench, WARPS);
    while ((mask >> w & 1) == 0)
        w = (w + 1) % WARPS;
    return w;
}

// A state of the units around, which stays for a while.
static void surroundings(struct table_run *run) {
    struct bench *bench = &run->bench;
    Vwarp_table &rtl = run->rtl;
    const uint32_t all = WARPS >= 32 ? 0xFFFFFFFFu : (1u << WARPS) - 1;
    if (bench_chance(bench, 1, 100)) run->slow_front = bench_chance(bench, 1, 3);
    if (bench_chance(bench, 1, 100)) run->slow_ends = bench_chance(bench, 1, 2);
    if (bench_chance(bench, 1, 4)) rtl.memory_free_i = bench_below(bench, 2);
    if (bench_chance(bench, 1, 4)) rtl.shared_free_i = bench_below(bench, 2);
    if (bench_chance(bench, 1, 4)) rtl.launch_free_i = bench_below(bench, 2);
    if (bench_chance(bench, 1, 4)) rtl.control_free_i = bench_below(bench, 2);
    if (bench_chance(bench, 1, 10)) rtl.turn_i = bench_chance(bench, 1, 2) ? all : bench_mask(bench, WARPS);
    if (bench_chance(bench, 1, 10)) rtl.launch_turn_i = bench_chance(bench, 1, 2) ? all : bench_mask(bench, WARPS);
    if (bench_chance(bench, 1, 10)) rtl.sleeps_i = bench_chance(bench, 3, 4) ? 0 : bench_mask(bench, WARPS);
    if (bench_chance(bench, 1, 8)) rtl.stop_open_i = bench_below(bench, 2);
    if (bench_chance(bench, 1, 30)) run->stops = bench_chance(bench, 1, 2) ? 0 : bench_mask(bench, WARPS);
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        bool there = false;
        for (const auto &w : run->warps)
            there = there || (w.live && w.slot == k);
        if (bench_chance(bench, 1, 150)) run->kill |= 1u << k;
        if (!there && bench_chance(bench, 1, 4)) run->kill &= ~(1u << k);
    }
    rtl.slot_kill_i = (uint8_t)run->kill;
    rtl.stops_i = run->stops;
    if (bench_chance(bench, 1, 5)) {
        const uint32_t what = bench_below(bench, 3);
        rtl.fetch_busy_i = what == 1;
        rtl.fetch_owed_i = what == 2;
        rtl.fetch_owed_warp_i = (uint8_t)bench_below(bench, WARPS);
    }
    rtl.fetch_refused_i = bench_chance(bench, 1, 20);
    rtl.fetch_refused_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.fetch_refused_fault_i = (uint8_t)bench_below(bench, 4);
    rtl.row_cleared_i = bench_chance(bench, 1, 6);
    rtl.row_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.loaded_cleared_i = bench_chance(bench, 1, 6);
    rtl.loaded_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.pred_cleared_i = bench_chance(bench, 1, 6);
    rtl.pred_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.resume_i = bench_chance(bench, 1, 6);
    rtl.resume_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.look_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.barrier_release_i = 0;
    for (uint32_t i = 0; i < WARPS; i++)
        if (run->warps[i].barrier && bench_chance(bench, 1, 12)) rtl.barrier_release_i |= 1u << i;
}

static void start(struct table_run *run) {
    struct bench *bench = &run->bench;
    Vwarp_table &rtl = run->rtl;
    const uint32_t w = bench_below(bench, WARPS);
    rtl.start_i = !run->warps[w].live && bench_chance(bench, 1, 3);
    rtl.start_warp_i = (uint8_t)w;
    rtl.start_slot_i = (uint8_t)bench_below(bench, TASK_SLOTS);
    rtl.start_cta_i = (uint8_t)bench_below(bench, WARPS);
    rtl.start_index_i = (uint8_t)bench_below(bench, WARPS);
    rtl.start_base_i = (uint8_t)bench_random(bench);
    rtl.start_pc_i = bench_below(bench, 1u << 22);
}

// Nothing of a warp is in the front end any more.
static void leave(struct table_run *run, uint32_t warp) {
    for (size_t k = 0; k < run->front.size(); k++)
        if (run->front[k] == warp) run->front.erase(run->front.begin() + (long)k--);
}

// What the issue stage says of the first warp in the front end, and fetch of another. True: the warp's fault is told.
static bool front_end(struct table_run *run) {
    struct bench *bench = &run->bench;
    Vwarp_table &rtl = run->rtl;
    rtl.issue_go_i = rtl.issue_retry_i = rtl.issue_counted_i = rtl.issue_stays_i = rtl.fetch_miss_i = 0;
    rtl.issue_waits_for_i = (uint8_t)bench_below(bench, 5);
    rtl.issue_counted_memory_i = bench_chance(bench, run->slow_ends ? 9 : 5, 10);
    rtl.issue_retry_memory_i = rtl.issue_retry_shared_i = rtl.issue_retry_launch_i = rtl.issue_retry_score_i = 0;
    rtl.issue_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.issue_pc_i = bench_below(bench, 1u << 22);
    rtl.fetch_miss_warp_i = (uint8_t)bench_below(bench, WARPS);
    // The first one of a warp may miss: those behind it are dropped.
    if (run->front.size() > 1 && run->front.back() != run->front.front() && bench_chance(bench, 1, 6)) {
        rtl.fetch_miss_i = 1;
        rtl.fetch_miss_warp_i = (uint8_t)run->front.back();
        run->losses += run->warps[run->front.back()].ahead != 0;
        leave(run, run->front.back());
    }
    if (run->front.empty()) return false;
    if (bench_chance(bench, run->slow_front ? 11 : 3, 12)) {
        rtl.issue_stays_i = bench_chance(bench, 1, 2);
        if (rtl.issue_stays_i) rtl.issue_warp_i = (uint8_t)run->front.front();
        return false;
    }
    const uint32_t i = run->front.front();
    struct warp &w = run->warps[i];
    rtl.issue_warp_i = (uint8_t)i;
    run->front.erase(run->front.begin());
    if (!w.faulted && bench_chance(bench, 1, 40)) return true;
    if (w.faulted || flight(w) == MOST || bench_chance(bench, 1, 4)) {
        rtl.issue_retry_i = 1;
        uint8_t *const why[] = {&rtl.issue_retry_memory_i, &rtl.issue_retry_shared_i, &rtl.issue_retry_launch_i};
        const uint32_t what = bench_below(bench, 5);
        if (what < 3) *why[what] = 1;
        if (what == 3 || bench_chance(bench, 1, 4)) rtl.issue_retry_score_i = 1;
        return false;
    }
    rtl.issue_go_i = 1;
    const uint32_t unit = w.ahead != 0 ? (uint32_t)UNIT_NONE : bench_below(bench, 10);
    rtl.issue_waits_for_i = (uint8_t)(unit <= UNIT_CONTROL ? unit : (uint32_t)UNIT_NONE);
    if (unit == 4 && drained(w)) rtl.issue_waits_for_i = UNIT_BARRIER;
    if (rtl.issue_waits_for_i == UNIT_NONE) rtl.issue_counted_i = bench_chance(bench, 3, 4);
    return false;
}

// Ends of what executes and of what is in flight. fault: of the warp in the issue stage.
static void ends(struct table_run *run, bool fault) {
    struct bench *bench = &run->bench;
    Vwarp_table &rtl = run->rtl;
    uint32_t by_unit[8] = {0}, lanes = 0, memory = 0;
    for (uint32_t i = 0; i < WARPS; i++) {
        const struct warp &w = run->warps[i];
        if (w.executing) by_unit[w.unit] |= 1u << i;
        if (w.lanes_flight != 0) lanes |= 1u << i;
        if (w.memory_flight != 0) memory |= 1u << i;
    }
    rtl.lanes_done_waited_i = rtl.lanes_done_counted_i = rtl.launch_done_valid_i = rtl.memory_done_valid_i = 0;
    rtl.control_done_i = rtl.control_done_ended_i = rtl.control_stays_i = rtl.hold_i = rtl.fault_i =
        rtl.fault_memory_i = 0;
    rtl.lanes_done_warp_i = (uint8_t)bench_below(bench, WARPS);
    if (by_unit[UNIT_LANES] != 0 && bench_chance(bench, 1, 3)) {
        rtl.lanes_done_waited_i = 1;
        rtl.lanes_done_warp_i = (uint8_t)any_of(run, by_unit[UNIT_LANES]);
    } else if (lanes != 0 && bench_chance(bench, 1, run->slow_ends ? 60 : 4)) {
        rtl.lanes_done_counted_i = 1;
        rtl.lanes_done_warp_i = (uint8_t)any_of(run, lanes);
    }
    rtl.launch_done_warp_i = (uint8_t)bench_below(bench, WARPS);
    if (by_unit[UNIT_MEMORY] != 0 && bench_chance(bench, 1, 3)) {
        rtl.launch_done_valid_i = 1;
        rtl.launch_done_warp_i = (uint8_t)any_of(run, by_unit[UNIT_MEMORY]);
    }
    rtl.memory_done_warp_i = (uint8_t)bench_below(bench, WARPS);
    if (memory != 0 && bench_chance(bench, 1, run->slow_ends ? 60 : 5)) {
        rtl.memory_done_valid_i = 1;
        rtl.memory_done_warp_i = (uint8_t)any_of(run, memory);
    }
    // One fault in a cycle: of the issue stage, of a control instruction, or of memory, which may not be the warp's first.
    rtl.fault_warp_i = fault ? rtl.issue_warp_i : (uint8_t)bench_below(bench, WARPS);
    rtl.fault_i = fault;
    uint32_t control = by_unit[UNIT_CONTROL];
    if (!fault && memory != 0 && bench_chance(bench, 1, 40)) {
        const uint32_t i = any_of(run, memory);
        const struct warp &w = run->warps[i];
        const bool ends_too = rtl.memory_done_valid_i && rtl.memory_done_warp_i == i;
        if (!ends_too || w.memory_flight > 1) {
            rtl.fault_warp_i = (uint8_t)i;
            rtl.fault_memory_i = 1;
            rtl.fault_i = !w.faulted;
        }
    }
    rtl.control_done_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.control_done_pc_i = bench_below(bench, 1u << 22);
    rtl.hold_warp_i = (uint8_t)bench_below(bench, WARPS);
    if (control != 0 && bench_chance(bench, 1, run->slow_front ? 20 : 3)) {
        const uint32_t i = any_of(run, control);
        const struct warp &w = run->warps[i];
        const uint32_t how = bench_below(bench, 12);
        if (how == 0 && !w.faulted && !rtl.fault_i) {
            rtl.fault_i = 1;
            rtl.fault_memory_i = 0;
            rtl.fault_warp_i = (uint8_t)i;
        } else if (how == 1 && !w.faulted && flight(w) == 0) {
            rtl.hold_i = 1;
            rtl.hold_warp_i = (uint8_t)i;
        } else {
            rtl.control_done_i = 1;
            rtl.control_done_warp_i = (uint8_t)i;
            rtl.control_done_ended_i = how < 4 && flight(w) == 0 && !w.faulted;
        }
    } else if (!run->front.empty() && bench_chance(bench, 1, 20)) {  // a CAL goes on behind its push
        rtl.control_done_i = rtl.control_stays_i = 1;
        rtl.control_done_warp_i = (uint8_t)run->front.front();
    }
}

static void pick(struct table_run *run) {
    struct bench *bench = &run->bench;
    Vwarp_table &rtl = run->rtl;
    uint32_t mask = 0;
    for (uint32_t i = 0; i < WARPS; i++)
        if (eligible(run, i)) mask |= 1u << i;
    rtl.pick_warp_i = (uint8_t)bench_below(bench, WARPS);
    const bool picks = mask != 0 && run->front.size() < 3 && bench_chance(bench, 3, 4);
    if (picks) rtl.pick_warp_i = (uint8_t)any_of(run, mask);
    rtl.enter_i = picks && run->stops >> rtl.pick_warp_i & 1;
    rtl.pick_i = picks && !rtl.enter_i;
    rtl.eval();
    if (rtl.eligible_o != mask) bench_fail(bench, "eligible %x, not %x", rtl.eligible_o, mask);
    // Or a warp in the front end, once more: not beside what becomes of its instruction there.
    uint32_t ahead = 0, may = 0;
    for (uint32_t i = 0; i < WARPS; i++)
        if (may_ahead(run, i)) may |= 1u << i;
    for (const uint32_t i : run->front)
        ahead |= may & 1u << i;
    if (rtl.may_ahead_o != may) bench_fail(bench, "may go ahead: %x, not %x", rtl.may_ahead_o, may);
    rtl.ahead_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.ahead_i = ahead != 0 && !picks && run->front.size() < 4 && bench_chance(bench, 1, 2);
    if (rtl.ahead_i) rtl.ahead_warp_i = (uint8_t)any_of(run, ahead);
    rtl.eval();
}

static bool waits_in_issue(const struct table_run *run, uint32_t i) {
    return run->rtl.issue_stays_i && run->rtl.issue_warp_i == i;
}

static uint32_t state_of(const struct warp &w, bool waits) {
    if (w.faulted) return REG_WARP_STATE_STATE_FAULTED;
    if (w.held) return REG_WARP_STATE_STATE_HELD;
    if (w.barrier) return REG_WARP_STATE_STATE_AT_A_BARRIER;
    if (w.score || waits) return REG_WARP_STATE_STATE_WAITING_FOR_MEMORY;
    if (w.executing) return REG_WARP_STATE_STATE_EXECUTING;
    if (w.fetching || (w.ready && w.line)) return REG_WARP_STATE_STATE_FETCHING;
    return w.ready ? REG_WARP_STATE_STATE_READY : REG_WARP_STATE_STATE_IDLE;
}

static void compare_warp(struct table_run *run, uint32_t i) {
    struct bench *bench = &run->bench;
    const Vwarp_table &rtl = run->rtl;
    const struct warp &w = run->warps[i];
    const uint32_t is[] = {(uint32_t)rtl.live_o >> i & 1,    (uint32_t)rtl.at_barrier_o >> i & 1,
                           (uint32_t)rtl.held_o >> i & 1,    (uint32_t)rtl.faulted_o >> i & 1,
                           (uint32_t)rtl.drained_o >> i & 1, (uint32_t)rtl.full_o >> i & 1,
                           (uint32_t)rtl.lands_o >> i & 1,   (uint32_t)rtl.rests_o >> i & 1};
    const bool early = w.settles[0] || w.settles[1], still = flight(w) == 0;
    const uint32_t wanted[] = {w.live,     w.barrier,         w.held,         w.faulted,
                               drained(w), flight(w) == MOST, still && early, still && !early && settles(w)};
    static const char *const names[] = {"live", "at_barrier", "held", "faulted", "drained", "full", "lands", "rests"};
    for (uint32_t k = 0; k < 8; k++)
        if (is[k] != wanted[k]) bench_fail(bench, "warp %u: %s is %u", i, names[k], is[k]);
    if (!w.live && rtl.look_warp_i == i && (rtl.look_state_o & 15) != REG_WARP_STATE_STATE_IDLE)
        bench_fail(bench, "warp %u, which is not there: WARP_STATE %x", i, rtl.look_state_o);
    if (!w.live) return;
    if (get_bits(rtl.pc_o, i * 22, 22) != w.pc || get_bits(rtl.slot_o, i * SLOT_W, SLOT_W) != w.slot ||
        get_bits(rtl.cta_o, i * WARP_W, WARP_W) != w.cta || get_bits(rtl.index_o, i * WARP_W, WARP_W) != w.index ||
        get_bits(rtl.base_o, i * REG_W, REG_W) != w.base || get_bits(rtl.fetch_fault_o, 2 * i, 2) != w.fetch_fault)
        bench_fail(bench, "warp %u: pc %x fault %u, not %x %u, or its place is another", i,
                   (uint32_t)get_bits(rtl.pc_o, i * 22, 22), (uint32_t)get_bits(rtl.fetch_fault_o, 2 * i, 2), w.pc,
                   w.fetch_fault);
    if (w.instr_known && get_bits(rtl.instr_pc_o, i * 22, 22) != w.instr_pc)
        bench_fail(bench, "warp %u: instruction at %x, not %x", i, (uint32_t)get_bits(rtl.instr_pc_o, i * 22, 22),
                   w.instr_pc);
    if (rtl.look_warp_i != i) return;
    const uint32_t state = w.slot << 8 | state_of(w, waits_in_issue(run, i));
    if (rtl.look_state_o != state) bench_fail(bench, "warp %u: WARP_STATE %x, not %x", i, rtl.look_state_o, state);
    const bool next = w.ready || w.fetching;
    if ((next || w.instr_known) && rtl.look_pc_o != (next ? w.pc : w.instr_pc))
        bench_fail(bench, "warp %u: WARP_PC %x", i, rtl.look_pc_o);
}

// Returns the warp that ends, or WARPS.
static uint32_t compare(struct table_run *run) {
    struct bench *bench = &run->bench;
    const Vwarp_table &rtl = run->rtl;
    bool asks = false, line = false, memory = false, score = false, keep = false;
    uint32_t end = WARPS;
    for (uint32_t i = WARPS; i-- > 0;) {
        const struct warp &w = run->warps[i];
        compare_warp(run, i);
        asks = asks || may_stop(run, i);
        line = line || (w.ready && w.line);
        const bool value = (w.ready && w.score) || waits_in_issue(run, i);
        memory = memory || (value && w.memory_flight != 0) || (w.ready && (w.memory || w.shared));
        score = score || value;
        run->waits += waits_in_issue(run, i);
        if (endable(run, i)) end = i;
        if (rtl.fetch_owed_i && rtl.fetch_owed_warp_i == i) keep = eligible(run, i) || w.fetching;
    }
    if (rtl.control_done_ended_i) end = rtl.control_done_warp_i;
    if (rtl.waits_line_o != line) bench_fail(bench, "a wait for a line: %u", rtl.waits_line_o);
    const bool drop = rtl.issue_retry_i && run->warps[rtl.issue_warp_i].ahead != 0;
    if (rtl.drop_o != drop) bench_fail(bench, "drop is %u", rtl.drop_o);
    if (rtl.stop_ask_o != asks || rtl.waits_memory_o != memory || rtl.waits_score_o != score ||
        rtl.fetch_owed_keep_o != keep)
        bench_fail(bench, "asks %u memory %u score %u keep %u, not %u %u %u %u", rtl.stop_ask_o, rtl.waits_memory_o,
                   rtl.waits_score_o, rtl.fetch_owed_keep_o, asks, memory, score, keep);
    if (rtl.end_valid_o != (end < WARPS) || rtl.trace_warp_end_valid_o != (end < WARPS))
        bench_fail(bench, "an end: %u, not of warp %u", rtl.end_valid_o, end);
    if (end < WARPS && (rtl.end_cta_o != run->warps[end].cta || rtl.trace_warp_end_warp_o != end ||
                        rtl.trace_warp_end_killed_o != !rtl.control_done_ended_i))
        bench_fail(bench, "warp %u of CTA %u ends, not %u", rtl.trace_warp_end_warp_o, rtl.end_cta_o, end);
    return end;
}

// What comes of all that for one warp.
static void edge(struct table_run *run, uint32_t i, bool ends_now) {
    const Vwarp_table &rtl = run->rtl;
    struct warp &w = run->warps[i];
    const auto is = [i](uint32_t valid, uint32_t warp) { return valid != 0 && warp == i; };
    const bool starts = is(rtl.start_i, rtl.start_warp_i), picked = is(rtl.pick_i, rtl.pick_warp_i);
    const bool stops = run->stops >> i & 1, enters = is(rtl.enter_i, rtl.pick_warp_i),
               released = rtl.barrier_release_i >> i & 1;
    const bool miss = is(rtl.fetch_miss_i, rtl.fetch_miss_warp_i), retry = is(rtl.issue_retry_i, rtl.issue_warp_i);
    const bool go = is(rtl.issue_go_i, rtl.issue_warp_i), control = is(rtl.control_done_i, rtl.control_done_warp_i);
    const bool waited =
        is(rtl.lanes_done_waited_i, rtl.lanes_done_warp_i) || is(rtl.launch_done_valid_i, rtl.launch_done_warp_i);
    const bool lanes = is(rtl.lanes_done_counted_i, rtl.lanes_done_warp_i),
               memory = is(rtl.memory_done_valid_i, rtl.memory_done_warp_i);
    const bool lost = is(rtl.fault_memory_i, rtl.fault_warp_i), fault = is(rtl.fault_i, rtl.fault_warp_i);
    const bool stands = fault && !rtl.fault_memory_i, held = is(rtl.hold_i, rtl.hold_warp_i);
    const bool resumes = is(rtl.resume_i, rtl.resume_warp_i) && w.held && !ends_now;
    const bool back = w.barrier && stops && !released && !ends_now;
    const bool goes_on = control && !rtl.control_done_ended_i && !rtl.control_stays_i;
    const bool wakes = lanes || memory || lost || is(rtl.row_cleared_i, rtl.row_warp_i) ||
                       is(rtl.loaded_cleared_i, rtl.loaded_warp_i) || is(rtl.pred_cleared_i, rtl.pred_warp_i);
    run->stopped += enters;
    run->faults += fault;
    run->helds += held;

    const bool loads = w.memory_flight != 0;
    const bool flies = flight(w) + is(rtl.issue_counted_i, rtl.issue_warp_i) - lanes - memory - lost != 0;
    if (is(rtl.issue_counted_i, rtl.issue_warp_i)) (rtl.issue_counted_memory_i ? w.memory_flight : w.lanes_flight)++;
    w.lanes_flight -= lanes;
    w.memory_flight -= memory + lost;
    const bool passes = go && rtl.issue_waits_for_i == UNIT_NONE, next = passes && w.ahead == 0,
               to_barrier = go && rtl.issue_waits_for_i == UNIT_BARRIER;
    const bool comes = starts || miss || retry || next || waited || goes_on || released || back || resumes || enters;
    w.ready = ((w.ready && !picked && !ends_now) || comes) && !(w.faulted || fault);
    w.fetching = (w.fetching || picked) && !(miss || retry || ((go || stands) && w.ahead == 0));
    w.executing = (w.executing || (go && !passes && !to_barrier)) && !(waited || goes_on || held || stands || ends_now);
    if (go) w.unit = rtl.issue_waits_for_i;
    w.barrier = (w.barrier || to_barrier) && !(released || back || ends_now);
    w.held = (w.held || held) && !(resumes || ends_now);
    w.faulted = (w.faulted || fault) && !ends_now;
    w.live = (w.live || starts) && !ends_now;
    run->follows += w.ahead != 0 && go;
    run->drops += w.ahead != 0 && retry;
    w.ahead = miss || retry ? 0 : w.ahead + is(rtl.ahead_i, rtl.ahead_warp_i) - (w.ahead != 0 && (go || stands));
    const bool sleeps = retry && rtl.issue_retry_score_i && flies && (!settles(w) || loads);
    run->awake += retry && rtl.issue_retry_score_i && flies && !sleeps && !wakes;
    w.score = (w.score || sleeps) && !(wakes || starts);
    const bool unit = retry && !rtl.issue_retry_score_i, kept = !picked && !enters && !starts;
    w.line = (w.line && kept) || miss;
    w.memory = (w.memory && kept) || (unit && rtl.issue_retry_memory_i);
    w.shared = (w.shared && kept) || (unit && rtl.issue_retry_shared_i);
    w.launch = (w.launch && kept) || (unit && rtl.issue_retry_launch_i);
    const bool other = rtl.issue_retry_memory_i || rtl.issue_retry_shared_i || rtl.issue_retry_launch_i;
    w.control = (w.control && kept) || (unit && !other);
    for (uint32_t k = SETTLES - 1; k > 0; k--)
        w.settles[k] = w.settles[k - 1];
    w.settles[0] = waited || lanes || memory || lost || fault;

    const uint32_t instr_pc = w.instr_pc;
    if (starts) {
        w.slot = rtl.start_slot_i, w.cta = rtl.start_cta_i, w.index = rtl.start_index_i, w.base = rtl.start_base_i;
        w.pc = rtl.start_pc_i;
        w.fetch_fault = ANSWER_GOOD;
    }
    if (go) {
        w.pc = (rtl.issue_pc_i + 1) & 0x3FFFFF;
        w.instr_pc = rtl.issue_pc_i;
        w.instr_known = true;
    }
    if (control) w.pc = rtl.control_done_pc_i;
    if (held || back) w.pc = instr_pc;
    if (is(rtl.fetch_refused_i, rtl.fetch_refused_warp_i)) w.fetch_fault = rtl.fetch_refused_fault_i;
    if (enters) w.pc = 0, w.fetch_fault = ANSWER_GOOD;
}

static void step(struct table_run *run) {
    struct bench *bench = &run->bench;
    Vwarp_table &rtl = run->rtl;
    rtl.rst_i = bench_chance(bench, 1, 4000);
    surroundings(run);
    start(run);
    const bool fault = front_end(run);
    ends(run, fault);
    pick(run);
    const uint32_t end = compare(run);
    run->ends += end < WARPS;
    run->killed += end < WARPS && !rtl.control_done_ended_i;
    // What comes behind an instruction that is not handed over is dropped.
    if (rtl.drop_o) leave(run, rtl.issue_warp_i);
    for (uint32_t i = 0; i < WARPS; i++)
        edge(run, i, i == end);
    if (rtl.ahead_i && !(rtl.drop_o && rtl.ahead_warp_i == rtl.issue_warp_i)) run->front.push_back(rtl.ahead_warp_i);
    if (rtl.pick_i) run->front.push_back(rtl.pick_warp_i);
    if (rtl.rst_i) {
        for (auto &w : run->warps)
            w = warp();
        run->front.clear();
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    static struct table_run run;
    bench_begin(&run.bench, argc, argv, 100000);
    registers_at_random(run.bench.seed);
    Vwarp_table &rtl = run.rtl;
    rtl.start_i = rtl.pick_i = rtl.enter_i = rtl.slot_kill_i = rtl.stops_i = rtl.control_done_i =
        rtl.control_done_ended_i = 0;
    rtl.fetch_busy_i = rtl.fetch_owed_i = rtl.ahead_i = 0;
    reset(rtl);
    while (bench_more(&run.bench))
        step(&run);
    rtl.final();
    printf("%llu ends, %llu of killed ones, %llu stops, %llu faults, %llu held, %llu follow, %llu dropped\n",
           (unsigned long long)run.ends, (unsigned long long)run.killed, (unsigned long long)run.stopped,
           (unsigned long long)run.faults, (unsigned long long)run.helds, (unsigned long long)run.follows,
           (unsigned long long)run.drops);
    if (run.bench.ops >= 20000 &&
        (run.killed == 0 || run.stopped == 0 || run.awake == 0 || run.faults == 0 || run.helds == 0 ||
         run.follows == 0 || run.drops == 0 || run.losses == 0 || run.waits == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
