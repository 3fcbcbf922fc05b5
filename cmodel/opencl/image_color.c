// One color as a texel: what clEnqueueFillImage fills with. Rounded as kernels round (compiler/library/texels.cl).
#include <math.h>
#include <string.h>

#include "isa/half_number.h"
#include "opencl/image.h"

static cl_uint bits_of(float x) {
    cl_uint bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// The nearest integer of x * most from least to most.
static cl_uint scaled(float x, float least, float most) {
    const float product = x * most;
    if (isnan(product)) return 0;
    return (cl_uint)(cl_int)rintf(product < least ? least : product > most ? most : product);
}

static float srgb(float x) {
    if (!(x > 0.0f)) return 0.0f;
    if (x >= 1.0f) return 1.0f;
    return x < 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
}

static cl_uint clamped(cl_int x, cl_int least, cl_int most) {
    return (cl_uint)(x < least ? least : x > most ? most : x);
}

// A channel's bits from those of the color: a float, an integer or one without sign.
static cl_uint channel(cl_channel_type type, cl_uint bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    switch (type) {
        case CL_UNORM_INT8: return scaled(x, 0.0f, 255.0f);
        case CL_UNORM_INT16: return scaled(x, 0.0f, 65535.0f);
        case CL_SNORM_INT8: return scaled(x, -128.0f, 127.0f);
        case CL_SNORM_INT16: return scaled(x, -32768.0f, 32767.0f);
        case CL_HALF_FLOAT: return half_of_double((double)x);
        case CL_SIGNED_INT8: return clamped((cl_int)bits, -128, 127);
        case CL_SIGNED_INT16: return clamped((cl_int)bits, -32768, 32767);
        case CL_UNSIGNED_INT8: return bits < 255u ? bits : 255u;
        case CL_UNSIGNED_INT16: return bits < 65535u ? bits : 65535u;
        default: return bits;
    }
}

// Which of the color's numbers lie in memory, in this order.
static const char *channels_of(cl_channel_order order) {
    switch (order) {
        case CL_RGBA:
        case CL_sRGBA: return "\0\1\2\3";
        case CL_BGRA:
        case CL_sBGRA: return "\2\1\0\3";
        case CL_ARGB: return "\3\0\1\2";
        case CL_ABGR: return "\3\2\1\0";
        case CL_A: return "\3";
        case CL_RA: return "\0\3";
        default: return "\0\1\2\3";
    }
}

static void packed(cl_channel_type type, const float *color, unsigned char *texel) {
    const cl_uint red = type == CL_UNORM_SHORT_565 ? 11 : type == CL_UNORM_SHORT_555 ? 10 : 20;
    const cl_uint green = type == CL_UNORM_INT_101010 ? 10 : 5;
    const float most = type == CL_UNORM_INT_101010 ? 1023.0f : 31.0f;
    const cl_uint word = scaled(color[0], 0.0f, most) << red |
                         scaled(color[1], 0.0f, type == CL_UNORM_SHORT_565 ? 63.0f : most) << green |
                         scaled(color[2], 0.0f, most);
    memcpy(texel, &word, type == CL_UNORM_INT_101010 ? 4 : 2);
}

void image_color(const cl_image_format *format, const void *color, unsigned char *texel) {
    const cl_channel_type type = format->image_channel_data_type;
    const cl_channel_order order = format->image_channel_order;
    cl_uint bits[4] = {0};
    float floats[4];
    memcpy(bits, color, order == CL_DEPTH ? sizeof *bits : sizeof bits);
    memcpy(floats, bits, sizeof floats);
    if (order == CL_RGB) {
        packed(type, floats, texel);
        return;
    }
    for (size_t k = 0; k < 3 && (order == CL_sRGBA || order == CL_sBGRA); k++)
        bits[k] = bits_of(srgb(floats[k]));
    const size_t bytes = image_texel_bytes(format);
    const cl_image_format one = {CL_R, type};
    const size_t size = image_texel_bytes(&one);
    for (size_t at = 0; at < bytes; at += size) {
        const cl_uint value = channel(type, bits[(unsigned char)channels_of(order)[at / size]]);
        memcpy(texel + at, &value, size);
    }
}
