// Texels of images, between memory and what kernels read and write: every channel order and type that the runtime offers.
//
// Numbers from 0 to 1 (-1 to 1) are the nearest floats of the quotients; floats become the nearest integers, even ones of
// two, and what is out of range its nearest end.
#include "texels.h"

float tandem_half_to_float(ushort bits);
ushort tandem_float_to_half(float x);

// ---- from memory ----

// c / most: the product with a rounded reciprocal and one step towards the quotient, which is then the nearest float
// for every c that a channel holds.
static inline float4 quotients(float4 c, float most, float reciprocal) {
    const float4 x = c * reciprocal;
    return (float4)(fma(fma(-x.x, most, c.x), reciprocal, x.x), fma(fma(-x.y, most, c.y), reciprocal, x.y),
                    fma(fma(-x.z, most, c.z), reciprocal, x.z), fma(fma(-x.w, most, c.w), reciprocal, x.w));
}

static inline float4 to_floats(uint4 c) {
    return (float4)(from_uint_rte(c.x), from_uint_rte(c.y), from_uint_rte(c.z), from_uint_rte(c.w));
}

static inline float4 to_signed_floats(uint4 c) {
    return (float4)(from_int_rte((int)c.x), from_int_rte((int)c.y), from_int_rte((int)c.z), from_int_rte((int)c.w));
}

static inline float above(float x, float least) {
    return x < least ? least : x;
}

// No less than -1: the most negative number stands for it too.
static inline float4 signed_quotients(uint4 c, float most, float reciprocal) {
    const float4 x = to_signed_floats(c);
    return quotients((float4)(above(x.x, -most), above(x.y, -most), above(x.z, -most), above(x.w, -most)), most,
                     reciprocal);
}

static inline float from_half(uint c) {
    return tandem_half_to_float((ushort)c);
}

static inline float linear(float c) {
    return c <= 0.04045f ? c * (1.0f / 12.92f) : table_ex2(2.4f * table_lg2((c + 0.055f) * (1.0f / 1.055f)));
}

// The channels as they lie in memory, without sign.
static inline uint4 channels(image_t image, uint address) {
    const uint bytes = image[IMAGE_TEXEL_BYTES], size = bytes >> (image[IMAGE_CHANNELS] >> 1);
    uint4 word = 0;
    if (bytes == 4) {
        word.x = *(const __global uint *)address;
    } else if (bytes == 16) {
        word = *(const __global uint4 *)address;
    } else if (bytes == 8) {
        word.xy = *(const __global uint2 *)address;
    } else if (bytes == 1) {
        word.x = *(const __global uchar *)address;
    } else {
        word.x = *(const __global ushort *)address;
    }
    if (size == 1)
        return (uint4)(word.x & 0xFFu, word.x >> 8 & 0xFFu, word.x >> 16 & 0xFFu, word.x >> 24);
    if (size == 2) return (uint4)(word.x & 0xFFFFu, word.x >> 16, word.y & 0xFFFFu, word.y >> 16);
    return word;
}

static inline uint extended(uint c, uint shift) {
    return (uint)((int)(c << shift) >> shift);
}

static inline uint4 with_signs(uint4 c, uint shift) {
    return (uint4)(extended(c.x, shift), extended(c.y, shift), extended(c.z, shift), extended(c.w, shift));
}

static inline float4 floats_of(uint4 c, uint type) {
    switch (type) {
        case IMAGE_UNORM8: return quotients(to_floats(c), 255.0f, 1.0f / 255.0f);
        case IMAGE_UNORM16: return quotients(to_floats(c), 65535.0f, 1.0f / 65535.0f);
        case IMAGE_SNORM8: return signed_quotients(with_signs(c, 24), 127.0f, 1.0f / 127.0f);
        case IMAGE_SNORM16: return signed_quotients(with_signs(c, 16), 32767.0f, 1.0f / 32767.0f);
        case IMAGE_HALF: return (float4)(from_half(c.x), from_half(c.y), from_half(c.z), from_half(c.w));
        default: return as_float4(c);
    }
}

// Of three channels in one number.
static inline float4 packed_floats(uint address, uint type) {
    const uint word = type == IMAGE_101010 ? *(const __global uint *)address : *(const __global ushort *)address;
    const uint high = type == IMAGE_565 ? 11 : type == IMAGE_555 ? 10 : 20, low = type == IMAGE_101010 ? 10 : 5;
    const uint end = type == IMAGE_101010 ? 1023 : 31, middle = type == IMAGE_565 ? 63 : end;
    const float most = from_uint_rte(end), middle_most = from_uint_rte(middle);
    const float4 c = to_floats((uint4)(word >> high & end, word >> low & middle, word & end, 0u));
    const float reciprocal = type == IMAGE_101010 ? 1.0f / 1023.0f : 1.0f / 31.0f;
    const float4 v = quotients(c, most, reciprocal);
    const float green = type == IMAGE_565 ? quotients(c, middle_most, 1.0f / 63.0f).y : v.y;
    return (float4)(v.x, green, v.z, 1.0f);
}

// Channels in memory to red, green, blue and alpha; those of R, RG and RGBA lie as they are.
#define IN_ORDER(v, one)                                            \
    switch (image[IMAGE_ORDER]) {                                   \
        case IMAGE_BGRA:                                            \
        case IMAGE_SBGRA: return v.zyxw;                            \
        case IMAGE_ARGB: return v.yzwx;                             \
        case IMAGE_ABGR: return v.wzyx;                             \
        case IMAGE_A: v.w = v.x; v.x = v.y; return v;               \
        case IMAGE_RA: v.w = v.y; v.y = v.z; return v;              \
        case IMAGE_INTENSITY: return v.xxxx;                        \
        case IMAGE_LUMINANCE: v.w = one; v.y = v.z = v.x; return v; \
        default: return v;                                          \
    }

float4 __attribute__((noinline)) tandem_texel_float(image_t image, uint address) {
    const uint type = image[IMAGE_TYPE], count = image[IMAGE_CHANNELS], order = image[IMAGE_ORDER];
    if (type >= IMAGE_565 && type <= IMAGE_101010) return packed_floats(address, type);
    float4 v = floats_of(channels(image, address), type);
    if (order == IMAGE_SRGBA || order == IMAGE_SBGRA) v.x = linear(v.x), v.y = linear(v.y), v.z = linear(v.z);
    if (count < 2) v.y = 0.0f;
    if (count < 3) v.z = 0.0f;
    if (count < 4) v.w = 1.0f;
    IN_ORDER(v, 1.0f)
}

uint4 __attribute__((noinline)) tandem_texel_int(image_t image, uint address) {
    const uint type = image[IMAGE_TYPE], count = image[IMAGE_CHANNELS];
    uint4 v = channels(image, address);
    if (type == IMAGE_INT8) v = with_signs(v, 24);
    if (type == IMAGE_INT16) v = with_signs(v, 16);
    if (count < 2) v.y = 0;
    if (count < 3) v.z = 0;
    if (count < 4) v.w = 1;
    IN_ORDER(v, 1u)
}

// ---- to memory ----

static inline uint within(float x, float most) {
    const uint c = to_uint_rte(x * most), end = to_uint_rte(most);
    return c < end ? c : end;
}

static inline uint4 scaled(float4 v, float most) {
    return (uint4)(within(v.x, most), within(v.y, most), within(v.z, most), within(v.w, most));
}

static inline int between(int x, int least, int most) {
    return x < least ? least : x > most ? most : x;
}

static inline uint4 saturated(int4 v, int least, int most) {
    return (uint4)((uint)between(v.x, least, most), (uint)between(v.y, least, most), (uint)between(v.z, least, most),
                   (uint)between(v.w, least, most));
}

static inline uint4 unsigned_saturated(uint4 v, uint most) {
    return (uint4)(min(v.x, most), min(v.y, most), min(v.z, most), min(v.w, most));
}

static inline int4 signed_scaled(float4 v, float most) {
    return (int4)(to_int_rte(v.x * most), to_int_rte(v.y * most), to_int_rte(v.z * most), to_int_rte(v.w * most));
}

static inline uint4 numbers_of(float4 v, uint type) {
    switch (type) {
        case IMAGE_UNORM8: return scaled(v, 255.0f);
        case IMAGE_UNORM16: return scaled(v, 65535.0f);
        case IMAGE_SNORM8: return saturated(signed_scaled(v, 127.0f), -128, 127);
        case IMAGE_SNORM16: return saturated(signed_scaled(v, 32767.0f), -32768, 32767);
        case IMAGE_HALF:
            return (uint4)(tandem_float_to_half(v.x), tandem_float_to_half(v.y), tandem_float_to_half(v.z),
                           tandem_float_to_half(v.w));
        default: return as_uint4(v);
    }
}

static inline uint4 memory_order(uint4 v, uint order) {
    switch (order) {
        case IMAGE_BGRA: return v.zyxw;
        case IMAGE_ARGB: return v.wxyz;
        case IMAGE_ABGR: return v.wzyx;
        case IMAGE_A: return v.wwww;
        case IMAGE_RA: return v.xwzw;
        default: return v;
    }
}

static inline void store(image_t image, uint address, uint4 v) {
    const uint bytes = image[IMAGE_TEXEL_BYTES], size = bytes >> (image[IMAGE_CHANNELS] >> 1);
    uint4 word = memory_order(v, image[IMAGE_ORDER]);
    if (size == 1)
        word.x = (word.x & 0xFFu) | (word.y & 0xFFu) << 8 | (word.z & 0xFFu) << 16 | word.w << 24;
    if (size == 2) word = (uint4)((word.x & 0xFFFFu) | word.y << 16, (word.z & 0xFFFFu) | word.w << 16, 0u, 0u);
    if (bytes == 4) {
        *(__global uint *)address = word.x;
    } else if (bytes == 16) {
        *(__global uint4 *)address = word;
    } else if (bytes == 8) {
        *(__global uint2 *)address = word.xy;
    } else if (bytes == 1) {
        *(__global uchar *)address = (uchar)word.x;
    } else {
        *(__global ushort *)address = (ushort)word.x;
    }
}

void __attribute__((noinline)) tandem_texel_put_float(image_t image, uint address, float4 v) {
    const uint type = image[IMAGE_TYPE];
    if (type == IMAGE_565) {
        *(__global ushort *)address =
            (ushort)(within(v.x, 31.0f) << 11 | within(v.y, 63.0f) << 5 | within(v.z, 31.0f));
    } else if (type == IMAGE_555) {
        *(__global ushort *)address =
            (ushort)(within(v.x, 31.0f) << 10 | within(v.y, 31.0f) << 5 | within(v.z, 31.0f));
    } else if (type == IMAGE_101010) {
        *(__global uint *)address = within(v.x, 1023.0f) << 20 | within(v.y, 1023.0f) << 10 | within(v.z, 1023.0f);
    } else {
        store(image, address, numbers_of(v, type));
    }
}

void __attribute__((noinline)) tandem_texel_put_int(image_t image, uint address, uint4 v) {
    switch (image[IMAGE_TYPE]) {
        case IMAGE_INT8: v = saturated(as_int4(v), -128, 127); break;
        case IMAGE_INT16: v = saturated(as_int4(v), -32768, 32767); break;
        case IMAGE_UINT8: v = unsigned_saturated(v, 255u); break;
        case IMAGE_UINT16: v = unsigned_saturated(v, 65535u); break;
        default: break;
    }
    store(image, address, v);
}
