// What a kernel, its arguments and its work-groups say of themselves.
#include <stdio.h>
#include <string.h>

#include "opencl/info.h"
#include "opencl/kernel.h"

static void print_attributes(const struct code_kernel *code, char *to, size_t size) {
    const uint32_t *local = code->reqd_local;
    if (local[0] != 0)
        snprintf(to, size, "reqd_work_group_size(%u,%u,%u)%s%s", local[0], local[1], local[2],
                 code->hints[0] != 0 ? " " : "", code->hints);
    else
        snprintf(to, size, "%s", code->hints);
}

cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                                   void *param_value, size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    char attributes[CODE_OBJECT_HINTS_MAX + 96] = "";
    if (!object_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    const struct code_kernel *code = kernel_any(kernel);
    switch (param_name) {
        case CL_KERNEL_FUNCTION_NAME: return answer_text(&answer, kernel->name);
        case CL_KERNEL_NUM_ARGS: return answer_uint(&answer, kernel->count);
        case CL_KERNEL_REFERENCE_COUNT: return answer_uint(&answer, atomic_load(&kernel->object.references));
        case CL_KERNEL_CONTEXT: return answer_pointer(&answer, kernel->program->context);
        case CL_KERNEL_PROGRAM: return answer_pointer(&answer, kernel->program);
        case CL_KERNEL_ATTRIBUTES:
            if (code != NULL && !kernel->program->binary) print_attributes(code, attributes, sizeof attributes);
            return answer_text(&answer, attributes);
        default: return CL_INVALID_VALUE;
    }
}

static cl_kernel_arg_access_qualifier access_of(const struct code_argument *argument) {
    const bool reads = (argument->qualifiers & QUALIFIER_READ) != 0;
    const bool writes = (argument->qualifiers & QUALIFIER_WRITE) != 0;
    return reads && writes ? CL_KERNEL_ARG_ACCESS_READ_WRITE
           : reads         ? CL_KERNEL_ARG_ACCESS_READ_ONLY
           : writes        ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
                           : CL_KERNEL_ARG_ACCESS_NONE;
}

// Type names come from the compiler as the source has them; qualifiers stand apart from them.
// As the specification has it: of a source that was built with the option; of what was linked we always know it.
static bool tells_arguments(cl_program program) {
    const struct program_build *build = program_executable(program);
    if (program->source == NULL) return !program->binary;
    return build != NULL && build->options != NULL && strstr(build->options, "-cl-kernel-arg-info") != NULL;
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index, cl_kernel_arg_info param_name,
                                      size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    if (!object_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    if (arg_index >= kernel->count) return CL_INVALID_ARG_INDEX;
    const struct code_kernel *code = kernel_any(kernel);
    if (code == NULL) return CL_INVALID_KERNEL;
    if (!tells_arguments(kernel->program)) return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    const struct code_argument *argument = &code->arguments[arg_index];
    switch (param_name) {
        case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
            return answer_uint(&answer,
                               argument->kind == ARG_GLOBAL || argument->kind == ARG_IMAGE || argument->kind == ARG_PIPE
                                   ? CL_KERNEL_ARG_ADDRESS_GLOBAL
                               : argument->kind == ARG_CONSTANT ? CL_KERNEL_ARG_ADDRESS_CONSTANT
                               : argument->kind == ARG_LOCAL    ? CL_KERNEL_ARG_ADDRESS_LOCAL
                                                                : CL_KERNEL_ARG_ADDRESS_PRIVATE);
        case CL_KERNEL_ARG_ACCESS_QUALIFIER: return answer_uint(&answer, access_of(argument));
        case CL_KERNEL_ARG_TYPE_NAME: return answer_text(&answer, argument->type);
        case CL_KERNEL_ARG_TYPE_QUALIFIER:
            return answer_ulong(
                &answer, argument->kind == ARG_PIPE ? CL_KERNEL_ARG_TYPE_PIPE : argument->qualifiers & QUALIFIERS);
        case CL_KERNEL_ARG_NAME: return answer_text(&answer, argument->name);
        default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name,
                                            size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    struct tandem_kernel_info info;
    if (!object_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    cl_context context = kernel->program->context;
    if (device == NULL && context->count == 1) device = context->places[0].device;
    const struct place *place = object_is(device, OBJECT_DEVICE) ? context_place(context, device) : NULL;
    const struct code_kernel *code = place != NULL ? kernel_on(kernel, place) : NULL;
    if (code == NULL) return CL_INVALID_DEVICE;
    const struct program_build *build = program_build_of(kernel->program, place);
    if (tandem_get_kernel_info(build->module, kernel->name, &info) != TANDEM_OK) return CL_INVALID_KERNEL;
    const size_t required[3] = {info.reqd_local[0], info.reqd_local[1], info.reqd_local[2]};
    cl_ulong local = info.shared_bytes;
    switch (param_name) {
        case CL_KERNEL_WORK_GROUP_SIZE: return answer_size(&answer, info.group_max);
        case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: return answer_bytes(&answer, required, sizeof required);
        case CL_KERNEL_LOCAL_MEM_SIZE:
            for (cl_uint k = 0; k < kernel->count; k++)
                if (code->arguments[k].kind == ARG_LOCAL) local += kernel->arguments[k].size;
            return answer_ulong(&answer, local);
        case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: return answer_size(&answer, place->device->info.threads);
        case CL_KERNEL_PRIVATE_MEM_SIZE: return answer_ulong(&answer, info.local_bytes);
        default: return CL_INVALID_VALUE;  // CL_KERNEL_GLOBAL_WORK_SIZE too: of devices and kernels that are not there
    }
}

// Work-items of a group of up to three dimensions; 0: it is none.
static size_t group_size(const void *sizes, size_t bytes) {
    const size_t *size = sizes;
    size_t all = 1;
    if (size == NULL || bytes == 0 || bytes > 3 * sizeof *size || bytes % sizeof *size != 0) return 0;
    for (size_t k = 0; k < bytes / sizeof *size; k++)
        all *= size[k];
    return all;
}

// A sub-group is a warp; a group has the first warps full.
cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
                                           size_t input_value_size, const void *input_value, size_t param_value_size,
                                           void *param_value, size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    struct tandem_kernel_info info;
    if (!object_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    cl_context context = kernel->program->context;
    if (device == NULL && context->count == 1) device = context->places[0].device;
    const struct place *place = object_is(device, OBJECT_DEVICE) ? context_place(context, device) : NULL;
    if (place == NULL || kernel_on(kernel, place) == NULL) return CL_INVALID_DEVICE;
    const struct program_build *build = program_build_of(kernel->program, place);
    if (tandem_get_kernel_info(build->module, kernel->name, &info) != TANDEM_OK) return CL_INVALID_KERNEL;
    const size_t warp = place->device->info.threads, size = group_size(input_value, input_value_size);
    switch (param_name) {
        case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
            return size == 0 ? CL_INVALID_VALUE : answer_size(&answer, size < warp ? size : warp);
        case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
            return size == 0 ? CL_INVALID_VALUE : answer_size(&answer, (size + warp - 1) / warp);
        case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: {
            // As many work-items in a row as that many full warps have; none where there cannot be so many.
            const size_t *count = input_value, room = param_value_size / sizeof(size_t);
            if (count == NULL || input_value_size != sizeof *count) return CL_INVALID_VALUE;
            const size_t items = *count > info.group_max / warp ? 0 : *count * warp;
            const size_t sizes[3] = {items, items != 0, items != 0};
            return answer_bytes(&answer, sizes, (param_value == NULL || room > 3 ? 3 : room) * sizeof *sizes);
        }
        case CL_KERNEL_MAX_NUM_SUB_GROUPS: return answer_size(&answer, (info.group_max + warp - 1) / warp);
        case CL_KERNEL_COMPILE_NUM_SUB_GROUPS: return answer_size(&answer, 0);
        default: return CL_INVALID_VALUE;
    }
}
