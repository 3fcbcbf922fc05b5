// parents: tasks that start, launch children and whose children end, in random slots, against the rule that its head states. The model has the
// same in cmodel/task/parents.c, where it tells events; here each slot is a record of its own.
// Compiled with -DTHREADS= -DWARPS= -DSMS= -DCHANNELS= -DTASK_SLOTS= as the unit was verilated.
#include <verilated.h>

#include "Vparents.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t CHANNEL_W = CHANNELS > 1 ? index_bits(CHANNELS) : 1, MOST = SMS * WARPS * THREADS;
static const uint32_t COUNT_W = index_bits(MOST + 1);

struct run {
    struct bench bench;
    Vparents rtl;
    struct {
        bool busy, save;
        uint32_t channel, tmd, children;
    } slot[TASK_SLOTS];
    uint32_t favourite;  // most children are of this slot
    uint32_t launches;   // of 8 cycles so many bring a child of each slot
    uint64_t full, away, none_left;
};

static void check(struct run *run, uint32_t k) {
    const Vparents &rtl = run->rtl;
    const auto &slot = run->slot[k];
    const bool here = slot.busy && slot.channel == rtl.channel_i && slot.tmd >> 8 == (rtl.parent_i & 0xFFFFFF);
    const uint32_t children = (uint32_t)get_bits(rtl.children_o, k * COUNT_W, COUNT_W);
    if ((rtl.here_o >> k & 1) != here) bench_fail(&run->bench, "slot %u: here_o is not %u", k, here);
    if (children != slot.children || (rtl.some_o >> k & 1) != (slot.children != 0))
        bench_fail(&run->bench, "slot %u has %u children, some %u, not %u", k, children, rtl.some_o >> k & 1,
                   slot.children);
}

static void inputs(struct run *run) {
    struct bench *bench = &run->bench;
    Vparents &rtl = run->rtl;
    if (bench_chance(bench, 1, 500)) {
        run->favourite = bench_below(bench, TASK_SLOTS);
        run->launches = bench_below(bench, 9);
    }
    rtl.fill_i = 0;
    rtl.child_i = 0;
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        auto &slot = run->slot[k];
        if (bench_chance(bench, 1, 2000)) {
            set_bits(rtl.fill_i, k, 1, 1);
            slot.channel = bench_below(bench, CHANNELS);
            slot.tmd = (uint32_t)bench_random(bench);
            slot.save = bench_chance(bench, 3, 4);
        }
        if (bench_chance(bench, 1, 50)) slot.busy = !slot.busy;
        // No more threads wait for a child than there are.
        if (slot.children < MOST && bench_chance(bench, run->launches, 8)) set_bits(rtl.child_i, k, 1, 1);
        set_bits(rtl.busy_i, k, 1, slot.busy);
        set_bits(rtl.save_i, k, 1, slot.save);
        set_bits(rtl.slot_channel_i, k * CHANNEL_W, CHANNEL_W, slot.channel);
        set_bits(rtl.slot_tmd_i, k * 32, 32, slot.tmd);
    }
    // Of a parent that is here, mostly; else one that differs in a bit, or in its channel.
    const auto &parent = run->slot[bench_chance(bench, 3, 4) ? run->favourite : bench_below(bench, TASK_SLOTS)];
    rtl.ended_i = bench_chance(bench, 1, 2);
    rtl.channel_i = (uint8_t)(bench_chance(bench, 1, 8) ? bench_below(bench, CHANNELS) : parent.channel);
    rtl.parent_i = bench_below(bench, 64) << 24 | parent.tmd >> 8;
    if (bench_chance(bench, 1, 8)) rtl.parent_i ^= 1u << bench_below(bench, 24);
    if (bench_chance(bench, 7, 8)) rtl.parent_i |= 1u << 31;
    if (bench_chance(bench, 7, 8)) rtl.parent_i |= 1u << 30;
}

static void step(struct run *run) {
    Vparents &rtl = run->rtl;
    inputs(run);
    rtl.eval();
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        auto &slot = run->slot[k];
        check(run, k);
        const bool less = rtl.ended_i && rtl.parent_i >> 30 == 3 && rtl.here_o >> k & 1;
        run->away += rtl.ended_i && rtl.here_o == 0;
        run->none_left += less && slot.children == 0;
        if (rtl.fill_i >> k & 1) {
            slot.children = 0;
            continue;
        }
        const bool more = rtl.child_i >> k & 1 && slot.save;
        slot.children += more - (less && slot.children != 0);
        run->full += slot.children == MOST;
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 100000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rtl.fill_i = (1u << TASK_SLOTS) - 1;  // it has no reset: every slot begins with a task that starts
    tick(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops >= 100000 && (run.away == 0 || run.none_left == 0 || run.full == 0))
        bench_fail(&run.bench, "no parent was away, none had no children left, or none as many as can be");
    return bench_end(&run.bench);
}
