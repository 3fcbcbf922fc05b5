// The C twin of the SM behind sm_bench's: it follows every event of the verilated unit, as it does in tandem, with a memory and a task unit
// that stand in for the model's. Included by sm_world.h.
#ifndef TANDEM_TESTS_RTL_SM_TWIN_H
#define TANDEM_TESTS_RTL_SM_TWIN_H

#include <deque>
#include <vector>

#include "bench.h"
#include "gen/trace_ports.h"
#include "tick.h"

extern "C" {
#include "gen/config.h"
#include "gen/registers.h"
#include "mem/mem.h"
#include "sm/sm.h"
}

#define TWIN_STEADY 8u  // cycles: what is said of slots comes that late at most

struct twin_end {
    uint32_t slot;
    bool left;
};

struct twin {
    struct bench *bench;
    struct run run;
    struct mem *mem;
    struct sm *sm;
    struct mem_space space[CHANNELS];
    struct task_slot slots[TASK_SLOTS];
    const struct task_slot *slot[TASK_SLOTS];
    struct sm_settings settings;
    std::deque<twin_end> ends;      // of CTAs, which the RTL tells in the next cycle
    std::deque<sm_child> children;  // launched in this cycle
    uint32_t steady[TASK_SLOTS];    // cycles for which rests and waits are what they are
    bool rests[TASK_SLOTS], waits[TASK_SLOTS];
    uint64_t events, stops;
};

static void twin_cta_done(void *context, uint32_t, uint32_t slot, bool left) {
    static_cast<struct twin *>(context)->ends.push_back({slot, left});
}
static void twin_warp_fault(void *context, uint32_t slot, uint32_t, uint32_t, uint32_t) {
    static_cast<struct twin *>(context)->slots[slot].kill = true;
}
static bool twin_can_launch_child(const void *) {
    return true;
}
static void twin_launch_child(void *context, const struct sm_child *child) {
    static_cast<struct twin *>(context)->children.push_back(*child);
}
static void twin_warp_held(void *) {}
static void twin_lost(void *, const struct fault_report *) {}

static const struct ppu_config *twin_config() {
    for (const struct ppu_config &c : ppu_configs)
        if (c.threads == THREADS && c.lanes == LANES && c.warps == WARPS) return &c;
    return nullptr;
}

static void twin_open(struct twin *t, struct bench *bench, size_t bytes) {
    t->bench = bench;
    run_init(&t->run, twin_config(), 1);
    t->run.following = true;
    t->mem = mem_create(&t->run, bytes, nullptr);
    t->sm = t->mem == nullptr ? nullptr : sm_create(&t->run, t->mem, 0);
    if (t->sm == nullptr) bench_fail(bench, "no memory for the twin");
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        t->slot[k] = &t->slots[k];
    t->settings.yield_seed = REG_YIELD_SEED_RESET;
    t->settings.sv_threshold = REG_SV_THRESHOLD_RESET;
    struct mem_wires mem_wires = {};
    mem_wires.space = t->space;
    mem_wires.fault = twin_lost;
    mem_connect(t->mem, &mem_wires);
    struct sm_wires wires = {};
    wires.slot = t->slot;
    wires.settings = &t->settings;
    wires.context = t;
    wires.can_launch_child = twin_can_launch_child;
    wires.launch_child = twin_launch_child;
    wires.cta_done = twin_cta_done;
    wires.warp_fault = twin_warp_fault;
    wires.warp_held = twin_warp_held;
    sm_connect(t->sm, &wires);
}

static void twin_close(struct twin *t) {
    sm_destroy(t->sm);
    mem_destroy(t->mem);
}

static void twin_follow(struct twin *t, struct trace_event *rtl, uint64_t cycle) {
    struct trace_event model = {};
    char text[256] = "";
    rtl->cycle = t->run.cycles = cycle;
    model.kind = rtl->kind;
    model.cycle = cycle;
    t->events++;
    t->stops += rtl->kind == TRACE_WARP_STOP;
    if (!sm_follow(t->sm, rtl, &model, {text, sizeof text}))
        bench_fail(t->bench, "cycle %lu: the twin refuses: %s", (unsigned long)cycle, text);
    const int field = trace_event_compare(rtl, &model);
    if (field >= 0)
        bench_fail(t->bench, "cycle %lu: %s.%s differs from the twin's", (unsigned long)cycle,
                   trace_kind_name(rtl->kind), trace_field_name(rtl->kind, field));
}

// Events of the unit up to those of memory, then the rest: requests that are performed in the cycle come between.
template <class Unit>
static void twin_early(struct twin *t, const Unit &u, uint64_t cycle) {
    struct trace_event e;
    if (trace_read_warp_start<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_instr<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_warp_stop<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_sv_mode<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_child_launch<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_mem_req<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_l1_hit<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_sv_window<LANES>(u, e)) twin_follow(t, &e, cycle);
}

template <class Unit>
static void twin_late(struct twin *t, const Unit &u, uint64_t cycle) {
    struct trace_event e;
    if (trace_read_wb<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_pwb<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_swb<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_token<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_barrier<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_warp_held<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_warp_fault<LANES>(u, e)) twin_follow(t, &e, cycle);
    if (trace_read_warp_end<LANES>(u, e)) twin_follow(t, &e, cycle);
}

// A request that the bench's memory performs.
template <class Wstrb, class Wdata>
static void twin_perform(struct twin *t, uint64_t cycle, bool fetch, uint32_t op, uint32_t channel, uint32_t addr,
                         Wstrb wstrb, const Wdata &wdata, bool outside) {
    struct trace_event e = {};
    e.kind = TRACE_PERFORM;
    e.perform.port = MEM_PORT_SM + (fetch ? 0 : 1);
    e.perform.op = op;
    e.perform.channel = channel;
    e.perform.addr = addr;
    e.perform.wstrb = op == MEM_WRITE ? static_cast<uint32_t>(wstrb) : 0;
    e.perform.fault = outside ? 1 : 0;
    for (uint32_t i = 0; i < LINE_BYTES; i++) {
        const bool shown = op == MEM_WRITE ? (e.perform.wstrb >> i & 1u) != 0 : op == MEM_ATOMIC;
        if (shown) e.perform.wdata[i] = static_cast<uint8_t>(wdata[i / 4] >> i % 4 * 8);
    }
    twin_follow(t, &e, cycle);
}

// What the unit says of its slots, when that has not changed for some cycles. stopped: slots that may be on their way.
template <class Unit>
static void twin_slots(struct twin *t, const Unit &u, uint32_t stopped) {
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        const bool rests = sm_slot_rests(t->sm, k), waits = sm_slot_waits(t->sm, k);
        const bool same = rests == t->rests[k] && waits == t->waits[k] && (stopped >> k & 1u) == 0;
        t->steady[k] = same ? t->steady[k] + 1 : 0;
        t->rests[k] = rests;
        t->waits[k] = waits;
        if (t->steady[k] < TWIN_STEADY) continue;
        if ((u.slot_rests_o >> k & 1u) != rests || (u.slot_waits_o >> k & 1u) != waits)
            bench_fail(t->bench, "slot %u rests %u waits %u, the twin's %u %u", k, u.slot_rests_o >> k & 1u,
                       u.slot_waits_o >> k & 1u, rests, waits);
    }
}

// CTA_DONE comes in the cycle after the last WARP_END.
template <class Unit>
static void twin_cta_ends(struct twin *t, const Unit &u) {
    if ((u.cta_done_valid_o != 0) != !t->ends.empty())
        bench_fail(t->bench, "CTA_DONE %u, the twin's %zu", u.cta_done_valid_o, t->ends.size());
    if (t->ends.empty()) return;
    if (u.cta_done_slot_o != t->ends.front().slot || (u.cta_done_left_o != 0) != t->ends.front().left)
        bench_fail(t->bench, "CTA_DONE of slot %u left %u, the twin's %u %u", u.cta_done_slot_o, u.cta_done_left_o,
                   t->ends.front().slot, t->ends.front().left);
    t->ends.pop_front();
}

#endif
