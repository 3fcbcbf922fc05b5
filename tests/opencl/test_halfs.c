// Half precision as OpenCL programs see it: what devices say of it, arguments of kernels, versions of the language.
#include <fenv.h>
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

Test(halfs, refused, .description = "CL-3 halfs are no type where the program does not enable them [model]") {
    static const char *const wrong[] = {
        "__kernel void f(__global half *a) { half b = a[0]; a[1] = b; }",
        "__kernel void f(__global half *a, half b) { vstore_half((float)b, 0, a); }",
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n__kernel void f(__global half *a) { a[0] = a[1] << 1; }",
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
