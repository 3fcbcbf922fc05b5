// What the issue stage makes of an instruction and does with it in each cycle, as the head of rtl/sm/issue.sv says it. What an instruction is,
// whether it may be executed, by which threads, and what it waits for is the model's word (cmodel/sm/decode.c, issue.c); the cycles are said here.
#ifndef TANDEM_TESTS_RTL_ISSUE_RULES_H
#define TANDEM_TESTS_RTL_ISSUE_RULES_H

#include "decode_words.h"
#include "runs_on.h"

extern "C" {
#include "gen/registers.h"
#include "sm/sm_internal.h"
}

static const uint32_t P = THREADS / LANES, REG_W = 8;  // REG_W: as the unit has it that is verilated alone
static const uint64_t ALL = ~UINT64_C(0) >> (64 - THREADS);
static const uint64_t PORTION = ~UINT64_C(0) >> (64 - LANES);
static const uint32_t ROWS = 256 * P;  // and the bit that says a place is a row

struct instruction {
    bool valid;
    // as it comes from fetch
    uint32_t warp, pc, slot, fetch_fault, addr;
    uint64_t word;
    bool outside;
    bool ahead;  // behind one of its warp that is not handed over
    // as it comes into stage D
    bool runs_on;
    uint32_t pending, registers, privates, base;
    struct decoded d;
    struct operands o;
    // as it comes into stage I
    uint32_t unit, fault, info, passes;
    uint64_t active, exec, p1, p2;
    bool late, not_uniform, pred_wait, alone, waits, yields, branch_yields;
    // in stage I: targets are gathered, or a pass is done; a call's token is being pushed, is pushed, has not been
    bool started, calling, pushed, failed;
    bool released;  // its warp has gone on, or back
};

// What comes in in a cycle, of the instruction in stage I and its warp.
struct around {
    bool run_ready, mem_free, shared_free, shared_generic, launch_free, control_ready, scalar_free;
    bool drained, full, faulted, turn, launch_turn, score_wait, score_again, rest, trap_busy, fault_taken;
    bool lands, rests, another;  // another warp's instruction comes behind it, or is to be fetched
};

// What has to come out.
struct answers {
    bool hazard, stays, retry, work, fault, go, run, pass, control, reserve, scalar, done, trap_waits, instr;
    bool goes_on, gather, last;
    uint32_t fault_code, pass_number;
    uint64_t exec;
};

static inline bool is_gathered(const struct instruction &i) {
    const uint32_t op = i.d.opcode;
    return (op == OP_RET || op == OP_BRX || op == OP_JMX || op == OP_JCALX) && i.d.ra != ISA_RZ;
}

static inline bool call_writes(const struct instruction &i) {
    return i.unit == UNIT_CONTROL && i.o.call && i.o.writes_reg;
}

// Of a store's data: the next register in each pass.
static inline uint32_t place(const struct instruction &i, uint32_t reg) {
    if (reg < i.privates) return i.base + reg;
    return ROWS | ((i.base + i.privates) * P + reg - i.privates);
}

// The label of a branch, the N or threshold of a YIELD; of what gathers: what is added.
static inline uint32_t target_of(const struct instruction &i) {
    const enum isa_format format = isa_table[i.d.opcode].format;
    if (i.d.opcode == OP_RET) return 0;
    const bool absolute = format == FORMAT_ABS || format == FORMAT_ABSR || i.d.opcode == OP_JCAL ||
                          i.d.opcode == OP_JCALX || i.d.opcode == OP_YIELD;
    return (absolute ? i.d.imm : i.pc + 1 + i.d.imm) & PROGRAM_COUNTER_MASK;
}

// Stage D comes to its end. warp, sm: the model's, as they are now.
static inline void look(struct instruction *i, struct sm *sm, struct warp *warp) {
    const struct decoded *d;
    const struct divergence *threads = &warp->divergence;
    warp->pc = i->pc;
    warp->privates = i->privates;
    i->fault = FAULT_NONE;
    if (!issue_look(sm, warp, i->word, &d, &i->fault, &i->info) && i->fault == FAULT_NONE) abort();
    if (i->outside) {
        i->fault = FAULT_PROGRAM_BOUNDS;
        i->info = i->pc;
    } else if (i->fetch_fault != ANSWER_GOOD) {
        i->fault = i->fetch_fault == ANSWER_OUTSIDE ? FAULT_MEMORY_BOUNDS : FAULT_BUS_ERROR;
        i->info = i->addr & ~31u;
    }
    i->active = divergence_active(threads);
    i->exec = issue_exec(warp, &i->d);
    i->p1 = warp->predicates[i->o.p1 & 7] ^ ((i->o.p1 & 8) != 0 ? ALL : 0);
    i->p2 = warp->predicates[i->o.p2 & 7] ^ ((i->o.p2 & 8) != 0 ? ALL : 0);
    i->passes = i->o.passes;
    i->pred_wait = (i->pending & (i->d.preds | (1u << i->d.guard & 0x7F))) != 0;
    i->started = i->calling = i->pushed = i->failed = i->released = false;
    if (i->fault != FAULT_NONE) return;
    const uint32_t op = i->d.opcode;
    const bool whole = i->exec == i->active;
    const bool inside = (i->exec & threads->inside) != 0, keeps = warp->shares && inside;
    // What the warp does once it does without a thread as well.
    const bool smov = op == OP_SMOV || op == OP_SMOV_I;
    const bool once = (scalar_executes(op) && (i->active == 0 || !smov)) || (op == OP_SVSTART && i->active == 0);
    const bool kept = i->o.writes_reg || i->d.writes_preds != 0 || i->o.to_scalar;
    i->unit = unit_of(&i->d);
    if ((i->exec == 0 && !once) || (op == OP_YIELD && keeps) || (i->unit == UNIT_LANES && !kept)) i->unit = UNIT_NONE;
    i->yields = i->branch_yields = false;
    if (i->unit == UNIT_CONTROL || i->unit == UNIT_NONE) i->branch_yields = issue_branch_yields(warp, &i->d, i->exec);
    const bool branch = op == OP_JMP || (op == OP_BRA && i->d.mod == BRA_PLAIN);
    i->not_uniform = i->unit == UNIT_CONTROL &&
                     ((is_uniform(op, threads->trapped && branch) && !whole) || (op == OP_SVSTART && inside));
    // It waits for what is in flight: alone by itself, a branch when it divides the warp.
    // One that does no more than count does not.
    const bool nth = i->branch_yields || (op == OP_YIELD && i->d.mod == YIELD_NTH);
    const uint32_t most = i->branch_yields ? (uint32_t)TURNS_NTH : target_of(*i);
    const bool counts = nth && i->exec != 0 && !yield_counts_fire(&threads->yields, YIELD_NTH, most, i->exec);
    i->alone = (i->d.alone || i->branch_yields) && !counts && (i->unit != UNIT_NONE || i->exec != 0);
    i->alone = i->alone || (i->unit == UNIT_CONTROL && !whole);
    if (counts && whole && !issue_only_counts(warp, &i->d, i->exec)) abort();  // the model would not let it
}

// The pass that comes next, over all portions.
static inline uint32_t pass_of(const struct instruction &i) {
    return i.passes == 0 ? 0 : (uint32_t)__builtin_ctz(i.passes);
}

// A cycle of stage I. gathered: threads that have been called.
static inline struct answers answer(const struct instruction &i, const struct around &in, uint64_t gathered) {
    struct answers a = {};
    a.done = true;
    if (!i.valid) return a;
    const bool begun = i.started || i.calling || i.pushed || i.failed;
    const bool early = i.fault != FAULT_NONE;
    const uint32_t unit = early ? (uint32_t)UNIT_NONE : i.unit;
    const bool diverged = unit == UNIT_BARRIER && (i.exec != i.active || in.rest);
    const bool fails = unit == UNIT_CONTROL && i.d.opcode == OP_TFAIL && !i.not_uniform;
    const bool late = !early && (i.not_uniform || diverged || fails), found = early || late;
    const uint32_t late_code = diverged ? FAULT_BARRIER_DIVERGED
                               : fails  ? FAULT_CHILD_DEADLOCK
                                        : FAULT_ILLEGAL_INSTRUCTION;
    a.fault_code = early ? i.fault : late_code;
    a.trap_waits = !found && in.trap_busy && unit != UNIT_NONE && i.d.opcode == OP_TRAP;
    const bool undrained = (found || i.alone) && !in.drained;
    a.hazard = !begun && (in.faulted || undrained || a.trap_waits ||
                          (!early && (i.pred_wait || in.full || (unit != UNIT_NONE && in.score_wait))));
    a.fault = found && !a.hazard;
    a.work = !found && !a.hazard;
    // Where it waits: here, for what will be there in a moment.
    a.stays = a.hazard && ((undrained ? in.rests : in.lands) || !in.another) && !in.faulted && !a.trap_waits &&
              (early || !(i.pred_wait || in.score_again)) && !in.full;
    // Which unit, whether it is this warp's.
    const bool memory = unit == UNIT_MEMORY, control = unit == UNIT_CONTROL, launch = i.d.opcode == OP_LAUNCH;
    const bool free = launch       ? in.launch_turn && in.launch_free
                      : i.d.shared ? in.turn && in.shared_free
                                   : in.turn && in.mem_free;
    const bool both = !i.d.generic || (in.shared_free && in.shared_generic);
    const bool control_free = in.turn && in.control_ready;
    a.retry = (a.hazard && !a.stays) || (a.work && !begun && ((memory && !free) || (control && !control_free)));
    const bool scalar = scalar_executes(i.d.opcode), gathers = control && is_gathered(i), writes = call_writes(i);
    a.gather = gathers && !i.started;
    a.run = a.work && (unit == UNIT_LANES || (memory && (i.started || (free && both))) || (a.gather && control_free) ||
                       (writes && i.pushed && !early));
    a.pass = a.run && in.run_ready;
    a.last = (i.passes & (i.passes - 1)) == 0;
    a.pass_number = pass_of(i);
    a.control = a.work && control && !gathers && control_free && !i.calling && !i.pushed && !i.failed &&
                (!scalar || in.scalar_free);
    a.reserve = a.pass && a.gather;
    a.scalar = (a.work && unit == UNIT_SCALAR && in.scalar_free) || (a.control && scalar);
    a.go =
        a.work && !a.retry && !begun && (unit == UNIT_NONE || unit == UNIT_BARRIER || a.scalar || a.pass || a.control);
    a.goes_on = (unit == UNIT_LANES && !i.o.to_scalar && !reads_time(i.word)) || (memory && !launch);
    a.exec = i.o.to_scalar ? i.exec & (~i.exec + 1) : i.o.shuffle && !i.started ? ALL : i.exec;
    if (gathers && i.pushed) a.exec = gathered;
    a.instr = a.go || (late && a.fault && in.fault_taken);
    a.done = a.stays                                                ? false
             : a.fault                                              ? in.fault_taken
             : a.retry || unit == UNIT_NONE || unit == UNIT_BARRIER ? true
             : unit == UNIT_SCALAR                                  ? a.scalar
             : writes                                               ? (i.pushed ? a.pass : i.failed)
             : control && !gathers                                  ? a.control
                                                                    : a.pass && a.last;
    return a;
}

// The end of that cycle, when the instruction stays.
static inline void stay(struct instruction *i, const struct answers &a, bool control_done, bool control_fault) {
    if (i->calling && control_done) {
        i->calling = false;
        i->pushed = !control_fault;
        i->failed = control_fault;
    } else if ((a.control || a.reserve) && call_writes(*i)) {
        i->calling = true;
    }
    if (a.pass) {
        i->started = true;
        i->passes &= i->passes - 1;
    }
}

#endif
