// The model beside the SM of sm_bench: it follows every event of the RTL as in tandem (../../tb/README.md), does what the
// bench does to memory, task table and token deques, and has the last word on what the SM tells those above it.
//
// Events of a cycle are kept and handed over in the order of tb/trace_events.tbl; PERFORM and BUS_ERROR are the bench's
// own, since it is the memory.
#ifndef TANDEM_TESTS_RTL_SM_FOLLOW_H
#define TANDEM_TESTS_RTL_SM_FOLLOW_H

#include <algorithm>
#include <deque>
#include <vector>

#include "bench.h"
#include "bench_config.h"
#include "gen/trace_ports.h"

extern "C" {
#include "base/run.h"
#include "gen/isa.h"
#include "gen/registers.h"
#include "mem/mem.h"
#include "sm/sm.h"
}

static const uint32_t SM_INDEX = 1;    // not 0, so that it counts
static const uint32_t DEVICE_SMS = 2;  // of the device that it would be in
static const uint32_t FETCH_PORT = MEM_PORT_SM + 2 * SM_INDEX, DATA_PORT = FETCH_PORT + 1;
static const uint32_t TOKEN_PORT = MEM_PORT_SM + 2 * DEVICE_SMS + SM_INDEX;
// A warp's token queue has HALF << size places.
static const uint32_t HALF = DEQUE_ENTRIES / 2, TOKEN_BYTES = THREADS / 4, SIZE_MOST = 5;
static const size_t HISTORY = 40;
static const uint64_t CLOCK = UINT64_C(0x12FFFF000);  // of the cycle counter in the first cycle
// A live warp that waits for nobody outside tells something within so many cycles; memory answers, children end and held
// warps are served sooner. More by what each instruction of another may take: an atomic operation of all threads at one
// word goes thread by thread.
static const uint64_t SILENCE = 6000, EACH = 8 * THREADS;
static const uint64_t OTHERS = 100 * WARPS;  // nor do others issue so many instructions meanwhile
// Each trap that another one enters meanwhile may take as much again: one at a time is in it, and it can wait for its turn.
// Each child that the threads of others launch takes a cycle of child_launch, in which others issue; a turn of it is due after
// 64 of their launches (turns.sv says how many more may go first).
static const uint64_t HANDED_MOST = (64 + 2 * (WARPS - 1)) * THREADS;

struct fault {
    uint32_t slot, code, info, pc;
};

struct follower {
    struct bench *bench;
    struct run run;
    struct mem *mem;
    struct sm *sm;
    struct mem_space space[CHANNELS];
    struct task_slot slot[TASK_SLOTS];
    const struct task_slot *slots[TASK_SLOTS];
    struct sm_settings settings;
    std::vector<trace_event> events;  // of this cycle
    std::deque<trace_event> history;
    uint64_t compared[TRACE_KIND_COUNT];
    // what the model has said upwards in this cycle
    std::vector<struct fault> faults;
    std::vector<struct sm_child> children;
    uint32_t held_now;
    uint32_t done[TASK_SLOTS];  // CTAs that have ended and that the RTL has not told yet
    uint32_t left[TASK_SLOTS];  // .. that have left: a trap has ended by TLEAVE. Here nobody brings them back
    // warps, as the events tell of them
    uint64_t live, held;
    uint64_t last[WARPS];    // cycle of the warp's last event
    uint64_t others[WARPS];  // instructions of others since then
    uint64_t waits[WARPS];   // children of the warp that are launched and not ended
    uint64_t traps[WARPS];   // that others entered since then, WARPS - 1 at most: so many may go first
    uint64_t stops[WARPS];   // .. by request
    uint64_t handed[WARPS];  // children that others launched since then
    uint64_t most;           // of others, so far
    uint32_t in[WARPS];      // its task slot
    uint32_t pc[WARPS];      // of its last instruction
    uint64_t last_event;     // cycle of any
    struct {
        uint64_t due;  // threads whose result is to come
        uint32_t rd, number;
        uint64_t issued;  // cycle
    } clock[WARPS];       // its last S2R of the time, which the model takes from the RTL
    bool trace;
};

static follower *the_follower;  // for what the model calls

static void model_memory_fault(void *, const struct fault_report *report) {
    bench_fail(the_follower->bench, "the model loses atomics of channel %u at %08x", report->channel, report->info);
}
static bool model_can_launch(const void *) {
    return true;  // when is the RTL's choice
}
static void model_launches(void *, const struct sm_child *child) {
    the_follower->children.push_back(*child);
}
static void model_cta_done(void *, uint32_t, uint32_t slot, bool left) {
    (left ? the_follower->left : the_follower->done)[slot]++;
}
static void model_fault(void *, uint32_t slot, uint32_t code, uint32_t info, uint32_t pc) {
    the_follower->faults.push_back({slot, code, info, pc});
}
static void model_held(void *) {
    the_follower->held_now++;
}

static void follower_begin(follower &f, struct bench *bench, uint32_t memory_bytes) {
    f = follower();
    the_follower = &f;
    f.bench = bench;
    run_init(&f.run, bench_config(), bench->seed);
    f.run.following = true;
    f.run.config.sms = DEVICE_SMS;
    f.mem = mem_create(&f.run, memory_bytes, nullptr);
    f.sm = f.mem == nullptr ? nullptr : sm_create(&f.run, f.mem, SM_INDEX);
    if (f.sm == nullptr) bench_fail(bench, "no memory for the model");
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        f.slots[k] = &f.slot[k];
    const struct mem_wires mem_wires = {f.space, model_memory_fault, nullptr};
    mem_connect(f.mem, &mem_wires);
    const struct sm_wires sm_wires = {f.slots,        &f.settings,    nullptr,     model_can_launch,
                                      model_launches, model_cta_done, model_fault, model_held};
    sm_connect(f.sm, &sm_wires);
}

static void follower_end(follower &f) {
    sm_destroy(f.sm);
    mem_destroy(f.mem);
}

// The warp that an event names, or WARPS.
static uint32_t warp_of(const trace_event &e) {
    switch (e.kind) {
        case TRACE_WARP_START: return e.warp_start.warp;
        case TRACE_INSTR: return e.instr.warp;
        case TRACE_WARP_STOP: return e.warp_stop.warp;
        case TRACE_SV_MODE: return e.sv_mode.warp;
        case TRACE_CHILD_LAUNCH: return e.child_launch.warp;
        case TRACE_MEM_REQ: return e.mem_req.warp;
        case TRACE_L1_HIT: return e.l1_hit.warp;
        case TRACE_WB: return e.wb.warp;
        case TRACE_PWB: return e.pwb.warp;
        case TRACE_SWB: return e.swb.warp;
        case TRACE_TOKEN_MOVE: return e.token_move.warp;
        case TRACE_TOKEN: return e.token.warp;
        case TRACE_WARP_HELD: return e.warp_held.warp;
        case TRACE_WARP_FAULT: return e.warp_fault.warp;
        case TRACE_WARP_END: return e.warp_end.warp;
        default: return WARPS;
    }
}

__attribute__((noreturn)) static void follower_fail(follower &f, const char *text, uint32_t warp) {
    char line[2048];
    fflush(stdout);
    fprintf(stderr, "\nthe last events:\n");
    for (const trace_event &e : f.history) {
        trace_event_print(&e, line, sizeof line);
        fprintf(stderr, "  %s\n", line);
    }
    if (warp < WARPS) {
        sm_describe_warp(f.sm, warp, line, sizeof line);
        fprintf(stderr, "warp %u of the model: %s\n", warp, line);
    }
    bench_fail(f.bench, "%s", text);
}

// A time that a thread reads is one between the issue of the instruction and its result.
static void check_clock(follower &f, const trace_wb &wb, uint64_t cycle) {
    f.clock[wb.warp].due &= ~((uint64_t)wb.mask << wb.portion * LANES);
    const uint64_t from = f.clock[wb.warp].issued + CLOCK, to = cycle + CLOCK;
    for (uint32_t l = 0; l < LANES; l++) {
        if ((wb.mask >> l & 1) == 0) continue;
        const bool good = f.clock[wb.warp].number == SR_CLOCK_LO
                              ? wb.data[l] - (uint32_t)from <= to - from
                              : wb.data[l] == (uint32_t)(from >> 32) || wb.data[l] == (uint32_t)(to >> 32);
        if (!good)
            bench_fail(f.bench, "cycle %" PRIu64 ": warp %u has read the time %08x, it is %" PRIx64 " to %" PRIx64,
                       cycle, wb.warp, wb.data[l], from, to);
    }
}

// How the event changes what is known of warps.
static void note(follower &f, const trace_event &e) {
    const uint32_t warp = warp_of(e);
    if (e.kind == TRACE_INSTR) {
        const bool enters = isa_opcode(e.instr.word) == OP_TRAP && e.instr.exec != 0;
        for (uint32_t w = 0; w < WARPS; w++) {
            f.others[w]++;
            if (enters && f.traps[w] < WARPS - 1) f.traps[w]++;
        }
    }
    if (e.kind == TRACE_WARP_STOP) {  // goes before those that wait with their TRAP
        for (uint64_t &stops : f.stops)
            stops++;
    }
    if (e.kind == TRACE_CHILD_LAUNCH) {
        for (uint64_t &handed : f.handed)
            handed++;
    }
    f.last_event = e.cycle;
    if (warp >= WARPS) return;
    f.last[warp] = e.cycle;
    f.others[warp] = f.traps[warp] = f.stops[warp] = f.handed[warp] = 0;
    const uint64_t bit = UINT64_C(1) << warp;
    switch (e.kind) {
        case TRACE_WARP_START:
            f.live |= bit;
            f.waits[warp] = 0;
            f.in[warp] = e.warp_start.slot;
            f.clock[warp].due = 0;
            break;
        case TRACE_INSTR: {
            const uint32_t number = isa_imm(e.instr.word);
            f.pc[warp] = e.instr.pc;
            if (isa_opcode(e.instr.word) == OP_S2R && (number == SR_CLOCK_LO || number == SR_CLOCK_HI))
                f.clock[warp] = {e.instr.exec, isa_rd(e.instr.word), number, e.cycle};
            break;
        }
        case TRACE_WB:
            // An instruction may come a cycle before the last row of the one before it: what is written by then is not its own.
            if ((f.clock[warp].due >> e.wb.portion * LANES & e.wb.mask) != 0 && e.wb.rd == f.clock[warp].rd &&
                e.cycle > f.clock[warp].issued + 1)
                check_clock(f, e.wb, e.cycle);
            break;
        case TRACE_CHILD_LAUNCH: f.waits[warp] += e.child_launch.waits; break;
        case TRACE_WARP_HELD: f.held |= bit; break;
        case TRACE_WARP_FAULT:
        case TRACE_WARP_STOP: f.waits[warp] = 0; break;
        case TRACE_WARP_END:
            f.live &= ~bit;
            f.held &= ~bit;
            break;
        default: break;
    }
}

static void follow_event(follower &f, const trace_event &rtl) {
    char text[600], rtl_value[200], model_value[200];
    trace_event model;
    memset(&model, 0, sizeof model);
    model.kind = rtl.kind;
    model.cycle = rtl.cycle;
    f.run.cycles = rtl.cycle;
    f.history.push_back(rtl);
    if (f.history.size() > HISTORY) f.history.pop_front();
    if (f.trace) {
        char line[2048];
        trace_event_print(&rtl, line, sizeof line);
        printf("%s\n", line);
    }
    char why[256] = "";
    const struct why because = {why, sizeof why};
    bool good;
    if (rtl.kind == TRACE_BUS_ERROR) {
        const struct mem_record *record = mem_follow_bus_error(f.mem, &rtl, &model, because);
        good = record != nullptr;
        if (good && record->request.op != MEM_READ) sm_write_taken_back(f.sm, record);
        if (good && rtl.bus_error.port == TOKEN_PORT) {
            sm_token_error(f.sm, record);
        } else {
            good = good && sm_bus_error(f.sm, rtl.bus_error.port == FETCH_PORT, record, because);
        }
    } else {
        good = sm_follow(f.sm, &rtl, &model, because);
    }
    if (!good) {
        snprintf(text, sizeof text, "cycle %" PRIu64 ": %s is not legal here: %s", rtl.cycle, trace_kind_name(rtl.kind),
                 why);
        follower_fail(f, text, warp_of(rtl));
    }
    const int field = trace_event_compare(&rtl, &model);
    if (field >= 0) {
        trace_field_print(&rtl, field, rtl_value, sizeof rtl_value);
        trace_field_print(&model, field, model_value, sizeof model_value);
        snprintf(text, sizeof text, "cycle %" PRIu64 ": %s.%s differs: RTL %s, model %s", rtl.cycle,
                 trace_kind_name(rtl.kind), trace_field_name(rtl.kind, field), rtl_value, model_value);
        follower_fail(f, text, warp_of(rtl));
    }
    f.compared[rtl.kind]++;
    note(f, rtl);
}

// The events of the cycle, those that come before `before` in the table.
static void follow_events(follower &f, int before) {
    std::stable_sort(f.events.begin(), f.events.end(),
                     [](const trace_event &a, const trace_event &b) { return a.kind < b.kind; });
    size_t done = 0;
    while (done < f.events.size() && (int)f.events[done].kind < before)
        follow_event(f, f.events[done++]);
    f.events.erase(f.events.begin(), f.events.begin() + (std::ptrdiff_t)done);
}

// Bounds that lockstep has no eyes for: no live warp stays silent for long, however busy the others are, unless it waits for
// others of its CTA, for children or for software; of a stopped task none waits for anybody.
static void check_patience(follower &f, uint64_t cycle) {
    for (uint32_t w = 0; w < WARPS; w++) {
        if ((f.live >> w & 1) == 0 || (cycle - f.last[w] < SILENCE + f.others[w] * EACH && f.others[w] <= f.most))
            continue;
        uint32_t pc, state;
        uint64_t mask;
        sm_warp_registers(f.sm, w, &pc, &mask, &state);
        const bool excused = (f.held >> w & 1) != 0 || f.waits[w] != 0 ||
                             REG_WARP_STATE_STATE_OF(state) == REG_WARP_STATE_STATE_AT_A_BARRIER;
        if (excused && !f.slot[f.in[w]].kill) {
            f.last[w] = cycle;
            f.others[w] = f.traps[w] = f.stops[w] = f.handed[w] = 0;
            continue;
        }
        const uint64_t turns = 1 + f.traps[w] + f.stops[w];
        const uint64_t most = turns * OTHERS + std::min(f.handed[w], HANDED_MOST);
        if (cycle - f.last[w] < turns * SILENCE + f.others[w] * EACH && f.others[w] <= most) {
            f.most = std::max(f.most, f.others[w]);
            continue;
        }
        char text[200];
        snprintf(text, sizeof text,
                 "cycle %" PRIu64 ": nothing of warp %u for %" PRIu64 " cycles, in which others issued %" PRIu64
                 " instructions",
                 cycle, w, cycle - f.last[w], f.others[w]);
        follower_fail(f, text, w);
    }
}

#endif
