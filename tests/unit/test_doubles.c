// Double precision in software against the host's hardware, on the model: operations, conversions, where doubles lie.
// TANDEM_SEED= replays. DOUBLES_ROUNDS= makes it longer (make long).
#include <criterion/criterion.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "double_numbers.h"
#include "kernel_runner.h"
#include "number_reference.h"

enum { ITEMS = 2048, LOCAL = 64 };

static const struct tandem_range range = {.dimensions = 1, .global = {ITEMS}, .local = {LOCAL}};

static unsigned rounds(void) {
    const char *given = getenv("DOUBLES_ROUNDS");
    return given != NULL ? (unsigned)strtoul(given, NULL, 0) : 1;
}

static uint64_t begin(void) {
    const uint64_t seed = seed_from_environment();
    printf("seed %llu (TANDEM_SEED=)\n", (unsigned long long)seed);
    return seed | 1;
}

static uint64_t same_nan(uint64_t bits) {
    return isnan(double_of_bits(bits)) ? UINT64_C(0x7FF8000000000000) : bits;
}

// Classes and order, as the kernel packs them.
static uint64_t classes(double a, double b) {
    return (uint64_t)(isnan(a) != 0) | (uint64_t)(isinf(a) != 0) << 1 | (uint64_t)(isfinite(a) != 0) << 2 |
           (uint64_t)(isnormal(a) != 0) << 3 | (uint64_t)(signbit(a) != 0) << 4 |
           (uint64_t)(isnan(a) || isnan(b)) << 5 | (uint64_t)(!isnan(a) && !isnan(b)) << 6 |
           (uint64_t)(a < b || a > b) << 7;
}

// A remainder of zero has the sign of the first operand (IEEE 754, 5.3.1); glibc 2.36 forgets it beside small divisors.
static double remainder_of(double a, double b) {
    const double result = remainder(a, b);
    return result == 0 ? copysign(result, a) : result;
}

static void expect(double a, double b, double c, uint64_t *to) {
    const uint64_t ua = bits_of_double(a), ub = bits_of_double(b), uc = bits_of_double(c);
    int quotient = 0, exponent = 0;
    double whole;
    const double values[20] = {a + b,
                               a - b,
                               a * b,
                               a / b,
                               fma(a, b, c),
                               sqrt(a),
                               fmod(a, b),
                               remainder_of(a, b),
                               trunc(a),
                               floor(a),
                               ceil(a),
                               rint(a),
                               round(a),
                               fmin(a, b),
                               fmax(a, b),
                               -a,
                               fabs(a),
                               copysign(a, b),
                               ldexp(a, (int)(ub >> 40 & 4095) - 2048),
                               nextafter(a, b)};
    for (unsigned k = 0; k < 20; k++)
        to[k] = bits_of_double(values[k]);
    to[20] = relations(a, b);
    to[21] = classes(a, b);
    to[22] = bits_of_double(remquo(a, b, &quotient));
    // The host gives three bits of the quotient; that is what C asks for.
    to[23] = isfinite(a) && b != 0 && !isnan(b) ? (uint64_t)quotient & 7 : 0;
    to[24] = a < b ? uc : ua;
    to[25] = bits_of_double(fdim(a, b));
    to[26] = uc != 0 ? ub : ua;
    to[27] = (ua & ~uc) | (ub & uc);
    to[28] = bits_of_double(modf(a, &whole));
    to[29] = bits_of_double(whole);
    to[30] = bits_of_double(frexp(a, &exponent));
    to[31] = isfinite(a) && a != 0 ? (uint64_t)(int64_t)exponent : 0;
}

// Bits do not show which NaN it is, and of two zeros fmin and fmax may give either.
static bool agrees(unsigned which, uint64_t got, uint64_t wanted) {
    if (which == 20 || which == 21 || which == 31) return got == wanted;
    if (which == 23) return (got & 7) == wanted;
    if ((which == 13 || which == 14) && double_of_bits(got) == 0 && double_of_bits(wanted) == 0) return true;
    return same_nan(got) == same_nan(wanted);
}

// Of a NaN that is not quiet the host's fmin makes NaN.
static uint64_t quiet(uint64_t bits) {
    return isnan(double_of_bits(bits)) ? bits | UINT64_C(1) << 51 : bits;
}

// Three operands; the second and third sometimes near what cancels.
static void operands(uint64_t *state, double *to) {
    uint64_t a = hard_double(state), b = hard_double(state), c = hard_double(state);
    const uint64_t how = next_bits(state);
    if ((how & 7) == 0) b = a ^ (how >> 8 & 15) ^ (how & 0x80) << 56;
    if ((how & 0x70) == 0) c = bits_of_double(-(double_of_bits(a) * double_of_bits(b))) ^ (how >> 12 & 3);
    to[0] = double_of_bits(a);
    to[1] = double_of_bits(quiet(b));
    to[2] = double_of_bits(quiet(c));
}

Test(doubles, arithmetic,
     .description = "operations of 64 bits give the host's bits: ties, cancellation, denormals, overflow, NaN (CL-3)") {
    static double in[3 * ITEMS];
    static uint64_t got[RESULTS * ITEMS];
    uint64_t state = begin();
    struct runner runner;
    runner_open(&runner, "model:small", "doubles.cl", NULL);
    const tandem_addr from = runner_buffer(&runner, NULL, sizeof in), to = runner_buffer(&runner, NULL, sizeof got);
    for (unsigned round = 0; round < rounds(); round++) {
        for (unsigned k = 0; k < ITEMS; k++)
            operands(&state, &in[3 * k]);
        cr_assert_eq(tandem_write(runner.device, from, in, sizeof in), TANDEM_OK);
        const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
        runner_launch(&runner, "arithmetic", &range, arguments, 2);
        runner_read(&runner, to, got, sizeof got);
        for (unsigned k = 0; k < ITEMS; k++) {
            uint64_t wanted[RESULTS];
            expect(in[3 * k], in[3 * k + 1], in[3 * k + 2], wanted);
            for (unsigned r = 0; r < RESULTS; r++)
                cr_expect(agrees(r, got[RESULTS * k + r], wanted[r]), "%s of %a, %a, %a: %016llx, not %016llx",
                          operation_names[r], in[3 * k], in[3 * k + 1], in[3 * k + 2],
                          (unsigned long long)got[RESULTS * k + r], (unsigned long long)wanted[r]);
        }
    }
    runner_close(&runner);
}

// ---- conversions ----

// Numbers on both sides of the range's ends, and halves between whole numbers.
static double to_convert(uint64_t *state) {
    const uint64_t how = next_bits(state);
    const unsigned bits = (unsigned)(how >> 8 & 63) + 2;
    switch (how & 3) {
        case 0: return double_of_bits(hard_double(state));
        case 1: return ((double)(int64_t)(how >> 40) - 0x1p23) * 0.25;
        case 2: return nextafter(ldexp((how & 16) != 0 ? 1.0 : -1.0, (int)bits - 1), (how & 32) != 0 ? 0.0 : INFINITY);
        default: return ((how & 16) != 0 ? 1.0 : -1.0) * (ldexp(1.0, (int)bits - 1) - (double)(how >> 20 & 7) * 0.25);
    }
}

static void check_to(struct runner *runner, const struct type *type, const double *in) {
    static uint64_t got[MODES * ITEMS];
    const tandem_addr from = runner_buffer(runner, in, ITEMS * sizeof *in),
                      to = runner_buffer(runner, NULL, sizeof got);
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
    char kernel[32];
    snprintf(kernel, sizeof kernel, "to_%s", type->name);
    runner_launch(runner, kernel, &range, arguments, 2);
    runner_read(runner, to, got, sizeof got);
    for (unsigned k = 0; k < MODES * ITEMS; k++)
        expect_integer(got, k, in[k / MODES], type);
    tandem_free(runner->device, from);
    tandem_free(runner->device, to);
}

static double double_from(uint64_t bits, const struct type *type, unsigned mode) {
    const unsigned up = 64 - type->bits;
    fesetround(modes[mode]);
    volatile int64_t with_sign = (int64_t)(bits << up) >> up;
    volatile uint64_t without = bits;
    volatile double result = type->is_signed ? (double)with_sign : (double)without;
    fesetround(FE_TONEAREST);
    return result;
}

static void check_from(struct runner *runner, const struct type *type, uint64_t *state) {
    static uint8_t in[8 * ITEMS];
    static double got[MODES * ITEMS];
    for (unsigned k = 0; k < ITEMS; k++) {
        const uint64_t how = next_bits(state);
        const uint64_t value =
            (how & 1) != 0 ? next_bits(state) >> (how >> 8 & 63) : (~UINT64_C(0) >> (how >> 8 & 63)) - (how >> 50);
        memcpy(in + k * (type->bits / 8), &value, type->bits / 8);
    }
    const tandem_addr from = runner_buffer(runner, in, sizeof in), to = runner_buffer(runner, NULL, sizeof got);
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
    char kernel[32];
    snprintf(kernel, sizeof kernel, "from_%s", type->name);
    runner_launch(runner, kernel, &range, arguments, 2);
    runner_read(runner, to, got, sizeof got);
    for (unsigned k = 0; k < MODES * ITEMS; k++) {
        const uint64_t value = integer_at(in, k / MODES, type->bits);
        const double wanted = double_from(value, type, k % MODES);
        cr_expect_eq(bits_of_double(got[k]), bits_of_double(wanted), "%s %llx, rounding %u: %a, not %a", type->name,
                     (unsigned long long)value, k % MODES, got[k], wanted);
    }
    tandem_free(runner->device, from);
    tandem_free(runner->device, to);
}

static void check_floats(struct runner *runner, const double *in) {
    static float narrow[ITEMS], got[MODES * ITEMS];
    static double wide[MODES * ITEMS];
    for (unsigned k = 0; k < ITEMS; k++)
        narrow[k] = (float)in[k];
    const tandem_addr from = runner_buffer(runner, in, ITEMS * sizeof *in),
                      to = runner_buffer(runner, NULL, sizeof got),
                      floats = runner_buffer(runner, narrow, sizeof narrow),
                      back = runner_buffer(runner, NULL, sizeof wide);
    runner_launch(runner, "to_float", &range, (const struct tandem_argument[]){{&from, 4}, {&to, 4}}, 2);
    runner_launch(runner, "from_float", &range, (const struct tandem_argument[]){{&floats, 4}, {&back, 4}}, 2);
    runner_read(runner, to, got, sizeof got);
    runner_read(runner, back, wide, sizeof wide);
    for (unsigned k = 0; k < MODES * ITEMS; k++) {
        fesetround(modes[k % MODES]);
        volatile double x = in[k / MODES];
        volatile float wanted = (float)x;
        fesetround(FE_TONEAREST);
        const float result = got[k];
        cr_expect(isnan(wanted) ? isnan(result) : result == wanted && signbit(result) == signbit(wanted),
                  "%a to float, rounding %u: %a, not %a", in[k / MODES], k % MODES, (double)result, (double)wanted);
        cr_expect_eq(same_nan(bits_of_double(wide[k])), same_nan(bits_of_double((double)narrow[k / MODES])),
                     "float %a: %a", (double)narrow[k / MODES], wide[k]);
    }
}

Test(doubles, conversions,
     .description = "between doubles, floats and integers of every length, with every rounding, saturated (CL-3)") {
    static double in[ITEMS];
    uint64_t state = begin();
    struct runner runner;
    runner_open(&runner, "model:small", "doubles.cl", NULL);
    for (unsigned k = 0; k < ITEMS; k++)
        in[k] = to_convert(&state);
    for (unsigned t = 0; t < TYPES; t++) {
        check_to(&runner, &types[t], in);
        check_from(&runner, &types[t], &state);
    }
    // Around the middle between floats, and below their normal range.
    for (unsigned k = 0; k < ITEMS; k++)
        in[k] = double_of_bits(hard_double(&state));
    for (unsigned k = 0; k < ITEMS; k += 2)
        in[k] = ldexp(1.0 + ldexp((double)(next_bits(&state) >> 35), -30), (int)(next_bits(&state) % 320) - 180);
    check_floats(&runner, in);
    runner_close(&runner);
}

// ---- where doubles lie ----

Test(doubles, vectors, .description = "vectors of doubles give what single ones give (CL-3)") {
    static double in[3 * ITEMS + 4], got[8 * ITEMS];
    uint64_t state = begin();
    struct runner runner;
    runner_open(&runner, "model:small", "doubles.cl", NULL);
    for (unsigned k = 0; k < 3 * ITEMS + 4; k++)
        in[k] = double_of_bits(hard_double(&state));
    const tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof got);
    runner_launch(&runner, "vectors", &range, (const struct tandem_argument[]){{&from, 4}, {&to, 4}}, 2);
    runner_read(&runner, to, got, sizeof got);
    for (unsigned k = 0; k < 4 * ITEMS; k++) {
        const double *item = in + 3 * (k / 4), a = item[k % 4], b = item[3 - k % 4];
        const volatile double product = b * a;
        const double sum = a < b ? -a : a + product, other = fma(a, b, 0.5);
        // a + b * a may be one operation or two.
        const double fused = a < b ? -a : fma(b, a, a);
        const double *result = &got[8 * (k / 4) + k % 4];
        const uint64_t bits = same_nan(bits_of_double(result[0]));
        cr_expect(bits == same_nan(bits_of_double(sum)) || bits == same_nan(bits_of_double(fused)),
                  "%a + %a * %a: %a, not %a", a, b, a, result[0], sum);
        cr_expect_eq(same_nan(bits_of_double(result[4])), same_nan(bits_of_double(other)), "fma(%a, %a, 0.5): %a", a, b,
                     result[4]);
    }
    runner_close(&runner);
}

static void places_on(const char *device) {
    enum { FEW = 32 };
    struct given {  // as OpenCL C lays it out
        char first;
        double second;
        float third;
        char gap[12];
        double fourth[2];
    } const given = {.first = 1, .second = 0.75, .third = 2.5f, .fourth = {-3.0, 0x1.8p-1030}};
    static const double table[3] = {0.1, -0x1p-1074, 1e300};
    static const double second[2] = {0.25, -0.0}, fourth[2][2] = {{2.0, 3.0}, {1e-310, 7.0}};
    const double by = 0.1, vector[4] = {1.5, -0x1p60, 3.0, 0};
    const struct tandem_range few = {.dimensions = 1, .global = {FEW}, .local = {FEW}};
    double got[4 * FEW];
    struct kept_text text = {0};
    struct runner runner;
    runner_open(&runner, device, "doubles.cl", NULL);
    tandem_set_printf(runner.device, runner_keep_text, &text);
    const tandem_addr to = runner_buffer(&runner, NULL, sizeof got);
    const uint32_t shared = FEW * sizeof(double);
    const struct tandem_argument arguments[] = {
        {&by, 8}, {&given, sizeof given}, {vector, sizeof vector}, {&to, 4}, {NULL, shared}};
    runner_launch(&runner, "places", &few, arguments, 5);
    runner_read(&runner, to, got, sizeof got);
    for (unsigned k = 0; k < FEW; k++) {
        const unsigned other = k ^ 1, which = k & 1;
        const double wanted[4] = {
            by * ((other & 3) + 1) + table[other % 3],
            k > 1 ? second[which] * fourth[which][0] : second[which] + fourth[which][1],
            k > 0 ? 3.25 * given.fourth[0] : 3.25 + given.fourth[1],
            vector[2] + (vector[0] * vector[2] + vector[1] * vector[1] + vector[2] * vector[0]),
        };
        for (unsigned r = 0; r < 4; r++)
            cr_expect_eq(bits_of_double(got[4 * k + r]), bits_of_double(wanted[r]),
                         "%s: item %u, result %u: %a, not %a", device, k, r, got[4 * k + r], wanted[r]);
    }
    cr_expect_str_eq(text.bytes, "0.500000 0.10000000000000001 0.100000,-1.000000 text 7 -4.940656e-324 -0x0p+0\n",
                     "%s: %s", device, text.bytes);
    runner_close(&runner);
}

Test(doubles, places,
     .description = "doubles as constants, arguments, in structures, in local and private memory, printed (CL-3)") {
    places_on("model:small");
}

Test(doubles, constant_rows, .description = "rows of doubles of each length in constant memory (CL-3)") {
    enum { ROWS = 8, WIDTH = 33 };
    static const unsigned lengths[] = {2, 3, 4, 8, 16};
    const struct tandem_range all = {.dimensions = 1, .global = {ROWS}, .local = {ROWS}};
    double in[16 * ROWS], got[WIDTH * ROWS];
    struct runner runner;
    for (unsigned k = 0; k < 16 * ROWS; k++)
        in[k] = 1.0 / (k + 3);
    runner_open(&runner, "model:small", "doubles.cl", NULL);
    const tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof got);
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
    runner_launch(&runner, "constant_rows", &all, arguments, 2);
    runner_read(&runner, to, got, sizeof got);
    for (unsigned row = 0; row < ROWS; row++) {
        const double *at = got + WIDTH * row;
        for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; at += lengths[k++])
            for (unsigned n = 0; n < lengths[k]; n++)
                cr_expect_eq(at[n], in[lengths[k] * row + n], "row %u of %u: number %u", row, lengths[k], n);
    }
    runner_close(&runner);
}

Test(doubles, tandem, .description = "a program with doubles in tandem: hardware and model agree (CL-3)") {
    places_on("tandem:nano");
    if (runner_has("tandem:small")) places_on("tandem:small");
}
