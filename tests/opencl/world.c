#include "opencl/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void CL_CALLBACK tell(const char *text, const void *info, size_t size, void *data) {
    struct world *world = data;
    (void)info, (void)size;
    snprintf(world->told, sizeof world->told, "%s", text);
    world->tells++;
}

void world_open(struct world *world, const char *devices, cl_command_queue_properties flags) {
    cl_int error = CL_SUCCESS;
    *world = (struct world){.count = 0};
    setenv("TANDEM_DEVICES", devices != NULL ? devices : "model:small", 1);
    GOOD(clGetPlatformIDs(1, &world->platform, NULL));
    GOOD(clGetDeviceIDs(world->platform, CL_DEVICE_TYPE_ALL, WORLD_DEVICES, world->devices, &world->count));
    world->context = clCreateContext(NULL, world->count, world->devices, tell, world, &error);
    GOOD(error);
    world->queue = clCreateCommandQueue(world->context, world->devices[0], flags, &error);
    GOOD(error);
}

void world_close(struct world *world) {
    GOOD(clReleaseCommandQueue(world->queue));
    GOOD(clReleaseContext(world->context));
}

cl_program world_program(struct world *world, const char *source, const char *options) {
    cl_int error = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(world->context, 1, &source, NULL, &error);
    GOOD(error);
    error = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    if (error != CL_SUCCESS) {
        char log[4096] = "";
        clGetProgramBuildInfo(program, world->devices[0], CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        cr_assert_fail("the program does not build: %s", log);
    }
    return program;
}

cl_kernel world_kernel(struct world *world, const char *source, const char *name) {
    cl_int error = CL_SUCCESS;
    cl_program program = world_program(world, source, NULL);
    cl_kernel kernel = clCreateKernel(program, name, &error);
    GOOD(error);
    GOOD(clReleaseProgram(program));
    return kernel;
}

cl_mem world_buffer(struct world *world, cl_mem_flags flags, size_t size, void *host) {
    cl_int error = CL_SUCCESS;
    cl_mem memory = clCreateBuffer(world->context, flags, size, host, &error);
    GOOD(error);
    return memory;
}
