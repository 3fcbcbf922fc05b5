// What is absent: shared virtual memory, programs in intermediate language, kernels of the host,
// objects of graphics libraries. Each function answers as the specification says for devices that report it absent.
#include "opencl/context.h"
#include "opencl/info.h"
#include "opencl/kernel.h"
#include "opencl/memory.h"
#include "opencl/program.h"
#include "opencl/queue.h"

// Of functions that make an object of the context: no device of it can.
static void *no_object(cl_context context, cl_int *errcode_ret) {
    set_error(errcode_ret, object_lives(context, OBJECT_CONTEXT) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT);
    return NULL;
}

// ---- shared virtual memory ----

static cl_int no_svm(cl_command_queue queue) {
    return object_is(queue, OBJECT_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
    (void)context, (void)flags, (void)size, (void)alignment;
    return NULL;
}

void CL_API_CALL clSVMFree(cl_context context, void *svm_pointer) {
    (void)context, (void)svm_pointer;
}

cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue queue, cl_uint num_svm_pointers, void *svm_pointers[],
                                    void(CL_CALLBACK *pfn_free_func)(cl_command_queue queue, cl_uint num_svm_pointers,
                                                                     void *svm_pointers[], void *user_data),
                                    void *user_data, cl_uint num_events, const cl_event *event_wait_list,
                                    cl_event *event) {
    (void)num_svm_pointers, (void)svm_pointers, (void)pfn_free_func, (void)user_data, (void)num_events;
    (void)event_wait_list, (void)event;
    return no_svm(queue);
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking_copy, void *dst_ptr, const void *src_ptr,
                                      size_t size, cl_uint num_events, const cl_event *event_wait_list,
                                      cl_event *event) {
    (void)blocking_copy, (void)dst_ptr, (void)src_ptr, (void)size, (void)num_events, (void)event_wait_list, (void)event;
    return no_svm(queue);
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void *svm_ptr, const void *pattern, size_t pattern_size,
                                       size_t size, cl_uint num_events, const cl_event *event_wait_list,
                                       cl_event *event) {
    (void)svm_ptr, (void)pattern, (void)pattern_size, (void)size, (void)num_events, (void)event_wait_list, (void)event;
    return no_svm(queue);
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking_map, cl_map_flags flags, void *svm_ptr,
                                   size_t size, cl_uint num_events, const cl_event *event_wait_list, cl_event *event) {
    (void)blocking_map, (void)flags, (void)svm_ptr, (void)size, (void)num_events, (void)event_wait_list, (void)event;
    return no_svm(queue);
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void *svm_ptr, cl_uint num_events,
                                     const cl_event *event_wait_list, cl_event *event) {
    (void)svm_ptr, (void)num_events, (void)event_wait_list, (void)event;
    return no_svm(queue);
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint num_svm_pointers, const void **svm_pointers,
                                          const size_t *sizes, cl_mem_migration_flags flags, cl_uint num_events,
                                          const cl_event *event_wait_list, cl_event *event) {
    (void)num_svm_pointers, (void)svm_pointers, (void)sizes, (void)flags, (void)num_events, (void)event_wait_list;
    (void)event;
    return no_svm(queue);
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value) {
    (void)arg_index, (void)arg_value;
    return object_is(kernel, OBJECT_KERNEL) ? CL_INVALID_OPERATION : CL_INVALID_KERNEL;
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name, size_t param_value_size,
                                       const void *param_value) {
    (void)param_name, (void)param_value_size, (void)param_value;
    return object_is(kernel, OBJECT_KERNEL) ? CL_INVALID_OPERATION : CL_INVALID_KERNEL;
}

// ---- programs in intermediate language, kernels that are built in ----

cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il, size_t length, cl_int *errcode_ret) {
    (void)il, (void)length;
    return no_object(context, errcode_ret);
}

cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size,
                                                      const void *spec_value) {
    (void)spec_id, (void)spec_size, (void)spec_value;
    return object_lives(program, OBJECT_PROGRAM) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM;
}

cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program,
                                               void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                                               void *user_data) {
    (void)pfn_notify, (void)user_data;
    return object_lives(program, OBJECT_PROGRAM) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM;
}

cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                         const cl_device_id *device_list, const char *kernel_names,
                                                         cl_int *errcode_ret) {
    cl_int error = CL_INVALID_VALUE;  // no kernel has such a name
    if (!object_lives(context, OBJECT_CONTEXT)) error = CL_INVALID_CONTEXT;
    for (cl_uint k = 0; error == CL_INVALID_VALUE && device_list != NULL && kernel_names != NULL && k < num_devices;
         k++)
        if (!object_is(device_list[k], OBJECT_DEVICE) || context_place(context, device_list[k]) == NULL)
            error = CL_INVALID_DEVICE;
    set_error(errcode_ret, error);
    return NULL;
}

cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *user_func)(void *), void *args,
                                         size_t cb_args, cl_uint num_mem_objects, const cl_mem *mem_list,
                                         const void **args_mem_loc, cl_uint num_events, const cl_event *event_wait_list,
                                         cl_event *event) {
    (void)user_func, (void)args, (void)cb_args, (void)num_mem_objects, (void)mem_list, (void)args_mem_loc;
    (void)num_events, (void)event_wait_list, (void)event;
    return object_is(queue, OBJECT_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
