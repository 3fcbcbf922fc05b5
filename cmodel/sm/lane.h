// One lane: the result of an ALU instruction for one thread. Pure; the vector loops of execute.c and the benches of
// rtl/sm/lane.sv use the same function, so every operation is said once.
#ifndef TANDEM_SM_LANE_H
#define TANDEM_SM_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "fpu.h"
#include "fpu_table.h"
#include "gen/isa.h"

// The functions are inline so that a loop over a warp with a constant opcode becomes vector code; none of them has a
// branch.
static inline uint32_t lane_popc(uint32_t x) {
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0F0F0F0Fu;
    x += x >> 8;
    x += x >> 16;
    return x & 0x3Fu;
}

static inline uint32_t lane_clz(uint32_t x) {
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return 32u - lane_popc(x);
}

static inline uint32_t lane_brev(uint32_t x) {
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0F0F0F0Fu) | ((x & 0x0F0F0F0Fu) << 4);
    x = ((x >> 8) & 0x00FF00FFu) | ((x & 0x00FF00FFu) << 8);
    return (x >> 16) | (x << 16);
}

// The low `width` bits (0 to 63 asked for, all from 32 on).
static inline uint32_t lane_ones(uint32_t width) {
    return (uint32_t)(((uint64_t)1 << (width & 63u)) - 1u);
}

// Position and width of a field: bits 4:0 and 13:8 of s.
static inline uint32_t lane_field_put(uint32_t a, uint32_t s, uint32_t c) {
    const uint32_t mask = lane_ones(s >> 8) << (s & 31u);
    return ((a << (s & 31u)) & mask) | (c & ~mask);
}

static inline uint32_t lane_field_get(uint32_t a, uint32_t s) {
    return (a >> (s & 31u)) & lane_ones(s >> 8);
}

static inline uint32_t lane_field_get_signed(uint32_t a, uint32_t s) {
    const uint32_t all = lane_ones(s >> 8), shifted = (uint32_t)((int32_t)a >> (s & 31u));
    const uint32_t sign = shifted & (all ^ (all >> 1));  // the field's highest bit, if it has one
    return (shifted & all) | (sign != 0 ? ~all : 0);
}

static inline uint32_t lane_permute(uint32_t a, uint32_t s, uint32_t c) {
    const uint64_t from = (uint64_t)c << 32 | a;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t pick = s >> (4 * i);
        const uint32_t byte = (uint32_t)(from >> (8 * (pick & 7u))) & 0xFFu;
        const uint32_t sign = (0u - (byte >> 7)) & 0xFFu;
        result |= ((pick & 8u) != 0 ? sign : byte) << (8 * i);
    }
    return result;
}

// The number of 32 bits that is nearest to a signed sum or difference: `wrapped` is its low 32 bits, `overflow` has in
// bit 31 whether they are not all of it. Then the sign of the true value is the other one.
static inline uint32_t lane_saturate(uint32_t wrapped, uint32_t overflow) {
    const uint32_t limit = 0x80000000u - (wrapped >> 31);  // a sum that wrapped to negative was too large
    return (overflow >> 31) != 0 ? limit : wrapped;
}

// What leaves an addition or subtraction with carry (FORMAT_CARRY): 0 or 1; in: p, 0 or 1.
static inline uint32_t lane_carry(unsigned opcode, uint32_t a, uint32_t b, uint32_t in) {
    switch (opcode) {
        case OP_IADDO: return a + b < a;
        case OP_IADDC: return (uint32_t)(((uint64_t)a + b + in) >> 32);
        case OP_ISUBO: return a < b;
        case OP_ISUBC: return (uint64_t)a < (uint64_t)b + in;
        default: return 0;
    }
}

// mod: table cmp. A mod that is not in the table compares false.
static inline bool lane_compare(uint32_t mod, uint32_t a, uint32_t b) {
    switch (mod) {
        case CMP_EQ: return a == b;
        case CMP_NE: return a != b;
        case CMP_LT: return (int32_t)a < (int32_t)b;
        case CMP_LE: return (int32_t)a <= (int32_t)b;
        case CMP_GT: return (int32_t)a > (int32_t)b;
        case CMP_GE: return (int32_t)a >= (int32_t)b;
        case CMP_ULT: return a < b;
        case CMP_ULE: return a <= b;
        case CMP_UGT: return a > b;
        case CMP_UGE: return a >= b;
        default: return false;
    }
}

// opcode: the rb or the imm form (B is the operand b either way). a, b, c: ra, B, rc; SEL, IADDC, ISUBC: c bit 0 is the
// predicate, already negated if so said. ISETP, FSETP: result 0 or 1 by mod. PSETP: a, b bit 0 are the predicates,
// result 0 or 1. Other opcodes: 0.
static inline __attribute__((always_inline)) uint32_t lane_result(unsigned opcode, uint32_t mod, uint32_t a, uint32_t b,
                                                                  uint32_t c) {
    switch (opcode) {
        case OP_MOV:
        case OP_MOV_I: return b;
        case OP_IADD:
        case OP_IADD_I: return a + b;
        case OP_ISUB:
        case OP_ISUB_I: return a - b;
        case OP_IMUL:
        case OP_IMUL_I: return a * b;
        case OP_IMULHI:
        case OP_IMULHI_I: return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32);
        case OP_UMULHI:
        case OP_UMULHI_I: return (uint32_t)(((uint64_t)a * b) >> 32);
        case OP_AND:
        case OP_AND_I: return a & b;
        case OP_OR:
        case OP_OR_I: return a | b;
        case OP_XOR:
        case OP_XOR_I: return a ^ b;
        case OP_SHL:
        case OP_SHL_I: return a << (b & 31u);
        case OP_SHR:
        case OP_SHR_I: return a >> (b & 31u);
        case OP_SAR:
        case OP_SAR_I: return (uint32_t)((int32_t)a >> (b & 31u));
        case OP_IMIN:
        case OP_IMIN_I: return (int32_t)a < (int32_t)b ? a : b;
        case OP_IMAX:
        case OP_IMAX_I: return (int32_t)a > (int32_t)b ? a : b;
        case OP_UMIN:
        case OP_UMIN_I: return a < b ? a : b;
        case OP_UMAX:
        case OP_UMAX_I: return a > b ? a : b;
        case OP_ISETP:
        case OP_ISETP_I: return lane_compare(mod, a, b);
        case OP_SEL:
        case OP_SEL_I: return (c & 1u) != 0 ? a : b;
        case OP_POPC:
        case OP_POPC_I: return lane_popc(b);
        case OP_CLZ:
        case OP_CLZ_I: return lane_clz(b);
        case OP_BREV:
        case OP_BREV_I: return lane_brev(b);
        case OP_IMAD: return a * b + c;
        case OP_IMADHI: return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32) + c;
        case OP_UMADHI: return (uint32_t)(((uint64_t)a * b) >> 32) + c;
        case OP_IADDO:
        case OP_IADDO_I: return a + b;
        case OP_IADDC:
        case OP_IADDC_I: return a + b + (c & 1u);
        case OP_ISUBO:
        case OP_ISUBO_I: return a - b;
        case OP_ISUBC:
        case OP_ISUBC_I: return a - b - (c & 1u);
        case OP_IADDSAT:
        case OP_IADDSAT_I: return lane_saturate(a + b, ~(a ^ b) & (a ^ (a + b)));
        case OP_ISUBSAT:
        case OP_ISUBSAT_I: return lane_saturate(a - b, (a ^ b) & (a ^ (a - b)));
        case OP_UADDSAT:
        case OP_UADDSAT_I: return a + b < a ? 0xFFFFFFFFu : a + b;
        case OP_USUBSAT:
        case OP_USUBSAT_I: return a < b ? 0 : a - b;
        case OP_IABSD:
        case OP_IABSD_I: return (int32_t)a < (int32_t)b ? b - a : a - b;
        case OP_UABSD:
        case OP_UABSD_I: return a < b ? b - a : a - b;
        case OP_UBFE:
        case OP_UBFE_I: return lane_field_get(a, b);
        case OP_IBFE:
        case OP_IBFE_I: return lane_field_get_signed(a, b);
        case OP_BFI: return lane_field_put(a, b, c);
        case OP_PRMT: return lane_permute(a, b, c);
        case OP_FSHL: return (uint32_t)(((((uint64_t)a << 32) | c) << (b & 31u)) >> 32);
        case OP_FSHR: return (uint32_t)((((uint64_t)a << 32) | c) >> (b & 31u));
        case OP_FADD:
        case OP_FADD_I: return fpu_add(a, b);
        case OP_FMUL:
        case OP_FMUL_I: return fpu_mul(a, b);
        case OP_FFMA: return fpu_fma(a, b, c);
        case OP_FMIN:
        case OP_FMIN_I: return fpu_min(a, b);
        case OP_FMAX:
        case OP_FMAX_I: return fpu_max(a, b);
        case OP_FSETP:
        case OP_FSETP_I: return fpu_compare(mod, a, b);
        case OP_F2I:
        case OP_F2I_I: return fpu_to_integer(mod, b);
        case OP_I2F:
        case OP_I2F_I: return fpu_from_integer(mod, b);
        case OP_FRCP:
        case OP_FRCP_I: return fpu_reciprocal(b);
        case OP_FRSQ:
        case OP_FRSQ_I: return fpu_reciprocal_root(b);
        case OP_FEX2:
        case OP_FEX2_I: return fpu_exp2(b);
        case OP_FLG2:
        case OP_FLG2_I: return fpu_log2(b);
        case OP_FRND:
        case OP_FRND_I: return fpu_round_integral(mod, b);
        case OP_PSETP: return (mod == 0 ? a & b : mod == 1 ? a | b : a ^ b) & 1u;
        default: return 0;
    }
}

// The same, not inline: for benches and tools.
uint32_t lane_execute(unsigned opcode, uint32_t mod, uint32_t a, uint32_t b, uint32_t c);

#endif
