// child_launch: random launches of random threads, with and without WAIT, a task unit that takes children late, children that end (and some
// that nobody waits for), slots that are killed and warps that are to stop; every output in every cycle against the rule that its head
// states. The C twin launches a child when it is told to, so who goes when is said here; which one, and who waits, it says as well.
// Compiled with -DTHREADS= -DLANES= -DWARPS= -DCHANNELS= -DTASK_SLOTS= as the unit was verilated, and -DBENCH_CONFIG=.
#include <verilated.h>

#include "Vchild_launch.h"
#include "bench.h"
#include "bench_config.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "base/run.h"
#include "mem/mem.h"
#include "sm/sm_internal.h"
}

static const uint32_t P = THREADS / LANES;
static const uint32_t CHANNEL_W = CHANNELS > 1 ? index_bits(CHANNELS) : 1, SLOT_W = TASK_SLOTS > 1
                                                                                        ? index_bits(TASK_SLOTS)
                                                                                        : 1;

enum state { IDLE, INTAKE, SEND };

struct launch_run {
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
    // the model
    struct run device;
    struct mem *mem;
    struct sm *sm;
    struct task_slot slots[TASK_SLOTS];
    const struct task_slot *wires[TASK_SLOTS];
    bool gone[WARPS];  // it has been killed: the model has forgotten its children
    bool room;         // in the task unit
    bool ready;        // the next thread's number has been read
    uint32_t launches;
    struct sm_child child;        // launched last
    struct warp more[WARPS + 1];  // in place of the model's warps: one more, which is none
    struct warp *warps_of_model;
};

static const uint32_t RA = 3;  // the register that children's numbers are read from

static bool twin_room(const void *run) {
    return ((const struct launch_run *)run)->room;
}
static void twin_launches(void *run, const struct sm_child *child) {
    ((struct launch_run *)run)->launches++;
    ((struct launch_run *)run)->child = *child;
}

static void twin_begin(struct launch_run *run) {
    run_init(&run->device, bench_config(), run->bench.seed);
    run->mem = mem_create(&run->device, 4096, nullptr);
    run->sm = run->mem == nullptr ? nullptr : sm_create(&run->device, run->mem, 5);
    if (run->sm == nullptr) bench_fail(&run->bench, "no memory for the model");
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        run->wires[k] = &run->slots[k];
    struct sm_wires wires = {};
    wires.slot = run->wires;
    wires.context = run;
    wires.can_launch_child = twin_room;
    wires.launch_child = twin_launches;
    sm_connect(run->sm, &wires);
    run->warps_of_model = run->sm->warps;
    memcpy(run->more, run->sm->warps, WARPS * sizeof run->more[0]);
    run->sm->warps = run->more;
    for (uint32_t w = 0; w < WARPS; w++)
        run->sm->warps[w].registers = run->sm->register_file;
}

static void twin_end(struct launch_run *run) {
    run->sm->warps = run->warps_of_model;
    sm_destroy(run->sm);
    mem_destroy(run->mem);
}

// What is no warp, or does not run, waits for nobody, whatever stands there.
static void twin_without(struct launch_run *run) {
    struct bench *bench = &run->bench;
    struct warp &behind = run->sm->warps[WARPS];
    struct trace_event event = {};
    behind.running = true;
    behind.children.running = bench_below(bench, 2);
    const uint32_t kept = behind.children.running, channel = run->channel[behind.slot];
    sm_child_ended(run->sm, WARPS, channel);
    if (behind.children.running != kept) bench_fail(bench, "a child ends of what is no warp");
    const uint32_t w = bench_below(bench, WARPS);
    struct warp &warp = run->sm->warps[w];
    if (warp.children.left == 0 && child_launch_next(run->sm, w, &event))
        bench_fail(bench, "the model launches nobody's child");
    if (run->warps[w].count != 0 || warp.children.left != 0) return;
    const bool waiting = sm_waiting(run->sm);
    warp.running = false;
    warp.children.running = 1;
    sm_child_ended(run->sm, w, run->channel[warp.slot]);
    if (warp.children.running != 1) bench_fail(bench, "a child ends of a warp that does not run");
    if (sm_waiting(run->sm) != waiting) bench_fail(bench, "a warp that does not run waits");
    warp.running = true;
    warp.children.running = 0;
}

// All registers are there: the instruction is executed.
static void twin_execute(struct launch_run *run) {
    struct warp *warp = &run->sm->warps[run->warp];
    struct decoded d = {};
    d.ra = RA;
    d.mod = (uint8_t)((bench_below(&run->bench, 8) << 1) | run->wait);
    memcpy(run->sm->register_file + RA * THREADS, run->value, sizeof run->value);
    warp->children.running = bench_below(&run->bench, 3);  // it begins anew
    child_launch_begin(run->sm, warp, &d, run->left);
    if (warp->children.left != run->left || warp->children.running != 0)
        bench_fail(&run->bench, "the model has %llx to launch", (unsigned long long)warp->children.left);
    run->gone[run->warp] = false;
}

static void twin_launch(struct launch_run *run, uint32_t thread) {
    struct bench *bench = &run->bench;
    struct trace_event event = {};
    const uint32_t launches = run->launches;
    run->room = false;
    if (child_launch_next(run->sm, run->warp, &event)) bench_fail(bench, "the model launches without room");
    run->room = true;
    if (!child_launch_next(run->sm, run->warp, &event) || run->launches != launches + 1)
        bench_fail(bench, "the model launches nothing");
    const struct trace_child_launch &e = event.child_launch;
    const struct sm_child &c = run->child;
    if (event.kind != TRACE_CHILD_LAUNCH || e.warp != run->warp || e.thread != thread ||
        e.number != run->value[thread] || (e.waits != 0) != run->wait)
        bench_fail(bench, "the model launches %08x of thread %u, not %08x of %u", e.number, e.thread,
                   run->value[thread], thread);
    if (c.slot != run->warps[run->warp].slot || c.number != e.number || c.sm != 5 || c.warp != run->warp ||
        c.wait != run->wait)
        bench_fail(bench, "the model's child is another");
}

// Who waits in the model: counts, and what comes of them.
static void twin_compare(struct launch_run *run) {
    struct bench *bench = &run->bench;
    struct sm *sm = run->sm;
    bool waiting = false, stuck = true;
    sm->launch_count = bench_chance(bench, 1, 8);
    for (uint32_t w = 0; w < WARPS; w++) {
        struct warp *warp = &sm->warps[w];
        const bool launches = run->state == SEND && w == run->warp && run->left != 0 && !run->gone[w];
        const uint32_t count = run->gone[w] ? 0 : run->warps[w].count;
        if (warp->children.running != count)
            bench_fail(bench, "warp %u waits for %u children, model %u", w, count, warp->children.running);
        warp->at_barrier = count == 0 && !launches && bench_chance(bench, 3, 4);
        warp->running = count != 0 || launches || !bench_chance(bench, 1, 4);
        const bool waits = count != 0 && !launches;
        waiting = waiting || waits;
        stuck = stuck && (waits || !warp->running || warp->at_barrier);
        warp_update_ready(sm, w);
        if (warp->running && ((sm->held >> w & 1) != 0) != (count != 0 || launches || warp->at_barrier))
            bench_fail(bench, "warp %u of the model goes on", w);
    }
    if (sm_waiting(sm) != waiting) bench_fail(bench, "the model waits: %u, not %u", !waiting, waiting);
    if (sm_stuck(sm) != (stuck && sm->launch_count == 0)) bench_fail(bench, "the model is stuck: %u", sm_stuck(sm));
    for (uint32_t w = 0; w < WARPS; w++)
        sm->warps[w].running = true;
}

static bool killed(const struct launch_run *run, uint32_t w) {
    return run->kill >> run->warps[w].slot & 1;
}
static bool waits(const struct launch_run *run, uint32_t w) {
    return run->warps[w].launched && run->warps[w].count != 0 && !killed(run, w) && (run->stops >> w & 1) == 0;
}

static void inputs(struct launch_run *run) {
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
static bool compare(struct launch_run *run, uint32_t *thread, uint32_t *done) {
    struct bench *bench = &run->bench;
    const Vchild_launch &rtl = run->rtl;
    if (rtl.free_o != (run->state == IDLE) || rtl.intake_o != (run->state == INTAKE))
        bench_fail(bench, "free %u intake %u in state %u", rtl.free_o, rtl.intake_o, run->state);
    if (run->state != IDLE && rtl.warp_o != run->warp)
        bench_fail(bench, "reserved for %u, not %u", rtl.warp_o, run->warp);
    const bool child = run->state == SEND && run->ready && run->left != 0 && !killed(run, run->warp);
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

static void step(struct launch_run *run) {
    Vchild_launch &rtl = run->rtl;
    uint32_t thread, done;
    inputs(run);
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        run->slots[k].channel = run->channel[k];
    for (uint32_t w = 0; w < WARPS; w++)
        run->sm->warps[w].slot = run->warps[w].slot;
    twin_compare(run);
    twin_without(run);
    const bool goes = compare(run, &thread, &done);
    const bool all = run->state == SEND && (run->left == 0 || killed(run, run->warp));
    const uint32_t e = rtl.ended_warp_i;
    const bool ended =
        rtl.ended_valid_i && run->warps[e].count != 0 && run->channel[run->warps[e].slot] == rtl.ended_channel_i;
    if (rtl.ended_valid_i) sm_child_ended(run->sm, e, rtl.ended_channel_i);
    if (bench_chance(&run->bench, 1, 50))
        sm_child_ended(run->sm, WARPS + bench_below(&run->bench, 3), rtl.ended_channel_i);
    if (goes) twin_launch(run, thread);
    if (goes && run->wait) run->warps[run->warp].count++;
    if (ended) run->warps[e].count--;
    run->sent += goes;
    run->ready = run->state == SEND && !goes;  // the next number is read
    if (goes) run->left &= run->left - 1;
    if (done < WARPS && rtl.done_taken_i) run->warps[done].launched = false;
    if (all) {
        if (run->left != 0) {  // killed: it ends
            run->sm->warps[run->warp].children = {};
            run->gone[run->warp] = true;
        }
        run->warps[run->warp].launched = true;
        run->state = IDLE;
    }
    if (rtl.in_valid_i) {
        for (uint32_t l = 0; l < LANES; l++)
            run->value[run->portion * LANES + l] = (uint32_t)get_bits(rtl.in_a_i, 32 * l, 32);
        run->portion++;
        if (rtl.in_last_i) {
            run->state = SEND;
            twin_execute(run);
        }
    }
    if (rtl.start_i) {
        run->state = INTAKE;
        run->warp = rtl.start_warp_i;
        run->wait = rtl.start_wait_i;
        run->left = rtl.start_exec_i;
        run->portion = 0;
        run->warps[run->warp].count = 0;
        run->sm->warps[run->warp].children = {};
        run->gone[run->warp] = false;
    }
    if (rtl.rst_i) {
        run->state = IDLE;
        for (auto &w : run->warps)
            w.launched = false, w.count = 0;
        for (uint32_t w = 0; w < WARPS; w++) {
            run->sm->warps[w].children = {};
            run->gone[w] = false;
        }
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 100000);
    registers_at_random(bench.seed);
    static struct launch_run run;
    run.bench = bench;
    twin_begin(&run);
    run.rtl.start_i = run.rtl.in_valid_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    twin_end(&run);
    if (bench.ops >= 100000 && (run.sent == 0 || run.waited == 0 || run.killed == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
