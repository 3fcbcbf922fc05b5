// control_gate: random control instructions that go straight on, or reserve the unit until their targets are gathered, and random ends of
// them, good ones, faults and of warps that are held; every output in every cycle against the rule that its head states. There is no C twin:
// it is the RTL's way between two units.
// Compiled with -DTHREADS= -DWARPS= as the unit was verilated.
#include <verilated.h>

#include "Vcontrol_gate.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "gen/registers.h"
}

struct control {
    uint32_t warp, opcode, next, target;
    uint64_t exec, group;
};

struct run {
    struct bench bench;
    Vcontrol_gate rtl;
    bool reserved, gathered, fault, hold;
    struct control kept;  // that the unit is reserved for
    uint32_t fault_warp, fault_code, hold_warp;
    uint64_t straight, reserves, faults, holds;
};

static const uint64_t ALL = THREADS >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << THREADS) - 1;

static struct control any(struct bench *bench) {
    return {bench_below(bench, WARPS),    bench_below(bench, 256),   bench_below(bench, 1u << 22),
            bench_below(bench, 1u << 22), bench_random(bench) & ALL, bench_random(bench) & ALL};
}

static void expect_request(const struct run *run, const struct control &c) {
    const Vcontrol_gate &rtl = run->rtl;
    if (rtl.req_warp_o != c.warp || rtl.req_opcode_o != c.opcode || rtl.req_next_o != c.next ||
        rtl.req_exec_o != c.exec || rtl.req_target_o != c.target || rtl.req_group_o != c.group)
        bench_fail(&run->bench, "request of warp %u opcode %02x next %x target %x, not %u %02x %x %x", rtl.req_warp_o,
                   rtl.req_opcode_o, rtl.req_next_o, rtl.req_target_o, c.warp, c.opcode, c.next, c.target);
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vcontrol_gate &rtl = run->rtl;
    rtl.rst_i = bench_chance(bench, 1, 300);
    // The divergence unit, and what warp_faults takes.
    rtl.req_ready_i = bench_chance(bench, 1, 2);
    rtl.fault_taken_i = run->fault && bench_chance(bench, 1, 3);
    const bool ready = rtl.req_ready_i && !run->reserved && !run->fault;
    // The issue stage: valid, or a reservation, only when ready.
    const struct control c = any(bench);
    rtl.control_valid_i = ready && bench_chance(bench, 1, 3);
    rtl.control_reserve_i = ready && !rtl.control_valid_i && bench_chance(bench, 1, 3);
    rtl.control_warp_i = (uint8_t)c.warp;
    rtl.control_opcode_i = (uint8_t)c.opcode;
    rtl.control_next_i = c.next;
    rtl.control_exec_i = c.exec;
    rtl.control_target_i = c.target;
    rtl.control_group_i = c.group;
    // What has been gathered stays as long as it is wanted.
    rtl.gather_done_i = run->reserved && !run->gathered && bench_chance(bench, 1, 4);
    if (!run->gathered) {
        rtl.gather_target_i = bench_below(bench, 1u << 22);
        rtl.gather_group_i = bench_random(bench) & ALL;
    }
    // An end: good, a fault (none while one waits), or held, which means nothing without an end.
    const bool fails = !run->fault && bench_chance(bench, 1, 8);
    rtl.done_valid_i = bench_chance(bench, 1, 3);
    rtl.done_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.done_fault_i = (uint8_t)(fails ? 1 + bench_below(bench, 255) : FAULT_NONE);
    rtl.done_held_i = !fails && bench_chance(bench, 1, 6);
    rtl.done_pc_i = bench_below(bench, 1u << 22);
    rtl.done_ended_i = bench_chance(bench, 1, 4);
    for (uint32_t w = 0; w < WARPS; w++)
        set_bits(rtl.instr_pc_i, w * 22, 22, bench_below(bench, 1u << 22));
    rtl.eval();

    if (rtl.control_ready_o != ready) bench_fail(bench, "ready %u, not %u", rtl.control_ready_o, ready);
    if (rtl.req_valid_o != (run->gathered || rtl.control_valid_i))
        bench_fail(bench, "request %u, not %u", rtl.req_valid_o, !rtl.req_valid_o);
    struct control gathered = run->kept;
    gathered.target = (gathered.target + rtl.gather_target_i) & 0x3FFFFF;
    gathered.group = rtl.gather_group_i;
    if (rtl.req_valid_o) expect_request(run, run->gathered ? gathered : c);
    const bool good = rtl.done_valid_i && !fails && !rtl.done_held_i;
    if (rtl.good_o != good) bench_fail(bench, "good %u, not %u", rtl.good_o, good);
    if (rtl.hold_o != run->hold || rtl.trace_warp_held_valid_o != run->hold)
        bench_fail(bench, "hold %u, not %u", rtl.hold_o, run->hold);
    if (run->hold && (rtl.hold_warp_o != run->hold_warp || rtl.trace_warp_held_warp_o != run->hold_warp))
        bench_fail(bench, "warp %u is held, not %u", rtl.hold_warp_o, run->hold_warp);
    if (rtl.fault_valid_o != run->fault) bench_fail(bench, "fault %u, not %u", rtl.fault_valid_o, run->fault);
    const uint32_t pc = (uint32_t)get_bits(rtl.instr_pc_i, run->fault_warp * 22, 22);
    if (run->fault && (rtl.fault_warp_o != run->fault_warp || rtl.fault_code_o != run->fault_code ||
                       rtl.fault_info_o != run->fault_warp || rtl.fault_pc_o != pc))
        bench_fail(bench, "fault %u info %x pc %x of warp %u, not %u %x %x", rtl.fault_code_o, rtl.fault_info_o,
                   rtl.fault_pc_o, rtl.fault_warp_o, run->fault_code, run->fault_warp, pc);

    run->straight += rtl.control_valid_i;
    run->reserves += run->gathered && rtl.req_ready_i;
    run->faults += rtl.fault_taken_i;
    run->holds += run->hold;
    if (rtl.control_reserve_i) {
        run->reserved = true;
        run->kept = c;
    }
    if (run->gathered && rtl.req_ready_i) run->reserved = run->gathered = false;
    if (rtl.gather_done_i) run->gathered = true;
    if (rtl.fault_taken_i) run->fault = false;
    if (rtl.done_valid_i && fails) {
        run->fault = true;
        run->fault_warp = rtl.done_warp_i;
        run->fault_code = rtl.done_fault_i;
    }
    run->hold = rtl.done_valid_i && rtl.done_held_i;
    if (run->hold) run->hold_warp = rtl.done_warp_i;
    if (rtl.rst_i) run->reserved = run->gathered = run->fault = run->hold = false;
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 100000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    Vcontrol_gate &rtl = run.rtl;
    rtl.control_valid_i = rtl.control_reserve_i = rtl.gather_done_i = rtl.done_valid_i = rtl.done_held_i = 0;
    rtl.req_ready_i = rtl.fault_taken_i = 0;
    reset(rtl);
    while (bench_more(&run.bench))
        step(&run);
    rtl.final();
    if (bench.ops > 1000 && (run.straight == 0 || run.reserves == 0 || run.faults == 0 || run.holds == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
