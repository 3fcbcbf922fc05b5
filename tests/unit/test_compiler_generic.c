// Compiled kernels with generic pointers: tests/kernels/generic.cl, on the model and in tandem.
#include <criterion/criterion.h>
#include <string.h>

#include "compiler/compiler.h"
#include "kernel_runner.h"

enum { ITEMS = 96, LOCAL = 32, WORDS = 32 };

static const char *const devices[] = {"model:small", "model:full,seed=3", "tandem:nano", "tandem:small", "tandem:full"};
enum { DEVICES = sizeof devices / sizeof *devices };

// What a work-item has to leave in its words, from its two input words. Words that it leaves alone stay as they are.
typedef void reference(uint32_t a, uint32_t b, uint32_t *to);

static void check(const char *name, reference *expected_of) {
    const struct compiler_options options = {.clang_options = "-cl-std=CL2.0"};
    const struct tandem_range range = {.dimensions = 1, .global = {ITEMS}, .local = {LOCAL}};
    static uint32_t in[2 * ITEMS], got[ITEMS * WORDS];
    const uint32_t n = ITEMS;
    uint64_t state = 3;
    for (uint32_t k = 0; k < 2 * ITEMS; k++)
        in[k] = mixed_number(&state);
    for (unsigned d = 0; d < DEVICES; d++) {
        struct runner runner;
        if (!runner_has(devices[d])) continue;
        runner_open(&runner, devices[d], "generic.cl", &options);
        tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof got);
        const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
        runner_launch(&runner, name, &range, arguments, 3);
        runner_read(&runner, to, got, sizeof got);
        for (uint32_t i = 0; i < ITEMS; i++) {
            uint32_t expected[WORDS] = {0};
            expected_of(in[2 * i], in[2 * i + 1], expected);
            for (uint32_t k = 0; k < WORDS; k++)
                cr_assert_eq(got[i * WORDS + k], expected[k],
                             "%s: %s: work-item %u (in %08x %08x), word %u: %08x, expected %08x", devices[d], name, i,
                             in[2 * i], in[2 * i + 1], k, got[i * WORDS + k], expected[k]);
        }
        runner_close(&runner);
    }
}

static uint32_t read_all(const uint32_t *at) {
    uint8_t bytes[12];
    memcpy(bytes, at, sizeof bytes);
    const int16_t half = (int16_t)(at[0] >> 16);
    const uint32_t extended = (uint32_t)(int32_t)half;
    return at[0] + (uint32_t)bytes[5] * 3u + extended + at[2];
}

static void mixed(uint32_t a, uint32_t b, uint32_t *to) {
    uint32_t shared[4], mine[4], *some[3] = {to + 20, shared, mine};
    for (uint32_t k = 0; k < 4; k++) {
        to[20 + k] = a + k;
        shared[k] = b ^ k;
        mine[k] = a * b + k;
    }
    uint32_t which = a % 3u, *p = some[which];
    to[0] = read_all(p);
    to[1] = read_all(some[b % 3u]);
    p[1] = 7;
    p[2] = (p[2] & 0xFFFFFF00u) | (b & 0xFFu);
    some[(a + b) % 3u][3] = (some[(a + b) % 3u][3] & 0xFFFFu) | a << 16;
    to[2] = read_all(p) + p[3];
    to[3] = 1u << which;
    to[4] = which == 1 ? p[1] : 5u;
    to[5] = b % 5u != 0 ? *p : 99u;
    to[6] = which == 0;
    for (uint32_t k = 0; k < 4; k++)
        to[8 + k] = mine[k] + shared[k];
    to[12] = 3;
}

static void generic_atomics(uint32_t a, uint32_t b, uint32_t *to) {
    uint32_t x = a;
    (void)b;
    to[0] = x, x += 5;
    to[1] = x, x -= a >> 3;
    to[2] = x, x &= 0xFFFFFF0Fu;
    to[3] = x, x |= 0x10;
    to[4] = x, x ^= a;
    to[5] = x, x = x > 1000u ? x : 1000u;
    to[6] = x, x = x < 100000u ? x : 100000u;
    to[7] = x, x = a + 1;
    uint32_t expected = a + (a >> 5 & 1u);
    to[8] = x == expected;
    to[9] = x == expected ? expected : x;
    if (x == expected) x = 3;
    to[11] = x;
    to[12] = a;
}

static void list(uint32_t a, uint32_t b, uint32_t *to) {
    const uint32_t values[8] = {a, b, b, a >> 1, b >> 1, b >> 2, a >> 2, b >> 3};
    for (unsigned k = 8; k-- > 0;) {  // the last one put in front is met first
        if (((a ^ b) >> k & 1u) == 0) continue;
        to[0] = to[0] * 3u + values[k];
        to[1]++;
    }
    for (unsigned k = 0; k < 4; k++)
        to[16 + 2 * k] = b >> k;
}

static void copies(uint32_t a, uint32_t b, uint32_t *to) {
    uint32_t mine[30], second[30];
    for (uint32_t k = 0; k < 30; k++)
        mine[k] = a + k * b;
    memcpy(second, mine, sizeof mine);
    if ((a & 1u) == 0) second[a % 30u] = 0;
    memcpy(to, second + b % 6u, 24 * 4);
    memmove(second + a % 8u, second + b % 8u, 4u * (a % 22u));
    memcpy(to + 24, second + a % 27u, 12);
    memset(second, (int)b, a % 13u);
    to[27] = second[0] + second[1] + second[2] + second[3];
}

Test(compiler_generic, mixed,
     .description = "SP-2 generic pointers into all three memories, told apart by data [model] [tandem]") {
    check("mixed", mixed);
}
Test(compiler_generic, atomics, .description = "SP-2 atomic operations through generic pointers [model] [tandem]") {
    check("generic_atomics", generic_atomics);
}
Test(compiler_generic, list, .description = "SP-2 generic pointers kept in memory [model] [tandem]") {
    check("list", list);
}
Test(compiler_generic, copies, .description = "copies between memories, of sizes known and not [model] [tandem]") {
    check("copies", copies);
}

Test(compiler_generic, variables,
     .description = "variables of the program keep their values from launch to launch [model] [tandem]") {
    const struct compiler_options options = {.clang_options = "-cl-std=CL2.0"};
    const struct tandem_range range = {.dimensions = 1, .global = {ITEMS}, .local = {LOCAL}},
                              one = {.dimensions = 1, .global = {1}, .local = {1}};
    static const uint32_t sums[2] = {3, 600}, bytes[3] = {9, 8, 7};
    static const int32_t weights[2] = {-2, -500};
    for (unsigned d = 0; d < DEVICES; d++) {
        uint32_t got[ITEMS], told[18], zeros[16] = {0};
        struct runner runner;
        if (!runner_has(devices[d])) continue;
        runner_open(&runner, devices[d], "variables.cl", &options);
        tandem_addr to = runner_buffer(&runner, NULL, sizeof got), last = runner_buffer(&runner, NULL, sizeof told);
        const struct tandem_argument visit[] = {{&to, 4}}, tell[] = {{&last, 4}};
        for (int launch = 0; launch < 2; launch++) {
            runner_launch(&runner, "visit", &range, visit, 1);
            runner_read(&runner, to, got, sizeof got);
            for (uint32_t k = 0; k < ITEMS; k++) {
                cr_assert_eq(got[k], sums[k % 2] + bytes[k % 3] + (uint32_t)weights[k % 2], "%s: word %u: %u",
                             devices[d], k, got[k]);
                zeros[k % 16] += k;
            }
        }
        runner_launch(&runner, "tell", &one, tell, 1);
        runner_read(&runner, last, told, sizeof told);
        cr_assert_eq(told[0], 1000u + 2u * ITEMS);
        for (uint32_t k = 0; k < 14; k++)
            cr_assert_eq(told[1 + k], zeros[2 + k], "%s: %u: %u", devices[d], k, told[1 + k]);
        cr_assert_eq(told[15], (7u * 3u + 1u) * 3u + 1u);
        cr_assert_eq(told[16], 8);
        cr_assert_eq(told[17], 32765);
        runner_close(&runner);
    }
}
