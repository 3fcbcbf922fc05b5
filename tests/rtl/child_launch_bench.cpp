// child_launch: random launches of random threads, with and without WAIT, a task unit that takes children late, children that end (and some
// that nobody waits for), slots that are killed and warps that are to stop; every output in every cycle against the rule that its head
// states. The C twin launches a child at a time when it is told to, so who goes when is said here.
// Compiled with -DTHREADS= -DLANES= -DWARPS= -DCHANNELS= -DTASK_SLOTS= as the unit was verilated.
#include <verilated.h>

#include "Vchild_launch.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t P = THREADS / LANES;
static const uint32_t CHANNEL_W = CHANNELS > 1 ? index_bits(CHANNELS) : 1, SLOT_W = TASK_SLOTS > 1
                                                                                        ? index_bits(TASK_SLOTS)
                                                                                        : 1;

enum state { IDLE, INTAKE, SEND };

struct run {
    struct bench bench;
    Vchild_launch rtl;
    enum state state;
    uint32_t warp, portion;  // that it is reserved for; the next one of its registers
    bool wait;
    uint64_t left;
    uint32_t value[THREADS];
    struct {
        bool launched;
        uint32_t count, slot;
    } warps[WARPS];
    uint32_t channel[TASK_SLOTS], kill, stops;
    uint32_t ending;  // children end in so many of 4 cycles: none, so that all threads wait, to all
    uint64_t sent, waited, killed;
};

static bool killed(const struct run *run, uint32_t w) {
    return run->kill >> run->warps[w].slot & 1;
}
static bool waits(const struct run *run, uint32_t w) {
    return run->warps[w].launched && run->warps[w].count != 0 && !killed(run, w) && (run->stops >> w & 1) == 0;
}

static void inputs(struct run *run) {
    struct bench *bench = &run->bench;
    Vchild_launch &rtl = run->rtl;
    rtl.rst_i = bench_chance(bench, 1, 2000);
    if (bench_chance(bench, 1, 100)) run->kill = bench_chance(bench, 1, 2) ? 0 : bench_mask(bench, TASK_SLOTS);
    if (bench_chance(bench, 1, 50)) run->stops = bench_chance(bench, 2, 3) ? 0 : bench_mask(bench, WARPS);
    if (bench_chance(bench, 1, 100)) run->channel[bench_below(bench, TASK_SLOTS)] = bench_below(bench, CHANNELS);
    rtl.slot_kill_i = (uint8_t)run->kill;
    rtl.stops_i = run->stops;
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        set_bits(rtl.slot_channel_i, k * CHANNEL_W, CHANNEL_W, run->channel[k]);
    // A warp that does not launch, which waits for nobody.
    rtl.start_i = run->state == IDLE && bench_chance(bench, 1, 4);
    uint32_t w = bench_below(bench, WARPS);
    for (uint32_t i = 0; i < WARPS && run->warps[w].launched; i++)
        w = (w + 1) % WARPS;
    if (run->warps[w].launched) rtl.start_i = 0;
    if (rtl.start_i && bench_chance(bench, 1, 3)) run->warps[w].slot = bench_below(bench, TASK_SLOTS);
    for (uint32_t i = 0; i < WARPS; i++)
        set_bits(rtl.warp_slot_i, i * SLOT_W, SLOT_W, run->warps[i].slot);
    rtl.start_warp_i = (uint8_t)w;
    rtl.start_wait_i = bench_chance(bench, 2, 3);
    rtl.start_exec_i = bench_mask(bench, THREADS);
    rtl.in_valid_i = run->state == INTAKE && bench_chance(bench, 1, 2);
    rtl.in_portion_i = (uint8_t)run->portion;
    rtl.in_last_i = run->portion == P - 1;
    for (uint32_t l = 0; l < LANES; l++)
        set_bits(rtl.in_a_i, 32 * l, 32, bench_random(bench) & 0xFFFFFFFF);
    rtl.child_ready_i = bench_chance(bench, 3, 4);
    if (bench_chance(bench, 1, 300)) run->ending = bench_below(bench, 5);
    rtl.ended_valid_i = bench_chance(bench, run->ending, 4);
    rtl.ended_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.ended_channel_i = (uint8_t)(bench_chance(bench, 1, 2) ? run->channel[run->warps[rtl.ended_warp_i].slot]
                                                              : bench_below(bench, CHANNELS));
    rtl.done_taken_i = bench_chance(bench, 3, 4);
    rtl.eval();
}

// The outputs; true: a child goes out.
static bool compare(struct run *run, uint32_t *thread, uint32_t *done) {
    struct bench *bench = &run->bench;
    const Vchild_launch &rtl = run->rtl;
    if (rtl.free_o != (run->state == IDLE) || rtl.intake_o != (run->state == INTAKE))
        bench_fail(bench, "free %u intake %u in state %u", rtl.free_o, rtl.intake_o, run->state);
    if (run->state != IDLE && rtl.warp_o != run->warp)
        bench_fail(bench, "reserved for %u, not %u", rtl.warp_o, run->warp);
    const bool child = run->state == SEND && run->left != 0 && !killed(run, run->warp);
    *thread = run->left != 0 ? (uint32_t)__builtin_ctzll(run->left) : 0;
    if (rtl.child_valid_o != child) bench_fail(bench, "child %u, not %u", rtl.child_valid_o, child);
    if (child && (rtl.child_slot_o != run->warps[run->warp].slot || rtl.child_tmd_o != run->value[*thread] ||
                  rtl.child_wait_o != run->wait || rtl.child_warp_o != run->warp))
        bench_fail(bench, "child %08x of slot %u warp %u, not %08x %u %u", rtl.child_tmd_o, rtl.child_slot_o,
                   rtl.child_warp_o, run->value[*thread], run->warps[run->warp].slot, run->warp);
    const bool goes = child && rtl.child_ready_i;
    if (rtl.trace_child_launch_valid_o != (goes && !rtl.rst_i)) bench_fail(bench, "event %u", !goes);
    if (goes && (rtl.trace_child_launch_warp_o != run->warp || rtl.trace_child_launch_thread_o != *thread ||
                 rtl.trace_child_launch_number_o != run->value[*thread] || rtl.trace_child_launch_waits_o != run->wait))
        bench_fail(bench, "the event is not the child's");
    uint32_t waiting = 0;
    *done = WARPS;
    for (uint32_t w = WARPS; w-- > 0;) {
        if (waits(run, w)) waiting |= 1u << w;
        if (run->warps[w].launched && !waits(run, w)) *done = w;
    }
    if (rtl.waiting_o != waiting) bench_fail(bench, "waiting %x, not %x", rtl.waiting_o, waiting);
    if (rtl.done_valid_o != (*done < WARPS) || (*done < WARPS && rtl.done_warp_o != *done))
        bench_fail(bench, "done %u of warp %u, not of %u", rtl.done_valid_o, rtl.done_warp_o, *done);
    run->waited += waiting != 0;
    run->killed += run->state == SEND && run->left != 0 && killed(run, run->warp);
    return goes;
}

static void step(struct run *run) {
    Vchild_launch &rtl = run->rtl;
    uint32_t thread, done;
    inputs(run);
    const bool goes = compare(run, &thread, &done);
    const bool all = run->state == SEND && (run->left == 0 || killed(run, run->warp));
    const uint32_t e = rtl.ended_warp_i;
    const bool ended =
        rtl.ended_valid_i && run->warps[e].count != 0 && run->channel[run->warps[e].slot] == rtl.ended_channel_i;
    if (goes && run->wait) run->warps[run->warp].count++;
    if (ended) run->warps[e].count--;
    run->sent += goes;
    if (goes) run->left &= run->left - 1;
    if (done < WARPS && rtl.done_taken_i) run->warps[done].launched = false;
    if (all) {
        run->warps[run->warp].launched = true;
        run->state = IDLE;
    }
    if (rtl.in_valid_i) {
        for (uint32_t l = 0; l < LANES; l++)
            run->value[run->portion * LANES + l] = (uint32_t)get_bits(rtl.in_a_i, 32 * l, 32);
        if (rtl.in_last_i) run->state = SEND;
        run->portion++;
    }
    if (rtl.start_i) {
        run->state = INTAKE;
        run->warp = rtl.start_warp_i;
        run->wait = rtl.start_wait_i;
        run->left = rtl.start_exec_i;
        run->portion = 0;
        run->warps[run->warp].count = 0;
    }
    if (rtl.rst_i) {
        run->state = IDLE;
        for (auto &w : run->warps)
            w.launched = false, w.count = 0;
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 100000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rtl.start_i = run.rtl.in_valid_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops >= 100000 && (run.sent == 0 || run.waited == 0 || run.killed == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
