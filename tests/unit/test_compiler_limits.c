// What there is room for, and one step beyond it: the first runs right, the second is refused with one line. And front
// ends and libraries that do not do what they should.
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa/code_object.h"
#include "kernel_runner.h"

enum { TEXT_MAX = 8192 };

static void one_line(const struct compiler_result *result, const char *part) {
    cr_assert_not_null(result->messages);
    cr_assert_not_null(strstr(result->messages, part), "'%s' is not in:\n%.2000s", part, result->messages);
    const char *end = strchr(result->messages, '\n');
    cr_assert(end != NULL && end[1] == '\0', "more than a line:\n%.2000s", result->messages);
    cr_assert_null(result->elf);
}

// Refused with one line that has this part.
static void refused(const char *source, const struct compiler_options *options, const char *part) {
    struct compiler_result result;
    cr_assert(!compiler_compile(source, strlen(source), "limit.cl", options, &result), "compiled, but must not");
    one_line(&result, part);
    compiler_result_free(&result);
}

static void compiles(const char *source) {
    struct compiler_result result;
    cr_assert(compiler_compile(source, strlen(source), "limit.cl", NULL, &result), "%.2000s", result.messages);
    compiler_result_free(&result);
}

// An array of so many bytes in each work-group, used from its first to its last word.
static void local_array(char source[TEXT_MAX], unsigned bytes, const char *more) {
    snprintf(source, TEXT_MAX,
             "__kernel void f(__global const uint *a, __global uint *b) {\n"
             "    __local uint t[%u];\n    uint i = get_global_id(0);\n    t[i] = t[i + %u] = a[i];\n"
             "    barrier(CLK_LOCAL_MEM_FENCE);\n    b[i] = t[%u - i] + t[31 - i];\n%s}\n",
             bytes / 4, bytes / 4 - 32, bytes / 4 - 1, more);
}
Test(compiler_limits, local_memory, .description = "local memory as large as a device's, and beyond [model]") {
    static const char *const devices[] = {"model:nano", "model:small", "model:full"};
    static const unsigned sizes[] = {4096, 16384, 65536};
    char source[TEXT_MAX];
    uint32_t in[32], out[32];
    for (unsigned k = 0; k < 3; k++) {
        struct runner runner;
        for (uint32_t i = 0; i < 32; i++)
            in[i] = i * 77 + k;
        local_array(source, sizes[k], "");
        runner_open_text(&runner, devices[k], source, NULL);
        const tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof out);
        const struct tandem_range range = {.dimensions = 1, .global = {32}, .local = {32}};
        const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
        runner_launch(&runner, "f", &range, arguments, 2);
        runner_read(&runner, to, out, sizeof out);
        for (uint32_t i = 0; i < 32; i++)
            cr_assert_eq(out[i], 2 * in[31 - i], "%s, item %u: %08x", devices[k], i, out[i]);
        runner_close(&runner);
    }
    local_array(source, 65536 + 4, "");
    refused(source, NULL, "too much local memory: 'f.t' takes 65540 bytes");
    local_array(source, 65536,
                "    __local uchar c[2];\n    c[i & 1u] = (uchar)i;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    b[i] += "
                "c[~i & 1u];\n");
    refused(source, NULL, "too much local memory");
}

static void private_array(char source[TEXT_MAX], unsigned bytes) {
    snprintf(source, TEXT_MAX,
             "__kernel void f(__global const uint *a, __global uint *b) {\n    uchar t[%u];\n"
             "    for (uint k = 0; k < %uu; k++) t[k] = (uchar)a[k & 63u];\n    b[0] = t[a[0]];\n}\n",
             bytes, bytes);
}
Test(compiler_limits, private_memory, .description = "private memory of a mebibyte, and beyond") {
    char source[TEXT_MAX];
    private_array(source, 1 << 20);
    compiles(source);
    private_array(source, (1 << 20) + 1);
    refused(source, NULL, "too much private memory: with this variable of 1048577 bytes");
}

// As many bytes of arguments, the first two of them pointers; the last one's last byte counts.
enum { ARGUMENT_AREA = 65536 - LAUNCH_ARGUMENTS };  // of 64 KiB of constant buffer 0
static void argument_bytes(char source[TEXT_MAX], unsigned bytes) {
    snprintf(source, TEXT_MAX,
             "struct s { uchar t[%u]; };\n"
             "__kernel void f(__global uint *a, __global uint *b, struct s c) {\n    b[0] = c.t[%u] + a[0];\n}\n",
             bytes - 8, bytes - 9);
}
Test(compiler_limits, argument_area,
     .description = "as many bytes of arguments as there is room for, and beyond [model]") {
    static unsigned char bytes[ARGUMENT_AREA - 8];
    char source[TEXT_MAX];
    struct runner runner;
    const uint32_t in = 1000;
    uint32_t out;
    bytes[sizeof bytes - 1] = 77;
    argument_bytes(source, ARGUMENT_AREA);
    runner_open_text(&runner, "model:small", source, NULL);
    const tandem_addr from = runner_buffer(&runner, &in, sizeof in), to = runner_buffer(&runner, NULL, sizeof out);
    const struct tandem_range range = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {bytes, sizeof bytes}};
    runner_launch(&runner, "f", &range, arguments, 3);
    runner_read(&runner, to, &out, sizeof out);
    cr_assert_eq(out, 1077, "%u", out);
    runner_close(&runner);
    argument_bytes(source, ARGUMENT_AREA + 1);
    refused(source, NULL, "the arguments of kernel f take more than 65472 bytes");
}

enum { ARGUMENTS = 64 };
Test(compiler_limits, arguments, .description = "64 arguments of several sizes, each in its place [model]") {
    char source[TEXT_MAX];
    int at = 0;
    struct tandem_argument arguments[ARGUMENTS + 1];
    uint64_t values[ARGUMENTS];
    uint32_t expected[ARGUMENTS] = {0}, got[ARGUMENTS];
    struct runner runner;
    static const char *const types[] = {"uchar", "uint", "ushort", "ulong"};
    static const unsigned sizes[] = {1, 4, 2, 8};
    at += snprintf(source + at, sizeof source - (size_t)at, "__kernel void f(__global uint *to");
    for (unsigned k = 1; k < ARGUMENTS; k++)
        at += snprintf(source + at, sizeof source - (size_t)at, ", %s v%u", types[k % 4], k);
    at += snprintf(source + at, sizeof source - (size_t)at, ") {\n");
    for (unsigned k = 1; k < ARGUMENTS; k++) {
        at += snprintf(source + at, sizeof source - (size_t)at,
                       "to[%u] = (uint)(v%u * 3u) + (uint)((ulong)v%u >> 32);\n", k, k, k);
        values[k] = (k * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - 8 * sizes[k % 4]);
        expected[k] = (uint32_t)(values[k] * 3) + (uint32_t)(values[k] >> 32);
        arguments[k] = (struct tandem_argument){&values[k], sizes[k % 4]};
    }
    (void)snprintf(source + at, sizeof source - (size_t)at, "}\n");
    runner_open_text(&runner, "model:small", source, NULL);
    const tandem_addr to = runner_buffer(&runner, NULL, sizeof got);
    const struct tandem_range range = {.dimensions = 1, .global = {1}, .local = {1}};
    arguments[0] = (struct tandem_argument){&to, 4};
    runner_launch(&runner, "f", &range, arguments, ARGUMENTS);
    runner_read(&runner, to, got, sizeof got);
    for (unsigned k = 1; k < ARGUMENTS; k++)
        cr_expect_eq(got[k], expected[k], "argument %u: %08x, expected %08x", k, got[k], expected[k]);
    runner_close(&runner);
}

// Front ends that do not do what they should: scripts in a file of their own.
static void with_front_end(const char *script, unsigned seconds, const char *part) {
    char path[] = "/tmp/front-end-XXXXXX";
    const int file = mkstemp(path);
    cr_assert(file >= 0 && fchmod(file, 0700) == 0);
    cr_assert_eq(dprintf(file, "#!/bin/sh\n%s\n", script), (int)strlen(script) + 11);
    cr_assert_eq(close(file), 0);
    const struct compiler_options options = {.clang = path, .time_limit = seconds};
    refused("__kernel void f(__global int *a) { a[0] = 1; }\n", &options, part);
    cr_assert_eq(unlink(path), 0);
}
Test(compiler_limits, front_ends, .description = "a front end that crashes, hangs or talks nonsense is one line") {
    with_front_end("kill -SEGV $$", 20, "the front end died of signal 11");
    with_front_end("cat > /dev/null; exit 3", 20, "the front end failed with status 3");
    with_front_end("exit 0", 20, "the front end produced nothing");
    with_front_end("cat > /dev/null; echo nonsense", 20, "reading the front end's output");
    with_front_end("head -c 2000000 /dev/zero >&2", 20, "the front end's output is too long (over 1048576 bytes)");
    with_front_end("exec sleep 1000", 1, "the front end stood still for 1 s and was stopped");
    with_front_end("exec 1>&- 2>&-; sleep 1000", 1, "the front end stood still for 1 s and was stopped");
    with_front_end("sleep 1000 & sleep 1000", 1, "the front end stood still for 1 s and was stopped");
    with_front_end("while true; do true; done", 1,
                   "the compilation took longer than 1 s of processor time and was stopped");
    with_front_end("echo 'LLVM ERROR: out of memory' >&2; echo 'Stack dump:' >&2; exit 134", 20,
                   "limit.cl: error: out of memory while the front end was running");
    with_front_end("printf 'PLEASE submit\\nStack dump:\\n0.\\tArguments\\n1.\\tin the middle\\n' >&2; exit 139", 20,
                   "the front end broke down: in the middle");
    // The compiler's own process, which started it.
    with_front_end("kill -KILL $PPID", 20, "killed from outside, perhaps for want of memory");
    with_front_end("kill -ABRT $PPID; sleep 1000", 20, "the compiler died of signal 6");
}

// fmax(fmax(x, y), f(x, y)) is one that LLVM 19 dies over, whatever f is (ir/float_minimums.h).
#define DEADLY(x, y, z) \
    fmaxf(fmaxf(x, y), fmaf(x, y, z)), fminf(fmaf(y, x, z), fminf(x, y)), fmaxf(copysignf(x, y), fmaxf(y, x))
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT_OF_ALL(...) TEXT_OF(__VA_ARGS__)
static const char deadly[] =
    "#define fmaxf fmax\n#define fminf fmin\n#define fmaf fma\n#define copysignf copysign\n"
    "__kernel void f(__global const float *a, __global float *b) {\n"
    "    float got[] = {" TEXT_OF_ALL(DEADLY(a[0], a[1], a[2])) "};\n"
    "    for (uint k = 0; k < 3; k++) b[k] = got[k];\n"
    "}\n"
    "__kernel void choice(__global const float *a, __global float *b) {\n"
    "    float m = a[0] > a[1] ? a[0] : a[1], other = fma(a[0], a[1], a[2]);\n"
    "    b[0] = m > other ? m : other;\n"
    "}\n";
Test(compiler_limits, llvm_dies,
     .description =
         "what LLVM would die over, or get wrong, is compiled: minima beside functions of the same arguments [model]") {
    static const float in[][3] = {{1.5f, -2.25f, 0.5f}, {-0.5f, -0.75f, 3.0f}, {7.0f, 0.1f, -9.0f}};
    const struct tandem_range range = {.dimensions = 1, .global = {1}, .local = {1}};
    for (unsigned k = 0; k < 3; k++) {
        const float expected[] = {DEADLY(in[k][0], in[k][1], in[k][2])};
        float got[3];
        struct runner runner;
        runner_open_text(&runner, "model:nano", deadly, NULL);
        const tandem_addr from = runner_buffer(&runner, in[k], sizeof in[k]),
                          to = runner_buffer(&runner, NULL, sizeof got);
        const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
        runner_launch(&runner, "f", &range, arguments, 2);
        runner_read(&runner, to, got, sizeof got);
        cr_expect_arr_eq(got, expected, sizeof got, "%u: %g %g %g, expected %g %g %g", k, (double)got[0],
                         (double)got[1], (double)got[2], (double)expected[0], (double)expected[1], (double)expected[2]);
        runner_close(&runner);
    }
}
Test(compiler_limits, llvm_dies_fast,
     .description = "the same where there are no NaNs, and LLVM makes minima of choices") {
    static const char *const arguments[] = {"-cl-fast-relaxed-math", NULL};
    const struct compiler_options fast = {.arguments = arguments};
    struct compiler_result result;
    cr_assert(compiler_compile(deadly, strlen(deadly), "limit.cl", &fast, &result), "%.2000s", result.messages);
    compiler_result_free(&result);
}

Test(compiler_limits, no_front_end, .description = "no clang-19 on PATH is said by name") {
    cr_assert_eq(setenv("PATH", "/nowhere", 1), 0);
    refused("__kernel void f(__global int *a) { a[0] = 1; }\n", NULL,
            "cannot run the front end 'clang-19': No such file");
}

static void with_library(const char *path, const char *part) {
    const struct compiler_options options = {.libclc = path};
    refused("__kernel void f(__global int *a) { a[0] = (int)clz((uint)a[1]); }\n", &options, part);
}
Test(compiler_limits, libraries, .description = "an OpenCL library that is none, damaged or a folder") {
    static unsigned char bytes[200000];
    char path[] = "/tmp/library-XXXXXX";
    with_library("tests", "cannot read the OpenCL library tests");
    with_library("/dev/null", "/dev/null is no bitcode");
    with_library("README.md", "README.md is no bitcode");
    FILE *from = fopen("/usr/lib/clc/nvptx--.bc", "rb");
    const int file = mkstemp(path);
    cr_assert(from != NULL && file >= 0);
    cr_assert_eq(fread(bytes, 1, sizeof bytes, from), sizeof bytes);
    cr_assert_eq(write(file, bytes, sizeof bytes), (ssize_t)sizeof bytes);
    with_library(path, path);  // cut off
    cr_assert_eq(fclose(from), 0);
    cr_assert_eq(close(file), 0);
    cr_assert_eq(unlink(path), 0);
}

Test(compiler_limits, no_files, .description = "no descriptors left for pipes: one line, in whichever process") {
    const char *source = "__kernel void f(__global int *a) { a[0] = 1; }\n";
    struct rlimit before;
    unsigned refusals = 0;
    bool good = false;
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    const int next = dup(STDERR_FILENO);
    cr_assert(next >= 0 && close(next) == 0);
    for (rlim_t most = (rlim_t)next; !good && most < (rlim_t)next + 40; most++) {
        struct compiler_result result;
        const struct rlimit few = {most, before.rlim_max};
        cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
        good = compiler_compile(source, strlen(source), "limit.cl", NULL, &result);
        cr_assert_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
        if (!good) one_line(&result, "error");
        refusals += !good;
        compiler_result_free(&result);
    }
    cr_assert(good && refusals >= 4, "%u refused", refusals);
}
