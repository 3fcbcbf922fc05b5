// overlaps: kernels whose buffers overlap in as many ways as wanted, with many work-items: what the second compile
// leaves in memory against what the first leaves.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/options.h"
#include "compiler/compiler.h"
#include "driver/recompile.h"
#include "random_numbers.h"

static const char help[] =
    "usage: overlaps [OPTION]...\n"
    "Random places of three buffers, launched with the first compile and with a second one for these places.\n"
    "  --device NAME   default model:small\n"
    "  --count N       overlaps (60)\n"
    "  --items N       work-items of a launch, at most (64)\n"
    "  --seed N        of places and contents (1)\n"
    "  --lie           the second compile is told that all buffers are apart: then differences must come\n"
    "  --kernels DIR   where overlaps.cl is (tests/kernels)\n"
    "Exit status 0 PASS, 1 FAIL, 2 wrong usage.\n";

enum {
    BUFFERS = 3,
    ARGUMENTS = 5,
    TURNS_MOST = 24,
    NEAR = 20,                          // elements that buffers which overlap may lie apart
    PITCH = TURNS_MOST + 2 * NEAR + 8,  // elements: see overlaps.cl
    GROUP = 32,
    ITEMS_MOST = 256,
    BUFFER = (ITEMS_MOST + 1) * PITCH * 4,  // bytes of a buffer's rows
    ARENA = BUFFERS * (BUFFER + 4096),
    PROGRAM_CASES = 60,  // then the program is loaded anew, since code memory is short
    LAUNCHES = 2,        // for each overlap
};

static const struct {
    const char *name;
    unsigned element;
} kernels[] = {{"map", 4},    {"scan", 4},     {"stencil", 4}, {"bytes", 1},   {"shorts", 2},
               {"chain", 4},  {"gather", 4},   {"look_up", 1}, {"vectors", 4}, {"downwards", 4},
               {"leaves", 4}, {"branches", 4}, {"nested", 4},  {"straight", 4}};
enum { KERNELS = sizeof kernels / sizeof *kernels };

struct run {
    const char *device_name, *folder;
    uint64_t count, items, seed, random;
    bool lie;
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    struct compiler_result program;
    tandem_addr arena;
    uint64_t launches, second, different, compiles, refused;
    double seconds;
};

// Where the buffers lie, and who says so.
struct overlap {
    unsigned kernel;
    uint32_t at[BUFFERS];  // in the arena
    bool told;             // regions that the caller knows; else those of the heap, which is one for all of them
    struct tandem_region regions[ARGUMENTS];
};

static bool good(struct run *r, const char *what, enum tandem_status status) {
    if (status == TANDEM_OK) return true;
    fprintf(stderr, "overlaps: %s: %s: %s\n", what, tandem_status_name(status), tandem_message(r->device));
    return false;
}

static bool lying(void *context, const void *program, size_t size, const struct alias_metadata *metadata,
                  struct alias_compiled *result) {
    struct alias_pair pairs[BUFFERS];
    struct alias_metadata lie = *metadata;
    lie.pairs = pairs;
    for (size_t k = 0; k < lie.pair_count; k++)
        pairs[k] = (struct alias_pair){metadata->pairs[k].first, metadata->pairs[k].second, ALIAS_APART, 0};
    return compiler_compile_again(context, program, size, &lie, result);
}

static bool open_run(struct run *r) {
    char message[512], path[1024];
    snprintf(path, sizeof path, "%s/overlaps.cl", r->folder);
    if (!compiler_compile_file(path, NULL, &r->program)) {
        fprintf(stderr, "overlaps: %s\n", r->program.messages != NULL ? r->program.messages : "no memory");
        return false;
    }
    if (tandem_open(r->device_name, &r->device, message, sizeof message) != TANDEM_OK) {
        fprintf(stderr, "overlaps: %s\n", message);
        return false;
    }
    if (r->lie) tandem_set_compiler(r->device, lying, NULL);
    return good(r, "channel", tandem_channel_open(r->device, 16, 0, &r->channel)) &&
           good(r, "memory", tandem_alloc(r->device, ARENA, 256, &r->arena));
}

static void count_module(struct run *r) {
    if (r->module == NULL) return;
    const struct tandem_recompile_counts counts = tandem_recompile_counts(r->module);
    r->compiles += counts.compiles;
    r->refused += counts.refused;
    r->second += counts.launches - counts.first;
    r->seconds += counts.seconds;
    tandem_module_unload(r->module);
    r->module = NULL;
}

static bool load_anew(struct run *r) {
    count_module(r);
    return good(r, "program", tandem_module_load(r->device, r->program.elf, r->program.elf_size, &r->module));
}

// A place of buffer k: near the first one, or apart from all others.
static void place(struct run *r, struct overlap *o) {
    const uint32_t element = kernels[o->kernel].element;
    const uint32_t alignment = element * random_below(&r->random, 16 / element);
    for (uint32_t k = 0; k < BUFFERS; k++) {
        const bool near = k > 0 && (r->lie || random_below(&r->random, 3) != 0);
        // What is a turn or two away is what code that was told a lie gets wrong.
        const uint32_t reach = r->lie ? 3 : NEAR;
        const int32_t distance = (int32_t)(random_below(&r->random, 2 * reach + 1) - reach);
        o->at[k] = near ? (uint32_t)((int32_t)o->at[0] + distance * (int32_t)element)
                        : k * (BUFFER + 4096) + 1024 + alignment + (k > 0 ? element * random_below(&r->random, 8) : 0);
    }
}

// Sub-buffers: some elements before each pointer belong to it, and some behind its rows.
static void tell_regions(struct run *r, struct overlap *o) {
    const uint32_t element = kernels[o->kernel].element;
    for (uint32_t k = 0; k < BUFFERS; k++) {
        const uint32_t before = element * random_below(&r->random, 5), behind = random_below(&r->random, 64);
        o->regions[k] =
            (struct tandem_region){r->arena + o->at[k] - before, before + BUFFER - PITCH * 4 + behind, before};
    }
}

static bool launch(struct run *r, const struct overlap *o, uint32_t turns, uint32_t items, bool second,
                   const uint8_t *before, uint8_t *after) {
    const struct tandem_recompile_options recompile = {
        .when = second ? TANDEM_RECOMPILE_ALWAYS : TANDEM_RECOMPILE_NEVER, .variants_max = PROGRAM_CASES};
    tandem_set_recompile(r->device, &recompile);
    tandem_addr pointers[BUFFERS];
    const uint32_t pitch = PITCH;
    struct tandem_argument arguments[ARGUMENTS] = {[BUFFERS] = {&turns, 4}, {&pitch, 4}};
    for (unsigned k = 0; k < BUFFERS; k++) {
        pointers[k] = r->arena + o->at[k];
        arguments[k] = (struct tandem_argument){&pointers[k], 4};
    }
    const struct tandem_range range = {.dimensions = 1, .global = {items}, .local = {items < GROUP ? items : GROUP}};
    const char *name = kernels[o->kernel].name;
    r->launches++;
    return good(r, "write", tandem_write(r->device, r->arena, before, ARENA)) &&
           good(r, name,
                tandem_launch_regions(r->channel, r->module, name, &range, NULL, arguments, o->told ? o->regions : NULL,
                                      ARGUMENTS)) &&
           good(r, name, tandem_finish(r->channel, 0)) &&
           good(r, "read", tandem_read(r->device, r->arena, after, ARENA));
}

static bool one_overlap(struct run *r, uint64_t number) {
    static uint8_t before[ARENA], first[ARENA], second[ARENA];
    struct overlap o = {.kernel = (unsigned)(number % KERNELS), .told = random_below(&r->random, 2) != 0};
    place(r, &o);
    tell_regions(r, &o);
    const uint32_t groups = (uint32_t)r->items / GROUP;
    for (unsigned n = 0; n < LAUNCHES; n++) {
        const uint32_t turns = 1 + random_below(&r->random, TURNS_MOST);
        const uint32_t items = groups > 1 ? GROUP * (1 + random_below(&r->random, groups)) : (uint32_t)r->items;
        for (size_t k = 0; k < ARENA; k += 4) {
            const uint32_t word = random_below(&r->random, UINT32_MAX);
            memcpy(before + k, &word, 4);
        }
        if (!launch(r, &o, turns, items, false, before, first) || !launch(r, &o, turns, items, true, before, second))
            return false;
        if (memcmp(first, second, ARENA) == 0) continue;
        if (r->different++ > 0 || r->lie) continue;
        size_t at = 0;
        while (first[at] == second[at])
            at++;
        fprintf(
            stderr,
            "overlaps: overlap %llu, %s, buffers at %u %u %u%s, %u turns, %u work-items: byte %zu is %u, of the first "
            "compile %u\n",
            (unsigned long long)number, kernels[o.kernel].name, o.at[0], o.at[1], o.at[2],
            o.told ? " with regions told" : "", turns, items, at, second[at], first[at]);
    }
    return true;
}

static bool run_all(struct run *r) {
    time_t shown = time(NULL);
    r->random = r->seed;
    for (uint64_t k = 0; k < r->count; k++) {
        if (k % PROGRAM_CASES == 0 && !load_anew(r)) return false;
        if (!one_overlap(r, k)) return false;
        if (time(NULL) - shown < 30) continue;
        shown = time(NULL);
        fprintf(stderr, "overlaps: %llu of %llu, %llu launches differ\n", (unsigned long long)k,
                (unsigned long long)r->count, (unsigned long long)r->different);
    }
    count_module(r);
    return true;
}

int main(int argc, char **argv) {
    static struct run r = {
        .device_name = "model:small", .folder = "tests/kernels", .count = 60, .items = 64, .seed = 1};
    const struct option_row rows[] = {{"--device", NULL, 0, 0, &r.device_name},
                                      {"--count", &r.count, 1, 1000000, NULL},
                                      {"--items", &r.items, 1, ITEMS_MOST, NULL},
                                      {"--seed", &r.seed, 0, UINT64_MAX, NULL},
                                      {"--kernels", NULL, 0, 0, &r.folder}};
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "--lie") == 0) r.lie = true, argc--, argv++;
    if (!options_parse("overlaps", rows, sizeof rows / sizeof *rows, argc, argv, NULL, NULL)) return 2;
    bool done = open_run(&r) && run_all(&r);
    if (r.channel != NULL) tandem_channel_close(r.channel);
    tandem_module_unload(r.module);
    if (r.device != NULL && tandem_close(r.device) != TANDEM_OK) done = false;
    compiler_result_free(&r.program);
    if (done && r.second == 0) fprintf(stderr, "overlaps: no launch ran a second compile\n");
    done = done && r.second > 0 && (r.different > 0) == r.lie;
    printf("%s: %s overlaps=%llu launches=%llu second=%llu compiles=%llu refused=%llu different=%llu seconds=%.1f\n",
           r.device_name, done ? "PASS" : "FAIL", (unsigned long long)r.count, (unsigned long long)r.launches,
           (unsigned long long)r.second, (unsigned long long)r.compiles, (unsigned long long)r.refused,
           (unsigned long long)r.different, r.seconds);
    if (!r.lie) printf("shows: AM-8 AM-9 AM-13 [%s]\n", strncmp(r.device_name, "tandem", 6) == 0 ? "tandem" : "model");
    return done ? 0 : 1;
}
