// What a program and its builds say of themselves.
#include <stdlib.h>
#include <string.h>

#include "opencl/info.h"
#include "opencl/program.h"

static cl_int answer_binaries(cl_program program, const struct answer *answer) {
    unsigned char **to = answer->value;
    size_t count = 0;
    for (cl_uint k = 0; k < program->context->count; k++)
        count += program->builds[k].wanted;
    if (to != NULL && answer->size < count * sizeof *to) return CL_INVALID_VALUE;
    for (cl_uint k = 0; to != NULL && k < program->context->count; k++) {
        if (!program->builds[k].wanted) continue;
        if (*to != NULL) binary_write(&program->builds[k], *to);
        to++;
    }
    if (answer->size_ret != NULL) *answer->size_ret = count * sizeof *to;
    return CL_SUCCESS;
}

// Without those that the compiler makes of blocks.
static size_t count_kernels(const struct program_build *build) {
    size_t count = 0;
    for (size_t k = 0; k < build->object.kernel_count; k++)
        if (!code_kernel_is_block(&build->object.kernels[k])) count++;
    return count;
}

// Names of the kernels, with semicolons between.
static cl_int answer_kernel_names(const struct program_build *build, const struct answer *answer) {
    size_t size = 1;
    for (size_t k = 0; k < build->object.kernel_count; k++)
        size += strlen(build->object.kernels[k].name) + 1;
    char *names = calloc(1, size);
    if (names == NULL) return CL_OUT_OF_HOST_MEMORY;
    for (size_t k = 0; k < build->object.kernel_count; k++) {
        if (code_kernel_is_block(&build->object.kernels[k])) continue;
        if (names[0] != '\0') strcat(names, ";");
        strcat(names, build->object.kernels[k].name);
    }
    const cl_int error = answer_text(answer, names);
    free(names);
    return error;
}

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size,
                                    void *param_value, size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    cl_device_id devices[DEVICES_MAX];
    size_t sizes[DEVICES_MAX], count = 0;
    if (!object_lives(program, OBJECT_PROGRAM)) return CL_INVALID_PROGRAM;
    for (cl_uint k = 0; k < program->context->count; k++) {
        if (!program->builds[k].wanted) continue;
        devices[count] = program->context->places[k].device;
        sizes[count++] = binary_size(&program->builds[k]);
    }
    const struct program_build *built = program_executable(program);
    switch (param_name) {
        case CL_PROGRAM_REFERENCE_COUNT: return answer_uint(&answer, atomic_load(&program->object.references));
        case CL_PROGRAM_CONTEXT: return answer_pointer(&answer, program->context);
        case CL_PROGRAM_NUM_DEVICES: return answer_uint(&answer, (cl_uint)count);
        case CL_PROGRAM_DEVICES: return answer_bytes(&answer, devices, count * sizeof *devices);
        case CL_PROGRAM_SOURCE: return answer_text(&answer, program->source != NULL ? program->source : "");
        case CL_PROGRAM_IL: return answer_bytes(&answer, NULL, 0);
        case CL_PROGRAM_BINARY_SIZES: return answer_bytes(&answer, sizes, count * sizeof *sizes);
        case CL_PROGRAM_BINARIES: return answer_binaries(program, &answer);
        case CL_PROGRAM_NUM_KERNELS:
            return built != NULL ? answer_size(&answer, count_kernels(built)) : CL_INVALID_PROGRAM_EXECUTABLE;
        case CL_PROGRAM_KERNEL_NAMES:
            return built != NULL ? answer_kernel_names(built, &answer) : CL_INVALID_PROGRAM_EXECUTABLE;
        case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
        case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT: return answer_bool(&answer, false);
        default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info param_name,
                                         size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    if (!object_lives(program, OBJECT_PROGRAM)) return CL_INVALID_PROGRAM;
    const struct place *place = object_is(device, OBJECT_DEVICE) ? context_place(program->context, device) : NULL;
    if (place == NULL || !program_build_of(program, place)->wanted) return CL_INVALID_DEVICE;
    const struct program_build *build = program_build_of(program, place);
    switch (param_name) {
        case CL_PROGRAM_BUILD_STATUS: return answer_bytes(&answer, &build->status, sizeof build->status);
        case CL_PROGRAM_BUILD_OPTIONS: return answer_text(&answer, build->options != NULL ? build->options : "");
        case CL_PROGRAM_BUILD_LOG: return answer_text(&answer, build->log != NULL ? build->log : "");
        case CL_PROGRAM_BINARY_TYPE:
            return answer_uint(&answer, build->code != NULL ? build->type : CL_PROGRAM_BINARY_TYPE_NONE);
        case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
            return answer_size(&answer, build->read ? build->object.data_size : 0);
        default: return CL_INVALID_VALUE;
    }
}
