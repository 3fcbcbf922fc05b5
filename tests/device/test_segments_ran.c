// What the compiler does about segments, seen in what has run: in sub-vector order an instruction is issued once for each portion, so the number of
// instructions tells which segments were in which order; the cache, the cycles and the resident warps tell what it is good for.
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "gen/registers.h"
#include "isa/code_object.h"
#include "on_devices.h"

#define DEADLINE 20000000u

enum { WORDS = 1 << 15, ITEMS = 64, ITEMS_MAX = 2048 };

// Two loops, of which the second needs more registers than the first.
static const char two_loops[] =
    "kernel void k(global const uint *a, global uint *out, uint n) {\n"
    "  uint g = get_global_id(0), s = 0, p = 1;\n"
    "  for (uint i = 0; i < n; i++) s += a[g * 16 + i];\n"
    "  for (uint i = 0; i < n; i++) p = p * a[i * 64 + g] + a[i + s % 16] * a[g + i] + a[g ^ i] * (s + i) + a[g + 7 * "
    "i] * a[s % 32 + g];\n"
    "  out[g] = s ^ p;\n"
    "}\n";
// A straight run with many values alive, and little in its loop; a function that is inlined twice.
static const char straight[] =
    "uint f(uint x, uint y, uint z) { return x * y + z * x * x + y * z + (x >> 3) * 5 + (y ^ z) * 7; }\n"
    "kernel void k(global const uint *a, global uint *out, uint n) {\n"
    "  uint g = get_global_id(0);\n"
    "  global const uint *p = a + g * 8;\n"
    "  uint b = p[0], c = p[1], d = p[2], e = p[3], h = p[4], i = p[5], j = p[6], l = p[7];\n"
    "  uint s = (b * l + c * j + d * i + e * h) * (b + c + d + e) * (h + i + j + l);\n"
    "  for (uint k = 0; k < n; k++) s = s * 3 + k;\n"
    "  s = f(s, s + 1, g);\n"
    "  out[g] = f(s, g, s >> 5);\n"
    "}\n";
// Work-items that meet at a barrier in each round.
static const char meeting[] =
    "kernel void k(global const uint *a, global uint *out, uint n) {\n"
    "  local uint t[64];\n"
    "  uint g = get_global_id(0), l = get_local_id(0), size = get_local_size(0), s = 0;\n"
    "  for (uint r = 0; r < n; r++) {\n"
    "    t[l] = a[g * 16 + r] + s;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    s = s * 3 + t[(l + 1) % size];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  out[g] = s;\n"
    "}\n";

struct session {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_info info;
    uint32_t portions;
    tandem_addr in, out;
};

struct ran {
    uint64_t instructions, cycles;
    uint32_t resident, misses, registers, shared;
    char *report;
    uint32_t out[ITEMS_MAX];
};

static void begin(struct session *s, const char *name) {
    static uint32_t data[WORDS];
    s->device = open_device(name);
    tandem_get_info(s->device, &s->info);
    s->portions = s->info.threads / s->info.lanes;
    must(s->device, TANDEM_OK, tandem_channel_open(s->device, 16, 0, &s->channel));
    for (uint32_t k = 0; k < WORDS; k++)
        data[k] = k * 2654435761u ^ k >> 3;
    s->in = new_words(s->device, WORDS);
    s->out = new_words(s->device, ITEMS_MAX);
    must(s->device, TANDEM_OK, tandem_write(s->device, s->in, data, sizeof data));
}

static void end(struct session *s) {
    must(s->device, TANDEM_OK, tandem_channel_close(s->channel));
    close_device(s->device);
}

static uint32_t misses_of(const struct session *s) {
    uint32_t sum = 0;
    for (uint32_t sm = 0; sm < s->info.sms; sm++) {
        tandem_reg_write(s->device, REG_WARP_SELECT, REG_WARP_SELECT_SM(sm));
        sum += tandem_reg_read(s->device, REG_L1_MISSES);
    }
    return sum;
}

// The waits of the driver look at the device only every few thousand cycles.
static uint64_t wait_closely(struct session *s) {
    struct tandem_statistics at;
    const tandem_addr done = new_words(s->device, 1);
    must(s->device, TANDEM_OK, tandem_semaphore_release(s->channel, done, 1, true));
    must(s->device, TANDEM_OK, tandem_submit(s->channel));
    for (uint32_t k = 0; k < DEADLINE / 64 && read_word(s->device, done) == 0; k++)
        must(s->device, TANDEM_OK, tandem_run(s->device, 64));
    tandem_get_statistics(s->device, &at);
    must(s->device, TANDEM_OK, tandem_finish(s->channel, DEADLINE));
    must(s->device, TANDEM_OK, tandem_free(s->device, done));
    return at.cycles;
}

static void run(struct session *s, struct compiler_result *result, const char *kernel, uint32_t items, uint32_t n,
                struct ran *to) {
    struct tandem_statistics before, after;
    struct tandem_module *module;
    struct code_object object;
    char error[256];
    cr_assert(code_object_read(result->elf, result->elf_size, &object, error, sizeof error), "%s", error);
    const struct code_kernel *found = code_object_find(&object, kernel);
    to->registers = found->registers;
    to->shared = found->shared_rows;
    code_object_free(&object);
    must(s->device, TANDEM_OK, tandem_module_load(s->device, result->elf, result->elf_size, &module));
    const struct tandem_range range = {.dimensions = 1, .global = {items}, .local = {s->info.threads}};
    const struct tandem_argument arguments[] = {{&s->in, 4}, {&s->out, 4}, {&n, 4}};
    memset(to->out, 0, sizeof to->out);
    must(s->device, TANDEM_OK, tandem_write(s->device, s->out, to->out, sizeof to->out));
    tandem_reg_write(s->device, REG_WARPS_RESIDENT, 0);
    const uint32_t misses = misses_of(s);
    tandem_get_statistics(s->device, &before);
    must(s->device, TANDEM_OK, tandem_launch(s->channel, module, kernel, &range, arguments, 3));
    to->cycles = wait_closely(s) - before.cycles;
    tandem_get_statistics(s->device, &after);
    to->instructions = after.warp_instructions - before.warp_instructions;
    to->resident = tandem_reg_read(s->device, REG_WARPS_RESIDENT) >> 16;
    to->misses = misses_of(s) - misses;
    must(s->device, TANDEM_OK, tandem_read(s->device, s->out, to->out, sizeof to->out));
    tandem_module_unload(module);
}

static void run_source(struct session *s, const char *source, struct subvector_options subvector, struct ran *to) {
    subvector.target = s->info.config;
    const struct compiler_options options = {.subvector = subvector};
    struct compiler_result result;
    cr_assert(compiler_compile(source, strlen(source), "k.cl", &options, &result), "%s", result.messages);
    run(s, &result, "k", ITEMS, 12, to);
    free(to->report);
    to->report = strdup(result.segments != NULL ? result.segments : "");
    compiler_result_free(&result);
}

#define WAY(w, c, t)                                                                                                \
    (struct subvector_options) {                                                                                    \
        .way = SUBVECTOR_##w, .cut = CUT_##c, .threshold_kind = THRESHOLD_SET, .threshold = t, .all_segments = true \
    }

static void same_results(const struct ran *a, const struct ran *b, const char *what) {
    for (uint32_t k = 0; k < ITEMS; k++)
        cr_assert_eq(a->out[k], b->out[k], "%s: item %u: %08x, in regular order %08x", what, k, a->out[k], b->out[k]);
}

// How many instructions were issued in addition, for each that a portion more would issue.
static double more(const struct session *s, const struct ran *ran, const struct ran *regular) {
    return ((double)ran->instructions / (double)regular->instructions - 1) / (s->portions - 1);
}

static struct session s;
static struct ran regular, now, other;

static void cuts(const char *name) {
    begin(&s, name);
    run_source(&s, two_loops, (struct subvector_options){.way = SUBVECTOR_OFF}, &regular);
    run_source(&s, two_loops, WAY(INSTRUCTIONS, LOOPS, 250), &now);
    cr_expect_eq(now.instructions, regular.instructions, "under the threshold all stays in regular order");
    run_source(&s, two_loops, WAY(INSTRUCTIONS, LOOPS, 1), &now);
    same_results(&now, &regular, "both loops");
    cr_expect_gt(more(&s, &now, &regular), 0.8, "nearly all is in loops: %llu instructions, regular %llu",
                 (unsigned long long)now.instructions, (unsigned long long)regular.instructions);
    // Of the two loops one needs more registers: thresholds between the two take it alone.
    unsigned between = 0;
    for (unsigned threshold = 2; threshold < 40; threshold++) {
        run_source(&s, two_loops, WAY(INSTRUCTIONS, LOOPS, threshold), &other);
        same_results(&other, &regular, "one loop");
        const uint64_t gap = now.instructions - regular.instructions, taken = other.instructions - regular.instructions;
        between += taken > gap / 8 && taken < gap - gap / 8;
        if (between > 0 || other.instructions == regular.instructions) break;
    }
    cr_expect_gt(between, 0, "no threshold takes one loop alone");
    // A kernel without much in loops: runs and functions are other segments than loops.
    run_source(&s, straight, (struct subvector_options){.way = SUBVECTOR_OFF}, &regular);
    run_source(&s, straight, WAY(INSTRUCTIONS, LOOPS, 0), &now);
    run_source(&s, straight, WAY(INSTRUCTIONS, FUNCTIONS, 0), &other);
    same_results(&now, &regular, "loops");
    same_results(&other, &regular, "functions");
    cr_expect_gt(now.instructions, regular.instructions);
    cr_expect_gt(other.instructions, regular.instructions);
    cr_expect_neq(other.instructions, now.instructions, "functions are other segments than loops");
    run_source(&s, straight, WAY(INSTRUCTIONS, RUNS, 0), &other);
    same_results(&other, &regular, "runs");
    cr_expect_gt(other.instructions, now.instructions, "all runs are more than the loop");
    end(&s);
}
ON_DEVICES(segments_ran, cuts,
           "SV-10 SV-12 SV-13 loops, functions and runs as segments; a threshold takes those that need more")

// The most that is alive at once is the number from which on nothing is over the threshold.
static void needs(const char *name) {
    begin(&s, name);
    run_source(&s, straight, (struct subvector_options){.way = SUBVECTOR_OFF}, &regular);
    const unsigned most = regular.registers;
    run_source(&s, straight, WAY(INSTRUCTIONS, PRESSURE, most), &now);
    cr_expect_eq(now.instructions, regular.instructions, "%u registers are enough for all", most);
    run_source(&s, straight, WAY(INSTRUCTIONS, PRESSURE, most - 2), &now);
    same_results(&now, &regular, "pressure");
    cr_expect_gt(now.instructions, regular.instructions, "two less are not, somewhere: %s", now.report);
    run_source(&s, straight, WAY(INSTRUCTIONS, PRESSURE, 3), &other);
    cr_expect_gt(other.instructions, now.instructions, "the lower the threshold, the more is over it");
    end(&s);
}
ON_DEVICES(segments_ran, needs, "SV-11 SV-12 SV-13 the registers that liveness finds, against the threshold")

// Each way runs the segment once for each portion (a loop over halves: twice); the other default, all but the segment.
static void ways(const char *name) {
    begin(&s, name);
    run_source(&s, two_loops, (struct subvector_options){.way = SUBVECTOR_OFF}, &regular);
    const enum subvector_way all[] = {SUBVECTOR_INSTRUCTIONS, SUBVECTOR_COPIES, SUBVECTOR_LOOP};
    for (size_t k = 0; k < 3; k++) {
        struct subvector_options options = WAY(INSTRUCTIONS, LOOPS, 1);
        options.way = all[k];
        run_source(&s, two_loops, options, &now);
        same_results(&now, &regular, "a way");
        const double times = (double)now.instructions / (double)regular.instructions,
                     wanted = all[k] == SUBVECTOR_LOOP ? 2 : s.portions;
        // A loop over halves of a warp that is two portions wide is what the others are.
        cr_expect(times > 0.8 * wanted && times < 1.3 * wanted,
                  "way %u: %.2f times the instructions, expected about %.0f\n%s", (unsigned)all[k], times, wanted,
                  now.report);
    }
    struct subvector_options options = WAY(INSTRUCTIONS, LOOPS, 250);
    options.everywhere = true;
    run_source(&s, straight, options, &other);
    run_source(&s, straight, (struct subvector_options){.way = SUBVECTOR_OFF}, &regular);
    same_results(&other, &regular, "all but the loop");
    options = WAY(INSTRUCTIONS, LOOPS, 0);
    run_source(&s, straight, options, &now);
    cr_expect_gt(other.instructions, regular.instructions, "the other default");
    cr_expect_neq(other.instructions, now.instructions, "all but the loop is not the loop alone");
    options.everywhere = true;
    run_source(&s, straight, options, &now);
    same_results(&now, &regular, "all");
    cr_expect_gt(now.instructions, other.instructions, "all, the loop too");
    end(&s);
}
ON_DEVICES(segments_ran, ways, "SV-14 SV-15 mode instructions, copies and a loop over halves; the other default")

// What the report says of orders and rows is what happens.
static void report(const char *name) {
    static const struct {
        const char *source;
        unsigned threshold;
        const char *says;
        bool second;
    } cases[] = {
        {two_loops, 1,
         "*k.cl:3: kernel k, loop: needs * VGPRs, threshold 1: sub-vector order (instructions), * VGPRs shared, * rows "
         "saved*",
         true},
        {two_loops, 250,
         "*k.cl:3: kernel k, loop: needs * VGPRs, threshold 250: regular order*k.cl:4: * regular order*", false},
        {meeting, 1, "*kernel k, loop: * regular order: a barrier in it*", false},
    };
    begin(&s, name);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        run_source(&s, cases[k].source, (struct subvector_options){.way = SUBVECTOR_OFF}, &regular);
        run_source(&s, cases[k].source, WAY(INSTRUCTIONS, LOOPS, cases[k].threshold), &now);
        same_results(&now, &regular, "report");
        cr_expect_eq(fnmatch(cases[k].says, now.report, 0), 0, "%zu: no %s in\n%s", k, cases[k].says, now.report);
        cr_expect_eq(now.instructions > regular.instructions, cases[k].second,
                     "%zu: %llu instructions, regular %llu\n%s", k, (unsigned long long)now.instructions,
                     (unsigned long long)regular.instructions, now.report);
        const char *rows = strstr(now.report, "kernel k: "), *of = rows != NULL ? strstr(rows, "VGPRs, ") : NULL;
        cr_assert_not_null(of, "%s", now.report);
        cr_expect_eq((uint32_t)strtoul(rows + strlen("kernel k: "), NULL, 10), now.registers, "%s", now.report);
        cr_expect_eq((uint32_t)strtoul(of + strlen("VGPRs, "), NULL, 10), now.shared, "%s", now.report);
    }
    end(&s);
}
ON_DEVICES(segments_ran, report,
           "SV-17 SV-18 the report of segments against what ran; a barrier keeps its loop regular")

// ---- what it is good for ----

static void run_file(struct session *at, const char *kernel, const char *macros, uint32_t items, uint32_t n,
                     struct subvector_options subvector, struct ran *to) {
    subvector.target = at->info.config;
    const struct compiler_options options = {.clang_options = macros, .subvector = subvector};
    struct compiler_result result;
    cr_assert(compiler_compile_file("tests/kernels/segments.cl", &options, &result), "%s", result.messages);
    run(at, &result, kernel, items, n, to);
    compiler_result_free(&result);
}

// A kernel that waits for memory and then needs many registers for a short while: more warps are resident, and fewer cycles pass, since others go on
// while one waits.
static void many_registers(const char *name) {
    begin(&s, name);
    // On the widest configuration one wave of warps: its simulation is slow.
    const bool nano = strcmp(s.info.config, "nano") == 0, full = strcmp(s.info.config, "full") == 0;
    const uint32_t items = (full ? 1 : 3) * s.info.threads * s.info.warps * s.info.sms;
    const char *macros = nano ? "-DVALUES=20 -DROW=73" : "-DVALUES=80 -DROW=73";
    run_file(&s, "wait_and_mix", macros, items, 96, (struct subvector_options){.way = SUBVECTOR_OFF}, &regular);
    run_file(&s, "wait_and_mix", macros, items, 96, (struct subvector_options){.way = SUBVECTOR_INSTRUCTIONS}, &now);
    fprintf(stderr, "%s: wait_and_mix: %u warps resident, %llu cycles; with segments %u warps, %llu cycles\n", name,
            regular.resident, (unsigned long long)regular.cycles, now.resident, (unsigned long long)now.cycles);
    for (uint32_t k = 0; k < items; k++)
        cr_assert_eq(now.out[k], regular.out[k], "item %u", k);
    cr_expect_gt(now.shared, 0);
    cr_expect_gt(now.resident, regular.resident);
    // Two portions a warp leave so many warps resident in regular order that they hide the memory already.
    if (strncmp(name, "model", 5) != 0 && s.portions > 2) cr_expect_lt(now.cycles, regular.cycles);
    end(&s);
}
ON_DEVICES(segments_ran, many_registers,
           "SV-16 SV-19 many registers for a short while: more warps are resident, fewer cycles pass")

// Work-items that walk along rows of their own: what all portions read does not fit into the cache, what one reads does.
static void thrashing(const char *name) {
    begin(&s, name);
    const bool full = strcmp(s.info.config, "full") == 0;
    const uint32_t items = s.info.threads * s.info.sms * (full ? 2 : s.info.warps);
    const char *macros = full ? "-DSTEP -DROW=76" : "-DSTEP -DROW=73";
    run_file(&s, "row_sums", macros, items, 64, (struct subvector_options){.way = SUBVECTOR_OFF}, &regular);
    run_file(&s, "row_sums", macros, items, 64, WAY(INSTRUCTIONS, LOOPS, 0), &now);
    fprintf(stderr, "%s: row_sums: %u misses, %llu cycles; around the loop %u misses, %llu cycles\n", name,
            regular.misses, (unsigned long long)regular.cycles, now.misses, (unsigned long long)now.cycles);
    for (uint32_t k = 0; k < items; k++)
        cr_assert_eq(now.out[k], regular.out[k], "item %u", k);
    cr_expect_lt(2 * now.misses, regular.misses);
    cr_expect_lt(now.cycles, regular.cycles);
    end(&s);
}
Test(segments_ran, thrashing_rtl, .description = "SV-19 a working set that fits in the second order only [rtl]") {
    thrashing("rtl:nano,latency=60");
}
Test(segments_ran, thrashing_tandem, .description = "SV-19 a working set that fits in the second order only [tandem]") {
    thrashing("tandem:nano,latency=60");
}
Test(segments_ran, thrashing_small, .description = "SV-19 a working set that fits in the second order only [tandem]") {
    thrashing("tandem:small,latency=60");
}
Test(segments_ran, thrashing_full, .description = "SV-19 a working set that fits in the second order only [tandem]") {
    thrashing("tandem:full,latency=60");
}
