// Programs: built, refused, linked, kept as binaries and in TANDEM_CACHE.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opencl/world.h"

static struct world world;

static void open_small(void) {
    world_open(&world, NULL, 0);
}
static void close_world(void) {
    world_close(&world);
}

TestSuite(program_objects, .init = open_small, .fini = close_world);

static const char add[] =
    "__kernel void add(__global const float *a, __global float *c) {\n"
    "    c[get_global_id(0)] += a[get_global_id(0)];\n"
    "}\n";

Test(program_objects, log,
     .description = "CL-2 a build that fails says file, line and reason; what was wrong is refused [model]") {
    const char *source = "__kernel void k(__global int *p) {\n    p[0] = nothing;\n}\n";
    char log[2048];
    cl_int error = CL_SUCCESS;
    cl_build_status status = CL_BUILD_NONE;
    cl_program program = clCreateProgramWithSource(world.context, 1, &source, NULL, &error);
    GOOD(error);
    BAD(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    GOOD(clGetProgramBuildInfo(program, world.devices[0], CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    cr_expect_not_null(strstr(log, "program.cl:2:12: error: use of undeclared identifier 'nothing'"), "%s", log);
    GOOD(clGetProgramBuildInfo(program, world.devices[0], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    cr_expect_eq(status, CL_BUILD_ERROR);
    cr_expect_null(clCreateKernel(program, "k", &error));
    BAD(CL_INVALID_PROGRAM_EXECUTABLE, error);
    GOOD(clBuildProgram(program, 0, NULL, "-Dnothing=3 -cl-fast-relaxed-math -cl-kernel-arg-info -w", NULL, NULL));
    BAD(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-no-such-option", NULL, NULL));
    BAD(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-D", NULL, NULL));
    BAD(CL_INVALID_VALUE, clBuildProgram(program, 1, NULL, "", NULL, NULL));
    BAD(CL_INVALID_VALUE, clBuildProgram(program, 0, NULL, "", NULL, &world));
    BAD(CL_INVALID_PROGRAM, clBuildProgram(NULL, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    GOOD(error);
    BAD(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, "-Dnothing=4", NULL, NULL));
    cr_expect_null(clCreateKernel(program, "other", &error));
    BAD(CL_INVALID_KERNEL_NAME, error);
    cr_expect_null(clCreateKernel(program, NULL, &error));
    BAD(CL_INVALID_VALUE, error);
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseProgram(program));
    source = NULL;
    cr_expect_null(clCreateProgramWithSource(world.context, 1, &source, NULL, &error));
    BAD(CL_INVALID_VALUE, error);
}

Test(program_objects, standards,
     .description = "CL-2 every -cl-std of the device, a byte order mark, -include [model]") {
    static const char *const standards[] = {"-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"};
    static const char source[] = "\xEF\xBB\xBF__kernel void k(__global int *p) { p[0] = __OPENCL_C_VERSION__; }";
    for (size_t k = 0; k < sizeof standards / sizeof *standards; k++) {
        cl_program program = world_program(&world, source, standards[k]);
        GOOD(clReleaseProgram(program));
    }
}

Test(program_objects, binaries,
     .description = "CL-2 binaries load again and run; damaged ones and those of another version do not [model]") {
    cl_int error = CL_SUCCESS, status = CL_SUCCESS;
    size_t size = 0;
    cl_program first = world_program(&world, add, "-Dx=1");
    GOOD(clGetProgramInfo(first, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size);
    GOOD(clGetProgramInfo(first, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    GOOD(clReleaseProgram(first));
    const unsigned char *const_bytes = bytes;
    cl_program program =
        clCreateProgramWithBinary(world.context, 1, world.devices, &size, &const_bytes, &status, &error);
    GOOD(error);
    GOOD(status);
    for (int built = 0; built < 2; built++) {  // many programs do not build it
        char text[8];
        cl_kernel kernel = clCreateKernel(program, "add", &error);
        GOOD(error);
        BAD(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
            clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
        GOOD(clReleaseKernel(kernel));
        GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    }
    GOOD(clReleaseProgram(program));
    size_t changed[] = {0, 8, 16, size / 2, size - 1};
    for (size_t k = 0; k < sizeof changed / sizeof *changed; k++) {
        bytes[changed[k]] ^= 0x40;
        cr_expect_null(
            clCreateProgramWithBinary(world.context, 1, world.devices, &size, &const_bytes, &status, &error));
        BAD(CL_INVALID_BINARY, error);
        BAD(CL_INVALID_BINARY, status);
        bytes[changed[k]] ^= 0x40;
    }
    size--;
    cr_expect_null(clCreateProgramWithBinary(world.context, 1, world.devices, &size, &const_bytes, &status, &error));
    BAD(CL_INVALID_BINARY, error);
    size = 0;
    cr_expect_null(clCreateProgramWithBinary(world.context, 1, world.devices, &size, &const_bytes, &status, &error));
    BAD(CL_INVALID_VALUE, error);
    free(bytes);
}

Test(program_objects, none, .description = "CL-2 sources without a kernel build, and have none [model]") {
    static const char *const sources[] = {"", "\n", "int f(int x) { return x; }", "__constant int table[2] = {1, 2};"};
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        cl_int error = CL_SUCCESS;
        cl_uint count = 9;
        size_t size = 9;
        cl_program program = world_program(&world, sources[k], NULL);
        GOOD(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof size, &size, NULL));
        cr_expect_eq(size, 0);
        GOOD(clCreateKernelsInProgram(program, 0, NULL, &count));
        cr_expect_eq(count, 0);
        cr_expect_null(clCreateKernel(program, "f", &error));
        BAD(CL_INVALID_KERNEL_NAME, error);
        GOOD(clReleaseProgram(program));
    }
}

Test(program_objects, linked, .description = "CL-2 clCompileProgram with headers, clLinkProgram, libraries [model]") {
    const char *main_source = "#include \"lib/part.h\"\n__kernel void k(__global int *p) { p[0] = part(p[0]); }";
    const char *part_source = "int part(int x) { return 3 * x + 1; }";
    const char *header_source = "int part(int x);";
    const char *names[] = {"lib/part.h"}, *outside[] = {"../part.h"};
    const size_t one = 1;
    cl_int error = CL_SUCCESS, number = 5;
    cl_program main_program = clCreateProgramWithSource(world.context, 1, &main_source, NULL, &error);
    cl_program part = clCreateProgramWithSource(world.context, 1, &part_source, NULL, &error);
    cl_program header = clCreateProgramWithSource(world.context, 1, &header_source, NULL, &error);
    BAD(CL_COMPILE_PROGRAM_FAILURE, clCompileProgram(main_program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    BAD(CL_INVALID_VALUE, clCompileProgram(main_program, 0, NULL, NULL, 1, &header, NULL, NULL, NULL));
    BAD(CL_INVALID_VALUE, clCompileProgram(main_program, 0, NULL, NULL, 1, &header, outside, NULL, NULL));
    BAD(CL_INVALID_COMPILER_OPTIONS, clCompileProgram(part, 0, NULL, "-create-library", 0, NULL, NULL, NULL, NULL));
    GOOD(clCompileProgram(main_program, 0, NULL, NULL, 1, &header, names, NULL, NULL));
    cl_program parts[] = {main_program, part};
    cr_expect_null(clLinkProgram(world.context, 0, NULL, NULL, 2, parts, NULL, NULL, &error));
    BAD(CL_INVALID_OPERATION, error);
    GOOD(clCompileProgram(part, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    cl_program library = clLinkProgram(world.context, 0, NULL, "-create-library", 1, &part, NULL, NULL, &error);
    GOOD(error);
    cl_program_binary_type type = 0;
    GOOD(clGetProgramBuildInfo(library, world.devices[0], CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    cr_expect_eq(type, CL_PROGRAM_BINARY_TYPE_LIBRARY);
    parts[1] = library;
    cl_program linked = clLinkProgram(world.context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
    GOOD(error);
    cl_kernel kernel = clCreateKernel(linked, "k", &error);
    GOOD(error);
    cl_mem memory = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof number, &number);
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof number, &number, 0, NULL, NULL));
    cr_expect_eq(number, 16);
    // A part that is missing is told by its name.
    cl_program alone = clLinkProgram(world.context, 0, NULL, NULL, 1, &main_program, NULL, NULL, &error);
    BAD(CL_LINK_PROGRAM_FAILURE, error);
    char log[1024] = "";
    GOOD(clGetProgramBuildInfo(alone, world.devices[0], CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    cr_expect_not_null(strstr(log, "part"), "%s", log);
    GOOD(clReleaseProgram(alone));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseProgram(linked));
    GOOD(clReleaseProgram(library));
    GOOD(clReleaseProgram(header));
    GOOD(clReleaseProgram(part));
    GOOD(clReleaseProgram(main_program));
}

Test(program_objects, names, .description = "CL-2 all kernels of a program at once, and their names [model]") {
    char text[64];
    cl_uint count = 0;
    size_t number = 0;
    cl_kernel kernels[2];
    cl_program program = world_program(&world, "__kernel void a(void) {} __kernel void b(void) {}", NULL);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof number, &number, NULL));
    cr_expect_eq(number, 2);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    cr_expect_str_eq(text, "a;b");
    BAD(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 1, kernels, &count));
    GOOD(clCreateKernelsInProgram(program, 2, kernels, &count));
    cr_expect_eq(count, 2);
    GOOD(clEnqueueTask(world.queue, kernels[1], 0, NULL, NULL));
    GOOD(clFinish(world.queue));
    GOOD(clReleaseKernel(kernels[0]));
    GOOD(clReleaseKernel(kernels[1]));
    GOOD(clReleaseProgram(program));
}

static size_t files_in(const char *folder) {
    size_t count = 0;
    DIR *opened = opendir(folder);
    for (struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;)
        count += entry->d_name[0] != '.';
    if (opened != NULL) closedir(opened);
    return count;
}

static cl_int built_value(struct world *in, const char *options) {
    cl_int error = CL_SUCCESS, value = 0;
    const size_t one = 1;
    cl_program program = world_program(in, "__kernel void k(__global int *p) { p[0] = VALUE; }", options);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    cl_mem memory = world_buffer(in, 0, sizeof value, NULL);
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    GOOD(clEnqueueNDRangeKernel(in->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(in->queue, memory, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseProgram(program));
    return value;
}

Test(program_objects, cache,
     .description =
         "CL-2 TANDEM_CACHE keeps what was compiled, and finds it by source and options; a damaged file is none "
         "[model]") {
    char folder[] = "/tmp/tandem-cache-XXXXXX", path[512] = "";
    cr_assert_not_null(mkdtemp(folder));
    setenv("TANDEM_CACHE", folder, 1);
    cr_expect_eq(built_value(&world, "-DVALUE=3"), 3);
    cr_expect_eq(files_in(folder), 1);
    cr_expect_eq(built_value(&world, "-DVALUE=3"), 3);
    cr_expect_eq(files_in(folder), 1);
    cr_expect_eq(built_value(&world, "-DVALUE=4"), 4);
    cr_expect_eq(files_in(folder), 2);
    int lap = 0;  // one file's key is damaged, the other one's code
    DIR *opened = opendir(folder);
    for (struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "r+");
        cr_assert_not_null(file);
        fseek(file, lap == 0 ? 60 : -60, lap == 0 ? SEEK_SET : SEEK_END);
        lap++;
        fputs("damage", file);
        fclose(file);
    }
    closedir(opened);
    cr_expect_eq(built_value(&world, "-DVALUE=3"), 3);
    cr_expect_eq(built_value(&world, "-DVALUE=4"), 4);
    // No room: the files go.
    setenv("TANDEM_CACHE_MIB", "0", 1);
    cr_expect_eq(built_value(&world, "-DVALUE=5"), 5);
    cr_expect_eq(files_in(folder), 0);
    cr_expect_eq(rmdir(folder), 0);
}
