// The quick way of the model's turns (cmodel/sm/native.h) against instruction by instruction: two devices, alike but for
// that, do the same steps, and whenever both are looked at all that can be seen must be the same: memory, warps with
// their registers, counters, faults. TANDEM_SEED=N repeats a run.
#include <inttypes.h>

#include "common/seed.h"
#include "random_numbers.h"
#include "sm/decode.h"
#include "sm/sm.h"
#include "sm_bench.h"

enum { MEMORY = 2u << 20, TEXT = 1 << 16, REGISTERS = 12, BUFFER_WORDS = 0x4000, PROGRAM_MOST = 160 };

static struct bench open_one(const char *config, uint64_t seed, bool native) {
    struct bench bench = {0};
    bench_open(&bench, config, seed);
    ppu_set_native(bench.ppu, native);
    for (uint32_t k = 0; k < BUFFER_WORDS; k++)
        bench_set(&bench, BENCH_OUT + 4 * k, k * 0x9E3779B9u);
    return bench;
}

static void compare(const struct bench *quick, const struct bench *plain, uint64_t seed) {
    static char text[2][TEXT];
    const struct ppu_config *config = ppu_get_config(quick->ppu);
    struct ppu_counters counters[2];
    cr_assert_eq(ppu_cycle(quick->ppu), ppu_cycle(plain->ppu), "TANDEM_SEED=%" PRIu64 ": steps", seed);
    for (uint32_t s = 0; s < config->sms; s++) {
        for (uint32_t w = 0; w < config->warps; w++) {
            ppu_describe_warp(quick->ppu, s, w, text[0], TEXT);
            ppu_describe_warp(plain->ppu, s, w, text[1], TEXT);
            cr_assert_str_eq(text[0], text[1], "TANDEM_SEED=%" PRIu64 ", step %" PRIu64 ": %s\none by one %s", seed,
                             ppu_cycle(quick->ppu), text[0], text[1]);
        }
        uint32_t passes[2], conflicts[2];
        sm_shared_counters(quick->ppu->sm[s], &passes[0], &conflicts[0]);
        sm_shared_counters(plain->ppu->sm[s], &passes[1], &conflicts[1]);
        cr_assert(passes[0] == passes[1] && conflicts[0] == conflicts[1], "TANDEM_SEED=%" PRIu64 ": banks", seed);
        cr_assert_eq(sm_issued(quick->ppu->sm[s]), sm_issued(plain->ppu->sm[s]), "TANDEM_SEED=%" PRIu64, seed);
    }
    ppu_get_counters(quick->ppu, &counters[0]);
    ppu_get_counters(plain->ppu, &counters[1]);
    cr_assert(counters[0].warp_instructions == counters[1].warp_instructions &&
                  counters[0].thread_instructions == counters[1].thread_instructions &&
                  counters[0].local_accesses == counters[1].local_accesses &&
                  counters[0].memory_requests == counters[1].memory_requests &&
                  counters[0].resident == counters[1].resident && counters[0].warps == counters[1].warps,
              "TANDEM_SEED=%" PRIu64 ": counters, %" PRIu64 " and %" PRIu64 " requests", seed,
              counters[0].memory_requests, counters[1].memory_requests);
    cr_assert_eq(memcmp(ppu_mem(quick->ppu), ppu_mem(plain->ppu), MEMORY), 0, "TANDEM_SEED=%" PRIu64 ": memory", seed);
}

// Both to the end, with looks at random times. Returns the fault.
static uint32_t run_both(struct bench *quick, struct bench *plain, uint64_t seed, uint64_t *random) {
    for (uint64_t steps = 0;;) {
        const uint64_t some = 1 + random_below(random, 300);
        const uint64_t done = ppu_step(quick->ppu, some);
        cr_assert_eq(ppu_step(plain->ppu, some), done, "TANDEM_SEED=%" PRIu64 ": steps", seed);
        compare(quick, plain, seed);
        steps += done;
        cr_assert_lt(steps, BENCH_STEPS, "TANDEM_SEED=%" PRIu64 ": the program does not end", seed);
        if (done < some) break;
    }
    bench_finish(quick);
    bench_finish(plain);
    cr_assert(quick->code == plain->code && quick->info == plain->info && quick->pc == plain->pc,
              "TANDEM_SEED=%" PRIu64 ": fault %s at 0x%x, one by one %s at 0x%x", seed, fault_name(quick->code),
              quick->pc, fault_name(plain->code), plain->pc);
    return quick->code;
}

// ---- programs of random words
struct program {
    uint64_t words[PROGRAM_MOST];
    uint32_t count;
    uint64_t random;
};

static void add(struct program *p, uint64_t word) {
    cr_assert_lt(p->count, PROGRAM_MOST);
    p->words[p->count++] = word;
}

static uint32_t pick(struct program *p, uint32_t n) {
    return random_below(&p->random, n);
}

// A register to read: now and then RZ.
static unsigned source(struct program *p) {
    return pick(p, 8) == 0 ? ISA_RZ : pick(p, REGISTERS);
}

// R10 and R11 are the address and the turns left.
static unsigned destination(struct program *p) {
    return pick(p, 10) == 0 ? ISA_RZ : pick(p, 10);
}

static unsigned guard(struct program *p) {
    return pick(p, 2) == 0 ? ISA_PT : pick(p, 8);
}

// An instruction of the lanes, any that is legal.
static void add_alu(struct program *p) {
    for (;;) {
        const unsigned opcode = pick(p, 256), mod = pick(p, 16);
        const uint32_t imm = pick(p, 3) == 0 ? pick(p, 40) : (uint32_t)random_bits(&p->random);
        struct decoded d;
        const bool immediate = (opcode & 0x80u) != 0, negated = pick(p, 4) == 0;
        const unsigned g = guard(p);
        const uint64_t word =
            opcode == OP_S2R ? isa_encode_imm(opcode, g, negated && g != ISA_PT, destination(p), 0, 0, pick(p, 24))
            : immediate      ? isa_encode_imm(opcode, g, negated && g != ISA_PT, destination(p), source(p), mod, imm)
                        : isa_encode_reg(opcode, g, negated && g != ISA_PT, destination(p), source(p), mod, source(p),
                                         source(p), (int32_t)(int16_t)imm);
        decode(word, &d);
        if (!d.legal || !d.alu || d.registers_needed > REGISTERS) continue;
        add(p, word);
        return;
    }
}

// A load or store of any size at an address of any pattern; seldom one that is misaligned or outside.
static void add_access(struct program *p) {
    static const uint8_t opcodes[] = {OP_LDG, OP_LDG, OP_STG, OP_STG, OP_LDC, OP_LDS, OP_STS, OP_LDL, OP_STL, OP_ATOMG};
    const unsigned opcode = opcodes[pick(p, sizeof opcodes)], g = guard(p);
    const bool local = opcode == OP_LDL || opcode == OP_STL, shared = opcode == OP_LDS || opcode == OP_STS;
    const unsigned mod = opcode == OP_ATOMG ? pick(p, 8) : pick(p, local ? 5 : 7);
    const unsigned bytes = opcode == OP_ATOMG ? 4 : decode_access_bytes(mod);
    const uint32_t room = opcode == OP_LDC ? 0xF0 : local ? 0x30 : shared ? 0x3F0 : 0xFFF0;
    const unsigned data = bytes > 4 ? pick(p, 8 / (bytes / 4)) * (bytes / 4) : pick(p, 9) == 0 ? ISA_RZ : pick(p, 10);
    const bool wrong = pick(p, 150) == 0;
    switch (pick(p, 4)) {
        case 0:  // side by side
            add(p, isa_encode_imm(OP_S2R, ISA_PT, false, 10, 0, 0, SR_TID_X));
            add(p, isa_encode_imm(OP_IMUL_I, ISA_PT, false, 10, 10, 0, bytes));
            break;
        case 1:  // all the same
            add(p, isa_encode_imm(OP_MOV_I, ISA_PT, false, 10, 0, 0, pick(p, room)));
            break;
        default: add(p, isa_encode_reg(OP_MOV, ISA_PT, false, 10, 0, 0, pick(p, 10), 0, 0)); break;
    }
    add(p, isa_encode_imm(OP_AND_I, ISA_PT, false, 10, 10, 0, (room >> pick(p, 5)) & ~(bytes - 1) & room));
    if (wrong) add(p, isa_encode_imm(OP_IADD_I, g, false, 10, 10, 0, pick(p, 2) == 0 ? 1 : 0x10000000));
    const bool global = opcode == OP_LDG || opcode == OP_STG || opcode == OP_ATOMG;
    if (global) add(p, isa_encode_imm(OP_IADD_I, ISA_PT, false, 10, 10, 0, BENCH_OUT));
    if (opcode == OP_ATOMG) {
        add(p, isa_encode_reg(opcode, g, false, data, 10, mod, pick(p, 10), pick(p, 10), 0));
    } else {
        add(p, isa_encode_imm(opcode, g, false, data, 10, mod, 0));
    }
}

// A loop over what stands there at random, with branches forward.
static void make(struct program *p, uint64_t seed) {
    *p = (struct program){.random = seed * 2 + 1};
    add(p, isa_encode_imm(OP_S2R, ISA_PT, false, 0, 0, 0, SR_TID_X));
    for (unsigned r = 1; r < 10; r++)
        add(p, isa_encode_imm(OP_IMUL_I, ISA_PT, false, r, 0, 0, (uint32_t)random_bits(&p->random)));
    add(p, isa_encode_imm(OP_MOV_I, ISA_PT, false, 11, 0, 0, 1 + pick(p, 12)));
    const uint32_t loop = p->count;
    uint32_t from = 0, to = 0;  // a branch whose target is to be found
    while (p->count < PROGRAM_MOST - 20) {
        if (from != 0 && p->count >= to) {
            p->words[from] |= (uint64_t)(p->count - from - 1) << 32;
            from = 0;
        }
        switch (pick(p, 12)) {
            case 0:
            case 1:
            case 2: add_access(p); break;
            case 3:
                if (from != 0) break;
                from = p->count;
                to = p->count + 1 + pick(p, 12);
                add(p, isa_encode_imm(OP_BRA, pick(p, 8), pick(p, 2) == 0, 0, 0, 0, 0));
                break;
            case 4:
                if (pick(p, 6) == 0) add(p, isa_encode_imm(OP_MEMBAR, ISA_PT, false, 0, 0, 0, 0));
                break;
            default: add_alu(p); break;
        }
    }
    if (from != 0) p->words[from] |= (uint64_t)(p->count - from - 1) << 32;
    add(p, isa_encode_imm(OP_ISUB_I, ISA_PT, false, 11, 11, 0, 1));
    add(p, isa_encode_imm(OP_ISETP_I, ISA_PT, false, 0, 11, CMP_NE, 0));
    add(p, isa_encode_imm(OP_BRA, 0, false, 0, 0, pick(p, 2) == 0 ? BRA_NTH : 0, loop - p->count - 1));
    add(p, isa_encode_imm(OP_EXIT, ISA_PT, false, 0, 0, 0, 0));
}

static void random_words(const char *config, unsigned count) {
    static const uint32_t sizes[] = {1, 21, 32, 64, 90, 128};
    const uint64_t first = seed_from_environment();
    unsigned faults = 0;
    fprintf(stderr, "%s: %u programs, TANDEM_SEED=%" PRIu64 " repeats them\n", config, count, first);
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct program p;
        make(&p, seed);
        const uint32_t threads = sizes[seed % 6];
        const struct bench_launch launch = {
            .grid = {1 + (uint32_t)(seed / 6 % 3)}, .cta = {threads < 64 ? threads : 64}, .shared = 1024, .local = 64};
        struct bench quick = open_one(config, seed, true), plain = open_one(config, seed, false);
        ppu_reg_write(quick.ppu, REG_WARP_POLICY, seed & 1u);
        ppu_reg_write(plain.ppu, REG_WARP_POLICY, seed & 1u);
        bench_launch_words(&quick, p.words, p.count, REGISTERS, &launch);
        bench_launch_words(&plain, p.words, p.count, REGISTERS, &launch);
        faults += run_both(&quick, &plain, seed, &p.random) != FAULT_NONE;
        bench_close(&quick);
        bench_close(&plain);
    }
    cr_expect(faults < count, "TANDEM_SEED=%" PRIu64 ": all of them faulted", first);
}

Test(native, random_words_nano, .description = "both ways of a turn show the same: random words [model]") {
    random_words("nano", 60);
}
Test(native, random_words_small, .description = "both ways of a turn show the same: random words [model]") {
    random_words("small", 60);
}
Test(native, random_words_full, .description = "both ways of a turn show the same: random words [model]") {
    random_words("full", 40);
}

// ---- what is seen from outside
// A program that writes over an instruction in front of it, turn by turn: it adds 3, 5, .. 11.
Test(native, code_that_changes, .description = "both ways of a turn execute what memory holds [model]") {
    const uint32_t at = BENCH_REGION + BENCH_OFFSET;
    for (uint64_t seed = 0; seed < 8; seed++) {
        uint64_t words[16];
        const uint64_t add_five = isa_encode_imm(OP_IADD_I, ISA_PT, false, 4, 4, 0, 5);
        uint32_t n = 0;
        words[n++] = isa_encode_imm(OP_MOV_I, ISA_PT, false, 1, 0, 0, at);
        words[n++] = isa_encode_imm(OP_MOV_I, ISA_PT, false, 2, 0, 0, (uint32_t)add_five);
        words[n++] = isa_encode_imm(OP_MOV_I, ISA_PT, false, 3, 0, 0, 3);
        words[n++] = isa_encode_imm(OP_STG, ISA_PT, false, 2, 1, SIZE_32, 6 * 8);
        words[n++] = isa_encode_imm(OP_STG, ISA_PT, false, 3, 1, SIZE_32, 6 * 8 + 4);
        words[n++] = isa_encode_imm(OP_IADD_I, ISA_PT, false, 3, 3, 0, 2);
        words[n++] = isa_encode_imm(OP_IADD_I, ISA_PT, false, 4, 4, 0, 1000);
        words[n++] = isa_encode_imm(OP_ISETP_I, ISA_PT, false, 0, 3, CMP_LT, 13);
        words[n] = isa_encode_imm(OP_BRA, 0, false, 0, 0, 0, 3 - n - 1);
        n++;
        words[n++] = isa_encode_imm(OP_MOV_I, ISA_PT, false, 5, 0, 0, BENCH_OUT);
        words[n++] = isa_encode_imm(OP_STG, ISA_PT, false, 4, 5, SIZE_32, 0);
        words[n++] = isa_encode_imm(OP_EXIT, ISA_PT, false, 0, 0, 0, 0);
        const struct bench_launch launch = {.cta = {32}};
        uint64_t random = seed;
        struct bench quick = open_one("small", seed, true), plain = open_one("small", seed, false);
        bench_launch_words(&quick, words, n, 8, &launch);
        bench_launch_words(&plain, words, n, 8, &launch);
        run_both(&quick, &plain, seed, &random);
        cr_assert_eq(quick.code, FAULT_NONE);
        cr_assert_eq(bench_out(&quick, 0), 35, "seed %" PRIu64 ": %u", seed, bench_out(&quick, 0));
        bench_close(&quick);
        bench_close(&plain);
    }
}

static void count_events(void *context, const struct trace_event *event) {
    (void)event;
    ++*(uint64_t *)context;
}

// Somebody begins to look in the middle of a run, and stops: the same events come, and the run is the same.
Test(native, looked_at, .description = "both ways of a turn show a listener the same events [model]") {
    const uint64_t first = seed_from_environment();
    uint64_t seen = 0;
    for (uint64_t seed = first; seed < first + 10; seed++) {
        struct program p;
        uint64_t events[2] = {0, 0}, steps;
        make(&p, seed);
        const struct bench_launch launch = {.cta = {64}, .shared = 1024, .local = 64};
        struct bench quick = open_one("small", seed, true), plain = open_one("small", seed, false);
        bench_launch_words(&quick, p.words, p.count, REGISTERS, &launch);
        bench_launch_words(&plain, p.words, p.count, REGISTERS, &launch);
        do {
            const bool looks = random_below(&p.random, 2) != 0;
            const uint64_t some = 1 + random_below(&p.random, 200);
            ppu_set_trace(quick.ppu, looks ? count_events : NULL, &events[0]);
            ppu_set_trace(plain.ppu, looks ? count_events : NULL, &events[1]);
            steps = ppu_step(quick.ppu, some);
            cr_assert_eq(ppu_step(plain.ppu, some), steps, "TANDEM_SEED=%" PRIu64, seed);
            compare(&quick, &plain, seed);
            steps = steps < some ? 0 : steps;
        } while (steps != 0);
        cr_assert_eq(events[0], events[1], "TANDEM_SEED=%" PRIu64, seed);
        seen += events[0];
        bench_close(&quick);
        bench_close(&plain);
    }
    cr_assert_gt(seen, 0, "TANDEM_SEED=%" PRIu64 ": nobody looked at anything", first);
}
