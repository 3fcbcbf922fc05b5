// Programs that are compiled again when their arguments are known (driver/recompile.h): relations, the choice, the code,
// and results against the first compile's. TANDEM_SEED=N repeats a run.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "compiler/compiler.h"
#include "driver/recompile.h"
#include "random_numbers.h"

enum { ARENA = 2048, DEADLINE = 20000000 };

static uint64_t chosen_seed(void) {
    const uint64_t seed = seed_from_environment();
    printf("test_alias: TANDEM_SEED=%llu repeats this run\n", (unsigned long long)seed);
    return seed;
}

// A second compiler that counts its calls and can be told to fail or to lie.
struct compiler {
    unsigned calls, fail_from;  // calls from this one on fail; 0: none
    bool lie;                   // every pair is said to be apart
};

static bool compile(void *context, const void *program, size_t size, const struct alias_metadata *metadata,
                    struct alias_compiled *result) {
    struct compiler *compiler = context;
    compiler->calls++;
    if (compiler->fail_from != 0 && compiler->calls >= compiler->fail_from) {
        result->text = strdup("test.cl:1:1: error: made to fail\nmore\n");
        return false;
    }
    struct alias_pair pairs[8];
    struct alias_metadata lie = {.kernel = metadata->kernel, .pairs = pairs, .pair_count = metadata->pair_count};
    for (size_t k = 0; k < lie.pair_count; k++)
        pairs[k] = (struct alias_pair){metadata->pairs[k].first, metadata->pairs[k].second, ALIAS_APART, 0};
    return compiler_compile_again(NULL, program, size, compiler->lie ? &lie : metadata, result);
}

struct bench {
    struct compiler compiler;
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    tandem_addr arena;
    unsigned variants_max;
    char log[8192];
    size_t log_size;
};

static void must(struct bench *b, enum tandem_status status, const char *what) {
    cr_assert_eq(status, TANDEM_OK, "%s: %s: %s", what, tandem_status_name(status), tandem_message(b->device));
}

static void keep_line(void *context, const char *line) {
    struct bench *b = context;
    if (b->log_size < sizeof b->log)
        b->log_size += (size_t)snprintf(b->log + b->log_size, sizeof b->log - b->log_size, "%s\n", line);
}

static void load(struct bench *b, const char *path) {
    struct compiler_result result;
    cr_assert(compiler_compile_file(path, NULL, &result), "%s", result.messages);
    must(b, tandem_module_load(b->device, result.elf, result.elf_size, &b->module), "load");
    compiler_result_free(&result);
}

// Every launch from now on runs a second compile where there are facts, or none does.
static void recompile(struct bench *b, bool always) {
    const struct tandem_recompile_options options = {.when = always ? TANDEM_RECOMPILE_ALWAYS : TANDEM_RECOMPILE_NEVER,
                                                     .variants_max = b->variants_max};
    tandem_set_recompile(b->device, &options);
}

static void bench_open(struct bench *b, const char *path, unsigned variants_max) {
    char message[512] = "";
    memset(b, 0, sizeof *b);
    b->variants_max = variants_max;
    cr_assert_eq(tandem_open("model:small", &b->device, message, sizeof message), TANDEM_OK, "%s", message);
    tandem_set_compiler(b->device, compile, &b->compiler);
    tandem_set_recompile_log(b->device, keep_line, b);
    recompile(b, true);
    must(b, tandem_channel_open(b->device, 16, 0, &b->channel), "channel");
    load(b, path);
    must(b, tandem_alloc(b->device, ARENA, 64, &b->arena), "arena");
}

static void bench_close(struct bench *b) {
    tandem_channel_close(b->channel);
    tandem_module_unload(b->module);
    cr_assert_eq(tandem_close(b->device), TANDEM_OK);
}

static const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};

// ---- relations ----

Test(alias, relations, .description = "AM-2 AM-3 random regions against a comparison byte by byte [model]") {
    uint64_t random = chosen_seed();
    unsigned seen[4] = {0};
    for (unsigned run = 0; run < 20000; run++) {
        struct tandem_region r[2];
        for (unsigned k = 0; k < 2; k++) {
            r[k] =
                (struct tandem_region){.address = 100 + random_below(&random, 24), .size = random_below(&random, 12)};
            r[k].offset = r[k].size > 0 ? random_below(&random, r[k].size) : 0;
        }
        if (run % 5 == 0) r[1] = r[0];
        struct tandem_relation found = tandem_relate(&r[0], &r[1]);
        uint32_t shared = 0, lowest = 0, highest = 0;
        for (uint32_t at = 100; at < 140; at++) {
            bool in = true;
            for (unsigned k = 0; k < 2; k++)
                in = in && at >= r[k].address && at < r[k].address + r[k].size;
            if (!in) continue;
            if (shared++ == 0) lowest = at;
            highest = at + 1;
        }
        seen[found.relation]++;
        if (r[0].size == 0 || r[1].size == 0) {
            cr_assert_eq(found.relation, ALIAS_UNKNOWN);
            continue;
        }
        cr_assert_eq(found.distance, (int64_t)r[1].address + r[1].offset - (int64_t)r[0].address - r[0].offset);
        if (shared == 0) {
            uint32_t gap = r[0].address < r[1].address ? r[1].address - r[0].address - r[0].size
                                                       : r[0].address - r[1].address - r[1].size;
            cr_assert_eq(found.relation, ALIAS_APART);
            cr_assert_eq(found.gap, gap);
            continue;
        }
        bool same = r[0].address == r[1].address && r[0].size == r[1].size && r[0].offset == r[1].offset;
        cr_assert_eq(found.relation, same ? ALIAS_SAME : ALIAS_OVERLAP);
        cr_assert_eq(found.bytes, shared);
        cr_assert_eq(found.start, lowest);
        cr_assert_eq(found.end, highest);
    }
    for (unsigned k = 0; k < 4; k++)
        cr_assert_gt(seen[k], 100, "relation %u", k);
}

// ---- the choice ----

// pieces(in, out, turns) with regions at these offsets of the arena.
static enum tandem_status launch_pieces(struct bench *b, const char *kernel, uint32_t in, uint32_t out, uint32_t turns,
                                        bool known) {
    tandem_addr from = b->arena + in, to = b->arena + out;
    const uint32_t size = turns * 4;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&turns, 4}};
    const struct tandem_region regions[] = {{from, size, 0}, {to, size, 0}, {0, 0, 0}};
    recompile(b, known);
    enum tandem_status status = tandem_launch_regions(b->channel, b->module, kernel, &one, NULL, arguments, regions, 3);
    return status == TANDEM_OK ? tandem_finish(b->channel, DEADLINE) : status;
}

static void check_counts(struct bench *b, unsigned launches, unsigned hits, unsigned first, unsigned compiles,
                         unsigned refused) {
    struct tandem_recompile_counts counts = tandem_recompile_counts(b->module);
    cr_assert_eq(counts.launches, launches, "%llu launches", (unsigned long long)counts.launches);
    cr_assert_eq(counts.hits, hits, "%llu hits", (unsigned long long)counts.hits);
    cr_assert_eq(counts.first, first, "%llu of the first compile", (unsigned long long)counts.first);
    cr_assert_eq(counts.compiles, compiles, "%u compiles", counts.compiles);
    cr_assert_eq(counts.refused, refused, "%u refused", counts.refused);
    cr_assert_eq(b->compiler.calls, compiles, "%u calls of the compiler", b->compiler.calls);
}

static void check_log(const struct bench *b, const char *line) {
    cr_assert_not_null(strstr(b->log, line), "AM-12: \"%s\" is not in the log:\n%s", line, b->log);
}

Test(alias, choice,
     .description =
         "AM-1 AM-4 AM-5 AM-9 AM-12 the choice is made anew at every launch; never a variant of other facts; the log "
         "tells why [model]") {
    static struct bench b;
    bench_open(&b, "tests/kernels/aliasing.cl", 4);
    must(&b, launch_pieces(&b, "pieces", 0, 0, 16, true), "same");
    check_counts(&b, 1, 0, 1, 0, 0);
    must(&b, launch_pieces(&b, "pieces", 0, 1024, 16, true), "apart");
    check_counts(&b, 2, 0, 1, 1, 0);
    must(&b, launch_pieces(&b, "pieces", 512, 0, 32, true), "apart, elsewhere");
    check_counts(&b, 3, 1, 1, 1, 0);
    must(&b, launch_pieces(&b, "pieces", 0, 0, 16, true), "the same again");
    check_counts(&b, 4, 1, 2, 1, 0);
    must(&b, launch_pieces(&b, "pieces", 0, 8, 16, true), "overlap of 8");
    check_counts(&b, 5, 1, 2, 2, 0);
    must(&b, launch_pieces(&b, "pieces", 64, 72, 8, true), "overlap of 8, elsewhere");
    check_counts(&b, 6, 2, 2, 2, 0);
    must(&b, launch_pieces(&b, "pieces", 16, 0, 16, true), "overlap the other way");
    check_counts(&b, 7, 2, 2, 3, 0);
    must(&b, launch_pieces(&b, "pieces", 0, 20, 16, true), "a fourth relation");
    check_counts(&b, 8, 2, 2, 4, 0);
    must(&b, launch_pieces(&b, "pieces", 0, 28, 16, true), "no room for more");
    check_counts(&b, 9, 2, 3, 4, 0);
    must(&b, launch_pieces(&b, "pieces", 0, 1024, 16, false), "switched off");
    check_counts(&b, 10, 2, 4, 4, 0);
    must(&b, launch_pieces(&b, "pieces", 0, 1024, 16, true), "apart");
    check_counts(&b, 11, 3, 4, 4, 0);
    static const char *const lines[] = {
        "kernel pieces: in, out: apart, gap 960 bytes\n",
        "kernel pieces: in, out: overlap of 56 bytes",
        "distance 8 bytes\n",
        "distance -16 bytes\n",
        "kernel pieces: allowed: 1 pairs apart, on 2 accesses",
        "kernel pieces: done: 1 loops unrolled, the most by 4; 3 loads moved before stores",
        "kernel pieces: done: 1 loops unrolled, the most by 2",
        "kernel pieces: compiled again in ",
        " ms, after 0 launches of about ",
        "; registers ",
        "; in use\n",
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        check_log(&b, lines[k]);
    bench_close(&b);
}

Test(alias, forgotten,
     .description = "AM-9 AM-12 a variant that is no gain is not tried again, and makes room for others [model]") {
    static struct bench b;
    bench_open(&b, "tests/kernels/aliasing.cl", 2);
    must(&b, launch_pieces(&b, "once", 0, 1024, 16, true), "what gains nothing");
    check_counts(&b, 1, 0, 1, 1, 1);
    check_log(&b, "kernel once: refused: the second compile is the same code\n");
    must(&b, launch_pieces(&b, "once", 0, 1024, 16, true), "and is not tried again");
    check_counts(&b, 2, 0, 2, 1, 1);
    must(&b, launch_pieces(&b, "pieces", 0, 1024, 16, true), "apart");
    must(&b, launch_pieces(&b, "pieces", 0, 8, 16, true), "in its place");
    check_counts(&b, 4, 0, 2, 3, 1);
    must(&b, launch_pieces(&b, "once", 0, 1024, 16, true), "no room: the others have code");
    check_counts(&b, 5, 0, 3, 3, 1);
    bench_close(&b);
}

Test(alias, failing_compiler,
     .description = "AM-9 a second compile that fails is no error: the first one runs [model]") {
    static struct bench b;
    bench_open(&b, "tests/kernels/aliasing.cl", 0);
    b.compiler.fail_from = 1;
    for (unsigned k = 0; k < 3; k++)
        must(&b, launch_pieces(&b, "pieces", 0, 1024, 16, true), "apart");
    check_counts(&b, 3, 0, 3, 1, 1);
    check_log(&b, "kernel pieces: test.cl:1:1: error: made to fail\n");
    check_log(&b, "kernel pieces: refused: the second compile failed\n");
    bench_close(&b);
}

Test(alias, bad_launches, .description = "AM-2 wrong regions and arguments are refused [model]") {
    static struct bench b;
    bench_open(&b, "tests/kernels/aliasing.cl", 0);
    tandem_addr from = b.arena, to = b.arena + 1024;
    uint32_t turns = 4;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&turns, 4}};
    const struct tandem_region good[3] = {{from, 16, 0}, {to, 16, 0}, {0, 0, 0}};
    const struct tandem_region bad[] = {
        {from + 4, 16, 0},       // another address than the argument's
        {from - 4, 16, 0},       // the argument is inside, but not at the offset
        {from, 16, 16},          // offset behind the region
        {from, 0xFFFFFFFFu, 0},  // wraps
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct tandem_region regions[3];
        memcpy(regions, good, sizeof regions);
        regions[0] = bad[k];
        cr_assert_eq(tandem_launch_regions(b.channel, b.module, "pieces", &one, NULL, arguments, regions, 3),
                     TANDEM_BAD_ARGUMENT, "%zu", k);
        cr_assert_not_null(strstr(tandem_message(b.device), "argument 0"), "%s", tandem_message(b.device));
    }
    cr_assert_eq(tandem_launch_regions(b.channel, b.module, "pieces", &one, NULL, arguments, good, 2),
                 TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_launch_regions(b.channel, b.module, "nobody", &one, NULL, arguments, good, 3), TANDEM_BAD_CODE);
    const struct tandem_argument missing[] = {{NULL, 4}, {&to, 4}, {&turns, 4}};
    cr_assert_eq(tandem_launch_regions(b.channel, b.module, "pieces", &one, NULL, missing, good, 3),
                 TANDEM_BAD_ARGUMENT);
    check_counts(&b, 0, 0, 0, 0, 0);
    bench_close(&b);
}

static void refused_metadata(const char *kernel, uint32_t first, uint32_t second, const char *expected) {
    const struct alias_pair pair = {first, second, ALIAS_APART, 0};
    const struct alias_metadata metadata = {kernel, &pair, 1, {0}, NULL};
    const struct compiler_options options = {.metadata = &metadata};
    struct compiler_result result;
    cr_assert_not(compiler_compile_file("tests/kernels/aliasing.cl", &options, &result));
    cr_assert_not_null(strstr(result.messages, expected), "%s", result.messages);
    compiler_result_free(&result);
}

Test(alias, bad_metadata, .description = "AM-5 metadata that does not fit the program is refused [model]") {
    refused_metadata("nobody", 0, 1, "no kernel \"nobody\"");
    refused_metadata("pieces", 0, 2, "arguments 0 and 2 are no pair");
    refused_metadata("pieces", 1, 0, "the lower index first");
    refused_metadata("pieces", 0, 9, "arguments 0 and 9");
    refused_metadata("pieces", 40, 41, "arguments 40 and 41");
}

// ---- the code ----

static char *machine_of(const char *path, const char *kernel, const struct alias_pair *pairs, size_t count) {
    const struct alias_metadata metadata = {kernel, pairs, count, {0}, NULL};
    const struct compiler_options options = {.keep_asm = true, .metadata = count > 0 ? &metadata : NULL};
    struct compiler_result result;
    cr_assert(compiler_compile_file(path, &options, &result), "%s", result.messages);
    char *machine = result.machine;
    result.machine = NULL;
    compiler_result_free(&result);
    return machine;
}

// In the text of kernel: the longest row of these instructions without a store (a load) or a block's end in between.
static unsigned longest_row(const char *machine, const char *wanted, const char *breaks) {
    unsigned longest = 0, row = 0;
    for (const char *line = machine; line != NULL && *line != 0; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t size = strcspn(line, "\n");
        char text[256];
        snprintf(text, sizeof text, "%.*s", (int)size, line);
        if (strstr(text, breaks) != NULL || strstr(text, "  block ") == text) row = 0;
        if (strstr(text, wanted) != NULL) row++;
        if (row > longest) longest = row;
    }
    return longest;
}

Test(alias, code,
     .description =
         "AM-6 AM-7 unrolled by one test, loads together, stores together; by no more than the distance "
         "[model]") {
    static const char path[] = "tests/kernels/compute_output.cl";
    const struct alias_pair apart[] = {{0, 1, ALIAS_APART, 0}, {0, 2, ALIAS_APART, 0}, {0, 3, ALIAS_APART, 0},
                                       {1, 2, ALIAS_APART, 0}, {1, 3, ALIAS_APART, 0}, {2, 3, ALIAS_APART, 0}};
    char *first = machine_of(path, "compute_output", NULL, 0), *second = machine_of(path, "compute_output", apart, 6);
    cr_assert_eq(longest_row(first, "STG", "LDG"), 1, "%s", first);
    cr_assert_eq(longest_row(second, "STG.64", "LDG"), 1, "%s", second);
    cr_assert_eq(longest_row(second, "LDG", "STG"), 9, "%s", second);  // eight elements, and their numbers at once
    free(first);
    free(second);
    static const uint32_t distances[] = {4, 8, 16, 64, 0u - 8, 0u - 64};
    static const unsigned loads[] = {1, 2, 4, 4, 2, 4};
    // At a distance of one element each load would bring what was stored just before: the first is left, and nothing parts the stores.
    static const unsigned stores[] = {4, 2, 4, 4, 2, 4};
    for (size_t k = 0; k < 6; k++) {
        const struct alias_pair overlap = {0, 1, ALIAS_OVERLAP, distances[k]};
        struct alias_metadata metadata = {"pieces", &overlap, 1, {0}, NULL};
        const struct compiler_options options = {.keep_asm = true, .metadata = &metadata};
        static const char source[] =
            "__kernel void pieces(__global const uint *in, __global uint *out, uint n) {\n"
            "    for (uint i = 0; i < n; i++) out[i] = in[i] * 3u + 1u;\n}\n";
        struct compiler_result result;
        cr_assert(compiler_compile(source, sizeof source - 1, "test.cl", &options, &result), "%s", result.messages);
        cr_assert_eq(longest_row(result.machine, "LDG", "STG"), loads[k], "distance %d\n%s", (int)distances[k],
                     result.machine);
        cr_assert_eq(longest_row(result.machine, "STG", "LDG"), stores[k], "distance %d\n%s", (int)distances[k],
                     result.machine);
        compiler_result_free(&result);
    }
}

// ---- results ----

// A kernel with up to three buffers and what it does with numbers: `words` of each buffer from its pointer for `turns`.
struct subject {
    const char *kernel;
    unsigned buffers, values;
    unsigned element;
    uint32_t extra;     // elements of buffer 0 beyond turns
    uint32_t multiple;  // turns times this are elements of buffer 0
    uint32_t least;     // turns
};

static const struct subject subjects[] = {
    {"saxpy", 2, 2, 4, 0, 1, 1},    {"pieces", 2, 1, 4, 0, 1, 1},    {"bytes", 2, 1, 1, 0, 1, 1},
    {"strided", 2, 2, 4, 0, 3, 1},  {"downwards", 2, 1, 4, 0, 1, 1}, {"every_third", 2, 2, 4, 0, 1, 1},
    {"scan", 2, 2, 4, 5, 1, 1},     {"stencil", 2, 1, 4, 0, 1, 1},   {"gather", 3, 2, 4, 0, 1, 8},
    {"windows", 3, 1, 4, 5, 1, 2},  {"straight", 2, 0, 4, 0, 1, 4},  {"downwards_by", 2, 1, 1, 0, 1, 1},
    {"branches", 2, 1, 4, 0, 1, 1}, {"until", 2, 1, 1, 0, 1, 1},     {"walk", 2, 1, 4, 0, 1, 1},
};

struct launch {
    tandem_addr pointers[3];
    struct tandem_region regions[5];
    struct tandem_argument arguments[5];
    uint32_t values[2];
    size_t count;
};

static void make_launch(struct bench *b, const struct subject *subject, const uint32_t at[3], uint32_t turns,
                        struct launch *launch) {
    *launch = (struct launch){.count = subject->buffers + subject->values};
    for (unsigned k = 0; k < subject->buffers; k++) {
        uint32_t elements = k == 0 ? turns * subject->multiple + subject->extra : turns;
        launch->pointers[k] = b->arena + at[k];
        launch->regions[k] = (struct tandem_region){launch->pointers[k], elements * subject->element, 0};
        launch->arguments[k] = (struct tandem_argument){&launch->pointers[k], 4};
    }
    launch->values[0] = launch->values[1] = turns;
    if (strcmp(subject->kernel, "saxpy") == 0) launch->values[0] = 77;
    if (strcmp(subject->kernel, "strided") == 0) launch->values[0] = subject->multiple;
    if (strcmp(subject->kernel, "every_third") == 0) launch->values[0] = turns % 4;
    if (strcmp(subject->kernel, "scan") == 0) launch->values[0] = turns % 6;
    if (strcmp(subject->kernel, "gather") == 0) launch->values[1] = 7;
    for (unsigned k = 0; k < subject->values; k++)
        launch->arguments[subject->buffers + k] = (struct tandem_argument){&launch->values[k], 4};
}

static void run(struct bench *b, const struct subject *subject, const struct launch *launch, bool known,
                const uint8_t *before, uint8_t *after) {
    recompile(b, known);
    must(b, tandem_write(b->device, b->arena, before, ARENA), "write");
    must(b,
         tandem_launch_regions(b->channel, b->module, subject->kernel, &one, NULL, launch->arguments, launch->regions,
                               launch->count),
         subject->kernel);
    must(b, tandem_finish(b->channel, DEADLINE), subject->kernel);
    must(b, tandem_read(b->device, b->arena, after, ARENA), "read");
}

// One setting of the buffers: distances that all launches of it share, places and trip counts that differ. Returns how
// many launches differed from the first compile.
static unsigned compare(struct bench *b, const struct subject *subject, uint64_t *random, const int32_t distance[3],
                        unsigned launches) {
    const uint32_t alignment = 4 * random_below(random, 4);  // of all launches, so that they share a variant
    static uint8_t before[ARENA], first[ARENA], second[ARENA];
    unsigned different = 0;
    for (unsigned n = 0; n < launches; n++) {
        uint32_t at[3], base = 512 + alignment + 16 * random_below(random, 4),
                        turns = subject->least + random_below(random, 24);
        for (unsigned k = 0; k < 3; k++)
            at[k] = base + (uint32_t)distance[k];
        for (size_t k = 0; k < ARENA; k++)
            before[k] = (uint8_t)random_below(random, 256);
        struct launch launch;
        make_launch(b, subject, at, turns, &launch);
        run(b, subject, &launch, false, before, first);
        run(b, subject, &launch, true, before, second);
        different += memcmp(first, second, ARENA) != 0;
        if (b->compiler.lie) continue;
        for (size_t k = 0; k < ARENA; k++)
            cr_assert_eq(first[k], second[k], "%s, %u turns, distances %d %d: byte %zu is %u, of the first compile %u",
                         subject->kernel, turns, distance[1], distance[2], k, second[k], first[k]);
    }
    return different;
}

Test(alias, random,
     .description =
         "AM-8 AM-13 AM-17 random overlaps, places and trip counts: the second compile's results are the first's "
         "[model]") {
    enum { SETTINGS = 3, LAUNCHES = 25 };
    uint64_t random = chosen_seed();
    static struct bench b;
    bench_open(&b, "tests/kernels/aliasing.cl", 0);
    for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++) {
        const struct subject *subject = &subjects[s];
        for (unsigned setting = 0; setting < SETTINGS; setting++) {
            int32_t distance[3] = {0, 500, -500};
            // The first setting is mostly apart; the others are near each other, in elements, now and then in bytes.
            for (unsigned k = 1; k < 3 && setting > 0; k++) {
                int32_t elements = (int32_t)random_below(&random, 19) - 9;
                distance[k] = elements * (int32_t)subject->element;
            }
            compare(&b, subject, &random, distance, laps_from_environment(LAUNCHES));
        }
    }
    struct tandem_recompile_counts counts = tandem_recompile_counts(b.module);
    printf("test_alias: %llu launches, %u second compiles, %u refused, %.1f s\n", (unsigned long long)counts.launches,
           counts.compiles, counts.refused, counts.seconds);
    cr_assert_gt(counts.hits, 500);
    bench_close(&b);
}

Test(alias, lies,
     .description = "AM-8 AM-13 metadata that is not true gives wrong results: so the comparison can fail [model]") {
    uint64_t random = chosen_seed();
    static struct bench b;
    bench_open(&b, "tests/kernels/aliasing.cl", 0);
    b.compiler.lie = true;
    static const int32_t distances[][3] = {{0, 4, 0}, {0, 8, 0}};
    for (unsigned k = 0; k < 2; k++)
        cr_assert_gt(compare(&b, &subjects[1], &random, distances[k], 20), 10, "pieces, distance %d", distances[k][1]);
    cr_assert_gt(compare(&b, &subjects[10], &random, distances[0], 20), 10, "straight");
    bench_close(&b);
}
