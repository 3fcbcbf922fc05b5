// What task_management_bench has around the unit: TMDs in the memory of each channel, slots of the task table, those who launch, evict and free tasks, and
// what times are like.
#ifndef TANDEM_TESTS_RTL_TASK_MANAGEMENT_WORLD_H
#define TANDEM_TESTS_RTL_TASK_MANAGEMENT_WORLD_H

#include <array>
#include <unordered_map>

static const uint32_t PLACES = 12;  // of TMDs in a channel's space

enum place_state { FREE, LAUNCHED, LISTED, RUNNING, PARKED, AWAY };

struct place {
    uint32_t tmd;
    enum place_state state;
    uint32_t level;
};

struct slot {
    bool busy;
    uint32_t ends;  // cycles
    struct launch task;
};

struct access {
    struct request request;
    uint32_t delay;
};

struct moods {
    uint32_t launches, children, frees, evicts, ends, suspends, halts, holds, grants, readies, delay, errors, disturbs,
        resets, levels;
};

struct world {
    struct bench bench;
    Vtask_management rtl;
    const struct ppu_config *config;
    struct management_rules rules;
    struct management_seen in;
    struct moods moods;
    struct tmd_space space[CHANNELS];
    struct place places[CHANNELS][PLACES];
    std::unordered_map<uint64_t, std::array<uint8_t, 32>> memory;
    std::deque<struct access> accesses;
    struct slot slots[TASK_SLOTS];
    bool wanted;       // the memory port, in the cycle before
    uint32_t taken;    // cycles since the evicted one was taken
    uint32_t faulted;  // channels that will stand because of a fault
    uint64_t at_once, waited, in_vain, from_list, at_head, at_tail, put_back, resumed, away, returned, dropped,
        refused[256], parked, last, freed;
};

static uint32_t word(struct world *w) {
    return (uint32_t)bench_random(&w->bench);
}
static bool once_in(struct world *w, uint32_t cycles) {
    return cycles != 0 && bench_chance(&w->bench, 1, cycles);
}

static void choose_moods(struct world *w) {
    static const uint32_t rates[] = {3, 30, 150, 600, 3000};
    struct bench *bench = &w->bench;
    struct moods *m = &w->moods;
    m->launches = rates[bench_below(bench, 3)];
    m->children = rates[1 + bench_below(bench, 4)];
    m->frees = rates[bench_below(bench, 3)];
    m->evicts = rates[1 + bench_below(bench, 4)];
    m->ends = rates[1 + bench_below(bench, 4)];
    if (bench_chance(bench, 1, 4)) m->ends = m->evicts = 0;  // slots stay full
    m->suspends = bench_chance(bench, 1, 2) ? 0 : rates[1 + bench_below(bench, 4)];
    m->halts = bench_chance(bench, 1, 2) ? 0 : rates[2 + bench_below(bench, 3)] * 4;
    m->holds = bench_chance(bench, 1, 2) ? 0 : 1 + bench_below(bench, 3);
    m->grants = 1 + bench_below(bench, 4) * bench_below(bench, 3);
    m->readies = 1 + bench_below(bench, 3);
    m->delay = 1 + bench_below(bench, 4) * bench_below(bench, 4);
    m->errors = bench_chance(bench, 2, 3) ? 0 : 30 + bench_below(bench, 300);
    m->disturbs = bench_chance(bench, 1, 2) ? 0 : rates[2 + bench_below(bench, 3)];
    m->resets = bench_chance(bench, 1, 4) ? 1000 : 40000;
    m->levels = bench_chance(bench, 1, 2) ? 1 + bench_below(bench, 3) : 64;
    w->in.lists.round_robin = bench_chance(bench, 1, 3);
    if (!w->in.evicted.valid) w->in.slice = bench_chance(bench, 1, 2) ? 0 : 1u << bench_below(bench, 8);
}

// ---- memory ----
static uint64_t key(uint32_t channel, uint32_t addr) {
    return (uint64_t)channel << 32 | (addr & ~31u);
}

static void load(struct world *w, uint32_t channel, uint32_t tmd, uint32_t words[TMD_WORDS]) {
    for (uint32_t line = 0; line < TMD_LINES; line++)
        memcpy(words + 8 * line, w->memory[key(channel, (tmd & ~255u) + 32 * line)].data(), 32);
}

static void store(struct world *w, uint32_t channel, uint32_t tmd, const uint32_t words[TMD_WORDS]) {
    for (uint32_t line = 0; line < TMD_LINES; line++)
        memcpy(w->memory[key(channel, (tmd & ~255u) + 32 * line)].data(), words + 8 * line, 32);
}

static void perform(struct world *w, const struct request *r) {
    struct bench *bench = &w->bench;
    struct management_seen &in = w->in;
    in.answer = r->addr >= w->space[r->channel].size ? ANSWER_OUTSIDE
                : once_in(w, w->moods.errors)        ? ANSWER_BUS_ERROR
                                                     : ANSWER_GOOD;
    std::array<uint8_t, 32> &line = w->memory[key(r->channel, r->addr)];
    uint8_t *at = line.data() + r->addr % 32;
    if (r->op == REQUEST_READ) {
        memcpy(in.words, line.data(), 32);
    } else if (r->op == REQUEST_ATOMIC) {
        static const uint32_t counters[] = {0, 1, 2, 0x80000000, 0x80000001, 0xFFFFFFFF};
        if (bench_chance(bench, 1, 2)) memcpy(at, &counters[bench_below(bench, 6)], 4);
        memcpy(in.words, at, 4);
        const uint32_t less = in.words[0] - 1;
        memcpy(at, &less, 4);
    } else if (in.answer == ANSWER_GOOD) {
        for (uint32_t b = 0; b < 32; b++)
            if ((r->wstrb >> b & 1) != 0) line[b] = r->bytes[b];
        // What is answered to a write means nothing.
        if (bench_chance(bench, 1, 2)) in.words[0] = bench_below(bench, 2);
    }
}

static void memory_drive(struct world *w) {
    struct bench *bench = &w->bench;
    struct management_seen &in = w->in;
    in.granted = w->wanted && (in.granted || once_in(w, w->moods.grants));
    in.ready = once_in(w, w->moods.readies);
    in.answered = false;
    in.answer = bench_below(bench, 3);
    for (uint32_t &some : in.words)
        some = word(w);
    if (w->accesses.empty() || --w->accesses.front().delay != 0) return;
    in.answered = true;
    perform(w, &w->accesses.front().request);
    w->accesses.pop_front();
}

// ---- TMDs ----
static void choose_space(struct world *w, uint32_t c) {
    struct bench *b = &w->bench;
    struct tmd_space &space = w->space[c];
    space.size = bench_chance(b, 1, 2) ? 0xFFFFF000u - 4096 * bench_below(b, 3) : 0x20000 + 4096 * bench_below(b, 64);
    space.region = bench_below(b, 0x8000) & ~7u;
    space.local = 32 + (bench_below(b, space.size - 0x1000) & ~31u);
    space.release_at = bench_chance(b, 1, 2) ? space.size - 128 : bench_below(b, space.size - 128) & ~15u;
    w->rules.space_size[c] = space.size;
    for (uint32_t i = 0; i < PLACES; i++) {
        // The highest and the lowest one; what is behind the end is refused.
        uint32_t tmd = bench_below(b, space.size) & ~255u;
        if (i == 0) tmd = (space.size - 1) & ~255u;
        if (i == 1) tmd = 0;
        if (i == 2) tmd = space.size & ~255u;
        for (uint32_t k = 0; k < i; k++)
            while (w->places[c][k].tmd == tmd)
                tmd = bench_below(b, space.size) & ~255u, k = 0;
        w->places[c][i] = {tmd, FREE, 0};
    }
}

static struct place *place_of(struct world *w, uint32_t channel, uint32_t tmd) {
    static struct place none;
    for (struct place &p : w->places[channel])
        if (p.tmd == (tmd & ~255u)) return &p;
    return &none;
}

static struct place *some_place(struct world *w, uint32_t channel) {
    return &w->places[channel][bench_below(&w->bench, PLACES)];
}

static void new_tmd(struct world *w, uint32_t c, const struct place *p) {
    static const uint32_t counters[] = {1, 1, 2, 3, 0x80000000, 0x10000};
    struct bench *bench = &w->bench;
    uint32_t words[TMD_WORDS], old[TMD_WORDS];
    load(w, c, p->tmd, old);
    tmd_random_good(bench, w->config, &w->space[c], words);
    // As far as a program counter reaches.
    tmd_set(words, TMD_PROGRAM_OFFSET, 0, tmd_get(words, TMD_PROGRAM_OFFSET, 0) % 0x8000);
    if (w->moods.levels != 64) tmd_set(words, TMD_QMD_GROUP_ID, 0, 31 + bench_below(bench, w->moods.levels));
    if (bench_chance(bench, 1, 4)) tmd_set(words, TMD_DEPENDENCE_COUNTER, 0, counters[bench_below(bench, 6)]);
    if (bench_chance(bench, 1, 20)) tmd_spoil(bench, w->config, &w->space[c], words);
    tmd_set(words, TMD_SCHEDULER_NEXT_QMD_POINTER, 0, word(w) & 0xFFFFFF);
    // It may be what somebody has left there.
    tmd_set(words, TMD_TANDEM_STATE, 0, tmd_get(old, TMD_TANDEM_STATE, 0) & ~3u);
    store(w, c, p->tmd, words);
}

static void disturb(struct world *w) {
    struct bench *bench = &w->bench;
    const uint32_t c = bench_below(bench, CHANNELS);
    const struct place *p = some_place(w, c);
    uint32_t words[TMD_WORDS];
    load(w, c, p->tmd, words);
    switch (bench_below(bench, 5)) {
        case 0: tmd_set(words, TMD_SCHEDULER_NEXT_QMD_POINTER, 0, some_place(w, c)->tmd >> 8); break;
        case 1: tmd_set(words, TMD_SCHEDULER_NEXT_QMD_POINTER, 0, word(w)); break;
        case 2: tmd_set(words, TMD_TANDEM_STATE, 0, bench_chance(bench, 1, 2) ? 0 : word(w)); break;
        case 3: tmd_set(words, TMD_QMD_GROUP_ID, 0, bench_below(bench, 64)); break;
        default: words[bench_below(bench, TMD_WORDS)] ^= 1u << bench_below(bench, 32); break;
    }
    store(w, c, p->tmd, words);
}

// ---- launches ----
static struct launch some_launch(struct world *w) {
    struct bench *bench = &w->bench;
    struct launch l;
    memset(&l, 0, sizeof l);
    l.channel = bench_below(bench, CHANNELS);
    struct place *p = some_place(w, l.channel);
    for (uint32_t tries = 0; tries < 4 && p->state != FREE; tries++)
        p = some_place(w, l.channel);
    if (p->state == FREE) {
        new_tmd(w, l.channel, p);
        p->state = LAUNCHED;
    }
    l.tmd = p->tmd;
    l.region = w->space[l.channel].region;
    l.local = w->space[l.channel].local;
    l.parent = bench_chance(bench, 1, 2) ? word(w) : 0;
    return l;
}

static void launches_drive(struct world *w) {
    struct bench *bench = &w->bench;
    struct management_seen &in = w->in;
    if (in.launch && once_in(w, 100)) in.launch = false;  // taken back
    if (!in.launch && once_in(w, w->moods.launches)) {
        in.launch = true;
        in.launched = some_launch(w);
        in.launched.parent = 0;
        if (bench_chance(bench, 1, 12)) in.launched.tmd |= bench_below(bench, 256);
        if (bench_chance(bench, 1, 12)) in.launched.region = word(w);
    }
    if (in.child && once_in(w, 100)) in.child = false;
    if (in.child) return;
    if (once_in(w, w->moods.children)) {
        in.child = true;
        in.born = some_launch(w);
        in.born.beyond = bench_chance(bench, 1, 16);
    } else if (once_in(w, w->moods.frees)) {
        const uint32_t c = bench_below(bench, CHANNELS);
        const enum place_state state = bench_chance(bench, 1, 2) ? PARKED : AWAY;
        struct place *p = some_place(w, c);
        for (uint32_t tries = 0; tries < 30 && p->state != state; tries++)
            p = some_place(w, c);
        if (p->state != state && !bench_chance(bench, 1, 40)) return;
        memset(&in.born, 0, sizeof in.born);
        in.child = true;
        in.born = {c, p->tmd, word(w), word(w), word(w)};
        in.born.freed = true;
        p->state = LAUNCHED;
    }
}

// ---- the task table ----
static void offer_evicted(struct world *w, uint32_t k) {
    struct bench *bench = &w->bench;
    const struct launch &t = w->slots[k].task;
    struct evicted_task &e = w->in.evicted;
    const struct checked_task &task = t.checked;
    e = {true, k, task.slot.channel, task.group, task.slot.tmd, task.slot.region, task.slot.local, {}, task.parent,
         0,    0};
    for (uint32_t i = 0; i < 3; i++) {
        e.place[i] = task.slot.grid[i] == 0 ? 0 : bench_below(bench, task.slot.grid[i]);
        if (bench_chance(bench, 1, 30)) e.place[i] = word(w) & (i == 0 ? 0xFFFFFFFF : 0xFFFF);
    }
    if (task.queue) e.place[0] = task.next[0], e.place[1] = e.place[2] = 0;
    if (task.save) e.saved = bench_chance(bench, 1, 3) ? 0 : 1 + bench_below(bench, SMS * WARPS);
    if (bench_chance(bench, 1, 8)) e.saved = bench_chance(bench, 1, 2) ? 1u << bench_below(bench, 6) : 63;
    if (bench_chance(bench, 1, 2))
        e.children = bench_chance(bench, 1, 2) ? 1u << bench_below(bench, 16) : 1 + bench_below(bench, 3);
    if (e.saved != 0 && !task.queue && bench_chance(bench, 1, 2))
        e.place[0] = e.place[1] = 0, e.place[2] = task.slot.grid[2];
    w->taken = 0;
}

static void slots_drive(struct world *w) {
    struct bench *bench = &w->bench;
    struct management_seen &in = w->in;
    struct evicted_task &e = in.evicted;
    in.slot_free = false;
    // A child that is killed can still end, while its parent is put away.
    if (e.valid && w->taken > 2 && e.children != 0 && bench_chance(bench, 1, 8)) e.children--;
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        struct slot *s = &w->slots[k];
        if (s->busy && !(e.valid && e.slot == k)) {
            if (once_in(w, w->moods.ends)) {
                s->busy = false;
                place_of(w, s->task.channel, s->task.tmd)->state = FREE;
            } else if (!e.valid && once_in(w, w->moods.evicts)) {
                offer_evicted(w, k);
            }
        }
        in.slot_free = in.slot_free || !s->busy;
    }
}

static void channels_drive(struct world *w) {
    struct bench *bench = &w->bench;
    struct lists_seen &lists = w->in.lists;
    // In the cycle in which a task starts, or has been written, as well as at any time.
    const bool now = w->rules.now == management_rules::STARTS || w->rules.now == management_rules::WRITTEN;
    for (uint32_t c = 0; c < CHANNELS; c++) {
        if (once_in(w, w->moods.suspends)) lists.suspend ^= 1u << c;
        const bool stands = (lists.halt >> c & 1) != 0, faulted = (w->faulted >> c & 1) != 0;
        const bool faults = once_in(w, w->moods.halts) || (now && w->moods.halts != 0 && bench_chance(bench, 1, 16)) ||
                            (faulted && bench_chance(bench, 1, 8));
        if (stands ? bench_chance(bench, 1, 60) : faults) {
            lists.halt ^= 1u << c;
            w->faulted &= ~(1u << c);
        }
    }
    if (w->moods.suspends == 0) lists.suspend = 0;
    w->in.hold = w->moods.holds != 0 && bench_chance(bench, w->moods.holds, 4);
    // A reset when there is something to be told.
    const bool drops = w->rules.now == management_rules::DROPS;
    const bool told = w->rules.now == management_rules::TAKES || w->rules.now == management_rules::WRITTEN ||
                      w->rules.now == management_rules::DECIDES;
    lists.reset = once_in(w, w->moods.resets / (drops ? 200 : told ? 20 : 1));
}

#endif
