// Kernels: made, copied, released.
#include "opencl/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "opencl/image.h"
#include "opencl/queue.h"

const struct code_kernel *kernel_on(cl_kernel kernel, const struct place *place) {
    const struct program_build *build = program_build_of(kernel->program, place);
    return build->module != NULL ? code_object_find(&build->object, kernel->name) : NULL;
}

const struct code_kernel *kernel_any(cl_kernel kernel) {
    cl_context context = kernel->program->context;
    const struct code_kernel *found = NULL;
    for (cl_uint k = 0; k < context->count && found == NULL; k++)
        found = kernel_on(kernel, &context->places[k]);
    return found;
}

void kernel_arguments_free(struct kernel_argument *arguments, cl_uint count) {
    for (cl_uint k = 0; arguments != NULL && k < count; k++) {
        free(arguments[k].value);
        object_unwatch(arguments[k].memory);
        arguments[k] = (struct kernel_argument){.set = false};
    }
}

bool kernel_arguments_copy(struct kernel_argument *to, const struct kernel_argument *from, cl_uint count) {
    for (cl_uint k = 0; k < count; k++) {
        to[k] = from[k];
        if (to[k].memory != NULL) object_watch(to[k].memory);
        if (from[k].value == NULL) continue;
        to[k].value = malloc(from[k].size);
        if (to[k].value == NULL) {
            kernel_arguments_free(to, k + 1);
            return false;
        }
        memcpy(to[k].value, from[k].value, from[k].size);
    }
    return true;
}

// What is not held is no argument of the launch.
cl_int launch_arguments_copy(struct kernel_argument *to, const struct kernel_argument *from, cl_uint count) {
    cl_int error = kernel_arguments_copy(to, from, count) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    for (cl_uint k = 0; k < count; k++) {
        cl_mem memory = to[k].memory;
        if (memory == NULL || (error == CL_SUCCESS && object_hold_living(memory))) continue;
        if (error == CL_SUCCESS) error = CL_INVALID_KERNEL_ARGS;
        object_unwatch(memory);
        to[k].memory = NULL;
    }
    return error;
}

void launch_arguments_free(struct kernel_argument *arguments, cl_uint count) {
    for (cl_uint k = 0; arguments != NULL && k < count; k++)
        object_drop(arguments[k].memory);
    kernel_arguments_free(arguments, count);
}

static void destroy(void *object) {
    cl_kernel kernel = object;
    kernel_arguments_free(kernel->arguments, kernel->count);
    free(kernel->arguments);
    free(kernel->name);
    atomic_fetch_sub(&kernel->program->kernels, 1);
    object_drop(kernel->program);
    free(kernel);
}

static cl_kernel new_kernel(cl_program program, const char *name, size_t count) {
    struct _cl_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL) return NULL;
    object_begin(&kernel->object, OBJECT_KERNEL, destroy);
    object_hold(program);
    atomic_fetch_add(&program->kernels, 1);
    kernel->program = program;
    kernel->count = (cl_uint)count;
    kernel->arguments = calloc(count + 1, sizeof *kernel->arguments);
    kernel->name = malloc(strlen(name) + 1);
    if (kernel->arguments == NULL || kernel->name == NULL) {
        object_drop(kernel);
        return NULL;
    }
    strcpy(kernel->name, name);
    return kernel;
}

// The kernel of this name has the same arguments on all devices.
static cl_int find(cl_program program, const char *name, const struct code_kernel **found) {
    bool any = false;
    *found = NULL;
    for (cl_uint k = 0; k < program->context->count; k++) {
        const struct program_build *build = &program->builds[k];
        if (build->module == NULL) continue;
        any = true;
        const struct code_kernel *kernel = code_object_find(&build->object, name);
        if (kernel == NULL || code_kernel_is_block(kernel)) continue;
        if (*found != NULL && (*found)->argument_count != kernel->argument_count) return CL_INVALID_KERNEL_DEFINITION;
        for (size_t a = 0; *found != NULL && a < kernel->argument_count; a++)
            if ((*found)->arguments[a].kind != kernel->arguments[a].kind ||
                (*found)->arguments[a].size != kernel->arguments[a].size)
                return CL_INVALID_KERNEL_DEFINITION;
        *found = kernel;
    }
    if (!any) return CL_INVALID_PROGRAM_EXECUTABLE;
    return *found != NULL ? CL_SUCCESS : CL_INVALID_KERNEL_NAME;
}

cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *kernel_name, cl_int *errcode_ret) {
    const struct code_kernel *found = NULL;
    cl_kernel kernel = NULL;
    cl_int error = CL_SUCCESS;
    if (!object_lives(program, OBJECT_PROGRAM)) {
        error = CL_INVALID_PROGRAM;
    } else if (program_executable(program) == NULL) {
        error = CL_INVALID_PROGRAM_EXECUTABLE;
    } else if (kernel_name == NULL) {
        error = CL_INVALID_VALUE;
    } else {
        error = find(program, kernel_name, &found);
    }
    if (error == CL_SUCCESS) {
        kernel = new_kernel(program, kernel_name, found->argument_count);
        if (kernel == NULL) error = CL_OUT_OF_HOST_MEMORY;
    }
    set_error(errcode_ret, error);
    return kernel;
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel *kernels,
                                            cl_uint *num_kernels_ret) {
    if (!object_lives(program, OBJECT_PROGRAM)) return CL_INVALID_PROGRAM;
    const struct program_build *build = program_executable(program);
    if (build == NULL) return CL_INVALID_PROGRAM_EXECUTABLE;
    size_t count = 0;
    for (size_t k = 0; k < build->object.kernel_count; k++)
        if (!code_kernel_is_block(&build->object.kernels[k])) count++;
    if (kernels != NULL && num_kernels < count) return CL_INVALID_VALUE;
    for (size_t k = 0, made = 0; kernels != NULL && k < build->object.kernel_count; k++) {
        const struct code_kernel *from = &build->object.kernels[k];
        if (code_kernel_is_block(from)) continue;
        kernels[made] = new_kernel(program, from->name, from->argument_count);
        if (kernels[made++] != NULL) continue;
        while (--made > 0)
            object_drop(kernels[made - 1]);
        return CL_OUT_OF_HOST_MEMORY;
    }
    if (num_kernels_ret != NULL) *num_kernels_ret = (cl_uint)count;
    return CL_SUCCESS;
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret) {
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = NULL;
    if (!object_is(source_kernel, OBJECT_KERNEL)) {
        error = CL_INVALID_KERNEL;
    } else {
        kernel = new_kernel(source_kernel->program, source_kernel->name, source_kernel->count);
        if (kernel == NULL) error = CL_OUT_OF_HOST_MEMORY;
    }
    if (kernel != NULL && !kernel_arguments_copy(kernel->arguments, source_kernel->arguments, kernel->count)) {
        object_drop(kernel);
        kernel = NULL;
        error = CL_OUT_OF_HOST_MEMORY;
    }
    set_error(errcode_ret, error);
    return kernel;
}

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) {
    if (!object_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    object_retain(kernel);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
    if (!object_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    if (object_release(kernel)) object_drop(kernel);
    return CL_SUCCESS;
}

// memory: NULL is a null pointer.
static void keep_memory(struct kernel_argument *to, cl_mem memory) {
    if (memory != NULL) object_watch(memory);
    object_unwatch(to->memory);
    to->memory = memory;
    to->set = true;
}

static cl_int set_memory(cl_kernel kernel, struct kernel_argument *to, size_t size, const void *value) {
    cl_mem memory = NULL;
    if (value != NULL && size == sizeof memory) memcpy(&memory, value, sizeof memory);
    if (memory != NULL && !memory_is_buffer(memory)) return CL_INVALID_MEM_OBJECT;
    if (size != sizeof(cl_mem)) return CL_INVALID_ARG_SIZE;
    if (memory != NULL && memory->context != kernel->program->context) return CL_INVALID_MEM_OBJECT;
    keep_memory(to, memory);
    return CL_SUCCESS;
}

// Does an argument of this type, as the source has it, take such an image? Other names: typedefs, which may.
static bool image_fits(const char *type, const struct image *image) {
    static const struct {
        const char *name;
        cl_mem_object_type type;
    } types[] = {{"image1d_t", CL_MEM_OBJECT_IMAGE1D},
                 {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER},
                 {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY},
                 {"image2d_t", CL_MEM_OBJECT_IMAGE2D},
                 {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D},
                 {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
                 {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
                 {"image3d_t", CL_MEM_OBJECT_IMAGE3D}};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strcmp(types[k].name, type) == 0) return types[k].type == image->type;
    return true;
}

static cl_int set_image(cl_kernel kernel, const struct code_argument *wanted, struct kernel_argument *to, size_t size,
                        const void *value) {
    cl_mem memory = NULL;
    if (value == NULL) return CL_INVALID_ARG_VALUE;
    if (size != sizeof memory) return CL_INVALID_ARG_SIZE;
    memcpy(&memory, value, sizeof memory);
    if (!memory_is_image(memory) || memory->context != kernel->program->context) return CL_INVALID_MEM_OBJECT;
    if ((wanted->qualifiers & QUALIFIER_READ) != 0 && (memory->flags & CL_MEM_WRITE_ONLY) != 0)
        return CL_INVALID_ARG_VALUE;
    if ((wanted->qualifiers & QUALIFIER_WRITE) != 0 && (memory->flags & CL_MEM_READ_ONLY) != 0)
        return CL_INVALID_ARG_VALUE;
    if (!image_fits(wanted->type, memory->image)) return CL_INVALID_ARG_VALUE;
    keep_memory(to, memory);
    return CL_SUCCESS;
}

// Readers move the pipe's counters too.
static cl_int set_pipe(cl_kernel kernel, struct kernel_argument *to, size_t size, const void *value) {
    cl_mem memory = NULL;
    if (value == NULL) return CL_INVALID_ARG_VALUE;
    if (size != sizeof memory) return CL_INVALID_ARG_SIZE;
    memcpy(&memory, value, sizeof memory);
    if (!memory_is_pipe(memory) || memory->context != kernel->program->context) return CL_INVALID_MEM_OBJECT;
    keep_memory(to, memory);
    return CL_SUCCESS;
}

static cl_int set_value(struct kernel_argument *to, size_t wanted, size_t size, const void *value) {
    if (value == NULL) return CL_INVALID_ARG_VALUE;
    if (size != wanted) return CL_INVALID_ARG_SIZE;
    if (to->value == NULL) to->value = malloc(size > 0 ? size : 1);
    if (to->value == NULL) return CL_OUT_OF_HOST_MEMORY;
    memcpy(to->value, value, size);
    to->size = size;
    to->set = true;
    return CL_SUCCESS;
}

// Its number is all that a kernel needs: the sampler may go.
static cl_int set_sampler(cl_kernel kernel, struct kernel_argument *to, size_t size, const void *value) {
    cl_sampler sampler = NULL;
    if (value == NULL) return CL_INVALID_ARG_VALUE;
    if (size != sizeof sampler) return CL_INVALID_ARG_SIZE;
    memcpy(&sampler, value, sizeof sampler);
    if (!object_is(sampler, OBJECT_SAMPLER) || sampler->context != kernel->program->context) return CL_INVALID_SAMPLER;
    const cl_uint number = sampler_number(sampler);
    return set_value(to, sizeof number, sizeof number, &number);
}

// The kernel gets the launch's own queue, whichever it is.
static cl_int set_queue(cl_kernel kernel, struct kernel_argument *to, size_t wanted, size_t size, const void *value) {
    const cl_uint none[4] = {0};
    cl_command_queue queue = NULL;
    if (value == NULL) return CL_INVALID_ARG_VALUE;
    if (size != sizeof queue) return CL_INVALID_ARG_SIZE;
    memcpy(&queue, value, sizeof queue);
    if (!object_is(queue, OBJECT_DEVICE_QUEUE) || queue->context != kernel->program->context)
        return CL_INVALID_DEVICE_QUEUE;
    return wanted <= sizeof none ? set_value(to, wanted, wanted, none) : CL_INVALID_ARG_SIZE;
}

static cl_int set_local(cl_kernel kernel, struct kernel_argument *to, size_t size, const void *value) {
    cl_context context = kernel->program->context;
    if (value != NULL) return CL_INVALID_ARG_VALUE;
    if (size == 0) return CL_INVALID_ARG_SIZE;
    for (cl_uint k = 0; k < context->count; k++)
        if (kernel_on(kernel, &context->places[k]) != NULL && size > context->places[k].device->info.shared_bytes)
            return CL_OUT_OF_RESOURCES;
    to->size = size;
    to->set = true;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size, const void *arg_value) {
    if (!object_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    if (arg_index >= kernel->count) return CL_INVALID_ARG_INDEX;
    const struct code_kernel *code = kernel_any(kernel);
    if (code == NULL) return CL_INVALID_KERNEL;
    struct kernel_argument *to = &kernel->arguments[arg_index];
    const struct code_argument *wanted = &code->arguments[arg_index];
    switch (wanted->kind) {
        case ARG_GLOBAL:
        case ARG_CONSTANT: return set_memory(kernel, to, arg_size, arg_value);
        case ARG_LOCAL: return set_local(kernel, to, arg_size, arg_value);
        case ARG_IMAGE: return set_image(kernel, wanted, to, arg_size, arg_value);
        case ARG_PIPE: return set_pipe(kernel, to, arg_size, arg_value);
        case ARG_SAMPLER: return set_sampler(kernel, to, arg_size, arg_value);
        default:
            if (strcmp(wanted->type, "queue_t") == 0) return set_queue(kernel, to, wanted->size, arg_size, arg_value);
            return set_value(to, wanted->size, arg_size, arg_value);
    }
}
