// trap: random warps that come to a TRAP, wait for their turn, enter, leave, enter by request, end or are killed; random writes of TPC. Who
// may go and who is inside against the rule that the head of trap.sv states; what SRD reads, and what a trap may execute, against the C twin.
// Counted besides: a warp that waits gets there after at most WARPS - 1 others that enter by TRAP, if none enters by request.
// Compiled with -DTHREADS= -DWARPS= as the unit was verilated.
#include <verilated.h>

#include "Vtrap.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "gen/isa.h"
#include "sm/trap.h"
}

struct run {
    struct bench bench;
    Vtrap rtl;
    bool busy, on, leaves, saved, asked;
    uint32_t warp, pc;  // that is in it, or was last; TPC
    uint32_t waiting, live;
    uint32_t passed[WARPS];  // that entered by TRAP while the warp waits
    uint32_t pending;        // the warp whose control instruction has not ended, WARPS: none
    uint64_t entered, stopped, slept;
};

static const uint32_t ALL = WARPS >= 32 ? 0xFFFFFFFFu : (1u << WARPS) - 1;

// Whose turn it is of those that wait: in the circle behind the last one.
static uint32_t next(const struct run *run) {
    for (uint32_t i = 1; i <= WARPS; i++)
        if (run->waiting >> (run->warp + i) % WARPS & 1) return (run->warp + i) % WARPS;
    return 0;
}

static uint32_t trap_opcode(struct bench *bench) {
    static const uint32_t opcodes[] = {OP_TRET, OP_TRET, OP_TLEAVE, OP_TEXIT, OP_TPOP, OP_TPUSH, OP_TREASON, OP_TRAP};
    return opcodes[bench_below(bench, 8)];
}

// What the warp in the issue stage does.
static void issue(struct run *run, bool busy) {
    struct bench *bench = &run->bench;
    Vtrap &rtl = run->rtl;
    const uint32_t w = rtl.issue_warp_i;
    rtl.go_i = rtl.wait_i = rtl.issue_go_i = 0;
    // Without an instruction it may be any, else one that is none of the trap's.
    const uint32_t opcode = bench_chance(bench, 1, 2) ? bench_random(bench) : trap_opcode(bench);
    rtl.opcode_i = (uint8_t)opcode;
    rtl.warp_i = (uint8_t)w;
    rtl.next_pc_i = bench_below(bench, 1u << 22);
    if ((run->live >> w & 1) == 0 || bench_chance(bench, 1, 4)) return;
    const bool mine = run->busy && run->warp == w;
    const bool traps = !mine && (run->waiting >> w & 1 || bench_chance(bench, 1, 2));
    if (traps && busy && !bench_chance(bench, 1, 30)) {  // seldom it has another instruction now
        rtl.wait_i = 1;
        return;
    }
    rtl.issue_go_i = 1;
    if (run->pending < WARPS || bench_chance(bench, 1, 8)) return;  // something else than control
    rtl.go_i = 1;
    while (rtl.opcode_i == OP_TRAP || trap_only(rtl.opcode_i))
        rtl.opcode_i = (uint8_t)(bench_chance(bench, 1, 2) ? bench_random(bench) : trap_opcode(bench) | 0x80);
    if (mine && run->on) rtl.opcode_i = (uint8_t)trap_opcode(bench);
    if (rtl.opcode_i == OP_TRAP) rtl.opcode_i = OP_BRA;
    if (traps && !busy) rtl.opcode_i = OP_TRAP;
}

static void inputs(struct run *run) {
    struct bench *bench = &run->bench;
    Vtrap &rtl = run->rtl;
    rtl.rst_i = bench_chance(bench, 1, 3000);
    if (bench_chance(bench, 1, 40)) run->live &= ~(1u << bench_below(bench, WARPS));
    if (bench_chance(bench, 1, 8)) run->live |= 1u << bench_below(bench, WARPS);
    if (bench_chance(bench, 1, 300)) run->live = (uint32_t)bench_mask(bench, WARPS);
    rtl.live_i = run->live;
    rtl.issue_warp_i = (uint8_t)bench_below(bench, WARPS);
    const bool busy = run->busy || run->asked || (run->waiting != 0 && next(run) != rtl.issue_warp_i);
    issue(run, busy);
    rtl.ask_i = bench_chance(bench, 1, rtl.ask_i ? 2 : 10);
    rtl.stop_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.stop_i = run->asked && !run->busy && run->live >> rtl.stop_warp_i & 1 && bench_chance(bench, 1, 2);
    rtl.stop_pc_i = bench_below(bench, 1u << 22);
    rtl.stop_active_i = bench_random(bench);
    // An end comes after its beginning; others' ends beside.
    rtl.done_valid_i = bench_chance(bench, 1, 3);
    const bool its = run->pending < WARPS && bench_chance(bench, 1, 2);
    rtl.done_warp_i = (uint8_t)(its ? run->pending : bench_below(bench, WARPS));
    if (!its && rtl.done_warp_i == run->warp) rtl.done_valid_i = 0;
    static const uint32_t to[] = {SCALAR_TPC, SCALAR_TPC, SCALAR_CTA_RECORD, SCALAR_CTA_X, SCALAR_CTA_YZ};
    rtl.write_rd_i = (uint8_t)((to[bench_below(bench, 5)] & 15) | 16);
    rtl.write_valid_i = bench_chance(bench, 1, 6);
    rtl.write_warp_i = (uint8_t)run->warp;
    if (bench_chance(bench, 1, 3)) rtl.write_rd_i &= 15;
    if (!run->on) rtl.write_rd_i &= 15;
    rtl.write_data_i = (uint32_t)bench_random(bench);
    rtl.eval();
    if (rtl.busy_o != busy) bench_fail(bench, "busy %u for warp %u, not %u", rtl.busy_o, rtl.issue_warp_i, busy);
}

static void compare(struct run *run) {
    struct bench *bench = &run->bench;
    const Vtrap &rtl = run->rtl;
    const uint32_t sleeps = run->waiting & ~(run->busy || run->asked || run->waiting == 0 ? 0 : 1u << next(run));
    if (rtl.sleeps_o != sleeps) bench_fail(bench, "%x sleep, not %x", rtl.sleeps_o, sleeps);
    if (rtl.inside_o != run->busy || rtl.on_o != run->on || rtl.open_o != (run->asked && !run->busy))
        bench_fail(bench, "inside %u on %u open %u, not %u %u %u", rtl.inside_o, rtl.on_o, rtl.open_o, run->busy,
                   run->on, run->asked && !run->busy);
    if (run->busy && rtl.trap_warp_o != run->warp)
        bench_fail(bench, "warp %u is inside, not %u", rtl.trap_warp_o, run->warp);
    if (rtl.pc_o != run->pc) bench_fail(bench, "TPC %x, not %x", rtl.pc_o, run->pc);
    if (rtl.saved_o != run->saved) bench_fail(bench, "saved %u, not %u", rtl.saved_o, run->saved);
    if (rtl.trace_warp_stop_valid_o != rtl.stop_i ||
        (rtl.stop_i && (rtl.trace_warp_stop_warp_o != rtl.stop_warp_i || rtl.trace_warp_stop_pc_o != rtl.stop_pc_i ||
                        rtl.trace_warp_stop_active_o != rtl.stop_active_i)))
        bench_fail(bench, "the event is not the stop's");
    run->slept += sleeps != 0;
}

// What SRD reads.
static void read(struct run *run) {
    struct bench *bench = &run->bench;
    Vtrap &rtl = run->rtl;
    struct divergence threads = {};
    uint64_t planes[4] = {};
    struct trap model = {};
    for (uint32_t t = 0; t < THREADS; t++) {
        const uint32_t reason = bench_below(bench, 16);
        threads.reason[reason] |= UINT64_C(1) << t;
        for (uint32_t b = 0; b < 4; b++)
            planes[b] |= static_cast<uint64_t>(reason >> b & 1) << t;
    }
    model.pc = run->pc;
    model.popped.kind = bench_below(bench, 16);
    model.popped.mask = bench_random(bench) & (THREADS >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << THREADS) - 1);
    model.popped.addr = bench_below(bench, 1u << 22);
    const struct trap_cta cta = {(uint32_t)bench_random(bench), bench_below(bench, WARPS + 1)};
    rtl.token_kind_i = (uint8_t)model.popped.kind;
    rtl.token_mask_i = model.popped.mask;
    rtl.token_addr_i = model.popped.addr;
    rtl.record_i = cta.record;
    rtl.alive_i = (uint8_t)cta.alive;
    const uint32_t number = SCALAR_TPC + bench_below(bench, 16);
    if (!trap_reads(number)) return;
    rtl.number_i = (uint8_t)number;
    rtl.plane_i = planes[number >> 1 & 3];
    rtl.eval();
    const uint32_t wanted = trap_read(&model, &threads, &cta, number);
    if (rtl.value_o != wanted) bench_fail(bench, "scalar register %u is %08x, model %08x", number, rtl.value_o, wanted);
}

static void step(struct run *run) {
    Vtrap &rtl = run->rtl;
    inputs(run);
    compare(run);
    read(run);
    const bool enters = rtl.go_i && rtl.opcode_i == OP_TRAP;
    const bool leaves = rtl.go_i && (rtl.opcode_i == OP_TRET || rtl.opcode_i == OP_TLEAVE || rtl.opcode_i == OP_TEXIT);
    const bool gone = run->busy && (run->live >> run->warp & 1) == 0;
    const bool done = run->busy && rtl.done_valid_i && rtl.done_warp_i == run->warp;
    for (uint32_t w = 0; w < WARPS; w++) {
        if (enters && run->waiting >> w & 1 && ++run->passed[w] >= WARPS && rtl.issue_warp_i != w)
            bench_fail(&run->bench, "warp %u waits while %u others enter", w, run->passed[w]);
    }
    uint32_t waiting = run->waiting;
    if (rtl.wait_i) waiting |= 1u << rtl.issue_warp_i;
    if (rtl.issue_go_i) waiting &= ~(1u << rtl.issue_warp_i);
    if (rtl.stop_i) waiting &= ~(1u << rtl.stop_warp_i);
    run->waiting = waiting & run->live & ALL;
    for (uint32_t w = 0; w < WARPS; w++)
        if ((run->waiting >> w & 1) == 0 || rtl.stop_i)
            run->passed[w] = 0;  // behind one by request the circle begins anew
    if (done) {
        run->on = !run->leaves;
        if (run->leaves) run->busy = false;
    }
    if (gone) run->busy = run->on = false;
    if (rtl.done_valid_i && rtl.done_warp_i == run->pending) run->pending = WARPS;
    if (enters || rtl.stop_i) {
        run->busy = true;
        run->leaves = false;
        run->warp = rtl.stop_i ? rtl.stop_warp_i : rtl.warp_i;
        run->pc = rtl.stop_i ? rtl.stop_pc_i : rtl.next_pc_i;
        if (rtl.stop_i) run->on = true;
    } else if (rtl.write_valid_i && rtl.write_rd_i == 16) {
        run->pc = rtl.write_data_i & 0x3FFFFF;
    }
    run->entered += enters;
    run->stopped += rtl.stop_i;
    if (leaves) run->leaves = true;
    if (rtl.done_valid_i) run->saved = false;
    if (rtl.go_i) {
        run->saved = rtl.opcode_i == OP_TLEAVE;
        run->pending = rtl.warp_i;
    }
    if (run->pending < WARPS && (run->live >> run->pending & 1) == 0) run->pending = WARPS;
    run->asked = rtl.ask_i;
    if (rtl.rst_i) {
        run->busy = run->on = run->saved = run->asked = false;
        run->pc = run->waiting = 0;
        run->pending = WARPS;
        memset(run->passed, 0, sizeof run->passed);
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 100000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.pending = WARPS;
    Vtrap &rtl = run.rtl;
    rtl.go_i = rtl.wait_i = rtl.issue_go_i = rtl.stop_i = rtl.ask_i = rtl.done_valid_i = rtl.write_valid_i = 0;
    rtl.live_i = 0;
    reset(rtl);
    run.warp = rtl.trap_warp_o;  // the circle begins anywhere
    while (bench_more(&run.bench))
        step(&run);
    rtl.final();
    if (bench.ops >= 10000 && (run.entered == 0 || run.stopped == 0 || run.slept == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
