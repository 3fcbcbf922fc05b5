// Images and samplers as arguments of kernels: in a buffer's memory, compiled again, those that do not fit.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/recompile.h"
#include "opencl/device.h"
#include "opencl/image_objects.h"

static struct world world;

static void open_small(void) {
    world_open(&world, NULL, 0);
}
static void close_world(void) {
    world_close(&world);
}

TestSuite(image_kernels, .init = open_small, .fini = close_world);

// ---- in memory of others ----

Test(image_kernels, buffers,
     .description = "CL-2 CL-3 images in a buffer's memory: the same bytes, for kernels too [model]") {
    unsigned char from[512], got[512];
    cl_int error = CL_SUCCESS;
    cl_mem owner = NULL;
    const size_t items = 16, zero[3] = {0, 0, 0}, row[3] = {16, 1, 1};
    image_fill(from, sizeof from, 40);
    cl_mem buffer = world_buffer(&world, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof from, from);
    cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 256, .mem_object = buffer};
    cl_image_desc desc = image_plane(16, 3);
    desc.mem_object = buffer;
    desc.image_row_pitch = 64;
    cl_mem view = image_make(&world, 0, &image_shorts, &line, NULL),
           flat = image_make(&world, 0, &image_shorts, &desc, NULL);
    GOOD(clGetImageInfo(view, CL_IMAGE_BUFFER, sizeof(cl_mem), &owner, NULL));
    cr_expect_eq(owner, buffer);
    GOOD(clGetMemObjectInfo(flat, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), &owner, NULL));
    cr_expect_eq(owner, buffer);
    cr_expect_eq(image_asked(flat, CL_IMAGE_ROW_PITCH), 64);
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
    cl_mem same = image_make(&world, 0, &image_shorts, &desc, NULL);
    GOOD(clEnqueueReadImage(world.queue, same, CL_TRUE, zero, row, 0, 0, got, 0, NULL, NULL));
    cr_expect_eq(memcmp(got, from, 32), 0);
    image_refused(&world, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &image_bytes4, &desc, NULL);
    desc.image_width = 15;
    image_refused(&world, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &image_shorts, &desc, NULL);
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
Test(image_kernels, compiled_again, .description = "CL-3 second compiles take texels for anybody's memory [model]") {
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
    cl_mem line = image_make(&world, 0, &(cl_image_format){CL_R, CL_UNSIGNED_INT32}, &desc, NULL);
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

static const char arguments_source[] =
    "__kernel void k(__read_only image2d_t from, __write_only image2d_t to, sampler_t sampler) {\n"
    "    const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imagef(to, at, read_imagef(from, sampler, at));\n"
    "}\n"
    "__kernel void changes(__read_write image2d_t image) { write_imagef(image, (int2)(0, 0), 1.0f); }\n";

Test(image_kernels, arguments,
     .description = "CL-2 images and samplers as arguments: what they are told as, what is refused [model]") {
    cl_int error = CL_SUCCESS;
    const cl_image_desc desc = image_plane(4, 4);
    const cl_image_desc room = {
        .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 4, .image_depth = 2};
    cl_program program = world_program(&world, arguments_source, "-cl-std=CL3.0 -cl-kernel-arg-info");
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
    cl_mem readable = image_make(&world, CL_MEM_READ_ONLY, &image_bytes4, &desc, NULL),
           writable = image_make(&world, CL_MEM_WRITE_ONLY, &image_bytes4, &desc, NULL);
    cl_mem deep = image_make(&world, 0, &image_bytes4, &room, NULL), buffer = world_buffer(&world, 0, 64, NULL),
           none = NULL;
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
    GOOD(clReleaseSampler(sampler));  // its number is all that is needed
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
    GOOD(clReleaseMemObject(readable));  // the launch holds it, not the argument
    GOOD(clFinish(world.queue));
    GOOD(clReleaseMemObject(writable));
    GOOD(clReleaseMemObject(deep));
    GOOD(clReleaseMemObject(buffer));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseKernel(changes));
    GOOD(clReleaseProgram(program));
}
