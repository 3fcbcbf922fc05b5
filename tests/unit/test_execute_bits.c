// Carries, saturation, fields, bytes and funnel shifts over whole warps against references that work bit by bit or in
// wide arithmetic, and words of their formats.
#include <criterion/criterion.h>
#include <string.h>

#include "gen/isa.h"
#include "isa/assembler.h"
#include "random_numbers.h"
#include "sm/decode.h"
#include "sm/execute.h"

#define REGISTERS 5u

static uint32_t operand(uint64_t *random) {
    static const uint32_t corners[] = {0,          1,          2,          31,         32,     0x7FFFFFFF,
                                       0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE, 0x2000, 0x1F1F};
    const uint64_t value = random_bits(random);
    return value % 3 == 0 ? corners[(value >> 8) % 12] : (uint32_t)(value >> 16) >> ((value >> 50) % 32);
}

static int64_t as_signed(uint32_t x) {
    return (int64_t)(x ^ 0x80000000u) - 0x80000000ll;
}
static uint32_t clamp(int64_t x, int64_t low, int64_t high) {
    return (uint32_t)(uint64_t)(x < low ? low : x > high ? high : x);
}
static unsigned bit(uint32_t x, unsigned i) {
    return i < 32 ? x >> i & 1u : 0;
}

// in: the carry that comes in, where one does. carry: the one that leaves.
static uint32_t expected(unsigned opcode, uint32_t a, uint32_t b, uint32_t c, unsigned in, bool *carry) {
    const int64_t sa = as_signed(a), sb = as_signed(b), ua = a, ub = b;
    const unsigned at = b % 32, width = b >> 8 & 63u;
    uint32_t result = 0;
    switch (opcode) {
        case OP_IADDO: in = 0;  // fall through
        case OP_IADDC: *carry = ua + ub + in > 0xFFFFFFFFll; return (uint32_t)(uint64_t)(ua + ub + in);
        case OP_ISUBO: in = 0;  // fall through
        case OP_ISUBC: *carry = ua - ub - in < 0; return (uint32_t)(uint64_t)(ua - ub - in);
        case OP_IADDSAT: return clamp(sa + sb, INT32_MIN, INT32_MAX);
        case OP_ISUBSAT: return clamp(sa - sb, INT32_MIN, INT32_MAX);
        case OP_UADDSAT: return clamp(ua + ub, 0, UINT32_MAX);
        case OP_USUBSAT: return clamp(ua - ub, 0, UINT32_MAX);
        case OP_IABSD: return (uint32_t)(uint64_t)(sa < sb ? sb - sa : sa - sb);
        case OP_UABSD: return (uint32_t)(uint64_t)(ua < ub ? ub - ua : ua - ub);
        case OP_UBFE:
            for (unsigned i = 0; i < 32 && i < width; i++)
                result |= bit(a, at + i) << i;
            return result;
        case OP_IBFE:
            for (unsigned i = 0; i < 32 && width > 0; i++) {
                const unsigned from = at + (i < width ? i : width - 1);
                result |= bit(a, from < 32 ? from : 31) << i;
            }
            return result;
        case OP_BFI:
            for (unsigned i = 0; i < 32; i++)
                result |= (i >= at && i < at + width ? bit(a, i - at) : bit(c, i)) << i;
            return result;
        case OP_PRMT:
            for (unsigned i = 0; i < 32; i++) {
                const unsigned pick = b >> (i / 8 * 4) & 15u, in_byte = pick >= 8 ? 7 : i % 8;
                const unsigned from = pick % 8 * 8 + in_byte;
                result |= (from < 32 ? bit(a, from) : bit(c, from - 32)) << i;
            }
            return result;
        case OP_FSHL:
            for (unsigned i = 0; i < 32; i++)
                result |= (i >= at ? bit(a, i - at) : bit(c, 32 + i - at)) << i;
            return result;
        case OP_FSHR:
            for (unsigned i = 0; i < 32; i++)
                result |= (i + at < 32 ? bit(c, i + at) : bit(a, i + at - 32)) << i;
            return result;
        case OP_IMADHI: return (uint32_t)((uint64_t)((sa * sb - (int64_t)(a * b)) / 0x100000000ll) + c);
        case OP_UMADHI: return (uint32_t)((uint64_t)a * b / 0x100000000ull + c);
        default: cr_assert_fail("no reference for opcode 0x%x", opcode); return 0;
    }
}

static const uint8_t operations[] = {OP_IADDO,   OP_IADDC,   OP_ISUBO, OP_ISUBC, OP_IADDSAT, OP_ISUBSAT,
                                     OP_UADDSAT, OP_USUBSAT, OP_IABSD, OP_UABSD, OP_UBFE,    OP_IBFE,
                                     OP_BFI,     OP_PRMT,    OP_FSHL,  OP_FSHR,  OP_IMADHI,  OP_UMADHI};

static void one_round(unsigned opcode, unsigned threads, unsigned round, uint64_t *random) {
    uint32_t registers[REGISTERS * WARP_THREADS_MAX], before[REGISTERS * WARP_THREADS_MAX];
    uint64_t predicates[8], old[8];
    struct execute_state state = {.threads = threads, .registers = registers, .predicates = predicates};
    const enum isa_format format = isa_table[opcode].format;
    const uint64_t all = threads == 64 ? ~UINT64_C(0) : UINT32_MAX;
    for (unsigned i = 0; i < REGISTERS * threads; i++)
        registers[i] = operand(random);
    for (unsigned p = 0; p < 7; p++)
        predicates[p] = random_bits(random);
    predicates[7] = ~UINT64_C(0);
    memcpy(before, registers, sizeof before);
    memcpy(old, predicates, sizeof old);
    state.exec = round % 3 == 0 ? all : (random_bits(random) & all) | 1u;
    const bool short_form = round % 2 != 0 && format != FORMAT_R3;
    const uint32_t number = format == FORMAT_R3S ? operand(random) & 0xFFFFu : operand(random);
    const unsigned p = format == FORMAT_CARRY ? round % 8 : 0, rd = round % 5 == 0 ? 2 : 0;
    uint64_t word;
    if (!short_form) {
        word = isa_encode_reg(opcode, 7, false, rd, 1, p, 2, 3, 0x1234);
    } else if (format == FORMAT_R3S) {
        word = isa_encode_reg(opcode, 7, false, rd, 1, p, ISA_RZ, 3, (int32_t)number);
    } else {
        word = isa_encode_imm(opcode | 0x80u, 7, false, rd, 1, p, number);
    }
    struct decoded d;
    decode(word, &d);
    cr_assert(d.legal && d.alu);
    cr_assert_eq(d.registers, 1);
    execute_alu(&d, &state);
    for (unsigned t = 0; t < threads; t++) {
        const bool on = (state.exec >> t & 1u) != 0;
        bool carry = false;
        const uint32_t b = short_form ? number : before[2 * threads + t];
        const uint32_t want =
            expected(opcode, before[threads + t], b, before[3 * threads + t], (unsigned)(old[p] >> t & 1u), &carry);
        cr_assert_eq(registers[rd * threads + t], on ? want : before[rd * threads + t],
                     "%s thread %u a 0x%x b 0x%x c 0x%x: 0x%x, expected 0x%x", isa_table[opcode].mnemonic, t,
                     before[threads + t], b, before[3 * threads + t], registers[rd * threads + t], want);
        for (unsigned q = 0; q < 8; q++) {
            const bool writes = on && format == FORMAT_CARRY && q == p && p != ISA_PT;
            cr_assert_eq(predicates[q] >> t & 1u, writes ? carry : old[q] >> t & 1u, "%s P%u thread %u",
                         isa_table[opcode].mnemonic, q, t);
        }
    }
}

Test(execute_bits, every_operation, .description = "carry, saturation, fields, bytes, funnel shifts [model]") {
    uint64_t random = UINT64_C(0x9876543);
    for (size_t i = 0; i < sizeof operations; i++) {
        for (unsigned round = 0; round < 120; round++)
            one_round(operations[i], round % 4 < 2 ? 32 : 64, round, &random);
    }
}

Test(execute_bits, registers_named, .description = "which registers the formats with carry and with ext name [model]") {
    const struct {
        const char *text;
        unsigned needed;
    } cases[] = {{"IADDC R3, R5, R9, P1", 10},
                 {"ISUBO RZ, R5, 77, PT", 6},
                 {"PRMT R1, R2, R20, R3", 21},
                 {"PRMT R1, R2, 0x3210, R30", 31},
                 {"BFI RZ, RZ, 0, RZ", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t word = 0;
        char error[200] = "";
        struct decoded d;
        cr_assert(assemble_instruction(cases[i].text, &word, error, sizeof error), "%s: %s", cases[i].text, error);
        decode(word, &d);
        cr_expect_eq(d.registers_needed, cases[i].needed, "%s: %u", cases[i].text, d.registers_needed);
    }
}

Test(execute_bits, bad_operands, .description = "the assembler refuses what the formats cannot say [model]") {
    const char *const bad[] = {"IADDC R1, R2, R3",       "IADDC R1, R2, R3, !P0", "IADDO R1, R2, R3, R4",
                               "PRMT R1, R2, 65536, R3", "PRMT R1, R2, -1, R3",   "FSHL R1, R2, 3",
                               "UBFE R1, R2, R3, R4"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t word = 0;
        char error[200] = "";
        cr_expect_not(assemble_instruction(bad[i], &word, error, sizeof error), "%s", bad[i]);
        cr_expect_neq(error[0], 0);
    }
}
