// What a lock costs that the threads of a work-group take in turn: OpenCL C (the compiler's YIELD each time round) and
// assembly with the three kinds of YIELD.
#include <stdio.h>
#include <string.h>

#include "sm_bench.h"

enum { THREADS_MAX = 64, SHARED_WORDS = 1024, ROUNDS = 2 };

// Arguments: shared (lock, counter), out, rounds. out[thread]: how often it was inside.
static const char spin_text[] =
    ".kernel spin_lock\n.arg global shared\n.arg global out\n.arg value rounds 4\n.registers 12\n"
    "    S2R R0, SR_TID_X\n    SHL R0, R0, 2\n    LDC.32 R1, c[0][64]\n    LDC.32 R2, c[0][68]\n    IADD R2, R2, R0\n"
    "    LDC.32 R3, c[0][72]\n    MOV R4, 0\n    MOV R6, 1\n"
    "take:\n    ATOMG.CAS R7, [R1], RZ, R6\n    ISETP.EQ P0, R7, 0\n    @P0 BRA inside\n    %s\n    BRA take\n"
    "inside:\n    LDG.32 R8, [R1 + 4]\n    IADD R8, R8, 1\n    STG.32 [R1 + 4], R8\n    IADD R4, R4, 1\n    MEMBAR\n"
    "    ATOMG.XCHG RZ, [R1], RZ\n    ISUB R3, R3, 1\n    ISETP.NE P1, R3, 0\n    @P1 BRA take\n    STG.32 [R2], R4\n"
    "    EXIT\n";

static const struct lock {
    const char *name, *kernel, *yield;  // yield NULL: OpenCL C
} locks[] = {
    {"spin lock, OpenCL C", "spin_lock", NULL},
    {"ticket lock, OpenCL C", "ticket_lock", NULL},
    {"spin lock, YIELD", "spin_lock", "YIELD"},
    {"the same, YIELD.NTH 4", "spin_lock", "YIELD.NTH 4"},
    {"the same, YIELD.RANDOM 1/2", "spin_lock", "YIELD.RANDOM 32768"},
};
static const uint32_t sizes[] = {2, 4, 8, 16, 32, 64};
enum { SIZES = sizeof sizes / sizeof *sizes };

static bool load(struct bench_device *b, const struct lock *lock) {
    char text[2048];
    if (lock->yield == NULL) return bench_compile(b, "tests/kernels/progress.cl", NULL);
    snprintf(text, sizeof text, spin_text, lock->yield);
    return bench_assemble(b, lock->name, text);
}

static bool measure(struct bench_device *b, const struct lock *lock, uint32_t threads, double *cycles) {
    const uint32_t rounds = ROUNDS, all = threads * rounds;
    const bool ticket = strcmp(lock->kernel, "ticket_lock") == 0;
    uint32_t inside[THREADS_MAX];
    tandem_addr shared, out;
    struct bench_figures f;
    const struct tandem_argument arguments[] = {{&shared, 4}, {&out, 4}, {&rounds, 4}};
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    const uint32_t state[3] = {ticket ? all : 0, all, ticket ? all : 0};
    for (uint32_t k = 0; k < threads; k++)
        inside[k] = rounds;
    if (!bench_buffer(b, SHARED_WORDS, NULL, &shared) || !bench_buffer(b, THREADS_MAX, NULL, &out) ||
        !bench_launch(b, lock->kernel, &range, arguments, 3, &f) || !bench_compare(b, lock->name, shared, state, 3) ||
        (!ticket && !bench_compare(b, lock->name, out, inside, threads)))
        return false;
    *cycles = (double)f.cycles / all;
    return true;
}

bool bench_locks(const struct ppu_config *config) {
    struct bench_device b;
    bool good = bench_open(&b, "rtl", config, "");
    printf("  %-6s %-27s", "", "cycles a lock; threads:");
    for (size_t s = 0; s < SIZES; s++)
        printf(" %8u", sizes[s]);
    printf("  thousand locks/s at 2, 64 (%u ns a cycle)\n", config->ns_per_cycle);
    for (size_t k = 0; k < sizeof locks / sizeof *locks && good; k++) {
        double cycles[SIZES];
        good = load(&b, &locks[k]);
        printf("  %-6s %-27s", config->name, locks[k].name);
        for (size_t s = 0; s < SIZES && good; s++) {
            good = measure(&b, &locks[k], sizes[s], &cycles[s]);
            if (good) printf(" %8.0f", cycles[s]);
            fflush(stdout);
        }
        if (good)
            printf("  %.1f, %.1f\n", 1e6 / (cycles[0] * config->ns_per_cycle),
                   1e6 / (cycles[SIZES - 1] * config->ns_per_cycle));
    }
    return bench_close(&b) && good;
}
