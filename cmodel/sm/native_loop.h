// The quick way of a turn (native.h). Compiled once for each kind of machine: NATIVE_RUN is the function's name.
#include "lane.h"
#include "native.h"
#include "native_memory.h"
#include "native_state.h"

// Instructions of the lanes (d->alu). False: not for here.
static inline bool native_alu(struct native *n, const struct decoded *d, uint64_t exec) {
    struct warp *warp = n->warp;
    const uint32_t *a = native_read(n, d->ra), *b = native_read(n, d->rb), *c = native_read(n, d->rc);
    uint32_t *to = native_write(n, d->rd);
    const uint32_t imm = d->imm;
    uint64_t bits = 0;
    switch (d->opcode) {
#define TWO(op)                                                                \
    case op: NATIVE_LANES(to, exec, lane_result(op, 0, a[t], b[t], 0)); break; \
    case op##_I:                                                               \
        NATIVE_LANES(to, exec, lane_result(op, 0, a[t], imm, 0));              \
        break
#define THREE(op)                                                     \
    case op:                                                          \
        NATIVE_LANES(to, exec, lane_result(op, 0, a[t], b[t], c[t])); \
        break
#define COMPARE(name)                                          \
    case name:                                                 \
        if (d->immediate) {                                    \
            NATIVE_BITS(bits, lane_compare(name, a[t], imm));  \
        } else {                                               \
            NATIVE_BITS(bits, lane_compare(name, a[t], b[t])); \
        }                                                      \
        break
        TWO(OP_MOV);
        TWO(OP_IADD);
        TWO(OP_ISUB);
        TWO(OP_IMUL);
        TWO(OP_IMULHI);
        TWO(OP_UMULHI);
        TWO(OP_AND);
        TWO(OP_OR);
        TWO(OP_XOR);
        TWO(OP_SHL);
        TWO(OP_SHR);
        TWO(OP_SAR);
        TWO(OP_IMIN);
        TWO(OP_IMAX);
        TWO(OP_UMIN);
        TWO(OP_UMAX);
        TWO(OP_UBFE);
        TWO(OP_IBFE);
        TWO(OP_FADD);
        TWO(OP_FMUL);
        TWO(OP_FMIN);
        TWO(OP_FMAX);
        THREE(OP_IMAD);
        THREE(OP_IMADHI);
        THREE(OP_UMADHI);
        THREE(OP_FFMA);
        case OP_ISETP:
        case OP_ISETP_I:
            switch (d->mod) {
                COMPARE(CMP_EQ);
                COMPARE(CMP_NE);
                COMPARE(CMP_LT);
                COMPARE(CMP_LE);
                COMPARE(CMP_GT);
                COMPARE(CMP_GE);
                COMPARE(CMP_ULT);
                COMPARE(CMP_ULE);
                COMPARE(CMP_UGT);
                COMPARE(CMP_UGE);
                default: return false;
            }
            native_set(warp, d->rd & 7u, bits, exec);
            break;
        case OP_FSETP:
            NATIVE_BITS(bits, fpu_compare(d->mod, a[t], b[t]));
            native_set(warp, d->rd & 7u, bits, exec);
            break;
        case OP_FSETP_I:
            NATIVE_BITS(bits, fpu_compare(d->mod, a[t], imm));
            native_set(warp, d->rd & 7u, bits, exec);
            break;
        case OP_SEL:
        case OP_SEL_I: {
            const uint64_t p = warp->predicates[d->mod & 7u], pick = (d->mod & 8u) != 0 ? ~p : p;
            if (d->opcode == OP_SEL) {
                NATIVE_LANES(to, exec, (pick >> t & 1u) != 0 ? a[t] : b[t]);
            } else {
                NATIVE_LANES(to, exec, (pick >> t & 1u) != 0 ? a[t] : imm);
            }
            break;
        }
#undef TWO
#undef THREE
#undef COMPARE
        case OP_S2R:
        case OP_SRD: return false;
        default: {
            const struct execute_state state = {
                .threads = n->threads, .registers = n->registers, .predicates = warp->predicates, .exec = exec};
            execute_alu(d, &state);
            break;
        }
    }
    return true;
}

// A branch that all active threads take, or none, outside of sub-vector sequences. False: not for here.
static inline bool native_branch(const struct native *n, const struct decoded *d, uint32_t pc, uint64_t exec,
                                 uint32_t *next) {
    struct divergence *divergence = &n->warp->divergence;
    if (exec == 0) return true;
    if (exec != divergence_active(divergence)) return false;
    if (d->opcode == OP_BRA && d->mod == BRA_NTH) {  // as YIELD.NTH: here it only counts
        const uint32_t count = divergence->yields.count[__builtin_ctzll(exec)];
        if (exec != n->all || count + 1 >= TURNS_NTH || count == UINT8_MAX) return false;
        memset(divergence->yields.count, (int)count + 1, n->threads);
        if (count + 1 > divergence->yields.count_bound) divergence->yields.count_bound = (uint8_t)(count + 1);
    }
    *next = (d->opcode == OP_JMP ? d->imm : pc + 1u + d->imm) & PROGRAM_COUNTER_MASK;
    return true;
}

static bool native_begin(struct native *n, struct sm *sm, struct warp *warp) {
    uint64_t physical;
    uint8_t *bytes = mem_bytes(sm->mem);
    n->sm = sm;
    n->warp = warp;
    n->slot = warp_slot(sm, warp);
    if (sm->run->inject != 0 || bytes == NULL || mem_may_fail(sm->mem)) return false;
    n->space = address_space_of(sm->mem, n->slot->channel).size;
    if (n->space < 8 || !address_space_translate(sm->mem, n->slot->channel, 0, n->space, &physical) ||
        physical + n->space > mem_size(sm->mem))
        return false;
    n->memory = bytes + physical;
    n->threads = sm->config->threads;
    n->lanes = sm->config->lanes;
    n->all = sm->all_threads;
    n->portion = n->lanes >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n->lanes) - 1;
    n->registers = warp->registers;
    n->requests = 0;
    n->wrote = false;
    return true;
}

uint32_t NATIVE_RUN(struct sm *sm, uint32_t number, uint32_t most) {
    struct native native, *const n = &native;
    struct warp *const warp = &sm->warps[number];
    struct run *const run = sm->run;
    if (!native_begin(n, sm, warp)) return 0;
    const struct task_slot *const slot = n->slot;
    // Registers that are there, and each thread's own.
    const uint32_t registers = slot->registers < warp->privates ? slot->registers : warp->privates;
    const bool plain = warp->divergence.inside == 0 && !sm->subvector.warp[number].inside;
    const uint64_t active = divergence_active(&warp->divergence);
    uint64_t threads = 0;
    uint32_t pc = warp->pc, last = pc, done = 0;
    for (; done < most; done++) {
        const uint32_t byte = slot->region + 8u * pc, word_at = byte & ~7u;
        uint64_t word;
        if (byte - slot->code_base >= slot->code_size || word_at > n->space - 8u) break;
        memcpy(&word, n->memory + word_at, sizeof word);
        struct decoded *const d = &sm->decoded[pc % DECODE_ENTRIES];
        if (d->word != word) decode(word, d);
        if (!d->legal || d->registers_needed > registers) break;
        const uint64_t guard = warp->predicates[d->guard], exec = active & (d->guard_negated ? ~guard : guard);
        uint32_t next = (pc + 1u) & PROGRAM_COUNTER_MASK;
        if (d->opcode == OP_BRA || d->opcode == OP_JMP) {
            if (!plain || !native_branch(n, d, pc, exec, &next)) break;
            warp->divergence.move_count = 0;
            warp->due.tokens = 0;
        } else if (d->alu) {
            if (exec != 0 && !native_alu(n, d, exec)) break;
        } else if (d->opcode == OP_LDG || d->opcode == OP_STG || d->opcode == OP_LDC) {
            if (exec != 0) {
                if (!native_access(n, d, exec)) break;
                n->wrote = n->wrote || d->store || d->rd == ISA_RZ;
            }
        } else {
            break;
        }
        threads += (uint64_t)__builtin_popcountll(exec);
        last = pc;
        pc = next;
    }
    if (done == 0) return 0;
    warp->pc = pc;
    warp->instr_pc = last;
    warp->fetched_since = warp->fetched_last = sm->fetch_cache.time;
    warp->serial += done;
    warp->due.order = warp->due.end = warp->due.fault = warp->due.hold = warp->due.swb = false;
    backoff_go(&sm->backoff, number, done, n->wrote);
    sm->issued += done;
    run->cycles += done;
    run->counters.warp_instructions += done;
    run->counters.thread_instructions += threads;
    run->counters.memory_requests += n->requests;
    return done;
}
