// queue_feeder: random queues in all slots of the task table, counters that come around and some that cannot be, a memory that answers late and
// refuses, tasks that end, are evicted and are filled anew; every output in every cycle against the rules that its head states. The C
// twin has no cycles (task_unit_bench.cpp holds it against the unit); here each slot is a record.
// Compiled with -DCHANNELS= -DTASK_SLOTS= as the unit was verilated.
#include <verilated.h>

#include "Vqueue_feeder.h"
#include "bench.h"
#include "gen/bundles.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "gen/registers.h"
}

static const uint32_t CHANNEL_W = CHANNELS > 1 ? index_bits(CHANNELS) : 1, POLL = 64;  // as the unit has by itself
static const uint32_t MASK = 0x7FFFFFFF, FAR = 1u << 30;
static const uint32_t OPEN_BIT = 200;  // SCHEDULE_ON_PUT_UPDATE_ENABLE in the first line of a TMD

struct slot {
    bool here, bad, expired, open, live, resting, evicted, launch, fill;
    uint32_t code, poll, wait, period, put, get, next;
    uint32_t channel, tmd, size, per_cta;
};

struct feeder_run {
    struct bench bench;
    Vqueue_feeder rtl;
    struct slot slots[TASK_SLOTS];
    bool serve, asked, write, came, answered;
    uint32_t slot, last;
    uint32_t new_put, ahead, left, fault;
    bool answer_open;
    uint32_t young;  // cycles of youth left since a reset
    bool quiet;      // nothing happens but what long_waits wants
    uint8_t period;  // with which it fills slot 0 next, 0: not
    uint64_t reads, writes, bads, expires, launches;
};

static uint32_t there(const struct slot &s) {
    return (s.put - s.next) & MASK;
}
static bool full(const struct slot &s) {
    return there(s) >= s.per_cta;
}
static bool partial(const struct slot &s) {
    return there(s) != 0 && !full(s);
}
static bool held(const struct feeder_run *run, uint32_t k) {
    return run->serve && run->slot == k;
}
static bool ready(const struct feeder_run *run, uint32_t k) {
    const struct slot &s = run->slots[k];
    return !held(run, k) && !s.bad && (full(s) || (partial(s) && (!s.open || s.expired)));
}
static bool writes(const struct slot &s) {
    return s.here && s.live && !s.bad && s.resting && !s.launch && s.get != s.next;
}
static bool reads(const struct slot &s) {
    return s.here && s.live && !s.bad && !s.evicted && !s.launch && s.open && !full(s) && !s.expired && s.poll == 0;
}
// The slot that is served next, TASK_SLOTS: none.
static uint32_t picked(const struct feeder_run *run) {
    for (uint32_t i = 1; i <= TASK_SLOTS; i++) {
        const uint32_t k = (run->last + i) % TASK_SLOTS;
        if (reads(run->slots[k]) || writes(run->slots[k])) return k;
    }
    return TASK_SLOTS;
}

// An entry that waits for a second one as long as COALESCE_WAITING_PERIOD can say, and half as long.
static void fill_for_long(struct feeder_run *run, struct slot &s, uint8_t period) {
    s.size = 16;
    s.per_cta = 2;
    run->rtl.fill_queue_i = run->rtl.fill_open_i = 1;
    run->rtl.fill_get_i = 5;
    run->rtl.fill_put_i = 6;
    run->rtl.fill_period_i = period;
}

static void fill(struct feeder_run *run, struct slot &s) {
    struct bench *bench = &run->bench;
    Vqueue_feeder &rtl = run->rtl;
    s.fill = true;
    s.channel = bench_below(bench, CHANNELS);
    s.tmd = (uint32_t)bench_random(bench);
    s.size = bench_chance(bench, 1, 2)
                 ? 1 + bench_below(bench, 20)
                 : 1u << (bench_chance(bench, 1, 8) ? 30 + bench_below(bench, 2) : bench_below(bench, 32));
    s.per_cta = 1 + (bench_chance(bench, 1, 2) ? bench_below(bench, 8) : bench_below(bench, 0xFFFF));
    if (bench_chance(bench, 1, 3)) s.per_cta = 1 + bench_below(bench, s.size < 0xFFFF ? s.size : 0xFFFF);
    const uint32_t get =
        (uint32_t)(bench_chance(bench, 1, 2) ? MASK - bench_below(bench, 40) : bench_random(bench)) & MASK;
    const uint32_t ahead = bench_below(bench, 3) * bench_below(bench, s.size < 1000000 ? s.size + 1 : 40);
    rtl.fill_queue_i = bench_chance(bench, 7, 8);
    rtl.fill_open_i = bench_chance(bench, 3, 4);
    rtl.fill_get_i = get;
    rtl.fill_put_i = (get + (s.size >= FAR && bench_chance(bench, 1, 3) ? FAR : ahead)) & MASK;
    rtl.fill_period_i = (uint8_t)(bench_chance(bench, 1, 50) ? bench_below(bench, 256) : bench_below(bench, 2));
}

static void inputs(struct feeder_run *run) {
    struct bench *bench = &run->bench;
    Vqueue_feeder &rtl = run->rtl;
    const bool quiet = run->quiet;
    // Often again soon: who is served first hangs on it.
    rtl.rst_i = !quiet && bench_chance(bench, 1, run->young > 0 ? 40 : 3000);
    run->young = rtl.rst_i ? 100 : run->young - (run->young > 0);
    rtl.fill_queue_i = rtl.fill_open_i = 0;
    rtl.feed_fill_i = rtl.feed_live_i = rtl.feed_resting_i = rtl.feed_evicted_i = rtl.feed_launch_i = 0;
    bool fills = run->period != 0;
    if (fills) fill_for_long(run, run->slots[0], run->period);
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        struct slot &s = run->slots[k];
        s.fill = fills && k == 0 && run->period != 0;
        s.launch = false;
        // Not while it is served, nor when that begins.
        const bool stands = held(run, k) || (!run->serve && picked(run) == k);
        if (!quiet && !s.live && !stands && !fills && bench_chance(bench, 1, 6)) {
            fill(run, s);
            fills = true;
        } else if (!quiet && s.live && !stands && bench_chance(bench, 1, s.bad ? 20 : 3000)) {
            s.live = false;
        }
        if (!held(run, k) && bench_chance(bench, 1, s.resting ? 10 : 150)) s.resting = !s.resting;
        if (!quiet && !held(run, k) && bench_chance(bench, 1, 200)) s.evicted = bench_chance(bench, 1, 3);
        if (s.live && !s.here && !held(run, k))
            s.next = (bench_chance(bench, 1, 2) ? (uint32_t)bench_random(bench) : s.put - bench_below(bench, 3)) &
                     MASK;  // nobody's business
        s.launch =
            s.live && !s.fill && (s.here ? ready(run, k) && bench_chance(bench, 1, 12) : bench_chance(bench, 1, 20));
        rtl.feed_fill_i |= (uint8_t)(s.fill << k);
        rtl.feed_live_i |= (uint8_t)(s.live << k);
        rtl.feed_resting_i |= (uint8_t)(s.resting << k);
        rtl.feed_evicted_i |= (uint8_t)(s.evicted << k);
        rtl.feed_launch_i |= (uint8_t)(s.launch << k);
        set_bits(rtl.feed_next_i, 32 * k, 32, s.next | (bench_chance(bench, 1, 2) ? 0 : 0x80000000u));
        set_bits(rtl.slot_channel_i, CHANNEL_W * k, CHANNEL_W, s.channel);
        set_bits(rtl.slot_tmd_i, 32 * k, 32, s.tmd);
        set_bits(rtl.slot_grid_x_i, 32 * k, 32, s.size);
        set_bits(rtl.slot_grid_y_i, 16 * k, 16, s.per_cta);
    }
    rtl.granted_i = bench_chance(bench, 2, 3);
    rtl.req_ready_i = bench_chance(bench, 1, 2);
    rtl.rsp_valid_i = run->serve && run->asked && !run->came && !run->answered && bench_chance(bench, 1, 4);
    rtl.rsp_fault_i =
        (uint8_t)(!quiet && bench_chance(bench, 1, 300) ? 1 + bench_below(bench, 2) : (uint32_t)ANSWER_GOOD);
    for (uint32_t i = 0; i < 8; i++)
        rtl.rsp_data_i[i] = (uint32_t)bench_random(bench);
    const struct slot &s = run->slots[run->slot];
    uint32_t put = s.put + (bench_chance(bench, 1, 2) ? 0 : bench_below(bench, 5));
    if (((put - s.get) & MASK) > s.size) put = s.put;
    if (bench_chance(bench, 1, 60))
        put = (bench_chance(bench, 1, 2) ? s.get : s.next) + s.size + 1 - bench_below(bench, 3);
    if (bench_chance(bench, 1, 60)) put = s.next - bench_below(bench, 2);  // gone back
    if (s.size >= FAR && bench_chance(bench, 1, 20)) put = s.next + FAR + bench_below(bench, 2) * bench_below(bench, 8);
    if (quiet) put = s.put;
    set_bits(rtl.rsp_data_i, 0, 31, put & MASK);
    set_bits(rtl.rsp_data_i, OPEN_BIT, 1, quiet || bench_chance(bench, 9, 10));
    rtl.eval();
}

static void compare_slot(struct feeder_run *run, uint32_t k) {
    struct bench *bench = &run->bench;
    const Vqueue_feeder &rtl = run->rtl;
    const struct slot &s = run->slots[k];
    if ((rtl.queue_here_o >> k & 1) != s.here) bench_fail(bench, "slot %u: a queue: %u, not %u", k, !s.here, s.here);
    if ((rtl.queue_hold_o >> k & 1) != held(run, k)) bench_fail(bench, "slot %u: hold is %u", k, !held(run, k));
    if (!s.here) return;
    const bool last = !s.open && there(s) == 0, synced = s.get == s.next;
    if ((rtl.queue_bad_o >> k & 1) != s.bad || (s.bad && get_bits(rtl.queue_code_o, 8 * k, 8) != s.code))
        bench_fail(bench, "slot %u: bad %u code %u, not %u %u", k, rtl.queue_bad_o >> k & 1,
                   (uint32_t)get_bits(rtl.queue_code_o, 8 * k, 8), s.bad, s.code);
    if ((rtl.queue_ready_o >> k & 1) != ready(run, k) || (rtl.queue_last_o >> k & 1) != last ||
        (rtl.queue_synced_o >> k & 1) != synced)
        bench_fail(bench, "slot %u: ready %u last %u synced %u, not %u %u %u", k, rtl.queue_ready_o >> k & 1,
                   rtl.queue_last_o >> k & 1, rtl.queue_synced_o >> k & 1, ready(run, k), last, synced);
    const uint32_t count = full(s) ? s.per_cta : there(s);
    if (get_bits(rtl.queue_count_o, 16 * k, 16) != count)
        bench_fail(bench, "slot %u: %u entries, not %u", k, (uint32_t)get_bits(rtl.queue_count_o, 16 * k, 16), count);
}

static void compare_request(struct feeder_run *run) {
    struct bench *bench = &run->bench;
    const Vqueue_feeder &rtl = run->rtl;
    const struct slot &s = run->slots[run->slot];
    if (rtl.busy_o != run->serve || rtl.want_o != run->serve)
        bench_fail(bench, "busy %u want %u", rtl.busy_o, rtl.want_o);
    const bool asks = run->serve && !run->asked && rtl.granted_i;
    if (rtl.req_valid_o != asks) bench_fail(bench, "request %u, not %u", rtl.req_valid_o, asks);
    if (!asks) return;
    if (rtl.req_op_o != (run->write ? REQUEST_WRITE : REQUEST_READ) || rtl.req_channel_o != s.channel ||
        rtl.req_addr_o != (s.tmd & ~255u) || rtl.req_atom_o != 0 || rtl.req_wstrb_o != (run->write ? 0xF0u : 0))
        bench_fail(bench, "request %u of %08x channel %u strobes %08x", rtl.req_op_o, rtl.req_addr_o, rtl.req_channel_o,
                   rtl.req_wstrb_o);
    if (run->write && rtl.req_wdata_o[1] != s.next)
        bench_fail(bench, "writes %08x, not %08x", rtl.req_wdata_o[1], s.next);
}

static void edge_slot(struct feeder_run *run, uint32_t k, uint32_t pick) {
    const Vqueue_feeder &rtl = run->rtl;
    struct slot &s = run->slots[k];
    const bool mine = held(run, k);
    if (s.fill) {
        s.here = rtl.fill_queue_i, s.open = rtl.fill_open_i, s.put = rtl.fill_put_i, s.get = rtl.fill_get_i;
        s.period = rtl.fill_period_i;
        s.next = s.get;
        s.bad = s.expired = false;
        s.poll = s.wait = 0;
        s.live = true;
        return;
    }
    const bool answered = mine && run->answered, some = partial(s);
    const uint32_t entries = full(s) ? s.per_cta : there(s);
    if (answered)
        s.poll = POLL - 1;
    else if (s.poll != 0)
        s.poll--;
    if (!some || s.launch) {
        s.wait = 0;
        s.expired = false;
    } else if (s.wait != s.period * 256) {
        s.wait = (s.wait + 1) & 0xFFFF;
    } else if (!mine && !(!run->serve && pick == k)) {
        run->expires += !s.expired;
        s.expired = true;
    }
    if (answered) {
        const bool too_large = !run->write && (run->ahead > s.size || run->left > s.size),
                   bad = run->fault != ANSWER_GOOD || too_large;
        if (bad) s.code = run->fault != ANSWER_GOOD ? FAULT_BUS_ERROR : FAULT_TMD_GET_PUT_TOO_LARGE;
        run->bads += bad;
        (run->write ? run->writes : run->reads)++;
        if (run->write) {
            s.get = s.next;
        } else if (!bad) {
            s.put = run->new_put;
            s.open = run->answer_open;
        }
        s.bad = s.bad || bad;
    }
    if (s.launch && s.here) {
        s.next = (s.next + entries) & MASK;
        run->launches++;
    }
}

static void was_reset(struct feeder_run *run) {
    for (auto &s : run->slots)
        s = slot();
    run->serve = run->asked = run->came = run->answered = false;
    run->last = 0;
}

static void step(struct feeder_run *run) {
    Vqueue_feeder &rtl = run->rtl;
    inputs(run);
    const uint32_t pick = picked(run);
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        compare_slot(run, k);
    compare_request(run);
    const bool pick_write = pick < TASK_SLOTS && writes(run->slots[pick]);
    const struct slot served = run->slots[run->slot];
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        edge_slot(run, k, pick);
    run->ahead = (run->new_put - served.get) & MASK;
    run->left = (run->new_put - served.next) & MASK;
    if (!run->serve) {
        run->asked = false;
        if (pick < TASK_SLOTS) {
            run->serve = true;
            run->slot = run->last = pick;
            run->write = pick_write;
        }
    } else if (!run->asked) {
        run->asked = rtl.granted_i && rtl.req_ready_i;
    } else if (run->answered) {
        run->serve = false;
    }
    run->answered = run->came;
    run->came = rtl.rsp_valid_i;
    if (rtl.rsp_valid_i) {
        run->new_put = (uint32_t)get_bits(rtl.rsp_data_i, 0, 31);
        run->answer_open = get_bits(rtl.rsp_data_i, OPEN_BIT, 1) != 0;
        run->fault = rtl.rsp_fault_i;
    }
    run->period = 0;
    if (rtl.rst_i) was_reset(run);
    tick(rtl);
}

static void long_waits(struct feeder_run *run) {
    run->quiet = true;
    for (const uint8_t period : {255, 128}) {
        run->rtl.feed_fill_i = run->rtl.feed_launch_i = run->rtl.rsp_valid_i = 0;
        reset(run->rtl);
        was_reset(run);
        run->period = period;
        for (uint32_t cycle = 0; cycle < period * 256u + 1000; cycle++)
            step(run);
        const struct slot &s = run->slots[0];
        if (s.next != s.put) bench_fail(&run->bench, "the entry that waits %u * 256 cycles was not handed out", period);
    }
}

int main(int argc, char **argv) {
    static struct feeder_run run;
    bench_begin(&run.bench, argc, argv, 200000);
    registers_at_random(run.bench.seed);
    run.rtl.rsp_valid_i = run.rtl.feed_fill_i = run.rtl.feed_launch_i = run.rtl.feed_live_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    long_waits(&run);
    run.rtl.final();
    printf("%llu reads, %llu writes, %llu bad ones, %llu periods over, %llu CTAs\n", (unsigned long long)run.reads,
           (unsigned long long)run.writes, (unsigned long long)run.bads, (unsigned long long)run.expires,
           (unsigned long long)run.launches);
    if (run.bench.ops >= 100000 &&
        (run.reads == 0 || run.writes == 0 || run.bads == 0 || run.expires == 0 || run.launches == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
