// Compiled kernels whose work-items act together: tests/kernels/shared_words.cl, and the two kernels of histogram
// equalization.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_runner.h"

enum { ITEMS = 192, LOCAL = 32 };

static const struct tandem_range line_of_items = {.dimensions = 1, .global = {ITEMS}, .local = {LOCAL}};

Test(compiler_shared, atomics, .description = "every atomic operation of 32 bits") {
    static uint32_t in[ITEMS], got[16];
    uint64_t state = 5;
    for (int k = 0; k < ITEMS; k++)
        in[k] = mixed_number(&state);
    const uint32_t start[16] = {1, 2, 3, 4, 0xFFFFFFFFu, 0, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu, 0, 9, 1, 2, 0};
    uint32_t expected[16];
    memcpy(expected, start, sizeof start);
    const uint32_t n = ITEMS - 7;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t a = in[i];
        expected[0] += a;
        expected[1] -= a;
        expected[2]++;
        expected[3]--;
        if (a < expected[4]) expected[4] = a;
        if (a > expected[5]) expected[5] = a;
        if ((int32_t)a < (int32_t)expected[6]) expected[6] = a;
        if ((int32_t)a > (int32_t)expected[7]) expected[7] = a;
        expected[8] &= a | 0xFFFF0000u;
        expected[9] |= a & 0xFFFFu;
        expected[10] ^= a;
        expected[11] += 3;
        expected[12]++;
        if (i > expected[13]) expected[13] = i;
    }
    struct runner runner;
    runner_open(&runner, "model:small", "shared_words.cl", NULL);
    tandem_addr from = runner_buffer(&runner, in, sizeof in), words = runner_buffer(&runner, start, sizeof start);
    const struct tandem_argument arguments[] = {{&from, 4}, {&words, 4}, {&n, 4}};
    runner_launch(&runner, "atomics", &line_of_items, arguments, 3);
    runner_read(&runner, words, got, sizeof got);
    for (int k = 0; k < 16; k++)
        cr_assert_eq(got[k], expected[k], "word %d: %08x, expected %08x", k, got[k], expected[k]);
    runner_close(&runner);
}

Test(compiler_shared, tickets,
     .description = "atomic_inc gives each work-item its own number; atomic_xchg loses no value") {
    static uint32_t taken[ITEMS], exchanged[ITEMS + 1];
    struct runner runner;
    runner_open(&runner, "model:small", "shared_words.cl", NULL);
    tandem_addr at[4] = {runner_buffer(&runner, NULL, 4), runner_buffer(&runner, NULL, sizeof taken),
                         runner_buffer(&runner, NULL, 4), runner_buffer(&runner, NULL, sizeof exchanged)};
    const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}, {&at[2], 4}, {&at[3], 4}};
    runner_launch(&runner, "tickets", &line_of_items, arguments, 4);
    runner_read(&runner, at[1], taken, sizeof taken);
    runner_read(&runner, at[3], exchanged, ITEMS * 4);
    runner_read(&runner, at[2], &exchanged[ITEMS], 4);
    bool seen[ITEMS + 1] = {false};
    for (int k = 0; k < ITEMS; k++)
        cr_assert_eq(taken[k], 1, "ticket %d was taken %u times", k, taken[k]);
    for (int k = 0; k <= ITEMS; k++) {
        cr_assert_leq(exchanged[k], ITEMS);
        cr_assert(!seen[exchanged[k]], "value %u came back twice", exchanged[k]);
        seen[exchanged[k]] = true;
    }
    runner_close(&runner);
}

Test(compiler_shared, compare_exchange, .description = "a loop around atomic_cmpxchg adds everything exactly once") {
    static uint32_t rounds[ITEMS];
    uint32_t sum = 0, expected = 0;
    const uint32_t add = 7;
    struct runner runner;
    runner_open(&runner, "model:small", "shared_words.cl", NULL);
    tandem_addr word = runner_buffer(&runner, NULL, 4), to = runner_buffer(&runner, NULL, sizeof rounds);
    const struct tandem_argument arguments[] = {{&word, 4}, {&to, 4}, {&add, 4}};
    runner_launch(&runner, "compare_exchange", &line_of_items, arguments, 3);
    runner_read(&runner, word, &sum, 4);
    runner_read(&runner, to, rounds, sizeof rounds);
    uint32_t most = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        expected += add + (i & 3u);
        cr_assert_geq(rounds[i], 1);
        if (rounds[i] > most) most = rounds[i];
    }
    cr_assert_eq(sum, expected, "sum %u, expected %u", sum, expected);
    cr_assert_gt(most, 1, "threads of a warp compete, so some must have tried again");
    runner_close(&runner);
}

Test(compiler_shared, group_sums, .description = "barriers in a loop: sums of work-groups of several warps") {
    enum { GROUP = 128, GROUPS = 3 };
    static uint32_t in[GROUP * GROUPS], sums[GROUPS];
    uint64_t state = 11;
    uint32_t expected[GROUPS] = {0};
    for (int k = 0; k < GROUP * GROUPS; k++)
        expected[k / GROUP] += in[k] = mixed_number(&state);
    const struct tandem_range range = {.dimensions = 1, .global = {GROUP * GROUPS}, .local = {GROUP}};
    struct runner runner;
    runner_open(&runner, "model:small", "shared_words.cl", NULL);
    tandem_addr from = runner_buffer(&runner, in, sizeof in), scratch = runner_buffer(&runner, NULL, sizeof in),
                to = runner_buffer(&runner, NULL, sizeof sums);
    const struct tandem_argument arguments[] = {{&from, 4}, {&scratch, 4}, {&to, 4}};
    runner_launch(&runner, "group_sums", &range, arguments, 3);
    runner_read(&runner, to, sums, sizeof sums);
    for (int k = 0; k < GROUPS; k++)
        cr_assert_eq(sums[k], expected[k], "group %d: %u, expected %u", k, sums[k], expected[k]);
    runner_close(&runner);
}

static uint32_t part_of_round(uint32_t value, uint32_t item) {
    if (value & 1u) {
        while (value & 0x7FFF60u)
            value >>= 1;
        return value + item;
    }
    return (value & 2u) != 0 ? value / 2u + 7u : value;
}

Test(compiler_shared, barrier_after_parting,
     .description = "TD-8 threads that parted are together again at the barrier") {
    enum { GROUP = 64, GROUPS = 2, ROUNDS = 4 };
    static uint32_t in[GROUP * GROUPS], got[GROUP * GROUPS], value[GROUP], mine[GROUP];
    for (uint32_t k = 0; k < GROUP * GROUPS; k++)
        in[k] = k * 2654435761u;
    const struct tandem_range range = {.dimensions = 1, .global = {GROUP * GROUPS}, .local = {GROUP}};
    struct runner runner;
    runner_open(&runner, "model:small", "shared_words.cl", NULL);
    tandem_addr from = runner_buffer(&runner, in, sizeof in), scratch = runner_buffer(&runner, NULL, sizeof in),
                to = runner_buffer(&runner, NULL, sizeof got);
    const uint32_t rounds = ROUNDS;
    const struct tandem_argument arguments[] = {{&from, 4}, {&scratch, 4}, {&to, 4}, {&rounds, 4}};
    runner_launch(&runner, "barrier_after_parting", &range, arguments, 4);
    runner_read(&runner, to, got, sizeof got);
    for (uint32_t group = 0; group < GROUPS; group++) {
        memcpy(value, in + group * GROUP, sizeof value);
        for (uint32_t round = 0; round < ROUNDS; round++) {
            for (uint32_t k = 0; k < GROUP; k++)
                mine[k] = value[k] = part_of_round(value[k], k);
            for (uint32_t k = 0; k < GROUP; k++)
                value[k] += mine[(k + 1) % GROUP];
        }
        for (uint32_t k = 0; k < GROUP; k++)
            cr_assert_eq(got[group * GROUP + k], value[k], "group %u, item %u: %08x, expected %08x", group, k,
                         got[group * GROUP + k], value[k]);
    }
    runner_close(&runner);
}

static uint32_t saturated_byte(int number) {
    return number < 0 ? 0 : number > 255 ? 255 : (uint32_t)number;
}

Test(compiler_shared, vectors, .description = "vectors: swizzles, comparisons, conversions, vload and vstore") {
    static uint32_t in[4 * ITEMS], got[8 * ITEMS];
    static uint8_t bytes[4 * ITEMS], to[4 * ITEMS];
    uint64_t state = 3;
    for (int k = 0; k < 4 * ITEMS; k++) {
        in[k] = mixed_number(&state);
        bytes[k] = (uint8_t)(in[k] >> 5);
    }
    struct runner runner;
    runner_open(&runner, "model:small", "shared_words.cl", NULL);
    tandem_addr at[4] = {runner_buffer(&runner, in, sizeof in), runner_buffer(&runner, NULL, sizeof got),
                         runner_buffer(&runner, bytes, sizeof bytes), runner_buffer(&runner, NULL, sizeof to)};
    const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}, {&at[2], 4}, {&at[3], 4}};
    runner_launch(&runner, "vectors", &line_of_items, arguments, 4);
    runner_read(&runner, at[1], got, sizeof got);
    runner_read(&runner, at[3], to, sizeof to);
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint32_t *x = in + 4 * i;
        uint32_t a[4] = {x[0], x[1], x[2], x[3]}, b[4] = {x[3], x[2], x[1], x[0]};
        a[1] += b[0] * 3;
        a[2] += b[3] * 5;
        uint32_t expected[8];
        for (int k = 0; k < 4; k++)
            expected[k] = a[k] ^ (a[k] > b[k] ? a[k] : b[k]);
        expected[4] = x[0] + 5;
        expected[5] = a[3];
        expected[6] = a[1] < b[1] ? a[1] : b[1];
        expected[7] = a[0] >> 16 & 255;
        for (uint32_t k = 0; k < 8; k++)
            cr_assert_eq(got[8 * i + k], expected[k], "work-item %u, word %u: %08x, expected %08x", i, k,
                         got[8 * i + k], expected[k]);
        for (uint32_t k = 0; k < 4; k++)
            cr_assert_eq(to[4 * i + k], saturated_byte(bytes[4 * i + k] * 3 - 100), "work-item %u, byte %u", i, k);
    }
    runner_close(&runner);
}

Test(compiler_shared, spin_lock,
     .description = "TD-11 TD-14 with YIELD in its loop a lock taken by each thread of a warp ends") {
    const struct tandem_range range = {.dimensions = 1, .global = {64}, .local = {LOCAL}};
    const uint32_t times = 2;
    uint32_t count = 0;
    struct runner runner;
    runner_open(&runner, "model:small", "shared_words.cl", NULL);
    tandem_addr lock = runner_buffer(&runner, NULL, 4), counter = runner_buffer(&runner, NULL, 4);
    const struct tandem_argument arguments[] = {{&lock, 4}, {&counter, 4}, {&times, 4}};
    cr_assert(runner_try(&runner, "spin_lock", &range, arguments, 3, 2000000), "%s", tandem_message(runner.device));
    runner_read(&runner, counter, &count, 4);
    cr_assert_eq(count, 128, "counted %u of 128", count);
    runner_close(&runner);
}

Test(compiler_shared, spin_lock_inside,
     .description = "TD-12 TD-14 the same inside an if and a loop that is left from its middle") {
    static uint32_t in[64], out[64];
    for (uint32_t k = 0; k < 64; k++)
        in[k] = k * 7 + 1;
    const struct tandem_range range = {.dimensions = 1, .global = {64}, .local = {LOCAL}};
    const uint32_t n = 50;
    uint32_t count = 0, expected = 0;
    struct runner runner;
    runner_open(&runner, "model:small", "shared_words.cl", NULL);
    tandem_addr at[4] = {runner_buffer(&runner, in, sizeof in), runner_buffer(&runner, NULL, 4),
                         runner_buffer(&runner, NULL, 4), runner_buffer(&runner, NULL, sizeof out)};
    const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}, {&at[2], 4}, {&at[3], 4}, {&n, 4}};
    cr_assert(runner_try(&runner, "spin_lock_inside", &range, arguments, 5, 4000000), "%s",
              tandem_message(runner.device));
    runner_read(&runner, at[2], &count, 4);
    runner_read(&runner, at[3], out, sizeof out);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = 0;
        for (uint32_t k = 0; k < (in[i] & 3u) + 1u; k++) {
            x += k + 1;
            expected++;
            if (x > 5) break;
        }
        cr_assert_eq(out[i], x + 1000, "work-item %u: %u, expected %u", i, out[i], x + 1000);
    }
    cr_assert_eq(count, expected, "counted %u, expected %u", count, expected);
    runner_close(&runner);
}

// Plain C: counts, sums, the table, the pixels.
static void equalize(const uint8_t *in, uint8_t *out, uint32_t n) {
    uint32_t cdf[256] = {0}, lowest = 0;
    for (uint32_t k = 0; k < n; k++)
        cdf[in[k]]++;
    for (int v = 1; v < 256; v++)
        cdf[v] += cdf[v - 1];
    for (int v = 0; v < 256 && lowest == 0; v++)
        lowest = cdf[v];
    for (uint32_t k = 0; k < n; k++) {
        uint32_t sum = cdf[in[k]], range = n - lowest;
        out[k] = (uint8_t)(range == 0 ? in[k] : (255u * (sum - lowest) + range / 2u) / range);
    }
}

static void check_equalization(uint32_t n, uint8_t mask, bool in_place) {
    enum { MOST = 5000, GROUPS = 3, GROUP = 64 };
    static uint8_t in[MOST], expected[MOST], got[MOST];
    static uint32_t bins[256];
    for (uint32_t k = 0; k < n; k++)
        in[k] = (uint8_t)((k * 2654435761u >> 24 & mask) + (k & 1u));
    equalize(in, expected, n);
    struct runner first, second;
    const struct tandem_range range = {.dimensions = 1, .global = {GROUP * GROUPS}, .local = {GROUP}};
    const struct tandem_range values = {.dimensions = 1, .global = {256}, .local = {GROUP}};
    runner_open(&first, "model:small", "histogram.cl", NULL);
    runner_open(&second, "model:small", "compute_output.cl", NULL);
    tandem_addr from = runner_buffer(&first, in, MOST), counts = runner_buffer(&first, NULL, sizeof bins),
                sums = runner_buffer(&first, NULL, sizeof bins);
    const struct tandem_argument histogram[] = {{&from, 4}, {&n, 4}, {&counts, 4}},
                                 cumulate[] = {{&counts, 4}, {&sums, 4}};
    runner_launch(&first, "histogram", &range, histogram, 3);
    runner_launch(&first, "cumulate", &values, cumulate, 2);
    runner_read(&first, sums, bins, sizeof bins);
    cr_assert_eq(bins[255], n);
    // The second half on a device of its own, with what the first half has left.
    tandem_addr in2 = runner_buffer(&second, in, MOST), cdf = runner_buffer(&second, bins, sizeof bins),
                out = in_place ? in2 : runner_buffer(&second, NULL, MOST),
                local = runner_buffer(&second, NULL, 256 * GROUPS);
    const struct tandem_argument output[] = {{&in2, 4}, {&cdf, 4}, {&out, 4}, {&local, 4}, {&n, 4}};
    runner_launch(&second, "compute_output", &range, output, 5);
    runner_read(&second, out, got, MOST);
    for (uint32_t k = 0; k < n; k++)
        cr_assert_eq(got[k], expected[k], "pixel %u of %u: %u, expected %u", k, n, got[k], expected[k]);
    if (!in_place)
        for (uint32_t k = n; k < MOST; k++)
            cr_assert_eq(got[k], 0, "byte %u behind the %u pixels was written", k, n);
    runner_close(&first);
    runner_close(&second);
}

Test(compiler_shared, equalization,
     .description = "AM-11 histogram and compute_output, sizes that are multiples of nothing") {
    check_equalization(4999, 255, false);
    check_equalization(1, 0, false);
    check_equalization(331, 15, false);
    check_equalization(97, 0, false);
}

Test(compiler_shared, equalization_in_place, .description = "AM-11 compute_output with one buffer for in and out") {
    check_equalization(4096, 127, true);
}
