// A host program in C as any book has it: the first device, a kernel from source, a result.
// client: computes. client forever: launches a kernel that never ends, and waits. client leave: launches it and ends.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

#define MUST(call)                                                \
    do {                                                          \
        const cl_int error_ = (call);                             \
        if (error_ != CL_SUCCESS) {                               \
            fprintf(stderr, "%s gives %d\n", #call, (int)error_); \
            return 1;                                             \
        }                                                         \
    } while (0)

static const char source[] =
    "__kernel void square(__global const int *in, __global int *out) {\n"
    "    size_t i = get_global_id(0);\n"
    "    out[i] = in[i] * in[i];\n"
    "}\n"
    "__kernel void forever(__global volatile int *in, __global int *out) { while (in[0] == 0) out[0] = in[0]; }\n";

enum { ITEMS = 200 };

int main(int argc, char **argv) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int error = CL_SUCCESS, in[ITEMS], out[ITEMS];
    const size_t items = ITEMS, one = 1;
    const char *text = source;
    MUST(clGetPlatformIDs(1, &platform, NULL));
    MUST(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    MUST(error);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    MUST(error);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    MUST(error);
    MUST(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL));
    for (int k = 0; k < ITEMS; k++)
        in[k] = k;
    cl_mem from = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof in, in, &error);
    MUST(error);
    cl_mem to = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof out, NULL, &error);
    MUST(error);
    cl_kernel kernel = clCreateKernel(program, argc > 1 ? "forever" : "square", &error);
    MUST(error);
    MUST(clSetKernelArg(kernel, 0, sizeof from, &from));
    MUST(clSetKernelArg(kernel, 1, sizeof to, &to));
    MUST(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, argc > 1 ? &one : &items, NULL, 0, NULL, NULL));
    if (argc > 1) {
        MUST(clFlush(queue));
        printf("launched\n");
        fflush(stdout);
        if (strcmp(argv[1], "leave") == 0) return 0;
        MUST(clFinish(queue));
    }
    MUST(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int k = 0; k < ITEMS; k++) {
        if (out[k] == k * k) continue;
        fprintf(stderr, "item %d is %d\n", k, (int)out[k]);
        return 1;
    }
    MUST(clReleaseKernel(kernel));
    MUST(clReleaseMemObject(from));
    MUST(clReleaseMemObject(to));
    MUST(clReleaseProgram(program));
    MUST(clReleaseCommandQueue(queue));
    MUST(clReleaseContext(context));
    printf("ok\n");
    return 0;
}
