// Images and samplers as objects: made, asked, moved, mapped, released; what is refused.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/recompile.h"
#include "opencl/device.h"
#include "opencl/world.h"

static struct world world;

static void open_small(void) {
    world_open(&world, NULL, 0);
}
static void close_world(void) {
    world_close(&world);
}

TestSuite(images, .init = open_small, .fini = close_world);

static const cl_image_format bytes4 = {CL_RGBA, CL_UNORM_INT8}, shorts = {CL_R, CL_UNSIGNED_INT16};

static void fill_numbers(unsigned char *to, size_t size, unsigned start) {
    for (size_t k = 0; k < size; k++)
        to[k] = (unsigned char)(start + k * 7 + k / 256);
}

static cl_image_desc plane(size_t width, size_t height) {
    return (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
}

static cl_mem make(cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc, void *host) {
    cl_int error = CL_SUCCESS;
    cl_mem image = clCreateImage(world.context, flags, format, desc, host, &error);
    GOOD(error);
    return image;
}

static void refuse(cl_int error, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
                   void *host) {
    cl_int got = CL_SUCCESS;
    cr_expect_null(clCreateImage(world.context, flags, format, desc, host, &got));
    cr_expect_eq(got, error, "%d, not %d", got, error);
}

static size_t asked(cl_mem image, cl_image_info what) {
    size_t value = 0;
    GOOD(clGetImageInfo(image, what, sizeof value, &value, NULL));
    return value;
}

// ---- all kinds of images ----

struct kind {
    cl_mem_object_type type;
    size_t width, height, depth, layers;
    size_t region[3];  // the whole
};
static const struct kind kinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, 11, 0, 0, 0, {11, 1, 1}}, {CL_MEM_OBJECT_IMAGE1D_ARRAY, 11, 0, 0, 5, {11, 5, 1}},
    {CL_MEM_OBJECT_IMAGE2D, 11, 6, 0, 0, {11, 6, 1}}, {CL_MEM_OBJECT_IMAGE2D_ARRAY, 11, 6, 0, 4, {11, 6, 4}},
    {CL_MEM_OBJECT_IMAGE3D, 11, 6, 4, 0, {11, 6, 4}},
};
enum { KINDS = sizeof kinds / sizeof *kinds, BYTES_MAX = 11 * 6 * 4 * 4 };

static cl_image_desc describe(const struct kind *kind) {
    return (cl_image_desc){.image_type = kind->type,
                           .image_width = kind->width,
                           .image_height = kind->height,
                           .image_depth = kind->depth,
                           .image_array_size = kind->layers};
}

Test(images, told, .description = "CL-2 images tell their sizes, pitches and formats [model]") {
    for (size_t k = 0; k < KINDS; k++) {
        const struct kind *kind = &kinds[k];
        const cl_image_desc desc = describe(kind);
        cl_mem image = make(0, &bytes4, &desc, NULL);
        cl_mem_object_type type = 0;
        cl_image_format format = {0, 0};
        cl_uint references = 0, levels = 1;
        cl_mem_flags flags = 0;
        size_t size = 0;
        const bool slices = kind->depth > 0 || kind->layers > 0;
        cr_expect_eq(asked(image, CL_IMAGE_WIDTH), kind->width);
        cr_expect_eq(asked(image, CL_IMAGE_HEIGHT), kind->height);
        cr_expect_eq(asked(image, CL_IMAGE_DEPTH), kind->depth);
        cr_expect_eq(asked(image, CL_IMAGE_ARRAY_SIZE), kind->layers);
        cr_expect_eq(asked(image, CL_IMAGE_ELEMENT_SIZE), 4);
        cr_expect_eq(asked(image, CL_IMAGE_ROW_PITCH), 44);
        cr_expect_eq(asked(image, CL_IMAGE_SLICE_PITCH), slices ? 44 * (kind->height > 0 ? kind->height : 1) : 0);
        GOOD(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, &size));
        cr_expect(size == sizeof format && format.image_channel_order == CL_RGBA);
        cr_expect_eq(format.image_channel_data_type, CL_UNORM_INT8);
        GOOD(clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels, NULL));
        cr_expect_eq(levels, 0);
        GOOD(clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL));
        cr_expect_eq(type, kind->type);
        GOOD(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof size, &size, NULL));
        cr_expect_eq(size, 4 * kind->region[0] * kind->region[1] * kind->region[2]);
        GOOD(clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
        cr_expect_eq(flags, CL_MEM_READ_WRITE);
        GOOD(clRetainMemObject(image));
        GOOD(clGetMemObjectInfo(image, CL_MEM_REFERENCE_COUNT, sizeof references, &references, NULL));
        cr_expect_eq(references, 2);
        BAD(CL_INVALID_VALUE, clGetImageInfo(image, CL_MEM_TYPE, sizeof size, &size, NULL));
        BAD(CL_INVALID_VALUE, clGetImageInfo(image, CL_IMAGE_FORMAT, 4, &format, NULL));
        GOOD(clReleaseMemObject(image));
        GOOD(clReleaseMemObject(image));
    }
    cl_mem buffer = world_buffer(&world, 0, 64, NULL);
    size_t size = 0;
    BAD(CL_INVALID_MEM_OBJECT, clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof size, &size, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clGetImageInfo(NULL, CL_IMAGE_WIDTH, sizeof size, &size, NULL));
    GOOD(clReleaseMemObject(buffer));
}

// A box of `to`, which lies there as the image does, with that of `from`, rows and slices apart by pitches.
static void put_box(unsigned char *to, const struct kind *kind, const size_t *origin, const size_t *region,
                    const unsigned char *from, size_t row_pitch, size_t slice_pitch) {
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            memcpy(to + 4 * (((origin[2] + z) * kind->region[1] + origin[1] + y) * kind->region[0] + origin[0]),
                   from + z * slice_pitch + y * row_pitch, 4 * region[0]);
}

Test(images, moved, .description = "CL-2 parts of all kinds of images are written, read, copied, filled [model]") {
    for (size_t k = 0; k < KINDS; k++) {
        const struct kind *kind = &kinds[k];
        const cl_image_desc desc = describe(kind);
        const bool lines = kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY, slices = kind->region[2] > 1;
        unsigned char wanted[BYTES_MAX], from[BYTES_MAX * 2], got[BYTES_MAX];
        const size_t zero[3] = {0, 0, 0};
        const size_t origin[3] = {3, kind->region[1] > 1 ? 2 : 0, slices ? 1 : 0};
        const size_t region[3] = {5, kind->region[1] > 1 ? 2 : 1, slices ? 2 : 1};
        const size_t bytes = 4 * kind->region[0] * kind->region[1] * kind->region[2];
        fill_numbers(wanted, sizeof wanted, 3);
        fill_numbers(from, sizeof from, 100);
        cl_mem image = make(CL_MEM_COPY_HOST_PTR, &bytes4, &desc, wanted);
        GOOD(clEnqueueReadImage(world.queue, image, CL_TRUE, zero, kind->region, 0, 0, got, 0, NULL, NULL));
        cr_assert_eq(memcmp(got, wanted, bytes), 0, "kind %zu: made", k);
        // The host's rows are 24 bytes apart, its slices (or the rows of an array of lines) 72.
        GOOD(clEnqueueWriteImage(world.queue, image, CL_FALSE, origin, region, 24, slices || lines ? 72 : 0, from, 0,
                                 NULL, NULL));
        put_box(wanted, kind, origin, region, from, lines ? 72 : 24, 72);
        GOOD(clEnqueueReadImage(world.queue, image, CL_TRUE, zero, kind->region, 0, 0, got, 0, NULL, NULL));
        cr_assert_eq(memcmp(got, wanted, bytes), 0, "kind %zu: written", k);
        memset(got, 0xAA, sizeof got);
        GOOD(clEnqueueReadImage(world.queue, image, CL_TRUE, origin, region, 24, slices || lines ? 72 : 0, got, 0, NULL,
                                NULL));
        cr_assert_eq(memcmp(got + (region[1] - 1) * (lines ? 72 : 24), from + (region[1] - 1) * (lines ? 72 : 24), 20),
                     0, "kind %zu: read in part", k);
        cr_assert_eq(got[20], 0xAA);
        // Over a buffer and back, to another place.
        cl_mem buffer = world_buffer(&world, CL_MEM_READ_WRITE, 512, NULL), other = make(0, &bytes4, &desc, NULL);
        GOOD(clEnqueueCopyImage(world.queue, image, other, zero, zero, kind->region, 0, NULL, NULL));
        GOOD(clEnqueueCopyImageToBuffer(world.queue, image, buffer, origin, region, 16, 0, NULL, NULL));
        GOOD(clEnqueueCopyBufferToImage(world.queue, buffer, other, 16, zero, region, 0, NULL, NULL));
        for (size_t z = 0; z < region[2]; z++)
            for (size_t y = 0; y < region[1]; y++)
                put_box(wanted, kind, (const size_t[3]){0, y, z}, (const size_t[3]){5, 1, 1},
                        from + z * 72 + y * (lines ? 72 : 24), 0, 0);
        const float color[4] = {1.0f, 0.5f, -1.0f, 0.25f};
        const unsigned char texel[4] = {255, 128, 0, 64};
        const size_t corner[3] = {kind->region[0] - 2, kind->region[1] - 1, kind->region[2] - 1}, two[3] = {2, 1, 1};
        GOOD(clEnqueueFillImage(world.queue, other, color, corner, two, 0, NULL, NULL));
        memcpy(wanted + bytes - 8, texel, 4);
        memcpy(wanted + bytes - 4, texel, 4);
        GOOD(clEnqueueReadImage(world.queue, other, CL_TRUE, zero, kind->region, 0, 0, got, 0, NULL, NULL));
        cr_assert_eq(memcmp(got, wanted, bytes), 0, "kind %zu: copied and filled", k);
        GOOD(clReleaseMemObject(buffer));
        GOOD(clReleaseMemObject(other));
        GOOD(clReleaseMemObject(image));
    }
}

Test(images, maps, .description = "CL-2 maps of images: their own pitches, parts alone, unmaps write back [model]") {
    for (size_t k = 0; k < KINDS; k++) {
        const struct kind *kind = &kinds[k];
        const cl_image_desc desc = describe(kind);
        const bool slices = kind->depth > 0 || kind->layers > 0;
        unsigned char from[BYTES_MAX], got[BYTES_MAX];
        const size_t zero[3] = {0, 0, 0}, origin[3] = {2, kind->region[1] - 1, kind->region[2] - 1};
        const size_t region[3] = {4, 1, 1}, bytes = 4 * kind->region[0] * kind->region[1] * kind->region[2];
        const size_t at = bytes - 4 * kind->region[0] + 8;
        size_t row = 0, slice = 99;
        cl_int error = CL_SUCCESS;
        fill_numbers(from, sizeof from, 8);
        cl_mem image = make(CL_MEM_COPY_HOST_PTR, &bytes4, &desc, from);
        unsigned char *mapped = clEnqueueMapImage(world.queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin,
                                                  region, &row, &slice, 0, NULL, NULL, &error);
        GOOD(error);
        cr_expect_eq(row, 44);
        cr_expect_eq(slice, slices ? asked(image, CL_IMAGE_SLICE_PITCH) : 0);
        cr_assert_eq(memcmp(mapped, from + at, 16), 0);
        // A second part at the same time, whose neighbours stay as they are.
        cl_uint count = 0;
        unsigned char *first = clEnqueueMapImage(world.queue, image, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, zero,
                                                 region, &row, &slice, 0, NULL, NULL, &error);
        GOOD(error);
        GOOD(clGetMemObjectInfo(image, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
        cr_expect_eq(count, 2);
        memset(mapped, 0x11, 16);
        memset(first, 0x22, 16);
        GOOD(clEnqueueUnmapMemObject(world.queue, image, mapped, 0, NULL, NULL));
        GOOD(clEnqueueUnmapMemObject(world.queue, image, first, 0, NULL, NULL));
        memset(from + at, 0x11, 16);
        memset(from, 0x22, 16);
        GOOD(clEnqueueReadImage(world.queue, image, CL_TRUE, zero, kind->region, 0, 0, got, 0, NULL, NULL));
        if (bytes > 44) cr_assert_eq(memcmp(got, from, bytes), 0, "kind %zu", k);
        // One that only reads changes nothing.
        mapped = clEnqueueMapImage(world.queue, image, CL_TRUE, CL_MAP_READ, zero, region, &row, &slice, 0, NULL, NULL,
                                   &error);
        mapped[0] ^= 0xFF;
        GOOD(clEnqueueUnmapMemObject(world.queue, image, mapped, 0, NULL, NULL));
        BAD(CL_INVALID_VALUE, clEnqueueUnmapMemObject(world.queue, image, mapped, 0, NULL, NULL));
        GOOD(clEnqueueReadImage(world.queue, image, CL_TRUE, zero, region, 0, 0, got, 0, NULL, NULL));
        if (bytes > 44) cr_assert_eq(got[0], 0x22);
        cr_expect_null(clEnqueueMapImage(world.queue, image, CL_TRUE, CL_MAP_READ, zero, region, NULL, &slice, 0, NULL,
                                         NULL, &error));
        BAD(CL_INVALID_VALUE, error);
        cr_expect_null(clEnqueueMapImage(world.queue, image, CL_TRUE, CL_MAP_READ, zero, region, &row, NULL, 0, NULL,
                                         NULL, &error) != NULL &&
                       slices);
        if (slices) BAD(CL_INVALID_VALUE, error);
        GOOD(clReleaseMemObject(image));
    }
}

Test(images, host_memory,
     .description = "CL-2 host pointers with pitches: copied without gaps, or used with them [model]") {
    unsigned char host[3 * 64], got[3 * 20];
    size_t row = 0, slice = 0;
    void *pointer = NULL;
    cl_int error = CL_SUCCESS;
    const size_t zero[3] = {0, 0, 0}, region[3] = {5, 3, 1};
    cl_image_desc desc = plane(5, 3);
    desc.image_row_pitch = 64;
    fill_numbers(host, sizeof host, 1);
    cl_mem copy = make(CL_MEM_COPY_HOST_PTR, &bytes4, &desc, host),
           used = make(CL_MEM_USE_HOST_PTR, &bytes4, &desc, host);
    cr_expect_eq(asked(copy, CL_IMAGE_ROW_PITCH), 20);
    cr_expect_eq(asked(used, CL_IMAGE_ROW_PITCH), 64);
    GOOD(clGetMemObjectInfo(used, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
    cr_expect_eq(pointer, host);
    for (int k = 0; k < 2; k++) {
        GOOD(clEnqueueReadImage(world.queue, k ? used : copy, CL_TRUE, zero, region, 0, 0, got, 0, NULL, NULL));
        for (size_t y = 0; y < 3; y++)
            cr_expect_eq(memcmp(got + 20 * y, host + 64 * y, 20), 0);
    }
    unsigned char *mapped = clEnqueueMapImage(world.queue, used, CL_TRUE, CL_MAP_READ, (const size_t[3]){1, 2, 0},
                                              (const size_t[3]){2, 1, 1}, &row, &slice, 0, NULL, NULL, &error);
    GOOD(error);
    cr_expect_eq(mapped, host + 2 * 64 + 4);
    cr_expect_eq(row, 64);
    GOOD(clEnqueueUnmapMemObject(world.queue, used, mapped, 0, NULL, NULL));
    GOOD(clReleaseMemObject(copy));
    GOOD(clReleaseMemObject(used));
}

// ---- in memory of others ----

Test(images, buffers, .description = "CL-2 CL-3 images in a buffer's memory: the same bytes, for kernels too [model]") {
    unsigned char from[512], got[512];
    cl_int error = CL_SUCCESS;
    cl_mem owner = NULL;
    const size_t items = 16, zero[3] = {0, 0, 0}, row[3] = {16, 1, 1};
    fill_numbers(from, sizeof from, 40);
    cl_mem buffer = world_buffer(&world, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof from, from);
    cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 256, .mem_object = buffer};
    cl_image_desc desc = plane(16, 3);
    desc.mem_object = buffer;
    desc.image_row_pitch = 64;
    cl_mem view = make(0, &shorts, &line, NULL), flat = make(0, &shorts, &desc, NULL);
    GOOD(clGetImageInfo(view, CL_IMAGE_BUFFER, sizeof(cl_mem), &owner, NULL));
    cr_expect_eq(owner, buffer);
    GOOD(clGetMemObjectInfo(flat, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), &owner, NULL));
    cr_expect_eq(owner, buffer);
    cr_expect_eq(asked(flat, CL_IMAGE_ROW_PITCH), 64);
    // The kernel has the same bytes by three arguments; each item reads by one what it has written by another.
    cl_kernel kernel = world_kernel(&world,
                                    "__kernel void k(__global ushort *p, __read_only image1d_buffer_t line,\n"
                                    "                __write_only image2d_t flat) {\n"
                                    "    const int n = get_global_id(0);\n"
                                    "    for (int k = 0; k < 3; k++) {\n"
                                    "        write_imageui(flat, (int2)(n, k), p[32 * k + n] + 1);\n"
                                    "        p[200 + n] = p[32 * k + n] + read_imageui(line, 32 * k + n).x;\n"
                                    "        p[32 * k + n] += p[200 + n];\n"
                                    "    }\n"
                                    "}\n",
                                    "k");
    GOOD(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer));
    GOOD(clSetKernelArg(kernel, 1, sizeof(cl_mem), &view));
    GOOD(clSetKernelArg(kernel, 2, sizeof(cl_mem), &flat));
    for (int turn = 0; turn < 3; turn++) {
        GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
        for (size_t n = 0; n < items; n++)
            for (size_t k = 0; k < 3; k++) {
                unsigned short now, sum;
                memcpy(&now, from + 2 * (32 * k + n), 2);
                now = (unsigned short)(now + 1);
                sum = (unsigned short)(2 * now);
                memcpy(from + 2 * (200 + n), &sum, 2);
                now = (unsigned short)(now + sum);
                memcpy(from + 2 * (32 * k + n), &now, 2);
            }
        GOOD(clEnqueueReadBuffer(world.queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        cr_assert_eq(memcmp(got, from, sizeof got), 0, "turn %d", turn);
    }
    // It stays as long as an image of it does.
    GOOD(clReleaseMemObject(buffer));
    GOOD(clEnqueueReadImage(world.queue, view, CL_TRUE, zero, row, 0, 0, got, 0, NULL, NULL));
    cr_expect_eq(memcmp(got, from, 32), 0);
    desc.mem_object = flat;
    cl_mem same = make(0, &shorts, &desc, NULL);
    GOOD(clEnqueueReadImage(world.queue, same, CL_TRUE, zero, row, 0, 0, got, 0, NULL, NULL));
    cr_expect_eq(memcmp(got, from, 32), 0);
    refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &bytes4, &desc, NULL);
    desc.image_width = 15;
    refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &shorts, &desc, NULL);
    cr_expect_null(clCreateSubBuffer(view, 0, CL_BUFFER_CREATE_TYPE_REGION, &(cl_buffer_region){0, 64}, &error));
    BAD(CL_INVALID_MEM_OBJECT, error);
    GOOD(clReleaseMemObject(same));
    GOOD(clReleaseMemObject(view));
    GOOD(clReleaseMemObject(flat));
    GOOD(clReleaseKernel(kernel));
}

static void count_compiles(void *context, const char *line) {
    (void)line;
    (*(int *)context)++;
}

// Compiled again for what is known of its buffers, a kernel still reads by a pointer what it has written by an image.
Test(images, compiled_again, .description = "CL-3 second compiles take texels for anybody's memory [model]") {
    enum { ITEMS = 32 };
    const struct tandem_recompile_options always = {.when = TANDEM_RECOMPILE_ALWAYS};
    const size_t items = ITEMS;
    cl_uint from[2 * ITEMS], factors[ITEMS], got[2 * ITEMS];
    int lines = 0;
    tandem_set_recompile(world.devices[0]->device, &always);
    tandem_set_recompile_log(world.devices[0]->device, count_compiles, &lines);
    for (cl_uint k = 0; k < ITEMS; k++) {
        from[k] = from[ITEMS + k] = k + 3;
        factors[k] = 7 * k + 1;
    }
    cl_mem p = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof from, from);
    cl_mem q = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof factors, factors);
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = ITEMS, .mem_object = p};
    cl_mem line = make(0, &(cl_image_format){CL_R, CL_UNSIGNED_INT32}, &desc, NULL);
    cl_kernel kernel = world_kernel(&world,
                                    "__kernel void k(__global uint *p, __global const uint *q,\n"
                                    "                __write_only image1d_buffer_t line) {\n"
                                    "    const int n = get_global_id(0);\n"
                                    "    uint sum = 0;\n"
                                    "    for (int k = 0; k < 4; k++) {\n"
                                    "        sum += p[n] * q[n];\n"
                                    "        write_imageui(line, n, (uint4)(p[n] + q[n]));\n"
                                    "    }\n"
                                    "    p[32 + n] = sum;\n"
                                    "}\n",
                                    "k");
    GOOD(clSetKernelArg(kernel, 0, sizeof(cl_mem), &p));
    GOOD(clSetKernelArg(kernel, 1, sizeof(cl_mem), &q));
    GOOD(clSetKernelArg(kernel, 2, sizeof(cl_mem), &line));
    for (int turn = 0; turn < 3; turn++) {
        GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
        for (size_t n = 0; n < ITEMS; n++) {
            from[ITEMS + n] = 0;
            for (int k = 0; k < 4; k++) {
                from[ITEMS + n] += from[n] * factors[n];
                from[n] += factors[n];
            }
        }
        GOOD(clEnqueueReadBuffer(world.queue, p, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        cr_assert_eq(memcmp(got, from, sizeof got), 0, "turn %d", turn);
    }
    cr_expect_gt(lines, 0, "it was compiled once");
    GOOD(clReleaseMemObject(line));
    GOOD(clReleaseMemObject(p));
    GOOD(clReleaseMemObject(q));
    GOOD(clReleaseKernel(kernel));
}

// ---- what is refused ----

Test(images, refused, .description = "CL-2 images that cannot be: each error [model]") {
    unsigned char host[4096];
    cl_int error = CL_SUCCESS;
    const cl_image_desc good = plane(16, 8);
    cl_image_desc bad = good;
    cr_expect_null(clCreateImage(NULL, 0, &bytes4, &good, NULL, &error));
    BAD(CL_INVALID_CONTEXT, error);
    const cl_mem_properties unknown[] = {0x1234, 1, 0};
    cr_expect_null(clCreateImageWithProperties(world.context, unknown, 0, &bytes4, &good, NULL, &error));
    BAD(CL_INVALID_PROPERTY, error);
    refuse(CL_INVALID_VALUE, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &bytes4, &good, NULL);
    refuse(CL_INVALID_VALUE, CL_MEM_KERNEL_READ_AND_WRITE, &bytes4, &good, NULL);
    refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, NULL, &good, NULL);
    refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &(cl_image_format){0x9999, CL_FLOAT}, &good, NULL);
    refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &(cl_image_format){CL_RGBA, 0x9999}, &good, NULL);
    refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &(cl_image_format){CL_RGBA, CL_UNORM_SHORT_565}, &good, NULL);
    refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &(cl_image_format){CL_BGRA, CL_FLOAT}, &good, NULL);
    refuse(CL_INVALID_IMAGE_DESCRIPTOR, 0, &bytes4, NULL, NULL);
    bad.image_type = CL_MEM_OBJECT_BUFFER;
    refuse(CL_INVALID_IMAGE_DESCRIPTOR, 0, &bytes4, &bad, NULL);
    bad = good, bad.num_mip_levels = 1;
    refuse(CL_INVALID_IMAGE_DESCRIPTOR, 0, &bytes4, &bad, NULL);
    bad = good, bad.num_samples = 1;
    refuse(CL_INVALID_IMAGE_DESCRIPTOR, 0, &bytes4, &bad, NULL);
    bad = good, bad.image_height = 0;
    refuse(CL_INVALID_IMAGE_DESCRIPTOR, 0, &bytes4, &bad, NULL);
    bad = good, bad.image_row_pitch = 64;  // without host memory
    refuse(CL_INVALID_IMAGE_DESCRIPTOR, 0, &bytes4, &bad, NULL);
    bad.image_row_pitch = 60;
    refuse(CL_INVALID_IMAGE_DESCRIPTOR, CL_MEM_COPY_HOST_PTR, &bytes4, &bad, host);
    bad.image_row_pitch = 66;
    refuse(CL_INVALID_IMAGE_DESCRIPTOR, CL_MEM_COPY_HOST_PTR, &bytes4, &bad, host);
    bad = good, bad.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    refuse(CL_INVALID_IMAGE_DESCRIPTOR, 0, &bytes4, &bad, NULL);
    bad = plane(16385, 1);
    refuse(CL_INVALID_IMAGE_SIZE, 0, &bytes4, &bad, NULL);
    bad = plane(16384, 16384);
    refuse(CL_INVALID_IMAGE_SIZE, 0, &(cl_image_format){CL_RGBA, CL_FLOAT}, &bad, NULL);
    bad =
        (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 2049, .image_height = 1, .image_depth = 1};
    refuse(CL_INVALID_IMAGE_SIZE, 0, &bytes4, &bad, NULL);
    refuse(CL_INVALID_HOST_PTR, CL_MEM_COPY_HOST_PTR, &bytes4, &good, NULL);
    refuse(CL_INVALID_HOST_PTR, 0, &bytes4, &good, host);
    refuse(CL_IMAGE_FORMAT_NOT_SUPPORTED, 0, &(cl_image_format){CL_RGBx, CL_UNORM_SHORT_565}, &good, NULL);
    refuse(CL_IMAGE_FORMAT_NOT_SUPPORTED, CL_MEM_WRITE_ONLY, &(cl_image_format){CL_sRGBA, CL_UNORM_INT8}, &good, NULL);
    bad = good, bad.image_type = CL_MEM_OBJECT_IMAGE3D, bad.image_depth = 2;
    refuse(CL_IMAGE_FORMAT_NOT_SUPPORTED, 0, &(cl_image_format){CL_DEPTH, CL_FLOAT}, &bad, NULL);
    cl_mem buffer = world_buffer(&world, CL_MEM_READ_ONLY, 511, NULL);
    bad = good, bad.mem_object = buffer;  // 512 bytes
    refuse(CL_INVALID_IMAGE_DESCRIPTOR, 0, &bytes4, &bad, NULL);
    bad.image_height = 7;
    refuse(CL_INVALID_VALUE, CL_MEM_READ_WRITE, &bytes4, &bad, NULL);
    refuse(CL_INVALID_VALUE, CL_MEM_ALLOC_HOST_PTR, &bytes4, &bad, NULL);
    refuse(CL_INVALID_HOST_PTR, CL_MEM_COPY_HOST_PTR, &bytes4, &bad, host);
    bad.image_type = CL_MEM_OBJECT_IMAGE3D, bad.image_depth = 1;
    refuse(CL_INVALID_IMAGE_DESCRIPTOR, 0, &bytes4, &bad, NULL);
    GOOD(clReleaseMemObject(buffer));
    cr_expect_null(clCreateImage2D(world.context, 0, &bytes4, 0, 4, 0, NULL, &error));
    BAD(CL_INVALID_IMAGE_SIZE, error);
    cl_mem old = clCreateImage2D(world.context, CL_MEM_COPY_HOST_PTR, &bytes4, 8, 4, 40, host, &error);
    GOOD(error);
    GOOD(clReleaseMemObject(old));
    old = clCreateImage3D(world.context, 0, &bytes4, 8, 4, 2, 0, 0, NULL, &error);
    GOOD(error);
    cr_expect_eq(asked(old, CL_IMAGE_DEPTH), 2);
    GOOD(clReleaseMemObject(old));
}

Test(images, formats, .description = "CL-2 the formats that every device must have are there; misuse [model]") {
    static const cl_channel_order must[] = {CL_R, CL_RG, CL_RGBA};
    static const cl_channel_type types[] = {CL_UNORM_INT8,     CL_UNORM_INT16,    CL_SNORM_INT8,   CL_SNORM_INT16,
                                            CL_SIGNED_INT8,    CL_SIGNED_INT16,   CL_SIGNED_INT32, CL_UNSIGNED_INT8,
                                            CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
    static const cl_mem_flags uses[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE,
                                        CL_MEM_KERNEL_READ_AND_WRITE};
    cl_image_format list[256];
    cl_uint count = 0, again = 0;
    for (size_t u = 0; u < 4; u++)
        for (cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D; type <= CL_MEM_OBJECT_IMAGE1D_BUFFER; type++) {
            GOOD(clGetSupportedImageFormats(world.context, uses[u], type, 256, list, &count));
            GOOD(clGetSupportedImageFormats(world.context, uses[u], type, 0, NULL, &again));
            cr_expect_eq(count, again);
            for (size_t k = 0; k < 36 + 1; k++) {
                const cl_image_format wanted = {k == 36 ? CL_BGRA : must[k / 12],
                                                k == 36 ? CL_UNORM_INT8 : types[k % 12]};
                bool found = false;
                for (cl_uint f = 0; f < count; f++)
                    found |= memcmp(&list[f], &wanted, sizeof wanted) == 0;
                cr_expect(found, "order %x, type %x", wanted.image_channel_order, wanted.image_channel_data_type);
            }
        }
    BAD(CL_INVALID_CONTEXT, clGetSupportedImageFormats(NULL, 0, CL_MEM_OBJECT_IMAGE2D, 256, list, &count));
    BAD(CL_INVALID_VALUE, clGetSupportedImageFormats(world.context, 0, CL_MEM_OBJECT_BUFFER, 256, list, &count));
    BAD(CL_INVALID_VALUE, clGetSupportedImageFormats(world.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, list, &count));
    BAD(CL_INVALID_VALUE, clGetSupportedImageFormats(world.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                                     CL_MEM_OBJECT_IMAGE2D, 256, list, &count));
}

Test(images, misused, .description = "CL-2 commands on images: each error [model]") {
    unsigned char host[4096] = {0};
    const float color[4] = {0};
    cl_int error = CL_SUCCESS;
    const size_t zero[3] = {0, 0, 0}, all[3] = {16, 8, 1}, deep[3] = {16, 8, 2}, empty[3] = {16, 0, 1};
    const size_t one[3] = {1, 0, 0}, behind[3] = {0, 0, 1};
    const cl_image_desc desc = plane(16, 8);
    cl_mem image = make(CL_MEM_HOST_READ_ONLY, &bytes4, &desc, NULL), other = make(0, &shorts, &desc, NULL);
    cl_mem hidden = make(CL_MEM_HOST_NO_ACCESS, &bytes4, &desc, NULL);
    cl_mem buffer = world_buffer(&world, 0, 512, NULL);
    cl_command_queue q = world.queue;
    BAD(CL_INVALID_COMMAND_QUEUE, clEnqueueReadImage(NULL, image, CL_TRUE, zero, all, 0, 0, host, 0, NULL, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clEnqueueReadImage(q, buffer, CL_TRUE, zero, all, 0, 0, host, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueReadImage(q, image, CL_TRUE, NULL, all, 0, 0, host, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueReadImage(q, image, CL_TRUE, zero, NULL, 0, 0, host, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueReadImage(q, image, CL_TRUE, one, all, 0, 0, host, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueReadImage(q, image, CL_TRUE, zero, deep, 0, 0, host, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueReadImage(q, image, CL_TRUE, behind, all, 0, 0, host, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueReadImage(q, image, CL_TRUE, zero, empty, 0, 0, host, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueReadImage(q, image, CL_TRUE, zero, all, 63, 0, host, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueReadImage(q, image, CL_TRUE, zero, all, 64, 512, host, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueReadImage(q, image, CL_TRUE, zero, all, 0, 0, NULL, 0, NULL, NULL));
    BAD(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadImage(q, image, CL_TRUE, zero, all, 0, 0, host, 1, NULL, NULL));
    BAD(CL_INVALID_OPERATION, clEnqueueReadImage(q, hidden, CL_TRUE, zero, all, 0, 0, host, 0, NULL, NULL));
    BAD(CL_INVALID_OPERATION, clEnqueueWriteImage(q, image, CL_TRUE, zero, all, 0, 0, host, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueWriteImage(q, image, CL_TRUE, zero, all, 0, 0, NULL, 0, NULL, NULL));
    BAD(CL_INVALID_EVENT_WAIT_LIST, clEnqueueWriteImage(q, other, CL_TRUE, zero, all, 0, 0, host, 1, NULL, NULL));
    BAD(CL_IMAGE_FORMAT_MISMATCH, clEnqueueCopyImage(q, image, other, zero, zero, all, 0, NULL, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clEnqueueCopyImage(q, image, buffer, zero, zero, all, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueCopyImage(q, image, hidden, zero, one, all, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueCopyImage(q, image, hidden, one, zero, all, 0, NULL, NULL));
    BAD(CL_MEM_COPY_OVERLAP, clEnqueueCopyImage(q, image, image, zero, one, (const size_t[3]){8, 8, 1}, 0, NULL, NULL));
    GOOD(clEnqueueCopyImage(q, image, image, zero, (const size_t[3]){8, 0, 0}, (const size_t[3]){8, 8, 1}, 0, NULL,
                            NULL));
    BAD(CL_INVALID_VALUE, clEnqueueCopyImageToBuffer(q, image, buffer, zero, all, 1, 0, NULL, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clEnqueueCopyImageToBuffer(q, image, other, zero, all, 0, 0, NULL, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferToImage(q, buffer, buffer, 0, zero, all, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueCopyBufferToImage(q, buffer, image, 1, zero, all, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueFillImage(q, image, NULL, zero, all, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueFillImage(q, image, color, zero, deep, 0, NULL, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clEnqueueFillImage(q, buffer, color, zero, all, 0, NULL, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(q, image, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    size_t row = 0;
    cr_expect_null(clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_WRITE, zero, all, &row, NULL, 0, NULL, NULL, &error));
    BAD(CL_INVALID_OPERATION, error);
    cr_expect_null(clEnqueueMapImage(q, buffer, CL_TRUE, CL_MAP_READ, zero, all, &row, NULL, 0, NULL, NULL, &error));
    BAD(CL_INVALID_MEM_OBJECT, error);
    cr_expect_null(clEnqueueMapImage(q, other, CL_TRUE, 64, zero, all, &row, NULL, 0, NULL, NULL, &error));
    BAD(CL_INVALID_VALUE, error);
    GOOD(clFinish(q));
    GOOD(clReleaseMemObject(image));
    GOOD(clReleaseMemObject(other));
    GOOD(clReleaseMemObject(hidden));
    GOOD(clReleaseMemObject(buffer));
}

static const char arguments_source[] =
    "__kernel void k(__read_only image2d_t from, __write_only image2d_t to, sampler_t sampler) {\n"
    "    const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imagef(to, at, read_imagef(from, sampler, at));\n"
    "}\n"
    "__kernel void changes(__read_write image2d_t image) { write_imagef(image, (int2)(0, 0), 1.0f); }\n";

Test(images, arguments,
     .description = "CL-2 images and samplers as arguments: what they are told as, what is refused [model]") {
    cl_int error = CL_SUCCESS;
    const cl_image_desc desc = plane(4, 4);
    const cl_image_desc room = {
        .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 4, .image_depth = 2};
    cl_program program = world_program(&world, arguments_source, "-cl-std=CL3.0");
    cl_kernel kernel = clCreateKernel(program, "k", &error), changes = clCreateKernel(program, "changes", &error);
    cl_kernel_arg_access_qualifier access = 0;
    cl_kernel_arg_address_qualifier address = 0;
    char type[32] = "";
    static const cl_uint accesses[3] = {CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
                                        CL_KERNEL_ARG_ACCESS_NONE};
    static const char *const types[3] = {"image2d_t", "image2d_t", "sampler_t"};
    for (cl_uint k = 0; k < 3; k++) {
        GOOD(clGetKernelArgInfo(kernel, k, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
        cr_expect_eq(access, accesses[k]);
        GOOD(clGetKernelArgInfo(kernel, k, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
        cr_expect_str_eq(type, types[k]);
        GOOD(clGetKernelArgInfo(kernel, k, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL));
        cr_expect_eq(address, k < 2 ? CL_KERNEL_ARG_ADDRESS_GLOBAL : CL_KERNEL_ARG_ADDRESS_PRIVATE);
    }
    GOOD(clGetKernelArgInfo(changes, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
    cr_expect_eq(access, CL_KERNEL_ARG_ACCESS_READ_WRITE);
    cl_mem readable = make(CL_MEM_READ_ONLY, &bytes4, &desc, NULL),
           writable = make(CL_MEM_WRITE_ONLY, &bytes4, &desc, NULL);
    cl_mem deep = make(0, &bytes4, &room, NULL), buffer = world_buffer(&world, 0, 64, NULL), none = NULL;
    cl_sampler sampler = clCreateSampler(world.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
    GOOD(error);
    BAD(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof(cl_mem), &writable));
    BAD(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, sizeof(cl_mem), &readable));
    BAD(CL_INVALID_ARG_VALUE, clSetKernelArg(changes, 0, sizeof(cl_mem), &readable));
    BAD(CL_INVALID_ARG_VALUE, clSetKernelArg(changes, 0, sizeof(cl_mem), &writable));
    BAD(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof(cl_mem), &deep));
    BAD(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof(cl_mem), NULL));
    BAD(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &readable));
    BAD(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer));
    BAD(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof(cl_mem), &none));
    BAD(CL_INVALID_SAMPLER, clSetKernelArg(kernel, 2, sizeof(cl_sampler), &readable));
    BAD(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 4, &sampler));
    BAD(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, sizeof(cl_sampler), NULL));
    GOOD(clSetKernelArg(kernel, 0, sizeof(cl_mem), &readable));
    GOOD(clSetKernelArg(kernel, 1, sizeof(cl_mem), &writable));
    const size_t size = 4;
    BAD(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
    GOOD(clSetKernelArg(kernel, 2, sizeof(cl_sampler), &sampler));
    GOOD(clReleaseSampler(sampler));     // its number is all that is needed
    GOOD(clReleaseMemObject(readable));  // the argument holds it
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
    GOOD(clFinish(world.queue));
    GOOD(clReleaseMemObject(writable));
    GOOD(clReleaseMemObject(deep));
    GOOD(clReleaseMemObject(buffer));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseKernel(changes));
    GOOD(clReleaseProgram(program));
}

Test(images, samplers, .description = "CL-2 samplers: made, told, counted, refused [model]") {
    cl_int error = CL_SUCCESS;
    cl_uint value = 99;
    cl_context context = NULL;
    cl_sampler_properties told[8] = {0};
    size_t size = 0;
    const cl_sampler_properties given[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE,
                                           CL_FILTER_LINEAR, 0};
    const cl_sampler_properties unknown[] = {0x1234, 1, 0};
    cl_sampler sampler = clCreateSamplerWithProperties(world.context, given, &error);
    GOOD(error);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, sizeof value, &value, NULL));
    cr_expect_eq(value, CL_FILTER_LINEAR);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof value, &value, NULL));
    cr_expect_eq(value, CL_ADDRESS_CLAMP);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_NORMALIZED_COORDS, sizeof value, &value, NULL));
    cr_expect_eq(value, CL_TRUE);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_CONTEXT, sizeof(cl_context), &context, NULL));
    cr_expect_eq(context, world.context);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof told, told, &size));
    cr_expect(size == sizeof given && memcmp(told, given, size) == 0);
    BAD(CL_INVALID_VALUE, clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 8, told, &size));
    BAD(CL_INVALID_VALUE, clGetSamplerInfo(sampler, CL_MEM_TYPE, sizeof told, told, &size));
    GOOD(clRetainSampler(sampler));
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_REFERENCE_COUNT, sizeof value, &value, NULL));
    cr_expect_eq(value, 2);
    GOOD(clReleaseSampler(sampler));
    GOOD(clReleaseSampler(sampler));
    BAD(CL_INVALID_SAMPLER, clRetainSampler(NULL));
    BAD(CL_INVALID_SAMPLER, clReleaseSampler((cl_sampler)(void *)world.context));
    BAD(CL_INVALID_SAMPLER, clGetSamplerInfo(NULL, CL_SAMPLER_FILTER_MODE, sizeof value, &value, NULL));
    cr_expect_null(clCreateSamplerWithProperties(NULL, given, &error));
    BAD(CL_INVALID_CONTEXT, error);
    cr_expect_null(clCreateSamplerWithProperties(world.context, twice, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateSamplerWithProperties(world.context, unknown, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateSampler(world.context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateSampler(world.context, CL_TRUE, 0x1234, CL_FILTER_NEAREST, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateSampler(world.context, CL_TRUE, CL_ADDRESS_CLAMP, 0x1234, &error));
    BAD(CL_INVALID_VALUE, error);
}
