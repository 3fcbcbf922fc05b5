// How many instructions a cycle a multiprocessor comes to.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/ride.h"
#include "sm_bench.h"

enum { WORDS_MAX = 1 << 16, DEMO_SAMPLES = 8192 };

static const char path[] = "tests/bench/throughput.cl";

static void print(const struct ppu_config *config, const char *kernel, const struct bench_figures *f) {
    const double sms = config->sms, issue = (double)f->instructions / (double)f->cycles / sms;
    const double limit = (double)config->lanes / config->threads;
    printf("  %-6s %-15s %9llu %8llu %8.4f %6.4f %6.1f %% %8.2f %4u %6.1f %%", config->name, kernel,
           (unsigned long long)f->cycles, (unsigned long long)f->instructions, issue, limit, 100 * issue / limit,
           (double)f->threads / (double)f->cycles / sms, config->lanes, 100 * issue);
    if (f->hits + f->misses != 0) printf(" %7.1f %%", 100 * (double)f->hits / (double)(f->hits + f->misses));
    if (f->passes != 0) printf("  bank conflicts %.1f %%", 100 * (double)f->conflicts / (double)f->passes);
    printf("\n");
}

// Arithmetic only, every warp full: how close an SM comes to a portion in every cycle.
static const char arithmetic_text[] =
    ".kernel arithmetic\n.registers 8\n"
    "    MOV R0, 400\n"
    "loop:\n"
    "    IMAD R1, R1, R0, R2\n    IADD R2, R1, 7\n    XOR R3, R2, R1\n    SHL R4, R3, 3\n    IADD R5, R4, R5\n    IMIN "
    "R6, R5, R4\n"
    "    ISUB R0, R0, 1\n    ISETP.NE P0, R0, 0\n    @P0 BRA loop\n    EXIT\n";

static bool arithmetic(struct bench_device *b) {
    const struct ppu_config *config = b->config;
    const struct tandem_range range = {
        .dimensions = 1, .global = {config->threads * config->warps * config->sms}, .local = {config->threads}};
    struct bench_figures f;
    if (!bench_assemble(b, "arithmetic", arithmetic_text) || !bench_launch(b, "arithmetic", &range, NULL, 0, &f))
        return false;
    const uint64_t instructions = (uint64_t)(2 + 400 * 9) * config->warps * config->sms;
    if (f.instructions != instructions) {
        fprintf(stderr, "sm-bench: %s: arithmetic: %llu instructions, must be %llu\n", config->name,
                (unsigned long long)f.instructions, (unsigned long long)instructions);
        return false;
    }
    print(config, "arithmetic", &f);
    return true;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool matrix_product(struct bench_device *b) {
    const bool large = b->config->threads == 64;
    const uint32_t tile = large ? 16 : 8, n = large ? 64 : 32;
    static float in[2][64 * 64];
    static uint32_t words[2][64 * 64], out[64 * 64];
    uint32_t random = 1;
    for (uint32_t k = 0; k < 2 * n * n; k++) {
        in[k & 1][k / 2] = (float)(int32_t)(bench_random(&random) % 2001 - 1000) / 64.0f;
        words[k & 1][k / 2] = bits_of(in[k & 1][k / 2]);
    }
    for (uint32_t row = 0; row < n; row++) {
        for (uint32_t column = 0; column < n; column++) {
            float sum = 0;
            for (uint32_t k = 0; k < n; k++)
                sum = fmaf(in[0][row * n + k], in[1][k * n + column], sum);
            out[row * n + column] = bits_of(sum);
        }
    }
    const struct compiler_options options = {.clang_options = large ? "-DTILE=16" : "-DTILE=8"};
    const struct tandem_range range = {.dimensions = 2, .global = {n, n}, .local = {tile, tile}};
    struct bench_figures f;
    tandem_addr at[3];
    const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}, {&at[2], 4}, {&n, 4}};
    if (!bench_compile(b, path, &options) || !bench_buffer(b, n * n, words[0], &at[0]) ||
        !bench_buffer(b, n * n, words[1], &at[1]) || !bench_buffer(b, n * n, NULL, &at[2]) ||
        !bench_launch(b, "matrix_product", &range, arguments, 4, &f) ||
        !bench_compare(b, "matrix_product", at[2], out, n * n))
        return false;
    print(b->config, "matrix product", &f);
    return true;
}

static bool reduction(struct bench_device *b) {
    const struct ppu_config *config = b->config;
    const uint32_t group = config->threads * (config->warps < 4 ? config->warps / 2 : 2);
    const uint32_t groups = config->threads * config->warps / group * config->sms, size = group * groups;
    const uint32_t n = config->threads == 64 ? WORDS_MAX : WORDS_MAX / 4;
    static uint32_t in[WORDS_MAX], out[64];
    uint32_t random = 2;
    memset(out, 0, sizeof out);
    for (uint32_t k = 0; k < n; k++) {
        in[k] = bench_random(&random);
        out[k % size / group] += in[k];
    }
    const struct tandem_range range = {.dimensions = 1, .global = {size}, .local = {group}};
    struct bench_figures f;
    tandem_addr from, to;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    if (!bench_buffer(b, n, in, &from) || !bench_buffer(b, groups, NULL, &to) ||
        !bench_launch(b, "reduction", &range, arguments, 3, &f) || !bench_compare(b, "reduction", to, out, groups))
        return false;
    print(config, "reduction", &f);
    return true;
}

static bool stencil(struct bench_device *b) {
    const bool large = b->config->threads == 64;
    const uint32_t width = 64, height = large ? 128 : 32;
    static uint32_t in[64 * 128], out[64 * 128];
    uint32_t random = 3;
    for (uint32_t k = 0; k < width * height; k++)
        in[k] = bench_random(&random) & 0xFFFFF;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t at = y * width + x;
            const bool inner = x > 0 && y > 0 && x + 1 < width && y + 1 < height;
            out[at] = inner ? (4 * in[at] + in[at - 1] + in[at + 1] + in[at - width] + in[at + width]) >> 3 : in[at];
        }
    }
    const struct tandem_range range = {
        .dimensions = 2, .global = {width, height}, .local = {b->config->threads < 64 ? 32 : 64, 1}};
    struct bench_figures f;
    tandem_addr from, to;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&width, 4}, {&height, 4}};
    if (!bench_buffer(b, width * height, in, &from) || !bench_buffer(b, width * height, NULL, &to) ||
        !bench_launch(b, "stencil", &range, arguments, 4, &f) || !bench_compare(b, "stencil", to, out, width * height))
        return false;
    print(b->config, "stencil", &f);
    return true;
}

// The three kernels of the demo, with what the host does between them.
static bool demo(const struct ppu_config *config) {
    static uint8_t in[DEMO_SAMPLES], out[DEMO_SAMPLES], expected[DEMO_SAMPLES];
    uint32_t random = 4;
    struct ride ride = {0};
    struct tandem_statistics s;
    char name[64];
    for (uint32_t k = 0; k < DEMO_SAMPLES; k++)
        in[k] = (uint8_t)(40 + k * 100 / DEMO_SAMPLES + (bench_random(&random) & 15u));
    equalize_plainly(in, expected, DEMO_SAMPLES);
    snprintf(name, sizeof name, "rtl:%s", config->name);
    bool good = ride_begin(&ride, name, "tests/kernels") && ride_equalize(&ride, in, out, DEMO_SAMPLES);
    good = ride_end(&ride, &s) && good;
    if (good && memcmp(out, expected, DEMO_SAMPLES) != 0) {
        fprintf(stderr, "sm-bench: %s: the demo: wrong result\n", config->name);
        return false;
    }
    const struct bench_figures f = {
        .cycles = s.cycles, .instructions = s.warp_instructions, .threads = s.thread_instructions};
    if (good) print(config, "the demo", &f);
    return good;
}

bool bench_issue(const struct ppu_config *config) {
    struct bench_device b;
    printf("  %-6s %-15s %9s %8s %8s %6s %8s %8s %4s %8s %9s\n", "", "program", "cycles", "instr.", "i/cycle", "limit",
           "of it", "thr./cyc", "of", "of 1 i/c", "L1 hits");
    bool good =
        bench_open(&b, "rtl", config, "") && arithmetic(&b) && matrix_product(&b) && reduction(&b) && stencil(&b);
    good = bench_close(&b) && good;
    return good && demo(config);
}
