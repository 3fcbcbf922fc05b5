// The lanes: every ALU instruction against plain C written independently of cmodel/sm/lane.h, for corner and random
// values, both warp widths, register and immediate forms, and partial masks.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/isa.h"
#include "random_numbers.h"
#include "sm/decode.h"
#include "sm/execute.h"
#include "sm/lane.h"

#define REGISTERS 8u

static const uint32_t corners[] = {0,          1,          2,          3,          31,         32,
                                   33,         0x7F,       0x80,       0xFF,       0x100,      0x7FFF,
                                   0x8000,     0xFFFF,     0x10000,    0x7FFFFFFF, 0x80000000, 0x80000001,
                                   0xFFFFFFFE, 0xFFFFFFFF, 0x55555555, 0xAAAAAAAA, 0x12345678};
#define CORNERS (sizeof corners / sizeof corners[0])

static int64_t as_signed(uint32_t x) {
    return x >= 0x80000000u ? (int64_t)x - 0x100000000ll : (int64_t)x;
}

// floor(x / 2^n), without a shift of a negative number.
static int64_t divide_down(int64_t x, unsigned n) {
    const int64_t by = (int64_t)1 << n;
    return x >= 0 ? x / by : -((-x + by - 1) / by);
}

static uint32_t expected(unsigned opcode, unsigned mod, uint32_t a, uint32_t b, uint32_t c) {
    const int64_t sa = as_signed(a), sb = as_signed(b);
    uint32_t result = 0;
    switch (opcode & 0x7Fu) {
        case OP_MOV: return b;
        case OP_IADD: return (uint32_t)((uint64_t)a + b);
        case OP_ISUB: return (uint32_t)((uint64_t)a + 0x100000000ull - b);
        case OP_IMUL: return (uint32_t)((uint64_t)a * b);
        case OP_IMULHI: return (uint32_t)(uint64_t)divide_down(sa * sb, 32);
        case OP_UMULHI: return (uint32_t)((uint64_t)a * b / 0x100000000ull);
        case OP_AND:
        case OP_OR:
        case OP_XOR:
            for (unsigned i = 0; i < 32; i++) {
                const unsigned x = a >> i & 1u, y = b >> i & 1u;
                const unsigned bit = (opcode & 0x7Fu) == OP_AND  ? x + y == 2
                                     : (opcode & 0x7Fu) == OP_OR ? x + y != 0
                                                                 : x != y;
                result |= (uint32_t)bit << i;
            }
            return result;
        case OP_SHL: return (uint32_t)((uint64_t)a * (1ull << b % 32));
        case OP_SHR: return (uint32_t)(a / (1ull << b % 32));
        case OP_SAR: return (uint32_t)(uint64_t)divide_down(sa, b % 32);
        case OP_IMIN: return sa < sb ? a : b;
        case OP_IMAX: return sa < sb ? b : a;
        case OP_UMIN: return a < b ? a : b;
        case OP_UMAX: return a < b ? b : a;
        case OP_POPC:
            for (unsigned i = 0; i < 32; i++)
                result += b >> i & 1u;
            return result;
        case OP_CLZ:
            while (result < 32 && (b >> (31 - result) & 1u) == 0)
                result++;
            return result;
        case OP_BREV:
            for (unsigned i = 0; i < 32; i++)
                result |= (b >> i & 1u) << (31 - i);
            return result;
        case OP_IMAD: return (uint32_t)((uint64_t)a * b + c);
        case OP_ISETP: {
            const int64_t x = mod < 8 ? sa : (int64_t)a, y = mod < 8 ? sb : (int64_t)b;
            switch (mod & 7u) {
                case 0: return x == y;
                case 1: return x != y;
                case 2: return x < y;
                case 3: return x <= y;
                case 4: return x > y;
                default: return x >= y;
            }
        }
        default: cr_assert_fail("no reference for opcode 0x%x", opcode); return 0;
    }
}

struct machine {
    uint32_t registers[REGISTERS * WARP_THREADS_MAX];
    uint64_t predicates[8];
    struct execute_state state;
};

static void machine_fill(struct machine *m, unsigned threads, uint64_t *random) {
    m->state = (struct execute_state){.threads = threads, .registers = m->registers, .predicates = m->predicates};
    for (unsigned i = 0; i < REGISTERS * threads; i++)
        m->registers[i] =
            random_bits(random) % 3 == 0 ? corners[random_bits(random) % CORNERS] : (uint32_t)random_bits(random);
    for (unsigned p = 0; p < 7; p++)
        m->predicates[p] = random_bits(random);
    m->predicates[7] = ~UINT64_C(0);
}

static uint64_t random_exec(unsigned threads, unsigned round, uint64_t *random) {
    const uint64_t all = threads == 64 ? ~UINT64_C(0) : (UINT64_C(1) << threads) - 1;
    if (round % 4 == 0) return all;
    if (round % 4 == 1) return UINT64_C(1) << random_bits(random) % threads;
    const uint64_t exec = random_bits(random) & all;
    return exec != 0 ? exec : 1;
}

static bool is_alu_b2(unsigned opcode) {
    return (opcode >= OP_MOV && opcode <= OP_UMAX) || opcode == OP_POPC || opcode == OP_CLZ || opcode == OP_BREV;
}

static void check_vector(unsigned threads, unsigned base, bool immediate, uint64_t *random) {
    for (unsigned round = 0; round < 40; round++) {
        struct machine m;
        struct decoded d;
        machine_fill(&m, threads, random);
        m.state.exec = random_exec(threads, round, random);
        const unsigned rd = round % 5 == 0 ? 1 : 0, ra = round % 7 == 0 ? ISA_RZ : 1, rb = round % 11 == 0 ? ISA_RZ : 2,
                       rc = 3;
        const uint32_t imm = corners[random_bits(random) % CORNERS];
        const unsigned mod = base == OP_ISETP ? (unsigned[]){0, 1, 2, 3, 4, 5, 10, 11, 12, 13}[round % 10] : 0;
        const uint64_t word = immediate ? isa_encode_imm(base | 0x80u, 7, 0, rd, ra, mod, imm)
                                        : isa_encode_reg(base, 7, 0, rd, ra, mod, rb, rc, 0);
        decode(word, &d);
        cr_assert(d.legal, "opcode 0x%x mod %u", base, mod);
        cr_assert(d.alu);
        const struct machine before = m;
        execute_alu(&d, &m.state);
        uint64_t bits = 0;
        for (unsigned t = 0; t < threads; t++) {
            const uint32_t a = ra == ISA_RZ ? 0 : before.registers[ra * threads + t];
            const uint32_t b = immediate ? imm : rb == ISA_RZ ? 0 : before.registers[rb * threads + t];
            const uint32_t c = before.registers[rc * threads + t];
            const uint32_t want = expected(base, mod, a, b, c);
            cr_assert_eq(lane_execute(isa_opcode(word), mod, a, b, c), want, "lane: opcode 0x%x mod %u a 0x%x b 0x%x",
                         base, mod, a, b);
            bits |= (uint64_t)(want & 1u) << t;
            if (base == OP_ISETP) continue;
            const bool on = (m.state.exec >> t & 1u) != 0;
            cr_assert_eq(m.registers[rd * threads + t], on ? want : before.registers[rd * threads + t],
                         "opcode 0x%x thread %u of %u a 0x%x b 0x%x c 0x%x: 0x%x, expected 0x%x", base, t, threads, a,
                         b, c, m.registers[rd * threads + t], want);
        }
        // Nothing else may change.
        for (unsigned i = 0; i < REGISTERS * threads; i++) {
            if (base == OP_ISETP || i / threads != rd) cr_assert_eq(m.registers[i], before.registers[i]);
        }
        for (unsigned p = 0; p < 8; p++) {
            uint64_t want = before.predicates[p];
            if (base == OP_ISETP && p == rd) want = (want & ~m.state.exec) | (bits & m.state.exec);
            cr_assert_eq(m.predicates[p], want, "P%u", p);
        }
    }
}

Test(execute, every_operation,
     .description = "ALU results of whole warps, register and immediate forms, partial masks") {
    uint64_t random = UINT64_C(0x1234567);
    for (unsigned opcode = 0; opcode < 0x80; opcode++) {
        if (!is_alu_b2(opcode) && opcode != OP_ISETP) continue;
        for (unsigned form = 0; form < 2; form++) {
            check_vector(32, opcode, form != 0, &random);
            check_vector(64, opcode, form != 0, &random);
        }
    }
    check_vector(32, OP_IMAD, false, &random);
    check_vector(64, OP_IMAD, false, &random);
}

Test(execute, corner_pairs, .description = "every pair of corner values, one thread each") {
    for (unsigned opcode = 0; opcode < 0x80; opcode++) {
        if (!is_alu_b2(opcode)) continue;
        for (size_t i = 0; i < CORNERS; i++) {
            for (size_t j = 0; j < CORNERS; j++) {
                cr_assert_eq(lane_execute(opcode, 0, corners[i], corners[j], 0),
                             expected(opcode, 0, corners[i], corners[j], 0), "opcode 0x%x of 0x%x, 0x%x", opcode,
                             corners[i], corners[j]);
            }
        }
    }
}

Test(execute, shift_amounts) {
    for (uint32_t amount = 0; amount < 70; amount++) {
        for (size_t i = 0; i < CORNERS; i++) {
            const unsigned shifts[] = {OP_SHL, OP_SHR, OP_SAR};
            for (unsigned s = 0; s < 3; s++)
                cr_assert_eq(lane_execute(shifts[s], 0, corners[i], amount, 0),
                             expected(shifts[s], 0, corners[i], amount, 0));
        }
    }
}

static void run(struct machine *m, uint64_t word, uint64_t exec) {
    struct decoded d;
    decode(word, &d);
    cr_assert(d.legal);
    m->state.exec = exec;
    execute_alu(&d, &m->state);
}

Test(execute, select) {
    uint64_t random = 99;
    for (unsigned round = 0; round < 64; round++) {
        struct machine m;
        const unsigned threads = round % 2 ? 64 : 32, predicate = round % 8, negated = round / 8 % 2;
        machine_fill(&m, threads, &random);
        const struct machine before = m;
        const uint64_t exec = random_exec(threads, round / 2, &random);
        run(&m, isa_encode_reg(OP_SEL, 7, 0, 0, 1, predicate | negated << 3, 2, 0, 0), exec);
        for (unsigned t = 0; t < threads; t++) {
            const bool p = (before.predicates[predicate] >> t & 1u) != negated;
            const uint32_t want =
                (exec >> t & 1u) == 0 ? before.registers[t] : before.registers[(p ? 1 : 2) * threads + t];
            cr_assert_eq(m.registers[t], want, "thread %u", t);
        }
    }
}

Test(execute, predicate_logic) {
    uint64_t random = 7;
    for (unsigned round = 0; round < 96; round++) {
        struct machine m;
        machine_fill(&m, 64, &random);
        const struct machine before = m;
        const unsigned mod = round % 3, pa = (unsigned)(random_bits(&random) % 16),
                       pb = (unsigned)(random_bits(&random) % 16);
        const uint64_t exec = random_exec(64, round, &random);
        const uint64_t a = before.predicates[pa & 7u] ^ (pa & 8u ? ~UINT64_C(0) : 0);
        const uint64_t b = before.predicates[pb & 7u] ^ (pb & 8u ? ~UINT64_C(0) : 0);
        const uint64_t value = mod == 0 ? a & b : mod == 1 ? a | b : a ^ b;
        run(&m, isa_encode_reg(OP_PSETP, 7, 0, 3, pa, mod, pb, 0, 0), exec);
        cr_assert_eq(m.predicates[3], (before.predicates[3] & ~exec) | (value & exec));
        cr_assert_eq(m.predicates[7], ~UINT64_C(0));
    }
}

Test(execute, pt_and_rz_keep_their_values) {
    uint64_t random = 5;
    struct machine m;
    machine_fill(&m, 32, &random);
    const struct machine before = m;
    run(&m, isa_encode_imm(OP_ISETP_I, 7, 0, ISA_PT, ISA_RZ, CMP_NE, 0), UINT32_MAX);
    run(&m, isa_encode_reg(OP_PSETP, 7, 0, ISA_PT, ISA_PT | 8u, 0, ISA_PT, 0, 0), UINT32_MAX);
    run(&m, isa_encode_imm(OP_MOV_I, 7, 0, ISA_RZ, 0, 0, 77), UINT32_MAX);
    cr_assert_eq(memcmp(m.registers, before.registers, sizeof m.registers), 0);
    cr_assert_eq(memcmp(m.predicates, before.predicates, sizeof m.predicates), 0);
    for (unsigned t = 0; t < 32; t++)
        cr_assert_eq(execute_read(&m.state, ISA_RZ)[t], 0);
}

Test(execute, predicates_to_register_and_back) {
    uint64_t random = 11;
    for (unsigned round = 0; round < 40; round++) {
        struct machine m;
        const unsigned threads = round % 2 ? 64 : 32;
        machine_fill(&m, threads, &random);
        const uint64_t exec = random_exec(threads, round / 2, &random);
        const struct machine before = m;
        run(&m, isa_encode_reg(OP_P2R, 7, 0, 2, 0, 0, 0, 0, 0), exec);
        for (unsigned t = 0; t < threads; t++) {
            uint32_t want = 0;
            for (unsigned p = 0; p < 7; p++)
                want |= (uint32_t)(before.predicates[p] >> t & 1u) << p;
            if ((exec >> t & 1u) == 0) want = before.registers[2 * threads + t];
            cr_assert_eq(m.registers[2 * threads + t], want);
        }
        const uint32_t chosen = (uint32_t)random_bits(&random) & 0x7Fu;
        const struct machine middle = m;
        run(&m, isa_encode_imm(OP_R2P, 7, 0, 0, 4, 0, chosen), exec);
        for (unsigned p = 0; p < 8; p++) {
            for (unsigned t = 0; t < threads; t++) {
                const bool writes = p < 7 && (chosen >> p & 1u) != 0 && (exec >> t & 1u) != 0;
                const bool want =
                    writes ? (middle.registers[4 * threads + t] >> p & 1u) != 0 : (middle.predicates[p] >> t & 1u) != 0;
                cr_assert_eq(m.predicates[p] >> t & 1u, want, "P%u thread %u", p, t);
            }
        }
    }
}

Test(decode, illegal_words) {
    struct decoded d;
    unsigned legal = 0;
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        decode(isa_encode_imm(opcode, 7, 0, 0, 0, 0, 0), &d);
        const bool built = isa_table[opcode].mnemonic != NULL && isa_table[opcode].built;
        cr_assert_eq(d.legal, built, "opcode 0x%x", opcode);
        legal += d.legal;
    }
    cr_assert_gt(legal, 40);
    const struct {
        unsigned opcode, mod;
        uint32_t imm;
    } refused[] = {{OP_ISETP, 6, 0}, {OP_ISETP_I, 9, 0}, {OP_ISETP, 14, 0}, {OP_LDG, 7, 0},   {OP_STG, 15, 0},
                   {OP_LDC, 8, 0},   {OP_ATOMG, 13, 0},  {OP_PSETP, 3, 0},  {OP_YIELD, 3, 0}, {OP_F2I, 8, 0},
                   {OP_FRND, 4, 0},  {OP_YIELD, 15, 0},  {OP_S2R, 0, 18},   {OP_S2R, 0, 256}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        decode(isa_encode_imm(refused[i].opcode, 7, 0, 0, 0, refused[i].mod, refused[i].imm), &d);
        cr_assert_not(d.legal, "opcode 0x%x mod %u", refused[i].opcode, refused[i].mod);
    }
}

Test(decode, registers_needed) {
    const struct {
        uint64_t word;
        unsigned needed;
    } cases[] = {
        {isa_encode_reg(OP_IADD, 7, 0, 5, 9, 0, 3, 200, 0), 10},  // rc is not named
        {isa_encode_imm(OP_IADD_I, 7, 0, 5, 2, 0, 0xFFFFFFFF), 6},
        {isa_encode_reg(OP_IMAD, 7, 0, 1, 2, 0, 3, 17, 0), 18},
        {isa_encode_reg(OP_IADD, 7, 0, 255, 255, 0, 255, 0, 0), 0},
        {isa_encode_reg(OP_ISETP, 7, 0, 255, 4, 0, 1, 0, 0), 5},
        {isa_encode_imm(OP_LDG, 7, 0, 6, 2, SIZE_64, 0), 8},
        {isa_encode_imm(OP_LDG, 7, 0, 8, 2, SIZE_128, 0), 12},
        {isa_encode_imm(OP_LDG, 7, 0, 7, 2, SIZE_64, 0), DECODE_MISALIGNED},
        {isa_encode_imm(OP_STG, 7, 0, 2, 2, SIZE_128, 0), DECODE_MISALIGNED},
        {isa_encode_imm(OP_STG, 7, 0, 255, 2, SIZE_128, 0), 3},
        {isa_encode_reg(OP_ATOMG, 7, 0, 255, 2, ATOM_ADD, 3, 90, 0), 4},  // rc only for CAS
        {isa_encode_reg(OP_ATOMG, 7, 0, 255, 2, ATOM_CAS, 3, 90, 0), 91},
        {isa_encode_imm(OP_CAL, 7, 0, 30, 99, 0, 0), 31},
        {isa_encode_imm(OP_RET, 7, 0, 99, 30, 0, 0), 31},
        {isa_encode_imm(OP_BRA, 7, 0, 99, 99, 0, 0), 0},
        {isa_encode_imm(OP_S2R, 7, 0, 12, 99, 0, 0), 13},
        {isa_encode_imm(OP_R2P, 7, 0, 99, 12, 0, 0), 13},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct decoded d;
        decode(cases[i].word, &d);
        cr_assert(d.legal);
        cr_assert_eq(d.registers_needed, cases[i].needed, "case %zu: %u, expected %u", i, d.registers_needed,
                     cases[i].needed);
    }
}
