// The kernels that the compiler and the multiprocessor are measured by (`make bench-kernels`): cycles, and the part of
// the lanes' cycles, or of the memory port's, that is work the result needs; each compiled and written by hand. Figures,
// never a verdict; but results are compared.
#include "kernel_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/text_file.h"
#include "demo/ride.h"
#include "isa/assembler.h"
#include "rtl_device.h"

static const char help[] =
    "usage: kernel-bench [--config pico|nano|small|full] [--latency N] [--n N] [--markdown] [KERNEL...]\n"
    "On rtl: of each configuration (or one), for each kernel of the set (or those whose names begin so), compiled and\n"
    "by hand (tests/bench/hand): cycles of a launch with cold caches, instructions of warps, words of code, "
    "registers.\n"
    "useful: of the cycles of all lanes, those that are operations the result needs; for what streams (port), of the\n"
    "bytes that the memory port could have moved, those that had to be (the simulated memory holds each channel back\n"
    "in a tenth of the cycles; what it offers counts). Last: compiled cycles by those by hand.\n"
    "  --latency N  mean memory latency in cycles (default 12)\n"
    "  --n N        edge of the matrices of sgemm, a multiple of 32 up to 512 (default 64)\n"
    "  --markdown   the table of tests/bench/README.md: compiled / by hand\n";

enum { DEMO_SAMPLES = 8192 };

struct bench {
    const struct ppu_config *only;
    unsigned latency, n;
    bool markdown;
    char *const *names;
    int name_count;
    double log_sum[PPU_CONFIG_COUNT], worst[PPU_CONFIG_COUNT];  // of compiled cycles by those by hand
    unsigned compared[PPU_CONFIG_COUNT];
    uint64_t words[PPU_CONFIG_COUNT];    // of all kernels, compiled
    uint64_t beside[PPU_CONFIG_COUNT];   // of those that are there by hand too
    uint64_t by_hand[PPU_CONFIG_COUNT];  // of these
};

struct outcome {
    bool there;
    uint64_t cycles, instructions;
    uint32_t words, registers;
    double useful;  // share
};

// Processor time of all compiles until now.
static double compile_seconds(void) {
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

static bool code_of(const struct kernel_job *job, const void *elf, size_t size, struct outcome *to) {
    struct code_object object;
    char error[256];
    if (!code_object_read(elf, size, &object, error, sizeof error)) {
        fprintf(stderr, "kernel-bench: %s: %s\n", job->name, error);
        return false;
    }
    for (size_t k = 0; k < object.kernel_count; k++) {
        if (strcmp(object.kernels[k].name, job->kernel) != 0) continue;
        to->words = object.kernels[k].code_size / 8;
        to->registers = object.kernels[k].registers;
    }
    code_object_free(&object);
    return true;
}

static bool load_compiled(const struct kernel_job *job, struct kernel_run *run, struct outcome *to) {
    char options[64];
    const struct ppu_config *config = run->device.config;
    snprintf(options, sizeof options, "-DTILE=%u -DROWS=%u", kernel_tile(config), kernel_rows(config));
    const struct compiler_options chosen = {.clang_options = options, .subvector.target = config->name};
    struct compiler_result result;
    bool good = compiler_compile_file(job->file, &chosen, &result);
    if (!good) fprintf(stderr, "kernel-bench: run it in the project's folder: %s", result.messages);
    good = good && code_of(job, result.elf, result.elf_size, to) &&
           bench_load(&run->device, job->name, result.elf, result.elf_size);
    compiler_result_free(&result);
    return good;
}

// False without a message: there is none.
static bool load_by_hand(const struct kernel_job *job, struct kernel_run *run, struct outcome *to, bool *there) {
    const struct ppu_config *config = run->device.config;
    char path[128];
    snprintf(path, sizeof path, "tests/bench/hand/%s_%s.s", job->kernel, config->name);
    char *text = text_file_read(path);
    snprintf(path, sizeof path, "tests/bench/hand/%s.s", job->kernel);
    if (text == NULL) text = text_file_read(path);
    *there = text != NULL;
    if (text == NULL) return true;
    struct code_object object;
    char error[512];
    void *elf = NULL;
    size_t size = 0;
    bool good = assemble(text, strlen(text), path, &object, error, sizeof error);
    if (good) {
        good = code_object_write(&object, &elf, &size, error, sizeof error);
        code_object_free(&object);
    }
    if (!good) fprintf(stderr, "kernel-bench: %s\n", error);
    good = good && code_of(job, elf, size, to) && bench_load(&run->device, job->name, elf, size);
    free(elf);
    free(text);
    return good;
}

static bool measure(const struct bench *bench, const struct kernel_job *job, const struct ppu_config *config,
                    bool by_hand, struct outcome *to) {
    struct kernel_run run = {.kernel = job->kernel, .n = bench->n};
    char keys[32];
    snprintf(keys, sizeof keys, ",latency=%u", bench->latency);
    *to = (struct outcome){.there = true};
    bool good = bench_open(&run.device, "rtl", config, keys);
    good = good && (by_hand ? load_by_hand(job, &run, to, &to->there) : load_compiled(job, &run, to));
    if (good && to->there) {
        good = job->run(&run);
        to->cycles = run.figures.cycles;
        to->instructions = run.figures.instructions;
        const double offered = (100 - RTL_BACKPRESSURE) / 100.0 * config->axi_data_w / 8;
        const double each = job->floor == FLOOR_PORT ? offered : (double)config->lanes * config->sms;
        to->useful = run.useful / each / (double)to->cycles;
    }
    if (!good)
        fprintf(stderr, "kernel-bench: %s: %s, %s: no figures\n", config->name, job->name,
                by_hand ? "by hand" : "compiled");
    return bench_close(&run.device) && good;
}

static void print_outcome(const struct kernel_job *job, const struct ppu_config *config, const struct outcome *o,
                          const struct outcome *hand, bool by_hand) {
    printf("  %-6s %-16s %-8s %9llu %8llu %6u %5u", config->name, by_hand ? "" : job->name,
           by_hand ? "by hand" : "compiled", (unsigned long long)o->cycles, (unsigned long long)o->instructions,
           o->words, o->registers);
    if (job->floor == FLOOR_NONE) {
        printf("       -      ");
    } else {
        printf(" %6.1f %% %-5s", 100 * o->useful, job->floor == FLOOR_PORT ? "port" : "lanes");
    }
    if (!by_hand && hand->there) printf(" x %.2f", (double)o->cycles / (double)hand->cycles);
    printf("\n");
    fflush(stdout);
}

static void print_markdown(const struct kernel_job *job, const struct outcome *compiled, const struct outcome *hand) {
    printf(" %llu", (unsigned long long)compiled->cycles);
    if (hand->there) printf(" / %llu", (unsigned long long)hand->cycles);
    if (job->floor != FLOOR_NONE) printf(", %.1f %%", 100 * compiled->useful);
    if (hand->there && job->floor != FLOOR_NONE) printf(" / %.1f %%", 100 * hand->useful);
    printf(" |");
}

static bool one(struct bench *bench, const struct kernel_job *job, const struct ppu_config *config) {
    const size_t c = (size_t)(config - ppu_configs);
    struct outcome compiled, hand;
    if (!measure(bench, job, config, false, &compiled) || !measure(bench, job, config, true, &hand)) return false;
    bench->words[c] += compiled.words;
    if (hand.there) {
        bench->beside[c] += compiled.words;
        bench->by_hand[c] += hand.words;
        const double factor = (double)compiled.cycles / (double)hand.cycles;
        bench->log_sum[c] += log(factor);
        bench->worst[c] = fmax(bench->worst[c], factor);
        bench->compared[c]++;
    }
    if (bench->markdown) {
        print_markdown(job, &compiled, &hand);
        return true;
    }
    print_outcome(job, config, &compiled, &hand, false);
    if (hand.there) print_outcome(job, config, &hand, &hand, true);
    return true;
}

static bool asked(const struct bench *bench, const char *name) {
    for (int k = 0; k < bench->name_count; k++)
        if (strncmp(name, bench->names[k], strlen(bench->names[k])) == 0) return true;
    return bench->name_count == 0;
}

// The three kernels of the demo, with what the host does between them.
static bool demo(const struct bench *bench, const struct ppu_config *config) {
    static uint8_t in[DEMO_SAMPLES], out[DEMO_SAMPLES], expected[DEMO_SAMPLES];
    uint32_t random = 4;
    struct ride ride = {0};
    struct tandem_statistics s;
    char name[64];
    for (uint32_t k = 0; k < DEMO_SAMPLES; k++)
        in[k] = (uint8_t)(40 + k * 100 / DEMO_SAMPLES + (bench_random(&random) & 15u));
    equalize_plainly(in, expected, DEMO_SAMPLES);
    snprintf(name, sizeof name, "rtl:%s,latency=%u", config->name, bench->latency);
    bool good = ride_begin(&ride, name, "tests/kernels") && ride_equalize(&ride, in, out, DEMO_SAMPLES);
    good = ride_end(&ride, &s) && good;
    if (good && memcmp(out, expected, DEMO_SAMPLES) != 0) {
        fprintf(stderr, "kernel-bench: %s: the demo: wrong result\n", config->name);
        return false;
    }
    if (!good) return false;
    if (bench->markdown) {
        printf(" %llu |", (unsigned long long)s.cycles);
    } else {
        printf("  %-6s %-16s %-8s %9llu %8llu\n", config->name, "the demo", "compiled", (unsigned long long)s.cycles,
               (unsigned long long)s.warp_instructions);
    }
    return true;
}

// That it is asked for by name, or that none is and it is built.
static bool measured(const struct bench *bench, unsigned config) {
    return bench->only != NULL ? bench->only == &ppu_configs[config] : rtl_ops_find(ppu_config_names[config]) != NULL;
}

static bool row(struct bench *bench, const struct kernel_job *job, const char *name) {
    if (!asked(bench, name)) return true;
    if (bench->markdown) printf("| %s |", name);
    for (unsigned c = 0; c < PPU_CONFIG_COUNT; c++) {
        if (!measured(bench, c)) continue;
        if (!(job != NULL ? one(bench, job, &ppu_configs[c]) : demo(bench, &ppu_configs[c]))) return false;
    }
    if (bench->markdown) printf("\n");
    fflush(stdout);
    return true;
}

static void print_head(const struct bench *bench) {
    if (!bench->markdown) {
        printf("memory latency %u\n  %-6s %-16s %-8s %9s %8s %6s %5s %9s\n", bench->latency, "", "kernel", "", "cycles",
               "instr.", "words", "VGPRs", "useful");
        return;
    }
    printf("| kernel, latency %u |", bench->latency);
    for (unsigned c = 0; c < PPU_CONFIG_COUNT; c++)
        if (measured(bench, c)) printf(" %s |", ppu_configs[c].name);
    printf("\n|---|");
    for (unsigned c = 0; c < PPU_CONFIG_COUNT; c++)
        if (measured(bench, c)) printf("---|");
    printf("\n");
}

static void print_foot(const struct bench *bench, double seconds) {
    if (bench->markdown) printf("| compiled by hand: geometric mean, worst |");
    for (unsigned c = 0; c < PPU_CONFIG_COUNT; c++) {
        if (bench->compared[c] == 0) continue;
        const double mean = exp(bench->log_sum[c] / bench->compared[c]);
        if (bench->markdown) printf(" x %.2f, x %.2f |", mean, bench->worst[c]);
        if (!bench->markdown)
            printf("  %-6s compiled by hand: geometric mean x %.2f, worst x %.2f\n", ppu_configs[c].name, mean,
                   bench->worst[c]);
    }
    if (bench->markdown) printf("\n| words of code: all compiled; compiled / by hand |");
    for (unsigned c = 0; c < PPU_CONFIG_COUNT; c++) {
        if (bench->words[c] == 0) continue;
        const unsigned long long all = bench->words[c], beside = bench->beside[c], by_hand = bench->by_hand[c];
        if (bench->markdown) printf(" %llu; %llu / %llu |", all, beside, by_hand);
        if (!bench->markdown)
            printf("  %-6s words of code: all compiled %llu; compiled %llu, by hand %llu\n", ppu_configs[c].name, all,
                   beside, by_hand);
    }
    printf("%s%.2f s of processor time for compiling\n", bench->markdown ? "\n\n" : "  ", seconds);
}

static bool number(const char *text, unsigned long least, unsigned long most, unsigned *to) {
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < least || value > most) return false;
    *to = (unsigned)value;
    return true;
}

static int usage(const char *what, const char *expected) {
    fprintf(stderr, "kernel-bench: %s: %s; see --help\n", what, expected);
    return 2;
}

int main(int argc, char **argv) {
    struct bench bench = {.latency = 12};
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            fputs(help, stdout);
            return 0;
        }
        if (strcmp(argv[at], "--markdown") == 0) {
            bench.markdown = true;
            continue;
        }
        const char *value = at + 1 < argc ? argv[at + 1] : "";
        if (strcmp(argv[at], "--config") == 0) {
            bench.only = ppu_config_find(value);
            if (bench.only == NULL) return usage(value, "no such configuration");
        } else if (strcmp(argv[at], "--latency") == 0) {
            if (!number(value, 1, 10000, &bench.latency)) return usage(value, "--latency needs 1 to 10000");
        } else if (strcmp(argv[at], "--n") == 0) {
            if (!number(value, 32, 512, &bench.n) || bench.n % 32 != 0)
                return usage(value, "--n needs a multiple of 32 up to 512");
        } else {
            return usage(argv[at], "no option");
        }
        at++;
    }
    bench.names = argv + at;
    bench.name_count = argc - at;
    print_head(&bench);
    bool good = true;
    const double before = compile_seconds();
    for (size_t k = 0; k < kernel_job_count; k++)
        good = row(&bench, &kernel_jobs[k], kernel_jobs[k].name) && good;
    good = row(&bench, NULL, "the demo") && good;
    print_foot(&bench, compile_seconds() - before);
    return good ? 0 : 1;
}
