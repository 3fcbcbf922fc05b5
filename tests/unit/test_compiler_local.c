// Compiled kernels with local memory: tests/kernels/local.cl on the model and in tandem.
#include <criterion/criterion.h>
#include <string.h>

#include "compiler/compiler.h"
#include "kernel_runner.h"

enum { ITEMS = 192, LOCAL = 32, GROUPS = ITEMS / LOCAL };

static const struct tandem_range line_of_items = {.dimensions = 1, .global = {ITEMS}, .local = {LOCAL}};
static const char *const devices[] = {"model:small", "model:full,seed=3", "tandem:nano", "tandem:small", "tandem:full"};
enum { DEVICES = sizeof devices / sizeof *devices };

static void fill(uint32_t *in) {
    uint64_t state = 11;
    for (uint32_t k = 0; k < ITEMS; k++)
        in[k] = mixed_number(&state);
}

// Runs a kernel of (in, out, local areas of these sizes..) and compares out.
static void check(const char *name, const struct tandem_range *range, const uint32_t *in, const uint32_t *expected,
                  uint32_t words, const uint32_t *areas, uint32_t area_count) {
    for (unsigned d = 0; d < DEVICES; d++) {
        uint32_t got[ITEMS];
        struct runner runner;
        if (!runner_has(devices[d])) continue;
        runner_open(&runner, devices[d], "local.cl", NULL);
        tandem_addr from = runner_buffer(&runner, in, ITEMS * 4), to = runner_buffer(&runner, NULL, sizeof got);
        struct tandem_argument arguments[4] = {{&from, 4}, {&to, 4}};
        for (uint32_t k = 0; k < area_count; k++)
            arguments[2 + k] = (struct tandem_argument){NULL, areas[k]};
        runner_launch(&runner, name, range, arguments, 2 + area_count);
        runner_read(&runner, to, got, sizeof got);
        for (uint32_t k = 0; k < words; k++)
            cr_assert_eq(got[k], expected[k], "%s: %s: word %u: %08x, expected %08x", devices[d], name, k, got[k],
                         expected[k]);
        runner_close(&runner);
    }
}

Test(compiler_local, reversed, .description = "variables and arguments in local memory [model] [tandem]") {
    uint32_t in[ITEMS], expected[ITEMS];
    const uint32_t areas[2] = {4 * LOCAL, LOCAL};
    fill(in);
    for (uint32_t k = 0; k < ITEMS; k++) {
        uint32_t first = k / LOCAL * LOCAL, i = k % LOCAL, mirror = first + LOCAL - 1 - i;
        expected[k] = in[mirror] + in[mirror] * 3 + (uint8_t)in[first + (i + 1) % LOCAL];
    }
    check("reversed", &line_of_items, in, expected, ITEMS, areas, 2);
}

Test(compiler_local, sums, .description = "a sum over each group, with barriers in a loop [model] [tandem]") {
    uint32_t in[ITEMS], expected[GROUPS] = {0};
    fill(in);
    for (uint32_t k = 0; k < ITEMS; k++)
        expected[k / LOCAL] += in[k];
    check("sums", &line_of_items, in, expected, GROUPS, NULL, 0);
}

Test(compiler_local, atomics, .description = "every atomic operation on local memory [model] [tandem]") {
    uint32_t in[ITEMS], expected[16 * GROUPS] = {0};
    fill(in);
    for (uint32_t g = 0; g < GROUPS; g++) {
        uint32_t *w = expected + 16 * g;
        w[4] = w[8] = 0xFFFFFFFFu;
        w[6] = 0x7FFFFFFFu;
        for (uint32_t k = 0; k < LOCAL; k++) {
            uint32_t a = in[g * LOCAL + k];
            w[0] += a;
            w[1] -= a;
            w[2]++;
            w[3]--;
            if (a < w[4]) w[4] = a;
            if (a > w[5]) w[5] = a;
            if ((int32_t)a < (int32_t)w[6]) w[6] = a;
            if ((int32_t)a > (int32_t)w[7]) w[7] = a;
            w[8] &= a | 0xFFFFu;
            w[9] |= a & 0xFF00FFu;
            w[10] ^= a;
            w[13] += a;
            w[14 + (a & 1u)]++;
        }
        w[11] = w[12] = 1;
    }
    check("local_atomics", &line_of_items, in, expected, 16 * GROUPS, NULL, 0);
}

Test(compiler_local, transposed, .description = "structures of bytes and halves in local memory [model] [tandem]") {
    const struct tandem_range tiles = {.dimensions = 2, .global = {24, 8}, .local = {8, 8}};
    uint32_t in[ITEMS], expected[ITEMS];
    fill(in);
    for (uint32_t k = 0; k < ITEMS; k++) {
        uint32_t g = k / 64, y = k / 8 % 8, x = k % 8, a = in[k], from = in[g * 64 + x * 8 + y];
        uint32_t weight = (uint16_t)(from >> 4 * (a % 3u));
        expected[k] = (uint8_t)from + weight * 5u + (uint32_t)((int32_t)from >> 3);
    }
    check("transposed", &tiles, in, expected, ITEMS, NULL, 0);
}

Test(compiler_local, chosen,
     .description = "pointers into local memory chosen by data, null among them [model] [tandem]") {
    uint32_t in[ITEMS], expected[ITEMS];
    const uint32_t areas[1] = {4 * LOCAL};
    fill(in);
    for (uint32_t k = 0; k < ITEMS; k++) {
        uint32_t x = in[k], there = in[k / LOCAL * LOCAL + (k % LOCAL + x) % 32u];
        expected[k] = (x & 1u) != 0 ? there : (x & 2u) != 0 ? ~there : 77u;
    }
    check("chosen", &line_of_items, in, expected, ITEMS, areas, 1);
}

Test(compiler_local, too_much, .description = "more local memory than the device has is refused with the sizes") {
    const char *source =
        "__kernel void f(__global uint *out, __local uint *more) {\n"
        "    __local uint own[1000];\n"
        "    own[out[0]] = out[1];\n"
        "    more[out[2]] = 1;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[3] = own[out[4]] + more[out[5]];\n"
        "}\n";
    struct runner runner;
    runner_open_text(&runner, "model:nano", source, NULL);
    tandem_addr out = runner_buffer(&runner, NULL, 64);
    const struct tandem_argument fits[] = {{&out, 4}, {NULL, 96}}, more[] = {{&out, 4}, {NULL, 97}};
    runner_launch(&runner, "f", &line_of_items, fits, 2);
    cr_assert_eq(tandem_launch(runner.channel, runner.module, "f", &line_of_items, more, 2), TANDEM_BAD_ARGUMENT);
    const char *message = tandem_message(runner.device);
    cr_assert(
        strstr(message, "4097 bytes") != NULL && strstr(message, "4000") != NULL && strstr(message, "4096") != NULL,
        "%s", message);
    runner_close(&runner);
}
