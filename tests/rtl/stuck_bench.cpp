// stuck: times in which all SMs wait and nobody is at work, some long enough and most not, over slots of random levels, against the rule that its
// head states. The model says who gives way (cmodel/task/stuck.c), not when; here the cycles are counted as well.
// Compiled with -DSMS= -DTASK_SLOTS= as the unit was verilated.
#include <verilated.h>

#include "Vstuck.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t CYCLES = 4096, ALL_SMS = (1u << SMS) - 1;

struct run {
    struct bench bench;
    Vstuck rtl;
    uint32_t cycles;  // so many it has been stuck
    uint64_t ends;    // when the times change
    bool stuck;
    uint32_t times;
    uint32_t running;
    uint8_t group[TASK_SLOTS];
    uint64_t told, nearly, held;
};

// All are stuck most of the time: for less than it takes, for as long, or for longer.
static void times_change(struct run *run) {
    struct bench *bench = &run->bench;
    run->stuck = !run->stuck;
    if (!run->stuck) {
        run->ends = bench->op + 1 + bench_below(bench, 3);
        return;
    }
    // By turns, so that each has been there: a little, as long as it takes but for a few cycles, or any.
    const uint32_t time = run->times++, kind = time % 4;
    run->ends = bench->op + (kind == 0   ? 1 + bench_below(bench, 200)
                             : kind == 1 ? CYCLES - 3 + time / 4 % 6
                                         : CYCLES - 3 + bench_below(bench, 2 * CYCLES));
}

static void inputs(struct run *run) {
    struct bench *bench = &run->bench;
    Vstuck &rtl = run->rtl;
    if (bench->op >= run->ends) times_change(run);
    set_bits(rtl.sm_waiting_i, 0, SMS, 1 + bench_below(bench, ALL_SMS));
    set_bits(rtl.sm_stuck_i, 0, SMS, ALL_SMS);
    rtl.quiet_i = 1;
    if (!run->stuck) {  // for one reason or another
        const uint32_t why = 1 + bench_below(bench, 7);
        if (why & 1) rtl.sm_waiting_i = 0;
        if (why & 2) set_bits(rtl.sm_stuck_i, 0, SMS, bench_below(bench, ALL_SMS));
        if (why & 4) rtl.quiet_i = 0;
    }
    rtl.hold_i = bench_chance(bench, 1, 8);
    if (bench_chance(bench, 1, 4)) {
        run->running = bench_chance(bench, 1, 4) ? 0 : (uint32_t)bench_mask(bench, TASK_SLOTS);
        const uint32_t levels = bench_chance(bench, 1, 2) ? 64 : 3, from = bench_below(bench, 65 - levels);
        for (auto &group : run->group)
            group = (uint8_t)(from + bench_below(bench, levels));
    }
    set_bits(rtl.running_i, 0, TASK_SLOTS, run->running);
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        set_bits(rtl.group_i, 6 * k, 6, run->group[k]);
    rtl.rst_i = bench_chance(bench, 1, 60000);
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vstuck &rtl = run->rtl;
    inputs(run);
    rtl.eval();
    uint32_t holder = TASK_SLOTS;
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        if (run->running >> k & 1 && (holder == TASK_SLOTS || run->group[k] < run->group[holder])) holder = k;
    const bool due = run->stuck && run->cycles >= CYCLES - 1, told = due && holder < TASK_SLOTS && !rtl.hold_i;
    if (rtl.told_o != told) bench_fail(bench, "stuck for %u cycles: told_o is not %u", run->cycles, told);
    if (told && rtl.holder_o != holder) bench_fail(bench, "slot %u gives way, not %u", rtl.holder_o, holder);
    run->told += told;
    run->held += due && !told;
    run->nearly += !run->stuck && run->cycles == CYCLES - 1;
    run->cycles = run->stuck && !told && !rtl.rst_i ? run->cycles + 1 : 0;
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 600000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rtl.quiet_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops >= 600000 && (run.told == 0 || run.held == 0 || run.nearly == 0))
        bench_fail(&run.bench, "nobody was told, nobody held it up, or no time ended just before");
    return bench_end(&run.bench);
}
