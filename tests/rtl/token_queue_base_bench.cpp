// token_queue_base: every size at random bases, those near the end of all addresses as well, against the sum of bytes that the model makes
// (cmodel/sm/token_mover.c). Compiled with -DTHREADS= -DWARPS= -DSMS= -DDEQUE_ENTRIES= as the unit was verilated.
#define BENCH_SHOWS "TD-21"
#include <verilated.h>

#include "Vtoken_queue_base.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

struct run {
    struct bench bench;
    Vtoken_queue_base rtl;
    uint64_t past, sizes[16];
};

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vtoken_queue_base &rtl = run->rtl;
    const uint32_t size = bench_below(bench, 16);
    const uint32_t base = (uint32_t)bench_mask(bench, 20) - (bench_chance(bench, 1, 4) ? bench_below(bench, 64) : 0);
    const uint64_t first = (uint64_t)(base & 0xFFFFF) << 12;
    set_bits(rtl.deque_base_i, 0, 20, base);
    rtl.deque_size_i = size;
    rtl.eval();
    run->sizes[size]++;
    for (uint32_t s = 0; s < SMS; s++) {
        const uint64_t queue = (uint64_t)s << index_bits(WARPS), places = (uint64_t)DEQUE_ENTRIES / 2 << size;
        const uint64_t at = first + queue * places * (THREADS / 4), told = get_bits(rtl.token_memory_o, 21 * s, 21);
        if (told != at >> 12)
            bench_fail(bench, "BASE %05x, SIZE %u: queues of SM %u begin at page %06" PRIx64 ", not %06" PRIx64,
                       base & 0xFFFFF, size, s, told, at >> 12);
        run->past += at >> 32;
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
    bool all = SMS == 1 || run.past != 0;
    for (uint64_t times : run.sizes)
        all = all && times != 0;
    if (bench.ops >= 20000 && !all) bench_fail(&run.bench, "something never took place");
    return bench_end(&run.bench);
}
