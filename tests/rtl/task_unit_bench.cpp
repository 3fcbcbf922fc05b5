// task_unit: random launches of good and malformed TMDs from several channels, with SMs that take CTAs when they
// please, end them at random times and sometimes fault, and a memory that answers late; against the C twin, event by
// event. TU-1, TU-2, TU-3, TU-4, TU-5, TU-6, TU-11, TU-13, TU-14, TU-15, WQ-6. Checked besides the twin: every CTA of a task that ends well
// was launched exactly once, in order of priority; the fault that was put into a TMD is the one that is told; releases
// are in memory; idle and outstanding counts are exact; the slot fields are those of the TMD. Compiled with -DTHREADS=
// -DLANES= -DWARPS= -DSMS= -DCHANNELS= -DTASK_SLOTS= -DPENDING_TASKS= -DVGPR_ROWS= -DSHARED_BYTES= -DCONST_BANKS=
// -DNS_PER_CYCLE= as the unit was verilated, and -DDEFECT= to see that a defect on purpose is found.
// Sometimes a thread overwrites the link or the state of a pending task: that is a fault of its channel alone.
// What the unit does between its parts is checked in every cycle (task_unit_glue.h).
#include <verilated.h>

#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "Vtask_unit.h"
#include "Vtask_unit___024root.h"
#define BENCH_SHOWS "TU-1 TU-2 TU-3 TU-4 TU-5 TU-6 TU-7 TU-11 TU-13 TU-14 TU-15"
#include "bench.h"
#include "gen/trace_ports.h"
#include "inject.h"
#include "port_bits.h"
#include "task_tmds.h"
#include "tick.h"

extern "C" {
#include "mem/mem.h"
#include "task/task_internal.h"
}

#include "task_unit_world.h"
static void follow(struct test *t, struct trace_event *rtl);
static void has_counted(struct test *t, uint32_t slot, uint32_t channel, uint32_t tmd);
static void forget_task(struct test *t, uint32_t channel, uint32_t tmd);
#include "task_unit_glue.h"
#include "task_unit_memory.h"
#include "task_unit_sms.h"

// ---- events ----
static void follow(struct test *t, struct trace_event *rtl) {
    struct trace_event model;
    char why[200] = "", a[400], b[400];
    rtl->cycle = t->cycle;
    t->run.cycles = t->cycle;
    memset(&model, 0, sizeof model);
    model.kind = rtl->kind;
    t->last_event = t->cycle;
    bench_more(t->bench);
    trace_event_print(rtl, a, sizeof a);
    if (!task_follow(t->task, rtl, &model, {why, sizeof why})) bench_fail(t->bench, "%s: %s", a, why);
    const int field = trace_event_compare(rtl, &model);
    if (field < 0) return;
    trace_event_print(&model, b, sizeof b);
    bench_fail(t->bench, "differs in %s:\n  rtl   %s\n  model %s", trace_field_name(rtl->kind, field), a, b);
}

static uint32_t group_of(struct test *t, uint32_t channel, uint32_t tmd) {
    return tmd_get(t->tasks.at({channel, tmd}).words, TMD_QMD_GROUP_ID, 0);
}

static void event_task_take(struct test *t) {
    trace_event e;
    if (!trace_read_task_take(t->unit, e)) return;
    follow(t, &e);
    t->taken_evicted = e.task_take.from == FROM_SLOT;
    t->taken_slot = e.task_take.slot;
    if (e.task_take.from != FROM_LIST) return;
    t->taken++;
    if (t->suspend[e.task_take.channel].on)
        bench_fail(t->bench, "a task of channel %u is taken from its list, which is suspended", e.task_take.channel);
    const std::deque<uint32_t> &list = t->pending[e.task_take.channel][e.task_take.level];
    if (!t->corrupted[e.task_take.channel] && (list.empty() || list.front() != e.task_take.tmd))
        bench_fail(t->bench, "the task at 0x%x of channel %u is not the first of level %u", e.task_take.tmd,
                   e.task_take.channel, e.task_take.level);
    for (uint32_t c = 0; c < CHANNELS && !t->round_robin; c++) {
        for (uint32_t level = e.task_take.level + 1;
             level < 64 && !t->halted[c] && !t->corrupted[c] && !t->suspend[c].on; level++) {
            if (!t->pending[c][level].empty())
                bench_fail(t->bench, "a task of level %u is taken, one of level %u is pending", e.task_take.level,
                           level);
        }
    }
}

static void leave_list(struct test *t, uint32_t channel, uint32_t tmd) {
    for (std::deque<uint32_t> &list : t->pending[channel]) {
        for (auto i = list.begin(); i != list.end(); i++) {
            if (*i != tmd) continue;
            list.erase(i);
            return;
        }
    }
}

static void event_task_pending(struct test *t) {
    trace_event e;
    if (!trace_read_task_pending(t->unit, e)) return;
    follow(t, &e);
    const uint32_t channel = e.task_pending.channel, tmd = e.task_pending.tmd;
    const uint32_t *words = t->tasks.at({channel, tmd}).words;
    if (group_of(t, channel, tmd) != e.task_pending.level)
        bench_fail(t->bench, "the task at 0x%x is in the list of level %u", tmd, e.task_pending.level);
    std::deque<uint32_t> &list = t->pending[channel][e.task_pending.level];
    struct expected *x = &t->tasks.at({channel, tmd});
    const bool to_head = t->taken_evicted
                             ? t->slice == 0
                             : x->returning || tmd_get(words, TMD_ADD_TO_HEAD_OF_QMD_GROUP_LINKED_LIST, 0) != 0;
    t->turns += t->taken_evicted && t->slice != 0 && !list.empty();
    if (to_head)
        list.push_front(tmd);
    else
        list.push_back(tmd);
    x->returning = false;
    if (list.size() > t->longest) t->longest = list.size();
}

static void event_task_evict(struct test *t) {
    trace_event e;
    if (!trace_read_task_evict(t->unit, e)) return;
    follow(t, &e);
    t->evictions++;
    const uint32_t group = group_of(t, e.task_evict.channel, e.task_evict.tmd);
    const bool suspended = t->suspend[e.task_evict.channel].on;
    t->stopped += suspended;
    bool higher = suspended || t->task->slots[e.task_evict.slot].task.save;  // that has other reasons
    for (uint32_t c = 0; c < CHANNELS; c++) {
        for (uint32_t level = group + 1; level < 64 && !t->halted[c]; level++)
            higher = higher || !t->pending[c][level].empty();
    }
    if (!higher || (t->round_robin && !suspended && !t->task->slots[e.task_evict.slot].task.save))
        bench_fail(t->bench, "a task of level %u is evicted for nobody", group);
}

static void event_task_start(struct test *t) {
    trace_event e;
    if (!trace_read_task_start(t->unit, e)) return;
    follow(t, &e);
    const auto found = t->tasks.find({e.task_start.channel, e.task_start.tmd});
    if (found == t->tasks.end() || found->second.code != FAULT_NONE)
        bench_fail(t->bench, "the task at 0x%x of channel %u starts; its TMD is malformed (fault %u)", e.task_start.tmd,
                   e.task_start.channel, found == t->tasks.end() ? 0 : found->second.code);
    if (!found->second.waits_for.empty() || t->parked[e.task_start.channel].count(e.task_start.tmd) != 0)
        bench_fail(t->bench, "the task at 0x%x of channel %u starts before the one at 0x%x has ended", e.task_start.tmd,
                   e.task_start.channel, found->second.waits_for.empty() ? 0 : *found->second.waits_for.begin());
    leave_list(t, e.task_start.channel, e.task_start.tmd);
    if (found->second.away || found->second.returning)
        bench_fail(t->bench, "the task at 0x%x of channel %u starts, but it has left, and its children have not ended",
                   e.task_start.tmd, e.task_start.channel);
    t->in_slot[e.task_start.slot] = {e.task_start.channel, e.task_start.tmd};
    t->started[e.task_start.slot] = t->cycle;
}

// The flat outputs of a slot are what the TMD says.
static void check_slot(struct test *t, uint32_t k) {
    Vtask_unit &u = t->unit;
    const uint32_t channel =
        static_cast<uint32_t>(get_bits(u.slot_channel_o, k * index_bits(CHANNELS), index_bits(CHANNELS)));
    const uint32_t tmd = static_cast<uint32_t>(get_bits(u.slot_tmd_o, 32 * k, 32));
    const auto found = t->tasks.find({channel, tmd});
    if (found == t->tasks.end())
        bench_fail(t->bench, "slot %u shows a task at 0x%x of channel %u, which does not exist", k, tmd, channel);
    const uint32_t *w = found->second.words;
    const uint32_t threads = tmd_get(w, TMD_CTA_THREAD_DIMENSION0, 0) * tmd_get(w, TMD_CTA_THREAD_DIMENSION1, 0) *
                             tmd_get(w, TMD_CTA_THREAD_DIMENSION2, 0);
    const bool queue = tmd_get(w, TMD_CIRCULAR_QUEUE_SIZE, 0) != 0;
    const struct {
        const char *name;
        uint64_t rtl, tmd;
    } fields[] = {
        {"region", get_bits(u.slot_region_o, 32 * k, 32), REGION},
        {"local", get_bits(u.slot_local_base_o, 32 * k, 32), LOCAL},
        {"local bytes", get_bits(u.slot_local_bytes_o, 24 * k, 24), tmd_get(w, TMD_LOCAL_MEMORY_LOW, 0)},
        {"code_base", get_bits(u.slot_code_base_o, 32 * k, 32), REGION + tmd_get(w, TMD_PROGRAM_OFFSET, 0)},
        {"code_size", get_bits(u.slot_code_size_o, 32 * k, 32), tmd_get(w, TMD_TANDEM_CODE_SIZE, 0)},
        {"ntid_x", get_bits(u.slot_ntid_x_o, 16 * k, 16), tmd_get(w, TMD_CTA_THREAD_DIMENSION0, 0)},
        {"ntid_y", get_bits(u.slot_ntid_y_o, 16 * k, 16), tmd_get(w, TMD_CTA_THREAD_DIMENSION1, 0)},
        {"ntid_z", get_bits(u.slot_ntid_z_o, 16 * k, 16), tmd_get(w, TMD_CTA_THREAD_DIMENSION2, 0)},
        {"grid_x", get_bits(u.slot_grid_x_o, 32 * k, 32),
         queue ? tmd_get(w, TMD_CIRCULAR_QUEUE_SIZE, 0) : tmd_get(w, TMD_CTA_RASTER_WIDTH, 0)},
        {"grid_y", get_bits(u.slot_grid_y_o, 16 * k, 16),
         queue ? tmd_get(w, TMD_QUEUE_ENTRIES_PER_CTA_MINUS_ONE, 0) + 1 : tmd_get(w, TMD_CTA_RASTER_HEIGHT, 0)},
        {"grid_z", get_bits(u.slot_grid_z_o, 16 * k, 16),
         queue ? tmd_get(w, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 0) : tmd_get(w, TMD_CTA_RASTER_DEPTH, 0)},
        {"threads", get_bits(u.slot_threads_o, 16 * k, 16), threads},
        {"registers", get_bits(u.slot_registers_o, 8 * k, 8), tmd_get(w, TMD_REGISTER_COUNT, 0)},
        {"shared rows", get_bits(u.slot_shared_rows_o, 8 * k, 8), tmd_get(w, TMD_TANDEM_SHARED_ROWS, 0)},
        {"shared", get_bits(u.slot_shared_o, 18 * k, 18), tmd_get(w, TMD_SHARED_MEMORY_SIZE, 0)},
        {"const_valid", get_bits(u.slot_const_valid_o, CONST_BANKS * k, CONST_BANKS),
         tmd_get(w, TMD_CONSTANT_BUFFER_VALID, 0)},
    };
    for (const auto &f : fields) {
        if (f.rtl != f.tmd)
            bench_fail(t->bench, "slot_%s of slot %u is 0x%" PRIx64 ", the TMD says 0x%" PRIx64, f.name, k, f.rtl,
                       f.tmd);
    }
    for (uint32_t b = 0; b < CONST_BANKS; b++) {
        const uint32_t at = k * CONST_BANKS + b;
        if (get_bits(u.slot_const_addr_o, 32 * at, 32) != tmd_get(w, TMD_CONSTANT_BUFFER_ADDR_LOWER, b) ||
            get_bits(u.slot_const_size_o, 17 * at, 17) != tmd_get(w, TMD_CONSTANT_BUFFER_SIZE, b))
            bench_fail(t->bench, "constant buffer %u of slot %u is not the TMD's", b, k);
    }
}

// No task of higher priority, started a while ago, has CTAs left.
static void check_priority(struct test *t, uint32_t slot) {
    const struct task *task = t->task;
    const uint32_t group = task->slots[slot].task.group;
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        const struct running_task *r = &task->slots[k];
        if (!r->task.slot.busy || !work_distributor_has_ctas(r) || r->task.slot.kill || t->cycle < t->started[k] + 4)
            continue;
        if (r->evicted || r->task.sequential || t->halted[r->task.slot.channel] ||
            t->cycle < t->suspend[r->task.slot.channel].since + 4)
            continue;
        if (t->suspend[r->task.slot.channel].on) continue;
        if (r->task.queue && r->running == 0) continue;  // its OUTER_GET may be on its way
        if (r->task.group > group)
            bench_fail(t->bench, "a CTA of slot %u (priority %u) goes before those of slot %u (priority %u)", slot,
                       group, k, r->task.group);
    }
}

static void event_cta_launch(struct test *t) {
    Vtask_unit &u = t->unit;
    uint32_t taken = SMS;
    for (uint32_t s = 0; s < SMS; s++) {
        if (get_bits(u.cta_valid_o, s, 1) != 0 && get_bits(u.cta_ready_i, s, 1) != 0) taken = s;
    }
    if ((taken != SMS) != (u.trace_cta_launch_valid_o != 0))
        bench_fail(t->bench, "CTA_LAUNCH and the handshake with an SM do not fit");
    if (taken == SMS) return;
    trace_event e;
    trace_read_cta_launch(u, e);
    const uint32_t slot =
        static_cast<uint32_t>(get_bits(u.cta_slot_o, index_bits(TASK_SLOTS) * taken, index_bits(TASK_SLOTS)));
    if (e.cta_launch.sm != taken || e.cta_launch.slot != slot ||
        e.cta_launch.x != get_bits(u.cta_x_o, 32 * taken, 32) ||
        e.cta_launch.y != get_bits(u.cta_y_o, 16 * taken, 16) || e.cta_launch.z != get_bits(u.cta_z_o, 16 * taken, 16))
        bench_fail(t->bench, "the SM gets another CTA than CTA_LAUNCH says");
    if (t->suspend[t->in_slot[slot].first].on)
        bench_fail(t->bench, "a CTA of slot %u goes out, whose channel %u is suspended", slot, t->in_slot[slot].first);
    check_slot(t, slot);
    check_priority(t, slot);
    follow(t, &e);
    take_cta(t, taken, slot);
    struct expected *x = task_in(t, slot);
    if ((get_bits(u.cta_resume_o, taken, 1) != 0) != (x->saved != 0))
        bench_fail(t->bench, "%u CTAs of slot %u have left, but one that has not goes out, or else", x->saved, slot);
    if (x->saved == 0) {
        x->launched[std::make_tuple(e.cta_launch.x, e.cta_launch.y, e.cta_launch.z)]++;
    } else {
        x->saved--;
        t->returns++;
    }
}

// ---- tasks that wait for others ----
static void event_task_parked(struct test *t) {
    trace_event e;
    if (!trace_read_task_parked(t->unit, e)) return;
    follow(t, &e);
    struct expected *x = &t->tasks.at({e.task_parked.channel, e.task_parked.tmd});
    if (t->taken_evicted) {
        // Of a faulted channel a child may have been killed on the way.
        if (x->saved == 0 || (x->children == 0 && !t->halted[e.task_parked.channel]))
            bench_fail(t->bench, "the task at 0x%x is away, but %u CTAs have left and it has %u children",
                       e.task_parked.tmd, x->saved, x->children);
        x->away = true;
        t->away++;
        return;
    }
    t->parks++;
    if (t->tasks.at({e.task_parked.channel, e.task_parked.tmd}).waits_for.empty())
        bench_fail(t->bench, "the task at 0x%x of channel %u is parked, but all have ended", e.task_parked.tmd,
                   e.task_parked.channel);
    t->parked[e.task_parked.channel].insert(e.task_parked.tmd);
}

// A task that ends has taken itself off the counter of one that waits for it, if that was not refused meanwhile.
static void has_counted(struct test *t, uint32_t slot, uint32_t channel, uint32_t tmd) {
    const auto other = t->tasks.find({channel, tmd});
    if (other == t->tasks.end()) return;
    other->second.waits_for.erase(static_cast<uint32_t>(get_bits(t->unit.slot_tmd_o, 32 * slot, 32)));
}

static void event_task_freed(struct test *t) {
    trace_event e;
    if (!trace_read_task_freed(t->unit, e)) return;
    follow(t, &e);
    t->frees++;
    const uint32_t channel = e.task_freed.channel, tmd = e.task_freed.tmd;
    struct expected *x = &t->tasks.at({channel, tmd});
    if (x->away) {
        if (x->children != 1)
            bench_fail(t->bench, "the task at 0x%x comes back, but %u children of it run", tmd, x->children - 1);
        x->away = false;
        x->returning = true;
        return;
    }
    if (!t->tasks.at({channel, tmd}).waits_for.empty() || t->parked[channel].erase(tmd) == 0)
        bench_fail(t->bench, "the task at 0x%x of channel %u is freed, but it waits for another or was not launched",
                   tmd, channel);
}

// ---- tasks end ----
static void forget_task(struct test *t, uint32_t channel, uint32_t tmd) {
    t->tasks.erase({channel, tmd});
    if (tmd / TMD_BYTES < TMD_PLACES) t->place_used[channel][tmd / TMD_BYTES] = false;
}

static void event_task_end(struct test *t) {
    trace_event e;
    if (!trace_read_task_end(t->unit, e)) return;
    follow(t, &e);
    const struct expected *x = &t->tasks.at({e.task_end.channel, e.task_end.tmd});
    const uint32_t slot = e.task_end.slot;
    for (const auto &c : x->launched) {
        if (c.second != 1) bench_fail(t->bench, "a CTA of slot %u was launched %u times", slot, c.second);
    }
    size_t all = static_cast<size_t>(tmd_get(x->words, TMD_CTA_RASTER_WIDTH, 0)) *
                 tmd_get(x->words, TMD_CTA_RASTER_HEIGHT, 0) * tmd_get(x->words, TMD_CTA_RASTER_DEPTH, 0);
    if (tmd_get(x->words, TMD_CIRCULAR_QUEUE_SIZE, 0) != 0) {
        const uint32_t per_cta = tmd_get(x->words, TMD_QUEUE_ENTRIES_PER_CTA_MINUS_ONE, 0) + 1;
        const uint32_t entries =
            (tmd_get(x->words, TMD_OUTER_PUT, 0) - tmd_get(x->words, TMD_OUTER_GET, 0)) & 0x7FFFFFFFu;
        all = (entries + per_cta - 1) / per_cta;
    }
    if (!e.task_end.killed && (x->launched.size() != all || x->saved != 0 || x->children != 0))
        bench_fail(t->bench, "the task of slot %u ends with %zu of %zu CTAs launched, %u to come back, %u children",
                   slot, x->launched.size(), all, x->saved, x->children);
    (e.task_end.killed ? t->killed : t->ended)++;
    if (!e.task_end.killed && x->miscounted)
        bench_fail(t->bench, "the task of slot %u ends well, though it frees one that does not wait", slot);
    child_ends(t, e.task_end.channel, x);
    forget_task(t, e.task_end.channel, e.task_end.tmd);
}

static void event_task_stuck(struct test *t) {
    trace_event e;
    if (!trace_read_task_stuck(t->unit, e)) return;
    follow(t, &e);
    t->stuck++;
}

static void event_task_drop(struct test *t) {
    trace_event e;
    if (!trace_read_task_drop(t->unit, e)) return;
    follow(t, &e);
    std::deque<uint32_t> &list = t->pending[e.task_drop.channel][e.task_drop.level];
    if (!t->halted[e.task_drop.channel]) bench_fail(t->bench, "a list of a channel that runs is dropped");
    if (!t->corrupted[e.task_drop.channel] && list.size() != e.task_drop.count)
        bench_fail(t->bench, "a list of %zu tasks is dropped as %u", list.size(), e.task_drop.count);
    for (const uint32_t tmd : list) {
        t->dropped++;
        forget_task(t, e.task_drop.channel, tmd);
    }
    list.clear();
}

static void event_task_refused(struct test *t) {
    trace_event e;
    if (!trace_read_task_refused(t->unit, e)) return;
    follow(t, &e);
    const uint32_t channel = e.task_refused.channel;
    if (t->corrupted[channel] && e.task_refused.code == FAULT_TMD_LINK) {
        // The link may lead anywhere. Tasks that it does not lead to any more are dropped with the list.
        t->refused++;
        t->linked_wrong++;
        return;
    }
    leave_list(t, channel, e.task_refused.tmd);
    const uint32_t expected = t->tasks.at({channel, e.task_refused.tmd}).code;
    if (e.task_refused.code != FAULT_NONE && e.task_refused.code != expected)
        bench_fail(t->bench, "the task at 0x%x is refused with fault %u (%s), not %u (%s)", e.task_refused.tmd,
                   e.task_refused.code, fault_name(e.task_refused.code), expected, fault_name(expected));
    (e.task_refused.code == FAULT_NONE ? t->dropped : t->refused)++;
    forget_task(t, e.task_refused.channel, e.task_refused.tmd);
}

// ---- channels ----
// Adds to both memories' words at a place of a channel's space.
static void poke(struct test *t, uint32_t channel, uint32_t at, uint32_t value) {
    memcpy(t->memory + channel * SPACE_BYTES + at, &value, 4);
    memcpy(mem_bytes(t->mem) + channel * SPACE_BYTES + at, &value, 4);
}

// The new task frees up to two of those that are not launched yet.
static void depend(struct test *t, uint32_t c, uint32_t tmd, struct expected *x) {
    struct bench *bench = t->bench;
    for (unsigned i = 0; i < 2; i++) {
        if (tmd_get(x->words, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, i) != 0) continue;
        if (t->prepared[c].empty() || !bench_chance(bench, 1, 2)) continue;
        const uint32_t other = t->prepared[c][bench_below(bench, static_cast<uint32_t>(t->prepared[c].size()))];
        struct expected *y = &t->tasks.at({c, other});
        if (!y->waits_for.insert(tmd).second) continue;  // it waits for this one already
        tmd_set(x->words, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, i, 1);
        tmd_set(x->words, TMD_DEPENDENT_QMD_POINTER, i, other >> 8);
        uint32_t counter;  // some that it waits for may have ended already
        memcpy(&counter, t->memory + c * SPACE_BYTES + other + 4 * TMD_DEPENDENCE_COUNTER_WORD, 4);
        poke(t, c, other + 4 * TMD_DEPENDENCE_COUNTER_WORD, counter == 0 ? 2 : counter + 1);
    }
    if (!bench_chance(bench, 1, 100) || tmd_get(x->words, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, 1) != 0) return;
    for (const auto &task : t->tasks)
        if (task.first.first == c && task.second.miscounted) return;  // it counts on the place
    x->miscounted = true;
    tmd_set(x->words, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, 1, 1);
    tmd_set(x->words, TMD_DEPENDENT_QMD_POINTER, 1, NO_TASK >> 8);
}

// One of those that are in memory is launched.
static void launch_prepared(struct test *t, uint32_t c) {
    const uint32_t at = bench_below(t->bench, static_cast<uint32_t>(t->prepared[c].size()));
    t->launching = true;
    t->launch_channel = c;
    t->launch_tmd = t->prepared[c][at];
    t->launch_local = t->tasks.at({c, t->launch_tmd}).local;
    t->prepared[c].erase(t->prepared[c].begin() + at);
}

static void begin_launch(struct test *t) {
    struct bench *bench = t->bench;
    const uint32_t c = bench_below(bench, CHANNELS), place = bench_below(bench, TMD_PLACES);
    if (t->halted[c]) return;
    if (!t->prepared[c].empty() && bench_chance(bench, 1, 2)) return launch_prepared(t, c);
    if (t->place_used[c][place]) return;
    struct expected x = {};
    const struct tmd_space space = {SPACE_BYTES, REGION, LOCAL, RELEASES + 256 * (place % 8)};
    tmd_random_good(bench, &t->run.config, &space, x.words);
    x.code = FAULT_NONE;
    x.local = LOCAL;
    x.parent = bench_chance(bench, 1, 3);
    if (bench_chance(bench, 1, 40)) {
        x.code = tmd_spoil(bench, &t->run.config, &space, x.words);
    } else if (tmd_get(x.words, TMD_LOCAL_MEMORY_LOW, 0) != 0 && bench_chance(bench, 1, 40)) {
        x.local = bench_chance(bench, 1, 2) ? 0 : LOCAL + 4;
        x.code = FAULT_TMD_LOCAL_MEMORY;
    }
    t->place_used[c][place] = true;
    t->launching = bench_chance(bench, 1, 4);
    const bool outside = t->launching && bench_chance(bench, 1, 40);
    if (!outside && bench_chance(bench, 3, 4)) depend(t, c, place * TMD_BYTES, &x);
    t->launch_channel = c;
    t->launch_tmd = place * TMD_BYTES;
    t->launch_local = x.local;
    if (outside) {
        t->place_used[c][place] = false;
        t->launch_tmd = SPACE_BYTES + place * TMD_BYTES;
        x.code = FAULT_TMD_FETCH;
        if (t->tasks.count({c, t->launch_tmd}) != 0) {
            t->launching = false;
            return;
        }
    } else {
        if (!t->launching) t->prepared[c].push_back(t->launch_tmd);
        if (x.miscounted) poke(t, c, NO_TASK + 4 * TMD_DEPENDENCE_COUNTER_WORD, 0);
        memcpy(t->memory + c * SPACE_BYTES + t->launch_tmd, x.words, TMD_BYTES);
        memcpy(mem_bytes(t->mem) + c * SPACE_BYTES + t->launch_tmd, x.words, TMD_BYTES);
    }
    t->tasks[{c, t->launch_tmd}] = x;
}

// A thread overwrites what the task unit keeps in the TMD of a pending task.
static void corrupt(struct test *t) {
    struct bench *bench = t->bench;
    const uint32_t c = bench_below(bench, CHANNELS);
    if (t->halted[c]) return;
    for (const std::deque<uint32_t> &list : t->pending[c]) {
        if (list.size() < 2 || !bench_chance(bench, 1, 2)) continue;
        const uint32_t at = c * SPACE_BYTES + list[bench_below(bench, static_cast<uint32_t>(list.size()))];
        uint32_t words[TMD_WORDS];
        memcpy(words, t->memory + at, TMD_BYTES);
        switch (bench_below(bench, 5)) {
            case 0: tmd_set(words, TMD_SCHEDULER_NEXT_QMD_POINTER, 0, bench_below(bench, TMD_PLACES)); break;
            case 1:
                tmd_set(words, TMD_SCHEDULER_NEXT_QMD_POINTER, 0, static_cast<uint32_t>(bench_random(bench)));
                break;
            case 2: tmd_set(words, TMD_TANDEM_STATE, 0, 0); break;
            case 3: tmd_set(words, TMD_TANDEM_STATE, 0, static_cast<uint32_t>(bench_random(bench))); break;
            default: tmd_set(words, TMD_QMD_GROUP_ID, 0, bench_below(bench, 64)); break;
        }
        memcpy(t->memory + at, words, TMD_BYTES);
        memcpy(mem_bytes(t->mem) + at, words, TMD_BYTES);
        t->corrupted[c] = true;
        t->corruptions++;
        return;
    }
}

static void channels_drive(struct test *t, bool more) {
    Vtask_unit &u = t->unit;
    if (!t->launching && more && bench_chance(t->bench, 1, t->cycle >> 12 & 1 ? 3 : 60)) begin_launch(t);
    if (more && bench_chance(t->bench, 1, 3000)) corrupt(t);
    u.round_robin_i = t->round_robin;
    u.slice_i = static_cast<uint8_t>(t->slice);
    uint32_t suspended = 0;
    for (uint32_t c = 0; c < CHANNELS; c++) {
        struct task_suspend *s = &t->suspend[c];
        if (s->on ? !more || bench_chance(t->bench, 1, 1500) : more && bench_chance(t->bench, 1, 20000)) {
            s->on = !s->on;
            s->since = t->cycle;
            t->suspensions += s->on;
            t->last_event = t->cycle;
        }
        suspended |= static_cast<uint32_t>(s->on) << c;
    }
    u.suspend_i = static_cast<uint8_t>(suspended);
    // A launch of a channel that stands faulted is taken back.
    if (t->launching && t->halted[t->launch_channel]) {
        t->launching = false;
        t->tasks.erase({t->launch_channel, t->launch_tmd});
        if (t->launch_tmd / TMD_BYTES < TMD_PLACES) t->place_used[t->launch_channel][t->launch_tmd / TMD_BYTES] = false;
    }
    u.launch_valid_i = t->launching;
    u.launch_channel_i = static_cast<uint8_t>(t->launch_channel);
    u.launch_tmd_i = t->launch_tmd;
    u.launch_region_i = REGION;
    u.launch_local_i = t->launch_local;
    uint32_t halt = 0;
    for (uint32_t c = 0; c < CHANNELS; c++)
        halt |= static_cast<uint32_t>(t->halted[c]) << c;
    u.channel_halt_i = static_cast<uint8_t>(halt);
}

// While a queue is in a slot no task counts as stuck: software stops the channel of one that keeps the place of a child
// for which a warp waits.
static bool queue_in_the_way(struct test *t, uint32_t channel) {
    bool queue = false, waits = false;
    if (t->cycle - t->last_event < SILENCE / 2) return false;
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        const struct running_task *r = &t->task->slots[k];
        queue = queue || (r->task.slot.busy && r->task.queue && r->task.slot.channel == channel);
    }
    for (uint32_t s = 0; s < SMS; s++)
        waits = waits || slot_waits(t, s, TASK_SLOTS);
    return queue && waits;
}

static void events_of_channels(struct test *t) {
    Vtask_unit &u = t->unit;
    if (u.launch_valid_i && u.launch_ready_o) {
        if (!task_can_launch(t->task)) bench_fail(t->bench, "a launch is taken for which the model has no room");
        task_launch(t->task, t->launch_channel, t->launch_tmd, REGION, t->launch_local);
        t->launching = false;
        t->last_event = t->cycle;
    }
    if (u.fault_valid_o) {
        struct fault *f = &t->rtl_fault[get_bits(u.fault_channel_o, 0, index_bits(CHANNELS))];
        if (!f->valid) *f = {true, u.fault_code_o, u.fault_info_o, u.fault_pc_o};
    }
    for (uint32_t c = 0; c < CHANNELS; c++) {
        struct fault *rtl = &t->rtl_fault[c], *model = &t->model_fault[c];
        // The host takes a fault to heart a while after it was told; sometimes a channel faults for reasons of its own.
        if (!t->halted[c] && (rtl->valid || queue_in_the_way(t, c) || bench_chance(t->bench, 1, 60000))) {
            if (rtl->valid && t->halt_delay[c]++ < 3 + bench_below(t->bench, 20)) continue;
            if (rtl->valid && SMS == 1 &&
                (!model->valid || rtl->code != model->code || rtl->info != model->info || rtl->pc != model->pc))
                bench_fail(t->bench, "channel %u has fault %u info 0x%x pc 0x%x, the model %u 0x%x 0x%x", c, rtl->code,
                           rtl->info, rtl->pc, model->code, model->info, model->pc);
            t->halted[c] = true;
            task_halt(t->task, c);
            t->halt_delay[c] = 0;
        } else if (t->halted[c] && task_channel_idle(t->task, c) && bench_chance(t->bench, 1, 50)) {
            // Reset by the driver. A fault that one side alone knows of must not be forgotten.
            if (rtl->valid != model->valid && SMS == 1)
                bench_fail(t->bench, "only one side knows of a fault of channel %u", c);
            for (std::deque<uint32_t> &list : t->pending[c]) {
                if (!list.empty() && !t->corrupted[c]) bench_fail(t->bench, "channel %u is idle with pending tasks", c);
                for (const uint32_t tmd : list)
                    forget_task(t, c, tmd);
                list.clear();
            }
            // What waits, or was not launched, waits for tasks that there are no more.
            t->prepared[c].insert(t->prepared[c].end(), t->parked[c].begin(), t->parked[c].end());
            for (const auto &task : t->tasks)
                if (task.first.first == c && task.second.away) t->prepared[c].push_back(task.first.second);
            t->parked[c].clear();
            for (const uint32_t tmd : t->prepared[c])
                forget_task(t, c, tmd);
            t->prepared[c].clear();
            t->halted[c] = t->corrupted[c] = false;
            rtl->valid = model->valid = false;
        }
    }
}

static void check_counts(struct test *t) {
    Vtask_unit &u = t->unit;
    for (uint32_t c = 0; c < CHANNELS; c++) {
        const uint32_t outstanding = task_outstanding(t->task, c);
        if (get_bits(u.tasks_outstanding_o, 24 * c, 24) != outstanding ||
            get_bits(u.channel_idle_o, c, 1) != (outstanding == 0))
            bench_fail(t->bench, "channel %u: %u tasks outstanding, idle %u; the model has %u", c,
                       static_cast<uint32_t>(get_bits(u.tasks_outstanding_o, 24 * c, 24)),
                       static_cast<uint32_t>(get_bits(u.channel_idle_o, c, 1)), outstanding);
    }
}

// Nothing of a channel is on its way only when the model knows of nothing either.
static void check_settled(struct test *t) {
    for (uint32_t c = 0; c < CHANNELS; c++) {
        if (get_bits(t->unit.settled_o, c, 1) != 0 && !t->halted[c] && !task_settled(t->task, c))
            bench_fail(t->bench, "channel %u is said to have nothing in the task table", c);
    }
}

// Who is asked to leave. (That a slot is killed the two know at times of their own.)
static void check_stop(struct test *t) {
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        const struct task_slot *slot = &t->task->slots[k].task.slot;
        if (slot->kill || get_bits(t->unit.slot_kill_o, k, 1) != 0) continue;
        if ((get_bits(t->unit.slot_stop_o, k, 1) != 0) != slot->stop)
            bench_fail(t->bench, "slot %u is asked to leave, or not: the model says %d", k, slot->stop);
    }
}

static void cycle(struct test *t, bool more) {
    memory_drive(t);
    sm_drive(t, more);
    channels_drive(t, more);
    t->unit.eval();
    event_task_take(t);
    event_task_evict(t);
    event_task_start(t);
    event_cta_launch(t);
    memory_cycle(t);
    events_of_sms(t);
    event_task_freed(t);
    event_task_end(t);
    check_told(t);
    event_task_pending(t);
    event_task_parked(t);
    event_task_stuck(t);
    event_task_drop(t);
    event_task_refused(t);
    events_of_children(t);
    check_faults(t);
    check_glue(t);
    events_of_channels(t);
    tick(t->unit);
    check_counts(t);
    check_stop(t);
    check_settled(t);
    t->cycle++;
    if (t->cycle - t->last_event > SILENCE) bench_fail(t->bench, "hangs: nothing happened for %u cycles", SILENCE);
}

int main(int argc, char **argv) {
    struct bench bench;
    const unsigned inject = take_inject(&argc, argv);  // a defect on purpose; the unit must be verilated with INJECT=1
    bench_begin(&bench, argc, argv, 200000);
    resets(&bench);
    registers_at_random(bench.seed);
    struct test *t = new struct test();
    the_test = t;
    t->bench = &bench;
    struct ppu_config *config = &t->run.config;
    config->threads = THREADS, config->lanes = LANES, config->warps = WARPS, config->sms = SMS,
    config->channels = CHANNELS;
    config->task_slots = TASK_SLOTS, config->pending_tasks = PENDING_TASKS, config->vgpr_rows = VGPR_ROWS;
    config->shared_bytes = SHARED_BYTES;
    config->const_banks = CONST_BANKS, config->ns_per_cycle = NS_PER_CYCLE;
    static struct sm stand_ins[SMS];
    static struct sm *sms[SMS];
    for (uint32_t s = 0; s < SMS; s++) {
        stand_ins[s].number = s;
        sms[s] = &stand_ins[s];
    }
    for (uint32_t c = 0; c < CHANNELS; c++)
        t->space[c] = {c * SPACE_BYTES, SPACE_BYTES};
    t->mem = mem_create(&t->run, MEMORY_BYTES, nullptr);
    t->task = task_create(&t->run, t->mem, sms);
    const struct mem_wires mem_wires = {t->space, note_fault, nullptr};
    const struct task_wires task_wires = {t->halted, &t->round_robin, &t->slice, t->suspend, note_fault, nullptr};
    mem_connect(t->mem, &mem_wires);
    task_connect(t->task, &task_wires);
    t->round_robin = bench_chance(&bench, 1, 3);
    t->slice = bench_chance(&bench, 1, 3) ? 1 + bench_below(&bench, 2) : 0;
    t->memory = static_cast<uint8_t *>(calloc(1, MEMORY_BYTES));
    for (uint32_t c = 0; c < CHANNELS; c++)
        set_bits(t->unit.space_size_i, 32 * c, 32, SPACE_BYTES);
    t->unit.inject_i = static_cast<uint8_t>(inject);
    reset_glue(&bench, t->unit);
    while (bench.op < bench.ops)
        cycle(t, true);
    const uint64_t late = t->cycle;
    bool idle = false;
    while (!idle) {
        cycle(t, false);
        idle = !t->launching;
        for (uint32_t c = 0; c < CHANNELS; c++)
            idle = idle && task_channel_idle(t->task, c);
        if (t->cycle > late + 1000000) bench_fail(&bench, "the tasks do not come to an end");
    }
    for (uint32_t i = 0; i < MEMORY_BYTES; i++) {
        if (t->memory[i] != mem_bytes(t->mem)[i])
            bench_fail(&bench, "at the end byte 0x%x is 0x%02x, the model has 0x%02x", i, t->memory[i],
                       mem_bytes(t->mem)[i]);
    }
    printf("%" PRIu64 " tasks ended, %" PRIu64 " refused, %" PRIu64 " dropped, %" PRIu64 " killed; %" PRIu64
           " were pending (most in a list: %zu), %" PRIu64 " lists corrupted, %" PRIu64 " seen, %" PRIu64
           " evicted; %" PRIu64 " waited for others, %" PRIu64 " were freed; %" PRIu64 " CTAs left, %" PRIu64
           " came back, %" PRIu64 " parents were away; children %" PRIu64 " deep, %" PRIu64 " stuck; %" PRIu64
           " times suspended, %" PRIu64 " tasks evicted then; %" PRIu64 " went to a tail\n",
           t->ended, t->refused, t->dropped, t->killed, t->taken, t->longest, t->corruptions, t->linked_wrong,
           t->evictions, t->parks, t->frees, t->leavings, t->returns, t->away, t->deepest, t->stuck, t->suspensions,
           t->stopped, t->turns);
    task_destroy(t->task);
    mem_destroy(t->mem);
    free(t->memory);
    delete t;
    return bench_end(&bench);
}
