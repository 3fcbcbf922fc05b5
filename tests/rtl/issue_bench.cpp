// issue: random instructions of all kinds of all warps, good ones and those that fault, one behind the other as fetch gives them, with threads,
// predicates, sequences, traps and tasks at random; units that are busy, not this warp's turn, or take an instruction late; predicates that are
// written while stage D is held, calls whose token is pushed or not, faults that are taken late, resets. Every output that anybody looks at,
// in every cycle, against the rules of issue_rules.h, so also when: an instruction is handed over in the first cycle in which it may be.
// Compiled with -DTHREADS= -DLANES= -DWARPS= -DCHANNELS= -DTASK_SLOTS= -DCONST_BANKS= as the unit was verilated.
#include <verilated.h>

#include "Vissue.h"
#define BENCH_SHOWS "SV-4"
#include "bench.h"
#include "tick.h"

#include "issue_world.h"

// ---- what comes out ----
static void check_run(struct issue_run *run, const struct answers &a) {
    const Vissue &rtl = *run->rtl;
    const struct instruction &i = run->i;
    const struct decoded &d = i.d;
    const bool memory = i.unit == UNIT_MEMORY;
    expect(run, "run_exec", rtl.run_exec_o, a.exec);
    expect(run, "run_warp", rtl.run_warp_o, i.warp);
    expect(run, "run_op", rtl.run_op_o, i.o.op);
    expect(run, "run_mod", rtl.run_mod_o, d.mod);
    uint32_t imm = i.o.imm;
    if (i.unit == UNIT_CONTROL && i.o.call) imm = (i.pc + 1) & PROGRAM_COUNTER_MASK;
    if (i.o.special) imm = rtl.special_value_i;
    if (i.o.scalar_read) imm = rtl.scalar_value_i;
    expect(run, "run_imm", rtl.run_imm_o, imm);
    expect(run, "run_b_imm", rtl.run_b_imm_o, i.o.b_imm);
    const bool zero_a = (d.names & SCOREBOARD_RA) == 0;
    expect(run, "run_zero", rtl.run_zero_o, (i.o.rc == ISA_RZ) << 2 | (d.rb == ISA_RZ) << 1 | zero_a);
    if ((d.names & SCOREBOARD_RA) != 0) expect(run, "run_reg_a", rtl.run_reg_a_o, place(i, d.ra));
    if ((d.names & SCOREBOARD_RB) != 0) expect(run, "run_reg_b", rtl.run_reg_b_o, place(i, d.rb));
    if ((d.names & SCOREBOARD_RC) != 0) expect(run, "run_reg_c", rtl.run_reg_c_o, place(i, d.rc));
    if (d.store && d.rd != ISA_RZ) expect(run, "run_reg_c", rtl.run_reg_c_o, place(i, d.rd) + a.pass_number);
    if ((d.names & SCOREBOARD_RD) != 0) expect(run, "run_reg_d", rtl.run_reg_d_o, place(i, d.rd));
    expect(run, "run_rd", rtl.run_rd_o, d.rd);
    expect(run, "run_writes_reg", rtl.run_writes_reg_o, i.o.writes_reg && !(i.o.shuffle && !i.started));
    expect(run, "run_writes_pred", rtl.run_writes_pred_o, d.writes_preds != 0);
    if (d.writes_preds != 0) expect(run, "run_pred", rtl.run_pred_o, i.o.predicates ? a.pass_number : i.o.pred);
    expect(run, "run_pass", rtl.run_pass_o, a.pass_number);
    expect(run, "run_last_pass", rtl.run_last_pass_o, a.last);
    expect(run, "run_p1", rtl.run_p1_o, i.p1);
    expect(run, "run_p2", rtl.run_p2_o, i.p2);
    expect(run, "run_preds_to_b", rtl.run_preds_to_b_o, i.o.preds_to_b);
    expect(run, "run_thread_id", rtl.run_thread_id_o, i.o.thread_id);
    const uint32_t number = d.imm & 0xFF;
    if (i.o.thread_id)
        expect(run, "run_thread_id_of", rtl.run_thread_id_of_o,
               number == SR_LANEID  ? THREAD_ID_LANE
               : number == SR_TID_X ? THREAD_ID_X
               : number == SR_TID_Y ? THREAD_ID_Y
                                    : THREAD_ID_Z);
    if (i.o.special) expect(run, "special_number", rtl.special_number_o, number);
    if (i.o.special) expect(run, "special_slot", rtl.special_slot_o, i.slot);
    if (i.o.scalar_read) expect(run, "special_number", rtl.special_number_o, d.rb);
    expect(run, "run_shuffle", rtl.run_shuffle_o, i.o.shuffle);
    expect(run, "run_to_scalar", rtl.run_to_scalar_o, i.o.to_scalar);
    expect(run, "run_memory", rtl.run_memory_o, memory);
    expect(run, "run_shared", rtl.run_shared_o, d.shared);
    expect(run, "run_generic", rtl.run_generic_o, d.generic);
    expect(run, "run_counted", rtl.run_counted_o, a.goes_on);
    expect(run, "run_gather", rtl.run_gather_o, a.gather);
}

static void check_access(struct issue_run *run, const struct answers &a) {
    const Vissue &rtl = *run->rtl;
    const struct instruction &i = run->i;
    const struct decoded &d = i.d;
    const bool first = a.pass && i.unit == UNIT_MEMORY && !i.started, launch = d.opcode == OP_LAUNCH;
    expect(run, "mem_start", rtl.mem_start_o, first && !d.shared && !launch);
    expect(run, "shared_start", rtl.shared_start_o, first && (d.shared || d.generic));
    expect(run, "launch_start", rtl.launch_start_o, first && launch);
    if (!first) return;
    const struct task_slot &slot = run->slots[i.slot];
    expect(run, "access_warp", rtl.access_warp_o, i.warp);
    expect(run, "access_pc", rtl.access_pc_o, i.pc);
    expect(run, "access_exec", rtl.access_exec_o, i.exec);
    expect(run, "access_store", rtl.access_store_o, d.store);
    expect(run, "access_atomic", rtl.access_atomic_o, d.atomic);
    expect(run, "access_generic", rtl.access_generic_o, d.generic);
    expect(run, "access_mod", rtl.access_mod_o, d.mod);
    expect(run, "access_rd", rtl.access_rd_o, d.rd);
    if ((d.names & SCOREBOARD_RD) != 0) expect(run, "access_reg_d", rtl.access_reg_d_o, place(i, d.rd));
    const bool constant = d.opcode == OP_LDC;
    expect(run, "access_constant", rtl.access_constant_o, constant);
    expect(run, "access_local", rtl.access_local_o, d.local);
    expect(run, "access_local_base", rtl.access_local_base_o, slot.local);
    expect(run, "access_local_bytes", rtl.access_local_bytes_o, slot.local_bytes);
    expect(run, "access_channel", rtl.access_channel_o, slot.channel);
    if (!constant) return;
    const uint32_t bank = d.imm >> 16 & 15;
    const bool there = bank < CONST_BANKS && (slot.const_valid >> bank & 1) != 0;
    expect(run, "access_bank_valid", rtl.access_bank_valid_o, there);
    if (!there) return;
    expect(run, "access_bank_addr", rtl.access_bank_addr_o, slot.const_addr[bank]);
    expect(run, "access_bank_size", rtl.access_bank_size_o, slot.const_size[bank]);
}

static void check_control(struct issue_run *run, const struct answers &a) {
    const Vissue &rtl = *run->rtl;
    const struct instruction &i = run->i;
    const bool scalar = scalar_executes(i.d.opcode);
    expect(run, "control_valid", rtl.control_valid_o, a.control);
    expect(run, "control_goes", rtl.control_goes_o, a.control && i.exec != 0);
    expect(run, "control_reserve", rtl.control_reserve_o, a.reserve);
    if (i.valid) expect(run, "control_stays", rtl.control_stays_o, i.calling);
    expect(run, "scalar_go", rtl.scalar_go_o, a.scalar);
    if (a.scalar) {
        expect(run, "scalar_warp", rtl.scalar_warp_o, i.warp);
        expect(run, "scalar_opcode", rtl.scalar_opcode_o, i.d.opcode);
        expect(run, "scalar_rd", rtl.scalar_rd_o, i.d.rd);
        expect(run, "scalar_imm", rtl.scalar_imm_o, i.word >> 32);
        expect(run, "scalar_active", rtl.scalar_active_o, i.active);
        expect(run, "scalar_exec", rtl.scalar_exec_o, i.exec);
    }
    if (!a.control && !a.reserve) return;
    const uint32_t next = (i.pc + 1) & PROGRAM_COUNTER_MASK;
    uint32_t target = target_of(i);
    if (i.d.opcode == OP_TRET || i.d.opcode == OP_TPUSH) target = rtl.trap_pc_i;
    if (scalar && !rtl.scalar_taken_i) target = next;
    // A BRA.NTH that all take: the YIELD.NTH in front of its label.
    expect(run, "control_warp", rtl.control_warp_o, i.warp);
    expect(run, "control_opcode", rtl.control_opcode_o, i.branch_yields ? (uint32_t)OP_YIELD : i.d.opcode);
    expect(run, "control_next", rtl.control_next_o, i.branch_yields ? target_of(i) : next);
    expect(run, "control_exec", rtl.control_exec_o, i.exec);
    expect(run, "control_target", rtl.control_target_o, i.branch_yields ? (uint32_t)TURNS_NTH : target);
    if (a.control) expect(run, "control_group", rtl.control_group_o, scalar ? rtl.scalar_wanted_i : i.exec);
    expect(run, "mod for control", rtl.run_mod_o, i.branch_yields ? (uint32_t)YIELD_NTH : i.d.mod);
    expect(run, "next_pc", rtl.next_pc_o, next);
    expect(run, "address", rtl.address_o, i.addr & ~7u);
}

static void check_end(struct issue_run *run, const struct answers &a) {
    const Vissue &rtl = *run->rtl;
    const struct instruction &i = run->i;
    expect(run, "fault_valid", rtl.fault_valid_o, a.fault);
    expect(run, "issue_retry", rtl.issue_retry_o, a.retry);
    expect(run, "issue_stays", rtl.issue_stays_o, a.stays);
    expect(run, "issue_retry_score", rtl.issue_retry_score_o, a.hazard && !a.stays);
    expect(run, "issue_go", rtl.issue_go_o, a.go);
    expect(run, "issue_counted", rtl.issue_counted_o, a.go && a.goes_on);
    expect(run, "issue_counted_memory", rtl.issue_counted_memory_o, a.go && a.goes_on && i.unit == UNIT_MEMORY);
    expect(run, "trap_waits", rtl.trap_waits_o, a.trap_waits);
    expect(run, "instr", rtl.instr_o, a.instr);
    expect(run, "trace_instr", rtl.trace_instr_valid_o, a.instr);
    if (!i.valid) return;
    expect(run, "issue_warp", rtl.issue_warp_o, i.warp);
    expect(run, "issue_pc", rtl.issue_pc_o, i.pc);
    expect(run, "live_warp", rtl.live_warp_o, i.warp);
    if (a.go)
        expect(run, "issue_waits_for", rtl.issue_waits_for_o,
               i.unit == UNIT_SCALAR || a.goes_on ? (uint32_t)UNIT_NONE : i.unit);
    if (a.retry && !a.hazard) {
        const bool memory = i.unit == UNIT_MEMORY, launch = i.d.opcode == OP_LAUNCH;
        expect(run, "issue_retry_memory", rtl.issue_retry_memory_o, memory && !i.d.shared && !launch);
        expect(run, "issue_retry_shared", rtl.issue_retry_shared_o, memory && i.d.shared);
        expect(run, "issue_retry_launch", rtl.issue_retry_launch_o, launch);
    }
    if (a.fault) {
        const bool deadlock = a.fault_code == FAULT_CHILD_DEADLOCK;
        expect(run, "fault_code", rtl.fault_code_o, a.fault_code);
        expect(run, "fault_warp", rtl.fault_warp_o, i.warp);
        expect(run, "fault_pc", rtl.fault_pc_o, i.pc);
        expect(run, "fault_info", rtl.fault_info_o,
               i.fault != FAULT_NONE                    ? i.info
               : a.fault_code == FAULT_BARRIER_DIVERGED ? (uint32_t)i.active
               : deadlock                               ? rtl.special_value_i
                                                        : (uint32_t)i.word);
        if (deadlock) expect(run, "special_number", rtl.special_number_o, SR_TMD);
        if (deadlock) expect(run, "special_slot", rtl.special_slot_o, i.slot);
    }
    if (a.instr) {
        expect(run, "trace_instr_warp", rtl.trace_instr_warp_o, i.warp);
        expect(run, "trace_instr_pc", rtl.trace_instr_pc_o, i.pc);
        expect(run, "trace_instr_word", rtl.trace_instr_word_o, i.word);
        expect(run, "trace_instr_active", rtl.trace_instr_active_o, i.active);
        expect(run, "trace_instr_exec", rtl.trace_instr_exec_o, i.exec);
    }
}

// Predicates and registers that the instruction handed over will write.
static uint32_t check_score(struct issue_run *run, const struct answers &a) {
    const Vissue &rtl = *run->rtl;
    const struct instruction &i = run->i, &d = run->d;
    const bool counted = a.go && a.goes_on;
    const uint32_t preds = counted ? i.d.writes_preds : 0;
    expect(run, "score_take", rtl.score_take_o, a.done);
    expect(run, "score_set", rtl.score_set_o, counted && i.d.writes);
    expect(run, "score_set_preds", rtl.score_set_preds_o, preds);
    if (counted && (i.d.writes || preds != 0)) {
        uint32_t portions = 0;
        for (uint32_t p = 0; p < P; p++)
            portions |= (uint32_t)((i.exec & PORTION << p * LANES) != 0) << p;
        expect(run, "score_warp", rtl.score_warp_o, i.warp);
        expect(run, "score_set_portions", rtl.score_set_portions_o, portions);
    }
    if (!d.valid) return preds;
    expect(run, "active_warp", rtl.active_warp_o, d.warp);
    expect(run, "pred_guard", rtl.pred_guard_o, d.word >> 8 & 7);
    if (!d.d.legal) return preds;
    expect(run, "pred_p1", rtl.pred_p1_o, d.o.p1 & 7);
    expect(run, "pred_p2", rtl.pred_p2_o, d.o.p2 & 7);
    expect(run, "score_names", rtl.score_names_o, d.d.names);
    expect(run, "score_more", rtl.score_more_o, d.d.more);
    if (d.d.registers_needed > d.registers) return preds;
    if ((d.d.names & SCOREBOARD_RA) != 0) expect(run, "score_reg_a", rtl.score_reg_a_o, place(d, d.d.ra));
    if ((d.d.names & SCOREBOARD_RB) != 0) expect(run, "score_reg_b", rtl.score_reg_b_o, place(d, d.d.rb));
    if ((d.d.names & SCOREBOARD_RC) != 0) expect(run, "score_reg_c", rtl.score_reg_c_o, place(d, d.d.rc));
    if ((d.d.names & SCOREBOARD_RD) != 0) expect(run, "score_reg_d", rtl.score_reg_d_o, place(d, d.d.rd));
    return preds;
}

static void count(struct issue_run *run, const struct answers &a, const struct around &in) {
    const struct instruction &i = run->i;
    const struct decoded &d = i.d;
    const bool memory = i.unit == UNIT_MEMORY;
    const auto saw = [&](enum seen what, bool yes) { run->seen[what] += yes; };
    if (a.go) {
        saw(NOTHING, i.unit == UNIT_NONE);
        saw(LANES_GO, i.unit == UNIT_LANES);
        saw(LOAD, memory && !d.store && !d.shared && d.opcode != OP_LAUNCH);
        saw(STORE, memory && d.store);
        saw(SHARED, memory && d.shared);
        saw(GENERIC, d.generic && memory);
        saw(LAUNCHES, d.opcode == OP_LAUNCH && memory);
        saw(CONTROLS, a.control);
        saw(SCALARS, i.unit == UNIT_SCALAR);
        saw(EXEC_WRITES, a.control && a.scalar);
        saw(BARRIERS, i.unit == UNIT_BARRIER);
        saw(SHUFFLES, i.unit == UNIT_LANES && i.o.shuffle);
        saw(GATHERS, a.gather);
        saw(BRANCH_YIELDS, a.control && i.branch_yields);
        saw(ROWS_USED, d.registers_needed > i.privates);
    }
    saw(WIDE, a.pass && i.started && d.store);
    saw(PREDICATES, a.pass && i.started && i.o.predicates);
    saw(PUSHES, i.calling && run->rtl->control_done_i && !run->rtl->control_fault_i);
    saw(FAILS, i.calling && run->rtl->control_done_i && run->rtl->control_fault_i);
    saw(CALLED, a.pass && i.pushed && is_gathered(i));
    saw(TRAPS_WAIT, a.trap_waits);
    if (a.fault && in.fault_taken) {
        const bool late = i.fault == FAULT_NONE;
        saw(FAULTS, !late);
        saw(LATE_FAULTS, late);
        saw(NOT_UNIFORM, late && a.fault_code == FAULT_ILLEGAL_INSTRUCTION);
        saw(DIVERGED, a.fault_code == FAULT_BARRIER_DIVERGED);
        saw(DEADLOCKS, a.fault_code == FAULT_CHILD_DEADLOCK);
        saw(REGISTERS, a.fault_code == FAULT_REGISTER_BOUNDS);
    }
    saw(HAZARDS, a.hazard && !a.stays);
    saw(STAYS, a.stays);
    saw(PRED_WAITS, a.hazard && i.pred_wait);
    saw(BUSY, a.retry && !a.hazard);
    saw(WAITED_FOR_SHARED, a.work && !a.retry && memory && d.generic && !i.started && !a.run);
}

// Another warp's instruction is on its way, or is to be fetched.
static bool comes_behind(const struct issue_run *run, uint32_t warp) {
    const Vissue &rtl = *run->rtl;
    return rtl.pick_valid_i || (rtl.fetched_comes_i && rtl.fetched_warp_i != warp) ||
           (rtl.coming_valid_i && rtl.coming_warp_i != warp);
}

static void random_answers(struct issue_run *run, struct around *in) {
    struct bench *bench = &run->bench;
    Vissue &rtl = *run->rtl;
    const uint32_t w = run->i.valid ? run->i.warp : 0;
    rtl.run_ready_i = in->run_ready = mood(run, RUN);
    rtl.mem_free_i = in->mem_free = mood(run, MEM);
    rtl.shared_free_i = in->shared_free = mood(run, SHARED_FREE);
    rtl.shared_generic_done_i = in->shared_generic = mood(run, SHARED_GENERIC);
    rtl.launch_free_i = in->launch_free = mood(run, LAUNCH);
    rtl.control_ready_i = in->control_ready = mood(run, CONTROL);
    rtl.scalar_free_i = in->scalar_free = mood(run, SCALAR);
    in->drained = bits(run, DRAINED, rtl.drained_i, w);
    in->full = bits(run, FULL, rtl.full_i, w);
    in->faulted = bits(run, FAULTED, rtl.faulted_i, w);
    in->turn = bits(run, TURN, rtl.turn_i, w);
    in->launch_turn = bits(run, TURN, rtl.launch_turn_i, w);
    in->lands = bits(run, LANDS, rtl.lands_i, w);
    in->rests = bits(run, LANDS, rtl.rests_i, w);
    bits(run, AHEAD, rtl.may_ahead_i, w);
    in->another = (run->d.valid && run->d.warp != w) || comes_behind(run, w);
    rtl.score_wait_i = in->score_wait = mood(run, SCORE);
    rtl.score_again_i = in->score_again = in->score_wait && bench_chance(bench, 1, 4);
    rtl.live_rest_i = in->rest = mood(run, REST);
    rtl.trap_busy_i = in->trap_busy = mood(run, BUSY_TRAP);
    in->fault_taken = mood(run, TAKE);
    rtl.control_done_i = mood(run, DONE);
    rtl.control_fault_i = bench_chance(bench, 1, 3);
    rtl.trap_pc_i = bench_below(bench, 1u << 22);
    rtl.special_value_i = (uint32_t)bench_random(bench);
    rtl.scalar_value_i = (uint32_t)bench_random(bench);
    rtl.scalar_wanted_i = bench_mask(bench, THREADS);
    rtl.scalar_taken_i = bench_chance(bench, 1, 2);
    rtl.gather_group_i = bench_mask(bench, THREADS);
}

// Of the warp in stage D: its threads and predicates, as they are in this cycle.
static void show_warp(struct issue_run *run) {
    struct bench *bench = &run->bench;
    Vissue &rtl = *run->rtl;
    const struct instruction &d = run->d;
    if (bench_chance(bench, 1, 64)) run->trap_on = !run->trap_on;
    if (bench_chance(bench, 1, 64)) run->trap_warp = bench_below(bench, WARPS);
    for (uint32_t w = 0; w < WARPS; w++)
        run->warps[w].divergence.trapped = run->trap_on && run->trap_warp == w;
    rtl.trap_on_i = run->trap_on;
    rtl.trap_warp_i = (uint8_t)run->trap_warp;
    if (d.valid && bench_chance(bench, 1, 8)) change(run, d.warp);
    const struct warp &warp = run->warps[d.valid ? d.warp : 0];
    rtl.active_i = divergence_active(&warp.divergence);
    rtl.inside_i = warp.divergence.inside;
    rtl.count_bound_i = warp.divergence.yields.count_bound;
    rtl.pred_guard_i = warp.predicates[d.word >> 8 & 7];
    rtl.pred_p1_i = warp.predicates[d.o.p1 & 7];
    rtl.pred_p2_i = warp.predicates[d.o.p2 & 7];
}

static void clear_predicate(struct issue_run *run) {
    struct bench *bench = &run->bench;
    Vissue &rtl = *run->rtl;
    const uint32_t w = run->d.valid && bench_chance(bench, 1, 2) ? run->d.warp : bench_below(bench, WARPS);
    const uint32_t number = bench_below(bench, 7);
    const bool clears = mood(run, CLEAR) && (run->pending[w] >> number & 1) != 0;
    rtl.pred_cleared_i = clears;
    rtl.pred_cleared_warp_i = (uint8_t)w;
    rtl.pred_cleared_number_i = (uint8_t)number;
    if (clears) run->pending[w] &= ~(1u << number);
    rtl.pred_pending_i = (uint8_t)(run->f.valid ? run->pending[run->f.warp] : bench_below(bench, 128));
}

// It waits for the one before it, or for predicates that will be there in a moment.
static bool stays_in_d(const struct issue_run *run) {
    const Vissue &rtl = *run->rtl;
    const struct instruction &d = run->d;
    if (!d.valid) return false;
    if (run->i.valid && run->i.warp == d.warp) return true;
    if ((d.pending & (d.d.preds | (1u << d.d.guard & 0x7F))) == 0) return false;
    return rtl.lands_i >> d.warp & 1 || !comes_behind(run, d.warp);
}

// What the stages before are told.
static void check_fetch(struct issue_run *run) {
    const Vissue &rtl = *run->rtl;
    const struct instruction &i = run->i, &d = run->d;
    const uint32_t w = rtl.fetched_warp_i;
    const bool hold = d.valid && d.warp == w;
    expect(run, "fetched_hold", rtl.fetched_hold_o, hold);
    expect(run, "fetched_before", rtl.fetched_before_o, hold || (i.valid && i.warp == w));
    const auto coming = [&rtl](uint32_t warp) { return rtl.coming_valid_i && rtl.coming_warp_i == warp; };
    const bool behind_f = rtl.fetched_runs_i && (rtl.may_ahead_i >> w & 1) && !coming(w);
    const bool behind_d = d.valid && d.runs_on && (rtl.may_ahead_i >> d.warp & 1) && !coming(d.warp) &&
                          !(rtl.fetched_comes_i && w == d.warp);
    expect(run, "ahead", rtl.ahead_o, behind_f || behind_d);
    if (!rtl.ahead_o) return;
    run->seen[GOES_AHEAD]++;
    expect(run, "ahead_warp", rtl.ahead_warp_o, behind_f ? w : d.warp);
    expect(run, "ahead_pc", rtl.ahead_pc_o, ((behind_f ? rtl.fetched_pc_i : d.pc) + 1) & PROGRAM_COUNTER_MASK);
}

// Fetch gives its instruction to stage D.
static void enter(struct issue_run *run) {
    struct instruction *d = &run->d;
    if (!run->rtl->fetched_valid_i) {
        d->valid = false;
        return;
    }
    *d = run->f;
    d->runs_on = run->rtl->fetched_runs_i != 0;
    const struct warp &warp = run->warps[d->warp];
    d->pending = run->pending[d->warp];
    d->registers = run->slots[d->slot].registers;
    d->privates = warp.privates;
    d->base = run->base[d->warp];
    decode(d->word, &d->d);
    d->o = operands_of(&d->d);
    run->f.valid = false;
}

static void step(struct issue_run *run) {
    struct bench *bench = &run->bench;
    Vissue &rtl = *run->rtl;
    struct instruction *i = &run->i, *d = &run->d;
    struct around in;
    if (bench_chance(bench, 1, 64)) new_moods(run);
    if (bench_chance(bench, 1, 256)) replace_task(run);
    for (uint32_t w = 0; w < WARPS; w++)
        run->away[w] -= run->away[w] != 0;
    offer(run);
    random_answers(run, &in);
    show_warp(run);
    clear_predicate(run);
    rtl.rst_i = bench_chance(bench, 1, 500);
    const struct answers a = answer(*i, in, rtl.gather_group_i);
    rtl.fault_taken_i = a.fault && in.fault_taken;
    rtl.eval();

    // Which predicates a word names that is no instruction is nobody's affair.
    const bool stays = d->valid && !d->d.legal ? a.done && !rtl.fetched_ready_o : stays_in_d(run),
               leaves = !d->valid || (a.done && !stays);  // stage D
    run->seen[STAYS_IN_D] += stays;
    check_fetch(run);
    expect(run, "fetched_ready", rtl.fetched_ready_o, leaves);
    if (run->f.valid) expect(run, "pred_warp", rtl.pred_warp_o, run->f.warp);
    check_end(run, a);
    expect(run, "run_valid", rtl.run_valid_o, a.run);
    if (a.run) check_run(run, a);
    check_access(run, a);
    check_control(run, a);
    const uint32_t written = check_score(run, a);
    count(run, a, in);

    // The warp goes on, or comes back when its unit is ready.
    if (i->valid) {
        run->pending[i->warp] |= written;
        const bool waits = !a.goes_on && i->unit != UNIT_NONE && i->unit != UNIT_SCALAR;
        if (!i->released && ((a.go && !waits) || a.done)) {
            run->away[i->warp] = a.go && !waits ? 0 : bench_below(bench, 6);
            i->released = true;
        }
    }
    const uint32_t warp = i->warp;
    const bool behind_own = i->valid && d->valid && d->warp == warp, drops = i->valid && a.retry;
    run->seen[BEHIND_OWN] += behind_own;
    const bool comes_own = i->valid && leaves && rtl.fetched_valid_i && rtl.fetched_warp_i == warp;
    run->seen[SETS_IN_D] += (behind_own || comes_own) && written != 0;
    if (a.done) {
        *i = *d;
        i->valid = d->valid && !stays;
        if (i->valid) look(i, &run->sm, &run->warps[i->warp]);
    } else {
        stay(i, a, rtl.control_done_i, rtl.control_fault_i);
    }
    if (leaves) {
        enter(run);
    } else {
        if (rtl.pred_cleared_i && rtl.pred_cleared_warp_i == d->warp) {
            d->pending &= ~(1u << rtl.pred_cleared_number_i);
            run->seen[CLEARED_IN_D]++;
        }
        if (behind_own) d->pending |= written;
    }
    if (drops && d->valid && d->warp == warp) {
        d->valid = false;
        run->seen[leaves ? DROPS_ON_ITS_WAY : DROPS_IN_D]++;
    }
    if (drops && run->f.valid && run->f.warp == warp) run->f.valid = false;  // fetch drops it
    if (rtl.rst_i) {
        i->valid = d->valid = false;
        run->seen[RESETS]++;
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    static struct issue_run run;
    bench_begin(&run.bench, argc, argv, 400000);
    registers_at_random(run.bench.seed);
    Vissue rtl;
    run.rtl = &rtl;
    begin(&run);
    reset(rtl);
    while (bench_more(&run.bench))
        step(&run);
    rtl.final();
    free(run.sm.decoded);
    for (uint32_t s = 0; s < SEEN; s++)
        if (run.bench.ops >= 200000 && run.seen[s] == 0) bench_fail(&run.bench, "the stream has missed: %s", names[s]);
    return bench_end(&run.bench);
}
