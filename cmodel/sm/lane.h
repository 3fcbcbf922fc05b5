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

// opcode: the rb or the imm form (B is the operand b either way). a, b, c: ra, B, rc; SEL: c bit 0 is the predicate,
// already negated if so said. ISETP, FSETP: result 0 or 1 by mod. PSETP: a, b bit 0 are the predicates, result 0 or 1.
// Other opcodes: 0.
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
