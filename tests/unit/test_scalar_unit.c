// Scalar registers, EXEC_LO and EXEC_HI, the software sub-vector loop, and threads that are held.
#include <criterion/criterion.h>

#include "gen/registers.h"
#include "sm/decode.h"
#include "sm/divergence_unit.h"
#include "sm/scalar_unit.h"

static struct scalar_unit unit;
static struct divergence warp;

static void begin(uint32_t threads, uint64_t active) {
    scalar_unit_start(&unit, threads);
    cr_assert(divergence_init(&warp, threads, threads, 16));
    divergence_start(&warp, active);
}

static void finish(void) {
    divergence_free(&warp);
}

// One instruction as the issue stage does it; true: it goes to its label.
static bool execute(uint64_t word, uint64_t exec) {
    const struct scalar_request request = {.word = word, .active = divergence_active(&warp), .exec = exec};
    struct scalar_result result;
    scalar_execute(&unit, &request, &result);
    scalar_write(&unit, &result);
    if (result.writes_exec) {
        const struct divergence_request control = {
            .opcode = isa_opcode(word), .pc = 5, .exec = exec, .target = 9, .group = result.wanted};
        struct divergence_result done;
        divergence_execute(&warp, &control, &done);
        cr_assert_eq(done.fault, FAULT_NONE);
        cr_assert_eq(done.pc, 9);
        cr_assert_not(done.ended);
    }
    return result.taken;
}

static bool loop_begin(void) {
    return execute(isa_encode_imm(OP_SVLOOP_BEGIN, 7, false, 0, 0, 0, 0), divergence_active(&warp));
}
static bool loop_end(void) {
    return execute(isa_encode_imm(OP_SVLOOP_END, 7, false, 0, 0, 0, 0), divergence_active(&warp));
}
static void smov(uint32_t rd, uint32_t value) {
    execute(isa_encode_imm(OP_SMOV_I, 7, false, rd, 0, 0, value), divergence_active(&warp));
}

Test(scalar_unit, loop_of_two_passes, .fini = finish,
     .description = "SV-8 low pass first, then high, then EXEC as before [model]") {
    begin(64, UINT64_C(0x0000F00D00000123));
    cr_expect_not(loop_begin());
    cr_expect_eq(divergence_active(&warp), 0x123u);
    cr_expect_eq(unit.scalars[0], 0xF00Du);
    cr_expect_eq(warp.reason[KIND_HELD], UINT64_C(0x0000F00D00000000));
    cr_expect(loop_end());
    cr_expect_eq(divergence_active(&warp), UINT64_C(0x0000F00D00000000));
    cr_expect_eq(unit.scalars[0], 0x123u);
    cr_expect_not(loop_end());
    cr_expect_eq(divergence_active(&warp), UINT64_C(0x0000F00D00000123));
    cr_expect_eq(warp.reason[KIND_HELD], 0u);
}

Test(scalar_unit, loop_of_one_pass,
     .description = "SV-8 only low, only high: one pass; EXEC zero: all is skipped [model]") {
    begin(32, 0x00000F0F);
    cr_expect_not(loop_begin());
    cr_expect_eq(divergence_active(&warp), 0xF0Fu);
    cr_expect_eq(unit.scalars[0], 0u);
    cr_expect_not(loop_end());
    cr_expect_eq(divergence_active(&warp), 0xF0Fu);
    finish();
    begin(32, 0xF0F00000);
    unit.scalars[0] = 77;
    cr_expect_not(loop_begin());
    cr_expect_eq(unit.scalars[0], 0u);
    cr_expect_eq(divergence_active(&warp), 0xF0F00000u);
    cr_expect_not(loop_end());
    cr_expect_eq(divergence_active(&warp), 0xF0F00000u);
    smov(SCALAR_EXEC_HI, 0);
    unit.scalars[0] = 77;
    cr_expect(loop_begin(), "to the label");
    cr_expect_eq(unit.scalars[0], 77u, "S0 is left alone");
    finish();
}

Test(scalar_unit, exec_is_written, .fini = finish,
     .description = "threads go off with reason HELD, and only those come back [model]") {
    begin(32, 0x00FF00FF);
    smov(SCALAR_EXEC_LO, 0x000F);
    cr_expect_eq(divergence_active(&warp), 0x00FF000Fu);
    cr_expect_eq(warp.reason[KIND_HELD], 0x000000F0u);
    smov(SCALAR_EXEC_LO, 0xFFFFFF30);
    cr_expect_eq(divergence_active(&warp), 0x00FF0030u, "absent threads stay away, bits past the half mean nothing");
    smov(SCALAR_EXEC_HI, 0);
    smov(SCALAR_EXEC_LO, 0);
    cr_expect_eq(divergence_active(&warp), 0u);
    cr_expect_eq(divergence_live(&warp), 0x00FF00FFu, "barriers wait for held threads");
    // A vote of nobody keeps all away; a whole mask brings every held thread.
    execute(isa_encode_reg(OP_VOTE, 7, false, SCALAR_EXEC_LO, 0, 0, 0, 0, 0), 0);
    cr_expect_eq(divergence_active(&warp), 0u);
    smov(SCALAR_EXEC_HI, 0xFFFF);
    smov(SCALAR_EXEC_LO, 0xFFFF);
    cr_expect_eq(divergence_active(&warp), 0x00FF00FFu);
    execute(isa_encode_reg(OP_VOTE, 7, false, SCALAR_EXEC_LO, 0, 0, 0, 0, 0), 0x00010001);
    cr_expect_eq(divergence_active(&warp), 0x00010001u);
}

Test(scalar_unit, exit_of_the_active, .fini = finish,
     .description = "SV-8 when the active threads exit, the held ones keep the warp alive [model]") {
    begin(32, 0xFFFFFFFF);
    loop_begin();
    const struct divergence_request exits = {.opcode = OP_EXIT, .pc = 20, .exec = 0xFFFF, .group = 0xFFFF};
    struct divergence_result result;
    divergence_execute(&warp, &exits, &result);
    cr_expect_not(result.ended);
    cr_expect_eq(result.pc, 21u, "on without an active thread");
    cr_expect_eq(divergence_active(&warp), 0u);
    cr_expect(loop_end());
    cr_expect_eq(divergence_active(&warp), 0xFFFF0000u);
    cr_expect_not(loop_end());
    cr_expect_eq(divergence_active(&warp), 0xFFFF0000u);
}

Test(scalar_unit, moves_and_votes, .fini = finish,
     .description = "values, pairs, guards that hold for nobody [model]") {
    begin(32, 0xFFFFFFFF);
    smov(3, 0x12345678);
    execute(isa_encode_reg(OP_SMOV, 7, false, 15, 0, 0, 3, 0, 0), 1);
    cr_expect_eq(unit.scalars[15], 0x12345678u);
    execute(isa_encode_imm(OP_SMOV_I, 7, false, 15, 0, 0, 9), 0);
    cr_expect_eq(unit.scalars[15], 0x12345678u, "its guard holds for nobody");
    execute(isa_encode_reg(OP_VOTE, 7, false, 6, 0, 0, 0, 0, 0), 0xABCD1234);
    cr_expect_eq(unit.scalars[6], 0x1234u);
    cr_expect_eq(unit.scalars[7], 0xABCDu);
    execute(isa_encode_reg(OP_VOTE, 7, false, 6, 0, 0, 0, 0, 0), 0);
    cr_expect_eq(unit.scalars[6] | unit.scalars[7], 0u, "a vote of nobody is zero");
    smov(SCALAR_EXEC_LO, 0);
    smov(SCALAR_EXEC_HI, 0);
    smov(4, 5);
    cr_expect_eq(unit.scalars[4], 5u, "a warp without an active thread executes it");
}

Test(scalar_unit, registers_that_do_not_exist,
     .description = "REGISTER_BOUNDS; vector registers that the words name [model]") {
    const struct {
        uint64_t word;
        unsigned needed;
    } cases[] = {
        {isa_encode_imm(OP_SMOV_I, 7, false, 15, 99, 0, 0), 0},
        {isa_encode_imm(OP_SMOV_I, 7, false, 16, 0, 0, 0), DECODE_MISALIGNED},
        {isa_encode_reg(OP_SMOV, 7, false, SCALAR_EXEC_HI, 0, 0, SCALAR_EXEC_LO, 0, 0), 0},
        {isa_encode_reg(OP_SMOV, 7, false, 1, 0, 0, 253, 0, 0), DECODE_MISALIGNED},
        {isa_encode_reg(OP_SMOV, 7, false, 16, 0, 0, 1, 0, 0), DECODE_MISALIGNED},
        {isa_encode_reg(OP_R2S, 7, false, 15, 30, 0, 200, 0, 0), 31},
        {isa_encode_reg(OP_R2S, 7, false, SCALAR_TPC, 30, 0, 0, 0, 0), 31},
        {isa_encode_reg(OP_R2S, 7, false, 16, 1, 0, 0, 0, 0), DECODE_MISALIGNED},
        {isa_encode_reg(OP_R2S, 7, false, SCALAR_EXEC_LO, 1, 0, 0, 0, 0), DECODE_MISALIGNED},
        {isa_encode_reg(OP_SRD, 7, false, 20, 99, 0, SCALAR_EXEC_LO, 0, 0), 21},
        {isa_encode_reg(OP_SRD, 7, false, ISA_RZ, 99, 0, 15, 0, 0), 0},
        {isa_encode_reg(OP_SRD, 7, false, 20, 0, 0, 16, 0, 0), DECODE_MISALIGNED},
        {isa_encode_reg(OP_VOTE, 7, false, 14, 99, 0, 99, 0, 0), 0},
        {isa_encode_reg(OP_VOTE, 7, false, SCALAR_EXEC_LO, 0, 0, 0, 0, 0), 0},
        {isa_encode_reg(OP_VOTE, 7, false, SCALAR_EXEC_HI, 0, 0, 0, 0, 0), DECODE_MISALIGNED},
        {isa_encode_reg(OP_VOTE, 7, false, 3, 0, 0, 0, 0, 0), DECODE_MISALIGNED},
        {isa_encode_reg(OP_VOTE, 7, false, 16, 0, 0, 0, 0, 0), DECODE_MISALIGNED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct decoded d;
        decode(cases[i].word, &d);
        cr_assert(d.legal);
        cr_expect_eq(d.registers_needed, cases[i].needed, "case %zu: %u", i, d.registers_needed);
    }
}
