// cta_launcher: offers of random CTAs (of one and many warps, with shared rows in either order, with shared memory, new ones and some that
// come back), offers that are taken back, warps that end in any order, ready signals that stall, writes of a CTA's words; every output in every
// cycle against the rule that its head states, the thread ids when their warp starts. Each warp's start and each end is told to the C twin,
// which has to find it right and to say the same. Who goes when the twin does not know. Bounds besides: an offer that fits anywhere is ready
// after two rounds of the search. Compiled with -DTHREADS= -DLANES= -DWARPS= -DTASK_SLOTS= -DVGPR_ROWS= -DSHARED_BYTES= as the unit was
// verilated, and -DBENCH_CONFIG=.
#include <verilated.h>

#include "Vcta_launcher.h"
#define BENCH_SHOWS "TU-10 SV-5 SV-21"
#include "bench.h"
#include "cta_launcher_twin.h"
#include "gen/bundles.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t SLOT_W = TASK_SLOTS > 1 ? index_bits(TASK_SLOTS) : 1, WARP_W = WARPS > 1 ? index_bits(WARPS) : 1;
static const uint32_t COUNT_W = index_bits(WARPS + 1), TID_W = index_bits(WARPS * THREADS),
                      ROWS = SHARED_BYTES / ROW_BYTES;
static const uint32_t ROUNDS = 2 * (WARPS + 1) + 4;  // cycles

enum state { IDLE, SEARCH, SEARCH_SHARED, OFFER, LAUNCH };

struct piece {
    bool used, left, known;  // known: where its shared memory is
    uint32_t base, end, shared_base, shared_end, slot, alive;
    uint32_t word[4];
    bool written[4];
};

struct launcher {
    struct bench bench;
    Vcta_launcher rtl;
    struct twin twin, other;
    enum state state;
    struct piece ctas[WARPS];
    bool live[WARPS];
    uint32_t warp_cta[WARPS];
    uint32_t ending;  // the warp that end_valid_i is of
    uint32_t candidate;
    // What is offered, or was taken last.
    uint32_t slot, warps, units, shared;
    bool shares;
    uint32_t place, shared_place, cta;
    // What starts.
    bool prepared, started, resume;
    uint32_t x, y, z, index, base, warp, cleared, shared_left, words;
    uint32_t thread, portion, lane;  // of the next thread id
    uint32_t ids[THREADS][3];
    bool told, told_left;  // the end of a CTA
    uint32_t told_slot;
    uint64_t waits;  // cycles in which the offer has fitted
    // Moods.
    uint32_t ends, stalls, clear_stalls, offers, withdraws, flips, writes;
    bool offering;
    uint64_t taken, shared_taken, came_back, left, partly;
};

static const struct task_slot &task(const struct launcher *run) {
    return run->twin.slots[run->slot];
}

static void moods(struct launcher *run) {
    struct bench *bench = &run->bench;
    static const uint32_t some[] = {0, 1, 8, 32, 64};
    run->ends = some[bench_below(bench, 4)];
    run->stalls = some[bench_below(bench, 5)] * 3 / 4;
    run->clear_stalls = some[bench_below(bench, 5)] * 3 / 4;
    run->offers = some[1 + bench_below(bench, 4)];
    run->withdraws = bench_chance(bench, 1, 3) ? some[bench_below(bench, 4)] : 0;
    run->flips = some[bench_below(bench, 4)];
    run->writes = some[bench_below(bench, 4)];
}

static void give_slot(struct launcher *run, uint32_t k) {
    Vcta_launcher &rtl = run->rtl;
    struct task_slot &t = run->twin.slots[k];
    random_task(&run->bench, &t);
    set_bits(rtl.slot_region_i, 32 * k, 32, t.region);
    set_bits(rtl.slot_code_base_i, 32 * k, 32, t.code_base);
    set_bits(rtl.slot_ntid_x_i, 16 * k, 16, t.ntid[0]);
    set_bits(rtl.slot_ntid_y_i, 16 * k, 16, t.ntid[1]);
    set_bits(rtl.slot_ntid_z_i, 16 * k, 16, t.ntid[2]);
    set_bits(rtl.slot_threads_i, 16 * k, 16, t.threads);
    set_bits(rtl.slot_registers_i, 8 * k, 8, t.registers);
    set_bits(rtl.slot_shared_rows_i, 8 * k, 8, t.shared_rows);
    set_bits(rtl.slot_shared_i, 18 * k, 18, t.shared_bytes);
}

static bool chance(struct launcher *run, uint32_t of_64) {
    return bench_chance(&run->bench, of_64, 64);
}

static void offer_inputs(struct launcher *run) {
    struct bench *bench = &run->bench;
    Vcta_launcher &rtl = run->rtl;
    const uint32_t k = bench_below(bench, TASK_SLOTS);
    bool used = k == run->slot && (run->offering || run->state != IDLE);
    for (const piece &c : run->ctas)
        used = used || (c.used && c.slot == k);
    if (!used && bench_chance(bench, 1, 8)) give_slot(run, k);
    if (run->offering && chance(run, run->withdraws)) {
        run->offering = false;
        rtl.cta_valid_i = 0;
    } else if (!run->offering) {
        const bool before = rtl.cta_valid_i;  // one that has gone over: another comes after a cycle without
        rtl.cta_valid_i = !before && chance(run, run->offers);
        run->offering = rtl.cta_valid_i;
        if (run->offering) {
            rtl.cta_slot_i = (uint8_t)bench_below(bench, TASK_SLOTS);
            rtl.cta_resume_i = bench_chance(bench, 1, 4);
        }
    }
    if (bench_chance(bench, 1, 2)) {
        rtl.cta_x_i = rtl.cta_resume_i ? 0 : (uint32_t)bench_random(bench);
        rtl.cta_y_i = rtl.cta_resume_i ? 0 : (uint16_t)bench_random(bench);
        rtl.cta_z_i = rtl.cta_resume_i ? 0 : (uint16_t)bench_random(bench);
    }
    if (chance(run, run->flips)) rtl.first_i = !rtl.first_i;
}

static void inputs(struct launcher *run) {
    struct bench *bench = &run->bench;
    Vcta_launcher &rtl = run->rtl;
    if (bench->op % 256 == 1) moods(run);
    rtl.rst_i = bench_chance(bench, 1, 3000);
    offer_inputs(run);
    uint32_t live = 0;
    for (uint32_t w = 0; w < WARPS; w++)
        live |= (uint32_t)run->live[w] << w;
    rtl.warp_live_i = live;
    const uint32_t w = bench_below(bench, WARPS);
    rtl.end_valid_i = run->live[w] && chance(run, run->ends);
    rtl.end_cta_i = (uint8_t)(rtl.end_valid_i ? run->warp_cta[w] : bench_below(bench, WARPS));
    rtl.end_left_i = bench_chance(bench, 1, 4);
    run->ending = w;
    rtl.start_ready_i = !chance(run, run->stalls);
    rtl.clear_ready_i = !chance(run, run->clear_stalls);
    rtl.shared_clear_ready_i = !chance(run, run->clear_stalls);
    // A warp in a trap writes its own CTA's words; other registers are written by any.
    static const uint8_t trap[] = {16, 20, 22, 23};
    const uint32_t writer = bench_below(bench, WARPS);
    rtl.write_valid_i = chance(run, run->writes);
    rtl.write_warp_i = (uint8_t)writer;
    rtl.write_rd_i = (uint8_t)(run->live[writer] && bench_chance(bench, 3, 4) ? trap[bench_below(bench, 4)]
                                                                              : bench_below(bench, 17));
    rtl.write_cta_i = (uint8_t)run->warp_cta[writer];
    rtl.write_data_i = (uint32_t)bench_random(bench);
    if (!rtl.write_valid_i) rtl.write_rd_i = (uint8_t)bench_below(bench, 32);
    rtl.look_cta_i = (uint8_t)bench_below(bench, WARPS);
    rtl.look_word_i = (uint8_t)bench_below(bench, 4);
    rtl.eval();
}

static bool writes_cta(const struct launcher *run) {
    return run->rtl.write_valid_i && (run->rtl.write_rd_i == 20 || run->rtl.write_rd_i >= 22);
}

// ---- what is seen ----
static void compare_start(struct launcher *run) {
    struct bench *bench = &run->bench;
    const Vcta_launcher &rtl = run->rtl;
    const struct task_slot &t = task(run);
    const uint32_t salt = run->x ^ run->y << 12 ^ run->z << 20 ^ run->index << 26;
    const uint32_t pc = run->resume ? 0 : ((t.code_base - t.region) >> 3) & 0x3FFFFF;
    const uint32_t left = t.threads - run->index * THREADS;
    const uint64_t mask = left < THREADS ? (UINT64_C(1) << left) - 1 : ALL_THREADS;
    if (rtl.start_mask_o != mask || rtl.start_cta_o != run->cta || rtl.start_index_o != run->index)
        bench_fail(bench, "warp %u of CTA %u starts with threads %llx, not %u of %u with %llx", rtl.start_index_o,
                   rtl.start_cta_o, (unsigned long long)rtl.start_mask_o, run->index, run->cta,
                   (unsigned long long)mask);
    if (rtl.start_base_o != run->base % REGS || rtl.start_pc_o != pc || rtl.start_salt_o != salt ||
        rtl.start_shares_o != run->shares || rtl.start_resume_o != run->resume)
        bench_fail(bench, "it starts with base %u, pc %x, salt %x, not %u, %x, %x", rtl.start_base_o, rtl.start_pc_o,
                   rtl.start_salt_o, run->base, pc, salt);
    for (uint32_t i = 0; i < THREADS; i++) {
        const uint32_t n = run->index * THREADS + i, x = n % t.ntid[0], y = n / t.ntid[0] % t.ntid[1],
                       z = n / t.ntid[0] / t.ntid[1], *is = run->ids[i];
        const bool there = n < t.threads;
        if (is[0] != (there ? x : 0) || is[1] != (there ? y : 0) || is[2] != (there ? z : 0))
            bench_fail(bench, "thread %u is (%u, %u, %u)", n, is[0], is[1], is[2]);
    }
}

// How many registers are cleared in this cycle: those of a group of four, or as many as are left.
static uint32_t clear_step(const struct launcher *run) {
    const uint32_t room = 4 - (run->base + run->cleared) % 4, left = run->units - run->cleared;
    return left < room ? left : room;
}

static void compare_launch(struct launcher *run) {
    struct bench *bench = &run->bench;
    const Vcta_launcher &rtl = run->rtl;
    const bool launches = run->state == LAUNCH, soon = launches && run->prepared;
    if (rtl.launching_o != launches || (launches && rtl.start_slot_o != run->slot))
        bench_fail(bench, "launching %u slot %u, not %u %u", rtl.launching_o, rtl.start_slot_o, launches, run->slot);
    if (rtl.start_soon_o != soon || (soon && rtl.start_warp_o != run->warp))
        bench_fail(bench, "soon %u warp %u, not %u %u", rtl.start_soon_o, rtl.start_warp_o, soon, run->warp);
    const bool clears = soon && run->cleared < run->units, shared_clears = launches && run->shared_left != 0;
    const uint32_t first = run->base + run->cleared;
    uint32_t which = 0;
    for (uint32_t k = first; k < first + clear_step(run); k++)
        which |= 1u << k % 4;
    if (rtl.clear_valid_o != clears || (clears && (rtl.clear_group_o != first / 4 || rtl.clear_which_o != which)))
        bench_fail(bench, "clears %u group %u %x, not %u %u %x", rtl.clear_valid_o, rtl.clear_group_o,
                   rtl.clear_which_o, clears, first / 4, which);
    const uint32_t row = run->shared_place + run->shared - run->shared_left;
    if (rtl.shared_clear_valid_o != shared_clears || (shared_clears && rtl.shared_clear_row_o != row))
        bench_fail(bench, "clears %u row %u, not %u %u", rtl.shared_clear_valid_o, rtl.shared_clear_row_o,
                   shared_clears, row);
    const bool ids = soon && run->portion < P;
    if (rtl.tid_valid_o != ids || (ids && (rtl.tid_warp_o != run->warp || rtl.tid_portion_o != run->portion)))
        bench_fail(bench, "ids %u of warp %u, portion %u, not %u of %u, %u", rtl.tid_valid_o, rtl.tid_warp_o,
                   rtl.tid_portion_o, ids, run->warp, run->portion);
    for (uint32_t l = 0; ids && l < LANES; l++)
        for (uint32_t i = 0; i < 3 && (rtl.tid_lanes_o >> l & 1); i++)
            run->ids[run->portion * LANES + l][i] = (uint32_t)get_bits(rtl.tid_data_o, (l * 3 + i) * TID_W, TID_W);
    const bool starts = launches && run->started;
    if (rtl.start_valid_o != starts) bench_fail(bench, "start %u, not %u", rtl.start_valid_o, starts);
    if (starts) compare_start(run);
    if (rtl.trace_warp_start_valid_o != (starts && rtl.start_ready_i)) bench_fail(bench, "the event is another");
}

static void compare_ctas(struct launcher *run) {
    struct bench *bench = &run->bench;
    const Vcta_launcher &rtl = run->rtl;
    for (uint32_t c = 0; c < WARPS; c++) {
        const uint32_t alive = (uint32_t)get_bits(rtl.alive_o, c * COUNT_W, COUNT_W);
        if (alive != run->ctas[c].alive) bench_fail(bench, "CTA %u has %u warps, not %u", c, alive, run->ctas[c].alive);
    }
    const piece &c = run->ctas[rtl.look_cta_i];
    if (rtl.look_alive_o != c.alive) bench_fail(bench, "%u warps are seen, not %u", rtl.look_alive_o, c.alive);
    if (c.known && rtl.look_shared_o != c.shared_base % ROWS)
        bench_fail(bench, "shared memory is seen at row %u, not %u", rtl.look_shared_o, c.shared_base);
    if (c.written[rtl.look_word_i] && rtl.look_o != c.word[rtl.look_word_i])
        bench_fail(bench, "word %u of CTA %u is %x, not %x", rtl.look_word_i, rtl.look_cta_i, rtl.look_o,
                   c.word[rtl.look_word_i]);
    const struct cta &model = run->twin.sm->ctas[rtl.look_cta_i];
    if (model.busy) {
        const uint32_t words[] = {model.record, 0, model.x, model.y | model.z << 16};
        if (rtl.look_word_i != 1 && rtl.look_o != words[rtl.look_word_i])
            bench_fail(bench, "word %u is %x, model %x", rtl.look_word_i, rtl.look_o, words[rtl.look_word_i]);
        if (rtl.look_alive_o != model.warps - model.ended || rtl.look_shared_o * ROW_BYTES != model.shared_base)
            bench_fail(bench, "%u warps, row %u, model %u, byte %x", rtl.look_alive_o, rtl.look_shared_o,
                       model.warps - model.ended, model.shared_base);
    }
    if (rtl.cta_done_valid_o != run->told ||
        (run->told && (rtl.cta_done_slot_o != run->told_slot || rtl.cta_done_left_o != run->told_left)))
        bench_fail(bench, "done %u of slot %u, left %u, not %u %u %u", rtl.cta_done_valid_o, rtl.cta_done_slot_o,
                   rtl.cta_done_left_o, run->told, run->told_slot, run->told_left);
}

// ---- the search ----
// The place that is looked at in this cycle; false: it is none, or something is in the way.
static bool candidate(const struct launcher *run, bool shared, uint32_t *place) {
    *place = 0;
    if (run->candidate != 0) {
        const piece &c = run->ctas[run->candidate - 1];
        if (!c.used) return false;
        *place = shared ? c.shared_end : c.end;
    }
    const uint32_t end = *place + (shared ? run->shared : run->units * run->warps);
    for (const piece &c : run->ctas)
        if (c.used && *place < (shared ? c.shared_end : c.end) && end > (shared ? c.shared_base : c.base)) return false;
    return end <= (shared ? ROWS : REGS);
}

// Any place at all.
static bool fits(const struct launcher *run, bool shares) {
    std::vector<bool> registers(REGS), rows(ROWS);
    const struct task_slot &t = run->twin.slots[run->rtl.cta_slot_i];
    uint32_t idle = 0;
    for (const bool live : run->live)
        idle += !live;
    for (const piece &c : run->ctas) {
        if (!c.used) continue;
        std::fill(registers.begin() + c.base, registers.begin() + c.end, true);
        std::fill(rows.begin() + c.shared_base, rows.begin() + c.shared_end, true);
    }
    return idle >= task_warps(t) && place_in(registers, task_warps(t) * task_units(t, shares), 0) != REGS &&
           (t.shared_bytes == 0 || place_in(rows, task_shared_rows(t), 0) != ROWS);
}

static void bound(struct launcher *run, bool ready) {
    const Vcta_launcher &rtl = run->rtl;
    const bool stands = rtl.cta_valid_i && run->state != LAUNCH && !ready && !writes_cta(run) && !rtl.end_valid_i &&
                        !rtl.rst_i && (run->state == IDLE || run->slot == rtl.cta_slot_i) &&
                        (run->state == IDLE || run->shares == task_shares(task(run), rtl.first_i));
    if (!stands) {
        run->waits = 0;
    } else if (++run->waits > ROUNDS && fits(run, task_shares(task(run), rtl.first_i))) {
        bench_fail(&run->bench, "a CTA that fits is not taken");
    }
}

static uint32_t idle_warps(const struct launcher *run, uint32_t *first) {
    uint32_t idle = 0;
    *first = 0;
    for (uint32_t w = WARPS; w-- > 0;) {
        if (run->live[w]) continue;
        idle++;
        *first = w;
    }
    return idle;
}

static void take(struct launcher *run) {
    const Vcta_launcher &rtl = run->rtl;
    run->offering = false;
    run->state = LAUNCH;
    piece &c = run->ctas[run->cta];
    c.used = c.known = true;
    c.left = false;
    c.base = run->place;
    c.end = run->place + run->warps * run->units;
    c.shared_base = run->shared_place;
    c.shared_end = run->shared_place + run->shared;
    c.slot = run->slot;
    c.alive = run->warps;
    run->resume = rtl.cta_resume_i;
    run->x = rtl.cta_x_i;
    run->y = rtl.cta_y_i;
    run->z = rtl.cta_z_i;
    run->shared_left = run->shared;
    run->words = 3;
    run->index = run->thread = 0;
    run->base = run->place;
    run->prepared = run->started = false;
    run->taken++;
    run->shared_taken += run->shares && run->shared != 0;
    run->came_back += run->resume;
    const cta_launch launch = {run->slot, run->x, run->y, run->z, run->warps, 0, run->shares, run->resume, 0};
    set_first(&run->twin, run->slot, rtl.first_i);
    if (!twin_room(&run->twin, run->slot, run->shares) || !sm_can_take_cta(run->twin.sm, run->slot))
        bench_fail(&run->bench, "a CTA is taken, the model has no room for it");
    twin_take(&run->twin, launch);
}

static void search(struct launcher *run, bool ready) {
    const Vcta_launcher &rtl = run->rtl;
    const struct task_slot &t = run->twin.slots[rtl.cta_slot_i];
    uint32_t place, warp;
    const bool shared = run->state == SEARCH_SHARED, good = candidate(run, shared, &place);
    switch (run->state) {
        case IDLE:
            run->slot = rtl.cta_slot_i;
            run->warps = task_warps(t);
            run->shares = task_shares(t, rtl.first_i);
            run->units = task_units(t, run->shares);
            run->shared = task_shared_rows(t);
            if (rtl.cta_valid_i) run->state = SEARCH;
            break;
        case SEARCH:
        case SEARCH_SHARED:
            (shared ? run->shared_place : run->place) = place;
            if (!shared) run->shared_place = 0;
            run->candidate = (run->candidate + 1) % (WARPS + 1);
            if (!rtl.cta_valid_i)
                run->state = IDLE;
            else if (good && (shared || idle_warps(run, &warp) >= run->warps))
                run->state = shared || run->shared == 0 ? OFFER : SEARCH_SHARED;
            run->cta = shared ? run->cta : 0;
            while (!shared && run->cta + 1 < WARPS && run->ctas[run->cta].used)
                run->cta++;
            break;
        case OFFER:
            if (!rtl.cta_valid_i || run->shares != task_shares(task(run), rtl.first_i))
                run->state = IDLE;
            else if (ready)
                take(run);
            break;
        default: break;
    }
}

// ---- the launch ----
// A portion that lies in one line of the CTA, or has no thread, takes a cycle; else each thread has one, and all lanes behind the last.
static void make_ids(struct launcher *run) {
    const struct task_slot &t = task(run);
    const uint32_t left = t.threads - run->thread;
    uint32_t done = left == 0 ? LANES : 1, made = left == 0 ? 0 : 1;
    if (run->lane == 0 && left >= LANES && t.ntid[0] - run->thread % t.ntid[0] >= LANES) done = made = LANES;
    if (run->lane != 0 && left == 0) done = LANES - run->lane;
    run->thread += made;
    run->lane += done;
    run->partly += made == 1;
    if (run->lane < LANES) return;
    run->lane = 0;
    run->portion++;
}

static void follow_start(struct launcher *run) {
    const Vcta_launcher &rtl = run->rtl;
    struct trace_event event = {}, model = {};
    char text[200];
    struct trace_warp_start &e = event.warp_start;
    event.kind = TRACE_WARP_START;
    e.warp = rtl.trace_warp_start_warp_o;
    e.slot = rtl.trace_warp_start_slot_o;
    e.cta = rtl.trace_warp_start_cta_o;
    e.index = rtl.trace_warp_start_index_o;
    e.mask = rtl.trace_warp_start_mask_o;
    e.pc = rtl.trace_warp_start_pc_o;
    e.row = rtl.trace_warp_start_row_o;
    e.rows = rtl.trace_warp_start_rows_o;
    e.shared = rtl.trace_warp_start_shared_o;
    twin_start(&run->twin, e.warp % WARPS, e.cta % WARPS, e.row, e.shared, [&] {
        if (!sm_follow(run->twin.sm, &event, &model, {text, sizeof text})) bench_fail(&run->bench, "%s", text);
    });
    const struct trace_warp_start &m = model.warp_start;
    if (e.warp != m.warp || e.slot != m.slot || e.cta != m.cta || e.index != m.index || e.mask != m.mask ||
        e.pc != m.pc || e.row != m.row || e.rows != m.rows || e.shared != m.shared)
        bench_fail(&run->bench, "the event of warp %u of slot %u CTA %u, threads %llx, is another in the model", e.warp,
                   e.slot, e.cta, (unsigned long long)e.mask);
}

static void launch(struct launcher *run) {
    const Vcta_launcher &rtl = run->rtl;
    const bool goes = run->started && rtl.start_ready_i;
    const bool good =
        run->prepared && run->portion == P && run->cleared == run->units && run->shared_left == 0 && run->words == 0;
    if (run->shared_left != 0 && rtl.shared_clear_ready_i) run->shared_left--;
    if (run->words != 0 && !writes_cta(run)) {
        const uint32_t which = run->words == 3 ? CTA_WORD_X : run->words == 2 ? CTA_WORD_YZ : CTA_WORD_RECORD;
        piece &c = run->ctas[run->cta];
        c.word[which] = which == CTA_WORD_X ? run->x : which == CTA_WORD_YZ ? run->y | run->z << 16 : 0;
        c.written[which] = true;
        run->words--;
    }
    if (!run->prepared) {
        idle_warps(run, &run->warp);
        run->prepared = true;
        run->cleared = run->portion = run->lane = 0;
        memset(run->ids, 0xFF, sizeof run->ids);
    } else {
        if (run->cleared < run->units && rtl.clear_ready_i) run->cleared += clear_step(run);
        if (run->portion < P) make_ids(run);
    }
    run->started = good && !goes;
    if (!goes) return;
    follow_start(run);
    run->live[run->warp] = true;
    run->warp_cta[run->warp] = run->cta;
    run->prepared = false;
    run->index++;
    run->base += run->units;
    if (run->index == run->warps) run->state = IDLE;
}

static void end_of_warp(struct launcher *run, uint32_t w) {
    const bool left = run->rtl.end_left_i;
    piece &c = run->ctas[run->warp_cta[w]];
    run->live[w] = false;
    c.left = c.left || left;
    run->told = --c.alive == 0;
    run->told_slot = c.slot;
    run->told_left = c.left;
    if (run->told) c.used = false;
    run->left += run->told && c.left;
    const uint32_t dones = run->twin.dones;
    twin_warp_ends(&run->twin, w, left);
    if (run->twin.dones != dones + run->told ||
        (run->told && (run->twin.done_slot != c.slot || run->twin.done_left != c.left)))
        bench_fail(&run->bench, "the model tells another end of a CTA");
}

static void forget(struct launcher *run) {
    run->state = IDLE;
    run->candidate = 0;
    run->told = run->offering = false;
    run->rtl.cta_valid_i = 0;
    for (uint32_t c = 0; c < WARPS; c++) {
        run->ctas[c] = {};
        run->live[c] = false;
    }
    const std::vector<task_slot> slots(run->twin.slots, run->twin.slots + TASK_SLOTS);
    twin_end(&run->twin);
    twin_begin(&run->twin, &run->bench, true);
    std::copy(slots.begin(), slots.end(), run->twin.slots);
}

static void step(struct launcher *run) {
    struct bench *bench = &run->bench;
    Vcta_launcher &rtl = run->rtl;
    inputs(run);
    const bool ready = run->state == OFFER && !writes_cta(run) && run->shares == task_shares(task(run), rtl.first_i);
    if (rtl.cta_ready_o != ready)
        bench_fail(bench, "ready %u, not %u, in state %u", rtl.cta_ready_o, ready, run->state);
    compare_launch(run);
    compare_ctas(run);
    bound(run, ready);
    if (bench_chance(bench, 1, WARPS)) twin_alone(&run->other);
    if (rtl.rst_i) {
        tick(rtl);
        forget(run);
        return;
    }
    if (writes_cta(run)) {
        piece &c = run->ctas[rtl.write_cta_i];
        c.word[rtl.write_rd_i & 3] = rtl.write_data_i;
        c.written[rtl.write_rd_i & 3] = true;
        twin_write(&run->twin, rtl.write_cta_i, SCALAR_TPC + rtl.write_rd_i - 16u, rtl.write_data_i);
    }
    if (run->state == LAUNCH)
        launch(run);
    else
        search(run, ready);
    run->told = false;
    if (rtl.end_valid_i) end_of_warp(run, run->ending);
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 500000);
    registers_at_random(bench.seed);
    static struct launcher run;
    run.bench = bench;
    twin_begin(&run.twin, &run.bench, true);
    twin_begin(&run.other, &run.bench, true);
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        give_slot(&run, k);
    run.rtl.cta_valid_i = run.rtl.end_valid_i = run.rtl.write_valid_i = 0;
    run.rtl.cta_slot_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (run.bench.ops >= 100000 &&
        (run.taken == 0 || run.shared_taken == 0 || run.came_back == 0 || run.left == 0 || run.partly == 0))
        bench_fail(&run.bench, "the stream has missed something");
    twin_end(&run.twin);
    twin_end(&run.other);
    return bench_end(&run.bench);
}
