// Common, geometric and relational functions of halfs. Sums, products and lengths are made of floats and rounded once.
#include "half_type.h"

// A name that is defined here is no longer found among clang's own: each function that is called is declared.
#define EVERY_LENGTH(make) make(2) make(3) make(4) make(8) make(16)

// ---- common functions ----

half OVERLOAD min(half x, half y) { return y < x ? y : x; }
half OVERLOAD max(half x, half y) { return x < y ? y : x; }
VECTORS_2(half, min, half, half)
VECTORS_2(half, max, half, half)

half OVERLOAD clamp(half x, half low, half high) { return min(max(x, low), high); }
VECTORS_3(half, clamp, half, half, half)

half OVERLOAD mix(half x, half y, half a) { return (half)((float)x + ((float)y - (float)x) * (float)a); }
VECTORS_3(half, mix, half, half, half)

half OVERLOAD step(half edge, half x) { return x < edge ? 0.0h : 1.0h; }
VECTORS_2(half, step, half, half)

half OVERLOAD smoothstep(half low, half high, half x) {
    const float t = __builtin_fmaxf(__builtin_fminf(((float)x - (float)low) / ((float)high - (float)low), 1.0f), 0.0f);
    return (half)(t * t * (3.0f - 2.0f * t));
}
VECTORS_3(half, smoothstep, half, half, half)

float OVERLOAD degrees(float x);
float OVERLOAD radians(float x);
half OVERLOAD degrees(half x) { return (half)degrees((float)x); }
half OVERLOAD radians(half x) { return (half)radians((float)x); }
half OVERLOAD sign(half x) { return x > 0.0h ? 1.0h : x < 0.0h ? -1.0h : x == 0.0h ? x : 0.0h; }
VECTORS_1(half, degrees, half)
VECTORS_1(half, radians, half)
VECTORS_1(half, sign, half)

// With one number for all elements.
#define FOR_ALL(n)                                                                                                     \
    half##n OVERLOAD min(half##n x, half y) { return min(x, (half##n)y); }                                             \
    half##n OVERLOAD max(half##n x, half y) { return max(x, (half##n)y); }                                             \
    half##n OVERLOAD clamp(half##n x, half low, half high) { return clamp(x, (half##n)low, (half##n)high); }           \
    half##n OVERLOAD mix(half##n x, half##n y, half a) { return mix(x, y, (half##n)a); }                               \
    half##n OVERLOAD step(half edge, half##n x) { return step((half##n)edge, x); }                                     \
    half##n OVERLOAD smoothstep(half low, half high, half##n x) {                                                      \
        return smoothstep((half##n)low, (half##n)high, x);                                                             \
    }
EVERY_LENGTH(FOR_ALL)

// ---- geometric functions ----

#define FLOATS_1(v) ((float)(v))
#define FLOATS_2(v) ((float2)((float)(v).x, (float)(v).y))
#define FLOATS_3(v) ((float3)((float)(v).x, (float)(v).y, (float)(v).z))
#define FLOATS_4(v) ((float4)((float)(v).x, (float)(v).y, (float)(v).z, (float)(v).w))
#define HALFS_1(v) ((half)(v))
#define HALFS_2(v) ((half2)((half)(v).x, (half)(v).y))
#define HALFS_3(v) ((half3)((half)(v).x, (half)(v).y, (half)(v).z))
#define HALFS_4(v) ((half4)((half)(v).x, (half)(v).y, (half)(v).z, (half)(v).w))

#define GEOMETRY(type, n)                                                                                              \
    float OVERLOAD dot(float##n a, float##n b);                                                                        \
    float OVERLOAD distance(float##n a, float##n b);                                                                   \
    float OVERLOAD length(float##n a);                                                                                 \
    float##n OVERLOAD normalize(float##n a);                                                                           \
    half OVERLOAD dot(type a, type b) { return (half)dot(FLOATS_##n(a), FLOATS_##n(b)); }                              \
    half OVERLOAD distance(type a, type b) { return (half)distance(FLOATS_##n(a), FLOATS_##n(b)); }                    \
    half OVERLOAD length(type a) { return (half)length(FLOATS_##n(a)); }                                               \
    type OVERLOAD normalize(type a) { const float##n unit = normalize(FLOATS_##n(a)); return HALFS_##n(unit); }
#define float1 float
GEOMETRY(half, 1)
GEOMETRY(half2, 2)
GEOMETRY(half3, 3)
GEOMETRY(half4, 4)

float3 OVERLOAD cross(float3 a, float3 b);
half3 OVERLOAD cross(half3 a, half3 b) {
    const float3 c = cross(FLOATS_3(a), FLOATS_3(b));
    return HALFS_3(c);
}
half4 OVERLOAD cross(half4 a, half4 b) { return (half4)(cross(a.xyz, b.xyz), 0.0h); }

// ---- relational functions ----

// True is 1 of single numbers, -1 of elements.
#define ELEMENTS_1(name)                                                                                               \
    short2 OVERLOAD name(half2 a) { return (short2)((short)-name(a.x), (short)-name(a.y)); }                           \
    short3 OVERLOAD name(half3 a) { return (short3)(name(a.xy), (short)-name(a.z)); }                                  \
    short4 OVERLOAD name(half4 a) { return (short4)(name(a.lo), name(a.hi)); }                                         \
    short8 OVERLOAD name(half8 a) { return (short8)(name(a.lo), name(a.hi)); }                                         \
    short16 OVERLOAD name(half16 a) { return (short16)(name(a.lo), name(a.hi)); }
#define ELEMENTS_2(name)                                                                                               \
    short2 OVERLOAD name(half2 a, half2 b) { return (short2)((short)-name(a.x, b.x), (short)-name(a.y, b.y)); }        \
    short3 OVERLOAD name(half3 a, half3 b) { return (short3)(name(a.xy, b.xy), (short)-name(a.z, b.z)); }              \
    short4 OVERLOAD name(half4 a, half4 b) { return (short4)(name(a.lo, b.lo), name(a.hi, b.hi)); }                    \
    short8 OVERLOAD name(half8 a, half8 b) { return (short8)(name(a.lo, b.lo), name(a.hi, b.hi)); }                    \
    short16 OVERLOAD name(half16 a, half16 b) { return (short16)(name(a.lo, b.lo), name(a.hi, b.hi)); }
#define QUESTION(name, expression)                                                                                     \
    int OVERLOAD name(half x) { return expression; }                                                                   \
    ELEMENTS_1(name)
#define RELATION(name, expression)                                                                                     \
    int OVERLOAD name(half x, half y) { return expression; }                                                           \
    ELEMENTS_2(name)

QUESTION(isfinite, half_magnitude(x) < INFINITY_HALF)
QUESTION(isinf, half_magnitude(x) == INFINITY_HALF)
QUESTION(isnan, half_magnitude(x) > INFINITY_HALF)
QUESTION(isnormal, half_magnitude(x) - 0x400u < INFINITY_HALF - 0x400u)
QUESTION(signbit, as_short(x) < 0)
RELATION(isequal, x == y)
RELATION(isnotequal, x != y)
RELATION(isgreater, x > y)
RELATION(isgreaterequal, x >= y)
RELATION(isless, x < y)
RELATION(islessequal, x <= y)
RELATION(islessgreater, x < y || x > y)
RELATION(isordered, !isnan(x) && !isnan(y))
RELATION(isunordered, isnan(x) || isnan(y))

#define CHOOSE(n)                                                                                                      \
    short##n OVERLOAD select(short##n a, short##n b, short##n c);                                                      \
    short##n OVERLOAD select(short##n a, short##n b, ushort##n c);                                                     \
    ushort##n OVERLOAD bitselect(ushort##n a, ushort##n b, ushort##n c);                                               \
    half##n OVERLOAD select(half##n a, half##n b, short##n c) {                                                        \
        return as_half##n(select(as_short##n(a), as_short##n(b), c));                                                  \
    }                                                                                                                  \
    half##n OVERLOAD select(half##n a, half##n b, ushort##n c) {                                                       \
        return as_half##n(select(as_short##n(a), as_short##n(b), c));                                                  \
    }                                                                                                                  \
    half##n OVERLOAD bitselect(half##n a, half##n b, half##n c) {                                                      \
        return as_half##n(bitselect(as_ushort##n(a), as_ushort##n(b), as_ushort##n(c)));                               \
    }
CHOOSE()
EVERY_LENGTH(CHOOSE)

// ---- vectors ----

#define SHUFFLE(n, m)                                                                                                  \
    ushort##n OVERLOAD shuffle(ushort##m x, ushort##n mask);                                                           \
    ushort##n OVERLOAD shuffle2(ushort##m x, ushort##m y, ushort##n mask);                                             \
    half##n OVERLOAD shuffle(half##m x, ushort##n mask) { return as_half##n(shuffle(as_ushort##m(x), mask)); }         \
    half##n OVERLOAD shuffle2(half##m x, half##m y, ushort##n mask) {                                                  \
        return as_half##n(shuffle2(as_ushort##m(x), as_ushort##m(y), mask));                                           \
    }
#define SHUFFLES(n) SHUFFLE(n, 2) SHUFFLE(n, 4) SHUFFLE(n, 8) SHUFFLE(n, 16)
SHUFFLES(2)
SHUFFLES(4)
SHUFFLES(8)
SHUFFLES(16)

#define LOAD(n, space)                                                                                                 \
    ushort##n OVERLOAD vload##n(size_t at, const space ushort *p);                                                     \
    half##n OVERLOAD vload##n(size_t at, const space half *p) {                                                        \
        return as_half##n(vload##n(at, (const space ushort *)p));                                                      \
    }
#define ROW(n, space)                                                                                                  \
    void OVERLOAD vstore##n(ushort##n x, size_t at, space ushort *p);                                                  \
    LOAD(n, space)                                                                                                     \
    void OVERLOAD vstore##n(half##n x, size_t at, space half *p) {                                                     \
        vstore##n(as_ushort##n(x), at, (space ushort *)p);                                                             \
    }
#define ROWS(n) ROW(n, __private) ROW(n, __global) ROW(n, __local) LOAD(n, __constant)
EVERY_LENGTH(ROWS)
