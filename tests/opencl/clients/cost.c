// What the OpenCL runtime costs the host: launches, copies, compiles. Through the loader; TANDEM_DEVICES says on what.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LAUNCHES = 2000, COPIES = 50, COPY_BYTES = 4 << 20, COMPILES = 10 };

static const char source[] =
    "__kernel void nothing(__global int *p) { p[get_global_id(0)] = 1; }\n"
    "__kernel void sums(__global const float *in, __global float *out, int n) {\n"
    "    float s = 0;\n"
    "    for (int k = 0; k < n; k++) s += native_sin(in[k]) * in[(k * 7) % n];\n"
    "    out[get_global_id(0)] = s;\n"
    "}\n";

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void must(cl_int error, const char *what) {
    if (error == CL_SUCCESS) return;
    fprintf(stderr, "%s gives %d\n", what, (int)error);
    exit(1);
}
#define MUST(call) must((call), #call)

static cl_program build(cl_context context, int number) {
    char options[64];
    const char *text = source;
    cl_int error = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    must(error, "clCreateProgramWithSource");
    snprintf(options, sizeof options, "-DNUMBER=%d", number);
    MUST(clBuildProgram(program, 0, NULL, options, NULL, NULL));
    return program;
}

static void launches(cl_command_queue queue, cl_kernel kernel, int blocking) {
    const size_t items = 64;
    const double start = now();
    for (int k = 0; k < LAUNCHES; k++) {
        MUST(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
        if (blocking) MUST(clFinish(queue));
    }
    MUST(clFinish(queue));
    printf("%-42s %8.1f us\n", blocking ? "a launch and its end" : "a launch of many in a row",
           (now() - start) * 1e6 / LAUNCHES);
}

static void copies(cl_context context, cl_command_queue queue) {
    cl_int error = CL_SUCCESS;
    char *bytes = calloc(1, COPY_BYTES);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, COPY_BYTES, NULL, &error);
    must(error, "clCreateBuffer");
    double start = now();
    for (int k = 0; k < COPIES; k++)
        MUST(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, COPY_BYTES, bytes, 0, NULL, NULL));
    printf("%-42s %8.0f MB/s\n", "to the device, 4 MiB at a time", COPIES * (double)COPY_BYTES / (now() - start) / 1e6);
    start = now();
    for (int k = 0; k < COPIES; k++)
        MUST(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, COPY_BYTES, bytes, 0, NULL, NULL));
    printf("%-42s %8.0f MB/s\n", "from the device", COPIES * (double)COPY_BYTES / (now() - start) / 1e6);
    free(bytes);
    MUST(clReleaseMemObject(memory));
}

int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int error = CL_SUCCESS;
    char name[128];
    MUST(clGetPlatformIDs(1, &platform, NULL));
    MUST(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    MUST(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    must(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    must(error, "clCreateCommandQueueWithProperties");
    printf("%s\n", name);
    double start = now();
    for (int k = 0; k < COMPILES; k++)
        MUST(clReleaseProgram(build(context, k)));
    printf("%-42s %8.1f ms\n", "clBuildProgram, two kernels, cold", (now() - start) * 1e3 / COMPILES);
    start = now();
    for (int k = 0; k < COMPILES; k++)
        MUST(clReleaseProgram(build(context, k)));
    printf("%-42s %8.1f ms\n", getenv("TANDEM_CACHE") ? "the same, from TANDEM_CACHE" : "the same, again",
           (now() - start) * 1e3 / COMPILES);
    cl_program program = build(context, 0);
    cl_kernel kernel = clCreateKernel(program, "nothing", &error);
    must(error, "clCreateKernel");
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error);
    must(error, "clCreateBuffer");
    MUST(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    launches(queue, kernel, 1);
    launches(queue, kernel, 0);
    copies(context, queue);
    MUST(clReleaseMemObject(memory));
    MUST(clReleaseKernel(kernel));
    MUST(clReleaseProgram(program));
    MUST(clReleaseCommandQueue(queue));
    MUST(clReleaseContext(context));
    return 0;
}
