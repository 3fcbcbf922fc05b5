// Memory instructions of the model alone, done at once (load_store_fast.c), against the same request by request, which
// is what happens when somebody listens: memory, faults and counters must be the same for every size, for addresses
// that lie in every way, for whole and partial warps.
#include "sm_bench.h"

enum { SIZES = 7 };
static const struct {
    const char *name;
    uint32_t bytes;
} sizes[SIZES] = {{"U8", 1}, {"S8", 1}, {"U16", 2}, {"S16", 2}, {"32", 4}, {"64", 8}, {"128", 16}};

// R1 from the thread's number R0 and the size; %u: bytes.
static const char *const addresses[] = {
    "MOV R1, 0",                                                         // all the same
    "IMUL R1, R0, %u",                                                   // side by side
    "IMUL R1, R0, %u\nIADD R1, R1, 48",                                  // side by side, not from the start of a line
    "ISUB R1, RZ, R0\nIADD R1, R1, 63\nIMUL R1, R1, %u",                 // backwards
    "IMUL R1, R0, 13\nAND R1, R1, 63\nIMUL R1, R1, %u",                  // anyhow
    "SHR R1, R0, 1\nIMUL R1, R1, %u",                                    // in pairs
    "AND R1, R0, 30\nIMUL R1, R1, %u",                                   // likewise, with gaps
    "IMUL R1, R0, %u\nISETP.EQ P1, R0, 21\n@P1 IADD R1, R1, 1",          // one misaligned, of more than a byte
    "IMUL R1, R0, %u\nISETP.EQ P1, R0, 9\n@P1 IADD R1, R1, 0x10000000",  // one outside
};
enum { ADDRESSES = sizeof addresses / sizeof *addresses };

static const char *const guards[] = {"ISETP.GE P0, R0, 0", "ISETP.LT P0, R0, 20", "AND R2, R0, 5\nISETP.NE P0, R2, 0"};
enum { GUARDS = sizeof guards / sizeof *guards };

static void ignore(void *context, const struct trace_event *event) {
    (void)context;
    (void)event;
}

struct outcome {
    uint32_t code, info, pc;
    struct ppu_counters counters;
    uint8_t *memory;
};

static void run(const char *config, const char *body, uint32_t threads, bool traced, struct outcome *outcome) {
    struct bench bench;
    const struct bench_launch launch = {.cta = {threads}, .registers = 16, .local = 64};
    bench_open(&bench, config, 3);
    for (uint32_t k = 0; k < 0x1000; k++)
        bench_set(&bench, BENCH_OUT + 4 * k, k * 0x9E3779B9u);
    if (traced) ppu_set_trace(bench.ppu, ignore, NULL);
    bench_launch(&bench, body, &launch);
    bench_finish(&bench);
    *outcome = (struct outcome){.code = bench.code, .info = bench.info, .pc = bench.pc, .memory = malloc(2u << 20)};
    cr_assert_not_null(outcome->memory);
    ppu_get_counters(bench.ppu, &outcome->counters);
    cr_assert(ppu_mem_read(bench.ppu, 0, outcome->memory, 2u << 20));
    bench_close(&bench);
}

// `instruction` has R1 as its address, and in R3 the same in the buffer; what it leaves in R4 to R7 is stored. Returns
// whether it faulted.
static bool compare(const char *config, const char *instruction, uint32_t bytes, size_t address, size_t guard,
                    uint32_t threads) {
    char make[160], body[1024];
    struct outcome fast, traced;
    snprintf(make, sizeof make, addresses[address], bytes);
    snprintf(body, sizeof body,
             "S2R R0, SR_TID_X\n%s\n%s\nIMUL R4, R0, 0x1234567\nMOV R5, R0\nIMUL R6, R4, 5\nIADD R7, R6, R4\nIADD R3, "
             "R1, 0x40000\n"
             "@P0 %s\nSHL R8, R0, 4\nSTG.128 [R8 + 0x48000], R4\nEXIT",
             make, guards[guard], instruction);
    run(config, body, threads, false, &fast);
    run(config, body, threads, true, &traced);
    cr_assert_eq(fast.code, traced.code, "%s, %u threads: fault %s, traced %s:\n%s", config, threads,
                 fault_name(fast.code), fault_name(traced.code), body);
    cr_assert(fast.info == traced.info && fast.pc == traced.pc, "%s: info 0x%x, traced 0x%x:\n%s", config, fast.info,
              traced.info, body);
    cr_assert_eq(memcmp(fast.memory, traced.memory, 2u << 20), 0, "%s, %u threads: memory differs after:\n%s", config,
                 threads, body);
    cr_assert_eq(fast.counters.memory_requests, traced.counters.memory_requests,
                 "%s, %u threads: %llu, traced %llu:\n%s", config, threads,
                 (unsigned long long)fast.counters.memory_requests, (unsigned long long)traced.counters.memory_requests,
                 body);
    cr_assert_eq(fast.counters.thread_instructions, traced.counters.thread_instructions);
    free(fast.memory);
    free(traced.memory);
    return fast.code != FAULT_NONE;
}

// Returns how many of the programs faulted.
static unsigned compare_all(const char *instruction, uint32_t bytes) {
    static const struct {
        const char *config;
        uint32_t threads;
    } warps[] = {{"small", 32}, {"small", 21}, {"full", 64}};
    unsigned faults = 0;
    for (size_t w = 0; w < sizeof warps / sizeof *warps; w++)
        for (size_t a = 0; a < ADDRESSES; a++)
            for (size_t g = 0; g < GUARDS; g++)
                faults += compare(warps[w].config, instruction, bytes, a, g, warps[w].threads);
    return faults;
}

Test(load_store_fast, global,
     .description = "TU-10 loads and stores of a whole warp at once and request by request [model]") {
    for (size_t s = 0; s < SIZES; s++) {
        char load[64], store[64];
        snprintf(load, sizeof load, "LDG.%s R4, [R1 + 0x40000]", sizes[s].name);
        snprintf(store, sizeof store, "STG.%s [R1 + 0x40000], R4", sizes[s].name[0] == 'S' ? "U8" : sizes[s].name);
        cr_expect_gt(compare_all(load, sizes[s].bytes), 0);
        cr_expect_gt(compare_all(store, sizes[s].bytes), 0);
    }
}

Test(load_store_fast, atomics, .description = "TU-10 atomics of a whole warp at once and one after the other [model]") {
    static const char *const atomics[] = {"ATOMG.ADD R4, [R3], R5", "ATOMG.CAS R4, [R3], R5, R6",
                                          "ATOMG.XCHG R5, [R3], R5", "ATOMG.UMAX RZ, [R3], R4",
                                          "ATOMG.INC R6, [R3], R6"};
    for (size_t k = 0; k < sizeof atomics / sizeof *atomics; k++)
        cr_expect_gt(compare_all(atomics[k], 4), 0);
}

Test(load_store_fast, constant,
     .description = "TU-10 constants of a whole warp at once and request by request [model]") {
    cr_expect_gt(compare_all("LDC.32 R4, c[0][R1 + 0]", 4), 0);
    cr_expect_gt(compare_all("LDC.U8 R4, c[0][R1 + 16]", 1), 0);
    cr_expect_gt(compare_all("LDC.128 R4, c[0][R1 + 0]", 16), 0);
}

Test(load_store_fast, local,
     .description = "TU-10 local memory of a whole warp at once and request by request [model]") {
    cr_expect_gt(compare_all("LDL.32 R4, [R1]", 1), 0);
    cr_expect_gt(compare_all("STL.32 [R1], R4", 4), 0);
}
