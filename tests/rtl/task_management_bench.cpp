// task_management: launches of host and SMs, good and bad TMDs, memory that answers late and with errors, threads that overwrite TMDs, slots that become free,
// tasks that are evicted, wait for others and are freed, channels that stand or are suspended; every output in every cycle against the rules of
// task_management_rules.h. (task_unit_bench.cpp holds the C twin, which has no cycles, against the unit.)
// Compiled with -DBENCH_CONFIG="name" and the parameters of the configuration that the unit was verilated with.
#include <verilated.h>

#include "Vtask_management.h"
#define BENCH_SHOWS "TU-2 TU-3 TU-5 TU-11 TU-13 TU-15"
#include "bench.h"
#include "bench_config.h"
#include "gen/trace_ports.h"
#include "port_bits.h"
#include "task_management_rules.h"
#include "task_shown.h"
#include "task_tmds.h"
#include "tick.h"

#include "task_management_world.h"

// ---- what goes in ----
static void drive(struct world *w) {
    const struct management_seen &in = w->in;
    Vtask_management &rtl = w->rtl;
    const struct evicted_task &e = in.evicted;
    const struct launch &child = in.born;
    rtl.rst_i = in.lists.reset;
    for (uint32_t c = 0; c < CHANNELS; c++)
        set_bits(rtl.space_size_i, 32 * c, 32, w->space[c].size);
    rtl.channel_halt_i = (uint8_t)in.lists.halt;
    rtl.suspend_i = (uint8_t)in.lists.suspend;
    rtl.round_robin_i = in.lists.round_robin;
    rtl.slice_i = (uint8_t)in.slice;
    rtl.launch_valid_i = in.launch;
    rtl.launch_channel_i = (uint8_t)in.launched.channel;
    rtl.launch_tmd_i = in.launched.tmd;
    rtl.launch_region_i = in.launched.region;
    rtl.launch_local_i = in.launched.local;
    rtl.child_valid_i = in.child;
    rtl.child_channel_i = (uint8_t)child.channel;
    rtl.child_tmd_i = child.tmd >> 8 | (child.beyond ? 1u << (24 + child.tmd / 256 % 8) : 0);
    rtl.child_region_i = child.region;
    rtl.child_local_i = child.local;
    rtl.child_parent_i = child.parent;
    rtl.child_freed_i = child.freed;
    rtl.granted_i = in.granted;
    rtl.req_ready_i = in.ready;
    rtl.rsp_valid_i = in.answered;
    rtl.rsp_fault_i = (uint8_t)in.answer;
    memcpy(&rtl.rsp_data_i, in.words, 32);
    rtl.slot_free_i = in.slot_free;
    rtl.evicted_valid_i = e.valid;
    rtl.evicted_slot_i = (uint8_t)e.slot;
    rtl.evicted_channel_i = (uint8_t)e.channel;
    rtl.evicted_level_i = (uint8_t)e.level;
    rtl.evicted_tmd_i = e.tmd;
    rtl.evicted_region_i = e.region;
    rtl.evicted_local_i = e.local;
    rtl.evicted_place_i = (uint64_t)e.place[2] << 48 | (uint64_t)e.place[1] << 32 | e.place[0];
    rtl.evicted_parent_i = e.parent;
    rtl.evicted_saved_i = (uint8_t)e.saved;
    rtl.evicted_children_i = (uint16_t)e.children;
    rtl.fault_hold_i = in.hold;
}

static void inputs(struct world *w) {
    if (once_in(w, 3000)) choose_moods(w);
    if (once_in(w, w->moods.disturbs)) disturb(w);
    memory_drive(w);
    launches_drive(w);
    slots_drive(w);
    channels_drive(w);
    drive(w);
}

// ---- what comes out ----
static void same(const struct world *w, const char *what, uint64_t rtl, uint64_t rules) {
    if (rtl != rules)
        bench_fail(&w->bench, "%s is 0x%" PRIx64 ", not 0x%" PRIx64 " (in state %d)", what, rtl, rules, w->rules.now);
}

static void check_request(struct world *w) {
    const Vtask_management &rtl = w->rtl;
    struct request must;
    const bool asks = w->rules.asks(&must) && w->in.granted;
    same(w, "want_o", rtl.want_o, w->rules.wants());
    same(w, "req_valid_o", rtl.req_valid_o, asks);
    if (!asks) return;
    same(w, "req_op_o", rtl.req_op_o, must.op);
    same(w, "req_channel_o", rtl.req_channel_o, must.channel);
    same(w, "req_addr_o", rtl.req_addr_o, must.addr);
    if (must.op != REQUEST_READ) same(w, "req_wstrb_o", rtl.req_wstrb_o, must.wstrb);
    if (must.op == REQUEST_ATOMIC) {
        same(w, "req_atom_o", rtl.req_atom_o, ATOM_ADD);
        same(w, "operand", get_bits(rtl.req_wdata_o, 0, 32), 0xFFFFFFFF);
    }
    // What the task unit hands on is the lower half, twice.
    for (uint32_t b = 0; b < 32; b++)
        if ((must.wstrb >> b & 1) != 0)
            same(w, "req_wdata_o", get_bits(rtl.req_wdata_o, 8 * (b % 16), 8), must.bytes[b]);
    if (w->in.ready) w->accesses.push_back({must, 1 + bench_below(&w->bench, w->moods.delay)});
}

static void check_start(struct world *w) {
    struct management_rules &rules = w->rules;
    const bool starts = rules.now == management_rules::STARTS;
    same(w, "start_valid_o", w->rtl.start_valid_o, starts);
    if (!starts) return;
    task_compare(&w->bench, w->rtl, rules.t);
    struct slot *s = w->slots;
    while (s->busy)
        s++;
    *s = {true, 0, rules.t};
    place_of(w, rules.t.channel, rules.t.tmd)->state = RUNNING;
    w->from_list += rules.t.listed;
    w->at_once += !rules.t.listed && rules.patience == management_rules::PATIENCE - 1;
    w->waited += !rules.t.listed && rules.patience != management_rules::PATIENCE - 1;
    w->resumed += rules.t.resumed;
}

static void check_take(struct world *w) {
    struct launch who;
    uint32_t from = FROM_LIST;
    trace_event e;
    const bool takes = w->rules.takes(w->in, &who, &from);
    same(w, "TASK_TAKE", trace_read_task_take(w->rtl, e), takes);
    same(w, "evicted_taken_o", w->rtl.evicted_taken_o, takes && from == FROM_SLOT);
    if (!takes) return;
    same(w, "from", e.task_take.from, from);
    same(w, "slot", e.task_take.slot, who.slot);
    same(w, "channel", e.task_take.channel, who.channel);
    same(w, "level", e.task_take.level, who.level);
    same(w, "tmd", e.task_take.tmd, who.tmd);
    if (from == FROM_SLOT) w->taken = 1;
    w->freed += who.freed;
}

static void check_end(struct world *w) {
    struct management_rules &rules = w->rules;
    const Vtask_management &rtl = w->rtl;
    const struct launch &t = rules.t;
    trace_event e;
    uint32_t code, info;
    const bool refused = rules.refuses(w->in, &code, &info), parks = rules.parks(), pending = rules.becomes_pending();
    same(w, "refused_valid_o", rtl.refused_valid_o, refused);
    same(w, "TASK_REFUSED", trace_read_task_refused(rtl, e), refused);
    if (refused) {
        same(w, "refused_code_o", rtl.refused_code_o, code);
        same(w, "refused_info_o", rtl.refused_info_o, info);
        same(w, "code", e.task_refused.code, code);
        same(w, "info", e.task_refused.info, info);
        same(w, "channel", e.task_refused.channel, t.channel);
        same(w, "tmd", e.task_refused.tmd, t.tmd);
        w->refused[code & 255]++;
        if (code != FAULT_NONE) w->faulted |= 1u << t.channel;
        if (!t.listed || bench_chance(&w->bench, 1, 2)) place_of(w, t.channel, t.tmd)->state = FREE;
    }
    if (refused || parks) same(w, "refused_channel_o", rtl.refused_channel_o, t.channel);
    same(w, "parked_o", rtl.parked_o, parks);
    same(w, "TASK_PARKED", trace_read_task_parked(rtl, e), parks);
    if (parks) {
        same(w, "channel", e.task_parked.channel, t.channel);
        same(w, "tmd", e.task_parked.tmd, t.tmd);
        place_of(w, t.channel, t.tmd)->state = t.evicted ? AWAY : PARKED;
        (t.evicted ? w->away : w->parked)++;
    }
    same(w, "TASK_PENDING", trace_read_task_pending(rtl, e), pending);
    if (pending) {
        same(w, "channel", e.task_pending.channel, t.channel);
        same(w, "level", e.task_pending.level, t.level);
        same(w, "tmd", e.task_pending.tmd, t.tmd);
        same(w, "count", e.task_pending.count, rules.new_count());
        struct place *p = place_of(w, t.channel, t.tmd);
        p->state = LISTED;
        p->level = t.level;
        w->put_back += t.evicted;
        w->returned += t.freed && t.resumed;
        w->in_vain += !t.evicted && rules.patience == 0;
        if (rules.lists.shown.count != 0) (rules.to_head ? w->at_head : w->at_tail)++;
    }
    const bool done = t.evicted && rules.now == management_rules::WRITTEN && (refused || parks || pending);
    same(w, "evicted_done_o", rtl.evicted_done_o, done);
    if (!done) return;
    w->slots[w->in.evicted.slot].busy = false;
    w->in.evicted.valid = false;
}

static void check_drop(struct world *w) {
    struct management_rules &rules = w->rules;
    const bool drops = rules.now == management_rules::DROPS;
    trace_event e;
    same(w, "dropped_valid_o", w->rtl.dropped_valid_o, drops);
    same(w, "TASK_DROP", trace_read_task_drop(w->rtl, e), drops);
    if (!drops) return;
    same(w, "dropped_channel_o", w->rtl.dropped_channel_o, rules.t.channel);
    same(w, "dropped_count_o", w->rtl.dropped_count_o, rules.lists.shown.count);
    same(w, "channel", e.task_drop.channel, rules.t.channel);
    same(w, "level", e.task_drop.level, rules.t.level);
    same(w, "count", e.task_drop.count, rules.lists.shown.count);
    w->dropped++;
    for (struct place &p : w->places[rules.t.channel])
        if (p.state == LISTED && p.level == rules.t.level) p.state = FREE;
}

static void outputs(struct world *w) {
    const Vtask_management &rtl = w->rtl;
    struct management_rules &rules = w->rules;
    const struct management_seen in = w->in;
    same(w, "launch_ready_o", rtl.launch_ready_o, rules.launch_ready(in));
    same(w, "child_ready_o", rtl.child_ready_o, rules.child_ready(in));
    same(w, "busy_o", rtl.busy_o, rules.busy(in));
    for (uint32_t c = 0; c < CHANNELS; c++)
        same(w, "coming_o", get_bits(rtl.coming_o, c, 1), rules.coming(c));
    const bool pick = rules.lists.settled(in.lists) && !rules.lists.drop(in.lists) && rules.lists.pick(in.lists);
    same(w, "pick_valid_o", rtl.pick_valid_o, pick);
    if (pick) same(w, "pick_level_o", rtl.pick_level_o, rules.lists.pick_level);
    check_request(w);
    check_start(w);
    check_take(w);
    check_drop(w);
    if (in.launch && rules.launch_ready(in)) w->in.launch = false;
    if (in.child && rules.child_ready(in)) w->in.child = false;
    w->wanted = rules.wants();
    check_end(w);
}

static void reset_world(struct world *w) {
    const Vtask_management &rtl = w->rtl;
    trace_event e;
    if (trace_read_task_take(rtl, e) || trace_read_task_pending(rtl, e) || trace_read_task_parked(rtl, e) ||
        trace_read_task_drop(rtl, e) || trace_read_task_refused(rtl, e))
        bench_fail(&w->bench, "an event in a reset");
    w->accesses.clear();
    for (struct slot &s : w->slots)
        s.busy = false;
    for (auto &channel : w->places)
        for (struct place &p : channel)
            p.state = FREE;
    w->in.evicted.valid = w->wanted = false;
    w->faulted = 0;
}

static void cycle(struct world *w) {
    inputs(w);
    w->rtl.eval();
    const struct management_seen in = w->in;
    if (in.lists.reset)
        reset_world(w);
    else
        outputs(w);
    tick(w->rtl);
    w->rules.clock(in);
    w->taken += w->taken != 0;
    // What is in a list that nobody can find any more.
    for (uint32_t c = 0; c < CHANNELS; c++)
        for (struct place &p : w->places[c])
            if (p.state == LISTED && bench_chance(&w->bench, 1, 4000)) p.state = FREE;
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 300000);
    registers_at_random(bench.seed);
    struct world *w = new struct world();
    w->bench = bench;
    w->config = w->rules.config = bench_config();
    for (uint32_t c = 0; c < CHANNELS; c++)
        choose_space(w, c);
    choose_moods(w);
    for (int i = 0; i < 3; i++) {
        w->in.lists.reset = true;
        drive(w);
        tick(w->rtl);
        w->rules.clock(w->in);
    }
    while (bench_more(&w->bench))
        cycle(w);
    printf("started: %" PRIu64 " at once, %" PRIu64 " when a slot came, %" PRIu64 " from lists; %" PRIu64
           " waited in vain, %" PRIu64 " went to a head, %" PRIu64 " to a tail; evicted: %" PRIu64 " put back, %" PRIu64
           " went on, %" PRIu64 " parked with children, %" PRIu64 " came back; %" PRIu64 " waited for others, %" PRIu64
           " were freed; %" PRIu64 " lists dropped; refused:",
           w->at_once, w->waited, w->from_list, w->in_vain, w->at_head, w->at_tail, w->put_back, w->resumed, w->away,
           w->returned, w->parked, w->freed, w->dropped);
    for (uint32_t code = 0; code < 256; code++)
        if (w->refused[code] != 0) printf(" %s %" PRIu64, fault_name(code), w->refused[code]);
    printf("\n");
    const uint64_t seen[] = {w->at_once,
                             w->waited,
                             w->from_list,
                             w->in_vain,
                             w->at_head,
                             w->at_tail,
                             w->put_back,
                             w->resumed,
                             w->away,
                             w->returned,
                             w->parked,
                             w->freed,
                             w->dropped,
                             w->refused[FAULT_NONE],
                             w->refused[FAULT_TMD_LINK],
                             w->refused[FAULT_TMD_ACTIVE],
                             w->refused[FAULT_TMD_DEPENDENCE_COUNTER],
                             w->refused[FAULT_BUS_ERROR]};
    for (const uint64_t count : seen)
        if (w->bench.ops >= 300000 && count == 0) bench_fail(&w->bench, "the stream has missed something");
    const int status = bench_end(&w->bench);
    delete w;
    return status;
}
