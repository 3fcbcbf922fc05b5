// Which segments the compiler finds, what it decides about them, and what it says.
#include <criterion/criterion.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "gen/config.h"

static struct compiler_result compile(const char *source, const struct subvector_options *subvector) {
    const struct compiler_options options = {.subvector = *subvector};
    struct compiler_result result;
    cr_assert(compiler_compile(source, strlen(source), "k.cl", &options, &result), "%s", result.messages);
    return result;
}

// Every pattern matches a line, in this order; other lines may stand between.
static void expect_lines(const char *what, const char *text, const char *const *patterns, size_t count) {
    char *copy = strdup(text != NULL ? text : ""), *rest = copy;
    size_t found = 0;
    for (char *line = strsep(&rest, "\n"); line != NULL && found < count; line = strsep(&rest, "\n"))
        if (patterns[found] != NULL && fnmatch(patterns[found], line, 0) == 0) found++;
    while (found < count && patterns[found] == NULL)
        found++;
    cr_expect_eq(found, count, "%s: no line like \"%s\" in\n%s", what, found < count ? patterns[found] : "", text);
    free(copy);
}

#define BARRIER_IN_LOOP                                                                            \
    "kernel void k(global const float *a, global float *out, local float *t, uint n) {\n"          \
    "  uint g = get_global_id(0), l = get_local_id(0), size = get_local_size(0);\n"                \
    "  float s = 0;\n"                                                                             \
    "  for (uint r = 0; r < n; r++) {\n"                                                           \
    "    t[l] = a[g * n + r];\n"                                                                   \
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"                                                          \
    "    for (uint i = 0; i < size; i++) s += t[i] * t[(i + 1) % size] - t[(i * 3 + 1) % size];\n" \
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"                                                          \
    "  }\n"                                                                                        \
    "  out[g] = s;\n"                                                                              \
    "}\n"
#define TWO_LOOPS                                                                                 \
    "kernel void k(global const uint *a, global uint *out, uint n) {\n"                           \
    "  uint g = get_global_id(0), s = 0, p = 1;\n"                                                \
    "  for (uint i = 0; i < n; i++) s += a[g * n + i];\n"                                         \
    "  for (uint i = 0; i < n; i++) p = p * a[i * n + g] + a[i + s % n] * a[g + i] + a[g ^ i];\n" \
    "  out[g] = s ^ p;\n"                                                                         \
    "}\n"
#define LIST                                                       \
    "kernel void k(global const uint *next, global uint *out) {\n" \
    "  uint g = get_global_id(0), k = g, s = 0;\n"                 \
    "  while (k != 0) { s += k; k = next[k]; }\n"                  \
    "  out[g] = s;\n"                                              \
    "}\n"
#define CALLED                                                                       \
    "float f(float x, float y, float z) { return x * y + z * x * x + y * z + x; }\n" \
    "kernel void k(global const float *a, global float *out) {\n"                    \
    "  uint g = get_global_id(0);\n"                                                 \
    "  float r = f(a[g], a[g + 1], a[g + 2]);\n"                                     \
    "  out[g] = f(r + 1, r, a[g]);\n"                                                \
    "}\n"
#define STRAIGHT                                                                                \
    "kernel void k(global const float *a, global float *out) {\n"                               \
    "  uint g = get_global_id(0);\n"                                                            \
    "  global const float *p = a + g * 8;\n"                                                    \
    "  float b = p[0], c = p[1], d = p[2], e = p[3], f = p[4], h = p[5], i = p[6], j = p[7];\n" \
    "  out[g] = (b * j + c * i + d * h + e * f) * (b + c + d + e) * (f + h + i + j);\n"         \
    "}\n"

struct expected {
    const char *what, *source;
    struct subvector_options options;
    const char *lines[5];
};

#define WAY(w, c, t) \
    .way = SUBVECTOR_##w, .cut = CUT_##c, .threshold_kind = THRESHOLD_SET, .threshold = t, .all_segments = true

static const struct expected table[] = {
    {"two loops over the threshold",
     TWO_LOOPS,
     {WAY(INSTRUCTIONS, LOOPS, 1)},
     {"k.cl:3: kernel k, loop: needs * VGPRs, threshold 1: sub-vector order (instructions), * VGPRs shared, * rows "
      "saved",
      "k.cl:4: kernel k, loop: needs * threshold 1: sub-vector order (instructions), *",
      "k.cl: kernel k: * VGPRs, * of them shared: on small (4 portions) * rows a warp; *"}},
    {"loops under the threshold",
     TWO_LOOPS,
     {WAY(INSTRUCTIONS, LOOPS, 200)},
     {"k.cl:3: kernel k, loop: needs * threshold 200: regular order",
      "k.cl:4: kernel k, loop: needs * threshold 200: regular order", "k.cl: kernel k: * VGPRs, 0 of them shared: *"}},
    {"a barrier in the outer loop, the inner one is a segment",
     BARRIER_IN_LOOP,
     {WAY(INSTRUCTIONS, LOOPS, 4)},
     {"k.cl:4-8: kernel k, loop: * regular order: a barrier in it",
      "k.cl:7: kernel k, loop: * sub-vector order (instructions), *"}},
    {"the barrier itself",
     BARRIER_IN_LOOP,
     {WAY(LOOP, RUNS, 0)},
     {"k.cl:4-8: kernel k, loop: * regular order: a barrier in it", "*, run: * sub-vector order (loop over halves)*",
      "*, run: * regular order: a barrier in it", "*, run: * sub-vector order (loop over halves)*",
      "*, run: * regular order: a barrier in it"}},
    {"a loop that may wait",
     LIST,
     {WAY(INSTRUCTIONS, LOOPS, 0)},
     {"k.cl:3: kernel k, loop: * regular order: a loop without a bound in it may wait for other threads"}},
    {"called functions",
     CALLED,
     {WAY(COPIES, FUNCTIONS, 0)},
     {"k.cl:1: kernel k, function called in line 4: * sub-vector order (copies)*",
      "k.cl:1: kernel k, function called in line 5: * sub-vector order (copies)*"}},
    {"called functions in regular order, all else not",
     CALLED,
     {WAY(INSTRUCTIONS, FUNCTIONS, 250), .everywhere = true},
     {"*, run: * sub-vector order (instructions)*", "k.cl:1: kernel k, function called in line 4: * regular order",
      "*, run: * sub-vector order (instructions)*", "k.cl:1: kernel k, function called in line 5: * regular order",
      "*, run: * sub-vector order (instructions)*"}},
    {"loops in regular order, all else not",
     TWO_LOOPS,
     {WAY(INSTRUCTIONS, LOOPS, 250), .everywhere = true},
     {"* sub-vector order (instructions)*", "k.cl:3: kernel k, loop: * regular order", "*, loop: * regular order",
      "* sub-vector order (instructions)*"}},
    {"a run over the threshold between runs under it",
     STRAIGHT,
     {WAY(INSTRUCTIONS, PRESSURE, 6)},
     {"*, run: needs [3-6] VGPRs, threshold 6: regular order",
      "*, run: * threshold 6: sub-vector order (instructions)*",
      "*, run: needs [2-6] VGPRs, threshold 6: regular order"}},
    {"neighbours share a start and an end",
     TWO_LOOPS,
     {WAY(INSTRUCTIONS, RUNS, 0)},
     {"* sub-vector order (instructions), * VGPRs shared*",
      "* sub-vector order (instructions), together with the one before"}},
    {"by miss rate",
     TWO_LOOPS,
     {WAY(AUTO, LOOPS, 0)},
     {"*, loop: * sub-vector order (instructions, by miss rate), 0 VGPRs shared*"}},
};

Test(segment_report, table,
     .description = "SV-10 SV-13 SV-14 SV-15 SV-17 SV-18 segments of programs and what is said of them [text]") {
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct compiler_result result = compile(table[k].source, &table[k].options);
        expect_lines(table[k].what, result.segments, table[k].lines, 5);
        compiler_result_free(&result);
    }
}

Test(segment_report, calls,
     .description =
         "SV-22 SV-18 calls stay in a segment, except those that need the whole warp, and that is told [text]") {
    static const char source[] =
        "uint f(uint x) { return x * x + 1; }\n"
        "kernel void k(global uint *a) { a[0] = f(a[1]) + f(a[2]); }\n";
    static const char waits[] =
        "uint f(volatile global uint *a) { while (atomic_cmpxchg(a, 0, 1) != 0); return a[1]; }\n"
        "kernel void k(global uint *a) { a[0] = f(a + 2) + f(a + 4); }\n";
    const struct compiler_options options = {.calls = COMPILER_CALLS_ALWAYS,
                                             .subvector = {WAY(INSTRUCTIONS, PRESSURE, 0)}};
    struct compiler_result result;
    cr_assert(compiler_compile(source, strlen(source), "k.cl", &options, &result), "%s", result.messages);
    cr_expect_not_null(strstr(result.segments, ": sub-vector order (instructions)"), "%s", result.segments);
    cr_expect_null(strstr(result.segments, "a call in it"), "%s", result.segments);
    compiler_result_free(&result);
    cr_assert(compiler_compile(waits, strlen(waits), "k.cl", &options, &result), "%s", result.messages);
    cr_expect_not_null(strstr(result.segments, ": regular order: a call in it that needs the whole warp"), "%s",
                       result.segments);
    compiler_result_free(&result);
}

static struct code_kernel kernel_of(const struct compiler_result *result) {
    struct code_object object;
    char error[256];
    cr_assert(code_object_read(result->elf, result->elf_size, &object, error, sizeof error), "%s", error);
    struct code_kernel kernel = object.kernels[0];
    code_object_free(&object);
    return kernel;
}

static unsigned number_behind(const char *text, const char *words) {
    const char *at = text != NULL ? strstr(text, words) : NULL;
    cr_assert_not_null(at, "no \"%s\" in %s", words, text);
    return (unsigned)strtoul(at + strlen(words), NULL, 10);
}

// Without branches the lowest free register is enough, so what liveness counts is what allocation takes.
Test(segment_report, liveness,
     .description = "SV-11 registers that a segment needs: as many as its allocation takes [text]") {
    struct compiler_result plain = compile(STRAIGHT, &(struct subvector_options){.way = SUBVECTOR_OFF});
    cr_expect_null(plain.segments, "a report that nobody asked for");
    struct compiler_result result = compile(STRAIGHT, &(struct subvector_options){WAY(INSTRUCTIONS, PRESSURE, 6)});
    unsigned needed = number_behind(result.segments, "it needs at least ");
    cr_expect_eq(needed, kernel_of(&plain).registers, "%s", result.segments);
    compiler_result_free(&plain);
    compiler_result_free(&result);
}

Test(segment_report, shared_rows,
     .description = "SV-16 SV-17 what lives inside only is shared, and fewer rows are taken [text]") {
    struct compiler_result shared = compile(STRAIGHT, &(struct subvector_options){WAY(INSTRUCTIONS, PRESSURE, 5)});
    struct compiler_result own =
        compile(STRAIGHT, &(struct subvector_options){WAY(INSTRUCTIONS, PRESSURE, 5), .no_shared_rows = true});
    struct code_kernel with = kernel_of(&shared), without = kernel_of(&own);
    cr_expect_geq(with.shared_rows, 4, "%s", shared.segments);
    cr_expect_eq(with.shared_rows, number_behind(strstr(shared.segments, "kernel k: "), "VGPRs, "), "%s",
                 shared.segments);
    cr_expect_leq(with.registers - with.shared_rows, 6, "%u private", with.registers - with.shared_rows);
    cr_expect_eq(without.shared_rows, 0);
    compiler_result_free(&shared);
    compiler_result_free(&own);
}

Test(segment_report, cost,
     .description = "SV-22 segments that save no row, or let no more warps be resident, are left alone [text]") {
    struct subvector_options o = {WAY(INSTRUCTIONS, PRESSURE, 5)};
    struct compiler_result all = compile(STRAIGHT, &o);
    o.all_segments = false;
    struct compiler_result worth = compile(STRAIGHT, &o);
    cr_expect_gt(kernel_of(&all).shared_rows, 0);
    cr_expect_eq(kernel_of(&worth).shared_rows, 0);
    cr_expect_not_null(
        strstr(worth.segments, "regular order: the rows that it would save let no more warps be resident"), "%s",
        worth.segments);
    cr_expect_null(strstr(worth.segments, "sub-vector"), "%s", worth.segments);
    compiler_result_free(&all);
    compiler_result_free(&worth);
}

static unsigned threshold_with(const struct subvector_options *options) {
    struct compiler_result result = compile(STRAIGHT, options);
    unsigned threshold = number_behind(result.segments, "threshold ");
    compiler_result_free(&result);
    return threshold;
}

Test(segment_report, thresholds,
     .description = "SV-12 thresholds: fixed, a share of a lane's registers, set, computed [text]") {
    struct subvector_options o = {.way = SUBVECTOR_INSTRUCTIONS, .threshold_kind = THRESHOLD_FIXED};
    cr_expect_eq(threshold_with(&o), THRESHOLD_REGISTERS);
    o.threshold_kind = THRESHOLD_SET;
    o.threshold = 77;
    cr_expect_eq(threshold_with(&o), 77);
    o.threshold_kind = THRESHOLD_SHARE;
    o.threshold = 25;
    for (size_t k = 0; k < PPU_CONFIG_COUNT; k++) {
        const struct ppu_config *config = &ppu_configs[k];
        unsigned lane = config->vgpr_rows / (config->threads / config->lanes);
        o.target = config->name;
        cr_expect_eq(threshold_with(&o), (lane > 255 ? 255 : lane) / 4, "%s", config->name);
    }
    // Few registers: all warps are resident in regular order, and nothing has to change.
    o.threshold_kind = THRESHOLD_COMPUTED;
    o.target = "full";
    struct compiler_result result = compile(STRAIGHT, &o);
    cr_expect_eq(number_behind(result.segments, "threshold "), number_behind(result.segments, "it needs at least "));
    cr_expect_null(strstr(result.segments, "sub-vector"), "%s", result.segments);
    compiler_result_free(&result);
}

Test(segment_report, computed, .description = "SV-12 SV-16 the computed threshold lets all warps be resident [text]") {
    for (size_t k = 0; k < PPU_CONFIG_COUNT; k++) {
        const struct ppu_config *config = &ppu_configs[k];
        const unsigned portions = config->threads / config->lanes;
        const struct compiler_options options = {.clang_options = "-DVALUES=40",
                                                 .subvector = {.way = SUBVECTOR_INSTRUCTIONS, .target = config->name}};
        struct compiler_result result;
        cr_assert(compiler_compile_file("tests/kernels/segments.cl", &options, &result), "%s", result.messages);
        struct code_kernel kernel = kernel_of(&result);
        unsigned rows = (kernel.registers - kernel.shared_rows) * portions +
                        (kernel.shared_rows + portions - 1) / portions * portions;
        cr_expect_leq(rows * config->warps, config->vgpr_rows, "%s: %u rows a warp\n%s", config->name, rows,
                      result.segments);
        cr_expect_gt(number_behind(result.segments, "it needs at least ") * portions * config->warps, config->vgpr_rows,
                     "%s: they would be in regular order too", config->name);
        compiler_result_free(&result);
    }
}

Test(segment_report, options,
     .description = "SV-12 SV-14 SV-15 options from text, and values that there are not [text]") {
    static const char *const good[][2] = {
        {"way", "instructions"},  {"way", "auto"},        {"way", "copies"},         {"way", "loop"},
        {"way", "off"},           {"cut", "pressure"},    {"cut", "loop"},           {"cut", "function"},
        {"cut", "run"},           {"threshold", "0"},     {"threshold", "255"},      {"threshold", "1%"},
        {"threshold", "100%"},    {"threshold", "fixed"}, {"threshold", "computed"}, {"default", "regular"},
        {"default", "subvector"}, {"rows", "shared"},     {"rows", "private"},       {"target", "nano"},
        {"cost", "warps"},        {"cost", "none"}};
    static const char *const bad[][2] = {{"way", "both"},
                                         {"way", ""},
                                         {"cut", "block"},
                                         {"threshold", "256"},
                                         {"threshold", "-1"},
                                         {"threshold", "0%"},
                                         {"threshold", "101%"},
                                         {"threshold", "4x"},
                                         {"threshold", ""},
                                         {"threshold", "99999999999999999999"},
                                         {"default", "second"},
                                         {"rows", "some"},
                                         {"target", "huge"},
                                         {"speed", "1"},
                                         {"", ""}};
    struct subvector_options o = {0};
    const char *expected = "";
    for (size_t k = 0; k < sizeof good / sizeof *good; k++)
        cr_expect(subvector_set(&o, good[k][0], good[k][1], &expected), "%s %s: %s", good[k][0], good[k][1], expected);
    const struct subvector_options before = o;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        expected = "";
        cr_expect_not(subvector_set(&o, bad[k][0], bad[k][1], &expected), "%s %s", bad[k][0], bad[k][1]);
        cr_expect_neq(*expected, 0, "%s %s: says nothing", bad[k][0], bad[k][1]);
    }
    cr_expect_eq(memcmp(&before, &o, sizeof o), 0, "a bad value changed something");
}
