// One instruction of one warp: looked at, then executed whole.
#include "sm_internal.h"

void warp_update_ready(struct sm *sm, uint32_t number) {
    const struct warp *warp = &sm->warps[number];
    const uint64_t bit = UINT64_C(1) << number;
    const bool held =
        warp->faulted || warp->at_barrier || warp->held || warp->children.left != 0 || warp->children.running != 0;
    sm->ready &= ~bit;
    sm->held &= ~bit;
    if (!warp->running) return;
    if (held) {
        sm->held |= bit;
    } else {
        sm->ready |= bit;
    }
}

bool warp_killed(const struct sm *sm, const struct warp *warp) {
    return warp_slot(sm, warp)->kill;
}

void warp_fault(struct sm *sm, uint32_t number, uint32_t code, uint32_t info, uint32_t pc) {
    struct warp *warp = &sm->warps[number];
    warp->faulted = true;
    warp->children.left = warp->children.running = 0;
    if (!sm->run->following) {
        warp->due = (struct due){0};
        warp->access.pending = 0;
    }
    warp_update_ready(sm, number);
    sm->wires.warp_fault(sm->wires.context, warp->slot, code, info, pc);
}

// Shared registers may be named only by threads of one portion that are in a sequence; no access has some of either.
static bool shared_bounds(const struct sm *sm, const struct warp *warp, const struct decoded *d) {
    const uint64_t active = divergence_active(&warp->divergence);
    if (d->registers_needed <= warp->privates) return true;
    if ((active & ~warp->divergence.inside) != 0) return false;
    if (active != 0 && (active & ~portion_mask(sm, (uint32_t)__builtin_ctzll(active) / sm->config->lanes)) != 0)
        return false;
    return d->rd >= warp->privates || d->rd + d->bytes / 4u <= warp->privates;
}

bool issue_look(struct sm *sm, const struct warp *warp, uint64_t word, const struct decoded **d, uint32_t *code,
                uint32_t *info) {
    struct decoded *entry = &sm->decoded[warp->pc % DECODE_ENTRIES];
    if (entry->word != word) decode(word, entry);
    *d = entry;
    *info = (uint32_t)word;
    if (!entry->legal) {
        *code = FAULT_ILLEGAL_INSTRUCTION;
        return false;
    }
    const bool trapped = warp->divergence.trapped;
    if (trapped ? entry->trap_never : entry->trap_only) {
        *code = FAULT_ILLEGAL_INSTRUCTION;
        return false;
    }
    if ((entry->trap_scalar && !trapped) || entry->registers_needed > warp_slot(sm, warp)->registers ||
        !shared_bounds(sm, warp, entry)) {
        *code = FAULT_REGISTER_BOUNDS;
        return false;
    }
    return true;
}

uint64_t issue_exec(const struct warp *warp, const struct decoded *d) {
    const uint64_t guard = warp->predicates[d->guard];
    return divergence_active(&warp->divergence) & (d->guard_negated ? ~guard : guard);
}

static void set_fault(struct warp *warp, uint32_t code, uint32_t info) {
    warp->due.fault = true;
    warp->due.fault_code = code;
    warp->due.fault_info = info;
}

static void note_write_back(struct warp *warp, const struct decoded *d, uint64_t exec) {
    if (isa_table[d->opcode].format == FORMAT_CARRY && (d->mod & 7u) != ISA_PT) warp->due.pwb[d->mod & 7u] = exec;
    if (d->registers != 0) {
        warp->due.wb[0] = exec;
    } else if (d->opcode == OP_R2P) {
        for (unsigned p = 0; p < ISA_PT; p++)
            warp->due.pwb[p] = ((d->imm >> p) & 1u) != 0 ? exec : 0;
    } else if (d->opcode == OP_PSETP || isa_table[d->opcode].format == FORMAT_CMP ||
               isa_table[d->opcode].format == FORMAT_FCMP) {
        if ((d->rd & 7u) != ISA_PT) warp->due.pwb[d->rd & 7u] = exec;
    }
}

static void execute_lanes(struct sm *sm, struct warp *warp, const struct decoded *d, uint64_t exec) {
    struct execute_state state = {
        .threads = sm->config->threads, .registers = warp->registers, .predicates = warp->predicates, .exec = exec};
    if (sm->run->inject == DEFECT_LANE_MASK && exec != sm->all_threads) {
        state.exec &= ~(UINT64_C(1) << (63 - __builtin_clzll(exec)));
        if (state.exec == 0) return;
    }
    if (d->opcode == OP_SRD) {
        uint32_t result[WARP_THREADS_MAX];
        const struct cta *cta = &sm->ctas[warp->cta];
        const struct trap_cta seen = {.record = cta->record, .alive = cta->warps - cta->ended};
        const uint32_t value = d->trap_scalar
                                   ? trap_read(&sm->trap, &warp->divergence, &seen, d->rb)
                                   : scalar_read(&warp->scalar_unit, d->rb, divergence_active(&warp->divergence));
        for (unsigned i = 0; i < state.threads; i++)
            result[i] = value;
        execute_write(&state, d->rd, result);
    } else if (d->opcode == OP_S2R) {
        uint32_t result[WARP_THREADS_MAX];
        special_value(sm, warp, d->imm, result);
        execute_write(&state, d->rd, result);
        warp->due.clock = d->imm == SR_CLOCK_LO || d->imm == SR_CLOCK_HI;
    } else if (sm->run->inject == 0) {
        execute_alu(d, &state);
    } else {
        uint32_t a[WARP_THREADS_MAX], b[WARP_THREADS_MAX];
        for (unsigned i = 0; i < state.threads; i++) {
            a[i] = execute_read(&state, d->ra)[i];
            b[i] = d->immediate ? d->imm : execute_read(&state, d->rb)[i];
        }
        execute_alu(d, &state);
        inject_alu(sm->run->inject, d, &state, a, b);
    }
}

static uint32_t control_target(const struct sm *sm, const struct warp *warp, const struct decoded *d, uint64_t exec,
                               uint64_t *group) {
    *group = exec;
    switch (d->opcode) {
        case OP_JMP:
        case OP_YIELD:
        case OP_JCAL: return d->imm & PROGRAM_COUNTER_MASK;
        case OP_TRET:
        case OP_TPUSH: return sm->trap.pc;
        case OP_BRX:
        case OP_JMX:
        case OP_JCALX:
        case OP_RET: {
            if (exec == 0) return 0;
            const uint32_t base = d->opcode == OP_RET ? 0 : d->opcode == OP_BRX ? warp->pc + 1u + d->imm : d->imm;
            const struct execute_state state = {.threads = sm->config->threads, .registers = warp->registers};
            const uint32_t *ra = execute_read(&state, d->ra);
            const uint32_t target = ra[__builtin_ctzll(exec)] & PROGRAM_COUNTER_MASK;
            for (uint64_t left = exec; left != 0; left &= left - 1) {
                const unsigned t = (unsigned)__builtin_ctzll(left);
                if ((ra[t] & PROGRAM_COUNTER_MASK) != target) *group &= ~(UINT64_C(1) << t);
            }
            return (target + base) & PROGRAM_COUNTER_MASK;
        }
        default: return (warp->pc + 1u + d->imm) & PROGRAM_COUNTER_MASK;
    }
}

// A RET to a register's value: the targets are gathered on the way, and the order of a sequence does not change with it.
// BRX, JMX and JCALX gather as well, but wake nobody, so it is the same what is said of them.
static bool returns_gathered(const struct decoded *d) {
    return d->opcode == OP_RET && d->ra != ISA_RZ;
}

// The shared registers are this portion's until it has come to the sequence's end: it does not yield.
static bool keeps_portion(const struct warp *warp, uint64_t exec) {
    return warp->shares && (exec & warp->divergence.inside) != 0;
}

bool issue_branch_yields(const struct warp *warp, const struct decoded *d, uint64_t exec) {
    return d->opcode == OP_BRA && d->mod == BRA_NTH && exec != 0 && exec == divergence_active(&warp->divergence) &&
           !keeps_portion(warp, exec);
}

bool issue_only_counts(const struct warp *warp, const struct decoded *d, uint64_t exec) {
    const struct divergence *divergence = &warp->divergence;
    if (d->opcode == OP_YIELD && keeps_portion(warp, exec)) return true;
    if (issue_branch_yields(warp, d, exec))
        return divergence_only_counts(divergence, OP_YIELD, YIELD_NTH, TURNS_NTH, exec);
    return divergence_only_counts(divergence, d->opcode, d->mod, d->imm & PROGRAM_COUNTER_MASK, exec);
}

bool issue_trap_waits(const struct sm *sm, const struct warp *warp, const struct decoded *d, uint64_t exec) {
    return d->opcode == OP_TRAP && exec != 0 && exec == divergence_active(&warp->divergence) && sm->trap.on;
}

// A branch in a trap that a part of the warp would take.
static bool trap_divides(const struct warp *warp, const struct decoded *d, uint64_t exec) {
    return warp->divergence.trapped && (d->opcode == OP_BRA || d->opcode == OP_JMP) && exec != 0 &&
           exec != divergence_active(&warp->divergence);
}

// TFAIL, by all threads of the trap or by a part of them.
static void trap_fails(const struct sm *sm, struct warp *warp, const struct decoded *d, uint64_t exec) {
    if (exec == divergence_active(&warp->divergence)) {
        set_fault(warp, FAULT_CHILD_DEADLOCK, warp_slot(sm, warp)->tmd);
    } else {
        set_fault(warp, FAULT_ILLEGAL_INSTRUCTION, (uint32_t)d->word);
    }
}

// What an instruction of a trap, which has been executed, changes in it.
static void trap_note(struct sm *sm, uint32_t number, const struct decoded *d, const struct divergence_result *result) {
    struct warp *warp = &sm->warps[number];
    struct trap *trap = &sm->trap;
    switch (d->opcode) {
        case OP_TRAP:
            trap->on = warp->divergence.trapped = true;
            trap->saved = false;
            trap->warp = number;
            trap->pc = (warp->pc + 1u) & PROGRAM_COUNTER_MASK;
            return;
        case OP_TRET: trap->on = warp->divergence.trapped = false; return;
        case OP_TLEAVE: trap->saved = true; return;
        case OP_TPOP:
            trap->popped.kind = KIND_NONE;
            if (result->took) trap->popped = result->popped;
            return;
        default: return;
    }
}

static void execute_control(struct sm *sm, uint32_t number, const struct decoded *d, uint64_t exec,
                            const struct subvector_answer *order) {
    struct warp *warp = &sm->warps[number];
    struct divergence_request request = {.opcode = d->opcode,
                                         .pc = warp->pc,
                                         .exec = exec,
                                         .mod = d->mod,
                                         .second = order->second,
                                         .watch = order->watch && !returns_gathered(d),
                                         .serve = sm->wires.settings->deque_serve};
    struct divergence_result result;
    if (trap_divides(warp, d, exec)) {
        set_fault(warp, FAULT_ILLEGAL_INSTRUCTION, (uint32_t)d->word);
        return;
    }
    if (d->opcode == OP_TFAIL && exec != 0) {
        trap_fails(sm, warp, d, exec);
        return;
    }
    request.target = control_target(sm, warp, d, exec, &request.group);
    if (issue_branch_yields(warp, d, exec)) {
        request.opcode = OP_YIELD;
        request.mod = YIELD_NTH;
        request.pc = request.target - 1;
        request.target = TURNS_NTH;
    }
    divergence_execute(&warp->divergence, &request, &result);
    inject_tokens(sm->run->inject, warp);
    warp->due.tokens = warp->divergence.move_count;
    if (!sm->run->following && warp->divergence.inside == 0) subvector_leave(&sm->subvector, number);
    if (result.fault != FAULT_NONE) {
        if (result.took) trap_note(sm, number, d, &result);
        set_fault(warp, result.fault, result.fault == FAULT_ILLEGAL_INSTRUCTION ? (uint32_t)d->word : number);
        return;
    }
    if (result.held) {  // it is executed again
        warp->due.hold = true;
        return;
    }
    if (d->registers != 0 && exec != 0) {  // the return address of a call
        uint32_t next[WARP_THREADS_MAX];
        const struct execute_state state = {
            .threads = sm->config->threads, .registers = warp->registers, .exec = request.group};
        for (unsigned i = 0; i < state.threads; i++)
            next[i] = (warp->pc + 1u) & PROGRAM_COUNTER_MASK;
        execute_write(&state, d->rd, next);
        register_file_share(sm, warp, d->rd, 1, request.group);
        warp->due.wb[0] = request.group;
    }
    if (exec != 0) trap_note(sm, number, d, &result);
    warp->pc = result.pc;
    warp->due.end = result.ended;
}

// SVSTART that is legal and that some thread executes: which order is asked first.
static bool asks_order(const struct warp *warp, const struct decoded *d, uint64_t exec) {
    return d->opcode == OP_SVSTART && exec != 0 && exec == divergence_active(&warp->divergence) &&
           (exec & warp->divergence.inside) == 0;
}

void issue_order(struct sm *sm, uint32_t number, struct trace_event *event) {
    struct warp *warp = &sm->warps[number];
    const struct task_slot *slot = warp_slot(sm, warp);
    struct decoded d;
    decode(warp->due.word, &d);
    const struct subvector_request request = {.warp = number,
                                              .channel = slot->channel,
                                              .address = slot->region + 8 * warp->pc,
                                              .mod = d.mod,
                                              .setting = sm->wires.settings->sv_order,
                                              .threshold = sm->wires.settings->sv_threshold,
                                              .shares = warp->shares};
    const struct subvector_answer order = subvector_start(&sm->subvector, &request);
    event->kind = TRACE_SV_MODE;
    event->sv_mode = (struct trace_sv_mode){.warp = number, .region = order.region, .second = order.second};
    warp->due.order = false;
    execute_control(sm, number, &d, divergence_active(&warp->divergence), &order);
}

static void note_scalar_write(struct warp *warp, const struct scalar_result *result) {
    warp->due.swb = result->writes;
    warp->due.swb_pair = result->pair;
    warp->due.swb_rd = result->rd;
}

static void execute_scalar(struct warp *warp, const struct decoded *d, uint64_t exec) {
    const uint64_t active = divergence_active(&warp->divergence);
    const uint32_t next = (warp->pc + 1u) & PROGRAM_COUNTER_MASK;
    const bool loop = d->opcode == OP_SVLOOP_BEGIN || d->opcode == OP_SVLOOP_END;
    if (loop && exec != active) {
        set_fault(warp, FAULT_ILLEGAL_INSTRUCTION, (uint32_t)d->word);
        return;
    }
    const struct scalar_request request = {.word = d->word, .active = active, .exec = exec};
    struct scalar_result result;
    scalar_execute(&warp->scalar_unit, &request, &result);
    scalar_write(&warp->scalar_unit, &result);
    note_scalar_write(warp, &result);
    warp->pc = result.taken ? (next + d->imm) & PROGRAM_COUNTER_MASK : next;
    if (!result.writes_exec) return;
    const struct divergence_request control = {
        .opcode = d->opcode, .pc = warp->instr_pc, .exec = exec, .target = warp->pc, .group = result.wanted};
    struct divergence_result done;
    divergence_execute(&warp->divergence, &control, &done);
}

void issue_write_trap(struct sm *sm, uint32_t number, uint32_t reg, uint32_t value) {
    if (reg == SCALAR_TPC) {
        sm->trap.pc = value & PROGRAM_COUNTER_MASK;
    } else {
        cta_launcher_write(&sm->ctas[sm->warps[number].cta], reg, value);
    }
}

static void execute_to_scalar(struct sm *sm, struct warp *warp, const struct decoded *d, uint64_t exec) {
    const struct execute_state state = {.threads = warp->divergence.threads, .registers = warp->registers};
    const struct scalar_result result = {
        .writes = true, .rd = d->rd, .data = execute_read(&state, d->ra)[__builtin_ctzll(exec)]};
    if (d->trap_scalar) {
        warp->due.swb_trap = (uint32_t)result.data;
        if (!sm->run->following) issue_write_trap(sm, (uint32_t)(warp - sm->warps), d->rd, (uint32_t)result.data);
    } else {
        scalar_write(&warp->scalar_unit, &result);
    }
    note_scalar_write(warp, &result);
}

// The whole instruction, or of a generic one the threads whose address is in shared memory.
static void execute_shared(struct sm *sm, struct warp *warp, const struct decoded *d, uint64_t exec) {
    uint32_t code, info;
    if (!shared_memory_execute(sm, warp, d, exec, &code, &info)) {
        set_fault(warp, code, info);
    } else if (!d->store) {
        register_file_share(sm, warp, d->rd, d->registers, exec);
        for (unsigned i = 0; i < d->registers; i++)
            warp->due.wb[i] = exec;
    }
}

void issue_execute(struct sm *sm, uint32_t number, const struct decoded *d, uint64_t exec) {
    struct warp *warp = &sm->warps[number];
    const uint32_t next = (warp->pc + 1u) & PROGRAM_COUNTER_MASK;
    sm->run->counters.warp_instructions++;
    sm->issued++;
    sm->run->counters.thread_instructions += (uint64_t)__builtin_popcountll(exec);
    warp->instr_pc = warp->pc;
    // Behind an instruction of lanes or memory the RTL fetches the next one ahead.
    warp->fetched_since = d->alu || d->bytes != 0 ? warp->fetched_last : sm->fetch_cache.time;
    warp->fetched_last = sm->fetch_cache.time;
    warp->serial++;
    if (sm_records(sm)) {
        warp->due = (struct due){.exec = exec, .rd = d->rd, .registers = d->registers, .memory = d->bytes != 0};
    } else {
        warp->due.order = false;
        warp->due.token = warp->due.tokens = 0;
        warp->due.end = warp->due.fault = warp->due.hold = warp->due.swb = false;  // nobody asks for the rest
    }
    if (d->opcode == OP_YIELD && keeps_portion(warp, exec)) {
        warp->pc = next;
        return;
    }
    if (asks_order(warp, d, exec)) {
        warp->due.order = true;
        warp->due.word = d->word;
        return;
    }
    if (divergence_executes(d->opcode)) {
        if (exec != 0 && d->opcode == OP_BRA && d->mod == BRA_TURN)
            subvector_turn(&sm->subvector, number, warp->divergence.reason[KIND_PORTION] != 0);
        const struct subvector_answer order = subvector_order(&sm->subvector, number);
        execute_control(sm, number, d, exec, &order);
        return;
    }
    if (scalar_executes(d->opcode)) {
        execute_scalar(warp, d, exec);
        return;
    }
    warp->pc = next;
    if (exec == 0) return;
    if (d->opcode == OP_R2S) execute_to_scalar(sm, warp, d, exec);
    if (d->alu) {
        execute_lanes(sm, warp, d, exec);
        if (d->registers != 0) register_file_share(sm, warp, d->rd, 1, exec);
        if (sm_records(sm)) note_write_back(warp, d, exec);
    } else if (d->shared) {
        execute_shared(sm, warp, d, exec);
    } else if (d->bytes != 0) {
        uint32_t code, info;
        if (d->local) sm->run->counters.local_accesses += (uint64_t)__builtin_popcountll(exec);
        warp->due.shared = 0;
        if (!load_store_begin(sm, warp, d, exec, &code, &info)) {
            set_fault(warp, code, info);
        } else if (warp->due.shared != 0) {
            execute_shared(sm, warp, d, warp->due.shared);
        }
        warp->access.region = d->opcode == OP_LDC ? SUBVECTOR_NONE : subvector_order(&sm->subvector, number).region;
    } else if (d->opcode == OP_LAUNCH) {
        child_launch_begin(sm, warp, d, exec);
        warp_update_ready(sm, number);
    } else if (d->opcode == OP_BAR) {
        if (exec == divergence_live(&warp->divergence)) {
            barrier_arrive(sm, number);
        } else {
            set_fault(warp, FAULT_BARRIER_DIVERGED, (uint32_t)divergence_active(&warp->divergence));
        }
    }
    // NOP, and MEMBAR: the memory operations of earlier instructions have been performed before this one is issued.
}
