// Accesses of 64 and 128 bits that the compiler makes: results against words, the code, few registers, and pointers
// that are not aligned.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "kernel_runner.h"

enum { ITEMS = 90, LOCAL = 32, GLOBAL = 96, IN_WORDS = 16 * GLOBAL, OUT_WORDS = 64 * GLOBAL };

static const struct tandem_range line_of_items = {.dimensions = 1, .global = {GLOBAL}, .local = {LOCAL}};

static void fill(uint32_t *in, size_t count) {
    uint64_t state = 31;
    for (size_t k = 0; k < count; k++)
        in[k] = mixed_number(&state);
}

static void halves_agree(const char *device, const char *kernel, unsigned register_limit) {
    static uint32_t in[IN_WORDS], out[OUT_WORDS];
    const struct compiler_options options = {.register_limit = register_limit};
    struct runner runner;
    fill(in, IN_WORDS);
    runner_open(&runner, device, "wide_access.cl", &options);
    tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof out);
    const uint32_t n = ITEMS;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    runner_launch(&runner, kernel, &line_of_items, arguments, 3);
    runner_read(&runner, to, out, sizeof out);
    runner_close(&runner);
    uint32_t any = 0;
    for (uint32_t k = 0; k < OUT_WORDS; k += k % 64 == 31 ? 33 : 1) {
        cr_assert_eq(out[k], out[k + 32], "%s on %s, %u registers: work-item %u, word %u: %08x, by words %08x", kernel,
                     device, register_limit, k / 64, k % 64, out[k], out[k + 32]);
        any |= out[k];
    }
    cr_assert_neq(any, 0, "%s has written nothing", kernel);
}

// The same with so few registers that there is no room for tuples, and for values neither.
static void with_limits(const char *kernel) {
    static const unsigned limits[] = {0, 40, 24, 16, 12};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        halves_agree("model:small", kernel, limits[k]);
}

static void in_tandem(const char *kernel) {
    static const char *const devices[] = {"tandem:nano", "tandem:small", "tandem:full"};
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k++) {
        if (runner_has(devices[k])) halves_agree(devices[k], kernel, 0);
    }
}

#define WIDE(kernel, what)                                                                            \
    Test(wide_access, kernel, .description = "AM-10 " what ", with many registers and few [model]") { \
        with_limits(#kernel);                                                                         \
    }                                                                                                 \
    Test(wide_access, tandem_##kernel, .description = "AM-10 " what ", nano, small, full [tandem]") { \
        in_tandem(#kernel);                                                                           \
    }
WIDE(wide_copies, "vectors of words and 64-bit integers")
WIDE(wide_blends, "parts of several vectors")
WIDE(wide_narrow, "vectors of bytes and halves as words")
WIDE(wide_structures, "structures")
WIDE(wide_flow, "vectors over divergent loops and branches")
WIDE(wide_spaces, "vectors in the work-group's memory, in tables and private arrays")
WIDE(wide_pressure, "many vectors alive")

// Buffers that begin at every multiple of 4 up to 16.
Test(wide_access, words_where_unaligned,
     .description = "AM-10 what is not known to be aligned is accessed by words and never faults [model]") {
    static uint32_t in[6 * ITEMS + 4], out[6 * ITEMS + 4];
    struct runner runner;
    fill(in, sizeof in / 4);
    runner_open(&runner, "model:small", "wide_access.cl", NULL);
    for (uint32_t shift = 0; shift < 16; shift += 4) {
        tandem_addr from = runner_buffer(&runner, in, sizeof in) + shift,
                    to = runner_buffer(&runner, NULL, sizeof out) + 16 - shift;
        const uint32_t n = ITEMS;
        const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
        runner_launch(&runner, "unaligned", &line_of_items, arguments, 3);
        runner_read(&runner, to, out, 4 * 6 * ITEMS);
        for (uint32_t k = 0; k < 6 * ITEMS; k++)
            cr_assert_eq(out[k], in[k + shift / 4] + (k < 4 * ITEMS ? 1 : 2), "shift %u, word %u", shift, k);
    }
    runner_close(&runner);
}

Test(wide_access, packed_structures, .description = "AM-10 packed structures at odd addresses [model]") {
    static uint8_t in[25 * ITEMS + 1], out[25 * ITEMS + 1];
    struct runner runner;
    for (size_t k = 0; k < sizeof in; k++)
        in[k] = (uint8_t)(k * 7 + k / 256);
    runner_open(&runner, "model:small", "wide_access.cl", NULL);
    tandem_addr from = runner_buffer(&runner, in, sizeof in) + 1, to = runner_buffer(&runner, NULL, sizeof out) + 1;
    const uint32_t n = ITEMS;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    runner_launch(&runner, "packed", &line_of_items, arguments, 3);
    runner_read(&runner, to, out, 25 * ITEMS);
    cr_assert_arr_eq(out, in + 1, 25 * ITEMS);
    runner_close(&runner);
}

// An element that is promised to be aligned and is not: a named fault, and the channel is to blame nobody else for it.
Test(wide_access, broken_promise, .description = "AM-10 a float4 at a wrong address faults, it does not hang [model]") {
    struct runner runner;
    runner_open(&runner, "model:small", "wide_access.cl", NULL);
    tandem_addr from = runner_buffer(&runner, NULL, 4096) + 4, to = runner_buffer(&runner, NULL, 4096);
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
    cr_assert_not(runner_try(&runner, "copy_quads", &line_of_items, arguments, 2, 1000000));
    cr_assert_not_null(strstr(tandem_message(runner.device), "MEMORY_ALIGNMENT"), "%s", tandem_message(runner.device));
    runner_close(&runner);
}

// ---- the code ----

static char *machine_of(const char *source, unsigned register_limit) {
    const struct compiler_options options = {.keep_asm = true, .register_limit = register_limit};
    struct compiler_result result;
    cr_assert(compiler_compile(source, strlen(source), "test.cl", &options, &result), "%s", result.messages);
    char *machine = result.machine;
    result.machine = NULL;
    compiler_result_free(&result);
    return machine;
}

static unsigned count(const char *text, const char *what) {
    unsigned found = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        found++;
    return found;
}

struct expected {
    const char *source;
    const char *mnemonics[3];
    unsigned counts[3];
};

Test(wide_access, code, .description = "AM-10 one instruction for each 16 bytes, no moves for plain copies [model]") {
    static const struct expected all[] = {
        {"kernel void k(global float4 *o, global float4 *i) { o[get_global_id(0)] = i[get_global_id(0)]; }",
         {"LDG.128", "STG.128", " MOV "},
         {1, 1, 0}},
        {"kernel void k(global uchar16 *o, global uchar16 *i) { o[get_global_id(0)] = i[get_global_id(0)]; }",
         {"LDG.128", "STG.128", "UBFE"},
         {1, 1, 0}},
        {"kernel void k(global ulong *o, global ulong *i) { o[get_global_id(0)] += i[get_global_id(0)]; }",
         {"LDG.64", "STG.64", " MOV "},
         {2, 1, 0}},
        {"kernel void k(global float4 *o, global float4 *i, float a) {"
         " o[get_global_id(0)] += a * i[get_global_id(0)]; }",
         {"LDG.128", "STG.128", " MOV "},
         {2, 1, 0}},
        {"struct s { int a, b; long c; float d, e; };"
         "kernel void k(global struct s *o, global struct s *i) { o[get_global_id(0)] = i[get_global_id(0)]; }",
         {"LDG.64", "STG.64", " MOV "},
         {3, 3, 0}},
        {"kernel void k(global uchar4 *o, global uchar4 *i) { o[get_global_id(0)] = i[get_global_id(0)].wzyx; }",
         {"LDG.32", "STG.32", "STG.u8"},
         {1, 1, 0}},
        {"kernel void k(global float4 *o) { o[get_global_id(0)] = 0; }", {"STG.128", " MOV", "LDG"}, {1, 0, 0}},
        {"kernel void k(global float *o, global float *i) { vstore4(vload4(0, i), 0, o); }",
         {"LDG.32", "STG.32", "128"},
         {4, 4, 0}},
        {"kernel void k(global float4 *o, local float4 *l) { o[get_global_id(0)] = l[get_local_id(0)]; }",
         {"LDS.128", "STG.128", "LDS.32"},
         {1, 1, 0}},
        {"kernel void k(global volatile uint4 *o, global volatile uint4 *i) { o[0] = i[0]; }",
         {"LDG.32", "STG.32", "128"},
         {4, 4, 0}},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char *machine = machine_of(all[k].source, 0);
        for (unsigned m = 0; m < 3; m++)
            cr_assert_eq(count(machine, all[k].mnemonics[m]), all[k].counts[m], "%s: %u, not %u\n%s\n%s",
                         all[k].mnemonics[m], count(machine, all[k].mnemonics[m]), all[k].counts[m], all[k].source,
                         machine);
        free(machine);
    }
}

Test(wide_access, no_room, .description = "AM-10 without room for tuples there are words and no moves [model]") {
    char *machine = machine_of(
        "kernel void k(global float4 *o, global float4 *i, float a) { o[get_global_id(0)] += a * i[get_global_id(0)]; "
        "}",
        9);
    cr_assert_eq(count(machine, "128"), 0, "%s", machine);
    cr_assert_eq(count(machine, "STG.32"), 4, "%s", machine);
    cr_assert_eq(count(machine, " MOV "), 0, "%s", machine);
    free(machine);
}
