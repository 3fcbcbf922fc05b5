// What the compiler makes of kernels (`make bench-compiler`): instructions, registers, spills, cycles; how long it
// takes; and how fast the C model runs that, beside other OpenCL implementations. Figures, never a verdict; but all
// must leave the same words in the output, or the line says so.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/text_file.h"
#include "compiler/compiler.h"
#include "opinion/opinion.h"
#include "sm_bench.h"

static const char help[] =
    "usage: compiler-bench [--config nano|small|full] [--times N] FILE.cl...\n"
    "       compiler-bench other [--times N] FILE.cl...\n"
    "For each kernel (__global const T *in, __global T *out, uint n) of each FILE, 128 work-items in groups of 32: "
    "words of\n"
    "code, vector registers, bytes spilled, instructions of warps, cycles on rtl: (config, default nano); milliseconds "
    "of a\n"
    "launch on the C model, on the OpenCL implementation that the ICD loader finds, and in Oclgrind when it is "
    "installed.\n"
    "For each FILE: processor time of compiling it, and per thousand instructions of LLVM IR.\n"
    "  --times N   launches that are timed and averaged (default 20)\n"
    "  other       what the program starts for the others: only their milliseconds, a line `FILE KERNEL MS HASH` "
    "each\n";

enum { ITEMS = 128, GROUP = 32, IN_WORDS = 1024, OUT_WORDS = ITEMS * 128, KERNELS_MAX = 64, PATH_SIZE = 1024 };

struct session {
    const struct ppu_config *config;
    unsigned times;
    uint32_t in[IN_WORDS], out[OUT_WORDS];
    char self[PATH_SIZE];
};

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Of this process and of the children that have ended: the compiler works in one.
static double processor_seconds(void) {
    double sum = seconds(CLOCK_PROCESS_CPUTIME_ID);
    struct rusage children;
    getrusage(RUSAGE_CHILDREN, &children);
    sum += (double)children.ru_utime.tv_sec + 1e-6 * (double)children.ru_utime.tv_usec;
    return sum + (double)children.ru_stime.tv_sec + 1e-6 * (double)children.ru_stime.tv_usec;
}

static uint32_t hash_of(const uint32_t *words, size_t count) {
    uint32_t hash = 2166136261u;
    for (size_t k = 0; k < count; k++)
        hash = (hash ^ words[k]) * 16777619u;
    return hash;
}

static bool fits(const struct code_kernel *kernel) {
    const struct code_argument *a = kernel->arguments;
    return kernel->argument_count == 3 && a[0].kind != ARG_VALUE && a[0].kind != ARG_LOCAL && a[1].kind == ARG_GLOBAL &&
           a[2].kind == ARG_VALUE && a[2].size == 4 && strcmp(a[2].name, "n") == 0;
}

// Lines of LLVM's text that are instructions: those that begin with two spaces, but for parts of a switch.
static size_t ir_instructions(const char *ir) {
    size_t count = 0;
    for (const char *line = ir; line != NULL && *line != '\0';) {
        if (strncmp(line, "  ", 2) == 0 && line[2] != ' ' && line[2] != ']') count++;
        line = strchr(line, '\n');
        if (line != NULL) line++;
    }
    return count;
}

// ---- others ----

static bool time_other(struct session *s, struct other *other, const char *path) {
    char error[4096] = "";
    struct compiler_result result = {0};
    struct code_object object;
    char *text = text_file_read(path);
    if (text == NULL) fprintf(stderr, "compiler-bench: cannot read %s\n", path);
    bool good = text != NULL && compiler_compile_file(path, NULL, &result) &&
                code_object_read(result.elf, result.elf_size, &object, error, sizeof error);
    struct other_program *program = good ? other_build(other, text, "", error, sizeof error) : NULL;
    for (size_t k = 0; program != NULL && k < object.kernel_count; k++) {
        const struct code_kernel *kernel = &object.kernels[k];
        if (!fits(kernel)) continue;
        const struct opinion_job job = {kernel->name, 1,        {ITEMS, 1, 1}, {GROUP, 1, 1}, 0,
                                        s->in,        IN_WORDS, s->out,        OUT_WORDS,     IN_WORDS};
        if (!other_run(program, &job, error, sizeof error)) {  // builds what is built late
            fprintf(stderr, "compiler-bench: %s: %s: %s\n", path, kernel->name, error);
            continue;
        }
        const double started = seconds(CLOCK_MONOTONIC);
        for (unsigned t = 0; t < s->times; t++)
            (void)other_run(program, &job, error, sizeof error);
        printf("%s %s %.4f %08x\n", path, kernel->name, 1e3 * (seconds(CLOCK_MONOTONIC) - started) / s->times,
               hash_of(s->out, OUT_WORDS));
    }
    if (program == NULL) fprintf(stderr, "compiler-bench: %s: %s\n", path, error);
    other_free(program);
    if (good) code_object_free(&object);
    compiler_result_free(&result);
    free(text);
    return program != NULL;
}

static int others(struct session *s, char **files, int count) {
    char error[512];
    struct other *other = other_open(error, sizeof error);
    if (other == NULL) {
        fprintf(stderr, "compiler-bench: %s\n", error);
        return 2;
    }
    bool good = true;
    for (int f = 0; f < count; f++)
        good = time_other(s, other, files[f]) && good;
    other_close(other);
    return good ? 0 : 1;
}

struct timing {
    char kernel[128];
    double ms;
    uint32_t hash;
};

// Asks `other` of this program for one file, under a wrapper ("oclgrind ") or none. The number of timings.
static size_t ask(const struct session *s, const char *wrapper, const char *path, struct timing *to) {
    char command[2 * PATH_SIZE + 128], line[PATH_SIZE + 256];
    size_t count = 0;
    snprintf(command, sizeof command, "%s'%s' other --times %u '%s' 2>/dev/null", wrapper, s->self, s->times, path);
    FILE *pipe = popen(command, "r");
    while (pipe != NULL && count < KERNELS_MAX && fgets(line, sizeof line, pipe) != NULL)
        if (sscanf(line, "%*s %127s %lf %x", to[count].kernel, &to[count].ms, &to[count].hash) == 3) count++;
    if (pipe != NULL) (void)pclose(pipe);
    return count;
}

static void print_timing(const struct timing *timings, size_t count, const char *kernel, uint32_t hash) {
    for (size_t k = 0; k < count; k++) {
        if (strcmp(timings[k].kernel, kernel) != 0) continue;
        printf(" %9.3f%s", timings[k].ms, timings[k].hash == hash ? " " : "*");
        return;
    }
    printf(" %9s ", "-");
}

// ---- ours ----

static bool run_on(struct session *s, const char *backend, const char *path, const char *kernel, unsigned times,
                   struct bench_figures *figures, double *ms) {
    struct bench_device b;
    const struct tandem_range range = {.dimensions = 1, .global = {ITEMS}, .local = {GROUP}};
    const uint32_t n = IN_WORDS;
    tandem_addr in = 0, out = 0;
    bool good = bench_open(&b, backend, s->config, ",mem=8") && bench_compile(&b, path, NULL) &&
                bench_buffer(&b, IN_WORDS, s->in, &in) && bench_buffer(&b, OUT_WORDS, NULL, &out);
    const struct tandem_argument arguments[] = {{&in, 4}, {&out, 4}, {&n, 4}};
    const double started = seconds(CLOCK_MONOTONIC);
    for (unsigned t = 0; t < times && good; t++)
        good = bench_launch(&b, kernel, &range, arguments, 3, figures);
    *ms = 1e3 * (seconds(CLOCK_MONOTONIC) - started) / times;
    if (good) good = tandem_read(b.device, out, s->out, sizeof s->out) == TANDEM_OK;
    return bench_close(&b) && good;
}

static bool measure_file(struct session *s, const char *path) {
    static struct timing first[KERNELS_MAX], grind[KERNELS_MAX];
    const struct compiler_options options = {.keep_ir = true};
    struct compiler_result result;
    struct code_object object;
    char error[512] = "";
    const double started = processor_seconds();
    if (!compiler_compile_file(path, &options, &result) ||
        !code_object_read(result.elf, result.elf_size, &object, error, sizeof error)) {
        fprintf(stderr, "compiler-bench: %s\n", result.messages != NULL && *error == '\0' ? result.messages : error);
        compiler_result_free(&result);
        return false;
    }
    const double spent = processor_seconds() - started;
    const size_t ir = ir_instructions(result.ir);
    printf("%s: %.0f ms of processor time, %zu instructions of IR, %.0f ms a thousand\n", path, 1e3 * spent, ir,
           ir > 0 ? 1e6 * spent / (double)ir : 0);
    const size_t others_count = ask(s, "", path, first);
    const size_t grind_count = ask(s, "oclgrind ", path, grind);
    bool good = true;
    for (size_t k = 0; k < object.kernel_count; k++) {
        const struct code_kernel *kernel = &object.kernels[k];
        struct bench_figures rtl, model;
        double ms = 0, unused = 0;
        if (!fits(kernel)) continue;
        if (!run_on(s, "rtl", path, kernel->name, 1, &rtl, &unused) ||
            !run_on(s, "model", path, kernel->name, s->times, &model, &ms)) {
            good = false;
            continue;
        }
        const uint32_t hash = hash_of(s->out, OUT_WORDS);
        printf("  %-26s %6u %5u %6u %9llu %10llu %9.3f ", kernel->name, kernel->code_size / 8, kernel->registers,
               kernel->spill_bytes, (unsigned long long)rtl.instructions, (unsigned long long)rtl.cycles, ms);
        print_timing(first, others_count, kernel->name, hash);
        print_timing(grind, grind_count, kernel->name, hash);
        printf("\n");
        fflush(stdout);
    }
    code_object_free(&object);
    compiler_result_free(&result);
    return good;
}

static int usage(const char *what, const char *expected) {
    fprintf(stderr, "compiler-bench: %s: %s; see --help\n", what, expected);
    return 2;
}

int main(int argc, char **argv) {
    static struct session s = {.times = 20};
    int at = 1, failed = 0;
    const bool other = argc > 1 && strcmp(argv[1], "other") == 0;
    s.config = ppu_config_find("nano");
    for (at += other; at < argc && argv[at][0] == '-'; at += 2) {
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            fputs(help, stdout);
            return 0;
        }
        if (at + 1 == argc) return usage(argv[at], "an option without its value, or no option");
        if (strcmp(argv[at], "--config") == 0) {
            s.config = ppu_config_find(argv[at + 1]);
            if (s.config == NULL) return usage(argv[at + 1], "no such configuration");
        } else if (strcmp(argv[at], "--times") == 0) {
            char *end;
            const unsigned long times = strtoul(argv[at + 1], &end, 10);
            if (*end != '\0' || times < 1 || times > 100000) return usage(argv[at + 1], "--times needs 1 to 100000");
            s.times = (unsigned)times;
        } else {
            return usage(argv[at], "no option");
        }
    }
    if (at >= argc) return usage("nothing to do", "name a file of kernels");
    const ssize_t length = readlink("/proc/self/exe", s.self, sizeof s.self - 1);
    if (length < 0) return usage("/proc/self/exe", "cannot be read");
    for (uint32_t k = 0, state = 1; k < IN_WORDS; k++)
        s.in[k] = bench_random(&state) >> (k % 4 * 6);
    if (other) return others(&s, argv + at, argc - at);
    printf(
        "on rtl:%s and model:%s; * behind a time: other words in the output (floats may differ)\n"
        "  %-26s %6s %5s %6s %9s %10s %9s  %9s  %9s\n",
        s.config->name, s.config->name, "kernel", "words", "VGPRs", "spill", "warp ins.", "cycles", "model ms",
        "other ms", "Oclgrind");
    for (; at < argc; at++)
        failed += !measure_file(&s, argv[at]);
    return failed > 0 ? 1 : 0;
}
