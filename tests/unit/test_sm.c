// The SM of the model running alone: memory instructions, faults, special registers, barriers, CTAs.
#include "sm_bench.h"

// R0 = 4 * linear thread number in its CTA (one-dimensional), P0 free.
#define THREAD_OFFSET "S2R R0, SR_TID_X\nSHL R0, R0, 2\n"

Test(sm, special_registers,
     .description = "TU-9 special registers in CTAs of three dimensions, with a partial warp [model]") {
    static const char *const names[] = {
        "SR_TID_X",  "SR_TID_Y",    "SR_TID_Z",    "SR_CTAID_X",  "SR_CTAID_Y", "SR_CTAID_Z", "SR_NTID_X", "SR_NTID_Y",
        "SR_NTID_Z", "SR_NCTAID_X", "SR_NCTAID_Y", "SR_NCTAID_Z", "SR_LANEID",  "SR_WARPID",  "SR_SMID",   "SR_TMD"};
    const uint32_t ntid[3] = {5, 3, 3}, grid[3] = {2, 3, 2}, threads = 45;
    for (uint32_t n = 0; n < 16; n++) {
        struct bench bench;
        char body[1024];
        bench_open(&bench, "small", n);
        snprintf(body, sizeof body,
                 "S2R R1, SR_TID_X\nS2R R2, SR_TID_Y\nS2R R3, SR_TID_Z\nIMUL R4, R3, 3\nIADD R4, R4, R2\nIMUL R4, R4, "
                 "5\nIADD R4, R4, R1\n"
                 "S2R R1, SR_CTAID_X\nS2R R2, SR_CTAID_Y\nS2R R3, SR_CTAID_Z\nIMUL R5, R3, 3\nIADD R5, R5, R2\nIMUL "
                 "R5, R5, 2\n"
                 "IADD R5, R5, R1\nIMUL R5, R5, 45\nIADD R4, R4, R5\nSHL R4, R4, 2\nS2R R6, %s\nSTG.32 [R4 + 0x40000], "
                 "R6\nEXIT",
                 names[n]);
        const struct bench_launch launch = {.grid = {2, 3, 2}, .cta = {5, 3, 3}};
        bench_run(&bench, body, &launch);
        for (uint32_t i = 0; i < threads * 12; i++) {
            const uint32_t t = i % threads, c = i / threads;
            const uint32_t want[16] = {t % 5,   t / 5 % 3, t / 15,  c % 2,   c / 2 % 3, c / 6,  ntid[0], ntid[1],
                                       ntid[2], grid[0],   grid[1], grid[2], t % 32,    t / 32, 0,       BENCH_TMD};
            cr_assert_eq(bench_out(&bench, i), want[n], "%s, thread %u of CTA %u: %u, expected %u", names[n], t, c,
                         bench_out(&bench, i), want[n]);
        }
        cr_assert_eq(bench_out(&bench, threads * 12), 0);
        bench_close(&bench);
    }
}

Test(sm, registers_and_predicates_start_with_zero) {
    struct bench bench;
    const struct bench_launch launch = {.cta = {64}, .grid = {4}};
    bench_open(&bench, "nano", 1);
    // The second task finds the registers of the first.
    bench_run(&bench, "MOV R1, -1\nMOV R2, -1\nMOV R3, -1\nISETP.EQ P0, RZ, RZ\nISETP.EQ P6, RZ, RZ\nEXIT", &launch);
    bench_run(
        &bench,
        THREAD_OFFSET
        "P2R R4\nOR R1, R1, R2\nOR R1, R1, R3\nOR R1, R1, R4\nISETP.NE P1, R1, 0\n@P1 ATOMG.ADD RZ, [RZ + 0x40], R1\n"
        "@!P1 STG.32 [R0 + 0x40000], R0\nEXIT",
        &launch);
    cr_assert_eq(bench_word(&bench, 0x40), 0);
    for (uint32_t i = 0; i < 64; i++)
        cr_assert_eq(bench_out(&bench, i), 4 * i);
    bench_close(&bench);
}

Test(sm, loads_of_all_sizes) {
    struct bench bench;
    const struct bench_launch launch = {.cta = {40}};
    bench_open(&bench, "full", 1);
    for (uint32_t i = 0; i < 256; i++)
        bench_set(&bench, 0x1000 * 4 + 4 * i, 0x81C2F000u + 0x01010101u * i);
    const struct {
        const char *size;
        uint32_t bytes, registers;
    } cases[] = {{"U8", 1, 1}, {"S8", 1, 1}, {"U16", 2, 1}, {"S16", 2, 1}, {"32", 4, 1}, {"64", 8, 2}, {"128", 16, 4}};
    for (unsigned c = 0; c < 7; c++) {
        char body[1024];
        int used =
            snprintf(body, sizeof body, "S2R R0, SR_TID_X\nIMUL R1, R0, %u\nLDG.%s R4, [R1 + 0x4000]\nSHL R0, R0, 4\n",
                     cases[c].bytes, cases[c].size);
        for (uint32_t r = 0; r < 4; r++)
            used +=
                snprintf(body + used, sizeof body - (size_t)used, "STG.32 [R0 + %u], R%u\n", BENCH_OUT + 4 * r, 4 + r);
        snprintf(body + used, sizeof body - (size_t)used, "EXIT");
        bench_run(&bench, body, &launch);
        for (uint32_t t = 0; t < 40; t++) {
            for (uint32_t r = 0; r < 4; r++) {
                uint8_t raw[16] = {0};
                uint32_t want = 0;
                cr_assert(ppu_mem_read(bench.ppu, BENCH_SPACE + 0x4000 + t * cases[c].bytes, raw, cases[c].bytes));
                for (unsigned b = 0; b < 4; b++)
                    want |= (uint32_t)raw[4 * r + b] << (8 * b);
                if (r < cases[c].registers && cases[c].size[0] == 'S') {
                    if (cases[c].bytes == 1 && (want & 0x80) != 0) want |= 0xFFFFFF00u;
                    if (cases[c].bytes == 2 && (want & 0x8000) != 0) want |= 0xFFFF0000u;
                }
                cr_assert_eq(bench_out(&bench, 4 * t + r), want, "LDG.%s thread %u R%u: 0x%x, expected 0x%x",
                             cases[c].size, t, 4 + r, bench_out(&bench, 4 * t + r), want);
            }
        }
    }
    bench_close(&bench);
}

Test(sm, stores_of_all_sizes) {
    const struct {
        const char *size;
        uint32_t bytes;
    } cases[] = {{"U8", 1}, {"S8", 1}, {"U16", 2}, {"S16", 2}, {"32", 4}, {"64", 8}, {"128", 16}};
    for (unsigned c = 0; c < 7; c++) {
        struct bench bench;
        char body[512];
        const struct bench_launch launch = {.cta = {64}};
        bench_open(&bench, c % 2 ? "nano" : "small", c);
        snprintf(
            body, sizeof body,
            "S2R R0, SR_TID_X\nIADD R4, R0, 0x81000\nIADD R5, R0, 0x1000\nIADD R6, R0, 0x2000\nIADD R7, R0, 0x3000\n"
            "IMUL R1, R0, %u\nSTG.%s [R1 + 0x40000], R4\nSTG.%s [R1 + 0x50000], RZ\nEXIT",
            cases[c].bytes, cases[c].size, cases[c].size);
        for (uint32_t i = 0; i < 64 * 4; i++)
            bench_set(&bench, 0x50000 + 4 * i, 0xFFFFFFFF);
        bench_run(&bench, body, &launch);
        for (uint32_t t = 0; t < 64; t++) {
            const uint32_t words[4] = {t + 0x81000, t + 0x1000, t + 0x2000, t + 0x3000};
            uint8_t want[16], got[16], zero[16] = {0};
            memcpy(want, words, 16);
            ppu_mem_read(bench.ppu, BENCH_SPACE + BENCH_OUT + t * cases[c].bytes, got, 16);
            cr_assert_eq(memcmp(got, want, cases[c].bytes), 0, "STG.%s thread %u", cases[c].size, t);
            ppu_mem_read(bench.ppu, BENCH_SPACE + 0x50000 + t * cases[c].bytes, got, 16);
            cr_assert_eq(memcmp(got, zero, cases[c].bytes), 0, "STG.%s of RZ, thread %u", cases[c].size, t);
        }
        bench_close(&bench);
    }
}

Test(sm, wide_load_into_rz_writes_nothing) {
    struct bench bench;
    const struct bench_launch launch = {.cta = {32}};
    bench_open(&bench, "small", 3);
    bench_set(&bench, 0x4000, 0xFFFFFFFF);
    bench_run(&bench,
              "LDG.128 RZ, [0x4000]\nLDG.32 RZ, [0x4000]\nATOMG.ADD RZ, [RZ + 0x4010], RZ\nSTG.32 [0x40000], RZ\nP2R "
              "R0\nSTG.32 [0x40004], R0\nEXIT",
              &launch);
    cr_assert_eq(bench_out(&bench, 0), 0);
    bench_close(&bench);
}

Test(sm, constants) {
    struct bench bench;
    const struct bench_launch launch = {.cta = {32}};
    bench_open(&bench, "small", 3);
    bench_run(&bench,
              THREAD_OFFSET
              "LDC.32 R1, c[0][R0 + 16]\nSTG.32 [R0 + 0x40000], R1\nLDC.64 R2, c[0][248]\nSTG.32 [R0 + 0x41000], R3\n"
              "LDC.U8 R1, c[0][255]\nSTG.32 [R0 + 0x42000], R1\nLDC.U16 R1, c[0][R0]\nSTG.32 [R0 + 0x43000], R1\nEXIT",
              &launch);
    for (uint32_t t = 0; t < 32; t++) {
        cr_assert_eq(bench_word(&bench, 0x40000 + 4 * t), 0x1000 + 4 + t);
        cr_assert_eq(bench_word(&bench, 0x41000 + 4 * t), 0x103F);
        cr_assert_eq(bench_word(&bench, 0x42000 + 4 * t), 0);
        cr_assert_eq(bench_word(&bench, 0x43000 + 4 * t), 0x1000 + t);
    }
    bench_close(&bench);
}

Test(sm, highest_thread_wins_within_a_request) {
    for (unsigned config = 0; config < PPU_CONFIG_COUNT; config++) {
        struct bench bench;
        const struct bench_launch launch = {.cta = {32}};
        bench_open(&bench, ppu_config_names[config], 3);
        // Threads 0..31 store to one word, then pairs to one byte of the words behind it.
        bench_run(
            &bench,
            "S2R R0, SR_TID_X\nIADD R1, R0, 100\nSTG.32 [0x40000], R1\nSHR R2, R0, 1\nSTG.U8 [R2 + 0x40020], R1\nEXIT",
            &launch);
        cr_assert_eq(bench_out(&bench, 0), 131);
        for (uint32_t i = 0; i < 16; i++) {
            uint8_t byte;
            ppu_mem_read(bench.ppu, BENCH_SPACE + 0x40020 + i, &byte, 1);
            cr_assert_eq(byte, 101 + 2 * i);
        }
        bench_close(&bench);
    }
}

Test(sm, atomics, .description = "every operation of ATOMG: the word after it and the old word") {
    static const char *const names[] = {"ADD", "MIN", "MAX",  "UMIN", "UMAX", "AND",
                                        "OR",  "XOR", "XCHG", "INC",  "DEC",  "SUB"};
    const uint32_t pairs[][2] = {{5, 7}, {0x80000000, 1}, {0xFFFFFFFF, 0xFFFFFFFF},
                                 {0, 0}, {9, 3},          {0x7FFFFFFF, 0x80000000}};
    for (unsigned n = 0; n < 12; n++) {
        for (unsigned p = 0; p < 6; p++) {
            struct bench bench;
            char body[256];
            const uint32_t a = pairs[p][0], b = pairs[p][1];
            const int32_t sa = (int32_t)a, sb = (int32_t)b;
            const uint32_t want[12] = {a + b,
                                       sa < sb ? a : b,
                                       sa > sb ? a : b,
                                       a < b ? a : b,
                                       a > b ? a : b,
                                       a & b,
                                       a | b,
                                       a ^ b,
                                       b,
                                       a >= b ? 0 : a + 1,
                                       a == 0 || a > b ? b : a - 1,
                                       a - b};
            const struct bench_launch launch = {.cta = {1}};
            bench_open(&bench, "nano", 1);
            bench_set(&bench, 0x4004, a);
            snprintf(body, sizeof body,
                     "MOV R1, 0x%x\nMOV R2, 0x4008\nATOMG.%s R3, [R2 - 4], R1\nSTG.32 [0x40000], R3\nEXIT", b,
                     names[n]);
            bench_run(&bench, body, &launch);
            cr_assert_eq(bench_word(&bench, 0x4004), want[n], "%s 0x%x, 0x%x", names[n], a, b);
            cr_assert_eq(bench_out(&bench, 0), a);
            bench_close(&bench);
        }
    }
}

Test(sm, atomics_of_many_threads, .description = "each thread gets another old value; CAS takes effect once") {
    struct bench bench;
    const struct bench_launch launch = {.grid = {5}, .cta = {48}};
    bool seen[240] = {false};
    bench_open(&bench, "small", 77);
    bench_run(&bench,
              "MOV R1, 1\nMOV R2, 0x4000\nATOMG.ADD R3, [R2], R1\nSHL R4, R3, 2\nSTG.32 [R4 + 0x40000], R3\nMOV R5, 9\n"
              "ATOMG.CAS R6, [R2 + 4], RZ, R5\nISETP.EQ P0, R6, 0\n@P0 ATOMG.ADD RZ, [R2 + 8], R1\nEXIT",
              &launch);
    cr_assert_eq(bench_word(&bench, 0x4000), 240);
    for (uint32_t i = 0; i < 240; i++) {
        const uint32_t old = bench_out(&bench, i);
        cr_assert(old == i && !seen[i]);
        seen[i] = true;
    }
    cr_assert_eq(bench_word(&bench, 0x4004), 9);
    cr_assert_eq(bench_word(&bench, 0x4008), 1);
    bench_close(&bench);
}

// ---- faults ----
struct fault_case {
    const char *body;
    uint32_t code, info, at;  // at: instruction of the body
    uint32_t registers;
};

static void check_fault(const struct fault_case *c, const char *config) {
    struct bench bench;
    struct code_object object;
    const struct bench_launch launch = {.cta = {40}, .registers = c->registers};
    bench_open(&bench, config, 5);
    bench_assemble(c->body, &object);
    const uint32_t low = c->at < object.text_words ? (uint32_t)object.text[c->at] : 0;
    code_object_free(&object);
    bench_launch(&bench, c->body, &launch);
    bench_finish(&bench);
    const uint32_t pc = BENCH_OFFSET / 8 + c->at;
    const bool word = c->code == FAULT_ILLEGAL_INSTRUCTION || c->code == FAULT_REGISTER_BOUNDS;
    const uint32_t info = word ? low : c->code == FAULT_PROGRAM_BOUNDS ? pc : c->info;
    cr_assert_eq(bench.code, c->code, "%s: %s, expected %s", c->body, fault_name(bench.code), fault_name(c->code));
    cr_assert_eq(bench.info, info, "%s: info 0x%x, expected 0x%x", c->body, bench.info, info);
    cr_assert_eq(bench.pc, pc, "%s: pc 0x%x, expected 0x%x", c->body, bench.pc, pc);
    bench_close(&bench);
}

Test(sm, faults, .description = "every fault of a warp by its name, with info and program counter") {
    const struct fault_case cases[] = {
        {"NOP\nNOP", FAULT_PROGRAM_BOUNDS, 0, 2, 1},
        {"BRA +5\nEXIT", FAULT_PROGRAM_BOUNDS, 0, 6, 1},
        {"NOP\n.word 0\nEXIT", FAULT_ILLEGAL_INSTRUCTION, 0, 1, 1},
        {".word 0x5FF007E5\nEXIT", FAULT_ILLEGAL_INSTRUCTION, 0, 0, 4},  // LDL.64
        {"ISETP.EQ P0, RZ, 1\n.word 0x6FF000E6\nEXIT", FAULT_ILLEGAL_INSTRUCTION, 0, 1,
         4},  // @P0 STL.128: guarded off, still
        {"LDL.32 R0, [RZ]\nEXIT", FAULT_LOCAL_BOUNDS, 0, 0, 1},
        {"MOV R0, 1\nMOV R3, 1\nEXIT", FAULT_REGISTER_BOUNDS, 0, 1, 3},
        {"ISETP.EQ P0, RZ, 1\n@P0 MOV R3, 1\nEXIT", FAULT_REGISTER_BOUNDS, 0, 1, 3},
        {"LDG.128 R4, [0x4000]\nEXIT", FAULT_REGISTER_BOUNDS, 0, 0, 7},
        {".word 0x000040005FF017E0\nEXIT", FAULT_REGISTER_BOUNDS, 0, 0, 8},  // LDG.64 into R1
        {"MOV R0, 0x4002\nLDG.32 R1, [R0]\nEXIT", FAULT_MEMORY_ALIGNMENT, 0x4002, 1, 4},
        {"S2R R0, SR_LANEID\nIADD R0, R0, 0x4000\nSTG.U16 [R0], R0\nEXIT", FAULT_MEMORY_ALIGNMENT, 0x4001, 2, 4},
        {"MOV R0, 0x4004\nLDG.64 R2, [R0]\nEXIT", FAULT_MEMORY_ALIGNMENT, 0x4004, 1, 4},
        {"MOV R0, 0x4008\nLDG.128 R4, [R0]\nEXIT", FAULT_MEMORY_ALIGNMENT, 0x4008, 1, 8},
        {"MOV R0, 0x4001\nATOMG.ADD RZ, [R0], R0\nEXIT", FAULT_MEMORY_ALIGNMENT, 0x4001, 1, 4},
        {"LDG.32 R0, [0x100004]\nEXIT", FAULT_MEMORY_BOUNDS, 0x100000, 0, 4},
        {"STG.32 [-4], RZ\nEXIT", FAULT_MEMORY_BOUNDS, 0xFFFFFFE0, 0, 4},
        {"MOV R0, 0x100044\nATOMG.ADD R1, [R0], R0\nEXIT", FAULT_MEMORY_BOUNDS, 0x100044, 1, 4},
        {"LDC.32 R0, c[0][256]\nEXIT", FAULT_CONSTANT_BOUNDS, 256, 0, 4},
        {"S2R R0, SR_LANEID\nSHL R0, R0, 4\nLDC.128 R4, c[0][R0]\nEXIT", FAULT_CONSTANT_BOUNDS, 256, 2, 8},
        {"LDC.32 R0, c[1][0]\nEXIT", FAULT_CONSTANT_BOUNDS, 0, 0, 4},
        {"LDC.32 R0, c[9][4]\nEXIT", FAULT_CONSTANT_BOUNDS, 4, 0, 4},
        {"MOV R0, -4\nLDC.32 R0, c[0][R0]\nEXIT", FAULT_CONSTANT_BOUNDS, 0xFFFFFFFC, 1, 4},
        {"S2R R0, SR_LANEID\nISETP.LT P0, R0, 4\n@P0 SSY +0\nEXIT", FAULT_ILLEGAL_INSTRUCTION, 0, 2, 4},
        {"S2R R0, SR_LANEID\nISETP.LT P0, R0, 4\n@P0 CAL RZ, +0\nEXIT", FAULT_ILLEGAL_INSTRUCTION, 0, 2, 4},
        {"S2R R0, SR_LANEID\nISETP.LT P0, R0, 4\n@P0 YIELD\nEXIT", FAULT_ILLEGAL_INSTRUCTION, 0, 2, 4},
        {"S2R R0, SR_TID_X\nISETP.LT P0, R0, 4\n@P0 BAR\n@P0 EXIT\nwait: BRA wait", FAULT_BARRIER_DIVERGED, 0xFFFFFFFF,
         2, 4},
        {"loop: SSY +0\nBRA loop", FAULT_DEQUE_FULL, 0, 0, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_fault(&cases[i], "nano");
        if (cases[i].code != FAULT_BARRIER_DIVERGED && cases[i].code != FAULT_DEQUE_FULL)
            check_fault(&cases[i], "small");
    }
}

Test(sm, no_fault_when_guarded_off, .description = "exec zero: alignment, bounds, SSY, YIELD, BAR do not fault") {
    struct bench bench;
    const struct bench_launch launch = {.cta = {40}};
    bench_open(&bench, "small", 5);
    bench_run(&bench,
              "ISETP.EQ P0, RZ, 1\nMOV R1, 0x100001\n@P0 LDG.32 R0, [R1]\n@P0 STG.64 [R1], RZ\n@P0 LDC.32 R0, "
              "c[9][1]\n@P0 ATOMG.ADD R0, [R1], R0\n"
              "@P0 SSY +0\n@P0 CAL R2, +0\n@P0 YIELD\n@P0 BAR\n@P0 BRK\n@P0 RET R1\n@P0 BRA +1000\nSTG.32 [0x40000], "
              "R1\nEXIT",
              &launch);
    cr_assert_eq(bench_out(&bench, 0), 0x100001);
    bench_close(&bench);
}

Test(sm, accesses_before_the_fault_stay) {
    struct bench bench;
    const struct bench_launch launch = {.cta = {32}};
    bench_open(&bench, "small", 5);
    // The last 20 words of the space, then past its end.
    bench_launch(&bench, THREAD_OFFSET "IADD R1, R0, 0xFFFB0\nSTG.32 [R1], R1\nEXIT", &launch);
    bench_finish(&bench);
    cr_assert_eq(bench.code, FAULT_MEMORY_BOUNDS);
    cr_assert_eq(bench.info, 0x100000);
    for (uint32_t a = 0xFFFB0; a < 0x100000; a += 4)
        cr_assert_eq(bench_word(&bench, a), a);
    bench_close(&bench);
}

Test(sm, a_fault_ends_the_whole_task) {
    struct bench bench;
    const struct bench_launch launch = {.grid = {50}, .cta = {32}};
    bench_open(&bench, "small", 5);
    // CTA 2 faults; the others would spin for ever or wait at a barrier.
    bench_launch(&bench,
                 "S2R R0, SR_CTAID_X\nISETP.EQ P0, R0, 2\n@P0 LDG.32 R1, [1]\nISETP.EQ P1, R0, 1\nwait: @!P1 BRA "
                 "wait\nBAR\nBRA wait",
                 &launch);
    bench_finish(&bench);
    cr_assert_eq(bench.code, FAULT_MEMORY_ALIGNMENT);
    bench_close(&bench);
}

// ---- splitting ----
struct requests {
    unsigned count;
    struct trace_mem_req list[256];
};

static void keep_requests(void *context, const struct trace_event *event) {
    struct requests *requests = context;
    if (event->kind == TRACE_MEM_REQ && requests->count < 256) requests->list[requests->count++] = event->mem_req;
}

static void split(const char *config, const char *body, struct requests *requests) {
    struct bench bench;
    const struct bench_launch launch = {.cta = {32}};
    requests->count = 0;
    bench_open(&bench, config, 5);
    ppu_set_trace(bench.ppu, keep_requests, requests);
    bench_run(&bench, body, &launch);
    bench_close(&bench);
}

Test(sm, splitting_into_requests, .description = "portions and lines: which threads go together") {
    struct requests requests;
    // 32 consecutive words: four lines; of 4 lanes each portion is half a line, of 8 one, of 32 all in one portion.
    const struct {
        const char *config;
        unsigned count;
        uint64_t first;
    } words[] = {{"nano", 8, 0xF}, {"small", 4, 0xFF}, {"full", 4, 0xFF}};
    for (unsigned i = 0; i < 3; i++) {
        split(words[i].config, THREAD_OFFSET "STG.32 [R0 + 0x40000], R0\nEXIT", &requests);
        cr_assert_eq(requests.count, words[i].count, "%s: %u", words[i].config, requests.count);
        cr_assert_eq(requests.list[0].threads, words[i].first);
        cr_assert_eq(requests.list[0].op, MEM_WRITE);
        cr_assert_eq(requests.list[0].addr, 0x40000);
        cr_assert_eq(requests.list[0].wstrb, words[i].first == 0xF ? 0xFFFFu : 0xFFFFFFFFu);
    }
    // Odd threads go to another line than even ones: the first thread left chooses.
    split("small", "S2R R0, SR_TID_X\nAND R1, R0, 1\nSHL R1, R1, 5\nLDG.U8 R2, [R1 + 0x40000]\nEXIT", &requests);
    cr_assert_eq(requests.count, 8);
    for (unsigned i = 0; i < 8; i++) {
        cr_assert_eq(requests.list[i].threads, (UINT64_C(0x55) << (i % 2)) << (i / 2 * 8));
        cr_assert_eq(requests.list[i].addr, 0x40000 + 32 * (i % 2));
        cr_assert_eq(requests.list[i].op, MEM_READ);
        cr_assert_eq(requests.list[i].wstrb, 0);
    }
    // Atomics one by one, with the word's address; RZ too.
    split("full", "S2R R0, SR_TID_X\nMOV R1, 0x40024\nATOMG.UMAX RZ, [R1], R0\nEXIT", &requests);
    cr_assert_eq(requests.count, 32);
    for (unsigned i = 0; i < 32; i++) {
        cr_assert_eq(requests.list[i].threads, UINT64_C(1) << i);
        cr_assert_eq(requests.list[i].addr, 0x40024);
        cr_assert_eq(requests.list[i].op, MEM_ATOMIC);
        cr_assert_eq(requests.list[i].atom, ATOM_UMAX);
        cr_assert_eq(requests.list[i].wdata[0], i);
    }
    // A guarded portion makes none.
    split("small", THREAD_OFFSET "ISETP.GE P0, R0, 96\n@P0 STG.32 [R0 + 0x40000], R0\nEXIT", &requests);
    cr_assert_eq(requests.count, 1);
    cr_assert_eq(requests.list[0].threads, UINT64_C(0xFF000000));
}

Test(sm, request_counter_is_the_same_fast_and_traced) {
    const char *body =
        "S2R R0, SR_TID_X\nIMUL R1, R0, 52\nAND R1, R1, 0x3FC\nLDG.32 R2, [R1 + 0x40000]\nSTG.U8 [R1 + 0x40000], "
        "R0\nLDC.32 R3, c[0][4]\nEXIT";
    struct ppu_counters counters[2];
    for (unsigned traced = 0; traced < 2; traced++) {
        struct bench bench;
        struct requests requests = {0};
        const struct bench_launch launch = {.grid = {3}, .cta = {50}};
        bench_open(&bench, "small", 5);
        if (traced != 0) ppu_set_trace(bench.ppu, keep_requests, &requests);
        bench_run(&bench, body, &launch);
        ppu_get_counters(bench.ppu, &counters[traced]);
        bench_close(&bench);
    }
    cr_assert_eq(counters[0].memory_requests, counters[1].memory_requests);
    cr_assert_eq(counters[0].warp_instructions, counters[1].warp_instructions);
    cr_assert_eq(counters[0].thread_instructions, counters[1].thread_instructions);
    cr_assert_eq(counters[0].warps, 6);
}

// ---- barriers, CTAs ----
Test(sm, barrier, .description = "values go from warp to warp across BAR, many rounds, many seeds") {
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct bench bench;
        const struct bench_launch launch = {.grid = {6}, .cta = {100}};
        bench_open(&bench, seed % 2 ? "full" : "small", seed);
        // out[t] goes round: each round thread t takes what thread (t + 37) mod 100 had, and adds 1.
        bench_run(&bench,
                  "S2R R0, SR_TID_X\nS2R R1, SR_CTAID_X\nIMUL R1, R1, 400\nIADD R1, R1, 0x40000\nSHL R2, R0, 2\nIADD "
                  "R2, R2, R1\nSTG.32 [R2], R0\n"
                  "IADD R3, R0, 37\nISETP.GE P0, R3, 100\n@P0 ISUB R3, R3, 100\nSHL R3, R3, 2\nIADD R3, R3, R1\nMOV "
                  "R4, 0\nPBRK done\n"
                  "round: BAR\nLDG.32 R5, [R3]\nBAR\nIADD R5, R5, 1\nSTG.32 [R2], R5\nIADD R4, R4, 1\nISETP.EQ P1, R4, "
                  "20\n@P1 BRK\nBRA round\n"
                  "done: EXIT",
                  &launch);
        for (uint32_t i = 0; i < 600; i++)
            cr_assert_eq(bench_out(&bench, i), (i % 100 + 20 * 37) % 100 + 20, "seed %u thread %u: %u", (unsigned)seed,
                         i, bench_out(&bench, i));
        bench_close(&bench);
    }
}

Test(sm, barrier_without_the_warps_that_have_ended) {
    struct bench bench;
    const struct bench_launch launch = {.cta = {128}, .grid = {3}};
    bench_open(&bench, "small", 9);
    // Warps 1 and 3 leave at once; thread 5 of warp 0 leaves too: the barrier is for those that are left.
    bench_run(
        &bench,
        THREAD_OFFSET
        "S2R R1, SR_WARPID\nAND R1, R1, 1\nISETP.EQ P0, R1, 1\n@P0 EXIT\nISETP.EQ P1, R0, 20\n@P1 EXIT\nMOV R2, 1\n"
        "ATOMG.ADD RZ, [RZ + 0x4000], R2\nBAR\nSTG.32 [R0 + 0x40000], R2\nEXIT",
        &launch);
    cr_assert_eq(bench_word(&bench, 0x4000), 3 * 63);
    for (uint32_t t = 0; t < 128; t++)
        cr_assert_eq(bench_out(&bench, t), t / 32 % 2 == 0 && t != 5);
    bench_close(&bench);
}

Test(sm, more_ctas_than_fit, .description = "TU-6 more CTAs than fit: warps and register rows are given back [model]") {
    static const uint32_t sizes[] = {1, 31, 32, 33, 64};
    for (unsigned s = 0; s < 5; s++) {
        struct bench bench;
        const struct bench_launch launch = {.grid = {7, 5, 2}, .cta = {sizes[s]}, .registers = 20 + s};
        bench_open(&bench, "nano", s);
        bench_run(&bench, "MOV R1, 1\nMOV R2, 0x40000\nATOMG.ADD RZ, [R2], R1\nEXIT", &launch);
        cr_assert_eq(bench_out(&bench, 0), 70 * sizes[s]);
        bench_close(&bench);
    }
}

Test(sm, seeds_make_schedules_not_results) {
    uint64_t first = 0;
    bool differ = false;
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct bench bench;
        uint64_t order = 0;
        const struct bench_launch launch = {.grid = {2}, .cta = {64}};
        bench_open(&bench, "small", seed);
        bench_run(&bench,
                  "S2R R0, SR_CTAID_X\nS2R R1, SR_WARPID\nSHL R0, R0, 1\nIADD R0, R0, R1\nMOV R3, 0\nPBRK out\n"
                  "loop: ATOMG.XCHG R2, [RZ + 0x4000], R0\nATOMG.ADD RZ, [RZ + 0x4004], R2\nIADD R3, R3, 1\nISETP.EQ "
                  "P0, R3, 9\n"
                  "@P0 BRK\nBRA loop\nout: S2R R4, SR_LANEID\nISETP.NE P1, R4, 0\n@P1 EXIT\nMOV R5, 1\nATOMG.ADD R6, "
                  "[RZ + 0x4008], R5\n"
                  "SHL R6, R6, 2\nSTG.32 [R6 + 0x40000], R0\nEXIT",
                  &launch);
        for (uint32_t i = 0; i < 4; i++)
            order = order * 4 + bench_out(&bench, i);
        order = order * 65536 + bench_word(&bench, 0x4004);
        cr_assert_eq(bench_word(&bench, 0x4008), 4);
        if (seed == 0) first = order;
        differ = differ || order != first;
        bench_close(&bench);
    }
    cr_assert(differ, "six seeds, one schedule");
}

Test(sm, describe) {
    struct bench bench;
    char text[4096], small[20];
    const struct bench_launch launch = {.cta = {40}};
    bench_open(&bench, "small", 5);
    bench_launch(&bench, "S2R R1, SR_TID_X\nMOV R2, 77\nISETP.LT P0, R1, 4\nSSY +0\n@P0 BRA wait\nwait: BRA wait",
                 &launch);
    ppu_step(bench.ppu, 100);
    ppu_describe_warp(bench.ppu, 0, 0, text, sizeof text);
    cr_assert(strstr(text, "BRA") != NULL, "%s", text);
    cr_assert(strstr(text, "R2   all 0x0000004d") != NULL, "%s", text);
    cr_assert(strstr(text, "SYNC") != NULL, "%s", text);
    cr_assert(strstr(text, "P0") != NULL, "%s", text);
    ppu_describe_warp(bench.ppu, 0, 0, small, sizeof small);
    cr_assert_eq(strlen(small), sizeof small - 1);
    ppu_describe_warp(bench.ppu, 0, 3, text, sizeof text);
    cr_assert(strstr(text, "idle") != NULL, "%s", text);
    ppu_describe_warp(bench.ppu, 7, 3, text, sizeof text);
    cr_assert(strstr(text, "there is none") != NULL, "%s", text);
    bench_close(&bench);
}
