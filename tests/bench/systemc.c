// `make bench-systemc`: what the SystemC platform costs beside the plain path. Figures, never a verdict; but results are
// compared.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sm_bench.h"

static const char help[] =
    "usage: systemc-bench [CONFIGURATION [ITEMS]]\n"
    "Speed of a loop of arithmetic and memory, ITEMS work-items (256) on CONFIGURATION (nano): on model:, rtl:, "
    "tandem: "
    "and\n"
    "in the SystemC platform with the same cores, processor time; and what the link moves a second.\n";

static const char kernel[] =
    ".kernel loop\n.registers 8\n.arg global out\n    S2R R0, SR_CTAID_X\n    S2R R1, SR_NTID_X\n    S2R R2, SR_TID_X\n"
    "    IMUL R0, R0, R1\n    IADD R0, R0, R2\n    LDC.32 R3, c[0][RZ + 0x40]\n    SHL R4, R0, 2\n    IADD R3, R3, R4\n"
    "    MOV R5, 0\nagain:\n    LDG.32 R6, [R3]\n    IMUL R6, R6, 5\n    IADD R6, R6, R0\n    STG.32 [R3], R6\n"
    "    IADD R5, R5, 1\n    ISETP.LT P0, R5, 64\n    @P0 BRA again\n    EXIT\n";

enum { TURNS = 64, LINK_BYTES = 1 << 18 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct speed {
    double run, moved;  // seconds of the launch, and of LINK_BYTES there and back
    uint64_t cycles, threads;
};

static bool measure(const struct ppu_config *config, const char *backend, const char *keys, uint32_t items,
                    struct speed *speed) {
    struct bench_device bench;
    struct bench_figures figures;
    tandem_addr out = 0, block = 0;
    uint32_t *expected = calloc(items, sizeof *expected);
    uint8_t *bytes = calloc(2, LINK_BYTES);
    bool good = expected != NULL && bytes != NULL && bench_open(&bench, backend, config, keys);
    if (!good) {
        free(expected);
        free(bytes);
        return false;
    }
    for (uint32_t i = 0; i < items; i++) {
        for (uint32_t turn = 0; turn < TURNS; turn++)
            expected[i] = expected[i] * 5 + i;
    }
    const struct tandem_range range = {.dimensions = 1, .global = {items, 1, 1}, .local = {64, 1, 1}};
    const struct tandem_argument argument = {.data = &out, .size = sizeof out};
    good = bench_assemble(&bench, "loop", kernel) && bench_buffer(&bench, items, NULL, &out) &&
           bench_buffer(&bench, LINK_BYTES / 4, NULL, &block);
    double start = seconds();
    good = good && bench_launch(&bench, "loop", &range, &argument, 1, &figures);
    speed->run = seconds() - start;
    good = good && bench_compare(&bench, "loop", out, expected, items);
    for (uint32_t i = 0; i < LINK_BYTES; i++)
        bytes[i] = (uint8_t)(i * 31 >> 3);
    start = seconds();
    good = good && tandem_write(bench.device, block, bytes, LINK_BYTES) == TANDEM_OK &&
           tandem_read(bench.device, block, bytes + LINK_BYTES, LINK_BYTES) == TANDEM_OK;
    speed->moved = seconds() - start;
    if (good && memcmp(bytes, bytes + LINK_BYTES, LINK_BYTES) != 0) {
        fprintf(stderr, "systemc-bench: what was written is not what is read\n");
        good = false;
    }
    if (good) {
        speed->cycles = figures.cycles;
        speed->threads = figures.threads;
    }
    good = bench_close(&bench) && good;
    free(expected);
    free(bytes);
    return good;
}

int main(int argc, char **argv) {
    static const struct {
        const char *backend, *keys;
    } devices[] = {
        {"model", ""},
        {"systemc", ",core=model"},
        {"systemc", ",core=model,quantum=10"},
        {"systemc", ",core=model,quantum=1"},
        {"systemc", ",core=model,link=1000,link_errors=10000"},
        {"rtl", ""},
        {"systemc", ",core=rtl"},
        {"systemc", ",core=rtl,link=1000,link_errors=10000"},
        {"tandem", ""},
        {"systemc", ",core=tandem"},
    };
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return 0;
    }
    const struct ppu_config *config = ppu_config_find(argc > 1 ? argv[1] : "nano");
    char *end = NULL;
    const unsigned long items = argc > 2 ? strtoul(argv[2], &end, 10) : 256;
    if (config == NULL || argc > 3 || (end != NULL && *end != '\0') || items == 0 || items > 65536 || items % 64 != 0) {
        fprintf(stderr, "systemc-bench: CONFIGURATION nano, small or full; ITEMS a multiple of 64 up to 65536\n");
        return 2;
    }
    printf("%-58s %12s %12s %14s %16s\n", "", "cycles", "ms", "1000 cycles/s", "1000 threads-in./s");
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        struct speed speed;
        char name[80];
        if (!measure(config, devices[i].backend, devices[i].keys, (uint32_t)items, &speed)) return 1;
        snprintf(name, sizeof name, "%s:%s%s", devices[i].backend, config->name, devices[i].keys);
        printf("%-58s %12llu %12.1f %14.0f %16.0f   %.1f MB/s\n", name, (unsigned long long)speed.cycles,
               1e3 * speed.run, (double)speed.cycles / speed.run / 1e3, (double)speed.threads / speed.run / 1e3,
               2.0 * LINK_BYTES / speed.moved / 1e6);
    }
    return 0;
}
