// issue_counters: random cycles of an SM, each counted under the first of its reasons that holds. There is no C twin: where cycles go is the
// RTL's. Now and then the counters stand at values that no run of a bench reaches: the ports are the registers.
#include <verilated.h>

#include "Vissue_counters.h"
#include "bench.h"
#include "tick.h"

struct counts {
    uint32_t issued, memory, score, none;
};

struct run {
    struct bench bench;
    Vissue_counters rtl;
    struct counts counts;
    uint64_t wraps;
};

static void check(struct run *run, const char *when) {
    const Vissue_counters &rtl = run->rtl;
    const struct counts &c = run->counts;
    if (rtl.issued_o != c.issued || rtl.idle_memory_o != c.memory || rtl.idle_score_o != c.score ||
        rtl.idle_none_o != c.none)
        bench_fail(&run->bench, "%s: %08x issued, idle for %08x %08x %08x, not %08x, %08x %08x %08x", when,
                   rtl.issued_o, rtl.idle_memory_o, rtl.idle_score_o, rtl.idle_none_o, c.issued, c.memory, c.score,
                   c.none);
}

// About to carry into one of the high bits, or to wrap.
static uint32_t far(struct bench *bench) {
    return (bench_chance(bench, 1, 2) ? 0u : 1u << bench_below(bench, 32)) - 1 - bench_below(bench, 8);
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vissue_counters &rtl = run->rtl;
    struct counts &c = run->counts;
    if (bench_chance(bench, 1, 50)) {
        c = {far(bench), far(bench), far(bench), far(bench)};
        rtl.issued_o = c.issued;
        rtl.idle_memory_o = c.memory;
        rtl.idle_score_o = c.score;
        rtl.idle_none_o = c.none;
    }
    rtl.rst_i = bench_chance(bench, 1, 100);
    rtl.issued_i = bench_chance(bench, 1, 2);
    rtl.idle_i = bench_chance(bench, 2, 3);
    rtl.memory_i = bench_chance(bench, 1, 3);
    rtl.score_i = bench_chance(bench, 1, 2);
    rtl.eval();
    check(run, "before the edge");
    const struct counts was = c;
    c.issued += rtl.issued_i;
    if (rtl.idle_i) (rtl.memory_i ? c.memory : rtl.score_i ? c.score : c.none)++;
    if (rtl.rst_i) c = {0, 0, 0, 0};
    run->wraps +=
        !rtl.rst_i && (c.issued < was.issued || c.memory < was.memory || c.score < was.score || c.none < was.none);
    tick(rtl);
    check(run, "behind it");
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 100000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops > 10000 && run.wraps == 0) bench_fail(&run.bench, "no counter has wrapped");
    return bench_end(&run.bench);
}
