// Conversions to and from numbers of 64 bits: what LLVM's instructions become, and the built-in functions, with every
// rounding; stores of them as halfs. A number that does not fit becomes the nearest that does, NaN 0, with and without _sat.
#include "convert.h"
#include "doubles.h"
#include "half_stores.h"

float tandem_double_to_float(ulong x);
ulong tandem_float_to_double(float x);
ushort tandem_double_to_half(ulong x);
ushort tandem_double_to_half_rtz(ulong x);
ushort tandem_double_to_half_rtp(ulong x);
ushort tandem_double_to_half_rtn(ulong x);
int tandem_double_to_s32(ulong x);
uint tandem_double_to_u32(ulong x);
long tandem_double_to_s64(ulong x);
ulong tandem_double_to_u64(ulong x);
ulong tandem_s32_to_double(int x);
ulong tandem_u32_to_double(uint x);
ulong tandem_s64_to_double(long x);
ulong tandem_u64_to_double(ulong x);

// ---- floats ----

// The bits of x as a number of `width` bits, `fraction` of them behind its first one: a float, a half.
static inline uint narrowed(ulong x, uint width, uint fraction, enum rounding mode) {
    const uint sign = (uint)(x >> 63) << (width - 1u), most = (1u << (width - 1u - fraction)) - 1u;
    const uint infinity = most << fraction, behind = 30u - fraction;
    ulong m = double_magnitude(x);
    int e = (int)double_exponent(x) - (int)(1023u - most / 2u);
    if (m >= DOUBLE_INFINITY) return m > DOUBLE_INFINITY ? infinity | 1u << (fraction - 1u) : sign | infinity;
    if (m == 0) return sign;
    // The first bit at 30. Doubles below the normal range leave nothing but their trace.
    uint w = (uint)(m >> 22 & 0x3FFFFFFFul) | 0x40000000u | (uint)(((uint)m & 0x3FFFFFu) != 0);
    if (e < 1) {
        uint n = (uint)min(1 - e, 31), kept = w >> n;
        w = kept | (uint)(kept << n != w);
        e = 1;
    }
    w += rounding_up(mode, sign != 0, w >> behind & 1u, behind);
    uint bits = ((uint)(e - 1) << fraction) + (w >> behind);
    if (e > (int)most - 1) bits = infinity - (uint)!overflows_to_infinity(mode, sign != 0);
    return sign | bits;
}

static inline float to_float(ulong x, enum rounding mode) {
    return as_float(narrowed(x, 32u, 23u, mode));
}

float tandem_double_to_float(ulong x) {
    return to_float(x, RTE);
}

ulong tandem_float_to_double(float x) {
    uint bits = as_uint(x), m = bits & 0x7FFFFFFFu;
    ulong sign = (ulong)(bits & 0x80000000u) << 32;
    if (m > 0x7F800000u) return DOUBLE_NAN;
    if (m - 0x00800000u < 0x7F000000u) return sign | (((ulong)m << 29) + (896ul << 52));
    if (m == 0) return sign;
    if (m == 0x7F800000u) return sign | DOUBLE_INFINITY;
    uint n = clz(m);
    return sign | ((ulong)(905u - n) << 52) | ((ulong)(m << n << 1) << 20);
}

// ---- halfs ----

static inline ushort to_half(ulong x, enum rounding mode) {
    return (ushort)narrowed(x, 16u, 10u, mode);
}

ushort tandem_double_to_half(ulong x) {
    return to_half(x, RTE);
}
ushort tandem_double_to_half_rtz(ulong x) {
    return to_half(x, RTZ);
}
ushort tandem_double_to_half_rtp(ulong x) {
    return to_half(x, RTP);
}
ushort tandem_double_to_half_rtn(ulong x) {
    return to_half(x, RTN);
}

#define NEAREST(x) tandem_double_to_half(as_ulong(x))
#define TOWARD_ZERO(x) tandem_double_to_half_rtz(as_ulong(x))
#define UPWARD(x) tandem_double_to_half_rtp(as_ulong(x))
#define DOWNWARD(x) tandem_double_to_half_rtn(as_ulong(x))
EVERY_PLACE(double, NEAREST, TOWARD_ZERO, UPWARD, DOWNWARD)

// ---- whole numbers ----

// The magnitude of x as a whole number; all ones where it needs 64 bits and more than one of them, or is NaN's.
static inline ulong whole_magnitude(ulong x, enum rounding mode) {
    uint e = double_exponent(x);
    ulong m = x & DOUBLE_FRACTION;
    if (e >= 1023u + 64u) return ~0ul;
    if (e >= 1023u + 52u) return (m | DOUBLE_HIDDEN) << (e - 1075u);
    m = (m | (e != 0 ? DOUBLE_HIDDEN : 0ul)) << 10;
    if (mode == RTZ) return e < 1023u ? 0ul : m >> (1085u - e);
    // Two bits behind the whole number: more is not needed to round it.
    uint n = min(1083u - e, 63u);
    ulong w = shift_right_sticky(m, n);
    return (w + rounding_up(mode, x >> 63 != 0, (uint)(w >> 2) & 1u, 2u)) >> 2;
}

static inline ulong to_u64(ulong x, enum rounding mode) {
    if (double_is_nan(x)) return 0ul;
    ulong m = whole_magnitude(x, mode);
    return x >> 63 != 0 ? 0ul : m;
}

static inline long to_s64(ulong x, enum rounding mode) {
    if (double_is_nan(x)) return 0;
    ulong m = whole_magnitude(x, mode);
    bool negative = x >> 63 != 0;
    m = min(m, negative ? DOUBLE_SIGN : DOUBLE_SIGN - 1ul);
    return (long)(negative ? 0ul - m : m);
}

static inline uint to_u32(ulong x, enum rounding mode) {
    return (uint)min(to_u64(x, mode), 0xFFFFFFFFul);
}

static inline int to_s32(ulong x, enum rounding mode) {
    return (int)max(min(to_s64(x, mode), 0x7FFFFFFFl), -0x80000000l);
}

// Toward zero the upper word is nearly all.
static inline uint word_magnitude(ulong x) {
    uint high = (uint)(x >> 32), e = high >> 20 & 2047u;
    if (e < 1023u) return 0u;
    if (e > 1054u) return ~0u;
    return (high << 11 | 0x80000000u | (uint)x >> 21) >> (1054u - e);
}

int tandem_double_to_s32(ulong x) {
    if (double_is_nan(x)) return 0;
    uint m = word_magnitude(x);
    return x >> 63 != 0 ? (int)(0u - min(m, 0x80000000u)) : (int)min(m, 0x7FFFFFFFu);
}

uint tandem_double_to_u32(ulong x) {
    return x >> 63 != 0 || double_is_nan(x) ? 0u : word_magnitude(x);
}

long tandem_double_to_s64(ulong x) {
    return to_s64(x, RTZ);
}

ulong tandem_double_to_u64(ulong x) {
    return to_u64(x, RTZ);
}

static inline ulong from_magnitude(ulong m, bool negative, enum rounding mode) {
    if (m == 0) return 0ul;
    uint n = clz64(m);
    m <<= n;
    return double_rounded(negative ? DOUBLE_SIGN : 0ul, (int)(1086u - n), m >> 1 | (m & 1ul), mode);
}

static inline ulong from_s64(long x, enum rounding mode) {
    return from_magnitude(x < 0 ? 0ul - (ulong)x : (ulong)x, x < 0, mode);
}

ulong tandem_u32_to_double(uint x) {
    if (x == 0) return 0ul;
    uint n = clz(x);
    x <<= n;
    return ((ulong)(1053u - n) << 52) + ((ulong)x << 21);
}

ulong tandem_s32_to_double(int x) {
    ulong bits = tandem_u32_to_double(x < 0 ? 0u - (uint)x : (uint)x);
    return bits | (x < 0 ? DOUBLE_SIGN : 0ul);
}

ulong tandem_s64_to_double(long x) {
    return from_s64(x, RTE);
}

ulong tandem_u64_to_double(ulong x) {
    return from_magnitude(x, false, RTE);
}

// ---- the built-in functions ----

#define BOTH(to, name, from, expression)       \
    CONVERT(to, name, from, expression)        \
    CONVERT(to, _sat##name, from, expression)
#define NARROW_SIGNED(mode, most) max(min(to_s32(as_ulong(x), mode), most), -most - 1)
#define NARROW_UNSIGNED(mode, most) min(to_u32(as_ulong(x), mode), most)

#define TO_INTEGERS(name, mode)                                                   \
    BOTH(char, name, double, (char)(NARROW_SIGNED(mode, 127)))                    \
    BOTH(uchar, name, double, (uchar)(NARROW_UNSIGNED(mode, 255u)))               \
    BOTH(short, name, double, (short)(NARROW_SIGNED(mode, 32767)))                \
    BOTH(ushort, name, double, (ushort)(NARROW_UNSIGNED(mode, 65535u)))           \
    BOTH(int, name, double, to_s32(as_ulong(x), mode))                            \
    BOTH(uint, name, double, to_u32(as_ulong(x), mode))                           \
    BOTH(long, name, double, to_s64(as_ulong(x), mode))                           \
    BOTH(ulong, name, double, to_u64(as_ulong(x), mode))
TO_INTEGERS(, RTZ)
TO_INTEGERS(_rte, RTE)
TO_INTEGERS(_rtz, RTZ)
TO_INTEGERS(_rtp, RTP)
TO_INTEGERS(_rtn, RTN)

#define FROM_ALL(name, mode)                                                                     \
    CONVERT(double, name, char, as_double(tandem_s32_to_double(x)))                               \
    CONVERT(double, name, uchar, as_double(tandem_u32_to_double(x)))                              \
    CONVERT(double, name, short, as_double(tandem_s32_to_double(x)))                              \
    CONVERT(double, name, ushort, as_double(tandem_u32_to_double(x)))                             \
    CONVERT(double, name, int, as_double(tandem_s32_to_double(x)))                                \
    CONVERT(double, name, uint, as_double(tandem_u32_to_double(x)))                               \
    CONVERT(double, name, long, as_double(from_s64(x, mode)))                                     \
    CONVERT(double, name, ulong, as_double(from_magnitude(x, false, mode)))                       \
    CONVERT(double, name, float, as_double(tandem_float_to_double(x)))                            \
    CONVERT(double, name, double, x)                                                              \
    CONVERT(float, name, double, to_float(as_ulong(x), mode))
FROM_ALL(, RTE)
FROM_ALL(_rte, RTE)
FROM_ALL(_rtz, RTZ)
FROM_ALL(_rtp, RTP)
FROM_ALL(_rtn, RTN)
