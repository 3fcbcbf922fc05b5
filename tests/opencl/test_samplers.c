// What kernels read of images by samplers, against a reference on the host: every filter and addressing mode, every kind of
// image.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/texels.h"

#define NAME "test_samplers"

static struct world world;

static void close_world(void) {
    world_close(&world);
}

TestSuite(samplers, .fini = close_world);

// ---- the reference: samplers ----

struct picture {
    cl_mem_object_type type;
    int width, height, depth;  // 1: there is none; layers
    bool array;
    int dimensions;  // filtered
    const char *name;
    cl_image_format format;
    unsigned char bytes[9 * 6 * 5 * 16];
};

static union color texel_at(const struct picture *picture, int x, int y, int z) {
    const cl_channel_order order = picture->format.image_channel_order;
    if (x < 0 || y < 0 || z < 0 || x >= picture->width || y >= picture->height || z >= picture->depth) {
        union color border = {.f = {0, 0, 0, 0}};
        if (order == CL_R || order == CL_RG || order == CL_RGB || order == CL_LUMINANCE) border.f[3] = 1.0f;
        return border;
    }
    return reference_read(&picture->format, picture->bytes + (size_t)((z * picture->height + y) * picture->width + x) *
                                                                 texel_bytes(&picture->format));
}

static int clamped(int at, int least, int most) {
    return at < least ? least : at > most ? most : at;
}

// The two neighbours of a coordinate and its part between them, as the tables of the specification have it; nearest: the
// first is the texel.
static void resolve(cl_addressing_mode mode, bool normalized, bool linear, float s, int size, int at[2], float *part) {
    float u = normalized ? s * (float)size : s;
    if (mode == CL_ADDRESS_REPEAT) u = (s - floorf(s)) * (float)size;
    if (mode == CL_ADDRESS_MIRRORED_REPEAT) u = fabsf(s - 2.0f * rintf(0.5f * s)) * (float)size;
    if (linear) u = u - 0.5f;
    const float whole = floorf(u);
    *part = u - whole;
    at[0] = (int)fminf(fmaxf(whole, -1e6f), 1e6f);
    at[1] = at[0] + 1;
    for (int k = 0; k < 2; k++) {
        if (mode == CL_ADDRESS_REPEAT) at[k] = at[k] < 0 ? at[k] + size : at[k] > size - 1 ? at[k] - size : at[k];
        if (mode == CL_ADDRESS_CLAMP_TO_EDGE || mode == CL_ADDRESS_MIRRORED_REPEAT) at[k] = clamped(at[k], 0, size - 1);
    }
}

// *size: of the largest number added up, for the error.
static union color reference_sample(const struct picture *picture, cl_addressing_mode mode, bool normalized,
                                    bool linear, const float c[3], float *size) {
    const int sizes[3] = {picture->width, picture->dimensions > 1 ? picture->height : 1,
                          picture->dimensions > 2 ? picture->depth : 1};
    int at[3][2] = {{0}};
    float part[3] = {0};
    *size = 0;
    for (int d = 0; d < picture->dimensions; d++)
        resolve(mode, normalized, linear, c[d], sizes[d], at[d], &part[d]);
    const int layer =
        picture->array ? clamped((int)fminf(fmaxf(rintf(c[picture->dimensions]), -9.0f), 99.0f), 0, picture->depth - 1)
                       : -1;
    if (!linear) return texel_at(picture, at[0][0], at[1][0], layer >= 0 ? layer : at[2][0]);
    double sum[4] = {0};
    for (int corner = 0; corner < 1 << picture->dimensions; corner++) {
        double weight = 1;
        int place[3] = {0};
        for (int d = 0; d < picture->dimensions; d++) {
            const int side = corner >> d & 1;
            place[d] = at[d][side];
            weight *= side ? (double)part[d] : 1 - (double)part[d];
        }
        const union color texel = texel_at(picture, place[0], place[1], layer >= 0 ? layer : place[2]);
        for (int k = 0; k < 4; k++) {
            sum[k] += weight * (double)texel.f[k];
            *size = fmaxf(*size, fabsf(texel.f[k]));
        }
    }
    return (union color){.f = {(float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3]}};
}

static const char samplers_source[] =
    "#define HEAD(kind) __read_only image##kind##_t image\n"
    "#define TAIL __global const float4 *from, __global float4 *to) { const int n = get_global_id(0); const float4 c = "
    "from[n];\n"
    "#define KERNEL(kind, floats, ints) \\\n"
    "    __kernel void sample_##kind(HEAD(kind), sampler_t sampler, TAIL to[n] = read_imagef(image, sampler, floats); "
    "} \\\n"
    "    __kernel void whole_##kind(HEAD(kind), sampler_t sampler, TAIL to[n] = read_imagef(image, sampler, ints); } "
    "\\\n"
    "    __kernel void plain_##kind(HEAD(kind), TAIL to[n] = read_imagef(image, ints); }\n"
    "KERNEL(1d, c.x, (int)c.x)\n"
    "KERNEL(1d_array, c.xy, convert_int2(c.xy))\n"
    "KERNEL(2d, c.xy, convert_int2(c.xy))\n"
    "KERNEL(2d_array, c, convert_int4(c))\n"
    "KERNEL(3d, c, convert_int4(c))\n";

enum { POINTS = 192 };

static float random_coordinate(bool normalized, int size) {
    static const float rare[] = {0.0f, -0.0f, 1.0f, 1e9f, -1e9f, 3e38f, INFINITY, -INFINITY, NAN, 1e-30f};
    const float scale = normalized ? 1.0f / (float)size : 1.0f;
    switch (draw() % 8) {
        case 0: return rare[draw() % (sizeof rare / sizeof *rare)];
        case 1: return (float)((int)(draw() % 40) - 16) * 0.5f * scale;
        default: return draw_between(-1.5f * (float)size, 2.5f * (float)size) * scale;
    }
}

// A sampler over one picture at many places.
static void check_sampler(cl_program program, const char *name, const struct picture *picture, cl_mem image,
                          cl_addressing_mode mode, bool normalized, bool linear, bool given) {
    static float from[POINTS][4];
    static union color got[POINTS];
    cl_int error = CL_SUCCESS;
    const int sizes[3] = {picture->width, picture->dimensions > 1 ? picture->height : picture->depth, picture->depth};
    for (size_t k = 0; k < POINTS; k++)
        for (int d = 0; d < 3; d++) {
            const bool layer = picture->array && d == picture->dimensions;
            from[k][d] =
                layer ? draw_between(-2.0f, (float)picture->depth + 1.0f) : random_coordinate(normalized, sizes[d]);
        }
    cl_sampler sampler =
        clCreateSampler(world.context, normalized, mode, linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &error);
    GOOD(error);
    const cl_mem memory[3] = {image, world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof from, from),
                              world_buffer(&world, CL_MEM_READ_WRITE, sizeof got, NULL)};
    run_on_image(&world, program, name, 3, memory, given ? &sampler : NULL, POINTS, 1);
    GOOD(clEnqueueReadBuffer(world.queue, memory[2], CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (size_t k = 0; k < POINTS; k++) {
        bool known = true;  // of others no result is defined; that they end is all
        for (int d = 0; d < picture->dimensions; d++)
            known &= isfinite(from[k][d]) && fabsf(from[k][d]) < 1e8f;
        for (int d = 0; d < picture->dimensions && mode == CL_ADDRESS_NONE; d++) {
            int at[2];
            float part;
            if (known) resolve(mode, normalized, linear, from[k][d], sizes[d], at, &part);
            known &= known && at[0] >= 0 && at[linear] < sizes[d];
        }
        if (!known) continue;
        float size;
        const union color wanted = reference_sample(picture, mode, normalized, linear, from[k], &size);
        for (int c = 0; c < 4; c++)
            cr_assert(fabsf(got[k].f[c] - wanted.f[c]) <= (linear ? size * 1e-6f : 0.0f),
                      "%s, mode %x, normalized %d, linear %d, order %x at %a %a %a, channel %d: %a, not %a", name, mode,
                      normalized, linear, picture->format.image_channel_order, (double)from[k][0], (double)from[k][1],
                      (double)from[k][2], c, (double)got[k].f[c], (double)wanted.f[c]);
    }
    GOOD(clReleaseSampler(sampler));
    GOOD(clReleaseMemObject(memory[1]));
    GOOD(clReleaseMemObject(memory[2]));
}

static const struct picture pictures[] = {
    {CL_MEM_OBJECT_IMAGE1D, 9, 1, 1, false, 1, "1d", {CL_R, CL_FLOAT}, {0}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, 9, 1, 5, true, 1, "1d_array", {CL_RGBA, CL_UNORM_INT8}, {0}},
    {CL_MEM_OBJECT_IMAGE2D, 9, 6, 1, false, 2, "2d", {CL_RGBA, CL_FLOAT}, {0}},
    {CL_MEM_OBJECT_IMAGE2D, 9, 6, 1, false, 2, "2d", {CL_LUMINANCE, CL_UNORM_INT16}, {0}},
    {CL_MEM_OBJECT_IMAGE2D, 1, 6, 1, false, 2, "2d", {CL_RGBA, CL_FLOAT}, {0}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 6, 5, true, 2, "2d_array", {CL_BGRA, CL_SNORM_INT8}, {0}},
    {CL_MEM_OBJECT_IMAGE3D, 9, 6, 5, false, 3, "3d", {CL_RG, CL_HALF_FLOAT}, {0}},
};
enum { PICTURES = sizeof pictures / sizeof *pictures };

static cl_image_desc describe(const struct picture *picture) {
    return (cl_image_desc){.image_type = picture->type,
                           .image_width = (size_t)picture->width,
                           .image_height = (size_t)picture->height,
                           .image_depth = (size_t)picture->depth,
                           .image_array_size = (size_t)picture->depth};
}

static cl_mem paint(struct picture *picture) {
    const cl_image_desc desc = describe(picture);
    const size_t size = channel_bytes(picture->format.image_channel_data_type);
    for (size_t at = 0; at < sizeof picture->bytes; at += size) {
        const float x = draw_between(-2.0f, 2.0f);
        uint32_t bits = draw();
        if (size == 4) memcpy(&bits, &x, sizeof bits);
        if (picture->format.image_channel_data_type == CL_HALF_FLOAT) bits = half_bits(x);
        memcpy(picture->bytes + at, &bits, size);
    }
    return new_image(&world, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &picture->format, &desc, picture->bytes);
}

// Integer coordinates: with a sampler, and without one, where those that are inside are all that is defined.
static void check_whole(cl_program program, const struct picture *picture, cl_mem image) {
    char name[32];
    snprintf(name, sizeof name, "whole_%s", picture->name);
    static float from[POINTS][4];
    static union color got[POINTS];
    for (int plain = 0; plain < 3; plain++) {
        const bool clamps = plain == 1;
        for (size_t k = 0; k < POINTS; k++) {
            const int sizes[3] = {picture->width, picture->dimensions > 1 ? picture->height : picture->depth,
                                  picture->depth};
            for (int d = 0; d < 3; d++)
                from[k][d] =
                    (float)((int)(draw() % (unsigned)(sizes[d] * (plain == 2 ? 1 : 3))) - (plain == 2 ? 0 : sizes[d]));
        }
        if (plain == 2) snprintf(name, sizeof name, "plain_%s", picture->name);
        cl_int error = CL_SUCCESS;
        cl_sampler sampler = clCreateSampler(
            world.context, CL_FALSE, clamps ? CL_ADDRESS_CLAMP : CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error);
        GOOD(error);
        const cl_mem memory[3] = {image, world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof from, from),
                                  world_buffer(&world, CL_MEM_READ_WRITE, sizeof got, NULL)};
        run_on_image(&world, program, name, 3, memory, plain == 2 ? NULL : &sampler, POINTS, 1);
        GOOD(clEnqueueReadBuffer(world.queue, memory[2], CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        for (size_t k = 0; k < POINTS; k++) {
            float size;
            const union color wanted = reference_sample(picture, clamps ? CL_ADDRESS_CLAMP : CL_ADDRESS_CLAMP_TO_EDGE,
                                                        false, false, from[k], &size);
            for (int c = 0; c < 4; c++)
                cr_assert_eq(got[k].f[c], wanted.f[c], "%s at %g %g %g, channel %d: %a, not %a", name,
                             (double)from[k][0], (double)from[k][1], (double)from[k][2], c, (double)got[k].f[c],
                             (double)wanted.f[c]);
        }
        GOOD(clReleaseSampler(sampler));
        GOOD(clReleaseMemObject(memory[1]));
        GOOD(clReleaseMemObject(memory[2]));
    }
}

static void check_samplers(const char *device, unsigned share) {
    draw_begin(NAME);
    world_open(&world, device, 0);
    cl_program program = world_program(&world, samplers_source, NULL);
    for (size_t p = 0; p < PICTURES; p++) {
        static struct picture picture;
        char name[32];
        picture = pictures[p];
        snprintf(name, sizeof name, "sample_%s", picture.name);
        cl_mem image = paint(&picture);
        for (cl_addressing_mode mode = CL_ADDRESS_NONE; mode <= CL_ADDRESS_MIRRORED_REPEAT; mode++)
            for (int normalized = mode >= CL_ADDRESS_REPEAT ? 1 : 0; normalized < 2; normalized++)
                for (int linear = 0; linear < 2; linear++)
                    if (draw() % share == 0)
                        check_sampler(program, name, &picture, image, mode, normalized, linear, true);
        if (draw() % share == 0) check_whole(program, &picture, image);
        GOOD(clReleaseMemObject(image));
    }
    GOOD(clReleaseProgram(program));
}

Test(samplers, modes_model,
     .description = "CL-3 every filter and addressing mode on every kind of image, as on the host [model]") {
    check_samplers("model:full", 1);
}
Test(samplers, modes_nano, .description = "CL-3 some of them in tandem, nano [tandem]") {
    check_samplers("tandem:nano,mem=64", 30);
}

// ---- samplers of the source ----

Test(samplers, constants,
     .description = "CL-3 samplers of the program and of kernels are those that they say [model]") {
    static const char *const modes[] = {"CLK_ADDRESS_NONE", "CLK_ADDRESS_CLAMP_TO_EDGE", "CLK_ADDRESS_CLAMP",
                                        "CLK_ADDRESS_REPEAT", "CLK_ADDRESS_MIRRORED_REPEAT"};
    static struct picture picture;
    char source[8192] = "";
    size_t used = 0;
    draw_begin(NAME);
    world_open(&world, NULL, 0);
    for (int k = 0; k < 20; k++) {
        const int mode = k / 4, normalized = k / 2 % 2, linear = k % 2;
        const bool inside = k % 3 == 0;
        char sampler[160];
        if (mode >= 3 && !normalized) continue;
        snprintf(sampler, sizeof sampler, "const sampler_t s%d = %s | CLK_NORMALIZED_COORDS_%s | CLK_FILTER_%s;", k,
                 modes[mode], normalized ? "TRUE" : "FALSE", linear ? "LINEAR" : "NEAREST");
        used += (size_t)snprintf(
            source + used, sizeof source - used,
            "%s __kernel void k%d(__read_only image2d_t i, __global const float4 *f, __global float4 *t) "
            "{ %s t[get_global_id(0)] = read_imagef(i, s%d, f[get_global_id(0)].xy); }\n",
            inside ? "" : sampler, k, inside ? sampler : "", k);
    }
    cl_program program = world_program(&world, source, NULL);
    picture = pictures[3];
    cl_mem image = paint(&picture);
    for (int k = 0; k < 20; k++) {
        char name[16];
        if (k / 4 >= 3 && k / 2 % 2 == 0) continue;
        snprintf(name, sizeof name, "k%d", k);
        check_sampler(program, name, &picture, image, CL_ADDRESS_NONE + (cl_addressing_mode)(k / 4), k / 2 % 2, k % 2,
                      false);
    }
    GOOD(clReleaseMemObject(image));
    GOOD(clReleaseProgram(program));
}
