// The second compile at work: the reference kernel on a real picture whose buffers overlap, wide accesses where the
// pointers are aligned, and when a second compile is made.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "driver/recompile.h"
#include "kernel_runner.h"

enum { ARENA = 16384, DEADLINE = 100000000, PIXELS_MAX = 8192 };

struct bench {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    tandem_addr arena;
};

static const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};

static void must(struct bench *b, enum tandem_status status, const char *what) {
    cr_assert_eq(status, TANDEM_OK, "%s: %s: %s", what, tandem_status_name(status), tandem_message(b->device));
}

static size_t read_file(const char *path, void *to, size_t size) {
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    size = fread(to, 1, size, file);
    fclose(file);
    return size;
}

// Second compiles for all launches that have facts, or for none.
static void recompile(struct bench *b, bool always) {
    const struct tandem_recompile_options options = {.when = always ? TANDEM_RECOMPILE_ALWAYS : TANDEM_RECOMPILE_NEVER};
    tandem_set_recompile(b->device, &options);
}

static void bench_open(struct bench *b, const char *device, const char *path) {
    char message[512] = "";
    struct compiler_result result;
    *b = (struct bench){0};
    cr_assert_eq(tandem_open(device, &b->device, message, sizeof message), TANDEM_OK, "%s", message);
    must(b, tandem_channel_open(b->device, 16, 0, &b->channel), "channel");
    cr_assert(compiler_compile_file(path, NULL, &result), "%s", result.messages);
    must(b, tandem_module_load(b->device, result.elf, result.elf_size, &b->module), "load");
    compiler_result_free(&result);
    must(b, tandem_alloc(b->device, ARENA, 64, &b->arena), "arena");
    recompile(b, true);
}

static void bench_close(struct bench *b) {
    tandem_channel_close(b->channel);
    tandem_module_unload(b->module);
    cr_assert_eq(tandem_close(b->device), TANDEM_OK);
}

// ---- the reference kernel ----

static uint32_t read_picture(uint8_t *pixels, uint32_t most) {
    static uint8_t file[PIXELS_MAX + 64];
    unsigned width, height, maximum;
    int head = 0;
    size_t size = read_file("tests/unit/photograph.pgm", file, sizeof file);
    cr_assert_eq(sscanf((const char *)file, "P5 %u %u %u%n", &width, &height, &maximum, &head), 3);
    head++;
    cr_assert(size == (size_t)head + width * height && maximum == 255, "photograph.pgm");
    const uint32_t count = width * height < most ? width * height : most;
    memcpy(pixels, file + head, count);
    return count;
}

// Arena: [256, 1280) the sums, [1280, 1536) the work-group's table, pixels from 2048 on.
enum { SUMS = 256, TABLE = 1280, PIXELS = 2048 };

static void host_equalize(uint8_t *memory, uint32_t in, uint32_t out, uint32_t n) {
    uint32_t sums[256], lowest = 0;
    memcpy(sums, memory + SUMS, sizeof sums);
    for (unsigned v = 0; v < 256 && lowest == 0; v++)
        lowest = sums[v];
    for (unsigned v = 0; v < 256; v++)
        memory[TABLE + v] =
            (uint8_t)(n == lowest        ? v
                      : sums[v] < lowest ? 0
                                         : (255 * (sums[v] - lowest) + (n - lowest) / 2) / (n - lowest));
    for (uint32_t i = 0; i < n; i++)
        memory[out + i] = memory[TABLE + memory[in + i]];
}

static void one_picture(struct bench *b, int32_t distance, uint32_t most, bool known) {
    static uint8_t memory[ARENA], got[ARENA];
    for (size_t k = 0; k < ARENA; k++)
        memory[k] = (uint8_t)(k * 29);
    uint32_t n = read_picture(memory + PIXELS, most), sums[256] = {0};
    for (uint32_t k = 0; k < n; k++)
        sums[memory[PIXELS + k]]++;
    for (unsigned v = 1; v < 256; v++)
        sums[v] += sums[v - 1];
    memcpy(memory + SUMS, sums, sizeof sums);
    must(b, tandem_write(b->device, b->arena, memory, ARENA), "write");
    const uint32_t to = (uint32_t)(PIXELS + distance);
    host_equalize(memory, PIXELS, to, n);
    tandem_addr at[4] = {b->arena + PIXELS, b->arena + SUMS, b->arena + to, b->arena + TABLE};
    const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}, {&at[2], 4}, {&at[3], 4}, {&n, 4}};
    const struct tandem_region regions[] = {{at[0], n, 0}, {at[1], 1024, 0}, {at[2], n, 0}, {at[3], 256, 0}, {0, 0, 0}};
    recompile(b, known);
    must(b, tandem_launch_regions(b->channel, b->module, "compute_output", &one, NULL, arguments, regions, 5),
         "launch");
    must(b, tandem_finish(b->channel, DEADLINE), "finish");
    must(b, tandem_read(b->device, b->arena, got, ARENA), "read");
    for (size_t k = 0; k < ARENA; k++)
        cr_assert_eq(got[k], memory[k], "out %d behind in, %s: byte %zu (pixel %d) is %u, expected %u", (int)distance,
                     known ? "second compile" : "first compile", k, (int)k - (int)to, got[k], memory[k]);
}

// With one work-item every result is defined: what a turn writes, a later turn reads, and is mapped again.
static void picture_on(const char *device, const int32_t *behind, size_t count, uint32_t most) {
    struct bench b;
    if (!runner_has(device)) return;
    bench_open(&b, device, "tests/kernels/compute_output.cl");
    for (size_t k = 0; k < count; k++) {
        one_picture(&b, behind[k], most, false);
        one_picture(&b, behind[k], most, true);
    }
    struct tandem_recompile_counts counts = tandem_recompile_counts(b.module);
    cr_assert_eq(counts.first, count, "%llu launches ran the first compile", (unsigned long long)counts.first);
    cr_assert_eq(counts.refused, 0);
    bench_close(&b);
}

// Distances in bytes between the pictures' starts; 5000 and more: apart; 0: the same buffer.
static const int32_t distances[] = {6000, 0, 1, 2, 3, 4, 16, 64, 777, -1, -4, -16, -64, -500};

Test(recompile, picture,
     .description =
         "AM-6 AM-11 compute_output on a photograph: apart, the same buffer, overlaps at many distances [model]") {
    picture_on("model:small", distances, sizeof distances / sizeof *distances, PIXELS_MAX);
}

Test(recompile, tandem_picture,
     .description = "AM-11 compute_output on a part of a photograph: apart and overlaps, nano, small, full [tandem]") {
    static const int32_t some[] = {16, 6000, 2, -16};
    picture_on("tandem:nano", some, 4, 150);
    picture_on("tandem:small", some, 2, 150);
    picture_on("tandem:full", some, 1, 150);
}

// ---- wide accesses ----

static unsigned count(const char *text, const char *what) {
    unsigned found = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        found++;
    return found;
}

static const char shifted[] =
    "kernel void shifted(global const uint *in, global uint *out, uint n) {\n"
    "    for (uint i = 0; i < n; i++) out[i] = in[i] * 3u + 1u;\n}\n";

struct wide {
    enum alias_relation relation;
    uint32_t distance;
    uint8_t alignment[2];
    unsigned loads[3], stores[3];  // of 128, 64, 32 bits in the rounds
};

Test(recompile, wide,
     .description = "AM-7 AM-8 AM-10 neighbours become one access as far as alignment and distance allow [model]") {
    static const struct wide all[] = {
        {ALIAS_APART, 0, {16, 16}, {1, 0, 0}, {1, 0, 0}},    {ALIAS_APART, 0, {8, 16}, {0, 2, 0}, {1, 0, 0}},
        {ALIAS_APART, 0, {16, 4}, {1, 0, 0}, {0, 0, 4}},     {ALIAS_APART, 0, {0, 0}, {0, 0, 4}, {0, 0, 4}},
        {ALIAS_OVERLAP, 16, {16, 16}, {1, 0, 0}, {1, 0, 0}}, {ALIAS_OVERLAP, 8, {16, 8}, {0, 1, 0}, {0, 1, 0}},
        {ALIAS_OVERLAP, 4, {16, 4}, {0, 0, 0}, {0, 1, 2}},   {ALIAS_OVERLAP, 0u - 32, {16, 16}, {1, 0, 0}, {1, 0, 0}},
        {ALIAS_OVERLAP, 64, {8, 8}, {0, 2, 0}, {0, 2, 0}},
    };
    static const char *const loads[] = {"LDG.128", "LDG.64", "LDG.32"}, *const stores[] = {"STG.128", "STG.64",
                                                                                           "STG.32"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const struct wide *w = &all[k];
        const struct alias_pair pair = {0, 1, w->relation, w->distance};
        const struct alias_metadata metadata = {"shifted", &pair, 1, {w->alignment[0], w->alignment[1]}, NULL};
        const struct compiler_options options = {.keep_asm = true, .metadata = &metadata};
        struct compiler_result result;
        cr_assert(compiler_compile(shifted, sizeof shifted - 1, "test.cl", &options, &result), "%s", result.messages);
        // The old loop, for what is left, has one word each.
        for (unsigned size = 0; size < 3; size++) {
            cr_assert_eq(count(result.machine, loads[size]), w->loads[size] + (size == 2), "row %zu: %s\n%s", k,
                         loads[size], result.machine);
            cr_assert_eq(count(result.machine, stores[size]), w->stores[size] + (size == 2), "row %zu: %s\n%s", k,
                         stores[size], result.machine);
        }
        char line[80];
        snprintf(line, sizeof line, "done: %u accesses of 64 and 128 bits\n",
                 w->loads[0] + w->loads[1] + w->stores[0] + w->stores[1]);
        cr_assert_not_null(strstr(result.report, line), "AM-12: \"%s\" is not in the report:\n%s", line, result.report);
        compiler_result_free(&result);
    }
}

static enum tandem_status launch_scan(struct bench *b, uint32_t in, uint32_t out, uint32_t turns, uint32_t items) {
    tandem_addr from = b->arena + in, to = b->arena + out;
    const uint32_t none = 0;
    const struct tandem_range range = {.dimensions = 1, .global = {items}, .local = {items}};
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&none, 4}, {&turns, 4}};
    const struct tandem_region regions[] = {{from, turns * 4, 0}, {to, turns * 4, 0}, {0, 0, 0}, {0, 0, 0}};
    enum tandem_status status =
        tandem_launch_regions(b->channel, b->module, "scan", &range, NULL, arguments, regions, 4);
    return status == TANDEM_OK ? tandem_finish(b->channel, DEADLINE) : status;
}

Test(recompile, alignment_is_a_fact,
     .description = "AM-9 a variant for aligned pointers is never used for others, so none of them faults [model]") {
    struct bench b;
    bench_open(&b, "model:small", "tests/kernels/aliasing.cl");
    static const struct {
        uint32_t in, out;
        unsigned variants, hits;
    } steps[] = {{0, 4096, 1, 0}, {256, 8192, 1, 1}, {4, 4096, 2, 1},  {4, 4100, 3, 1},
                 {0, 4104, 4, 1}, {512, 4096, 4, 2}, {12, 4108, 4, 3}, {16, 8, 5, 3}};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        uint32_t words[64], got[64], sum = 0;
        for (uint32_t i = 0; i < 64; i++)
            words[i] = i * i + (uint32_t)k;
        must(&b, tandem_write(b.device, b.arena + steps[k].in, words, sizeof words), "write");
        const uint32_t turns = steps[k].out < steps[k].in ? 64 : 61;
        must(&b, launch_scan(&b, steps[k].in, steps[k].out, turns, 1), "scan");
        struct tandem_recompile_counts counts = tandem_recompile_counts(b.module);
        cr_assert_eq(counts.compiles, steps[k].variants, "step %zu: %u variants", k, counts.compiles);
        cr_assert_eq(counts.hits, steps[k].hits, "step %zu: %llu hits", k, (unsigned long long)counts.hits);
        must(&b, tandem_read(b.device, b.arena + steps[k].out, got, turns * 4), "read");
        for (uint32_t i = 0; i < turns; i++)
            cr_assert_eq(got[i], sum += words[i], "step %zu, element %u", k, i);
    }
    bench_close(&b);
}

Test(recompile, false_alignment,
     .description = "AM-13 an alignment that is not true is a named fault: so the facts matter [model]") {
    struct bench b;
    bench_open(&b, "model:small", "tests/kernels/aliasing.cl");
    const struct alias_pair pair = {0, 1, ALIAS_APART, 0};
    const struct alias_metadata metadata = {"scan", &pair, 1, {16, 16}, NULL};
    const struct compiler_options options = {.metadata = &metadata};
    struct compiler_result compiled;
    cr_assert(compiler_compile_file("tests/kernels/aliasing.cl", &options, &compiled), "%s", compiled.messages);
    struct tandem_module *module;
    must(&b, tandem_module_load(b.device, compiled.elf, compiled.elf_size, &module), "load");
    compiler_result_free(&compiled);
    tandem_addr from = b.arena + 4, to = b.arena + 4100;
    const uint32_t none = 0, turns = 16;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&none, 4}, {&turns, 4}};
    must(&b, tandem_launch(b.channel, module, "scan", &one, arguments, 4), "launch");
    cr_assert_eq(tandem_finish(b.channel, DEADLINE), TANDEM_CHANNEL_FAULT);
    cr_assert_not_null(strstr(tandem_message(b.device), "MEMORY_ALIGNMENT"), "%s", tandem_message(b.device));
    tandem_module_unload(module);
    bench_close(&b);
}
