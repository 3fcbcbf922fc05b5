// clCompileProgram and clLinkProgram: sources become bitcode, and several of these one program or library.
#include <stdlib.h>
#include <string.h>

#include "opencl/compile.h"
#include "opencl/headers.h"
#include "opencl/program.h"

static char *copy_text(const char *text) {
    char *copy = text != NULL ? malloc(strlen(text) + 1) : NULL;
    if (copy != NULL) strcpy(copy, text);
    return copy;
}

// Runs the compiler for the device's build; what comes out becomes the build's code.
static bool make(cl_program program, const struct place *place, const struct compile_input *input, const char *text,
                 cl_program_binary_type type) {
    struct program_build *build = program_build_of(program, place);
    struct compiled compiled;
    program_build_clear(build);
    build->options = copy_text(text);
    build->status = CL_BUILD_IN_PROGRESS;
    bool good = compile(input, &compiled);
    program_build_log(build, compiled.log != NULL ? compiled.log : "");
    free(compiled.log);
    if (good) good = program_build_take(program, place, compiled.code, compiled.size, type);
    if (!good) {
        free(build->code);
        build->code = NULL;
        build->type = CL_PROGRAM_BINARY_TYPE_NONE;
    }
    build->status = good ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    return good;
}

static cl_int check_headers(cl_uint count, const cl_program *headers, const char **names) {
    if ((count == 0) != (headers == NULL) || (count == 0) != (names == NULL)) return CL_INVALID_VALUE;
    for (cl_uint k = 0; k < count; k++) {
        if (!object_lives(headers[k], OBJECT_PROGRAM) || headers[k]->source == NULL) return CL_INVALID_PROGRAM;
        if (names[k] == NULL) return CL_INVALID_VALUE;
    }
    return CL_SUCCESS;
}

cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                                    const char *options, cl_uint num_input_headers, const cl_program *input_headers,
                                    const char **header_include_names,
                                    void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                                    void *user_data) {
    struct build_options read;
    struct header_folder folder;
    cl_uint indices[DEVICES_MAX], count = 0;
    if (!object_lives(program, OBJECT_PROGRAM)) return CL_INVALID_PROGRAM;
    cl_int error = program_devices(program, num_devices, device_list, indices, &count);
    if (error == CL_SUCCESS && pfn_notify == NULL && user_data != NULL) error = CL_INVALID_VALUE;
    if (error == CL_SUCCESS) error = check_headers(num_input_headers, input_headers, header_include_names);
    if (error != CL_SUCCESS) return error;
    if (!build_options_read(&read, options, BUILD_COMPILES)) return CL_INVALID_COMPILER_OPTIONS;
    if (program->source == NULL || atomic_load(&program->kernels) > 0) error = CL_INVALID_OPERATION;
    if (error == CL_SUCCESS)
        error = header_folder_make(&folder, num_input_headers, input_headers, header_include_names, &read);
    if (error != CL_SUCCESS) {
        build_options_free(&read);
        return error;
    }
    object_hold(program);
    pthread_mutex_lock(&program->lock);
    for (cl_uint k = 0; k < count; k++) {
        const struct place *place = &program->context->places[indices[k]];
        const struct compile_input input = {.source = program->source,
                                            .size = program->source_size,
                                            .front_only = true,
                                            .full_profile = device_full_profile(place->device),
                                            .options = &read};
        if (!make(program, place, &input, options, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT))
            error = CL_COMPILE_PROGRAM_FAILURE;
    }
    pthread_mutex_unlock(&program->lock);
    header_folder_remove(&folder);
    build_options_free(&read);
    if (pfn_notify != NULL) pfn_notify(program, user_data);
    object_drop(program);
    return error;
}

// Is there something to link for this device in all of the programs, in none, or only in some?
enum linkable { LINK_NONE, LINK_SOME, LINK_ALL };
static enum linkable look_at(const struct place *place, cl_uint count, const cl_program *programs) {
    cl_uint found = 0;
    for (cl_uint k = 0; k < count; k++) {
        const struct program_build *build = program_build_of(programs[k], place);
        found += build->code != NULL && (build->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                                         build->type == CL_PROGRAM_BINARY_TYPE_LIBRARY);
    }
    return found == count ? LINK_ALL : found > 0 ? LINK_SOME : LINK_NONE;
}

static bool link_one(cl_program program, const struct place *place, cl_uint count, const cl_program *programs,
                     const char *text, struct build_options *options) {
    struct compiler_bitcode *parts = calloc(count, sizeof *parts);
    if (parts == NULL) return false;
    for (cl_uint k = 0; k < count; k++) {
        const struct program_build *build = program_build_of(programs[k], place);
        parts[k] = (struct compiler_bitcode){build->code, build->size};
    }
    struct build_options none = {.count = 0};
    const struct compile_input input = {.source = parts[0].data,
                                        .size = parts[0].size,
                                        .more = parts + 1,
                                        .more_count = count - 1,
                                        .front_only = options->create_library,
                                        .full_profile = true,
                                        .config = place->device->info.config,
                                        .options = &none};
    const bool good =
        make(program, place, &input, text,
             options->create_library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    free(parts);
    return good;
}

static cl_int check_link(cl_context context, cl_uint num_devices, const cl_device_id *list, cl_uint count,
                         const cl_program *programs) {
    if (!object_lives(context, OBJECT_CONTEXT)) return CL_INVALID_CONTEXT;
    if ((num_devices == 0) != (list == NULL) || count == 0 || programs == NULL) return CL_INVALID_VALUE;
    for (cl_uint k = 0; k < count; k++)
        if (!object_lives(programs[k], OBJECT_PROGRAM) || programs[k]->context != context) return CL_INVALID_PROGRAM;
    for (cl_uint k = 0; k < num_devices; k++)
        if (!object_is(list[k], OBJECT_DEVICE) || context_place(context, list[k]) == NULL) return CL_INVALID_DEVICE;
    return CL_SUCCESS;
}

static bool listed(cl_uint count, const cl_device_id *list, const struct place *place) {
    for (cl_uint k = 0; k < count; k++)
        if (list[k] == place->device) return true;
    return count == 0;
}

// For each device of the list that all programs have something for.
static cl_int link_all(cl_program program, cl_uint num_devices, const cl_device_id *list, cl_uint count,
                       const cl_program *programs, const char *text, struct build_options *options) {
    cl_context context = program->context;
    cl_int error = CL_SUCCESS;
    bool any = false;
    for (cl_uint k = 0; k < context->count; k++) {
        const struct place *place = &context->places[k];
        const enum linkable linkable = look_at(place, count, programs);
        if (!listed(num_devices, list, place) || linkable == LINK_NONE) continue;
        if (linkable == LINK_SOME) return CL_INVALID_OPERATION;
        any = true;
        program->builds[k].wanted = true;
        if (!link_one(program, place, count, programs, text, options)) error = CL_LINK_PROGRAM_FAILURE;
    }
    return any ? error : CL_INVALID_OPERATION;
}

cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *device_list,
                                     const char *options, cl_uint num_input_programs, const cl_program *input_programs,
                                     void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                                     void *user_data, cl_int *errcode_ret) {
    struct build_options read;
    cl_program program = NULL;
    cl_int error = check_link(context, num_devices, device_list, num_input_programs, input_programs);
    if (error == CL_SUCCESS && pfn_notify == NULL && user_data != NULL) error = CL_INVALID_VALUE;
    if (error == CL_SUCCESS && !build_options_read(&read, options, BUILD_LINKS)) error = CL_INVALID_LINKER_OPTIONS;
    if (error == CL_SUCCESS) {
        program = program_new(context, &error);
        if (program != NULL)
            error = link_all(program, num_devices, device_list, num_input_programs, input_programs, options, &read);
        build_options_free(&read);
    }
    set_error(errcode_ret, error);
    // A program whose link has failed is there, for its log.
    if (error != CL_SUCCESS && error != CL_LINK_PROGRAM_FAILURE) {
        object_drop(program);
        program = NULL;
    }
    if (pfn_notify != NULL && program != NULL) pfn_notify(program, user_data);
    return program;
}
