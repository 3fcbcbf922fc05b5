// One instruction of one warp, held against the rules said once more: random warps, words of every opcode, alone unseen,
// alone traced and in tandem. What units below do (lanes, control, memory, shared memory, ..) they are asked for on a
// second SM; which of them is asked, with what, and what comes of it, is what is shown here.
#include "issue_world.h"

// ---- the rules
static uint64_t active(void) {
    return divergence_active(&own->divergence);
}
static uint32_t after(uint32_t pc) {
    return pc == PROGRAM_COUNTER_MASK ? 0 : pc + 1;
}
static void faults(uint32_t code, uint32_t info) {
    own->due.fault = true;
    own->due.fault_code = code;
    own->due.fault_info = info;
}
static bool keeps(uint64_t exec) {
    return own->shares && (exec & own->divergence.inside) != 0;
}
static bool whole(uint64_t exec) {
    return exec != 0 && exec == active();
}
static bool yields(const struct decoded *d, uint64_t exec) {
    return d->opcode == OP_BRA && d->mod == BRA_NTH && whole(exec) && !keeps(exec);
}
static bool indirect(uint32_t opcode) {
    return opcode == OP_BRX || opcode == OP_JMX || opcode == OP_JCALX || opcode == OP_RET;
}

static uint32_t target(const struct decoded *d, uint64_t exec, uint64_t *group) {
    const uint32_t opcode = d->opcode, threads = is.sm->config->threads;
    *group = exec;
    if (opcode == OP_JMP || opcode == OP_YIELD || opcode == OP_JCAL) return d->imm & PROGRAM_COUNTER_MASK;
    if (opcode == OP_TRET || opcode == OP_TPUSH) return must.sm->trap.pc;
    if (!indirect(opcode)) return (own->pc + 1 + d->imm) & PROGRAM_COUNTER_MASK;
    if (exec == 0) return 0;
    uint32_t first = UINT32_MAX;
    for (uint32_t t = 0; t < threads; t++) {
        const uint32_t to = d->ra == ISA_RZ ? 0 : own->registers[d->ra * threads + t] % (PROGRAM_COUNTER_MASK + 1);
        if ((exec >> t & 1u) == 0) continue;
        if (first == UINT32_MAX) first = to;
        if (to != first) *group -= UINT64_C(1) << t;
    }
    if (opcode == OP_BRX) first += own->pc + 1;
    return (first + (opcode == OP_RET ? 0 : d->imm)) & PROGRAM_COUNTER_MASK;
}

static void want_trap(uint32_t opcode, const struct divergence_result *result) {
    struct trap *trap = &must.sm->trap;
    if (opcode == OP_TRAP) {
        own->divergence.trapped = true;
        *trap = (struct trap){.on = true, .warp = number, .pc = after(own->pc), .popped = trap->popped};
    }
    if (opcode == OP_TRET) own->divergence.trapped = trap->on = false;
    if (opcode == OP_TLEAVE) trap->saved = true;
    if (opcode == OP_TPOP) trap->popped.kind = KIND_NONE;
    if (opcode == OP_TPOP && result->took) trap->popped = result->popped;
}

static void want_control(const struct decoded *d, uint64_t exec, const struct subvector_answer *order) {
    const uint32_t opcode = d->opcode, threads = is.sm->config->threads;
    struct divergence_result result;
    if (own->divergence.trapped && (opcode == OP_BRA || opcode == OP_JMP) && exec != 0 && !whole(exec)) {
        faults(FAULT_ILLEGAL_INSTRUCTION, (uint32_t)d->word);
        return;
    }
    if (opcode == OP_TFAIL && exec != 0) {
        if (whole(exec)) {
            faults(FAULT_CHILD_DEADLOCK, must.slot[own->slot].tmd);
        } else {
            faults(FAULT_ILLEGAL_INSTRUCTION, (uint32_t)d->word);
        }
        return;
    }
    struct divergence_request q = {
        .opcode = opcode, .pc = own->pc, .exec = exec, .mod = d->mod, .serve = is.settings.deque_serve};
    q.target = target(d, exec, &q.group);
    q.second = order->second;
    q.watch = order->watch && !(indirect(opcode) && d->ra != ISA_RZ);
    if (yields(d, exec)) {
        q.opcode = OP_YIELD;
        q.mod = YIELD_NTH;
        q.pc = q.target - 1;
        q.target = TURNS_NTH;
    }
    divergence_execute(&own->divergence, &q, &result);
    own->due.tokens = own->divergence.move_count;
    if (!is.run.following && own->divergence.inside == 0) must.sm->subvector.warp[number].inside = false;
    if (result.fault == FAULT_NONE && result.held) {
        own->due.hold = true;
        return;
    }
    if (result.fault == FAULT_NONE && d->registers != 0) {  // where it comes back to
        for (uint32_t t = 0; t < threads && exec != 0; t++) {
            if ((q.group >> t & 1u) != 0) own->registers[d->rd * threads + t] = after(own->pc);
        }
        if (exec != 0) register_file_share(must.sm, own, d->rd, 1, q.group);
        if (exec != 0) own->due.wb[0] = q.group;
    }
    if (result.fault != FAULT_NONE ? result.took : exec != 0) want_trap(opcode, &result);
    if (result.fault != FAULT_NONE) {
        faults(result.fault, result.fault == FAULT_ILLEGAL_INSTRUCTION ? (uint32_t)d->word : number);
        return;
    }
    own->pc = result.pc;
    own->due.end = result.ended;
}

static void want_scalar(const struct decoded *d, uint64_t exec) {
    const uint32_t opcode = d->opcode, next = after(own->pc);
    if ((opcode == OP_SVLOOP_BEGIN || opcode == OP_SVLOOP_END) && exec != active()) {
        faults(FAULT_ILLEGAL_INSTRUCTION, (uint32_t)d->word);
        return;
    }
    struct scalar_result result;
    const struct scalar_request request = {.word = d->word, .active = active(), .exec = exec};
    scalar_execute(&own->scalar_unit, &request, &result);
    scalar_write(&own->scalar_unit, &result);
    own->due.swb = result.writes;
    own->due.swb_pair = result.pair;
    own->due.swb_rd = result.rd;
    own->pc = result.taken ? (next + d->imm) & PROGRAM_COUNTER_MASK : next;
    if (!result.writes_exec) return;
    struct divergence_result done;
    const struct divergence_request q = {
        .opcode = opcode, .pc = own->instr_pc, .exec = exec, .target = own->pc, .group = result.wanted};
    divergence_execute(&own->divergence, &q, &done);
}

static void want_to_scalar(const struct decoded *d, uint64_t exec) {
    const uint32_t threads = is.sm->config->threads, lowest = (uint32_t)__builtin_ctzll(exec);
    const uint32_t value = d->ra == ISA_RZ ? 0 : own->registers[d->ra * threads + lowest];
    own->due.swb = true;
    own->due.swb_pair = false;
    own->due.swb_rd = d->rd;
    if (!d->trap_scalar) {
        own->scalar_unit.scalars[d->rd] = value;
        return;
    }
    own->due.swb_trap = value;
    if (is.run.following) return;
    if (d->rd == SCALAR_TPC) {
        must.sm->trap.pc = value & PROGRAM_COUNTER_MASK;
    } else {
        cta_launcher_write(&must.sm->ctas[own->cta], d->rd, value);
    }
}

// With what a deliberate defect of a lane makes of it.
static void execute_whole(const struct decoded *d, const struct execute_state *state) {
    uint32_t a[WARP_THREADS_MAX], b[WARP_THREADS_MAX];
    for (uint32_t t = 0; t < state->threads; t++) {
        a[t] = d->ra == ISA_RZ ? 0 : own->registers[d->ra * state->threads + t];
        b[t] = d->immediate ? d->imm : d->rb == ISA_RZ ? 0 : own->registers[d->rb * state->threads + t];
    }
    execute_alu(d, state);
    inject_alu(is.run.inject, d, state, a, b);
}

static void want_results(const struct decoded *d, uint64_t exec) {
    const uint32_t opcode = d->opcode;
    const uint64_t highest = UINT64_C(1) << (63 - __builtin_clzll(exec));
    if (is.run.inject == DEFECT_LANE_MASK && exec != is.sm->all_threads) exec -= highest;
    if (exec == 0) return;
    const struct execute_state state = {
        .threads = is.sm->config->threads, .registers = own->registers, .predicates = own->predicates, .exec = exec};
    uint32_t result[WARP_THREADS_MAX];
    if (opcode == OP_SRD) {
        const struct cta *cta = &must.sm->ctas[own->cta];
        const struct trap_cta seen = {.record = cta->record, .alive = cta->warps - cta->ended};
        for (uint32_t t = 0; t < state.threads; t++)
            result[t] = d->trap_scalar ? trap_read(&must.sm->trap, &own->divergence, &seen, d->rb)
                                       : scalar_read(&own->scalar_unit, d->rb, active());
    } else if (opcode == OP_S2R) {
        special_value(must.sm, own, d->imm, result);
        if (d->imm == SR_CLOCK_LO || d->imm == SR_CLOCK_HI) own->due.clock = true;
    } else {
        execute_whole(d, &state);
    }
    if (opcode == OP_SRD || opcode == OP_S2R) execute_write(&state, d->rd, result);
}

static void want_lanes(const struct decoded *d, uint64_t exec) {
    const uint32_t opcode = d->opcode;
    want_results(d, exec);
    if (d->registers != 0) register_file_share(must.sm, own, d->rd, 1, exec);
    // What is written.
    const enum isa_format format = isa_table[opcode].format;
    uint32_t predicates = format == FORMAT_CARRY ? 1u << (d->mod & 7u) : 0;
    if (opcode == OP_R2P) predicates = d->imm;
    if (opcode == OP_PSETP || format == FORMAT_CMP || format == FORMAT_FCMP) predicates = 1u << (d->rd & 7u);
    for (uint32_t p = 0; p < ISA_PT; p++) {
        if ((predicates >> p & 1u) != 0) own->due.pwb[p] = exec;
    }
    if (d->registers != 0) own->due.wb[0] = exec;
}

static void want_shared(const struct decoded *d, uint64_t exec) {
    uint32_t code, info;
    if (!shared_memory_execute(must.sm, own, d, exec, &code, &info)) {
        faults(code, info);
    } else if (!d->store) {
        register_file_share(must.sm, own, d->rd, d->registers, exec);
        for (uint32_t i = 0; i < d->registers; i++)
            own->due.wb[i] = exec;
    }
}

static void want_memory(const struct decoded *d, uint64_t exec) {
    uint32_t code, info;
    if (d->local) must.run.counters.local_accesses += (uint64_t)__builtin_popcountll(exec);
    own->due.shared = 0;
    if (!load_store_begin(must.sm, own, d, exec, &code, &info)) {
        faults(code, info);
    } else if (own->due.shared != 0) {
        want_shared(d, own->due.shared);
    }
    own->access.region = d->opcode == OP_LDC ? SUBVECTOR_NONE : subvector_order(&must.sm->subvector, number).region;
}

static bool asks(const struct decoded *d, uint64_t exec) {
    return d->opcode == OP_SVSTART && whole(exec) && (exec & own->divergence.inside) == 0;
}

static void want(const struct decoded *d, uint64_t exec) {
    const uint32_t opcode = d->opcode;
    must.run.counters.warp_instructions++;
    must.run.counters.thread_instructions += (uint64_t)__builtin_popcountll(exec);
    must.sm->issued++;
    own->instr_pc = own->pc;
    own->fetched_since = d->alu || d->bytes != 0 ? own->fetched_last : must.sm->fetch_cache.time;
    own->fetched_last = must.sm->fetch_cache.time;
    own->serial++;
    own->due = (struct due){.exec = exec, .rd = d->rd, .registers = d->registers, .memory = d->bytes != 0};
    if (opcode == OP_YIELD && keeps(exec)) {
        own->pc = after(own->pc);
    } else if (asks(d, exec)) {
        own->due.order = true;
        own->due.word = d->word;
    } else if (divergence_executes(opcode)) {
        if (exec != 0 && opcode == OP_BRA && d->mod == BRA_TURN)
            subvector_turn(&must.sm->subvector, number, own->divergence.reason[KIND_PORTION] != 0);
        const struct subvector_answer order = subvector_order(&must.sm->subvector, number);
        want_control(d, exec, &order);
    } else if (scalar_executes(opcode)) {
        want_scalar(d, exec);
    } else {
        own->pc = after(own->pc);
        if (exec == 0) return;
        if (opcode == OP_R2S) {
            want_to_scalar(d, exec);
        } else if (d->alu) {
            want_lanes(d, exec);
        } else if (d->shared) {
            want_shared(d, exec);
        } else if (d->bytes != 0) {
            want_memory(d, exec);
        } else if (opcode == OP_LAUNCH) {
            child_launch_begin(must.sm, own, d, exec);
            warp_update_ready(must.sm, number);
        } else if (opcode == OP_BAR && exec == divergence_live(&own->divergence)) {
            barrier_arrive(must.sm, number);
        } else if (opcode == OP_BAR) {
            faults(FAULT_BARRIER_DIVERGED, (uint32_t)active());
        }
    }
}

static uint32_t want_look(const struct decoded *d) {
    const bool trapped = own->divergence.trapped;
    const uint64_t on = active(), lanes = portion_mask(is.sm, 0);
    bool portion = on == 0;  // all active threads are of one
    if (!d->legal || (trapped ? d->trap_never : d->trap_only)) return FAULT_ILLEGAL_INSTRUCTION;
    if ((d->trap_scalar && !trapped) || d->registers_needed > is.slot[own->slot].registers)
        return FAULT_REGISTER_BOUNDS;
    if (d->registers_needed <= own->privates) return FAULT_NONE;
    for (uint32_t p = 0; p < is.sm->portions; p++)
        portion = portion || (on & ~(lanes << (p * is.sm->config->lanes))) == 0;
    if (!portion || (on & ~own->divergence.inside) != 0) return FAULT_REGISTER_BOUNDS;
    for (uint32_t r = 1; r < d->bytes / 4u && d->rd != ISA_RZ; r++) {  // all of them private, or shared
        if ((d->rd < own->privates) != (d->rd + r < own->privates)) return FAULT_REGISTER_BOUNDS;
    }
    return FAULT_NONE;
}

// ---- words
static uint32_t named(void) {
    return one_of(6) ? ISA_RZ : below(NAMED);
}

static uint64_t random_word(uint32_t opcode) {
    uint32_t rd = named(), high = named() | named() << 8 | (one_of(2) ? 0 : 4 * below(8)) << 16;
    if (opcode == OP_R2S) rd = one_of(2) ? below(ISA_SCALARS) : SCALAR_TPC + below(9);
    if (opcode == OP_SRD)
        high = one_of(6)   ? SCALAR_CTA_ALIVE
               : one_of(3) ? below(ISA_SCALARS)
               : one_of(3) ? SCALAR_EXEC_LO + below(2)
                           : SCALAR_TPC + below(17);
    else if (opcode == OP_YIELD)
        high = below(4) | below(2) << (22 + below(10));
    else if (opcode == OP_S2R)
        high = below(18);
    else if (isa_table[opcode].immediate || one_of(2))
        high = one_of(3) ? below(20) : one_of(3) ? (uint32_t)random_bits(&seed) : 8 * below(8);
    const uint32_t guard = one_of(2) ? ISA_PT : below(8);
    return (uint64_t)high << 32 | (uint64_t)below(one_of(4) ? 16 : 4) << 28 | (uint64_t)named() << 20 |
           (uint64_t)rd << 12 | (uint64_t)one_of(guard == ISA_PT ? 16 : 2) << 11 | (uint64_t)guard << 8 | opcode;
}

static uint64_t want_exec(const struct decoded *d) {
    uint64_t exec = 0;
    for (uint32_t t = 0; t < is.sm->config->threads; t++) {
        const bool holds = (own->predicates[d->guard] >> t & 1u) != d->guard_negated;
        if (holds) exec |= active() & UINT64_C(1) << t;
    }
    return exec;
}

static void narrow(void) {  // one portion, in a sequence
    struct divergence *d = &warp->divergence;
    const uint32_t portion = below(is.sm->portions);
    d->trapped = false;
    d->reason[KIND_PORTION] |= d->reason[KIND_NONE] & ~portion_mask(is.sm, portion);
    d->reason[KIND_NONE] &= portion_mask(is.sm, portion);
    d->inside |= d->reason[KIND_NONE];
    if (one_of(8)) d->inside &= ~(d->inside & (0 - d->inside));
}

static void check_word(uint32_t opcode, enum way way, uint32_t *executed) {
    struct decoded d;
    const struct decoded *seen;
    uint32_t code = FAULT_NONE, info = 0;
    const uint64_t word = random_word(opcode);
    char what[80];
    snprintf(what, sizeof what, "%s %016" PRIx64 " way %d", isa_table[opcode].mnemonic, word, (int)way);
    decode(word, &d);
    random_warp();
    if (one_of(3)) narrow();
    if (opcode == OP_SVSTART && !one_of(3)) {  // it asks for its order
        warp->divergence.inside = one_of(2) ? 0 : is.sm->all_threads & ~warp->divergence.reason[KIND_NONE];
        warp->divergence.trapped = false;
    }
    if (d.generic && d.ra != ISA_RZ && one_of(3)) {  // the first thread alone, in shared memory
        struct divergence *control = &warp->divergence;
        memset(control->reason, 0, sizeof control->reason);
        control->trapped = false;
        control->reason[KIND_NONE] = 1;
        control->reason[KIND_HELD] = is.sm->all_threads - 1;
        warp->registers[d.ra * is.sm->config->threads] = (uint32_t)WINDOW_SHARED << 24 | 16;
    }
    if ((opcode == OP_SRD || opcode == OP_R2S) && one_of(2)) warp->divergence.trapped = true;
    if (opcode == OP_RET && one_of(2)) {  // its token stands, behind that of portions which wait
        struct divergence *control = &warp->divergence;
        struct token_move move;
        token_deque_reset(&control->token_deque);
        control->token_deque.failed = control->trapped = false;
        (void)token_deque_push_front(&control->token_deque, KIND_RET, is.sm->all_threads, 3, &move);
        (void)token_deque_push_front(&control->token_deque, KIND_PORTION, is.sm->all_threads, 4, &move);
    }
    if (opcode == OP_JCALX || opcode == OP_SVSTART) warp->divergence.resumed = one_of(3);
    mirror(way);
    const uint32_t fault = want_look(&d);
    cr_assert_eq(issue_look(is.sm, warp, word, &seen, &code, &info), fault == FAULT_NONE, "%s: %u", what, fault);
    cr_assert_eq(seen->word, word);
    cr_assert(info == (uint32_t)word && code == fault, "%s: %u, not %u", what, code, fault);
    if (fault != FAULT_NONE) return;
    const uint64_t exec = issue_exec(warp, &d);
    cr_assert_eq(exec, want_exec(&d), "%s", what);
    cr_assert_eq(issue_branch_yields(warp, &d, exec), yields(&d, exec), "%s", what);
    const bool counts =
        yields(&d, exec)
            ? divergence_only_counts(&own->divergence, OP_YIELD, YIELD_NTH, TURNS_NTH, exec)
            : (opcode == OP_YIELD && keeps(exec)) ||
                  divergence_only_counts(&own->divergence, opcode, d.mod, d.imm & PROGRAM_COUNTER_MASK, exec);
    cr_assert_eq(issue_only_counts(warp, &d, exec), counts, "%s", what);
    cr_assert_eq(issue_trap_waits(is.sm, warp, &d, exec), opcode == OP_TRAP && whole(exec) && is.sm->trap.on, "%s",
                 what);
    want(&d, exec);
    issue_execute(is.sm, number, &d, exec);
    check(way, what);
    ++*executed;
    if (!warp->due.order) return;
    struct trace_event event;
    const struct subvector_answer order = subvector_start(
        &must.sm->subvector, &(struct subvector_request){.warp = number,
                                                         .channel = own->slot,
                                                         .address = REGION + 0x100 * own->slot + 8 * own->pc,
                                                         .mod = d.mod,
                                                         .setting = is.settings.sv_order,
                                                         .threshold = is.settings.sv_threshold,
                                                         .shares = own->shares});
    own->due.order = false;
    want_control(&d, active(), &order);
    issue_order(is.sm, number, &event);
    check(way, what);
    cr_assert(event.kind == TRACE_SV_MODE && event.sv_mode.warp == number && event.sv_mode.region == order.region &&
              event.sv_mode.second == order.second);
}

static void check_all(const char *config) {
    static const unsigned defects[] = {1, DEFECT_LANE_MASK, DEFECT_CARRY, DEFECT_UMAX_SIGNED, DEFECT_SHIFT_AMOUNT};
    uint32_t opcodes = 0;
    begin(config);
    for (uint32_t opcode = 0; opcode < 256; opcode++) {
        uint32_t executed = 0;
        const uint32_t defective = opcode & 0x7Fu;  // with an immediate or without
        const bool often = divergence_executes(opcode) || scalar_executes(opcode) || opcode == OP_SRD ||
                           opcode == OP_S2R || opcode == OP_R2S || opcode == OP_LD || opcode == OP_ST ||
                           defective == OP_IADD || defective == OP_UMAX || defective == OP_SAR;
        const uint32_t words = !isa_table[opcode].built ? 0 : often ? 5 * WORDS : WORDS;
        for (uint32_t i = 0; i < words; i++) {
            is.run.inject = one_of(3) ? defects[below(5)] : 0;
            check_word(opcode, (enum way)(i % WAYS), &executed);
        }
        opcodes += executed > 0;
    }
    cr_assert_gt(opcodes, 100, "%u", opcodes);
    end();
}

Test(issue, nano, .description = "TD-5 SV-4 TU-12 what every instruction does to its warp, of 32 threads [model]") {
    check_all("nano");
}
Test(issue, full, .description = "TD-5 SV-4 TU-12 what every instruction does to its warp, of 64 threads [model]") {
    check_all("full");
}

Test(issue, bounds, .description = "SV-4 TU-12 which registers a warp may name [model]") {
    begin("small");
    random_warp();
    for (uint32_t turn = 0; turn < 60000; turn++) {
        static const uint32_t opcodes[] = {OP_LDG, OP_STS, OP_LD, OP_ATOMG, OP_IADD, OP_SRD, OP_R2S};
        struct divergence *d = &warp->divergence;
        const uint32_t opcode = opcodes[below(7)];
        uint64_t word = random_word(opcode);
        struct decoded decoded;
        const struct decoded *seen;
        uint32_t code = FAULT_NONE, info;
        if (one_of(2)) word &= ~UINT64_C(0x3000);  // a wide access of rd to rd + 3
        decode(word, &decoded);
        d->trapped = one_of(8);
        d->reason[KIND_NONE] = one_of(8) ? 0 : UINT64_C(1) << below(32) | (one_of(2) ? UINT64_C(1) << below(32) : 0);
        d->inside = one_of(8) ? some_of(d->reason[KIND_NONE]) : d->reason[KIND_NONE];
        warp->slot = below(SLOTS);
        warp->privates = below(NAMED + 1);
        warp->pc = below(2) * DECODE_ENTRIES + below(4);
        own->divergence.trapped = d->trapped;
        own->divergence.reason[KIND_NONE] = d->reason[KIND_NONE];
        own->divergence.inside = d->inside;
        own->slot = warp->slot;
        own->privates = warp->privates;
        const uint32_t fault = want_look(&decoded);
        cr_assert_eq(issue_look(is.sm, warp, word, &seen, &code, &info), fault == FAULT_NONE, "%016" PRIx64, word);
        cr_assert(code == fault && seen->word == word, "%016" PRIx64, word);
    }
    end();
}

Test(issue, ready, .description = "which warps can issue, and which are held [model]") {
    begin("nano");
    for (uint32_t i = 0; i < 64; i++) {
        for (uint64_t before = 0; before < 4; before++) {
            random_warp();
            warp->running = (i & 1) != 0;
            warp->faulted = (i & 2) != 0;
            warp->at_barrier = (i & 4) != 0;
            warp->held = (i & 8) != 0;
            warp->children.left = (i & 16) != 0 ? 6 : 0;
            warp->children.running = (i & 32) != 0 ? 3 : 0;
            const uint64_t bit = UINT64_C(1) << number, others = 0x50;
            is.sm->ready = others | ((before & 1) != 0 ? bit : 0);
            is.sm->held = others | ((before & 2) != 0 ? bit : 0);
            warp_update_ready(is.sm, number);
            cr_assert_eq(is.sm->ready, others | (i == 1 ? bit : 0));
            cr_assert_eq(is.sm->held, others | ((i & 1) != 0 && i > 1 ? bit : 0));
            is.slot[warp->slot].kill = before == 0;
            cr_assert_eq(warp_killed(is.sm, warp), before == 0);
        }
    }
    end();
}

Test(issue, fault, .description = "a warp that faults executes nothing more, and its task is told of it [model]") {
    begin("nano");
    for (uint32_t i = 0; i < 20; i++) {
        random_warp();
        warp->children.left = 5;
        warp->children.running = 6;
        warp->access.pending = 7;
        warp->due.tokens = 8;
        is.run.following = i % 2 != 0;
        is.sm->ready = ~UINT64_C(0);
        warp_fault(is.sm, number, 100 + i, 200 + i, 300 + i);
        cr_assert(warp->faulted && warp->children.left == 0 && warp->children.running == 0);
        cr_assert_eq(warp->access.pending, i % 2 != 0 ? 7 : 0);
        cr_assert_eq(warp->due.tokens, i % 2 != 0 ? 8 : 0);
        cr_assert_eq(warp->due.exec, i % 2 != 0 ? 9 : 0);
        cr_assert_eq(is.sm->ready, ~(UINT64_C(1) << number));
        cr_assert_eq(is.sm->held >> number & 1u, 1);
        cr_assert(is.fault.count == i + 1 && is.fault.slot == warp->slot);
        cr_assert(is.fault.code == 100 + i && is.fault.info == 200 + i && is.fault.pc == 300 + i);
    }
    end();
}
