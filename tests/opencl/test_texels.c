// What kernels read of texels and write to them, what fills write: every format, against a reference on the host.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/texels.h"

#define NAME "test_texels"

static struct world world;

static void close_world(void) {
    world_close(&world);
}

TestSuite(texels, .fini = close_world);

enum { WIDE = 7, HIGH = 5, TEXELS = WIDE * HIGH };

static const char formats_source[] =
    "#define AT const int2 at = (int2)(get_global_id(0), get_global_id(1)); const int n = at.y * get_global_size(0) + "
    "at.x;\n"
    "__kernel void read_f(__read_only image2d_t from, __global float4 *to) { AT to[n] = read_imagef(from, at); }\n"
    "__kernel void read_i(__read_only image2d_t from, __global int4 *to) { AT to[n] = read_imagei(from, at); }\n"
    "__kernel void read_u(__read_only image2d_t from, __global uint4 *to) { AT to[n] = read_imageui(from, at); }\n"
    "__kernel void read_d(__read_only image2d_depth_t from, __global float4 *to) {\n"
    "    AT to[n] = (float4)(read_imagef(from, at), 0, 0, 1);\n"
    "}\n"
    "__kernel void write_f(__write_only image2d_t to, __global float4 *from) { AT write_imagef(to, at, from[n]); }\n"
    "__kernel void write_i(__write_only image2d_t to, __global int4 *from) { AT write_imagei(to, at, from[n]); }\n"
    "__kernel void write_u(__write_only image2d_t to, __global uint4 *from) { AT write_imageui(to, at, from[n]); }\n"
    "__kernel void write_d(__write_only image2d_depth_t to, __global float4 *from) { AT write_imagef(to, at, "
    "from[n].x); }\n"
    // A texel further on, through one image: own reads come after own writes, by the fence.
    "__kernel void change(__read_write image2d_t image) {\n"
    "    AT const float4 old = read_imagef(image, at);\n"
    "    write_imagef(image, at, old.wzyx);\n"
    "    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);\n"
    "    write_imagef(image, at, read_imagef(image, at) * 0.5f);\n"
    "    write_imagef(image, at + (int2)(1000, 0), old);\n"  // outside: goes nowhere
    "    write_imagef(image, (int2)(at.x, -1 - at.y), old);\n"
    "}\n";

// As the specification lets it be: sRGB within what an 8-bit channel can tell, everything else exact.
static bool same(const cl_image_format *format, float got, float wanted) {
    if (isnan(wanted)) return isnan(got);
    const bool curved = format->image_channel_order == CL_sRGBA || format->image_channel_order == CL_sBGRA;
    return got == wanted || (curved && fabsf(got - wanted) <= 1e-4f * wanted);
}

static void check_reads(cl_program program, const cl_image_format *format, const cl_image_desc *desc,
                        const unsigned char *bytes) {
    const cl_channel_type type = format->image_channel_data_type;
    static union color got[TEXELS];
    cl_mem image = new_image(&world, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format, desc, (void *)(uintptr_t)bytes);
    const cl_mem memory[2] = {image, world_buffer(&world, CL_MEM_READ_WRITE, sizeof got, NULL)};
    run_on_image(&world, program,
                 format->image_channel_order == CL_DEPTH ? "read_d"
                 : is_signed(type)                       ? "read_i"
                 : is_integer(type)                      ? "read_u"
                                                         : "read_f",
                 2, memory, NULL, WIDE, HIGH);
    GOOD(clEnqueueReadBuffer(world.queue, memory[1], CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (size_t k = 0; k < TEXELS; k++) {
        const union color wanted = reference_read(format, bytes + k * texel_bytes(format));
        for (int c = 0; c < 4; c++) {
            const bool good = is_integer(type) ? got[k].u[c] == wanted.u[c] : same(format, got[k].f[c], wanted.f[c]);
            cr_assert(good, "order %x, type %x, texel %zu, channel %d: %a (%u), not %a (%u)",
                      format->image_channel_order, type, k, c, (double)got[k].f[c], got[k].u[c], (double)wanted.f[c],
                      wanted.u[c]);
        }
    }
    GOOD(clReleaseMemObject(memory[0]));
    GOOD(clReleaseMemObject(memory[1]));
}

static union color random_color(cl_channel_type type) {
    static const float edges[] = {0.0f, -0.0f, 1.0f, -1.0f, 1.5f, -3.0f, 65504.0f, 65520.0f, 1e-7f, -1e30f, 1e30f, NAN};
    union color color;
    for (int c = 0; c < 4; c++) {
        if (is_integer(type))
            color.u[c] = (draw() & 1) != 0 ? draw() ^ draw() << 20 : (uint32_t)(draw() % 600) - 300;
        else if (draw() % 8 == 0)
            color.f[c] = edges[draw() % (sizeof edges / sizeof *edges)];
        else if (draw() % 4 == 0)
            color.f[c] = ((float)(draw() % 255) + 0.5f) / 255.0f;
        else
            color.f[c] = draw_between(-1.1f, 1.1f);
    }
    return color;
}

static void check_writes(cl_program program, const cl_image_format *format, const cl_image_desc *desc) {
    const cl_channel_type type = format->image_channel_data_type;
    const size_t origin[3] = {0, 0, 0}, region[3] = {WIDE, HIGH, 1};
    static union color colors[TEXELS];
    unsigned char got[TEXELS * 16], wanted[TEXELS * 16];
    for (size_t k = 0; k < TEXELS; k++) {
        colors[k] = random_color(type);
        reference_write(format, &colors[k], wanted + k * texel_bytes(format));
    }
    const cl_mem memory[2] = {new_image(&world, CL_MEM_WRITE_ONLY, format, desc, NULL),
                              world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof colors, colors)};
    run_on_image(&world, program,
                 format->image_channel_order == CL_DEPTH ? "write_d"
                 : is_signed(type)                       ? "write_i"
                 : is_integer(type)                      ? "write_u"
                                                         : "write_f",
                 2, memory, NULL, WIDE, HIGH);
    GOOD(clEnqueueReadImage(world.queue, memory[0], CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
    for (size_t k = 0; k < TEXELS * texel_bytes(format); k++)
        cr_assert_eq(got[k], wanted[k], "order %x, type %x, byte %zu: %02x, not %02x (%a)", format->image_channel_order,
                     type, k, got[k], wanted[k], (double)colors[k / texel_bytes(format)].f[0]);
    GOOD(clReleaseMemObject(memory[0]));
    GOOD(clReleaseMemObject(memory[1]));
}

// Every second column is filled with a color of its own.
static void check_fills(const cl_image_format *format, const cl_image_desc *desc) {
    const size_t origin[3] = {0, 0, 0}, region[3] = {WIDE, HIGH, 1}, column[3] = {1, HIGH, 1},
                 bytes = texel_bytes(format);
    unsigned char got[TEXELS * 16], wanted[TEXELS * 16] = {0};
    cl_mem image = new_image(&world, CL_MEM_COPY_HOST_PTR, format, desc, wanted);
    for (size_t x = 1; x < WIDE; x += 2) {
        const size_t at[3] = {x, 0, 0};
        const union color color = random_color(format->image_channel_data_type);
        for (size_t y = 0; y < HIGH; y++)
            reference_write(format, &color, wanted + (y * WIDE + x) * bytes);
        GOOD(clEnqueueFillImage(world.queue, image, &color, at, column, 0, NULL, NULL));
    }
    GOOD(clEnqueueReadImage(world.queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
    for (size_t k = 0; k < TEXELS * bytes; k++)
        cr_assert_eq(got[k], wanted[k], "order %x, type %x, byte %zu: %02x, not %02x", format->image_channel_order,
                     format->image_channel_data_type, k, got[k], wanted[k]);
    GOOD(clReleaseMemObject(image));
}

static void check_formats(const char *device, cl_uint stride) {
    cl_image_format formats[256];
    unsigned char bytes[TEXELS * 16];
    cl_uint count = 0;
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDE, .image_height = HIGH};
    draw_begin(NAME);
    world_open(&world, device, 0);
    cl_program program = world_program(&world, formats_source, "-cl-std=CL3.0");
    for (int writes = 0; writes < 2; writes++) {
        GOOD(clGetSupportedImageFormats(world.context, writes ? CL_MEM_WRITE_ONLY : CL_MEM_READ_ONLY,
                                        CL_MEM_OBJECT_IMAGE2D, 256, formats, &count));
        cr_assert(count > 60 && count < 256, "%u formats", count);
        for (cl_uint k = draw() % stride; k < count; k += stride) {
            for (size_t b = 0; b < sizeof bytes; b++)
                bytes[b] = (unsigned char)draw();
            if (writes) check_fills(&formats[k], &desc);
            if (writes)
                check_writes(program, &formats[k], &desc);
            else
                check_reads(program, &formats[k], &desc, bytes);
        }
    }
    GOOD(clReleaseProgram(program));
}

Test(texels, formats_model, .description = "CL-3 every format, read, written and filled, as on the host [model]") {
    check_formats("model:full", 1);
}
Test(texels, formats_small, .description = "CL-3 some formats in tandem, small [tandem]") {
    check_formats("tandem:small,mem=64", 17);
}

// ---- read and written by one kernel ----

Test(texels, read_write,
     .description = "CL-3 a kernel reads what it has written; what is outside goes nowhere [model]") {
    float texels[TEXELS][4], got[TEXELS + 8][4];
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDE, .image_height = HIGH};
    const size_t origin[3] = {0, 0, 0}, region[3] = {WIDE, HIGH, 1};
    draw_begin(NAME);
    world_open(&world, NULL, 0);
    for (size_t k = 0; k < TEXELS; k++)
        for (int c = 0; c < 4; c++)
            texels[k][c] = draw_between(-9.0f, 9.0f);
    cl_program program = world_program(&world, formats_source, "-cl-std=CL3.0");
    cl_mem image = new_image(&world, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, texels);
    cl_mem behind = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof texels, texels);
    run_on_image(&world, program, "change", 1, &image, NULL, WIDE, HIGH);
    GOOD(clEnqueueReadImage(world.queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
    for (size_t k = 0; k < TEXELS; k++)
        for (int c = 0; c < 4; c++)
            cr_assert_eq(got[k][c], texels[k][3 - c] * 0.5f);
    GOOD(clEnqueueReadBuffer(world.queue, behind, CL_TRUE, 0, sizeof texels, got, 0, NULL, NULL));
    cr_assert_eq(memcmp(got, texels, sizeof texels), 0);
    GOOD(clReleaseMemObject(image));
    GOOD(clReleaseMemObject(behind));
    GOOD(clReleaseProgram(program));
}
