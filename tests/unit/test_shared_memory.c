// Shared memory of the model: what the instructions do to it, who gets which piece of it. TANDEM_SEED=N repeats a run.
#include <criterion/criterion.h>

#include "common/seed.h"
#include "random_numbers.h"
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

// An SM by itself, whose CTAs and tasks the test writes. Behind its last CTA stands one that wants everything: nobody
// may look at it.
struct stage {
    struct run run;
    struct sm *sm;
    const struct ppu_config *config;
    struct cta ctas[WARPS_MAX + 1], *own;
    struct task_slot slot;
    const struct task_slot *slots[2];
    uint64_t random;
};

static void set_up(struct stage *s, const char *config) {
    memset(s, 0, sizeof *s);
    s->config = ppu_config_find(config);
    s->random = seed_from_environment();
    printf("test_shared_memory: %s, TANDEM_SEED=%llu repeats this run\n", config, (unsigned long long)s->random);
    run_init(&s->run, s->config, 1);
    s->sm = sm_create(&s->run, NULL, 0);
    s->own = s->sm->ctas;
    s->sm->ctas = s->ctas;
    s->ctas[s->config->warps] = (struct cta){.busy = true, .shared_room = s->config->shared_bytes};
    s->slots[1] = &s->slot;
    s->sm->wires.slot = s->slots;
}

static void take_down(struct stage *s) {
    s->sm->ctas = s->own;
    sm_destroy(s->sm);
}

static const char *const configs[] = {"nano", "small", "full"};

Test(shared_memory, whole_rows, .description = "TU-10 a CTA has as many rows as its bytes touch [model]") {
    static struct stage s;
    for (unsigned c = 0; c < 3; c++) {
        set_up(&s, configs[c]);
        const uint32_t row = 4 * s.config->lanes;
        for (uint32_t bytes = 0, rows = 0; bytes <= 4 * row; bytes++) {
            if (bytes > rows * row) rows++;
            s.slot.shared_bytes = bytes;
            cr_assert_eq(shared_memory_need(s.sm, 1), rows * row, "%s: %u bytes", configs[c], bytes);
        }
        take_down(&s);
    }
}

// Whether rows of so many bytes are inside, and nobody has one of them.
static bool nobody_has(const struct stage *s, uint32_t base, uint32_t bytes) {
    const uint32_t row = 4 * s->config->lanes;
    if (base % row != 0 || (uint64_t)base + bytes > s->config->shared_bytes) return false;
    for (uint32_t at = base; at < base + bytes; at += row)
        for (uint32_t c = 0; c < s->config->warps; c++) {
            const struct cta *cta = &s->ctas[c];
            if (cta->busy && at >= cta->shared_base && at - cta->shared_base < cta->shared_room) return false;
        }
    return true;
}

Test(shared_memory, lowest_place,
     .description = "TU-10 random pieces come and go: the lowest place that is free is found, and cleared [model]") {
    static struct stage s;
    static uint8_t expected[65536];
    for (unsigned k = 0; k < 3; k++) {
        set_up(&s, configs[k]);
        const uint32_t row = 4 * s.config->lanes, rows = s.config->shared_bytes / row;
        for (unsigned trial = 0; trial < 1000; trial++) {
            struct cta *cta = &s.ctas[random_below(&s.random, s.config->warps)];
            const uint32_t most = random_below(&s.random, 3) == 0 ? rows : rows / 4;
            uint32_t bytes = random_below(&s.random, most + 1) * row, base = 1, lowest = 0;
            while (lowest < s.config->shared_bytes && bytes != 0 && !nobody_has(&s, lowest, bytes))
                lowest += row;
            const bool found = shared_memory_find(s.sm, bytes, &base);
            cr_assert_eq(found, lowest < s.config->shared_bytes);
            cr_assert(!found || base == lowest, "%u bytes at %u, not at %u", bytes, base, lowest);
            const uint32_t at = random_below(&s.random, rows + 2) * row + random_below(&s.random, 8) / 7,
                           some = (1 + random_below(&s.random, most)) * row;
            cr_assert_eq(shared_memory_is_free(s.sm, at, some), nobody_has(&s, at, some), "%u bytes at %u", some, at);
            if (cta->busy || !found) {
                cta->busy = false;  // what it had is no longer its own
                continue;
            }
            memset(s.sm->shared_memory, 0xA5, s.config->shared_bytes);
            cta->shared_base = cta->shared_room = 77;
            shared_memory_give(s.sm, cta, base, bytes);
            cr_assert(cta->shared_base == base && cta->shared_room == bytes);
            memset(expected, 0xA5, sizeof expected);
            memset(expected + base, 0, bytes);
            cr_assert_eq(memcmp(s.sm->shared_memory, expected, s.config->shared_bytes), 0);
            cta->busy = true;
        }
        take_down(&s);
    }
}

// What an access costs, said in another way: of each beat as many passes as its busiest bank has different words, or
// threads of an atomic.
static uint32_t passes_of_portion(const struct stage *s, const struct decoded *d, const uint32_t *address,
                                  uint32_t threads) {
    const uint32_t lanes = s->config->lanes, words = d->bytes > 4 ? d->bytes / 4u : 1;
    const uint32_t side = words < s->config->shared_words ? words : s->config->shared_words;
    uint32_t most = 0;
    for (uint32_t bank = 0; bank < lanes; bank += side) {
        uint32_t count = 0;
        for (uint32_t t = 0; t < lanes; t++) {
            bool counts = (threads >> t & 1) != 0 && address[t] / 4 % lanes / side * side == bank;
            for (uint32_t before = 0; before < t && counts && !d->atomic; before++)
                if ((threads >> before & 1) != 0 && address[before] / 4 / side == address[t] / 4 / side) counts = false;
            count += counts;
        }
        if (count > most) most = count;
    }
    return most;
}

Test(
    shared_memory, conflicts,
    .description = "the banks' passes and conflicts are counted, and not those of an instruction that faults [model]") {
    static struct stage s;
    for (unsigned k = 0; k < 3; k++) {
        set_up(&s, configs[k]);
        struct warp *warp = &s.sm->warps[0];
        warp->registers = s.sm->register_file;
        warp->slot = 1;
        s.slot.shared_bytes = s.config->shared_bytes;
        uint32_t passes = 0, conflicts = 0;
        for (unsigned trial = 0; trial < 1000; trial++) {
            struct decoded d;
            const bool atomic = random_below(&s.random, 3) == 0;
            const uint32_t size = random_below(&s.random, SIZE_128 + 1);
            const int32_t offset = (int32_t)random_below(&s.random, 64) * 16;
            decode(atomic ? isa_encode_reg(OP_ATOMS, ISA_PT, false, 8, 0, ATOM_ADD, 1, ISA_RZ, offset)
                          : isa_encode_imm(OP_LDS, ISA_PT, false, 8, 0, size, (uint32_t)offset),
                   &d);
            const uint32_t span = 16 << random_below(&s.random, 8);
            const uint64_t exec = (random_bits(&s.random) & random_bits(&s.random) & UINT32_MAX) | 1;
            const bool bad = random_below(&s.random, 10) == 0;
            uint32_t address[64], code, info;
            for (uint32_t t = 0; t < s.config->threads; t++) {
                address[t] = random_below(&s.random, span) / d.bytes * d.bytes + (uint32_t)offset;
                if (bad && t == 0) address[t] = s.config->shared_bytes;
                warp->registers[t] = address[t] - (uint32_t)offset;
            }
            for (uint32_t t = 0; t < s.config->threads && !bad; t += s.config->lanes) {
                const uint32_t threads = (uint32_t)(exec >> t) & (uint32_t)((UINT64_C(1) << s.config->lanes) - 1);
                const uint32_t most = passes_of_portion(&s, &d, &address[t], threads);
                const uint32_t words = d.bytes > 4 ? d.bytes / 4u : 1;
                const uint32_t beats = words > s.config->shared_words ? words / s.config->shared_words : 1;
                passes += beats * most;
                if (most != 0) conflicts += beats * (most - 1);
            }
            uint32_t counted = 1, counted_conflicts = 1;
            cr_assert_eq(shared_memory_execute(s.sm, warp, &d, exec, &code, &info), !bad);
            sm_shared_counters(s.sm, &counted, &counted_conflicts);
            cr_assert(counted == passes && counted_conflicts == conflicts, "%s: %u passes, %u conflicts, not %u, %u",
                      configs[k], counted, counted_conflicts, passes, conflicts);
        }
        take_down(&s);
    }
}

Test(shared_memory, defect, .description = "the defect of a store loses its highest thread, if it has others [model]") {
    static struct stage s;
    set_up(&s, "nano");
    struct warp *warp = &s.sm->warps[0];
    warp->registers = s.sm->register_file;
    warp->slot = 1;
    s.slot.shared_bytes = 128;
    s.run.inject = DEFECT_SHARED_STORE;
    struct decoded store, load;
    decode(isa_encode_imm(OP_STS, ISA_PT, false, 1, 0, SIZE_32, 0), &store);
    decode(isa_encode_imm(OP_LDS, ISA_PT, false, 2, 0, SIZE_32, 0), &load);
    for (unsigned trial = 0; trial < 200; trial++) {
        const uint64_t exec =
            (random_bits(&s.random) & random_bits(&s.random) & random_bits(&s.random) & UINT32_MAX) | 1u << trial % 32;
        uint32_t code, info, highest = 63 - (uint32_t)__builtin_clzll(exec);
        memset(s.sm->shared_memory, 0, 128);
        for (uint32_t t = 0; t < 32; t++) {
            warp->registers[t] = 4 * t;
            warp->registers[32 + t] = 7 + t;
        }
        cr_assert(shared_memory_execute(s.sm, warp, &store, exec, &code, &info));
        cr_assert(shared_memory_execute(s.sm, warp, &load, UINT32_MAX, &code, &info));
        for (uint32_t t = 0; t < 32; t++) {
            const bool stored = (exec >> t & 1) != 0 && (t != highest || (exec & (exec - 1)) == 0);
            cr_assert_eq(warp->registers[64 + t], stored ? 7 + t : 0, "exec %llx, thread %u", (unsigned long long)exec,
                         t);
        }
    }
    take_down(&s);
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
