// warp_faults: faults of random sources that wait until they are taken; which one is told in the cycle after, with what, and whether, against
// the rule that its head states. There is no C twin: of several faults at once the choice is the RTL's.
// Compiled with -DWARPS= as the unit was verilated.
#include <verilated.h>

#include "Vwarp_faults.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t SOURCES = 4, SLOT_W = 2;  // as the unit has by itself
static const uint32_t WARP_W = WARPS > 1 ? index_bits(WARPS) : 1;

struct fault {
    bool valid;
    uint32_t warp, code, info, pc;
};

struct run {
    struct bench bench;
    Vwarp_faults rtl;
    struct fault source[SOURCES], taken;
    uint32_t from;  // whose fault was taken in the last cycle, SOURCES: nobody's
    uint64_t told, kept_quiet;
};

static void told(struct run *run) {
    const Vwarp_faults &rtl = run->rtl;
    const struct fault &f = run->taken;
    const bool some = run->from < SOURCES, tells = some && (rtl.faulted_i >> f.warp & 1) == 0;
    const uint32_t slot = (uint32_t)get_bits(rtl.slot_i, f.warp * SLOT_W, SLOT_W);
    if (rtl.fault_source_o != (some ? 1u << run->from : 0u))
        bench_fail(&run->bench, "leaving %x, not that of source %u", rtl.fault_source_o, run->from);
    if (rtl.fault_valid_o != tells || rtl.trace_warp_fault_valid_o != tells)
        bench_fail(&run->bench, "told %u %u, not %u", rtl.fault_valid_o, rtl.trace_warp_fault_valid_o, tells);
    if (some && (rtl.fault_warp_o != f.warp || rtl.fault_code_o != f.code || rtl.fault_info_o != f.info ||
                 rtl.fault_pc_o != f.pc || rtl.fault_slot_o != slot))
        bench_fail(&run->bench, "fault %u %08x %x of warp %u, slot %u, not %u %08x %x of %u, %u", rtl.fault_code_o,
                   rtl.fault_info_o, rtl.fault_pc_o, rtl.fault_warp_o, rtl.fault_slot_o, f.code, f.info, f.pc, f.warp,
                   slot);
    if (some && (rtl.trace_warp_fault_warp_o != f.warp || rtl.trace_warp_fault_code_o != f.code ||
                 rtl.trace_warp_fault_info_o != f.info || rtl.trace_warp_fault_pc_o != f.pc))
        bench_fail(&run->bench, "the event is not the fault");
    run->told += tells;
    run->kept_quiet += some && !tells;
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vwarp_faults &rtl = run->rtl;
    rtl.rst_i = bench_chance(bench, 1, 300);
    rtl.faulted_i = (uint32_t)bench_mask(bench, WARPS);
    for (uint32_t w = 0; w < WARPS; w++)
        set_bits(rtl.slot_i, w * SLOT_W, SLOT_W, bench_below(bench, 1u << SLOT_W));
    for (uint32_t s = 0; s < SOURCES; s++) {
        struct fault &f = run->source[s];
        if (!f.valid) {
            f = {bench_chance(bench, 1, 4), bench_below(bench, WARPS), bench_below(bench, 256),
                 (uint32_t)bench_random(bench), bench_below(bench, 1u << 22)};
        }
        set_bits(rtl.source_valid_i, s, 1, f.valid);
        set_bits(rtl.source_warp_i, s * WARP_W, WARP_W, f.warp);
        set_bits(rtl.source_code_i, s * 8, 8, f.code);
        set_bits(rtl.source_info_i, s * 32, 32, f.info);
        set_bits(rtl.source_pc_i, s * 22, 22, f.pc);
    }
    rtl.eval();
    told(run);
    uint32_t first = 0;
    while (first < SOURCES && !run->source[first].valid)
        first++;
    if (rtl.source_taken_o != (first < SOURCES ? 1u << first : 0u))
        bench_fail(bench, "taken from %x, not from source %u", rtl.source_taken_o, first);
    run->from = rtl.rst_i ? SOURCES : first;
    if (first < SOURCES) {
        run->taken = run->source[first];
        run->source[first].valid = false;
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 100000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.from = SOURCES;
    run.rtl.source_valid_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops > 1000 && (run.told == 0 || run.kept_quiet == 0)) bench_fail(&run.bench, "nothing was told, or all");
    return bench_end(&run.bench);
}
