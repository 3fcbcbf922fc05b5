// Commands on images: moved, copied, filled, mapped, with memory of the host; what is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/image_objects.h"

static struct world world;

static void open_small(void) {
    world_open(&world, NULL, 0);
}
static void close_world(void) {
    world_close(&world);
}

TestSuite(image_commands, .init = open_small, .fini = close_world);

// A box of `to`, which lies there as the image does, with that of `from`, rows and slices apart by pitches.
static void put_box(unsigned char *to, const struct image_kind *kind, const size_t *origin, const size_t *region,
                    const unsigned char *from, size_t row_pitch, size_t slice_pitch) {
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            memcpy(to + 4 * (((origin[2] + z) * kind->region[1] + origin[1] + y) * kind->region[0] + origin[0]),
                   from + z * slice_pitch + y * row_pitch, 4 * region[0]);
}

Test(image_commands, moved,
     .description = "CL-2 parts of all image_kinds of images are written, read, copied, filled [model]") {
    for (size_t k = 0; k < IMAGE_KINDS; k++) {
        const struct image_kind *kind = &image_kinds[k];
        const cl_image_desc desc = image_describe(kind);
        const bool lines = kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY, slices = kind->region[2] > 1;
        unsigned char wanted[IMAGE_BYTES_MAX], from[IMAGE_BYTES_MAX * 2], got[IMAGE_BYTES_MAX];
        const size_t zero[3] = {0, 0, 0};
        const size_t origin[3] = {3, kind->region[1] > 1 ? 2 : 0, slices ? 1 : 0};
        const size_t region[3] = {5, kind->region[1] > 1 ? 2 : 1, slices ? 2 : 1};
        const size_t bytes = 4 * kind->region[0] * kind->region[1] * kind->region[2];
        image_fill(wanted, sizeof wanted, 3);
        image_fill(from, sizeof from, 100);
        cl_mem image = image_make(&world, CL_MEM_COPY_HOST_PTR, &image_bytes4, &desc, wanted);
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
        cl_mem buffer = world_buffer(&world, CL_MEM_READ_WRITE, 512, NULL),
               other = image_make(&world, 0, &image_bytes4, &desc, NULL);
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

Test(image_commands, maps,
     .description = "CL-2 maps of images: their own pitches, parts alone, unmaps write back [model]") {
    for (size_t k = 0; k < IMAGE_KINDS; k++) {
        const struct image_kind *kind = &image_kinds[k];
        const cl_image_desc desc = image_describe(kind);
        const bool slices = kind->depth > 0 || kind->layers > 0;
        unsigned char from[IMAGE_BYTES_MAX], got[IMAGE_BYTES_MAX];
        const size_t zero[3] = {0, 0, 0}, origin[3] = {2, kind->region[1] - 1, kind->region[2] - 1};
        const size_t region[3] = {4, 1, 1}, bytes = 4 * kind->region[0] * kind->region[1] * kind->region[2];
        const size_t at = bytes - 4 * kind->region[0] + 8;
        size_t row = 0, slice = 99;
        cl_int error = CL_SUCCESS;
        image_fill(from, sizeof from, 8);
        cl_mem image = image_make(&world, CL_MEM_COPY_HOST_PTR, &image_bytes4, &desc, from);
        unsigned char *mapped = clEnqueueMapImage(world.queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin,
                                                  region, &row, &slice, 0, NULL, NULL, &error);
        GOOD(error);
        cr_expect_eq(row, 44);
        cr_expect_eq(slice, slices ? image_asked(image, CL_IMAGE_SLICE_PITCH) : 0);
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

Test(image_commands, host_memory,
     .description = "CL-2 host pointers with pitches: copied without gaps, or used with them [model]") {
    unsigned char host[3 * 64], got[3 * 20];
    size_t row = 0, slice = 0;
    void *pointer = NULL;
    cl_int error = CL_SUCCESS;
    const size_t zero[3] = {0, 0, 0}, region[3] = {5, 3, 1};
    cl_image_desc desc = image_plane(5, 3);
    desc.image_row_pitch = 64;
    image_fill(host, sizeof host, 1);
    cl_mem copy = image_make(&world, CL_MEM_COPY_HOST_PTR, &image_bytes4, &desc, host),
           used = image_make(&world, CL_MEM_USE_HOST_PTR, &image_bytes4, &desc, host);
    cr_expect_eq(image_asked(copy, CL_IMAGE_ROW_PITCH), 20);
    cr_expect_eq(image_asked(used, CL_IMAGE_ROW_PITCH), 64);
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

Test(image_commands, misused, .description = "CL-2 commands on images: each error [model]") {
    unsigned char host[4096] = {0};
    const float color[4] = {0};
    cl_int error = CL_SUCCESS;
    const size_t zero[3] = {0, 0, 0}, all[3] = {16, 8, 1}, deep[3] = {16, 8, 2}, empty[3] = {16, 0, 1};
    const size_t one[3] = {1, 0, 0}, behind[3] = {0, 0, 1};
    const cl_image_desc desc = image_plane(16, 8);
    cl_mem image = image_make(&world, CL_MEM_HOST_READ_ONLY, &image_bytes4, &desc, NULL),
           other = image_make(&world, 0, &image_shorts, &desc, NULL);
    cl_mem hidden = image_make(&world, CL_MEM_HOST_NO_ACCESS, &image_bytes4, &desc, NULL);
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
