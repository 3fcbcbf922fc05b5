// task_lists: lists that become and cease to be empty, reads at any moment, lists that are served, channels that stand or are suspended; every output in
// every cycle against one look at all the lists (task_lists_rules.h). Compiled with -DCHANNELS= as the unit was verilated.
#include <verilated.h>

#include "Vtask_lists.h"
#define BENCH_SHOWS "TU-2 TU-3"
#include "bench.h"
#include "task_lists_rules.h"
#include "tick.h"

static const uint32_t ALL = (1u << CHANNELS) - 1;

struct run {
    struct bench bench;
    Vtask_lists rtl;
    struct lists_rules rules;
    struct lists_seen in;
    uint32_t writes, reads, takes, halts, suspends, turns, resets;  // moods: once in so many cycles
    uint32_t levels, lowest;
    uint64_t picked, dropped, around, busy;
};

static void moods(struct run *run) {
    static const uint32_t rates[] = {2, 6, 9, 30, 100};
    struct bench *bench = &run->bench;
    run->writes = rates[bench_below(bench, 5)];
    run->reads = rates[bench_below(bench, 5)];
    run->takes = rates[bench_below(bench, 5)];
    run->halts = rates[1 + bench_below(bench, 4)] * 20;
    run->suspends = rates[1 + bench_below(bench, 4)] * 20;
    run->turns = rates[bench_below(bench, 5)] * 50;
    run->resets = bench_chance(bench, 1, 3) ? 300 : 20000;
    run->levels = bench_chance(bench, 1, 3) ? 64 : 1 + bench_below(bench, 12);
    run->lowest = bench_below(bench, 65 - run->levels);
}

static uint32_t some_channels(struct run *run) {
    struct bench *bench = &run->bench;
    return bench_chance(bench, 1, 2) ? 0 : bench_chance(bench, 1, 4) ? ALL : bench_below(bench, ALL + 1);
}

static uint32_t some_level(struct run *run) {
    return run->lowest + bench_below(&run->bench, run->levels);
}

static void inputs(struct run *run) {
    struct bench *bench = &run->bench;
    struct lists_seen &in = run->in;
    if (bench_chance(bench, 1, 2000)) moods(run);
    if (bench_chance(bench, 1, run->halts)) in.halt = some_channels(run);
    if (bench_chance(bench, 1, run->suspends)) in.suspend = some_channels(run);
    if (bench_chance(bench, 1, run->turns)) in.round_robin = !in.round_robin;
    in.reset = bench_chance(bench, 1, run->resets);
    in.write = bench_chance(bench, 1, run->writes);
    in.read = !in.write && bench_chance(bench, 1, run->reads);
    in.taken = run->rules.shown.count != 0 && bench_chance(bench, 1, run->takes);
    in.read_channel = bench_below(bench, CHANNELS);
    in.read_level = some_level(run);
    in.write_channel = bench_below(bench, CHANNELS);
    in.write_level = some_level(run);
    in.head = (uint32_t)bench_random(bench) & 0xFFFFFF;
    in.tail = (uint32_t)bench_random(bench) & 0xFFFFFF;
    in.count = bench_chance(bench, 1, 2)   ? 0
               : bench_chance(bench, 1, 2) ? 1u << bench_below(bench, 24)
                                           : (uint32_t)bench_random(bench) & 0xFFFFFF;
    Vtask_lists &rtl = run->rtl;
    rtl.rst_i = in.reset;
    rtl.channel_halt_i = (uint8_t)in.halt;
    rtl.suspend_i = (uint8_t)in.suspend;
    rtl.round_robin_i = in.round_robin;
    rtl.read_i = in.read;
    rtl.read_channel_i = (uint8_t)in.read_channel;
    rtl.read_level_i = (uint8_t)in.read_level;
    rtl.taken_i = in.taken;
    rtl.write_i = in.write;
    rtl.write_channel_i = (uint8_t)in.write_channel;
    rtl.write_level_i = (uint8_t)in.write_level;
    rtl.write_head_i = in.head;
    rtl.write_tail_i = in.tail;
    rtl.write_count_i = in.count;
}

static void outputs(struct run *run) {
    const struct bench *bench = &run->bench;
    const Vtask_lists &rtl = run->rtl;
    const struct lists_seen &in = run->in;
    struct lists_rules &rules = run->rules;
    const bool settled = rules.settled(in), drop = rules.drop(in), pick = rules.pick(in);
    if (rtl.settled_o != settled || rtl.drop_valid_o != drop || rtl.pick_valid_o != pick)
        bench_fail(bench, "settled %d drop %d pick %d, not %d %d %d", rtl.settled_o, rtl.drop_valid_o, rtl.pick_valid_o,
                   settled, drop, pick);
    if (settled && drop && (rtl.drop_channel_o != rules.drop_channel || rtl.drop_level_o != rules.drop_level))
        bench_fail(bench, "level %d of channel %d is to be dropped, not %u of %u", rtl.drop_level_o, rtl.drop_channel_o,
                   rules.drop_level, rules.drop_channel);
    if (settled && !drop && pick && (rtl.pick_channel_o != rules.pick_channel || rtl.pick_level_o != rules.pick_level))
        bench_fail(bench, "level %d of channel %d is next, not %u of %u", rtl.pick_level_o, rtl.pick_channel_o,
                   rules.pick_level, rules.pick_channel);
    const struct pending_tasks &shown = rules.shown;
    if (rtl.count_o != shown.count || (shown.count != 0 && (rtl.head_o != shown.head || rtl.tail_o != shown.tail)))
        bench_fail(bench, "head 0x%x tail 0x%x count %u, not 0x%x 0x%x %u", rtl.head_o, rtl.tail_o, rtl.count_o,
                   shown.head, shown.tail, shown.count);
    run->dropped += settled && drop;
    run->picked += settled && !drop && pick;
    run->around += settled && !drop && pick && in.round_robin && rules.pick_level >= rules.last_level;
    run->busy += !settled;
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 300000);
    registers_at_random(bench.seed);
    struct run *run = new struct run();
    run->bench = bench;
    moods(run);
    inputs(run);
    run->rtl.rst_i = run->in.reset = true;
    for (int i = 0; i < 3; i++) {
        tick(run->rtl);
        run->rules.clock(run->in);
    }
    while (bench_more(&run->bench)) {
        inputs(run);
        run->rtl.eval();
        outputs(run);
        tick(run->rtl);
        run->rules.clock(run->in);
    }
    printf("%" PRIu64 " cycles in which a list is next, %" PRIu64 " of them around, %" PRIu64
           " in which one is to be dropped, %" PRIu64 " in which that is not known\n",
           run->picked, run->around, run->dropped, run->busy);
    if (run->bench.ops >= 100000 && (run->picked == 0 || run->around == 0 || run->dropped == 0))
        bench_fail(&run->bench, "the stream has missed something");
    const int status = bench_end(&run->bench);
    delete run;
    return status;
}
