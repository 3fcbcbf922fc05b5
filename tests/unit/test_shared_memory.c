// Shared memory of the model: what the instructions do to it, who gets which piece of it.
#include <criterion/criterion.h>

#include "sm/sm_internal.h"
#include "sm_bench.h"

// ---- the instructions, on bytes ----
static bool perform(uint8_t *bytes, uint32_t size, uint64_t word, uint32_t *registers, uint64_t exec, uint32_t *code,
                    uint32_t *info) {
    struct decoded d;
    decode(word, &d);
    const struct execute_state state = {.threads = 32, .registers = registers, .exec = exec};
    return shared_memory_access(bytes, size, &d, &state, code, info);
}

Test(shared_memory, highest_thread_stays, .description = "of stores to one byte the highest thread's stays [model]") {
    uint8_t bytes[64] = {0};
    uint32_t registers[2 * 32] = {0}, code, info;
    for (uint32_t t = 0; t < 32; t++)
        registers[32 + t] = 100 + t;
    cr_assert(
        perform(bytes, 64, isa_encode_imm(OP_STS, ISA_PT, false, 1, 0, SIZE_U8, 9), registers, 0x7FFF, &code, &info));
    for (unsigned i = 0; i < 64; i++)
        cr_expect_eq(bytes[i], i == 9 ? 114 : 0, "byte %u is %u", i, bytes[i]);
}

Test(shared_memory, atomics_ascend, .description = "an atomic's old value shows the atomics of lower threads [model]") {
    uint8_t bytes[8] = {0};
    uint32_t registers[3 * 32] = {0}, code, info, word;
    for (uint32_t t = 0; t < 32; t++)
        registers[32 + t] = t + 1;
    cr_assert(perform(bytes, 8, isa_encode_reg(OP_ATOMS, ISA_PT, false, 2, 0, ATOM_ADD, 1, ISA_RZ, 4), registers,
                      0xF000000F, &code, &info));
    static const uint32_t old[8] = {0, 1, 3, 6, 10, 39, 69, 100};
    for (uint32_t i = 0; i < 8; i++)
        cr_expect_eq(registers[64 + (i < 4 ? i : 24 + i)], old[i], "old %u", registers[64 + (i < 4 ? i : 24 + i)]);
    cr_expect_eq(registers[64 + 4], 0);  // not in the mask
    memcpy(&word, bytes + 4, 4);
    cr_expect_eq(word, 132);
}

Test(shared_memory, faults_do_nothing,
     .description = "the lowest bad thread is told, alignment before bounds, and no byte is changed [model]") {
    uint8_t bytes[64] = {0};
    uint32_t registers[4 * 32] = {0}, code = 0, info = 0;
    for (uint32_t t = 0; t < 32; t++)
        registers[t] = 4 * t, registers[32 + t] = 7;
    const uint64_t store = isa_encode_imm(OP_STS, ISA_PT, false, 1, 0, SIZE_32, 0);
    cr_assert_not(perform(bytes, 63, store, registers, ~UINT64_C(0) >> 32, &code, &info));
    cr_expect_eq(code, FAULT_SHARED_BOUNDS);
    cr_expect_eq(info, 60);
    registers[20] = 63;
    cr_assert_not(perform(bytes, 64, store, registers, 0x00F00003, &code, &info));
    cr_expect_eq(code, FAULT_MEMORY_ALIGNMENT);
    cr_expect_eq(info, 63);
    registers[1] = UINT32_MAX - 3;
    cr_assert_not(perform(bytes, 64, store, registers, 0x00000003, &code, &info));
    cr_expect_eq(code, FAULT_SHARED_BOUNDS);
    cr_expect_eq(info, UINT32_MAX - 3);
    for (unsigned i = 0; i < 64; i++)
        cr_expect_eq(bytes[i], 0);
    cr_expect(perform(bytes, 64, store, registers, 0x0000FFFD, &code, &info));
    cr_expect(
        perform(bytes, 64, isa_encode_imm(OP_LDS, ISA_PT, false, ISA_RZ, 0, SIZE_128, 0), registers, 1, &code, &info));
}

// ---- on an SM ----
Test(shared_memory, places,
     .description = "TU-10 CTAs get pieces that do not overlap, in whole rows, as long as there are any [model]") {
    const struct ppu_config *config = ppu_config_find("small");
    struct run run;
    run_init(&run, config, 1);
    struct sm *sm = sm_create(&run, NULL, 0);
    uint32_t base = 1;
    cr_assert(shared_memory_find(sm, config->shared_bytes, &base));
    cr_expect_eq(base, 0);
    sm->ctas[2].busy = true;
    shared_memory_give(sm, &sm->ctas[2], 0, 4096);
    sm->ctas[0].busy = true;
    shared_memory_give(sm, &sm->ctas[0], 8192, 4096);
    cr_expect_not(shared_memory_is_free(sm, 4064, 32));
    cr_expect(shared_memory_is_free(sm, 4096, 4096));
    cr_expect_not(shared_memory_is_free(sm, 4096, 4128));
    cr_expect_not(shared_memory_is_free(sm, 4100, 32));
    cr_expect_not(shared_memory_is_free(sm, 12288, 4128));
    cr_assert(shared_memory_find(sm, 4096, &base));
    cr_expect_eq(base, 4096);
    sm->ctas[1].busy = true;
    shared_memory_give(sm, &sm->ctas[1], 4096, 4064);
    cr_assert(shared_memory_find(sm, 4096, &base));
    cr_expect_eq(base, 12288);
    cr_expect_not(shared_memory_find(sm, 4128, &base));
    cr_expect(shared_memory_find(sm, 0, &base));
    sm_destroy(sm);
}

static const char *const counter =
    "S2R R0, SR_TID_X\n"
    "S2R R1, SR_CTAID_X\n"
    "S2R R2, SR_NTID_X\n"
    "IMAD R1, R1, R2, R0\n"
    "SHL R1, R1, 2\n"
    "MOV R3, 1\n"
    "ATOMS.ADD RZ, [RZ + 4092], R3\n"
    "BAR\n"
    "LDS.32 R4, [RZ + 4092]\n"
    "STG.32 [R1 + 0x40000], R4\n"
    "EXIT\n";

Test(shared_memory, one_after_the_other,
     .description =
         "TU-10 CTAs that each want all shared memory of the SM run one after the other, each finds zeros [model]") {
    static const char *const configs[] = {"nano", "small", "full"};
    for (unsigned c = 0; c < 3; c++) {
        struct bench bench;
        bench_open(&bench, configs[c], c);
        const uint32_t all = ppu_config_find(configs[c])->shared_bytes;
        bench_run(&bench, counter, &(struct bench_launch){.grid = {5, 1, 1}, .cta = {40, 1, 1}, .shared = all});
        for (uint32_t i = 0; i < 200; i++)
            cr_expect_eq(bench_out(&bench, i), 40, "%s: thread %u: %u", configs[c], i, bench_out(&bench, i));
        bench_close(&bench);
    }
}

Test(shared_memory, sizes,
     .description = "TU-11 the size is exact: one byte less faults; one more than the SM has is refused [model]") {
    struct bench bench;
    bench_open(&bench, "nano", 0);
    bench_launch(&bench, counter, &(struct bench_launch){.cta = {8, 1, 1}, .shared = 4095});
    bench_finish(&bench);
    cr_expect_eq(bench.code, FAULT_SHARED_BOUNDS);
    cr_expect_eq(bench.info, 4092);
    cr_expect_eq(bench.pc, (BENCH_OFFSET >> 3) + 6);
    bench_close(&bench);
    bench_open(&bench, "nano", 0);
    bench_launch(&bench, counter, &(struct bench_launch){.cta = {8, 1, 1}, .shared = 4097});
    bench_finish(&bench);
    cr_expect_eq(bench.code, FAULT_TMD_SHARED_MEMORY_SIZE);
    cr_expect_eq(bench.info, 4097);
    bench_close(&bench);
}
