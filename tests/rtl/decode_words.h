// Random instruction words, legal ones mostly, and what the model says of them in the words of rtl/bundles.tbl (DECODED): what the model needs
// no word for itself (passes over the portions, units) is said here.
#ifndef TANDEM_TESTS_RTL_DECODE_WORDS_H
#define TANDEM_TESTS_RTL_DECODE_WORDS_H

#include "bench.h"
#include "gen/bundles.h"

extern "C" {
#include "gen/isa.h"
#include "sm/decode.h"
#include "sm/divergence_unit.h"
#include "sm/scalar_unit.h"
#include "sm/scoreboard.h"
#include "sm/trap.h"
}

// Near the bounds that the task has, a scalar register, or anything.
static inline uint32_t any_register(struct bench *bench, uint32_t registers, uint32_t privates) {
    switch (bench_below(bench, 6)) {
        case 0: return bench_below(bench, 256);
        case 1: return ISA_RZ - bench_below(bench, 2);
        case 2: return (registers + 2 - bench_below(bench, 6)) & 255;
        case 3: return (privates + 2 - bench_below(bench, 6)) & 255;
        case 4: return bench_chance(bench, 1, 2) ? 128 + bench_below(bench, 20) : bench_below(bench, 18);
        default: return bench_below(bench, registers + 1);
    }
}

static inline uint32_t immediate(struct bench *bench) {
    switch (bench_below(bench, 4)) {
        case 0: return bench_below(bench, 24);
        case 1: return (uint32_t)bench_random(bench) & 0x7F;
        case 2: return bench_below(bench, 256) << bench_below(bench, 25);
        default: return (uint32_t)bench_random(bench);
    }
}

// A word of this opcode, legal mostly. Fields that a format has not are zero in most words, as a legal word has them.
static inline uint64_t word_of(struct bench *bench, uint32_t op, uint32_t mod, uint32_t registers, uint32_t privates) {
    const uint32_t rd = any_register(bench, registers, privates), ra = any_register(bench, registers, privates);
    uint64_t word =
        op | (uint64_t)bench_below(bench, 16) << 8 | (uint64_t)rd << 12 | (uint64_t)ra << 20 | (uint64_t)mod << 28;
    if (isa_table[op].immediate)
        word |= (uint64_t)immediate(bench) << 32;
    else
        word |= (uint64_t)any_register(bench, registers, privates) << 32 |
                (uint64_t)any_register(bench, registers, privates) << 40 | (bench_random(bench) & 0xFFFF) << 48;
    if (isa_legal(word)) return word;
    static const uint64_t fields[] = {UINT64_C(0xFF) << 12, UINT64_C(0xFF) << 20, UINT64_C(0xF) << 28,
                                      UINT64_C(0xFF) << 32, UINT64_C(0xFF) << 40, UINT64_C(0xFFFF) << 48};
    for (uint32_t tries = 0; tries < 20 && !isa_legal(word) && !bench_chance(bench, 1, 30); tries++) {
        uint64_t other = word;
        for (const uint64_t field : fields)
            if (bench_chance(bench, 1, 2)) other &= ~field;
        if (isa_legal(other)) word = other;
    }
    return word;
}

static inline uint32_t any_mod(struct bench *bench) {
    return bench_chance(bench, 1, 2) ? bench_below(bench, 16) : bench_below(bench, 2);
}

static inline uint64_t random_word(struct bench *bench, uint32_t registers, uint32_t privates) {
    // Those whose bounds are narrow come more often.
    static const uint32_t scalars[] = {OP_SMOV, OP_SMOV_I, OP_R2S, OP_SRD, OP_VOTE};
    static const uint32_t wide[] = {OP_LDG, OP_STG, OP_LDS, OP_STS, OP_LDC};
    uint32_t op = bench_below(bench, 256), mod = any_mod(bench);
    for (uint32_t tries = 0; !isa_table[op].built && tries < 20; tries++)
        op = bench_below(bench, 256);
    if (bench_chance(bench, 1, 8)) op = scalars[bench_below(bench, 5)];
    if (bench_chance(bench, 1, 8)) {
        op = wide[bench_below(bench, 5)];
        mod = bench_chance(bench, 1, 2) ? SIZE_64 : SIZE_128;
    }
    if (bench_chance(bench, 1, 20)) {  // names four registers
        op = bench_chance(bench, 1, 2) ? OP_ATOMG : OP_ATOMS;
        mod = ATOM_CAS;
    }
    return word_of(bench, op, mod, registers, privates);
}

static inline uint32_t unit_of(const struct decoded *d) {
    const bool scalar = scalar_executes(d->opcode), loop = d->opcode == OP_SVLOOP_BEGIN || d->opcode == OP_SVLOOP_END;
    if (divergence_executes(d->opcode) || loop || (scalar && d->rd >= ISA_SCALARS)) return UNIT_CONTROL;
    if (scalar) return UNIT_SCALAR;
    if (d->bytes != 0 || d->opcode == OP_LAUNCH) return UNIT_MEMORY;
    if (d->alu || d->opcode == OP_R2S) return UNIT_LANES;
    return d->opcode == OP_BAR ? UNIT_BARRIER : UNIT_NONE;
}

static inline bool is_uniform(uint32_t op, bool branch_in_trap) {
    static const uint32_t all[] = {OP_SSY,          OP_PBRK,       OP_PCONT, OP_PEXIT, OP_PLONGJMP, OP_TRAP,
                                   OP_TRET,         OP_TLEAVE,     OP_TEXIT, OP_TFAIL, OP_YIELD,    OP_SVSTART,
                                   OP_SVLOOP_BEGIN, OP_SVLOOP_END, OP_CAL,   OP_JCAL,  OP_JCALX};
    for (const uint32_t one : all)
        if (op == one) return true;
    return branch_in_trap;
}

// What goes to the lanes and the memory units.
struct operands {
    uint32_t op, imm, rc, passes, p1, p2, pred;
    bool b_imm, writes_reg, call, special, thread_id, preds_to_b, to_scalar, scalar_read, shuffle, predicates;
};

static inline struct operands operands_of(const struct decoded *d) {
    const enum isa_format format = isa_table[d->opcode].format;
    const uint32_t number = d->imm & 0xFF, words = d->bytes > 4 ? d->bytes / 4u : 1u;
    struct operands o = {};
    o.call = format == FORMAT_CALLR || format == FORMAT_CALLX;
    o.scalar_read = d->opcode == OP_SRD;
    o.to_scalar = d->opcode == OP_R2S;
    o.preds_to_b = format == FORMAT_PR && d->opcode != OP_VOTE;
    o.special = format == FORMAT_SR;
    o.thread_id = o.special && (number == SR_TID_X || number == SR_TID_Y || number == SR_TID_Z || number == SR_LANEID);
    o.shuffle = d->opcode == OP_SHFL || d->opcode == OP_SHFL_I;
    o.predicates = format == FORMAT_RP;
    o.op = o.scalar_read || o.preds_to_b || o.special || o.call ? (uint32_t)OP_MOV : d->opcode & 0x7Fu;
    o.imm = d->imm;
    if (format == FORMAT_R3S && d->rb != ISA_RZ) o.imm = (uint32_t)d->ext & 0xFFFF;  // looked at beside RZ alone
    if (format == FORMAT_LDC) o.imm &= 0xFFFF;
    if (format == FORMAT_ATOM) o.imm = (uint32_t)d->ext;
    o.b_imm = d->immediate || o.scalar_read;
    o.rc = d->store ? d->rd : d->rc;
    o.writes_reg = d->registers != 0 && d->bytes == 0;
    for (uint32_t p = 0; p < ISA_PT; p++)
        if (!o.predicates && (d->writes_preds >> p & 1) != 0) o.pred = p;
    o.passes = o.predicates ? d->imm & 0x7F : d->store ? (1u << words) - 1 : o.shuffle ? 3u : 1u;
    o.p1 = format == FORMAT_PLOP ? d->ra & 15u : format == FORMAT_CARRY ? d->mod & 7u : d->mod;
    o.p2 = format == FORMAT_PLOP ? d->rb & 15u : 0;
    return o;
}

#endif
