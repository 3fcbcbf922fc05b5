// What a generic access costs whose threads go to shared and to global memory, beside two guarded instructions that do the same.
#include <stdio.h>

#include "gen/isa.h"
#include "sm_bench.h"

enum { TURNS = 64, THREADS_MOST = 64 * 16 * 2 };

// Each thread has a word in shared memory and one in global memory, both its number at first; even ones use the former, odd ones the latter.
#define BEGIN(name)                                                                                              \
    ".kernel " name                                                                                              \
    "\n.registers 16\n.shared_bytes 256\n.arg global in\n.arg global out\n.arg value turns\n"                    \
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    LDC.32 R3, c[0][RZ + 0x48]\n"           \
    "    S2R R0, SR_TID_X\n    S2R R4, SR_CTAID_X\n    S2R R5, SR_NTID_X\n    IMAD R10, R4, R5, R0\n"            \
    "    SHL R4, R0, 2\n    STS.32 [R4], R10\n    SHL R5, R10, 2\n    IADD R2, R2, R5\n    IADD R5, R5, R1\n"    \
    "    AND R6, R0, 1\n    ISETP.EQ P0, R6, 1\n    MOV R6, R5\n    @!P0 OR R6, R4, 0xFE000000\n    MOV R8, 0\n" \
    "    MOV R9, 1\n    ISETP.EQ P1, R3, 0\n    @P1 BRA end_" name "\nturn_" name ":\n"
#define END(name)                                                                                           \
    "    IADD R8, R8, R7\n    ISUB R3, R3, 1\n    ISETP.NE P1, R3, 0\n    @P1 BRA turn_" name "\nend_" name \
    ":\n    STG.32 [R2], R8\n    EXIT\n"

static const char program[] = BEGIN("load_guarded") "    @!P0 LDS.32 R7, [R4]\n    @P0 LDG.32 R7, [R5]\n" END(
    "load_guarded") BEGIN("load_generic") "    LD.32 R7, [R6]\n" END("load_generic")
    BEGIN("atomic_guarded") "    @!P0 ATOMS.ADD R7, [R4], R9\n    @P0 ATOMG.ADD R7, [R5], R9\n" END("atomic_guarded")
        BEGIN("atomic_generic") "    ATOM.ADD R7, [R6], R9\n" END("atomic_generic");

static bool measure(struct bench_device *b, const char *kernel, uint32_t threads, uint32_t warp, bool atomic,
                    double *cycles) {
    static uint32_t in[THREADS_MOST], expected[THREADS_MOST];
    struct bench_figures f[2];
    for (uint32_t many = 0; many < 2; many++) {
        const uint32_t turns = many != 0 ? TURNS : 0;
        tandem_addr from, to;
        for (uint32_t k = 0; k < threads; k++) {
            in[k] = k;
            expected[k] = turns * k + (atomic && turns != 0 ? turns * (turns - 1) / 2 : 0);
        }
        const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {warp}};
        const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&turns, 4}};
        if (!bench_buffer(b, threads, in, &from) || !bench_buffer(b, threads, NULL, &to) ||
            !bench_launch(b, kernel, &range, arguments, 3, &f[many]) ||
            !bench_compare(b, kernel, to, expected, threads))
            return false;
    }
    *cycles = (double)(f[1].cycles - f[0].cycles) / TURNS;
    return true;
}

bool bench_generic(const struct ppu_config *config) {
    static const char *const kernels[2][2] = {{"load_guarded", "load_generic"}, {"atomic_guarded", "atomic_generic"}};
    printf("  %-6s %-8s %6s %26s %8s\n", "", "", "warps", "cycles a turn: guarded", "generic");
    for (uint32_t atomic = 0; atomic < 2; atomic++)
        for (uint32_t all = 0; all < 2; all++) {
            const uint32_t warps = config->sms * (all != 0 ? config->warps : 1);
            double cycles[2] = {0};
            struct bench_device b;
            bool good = bench_open(&b, "rtl", config, "") && bench_assemble(&b, "generic", program);
            // The first launch warms the caches up.
            for (uint32_t way = 0; way < 4 && good; way++)
                good = measure(&b, kernels[atomic][way % 2], warps * config->threads, config->threads, atomic != 0,
                               &cycles[way % 2]);
            good = bench_close(&b) && good;
            if (!good) return false;
            printf("  %-6s %-8s %6u %26.1f %8.1f x %.2f\n", config->name, atomic != 0 ? "atomics" : "loads",
                   warps / config->sms, cycles[0], cycles[1], cycles[1] / cycles[0]);
        }
    return true;
}
