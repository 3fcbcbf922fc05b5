#include "execute.h"

#include <string.h>

#include "lane.h"

static const uint32_t zeros[WARP_THREADS_MAX];

const uint32_t *execute_read(const struct execute_state *state, unsigned reg) {
    return reg == ISA_RZ ? zeros : &state->registers[reg * state->threads];
}

// Four threads' masks at a time: a write under a mask without a branch per thread.
static const uint32_t nibble_mask[16][4] = {
#define BIT(n, i) (((n) >> (i)) & 1u ? 0xFFFFFFFFu : 0u)
#define ROW(n) \
    { BIT(n, 0), BIT(n, 1), BIT(n, 2), BIT(n, 3) }
    ROW(0), ROW(1), ROW(2),  ROW(3),  ROW(4),  ROW(5),  ROW(6),  ROW(7),
    ROW(8), ROW(9), ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15),
#undef ROW
#undef BIT
};

static inline __attribute__((always_inline)) void spread(const unsigned n, uint64_t mask, uint32_t *to) {
    for (unsigned i = 0; i < n; i += 4)
        memcpy(&to[i], nibble_mask[(mask >> i) & 15u], sizeof nibble_mask[0]);
}

static inline __attribute__((always_inline)) uint64_t all_threads(const unsigned n) {
    return n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

static inline __attribute__((always_inline)) void write_masked(const unsigned n, uint32_t *to, const uint32_t *result,
                                                               uint64_t exec) {
    if (exec == all_threads(n)) {
        memcpy(to, result, n * sizeof *to);
        return;
    }
    uint32_t mask[WARP_THREADS_MAX];
    spread(n, exec, mask);
    for (unsigned i = 0; i < n; i++)
        to[i] = (result[i] & mask[i]) | (to[i] & ~mask[i]);
}

// One bit a thread from one byte (0 or 1) a thread: the product gathers eight bytes' low bits in its top byte.
static inline __attribute__((always_inline)) uint64_t gather(const unsigned n, const uint8_t *bytes) {
    uint64_t mask = 0;
    for (unsigned i = 0; i < n; i += 8) {
        uint64_t eight;
        memcpy(&eight, &bytes[i], 8);
        mask |= ((eight * UINT64_C(0x0102040810204080)) >> 56) << i;
    }
    return mask;
}

static void write_predicate(const struct execute_state *state, unsigned pd, uint64_t value) {
    if (pd == ISA_PT) return;
    state->predicates[pd] = (state->predicates[pd] & ~state->exec) | (value & state->exec);
}

static uint64_t read_predicate(const struct execute_state *state, unsigned field) {
    uint64_t value = state->predicates[field & 7u];
    return (field & 8u) != 0 ? ~value : value;
}

static inline __attribute__((always_inline)) uint64_t compare(const unsigned n, uint32_t mod, const uint32_t *a,
                                                              const uint32_t *b) {
    uint8_t bytes[WARP_THREADS_MAX];
    switch (mod) {
#define COMPARE(name)                                  \
    case name:                                         \
        for (unsigned i = 0; i < n; i++)               \
            bytes[i] = lane_compare(name, a[i], b[i]); \
        break
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
#undef COMPARE
        default: return 0;
    }
    return gather(n, bytes);
}

// n is a constant where this is used, so the loops have a known length and become vector code.
static inline __attribute__((always_inline)) void alu(const unsigned n, const struct decoded *d,
                                                      const struct execute_state *state) {
    uint32_t immediate[WARP_THREADS_MAX], result[WARP_THREADS_MAX], in[WARP_THREADS_MAX];
    uint8_t out[WARP_THREADS_MAX];  // carries
    const uint32_t *a = execute_read(state, d->ra);
    const uint32_t *b = d->immediate ? immediate : execute_read(state, d->rb);
    const uint32_t *c = execute_read(state, d->rc);
    if (d->immediate) {
        for (unsigned i = 0; i < n; i++)
            immediate[i] = d->imm;
    }
    switch (d->opcode) {
#define LOOP(op)                                              \
    case op:                                                  \
        for (unsigned i = 0; i < n; i++)                      \
            result[i] = lane_result(op, 0, a[i], b[i], c[i]); \
        break
#define LOOP_B(op)                                         \
    case op:                                               \
    case op##_I:                                           \
        for (unsigned i = 0; i < n; i++)                   \
            result[i] = lane_result(op, 0, a[i], b[i], 0); \
        break
// By the same amount in all threads it is vector code.
#define LOOP_SHIFT(op)                                     \
    case op##_I: {                                         \
        const uint32_t by = d->imm;                        \
        for (unsigned i = 0; i < n; i++)                   \
            result[i] = lane_result(op, 0, a[i], by, 0);   \
        break;                                             \
    }                                                      \
    case op:                                               \
        for (unsigned i = 0; i < n; i++)                   \
            result[i] = lane_result(op, 0, a[i], b[i], 0); \
        break
        LOOP_B(OP_MOV);
        LOOP_B(OP_IADD);
        LOOP_B(OP_ISUB);
        LOOP_B(OP_IMUL);
        LOOP_B(OP_IMULHI);
        LOOP_B(OP_UMULHI);
        LOOP_B(OP_AND);
        LOOP_B(OP_OR);
        LOOP_B(OP_XOR);
        LOOP_SHIFT(OP_SHL);
        LOOP_SHIFT(OP_SHR);
        LOOP_SHIFT(OP_SAR);
        LOOP_B(OP_IMIN);
        LOOP_B(OP_IMAX);
        LOOP_B(OP_UMIN);
        LOOP_B(OP_UMAX);
        LOOP_B(OP_POPC);
        LOOP_B(OP_CLZ);
        LOOP_B(OP_BREV);
        LOOP(OP_IMAD);
        LOOP(OP_IMADHI);
        LOOP(OP_UMADHI);
        case OP_SHFL:
        case OP_SHFL_I:
            for (unsigned i = 0; i < n; i++)
                result[i] = a[b[i] % n];
            break;
            LOOP_B(OP_IADDSAT);
            LOOP_B(OP_UADDSAT);
            LOOP_B(OP_ISUBSAT);
            LOOP_B(OP_USUBSAT);
            LOOP_B(OP_UBFE);
            LOOP_B(OP_IBFE);
            LOOP_B(OP_IABSD);
            LOOP_B(OP_UABSD);
            LOOP(OP_PRMT);
            LOOP(OP_FSHL);
            LOOP(OP_FSHR);
            LOOP(OP_BFI);
#define LOOP_CARRY(op)                                                \
    case op:                                                          \
    case op##_I:                                                      \
        spread(n, state->predicates[d->mod & 7u], in);                \
        for (unsigned i = 0; i < n; i++) {                            \
            result[i] = lane_result(op, 0, a[i], b[i], in[i]);        \
            out[i] = (uint8_t)lane_carry(op, a[i], b[i], in[i] & 1u); \
        }                                                             \
        write_predicate(state, d->mod & 7u, gather(n, out));          \
        break
            LOOP_CARRY(OP_IADDO);
            LOOP_CARRY(OP_IADDC);
            LOOP_CARRY(OP_ISUBO);
            LOOP_CARRY(OP_ISUBC);
#undef LOOP_CARRY
            LOOP_B(OP_FADD);
            LOOP_B(OP_FMUL);
            LOOP_B(OP_FMIN);
            LOOP_B(OP_FMAX);
            LOOP_B(OP_FRCP);
            LOOP_B(OP_FRSQ);
            LOOP_B(OP_FEX2);
            LOOP_B(OP_FLG2);
            LOOP(OP_FFMA);
#undef LOOP_SHIFT
#undef LOOP_B
#undef LOOP
        case OP_ISETP:
        case OP_ISETP_I: write_predicate(state, d->rd & 7u, compare(n, d->mod, a, b)); return;
        case OP_FSETP:
        case OP_FSETP_I: {
            uint8_t bytes[WARP_THREADS_MAX];
            for (unsigned i = 0; i < n; i++)
                bytes[i] = fpu_compare(d->mod, a[i], b[i]);
            write_predicate(state, d->rd & 7u, gather(n, bytes));
            return;
        }
        case OP_F2I:
        case OP_F2I_I:
        case OP_I2F:
        case OP_I2F_I:
        case OP_FRND:
        case OP_FRND_I:
            for (unsigned i = 0; i < n; i++)
                result[i] = lane_result(d->opcode, d->mod, a[i], b[i], 0);
            break;
        case OP_PSETP: {
            const uint64_t p = read_predicate(state, d->ra), q = read_predicate(state, d->rb);
            write_predicate(state, d->rd & 7u, d->mod == 0 ? p & q : d->mod == 1 ? p | q : p ^ q);
            return;
        }
        case OP_SEL:
        case OP_SEL_I: {
            uint32_t pick[WARP_THREADS_MAX];
            spread(n, read_predicate(state, d->mod), pick);
            for (unsigned i = 0; i < n; i++)
                result[i] = (a[i] & pick[i]) | (b[i] & ~pick[i]);
            break;
        }
        case OP_P2R:
            for (unsigned i = 0; i < n; i++) {
                uint32_t bits = 0;
                for (unsigned p = 0; p < ISA_PT; p++)
                    bits |= (uint32_t)((state->predicates[p] >> i) & 1u) << p;
                result[i] = bits;
            }
            break;
        case OP_R2P:
            for (unsigned p = 0; p < ISA_PT; p++) {
                if (((d->imm >> p) & 1u) == 0) continue;
                uint8_t bytes[WARP_THREADS_MAX];
                for (unsigned i = 0; i < n; i++)
                    bytes[i] = (uint8_t)((a[i] >> p) & 1u);
                write_predicate(state, p, gather(n, bytes));
            }
            return;
        default: return;
    }
    if (d->rd != ISA_RZ) write_masked(n, &state->registers[d->rd * n], result, state->exec);
}

void execute_alu(const struct decoded *d, const struct execute_state *state) {
    if (state->threads == 32) {
        alu(32, d, state);
    } else {
        alu(64, d, state);
    }
}

void execute_write(const struct execute_state *state, unsigned rd, const uint32_t *result) {
    if (rd == ISA_RZ) return;
    if (state->threads == 32) {
        write_masked(32, &state->registers[rd * 32u], result, state->exec);
    } else {
        write_masked(64, &state->registers[rd * 64u], result, state->exec);
    }
}
