// What most tests of the OpenCL runtime begin with: a device, a context, a queue.
#ifndef TANDEM_TESTS_OPENCL_WORLD_H
#define TANDEM_TESTS_OPENCL_WORLD_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <criterion/criterion.h>

#define WORLD_DEVICES 4

struct world {
    cl_platform_id platform;
    cl_device_id devices[WORLD_DEVICES];
    cl_uint count;
    cl_context context;
    cl_command_queue queue;  // of the first device
    char told[1024];         // by the context's callback, the last time
    int tells;
};

// devices: as TANDEM_DEVICES has them; NULL: model:small. flags: of the queue.
void world_open(struct world *world, const char *devices, cl_command_queue_properties flags);
void world_close(struct world *world);
// A program that is built without an error for all devices.
cl_program world_program(struct world *world, const char *source, const char *options);
cl_kernel world_kernel(struct world *world, const char *source, const char *name);
cl_mem world_buffer(struct world *world, cl_mem_flags flags, size_t size, void *host);

#define GOOD(call) cr_assert_eq((call), CL_SUCCESS)
#define BAD(error, call) cr_assert_eq((call), (error))

#endif
