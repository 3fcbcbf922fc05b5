// decode: random instruction words, legal ones mostly, of tasks with random numbers of registers, in a trap and outside: whether the word is
// illegal or names what it may not, and all that it says otherwise, against the C twin (cmodel/sm/decode.c, trap.c, scalar_unit.c). What the
// model needs no word for (passes over the portions, units, targets) is said here as rtl/bundles.tbl says it.
#include <verilated.h>

#include "Vdecode.h"
#include "bench.h"
#include "tick.h"

extern "C" {
#include "gen/isa.h"
#include "sm/decode.h"
#include "sm/divergence_unit.h"
#include "sm/scalar_unit.h"
#include "sm/scoreboard.h"
#include "sm/trap.h"
}

enum unit { NONE, LANES_UNIT, MEMORY, CONTROL, BARRIER, SCALAR };  // UNIT_* of rtl/bundles.tbl

static const uint32_t bytes[] = {1, 1, 2, 2, 4, 8, 16};  // of an access, by its size

struct run {
    struct bench bench;
    Vdecode rtl;
    uint64_t word;
    uint64_t illegal, bad, good;
};

static void expect(const struct run *run, const char *what, uint32_t is, uint32_t wanted) {
    if (is != wanted)
        bench_fail(&run->bench, "word %016llx (%s, mod %u): %s is %x, not %x", (unsigned long long)run->word,
                   isa_table[isa_opcode(run->word)].mnemonic, isa_mod(run->word), what, is, wanted);
}

// Near the bounds that the task has, a scalar register, or anything.
static uint32_t any_register(struct run *run, uint32_t registers, uint32_t privates) {
    struct bench *bench = &run->bench;
    switch (bench_below(bench, 6)) {
        case 0: return bench_below(bench, 256);
        case 1: return ISA_RZ - bench_below(bench, 2);
        case 2: return (registers + 2 - bench_below(bench, 6)) & 255;
        case 3: return (privates + 2 - bench_below(bench, 6)) & 255;
        case 4: return bench_chance(bench, 1, 2) ? 128 + bench_below(bench, 20) : bench_below(bench, 18);
        default: return bench_below(bench, registers + 1);
    }
}

static uint32_t immediate(struct run *run) {
    struct bench *bench = &run->bench;
    switch (bench_below(bench, 4)) {
        case 0: return bench_below(bench, 24);
        case 1: return (uint32_t)bench_random(bench) & 0x7F;
        case 2: return bench_below(bench, 256) << bench_below(bench, 25);
        default: return (uint32_t)bench_random(bench);
    }
}

static uint64_t random_word(struct run *run, uint32_t registers, uint32_t privates) {
    struct bench *bench = &run->bench;
    // Those whose bounds are narrow come more often.
    static const uint32_t scalars[] = {OP_SMOV, OP_SMOV_I, OP_R2S, OP_SRD, OP_VOTE};
    static const uint32_t wide[] = {OP_LDG, OP_STG, OP_LDS, OP_STS, OP_LDC};
    uint32_t op = bench_below(bench, 256);
    for (uint32_t tries = 0; !isa_table[op].built && tries < 20; tries++)
        op = bench_below(bench, 256);
    if (bench_chance(bench, 1, 8)) op = scalars[bench_below(bench, 5)];
    const uint32_t rd = any_register(run, registers, privates), ra = any_register(run, registers, privates);
    // Fields that a format has not are zero in most words, as a legal word has them.
    uint32_t mod = bench_chance(bench, 1, 2) ? bench_below(bench, 16) : bench_below(bench, 2);
    if (bench_chance(bench, 1, 8)) {
        op = wide[bench_below(bench, 5)];
        mod = bench_chance(bench, 1, 2) ? SIZE_64 : SIZE_128;
    }
    if (bench_chance(bench, 1, 20)) {  // names four registers
        op = bench_chance(bench, 1, 2) ? OP_ATOMG : OP_ATOMS;
        mod = ATOM_CAS;
    }
    uint64_t word =
        op | (uint64_t)bench_below(bench, 16) << 8 | (uint64_t)rd << 12 | (uint64_t)ra << 20 | (uint64_t)mod << 28;
    if (isa_table[op].immediate)
        word |= (uint64_t)immediate(run) << 32;
    else
        word |= (uint64_t)any_register(run, registers, privates) << 32 |
                (uint64_t)any_register(run, registers, privates) << 40 | (bench_random(bench) & 0xFFFF) << 48;
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

static enum unit unit_of(const struct decoded *d) {
    const bool scalar = scalar_executes(d->opcode), loop = d->opcode == OP_SVLOOP_BEGIN || d->opcode == OP_SVLOOP_END;
    if (divergence_executes(d->opcode) || loop || (scalar && d->rd >= ISA_SCALARS)) return CONTROL;
    if (scalar) return SCALAR;
    if (d->bytes != 0 || d->opcode == OP_LAUNCH) return MEMORY;
    if (d->alu || d->opcode == OP_R2S) return LANES_UNIT;
    return d->opcode == OP_BAR ? BARRIER : NONE;
}

static bool is_uniform(uint32_t op, bool branch_in_trap) {
    static const uint32_t all[] = {OP_SSY,          OP_PBRK,       OP_PCONT, OP_PEXIT, OP_PLONGJMP, OP_TRAP,
                                   OP_TRET,         OP_TLEAVE,     OP_TEXIT, OP_TFAIL, OP_YIELD,    OP_SVSTART,
                                   OP_SVLOOP_BEGIN, OP_SVLOOP_END, OP_CAL,   OP_JCAL,  OP_JCALX};
    for (const uint32_t one : all)
        if (op == one) return true;
    return branch_in_trap;
}

// What goes to the lanes and the memory units.
static void compare_operands(struct run *run, const struct decoded *d, enum isa_format format) {
    const Vdecode &rtl = run->rtl;
    const bool call = format == FORMAT_CALLR || format == FORMAT_CALLX, srd = d->opcode == OP_SRD;
    const bool to_b = format == FORMAT_PR && d->opcode != OP_VOTE, special = format == FORMAT_SR;
    const bool shuffle = d->opcode == OP_SHFL || d->opcode == OP_SHFL_I, predicates = format == FORMAT_RP;
    expect(run, "op", rtl.dec_op_o, srd || to_b || special || call ? OP_MOV : d->opcode & 0x7Fu);
    uint32_t imm = d->imm;
    if (format == FORMAT_R3S && d->rb != ISA_RZ) imm = (uint32_t)d->ext & 0xFFFF;  // looked at beside RZ alone
    if (format == FORMAT_LDC) imm &= 0xFFFF;
    if (format == FORMAT_ATOM) imm = (uint32_t)d->ext;
    expect(run, "imm", rtl.dec_imm_o, imm);
    expect(run, "b_imm", rtl.dec_b_imm_o, d->immediate || srd);
    if (d->ra != ISA_RZ) expect(run, "uses_a", rtl.dec_uses_a_o, (d->names & SCOREBOARD_RA) != 0);
    expect(run, "ra", rtl.dec_ra_o, d->ra);
    expect(run, "rb", rtl.dec_rb_o, d->rb);
    expect(run, "rc", rtl.dec_rc_o, d->store ? d->rd : d->rc);
    expect(run, "writes_reg", rtl.dec_writes_reg_o, d->registers != 0 && d->bytes == 0);
    if (!predicates || d->writes_preds != 0) expect(run, "writes_pred", rtl.dec_writes_pred_o, d->writes_preds != 0);
    if (d->writes_preds != 0 && !predicates) expect(run, "pred", 1u << rtl.dec_pred_o, d->writes_preds);
    const uint32_t words = d->bytes > 4 ? d->bytes / 4u : 1u;
    expect(run, "passes", rtl.dec_passes_o,
           predicates ? d->imm & 0x7F
           : d->store ? (1u << words) - 1
           : shuffle  ? 3u
                      : 1u);
    expect(run, "p1", rtl.dec_p1_o,
           format == FORMAT_PLOP    ? d->ra & 15u
           : format == FORMAT_CARRY ? d->mod & 7u
                                    : d->mod);
    expect(run, "p2", rtl.dec_p2_o, format == FORMAT_PLOP ? d->rb & 15u : 0);
    expect(run, "special", rtl.dec_special_o, special);
    const uint32_t number = d->imm & 0xFF;
    const bool of_thread = number == SR_TID_X || number == SR_TID_Y || number == SR_TID_Z || number == SR_LANEID;
    expect(run, "thread_id", rtl.dec_thread_id_o, special && of_thread);
    expect(run, "preds_to_b", rtl.dec_preds_to_b_o, to_b);
    expect(run, "call", rtl.dec_call_o, call);
    expect(run, "store", rtl.dec_store_o, d->store);
    expect(run, "atomic", rtl.dec_atomic_o, d->atomic);
    expect(run, "constant", rtl.dec_constant_o, format == FORMAT_LDC);
    expect(run, "local", rtl.dec_local_o, d->local);
    expect(run, "shared", rtl.dec_shared_o, d->shared);
    expect(run, "generic", rtl.dec_generic_o, d->generic);
    expect(run, "launch", rtl.dec_launch_o, d->opcode == OP_LAUNCH);
    expect(run, "scalar", rtl.dec_scalar_o, scalar_executes(d->opcode));
    expect(run, "scalar_read", rtl.dec_scalar_read_o, srd);
    expect(run, "to_scalar", rtl.dec_to_scalar_o, d->opcode == OP_R2S);
    expect(run, "shuffle", rtl.dec_shuffle_o, shuffle);
}

static void compare(struct run *run, const struct decoded *d, bool trap, uint32_t next) {
    const Vdecode &rtl = run->rtl;
    const enum isa_format format = isa_table[d->opcode].format;
    const enum unit unit = unit_of(d);
    const bool branch = d->opcode == OP_JMP || (d->opcode == OP_BRA && d->mod == BRA_PLAIN);
    expect(run, "unit", rtl.dec_unit_o, unit);
    // What the model keeps besides.
    const bool moves = format == FORMAT_LD || format == FORMAT_ST || format == FORMAT_LDC;
    expect(run, "bytes", moves ? bytes[d->mod] : format == FORMAT_ATOM ? 4 : 0, d->bytes);
    const bool names_rd = rtl.dec_names_o >> 3;
    expect(run, "registers", names_rd ? rtl.dec_more_o + 1u : 0, d->registers);
    expect(run, "writes", names_rd && !rtl.dec_store_o && !rtl.dec_call_o, d->writes);
    expect(run, "guard", run->word >> 8 & 7, d->guard);
    expect(run, "guard_negated", run->word >> 11 & 1, d->guard_negated);
    compare_operands(run, d, format);
    expect(run, "uniform", rtl.dec_uniform_o, is_uniform(d->opcode, trap && branch));
    expect(run, "alone", rtl.dec_alone_o, d->alone);
    expect(run, "names", rtl.dec_names_o, d->names);
    expect(run, "more", rtl.dec_more_o, d->more);
    expect(run, "preds_named", rtl.dec_preds_named_o, d->preds);
    if (unit != CONTROL || d->trap_only || scalar_executes(d->opcode)) return;
    uint32_t target = next + d->imm;
    if (d->opcode == OP_RET) target = 0;
    if (format == FORMAT_ABS || format == FORMAT_ABSR || d->opcode == OP_JCAL || d->opcode == OP_JCALX ||
        d->opcode == OP_YIELD)
        target = d->imm;
    expect(run, "target", rtl.dec_target_o, target & 0x3FFFFF);
}

// As issue.c asks of the registers.
static bool registers_bad(const struct decoded *d, uint32_t registers, uint32_t privates, bool shared_use, bool trap) {
    if (d->trap_scalar && !trap) return true;
    if (d->registers_needed > registers) return true;
    if (d->registers_needed <= privates) return false;
    if (!shared_use) return true;
    return d->bytes > 4 && d->rd != ISA_RZ && d->rd < privates && d->rd + d->bytes / 4u > privates;
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vdecode &rtl = run->rtl;
    const uint32_t registers = bench_below(bench, bench_chance(bench, 1, 2) ? 256 : 24);
    const uint32_t privates = registers - (bench_chance(bench, 1, 2) ? 0 : bench_below(bench, registers + 1));
    const bool trap = bench_chance(bench, 1, 3), shared_use = bench_chance(bench, 1, 2);
    const uint32_t next = bench_below(bench, 1u << 22);
    run->word = random_word(run, registers, privates);
    rtl.word_i = run->word;
    rtl.registers_i = (uint8_t)registers;
    rtl.privates_i = (uint8_t)privates;
    rtl.shared_use_i = shared_use;
    rtl.trap_i = trap;
    rtl.pc_next_i = next;
    rtl.eval();
    struct decoded d;
    decode(run->word, &d);
    const bool illegal = !d.legal || (trap ? d.trap_never : d.trap_only);
    expect(run, "illegal", rtl.illegal_o, illegal);
    if (illegal) {
        run->illegal++;
        return;
    }
    const bool bad = registers_bad(&d, registers, privates, shared_use, trap);
    expect(run, "bad_register", rtl.bad_register_o, bad);
    if (bad) {
        run->bad++;
        return;
    }
    run->good++;
    compare(run, &d, trap, next);
}

int main(int argc, char **argv) {
    static struct run run;
    bench_begin(&run.bench, argc, argv, 200000);
    for (uint32_t size = 0; size < 4096; size++)
        if (decode_access_bytes(size) != (size <= SIZE_128 ? bytes[size] : 0))
            bench_fail(&run.bench, "size %u has %u bytes", size, decode_access_bytes(size));
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    printf("%llu illegal, %llu with registers that they may not name, %llu good\n", (unsigned long long)run.illegal,
           (unsigned long long)run.bad, (unsigned long long)run.good);
    return bench_end(&run.bench);
}
