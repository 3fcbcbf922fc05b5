// Kernels: asked, given arguments, launched.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/world.h"

static struct world world;

static void open_small(void) {
    world_open(&world, NULL, CL_QUEUE_PROFILING_ENABLE);
}
static void close_world(void) {
    world_close(&world);
}

TestSuite(kernels, .init = open_small, .fini = close_world);

static const char add[] =
    "__kernel void add(__global const float *a, __global const float *restrict b, __global float *c, float scale) {\n"
    "    size_t i = get_global_id(0);\n"
    "    c[i] = a[i] + scale * b[i];\n"
    "}\n";

enum { ITEMS = 256 };

static void run_add(cl_command_queue queue, struct world *in) {
    float a[ITEMS], b[ITEMS], c[ITEMS];
    const float scale = 0.5f;
    const size_t global = ITEMS;
    cl_event event = NULL;
    for (int k = 0; k < ITEMS; k++)
        a[k] = (float)k, b[k] = (float)(3 * k);
    cl_kernel kernel = world_kernel(in, add, "add");
    cl_mem ma = world_buffer(in, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof a, a);
    cl_mem mb = world_buffer(in, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof b, b);
    cl_mem mc = world_buffer(in, CL_MEM_WRITE_ONLY, sizeof c, NULL);
    GOOD(clSetKernelArg(kernel, 0, sizeof ma, &ma));
    GOOD(clSetKernelArg(kernel, 1, sizeof mb, &mb));
    GOOD(clSetKernelArg(kernel, 2, sizeof mc, &mc));
    GOOD(clSetKernelArg(kernel, 3, sizeof scale, &scale));
    GOOD(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
    // What is used stays until it was used.
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseMemObject(ma));
    GOOD(clReleaseMemObject(mb));
    GOOD(clEnqueueReadBuffer(queue, mc, CL_TRUE, 0, sizeof c, c, 0, NULL, NULL));
    for (int k = 0; k < ITEMS; k++)
        cr_assert_eq(c[k], a[k] + scale * b[k], "item %d: %g", k, (double)c[k]);
    GOOD(clReleaseMemObject(mc));
    GOOD(clReleaseEvent(event));
}

Test(kernels, add, .description = "CL-1 a kernel from source computes [model]") {
    run_add(world.queue, &world);
}

Test(alone, add_tandem, .description = "CL-1 the same program as a co-simulation [tandem]") {
    world_open(&world, "tandem:nano,mem=64", 0);
    run_add(world.queue, &world);
    world_close(&world);
}

Test(alone, add_rtl, .description = "CL-1 the same program on the hardware alone [rtl]") {
    world_open(&world, "rtl:nano,mem=64", 0);
    run_add(world.queue, &world);
    world_close(&world);
}

Test(alone, two_devices, .description = "CL-1 a buffer goes from device to device of its context [model]") {
    static const char source[] = "__kernel void inc(__global uint *p) { p[get_global_id(0)] += get_global_id(0) + 1; }";
    cl_int error = CL_SUCCESS;
    cl_uint numbers[64] = {0};
    const size_t global = 64;
    world_open(&world, "model:nano;model:full", 0);
    cr_assert_eq(world.count, 2);
    cl_command_queue other = clCreateCommandQueue(world.context, world.devices[1], 0, &error);
    cl_kernel kernel = world_kernel(&world, source, "inc");
    cl_mem memory = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    for (int lap = 0; lap < 3; lap++) {
        cl_event event = NULL;
        GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
        cl_event second = NULL;
        GOOD(clEnqueueNDRangeKernel(other, kernel, 1, NULL, &global, NULL, 1, &event, &second));
        GOOD(clWaitForEvents(1, &second));
        GOOD(clReleaseEvent(event));
        GOOD(clReleaseEvent(second));
    }
    GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (cl_uint k = 0; k < 64; k++)
        cr_assert_eq(numbers[k], 6 * (k + 1));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseCommandQueue(other));
    world_close(&world);
}

Test(kernels, arguments,
     .description = "CL-2 clSetKernelArg: the error of each bad argument; what was not set is told [model]") {
    static const char source[] =
        "__kernel void k(__global int *p, __local int *q, int4 v, __constant int *c) { q[get_local_id(0)] = v.x; "
        "barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] = q[0] + c[0]; }";
    cl_kernel kernel = world_kernel(&world, source, "k");
    cl_mem memory = world_buffer(&world, 0, 64, NULL), none = NULL;
    const cl_int value[4] = {1, 2, 3, 4};
    const size_t one = 1;
    BAD(CL_INVALID_KERNEL, clSetKernelArg(NULL, 0, sizeof memory, &memory));
    BAD(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 4, sizeof memory, &memory));
    BAD(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &memory));
    BAD(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof(cl_mem), &world.queue));
    BAD(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, 64, &memory));
    BAD(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, 0, NULL));
    BAD(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, sizeof value, NULL));
    BAD(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 12, value));
    BAD(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(kernel, 1, 64, NULL));
    GOOD(clSetKernelArg(kernel, 2, sizeof value, value));
    BAD(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    GOOD(clSetKernelArg(kernel, 3, sizeof none, &none));
    GOOD(clSetKernelArg(kernel, 3, sizeof memory, &memory));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    BAD(CL_INVALID_OPERATION, clSetKernelArgSVMPointer(kernel, 0, NULL));
    BAD(CL_INVALID_OPERATION, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
    GOOD(clFinish(world.queue));
    // A clone keeps its own arguments.
    cl_int error = CL_SUCCESS;
    cl_kernel clone = clCloneKernel(kernel, &error);
    GOOD(error);
    GOOD(clReleaseKernel(kernel));
    GOOD(clEnqueueNDRangeKernel(world.queue, clone, 1, NULL, &one, NULL, 0, NULL, NULL));
    GOOD(clReleaseKernel(clone));
    GOOD(clFinish(world.queue));
    GOOD(clReleaseMemObject(memory));
}

Test(kernels, local_memory,
     .description =
         "CL-2 a launch whose arguments and variables take more local memory than there is is refused when it "
         "is enqueued [model]") {
    static const char source[] =
        "__kernel void k(__global int *p, __local int *a, __local int *b) { __local int c[64]; size_t i = "
        "get_local_id(0); a[i] = b[i] = c[i] = 1; barrier(CLK_LOCAL_MEM_FENCE); p[i] = a[0] + b[0] + c[i ^ 1]; }";
    const size_t items = 32;
    cl_int back[32];
    cl_ulong bytes = 0;
    cl_kernel kernel = world_kernel(&world, source, "k");
    cl_mem memory = world_buffer(&world, 0, sizeof back, NULL);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    const size_t half = (size_t)bytes / 2;
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    BAD(CL_OUT_OF_RESOURCES, clSetKernelArg(kernel, 1, 2 * half + 4, NULL));
    GOOD(clSetKernelArg(kernel, 1, half, NULL));
    GOOD(clSetKernelArg(kernel, 2, half, NULL));
    BAD(CL_OUT_OF_RESOURCES, clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    GOOD(clSetKernelArg(kernel, 2, half - 256, NULL));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    for (unsigned k = 0; k < 32; k++)
        cr_expect_eq(back[k], 3);
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
}

Test(kernels, local_alignment,
     .description =
         "CL-2 local memory of arguments lies where vectors of their size must lie, all of it apart [model]") {
    static const char source[] =
        "__kernel void k(__global uint *p, __local char *a, __local short16 *b, __local char *c, __local ulong16 *d,"
        "                __local int8 *e) { __local char mine[3]; mine[get_local_id(0)] = 1; p[0] = (uint)mine;"
        "                p[1] = (uint)a; p[2] = (uint)b; p[3] = (uint)c; p[4] = (uint)d; p[5] = (uint)e; }";
    static const size_t sizes[] = {5, 3 * 32, 1, 256, 32};
    static const cl_uint alignments[] = {1, 32, 1, 128, 32};
    const size_t one = 1;
    cl_uint places[6], end;
    cl_kernel kernel = world_kernel(&world, source, "k");
    cl_mem memory = world_buffer(&world, 0, sizeof places, NULL);
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    for (cl_uint k = 0; k < 5; k++)
        GOOD(clSetKernelArg(kernel, k + 1, sizes[k], NULL));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof places, places, 0, NULL, NULL));
    end = places[0] + 3;
    for (cl_uint k = 0; k < 5; k++) {
        const cl_uint place = places[k + 1];
        cr_expect_eq(place % alignments[k], 0, "argument %u at 0x%x", k, place);
        cr_expect_geq(place, end, "argument %u at 0x%x, what is before it ends at 0x%x", k, place, end);
        end = place + (cl_uint)sizes[k];
    }
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
}

Test(kernels, variables_that_point,
     .description = "CL-2 variables that begin as addresses of others, of elements and of themselves [model]") {
    static const char source[] =
        "struct pair { uint x, y[3]; }; __global uint unused; __global uint a[4] = {5, 6, 7, 8};"
        "__global struct pair p = {9, {10, 11, 12}}; __global uint *to_a = &a[2]; __global uint *to_p = &p.y[1];"
        "uint *anywhere = &a[3]; __global uint *list[3] = {a, 0, &p.x}; __global void *self = &self;"
        "__global uint *end = a + 4; __global uint **second = &to_a;"
        "__kernel void k(__global uint *out) { out[0] = *to_a; out[1] = *to_p; out[2] = *anywhere; out[3] = *list[0];"
        "  out[4] = list[1] == 0; out[5] = *list[2]; out[6] = self == &self; out[7] = end == a + 4; out[8] = **second;"
        "  to_a = a; }";
    static const cl_uint wanted[2][9] = {{7, 11, 8, 5, 1, 9, 1, 1, 7}, {5, 11, 8, 5, 1, 9, 1, 1, 5}};
    const size_t one = 1;
    cl_uint got[9];
    cl_int error = CL_SUCCESS;
    cl_program program = world_program(&world, source, "-cl-std=CL3.0");
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    GOOD(error);
    cl_mem memory = world_buffer(&world, 0, sizeof got, NULL);
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    for (int turn = 0; turn < 2; turn++) {
        GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        for (int k = 0; k < 9; k++)
            cr_expect_eq(got[k], wanted[turn][k], "launch %d, word %d: %u", turn, k, got[k]);
    }
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseProgram(program));
}

Test(kernels, copies_of_doubles,
     .description = "CL-3 async copies, strided ones and prefetch of vectors of three doubles [model]") {
    enum { COUNT = 24, STRIDE = 3 };
    static const char source[] =
        "__kernel void k(__global const double3 *in, __global double3 *out, __local double3 *l) {"
        "  prefetch(in, 24);"
        "  event_t e = async_work_group_copy(l, in, 8, 0); wait_group_events(1, &e);"
        "  e = async_work_group_copy(out, l, 8, 0); wait_group_events(1, &e); barrier(CLK_LOCAL_MEM_FENCE);"
        "  e = async_work_group_strided_copy(l, in, 8, 3, 0); wait_group_events(1, &e);"
        "  e = async_work_group_strided_copy(out + 8, l, 8, 2, 0); wait_group_events(1, &e); }";
    const size_t items = 5;
    cl_double in[COUNT][4], out[COUNT][4];
    cl_kernel kernel = world_kernel(&world, source, "k");
    for (int k = 0; k < COUNT; k++)
        for (int i = 0; i < 4; i++) {
            in[k][i] = 0.1 * k + i;
            out[k][i] = -1;
        }
    cl_mem from = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof in, in);
    cl_mem to = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof out, out);
    GOOD(clSetKernelArg(kernel, 0, sizeof from, &from));
    GOOD(clSetKernelArg(kernel, 1, sizeof to, &to));
    GOOD(clSetKernelArg(kernel, 2, 8 * sizeof *in, NULL));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int k = 0; k < COUNT; k++) {
        const bool left = k >= 8 && k % 2 != 0;
        const int source_of = k < 8 ? k : STRIDE * ((k - 8) / 2);
        for (int i = 0; i < 3; i++)
            cr_expect_eq(out[k][i], left ? -1 : in[source_of][i], "element %d, %d: %g", k, i, out[k][i]);
    }
    GOOD(clReleaseMemObject(to));
    GOOD(clReleaseMemObject(from));
    GOOD(clReleaseKernel(kernel));
}

static void CL_CALLBACK count_gone(cl_mem memory, void *user) {
    (void)memory;
    ++*(cl_uint *)user;
}

Test(kernels, released,
     .description =
         "CL-2 a kernel keeps none of its arguments: a buffer that was released goes, and a launch with it is "
         "refused; a launch that was enqueued keeps it [model]") {
    static const char source[] = "__kernel void k(__global int *p) { p[get_global_id(0)] = 7; }";
    static cl_uint gone;
    const size_t one = 1;
    cl_int back = 0, error = CL_SUCCESS;
    cl_kernel kernel = world_kernel(&world, source, "k");
    cl_mem memory = world_buffer(&world, 0, 64, NULL), other = world_buffer(&world, 0, 64, NULL);
    GOOD(clSetMemObjectDestructorCallback(memory, count_gone, &gone));
    GOOD(clSetMemObjectDestructorCallback(other, count_gone, &gone));
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    cl_kernel clone = clCloneKernel(kernel, &error);
    GOOD(error);
    GOOD(clReleaseMemObject(memory));
    cr_expect_eq(gone, 1, "the kernel keeps the buffer");
    BAD(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    BAD(CL_INVALID_KERNEL_ARGS, clEnqueueTask(world.queue, clone, 0, NULL, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof memory, &memory));
    // What waits for its time keeps it; the kernel may go before.
    GOOD(clSetKernelArg(kernel, 0, sizeof other, &other));
    cl_event gate = clCreateUserEvent(world.context, &error);
    GOOD(error);
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &one, NULL, 1, &gate, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, other, CL_FALSE, 0, sizeof back, &back, 0, NULL, NULL));
    GOOD(clReleaseMemObject(other));
    GOOD(clReleaseKernel(kernel));
    cr_expect_eq(gone, 1, "the launch does not keep the buffer");
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    GOOD(clFinish(world.queue));
    cr_expect_eq(back, 7);
    cr_expect_eq(gone, 2);
    GOOD(clReleaseEvent(gate));
    GOOD(clReleaseKernel(clone));
}

Test(kernels, info, .description = "CL-2 what a kernel says of itself and of its arguments [model]") {
    static const char source[] =
        "__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void k(__global const uchar *restrict in,"
        " __local volatile float4 *tmp, __constant int *table, int number) { tmp[get_local_id(0)] = in[0]; }";
    char text[256];
    cl_uint number = 0;
    size_t sizes[3] = {0}, size = 0;
    cl_ulong bytes = 0;
    cl_kernel_arg_type_qualifier qualifier = 0;
    cl_int error = CL_SUCCESS;
    cl_kernel silent = world_kernel(&world, source, "k");
    BAD(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, clGetKernelArgInfo(silent, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    BAD(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(silent, 4, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    GOOD(clReleaseKernel(silent));
    cl_program program = world_program(&world, source, "-w -cl-kernel-arg-info");
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    GOOD(error);
    GOOD(clReleaseProgram(program));
    GOOD(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
    cr_expect_str_eq(text, "k");
    GOOD(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof number, &number, NULL));
    cr_expect_eq(number, 4);
    GOOD(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    cr_expect_str_eq(text, "in");
    GOOD(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
    cr_expect_str_eq(text, "uchar*");
    GOOD(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
    cr_expect_eq(qualifier, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT);
    GOOD(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
    cr_expect_eq(qualifier, CL_KERNEL_ARG_TYPE_VOLATILE);
    GOOD(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof number, &number, NULL));
    cr_expect_eq(number, CL_KERNEL_ARG_ADDRESS_LOCAL);
    GOOD(clGetKernelArgInfo(kernel, 2, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof number, &number, NULL));
    cr_expect_eq(number, CL_KERNEL_ARG_ADDRESS_CONSTANT);
    GOOD(clGetKernelArgInfo(kernel, 3, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof number, &number, NULL));
    cr_expect_eq(number, CL_KERNEL_ARG_ADDRESS_PRIVATE);
    BAD(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(kernel, 4, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    GOOD(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, NULL));
    cr_expect(sizes[0] == 8 && sizes[1] == 4 && sizes[2] == 1);
    GOOD(clGetKernelWorkGroupInfo(kernel, world.devices[0], CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
    cr_expect_eq(size, 1024);
    GOOD(clSetKernelArg(kernel, 1, 160, NULL));
    GOOD(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    cr_expect_eq(bytes, 160);
    BAD(CL_INVALID_VALUE,
        clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof sizes, sizes, NULL));
    GOOD(clReleaseKernel(kernel));
}

Test(kernels, attributes,
     .description = "CL-2 attributes of kernels, those that bind nothing too; none of binaries [model]") {
    static const struct {
        const char *source, *expected;
    } cases[] = {
        {"", ""},
        {"__attribute__((vec_type_hint(float)))", "vec_type_hint(float)"},
        {"__attribute__((vec_type_hint(double3)))", "vec_type_hint(double3)"},
        {"__attribute__((vec_type_hint(char16)))", "vec_type_hint(char16)"},
        {"__attribute__((vec_type_hint(uchar2)))", "vec_type_hint(uchar2)"},
        {"__attribute__((vec_type_hint(short8)))", "vec_type_hint(short8)"},
        {"__attribute__((vec_type_hint(ushort3)))", "vec_type_hint(ushort3)"},
        {"__attribute__((vec_type_hint(unsigned int)))", "vec_type_hint(uint)"},
        {"__attribute__((vec_type_hint(long)))", "vec_type_hint(long)"},
        {"__attribute__((vec_type_hint(ulong4)))", "vec_type_hint(ulong4)"},
        {"__attribute__((work_group_size_hint(16, 2, 1)))", "work_group_size_hint(16,2,1)"},
        {"__attribute__((vec_type_hint(int4))) __attribute__((reqd_work_group_size(8, 4, 2)))",
         "reqd_work_group_size(8,4,2) vec_type_hint(int4)"},
        {"__attribute__((reqd_work_group_size(8, 4, 2), work_group_size_hint(4294967295, 4294967295, 4294967295)))"
         "__attribute__((vec_type_hint(ushort16)))",
         "reqd_work_group_size(8,4,2) work_group_size_hint(4294967295,4294967295,4294967295) vec_type_hint(ushort16)"},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    char source[8192] = "", name[16], text[256];
    size_t size = 0, length = 0;
    for (size_t k = 0; k < CASES; k++)
        length +=
            (size_t)snprintf(source + length, sizeof source - length, "%s kernel void k%zu() {}\n", cases[k].source, k);
    cl_program program = world_program(&world, source, "");
    GOOD(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *binary = malloc(size);
    cr_assert_not_null(binary);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_int error = CL_SUCCESS;
    cl_program loaded = clCreateProgramWithBinary(world.context, 1, world.devices, &size,
                                                  &(const unsigned char *){binary}, NULL, &error);
    GOOD(error);
    GOOD(clBuildProgram(loaded, 0, NULL, "", NULL, NULL));
    for (size_t k = 0; k < CASES; k++)
        for (unsigned again = 0; again < 2; again++) {
            snprintf(name, sizeof name, "k%zu", k);
            cl_kernel kernel = clCreateKernel(again ? loaded : program, name, &error);
            GOOD(error);
            GOOD(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, &length));
            cr_expect_str_eq(text, again ? "" : cases[k].expected);
            cr_expect_eq(length, strlen(text) + 1);
            GOOD(clReleaseKernel(kernel));
        }
    GOOD(clReleaseProgram(loaded));
    GOOD(clReleaseProgram(program));
    free(binary);
}

Test(kernels, trailing_zeros,
     .description = "CL-2 OpenCL C 2.0's ctz of every type and length: each bit alone, with others above, 0 [model]") {
    static const struct {
        const char *type;
        unsigned bits;
    } types[] = {{"char", 8}, {"uchar", 8}, {"short", 16}, {"ushort", 16},
                 {"int", 32}, {"uint", 32}, {"long", 64},  {"ulong", 64}};
    enum { TYPES = sizeof types / sizeof *types, FORMS = 6, NUMBERS = 2 * 64 + 1 };
    static const unsigned lengths[FORMS] = {1, 2, 3, 4, 8, 16};
    char source[8192] = "";
    size_t length = 0;
    for (unsigned t = 0; t < TYPES; t++) {
        const char *type = types[t].type;
        length += (size_t)snprintf(source + length, sizeof source - length,
                                   "kernel void k%u(global const ulong *in, global ulong *out) {\n"
                                   "size_t i = get_global_id(0); %s x = (%s)in[i]; out[6 * i] = (ulong)ctz(x);\n",
                                   t, type, type);
        // The last element of a vector whose others are 0.
        for (unsigned f = 1; f < FORMS; f++)
            length +=
                (size_t)snprintf(source + length, sizeof source - length,
                                 "{ %s%u v = 0; v.s%x = x; v = ctz(v); out[6 * i + %u] = v.s0 == %u ? v.s%x : 99; }\n",
                                 type, lengths[f], lengths[f] - 1, f, types[t].bits, lengths[f] - 1);
        length += (size_t)snprintf(source + length, sizeof source - length, "}\n");
    }
    cl_ulong in[NUMBERS] = {0}, out[NUMBERS * FORMS];
    for (unsigned k = 0; k < 64; k++) {
        in[2 * k] = (cl_ulong)1 << k;
        in[2 * k + 1] = ~(cl_ulong)0 << k;
    }
    const size_t count = NUMBERS;
    cl_int error = CL_SUCCESS;
    cl_program program = world_program(&world, source, "-cl-std=CL3.0");
    cl_mem from = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof in, in),
           to = world_buffer(&world, 0, sizeof out, NULL);
    for (unsigned t = 0; t < TYPES; t++) {
        char name[8];
        snprintf(name, sizeof name, "k%u", t);
        cl_kernel kernel = clCreateKernel(program, name, &error);
        GOOD(error);
        GOOD(clSetKernelArg(kernel, 0, sizeof from, &from));
        GOOD(clSetKernelArg(kernel, 1, sizeof to, &to));
        GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(world.queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
        for (unsigned k = 0; k < NUMBERS * FORMS; k++) {
            const unsigned bit = k / FORMS / 2, expected = bit < types[t].bits ? bit : types[t].bits;
            cr_expect_eq(out[k], expected, "%s%u of %llx: %llu, not %u", types[t].type, lengths[k % FORMS],
                         (unsigned long long)in[k / FORMS], (unsigned long long)out[k], expected);
        }
        GOOD(clReleaseKernel(kernel));
    }
    GOOD(clReleaseMemObject(from));
    GOOD(clReleaseMemObject(to));
    GOOD(clReleaseProgram(program));
}

Test(kernels, ranges,
     .description =
         "CL-2 clEnqueueNDRangeKernel: the error of each bad size; offsets and dimensions reach the kernel [model]") {
    static const char source[] =
        "__kernel void k(__global uint *p) { uint at = get_global_id(0) - get_global_offset(0) + get_global_size(0) * "
        "(get_global_id(1) - get_global_offset(1)); p[at] = get_global_id(0) + 1000 * get_global_id(1); }";
    cl_uint numbers[6 * 5];
    cl_kernel kernel = world_kernel(&world, source, "k");
    cl_mem memory = world_buffer(&world, 0, sizeof numbers, NULL);
    const size_t global[3] = {6, 5, 1}, offset[3] = {10, 20, 0}, local[3] = {3, 5, 1}, odd[3] = {4, 5, 1};
    const size_t large[3] = {2048, 1, 1}, much[3] = {2048, 5, 1}, zero[3] = {6, 0, 1},
                 huge[3] = {(size_t)1 << 33, 1, 1};
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 2, offset, global, local, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (cl_uint y = 0; y < 5; y++)
        for (cl_uint x = 0; x < 6; x++)
            cr_assert_eq(numbers[y * 6 + x], x + 10 + 1000 * (y + 20));
    BAD(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(world.queue, kernel, 0, NULL, global, NULL, 0, NULL, NULL));
    BAD(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(world.queue, kernel, 4, NULL, global, NULL, 0, NULL, NULL));
    BAD(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(world.queue, kernel, 2, NULL, global, odd, 0, NULL, NULL));
    BAD(CL_INVALID_WORK_ITEM_SIZE, clEnqueueNDRangeKernel(world.queue, kernel, 2, NULL, much, large, 0, NULL, NULL));
    BAD(CL_INVALID_GLOBAL_WORK_SIZE, clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, huge, NULL, 0, NULL, NULL));
    BAD(CL_INVALID_GLOBAL_OFFSET, clEnqueueNDRangeKernel(world.queue, kernel, 1, huge, global, NULL, 0, NULL, NULL));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 2, NULL, zero, NULL, 0, NULL, NULL));
    BAD(CL_INVALID_KERNEL, clEnqueueNDRangeKernel(world.queue, NULL, 1, NULL, global, NULL, 0, NULL, NULL));
    BAD(CL_INVALID_COMMAND_QUEUE, clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, global, NULL, 0, NULL, NULL));
    GOOD(clFinish(world.queue));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
}

Test(kernels, large_groups,
     .description = "CL-2 groups larger than what is resident: what kernels tell, what runs, what is refused [model]") {
    static const char source[] =
        "__kernel void turned(__global uint *p) { __local uint w[1024]; uint me = get_local_id(0); w[me] = me * 3;"
        "    barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] = w[get_local_size(0) - 1 - me]; }";
    static const char others[] =
        "__global uint seen; __kernel void counts(__global uint *p) { p[get_global_id(0)] = atomic_inc(&seen); }"
        "__kernel void makes(__global uint *p) { if (get_global_id(0) == 0) enqueue_kernel(get_default_queue(),"
        "    CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ p[0] = 1; }); }";
    static cl_uint numbers[2048];
    static bool seen[4096];
    const size_t global = 2048, most = 1024, more = 2048, resident = 128, two = 256;
    size_t size = 0;
    cl_int error = CL_SUCCESS;
    cl_program program = world_program(&world, others, "-cl-std=CL3.0");
    cl_kernel kernel = world_kernel(&world, source, "turned"), other = clCreateKernel(program, "counts", &error);
    GOOD(error);
    cl_kernel makes = clCreateKernel(program, "makes", &error);
    GOOD(error);
    cl_mem memory = world_buffer(&world, 0, sizeof numbers, NULL);
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(other, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(makes, 0, sizeof memory, &memory));
    GOOD(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
    cr_expect_eq(size, most);
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &global, &most, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (cl_uint k = 0; k < global; k++)
        cr_assert_eq(numbers[k], (most - 1 - k % most) * 3);
    BAD(CL_INVALID_WORK_ITEM_SIZE, clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &global, &more, 0, NULL, NULL));
    // One variable for both forms: each number comes once.
    GOOD(clGetKernelWorkGroupInfo(other, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
    cr_expect_eq(size, most);
    for (int k = 0; k < 2; k++) {
        const size_t *local = k == 0 ? &two : &resident;
        GOOD(clEnqueueNDRangeKernel(world.queue, other, 1, NULL, &global, local, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
        for (cl_uint i = 0; i < global; i++) {
            cr_assert(numbers[i] < 4096 && !seen[numbers[i]], "groups of %zu, work-item %u: %u", *local, i, numbers[i]);
            seen[numbers[i]] = true;
        }
    }
    GOOD(clGetKernelWorkGroupInfo(makes, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
    cr_expect_leq(size, resident);
    BAD(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(world.queue, makes, 1, NULL, &global, &two, 0, NULL, NULL));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(makes));
    GOOD(clReleaseKernel(other));
    GOOD(clReleaseProgram(program));
    GOOD(clReleaseKernel(kernel));
}

Test(kernels, linear_ids,
     .description = "CL-2 get_global_linear_id and get_local_linear_id in three dimensions, with an offset [model]") {
    static const char source[] =
        "__kernel void k(__global uint *p) { p[get_global_linear_id()] = 1000 * get_local_linear_id() + "
        "get_global_id(0) + 10 * get_global_id(1) + 100 * get_global_id(2); }";
    cl_int error = CL_SUCCESS;
    cl_uint numbers[4 * 4 * 2], at = 0;
    const size_t global[3] = {4, 4, 2}, local[3] = {2, 2, 1}, offset[3] = {3, 2, 1};
    cl_program program = world_program(&world, source, "-cl-std=CL3.0");
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    cl_mem memory = world_buffer(&world, 0, sizeof numbers, NULL);
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 3, offset, global, local, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (cl_uint z = 0; z < 2; z++)
        for (cl_uint y = 0; y < 4; y++)
            for (cl_uint x = 0; x < 4; x++, at++)
                cr_assert_eq(numbers[at], 1000 * (x % 2 + 2 * (y % 2)) + x + 3 + 10 * (y + 2) + 100 * (z + 1));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseProgram(program));
}
