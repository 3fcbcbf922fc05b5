// clock_gate: a clock that has an edge in cycles that end with enable, in as many behind each as its head says, and in no other; nothing but the edges of
// clk_i moves it. There is no C twin: the model has no clock. The gate of the bench runs on for LANES + 1 cycles (scripts/unit-parameters).
#include <verilated.h>

#include "Vclock_gate.h"
#include "bench.h"
#include "tick.h"

static const uint64_t AFTER = LANES + 1;

struct run {
    struct bench bench;
    Vclock_gate rtl;
    uint64_t since;  // cycles since the last one that has ended with enable
    uint32_t part;   // of 100 cycles that end with it, for the time being
    uint64_t still;  // cycles without an edge
};

static void check(struct run *run, bool high) {
    if (run->rtl.clk_o != high)
        bench_fail(&run->bench, "%" PRIu64 " cycles after enable, clk_i is %u: the clock is %u", run->since,
                   run->rtl.clk_i, run->rtl.clk_o);
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vclock_gate &rtl = run->rtl;
    // What enable comes from settles while the clock is high.
    const bool was = rtl.clk_o;
    rtl.enable_i = !rtl.enable_i;
    rtl.eval();
    check(run, was);
    if (bench_chance(bench, 1, 50)) run->part = bench_below(bench, 4) * bench_below(bench, 30);
    rtl.enable_i = bench_below(bench, 100) < run->part;
    rtl.eval();
    check(run, was);
    run->since = rtl.enable_i ? 0 : run->since + 1;
    rtl.clk_i = 0;
    rtl.eval();
    check(run, false);
    rtl.clk_i = 1;
    rtl.eval();
    check(run, run->since <= AFTER);
    run->still += run->since > AFTER;
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 100000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    // It knows no reset: all is known behind a cycle with enable.
    run.rtl.clk_i = 0;
    run.rtl.enable_i = 1;
    tick(run.rtl);
    tick(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops > 10000 && run.still == 0) bench_fail(&run.bench, "the clock never stood still");
    return bench_end(&run.bench);
}
