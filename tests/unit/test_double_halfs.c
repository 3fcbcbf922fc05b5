// Doubles stored as halfs, on the model, against the host's arithmetic: every half, the middles between neighbours and
// what lies beside them, random doubles, with every rounding. TANDEM_SEED= replays.
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/half_numbers.h"
#include "common/seed.h"
#include "double_numbers.h"

#include "kernel_runner.h"

enum { HALFS = 65536, KINDS = 4, MODES = 6, LOCAL = 32, VECTORS = 256, LENGTH = 16, PLACES = 64 };

// Without a rounding, _rte, _rtz, _rtp, _rtn, and the compiler's own store.
static const int modes[MODES] = {FE_TONEAREST, FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD, FE_TONEAREST};
static const char *const names[MODES] = {"", "_rte", "_rtz", "_rtp", "_rtn", " of the compiler"};

static uint64_t begin(void) {
    const uint64_t seed = seed_from_environment();
    printf("seed %llu (TANDEM_SEED=)\n", (unsigned long long)seed);
    return seed | 1;
}

static void check(struct runner *runner, const double *in, uint32_t count) {
    const struct tandem_range range = {.dimensions = 1, .global = {count}, .local = {LOCAL}};
    const size_t size = (size_t)count * MODES * sizeof(uint16_t);
    uint16_t *got = malloc(size);
    cr_assert_not_null(got);
    const tandem_addr from = runner_buffer(runner, in, count * sizeof *in), to = runner_buffer(runner, NULL, size);
    runner_launch(runner, "scalars", &range, (const struct tandem_argument[]){{&from, 4}, {&to, 4}}, 2);
    runner_read(runner, to, got, size);
    for (uint32_t k = 0; k < MODES * count; k++) {
        const uint32_t wanted = half_of(in[k / MODES], modes[k % MODES]);
        cr_expect_eq(same_half_nan(got[k]), wanted, "%a stored%s: %04x, not %04x", in[k / MODES], names[k % MODES],
                     got[k], wanted);
    }
    tandem_free(runner->device, from);
    tandem_free(runner->device, to);
    free(got);
}

Test(double_halfs, every_half,
     .description = "halfs, the middles between them and the doubles beside these, with every rounding (CL-3)") {
    static double in[HALFS];
    struct runner runner;
    runner_open(&runner, "model:small", "double_halfs.cl", NULL);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (uint32_t bits = 0; bits < HALFS; bits++) {
            const uint32_t m = bits & 0x7FFF;
            const double x = value_of_half(bits), middle = (x + value_of_half(bits + (m < 0x7FFF))) / 2;
            const double special = m == HALF_INFINITY ? copysign(INFINITY, x) : m > HALF_INFINITY ? (double)NAN : x;
            if (m >= HALF_INFINITY || kind == 0)
                in[bits] = special;
            else
                in[bits] = kind == 1 ? middle : nextafter(middle, kind == 2 ? -INFINITY : INFINITY);
        }
        check(&runner, in, HALFS);
    }
    runner_close(&runner);
}

Test(double_halfs, any_double, .description = "random doubles, and all those beyond the halfs' range (CL-3)") {
    static double in[8192];
    const uint32_t count = sizeof in / sizeof *in;
    static const uint64_t ends[] = {
        0,
        1,
        0x000FFFFFFFFFFFFF,
        0x0010000000000000,
        0x7FEFFFFFFFFFFFFF,
        0x7FF0000000000000,
        0x7FF0000000000001,
        0x7FF8000000000000,
        0x7FFFFFFFFFFFFFFF,
    };
    const uint32_t few = sizeof ends / sizeof *ends;
    uint64_t state = begin();
    struct runner runner;
    runner_open(&runner, "model:small", "double_halfs.cl", NULL);
    for (uint32_t k = 0; k < count; k++) {
        const uint64_t how = next_bits(&state), exponent = 1023 - 28 + (how >> 8 & 63) % 48;
        const uint64_t near = exponent << 52 | how >> 63 << 63 | (next_bits(&state) & DOUBLE_FRACTION_BITS);
        in[k] = double_of_bits(k < 2 * few      ? ends[k / 2] | (uint64_t)(k & 1) << 63
                               : (how & 3) == 0 ? next_bits(&state)
                               : (how & 3) == 1 ? hard_double(&state)
                                                : near);
    }
    check(&runner, in, count);
    runner_close(&runner);
}

// Where the kernel stores which element of an item's 16.
static int element_at(unsigned place) {
    static const int packed[16] = {0, 1, 2, 3, 4, 5, 6, 0, 8, 9, 10, 0, 12, 13, 14, 15};
    if (place < 16) return packed[place];
    if (place >= 48 && place < 52) return 2 * (int)(place - 48);
    return (int)(place % 16);
}

Test(double_halfs, vectors,
     .description = "vectors of every length, packed and aligned, into global, local and private memory (CL-3)") {
    static double in[LENGTH * VECTORS];
    static uint16_t got[PLACES * VECTORS];
    static const struct tandem_range range = {.dimensions = 1, .global = {VECTORS}, .local = {LOCAL}};
    uint64_t state = begin();
    struct runner runner;
    runner_open(&runner, "model:small", "double_halfs.cl", NULL);
    for (unsigned k = 0; k < LENGTH * VECTORS; k++)
        in[k] = ldexp((double)(int64_t)next_bits(&state), (int)(next_bits(&state) % 40) - 85);
    const tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof got);
    for (unsigned mode = 0; mode < MODES - 1; mode++) {
        char kernel[32];
        snprintf(kernel, sizeof kernel, "vectors%s", names[mode]);
        runner_launch(&runner, kernel, &range, (const struct tandem_argument[]){{&from, 4}, {&to, 4}}, 2);
        runner_read(&runner, to, got, sizeof got);
        for (unsigned k = 0; k < PLACES * VECTORS; k++) {
            const double x = in[LENGTH * (k / PLACES) + (unsigned)element_at(k % PLACES)];
            const uint32_t wanted = half_of(x, modes[mode]);
            cr_expect_eq(got[k], wanted, "%s, place %u: %a is %04x, not %04x", kernel, k % PLACES, x, got[k], wanted);
        }
    }
    runner_close(&runner);
}
