#include "opencl/texels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/seed.h"

static uint64_t random_state;

void draw_begin(const char *name) {
    random_state = seed_from_environment() * 2 + 1;
    printf("%s: TANDEM_SEED=%llu repeats this run\n", name, (unsigned long long)(random_state / 2));
}
uint32_t draw(void) {
    random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}
float draw_between(float least, float most) {
    return least + (most - least) * ((float)(draw() & 0xFFFFFF) / 16777216.0f);
}

// ---- the reference: texels ----

static unsigned order_channels(cl_channel_order order) {
    switch (order) {
        case CL_RG:
        case CL_RA: return 2;
        case CL_RGB: return 3;
        case CL_RGBA:
        case CL_BGRA:
        case CL_ARGB:
        case CL_ABGR:
        case CL_sRGBA:
        case CL_sBGRA: return 4;
        default: return 1;
    }
}

size_t channel_bytes(cl_channel_type type) {
    switch (type) {
        case CL_SNORM_INT8:
        case CL_UNORM_INT8:
        case CL_SIGNED_INT8:
        case CL_UNSIGNED_INT8: return 1;
        case CL_SIGNED_INT32:
        case CL_UNSIGNED_INT32:
        case CL_FLOAT: return 4;
        default: return 2;
    }
}

static bool is_packed(cl_channel_type type) {
    return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010;
}

size_t texel_bytes(const cl_image_format *format) {
    const cl_channel_type type = format->image_channel_data_type;
    if (is_packed(type)) return type == CL_UNORM_INT_101010 ? 4 : 2;
    return order_channels(format->image_channel_order) * channel_bytes(type);
}

bool is_integer(cl_channel_type type) {
    return type >= CL_SIGNED_INT8 && type <= CL_UNSIGNED_INT32;
}
bool is_signed(cl_channel_type type) {
    return type >= CL_SIGNED_INT8 && type <= CL_SIGNED_INT32;
}

static float half_value(uint32_t bits) {
    const int exponent = (int)(bits >> 10 & 31);
    const float fraction = (float)(bits & 1023);
    const float size = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                       : exponent == 0 ? ldexpf(fraction, -24)
                                       : ldexpf(fraction + 1024, exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
}

// The nearest of all halfs, by search: slow and plain.
uint32_t half_bits(float x) {
    static float values[0x7C01];
    if (values[1] == 0)
        for (uint32_t k = 0; k <= 0x7C00; k++)
            values[k] = k == 0x7C00 ? 65536.0f : half_value(k);
    const uint32_t sign = signbit(x) ? 0x8000 : 0;
    const float size = fabsf(x);
    if (isnan(x)) return 0x7E00;
    if (size >= 65536.0f) return sign | 0x7C00;
    uint32_t low = 0, high = 0x7C00;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (values[middle] <= size)
            low = middle;
        else
            high = middle;
    }
    const float below = size - values[low], above = values[high] - size;
    return sign | (below < above || (below == above && low % 2 == 0) ? low : high);
}

// A channel's number in 0 .. 3 of red, green, blue, alpha, for each in memory.
static const unsigned char *channel_places(cl_channel_order order) {
    static const unsigned char rgba[] = {0, 1, 2, 3}, bgra[] = {2, 1, 0, 3}, argb[] = {3, 0, 1, 2},
                               abgr[] = {3, 2, 1, 0};
    static const unsigned char alpha[] = {3}, red_alpha[] = {0, 3};
    switch (order) {
        case CL_BGRA:
        case CL_sBGRA: return bgra;
        case CL_ARGB: return argb;
        case CL_ABGR: return abgr;
        case CL_A: return alpha;
        case CL_RA: return red_alpha;
        default: return rgba;
    }
}

static float channel_float(cl_channel_type type, uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    switch (type) {
        case CL_UNORM_INT8: return (float)bits / 255.0f;
        case CL_UNORM_INT16: return (float)bits / 65535.0f;
        case CL_SNORM_INT8: return fmaxf((float)(int8_t)bits / 127.0f, -1.0f);
        case CL_SNORM_INT16: return fmaxf((float)(int16_t)bits / 32767.0f, -1.0f);
        case CL_HALF_FLOAT: return half_value(bits);
        default: return x;
    }
}

static uint32_t channel_integer(cl_channel_type type, uint32_t bits) {
    if (type == CL_SIGNED_INT8) return (uint32_t)(int32_t)(int8_t)bits;
    if (type == CL_SIGNED_INT16) return (uint32_t)(int32_t)(int16_t)bits;
    return bits;
}

union color reference_read(const cl_image_format *format, const unsigned char *texel) {
    const cl_channel_order order = format->image_channel_order;
    const cl_channel_type type = format->image_channel_data_type;
    const size_t size = channel_bytes(type);
    union color to = {.f = {0, 0, 0, 1}};
    if (is_integer(type)) to.u[3] = 1;
    if (is_packed(type)) {
        uint32_t word = 0;
        memcpy(&word, texel, texel_bytes(format));
        const int r = type == CL_UNORM_INT_101010 ? 10 : 5, g = type == CL_UNORM_SHORT_565 ? 6 : r;
        to.f[0] = (float)(word >> (r + g) & ((1u << r) - 1)) / (float)((1 << r) - 1);
        to.f[1] = (float)(word >> r & ((1u << g) - 1)) / (float)((1 << g) - 1);
        to.f[2] = (float)(word & ((1u << r) - 1)) / (float)((1 << r) - 1);
        return to;
    }
    for (unsigned k = 0; k < order_channels(order); k++) {
        uint32_t bits = 0;
        memcpy(&bits, texel + k * size, size);
        const unsigned place = channel_places(order)[k];
        if (is_integer(type))
            to.u[place] = channel_integer(type, bits);
        else
            to.f[place] = channel_float(type, bits);
        const bool curved = (order == CL_sRGBA || order == CL_sBGRA) && place < 3;
        if (curved)
            to.f[place] =
                (float)(bits / 255.0 <= 0.04045 ? bits / 255.0 / 12.92 : pow((bits / 255.0 + 0.055) / 1.055, 2.4));
    }
    if (order == CL_INTENSITY) to.f[1] = to.f[2] = to.f[3] = to.f[0];
    if (order == CL_LUMINANCE) to.f[1] = to.f[2] = to.f[0];
    return to;
}

static uint32_t rounded(float x, float least, float most) {
    const double product = (double)(x * most);
    if (isnan(product)) return 0;
    return (uint32_t)(int32_t)(product < least ? least : product > most ? most : nearbyint(product));
}

static uint32_t reference_channel(cl_channel_type type, const union color *color, unsigned place) {
    const float x = color->f[place];
    const int64_t number = is_signed(type) ? color->i[place] : (int64_t)color->u[place];
    const int64_t least = type == CL_SIGNED_INT8 ? -128 : type == CL_SIGNED_INT16 ? -32768 : INT32_MIN;
    const int64_t most = type == CL_SIGNED_INT8      ? 127
                         : type == CL_UNSIGNED_INT8  ? 255
                         : type == CL_SIGNED_INT16   ? 32767
                         : type == CL_UNSIGNED_INT16 ? 65535
                                                     : UINT32_MAX;
    switch (type) {
        case CL_UNORM_INT8: return rounded(x, 0, 255);
        case CL_UNORM_INT16: return rounded(x, 0, 65535);
        case CL_SNORM_INT8: return rounded(x, -128, 127);
        case CL_SNORM_INT16: return rounded(x, -32768, 32767);
        case CL_HALF_FLOAT: return half_bits(x);
        case CL_FLOAT: return color->u[place];
        default: return (uint32_t)(number < least ? least : number > most ? most : number);
    }
}

void reference_write(const cl_image_format *format, const union color *color, unsigned char *texel) {
    const cl_channel_type type = format->image_channel_data_type;
    if (is_packed(type)) {
        const int r = type == CL_UNORM_INT_101010 ? 10 : 5, g = type == CL_UNORM_SHORT_565 ? 6 : r;
        const uint32_t word = rounded(color->f[0], 0, (float)((1 << r) - 1)) << (r + g) |
                              rounded(color->f[1], 0, (float)((1 << g) - 1)) << r |
                              rounded(color->f[2], 0, (float)((1 << r) - 1));
        memcpy(texel, &word, texel_bytes(format));
        return;
    }
    for (unsigned k = 0; k < order_channels(format->image_channel_order); k++) {
        const uint32_t bits = reference_channel(type, color, channel_places(format->image_channel_order)[k]);
        memcpy(texel + k * channel_bytes(type), &bits, channel_bytes(type));
    }
}

cl_mem new_image(struct world *world, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
                 void *host) {
    cl_int error = CL_SUCCESS;
    cl_mem image = clCreateImage(world->context, flags, format, desc, host, &error);
    GOOD(error);
    return image;
}

void run_on_image(struct world *world, cl_program program, const char *name, size_t count, const cl_mem *memory,
                  const cl_sampler *sampler, size_t width, size_t height) {
    cl_int error = CL_SUCCESS;
    const size_t global[2] = {width, height};
    cl_kernel kernel = clCreateKernel(program, name, &error);
    GOOD(error);
    cl_uint argument = 0;
    for (size_t k = 0; k < count; k++) {
        GOOD(clSetKernelArg(kernel, argument++, sizeof(cl_mem), &memory[k]));
        if (k == 0 && sampler != NULL) GOOD(clSetKernelArg(kernel, argument++, sizeof(cl_sampler), sampler));
    }
    GOOD(clEnqueueNDRangeKernel(world->queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
    GOOD(clFinish(world->queue));
    GOOD(clReleaseKernel(kernel));
}
