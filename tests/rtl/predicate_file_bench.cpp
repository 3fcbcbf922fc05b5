// predicate_file: random writes, reads by number and by portion, and warps whose predicates become zero beside them, against an array of
// bits. There is no C twin, since the model has the array alone.
// Counted besides: clearing takes as many cycles without a write as its head says.
// Compiled with -DTHREADS= -DLANES= -DWARPS= as the unit was verilated.
#include <verilated.h>

#include "Vpredicate_file.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t P = THREADS / LANES, CLEARS = P > 7 ? P : 7;

struct run {
    struct bench bench;
    Vpredicate_file rtl;
    uint64_t pred[WARPS][7];  // a bit a thread
    bool known[WARPS];
    bool clears;
    uint32_t warp, cleared, stays;  // the warp that is cleared; cycles without a write; cycles that the request stays
};

static void expect_number(const struct run *run, const char *what, uint32_t warp, uint32_t number, uint64_t is) {
    const uint64_t all = THREADS >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << THREADS) - 1;
    const uint64_t wanted = number == 7 ? all : run->pred[warp][number];
    if ((run->known[warp] || number == 7) && is != wanted)
        bench_fail(&run->bench, "%s: P%u of warp %u is %llx, not %llx", what, number, warp, (unsigned long long)is,
                   (unsigned long long)wanted);
}

static void read(struct run *run) {
    struct bench *bench = &run->bench;
    Vpredicate_file &rtl = run->rtl;
    rtl.read_warp_i = bench_below(bench, WARPS);
    rtl.guard_i = bench_below(bench, 8);
    rtl.p1_i = bench_below(bench, 8);
    rtl.p2_i = bench_below(bench, 8);
    rtl.look_warp_i = bench_below(bench, WARPS);
    rtl.look_portion_i = bench_below(bench, P);
    rtl.eval();
    expect_number(run, "guard", rtl.read_warp_i, rtl.guard_i, rtl.guard_o);
    expect_number(run, "p1", rtl.read_warp_i, rtl.p1_i, rtl.p1_o);
    expect_number(run, "p2", rtl.read_warp_i, rtl.p2_i, rtl.p2_o);
    if (!run->known[rtl.look_warp_i]) return;
    for (uint32_t k = 0; k < 7; k++) {
        const uint64_t is = get_bits(rtl.look_o, k * LANES, LANES);
        const uint64_t wanted =
            run->pred[rtl.look_warp_i][k] >> rtl.look_portion_i * LANES & ((UINT64_C(1) << LANES) - 1);
        if (is != wanted)
            bench_fail(bench, "P%u of portion %u of warp %u is %llx, not %llx", k, rtl.look_portion_i, rtl.look_warp_i,
                       (unsigned long long)is, (unsigned long long)wanted);
    }
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vpredicate_file &rtl = run->rtl;
    if (!run->clears && !rtl.clear_i && bench_chance(bench, 1, 12)) {
        run->clears = true;
        run->warp = bench_below(bench, WARPS);
        run->cleared = 0;
        run->stays = bench_chance(bench, 1, 2) ? 1 : 1 + bench_below(bench, 10);
        run->known[run->warp] = false;
    }
    rtl.clear_i = run->clears;
    rtl.clear_warp_i = run->clears ? run->warp : bench_below(bench, WARPS);
    const uint32_t warp = bench_below(bench, WARPS);
    rtl.write_valid_i = bench_chance(bench, 1, 2) && !(run->clears && warp == run->warp);
    rtl.write_warp_i = warp;
    rtl.write_pred_i = bench_below(bench, 7);
    rtl.write_portion_i = bench_below(bench, P);
    rtl.write_lanes_i = bench_mask(bench, LANES);
    rtl.write_data_i = bench_random(bench) & ((UINT64_C(1) << LANES) - 1);
    read(run);
    const bool ready = run->clears && run->cleared == CLEARS;
    if (run->clears && rtl.clear_ready_o != ready)
        bench_fail(bench, "%u cycles of clearing: ready %u, not %u", run->cleared, rtl.clear_ready_o, ready);
    if (rtl.write_valid_i) {
        uint64_t &bits = run->pred[warp][rtl.write_pred_i];
        const uint64_t lanes = (uint64_t)rtl.write_lanes_i << rtl.write_portion_i * LANES;
        bits = (bits & ~lanes) | ((uint64_t)rtl.write_data_i << rtl.write_portion_i * LANES & lanes);
    } else if (run->clears && run->cleared < CLEARS) {
        run->cleared++;
    }
    if (ready) {
        memset(run->pred[run->warp], 0, sizeof run->pred[run->warp]);
        run->known[run->warp] = true;
        if (--run->stays == 0) run->clears = false;
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 100000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rtl.clear_i = run.rtl.write_valid_i = 0;
    tick(run.rtl);
    tick(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    return bench_end(&run.bench);
}
