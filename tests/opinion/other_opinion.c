// Any OpenCL 1.2 platform that the ICD loader finds; PoCL on Debian.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opinion.h"

struct other {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    char name[256];
};

struct other *other_open(char *error, size_t error_size) {
    // For PoCL: one thread is enough for so few work-items.
    (void)setenv("POCL_MAX_PTHREAD_COUNT", "1", 0);
    struct other *other = calloc(1, sizeof *other);
    cl_platform_id platform = NULL;
    cl_uint count = 0;
    cl_int code = other != NULL ? clGetPlatformIDs(1, &platform, &count) : CL_OUT_OF_HOST_MEMORY;
    if (code == CL_SUCCESS && count > 0) code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &other->device, NULL);
    if (code != CL_SUCCESS || count == 0) {
        snprintf(error, error_size, "no OpenCL implementation on this machine (error %d); install pocl-opencl-icd",
                 code);
        free(other);
        return NULL;
    }
    (void)clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof other->name, other->name, NULL);
    other->context = clCreateContext(NULL, 1, &other->device, NULL, NULL, &code);
    if (code == CL_SUCCESS) other->queue = clCreateCommandQueue(other->context, other->device, 0, &code);
    if (code == CL_SUCCESS) return other;
    snprintf(error, error_size, "%s: no context or queue (error %d)", other->name, code);
    if (other->context != NULL) (void)clReleaseContext(other->context);
    free(other);
    return NULL;
}

const char *other_name(const struct other *other) {
    return other->name;
}

void other_close(struct other *other) {
    if (other == NULL) return;
    (void)clReleaseCommandQueue(other->queue);
    (void)clReleaseContext(other->context);
    free(other);
}

struct other_program {
    struct other *other;
    cl_program program;
};

struct other_program *other_build(struct other *other, const char *text, const char *options, char *error,
                                  size_t error_size) {
    cl_int code = CL_SUCCESS;
    struct other_program *built = calloc(1, sizeof *built);
    if (built == NULL) {
        snprintf(error, error_size, "no memory");
        return NULL;
    }
    error[0] = '\0';
    built->other = other;
    built->program = clCreateProgramWithSource(other->context, 1, (const char **)&text, NULL, &code);
    if (code == CL_SUCCESS) code = clBuildProgram(built->program, 1, &other->device, options, NULL, NULL);
    if (code == CL_SUCCESS) return built;
    if (built->program != NULL)
        (void)clGetProgramBuildInfo(built->program, other->device, CL_PROGRAM_BUILD_LOG, error_size, error, NULL);
    if (error[0] == '\0') snprintf(error, error_size, "%s: error %d", other->name, code);
    other_free(built);
    return NULL;
}

void other_free(struct other_program *program) {
    if (program == NULL) return;
    if (program->program != NULL) (void)clReleaseProgram(program->program);
    free(program);
}

bool other_run(struct other_program *program, const struct opinion_job *job, char *error, size_t error_size) {
    const struct other *other = program->other;
    const size_t in_bytes = 4 * job->in_words, out_bytes = 4 * job->out_words;
    const size_t global[3] = {job->global[0], job->global[1], job->global[2]};
    const size_t local[3] = {job->local[0], job->local[1], job->local[2]};
    cl_int code = CL_SUCCESS, made = CL_SUCCESS;
    memset(job->out, 0, out_bytes);
    cl_kernel kernel = clCreateKernel(program->program, job->name, &code);
    // The other side gets a copy: a kernel that writes to its input must not spoil it for the next.
    cl_mem in =
        clCreateBuffer(other->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, in_bytes, (void *)job->in, &made);
    if (code == CL_SUCCESS) code = made;
    cl_mem out = clCreateBuffer(other->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, out_bytes, job->out, &made);
    if (code == CL_SUCCESS) code = made;
    if (code == CL_SUCCESS) code = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (code == CL_SUCCESS) code = clSetKernelArg(kernel, 1, sizeof out, &out);
    if (code == CL_SUCCESS) code = clSetKernelArg(kernel, 2, sizeof job->n, &job->n);
    if (code == CL_SUCCESS && job->local_bytes > 0) code = clSetKernelArg(kernel, 3, job->local_bytes, NULL);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(other->queue, kernel, job->dimensions, NULL, global, local, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(other->queue, out, CL_TRUE, 0, out_bytes, job->out, 0, NULL, NULL);
    if (out != NULL) (void)clReleaseMemObject(out);
    if (in != NULL) (void)clReleaseMemObject(in);
    if (kernel != NULL) (void)clReleaseKernel(kernel);
    if (code != CL_SUCCESS) snprintf(error, error_size, "%s: error %d", other->name, code);
    return code == CL_SUCCESS;
}
