// Work-items that walk side by side, in the second compile (compiler/again/coarsen.c): the results of the first compile,
// for random sizes, work-groups and alignments, and where the work of an element must stay with its work-item.
// TANDEM_SEED=N repeats a run.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "compiler/compiler.h"
#include "driver/recompile.h"
#include "kernel_runner.h"
#include "random_numbers.h"

enum { ARENA = 16384, HALF = 6144, TABLE = 13312, ELEMENTS_MAX = 1200, DEADLINE = 20000000 };

static const struct kernel {
    const char *name;
    uint32_t bytes[2];           // of an element of in and out
    unsigned loops, neighbours;  // that are dealt out anew, that a work-item then takes
} kernels[] = {
    {"bytes_of_group", {1, 1}, 1, 8}, {"words_of_launch", {4, 4}, 1, 4}, {"halves_signed", {2, 2}, 1, 8},
    {"widens", {1, 4}, 1, 4},         {"pairs", {4, 4}, 1, 2},           {"neighbours", {4, 4}, 1, 4},
    {"table_of_group", {1, 1}, 2, 8}, {"uniform_choice", {4, 4}, 2, 4},  {"leaves_early", {4, 4}, 0, 0},
    {"reads_back", {4, 4}, 0, 0},     {"wrong_barrier", {4, 4}, 0, 0},   {"own_number", {4, 4}, 0, 0},
    {"own_sum", {4, 4}, 0, 0},        {"own_history", {4, 4}, 0, 0},     {"scattered", {4, 4}, 0, 0},
    {"local_of_each", {4, 4}, 0, 0},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static const char source[] = "tests/kernels/side_by_side.cl";

static const struct alias_pair all_apart[] = {{0, 1, ALIAS_APART, 0}, {0, 2, ALIAS_APART, 0}, {1, 2, ALIAS_APART, 0}};

static void compile(const struct alias_metadata *metadata, struct compiler_result *result) {
    const struct compiler_options options = {.keep_asm = true, .metadata = metadata};
    cr_assert(compiler_compile_file(source, &options, result), "%s", result->messages);
}

Test(side_by_side, which,
     .description = "AM-8 AM-17 which loops are dealt out anew among work-items, and which never [model]") {
    for (size_t k = 0; k < KERNELS; k++) {
        struct alias_metadata metadata = {kernels[k].name, all_apart, 3, {16, 16, 16}, NULL};
        struct compiler_result result;
        compile(&metadata, &result);
        char line[80];
        snprintf(line, sizeof line, "done: %u loops with up to %u neighbours in one work-item\n", kernels[k].loops,
                 kernels[k].neighbours);
        cr_assert_not_null(strstr(result.report, line), "%s: not \"%s\":\n%s", kernels[k].name, line, result.report);
        compiler_result_free(&result);
        if (strcmp(kernels[k].name, "table_of_group") == 0) continue;  // its first loop does not meet `out`
        // Where the buffers overlap nobody's work is another's.
        const struct alias_pair overlap = {0, 1, ALIAS_OVERLAP, 64};
        metadata.pairs = &overlap;
        metadata.pair_count = 1;
        compile(&metadata, &result);
        cr_assert_not_null(strstr(result.report, "done: 0 loops with up to 0 neighbours"), "%s, overlap:\n%s",
                           kernels[k].name, result.report);
        compiler_result_free(&result);
    }
}

Test(side_by_side, code,
     .description = "AM-7 AM-10 AM-17 four words at once, a table's elements for eight bytes [model]") {
    static const struct {
        const char *kernel, *load, *store;
    } all[] = {{"words_of_launch", "LDG.128", "STG.128"},
               {"bytes_of_group", "LDG.64", "STG.64"},
               {"halves_signed", "LDG.128", "STG.128"},
               {"widens", "LDG.32", "STG.128"}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const struct alias_metadata metadata = {all[k].kernel, all_apart, 3, {16, 16, 16}, NULL};
        struct compiler_result result;
        compile(&metadata, &result);
        char name[64];
        snprintf(name, sizeof name, "%s: ", all[k].kernel);
        const char *code = strstr(result.machine, name);
        cr_assert_not_null(code, "%s", name);
        const char *end = strstr(code, "\n    exit");
        const char *load = strstr(code, all[k].load), *store = strstr(code, all[k].store);
        cr_assert(load != NULL && load < end && store != NULL && store < end, "%s:\n%s", name, code);
        compiler_result_free(&result);
    }
}

struct bench {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    tandem_addr arena;
};

static void must(struct bench *b, enum tandem_status status, const char *what) {
    cr_assert_eq(status, TANDEM_OK, "%s: %s: %s", what, tandem_status_name(status), tandem_message(b->device));
}

struct launch {
    const struct kernel *kernel;
    uint32_t n, items, groups, in, out;  // in, out: offsets
};

static void run(struct bench *b, const struct launch *l, bool known, const uint8_t *before, uint8_t *after) {
    const struct tandem_range range = {.dimensions = 1, .global = {l->items * l->groups}, .local = {l->items}};
    tandem_addr at[3] = {b->arena + l->in, b->arena + l->out, b->arena + TABLE};
    const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}, {&at[2], 4}, {&l->n, 4}};
    const struct tandem_region regions[] = {{at[0], l->n * l->kernel->bytes[0] + 4, 0},
                                            {at[1], l->n * l->kernel->bytes[1] + 4 * l->items * l->groups, 0},
                                            {at[2], 1024, 0},
                                            {0, 0, 0}};
    must(b, tandem_write(b->device, b->arena, before, ARENA), "write");
    const struct tandem_recompile_options options = {.when = known ? TANDEM_RECOMPILE_ALWAYS : TANDEM_RECOMPILE_NEVER,
                                                     .variants_max = 400};
    tandem_set_recompile(b->device, &options);
    must(b, tandem_launch_regions(b->channel, b->module, l->kernel->name, &range, NULL, arguments, regions, 4),
         l->kernel->name);
    must(b, tandem_finish(b->channel, DEADLINE), l->kernel->name);
    must(b, tandem_read(b->device, b->arena, after, ARENA), "read");
}

// Returns how many launches ran a second compile.
static unsigned compare(const char *device, unsigned runs, uint32_t most, uint64_t *random) {
    struct bench b = {0};
    char message[512] = "";
    struct compiler_result result;
    static uint8_t before[ARENA], first[ARENA], second[ARENA];
    cr_assert_eq(tandem_open(device, &b.device, message, sizeof message), TANDEM_OK, "%s", message);
    must(&b, tandem_channel_open(b.device, 16, 0, &b.channel), "channel");
    cr_assert(compiler_compile_file(source, NULL, &result), "%s", result.messages);
    must(&b, tandem_module_load(b.device, result.elf, result.elf_size, &b.module), "load");
    compiler_result_free(&result);
    must(&b, tandem_alloc(b.device, ARENA, 64, &b.arena), "arena");
    for (unsigned k = 0; k < runs; k++) {
        struct launch l = {.kernel = &kernels[random_below(random, KERNELS)],
                           .n = random_below(random, 4) == 0 ? random_below(random, 40) : random_below(random, most),
                           .items = 1 + random_below(random, random_below(random, 2) == 0 ? 64 : 8),
                           .groups = 1 + random_below(random, 3)};
        const uint32_t unit = strcmp(l.kernel->name, "pairs") == 0 ? 8 : l.kernel->bytes[1];
        const uint32_t odd = random_below(random, 3) == 0 ? random_below(random, 16) : 0;
        l.in = 64 + odd * unit;
        l.out = HALF + (random_below(random, 4) == 0 ? random_below(random, 16) * unit : odd * unit);
        for (size_t i = 0; i < ARENA; i++)
            before[i] = (uint8_t)random_below(random, 256);
        run(&b, &l, false, before, first);
        run(&b, &l, true, before, second);
        for (size_t i = 0; i < ARENA; i++)
            cr_assert_eq(
                first[i], second[i],
                "run %u: %s, n %u, %u groups of %u, in at %u, out at %u: byte %zu is %u, of the first compile %u", k,
                l.kernel->name, l.n, l.groups, l.items, l.in, l.out, i, second[i], first[i]);
    }
    const struct tandem_recompile_counts counts = tandem_recompile_counts(b.module);
    tandem_channel_close(b.channel);
    tandem_module_unload(b.module);
    cr_assert_eq(tandem_close(b.device), TANDEM_OK);
    return (unsigned)(counts.launches - counts.first);
}

Test(side_by_side, random,
     .description = "AM-13 AM-17 random sizes, groups, alignments: second compile against first [model]") {
    uint64_t random = seed_from_environment();
    printf("test_side_by_side: TANDEM_SEED=%llu repeats this run\n", (unsigned long long)random);
    cr_assert_gt(compare("model:small", laps_from_environment(250), ELEMENTS_MAX, &random), 70);
}

static void in_tandem(const char *device, unsigned runs) {
    uint64_t random = seed_from_environment();
    printf("test_side_by_side: TANDEM_SEED=%llu repeats this run\n", (unsigned long long)random);
    if (runner_has(device)) cr_assert_gt(compare(device, runs, 300, &random), 2);
}

Test(side_by_side, tandem_nano, .description = "AM-13 AM-17 the same, nano [tandem]") {
    in_tandem("tandem:nano", 24);
}

Test(side_by_side, tandem_small, .description = "AM-13 AM-17 the same, small [tandem]") {
    in_tandem("tandem:small", 24);
}

Test(side_by_side, tandem_full, .description = "AM-13 AM-17 the same, full [tandem]") {
    in_tandem("tandem:full", 16);
}
