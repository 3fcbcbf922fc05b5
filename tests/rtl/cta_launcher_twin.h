// The model beside cta_launcher: an SM of which only the launches are used. Whether a CTA fits, where its warps may be, and what stands in a
// warp and in a CTA when they begin and end is said here once more, by counting rows one by one. Before a warp starts, all that the start
// has to set stands at something else.
#ifndef TANDEM_TESTS_RTL_CTA_LAUNCHER_TWIN_H
#define TANDEM_TESTS_RTL_CTA_LAUNCHER_TWIN_H

#include <algorithm>
#include <deque>
#include <vector>

#include "bench.h"
#include "bench_config.h"

extern "C" {
#include "base/run.h"
#include "mem/mem.h"
#include "sm/sm_internal.h"
}

static const uint32_t P = THREADS / LANES, REGS = VGPR_ROWS / P, ROW_BYTES = 4 * LANES;
static const uint64_t ALL_THREADS = THREADS == 64 ? ~UINT64_C(0) : (UINT64_C(1) << THREADS % 64) - 1;

static inline uint32_t task_warps(const struct task_slot &t) {
    return t.threads / THREADS + (t.threads % THREADS != 0);
}
// Registers of the register file that a warp takes.
static inline uint32_t task_units(const struct task_slot &t, bool shares) {
    return shares ? t.registers - t.shared_rows + t.shared_rows / P + (t.shared_rows % P != 0) : t.registers;
}
static inline bool task_shares(const struct task_slot &t, bool first) {
    if (t.shared_rows == 0) return false;
    return !first || task_warps(t) * t.registers > REGS;
}
static inline uint32_t task_shared_rows(const struct task_slot &t) {
    return t.shared_bytes / ROW_BYTES + (t.shared_bytes % ROW_BYTES != 0);
}

// A task that the task unit would let in.
static inline void random_task(struct bench *bench, struct task_slot *t) {
    *t = {};
    uint32_t threads = 1 + bench_below(bench, WARPS * THREADS);
    if (bench_chance(bench, 1, 3)) threads = 1 + bench_below(bench, THREADS);
    if (bench_chance(bench, 1, 3)) threads = THREADS * (1 + bench_below(bench, WARPS));
    uint32_t x = 1 + bench_below(bench, threads);
    if (bench_chance(bench, 1, 3)) x = std::min(threads, LANES * (1 + bench_below(bench, 2 * P)));
    if (bench_chance(bench, 1, 4)) x = 1 + bench_below(bench, std::min(threads, 2u * LANES));
    if (bench_chance(bench, 1, 4)) x = threads;
    const uint32_t y = bench_chance(bench, 1, 3) ? threads / x : 1 + bench_below(bench, threads / x);
    t->ntid[0] = x;
    t->ntid[1] = y;
    t->ntid[2] = threads / x / y;
    t->threads = x * y * t->ntid[2];
    std::swap(t->ntid[bench_below(bench, 3)], t->ntid[bench_below(bench, 3)]);
    const uint32_t warps = task_warps(*t);
    do {
        const uint32_t most = std::min(255u, bench_chance(bench, 1, 3) ? 2 * REGS / warps : 16u);
        t->registers = 1 + bench_below(bench, most);
        if (bench_chance(bench, 1, 8)) t->registers = most;
        t->shared_rows = bench_chance(bench, 1, 2) ? bench_below(bench, t->registers) : 0;
        if (bench_chance(bench, 1, 8)) t->shared_rows = t->registers - 1;
        if (bench_chance(bench, 1, 8)) t->shared_rows = std::min(t->registers - 1, 1u << bench_below(bench, 8));
    } while (warps * task_units(*t, t->shared_rows != 0) > REGS);
    if (bench_chance(bench, 1, 2)) t->shared_bytes = bench_below(bench, ROW_BYTES * 8);
    if (bench_chance(bench, 1, 8)) t->shared_bytes = bench_below(bench, SHARED_BYTES + 1);
    if (bench_chance(bench, 1, 32)) t->shared_bytes = SHARED_BYTES;
    t->code_base = bench_random(bench) & 0xFFFFFFF8;
    t->region = bench_random(bench) & 0xFFFFFFF8;
    t->code_size = 64;
    t->tmd = bench_random(bench) & 0xFFFFFFFF;
    t->channel = bench_below(bench, 2);
}

struct twin {
    struct bench *bench;
    struct run device;
    struct mem *mem;
    struct sm *sm;
    struct sm_settings settings;
    struct task_slot slots[TASK_SLOTS];
    const struct task_slot *wires[TASK_SLOTS];
    std::deque<cta_launch> launches;  // what the model should have there
    std::vector<trace_event> events;
    uint32_t started, resident, peak;        // warps
    uint32_t dones, done_slot;               // what it has told
    bool done_left, left[WARPS], listening;  // a warp of the CTA has left; somebody wants events
};

static void twin_done(void *context, uint32_t sm, uint32_t slot, bool left) {
    struct twin *t = (struct twin *)context;
    if (sm != 5) bench_fail(t->bench, "a CTA of SM %u ends", sm);
    t->dones++;
    t->done_slot = slot;
    t->done_left = left;
}
static void twin_event(void *context, const struct trace_event *event) {
    ((struct twin *)context)->events.push_back(*event);
}

static void twin_begin(struct twin *t, struct bench *bench, bool following) {
    t->bench = bench;
    run_init(&t->device, bench_config(), bench->seed);
    t->device.following = following;
    t->device.sink_context = t;
    t->mem = mem_create(&t->device, 4096, nullptr);
    t->sm = t->mem == nullptr ? nullptr : sm_create(&t->device, t->mem, 5);
    if (t->sm == nullptr) bench_fail(bench, "no memory for the model");
    t->settings = {};
    t->settings.sv_threshold = 0x4000;
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        t->wires[k] = &t->slots[k];
    struct sm_wires wires = {};
    wires.slot = t->wires;
    wires.settings = &t->settings;
    wires.context = t;
    wires.cta_done = twin_done;
    sm_connect(t->sm, &wires);
    t->launches.clear();
    t->started = t->resident = t->peak = t->dones = 0;
}
static void twin_end(struct twin *t) {
    sm_destroy(t->sm);
    mem_destroy(t->mem);
}

// ---- places, row by row ----
static std::vector<bool> taken_rows(const struct twin *t) {
    std::vector<bool> taken(VGPR_ROWS);
    for (uint32_t w = 0; w < WARPS; w++)
        if (t->sm->warps[w].running) std::fill_n(taken.begin() + t->sm->warps[w].row, t->sm->warps[w].rows, true);
    return taken;
}
static std::vector<bool> taken_shared(const struct twin *t) {
    std::vector<bool> taken(SHARED_BYTES / ROW_BYTES);
    for (uint32_t c = 0; c < WARPS; c++)
        if (t->sm->ctas[c].busy)
            std::fill_n(taken.begin() + t->sm->ctas[c].shared_base / ROW_BYTES, t->sm->ctas[c].shared_room / ROW_BYTES,
                        true);
    return taken;
}
// Where the n-th piece of `size` in a row begins, when they are cut off from below; the end when there are not so many.
static uint32_t place_in(const std::vector<bool> &taken, uint32_t size, uint32_t n) {
    uint32_t run = 0;
    for (uint32_t i = 0; i < taken.size(); i++) {
        run = taken[i] ? 0 : run + 1;
        if (run != size) continue;
        if (n-- == 0) return i + 1 - size;
        run = 0;
    }
    return (uint32_t)taken.size();
}

static bool twin_room(const struct twin *t, uint32_t slot, bool shares) {
    const struct task_slot &task = t->slots[slot];
    uint32_t idle = 0, shared = task_shared_rows(task);
    if (t->launches.size() == LAUNCHES_MAX) return false;
    for (uint32_t w = 0; w < WARPS; w++)
        idle += !t->sm->warps[w].running;
    for (const cta_launch &l : t->launches) {
        idle -= l.warps - l.started;
        if (l.started == 0) shared += task_shared_rows(t->slots[l.slot]);
    }
    if ((int32_t)idle < (int32_t)task_warps(task)) return false;
    const std::vector<bool> taken = taken_shared(t);
    if (shared != 0 && place_in(taken, shared, 0) == taken.size()) return false;
    return place_in(taken_rows(t), task_units(task, shares) * P, task_warps(task) - 1) != VGPR_ROWS;
}

// ---- a warp begins ----
static void scribble(struct twin *t, uint32_t number, uint32_t cta) {
    struct bench *bench = t->bench;
    struct warp &w = t->sm->warps[number];
    w.faulted = w.at_barrier = w.held = true;
    w.resume = bench_chance(bench, 1, 2);
    w.slot = w.cta = w.index = w.pc = w.instr_pc = w.row = w.rows = w.privates = 12345;
    w.shares = bench_chance(bench, 1, 2);
    w.due.exec = 5;
    w.due.end = w.due.fault = true;
    w.due.wb[1] = w.access.pending = w.access.in_flight = w.children.left = 77;
    w.children.running = 1;
    memset(&w.scalar_unit, 0xA5, sizeof w.scalar_unit);
    memset(w.predicates, 0xA5, sizeof w.predicates);
    memset(w.divergence.yields.count, 5, sizeof w.divergence.yields.count);
    divergence_start(&w.divergence, bench_random(bench));
    memset(t->sm->register_file + (size_t)number * REGISTERS_MAX * THREADS, 0xA5, REGISTERS_MAX * THREADS * 4);
    t->sm->signature.names[number] = 0;
    t->sm->fetch_cache.time = bench_random(bench);
    for (uint32_t p = 0; p < SCOREBOARD_PREDICATES; p++)
        t->sm->scoreboard.preds[number * SCOREBOARD_PREDICATES + p] = 1;
    struct cta &c = t->sm->ctas[cta];
    if (!c.busy) c = {false, 99, 99, 99, 99, 99, 99, 99, 99, true, 99, 99, 99};
    for (uint32_t r = 0; r < REGS; r++)
        t->sm->scoreboard.rows[r] = 1;
}

struct beginning {
    uint32_t number, cta, row, shared;  // where
    cta_launch launch;                  // of which
};

static void check_cta(struct twin *t, const struct beginning &b, uint32_t started) {
    struct bench *bench = t->bench;
    const struct cta &c = t->sm->ctas[b.cta];
    const cta_launch &l = b.launch;
    if (!c.busy || c.slot != l.slot || c.warps != l.warps) bench_fail(bench, "the model's CTA %u is another", b.cta);
    if (c.started != started || c.shared_base != b.shared)
        bench_fail(bench, "CTA %u of the model has %u warps, shared memory at %x, not %u, %x", b.cta, c.started,
                   c.shared_base, started, b.shared);
    if (l.started != 0) return;
    t->left[b.cta] = false;
    if (c.x != l.x || c.y != l.y || c.z != l.z || c.ended != 0 || c.waiting != 0 || c.left || c.record != 0)
        bench_fail(bench, "CTA %u of the model does not begin anew", b.cta);
    const uint32_t room = task_shared_rows(t->slots[l.slot]) * ROW_BYTES;
    if (c.shared_room != room) bench_fail(bench, "the model gives %u bytes, not %u", c.shared_room, room);
    for (uint32_t i = 0; i < room; i++)
        if (t->sm->shared_memory[b.shared + i] != 0) bench_fail(bench, "shared memory is not cleared");
    memset(t->sm->shared_memory + b.shared, 0xA5, room);
}

static void check_warp(struct twin *t, const struct beginning &b) {
    struct bench *bench = t->bench;
    const struct warp &w = t->sm->warps[b.number];
    const cta_launch &l = b.launch;
    const struct task_slot &task = t->slots[l.slot];
    const uint32_t rows = task_units(task, l.shares) * P, left = task.threads - l.started * THREADS;
    const uint64_t mask = left < THREADS ? (UINT64_C(1) << left) - 1 : ALL_THREADS;
    const uint32_t pc = l.resumed ? 0 : ((task.code_base - task.region) >> 3) & 0x3FFFFF;
    const uint32_t name = l.x ^ l.y << 12 ^ l.z << 20 ^ l.started << 26, seed = name ^ t->settings.yield_seed;
    const uint64_t bit = UINT64_C(1) << b.number;
    if (!w.running || w.faulted || w.at_barrier || w.held || (t->sm->ready & bit) == 0 || (t->sm->held & bit) != 0)
        bench_fail(bench, "warp %u of the model does not run", b.number);
    if (w.slot != l.slot || w.cta != b.cta || w.index != l.started || w.pc != pc || w.instr_pc != pc ||
        w.resume != l.resumed)
        bench_fail(bench, "warp %u of the model is another: index %u, pc %x, not %u, %x", b.number, w.index, w.pc,
                   l.started, pc);
    if (w.row != b.row || w.rows != rows || w.shares != l.shares ||
        w.privates != task.registers - (l.shares ? task.shared_rows : 0))
        bench_fail(bench, "warp %u of the model has rows %u on, %u of them, not %u, %u", b.number, w.row, w.rows, b.row,
                   rows);
    if (w.due.exec != 0 || w.due.end || w.due.fault || w.due.wb[1] != 0 || w.access.pending != 0 ||
        w.access.in_flight != 0 || w.children.left != 0 || w.children.running != 0)
        bench_fail(bench, "something is due of warp %u", b.number);
    for (uint32_t i = 0; i < ISA_SCALARS; i++)
        if (w.scalar_unit.scalars[i] != 0 || w.scalar_unit.threads != THREADS) bench_fail(bench, "S%u is not 0", i);
    for (uint32_t i = 0; i < 8; i++)
        if (w.predicates[i] != (i == ISA_PT ? ~UINT64_C(0) : 0)) bench_fail(bench, "P%u is not what it begins as", i);
    if (w.divergence.reason[KIND_NONE] != mask || w.divergence.reason[KIND_ABSENT] != (~mask & ALL_THREADS))
        bench_fail(bench, "threads %llx, not %llx", (unsigned long long)w.divergence.reason[KIND_NONE],
                   (unsigned long long)mask);
    if (w.divergence.yields.random != (seed == 0 ? 1 : seed) || w.divergence.yields.count[0] != 0)
        bench_fail(bench, "seed %x, not %x", w.divergence.yields.random, seed);
    const uint32_t place[] = {l.x, l.y, l.z};
    if (t->sm->signature.names[b.number] != signature_name(task.tmd, place, l.started))
        bench_fail(bench, "warp %u has another name", b.number);
    for (uint32_t i = 0; i < task.registers * THREADS; i++)
        if (w.registers[i] != 0) bench_fail(bench, "a register is not 0");
    if (w.fetched_since != t->sm->fetch_cache.time) bench_fail(bench, "it has fetched already");
    if (scoreboard_preds(&t->sm->scoreboard, b.number) != 0) bench_fail(bench, "a predicate is pending");
    const struct ppu_counters &n = t->device.counters;
    if (n.warps != t->started || n.resident != t->resident || n.resident_peak != t->peak)
        bench_fail(bench, "%llu warps, %llu there, %llu at most, not %u, %u, %u", (unsigned long long)n.warps,
                   (unsigned long long)n.resident, (unsigned long long)n.resident_peak, t->started, t->resident,
                   t->peak);
}

static void check_event(struct twin *t, const struct beginning &b, const struct trace_event &event) {
    const struct trace_warp_start &e = event.warp_start;
    const struct warp &w = t->sm->warps[b.number];
    if (event.kind != TRACE_WARP_START || e.warp != b.number || e.slot != b.launch.slot || e.cta != b.cta ||
        e.index != b.launch.started || e.mask != w.divergence.reason[KIND_NONE] || e.pc != w.pc || e.row != b.row ||
        e.rows != w.rows || e.shared != b.shared)
        bench_fail(t->bench, "the model's event is not that of warp %u", b.number);
}

// Of these registers nothing, of the others something.
static void check_pending(struct twin *t, uint32_t from, uint32_t end) {
    for (uint32_t r = 0; r < REGS; r++)
        if ((t->sm->scoreboard.rows[r] != 0) == (r >= from && r < end))
            bench_fail(t->bench, "register %u: %u is pending", r, t->sm->scoreboard.rows[r]);
}

static void count_start(struct twin *t) {
    t->started++;
    t->resident++;
    t->peak = std::max(t->peak, t->resident);
}

// The next warp of the oldest launch, which is begun by what `begin` calls.
template <class Begin>
static void twin_start(struct twin *t, uint32_t number, uint32_t cta, uint32_t row, uint32_t shared, Begin begin) {
    scribble(t, number, cta);
    t->settings.yield_seed = bench_random(t->bench) & 0xFFFFFFFF;
    cta_launch &l = t->launches.front();
    if (bench_chance(t->bench, 1, 8)) t->settings.yield_seed = l.x ^ l.y << 12 ^ l.z << 20 ^ l.started << 26;
    if (l.started == 0) l.cta = cta;
    const struct beginning b = {number, cta, row, shared, l};
    count_start(t);
    begin();
    check_cta(t, b, b.launch.started + 1);
    check_warp(t, b);
    check_pending(t, row / P, (row + t->sm->warps[number].rows) / P);
    if (++l.started == l.warps) t->launches.pop_front();
    if (t->sm->launch_count != t->launches.size())
        bench_fail(t->bench, "%u CTAs are begun, not %zu", t->sm->launch_count, t->launches.size());
    for (size_t i = 0; i < t->launches.size(); i++) {
        const cta_launch &m = t->sm->launches[i], &mine = t->launches[i];
        if (m.slot != mine.slot || m.x != mine.x || m.started != mine.started || m.warps != mine.warps)
            bench_fail(t->bench, "launch %zu is another", i);
    }
}

// ---- a CTA comes, a warp ends ----
static void set_first(struct twin *t, uint32_t slot, bool first) {
    struct subvector_region &r = t->sm->subvector.regions[0];
    r.valid = first || bench_chance(t->bench, 1, 2);
    r.second = !first;
    r.channel = t->slots[slot].channel;
    r.address = t->slots[slot].code_base + 8;
}

static void twin_take(struct twin *t, const cta_launch &launch) {
    sm_take_cta(t->sm, launch.slot, launch.x, launch.y, launch.z, launch.resumed);
    if (!t->device.following) return;
    t->launches.push_back(launch);
    if (t->sm->launch_count != t->launches.size()) bench_fail(t->bench, "the model has not begun the CTA");
    const cta_launch &m = t->sm->launches[t->launches.size() - 1];
    if (m.slot != launch.slot || m.x != launch.x || m.y != launch.y || m.z != launch.z || m.started != 0 ||
        m.warps != launch.warps || m.shares != launch.shares || m.resumed != launch.resumed)
        bench_fail(t->bench, "the model begins another CTA");
}

static void twin_warp_ends(struct twin *t, uint32_t number, bool left) {
    struct bench *bench = t->bench;
    struct sm *sm = t->sm;
    struct warp &w = sm->warps[number];
    struct cta &c = sm->ctas[w.cta];
    const uint32_t waiting = bench_below(bench, 4) + 1, ended = c.ended, dones = t->dones, slot = c.slot, cta = w.cta;
    const bool last = ended + 1 == c.warps, barrier = bench_chance(bench, 1, 2);
    bool killed = false;
    w.divergence.trapped = sm->trap.saved = true;
    if (!left) {
        do {
            w.divergence.trapped = bench_chance(bench, 1, 2);
            sm->trap.saved = bench_chance(bench, 1, 2);
            killed = bench_chance(bench, 1, 2);
        } while (w.divergence.trapped && sm->trap.saved && !killed);
    }
    sm->trap.on = bench_chance(bench, 3, 4);
    sm->trap.warp = bench_chance(bench, 1, 2) ? number : bench_below(bench, WARPS);
    const bool on = sm->trap.on && sm->trap.warp != number;
    w.at_barrier = barrier;
    c.waiting = waiting;
    w.faulted = bench_chance(bench, 1, 2);
    w.due.exec = 5;
    w.due.end = w.due.fault = true;
    w.access.pending = w.access.in_flight = w.children.left = 3;
    w.children.running = 1;
    w.older_count = 2;
    sm->subvector.warp[number].inside = true;
    t->resident--;
    t->left[cta] = t->left[cta] || left;
    cta_launcher_warp_ended(sm, number, killed);
    if (w.running || w.faulted || w.at_barrier || w.due.exec != 0 || w.due.end || w.due.fault ||
        w.access.pending != 0 || w.access.in_flight != 0 || w.children.left != 0 || w.children.running != 0 ||
        w.older_count != 0 || sm->subvector.warp[number].inside || ((sm->ready | sm->held) >> number & 1) != 0)
        bench_fail(bench, "warp %u of the model has not ended", number);
    if (c.waiting != waiting - barrier || c.ended != ended + 1 || c.busy == last || c.left != t->left[cta])
        bench_fail(bench, "CTA %u: %u wait, %u ended, %u there, %u left", cta, c.waiting, c.ended, c.busy, c.left);
    if (sm->trap.on != on) bench_fail(bench, "trap %u", sm->trap.on);
    if (t->device.counters.resident != t->resident) bench_fail(bench, "warps are there that have ended");
    if (t->dones != dones + last || (last && (t->done_slot != slot || t->done_left != t->left[cta])))
        bench_fail(bench, "the end of CTA %u is told as %u of slot %u, left %u", cta, t->dones - dones, t->done_slot,
                   t->done_left);
}

static void twin_write(struct twin *t, uint32_t cta, uint32_t number, uint32_t value) {
    struct cta expected = t->sm->ctas[cta];
    struct cta &c = t->sm->ctas[cta];
    if (number == SCALAR_CTA_RECORD) expected.record = value;
    if (number == SCALAR_CTA_X) expected.x = value;
    if (number == SCALAR_CTA_YZ) {
        expected.y = value % 65536;
        expected.z = value / 65536;
    }
    cta_launcher_write(&c, number, value);
    if (c.record != expected.record || c.x != expected.x || c.y != expected.y || c.z != expected.z)
        bench_fail(t->bench, "register %u: %x %x %x %x, not %x %x %x %x", number, c.record, c.x, c.y, c.z,
                   expected.record, expected.x, expected.y, expected.z);
}

// ---- the model by itself ----
// Alone all warps of the CTA start in its taking, each at the lowest places.
static void take_alone(struct twin *t, const cta_launch &launch) {
    const struct task_slot &task = t->slots[launch.slot];
    std::vector<beginning> all;
    std::vector<bool> rows = taken_rows(t), running(WARPS);
    const uint32_t size = task_units(task, launch.shares) * P, shared = task_shared_rows(task);
    uint32_t cta = 0, last = 0;
    while (t->sm->ctas[cta].busy)
        cta++;
    for (uint32_t w = 0; w < WARPS; w++)
        running[w] = t->sm->warps[w].running;
    for (uint32_t i = 0; i < launch.warps; i++) {
        struct beginning b = {0, cta, place_in(rows, size, 0), 0, launch};
        while (running[b.number])
            b.number++;
        running[b.number] = true;
        std::fill_n(rows.begin() + b.row, size, true);
        if (shared != 0) b.shared = place_in(taken_shared(t), shared, 0) * ROW_BYTES;
        b.launch.started = i;
        all.push_back(b);
    }
    for (const beginning &b : all) {
        scribble(t, b.number, cta);
        count_start(t);
        last = std::max(last, b.number);
    }
    t->device.sink = bench_chance(t->bench, 1, 2) ? twin_event : nullptr;
    t->events.clear();
    twin_take(t, launch);
    if (t->sm->launch_count != 0) bench_fail(t->bench, "warps have not started");
    if (t->events.size() != (t->device.sink == nullptr ? 0 : all.size()))
        bench_fail(t->bench, "%zu events of %zu warps", t->events.size(), all.size());
    for (size_t i = 0; i < all.size(); i++) {
        check_cta(t, all[i], launch.warps);
        check_warp(t, all[i]);
        if (i < t->events.size()) check_event(t, all[i], t->events[i]);
        if (i < t->events.size() && (t->events[i].sm != 5 || t->events[i].cycle != t->device.cycles))
            bench_fail(t->bench, "an event of SM %u, cycle %llu", t->events[i].sm,
                       (unsigned long long)t->events[i].cycle);
    }
    for (uint32_t r = 0; r < REGS; r++) {
        bool mine = false;
        for (const beginning &b : all)
            mine = mine || (r >= b.row / P && r < (b.row + size) / P);
        if ((t->sm->scoreboard.rows[r] == 0) != mine) bench_fail(t->bench, "register %u is pending", r);
    }
}

static void start_somewhere(struct twin *t) {
    struct bench *bench = t->bench;
    const cta_launch &l = t->launches.front();
    const struct task_slot &task = t->slots[l.slot];
    const std::vector<bool> rows = taken_rows(t), shared = taken_shared(t);
    uint32_t number = bench_below(bench, WARPS), cta = l.started != 0 ? l.cta : bench_below(bench, WARPS);
    while (t->sm->warps[number].running)
        number = (number + 1) % WARPS;
    while (l.started == 0 && t->sm->ctas[cta].busy)
        cta = (cta + 1) % WARPS;
    const uint32_t size = task_units(task, l.shares) * P, need = task_shared_rows(task);
    uint32_t row = place_in(rows, size, bench_below(bench, 4)), base = need == 0 ? 0 : place_in(shared, need, 0);
    if (row == VGPR_ROWS) row = place_in(rows, size, 0);
    if (row == VGPR_ROWS || (l.started == 0 && base == shared.size())) return;
    base = l.started != 0 ? t->sm->ctas[cta].shared_base : base * ROW_BYTES;
    struct trace_event event = {};
    const bool wanted = bench_chance(bench, 3, 4);
    const struct beginning b = {number, cta, row, base, l};
    twin_start(t, number, cta, row, base, [&] {
        // Where the CTA's shared memory is has been said with its first warp.
        cta_launcher_start(t->sm, number, cta, row, b.launch.started != 0 ? 4096 : base, wanted ? &event : nullptr);
    });
    if (wanted) check_event(t, b, event);
}

// One thing of many: CTAs of which several wait for warps, where they are started is chosen here; or the model chooses.
static void twin_alone(struct twin *t) {
    struct bench *bench = t->bench;
    const uint32_t what = bench_below(bench, 8), slot = bench_below(bench, TASK_SLOTS),
                   number = bench_below(bench, WARPS);
    if (t->launches.empty() && bench_chance(bench, 1, 16)) t->device.following = !t->device.following;
    t->device.cycles++;
    bool used = false;
    for (const cta_launch &l : t->launches)
        used = used || l.slot == slot;
    for (uint32_t c = 0; c < WARPS; c++)
        used = used || (t->sm->ctas[c].busy && t->sm->ctas[c].slot == slot);
    if (!used && (t->slots[slot].threads == 0 || bench_chance(bench, 1, 4))) {
        random_task(bench, &t->slots[slot]);
        if (bench_chance(bench, 1, 2))
            t->slots[slot].ntid[0] = t->slots[slot].threads = 1 + bench_below(bench, 99) % THREADS;
    }
    if (t->slots[slot].threads == 0) return;
    if (what < 4) {
        const struct task_slot &task = t->slots[slot];
        const bool first = bench_chance(bench, 1, 2), shares = task_shares(task, first),
                   room = twin_room(t, slot, shares);
        set_first(t, slot, first);
        if (sm_can_take_cta(t->sm, slot) != room) bench_fail(bench, "the model has room for a CTA: %u", !room);
        if (!room) return;
        const cta_launch launch = {slot,
                                   (uint32_t)bench_random(bench),
                                   bench_below(bench, 65536),
                                   bench_below(bench, 65536),
                                   task_warps(task),
                                   0,
                                   shares,
                                   bench_chance(bench, 1, 4),
                                   0};
        if (t->device.following)
            twin_take(t, launch);
        else
            take_alone(t, launch);
    } else if (what < 6) {
        if (!t->launches.empty()) start_somewhere(t);
    } else if (t->sm->warps[number].running) {
        if (bench_chance(bench, 1, 2))
            twin_write(t, t->sm->warps[number].cta, SCALAR_TPC - 4 + bench_below(bench, 16),
                       (uint32_t)bench_random(bench));
        else
            twin_warp_ends(t, number, bench_chance(bench, 1, 4));
    }
}

#endif
