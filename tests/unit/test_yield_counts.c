// Which YIELDs of a warp fire, held against the rules said once more: random groups of threads, kinds and numbers.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/seed.h"
#include "gen/isa.h"
#include "random_numbers.h"
#include "sm/yield_counts.h"

static uint64_t seed;

static void set_up(void) {
    seed = seed_from_environment();
    fprintf(stderr, "TANDEM_SEED=%" PRIu64 "\n", seed);
}
static uint32_t below(uint32_t n) {
    return random_below(&seed, n);
}

// xorshift of 32 bits: 13, 17, 5 (rtl/sm/yield_counts.sv).
static uint32_t drawn(uint32_t x) {
    const uint32_t a = x ^ (x << 13), b = a ^ (a >> 17);
    return b ^ (b << 5);
}

Test(yield_counts, start, .init = set_up, .description = "TD-13 a warp starts without counts, with its seed [model]") {
    struct yield_counts counts;
    memset(&counts, 0xA5, sizeof counts);
    yield_counts_start(&counts);
    for (uint32_t i = 0; i < 64; i++)
        cr_assert_eq(counts.count[i], 0);
    cr_assert_eq(counts.count_bound, 0);
    cr_assert_eq(counts.random, 1);
    yield_counts_seed(&counts, 77);
    cr_assert_eq(counts.random, 77);
    yield_counts_seed(&counts, 1);
    cr_assert_eq(counts.random, 1);
    yield_counts_seed(&counts, 0);
    cr_assert_eq(counts.random, 1, "0 would stay 0 for ever");
}

// The generator as it is defined: it repeats on a board.
Test(yield_counts, drawn, .init = set_up, .description = "TD-13 the numbers that are drawn from the seed 1 [model]") {
    static const uint32_t first[] = {0x00042021, 0x04080601, 0x9DCCA8C5, 0x1255994F};
    struct yield_counts counts;
    yield_counts_start(&counts);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t high = first[i] >> 16;
        cr_assert(yield_counts_fire(&counts, YIELD_RANDOM, high + 1, 1));
        cr_assert_not(yield_counts_fire(&counts, YIELD_RANDOM, high, 1), "below the number, not at it");
        yield_counts_done(&counts, YIELD_RANDOM, 1, UINT32_MAX, i % 2 == 0);
        cr_assert_eq(counts.random, first[i]);
    }
}

Test(yield_counts, random, .init = set_up,
     .description =
         "TD-13 the n-th time of the lowest thread, a random time, always; counts of threads that go on, or "
         "fire together [model]") {
    for (uint32_t lap = 0; lap < 100; lap++) {
        const uint64_t threads = lap % 2 == 0 ? UINT64_MAX : UINT32_MAX;
        const uint32_t most = lap % 4 == 0 ? 300 : 6;
        struct yield_counts counts, wanted;
        yield_counts_start(&counts);
        for (uint32_t turn = 0; turn < (most == 300 ? 1000 : 200); turn++) {
            // All, one, or some; a warp that counts to the highest number does it together for long.
            uint64_t exec = random_bits(&seed) & random_bits(&seed) & threads;
            if (exec == 0 || below(most) < 2 || most == 300) exec = threads;
            if (below(most) == 0) exec = UINT64_C(1) << below(threads == UINT64_MAX ? 64 : 32);
            const uint32_t mod = below(most) == 0 ? YIELD_RANDOM : below(most) == 0 ? 0 : YIELD_NTH;
            const uint32_t target = mod == YIELD_RANDOM ? below(0x10000) : most == 300 ? 1000 : 1 + below(6);
            uint32_t lowest = 0;
            while ((exec >> lowest & 1) == 0)
                lowest++;
            wanted = counts;
            const uint32_t count = counts.count[lowest];
            bool fires = true;
            if (mod == YIELD_NTH) {
                fires = count + 1 >= target || count == 255;
            } else if (mod == YIELD_RANDOM) {
                fires = drawn(counts.random) / 0x10000 < target;
                wanted.random = drawn(counts.random);
            }
            cr_assert_eq(yield_counts_fire(&counts, mod, target, exec), fires);
            for (uint32_t i = 0; i < 64 && mod == YIELD_NTH; i++) {
                if ((exec >> i & 1) != 0) wanted.count[i] = fires ? 0 : (uint8_t)(count + 1);
            }
            if (mod == YIELD_NTH && fires && exec == threads) wanted.count_bound = 0;
            if (mod == YIELD_NTH && !fires && count >= counts.count_bound) wanted.count_bound = (uint8_t)(count + 1);
            yield_counts_done(&counts, mod, exec, threads, fires);
            cr_assert_eq(memcmp(counts.count, wanted.count, sizeof counts.count), 0);
            cr_assert_eq(counts.count_bound, wanted.count_bound);
            cr_assert_eq(counts.random, wanted.random);
        }
    }
}
