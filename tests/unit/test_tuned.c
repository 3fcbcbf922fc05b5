// What tuning makes of loops and addresses: a table of kernels and how often an instruction is in each; and that it
// costs no kernel its room.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "compiler/compiler.h"
#include "isa/code_object.h"
#include "machine_text.h"

#define KERNEL                                                                                                    \
    "__kernel void k(__global float *a, __global float *b, __global float *c, uint n, volatile __global int *v) " \
    "{ uint i = get_local_id(0), j = get_local_id(1); "
#define TILES "__local float l[8][8], r[8][8]; l[j][i] = a[j * 8 + i]; r[j][i] = b[j * 8 + i]; "

static const struct instruction_row rows[] = {
    {"a loop of eight turns has no jump back",
     TILES "barrier(CLK_LOCAL_MEM_FENCE); float s = 0; for (uint k = 0; k < 8; k++) s = fma(l[j][k], r[k][i], s); "
           "c[j * 8 + i] = s; }",
     "BRA", 0},
    {"its row is read four words at a time",
     TILES "barrier(CLK_LOCAL_MEM_FENCE); float s = 0; for (uint k = 0; k < 8; k++) s = fma(l[j][k], r[k][i], s); "
           "c[j * 8 + i] = s; }",
     "LDS.128", 2},
    {"and its column by offsets from one register",
     TILES "barrier(CLK_LOCAL_MEM_FENCE); float s = 0; for (uint k = 0; k < 8; k++) s = fma(l[j][k], r[k][i], s); "
           "c[j * 8 + i] = s; }",
     "IMUL", 0},
    {"a private array of constant indexes needs no memory",
     "float p[4]; for (uint k = 0; k < 4; k++) p[k] = a[i + k]; float s = 0; for (uint k = 0; k < 4; k++) s += p[3 - "
     "k]; "
     "c[i] = s; }",
     "LDL", 0},
    {"an index that is multiplied in each turn is moved instead",
     "float s = 0; for (uint k = 0; k < n; k++) { s += a[k * n + i]; if (s > 9) v[0] = 1; } c[i] = s; }", "IMUL", 0},
    {"what no loop changes is summed before it is multiplied",
     "uint g = get_group_id(0) * 8, h = get_group_id(1) * 8; c[(h + j) * n + g + i] = a[(g + j) * n + h + i]; }",
     "IMUL", 0},
    {"a loop that only loads has four turns a round, whatever its step, and one for the rest",
     "float s = 0; for (uint k = i; k < n; k += get_global_size(0)) s += a[k]; c[i] = s; }", "LDG", 5},
    {"one that also stores stays", "for (uint k = i; k < n; k += get_global_size(0)) c[k] = a[k]; }", "LDG", 1},
    {"one that counts in local memory has rounds, too",
     "__local uint m[64]; for (uint k = i; k < n; k += get_global_size(0)) atomic_inc(&m[(uint)a[k] & 63]); "
     "barrier(CLK_LOCAL_MEM_FENCE); c[i] = m[i]; }",
     "ATOMS", 5},
    {"not where its loads are volatile",
     "__local uint m[64]; for (uint k = i; k < n; k += get_global_size(0)) atomic_inc(&m[v[k & 7] & 63]); "
     "barrier(CLK_LOCAL_MEM_FENCE); c[i] = m[i]; }",
     "ATOMS", 1},
    {"nor where they are of local memory",
     "__local uint m[64]; m[i] = i; for (uint k = i; k < n; k += get_global_size(0)) atomic_inc(&m[m[k & 63] & 63]); "
     "barrier(CLK_LOCAL_MEM_FENCE); c[i] = m[i]; }",
     "ATOMS", 1},
    {"volatile loads stay as many, and in their order",
     "int s = 0; for (uint k = 0; k < 4; k++) s += v[0]; c[i] = s; }", "LDG", 4},
};

Test(tuned, table, .description = "loops of few turns are straight, addresses are a register and an offset") {
    expect_instructions(KERNEL, rows, sizeof rows / sizeof *rows);
}

Test(tuned, lone_polling_loop, .description = "TD-20 a loop that waits is not unrolled and keeps its YIELD") {
    const char *source =
        KERNEL "while (v[i] == 0) continue; for (uint k = 0; k < 4; k++) { tandem_yield(); c[k] = 1; } }";
    const struct compiler_options options = {.keep_asm = true};
    struct compiler_result result;
    cr_assert(compiler_compile(source, strlen(source), "tuned.cl", &options, &result), "%s", result.messages);
    cr_expect_eq(count_of(result.machine, "YIELD"), 2, "%s", result.machine);
    compiler_result_free(&result);
}

static uint32_t registers_of(const char *source, uint32_t limit, uint32_t *spilled) {
    const struct compiler_options options = {.register_limit = limit};
    struct compiler_result result;
    struct code_object object;
    char error[256];
    cr_assert(compiler_compile(source, strlen(source), "tuned.cl", &options, &result), "%s", result.messages);
    cr_assert(code_object_read(result.elf, result.elf_size, &object, error, sizeof error), "%s", error);
    const uint32_t registers = object.kernels[0].registers;
    *spilled = object.kernels[0].spill_bytes;
    code_object_free(&object);
    compiler_result_free(&result);
    return registers;
}

// Sums that live through a loop whose unrolled form has many loads under way.
static void write_sums(char *source, size_t size, unsigned sums) {
    size_t at = (size_t)snprintf(source, size, "__kernel void k(__global const float *a, __global float *c, uint n) {");
    for (unsigned k = 0; k < sums; k++)
        at += (size_t)snprintf(source + at, size - at, "float s%u = a[%u];", k, k);
    at += (size_t)snprintf(source + at, size - at, "for (uint k = 0; k < n; k++) { float x = a[k * 32 + 64];");
    for (unsigned k = 0; k < sums; k++)
        at += (size_t)snprintf(source + at, size - at, "s%u = fma(s%u, x, s%u);", k, k, (k + 1) % sums);
    at += (size_t)snprintf(source + at, size - at, "}");
    for (unsigned k = 0; k < sums; k++)
        at += (size_t)snprintf(source + at, size - at, "c[%u] = s%u;", k, k);
    snprintf(source + at, size - at, "}");
}

Test(tuned, room,
     .description = "a kernel that fits 32, 64 or 128 registers does so tuned, and spills nothing for it") {
    char source[8192];
    // Untuned they take 19, 35, 36, 40, 42, 52, 84 and 88 registers.
    static const struct {
        unsigned sums, most;
    } rows_of_sums[] = {{8, 32}, {16, 64}, {24, 64}, {26, 64}, {27, 64}, {40, 64}, {56, 128}, {58, 128}};
    for (size_t k = 0; k < sizeof rows_of_sums / sizeof *rows_of_sums; k++) {
        uint32_t spilled;
        write_sums(source, sizeof source, rows_of_sums[k].sums);
        const uint32_t registers = registers_of(source, 0, &spilled);
        cr_expect_leq(registers, rows_of_sums[k].most, "%u sums: %u registers", rows_of_sums[k].sums, registers);
        cr_expect_eq(spilled, 0, "%u sums: %u bytes", rows_of_sums[k].sums, spilled);
    }
}

Test(tuned, yields_of_loops,
     .description =
         "TD-14 TD-17 TD-22 loops with a bound have no YIELD; others count in the branch back, or wait, or "
         "have what they ask for") {
    static const struct {
        const char *body;
        unsigned branches, yields;
    } loops[] = {
        {"for (uint k = 0; k < 40; k++) c[k * 64] += v[c[k * 64] & 7]; }", 0, 0},
        {"uint a = v[i]; while (a != 1) a = a & 1 ? 3 * a + 1 : a >> 1; c[i] = a; }", 1, 0},
        {"while (atomic_cmpxchg((volatile __global uint *)c, 0, 1) != 0) ; c[i] = 1; atomic_xchg((volatile __global "
         "uint "
         "*)c, 0); }",
         0, 1},
        {"uint a = v[i]; while (a != 1) { tandem_yield_nth(7); a = a & 1 ? 3 * a + 1 : a >> 1; } c[i] = a; }", 0, 1},
        {"uint a = v[i]; while (a != 1) { tandem_yield_nth(256); a = a & 1 ? 3 * a + 1 : a >> 1; } c[i] = a; }", 1, 0},
    };
    for (size_t k = 0; k < sizeof loops / sizeof *loops; k++) {
        char source[512];
        const struct compiler_options options = {.keep_asm = true};
        struct compiler_result result;
        snprintf(source, sizeof source,
                 "__kernel void k(__global uint *c, __global const uint *v) { uint i = get_local_id(0); %s",
                 loops[k].body);
        cr_assert(compiler_compile(source, strlen(source), "tuned.cl", &options, &result), "%s", result.messages);
        cr_expect_eq(count_of(result.machine, "BRA.NTH"), loops[k].branches, "%s: %s", source, result.machine);
        cr_expect_eq(count_of(result.machine, "YIELD"), loops[k].yields, "%s: %s", source, result.machine);
        compiler_result_free(&result);
    }
}
