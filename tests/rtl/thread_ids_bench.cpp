// thread_ids: ids of threads that are written for some lanes of a portion and read, in any order, against a table. There is no C twin: the model
// counts ids when it is asked for them. Compiled with -DTHREADS= -DLANES= -DWARPS= as the unit was verilated.
#include <verilated.h>

#include <cstring>

#include "Vthread_ids.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t PORTIONS = THREADS / LANES, TID_W = index_bits(WARPS * THREADS), IDS_W = 3 * TID_W;

struct run {
    struct bench bench;
    Vthread_ids rtl;
    uint64_t ids[WARPS][THREADS];
    bool written[WARPS][THREADS];
    // what was read last, and of which lanes it is known
    uint64_t read[LANES];
    bool known[LANES];
};

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vthread_ids &rtl = run->rtl;
    const uint32_t warp = bench_below(bench, WARPS), portion = bench_below(bench, PORTIONS);
    const uint64_t lanes = bench_mask(bench, LANES);
    uint64_t ids[LANES];
    rtl.write_valid_i = bench_chance(bench, 1, 2);
    rtl.write_warp_i = (uint8_t)warp;
    rtl.write_portion_i = (uint8_t)portion;
    set_bits(rtl.write_lanes_i, 0, LANES, lanes);
    for (uint32_t l = 0; l < LANES; l++) {
        ids[l] = bench_random(bench) & ((1ull << IDS_W) - 1);
        set_bits(rtl.write_data_i, l * IDS_W, IDS_W, ids[l]);
    }
    const uint32_t other = bench_below(bench, WARPS), its_portion = bench_below(bench, PORTIONS);
    rtl.read_i = bench_chance(bench, 1, 2) && !(rtl.write_valid_i && warp == other && portion == its_portion);
    rtl.read_warp_i = (uint8_t)other;
    rtl.read_portion_i = (uint8_t)its_portion;
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t t = its_portion * LANES + l;
        if (!rtl.read_i) continue;
        run->read[l] = run->ids[other][t];
        run->known[l] = run->written[other][t];
    }
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t t = portion * LANES + l;
        if (!rtl.write_valid_i || (lanes >> l & 1) == 0) continue;
        run->ids[warp][t] = ids[l];
        run->written[warp][t] = true;
    }
    tick(rtl);
    for (uint32_t l = 0; l < LANES; l++) {
        const uint64_t is = get_bits(rtl.read_o, l * IDS_W, IDS_W);
        if (run->known[l] && is != run->read[l])
            bench_fail(bench, "lane %u has %" PRIx64 ", not %" PRIx64, l, is, run->read[l]);
    }
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
    return bench_end(&run.bench);
}
