// Whole numbers to floats, rounded otherwise than to nearest: libclc's go by what the nearest float is as a whole number
// again, and that has no answer where the float lies beyond the type's range.
#include "tandem.h"

static ulong magnitude(long x) {
    return x < 0 ? 0ul - (ulong)x : (ulong)x;
}

// The upper 32 bits from the first one on, the lowest of them also saying that there are more; and the scale.
static uint upper_bits(ulong x, float *unit) {
    uint high = (uint)(x >> 32);
    *unit = 1.0f;
    if (high == 0) return (uint)x;
    uint s = clz(high);
    x <<= s;
    *unit = as_float((127u + 32u - s) << 23);
    return (uint)(x >> 32) | (uint)((uint)x != 0);
}

static float down(ulong x) {
    float unit;
    uint bits = upper_bits(x, &unit);
    return from_uint_rtz(bits) * unit;
}
static float up(ulong x) {
    float unit;
    uint bits = upper_bits(x, &unit);
    return from_uint_rtp(bits) * unit;
}

#define FORM(form, from_int, from_uint, from_long, from_ulong)                                          \
    float OVERLOAD convert_float##form(int x) { return from_int(x); }                                   \
    float OVERLOAD convert_float##form(uint x) { return from_uint(x); }                                 \
    float OVERLOAD convert_float##form(long x) { return from_long; }                                    \
    float OVERLOAD convert_float##form(ulong x) { return from_ulong(x); }                               \
    VECTORS(form, int)                                                                                  \
    VECTORS(form, uint)                                                                                 \
    VECTORS(form, long)                                                                                 \
    VECTORS(form, ulong)
#define VECTORS(form, type)                                                                             \
    float2 OVERLOAD convert_float2##form(type##2 x) {                                                   \
        return (float2)(convert_float##form(x.x), convert_float##form(x.y));                            \
    }                                                                                                   \
    float3 OVERLOAD convert_float3##form(type##3 x) {                                                   \
        return (float3)(convert_float2##form(x.xy), convert_float##form(x.z));                          \
    }                                                                                                   \
    float4 OVERLOAD convert_float4##form(type##4 x) {                                                   \
        return (float4)(convert_float2##form(x.lo), convert_float2##form(x.hi));                        \
    }                                                                                                   \
    float8 OVERLOAD convert_float8##form(type##8 x) {                                                   \
        return (float8)(convert_float4##form(x.lo), convert_float4##form(x.hi));                        \
    }                                                                                                   \
    float16 OVERLOAD convert_float16##form(type##16 x) {                                                \
        return (float16)(convert_float8##form(x.lo), convert_float8##form(x.hi));                       \
    }
FORM(_rtz, from_int_rtz, from_uint_rtz, x < 0 ? -down(magnitude(x)) : down(magnitude(x)), down)
FORM(_rtp, from_int_rtp, from_uint_rtp, x < 0 ? -down(magnitude(x)) : up(magnitude(x)), up)
FORM(_rtn, from_int_rtn, from_uint_rtn, x < 0 ? -up(magnitude(x)) : down(magnitude(x)), down)
