// A small bench for tests of the SM: one device, tasks launched straight into the task unit, so that no channel has to
// be set up.
#ifndef TESTS_UNIT_SM_BENCH_H
#define TESTS_UNIT_SM_BENCH_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/isa.h"
#include "gen/registers.h"
#include "isa/assembler.h"
#include "ppu_internal.h"
#include "task/tmd.h"

// Where things are, in the space of channel 0, which begins at BENCH_SPACE of the memory.
#define BENCH_SPACE 0x10000u
#define BENCH_SIZE 0x100000u
#define BENCH_TMD 0x1000u
#define BENCH_CONSTANTS 0x2000u  // bank 0: 256 bytes, word i = 0x1000 + i
#define BENCH_CONSTANT_BYTES 256u
#define BENCH_OUT 0x40000u
#define BENCH_LOCAL 0x80000u
#define BENCH_REGION 0x8000u  // program region; the program stands at BENCH_REGION + BENCH_OFFSET
#define BENCH_OFFSET 0x100u
#define BENCH_STEPS 2000000u

struct bench {
    struct ppu *ppu;
    uint32_t code, info, pc;  // the fault of the last run, if any
};

struct bench_launch {
    uint32_t grid[3], cta[3];  // zeros: 1
    uint32_t registers;        // 0: as the program says
    uint32_t shared;           // bytes of shared memory
    uint32_t local;            // bytes of local memory a thread
};

static inline void bench_open(struct bench *bench, const char *config, uint64_t seed) {
    bench->ppu = ppu_create(ppu_config_find(config), 2u << 20, seed);
    cr_assert_not_null(bench->ppu);
    ppu_reg_write(bench->ppu, REG_CHANNEL_BASE + CHANNEL_SPACE_BASE, BENCH_SPACE);
    ppu_reg_write(bench->ppu, REG_CHANNEL_BASE + CHANNEL_SPACE_SIZE, BENCH_SIZE);
    for (uint32_t i = 0; i < BENCH_CONSTANT_BYTES / 4; i++) {
        const uint32_t word = 0x1000 + i;
        ppu_mem_write(bench->ppu, BENCH_SPACE + BENCH_CONSTANTS + 4 * i, &word, 4);
    }
}

static inline void bench_close(struct bench *bench) {
    ppu_destroy(bench->ppu);
}

static inline uint32_t bench_word(const struct bench *bench, uint32_t address) {
    uint32_t word = 0;
    cr_assert(ppu_mem_read(bench->ppu, BENCH_SPACE + address, &word, 4));
    return word;
}

static inline uint32_t bench_out(const struct bench *bench, uint32_t index) {
    return bench_word(bench, BENCH_OUT + 4 * index);
}

static inline void bench_set(struct bench *bench, uint32_t address, uint32_t word) {
    cr_assert(ppu_mem_write(bench->ppu, BENCH_SPACE + address, &word, 4));
}

// Puts words as a program into memory and launches them. bank 0 is at BENCH_CONSTANTS.
static inline void bench_launch_words(struct bench *bench, const uint64_t *words, size_t count, uint32_t registers,
                                      const struct bench_launch *launch) {
    uint32_t tmd[TMD_WORDS] = {0};
    cr_assert(ppu_mem_write(bench->ppu, BENCH_SPACE + BENCH_REGION + BENCH_OFFSET, words, count * 8));
    tmd_set(tmd, TMD_QMD_VERSION, 0, 6);
    tmd_set(tmd, TMD_QMD_MAJOR_VERSION, 0, 1);
    tmd_set(tmd, TMD_PROGRAM_OFFSET, 0, BENCH_OFFSET);
    tmd_set(tmd, TMD_TANDEM_CODE_SIZE, 0, (uint32_t)(count * 8));
    tmd_set(tmd, TMD_REGISTER_COUNT, 0, registers);
    tmd_set(tmd, TMD_SHARED_MEMORY_SIZE, 0, launch->shared);
    tmd_set(tmd, TMD_LOCAL_MEMORY_LOW, 0, launch->local);
    const enum tmd_field raster[3] = {TMD_CTA_RASTER_WIDTH, TMD_CTA_RASTER_HEIGHT, TMD_CTA_RASTER_DEPTH};
    const enum tmd_field cta[3] = {TMD_CTA_THREAD_DIMENSION0, TMD_CTA_THREAD_DIMENSION1, TMD_CTA_THREAD_DIMENSION2};
    for (unsigned i = 0; i < 3; i++) {
        tmd_set(tmd, raster[i], 0, launch->grid[i] == 0 ? 1 : launch->grid[i]);
        tmd_set(tmd, cta[i], 0, launch->cta[i] == 0 ? 1 : launch->cta[i]);
    }
    tmd_set(tmd, TMD_CONSTANT_BUFFER_VALID, 0, 1);
    tmd_set(tmd, TMD_CONSTANT_BUFFER_ADDR_LOWER, 0, BENCH_CONSTANTS);
    tmd_set(tmd, TMD_CONSTANT_BUFFER_SIZE, 0, BENCH_CONSTANT_BYTES);
    cr_assert(ppu_mem_write(bench->ppu, BENCH_SPACE + BENCH_TMD, tmd, sizeof tmd));
    task_launch(bench->ppu->task, 0, BENCH_TMD, BENCH_REGION, BENCH_LOCAL);
}

static inline void bench_assemble(const char *body, struct code_object *object) {
    char error[256], source[16384];
    const int length = snprintf(source, sizeof source, ".kernel test\n%s\n", body);
    cr_assert(length > 0 && (size_t)length < sizeof source);
    const bool good = assemble(source, (size_t)length, "test", object, error, sizeof error);
    cr_assert(good, "%s", error);
}

static inline void bench_launch(struct bench *bench, const char *body, const struct bench_launch *launch) {
    struct code_object object;
    bench_assemble(body, &object);
    bench_launch_words(bench, object.text, object.text_words,
                       launch->registers != 0 ? launch->registers : object.kernels[0].registers, launch);
    code_object_free(&object);
}

static inline void bench_finish(struct bench *bench) {
    const uint64_t steps = ppu_step(bench->ppu, BENCH_STEPS);
    cr_assert_lt(steps, BENCH_STEPS, "the program does not end");
    cr_assert(task_channel_idle(bench->ppu->task, 0), "nothing can go on, but the task has not ended");
    bench->code = ppu_reg_read(bench->ppu, REG_CHANNEL_BASE + CHANNEL_FAULT_CODE);
    bench->info = ppu_reg_read(bench->ppu, REG_CHANNEL_BASE + CHANNEL_FAULT_INFO);
    bench->pc = ppu_reg_read(bench->ppu, REG_CHANNEL_BASE + CHANNEL_FAULT_PC);
}

// Runs a program that must end without a fault.
static inline void bench_run(struct bench *bench, const char *body, const struct bench_launch *launch) {
    bench_launch(bench, body, launch);
    bench_finish(bench);
    cr_assert_eq(bench->code, FAULT_NONE, "fault %s info 0x%x pc 0x%x", fault_name(bench->code), bench->info,
                 bench->pc);
}

#endif
