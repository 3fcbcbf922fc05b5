// clBuildProgram: source to code object for each device, and loaded.
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "opencl/build_options.h"
#include "opencl/compile.h"
#include "opencl/program.h"

static char *copy_text(const char *text) {
    char *copy = text != NULL ? malloc(strlen(text) + 1) : NULL;
    if (copy != NULL) strcpy(copy, text);
    return copy;
}

// A code object made from binary or source, for the device of the build.
static bool make_code(cl_program program, const struct place *place, struct build_options *options) {
    struct program_build *build = program_build_of(program, place);
    struct compiled compiled = {.code = NULL};
    if (program->source == NULL && build->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
        void *code = build->code;
        build->code = NULL;
        return program_build_take(program, place, code, build->size, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    }
    const struct compile_input input = {
        .source = program->source != NULL ? program->source : build->code,
        .size = program->source != NULL ? program->source_size : build->size,
        .full_profile = device_full_profile(place->device),
        .config = place->device->info.config,
        .options = options,
    };
    const bool good = compile(&input, &compiled);
    program_build_log(build, compiled.log != NULL ? compiled.log : "");
    free(compiled.log);
    if (!good) return false;
    free(build->code);
    return program_build_take(program, place, compiled.code, compiled.size, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
}

static bool build_one(cl_program program, const struct place *place, const char *text, struct build_options *options) {
    struct program_build *build = program_build_of(program, place);
    if (program->source != NULL) program_build_clear(build);
    if (build->read || build->module != NULL) {  // built from a binary once more
        tandem_module_unload(build->module);
        if (build->read) code_object_free(&build->object);
        build->module = NULL;
        build->read = false;
    }
    free(build->options);
    build->options = copy_text(text);
    build->status = CL_BUILD_IN_PROGRESS;
    const bool good = make_code(program, place, options);
    build->status = good ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    if (!good) {
        free(build->code);
        build->code = NULL;
        build->type = CL_PROGRAM_BINARY_TYPE_NONE;
    }
    return good;
}

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                                  const char *options,
                                  void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data) {
    struct build_options read;
    cl_uint indices[DEVICES_MAX], count = 0;
    if (!object_lives(program, OBJECT_PROGRAM)) return CL_INVALID_PROGRAM;
    if (pfn_notify == NULL && user_data != NULL) return CL_INVALID_VALUE;
    cl_int error = program_devices(program, num_devices, device_list, indices, &count);
    if (error != CL_SUCCESS) return error;
    for (cl_uint k = 0; k < count; k++)
        if (program->source == NULL && program->builds[indices[k]].code == NULL) return CL_INVALID_BINARY;
    if (!build_options_read(&read, options, BUILD_COMPILES)) return CL_INVALID_BUILD_OPTIONS;
    if (atomic_load(&program->kernels) > 0) {
        build_options_free(&read);
        return CL_INVALID_OPERATION;
    }
    object_hold(program);
    pthread_mutex_lock(&program->lock);
    for (cl_uint k = 0; k < count; k++)
        if (!build_one(program, &program->context->places[indices[k]], options, &read))
            error = CL_BUILD_PROGRAM_FAILURE;
    pthread_mutex_unlock(&program->lock);
    build_options_free(&read);
    if (pfn_notify != NULL) pfn_notify(program, user_data);
    object_drop(program);
    return error;
}
