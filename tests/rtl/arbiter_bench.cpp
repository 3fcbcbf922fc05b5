// arbiter: random requests, taken or not, against the rule that its head states: of those that ask, the first behind
// the port that was served last. There is no C twin; the search here goes once around, one port after the other.
// Counted besides: a port that asks waits for PORTS - 1 grants to others at most.
#include <verilated.h>

#include "Varbiter.h"
#include "bench.h"
#include "tick.h"

static const uint32_t PORTS = 5;  // as the unit has by itself

struct run {
    struct bench bench;
    Varbiter rtl;
    uint32_t last, asking;
    uint32_t passed[PORTS];  // grants to others while the port asked
};

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Varbiter &rtl = run->rtl;
    // Who asks does so until it is served, mostly; all at once now and then, so that turns are long.
    run->asking |= bench_chance(bench, 1, 8) ? (1u << PORTS) - 1 : (uint32_t)bench_mask(bench, PORTS);
    if (bench_chance(bench, 1, 10)) run->asking = (uint32_t)bench_mask(bench, PORTS);
    rtl.rst_i = bench_chance(bench, 1, 200);
    rtl.request_i = (uint8_t)run->asking;
    rtl.taken_i = run->asking != 0 && bench_chance(bench, 2, 3);
    rtl.eval();
    uint32_t wanted = run->last;
    for (uint32_t i = 0; i < PORTS && run->asking != 0; i++) {
        wanted = (wanted + 1) % PORTS;
        if (run->asking >> wanted & 1) break;
    }
    if (rtl.grant_valid_o != (run->asking != 0)) bench_fail(bench, "grant_valid_o with requests %02x", run->asking);
    if (run->asking != 0 && rtl.grant_o != wanted)
        bench_fail(bench, "requests %02x, served last %u: grants %u, not %u", run->asking, run->last, rtl.grant_o,
                   wanted);
    for (uint32_t p = 0; p < PORTS; p++) {
        const bool others = rtl.taken_i && !rtl.rst_i && rtl.grant_o != p;
        run->passed[p] = run->asking >> p & 1 && !rtl.rst_i ? run->passed[p] + others : 0;
        if (run->passed[p] >= PORTS) bench_fail(bench, "port %u waits for %u grants to others", p, run->passed[p]);
        if (!others && rtl.taken_i) run->passed[p] = 0;
    }
    if (rtl.rst_i) {
        run->last = 0;
    } else if (rtl.taken_i) {
        run->last = rtl.grant_o;
        run->asking &= ~(1u << rtl.grant_o);
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 200000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rtl.request_i = run.rtl.taken_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    return bench_end(&run.bench);
}
