// Half precision as OpenCL programs see it: what devices say of it, arguments of kernels, versions of the language.
#include <fenv.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/half_numbers.h"
#include "opencl/world.h"

static struct world world;

static void close_world(void) {
    world_close(&world);
}

TestSuite(halfs, .fini = close_world);

static const char source[] =
    "#ifndef cl_khr_fp16\n"
    "#error no halfs\n"
    "#endif\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "__constant half table[2] = {0.5h, HALF_MAX};\n"
    "__kernel void scale(__global half *numbers, half by, half3 more) {\n"
    "    const size_t i = get_global_id(0);\n"
    "    half whole, part = fract(numbers[i] * by, &whole);\n"
    "    numbers[i] = part + whole * more.z + table[i & 0];\n"
    "}\n";

Test(halfs, told, .description = "CL-2 CL-3 devices say that there are halfs, and how they are worked on [model]") {
    char text[1024];
    cl_device_fp_config config = 0;
    cl_uint width = 0;
    size_t size = 0;
    cl_name_version versions[64];
    bool found = false;
    world_open(&world, "model:small", 0);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    cr_expect_not_null(strstr(text, "cl_khr_fp16"));
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof versions, versions, &size));
    for (size_t k = 0; k < size / sizeof *versions; k++)
        found |= strcmp(versions[k].name, "cl_khr_fp16") == 0 && versions[k].version == CL_MAKE_VERSION(1, 0, 0);
    cr_expect(found);
    // Denormals, infinities and NaN, to nearest: what the extension asks for, and the exact fma.
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_HALF_FP_CONFIG, sizeof config, &config, &size));
    cr_expect_eq(config, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA);
    cr_expect_eq(size, sizeof config);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, sizeof width, &width, NULL));
    cr_expect_eq(width, 1);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, sizeof width, &width, NULL));
    cr_expect_eq(width, 1);
    BAD(CL_INVALID_VALUE, clGetDeviceInfo(world.devices[0], CL_DEVICE_HALF_FP_CONFIG, 4, &config, NULL));
}

static void scale_on(const char *device, const char *options) {
    enum { COUNT = 32 };
    cl_int error = CL_SUCCESS;
    cl_half numbers[COUNT];
    const size_t global = COUNT;
    const cl_half by = 0x3E00, more[4] = {0, 0, 0x4000, 0};  // 1.5; z is 2
    world_open(&world, device, 0);
    cl_program program = world_program(&world, source, options);
    cl_kernel kernel = clCreateKernel(program, "scale", &error);
    GOOD(error);
    for (unsigned k = 0; k < COUNT; k++)
        numbers[k] = (cl_half)half_of(k * 0.25 - 3, FE_TONEAREST);
    cl_mem buffer = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
    GOOD(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    BAD(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, 4, &by));
    BAD(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 6, more));
    GOOD(clSetKernelArg(kernel, 1, sizeof by, &by));
    GOOD(clSetKernelArg(kernel, 2, sizeof more, more));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (unsigned k = 0; k < COUNT; k++) {
        const double x = (k * 0.25 - 3) * 1.5, wanted = x - floor(x) + floor(x) * 2 + 0.5;
        cr_expect_eq(number_of_half(numbers[k]), wanted, "%s, %s: item %u: %a, not %a", device, options, k,
                     number_of_half(numbers[k]), wanted);
    }
    GOOD(clReleaseMemObject(buffer));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseProgram(program));
}

Test(halfs, versions_1_2, .description = "CL-3 halfs in OpenCL C 1.2: arguments of a kernel, constants [model]") {
    scale_on("model:small", "");
}
Test(halfs, versions_2_0, .description = "CL-3 halfs in OpenCL C 2.0, where pointers lead into any memory [model]") {
    scale_on("model:small", "-cl-std=CL2.0");
}
Test(halfs, versions_3_0, .description = "CL-3 halfs in OpenCL C 3.0, approximations allowed [model]") {
    scale_on("model:full", "-cl-std=CL3.0 -cl-fast-relaxed-math");
}
Test(halfs, tandem_nano, .description = "CL-3 the same, nano [tandem]") {
    scale_on("tandem:nano,mem=64", "");
}

// ---- images ----

// Where texel i of an image of 4 by 3 by 2 is, in each kind; read_write images are of OpenCL C 3.0.
static const char image_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
    "#define SAME(a, b) all(as_short4(a) == as_short4(b))\n"
    "#define SAMPLED(kind, type, floats, c, f) \\\n"
    "__kernel void on_##kind(read_only type from, write_only type to, sampler_t s, __global int *right) { \\\n"
    "    const int i = get_global_id(0); \\\n"
    "    const half4 x = read_imageh(from, c), near = read_imageh(from, s, c), between = read_imageh(from, s, f); \\\n"
    "    right[i] = SAME(near, convert_half4(read_imagef(from, s, c))) && \\\n"
    "               SAME(between, convert_half4(read_imagef(from, s, f))); \\\n"
    "    write_imageh(to, c, x * 2.0h); \\\n"
    "}\n"
    "SAMPLED(line, image1d_t, float, i, i + 0.7f)\n"
    "SAMPLED(lines, image1d_array_t, float2, ((int2)(i % 4, i / 4)), ((float2)(i % 4 + 0.7f, i / 4)))\n"
    "SAMPLED(plane, image2d_t, float2, ((int2)(i % 4, i / 4)), ((float2)(i % 4 + 0.7f, i / 4 + 0.2f)))\n"
    "SAMPLED(planes, image2d_array_t, float4, ((int4)(i % 4, i / 4 % 3, i / 12, 0)), \\\n"
    "        ((float4)(i % 4 + 0.7f, i / 4 % 3 + 0.4f, i / 12, 0)))\n"
    "SAMPLED(room, image3d_t, float4, ((int4)(i % 4, i / 4 % 3, i / 12, 0)), \\\n"
    "        ((float4)(i % 4 + 0.7f, i / 4 % 3 + 0.4f, i / 12 + 0.6f, 0)))\n"
    "__kernel void on_row(read_only image1d_buffer_t from, write_only image1d_buffer_t to, sampler_t s, __global int "
    "*right) {\n"
    "    const int i = get_global_id(0);\n"
    "    right[i] = 1;\n"
    "    write_imageh(to, i, read_imageh(from, i) * 2.0h);\n"
    "}\n"
    "#if __OPENCL_C_VERSION__ >= 300\n"
    "#define CHANGED(kind, type, c) \\\n"
    "__kernel void change_##kind(read_write type image) { \\\n"
    "    const int i = get_global_id(0); \\\n"
    "    write_imageh(image, c, read_imageh(image, c) * 0.5h); \\\n"
    "}\n"
    "CHANGED(line, image1d_t, i)\n"
    "CHANGED(lines, image1d_array_t, ((int2)(i % 4, i / 4)))\n"
    "CHANGED(plane, image2d_t, ((int2)(i % 4, i / 4)))\n"
    "CHANGED(planes, image2d_array_t, ((int4)(i % 4, i / 4 % 3, i / 12, 0)))\n"
    "CHANGED(room, image3d_t, ((int4)(i % 4, i / 4 % 3, i / 12, 0)))\n"
    "CHANGED(row, image1d_buffer_t, i)\n"
    "#endif\n";

static const struct kind {
    const char *name;
    cl_mem_object_type type;
    size_t region[3];
} kinds[] = {
    {"line", CL_MEM_OBJECT_IMAGE1D, {24, 1, 1}}, {"lines", CL_MEM_OBJECT_IMAGE1D_ARRAY, {4, 6, 1}},
    {"plane", CL_MEM_OBJECT_IMAGE2D, {4, 6, 1}}, {"planes", CL_MEM_OBJECT_IMAGE2D_ARRAY, {4, 3, 2}},
    {"room", CL_MEM_OBJECT_IMAGE3D, {4, 3, 2}},  {"row", CL_MEM_OBJECT_IMAGE1D_BUFFER, {24, 1, 1}},
};
enum { KINDS = sizeof kinds / sizeof *kinds, TEXELS = 24 };

static cl_mem new_image(const struct kind *kind, const cl_half *contents) {
    static const cl_image_format format = {CL_RGBA, CL_HALF_FLOAT};
    static const size_t nowhere[3] = {0, 0, 0};
    const bool lines = kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    cl_image_desc desc = {.image_type = kind->type,
                          .image_width = kind->region[0],
                          .image_height = lines ? 0 : kind->region[1],
                          .image_depth = kind->region[2],
                          .image_array_size = kind->region[lines ? 1 : 2]};
    cl_int error = CL_SUCCESS;
    if (kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        desc.mem_object = world_buffer(&world, 0, sizeof(cl_half) * 4 * TEXELS, NULL);
    cl_mem image = clCreateImage(world.context, 0, &format, &desc, NULL, &error);
    GOOD(error);
    if (desc.mem_object != NULL) GOOD(clReleaseMemObject(desc.mem_object));
    GOOD(clEnqueueWriteImage(world.queue, image, CL_TRUE, nowhere, kind->region, 0, 0, contents, 0, NULL, NULL));
    return image;
}

static void expect_image(const struct kind *kind, cl_mem image, const cl_half *contents, double factor) {
    static const size_t nowhere[3] = {0, 0, 0};
    cl_half got[4 * TEXELS];
    GOOD(clEnqueueReadImage(world.queue, image, CL_TRUE, nowhere, kind->region, 0, 0, got, 0, NULL, NULL));
    for (unsigned k = 0; k < 4 * TEXELS; k++) {
        const uint32_t wanted = half_of(number_of_half(contents[k]) * factor, FE_TONEAREST);
        cr_expect_eq(got[k], wanted, "%s times %g, place %u: %04x, not %04x", kind->name, factor, k, got[k], wanted);
    }
}

static void run_kernel(cl_program program, const char *what, const struct kind *kind, const cl_mem *memory,
                       unsigned count, const cl_sampler *sampler) {
    const size_t global = TEXELS;
    char name[32];
    cl_int error = CL_SUCCESS;
    cl_uint at = 0;
    snprintf(name, sizeof name, "%s_%s", what, kind->name);
    cl_kernel kernel = clCreateKernel(program, name, &error);
    GOOD(error);
    for (unsigned k = 0; k < count; k++) {
        if (k == 2) GOOD(clSetKernelArg(kernel, at++, sizeof *sampler, sampler));
        GOOD(clSetKernelArg(kernel, at++, sizeof memory[k], &memory[k]));
    }
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    GOOD(clReleaseKernel(kernel));
}

static void images_on(const char *device, const char *options, cl_filter_mode filter) {
    cl_half contents[4 * TEXELS];
    cl_int right[TEXELS], error = CL_SUCCESS;
    world_open(&world, device, 0);
    cl_program program = world_program(&world, image_source, options);
    cl_sampler sampler = clCreateSampler(world.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, filter, &error);
    GOOD(error);
    for (unsigned k = 0; k < 4 * TEXELS; k++)  // of all sizes, some below the normal range
        contents[k] = (cl_half)((k * 2657 + 11) % 0x7800 | (k & 1) << 15);
    for (size_t k = 0; k < KINDS; k++) {
        const cl_mem memory[3] = {new_image(&kinds[k], contents), new_image(&kinds[k], contents),
                                  world_buffer(&world, 0, sizeof right, NULL)};
        run_kernel(program, "on", &kinds[k], memory, 3, &sampler);
        GOOD(clEnqueueReadBuffer(world.queue, memory[2], CL_TRUE, 0, sizeof right, right, 0, NULL, NULL));
        for (unsigned i = 0; i < TEXELS; i++)
            cr_expect_eq(right[i], 1, "%s: texel %u with a sampler is not the float's", kinds[k].name, i);
        expect_image(&kinds[k], memory[1], contents, 2);
        if (strstr(options, "3.0") != NULL) {
            run_kernel(program, "change", &kinds[k], memory, 1, NULL);
            expect_image(&kinds[k], memory[0], contents, 0.5);
        }
        for (unsigned m = 0; m < 3; m++)
            GOOD(clReleaseMemObject(memory[m]));
    }
    GOOD(clReleaseSampler(sampler));
    GOOD(clReleaseProgram(program));
}

Test(halfs, images, .description = "CL-3 halfs to and from images of every kind, with samplers and without [model]") {
    images_on("model:full", "", CL_FILTER_LINEAR);
}
Test(halfs, images_written,
     .description = "CL-3 the same in OpenCL C 3.0, and images that are read and written [model]") {
    images_on("model:full", "-cl-std=CL3.0", CL_FILTER_NEAREST);
}

Test(halfs, refused, .description = "CL-3 halfs are no type where the program does not enable them [model]") {
    static const char *const wrong[] = {
        "__kernel void f(__global half *a) { half b = a[0]; a[1] = b; }",
        "__kernel void f(__global half *a, half b) { vstore_half((float)b, 0, a); }",
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n__kernel void f(__global half *a) { a[0] = a[1] << 1; }",
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "__kernel void f(write_only image2d_t a, half4 b) { write_imagef(a, (int2)(0, 0), b); half wrong = a; }",
    };
    char log[4096];
    world_open(&world, "model:small", 0);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        cl_int error = CL_SUCCESS;
        cl_program program = clCreateProgramWithSource(world.context, 1, (const char *[]){wrong[k]}, NULL, &error);
        GOOD(error);
        BAD(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, world.devices, "", NULL, NULL));
        GOOD(clGetProgramBuildInfo(program, world.devices[0], CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
        cr_expect(strstr(log, "half") != NULL, "%s", log);
        GOOD(clReleaseProgram(program));
    }
}
