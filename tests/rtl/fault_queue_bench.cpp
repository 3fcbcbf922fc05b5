// fault_queue: faults that are put in and taken out at random, in times of many and of few, against a list. There is no C twin: in which order
// faults of several SMs are told is the RTL's. Compiled with -DTASK_SLOTS= as the unit was verilated, which is its depth.
#include <verilated.h>

#include <cstring>
#include <deque>

#include "Vfault_queue.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t DEPTH = TASK_SLOTS, W = 73;  // W as the unit has by itself

struct fault {
    uint64_t low, high;
};

struct run {
    struct bench bench;
    Vfault_queue rtl;
    std::deque<struct fault> queue;
    uint32_t much;  // of 8 cycles so many bring a fault
    uint64_t full, passed;
};

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vfault_queue &rtl = run->rtl;
    if (bench_chance(bench, 1, 40)) run->much = bench_below(bench, 9);
    const bool some = !run->queue.empty();
    rtl.rst_i = bench_chance(bench, 1, 200);
    rtl.pop_i = some && bench_chance(bench, 1, 2);
    rtl.push_i = run->queue.size() < DEPTH && bench_chance(bench, run->much, 8);
    const struct fault f = {bench_random(bench), bench_random(bench) & ((1u << (W - 64)) - 1)};
    set_bits(rtl.push_data_i, 0, 64, f.low);
    set_bits(rtl.push_data_i, 64, W - 64, f.high);
    rtl.eval();
    if (rtl.valid_o != some) bench_fail(bench, "%zu wait, valid_o is %u", run->queue.size(), rtl.valid_o);
    if (some && (get_bits(rtl.data_o, 0, 64) != run->queue.front().low ||
                 get_bits(rtl.data_o, 64, W - 64) != run->queue.front().high))
        bench_fail(bench, "tells %03" PRIx64 "%016" PRIx64 ", not %03" PRIx64 "%016" PRIx64,
                   get_bits(rtl.data_o, 64, W - 64), get_bits(rtl.data_o, 0, 64), run->queue.front().high,
                   run->queue.front().low);
    run->full += run->queue.size() == DEPTH;
    run->passed += rtl.push_i && rtl.pop_i;
    if (rtl.pop_i) run->queue.pop_front();
    if (rtl.push_i) run->queue.push_back(f);
    if (rtl.rst_i) run->queue.clear();
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 50000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.much = 4;
    run.rtl.push_i = run.rtl.pop_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops > 10000 && (run.full == 0 || run.passed == 0))
        bench_fail(&run.bench, "it was never full, or none came while one went");
    return bench_end(&run.bench);
}
