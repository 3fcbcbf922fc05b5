// How fast the C model is alone, the quick way (cmodel/sm/native.h) and instruction by instruction: the demo's kernels,
// arithmetic of integers and of floats, and threads that wait for a lock. Both ways must end with the same memory,
// instructions and steps.
#include <stdio.h>
#include <string.h>

#include "demo/ride.h"
#include "processor_time.h"
#include "sm_bench.h"

enum { SAMPLES = 320 * 240, TIMES = 20, RUNS = 3, TURNS = 60000, LOCKS = 300, WAYS = 2 };

// A loop of nine instructions; R4 is stored, so that the ways can be compared.
static const char loop_text[] =
    ".kernel work\n.arg global out\n.registers 12\n"
    "    S2R R9, SR_TID_X\n    SHL R9, R9, 2\n    LDC.32 R10, c[0][64]\n    IADD R10, R10, R9\n    MOV R0, %u\n%s"
    "loop:\n%s"
    "    ISUB R0, R0, 1\n    ISETP.NE P0, R0, 0\n    @P0 BRA loop\n    STG.32 [R10], R4\n    EXIT\n";

static const struct work {
    const char *name, *before, *turn;
} works[] = {
    {"integers", "",
     "    IMAD R1, R1, R0, R2\n    IADD R2, R1, 7\n    XOR R3, R2, R1\n    SHL R4, R3, 3\n    IADD R5, R4, R5\n    "
     "IMIN R6, "
     "R5, R4\n"},
    {"floats", "    I2F.RTE R1, R9\n    MOV R2, 0x3F000000\n    MOV R3, 0x3F800000\n",
     "    FFMA R4, R1, R2, R3\n    FMUL R5, R4, R2\n    FADD R6, R5, R3\n    FFMA R1, R6, R2, R3\n    FADD R4, R4, R5\n"
     "    FMUL R7, R6, R4\n"},
};

static void print(const struct ppu_config *config, const char *what, const double speed[WAYS]) {
    printf("  %-6s %-9s %8.1f million thread-instructions/s, one by one %7.1f\n", config->name, what, speed[0] * 1e-6,
           speed[1] * 1e-6);
}

static bool demo(const struct ppu_config *config) {
    static uint8_t in[SAMPLES], out[SAMPLES], expected[SAMPLES];
    double speed[WAYS] = {0, 0};
    uint64_t instructions[WAYS] = {0, 0}, steps[WAYS] = {0, 0};
    uint32_t random = 1;
    for (size_t k = 0; k < SAMPLES; k++)
        in[k] = (uint8_t)(40 + 100 * (k % 320) / 320 + (bench_random(&random) & 15u));
    equalize_plainly(in, expected, SAMPLES);
    for (unsigned run = 0; run < RUNS * WAYS; run++) {
        const unsigned way = run % WAYS;
        struct ride ride = {0};
        struct tandem_statistics s;
        char name[64];
        snprintf(name, sizeof name, "model:%s,native=%u", config->name, 1 - way);
        bool good = ride_begin(&ride, name, "tests/kernels");
        const double begin = processor_time();
        for (unsigned k = 0; k < TIMES && good; k++) {
            good = ride_equalize(&ride, in, out, SAMPLES);
            if (good && memcmp(out, expected, SAMPLES) != 0) {
                fprintf(stderr, "sm-bench: %s: the demo: wrong result\n", name);
                good = false;
            }
        }
        const double seconds = processor_time() - begin;
        if (!ride_end(&ride, &s) || !good) return false;
        if ((double)s.thread_instructions / seconds > speed[way]) speed[way] = (double)s.thread_instructions / seconds;
        instructions[way] = s.thread_instructions;
        steps[way] = s.cycles;
    }
    if (instructions[0] != instructions[1] || steps[0] != steps[1]) {
        fprintf(stderr, "sm-bench: %s: the demo: %llu thread-instructions, one by one %llu\n", config->name,
                (unsigned long long)instructions[0], (unsigned long long)instructions[1]);
        return false;
    }
    print(config, "demo", speed);
    return true;
}

struct measured {
    struct bench_figures figures;
    double seconds;
    uint32_t out[1024];
};

static bool measure(struct bench_device *b, const char *kernel, const struct tandem_range *range,
                    const struct tandem_argument *arguments, size_t count, tandem_addr out, struct measured *to) {
    to->seconds = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        const double begin = processor_time();
        if (!bench_launch(b, kernel, range, arguments, count, &to->figures)) return false;
        const double seconds = processor_time() - begin;
        if (run == 0 || seconds < to->seconds) to->seconds = seconds;
    }
    return tandem_read(b->device, out, to->out, sizeof to->out) == TANDEM_OK;
}

static bool same(const struct ppu_config *config, const char *what, const struct measured *m) {
    if (m[0].figures.threads == m[1].figures.threads && m[0].figures.instructions == m[1].figures.instructions &&
        m[0].figures.cycles == m[1].figures.cycles && memcmp(m[0].out, m[1].out, sizeof m[0].out) == 0)
        return true;
    fprintf(stderr, "sm-bench: %s: %s: not the same both ways\n", config->name, what);
    return false;
}

static bool arithmetic(const struct ppu_config *config, const struct work *work) {
    static struct measured m[WAYS];
    double speed[WAYS];
    for (unsigned way = 0; way < WAYS; way++) {
        struct bench_device b;
        char text[1024];
        tandem_addr out;
        const struct tandem_argument arguments[] = {{&out, 4}};
        const struct tandem_range range = {
            .dimensions = 1, .global = {config->threads * 2}, .local = {config->threads}};
        snprintf(text, sizeof text, loop_text, TURNS, work->before, work->turn);
        bool good = bench_open(&b, "model", config, way == 0 ? "" : ",native=0") &&
                    bench_assemble(&b, work->name, text) && bench_buffer(&b, 1024, NULL, &out) &&
                    measure(&b, "work", &range, arguments, 1, out, &m[way]);
        good = bench_close(&b) && good;
        if (!good) return false;
        speed[way] = (double)m[way].figures.threads / m[way].seconds;
    }
    print(config, work->name, speed);
    return same(config, work->name, m);
}

// Threads of all warps take a lock in turn.
static bool lock(const struct ppu_config *config) {
    static struct measured m[WAYS];
    for (unsigned way = 0; way < WAYS; way++) {
        struct bench_device b;
        const uint32_t rounds = LOCKS / config->warps, threads = config->warps;
        tandem_addr shared, out;
        const struct tandem_argument arguments[] = {{&shared, 4}, {&out, 4}, {&rounds, 4}};
        const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {1}};
        bool good = bench_open(&b, "model", config, way == 0 ? "" : ",native=0") &&
                    bench_compile(&b, "tests/kernels/progress.cl", NULL) && bench_buffer(&b, 1024, NULL, &shared) &&
                    bench_buffer(&b, 1024, NULL, &out);
        for (unsigned run = 0; run < RUNS && good; run++) {
            const uint32_t zeros[3] = {0};
            good = tandem_write(b.device, shared, zeros, sizeof zeros) == TANDEM_OK &&
                   measure(&b, "spin_lock", &range, arguments, 3, out, &m[way]);
        }
        good = bench_close(&b) && good;
        if (!good) return false;
    }
    const double taken = LOCKS - LOCKS % config->warps;
    printf("  %-6s %-9s %8.1f instructions of warps for a lock taken, %.2f us; one by one %.2f us\n", config->name,
           "lock", (double)m[0].figures.instructions / taken, m[0].seconds * 1e6 / taken, m[1].seconds * 1e6 / taken);
    return same(config, "lock", m);
}

bool bench_model(const struct ppu_config *config) {
    for (size_t k = 0; k < sizeof works / sizeof *works; k++)
        if (!arithmetic(config, &works[k])) return false;
    return lock(config) && demo(config);
}
