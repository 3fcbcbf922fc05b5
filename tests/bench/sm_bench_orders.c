// Sub-vector sequences: what shared register rows gain in resident warps, and what the second order gains in the cache.
#include <stdio.h>

#include "gen/registers.h"
#include "sm_bench.h"

enum { TEXT_SIZE = 2048, TURNS = 24, THREADS_ALL_MAX = 3 * 64 * 64 * 2 };

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// ---- shared rows ----
// A kernel that holds more registers than the register file has for as many warps as there are places, half of them
// only inside its sequence, where it loads and calculates: shared_rows of them are said to be shared.
static const char rows_text[] =
    ".kernel rows\n.arg global in\n.arg global out\n.registers %u\n.shared_rows %u\n"
    "    LDC.32 R0, c[0][64]\n    LDC.32 R5, c[0][68]\n    S2R R1, SR_TID_X\n    S2R R2, SR_CTAID_X\n    SHL R6, R1, "
    "2\n    IADD R0, R0, R6\n"
    "    S2R R3, SR_NTID_X\n    IMAD R1, R2, R3, R1\n    SHL R2, R1, 2\n    IADD R5, R5, R2\n"
    "    MOV R3, 0\n    MOV R4, 0\n"
    "again:\n    SVSTART after\n    LDG.32 R%u, [R0]\n    IMAD R%u, R%u, R3, R4\n    XOR R%u, R%u, R%u\n    IADD R4, "
    "R%u, R%u\n    SVEND\n"
    "after:\n    IADD R3, R3, 1\n    ISETP.LT P0, R3, %u\n    @P0 BRA again\n    STG.32 [R5], R4\n    EXIT\n";

static bool measure_rows(struct bench_device *b, uint32_t registers, uint32_t shared, struct bench_figures *f) {
    const struct ppu_config *config = b->config;
    const uint32_t threads = 3 * config->warps * config->threads * config->sms, x = registers - 1, y = registers - 2;
    static uint32_t in[64], expected[THREADS_ALL_MAX];
    uint32_t random = 6;
    char text[TEXT_SIZE];
    tandem_addr from, to;
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {config->threads}};
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
    snprintf(text, sizeof text, rows_text, registers, shared, x, y, x, x, x, y, x, y, (unsigned)TURNS);
    for (uint32_t t = 0; t < config->threads; t++)
        in[t] = bench_random(&random);
    for (uint32_t t = 0; t < threads; t++) {
        const uint32_t value = in[t % config->threads];
        expected[t] = 0;
        for (uint32_t k = 0; k < TURNS; k++) {
            const uint32_t product = value * k + expected[t];
            expected[t] = (value ^ product) + product;
        }
    }
    return bench_assemble(b, "rows", text) && bench_buffer(b, config->threads, in, &from) &&
           bench_buffer(b, threads, NULL, &to) && bench_launch(b, "rows", &range, arguments, 2, f) &&
           bench_compare(b, "rows", to, expected, threads);
}

static bool rows_at(const struct ppu_config *config, const char *latency) {
    const uint32_t portions = config->threads / config->lanes, file = config->vgpr_rows / portions;
    const uint32_t registers = least(file * 5 / 4 / config->warps, 255), shared = registers / 2, sms = config->sms;
    struct bench_device b;
    struct bench_figures first = {0}, second = {0}, with = {0};
    char keys[32];
    snprintf(keys, sizeof keys, ",latency=%s", latency);
    bool good = bench_open(&b, "rtl", config, keys);
    if (good) tandem_reg_write(b.device, REG_SV_ORDER, 1);
    good = good && measure_rows(&b, registers, 0, &first);
    if (good) tandem_reg_write(b.device, REG_SV_ORDER, 2);
    good = good && measure_rows(&b, registers, 0, &second) && measure_rows(&b, registers, shared, &with);
    good = bench_close(&b) && good;
    if (!good) return false;
    printf("  %-6s %8s %9u %6u  %2u of %2u %9llu  %2u of %2u %9llu  %2u of %2u %9llu   x %.2f   x %.2f\n", config->name,
           latency, registers, shared, first.resident / sms, config->warps, (unsigned long long)first.cycles,
           second.resident / sms, config->warps, (unsigned long long)second.cycles, with.resident / sms, config->warps,
           (unsigned long long)with.cycles, (double)with.resident / second.resident,
           (double)with.cycles / (double)second.cycles);
    return true;
}

// Memory latency in cycles: the one of all other figures, and a long one.
static const char *const latencies[] = {"12", "100"};
enum { LATENCIES = sizeof latencies / sizeof *latencies };

bool bench_rows(const struct ppu_config *config) {
    printf("  %-6s %8s %9s %6s  %18s  %18s  %18s   %s\n", "", "latency", "registers", "shared", "first: warps, cycles",
           "second, none shared", "second, shared", "these two: warps, cycles");
    for (size_t k = 0; k < LATENCIES; k++)
        if (!rows_at(config, latencies[k])) return false;
    return true;
}

// ---- orders ----
// Each portion goes several times through a piece of memory of its own, three quarters of the cache long, in a
// sequence: in the first order all portions' pieces are in use at once, in the second one at a time. Pieces are a line
// apart, so that they do not all begin in the same set.
enum { SWEEPS = 6, SEQUENCES = 2, LINE = 32, UNROLLED = 8 };

static const char orders_text[] =
    ".kernel orders\n.arg global in\n.arg global out\n.registers 24\n"
    "    S2R R0, SR_TID_X\n    S2R R1, SR_CTAID_X\n    S2R R2, SR_NTID_X\n    IMAD R3, R1, R2, R0\n"
    "    LDC.32 R4, c[0][64]\n    LDC.32 R5, c[0][68]\n    SHL R3, R3, 2\n    IADD R5, R5, R3\n"
    "    SHR R6, R0, %u\n    IMUL R6, R6, %u\n    AND R7, R0, %u\n    SHL R7, R7, 2\n    IADD R6, R6, R7\n"
    "    IADD R4, R4, R6              // the thread's first word\n    MOV R8, 0\n    MOV R9, %u\n"
    "sequence:\n    SVSTART%s after\n    MOV R10, %u\n"
    "sweep:\n    MOV R11, R4\n    MOV R12, %u\n"
    "words:\n%s    ISUB R12, R12, 1\n    ISETP.NE P0, R12, 0\n    @P0 BRA words\n"
    "    ISUB R10, R10, 1\n    ISETP.NE P0, R10, 0\n    @P0 BRA sweep\n    SVEND\n"
    "after:\n    ISUB R9, R9, 1\n    ISETP.NE P0, R9, 0\n    @P0 BRA sequence\n    STG.32 [R5], R8\n    EXIT\n";

static bool measure_order(struct bench_device *b, uint32_t order, struct bench_figures *f) {
    const struct ppu_config *config = b->config;
    const uint32_t portions = config->threads / config->lanes, threads = config->threads * config->sms;
    const uint32_t piece = config->l1_lines * 3 / 4 * LINE, pitch = piece + LINE, step = 4 * config->lanes;
    const uint32_t steps = piece / step, words = portions * pitch / 4;
    static uint32_t in[1 << 14], expected[64 * 2];
    uint32_t random = 5, shift = 0;
    char text[TEXT_SIZE], words_text[TEXT_SIZE / 2];
    size_t length = 0;
    tandem_addr from, to;
    while (1u << shift < config->lanes)
        shift++;
    for (uint32_t k = 0; k < words; k++)
        in[k] = bench_random(&random);
    for (uint32_t t = 0; t < threads; t++) {
        const uint32_t *at = &in[t % config->threads / config->lanes * pitch / 4 + t % config->lanes];
        expected[t] = 0;
        for (uint32_t k = 0; k < steps; k++)
            expected[t] += SEQUENCES * SWEEPS * at[k * config->lanes];
    }
    for (uint32_t k = 0; k < UNROLLED; k++)
        length += (size_t)snprintf(words_text + length, sizeof words_text - length, "    LDG.32 R%u, [R11 + %u]\n",
                                   13 + k, k * step);
    for (uint32_t k = 0; k < UNROLLED; k++)
        length += (size_t)snprintf(words_text + length, sizeof words_text - length, "    IADD R8, R8, R%u\n", 13 + k);
    snprintf(words_text + length, sizeof words_text - length, "    IADD R11, R11, %u\n", UNROLLED * step);
    snprintf(text, sizeof text, orders_text, shift, pitch, config->lanes - 1, (unsigned)SEQUENCES,
             order == 0 ? ".AUTO" : "", (unsigned)SWEEPS, steps / UNROLLED, words_text);
    tandem_reg_write(b->device, REG_SV_ORDER, order);
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {config->threads}};
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
    return bench_assemble(b, "orders", text) && bench_buffer(b, words, in, &from) &&
           bench_buffer(b, threads, NULL, &to) && bench_launch(b, "orders", &range, arguments, 2, f) &&
           bench_compare(b, "orders", to, expected, threads);
}

static bool orders_at(const struct ppu_config *config, const char *latency) {
    static const char *const names[3] = {"by miss rate", "first", "second"};
    struct bench_figures f[3] = {{0}};
    struct bench_device b;
    char keys[32];
    snprintf(keys, sizeof keys, ",latency=%s", latency);
    bool good = bench_open(&b, "rtl", config, keys);
    for (uint32_t order = 1; order <= 3 && good; order++)  // forced into the first, the second; by the program: AUTO
        good = measure_order(&b, order % 3, &f[order % 3]);
    good = bench_close(&b) && good;
    for (uint32_t k = 1; k <= 3 && good; k++) {
        const struct bench_figures *to = &f[k % 3];
        printf("  %-6s %8s %-13s %8llu %8llu %6.1f %% %9llu   x %.2f    x %.2f\n", config->name, latency, names[k % 3],
               (unsigned long long)(to->hits + to->misses), (unsigned long long)to->misses,
               100 * (double)to->misses / (double)(to->hits + to->misses), (unsigned long long)to->cycles,
               (double)to->misses / (double)f[1].misses, (double)to->cycles / (double)f[1].cycles);
    }
    return good;
}

bool bench_orders(const struct ppu_config *config) {
    printf("  %-6s %8s %-13s %8s %8s %8s %9s   %s\n", "", "latency", "order", "reads", "misses", "rate", "cycles",
           "misses, cycles of first");
    for (size_t k = 0; k < LATENCIES; k++)
        if (!orders_at(config, latencies[k])) return false;
    return true;
}
