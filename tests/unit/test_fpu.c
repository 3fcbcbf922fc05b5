// Floating point of the lanes: values worked out by hand, and whole warps (vector code) against one thread at a time.
#include <criterion/criterion.h>
#include <string.h>

#include "gen/isa.h"
#include "random_numbers.h"
#include "sm/decode.h"
#include "sm/execute.h"
#include "sm/lane.h"

#define NAN_BITS 0x7FC00000u
#define INFINITE 0x7F800000u
#define NEGATIVE 0x80000000u

struct hand_case {
    unsigned opcode, mod;
    uint32_t a, b, c, want;
};

static const struct hand_case by_hand[] = {
    {OP_FADD, 0, 0x3F800000, 0x40000000, 0, 0x40400000},
    {OP_FADD, 0, 0x3F800000, 0x33800000, 0, 0x3F800000},  // half of the last place: to even
    {OP_FADD, 0, 0x3F800001, 0x33800000, 0, 0x3F800002},
    {OP_FADD, 0, 0x3F800000, 0x33800001, 0, 0x3F800001},
    {OP_FADD, 0, 0x00000001, 0x00000001, 0, 0x00000002},  // subnormals are kept
    {OP_FADD, 0, 0x007FFFFF, 0x00000001, 0, 0x00800000},
    {OP_FADD, 0, 0x3F800000, 0xBF800000, 0, 0},
    {OP_FADD, 0, NEGATIVE, NEGATIVE, 0, NEGATIVE},
    {OP_FADD, 0, NEGATIVE, 0, 0, 0},
    {OP_FADD, 0, INFINITE, INFINITE | NEGATIVE, 0, NAN_BITS},
    {OP_FADD, 0, 0x7F7FFFFF, 0x73000000, 0, INFINITE},
    {OP_FADD, 0, 0x7F7FFFFF, 0x72FFFFFF, 0, 0x7F7FFFFF},
    {OP_FADD, 0, 0xFF800001, 0x3F800000, 0, NAN_BITS},  // signaling, negative: the canonical one
    {OP_FADD, 0, 0x7FFFFFFF, 0x7FC12345, 0, NAN_BITS},
    {OP_FMUL, 0, 0x40000000, 0x40400000, 0, 0x40C00000},
    {OP_FMUL, 0, 0, INFINITE, 0, NAN_BITS},
    {OP_FMUL, 0, NEGATIVE, 0x3F800000, 0, NEGATIVE},
    {OP_FMUL, 0, 0x00800000, 0x3F000000, 0, 0x00400000},
    {OP_FMUL, 0, 0x00000001, 0x3F000000, 0, 0},
    {OP_FMUL, 0, 0x00000003, 0x3F000000, 0, 0x00000002},
    {OP_FMUL, 0, 0x80000001, 0x00000001, 0, NEGATIVE},
    {OP_FMUL, 0, 0x7F000000, 0x40000000, 0, INFINITE},
    {OP_FFMA, 0, 0x3F800001, 0x3F800001, 0xBF800002, 0x28800000},  // the product is not rounded before the sum
    {OP_FFMA, 0, 0x7F7FFFFF, 0x40000000, 0xFF7FFFFF, 0x7F7FFFFF},  // nor does it overflow
    {OP_FFMA, 0, INFINITE, 0x3F800000, INFINITE | NEGATIVE, NAN_BITS},
    {OP_FFMA, 0, INFINITE, 0, 0x7FC00001, NAN_BITS},
    {OP_FFMA, 0, 0x3F800000, NEGATIVE, 0, 0},
    {OP_FFMA, 0, 0x3F800000, NEGATIVE, NEGATIVE, NEGATIVE},
    {OP_FMIN, 0, 0, NEGATIVE, 0, NEGATIVE},
    {OP_FMAX, 0, NEGATIVE, 0, 0, 0},
    {OP_FMIN, 0, 0x7F800001, 0x3F800000, 0, 0x3F800000},
    {OP_FMAX, 0, 0xBF800000, 0xFFC00000, 0, 0xBF800000},
    {OP_FMAX, 0, 0xFFC00000, 0x7FFFFFFF, 0, NAN_BITS},
    {OP_FMIN, 0, 0xBF800000, 0xC0000000, 0, 0xC0000000},
    {OP_FMAX, 0, 0xFF800000, 0x00000001, 0, 0x00000001},
    {OP_FSETP, FCMP_OEQ, 0, NEGATIVE, 0, 1},
    {OP_FSETP, FCMP_OLT, NEGATIVE, 0, 0, 0},
    {OP_FSETP, FCMP_UNE, NAN_BITS, NAN_BITS, 0, 1},
    {OP_FSETP, FCMP_ONE, NAN_BITS, 0, 0, 0},
    {OP_FSETP, FCMP_ORD, INFINITE, 0, 0, 1},
    {OP_FSETP, FCMP_UNO, 0, 0xFF800001, 0, 1},
    {OP_FSETP, FCMP_ULT, 0x3F800000, NAN_BITS, 0, 1},
    {OP_FSETP, FCMP_OGE, 0xBF800000, 0xBF800000, 0, 1},
    {OP_FSETP, FCMP_OGT, 0xBF800000, 0xC0000000, 0, 1},
    {OP_FSETP, FCMP_TRUE, NAN_BITS, 0, 0, 1},
    {OP_FSETP, FCMP_FALSE, 0, 0, 0, 0},
    {OP_F2I, CVT_RTE, 0, 0x40200000, 0, 2},
    {OP_F2I, CVT_RTE, 0, 0x3FC00000, 0, 2},
    {OP_F2I, CVT_RTZ, 0, 0xC0200000, 0, 0xFFFFFFFE},
    {OP_F2I, CVT_RTP, 0, 0x3F000000, 0, 1},
    {OP_F2I, CVT_RTN, 0, 0x80000001, 0, 0xFFFFFFFF},
    {OP_F2I, CVT_RTZ, 0, 0x4F000000, 0, 0x7FFFFFFF},
    {OP_F2I, CVT_RTZ, 0, 0xCF000000, 0, 0x80000000},
    {OP_F2I, CVT_RTZ, 0, 0xCF000001, 0, 0x80000000},
    {OP_F2I, CVT_URTZ, 0, 0x4F7FFFFF, 0, 0xFFFFFF00},
    {OP_F2I, CVT_URTZ, 0, 0x4F800000, 0, 0xFFFFFFFF},
    {OP_F2I, CVT_URTZ, 0, 0xBF800000, 0, 0},
    {OP_F2I, CVT_RTE, 0, 0xFFC00000, 0, 0},
    {OP_F2I, CVT_URTE, 0, INFINITE, 0, 0xFFFFFFFF},
    {OP_I2F, CVT_RTE, 0, 0xFFFFFFFF, 0, 0xBF800000},
    {OP_I2F, CVT_URTE, 0, 0xFFFFFFFF, 0, 0x4F800000},
    {OP_I2F, CVT_URTZ, 0, 0xFFFFFFFF, 0, 0x4F7FFFFF},
    {OP_I2F, CVT_RTE, 0, 0x01000001, 0, 0x4B800000},
    {OP_I2F, CVT_RTP, 0, 0x01000001, 0, 0x4B800001},
    {OP_I2F, CVT_RTN, 0, 0xFEFFFFFF, 0, 0xCB800001},
    {OP_I2F, CVT_RTP, 0, 0xFEFFFFFF, 0, 0xCB800000},
    {OP_I2F, CVT_RTN, 0, 0, 0, 0},
    {OP_FRND, ROUND_RTE, 0, 0xBF000000, 0, NEGATIVE},
    {OP_FRND, ROUND_RTP, 0, 0xBF7FFFFF, 0, NEGATIVE},
    {OP_FRND, ROUND_RTN, 0, 0xBF000000, 0, 0xBF800000},
    {OP_FRND, ROUND_RTZ, 0, 0x4AFFFFFF, 0, 0x4AFFFFFE},
    {OP_FRND, ROUND_RTP, 0, 0x4B000001, 0, 0x4B000001},
    {OP_FRND, ROUND_RTZ, 0, INFINITE, 0, INFINITE},
    {OP_FRND, ROUND_RTZ, 0, 0x7F800001, 0, NAN_BITS},
    {OP_FRCP, 0, 0, 0x40800000, 0, 0x3E800000},  // powers of two are exact
    {OP_FRCP, 0, 0, 0x00400000, 0, 0x7F000000},
    {OP_FRCP, 0, 0, 0x00200000, 0, INFINITE},
    {OP_FRCP, 0, 0, 0x7F000000, 0, 0x00400000},
    {OP_FRCP, 0, 0, NEGATIVE, 0, INFINITE | NEGATIVE},
    {OP_FRCP, 0, 0, INFINITE | NEGATIVE, 0, NEGATIVE},
    {OP_FRSQ, 0, 0, 0x40800000, 0, 0x3F000000},
    {OP_FRSQ, 0, 0, 0x00000001, 0, 0x64B504F3},
    {OP_FRSQ, 0, 0, NEGATIVE, 0, INFINITE | NEGATIVE},
    {OP_FRSQ, 0, 0, 0x80000001, 0, NAN_BITS},
    {OP_FRSQ, 0, 0, INFINITE, 0, 0},
    {OP_FEX2, 0, 0, 0, 0, 0x3F800000},
    {OP_FEX2, 0, 0, 0xC3150000, 0, 0x00000001},
    {OP_FEX2, 0, 0, 0xC3170000, 0, 0},
    {OP_FEX2, 0, 0, 0x43000000, 0, INFINITE},
    {OP_FEX2, 0, 0, INFINITE | NEGATIVE, 0, 0},
    {OP_FLG2, 0, 0, 0x3F800000, 0, 0},
    {OP_FLG2, 0, 0, 0x00000001, 0, 0xC3150000},
    {OP_FLG2, 0, 0, 0x3F000000, 0, 0xBF800000},
    {OP_FLG2, 0, 0, 0, 0, INFINITE | NEGATIVE},
    {OP_FLG2, 0, 0, 0xBF800000, 0, NAN_BITS},
    {OP_FLG2, 0, 0, INFINITE, 0, INFINITE},
};
#define BY_HAND (sizeof by_hand / sizeof by_hand[0])

Test(fpu, by_hand, .description = "IEEE 754 results, roundings, NaNs and saturation worked out by hand [model]") {
    for (size_t i = 0; i < BY_HAND; i++) {
        const struct hand_case *h = &by_hand[i];
        const uint32_t got = lane_execute(h->opcode, h->mod, h->a, h->b, h->c);
        cr_expect(got == h->want, "%s mod %u of 0x%08x, 0x%08x, 0x%08x: 0x%08x, expected 0x%08x",
                  isa_table[h->opcode].mnemonic, h->mod, h->a, h->b, h->c, got, h->want);
    }
}

static uint32_t any_float(uint64_t *random) {
    const size_t i = (size_t)(random_bits(random) % BY_HAND);
    return random_bits(random) % 2 != 0 ? (uint32_t)random_bits(random) : by_hand[i].b ^ by_hand[i].a;
}

static void warp_against_threads(unsigned threads, unsigned opcode, unsigned mod, uint64_t *random) {
    uint32_t registers[4 * WARP_THREADS_MAX], before[4 * WARP_THREADS_MAX];
    uint64_t predicates[8];
    for (unsigned i = 0; i < 4 * threads; i++)
        registers[i] = any_float(random);
    for (unsigned p = 0; p < 7; p++)
        predicates[p] = random_bits(random);
    predicates[7] = ~UINT64_C(0);
    memcpy(before, registers, sizeof before);
    struct execute_state state = {.threads = threads, .registers = registers, .predicates = predicates};
    state.exec = random_bits(random) % 3 == 0 ? ~UINT64_C(0) : random_bits(random) | 1u;
    if (threads < 64) state.exec &= (UINT64_C(1) << threads) - 1;
    const uint64_t predicate = predicates[3];
    const bool compares = (opcode & 0x7Fu) == OP_FSETP, immediate = (opcode & 0x80u) != 0;
    const uint32_t imm = any_float(random);
    struct decoded d;
    decode(immediate ? isa_encode_imm(opcode, 7, false, compares ? 3 : 0, 1, mod, imm)
                     : isa_encode_reg(opcode, 7, false, compares ? 3 : 0, 1, mod, 2, 3, 0),
           &d);
    cr_assert(d.legal && d.alu, "opcode 0x%x mod %u", opcode, mod);
    const bool two = isa_table[opcode].format == FORMAT_B2 || compares;
    cr_assert_eq(d.registers_needed, opcode == OP_FFMA ? 4u : !immediate ? 3u : two ? 2u : 1u);
    execute_alu(&d, &state);
    for (unsigned t = 0; t < threads; t++) {
        const uint32_t b = immediate ? imm : before[2 * threads + t];
        const uint32_t want = lane_execute(opcode, mod, before[threads + t], b, before[3 * threads + t]);
        const bool on = (state.exec >> t & 1u) != 0;
        if (compares) {
            cr_assert_eq(predicates[3] >> t & 1u, on ? want : predicate >> t & 1u);
            cr_assert_eq(registers[t], before[t]);
        } else {
            cr_assert_eq(registers[t], on ? want : before[t], "opcode 0x%x mod %u thread %u: 0x%x, expected 0x%x",
                         opcode, mod, t, registers[t], want);
        }
    }
}

Test(fpu, whole_warps, .description = "every operation, form and mod over warps with partial masks [model]") {
    static const struct {
        unsigned opcode, mods;
    } operations[] = {{OP_FADD, 1}, {OP_FMUL, 1}, {OP_FMIN, 1}, {OP_FMAX, 1}, {OP_FFMA, 1}, {OP_FSETP, 16}, {OP_F2I, 8},
                      {OP_I2F, 8},  {OP_FRND, 4}, {OP_FRCP, 1}, {OP_FRSQ, 1}, {OP_FEX2, 1}, {OP_FLG2, 1}};
    uint64_t random = 4711;
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        for (unsigned mod = 0; mod < operations[i].mods; mod++) {
            for (unsigned round = 0; round < 20; round++) {
                const unsigned immediate = round % 2 != 0 && operations[i].opcode != OP_FFMA ? 0x80 : 0;
                warp_against_threads(round % 4 < 2 ? 32 : 64, operations[i].opcode | immediate, mod, &random);
            }
        }
    }
}

static void worse(double *worst, double error) {
    if (!(fabs(error) <= *worst)) *worst = fabs(error);
}

Test(fpu, table_errors, .description = "FRCP, FRSQ, FEX2, FLG2 are as near as the table of instructions says [model]") {
    double rcp = 0, rsq = 0, ex2 = 0, lg2 = 0;
    for (uint32_t b = 0x3F800000; b < 0x40800000; b += 31) {
        const double x = fpu_float(b);
        worse(&rcp, fpu_float(lane_execute(OP_FRCP, 0, 0, b, 0)) * x - 1);
        worse(&rsq, fpu_float(lane_execute(OP_FRSQ, 0, 0, b, 0)) * sqrt(x) - 1);
        if (x >= 2) continue;
        worse(&lg2, fpu_float(lane_execute(OP_FLG2, 0, 0, b, 0)) - log2(x));
        for (int whole = -2; whole <= 1; whole++) {
            const float at = (float)(x + whole);
            worse(&ex2, fpu_float(lane_execute(OP_FEX2, 0, 0, fpu_bits(at), 0)) / exp2((double)at) - 1);
        }
    }
    cr_expect_lt(rcp, exp2(-15.9), "FRCP: 2^%f", log2(rcp));
    cr_expect_lt(rsq, exp2(-17.4), "FRSQ: 2^%f", log2(rsq));
    cr_expect_lt(ex2, exp2(-18), "FEX2: 2^%f", log2(ex2));
    cr_expect_lt(lg2, exp2(-16.4), "FLG2: 2^%f", log2(lg2));
}
