// Programs: made, kept, released.
#include "opencl/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/environment.h"

struct program_build *program_build_of(cl_program program, const struct place *place) {
    return &program->builds[context_index(program->context, place)];
}

void program_build_clear(struct program_build *build) {
    if (!devices_ending()) tandem_module_unload(build->module);
    if (build->read) code_object_free(&build->object);
    free(build->code);
    free(build->options);
    free(build->log);
    *build = (struct program_build){.wanted = build->wanted, .status = CL_BUILD_NONE};
}

void program_build_log(struct program_build *build, const char *text) {
    const size_t before = build->log != NULL ? strlen(build->log) : 0, size = strlen(text);
    if (size == 0) return;
    log_line("build: %s", text);
    char *log = realloc(build->log, before + size + 2);
    if (log == NULL) return;
    memcpy(log + before, text, size + 1);
    if (text[size - 1] != '\n') strcpy(log + before + size, "\n");
    build->log = log;
}

bool program_build_take(cl_program program, const struct place *place, void *code, size_t size,
                        cl_program_binary_type type) {
    struct program_build *build = program_build_of(program, place);
    char error[512];
    build->code = code;
    build->size = size;
    build->type = type;
    if (type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) return true;
    build->read = code_object_read(code, size, &build->object, error, sizeof error);
    if (!build->read) {
        program_build_log(build, error);
        return false;
    }
    const enum tandem_status status = tandem_space_module_load(place->space, code, size, &build->module);
    if (status == TANDEM_OK) return true;
    program_build_log(build, tandem_message(place->device->device));
    (void)device_error(place->device, status);
    build->module = NULL;
    return false;
}

static void destroy(void *object) {
    cl_program program = object;
    cl_context context = program->context;
    for (cl_uint k = 0; k < context->count; k++)
        program_build_clear(&program->builds[k]);
    free(program->source);
    pthread_mutex_destroy(&program->lock);
    free(program);
    object_drop(context);
}

cl_program program_new(cl_context context, cl_int *error) {
    struct _cl_program *program = calloc(1, sizeof *program);
    *error = program != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (program == NULL) return NULL;
    object_begin(&program->object, OBJECT_PROGRAM, destroy);
    object_hold(context);
    program->context = context;
    pthread_mutex_init(&program->lock, NULL);
    for (cl_uint k = 0; k < context->count; k++)
        program->builds[k].status = CL_BUILD_NONE;
    return program;
}

cl_int program_devices(cl_program program, cl_uint num_devices, const cl_device_id *list, cl_uint *indices,
                       cl_uint *count) {
    cl_context context = program->context;
    *count = 0;
    if ((num_devices == 0) != (list == NULL)) return CL_INVALID_VALUE;
    for (cl_uint k = 0; k < context->count && list == NULL; k++)
        if (program->builds[k].wanted) indices[(*count)++] = k;
    for (cl_uint k = 0; k < num_devices; k++) {
        const struct place *place = object_is(list[k], OBJECT_DEVICE) ? context_place(context, list[k]) : NULL;
        if (place == NULL || !program_build_of(program, place)->wanted) return CL_INVALID_DEVICE;
        bool there = false;
        for (cl_uint other = 0; other < *count; other++)
            there |= indices[other] == context_index(context, place);
        if (!there) indices[(*count)++] = context_index(context, place);
    }
    return CL_SUCCESS;
}

const struct program_build *program_executable(cl_program program) {
    for (cl_uint k = 0; k < program->context->count; k++)
        if (program->builds[k].module != NULL) return &program->builds[k];
    return NULL;
}

// All sources in a row. NULL: the host has no memory.
static char *join(cl_uint count, const char **strings, const size_t *lengths, size_t *size) {
    *size = 0;
    for (cl_uint k = 0; k < count; k++)
        *size += lengths != NULL && lengths[k] != 0 ? lengths[k] : strlen(strings[k]);
    char *text = malloc(*size + 1);
    size_t at = 0;
    for (cl_uint k = 0; k < count && text != NULL; k++) {
        const size_t length = lengths != NULL && lengths[k] != 0 ? lengths[k] : strlen(strings[k]);
        memcpy(text + at, strings[k], length);
        at += length;
    }
    if (text != NULL) text[at] = '\0';
    return text;
}

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                                 const size_t *lengths, cl_int *errcode_ret) {
    cl_int error = CL_SUCCESS;
    cl_program program = NULL;
    if (!object_lives(context, OBJECT_CONTEXT)) error = CL_INVALID_CONTEXT;
    if (error == CL_SUCCESS && (count == 0 || strings == NULL)) error = CL_INVALID_VALUE;
    for (cl_uint k = 0; error == CL_SUCCESS && k < count; k++)
        if (strings[k] == NULL) error = CL_INVALID_VALUE;
    if (error == CL_SUCCESS) program = program_new(context, &error);
    if (program != NULL) {
        program->source = join(count, strings, lengths, &program->source_size);
        for (cl_uint k = 0; k < context->count; k++)
            program->builds[k].wanted = true;
        if (program->source == NULL) {
            object_drop(program);
            program = NULL;
            error = CL_OUT_OF_HOST_MEMORY;
        }
    }
    set_error(errcode_ret, error);
    return program;
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices, const cl_device_id *list,
                                                 const size_t *lengths, const unsigned char **binaries,
                                                 cl_int *binary_status, cl_int *errcode_ret) {
    cl_int error = CL_SUCCESS;
    cl_program program = NULL;
    if (!object_lives(context, OBJECT_CONTEXT)) error = CL_INVALID_CONTEXT;
    if (error == CL_SUCCESS && (list == NULL || num_devices == 0 || lengths == NULL || binaries == NULL))
        error = CL_INVALID_VALUE;
    for (cl_uint k = 0; error == CL_SUCCESS && k < num_devices; k++)
        if (!object_is(list[k], OBJECT_DEVICE) || context_place(context, list[k]) == NULL) error = CL_INVALID_DEVICE;
    for (cl_uint k = 0; error == CL_SUCCESS && k < num_devices; k++) {
        const bool empty = lengths[k] == 0 || binaries[k] == NULL;
        if (binary_status != NULL) binary_status[k] = empty ? CL_INVALID_VALUE : CL_SUCCESS;
        if (empty) error = CL_INVALID_VALUE;
    }
    if (error == CL_SUCCESS) program = program_new(context, &error);
    if (program != NULL) program->binary = true;
    for (cl_uint k = 0; program != NULL && k < num_devices; k++) {
        struct program_build *build = program_build_of(program, context_place(context, list[k]));
        void *code = NULL;
        program_build_clear(build);
        build->wanted = true;
        const bool good = binary_read(binaries[k], lengths[k], &build->type, &code, &build->size);
        build->code = code;
        if (binary_status != NULL) binary_status[k] = good ? CL_SUCCESS : CL_INVALID_BINARY;
        if (!good) error = CL_INVALID_BINARY;
        // Many programs make kernels of such a program without building it first.
        if (good && build->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
            build->code = NULL;
            (void)program_build_take(program, context_place(context, list[k]), code, build->size, build->type);
        }
    }
    set_error(errcode_ret, error);
    if (error == CL_SUCCESS) return program;
    object_drop(program);
    return NULL;
}

cl_int CL_API_CALL clRetainProgram(cl_program program) {
    if (!object_lives(program, OBJECT_PROGRAM)) return CL_INVALID_PROGRAM;
    object_retain(program);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clReleaseProgram(cl_program program) {
    if (!object_is(program, OBJECT_PROGRAM)) return CL_INVALID_PROGRAM;
    if (object_release(program)) object_drop(program);
    return CL_SUCCESS;
}
