// eviction: tables of random tasks that rest, wait, run through their slices and are in each other's way, against the rule that its head states.
// The model has the same reasons (cmodel/task/eviction.c), not their cycles; here each slot is a record of its own, and time is counted.
// Compiled with -DSMS= -DTASK_SLOTS= as the unit was verilated.
#include <verilated.h>

#include <algorithm>

#include "Veviction.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t PATIENCE = 64, REST = 64, PART = 1024;  // as the unit has by itself
static const uint32_t ALL = (1u << TASK_SLOTS) - 1;

enum reason { URGENT, LOWER, SLICED, NONE };

struct slot {
    bool suspended, busy, kill, save, has_ctas, resting, evicted, candidate;
    uint32_t group;
    bool rests[SMS], waits[SMS], trapped[SMS];
    // what the unit knows of it
    bool steady, young, over;
};

struct run {
    struct bench bench;
    Veviction rtl;
    struct slot slot[TASK_SLOTS];
    uint32_t offered, window, part, parts;
    // what a time is like: parts of 16, and one of so many cycles
    uint64_t ends;
    uint32_t times, longs;
    uint32_t suspends, rests, levels, fed, changes, frees, traps, resets;
    bool all_begin, none_begins;
    // what is seen of this cycle
    bool full, crowded, rested, higher_cta;
    uint64_t evicted[NONE + 1], by_cta, rested_pending, rested_crowded, sliced_crowded;
};

static void times_change(struct run *run) {
    struct bench *bench = &run->bench;
    Veviction &rtl = run->rtl;
    static const uint32_t rates[] = {2, 40, 400, 4000};
    run->ends = bench->op + 1 + bench_below(bench, 8000);
    run->suspends = bench_chance(bench, 1, 3) ? 1 : 0;
    run->rests = bench_chance(bench, 1, 2) ? 14 : 2;
    run->levels = bench_chance(bench, 1, 2) ? 1 + bench_below(bench, 3) : 64;
    run->fed = rates[bench_below(bench, 4)];
    run->changes = rates[bench_below(bench, 4)];
    run->frees = bench_below(bench, 3);
    run->traps = bench_chance(bench, 1, 2) ? 0 : rates[bench_below(bench, 4)];
    run->resets = bench_chance(bench, 1, 4) ? 200 : 30000;
    run->none_begins = false;
    rtl.round_robin_i = bench_chance(bench, 1, 3);
    rtl.slice_i = (uint8_t)(bench_chance(bench, 2, 3) ? bench_below(bench, 4) : bench_below(bench, 256));
    // Slices as long as can be, while nothing else is a reason, and one that has gone on for longer than the next one allows.
    if (run->times++ % 30 != 0) return;
    static const uint8_t slices[] = {64, 127, 128, 129};
    rtl.slice_i = slices[run->longs++ % 4];
    run->ends = bench->op + (bench_chance(bench, 1, 8) ? rtl.slice_i / 2 : 2 * rtl.slice_i + 9) * PART;
    run->suspends = run->rests = run->frees = run->traps = run->resets = 0;
    run->all_begin = run->none_begins = true;  // over is who has been there for two of their ends
    run->levels = 1;
    run->changes = 4000;
    run->fed = 4000;
}

static void change(struct run *run, struct slot *s) {
    struct bench *bench = &run->bench;
    switch (bench_below(bench, 6)) {
        case 0: s->busy = !bench_chance(bench, run->frees, 16); break;
        case 1: s->kill = bench_chance(bench, 1, 16); break;
        case 2: s->has_ctas = bench_chance(bench, 1, 2); break;
        case 3: s->resting = bench_chance(bench, 1, 4); break;
        case 4: s->candidate = bench_chance(bench, 1, 2); break;
        default:
            s->save = bench_chance(bench, 2, 3);
            s->group = run->levels == 64 ? bench_below(bench, 64) : 31 + bench_below(bench, run->levels);
    }
    s->suspended = bench_chance(bench, run->suspends, 16);
    for (uint32_t m = 0; m < SMS; m++) {
        s->rests[m] = bench_chance(bench, run->rests, 16);
        s->waits[m] = bench_chance(bench, run->rests, 32);
    }
}

template <class Port, class Bit>
static void to_port(struct run *run, Port &port, Bit bit) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        bits |= (uint32_t)bit(run->slot[k]) << k;
    port = (uint8_t)bits;
}

static void inputs(struct run *run) {
    struct bench *bench = &run->bench;
    Veviction &rtl = run->rtl;
    if (bench->op >= run->ends) times_change(run);
    uint64_t groups = 0;
    uint32_t begins = 0;
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        struct slot *s = &run->slot[k];
        if (bench_chance(bench, 1, run->changes)) change(run, s);
        if (s->evicted && bench_chance(bench, 1, 30)) s->evicted = false;
        for (bool &trapped : s->trapped)
            trapped = run->traps != 0 && bench_chance(bench, 1, run->traps);
        if (run->all_begin || (!run->none_begins && bench_chance(bench, 1, 5 * run->changes))) begins |= 1u << k;
        groups |= (uint64_t)s->group << 6 * k;
    }
    run->all_begin = false;
    rtl.begins_i = (uint8_t)begins;
    rtl.group_i = groups;
    to_port(run, rtl.suspended_i, [](const slot &s) { return s.suspended; });
    to_port(run, rtl.busy_i, [](const slot &s) { return s.busy; });
    to_port(run, rtl.kill_i, [](const slot &s) { return s.kill; });
    to_port(run, rtl.save_i, [](const slot &s) { return s.save; });
    to_port(run, rtl.has_ctas_i, [](const slot &s) { return s.has_ctas; });
    to_port(run, rtl.resting_i, [](const slot &s) { return s.resting; });
    to_port(run, rtl.evicted_i, [](const slot &s) { return s.evicted; });
    to_port(run, rtl.candidate_i, [](const slot &s) { return s.candidate; });
    uint32_t rests = 0, waits = 0, trapped = 0;
    for (uint32_t m = 0; m < SMS; m++)
        for (uint32_t k = 0; k < TASK_SLOTS; k++) {
            rests |= (uint32_t)run->slot[k].rests[m] << (m * TASK_SLOTS + k);
            waits |= (uint32_t)run->slot[k].waits[m] << (m * TASK_SLOTS + k);
            trapped |= (uint32_t)run->slot[k].trapped[m] << (m * TASK_SLOTS + k);
        }
    rtl.sm_slot_rests_i = rests;
    rtl.sm_slot_waits_i = waits;
    rtl.sm_slot_trapped_i = trapped;
    if (bench_chance(bench, 1, 20)) {
        rtl.pick_valid_i = bench_chance(bench, 1, 2);
        rtl.offer_valid_i = bench_chance(bench, 3, 4);
        rtl.offer_slot_i = (uint8_t)bench_below(bench, TASK_SLOTS);
        const uint32_t near = run->slot[bench_below(bench, TASK_SLOTS)].group + bench_below(bench, 3);
        rtl.pick_level_i = (uint8_t)(bench_chance(bench, 1, 4) ? bench_below(bench, 64) : (near + 63) & 63);
        rtl.offer_group_i = (uint8_t)(bench_chance(bench, 1, 4) ? bench_below(bench, 64) : (near + 63) & 63);
    }
    rtl.fed_i = bench_chance(bench, 1, run->fed);
    rtl.hold_i = bench_chance(bench, 1, 3);
    rtl.rst_i = run->resets != 0 && bench_chance(bench, 1, run->resets);
}

static bool rests(const struct run *run, uint32_t k) {
    const struct slot &s = run->slot[k];
    bool all = true, some = false, others = false;
    for (uint32_t m = 0; m < SMS; m++) {
        all = all && s.rests[m];
        some = some || s.waits[m];
    }
    for (uint32_t i = 0; i < TASK_SLOTS; i++)
        others = others || (i != k && run->slot[i].candidate);
    return s.busy && s.save && !s.kill && !s.evicted && !s.resting && all && some &&
           ((run->full && run->rtl.pick_valid_i) || (run->crowded && others));
}

// The first reason for which the task of the slot may have to leave.
static enum reason reason_of(const struct run *run, uint32_t k) {
    const Veviction &rtl = run->rtl;
    const struct slot &s = run->slot[k];
    for (const slot &other :
         run->slot)  // of those that can step aside one at a time, of the others none beside another
        if (other.evicted && (other.save || !s.save)) return NONE;
    const bool runs = s.save && !s.resting, pending = run->full && rtl.pick_valid_i;
    if (!s.busy || s.kill || s.evicted || !(s.has_ctas || runs)) return NONE;
    if (s.suspended || (run->rested && s.steady && rests(run, k))) return URGENT;
    if (run->higher_cta ? s.group < rtl.offer_group_i && runs
                        : s.group < rtl.pick_level_i && pending && !rtl.round_robin_i)
        return LOWER;
    if (rtl.slice_i == 0 || !s.over || !runs) return NONE;
    if (pending && (rtl.round_robin_i || rtl.pick_level_i == s.group)) return SLICED;
    const bool offer = run->crowded && rtl.offer_valid_i && rtl.offer_slot_i != k;
    return offer && (rtl.round_robin_i || rtl.offer_group_i == s.group) ? SLICED : NONE;
}

static void look(struct run *run) {
    Veviction &rtl = run->rtl;
    run->full = rtl.busy_i == ALL;
    run->crowded = run->offered >= PATIENCE;
    run->rested = false;
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        run->rested = run->rested || (run->window == REST - 1 && run->slot[k].steady && rests(run, k));
    run->higher_cta = run->crowded && run->offered % 2 == 1 && rtl.offer_valid_i && !rtl.round_robin_i &&
                      (rtl.save_i & rtl.busy_i) != 0;
    enum reason best = NONE;
    uint32_t victim = 0, order = 0;
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        const enum reason reason = reason_of(run, k);
        const uint32_t its = run->slot[k].group + (run->slot[k].save ? 0 : 64);
        if (reason == NONE || reason > best || (reason == best && its >= order)) continue;
        best = reason;
        victim = k;
        order = its;
    }
    const bool evicts = best != NONE && !rtl.hold_i;
    if (rtl.evict_o != evicts) bench_fail(&run->bench, "evict_o is not %u, reason %u of slot %u", evicts, best, victim);
    if (!evicts) return;
    if (rtl.victim_o != victim)
        bench_fail(&run->bench, "slot %u is evicted, not %u, reason %u", rtl.victim_o, victim, best);
    run->evicted[best]++;
    const bool pending = run->full && rtl.pick_valid_i;
    run->by_cta += best == LOWER && run->higher_cta;
    run->rested_pending += best == URGENT && !run->slot[victim].suspended && pending;
    run->rested_crowded += best == URGENT && !run->slot[victim].suspended && !pending;
    run->sliced_crowded += best == SLICED && !pending;
}

// The clock edge.
static void edge(struct run *run) {
    Veviction &rtl = run->rtl;
    const bool slice_ends = run->part == PART - 1 && run->parts >= rtl.slice_i, opens = !run->rested || rtl.evict_o;
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        struct slot &s = run->slot[k];
        bool trapped = false;
        for (bool one : s.trapped)
            trapped = trapped || one;
        if ((rtl.begins_i >> k & 1) || trapped) {
            s.young = true;
            s.over = false;
        } else if (slice_ends) {
            s.over = !s.young;
            s.young = false;
        }
        s.steady = rests(run, k) && !rtl.rst_i && ((run->window == REST - 1 && opens) || s.steady);
    }
    if (run->part == PART - 1) run->parts = slice_ends ? 1 : (run->parts + 1) % 256;
    run->part = (run->part + 1) % PART;
    run->window = (run->window + opens) % REST;
    run->offered = rtl.fed_i || rtl.rst_i ? 0 : run->crowded ? run->offered ^ 1 : run->offered + 1;
    if (!rtl.rst_i) return;
    run->window = run->part = 0;
    run->parts = 1;
}

static void step(struct run *run) {
    Veviction &rtl = run->rtl;
    inputs(run);
    rtl.eval();
    look(run);
    edge(run);
    if (rtl.evict_o && bench_chance(&run->bench, 3, 4)) run->slot[rtl.victim_o].evicted = true;
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 2000000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.parts = 1;
    run.rtl.fed_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    const uint64_t least = std::min({run.evicted[URGENT], run.evicted[LOWER], run.evicted[SLICED], run.by_cta,
                                     run.rested_pending, run.rested_crowded, run.sliced_crowded});
    if (bench.ops >= 2000000 && least == 0) bench_fail(&run.bench, "one of the reasons has evicted nobody");
    return bench_end(&run.bench);
}
