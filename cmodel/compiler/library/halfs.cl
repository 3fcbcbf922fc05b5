// Numbers of 16 bits in memory. They are handled as bits from the start: had LLVM seen their type, it would compare or
// copy them in it, and there is no arithmetic in 16 bits.
#include "half_stores.h"
#include "halfs.h"

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
