// Instructions of the lanes, thread by thread: random words of every opcode, of both widths of a warp, against what one
// lane makes of a thread's operands (lane.h); what is in no mask, and every other register and predicate, stays.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/seed.h"
#include "random_numbers.h"
#include "sm/execute.h"
#include "sm/lane.h"

enum { REGISTERS = 256, WORDS = 40, SIZE = (REGISTERS + 1) * WARP_THREADS_MAX };

struct machine {
    uint32_t registers[SIZE];  // a row more than there are registers, in place of RZ
    uint64_t predicates[8];
};

static uint64_t seed;
static struct machine is, must;

static uint32_t below(uint32_t n) {
    return random_below(&seed, n);
}

static uint64_t all_of(uint32_t threads) {
    return UINT64_MAX >> (64 - threads);
}

static uint64_t random_exec(uint32_t threads) {
    const uint64_t all = all_of(threads), one = UINT64_C(1) << below(threads);
    switch (below(6)) {
        case 0: return all;
        case 1: return one;
        case 2: return all & ~one;
        case 3: return all & ~UINT64_C(1);
        default: return (random_bits(&seed) & all) | one;
    }
}

static uint32_t random_word(void) {
    static const uint32_t corners[] = {0, 1, 0x7F800000, 0x80000000, 0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x7FC00000};
    return below(2) != 0 ? (uint32_t)random_bits(&seed) : below(2) != 0 ? corners[below(8)] : below(64);
}

static void random_machine(uint32_t threads) {
    for (uint32_t i = 0; i < REGISTERS * threads; i++)
        is.registers[i] = random_word();
    for (uint32_t i = REGISTERS * threads; i < SIZE; i++)
        is.registers[i] = 0;
    for (uint32_t p = 0; p < 8; p++)
        is.predicates[p] = p == ISA_PT ? UINT64_MAX : random_bits(&seed) & all_of(threads);
    must = is;
}

static uint32_t operand(uint32_t reg, uint32_t thread, uint32_t threads) {
    return reg == ISA_RZ ? 0 : is.registers[reg * threads + thread];
}

static bool predicate(uint32_t field, uint32_t thread) {
    return (is.predicates[field & 7u] >> thread & 1u) != (field >> 3 & 1u);
}

static void want_register(const struct decoded *d, uint32_t thread, uint32_t threads, uint32_t value) {
    if (d->rd != ISA_RZ) must.registers[d->rd * threads + thread] = value;
}

static void want_predicate(uint32_t field, uint32_t thread, bool value) {
    const uint64_t bit = UINT64_C(1) << thread;
    if ((field & 7u) == ISA_PT) return;
    must.predicates[field & 7u] = (must.predicates[field & 7u] & ~bit) | (value ? bit : 0);
}

static void want(const struct decoded *d, uint32_t t, uint32_t threads) {
    const uint32_t a = operand(d->ra, t, threads), c = operand(d->rc, t, threads);
    const uint32_t b = d->immediate ? d->imm : operand(d->rb, t, threads);
    uint32_t bits = 0;
    switch (d->opcode) {
        case OP_SHFL:
        case OP_SHFL_I: want_register(d, t, threads, operand(d->ra, b % threads, threads)); return;
        case OP_ISETP:
        case OP_ISETP_I: want_predicate(d->rd, t, lane_compare(d->mod, a, b)); return;
        case OP_FSETP:
        case OP_FSETP_I: want_predicate(d->rd, t, fpu_compare(d->mod, a, b)); return;
        case OP_PSETP: {
            const bool p = predicate(d->ra, t), q = predicate(d->rb, t);
            want_predicate(d->rd, t, d->mod == 0 ? p && q : d->mod == 1 ? p || q : p != q);
            return;
        }
        case OP_SEL:
        case OP_SEL_I: want_register(d, t, threads, predicate(d->mod, t) ? a : b); return;
        case OP_P2R:
            for (uint32_t p = 0; p < ISA_PT; p++)
                bits |= predicate(p, t) ? 1u << p : 0;
            want_register(d, t, threads, bits);
            return;
        case OP_R2P:
            for (uint32_t p = 0; p < ISA_PT; p++) {
                if ((d->imm >> p & 1u) != 0) want_predicate(p, t, (a >> p & 1u) != 0);
            }
            return;
        default:
            if (isa_table[d->opcode].format != FORMAT_CARRY) {
                want_register(d, t, threads, lane_result(d->opcode, d->mod, a, b, c));
                return;
            }
            // The carry: the predicate of mod, whose complement does not exist.
            want_register(d, t, threads, lane_result(d->opcode, 0, a, b, predicate(d->mod & 7u, t)));
            want_predicate(d->mod, t, lane_carry(d->opcode & 0x7Fu, a, b, predicate(d->mod & 7u, t)));
    }
}

static void check(uint32_t threads, uint64_t word, const struct decoded *d) {
    const uint64_t exec = random_exec(threads);
    random_machine(threads);
    const struct execute_state state = {
        .threads = threads, .registers = is.registers, .predicates = is.predicates, .exec = exec};
    for (uint32_t t = 0; t < threads; t++) {
        if ((exec >> t & 1u) != 0) want(d, t, threads);
    }
    execute_alu(d, &state);
    for (uint32_t i = 0; i < SIZE; i++)
        cr_assert_eq(is.registers[i], must.registers[i], "%s %016" PRIx64 ": R%u of thread %u",
                     isa_table[d->opcode].mnemonic, word, i / threads, i % threads);
    for (uint32_t p = 0; p < 8; p++)
        cr_assert_eq(is.predicates[p], must.predicates[p], "%s %016" PRIx64 ": P%u", isa_table[d->opcode].mnemonic,
                     word, p);
}

static void begin(void) {
    seed = seed_from_environment();
    fprintf(stderr, "TANDEM_SEED=%" PRIu64 "\n", seed);
}

Test(execute_lanes, words, .init = begin, .description = "every instruction of the lanes, thread by thread [model]") {
    uint32_t opcodes = 0;
    for (uint32_t opcode = 0; opcode < 256; opcode++) {
        uint32_t done = 0;
        for (uint32_t tries = 0; tries < 40 * WORDS && done < WORDS; tries++) {
            struct decoded d;
            const uint64_t word = (random_bits(&seed) & ~UINT64_C(0xFF)) | opcode;
            decode(word, &d);
            if (!d.legal || !d.alu || opcode == OP_S2R || opcode == OP_SRD) continue;
            check(done % 2 != 0 ? 32 : 64, word, &d);
            done++;
        }
        opcodes += done == WORDS;
        cr_assert(done == 0 || done == WORDS, "opcode %02x: %u words", opcode, done);
    }
    cr_assert_gt(opcodes, 60);
}

Test(execute_lanes, rows, .init = begin, .description = "a register read and written for some threads [model]") {
    for (uint32_t turn = 0; turn < 400; turn++) {
        const uint32_t threads = turn % 2 != 0 ? 32 : 64, reg = turn % 9 == 0 ? ISA_RZ : below(ISA_RZ);
        uint32_t result[WARP_THREADS_MAX];
        random_machine(threads);
        const struct execute_state state = {
            .threads = threads, .registers = is.registers, .exec = random_exec(threads)};
        const uint32_t *row = execute_read(&state, reg);
        for (uint32_t t = 0; t < threads; t++) {
            result[t] = random_word();
            cr_assert_eq(row[t], operand(reg, t, threads));
            if ((state.exec >> t & 1u) != 0 && reg != ISA_RZ) must.registers[reg * threads + t] = result[t];
        }
        execute_write(&state, reg, result);
        cr_assert_eq(memcmp(&is, &must, sizeof is), 0, "R%u of %u threads %" PRIx64, reg, threads, state.exec);
    }
}
