// work_distributor: random tasks in all slots, grids and queues, SMs that take CTAs when they please, end them and let them leave, slots that fault,
// channels that stand or are suspended, evicted tasks that are handed over late, children and parents, a memory that answers late and refuses,
// times in which nothing can go on; every output in every cycle against the rules that its head, and those of eviction, parents,
// stuck and cta_ends, state. The C twin has no cycles (task_unit_bench.cpp holds it against the unit). Compiled with -DTHREADS= -DWARPS= -DSMS=
// -DCHANNELS= -DTASK_SLOTS= -DCONST_BANKS= -DNS_PER_CYCLE= as the unit was verilated.
#include <verilated.h>

#include <algorithm>

#include "Vwork_distributor.h"
#define BENCH_SHOWS "TU-4 TU-5 TU-6 TU-15"
#include "bench.h"
#include "gen/bundles.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "gen/isa.h"
#include "gen/registers.h"
#include "gen/tmd.h"
}

#include "work_distributor_rules.h"

struct distributor {
    struct bench bench;
    Vwork_distributor rtl;
    struct rules rules;
    struct seen in;                // what the unit is told in this cycle
    uint32_t on[SMS][TASK_SLOTS];  // CTAs that the SMs have
    bool wanted;                   // the memory port, in the cycle before
    uint32_t asked, quiet;         // cycles until the memory answers, until something can go on
    uint32_t fills, readies, ends, faults, halts, children, grants, takes;  // moods, of 64
    uint64_t launched, left, evicted, ended, killed, freed, failed, stuck, resumed;
};

static bool chance(struct distributor *run, uint32_t of_64) {
    return bench_chance(&run->bench, of_64, 64);
}

static void moods(struct distributor *run) {
    static const uint32_t some[] = {0, 1, 4, 16, 48};
    struct bench *bench = &run->bench;
    run->fills = some[1 + bench_below(bench, 4)];
    run->readies = some[bench_below(bench, 5)];
    run->ends = some[bench_below(bench, 4)];
    run->faults = some[bench_below(bench, 2)];
    run->halts = bench_chance(bench, 1, 2);
    run->children = some[bench_below(bench, 4)];
    run->grants = some[1 + bench_below(bench, 4)];
    run->takes = some[1 + bench_below(bench, 4)];
    // Oftener as long as no task was found stuck, so that every run has seen one.
    if (bench_chance(bench, 1, run->stuck == 0 ? 2 : 25)) run->quiet = 4500 + bench_below(bench, 100);
}

// ---- what goes in ----
static uint32_t side(struct bench *bench, uint32_t bits, uint32_t *next) {
    const uint32_t all = bits == 32 ? 0xFFFFFFFF : (1u << bits) - 1;
    uint32_t grid = 1 + bench_below(bench, 3);
    if (bench_chance(bench, 1, 5)) grid = 1u << bench_below(bench, bits);
    if (bench_chance(bench, 1, 8)) grid = (1 + (uint32_t)bench_random(bench)) & all;
    grid = std::max(grid, 1u);
    *next = bench_chance(bench, 1, 2) ? 0 : grid - 1 - bench_below(bench, std::min(grid, 3u));
    return grid;
}

static uint32_t some_tmd(struct bench *bench) {
    return (1 + bench_below(bench, 6)) << bench_below(bench, 3) * 10;
}

static void start_task(struct distributor *run) {
    struct bench *bench = &run->bench;
    struct seen &in = run->in;
    struct task_in &t = in.task;
    in.start = run->rules.free() < TASK_SLOTS && chance(run, run->fills) && run->quiet == 0;
    t.group = bench_chance(bench, 1, 2) ? bench_below(bench, 3) * 31 : bench_below(bench, 64);
    t.sequential = bench_chance(bench, 1, 4);
    t.save = bench_chance(bench, 1, 2);
    t.saved = t.save && bench_chance(bench, 1, 3) ? bench_below(bench, SMS * WARPS + 1) : 0;
    t.launched = bench_chance(bench, 1, 8);
    t.channel = bench_below(bench, CHANNELS);
    t.tmd = some_tmd(bench) << 8;
    t.parent = some_tmd(bench) | (uint32_t)(bench_random(bench) & 0x3F000000);
    if (bench_chance(bench, 1, 2))
        t.parent |= bench_chance(bench, 2, 3) ? 0xC0000000 : 0x40000000u << bench_below(bench, 2);
    const struct slot &parent = run->rules.slots[bench_below(bench, TASK_SLOTS)];
    if (parent.busy && bench_chance(bench, 1, 2)) {
        t.channel = parent.task.channel;
        t.parent = (t.parent & 0xFF000000) | parent.task.tmd >> 8;
    }
    t.queue = bench_chance(bench, 1, 4);
    for (uint32_t i = 0; i < 3; i++)
        t.grid[i] = side(bench, i == 0 ? 32 : 16, &t.next[i]);
    if (t.queue) {
        t.next[0] = bench_random(bench) & 0x7FFFFFFF;
        if (bench_chance(bench, 1, 2)) t.next[0] |= 0x7FFF0000;
        if (bench_chance(bench, 1, 2)) t.next[0] = t.grid[0] > 9 ? (t.grid[0] - 9) & 0x7FFFFFFF : 0;
        t.saved = 0;
        t.save = t.save && bench_chance(bench, 1, 8);
    }
    t.code_base = bench_random(bench) & 0xFFFFFFF8;
    t.region = bench_random(bench) & 0xFFFFFFF8;
    t.local = (uint32_t)bench_random(bench);
    for (uint32_t i = 0; i < 2; i++) {
        t.enable[i] = bench_chance(bench, 1, 3);
        t.red[i] = bench_chance(bench, 1, 2);
        t.is_signed[i] = bench_chance(bench, 1, 2);
        t.one_word[i] = bench_chance(bench, 1, 2);
        t.op[i] = bench_below(bench, 8);
        t.addr[i] = (uint32_t)bench_random(bench) & 0xFFFFFFFC;
        t.payload[i] = (uint32_t)bench_random(bench);
        t.frees[i] = bench_chance(bench, 1, 4);
        t.frees_tmd[i] = (uint32_t)bench_random(bench) & 0xFFFFFF;
    }
    Vwork_distributor &rtl = run->rtl;
    rtl.start_valid_i = in.start;
    rtl.task_group_i = (uint8_t)t.group;
    rtl.task_sequential_i = t.sequential;
    rtl.task_parent_i = t.parent;
    rtl.task_save_i = t.save;
    rtl.task_saved_i = (uint8_t)t.saved;
    rtl.task_launched_i = t.launched;
    rtl.task_channel_i = (uint8_t)t.channel;
    rtl.task_tmd_i = t.tmd;
    rtl.task_region_i = t.region;
    rtl.task_code_base_i = t.code_base;
    rtl.task_local_base_i = t.local;
    rtl.task_grid_x_i = t.grid[0];
    rtl.task_grid_y_i = (uint16_t)t.grid[1];
    rtl.task_grid_z_i = (uint16_t)t.grid[2];
    rtl.task_next_x_i = t.next[0];
    rtl.task_next_y_i = (uint16_t)t.next[1];
    rtl.task_next_z_i = (uint16_t)t.next[2];
    rtl.task_queue_i = t.queue;
    rtl.task_open_i = bench_chance(bench, 1, 2);
    rtl.task_put_i = (uint32_t)bench_random(bench) & 0x7FFFFFFF;
    rtl.task_period_i = (uint8_t)bench_random(bench);
    for (uint32_t i = 0; i < 2; i++) {
        set_bits(rtl.task_release_enable_i, i, 1, t.enable[i]);
        set_bits(rtl.task_release_red_i, i, 1, t.red[i]);
        set_bits(rtl.task_release_signed_i, i, 1, t.is_signed[i]);
        set_bits(rtl.task_release_one_word_i, i, 1, t.one_word[i]);
        set_bits(rtl.task_release_op_i, 3 * i, 3, t.op[i]);
        set_bits(rtl.task_release_addr_i, 32 * i, 32, t.addr[i]);
        set_bits(rtl.task_release_payload_i, 32 * i, 32, t.payload[i]);
        set_bits(rtl.task_frees_i, i, 1, t.frees[i]);
        set_bits(rtl.task_frees_tmd_i, 24 * i, 24, t.frees_tmd[i]);
    }
}

// queue_feeder's part: what it says of a queue stays while the queue is at its end.
static void queues(struct distributor *run) {
    struct bench *bench = &run->bench;
    Vwork_distributor &rtl = run->rtl;
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        struct queue &q = run->in.queue[k];
        const struct slot &s = run->rules.slots[k];
        const bool live = s.busy && !s.kill && !s.leaving,
                   offered = run->rules.offer_valid && run->rules.offer_slot == k;
        const bool done = q.last && q.synced && !q.hold;
        if (!q.here) {  // what is said of no queue means nothing
            q.ready = bench_chance(bench, 1, 2);
            q.last = bench_chance(bench, 1, 2);
            q.synced = bench_chance(bench, 1, 2);
            q.count = bench_below(bench, 65536);
        } else if (q.hold) {
            q.hold = bench_chance(bench, 1, 2);
        } else if (live && !done) {
            q.bad = q.bad || bench_chance(bench, 1, 2000) || run->quiet != 0;
            q.synced = bench_chance(bench, 7, 8) ? q.synced : !q.synced;
            q.hold = bench_chance(bench, 1, 32);
            if (!offered && !q.wants) q.last = bench_chance(bench, 1, 64);
            if (!offered && !q.last && bench_chance(bench, 1, 16)) q.wants = !q.wants;
            const uint32_t all = s.task.grid[0] - s.next[0];  // to the end of the ring
            if (!q.wants)
                q.count = bench_chance(bench, 1, 2) && all < 65536 && all != 0 ? all : 1 + bench_below(bench, 65535);
        }
        if (q.here) q.ready = q.wants && !q.hold && !q.bad;
        set_bits(rtl.queue_here_i, k, 1, q.here);
        set_bits(rtl.queue_ready_i, k, 1, q.ready);
        set_bits(rtl.queue_last_i, k, 1, q.last);
        set_bits(rtl.queue_synced_i, k, 1, q.synced);
        set_bits(rtl.queue_hold_i, k, 1, q.hold);
        set_bits(rtl.queue_bad_i, k, 1, q.bad);
        set_bits(rtl.queue_count_i, 16 * k, 16, q.count);
        set_bits(rtl.queue_code_i, 8 * k, 8, q.code);
    }
    rtl.queue_busy_i = run->in.queue_busy = bench_chance(bench, 1, 8);
}

static void sms(struct distributor *run) {
    struct bench *bench = &run->bench;
    Vwork_distributor &rtl = run->rtl;
    struct seen &in = run->in;
    in.ready = in.faulted = in.child = 0;
    for (uint32_t s = 0; s < SMS; s++) {
        uint32_t all = 0;
        for (const uint32_t n : run->on[s])
            all += n;
        if (all < WARPS && (run->quiet == 0 || run->quiet > 4300) && chance(run, run->readies)) in.ready |= 1u << s;
        const uint32_t k = bench_below(bench, TASK_SLOTS);
        in.done[s] = run->on[s][k] != 0 && run->quiet == 0 && chance(run, run->rules.slots[k].kill ? 16 : run->ends);
        in.done_slot[s] = k;
        in.done_left[s] = run->rules.slots[k].save && bench_chance(bench, run->rules.slots[k].evict ? 7 : 1, 8);
        set_bits(rtl.cta_done_valid_i, s, 1, in.done[s]);
        set_bits(rtl.cta_done_slot_i, s * SLOT_W, SLOT_W, k);
        set_bits(rtl.cta_done_left_i, s, 1, in.done_left[s]);
        for (uint32_t i = 0; i < TASK_SLOTS; i++) {
            const uint32_t bit = s * TASK_SLOTS + i;
            if (bench_chance(bench, 1, 100)) in.rests ^= UINT64_C(1) << bit;
            if (bench_chance(bench, 1, 100)) in.waits ^= UINT64_C(1) << bit;
            if (bench_chance(bench, 1, 200)) in.trapped ^= UINT64_C(1) << bit;
            if (bench_chance(bench, 1, 8)) in.trapped &= ~(UINT64_C(1) << bit);
            if (run->ends < 4 && bench_chance(bench, 1, 8)) in.rests |= UINT64_C(1) << bit;
        }
    }
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        const struct slot &s = run->rules.slots[k];
        if (s.busy && s.running != 0 && run->quiet == 0 && bench_chance(bench, run->faults, 800)) in.faulted |= 1u << k;
        if (s.busy && s.running != 0 && s.children < 30 && chance(run, run->children)) in.child |= 1u << k;
    }
    in.waiting = run->quiet != 0 ? 1 + bench_below(bench, (1u << SMS) - 1) : bench_below(bench, 1u << SMS);
    in.stuck = run->quiet != 0 ? (1u << SMS) - 1 : bench_below(bench, 1u << SMS);
    in.busy = run->quiet == 0 && bench_chance(bench, 1, 2);
    rtl.cta_ready_i = (uint8_t)in.ready;
    rtl.slot_faulted_i = (uint8_t)in.faulted;
    rtl.child_i = (uint8_t)in.child;
    rtl.sm_waiting_i = (uint8_t)in.waiting;
    rtl.sm_stuck_i = (uint8_t)in.stuck;
    rtl.busy_i = in.busy;
    set_bits(rtl.sm_slot_rests_i, 0, SMS * TASK_SLOTS, in.rests);
    set_bits(rtl.sm_slot_waits_i, 0, SMS * TASK_SLOTS, in.waits);
    set_bits(rtl.sm_slot_trapped_i, 0, SMS * TASK_SLOTS, in.trapped);
}

static void inputs(struct distributor *run) {
    struct bench *bench = &run->bench;
    Vwork_distributor &rtl = run->rtl;
    struct seen &in = run->in;
    if (run->bench.op % 512 == 1 && run->quiet == 0) moods(run);
    if (run->quiet != 0) run->quiet--;
    rtl.rst_i = in.reset = bench_chance(bench, 1, 8000);
    start_task(run);
    queues(run);
    sms(run);
    if (bench_chance(bench, 1, 50)) in.halt ^= (uint32_t)run->halts << bench_below(bench, CHANNELS);
    if (bench_chance(bench, 1, 20)) in.halt &= in.halt - 1;
    if (bench_chance(bench, 1, 100)) in.suspend ^= (uint32_t)run->halts << bench_below(bench, CHANNELS);
    if (bench_chance(bench, 1, 50)) in.suspend &= in.suspend - 1;
    // Tasks that leave, or can, would be at work.
    if (run->quiet != 0) in.suspend = in.halt = 0;
    for (const slot &s : run->rules.slots)
        if (run->quiet > 4400 && s.busy && s.save) in.halt |= 1u << s.task.channel;
    if (bench_chance(bench, 1, 30)) in.pick = bench_chance(bench, 1, 2);
    if (run->quiet != 0) in.pick = false;
    if (bench_chance(bench, 1, 30)) in.pick_level = bench_below(bench, 64);
    if (bench_chance(bench, 1, 500)) in.round_robin = bench_chance(bench, 1, 4);
    if (bench_chance(bench, 1, 4000)) in.slice = bench_below(bench, 4);
    in.fault_hold = run->quiet == 0 && bench_chance(bench, 1, 4);
    in.freed_ready = bench_chance(bench, 1, 4);
    in.granted = run->wanted && (in.granted || chance(run, run->grants));  // the cycle after want_o
    run->wanted = run->rules.wants();
    in.req_ready = chance(run, run->grants);
    in.taken = in.done_leaving = false;
    in.answer = run->rules.ending == ANSWER && in.granted && run->asked == 0;
    in.answer_fault = bench_chance(bench, 1, 16) ? 1 + bench_below(bench, 2) : ANSWER_GOOD;
    in.answer_data = bench_below(bench, 3);
    if (bench_chance(bench, 1, 4)) in.answer_data = 1u << bench_below(bench, 32);
    if (bench_chance(bench, 1, 16)) in.answer_data |= 0x80000000;
    for (uint32_t i = 0; i < 8; i++)
        rtl.rsp_data_i[i] = i == 0 ? in.answer_data : (uint32_t)bench_random(bench);
    if (run->asked != 0) run->asked--;
    rtl.rsp_valid_i = in.answer;
    rtl.rsp_fault_i = (uint8_t)in.answer_fault;
    rtl.channel_halt_i = (uint8_t)in.halt;
    rtl.suspend_i = (uint8_t)in.suspend;
    rtl.pick_valid_i = in.pick;
    rtl.pick_level_i = (uint8_t)in.pick_level;
    rtl.round_robin_i = in.round_robin;
    rtl.slice_i = (uint8_t)in.slice;
    rtl.fault_hold_i = in.fault_hold;
    rtl.freed_ready_i = in.freed_ready;
    rtl.granted_i = in.granted;
    rtl.req_ready_i = in.req_ready;
    // It is taken when it is offered; then it is in its list some time later.
    bool leaving = false;
    for (const slot &s : run->rules.slots)
        leaving = leaving || s.leaving;
    in.done_leaving = leaving && bench_chance(bench, 1, 16);
    rtl.evicted_done_i = in.done_leaving;
    rtl.evicted_taken_i = 0;
    run->rules.look(in);
    // A reset in the cycle of an event, too.
    const bool seldom = run->rules.now.stuck || run->rules.now.evict || run->rules.ending == FREE;
    if (bench_chance(bench, seldom, 16) || bench_chance(bench, in.start, 400)) rtl.rst_i = in.reset = true;
    in.taken = run->rules.now.evicted_valid && chance(run, run->takes);
    rtl.evicted_taken_i = in.taken;
    rtl.eval();
}

// ---- what comes out ----
#define SAME(what, expected)                                                                   \
    do {                                                                                       \
        if ((uint64_t)(what) != (uint64_t)(expected))                                          \
            bench_fail(&run->bench, "%s is %llx, not %llx", #what, (unsigned long long)(what), \
                       (unsigned long long)(expected));                                        \
    } while (0)
#define SLOT_SAME(what, width, expected) SAME(get_bits(rtl.what, k *(width), width), expected)

static void compare_slots(struct distributor *run) {
    const Vwork_distributor &rtl = run->rtl;
    const struct rules &r = run->rules;
    uint32_t in_slots = 0, stop = 0;
    SAME(rtl.slot_free_o, r.free() < TASK_SLOTS);
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        const struct slot &s = r.slots[k];
        const struct look &l = r.now.slots[k];
        SLOT_SAME(slot_kill_o, 1, s.kill);
        SLOT_SAME(feed_fill_o, 1, run->in.start && r.free() == k);
        SLOT_SAME(feed_live_o, 1, s.busy && !s.kill && !s.leaving);
        SLOT_SAME(feed_launch_o, 1, r.now.accepted && r.offer_slot == k);
        stop |= (uint32_t)(s.evict && s.save && !s.kill) << k;
        if (!s.busy) continue;
        in_slots |= 1u << s.task.channel;
        SLOT_SAME(feed_evicted_o, 1, s.evict);
        SLOT_SAME(feed_resting_o, 1, l.resting);
        SLOT_SAME(feed_next_o, 32, s.next[0]);
        SLOT_SAME(slot_save_o, 1, s.save);
        SLOT_SAME(slot_channel_o, CHANNEL_W, s.task.channel);
        SLOT_SAME(slot_region_o, 32, s.task.region);
        SLOT_SAME(slot_code_base_o, 32, s.task.code_base);
        SLOT_SAME(slot_tmd_o, 32, s.task.tmd);
        SLOT_SAME(slot_local_base_o, 32, s.task.local);
        SLOT_SAME(slot_grid_x_o, 32, s.task.grid[0]);
        SLOT_SAME(slot_grid_y_o, 16, s.task.grid[1]);
        SLOT_SAME(slot_grid_z_o, 16, s.task.grid[2]);
    }
    SAME(rtl.in_slots_o, in_slots);
    SAME(rtl.slot_stop_o, stop);
    SAME(rtl.fill_queue_o, rtl.task_queue_i);
    SAME(rtl.fill_open_o, rtl.task_open_i);
    SAME(rtl.fill_put_o, rtl.task_put_i);
    SAME(rtl.fill_get_o, rtl.task_next_x_i & 0x7FFFFFFF);
    SAME(rtl.fill_period_o, rtl.task_period_i);
    SAME(rtl.trace_task_start_valid_o, run->in.start && !run->in.reset);
    if (!rtl.trace_task_start_valid_o) return;
    SAME(rtl.trace_task_start_slot_o, r.free());
    SAME(rtl.trace_task_start_channel_o, run->in.task.channel);
    SAME(rtl.trace_task_start_tmd_o, run->in.task.tmd);
    SAME(rtl.trace_task_start_pc_o, (run->in.task.code_base - run->in.task.region) >> 3);
}

static void compare_ctas(struct distributor *run) {
    const Vwork_distributor &rtl = run->rtl;
    const struct rules &r = run->rules;
    const struct slot &s = r.slots[r.offer_slot];
    const struct queue &q = run->in.queue[r.offer_slot];
    const bool back = s.saved != 0;
    const uint32_t x = back ? 0 : s.next[0], y = back ? 0 : q.here ? q.count : s.next[1], z = back ? 0 : s.next[2];
    for (uint32_t k = 0; k < SMS; k++) {
        const bool offered = r.now.offer && r.offer_sm == k;
        SLOT_SAME(cta_valid_o, 1, offered);
        if (!offered) continue;
        SLOT_SAME(cta_slot_o, SLOT_W, r.offer_slot);
        SLOT_SAME(cta_x_o, 32, x);
        SLOT_SAME(cta_y_o, 16, y);
        SLOT_SAME(cta_z_o, 16, z);
        SLOT_SAME(cta_resume_o, 1, back);
    }
    SAME(rtl.trace_cta_launch_valid_o, r.now.accepted && !run->in.reset);
    if (rtl.trace_cta_launch_valid_o) {
        SAME(rtl.trace_cta_launch_slot_o, r.offer_slot);
        SAME(rtl.trace_cta_launch_sm_o, r.offer_sm);
        SAME(rtl.trace_cta_launch_x_o, x);
        SAME(rtl.trace_cta_launch_y_o, y);
        SAME(rtl.trace_cta_launch_z_o, z);
        SAME(rtl.trace_cta_launch_resumed_o, back);
    }
    SAME(rtl.trace_cta_end_valid_o, r.now.end && !run->in.reset);
    if (rtl.trace_cta_end_valid_o) {
        SAME(rtl.trace_cta_end_sm_o, r.now.end_sm);
        SAME(rtl.trace_cta_end_slot_o, r.now.end_slot);
        SAME(rtl.trace_cta_end_left_o, r.now.end_left);
    }
    SAME(rtl.trace_task_evict_valid_o, r.now.evict && !run->in.reset);
    if (rtl.trace_task_evict_valid_o) {
        SAME(rtl.trace_task_evict_slot_o, r.now.victim);
        SAME(rtl.trace_task_evict_channel_o, r.slots[r.now.victim].task.channel);
        SAME(rtl.trace_task_evict_tmd_o, r.slots[r.now.victim].task.tmd);
    }
    SAME(rtl.evicted_valid_o, r.now.evicted_valid);
    if (!r.now.evicted_valid && !r.slots[r.now.evicted].leaving) return;
    const struct slot &e = r.slots[r.now.evicted];
    SAME(rtl.evicted_slot_o, r.now.evicted);
    SAME(rtl.evicted_channel_o, e.task.channel);
    SAME(rtl.evicted_level_o, e.task.group);
    SAME(rtl.evicted_tmd_o, e.task.tmd);
    SAME(rtl.evicted_region_o, e.task.region);
    SAME(rtl.evicted_local_o, e.task.local);
    SAME(rtl.evicted_place_o, (uint64_t)e.next[2] << 48 | (uint64_t)e.next[1] << 32 | e.next[0]);
    SAME(rtl.evicted_parent_o, e.parent);
    SAME(rtl.evicted_saved_o, e.saved);
    SAME(rtl.evicted_children_o, e.children);
}

static void compare_end(struct distributor *run) {
    const Vwork_distributor &rtl = run->rtl;
    const struct rules &r = run->rules;
    const struct slot &s = r.slots[r.ending_slot];
    const bool counts = r.frees(), reduces = counts || s.task.red[r.number()];
    SAME(rtl.want_o, r.wants());
    SAME(rtl.req_valid_o, r.ending == ASK && run->in.granted);
    if (rtl.req_valid_o) {
        const uint32_t addr = r.address(),
                       words[2] = {r.payload(), !reduces ? 0 : r.ending_slot + 1 + (counts ? 0 : 256)};
        SAME(rtl.req_channel_o, s.task.channel);
        SAME(rtl.req_op_o, reduces ? REQUEST_ATOMIC : REQUEST_WRITE);
        SAME(rtl.req_addr_o, reduces ? addr : addr & ~31u);
        if (reduces) {
            SAME(rtl.req_atom_o, r.atom());
            SAME(rtl.req_wdata_o[0], words[0]);
            SAME(rtl.req_wdata_o[1], words[1]);
        } else {
            const bool one = s.task.one_word[r.number()];
            const uint32_t first = addr / 4 % 8, low = one ? first : first & 4;
            SAME(rtl.req_wstrb_o, one ? 0xFu << 4 * first : 0xFFFFu << 4 * low);
            SAME(rtl.req_wdata_o[low], words[0]);
            if (!one) {
                SAME(rtl.req_wdata_o[low + 1], 0);
                SAME(rtl.req_wdata_o[low + 2] | (uint64_t)rtl.req_wdata_o[low + 3] << 32, r.release_time);
            }
        }
    }
    SAME(rtl.freed_valid_o, r.ending == FREE);
    SAME(rtl.trace_task_freed_valid_o, r.ending == FREE && run->in.freed_ready && !run->in.reset);
    if (rtl.freed_valid_o) {
        SAME(rtl.freed_channel_o, s.task.channel);
        SAME(rtl.freed_tmd_o, r.address() >> 8);
        SAME(rtl.trace_task_freed_slot_o, r.ending_slot);
        SAME(rtl.trace_task_freed_channel_o, s.task.channel);
        SAME(rtl.trace_task_freed_tmd_o, r.address() >> 8 << 8);
    }
    SAME(rtl.ended_valid_o, r.now.ended);
    SAME(rtl.trace_task_end_valid_o, r.now.ended && !run->in.reset);
    if (r.now.ended) {
        SAME(rtl.ended_channel_o, s.task.channel);
        SAME(rtl.ended_parent_o, (s.parent & 0x7FFFFFFF) | (uint32_t)r.now.hears << 31);
        SAME(rtl.trace_task_end_slot_o, r.ending_slot);
        SAME(rtl.trace_task_end_channel_o, s.task.channel);
        SAME(rtl.trace_task_end_tmd_o, s.task.tmd);
        SAME(rtl.trace_task_end_killed_o, s.kill || r.ending == FAIL);
    }
    SAME(rtl.fault_valid_o, r.now.failed || r.now.stuck);
    SAME(rtl.trace_task_stuck_valid_o, r.now.stuck && !run->in.reset);
    if (r.now.stuck) {
        SAME(rtl.fault_channel_o, r.slots[r.now.holder].task.channel);
        SAME(rtl.fault_code_o, FAULT_CHILD_DEADLOCK);
        SAME(rtl.fault_info_o, r.slots[r.now.holder].task.tmd);
        SAME(rtl.trace_task_stuck_slot_o, r.now.holder);
        SAME(rtl.trace_task_stuck_channel_o, r.slots[r.now.holder].task.channel);
        SAME(rtl.trace_task_stuck_tmd_o, r.slots[r.now.holder].task.tmd);
    } else if (r.now.failed) {
        SAME(rtl.fault_channel_o, s.task.channel);
        SAME(rtl.fault_code_o, r.fault_code(run->in));
        SAME(rtl.fault_info_o, r.fault_info(run->in));
    }
}

static void step(struct distributor *run) {
    struct rules &r = run->rules;
    struct seen &in = run->in;
    inputs(run);
    compare_slots(run);
    compare_ctas(run);
    compare_end(run);
    run->launched += r.now.accepted;
    run->resumed += r.now.accepted && r.slots[r.offer_slot].saved != 0;
    run->left += r.now.end && r.now.end_left;
    run->evicted += in.taken;
    run->ended += r.ending == END;
    run->killed += r.now.ended && r.slots[r.ending_slot].kill;
    run->freed += r.ending == FREE;
    run->failed += r.now.failed;
    run->stuck += r.now.stuck;
    if (r.now.accepted) run->on[r.offer_sm][r.offer_slot]++;
    for (uint32_t s = 0; s < SMS; s++)
        if (in.done[s]) run->on[s][in.done_slot[s]]--;
    if (r.ending == ASK) run->asked = bench_below(&run->bench, 12);
    const uint32_t filled = r.free();
    r.tick(in);
    if (in.reset) memset(run->on, 0, sizeof run->on);
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        if (in.reset) in.queue[k] = {};
    if (in.start && !in.reset)
        in.queue[filled] = {
            in.task.queue, false, false, true, false, false, false, 1, (uint32_t)bench_below(&run->bench, 256)};
    if (in.reset) in.granted = run->wanted = false;
    tick(run->rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 300000);
    registers_at_random(bench.seed);
    static struct distributor run;
    run.bench = bench;
    run.rtl.start_valid_i = run.rtl.cta_done_valid_i = run.rtl.rsp_valid_i = 0;
    run.rules.forget();
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops >= 300000 &&
        (run.launched == 0 || run.left == 0 || run.evicted == 0 || run.ended == 0 || run.killed == 0 ||
         run.freed == 0 || run.failed == 0 || run.resumed == 0 || run.stuck == 0))
        bench_fail(
            &run.bench,
            "the stream has missed something: %" PRIu64 " launched, %" PRIu64 " left, %" PRIu64 " evicted, %" PRIu64
            " ended, %" PRIu64 " killed, %" PRIu64 " freed, %" PRIu64 " failed, %" PRIu64 " resumed, %" PRIu64 " stuck",
            run.launched, run.left, run.evicted, run.ended, run.killed, run.freed, run.failed, run.resumed, run.stuck);
    return bench_end(&run.bench);
}
