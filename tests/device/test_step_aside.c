// CTAs that step aside: their warps' state goes to memory, others run in their place, they come back and go on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "gen/registers.h"
#include "on_devices.h"
#include "random_program.h"

#define DEADLINE 400000000u
#define SAVES ".registers 16\n.local_bytes 48\n.saves 1\n"

// leaf: counts itself. parent: each thread launches the child of its own number and, when it has ended, notes the count.
// together: as parent, one thread a CTA, when all CTAs have begun.
static const char family[] =
    ".handler\n"
    ".kernel leaf\n.registers 8\n.arg global count\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    MOV R2, 1\n    ATOMG.ADD RZ, [R1], R2\n    EXIT\n"
    ".kernel parent\n" SAVES
    ".arg global count\n.arg global tmds\n.arg global seen\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    LDC.32 R3, c[0][RZ + 0x48]\n"
    "    S2R R0, SR_CTAID_X\n    S2R R4, SR_NTID_X\n    S2R R5, SR_TID_X\n    IMAD R0, R0, R4, R5\n    SHL R0, R0, 2\n"
    "    IADD R2, R2, R0\n    IADD R3, R3, R0\n    LDG.32 R4, [R2]\n"
    "    LAUNCH.WAIT R4\n"
    "    LDG.32 R5, [R1]\n    STG.32 [R3], R5\n    EXIT\n"
    ".kernel together\n" SAVES
    ".arg global count\n.arg global tmds\n.arg global seen\n"
    "    LDC.32 R2, c[0][RZ + 0x44]\n    LDC.32 R3, c[0][RZ + 0x48]\n    S2R R0, SR_CTAID_X\n    SHL R0, R0, 2\n"
    "    IADD R2, R2, R0\n    LDG.32 R4, [R2]\n    S2R R6, SR_NCTAID_X\n    MOV R5, 1\n    ATOMG.ADD RZ, [R3], R5\n"
    "meet:\n    ATOMG.ADD R5, [R3], RZ\n    ISETP.LT P0, R5, R6\n    @P0 BRA meet\n"
    "    LAUNCH.WAIT R4\n    EXIT\n"
    // Each warp: registers, predicates, scalars, shared and local memory get numbers of its own; some threads are off for an
    // SSY and a PBRK when the others launch; behind the wait all is added up. count: children's; tmds, seen as above.
    ".kernel whole\n.registers 24\n.local_bytes 64\n.shared_bytes 1028\n.saves 1\n"
    ".arg global count\n.arg global tmds\n.arg global seen\n"
    "    LDC.32 R1, c[0][RZ + 0x44]\n    LDC.32 R2, c[0][RZ + 0x48]\n    S2R R0, SR_TID_X\n    S2R R3, SR_WARPID\n"
    "    S2R R4, SR_CTAID_X\n    S2R R5, SR_NTID_X\n    IMAD R6, R4, R5, R0\n    SHL R6, R6, 2\n    IADD R2, R2, R6\n"
    "    IMUL R7, R6, 77\n    IADD R7, R7, R0\n    IMUL R8, R7, 13\n    IMUL R9, R7, 17\n    IMUL R10, R7, 19\n    "
    "IMUL R20, R7, 23\n"
    "    IMUL R21, R7, 29\n    IMUL R22, R7, 31\n    IMUL R23, R7, 37\n    SMOV S3, 4711\n    IADD R11, R3, 100\n"
    "    R2S S5, R11\n    STL.32 [48], R9\n    STL.32 [60], R10\n    SHL R12, R0, 2\n    STS.32 [R12], R8\n"
    "    R2P R7, 0x7C\n    P2R R17\n    AND R17, R17, 0x7C\n    AND R13, R0, 1\n    ISETP.EQ P0, R13, 0\n"
    "    AND R14, R0, 7\n    ISETP.EQ P1, R14, 2\n"
    "    PBRK broken\n    @P1 BRK\n    SSY joined\n    @P0 BRA even\n    SYNC\n"
    "even:\n    AND R15, R0, 31\n    ISETP.NE P0, R15, 4\n    @P0 BRA nobody\n"
    "    IMAD R16, R4, R5, R0\n    SHR R16, R16, 5\n    SHL R16, R16, 2\n    IADD R16, R16, R1\n    LDG.32 R16, [R16]\n"
    "    LAUNCH.WAIT R16\n"
    "nobody:\n    SYNC\n"
    "joined:\n    BRK\n"
    "broken:\n    BAR\n"
    "    S2R R15, SR_NTID_X\n    ISUB R15, R15, 1\n    ISUB R15, R15, R0\n    SHL R15, R15, 2\n    LDS.32 R15, [R15]\n"
    "    LDL.32 R18, [48]\n    LDL.32 R19, [60]\n    XOR R18, R18, R19\n    XOR R18, R18, R15\n    XOR R18, R18, R20\n"
    "    XOR R18, R18, R21\n    XOR R18, R18, R22\n    XOR R18, R18, R23\n    P2R R19\n    AND R19, R19, 0x7C\n"
    "    XOR R19, R19, R17\n    SHL R19, R19, 20\n    XOR R18, R18, R19\n    SRD R19, S3\n    IMUL R19, R19, 3\n"
    "    XOR R18, R18, R19\n    SRD R19, S5\n    IMUL R19, R19, 65537\n    XOR R18, R18, R19\n    S2R R19, SR_CTAID_X\n"
    "    XOR R18, R18, R19\n    STG.32 [R2], R18\n    EXIT\n"
    // Spins until the word is not 0, then counts.
    ".kernel endless\n" SAVES
    ".arg global word\n.arg global count\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    MOV R4, 0\n"
    "again:\n    IADD R4, R4, 1\n    LDG.32 R3, [R1]\n    ISETP.EQ P0, R3, 0\n    @P0 BRA again\n"
    "    MOV R3, 1\n    ATOMG.ADD RZ, [R2], R3\n    EXIT\n"
    ".kernel stubborn\n.registers 8\n.arg global word\n.arg global count\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n"
    "again:\n    LDG.32 R3, [R1]\n    ISETP.EQ P0, R3, 0\n    @P0 BRA again\n"
    "    MOV R3, 1\n    ATOMG.ADD RZ, [R2], R3\n    EXIT\n";

struct family {
    struct tandem_device *device;
    struct tandem_module *module;
    struct tandem_channel *channel, *other;
    struct tandem_info info;
    tandem_addr count, tmds, seen;
};

static void begin(struct family *f, const char *config, uint32_t words) {
    char name[64];
    snprintf(name, sizeof name, "%s,mem=64", config);
    f->device = open_device(name);
    tandem_get_info(f->device, &f->info);
    f->module = load_assembly(f->device, family);
    must(f->device, TANDEM_OK, tandem_channel_open(f->device, 16, 0, &f->channel));
    must(f->device, TANDEM_OK, tandem_channel_open(f->device, 16, 0, &f->other));
    f->count = new_words(f->device, 1);
    f->tmds = new_words(f->device, words);
    f->seen = new_words(f->device, words);
}

static void end(struct family *f) {
    must(f->device, TANDEM_OK, tandem_channel_close(f->channel));
    must(f->device, TANDEM_OK, tandem_channel_close(f->other));
    tandem_module_unload(f->module);
    close_device(f->device);
}

static tandem_addr build(struct family *f, const char *kernel, uint32_t threads) {
    struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    struct tandem_argument arguments[] = {{&f->count, 4}, {&f->tmds, 4}, {&f->seen, 4}};
    const struct tandem_scheduling plain = {0, false};
    tandem_addr tmd = 0;
    must(f->device, TANDEM_OK,
         tandem_task_build(f->channel, f->module, kernel, &range, &plain, arguments,
                           strcmp(kernel, "leaf") == 0 ? 1 : 3, &tmd));
    return tmd;
}

static void launch(struct family *f, const char *kernel, uint32_t global, uint32_t local) {
    struct tandem_range range = {.dimensions = 1, .global = {global}, .local = {local}};
    struct tandem_argument arguments[] = {{&f->count, 4}, {&f->tmds, 4}, {&f->seen, 4}};
    must(f->device, TANDEM_OK, tandem_launch(f->channel, f->module, kernel, &range, arguments, 3));
}

// Generations of parents that all wait for their child; the last one counts itself. `threads` of each CTA.
static void generations(struct family *f, uint32_t depth, uint32_t threads) {
    const tandem_addr tmds = f->tmds, seen = f->seen;
    for (uint32_t i = depth - 1; i > 0; i--) {
        f->tmds = tmds + 4 * threads * i;
        f->seen = seen + 4 * threads * i;
        for (uint32_t t = 0; t < threads; t++) {
            // Of the threads of a generation the first one has the next generation, others a leaf each.
            const bool parent = i < depth - 1 && t == 0;
            write_word(f->device, tmds + 4 * (threads * (i - 1) + t),
                       build(f, parent ? "parent" : "leaf", parent ? threads : 1) >> 8);
        }
    }
    f->tmds = tmds;
    f->seen = seen;
    launch(f, "parent", threads, threads);
}

static void deep(const char *name) {
    struct family f;
    // More than all slots and warps have place for, on the wide configurations not as much more: they simulate slowly.
    const uint32_t depth = strstr(name, "full") != NULL ? 40 : strstr(name, "small") != NULL ? 100 : 200;
    begin(&f, name, depth);
    generations(&f, depth, 1);
    must(f.device, TANDEM_OK, tandem_finish(f.channel, DEADLINE));
    for (uint32_t i = 0; i + 1 < depth; i++)
        cr_assert_eq(read_word(f.device, f.seen + 4 * i), 1, "generation %u", i);
    end(&f);
}
ON_DEVICES(step_aside, deep,
           "TU-13 generations of parents that wait, 200 on nano, step aside for their children and come back")

// As many parents as there are warps, all there before the first launches: their children get the place of some.
static void no_deadlock(const char *name) {
    struct family f;
    begin(&f, name, 64);
    const uint32_t config = tandem_reg_read(f.device, REG_CONFIG0), warps = (config >> 16 & 0xFF) * (config >> 24);
    for (uint32_t i = 0; i < warps; i++)
        write_word(f.device, f.tmds + 4 * i, build(&f, "leaf", 1) >> 8);
    launch(&f, "together", warps, 1);
    must(f.device, TANDEM_OK, tandem_finish(f.channel, DEADLINE));
    cr_assert_eq(read_word(f.device, f.count), warps);
    end(&f);
}
ON_DEVICES(step_aside, no_deadlock, "TU-13 parents in every warp step aside for their children")

// What `whole` leaves for a thread.
static uint32_t expected(uint32_t threads, uint32_t cta, uint32_t tid, uint32_t width) {
    const uint32_t mirror = threads - 1 - tid, own = 4 * (cta * threads + tid),
                   of_mirror = 4 * (cta * threads + mirror);
    const uint32_t r7 = own * 77 + tid, m7 = of_mirror * 77 + mirror;
    return (r7 * 17) ^ (r7 * 19) ^ (m7 * 13) ^ (r7 * 23) ^ (r7 * 29) ^ (r7 * 31) ^ (r7 * 37) ^ (4711 * 3) ^
           ((tid / width + 100) * 65537) ^ cta;
}

static void whole(const char *name) {
    struct family f;
    begin(&f, name, 1024);
    // The largest CTA that fits, at most 256 threads; more of them than run at once.
    const uint32_t width = f.info.threads, warps = f.info.warps < 4 ? f.info.warps : 4, threads = warps * width,
                   ctas = 3;
    struct family child = f;
    for (uint32_t i = 0; i < ctas * threads / 32; i++)
        write_word(f.device, f.tmds + 4 * i, build(&child, "leaf", 33) >> 8);
    launch(&f, "whole", ctas * threads, threads);
    must(f.device, TANDEM_OK, tandem_finish(f.channel, DEADLINE));
    for (uint32_t c = 0; c < ctas; c++) {
        for (uint32_t t = 0; t < threads; t++) {
            const uint32_t value = read_word(f.device, f.seen + 4 * (c * threads + t));
            cr_assert_eq(value, expected(threads, c, t, width), "CTA %u thread %u: 0x%x", c, t, value);
        }
    }
    cr_assert_eq(read_word(f.device, f.count), 33 * ctas * threads / 32);
    end(&f);
}
ON_DEVICES(step_aside, whole,
           "TU-12 TU-13 registers, predicates, scalars, tokens, shared and local memory are there again")

// A kernel that never ends holds every warp; a task of a higher level gets one all the same.
static void endless(const char *name) {
    struct family f;
    begin(&f, name, 64);
    const uint32_t config = tandem_reg_read(f.device, REG_CONFIG0), warps = (config >> 16 & 0xFF) * (config >> 24);
    const struct tandem_range all = {.dimensions = 1, .global = {2 * warps}, .local = {1}},
                              one = {.dimensions = 1, .global = {1}, .local = {1}};
    const tandem_addr word = f.tmds, ended = f.seen;
    const struct tandem_argument spin[] = {{&word, 4}, {&ended, 4}}, leaf = {&f.count, 4};
    const struct tandem_scheduling high = {9, false};
    must(f.device, TANDEM_OK, tandem_launch(f.channel, f.module, "endless", &all, spin, 2));
    must(f.device, TANDEM_OK, tandem_submit(f.channel));
    must(f.device, TANDEM_OK, tandem_run(f.device, 3000));
    for (uint32_t turn = 1; turn <= 3; turn++) {
        must(f.device, TANDEM_OK, tandem_launch_scheduled(f.other, f.module, "leaf", &one, &high, &leaf, 1));
        must(f.device, TANDEM_OK, tandem_finish(f.other, 2000000));
        cr_assert_eq(read_word(f.device, f.count), turn);
        cr_assert_eq(read_word(f.device, ended), 0);
    }
    write_word(f.device, word, 1);
    must(f.device, TANDEM_OK, tandem_finish(f.channel, DEADLINE));
    cr_assert_eq(read_word(f.device, ended), 2 * warps);
    end(&f);
}
ON_DEVICES(step_aside, endless,
           "TU-14 a task of a higher level runs beside a kernel that never ends, which then goes on")

// Memory for less than all generations: named, on this channel alone, which works again after a reset.
static void no_memory(const char *name) {
    struct family f;
    begin(&f, name, 64);
    struct tandem_fault fault;
    must(f.device, TANDEM_BAD_ARGUMENT, tandem_channel_save_memory(f.channel, 0));
    // As many records as there are warps is the least.
    must(f.device, TANDEM_OK, tandem_channel_save_memory(f.channel, 1024));
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_argument arguments[] = {{&f.count, 4}, {&f.tmds, 4}, {&f.seen, 4}}, leaf = {&f.count, 4};
    must(f.device, TANDEM_NO_MEMORY, tandem_launch(f.channel, f.module, "parent", &one, arguments, 3));
    cr_assert_not_null(strstr(tandem_message(f.device), "tandem_channel_save_memory"), "%s", tandem_message(f.device));
    const uint32_t config = tandem_reg_read(f.device, REG_CONFIG0), warps = (config >> 16 & 0xFF) * (config >> 24);
    must(f.device, TANDEM_OK, tandem_channel_save_memory(f.channel, warps * 32768));
    generations(&f, 60, 1);
    must(f.device, TANDEM_BAD_ARGUMENT, tandem_channel_save_memory(f.channel, 1u << 20));
    if (warps < 8) {  // else there is memory for all of them
        must(f.device, TANDEM_OK, tandem_submit(f.channel));
        must(f.device, TANDEM_CHANNEL_FAULT, tandem_wait(f.channel, f.seen, 1000, DEADLINE));
        cr_assert(tandem_channel_fault(f.channel, &fault));
        cr_assert_eq(fault.code, FAULT_CHILD_DEADLOCK, "%s", fault.text);
        must(f.device, TANDEM_OK, tandem_launch(f.other, f.module, "leaf", &one, &leaf, 1));
        must(f.device, TANDEM_OK, tandem_finish(f.other, DEADLINE));
        must(f.device, TANDEM_OK, tandem_channel_reset(f.channel));
        write_word(f.device, f.count, 0);
        generations(&f, 3, 1);
    }
    must(f.device, TANDEM_OK, tandem_finish(f.channel, DEADLINE));
    cr_assert_eq(read_word(f.device, f.count), 1);
    end(&f);
}
ON_DEVICES(step_aside, no_memory, "TU-12 TU-13 without memory for the state of a CTA its channel faults, others go on")

// ---- random programs, whose CTAs have to leave again and again ----

// What it leaves in memory. every: so many cycles between tasks of a higher level that want a warp; 0: there are none.
static void run_random(const char *config, uint64_t seed, uint32_t every, uint32_t *memory) {
    char name[96];
    struct random_program program;
    struct tandem_info info;
    struct tandem_channel *channel, *other;
    snprintf(name, sizeof name, "%s,mem=64,seed=%llu", config, (unsigned long long)(seed % 1000000));
    struct tandem_device *device = open_device(name);
    tandem_get_info(device, &info);
    random_program_make_saving(seed, info.threads * 2, &program);
    struct tandem_module *module = load_assembly(device, program.text), *leaves = load_assembly(device, family);
    const tandem_addr data = new_words(device, RANDOM_PROGRAM_BUFFER / 4), word = new_words(device, 2),
                      count = word + 4;
    for (uint32_t i = 0; i < RANDOM_PROGRAM_BUFFER / 4; i++)
        memory[i] = i * 0x9E3779B9u + (uint32_t)seed;
    must(device, TANDEM_OK, tandem_write(device, data, memory, RANDOM_PROGRAM_BUFFER));
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &other));
    const struct tandem_range range = {.dimensions = 1, .global = {program.grid * program.cta}, .local = {program.cta}};
    const uint32_t all = info.warps * info.sms * info.threads;
    const struct tandem_range wide = {.dimensions = 1, .global = {all}, .local = {info.threads}};
    const struct tandem_argument argument = {&data, sizeof data}, arguments[] = {{&word, 4}, {&count, 4}};
    const struct tandem_scheduling high = {9, false};
    write_word(device, word, 1);
    must(device, TANDEM_OK, tandem_launch(channel, module, "random", &range, &argument, 1));
    must(device, TANDEM_OK, tandem_submit(channel));
    for (uint32_t turn = 0; every != 0 && turn < 12; turn++) {
        must(device, TANDEM_OK, tandem_run(device, every + turn * 7));
        must(device, TANDEM_OK, tandem_launch_scheduled(other, leaves, "stubborn", &wide, &high, arguments, 2));
        must(device, TANDEM_OK, tandem_finish(other, DEADLINE));
    }
    const enum tandem_status status = tandem_finish(channel, DEADLINE);
    cr_assert_eq(status, TANDEM_OK, "TANDEM_SEED=%llu on %s: %s: %s", (unsigned long long)seed, name,
                 tandem_status_name(status), tandem_message(device));
    must(device, TANDEM_OK, tandem_read(device, data, memory, RANDOM_PROGRAM_BUFFER));
    free(program.text);
    tandem_module_unload(module);
    tandem_module_unload(leaves);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    must(device, TANDEM_OK, tandem_channel_close(other));
    close_device(device);
}

static void random_programs(const char *config, unsigned count, uint32_t every) {
    uint32_t plain[RANDOM_PROGRAM_BUFFER / 4], aside[RANDOM_PROGRAM_BUFFER / 4];
    const uint64_t seed = seed_from_environment();
    fprintf(stderr, "%s: %u random programs that step aside, TANDEM_SEED=%llu repeats them\n", config, count,
            (unsigned long long)seed);
    for (unsigned i = 0; i < count; i++) {
        run_random(config, seed + i, 0, plain);
        run_random(config, seed + i, every + (uint32_t)((seed + i) % 97), aside);
        for (uint32_t w = 0; w < RANDOM_PROGRAM_BUFFER / 4; w++)
            cr_assert_eq(plain[w], aside[w], "TANDEM_SEED=%llu on %s: word %u is 0x%x, 0x%x when CTAs step aside",
                         (unsigned long long)(seed + i), config, w, plain[w], aside[w]);
    }
}

#define SHOWS "TU-12 TU-14 random programs compute the same when their CTAs leave at any instruction and come back"
Test(step_aside, random_model, .description = SHOWS " [model]") {
    random_programs("model:small", 30, 100);
}
Test(step_aside, random_wide, .description = SHOWS " [model]") {
    random_programs("model:full", 20, 100);
}
Test(step_aside, random_nano, .description = SHOWS " [tandem]") {
    random_programs("tandem:nano", 2, 300);
}
Test(step_aside, random_small, .description = SHOWS " [tandem]") {
    random_programs("tandem:small", 2, 300);
}
Test(step_aside, random_full, .description = SHOWS " [tandem]") {
    random_programs("tandem:full", 2, 200);
}
