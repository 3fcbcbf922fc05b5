// Platform, devices, contexts, queues: what they say, what they refuse.
#include <stdlib.h>
#include <string.h>

#include "opencl/world.h"

static struct world world;

static void open_small(void) {
    world_open(&world, NULL, 0);
}
static void close_world(void) {
    world_close(&world);
}

TestSuite(platform, .init = open_small, .fini = close_world);

Test(platform, dispatch,
     .description = "CL-1 every function of OpenCL 1.0 to 3.0 stands in the dispatch table [model]") {
    const cl_icd_dispatch *table = *(cl_icd_dispatch **)world.platform;
    cr_assert_not_null(table);
    const struct {
        const char *name;
        void (*function)(void);
    } entries[] = {
        {"clGetPlatformIDs", (void (*)(void))table->clGetPlatformIDs},
        {"clGetPlatformInfo", (void (*)(void))table->clGetPlatformInfo},
        {"clGetDeviceIDs", (void (*)(void))table->clGetDeviceIDs},
        {"clGetDeviceInfo", (void (*)(void))table->clGetDeviceInfo},
        {"clCreateContext", (void (*)(void))table->clCreateContext},
        {"clCreateContextFromType", (void (*)(void))table->clCreateContextFromType},
        {"clRetainContext", (void (*)(void))table->clRetainContext},
        {"clReleaseContext", (void (*)(void))table->clReleaseContext},
        {"clGetContextInfo", (void (*)(void))table->clGetContextInfo},
        {"clCreateCommandQueue", (void (*)(void))table->clCreateCommandQueue},
        {"clRetainCommandQueue", (void (*)(void))table->clRetainCommandQueue},
        {"clReleaseCommandQueue", (void (*)(void))table->clReleaseCommandQueue},
        {"clGetCommandQueueInfo", (void (*)(void))table->clGetCommandQueueInfo},
        {"clSetCommandQueueProperty", (void (*)(void))table->clSetCommandQueueProperty},
        {"clCreateBuffer", (void (*)(void))table->clCreateBuffer},
        {"clCreateImage2D", (void (*)(void))table->clCreateImage2D},
        {"clCreateImage3D", (void (*)(void))table->clCreateImage3D},
        {"clRetainMemObject", (void (*)(void))table->clRetainMemObject},
        {"clReleaseMemObject", (void (*)(void))table->clReleaseMemObject},
        {"clGetSupportedImageFormats", (void (*)(void))table->clGetSupportedImageFormats},
        {"clGetMemObjectInfo", (void (*)(void))table->clGetMemObjectInfo},
        {"clGetImageInfo", (void (*)(void))table->clGetImageInfo},
        {"clCreateSampler", (void (*)(void))table->clCreateSampler},
        {"clRetainSampler", (void (*)(void))table->clRetainSampler},
        {"clReleaseSampler", (void (*)(void))table->clReleaseSampler},
        {"clGetSamplerInfo", (void (*)(void))table->clGetSamplerInfo},
        {"clCreateProgramWithSource", (void (*)(void))table->clCreateProgramWithSource},
        {"clCreateProgramWithBinary", (void (*)(void))table->clCreateProgramWithBinary},
        {"clRetainProgram", (void (*)(void))table->clRetainProgram},
        {"clReleaseProgram", (void (*)(void))table->clReleaseProgram},
        {"clBuildProgram", (void (*)(void))table->clBuildProgram},
        {"clUnloadCompiler", (void (*)(void))table->clUnloadCompiler},
        {"clGetProgramInfo", (void (*)(void))table->clGetProgramInfo},
        {"clGetProgramBuildInfo", (void (*)(void))table->clGetProgramBuildInfo},
        {"clCreateKernel", (void (*)(void))table->clCreateKernel},
        {"clCreateKernelsInProgram", (void (*)(void))table->clCreateKernelsInProgram},
        {"clRetainKernel", (void (*)(void))table->clRetainKernel},
        {"clReleaseKernel", (void (*)(void))table->clReleaseKernel},
        {"clSetKernelArg", (void (*)(void))table->clSetKernelArg},
        {"clGetKernelInfo", (void (*)(void))table->clGetKernelInfo},
        {"clGetKernelWorkGroupInfo", (void (*)(void))table->clGetKernelWorkGroupInfo},
        {"clWaitForEvents", (void (*)(void))table->clWaitForEvents},
        {"clGetEventInfo", (void (*)(void))table->clGetEventInfo},
        {"clRetainEvent", (void (*)(void))table->clRetainEvent},
        {"clReleaseEvent", (void (*)(void))table->clReleaseEvent},
        {"clGetEventProfilingInfo", (void (*)(void))table->clGetEventProfilingInfo},
        {"clFlush", (void (*)(void))table->clFlush},
        {"clFinish", (void (*)(void))table->clFinish},
        {"clEnqueueReadBuffer", (void (*)(void))table->clEnqueueReadBuffer},
        {"clEnqueueWriteBuffer", (void (*)(void))table->clEnqueueWriteBuffer},
        {"clEnqueueCopyBuffer", (void (*)(void))table->clEnqueueCopyBuffer},
        {"clEnqueueReadImage", (void (*)(void))table->clEnqueueReadImage},
        {"clEnqueueWriteImage", (void (*)(void))table->clEnqueueWriteImage},
        {"clEnqueueCopyImage", (void (*)(void))table->clEnqueueCopyImage},
        {"clEnqueueCopyImageToBuffer", (void (*)(void))table->clEnqueueCopyImageToBuffer},
        {"clEnqueueCopyBufferToImage", (void (*)(void))table->clEnqueueCopyBufferToImage},
        {"clEnqueueMapBuffer", (void (*)(void))table->clEnqueueMapBuffer},
        {"clEnqueueMapImage", (void (*)(void))table->clEnqueueMapImage},
        {"clEnqueueUnmapMemObject", (void (*)(void))table->clEnqueueUnmapMemObject},
        {"clEnqueueNDRangeKernel", (void (*)(void))table->clEnqueueNDRangeKernel},
        {"clEnqueueTask", (void (*)(void))table->clEnqueueTask},
        {"clEnqueueNativeKernel", (void (*)(void))table->clEnqueueNativeKernel},
        {"clEnqueueMarker", (void (*)(void))table->clEnqueueMarker},
        {"clEnqueueWaitForEvents", (void (*)(void))table->clEnqueueWaitForEvents},
        {"clEnqueueBarrier", (void (*)(void))table->clEnqueueBarrier},
        {"clGetExtensionFunctionAddress", (void (*)(void))table->clGetExtensionFunctionAddress},
        {"clSetEventCallback", (void (*)(void))table->clSetEventCallback},
        {"clCreateSubBuffer", (void (*)(void))table->clCreateSubBuffer},
        {"clSetMemObjectDestructorCallback", (void (*)(void))table->clSetMemObjectDestructorCallback},
        {"clCreateUserEvent", (void (*)(void))table->clCreateUserEvent},
        {"clSetUserEventStatus", (void (*)(void))table->clSetUserEventStatus},
        {"clEnqueueReadBufferRect", (void (*)(void))table->clEnqueueReadBufferRect},
        {"clEnqueueWriteBufferRect", (void (*)(void))table->clEnqueueWriteBufferRect},
        {"clEnqueueCopyBufferRect", (void (*)(void))table->clEnqueueCopyBufferRect},
        {"clCreateSubDevices", (void (*)(void))table->clCreateSubDevices},
        {"clRetainDevice", (void (*)(void))table->clRetainDevice},
        {"clReleaseDevice", (void (*)(void))table->clReleaseDevice},
        {"clCreateImage", (void (*)(void))table->clCreateImage},
        {"clCreateProgramWithBuiltInKernels", (void (*)(void))table->clCreateProgramWithBuiltInKernels},
        {"clCompileProgram", (void (*)(void))table->clCompileProgram},
        {"clLinkProgram", (void (*)(void))table->clLinkProgram},
        {"clUnloadPlatformCompiler", (void (*)(void))table->clUnloadPlatformCompiler},
        {"clGetKernelArgInfo", (void (*)(void))table->clGetKernelArgInfo},
        {"clEnqueueFillBuffer", (void (*)(void))table->clEnqueueFillBuffer},
        {"clEnqueueFillImage", (void (*)(void))table->clEnqueueFillImage},
        {"clEnqueueMigrateMemObjects", (void (*)(void))table->clEnqueueMigrateMemObjects},
        {"clEnqueueMarkerWithWaitList", (void (*)(void))table->clEnqueueMarkerWithWaitList},
        {"clEnqueueBarrierWithWaitList", (void (*)(void))table->clEnqueueBarrierWithWaitList},
        {"clGetExtensionFunctionAddressForPlatform", (void (*)(void))table->clGetExtensionFunctionAddressForPlatform},
        {"clCreateCommandQueueWithProperties", (void (*)(void))table->clCreateCommandQueueWithProperties},
        {"clCreatePipe", (void (*)(void))table->clCreatePipe},
        {"clGetPipeInfo", (void (*)(void))table->clGetPipeInfo},
        {"clSVMAlloc", (void (*)(void))table->clSVMAlloc},
        {"clSVMFree", (void (*)(void))table->clSVMFree},
        {"clEnqueueSVMFree", (void (*)(void))table->clEnqueueSVMFree},
        {"clEnqueueSVMMemcpy", (void (*)(void))table->clEnqueueSVMMemcpy},
        {"clEnqueueSVMMemFill", (void (*)(void))table->clEnqueueSVMMemFill},
        {"clEnqueueSVMMap", (void (*)(void))table->clEnqueueSVMMap},
        {"clEnqueueSVMUnmap", (void (*)(void))table->clEnqueueSVMUnmap},
        {"clCreateSamplerWithProperties", (void (*)(void))table->clCreateSamplerWithProperties},
        {"clSetKernelArgSVMPointer", (void (*)(void))table->clSetKernelArgSVMPointer},
        {"clSetKernelExecInfo", (void (*)(void))table->clSetKernelExecInfo},
        {"clCloneKernel", (void (*)(void))table->clCloneKernel},
        {"clCreateProgramWithIL", (void (*)(void))table->clCreateProgramWithIL},
        {"clEnqueueSVMMigrateMem", (void (*)(void))table->clEnqueueSVMMigrateMem},
        {"clGetDeviceAndHostTimer", (void (*)(void))table->clGetDeviceAndHostTimer},
        {"clGetHostTimer", (void (*)(void))table->clGetHostTimer},
        {"clGetKernelSubGroupInfoKHR", (void (*)(void))table->clGetKernelSubGroupInfoKHR},
        {"clGetKernelSubGroupInfo", (void (*)(void))table->clGetKernelSubGroupInfo},
        {"clSetDefaultDeviceCommandQueue", (void (*)(void))table->clSetDefaultDeviceCommandQueue},
        {"clSetProgramReleaseCallback", (void (*)(void))table->clSetProgramReleaseCallback},
        {"clSetProgramSpecializationConstant", (void (*)(void))table->clSetProgramSpecializationConstant},
        {"clCreateBufferWithProperties", (void (*)(void))table->clCreateBufferWithProperties},
        {"clCreateImageWithProperties", (void (*)(void))table->clCreateImageWithProperties},
        {"clSetContextDestructorCallback", (void (*)(void))table->clSetContextDestructorCallback},
    };
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++)
        cr_expect(entries[k].function != NULL, "%s", entries[k].name);
    cr_expect_not_null(clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR"));
    cr_expect_not_null(clGetExtensionFunctionAddress("clCreateCommandQueueWithPropertiesKHR"));
    cr_expect_not_null(clGetExtensionFunctionAddress("clGetKernelSubGroupInfoKHR"));
    cr_expect_null(clGetExtensionFunctionAddress("clNoSuchFunction"));
}

Test(platform, answers,
     .description = "CL-2 the platform tells name, version, extensions, and refuses what is wrong [model]") {
    char text[1024];
    size_t size = 0;
    cl_uint count = 0;
    GOOD(clGetPlatformInfo(world.platform, CL_PLATFORM_NAME, sizeof text, text, &size));
    cr_expect_str_eq(text, "Tandem");
    cr_expect_eq(size, strlen(text) + 1);
    GOOD(clGetPlatformInfo(world.platform, CL_PLATFORM_VERSION, sizeof text, text, NULL));
    cr_expect_eq(strncmp(text, "OpenCL 3.0 ", 11), 0);
    GOOD(clGetPlatformInfo(world.platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
    cr_expect_not_null(strstr(text, "cl_khr_icd"));
    BAD(CL_INVALID_VALUE, clGetPlatformInfo(world.platform, CL_PLATFORM_NAME, 3, text, NULL));
    BAD(CL_INVALID_VALUE, clGetPlatformInfo(world.platform, CL_DEVICE_NAME, sizeof text, text, NULL));
    BAD(CL_INVALID_PLATFORM, clGetPlatformInfo((cl_platform_id)world.context, CL_PLATFORM_NAME, 0, NULL, &size));
    BAD(CL_INVALID_VALUE, clGetPlatformIDs(0, &world.platform, NULL));
    BAD(CL_INVALID_VALUE, clGetPlatformIDs(1, NULL, NULL));
    BAD(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(world.platform, 1 << 20, 0, NULL, &count));
    BAD(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(world.platform, CL_DEVICE_TYPE_CPU, 0, NULL, &count));
    BAD(CL_INVALID_VALUE, clGetDeviceIDs(world.platform, CL_DEVICE_TYPE_ALL, 0, world.devices, &count));
    BAD(CL_INVALID_VALUE, clGetDeviceIDs(world.platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL));
}

Test(platform, device_sizes, .description = "CL-2 a device tells its sizes, each with the size of its type [model]") {
    size_t size = 0, group = 0, items[3] = {0};
    cl_ulong bytes = 0, most = 0, local = 0;
    cl_bool image = CL_TRUE;
    char text[256];
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, &size));
    cr_expect_eq(group, 1024);
    cr_expect_eq(size, sizeof group);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof items, items, NULL));
    cr_expect_eq(items[2], 1024);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL));
    cr_expect_eq(local, 16384);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_GLOBAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    cr_expect_eq(bytes, (cl_ulong)1 << 30);
    // The specification asks for a quarter.
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    cr_expect_eq(most, bytes / 2);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_IMAGE_SUPPORT, sizeof image, &image, NULL));
    cr_expect_eq(image, CL_TRUE);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof group, &group, NULL));
    cr_expect_eq(group, 16384);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_IMAGE3D_MAX_DEPTH, sizeof group, &group, NULL));
    cr_expect_eq(group, 2048);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_NAME, sizeof text, text, NULL));
    cr_expect_str_eq(text, "Tandem model:small");
    // Less than 32 KiB of local memory is not the full profile.
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_PROFILE, sizeof text, text, NULL));
    cr_expect_str_eq(text, "EMBEDDED_PROFILE");
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, sizeof text, text, NULL));
    cr_expect_str_eq(text, "v0000-01-01-00");
    BAD(CL_INVALID_VALUE, clGetDeviceInfo(world.devices[0], CL_DEVICE_MAX_WORK_GROUP_SIZE, 4, &group, NULL));
    BAD(CL_INVALID_VALUE, clGetDeviceInfo(world.devices[0], 0x7777, sizeof group, &group, NULL));
    BAD(CL_INVALID_DEVICE, clGetDeviceInfo(NULL, CL_DEVICE_NAME, sizeof text, text, NULL));
}

Test(alone, several_devices,
     .description = "CL-2 TANDEM_DEVICES names several devices; one that cannot be opened is left out [model]") {
    char text[64];
    world_open(&world, "model:nano;model:gigantic; model:full,seed=3;", 0);
    cr_assert_eq(world.count, 2);
    GOOD(clGetDeviceInfo(world.devices[1], CL_DEVICE_NAME, sizeof text, text, NULL));
    cr_expect_str_eq(text, "Tandem model:full");
    GOOD(clGetDeviceInfo(world.devices[1], CL_DEVICE_PROFILE, sizeof text, text, NULL));
    cr_expect_str_eq(text, "FULL_PROFILE");
    world_close(&world);
}

// How many of so many threads printf told that their record of two words was lost.
static size_t lost_of(cl_command_queue queue, size_t threads) {
    size_t lost = 0;
    cl_kernel kernel = world_kernel(
        &world, "kernel void say(global int *out) { out[get_global_id(0)] = printf(\"%s\", \"\"); }", "say");
    cl_mem out = world_buffer(&world, CL_MEM_WRITE_ONLY, threads * sizeof(cl_int), NULL);
    cl_int *results = malloc(threads * sizeof *results);
    cr_assert_not_null(results);
    GOOD(clSetKernelArg(kernel, 0, sizeof out, &out));
    GOOD(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &threads, NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, threads * sizeof *results, results, 0, NULL, NULL));
    for (size_t k = 0; k < threads; k++)
        lost += results[k] != 0;
    free(results);
    GOOD(clReleaseMemObject(out));
    GOOD(clReleaseKernel(kernel));
    return lost;
}

Test(alone, printf_buffer,
     .description = "CL-2 the buffer of printf is as large as the device says: 1 MiB in the full profile [model]") {
    static const size_t sizes[] = {1048576, 262144, 262144};
    world_open(&world, "model:full;model:full,mem=16;model:small", 0);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t bytes = 0;
        cl_int error = CL_SUCCESS;
        cl_command_queue queue = clCreateCommandQueue(world.context, world.devices[k], 0, &error);
        GOOD(error);
        GOOD(clGetDeviceInfo(world.devices[k], CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof bytes, &bytes, NULL));
        cr_expect_eq(bytes, sizes[k], "device %zu: %zu bytes", k, bytes);
        cr_expect_eq(lost_of(queue, bytes / 8), 0, "device %zu", k);
        cr_expect_eq(lost_of(queue, bytes / 8 + 64), 64, "device %zu", k);
        GOOD(clReleaseCommandQueue(queue));
    }
    world_close(&world);
}

Test(platform, contexts,
     .description = "CL-2 contexts: properties, devices, counts, what is refused, the destructor's callback [model]") {
    cl_int error = CL_SUCCESS;
    cl_uint count = 0;
    size_t size = 1;
    const cl_context_properties good[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)world.platform, 0};
    const cl_context_properties wrong[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)world.context, 0};
    const cl_context_properties unknown[] = {0x7777, 1, 0};
    cl_context context = clCreateContext(good, 1, world.devices, NULL, NULL, &error);
    GOOD(error);
    GOOD(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, 0, NULL, &size));
    cr_expect_eq(size, sizeof good);
    GOOD(clGetContextInfo(world.context, CL_CONTEXT_PROPERTIES, 0, NULL, &size));
    cr_expect_eq(size, 0);
    GOOD(clRetainContext(context));
    GOOD(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
    cr_expect_eq(count, 2);
    GOOD(clReleaseContext(context));
    GOOD(clReleaseContext(context));
    cr_expect_null(clCreateContext(wrong, 1, world.devices, NULL, NULL, &error));
    BAD(CL_INVALID_PLATFORM, error);
    cr_expect_null(clCreateContext(unknown, 1, world.devices, NULL, NULL, &error));
    BAD(CL_INVALID_PROPERTY, error);
    cr_expect_null(clCreateContext(NULL, 0, world.devices, NULL, NULL, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateContext(NULL, 1, world.devices, NULL, &world, &error));
    BAD(CL_INVALID_VALUE, error);
    cl_device_id none = NULL;
    cr_expect_null(clCreateContext(NULL, 1, &none, NULL, NULL, &error));
    BAD(CL_INVALID_DEVICE, error);
    cr_expect_null(clCreateContextFromType(good, CL_DEVICE_TYPE_CPU, NULL, NULL, &error));
    BAD(CL_DEVICE_NOT_FOUND, error);
    BAD(CL_INVALID_CONTEXT, clRetainContext(NULL));
    BAD(CL_INVALID_CONTEXT, clReleaseContext((cl_context)world.queue));
}

static void CL_CALLBACK count_end(cl_context context, void *data) {
    (void)context;
    *(int *)data = *(int *)data * 10 + 1;
}

Test(platform, destructor, .description = "CL-2 a context's destructor callback comes once, at its end [model]") {
    int ends = 0;
    cl_int error = CL_SUCCESS;
    cl_context context = clCreateContext(NULL, 1, world.devices, NULL, NULL, &error);
    GOOD(clSetContextDestructorCallback(context, count_end, &ends));
    BAD(CL_INVALID_VALUE, clSetContextDestructorCallback(context, NULL, NULL));
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, world.devices[0], NULL, &error);
    GOOD(clReleaseContext(context));
    cr_expect_eq(ends, 0, "a queue still keeps it");
    GOOD(clReleaseCommandQueue(queue));
    cr_expect_eq(ends, 1);
}

Test(platform, kept,
     .description =
         "CL-2 a queue's context and a kernel's program are there as long as these, released or not [model]") {
    static const char source[] = "__kernel void k(__global int *p) { p[0] = 7; }";
    const char *sources[] = {source};
    char text[64];
    int ends = 0;
    cl_int error = CL_SUCCESS;
    cl_context context = clCreateContext(NULL, 1, world.devices, NULL, NULL, &error), told = NULL;
    GOOD(clSetContextDestructorCallback(context, count_end, &ends));
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, world.devices[0], NULL, &error);
    cl_program program = clCreateProgramWithSource(context, 1, sources, NULL, &error), of_kernel = NULL;
    GOOD(clReleaseContext(context));
    BAD(CL_INVALID_CONTEXT, clReleaseContext(context));
    GOOD(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &told, NULL));
    cr_expect_eq(told, context);
    GOOD(clRetainContext(told));
    cl_mem memory = clCreateBuffer(told, 0, 64, NULL, &error);
    GOOD(error);
    GOOD(clReleaseContext(told));
    BAD(CL_INVALID_CONTEXT, clReleaseContext(told));

    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    GOOD(clReleaseProgram(program));
    BAD(CL_INVALID_PROGRAM, clReleaseProgram(program));
    GOOD(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &of_kernel, NULL));
    cr_expect_eq(of_kernel, program);
    GOOD(clGetProgramInfo(of_kernel, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    cr_expect_str_eq(text, "k");
    GOOD(clRetainProgram(of_kernel));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseProgram(of_kernel));

    GOOD(clReleaseMemObject(memory));
    cr_expect_eq(ends, 0, "the queue still keeps it");
    GOOD(clReleaseCommandQueue(queue));
    cr_expect_eq(ends, 1);
}

Test(platform, many_contexts,
     .description = "CL-4 contexts can be opened and closed for ever, and ten live at once [model]") {
    cl_context contexts[10];
    cl_int error = CL_SUCCESS;
    for (int lap = 0; lap < 3; lap++) {
        for (int k = 0; k < 10; k++) {
            contexts[k] = clCreateContext(NULL, 1, world.devices, NULL, NULL, &error);
            cr_assert_eq(error, CL_SUCCESS, "context %d of lap %d: %d", k, lap, error);
        }
        for (int k = 0; k < 10; k++)
            GOOD(clReleaseContext(contexts[k]));
    }
}

Test(platform, queues, .description = "CL-2 queues: properties, priority hints, what is refused [model]") {
    cl_int error = CL_SUCCESS;
    cl_command_queue_properties flags = 0;
    const cl_queue_properties good[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                        CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR, 0};
    const cl_queue_properties unknown[] = {0x7777, 1, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(world.context, world.devices[0], good, &error);
    GOOD(error);
    GOOD(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof flags, &flags, NULL));
    cr_expect_eq(flags, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_queue_properties back[8];
    size_t size = 0;
    GOOD(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof back, back, &size));
    cr_expect_eq(size, sizeof good);
    cr_expect_eq(memcmp(back, good, sizeof good), 0);
    BAD(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof back, back, &size));
    GOOD(clReleaseCommandQueue(queue));
    cr_expect_null(clCreateCommandQueueWithProperties(world.context, world.devices[0], unknown, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateCommandQueue(world.context, world.devices[0], 1 << 20, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateCommandQueue(NULL, world.devices[0], 0, &error));
    BAD(CL_INVALID_CONTEXT, error);
    cr_expect_null(clCreateCommandQueue(world.context, NULL, 0, &error));
    BAD(CL_INVALID_DEVICE, error);
    BAD(CL_INVALID_COMMAND_QUEUE, clFinish(NULL));
    BAD(CL_INVALID_COMMAND_QUEUE, clFlush((cl_command_queue)world.context));
}

Test(platform, absent,
     .description = "CL-2 shared virtual memory, IL: absent, and answered as the specification says [model]") {
    cl_int error = CL_SUCCESS;
    char byte = 0;
    cr_expect_null(clSVMAlloc(world.context, CL_MEM_READ_WRITE, 64, 0));
    BAD(CL_INVALID_OPERATION, clEnqueueSVMMemcpy(world.queue, CL_TRUE, &byte, &byte, 1, 0, NULL, NULL));
    cr_expect_null(clCreateProgramWithIL(world.context, "x", 1, &error));
    BAD(CL_INVALID_OPERATION, error);
    cr_expect_null(clCreateProgramWithBuiltInKernels(world.context, 1, world.devices, "none", &error));
    BAD(CL_INVALID_VALUE, error);
    BAD(CL_INVALID_OPERATION, clEnqueueNativeKernel(world.queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clCreateSubDevices(world.devices[0], NULL, 0, NULL, NULL));
}
