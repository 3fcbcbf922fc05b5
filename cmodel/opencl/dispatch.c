// The dispatch table of cl_khr_icd: every function of OpenCL 1.0 to 3.0. What belongs to extensions that are not there
// (graphics libraries) is empty, as the loader expects it.
#include <string.h>

#include "opencl/platform.h"

#define ENTRY(name) .name = name

const cl_icd_dispatch opencl_dispatch = {
    ENTRY(clGetPlatformIDs),
    ENTRY(clGetPlatformInfo),
    ENTRY(clGetDeviceIDs),
    ENTRY(clGetDeviceInfo),
    ENTRY(clCreateContext),
    ENTRY(clCreateContextFromType),
    ENTRY(clRetainContext),
    ENTRY(clReleaseContext),
    ENTRY(clGetContextInfo),
    ENTRY(clCreateCommandQueue),
    ENTRY(clRetainCommandQueue),
    ENTRY(clReleaseCommandQueue),
    ENTRY(clGetCommandQueueInfo),
    ENTRY(clSetCommandQueueProperty),
    ENTRY(clCreateBuffer),
    ENTRY(clCreateImage2D),
    ENTRY(clCreateImage3D),
    ENTRY(clRetainMemObject),
    ENTRY(clReleaseMemObject),
    ENTRY(clGetSupportedImageFormats),
    ENTRY(clGetMemObjectInfo),
    ENTRY(clGetImageInfo),
    ENTRY(clCreateSampler),
    ENTRY(clRetainSampler),
    ENTRY(clReleaseSampler),
    ENTRY(clGetSamplerInfo),
    ENTRY(clCreateProgramWithSource),
    ENTRY(clCreateProgramWithBinary),
    ENTRY(clRetainProgram),
    ENTRY(clReleaseProgram),
    ENTRY(clBuildProgram),
    ENTRY(clUnloadCompiler),
    ENTRY(clGetProgramInfo),
    ENTRY(clGetProgramBuildInfo),
    ENTRY(clCreateKernel),
    ENTRY(clCreateKernelsInProgram),
    ENTRY(clRetainKernel),
    ENTRY(clReleaseKernel),
    ENTRY(clSetKernelArg),
    ENTRY(clGetKernelInfo),
    ENTRY(clGetKernelWorkGroupInfo),
    ENTRY(clWaitForEvents),
    ENTRY(clGetEventInfo),
    ENTRY(clRetainEvent),
    ENTRY(clReleaseEvent),
    ENTRY(clGetEventProfilingInfo),
    ENTRY(clFlush),
    ENTRY(clFinish),
    ENTRY(clEnqueueReadBuffer),
    ENTRY(clEnqueueWriteBuffer),
    ENTRY(clEnqueueCopyBuffer),
    ENTRY(clEnqueueReadImage),
    ENTRY(clEnqueueWriteImage),
    ENTRY(clEnqueueCopyImage),
    ENTRY(clEnqueueCopyImageToBuffer),
    ENTRY(clEnqueueCopyBufferToImage),
    ENTRY(clEnqueueMapBuffer),
    ENTRY(clEnqueueMapImage),
    ENTRY(clEnqueueUnmapMemObject),
    ENTRY(clEnqueueNDRangeKernel),
    ENTRY(clEnqueueTask),
    ENTRY(clEnqueueNativeKernel),
    ENTRY(clEnqueueMarker),
    ENTRY(clEnqueueWaitForEvents),
    ENTRY(clEnqueueBarrier),
    ENTRY(clGetExtensionFunctionAddress),
    ENTRY(clSetEventCallback),
    ENTRY(clCreateSubBuffer),
    ENTRY(clSetMemObjectDestructorCallback),
    ENTRY(clCreateUserEvent),
    ENTRY(clSetUserEventStatus),
    ENTRY(clEnqueueReadBufferRect),
    ENTRY(clEnqueueWriteBufferRect),
    ENTRY(clEnqueueCopyBufferRect),
    ENTRY(clCreateSubDevices),
    ENTRY(clRetainDevice),
    ENTRY(clReleaseDevice),
    ENTRY(clCreateImage),
    ENTRY(clCreateProgramWithBuiltInKernels),
    ENTRY(clCompileProgram),
    ENTRY(clLinkProgram),
    ENTRY(clUnloadPlatformCompiler),
    ENTRY(clGetKernelArgInfo),
    ENTRY(clEnqueueFillBuffer),
    ENTRY(clEnqueueFillImage),
    ENTRY(clEnqueueMigrateMemObjects),
    ENTRY(clEnqueueMarkerWithWaitList),
    ENTRY(clEnqueueBarrierWithWaitList),
    ENTRY(clGetExtensionFunctionAddressForPlatform),
    ENTRY(clCreateCommandQueueWithProperties),
    ENTRY(clCreatePipe),
    ENTRY(clGetPipeInfo),
    ENTRY(clSVMAlloc),
    ENTRY(clSVMFree),
    ENTRY(clEnqueueSVMFree),
    ENTRY(clEnqueueSVMMemcpy),
    ENTRY(clEnqueueSVMMemFill),
    ENTRY(clEnqueueSVMMap),
    ENTRY(clEnqueueSVMUnmap),
    ENTRY(clCreateSamplerWithProperties),
    ENTRY(clSetKernelArgSVMPointer),
    ENTRY(clSetKernelExecInfo),
    ENTRY(clCloneKernel),
    ENTRY(clCreateProgramWithIL),
    ENTRY(clEnqueueSVMMigrateMem),
    ENTRY(clGetDeviceAndHostTimer),
    ENTRY(clGetHostTimer),
    .clGetKernelSubGroupInfoKHR = clGetKernelSubGroupInfo,
    ENTRY(clGetKernelSubGroupInfo),
    ENTRY(clSetDefaultDeviceCommandQueue),
    ENTRY(clSetProgramReleaseCallback),
    ENTRY(clSetProgramSpecializationConstant),
    ENTRY(clCreateBufferWithProperties),
    ENTRY(clCreateImageWithProperties),
    ENTRY(clSetContextDestructorCallback),
};

// By name, for clGetExtensionFunctionAddress: the loader asks for these.
static const struct {
    const char *name;
    void (*function)(void);
} named[] = {
    {"clIcdGetPlatformIDsKHR", (void (*)(void))clIcdGetPlatformIDsKHR},
    {"clGetPlatformInfo", (void (*)(void))clGetPlatformInfo},
    {"clCreateCommandQueueWithPropertiesKHR", (void (*)(void))clCreateCommandQueueWithProperties},
    {"clGetKernelSubGroupInfoKHR", (void (*)(void))clGetKernelSubGroupInfo},
};

void *CL_API_CALL clGetExtensionFunctionAddress(const char *func_name) {
    for (size_t k = 0; func_name != NULL && k < sizeof named / sizeof *named; k++) {
        void *address = NULL;
        if (strcmp(named[k].name, func_name) != 0) continue;
        memcpy(&address, &named[k].function, sizeof address);
        return address;
    }
    return NULL;
}

void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *func_name) {
    return platform_is(platform) && platform != NULL ? clGetExtensionFunctionAddress(func_name) : NULL;
}
