// Numbers of 16 bits in memory. They are handled as bits from the start: had LLVM seen their type, it would compare or
// copy them in it, and there is no arithmetic in 16 bits.
#include "half_stores.h"
#include "tandem.h"

#define NAN_HALF 0x7E00u
#define INFINITY_HALF 0x7C00u
#define MOST_HALF 0x7BFFu
#define INFINITY_BITS 0x7F800000u
#define SMALLEST_NORMAL 0x38800000u  // 2^-14
#define BIAS_DIFFERENCE 0x38000000u  // 112 << 23

float tandem_half_to_float(ushort bits);
ushort tandem_float_to_half(float x);

// The magnitude's bits, m those of a float without sign: toward zero, and away from it.
static uint half_down(uint m) {
    if (m >= 0x47800000u) return m == INFINITY_BITS ? INFINITY_HALF : MOST_HALF;
    if (m < SMALLEST_NORMAL) return to_uint_rtz(as_float(m) * 0x1p24f);
    return (m - BIAS_DIFFERENCE) >> 13;
}

static uint half_up(uint m) {
    if (m > 0x477FE000u) return INFINITY_HALF;
    if (m < SMALLEST_NORMAL) return to_uint_rtp(as_float(m) * 0x1p24f);
    return (m + 0x1FFFu - BIAS_DIFFERENCE) >> 13;
}

static ushort with_sign(float x, bool up) {
    uint bits = as_uint(x), sign = bits >> 16 & 0x8000u, m = bits & 0x7FFFFFFFu;
    if (m > INFINITY_BITS) return (ushort)(sign | NAN_HALF);
    return (ushort)(sign | (up ? half_up(m) : half_down(m)));
}

static ushort half_rtz(float x) {
    return with_sign(x, false);
}
static ushort half_rtp(float x) {
    return with_sign(x, as_uint(x) >> 31 == 0);
}
static ushort half_rtn(float x) {
    return with_sign(x, as_uint(x) >> 31 != 0);
}

#define AT(k) tandem_half_to_float(from[k])
#define LOADS(space)                                                                                                   \
    float OVERLOAD vload_half(size_t at, const space half *p) {                                                        \
        return tandem_half_to_float(((const space ushort *)p)[at]);                                                    \
    }                                                                                                                  \
    LOAD_3(space, vload_half3, 3) LOAD_3(space, vloada_half3, 4)                                                       \
    LOAD_N(space, vload_half) LOAD_N(space, vloada_half)
#define LOAD_3(space, name, stride)                                                                                    \
    float3 OVERLOAD name(size_t at, const space half *p) {                                                             \
        const space ushort *from = (const space ushort *)p + stride * at;                                              \
        return (float3)(AT(0), AT(1), AT(2));                                                                          \
    }
#define LOAD_N(space, name)                                                                                            \
    float2 OVERLOAD name##2(size_t at, const space half *p) {                                                          \
        const space ushort *from = (const space ushort *)p + 2 * at;                                                   \
        return (float2)(AT(0), AT(1));                                                                                 \
    }                                                                                                                  \
    float4 OVERLOAD name##4(size_t at, const space half *p) {                                                          \
        const space ushort *from = (const space ushort *)p + 4 * at;                                                   \
        return (float4)(AT(0), AT(1), AT(2), AT(3));                                                                   \
    }                                                                                                                  \
    float8 OVERLOAD name##8(size_t at, const space half *p) {                                                          \
        return (float8)(name##4(2 * at, p), name##4(2 * at + 1, p));                                                   \
    }                                                                                                                  \
    float16 OVERLOAD name##16(size_t at, const space half *p) {                                                        \
        return (float16)(name##8(2 * at, p), name##8(2 * at + 1, p));                                                  \
    }
LOADS(__global)
LOADS(__local)
LOADS(__private)
LOADS(__constant)

EVERY_PLACE(float, tandem_float_to_half, half_rtz, half_rtp, half_rtn)
