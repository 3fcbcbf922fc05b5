// write_back_fault: lost write-backs and faults of the task unit at random, beside faults of warps and writes of registers, against the rule of who
// goes first. There is no C twin: in the model each is told at once. Compiled with -DSMS= -DCHANNELS= as the unit was verilated.
#include <verilated.h>

#include "Vwrite_back_fault.h"
#include "bench.h"
#include "gen/registers.h"
#include "port_bits.h"
#include "tick.h"

struct fault {
    uint32_t channel, code, info, pc;
};

struct run {
    struct bench bench;
    Vwrite_back_fault rtl;
    uint64_t took, passed, waited_warp[SMS], waited_write;  // waited: for this alone
};

static struct fault random_fault(struct bench *bench) {
    return {bench_below(bench, CHANNELS), (uint32_t)(bench_random(bench) & 0xFF), (uint32_t)bench_random(bench),
            (uint32_t)bench_random(bench)};
}

static void check(struct run *run, bool takes, bool valid, const struct fault &f) {
    const Vwrite_back_fault &rtl = run->rtl;
    if (rtl.lost_take_o != takes || rtl.fault_valid_o != valid)
        bench_fail(&run->bench,
                   "lost %u, task's %u, warps' %" PRIx64 ", write %u: lost_take_o is %u, fault_valid_o %u, not %u, %u",
                   rtl.lost_valid_i, rtl.task_fault_valid_i, get_bits(rtl.sm_fault_valid_i, 0, SMS),
                   rtl.register_write_i, rtl.lost_take_o, rtl.fault_valid_o, takes, valid);
    if (rtl.fault_channel_o != f.channel || rtl.fault_code_o != f.code || rtl.fault_info_o != f.info ||
        rtl.fault_pc_o != f.pc)
        bench_fail(&run->bench, "tells code %u, info %08x, pc %08x of channel %u, not %u, %08x, %08x of %u",
                   rtl.fault_code_o, rtl.fault_info_o, rtl.fault_pc_o, rtl.fault_channel_o, f.code, f.info, f.pc,
                   f.channel);
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vwrite_back_fault &rtl = run->rtl;
    const struct fault lost = {bench_below(bench, CHANNELS), FAULT_BUS_ERROR, (uint32_t)bench_random(bench) & ~31u, 0};
    const struct fault of_task = random_fault(bench);
    const uint32_t warps = bench_chance(bench, 1, 2) ? 0 : (uint32_t)bench_mask(bench, SMS);
    rtl.lost_valid_i = bench_chance(bench, 2, 3);
    rtl.lost_channel_i = lost.channel;
    rtl.lost_addr_i = lost.info;
    rtl.task_fault_valid_i = bench_chance(bench, 1, 3);
    rtl.task_fault_channel_i = of_task.channel;
    rtl.task_fault_code_i = of_task.code;
    rtl.task_fault_info_i = of_task.info;
    rtl.task_fault_pc_i = of_task.pc;
    set_bits(rtl.sm_fault_valid_i, 0, SMS, warps);
    rtl.register_write_i = bench_chance(bench, 1, 3);
    rtl.eval();
    const bool others = rtl.task_fault_valid_i || warps != 0 || rtl.register_write_i;
    const bool takes = rtl.lost_valid_i && !others;
    check(run, takes, takes || rtl.task_fault_valid_i, takes ? lost : of_task);
    run->took += takes;
    run->passed += rtl.lost_valid_i && rtl.task_fault_valid_i;
    if (!rtl.lost_valid_i || rtl.task_fault_valid_i) return;
    run->waited_write += rtl.register_write_i && warps == 0;
    for (uint32_t s = 0; s < SMS; s++)
        run->waited_warp[s] += !rtl.register_write_i && warps == 1u << s;
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 20000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    bool all = run.took != 0 && run.passed != 0 && run.waited_write != 0;
    for (uint64_t waited : run.waited_warp)
        all = all && waited != 0;
    if (bench.ops >= 20000 && !all) bench_fail(&run.bench, "something never took place");
    return bench_end(&run.bench);
}
