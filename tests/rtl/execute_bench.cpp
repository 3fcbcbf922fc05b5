// execute: instructions of every kind that goes through it (all operations of the lanes with registers, immediates, special values; predicates
// in and out; SHFL; R2S; memory instructions of all spaces; targets that are gathered; calls' writes), of full and partial masks and of one
// portion with shared registers, one after the other or with gaps; rows of memory units that want to be written between; registers that are
// forgotten, thread ids that are written, resets. Every output in every cycle: what the C model (decode, execute) has in registers and
// predicates, in the cycle in which the head of the unit has it, and nothing else. The bench stands where the scoreboard does: nobody reads what
// is still to be written. Compiled with -DTHREADS= -DLANES= -DWARPS= -DVGPR_ROWS= -DSPECIALS= as the unit was verilated.
#include <verilated.h>

#include <vector>

#include "Vexecute.h"
#define BENCH_SHOWS "SV-4 SV-6"
#include "bench.h"
#include "execute_twin.h"
#include "tick.h"

struct executing {
    struct bench bench;
    Vexecute rtl;
    struct twin twin;
    struct instruction instruction;   // the one that is handed over, or begun
    struct instruction read;          // the one whose portions are in R
    bool some;                        // there is an instruction
    const struct operation *offered;  // it stands there
    bool wb;                          // a row stands there
    struct row row;
    std::vector<uint32_t> forgotten;    // rows, in the cycle before: nobody may be handed over yet that reads them
    bool clear_waits;                   // what is to be forgotten has not been taken
    uint32_t runs, gaps, rows, clears;  // of 8 cycles, of 64
    uint64_t left;                      // cycles of a mood
    // what has been seen
    uint64_t taken, pieces, preds, ends, to_memory, scalars, all_gathered, returned, partly, both, held_all, resets,
        cleared, specials, picks;
};

// ---- what goes in ----
static void moods(struct executing *run) {
    struct bench *b = &run->bench;
    static const uint32_t some[] = {0, 1, 4, 8, 8, 8};
    struct twin &t = run->twin;
    run->left = 20 + bench_below(b, 200);
    run->runs = some[bench_below(b, 6)];
    run->gaps = bench_chance(b, 1, 2) ? 0 : some[bench_below(b, 3)];
    run->rows = some[bench_below(b, 6)];
    run->clears = some[bench_below(b, 4)];
    t.kind = (decltype(t.kind))bench_below(b, twin::KINDS);
    if (bench_chance(b, 1, 2)) t.kind = twin::ANY;
    if (bench_chance(b, 1, 8)) t.windows[bench_below(b, WINDOWS)] = bench_below(b, REGS - REGISTERS - 4);
    t.target = bench_below(b, 1u << 22);
}

// An operation: it stays until it is taken.
static void choose_operation(struct executing *run) {
    struct bench *b = &run->bench;
    if (run->offered != nullptr) return;
    for (uint32_t k = 0; k < 3; k++) {
        if (run->some || !bench_chance(b, run->runs, 8)) break;
        run->instruction = choose_instruction(run->twin);
        run->some = !must_wait(run->twin, run->instruction) || (k == 2 && bench_chance(b, 1, 2));
    }
    if (!run->some || (!run->instruction.begun && must_wait(run->twin, run->instruction))) return;
    if (run->instruction.begun && bench_chance(b, run->gaps, 8)) return;
    run->offered = &hand_over(run->twin, run->instruction);
}

static void offer(struct executing *run) {
    static const struct operation none = {};
    Vexecute &rtl = run->rtl;
    struct bench *b = &run->bench;
    struct operation o = none;
    if (run->offered != nullptr) o = *run->offered;
    const bool garbage = run->offered == nullptr;
    rtl.run_valid_i = !garbage;
    rtl.run_exec_i = garbage ? bench_mask(b, THREADS) & ALL : o.exec;
    rtl.run_warp_i = garbage ? bench_below(b, WARPS) : o.warp;
    rtl.run_op_i = garbage ? 1 + bench_below(b, 127) : o.op;
    rtl.run_mod_i = garbage ? bench_below(b, 16) : o.mod;
    rtl.run_imm_i = garbage ? (uint32_t)bench_random(b) : o.imm;
    rtl.run_b_imm_i = garbage ? bench_below(b, 2) : o.b_imm;
    rtl.run_zero_i = garbage ? bench_below(b, 8) : o.zero;
    rtl.run_reg_a_i = o.reg_a;
    rtl.run_reg_b_i = o.reg_b;
    rtl.run_reg_c_i = o.reg_c;
    rtl.run_reg_d_i = o.reg_d;
    rtl.run_rd_i = garbage ? bench_below(b, 256) : o.rd;
    rtl.run_writes_reg_i = garbage ? bench_below(b, 2) : o.writes_reg;
    rtl.run_writes_pred_i = garbage ? bench_below(b, 2) : o.writes_pred;
    rtl.run_pred_i = o.pred;
    rtl.run_pass_i = o.pass;
    rtl.run_last_pass_i = garbage ? bench_below(b, 2) : o.last_pass;
    rtl.run_p1_i = o.p1;
    rtl.run_p2_i = o.p2;
    rtl.run_preds_to_b_i = garbage ? bench_below(b, 2) : o.preds_to_b;
    rtl.run_thread_id_i = garbage ? bench_below(b, 2) : o.thread_id;
    rtl.run_thread_id_of_i = o.thread_id_of;
    rtl.run_shuffle_i = garbage ? bench_below(b, 2) : o.shuffle;
    rtl.run_to_scalar_i = garbage ? bench_below(b, 2) : o.to_scalar;
    rtl.run_memory_i = garbage ? bench_below(b, 2) : o.memory;
    rtl.run_shared_i = garbage ? bench_below(b, 2) : o.shared;
    rtl.run_generic_i = garbage ? bench_below(b, 2) : o.generic;
    rtl.run_counted_i = garbage ? bench_below(b, 2) : o.counted;
    rtl.run_gather_i = garbage ? bench_below(b, 2) : o.gather;
}

// Is a row looked at by those that have begun, or will be next?
static bool in_use(const struct executing *run, uint32_t row) {
    const struct twin &t = run->twin;
    return t.writers[row] != 0 || (run->some && reads_row(run->instruction, row)) ||
           (t.left != 0 && reads_row(run->read, row));
}

static uint32_t some_register(struct executing *run) {
    struct bench *b = &run->bench;
    const uint32_t base = run->twin.windows[bench_below(b, WINDOWS)] + bench_below(b, REGISTERS);
    return bench_chance(b, 1, 4) ? SHARED_REF + base * P + bench_below(b, P) : base;
}

static void choose_row(struct executing *run) {
    struct bench *b = &run->bench;
    struct row &r = run->row;
    r.warp = bench_below(b, WARPS);
    r.rd = bench_below(b, 256);
    r.reg_d = some_register(run);
    r.portion = bench_below(b, P);
    r.lanes = (uint32_t)bench_mask(b, LANES);
    r.partial = bench_chance(b, 1, 4);
    const bool alike = bench_chance(b, 1, 4);
    for (uint32_t &word : r.data)
        word = any_number(run->twin);
    for (uint32_t l = 1; alike && l < LANES; l++)
        r.data[l] = bench_chance(b, 3, 4) ? r.data[0] : r.data[l];
    const uint32_t row = row_of(r.reg_d, r.portion);
    if (in_use(run, row)) return;
    run->wb = true;
    will_write(run->twin, row, 1);
}

template <class Port>
static void set_words(Port &port, const uint32_t *words) {
    static_assert(sizeof port == 4 * LANES, "a word for each lane");
    memcpy(&port, words, sizeof port);
}

static void inputs(struct executing *run) {
    struct bench *b = &run->bench;
    Vexecute &rtl = run->rtl;
    struct twin &t = run->twin;
    if (run->left == 0) moods(run);
    run->left--;
    choose_operation(run);
    offer(run);
    if (!run->wb && bench_chance(b, run->rows, 8)) choose_row(run);
    const struct row &r = run->row;
    rtl.wb_valid_i = run->wb;
    rtl.wb_warp_i = r.warp;
    rtl.wb_rd_i = r.rd;
    rtl.wb_reg_d_i = r.reg_d;
    rtl.wb_portion_i = r.portion;
    rtl.wb_lanes_i = r.lanes;
    rtl.wb_partial_i = r.partial;
    set_words(rtl.wb_data_i, r.data);
    // What predicate_file answers.
    for (uint32_t k = 0; k < 7; k++)
        set_bits(rtl.preds_i, k * LANES, LANES, lanes_of(t.preds[rtl.preds_warp_o][k], rtl.preds_portion_o));
    // What waits stays there, most of the time.
    const bool waited = rtl.clear_valid_i && run->clear_waits && bench_chance(b, 31, 32);
    const uint32_t forget =
        waited ? rtl.clear_group_i * 4u : t.windows[bench_below(b, WINDOWS)] + bench_below(b, REGISTERS);
    uint32_t used = 0;  // of the four beside it
    for (uint32_t k = 0; k < 4 * P; k++)
        if (in_use(run, row_of(forget / 4 * 4 + k / P, k % P))) used |= 1u << k / P;
    rtl.clear_group_i = forget / 4;
    rtl.clear_which_i = (uint8_t)((waited ? 15 : bench_below(b, 16)) & ~used);
    rtl.clear_valid_i = rtl.clear_which_i != 0 && (waited || bench_chance(b, run->clears, 64));
    const uint32_t warp = bench_below(b, WARPS), lanes = (uint32_t)bench_mask(b, LANES);
    rtl.tid_valid_i = bench_chance(b, 1, 32) && !(run->some && run->instruction.warp == warp) &&
                      !(t.left != 0 && t.now->warp == warp);
    rtl.tid_warp_i = warp;
    rtl.tid_portion_i = bench_below(b, P);
    rtl.tid_lanes_i = lanes;
    for (uint32_t k = 0; k < 3 * LANES; k++)
        set_bits(rtl.tid_data_i, k * TID_W, TID_W, bench_random(b));
    // A reset in the cycle of an event, too.
    rtl.rst_i = bench_chance(b, t.at(1).gathered != nullptr ? 40 : 1, 1000);
    rtl.eval();
}

// ---- what comes out ----
#define SAME(what, expected)                                                                             \
    do {                                                                                                 \
        const uint64_t is = (uint64_t)(what), wanted = (uint64_t)(expected);                             \
        if (is != wanted) bench_fail(&run->bench, "%s is %" PRIx64 ", not %" PRIx64, #what, is, wanted); \
    } while (0)

template <class Port>
static void same_words(struct executing *run, const char *what, const Port &port, const uint32_t *expected,
                       uint32_t lanes) {
    uint32_t words[LANES];
    static_assert(sizeof port == sizeof words, "a word for each lane");
    memcpy(words, &port, sizeof words);
    for (uint32_t l = 0; l < LANES; l++)
        if ((lanes >> l & 1) != 0 && words[l] != expected[l])
            bench_fail(&run->bench, "%s of lane %u is %08x, not %08x", what, l, words[l], expected[l]);
}

static void compare_ready(struct executing *run) {
    Vexecute &rtl = run->rtl;
    struct twin &t = run->twin;
    const struct due &now = t.at(0);
    SAME(rtl.run_ready_o, t.ready());
    SAME(rtl.wb_ready_o || !run->wb, !run->wb || !row_waits(t, run->row));
    SAME(rtl.clear_ready_o, !now.told[0].some && !now.told[1].some);
    if (t.goes() && t.now->preds_to_b) {
        SAME(rtl.preds_warp_o, t.now->warp);
        SAME(rtl.preds_portion_o, t.portion());
    }
    SAME(rtl.lanes_done_counted_o, now.done != nullptr && now.done->counted);
    SAME(rtl.lanes_done_waited_o, now.done != nullptr && !now.done->counted);
    if (now.done != nullptr) SAME(rtl.lanes_done_warp_o, now.done->warp);
    run->ends += now.done != nullptr;
}

static void compare_leaving(struct executing *run) {
    Vexecute &rtl = run->rtl;
    struct twin &t = run->twin;
    const struct due &now = t.at(0);
    const struct piece &l1 = now.l1;
    const bool memory = l1.of != nullptr && l1.of->memory, scalar = l1.of != nullptr && l1.of->to_scalar;
    SAME(rtl.mem_valid_o, memory);
    if (memory) {
        const struct operation &o = *l1.of;
        SAME(rtl.mem_warp_o, o.warp);
        SAME(rtl.mem_portion_o, l1.portion);
        SAME(rtl.mem_lanes_o, l1.lanes);
        SAME(rtl.mem_pass_o, o.pass);
        SAME(rtl.mem_last_o, l1.last);
        SAME(rtl.mem_shared_o, o.shared);
        SAME(rtl.mem_generic_o, o.generic);
        if (o.shows_a) same_words(run, "address", rtl.mem_a_o, &o.a[l1.portion * LANES], l1.lanes);
        if (o.shows_b) same_words(run, "operand", rtl.mem_b_o, &o.b[l1.portion * LANES], l1.lanes);
        if (o.shows_c) same_words(run, "data", rtl.mem_c_o, &o.c[l1.portion * LANES], l1.lanes);
        run->to_memory++;
    }
    SAME(rtl.scalar_valid_o, scalar);
    if (scalar) {
        const struct operation &o = *l1.of;
        SAME(rtl.scalar_warp_o, o.warp);
        SAME(rtl.scalar_rd_o, (o.rd >> 7 << 4) | (o.rd & 15));
        SAME(rtl.scalar_data_o, o.a[__builtin_ctzll(o.exec)]);
        run->scalars++;
    }
    SAME(rtl.gather_done_o, now.gathered != nullptr);
    run->all_gathered += now.gathered != nullptr;
    if (!t.known) return;
    SAME(rtl.gather_target_o, t.target_was);
    SAME(rtl.gather_group_o, t.group_was);
}

// Of the two that may be written in a cycle.
static void compare_row(struct executing *run, const struct written &w, uint32_t k) {
    Vexecute &rtl = run->rtl;
    SAME(rtl.trace_wb_valid_o >> k & 1, w.some);
    if (!w.some) return;
    struct row r = w.row;
    if (w.of != nullptr) {
        run->specials += w.of->special;
        run->picks += w.of->shuffle;
    }
    SAME(get_bits(rtl.trace_wb_warp_o, 8 * k, 8), r.warp);
    SAME(get_bits(rtl.trace_wb_rd_o, 8 * k, 8), r.rd);
    SAME(get_bits(rtl.trace_wb_portion_o, 8 * k, 8), r.portion);
    SAME(get_bits(rtl.trace_wb_mask_o, LANES * k, LANES), r.lanes);
    for (uint32_t l = 0; l < LANES; l++)
        SAME(get_bits(rtl.trace_wb_data_o, 32 * (LANES * k + l), 32), (r.lanes >> l & 1) != 0 ? r.data[l] : 0);
    run->pieces += w.of != nullptr;
    run->returned += w.returned;
    run->partly += w.returned && r.partial;
}

static void compare_written(struct executing *run) {
    Vexecute &rtl = run->rtl;
    const struct due &now = run->twin.at(0);
    const struct piece &p = now.pred;
    SAME(rtl.pred_write_valid_o, p.of != nullptr);
    SAME(rtl.trace_pwb_valid_o, p.of != nullptr);
    if (p.of != nullptr) {
        const uint32_t bits = lanes_of(p.of->bits, p.portion) & p.lanes;
        SAME(rtl.pred_write_warp_o, p.of->warp);
        SAME(rtl.pred_write_pred_o, p.of->pred);
        SAME(rtl.pred_write_portion_o, p.portion);
        SAME(rtl.pred_write_lanes_o, p.lanes);
        SAME(rtl.pred_write_data_o & p.lanes, bits);
        SAME(rtl.trace_pwb_warp_o, p.of->warp);
        SAME(rtl.trace_pwb_pred_o, p.of->pred);
        SAME(rtl.trace_pwb_portion_o, p.portion);
        SAME(rtl.trace_pwb_mask_o, p.lanes);
        SAME(rtl.trace_pwb_data_o, bits);
        run->preds++;
    }
    const struct row &told = now.told[0].row, &loaded = now.told[1].row;
    SAME(rtl.row_valid_o, now.told[0].some);
    if (now.told[0].some) {
        SAME(rtl.row_warp_o, told.warp);
        SAME(rtl.row_reg_d_o, told.reg_d);
        SAME(rtl.row_portion_o, told.portion);
    }
    SAME(rtl.loaded_valid_o, now.told[1].some && !loaded.partial);
    if (now.told[1].some) {
        SAME(rtl.loaded_warp_o, loaded.warp);
        SAME(rtl.loaded_reg_d_o, loaded.reg_d);
        SAME(rtl.loaded_portion_o, loaded.portion);
    }
    for (uint32_t k = 0; k < 2; k++)
        compare_row(run, now.row[k], k);
    run->both += now.row[0].some && now.row[1].some;
}

// ---- a cycle ----
static void forget(struct executing *run, uint32_t row) {
    memset(run->twin.rows[row], 0, sizeof run->twin.rows[row]);
    run->twin.unread[row]++;
    run->forgotten.push_back(row);
}

static void write_ids(struct executing *run) {
    const Vexecute &rtl = run->rtl;
    for (uint32_t l = 0; l < LANES; l++)
        for (uint32_t k = 0; k < 3; k++)
            if ((rtl.tid_lanes_i >> l & 1) != 0)
                run->twin.ids[rtl.tid_warp_i][rtl.tid_portion_i * LANES + l][k] =
                    (uint32_t)get_bits(rtl.tid_data_i, (3 * l + k) * TID_W, TID_W);
}

static void step(struct executing *run) {
    Vexecute &rtl = run->rtl;
    struct twin &t = run->twin;
    write_rows(t);
    inputs(run);
    compare_ready(run);
    compare_leaving(run);
    compare_written(run);
    const bool row_stays = run->wb && row_waits(t, run->row);
    run->clear_waits = rtl.clear_valid_i && !rtl.clear_ready_o;
    const bool waits = row_stays || run->clear_waits;
    struct ends e = {rtl.rst_i != 0, run->offered != nullptr && t.ready(), waits, run->offered, nullptr};
    if (run->wb && !row_stays) e.row = &run->row;
    for (uint32_t row : run->forgotten)
        t.unread[row]--;
    run->forgotten.clear();
    if (rtl.clear_valid_i && rtl.clear_ready_o)
        for (uint32_t k = 0; k < 4 * P; k++)
            if (rtl.clear_which_i >> k / P & 1) forget(run, row_of(rtl.clear_group_i * 4 + k / P, k % P));
    if (rtl.tid_valid_i) write_ids(run);
    run->cleared += rtl.clear_valid_i && rtl.clear_ready_o;
    run->held_all += t.waits == 15 && t.left != 0;
    run->resets += e.reset;
    run->taken += e.taken;
    end_cycle(t, e);
    if (e.taken) {
        memcpy(t.preds[run->instruction.warp], run->instruction.preds, sizeof run->instruction.preds);
        run->read = run->instruction;
        run->some = run->instruction.passes != 0;
        run->offered = nullptr;
    }
    if (e.row != nullptr) run->wb = false;
    if (e.reset) {
        run->some = run->wb = false;
        for (uint32_t row : run->forgotten)
            t.unread[row]++;
        run->offered = nullptr;
    }
    tick(rtl);
}

// After power-up nothing is known of any register, predicate, thread id: launching gives them what they begin with.
static void begin(struct executing *run) {
    Vexecute &rtl = run->rtl;
    struct bench *b = &run->bench;
    rtl.inject_i = rtl.run_valid_i = rtl.wb_valid_i = 0;
    reset(rtl);
    for (uint32_t k = 0; k < REGS / 4; k++) {
        rtl.clear_valid_i = 1;
        rtl.clear_group_i = k;
        rtl.clear_which_i = 15;
        tick(rtl);
    }
    rtl.clear_valid_i = 0;
    for (uint32_t k = 0; k < WARPS * P; k++) {
        rtl.tid_valid_i = 1;
        rtl.tid_warp_i = k / P;
        rtl.tid_portion_i = k % P;
        set_bits(rtl.tid_lanes_i, 0, LANES, ~UINT64_C(0));
        for (uint32_t l = 0; l < 3 * LANES; l++)
            set_bits(rtl.tid_data_i, l * TID_W, TID_W, bench_random(b));
        write_ids(run);
        tick(rtl);
    }
    struct twin &t = run->twin;
    t.bench = b;
    for (auto &preds : t.preds)
        for (uint32_t k = 0; k < 8; k++)
            preds[k] = k == ISA_PT ? ~UINT64_C(0) : bench_random(b) & ALL;
    for (uint32_t &window : t.windows)
        window = bench_below(b, REGS - REGISTERS - 4);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 60000);
    registers_at_random(bench.seed);
    static struct executing run;
    run.bench = bench;
    begin(&run);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops >= 60000 &&
        (run.taken == 0 || run.pieces == 0 || run.preds == 0 || run.ends == 0 || run.to_memory == 0 ||
         run.scalars == 0 || run.all_gathered == 0 || run.returned == 0 || run.partly == 0 || run.both == 0 ||
         run.held_all == 0 || run.resets == 0 || run.cleared == 0 || run.picks == 0 ||
         (run.specials == 0 && TURNS > 1) || run.twin.ids_read[0] == 0 || run.twin.ids_read[1] == 0 ||
         run.twin.ids_read[2] == 0 || run.twin.ids_read[3] == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
