// The world of issue's bench: tasks, warps with their threads and predicates, instructions as fetch gives them, and how often units are free.
#ifndef TANDEM_TESTS_RTL_ISSUE_WORLD_H
#define TANDEM_TESTS_RTL_ISSUE_WORLD_H

#include "Vissue.h"
#include "bench.h"
#include "bench_config.h"
#include "issue_rules.h"
#include "port_bits.h"

enum mood {
    FETCH,
    RUN,
    MEM,
    SHARED_FREE,
    SHARED_GENERIC,
    LAUNCH,
    CONTROL,
    SCALAR,
    DRAINED,
    FULL,
    FAULTED,
    TURN,
    SCORE,
    REST,
    BUSY_TRAP,
    TAKE,
    DONE,
    CLEAR,
    LANDS,
    PICKS,
    COMES,
    AHEAD,
    MOODS
};

enum seen {
    NOTHING,
    LANES_GO,
    LOAD,
    STORE,
    SHARED,
    GENERIC,
    LAUNCHES,
    CONTROLS,
    SCALARS,
    EXEC_WRITES,
    BARRIERS,
    WIDE,
    PREDICATES,
    SHUFFLES,
    GATHERS,
    PUSHES,
    FAILS,
    CALLED,
    BRANCH_YIELDS,
    TRAPS_WAIT,
    FAULTS,
    LATE_FAULTS,
    NOT_UNIFORM,
    DIVERGED,
    DEADLOCKS,
    REGISTERS,
    HAZARDS,
    STAYS,
    STAYS_IN_D,
    BEHIND_OWN,
    SETS_IN_D,
    DROPS_IN_D,
    DROPS_ON_ITS_WAY,
    GOES_AHEAD,
    PRED_WAITS,
    BUSY,
    CLEARED_IN_D,
    WAITED_FOR_SHARED,
    ROWS_USED,
    RESETS,
    SEEN
};
static const char *const names[SEEN] = {"nothing to do",
                                        "lanes",
                                        "load",
                                        "store",
                                        "shared",
                                        "generic",
                                        "launch",
                                        "control",
                                        "scalar",
                                        "write of EXEC",
                                        "barrier",
                                        "wide store",
                                        "R2P",
                                        "shuffle",
                                        "gather",
                                        "token pushed",
                                        "token not pushed",
                                        "register of a call",
                                        "BRA.NTH that yields",
                                        "TRAP that waits",
                                        "fault",
                                        "late fault",
                                        "not uniform",
                                        "barrier diverged",
                                        "TFAIL",
                                        "register bounds",
                                        "sent back for something in flight",
                                        "waits in I",
                                        "waits in D",
                                        "behind one of its warp in I",
                                        "predicate of that one",
                                        "dropped in D",
                                        "dropped on its way to D",
                                        "fetched ahead",
                                        "predicate pending",
                                        "unit busy",
                                        "predicate written while in D",
                                        "generic that waits for shared_memory",
                                        "shared register",
                                        "reset"};

struct issue_run {
    struct bench bench;
    Vissue *rtl;
    struct sm sm;
    struct warp warps[WARPS];
    struct task_slot slots[TASK_SLOTS];
    const struct task_slot *slot[TASK_SLOTS];
    uint32_t warp_slot[WARPS], base[WARPS], pending[WARPS];
    uint32_t away[WARPS];  // cycles until its next instruction may come; its unit is at work, it is picked
    struct instruction f, d, i;
    uint32_t mood[MOODS], trap_warp;
    bool trap_on;
    uint64_t seen[SEEN];
};

static inline void expect(const struct issue_run *run, const char *what, uint64_t is, uint64_t wanted) {
    if (is == wanted) return;
    const struct instruction &i = run->i, &d = run->d;
    bench_fail(&run->bench, "%s is %llx, not %llx; I: %s warp %u %016llx (%s) fault %u; D: %s warp %u %016llx (%s)",
               what, (unsigned long long)is, (unsigned long long)wanted, i.valid ? "valid" : "empty", i.warp,
               (unsigned long long)i.word, isa_table[i.word & 0xFF].mnemonic, i.fault, d.valid ? "valid" : "empty",
               d.warp, (unsigned long long)d.word, isa_table[d.word & 0xFF].mnemonic);
}

static inline bool mood(struct issue_run *run, enum mood which) {
    return bench_chance(&run->bench, run->mood[which], 64);
}

static inline void new_moods(struct issue_run *run) {
    static const uint32_t often[] = {64, 64, 60, 60, 32, 8, 2}, rarely[] = {0, 0, 0, 1, 4, 16, 48};
    const bool nothing = bench_chance(&run->bench, 1, 4);  // is in the way
    for (uint32_t m = 0; m < MOODS; m++) {
        const bool seldom = m == FULL || m == FAULTED || m == SCORE || m == REST || m == BUSY_TRAP;
        const uint32_t which = nothing ? 0 : bench_below(&run->bench, 7);
        run->mood[m] = (seldom ? rarely : often)[which];
    }
}

// ---- the world ----
static inline void new_task(struct issue_run *run, uint32_t s) {
    struct bench *bench = &run->bench;
    Vissue &rtl = *run->rtl;
    struct task_slot *slot = &run->slots[s];
    slot->registers = bench_below(bench, bench_chance(bench, 3, 4) ? 256 : 24);
    slot->shared_rows = bench_chance(bench, 1, 2) ? 0 : bench_below(bench, slot->registers + 1);
    set_bits(rtl.slot_registers_i, s * 8, 8, slot->registers);
    set_bits(rtl.slot_shared_rows_i, s * 8, 8, slot->shared_rows);
    slot->channel = bench_below(bench, CHANNELS);
    slot->local = (uint32_t)bench_random(bench);
    slot->local_bytes = (uint32_t)bench_random(bench) & 0xFFFFFF;
    slot->const_valid = bench_below(bench, 1u << CONST_BANKS);
    set_bits(rtl.slot_channel_i, s * index_bits(CHANNELS), index_bits(CHANNELS), slot->channel);
    set_bits(rtl.slot_local_base_i, s * 32, 32, slot->local);
    set_bits(rtl.slot_local_bytes_i, s * 24, 24, slot->local_bytes);
    set_bits(rtl.slot_const_valid_i, s * CONST_BANKS, CONST_BANKS, slot->const_valid);
    for (uint32_t b = 0; b < CONST_BANKS; b++) {
        slot->const_addr[b] = (uint32_t)bench_random(bench);
        slot->const_size[b] = bench_below(bench, 0x10001);
        set_bits(rtl.slot_const_addr_i, (s * CONST_BANKS + b) * 32, 32, slot->const_addr[b]);
        set_bits(rtl.slot_const_size_i, (s * CONST_BANKS + b) * 17, 17, slot->const_size[b]);
    }
}

static inline void new_warp(struct issue_run *run, uint32_t w) {
    struct bench *bench = &run->bench;
    const uint32_t s = bench_below(bench, TASK_SLOTS);
    const struct task_slot *slot = &run->slots[s];
    struct warp *warp = &run->warps[w];
    run->warp_slot[w] = warp->slot = s;
    warp->shares = slot->shared_rows != 0 && bench_chance(bench, 3, 4);
    warp->privates = slot->registers - (warp->shares ? slot->shared_rows : 0);
    const uint32_t shared = slot->registers - warp->privates;
    run->base[w] = bench_below(bench, 257 - warp->privates - (shared + P - 1) / P) & 0xFF;
    set_bits(run->rtl->warp_base_i, w * REG_W, REG_W, run->base[w]);
    set_bits(run->rtl->shares_i, w, 1, warp->shares);
}

// Threads and predicates of a warp change: other instructions have been at work.
static inline void change(struct issue_run *run, uint32_t w) {
    struct bench *bench = &run->bench;
    struct warp *warp = &run->warps[w];
    struct divergence *threads = &warp->divergence;
    threads->reason[KIND_NONE] = bench_mask(bench, THREADS);
    if (bench_chance(bench, 1, 3)) {  // of one portion
        const uint64_t active = bench_random(bench) & PORTION << bench_below(bench, P) * LANES;
        threads->reason[KIND_NONE] = active;
    }
    threads->inside = bench_mask(bench, THREADS);
    if (bench_chance(bench, 1, 2)) threads->inside |= threads->reason[KIND_NONE];
    if (bench_chance(bench, 1, 4)) threads->inside ^= UINT64_C(1) << bench_below(bench, THREADS);
    for (uint32_t p = 0; p < 7; p++) {
        warp->predicates[p] = bench_mask(bench, THREADS);
        if (bench_chance(bench, 1, 4)) warp->predicates[p] |= threads->reason[KIND_NONE];
        if (bench_chance(bench, 1, 8)) warp->predicates[p] &= ~threads->reason[KIND_NONE];
    }
    const uint32_t bound = bench_chance(bench, 1, 4) ? 252 + bench_below(bench, 4) : bench_below(bench, 20);
    threads->yields.count_bound = (uint8_t)bound;
    memset(threads->yields.count, (int)bound, sizeof threads->yields.count);
}

static inline uint64_t any_word(struct issue_run *run, uint32_t w) {
    static const uint32_t ops[] = {OP_BRA,  OP_BRA,    OP_YIELD, OP_YIELD,  OP_SVSTART,      OP_BAR,        OP_LAUNCH,
                                   OP_TRAP, OP_TFAIL,  OP_TRET,  OP_TPUSH,  OP_TPOP,         OP_TLEAVE,     OP_CAL,
                                   OP_JCAL, OP_JCALX,  OP_JCALX, OP_RET,    OP_BRX,          OP_JMX,        OP_JMP,
                                   OP_R2P,  OP_P2R,    OP_SHFL,  OP_SHFL_I, OP_SVLOOP_BEGIN, OP_SVLOOP_END, OP_VOTE,
                                   OP_SMOV, OP_SMOV_I, OP_R2S,   OP_SRD,    OP_MEMBAR,       OP_LDC,        OP_LDL,
                                   OP_STL,  OP_LD,     OP_ST,    OP_ATOM,   OP_LDS,          OP_STS,        OP_ATOMS,
                                   OP_LDG,  OP_STG,    OP_S2R,   OP_SSY,    OP_EXIT};
    struct bench *bench = &run->bench;
    const struct warp *warp = &run->warps[w];
    const uint32_t registers = run->slots[warp->slot].registers;
    uint64_t word = 0;
    for (uint32_t tries = 0; tries < 6; tries++) {
        const uint32_t op = ops[bench_below(bench, sizeof ops / sizeof *ops)];
        word = bench_chance(bench, 1, 3) ? random_word(bench, registers, warp->privates)
                                         : word_of(bench, op, any_mod(bench), registers, warp->privates);
        struct decoded d;
        decode(word, &d);
        if (d.legal && d.registers_needed <= (bench_chance(bench, 1, 4) ? registers : warp->privates)) break;
    }
    const uint32_t op = word & 0xFF;
    if (bench_chance(bench, 1, 2)) word |= 0x700;  // PT
    if (bench_chance(bench, 3, 4)) word &= ~UINT64_C(0x800);
    if ((op == OP_BRA || op == OP_YIELD) && bench_chance(bench, 1, 2))
        word = (word & ~UINT64_C(0xF0000000)) | (uint64_t)(op == OP_BRA ? (uint32_t)BRA_NTH : (uint32_t)YIELD_NTH)
                                                    << 28;
    if (op == OP_YIELD && bench_chance(bench, 1, 2)) {
        const uint32_t n = warp->divergence.yields.count_bound + bench_below(bench, 4);
        word = (word & 0xFFFFFFFF) | (uint64_t)(bench_chance(bench, 1, 4) ? n | 1u << (8 + bench_below(bench, 14)) : n)
                                         << 32;
    }
    return word;
}

// The last instruction of the warp in stages D and I that is not handed over.
static inline const struct instruction *last_of(const struct issue_run *run, uint32_t w) {
    if (run->d.valid && run->d.warp == w) return &run->d;
    return run->i.valid && !run->i.released && run->i.warp == w ? &run->i : nullptr;
}

static inline void offer(struct issue_run *run) {
    struct bench *bench = &run->bench;
    Vissue &rtl = *run->rtl;
    struct instruction *f = &run->f;
    const uint32_t w = bench_below(bench, WARPS);
    const struct instruction *last = last_of(run, w);
    const bool goes = last == nullptr ? run->away[w] == 0
                                      : runs_on(last->word) && last->d.legal && !last->outside &&
                                            last->fetch_fault == ANSWER_GOOD && mood(run, AHEAD);
    if (!f->valid && goes && mood(run, FETCH)) {
        const bool may_move = last == nullptr && !(run->i.valid && run->i.warp == w);
        if (may_move && bench_chance(bench, 1, 4)) new_warp(run, w);
        if (bench_chance(bench, 3, 4)) change(run, w);
        if (bench_chance(bench, 1, 2)) run->pending[w] |= 1u << bench_below(bench, 7);
        if (bench_chance(bench, 1, 8)) run->pending[w] = bench_below(bench, 128);
        *f = {};
        f->valid = true;
        f->ahead = last != nullptr;
        f->warp = w;
        f->slot = run->warp_slot[w];
        f->pc = bench_chance(bench, 1, 8) ? PROGRAM_COUNTER_MASK - bench_below(bench, 2) : bench_below(bench, 1u << 22);
        f->outside = bench_chance(bench, 1, 40);
        f->fetch_fault =
            bench_chance(bench, 1, 40) ? (bench_chance(bench, 1, 2) ? ANSWER_OUTSIDE : ANSWER_BUS_ERROR) : ANSWER_GOOD;
        f->addr = (uint32_t)bench_random(bench);
        f->word = any_word(run, w);
    }
    // No second one of a warp comes into stage D.
    rtl.fetched_valid_i = f->valid && !(run->d.valid && run->d.warp == f->warp);
    const struct instruction any = {};
    const struct instruction &shown = f->valid ? *f : any;
    // It may be there and not come: its line is not, or one of its warp is before it.
    rtl.fetched_comes_i = f->valid || mood(run, COMES);
    rtl.fetched_runs_i = f->valid ? !f->outside && f->fetch_fault == ANSWER_GOOD && runs_on(f->word)
                                  : rtl.fetched_comes_i && mood(run, COMES);
    rtl.coming_valid_i = mood(run, COMES);
    rtl.coming_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.pick_valid_i = mood(run, PICKS);
    rtl.fetched_warp_i = (uint8_t)(f->valid ? f->warp : bench_below(bench, WARPS));
    rtl.fetched_pc_i = shown.pc;
    rtl.fetched_slot_i = (uint8_t)shown.slot;
    rtl.fetched_word_i = f->valid ? f->word : bench_random(bench);
    rtl.fetched_outside_i = shown.outside;
    rtl.fetched_fault_i = (uint8_t)shown.fetch_fault;
    rtl.fetched_addr_i = shown.addr;
}

// A bit for each warp; that of warp w is returned.
template <class Port>
static inline bool bits(struct issue_run *run, enum mood which, Port &port, uint32_t w) {
    uint64_t mask = 0;
    for (uint32_t k = 0; k < WARPS; k++)
        mask |= (uint64_t)mood(run, which) << k;
    set_bits(port, 0, WARPS, mask);
    return (mask >> w & 1) != 0;
}

// A slot that no instruction on its way needs gets another task.
static inline void replace_task(struct issue_run *run) {
    const uint32_t s = bench_below(&run->bench, TASK_SLOTS);
    for (const struct instruction *one : {&run->f, &run->d, &run->i})
        if (one->valid && one->slot == s) return;
    new_task(run, s);
    for (uint32_t w = 0; w < WARPS; w++)
        if (run->warp_slot[w] == s) new_warp(run, w);
}

static inline void begin(struct issue_run *run) {
    struct sm *sm = &run->sm;
    sm->config = bench_config();
    sm->portions = P;
    sm->all_threads = ALL;
    sm->warps = run->warps;
    sm->wires.slot = run->slot;
    sm->decoded = static_cast<struct decoded *>(calloc(DECODE_ENTRIES, sizeof *sm->decoded));
    if (sm->decoded == nullptr) abort();
    new_moods(run);
    for (uint32_t s = 0; s < TASK_SLOTS; s++) {
        run->slot[s] = &run->slots[s];
        new_task(run, s);
    }
    for (uint32_t w = 0; w < WARPS; w++) {
        run->warps[w].divergence.threads = THREADS;
        run->warps[w].divergence.lanes = LANES;
        run->warps[w].predicates[ISA_PT] = ALL;
        new_warp(run, w);
        change(run, w);
    }
}

#endif
