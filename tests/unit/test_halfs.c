// Half precision in software against the host's long double, which holds every sum of a product of halfs, on the model:
// operations, conversions, where halfs lie. TANDEM_SEED= replays.
#include <criterion/criterion.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/half_numbers.h"
#include "common/seed.h"
#include "double_numbers.h"
#include "number_reference.h"

#include "kernel_runner.h"

enum { HALFS = 65536, LOCAL = 64 };

static const struct tandem_range every = {.dimensions = 1, .global = {HALFS}, .local = {LOCAL}};

static uint64_t begin(void) {
    const uint64_t seed = seed_from_environment();
    printf("seed %llu (TANDEM_SEED=)\n", (unsigned long long)seed);
    return seed | 1;
}

static uint32_t rounded(long double x) {
    return half_of(x, FE_TONEAREST);
}

// Classes and order, as the kernel packs them.
static uint32_t classes(uint32_t ua, double a, double b) {
    return (uint32_t)(isnan(a) != 0) | (uint32_t)(isinf(a) != 0) << 1 | (uint32_t)(isfinite(a) != 0) << 2 |
           (uint32_t)(isfinite(a) && fabs(a) >= 0x1p-14) << 3 | (ua >> 15) << 4 |
           (uint32_t)(isnan(a) || isnan(b)) << 5 | (uint32_t)(!isnan(a) && !isnan(b)) << 6 |
           (uint32_t)(a < b || a > b) << 7;
}

static uint32_t next_half(uint32_t ua, double a, double b) {
    if (isnan(a) || isnan(b)) return HALF_NAN;
    if (a == b) return rounded(b);
    if (a == 0) return b < 0 ? 0x8001 : 1;
    return (a < b) == (a > 0) ? ua + 1 : ua - 1;
}

static void expect(const uint16_t *operand, uint32_t *to) {
    const uint32_t ua = operand[0], ub = operand[1], uc = operand[2];
    const double a = number_of_half(ua), b = number_of_half(ub), c = number_of_half(uc);
    int quotient = 0, exponent = 0;
    double whole;
    to[0] = rounded(a + b);
    to[1] = rounded(a - b);
    to[2] = rounded(a * b);
    to[3] = rounded(a / b);
    to[4] = rounded((long double)a * b + c);
    to[5] = rounded(sqrt(a));
    to[6] = rounded(fmod(a, b));
    to[7] = rounded(remainder(a, b));
    to[8] = rounded(trunc(a));
    to[9] = rounded(floor(a));
    to[10] = rounded(ceil(a));
    to[11] = rounded(rint(a));
    to[12] = rounded(round(a));
    to[13] = rounded(fmin(a, b));
    to[14] = rounded(fmax(a, b));
    to[15] = ua ^ 0x8000;
    to[16] = ua & 0x7FFF;
    to[17] = (ua & 0x7FFF) | (ub & 0x8000);
    to[18] = rounded(ldexp(a, (int)(ub >> 4 & 127) - 64));
    to[19] = next_half(ua, a, b);
    to[20] = (uint32_t)relations(a, b);
    to[21] = classes(ua, a, b);
    to[22] = rounded(remquo(a, b, &quotient));
    // The host gives three bits of the quotient; that is what C asks for.
    to[23] = isfinite(a) && b != 0 && !isnan(b) ? (uint32_t)quotient & 7 : 0;
    to[24] = a < b ? uc : ua;
    to[25] = rounded(fdim(a, b));
    to[26] = uc != 0 ? ub : ua;
    to[27] = (ua & ~uc) | (ub & uc);
    to[28] = rounded(modf(a, &whole));
    to[29] = rounded(whole);
    to[30] = rounded(frexp(a, &exponent));
    to[31] = isfinite(a) && a != 0 ? (uint32_t)exponent & 0xFFFF : 0;
}

// Bits do not show which NaN it is, and of two zeros fmin and fmax may give either.
static bool agrees(unsigned which, uint32_t got, uint32_t wanted) {
    if (which == 20 || which == 21 || which == 31) return got == wanted;
    if (which == 23) return (got & 7) == wanted;
    if ((which == 13 || which == 14) && (got & 0x7FFF) == 0 && (wanted & 0x7FFF) == 0) return true;
    return same_half_nan(got) == same_half_nan(wanted);
}

// Of a NaN that is not quiet the host's fmin makes NaN.
static uint32_t quiet(uint32_t bits) {
    return (bits & 0x7FFF) > HALF_INFINITY ? bits | 0x200 : bits;
}

// For each half as the first operand two others; the second and third sometimes near what cancels.
static void operands(uint64_t *state, uint32_t a, uint16_t *to) {
    const uint64_t how = next_bits(state);
    uint32_t b = (uint32_t)(how >> 16 & 0xFFFF), c = (uint32_t)(how >> 32 & 0xFFFF);
    a = quiet(a);
    if ((how & 7) == 0) b = (a ^ (uint32_t)(how >> 8 & 15)) ^ (uint32_t)(how & 0x80) << 8;
    if ((how & 0x70) == 0) c = rounded(-(number_of_half(a) * number_of_half(b))) ^ (uint32_t)(how >> 12 & 3);
    to[0] = (uint16_t)a;
    to[1] = (uint16_t)quiet(b);
    to[2] = (uint16_t)quiet(c);
}

static void expect_chains(const uint16_t *operand, uint32_t *to) {
    const double a = number_of_half(operand[0]), b = number_of_half(operand[1]), c = number_of_half(operand[2]);
    const double sum = number_of_half(rounded(a + b)), product = number_of_half(rounded(a * b));
    to[0] = rounded(product + c);
    to[1] = rounded(sum * c);
    to[2] = rounded(c / sum);
    to[3] = rounded(sqrt(product));
    to[4] = rounded(sum - product);
    to[5] = (uint32_t)(product < c) | (uint32_t)(sum >= c) << 1 | (uint32_t)(product == sum) << 2;
    to[6] = rounded((long double)sum * product + c);
    to[7] = half_of((float)sum * 3.0f, FE_TOWARDZERO);
}

Test(halfs, chains,
     .description = "each of several operations in a row is rounded: ties, denormals, infinities, NaN (CL-3)") {
    static uint16_t in[3 * HALFS], got[8 * HALFS];
    uint64_t state = begin();
    struct runner runner;
    runner_open(&runner, "model:small", "halfs.cl", NULL);
    for (uint32_t k = 0; k < HALFS; k++)
        operands(&state, k, &in[3 * k]);
    // Results below the normal range, where rounding is at another place.
    for (uint32_t k = 0; k < HALFS; k += 3)
        in[3 * k + 1] = (uint16_t)((in[3 * k + 1] & 0x83FF) | (next_bits(&state) % 12 << 10));
    const tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof got);
    runner_launch(&runner, "chains", &every, (const struct tandem_argument[]){{&from, 4}, {&to, 4}}, 2);
    runner_read(&runner, to, got, sizeof got);
    for (uint32_t k = 0; k < HALFS; k++) {
        uint32_t wanted[8];
        expect_chains(&in[3 * k], wanted);
        for (unsigned r = 0; r < 8; r++)
            cr_expect(r == 5 ? got[8 * k + r] == wanted[r] : same_half_nan(got[8 * k + r]) == same_half_nan(wanted[r]),
                      "chain %u of %04x, %04x, %04x: %04x, not %04x", r, in[3 * k], in[3 * k + 1], in[3 * k + 2],
                      got[8 * k + r], wanted[r]);
    }
    runner_close(&runner);
}

static void check_arithmetic(struct runner *runner, uint64_t *state) {
    static uint16_t in[3 * HALFS], got[RESULTS * HALFS];
    const tandem_addr from = runner_buffer(runner, NULL, sizeof in), to = runner_buffer(runner, NULL, sizeof got);
    for (uint32_t k = 0; k < HALFS; k++)
        operands(state, k, &in[3 * k]);
    cr_assert_eq(tandem_write(runner->device, from, in, sizeof in), TANDEM_OK);
    runner_launch(runner, "arithmetic", &every, (const struct tandem_argument[]){{&from, 4}, {&to, 4}}, 2);
    runner_read(runner, to, got, sizeof got);
    for (uint32_t k = 0; k < HALFS; k++) {
        uint32_t wanted[RESULTS];
        expect(&in[3 * k], wanted);
        for (unsigned r = 0; r < RESULTS; r++)
            cr_expect(agrees(r, got[RESULTS * k + r], wanted[r]), "%s of %04x, %04x, %04x: %04x, not %04x",
                      operation_names[r], in[3 * k], in[3 * k + 1], in[3 * k + 2], got[RESULTS * k + r], wanted[r]);
    }
}

Test(
    halfs, arithmetic,
    .description = "operations of every half are correctly rounded: ties, cancellation, denormals, infinities (CL-3)") {
    uint64_t state = begin();
    struct runner runner;
    runner_open(&runner, "model:small", "halfs.cl", NULL);
    check_arithmetic(&runner, &state);
    runner_close(&runner);
}

// ---- conversions ----

static void run(struct runner *runner, const char *kernel, const void *in, size_t in_size, void *out, size_t size) {
    const tandem_addr from = runner_buffer(runner, in, in_size), to = runner_buffer(runner, NULL, size);
    runner_launch(runner, kernel, &every, (const struct tandem_argument[]){{&from, 4}, {&to, 4}}, 2);
    runner_read(runner, to, out, size);
    tandem_free(runner->device, from);
    tandem_free(runner->device, to);
}

static void check_to(struct runner *runner, const struct type *type) {
    static uint16_t in[HALFS];
    static uint64_t got[MODES * HALFS];
    char kernel[32];
    for (uint32_t k = 0; k < HALFS; k++)
        in[k] = (uint16_t)k;
    snprintf(kernel, sizeof kernel, "to_%s", type->name);
    run(runner, kernel, in, sizeof in, got, (size_t)MODES * HALFS * (type->bits / 8));
    for (uint32_t k = 0; k < MODES * HALFS; k++)
        expect_integer(got, k, number_of_half(k / MODES), type);
}

static void check_from(struct runner *runner, const struct type *type, uint64_t *state) {
    static uint64_t in[HALFS];
    static uint16_t got[MODES * HALFS];
    for (uint32_t k = 0; k < HALFS; k++) {
        const uint64_t how = next_bits(state);
        // Where halfs are, at the ends of their range and of the type's.
        const uint64_t value = (how & 3) == 0   ? next_bits(state) >> (how >> 8 & 63)
                               : (how & 3) == 1 ? 65504 - 32 + (how >> 8 & 63)
                               : (how & 3) == 2 ? how >> 8 & 0x1FFFF
                                                : (~UINT64_C(0) >> (how >> 8 & 63)) - (how >> 50);
        const uint64_t signed_value = (how & 4) != 0 ? 0 - value : value;
        memcpy((char *)in + k * (type->bits / 8), &signed_value, type->bits / 8);
    }
    char kernel[32];
    snprintf(kernel, sizeof kernel, "from_%s", type->name);
    run(runner, kernel, in, sizeof in, got, sizeof got);
    for (uint32_t k = 0; k < MODES * HALFS; k++) {
        const uint64_t value = integer_at(in, k / MODES, type->bits);
        const unsigned up = 64 - type->bits;
        const long double x = type->is_signed ? (long double)((int64_t)(value << up) >> up) : (long double)value;
        const uint32_t wanted = half_of(x, modes[k % MODES]);
        cr_expect_eq(got[k], wanted, "%s %llx, rounding %u: %04x, not %04x", type->name, (unsigned long long)value,
                     k % MODES, got[k], wanted);
    }
}

// Halfs, the middles between neighbours, and the floats and doubles beside these.
static double beside(uint32_t bits, unsigned kind, bool wide) {
    const double x = number_of_half(bits), end = kind == 1 ? -INFINITY : INFINITY;
    if (kind == 3 || (bits & 0x7FFFu) >= HALF_INFINITY) return x;
    const double middle = (value_of_half(bits) + value_of_half(bits + 1)) / 2;
    if (kind == 0) return middle;
    return wide ? nextafter(middle, end) : (double)nextafterf((float)middle, (float)end);
}

static void check_numbers(struct runner *runner, unsigned kind) {
    static double wide[HALFS];
    static float narrow[HALFS];
    static uint16_t got[2][MODES * HALFS];
    for (uint32_t k = 0; k < HALFS; k++) {
        wide[k] = beside(k, kind, true);
        narrow[k] = (float)beside(k, kind, false);
    }
    run(runner, "from_double", wide, sizeof wide, got[0], sizeof got[0]);
    run(runner, "from_float", narrow, sizeof narrow, got[1], sizeof got[1]);
    for (uint32_t k = 0; k < MODES * HALFS; k++) {
        for (unsigned w = 0; w < 2; w++) {
            const double x = w == 0 ? wide[k / MODES] : (double)narrow[k / MODES];
            const uint32_t wanted = half_of(x, modes[k % MODES]);
            cr_expect_eq(same_half_nan(got[w][k]), wanted, "%s %a, rounding %u: %04x, not %04x",
                         w == 0 ? "double" : "float", x, k % MODES, got[w][k], wanted);
        }
    }
}

static void check_to_numbers(struct runner *runner) {
    static uint16_t in[HALFS];
    static float floats[HALFS];
    static double doubles[HALFS];
    for (uint32_t k = 0; k < HALFS; k++)
        in[k] = (uint16_t)k;
    const tandem_addr from = runner_buffer(runner, in, sizeof in), narrow = runner_buffer(runner, NULL, sizeof floats),
                      wide = runner_buffer(runner, NULL, sizeof doubles);
    runner_launch(runner, "to_numbers", &every, (const struct tandem_argument[]){{&from, 4}, {&narrow, 4}, {&wide, 4}},
                  3);
    runner_read(runner, narrow, floats, sizeof floats);
    runner_read(runner, wide, doubles, sizeof doubles);
    for (uint32_t k = 0; k < HALFS; k++) {
        const double x = number_of_half(k);
        const bool same = isnan(x) ? isnan(floats[k]) && isnan(doubles[k])
                                   : bits_of_double((double)floats[k]) == bits_of_double(x) &&
                                         bits_of_double(doubles[k]) == bits_of_double(x);
        cr_expect(same, "%04x: %a and %a, not %a", k, (double)floats[k], doubles[k], x);
    }
}

Test(halfs, conversions,
     .description = "between halfs, floats, doubles and integers of every length, with every rounding (CL-3)") {
    uint64_t state = begin();
    struct runner runner;
    runner_open(&runner, "model:small", "halfs.cl", NULL);
    for (unsigned t = 0; t < TYPES; t++) {
        check_to(&runner, &types[t]);
        check_from(&runner, &types[t], &state);
    }
    for (unsigned kind = 0; kind < 4; kind++)
        check_numbers(&runner, kind);
    check_to_numbers(&runner);
    runner_close(&runner);
}

// ---- where halfs lie ----

enum { ITEMS = 256, LENGTH = 16, PLACES = 64 };

static uint32_t middle_of_three(double x, double low, double high) {
    return rounded(fmin(fmax(x, low), high));
}

// Single numbers as the kernel of vectors makes them; finite operands. at: the place of the result.
static uint32_t vector_result(const double *a, unsigned at) {
    double b[LENGTH];
    for (unsigned k = 0; k < LENGTH; k++)
        b[k] = a[(k + 1) % LENGTH];
    static const unsigned shuffled[3] = {7, 0, 3};
    const unsigned k = at % 16, few = at % 8, two = at % 2;
    if (at < 16) return a[k] < b[k] ? rounded((long double)a[k] * b[k] + a[k]) : rounded(a[k] + b[k]);
    if (at < 24) return rounded(number_of_half(rounded(a[few] * b[few])) - 0.5);
    if (at < 32) return half_of((float)a[8 + few] * 3.0f, FE_TOWARDZERO);
    if (at < 36) return middle_of_three(a[at - 28], b[at - 28], 2.0);
    if (at < 39) return rounded(a[shuffled[at - 36]]);
    if (at == 39) return rounded(b[1]);
    if (at < 42) return middle_of_three(a[two], -1.0, 1.0);
    if (at < 44) return rounded(a[two] < b[two] ? -1.0 : 0.0);
    return rounded(fabs(a[at - 44]) >= 0x1p-14 ? -1.0 : 0.0);
}

// Results of floats that are rounded once more: the true ones, and how many units they may be off.
static void geometry(const double *a, long double *to) {
    const double *b = a + 1;
    to[0] = (long double)a[0] * b[0] + (long double)a[1] * b[1] + (long double)a[2] * b[2] + (long double)a[3] * b[3];
    to[1] = sqrtl((long double)a[0] * a[0] + (long double)a[1] * a[1] + (long double)a[2] * a[2]);
    to[2] = hypotl((long double)a[0] - b[0], (long double)a[1] - b[1]);
    for (unsigned k = 0; k < 3; k++) {
        const unsigned l = (k + 1) % 3, m = (k + 2) % 3;
        to[3 + k] = (long double)a[l] * b[m] - (long double)a[m] * b[l];
    }
    for (unsigned k = 0; k < 2; k++)
        to[6 + k] = a[k] / hypotl(a[0], a[1]);
    to[8] = a[0] + ((long double)b[0] - a[0]) * 0.25L;
    to[9] = b[0] < a[0] ? 0 : 1;
    const long double t = fminl(fmaxl(a[0] / 2.0L, 0), 1);
    to[10] = t * t * (3 - 2 * t);
    to[11] = a[0] > 0 ? 1 : a[0] < 0 ? -1 : a[0];
    to[12] = a[0] * (180 / acosl(-1.0L));
    to[13] = a[0] * (acosl(-1.0L) / 180);
    to[14] = fmax(a[0], b[0]);
    to[15] = fmin(a[1], 1);
}

// A float's error, where what cancels was larger than the result, or one place of the half.
static bool near(uint32_t got, long double truth, const double *a) {
    double most = 0;
    for (unsigned k = 0; k < 5; k++)
        most = fmax(most, fabs(a[k]));
    const long double slack = most * most * 0x1p-21L;
    const double result = number_of_half(got);
    if (got == rounded(truth - slack) || got == rounded(truth + slack)) return true;
    return fabsl(result - truth) <= slack || abs((int)(got & 0x7FFF) - (int)(rounded(truth) & 0x7FFF)) <= 1;
}

static void vectors_with(const char *standard) {
    const struct compiler_options options = {.clang_options = standard};
    static uint16_t in[LENGTH * ITEMS], got[PLACES * ITEMS];
    const struct tandem_range range = {.dimensions = 1, .global = {ITEMS}, .local = {LOCAL}};
    uint64_t state = begin();
    struct runner runner;
    runner_open(&runner, "model:small", "halfs.cl", &options);
    for (unsigned k = 0; k < LENGTH * ITEMS; k++)  // from 2^-6 to 2^5, and small ones
        in[k] = (uint16_t)(next_bits(&state) % (12 << 10) + (9 << 10)) | (uint16_t)((next_bits(&state) & 1) << 15);
    for (unsigned k = 0; k < LENGTH * ITEMS; k += 37)
        in[k] &= 0x83FF;
    const tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof got);
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {NULL, 16 * LOCAL}};
    runner_launch(&runner, "vectors", &range, arguments, 3);
    runner_read(&runner, to, got, sizeof got);
    for (unsigned item = 0; item < ITEMS; item++) {
        double a[LENGTH];
        long double true_ones[16];
        for (unsigned k = 0; k < LENGTH; k++)
            a[k] = number_of_half(in[LENGTH * item + k]);
        for (unsigned at = 0; at < 48; at++) {
            const uint32_t result = got[PLACES * item + at], wanted = vector_result(a, at);
            cr_expect(result == wanted || ((result | wanted) & 0x7FFF) == 0, "item %u, place %u: %04x, not %04x", item,
                      at, result, wanted);
        }
        geometry(a, true_ones);
        for (unsigned at = 0; at < 16; at++)
            cr_expect(near(got[PLACES * item + 48 + at], true_ones[at], a), "item %u, place %u: %04x, not %La", item,
                      48 + at, got[PLACES * item + 48 + at], true_ones[at]);
    }
    runner_launch(&runner, "copies", &range, arguments, 3);
    runner_read(&runner, to, got, sizeof *got * ITEMS);
    for (unsigned k = 0; k < ITEMS; k++) {
        const unsigned l = k % LOCAL, from = l % 2 == 0 ? l / 2 : LOCAL - 1 - l / 2;
        cr_expect_eq(got[k], in[k - l + from], "copy %u: %04x", k, got[k]);
    }
    runner_close(&runner);
}

Test(halfs, vectors,
     .description =
         "vectors of every length: operations, choices, shuffles, loads and stores, copies, geometry (CL-3)") {
    vectors_with("-cl-std=CL1.2");
}
Test(halfs, vectors_3_0, .description = "the same where pointers lead into any memory (CL-3)") {
    vectors_with("-cl-std=CL3.0");
}

static void places_on(const char *device) {
    enum { FEW = 32 };
    struct given {  // as OpenCL C lays it out
        char first;
        uint16_t second;
        float third;
        uint16_t fourth[2];
    } const given = {.first = 1, .second = 0x3A00, .third = 2.5f, .fourth = {0xC200, 0x0155}};
    const double table[3] = {number_of_half(rounded(0.1L)), -0x1p-24, 65504};
    static const double second[2] = {0.25, -0.0}, fourth[2][2] = {{2.0, 3.0}, {0x1p-20, 7.0}};
    const uint16_t by_bits = 0x2E66, vector[4] = {0x3E00, 0xFBFF, 0x4200, 0};
    const double by = number_of_half(by_bits);
    const struct tandem_range few = {.dimensions = 1, .global = {FEW}, .local = {FEW}};
    uint16_t got[4 * FEW];
    struct kept_text text = {0};
    struct runner runner;
    runner_open(&runner, device, "halfs.cl", NULL);
    tandem_set_printf(runner.device, runner_keep_text, &text);
    const tandem_addr to = runner_buffer(&runner, NULL, sizeof got);
    const uint32_t shared = FEW * sizeof(uint16_t);
    const struct tandem_argument arguments[] = {
        {&by_bits, 2}, {&given, sizeof given}, {vector, sizeof vector}, {&to, 4}, {NULL, shared}};
    runner_launch(&runner, "places", &few, arguments, 5);
    runner_read(&runner, to, got, sizeof got);
    for (unsigned k = 0; k < FEW; k++) {
        const unsigned other = k ^ 1, which = k & 1;
        const uint32_t times = rounded(by * ((other & 3) + 1));
        const double one = number_of_half(given.fourth[0]), two = number_of_half(given.fourth[1]);
        const double product = number_of_half(given.second) * (double)given.third;
        const double wanted[4] = {number_of_half(times) + table[other % 3],
                                  k > 1 ? second[which] * fourth[which][0] : second[which] + fourth[which][1],
                                  k > 0 ? product * one : product + two, 3.0 + 1.5 * 2.0};
        for (unsigned r = 0; r < 4; r++)
            cr_expect_eq(got[4 * k + r], rounded(wanted[r]), "%s: item %u, result %u: %04x, not %a", device, k, r,
                         got[4 * k + r], wanted[r]);
    }
    cr_expect_str_eq(text.bytes,
                     "0.099976 0.099976,-1.000000 -5.96046e-08 1.000000e+00,2.000000e+00,3.000000e+00,6.550400e+04\n",
                     "%s: %s", device, text.bytes);
    runner_close(&runner);
}

Test(halfs, places,
     .description = "halfs as constants, arguments, in structures, in local and private memory, printed (CL-3)") {
    places_on("model:small");
}

Test(halfs, tandem, .description = "a program with halfs in tandem: hardware and model agree (CL-3)") {
    places_on("tandem:nano");
    if (runner_has("tandem:small")) places_on("tandem:small");
}
