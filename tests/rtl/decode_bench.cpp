// decode: random instruction words, legal ones mostly, of tasks with random numbers of registers, in a trap and outside: whether the word is
// illegal or names what it may not, and all that it says otherwise, against the C twin (cmodel/sm/decode.c, trap.c, scalar_unit.c). What the
// model needs no word for (passes over the portions, units, targets) is said as rtl/bundles.tbl says it.
#include <verilated.h>

#include "Vdecode.h"
#include "bench.h"
#include "decode_words.h"
#include "tick.h"

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

// What goes to the lanes and the memory units.
static void compare_operands(struct run *run, const struct decoded *d, enum isa_format format) {
    const Vdecode &rtl = run->rtl;
    const struct operands o = operands_of(d);
    expect(run, "op", rtl.dec_op_o, o.op);
    expect(run, "imm", rtl.dec_imm_o, o.imm);
    expect(run, "b_imm", rtl.dec_b_imm_o, o.b_imm);
    if (d->ra != ISA_RZ) expect(run, "uses_a", rtl.dec_uses_a_o, (d->names & SCOREBOARD_RA) != 0);
    expect(run, "ra", rtl.dec_ra_o, d->ra);
    expect(run, "rb", rtl.dec_rb_o, d->rb);
    expect(run, "rc", rtl.dec_rc_o, o.rc);
    expect(run, "writes_reg", rtl.dec_writes_reg_o, o.writes_reg);
    if (!o.predicates || d->writes_preds != 0) expect(run, "writes_pred", rtl.dec_writes_pred_o, d->writes_preds != 0);
    if (d->writes_preds != 0 && !o.predicates) expect(run, "pred", rtl.dec_pred_o, o.pred);
    expect(run, "passes", rtl.dec_passes_o, o.passes);
    expect(run, "p1", rtl.dec_p1_o, o.p1);
    expect(run, "p2", rtl.dec_p2_o, o.p2);
    expect(run, "special", rtl.dec_special_o, o.special);
    expect(run, "thread_id", rtl.dec_thread_id_o, o.thread_id);
    expect(run, "preds_to_b", rtl.dec_preds_to_b_o, o.preds_to_b);
    expect(run, "call", rtl.dec_call_o, o.call);
    expect(run, "store", rtl.dec_store_o, d->store);
    expect(run, "atomic", rtl.dec_atomic_o, d->atomic);
    expect(run, "constant", rtl.dec_constant_o, format == FORMAT_LDC);
    expect(run, "local", rtl.dec_local_o, d->local);
    expect(run, "shared", rtl.dec_shared_o, d->shared);
    expect(run, "generic", rtl.dec_generic_o, d->generic);
    expect(run, "launch", rtl.dec_launch_o, d->opcode == OP_LAUNCH);
    expect(run, "scalar", rtl.dec_scalar_o, scalar_executes(d->opcode));
    expect(run, "scalar_read", rtl.dec_scalar_read_o, o.scalar_read);
    expect(run, "to_scalar", rtl.dec_to_scalar_o, o.to_scalar);
    expect(run, "shuffle", rtl.dec_shuffle_o, o.shuffle);
}

static void compare(struct run *run, const struct decoded *d, bool trap, uint32_t next) {
    const Vdecode &rtl = run->rtl;
    const enum isa_format format = isa_table[d->opcode].format;
    const uint32_t unit = unit_of(d);
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
    if (unit != UNIT_CONTROL || d->trap_only || scalar_executes(d->opcode)) return;
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
    run->word = random_word(bench, registers, privates);
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
